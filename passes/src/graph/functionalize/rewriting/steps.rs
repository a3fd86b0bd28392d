//! Steps between layouts as operations of the functional dialect: views, and the scatters that undo them.

use crate::functional::writer::{Writer, Written};
use melior::ir::Value;
use terrace_dialects::ops::functional;
use terrace_layout::recognize;
use terrace_size::Size;

type Step = recognize::Step<Size>;

fn ints(dims: &[usize]) -> Vec<i64> {
    dims.iter().map(|d| *d as i64).collect()
}

/// The last index of a slice, plus one.
fn end(start: Size, length: Size, step: Size) -> Size {
    if length.known() == Some(0) { start } else { start + (length - 1) * step + 1 }
}

/// The step on a builtin tensor.
pub fn forward<'c, 'a>(w: &Writer<'c, 'a>, step: &Step, value: Value<'c, 'a>) -> Written<'c, 'a> {
    let location = w.location();
    w.value(match step {
        Step::Permute(order) => functional::permute(location, value, &ints(order)),
        Step::View(sizes) => {
            let (dynamic, sizes) = w.listed(sizes)?;
            functional::view(location, value, &dynamic, &sizes)
        }
        Step::Unsqueeze(dim) => functional::unsqueeze(location, value, *dim as i64),
        Step::Squeeze(dims) => functional::squeeze(location, value, Some(&ints(dims))),
        Step::Select { dim, index } => {
            let (dynamic, index) = w.listed(&[*index])?;
            functional::select(location, value, Some(*dim as i64), &dynamic, &index)
        }
        Step::Slice { dim, start, length, step } => {
            let (from, to, by) =
                (w.listed(&[*start])?, w.listed(&[end(*start, *length, *step)])?, w.listed(&[*step])?);
            let dim = Some(*dim as i64);
            functional::slice(location, value, dim, &from.0, &from.1, &to.0, &to.1, &by.0, &by.1)
        }
        Step::Diagonal { offset, dim1, dim2 } => {
            functional::diagonal(location, value, Some(*offset), Some(*dim1 as i64), Some(*dim2 as i64))
        }
        Step::Expand(sizes) => {
            let (dynamic, sizes) = w.listed(sizes)?;
            functional::expand(location, value, &dynamic, &sizes)
        }
        Step::AsStrided(l) => {
            let (sizes, strides, at) = (w.listed(&l.sizes)?, w.listed(&l.strides)?, w.listed(&[l.offset])?);
            functional::as_strided(location, value, &sizes.0, &sizes.1, &strides.0, &strides.1, &at.0, &at.1)
        }
    })
}

/// Whether the inverse of a step needs the tensor that the step starts from: for the elements that `src`
/// lacks.
pub fn is_scatter(step: &Step) -> bool {
    !step.keeps_all()
}

/// The inverse of a step: a tensor of shape `sizes`, `into`'s, whose elements at the step's result are those
/// of `src`. `into` is given where [`is_scatter`].
pub fn inverse<'c, 'a>(
    w: &Writer<'c, 'a>,
    step: &Step,
    into: Option<Value<'c, 'a>>,
    sizes: &[Size],
    src: Value<'c, 'a>,
) -> Written<'c, 'a> {
    let location = w.location();
    w.value(match (step, into) {
        (Step::Permute(order), _) => {
            let mut inverse = vec![0; order.len()];
            for (to, from) in order.iter().enumerate() {
                inverse[*from] = to as i64;
            }
            functional::permute(location, src, &inverse)
        }
        (Step::Select { dim, index }, Some(into)) => {
            let (dynamic, index) = w.listed(&[*index])?;
            functional::select_scatter(location, into, src, Some(*dim as i64), &dynamic, &index)
        }
        (Step::Slice { dim, start, length, step }, Some(into)) => {
            let (from, to, by) =
                (w.listed(&[*start])?, w.listed(&[end(*start, *length, *step)])?, w.listed(&[*step])?);
            let dim = Some(*dim as i64);
            functional::slice_scatter(location, into, src, dim, &from.0, &from.1, &to.0, &to.1, &by.0, &by.1)
        }
        (Step::Diagonal { offset, dim1, dim2 }, Some(into)) => functional::diagonal_scatter(
            location,
            into,
            src,
            Some(*offset),
            Some(*dim1 as i64),
            Some(*dim2 as i64),
        ),
        (Step::AsStrided(l), Some(into)) => {
            let (sizes, strides, at) = (w.listed(&l.sizes)?, w.listed(&l.strides)?, w.listed(&[l.offset])?);
            functional::as_strided_scatter(
                location, into, src, &sizes.0, &sizes.1, &strides.0, &strides.1, &at.0, &at.1,
            )
        }
        (Step::Squeeze(dims), _) if dims.len() == 1 => functional::unsqueeze(location, src, dims[0] as i64),
        // What keeps all elements, and repetition: its inverse is asked for only where nothing repeats.
        _ => {
            let (dynamic, sizes) = w.listed(sizes)?;
            functional::view(location, src, &dynamic, &sizes)
        }
    })
}
