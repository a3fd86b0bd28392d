//! NVIDIA's assembler: proof that PTX is well formed, and the source of what a kernel costs.

use crate::Error;
use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The assembler of CUDA, found on this machine.
#[derive(Debug, Clone)]
pub struct Ptxas {
    program: PathBuf,
}

/// What ptxas says of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KernelReport {
    /// The kernel's name.
    pub kernel: String,
    /// Registers a thread.
    pub registers: u32,
    /// Bytes of the stack frame of a thread.
    pub stack: u32,
    /// Bytes written because registers ran out.
    pub spill_stores: u32,
    /// Bytes read back.
    pub spill_loads: u32,
    /// Bytes of shared memory a block, as far as they are static.
    pub shared: u32,
}

impl Ptxas {
    /// Looks for ptxas: `TERRACE_PTXAS`, then the package nvidia-cuda-nvcc in a `.venv` here or above, then
    /// `PATH`.
    pub fn find() -> Result<Ptxas, Error> {
        in_cuda("ptxas", "TERRACE_PTXAS").map(|program| Ptxas { program }).ok_or(Error::NoTool("ptxas"))
    }

    /// Assembles `ptx` for `arch`; a report for each kernel, in the order of the text, and the cubin.
    pub fn assemble(&self, ptx: &str, arch: &str) -> Result<(Vec<KernelReport>, Vec<u8>), Error> {
        let fail = |message: String| Error::Tool { tool: self.program.clone(), message };
        // In a folder that nobody else may look into.
        let folder = tempfile::tempdir().map_err(|e| fail(e.to_string()))?;
        let output = folder.path().join("kernels.cubin");
        let run = || -> io::Result<_> {
            let mut child = Command::new(&self.program)
                .args(["-v", "-arch", arch, "-o"])
                .arg(&output)
                .arg("-")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()?;
            // A program that ends early closes the pipe; its own message says more than that.
            child.stdin.take().map(|mut stdin| stdin.write_all(ptx.as_bytes()));
            child.wait_with_output()
        };
        let done = run().map_err(|e| fail(e.to_string()))?;
        let text =
            format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        let cubin = fs::read(&output);
        if !done.status.success() {
            return Err(fail(text.trim_end().to_owned()));
        }
        Ok((parse(&text), cubin.map_err(|e| fail(e.to_string()))?))
    }
}

/// A program of CUDA: what a variable names, then a package in a `.venv` here or above, then `PATH`.
pub(crate) fn in_cuda(name: &str, variable: &str) -> Option<PathBuf> {
    let here = env::current_dir().unwrap_or_default();
    let on_path = || env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|p| p.is_file());
    env::var_os(variable)
        .map(PathBuf::from)
        .or_else(|| here.ancestors().find_map(|directory| in_venv(directory, name)))
        .or_else(on_path)
}

fn in_venv(directory: &Path, name: &str) -> Option<PathBuf> {
    // .venv/lib/python3.X/site-packages/nvidia/CUDA/bin/ptxas
    let mut places = vec![directory.join(".venv/lib")];
    for below in ["site-packages/nvidia", &format!("bin/{name}")] {
        places = places
            .iter()
            .filter_map(|p| fs::read_dir(p).ok())
            .flatten()
            .flatten()
            .map(|e| e.path().join(below))
            .collect();
        places.sort();
    }
    places.into_iter().rfind(|p| p.is_file())
}

/// Reads the lines of `ptxas -v`.
fn parse(text: &str) -> Vec<KernelReport> {
    let mut reports: Vec<KernelReport> = Vec::new();
    for line in text.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let kernel = rest.split('\'').next().unwrap_or_default().to_owned();
            reports.push(KernelReport { kernel, ..KernelReport::default() });
        } else if let Some(report) = reports.last_mut() {
            // Each figure stands in front of its name: `Used 10 registers`, `16 bytes spill stores`.
            let figure = |name: &str| -> Option<u32> {
                let before = line.split_once(name)?.0.trim_end();
                before.rsplit([' ', ',']).next()?.parse().ok()
            };
            for (slot, name) in [
                (&mut report.registers, "registers"),
                (&mut report.stack, "bytes stack frame"),
                (&mut report.spill_stores, "bytes spill stores"),
                (&mut report.spill_loads, "bytes spill loads"),
                (&mut report.shared, "bytes smem"),
            ] {
                *slot = figure(name).unwrap_or(*slot);
            }
        }
    }
    reports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let text = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'sum' for 'sm_90'
ptxas info    : Function properties for sum
    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 4096 bytes smem
ptxas info    : Compiling entry function 'add' for 'sm_90'
ptxas info    : Function properties for add
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 19 registers, used 0 barriers
";
        let sum = KernelReport {
            kernel: "sum".into(),
            registers: 32,
            stack: 16,
            spill_stores: 12,
            spill_loads: 8,
            shared: 4096,
        };
        let add = KernelReport { kernel: "add".into(), registers: 19, ..KernelReport::default() };
        assert_eq!(parse(text), [sum, add]);
    }
}
