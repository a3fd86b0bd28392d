//! What each tensor of a function is: its storage, its layout, its identity; and what is read and written.
//!
//! One walk over a body, before anything is changed ([`visits`](super::visits)). It refuses, at the
//! operation, what eager refuses (in eager's words), what depends on an order of evaluation that eager leaves
//! open, and what this pass does not know.

pub use super::tensors::{Access, Argument, Fresh, Origin, Tensor};
use super::{
    joins::{Flow, Round},
    tensors::{Capacity, Choice, Derivation, DynamicView, Granules, Layout, Selector, Source, UNKNOWN},
    transform::ElementTransform,
};
use melior::ir::{
    BlockRef, OperationRef, Type, Value, ValueLike,
    block::BlockArgument,
    operation::{WalkOrder, WalkResult},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use terrace_dialects::ir::{
    BlockLike, OperationLike, arguments,
    dtype::Dtype,
    operations::key,
    refusal::Reason,
    types::{TensorType, is_graph_tensor},
};
use terrace_size::{DYNAMIC, Size, symbols::Symbol};

/// What is known of a function's body.
pub struct Analysis<'c, 'a> {
    /// One entry per argument; None where it is no graph tensor.
    pub arguments: Vec<Option<Argument>>,
    /// Each new storage, whole.
    pub fresh: Vec<Fresh<'c, 'a>>,
    /// Each dynamic view.
    pub dynamic_views: Vec<DynamicView<'c, 'a>>,
    /// Reads and writes in order.
    pub accesses: Vec<Access<'c, 'a>>,
    pub(crate) tensors: FxHashMap<usize, Choice>,
    /// What says which of several tensors values name.
    pub(crate) selectors: Vec<Selector<'c, 'a>>,
    pub(crate) conditions: FxHashMap<usize, usize>,
    /// The states that are looked at, by selector, and the number of their combination.
    pub(crate) looked_at: Vec<(usize, usize)>,
    pub(crate) combination: usize,
    /// Storages that stand for any of a shape and a dtype.
    pub(crate) anything: FxHashMap<(Vec<i64>, Dtype), usize>,
    /// The first of the accesses that may come after a custom operator without a schema, where there is one.
    pub(crate) opaque: Option<usize>,
    /// The storage of the generator's state, where the function knows the generator.
    pub(crate) generator: Option<usize>,
    /// Operations that may draw by themselves.
    pub(crate) synced: FxHashSet<usize>,
    /// Storages that change their size.
    pub(crate) capacities: FxHashMap<Origin, Capacity>,
    /// What storages lose, by the operations that make them smaller.
    pub(crate) lost: FxHashMap<usize, (Origin, Layout)>,
    /// How many new storages there were before the innermost control flow around.
    pub(crate) outside: Option<usize>,
    /// What storages count in.
    pub(crate) granules: Granules,
    /// What they are to count in.
    pub(crate) finer: Granules,
    /// The selectors of an operation's operands.
    pub(crate) operands: FxHashMap<usize, Vec<usize>>,
    /// What came round in the loops inside of the one that is followed, when they were followed before.
    pub(crate) came_round: FxHashMap<usize, Vec<Round>>,
    /// Control flow with graph tensors.
    pub(crate) flows: FxHashMap<usize, Flow>,
    /// What each operation writes, in each combination of the states of its operands.
    pub(crate) written: FxHashMap<usize, SmallVec<[SmallVec<[usize; 1]>; 1]>>,
    /// What numbers are, that sizes may depend on.
    pub(crate) numbers: FxHashMap<usize, Size>,
    /// Whether nothing is to be a symbol.
    pub(crate) only_static: bool,
    /// Where symbols come from.
    pub(crate) symbols: Vec<(Symbol, Source<'c, 'a>)>,
    /// Sizes that depend on elements, by the tensor and the dimension.
    pub(crate) counted: FxHashMap<(usize, usize), (Symbol, Size)>,
    /// The symbols of numbers that are computed.
    pub(crate) computed: FxHashMap<usize, Symbol>,
    /// The symbols of arguments and of their sizes, and their places.
    pub(crate) given: FxHashMap<(usize, Option<usize>), Symbol>,
    pub(crate) given_places: FxHashSet<usize>,
    /// Whether there are tensors of sizes that are symbols.
    pub(crate) has_open: bool,
    /// Tensors by identity, each with how the boundary makes it where it can't do so by numbers.
    pub identities: Vec<(Tensor, Option<Derivation<'c>>)>,
}

/// An operation, and what is wrong with it.
pub type At<'c, 'a> = (OperationRef<'c, 'a>, String);

/// The graph tensor type of a value.
pub(crate) fn graph_type<'c>(ty: Type<'c>) -> Option<TensorType<'c>> {
    TensorType::of(ty).filter(|t| t.graph)
}

/// Whether graph tensors or the generator occur in an operation or inside it.
pub fn accesses_tensors(op: OperationRef) -> bool {
    let mut found = false;
    op.walk(WalkOrder::PreOrder, |inner| {
        let values = inner.operands().map(|v| v.r#type()).chain(inner.results().map(|v| v.r#type()));
        found |= values.into_iter().any(is_graph_tensor)
            || crate::graph::functionalize::analysis::generator::knows_generator(inner);
        if found { WalkResult::Interrupt } else { WalkResult::Advance }
    });
    found
}

impl<'c, 'a> Analysis<'c, 'a> {
    pub(crate) fn new() -> Self {
        Self {
            arguments: vec![],
            fresh: vec![],
            dynamic_views: vec![],
            accesses: vec![],
            tensors: FxHashMap::default(),
            selectors: vec![],
            conditions: FxHashMap::default(),
            looked_at: vec![],
            combination: 0,
            opaque: None,
            capacities: FxHashMap::default(),
            lost: FxHashMap::default(),
            outside: None,
            granules: Granules::default(),
            finer: Granules::default(),
            generator: None,
            synced: FxHashSet::default(),
            anything: FxHashMap::default(),
            operands: FxHashMap::default(),
            came_round: FxHashMap::default(),
            flows: FxHashMap::default(),
            written: FxHashMap::default(),
            identities: vec![],
            numbers: FxHashMap::default(),
            symbols: vec![],
            counted: FxHashMap::default(),
            computed: FxHashMap::default(),
            given: FxHashMap::default(),
            given_places: FxHashSet::default(),
            has_open: false,
            only_static: false,
        }
    }

    /// Refuses tensors that are not for here.
    pub(crate) fn supported(&self, ty: Type) -> Result<(), String> {
        match graph_type(ty) {
            Some(t) if self.only_static && !t.is_static() => {
                Err(Reason::Size.says(format!("sizes must be static here, got {ty}")))
            }
            Some(t) if t.device.is_some() => {
                Err(Reason::Form.says(format!("tensors must be on the CPU here, got {ty}")))
            }
            _ => Ok(()),
        }
    }

    /// What is known, in numbers, where a function begins: of the arguments that it can't say anything of,
    /// nothing.
    pub fn at_entry(function: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Self {
        Self { only_static: true, ..Self::new() }.begin(function, block)
    }

    /// The same, with symbols for sizes that are not static.
    pub(crate) fn with_symbols(function: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Self {
        Self::new().begin(function, block)
    }

    fn begin(self, function: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Self {
        let mut analysis = self;
        for index in 0..block.argument_count() {
            let known = block.argument(index).is_ok_and(|a| analysis.argument(function, index, a).is_ok());
            if !known {
                analysis.arguments.push(None);
            }
        }
        analysis
    }

    /// The layout of a tensor in memory, where its strides are known. Its offset counts from index 0 where an
    /// index of the run says it.
    pub fn in_memory(&self, value: Value) -> Option<&Layout> {
        self.tensor(value).filter(|t| !self.is_logical(t.origin)).map(|t| &t.layout)
    }

    /// The same, where its offset is known too.
    pub fn placed(&self, value: Value) -> Option<&Layout> {
        let is_placed = |tensor: &&Tensor| self.root(tensor.origin) == tensor.origin;
        self.tensor(value).filter(is_placed).and_then(|_| self.in_memory(value))
    }

    /// Walks over a function of one block.
    pub(crate) fn function(
        &mut self,
        function: OperationRef<'c, 'a>,
        block: BlockRef<'c, 'a>,
    ) -> Result<(), At<'c, 'a>> {
        for index in 0..block.argument_count() {
            let argument = block.argument(index).map_err(|e| (function, e.to_string()))?;
            self.argument(function, index, argument)
                .map_err(|m| (function, format!("argument {index}: {m}")))?;
        }
        self.shared();
        self.generator_of(function);
        let end = self.block(block)?.ok_or((function, "has a body without end".to_string()))?;
        self.in_memory_for_opaque()?;
        for value in end.operands().filter(|value| is_graph_tensor(value.r#type())) {
            let choice = self.choice(value).ok_or((end, "uses a tensor that comes from elsewhere".into()))?;
            for identity in &choice.states {
                self.returned(end, &self.identities[*identity].0)?;
            }
        }
        Ok(())
    }

    /// Refuses a tensor to be returned that the boundary can't make.
    fn returned(&self, end: OperationRef<'c, 'a>, tensor: &Tensor) -> Result<(), At<'c, 'a>> {
        self.has_all(tensor.origin).map_err(|message| (end, message))?;
        let Origin::Fresh(number) = tensor.origin else { return Ok(()) };
        let Fresh { logical: true, op, .. } = &self.fresh[number] else { return Ok(()) };
        if op.name().as_string_ref().as_str() == Ok("graph.custom") {
            let why = "is returned with strides that the operator chooses: return a clone in a memory format";
            return Err((*op, Reason::Layout.says(why)));
        }
        Err((
            *op,
            Reason::Layout.says(format!(
                "is returned with strides that eager derives from those of an argument, {UNKNOWN}, or return a clone of \
                 memory_format = \"contiguous_format\""
            )),
        ))
    }

    /// The tensor that a value names, where that is one in the states that are looked at.
    pub fn tensor(&self, value: Value) -> Option<&Tensor> {
        self.identity(value).map(|identity| &self.identities[identity].0)
    }

    /// Whether layouts over a storage are logical: its strides are not known.
    pub fn is_logical(&self, origin: Origin) -> bool {
        match origin {
            Origin::Argument(i) => self.arguments[i].as_ref().is_some_and(|a| a.logical),
            Origin::Fresh(i) => self.fresh[i].logical,
            Origin::DynamicView(_) => false,
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

    /// The element type that a storage counts in.
    pub fn dtype(&self, origin: Origin) -> Option<Dtype> {
        if let Some(granules) = self.granules.get(&origin) {
            return Some(*granules);
        }
        match origin {
            Origin::Argument(i) => self.arguments.get(i)?.as_ref().map(|a| a.dtype),
            Origin::Fresh(i) => self.fresh.get(i).map(|f| f.dtype),
            Origin::DynamicView(i) => self.dynamic_views.get(i).map(|w| w.dtype),
        }
    }

    pub(crate) fn name(
        &mut self,
        value: Value,
        origin: Origin,
        layout: Layout,
        (span, transform): (Layout, ElementTransform),
        made: Option<Derivation<'c>>,
    ) -> usize {
        let identity = self.object(Tensor { origin, identity: 0, layout, span, transform }, made);
        self.is(value, identity);
        identity
    }

    /// A new tensor, and its identity.
    pub(crate) fn object(&mut self, tensor: Tensor, made: Option<Derivation<'c>>) -> usize {
        let identity = self.identities.len();
        self.identities.push((Tensor { identity, ..tensor }, made));
        identity
    }

    /// A new storage of a layout and a dtype, whose strides are known, with a tensor that is all of it, named
    /// by a value where one does; its number.
    pub(crate) fn new_storage(
        &mut self,
        op: OperationRef<'c, 'a>,
        value: Option<Value>,
        layout: Layout,
        dtype: Dtype,
    ) -> usize {
        let number = self.fresh.len();
        let (origin, transform) = (Origin::Fresh(number), ElementTransform::stored(dtype));
        let span = self.whole(origin, &layout, dtype);
        let whole = Tensor { origin, identity: 0, layout: layout.clone(), span, transform };
        let identity = self.object(whole, None);
        if let Some(value) = value {
            self.is(value, identity);
        }
        self.fresh.push(Fresh { layout, dtype, logical: false, identity, op });
        number
    }

    /// A tensor comes from elsewhere: its storage is taken for a new one.
    pub fn met(
        &mut self,
        op: OperationRef<'c, 'a>,
        value: Value,
        layout: Layout,
        transform: ElementTransform,
    ) {
        let number = self.new_storage(op, None, layout.clone(), transform.dtype);
        let tensor =
            Tensor { origin: Origin::Fresh(number), identity: 0, span: layout.clone(), layout, transform };
        let identity = self.object(tensor, None);
        self.is(value, identity);
    }

    /// A value names a tensor.
    pub(crate) fn is(&mut self, value: Value, identity: usize) {
        self.tensors.insert(key(value), Choice { by: vec![], states: smallvec![identity] });
    }

    pub(crate) fn argument(
        &mut self,
        function: OperationRef<'c, 'a>,
        index: usize,
        value: BlockArgument<'c, 'a>,
    ) -> Result<(), String> {
        self.supported(value.r#type())?;
        let Some(ty) = graph_type(value.r#type()) else {
            self.given(value.into(), Source::Argument(index));
            self.arguments.push(None);
            return Ok(());
        };
        let declared = arguments::declared(function, index)?;
        let sizes = self.sizes_of_argument(index, &ty);
        let contiguous = Layout::contiguous(&sizes);
        let (layout, logical) = match &declared.layout {
            arguments::Layout::Strided { strides, offset }
                if !strides.contains(&DYNAMIC) && *offset != DYNAMIC =>
            {
                let strides = strides.iter().map(|stride| Size::from(*stride)).collect();
                (Layout { strides, offset: (*offset).into(), ..contiguous }, false)
            }
            arguments::Layout::Contiguous => (contiguous, false),
            arguments::Layout::Strided { .. } | arguments::Layout::Any => (contiguous, true),
        };
        let layout = layout.check()?;
        let origin = Origin::Argument(index);
        let stored = (self.whole(origin, &layout, ty.dtype), ElementTransform::stored(ty.dtype));
        let identity = self.name(value.into(), origin, layout.clone(), stored, None);
        self.arguments.push(Some(Argument { declared, layout, logical, dtype: ty.dtype, identity }));
        Ok(())
    }

    pub(crate) fn known(&self, value: Value<'c, 'a>) -> Result<&Tensor, String> {
        // No text of the value: printing looks at functions that other threads rewrite.
        self.tensor(value).ok_or_else(|| "uses a tensor that comes from elsewhere".to_string())
    }

    pub(crate) fn layout(&self, value: Value<'c, 'a>) -> Result<&Layout, String> {
        Ok(&self.known(value)?.layout)
    }

    /// An access of a part of a tensor's storage: the part as the tensor counts, and in elements of the
    /// storage.
    pub(crate) fn access(
        &mut self,
        op: OperationRef<'c, 'a>,
        tensor: &Tensor,
        (view, layout): (Layout, Layout),
        writes: bool,
    ) {
        let (origin, at) = (self.root(tensor.origin), tensor.origin);
        self.accesses.push(Access { origin, at, layout, view, identity: tensor.identity, writes, op });
    }

    pub(crate) fn reads(&mut self, op: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Result<(), String> {
        let tensor = self.known(value)?.clone();
        let (layout, span) = (tensor.layout.clone(), tensor.span.clone());
        self.within_capacity(&tensor, &span)?;
        self.access(op, &tensor, (layout, span), false);
        Ok(())
    }

    /// Whether two storages are one, as far as is declared.
    pub(crate) fn one_storage(&self, a: Origin, b: Origin) -> bool {
        let storage = |origin| match origin {
            Origin::Argument(i) => self.arguments[i].as_ref().and_then(|a| a.declared.storage.as_ref()),
            Origin::Fresh(_) | Origin::DynamicView(_) => None,
        };
        let (a, b) = (self.root(a), self.root(b));
        a == b || storage(a).is_some() && storage(a) == storage(b)
    }
}
