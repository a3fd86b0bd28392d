//! Arguments that were written, as results: `input-mutations=results`.
//!
//! What each argument holds in the end is a new tensor with its sizes, and its strides where these leave no
//! gaps. Results that alias the argument alias that tensor in its stead.

use super::regions;
use crate::graph::functionalize::{
    analysis::{
        state::Analysis,
        tensors::{Layout, Origin},
    },
    boundary::plan::memory_order,
    rewriting::storages::Storages,
};
use melior::ir::{OperationRef, Type, attribute::TypeAttribute, r#type::FunctionType};
use terrace_dialects::ir::{OperationLike, context, pass::Failure, refusal::Reason, rewrite::set_attribute};
use terrace_size::{Number, Size};

/// The arguments that are written.
///
/// # Errors
/// One whose strides are not known, or that shares its storage with another one: two results would be two
/// storages.
pub fn written(analysis: &Analysis, storages: &Storages) -> Result<Vec<usize>, String> {
    let mut found: Vec<usize> = vec![];
    for (_, region) in regions::written(analysis, storages) {
        if !found.contains(&region.argument) {
            found.push(region.argument);
        }
    }
    found.sort_unstable();
    for argument in &found {
        let origin = Origin::Argument(*argument);
        if analysis.is_logical(origin) {
            return Err(Reason::Mutation.says(format!(
                "argument {argument} is written, {}: input-mutations=results",
                crate::graph::functionalize::UNKNOWN
            )));
        }
        let own = storages.of(origin);
        let others = analysis.arguments.iter().enumerate().filter(|(_, argument)| argument.is_some());
        if let Some((other, _)) =
            others.filter(|(n, _)| n != argument).find(|(n, _)| storages.of(Origin::Argument(*n)) == own)
        {
            return Err(Reason::Mutation.says(format!(
                "arguments {argument} and {other} share a storage that is written: input-mutations=results would make two of it, \
                 use input-mutations=write-back"
            )));
        }
    }
    Ok(found)
}

/// The layout of the elements of an argument in the order of memory, and the argument over them.
pub fn packed(own: &Layout) -> (Layout, Layout) {
    let order = memory_order(own);
    let packed = Layout::contiguous(&own.permute(&order).sizes);
    let mut strides = vec![Size::ZERO; own.rank()];
    for (place, dim) in order.iter().enumerate() {
        strides[*dim] = packed.strides[place];
    }
    (packed, Layout { sizes: own.sizes.clone(), strides, offset: Size::ZERO })
}

/// A layout over the storage of an argument as one over the new tensor.
///
/// # Errors
/// It reaches elements that the argument does not have.
pub fn moved(own: &Layout, layout: &Layout) -> Result<Layout, String> {
    let inside = own.is_dense() && layout.offset.assume_ge(own.offset) && layout.end().assume_le(own.end());
    match inside || layout.assume_same(own) || layout.is_empty() {
        true if layout.assume_same(own) => Ok(packed(own).1),
        true => Ok(Layout { offset: (layout.offset - own.offset).assume_max(0), ..layout.clone() }),
        false => Err(Reason::Mutation.says("returns a view of a written argument that is no part of it, or of one with gaps: input-mutations=results has no such \
             tensor")),
    }
}

/// Adds results to the type of a function.
pub fn add_results(function: OperationRef, added: &[Type]) -> Result<(), Failure> {
    let context = context::of(function.context());
    let ty = TypeAttribute::try_from(function.attribute("function_type")?)?.value();
    let own = FunctionType::try_from(ty)?;
    let inputs = (0..own.input_count()).map(|i| own.input(i)).collect::<Result<Vec<_>, _>>()?;
    let mut results = (0..own.result_count()).map(|i| own.result(i)).collect::<Result<Vec<_>, _>>()?;
    results.extend(added.iter().copied());
    let new = FunctionType::new(context, &inputs, &results);
    set_attribute(function, "function_type", TypeAttribute::new(new.into()).into());
    Ok(())
}
