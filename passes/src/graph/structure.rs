//! `graph-structure`: functions on graph tensors call no others, and are blocks of operations with control
//! flow of `scf`.
//!
//! Contract: any module. Branches of `cf` become `scf.if`, `scf.while` and `scf.index_switch`, by upstream's
//! `lift-cf-to-scf` (Bahmann et al., Perfect Reconstructability of Control Flow from Demand Dependence
//! Graphs, 2015); calls in functions on graph tensors, and custom operators that functions of the module
//! compute, on tensors of their types or of more exact ones, become the bodies of what they call. Recursion,
//! and a call of a function without a body, is a located error. A private function that is called nowhere any
//! more goes.
//!
//! Where a function is called its arguments are what the caller passes, whatever it declares about them: a
//! body that was inlined is analyzed with the caller's tensors.

mod changed;
mod schemas;

use crate::{functions::is_private, graph::functionalize::boundary::recognized::has_tensors};
use melior::ir::{
    AttributeLike, BlockRef, OperationRef, RegionLike, Type, Value, ValueLike,
    operation::{WalkOrder, WalkResult},
    r#type::FunctionType,
};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    analysis::infer::infer,
    aten::custom,
    internal,
    ir::{
        BlockLike, OperationLike, attributes as convert, diagnostics, kept,
        operations::arguments,
        operations::collect,
        pass::Failure,
        pass::lift_control_flow,
        refusal::Reason,
        rewrite::{self, erase, move_before, replace_uses},
        types::TensorType,
    },
};
use terrace_size::DYNAMIC;

/// What is said of recursion.
const RECURSION: &str = "recursion on graph tensors is not supported; make it a loop of scf";

/// How far a function is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Begun,
    Done,
}

struct Structure<'c, 'a> {
    functions: HashMap<String, OperationRef<'c, 'a>>,
    progress: HashMap<String, Progress>,
    inlined: HashSet<String>,
    failed: bool,
}

/// Runs the pass on a module.
pub fn run(module: OperationRef, _: &crate::options::GraphStructure) -> Result<(), Failure> {
    inside_out(module)
}

/// Structures the functions of a module, those of modules inside first.
fn inside_out(module: OperationRef) -> Result<(), Failure> {
    let mut functions = vec![];
    let mut next = module.region(0)?.first_block().and_then(|block| block.first_operation());
    let mut failed = false;
    while let Some(op) = next {
        next = op.next_in_block();
        match name(op).as_str() {
            "builtin.module" => failed |= inside_out(op).is_err(),
            "func.func" => {
                let own = convert::string(op.attribute("sym_name")?);
                if let Some(why) = is_taken(&own) {
                    diagnostics::emit_op_error(&op, why);
                    failed = true;
                }
                functions.push((own, op));
            }
            _ => {}
        }
    }
    let by_name = functions.iter().cloned().collect();
    let (progress, inlined) = (HashMap::new(), HashSet::new());
    let mut structure = Structure { functions: by_name, progress, inlined, failed };
    for (name, function) in functions.iter().filter(|(_, own)| has_tensors(*own)) {
        structure.function(name, *function)?;
    }
    if structure.failed {
        return Err(Failure::Reported);
    }
    remove_unused(module, &functions, &structure.inlined);
    Ok(())
}

/// Why a function cannot have a name.
fn is_taken(name: &str) -> Option<&'static str> {
    match name {
        "" => Some("has no name: a function is called by one"),
        _ if name.starts_with("terrace_rt_") => {
            Some("has a name of the runtime's: expected one without terrace_rt_ in front")
        }
        _ => None,
    }
}

fn name(op: OperationRef) -> String {
    op.name().as_string_ref().as_str().unwrap_or_default().to_string()
}

impl<'c: 'a, 'a> Structure<'c, 'a> {
    /// Structures a function and all that it calls.
    fn function(&mut self, own: &str, function: OperationRef<'c, 'a>) -> Result<(), Failure> {
        if self.progress.contains_key(own) {
            return Ok(());
        }
        self.progress.insert(own.to_string(), Progress::Begun);
        lift(function)?;
        for call in collect(function, |op| matches!(name(op).as_str(), "func.call" | "graph.custom")) {
            let is_custom = name(call) == "graph.custom";
            let named = if is_custom { custom::path } else { convert::symbol };
            let callee = call.attribute("callee").map(named).unwrap_or_default();
            if is_custom && !self.computes(&callee, call)? {
                continue;
            }
            if let Err(failure) = self.call(call, &callee) {
                if let Failure::Message(message) = failure {
                    diagnostics::emit_op_error(&call, &message);
                }
                self.failed = true;
            }
        }
        self.progress.insert(own.to_string(), Progress::Done);
        Ok(())
    }

    /// Whether a function of the module computes a custom operator: on tensors of the types that this one
    /// has, or of which types say less.
    fn computes(&self, callee: &str, custom: OperationRef<'c, 'a>) -> Result<bool, Failure> {
        let Some(function) = self.functions.get(callee) else { return Ok(false) };
        let Some(end) = function.region(0)?.first_block().and_then(|block| block.terminator()) else {
            return Ok(false);
        };
        let ty = FunctionType::try_from(convert::ty(function.attribute("function_type")?))?;
        let inputs = (0..ty.input_count()).map(|at| ty.input(at)).collect::<Result<Vec<_>, _>>()?;
        let results = (0..ty.result_count()).map(|at| ty.result(at)).collect::<Result<Vec<_>, _>>()?;
        Ok(name(end) == "func.return"
            && custom.operand_count() == inputs.len()
            && custom.operands().zip(inputs).all(|(value, ty)| is_of(value.r#type(), ty))
            && custom.result_count() == results.len()
            && custom.results().zip(results).all(|(value, ty)| is_of(value.r#type(), ty)))
    }

    /// Puts the body of a function in the place of a call.
    fn call(&mut self, call: OperationRef<'c, 'a>, callee: &str) -> Result<(), Failure> {
        let Some(function) = self.functions.get(callee).copied() else { return Ok(()) };
        if function.region(0)?.first_block().is_none() && !has_tensors(call) {
            return Ok(());
        }
        if function.region(0)?.first_block().is_none() {
            return Err(Reason::Call.says(format!(
                "calls @{callee}, which has no body: what it does to storages is not known; make it a graph.custom with a schema"
            )).into());
        }
        if self.progress.get(callee) == Some(&Progress::Begun) && !has_tensors(function) {
            return Ok(());
        }
        if self.progress.get(callee) == Some(&Progress::Begun) {
            return Err(Reason::Call
                .says(format!("calls @{callee}, which is being called: {RECURSION}"))
                .into());
        }
        self.function(callee, function)?;
        if self.failed {
            return Ok(());
        }
        // The clone is taken apart here; its operations move in front of the call.
        let copied = rewrite::copy(function);
        let clone: OperationRef<'c, 'a> = kept::detached(&copied);
        let body = clone.region(0)?.first_block().ok_or(internal!("has no body"))?;
        let end = body.terminator().ok_or(internal!("has a body without end"))?;
        if !is_for(call, body, end) {
            return Ok(());
        }
        schemas::held(call, body, end)?;
        self.inlined.insert(callee.to_string());
        changed::by_a_callee(call, body)?;
        changed::by_another_argument(call, body)?;
        for (number, operand) in call.operands().enumerate() {
            let argument: Value = body.argument(number)?.into();
            replace_uses(argument, operand);
        }
        while let Some(op) = body.first_operation().filter(|op| *op != end) {
            move_before(op, call);
        }
        for (result, value) in call.results().zip(end.operands()) {
            replace_uses(result, value);
        }
        drop(copied);
        erase(call);
        Ok(())
    }
}

/// Whether a value of one type is one of another that may say less of its sizes.
fn is_of(own: Type, other: Type) -> bool {
    let tensor = |ty| TensorType::<i64>::of(ty).filter(|tensor| tensor.graph);
    own == other
        || tensor(own).zip(tensor(other)).is_some_and(|(own, other)| {
            let mut sizes = own.shape.iter().zip(&other.shape);
            own.dtype == other.dtype
                && own.rank() == other.rank()
                && sizes.all(|(own, other)| own == other || *other == DYNAMIC)
        })
}

/// Gives a copy of a body the types of the operands of a call; whether its results are of the types of the
/// call's then.
fn is_for(call: OperationRef, body: BlockRef, end: OperationRef) -> bool {
    let mut differ = false;
    for (argument, operand) in arguments(body).zip(call.operands()) {
        differ |= argument.r#type() != operand.r#type();
        argument.set_type(operand.r#type());
    }
    (!differ || infer(body).is_ok())
        && call.results().map(|value| value.r#type()).eq(end.operands().map(|value| value.r#type()))
}

/// Turns blocks and branches of a function into operations of `scf`.
pub(crate) fn lift(function: OperationRef) -> Result<(), Failure> {
    let several = |op: OperationRef| {
        op.regions().any(|region| region.first_block().is_some_and(|block| block.next_in_region().is_some()))
    };
    if collect(function, several).is_empty() {
        return Ok(());
    }
    changed::in_blocks_before(function)?;
    lift_control_flow(function)
}

/// Takes out private functions that were inlined and that nothing names any more.
fn remove_unused(module: OperationRef, functions: &[(String, OperationRef)], inlined: &HashSet<String>) {
    let mut named: HashSet<String> = HashSet::new();
    module.walk(WalkOrder::PreOrder, |op| {
        for (_, attribute) in op.attributes() {
            if attribute.is_flat_symbol_ref() {
                named.insert(convert::symbol(attribute));
            }
        }
        WalkResult::Advance
    });
    for (name, function) in functions {
        if is_private(*function) && inlined.contains(name) && !named.contains(name) {
            erase(*function);
        }
    }
}
