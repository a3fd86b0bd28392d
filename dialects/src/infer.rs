//! Types of all values of a function that follow from those of its arguments: also of what control flow hands on.
//!
//! Of what comes round in a loop first nothing is known: its type is that of what comes in. Then types say less, until they hold for both.

use crate::{
    args::Args,
    cursor::V,
    flow, lists,
    operations::{arguments, name_of},
    registry,
    types::{DYNAMIC, TensorType},
};
use melior::{
    Context,
    ir::{BlockLike, BlockRef, OperationRef, RegionLike, Type, ValueLike, operation::OperationLike},
};

/// Says of all values in a block what follows from what its arguments are. Lists have numbers as entries where these are known.
///
/// # Errors
/// What an operation says of operands of such types, also where it computes another dtype of these than its type says.
pub fn infer(block: BlockRef) -> Result<(), String> {
    infer_once(block, true)?;
    while infer_once(block, false)? {}
    Ok(())
}

/// The type of a tensor that has one of these types.
fn joined<'c>(context: &'c Context, all: &[Type<'c>]) -> Option<Type<'c>> {
    let mut all = all.iter().map(|ty| TensorType::<i64>::of(*ty));
    let mut own = all.next()??;
    for other in all {
        let other = other.filter(|other| other.rank() == own.rank())?;
        for (size, other) in own.shape.iter_mut().zip(other.shape).filter(|(size, other)| **size != *other) {
            *size = if *size == other { other } else { DYNAMIC };
        }
    }
    Some(own.to_type(context))
}

/// Says of what control flow hands on what follows from what it is one of; whether that is something else than before.
fn hand_on(value: V, comes_in: bool) -> bool {
    let handed = flow::handed_on(value);
    let mut types: Vec<Type> =
        handed.iter().filter_map(|(op, k)| Some(op.operand(*k).ok()?.r#type())).collect();
    // Nothing is known yet of what comes round.
    if comes_in && handed.iter().any(|(op, _)| name_of(*op).starts_with("scf.") && op.region_count() > 0) {
        types.truncate(1);
    }
    let context = crate::context::of(value.context());
    let own = joined(context, &types).filter(|ty| *ty != value.r#type());
    own.inspect(|own| value.set_type(*own)).is_some()
}

/// Says of the values of a block once what follows from others; whether that is something else than before for one that control flow hands on.
fn infer_once(block: BlockRef, comes_in: bool) -> Result<bool, String> {
    let mut changes = false;
    for op in std::iter::successors(block.first_operation(), |op| op.next_in_block()) {
        for region in op.regions() {
            for inner in std::iter::successors(region.first_block(), |inner| inner.next_in_region()) {
                for argument in arguments(inner) {
                    changes |= hand_on(argument, comes_in);
                }
                changes |= infer_once(inner, comes_in)?;
            }
        }
        if op.region_count() > 0 {
            for result in op.results() {
                changes |= hand_on(result.into(), false);
            }
        }
        infer_results(op)?;
    }
    Ok(changes)
}

/// Says of the results of an operation what follows from what its operands are.
fn infer_results(op: OperationRef) -> Result<(), String> {
    let Some(class) = registry::of(op).filter(|class| class.infer.is_some()) else { return Ok(()) };
    lists::fold(op, class);
    let operands: Vec<_> = op.operands().collect();
    let attribute = |name: &str| op.attribute(name).ok();
    let args = Args::new(class, op.context(), &operands, &attribute);
    let types = class.result_types(&args).map_err(|why| format!("'{}' op {why}", class.name))?;
    for (result, ty) in op.results().zip(types) {
        let dtype = |ty| TensorType::<i64>::of(ty).map(|tensor| tensor.dtype);
        // Of some operators it depends on whether there are elements.
        if dtype(result.r#type()) != dtype(ty) {
            let why = format!("computes what its type does not say: {ty}, not {}", result.r#type());
            return Err(format!("'{}' op {why}", class.name));
        }
        result.set_type(ty);
    }
    Ok(())
}
