//! `terrace-check`: whether the functions of a .mlir file do the same before and after a pipeline of passes.

use clap::Parser;
use melior::ir::Module;
use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};
use terrace_session::entry::Entry;
use terrace_tensor::io;
use terrace_tools::{
    check::{self, Options, Wrong, smaller::smaller},
    module,
};

/// Interprets the functions of a .mlir file before and after a pipeline, on the same inputs, and compares results, layouts, aliasing,
/// storages and the state of the generator. Status 0: all the same; 1: the file or the pipeline is refused; 2: something differs.
#[derive(Parser)]
#[command(name = "terrace-check", version)]
struct Cli {
    /// The program.
    file: PathBuf,
    /// The passes, on a builtin.module.
    #[arg(long, default_value = check::FUNCTIONALIZE)]
    pipeline: String,
    /// The function to check; all public ones without it.
    #[arg(long)]
    entry: Option<String>,
    /// Storages and arguments, as JSON, as terrace-run reads them; drawn without it.
    #[arg(long, requires = "entry")]
    inputs: Option<PathBuf>,
    /// How often each way is drawn in which arguments may share storages.
    #[arg(long, default_value_t = 8)]
    runs: u64,
    /// The seed of the inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints the smallest program with a difference that terrace-reduce comes to.
    #[arg(long)]
    reduce: bool,
}

fn main() -> ExitCode {
    let mut differs = false;
    let done = terrace_tools::main("terrace-check", |cli: &Cli| work(cli, &mut differs));
    if differs { ExitCode::from(2) } else { done }
}

fn work(cli: &Cli, differs: &mut bool) -> Result<(), String> {
    let context = module::context();
    let before = module::read(&context, &cli.file)?;
    let mut after = module::read(&context, &cli.file)?;
    check::transform(&context, &mut after, &cli.pipeline)?;
    let (listening, said) = module::listening();
    let parse = |module: &Module| {
        Module::parse(&listening, &module.as_operation().to_string())
            .ok_or("can't be printed and parsed again")
    };
    let (before, after) = (parse(&before)?, parse(&after)?);
    let modules = [&before, &after];
    let entries = match &cli.entry {
        Some(name) => vec![Entry::find(&before, Some(name))?],
        None => Entry::all(&before),
    };
    let options = Options { pipeline: cli.pipeline.clone(), runs: cli.runs, seed: cli.seed };
    let compare = |modules: [&Module; 2], entry: Entry| match &cli.inputs {
        Some(file) => {
            let read = || io::read_inputs(file).map_err(|e| Wrong::Refused(e.to_string()));
            check::on(modules, &entry.name(), [read()?, read()?], &said)
        }
        None => check::function(modules, entry, &options, &said),
    };
    let still_differs = |text: &str, name: &str| {
        let parse = || Module::parse(&listening, text);
        let (Some(before), Some(mut after)) = (parse(), parse()) else { return false };
        let (Ok(()), Ok(entry)) =
            (check::transform(&listening, &mut after, &cli.pipeline), Entry::find(&before, Some(name)))
        else {
            return false;
        };
        matches!(compare([&before, &after], entry), Err(Wrong::Different { .. }))
    };
    for entry in entries {
        let name = entry.name();
        match compare(modules, entry) {
            Ok(checked) => {
                println!("@{name}: {} calls do the same, {} are refused", checked.same, checked.refused)
            }
            Err(Wrong::Refused(why)) => return Err(format!("@{name}: {why}")),
            Err(Wrong::Different { what, inputs }) => {
                *differs = true;
                println!("@{name}: {what}\n{inputs}");
                if cli.reduce {
                    let text = reduced(cli, &name)?;
                    print!("{}", smaller(&listening, text, |text| still_differs(text, &name)));
                }
            }
        }
    }
    Ok(())
}

/// Has terrace-reduce look for a small program in which the function differs.
fn reduced(cli: &Cli, entry: &str) -> Result<String, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let reducer = own.with_file_name("terrace-reduce");
    let script = std::env::temp_dir().join(format!("terrace-check-{}.sh", std::process::id()));
    let write = |file: &Path| -> std::io::Result<()> {
        std::fs::write(file, test(cli, &own, entry))?;
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o700))
    };
    write(&script).map_err(|e| format!("{}: {e}", script.display()))?;
    let reduced = Command::new(&reducer)
        .arg(&cli.file)
        .arg(format!("--reduction-tree=traversal-mode=0 test={}", script.display()))
        .output();
    let _ = std::fs::remove_file(&script);
    let reduced = reduced.map_err(|e| format!("{}: {e}", reducer.display()))?;
    if !reduced.status.success() {
        return Err(format!("{}: {}", reducer.display(), String::from_utf8_lossy(&reduced.stderr)));
    }
    Ok(String::from_utf8_lossy(&reduced.stdout).into_owned())
}

/// A script that says whether a program still shows what is looked for: by status 1, as terrace-reduce has it.
fn test(cli: &Cli, own: &Path, entry: &str) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let mut call = vec![
        quoted(&own.display().to_string()),
        "\"$1\"".into(),
        format!("--pipeline={}", quoted(&cli.pipeline)),
        format!("--runs={} --seed={}", cli.runs, cli.seed),
        format!("--entry={}", quoted(entry)),
    ];
    if let Some(inputs) = &cli.inputs {
        call.push(format!("--inputs={}", quoted(&inputs.display().to_string())));
    }
    format!("#!/bin/sh\n{} >/dev/null 2>&1\n[ $? -eq 2 ] && exit 1\nexit 0\n", call.join(" "))
}
