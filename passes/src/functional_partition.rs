//! stub
use melior::ir::OperationRef;
use terrace_dialects::pass::Failure;
pub fn run(_: OperationRef, _: &crate::options::FunctionalPartition) -> Result<(), Failure> { Ok(()) }
