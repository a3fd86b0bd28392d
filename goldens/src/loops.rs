//! docs/loops.md: what each operator of functional is as loops.
//!
//! `passes/tests/functional_to_loop.mlir` has a program for each operator that comes down. They are lowered
//! here, and what then stands at an operator's location is what it has become.

use melior::{
    ir::{Module, OperationRef, Value, ValueLike},
    pass::PassManager,
    utility::parse_pass_pipeline,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    path::PathBuf,
};
use terrace_dialects::{
    ir::{
        OperationLike,
        operations::{collect, name_of, users},
        types::TensorType,
    },
    table,
};
use terrace_lowering::pipeline;
use terrace_passes::{decomposed, is_pointwise, is_read_through};

/// The page, relative to the repository.
pub fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/loops.md")
}

const PROGRAMS: &str = include_str!("../../passes/tests/functional_to_loop.mlir");

/// From operators to loops.
const TO_LOOPS: &str = "functional-widen,functional-decompose,func.func(convert-functional-to-loop)";
/// On to kernels, where templates are found.
const TO_KERNELS: &str = "one-shot-bufferize{bufferize-function-boundaries \
    function-boundary-type-conversion=identity-layout-map},convert-unsigned-buffers,convert-bool-buffers,\
    convert-copy-to-loop,convert-loop-to-kernel{tile=64}";

const INTRODUCTION: &str = "\
# Operators as loops

What `convert-functional-to-loop` makes of each operator of the `functional` dialect:

* *index expression*: a view, which is gone: who reads it reads what it views, at other indices;
* *pointwise*, *reduction*, *scan*, *scatter*: operations of `loop`;
* *template*: a reduction that becomes a kernel of a known form, as sums of products of floats do that are large enough;
* *sort*, *histogram*, *fft*: calls of the runtime;
* *decomposed*: `functional-decompose` spells it by others first.

A *check* is a reduction that looks whether all indices, divisors or probabilities are in range, before anything is read.
Written by `terrace-goldens --table`, which `./x table` runs, of the programs of `passes/tests/functional_to_loop.mlir`.

| operator | becomes |
|---|---|
";

/// The text of the page.
///
/// # Errors
/// A program is not lowered.
pub fn text() -> Result<String, String> {
    let made = loops_by_operator()?;
    let mut text = INTRODUCTION.to_owned();
    for op in table::ALL.iter().filter(|op| op.dialect == "functional") {
        let name = op.name.trim_start_matches("functional.");
        let made = made.get(name);
        let what = match made {
            None => return Err(format!("functional.{name} is in none of the programs")),
            Some(made) if decomposed().any(|row| row == name) => format!("decomposed: {}", list(made)),
            Some(made) => list(made),
        };
        let _ = writeln!(text, "| `{name}` | {what} |");
    }
    Ok(text)
}

fn list(made: &BTreeSet<&str>) -> String {
    made.iter().copied().collect::<Vec<_>>().join(", ")
}

/// What has come of each operator.
fn loops_by_operator() -> Result<BTreeMap<&'static str, BTreeSet<&'static str>>, String> {
    pipeline::register();
    let context = terrace_dialects::new_context();
    let mut module = Module::parse(&context, PROGRAMS).ok_or("the programs do not parse")?;
    let mut places: BTreeMap<String, &'static str> = BTreeMap::new();
    let mut made: BTreeMap<&'static str, BTreeSet<&'static str>> = BTreeMap::new();
    for op in operators(&module) {
        let Some(name) = table::ALL.iter().map(|op| op.name).find(|name| *name == name_of(op)) else {
            continue;
        };
        let name = name.trim_start_matches("functional.");
        let own = made.entry(name).or_default();
        if is_read_through(op) {
            own.insert("index expression");
        } else if is_pointwise(op) {
            own.insert("pointwise");
        } else if !is_narrow(op) {
            // Casts of operands would stand there too.
            places.insert(op.location().to_string(), name);
        }
    }
    let mut templates: BTreeSet<&str> = BTreeSet::new();
    let mut loops: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for pipeline in [TO_LOOPS, TO_KERNELS] {
        run(&context, &mut module, pipeline)?;
        for op in collect(module.as_operation(), |_| true) {
            let Some(name) = places.get(&op.location().to_string()) else { continue };
            match name_of(op) {
                "kernel.matmul" => drop(templates.insert(name)),
                "loop.reduction" if is_check(op) => drop(loops.entry(name).or_default().insert("check")),
                own => match KINDS.iter().find(|kind| own == format!("loop.{kind}")) {
                    Some(kind) => drop(loops.entry(name).or_default().insert(kind)),
                    None => drop(loops.entry(name).or_default()),
                },
            }
        }
    }
    for (name, mut kinds) in loops {
        if templates.contains(name) {
            kinds.remove("reduction");
            kinds.insert("template");
        }
        if kinds.is_empty() {
            kinds.insert("index expression");
        }
        made.entry(name).or_default().extend(kinds);
    }
    Ok(made)
}

const KINDS: [&str; 7] = ["pointwise", "reduction", "scan", "scatter", "sort", "histogram", "fft"];

fn operators<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    collect(module.as_operation(), |op| name_of(op).starts_with("functional."))
}

fn run(context: &melior::Context, module: &mut Module, pipeline: &str) -> Result<(), String> {
    let manager = PassManager::new(context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), &format!("builtin.module({pipeline})"))
        .map_err(|error| error.to_string())?;
    manager.run(module).map_err(|_| format!("the programs are refused by {pipeline}"))
}

/// Whether an operator has elements that are computed in another dtype.
fn is_narrow(op: OperationRef) -> bool {
    let narrow = |value: Value| {
        TensorType::<i64>::of(value.r#type()).is_some_and(|ty| ty.dtype.computed() != ty.dtype)
    };
    op.operands().any(narrow) || op.results().any(|result| narrow(result.into()))
}

/// Whether a reduction's result is what an assertion tests.
fn is_check(op: OperationRef) -> bool {
    let Ok(result) = op.result_at(0) else { return false };
    let extracted = users(result.into()).filter(|user| name_of(*user) == "tensor.extract");
    extracted
        .filter_map(|user| user.result_at(0).ok())
        .any(|number| users(number.into()).any(|user| name_of(user) == "cf.assert"))
}
