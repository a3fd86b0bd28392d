//! What can go wrong between a lowered module and the result of a call.

use std::path::PathBuf;

/// An error of this crate; its text is one or a few lines for the user, lower case, without a full stop.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The name is no CPU's.
    #[error("unknown cpu \"{0}\", expected one of {names}", names = crate::Cpu::names())]
    UnknownCpu(String),
    /// The name is no GPU architecture's.
    #[error("unknown gpu architecture \"{0}\", expected one of {names}", names = crate::GPU_ARCHITECTURES.join(", "))]
    UnknownGpu(String),
    /// Code for this CPU cannot run on this machine.
    #[error("cannot run code for cpu \"{cpu}\" here: {why}")]
    CpuNotHere {
        /// The CPU's name.
        cpu: String,
        /// What the machine lacks.
        why: String,
    },
    /// A function's type does not fit an entry point.
    #[error("{location}: @{function} cannot be an entry point: {why}")]
    Entry {
        /// Where the function stands.
        location: String,
        /// Its name.
        function: String,
        /// Which type is at fault, and what would be right.
        why: String,
    },
    /// An operation was left by the lowering.
    #[error("{location}: '{operation}' is not in the LLVM dialect, lower the module first")]
    NotLowered {
        /// Where the operation stands.
        location: String,
        /// Its name.
        operation: String,
    },
    /// MLIR could not translate the module; each line is a diagnostic with its location.
    #[error("cannot translate the module to LLVM IR:\n{0}")]
    Translate(String),
    /// LLVM refused the module, or could not generate code.
    #[error("cannot generate code: {0}")]
    CodeGeneration(String),
    /// The object could not be linked into the process.
    #[error("cannot link the compiled code: {0}")]
    Link(String),
    /// A call went wrong.
    #[error(transparent)]
    Call(#[from] terrace_call::Error),
    /// A name cannot be declared in C.
    #[error("cannot write a C header: {0}")]
    Header(String),
    /// A program of CUDA is nowhere.
    #[error(
        "no {0}: set TERRACE_{upper}, put it on PATH, or install its PyPI package (xtask/requirements.txt) into .venv",
        upper = .0.to_uppercase()
    )]
    NoTool(&'static str),
    /// A program of CUDA refused its input, or could not be run.
    #[error("{tool}: {message}", tool = tool.display())]
    Tool {
        /// The program.
        tool: PathBuf,
        /// What it said.
        message: String,
    },
}
