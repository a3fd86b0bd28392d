//! Operations of bodies that act element by element: on scalars as on tiles.

use super::{cursor::is_index, rounds::is_rounds};
use melior::ir::{OperationRef, Type, TypeLike, ValueLike};
use terrace_dialects::ir::{
    OperationLike,
    operations::name_of,
    types::{is_float, part},
};

fn is_scalar(ty: Type) -> bool {
    is_float(ty) || is_index(ty) || ty.is_integer()
}

pub(crate) fn is_number(ty: Type) -> bool {
    is_scalar(ty) || part(ty).is_some()
}

/// Operations on complex numbers that are written by parts.
const BY_PARTS: &[&str] =
    &["complex.add", "complex.constant", "complex.create", "complex.im", "complex.mul", "complex.re"];

/// Whether an operation acts on tiles element by element as it acts on scalars, or on the tiles of parts; a
/// loop does whose operations do.
pub(crate) fn is_elementwise(op: OperationRef) -> bool {
    let name = name_of(op);
    let mut types = op.operands().map(|v| v.r#type()).chain(op.results().map(|v| v.r#type()));
    if BY_PARTS.contains(&name) || name == "arith.select" {
        return types.all(is_number);
    }
    ((name.starts_with("arith.") || name.starts_with("math.")) && op.region_count() == 0 || is_rounds(op))
        && types.all(is_scalar)
}
