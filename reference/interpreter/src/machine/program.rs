//! Decoded programs, and how they run.

use super::{
    Interpreter,
    frame::{Frame, Slot},
};
use crate::error::{Error, Fault};
use melior::ir::operation::OperationRef;
use mlir_sys::MlirOperation;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use terrace_tensor::{NoElements, Storage, Value};

/// What an operation does when it is reached.
pub(crate) type Action = Box<dyn Fn(&Interpreter, &mut Frame) -> Result<Flow, Fault>>;

/// Where control goes after an action.
pub(crate) enum Flow {
    /// To the next operation.
    Next,
    /// Out of the region, with the operands of its terminator.
    Leave(Vec<Value>),
    /// To the block of that number, with its arguments.
    Jump(usize, Vec<Value>),
}

/// An operation that was decoded.
pub(crate) struct Step {
    /// The operation, for its name and place.
    pub operation: MlirOperation,
    /// What it does.
    pub action: Action,
}

/// A block that was decoded.
pub(crate) struct Block {
    /// Where its arguments go.
    pub arguments: Vec<Slot>,
    /// Its operations in order.
    pub steps: Vec<Step>,
}

/// A region that was decoded.
pub(crate) struct Region {
    /// Its blocks; the first is the entry.
    pub blocks: Vec<Block>,
}

impl Region {
    /// Runs the region from its entry; gives the operands of the terminator that left it.
    pub fn run(
        &self,
        machine: &Interpreter,
        frame: &mut Frame,
        arguments: &[Value],
    ) -> Result<Vec<Value>, Fault> {
        let mut block = &self.blocks[0];
        frame.set_all(&block.arguments, arguments);
        'blocks: loop {
            for step in &block.steps {
                match step.run(machine, frame).map_err(|fault| step.report(fault))? {
                    Flow::Next => {}
                    Flow::Leave(values) => return Ok(values),
                    Flow::Jump(target, arguments) => {
                        block = &self.blocks[target];
                        frame.set_all(&block.arguments, &arguments);
                        continue 'blocks;
                    }
                }
            }
            return Ok(Vec::new());
        }
    }
}

impl Step {
    /// Does it. An element that is not there is a refusal.
    fn run(&self, machine: &Interpreter, frame: &mut Frame) -> Result<Flow, Fault> {
        if !Storage::any_missing() {
            return (self.action)(machine, frame);
        }
        let run = catch_unwind(AssertUnwindSafe(|| (self.action)(machine, frame)));
        run.unwrap_or_else(|panic| match panic.downcast_ref::<NoElements>() {
            Some(NoElements::Fake) => Err("asks for elements of a fake tensor, which has no memory".into()),
            Some(NoElements::Beyond) => {
                Err("asks for elements beyond the end of a storage: make it larger by graph.resize_storage"
                    .into())
            }
            None => resume_unwind(panic),
        })
    }

    fn report(&self, fault: Fault) -> Fault {
        Fault::Reported(match fault {
            // SAFETY: the interpreter outlives neither the module nor its operations.
            Fault::Refused(message) => Error::at(unsafe { OperationRef::from_raw(self.operation) }, &message),
            Fault::Reported(error) => error,
        })
    }
}
