//! More functions of elements, in the graph dialect alone but for powers and neighbours.

use crate::{
    machine::{Action, Frame, Op, Table},
    semantics::{
        Operand, Result, elementary,
        pointwise::call,
        scalar_table::{self as rows, Pointwise},
    },
};
use std::f64::consts::PI;
use terrace_dialects::ir::attributes;
use terrace_tensor::{Scalar, Tensor};

/// What an operator computes, in place or not.
type Compute = Box<dyn Fn(&Frame, bool) -> Result<Tensor>>;

pub(super) fn register(table: &mut Table) {
    table.both("angle", |op| {
        let x = op.tensor(0);
        op.value(move |f| elementary::angle(f.tensor(x)))
    });
    binary(table);
    numbers(table);
    activations(table);
    fills(table);
}

fn action(
    decode: impl Fn(&mut Op) -> std::result::Result<Compute, String>,
    in_place: bool,
) -> impl Fn(&mut Op) -> std::result::Result<Action, String> {
    move |op| {
        let compute = decode(op)?;
        op.value(move |f| compute(f, in_place))
    }
}

/// Adds an operator of graph and its in-place form.
fn forms(
    table: &mut Table,
    name: &str,
    decode: impl Fn(&mut Op) -> std::result::Result<Compute, String> + Copy + 'static,
) {
    table.graph(name, action(decode, false));
    table.graph(&format!("{name}_"), action(decode, true));
}

/// A row on the operands as they are.
fn row(op: &mut Op, row: &'static Pointwise) -> std::result::Result<Compute, String> {
    let operands = op.operands();
    Ok(Box::new(move |f, in_place| {
        let operands: Vec<Operand> = operands.iter().map(|&slot| f.operand(slot)).collect();
        call(row, &operands, &[], in_place)
    }))
}

fn binary(table: &mut Table) {
    type Binary = fn(Operand, Operand, bool) -> Result<Tensor>;
    let binaries = [
        ("pow", elementary::pow as Binary, true),
        ("nextafter", elementary::nextafter, true),
        ("float_power", elementary::float_power, false),
    ];
    for (name, compute, functional) in binaries {
        let decode = move |op: &mut Op| -> std::result::Result<Compute, String> {
            let (a, b) = (op.operand(0), op.operand(1));
            Ok(Box::new(move |f, in_place| compute(f.operand(a), f.operand(b), in_place)))
        };
        forms(table, name, decode);
        if functional {
            table.functional(name, action(decode, false));
        }
    }
    for of in [&rows::HYPOT, &rows::HEAVISIDE, &rows::XLOGY, &rows::SINC] {
        forms(table, of.name, move |op| row(op, of));
    }
    for of in [&rows::SIGNBIT, &rows::ISPOSINF, &rows::ISNEGINF, &rows::XLOG1PY, &rows::ENTR] {
        table.graph(of.name, action(move |op| row(op, of), false));
    }
}

fn numbers(table: &mut Table) {
    for (name, factor) in [("deg2rad", PI / 180.0), ("rad2deg", 180.0 / PI)] {
        forms(table, name, move |op| {
            let x = op.tensor(0);
            Ok(Box::new(move |f, in_place| elementary::scaled(f.operand(x), factor, in_place)))
        });
    }
    forms(table, "logit", |op| {
        let (x, eps) = (op.tensor(0), op.attribute("eps").map(attributes::f64));
        Ok(Box::new(move |f, in_place| elementary::logit(f.operand(x), eps, in_place)))
    });
    forms(table, "nan_to_num", |op| {
        let x = op.tensor(0);
        let numbers = ["nan", "posinf", "neginf"].map(|name| op.attribute(name).map(attributes::f64));
        Ok(Box::new(move |f, in_place| elementary::nan_to_num(f.operand(x), numbers, in_place)))
    });
}

fn activations(table: &mut Table) {
    forms(table, "celu", |op| {
        let (x, alpha) = (op.tensor(0), op.optional(1));
        Ok(Box::new(move |f, in_place| {
            let alpha = alpha.map_or(Scalar::Int(1), |slot| f.scalar(slot));
            elementary::celu(f.operand(x), alpha, in_place)
        }))
    });
    forms(table, "selu", |op| {
        let x = op.tensor(0);
        Ok(Box::new(move |f, in_place| elementary::selu(f.operand(x), in_place)))
    });
    for of in [&rows::HARDSHRINK, &rows::SOFTSHRINK] {
        table.graph(of.name, move |op| {
            let (x, number) = (op.tensor(0), op.optional(1));
            op.value(move |f| {
                let number = number.map_or(Scalar::Float(0.5), |slot| f.scalar(slot));
                call(of, &[f.operand(x)], &[number], false)
            })
        });
    }
    for (name, compute) in [
        ("prelu", elementary::prelu as fn(&Tensor, &Tensor) -> Result<Tensor>),
        ("_prelu_kernel", elementary::prelu_kernel),
    ] {
        table.graph(name, move |op| {
            let (x, weight) = (op.tensor(0), op.tensor(1));
            op.value(move |f| compute(f.tensor(x), f.tensor(weight)))
        });
    }
    table.graph("glu", |op| {
        let (x, dim) = (op.tensor(0), op.int_or("dim", -1));
        op.value(move |f| elementary::glu(f.tensor(x), dim))
    });
    for (name, results) in [("log_sigmoid", 1), ("log_sigmoid_forward", 2)] {
        table.graph(name, move |op| {
            let x = op.tensor(0);
            op.values(move |f| Ok(elementary::log_sigmoid(f.tensor(x))?.into_iter().take(results).collect()))
        });
    }
}

fn fills(table: &mut Table) {
    table.graph("positive", |op| {
        let x = op.tensor(0);
        op.value(move |f| Ok(f.tensor(x).clone()))
    });
    table.graph("fill", |op| {
        let (x, value) = (op.tensor(0), op.tensor(1));
        op.value(move |f| elementary::fill(f.tensor(x), f.operand(value)))
    });
    table.graph("fill_diagonal_", |op| {
        let (x, value, wrap) = (op.tensor(0), op.tensor(1), op.flag("wrap"));
        op.value(move |f| elementary::fill_diagonal_(f.tensor(x), f.operand(value), wrap))
    });
}
