//! The programs of the table: bench/gpu/cases.txt, a line each.

use std::{fs, path::Path};
use terrace_bundle::Generated;

/// A program of bench/cases.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    /// Bytes that it moves at least, and operations on floats.
    pub bytes: f64,
    pub flops: f64,
    /// What it is called with; none: tensors of the types that it declares.
    pub arguments: Vec<Generated>,
}

/// Reads them.
///
/// # Errors
/// The file is not there, or is another one.
pub fn read(path: &Path) -> Result<Vec<Case>, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let one = |line: &str| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, bytes, flops, _, arguments, _] = fields[..] else {
            return Err(format!("{line}: expected six fields"));
        };
        let number = |text: &str| text.parse::<f64>().map_err(|e| format!("{line}: {text}: {e}"));
        let arguments = arguments.split_whitespace().map(str::parse).collect::<Result<_, _>>();
        Ok(Case {
            name: name.to_owned(),
            bytes: number(bytes)?,
            flops: number(flops)?,
            arguments: arguments.map_err(|e| format!("{line}: {e}"))?,
        })
    };
    text.lines().filter(|line| !line.starts_with('#')).map(one).collect()
}
