//! What a pass that converts what it can, and leaves the rest with a remark, says of what it leaves.

use terrace_dialects::ir::{Missing, pass::Failure};

/// Why an operation stays as it is.
pub(crate) enum Stays {
    /// It has no form on the other side, or it is not proven that it has.
    For(String),
    /// Something is wrong.
    Failed(Failure),
}

impl From<&str> for Stays {
    fn from(why: &str) -> Self {
        Self::For(why.into())
    }
}

impl From<String> for Stays {
    fn from(why: String) -> Self {
        Self::For(why)
    }
}

impl From<Failure> for Stays {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Missing> for Stays {
    fn from(missing: Missing) -> Self {
        Self::Failed(missing.into())
    }
}

impl From<melior::Error> for Stays {
    fn from(error: melior::Error) -> Self {
        Self::Failed(error.into())
    }
}
