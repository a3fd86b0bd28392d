//! Writes the body of a kernel: arith on scalars and tiles alike, loops, constants.
//!
//! A [`Kernel`] is a `kernel.func` under construction; its constants stand at its head, each once. A
//! [`Cursor`] is a place in it, at the end of a block. A [`Lane`] is a value of the program at many points at
//! once: one for all, or a tile with one for each. A complex number has two of them, its parts.

use melior::ir::{
    Attribute, AttributeLike, Block, BlockRef, Location, Operation, OperationRef, Region, RegionLike, Type,
    TypeLike, ValueLike,
    attribute::{DenseElementsAttribute, IntegerAttribute},
    operation::OperationBuilder,
    r#type::{IntegerType, RankedTensorType},
};
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    ops::Deref,
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        builder::BuildError,
        cursor::{self, V},
        extent::Extent,
        operations::{arguments, definition, key, name_of},
        pass::Failure,
        rewrite::set_attribute,
        shaped::Shaped,
        types::part as part_type,
    },
    loops::combiners,
    ops::{Combiner, kernel},
};

/// A bound of a loop: a number, or a value of the kernel.
pub(crate) type Bound<'c, 'a> = Extent<'c, 'a>;

/// What tells parts of values apart: that of a value is also its first part's.
pub(crate) fn part_key(value: V, part: usize) -> usize {
    // Values are aligned: no other one has the next number.
    key(value) + part
}

/// How many parts a value has: two if it is a complex number, or a buffer of such has such elements, else
/// one.
pub(crate) fn parts_of(ty: Type) -> usize {
    let element = Shaped::of(ty).map_or(ty, |shaped| shaped.element);
    1 + usize::from(part_type(element).is_some())
}

/// A value at many points.
#[derive(Clone, Copy)]
pub(crate) enum Lane<'c, 'a> {
    /// The same everywhere: a scalar.
    One(V<'c, 'a>),
    /// One element for each point.
    Tile(V<'c, 'a>),
}

/// A value at many points by its parts.
pub(crate) type Parts<'c, 'a> = Vec<Lane<'c, 'a>>;

/// A kernel under construction.
pub(crate) struct Kernel<'c, 'a> {
    entry: BlockRef<'c, 'a>,
    constants: RefCell<HashMap<(usize, usize), V<'c, 'a>>>,
    /// The last of the constants, which stand at its head.
    last_constant: Cell<Option<OperationRef<'c, 'a>>>,
}

/// The end of a block of a kernel.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'c, 'a, 'k> {
    kernel: &'k Kernel<'c, 'a>,
    place: cursor::Cursor<'c, 'a>,
}

impl<'c, 'a> Deref for Cursor<'c, 'a, '_> {
    type Target = cursor::Cursor<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        &self.place
    }
}

impl<'c, 'a> Kernel<'c, 'a> {
    /// A kernel with an empty entry block.
    pub fn new(entry: BlockRef<'c, 'a>) -> Self {
        Self { entry, constants: RefCell::default(), last_constant: Cell::default() }
    }

    /// The end of the entry block.
    pub fn start(&self, location: Location<'c>) -> Cursor<'c, 'a, '_> {
        Cursor { kernel: self, place: cursor::Cursor::end(self.entry, location) }
    }
}

pub(crate) use terrace_dialects::ir::attributes::type_of;

/// The multiplication of floats that makes a value.
pub(crate) fn product<'c, 'a>(value: V<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    definition(value).filter(|op| name_of(*op) == "arith.mulf")
}

/// Whether a type is index.
pub(crate) fn is_index(ty: Type) -> bool {
    ty.is_index()
}

/// The tile type of these sizes.
pub(crate) fn tile_type<'c>(sizes: &[i64], element: Type<'c>) -> Type<'c> {
    let sizes: Vec<u64> = sizes.iter().map(|s| *s as u64).collect();
    RankedTensorType::new(&sizes, element, None).into()
}

impl<'c, 'a, 'k> Cursor<'c, 'a, 'k> {
    /// The same place for operations of another location.
    pub fn of(self, location: Location<'c>) -> Self {
        Self { place: self.place.of(location), ..self }
    }

    /// Puts an operation here.
    pub fn append(
        &self,
        operation: Result<Operation<'c>, BuildError>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        Ok(self.insert(operation?))
    }

    /// A constant, at the head of the kernel.
    pub fn constant(&self, ty: Type<'c>, value: Attribute<'c>) -> Result<V<'c, 'a>, Failure> {
        let kernel = self.kernel;
        let key = (value.to_raw().ptr as usize, ty.to_raw().ptr as usize);
        if let Some(known) = kernel.constants.borrow().get(&key) {
            return Ok(*known);
        }
        let operation = OperationBuilder::new("arith.constant", self.location)
            .add_results(&[ty])
            .add_attributes(&[self.named("value", value)])
            .build()?;
        let operation = match (kernel.last_constant.get(), kernel.entry.first_operation()) {
            (Some(last), _) => kernel.entry.insert_operation_after(last, operation),
            (None, Some(first)) => kernel.entry.insert_operation_before(first, operation),
            (None, None) => kernel.entry.append_operation(operation),
        };
        kernel.last_constant.set(Some(operation));
        let constant = operation.result_at(0)?.into();
        kernel.constants.borrow_mut().insert(key, constant);
        Ok(constant)
    }

    /// A constant tile of equal elements.
    pub fn constant_tile(&self, sizes: &[i64], element: Attribute<'c>) -> Result<V<'c, 'a>, Failure> {
        let ty = tile_type(sizes, type_of(element));
        self.constant(ty, DenseElementsAttribute::splat(ty, element).into())
    }

    /// An index.
    pub fn index(&self, value: i64) -> Result<V<'c, 'a>, Failure> {
        let ty = self.index_type();
        self.constant(ty, IntegerAttribute::new(ty, value).into())
    }

    /// Zero of an element type.
    pub fn zero(&self, element: Type<'c>) -> Result<V<'c, 'a>, Failure> {
        self.constant(element, combiners::identity(self.context, Combiner::Add, element))
    }

    /// A tile of this value, which may be one already.
    pub fn splat(&self, lane: Lane<'c, 'a>, lanes: i64) -> Result<V<'c, 'a>, Failure> {
        match lane {
            Lane::Tile(tile) => Ok(tile),
            Lane::One(one) => self.op("tensor.splat", &[one], tile_type(&[lanes], one.r#type())),
        }
    }

    /// An operation on two values of one type; a scalar and a tile become tiles.
    pub fn binary(&self, name: &str, a: Lane<'c, 'a>, b: Lane<'c, 'a>) -> Result<Lane<'c, 'a>, Failure> {
        let (a, b, tile) = self.alike(a, b)?;
        let result = self.op(name, &[a, b], a.r#type())?;
        Ok(if tile { Lane::Tile(result) } else { Lane::One(result) })
    }

    /// A comparison of integers, as a value of i1: `predicate` as arith.cmpi numbers them.
    pub fn compare(&self, predicate: i64, a: Lane<'c, 'a>, b: Lane<'c, 'a>) -> Result<Lane<'c, 'a>, Failure> {
        let (a, b, tile) = self.alike(a, b)?;
        let i1: Type = IntegerType::new(self.context, 1).into();
        let ty = Shaped::of(a.r#type()).map_or(i1, |s| tile_type(&s.shape, i1));
        let i64_type = IntegerType::new(self.context, 64).into();
        let predicate = self.named("predicate", IntegerAttribute::new(i64_type, predicate));
        let result = self.build("arith.cmpi", &[a, b], &[ty], &[predicate], vec![])?.result_at(0)?.into();
        Ok(if tile { Lane::Tile(result) } else { Lane::One(result) })
    }

    fn alike(&self, a: Lane<'c, 'a>, b: Lane<'c, 'a>) -> Result<(V<'c, 'a>, V<'c, 'a>, bool), Failure> {
        Ok(match (a, b) {
            (Lane::One(a), Lane::One(b)) => (a, b, false),
            (Lane::Tile(a), b) => (a, self.splat(b, lanes_of(a))?, true),
            (a, Lane::Tile(b)) => (self.splat(a, lanes_of(b))?, b, true),
        })
    }

    /// Two values or tiles of one type combined.
    pub fn combine(&self, combiner: Combiner, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let element = Shaped::of(a.r#type()).map_or(a.r#type(), |s| s.element);
        combiners::combine(self, combiner, element, (a, b))
    }

    /// A sum with a product of floats, which is not rounded before it is added where a processor can.
    pub fn add_product(&self, total: V<'c, 'a>, term: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let contract =
            Attribute::parse(self.context, "#arith.fastmath<contract>").ok_or(internal!("no flags"))?;
        if let Some(op) = product(term) {
            set_attribute(op, "fastmath", contract);
        }
        let flags = [self.named("fastmath", contract)];
        Ok(self.build("arith.addf", &[total, term], &[total.r#type()], &flags, vec![])?.result_at(0)?.into())
    }

    /// [`Cursor::combine`] of values that have parts.
    pub fn combine_parts(
        &self,
        combiner: Combiner,
        a: &[V<'c, 'a>],
        b: &[V<'c, 'a>],
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        if let (Combiner::Mul, [ar, ai], [br, bi]) = (combiner, a, b) {
            let times = |x, y| self.combine(Combiner::Mul, x, y);
            let re = self.op("arith.subf", &[times(*ar, *br)?, times(*ai, *bi)?], ar.r#type())?;
            return Ok(vec![re, self.combine(Combiner::Add, times(*ar, *bi)?, times(*ai, *br)?)?]);
        }
        a.iter().zip(b).map(|(a, b)| self.combine(combiner, *a, *b)).collect()
    }

    /// What combining starts from, by parts, as tiles where there are lanes.
    pub fn identity(
        &self,
        combiner: Combiner,
        element: Type<'c>,
        lanes: Option<i64>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let of = |part: usize| {
            let (combiner, element) = match part_type(element) {
                Some(own) if part == 0 => (combiner, own),
                Some(own) => (Combiner::Add, own),
                None => (combiner, element),
            };
            let identity = combiners::identity(self.context, combiner, element);
            match lanes {
                Some(lanes) => self.constant_tile(&[lanes], identity),
                None => self.constant(element, identity),
            }
        };
        (0..parts_of(element)).map(of).collect()
    }

    /// 0, 1, 2, ... along a tile.
    pub fn iota(&self, lanes: i64) -> Result<V<'c, 'a>, Failure> {
        let ty = tile_type(&[lanes], self.index_type());
        Ok(self.append(kernel::iota(self.location, &[ty]))?.result_at(0)?.into())
    }

    /// `scf.for` from `from` to `to`; `body` gets the index and what is carried, and gives what is carried
    /// on. Without a trip or with one, known here, there is no loop.
    pub fn repeat(
        &self,
        (from, to, step): (Bound<'c, 'a>, Bound<'c, 'a>, i64),
        carried: &[V<'c, 'a>],
        mut body: impl FnMut(Self, V<'c, 'a>, &[V<'c, 'a>]) -> Result<Vec<V<'c, 'a>>, Failure>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        if let (Bound::Number(from), Bound::Number(to)) = (from, to) {
            if to <= from {
                return Ok(carried.to_vec());
            }
            if to - from <= step {
                return body(*self, self.index(from)?, carried);
            }
        }
        let (from, to, step) = (self.bound(from)?, self.bound(to)?, self.index(step)?);
        let types: Vec<Type> = carried.iter().map(|v| v.r#type()).collect();
        let inputs: Vec<_> = std::iter::once(self.index_type())
            .chain(types.iter().copied())
            .map(|t| (t, self.location))
            .collect();
        let region = Region::new();
        region.append_block(Block::new(&inputs));
        let operands: Vec<_> = [from, to, step].into_iter().chain(carried.iter().copied()).collect();
        let op = self.build("scf.for", &operands, &types, &[], vec![region])?;
        let block = op.region(0)?.first_block().ok_or(internal!("a loop has no body"))?;
        let inner = self.inside(block);
        let arguments: Vec<V> = arguments(block).collect();
        let carried = body(inner, arguments[0], &arguments[1..])?;
        inner.build("scf.yield", &carried, &[], &[], vec![])?;
        Ok(op.results().map(Into::into).collect())
    }

    /// `scf.if` with one result.
    pub fn choose(
        &self,
        condition: V<'c, 'a>,
        ty: Type<'c>,
        then: impl FnOnce(Self) -> Result<V<'c, 'a>, Failure>,
        otherwise: V<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let regions: Vec<_> = (0..2)
            .map(|_| {
                let region = Region::new();
                region.append_block(Block::new(&[]));
                region
            })
            .collect();
        let op = self.build("scf.if", &[condition], &[ty], &[], regions)?;
        let at = |i: usize| -> Result<Self, Failure> {
            Ok(self.inside(op.region(i)?.first_block().ok_or(internal!("a branch has no body"))?))
        };
        let inner = at(0)?;
        let value = then(inner)?;
        inner.build("scf.yield", &[value], &[], &[], vec![])?;
        at(1)?.build("scf.yield", &[otherwise], &[], &[], vec![])?;
        Ok(op.result_at(0)?.into())
    }

    /// The end of a block inside an operation written here.
    fn inside(&self, block: BlockRef<'c, 'a>) -> Self {
        Self { place: cursor::Cursor::end(block, self.location), ..*self }
    }

    /// An operation on two values of index.
    pub fn index_op(&self, name: &str, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        self.op(name, &[a, b], self.index_type())
    }

    /// A bound as a value.
    pub fn bound(&self, bound: Bound<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        match bound {
            Bound::Number(n) => self.index(n),
            Bound::Value(v) => Ok(v),
        }
    }
}

/// The elements of a tile of one dimension.
pub(crate) fn lanes_of(tile: V) -> i64 {
    Shaped::of(tile.r#type()).map_or(1, |s| s.shape.iter().product())
}

/// What the values of a nest are in the kernel.
pub(crate) type Env<'c, 'a> = HashMap<usize, Lane<'c, 'a>>;
