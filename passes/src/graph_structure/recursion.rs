//! Functions that come to call themselves: there is no body to put in the place of each call, so they run as they are written.
//!
//! Calls from one of them to another are counted when they run (`runtime/rt/src/depth.rs`): where they nest too deep, as where they never end, that is a
//! run-time error.
//!
//! Source: Tarjan, Depth-first search and linear graph algorithms, 1972, for the groups.

use super::{inside, name};
use crate::{functions, graph_functionalize::has_tensors};
use melior::ir::{
    Attribute, Operation, OperationRef, RegionLike, Type, Value, ValueLike,
    attribute::{DenseI64ArrayAttribute, FloatAttribute, IntegerAttribute},
    operation::{OperationMutLike, OperationRefMut},
    r#type::IntegerType,
};
use mlir_sys::{mlirOperationClone, mlirValueReplaceAllUsesOfWith};
use petgraph::{
    algo::tarjan_scc,
    graph::{DiGraph, NodeIndex},
};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    arguments::{EAGER, is_eager},
    attributes as convert, bridge, context,
    cursor::{Cursor, Predicate},
    ir::{BlockLike, OperationLike},
    operations::erase,
    pass::Failure,
    types::{DYNAMIC, TensorType, is_float, part},
};

/// What is said of recursion.
pub(super) const RECURSION: &str = "recursion on graph tensors is not supported; make it a loop of scf";

/// Functions that come to call themselves, and those that call such, run as they are written: there is no body to put in the place of each call.
pub(super) fn keep_recursion(
    module: OperationRef,
    functions: &[(String, OperationRef)],
) -> Result<(), Failure> {
    let mut graph = DiGraph::new();
    let numbers: HashMap<&String, NodeIndex> =
        functions.iter().map(|(name, function)| (name, graph.add_node(*function))).collect();
    for (caller, function) in functions {
        for call in inside(*function, |op| name(op) == "func.call") {
            let callee = call.attribute("callee").map(convert::symbol).unwrap_or_default();
            if let Some(callee) = numbers.get(&callee) {
                graph.add_edge(numbers[caller], *callee, ());
            }
        }
    }
    // Behind those that they call.
    let mut kept: HashSet<NodeIndex> = HashSet::new();
    for group in tarjan_scc(&graph) {
        let is_kept = |own: &NodeIndex| {
            let tensors = has_tensors(graph[*own]);
            tensors && graph.neighbors(*own).any(|callee| group.contains(&callee) || kept.contains(&callee))
        };
        let found: Vec<NodeIndex> = group.iter().copied().filter(is_kept).collect();
        for own in &found {
            let function = graph[*own];
            for call in inside(function, |op| name(op) == "func.call") {
                let callee = call.attribute("callee").map(convert::symbol).unwrap_or_default();
                if numbers.get(&callee).is_some_and(|callee| group.contains(callee)) {
                    count(call, module)?;
                }
            }
            if !is_eager(function) {
                bridge::emit_op_warning(
                    &function,
                    &format!("runs as it is written, operation by operation: {RECURSION}"),
                );
                // SAFETY: nobody holds on to its attributes.
                let mut mutable = unsafe { OperationRefMut::from_raw(function.to_raw()) };
                mutable.set_attribute(EAGER, Attribute::unit(context::of(function.context())));
            }
        }
        kept.extend(found);
    }
    Ok(())
}

/// The functions of the runtime that count how deep calls are.
const ENTER: &str = "terrace_rt_enter";
const LEAVE: &str = "terrace_rt_leave";

/// Calls only where calls are not too deep already: beyond that the runtime has recorded an error, and results without elements, or zeros, stand in.
fn count<'c, 'a>(call: OperationRef<'c, 'a>, module: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let at = Cursor::before(call)?;
    let word: Type = IntegerType::new(at.context, 64).into();
    let block = module.region(0)?.first_block().ok_or("has no body")?;
    let all = std::iter::successors(block.first_operation(), |op| op.next_in_block());
    let named = |op: OperationRef| op.attribute("sym_name").map(convert::string).ok();
    let declared: HashSet<String> = all.filter_map(named).collect();
    let head = Cursor::start(block, call.location());
    for (name, results) in [(ENTER, &[word][..]), (LEAVE, &[])] {
        if !declared.contains(name) {
            head.declare(name, &[], results, &[])?;
        }
    }
    let service = |at: &Cursor<'c, 'a>, name: &str, results: &[Type<'c>]| {
        Ok::<_, Failure>(at.insert(functions::call(call.location(), name, &[], results)?))
    };
    let entered: Value = service(&at, ENTER, &[word])?.result_at(0)?.into();
    let enters = at.compare(Predicate::NotEqual, entered, at.integer(word, 0)?)?;
    let types: Vec<Type> = call.results().map(|result| result.r#type()).collect();
    let results = at.either(enters, &types, |at, way| {
        if way == 1 {
            return types.iter().map(|ty| nothing(&at, *ty)).collect();
        }
        // SAFETY: a copy of the call, which belongs to the block.
        let own = at.insert(unsafe { Operation::from_raw(mlirOperationClone(call.to_raw())) });
        service(&at, LEAVE, &[])?;
        Ok(own.results().map(Value::from).collect())
    })?;
    for (old, new) in call.results().zip(results) {
        // SAFETY: both are of one type.
        unsafe { mlirValueReplaceAllUsesOfWith(Value::from(old).to_raw(), new.to_raw()) };
    }
    // SAFETY: nobody uses its results any more.
    unsafe { erase(call) };
    Ok(())
}

/// A tensor of zeros, without elements where its type leaves a size open, or a number that is 0.
fn nothing<'c, 'a>(at: &Cursor<'c, 'a>, ty: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
    let zero = |ty: Type<'c>| match is_float(ty) {
        true => at.constant(ty, FloatAttribute::new(at.context, ty, 0.0).into()),
        false => at.constant(ty, IntegerAttribute::new(ty, 0).into()),
    };
    let Some(tensor) = TensorType::<i64>::of(ty) else {
        return match part(ty) {
            Some(part) => {
                let zero = zero(part)?;
                at.op("complex.create", &[zero, zero], ty)
            }
            None => zero(ty),
        };
    };
    let none = at.integer(IntegerType::new(at.context, 64).into(), 0)?;
    let open = tensor.shape.iter().filter(|size| **size == DYNAMIC).count();
    let dtype = at.type_attribute("dtype", tensor.dtype.to_type(at.context));
    let size = at.named("size", DenseI64ArrayAttribute::new(at.context, &tensor.shape));
    let new = at.with(
        "graph.zeros",
        &vec![none; open],
        TensorType { graph: true, ..tensor.clone() }.to_type(at.context),
        &[size, dtype],
    )?;
    if tensor.graph { Ok(new) } else { at.op("graph.value", &[new], ty) }
}
