//! Upstream's reshapes of tensors, as places of elements: each merges neighbouring dimensions or splits one.

use super::{place, range_of};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::{
    ir::{
        OperationLike, context,
        operations::{definition, first_result, name_of, users},
        reassociation::groups,
        rewrite::{erase, set_attribute, set_operand},
        shaped::Shaped,
    },
    loops::affine::{self, Expr},
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Whether an operation is a reshape that places can be found through.
pub(crate) fn is_reshape(op: OperationRef) -> bool {
    let rank = first_result(op).and_then(|r| Shaped::of(r.r#type())).map(|s| s.rank());
    let anywhere = vec![Expr::Constant(0); rank.unwrap_or(0)];
    matches!(name_of(op), "tensor.collapse_shape" | "tensor.expand_shape")
        && place_before(op, &anywhere).is_some()
}

/// Lets a load of merged dimensions read what they are merged of, where its place there takes no division.
/// Says whether it does.
pub(crate) fn look_through<'c: 'a, 'a>(load: loop_::LoadOp<'c, 'a>) -> bool {
    let Some(merge) = definition(load.source()).filter(|op| name_of(*op) == "tensor.collapse_shape") else {
        return false;
    };
    let (exprs, operands) = place::of(load);
    let Some((before, source)) = place_before(merge, &exprs).zip(merge.operand(0).ok()) else { return false };
    let ranges: Vec<_> = operands.iter().map(|operand| range_of(*operand)).collect();
    let before: Vec<Expr> = before.iter().map(|expr| expr.simplify(&ranges)).collect();
    if before.iter().any(|expr| expr.linear().is_none()) {
        return false;
    }
    let context = context::of(load.operation().context());
    let written: Vec<_> = before.iter().map(|expr| expr.write(context)).collect();
    let map = affine::map_of(context, operands.len(), &written);
    set_operand(load.operation(), 0, source);
    set_attribute(load.operation(), "map", map);
    if first_result(merge).is_some_and(|merged| users(merged).next().is_none()) {
        erase(merge);
    }
    true
}

/// Where an element of a reshape's result is in its operand; None where that takes sizes that are not known.
pub(crate) fn place_before(op: OperationRef, place: &[Expr]) -> Option<Vec<Expr>> {
    let merges = name_of(op) == "tensor.collapse_shape";
    let split = if merges { op.operand(0).ok()? } else { op.result_at(0).ok()?.into() };
    let sizes = Shaped::of(split.r#type())?.shape;
    let groups = groups(op)?;
    // The distance of neighbours along a dimension in its group; the first one's size does not matter.
    let strides = |group: &[usize]| {
        let mut strides = vec![1i64; group.len()];
        for i in (1..group.len()).rev() {
            let size = sizes[group[i]];
            strides[i - 1] = if size == DYNAMIC { None } else { strides[i].checked_mul(size.max(1)) }?;
        }
        Some(strides)
    };
    if !merges {
        let one = |group: &Vec<usize>| {
            let term = |(d, stride): (&usize, i64)| {
                Expr::Mul(Box::new(place[*d].clone()), Box::new(Expr::Constant(stride)))
            };
            let terms = group.iter().zip(strides(group)?).map(term);
            terms.reduce(|sum, next| Expr::Add(Box::new(sum), Box::new(next)))
        };
        return groups.iter().map(one).collect();
    }
    let mut before = vec![Expr::Constant(0); sizes.len()];
    for (group, whole) in groups.iter().zip(place) {
        for (i, (d, stride)) in group.iter().zip(strides(group)?).enumerate() {
            let digit = Expr::FloorDiv(Box::new(whole.clone()), Box::new(Expr::Constant(stride)));
            before[*d] = match i {
                0 => digit,
                _ => Expr::Mod(Box::new(digit), Box::new(Expr::Constant(sizes[*d].max(1)))),
            };
        }
    }
    Some(before)
}
