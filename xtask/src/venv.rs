//! Python environments: what a requirements file pins, made anew when that changes.

use crate::{stages, workspace};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The environment of the tests, `.venv`. What it lists needs nothing else.
pub fn prepare() -> stages::Outcome {
    make(&workspace::root().join(".venv"), "xtask/requirements.txt", &["--no-deps"])
}

/// The environment that makes the golden data, `.venv-goldens`: PyTorch and what it needs. Nothing else uses
/// it.
pub fn goldens() -> stages::Outcome {
    make(&folder_of_goldens(), "goldens/requirements.txt", &[])
}

/// The environment of `./x collections`, `.venv-collections`, and its interpreter.
pub fn collections() -> Result<PathBuf, String> {
    let folder = workspace::root().join(".venv-collections");
    make(&folder, "tools/collections/requirements.txt", &[])?;
    Ok(interpreter(&folder))
}

/// The environment of the benchmarks, `.venv-bench`: the peers. Nothing else uses it.
pub fn bench() -> stages::Outcome {
    make(&folder_of_bench(), "bench/requirements.txt", &[])
}

/// The environment of `./x gpu-table --triton`, `.venv-triton`, and its interpreter.
pub fn triton() -> Result<PathBuf, String> {
    let folder = workspace::root().join(".venv-triton");
    make(&folder, "bench/gpu/requirements.txt", &[])?;
    Ok(interpreter(&folder))
}

/// The interpreter of [`bench()`].
pub fn python_of_bench() -> PathBuf {
    interpreter(&folder_of_bench())
}

fn folder_of_bench() -> PathBuf {
    workspace::root().join(".venv-bench")
}

/// The interpreter of [`goldens`].
pub fn python_of_goldens() -> PathBuf {
    interpreter(&folder_of_goldens())
}

fn folder_of_goldens() -> PathBuf {
    workspace::root().join(".venv-goldens")
}

/// Makes an environment unless it stands as the requirements ask; nothing is fetched where it does.
fn make(folder: &Path, requirements: &str, options: &[&str]) -> stages::Outcome {
    let requirements = workspace::root().join(requirements);
    let wanted = fs::read_to_string(&requirements).map_err(|e| format!("{}: {e}", requirements.display()))?;
    let stamp = folder.join("requirements.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) && interpreter(folder).exists() {
        return Ok(String::new());
    }
    let mut log = stages::capture(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    log += &stages::capture(
        Command::new(interpreter(folder))
            .args(["-m", "pip", "install", "--quiet", "--requirement"])
            .arg(&requirements)
            .args(options),
    )?;
    fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))?;
    Ok(log)
}

fn interpreter(folder: &Path) -> PathBuf {
    folder.join("bin/python")
}
