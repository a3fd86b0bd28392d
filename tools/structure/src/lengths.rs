//! Files of Rust: short enough to have one idea.

use crate::source;
use std::path::Path;

/// The most lines of a file.
const LINES: usize = 500;

/// A line for each file below a folder that is too long.
pub fn check(root: &Path, folder: &Path) -> Result<Vec<String>, String> {
    let mut wrong = vec![];
    for path in source::entries(folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !(folder == root && name == "target") {
            wrong.extend(check(root, &path)?);
        } else if name.ends_with(".rs") {
            let lines = source::read(&path)?.lines().count();
            let file = path.strip_prefix(root).unwrap_or(&path).display();
            wrong
                .extend((lines > LINES).then(|| format!("{file} has {lines} lines, at most {LINES} may be")));
        }
    }
    Ok(wrong)
}
