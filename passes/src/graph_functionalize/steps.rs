//! Steps between layouts as operations of the functional dialect: views, and the scatters that undo them.

use melior::ir::{Location, Operation, Value};
use terrace_dialects::{builder::BuildError, ops::functional, strided::recognize::Step};

fn ints(dims: &[usize]) -> Vec<i64> {
    dims.iter().map(|d| *d as i64).collect()
}

/// The last index of a slice, plus one.
fn end(start: i64, length: i64, step: i64) -> i64 {
    if length == 0 { start } else { start + (length - 1) * step + 1 }
}

/// The step on a builtin tensor.
pub fn forward<'c>(
    location: Location<'c>,
    step: &Step,
    value: Value<'c, '_>,
) -> Result<Operation<'c>, BuildError> {
    match step {
        Step::Permute(order) => functional::permute(location, value, &ints(order)),
        Step::View(sizes) => functional::view(location, value, &[], sizes),
        Step::Unsqueeze(dim) => functional::unsqueeze(location, value, *dim as i64),
        Step::Squeeze(dims) => functional::squeeze(location, value, Some(&ints(dims))),
        Step::Select { dim, index } => functional::select(location, value, Some(*dim as i64), &[], &[*index]),
        Step::Slice { dim, start, length, step } => functional::slice(
            location,
            value,
            Some(*dim as i64),
            &[],
            &[*start],
            &[],
            &[end(*start, *length, *step)],
            &[],
            &[*step],
        ),
        Step::Diagonal { offset, dim1, dim2 } => {
            functional::diagonal(location, value, Some(*offset), Some(*dim1 as i64), Some(*dim2 as i64))
        }
        Step::Expand(sizes) => functional::expand(location, value, &[], sizes),
        Step::AsStrided(l) => {
            functional::as_strided(location, value, &[], &l.sizes, &[], &l.strides, &[], &[l.offset])
        }
    }
}

/// Whether the inverse of a step needs the tensor that the step starts from: for the elements that `src` lacks.
pub fn is_scatter(step: &Step) -> bool {
    !step.keeps_all()
}

/// The inverse of a step: a tensor of shape `sizes`, `into`'s, whose elements at the step's result are those of `src`.
/// `into` is given where [`is_scatter`].
pub fn inverse<'c>(
    location: Location<'c>,
    step: &Step,
    into: Option<Value<'c, '_>>,
    sizes: &[i64],
    src: Value<'c, '_>,
) -> Result<Operation<'c>, BuildError> {
    match (step, into) {
        (Step::Permute(order), _) => {
            let mut inverse = vec![0; order.len()];
            for (to, from) in order.iter().enumerate() {
                inverse[*from] = to as i64;
            }
            functional::permute(location, src, &inverse)
        }
        (Step::Select { dim, index }, Some(into)) => {
            functional::select_scatter(location, into, src, Some(*dim as i64), &[], &[*index])
        }
        (Step::Slice { dim, start, length, step }, Some(into)) => functional::slice_scatter(
            location,
            into,
            src,
            Some(*dim as i64),
            &[],
            &[*start],
            &[],
            &[end(*start, *length, *step)],
            &[],
            &[*step],
        ),
        (Step::Diagonal { offset, dim1, dim2 }, Some(into)) => functional::diagonal_scatter(
            location,
            into,
            src,
            Some(*offset),
            Some(*dim1 as i64),
            Some(*dim2 as i64),
        ),
        (Step::AsStrided(l), Some(into)) => functional::as_strided_scatter(
            location,
            into,
            src,
            &[],
            &l.sizes,
            &[],
            &l.strides,
            &[],
            &[l.offset],
        ),
        (Step::Squeeze(dims), _) if dims.len() == 1 => functional::unsqueeze(location, src, dims[0] as i64),
        // What keeps all elements, and repetition: its inverse is asked for only where nothing repeats.
        _ => functional::view(location, src, &[], sizes),
    }
}
