//! Functions that passes make: names that nothing in a module has, private functions, and calls.

use melior::{
    Context,
    ir::{
        Attribute, BlockRef, Identifier, Location, Operation, Region, Type, Value,
        attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
        operation::OperationBuilder,
        r#type::FunctionType,
    },
};
use std::collections::{HashMap, HashSet};
pub use terrace_dialects::ir::arguments::is_private;
use terrace_dialects::ir::{BlockLike, OperationLike, attributes as convert, context, pass::Failure};

/// The names that modules have. Each module is looked at once.
#[derive(Default)]
pub struct Names(HashMap<usize, Taken>);

/// The names of one module, and for those that are made by numbers the next number.
struct Taken {
    names: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Names {
    /// A name that nothing in the block of a module has: `NAME`, or `NAME_0` and so on.
    pub fn fresh(&mut self, module: BlockRef, name: String) -> String {
        let taken = self.0.entry(module.to_raw().ptr as usize).or_insert_with(|| {
            let all = std::iter::successors(module.first_operation(), |op| op.next_in_block());
            let names = all.filter_map(|op| op.attribute("sym_name").ok()).map(convert::string).collect();
            Taken { names, next: HashMap::new() }
        });
        if taken.names.insert(name.clone()) {
            return name;
        }
        let next = taken.next.entry(name.clone()).or_insert(0);
        loop {
            let numbered = format!("{name}_{next}");
            *next += 1;
            if taken.names.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

fn context<'c>(location: Location<'c>) -> &'c Context {
    context::of(location.context())
}

/// A private function of a body, or of none yet.
pub fn private<'c>(
    location: Location<'c>,
    name: &str,
    inputs: &[Type<'c>],
    results: &[Type<'c>],
    body: Region<'c>,
) -> Result<Operation<'c>, Failure> {
    let context = context(location);
    let signature = FunctionType::new(context, inputs, results);
    let attributes: [(&str, Attribute); 3] = [
        ("sym_name", StringAttribute::new(context, name).into()),
        ("function_type", TypeAttribute::new(signature.into()).into()),
        ("sym_visibility", StringAttribute::new(context, "private").into()),
    ];
    Ok(OperationBuilder::new("func.func", location)
        .add_attributes(&attributes.map(|(key, value)| (Identifier::new(context, key), value)))
        .add_regions([body])
        .build()?)
}

/// A call of a function by its name.
pub fn call<'c>(
    location: Location<'c>,
    name: &str,
    operands: &[Value<'c, '_>],
    results: &[Type<'c>],
) -> Result<Operation<'c>, Failure> {
    let context = context(location);
    let callee: Attribute = FlatSymbolRefAttribute::new(context, name).into();
    Ok(OperationBuilder::new("func.call", location)
        .add_operands(operands)
        .add_attributes(&[(Identifier::new(context, "callee"), callee)])
        .add_results(results)
        .build()?)
}
