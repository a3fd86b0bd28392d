//! What is common to operations of loop and kernel: affine accesses, combiners, domains whose points meet,
//! tiles.

pub mod affine;
pub mod combiners;
pub mod groups;
pub mod layout;
pub mod library;
pub mod reinterpret;
pub mod scatters;

use crate::ir::{
    OperationLike,
    operations::{definition, name_of},
};
use melior::ir::{TypeLike, Value, ValueLike};

/// An attribute of a `cf.assert` that may as well stand later: what follows is safe where it does not hold.
pub const ANY_TIME: &str = "loop.any_time";

/// The bf16 number that a value is, as an f32.
pub fn widened<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let op = definition(value).filter(|op| name_of(*op) == "arith.extf" && value.r#type().is_f32())?;
    op.operand(0).ok().filter(|narrow| narrow.r#type().is_bf16())
}
