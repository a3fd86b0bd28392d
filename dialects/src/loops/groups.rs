//! What the points of a `loop.group` write, and what they may read of it.
//!
//! Points run in any order, and each sees the destinations as they were. A destination can be written in
//! place while points read it only where a point reads nothing that another one writes: here that is proven
//! where one dimension of the destination is the same index of the shared domain in the load and in every
//! insert.

use crate::{
    ir::{BlockLike, operations::argument, shaped::Shaped},
    loops::affine::{self, Expr},
    ops::{Combiner, loop_},
};
use melior::ir::{RegionLike, Value, ValueLike};
use terrace_size::DYNAMIC;

/// A `loop.insert`, read.
pub struct Insert<'c, 'a> {
    /// The operation.
    pub op: loop_::InsertOp<'c, 'a>,
    /// How it is combined with what is there; None: it replaces that.
    pub combiner: Option<Combiner>,
    /// The number of the destination among the group's.
    pub destination: usize,
    /// Where, by dimension of the destination; None: all of it.
    pub place: Vec<Option<Expr>>,
    /// The dimensions of the expressions.
    pub operands: Vec<Value<'c, 'a>>,
}

/// The indices of a group's shared domain.
pub fn indices<'c, 'a>(group: loop_::GroupOp<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let Some(block) = group.body().first_block() else { return vec![] };
    (0..group.sizes().len()).filter_map(|i| block.argument(i).ok()).map(Into::into).collect()
}

/// The end of a group's body.
pub fn end<'c, 'a>(group: loop_::GroupOp<'c, 'a>) -> Option<loop_::InParallelOp<'c, 'a>> {
    loop_::InParallelOp::try_from(group.body().first_block()?.terminator()?).ok()
}

impl<'c, 'a> Insert<'c, 'a> {
    /// Reads an insert of a group; None where it inserts into something else than a destination of the group.
    pub fn of(group: loop_::GroupOp<'c, 'a>, op: loop_::InsertOp<'c, 'a>) -> Option<Self> {
        let argument = argument(op.destination())?;
        if Some(argument.owner().to_raw().ptr) != group.body().first_block().map(|b| b.to_raw().ptr) {
            return None;
        }
        let destination = argument.argument_number().checked_sub(group.sizes().len())?;
        let mut exprs = affine::exprs(op.map()).into_iter();
        let place = op.whole().into_iter().map(|all| if all { None } else { exprs.next() }).collect();
        let (combiner, operands) = (op.combiner(), op.indices());
        Some(Self { op, combiner, destination, place, operands })
    }

    /// The inserts of a group, in order.
    pub fn all(group: loop_::GroupOp<'c, 'a>) -> Vec<Self> {
        let mut found = vec![];
        let mut next = end(group).and_then(|end| end.body().first_block()?.first_operation());
        while let Some(op) = next {
            found.extend(loop_::InsertOp::try_from(op).ok().and_then(|op| Self::of(group, op)));
            next = crate::ir::OperationLike::next_in_block(&op);
        }
        found
    }

    /// The value that dimension `d` of the place is: an operand, as it is.
    pub fn index(&self, d: usize) -> Option<Value<'c, 'a>> {
        match self.place.get(d)? {
            Some(Expr::Dim(i)) => self.operands.get(*i).copied(),
            _ => None,
        }
    }
}

/// Whether what each point reads of `load`'s source is written by no other point, the source being a
/// destination.
pub fn reads_own<'c, 'a>(group: loop_::GroupOp<'c, 'a>, load: loop_::LoadOp<'c, 'a>) -> bool {
    let (source, inits) = (load.source(), group.inits());
    let inserts: Vec<_> =
        Insert::all(group).into_iter().filter(|i| inits.get(i.destination) == Some(&source)).collect();
    let (exprs, operands) = (affine::exprs(load.map()), load.indices());
    let loaded = |d: usize| match exprs.get(d) {
        Some(Expr::Dim(i)) => operands.get(*i).copied(),
        _ => None,
    };
    indices(group).into_iter().zip(group.sizes()).all(|(index, size)| {
        let told_apart =
            |d: usize| loaded(d) == Some(index) && inserts.iter().all(|i| i.index(d) == Some(index));
        size == 1 || (0..exprs.len()).any(told_apart)
    })
}

/// Whether the points together replace every element of a destination.
pub fn covers(group: loop_::GroupOp, destination: usize) -> bool {
    let (indices, sizes) = (indices(group), group.sizes());
    let Some(shape) = group.inits().get(destination).and_then(|v| Shaped::of(v.r#type())).map(|s| s.shape)
    else {
        return false;
    };
    let all = |insert: &Insert| {
        let mut used = vec![];
        insert.combiner.is_none()
            && insert.destination == destination
            && (0..shape.len()).all(|d| {
                match insert.place[d] {
                    None => return true,
                    Some(Expr::Constant(0)) if shape[d] == 1 => return true,
                    Some(_) => {}
                }
                let Some(i) = insert.index(d).and_then(|v| indices.iter().position(|i| *i == v)) else {
                    return false;
                };
                let fresh = !used.contains(&i) && sizes[i] == shape[d] && sizes[i] != DYNAMIC;
                used.push(i);
                fresh
            })
    };
    Insert::all(group).iter().any(all)
}
