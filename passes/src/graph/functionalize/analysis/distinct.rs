//! Arguments of strides that are not known, which are written: whether they may repeat elements.
//!
//! Values are right only where each element of what is written lies in a place of its own. Eager takes more:
//! it looks at what an operation writes, when it does, and not at all where a number fills. So an argument is
//! asserted to repeat nothing only where eager refuses the function for sure if it does; else it is asked,
//! and the function is as it was written where it does.
//!
//! Source: `at::assert_no_internal_overlap` of ATen, and who calls it ([`Writing`]).

use super::{
    state::Analysis,
    tensors::{Access, Argument, Origin},
    writes::Writing,
};
use melior::ir::{Location, OperationRef};
use terrace_dialects::ir::{OperationLike, registry};

/// An argument whose strides are not known, and that is written.
pub struct WrittenLogical<'c> {
    /// The argument.
    pub argument: usize,
    /// The first write's location.
    pub location: Location<'c>,
    /// Whether eager refuses the function where the argument repeats elements.
    pub refused: bool,
}

/// Arguments whose strides are not known that are written; but for those that are filled with numbers as a
/// whole, and neither read nor written otherwise, and those that declare it.
pub fn written<'c>(analysis: &Analysis<'c, '_>, function: OperationRef) -> Vec<WrittenLogical<'c>> {
    let mut found: Vec<WrittenLogical> = vec![];
    for access in analysis.accesses.iter().filter(|a| a.writes && !a.layout.is_known_empty()) {
        let Origin::Argument(argument) = access.origin else { continue };
        let Some(own) = &analysis.arguments[argument] else { continue };
        if !own.logical || own.declared.distinct || is_filled(analysis, argument, own) {
            continue;
        }
        let refused = is_always(analysis, access, function) && is_refused(analysis, access, own);
        match found.iter_mut().find(|logical| logical.argument == argument) {
            Some(logical) => logical.refused |= refused,
            None => found.push(WrittenLogical { argument, location: access.op.location(), refused }),
        }
    }
    found
}

/// Whether numbers fill an argument, as a whole, and it is neither read nor written otherwise.
fn is_filled(analysis: &Analysis, argument: usize, own: &Argument) -> bool {
    let fills = |access: &Access| {
        let tested =
            registry::of(access.op).is_none_or(|class| Writing::of(class).is_tested(access.op, class));
        !tested && access.layout.assume_same(&own.layout)
    };
    analysis.accesses.iter().filter(|access| access.origin == Origin::Argument(argument)).all(fills)
}

/// Whether an operation writes this tensor, and no other one, wherever the program goes.
fn is_always(analysis: &Analysis, access: &Access, function: OperationRef) -> bool {
    let one = |value| analysis.choice(value).is_none_or(|choice| choice.states.len() == 1);
    access.op.parent_operation().is_some_and(|parent| parent == function) && access.op.operands().all(one)
}

/// Whether eager refuses an operation that writes an argument where that repeats elements.
fn is_refused(analysis: &Analysis, access: &Access, own: &Argument) -> bool {
    let Some(class) = registry::of(access.op).filter(|class| class.is_in_place()) else { return false };
    let writing = Writing::of(class);
    let whole = access.at == access.origin && access.layout.assume_same(&own.layout);
    whole
        && writing.looked_for
        && writing.is_tested(access.op, class)
        && !(writing.copies && may_be_itself(analysis, access))
}

/// Whether what an operation copies may be the tensor that it writes.
fn may_be_itself(analysis: &Analysis, written: &Access) -> bool {
    let other = written.op.operand(1).ok().and_then(|other| analysis.tensor(other));
    other.is_none_or(|other| analysis.one_storage(other.origin, written.origin))
}
