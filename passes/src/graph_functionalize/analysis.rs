//! What each tensor of a function is: its storage, its layout, its identity; and what is read and written.
//!
//! One walk over a straight-line body, before anything is changed. It refuses, at the operation, what eager refuses
//! (in eager's words), what depends on an order of evaluation that eager leaves open, and what this pass does not know.

use super::{checks, operators, views};
use crate::strided::{Layout, creation};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, Type, Value, ValueLike,
    block::BlockArgument,
    operation::{OperationLike, WalkOrder, WalkResult},
};
use std::collections::HashMap;
use terrace_dialects::{
    arguments::{self, Declared},
    bridge,
    dtype::Dtype,
    ops::graph,
    registry::{self, OpImpl},
    types::{DYNAMIC, TensorType, is_graph_tensor},
    view,
};

/// Where a tensor's storage comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The storage of the argument of this number.
    Argument(usize),
    /// The new storage of this number.
    Fresh(usize),
}

/// A tensor that a value names.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The storage.
    pub origin: Origin,
    /// Equal for values that are the same tensor: an in-place operation returns the tensor that it wrote.
    pub identity: usize,
    /// Sizes, strides and offset; None where the strides are not known.
    pub layout: Option<Layout>,
}

/// A graph tensor among the arguments.
pub struct Argument {
    /// What the function declares about it.
    pub declared: Declared,
    /// Its layout: row-major at offset 0 where it is not known.
    pub layout: Layout,
    /// Its element type.
    pub dtype: Dtype,
    /// The tensor that it is.
    pub identity: usize,
}

/// A read or write of a part of a storage.
pub struct Access<'c, 'a> {
    /// The storage.
    pub origin: Origin,
    /// The part; None for the whole of an argument whose strides are not known. Nothing repeats in what is written.
    pub layout: Option<Layout>,
    /// Whether it is a write.
    pub writes: bool,
    /// The operation.
    pub op: OperationRef<'c, 'a>,
}

/// What is known of a function's body.
pub struct Analysis<'c, 'a> {
    /// One entry per argument; None where it is no graph tensor.
    pub arguments: Vec<Option<Argument>>,
    /// Layout and dtype of each new storage, whole.
    pub fresh: Vec<(Layout, Dtype)>,
    /// Reads and writes in order.
    pub accesses: Vec<Access<'c, 'a>>,
    tensors: HashMap<usize, Tensor>,
    written: HashMap<usize, usize>,
    identities: usize,
}

fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

/// The graph tensor type of a value.
fn graph_type<'c>(ty: Type<'c>) -> Option<TensorType<'c>> {
    TensorType::of(ty).filter(|t| t.graph)
}

fn supported(ty: Type) -> Result<(), String> {
    match graph_type(ty) {
        Some(t) if !t.is_static() => {
            Err(format!("sizes must be static here, got {ty}: graph-functionalize has no dynamic sizes"))
        }
        Some(t) if t.device.is_some() => Err(format!("tensors must be on the CPU here, got {ty}")),
        _ => Ok(()),
    }
}

/// Whether graph tensors occur in an operation or inside it.
pub fn touches_tensors(op: OperationRef) -> bool {
    let mut found = false;
    op.walk(WalkOrder::PreOrder, |inner| {
        let values = inner.operands().map(|v| v.r#type()).chain(inner.results().map(|v| v.r#type()));
        found |= values.into_iter().any(is_graph_tensor);
        if found { WalkResult::Interrupt } else { WalkResult::Advance }
    });
    found
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Walks over a function of one block. An error is an operation and what is wrong with it.
    pub fn of(
        function: OperationRef<'c, 'a>,
        block: BlockRef<'c, 'a>,
    ) -> Result<Self, (OperationRef<'c, 'a>, String)> {
        let mut analysis = Self {
            arguments: vec![],
            fresh: vec![],
            accesses: vec![],
            tensors: HashMap::new(),
            written: HashMap::new(),
            identities: 0,
        };
        for index in 0..block.argument_count() {
            let argument = block.argument(index).map_err(|e| (function, e.to_string()))?;
            analysis
                .argument(function, index, argument)
                .map_err(|m| (function, format!("argument {index}: {m}")))?;
        }
        let mut next = block.first_operation();
        while let Some(op) = next {
            analysis.visit(op).map_err(|m| (op, m))?;
            next = op.next_in_block();
        }
        Ok(analysis)
    }

    /// The tensor that a value names.
    pub fn tensor(&self, value: Value) -> Option<&Tensor> {
        self.tensors.get(&key(value))
    }

    /// What an operation writes: a storage and the part of it; None where it writes nothing.
    pub fn written(&self, op: OperationRef) -> Option<(Origin, &Layout)> {
        let access = &self.accesses[*self.written.get(&(op.to_raw().ptr as usize))?];
        Some((access.origin, access.layout.as_ref()?))
    }

    fn name(&mut self, value: Value, origin: Origin, layout: Option<Layout>) {
        let identity = self.identities;
        self.identities += 1;
        self.tensors.insert(key(value), Tensor { origin, identity, layout });
    }

    fn argument(
        &mut self,
        function: OperationRef<'c, 'a>,
        index: usize,
        value: BlockArgument<'c, 'a>,
    ) -> Result<(), String> {
        supported(value.r#type())?;
        let Some(ty) = graph_type(value.r#type()) else {
            self.arguments.push(None);
            return Ok(());
        };
        let declared = arguments::declared(function, index)?;
        let contiguous = Layout::contiguous(&ty.shape);
        let layout = match &declared.layout {
            arguments::Layout::Strided { strides, offset }
                if strides.contains(&DYNAMIC) || *offset == DYNAMIC =>
            {
                None
            }
            arguments::Layout::Strided { strides, offset } => {
                Some(Layout { strides: strides.clone(), offset: *offset, ..contiguous.clone() })
            }
            arguments::Layout::Contiguous => Some(contiguous.clone()),
            arguments::Layout::Any => None,
        };
        let layout = layout.map(Layout::check).transpose()?;
        let identity = self.identities;
        self.name(value.into(), Origin::Argument(index), layout.clone());
        let layout = layout.unwrap_or(contiguous).check()?;
        self.arguments.push(Some(Argument { declared, layout, dtype: ty.dtype, identity }));
        Ok(())
    }

    fn known(&self, value: Value<'c, 'a>) -> Result<&Tensor, String> {
        self.tensor(value).ok_or_else(|| format!("uses a tensor that comes from elsewhere: {value}"))
    }

    /// The layout of a tensor, where an operation can't do without it.
    fn layout(&self, value: Value<'c, 'a>) -> Result<&Layout, String> {
        let tensor = self.known(value)?;
        tensor.layout.as_ref().ok_or_else(|| {
            "needs strides that are not known: declare graph.layout = strided<[...], offset: ...> with static numbers"
                .into()
        })
    }

    fn reads(&mut self, op: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Result<(), String> {
        let Tensor { origin, layout, .. } = self.known(value)?.clone();
        self.accesses.push(Access { origin, layout, writes: false, op });
        Ok(())
    }

    fn visit(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        if op.name().as_string_ref().as_str() == Ok("func.return") {
            return op
                .operands()
                .filter(|v| is_graph_tensor(v.r#type()))
                .try_for_each(|v| self.known(v).map(drop));
        }
        let Some(op_impl) = registry::of(op).filter(|i| i.dialect == "graph") else { return foreign(op) };
        op.operands().map(|v| v.r#type()).chain(op.results().map(|v| v.r#type())).try_for_each(supported)?;
        if let Ok(write) = graph::WriteBackOp::try_from(op) {
            let layout = self.layout(write.view())?.clone();
            checks::written(&layout)?;
            return self.writes(op, write.view(), layout);
        }
        match op.operand(0) {
            Ok(own) if op_impl.view => self.view(op, op_impl, own),
            Ok(own) if op_impl.name.ends_with('_') => self.in_place(op, op_impl, own),
            _ => self.allocating(op, op_impl),
        }
    }

    fn view(
        &mut self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        own: Value<'c, 'a>,
    ) -> Result<(), String> {
        let origin = self.known(own)?.origin;
        let layouts = views::layouts(op, op_impl, self.layout(own)?)?.ok_or_else(|| unknown(op_impl))?;
        for (result, layout) in op.results().zip(layouts) {
            if let Origin::Fresh(fresh) = origin {
                let (whole, dtype) = &self.fresh[fresh];
                checks::in_bounds(&layout, whole.numel(), *dtype)?;
            }
            self.name(result.into(), origin, Some(layout));
        }
        Ok(())
    }

    fn writes(
        &mut self,
        op: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        layout: Layout,
    ) -> Result<(), String> {
        let origin = self.known(value)?.origin;
        self.written.insert(op.to_raw().ptr as usize, self.accesses.len());
        self.accesses.push(Access { origin, layout: Some(layout), writes: true, op });
        Ok(())
    }

    /// Whether two storages are one, as far as is declared.
    fn one_storage(&self, a: Origin, b: Origin) -> bool {
        let storage = |origin| match origin {
            Origin::Argument(i) => self.arguments[i].as_ref().and_then(|a| a.declared.storage.as_ref()),
            Origin::Fresh(_) => None,
        };
        a == b || storage(a).is_some() && storage(a) == storage(b)
    }

    fn in_place(
        &mut self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        own: Value<'c, 'a>,
    ) -> Result<(), String> {
        let layout = self.layout(own)?.clone();
        let tensor = self.known(own)?.clone();
        let others: Vec<(usize, Value)> =
            op.operands().enumerate().skip(1).filter(|(_, v)| is_graph_tensor(v.r#type())).collect();
        let fills = op_impl.rule == "fill_in_place";
        let copied_onto_itself = op_impl.rule == "copy_in_place"
            && others.iter().all(|(_, v)| {
                self.known(*v).is_ok_and(|t| {
                    self.one_storage(t.origin, tensor.origin) && t.layout.as_ref() == Some(&layout)
                })
            });
        // A number may fill what repeats; a tensor that fills is copied, and first set aside where it aliases.
        let by_number = fills && others.is_empty();
        if !by_number && !copied_onto_itself {
            checks::written(&layout)?;
        }
        if !fills && !copied_onto_itself {
            for (place, other) in &others {
                let operand = self.known(*other)?;
                if operand.identity != tensor.identity && self.one_storage(operand.origin, tensor.origin) {
                    checks::operand(&layout, self.layout(*other)?, *place)?;
                }
            }
        }
        operators::find(op_impl).ok_or_else(|| unknown(op_impl))?;
        let overwrites = fills || op_impl.rule == "copy_in_place";
        if !overwrites {
            self.reads(op, own)?;
        }
        for (_, other) in others {
            self.reads(op, other)?;
        }
        if !copied_onto_itself {
            self.writes(op, own, layout.without_repeats())?;
        }
        let result: Value = op.result(0).map_err(|e| e.to_string())?.into();
        self.tensors.insert(key(result), tensor);
        Ok(())
    }

    fn allocating(&mut self, op: OperationRef<'c, 'a>, op_impl: &'static OpImpl) -> Result<(), String> {
        let boundary = matches!(op_impl.rule, "graph_value" | "graph_fresh");
        let operator = operators::find(op_impl).filter(|_| !boundary);
        if operator.is_none() && !boundary {
            return Err(unknown(op_impl));
        }
        // Only the sizes and strides of the operand are asked for.
        if op_impl.rule != "full_like" {
            for value in op.operands().filter(|v| is_graph_tensor(v.r#type())) {
                self.reads(op, value)?;
            }
        }
        for result in op.results() {
            let Some(ty) = graph_type(result.r#type()) else { continue };
            let layout = match operator {
                Some(operator) => self.new_layout(op, op_impl, operator, &ty)?,
                None => Layout::contiguous(&ty.shape),
            };
            self.name(result.into(), Origin::Fresh(self.fresh.len()), Some(layout.clone().check()?));
            self.fresh.push((layout, ty.dtype));
        }
        Ok(())
    }

    /// The layout that eager gives to a new tensor.
    fn new_layout(
        &self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        operator: &operators::Operator,
        ty: &TensorType<'c>,
    ) -> Result<Layout, String> {
        let layouts = |values: &[Value<'c, 'a>]| -> Result<Vec<Layout>, String> {
            values.iter().map(|v| self.layout(*v).cloned()).collect()
        };
        Ok(match operator.strides {
            operators::Strides::Contiguous => Layout::contiguous(&ty.shape),
            operators::Strides::Like => creation::like(self.layout(view::operand(op, op_impl, 0))?),
            operators::Strides::Cat => creation::cat(&ty.shape, &layouts(&view::variadic(op, op_impl, 0))?),
            operators::Strides::Pointwise => {
                let mut operands = vec![];
                for (value, dtype) in operators::iterated(op, op_impl) {
                    operands.push(match graph_type(value.r#type()) {
                        // What is cast is copied first.
                        Some(t) if dtype.is_some_and(|d| d != t.dtype) => creation::like(self.layout(value)?),
                        Some(_) => self.layout(value)?.clone(),
                        None => Layout::contiguous(&[]),
                    });
                }
                creation::pointwise(&ty.shape, &operands)
            }
            operators::Strides::Convolution => {
                let [input, weight] = [0, 1].map(|place| self.layout(view::operand(op, op_impl, place)));
                creation::convolution(&ty.shape, input?, weight?)
                    .ok_or("has strides in eager that depend on a library: make its operands contiguous")?
            }
            operators::Strides::Index => {
                let own = self.layout(view::operand(op, op_impl, 0))?;
                let mask = |v: &Value| {
                    matches!(graph_type(v.r#type()).map(|t| t.dtype), Some(Dtype::Bool | Dtype::U8))
                };
                if view::variadic(op, op_impl, 1).iter().any(mask) {
                    return Err("indexes by a mask: how many of its elements are true is known at run time only, and \
                                graph-functionalize has no dynamic sizes"
                        .into());
                }
                let indices = layouts(&view::variadic(op, op_impl, 1))?;
                let present = terrace_dialects::attributes::bools(view::required(op, "present"));
                creation::index(&ty.shape, own, &present, &indices)
            }
        })
    }
}

fn unknown(op_impl: &OpImpl) -> String {
    format!("is not known to graph-functionalize: no functional form of '{}'", op_impl.name)
}

/// An operation of another dialect: pure, and not on graph tensors.
fn foreign(op: OperationRef) -> Result<(), String> {
    if touches_tensors(op) {
        if op.name().as_string_ref().as_str() == Ok("func.call") {
            return Err(
                "is not supported on graph tensors: inline the callee first, by the pass inline".into()
            );
        }
        return Err("is not supported on graph tensors: graph-functionalize knows the operators of the graph dialect \
                    in straight-line code"
            .into());
    }
    if !bridge::is_memory_effect_free(op) {
        return Err("is not supported in a function on graph tensors: it may read or write memory".into());
    }
    Ok(())
}
