//! Pointwise operators of graph and functional, their in-place forms, copies and fills.

use crate::{
    machine::{Action, Frame, Op, Slot, Table},
    semantics::{
        Error, Operand, copy,
        pointwise::{apply, apply_in_place, masked_fill, masked_fill_, where_},
        scalar_table::{self as rows, Pointwise},
    },
};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Dtype, Scalar};

pub(super) fn register(table: &mut Table) {
    for row in rows::PLAIN {
        forms(table, row.name, move |_| Ok(row), false);
    }
    // Of reals it is the sign, which is exact.
    let sgn = |op: &Op| Ok(if op.operand_kind(0)?.dtype.is_complex() { &rows::SGN } else { &rows::SIGN });
    forms(table, "sgn", sgn, false);
    table.graph("max.other", |op| new(op, &rows::MAXIMUM, false));
    table.graph("min.other", |op| new(op, &rows::MINIMUM, false));
    table.graph("floor_divide", |op| new(op, &rows::DIV_FLOOR, false));
    table.graph("floor_divide_", |op| in_place(op, &rows::DIV_FLOOR, false));
    square(table);
    table.graph("rsub", |op| {
        let operands = Operands::of(op, true);
        op.value(move |f| {
            let mut both = operands.get(f);
            both.reverse();
            apply(&rows::SUB, &both, &operands.parameters(f))
        })
    });
    for row in [&rows::ADD, &rows::SUB] {
        forms(table, row.name, move |_| Ok(row), true);
    }
    forms(table, "div", |op| row_by(op, "rounding_mode", rows::div), false);
    forms(table, "gelu", |op| row_by(op, "approximate", |name| rows::gelu(name.unwrap_or("none"))), false);

    table.both("where", |op| {
        let (condition, on_true, on_false) = (op.tensor(0), op.tensor(1), op.tensor(2));
        op.value(move |f| where_(f.tensor(condition), f.operand(on_true), f.operand(on_false)))
    });
    table.graph("copy_", |op| {
        let (x, src) = (op.tensor(0), op.tensor(1));
        op.value(move |f| copy::copy_(f.tensor(x), f.tensor(src)))
    });
    table.graph("masked_fill", |op| {
        let (x, mask, value) = (op.tensor(0), op.tensor(1), op.tensor(2));
        op.value(move |f| masked_fill(f.tensor(x), f.tensor(mask), f.operand(value)))
    });
    table.graph("masked_fill_", |op| {
        let (x, mask, value) = (op.tensor(0), op.tensor(1), op.tensor(2));
        op.value(move |f| masked_fill_(f.tensor(x), f.tensor(mask), f.operand(value)))
    });
    table.graph("fill_", |op| {
        let (x, value) = (op.tensor(0), op.tensor(1));
        op.value(move |f| copy::fill_(f.tensor(x), f.operand(value)))
    });
    table.graph("zero_", |op| {
        let x = op.tensor(0);
        op.value(move |f| copy::zero_(f.tensor(x)))
    });
}

/// Adds an operator in its forms, of which it may lack the one in place. `alpha` says whether its last
/// operand is the factor of the one before.
fn forms(
    table: &mut Table,
    name: &str,
    row: impl Fn(&Op) -> Result<&'static Pointwise, String> + Copy + 'static,
    alpha: bool,
) {
    table.both(name, move |op| {
        let row = row(op)?;
        new(op, row, alpha)
    });
    table.graph(&format!("{name}_"), move |op| {
        let row = row(op)?;
        in_place(op, row, alpha)
    });
}

fn new(op: &mut Op, row: &'static Pointwise, alpha: bool) -> Result<Action, String> {
    let operands = Operands::of(op, alpha);
    op.value(move |f| apply(row, &operands.get(f), &operands.parameters(f)))
}

fn in_place(op: &mut Op, row: &'static Pointwise, alpha: bool) -> Result<Action, String> {
    let operands = Operands::of(op, alpha);
    op.value(move |f| {
        let all = operands.get(f);
        let written = all[0].tensor().ok_or_else(|| Error::new("a number cannot be written"))?;
        apply_in_place(row, written, &all[1..], &operands.parameters(f))
    })
}

/// The product with itself; that of a truth value is an integer.
fn square(table: &mut Table) {
    table.graph("square", |op| {
        let x = op.tensor(0);
        op.value(move |f| match f.tensor(x).dtype() {
            Dtype::Bool => apply(&rows::POW, &[f.operand(x), Scalar::Int(2).into()], &[]),
            _ => apply(&rows::MUL, &[f.operand(x), f.operand(x)], &[]),
        })
    });
    table.graph("square_", |op| {
        let x = op.tensor(0);
        op.value(move |f| apply_in_place(&rows::MUL, f.tensor(x), &[f.operand(x)], &[]))
    });
}

/// The operands of a pointwise operator, its parameter apart.
struct Operands {
    operands: Vec<Slot>,
    /// `Some(None)` for an operator that has an alpha, which is 1 here.
    alpha: Option<Option<Slot>>,
}

impl Operands {
    fn of(op: &Op, alpha: bool) -> Operands {
        let mut operands = op.operands();
        let alpha = alpha.then(|| (operands.len() == 3).then(|| operands.remove(2)));
        Operands { operands, alpha }
    }

    fn get<'f>(&self, frame: &'f Frame) -> Vec<Operand<'f>> {
        self.operands.iter().map(|&slot| frame.operand(slot)).collect()
    }

    fn parameters(&self, frame: &Frame) -> Vec<Scalar> {
        self.alpha.map(|slot| slot.map_or(Scalar::Int(1), |slot| frame.scalar(slot))).into_iter().collect()
    }
}

/// The row that a string attribute chooses.
fn row_by(
    op: &Op,
    attribute: &str,
    row: fn(Option<&str>) -> crate::semantics::Result<&'static Pointwise>,
) -> Result<&'static Pointwise, String> {
    let name = op.attribute(attribute).map(attributes::string);
    row(name.as_deref()).map_err(|error| error.to_string())
}
