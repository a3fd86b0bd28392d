//! The facts of a call, written into the function that is called: sizes, strides, offsets and storages of its
//! tensors, numbers where these have to be known. What goes down is a function as any other, of which nothing
//! is left open that the call says.
//!
//! Before, for a call with two tensors of three elements that share a storage:
//!
//! ```mlir
//! func.func @main(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>) -> !graph.tensor<?xf32>
//! ```
//!
//! After:
//!
//! ```mlir
//! func.func @main(%x: !graph.tensor<3xf32> {graph.storage = "s0", graph.layout = strided<[1], offset: 0>},
//!                 %y: !graph.tensor<3xf32> {graph.storage = "s0", graph.layout = strided<[1], offset: 1>}) -> !graph.tensor<3xf32>
//! ```

use crate::signature::{Argument, Pattern};
use melior::{
    Context,
    ir::{
        Attribute, BlockRef, Module, OperationRef, RegionLike, Type, Value, ValueLike,
        attribute::{IntegerAttribute, StridedLayoutAttribute, StringAttribute, TypeAttribute},
        r#type::FunctionType,
    },
    pass::{PassManager, transform},
};
use mlir_sys::{mlirModuleFromOperation, mlirOperationClone};
use terrace_dialects::{
    analysis::infer::infer,
    ir::{
        BlockLike, OperationLike,
        arguments::{LAYOUT, STORAGE, forget, is_private, set_attributes},
        attributes as convert,
        cursor::Cursor,
        operations::{arguments, collect, name_of, users},
        pass::{Failure, run_passes},
        registry,
        rewrite::{replace_uses, set_attribute, set_operand},
        types::{TensorType, is_graph_tensor},
        view,
    },
};
use terrace_lowering::pipeline;
use terrace_size::DYNAMIC;
use terrace_tensor::Flags;

/// How often sizes are computed of sizes that are computed.
const ROUNDS: usize = 8;

/// A module like another.
pub fn copy<'c>(module: &Module<'c>) -> Module<'c> {
    // SAFETY: a copy of a module is one, and is owned here.
    unsafe { Module::from_raw(mlirModuleFromOperation(mlirOperationClone(module.as_operation().to_raw()))) }
}

/// A copy of a module in which one function alone can be called from outside, for the calls of a pattern.
///
/// # Errors
/// What does not fit together; empty where a diagnostic has said it.
pub fn specialize<'c>(
    context: &'c Context,
    module: &Module<'c>,
    entry: &str,
    pattern: &Pattern,
) -> Result<Module<'c>, String> {
    let mut module = copy(module);
    keep(context, &mut module, |name| name == entry)?;
    if !has_graph_tensors(function(&module, entry)?) {
        return Ok(module);
    }
    // What is called is made for the caller's tensors, too.
    run(context, &mut module, "graph-structure")?;
    let (op, block) = function(&module, entry)?;
    let at = Cursor::start(block, op.location());
    let values: Vec<_> = arguments(block).collect();
    let mut decides = false;
    let known = || pattern.signature_of.0.iter().zip(&pattern.open);
    for (value, (known, open)) in values.iter().zip(known()) {
        match known {
            Argument::Tensor { sizes, .. } if is_graph_tensor(value.r#type()) => {
                let own = TensorType::<i64>::of(value.r#type()).ok_or("is no tensor")?;
                let size =
                    |(d, size): (usize, &i64)| if open.get(d) == Some(&true) { DYNAMIC } else { *size };
                let shape = sizes.iter().enumerate().map(size).collect();
                value.set_type(TensorType { shape, ..own }.to_type(context));
            }
            Argument::Number(Some(number)) => {
                let ty = value.r#type();
                let number = at.constant(ty, IntegerAttribute::new(ty, *number).into());
                let number = number.map_err(|e| format!("{e:?}"))?;
                replace_uses(*value, number);
                decides = true;
            }
            _ => {}
        }
    }
    for (i, (value, (known, _))) in values.iter().zip(known()).enumerate() {
        let Argument::Tensor { object, flags, .. } = known else { continue };
        if *object != i && values[*object].r#type() == value.r#type() {
            replace_uses(*value, values[*object]);
        } else if *flags != Flags::default() {
            apply_flags(&at, *value, *flags).map_err(|e| format!("{e:?}"))?;
        }
    }
    let mut attributes: Vec<(usize, &str, Attribute)> = vec![];
    for (i, (value, (known, open))) in arguments(block).zip(known()).enumerate() {
        let Argument::Tensor { strides, offset, storage, .. } = known else { continue };
        if is_graph_tensor(value.r#type()) {
            let offset = offset.unwrap_or(0);
            // What is open lies row-major, which needs no word.
            if open.is_empty() {
                attributes.push((i, LAYOUT, StridedLayoutAttribute::new(context, offset, strides).into()));
            }
            attributes.push((i, STORAGE, StringAttribute::new(context, &format!("s{storage}")).into()));
        }
    }
    forget(op, &[LAYOUT, STORAGE]);
    set_attributes(op, &attributes);
    sign(context, op, block)?;
    // Sizes that are computed are found step by step, and so are branches that numbers decide.
    for _ in 0..ROUNDS {
        if !has_open_lists(function(&module, entry)?) && !std::mem::take(&mut decides) {
            break;
        }
        simplify(context, &mut module)?;
        let (op, block) = function(&module, entry)?;
        sign(context, op, block)?;
    }
    if module.as_operation().verify() { Ok(module) } else { Err(String::new()) }
}

fn run<'c>(context: &'c Context, module: &mut Module<'c>, passes: &str) -> Result<(), String> {
    pipeline::run(context, module, passes).map_err(|_| String::new())
}

/// Canonicalizes a module whose types do not fit until they are inferred again: a size that is a number now
/// makes another type.
fn simplify<'c>(context: &'c Context, module: &mut Module<'c>) -> Result<(), String> {
    let manager = PassManager::new(context);
    manager.enable_verifier(false);
    manager.add_pass(transform::create_canonicalizer());
    run_passes(manager, module).map_err(|_| String::new())
}

/// The function of a name, and its block.
fn function<'c, 'a>(
    module: &'a Module<'c>,
    name: &str,
) -> Result<(OperationRef<'c, 'a>, BlockRef<'c, 'a>), String> {
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        if name_of(op) == "func.func" && op.attribute("sym_name").map(convert::string).as_deref() == Ok(name)
        {
            let block = op.region(0).ok().and_then(|region| region.first_block());
            return block.map(|block| (op, block)).ok_or_else(|| format!("@{name} has no body"));
        }
    }
    Err(format!("there is no function @{name}"))
}

/// Takes out what functions do not call: these alone can be called from outside.
///
/// # Errors
/// What upstream's symbol-dce says.
pub fn keep<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    kept: impl Fn(&str) -> bool,
) -> Result<(), String> {
    let mut hidden = false;
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        let name = op.attribute("sym_name").map(convert::string).unwrap_or_default();
        if name_of(op) == "func.func" && !kept(&name) {
            hidden = true;
            if !is_private(op) {
                set(op, "sym_visibility", StringAttribute::new(context, "private").into());
            }
        }
    }
    if hidden { run(context, module, "symbol-dce") } else { Ok(()) }
}

fn set<'c>(op: OperationRef<'c, '_>, name: &str, value: Attribute<'c>) {
    // SAFETY: nobody holds on to the attribute that is replaced.
    set_attribute(op, name, value);
}

fn has_graph_tensors((op, block): (OperationRef, BlockRef)) -> bool {
    let gives = |op: OperationRef| op.results().any(|result| is_graph_tensor(result.r#type()));
    arguments(block).any(|value| is_graph_tensor(value.r#type())) || !collect(op, gives).is_empty()
}

/// Has all that uses an argument see its elements by flags.
fn apply_flags<'c: 'a, 'a>(
    at: &Cursor<'c, 'a>,
    argument: Value<'c, 'a>,
    flags: Flags,
) -> Result<(), Failure> {
    let users = users(argument);
    let mut seen = argument;
    for (name, _) in
        [("graph._conj", flags.conj), ("graph._neg_view", flags.neg)].into_iter().filter(|(_, is)| *is)
    {
        seen = at.op(name, &[seen], argument.r#type())?;
    }
    for user in users {
        for k in (0..user.operand_count()).filter(|k| user.operand(*k) == Ok(argument)) {
            set_operand(user, k, seen);
        }
    }
    Ok(())
}

/// Whether lists have operands as entries.
fn has_open_lists((function, _): (OperationRef, BlockRef)) -> bool {
    let is_open = |op: OperationRef| {
        registry::of(op).is_some_and(|class| {
            class.lists.iter().any(|(place, _)| !view::variadic(op, class, *place).is_empty())
        })
    };
    !collect(function, is_open).is_empty()
}

/// Says of a function what follows from its arguments.
fn sign<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Result<(), String> {
    // What is a number then may be a size of something else.
    infer(block)?;
    while know_sizes(op)? {
        infer(block)?;
    }
    let end = block.terminator().ok_or("has no end")?;
    let results: Vec<Type> = end.operands().map(|result| result.r#type()).collect();
    let inputs: Vec<Type> = arguments(block).map(|argument| argument.r#type()).collect();
    let signature = FunctionType::new(context, &inputs, &results);
    set(op, "function_type", TypeAttribute::new(signature.into()).into());
    Ok(())
}

/// The size that an operation asks for, where a type says it.
fn asked_size(op: OperationRef) -> Option<i64> {
    let own = TensorType::<i64>::of(op.operand(0).ok()?.r#type())?;
    let dim = convert::i64(op.attribute("dim").ok()?);
    let dim = if dim < 0 { dim + own.rank() as i64 } else { dim };
    own.shape.get(usize::try_from(dim).ok()?).copied().filter(|size| *size != DYNAMIC)
}

/// Makes sizes that are asked for numbers, where types say them; whether there were any.
fn know_sizes(function: OperationRef) -> Result<bool, String> {
    let mut any = false;
    for op in collect(function, |op| name_of(op) == "graph.sym_size") {
        let Some(size) = asked_size(op) else { continue };
        let result = op.result_at(0).map_err(|e| e.to_string())?;
        if users(result.into()).next().is_none() {
            continue;
        }
        any = true;
        let size = Cursor::before(op).and_then(|at| at.integer(result.r#type(), size));
        let size = size.map_err(|e| format!("{e:?}"))?;
        replace_uses(result, size);
    }
    Ok(any)
}
