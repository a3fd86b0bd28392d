//! The golden data, by the program in goldens/generate.

use crate::{stages, venv, workspace};
use std::process::Command;

/// Writes goldens/data anew from docs/operators.json and says how much it is; PyTorch is installed for it first, where it is not there.
pub fn write() -> stages::Outcome {
    let log = venv::goldens()?;
    let root = workspace::root();
    let mut generate = Command::new(venv::python_of_goldens());
    generate.arg("goldens/generate").args(["docs/operators.json", "goldens/data"]).current_dir(root);
    Ok(log + &stages::capture(&mut generate)?)
}
