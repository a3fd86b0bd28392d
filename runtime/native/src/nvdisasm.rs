//! NVIDIA's disassembler: what ptxas made of PTX, as text.

use crate::{Error, ptxas::in_cuda};
use std::{fs, path::PathBuf, process::Command};

/// The disassembler of CUDA, found on this machine.
#[derive(Debug, Clone)]
pub struct Nvdisasm {
    program: PathBuf,
}

impl Nvdisasm {
    /// Looks for nvdisasm: `TERRACE_NVDISASM`, then the package nvidia-cuda-nvdisasm in a `.venv` here or
    /// above, then `PATH`.
    ///
    /// # Errors
    /// It is nowhere.
    pub fn find() -> Result<Nvdisasm, Error> {
        in_cuda("nvdisasm", "TERRACE_NVDISASM")
            .map(|program| Nvdisasm { program })
            .ok_or(Error::NoTool("nvdisasm"))
    }

    /// The machine code of a cubin: of each kernel a label `.text.NAME:`, instructions and labels.
    ///
    /// # Errors
    /// It is no cubin.
    pub fn disassemble(&self, cubin: &[u8]) -> Result<String, Error> {
        let fail = |message: String| Error::Tool { tool: self.program.clone(), message };
        let folder = tempfile::tempdir().map_err(|e| fail(e.to_string()))?;
        let file = folder.path().join("kernels.cubin");
        fs::write(&file, cubin).map_err(|e| fail(e.to_string()))?;
        let done =
            Command::new(&self.program).arg("-c").arg(&file).output().map_err(|e| fail(e.to_string()))?;
        if !done.status.success() {
            return Err(fail(String::from_utf8_lossy(&done.stderr).trim_end().to_owned()));
        }
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }
}
