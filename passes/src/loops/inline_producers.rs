//! The pass `loop-inline-producers`: elements are computed where they are read.
//!
//! A `loop.pointwise` on tensors says what the element at each index is. So a load of its result can be that
//! body at the load's place: the indices become the load's expressions, loads of the body are composed with
//! them ([`Copy`]). Values do not change by being computed elsewhere, so this is legal for any load of a
//! tensor, with one exception: what may trap must not run where a mask keeps the load from being read.
//!
//! Whether it pays is decided for all reads of a producer at once, in [`decide`]. Upstream's reshapes in
//! between are part of the place. Producers are visited from the last to the first, so a chain collapses into
//! its last link, and two readers of one producer that are read together are one reader when it is its turn.
//! Loads of one element in a body are one load. Each body is copied once, or is short, so the work is linear
//! in the program.

use super::operation::{
    copy::{Copy, has_zero},
    place,
    read::{Kind, Loop},
    reshape::{is_reshape, look_through, place_before},
};
use crate::{
    emit::Emitter, kernel::tile_programs::elementwise::is_elementwise,
    options::LoopInlineProducers as Options,
};
use melior::ir::{OperationRef, ValueLike};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        diagnostics::optimization_remark,
        operations::{collect, definition, first_result, key, name_of, users},
        pass::Failure,
        rewrite::{erase, replace_uses, set_operand},
        shaped::Shaped,
    },
    loops::affine,
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Operations of a body beyond which nothing more is put into it.
const LONGEST: usize = 256;

/// Versions of a destination that are looked back at.
const VERSIONS: usize = 16;

/// How many times fewer elements than a result a tensor has that is read next to nothing.
const NARROW: i64 = 16;

/// A load of what a producer makes.
struct Read<'c, 'a> {
    load: loop_::LoadOp<'c, 'a>,
    /// The reshapes between the producer and the load, the last first.
    through: Vec<OperationRef<'c, 'a>>,
}

/// Runs the pass below an operation.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    for load in collect(op, |op| loop_::LoadOp::try_from(op).is_ok()) {
        if let Ok(load) = loop_::LoadOp::try_from(load) {
            while look_through(load) {}
        }
    }
    for op in collect(op, |op| loop_::PointwiseOp::try_from(op).is_ok()).into_iter().rev() {
        let Some(producer) = Loop::of(op).filter(|p| p.init.is_some() && p.result().is_some()) else {
            continue;
        };
        let Some(result) = producer.result() else { continue };
        let (mut reads, mut over) = (vec![], vec![]);
        let elsewhere = reads_of(result, &mut vec![], &mut reads, &mut over);
        merge(&mut reads);
        if reads.is_empty() {
            continue;
        }
        match decide(&producer, &reads, elsewhere, options) {
            Ok(why) => {
                inline(&producer, &reads)?;
                remark(op, true, &reads, || format!("computed where it is read: {why}"));
                if !elsewhere {
                    drop_producer(&producer, &over);
                    erase(op);
                }
            }
            Err(why) => remark(op, false, &reads, || format!("not computed where it is read: {why}")),
        }
    }
    Ok(())
}

fn remark<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    done: bool,
    reads: &[Read],
    message: impl FnOnce() -> String,
) {
    let number = reads.len();
    let text = || format!("{} ({number} load{})", message(), if number == 1 { "" } else { "s" });
    optimization_remark(&op, "loop-inline-producers", "inline", done, text);
}

/// Finds the loads of a value, through reshapes, and the operations that write over it without reading it as
/// such; says whether something else uses it.
fn reads_of<'c: 'a, 'a>(
    value: V<'c, 'a>,
    through: &mut Vec<OperationRef<'c, 'a>>,
    into: &mut Vec<Read<'c, 'a>>,
    over: &mut Vec<OperationRef<'c, 'a>>,
) -> bool {
    let mut elsewhere = false;
    let mut seen = vec![];
    for user in users(value).collect::<Vec<_>>() {
        if seen.contains(&user) {
            continue;
        }
        seen.push(user);
        match loop_::LoadOp::try_from(user) {
            Ok(load) if load.source() == value => {
                into.push(Read { load, through: through.iter().rev().copied().collect() });
            }
            _ if is_reshape(user) && first_result(user).is_some_and(|r| users(r).next().is_some()) => {
                through.push(user);
                elsewhere |=
                    user.result_at(0).is_ok_and(|result| reads_of(result.into(), through, into, over));
                through.pop();
            }
            _ if through.is_empty()
                && Loop::of(user)
                    .is_some_and(|nest| nest.init == Some(value) && nest.kind != Kind::Scatter) =>
            {
                over.push(user);
            }
            _ => elsewhere = true,
        }
    }
    elsewhere
}

/// Lets loads of the same element in one body be one: the first.
fn merge<'c: 'a, 'a>(reads: &mut Vec<Read<'c, 'a>>) {
    let mut kept: Vec<Read<'c, 'a>> = vec![];
    // The places of those that are kept, by the body.
    let mut bodies: HashMap<usize, Vec<usize>> = HashMap::new();
    for read in std::mem::take(reads) {
        let op = read.load.operation();
        let body = bodies.entry(op.block().map_or(0, |block| block.to_raw().ptr as usize)).or_default();
        let same = |place: &&usize| {
            let own = kept[**place].load;
            own.map() == read.load.map() && own.operation().operands().eq(op.operands())
        };
        let Some(place) = body.iter().find(same).copied() else {
            body.push(kept.len());
            kept.push(read);
            continue;
        };
        let other = kept[place].load;
        let is_first = op.is_before_in_block(other.operation());
        let (first, last) = if is_first { (read.load, other) } else { (other, read.load) };
        kept[place].load = first;
        let (first, last) = (first.operation(), last.operation());
        if let (Some(value), Some(old)) = (first_result(first), first_result(last)) {
            replace_uses(old, value);
            erase(last);
        }
    }
    *reads = kept;
}

/// Lets operations that would have written over a producer's result write over what it would have written
/// over itself.
fn drop_producer<'c: 'a, 'a>(producer: &Loop<'c, 'a>, over: &[OperationRef<'c, 'a>]) {
    let Some(init) = producer.init else { return };
    for op in over {
        let own = (0..op.operand_count()).find(|i| op.operand(*i).ok() == producer.result());
        if let Some(own) = own {
            set_operand(*op, own, init);
        }
    }
}

/// How much an element takes to compute: None where it is too much to do it twice.
fn cost(producer: &Loop) -> Option<usize> {
    let free = ["arith.constant", "loop.load", "arith.index_cast"];
    let simple = ["math.absf", "math.fma", "math.copysign"];
    let mut work = 0;
    for name in producer.body.iter().map(|op| name_of(*op)).filter(|name| !free.contains(name)) {
        if name.starts_with("math.") && !simple.contains(&name)
            || name.contains("div")
            || name.contains("rem")
        {
            return None;
        }
        work += 1;
    }
    Some(work)
}

/// The loads that are as much to read as the producer's result: a row's mean, a channel's scale are not.
fn wide_loads(producer: &Loop) -> usize {
    let points = producer.points().unwrap_or(i64::MAX);
    let elements = |load: &loop_::LoadOp| {
        let shape = Shaped::of(load.source().r#type()).map(|source| source.shape).unwrap_or_default();
        if shape.contains(&DYNAMIC) {
            None
        } else {
            Some(shape.iter().fold(1i64, |n, size| n.saturating_mul(*size)))
        }
    };
    producer.loads().filter(|load| elements(load).is_none_or(|n| n > points / NARROW)).count()
}

/// The operation whose body a load is in, and how often it is read there; None where that is not known.
fn reader<'c: 'a, 'a>(read: &Read<'c, 'a>) -> Option<(Loop<'c, 'a>, Option<i64>)> {
    let parent = read.load.operation().parent_operation()?;
    let reader = Loop::of(parent)?;
    let around = parent.parent_operation().and_then(|op| loop_::GroupOp::try_from(op).ok());
    let shared = around.map_or(Some(1), |group| {
        let sizes = group.sizes();
        (!sizes.contains(&DYNAMIC)).then(|| sizes.iter().product())
    });
    let points = reader.points().zip(shared).map(|(own, shared)| own.saturating_mul(shared));
    Some((reader, points))
}

/// Why a producer is put where it is read, or why not.
fn decide(
    producer: &Loop,
    reads: &[Read],
    elsewhere: bool,
    options: &Options,
) -> Result<&'static str, &'static str> {
    if !producer.is_plain() {
        return Err("its body has more than arith, math and loads");
    }
    if producer.loads().any(|load| Shaped::of(load.source().r#type()).is_none_or(|source| source.buffer)) {
        return Err("its body reads memory, which may change until then");
    }
    if reads.iter().any(|read| reader(read).is_none()) {
        return Err("it is read outside of the bodies of loops");
    }
    let masked = reads.iter().any(|read| read.load.mask().is_some());
    if masked && producer.body.iter().any(|op| may_trap(*op)) {
        return Err("its body may trap, and a mask keeps it from being read");
    }
    if masked && !can_be_masked(producer) {
        return Err("a mask keeps it from being read, and it loads what has no zero");
    }
    if reads.iter().any(|read| reader(read).is_some_and(|(reader, _)| overwrites(producer, &reader, read))) {
        return Err("it reads what its reader writes over");
    }
    let block = producer.op.block();
    let readers: Vec<_> = reads.iter().filter_map(reader).collect();
    let in_a_product = readers.iter().any(|(reader, _)| reader.is_contraction());
    let cost = cost(producer);
    let widens = producer.body.iter().all(|op| matches!(name_of(*op), "loop.load" | "arith.extf"));
    if (cost == Some(0) || in_a_product && widens) && producer.loads().count() <= 1 {
        let linear = |load: loop_::LoadOp| affine::exprs(load.map()).iter().all(|e| e.linear().is_some());
        let simple =
            producer.loads().all(linear) && reads.iter().all(|r| linear(r.load) && r.through.is_empty());
        if in_a_product && turns(producer) && reads.iter().any(|read| adds_up(read.load)) {
            return Err("windows are read better where their elements are side by side");
        }
        if !in_a_product || simple {
            return Ok(if cost == Some(0) { "it only moves elements" } else { "it only widens elements" });
        }
        return Err("a factor of a product is read better from memory");
    }
    if in_a_product {
        return Err("a factor of a product would be computed again for each row or column");
    }
    if elsewhere {
        return Err("it is needed in memory as well");
    }
    if readers.iter().any(|(reader, _)| reader.body.len() + producer.body.len() > LONGEST) {
        return Err("the body would become too long");
    }
    let outside = readers.iter().any(|(reader, _)| {
        let parent = reader.op.parent_operation().filter(|op| loop_::GroupOp::try_from(*op).is_ok());
        parent.unwrap_or(reader.op).block() != block
    });
    if outside {
        return Err("it is read in another block, perhaps several times");
    }
    let once = |(reader, points): &(Loop, Option<i64>)| match (points, producer.points()) {
        (Some(read), Some(made)) => *read <= made,
        _ => reader.kind == Kind::Pointwise && same_domain(reader, producer),
    };
    if readers.len() == 1 && readers.iter().all(once) {
        return Ok("one load reads it, each element once");
    }
    let mut points = readers.iter().map(|(_, points)| *points);
    let all = points.try_fold(0i64, |all, own| Some(all.saturating_add(own?)));
    if readers.len() > 1 && all.zip(producer.points()).is_some_and(|(read, made)| read <= made) {
        return Ok("its loads read no more elements than it has");
    }
    let reduces = readers.iter().any(|(reader, _)| matches!(reader.kind, Kind::Reduction(_)));
    if reduces && producer.loads().any(|load| load.mask().is_some()) {
        return Err("it is read several times, each time under its mask");
    }
    match cost {
        Some(cost) if cost as i64 <= options.cheap && wide_loads(producer) <= 1 => {
            Ok("it costs less than storing it")
        }
        _ if readers.len() == 1 => Err("it would be computed several times"),
        _ => Err("several loads read it"),
    }
}

/// Whether neighbours in what a producer makes are no neighbours in what it reads.
fn turns(producer: &Loop) -> bool {
    let Some(last) = producer.indices.last() else { return false };
    producer.loads().any(|load| {
        let own = load.indices().iter().position(|index| index == last);
        let place = affine::exprs(load.map()).pop().and_then(|expr| expr.linear());
        own.zip(place).is_none_or(|(own, place)| place.factor(own) != 1)
    })
}

/// Whether a load reads windows: several indices move it along one dimension.
fn adds_up(load: loop_::LoadOp) -> bool {
    affine::exprs(load.map()).iter().any(|expr| {
        let mut dims = vec![];
        expr.dims(&mut dims);
        dims.iter().any(|d| *d != dims[0])
    })
}

/// Whether a producer reads, elsewhere than its reader's point, what the reader writes over: it would have to
/// be copied first. What the destination was before operations wrote over it counts too.
fn overwrites<'c: 'a, 'a>(producer: &Loop<'c, 'a>, reader: &Loop<'c, 'a>, read: &Read<'c, 'a>) -> bool {
    // What writes over the producer's result will write over what the producer would have.
    let over = if reader.init == producer.result() { producer.init } else { reader.init };
    let in_place = |load: loop_::LoadOp<'c, 'a>| {
        let own = match reader.kind {
            Kind::Pointwise => place::is_own(load, producer),
            Kind::Scatter => place::is_written(load, producer, reader),
            _ => false,
        };
        Some(load.source()) == over && own && read.through.is_empty() && place::is_own(read.load, reader)
    };
    let mut destination = over;
    for _ in 0..VERSIONS {
        let Some(value) = destination else { return false };
        if producer.loads().any(|load| load.source() == value && !in_place(load)) {
            return true;
        }
        destination = definition(value).and_then(Loop::of).and_then(|before| before.init);
    }
    false
}

/// Whether two operations have the same sizes, those of the run too.
fn same_domain(a: &Loop, b: &Loop) -> bool {
    let dynamic = |l: &Loop| {
        let view = loop_::PointwiseOp::try_from(l.op).ok();
        view.map(|view| view.dynamic_sizes().iter().map(|v| key(*v)).collect::<Vec<_>>())
    };
    a.sizes == b.sizes && dynamic(a) == dynamic(b)
}

/// Whether an operation may have no value for some operands.
fn may_trap(op: OperationRef) -> bool {
    let name = name_of(op);
    let integers = ["divsi", "divui", "remsi", "remui"];
    name.starts_with("arith.") && integers.iter().any(|part| name.ends_with(part)) || name == "math.ipowi"
}

/// Whether each load of a body has a number that it can be where nothing is read.
fn can_be_masked(producer: &Loop) -> bool {
    let element = |load: loop_::LoadOp| {
        Shaped::of(load.source().r#type()).is_some_and(|source| has_zero(source.element))
    };
    producer.loads().all(|load| load.mask().is_some() || element(load))
}

/// Whether a value counts only where a mask holds: what is made of it ends in selects that take it there.
fn is_hidden(value: V, mask: V) -> bool {
    let (mut made, mut open) = (HashSet::new(), vec![value]);
    while let Some(value) = open.pop() {
        for user in users(value) {
            let selects = name_of(user) == "arith.select"
                && user.operand(0).is_ok_and(|condition| condition == mask)
                && user.operand(2).is_ok_and(|other| other != value);
            if selects {
                continue;
            }
            if !is_elementwise(user) || may_trap(user) || made.len() >= LONGEST {
                return false;
            }
            open.extend(user.results().map(V::from).filter(|result| made.insert(key(*result))));
        }
    }
    true
}

/// Puts the body of a producer in the place of each load.
fn inline<'c: 'a, 'a>(producer: &Loop<'c, 'a>, reads: &[Read<'c, 'a>]) -> Result<(), Failure> {
    for read in reads {
        let load = read.load;
        let op = load.operation();
        let at = Emitter::before(op)?.of(producer.op.location());
        let mut at_load = affine::exprs(load.map());
        for reshape in &read.through {
            at_load = place_before(*reshape, &at_load)
                .ok_or("is read through a reshape of sizes that are not known")?;
        }
        let mut copy = Copy::new(at, &load.indices()).masked(load.mask());
        for (index, expr) in producer.indices.iter().zip(at_load) {
            copy.index(*index, expr);
        }
        copy.write(&producer.body)?;
        let mut value = copy.value(producer.end.value())?;
        if let (Some(mask), Some(other)) = (load.mask(), load.other())
            && !is_hidden(op.result_at(0)?.into(), mask)
        {
            value = at.select(mask, value, other);
        }
        replace_uses(op.result_at(0)?, value);
        erase(op);
        for reshape in &read.through {
            if let Ok(result) = reshape.result_at(0)
                && users(result.into()).next().is_none()
            {
                // SAFETY: nobody uses it any more.
                erase(*reshape);
            } else {
                break;
            }
        }
    }
    Ok(())
}
