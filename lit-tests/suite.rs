//! Runs the lit suite as a part of `cargo test`: builds what the tests call, starts lit, closes with a line
//! like libtest's.
//!
//! Arguments: files and folders (none: all of them), `--verify-roundtrip` (each terrace-opt also prints and
//! reads back what it has parsed), and any other word, which selects the tests that have it in their name, as
//! libtest does.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

fn main() -> ExitCode {
    run().unwrap_or_else(|message| {
        eprintln!("error: {message}");
        ExitCode::FAILURE
    })
}

fn run() -> Result<ExitCode, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the suite stands in no workspace")?;
    // This program is TARGET/PROFILE/deps/lit-HASH; the tools are in TARGET/PROFILE.
    let program = env::current_exe().map_err(|e| e.to_string())?;
    let tools = program.ancestors().nth(2).ok_or("the suite stands in no target folder")?;
    let lit = root.join(".venv/bin/lit");
    if !lit.exists() {
        return Err(format!("lit is not in {}; `./x setup` puts it there", root.join(".venv").display()));
    }
    build(root, tools)?;

    let report = tools.join("lit-report.json");
    let _ = fs::remove_file(&report);
    let mut command = Command::new(lit);
    command.args(["-v", "--no-progress-bar", "--timeout=120", "--output"]).arg(&report);
    command.arg(format!("--param=tools={}", tools.display()));
    // cargo points it at the target folder; the tools must find their libraries as they do for a user.
    command.env_remove("LD_LIBRARY_PATH");
    let mut paths: Vec<PathBuf> = Vec::new();
    for argument in env::args().skip(1) {
        if argument == "--verify-roundtrip" {
            command.arg("--param=verify_roundtrip=1");
        } else if root.join(&argument).exists() {
            paths.push(root.join(&argument));
        } else if !argument.starts_with('-') {
            command.args(["--allow-empty-runs", "--filter", &argument]);
        }
    }
    if paths.is_empty() {
        paths.push(root.join("lit-tests"));
    }
    let ok = command.args(paths).status().map_err(|e| format!("lit: {e}"))?.success();

    // Where no test has the selected word in its name, lit succeeds and reports nothing.
    let report = fs::read_to_string(report).unwrap_or_default();
    if report.is_empty() && !ok {
        return Err("lit did not run".into());
    }
    let count = |codes: &[&str]| -> usize {
        codes.iter().map(|code| report.matches(&format!("\"code\": \"{code}\"")).count()).sum()
    };
    let (passed, failed) =
        (count(&["PASS", "XFAIL", "FLAKYPASS"]), count(&["FAIL", "XPASS", "TIMEOUT", "UNRESOLVED"]));
    let ignored = count(&["UNSUPPORTED", "SKIPPED", "EXCLUDED"]);
    let verdict = if ok { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {verdict}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; 0 filtered out"
    );
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds the tools, the plugin and the runtime archive into `tools`: `cargo test` alone does not.
fn build(root: &Path, tools: &Path) -> Result<(), String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["build", "--quiet", "--target-dir"]).arg(tools.parent().unwrap_or(tools));
    if tools.ends_with("release") {
        cargo.arg("--release");
    }
    let built = cargo.status().map_err(|e| format!("cargo build: {e}"))?;
    if built.success() { Ok(()) } else { Err("cargo build failed".into()) }
}
