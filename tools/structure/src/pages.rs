//! Pages: each path that one names is that of a file or a folder, and guides have short sentences
//! ([`crate::sentences`]).

use crate::{sentences, source};
use std::{fs, path::Path};

/// The folders that paths in pages start with.
const TOPS: [&str; 12] = [
    "bench",
    "dialects",
    "docs",
    "examples",
    "goldens",
    "include",
    "lit-tests",
    "lowering",
    "passes",
    "reference",
    "runtime",
    "tools",
];

/// A line for each path that leads nowhere and each sentence of a guide that is too long, in the pages of a
/// folder and of the folders in it.
pub fn check(root: &Path, folder: &Path) -> Result<Vec<String>, String> {
    let mut wrong = vec![];
    for path in source::entries(&root.join(folder))? {
        let own = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
        if path.is_dir() {
            wrong.extend(check(root, &own)?);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let lost = paths(&text).filter(|path| !root.join(path).exists());
            wrong.extend(lost.map(|path| format!("{}: there is no {path}", own.display())));
            if folder.ends_with("guides") {
                let long = sentences::long(&text).into_iter();
                wrong.extend(long.map(|sentence| format!("{}: a sentence of {sentence}", own.display())));
            }
        }
    }
    Ok(wrong)
}

/// The paths in a page: what stands between backticks and starts with a folder of ours.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    /// What stands for a name of the reader's.
    const PLACEHOLDERS: [&str; 3] = ["foo", "Foo", "NAME"];
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        let top = word.split_once('/').map(|(top, _)| top);
        let is_pattern = word.contains(|c: char| c.is_whitespace() || ":*<{".contains(c));
        top.is_some_and(|top| TOPS.contains(&top))
            && !is_pattern
            && !PLACEHOLDERS.iter().any(|name| word.contains(name))
    })
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn paths_stand_between_backticks() {
        let text = "see `passes/src/a.rs` and `a / b`, `./x docs`, `docs/*.md`, passes/not/this";
        assert_eq!(paths(text).collect::<Vec<_>>(), ["passes/src/a.rs"]);
    }
}
