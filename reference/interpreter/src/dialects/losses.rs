//! Losses and their gradients.

use super::operators::optional;
use crate::{
    machine::{Action, Frame, Op, Slot, Table},
    semantics::{
        copy,
        losses::{self, Classes},
        scalar_table::{self as rows, Pointwise},
    },
};
use terrace_dialects::ir::attributes;

pub(super) fn register(table: &mut Table) {
    for (name, row, number) in [
        ("mse_loss", &rows::MSE_LOSS, None),
        ("smooth_l1_loss", &rows::SMOOTH_L1_LOSS, Some("beta")),
        ("huber_loss", &rows::HUBER_LOSS, Some("delta")),
    ] {
        table.graph(name, move |op| of_elements(op, row, number));
    }
    table.graph("kl_div", |op| {
        let row = if op.flag("log_target") { &rows::KL_DIV_LOG } else { &rows::KL_DIV };
        let (x, target, reduction) = (op.tensor(0), op.tensor(1), op.int_or("reduction", 1));
        // What is computed of the target alone comes first.
        op.value(move |f| losses::loss(row, &copy::clone(f.tensor(target))?, f.tensor(x), &[], reduction))
    });
    table.graph("l1_loss", |op| {
        let (x, target, reduction) = (op.tensor(0), op.tensor(1), op.int_or("reduction", 1));
        op.value(move |f| losses::l1_loss(f.tensor(x), f.tensor(target), reduction))
    });
    table.graph("binary_cross_entropy", |op| {
        let (x, target, weight) = (op.tensor(0), op.tensor(1), op.optional(2));
        let reduction = op.int_or("reduction", 1);
        op.value(move |f| {
            losses::binary_cross_entropy(f.tensor(x), f.tensor(target), optional(f, weight), reduction)
        })
    });
    table.graph("binary_cross_entropy_with_logits", |op| {
        let (x, target, weight, positive) = (op.tensor(0), op.tensor(1), op.optional(2), op.optional(3));
        let reduction = op.int_or("reduction", 1);
        op.value(move |f| {
            let (weight, positive) = (optional(f, weight), optional(f, positive));
            losses::binary_cross_entropy_with_logits(
                f.tensor(x),
                f.tensor(target),
                weight,
                positive,
                reduction,
            )
        })
    });
    for (name, row, number) in [
        ("mse_loss_backward", &rows::MSE_LOSS_BACKWARD, None),
        ("smooth_l1_loss_backward", &rows::SMOOTH_L1_LOSS_BACKWARD, Some("beta")),
        ("huber_loss_backward", &rows::HUBER_LOSS_BACKWARD, Some("delta")),
    ] {
        table.graph(name, move |op| {
            let [grad, x, target] = [0, 1, 2].map(|place| op.tensor(place));
            let (number, reduction) = (float(op, number), op.int_or("reduction", 1));
            op.value(move |f| {
                losses::loss_backward(row, f.tensor(grad), f.tensor(x), f.tensor(target), number, reduction)
            })
        });
    }
    table.graph("binary_cross_entropy_backward", |op| {
        let ([grad, x, target], weight) = ([0, 1, 2].map(|place| op.tensor(place)), op.optional(3));
        let reduction = op.int_or("reduction", 1);
        op.value(move |f| {
            let (x, target, weight) = (f.tensor(x), f.tensor(target), optional(f, weight));
            losses::binary_cross_entropy_backward(f.tensor(grad), x, target, weight, reduction)
        })
    });
    table.functional("within", |op| {
        let (x, [low, high]) =
            (op.tensor(0), ["low", "high"].map(|name| op.attribute(name).map(attributes::f64)));
        let message = op.attribute("message").map(attributes::string);
        let (low, high, message) =
            (low.ok_or("has no low")?, high.ok_or("has no high")?, message.ok_or("has no message")?);
        op.value(move |f| losses::within(f.tensor(x), low..=high, &message))
    });
    classes(table);
}

fn of_elements(op: &mut Op, row: &'static Pointwise, number: Option<&str>) -> Result<Action, String> {
    let (x, target, reduction) = (op.tensor(0), op.tensor(1), op.int_or("reduction", 1));
    let number: Vec<f64> = float(op, number).into_iter().collect();
    op.value(move |f| losses::loss(row, f.tensor(x), f.tensor(target), &number, reduction))
}

/// A number among the attributes, 1 where it is absent.
fn float(op: &Op, name: Option<&str>) -> Option<f64> {
    name.map(|name| op.attribute(name).map_or(1.0, attributes::f64))
}

/// What losses of classes have, decoded.
#[derive(Clone, Copy)]
struct Call {
    weight: Option<Slot>,
    reduction: i64,
    ignore: i64,
}

impl Call {
    fn of(op: &Op, place: usize) -> Call {
        Call {
            weight: op.optional(place),
            reduction: op.int_or("reduction", 1),
            ignore: op.int_or("ignore_index", -100),
        }
    }

    fn get(self, f: &Frame) -> Classes<'_> {
        Classes { weight: optional(f, self.weight), reduction: self.reduction, ignore: self.ignore }
    }
}

fn classes(table: &mut Table) {
    for (name, results) in [("nll_loss", 1), ("nll_loss_nd", 1), ("nll_loss2d_forward", 2)] {
        table.graph(name, move |op: &mut Op| -> Result<Action, String> {
            let (x, target, call) = (op.tensor(0), op.tensor(1), Call::of(op, 2));
            op.values(move |f| {
                let both = losses::nll_loss(f.tensor(x), f.tensor(target), call.get(f))?;
                Ok(both.into_iter().take(results).collect())
            })
        });
    }
    table.graph("nll_loss2d_backward", |op| {
        let ([grad, x, target, total], call) = ([0, 1, 2, 4].map(|place| op.tensor(place)), Call::of(op, 3));
        op.value(move |f| {
            losses::nll_loss2d_backward(
                f.tensor(grad),
                f.tensor(x),
                f.tensor(target),
                call.get(f),
                f.tensor(total),
            )
        })
    });
    table.graph("cross_entropy_loss", |op| {
        let (x, target, call) = (op.tensor(0), op.tensor(1), Call::of(op, 2));
        let smoothing = op.attribute("label_smoothing").map_or(0.0, attributes::f64);
        op.value(move |f| losses::cross_entropy_loss(f.tensor(x), f.tensor(target), call.get(f), smoothing))
    });
}
