//! What rules have in common: dimensions, broadcasting, what they refuse alike.

use super::{Inferred, TensorType};
use crate::ir::dtype::Dtype;
use terrace_size::{Number, Size};

/// What a rule gives.
pub(super) type Types<'c> = Result<Vec<Inferred<'c>>, String>;

/// A dimension of a tensor of `rank`, counted from the end where negative. A 0-dim tensor takes 0 and -1.
pub(super) fn wrap_dim(dim: i64, rank: usize) -> Result<usize, String> {
    let n = (rank as i64).max(1);
    if dim < -n || dim >= n {
        return Err(format!(
            "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
            -n,
            n - 1
        ));
    }
    Ok(if dim < 0 { dim + n } else { dim } as usize)
}

/// Dimensions, wrapped; each at most once.
pub(super) fn wrap_dims(dims: &[i64], rank: usize) -> Result<Vec<usize>, String> {
    let mut out = vec![];
    for dim in dims {
        let d = wrap_dim(*dim, rank)?;
        if out.contains(&d) {
            return Err(format!("dim {d} appears multiple times in the list of dims"));
        }
        out.push(d);
    }
    Ok(out)
}

/// The shape of both, broadcast. An unknown size goes along with any; against a size above 1 it must be that
/// size.
pub(super) fn broadcast(a: &[Size], b: &[Size]) -> Result<Vec<Size>, String> {
    let rank = a.len().max(b.len());
    let at = |s: &[Size], i: usize| if i + s.len() < rank { Size::ONE } else { s[i + s.len() - rank] };
    // Of several dimensions that do not match, the last is named.
    let mut shape = (0..rank)
        .rev()
        .map(|i| {
            let (x, y) = (at(a, i), at(b, i));
            // Against a known 1 there is nothing to ask.
            if y.known() == Some(1) {
                Ok(x)
            } else if x.known() == Some(1) {
                Ok(y)
            } else if x.assume_eq(y) || y.assume_eq(1) || y.is_unknown() && x.assume_ne(1) {
                Ok(x)
            } else if x.assume_eq(1) || x.is_unknown() {
                Ok(y)
            } else {
                Err(format!(
                    "The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton dimension {i}"
                ))
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    shape.reverse();
    Ok(shape)
}

/// A kernel that has no code for a dtype.
pub(super) fn not_implemented(kernel: &str, dtype: Dtype) -> String {
    format!("\"{kernel}\" not implemented for '{}'", dtype.aten_name())
}

/// What is wrong with operands, but where a tensor has no elements, of which eager asks no more. Whether it
/// has any is asked where something is wrong alone: of sizes that are not known the answer is a guard.
pub(super) fn unless_empty(tensor: &TensorType, checked: Result<(), String>) -> Result<(), String> {
    match checked {
        Err(_) if tensor.is_empty() => Ok(()),
        checked => checked,
    }
}

/// Whether two sizes that have to be equal may be.
pub(super) fn may_equal<N: Number>(a: N, b: N) -> bool {
    a.demand_eq(b) || a.is_unknown() || b.is_unknown()
}

pub(super) fn may_equal_shapes(a: &[Size], b: &[Size]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_equal(*a, *b))
}

/// One result that has the type of `tensor`.
pub(super) fn one<'c>(tensor: &TensorType<'c>) -> Types<'c> {
    Ok(vec![tensor.clone().into()])
}
