//! The outside of a function: its results and their attributes.

use melior::ir::{Attribute, Identifier, OperationRef, Type};
use terrace_dialects::ir::{OperationLike, attributes as convert, types::signature};

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
    function.attribute("function_type").map(|ty| signature(convert::ty(ty)).1).unwrap_or_default()
}

/// A list of dictionaries with some empty ones at its end.
pub(super) fn with_empty<'c>(
    context: &'c melior::Context,
    list: Attribute<'c>,
    more: usize,
) -> Attribute<'c> {
    let mut all = convert::array(list);
    all.extend((0..more).map(|_| dictionary(context, &[])));
    melior::ir::attribute::ArrayAttribute::new(context, &all).into()
}

fn dictionary<'c>(context: &'c melior::Context, entries: &[(&str, Attribute<'c>)]) -> Attribute<'c> {
    let named: Vec<_> =
        entries.iter().map(|(name, value)| (Identifier::new(context, name), *value)).collect();
    convert::dictionary(context, &named)
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
