//! What a loop operation is made of.

use melior::ir::{OperationRef, RegionLike, RegionRef};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        extent::Extent,
        operations::{arguments, first_result, name_of},
    },
    loops::scatters::{Meeting, may_meet},
    ops::{Combiner, loop_},
};
use terrace_size::DYNAMIC;

/// What becomes of the elements that the body yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Each is an element of the destination.
    Pointwise,
    /// Those of the inner domain are combined.
    Reduction(Combiner),
    /// Each is combined with those before it along this dimension.
    Scan(usize),
    /// Each goes where the body says.
    Scatter,
}

/// A loop operation.
#[derive(Clone)]
pub(crate) struct Loop<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub kind: Kind,
    /// The outer domain, then the inner one; [`DYNAMIC`] where a size is known when the program runs.
    pub sizes: Vec<i64>,
    /// The same sizes, with the values.
    pub extents: Vec<Extent<'c, 'a>>,
    /// How many dimensions the outer domain has.
    pub outer: usize,
    /// An index for each dimension.
    pub indices: Vec<V<'c, 'a>>,
    /// The operations of the body, in order, without the yield.
    pub body: Vec<OperationRef<'c, 'a>>,
    pub end: loop_::YieldOp<'c, 'a>,
    /// Where it writes; None in a member of a group.
    pub init: Option<V<'c, 'a>>,
}

impl<'c: 'a, 'a> Loop<'c, 'a> {
    /// Reads an operation; None where it is no loop operation.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let (kind, sizes, open, reduced, init, region): (_, _, _, _, _, RegionRef) =
            if let Ok(view) = loop_::PointwiseOp::try_from(op) {
                (Kind::Pointwise, view.sizes(), view.dynamic_sizes(), 0, view.init(), view.body())
            } else if let Ok(view) = loop_::ReductionOp::try_from(op) {
                let (kind, reduced) = (Kind::Reduction(view.combiner()), view.reduced() as usize);
                (kind, view.sizes(), view.dynamic_sizes(), reduced, view.init(), view.body())
            } else if let Ok(view) = loop_::ScanOp::try_from(op) {
                let kind = Kind::Scan(view.dim() as usize);
                (kind, view.sizes(), view.dynamic_sizes(), 0, view.init(), view.body())
            } else {
                let view = loop_::ScatterOp::try_from(op).ok()?;
                (Kind::Scatter, view.sizes(), view.dynamic_sizes(), 0, Some(view.init()), view.body())
            };
        let extents = Extent::listed(&sizes, &open);
        let block = region.first_block()?;
        let mut body: Vec<_> =
            std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect();
        let end = loop_::YieldOp::try_from(body.pop()?).ok()?;
        let outer = sizes.len() - reduced;
        let indices = arguments(block).collect();
        Some(Self { op, kind, outer, sizes, extents, indices, body, end, init })
    }

    /// The result, of an operation on tensors.
    pub fn result(&self) -> Option<V<'c, 'a>> {
        first_result(self.op)
    }

    /// For each dimension of the outer domain, whether points that differ in it wait for each other: along a
    /// scan, and where points of a scatter meet that are combined or ordered.
    pub fn waits(&self) -> Vec<bool> {
        if let Kind::Scan(dim) = self.kind {
            return (0..self.outer).map(|d| d == dim).collect();
        }
        let meeting = loop_::ScatterOp::try_from(self.op).map_or(Meeting::Alike, Meeting::of);
        match self.end.map() {
            Some(map) if meeting != Meeting::Alike => may_meet(&self.indices, map, &self.end.indices()),
            _ => vec![false; self.outer],
        }
    }

    /// Whether all sizes are known.
    pub fn is_static(&self) -> bool {
        !self.sizes.contains(&DYNAMIC)
    }

    /// The number of points; None where it is not known.
    pub fn points(&self) -> Option<i64> {
        self.is_static().then(|| self.sizes.iter().fold(1, |n: i64, size| n.saturating_mul(*size)))
    }

    /// The loads of the body.
    pub fn loads(&self) -> impl Iterator<Item = loop_::LoadOp<'c, 'a>> + '_ {
        self.body.iter().filter_map(|op| loop_::LoadOp::try_from(*op).ok())
    }

    /// Whether the body is `arith`, `math` and loads alone, so that it can be written elsewhere.
    pub fn is_plain(&self) -> bool {
        self.body.iter().all(|op| {
            let name = name_of(*op);
            let known = name.starts_with("arith.") || name.starts_with("math.");
            op.region_count() == 0
                && (known || name == "loop.load" || name == "builtin.unrealized_conversion_cast")
        })
    }

    /// Whether it adds up products of two factors, each of which one index of the result moves alone: what
    /// the template of a matrix product, or of a convolution, is for.
    pub fn is_contraction(&self) -> bool {
        if self.kind != Kind::Reduction(Combiner::Add) {
            return false;
        }
        let product = self.body.iter().find(|op| op.results().any(|r| V::from(r) == self.end.value()));
        let Some(product) = product.filter(|op| name_of(**op) == "arith.mulf") else { return false };
        let factors =
            [0, 1].map(|i| product.operand(i).map(|value| self.moved_by(value)).unwrap_or_default());
        let alone = |own: usize| {
            (0..self.outer)
                .any(|d| self.sizes[d] != 1 && factors[own].contains(&d) && !factors[1 - own].contains(&d))
        };
        alone(0) && alone(1)
    }

    /// The dimensions whose index a value of the body depends on.
    fn moved_by(&self, value: V<'c, 'a>) -> Vec<usize> {
        let mut needed = vec![value];
        for op in self.body.iter().rev() {
            if op.results().any(|r| needed.contains(&r.into())) {
                needed.extend(op.operands());
            }
        }
        (0..self.indices.len()).filter(|d| needed.contains(&self.indices[*d])).collect()
    }
}
