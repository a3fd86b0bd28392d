//! The pass `elide-copies`: what is computed into a buffer and then copied to its place is computed there.
//!
//! A boundary lets a value wait in a buffer until everything is read, for it can't know how the core reads.
//! Here that is known: the buffer may be the target where nothing from its first use to the copy reads or
//! writes that. The first may besides be a loop that computes the buffer and reads the target, where no point
//! reads an element that another point writes there. Places are compared by
//! [`dependence`](terrace_dialects::analysis::dependence).

use melior::ir::{BlockRef, OperationRef, RegionLike, ValueLike};
use terrace_dialects::{
    analysis::{
        dependence::{Access, Relation},
        memory::Memory,
    },
    ir::{
        OperationLike,
        cursor::V,
        operations::{arguments, collect, definition, name_of, users},
        pass::Failure,
        rewrite::{erase, set_operand},
        shaped::Shaped,
        upstream::is_memory_effect_free,
    },
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// The attribute of a `memref.copy` that says that the target is apart from all arguments of the function
/// which it is not a view of.
pub const DISJOINT: &str = "graph.disjoint";

/// Computes in their places what is copied there, below an operation.
pub fn run(op: OperationRef, _: &crate::options::ElideCopies) -> Result<(), Failure> {
    for copy in collect(op, |op| name_of(op) == "memref.copy") {
        if let Some(elided) = Copied::read(copy).filter(Copied::may_be_there) {
            elided.rewrite();
        }
    }
    Ok(())
}

/// A copy of a buffer, which nobody uses after it.
struct Copied<'c, 'a> {
    copy: OperationRef<'c, 'a>,
    source: V<'c, 'a>,
    target: V<'c, 'a>,
    /// The first operation of the block that uses the buffer.
    first: OperationRef<'c, 'a>,
    /// Who uses it beside the copy, which may be in bodies of the block's operations.
    users: Vec<OperationRef<'c, 'a>>,
    /// The allocation of the buffer, and where it is freed.
    rest: Vec<OperationRef<'c, 'a>>,
    /// Whether arguments that the target is no view of are apart from it.
    disjoint: bool,
}

/// A loop operation that computes a buffer.
struct Writer<'c, 'a> {
    op: OperationRef<'c, 'a>,
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
        op.operands().find(|operand| *operand == buffer).filter(|_| op.result_count() == 0)?;
        Some(Self {
            op,
            block: body.first_block()?,
            outer: sizes.len() - reduced,
            sizes: sizes.into_iter().map(|size| (size != DYNAMIC).then_some(size)).collect(),
        })
    }

    /// Whether points may write to a buffer, and each reads there only what it writes itself. Points of a
    /// reduction read nothing there: they read more than once.
    fn may_write(&self, buffer: V<'c, 'a>, disjoint: bool) -> bool {
        let written = Access::of_point(buffer, self.sizes[..self.outer].to_vec());
        let indices: Vec<V> = arguments(self.block).collect();
        effects(self.op).into_iter().all(|op| {
            let Ok(load) = loop_::LoadOp::try_from(op) else { return false };
            let place = (load.map(), &load.indices()[..]);
            let read = Access::at(load.source(), place, (&indices, self.block), self.sizes.clone());
            match self.outer < self.sizes.len() {
                true => !read.may_meet(&written, Relation::Together(0), disjoint),
                false => !read.may_meet_elsewhere(&written, disjoint),
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
        let (freed, users): (Vec<_>, Vec<_>) =
            users(source).filter(|user| *user != copy).partition(|user| name_of(*user) == "memref.dealloc");
        let mut first = None;
        for user in &users {
            // Not views, whose types have the layout of the buffer.
            if name_of(*user) != "memref.copy" && !name_of(*user).starts_with("loop.") {
                return None;
            }
            let own = std::iter::successors(Some(*user), |op| op.parent_operation())
                .find(|op| op.block() == copy.block())
                .filter(|own| own.is_before_in_block(copy))?;
            let is_first = |other: &OperationRef<'c, 'a>| !other.is_before_in_block(own);
            first = first.filter(|other| !is_first(other)).or(Some(own));
        }
        let rest = freed.into_iter().chain([allocation]).collect();
        Some(Self {
            copy,
            source,
            target,
            first: first?,
            users,
            rest,
            disjoint: copy.attribute(DISJOINT).is_ok(),
        })
    }

    /// Whether the buffer may be the target.
    fn may_be_there(&self) -> bool {
        let stands = definition(self.target).is_none_or(|source| {
            source.block() != self.first.block() || source.is_before_in_block(self.first)
        });
        stands && self.is_left_alone() && (self.leaves(self.first) || self.is_computed())
    }

    /// Whether the first operation may write there although it reads the target.
    fn is_computed(&self) -> bool {
        Writer::read(self.first, self.source)
            .is_some_and(|writer| writer.may_write(self.target, self.disjoint))
    }

    /// Whether nothing between the first use of the buffer and the copy reads or writes the target.
    fn is_left_alone(&self) -> bool {
        let between = std::iter::successors(self.first.next_in_block(), |op| op.next_in_block());
        let mut between = between.take_while(|op| *op != self.copy);
        between.all(|op| self.rest.contains(&op) || is_memory_effect_free(op) || self.leaves(op))
    }

    /// Whether an operation neither reads nor writes the target.
    fn leaves(&self, op: OperationRef<'c, 'a>) -> bool {
        let target = Memory::of(self.target);
        let is_disjoint = |value: V<'c, 'a>| {
            value == self.source
                || !Shaped::of(value.r#type()).is_some_and(|shaped| shaped.buffer)
                || Memory::of(value).is_disjoint(&target, self.disjoint)
        };
        match name_of(op) {
            "memref.alloc" => true,
            "memref.copy" => op.operands().all(is_disjoint),
            name => {
                name.starts_with("loop.")
                    && op.operands().all(is_disjoint)
                    && effects(op).into_iter().all(|inner| {
                        loop_::LoadOp::try_from(inner).is_ok_and(|load| is_disjoint(load.source()))
                    })
            }
        }
    }

    fn rewrite(self) {
        for user in &self.users {
            let places = user.operands().enumerate().filter(|(_, operand)| *operand == self.source);
            for (place, _) in places.collect::<Vec<_>>() {
                set_operand(*user, place, self.target);
            }
        }
        erase(self.copy);
        self.rest.into_iter().for_each(|op| erase(op));
    }
}
