//! The programs of the table: bench/gpu/cases.txt, a line each, and the imported models of the golden data.

use std::{fs, path::Path};
use terrace_bundle::Generated;
use terrace_goldens::models::{self, Model};

/// A program of bench/cases, or a model.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    /// Bytes that it moves at least; of a model 0, for those of its arguments and results.
    pub bytes: f64,
    /// Operations on floats, as far as they are known.
    pub flops: f64,
    /// What it is called with; none: tensors of the types that it declares.
    pub arguments: Vec<Generated>,
}

/// Models that have no form on a GPU: one sorts, one makes the storage of an argument another size.
const REFUSED: [&str; 2] = ["moe", "outs"];

/// What is in front of the name of a model.
const MODEL: &str = "model ";

impl Case {
    /// The name of a model.
    pub fn model(&self) -> Option<&str> {
        self.name.strip_prefix(MODEL)
    }
}

/// The models: what is called `any` knows no sizes.
///
/// # Errors
/// A file is not there, or is another one.
pub fn models() -> Result<Vec<Case>, String> {
    let one = |name: String| {
        let arguments = Model::read(&name)?.generators()?;
        Ok(Case { name: format!("{MODEL}{name}"), bytes: 0.0, flops: 0.0, arguments })
    };
    models::names()?.into_iter().filter(|name| !REFUSED.contains(&&**name)).map(one).collect()
}

/// Reads the others.
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
