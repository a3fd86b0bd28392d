//! A test of each load and store against its buffer (`check-accesses`): beyond it would be a mistake of ours,
//! and ends the call as an internal error before anything is read or written there.
//!
//! Each lane that the mask has must lie within the sizes of the memref. What a memref's sizes say is
//! believed.

use crate::kernel::tiles::lanes::{all as every, vector_of};
use melior::ir::{
    Attribute, OperationRef, Type, TypeLike, ValueLike,
    attribute::{IntegerAttribute, StringAttribute},
    r#type::IntegerType,
};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        operations::{collect, name_of},
        pass::Failure,
        refusal::INTERNAL,
        shaped::Shaped,
        types::sizes,
    },
};
use terrace_size::{DYNAMIC, symbols::Predicate};

/// What an access names: the buffer and where its indices start, by the numbers of operands; and where there
/// are a mask and the lanes' distances.
struct Place {
    buffer: usize,
    indices: usize,
    spread: Option<usize>,
    mask: Option<usize>,
}

fn place(op: OperationRef) -> Option<Place> {
    let plain = |buffer| Place { buffer, indices: buffer + 1, spread: None, mask: None };
    let rank = |buffer: usize| Some(Shaped::of(op.operand(buffer).ok()?.r#type())?.shape.len());
    Some(match name_of(op) {
        "memref.load" | "vector.load" => plain(0),
        "memref.store" | "vector.store" => plain(1),
        "vector.maskedload" | "vector.maskedstore" => Place { mask: Some(1 + rank(0)?), ..plain(0) },
        "vector.gather" | "vector.scatter" => {
            Place { spread: Some(1 + rank(0)?), mask: Some(2 + rank(0)?), ..plain(0) }
        }
        _ => return None,
    })
}

/// Puts an assertion in front of each access below an operation.
pub(super) fn check(module: OperationRef) -> Result<(), Failure> {
    for op in collect(module, |op| place(op).is_some()) {
        if let Some(place) = place(op) {
            let at = Cursor::before(op)?;
            if let Some(holds) = within(&at, op, &place)? {
                let message =
                    format!("{INTERNAL}: {} reaches beyond its buffer; please report it", name_of(op));
                let message = at.named("msg", StringAttribute::new(at.context, &message));
                at.build("cf.assert", &[holds], &[], &[message], vec![])?;
            }
        }
    }
    Ok(())
}

/// How many lanes an access has, where it is of vectors.
fn lanes(op: OperationRef) -> Option<i64> {
    let stored = if name_of(op) == "vector.store" { 0 } else { op.operand_count().checked_sub(1)? };
    let ty = match op.results().next() {
        Some(loaded) => loaded.r#type(),
        None => op.operand(stored).ok()?.r#type(),
    };
    sizes(ty).first().copied().filter(|_| ty.is_vector())
}

/// Whether an access lies within its buffer; None where there is nothing to test.
fn within<'c, 'a>(
    at: &Cursor<'c, 'a>,
    op: OperationRef<'c, 'a>,
    place: &Place,
) -> Result<Option<V<'c, 'a>>, Failure> {
    let memref = op.operand(place.buffer)?;
    let Some(shaped) = Shaped::of(memref.r#type()) else { return Ok(None) };
    let truth: Type = IntegerType::new(at.context, 1).into();
    let word = IntegerType::new(at.context, 64).into();
    let mut all: Option<V> = None;
    for (dim, size) in shaped.shape.iter().enumerate() {
        let mut index = op.operand(place.indices + dim)?;
        let mut size = match *size {
            DYNAMIC => at.op("memref.dim", &[memref, at.index(dim as i64)?], at.index_type())?,
            size => at.index(size)?,
        };
        let lanes = lanes(op).filter(|_| dim + 1 == shaped.shape.len());
        let mut ty = truth;
        if let Some(lanes) = lanes {
            let many = vector_of(at.index_type(), lanes);
            let mut disjoint = match place.spread {
                Some(spread) => op.operand(spread)?,
                None => at.op("vector.step", &[], many)?,
            };
            if disjoint.r#type() != many {
                disjoint = at.op("arith.index_cast", &[disjoint], many)?;
            }
            let first = at.op("vector.broadcast", &[index], many)?;
            index = at.op("arith.addi", &[first, disjoint], many)?;
            size = at.op("vector.broadcast", &[size], many)?;
            ty = vector_of(truth, lanes);
        }
        let below = at.named("predicate", IntegerAttribute::new(word, Predicate::Below as i64));
        let mut there = at.with("arith.cmpi", &[index, size], ty, &[below])?;
        if let Some(mut before) = all {
            if lanes.is_some() {
                before = at.op("vector.broadcast", &[before], ty)?;
            }
            there = at.op("arith.andi", &[there, before], ty)?;
        }
        if let Some(lanes) = lanes {
            if let Some(mask) = place.mask {
                let out = at.op("arith.xori", &[op.operand(mask)?, every(at, lanes)?], ty)?;
                there = at.op("arith.ori", &[there, out], ty)?;
            }
            let and =
                Attribute::parse(at.context, "#vector.kind<and>").ok_or(internal!("there is no and"))?;
            there = at.with("vector.reduction", &[there], truth, &[at.named("kind", and)])?;
        }
        all = Some(there);
    }
    Ok(all)
}
