//! The commands: each is a list of stages over cargo, lit and mlir-tblgen, or hands over to a program of the
//! workspace.

use crate::{
    goldens, questions, reference, schemas,
    stages::{self, Counts, Stages, capture},
    unused, venv,
    workspace::{self, PROFILE, Package, cargo},
};
use std::{
    path::PathBuf,
    process::{Command, ExitCode},
};

type Done = Result<ExitCode, String>;

/// `cargo clippy` as the checks run it.
pub const CLIPPY: [&str; 7] = ["clippy", PROFILE, "--workspace", "--all-targets", "--", "-D", "warnings"];

/// The package that runs lit; its tests are a stage of their own.
const LIT: &str = "terrace-lit-tests";

/// Commands that are programs of the workspace: the command and its binary.
const PROGRAMS: [(&str, &str); 4] = [
    ("demo", "terrace-demo"),
    ("fuzz", "terrace-fuzz"),
    ("bench", "terrace-bench"),
    ("mutants", "terrace-mutants"),
];

/// What the script `x` has not installed yet: the Python environment.
pub fn setup() -> Done {
    let mut stages = Stages::default();
    stages.run("python environment", Counts::Nothing, venv::prepare);
    Ok(status(stages.ok()))
}

/// The tools and the plugin, and where they are.
pub fn build() -> Done {
    let mut stages = Stages::default();
    build_stage(&mut stages);
    if stages.ok() {
        println!("{}", workspace::tools()?.display());
    }
    Ok(status(stages.ok()))
}

/// Everything that decides whether the project works; `full` takes more time for more of it.
pub fn test(full: bool) -> Done {
    let mut stages = Stages::default();
    test_stages(&mut stages, full)?;
    Ok(stages.finish())
}

/// The tests that are named: files and folders of the lit suite, and of Rust's files and folders those of
/// their packages; a file of integration tests alone.
pub fn test_named(paths: &[&str]) -> Done {
    venv::prepare()?;
    let (suite, packages) = (workspace::root().join("lit-tests"), workspace::packages()?);
    let mut files: Vec<PathBuf> = vec![];
    let mut others: Vec<Vec<String>> = vec![];
    for path in paths {
        let path = std::fs::canonicalize(path).map_err(|e| format!("{path}: {e}"))?;
        if path.starts_with(&suite) {
            files.push(path);
            continue;
        }
        let own = packages.iter().filter(|package| path.starts_with(&package.folder));
        let own = own.max_by_key(|package| package.folder.components().count());
        let own =
            own.ok_or_else(|| format!("{} is in no package, and no part of the lit suite", path.display()))?;
        let test = own.targets.iter().find(|(kind, _, root)| kind == "test" && *root == path);
        let which = test.map_or(vec![], |(_, name, _)| vec!["--test".into(), name.clone()]);
        others.push([vec!["--package".to_string(), own.name.clone()], which].concat());
    }
    others.sort();
    others.dedup();
    let mut stages = Stages::default();
    for other in &others {
        let mut command = cargo();
        command.args(["test", PROFILE]).args(other);
        stages.run(&other[1..].join(" "), Counts::Tests, || capture(&mut command));
    }
    if !files.is_empty() {
        let mut command = cargo();
        command.args(["test", PROFILE, "--package", LIT, "--"]).args(&files);
        stages.run("lit", Counts::Tests, || capture(&mut command));
    }
    Ok(stages.finish())
}

/// The lit suite, or the files and folders of it that are named, with its output.
pub fn lit(arguments: &[&str]) -> Done {
    venv::prepare()?;
    let mut command = cargo();
    command.args(["test", PROFILE, "--quiet", "--package", LIT, "--"]);
    for argument in arguments {
        match *argument {
            "--verify-roundtrip" => command.arg(argument),
            _ if argument.starts_with('-') => return Err(format!("`lit` knows no option `{argument}`")),
            _ => command.arg(std::fs::canonicalize(argument).map_err(|e| format!("{argument}: {e}"))?),
        };
    }
    run(&mut command)
}

/// Writes the reference, or compares it with its source.
pub fn docs(check: bool) -> Done {
    let mut stages = Stages::default();
    stages.run("reference", Counts::Check, if check { reference::check } else { reference::write });
    if !check {
        // `./x test` compares it.
        stages.run("the program in docs/architecture.md", Counts::Check, || {
            let mut command = cargo();
            command.args(["test", PROFILE, "--package", "terrace-tools", "--test", "architecture"]);
            capture(command.env("TERRACE_WRITE_DOCS", "1"))
        });
    }
    Ok(status(stages.ok()))
}

/// The schemas of ATen that docs/operators.json names, out of PyTorch's own file.
pub fn schemas(file: &str, version: &str) -> Done {
    let mut stages = Stages::default();
    stages.run("schemas", Counts::Nothing, || schemas::write(file, version));
    Ok(status(stages.ok()))
}

/// Makes the golden data anew, in an environment of its own.
pub fn goldens() -> Done {
    generate("golden data", goldens::write)
}

/// Imports the models of the tests anew, in the same environment.
pub fn models() -> Done {
    generate("models", goldens::write_models)
}

/// Runs what makes data, and prints what it says of it.
fn generate(what: &str, make: fn() -> stages::Outcome) -> Done {
    let mut stages = Stages::default();
    let mut said = String::new();
    stages.run(what, Counts::Nothing, || {
        said = make()?;
        Ok(String::new())
    });
    print!("{said}");
    Ok(status(stages.ok()))
}

/// Formatting, clippy, rustdoc, dependencies.
pub fn lint() -> Done {
    let mut stages = Stages::default();
    lint_stages(&mut stages);
    Ok(stages.finish())
}

/// What guards the main branch.
pub fn ci() -> Done {
    let mut stages = Stages::default();
    test_stages(&mut stages, true)?;
    lint_stages(&mut stages);
    stages.run("reference", Counts::Check, reference::check);
    Ok(stages.finish())
}

/// One cargo command, with its output.
pub fn cargo_command(arguments: &[&str]) -> Done {
    run(cargo().args(arguments))
}

/// One of `PROGRAMS`, with its output.
pub fn hand_over(name: &str, arguments: &[&str]) -> Done {
    match program(name)? {
        Some(mut command) => run(command.args(arguments)),
        None => Err(format!("`{name}` is not there yet: the workspace has no binary of that name")),
    }
}

/// Programs of other MLIR compilers in a folder, through Terrace and by upstream's passes.
pub fn collections(folder: &str, arguments: &[&str]) -> Done {
    let mut stages = Stages::default();
    if !build_stage(&mut stages) {
        return Ok(status(false));
    }
    let mut program = Command::new(venv::collections()?);
    program
        .args(["tools/collections/compare.py", folder, "--tools"])
        .arg(workspace::tools()?)
        .args(arguments);
    run(program.current_dir(workspace::root()))
}

/// What runs on a machine with a GPU and without LLVM, packed.
pub fn gpu_bundles(arguments: &[&str]) -> Done {
    let mut stages = Stages::default();
    if !build_stage(&mut stages) {
        return Ok(status(false));
    }
    let mut program = Command::new(workspace::root().join("bench/gpu/pack.sh"));
    run(program.arg(workspace::tools()?).args(arguments))
}

fn build_stage(stages: &mut Stages) -> bool {
    stages.run("build", Counts::Nothing, || capture(cargo().args(["build", PROFILE])))
}

/// Levels of random programs, how many there are of each in `test` and in `test --full`, and what is
/// compared.
const RANDOM: [(&str, [&str; 2], &str); 11] = [
    ("compiled", ["2000", "4000"], ""),
    ("gpu", ["300", "2000"], " on the emulator of a GPU"),
    ("fake", ["500", "4000"], " on fake tensors"),
    ("pure", ["500", "4000"], " through each pass that makes them pure"),
    ("flow", ["200", "2000"], " with control flow, made pure and compiled"),
    ("specialize", ["300", "1400"], " on inputs that lie in every way"),
    ("hostile", ["500", "1000"], " that are called with what does not fit"),
    ("deferred", ["200", "2000"], " that make tensors, deferred"),
    ("damaged", ["3000", "9000"], " and inputs in files that are damaged"),
    ("linalg", ["100", "300"], " of linalg, beside upstream's passes"),
    ("affine", ["150", "450"], " of affine, beside upstream's passes"),
];

fn test_stages(stages: &mut Stages, full: bool) -> Result<(), String> {
    // Without the environment or the tools no later stage says anything new.
    if !stages.run("python environment", Counts::Nothing, venv::prepare) || !build_stage(stages) {
        return Ok(());
    }
    let rust = |kinds: &[&str]| {
        let mut command = cargo();
        command.args(["test", PROFILE, "--workspace", "--exclude", LIT, "--no-fail-fast"]).args(kinds);
        capture(&mut command)
    };
    let lit =
        |arguments: &[&str]| capture(cargo().args(["test", PROFILE, "--package", LIT, "--"]).args(arguments));
    stages.run("unit tests", Counts::Tests, || rust(&["--lib", "--bins", "--tests", "--examples"]));
    stages.run("lit", Counts::Tests, || lit(&[]));
    stages.run("doc tests", Counts::Tests, || rust(&["--doc"]));
    if full {
        stages.run("lit, --verify-roundtrip", Counts::Tests, || lit(&["--verify-roundtrip"]));
    }
    // Each of them is on one thread; the longest first.
    let mut alone: Vec<(String, Command)> = vec![];
    for (what, arguments) in if full { goldens_compiled() } else { vec![] } {
        if let Some(mut goldens) = program("terrace-goldens")? {
            goldens.args(arguments);
            alone.push((what.to_string(), goldens));
        }
    }
    for (level, [few, many], what) in RANDOM {
        if let Some(mut fuzz) = program("fuzz")? {
            let programs = if full { many } else { few };
            fuzz.args(["--level", level, "--programs", programs, "--seed", "1"]);
            alone.push((format!("{programs} random programs{what}"), fuzz));
        }
    }
    if let Some(mut costs) = program("bench")? {
        costs.args(["gpu", "--check", "--every", if full { "1" } else { "8" }]);
        alone.push(("costs of the cases on a GPU".to_string(), costs));
    }
    if full {
        let mut bundles = Command::new(workspace::root().join("bench/gpu/pack.sh"));
        let folder = workspace::root().join("target/gpu-bundles");
        bundles.arg(workspace::tools()?).arg(folder).args(["--emulate", "--small", "--run"]);
        alone.push(("bundles, by the stand-in for a GPU's driver".to_string(), bundles));
    }
    stages.run_together(alone);
    if let Some(mut demo) = program("demo")? {
        stages.run("demo", Counts::Check, || capture(&mut demo));
    }
    Ok(())
}

/// The golden data, compiled: all cases for this processor, and samples for others, for the emulator of a
/// GPU, and as programs that do not know the sizes of what comes in.
fn goldens_compiled() -> Vec<(&'static str, Vec<&'static str>)> {
    let sample = |how: &[&'static str], count| [how, &["--sample", count, "--seed", "1"]].concat();
    let mut all = vec![("golden data, compiled", vec!["--compiled"])];
    if has_avx2() {
        let v3 = ["--compiled", "--cpu", "x86-64-v3"];
        all.push(("golden data, compiled for x86-64-v3", sample(&v3, "2889")));
    }
    all.push(("golden data, compiled for x86-64", sample(&["--compiled", "--cpu", "x86-64"], "2889")));
    all.push(("golden data on the emulator of a GPU", sample(&["--gpu"], "2000")));
    all.push(("golden data of any size, compiled", sample(&["--compiled", "--dynamic"], "1500")));
    all.push(("golden data of any size, emulated", sample(&["--gpu", "--dynamic"], "300")));
    all
}

/// Whether code for AVX2 runs here.
fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn lint_stages(stages: &mut Stages) {
    let mut check = |name: &str, command: &mut Command| stages.run(name, Counts::Check, || capture(command));
    check("formatting", cargo().args(["fmt", "--check"]));
    check("clippy", cargo().args(CLIPPY));
    check(
        "rustdoc",
        cargo().args(["doc", PROFILE, "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
    );
    check(
        "structure",
        cargo().args([
            "run",
            PROFILE,
            "--quiet",
            "--package",
            "terrace-structure",
            "--bin",
            "terrace-structure",
        ]),
    );
    stages.run("dependencies", Counts::Check, unused::check);
    stages.run("questions that print", Counts::Check, questions::check);
}

/// The command that runs one of `PROGRAMS`, if the workspace has it.
fn program(name: &str) -> Result<Option<Command>, String> {
    let binary = PROGRAMS.iter().find(|(command, _)| *command == name).map_or(name, |(_, binary)| binary);
    let has =
        |package: &Package| package.targets.iter().any(|(kind, target, _)| kind == "bin" && target == binary);
    let package = workspace::packages()?.into_iter().find(has);
    Ok(package.map(|package| {
        let mut command = cargo();
        command.args(["run", PROFILE, "--package", &package.name, "--bin", binary, "--"]);
        command
    }))
}

/// Runs a command, with its output.
pub fn run(command: &mut Command) -> Done {
    let line = format!("{command:?}");
    command.status().map(|s| status(s.success())).map_err(|e| format!("{line}: {e}"))
}

fn status(ok: bool) -> ExitCode {
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
