//! Packing: a factor of a product computed into the order in which register tiles read it.
//!
//! The right factor becomes panels `[.., n / T, k, T]` of as many columns as a tile has: what a tile reads is
//! then one run of memory, though rows of the matrix may be pages apart. The left factor becomes `[.., m,
//! k]`. The bodies of the factors become those of loop operations in front of the product; the buffers live
//! until it is done. With `pairs` an element of a buffer is a word of two bf16 of the factor that follow each
//! other along `k`, of which there are half as many. Whole panels are one copy, and the columns that are left
//! over another one, over a domain that may be empty where sizes are known at run time only.

use super::{Factor, words::Words};
use crate::{
    emit::{Emitted, Emitter},
    kernel::tile_programs::{
        access::Access,
        matmul::Matmul,
        matrix::{Along, Matrix},
        nest::{Element, Nest},
    },
};
use melior::ir::{AffineExpr, AffineMap, OperationRef, r#type::MemRefType};
use std::collections::HashMap;
use terrace_dialects::{
    ir::{
        OperationLike, attributes, cursor::V, extent::Extent, operations::key, pass::Failure,
        rewrite::set_operand,
    },
    loops::affine,
    ops::loop_,
};

/// Elements between the packed rows of a left factor: they begin in different places of the cache.
const PAD: i64 = 16;

/// Columns that are packed at once: the lines that they come from stay in the cache until they are used up.
const GROUP: i64 = 16;

/// Copies in front of a product, and the buffers that they fill.
#[derive(Default)]
pub(crate) struct Packing<'c, 'a> {
    pub copies: Vec<OperationRef<'c, 'a>>,
    pub buffers: Vec<V<'c, 'a>>,
}

/// One factor of a product on its way into a buffer.
struct Copy<'c, 'a, 'n> {
    at: Emitter<'c, 'a>,
    nest: &'n Nest<'c, 'a>,
    /// The dimensions of the domain that move the factor, but for its rows and columns.
    batches: Vec<usize>,
    /// The inner dimension: of elements, or of pairs.
    inner: Extent<'c, 'a>,
    pairs: bool,
    /// Where pairs are words already.
    words: Option<Access<'c, 'a>>,
}

/// An index of the product's domain in terms of those of a copy: a sum of multiples of dimensions, and a
/// number.
#[derive(Clone, Default)]
struct Index {
    terms: Vec<(usize, i64)>,
    constant: i64,
}

impl Index {
    fn of(dim: usize) -> Self {
        Self { terms: vec![(dim, 1)], constant: 0 }
    }

    fn expr<'c>(&self, at: &Emitter<'c, '_>) -> AffineExpr<'c> {
        let terms = self.terms.iter().map(|(dim, factor)| at.dim(*dim) * at.number(*factor));
        terms.fold(at.number(self.constant), |sum, term| sum + term)
    }

    fn value<'c, 'a>(&self, at: &Emitter<'c, 'a>, indices: &[V<'c, 'a>]) -> V<'c, 'a> {
        let term = |(dim, factor): &(usize, i64)| match factor {
            1 => indices[*dim],
            factor => at.mul(indices[*dim], at.index(*factor)),
        };
        let constant = (self.constant != 0 || self.terms.is_empty()).then(|| at.index(self.constant));
        let sum = self.terms.iter().map(term).chain(constant).reduce(|sum, term| at.add(sum, term));
        sum.unwrap_or_else(|| at.index(0))
    }
}

impl<'c: 'a, 'a> Packing<'c, 'a> {
    /// Packs the left factor.
    pub fn left<'n>(&mut self, matmul: &'n Matmul<'c, 'a>) -> Result<Factor<'c, 'a, 'n>, Failure> {
        let (m, k) = (matmul.m(), matmul.k());
        let copy = Copy::new(matmul, &matmul.lhs, m)?;
        let (batches, at) = (copy.batches.len(), copy.at);
        let (rows, inner) = (matmul.extents[m], copy.inner);
        let sizes = copy.sizes(&[rows, inner]);
        let buffer = copy.allocate(&copy.sizes(&[rows, at.plus(inner, PAD)?]), self)?;
        let place: Vec<_> = (0..sizes.len()).map(|d| at.dim(d)).collect();
        let from = [(m, Index::of(batches)), (k, Index::of(batches + 1))];
        self.copies.push(copy.write(buffer, &sizes, &[], &place, &from)?);
        let exprs: Vec<_> = copy.batches.iter().chain([&m, &k]).map(|d| at.dim(*d)).collect();
        Ok(copy.packed(buffer, &exprs, [m, k]))
    }

    /// Packs the right factor, in panels of `width` columns.
    pub fn right<'n>(
        &mut self,
        matmul: &'n Matmul<'c, 'a>,
        width: i64,
    ) -> Result<Factor<'c, 'a, 'n>, Failure> {
        let (k, n) = (matmul.k(), matmul.n());
        let copy = Copy::new(matmul, &matmul.rhs, n)?;
        let (batches, at) = (copy.batches.len(), copy.at);
        let (inner, columns) = (copy.inner, matmul.extents[n]);
        let (whole, rest) = (at.floor_div(columns, width)?, at.rest(columns, width)?);
        let panels = at.ceil_div(columns, width)?;
        let buffer = copy.allocate(&copy.sizes(&[panels, inner, Extent::Number(width)]), self)?;
        let batch: Vec<_> = (0..batches).map(|d| at.dim(d)).collect();
        if !whole.is(0) {
            let group = if width % GROUP == 0 { GROUP } else { width };
            let [panel, part, row, lane] = [0, 1, 2, 3].map(|d| batches + d);
            let place =
                [&batch[..], &[at.dim(panel), at.dim(row), at.dim(part) * at.number(group) + at.dim(lane)]]
                    .concat();
            let column = Index { terms: vec![(panel, width), (part, group), (lane, 1)], constant: 0 };
            let sizes = copy.sizes(&[whole, Extent::Number(width / group), inner, Extent::Number(group)]);
            let from = [(k, Index::of(row)), (n, column)];
            self.copies.push(copy.write(buffer, &sizes, &[], &place, &from)?);
        }
        if !rest.is(0) {
            let [row, lane, panel] = [0, 1, 2].map(|d| batches + d);
            // The panel is a number, or a value that every point knows.
            let (known, panel, column) = match whole {
                Extent::Number(whole) => {
                    let column = Index { terms: vec![(lane, 1)], constant: whole * width };
                    (vec![], at.number(whole), column)
                }
                Extent::Value(whole) => {
                    let column = Index { terms: vec![(panel, width), (lane, 1)], constant: 0 };
                    (vec![whole], at.dim(panel), column)
                }
            };
            let place = [&batch[..], &[panel, at.dim(row), at.dim(lane)]].concat();
            let sizes = copy.sizes(&[inner, rest]);
            let from = [(k, Index::of(row)), (n, column)];
            self.copies.push(copy.write(buffer, &sizes, &known, &place, &from)?);
        }
        // A tile begins where a panel does.
        let panel = AffineExpr::floor_div(at.dim(n), at.number(width));
        let batch = copy.batches.iter().map(|d| at.dim(*d));
        let exprs: Vec<_> = batch.chain([panel, at.dim(k), at.number(0)]).collect();
        Ok(copy.packed(buffer, &exprs, [k, n]))
    }
}

impl<'c: 'a, 'a, 'n> Copy<'c, 'a, 'n> {
    /// A copy of a factor, one of whose two dimensions is `own`; the other is the last of the domain.
    fn new(matmul: &Matmul<'c, 'a>, nest: &'n Nest<'c, 'a>, own: usize) -> Result<Self, Failure> {
        let batches = (0..nest.outer).filter(|d| *d != own && nest.uses(*d)).collect();
        let (at, inner, pairs) = (Emitter::before(nest.op)?, matmul.inner(), matmul.pairs);
        let words = if pairs { Words::of(nest) } else { None };
        let words = words.map(|words| words.access(nest)).transpose()?;
        Ok(Self { at, nest, batches, inner, pairs, words })
    }

    /// The sizes of the batches, then these.
    fn sizes(&self, own: &[Extent<'c, 'a>]) -> Vec<Extent<'c, 'a>> {
        self.batches.iter().map(|d| self.nest.extents[*d]).chain(own.iter().copied()).collect()
    }

    fn allocate(&self, sizes: &[Extent<'c, 'a>], packing: &mut Packing<'c, 'a>) -> Emitted<'c, 'a> {
        let (dynamic, sizes) = Extent::split(sizes);
        let element = if self.pairs { self.at.word_type() } else { self.nest.element_type() };
        let ty = MemRefType::contiguous(element, &sizes, None).into();
        let buffer = self.at.allocate("memref.alloc", ty, &dynamic)?;
        packing.buffers.push(buffer);
        Ok(buffer)
    }

    /// The packed factor: a buffer whose last two dimensions are along the two indices, at expressions of the
    /// domain's.
    fn packed(&self, buffer: V<'c, 'a>, exprs: &[AffineExpr<'c>], along: [usize; 2]) -> Factor<'c, 'a, 'n> {
        let indices = &self.nest.indices;
        let (operands, map) = affine::access(self.at.context, exprs, indices);
        let dim = |d: usize| Along { dim: exprs.len() - 2 + d, step: 1 };
        let access = Access::new(buffer, map, operands);
        let matrix = Matrix { access, along: along.map(|d| indices[d]), rows: dim(0), columns: dim(1) };
        Factor::Matrix(matrix, indices)
    }

    /// A scatter of the factor's elements over a domain of batches and what comes after them; `from` are the
    /// indices of the product's domain in terms of this one, behind whose indices are those that every point
    /// knows.
    fn write(
        &self,
        into: V<'c, 'a>,
        sizes: &[Extent<'c, 'a>],
        known: &[V<'c, 'a>],
        place: &[AffineExpr<'c>],
        from: &[(usize, Index)],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let index = |d: usize| {
            let own = from.iter().find(|(own, _)| *own == d).map(|(_, index)| index.clone());
            // What is neither does not move the factor.
            own.or_else(|| self.batches.iter().position(|b| *b == d).map(Index::of)).unwrap_or_default()
        };
        let indices: Vec<Index> = (0..self.nest.sizes.len()).map(index).collect();
        self.at.scatter_op(into, sizes, place, known, |at, point| {
            let point = [point, known].concat();
            if self.pairs { self.pair(at, &point, &indices) } else { self.element(at, &point, &indices) }
        })
    }

    /// Two elements that follow each other along the inner dimension, as a word.
    fn pair(&self, at: &Emitter<'c, 'a>, point: &[V<'c, 'a>], indices: &[Index]) -> Emitted<'c, 'a> {
        if let Some(words) = &self.words {
            return self.load(at, point, indices, words, &mut |value| value);
        }
        let half = |number: i64| {
            let mut indices = indices.to_vec();
            if let Some(inner) = indices.last_mut() {
                inner.terms.iter_mut().for_each(|(_, factor)| *factor *= 2);
                inner.constant = 2 * inner.constant + number;
            }
            self.element(at, point, &indices)
        };
        Ok(at.word([half(0)?, half(1)?]))
    }

    /// An access of the body, at indices in terms of the point.
    fn load(
        &self,
        at: &Emitter<'c, 'a>,
        point: &[V<'c, 'a>],
        indices: &[Index],
        access: &Access<'c, 'a>,
        value: &mut dyn FnMut(V<'c, 'a>) -> V<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        // What is no index of the domain is a dimension beyond those of this one.
        let (mut values, mut inner) = (point.to_vec(), vec![]);
        for operand in &access.operands {
            inner.push(match self.index(*operand) {
                Some(d) => indices[d].expr(at),
                None => {
                    values.push(value(*operand));
                    at.dim(values.len() - 1)
                }
            });
        }
        let inner = AffineMap::new(at.context, values.len(), 0, &inner);
        let map = attributes::map(access.map);
        let exprs = (0..affine::results(access.map))
            .map(|i| Ok(map.result(i)?.compose(inner)))
            .collect::<Result<Vec<_>, Failure>>()?;
        let mask = access.mask.zip(access.other).map(|(m, o)| (value(m), value(o)));
        at.load(access.buffer, &exprs, &values, mask)
    }

    /// Which index of the domain a value is.
    fn index(&self, value: V<'c, 'a>) -> Option<usize> {
        self.nest.indices.iter().position(|index| *index == value)
    }

    /// The factor's body once more, at indices in terms of the point.
    fn element(&self, at: &Emitter<'c, 'a>, point: &[V<'c, 'a>], indices: &[Index]) -> Emitted<'c, 'a> {
        let mut inside: HashMap<usize, V> = HashMap::new();
        for op in &self.nest.body {
            let mut value = |value: V<'c, 'a>| match self.index(value) {
                Some(d) => *inside.entry(key(value)).or_insert_with(|| indices[d].value(at, point)),
                None => inside.get(&key(value)).copied().unwrap_or(value),
            };
            let new = match loop_::LoadOp::try_from(*op) {
                Ok(load) => {
                    vec![self.load(at, point, indices, &Access::load(load), &mut value)?]
                }
                Err(_) => {
                    let operands: Vec<V> = op.operands().map(value).collect();
                    let copy = at.insert((**op).clone());
                    for (i, operand) in operands.into_iter().enumerate() {
                        set_operand(copy, i, operand);
                    }
                    copy.results().map(Into::into).collect()
                }
            };
            for (old, new) in op.results().zip(new) {
                inside.insert(key(old), new);
            }
        }
        match self.nest.element {
            Element::Value(value) => Ok(inside.get(&key(value)).copied().unwrap_or(value)),
            Element::Identity(..) => Err("has a body that yields nothing".into()),
        }
    }
}
