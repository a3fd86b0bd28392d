//! `terrace-check`: whether the functions of a .mlir file do the same before and after a pipeline of passes,
//! or compiled.

use clap::{Parser, ValueEnum};
use melior::{
    Context,
    ir::{Module, attribute::StringAttribute},
};
use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};
use terrace_dialects::ir::{
    arguments::{self, LAYOUT, STORAGE},
    types::is_graph_tensor,
};
use terrace_session::{Fallback, Session, entry::Entry};
use terrace_tensor::io;
use terrace_tools::{
    check::{self, Options, Other, Wrong, smaller::smaller},
    module, say,
};

/// Interprets the functions of a .mlir file before and after a pipeline, or calls them as a session compiles
/// them, on the same inputs, and compares results, layouts, aliasing, storages and the state of the
/// generator. Status 0: all the same, but for calls that are said to be left: a guard refuses them, or a pass
/// asks for what is not declared; 1: the file or the pipeline is refused; 2: something differs.
#[derive(Parser)]
#[command(name = "terrace-check", version)]
struct Cli {
    /// The program.
    file: PathBuf,
    /// The passes, on a builtin.module.
    #[arg(long, default_value_t = check::functionalize())]
    pipeline: String,
    /// Calls compiled code in the place of what the pipeline gives.
    #[arg(long, conflicts_with_all = ["pipeline", "reduce"])]
    compiled: bool,
    /// What functions declare is not looked at: their arguments may share storages, or lie in any way.
    #[arg(long, value_enum, value_delimiter = ',')]
    forget: Vec<Declaration>,
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

/// What a function may declare of its arguments.
#[derive(Clone, Copy, ValueEnum)]
enum Declaration {
    Storages,
    Layouts,
}

impl Declaration {
    /// Takes it out of the functions of a module that are called from outside.
    fn forget(self, context: &Context, module: &Module) {
        for entry in Entry::all(module) {
            let (function, signature) = (entry.operation(), entry.function_type());
            match self {
                Declaration::Storages => arguments::forget(function, &[STORAGE]),
                Declaration::Layouts => {
                    let is_tensor = |i: &usize| signature.input(*i).is_ok_and(is_graph_tensor);
                    let any = |i| (i, LAYOUT, StringAttribute::new(context, "any").into());
                    let facts: Vec<_> = (0..signature.input_count()).filter(is_tensor).map(any).collect();
                    arguments::set_attributes(function, &facts);
                }
            }
        }
    }
}

fn main() -> ExitCode {
    let mut differs = false;
    let done = terrace_tools::main("terrace-check", |cli: &Cli| work(cli, &mut differs));
    if differs { ExitCode::from(2) } else { done }
}

fn work(cli: &Cli, differs: &mut bool) -> Result<(), String> {
    let context = module::context();
    let read = || -> Result<Module, String> {
        let module = module::read(&context, &cli.file)?;
        cli.forget.iter().for_each(|declaration| declaration.forget(&context, &module));
        Ok(module)
    };
    let (before, mut after) = (read()?, read()?);
    if !cli.compiled {
        check::transform(&context, &mut after, &cli.pipeline)?;
    }
    let (listening, said) = module::listening();
    let parse = |module: &Module| {
        Module::parse(&listening, &module.as_operation().to_string())
            .ok_or("can't be printed and parsed again")
    };
    let written = parse(&after)?;
    let (mut before, mut after) = (parse(&before)?, parse(&after)?);
    for module in [&mut before, &mut after] {
        check::make_readable(&listening, module)?;
    }
    let session = Session::new(
        &listening,
        terrace_session::Options { fallback: Fallback::Never, ..terrace_session::Options::default() },
    );
    let other =
        if cli.compiled { Other::Session(&session, session.program(written)) } else { Other::Passes(&after) };
    let entries = match &cli.entry {
        Some(name) => vec![Entry::find(&before, Some(name))?],
        None => Entry::all(&before),
    };
    let options = Options { pipeline: cli.pipeline.clone(), runs: cli.runs, seed: cli.seed };
    let compare = |before: &Module, after: &Other, entry: Entry| match &cli.inputs {
        Some(file) => {
            let read = || io::read_inputs(file).map_err(|e| Wrong::Refused(e.to_string()));
            check::on(before, after, &entry.name(), [read()?, read()?], &said)
        }
        None => check::function(before, after, entry, &options, &said),
    };
    let still_differs = |text: &str, name: &str| {
        let parse = || Module::parse(&listening, text);
        let (Some(mut before), Some(mut after)) = (parse(), parse()) else { return false };
        let passes = check::transform(&listening, &mut after, &cli.pipeline);
        let readable = [&mut before, &mut after].map(|module| check::make_readable(&listening, module));
        let (Ok(()), [Ok(()), Ok(())], Ok(entry)) = (passes, readable, Entry::find(&before, Some(name)))
        else {
            return false;
        };
        matches!(compare(&before, &Other::Passes(&after), entry), Err(Wrong::Different { .. }))
    };
    for entry in entries {
        let name = entry.name();
        match compare(&before, &other, entry) {
            Ok(checked) => {
                let left = match checked.left {
                    (0, _) => String::new(),
                    (count, why) => format!(", {count} are left: {why}"),
                };
                say!("@{name}: {} calls do the same, {} are refused{left}", checked.same, checked.refused)
            }
            Err(Wrong::Refused(why)) => return Err(format!("@{name}: {why}")),
            Err(Wrong::Different { what, inputs }) => {
                *differs = true;
                say!("@{name}: {what}\n{inputs}");
                if cli.reduce {
                    let text = reduced(cli, &name)?;
                    terrace_tools::print(format_args!(
                        "{}",
                        smaller(&listening, text, |text| still_differs(text, &name))
                    ));
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
    // In a folder that nobody else may look into.
    let folder = tempfile::tempdir().map_err(|e| format!("a temporary folder: {e}"))?;
    let script = folder.path().join("test.sh");
    let write = |file: &Path| -> std::io::Result<()> {
        std::fs::write(file, test(cli, &own, entry))?;
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o700))
    };
    write(&script).map_err(|e| format!("{}: {e}", script.display()))?;
    let reduced = Command::new(&reducer)
        .arg(&cli.file)
        .arg(format!("--reduction-tree=traversal-mode=0 test={}", script.display()))
        .output();
    let reduced = reduced.map_err(|e| format!("{}: {e}", reducer.display()))?;
    if !reduced.status.success() {
        return Err(format!("{}: {}", reducer.display(), String::from_utf8_lossy(&reduced.stderr)));
    }
    Ok(String::from_utf8_lossy(&reduced.stdout).into_owned())
}

/// A script that says whether a program still shows what is looked for: by status 1, as terrace-reduce has
/// it.
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
