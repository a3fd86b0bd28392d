//! A loop operation on memrefs, or a member of a group on memrefs, read and checked: its domain, its body,
//! what the body uses from outside.

use super::{
    access::{Access, Pattern},
    cursor::{Bound, Env, Lane},
    elementwise::{is_elementwise, is_number},
    places::{Places, placed},
    rounds,
};
use melior::ir::{OperationRef, RegionLike, RegionRef, Type, ValueLike, operation::OperationResult};
use std::{collections::HashSet, rc::Rc};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike, attributes,
        cursor::V,
        extent::Extent,
        operations::{self, key, name_of, refuse},
        pass::Failure,
        shaped::Shaped,
        types::part,
    },
    loops::{
        combiners,
        scatters::{Meeting, may_meet},
        widened,
    },
    ops::{Combiner, loop_},
};
use terrace_size::DYNAMIC;

/// What becomes of the elements that the body yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Each is an element of the destination.
    Pointwise,
    /// Each goes where the body says.
    Scatter(Meeting),
    /// Those of the inner domain are combined.
    Reduction(Combiner),
    /// Each is combined with those before it along a dimension.
    Scan(Scan),
}

/// How a scan runs along its dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    pub combiner: Combiner,
    pub dim: usize,
    /// A point itself does not count.
    pub exclusive: bool,
    /// From the end.
    pub reverse: bool,
}

impl Kind {
    /// Its part of a kernel's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Pointwise => "pointwise",
            Kind::Scatter(_) => "scatter",
            Kind::Reduction(_) => "reduction",
            Kind::Scan(_) => "scan",
        }
    }
}

/// What the body yields.
#[derive(Clone, Copy)]
pub(crate) enum Element<'c, 'a> {
    /// A value.
    Value(V<'c, 'a>),
    /// What a combiner gives of nothing, everywhere.
    Identity(Combiner, Type<'c>),
}

/// A loop operation on memrefs.
#[derive(Clone)]
pub(crate) struct Nest<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub kind: Kind,
    /// The outer domain, then the inner one; [`DYNAMIC`](terrace_size::DYNAMIC) where a size is known when
    /// the program runs.
    pub sizes: Vec<i64>,
    /// The same sizes, with the values outside of the kernel.
    pub extents: Vec<Extent<'c, 'a>>,
    /// How many dimensions the outer domain has.
    pub outer: usize,
    /// An index for each dimension.
    pub indices: Vec<V<'c, 'a>>,
    /// What else is known of each point, and differs between points.
    pub given: Vec<V<'c, 'a>>,
    /// The operations of the body, in order, without the yield.
    pub body: Vec<OperationRef<'c, 'a>>,
    /// What is yielded.
    pub element: Element<'c, 'a>,
    /// Where it goes; in a reduction where the combined element goes. In a member of a group the buffer is
    /// its result.
    pub store: Access<'c, 'a>,
    /// The indices of the group's domain, for a member.
    pub around: Vec<V<'c, 'a>>,
    /// Where what members of the group give stands.
    pub places: Rc<Places<'c, 'a>>,
    /// The dimensions from the outermost loop to the lanes, where that is decided.
    pub order: Option<Vec<usize>>,
    /// How many indices of each dimension of the outer domain a grid point has, where that is decided.
    pub tile: Option<Vec<i64>>,
}

/// What a size of the run is taken for where something is decided by it.
pub(crate) const USUAL: i64 = 1024;

/// A size, or what it is taken for.
pub(crate) fn usual(size: i64) -> i64 {
    if size == DYNAMIC { USUAL } else { size }
}

/// Whether a pass of this file converts the operation.
pub(crate) fn is_loop(op: OperationRef) -> bool {
    loop_::PointwiseOp::try_from(op).is_ok()
        || loop_::ScatterOp::try_from(op).is_ok()
        || loop_::ReductionOp::try_from(op).is_ok()
        || loop_::ScanOp::try_from(op).is_ok()
}

/// Whether a value is what a member of a group gives.
pub(crate) fn is_local(value: V) -> bool {
    let owner = operations::definition(value).and_then(|op| op.parent_operation());
    owner.is_some_and(|owner| loop_::GroupOp::try_from(owner).is_ok())
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// Reads a loop operation; what can't become a kernel is a located error.
    pub fn read(op: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let nest = Self::of(op)?;
        nest.check()?;
        Ok(nest)
    }

    /// Reads a loop operation on tensors or memrefs, whatever is in its body: to see what it would become.
    pub fn of(op: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let (kind, extents, reduced, init, region) = if let Ok(view) = loop_::PointwiseOp::try_from(op) {
            let extents = Extent::listed(&view.sizes(), &view.dynamic_sizes());
            (Kind::Pointwise, extents, 0, view.init(), view.body())
        } else if let Ok(view) = loop_::ScatterOp::try_from(op) {
            let extents = Extent::listed(&view.sizes(), &view.dynamic_sizes());
            (Kind::Scatter(Meeting::of(view)), extents, 0, Some(view.init()), view.body())
        } else if let Ok(view) = loop_::ScanOp::try_from(op) {
            let scan = Scan {
                combiner: view.combiner(),
                dim: view.dim() as usize,
                exclusive: view.exclusive().is_some(),
                reverse: view.reverse().is_some(),
            };
            let extents = Extent::listed(&view.sizes(), &view.dynamic_sizes());
            (Kind::Scan(scan), extents, 0, view.init(), view.body())
        } else {
            let view = loop_::ReductionOp::try_from(op).map_err(|_| "is no loop operation")?;
            let kind = Kind::Reduction(view.combiner());
            let extents = Extent::listed(&view.sizes(), &view.dynamic_sizes());
            (kind, extents, view.reduced() as usize, view.init(), view.body())
        };
        let outer = extents.len() - reduced;
        let decided = |name: &str| op.attribute(name).ok().map(attributes::i64s);
        let order = decided("order").map(|dims| dims.into_iter().map(|d| d as usize).collect());
        let tile = decided("tile");
        let result = || op.result_at(0).map(Into::into);
        let init = init.map_or_else(result, Ok)?;
        let nest = Self::of_body(op, region, extents, outer, init)?;
        let element = nest.element_type();
        let kind = match kind {
            Kind::Reduction(combiner) => Kind::Reduction(combiners::of(combiner, element)),
            Kind::Scan(scan) => Kind::Scan(Scan { combiner: combiners::of(scan.combiner, element), ..scan }),
            Kind::Scatter(Meeting::Combined(combiner)) => {
                Kind::Scatter(Meeting::Combined(combiners::of(combiner, element)))
            }
            kind => kind,
        };
        let nest = Self { kind, order, tile, ..nest };
        Ok(match kind {
            Kind::Reduction(combiner) if nest.sizes[outer..].contains(&0) => nest.filled(combiner),
            _ => nest,
        })
    }

    /// Reads a body over a domain; its elements go into a buffer, at the point of the outer domain or where
    /// the body says. Arguments beyond the indices are what else is known of each point.
    pub fn of_region(
        op: OperationRef<'c, 'a>,
        region: RegionRef<'c, 'a>,
        extents: Vec<Extent<'c, 'a>>,
        outer: usize,
        init: V<'c, 'a>,
    ) -> Result<Self, Failure> {
        let nest = Self::of_body(op, region, extents, outer, init)?;
        nest.check()?;
        Ok(nest)
    }

    /// Refuses what can't become a kernel.
    fn check(&self) -> Result<(), Failure> {
        let op = self.op;
        require_buffer(op, self.store.buffer)?;
        for inner in &self.body {
            match loop_::LoadOp::try_from(*inner) {
                Ok(load) => require_buffer(*inner, load.source())?,
                Err(_) if is_elementwise(*inner) => {}
                Err(_) => {
                    let message = "is not supported in the body of a loop: expects arith, math and \
                                   loop.load, on scalars";
                    return Err(refuse(*inner, message));
                }
            }
        }
        let one_by_one = matches!(self.kind, Kind::Scatter(Meeting::Ordered | Meeting::Combined(_)));
        if one_by_one && self.loads_from_store() {
            let message =
                "loads from the memref that its points write one after the other: expects another one";
            return Err(refuse(op, message));
        }
        Ok(())
    }

    fn of_body(
        op: OperationRef<'c, 'a>,
        region: RegionRef<'c, 'a>,
        extents: Vec<Extent<'c, 'a>>,
        outer: usize,
        init: V<'c, 'a>,
    ) -> Result<Self, Failure> {
        let sizes = Extent::in_types(&extents);
        let block = region.first_block().ok_or(internal!("has an empty body"))?;
        let mut indices: Vec<V> = (0..block.argument_count())
            .map(|i| Ok(block.argument(i)?.into()))
            .collect::<Result<_, Failure>>()?;
        let given = indices.split_off(sizes.len());
        let mut body = vec![];
        let mut next = block.first_operation();
        while let Some(inner) = next {
            body.push(inner);
            next = inner.next_in_block();
        }
        let end =
            body.pop().and_then(|end| loop_::YieldOp::try_from(end).ok()).ok_or(internal!("has no yield"))?;
        let (kind, element) = (Kind::Pointwise, Element::Value(end.value()));
        let store = match end.map() {
            Some(map) => Access::new(init, map, end.indices()),
            None => Access::identity(init, &indices[..outer]),
        };
        let (around, places) = (vec![], Rc::default());
        Ok(Self {
            op,
            kind,
            outer,
            indices,
            given,
            body,
            element,
            store,
            around,
            places,
            sizes,
            extents,
            order: None,
            tile: None,
        })
    }

    /// Operations of a group that stand between its members, as a body at one point; it yields `element`,
    /// which goes to `store`.
    pub fn point(
        op: OperationRef<'c, 'a>,
        body: Vec<OperationRef<'c, 'a>>,
        element: V<'c, 'a>,
        store: Access<'c, 'a>,
    ) -> Self {
        Self {
            op,
            kind: Kind::Pointwise,
            sizes: vec![],
            extents: vec![],
            outer: 0,
            indices: vec![],
            given: vec![],
            body,
            element: Element::Value(element),
            store,
            around: vec![],
            places: Rc::default(),
            order: None,
            tile: None,
        }
    }

    /// What a load of the body reads.
    pub fn load(&self, load: loop_::LoadOp<'c, 'a>) -> Access<'c, 'a> {
        placed(&self.places, Access::load(load))
    }

    /// A reduction of nothing: the combiner's identity everywhere.
    fn filled(mut self, combiner: Combiner) -> Self {
        let element = Element::Identity(combiner, self.element_type());
        self.sizes.truncate(self.outer);
        self.extents.truncate(self.outer);
        self.indices.truncate(self.outer);
        self.order = self.order.map(|order| order.into_iter().filter(|d| *d < self.outer).collect());
        Self { kind: Kind::Pointwise, body: vec![], element, ..self }
    }

    /// The values that are defined outside and used inside, in the order of their first use.
    pub fn captured(&self) -> Vec<V<'c, 'a>> {
        let mut known: HashSet<usize> = self.indices.iter().chain(&self.given).map(|v| key(*v)).collect();
        let mut found = vec![];
        let mut uses = |known: &mut HashSet<usize>, value: V<'c, 'a>| {
            if known.insert(key(value)) {
                found.push(value);
            }
        };
        for op in &self.body {
            rounds::used(*op).into_iter().for_each(|v| uses(&mut known, v));
            known.extend(op.results().map(|r: OperationResult| key(r)));
        }
        if let Element::Value(value) = self.element {
            uses(&mut known, value);
        }
        self.store.operands.iter().for_each(|v| uses(&mut known, *v));
        uses(&mut known, self.store.buffer);
        self.extents.iter().filter_map(|extent| extent.value()).for_each(|v| uses(&mut known, v));
        found
    }

    /// The size of a dimension in the kernel, where `env` has what is used from outside.
    pub fn bound(&self, d: usize, env: &Env<'c, 'a>) -> Result<Bound<'c, 'a>, Failure> {
        bound(self.extents[d], env)
    }

    /// [`Nest::bound`] of all dimensions.
    pub fn bounds(&self, env: &Env<'c, 'a>) -> Result<Vec<Bound<'c, 'a>>, Failure> {
        self.extents.iter().map(|extent| bound(*extent, env)).collect()
    }

    /// Whether the body uses an index.
    pub fn uses(&self, d: usize) -> bool {
        let index = self.indices[d];
        self.body.iter().any(|op| match loop_::LoadOp::try_from(*op) {
            Ok(load) => self.load(load).used().any(|v| v == index),
            Err(_) => rounds::used(*op).contains(&index),
        })
    }

    /// Whether the body loads from the buffer that the nest stores to.
    pub fn loads_from_store(&self) -> bool {
        let mut loads = self.body.iter().filter_map(|op| loop_::LoadOp::try_from(*op).ok());
        loads.any(|load| load.source() == self.store.buffer)
    }

    /// Whether what is yielded is this value.
    pub fn yields(&self, value: V<'c, 'a>) -> bool {
        matches!(self.element, Element::Value(v) if v == value)
    }

    /// The type of what is yielded.
    pub fn element_type(&self) -> Type<'c> {
        match self.element {
            Element::Value(value) => value.r#type(),
            Element::Identity(_, element) => element,
        }
    }

    /// The access that is all of the body: a load without a mask, yielded as it is.
    pub fn plain(&self) -> Option<Access<'c, 'a>> {
        let [op] = self.body[..] else { return None };
        let access = self.load(loop_::LoadOp::try_from(op).ok()?);
        (access.mask.is_none() && self.yields(op.result_at(0).ok()?.into())).then_some(access)
    }

    /// Whether each element is a product of two factors, which are not one and the same.
    pub fn yields_product(&self) -> bool {
        let Element::Value(value) = self.element else { return false };
        let product = operations::definition(value).filter(|op| name_of(*op) == "arith.mulf");
        product.is_some_and(|op| op.operand(0).ok() != op.operand(1).ok())
    }

    /// Whether each element is a bf16 that becomes an f32.
    pub fn is_widened(&self) -> bool {
        matches!(self.element, Element::Value(value) if widened(value).is_some())
    }

    /// The access that is all of the body, without a mask, but that its element becomes one of more bits.
    pub fn extended(&self) -> Option<Access<'c, 'a>> {
        let [load, extension] = self.body[..] else { return None };
        let is_extension =
            name_of(extension) == "arith.extf" && self.yields(extension.result_at(0).ok()?.into());
        let access = self.load(loop_::LoadOp::try_from(load).ok()?);
        (is_extension && access.mask.is_none()).then_some(access)
    }

    /// The number of points of the inner domain, as far as a schedule has to do with it.
    pub fn reduced_points(&self) -> i64 {
        self.sizes[self.outer..].iter().fold(1, |n, size| n.saturating_mul(usual(*size)))
    }

    /// Whether each element that is yielded is stored as it is.
    pub fn is_pointwise(&self) -> bool {
        self.kind == Kind::Pointwise
    }

    /// Whether the lanes of an accumulator can be combined by themselves: not where parts are by those of
    /// others.
    pub fn combines_lanes(&self) -> bool {
        !(matches!(self.kind, Kind::Reduction(Combiner::Mul)) && part(self.element_type()).is_some())
    }

    /// Whether the lanes of a tile can be those of a scan: one that counts a point itself, from the start, of
    /// numbers of one part.
    pub fn scans_lanes(&self) -> bool {
        let plain = matches!(self.kind, Kind::Scan(Scan { exclusive: false, reverse: false, .. }));
        plain && part(self.element_type()).is_none()
    }

    /// Whether it says how its domain is run through.
    pub fn is_scheduled(&self) -> bool {
        self.order.is_some() || self.tile.is_some()
    }

    /// The dimensions of the outer domain that run in order, in one grid point: that of a scan, and those in
    /// which points of a scatter may meet where that is not all the same.
    pub fn in_order(&self) -> Vec<bool> {
        match self.kind {
            Kind::Scan(scan) => (0..self.outer).map(|d| d == scan.dim).collect(),
            Kind::Scatter(Meeting::Ordered | Meeting::Combined(_)) => {
                may_meet(&self.indices, self.store.map, &self.store.operands)
            }
            _ => vec![false; self.outer],
        }
    }

    /// Whether lanes along a dimension store at places of their own, as far as is known.
    pub fn stores_along(&self, vector: usize) -> bool {
        let pattern = self.store.pattern(self.indices[vector], &self.varying(Some(vector)));
        !matches!(pattern, Pattern::Uniform)
    }

    /// The dimension that a scan runs along: the innermost loop.
    pub fn scanned(&self) -> Option<usize> {
        match self.kind {
            Kind::Scan(scan) => Some(scan.dim),
            _ => None,
        }
    }

    /// The values that differ between the points of one tile along dimension `vector`.
    pub fn varying(&self, vector: Option<usize>) -> HashSet<usize> {
        let Some(vector) = vector else { return HashSet::new() };
        let mut varying: HashSet<usize> =
            self.given.iter().chain([&self.indices[vector]]).map(|v| key(*v)).collect();
        for op in &self.body {
            let differs = match loop_::LoadOp::try_from(*op) {
                Ok(load) => {
                    let access = self.load(load);
                    access.used().chain(access.mask).chain(access.other).any(|v| varying.contains(&key(v)))
                }
                Err(_) => rounds::used(*op).iter().any(|v| varying.contains(&key(*v))),
            };
            if differs {
                varying.extend(op.results().map(key));
                // In a loop all lanes are tiles.
                varying.extend(rounds::inside(*op).into_iter().map(key));
            }
        }
        varying
    }
}

/// A size in a kernel, where `env` has what is used from outside.
pub(crate) fn bound<'c, 'a>(extent: Extent<'c, 'a>, env: &Env<'c, 'a>) -> Result<Bound<'c, 'a>, Failure> {
    let Extent::Value(value) = extent else { return Ok(extent) };
    match env.get(&key(value)) {
        Some(Lane::One(inside)) => Ok(Bound::Value(*inside)),
        _ => Err("has a size that is not known where it is used".into()),
    }
}

/// Checks that elements of a value can be loaded or stored.
pub(crate) fn require_buffer<'c: 'a, 'a>(op: OperationRef<'c, 'a>, value: V) -> Result<(), Failure> {
    let ty = value.r#type();
    let local = is_local(value);
    match Shaped::of(ty).filter(|s| s.buffer || local) {
        None if local && is_number(ty) => Ok(()),
        Some(shaped) if is_number(shaped.element) => Ok(()),
        Some(shaped) => Err(refuse(op, &format!("is on elements of {}: expects numbers", shaped.element))),
        None => Err(refuse(op, &format!("is on {ty}, not on a memref: run one-shot-bufferize first"))),
    }
}
