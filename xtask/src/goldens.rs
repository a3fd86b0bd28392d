//! The golden data, by the program in goldens/generate, and the imported models, by tools/import.

use crate::{stages, venv, workspace};
use std::process::Command;

/// Writes goldens/data anew from docs/operators.json and says how much it is; PyTorch is installed for it
/// first, where it is not there.
pub fn write() -> stages::Outcome {
    python(&["goldens/generate", "docs/operators.json", "goldens/data"])
}

/// Tests the importer, then writes goldens/models anew: programs that PyTorch traces, imported, and what it
/// computes with them.
pub fn write_models() -> stages::Outcome {
    let built = stages::capture(workspace::cargo().args(["build", workspace::PROFILE]))?;
    let tested = python(&["tools/import/tests.py"])?;
    Ok(built + &tested + &python(&["tools/import/make.py", "goldens/models"])?)
}

fn python(arguments: &[&str]) -> stages::Outcome {
    let log = venv::goldens()?;
    let mut program = Command::new(venv::python_of_goldens());
    Ok(log + &stages::capture(program.args(arguments).current_dir(workspace::root()))?)
}
