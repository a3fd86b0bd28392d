//! Why a pass that converts what it can leaves an operation as it is: a remark, or an error.

use terrace_dialects::ir::{Missing, pass::Failure};

/// Why an operation stays as it is.
pub(crate) enum NotConverted {
    /// It has no form on the other side, or it is not proven that it has.
    For(String),
    /// Something is wrong.
    Failed(Failure),
}

impl From<&str> for NotConverted {
    fn from(why: &str) -> Self {
        Self::For(why.into())
    }
}

impl From<String> for NotConverted {
    fn from(why: String) -> Self {
        Self::For(why)
    }
}

impl From<Failure> for NotConverted {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Missing> for NotConverted {
    fn from(missing: Missing) -> Self {
        Self::Failed(missing.into())
    }
}

impl From<melior::Error> for NotConverted {
    fn from(error: melior::Error) -> Self {
        Self::Failed(error.into())
    }
}
