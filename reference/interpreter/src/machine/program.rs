//! Decoded programs, and how they run; actions around the action of an operation, which check, keep or tell.

use super::{
    Interpreter,
    frame::{Frame, Slot},
    observer::Observer,
};
use crate::{
    error::{Error, Fault},
    semantics,
};
use melior::ir::{BlockRef, operation::OperationRef};
use mlir_sys::MlirOperation;
use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    rc::Rc,
};
use terrace_dialects::{
    analysis::actual::{self, Actual},
    definitions::verifiers::changed,
};
use terrace_tensor::{NoElements, Scalar, Storage, Value};

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
            Some(NoElements::Elsewhere) => {
                Err("asks for elements of a tensor on a device: copy it to this process".into())
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

/// An action whose result takes the memory of an operand: whoever still holds that sees the new elements.
///
/// An operation that reads this memory at other places than it writes has no meaning in place.
pub(super) fn in_place(number: usize, operands: Vec<Slot>, result: Slot, action: Action) -> Action {
    Box::new(move |machine, frame| {
        let old = frame.tensor(operands[number]).clone();
        for operand in operands.iter().filter_map(|&slot| frame.get(slot).as_tensor()) {
            let same = operand.sizes() == old.sizes()
                && operand.strides() == old.strides()
                && operand.offset() == old.offset();
            if !same && operand.storage().is_same(old.storage()) {
                return Err(
                    format!("has an operand in the memory of operand {number}, which it writes").into()
                );
            }
        }
        let flow = action(machine, frame)?;
        semantics::elements::copy(&old, frame.tensor(result));
        frame.set(result, old);
        Ok(flow)
    })
}

/// An action after a question to the operation's rule, with what its operands actually are.
pub(super) fn checked(operation: OperationRef, operands: Vec<Slot>, action: Action) -> Action {
    let operation = operation.to_raw();
    Box::new(move |machine, frame| {
        let actual: Vec<Actual> = operands.iter().map(|&slot| actual_of(frame.get(slot))).collect();
        // SAFETY: the interpreter outlives neither the module nor its operations.
        actual::check(unsafe { OperationRef::from_raw(operation) }, &actual)?;
        action(machine, frame)
    })
}

/// An action on tensors of which none was changed before; with the name of an operation one that changes the
/// first.
pub(super) fn unchanged(changes: Option<String>, operands: Vec<Slot>, action: Action) -> Action {
    Box::new(move |machine, frame| {
        for tensor in operands.iter().filter_map(|&slot| frame.get(slot).as_tensor()) {
            if let Some(by) = machine.changed.borrow().get(&tensor.id()) {
                return Err(semantics::Error::new(changed(by)).into());
            }
        }
        let object = changes.is_some().then(|| frame.tensor(operands[0]).id());
        let flow = action(machine, frame)?;
        if let Some((object, name)) = object.zip(changes.clone()) {
            machine.changed.borrow_mut().insert(object, name);
        }
        Ok(flow)
    })
}

/// Says that a block is entered.
pub(super) fn entered(observer: Rc<dyn Observer>, block: BlockRef, arguments: Vec<Slot>) -> Action {
    let block = block.to_raw();
    Box::new(move |_, frame| {
        // SAFETY: as in `checked`.
        observer.entered(unsafe { BlockRef::from_raw(block) }, &frame.get_all(&arguments));
        Ok(Flow::Next)
    })
}

/// An action that an observer sees.
pub(super) fn observed(
    observer: Rc<dyn Observer>,
    operation: OperationRef,
    results: Vec<Slot>,
    action: Action,
) -> Action {
    let operation = operation.to_raw();
    Box::new(move |machine, frame| {
        // SAFETY: as in `checked`.
        let operation = unsafe { OperationRef::from_raw(operation) };
        observer.before(operation);
        let flow = action(machine, frame)?;
        if matches!(flow, Flow::Next) {
            observer.after(operation, &frame.get_all(&results));
        }
        Ok(flow)
    })
}

fn actual_of(value: &Value) -> Actual {
    match value {
        Value::Tensor(tensor) => Actual::Sizes(tensor.sizes().to_vec()),
        Value::Scalar(Scalar::Bool(truth)) => Actual::Int((*truth).into()),
        Value::Scalar(Scalar::Int(number)) => Actual::Int(*number),
        Value::Scalar(Scalar::Float(number)) => Actual::Float(*number),
        Value::Scalar(Scalar::Complex(..)) => Actual::Unknown,
    }
}
