//! Holds the source against its plan: which room may use which (rooms.txt), and no large circle of files.
//!
//! A room is a folder. Its line in rooms.txt names the rooms below it that its files may use:
//!
//! ```text
//! dialects/src/aten: ir loops size layout
//! ```
//!
//! An import is a path of Rust, resolved to the file that defines what it names; what `pub use` hands on counts where it is defined.
//! Code under `#[cfg(test)]` and generated code do not count. Files that import each other are a *circle*, a strongly connected
//! component of the graph of imports (R. Tarjan, "Depth-first search and linear graph algorithms", 1972).

mod circles;
mod resolve;
mod rooms;
mod source;

use std::{path::Path, process::ExitCode};

/// The largest circle of files that is let pass.
const CIRCLE: usize = 4;

fn main() -> ExitCode {
    match check(Path::new(".")) {
        Ok(wrong) if wrong.is_empty() => ExitCode::SUCCESS,
        Ok(wrong) => {
            wrong.iter().for_each(|line| println!("{line}"));
            ExitCode::FAILURE
        }
        Err(message) => {
            eprintln!("terrace-structure: {message}");
            ExitCode::FAILURE
        }
    }
}

/// A line for each import that no line of rooms.txt allows, and for each circle that is too large.
fn check(root: &Path) -> Result<Vec<String>, String> {
    let plan = rooms::Plan::read(include_str!("../rooms.txt"))?;
    let crates = source::crates(root)?;
    let edges = resolve::imports(&crates);
    let mut wrong: Vec<String> = edges.iter().filter_map(|(from, to)| plan.refuses(from, to)).collect();
    wrong.sort();
    wrong.dedup();
    for circle in circles::circles(&edges).into_iter().filter(|circle| circle.len() > CIRCLE) {
        wrong.push(format!(
            "{} files import each other, at most {CIRCLE} may: {}",
            circle.len(),
            circle.join(" ")
        ));
    }
    Ok(wrong)
}
