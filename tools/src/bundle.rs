//! Writes a program as a bundle: the folder that `terrace-gpu-run` checks and times where there is neither
//! MLIR nor LLVM.
//!
//! What comes of the call is computed here, by code for this processor, or by the reference where that is
//! refused.

use crate::{module, run};
use melior::{Context, ir::Module};
use std::{fs, path::Path};
use terrace_bundle::{Bundle, CodeFor, EMULATED, Expected, Generated, Place, Work, bytes, generate};
use terrace_dialects::ir::types::TensorType;
use terrace_native::{Code, Cpu, GpuCode, Ptxas, ValueType};
use terrace_session::{
    Error, Fallback, Options, Program, ReturnedMetadata, Session, entry::Entry, specialize::copy,
};
use terrace_tensor::{Flags, Value, io};

/// The architectures that a bundle has code for.
pub const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];

/// What a bundle is to hold.
pub struct Wanted<'w> {
    /// What reports call it.
    pub name: String,
    /// The function that is called; None: main, or the only one.
    pub entry: Option<&'w str>,
    /// What it is called with; empty: tensors of the types that it declares.
    pub generated: Vec<Generated>,
    /// The same, stored as it is, in place of that.
    pub inputs: Option<io::Inputs>,
    /// Bytes that the call moves at least; None: all of arguments and results.
    pub bytes: Option<f64>,
    /// Operations on floats, where they are known.
    pub flops: f64,
    /// Whether there is code for the stand-in driver, and not for GPUs.
    pub emulated: bool,
}

/// Why there is no bundle.
#[derive(Debug)]
pub enum Failure {
    /// The program is refused, or a call of it.
    Session(Error),
    /// Anything else, in words.
    Other(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Session(error)
    }
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Failure::Other(why)
    }
}

fn text(error: &dyn ToString) -> String {
    error.to_string()
}

/// Tensors of the types that a function declares.
///
/// # Errors
/// An argument is no tensor of fixed sizes.
pub fn declared(entry: Entry) -> Result<Vec<Generated>, String> {
    let ty = entry.function_type();
    let one = |i: usize| {
        let own = ty.input(i).ok().and_then(TensorType::<i64>::of);
        let own = own.filter(|own| own.shape.iter().all(|size| *size >= 0));
        own.map(|own| Generated::tensor(own.dtype, own.shape)).ok_or_else(|| {
            format!(
                "{}: argument {i} of @{} is no tensor of fixed sizes: --arg says what it is, such as 3 or f32[4x8]",
                entry.location(),
                entry.name()
            )
        })
    };
    (0..ty.input_count()).map(one).collect()
}

/// What a call gives and writes, by this processor.
fn expected<'c>(
    context: &'c Context,
    source: Module<'c>,
    entry: &str,
    arguments: &[Value],
) -> Result<(Vec<Expected>, Work), Failure> {
    let before = bytes(arguments);
    let program = Session::new(context, Options::default());
    let results = program.program(source).call(entry, arguments)?;
    let mut list = vec![];
    for (number, result) in results.iter().enumerate() {
        list.push(Expected::of(Place::Result(number), result).map_err(|e| text(&e))?);
    }
    for (number, (before, after)) in before.iter().zip(bytes(arguments)).enumerate() {
        if *before != after {
            list.push(Expected::of(Place::Argument(number), &arguments[number]).map_err(|e| text(&e))?);
        }
    }
    let size = |value: &Value| value.as_tensor().map_or(0, |t| t.len() * t.dtype().bytes());
    // What is written was read before.
    let moved = arguments.iter().chain(&results).map(size).sum::<usize>();
    let written = list.iter().filter_map(|expected| match expected.place {
        Place::Argument(number) => Some(size(&arguments[number])),
        Place::Result(_) => None,
    });
    let moved = moved + written.sum::<usize>();
    Ok((list, Work { bytes: moved as f64, flops: 0.0 }))
}

/// That results are what their buffers hold; their numbers that are arguments or earlier results.
fn plain(metadata: &[ReturnedMetadata]) -> Result<Vec<usize>, String> {
    if metadata.iter().any(|own| own.object_of.is_some() || own.flags != Flags::default()) {
        return Err(
            "a bundle has no form for results that are conjugated, negated, or one of several tensors".into(),
        );
    }
    let same = metadata.iter().enumerate().filter(|(_, own)| own.same_as.is_some());
    Ok(same.map(|(number, _)| number).collect())
}

/// Writes the kernels and the host's side for an architecture.
fn code(
    (kernels, host): (&GpuCode, Code),
    architecture: &str,
    others: &[CodeFor],
    folder: &Path,
) -> Result<CodeFor, String> {
    let write =
        |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).map_err(|e| format!("{name}: {e}"));
    let mut images = vec![];
    if architecture == EMULATED {
        let library = terrace_emulator::library(&kernels.llvm_ir()).map_err(|e| text(&e))?;
        images.push(format!("{architecture}.so"));
        write(&images[0], &library)?;
    } else {
        let ptx = kernels.ptx().map_err(|e| text(&e))?;
        if let Ok(ptxas) = Ptxas::find() {
            let (_, cubin) = ptxas.assemble(&ptx, architecture).map_err(|e| text(&e))?;
            images.push(format!("{architecture}.cubin"));
            write(&images[0], &cubin)?;
        }
        images.push(format!("{architecture}.ptx"));
        write(&images[images.len() - 1], ptx.as_bytes())?;
    }
    let library = host.library().map_err(|e| text(&e))?;
    let same = |other: &&CodeFor| fs::read(folder.join(&other.host)).is_ok_and(|own| own == library.bytes);
    let host = match others.iter().find(same) {
        Some(other) => other.host.clone(),
        None => format!("host.{architecture}.so"),
    };
    write(&host, &library.bytes)?;
    Ok(CodeFor {
        architecture: architecture.to_owned(),
        images,
        kernels: kernels.kernels().to_vec(),
        host,
        functions: library.functions,
    })
}

/// Compiles a function of a module, and writes the folder.
///
/// # Errors
/// It is refused, or the folder cannot be written.
pub fn write<'c>(
    context: &'c Context,
    source: Module<'c>,
    wanted: Wanted,
    cpu: Cpu,
    folder: &Path,
) -> Result<(), Failure> {
    let entry = Entry::find(&source, wanted.entry)?;
    let name = entry.name();
    let list = if wanted.generated.is_empty() && wanted.inputs.is_none() {
        declared(entry)?
    } else {
        wanted.generated
    };
    let arguments = || match &wanted.inputs {
        // Storages of their own: a call writes into them.
        Some(inputs) => {
            let text = io::inputs_to_json(inputs);
            io::parse_inputs(folder, &text).map(|own| own.args).map_err(|e| e.to_string())
        }
        None => generate(&list).map_err(|e| text(&e)),
    };
    let (expected, work) = expected(context, copy(&source), &name, &arguments()?)?;
    let options = Options { cpu, fallback: Fallback::Never, ..Options::default() };
    let session = Session::new(context, options);
    let program: Program = session.program(source);
    let architectures = if wanted.emulated { &[EMULATED][..] } else { &ARCHITECTURES };
    let (mut all, mut metadata, mut offsets) = (vec![], vec![], vec![]);
    for architecture in architectures {
        let target = if *architecture == EMULATED { "sm_90" } else { architecture };
        let made = program.gpu_code(&name, &arguments()?, target)?;
        (metadata, offsets) = (made.metadata, made.offsets);
        all.push((architecture, made.kernels, made.host));
    }
    let same = plain(&metadata)?;
    let mut signatures = all.iter().flat_map(|(.., host)| host.signatures());
    let signature = signatures.find(|own| own.name == name).cloned();
    let mut signature = signature.ok_or_else(|| format!("@{name} is no entry point"))?;
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut codes: Vec<CodeFor> = vec![];
    for (architecture, kernels, host) in all {
        codes.push(code((&kernels, host), architecture, &codes, folder)?);
    }
    for (result, metadata) in signature.results.iter_mut().zip(&metadata) {
        if let (ValueType::MemRef(memref), Some(dtype)) = (result, metadata.dtype) {
            memref.dtype = dtype;
        }
    }
    let is_own = |own: &Expected| !matches!(own.place, Place::Result(number) if same.contains(&number));
    if let Some(inputs) = &wanted.inputs {
        let json = io::inputs_to_json(inputs);
        fs::write(folder.join("inputs.json"), json).map_err(|e| format!("inputs.json: {e}"))?;
    }
    let bundle = Bundle {
        name: wanted.name,
        signature,
        generated: wanted.inputs.is_none().then_some(list),
        offsets,
        codes,
        expected: expected.into_iter().filter(is_own).collect(),
        work: Work { bytes: wanted.bytes.unwrap_or(work.bytes), flops: wanted.flops },
    };
    Ok(bundle.write(folder).map_err(|e| text(&e))?)
}

/// Reads a program, and writes its folder.
///
/// # Errors
/// As [`write()`]; empty where a diagnostic has said it.
pub fn of_file(file: &Path, wanted: Wanted, cpu: Cpu, folder: &Path) -> Result<(), String> {
    let context = module::context();
    let source = module::read(&context, file)?;
    write(&context, source, wanted, cpu, folder).map_err(|failure| match failure {
        Failure::Session(error) => run::message(error),
        Failure::Other(why) => why,
    })
}
