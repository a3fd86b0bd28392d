//! What keeps the threads of a block in step.
//!
//! A kernel is a sequence: what an operation writes the next one reads. Threads run at their own pace, so they have to
//! meet at a barrier wherever one may touch what another has written, or write what another may still read. Each access
//! says which buffer it touches, and which part of it belongs to which thread; two that give each thread the same part
//! need no barrier. What is inside a loop comes before it, too: the iteration before. Blocks share nothing.

use super::{alignment::divisor, scratch::is_scratch, share::Share, threads::Threads};
use melior::ir::{
    AttributeLike, BlockLike, OperationRef, RegionLike, ValueLike,
    block::BlockArgument,
    operation::{OperationLike, OperationResult},
};
use terrace_dialects::{
    affine,
    cursor::{Cursor, V},
    layout::Layout,
    operations::name_of,
    ops::kernel,
    pass::Failure,
    shaped::{Shaped, strides_and_offset},
};

/// One access to memory.
#[derive(Clone, PartialEq)]
pub(crate) struct Touch {
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
    Unknown,
}

/// Which part of a buffer belongs to which thread.
#[derive(Clone, PartialEq)]
enum Part {
    /// The first thread has all.
    First,
    /// Ranges along dimensions of a memref are dealt out by a layout.
    Ranges { memref: usize, ranges: Vec<Range>, layout: Layout },
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

fn key(value: V) -> usize {
    value.to_raw().ptr as usize
}

/// The memory that a buffer is, or is a view of.
fn memory<'c: 'a, 'a>(mut memref: V<'c, 'a>) -> Memory {
    loop {
        if memref.is_block_argument() {
            let Ok(argument) = BlockArgument::try_from(memref) else { return Memory::Unknown };
            let kernel = argument.owner().parent_operation().is_some_and(|op| name_of(op) == "kernel.func");
            return if kernel { Memory::Argument(argument.argument_number()) } else { Memory::Unknown };
        }
        if is_scratch(memref) {
            return Memory::Scratch(key(memref));
        }
        let Ok(result) = OperationResult::try_from(memref) else { return Memory::Unknown };
        match (name_of(result.owner()), result.owner().operand(0)) {
            (
                "memref.cast"
                | "memref.subview"
                | "memref.reinterpret_cast"
                | "memref.collapse_shape"
                | "memref.expand_shape",
                Ok(source),
            ) => memref = source,
            _ => return Memory::Unknown,
        }
    }
}

/// Whether no two elements of a memref are in one place.
fn is_injective(memref: V) -> bool {
    let Some(shaped) = Shaped::of(memref.r#type()) else { return false };
    let Some((strides, _)) = strides_and_offset(memref.r#type()) else { return false };
    if shaped.elements().is_none() {
        return false;
    }
    let mut dims: Vec<_> = strides.into_iter().zip(shaped.shape).filter(|(_, size)| *size > 1).collect();
    dims.sort();
    let mut extent = 1i64;
    dims.into_iter().all(|(stride, size)| {
        let apart = stride >= extent;
        extent = extent.saturating_add(stride.saturating_mul(size - 1));
        apart
    })
}

/// The part that each thread has as its own.
fn part(
    memref: V,
    (map, operands): (melior::ir::Attribute, &[V]),
    (ranges, steps): (&[i64], &[i64]),
    layout: Option<Layout>,
) -> Option<Part> {
    let layout = layout.filter(|_| is_injective(memref))?;
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
    Some(Part::Ranges { memref: key(memref), ranges: dealt, layout })
}

/// What an operation itself touches.
fn touch(op: OperationRef) -> Option<Touch> {
    let of = |memref: V, writes, part| Some(Touch { memory: memory(memref), writes, part });
    if let Ok(load) = kernel::LoadOp::try_from(op) {
        let (memref, ranges, steps) = (load.source(), load.ranges(), load.steps());
        // A thread also reads what it has a copy of; it writes only its own.
        let shape: Vec<i64> = ranges.iter().copied().filter(|n| *n != 0).collect();
        let layout = Layout::of(op.result(0).ok()?.r#type());
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
        "memref.store" => of(op.operand(1).ok()?, true, Some(Part::First)),
        _ => None,
    }
}

/// What the operations inside one touch, in any iteration.
fn inside(op: OperationRef, found: &mut Vec<Touch>) {
    let same_in_all = |part: &Part| match part {
        Part::First => true,
        Part::Ranges { ranges, .. } => ranges.iter().all(|range| range.from == From::Multiple),
    };
    for block in op.regions().filter_map(|region| region.first_block()) {
        let mut next = block.first_operation();
        while let Some(op) = next {
            found.extend(touch(op).map(|touch| Touch { part: touch.part.filter(same_in_all), ..touch }));
            inside(op, found);
            next = op.next_in_block();
        }
    }
}

impl<'c: 'a, 'a> Threads<'c, 'a> {
    fn conflict(&self, a: &Touch, b: &Touch) -> bool {
        let apart = match (a.memory, b.memory) {
            (Memory::Argument(a), Memory::Argument(b)) => self.apart.contains(&(a.min(b), a.max(b))),
            (Memory::Unknown, _) | (_, Memory::Unknown) => false,
            (a, b) => a != b,
        };
        (a.writes || b.writes) && !apart && (a.part.is_none() || a.part != b.part)
    }

    /// Lets the threads meet before an operation where they have to.
    pub(super) fn order(&mut self, at: &Cursor<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let mut new = vec![];
        if matches!(name_of(op), "scf.for" | "scf.while") {
            inside(op, &mut new);
        } else if let Some(touch) = touch(op) {
            if self.pending.iter().any(|before| self.conflict(before, &touch)) {
                self.meet(at)?;
            }
            new.push(touch);
        }
        self.note(new);
        Ok(())
    }

    /// What may have been touched since the threads last met, on another way here.
    pub(super) fn note(&mut self, touches: Vec<Touch>) {
        for touch in touches {
            if !self.pending.contains(&touch) {
                self.pending.push(touch);
            }
        }
    }
}
