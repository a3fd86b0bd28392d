//! What is wrong with memory and threads: our C++ and Rust under AddressSanitizer, which reads damaged files,
//! and what threads share under ThreadSanitizer.
//!
//! Source: the Rust compiler's unstable book, `sanitizer` and `build-std`. LLVM and MLIR are as they were
//! installed, so what they poison themselves is not looked at, and races in them alone are not told.

use crate::{
    stages::{Counts, Stages, capture},
    workspace::{PROFILE, cargo, root},
};
use std::{
    path::PathBuf,
    process::{Command, ExitCode},
};

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Kinds of damaged files, and how many of each.
const DAMAGED: [(&str, &str); 3] = [("npy", "20000"), ("json", "20000"), ("mlir", "50000")];

/// Tests of what threads share: the pool, and a session's context and variants.
const SHARED: [(&str, &str); 2] = [("terrace-rt", "pool"), ("terrace-session", "threads")];

/// Builds with the sanitizers, in folders of their own, and runs; files that are wrong are kept in
/// target/fuzz.
///
/// # Errors
/// The sum cannot be printed.
pub fn run() -> Result<ExitCode, String> {
    let mut stages = Stages::default();
    stages.run("rust-src", Counts::Nothing, || {
        capture(Command::new("rustup").args(["component", "add", "rust-src"]).current_dir(root()))
    });
    let (addresses, folder) = sanitized("address");
    let built = stages.run("build for addresses", Counts::Nothing, || {
        let mut build = addresses();
        capture(build.args(["build", PROFILE, "--target", TARGET, "--bin", "terrace-fuzz"]))
    });
    for (kind, programs) in DAMAGED.into_iter().filter(|_| built) {
        stages.run(&format!("{programs} damaged {kind}"), Counts::Check, || {
            let mut fuzz = Command::new(folder.join(TARGET).join("release/terrace-fuzz"));
            let options =
                "detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1:allow_user_poisoning=0";
            fuzz.env("ASAN_OPTIONS", options).env("ASAN_SYMBOLIZER_PATH", llvm("bin/llvm-symbolizer"));
            capture(
                fuzz.args(["--level", "damaged", "--filter", kind, "--programs", programs])
                    .current_dir(root()),
            )
        });
    }
    let (threads, _) = sanitized("thread");
    for (package, test) in SHARED {
        stages.run(&format!("threads: {package}, {test}"), Counts::Tests, || {
            let mut run = threads();
            // Races that libraries see in what they do themselves.
            let suppressions = root().join("xtask/src/sanitize.suppressions");
            run.env("TSAN_OPTIONS", format!("suppressions={}", suppressions.display()));
            capture(run.args([
                "test",
                "-Zbuild-std",
                PROFILE,
                "--target",
                TARGET,
                "--package",
                package,
                "--test",
                test,
            ]))
        });
    }
    Ok(stages.finish())
}

/// Cargo with a sanitizer, and the folder that it builds into.
fn sanitized(sanitizer: &'static str) -> (impl Fn() -> Command, PathBuf) {
    let folder = root().join("target").join(format!("sanitize-{sanitizer}"));
    let target_dir = folder.clone();
    let make = move || {
        let mut command = cargo();
        let flags = format!("-Zsanitizer={sanitizer} -Clink-arg=-Wl,-rpath,{}", llvm("lib"));
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_DIR", &target_dir)
            .env("RUSTFLAGS", flags)
            // Macros of dependencies are libraries that find LLVM by it.
            .env("LD_LIBRARY_PATH", llvm("lib"));
        if sanitizer == "address" {
            command.env("TERRACE_CXXFLAGS", "-fsanitize=address -fno-omit-frame-pointer");
        }
        command
    };
    (make, folder)
}

fn llvm(part: &str) -> String {
    format!("/usr/lib/llvm-22/{part}")
}
