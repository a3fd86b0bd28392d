//! Build-time half of the bridge: ODS is the one source of truth, and this crate turns it into what the
//! compilers of both languages see. Called by the build scripts of `dialects`, `passes` and `lowering`.
//!
//! * [`tblgen`] runs `mlir-tblgen`, [`records`] gives the records as JSON, [`cxx`] a C++ build that compiles
//!   what changed.
//! * [`ops`] writes typed Rust views and builders of operations, and the table that the bridge dispatches by;
//!   `data` those of types and attributes, `enums` enumerations.
//! * [`passes`] writes the C++ pass classes, typed Rust options, and the table of passes.

pub mod cxx;
mod data;
mod enums;
pub mod ops;
pub mod passes;
mod records;
mod text;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Where LLVM 22 is installed.
pub fn prefix() -> PathBuf {
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    env::var_os("MLIR_SYS_220_PREFIX").map_or_else(|| PathBuf::from("/usr/lib/llvm-22"), PathBuf::from)
}

/// The folder of the dialect definitions, `dialects/td`.
pub fn td_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("td")
}

/// The folder of the bridge's C++, `dialects/cpp`.
pub fn cpp_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("cpp")
}

/// The build script's output folder.
pub fn out_dir() -> PathBuf {
    PathBuf::from(env::var_os("OUT_DIR").expect("run by cargo"))
}

/// A result that is as it was stays untouched, so that what is made of it is up to date.
fn run(tool: &str, args: &[&str], file: &Path, out: &Path) {
    let path = prefix().join("bin").join(tool);
    let status = Command::new(&path)
        .args(args)
        .arg("--write-if-changed")
        .arg("-I")
        .arg(prefix().join("include"))
        .arg("-I")
        .arg(td_dir())
        .arg("-I")
        .arg(file.parent().unwrap_or(Path::new(".")))
        .arg(file)
        .arg("-o")
        .arg(out)
        .status()
        .unwrap_or_else(|e| {
            panic!("{}: {e}; install mlir-22-tools and llvm-22-tools, or run `./x setup`", path.display())
        });
    assert!(status.success(), "{tool} {args:?} {} failed", file.display());
}

/// Runs `mlir-tblgen ARGS FILE` into `name` in the output folder.
pub fn tblgen(args: &[&str], file: &Path, name: &str) {
    run("mlir-tblgen", args, file, &out_dir().join(name));
}

/// The records of a .td file, as `llvm-tblgen --dump-json` gives them.
pub fn records(file: &Path) -> serde_json::Value {
    let out = out_dir().join("records.json");
    run("llvm-tblgen", &["--dump-json"], file, &out);
    serde_json::from_slice(&fs::read(&out).unwrap()).expect("llvm-tblgen writes JSON")
}

/// Writes a generated file into the output folder, unless it is there already.
pub fn write(name: &str, text: &str) {
    let path = out_dir().join(name);
    if fs::read_to_string(&path).is_ok_and(|there| there == text) {
        return;
    }
    fs::write(path, text).unwrap();
}

/// Tells cargo to build again when a file under `dir` changes.
pub fn watch(dir: &Path) {
    println!("cargo:rerun-if-changed={}", dir.display());
}
