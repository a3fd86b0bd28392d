//! What happened when a program ran.

use melior::ir::{BlockRef, Module, operation::OperationRef};
use mlir_sys::{MlirBlock, MlirOperation};
use std::{cell::RefCell, rc::Rc};
use terrace_interpreter::{Error, Interpreter, Observer};
use terrace_tensor::Value;

/// Something that happened.
pub enum Event {
    /// A block was entered with arguments.
    Entered(MlirBlock, Vec<Value>),
    /// An operation was about to run.
    Before(MlirOperation),
    /// An operation had these results.
    After(MlirOperation, Vec<Value>),
}

/// All that happened, and how it ended.
pub struct Trace {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Why it ended early, if it did.
    pub refused: Option<Error>,
}

#[derive(Default)]
struct Recorder(RefCell<Vec<Event>>);

impl Observer for Recorder {
    fn entered(&self, block: BlockRef, arguments: &[Value]) {
        self.0.borrow_mut().push(Event::Entered(block.to_raw(), arguments.to_vec()));
    }

    fn before(&self, operation: OperationRef) {
        self.0.borrow_mut().push(Event::Before(operation.to_raw()));
    }

    fn after(&self, operation: OperationRef, results: &[Value]) {
        self.0.borrow_mut().push(Event::After(operation.to_raw(), results.to_vec()));
    }
}

impl Trace {
    /// Whether an operation, by its address, ran and had results.
    pub fn has_run(&self, op: usize) -> bool {
        self.events.iter().any(|event| matches!(event, Event::After(own, _) if own.ptr as usize == op))
    }

    /// Runs `@main`.
    pub fn of(module: &Module, args: Vec<Value>) -> Trace {
        let recorder = Rc::new(Recorder::default());
        let mut interpreter = Interpreter::new(module);
        interpreter.observe(recorder.clone());
        let refused = interpreter.call("main", args).err();
        Trace { events: recorder.0.take(), refused }
    }
}
