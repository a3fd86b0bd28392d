//! One loop operation, or a member of a group, as loops.

use super::{
    schedule::Schedule,
    strip::{Member, Strips},
    write::{Env, body, bound, fold, ordered, place, read, store},
};
use crate::loops::write::{Size, combine, combine_in_any_order};
use melior::ir::{Attribute, BlockRef, OperationRef, RegionLike, RegionRef, Type, ValueLike};
use terrace_dialects::{
    analysis::{
        dependence::{Access, Relation},
        memory::Memory,
    },
    ir::{
        BlockLike,
        cursor::{Cursor, V},
        operations::{arguments, collect, refuse},
        pass::Failure,
        shaped::Shaped,
    },
    loops::{
        combiners,
        scatters::{Meeting, may_meet},
    },
    ops::{Combiner, loop_},
};
use terrace_size::DYNAMIC;

/// What becomes of what the body yields.
#[derive(Clone, Copy)]
enum Kind {
    Pointwise,
    Scatter(Meeting),
    Reduction(Combiner),
    Scan { combiner: Combiner, dim: usize, exclusive: bool, reverse: bool },
}

/// A loop operation, read.
pub struct Nest<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    kind: Kind,
    /// The outer domain, then the inner one.
    sizes: Vec<Size<'c, 'a>>,
    outer: usize,
    indices: Vec<V<'c, 'a>>,
    block: BlockRef<'c, 'a>,
    init: Option<V<'c, 'a>>,
}

/// Whether an operation is one that is read here.
pub fn is_nest(op: OperationRef) -> bool {
    loop_::PointwiseOp::try_from(op).is_ok()
        || loop_::ScatterOp::try_from(op).is_ok()
        || loop_::ReductionOp::try_from(op).is_ok()
        || loop_::ScanOp::try_from(op).is_ok()
}

/// The sizes of a domain.
pub fn domain<'c, 'a>(sizes: &[i64], dynamic: Vec<V<'c, 'a>>) -> Result<Vec<Size<'c, 'a>>, Failure> {
    let mut dynamic = dynamic.into_iter();
    let size = |size: &i64| match *size {
        DYNAMIC => Ok(Size::Value(dynamic.next().ok_or("has fewer sizes than dimensions")?)),
        size => Ok(Size::Known(size)),
    };
    sizes.iter().map(size).collect()
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// Reads an operation.
    pub fn read(op: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        type Parts<'c, 'a> = (Kind, Vec<i64>, Vec<V<'c, 'a>>, Option<V<'c, 'a>>, RegionRef<'c, 'a>, usize);
        let (kind, sizes, dynamic, init, region, reduced): Parts =
            if let Ok(view) = loop_::PointwiseOp::try_from(op) {
                (Kind::Pointwise, view.sizes(), view.dynamic_sizes(), view.init(), view.body(), 0)
            } else if let Ok(view) = loop_::ScatterOp::try_from(op) {
                let kind = Kind::Scatter(Meeting::of(view));
                (kind, view.sizes(), view.dynamic_sizes(), Some(view.init()), view.body(), 0)
            } else if let Ok(view) = loop_::ScanOp::try_from(op) {
                let kind = Kind::Scan {
                    combiner: view.combiner(),
                    dim: view.dim() as usize,
                    exclusive: view.exclusive().is_some(),
                    reverse: view.reverse().is_some(),
                };
                (kind, view.sizes(), view.dynamic_sizes(), view.init(), view.body(), 0)
            } else {
                let view = loop_::ReductionOp::try_from(op).map_err(|_| "is no loop operation")?;
                let kind = Kind::Reduction(view.combiner());
                (kind, view.sizes(), view.dynamic_sizes(), view.init(), view.body(), view.reduced() as usize)
            };
        let block = region.first_block().ok_or("has an empty body")?;
        Ok(Self {
            op,
            kind,
            outer: sizes.len() - reduced,
            sizes: domain(&sizes, dynamic)?,
            indices: arguments(block).collect(),
            block,
            init,
        })
    }

    /// With sizes that are values of a group's point.
    pub fn within(mut self, env: &Env<'c, 'a>) -> Self {
        for size in &mut self.sizes {
            if let Size::Value(value) = size {
                *value = env.get(*value);
            }
        }
        self
    }

    /// The memref that it writes.
    pub fn buffer(&self) -> Result<V<'c, 'a>, Failure> {
        let buffer = self.init.filter(|init| Shaped::of(init.r#type()).is_some_and(|s| s.buffer));
        buffer.ok_or_else(|| {
            refuse(self.op, "is on tensors: expects memrefs, which one-shot-bufferize makes of them")
        })
    }

    fn end(&self) -> Result<loop_::YieldOp<'c, 'a>, Failure> {
        let end = self.block.terminator().and_then(|end| loop_::YieldOp::try_from(end).ok());
        end.ok_or_else(|| "has no yield".into())
    }

    /// What a buffer at these expressions is, in terms of the indices.
    fn access(&self, buffer: V<'c, 'a>, map: Attribute<'c>, operands: &[V<'c, 'a>]) -> Access<'c, 'a> {
        Access::at(buffer, (map, operands), (&self.indices, self.block), self.known())
    }

    fn known(&self) -> Vec<Option<i64>> {
        self.sizes.iter().map(|size| size.known()).collect()
    }

    /// Whether what the operation says of its order has no form in loops.
    pub fn drops_order(&self) -> bool {
        Schedule::of(self.op).turns_inside_out(self.outer)
    }

    /// Refuses points that may read what others write to a buffer.
    pub fn check(&self, buffer: &V<'c, 'a>) -> Result<(), Failure> {
        let end = self.end()?;
        let outer = self.known()[..self.outer].to_vec();
        let written = match end.map() {
            Some(map) => Access { sizes: outer, ..self.access(*buffer, map, &end.indices()) },
            None => Access::of_point(*buffer, outer),
        };
        for load in collect(self.op, |op| loop_::LoadOp::try_from(op).is_ok()) {
            let load = loop_::LoadOp::try_from(load).map_err(|_| "is no load")?;
            let read = self.access(load.source(), load.map(), &load.indices());
            let own = self.outer == self.sizes.len()
                && read.is_same(&written)
                && !matches!(
                    self.kind,
                    Kind::Scan { .. } | Kind::Scatter(Meeting::Ordered | Meeting::Combined(_))
                );
            let meets = if self.outer < self.sizes.len() {
                read.may_meet(&written, Relation::Together(0), true)
            } else {
                !own && read.may_meet_elsewhere(&written, true)
            };
            // Different memories of which nothing is known, as with arguments of a function, are taken to be
            // apart.
            if meets && Memory::of(load.source()).is(&Memory::of(*buffer)) {
                let why = "reads an element that another point may have written: expects a copy, or another destination";
                return Err(refuse(load.operation(), why));
            }
        }
        Ok(())
    }

    /// Writes the loops; elements go into a buffer.
    pub fn write(&self, at: Cursor<'c, 'a>, env: &Env<'c, 'a>, buffer: V<'c, 'a>) -> Result<(), Failure> {
        let schedule = Schedule::of(self.op);
        let (outer, dims) = (&self.sizes[..self.outer], (0..self.outer).collect::<Vec<_>>());
        let combiner = |combiner| -> Result<Combiner, Failure> {
            Ok(combiners::of(combiner, self.end()?.value().r#type()))
        };
        match self.kind {
            Kind::Pointwise => schedule.run(at, outer, &dims, |at, i| {
                let mut env = env.with(&self.indices, i);
                let end = body(at, &mut env, self.block)?;
                store(at, env.get(end.value()), buffer, i)
            }),
            Kind::Scatter(meeting) => self.scatter(at, env, buffer, meeting),
            Kind::Reduction(_) => {
                if let Some(strips) = self.strips(env)? {
                    return strips.write(at, &schedule, |at, i, sums| store(at, sums[0], buffer, i));
                }
                schedule.run(at, outer, &dims, |at, i| {
                    let number = self.number(at, env, i)?;
                    store(at, number, buffer, i)
                })
            }
            Kind::Scan { combiner: c, dim, exclusive, reverse } => {
                let c = combiner(c)?;
                let across: Vec<usize> = (0..outer.len()).filter(|d| *d != dim).collect();
                schedule.run(at, outer, &across, |at, rest| {
                    let start = self.identity(at, c)?;
                    let along = [outer[dim]];
                    fold(at, &along, &[], start, &mut |at, step, sum| {
                        let mut at_dim = step[0];
                        if reverse {
                            let last = at.op(
                                "arith.subi",
                                &[bound(at, outer[dim])?, at.index(1)?],
                                at.index_type(),
                            )?;
                            at_dim = at.op("arith.subi", &[last, at_dim], at.index_type())?;
                        }
                        let mut i = rest.to_vec();
                        i.insert(dim, at_dim);
                        let mut env = env.with(&self.indices, &i);
                        let end = body(at, &mut env, self.block)?;
                        let next = combine(at, c, sum, env.get(end.value()))?;
                        store(at, if exclusive { sum } else { next }, buffer, &i)?;
                        Ok(next)
                    })?;
                    Ok(())
                })
            }
        }
    }

    /// Points that may meet run one after the other, in row-major order, where that is not all the same.
    fn scatter(
        &self,
        at: Cursor<'c, 'a>,
        env: &Env<'c, 'a>,
        buffer: V<'c, 'a>,
        meeting: Meeting,
    ) -> Result<(), Failure> {
        let end = self.end()?;
        let map = end.map().ok_or("has no place")?;
        let meets = match meeting {
            Meeting::Alike => vec![false; self.outer],
            Meeting::Ordered | Meeting::Combined(_) => may_meet(&self.indices, map, &end.indices()),
        };
        let (slow, free): (Vec<usize>, Vec<usize>) = (0..self.outer).partition(|d| meets[*d]);
        let sizes = |dims: &[usize]| -> Vec<Size<'c, 'a>> { dims.iter().map(|d| self.sizes[*d]).collect() };
        let indices: Vec<V> = free.iter().chain(&slow).map(|d| self.indices[*d]).collect();
        Schedule::of(self.op).run(at, &self.sizes, &free, |at, apart| {
            ordered(at, &sizes(&slow), &mut |at, one| {
                let mut env = env.with(&indices, &[apart, one].concat());
                let end = body(at, &mut env, self.block)?;
                let place = place(at, &env, map, &end.indices())?;
                let mut value = env.get(end.value());
                if let Meeting::Combined(combiner) = meeting {
                    let ty = end.value().r#type();
                    let old = read(at, buffer, &place, ty)?;
                    value = combine(at, combiners::of(combiner, ty), old, value)?;
                }
                store(at, value, buffer, &place)
            })
        })
    }

    fn identity(&self, at: Cursor<'c, 'a>, combiner: Combiner) -> Result<V<'c, 'a>, Failure> {
        let ty: Type = self.end()?.value().r#type();
        at.constant(ty, combiners::identity(at.context, combiner, ty))
    }

    /// The element at a point of the outer domain: what the body yields, combined where it is a reduction.
    pub fn number(
        &self,
        at: Cursor<'c, 'a>,
        env: &Env<'c, 'a>,
        outer: &[V<'c, 'a>],
    ) -> Result<V<'c, 'a>, Failure> {
        let Kind::Reduction(_) = self.kind else {
            let mut env = env.with(&self.indices, outer);
            let end = body(at, &mut env, self.block)?;
            return Ok(env.get(end.value()));
        };
        let (combiner, start) = self.combined(at)?;
        let (sizes, indices) = self.inner();
        let env = env.with(&self.indices[..self.outer], outer);
        fold(at, &sizes, &[], start, &mut |at, i, sum| {
            let term = self.term(at, &mut env.with(&indices, i))?;
            combine_in_any_order(at, combiner, sum, term)
        })
    }

    /// What a reduction combines by, and what that begins with.
    pub fn combined(&self, at: Cursor<'c, 'a>) -> Result<(Combiner, V<'c, 'a>), Failure> {
        let Kind::Reduction(combiner) = self.kind else { return Err("is no reduction".into()) };
        let combiner = combiners::of(combiner, self.element()?);
        Ok((combiner, self.identity(at, combiner)?))
    }

    /// What the body yields, at a point.
    pub fn term(&self, at: Cursor<'c, 'a>, env: &mut Env<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let end = body(at, env, self.block)?;
        Ok(env.get(end.value()))
    }

    /// The type of what the body yields.
    pub fn element(&self) -> Result<Type<'c>, Failure> {
        Ok(self.end()?.value().r#type())
    }

    /// The sizes and indices of the inner domain, in the order of the loops.
    pub fn inner(&self) -> (Vec<Size<'c, 'a>>, Vec<V<'c, 'a>>) {
        let inner: Vec<usize> = (self.outer..self.sizes.len()).collect();
        let order = Schedule::of(self.op).order(&inner);
        order.into_iter().map(|d| (self.sizes[d], self.indices[d])).unzip()
    }

    /// The strips that a reduction may be computed by, on its own.
    fn strips(&self, env: &Env<'c, 'a>) -> Result<Option<Strips<'c, 'a>>, Failure> {
        // In a group it depends on the point.
        if !env.is_empty() {
            return Ok(None);
        }
        let member = Member { nest: Nest::read(self.op)?, needs: vec![] };
        Ok(Strips::of(self.op, &self.sizes[..self.outer], &self.indices[..self.outer], vec![member]))
    }

    /// Whether what it gives as a member is a number.
    pub fn is_number(&self) -> bool {
        self.outer == 0
    }

    /// The index of the innermost loop of a reduction.
    pub fn innermost(&self) -> Option<V<'c, 'a>> {
        let Kind::Reduction(_) = self.kind else { return None };
        self.inner().1.last().copied()
    }

    /// The sizes of what it gives.
    pub fn outer(&self) -> &[Size<'c, 'a>] {
        &self.sizes[..self.outer]
    }
}

/// Copies the elements of one buffer into another, element by element.
pub fn each<'c, 'a>(
    at: Cursor<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    mut body: impl FnMut(Cursor<'c, 'a>, &[V<'c, 'a>]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    ordered(at, sizes, &mut body)
}
