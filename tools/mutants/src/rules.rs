//! `terrace-mutants rules`: whether each rule of legality has a test that notices where it is taken out.
//!
//! The rules stand in `tools/mutants/rules.txt`: an expression of the source, what stands there instead, and
//! the lit test that is named by what the rule claims. All are built once, as other mutants are, and chosen
//! by what stands in for the tools.

use crate::{
    sites::Site,
    sources::{self, Mutant},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A rule: how it is taken out, and the test that notices, under `lit-tests/passes`.
struct Rule {
    mutant: Mutant,
    test: String,
}

/// Takes each rule out; whether every test notices.
///
/// # Errors
/// The list does not fit the sources, or something cannot be built or run.
pub fn run(root: &Path) -> Result<bool, String> {
    let list = fs::read_to_string(root.join("tools/mutants/rules.txt")).map_err(|e| e.to_string())?;
    let rules = read(&list, |file| fs::read_to_string(root.join(file)).map_err(|e| format!("{file}: {e}")))?;
    let work = root.join("target/mutants");
    let mutants: BTreeMap<u32, Mutant> = (0..).zip(rules.iter().map(|rule| rule.mutant.clone())).collect();
    let tools = build(root, &work, &mutants)?;
    let folders: BTreeSet<&str> = rules.iter().filter_map(|rule| rule.test.split('/').next()).collect();
    for folder in folders {
        let failed = failures(root, &work, &tools, None, folder)?;
        if !failed.is_empty() {
            return Err(format!("with every rule in place these fail: {}", failed.join(", ")));
        }
    }
    let mut kept = 0;
    for (number, rule) in (0..).zip(&rules) {
        let folder = rule.test.split('/').next().unwrap_or_default();
        let failed = failures(root, &work, &tools, Some(number), folder)?;
        let noticed = failed.contains(&rule.test);
        kept += usize::from(noticed);
        let word = if noticed { "noticed" } else { "survived" };
        let others: Vec<_> = failed.into_iter().filter(|test| *test != rule.test).collect();
        let others =
            if others.is_empty() { String::new() } else { format!("; also by {}", others.join(", ")) };
        println!("{word} {} by {}{others}", rule.mutant.described(), rule.test);
    }
    println!("{kept} of {} rules have a test that notices where they are taken out", rules.len());
    Ok(kept == rules.len())
}

/// The rules of a list; `source` is the text of a file.
fn read(list: &str, source: impl Fn(&str) -> Result<String, String>) -> Result<Vec<Rule>, String> {
    let (mut file, mut text) = (String::new(), String::new());
    let mut rules = Vec::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            (file, text) = (name.to_owned(), source(name)?);
            continue;
        }
        let wrong = |why: &str| format!("tools/mutants/rules.txt: {why}: {line}");
        let parts = line.rsplitn(3, " => ").collect::<Vec<_>>();
        let [test, instead, context] = parts[..] else { return Err(wrong("expects three parts")) };
        let marked = context.trim().split_once("<<").and_then(|(before, rest)| {
            let (expression, after) = rest.split_once(">>")?;
            Some((before, expression, after))
        });
        let (before, expression, after) = marked.ok_or_else(|| wrong("marks no expression"))?;
        let whole = format!("{before}{expression}{after}");
        let mut places = text.match_indices(&whole).map(|(start, _)| start);
        let (Some(start), None) = (places.next(), places.next()) else {
            return Err(wrong(&format!("is not one place of {file}")));
        };
        let start = start + before.len();
        let row = text[..start].matches('\n').count() + 1;
        let column = start - text[..start].rfind('\n').map_or(0, |end| end + 1);
        let site = Site {
            range: start..start + expression.len(),
            at: (row, column),
            within: test.rsplit('/').next().unwrap_or_default().trim_end_matches(".mlir").into(),
            mutant: instead.into(),
        };
        let mutant = Mutant { file: file.clone(), site, original: expression.into() };
        rules.push(Rule { mutant, test: test.into() });
    }
    Ok(rules)
}

/// Builds the tools with all rules in them that can be taken out; the folder that they are in.
fn build(root: &Path, work: &Path, mutants: &BTreeMap<u32, Mutant>) -> Result<PathBuf, String> {
    let (source, target) = (work.join("rules"), work.join("target"));
    fs::create_dir_all(&source).map_err(|e| e.to_string())?;
    sources::copy(root, &source, mutants)?;
    let built = Command::new("cargo")
        .args(["build", "--release", "--package", "terrace-tools", "--bins"])
        .current_dir(&source)
        .env("CARGO_TARGET_DIR", &target)
        .output()
        .map_err(|e| format!("cargo: {e}"))?;
    if built.status.success() {
        Ok(target.join("release"))
    } else {
        Err(format!("{} does not build: {}", source.display(), String::from_utf8_lossy(&built.stderr)))
    }
}

/// The tools that tests of passes run.
const TOOLS: [&str; 3] = ["terrace-opt", "terrace-run", "terrace-check"];

/// The tests of a folder that fail without a rule, under `lit-tests/passes`.
fn failures(
    root: &Path,
    work: &Path,
    tools: &Path,
    without: Option<u32>,
    folder: &str,
) -> Result<Vec<String>, String> {
    // lit hands no variable on to a tool, so each tool is one that sets it.
    let stand_in = work.join("without");
    fs::create_dir_all(&stand_in).map_err(|e| e.to_string())?;
    let set = without.map_or(String::new(), |number| format!("MUTANT={number} "));
    for name in TOOLS {
        let tool = stand_in.join(name);
        fs::write(&tool, format!("#!/bin/sh\n{set}exec {}/{name} \"$@\"\n", tools.display()))
            .map_err(|e| e.to_string())?;
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).map_err(|e| e.to_string())?;
    }
    let output = Command::new(root.join(".venv/bin/lit"))
        .args(["-v", "--no-progress-bar", "--timeout=120"])
        .arg(format!("--param=tools={}", stand_in.display()))
        .arg(root.join("lit-tests/passes").join(folder))
        .env_remove("LD_LIBRARY_PATH")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("lit: {e}; `./x setup` puts it there"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !said.contains("Total Discovered Tests") {
        return Err(format!("lit did not run: {said}"));
    }
    let failed = said.lines().filter_map(|line| {
        let test = ["FAIL: ", "TIMEOUT: ", "UNRESOLVED: "].iter().find_map(|word| line.strip_prefix(word))?;
        Some(test.split_once("passes/")?.1.split(' ').next()?.to_owned())
    });
    Ok(failed.collect())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_rule_is_one_place_of_its_file() {
        let source = |_: &str| Ok("fn f() {\n    if a == b && c {}\n    if c {}\n}\n".to_owned());
        let rules = read(
            "# word\n[a.rs]\nif <<a == b>> => false => p/not-so.mlir\n&& <<c>> => true => p/q.mlir\n",
            source,
        );
        let rules = rules.unwrap();
        let sites: Vec<_> =
            rules.iter().map(|rule| (rule.mutant.site.at, rule.mutant.original.as_str())).collect();
        assert_eq!(sites, [((2, 7), "a == b"), ((2, 17), "c")]);
        assert_eq!(
            (rules[0].test.as_str(), rules[0].mutant.site.mutant.as_str()),
            ("p/not-so.mlir", "false")
        );
        assert!(
            read("[a.rs]\n<<c>> => true => p/q.mlir\n", source)
                .is_err_and(|e| e.contains("is not one place of a.rs"))
        );
    }

    #[test]
    fn the_list_fits_the_sources() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = std::fs::read_to_string(root.join("tools/mutants/rules.txt")).unwrap();
        let rules =
            read(&text, |file| std::fs::read_to_string(root.join(file)).map_err(|e| format!("{file}: {e}")))
                .unwrap();
        for rule in rules {
            assert!(root.join("lit-tests/passes").join(&rule.test).exists(), "there is no {}", rule.test);
        }
    }
}
