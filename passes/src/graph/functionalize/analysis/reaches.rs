//! Views of arguments that name places beyond what the argument reaches: whether there are such.
//!
//! Types say how an argument lies in its storage, and not how much of that there is behind it; who called
//! knows. Eager looks when the view is made. So the storage is asserted to have the places only where each
//! call makes the view; else it is asked, and the function is as it was written where it has not.
//!
//! Source: `checkInBoundsForStorage` of ATen, which `as_strided` calls.

use super::{
    state::{Analysis, At},
    tensors::Origin,
};
use crate::functional::writer::{Writer, Written};
use melior::ir::{Location, OperationRef, Value};
use terrace_dialects::{
    ir::{
        OperationLike, context,
        dtype::{Dtype, ElementType},
        operations::{collect, name_of},
        pass::Failure,
    },
    ops::graph,
};
use terrace_size::{DYNAMIC, Size};

/// An argument whose storage has to have so many bytes.
pub struct Reach<'c> {
    /// The argument.
    pub argument: usize,
    /// How many.
    pub bytes: Size,
    /// The view's location.
    pub location: Location<'c>,
    /// Whether each call makes the view.
    pub always: bool,
}

impl<'c> Reach<'c> {
    /// Asserts that the storage of the argument has the places.
    pub fn assert<'a>(&self, w: &Writer<'c, 'a>, argument: Value<'c, 'a>) -> Result<(), Failure> {
        let (values, numbers) = self.bytes(w)?;
        w.insert(graph::assert_storage(self.location, &[], argument, &values, &numbers)).map(drop)
    }

    fn bytes<'a>(&self, w: &Writer<'c, 'a>) -> Result<(Vec<Value<'c, 'a>>, [i64; 1]), Failure> {
        Ok(match self.bytes.simplified().known() {
            Some(bytes) => (vec![], [bytes]),
            None => (vec![w.size_or_most(self.bytes)?], [DYNAMIC]),
        })
    }

    /// Whether the storage of the argument has the places.
    pub fn test<'a>(&self, w: &Writer<'c, 'a>, argument: Value<'c, 'a>) -> Written<'c, 'a> {
        let (values, numbers) = self.bytes(w)?;
        let truth = [Dtype::Bool.to_type(context::of(self.location.context()))];
        w.value(graph::check_storage(self.location, &truth, argument, &values, &numbers))
    }
}

/// The bytes that the storage of an argument is known to have: what the arguments reach that are declared to
/// lie in it.
fn reached(analysis: &Analysis, argument: usize) -> Size {
    let available = |i: usize| analysis.available(Origin::Argument(i));
    let own = available(argument);
    let storage = |i: usize| analysis.arguments[i].as_ref().and_then(|own| own.declared.storage.as_ref());
    let beside = |other: &usize| storage(*other).is_some() && storage(*other) == storage(argument);
    let most =
        (0..analysis.arguments.len()).filter(beside).filter_map(|other| available(other).known()).max();
    match (own.known(), most) {
        (Some(own), Some(most)) => Size::from(own.max(most)),
        _ => own,
    }
}

/// What views of arguments reach beyond these.
///
/// # Errors
/// A view of which only the program says where it lies, when it has run as far; and what is wrong with it.
pub fn found<'c, 'a>(
    analysis: &Analysis<'c, 'a>,
    function: OperationRef<'c, 'a>,
) -> Result<Vec<Reach<'c>>, At<'c, 'a>> {
    let mut found: Vec<Reach> = vec![];
    for op in collect(function, |op| name_of(op) == "graph.as_strided") {
        let choice = |value| analysis.choice(value);
        let Some(made) = op.result_at(0).ok().and_then(|result| choice(result.into())) else { continue };
        let one = op.operands().all(|own| choice(own).is_none_or(|own| own.states.len() == 1));
        for identity in &made.states {
            let tensor = &analysis.identities[*identity].0;
            let origin = analysis.root(tensor.origin);
            let Origin::Argument(argument) = origin else { continue };
            if analysis.is_logical(origin)
                || analysis.bound(origin).is_some()
                || tensor.layout.is_known_empty()
            {
                continue;
            }
            let (layout, dtype) = (&tensor.layout, tensor.transform.dtype);
            let (bytes, there) = (layout.end() * dtype.bytes() as i64, reached(analysis, argument));
            let known = bytes.known().zip(there.known());
            let beyond = !bytes.is_same(there) && known.is_none_or(|(bytes, there)| bytes > there);
            if !beyond {
                continue;
            }
            if analysis.is_late([bytes]) {
                let why = "names places of a storage that may not have them, by numbers that are known only when the program has run as far";
                return Err((op, why.into()));
            }
            let here = op.parent_operation().is_some_and(|parent| parent == function);
            // What is too much for any storage is not to be made up for.
            let always = one && here && bytes.known().is_some();
            let location = op.location();
            match found.iter_mut().find(|own| own.argument == argument && own.bytes.is_same(bytes)) {
                Some(own) => own.always |= always,
                None => found.push(Reach { argument, bytes, location, always }),
            }
        }
    }
    Ok(found)
}
