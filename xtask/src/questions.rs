//! Conversions of melior's values that print the operation where the value is none: a question costs as much
//! as the module has operations. `terrace_dialects::ir::operations` has free ones.
//!
//! Methods of melior that do so are denied by `clippy.toml`; these are implementations of `TryFrom`, which it
//! can't name.

use crate::{
    unused::{read, rust_files},
    workspace,
};

/// What is not written, and what is in its place.
const DENIED: [(&str, &str); 2] = [
    ("OperationResult::try_from", "operations::result"),
    ("BlockArgument::try_from", "operations::argument"),
];

/// Fails with one line for each place.
pub fn check() -> Result<String, String> {
    let mut found = vec![];
    for package in workspace::packages()?.iter().filter(|package| package.name != "xtask") {
        let mut files = vec![];
        rust_files(&package.folder, &|_| false, &mut files)?;
        for file in files {
            let text = read(&file)?;
            found.extend(denied(&text).map(|(line, own, other)| {
                format!("{}:{line}: `{own}` prints the operation: use `{other}`", file.display())
            }));
        }
    }
    found.sort();
    found.dedup();
    if found.is_empty() { Ok(String::new()) } else { Err(found.join("\n")) }
}

/// The lines that have what is denied, what it is, and what is in its place.
fn denied(text: &str) -> impl Iterator<Item = (usize, &'static str, &'static str)> {
    let lines = text.lines().enumerate();
    lines.flat_map(|(line, code)| {
        let code = code.split("//").next().unwrap_or("");
        DENIED
            .into_iter()
            .filter(|(own, _)| code.contains(own))
            .map(move |(own, other)| (line + 1, own, other))
    })
}

#[cfg(test)]
mod tests {
    use super::denied;

    #[test]
    fn conversions_that_print_are_found_outside_of_comments() {
        let text = "let a = 1;\nlet r = OperationResult::try_from(v).ok();\n// BlockArgument::try_from\n";
        let found: Vec<_> = denied(text).collect();
        assert_eq!(found, [(2, "OperationResult::try_from", "operations::result")]);
    }
}
