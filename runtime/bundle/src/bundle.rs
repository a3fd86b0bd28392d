//! What stands in the folder of a bundle: `bundle.json`, and the files that it names.
//!
//! | file | what it is |
//! |---|---|
//! | `bundle.json` | all but bytes |
//! | `sm_90.cubin`, `sm_90.ptx` | kernels for an architecture, as machine code where there was an assembler, and as text |
//! | `emulated.so` | kernels for the stand-in driver |
//! | `host.so` | what launches them; one for each code where they differ |
//! | `expected.bin` | the bytes of [`Expected`] values, one behind the other |
//! | `inputs.json` | what the program is called with, where that is not made |

use crate::{BundleError, Expected, Generated, generate, json};
use std::{fs, path::Path};
use terrace_call::{Kernel, Offset, Signature};
use terrace_tensor::{Value, io};

/// The name of the code for the stand-in driver, in the place of an architecture.
pub const EMULATED: &str = "emulated";

/// A compiled program, with what it is called with and what comes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// What reports call it.
    pub name: String,
    /// The entry point that is called.
    pub signature: Signature,
    /// What it is called with; None: `inputs.json` says that.
    pub generated: Option<Vec<Generated>>,
    /// Of each argument how its offset reaches the code.
    pub offsets: Vec<Offset>,
    /// The code, for some architectures.
    pub codes: Vec<CodeFor>,
    /// What comes of a call: results, and arguments that it writes. Results that are missing are arguments,
    /// or earlier results.
    pub expected: Vec<Expected>,
    /// What a call has to do at least.
    pub work: Work,
}

/// Code for an architecture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeFor {
    /// Such as `sm_90`, or [`EMULATED`].
    pub architecture: String,
    /// The files of the kernels, the one to be tried first in front.
    pub images: Vec<String>,
    /// The kernels, by their numbers.
    pub kernels: Vec<Kernel>,
    /// The file of the host's side.
    pub host: String,
    /// The functions that the host's side has to be told of, in the order of its table.
    pub functions: Vec<String>,
}

/// What a call has to do at least, for the limit of its time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Work {
    /// Bytes of arguments and results.
    pub bytes: f64,
    /// Operations on floats, where somebody said how many.
    pub flops: f64,
}

impl Bundle {
    /// Reads the folder of a bundle.
    ///
    /// # Errors
    /// A file is missing, or not what it should be.
    pub fn read(folder: &Path) -> Result<Self, BundleError> {
        let file = folder.join("bundle.json");
        let wrong = |e: &dyn ToString| BundleError(format!("{}: {}", file.display(), e.to_string()));
        let text = fs::read_to_string(&file).map_err(|e| wrong(&e))?;
        let bytes = fs::read(folder.join("expected.bin")).map_err(|e| wrong(&e))?;
        json::read(&text, &bytes).map_err(|e| wrong(&e))
    }

    /// Writes `bundle.json` and `expected.bin`; the files that it names are written by who makes them.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), BundleError> {
        let (text, bytes) = json::write(self);
        let wrong = |e: std::io::Error| BundleError(format!("{}: {e}", folder.display()));
        fs::write(folder.join("bundle.json"), text).map_err(wrong)?;
        fs::write(folder.join("expected.bin"), bytes).map_err(wrong)
    }

    /// What the program is called with, made anew.
    ///
    /// # Errors
    /// There is no memory, or `inputs.json` is not what it should be.
    pub fn arguments(&self, folder: &Path) -> Result<Vec<Value>, BundleError> {
        match &self.generated {
            Some(list) => generate(list),
            None => {
                let inputs = io::read_inputs(&folder.join("inputs.json"));
                inputs.map(|inputs| inputs.args).map_err(|e| BundleError(e.to_string()))
            }
        }
    }
}
