//! Why a run ended early.

use melior::ir::{Location, operation::OperationRef};
use terrace_dialects::ir::OperationLike;

/// An operation that refused, with its place. The same has been emitted as an MLIR diagnostic there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {message}")]
pub struct Error {
    /// Where the operation stands, as MLIR prints locations.
    pub location: String,
    /// `'NAME' op` and what it says.
    pub message: String,
}

impl Error {
    /// Emits a diagnostic at an operation.
    pub(crate) fn at(operation: OperationRef, message: &str) -> Error {
        let name = operation.name();
        let name = name.as_string_ref();
        Error::emit(operation.location(), format!("'{}' op {message}", name.as_str().unwrap_or_default()))
    }

    /// Emits a diagnostic at a place.
    pub(crate) fn emit(location: Location, message: String) -> Error {
        terrace_dialects::ir::diagnostics::emit(location, &message);
        let location = location.to_string();
        let inner =
            location.strip_prefix("loc(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(&location);
        Error { location: inner.replace('"', ""), message }
    }
}

/// Why an action could not be done.
#[derive(Debug)]
pub(crate) enum Fault {
    /// In words about the operation that acts.
    Refused(String),
    /// By an operation inside or below, which has been reported.
    Reported(Error),
}

impl From<crate::semantics::Error> for Fault {
    fn from(error: crate::semantics::Error) -> Fault {
        Fault::Refused(error.to_string())
    }
}

impl From<terrace_tensor::TensorError> for Fault {
    fn from(error: terrace_tensor::TensorError) -> Fault {
        Fault::Refused(error.to_string())
    }
}

impl From<String> for Fault {
    fn from(message: String) -> Fault {
        Fault::Refused(message)
    }
}

impl From<&str> for Fault {
    fn from(message: &str) -> Fault {
        Fault::Refused(message.to_owned())
    }
}
