//! Who watches a program run.

use melior::ir::{BlockRef, operation::OperationRef};
use terrace_tensor::Value;

/// Is told what happens, in order. Values are those of that moment: tensors are handles, and what they are
/// does not change.
pub trait Observer {
    /// A block is entered with its arguments; the first one of a function that is called, too.
    fn entered(&self, block: BlockRef, arguments: &[Value]);

    /// An operation is about to run.
    fn before(&self, operation: OperationRef);

    /// An operation has run and has these results. Ends of blocks and operations that refuse have not.
    fn after(&self, operation: OperationRef, results: &[Value]);
}
