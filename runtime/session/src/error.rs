//! Why a call has no results.

use crate::Diagnostic;
use terrace_dialects::ir::{
    pass::Failed,
    refusal::{INTERNAL, Reason},
};
use terrace_native::CallError;

/// Why a call has no results.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such function, or several might be meant.
    #[error("{0}")]
    Entry(String),
    /// An argument does not fit the function.
    #[error("{location}: error: @{entry}: {why}")]
    Argument {
        /// Where the function stands.
        location: String,
        /// Its name.
        entry: String,
        /// Which argument, and what would be right.
        why: String,
    },
    /// The function is refused: a located error that says what would be right.
    #[error("{}", .0.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"))]
    Refused(Vec<Diagnostic>),
    /// A mistake of ours: never a reason to go another way.
    #[error("{0}")]
    Bug(String),
    /// A guard of the code refuses the call: nothing has been written.
    #[error("@{entry}: the call is refused, for this does not hold: {text}")]
    Guard {
        /// The function.
        entry: String,
        /// What does not hold.
        text: String,
    },
    /// The code could not be generated or linked.
    #[error("{0}")]
    Native(terrace_native::Error),
    /// Kernels could not be loaded onto the device.
    #[error("{0}")]
    Device(String),
    /// What the program computes is an error, as an index out of range.
    #[error("{}@{entry}: {message}", location.as_ref().map_or(String::new(), |place| format!("{place}: error: ")))]
    Runtime {
        /// Where the operation stands that found it, as far as that is known.
        location: Option<String>,
        /// The function.
        entry: String,
        /// What is wrong.
        message: String,
    },
}

impl Error {
    /// The reason that the first refusal gives; none where eager refuses the program, too.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Error::Refused(why) => why.iter().find_map(|diagnostic| Reason::of(&diagnostic.message)),
            _ => None,
        }
    }
}

impl From<Failed> for Error {
    /// What was said about it belongs in it.
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Refused => Error::Refused(vec![]),
            Failed::Internal => Error::Bug(String::new()),
        }
    }
}

impl From<terrace_native::Error> for Error {
    fn from(error: terrace_native::Error) -> Self {
        match error {
            terrace_native::Error::Call(error) => error.into(),
            other => Error::Native(other),
        }
    }
}

impl From<CallError> for Error {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Runtime { entry, message, place } if message.contains(INTERNAL) => {
                let place = place.map_or(String::new(), |place| format!("{place}: error: "));
                Error::Bug(format!("{place}@{entry}: {message}"))
            }
            CallError::Runtime { entry, message, place } => {
                Error::Runtime { location: place, entry, message }
            }
            CallError::Guard { entry, message: text } => Error::Guard { entry, text },
            other => Error::Native(other.into()),
        }
    }
}
