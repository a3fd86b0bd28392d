//! `terrace-run`: calls a function of a .mlir file on real inputs, interpreted or compiled.

use clap::{Parser, ValueEnum};
use melior::ir::Module;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    rc::Rc,
};
use terrace_dialects::ir::types::TensorType;
use terrace_lowering::pipeline::{Level, OPTIMIZATIONS};
use terrace_native::{Code, Cpu, Cuda, Device, GPU_ARCHITECTURES, GpuCode};
use terrace_session::{Fallback, Gpu, Options, Session, entry::Entry};
use terrace_tensor::{
    Tensor, Value,
    io::{self, Inputs, NamedStorage},
};
use terrace_tools::{module, run, say};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Compiled for this machine's processor (or the one that --cpu names).
    X86,
    /// Compiled, its kernels for the first GPU that NVIDIA's driver has.
    Nvptx,
    /// Interpreted by the reference semantics.
    Interpret,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Dump {
    Graph,
    Functional,
    Loop,
    Kernel,
    Llvm,
    Asm,
}

impl Dump {
    /// The level of the way down that it is; graph comes before, asm after.
    fn level(self) -> Option<Level> {
        match self {
            Dump::Functional => Some(Level::Functional),
            Dump::Loop => Some(Level::Loop),
            Dump::Kernel => Some(Level::Kernel),
            Dump::Llvm => Some(Level::Llvm),
            Dump::Graph | Dump::Asm => None,
        }
    }
}

/// Calls a function of a .mlir file on inputs from JSON or .npy files.
#[derive(Parser)]
#[command(name = "terrace-run", version)]
struct Cli {
    /// The program.
    file: PathBuf,
    /// The function to call; by default main, or the only public one.
    #[arg(long)]
    entry: Option<String>,
    /// How it runs.
    #[arg(long, value_enum, default_value = "x86")]
    target: Target,
    /// The CPU to compile for: host, x86-64, x86-64-v3, x86-64-v4, x86-64-v4-bf16 or a model.
    #[arg(long, default_value = "host")]
    cpu: String,
    /// Storages and arguments, as JSON: docs/guides/running.md says what stands there.
    #[arg(long, conflicts_with = "arg")]
    inputs: Option<PathBuf>,
    /// Where results, arguments and storages after the call go, as JSON (docs/guides/running.md); standard
    /// output without it.
    #[arg(long, conflicts_with = "out_dir")]
    outputs: Option<PathBuf>,
    /// An argument: a .npy file, a number, or a list of lists such as '[[1, 2], [3, 4]]' for a tensor; in
    /// order.
    #[arg(long, allow_hyphen_values = true)]
    arg: Vec<String>,
    /// Where results go as out0.npy, out1.npy, ...
    #[arg(long)]
    out_dir: Option<PathBuf>,
    /// Calls it once, then N times, and prints `compile_ms: X` and the nanoseconds of those, one a line; on a
    /// GPU by its own clock, on arguments that are there. Results are made anew in each call, and dropped;
    /// with --out-dir those of the first call are written.
    #[arg(long, value_name = "N")]
    bench: Option<usize>,
    /// Says to standard error what is compiled and why, and which guard refuses a call.
    #[arg(long)]
    explain: bool,
    /// The number of threads; all cores without it.
    #[arg(long)]
    threads: Option<usize>,
    /// A shared library that has the functions of custom operators; may be repeated.
    #[arg(long = "library", value_name = "FILE")]
    libraries: Vec<PathBuf>,
    /// Optimizations to leave out: each is a pass that the program is right without.
    #[arg(long, value_delimiter = ',', value_parser = OPTIMIZATIONS)]
    without: Vec<String>,
    /// Levels to print on the way down, to standard error; asm is PTX where the target is a GPU.
    #[arg(long, value_enum, value_delimiter = ',')]
    dump: Vec<Dump>,
}

fn main() -> ExitCode {
    terrace_tools::main("terrace-run", work)
}

fn read_inputs(cli: &Cli, entry: Entry) -> Result<Inputs, String> {
    if let Some(file) = &cli.inputs {
        return io::read_inputs(file).map_err(|e| e.to_string());
    }
    let mut inputs = Inputs::default();
    for (i, arg) in cli.arg.iter().enumerate() {
        let value = match arg.as_str() {
            "true" => Value::Scalar(true.into()),
            "false" => Value::Scalar(false.into()),
            text => match (text.parse::<i64>(), text.parse::<f64>()) {
                (Ok(n), _) => Value::Scalar(n.into()),
                (_, Ok(x)) => Value::Scalar(x.into()),
                _ => {
                    let tensor = tensor(i, text, entry)?;
                    let named = NamedStorage {
                        name: format!("arg{i}"),
                        dtype: tensor.dtype(),
                        storage: tensor.storage().clone(),
                    };
                    inputs.storages.push(named);
                    Value::Tensor(tensor)
                }
            },
        };
        inputs.args.push(value);
    }
    Ok(inputs)
}

/// The argument that a list spells, in the dtype that the function says, or that is in a .npy file.
fn tensor(number: usize, text: &str, entry: Entry) -> Result<Tensor, String> {
    if !text.trim_start().starts_with('[') {
        return io::read_npy(Path::new(text)).map_err(|e| e.to_string());
    }
    let place = format!("argument {number}");
    let ty = entry.function_type().input(number).ok().and_then(TensorType::<i64>::of);
    let Some(ty) = ty else {
        return Err(format!("{place} is a list, but the function has no tensor there"));
    };
    io::parse_list(Path::new(&place), text, ty.dtype, ty.rank()).map_err(|e| e.to_string())
}

fn write_results(cli: &Cli, inputs: &Inputs, results: &[Value]) -> Result<(), String> {
    if let Some(file) = &cli.outputs {
        return io::write_outputs(file, inputs, results, &inputs.args).map_err(|e| e.to_string());
    }
    let Some(dir) = &cli.out_dir else {
        terrace_tools::print(format_args!("{}", io::outputs_to_json(inputs, results, &inputs.args)));
        return Ok(());
    };
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    for (i, result) in results.iter().enumerate() {
        match result {
            Value::Tensor(t) if t.storage().is_fake() => {
                return Err(format!(
                    "result {i} is a fake tensor, which has no elements to write: --outputs says what it is"
                ));
            }
            Value::Tensor(t) => {
                io::write_npy(&dir.join(format!("out{i}.npy")), t).map_err(|e| e.to_string())?
            }
            Value::Scalar(s) => say!("{s}"),
        }
    }
    Ok(())
}

fn work(cli: &Cli) -> Result<(), String> {
    let context = module::context();
    let module = module::read(&context, &cli.file)?;
    let entry =
        Entry::find(&module, cli.entry.as_deref()).map_err(|e| format!("{}: {e}", cli.file.display()))?;
    if cli.dump.contains(&Dump::Graph) {
        eprintln!("{}", module.as_operation());
    }
    let name = entry.name();
    let inputs = read_inputs(cli, entry)?;
    if cli.target == Target::Interpret {
        if cli.bench.is_some() {
            return Err("--bench measures compiled code: not with --target=interpret".into());
        }
        if !cli.libraries.is_empty() {
            return Err("--library has compiled functions: not with --target=interpret".into());
        }
        let session = Session::new(&context, Options::default());
        let results = session.program(module).reference(&name, &inputs.args).map_err(run::message)?;
        return write_results(cli, &inputs, &results);
    }
    for library in &cli.libraries {
        terrace_native::load_library(library).map_err(|e| format!("--library: {e}"))?;
    }
    let cpu: Cpu = cli.cpu.parse().map_err(|e| format!("--cpu: {e}"))?;
    cpu.runs_here().map_err(|e| e.to_string())?;
    if cli.target == Target::Nvptx && !cli.without.is_empty() {
        return Err("--without leaves out passes for this processor: not with --target=nvptx".into());
    }
    let gpu = match cli.target {
        Target::Nvptx => Some(cuda(cli)?),
        Target::X86 | Target::Interpret => None,
    };
    let fallback = match cli.bench {
        Some(_) => Fallback::Never,
        None => Fallback::Reference,
    };
    let look = |level: Level, module: &Module| {
        if cli.dump.iter().any(|d| d.level() == Some(level)) {
            eprintln!("{}", module.as_operation());
        }
    };
    let look = Some(Box::new(look) as Box<_>);
    let code = |code: &Code| match code.assembly() {
        Ok(text) => eprintln!("{text}"),
        Err(error) => eprintln!("{error}"),
    };
    let look_at_code = cli.dump.contains(&Dump::Asm).then(|| Box::new(code) as Box<_>);
    let explain = cli.explain.then(|| Box::new(|text: &str| eprintln!("{text}")) as Box<_>);
    let threads = cli.threads.unwrap_or(0);
    let without = cli.without.clone();
    let options =
        Options { cpu, fallback, threads, gpu, without, look, look_at_code, explain, ..Options::default() };
    let session = Session::new(&context, options);
    let program = session.program(module);
    let results = program.call(&name, &inputs.args).map_err(run::message)?;
    let Some(count) = cli.bench else { return write_results(cli, &inputs, &results) };
    if cli.out_dir.is_some() {
        write_results(cli, &inputs, &results)?;
    }
    drop(results);
    let variant = program.variant(&name, &inputs.args).map_err(run::message)?;
    say!("compile_ms: {:.3}", variant.compile_time().as_secs_f64() * 1e3);
    for time in variant.time(&inputs.args, count).map_err(run::message)? {
        say!("{}", time.as_nanos());
    }
    Ok(())
}

/// The first GPU that the driver has.
fn cuda(cli: &Cli) -> Result<Gpu<'_>, String> {
    let gpu = Cuda::open().map_err(|e| e.to_string())?;
    let architecture = gpu.newest(&GPU_ARCHITECTURES).map_err(|e| e.to_string())?.to_owned();
    let load = move |code: &GpuCode| {
        let ptx = code.ptx().map_err(|e| e.to_string())?;
        if cli.dump.contains(&Dump::Asm) {
            eprintln!("{ptx}");
        }
        let device = Cuda::open().and_then(|gpu| gpu.load(ptx.as_bytes())).map_err(|e| e.to_string())?;
        Ok(Rc::new(device) as Rc<dyn Device>)
    };
    Ok(Gpu { architecture, load: Box::new(load) })
}
