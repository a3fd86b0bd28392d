//! The machine that runs functions.
//!
//! A function is decoded once, when it is first called: each operation becomes an *action*, a closure that
//! holds its attributes and the places of its operands and results. Decoding finds operations by name in a
//! [`table::Table`]; running compares no strings. Values live in the slots of a [`frame::Frame`], one per SSA
//! value of the function.

mod decode;
mod frame;
mod integers;
mod interpreter;
mod observer;
mod program;
mod table;

pub(crate) use decode::Op;
pub(crate) use frame::{Frame, Slot};
pub(crate) use integers::Integers;
pub use interpreter::Interpreter;
pub use observer::Observer;
pub(crate) use program::{Action, Flow, Region};
pub(crate) use table::Table;
