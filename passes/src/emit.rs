//! Writes operations at a place: arithmetic on numbers, and loop operations with their bodies.
//!
//! Arithmetic on complex numbers is that on their parts ([`complex`]).
//!
//! An [`Emitter`] stands in front of an operation or at the end of a block. A loop operation is inserted with an empty
//! body first; then an emitter that stands in the body is handed to the function that fills it.

pub mod complex;

use complex::{Complex, is_complex};
use melior::ir::{
    AffineExpr, Attribute, AttributeLike, Block, BlockRef, Location, Operation, OperationRef, Region,
    RegionLike, Type, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    operation::OperationLike,
    r#type::IntegerType,
};
use mlir_sys::*;
use std::ops::Deref;
use terrace_dialects::{
    affine, attributes,
    cursor::{Cursor, V},
    dtype::{Category, Dtype},
    extent::Extent,
    operations::{arguments, definition, name_of},
    ops::{Combiner, loop_},
    pass::Failure,
    scatters::Meeting,
    shaped::Shaped,
    types::{DYNAMIC, is_float, part},
};

/// What a function that fills a body gives: a value, or why there is none.
pub type Made<'c, 'a> = Result<V<'c, 'a>, Failure>;

/// The type of a tensor, with its sizes: values in the places of those that the type does not say.
#[derive(Clone)]
pub struct Typed<'c, 'a> {
    /// The type.
    pub ty: Type<'c>,
    /// One size per dimension.
    pub extents: Vec<Extent<'c, 'a>>,
}

impl<'c> From<Type<'c>> for Typed<'c, '_> {
    fn from(ty: Type<'c>) -> Self {
        let shape = Shaped::of(ty).map_or(vec![], |shaped| shaped.shape);
        Self { ty, extents: Extent::numbers(&shape) }
    }
}

impl<'c, 'a> Typed<'c, 'a> {
    /// The sizes, all of them known by now.
    fn sizes(&self) -> Result<(Vec<V<'c, 'a>>, Vec<i64>), Failure> {
        if self.extents.iter().any(|extent| extent.is(DYNAMIC)) {
            let why = format!("makes {}, of which not all sizes are known here", self.ty);
            return Err(why.into());
        }
        Ok(Extent::split(&self.extents))
    }
}
/// What a point of a scatter writes: a value, at expressions, over these values.
type Written<'c, 'a> = (V<'c, 'a>, Vec<AffineExpr<'c>>, Vec<V<'c, 'a>>);

/// A number that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer, or a bool as 0 or 1.
    Int(i64),
    /// A float.
    Float(f64),
}

impl Number {
    /// The number as a float.
    pub fn float(self) -> f64 {
        match self {
            Self::Int(i) => i as f64,
            Self::Float(f) => f,
        }
    }
}

/// How two numbers are compared; of floats, false where one is nan, but for `Ne`.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Writes operations at one place. Nothing that it spells itself is left to inference, so none of it is refused.
#[derive(Clone, Copy)]
pub struct Emitter<'c, 'a>(Cursor<'c, 'a>);

impl<'c, 'a> Deref for Emitter<'c, 'a> {
    type Target = Cursor<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'c, 'a> Emitter<'c, 'a> {
    /// Stands in front of an operation, with its location; an error where it is in no block.
    pub fn before(op: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        Cursor::before(op).map(Self)
    }

    /// Stands at the end of a block.
    pub fn at_end(block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Self(Cursor::end(block, location))
    }

    /// The same place for operations of another location.
    pub fn of(self, location: Location<'c>) -> Self {
        Self(self.0.of(location))
    }

    /// Writes an operation that has its result types and attributes given.
    pub fn build(
        &self,
        name: &str,
        operands: &[V<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> OperationRef<'c, 'a> {
        let attributes: Vec<_> = attributes.iter().map(|(name, value)| self.named(name, *value)).collect();
        self.0.build(name, operands, results, &attributes, vec![]).expect("nothing is left to inference")
    }

    /// [`Emitter::build`] of one result.
    pub fn op(
        &self,
        name: &str,
        operands: &[V<'c, 'a>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> V<'c, 'a> {
        self.build(name, operands, &[result], attributes).result(0).expect("it has one").into()
    }

    /// An operation whose result has the type of its first operand.
    pub fn same(&self, name: &str, operands: &[V<'c, 'a>]) -> V<'c, 'a> {
        self.op(name, operands, operands[0].r#type(), &[])
    }

    /// The type of truth values.
    pub fn bool_type(&self) -> Type<'c> {
        IntegerType::new(self.context, 1).into()
    }

    /// A constant of a number type: of floats, integers, indices or complex numbers.
    pub fn constant(&self, ty: Type<'c>, number: Number) -> V<'c, 'a> {
        if let Some(part) = part(ty) {
            return self.join(self.real(self.constant(part, number)));
        }
        let value: Attribute = match number {
            _ if is_float(ty) => FloatAttribute::new(self.context, ty, number.float()).into(),
            Number::Int(i) => IntegerAttribute::new(ty, i).into(),
            Number::Float(f) => IntegerAttribute::new(ty, f as i64).into(),
        };
        self.op("arith.constant", &[], ty, &[("value", value)])
    }

    /// A constant of the type of another value.
    pub fn like(&self, value: V<'c, 'a>, number: f64) -> V<'c, 'a> {
        self.constant(value.r#type(), Number::Float(number))
    }

    /// A constant index.
    pub fn index(&self, i: i64) -> V<'c, 'a> {
        self.constant(self.index_type(), Number::Int(i))
    }

    fn either(&self, float: &str, integer: &str, operands: &[V<'c, 'a>]) -> V<'c, 'a> {
        self.same(if is_float(operands[0].r#type()) { float } else { integer }, operands)
    }

    /// What a function makes of two complex numbers.
    fn complex(
        &self,
        a: V<'c, 'a>,
        b: V<'c, 'a>,
        f: impl Fn(&Self, Complex<'c, 'a>, Complex<'c, 'a>) -> Complex<'c, 'a>,
    ) -> V<'c, 'a> {
        self.join(f(self, self.parts(a), self.parts(b)))
    }

    /// The sum of two numbers.
    pub fn add(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(a) {
            return self.complex(a, b, Self::sum);
        }
        self.either("arith.addf", "arith.addi", &[a, b])
    }

    /// The difference of two numbers.
    pub fn sub(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(a) {
            return self.complex(a, b, Self::difference);
        }
        self.either("arith.subf", "arith.subi", &[a, b])
    }

    /// The product of two numbers.
    pub fn mul(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(a) {
            return self.complex(a, b, Self::complex_product);
        }
        self.either("arith.mulf", "arith.muli", &[a, b])
    }

    /// The quotient of two floats, or of two complex numbers.
    pub fn div(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(a) {
            return self.complex(a, b, Self::quotient);
        }
        self.same("arith.divf", &[a, b])
    }

    /// Both, of truth values or bits.
    pub fn and(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        self.same("arith.andi", &[a, b])
    }

    /// One value or another.
    pub fn select(&self, condition: V<'c, 'a>, yes: V<'c, 'a>, no: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(yes) {
            return self.complex(yes, no, |e, yes, no| e.choose(condition, yes, no));
        }
        self.op("arith.select", &[condition, yes, no], yes.r#type(), &[])
    }

    /// Compares two numbers; truth values as 0 and 1, other integers as signed ones. Complex numbers are equal or not.
    pub fn compare(&self, how: Compare, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        if is_complex(a) {
            let (a, b) = (self.parts(a), self.parts(b));
            let (re, im) = (self.compare(how, a.re, b.re), self.compare(how, a.im, b.im));
            return self.same(if matches!(how, Compare::Eq) { "arith.andi" } else { "arith.ori" }, &[re, im]);
        }
        let ty = a.r#type();
        let (name, predicates) = if is_float(ty) {
            ("arith.cmpf", [1, 13, 4, 5, 2, 3])
        } else if ty == self.bool_type() {
            ("arith.cmpi", [0, 1, 6, 7, 8, 9])
        } else {
            ("arith.cmpi", [0, 1, 2, 3, 4, 5])
        };
        self.predicate(name, predicates[how as usize], a, b)
    }

    /// Whether `0 <= a < b`, for a `b` that is not negative.
    pub fn inside(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        // As an unsigned number a negative one is beyond every bound.
        self.predicate("arith.cmpi", 6, a, b)
    }

    fn predicate(&self, name: &str, predicate: i64, a: V<'c, 'a>, b: V<'c, 'a>) -> V<'c, 'a> {
        let predicate = IntegerAttribute::new(IntegerType::new(self.context, 64).into(), predicate).into();
        self.op(name, &[a, b], self.bool_type(), &[("predicate", predicate)])
    }

    /// The type of a number of a dtype: u8 has the type of i8, and its sign is the operations' matter.
    pub fn number_type(&self, dtype: Dtype) -> Type<'c> {
        if dtype == Dtype::U8 { Dtype::I8.to_type(self.context) } else { dtype.to_type(self.context) }
    }

    /// A number as an element of a dtype, converted as ATen does: to bool, whether it is not zero; from float to integer
    /// towards zero, and what C++ leaves undefined there saturates, nan as 0; of a complex number to a real one its real part.
    pub fn cast(&self, value: V<'c, 'a>, to: Dtype) -> V<'c, 'a> {
        Dtype::of(value.r#type()).map_or(value, |from| self.cast_from(value, from, to))
    }

    /// [`Emitter::cast`] of an element of a dtype, which a u8's type does not tell. From and to dtypes that are computed in
    /// another one it goes by way of that one.
    pub fn cast_from(&self, value: V<'c, 'a>, from: Dtype, to: Dtype) -> V<'c, 'a> {
        use Category::*;
        if from == to {
            return value;
        }
        for through in [from.computed(), to.computed()] {
            if through != from && through != to {
                let mut value = self.cast_from(value, from, through);
                if from.is_float() && to == Dtype::U8 && through == Dtype::I32 {
                    // A float saturates where an integer wraps.
                    value = self.same("arith.maxsi", &[value, self.like(value, 0.0)]);
                    value = self.same("arith.minsi", &[value, self.like(value, 255.0)]);
                }
                return self.cast_from(value, through, to);
            }
        }
        match (from.is_complex(), to.category()) {
            (true, Complex) => return self.join(self.cast_parts(self.parts(value), to.part())),
            (false, Complex) => return self.join(self.real(self.cast_from(value, from, to.part()))),
            (true, Bool) => return self.compare(Compare::Ne, value, self.like(value, 0.0)),
            (true, _) => return self.cast(self.parts(value).re, to),
            (false, _) => {}
        }
        let ty = self.number_type(to);
        if let Some(number) = known(value) {
            return self.constant(ty, convert(number, from, to));
        }
        let change = |name: &str| self.op(name, &[value], ty, &[]);
        match (from.category(), to.category()) {
            _ if from == Dtype::U8 => change("arith.extui"),
            (_, Bool) => self.compare(Compare::Ne, value, self.like(value, 0.0)),
            (Bool, Integer) => change("arith.extui"),
            (Bool, Float) => change("arith.uitofp"),
            (Integer, Float) => change("arith.sitofp"),
            (Integer, Integer) if from.bytes() < to.bytes() => change("arith.extsi"),
            (Integer, Integer) => change("arith.trunci"),
            (Float, Float) if from.bytes() < to.bytes() => change("arith.extf"),
            (Float, Float) => change("arith.truncf"),
            (Float, Integer) => self.truncate(value, to),
            (Complex, _) | (_, Complex) => unreachable!("parts are cast"),
        }
    }

    /// A float as an integer: `arith.fptosi` has no value outside the integer's range, so it gets 0 there.
    fn truncate(&self, value: V<'c, 'a>, to: Dtype) -> V<'c, 'a> {
        let ty = to.to_type(self.context);
        let bits = 8 * to.bytes() as u32;
        // Both bounds are powers of two, exact in every float dtype.
        let (low, high) = (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1));
        let least = self.constant(ty, Number::Int(i64::MIN >> (64 - bits)));
        let most = self.constant(ty, Number::Int(i64::MAX >> (64 - bits)));
        let above = self.compare(Compare::Ge, value, self.like(value, high));
        let below = self.compare(Compare::Lt, value, self.like(value, low));
        let ordered = self.compare(Compare::Eq, value, value);
        let zero = self.like(value, 0.0);
        let inside = self.select(above, zero, self.select(below, zero, self.select(ordered, value, zero)));
        let integer = self.op("arith.fptosi", &[inside], ty, &[]);
        self.select(above, most, self.select(below, least, integer))
    }

    /// An integer as an index.
    pub fn as_index(&self, value: V<'c, 'a>) -> V<'c, 'a> {
        self.op("arith.index_cast", &[value], self.index_type(), &[])
    }

    /// An index as an i64.
    pub fn as_i64(&self, index: V<'c, 'a>) -> V<'c, 'a> {
        self.op("arith.index_cast", &[index], Dtype::I64.to_type(self.context), &[])
    }

    /// Dimension `i` of the expressions of an access.
    pub fn dim(&self, i: usize) -> AffineExpr<'c> {
        AffineExpr::dim(self.context, i)
    }

    /// A number in the expressions of an access.
    pub fn number(&self, i: i64) -> AffineExpr<'c> {
        AffineExpr::constant(self.context, i)
    }

    /// An uninitialized tensor: a destination.
    pub fn empty(&self, ty: impl Into<Typed<'c, 'a>>) -> V<'c, 'a> {
        let Typed { ty, extents } = ty.into();
        let shape = Shaped::of(ty).map_or(vec![], |shaped| shaped.shape);
        // A number may be known where the type does not say it.
        let open = shape.iter().zip(extents).filter(|(size, _)| **size == DYNAMIC);
        let open: Vec<V> = open.map(|(_, extent)| self.size(extent)).collect();
        self.op("tensor.empty", &open, ty, &[])
    }

    /// A size as an index.
    pub fn size(&self, extent: Extent<'c, 'a>) -> V<'c, 'a> {
        match extent {
            Extent::Number(number) => self.index(number),
            Extent::Value(value) => value,
        }
    }

    /// One element, at expressions whose dimension i is `values[i]`; `mask` is where it is read, and what is there else.
    pub fn load(
        &self,
        tensor: V<'c, 'a>,
        exprs: &[AffineExpr<'c>],
        values: &[V<'c, 'a>],
        mask: Option<(V<'c, 'a>, V<'c, 'a>)>,
    ) -> Made<'c, 'a> {
        let (indices, map) = affine::access(self.context, exprs, values);
        let (mask, other) = mask.unzip();
        let element = Shaped::expect(tensor.r#type())?.element;
        let other = other.map(|other| self.reinterpret(other, element));
        let load = loop_::load(self.location, tensor, &indices, map, mask, other)?;
        let loaded = self.insert(load).result(0)?.into();
        let dtype = Dtype::of(element).ok_or("elements are numbers")?;
        Ok(self.reinterpret(loaded, self.number_type(dtype)))
    }

    /// The bits of a number as one of another type: u8 in memory and i8 in registers.
    fn reinterpret(&self, value: V<'c, 'a>, ty: Type<'c>) -> V<'c, 'a> {
        if value.r#type() == ty {
            return value;
        }
        self.op("builtin.unrealized_conversion_cast", &[value], ty, &[])
    }

    /// A tensor whose element at each point is what `body` makes, given the point's indices.
    pub fn pointwise(
        &self,
        ty: impl Into<Typed<'c, 'a>>,
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Made<'c, 'a>,
    ) -> Made<'c, 'a> {
        let typed = ty.into();
        let (ty, (dynamic, sizes)) = (typed.ty, typed.sizes()?);
        let (region, init) = (self.region(sizes.len()), Some(self.empty(typed)));
        let op = loop_::pointwise(self.location, &[ty], &dynamic, &sizes, init, None, None, vec![region])?;
        Ok(self.fill(op, |e, i| e.end(body(e, i)?, ty))?.result(0)?.into())
    }

    /// A tensor of this number everywhere, in memory of its own.
    pub fn filled(&self, ty: impl Into<Typed<'c, 'a>>, number: Number) -> Made<'c, 'a> {
        let typed = ty.into();
        let element = Shaped::expect(typed.ty)?.element;
        let dtype = Dtype::of(element).ok_or("elements are numbers")?;
        self.pointwise(typed, |e, _| Ok(e.constant(e.number_type(dtype), number)))
    }

    /// The same as a member of a group, in which the emitter stands.
    pub fn member(
        &self,
        ty: Type<'c>,
        sizes: &[Extent<'c, 'a>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Made<'c, 'a>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let (region, (dynamic, sizes)) = (self.region(sizes.len()), Extent::split(sizes));
        let op = loop_::pointwise(self.location, &[ty], &dynamic, &sizes, None, None, None, vec![region])?;
        self.fill(op, |e, i| e.end(body(e, i)?, ty))
    }

    /// A tensor whose element at each point combines what `body` makes there and before it along a dimension.
    pub fn scan(
        &self,
        ty: impl Into<Typed<'c, 'a>>,
        combiner: Combiner,
        dim: usize,
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Made<'c, 'a>,
    ) -> Made<'c, 'a> {
        let typed = ty.into();
        let (ty, (dynamic, sizes)) = (typed.ty, typed.sizes()?);
        let (region, init) = (self.region(sizes.len()), self.empty(typed));
        let (exclusive, reverse) = (None, None);
        let op = loop_::scan(
            self.location,
            &[ty],
            combiner,
            exclusive,
            reverse,
            &dynamic,
            &sizes,
            dim as i64,
            Some(init),
            None,
            None,
            vec![region],
        )?;
        Ok(self.fill(op, |e, i| e.end(body(e, i)?, ty))?.result(0)?.into())
    }

    /// A tensor whose element at each point combines what `body` makes over the inner domain, given the point's indices
    /// and then the inner ones.
    pub fn reduction(
        &self,
        ty: impl Into<Typed<'c, 'a>>,
        combiner: Combiner,
        inner: &[impl Copy + Into<Extent<'c, 'a>>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Made<'c, 'a>,
    ) -> Made<'c, 'a> {
        let mut domain = ty.into();
        let (ty, init) = (domain.ty, Some(self.empty(domain.clone())));
        domain.extents.extend(inner.iter().map(|size| (*size).into()));
        let (dynamic, sizes) = domain.sizes()?;
        let region = self.region(sizes.len());
        let reduced = inner.len() as i64;
        let op = loop_::reduction(
            self.location,
            &[ty],
            combiner,
            &dynamic,
            &sizes,
            reduced,
            init,
            None,
            None,
            vec![region],
        )?;
        Ok(self.fill(op, |e, i| e.end(body(e, i)?, ty))?.result(0)?.into())
    }

    /// `into` with elements replaced: each point of the domain writes what `body` makes at `place`, expressions whose
    /// dimension i is index i of the point, and beyond these `values`.
    pub fn scatter(
        &self,
        into: V<'c, 'a>,
        sizes: &[impl Copy + Into<Extent<'c, 'a>>],
        place: &[AffineExpr<'c>],
        values: &[V<'c, 'a>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Made<'c, 'a>,
    ) -> Made<'c, 'a> {
        Ok(self.scatter_op(into, sizes, place, values, body)?.result(0)?.into())
    }

    /// `into` with elements written: each point of the domain writes one, at indices; `body` makes both. `meeting` is what
    /// becomes of points that write the same element.
    pub fn scatter_at(
        &self,
        meeting: Meeting,
        into: V<'c, 'a>,
        sizes: &[impl Copy + Into<Extent<'c, 'a>>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Result<(V<'c, 'a>, Vec<V<'c, 'a>>), Failure>,
    ) -> Made<'c, 'a> {
        let op = self.scatter_nest(meeting, into, sizes, |e, i| {
            let (value, place) = body(e, i)?;
            let exprs = (0..place.len()).map(|d| e.dim(d)).collect();
            Ok((value, exprs, place))
        })?;
        Ok(op.result(0)?.into())
    }

    /// [`Emitter::scatter`] as an operation, which has a result where `into` is a tensor and none where it is a memref.
    pub fn scatter_op(
        &self,
        into: V<'c, 'a>,
        sizes: &[impl Copy + Into<Extent<'c, 'a>>],
        place: &[AffineExpr<'c>],
        values: &[V<'c, 'a>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Made<'c, 'a>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        self.scatter_nest(Meeting::Alike, into, sizes, |e, i| {
            Ok((body(e, i)?, place.to_vec(), [i, values].concat()))
        })
    }

    /// A scatter whose body gives the element, expressions for its place, and the values that these are over.
    fn scatter_nest(
        &self,
        meeting: Meeting,
        into: V<'c, 'a>,
        sizes: &[impl Copy + Into<Extent<'c, 'a>>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Result<Written<'c, 'a>, Failure>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let ty = into.r#type();
        let domain = Typed { ty, extents: sizes.iter().map(|size| (*size).into()).collect() };
        let (dynamic, sizes) = domain.sizes()?;
        let region = self.region(sizes.len());
        let results = if Shaped::expect(ty)?.buffer { vec![] } else { vec![ty] };
        let (combiner, ordered) = match meeting {
            Meeting::Alike => (None, None),
            Meeting::Ordered => (None, Some(Attribute::unit(self.context))),
            Meeting::Combined(combiner) => (Some(combiner), None),
        };
        let regions = vec![region];
        let op = loop_::scatter(
            self.location,
            &results,
            combiner,
            ordered,
            &dynamic,
            &sizes,
            into,
            None,
            None,
            regions,
        )?;
        self.fill(op, |e, i| {
            let (value, place, values) = body(e, i)?;
            let value = e.reinterpret(value, Shaped::expect(ty)?.element);
            let (indices, map) = affine::access(e.context, &place, &values);
            e.insert(loop_::yield_(e.location, &[], value, &indices, Some(map))?);
            Ok(())
        })
    }

    /// Yields an element of what the nest gives.
    fn end(&self, value: V<'c, 'a>, nest: Type<'c>) -> Result<(), Failure> {
        let value = self.reinterpret(value, Shaped::of(nest).map_or(nest, |nest| nest.element));
        self.insert(loop_::yield_(self.location, &[], value, &[], None)?);
        Ok(())
    }

    /// What values are after so many rounds; `body` makes those after one of those before it.
    pub fn repeat(
        &self,
        rounds: i64,
        values: &[V<'c, 'a>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Vec<V<'c, 'a>>,
    ) -> Vec<V<'c, 'a>> {
        let types: Vec<_> = values.iter().map(|value| value.r#type()).collect();
        let inside = [self.index_type()].into_iter().chain(types.iter().copied());
        let region = Region::new();
        region.append_block(Block::new(&inside.map(|ty| (ty, self.location)).collect::<Vec<_>>()));
        let operands = [&[self.index(0), self.index(rounds), self.index(1)], values].concat();
        let op = self.0.build("scf.for", &operands, &types, &[], vec![region]);
        let op = op.expect("nothing is left to inference");
        let block =
            op.region(0).ok().and_then(|region| region.first_block()).expect("it was made with a block");
        let inside = Self(Cursor::end(block, self.location));
        let before: Vec<V> = arguments(block).skip(1).collect();
        let after = body(&inside, &before);
        inside.build("scf.yield", &after, &[], &[]);
        op.results().map(Into::into).collect()
    }

    fn region(&self, indices: usize) -> Region<'c> {
        let region = Region::new();
        region.append_block(Block::new(&vec![(self.index_type(), self.location); indices]));
        region
    }

    /// Inserts an operation and fills its body.
    fn fill(
        &self,
        op: Operation<'c>,
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Result<(), Failure>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let op = self.insert(op);
        let block = op.region(0)?.first_block().ok_or("has no body")?;
        let indices: Vec<V> = arguments(block).collect();
        body(&Self(Cursor::end(block, self.location)), &indices)?;
        Ok(op)
    }
}

/// The number that an attribute holds.
pub fn number_of(attribute: Attribute) -> Option<Number> {
    let raw = attribute.to_raw();
    unsafe {
        if mlirAttributeIsAFloat(raw) {
            return Some(Number::Float(attributes::f64(attribute)));
        }
        if !mlirAttributeIsAInteger(raw) {
            return None;
        }
        let ty = mlirAttributeGetType(raw);
        // A bool is i1, whose 1 reads as -1 when signed.
        let is_bool = mlirTypeIsAInteger(ty) && mlirIntegerTypeGetWidth(ty) == 1;
        Some(Number::Int(if is_bool {
            attributes::bool(attribute) as i64
        } else {
            attributes::i64(attribute)
        }))
    }
}

/// The number that a value is, where an `arith.constant` makes it.
pub fn known(value: V) -> Option<Number> {
    let op = definition(value).filter(|op| name_of(*op) == "arith.constant")?;
    number_of(op.attribute("value").ok()?)
}

/// [`Emitter::cast_from`] of a number that is known.
fn convert(number: Number, from: Dtype, to: Dtype) -> Number {
    let number = match number {
        Number::Int(i) if from == Dtype::U8 => Number::Int(i & 0xff),
        number => number,
    };
    match (to.category(), number) {
        (Category::Bool, n) => Number::Int((n.float() != 0.0) as i64),
        // Rounded once: not by way of f64.
        (Category::Float, Number::Int(i)) if to == Dtype::F32 => Number::Float((i as f32).into()),
        (Category::Float, n) => Number::Float(n.float()),
        (Category::Integer, Number::Int(i)) => {
            let unused = 64 - 8 * to.bytes() as u32;
            Number::Int(i << unused >> unused)
        }
        (Category::Integer, Number::Float(f)) => {
            let limit = i64::MAX >> (64 - 8 * to.bytes() as u32);
            Number::Int((f as i64).clamp(-limit - 1, limit))
        }
        (Category::Complex, _) => unreachable!("parts are cast"),
    }
}
