//! A group as one loop over its domain: members one after the other, then what goes where.
//!
//! A tensor that a member gives is memory of the point, allocated there and freed behind the inserts. Where
//! points combine into the same elements they come one after the other.

use super::{
    nest::{Nest, domain, each, is_nest},
    schedule::Schedule,
    strip::{Member, Strips},
    write::{Env, bound, ordered, read, step, store},
};
use crate::loops::write::{Size, apply, combine};
use melior::ir::{
    OperationRef, RegionLike, Type, ValueLike,
    attribute::{DenseI32ArrayAttribute, IntegerAttribute},
    r#type::{IntegerType, MemRefType},
};
use rustc_hash::FxHashSet;
use terrace_dialects::{
    analysis::{
        dependence::{Access, Form, Relation, Term},
        memory::Memory,
    },
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        operations::{collect, definition, home, key, refuse},
        pass::Failure,
        shaped::Shaped,
    },
    loops::{
        affine, combiners,
        groups::{self, Insert},
    },
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Writes the loops of a group in front of it.
pub fn write<'c: 'a, 'a>(at: Cursor<'c, 'a>, group: loop_::GroupOp<'c, 'a>) -> Result<(), Failure> {
    for init in group.inits() {
        if !Shaped::expect(init.r#type())?.buffer {
            let why = "is on tensors: expects memrefs, which one-shot-bufferize makes of them";
            return Err(refuse(group.operation(), why));
        }
    }
    check(group)?;
    let sizes = domain(&group.sizes(), group.dynamic_sizes())?;
    let combines = Insert::all(group).iter().any(|insert| insert.combiner.is_some());
    let mut body = |at: Cursor<'c, 'a>, i: &[V<'c, 'a>]| point(at, group, i);
    let dims: Vec<usize> = (0..sizes.len()).collect();
    if combines {
        return ordered(at, &sizes, &mut body);
    }
    let schedule = Schedule::of(group.operation());
    match strips(group, &sizes)? {
        Some(strips) => in_strips(at, group, &strips, &schedule),
        None => schedule.run(at, &sizes, &dims, body),
    }
}

/// The operations of a point, up to where values go to their places.
fn steps<'c: 'a, 'a>(group: loop_::GroupOp<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let first = group.body().first_block().and_then(|block| block.first_operation());
    std::iter::successors(first, |op| op.next_in_block())
        .take_while(|op| loop_::InParallelOp::try_from(*op).is_err())
        .collect()
}

/// The strips of a group whose members are sums over domains that are the same at all points.
fn strips<'c: 'a, 'a>(
    group: loop_::GroupOp<'c, 'a>,
    sizes: &[Size<'c, 'a>],
) -> Result<Option<Strips<'c, 'a>>, Failure> {
    let steps = steps(group);
    let mut members = vec![];
    for (i, op) in steps.iter().enumerate().filter(|(_, op)| is_nest(**op)) {
        let nest = Nest::read(*op)?;
        let inside = |size: &Size<'c, 'a>| match size {
            Size::Value(value) => {
                home(*value).and_then(|b| b.parent_operation()).is_some_and(|op| is_inside(op, group))
            }
            Size::Known(_) => false,
        };
        if !nest.is_number() || nest.inner().0.iter().any(inside) {
            return Ok(None);
        }
        members.push(Member { nest, needs: needed(*op, &steps[..i]) });
    }
    Ok(Strips::of(group.operation(), sizes, &groups::indices(group), members))
}

/// Those of the operations in front of one whose values it takes, also by others.
fn needed<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    before: &[OperationRef<'c, 'a>],
) -> Vec<OperationRef<'c, 'a>> {
    let mut wanted = FxHashSet::default();
    let mut want = |op: OperationRef<'c, 'a>| {
        for inner in collect(op, |_| true) {
            wanted.extend(inner.operands().filter_map(definition).map(|op| op.to_raw().ptr as usize));
        }
        wanted.clone()
    };
    let mut known = want(op);
    let mut needs = vec![];
    for op in before.iter().rev() {
        if known.contains(&(op.to_raw().ptr as usize)) {
            known = want(*op);
            needs.push(*op);
        }
    }
    needs.reverse();
    needs
}

fn in_strips<'c: 'a, 'a>(
    at: Cursor<'c, 'a>,
    group: loop_::GroupOp<'c, 'a>,
    strips: &Strips<'c, 'a>,
    schedule: &Schedule,
) -> Result<(), Failure> {
    let steps = steps(group);
    strips.write(at, schedule, |at, i, sums| {
        let mut env = Env::default().with(&groups::indices(group), i);
        strips.replay(at, &mut env, &steps, sums)?;
        Insert::all(group)
            .iter()
            .try_for_each(|insert| put(at.of(insert.op.operation().location()), group, insert, &env))
    })
}

/// Refuses to read what another point may have written.
fn check<'c: 'a, 'a>(group: loop_::GroupOp<'c, 'a>) -> Result<(), Failure> {
    let indices = groups::indices(group);
    let sizes: Vec<Option<i64>> =
        group.sizes().iter().map(|size| (*size != DYNAMIC).then_some(*size)).collect();
    let term = |value: V<'c, 'a>| match indices.iter().position(|index| *index == value) {
        Some(i) => Term::Index(i),
        None => match home(value).and_then(|block| block.parent_operation()) {
            Some(holder) if is_inside(holder, group) => Term::Unknown,
            _ => Term::Symbol(key(value)),
        },
    };
    let inserts = Insert::all(group);
    for load in collect(group.operation(), |op| loop_::LoadOp::try_from(op).is_ok()) {
        let load = loop_::LoadOp::try_from(load).map_err(|_| "is no load")?;
        let terms: Vec<Term> = load.indices().into_iter().map(term).collect();
        let subscripts = affine::exprs(load.map()).iter().map(|e| Form::of(e, &terms)).collect();
        let read = Access { buffer: load.source(), subscripts, sizes: sizes.clone() };
        if !Shaped::of(load.source().r#type()).is_some_and(|s| s.buffer) {
            continue;
        }
        for insert in &inserts {
            let buffer = group.inits()[insert.destination];
            let terms: Vec<Term> = insert.operands.iter().map(|v| term(*v)).collect();
            let at = |place: &Option<affine::Expr>| place.as_ref().and_then(|e| Form::of(e, &terms));
            let written =
                Access { buffer, subscripts: insert.place.iter().map(at).collect(), sizes: sizes.clone() };
            let meets = (0..sizes.len()).any(|k| {
                read.may_meet(&written, Relation::Before(k), true)
                    || written.may_meet(&read, Relation::Before(k), true)
            });
            if meets && Memory::of(buffer).is(&Memory::of(load.source())) {
                let why = "reads an element of a destination that another point of the group may have written: expects the same \
                           index of the group here and in every insert, or a copy";
                return Err(refuse(load.operation(), why));
            }
        }
    }
    Ok(())
}

fn is_inside<'c: 'a, 'a>(mut op: melior::ir::OperationRef<'c, 'a>, group: loop_::GroupOp<'c, 'a>) -> bool {
    loop {
        if op == group.operation() {
            return true;
        }
        match op.parent_operation() {
            Some(parent) => op = parent,
            None => return false,
        }
    }
}

/// What happens at a point.
fn point<'c: 'a, 'a>(
    at: Cursor<'c, 'a>,
    group: loop_::GroupOp<'c, 'a>,
    i: &[V<'c, 'a>],
) -> Result<(), Failure> {
    let mut env = Env::default().with(&groups::indices(group), i);
    let mut memory = vec![];
    for op in steps(group) {
        if !is_nest(op) {
            step(at, &mut env, op)?;
            continue;
        }
        let (at, nest) = (at.of(op.location()), Nest::read(op)?.within(&env));
        let result: V = op.result_at(0)?.into();
        if nest.is_number() {
            let number = nest.number(at, &env, &[])?;
            env.set(result, number);
            continue;
        }
        let buffer = allocate_for(at, result, nest.outer())?;
        nest.write(at, &env, buffer)?;
        env.set(result, buffer);
        memory.push(buffer);
    }
    for insert in Insert::all(group) {
        put(at.of(insert.op.operation().location()), group, &insert, &env)?;
    }
    for buffer in memory {
        at.build("memref.dealloc", &[buffer], &[], &[], vec![])?;
    }
    Ok(())
}

/// Memory for what a member gives.
fn allocate_for<'c, 'a>(
    at: Cursor<'c, 'a>,
    result: V<'c, 'a>,
    sizes: &[Size<'c, 'a>],
) -> Result<V<'c, 'a>, Failure> {
    let shaped = Shaped::expect(result.r#type())?;
    let pairs = shaped.shape.iter().zip(sizes).filter(|(size, _)| **size == DYNAMIC);
    let dynamic = pairs.map(|(_, size)| bound(at, *size)).collect::<Result<Vec<V>, Failure>>()?;
    allocate(at, shaped.element, &shaped.shape, &dynamic)
}

/// Memory of a point's own.
pub fn allocate<'c, 'a>(
    at: Cursor<'c, 'a>,
    element: Type<'c>,
    shape: &[i64],
    dynamic: &[V<'c, 'a>],
) -> Result<V<'c, 'a>, Failure> {
    let segments = DenseI32ArrayAttribute::new(at.context, &[dynamic.len() as i32, 0]);
    let word = IntegerType::new(at.context, 64).into();
    let attributes =
        [at.named("alignment", IntegerAttribute::new(word, 64)), at.named("operandSegmentSizes", segments)];
    let ty = MemRefType::contiguous(element, shape, None);
    at.with("memref.alloc", dynamic, ty.into(), &attributes)
}

/// Puts a value of the point where it goes.
fn put<'c: 'a, 'a>(
    at: Cursor<'c, 'a>,
    group: loop_::GroupOp<'c, 'a>,
    insert: &Insert<'c, 'a>,
    env: &Env<'c, 'a>,
) -> Result<(), Failure> {
    let (buffer, value) = (group.inits()[insert.destination], env.get(insert.op.value()));
    let operands: Vec<V> = insert.operands.iter().map(|v| env.get(*v)).collect();
    let own = Shaped::of(value.r#type()).filter(|s| s.buffer);
    let element = own.as_ref().map_or(value.r#type(), |s| s.element);
    let sizes = match &own {
        Some(_) => crate::loops::write::sizes_of(at, value)?,
        None => vec![],
    };
    each(at, &sizes, |at, i| {
        let element_of = if own.is_some() { read(at, value, i, element)? } else { value };
        let mut rest = i.iter();
        let mut place = vec![];
        for expr in &insert.place {
            place.push(match expr {
                Some(expr) => apply(at, expr, &operands)?,
                None => *rest.next().ok_or("inserts a value of fewer dimensions")?,
            });
        }
        let element = match insert.combiner {
            Some(combiner) => {
                let old = read(at, buffer, &place, element)?;
                combine(at, combiners::of(combiner, element), old, element_of)?
            }
            None => element_of,
        };
        store(at, element, buffer, &place)
    })
}
