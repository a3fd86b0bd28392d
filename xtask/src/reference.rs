//! What is made from the .td files: the reference in docs/, which mlir-tblgen writes, the operators as JSON,
//! and a header of C; committed and compared with their source.

use crate::{operators, passes_in_c, stages, workspace};
use std::{
    collections::BTreeSet,
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// All dialects and operators.
const DEFINITIONS: &str = "dialects/td/Terrace.td";

/// The dialects: a page each, all from one file.
const DIALECTS: &[&str] = &["graph", "functional", "loop", "kernel"];

/// The passes: a page, its title, and the file that declares them.
const PASSES: &[(&str, &str, &str)] = &[
    ("passes", "Passes within and between the dialects", "passes/td/Passes.td"),
    ("lowering", "Passes from kernel to machine code", "lowering/td/Passes.td"),
];

/// The operators of graph, for programs.
pub const OPERATORS: &str = "docs/operators.json";

/// A page: where it goes in the repository and what it is made from.
struct Page {
    path: PathBuf,
    source: Source,
}

enum Source {
    /// What mlir-tblgen is asked for, and what stands above its text.
    Tblgen { heading: String, arguments: Vec<String> },
    /// The operators' records.
    Operators,
    /// The passes' records.
    PassesInC,
}

fn pages() -> impl Iterator<Item = Page> {
    let dialects = DIALECTS.iter().map(|name| Page {
        path: PathBuf::from(format!("docs/dialects/{name}.md")),
        source: Source::Tblgen {
            heading: String::new(),
            arguments: vec!["-gen-dialect-doc".into(), format!("-dialect={name}"), DEFINITIONS.into()],
        },
    });
    let passes = PASSES.iter().map(|(name, title, source)| Page {
        path: PathBuf::from(format!("docs/passes/{name}.md")),
        source: Source::Tblgen {
            heading: format!("# {title}\n\n"),
            arguments: vec!["-gen-pass-doc".into(), source.to_string(), "-I".into(), folder(source)],
        },
    });
    dialects.chain(passes).chain([
        Page { path: OPERATORS.into(), source: Source::Operators },
        Page { path: "include/terrace-c/Passes.h".into(), source: Source::PassesInC },
    ])
}

/// Where a file stands, and those that it includes.
fn folder(file: &str) -> String {
    Path::new(file).parent().unwrap_or(Path::new(".")).display().to_string()
}

/// Writes the pages.
pub fn write() -> stages::Outcome {
    each(|path, text| {
        let folder = path.parent().expect("a page stands in a folder");
        fs::create_dir_all(folder).and_then(|()| fs::write(path, text)).map_err(|e| e.to_string())
    })
}

/// Fails with one line for each page that is not what its source gives, and for each that has no source.
pub fn check() -> stages::Outcome {
    each(|path, text| match fs::read_to_string(path) {
        Ok(committed) if committed == text => Ok(()),
        Ok(_) => Err("differs from its .td file; `./x docs` writes it".into()),
        Err(error) => Err(error.to_string()),
    })?;
    let known: BTreeSet<_> = pages().map(|page| page.path).collect();
    let pages = known.iter().filter(|path| path.extension().is_some_and(|e| e == "md"));
    let folders: BTreeSet<_> = pages.filter_map(|path| path.parent()).collect();
    for folder in folders {
        for entry in
            fs::read_dir(workspace::root().join(folder)).map_err(|e| format!("{}: {e}", folder.display()))?
        {
            let path = folder.join(entry.map_err(|e| e.to_string())?.file_name());
            if !known.contains(&path) {
                return Err(format!("{}: made from no .td file; remove it", path.display()));
            }
        }
    }
    Ok(String::new())
}

/// Hands every page's path and text to `take`; its errors, one a line.
fn each(take: impl Fn(&Path, &str) -> Result<(), String>) -> stages::Outcome {
    let wrong: Vec<_> = pages()
        .filter_map(|page| {
            let done = text(&page).and_then(|text| take(&workspace::root().join(&page.path), &text));
            done.err().map(|error| format!("{}: {error}", page.path.display()))
        })
        .collect();
    if wrong.is_empty() { Ok(String::new()) } else { Err(wrong.join("\n")) }
}

fn text(page: &Page) -> Result<String, String> {
    match &page.source {
        Source::Tblgen { heading, arguments } => {
            // `[TOC]` is filled in by some renderers only; they and the others show headings anyway.
            Ok(heading.clone() + &run("mlir-tblgen", arguments)?.replace("[TOC]\n\n", ""))
        }
        Source::Operators => operators::text(&records(DEFINITIONS)?),
        Source::PassesInC => {
            let files = PASSES.iter().map(|(.., source)| records(source));
            Ok(passes_in_c::text(&files.collect::<Result<Vec<_>, _>>()?))
        }
    }
}

/// The records of a file.
fn records(file: &str) -> Result<serde_json::Value, String> {
    let text = run("llvm-tblgen", &["--dump-json", file, "-I", &folder(file)])?;
    serde_json::from_str(&text).map_err(|e| format!("llvm-tblgen: {e}"))
}

/// What one of LLVM's generators prints.
fn run(tool: &str, arguments: &[impl AsRef<OsStr>]) -> stages::Outcome {
    let llvm = env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into());
    let mut command = Command::new(format!("{llvm}/bin/{tool}"));
    command.current_dir(workspace::root()).args(arguments);
    stages::capture(command.args(["-I", "dialects/td", "-I", &format!("{llvm}/include")]))
}
