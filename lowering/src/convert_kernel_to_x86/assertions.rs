//! `cf.assert`: compiled code cannot unwind; it records the message for the caller, and goes on.
//!
//! Going on is safe: what an assertion guards is what the program means, not where it reads and writes.

use super::launch::call;
use melior::{
    dialect::llvm::{
        attributes::{Linkage, linkage},
        r#type as llvm_type,
    },
    ir::{
        Attribute, OperationRef, Region, Type,
        attribute::{FlatSymbolRefAttribute, IntegerAttribute, StringAttribute},
        operation::OperationLike,
        r#type::IntegerType,
    },
};
use std::collections::HashMap;
use terrace_dialects::{attributes::string, cursor::Cursor, operations::erase, pass::Failure};

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
        let text = string(op.attribute("msg")?);
        let name = match self.0.get(&text) {
            Some(name) => name.clone(),
            None => {
                let name = fresh("terrace.message");
                constant(&module.of(op.location()), &name, &text)?;
                self.0.insert(text, name.clone());
                name
            }
        };
        let bool: Type = IntegerType::new(at.context, 1).into();
        let truth = at.constant(bool, IntegerAttribute::new(bool, 1).into())?;
        let fails = at.op("arith.xori", &[op.operand(0)?, truth], bool)?;
        at.when(fails, |at| {
            let pointer = llvm_type::pointer(at.context, 0);
            let symbol = at.named("global_name", FlatSymbolRefAttribute::new(at.context, &name));
            let message = at.with("llvm.mlir.addressof", &[], pointer, &[symbol])?;
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

/// A text that ends with a zero byte.
fn constant(at: &Cursor, name: &str, text: &str) -> Result<(), Failure> {
    let bytes = format!("{}\0", text.replace('\0', " "));
    let ty = llvm_type::array(IntegerType::new(at.context, 8).into(), bytes.len() as u32);
    let attributes = [
        at.type_attribute("global_type", ty),
        at.named("sym_name", StringAttribute::new(at.context, name)),
        at.named("linkage", linkage(at.context, Linkage::Internal)),
        at.named("constant", Attribute::unit(at.context)),
        at.named("value", StringAttribute::new(at.context, &bytes)),
    ];
    at.build("llvm.mlir.global", &[], &[], &attributes, vec![Region::new()]).map(drop)
}
