//! A scan of a group and what the next member makes of its elements, in one loop.
//!
//! ```text
//! %s = loop.scan add (%j = 4096) along %j %x[%i, %j]      for each strip of %j:
//! %y = loop.pointwise (%j = 4096) math.exp %s[%j]           %sums, %next = scan %x[%i, %j : 64]
//!                                                           %y[%i, %j : 64] = exp %sums
//! ```
//!
//! The scan's elements stay in registers. The two may not take turns where the scan reads what the other one
//! writes, unless at the same index.

use super::group::Step;
use crate::kernel::tile_programs::{
    access::Access,
    nest::{Kind, Nest, is_local},
    places::placed,
};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::{
    analysis::memory::Memory,
    ir::{OperationLike, operations::users, shaped::Shaped},
    loops::affine::Expr,
    ops::loop_,
};

/// The steps of a group, each scan together with the next one where that is what is made of its elements.
pub(super) fn steps<'c: 'a, 'a>(steps: &[Step<'c, 'a>]) -> Vec<Step<'c, 'a>> {
    let mut all = vec![];
    let mut rest = steps;
    while let Some((first, others)) = rest.split_first() {
        rest = others;
        let joined = match (first, others.first()) {
            (Step::Member(scan), Some(Step::Member(reader))) => joined(scan, reader),
            _ => None,
        };
        all.push(match joined {
            Some(joined) => {
                rest = &others[1..];
                joined
            }
            None => first.clone(),
        });
    }
    all
}

/// A scan and the one member that reads it, which does so at its own index.
fn joined<'c: 'a, 'a>(scan: &Nest<'c, 'a>, reader: &Nest<'c, 'a>) -> Option<Step<'c, 'a>> {
    let value = scan.store.buffer;
    let is_memory = Shaped::of(value.r#type()).is_some_and(|shaped| shaped.buffer);
    let same = matches!(scan.kind, Kind::Scan(_)) && reader.is_pointwise() && scan.extents == reader.extents;
    if !same || is_memory || users(value).count() != 1 {
        return None;
    }
    let reads =
        |op: &&OperationRef<'c, 'a>| loop_::LoadOp::try_from(**op).is_ok_and(|load| load.source() == value);
    let load = *reader.body.iter().find(reads)?;
    let read = Access::load(loop_::LoadOp::try_from(load).ok()?);
    let own =
        |(d, expr): (usize, &Expr)| *expr == Expr::Dim(d) && read.operands.get(d) == reader.indices.get(d);
    if read.mask.is_some() || !read.exprs.iter().enumerate().all(own) || takes_turns(scan, reader) {
        return None;
    }
    let body = reader.body.iter().copied().filter(|op| *op != load).collect();
    let finish = Nest { given: vec![load.result_at(0).ok()?.into()], body, ..reader.clone() };
    Some(Step::Finished(Nest { store: reader.store.clone(), ..scan.clone() }, Box::new(finish)))
}

/// Whether a scan may read at one index what the other one writes at another.
fn takes_turns<'c: 'a, 'a>(scan: &Nest<'c, 'a>, reader: &Nest<'c, 'a>) -> bool {
    let written = &reader.store;
    let loads = scan.body.iter().filter_map(|op| loop_::LoadOp::try_from(*op).ok());
    loads.map(|load| placed(&scan.places, Access::load(load))).any(|read| {
        if is_local(read.buffer) || is_local(written.buffer) {
            return false;
        }
        let index = |(a, b): (&_, &_)| {
            a == b || (0..scan.outer).any(|d| scan.indices[d] == *a && reader.indices[d] == *b)
        };
        let alike = read.buffer == written.buffer
            && read.exprs == written.exprs
            && read.operands.len() == written.operands.len()
            && read.operands.iter().zip(&written.operands).all(index);
        let [from, to] = [read.buffer, written.buffer].map(Memory::of);
        !alike && !from.is_disjoint(&to, false)
    })
}
