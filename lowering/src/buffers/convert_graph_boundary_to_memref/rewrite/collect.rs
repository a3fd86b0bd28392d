//! Where every graph tensor of a function lies.

use super::{
    super::{
        symbols::{Places, through},
        types::{argument_attribute, contiguous, declared, is_contiguous},
    },
    open,
    state::{Boundary, Form, Refused, Root, View, is_choice},
};
use melior::ir::{OperationRef, Type, Value, ValueLike};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike, attributes as convert,
        operations::{key, name_of},
        refusal::Reason,
        registry,
        types::{TensorType, is_graph_tensor},
    },
    ops::graph,
};
use terrace_layout::Layout;
use terrace_passes::graph::functionalize::{is_called_on_values, knows_generator};
use terrace_size::DYNAMIC;

impl<'c, 'a> Boundary<'c, 'a> {
    /// Where every graph tensor lies.
    pub(super) fn collect(&mut self) -> Result<(), Refused<'c, 'a>> {
        for i in 0..self.block.argument_count() {
            self.collect_argument(i).map_err(|m| (self.function, m))?;
        }
        for (at, op) in self.ops.clone().into_iter().enumerate() {
            self.collect_operation(op, at).map_err(|m| (op, m))?;
        }
        Ok(())
    }

    /// Where an argument lies, as far as the function says.
    fn collect_argument(&mut self, i: usize) -> Result<(), String> {
        let argument: Value = self.block.argument(i).expect("counted").into();
        if !is_graph_tensor(argument.r#type()) {
            return Ok(());
        }
        let tensor = cpu_tensor(argument.r#type()).map_err(|m| format!("argument {i}: {m}"))?;
        let layout = declared(self.function, i, &tensor)?;
        let form = match tensor.is_static() {
            true => Form::Static,
            false if is_contiguous(self.function, i) => Form::Contiguous,
            false => Form::Strided,
        };
        let places = if form == Form::Static { Places::declared(&layout) } else { Places::open(&layout) };
        let storage = argument_attribute(self.function, i, "graph.storage").map(convert::string);
        let (root, dtype) = (Root::Argument(i), tensor.dtype);
        let view = View { root, storage, places, dtype, form, flags: [false; 2], buffer: None };
        self.views.insert(key(argument), view);
        Ok(())
    }

    /// Where the graph tensors lie that an operation gives.
    fn collect_operation(&mut self, op: OperationRef<'c, 'a>, at: usize) -> Result<(), String> {
        if registry::of(op).is_some_and(is_called_on_values) {
            return self.collect_custom(op, at);
        }
        // The generator's state is numbers: who runs the function has it.
        let is_state =
            graph::GeneratorStateOp::try_from(op).is_ok() || graph::SetGeneratorStateOp::try_from(op).is_ok();
        if knows_generator(op) && !is_state {
            return Err(Reason::Form.says("has no form as loops yet: it can be interpreted only"));
        }
        if graph::ResizeStorageOp::try_from(op).is_ok() {
            return self.check_resizable(op);
        }
        if graph::FreshOp::try_from(op).is_ok() {
            return self.collect_fresh(op, at);
        }
        if !op.results().any(|r| is_graph_tensor(r.r#type())) {
            return Ok(());
        }
        if is_choice(op) {
            let view = self.choice(op, at)?;
            self.views.insert(key(op.result_at(0).expect("a choice is a result")), view);
            return Ok(());
        }
        self.collect_views(op)
    }

    /// A new storage: row-major.
    fn collect_fresh(&mut self, op: OperationRef<'c, 'a>, at: usize) -> Result<(), String> {
        let result: Value = op.result_at(0).expect("a storage is a result").into();
        let tensor = cpu_tensor(result.r#type())?;
        let (form, places) = match tensor.is_static() {
            true => (Form::Static, Places::declared(&Layout::contiguous(&tensor.shape))),
            false => (Form::Contiguous, Places::open(&contiguous(&tensor.shape))),
        };
        let (root, dtype) = (Root::Fresh(at), tensor.dtype);
        let view = View { root, storage: None, places, dtype, form, flags: [false; 2], buffer: None };
        self.views.insert(key(result), view);
        Ok(())
    }

    /// The views that an operation makes of its first operand.
    fn collect_views(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let source = op.operand(0).ok().and_then(|v| self.view(v)).cloned();
        let found = match (registry::of(op), source) {
            (Some(_), Some(source)) if open::is_open(op, &source) => {
                let (source, places) = open::through(op, source)?;
                Some((source, vec![places]))
            }
            (Some(op_impl), Some(source)) => {
                through(op, op_impl, &source.places)?.map(|views| (source, views))
            }
            _ => None,
        };
        let Some((source, views)) = found else {
            return Err("is no operation of a boundary: run graph-functionalize first, which leaves values, writes, new \
                        storages and views"
                .into());
        };
        let mut flags = source.flags;
        match name_of(op) {
            "graph._conj" => flags[0] ^= true,
            "graph._neg_view" => flags[1] ^= true,
            _ => {}
        }
        for (result, places) in op.results().zip(views) {
            let dtype = TensorType::of(result.r#type()).map_or(source.dtype, |ty: TensorType| ty.dtype);
            let view = View { places, dtype, flags, buffer: None, ..source.clone() };
            self.views.insert(key(result), view);
        }
        Ok(())
    }

    /// The view that is one of two: known are its sizes alone.
    fn choice(&self, op: OperationRef<'c, 'a>, at: usize) -> Result<View<'c, 'a>, String> {
        let of = |i: usize| op.operand(i).ok().and_then(|value| self.view(value));
        let [Some(one), Some(other)] = [of(1), of(2)] else {
            return Err("chooses between tensors that are not known here".into());
        };
        if one.places.sizes != other.places.sizes || one.dtype != other.dtype || one.flags != other.flags {
            return Err(Reason::Branches.says("chooses between tensors of different sizes, dtypes or flags"));
        }
        let (sizes, unknown) = (one.places.sizes.clone(), vec![DYNAMIC; one.places.sizes.len()]);
        let layout = Layout { sizes, strides: unknown, offset: DYNAMIC };
        let (form, places) = match layout.sizes.contains(&DYNAMIC) {
            true => (Form::Strided, Places::open(&layout)),
            false => (Form::Static, Places::declared(&layout)),
        };
        let (root, dtype) = (Root::Chosen(at), one.dtype);
        Ok(View { root, storage: None, places, dtype, form, flags: one.flags, buffer: None })
    }
}

/// A graph tensor that machine code on this machine has.
fn cpu_tensor(ty: Type) -> Result<TensorType, String> {
    let tensor = TensorType::of(ty).ok_or_else(|| format!("{ty} has no dtype"))?;
    if tensor.device.is_some() {
        return Err(format!("{ty}: only tensors on the CPU are lowered"));
    }
    Ok(tensor)
}
