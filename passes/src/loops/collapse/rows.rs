//! Short rows of a group become one with dimensions that the group's points are told apart by.
//!
//! ```text
//! loop.group (%i = 512, %j = 512, %k = 3) { loop.pointwise (%l = 3) ... %x[%i, %j, %k, %l] }
//! loop.group (%i = 512)                   { loop.pointwise (%l = 4608) ... %y[%i, %l] }
//! ```
//!
//! A step of an optimizer on the weights of a convolution has rows of 3. Where each access runs through the
//! dimensions together, in a buffer without gaps, they are one dimension of a buffer that is collapsed. What
//! is read and written stays one buffer. Members are pointwise, over one domain: the values that they hand
//! each other are of the point's own row.

use super::{insert::Insert, is_inside};
use crate::{
    emit::Emitter,
    loops::operation::{
        copy::load_at,
        merged::{collapsed, mergeable},
        place,
        read::{Kind, Loop},
    },
};
use melior::ir::{
    BlockRef, OperationRef, RegionLike, ValueLike, attribute::DenseI64ArrayAttribute,
    r#type::RankedTensorType,
};
use std::collections::HashMap;
use terrace_dialects::{
    analysis::memory::Memory,
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{arguments, collect, definition, key, users},
        pass::Failure,
        rewrite::{erase_argument, set_attribute, set_operand},
        shaped::Shaped,
    },
    loops::affine::Expr,
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Points of a row from which on it has lanes enough.
const ROW: i64 = 16;
/// Points that a row is to have.
const LONG: i64 = 256;

/// Joins what can be joined in a group.
pub(super) fn join<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Failure> {
    match loop_::GroupOp::try_from(op).ok().and_then(Rows::of) {
        Some(rows) => rows.write(),
        None => Ok(()),
    }
}

/// A group whose rows are joined with its dimensions from one on.
struct Rows<'c, 'a> {
    group: loop_::GroupOp<'c, 'a>,
    block: BlockRef<'c, 'a>,
    members: Vec<Loop<'c, 'a>>,
    /// The first dimension of the group that is joined, and the points of a row then.
    first: usize,
    size: i64,
    /// The loads of buffers that the dimensions move: in which of a buffer's the first of them is.
    loads: Vec<(loop_::LoadOp<'c, 'a>, V<'c, 'a>, usize)>,
    /// Where values go, and the dimension there that the joined ones are from.
    inserts: Vec<(Insert<'c, 'a>, usize)>,
}

impl<'c: 'a, 'a> Rows<'c, 'a> {
    /// Decides.
    fn of(group: loop_::GroupOp<'c, 'a>) -> Option<Self> {
        let op = group.operation();
        let sizes = group.sizes();
        let decided = ["order", "tile"].iter().any(|name| op.has_attribute(name));
        if decided || op.result_count() > 0 || sizes.len() < 2 || sizes.contains(&DYNAMIC) {
            return None;
        }
        let block = group.body().first_block()?;
        let ops = std::iter::successors(block.first_operation(), |op| op.next_in_block());
        let (mut members, mut rest) = (vec![], vec![]);
        for op in ops {
            match Loop::of(op) {
                Some(nest) => members.push(nest),
                None => rest.push(op),
            }
        }
        let rows = members.first()?.sizes.clone();
        let is_row = |nest: &Loop| {
            let plain = nest.kind == Kind::Pointwise && nest.is_plain() && nest.init.is_none();
            plain && nest.is_static() && nest.sizes == rows && nest.result().is_some()
        };
        let row = rows.iter().try_fold(1i64, |n, size| n.checked_mul(*size))?;
        let [end] = rest[..] else { return None };
        if row == 0 || row >= ROW || !members.iter().all(is_row) {
            return None;
        }
        // One dimension stays, over which threads share the work.
        let (mut first, mut size) = (sizes.len(), row);
        while first > 1 && size < LONG {
            first -= 1;
            size = size.checked_mul(sizes[first])?;
        }
        let outer: Vec<V> = arguments(block).take(sizes.len()).skip(first).collect();
        let lengths = [&sizes[first..], &rows].concat();
        let mut own = Self { group, block, members, first, size, loads: vec![], inserts: vec![] };
        own.inserts = own.inserts(end, &outer, &lengths)?;
        own.loads = own.loads(&outer, &lengths)?;
        let known: Vec<OperationRef> = own.loads.iter().map(|(load, ..)| load.operation()).collect();
        let put =
            |op: OperationRef<'c, 'a>| own.inserts.iter().any(|(insert, _)| insert.op.operation() == op);
        let all = outer.iter().all(|index| users(*index).all(|user| known.contains(&user) || put(user)));
        (all && own.keeps_buffers()).then_some(own)
    }

    /// Where values go, where all of them go into joined dimensions.
    fn inserts(
        &self,
        end: OperationRef<'c, 'a>,
        outer: &[V<'c, 'a>],
        lengths: &[i64],
    ) -> Option<Vec<(Insert<'c, 'a>, usize)>> {
        let one = |op: OperationRef<'c, 'a>| {
            let insert = Insert::of(self.group, op)?;
            let slots = &insert.slots;
            let at = (0..slots.len()).find(|slot| insert.is_index(*slot, outer[0]))?;
            let row = slots.get(at + outer.len()..at + lengths.len())?;
            let mut others = (0..at).chain(at + lengths.len()..slots.len());
            let is_other = |slot: usize| {
                slots[slot].is_some() && !outer.iter().any(|index| insert.is_index(slot, *index))
            };
            let fits = outer.iter().enumerate().all(|(n, index)| insert.is_index(at + n, *index))
                && row.iter().all(Option::is_none)
                && others.all(is_other)
                && follows(self.group.inits()[insert.init], at, lengths);
            fits.then_some((insert, at))
        };
        collect(end, |op| loop_::InsertOp::try_from(op).is_ok()).into_iter().map(one).collect()
    }

    /// The loads of buffers that the joined dimensions move, where they move through them together.
    fn loads(
        &self,
        outer: &[V<'c, 'a>],
        lengths: &[i64],
    ) -> Option<Vec<(loop_::LoadOp<'c, 'a>, V<'c, 'a>, usize)>> {
        let mut found = vec![];
        for nest in &self.members {
            let all: Vec<_> = nest.loads().collect();
            let is_place = |op: OperationRef<'c, 'a>| all.iter().any(|load| load.operation() == op);
            if !nest.indices.iter().all(|index| users(*index).all(is_place)) {
                return None;
            }
            let pattern = [outer, &nest.indices].concat();
            for load in all {
                let moved = load.indices().iter().any(|index| pattern.contains(index));
                let source = load.source();
                if load.mask().is_some() && moved {
                    return None;
                }
                if self.members.iter().any(|other| other.result() == Some(source)) {
                    if !place::is_own(load, nest) {
                        return None;
                    }
                    continue;
                }
                if !moved {
                    continue;
                }
                let (exprs, operands) = place::of(load);
                let at = (0..exprs.len()).find(|d| place::index(load, *d) == Some(pattern[0]))?;
                let runs = (0..pattern.len()).all(|k| place::index(load, at + k) == Some(pattern[k]));
                let others = exprs[..at].iter().chain(exprs.get(at + pattern.len()..)?);
                let is_free = |expr: &Expr| {
                    let mut dims = vec![];
                    expr.dims(&mut dims);
                    !dims.into_iter().any(|d| pattern.contains(&operands[d]))
                };
                if !runs || is_inside(source) || !others.clone().all(is_free) || !follows(source, at, lengths)
                {
                    return None;
                }
                found.push((load, nest.indices[0], at));
            }
        }
        Some(found)
    }

    /// Whether what is read and written is collapsed in one way, as one value.
    fn keeps_buffers(&self) -> bool {
        let inits = self.group.inits();
        self.inserts.iter().all(|(insert, to)| {
            let init = inits[insert.init];
            let same = self.inserts.iter().all(|(other, at)| other.init != insert.init || at == to);
            let is_kept = |(load, _, at): &(loop_::LoadOp<'c, 'a>, V<'c, 'a>, usize)| {
                let source = load.source();
                !Memory::of(init).is(&Memory::of(source)) || source == init && at == to
            };
            // What is read of it must be among the loads that are collapsed.
            let others = self.members.iter().flat_map(Loop::loads).all(|load| {
                !Memory::of(init).is(&Memory::of(load.source()))
                    || self.loads.iter().any(|(own, ..)| own.operation() == load.operation())
            });
            same && others && self.loads.iter().all(is_kept)
        }) && (0..inits.len()).all(|init| self.inserts.iter().any(|(insert, _)| insert.init == init))
    }

    /// Puts one dimension in the place of several.
    fn write(self) -> Result<(), Failure> {
        let op = self.group.operation();
        let e = Emitter::before(op)?;
        let sizes = self.group.sizes();
        let count = sizes.len() - self.first + self.members[0].sizes.len();
        let mut made: HashMap<(usize, usize), V> = HashMap::new();
        let mut merged = |buffer: V<'c, 'a>, at: usize| match made.get(&(key(buffer), at)) {
            Some(known) => Ok::<_, Failure>(*known),
            None => {
                let value = collapsed(&e, buffer, &[(at, count)])?;
                made.insert((key(buffer), at), value);
                Ok(value)
            }
        };
        let inits = self.group.inits();
        for (number, init) in inits.iter().enumerate() {
            let Some((_, at)) = self.inserts.iter().find(|(insert, _)| insert.init == number) else {
                continue;
            };
            let value = merged(*init, *at)?;
            set_operand(op, op.operand_count() - inits.len() + number, value);
            self.block.argument(sizes.len() + number)?.set_type(value.r#type());
        }
        for nest in &self.members {
            set_attribute(nest.op, "sizes", DenseI64ArrayAttribute::new(e.context, &[self.size]).into());
            if let Some(result) = nest.result() {
                let element = Shaped::expect(result.r#type())?.element;
                result.set_type(RankedTensorType::new(&[self.size as u64], element, None).into());
            }
        }
        for (load, index, at) in &self.loads {
            let (exprs, mut operands) = place::of(*load);
            let joined = Expr::Dim(operands.len());
            operands.push(*index);
            let exprs = [&exprs[..*at], &[joined], &exprs[at + count..]].concat();
            let source = merged(load.source(), *at)?;
            let value = load_at(&Emitter::before(load.operation())?, source, &exprs, &operands, None, None)?;
            super::replace(*load, value);
        }
        for nest in &self.members {
            let locals = Loop::of(nest.op).map(|nest| nest.loads().collect::<Vec<_>>()).unwrap_or_default();
            let is_local = |load: &loop_::LoadOp<'c, 'a>| {
                definition(load.source()).is_some_and(|op| self.members.iter().any(|own| own.op == op))
            };
            for load in locals.into_iter().filter(is_local) {
                let at = Emitter::before(load.operation())?;
                let value = load_at(&at, load.source(), &[Expr::Dim(0)], &[nest.indices[0]], None, None)?;
                super::replace(load, value);
            }
            let body = nest.end.operation().block().ok_or("has no body")?;
            (1..nest.indices.len()).rev().for_each(|number| erase_argument(body, number));
        }
        for (insert, at) in &self.inserts {
            insert.write(*at, count)?;
        }
        (self.first..sizes.len()).rev().for_each(|number| erase_argument(self.block, number));
        set_attribute(op, "sizes", DenseI64ArrayAttribute::new(e.context, &sizes[..self.first]).into());
        Ok(())
    }
}

/// Whether dimensions of a buffer from one on have these sizes, but for the first, and no gaps between them.
fn follows(buffer: V, at: usize, lengths: &[i64]) -> bool {
    mergeable(buffer).is_some_and(|sizes| sizes.get(at + 1..at + lengths.len()) == Some(&lengths[1..]))
}
