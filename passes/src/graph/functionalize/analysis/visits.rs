//! What each operation does to storages: a view, a write, a new tensor.

use super::{checks, logical_views, tensors::Layout};
use crate::graph::functionalize::{
    analysis::{
        state::{Analysis, At, accesses_tensors, graph_type},
        tensors::{Derivation, Tensor},
    },
    decompositions::dispatch,
};
use melior::ir::{OperationRef, Value, ValueLike};
use smallvec::smallvec;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        operations::key,
        refusal::Reason,
        registry::{self, OpImpl},
        types::is_graph_tensor,
    },
    ops::graph,
};
use terrace_size::symbols::current;

impl<'c, 'a> Analysis<'c, 'a> {
    /// Takes in one more operation, with all that is inside of it.
    ///
    /// # Errors
    /// An operation and what is wrong with it; nothing is known of its results then.
    pub fn visit(&mut self, op: OperationRef<'c, 'a>) -> Result<(), At<'c, 'a>> {
        if !self.symbols.is_empty() {
            current(|symbols| symbols.asks(op.to_raw().ptr as usize));
        }
        if self.follow(op)? {
            return Ok(());
        }
        self.written.remove(&(op.to_raw().ptr as usize));
        if let Ok(cast) = graph::CastOp::try_from(op) {
            let same = self.choice(cast.self_()).cloned();
            let same = same.ok_or((op, "casts a tensor of which nothing is known".into()))?;
            op.results().for_each(|result| _ = self.tensors.insert(key(result), same.clone()));
            return Ok(());
        }
        if self.selectors.is_empty() {
            return self.visit_one(op).map_err(|message| (op, message));
        }
        let operands: Vec<Value> = op.operands().collect();
        let (by, _) = self.selectors_of(&operands).map_err(|message| (op, message))?;
        if by.is_empty() {
            return self.visit_one(op).map_err(|message| (op, message));
        }
        self.visit_in_each(op, &by)
    }

    /// Takes in an operation on one tensor each.
    pub(crate) fn visit_one(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let Some(op_impl) = registry::of(op).filter(|i| i.dialect == "graph") else {
            foreign(op)?;
            self.beside(op);
            self.computes(op);
            return Ok(());
        };
        op.operands()
            .map(|v| v.r#type())
            .chain(op.results().map(|v| v.r#type()))
            .try_for_each(|ty| self.supported(ty))?;
        if op_impl.name == "graph.custom" {
            return self.custom(op);
        }
        if graph::ResizeStorageOp::try_from(op).is_ok() {
            return self.resized(op);
        }
        if let Ok(write) = graph::WriteBackOp::try_from(op) {
            let layout = self.layout(write.view())?.clone();
            checks::written(&layout, true)?;
            return self.writes(op, write.view(), layout);
        }
        if self.generator.is_some() && crate::graph::functionalize::analysis::generator::knows_generator(op) {
            self.draws(op);
        }
        self.asks_for(op, op_impl);
        // Asked for an operand that is not there, an operation is printed, which looks at functions that
        // other threads rewrite.
        match op.operands().next() {
            Some(own) if op_impl.view => self.view(op, op_impl, own),
            Some(own) if op_impl.is_in_place() => self.in_place(op, op_impl, own),
            _ => self.allocating(op, op_impl),
        }
    }

    pub(crate) fn view(
        &mut self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        own: Value<'c, 'a>,
    ) -> Result<(), String> {
        let Tensor { origin, identity: source, layout, transform, .. } = self.known(own)?.clone();
        let logical = self.is_logical(origin);
        if logical {
            let sizes = self.result_types(op, op_impl)?.into_iter().flatten().map(|ty| ty.shape).next();
            logical_views::check(op, op_impl, &layout, &sizes.unwrap_or_default())?;
        }
        if let Some((dim, keeps)) = super::dynamic_views::opened(op, op_impl) {
            return self.dynamic_view(op, source, dim, keeps);
        }
        let types = self.result_types(op, op_impl)?;
        let sizes: Vec<_> = types.into_iter().flatten().map(|ty| ty.shape).collect();
        let layouts = self.layouts(op, op_impl, &layout, &sizes)?.ok_or_else(|| unknown(op_impl))?;
        let in_window = self.root(origin) != origin;
        let named = if logical { Some(self.named(op, &sizes)?) } else { None };
        for (index, (result, layout)) in op.results().zip(layouts).enumerate() {
            let ty = graph_type(result.r#type()).ok_or(internal!("a view is a tensor"))?;
            let transform = transform.through(op_impl, ty.dtype)?;
            let span = match in_window {
                true => self.dynamic_view_span(op_impl, source, transform)?,
                false => self.span(origin, &layout, transform)?,
            };
            // Views by shapes stay where their operand is, whatever its sizes are.
            let may_leave = layout.numbers().is_some() || op_impl.rule.starts_with("as_strided");
            if let Some(bytes) = self.bound(origin).filter(|_| may_leave) {
                checks::in_bounds(&layout, transform.dtype, bytes)?;
            }
            let made = named.clone().map(|op| Derivation { op, source, index });
            self.name(result.into(), origin, layout, (span, transform), made);
        }
        Ok(())
    }

    pub(crate) fn writes(
        &mut self,
        op: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        layout: Layout,
    ) -> Result<(), String> {
        let tensor = self.known(value)?.clone();
        let span = match self.root(tensor.origin) == tensor.origin {
            true => self.span(tensor.origin, &layout, tensor.transform)?,
            false => tensor.span.clone(),
        };
        self.within_capacity(&tensor, &span)?;
        self.written_dynamic_view(&tensor)?;
        let all = self.written.entry(op.to_raw().ptr as usize).or_default();
        all.resize(all.len().max(self.combination + 1), smallvec![]);
        all[self.combination].push(self.accesses.len());
        self.access(op, &tensor, (layout, span), true);
        Ok(())
    }

    pub(crate) fn allocating(
        &mut self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
    ) -> Result<(), String> {
        let boundary = matches!(op_impl.rule, "graph_value" | "graph_fresh");
        let operator = dispatch::find(op_impl).filter(|_| !boundary);
        let known = operator.is_some();
        if !known && !boundary && !crate::graph::functionalize::analysis::generator::knows_generator(op) {
            return Err(unknown(op_impl));
        }
        // Others ask for sizes and strides of the operand only.
        if !matches!(op_impl.rule, "like" | "sym_size" | "sym_number") {
            for value in op.operands().filter(|v| is_graph_tensor(v.r#type())) {
                self.reads(op, value)?;
            }
        }
        self.writes_beside(op, op_impl)?;
        let types = self.result_types(op, op_impl)?;
        for (number, (result, ty)) in op.results().zip(types).enumerate() {
            let Some(ty) = ty else { continue };
            let (layout, logical) = match known {
                true => self.new_layout(op, op_impl, number, &ty)?,
                false => (Layout::contiguous(&ty.shape), false),
            };
            let layout = layout.check()?;
            let number = self.new_storage(op, Some(result.into()), layout, ty.dtype);
            self.fresh[number].logical = logical;
        }
        Ok(())
    }
}

pub(crate) fn unknown(op_impl: &OpImpl) -> String {
    Reason::Form
        .says(format!("is not known to graph-functionalize: no functional form of '{}'", op_impl.name))
}

/// Refuses an operation of another dialect on graph tensors.
fn foreign(op: OperationRef) -> Result<(), String> {
    if accesses_tensors(op) {
        if op.name().as_string_ref().as_str() == Ok("func.call") {
            return Err(Reason::Form
                .says("is not supported on graph tensors: inline the callee first, by the pass inline"));
        }
        return Err(Reason::Form.says(
            "is not supported on graph tensors: graph-functionalize knows the operators of the graph dialect \
                    and the control flow of scf",
        ));
    }
    Ok(())
}
