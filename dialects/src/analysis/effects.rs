//! The memory effects of any operation, as its definition says them.

use crate::ir::upstream;
use melior::ir::OperationRef;

/// What a memory effect does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It allocates.
    Allocate,
    /// It frees.
    Other,
}

/// What a memory effect is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// What this operand names.
    Operand(usize),
    /// What this result names.
    Result(usize),
    /// The generator of random numbers.
    Generator,
    /// Something that the operation does not name.
    Anything,
}

/// The memory effects of an operation itself, in order; None where it does not say them.
pub fn of(op: OperationRef) -> Option<Vec<(EffectKind, On)>> {
    let effect = |(kind, place, resource): (i32, isize, &str)| {
        let kind = match kind {
            0 => EffectKind::Read,
            1 => EffectKind::Write,
            2 => EffectKind::Allocate,
            _ => EffectKind::Other,
        };
        let on = match place {
            0.. => On::Operand(place as usize),
            -1 if resource == "Generator" => On::Generator,
            -1 => On::Anything,
            _ => On::Result((-2 - place) as usize),
        };
        (kind, on)
    };
    Some(upstream::effects(op)?.into_iter().map(effect).collect())
}
