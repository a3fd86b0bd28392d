//! Debian ships the MLIR C interface as static archives only. A linker script named like the shared library
//! that mlir-sys asks for joins them to the shared libMLIR and libLLVM, so that a process holds one copy of
//! each.

use std::{env, fmt::Write, fs, path::Path};

fn main() {
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let lib = Path::new(&prefix).join("lib");
    let Ok(entries) = fs::read_dir(&lib) else {
        panic!(
            "no LLVM/MLIR 22 in {prefix}: `./x setup` installs it, or `apt-get install libmlir-22-dev mlir-22-tools \
             clang-22 llvm-22-dev` from Debian or apt.llvm.org; another place is named by MLIR_SYS_220_PREFIX"
        )
    };
    let mut names: Vec<_> = entries
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|n| n.starts_with("libMLIRCAPI") && n.ends_with(".a"))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "no libMLIRCAPI*.a in {}: install libmlir-22-dev", lib.display());
    let mut script = String::from("/* GNU ld script */\nGROUP(");
    for name in names {
        write!(script, " {}", lib.join(name).display()).unwrap();
    }
    // The shared libraries come after the archives, so that --as-needed keeps them.
    writeln!(script, " {0}/libMLIR.so {0}/libLLVM-22.so )", lib.display()).unwrap();
    let out = env::var("OUT_DIR").unwrap();
    fs::write(Path::new(&out).join("libMLIR-C.so"), script).unwrap();
    println!("cargo:rustc-link-search=native={out}");
    println!("cargo:rustc-link-search=native={}", lib.display());
}
