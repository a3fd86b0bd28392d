//! What keeps the threads of a block in step.
//!
//! A kernel is a sequence: what an operation writes the next one reads. Threads run at their own pace, so
//! they have to meet at a barrier wherever one may touch what another has written, or write what another may
//! still read. Each access says which buffer it touches, and which part of it belongs to which thread; two
//! that give each thread the same part need no barrier. Blocks share nothing.
//!
//! Of each sequence of operations it is known what may be touched before the threads first meet in it, and
//! what after they last met: where the latter of what comes before is at odds with the former of what
//! follows, they meet in between. For a loop that is before it, once; inside only for what an iteration has
//! of the one before.

use super::{
    alignment::divisor, known, later::is_read_later, scratch::is_scratch, share::Share, threads::exchanged,
};
use melior::ir::{AttributeLike, BlockRef, OperationRef, RegionLike, TypeLike, ValueLike};
use std::collections::HashSet;
use terrace_dialects::{
    analysis::memory,
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{self, argument, key, name_of},
    },
    loops::{affine, layout::Layout},
    ops::kernel,
};

/// One access to memory.
#[derive(Clone, PartialEq)]
struct Access {
    memory: Memory,
    writes: bool,
    part: Option<Part>,
}

/// Whose memory it is.
#[derive(Clone, Copy, PartialEq)]
enum Memory {
    /// An argument's of the kernel.
    Argument(usize),
    /// The kernel's own, which nothing else shares.
    Scratch(usize),
    /// That in which threads exchange what they have: so many elements of a type.
    Exchange(usize, i64),
    Unknown,
}

/// Which part of a buffer belongs to which thread.
#[derive(Clone, PartialEq)]
enum Part {
    /// The first thread has all.
    First,
    /// All threads have all, one step after the other.
    Atomic,
    /// Ranges along dimensions of a memref are dealt out by a layout.
    Ranges {
        memref: usize,
        /// Whether it is an argument or scratch memory itself: the same in every iteration of a loop.
        whole: bool,
        ranges: Vec<Range>,
        layout: Layout,
    },
}

/// A range along a dimension, from an index on.
#[derive(Clone, PartialEq)]
struct Range {
    dim: usize,
    range: i64,
    step: i64,
    from: From,
}

/// Where a range starts.
#[derive(Clone, PartialEq)]
enum From {
    /// At a multiple of the range: in whatever iteration of a loop, an element belongs to the same thread.
    Multiple,
    /// At a result of a map of these values.
    Values(usize, usize, Vec<usize>),
}

/// The memory that a buffer is, or is a view of.
fn memory<'c: 'a, 'a>(memref: V<'c, 'a>) -> Memory {
    let root = memory::Memory::of(memref).root;
    if is_scratch(root) {
        return Memory::Scratch(key(root));
    }
    let Some(argument) = argument(root) else { return Memory::Unknown };
    let kernel = argument.owner().parent_operation().is_some_and(|op| name_of(op) == "kernel.func");
    if kernel { Memory::Argument(argument.argument_number()) } else { Memory::Unknown }
}

/// The part that each thread has as its own.
fn part(
    memref: V,
    (map, operands): (melior::ir::Attribute, &[V]),
    (ranges, steps): (&[i64], &[i64]),
    layout: Option<Layout>,
) -> Option<Part> {
    let layout = layout.filter(|_| memory::is_injective(memref))?;
    let mut dealt = vec![];
    for (dim, (range, step)) in ranges.iter().zip(steps).enumerate().filter(|(_, (n, _))| **n != 0) {
        if *step < 1 {
            return None;
        }
        let divisor = match &affine::exprs(map)[dim] {
            affine::Expr::Dim(d) => divisor(operands[*d]),
            affine::Expr::Constant(n) => n.abs(),
            _ => 1,
        };
        let from = if divisor % range.checked_mul(*step)? == 0 {
            From::Multiple
        } else {
            From::Values(map.to_raw().ptr as usize, dim, operands.iter().map(|v| key(*v)).collect())
        };
        dealt.push(Range { dim, range: *range, step: *step, from });
    }
    let whole = memref.is_block_argument() || is_scratch(memref);
    Some(Part::Ranges { memref: key(memref), whole, ranges: dealt, layout })
}

/// What an operation itself touches.
fn access(op: OperationRef) -> Option<Access> {
    let of = |memref: V, writes, part| Some(Access { memory: memory(memref), writes, part });
    if let Ok(load) = kernel::LoadOp::try_from(op) {
        let (memref, ranges, steps) = (load.source(), load.ranges(), load.steps());
        // A thread also reads what it has a copy of; it writes only its own.
        let shape: Vec<i64> = ranges.iter().copied().filter(|n| *n != 0).collect();
        let layout = Layout::of(op.result_at(0).ok()?.r#type());
        let layout = layout.filter(|layout| Share::new(layout, &shape).is_dealt_out());
        return of(memref, false, part(memref, (load.map(), &load.indices()), (&ranges, &steps), layout));
    }
    if let Ok(store) = kernel::StoreOp::try_from(op) {
        let (memref, ranges, steps) = (store.destination(), store.ranges(), store.steps());
        let layout = Layout::of(store.tile().r#type());
        return of(memref, true, part(memref, (store.map(), &store.indices()), (&ranges, &steps), layout));
    }
    match name_of(op) {
        "kernel.gather" | "memref.load" => of(op.operand(0).ok()?, false, None),
        "kernel.scatter" => of(op.operand(1).ok()?, true, None),
        "kernel.atomic" => of(op.operand(1).ok()?, true, Some(Part::Atomic)),
        "memref.store" => of(op.operand(1).ok()?, true, Some(Part::First)),
        _ => None,
    }
}

/// What an operation itself touches, in order, and whether the threads meet in between.
fn accesses(op: OperationRef) -> Flow {
    if let Some((element, size)) = exchanged(op) {
        let memory = Memory::Exchange(element.to_raw().ptr as usize, size);
        let access = |writes| vec![Access { memory, writes, part: None }];
        return Flow { first: access(true), last: access(false), meets: true };
    }
    let mut all: Vec<Access> = access(op).into_iter().collect();
    if let Ok(dot) = kernel::DotOp::try_from(op)
        && let Some(left) = operations::result(dot.lhs())
        && kernel::LoadOp::try_from(left.owner()).is_ok_and(is_read_later)
    {
        all.extend(access(left.owner()));
    }
    Flow { first: all.clone(), last: all, meets: false }
}

/// The same touch in whatever iteration: whose part it is has to be so in all.
fn in_any_iteration(access: &Access) -> Access {
    let same_in_all = |part: &Part| match part {
        Part::First | Part::Atomic => true,
        Part::Ranges { whole, ranges, .. } => {
            *whole && ranges.iter().all(|range| range.from == From::Multiple)
        }
    };
    Access { part: access.part.clone().filter(same_in_all), ..access.clone() }
}

/// What a sequence of operations touches.
#[derive(Clone, Default)]
struct Flow {
    /// Before the threads first meet in it.
    first: Vec<Access>,
    /// After they last met, or in all where they may not meet.
    last: Vec<Access>,
    /// Whether they meet, on every way through it.
    meets: bool,
}

fn add(accesses: &mut Vec<Access>, more: &[Access]) {
    for access in more {
        if !accesses.contains(access) {
            accesses.push(access.clone());
        }
    }
}

/// Where the threads of a block have to meet: in front of these operations.
pub(crate) struct Order {
    meets: HashSet<usize>,
    /// Pairs of arguments of the kernel, the smaller first, that share no memory.
    disjoint: HashSet<(usize, usize)>,
}

impl Order {
    /// That of a kernel's body.
    pub fn new(body: BlockRef, disjoint: HashSet<(usize, usize)>) -> Self {
        let mut order = Self { meets: HashSet::new(), disjoint };
        order.sequence(body, vec![]);
        order
    }

    /// Whether the threads meet in front of an operation.
    pub fn meets(&self, op: OperationRef) -> bool {
        self.meets.contains(&(op.to_raw().ptr as usize))
    }

    fn conflict(&self, a: &Access, b: &Access) -> bool {
        let disjoint = match (a.memory, b.memory) {
            (Memory::Argument(a), Memory::Argument(b)) => self.disjoint.contains(&(a.min(b), a.max(b))),
            (Memory::Unknown, Memory::Exchange(..)) | (Memory::Exchange(..), Memory::Unknown) => true,
            (Memory::Unknown, _) | (_, Memory::Unknown) => false,
            (a, b) => a != b,
        };
        (a.writes || b.writes) && !disjoint && (a.part.is_none() || a.part != b.part)
    }

    /// What a block touches that follows some touches. The threads meet in front of what is at odds with
    /// them.
    fn sequence(&mut self, block: BlockRef, before: Vec<Access>) -> Flow {
        let mut all = Flow { last: before, ..Flow::default() };
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            let flow = if op.region_count() == 0 { accesses(op) } else { self.inside(op) };
            let odd = all.last.iter().any(|a| flow.first.iter().any(|b| self.conflict(a, b)));
            if odd || self.meets(op) {
                self.meets.insert(op.to_raw().ptr as usize);
                all.last.clear();
                all.meets = true;
            }
            if !all.meets {
                add(&mut all.first, &flow.first);
            }
            if flow.meets {
                all.last.clear();
                all.meets = true;
            }
            add(&mut all.last, &flow.last);
        }
        all
    }

    /// What the regions of an operation touch: one of them, or all again and again.
    fn inside(&mut self, op: OperationRef) -> Flow {
        let blocks: Vec<BlockRef> = op.regions().filter_map(|region| region.first_block()).collect();
        let is_loop = name_of(op) != "scf.if";
        let mut before = vec![];
        loop {
            let known = self.meets.len();
            let flows: Vec<Flow> = blocks.iter().map(|block| self.sequence(*block, before.clone())).collect();
            let mut all = Flow::default();
            for flow in &flows {
                add(&mut all.first, &flow.first);
                add(&mut all.last, &flow.last);
            }
            if !is_loop {
                all.meets = flows.len() == 2 && flows.iter().all(|flow| flow.meets);
                return all;
            }
            let any = |accesses: &[Access]| accesses.iter().map(in_any_iteration).collect::<Vec<_>>();
            all = Flow { first: any(&all.first), last: any(&all.last), meets: runs(op) && flows[0].meets };
            let carried = before.len();
            add(&mut before, &all.last);
            // Where they meet now less is carried.
            if self.meets.len() != known {
                before.clear();
            } else if before.len() == carried {
                return all;
            }
        }
    }
}

/// Whether the first region of a loop runs at least once.
fn runs(op: OperationRef) -> bool {
    let bound = |i| known(op.operand(i).ok()?);
    name_of(op) == "scf.while" || matches!((bound(0), bound(1)), (Some(from), Some(to)) if from < to)
}
