//! The pass `loop-elide-roundings`: what a narrow float holds already is not rounded to it.
//!
//! Half precision is computed in f32, and each operator rounds what it gives. Where that is one of the narrow
//! type's numbers before ([`formats`](crate::loops::operation::formats)) the rounding goes:
//!
//! ```text
//! %w = arith.extf %a : f16 to f32                %w = arith.extf %a : f16 to f32
//! %r = arith.maximumf %w, %zero : f32            %r = arith.maximumf %w, %zero : f32
//! %h = arith.truncf %r : f32 to f16
//! %y = arith.extf %h : f16 to f32
//! use %y                                         use %r
//! ```
//!
//! The bits of a nan may differ, which nobody promises.

use crate::{loops::operation::formats::Numbers, options::LoopElideRoundings as Options};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::ir::{
    OperationLike,
    cursor::V,
    operations::{collect, definition, first_result, name_of},
    pass::Failure,
    rewrite::{erase, has_uses, replace_uses},
};

/// Runs the pass below an operation.
pub fn run(op: OperationRef, _: &Options) -> Result<(), Failure> {
    let mut all = Numbers::default();
    for op in collect(op, |_| true) {
        let Some((narrow, wide, result)) = unrounded(op, &all) else {
            all.learn(op);
            continue;
        };
        replace_uses(result, wide);
        erase(op);
        if !has_uses(narrow) {
            definition(narrow).into_iter().for_each(erase);
        }
    }
    Ok(())
}

/// What extends a rounded number, where that number was one of the narrow type's before: the rounded one, the
/// one before, and what it is extended to.
fn unrounded<'c, 'a>(op: OperationRef<'c, 'a>, all: &Numbers) -> Option<(V<'c, 'a>, V<'c, 'a>, V<'c, 'a>)> {
    let narrow = (name_of(op) == "arith.extf").then(|| op.operand(0).ok()).flatten()?;
    let rounding = definition(narrow).filter(|op| name_of(*op) == "arith.truncf")?;
    let (wide, result) = (rounding.operand(0).ok()?, first_result(op)?);
    let is_same = result.r#type() == wide.r#type() && all.are(wide, narrow.r#type());
    is_same.then_some((narrow, wide, result))
}
