//! `cf.assert` and `graph.guard`: where the condition does not hold the runtime is told what does not.
//! `add-call-context` leaves the function there.

use super::launch::call;
use crate::llvm::text;
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{OperationRef, Type, attribute::IntegerAttribute, r#type::IntegerType},
};
use std::collections::{BTreeSet, HashMap};
use terrace_dialects::ir::{
    OperationLike, attributes::string, cursor::Cursor, operations::name_of, pass::Failure, rewrite::erase,
};

/// What hears that an assertion does not hold, and that a guard does not.
const SET_ERROR: &str = "terrace_rt_set_error";
const REFUSE: &str = "terrace_rt_refuse";

/// What does not hold, and who hears of it.
fn parts(op: OperationRef) -> Result<(String, &'static str), Failure> {
    Ok(match name_of(op) {
        "graph.guard" => (string(op.attribute("text")?), REFUSE),
        _ => (string(op.attribute("msg")?), SET_ERROR),
    })
}

/// The messages of a module, each with the name of the constant that holds it.
#[derive(Default)]
pub(super) struct Messages {
    names: HashMap<String, String>,
    services: BTreeSet<&'static str>,
}

impl Messages {
    /// Turns an assertion, or a guard, into a call of the runtime; `module` is where constants go.
    pub fn lower<'c: 'a, 'a>(
        &mut self,
        module: &Cursor<'c, 'a>,
        op: OperationRef<'c, 'a>,
        fresh: &mut dyn FnMut(&str) -> String,
    ) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        let (message, service) = parts(op)?;
        self.services.insert(service);
        let name = match self.names.get(&message) {
            Some(name) => name.clone(),
            None => {
                let name = fresh("terrace.message");
                text::constant(&module.of(op.location()), &name, &message)?;
                self.names.insert(message, name.clone());
                name
            }
        };
        let bool: Type = IntegerType::new(at.context, 1).into();
        let truth = at.constant(bool, IntegerAttribute::new(bool, 1).into())?;
        let fails = at.op("arith.xori", &[op.operand(0)?, truth], bool)?;
        at.when(fails, |at| {
            let message = text::address(&at, &name)?;
            call(&at, service, &[message])
        })?;
        erase(op);
        Ok(())
    }

    /// Declares what the assertions have come to need; `declared` says what the module has.
    pub fn declare(&self, module: &Cursor, declared: impl Fn(&str) -> bool) -> Result<(), Failure> {
        let pointer = llvm_type::pointer(module.context, 0);
        let mut missing = self.services.iter().filter(|name| !declared(name));
        missing.try_for_each(|name| module.declare(name, &[pointer], &[], &[]).map(drop))
    }
}
