//! Which elements of a memory views read and scatters write: strided triples over a tensor in row-major
//! order.

use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    aten::placement::views::Viewed,
    ir::{
        OperationLike, attributes as convert,
        operations::{definition, name_of},
        registry,
        types::TensorType,
    },
};
use terrace_layout::Layout;

/// The sizes of a tensor, where they are static.
fn sizes(value: Value) -> Option<Vec<i64>> {
    TensorType::of(value.r#type()).filter(TensorType::is_static).map(|tensor| tensor.shape)
}

/// A tensor's own elements.
pub fn whole(value: Value) -> Option<Layout> {
    Some(Layout::contiguous(&sizes(value)?))
}

/// Asks for the layout of a view, or of the region of a scatter.
fn asked<'c, 'a>(
    op: OperationRef<'c, 'a>,
    own: &Layout,
    of: Value<'c, 'a>,
    ask: impl Fn(&Viewed<'_, 'c, 'a>) -> Option<Layout>,
) -> Option<Layout> {
    // `as_strided` counts along the elements of its operand in their own order.
    if name_of(op).starts_with("functional.as_strided") && !own.is_contiguous() {
        return None;
    }
    let results = [sizes(of)?];
    let number = &|value| {
        let constant = definition(value).filter(|op| name_of(*op) == "arith.constant")?;
        constant.attribute("value").ok().map(convert::i64)
    };
    let found = ask(&Viewed { op, op_impl: registry::of(op)?, own, results: &results, number })?;
    let at = if name_of(op).starts_with("functional.as_strided") { own.offset } else { 0 };
    Some(Layout { offset: found.offset + at, ..found })
}

/// What a view reads of a memory, where its operand is `own` of it; None where that is not known.
pub fn viewed(op: OperationRef, own: &Layout) -> Option<Layout> {
    if name_of(op) == "functional.view.dtype" {
        return None;
    }
    let result = op.result_at(0).ok()?.into();
    asked(op, own, result, |viewed| viewed.layouts().ok()??.pop())
}

/// What a scatter writes of a memory, where its first operand is `own` of it; None where that is not known.
pub fn written_of(op: OperationRef, own: &Layout) -> Option<Layout> {
    asked(op, own, op.operand(1).ok()?, |viewed| viewed.region().ok()?)
}

/// What a scatter writes of its first operand.
pub fn written(op: OperationRef) -> Option<Layout> {
    written_of(op, &whole(op.operand(0).ok()?)?)
}
