//! Which tensors are seen as conjugates or negatives of what is stored: it is the same on all ways, and known of each value.
//!
//! What is passed on is what is stored; a function sees it as its caller does. So memory alone goes from one to the next, and results
//! say of themselves what they are.

use crate::graph_resolve_views::Facts;
use melior::ir::{
    Attribute, AttributeLike, BlockLike, Identifier, OperationRef, RegionLike, Value, ValueLike,
    attribute::ArrayAttribute,
    operation::{OperationLike, OperationMutLike, OperationRefMut},
};
use mlir_sys::{mlirDictionaryAttrGet, mlirNamedAttributeGet};
use std::collections::HashMap;
use terrace_dialects::{
    context,
    cursor::{Cursor, V},
    operations::{collect, name_of, refuse},
    pass::Failure,
};

/// How a tensor sees elements of its storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flagged {
    conj: bool,
    neg: bool,
}

impl Flagged {
    /// How a part is seen, 0 the real one and 1 the imaginary one.
    pub fn of_part(self, which: i64) -> Self {
        Self { conj: false, neg: self.neg != (self.conj && which == 1) }
    }

    /// A tensor seen so: what is stored as it is seen, and the other way round.
    pub fn seen<'c, 'a>(self, at: &Cursor<'c, 'a>, mut tensor: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        for (name, set) in [("graph._conj", self.conj), ("graph._neg_view", self.neg)] {
            if set {
                tensor = at.op(name, &[tensor], tensor.r#type())?;
            }
        }
        Ok(tensor)
    }
}

/// How the operands of operations see elements, by these.
pub(super) struct Flags(HashMap<usize, Vec<Flagged>>);

impl Flags {
    /// Those of a function, which says it of its results.
    ///
    /// # Errors
    /// A function is called with conjugates or negatives: it takes what is stored.
    pub fn of(function: OperationRef) -> Result<Self, Failure> {
        let flagging = |op: OperationRef| {
            matches!(
                name_of(op),
                "graph._conj" | "graph._neg_view" | "graph.custom" | "graph.fft_ihfft" | "func.call"
            )
        };
        let mut found = HashMap::new();
        if collect(function, flagging).is_empty() {
            return Ok(Self(found));
        }
        let facts = Facts::of(function);
        let of = |value: Value| {
            let seen = facts.get(value).map(|(_, seen)| seen);
            seen.map_or(Flagged::default(), |seen| Flagged { conj: seen.conj, neg: seen.neg })
        };
        for op in collect(function, |op| op != function) {
            let flags: Vec<Flagged> = op.operands().map(of).collect();
            if flags.iter().any(|flags| *flags != Flagged::default()) {
                if name_of(op) == "func.call" {
                    let why = "passes on a view of conjugates or negatives, in a function that runs as it is written: \
                               take resolve_conj or resolve_neg of it";
                    return Err(refuse(op, why));
                }
                found.insert(op.to_raw().ptr as usize, flags);
            }
        }
        let end = function.region(0)?.first_block().and_then(|block| block.terminator());
        if let Some(flags) = end.and_then(|end| found.get(&(end.to_raw().ptr as usize))) {
            declare(function, flags);
        }
        Ok(Self(found))
    }

    /// How the operands of an operation see elements.
    pub fn remove(&mut self, op: OperationRef) -> Vec<Flagged> {
        let flags = self.0.remove(&(op.to_raw().ptr as usize));
        flags.unwrap_or_else(|| vec![Flagged::default(); op.operand_count()])
    }
}

/// Says of the results of a function how they see elements.
fn declare(function: OperationRef, flags: &[Flagged]) {
    let context = context::of(function.context());
    let of = |flags: &Flagged| {
        let named = [("graph.conj", flags.conj), ("graph.neg", flags.neg)];
        let named = named.into_iter().filter(|(_, set)| *set).map(|(name, _)| {
            let name = Identifier::new(context, name);
            // SAFETY: both are of this context.
            unsafe { mlirNamedAttributeGet(name.to_raw(), Attribute::unit(context).to_raw()) }
        });
        let named: Vec<_> = named.collect();
        // SAFETY: there are as many as it says.
        unsafe {
            Attribute::from_raw(mlirDictionaryAttrGet(context.to_raw(), named.len() as isize, named.as_ptr()))
        }
    };
    let all: Vec<Attribute> = flags.iter().map(of).collect();
    // SAFETY: nobody holds on to the attribute that is replaced.
    let mut function = unsafe { OperationRefMut::from_raw(function.to_raw()) };
    function.set_attribute("res_attrs", ArrayAttribute::new(context, &all).into());
}
