//! `graph-specialize-aliases`: functions that test how their arguments lie, and a variant for each way.
//!
//! Contract: a module. A function with a body that is not private, in which an argument is written that may share elements
//! with another one that is read or written, becomes a dispatcher `@f`, its variants, and `@f.general`, which is the function
//! as it was written. Dispatcher and general variant are `graph.eager`. Every other function stays what it is, but that
//! calls of `@f` become calls of `@f.general`: callers in the module know how the arguments lie that they pass.
//!
//! [`usage`] asks the analysis of fake tensors what is done to each argument: one walk per function. [`guards`] says which
//! variants there are and what guards each: a variant relies on nothing but what its guards, and declarations, say.
//! [`variants`] writes them.

mod guards;
mod usage;
mod variants;

use crate::{functions::Names, graph_functionalize::has_tensors};
use guards::{Plan, Wanted};
use melior::ir::{Attribute, AttributeLike, OperationRef, RegionLike, attribute::FlatSymbolRefAttribute};
use mlir_sys::mlirOperationSetAttributeByName;
use std::collections::HashMap;
use terrace_dialects::{
    arguments::is_eager,
    attributes as convert,
    bridge::{self, string_ref},
    context,
    ir::{BlockLike, OperationLike},
    operations::{collect_within, name_of},
    pass::Failure,
};

/// Runs the pass on a module.
pub fn run(module: OperationRef, options: &crate::options::GraphSpecializeAliases) -> Result<(), Failure> {
    self::module(module, Wanted::new(&options.variants, options.max_variants)?)
}

fn module(module: OperationRef, wanted: Wanted) -> Result<(), Failure> {
    let mut failed = false;
    let mut plans: Vec<(OperationRef, Plan)> = vec![];
    let mut names = Names::default();
    let mut next = module.region(0)?.first_block().and_then(|block| block.first_operation());
    while let Some(op) = next {
        next = op.next_in_block();
        match name_of(op) {
            "builtin.module" => failed |= self::module(op, wanted).is_err(),
            "func.func" if is_entry(op) && wanted.only_general && has_tensors(op) => {
                plans.push((op, Plan::general()));
            }
            "func.func" if is_entry(op) && !wanted.only_general => match usage::of(op) {
                Ok(arguments) => plans.extend(Plan::of(&arguments, wanted).map(|plan| (op, plan))),
                Err(failure) => {
                    if let Failure::Message(message) = failure {
                        bridge::emit_op_error(&op, &message);
                    }
                    failed = true;
                }
            },
            _ => {}
        }
    }
    if failed {
        return Err(Failure::Reported);
    }
    // Nothing is known of a function once it is written anew, so that all are asked about before.
    let mut general = HashMap::new();
    for (function, plan) in plans {
        let own = convert::string(function.attribute("sym_name")?);
        general.insert(own, variants::write(function, &plan, &mut names)?);
    }
    if general.is_empty() { Ok(()) } else { redirect(module, &general) }
}

/// Whether callers that are not in the module may call a function, with arguments of which nothing is known.
fn is_entry(function: OperationRef) -> bool {
    let body = function.region(0).is_ok_and(|region| region.first_block().is_some());
    body && !crate::functions::is_private(function) && !is_eager(function)
}

/// Calls inside of the module go to functions as they were written.
fn redirect(module: OperationRef, general: &HashMap<String, String>) -> Result<(), Failure> {
    // Modules inside have names of their own.
    let enters = |op: OperationRef| op == module || name_of(op) != "builtin.module";
    for call in collect_within(module, enters, |op| name_of(op) == "func.call") {
        let name = convert::symbol(call.attribute("callee")?);
        if let Some(general) = general.get(&name) {
            let callee = FlatSymbolRefAttribute::new(context::of(call.context()), general);
            set(call, "callee", callee.into());
        }
    }
    Ok(())
}

/// Sets an attribute of an operation.
fn set(op: OperationRef, name: &str, value: Attribute) {
    // SAFETY: the attribute is of the operation's context.
    unsafe { mlirOperationSetAttributeByName(op.to_raw(), string_ref(name), value.to_raw()) }
}
