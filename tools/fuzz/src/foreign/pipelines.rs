//! Three ways to run a function of linalg or affine: Terrace's own, the one out of its loops by
//! `convert-loop-to-scf` and on by upstream's passes, and upstream's passes alone, which is the reference.

use super::source::Source;
use crate::{
    campaign::{Checked, Wrong},
    check::{Runner, cpu},
    straight::{checks_accesses, stress},
};
use melior::ir::Module;
use std::path::Path;
use terrace_dialects::ir::{
    operations::{collect, name_of},
    refusal::INTERNAL,
    upstream,
};
use terrace_lowering::pipeline;
use terrace_native::{Code, Context as CallContext, Cpu, Loaded, OptLevel, export, load_library};
use terrace_session::{Diagnostic, Error, Fallback, OpenSizes, Options, Session, listening};
use terrace_tensor::{Scalar, Value};

/// Tensors become memrefs.
const MEMREFS: &str =
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}";

/// Memrefs and loops become the LLVM dialect. Memory comes from who calls, for results are freed there.
const LLVM: &str = "func.func(convert-linalg-to-loops),memref-expand,expand-strided-metadata,lower-affine,convert-scf-to-cf,\
    arith-expand{include-bf16=true},convert-math-to-llvm,convert-math-to-funcs,convert-math-to-libm,expand-strided-metadata,lower-affine,\
    finalize-memref-to-llvm{use-generic-functions=1},convert-arith-to-llvm,convert-index-to-llvm,convert-ub-to-llvm,convert-cf-to-llvm,\
    convert-func-to-llvm,convert-vector-to-llvm,canonicalize,cse,reconcile-unrealized-casts";

/// What `mallopt` calls the byte that memory is filled with.
const M_PERTURB: i32 = -6;

/// Which part of the greatest number a number may be off by where order matters.
const OFF: f64 = 1e-3;

/// What a call came to: names, and elements in order.
type Came = Vec<(String, Vec<Scalar>)>;

/// What runs functions.
pub struct Pipelines {
    runner: Runner,
    cpu: Option<Cpu>,
}

/// Why a way has no results.
enum Not {
    /// It is refused, with words.
    Refused(String),
    /// That is wrong: what kind of wrong, and what.
    Wrong(String, String),
}

impl Pipelines {
    /// Functions run on the CPU of their seed, or on this one.
    pub fn new(cpu: Option<Cpu>) -> Self {
        pipeline::register_pipelines();
        // What upstream's code calls; programs that call it are left aside without it.
        let upstream = std::env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into());
        _ = load_library(&Path::new(&upstream).join("lib/libmlir_c_runner_utils.so"));
        Pipelines { runner: Runner::default(), cpu }
    }

    /// Whether a text is a module.
    pub fn parses(&self, source: &Source) -> bool {
        listening(&self.runner.context, || Module::parse(&self.runner.context, &source.to_string()))
            .0
            .is_some()
    }

    /// Runs a function in all ways, and compares.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, source: &Source, seed: u64) -> Result<Checked, Wrong> {
        let passes = |passes: &[&str]| -> Vec<String> {
            passes.iter().filter(|own| !own.is_empty()).map(|own| own.to_string()).collect()
        };
        let reference = match self.by_upstream(source, &passes(&[MEMREFS]), "upstream") {
            Ok(came) => came,
            Err(Not::Refused(why)) => return Ok(Checked::Left(format!("upstream refuses: {why}"))),
            Err(Not::Wrong(_, what)) => {
                return Ok(Checked::Left(format!("upstream is wrong inside: {}", general(&what))));
            }
        };
        let scf = passes(&[source.before, "terrace-to-loop,convert-loop-to-scf"]);
        let pipelines =
            [("scf", self.by_upstream(source, &scf, "scf")), ("x86", self.by_terrace(source, seed))];
        let mut left = vec![];
        for (way, came) in pipelines {
            match came {
                Ok(came) => differ(&reference, &came, source.exact)
                    .map_err(|what| source.wrong(way, format!("{way}: {what}")))?,
                Err(Not::Refused(why)) => left.push(format!("{way} refuses: {why}")),
                Err(Not::Wrong(kind, what)) => return Err(source.wrong(kind, what)),
            }
        }
        Ok(if left.is_empty() { Checked::Agrees } else { Checked::Left(left.join("; ")) })
    }

    /// Whether all that a function does has a meaning: nothing lies outside of a memref, and nothing is read
    /// that was never written. Ends the process where it is not so.
    pub fn has_meaning(&self, source: &Source) -> bool {
        let passes =
            [MEMREFS, "func.func(convert-linalg-to-loops)", "lower-affine,generate-runtime-verification"];
        let came = |garbage: i32| {
            // SAFETY: memory is filled with another byte from here on.
            unsafe { libc::mallopt(M_PERTURB, garbage) };
            self.by_upstream(source, &passes.map(str::to_owned), "upstream").ok()
        };
        came(0x11).zip(came(0x6e)).is_some_and(|(one, other)| differ(&one, &other, true).is_ok())
    }

    /// Whether upstream's passes do anything with a function but end the process.
    pub fn has_reference(&self, source: &Source) -> bool {
        self.by_upstream(source, &[MEMREFS.to_owned()], "upstream").is_ok()
    }

    fn parse(&self, source: &Source) -> Result<Module<'_>, Not> {
        let (module, said) =
            listening(&self.runner.context, || Module::parse(&self.runner.context, &source.to_string()));
        module.ok_or_else(|| refused("the parser", &said))
    }

    fn run<'c>(&'c self, way: &str, module: &mut Module<'c>, passes: &str) -> Result<(), Not> {
        let context = &self.runner.context;
        let (done, said) = listening(context, || pipeline::run(context, module, passes));
        done.map_err(|_| refused(way, &said))
    }

    /// Passes, and then upstream's down to machine code that is as simple as can be.
    fn by_upstream(&self, source: &Source, passes: &[String], way: &str) -> Result<Came, Not> {
        let mut module = self.parse(source)?;
        // No pass of upstream takes it apart, its interface does.
        let taken_apart = |op| way == "upstream" && name_of(op) == "linalg.softmax";
        for op in collect(module.as_operation(), taken_apart) {
            // SAFETY: nothing of the list is used again.
            upstream::decompose(op);
        }
        passes.iter().try_for_each(|passes| self.run(way, &mut module, passes))?;
        let wrong = |what: String| Not::Wrong(format!("{way} has no code"), format!("{way}: {what}"));
        let signatures = export(&module).map_err(|e| wrong(e.to_string()))?;
        self.run(way, &mut module, LLVM)?;
        let code = Code::x86(&module, signatures, &Cpu::host(), OptLevel::None);
        let loaded = code.and_then(|code| Loaded::load(&code)).map_err(|e| wrong(e.to_string()))?;
        let inputs = source.inputs();
        let results = loaded.run(&CallContext::new(), "main", &inputs.args, &[]);
        let results = results.map_err(|e| wrong(e.to_string()))?;
        Ok(came(source, &inputs.args, &results))
    }

    /// As `terrace-run` does it; for half of the seeds by schedules that are random.
    fn by_terrace(&self, source: &Source, seed: u64) -> Result<Came, Not> {
        let mut module = self.parse(source)?;
        if !source.before.is_empty() {
            self.run("x86", &mut module, source.before)?;
        }
        let options = Options {
            cpu: cpu(self.cpu.as_ref(), seed),
            stress: stress(seed),
            fallback: Fallback::Never,
            open_sizes: if seed % 5 < 2 { OpenSizes::All } else { OpenSizes::Differing },
            check_accesses: checks_accesses(seed),
            threads: 1,
            ..Options::default()
        };
        let session = Session::new(&self.runner.context, options);
        let inputs = source.inputs();
        match session.program(module).call("main", &inputs.args) {
            Ok(results) => Ok(came(source, &inputs.args, &results)),
            Err(Error::Refused(said)) => Err(refused("x86", &said)),
            Err(why) => Err(Not::Wrong("the call of what was compiled".into(), format!("x86: {why}"))),
        }
    }
}

/// A refusal: an error at a place, or there is something wrong with it.
fn refused(way: &str, said: &[Diagnostic]) -> Not {
    let all = said.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("; ");
    let located = |own: &Diagnostic| !own.location.ends_with(":0:0") && own.location.contains(':');
    match said.first() {
        _ if said.iter().any(Diagnostic::is_internal) || all.contains(INTERNAL) => {
            Not::Wrong(format!("{way} is wrong inside"), format!("{way}: {all}"))
        }
        Some(first) if said.iter().any(located) => Not::Refused(general(&first.message)),
        _ => Not::Wrong(format!("{way} refuses at no place"), format!("{way} refuses at no place: {all}")),
    }
}

/// A message without the numbers and types in it.
fn general(message: &str) -> String {
    let line = message.replace('\n', " ");
    let mut words: Vec<&str> = line.split(' ').filter(|word| !word.contains(['%', '<', '>'])).collect();
    words.truncate(16);
    words.join(" ").replace(|letter: char| letter.is_ascii_digit(), "N")
}

/// The results, and the memrefs that came in.
fn came(source: &Source, arguments: &[Value], results: &[Value]) -> Came {
    let elements = |value: &Value| match value {
        Value::Tensor(tensor) => tensor.to_vec(),
        Value::Scalar(scalar) => vec![*scalar],
    };
    let results = results.iter().enumerate().map(|(i, value)| (format!("result {i}"), elements(value)));
    let memrefs = arguments.iter().zip(&source.names).filter(|(_, (_, ty))| ty.starts_with("memref"));
    results.chain(memrefs.map(|(value, (name, _))| (name.clone(), elements(value)))).collect()
}

/// Whether two calls came to the same.
fn differ(expected: &Came, actual: &Came, exact: bool) -> Result<(), String> {
    if expected.len() != actual.len() {
        return Err(format!("has {} results, and not {}", actual.len(), expected.len()));
    }
    for ((name, expected), (_, actual)) in expected.iter().zip(actual) {
        if expected.len() != actual.len() {
            return Err(format!("{name} has {} elements, and not {}", actual.len(), expected.len()));
        }
        let finite = expected.iter().map(|own| own.to_f64().abs()).filter(|own| own.is_finite());
        let allowed = if exact { 0.0 } else { OFF * finite.fold(1e-6, f64::max) };
        let agree = |a: &Scalar, b: &Scalar| match (a, b) {
            (Scalar::Float(a), Scalar::Float(b)) => {
                a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= allowed
            }
            // A truth value is a byte where memory is.
            (a, b) => a.to_i64() == b.to_i64(),
        };
        if let Some(at) = (0..expected.len()).find(|at| !agree(&expected[*at], &actual[*at])) {
            return Err(format!("{name} has {} at {at}, and not {}", actual[at], expected[at]));
        }
    }
    Ok(())
}
