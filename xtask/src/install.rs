//! `./x install --prefix DIR`: what other compilers and builds need, in the layout of a Unix prefix.
//!
//! `bin` has the tools; `lib` the C interface, the plugin for mlir-opt and what objects of terrace-compile
//! link; `include` the headers; `lib/cmake` and `lib/pkgconfig` say to builds where these are. The prefix may
//! be moved afterwards.

use crate::{
    stages::{Counts, Outcome, Stages, capture},
    workspace::{self, PROFILE, cargo},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// Tools that go into `bin`.
const TOOLS: [&str; 6] = [
    "terrace-opt",
    "terrace-run",
    "terrace-compile",
    "terrace-check",
    "terrace-reduce",
    "terrace-lsp-server",
];

/// Libraries that go into `lib`.
const LIBRARIES: [&str; 3] = ["libterrace_c.so", "libterrace_plugin.so", "libterrace_rt.a"];

/// Files with names in them that are written for the prefix, and where they go.
const TEMPLATES: [(&str, &str); 3] = [
    ("TerraceConfig.cmake", "lib/cmake/Terrace"),
    ("TerraceConfigVersion.cmake", "lib/cmake/Terrace"),
    ("terrace.pc", "lib/pkgconfig"),
];

/// Builds, and copies into the prefix; without `build` what was built before.
///
/// # Errors
/// The folder of what is built is unknown.
pub fn run(prefix: &str, build: bool) -> Result<ExitCode, String> {
    let (prefix, tools) = (std::path::absolute(prefix).map_err(|e| e.to_string())?, workspace::tools()?);
    let mut stages = Stages::default();
    if build {
        stages.run("build", Counts::Nothing, || capture(cargo().args(["build", PROFILE])));
    }
    if stages.ok() {
        stages.run(&format!("{}", prefix.display()), Counts::Nothing, || fill(&prefix, &tools));
    }
    Ok(if stages.ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn fill(prefix: &Path, tools: &Path) -> Outcome {
    for name in TOOLS {
        copy_code(&tools.join(name), &prefix.join("bin"))?;
    }
    for name in LIBRARIES {
        copy_code(&tools.join(name), &prefix.join("lib"))?;
    }
    let headers = workspace::root().join("include/terrace-c");
    for entry in fs::read_dir(&headers).map_err(|e| format!("{}: {e}", headers.display()))? {
        copy(&entry.map_err(|e| e.to_string())?.path(), &prefix.join("include/terrace-c"))?;
    }
    let llvm = std::env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into());
    let version = env!("CARGO_PKG_VERSION");
    let mut numbers = version.split('.');
    let (major, minor) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
    for (name, folder) in TEMPLATES {
        let source = workspace::root().join("tools/capi/install").join(name);
        let text = fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
        let words = [
            ("@VERSION@", version),
            ("@MAJOR@", major),
            ("@MINOR@", minor),
            ("@LLVM@", "22.1"),
            ("@PREFIX@", &llvm),
        ];
        let text = words.iter().fold(text, |text, (word, own)| text.replace(word, own));
        let target = folder_of(prefix.join(folder))?.join(name);
        fs::write(&target, text).map_err(|e| format!("{}: {e}", target.display()))?;
    }
    Ok(String::new())
}

/// A folder, which is made where it is not there.
fn folder_of(path: PathBuf) -> Result<PathBuf, String> {
    fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}

/// Copies a file into a folder. A program that runs keeps the file that it was started from.
fn copy(file: &Path, folder: &Path) -> Result<(), String> {
    let target = folder_of(folder.to_path_buf())?.join(file.file_name().expect("a file has a name"));
    let wrong = |e: std::io::Error| format!("{} to {}: {e}", file.display(), target.display());
    if target.exists() {
        fs::remove_file(&target).map_err(wrong)?;
    }
    fs::copy(file, &target).map_err(wrong)?;
    Ok(())
}

/// The same for a program or a shared library, without what a debugger reads, which is nine tenths of it.
fn copy_code(file: &Path, folder: &Path) -> Result<(), String> {
    copy(file, folder)?;
    let target = folder.join(file.file_name().expect("a file has a name"));
    capture(Command::new("strip").arg("--strip-debug").arg(&target)).map(drop)
}
