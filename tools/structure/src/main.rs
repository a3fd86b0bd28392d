//! Holds the source against its plan: which room may use which (rooms.txt), and no large circle of files.
//!
//! A room is a folder. Its line in rooms.txt names the rooms below it that its files may use:
//!
//! ```text
//! dialects/src/aten: ir loops size layout
//! ```
//!
//! An import is a path of Rust, resolved to the file that defines what it names; what `pub use` hands on
//! counts where it is defined. Code under `#[cfg(test)]` and generated code do not count. Files that import
//! each other are a *circle*, a strongly connected component of the graph of imports (R. Tarjan, "Depth-first
//! search and linear graph algorithms", 1972).
//!
//! Paths that pages of docs/ name are looked for, too; lines of files and words of sentences in guides are
//! counted. Names have none of the words of words.txt.
//!
//! `terrace-structure FOLDER` lists the imports inside of a folder, and checks nothing.

mod circles;
mod lengths;
mod pages;
mod resolve;
mod rooms;
mod sentences;
mod source;
mod words;

use resolve::Import;
use std::{path::Path, process::ExitCode};

/// The largest circle of files that is let pass.
const CIRCLE: usize = 4;

fn main() -> ExitCode {
    let lines = match std::env::args().nth(1) {
        Some(folder) => list(Path::new("."), &folder),
        None => check(Path::new(".")),
    };
    match lines {
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

/// A line for each import from a file of a folder to another one of it.
fn list(root: &Path, folder: &str) -> Result<Vec<String>, String> {
    let imports = resolve::imports(&source::crates(root)?);
    let inside = |import: &&Import| [&import.from, &import.to].iter().all(|file| file.starts_with(folder));
    let line = |import: &Import| format!("{} uses {} of {}", import.from, import.path, import.to);
    Ok(imports.iter().filter(inside).map(line).collect())
}

/// A line for each import that no line of rooms.txt allows, for each circle and each file that is too large,
/// for each path in docs/ that leads nowhere, and for each name with a word of words.txt.
fn check(root: &Path) -> Result<Vec<String>, String> {
    let plan = rooms::Plan::read(include_str!("../rooms.txt"))?;
    let imports = resolve::imports(&source::crates(root)?);
    let mut wrong: Vec<String> = imports.iter().filter_map(|import| plan.refuses(import)).collect();
    wrong.extend(lengths::check(root, root)?);
    wrong.extend(pages::check(root, Path::new("docs"))?);
    wrong.extend(words::Words::read(include_str!("../words.txt"))?.check(root, root)?);
    let edges = imports.into_iter().map(|import| (import.from, import.to)).collect();
    for circle in circles::circles(&edges).into_iter().filter(|circle| circle.len() > CIRCLE) {
        let files = circle.join(" ");
        wrong.push(format!("{} files import each other, at most {CIRCLE} may: {files}", circle.len()));
    }
    Ok(wrong)
}
