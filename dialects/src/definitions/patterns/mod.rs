//! Canonicalization patterns of each dialect.
//!
//! A pattern is a function from an operation to what replaces it: a value that is there, or one new
//! operation. It holds no state, for patterns run on several threads.

mod arithmetic;
mod constants;
mod regions;
mod replacement;
mod views;

use crate::ir::{
    OperationLike,
    pattern::{self, PatternFn},
};
use melior::{
    RewriterBase,
    ir::{OperationRef, ValueLike},
};
use replacement::*;

fn apply<'c, 'a>(op: OperationRef<'c, 'a>, rewriter: RewriterBase, to: Replaced<'c, 'a>) -> bool {
    let Ok(own) = op.result_at(0) else { return false };
    match to {
        Some(Replacement::Value(value)) if value.r#type() == own.r#type() => {
            rewriter.replace_op_with_values(op, &[value]);
            true
        }
        Some(Replacement::Operation(new)) => {
            let same = new.result_at(0).is_ok_and(|new| new.r#type() == own.r#type());
            if same {
                pattern::replace(rewriter, op, new);
            }
            same
        }
        _ => false,
    }
}

/// One entry per root operation.
macro_rules! patterns {
    ($($root:literal: $($f:path),+;)*) => {
        &[$($(($root, |op, rewriter| apply(op, rewriter, $f(op))),)+)*]
    };
}

static FUNCTIONAL: &[(&str, PatternFn)] = patterns! {
    "functional.permute": views::permute, views::of_constant, constants::moved;
    "functional.view": views::reshape, views::of_constant, constants::moved;
    "functional.squeeze": views::reshape, views::of_constant, constants::moved;
    "functional.unsqueeze": views::reshape, views::of_constant, constants::moved;
    "functional.expand": views::expand, views::of_constant, constants::moved;
    "functional.select": regions::read, views::of_constant, constants::moved;
    "functional.slice": regions::read, views::of_constant, constants::moved;
    "functional.diagonal": regions::read, views::of_constant;
    "functional.as_strided": regions::read, views::of_constant;
    "functional.permute_copy": views::of_constant;
    "functional.view_copy": views::of_constant;
    "functional.squeeze_copy": views::of_constant;
    "functional.unsqueeze_copy": views::of_constant;
    "functional.expand_copy": views::of_constant;
    "functional.select_copy": views::of_constant;
    "functional.slice_copy": views::of_constant;
    "functional.diagonal_copy": views::of_constant;
    "functional.as_strided_copy": views::of_constant;
    "functional.select_scatter": regions::scatter;
    "functional.slice_scatter": regions::scatter;
    "functional.diagonal_scatter": regions::scatter;
    "functional.as_strided_scatter": regions::scatter;
    "functional._to_copy": arithmetic::cast, constants::pointwise;
    "functional.add": arithmetic::neutral, constants::pointwise;
    "functional.sub": arithmetic::neutral, constants::pointwise;
    "functional.mul": arithmetic::neutral, constants::pointwise;
    "functional.div": arithmetic::neutral;
    "functional.neg": arithmetic::twice, constants::pointwise;
    "functional.bitwise_not": arithmetic::twice;
    "functional.where": arithmetic::choice, constants::pointwise;
    "functional.abs": constants::pointwise;
    "functional.bitwise_and": constants::pointwise;
    "functional.bitwise_or": constants::pointwise;
    "functional.bitwise_xor": constants::pointwise;
    "functional.eq": constants::pointwise;
    "functional.ge": constants::pointwise;
    "functional.gt": constants::pointwise;
    "functional.le": constants::pointwise;
    "functional.logical_and": constants::pointwise;
    "functional.logical_not": constants::pointwise;
    "functional.logical_or": constants::pointwise;
    "functional.logical_xor": constants::pointwise;
    "functional.lt": constants::pointwise;
    "functional.maximum": constants::pointwise;
    "functional.minimum": constants::pointwise;
    "functional.ne": constants::pointwise;
    "functional.cat": constants::joined;
    "functional.arange": constants::range;
};

/// The patterns of a dialect, each with the name of the operations that it is on.
pub fn of_dialect(dialect: &str) -> &'static [(&'static str, PatternFn)] {
    if dialect == "functional" { FUNCTIONAL } else { &[] }
}
