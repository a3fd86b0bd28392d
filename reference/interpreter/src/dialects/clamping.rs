//! Operators that keep elements between bounds, numbers or tensors, and that mix.

use crate::{
    machine::{Action, Frame, Op, Slot, Table},
    semantics::{
        Operand, clamping,
        pointwise::call,
        scalar_table::{CLAMP, LERP, MAXIMUM, MINIMUM},
    },
};
use terrace_tensor::Scalar;

pub(super) fn register(table: &mut Table) {
    for (name, min, max) in
        [("clamp", Some(1), Some(2)), ("clamp_min", Some(1), None), ("clamp_max", None, Some(1))]
    {
        for in_place in [false, true] {
            add(table, name, in_place, move |op| {
                let place = |place: Option<usize>| place.and_then(|place| op.optional(place));
                let (min, max) = (place(min), place(max));
                clamp(op, min, max, in_place)
            });
        }
    }
    for in_place in [false, true] {
        add(table, "hardtanh", in_place, move |op| {
            let (x, min, max) = (op.tensor(0), op.optional(1), op.optional(2));
            op.value(move |f| {
                let number =
                    |slot: Option<Slot>, default| slot.map_or(Scalar::Int(default), |slot| f.scalar(slot));
                clamping::hardtanh(f.tensor(x), number(min, -1), number(max, 1), in_place)
            })
        });
        add(table, "relu6", in_place, move |op| {
            let x = op.tensor(0);
            op.value(move |f| clamping::hardtanh(f.tensor(x), Scalar::Int(0), Scalar::Int(6), in_place))
        });
        add(table, "lerp", in_place, move |op| {
            let [x, end, weight] = [0, 1, 2].map(|place| op.tensor(place));
            op.value(move |f| match f.operand(weight) {
                Operand::Scalar(weight) => call(&LERP, &[f.operand(x), f.operand(end)], &[weight], in_place),
                weight => call(&LERP, &[f.operand(x), f.operand(end), weight], &[], in_place),
            })
        });
    }
}

fn add(
    table: &mut Table,
    name: &str,
    in_place: bool,
    decode: impl Fn(&mut Op) -> std::result::Result<Action, String> + 'static,
) {
    table.graph(&format!("{name}{}", if in_place { "_" } else { "" }), decode);
}

fn clamp(
    op: &mut Op,
    min: Option<Slot>,
    max: Option<Slot>,
    in_place: bool,
) -> std::result::Result<Action, String> {
    let x = op.tensor(0);
    op.value(move |f: &Frame| {
        let bounds: Vec<Operand> = [min, max].into_iter().flatten().map(|slot| f.operand(slot)).collect();
        if bounds.iter().all(|bound| bound.tensor().is_none()) {
            let number = |slot: Option<Slot>| slot.map(|slot| f.scalar(slot));
            let clamp = if in_place { clamping::clamp_ } else { clamping::clamp };
            return clamp(f.tensor(x), number(min), number(max));
        }
        let row = match (min, max) {
            (Some(_), Some(_)) => &CLAMP,
            (Some(_), None) => &MAXIMUM,
            _ => &MINIMUM,
        };
        let operands: Vec<Operand> = std::iter::once(f.operand(x)).chain(bounds).collect();
        call(row, &operands, &[], in_place)
    })
}
