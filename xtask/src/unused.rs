//! Dependencies that nobody uses: a manifest asks for a package whose name stands nowhere in the source that
//! could use it.
//!
//! Build dependencies are looked for in the build script, all others outside it; comments do not count. A
//! crate that is needed for what its build script says to the linker is named by `use terrace_link as _;`.

use crate::workspace::{self, Package};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Fails with one line for each dependency that is not used.
pub fn check() -> Result<String, String> {
    let packages = workspace::packages()?;
    let folders: Vec<_> = packages.iter().map(|package| package.folder.clone()).collect();
    let mut unused = Vec::new();
    for package in &packages {
        let (build, rest) = sources(package, &folders)?;
        for dependency in &package.dependencies {
            let source = if dependency.build { &build } else { &rest };
            if !source.lines().any(|line| names(line, &dependency.identifier)) {
                unused.push(format!("{}: `{}` is not used", package.name, dependency.package));
            }
        }
    }
    let manifest = read(&workspace::root().join("Cargo.toml"))?;
    for name in workspace_dependencies(&manifest) {
        if !packages.iter().any(|package| package.dependencies.iter().any(|d| d.package == name)) {
            unused.push(format!("Cargo.toml: no package depends on `{name}`"));
        }
    }
    if unused.is_empty() { Ok(String::new()) } else { Err(unused.join("\n")) }
}

/// The text of a package's build script and of its other sources.
fn sources(package: &Package, folders: &[PathBuf]) -> Result<(String, String), String> {
    let mut files = Vec::new();
    let nested = |path: &Path| path != package.folder && folders.iter().any(|folder| folder == path);
    rust_files(&package.folder, &nested, &mut files)?;
    files.extend(
        package.targets.iter().map(|(_, _, path)| path.clone()).filter(|p| !p.starts_with(&package.folder)),
    );
    let (mut build, mut rest) = (String::new(), String::new());
    for file in files {
        let inner = file.strip_prefix(&package.folder).unwrap_or(&file);
        let script = inner == Path::new("build.rs") || inner.starts_with("build");
        if script { &mut build } else { &mut rest }.push_str(&read(&file)?);
    }
    Ok((build, rest))
}

/// The files of Rust in a folder, but for those of `nested` folders.
pub fn rust_files(
    folder: &Path,
    nested: &dyn Fn(&Path) -> bool,
    files: &mut Vec<PathBuf>,
) -> Result<(), String> {
    let failed = |e| format!("{}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() && !nested(&path) {
            rust_files(&path, nested, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Whether a line of code has `identifier` as a word.
fn names(line: &str, identifier: &str) -> bool {
    let code = line.split("//").next().unwrap_or("");
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == identifier)
}

/// The names in the table `[workspace.dependencies]`.
fn workspace_dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let table = manifest.lines().skip_while(|line| *line != "[workspace.dependencies]").skip(1);
    table.take_while(|line| !line.starts_with('[')).filter_map(|line| Some(line.split_once(" =")?.0.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_as_a_word_outside_comments() {
        assert!(names("use terrace_link as _;", "terrace_link"));
        assert!(names("let x = libm::erf(y); // libm", "libm"));
        assert!(!names("//! uses libm", "libm"));
        assert!(!names("use serde_json::Value;", "serde"));
    }

    #[test]
    fn the_workspace_table_ends_at_the_next_one() {
        let manifest = "[workspace]\n[workspace.dependencies]\nhalf = \"=2\"\nserde = { version = \"=1\" }\n\n[profile.dev]\ndebug = 1\n";
        assert_eq!(workspace_dependencies(manifest).collect::<Vec<_>>(), ["half", "serde"]);
    }
}
