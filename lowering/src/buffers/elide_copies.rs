//! The pass `elide-copies`: what is computed into a buffer and then copied to its place is computed there.
//!
//! A boundary lets a value wait in a buffer until everything is read, for it can't know how the core reads. Here that is known: the
//! loop operation that computes the value may write to its place where no point reads an element that another point writes there, and
//! where nothing in between reads or writes it. Places are compared by [`dependence`](crate::loops::dependence).

use crate::loops::dependence::{Relation, Touch};
use melior::ir::{BlockRef, OperationRef, RegionLike, ValueLike};
use mlir_sys::mlirOperationSetOperand;
use terrace_dialects::{
    analysis::memory::Memory,
    ir::{
        OperationLike,
        cursor::V,
        operations::{arguments, collect, definition, erase, name_of, users},
        pass::Failure,
        shaped::Shaped,
        upstream::is_memory_effect_free,
    },
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// The attribute of a `memref.copy` that says that the target is apart from all arguments of the function which it is not a view of.
pub const APART: &str = "graph.apart";

/// Computes in their places what is copied there, below an operation.
pub fn run(op: OperationRef, _: &crate::options::ElideCopies) -> Result<(), Failure> {
    for copy in collect(op, |op| name_of(op) == "memref.copy") {
        if let Some(elided) = Copied::read(copy).filter(Copied::may_be_there) {
            elided.rewrite();
        }
    }
    Ok(())
}

/// A copy of a buffer that one loop operation computes, and nobody else uses.
struct Copied<'c, 'a> {
    copy: OperationRef<'c, 'a>,
    target: V<'c, 'a>,
    writer: Writer<'c, 'a>,
    /// The allocation of the buffer, and where it is freed.
    rest: Vec<OperationRef<'c, 'a>>,
    /// Whether arguments that the target is no view of are apart from it.
    apart: bool,
}

/// The loop operation that computes a buffer.
struct Writer<'c, 'a> {
    op: OperationRef<'c, 'a>,
    /// The number of the operand that is the buffer.
    place: usize,
    block: BlockRef<'c, 'a>,
    sizes: Vec<Option<i64>>,
    /// The dimensions of the outer domain, which are those of the buffer.
    outer: usize,
}

impl<'c: 'a, 'a> Writer<'c, 'a> {
    fn read(op: OperationRef<'c, 'a>, buffer: V<'c, 'a>) -> Option<Self> {
        let (sizes, body, reduced) = if let Ok(view) = loop_::PointwiseOp::try_from(op) {
            (view.sizes(), view.body(), 0)
        } else {
            let view = loop_::ReductionOp::try_from(op).ok()?;
            (view.sizes(), view.body(), view.reduced() as usize)
        };
        let mut places = op.operands().enumerate().filter(|(_, operand)| *operand == buffer);
        let (place, _) = places.next().filter(|_| op.result_count() == 0)?;
        Some(Self {
            op,
            place,
            block: body.first_block()?,
            outer: sizes.len() - reduced,
            sizes: sizes.into_iter().map(|size| (size != DYNAMIC).then_some(size)).collect(),
        })
    }

    /// Whether points may write to a buffer, and each reads there only what it writes itself. Points of a reduction read nothing there:
    /// they read more than once.
    fn may_write(&self, buffer: V<'c, 'a>, apart: bool) -> bool {
        let written = Touch::of_point(buffer, self.sizes[..self.outer].to_vec());
        let indices: Vec<V> = arguments(self.block).collect();
        effects(self.op).into_iter().all(|op| {
            let Ok(load) = loop_::LoadOp::try_from(op) else { return false };
            let place = (load.map(), &load.indices()[..]);
            let read = Touch::at(load.source(), place, (&indices, self.block), self.sizes.clone());
            match self.outer < self.sizes.len() {
                true => !read.may_meet(&written, Relation::Together(0), apart),
                false => !read.may_meet_elsewhere(&written, apart),
            }
        })
    }
}

/// The operations in the body of a loop operation that have effects, but for what it yields.
fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    collect(op, |inner| {
        let is_leaf = inner != op && inner.region_count() == 0 && !name_of(inner).ends_with(".yield");
        is_leaf && !is_memory_effect_free(inner)
    })
}

impl<'c: 'a, 'a> Copied<'c, 'a> {
    fn read(copy: OperationRef<'c, 'a>) -> Option<Self> {
        let (source, target) = (copy.operand(0).ok()?, copy.operand(1).ok()?);
        let allocation = definition(source)?;
        let shapes = [source, target].map(|value| Shaped::of(value.r#type()));
        let [Some(own), Some(other)] = shapes else { return None };
        if name_of(allocation) != "memref.alloc" || own.shape != other.shape || own.element != other.element {
            return None;
        }
        let (mut writer, mut rest) = (None, vec![]);
        for user in users(source).filter(|user| *user != copy) {
            match name_of(user) {
                "memref.dealloc" => rest.push(user),
                _ if writer.is_none() => writer = Some(Writer::read(user, source)?),
                _ => return None,
            }
        }
        rest.push(allocation);
        Some(Self { copy, target, writer: writer?, rest, apart: copy.attribute(APART).is_ok() })
    }

    /// Whether the buffer may be computed in the target.
    fn may_be_there(&self) -> bool {
        let op = self.writer.op;
        let there = |op: OperationRef<'c, 'a>| op.is_before_in_block(self.writer.op);
        let stands =
            definition(self.target).is_none_or(|source| source.block() != op.block() || there(source));
        op.block() == self.copy.block()
            && op.is_before_in_block(self.copy)
            && stands
            && self.is_left_alone()
            && self.writer.may_write(self.target, self.apart)
    }

    /// Whether nothing between the computation and the copy reads or writes the target.
    fn is_left_alone(&self) -> bool {
        let target = Memory::of(self.target);
        let is_apart = |value: V<'c, 'a>| {
            !Shaped::of(value.r#type()).is_some_and(|shaped| shaped.buffer)
                || Memory::of(value).is_apart(&target, self.apart)
        };
        let leaves = |op: OperationRef<'c, 'a>| match name_of(op) {
            "memref.alloc" => true,
            "memref.copy" => op.operands().all(is_apart),
            name => {
                name.starts_with("loop.")
                    && op.operands().all(is_apart)
                    && effects(op)
                        .into_iter()
                        .all(|inner| loop_::LoadOp::try_from(inner).is_ok_and(|load| is_apart(load.source())))
            }
        };
        let between = std::iter::successors(self.writer.op.next_in_block(), |op| op.next_in_block());
        let mut between = between.take_while(|op| *op != self.copy);
        between.all(|op| self.rest.contains(&op) || is_memory_effect_free(op) || leaves(op))
    }

    fn rewrite(self) {
        // SAFETY: the target is there before the writer; the buffer has no other uses, so that what is left of it is of no use, and
        // nobody holds on to that.
        unsafe {
            let (writer, target) = (self.writer.op.to_raw(), self.target.to_raw());
            mlirOperationSetOperand(writer, self.writer.place as isize, target);
            erase(self.copy);
            self.rest.into_iter().for_each(|op| erase(op));
        }
    }
}
