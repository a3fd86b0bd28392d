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
    shaped::Shaped,
};
use melior::ir::{Type, TypeLike, Value, ValueLike};

/// An attribute of a `cf.assert` that may as well stand later: what follows is safe where it does not hold.
pub const ANY_TIME: &str = "loop.any_time";

/// The number of bf16 that a value is, as an f32; or the tile.
pub fn widened<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let element = |ty: Type<'c>| Shaped::of(ty).map_or(ty, |shaped| shaped.element);
    let op =
        definition(value).filter(|op| name_of(*op) == "arith.extf" && element(value.r#type()).is_f32())?;
    op.operand(0).ok().filter(|narrow| element(narrow.r#type()).is_bf16())
}
