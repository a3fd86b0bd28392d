//! `terrace-compile`: from a .mlir file to an object, assembly, LLVM IR, PTX, or a C header of its entry
//! points.

use clap::{Parser, ValueEnum};
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};
use terrace_bundle::Generated;
use terrace_native::{Cpu, GPU_ARCHITECTURES, OptLevel, c_header};
use terrace_tensor::io::read_inputs;
use terrace_tools::{
    bundle::{Wanted, of_file},
    compile, module,
};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// An x86-64 processor: --cpu says which.
    X86,
    /// A GPU of NVIDIA's: --arch says which.
    Nvptx,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// An ELF object; links with libterrace_rt.a -lpthread -ldl -lm.
    Obj,
    /// Assembly.
    Asm,
    /// LLVM IR.
    Llvm,
    /// PTX.
    Ptx,
    /// A folder that terrace-gpu-run checks and times: kernels for sm_80 and sm_90, what launches them,
    /// arguments, results.
    Bundle,
    /// A C header that declares the entry points of the object.
    Header,
}

/// Compiles the functions of a .mlir file.
#[derive(Parser)]
#[command(name = "terrace-compile", version)]
struct Cli {
    /// The program.
    file: PathBuf,
    /// What to compile for.
    #[arg(long, value_enum, default_value = "x86")]
    target: Target,
    /// What to write; by default an object, for a GPU PTX.
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    /// The CPU: host, x86-64, x86-64-v2, x86-64-v3, x86-64-v4, x86-64-v4-bf16 or a model. By default
    /// host, for a bundle x86-64.
    #[arg(long)]
    cpu: Option<String>,
    /// The GPU's architecture, such as sm_90.
    #[arg(long, default_value = "sm_90")]
    arch: String,
    /// The function that a bundle calls; by default main, or the only public one.
    #[arg(long)]
    entry: Option<String>,
    /// An argument of that call: a number, or a tensor that is made, such as `f32[4x8]` or `i64[16]:0..100`;
    /// in order. By default tensors of the types that the function declares.
    #[arg(long, allow_hyphen_values = true, conflicts_with = "inputs")]
    arg: Vec<Generated>,
    /// The arguments of that call as JSON (docs/guides/running.md), which the bundle keeps.
    #[arg(long)]
    inputs: Option<PathBuf>,
    /// Bytes that the call moves at least: terrace-gpu-run compares its time with the card's limit. By
    /// default those of arguments and results.
    #[arg(long)]
    bytes: Option<f64>,
    /// Operations on floats that the call takes, for the same.
    #[arg(long, default_value = "0")]
    flops: f64,
    /// The bundle's kernels are code for this machine: they run by the driver libterrace_fake_cuda.so, not on
    /// a GPU.
    #[arg(long)]
    emulate: bool,
    /// LLVM's effort: none, fast, O2 or O3.
    #[arg(long, default_value = "O2")]
    opt: OptLevel,
    /// Leaves functions out that are refused, with a warning each; without it there is an error for each, and
    /// no output.
    #[arg(long)]
    skip_refused: bool,
    /// Where it goes; - is standard output.
    #[arg(short, default_value = "-")]
    output: PathBuf,
}

fn main() -> ExitCode {
    terrace_tools::main("terrace-compile", work)
}

fn work(cli: &Cli) -> Result<(), String> {
    if cli.emit == Some(Emit::Bundle) {
        return bundle(cli);
    }
    if cli.emulate || cli.entry.is_some() || !cli.arg.is_empty() || cli.inputs.is_some() {
        return Err("--emulate, --entry, --arg and --inputs are for --emit=bundle".into());
    }
    let bytes = match cli.target {
        Target::X86 => x86(cli, cli.emit.unwrap_or(Emit::Obj))?,
        Target::Nvptx => nvptx(cli, cli.emit.unwrap_or(Emit::Ptx))?.into_bytes(),
    };
    if cli.output == Path::new("-") {
        return io::stdout().write_all(&bytes).map_err(|e| e.to_string());
    }
    fs::write(&cli.output, bytes).map_err(|e| format!("{}: {e}", cli.output.display()))
}

fn bundle(cli: &Cli) -> Result<(), String> {
    if cli.target != Target::Nvptx {
        return Err("--emit=bundle is for --target=nvptx".into());
    }
    if cli.output == Path::new("-") {
        return Err("--emit=bundle writes a folder: -o says which".into());
    }
    let inputs = cli.inputs.as_deref().map(read_inputs).transpose().map_err(|e| e.to_string())?;
    let wanted = Wanted {
        name: cli
            .entry
            .clone()
            .unwrap_or(cli.file.file_stem().unwrap_or_default().to_string_lossy().into_owned()),
        entry: cli.entry.as_deref(),
        generated: cli.arg.clone(),
        inputs,
        bytes: cli.bytes,
        flops: cli.flops,
        emulated: cli.emulate,
    };
    let cpu = cli.cpu.as_deref().unwrap_or("x86-64").parse().map_err(text)?;
    of_file(&cli.file, wanted, cpu, &cli.output)
}

fn x86(cli: &Cli, emit: Emit) -> Result<Vec<u8>, String> {
    if emit == Emit::Ptx {
        return Err("--emit=ptx is for --target=nvptx".into());
    }
    let cpu: Cpu = cli.cpu.as_deref().unwrap_or("host").parse().map_err(text)?;
    let context = module::context();
    let module = module::read(&context, &cli.file)?;
    let code = compile::x86(&context, module, &cpu, cli.opt, cli.skip_refused)?;
    match emit {
        Emit::Obj | Emit::Ptx | Emit::Bundle => code.object().map_err(text),
        Emit::Asm => code.assembly().map(String::into_bytes).map_err(text),
        Emit::Llvm => code.llvm_ir().map(String::into_bytes).map_err(text),
        Emit::Header => {
            let name = cli.file.file_stem().unwrap_or_default().to_string_lossy();
            c_header(&name, code.signatures()).map(String::into_bytes).map_err(text)
        }
    }
}

fn nvptx(cli: &Cli, emit: Emit) -> Result<String, String> {
    if cli.skip_refused {
        return Err("--skip-refused is for --target=x86: what has no form on a GPU is left out anyway".into());
    }
    if !matches!(emit, Emit::Ptx | Emit::Llvm) {
        return Err("--target=nvptx has --emit=ptx, --emit=llvm and --emit=bundle".into());
    }
    if !GPU_ARCHITECTURES.contains(&&*cli.arch) {
        let known = GPU_ARCHITECTURES.join(", ");
        return Err(format!("unknown gpu architecture \"{}\", expected one of {known}", cli.arch));
    }
    let context = module::context();
    let module = module::read(&context, &cli.file)?;
    let code = compile::nvptx(&context, module, &cli.arch, cli.opt)?;
    if emit == Emit::Ptx { code.ptx().map_err(text) } else { Ok(code.llvm_ir()) }
}

fn text(error: terrace_native::Error) -> String {
    error.to_string()
}
