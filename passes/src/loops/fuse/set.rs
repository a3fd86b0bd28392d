//! Sets of operations that run together, and what may be in one: an operation that starts alone, with every
//! dimension shared that its points can be told apart by.

use super::dependence::links;
use crate::{
    kernel::tile_programs::{
        nest::{Nest, usual},
        schedule,
    },
    loops::operation::{
        read::{Kind, Loop},
        runs::short_run,
    },
};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::ir::{
    OperationLike,
    dtype::{Dtype, ElementType},
    extent::Extent,
    operations::name_of,
};

/// An operation that may run together with others.
pub(super) struct Candidate<'c, 'a> {
    pub nest: Loop<'c, 'a>,
    /// How many points it has, where sizes of the run are [usual](usual) ones.
    pub points: i64,
    /// The dimensions whose indices would be the lanes of its tiles: one, or that of a short run and the next
    /// one.
    pub lanes: Vec<usize>,
}

impl<'c: 'a, 'a> Candidate<'c, 'a> {
    /// Reads an operation; an error says why it stays alone, None that it is no loop operation.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Result<Self, &'static str>> {
        let nest = Loop::of(op)?;
        Some(Self::read(nest))
    }

    fn read(nest: Loop<'c, 'a>) -> Result<Self, &'static str> {
        if nest.kind == Kind::Scatter {
            return Err("a scatter chooses where its elements go");
        }
        if nest.init.is_none() || nest.op.result_count() > 1 {
            return Err("it has not one destination");
        }
        let points = points_of(&nest.extents);
        if points == 0 {
            return Err("it has no points");
        }
        if nest.op.attribute("order").is_ok() || nest.op.attribute("tile").is_ok() {
            return Err("it says itself how it is run");
        }
        if !nest.is_plain() {
            return Err("its body has more than arith, math and loads");
        }
        if nest.body.iter().any(|op| name_of(*op) == "builtin.unrealized_conversion_cast") {
            return Err("its elements have no form in registers yet");
        }
        let own = Nest::of(nest.op).ok();
        let lanes = own.as_ref().and_then(|own| schedule::lanes_of(own, &own.in_order(), (false, true)));
        let next = short_run(&nest).filter(|(run, _)| *run < nest.outer && lanes == Some(*run));
        let lanes = lanes.into_iter().chain(next.map(|(_, next)| next)).collect();
        Ok(Self { nest, points, lanes })
    }

    /// Whether a dimension can be shared with others: the result has it, and its points do not wait for each
    /// other.
    pub fn is_free(&self, d: usize) -> bool {
        let nest = &self.nest;
        let own =
            links(nest, nest).is_ok_and(|links| links.iter().all(|link| link.allows((nest, d), (nest, d))));
        d < nest.outer && nest.kind != Kind::Scan(d) && nest.sizes[d] != 1 && own
    }

    pub fn bytes(&self) -> i64 {
        let element = self.nest.end.value().r#type();
        Dtype::of(element).map_or(8, |dtype| dtype.bytes() as i64)
    }
}

/// The points of a domain, where sizes of the run are [usual](usual) ones.
pub(super) fn points_of(extents: &[Extent]) -> i64 {
    extents.iter().fold(1, |n: i64, extent| n.saturating_mul(usual(extent.in_type())))
}

/// Operations that run together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cluster<'c, 'a> {
    /// The operations, by their places in the block, in order.
    pub members: Vec<usize>,
    /// The sizes of the shared domain.
    pub sizes: Vec<Extent<'c, 'a>>,
    /// For each member, which of its dimensions each shared one is.
    pub dims: Vec<Vec<usize>>,
}

impl<'c: 'a, 'a> Cluster<'c, 'a> {
    pub fn alone(place: usize, candidate: &Candidate<'c, 'a>) -> Self {
        let dims: Vec<usize> = (0..candidate.nest.sizes.len()).filter(|d| candidate.is_free(*d)).collect();
        let sizes = dims.iter().map(|d| candidate.nest.extents[*d]).collect();
        Self { members: vec![place], sizes, dims: vec![dims] }
    }

    /// The same with some of the shared dimensions.
    pub fn keeping(&self, kept: &[usize]) -> Self {
        let pick = |all: &Vec<usize>| kept.iter().map(|k| all[*k]).collect();
        Self {
            members: self.members.clone(),
            sizes: kept.iter().map(|k| self.sizes[*k]).collect(),
            dims: self.dims.iter().map(pick).collect(),
        }
    }
}

/// Two sets as one, with these pairs of dimensions shared.
pub(super) fn together<'c: 'a, 'a>(
    one: &Cluster<'c, 'a>,
    other: &Cluster<'c, 'a>,
    pairs: &[(usize, usize)],
) -> Cluster<'c, 'a> {
    let own = |set: &Cluster<'c, 'a>, side: fn(&(usize, usize)) -> usize| {
        let pick = |dims: &Vec<usize>| pairs.iter().map(|pair| dims[side(pair)]).collect::<Vec<_>>();
        set.members.iter().copied().zip(set.dims.iter().map(pick)).collect::<Vec<_>>()
    };
    let mut members = own(one, |pair| pair.0);
    members.extend(own(other, |pair| pair.1));
    members.sort();
    let (members, dims) = members.into_iter().unzip();
    Cluster { members, sizes: pairs.iter().map(|pair| one.sizes[pair.0]).collect(), dims }
}
