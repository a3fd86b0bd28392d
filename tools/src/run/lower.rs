//! From a module to an entry point that can be called, with a look at each level on the way.

use super::{Compiled, ResultFacts, Same};
use crate::entry::Entry;
use melior::{
    Context,
    diagnostic::DiagnosticSeverity,
    ir::{AttributeLike, Module},
};
use mlir_sys::*;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use terrace_dialects::{
    attributes as convert,
    bridge::{self, string_ref},
    dtype::Dtype,
    ir::OperationLike,
};
use terrace_interpreter::runtime_dtype;
use terrace_lowering::pipeline::{self, Level, Target, lower_by};
use terrace_session::{Code, Cpu, Level as CpuLevel, OptLevel, Signature};
use terrace_tensor::Flags;

/// A module in the LLVM dialect, with what was known of its functions before.
pub struct Lowered<'c> {
    /// The module.
    pub module: Module<'c>,
    /// Its entry points as callers see them.
    pub signatures: Vec<Signature>,
    /// The facts about the results of the entry point.
    pub facts: Vec<ResultFacts>,
    /// The time of each stage.
    pub times: Vec<(Level, Duration)>,
}

/// The name that the passes have for what a CPU can do.
pub fn target(cpu: &Cpu) -> Target {
    let cpu = match cpu.level() {
        CpuLevel::V1 | CpuLevel::V2 => "x86-64",
        CpuLevel::V3 => "x86-64-v3",
        CpuLevel::V4 => "x86-64-v4",
    };
    Target { cpu: cpu.into() }
}

/// Lowers a module to the LLVM dialect, showing each level to `look`.
///
/// # Errors
/// What is wrong; empty where a diagnostic has said it.
pub fn to_llvm<'c>(
    context: &'c Context,
    module: Module<'c>,
    entry: &str,
    cpu: &Cpu,
    mut look: impl FnMut(Level, &Module<'c>),
) -> Result<Lowered<'c>, String> {
    let target = target(cpu);
    or_eager(context, module, |module, eager| {
        let passes = |level: Level| if eager { level.eager_passes(&target) } else { level.passes(&target) };
        to_llvm_by(context, module, entry, passes, &mut look)
    })
}

/// How a module is lowered once more.
const AS_WRITTEN: &str = "runs as it is written, operation by operation";
const BOTH: &str = "runs as it is written, operation by operation, and what it calls is put in its place";

/// Lowers a module, and where that is refused once more without calls, or as it is written, operation by operation, with a warning that says
/// why.
///
/// # Errors
/// What the first way is refused for.
pub(crate) fn or_eager<'c, T>(
    context: &'c Context,
    module: Module<'c>,
    mut lower: impl FnMut(Module<'c>, bool) -> Result<T, String>,
) -> Result<T, String> {
    let written = copy(&module);
    let mut quietly = |module, eager| {
        // Passes on functions may run on other threads.
        let said = Arc::new(Mutex::new(None));
        let first = said.clone();
        let listener = context.attach_diagnostic_handler(move |diagnostic| {
            let is_error = matches!(diagnostic.severity(), DiagnosticSeverity::Error);
            if is_error {
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert_with(|| diagnostic.to_string());
            }
            is_error
        });
        let made = lower(module, eager);
        context.detach_diagnostic_handler(listener);
        made.map_err(|why| said.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or(why))
    };
    let why = match quietly(module, false) {
        Ok(made) => return Ok(made),
        Err(why) => why,
    };
    let text = written.as_operation().to_string();
    if !text.contains("!graph.tensor") {
        return lower(written, false);
    }
    // What holds at a call only does not where there is none.
    let inlined = || {
        let mut module = copy(&written);
        let done = text.contains("call @")
            && pipeline::run(context, &mut module, "inline{default-pipeline=},symbol-dce").is_ok();
        done.then_some(module)
    };
    for (eager, how) in [(false, "what it calls is put in its place"), (true, AS_WRITTEN), (true, BOTH)] {
        let module = if how == AS_WRITTEN { Some(copy(&written)) } else { inlined() };
        if let Some(made) = module.and_then(|module| quietly(module, eager).ok()) {
            bridge::emit_op_warning(&written.as_operation(), &format!("{how}: {why}"));
            return Ok(made);
        }
    }
    // For what it says.
    lower(written, false)
}

/// A module like another.
pub(super) fn copy<'c>(module: &Module<'c>) -> Module<'c> {
    // SAFETY: a copy of a module is one, and is owned here.
    unsafe { Module::from_raw(mlirModuleFromOperation(mlirOperationClone(module.as_operation().to_raw()))) }
}

pub(super) fn to_llvm_by<'c>(
    context: &'c Context,
    mut module: Module<'c>,
    entry: &str,
    passes: impl Fn(Level) -> String,
    mut look: impl FnMut(Level, &Module<'c>),
) -> Result<Lowered<'c>, String> {
    let (mut signatures, mut facts, mut times) = (vec![], vec![], vec![]);
    for level in Level::ALL {
        if level == Level::Llvm {
            // The LLVM dialect forgets what a memref was.
            signatures = Signature::export(&module).map_err(|e| e.to_string())?;
            let found = Entry::find(&module, Some(entry))?;
            facts = result_facts(found);
        }
        let time = lower_by(context, &mut module, &passes(level), level).map_err(|_| String::new())?;
        times.push((level, time));
        look(level, &module);
    }
    Ok(Lowered { module, signatures, facts, times })
}

/// Lowers and loads an entry point.
///
/// # Errors
/// What is wrong; empty where a diagnostic has said it.
pub fn compile<'c>(
    context: &'c Context,
    module: Module<'c>,
    entry: &str,
    cpu: &Cpu,
    look: impl FnMut(Level, &Module<'c>),
) -> Result<(Compiled, Code, Duration), String> {
    let started = Instant::now();
    let lowered = to_llvm(context, module, entry, cpu, look)?;
    let (compiled, code) = load(lowered, entry, cpu)?;
    Ok((compiled, code, started.elapsed()))
}

/// Lowers and loads an entry point with fusions, orders and tiles that are legal and random, from a seed that is not 0.
///
/// # Errors
/// What is wrong; empty where a diagnostic has said it.
pub fn compile_at_random(
    context: &Context,
    module: Module,
    entry: &str,
    cpu: &Cpu,
    seed: i64,
) -> Result<Compiled, String> {
    let target = target(cpu);
    let lowered = or_eager(context, module, |module, eager| {
        let passes = |level: Level| match eager {
            true => level.eager_passes(&target),
            false => level.random_passes(&target, seed),
        };
        to_llvm_by(context, module, entry, passes, |_, _| {})
    })?;
    Ok(load(lowered, entry, cpu)?.0)
}

fn load(lowered: Lowered, entry: &str, cpu: &Cpu) -> Result<(Compiled, Code), String> {
    let code =
        Code::x86(&lowered.module, lowered.signatures, cpu, OptLevel::Fast).map_err(|e| e.to_string())?;
    let compiled = Compiled::load(&code, cpu, entry, lowered.facts)?;
    Ok((compiled, code))
}

/// What `convert-graph-boundary-to-memref` left on the results.
pub(super) fn result_facts(entry: Entry) -> Vec<ResultFacts> {
    let count = entry.function_type().result_count();
    let Ok(all) = entry.operation().attribute("res_attrs") else {
        return vec![ResultFacts::default(); count];
    };
    let get = |i: usize, name: &str| unsafe {
        let dictionary = mlirArrayAttrGetElement(all.to_raw(), i as isize);
        melior::ir::Attribute::from_option_raw(mlirDictionaryAttrGetElementByName(
            dictionary,
            string_ref(name),
        ))
    };
    (0..count)
        .map(|i| ResultFacts {
            dtype: get(i, "graph.dtype").and_then(|a| Dtype::of(convert::ty(a))).map(runtime_dtype),
            flags: Flags { conj: get(i, "graph.conj").is_some(), neg: get(i, "graph.neg").is_some() },
            same_as: get(i, "graph.same_as").and_then(|a| same(&convert::string(a))),
            told: get(i, "graph.told").is_some(),
            told_flags: get(i, "graph.told_flags").is_some(),
        })
        .collect()
}

fn same(text: &str) -> Option<Same> {
    let number = |prefix: &str| text.strip_prefix(prefix).and_then(|n| n.parse().ok());
    number("arg").map(Same::Argument).or_else(|| number("result").map(Same::Result))
}
