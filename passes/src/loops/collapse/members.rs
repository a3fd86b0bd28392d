//! Dimensions of what the members of a group give each other, and of what it writes, become one.
//!
//! ```text
//! loop.group (%c = 64) into (%y as %to) {             loop.group (%c = 64) into (%z as %to) {
//!   %0 = loop.pointwise (%n = 8, %h = 7, %w = 7)        %0 = loop.pointwise (%n = 8, %k = 49)
//!     ... %x[%n, %c, %h, %w] : tensor<8x7x7xf32>          ... %u[%n, %c, %k] : tensor<8x49xf32>
//!   insert %0 into %to at [:, %c, :, :]                 insert %0 into %to at [:, %c, :]
//! ```
//!
//! A normalization of images is one. A tensor of a member has its dimensions joined where its readers join
//! their own, so from one dimension on all that must be joined with it is found first; then each is decided
//! as a [`domain`](super::domain) of its own is, and all of them are written or none. A buffer that is
//! written and read is collapsed for both.

use super::{
    domain::{Collapsed, Joined, Together},
    insert::Insert,
    is_inside,
};
use crate::{
    emit::Emitter,
    loops::operation::{merged::mergeable, place, read::Loop},
};
use melior::ir::{OperationRef, RegionLike, ValueLike, r#type::RankedTensorType};
use std::collections::HashSet;
use terrace_dialects::{
    analysis::memory::Memory,
    ir::{
        BlockLike, OperationLike,
        operations::{collect, definition, key, users},
        pass::Failure,
        rewrite::set_operand,
        shaped::Shaped,
    },
    loops::affine,
    ops::loop_,
};

/// Joins what can be joined in a group.
pub(super) fn join<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let Some((group, block)) =
        loop_::GroupOp::try_from(op).ok().and_then(|group| Some((group, group.body().first_block()?)))
    else {
        return Ok(());
    };
    if op.has_attribute("tile") || op.result_count() > 0 {
        return Ok(());
    }
    let ops: Vec<_> = std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect();
    // What was not joined is not asked again.
    let mut stay = HashSet::new();
    for op in ops {
        for d in (1..Loop::of(op).map_or(0, |nest| nest.outer)).rev() {
            let mut found = Members { group, pairs: vec![], together: Together::default(), inserts: vec![] };
            let joined = match found.find(op, d - 1, &stay) {
                Some(()) => found.decide(),
                None => None,
            };
            match joined {
                Some(joined) => found.write(joined)?,
                None => stay.extend(found.pairs.iter().map(|(nest, dim)| key(nest.indices[*dim]))),
            }
        }
    }
    Ok(())
}

/// What is joined at once.
struct Members<'c, 'a> {
    group: loop_::GroupOp<'c, 'a>,
    /// Members, and the first of the two dimensions.
    pairs: Vec<(Loop<'c, 'a>, usize)>,
    together: Together,
    /// Where values go, and the first of the two dimensions there.
    inserts: Vec<(Insert<'c, 'a>, usize)>,
}

impl<'c: 'a, 'a> Members<'c, 'a> {
    /// Finds what is joined with a dimension of a member and the one behind it; None where something can't
    /// be.
    fn find(&mut self, op: OperationRef<'c, 'a>, dim: usize, stay: &HashSet<usize>) -> Option<()> {
        self.add(op, dim, stay)?;
        let mut next = 0;
        while let Some((nest, dim)) = self.pairs.get(next).cloned() {
            next += 1;
            let pair = [nest.indices[dim], *nest.indices.get(dim + 1)?];
            for load in nest.loads().filter(|load| is_inside(load.source())) {
                if load.indices().iter().any(|index| pair.contains(index)) {
                    let at =
                        (0..affine::results(load.map())).find(|d| place::index(load, *d) == Some(pair[0]))?;
                    self.add(definition(load.source())?, at, stay)?;
                }
            }
            let Some(result) = nest.result().filter(|_| dim < nest.outer) else { continue };
            self.together.locals.insert(key(result), dim);
            for user in users(result) {
                match loop_::LoadOp::try_from(user) {
                    Ok(load) => self.reader(load, dim, stay)?,
                    Err(_) => self.insert(user, dim, stay)?,
                }
            }
        }
        Some(())
    }

    fn add(&mut self, op: OperationRef<'c, 'a>, dim: usize, stay: &HashSet<usize>) -> Option<()> {
        let nest = Loop::of(op).filter(|nest| nest.init.is_none())?;
        if self.pairs.iter().any(|(own, known)| own.op == op && *known == dim) {
            return Some(());
        }
        let free = nest.indices.get(dim).is_some_and(|index| !stay.contains(&key(*index)));
        self.pairs.push((nest, dim));
        free.then_some(())
    }

    /// The reader of a tensor whose dimension and the one behind it are joined.
    fn reader(&mut self, load: loop_::LoadOp<'c, 'a>, dim: usize, stay: &HashSet<usize>) -> Option<()> {
        let reader = Loop::of(load.operation().parent_operation()?)?;
        let own = (0..reader.indices.len()).find(|own| place::is_index(load, dim, &reader, *own))?;
        self.add(reader.op, own, stay)
    }

    /// Where a value goes whose dimension and the one behind it are joined; who reads that buffer in the
    /// group runs through both together, too.
    fn insert(&mut self, user: OperationRef<'c, 'a>, dim: usize, stay: &HashSet<usize>) -> Option<()> {
        let insert = Insert::of(self.group, user)?;
        let mut whole = (0..insert.slots.len()).filter(|slot| insert.slots[*slot].is_none());
        let at = whole.nth(dim)?;
        let init = self.group.inits()[insert.init];
        let joins = whole.next() == Some(at + 1) && mergeable(init)?[at + 1] >= 0;
        let known = *self.together.inits.entry(key(init)).or_insert(at);
        self.inserts.push((insert, at));
        let memory = Memory::of(init);
        for load in collect(self.group.operation(), |op| loop_::LoadOp::try_from(op).is_ok()) {
            let load = loop_::LoadOp::try_from(load).ok()?;
            if Memory::of(load.source()).is(&memory) {
                self.reader(load, at, stay)?;
            }
        }
        (joins && known == at).then_some(())
    }

    /// How each member is written, where all of them can be.
    fn decide(&self) -> Option<Vec<Joined<'c, 'a>>> {
        let ends = collect(self.group.operation(), |op| loop_::InsertOp::try_from(op).is_ok());
        let inits = self.group.inits();
        let all = ends.into_iter().all(|op| {
            let known = self.inserts.iter().any(|(own, _)| own.op.operation() == op);
            let init = Insert::of(self.group, op).map(|insert| key(inits[insert.init]));
            known || init.is_some_and(|init| !self.together.inits.contains_key(&init))
        });
        let joined = self.pairs.iter().map(|(nest, dim)| Joined::of(nest.clone(), *dim, &self.together));
        joined.collect::<Option<Vec<_>>>().filter(|_| all)
    }

    /// Puts one dimension in the place of two.
    fn write(self, joined: Vec<Joined<'c, 'a>>) -> Result<(), Failure> {
        let (op, block) = (self.group.operation(), self.group.body().first_block().ok_or("has no body")?);
        let (e, mut made) = (Emitter::before(op)?, Collapsed::default());
        for (nest, dim) in self.pairs.iter().filter(|(nest, dim)| *dim < nest.outer) {
            let result = nest.result().ok_or("gives nothing")?;
            let Shaped { mut shape, element, .. } = Shaped::expect(result.r#type())?;
            shape[*dim] *= shape.remove(dim + 1);
            let shape: Vec<u64> = shape.into_iter().map(|size| size as u64).collect();
            result.set_type(RankedTensorType::new(&shape, element, None).into());
        }
        let (inits, outer) = (self.group.inits(), self.group.sizes().len());
        for (number, init) in inits.iter().enumerate() {
            let Some(at) = self.together.inits.get(&key(*init)) else { continue };
            let value = made.of(&e, *init, &[(*at, 2)])?;
            set_operand(op, op.operand_count() - inits.len() + number, value);
            block.argument(outer + number)?.set_type(value.r#type());
        }
        joined.into_iter().try_for_each(|own| own.write(&mut made))?;
        self.inserts.iter().try_for_each(|(insert, at)| insert.write(*at, 2))
    }
}
