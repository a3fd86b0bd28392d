//! Files of Rust, short enough to have one idea, and their comments, as wide as the code.

use crate::source;
use std::path::Path;

/// The most lines of a file.
const LINES: usize = 500;

/// The most letters of a line of prose in a comment, as in rustfmt.toml.
const LETTERS: usize = 110;

/// A line for each file below a folder that is too long, and for each comment that is too wide.
pub fn check(root: &Path, folder: &Path) -> Result<Vec<String>, String> {
    let mut wrong = vec![];
    for path in source::entries(folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !(folder == root && name == "target") {
            wrong.extend(check(root, &path)?);
        } else if name.ends_with(".rs") {
            let text = source::read(&path)?;
            let lines = text.lines().count();
            let file = path.strip_prefix(root).unwrap_or(&path).display();
            wrong.extend(
                wide(&text)
                    .into_iter()
                    .map(|line| format!("{file}:{line}: a comment of more than {LETTERS} letters")),
            );
            wrong
                .extend((lines > LINES).then(|| format!("{file} has {lines} lines, at most {LINES} may be")));
        }
    }
    Ok(wrong)
}

/// The lines of comments that are too wide. Code, tables and rules of a line of their own are as wide as they
/// have to be.
fn wide(text: &str) -> Vec<usize> {
    let (mut found, mut fenced) = (vec![], false);
    for (number, line) in text.lines().enumerate() {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            fenced = false;
            continue;
        };
        let prose = comment.trim_start_matches(['/', '!']);
        fenced ^= prose.trim_start().starts_with("```");
        let is_free =
            fenced || prose.starts_with("  ") || prose.starts_with(" |") || prose.starts_with("===");
        if !is_free && line.chars().count() > LETTERS {
            found.push(number + 1);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::wide;

    #[test]
    fn prose_that_is_too_wide_is_found_and_code_is_not() {
        let word = "word ".repeat(30);
        let text = format!(
            "//! {word}\n//! ```text\n//! {word}\n//! ```\n//!     {word}\n/// | {word}\nlet a = \"{word}\";\n    // {word}"
        );
        assert_eq!(wide(&text), [1, 8]);
    }
}
