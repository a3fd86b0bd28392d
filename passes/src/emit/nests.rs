//! Loop operations and their bodies, and what they read and write.

use super::{Emitted, Emitter, Number, Typed};
use melior::ir::{
    AffineExpr, Attribute, Block, Operation, OperationRef, Region, RegionLike, Type, ValueLike,
};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
        extent::Extent,
        operations::arguments,
        pass::Failure,
        shaped::Shaped,
    },
    loops::{affine, scatters::Meeting},
    ops::{Combiner, loop_},
};
use terrace_size::DYNAMIC;

/// What a point of a scatter writes: a value, at expressions, over these values.
type Written<'c, 'a> = (V<'c, 'a>, Vec<AffineExpr<'c>>, Vec<V<'c, 'a>>);

impl<'c, 'a> Emitter<'c, 'a> {
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

    /// One element, at expressions whose dimension i is `values[i]`; `mask` is where it is read, and what is
    /// there else.
    pub fn load(
        &self,
        tensor: V<'c, 'a>,
        exprs: &[AffineExpr<'c>],
        values: &[V<'c, 'a>],
        mask: Option<(V<'c, 'a>, V<'c, 'a>)>,
    ) -> Emitted<'c, 'a> {
        let (indices, map) = affine::access(self.context, exprs, values);
        let (mask, other) = mask.unzip();
        let element = Shaped::expect(tensor.r#type())?.element;
        let other = other.map(|other| self.reinterpret(other, element));
        let load = loop_::load(self.location, tensor, &indices, map, mask, other)?;
        let loaded = self.insert(load).result_at(0)?.into();
        let dtype = Dtype::of(element).ok_or(internal!("elements are numbers"))?;
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
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        let typed = ty.into();
        let (ty, (dynamic, sizes)) = (typed.ty, typed.sizes()?);
        let (region, init) = (self.region(sizes.len()), Some(self.empty(typed)));
        let op = loop_::pointwise(self.location, &[ty], &dynamic, &sizes, init, None, None, vec![region])?;
        Ok(self.fill(op, |e, i| e.end(body(e, i)?, ty))?.result_at(0)?.into())
    }

    /// A tensor of this number everywhere, in memory of its own.
    pub fn filled(&self, ty: impl Into<Typed<'c, 'a>>, number: Number) -> Emitted<'c, 'a> {
        let typed = ty.into();
        let element = Shaped::expect(typed.ty)?.element;
        let dtype = Dtype::of(element).ok_or(internal!("elements are numbers"))?;
        self.pointwise(typed, |e, _| Ok(e.constant(e.number_type(dtype), number)))
    }

    /// The same as a member of a group, in which the emitter stands.
    pub fn member(
        &self,
        ty: Type<'c>,
        sizes: &[Extent<'c, 'a>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
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
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
    ) -> Emitted<'c, 'a> {
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
        Ok(self.fill(op, |e, i| e.end(body(e, i)?, ty))?.result_at(0)?.into())
    }

    /// A tensor whose element at each point combines what `body` makes over the inner domain, given the
    /// point's indices and then the inner ones.
    pub fn reduction(
        &self,
        ty: impl Into<Typed<'c, 'a>>,
        combiner: Combiner,
        inner: &[impl Copy + Into<Extent<'c, 'a>>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
    ) -> Emitted<'c, 'a> {
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
        Ok(self.fill(op, |e, i| e.end(body(e, i)?, ty))?.result_at(0)?.into())
    }

    /// `into` with elements replaced: each point of the domain writes what `body` makes at `place`,
    /// expressions whose dimension i is index i of the point, and beyond these `values`.
    pub fn scatter(
        &self,
        into: V<'c, 'a>,
        sizes: &[impl Copy + Into<Extent<'c, 'a>>],
        place: &[AffineExpr<'c>],
        values: &[V<'c, 'a>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        Ok(self.scatter_op(into, sizes, place, values, body)?.result_at(0)?.into())
    }

    /// `into` with elements written: each point of the domain writes one, at indices; `body` makes both.
    /// `meeting` is what becomes of points that write the same element.
    pub fn scatter_at(
        &self,
        meeting: Meeting,
        into: V<'c, 'a>,
        sizes: &[impl Copy + Into<Extent<'c, 'a>>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Result<(V<'c, 'a>, Vec<V<'c, 'a>>), Failure>,
    ) -> Emitted<'c, 'a> {
        let op = self.scatter_nest(meeting, into, sizes, |e, i| {
            let (value, place) = body(e, i)?;
            let exprs = (0..place.len()).map(|d| e.dim(d)).collect();
            Ok((value, exprs, place))
        })?;
        Ok(op.result_at(0)?.into())
    }

    /// [`Emitter::scatter`] as an operation, which has a result where `into` is a tensor and none where it is
    /// a memref.
    pub fn scatter_op(
        &self,
        into: V<'c, 'a>,
        sizes: &[impl Copy + Into<Extent<'c, 'a>>],
        place: &[AffineExpr<'c>],
        values: &[V<'c, 'a>],
        body: impl FnOnce(&Self, &[V<'c, 'a>]) -> Emitted<'c, 'a>,
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

    /// What values are after so many rounds; `body` makes those after one, given its number, of those before
    /// it.
    pub fn repeat(
        &self,
        rounds: Extent<'c, 'a>,
        values: &[V<'c, 'a>],
        body: impl FnOnce(&Self, V<'c, 'a>, &[V<'c, 'a>]) -> Results<'c, 'a>,
    ) -> Results<'c, 'a> {
        let types: Vec<_> = values.iter().map(|value| value.r#type()).collect();
        let inside = [self.index_type()].into_iter().chain(types.iter().copied());
        let region = Region::new();
        region.append_block(Block::new(&inside.map(|ty| (ty, self.location)).collect::<Vec<_>>()));
        let operands = [&[self.index(0), self.size(rounds), self.index(1)], values].concat();
        let op = self.at.build("scf.for", &operands, &types, &[], vec![region]);
        let op = op.expect("nothing is left to inference");
        let block =
            op.region(0).ok().and_then(|region| region.first_block()).expect("it was made with a block");
        let inside = self.at_end_of(block);
        let before: Vec<V> = arguments(block).collect();
        let after = body(&inside, before[0], &before[1..])?;
        inside.build("scf.yield", &after, &[], &[]);
        Ok(op.results().map(Into::into).collect())
    }

    /// A loop over the indices below a count.
    pub fn each(
        &self,
        count: V<'c, 'a>,
        body: impl FnOnce(Self, V<'c, 'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.at.repeat(self.index(0), count, |at, index| body(Self { at, ..*self }, index))
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
        let block = op.region(0)?.first_block().ok_or(internal!("has no body"))?;
        let indices: Vec<V> = arguments(block).collect();
        body(&self.at_end_of(block), &indices)?;
        Ok(op)
    }
}
