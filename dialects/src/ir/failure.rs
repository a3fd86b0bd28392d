//! Why what works on a program gives up.

use super::operation::Missing;

/// Why a pass failed.
#[derive(Debug)]
pub enum Failure {
    /// A diagnostic has been emitted already.
    Reported,
    /// What is wrong with the operation that the pass ran on.
    Message(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Self::Message(message.into())
    }
}

impl From<Missing> for Failure {
    fn from(missing: Missing) -> Self {
        missing.to_string().into()
    }
}

impl From<melior::Error> for Failure {
    fn from(error: melior::Error) -> Self {
        Self::Message(error.to_string())
    }
}
