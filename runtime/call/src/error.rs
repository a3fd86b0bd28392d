//! What can go wrong in a call.

use crate::DeviceError;
use terrace_tensor::TensorError;

/// An error of a call; its text is one or a few lines for the user, lower case, without a full stop.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No such entry point.
    #[error("no entry point @{name}, {known}")]
    NoEntry {
        /// The name asked for.
        name: String,
        /// The entry points that there are.
        known: String,
    },
    /// The arguments of a call do not fit the signature.
    #[error("call of @{entry}: {why}")]
    Argument {
        /// The entry point.
        entry: String,
        /// Which argument, what it is and what it should be.
        why: String,
    },
    /// Data does not fit the sizes that it is given.
    #[error("{0}")]
    Shape(String),
    /// A guard refuses the call: nothing has been written.
    #[error("@{entry}: the call is refused, for this does not hold: {message}")]
    Guard {
        /// The entry point.
        entry: String,
        /// What does not hold.
        message: String,
    },
    /// The compiled code found an input that breaks its contract.
    #[error("{}@{entry}: {message}", place.as_ref().map_or(String::new(), |place| format!("{place}: ")))]
    Runtime {
        /// The entry point.
        entry: String,
        /// What the code said.
        message: String,
        /// The location of the operation that found it, where that is known.
        place: Option<String>,
    },
    /// The device that runs the kernels could not, or there is none.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl From<TensorError> for Error {
    fn from(error: TensorError) -> Self {
        Error::Shape(error.to_string())
    }
}
