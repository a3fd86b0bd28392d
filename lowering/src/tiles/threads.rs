//! A tile spread over the threads of a block.
//!
//! Every thread holds the same number of consecutive elements; the first threads hold all of the tile, and those beyond
//! hold a copy of the last share, so that what they compute is defined and the same. Only holders store, and only they
//! count in a reduction. Scalars are the same in all threads. A reduction combines a thread's elements, then those of a
//! warp by shuffles in a butterfly (commutative operations: every lane gets the same bits), then those of the warps
//! through shared memory, which every thread reads in the same order.

use super::{
    combine::{combine, is_float},
    order::Touch,
    tile::{Cut, Tile, broadcast},
};
use crate::cursor::{Cursor, V};
use melior::ir::{
    Attribute, Type, TypeLike, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    r#type::{IntegerType, MemRefType},
};
use mlir_sys::*;
use std::collections::HashSet;
use terrace_dialects::{ops::Combiner, pass::Failure};

/// Threads that run in step and exchange values.
pub(crate) const WARP: i64 = 32;

/// The threads of a block.
pub(crate) struct Threads<'c, 'a> {
    /// How many: a power of two, whole warps.
    pub count: i64,
    /// The number of a thread.
    pub id: V<'c, 'a>,
    /// Shared memory for what warps exchange, of [`scratch_type`].
    pub scratch: V<'c, 'a>,
    /// Pairs of arguments of the kernel, the smaller first, that share no memory.
    pub apart: HashSet<(usize, usize)>,
    /// What was touched since all threads last met.
    pub pending: Vec<Touch>,
}

/// The type of [`Threads::scratch`]: two words for each warp.
pub(crate) fn scratch_type<'c>(at: &Cursor<'c, '_>, threads: i64) -> Result<Type<'c>, Failure> {
    let shared = Attribute::parse(at.context, "#gpu.address_space<workgroup>");
    let shared = shared.ok_or("is built without the gpu dialect")?;
    Ok(MemRefType::new(word(at), &[2 * threads / WARP], None, Some(shared)).into())
}

fn word<'c>(at: &Cursor<'c, '_>) -> Type<'c> {
    IntegerType::new(at.context, 32).into()
}

/// Whether two indices compare by an integer predicate.
pub(crate) fn compare<'c, 'a>(
    at: &Cursor<'c, 'a>,
    predicate: &str,
    a: V<'c, 'a>,
    b: V<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    let number = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult"].iter().position(|p| *p == predicate);
    let number = number.ok_or("compares by an unknown predicate")? as i64;
    let predicate = IntegerAttribute::new(IntegerType::new(at.context, 64).into(), number);
    let i1 = IntegerType::new(at.context, 1).into();
    at.with("arith.cmpi", &[a, b], i1, &[at.named("predicate", predicate)])
}

/// The bits of a number, in words.
fn words<'c, 'a>(at: &Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
    let ty = value.r#type();
    let Some(width) = width(ty) else {
        let long = IntegerType::new(at.context, 64).into();
        return words(at, at.op("arith.index_cast", &[value], long)?);
    };
    let integer = IntegerType::new(at.context, width).into();
    let bits = if is_float(ty) { at.op("arith.bitcast", &[value], integer)? } else { value };
    Ok(match width {
        32 => vec![bits],
        ..32 => vec![at.op("arith.extui", &[bits], word(at))?],
        _ => {
            let high = at.op("arith.shrui", &[bits, at.integer(integer, 32)?], integer)?;
            vec![at.op("arith.trunci", &[bits], word(at))?, at.op("arith.trunci", &[high], word(at))?]
        }
    })
}

/// The number of a type that has these words.
fn number<'c, 'a>(at: &Cursor<'c, 'a>, words: &[V<'c, 'a>], ty: Type<'c>) -> Result<V<'c, 'a>, Failure> {
    let Some(width) = width(ty) else {
        let long = number(at, words, IntegerType::new(at.context, 64).into())?;
        return at.op("arith.index_cast", &[long], ty);
    };
    let integer: Type = IntegerType::new(at.context, width).into();
    let bits = match words {
        [one] if width == 32 => *one,
        [one] => at.op("arith.trunci", &[*one], integer)?,
        [low, high] => {
            let low = at.op("arith.extui", &[*low], integer)?;
            let high = at.op("arith.extui", &[*high], integer)?;
            let high = at.op("arith.shli", &[high, at.integer(integer, 32)?], integer)?;
            at.op("arith.ori", &[low, high], integer)?
        }
        _ => return Err("has a number of no words".into()),
    };
    if is_float(ty) { at.op("arith.bitcast", &[bits], ty) } else { Ok(bits) }
}

/// The bits of a float or an integer; None for an index.
fn width(ty: Type) -> Option<u32> {
    let raw = ty.to_raw();
    unsafe {
        if mlirTypeIsAInteger(raw) {
            Some(mlirIntegerTypeGetWidth(raw))
        } else if mlirTypeIsAFloat(raw) {
            Some(mlirFloatTypeGetWidth(raw))
        } else {
            None
        }
    }
}

impl<'c: 'a, 'a> Threads<'c, 'a> {
    /// The number of the first element that a thread holds.
    pub fn first(&self, at: &Cursor<'c, 'a>, cut: &Cut<'c>) -> Result<V<'c, 'a>, Failure> {
        let mut share = self.id;
        if cut.holders() < self.count {
            share = at.op("arith.minui", &[share, at.index(cut.holders() - 1)?], at.index_type())?;
        }
        at.op("arith.muli", &[share, at.index(cut.row())?], at.index_type())
    }

    /// Whether a thread holds a share of its own; None where all do.
    pub fn holds(&self, at: &Cursor<'c, 'a>, cut: &Cut<'c>) -> Result<Option<V<'c, 'a>>, Failure> {
        if cut.holders() == self.count {
            return Ok(None);
        }
        compare(at, "ult", self.id, at.index(cut.holders())?).map(Some)
    }

    /// A constant tile; each thread picks its elements.
    pub fn constant(
        &self,
        at: &Cursor<'c, 'a>,
        cut: Cut<'c>,
        value: Attribute<'c>,
    ) -> Result<Tile<'c, 'a>, Failure> {
        let dense = melior::ir::attribute::DenseElementsAttribute::try_from(value)?;
        if dense.is_splat() {
            return Tile::constant(at, cut, value);
        }
        let ty = cut.vector(cut.whole);
        let all = at.constant(ty, dense.reshape(ty).into())?;
        let first = self.first(at, &cut)?;
        let position = at.named("static_position", at.numbers(&[i64::MIN]));
        let mut elements = vec![];
        for lane in 0..cut.row() {
            let place = at.op("arith.addi", &[first, at.index(lane)?], at.index_type())?;
            elements.push(at.with("vector.extract", &[all, place], cut.element, &[position])?);
        }
        Tile::of_elements(at, cut, &elements)
    }

    /// Combines what the threads have into what all of them get.
    pub fn reduce(
        &mut self,
        at: &Cursor<'c, 'a>,
        combiner: Combiner,
        cut: &Cut<'c>,
        own: V<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let element = cut.element;
        let mut total = own;
        // A copy changes no maximum, minimum, and, or.
        let neutral = match combiner {
            Combiner::Add => Some((-0.0, 0)),
            Combiner::Mul => Some((1.0, 1)),
            _ => None,
        };
        if let (Some((float, int)), Some(holds)) = (neutral, self.holds(at, cut)?) {
            let neutral = if is_float(element) {
                FloatAttribute::new(at.context, element, float).into()
            } else {
                IntegerAttribute::new(element, int).into()
            };
            total = at.op("arith.select", &[holds, total, at.constant(element, neutral)?], element)?;
        }
        let mode = Attribute::parse(at.context, "#gpu<shuffle_mode xor>");
        let mode = at.named("mode", mode.ok_or("is built without the gpu dialect")?);
        let all = at.integer(word(at), WARP)?;
        let mut distance = WARP / 2;
        while distance > 0 {
            let from = at.integer(word(at), distance)?;
            let mut others = vec![];
            for own in words(at, total)? {
                let types = [word(at), IntegerType::new(at.context, 1).into()];
                let op = at.build("gpu.shuffle", &[own, from, all], &types, &[mode], vec![])?;
                others.push(op.result(0)?.into());
            }
            total = combine(at, combiner, element, vec![total, number(at, &others, element)?])?;
            distance /= 2;
        }
        if self.count == WARP {
            return Ok(total);
        }
        // Nobody may still read what is left from before.
        self.meet(at)?;
        let own = words(at, total)?;
        let lane = at.op("arith.remui", &[self.id, at.index(WARP)?], at.index_type())?;
        let warp = at.op("arith.divui", &[self.id, at.index(WARP)?], at.index_type())?;
        at.when(compare(at, "eq", lane, at.index(0)?)?, |at| {
            for (i, word) in own.iter().enumerate() {
                let place = at.op("arith.muli", &[warp, at.index(own.len() as i64)?], at.index_type())?;
                let place = at.op("arith.addi", &[place, at.index(i as i64)?], at.index_type())?;
                at.build("memref.store", &[*word, self.scratch, place], &[], &[], vec![])?;
            }
            Ok(())
        })?;
        self.meet(at)?;
        let mut totals = vec![];
        for warp in 0..self.count / WARP {
            let mut read = vec![];
            for i in 0..own.len() as i64 {
                let place = at.index(warp * own.len() as i64 + i)?;
                read.push(at.op("memref.load", &[self.scratch, place], word(at))?);
            }
            totals.push(number(at, &read, element)?);
        }
        combine(at, combiner, element, totals)
    }

    /// All threads wait for each other, and see what each has written.
    pub fn meet(&mut self, at: &Cursor<'c, 'a>) -> Result<(), Failure> {
        at.build("gpu.barrier", &[], &[], &[], vec![])?;
        self.pending.clear();
        Ok(())
    }

    /// Which elements of a part of a tile are stored: those of holders.
    pub fn mask(
        &self,
        at: &Cursor<'c, 'a>,
        cut: &Cut<'c>,
        masks: Vec<V<'c, 'a>>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let Some(holds) = self.holds(at, cut)? else { return Ok(masks) };
        let and = |mask: V<'c, 'a>| {
            let ty = mask.r#type();
            at.op("arith.andi", &[mask, broadcast(at, holds, ty)?], ty)
        };
        masks.into_iter().map(and).collect()
    }
}
