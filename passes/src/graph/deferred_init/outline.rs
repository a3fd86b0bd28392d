//! The outside of a function: its results and their attributes.

use melior::ir::{Attribute, AttributeLike, Identifier, OperationRef, Type, TypeLike};
use terrace_dialects::ir::{OperationLike, attributes as convert};

/// What a function gives.
pub struct Outline<'n> {
    pub name: &'n str,
    /// The results that it has of all.
    pub results: &'n [usize],
    /// Whether it says how the generator was before, rather than starts from a state that it is given.
    pub gives_state: bool,
    /// The materialize function of each result.
    pub materialized: &'n [Option<String>],
}

/// The types of a function's results.
pub fn results_of<'c>(function: OperationRef<'c, '_>) -> Vec<Type<'c>> {
    let Ok(signature) = function.attribute("function_type") else { return vec![] };
    let signature = convert::ty(signature).to_raw();
    // SAFETY: the type of a function is a function type.
    unsafe {
        (0..mlir_sys::mlirFunctionTypeGetNumResults(signature))
            .map(|number| Type::from_raw(mlir_sys::mlirFunctionTypeGetResult(signature, number)))
            .collect()
    }
}

/// A list of dictionaries with some empty ones at its end.
pub(super) fn with_empty<'c>(
    context: &'c melior::Context,
    list: Attribute<'c>,
    more: usize,
) -> Attribute<'c> {
    // SAFETY: attributes of arguments are a list of dictionaries, all of the context.
    unsafe {
        let count = mlir_sys::mlirArrayAttrGetNumElements(list.to_raw());
        let mut all: Vec<Attribute> = (0..count)
            .map(|n| Attribute::from_raw(mlir_sys::mlirArrayAttrGetElement(list.to_raw(), n)))
            .collect();
        all.extend((0..more).map(|_| dictionary(context, &[])));
        melior::ir::attribute::ArrayAttribute::new(context, &all).into()
    }
}

fn dictionary<'c>(context: &'c melior::Context, entries: &[(&str, Attribute<'c>)]) -> Attribute<'c> {
    // SAFETY: names and values are of the context.
    unsafe {
        let named: Vec<_> = entries
            .iter()
            .map(|(name, value)| {
                mlir_sys::mlirNamedAttributeGet(Identifier::new(context, name).to_raw(), value.to_raw())
            })
            .collect();
        let raw = mlir_sys::mlirDictionaryAttrGet(context.to_raw(), named.len() as isize, named.as_ptr());
        Attribute::from_raw(raw)
    }
}

/// The attributes of results: which function materializes each, and which are the state of the generator.
pub(super) fn of_results<'c>(
    context: &'c melior::Context,
    names: &[Option<String>],
    count: usize,
) -> Attribute<'c> {
    let attribute = |number: usize| match names.get(number) {
        Some(Some(name)) => {
            let symbol = melior::ir::attribute::FlatSymbolRefAttribute::new(context, name).into();
            dictionary(context, &[("graph.materialize", symbol)])
        }
        Some(None) => dictionary(context, &[]),
        None => dictionary(context, &[("graph.generator_state", Attribute::unit(context))]),
    };
    let all: Vec<Attribute> = (0..count).map(attribute).collect();
    melior::ir::attribute::ArrayAttribute::new(context, &all).into()
}
