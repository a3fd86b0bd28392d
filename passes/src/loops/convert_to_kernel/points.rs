//! The program of a group: scratch memory at its head, loops over what a grid point has of the shared domain,
//! and inside them what happens at a point, one member after the other.
//!
//! Points that combine into the same elements all run in one grid point.

use super::{
    finished,
    group::{Group, Step},
};
use crate::kernel::tile_programs::{
    body::{Body, Scope},
    cursor::{Cursor, Env, Lane, Parts, part_key},
    nest::{Nest, bound, is_local, usual},
    schedule::{Level, Limits, Schedule, grid, levels_of, power_of_two, round_up},
    strips::{Part, parts},
    tiles::Program,
};
use melior::ir::{ValueLike, r#type::MemRefType};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Cursor as Host, V},
        extent::Extent,
        operations::key,
        pass::Failure,
        shaped::Shaped,
    },
    loops::reinterpret,
};

/// A kernel for a group.
pub(super) struct Points<'c, 'a, 'n> {
    group: &'n Group<'c, 'a>,
    steps: Vec<Step<'c, 'a>>,
    levels: Vec<Level>,
    limits: Limits,
}

/// The elements that a step computes at a point.
fn work(step: &Step) -> i64 {
    step.nest().sizes.iter().fold(1, |n, size| n.saturating_mul(usual(*size)))
}

impl<'c: 'a, 'a, 'n> Points<'c, 'a, 'n> {
    /// A kernel for a group that has points.
    pub fn new(group: &'n Group<'c, 'a>, limits: Limits) -> Self {
        let sizes = &group.sizes;
        let levels = match &group.tile {
            _ if group.combines => vec![Level::Inside; sizes.len()],
            Some(tile) => tile.iter().zip(sizes).map(Level::of).collect(),
            None => {
                let work = group.steps.iter().map(work).fold(0, i64::saturating_add);
                levels_of(sizes, work.max(1), limits.for_loop(sizes, work.max(1)).grain)
            }
        };
        Self { group, steps: finished::steps(&group.steps), levels, limits }
    }

    /// The sizes of the grid.
    pub fn grid(&self) -> Result<Vec<Extent<'c, 'a>>, Failure> {
        grid(&Host::before(self.group.op)?, &self.levels, &self.group.extents)
    }

    /// Writes it; `env` has what the group uses from outside, `grid` the indices of the grid point.
    pub fn write(&self, at: Cursor<'c, 'a, '_>, env: Env<'c, 'a>, grid: &[V<'c, 'a>]) -> Result<(), Failure> {
        let env = self.scratch(at, env)?;
        let memory = self.steps.iter().map(|step| self.memory(at, step)).collect::<Result<Vec<_>, _>>()?;
        let sizes = self.group.extents.iter().map(|extent| bound(*extent, &env));
        let parts = parts(at, &self.levels, &sizes.collect::<Result<Vec<_>, _>>()?, grid)?;
        self.points(at, 0, &parts, env, &memory)
    }

    /// Memory that a member has for itself.
    fn memory(&self, at: Cursor<'c, 'a, '_>, step: &Step<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
        let Step::Member(nest) = step else { return Ok(vec![]) };
        let schedule = Schedule::of(nest, self.limits);
        Program::new(nest, &schedule).memory(at.of(nest.op.location()))
    }

    /// Memory for tensors that have no place in a destination.
    fn scratch(&self, at: Cursor<'c, 'a, '_>, mut env: Env<'c, 'a>) -> Result<Env<'c, 'a>, Failure> {
        for nest in self.steps.iter().map(Step::nest) {
            let buffer = nest.store.buffer;
            let Some(shaped) = Shaped::of(buffer.r#type()).filter(|s| is_local(buffer) && !s.buffer) else {
                continue;
            };
            let at = at.of(nest.op.location());
            let memory = |shape: &[i64]| MemRefType::contiguous(shaped.element, shape, None).into();
            let ty = reinterpret::parts(memory(&shaped.shape));
            let ty = ty.unwrap_or_else(|| memory(&whole_tiles(&shaped.shape, self.limits.tile)));
            let mut sizes = vec![];
            for extent in nest.extents[..nest.outer].iter().filter(|extent| extent.value().is_some()) {
                sizes.push(at.bound(bound(*extent, &env)?)?);
            }
            let memory = at.allocate("memref.alloca", ty, &sizes)?;
            env.insert(key(buffer), Lane::One(memory));
        }
        Ok(env)
    }

    /// The dimensions of the shared domain from `d` on.
    fn points(
        &self,
        at: Cursor<'c, 'a, '_>,
        d: usize,
        parts: &[Part<'c, 'a>],
        mut env: Env<'c, 'a>,
        memory: &[Vec<V<'c, 'a>>],
    ) -> Result<(), Failure> {
        let Some(part) = parts.get(d) else { return point(&self.steps, memory, self.limits, at, env) };
        let index = key(self.group.indices[d]);
        part.each(at, |at, i| {
            env.insert(index, Lane::One(i));
            self.points(at, d + 1, parts, env.clone(), memory)
        })
    }
}

/// The shape of the memory of a tensor: a row has room for whole tiles, so that its last one is stored
/// without a mask. A load of what a masked store wrote waits until that is in memory.
fn whole_tiles(shape: &[i64], tile: i64) -> Vec<i64> {
    let mut shape = shape.to_vec();
    if let Some((row, outer)) = shape.split_last_mut()
        && outer.iter().all(|size| *size == 1)
        && *row > 1
    {
        *row = round_up(*row, tile.min(power_of_two(*row)));
    }
    shape
}

/// Writes what happens at a point, whose indices `env` has; `memory` is what each step has for itself, none
/// where no load crosses the lanes.
pub(super) fn point<'c: 'a, 'a>(
    steps: &[Step<'c, 'a>],
    memory: &[Vec<V<'c, 'a>>],
    limits: Limits,
    at: Cursor<'c, 'a, '_>,
    mut env: Env<'c, 'a>,
) -> Result<(), Failure> {
    for (i, step) in steps.iter().enumerate() {
        let memory = memory.get(i).map_or(&[][..], |own| own);
        let limits = if memory.is_empty() { Limits { cross: 0, ..limits } } else { limits };
        match step {
            Step::Numbers(nest) => env = Body::new(nest, None).uniform(at, env)?,
            Step::Member(nest) | Step::Finished(nest, _) if nest.sizes[..nest.outer].contains(&0) => {}
            Step::Member(nest) => {
                member(at.of(nest.op.location()), (nest, None), (limits, memory), &mut env)?;
            }
            Step::Finished(nest, finish) => {
                member(at.of(nest.op.location()), (nest, Some(finish)), (limits, memory), &mut env)?;
            }
            Step::Insert(nest, combiner) => {
                let body = Body::new(nest, None);
                let mut scope = Scope::new(&body, at.of(nest.op.location()), env.clone(), None);
                let mut element = scope.element()?;
                if let Some(combiner) = combiner {
                    let (old, new) = (ones(scope.load(&nest.store)?)?, ones(element)?);
                    let combined = scope.at.combine_parts(*combiner, &old, &new)?;
                    element = combined.into_iter().map(Lane::One).collect();
                }
                scope.store(&element)?;
            }
        }
    }
    Ok(())
}

fn member<'c: 'a, 'a>(
    at: Cursor<'c, 'a, '_>,
    (nest, finish): (&Nest<'c, 'a>, Option<&Nest<'c, 'a>>),
    (limits, memory): (Limits, &[V<'c, 'a>]),
    env: &mut Env<'c, 'a>,
) -> Result<(), Failure> {
    let schedule = Schedule::of(nest, limits);
    let program = Program::new(nest, &schedule);
    let program = match finish {
        Some(finish) => program.then(finish),
        None => program,
    };
    if Shaped::of(nest.store.buffer.r#type()).is_some() {
        return program.write_in(at, env.clone(), (&[], memory));
    }
    for (i, part) in program.number(at, env.clone())?.into_iter().enumerate() {
        env.insert(part_key(nest.store.buffer, i), part);
    }
    Ok(())
}

/// The parts of a value that is one for all points.
fn ones<'c, 'a>(parts: Parts<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
    let one = |part| match part {
        Lane::One(one) => Ok(one),
        Lane::Tile(_) => Err("combines with a tile".into()),
    };
    parts.into_iter().map(one).collect()
}
