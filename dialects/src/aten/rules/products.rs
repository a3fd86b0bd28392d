//! Matrix products.

use super::{
    Size, TensorType, Types, contractions::scaled, copies::expands_to, may_equal, not_implemented, one,
};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};
use terrace_size::Number;

/// What the kernel of matrix products is called.
pub(super) const PRODUCT: &str = "addmm_impl_cpu_";

pub(super) fn no_bool(kernel: &str, t: &TensorType) -> Result<(), String> {
    if t.dtype == Dtype::Bool { Err(not_implemented(kernel, t.dtype)) } else { Ok(()) }
}

/// The shape of the product of two matrices, for the operator of a name.
pub(super) fn multiply(name: &str, a: &[Size], b: &[Size]) -> Result<Vec<Size>, String> {
    for (which, shape) in [("self", a), ("mat2", b)] {
        if shape.len() != 2 {
            return Err(format!("{name}: {which} must be a matrix, got {}-D tensor", shape.len()));
        }
    }
    if !may_equal(a[1], b[0]) {
        let [rows, inner, outer, columns] = [a[0], a[1], b[0], b[1]];
        return Err(format!(
            "{name}: mat1 and mat2 shapes cannot be multiplied ({rows}x{inner} and {outer}x{columns})"
        ));
    }
    Ok(vec![a[0], b[1]])
}

/// The dtypes of a product without an addend.
pub(super) fn same_dtype(a: &TensorType, b: &TensorType) -> Result<(), String> {
    if a.dtype == b.dtype {
        return no_bool(PRODUCT, a);
    }
    Err(format!(
        "expected m1 and m2 to have the same dtype, but got: {} != {}",
        a.dtype.c_name(),
        b.dtype.c_name()
    ))
}

/// The dtypes of a product with an addend.
pub(super) fn same_dtypes(addend: &TensorType, a: &TensorType, b: &TensorType) -> Result<(), String> {
    for (name, tensor) in [("self", addend), ("mat1", a)] {
        if tensor.dtype != b.dtype {
            return Err(format!(
                "{name} and mat2 must have the same dtype, but got {} and {}",
                tensor.dtype.aten_name(),
                b.dtype.aten_name()
            ));
        }
    }
    Ok(())
}

/// [n, k] by [k, m].
pub fn mm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b) = (args.tensor(0)?, args.tensor(1)?);
    let shape = multiply("mm", &a.shape, &b.shape)?;
    same_dtype(&a, &b)?;
    one(&a.with_shape(&shape))
}

/// [b, n, k] by [b, k, m].
pub fn bmm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b) = (args.tensor(0)?, args.tensor(1)?);
    if a.rank() != 3 || b.rank() != 3 {
        return Err(format!("batch{} must be a 3D tensor", if a.rank() != 3 { 1 } else { 2 }));
    }
    if !may_equal(a.shape[0], b.shape[0]) || !may_equal(a.shape[2], b.shape[1]) {
        return Err(format!(
            "Expected size for first two dimensions of batch2 tensor to be: {} but got: {}.",
            Shape(&[a.shape[0], a.shape[2]]),
            Shape(&b.shape[..2])
        ));
    }
    no_bool("bmm", &a)?;
    if a.dtype != b.dtype {
        return Err(format!(
            "expected scalar type {} but found {}",
            a.dtype.aten_name(),
            b.dtype.aten_name()
        ));
    }
    one(&a.with_shape(&[a.shape[0], a.shape[1], b.shape[2]]))
}

/// [n, k] by [k, m], and `self` that expands to [n, m].
pub fn addmm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, a, b) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    same_dtypes(&own, &a, &b)?;
    let shape = multiply("addmm", &a.shape, &b.shape)?;
    expands_to(&own, &shape)?;
    scaled(args, &a.with_shape(&shape), PRODUCT, a.shape[1].assume_eq(0))?;
    one(&a.with_shape(&shape))
}

/// [..., in] by a weight [out, in] (or `[in]`), and a bias that expands to the result.
pub fn linear<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (input, weight) = (args.tensor(0)?, args.tensor(1)?);
    let (Some((last, lead)), Some((features, out))) = (input.shape.split_last(), weight.shape.split_last())
    else {
        return Err(format!(
            "both arguments to linear need to be at least 1D, but they are {}D and {}D",
            input.rank(),
            weight.rank()
        ));
    };
    if weight.rank() > 2 {
        return Err(format!("t() expects a tensor with <= 2 dimensions, but self is {}D", weight.rank()));
    }
    // A product of matrices: the rows of the input by the weight, transposed.
    let bias = args.optional_tensor(2)?;
    if let Some(bias) = &bias {
        same_dtypes(bias, &input, &weight)?;
    }
    let rows = lead.iter().try_fold(Size::ONE, |p, s| p.checked_mul(*s));
    let columns = out.first().copied().unwrap_or(Size::ONE);
    let name = if bias.is_some() { "addmm" } else { "mm" };
    let matrix = multiply(name, &[rows.unwrap_or(Size::UNKNOWN), *last], &[*features, columns])?;
    let mut shape = lead.to_vec();
    shape.extend(out);
    match bias {
        // Two dimensions and a bias are one addmm in eager, which takes no vector.
        Some(_) if weight.rank() == 1 && input.rank() == 2 => {
            return Err("addmm: mat2 must be a matrix, got 1-D tensor".into());
        }
        Some(bias) => {
            expands_to(&bias, if weight.rank() == 2 { &matrix } else { &shape })?;
            no_bool(PRODUCT, &input)?;
        }
        None => same_dtype(&input, &weight)?,
    }
    one(&input.with_shape(&shape))
}
