//! What an operation that writes may be given: eager's test, and the operands that are set aside.

use super::{flags::Flagged, outliner::Argument};
use crate::graph_functionalize::Writing;
use melior::ir::{
    Attribute, OperationRef, ValueLike,
    attribute::{DenseI64ArrayAttribute, StringAttribute},
    r#type::IntegerType,
};
use terrace_dialects::{
    arguments::Layout as Declared,
    cursor::{Cursor, V},
    ir::OperationLike,
    pass::Failure,
    placement,
    registry::OpImpl,
    strided::{Layout, overlap},
    types::{DYNAMIC, TensorType, is_graph_tensor},
    view,
};

/// Writes the tests of an operation that writes.
pub(super) fn check<'c, 'a>(
    at: &Cursor<'c, 'a>,
    op: OperationRef<'c, 'a>,
    class: &OpImpl,
    flags: &[Flagged],
) -> Result<(), Failure> {
    let mut writing = Writing::of(class);
    if !writing.is_tested(op, class) {
        return Ok(());
    }
    if class.is_in_place() {
        // A conjugate of what is stored is not itself.
        writing.copies &= flags.iter().all(|own| Some(own) == flags.first());
        let own = op.operand(0)?;
        let others: Vec<(usize, V)> = tensors(op).filter(|(place, _)| *place > 0).collect();
        let compared = |place: usize| !writing.fills && writing.compares(place);
        let others: Vec<(usize, V, bool)> = others
            .into_iter()
            .filter(|(place, _)| !writing.fills && !writing.is_read_first(op, class, *place))
            .map(|(place, value)| (place, value, compared(place)))
            .collect();
        return assert(at, own, &others, &writing);
    }
    let tensors: Vec<(usize, V)> = tensors(op).collect();
    for place in placement::written_operands(op, class) {
        let Some(own) = view::optional(op, class, place) else { continue };
        // Beside itself once.
        let mut seen = false;
        let others = tensors.iter().filter(|(_, value)| *value != own || std::mem::replace(&mut seen, true));
        let others: Vec<_> = others.map(|(place, value)| (*place, *value, false)).collect();
        assert(at, own, &others, &Writing::BESIDE)?;
    }
    Ok(())
}

/// The operands that may share elements with what is written all the same: they are read before.
pub(super) fn set_aside<'c, 'a>(op: OperationRef<'c, 'a>, class: &OpImpl) -> Vec<V<'c, 'a>> {
    if !class.is_in_place() {
        return vec![];
    }
    let writing = Writing::of(class);
    let own = op.operand(0).ok();
    let read_first = |place: usize| writing.is_read_first(op, class, place);
    let others = tensors(op).filter(|(place, value)| *place > 0 && Some(*value) != own);
    others.filter(|(place, _)| writing.is_each() || read_first(*place)).map(|(_, value)| value).collect()
}

fn tensors<'c, 'a>(op: OperationRef<'c, 'a>) -> impl Iterator<Item = (usize, V<'c, 'a>)> {
    let all: Vec<V> = op.operands().collect();
    all.into_iter().enumerate().filter(|(_, value)| is_graph_tensor(value.r#type()))
}

fn assert<'c, 'a>(
    at: &Cursor<'c, 'a>,
    own: V<'c, 'a>,
    others: &[(usize, V<'c, 'a>, bool)],
    writing: &Writing,
) -> Result<(), Failure> {
    let places: Vec<i64> = others.iter().map(|(place, ..)| *place as i64).collect();
    let compared: Vec<bool> = others.iter().map(|(.., compared)| *compared).collect();
    let operands: Vec<V> = [own].into_iter().chain(others.iter().map(|(_, value, _)| *value)).collect();
    let mut attributes = vec![
        at.named("how", StringAttribute::new(at.context, writing.how())),
        at.named("places", DenseI64ArrayAttribute::new(at.context, &places)),
        at.named("compared", bools(at, &compared)),
    ];
    for (flag, set) in [("looked_for", writing.looked_for), ("onto_itself", writing.copies)] {
        if set {
            attributes.push(at.named(flag, Attribute::unit(at.context)));
        }
    }
    at.build("graph.assert_writable", &operands, &[], &attributes, vec![]).map(drop)
}

/// Whether what is copied is not what it is copied onto: asked where that repeats elements, which nothing else may be copied onto.
pub(super) fn unless_onto_itself<'c, 'a>(
    at: &Cursor<'c, 'a>,
    arguments: &[Argument<'c, 'a>],
    class: &OpImpl,
) -> Result<Option<V<'c, 'a>>, Failure> {
    let [own, other] = arguments else { return Ok(None) };
    let repeats = |own: &Argument| {
        let Declared::Strided { strides, .. } = &own.layout else { return false };
        let ty = TensorType::<i64>::of(own.value.r#type());
        let several = |size: i64| size > 1 || size == DYNAMIC;
        ty.is_some_and(|ty| ty.shape.iter().zip(strides).any(|(size, stride)| several(*size) && *stride == 0))
            || may_overlap_itself(own)
    };
    // Conjugates of what is stored are other elements.
    let alike =
        TensorType::<i64>::may_be_one(own.value.r#type(), other.value.r#type()) && own.flags == other.flags;
    if !Writing::of(class).copies || !own.written || !alike || !repeats(own) {
        return Ok(None);
    }
    let truth = IntegerType::new(at.context, 1).into();
    let same = at.op("graph.check_same", &[own.value, other.value], truth)?;
    Ok(Some(at.op("arith.xori", &[same, at.integer(truth, 1)?], truth)?))
}

/// Whether elements of an argument may share memory by the numbers that it declares.
pub(super) fn may_overlap_itself(own: &Argument) -> bool {
    let Declared::Strided { strides, offset } = &own.layout else { return false };
    let Some(ty) = TensorType::<i64>::of(own.value.r#type()) else { return false };
    let numbers = [&ty.shape[..], strides, &[*offset]].concat();
    let layout = Layout { sizes: ty.shape, strides: strides.clone(), offset: *offset };
    !numbers.contains(&DYNAMIC) && overlap::may_overlap_itself(&layout.into())
}

fn bools<'c>(at: &Cursor<'c, '_>, values: &[bool]) -> Attribute<'c> {
    let values: Vec<i32> = values.iter().map(|value| (*value).into()).collect();
    // SAFETY: there are as many values as it says.
    unsafe {
        let raw =
            mlir_sys::mlirDenseBoolArrayGet(at.context.to_raw(), values.len() as isize, values.as_ptr());
        Attribute::from_raw(raw)
    }
}
