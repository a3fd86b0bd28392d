//! Products of pairs of bf16 that are words of 32 bits.
//!
//! AVX512_BF16 multiplies and adds two products a lane at once, twice as many as of f32 in the same time.
//! Else a bf16 is the upper half of an f32: the halves of a word are two products like any others.

use super::{body::Body, tile::Tile};
use melior::ir::{
    Type, ValueLike,
    attribute::{DenseI32ArrayAttribute, StringAttribute},
    r#type::IntegerType,
};
use terrace_dialects::{
    ir::{
        cursor::{Cursor, V},
        pass::Failure,
        types::{self, with_element},
    },
    ops::kernel,
};

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// What a `kernel.add_pairs` gives.
    pub(super) fn add_pairs(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: kernel::AddPairsOp<'c, 'a>,
    ) -> Result<Tile<'c, 'a>, Failure> {
        let (lhs, rhs, mut sums) = (self.tile(op.lhs())?, self.tile(op.rhs())?, self.tile(op.sums())?);
        let per_row = sums.cut.spans().count();
        for (i, row) in sums.cut.rows().iter().enumerate() {
            for (j, (from, lanes)) in sums.cut.spans().enumerate() {
                let words = |tile: &Tile<'c, 'a>| words(at, tile, row, (2 * from, lanes));
                let (left, right) = (words(&lhs)?, words(&rhs)?);
                let sum = &mut sums.parts[i * per_row + j];
                *sum = multiply_add(at, [left, right, *sum], (lanes, self.fuses_pairs))?;
            }
        }
        Ok(sums)
    }
}

/// Pairs of a row as so many words, from an element on, which a vector begins with.
fn words<'c: 'a, 'a>(
    at: &Cursor<'c, 'a>,
    tile: &Tile<'c, 'a>,
    row: &[i64],
    (from, words): (i64, i64),
) -> Result<V<'c, 'a>, Failure> {
    let first = (from / tile.cut.lanes()) as usize;
    let count = (2 * words + tile.cut.lanes() - 1) / tile.cut.lanes();
    let halves = match tile.row(row)[first..][..count as usize] {
        [one] => one,
        [one, other] => {
            let lanes: Vec<i64> = (0..2 * words).collect();
            let mask = at.named("mask", at.numbers(&lanes));
            at.with("vector.shuffle", &[one, other], tile.cut.vector(2 * words), &[mask])?
        }
        _ => return Err("has more vectors than a word has halves".into()),
    };
    let word = IntegerType::new(at.context, 32).into();
    at.op("vector.bitcast", &[halves], tile.cut.with_element(word).vector(words))
}

/// Lanes of the least vector that there is an instruction for.
const LEAST: i64 = 4;

/// A vector with so many lanes in the place of others: the first ones, or anything behind them.
fn resized<'c: 'a, 'a>(
    at: &Cursor<'c, 'a>,
    value: V<'c, 'a>,
    (from, to): (i64, i64),
) -> Result<V<'c, 'a>, Failure> {
    let element = types::element(value.r#type()).ok_or("resizes what is no vector")?;
    let lanes: Vec<i64> = (0..to).map(|lane| if lane < from { lane } else { -1 }).collect();
    let mask = at.named("mask", at.numbers(&lanes));
    at.with("vector.shuffle", &[value, value], Type::vector(&[to as u64], element), &[mask])
}

/// The sums, of f32, and the products of two vectors of so many words; `fused` where there is an
/// instruction.
pub(super) fn multiply_add<'c: 'a, 'a>(
    at: &Cursor<'c, 'a>,
    [left, right, sums]: [V<'c, 'a>; 3],
    (lanes, fused): (i64, bool),
) -> Result<V<'c, 'a>, Failure> {
    let ty = sums.r#type();
    if fused && [1, 2].contains(&lanes) {
        let wide = |value| resized(at, value, (lanes, LEAST));
        let operands = [wide(left)?, wide(right)?, wide(sums)?];
        return resized(at, multiply_add(at, operands, (LEAST, fused))?, (LEAST, lanes));
    }
    if fused && [4, 8, 16].contains(&lanes) {
        let halves = Type::vector(&[2 * lanes as u64], Type::bfloat16(at.context));
        let halves = |word| at.op("llvm.bitcast", &[word], halves);
        let operands = [sums, halves(left)?, halves(right)?];
        let name = format!("llvm.x86.avx512bf16.dpbf16ps.{}", 32 * lanes);
        let numbers = |numbers: &[i32]| DenseI32ArrayAttribute::new(at.context, numbers);
        let attributes = [
            at.named("intrin", StringAttribute::new(at.context, &name)),
            at.named("operandSegmentSizes", numbers(&[3, 0])),
            at.named("op_bundle_sizes", numbers(&[])),
        ];
        return at.with("llvm.call_intrinsic", &operands, ty, &attributes);
    }
    let word: Type = IntegerType::new(at.context, 32).into();
    let words = with_element(ty, word).ok_or("adds pairs to what is no vector")?;
    let number = |value: i64| at.op("vector.broadcast", &[at.integer(word, value)?], words);
    let (half, upper) = (number(16)?, number(0xffff_0000)?);
    let lower = |pairs| at.op("arith.bitcast", &[at.op("arith.shli", &[pairs, half], words)?], ty);
    let higher = |pairs| at.op("arith.bitcast", &[at.op("arith.andi", &[pairs, upper], words)?], ty);
    let first = at.op("vector.fma", &[lower(left)?, lower(right)?, sums], ty)?;
    at.op("vector.fma", &[higher(left)?, higher(right)?, first], ty)
}
