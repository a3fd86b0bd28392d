//! A copy of the workspace in which the mutants are: each is switched on by the environment variable
//! `MUTANT`.

use crate::sites::{self, Site};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The folders whose functions are mutated.
const MUTATED: &[&str] = &["dialects/src/aten/rules", "reference/interpreter/src/semantics"];

/// Rules of operations that golden data has nothing of: loops, kernels, the boundary.
const OTHERS: &[&str] = &["boundary.rs", "tiles.rs", "combine.rs"];

/// What the copies of the crates ask: which mutant is on.
const SWITCH: &str = "
#[allow(missing_docs)]
pub mod mutant {
    pub fn on(number: u32) -> bool {
        static ON: std::sync::OnceLock<Option<u32>> = std::sync::OnceLock::new();
        *ON.get_or_init(|| std::env::var(\"MUTANT\").ok()?.parse().ok()) == Some(number)
    }
}
";

/// A mutant.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// The file, relative to the workspace.
    pub file: String,
    /// What is wrong in it.
    pub site: Site,
    /// The text that is there without it.
    pub original: String,
}

impl Mutant {
    /// The place and the change, in one line.
    pub fn described(&self) -> String {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (row, column) = self.site.at;
        format!(
            "{}:{row}:{}: {}: `{}` becomes `{}`",
            self.file,
            column + 1,
            self.site.within,
            line(&self.original),
            line(&self.site.mutant)
        )
    }

    /// A number that decides whether it is in the sample: it stays when other lines of the file change.
    pub fn rank(&self) -> u64 {
        let text = format!("{}{}{}", self.file, self.original, self.site.mutant);
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for byte in text.bytes().chain(self.site.at.1.to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        hash
    }
}

/// Every mutant of the workspace, those that are drawn first in front.
///
/// # Errors
/// A file that cannot be read.
pub fn mutants(root: &Path) -> Result<Vec<Mutant>, String> {
    let mut all = Vec::new();
    for folder in MUTATED {
        for file in rust_files(&root.join(folder))? {
            let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
            if OTHERS.iter().any(|other| name.ends_with(other)) {
                continue;
            }
            let text = fs::read_to_string(&file).map_err(|e| format!("{name}: {e}"))?;
            for site in sites::of(&text).map_err(|e| format!("{name}: {e}"))? {
                let original = text[site.range.clone()].to_owned();
                all.push(Mutant { file: name.clone(), site, original });
            }
        }
    }
    all.sort_by_key(|mutant| (mutant.rank(), mutant.described()));
    Ok(all)
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

/// Copies what git tracks, with the mutants in it; files that are as they should be keep their times.
///
/// # Errors
/// A file that cannot be read or written.
pub fn copy(root: &Path, to: &Path, mutants: &BTreeMap<u32, Mutant>) -> Result<(), String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|e| format!("git: {e}"))?;
    let library = |file: &str| file.split_once("/src/").map(|(folder, _)| format!("{folder}/src/lib.rs"));
    let switched: BTreeSet<String> = mutants.values().filter_map(|mutant| library(&mutant.file)).collect();
    for file in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|file| !file.is_empty()) {
        let Ok(mut contents) = fs::read(root.join(file)) else { continue };
        let own: Vec<(u32, &Mutant)> =
            mutants.iter().filter(|(_, m)| m.file == file).map(|(n, m)| (*n, m)).collect();
        if !own.is_empty() || switched.contains(file) {
            let text = String::from_utf8(contents).map_err(|e| format!("{file}: {e}"))?;
            let mut text = mutated(&text, own);
            if switched.contains(file) {
                text += SWITCH;
            }
            contents = text.into_bytes();
        }
        let target = to.join(file);
        if fs::read(&target).is_ok_and(|there| there == contents) {
            continue;
        }
        let folder = target.parent().unwrap_or(to);
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        fs::write(&target, contents).map_err(|e| format!("{}: {e}", target.display()))?;
        let permissions = fs::metadata(root.join(file)).map_err(|e| e.to_string())?.permissions();
        fs::set_permissions(&target, permissions).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// A text with mutants: an expression becomes a choice between its mutants and itself. No site lies in
/// another.
fn mutated(text: &str, mut mutants: Vec<(u32, &Mutant)>) -> String {
    mutants.sort_by_key(|(_, mutant)| std::cmp::Reverse(mutant.site.range.start));
    let mut text = text.to_owned();
    for same in mutants.chunk_by(|(_, one), (_, other)| one.site.range == other.site.range) {
        let choice = same.iter().fold(same[0].1.original.clone(), |chosen, (number, mutant)| {
            format!("(if crate::mutant::on({number}) {{ {} }} else {{ {chosen} }})", mutant.site.mutant)
        });
        text.replace_range(same[0].1.site.range.clone(), &choice);
    }
    text
}
