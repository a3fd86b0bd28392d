//! A text as a program for tensors that are known: their sizes, strides, offsets and storages, and numbers where these have to be known.

use super::Known;
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, BlockRef, Module, OperationRef, RegionLike, Type, ValueLike,
        attribute::{IntegerAttribute, StridedLayoutAttribute, StringAttribute, TypeAttribute},
        operation::{OperationMutLike, OperationRefMut},
        r#type::FunctionType,
    },
};
use mlir_sys::{mlirFuncSetArgAttr, mlirValueReplaceAllUsesOfWith};
use terrace_dialects::{
    arguments::{EAGER, FALLBACK, LAYOUT, PARTIAL, STORAGE},
    attributes as convert,
    bridge::string_ref,
    cursor::Cursor,
    infer::infer,
    ir::{BlockLike, OperationLike},
    operations::{arguments, collect, erase, name_of},
    registry,
    types::{DYNAMIC, TensorType},
    view,
};
use terrace_lowering::pipeline;
use terrace_passes::graph_outline_eager::is_fake_use;

/// How often sizes are computed of sizes that are computed.
const ROUNDS: usize = 8;

pub(super) fn parse<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, String> {
    Module::parse(context, &format!("module {{\n{text}\n}}")).ok_or_else(|| "is no text of MLIR".into())
}

/// The function of a text, and its block.
pub(super) fn function<'c, 'a>(
    module: &'a Module<'c>,
) -> Result<(OperationRef<'c, 'a>, BlockRef<'c, 'a>), String> {
    let op = module.body().first_operation();
    let block = op.and_then(|op| Some((op, op.region(0).ok()?.first_block()?)));
    block.ok_or_else(|| "is no function".into())
}

/// Makes a function one for these arguments that can be called from outside; its name.
pub(super) fn specialize<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    known: &[Known],
) -> Result<String, String> {
    let (op, block) = function(module)?;
    // SAFETY: nobody holds on to the attributes that are changed.
    let mut mutable = unsafe { OperationRefMut::from_raw(op.to_raw()) };
    for name in ["arg_attrs", "sym_visibility", "no_inline", PARTIAL, EAGER, FALLBACK] {
        // What it does not have it need not lose.
        _ = mutable.remove_attribute(name);
    }
    let at = Cursor::start(block, op.location());
    for (argument, known) in arguments(block).zip(known) {
        match known {
            Known::Tensor { sizes, .. } => {
                let own = TensorType::<i64>::of(argument.r#type()).ok_or("is no tensor")?;
                argument.set_type(TensorType { shape: sizes.clone(), ..own }.to_type(context));
            }
            Known::Number(Some(number)) => {
                let ty = argument.r#type();
                let number = at
                    .constant(ty, IntegerAttribute::new(ty, *number).into())
                    .map_err(|e| format!("{e:?}"))?;
                // SAFETY: both are of one type, and the constant stands first.
                unsafe { mlirValueReplaceAllUsesOfWith(argument.to_raw(), number.to_raw()) };
            }
            Known::Number(None) => {}
        }
    }
    sign(context, op, block)?;
    let mut decides = known.iter().any(|known| matches!(known, Known::Number(Some(_))));
    // Sizes that are computed are found step by step, and so are ways that numbers decide.
    for _ in 0..ROUNDS {
        if !has_open_lists(function(module)?.0) && !std::mem::take(&mut decides) {
            break;
        }
        pipeline::run(context, module, "canonicalize").map_err(|()| "has sizes that cannot be computed")?;
        let (op, block) = function(module)?;
        sign(context, op, block)?;
    }
    let (op, _) = function(module)?;
    for (i, known) in known.iter().enumerate() {
        let Known::Tensor { strides, offset, storage, .. } = known else { continue };
        let layout: Attribute = StridedLayoutAttribute::new(context, *offset, strides).into();
        let storage: Attribute = StringAttribute::new(context, &format!("s{storage}")).into();
        for (name, value) in [(LAYOUT, layout), (STORAGE, storage)] {
            // SAFETY: the function has this argument.
            unsafe { mlirFuncSetArgAttr(op.to_raw(), i as isize, string_ref(name), value.to_raw()) }
        }
    }
    Ok(op.attribute("sym_name").map(convert::string).unwrap_or_default())
}

/// Whether there is what nobody uses.
pub(super) fn has_unused(module: &Module) -> Result<bool, String> {
    Ok(!collect(function(module)?.0, is_fake_use).is_empty())
}

/// Lets go what nobody uses.
pub(super) fn forget_unused(module: &Module) -> Result<(), String> {
    // SAFETY: they give nothing.
    collect(function(module)?.0, is_fake_use).into_iter().for_each(|op| unsafe { erase(op) });
    Ok(())
}

/// Whether lists have operands as entries.
fn has_open_lists(function: OperationRef) -> bool {
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
    infer(block)?;
    know_sizes(op)?;
    let end = block.terminator().ok_or("has no end")?;
    let results: Vec<Type> = end.operands().map(|result| result.r#type()).collect();
    let inputs: Vec<Type> = arguments(block).map(|argument| argument.r#type()).collect();
    let signature = FunctionType::new(context, &inputs, &results);
    // SAFETY: nobody holds on to the attribute that is replaced.
    let mut mutable = unsafe { OperationRefMut::from_raw(op.to_raw()) };
    mutable.set_attribute("function_type", TypeAttribute::new(signature.into()).into());
    Ok(())
}

/// The size that an operation asks for, where a type says it.
fn asked_size(op: OperationRef) -> Option<i64> {
    let own = TensorType::<i64>::of(op.operand(0).ok()?.r#type())?;
    let dim = convert::i64(op.attribute("dim").ok()?);
    let dim = if dim < 0 { dim + own.rank() as i64 } else { dim };
    own.shape.get(usize::try_from(dim).ok()?).copied().filter(|size| *size != DYNAMIC)
}

/// Makes sizes that are asked for numbers, where types say them.
fn know_sizes(function: OperationRef) -> Result<(), String> {
    for op in collect(function, |op| name_of(op) == "graph.sym_size") {
        let Some(size) = asked_size(op) else { continue };
        let result = op.result_at(0).map_err(|e| e.to_string())?;
        let size = Cursor::before(op).and_then(|at| at.integer(result.r#type(), size));
        let size = size.map_err(|e| format!("{e:?}"))?;
        // SAFETY: both are of one type, and the number stands in front.
        unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), size.to_raw()) };
    }
    Ok(())
}
