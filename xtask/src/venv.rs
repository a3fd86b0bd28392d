//! The Python environment of the tests, `.venv`: what `requirements.txt` pins, made anew when that changes.

use crate::{stages, workspace};
use std::{fs, path::PathBuf, process::Command};

const REQUIREMENTS: &str = include_str!("../requirements.txt");

/// Makes the environment unless it stands as the requirements ask; nothing is fetched where it does.
pub fn prepare() -> stages::Outcome {
    let folder = workspace::root().join(".venv");
    let stamp = folder.join("requirements.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == REQUIREMENTS) && interpreter().exists() {
        return Ok(String::new());
    }
    let mut log = stages::capture(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    log += &stages::capture(
        Command::new(interpreter())
            .args(["-m", "pip", "install", "--quiet", "--no-deps", "--requirement"])
            .arg(workspace::root().join("xtask/requirements.txt")),
    )?;
    fs::write(&stamp, REQUIREMENTS).map_err(|e| format!("{}: {e}", stamp.display()))?;
    Ok(log)
}

fn interpreter() -> PathBuf {
    workspace::root().join(".venv/bin/python")
}
