//! What is known of where an access lies: accesses of 128 bits want addresses that 16 divides.

use super::known;
use melior::ir::ValueLike;
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{self, name_of},
    },
    loops::affine,
};

/// The greatest common divisor; 0 is divided by everything.
pub(super) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.saturating_abs() } else { gcd(b, a % b) }
}

/// A number that divides a value, as large as can be seen; 0 where the value is 0.
pub(super) fn divisor(value: V) -> i64 {
    of(value, 8)
}

fn of(value: V, depth: usize) -> i64 {
    search(value, depth).unwrap_or(1)
}

fn search(value: V, depth: usize) -> Option<i64> {
    let depth = depth.checked_sub(1)?;
    if let Some(number) = known(value) {
        return Some(number.saturating_abs());
    }
    if value.is_block_argument() {
        let argument = operations::argument(value)?;
        // The index of a loop: from the first on, by steps.
        let parent = argument.owner().parent_operation()?;
        if name_of(parent) != "scf.for" || argument.argument_number() != 0 {
            return None;
        }
        return Some(gcd(of(parent.operand(0).ok()?, depth), of(parent.operand(2).ok()?, depth)));
    }
    let op = operations::definition(value)?;
    let operand = |i| op.operand(i).map_or(1, |v| of(v, depth));
    match name_of(op) {
        "arith.muli" => product(operand(0), operand(1)),
        "arith.addi" | "arith.subi" | "arith.minui" | "arith.minsi" | "arith.maxsi" => {
            Some(gcd(operand(0), operand(1)))
        }
        "arith.select" => Some(gcd(operand(1), operand(2))),
        "affine.apply" => expression(affine::exprs(op.attribute("map").ok()?).first()?, &operand),
        _ => None,
    }
}

fn expression(expr: &affine::Expr, operand: &impl Fn(usize) -> i64) -> Option<i64> {
    let of = |expr| expression(expr, operand).unwrap_or(1);
    match expr {
        affine::Expr::Dim(d) => Some(operand(*d)),
        affine::Expr::Constant(n) => Some(n.saturating_abs()),
        affine::Expr::Add(a, b) => Some(gcd(of(a), of(b))),
        affine::Expr::Mul(a, b) => product(of(a), of(b)),
        _ => None,
    }
}

/// A divisor of a product; of one that leaves 64 bits only a factor is sure.
fn product(a: i64, b: i64) -> Option<i64> {
    a.checked_mul(b).or(Some(a))
}
