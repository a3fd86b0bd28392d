//! Custom operators, by their schemas.
//!
//! What a custom operator does is known to its implementation only: which storages it reads and writes its
//! schema says. [`on_values`](crate::graph::functionalize::rewriting::on_values) calls it.
//!
//! A custom operator without a schema may do anything to any storage that it ever saw. It stays where it is
//! among others of its kind, and is refused in a function that writes an argument, whose storage is up to
//! date at the end only.

use super::{
    checks,
    state::{Analysis, At},
    tensors::{Layout, Origin},
};
use melior::ir::{
    OperationRef, TypeLike, Value, ValueLike,
    operation::{WalkOrder, WalkResult},
};
use terrace_dialects::{
    aten::custom::{operands, schema, written_as},
    internal,
    ir::{
        OperationLike, operations,
        refusal::Reason,
        registry::{self, OpImpl},
        types::is_graph_tensor,
        upstream,
    },
    ops::graph,
};

/// Whether an operation touches no memory, or memory that is made here or has a name.
fn is_private(op: OperationRef) -> bool {
    if upstream::is_memory_effect_free(op) {
        return true;
    }
    let name = |op: OperationRef| op.name().as_string_ref().as_str().unwrap_or_default().to_string();
    let own = name(op);
    if matches!(own.as_str(), "cf.assert" | "memref.alloc" | "memref.alloca") {
        return true;
    }
    // `restrict` says that nothing else is a way to that memory.
    if own == "bufferization.to_tensor" && op.attribute("restrict").is_ok() {
        return true;
    }
    let memrefs: Vec<Value> = op.operands().filter(|value| value.r#type().is_mem_ref()).collect();
    let is_made_here = |value: &Value| {
        operations::definition(*value).is_some_and(|made| {
            ["memref.get_global", "memref.alloc", "memref.alloca"].contains(&name(made).as_str())
        })
    };
    own.starts_with("memref.") && !memrefs.is_empty() && memrefs.iter().all(is_made_here)
}

/// Whether an operator is called in a function of its own on values.
pub fn is_called_on_values(class: &OpImpl) -> bool {
    class.name == "graph.custom"
}

/// The operands that are written, by their numbers; all graph tensors without a schema.
pub(crate) fn written(op: OperationRef) -> Result<Vec<usize>, String> {
    let custom = &graph::CustomOp::try_from(op).map_err(|_| "is no custom operator")?;
    let Some(schema) = schema(custom)? else {
        let tensors = custom.args().into_iter().enumerate().filter(|(_, v)| is_graph_tensor(v.r#type()));
        return Ok(tensors.map(|(place, _)| place).collect());
    };
    let places = operands(custom, &schema)?;
    let all = schema.arguments.iter().zip(places).filter(|(argument, _)| argument.written);
    Ok(all.flat_map(|(_, places)| places).collect())
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Takes in a custom operator.
    pub(crate) fn custom(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let custom = graph::CustomOp::try_from(op).map_err(|_| "is no custom operator")?;
        let (schema, written) = (schema(&custom)?, written(op)?);
        let args = custom.args();
        for value in args.iter().filter(|value| is_graph_tensor(value.r#type())) {
            self.reads(op, *value)?;
        }
        for place in &written {
            let layout = self.layout(args[*place])?.clone();
            checks::written(&layout, true)?;
            self.writes(op, args[*place], layout)?;
        }
        if schema.is_none() {
            self.opaque.get_or_insert(self.accesses.len());
            self.may_draw(op);
        }
        let class = registry::of(op).ok_or(internal!("is no operation of graph"))?;
        let types = self.result_types(op, class)?;
        for (number, (result, ty)) in op.results().zip(types).enumerate() {
            let Some(ty) = ty else { continue };
            let described = schema.as_ref().and_then(|schema| schema.results.get(number));
            if let (Some(schema), Some(described)) = (&schema, described)
                && described.set.is_some()
            {
                let argument = written_as(schema, described).ok_or_else(|| {
                    Reason::Call.says(format!(
                        "result {number} is a view by the schema, of strides that it does not say: not supported here"
                    ))
                })?;
                let place = operands(&custom, schema)?[argument][0];
                let identity = self.known(args[place])?.identity;
                self.is(result.into(), identity);
                continue;
            }
            let fresh = self.new_storage(op, Some(result.into()), Layout::contiguous(&ty.shape), ty.dtype);
            // The operator chooses its strides.
            self.fresh[fresh].logical = true;
        }
        Ok(())
    }

    /// Takes in an operation of another dialect, not on graph tensors. What it reads or writes it does in its
    /// place; memory that comes from elsewhere may be any storage.
    pub(crate) fn beside(&mut self, op: OperationRef<'c, 'a>) {
        let mut anywhere = false;
        op.walk(WalkOrder::PreOrder, |inner| {
            anywhere |= inner.region_count() == 0 && !is_private(inner);
            WalkResult::Advance
        });
        if anywhere {
            self.opaque.get_or_insert(self.accesses.len());
            self.may_draw(op);
        }
    }

    /// Refuses what a custom operator without a schema may see or change while it is not in memory: arguments
    /// that are written, and those that are read after it.
    pub(crate) fn in_memory_for_opaque(&self) -> Result<(), At<'c, 'a>> {
        let Some(first) = self.opaque else { return Ok(()) };
        let argument = |origin| matches!(origin, Origin::Argument(_));
        let is_custom = |op: OperationRef| op.name().as_string_ref().as_str() == Ok("graph.custom");
        let mut accesses = self.accesses.iter().enumerate().filter(|(_, access)| argument(access.origin));
        match accesses.find(|(number, access)| access.writes || *number >= first) {
            Some((_, access)) if is_custom(access.op) => Err((
                access.op,
                "may read or write any storage, and takes an argument: give it a 'schema' that says what it does".into(),
            )),
            Some((_, access)) => Err((
                access.op,
                "is on an argument in a function with an operation that may read or write any storage: give a custom operator a \
                 'schema' that says what it does, and leave memory that comes from elsewhere to other functions"
                    .into(),
            )),
            None => Ok(()),
        }
    }
}

/// Whether a function calls a custom operator on values already.
pub fn on_values(ops: &[OperationRef]) -> bool {
    let is = |op: &OperationRef, names: &[&str]| {
        op.name().as_string_ref().as_str().is_ok_and(|name| names.contains(&name))
    };
    let allowed = ["graph.fresh", "graph.as_strided", "graph.value", "func.return"];
    let is_called = |op: &OperationRef| registry::of(*op).is_some_and(is_called_on_values);
    ops.iter().any(is_called) && ops.iter().all(|op| is_called(op) || is(op, &allowed))
}
