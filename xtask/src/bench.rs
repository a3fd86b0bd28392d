//! Benchmarks: what compiling costs is a program of the workspace, what compiled code is worth a Python
//! program beside its peers.

use crate::{
    commands, venv,
    workspace::{self, PROFILE, cargo},
};
use std::{
    fs,
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
};

/// What `terrace-bench` measures.
pub const COSTS: [&str; 4] = ["passes", "fake", "functionalize", "call"];

/// What compiling costs.
pub fn costs(what: &str, arguments: &[&str]) -> Result<ExitCode, String> {
    let python;
    let mut all = [&[what], arguments].concat();
    // A call says little without its peers.
    if what == "call" && !arguments.iter().any(|a| a.starts_with("--peer") || matches!(*a, "--help" | "-h")) {
        venv::bench()?;
        python = venv::python_of_bench().display().to_string();
        all.extend(["--peer", &python]);
    }
    commands::hand_over("bench", &all)
}

/// Terrace beside its peers. They are installed first, where they are not there, and `terrace-run` is built
/// as users build it.
pub fn peers(arguments: &[&str]) -> Result<ExitCode, String> {
    venv::bench()?;
    let mut program = Command::new(venv::python_of_bench());
    program.arg("bench/peers").args(arguments).current_dir(workspace::root());
    // What only says something needs no build.
    if !arguments.iter().any(|a| matches!(*a, "--list" | "--help" | "-h" | "--terrace-run")) {
        program.arg("--terrace-run").arg(built("terrace-tools", "terrace-run")?);
    }
    commands::run(&mut program)
}

/// What the cases cost on a GPU, as far as that is known without one. `--triton` counts what Triton makes of
/// them first, which is installed for this.
pub fn gpu_table(arguments: &[&str]) -> Result<ExitCode, String> {
    venv::prepare()?;
    if arguments.contains(&"--triton") {
        let mut count = Command::new(venv::triton()?);
        count.arg("bench/gpu/triton_counts.py").arg(built("terrace-bench", "terrace-bench")?);
        count.current_dir(workspace::root());
        let output = count.stderr(Stdio::inherit()).output().map_err(|e| format!("triton: {e}"))?;
        if !output.status.success() {
            return Err("triton_counts.py fails".into());
        }
        let file = workspace::root().join("bench/gpu/triton.jsonl");
        fs::write(&file, output.stdout).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    let rest = arguments.iter().copied().filter(|argument| *argument != "--triton");
    commands::hand_over("bench", &[&["gpu"], &rest.collect::<Vec<_>>()[..]].concat())
}

/// Builds a program of a package and says where it lies.
fn built(package: &str, program: &str) -> Result<PathBuf, String> {
    let mut build = cargo();
    build.args(["build", PROFILE, "--package", package, "--bin", program]);
    build.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let output = build.output().map_err(|e| format!("cargo build: {e}"))?;
    if !output.status.success() {
        return Err(format!("{program} does not build"));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut executables = messages.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message["executable"].as_str()?))
    });
    executables.next_back().ok_or_else(|| format!("cargo does not say where {program} lies"))
}
