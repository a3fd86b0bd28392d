//! The program of a sum of columns, a few rows at a time, as [`stream`](crate::kernel::tile_programs::stream)
//! decides.

use super::{Place, Program, finish, sums::Sum};
use crate::kernel::tile_programs::{
    access::Access,
    body::Scope,
    cascade,
    cursor::{Bound, Cursor, Env, Lane},
    nest::Kind,
    stream::{ROWS, Stream},
    strips::{Part, Strip, Tail, strips},
};
use melior::ir::{ValueLike, r#type::MemRefType};
use terrace_dialects::{
    internal,
    ir::{OperationLike, cursor::V, pass::Failure},
    ops::{Combiner, kernel},
};

impl<'c: 'a, 'a> Program<'c, 'a, '_> {
    /// Memory for the totals.
    pub(super) fn totals(&self, at: Cursor<'c, 'a, '_>, stream: &Stream) -> Result<V<'c, 'a>, Failure> {
        let Kind::Reduction(combiner) = self.nest.kind else {
            return Err(internal!("sums up nothing").into());
        };
        let start = self.start(at, combiner, None)?;
        let ty = MemRefType::contiguous(start[0].r#type(), &[stream.totals], None).into();
        at.allocate("memref.alloca", ty, &[])
    }

    /// What totals begin with.
    fn start(
        &self,
        at: Cursor<'c, 'a, '_>,
        combiner: Combiner,
        lanes: Option<i64>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let element = self.nest.element_type();
        let start = at.identity(combiner, element, lanes)?;
        if cascade::is_rounded(combiner, element) { cascade::start(at, &start) } else { Ok(start) }
    }

    /// All points of the lanes' dimension, at one index of the other ones.
    pub(super) fn columns(
        &self,
        at: Cursor<'c, 'a, '_>,
        combiner: Combiner,
        place: &Place<'_, 'c, 'a>,
        env: &Env<'c, 'a>,
    ) -> Result<(), Failure> {
        let vector = self.schedule.outer_vector().ok_or(internal!("has no columns"))?;
        let part = self.part(place, vector)?;
        let totals = *place.memory.first().ok_or(internal!("has no memory for totals"))?;
        let (element, dim, lanes) = (self.nest.element_type(), self.nest.outer, self.schedule.lanes);
        let is_wide = cascade::is_rounded(combiner, element);
        let here = |at: Cursor<'c, 'a, '_>, strip: Strip<'c, 'a>| {
            at.index_op("arith.subi", strip.base, at.bound(part.from)?)
        };
        let store = |at: Cursor<'c, 'a, '_>, strip: Strip<'c, 'a>, tile: V<'c, 'a>| {
            let index = [here(at, strip)?];
            let map = Access::identity(totals, &index).map;
            let store = kernel::store(at.location, &[], tile, totals, &index, map, &[strip.lanes], &[1], &[]);
            at.append(store).map(|_| ())
        };
        let load = |at: Cursor<'c, 'a, '_>, strip: Strip<'c, 'a>| -> Result<V<'c, 'a>, Failure> {
            let index = [here(at, strip)?];
            let map = Access::identity(totals, &index).map;
            let load = kernel::load(at.location, totals, &index, map, &[strip.lanes], &[1], &[], None, None);
            Ok(at.append(load)?.result_at(0)?.into())
        };
        strips(at, part, lanes, Tail::Registers, &[], &mut |at, strip, _| {
            let start = self.start(at, combiner, Some(strip.lanes))?;
            store(at, strip, start[0])?;
            Ok(vec![])
        })?;
        let size = self.nest.bound(dim, env)?;
        at.repeat((Bound::Number(0), size, ROWS), &[], |at, from, _| {
            let rows = Part { from: Bound::Value(from), block: ROWS, size };
            strips(at, part, lanes, Tail::Registers, &[], &mut |at, strip, _| {
                let start = at.identity(combiner, element, Some(strip.lanes))?;
                let sum = Sum { combiner, start, strip: Some(strip), inner_vector: None };
                let block = self.terms(at, rows, (dim, &sum), env, &sum.start)?;
                let old = [load(at, strip)?];
                let new = match is_wide {
                    true => cascade::add(at, combiner, &old, &block)?,
                    false => at.combine_parts(combiner, &old, &block)?,
                };
                store(at, strip, new[0])?;
                Ok(vec![])
            })
        })?;
        strips(at, part, lanes, Tail::Registers, &[], &mut |at, strip, _| {
            let mut total = load(at, strip)?;
            if is_wide {
                total = cascade::narrow(at, total)?;
            }
            let total = vec![Lane::Tile(total)];
            match &self.finish {
                Some(body) => finish(at, body, env.clone(), &total, Some(strip))?,
                None => {
                    let at = at.of(self.nest.op.location());
                    Scope::new(&self.body, at, env.clone(), Some(strip)).store(&total)?;
                }
            }
            Ok(vec![])
        })?;
        Ok(())
    }
}
