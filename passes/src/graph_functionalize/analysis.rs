//! What each tensor of a function is: its storage, its layout, its identity; and what is read and written.
//!
//! One walk over a straight-line body, before anything is changed. It refuses, at the operation, what eager refuses
//! (in eager's words), what depends on an order of evaluation that eager leaves open, and what this pass does not know.

pub use super::tensors::{Access, Argument, Fresh, Origin, Tensor};
use super::{
    checks,
    choices::{Choice, Selector},
    flow::Flow,
    frames::{self, Frame, Made, UNKNOWN},
    operators,
    seen::Seen,
    windows::Window,
};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, Type, Value, ValueLike,
    block::BlockArgument,
    operation::{OperationLike, WalkOrder, WalkResult},
};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use terrace_dialects::{
    arguments,
    dtype::Dtype,
    ops::graph,
    placement,
    registry::{self, OpImpl},
    strided::Layout,
    types::{DYNAMIC, TensorType, is_graph_tensor},
};

/// What is known of a function's body.
pub struct Analysis<'c, 'a> {
    /// One entry per argument; None where it is no graph tensor.
    pub arguments: Vec<Option<Argument>>,
    /// Each new storage, whole.
    pub fresh: Vec<Fresh<'c, 'a>>,
    /// Each window.
    pub windows: Vec<Window<'c, 'a>>,
    /// Reads and writes in order.
    pub accesses: Vec<Access<'c, 'a>>,
    pub(super) tensors: FxHashMap<usize, Choice>,
    /// What says which of several tensors values name.
    pub(super) selectors: Vec<Selector<'c, 'a>>,
    pub(super) conditions: FxHashMap<usize, usize>,
    /// The states that are looked at, by selector, and the number of their combination.
    pub(super) looked_at: Vec<(usize, usize)>,
    pub(super) combination: usize,
    /// Storages that stand for any of a shape and a dtype.
    pub(super) anything: FxHashMap<(Vec<i64>, Dtype), usize>,
    /// The first of the accesses that may come after a custom operator without a schema, where there is one.
    pub(super) opaque: Option<usize>,
    /// The selectors of an operation's operands.
    pub(super) operands: FxHashMap<usize, Vec<usize>>,
    /// Control flow with graph tensors.
    pub(super) flows: FxHashMap<usize, Flow>,
    /// What each operation writes, in each combination of the states of its operands.
    written: FxHashMap<usize, SmallVec<[SmallVec<[usize; 1]>; 1]>>,
    /// Tensors by identity, each with how the boundary makes it where it can't do so by numbers.
    pub identities: Vec<(Tensor, Option<Made<'c>>)>,
}

/// An operation, and what is wrong with it.
pub type At<'c, 'a> = (OperationRef<'c, 'a>, String);

pub(super) fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

/// The graph tensor type of a value.
pub(super) fn graph_type<'c>(ty: Type<'c>) -> Option<TensorType<'c>> {
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
    pub(super) fn new() -> Self {
        Self {
            arguments: vec![],
            fresh: vec![],
            windows: vec![],
            accesses: vec![],
            tensors: FxHashMap::default(),
            selectors: vec![],
            conditions: FxHashMap::default(),
            looked_at: vec![],
            combination: 0,
            opaque: None,
            anything: FxHashMap::default(),
            operands: FxHashMap::default(),
            flows: FxHashMap::default(),
            written: FxHashMap::default(),
            identities: vec![],
        }
    }

    /// What is known where a function begins: of the arguments that it can't say anything of, nothing.
    pub fn at_entry(function: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Self {
        let mut analysis = Self::new();
        for index in 0..block.argument_count() {
            let known = block.argument(index).is_ok_and(|a| analysis.argument(function, index, a).is_ok());
            if !known {
                analysis.arguments.push(None);
            }
        }
        analysis
    }

    /// The layout of a tensor in memory, where it is known.
    pub fn in_memory(&self, value: Value) -> Option<&Layout> {
        self.tensor(value).filter(|t| !self.is_framed(t.origin)).map(|t| &t.layout)
    }

    /// Walks over a function of one block. An error is an operation and what is wrong with it.
    pub fn of(function: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Result<Self, At<'c, 'a>> {
        let mut analysis = Self::new();
        for index in 0..block.argument_count() {
            let argument = block.argument(index).map_err(|e| (function, e.to_string()))?;
            analysis
                .argument(function, index, argument)
                .map_err(|m| (function, format!("argument {index}: {m}")))?;
        }
        let end = analysis.block(block)?;
        analysis.in_memory_for_opaque()?;
        let returned: Vec<Value> = end.iter().flat_map(|end| end.operands()).collect();
        for value in &returned {
            if is_graph_tensor(value.r#type()) && analysis.choice(*value).is_none() {
                return Err((end.unwrap_or(function), "uses a tensor that comes from elsewhere".to_string()));
            }
        }
        let states = returned.iter().filter_map(|v| analysis.choice(*v)).flat_map(|choice| &choice.states);
        for tensor in states.map(|identity| &analysis.identities[*identity].0) {
            if let Origin::Window(_) = tensor.origin {
                return Err((end.unwrap_or(function), super::windows::RETURNED.into()));
            }
            if let Origin::Fresh(i) = tensor.origin
                && let Fresh { frame: Frame::Open, op, .. } = &analysis.fresh[i]
            {
                if op.name().as_string_ref().as_str() == Ok("graph.custom") {
                    let why = "is returned with strides that the operator chooses: return a clone in a memory format";
                    return Err((*op, why.into()));
                }
                let why = format!(
                    "is returned with strides that eager derives from those of an argument, {UNKNOWN}"
                );
                return Err((*op, why));
            }
        }
        Ok(analysis)
    }

    /// The tensor that a value names, where that is one in the states that are looked at.
    pub fn tensor(&self, value: Value) -> Option<&Tensor> {
        self.identity(value).map(|identity| &self.identities[identity].0)
    }

    /// Whether layouts over a storage are in its frame: its strides are not known.
    pub fn is_framed(&self, origin: Origin) -> bool {
        match origin {
            Origin::Argument(i) => self.arguments[i].as_ref().is_some_and(|a| a.framed),
            Origin::Fresh(i) => !matches!(self.fresh[i].frame, Frame::Known),
            Origin::Window(_) => false,
        }
    }

    /// What an operation writes, in each combination of the states of its operands: numbers of accesses.
    pub fn writes_of(&self, op: OperationRef) -> &[SmallVec<[usize; 1]>] {
        self.written.get(&(op.to_raw().ptr as usize)).map_or(&[], SmallVec::as_slice)
    }

    /// What an operation writes first: the sizes are the same in all states.
    pub fn written(&self, op: OperationRef) -> Option<&Access<'c, 'a>> {
        self.writes_of(op).iter().flatten().next().map(|number| &self.accesses[*number])
    }

    /// The element type of a storage.
    pub fn dtype(&self, origin: Origin) -> Option<Dtype> {
        match origin {
            Origin::Argument(i) => self.arguments.get(i)?.as_ref().map(|a| a.dtype),
            Origin::Fresh(i) => self.fresh.get(i).map(|f| f.dtype),
            Origin::Window(i) => self.windows.get(i).map(|w| w.dtype),
        }
    }

    pub(super) fn name(
        &mut self,
        value: Value,
        origin: Origin,
        layout: Layout,
        (span, seen): (Layout, Seen),
        made: Option<Made<'c>>,
    ) -> usize {
        let identity = self.object(Tensor { origin, identity: 0, layout, span, seen }, made);
        self.is(value, identity);
        identity
    }

    /// A new tensor, and its identity.
    pub(super) fn object(&mut self, tensor: Tensor, made: Option<Made<'c>>) -> usize {
        let identity = self.identities.len();
        self.identities.push((Tensor { identity, ..tensor }, made));
        identity
    }

    /// A new storage of a layout and a dtype, whose strides are known, with a tensor that is all of it, named by a value where one
    /// does; its number.
    pub(super) fn new_storage(
        &mut self,
        op: OperationRef<'c, 'a>,
        value: Option<Value>,
        layout: Layout,
        dtype: Dtype,
    ) -> usize {
        let number = self.fresh.len();
        let (span, seen) = (layout.clone(), Seen::stored(dtype));
        let whole = Tensor { origin: Origin::Fresh(number), identity: 0, layout: layout.clone(), span, seen };
        let identity = self.object(whole, None);
        if let Some(value) = value {
            self.is(value, identity);
        }
        self.fresh.push(Fresh { layout, dtype, frame: Frame::Known, identity, op });
        number
    }

    /// A tensor comes from elsewhere: its storage is taken for a new one.
    pub fn met(&mut self, op: OperationRef<'c, 'a>, value: Value, layout: Layout, seen: Seen) {
        let number = self.new_storage(op, None, layout.clone(), seen.dtype);
        let tensor =
            Tensor { origin: Origin::Fresh(number), identity: 0, span: layout.clone(), layout, seen };
        let identity = self.object(tensor, None);
        self.is(value, identity);
    }

    /// A value names a tensor.
    pub(super) fn is(&mut self, value: Value, identity: usize) {
        self.tensors.insert(key(value), Choice { by: vec![], states: smallvec![identity] });
    }

    pub(super) fn argument(
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
        let (layout, framed) = match &declared.layout {
            arguments::Layout::Strided { strides, offset }
                if !strides.contains(&DYNAMIC) && *offset != DYNAMIC =>
            {
                (Layout { strides: strides.clone(), offset: *offset, ..contiguous }, false)
            }
            arguments::Layout::Contiguous => (contiguous, false),
            arguments::Layout::Strided { .. } | arguments::Layout::Any => (contiguous, true),
        };
        let layout = layout.check()?;
        let stored = (layout.clone(), Seen::stored(ty.dtype));
        let identity = self.name(value.into(), Origin::Argument(index), layout.clone(), stored, None);
        self.arguments.push(Some(Argument { declared, layout, framed, dtype: ty.dtype, identity }));
        Ok(())
    }

    pub(super) fn known(&self, value: Value<'c, 'a>) -> Result<&Tensor, String> {
        // No text of the value: printing looks at functions that other threads rewrite.
        self.tensor(value).ok_or_else(|| "uses a tensor that comes from elsewhere".to_string())
    }

    pub(super) fn layout(&self, value: Value<'c, 'a>) -> Result<&Layout, String> {
        Ok(&self.known(value)?.layout)
    }

    /// An access of a part of a tensor's storage: the part as the tensor counts, and in elements of the storage.
    fn access(
        &mut self,
        op: OperationRef<'c, 'a>,
        tensor: &Tensor,
        (view, layout): (Layout, Layout),
        writes: bool,
    ) {
        let (origin, at) = (self.root(tensor.origin), tensor.origin);
        self.accesses.push(Access { origin, at, layout, view, identity: tensor.identity, writes, op });
    }

    pub(super) fn reads(&mut self, op: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Result<(), String> {
        let tensor = self.known(value)?.clone();
        let (layout, span) = (tensor.layout.clone(), tensor.span.clone());
        self.access(op, &tensor, (layout, span), false);
        Ok(())
    }

    /// Takes in one more operation, with all that is inside of it.
    ///
    /// # Errors
    /// An operation and what is wrong with it; nothing is known of its results then.
    pub fn visit(&mut self, op: OperationRef<'c, 'a>) -> Result<(), At<'c, 'a>> {
        if self.follow(op)? {
            return Ok(());
        }
        self.written.remove(&(op.to_raw().ptr as usize));
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
    pub(super) fn visit_one(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let Some(op_impl) = registry::of(op).filter(|i| i.dialect == "graph") else {
            foreign(op)?;
            self.beside(op);
            return Ok(());
        };
        op.operands().map(|v| v.r#type()).chain(op.results().map(|v| v.r#type())).try_for_each(supported)?;
        if op_impl.name == "graph.custom" {
            return self.custom(op);
        }
        if let Ok(write) = graph::WriteBackOp::try_from(op) {
            let layout = self.layout(write.view())?.clone();
            checks::written(&layout, true)?;
            return self.writes(op, write.view(), layout);
        }
        // Asked for an operand that is not there, an operation is printed, which looks at functions that other threads rewrite.
        match op.operands().next() {
            Some(own) if op_impl.view => self.view(op, op_impl, own),
            Some(own) if op_impl.is_in_place() => self.in_place(op, op_impl, own),
            _ => self.allocating(op, op_impl),
        }
    }

    pub(super) fn view(
        &mut self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        own: Value<'c, 'a>,
    ) -> Result<(), String> {
        let Tensor { origin, identity: source, layout, seen, .. } = self.known(own)?.clone();
        let framed = self.is_framed(origin);
        if framed {
            frames::check(op, op_impl, &layout)?;
        }
        if let Some((dim, keeps)) = super::windows::opened(op, op_impl) {
            return self.window(op, source, dim, keeps);
        }
        let layouts = placement::views::layouts(op, op_impl, &layout)?.ok_or_else(|| unknown(op_impl))?;
        let in_window = self.root(origin) != origin;
        let named = if framed { Some(frames::ViewOp::of(op)?) } else { None };
        let stored = self.dtype(origin).ok_or("views a storage that is not known")?;
        for (index, (result, layout)) in op.results().zip(layouts).enumerate() {
            let ty = graph_type(result.r#type()).ok_or("a view is a tensor")?;
            let seen = seen.through(op_impl, ty.dtype)?;
            let span = match in_window {
                true => self.window_span(op_impl, source, seen)?,
                false => seen.span(&layout, stored)?.0,
            };
            if let Origin::Fresh(fresh) = origin {
                let whole = &self.fresh[fresh];
                checks::in_bounds(&span, whole.layout.numel(), whole.dtype)?;
            }
            let made = named.clone().map(|op| Made { op, source, index });
            self.name(result.into(), origin, layout, (span, seen), made);
        }
        Ok(())
    }

    pub(super) fn writes(
        &mut self,
        op: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        layout: Layout,
    ) -> Result<(), String> {
        let tensor = self.known(value)?.clone();
        let stored = self.dtype(tensor.origin).ok_or("writes a storage that is not known")?;
        let span = match self.root(tensor.origin) == tensor.origin {
            true => tensor.seen.span(&layout, stored)?.0,
            false => tensor.span.clone(),
        };
        let all = self.written.entry(op.to_raw().ptr as usize).or_default();
        all.resize(all.len().max(self.combination + 1), smallvec![]);
        all[self.combination].push(self.accesses.len());
        self.access(op, &tensor, (layout, span), true);
        Ok(())
    }

    /// Whether two storages are one, as far as is declared.
    pub(super) fn one_storage(&self, a: Origin, b: Origin) -> bool {
        let storage = |origin| match origin {
            Origin::Argument(i) => self.arguments[i].as_ref().and_then(|a| a.declared.storage.as_ref()),
            Origin::Fresh(_) | Origin::Window(_) => None,
        };
        let (a, b) = (self.root(a), self.root(b));
        a == b || storage(a).is_some() && storage(a) == storage(b)
    }

    pub(super) fn allocating(
        &mut self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
    ) -> Result<(), String> {
        let boundary = matches!(op_impl.rule, "graph_value" | "graph_fresh");
        let operator = operators::find(op_impl).filter(|_| !boundary);
        let known = operator.is_some() || super::custom::draws(op_impl);
        let own = op.operands().next().and_then(|own| TensorType::of(own.r#type()));
        if op_impl.rule == "native_dropout" && own.is_some_and(|own| own.elements() == Some(0)) {
            return Err(
                "gives its operand itself where that has no elements, which has no form as loops yet".into(),
            );
        }
        if !known && !boundary {
            return Err(unknown(op_impl));
        }
        // Others ask for sizes and strides of the operand only.
        if !matches!(op_impl.rule, "like" | "sym_size" | "sym_number") {
            for value in op.operands().filter(|v| is_graph_tensor(v.r#type())) {
                self.reads(op, value)?;
            }
        }
        self.writes_beside(op, op_impl)?;
        for (number, result) in op.results().enumerate() {
            let Some(ty) = graph_type(result.r#type()) else { continue };
            let (layout, frame) = match known {
                true => self.new_layout(op, op_impl, number, &ty)?,
                false => (Layout::contiguous(&ty.shape), Frame::Known),
            };
            let layout = layout.check()?;
            let number = self.new_storage(op, Some(result.into()), layout, ty.dtype);
            self.fresh[number].frame = frame;
        }
        Ok(())
    }
}

pub(super) fn unknown(op_impl: &OpImpl) -> String {
    format!("is not known to graph-functionalize: no functional form of '{}'", op_impl.name)
}

/// Refuses an operation of another dialect on graph tensors.
fn foreign(op: OperationRef) -> Result<(), String> {
    if touches_tensors(op) {
        if op.name().as_string_ref().as_str() == Ok("func.call") {
            return Err(
                "is not supported on graph tensors: inline the callee first, by the pass inline".into()
            );
        }
        return Err("is not supported on graph tensors: graph-functionalize knows the operators of the graph dialect \
                    and the control flow of scf"
            .into());
    }
    Ok(())
}
