//! What can be wrong with a file.

use std::path::{Path, PathBuf};

/// Why a file could not be read or written. Messages are one line that begins with the file's path.
#[derive(Debug, thiserror::Error)]
pub enum IoError {
    /// The file cannot be read.
    #[error("{}: cannot read: {source}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("{}: cannot write: {source}", .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file is no JSON.
    #[error("{}:{line}:{column}: malformed JSON: {message}", .file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// The JSON does not say what it should.
    #[error("{}: {path}: {message}", .file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// Where in the JSON, such as `args[0].sizes`.
        path: String,
        /// What is wrong and what would be right.
        message: String,
    },
    /// The .npy file is malformed or not supported.
    #[error("{}: {message}", .file.display())]
    Npy {
        /// The file.
        file: PathBuf,
        /// What is wrong and what would be right.
        message: String,
    },
}

impl IoError {
    pub(super) fn read(file: &Path, source: std::io::Error) -> IoError {
        IoError::Read { file: file.to_owned(), source }
    }

    pub(super) fn write(file: &Path, source: std::io::Error) -> IoError {
        IoError::Write { file: file.to_owned(), source }
    }

    pub(super) fn npy(file: &Path, message: impl Into<String>) -> IoError {
        IoError::Npy { file: file.to_owned(), message: message.into() }
    }
}
