//! How values get where they go: what is written, and what new storages begin with.
//!
//! Where a value is computed in the memory that it goes to nothing moves; elsewhere it waits in a buffer of
//! its own until everything is read.

use super::{
    sharing::{Accesses, share},
    state::{Boundary, Form, MATERIALIZE, Root, TO_BUFFER, View, name},
};
use crate::buffers::elide_copies::DISJOINT;
use melior::ir::{Attribute, OperationRef, Value, ValueLike};
use std::cmp::Ordering;
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike, attributes as convert,
        cursor::Cursor,
        operations::{self, definition, key, name_of},
        pass::Failure,
        rewrite::set_operand,
    },
    ops::graph,
};

/// How a value gets into the region that it is written to.
#[derive(Clone, Copy)]
pub(super) enum Plan<'c, 'a> {
    /// The region is read as a whole, here, and nothing else touches its storage: the core may work in place.
    InPlace(graph::ValueOp<'c, 'a>),
    /// Nothing else touches its storage: the core may compute it where it goes.
    Overwritten,
    /// By way of this buffer, where it waits until everything is read.
    Buffered(Value<'c, 'a>),
}

/// A write of a value into a region of a storage.
pub(super) struct Write<'c, 'a> {
    pub op: graph::WriteBackOp<'c, 'a>,
    pub plan: Plan<'c, 'a>,
}

/// A value on its way to where it goes.
#[derive(Clone, Copy)]
pub(super) enum Move<'w, 'c, 'a> {
    /// Into a new storage.
    Fresh(graph::FreshOp<'c, 'a>),
    /// Into a region that is written.
    Write(&'w Write<'c, 'a>),
}

impl<'c, 'a> Boundary<'c, 'a> {
    /// How a region may be written.
    pub(super) fn plan(
        &self,
        op: graph::WriteBackOp<'c, 'a>,
        view: &View<'c, 'a>,
        accesses: &Accesses<'c, 'a>,
    ) -> Result<Plan<'c, 'a>, Failure> {
        let alone = accesses.writes.with(view).take(2).count() == 1;
        let reads = accesses.reads.with(view).take(2);
        let reads: Vec<_> = reads.filter_map(|read| Some((read, self.view(read.view())?))).collect();
        Ok(match reads[..] {
            [(read, from)]
                if alone
                    && from.root == view.root
                    && from.places == view.places
                    && (view.form == Form::Static || from.buffer == view.buffer)
                    && from.dtype == view.dtype
                    && self.computed(op.value()).is_some()
                    && !accesses.takes_memory(read, op) =>
            {
                Plan::InPlace(read)
            }
            // A new storage of a value is written once already: where it comes from.
            [] if alone && !self.has_value(view.root) => Plan::Overwritten,
            _ if view.form == Form::Static => Plan::Buffered(self.allocate(self.ops[0], view)?),
            _ => Plan::Buffered(self.allocate_open(op.operation(), view)?),
        })
    }

    /// What the core is given for the destination of the first of the loop operations that compute a value in
    /// one memory.
    pub(super) fn destination(&self, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let call = definition(value)?;
        let mut op = self.in_core(value)?;
        let mut number = operations::result(value).and_then(|result| {
            let end = op.block()?.terminator()?;
            operations::result(end.operand(result.result_number()).ok()?)
        })?;
        while name_of(op).starts_with("loop.") {
            // Destinations stand last.
            let place = (op.operand_count() + number.result_number()).checked_sub(op.result_count())?;
            let init = op.operand(place).ok()?;
            match operations::result(init) {
                Some(result) => (op, number) = (definition(init)?, result),
                None => {
                    let argument = operations::argument(init)?.argument_number();
                    return call.operand(argument).ok();
                }
            }
        }
        None
    }

    /// Whether a storage begins with a value.
    fn has_value(&self, root: Root) -> bool {
        matches!(root, Root::Fresh(at) if graph::FreshOp::try_from(self.ops[at]).is_ok())
    }

    /// Puts the value of a new storage there.
    pub(super) fn fill(
        &self,
        at: OperationRef<'c, 'a>,
        fresh: graph::FreshOp<'c, 'a>,
    ) -> Result<(), Failure> {
        let view = self.view(fresh.operation().result_at(0)?.into());
        let buffer = view.and_then(|v| v.buffer).expect("placed");
        if name(buffer) == Some(TO_BUFFER) { Ok(()) } else { self.compute_into(at, fresh.value(), buffer) }
    }

    /// What a value is returned as by the core.
    pub(super) fn in_core(&self, value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        let result = operations::result(value)?;
        let end = self.returns.get(&(result.owner().to_raw().ptr as usize))?;
        definition(end.operand(result.result_number()).ok()?)
    }

    /// The loop operation of the core that computes a value; None where it was there before, or is nothing
    /// that is computed.
    pub(super) fn computed(&self, value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        self.in_core(value).filter(|op| name_of(*op).starts_with("loop."))
    }

    /// Whether the core returns a value at one place only, so that no other result is the same one.
    pub(super) fn is_returned_once(&self, value: Value<'c, 'a>) -> bool {
        let returned = operations::result(value).and_then(|result| {
            let end = self.returns.get(&(result.owner().to_raw().ptr as usize))?;
            end.operand(result.result_number()).ok()
        });
        returned.is_some_and(|value| self.times_returned.get(&key(value)) == Some(&1))
    }

    pub(super) fn sibling(&self, name: &str) -> Option<OperationRef<'c, 'a>> {
        let mut next = self.function.block().and_then(|b| b.first_operation());
        while let Some(op) = next {
            if op.attribute("sym_name").is_ok_and(|a| convert::string(a) == name) {
                return Some(op);
            }
            next = op.next_in_block();
        }
        None
    }

    /// Brings the value of a write to its place, or where it waits for its turn.
    pub(super) fn settle(&self, at: OperationRef<'c, 'a>, write: &Write<'c, 'a>) -> Result<(), Failure> {
        let value = write.op.value();
        match write.plan {
            Plan::InPlace(read) => {
                // As tensors, so that bufferization sees who still reads what stands there.
                let old = self.values[&(read.operation().to_raw().ptr as usize)];
                let new = Cursor::before(at)?.op(MATERIALIZE, &[value, old], old.r#type())?;
                set_operand(write.op.operation(), 0, new);
                Ok(())
            }
            Plan::Overwritten => self.compute_into(at, value, self.target(write)),
            Plan::Buffered(buffer) => self.compute_into(at, value, buffer),
        }
    }

    /// Changes memory that others read from.
    pub(super) fn write(&self, end: OperationRef<'c, 'a>, write: &Write<'c, 'a>) -> Result<(), Failure> {
        let buffer = self.target(write);
        let at = Cursor::before(end)?;
        let writable = [at.named("writable", Attribute::unit(self.context))];
        match write.plan {
            // Folds away where the new value stands there already.
            Plan::InPlace(_) => at.build(MATERIALIZE, &[write.op.value(), buffer], &[], &writable, vec![]),
            Plan::Buffered(from) => {
                let apart = self.view(write.op.view()).is_some_and(|view| self.is_disjoint(view));
                let apart = apart.then(|| at.named(DISJOINT, Attribute::unit(self.context)));
                at.build("memref.copy", &[from, buffer], &[], apart.as_slice(), vec![])
            }
            Plan::Overwritten => return Ok(()),
        }
        .map(drop)
    }

    /// Whether the storage of a view is no other argument's.
    fn is_disjoint(&self, view: &View<'c, 'a>) -> bool {
        let arguments = operations::arguments(self.block).filter_map(|argument| self.view(argument));
        arguments.filter(|argument| argument.root != view.root).all(|argument| !share(argument, view))
    }

    pub(super) fn target(&self, write: &Write<'c, 'a>) -> Value<'c, 'a> {
        self.view(write.op.view()).and_then(|v| v.buffer).expect("placed")
    }
}

/// Which of two values is computed first; those that are not computed are there before.
pub(super) fn computed_order(a: Option<OperationRef>, b: Option<OperationRef>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if a == b => Ordering::Equal,
        (Some(a), Some(b)) if a.is_before_in_block(b) => Ordering::Less,
        (Some(_), Some(_)) => Ordering::Greater,
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}
