//! `cf.assert`: compiled code cannot unwind; it records the message for the caller, and goes on.
//!
//! Going on is safe: what an assertion guards is what the program means, not where it reads and writes.

use super::launch::call;
use crate::text;
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{OperationRef, Type, attribute::IntegerAttribute, r#type::IntegerType},
};
use std::collections::HashMap;
use terrace_dialects::{
    attributes::string, cursor::Cursor, ir::OperationLike, operations::erase, pass::Failure,
};

/// What records a message, the first of a call.
const SET_ERROR: &str = "terrace_rt_set_error";

/// The messages of a module, each with the name of the constant that holds it.
#[derive(Default)]
pub(super) struct Messages(HashMap<String, String>);

impl Messages {
    /// Turns an assertion into a call of the runtime; `module` is where constants go.
    pub fn lower<'c: 'a, 'a>(
        &mut self,
        module: &Cursor<'c, 'a>,
        op: OperationRef<'c, 'a>,
        fresh: &mut dyn FnMut(&str) -> String,
    ) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        let message = string(op.attribute("msg")?);
        let name = match self.0.get(&message) {
            Some(name) => name.clone(),
            None => {
                let name = fresh("terrace.message");
                text::constant(&module.of(op.location()), &name, &message)?;
                self.0.insert(message, name.clone());
                name
            }
        };
        let bool: Type = IntegerType::new(at.context, 1).into();
        let truth = at.constant(bool, IntegerAttribute::new(bool, 1).into())?;
        let fails = at.op("arith.xori", &[op.operand(0)?, truth], bool)?;
        at.when(fails, |at| {
            let message = text::address(&at, &name)?;
            call(&at, SET_ERROR, &[message])
        })?;
        // SAFETY: an assertion has no results, and nobody looks at it any more.
        unsafe { erase(op) };
        Ok(())
    }

    /// Declares what the assertions have come to need; `declared` says what the module has.
    pub fn declare(&self, module: &Cursor, declared: impl Fn(&str) -> bool) -> Result<(), Failure> {
        if self.0.is_empty() || declared(SET_ERROR) {
            return Ok(());
        }
        let pointer = llvm_type::pointer(module.context, 0);
        module.declare(SET_ERROR, &[pointer], &[], &[]).map(drop)
    }
}
