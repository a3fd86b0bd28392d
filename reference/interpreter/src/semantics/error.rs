//! Why an operator refuses its operands.
//!
//! Messages are eager PyTorch's, word for word, where eager has one. Those that several operators share are
//! made here; the others stand where they arise.

use terrace_tensor::{Dtype, TensorError};

/// A refusal, in eager's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

/// The result of an operator.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A refusal in the given words.
    pub fn new(message: impl Into<String>) -> Error {
        Error(message.into())
    }

    /// The operator's kernel has no code for a dtype.
    pub(crate) fn not_implemented(kernel: &str, dtype: Dtype) -> Error {
        Error(format!("\"{kernel}\" not implemented for '{}'", dtype.aten_name()))
    }

    /// A dimension that the tensor has not.
    pub(crate) fn dimension(dim: i64, rank: usize) -> Error {
        let rank = rank.max(1) as i64;
        Error(format!(
            "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
            -rank,
            rank - 1
        ))
    }
}

impl From<TensorError> for Error {
    fn from(error: TensorError) -> Error {
        Error(error.to_string())
    }
}

/// Returns early with a refusal unless a condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err($crate::semantics::Error::new(format!($($message)+)));
        }
    };
}
pub(crate) use ensure;
