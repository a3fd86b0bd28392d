//! Packing: a factor of a product copied into the order in which register tiles read it.
//!
//! The right factor becomes panels `[.., n / T, k, T]` of as many columns as a tile has: what a tile reads is then one run
//! of memory, though rows of the matrix may be pages apart. The left factor, where its rows and columns are exchanged,
//! becomes `[.., m, k]`. The copies are loop operations of their own in front of the product; the buffers live until it is
//! done.

use super::{
    access::Access,
    nest::Nest,
    product::{Along, Matrix, Product},
    schedule::ceil_div,
};
use crate::emit::{Emitter, V};
use melior::ir::{
    AffineExpr, AffineMap, AttributeLike, OperationRef, ValueLike,
    attribute::{DenseI32ArrayAttribute, IntegerAttribute},
    r#type::{IntegerType, MemRefType},
};
use mlir_sys::mlirAffineMapAttrGetValue;
use terrace_dialects::{affine, pass::Failure, shaped::Shaped};

/// Elements between the packed rows of a left factor: they begin in different places of the cache.
const PAD: i64 = 16;

/// Columns that are packed at once: the lines that they come from stay in the cache until they are used up.
const GROUP: i64 = 16;

/// Copies in front of a product, and the buffers that they fill.
#[derive(Default)]
pub(super) struct Packing<'c, 'a> {
    pub copies: Vec<OperationRef<'c, 'a>>,
    pub buffers: Vec<V<'c, 'a>>,
}

/// One factor of a product on its way into a buffer.
struct Copy<'c, 'a, 'n> {
    at: Emitter<'c, 'a>,
    nest: &'n Nest<'c, 'a>,
    access: &'n Access<'c, 'a>,
    /// The dimensions of the domain that move the factor, but for its rows and columns.
    batches: Vec<usize>,
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    /// Packs the factors that need it, in front of the nest.
    pub fn pack(&mut self, nest: &Nest<'c, 'a>) -> Result<Packing<'c, 'a>, Failure> {
        let mut packing = Packing::default();
        if self.packs_left(nest) {
            self.lhs = self.pack_left(nest, &mut packing)?;
        }
        if self.packs_right(nest) {
            self.rhs = self.pack_right(nest, &mut packing)?;
        }
        Ok(packing)
    }

    fn pack_left(
        &self,
        nest: &Nest<'c, 'a>,
        packing: &mut Packing<'c, 'a>,
    ) -> Result<Matrix<'c, 'a>, Failure> {
        let copy = Copy::new(nest, &self.lhs.access, [self.m, self.k])?;
        let (batches, at) = (copy.batches.len(), copy.at);
        let (rows, inner) = (nest.sizes[self.m], nest.sizes[self.k]);
        let sizes = copy.sizes(&[rows, inner]);
        let buffer = copy.allocate(&copy.sizes(&[rows, inner + PAD]), packing)?;
        let place: Vec<_> = (0..sizes.len()).map(|d| at.dim(d)).collect();
        let from = [(self.m, at.dim(batches)), (self.k, at.dim(batches + 1))];
        packing.copies.push(copy.write(buffer, &sizes, &place, &from)?);
        let exprs: Vec<_> = copy.batches.iter().chain([&self.m, &self.k]).map(|d| at.dim(*d)).collect();
        let (operands, map) = affine::access(at.context, &exprs, &nest.indices);
        let access = Access::new(buffer, map, operands);
        let along = |dim: usize| Along { dim, step: 1 };
        Ok(Matrix { access, rows: along(batches), columns: along(batches + 1) })
    }

    fn pack_right(
        &self,
        nest: &Nest<'c, 'a>,
        packing: &mut Packing<'c, 'a>,
    ) -> Result<Matrix<'c, 'a>, Failure> {
        let copy = Copy::new(nest, &self.rhs.access, [self.k, self.n])?;
        let (batches, at) = (copy.batches.len(), copy.at);
        let (inner, columns, width) = (nest.sizes[self.k], nest.sizes[self.n], self.tile.1);
        let (whole, rest) = (columns / width, columns % width);
        let buffer = copy.allocate(&copy.sizes(&[ceil_div(columns, width), inner, width]), packing)?;
        let batch: Vec<_> = (0..batches).map(|d| at.dim(d)).collect();
        if whole > 0 {
            let group = GROUP.min(width);
            let [panel, part, k, lane] = [0, 1, 2, 3].map(|d| at.dim(batches + d));
            let lane = part * at.number(group) + lane;
            let column = panel * at.number(width) + lane;
            let place = [&batch[..], &[panel, k, lane]].concat();
            let sizes = copy.sizes(&[whole, width / group, inner, group]);
            packing.copies.push(copy.write(buffer, &sizes, &place, &[(self.k, k), (self.n, column)])?);
        }
        if rest > 0 {
            let [k, lane] = [0, 1].map(|d| at.dim(batches + d));
            let column = lane + at.number(whole * width);
            let place = [&batch[..], &[at.number(whole), k, lane]].concat();
            let sizes = copy.sizes(&[inner, rest]);
            packing.copies.push(copy.write(buffer, &sizes, &place, &[(self.k, k), (self.n, column)])?);
        }
        // A tile begins where a panel does.
        let panel = AffineExpr::floor_div(at.dim(self.n), at.number(width));
        let batch = copy.batches.iter().map(|d| at.dim(*d));
        let exprs: Vec<_> = batch.chain([panel, at.dim(self.k), at.number(0)]).collect();
        let (operands, map) = affine::access(at.context, &exprs, &nest.indices);
        let access = Access::new(buffer, map, operands);
        let along = |dim: usize| Along { dim, step: 1 };
        Ok(Matrix { access, rows: along(batches + 1), columns: along(batches + 2) })
    }
}

impl<'c: 'a, 'a, 'n> Copy<'c, 'a, 'n> {
    fn new(nest: &'n Nest<'c, 'a>, access: &'n Access<'c, 'a>, own: [usize; 2]) -> Result<Self, Failure> {
        let moves = |d: &usize| !own.contains(d) && access.used().any(|v| v == nest.indices[*d]);
        let batches = (0..nest.sizes.len()).filter(moves).collect();
        Ok(Self { at: Emitter::before(nest.op)?, nest, access, batches })
    }

    /// The sizes of the batches, then these.
    fn sizes(&self, own: &[i64]) -> Vec<i64> {
        self.batches.iter().map(|d| self.nest.sizes[*d]).chain(own.iter().copied()).collect()
    }

    fn allocate(&self, sizes: &[i64], packing: &mut Packing<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let element = Shaped::expect(self.access.buffer.r#type())?.element;
        let context = self.at.context;
        let i64_type = IntegerType::new(context, 64).into();
        let attributes = [
            ("alignment", IntegerAttribute::new(i64_type, 64).into()),
            ("operandSegmentSizes", DenseI32ArrayAttribute::new(context, &[0, 0]).into()),
        ];
        let ty = MemRefType::contiguous(element, sizes, None).into();
        let buffer = self.at.op("memref.alloc", &[], ty, &attributes);
        packing.buffers.push(buffer);
        Ok(buffer)
    }

    /// A scatter of the factor's elements over a domain of batches and what comes after them; `from` are the indices of
    /// the product's domain in terms of this one.
    fn write(
        &self,
        into: V<'c, 'a>,
        sizes: &[i64],
        place: &[AffineExpr<'c>],
        from: &[(usize, AffineExpr<'c>)],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let (access, indices) = (self.access, &self.nest.indices);
        // What is no index of the domain comes from outside, and is a dimension beyond those of this domain.
        let outside: Vec<V> = access.operands.iter().copied().filter(|v| !indices.contains(v)).collect();
        let expr = |value: &V<'c, 'a>| {
            let Some(d) = indices.iter().position(|i| i == value) else {
                let i = outside.iter().position(|v| v == value).expect("it is one of them");
                return self.at.dim(sizes.len() + i);
            };
            match (from.iter().find(|f| f.0 == d), self.batches.iter().position(|b| *b == d)) {
                (Some((_, expr)), _) => *expr,
                (None, Some(batch)) => self.at.dim(batch),
                // It does not move the factor.
                (None, None) => self.at.number(0),
            }
        };
        let inner: Vec<_> = access.operands.iter().map(expr).collect();
        let inner = AffineMap::new(self.at.context, sizes.len() + outside.len(), 0, &inner);
        let map = unsafe { AffineMap::from_raw(mlirAffineMapAttrGetValue(access.map.to_raw())) };
        let exprs = (0..access.exprs.len())
            .map(|i| Ok(map.result(i)?.compose(inner)))
            .collect::<Result<Vec<_>, Failure>>()?;
        self.at.scatter_op(into, sizes, place, &[], |at, indices| {
            at.load(access.buffer, &exprs, &[indices, &outside].concat(), None)
        })
    }
}
