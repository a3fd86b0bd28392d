//! Products that are spelled with others in functional: of vectors, of broadcast batches of matrices, added
//! to a tensor.

use super::{
    Inferred, Size, TensorType, Types, broadcast,
    copies::expands_to,
    creation::{self, representable},
    may_equal, may_equal_shapes, not_implemented, one,
    products::{PRODUCT, multiply, no_bool, same_dtype, same_dtypes},
};
use crate::ir::{
    args::Args,
    dtype::{Category, Dtype, ElementType, Operand, promote},
    types::Shape,
};
use melior::ir::ValueLike;
use terrace_size::Number;

/// A matrix by a vector, for eager an addition to a vector of no meaning; the length of the result.
fn by_vector(mat: &TensorType, vec: &TensorType) -> Result<Size, String> {
    if mat.rank() != 2 || vec.rank() != 1 {
        let rank = mat.rank();
        return Err(format!("vector + matrix @ vector expected, got 1, {rank}, {}", vec.rank()));
    }
    if !may_equal(mat.shape[1], vec.shape[0]) {
        let [rows, columns, length] = [mat.shape[0], mat.shape[1], vec.shape[0]];
        return Err(format!("size mismatch, got input ({rows}), mat ({rows}x{columns}), vec ({length})"));
    }
    if mat.dtype != vec.dtype {
        let [mat, vec] = [mat, vec].map(|t| t.dtype.aten_name());
        return Err(format!("addmv input tensors must have the same dtype, but got {vec}, {mat}, and {vec}"));
    }
    // Of nothing there is nothing to compute.
    if mat.shape.iter().any(|size| size.assume_eq(0)) { Ok(()) } else { no_bool("addmv_impl_cpu", mat) }?;
    Ok(mat.shape[0])
}

/// `[n, k]` by `[k]`.
pub fn mv<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (mat, vec) = (args.tensor(0)?, args.tensor(1)?);
    let rows = by_vector(&mat, &vec)?;
    one(&mat.with_shape(&[rows]))
}

fn inner_product(a: &TensorType, b: &TensorType) -> Result<(), String> {
    if a.rank() != 1 || b.rank() != 1 {
        return Err(format!("1D tensors expected, but got {}D and {}D tensors", a.rank(), b.rank()));
    }
    if a.dtype != b.dtype {
        return Err(format!(
            "dot : expected both vectors to have same dtype, but found {} and {}",
            a.dtype.aten_name(),
            b.dtype.aten_name()
        ));
    }
    if !may_equal(a.shape[0], b.shape[0]) {
        let (n, m) = (a.shape[0], b.shape[0]);
        return Err(format!(
            "inconsistent tensor size, expected tensor [{n}] and src [{m}] to have the same number of elements, but got {n} and {m} elements respectively"
        ));
    }
    no_bool("dot", a)
}

/// `[k]` by `[k]`.
pub fn dot<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b) = (args.tensor(0)?, args.tensor(1)?);
    inner_product(&a, &b)?;
    one(&a.with_shape(&[]))
}

/// [`dot`]: without complex numbers there is no conjugate.
pub fn vdot<'c>(args: &Args<'c, '_>) -> Types<'c> {
    dot(args)
}

/// `[n]` by `[m]`, in the promoted dtype.
pub fn outer<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b) = (args.tensor(0)?, args.tensor(1)?);
    for (name, t) in [("self", &a), ("vec2", &b)] {
        if t.rank() != 1 {
            return Err(format!("outer: Expected 1-D argument {name}, but got {}-D", t.rank()));
        }
    }
    // Promotion alone: the shapes do not broadcast.
    let dtype = promote(&[a.dtype, b.dtype].map(Operand::Dimensioned));
    one(&a.with_shape(&[a.shape[0], b.shape[0]]).with_dtype(dtype))
}

/// Vectors, matrices, and batches of them that broadcast: what eager makes of them decides what it says.
pub fn matmul<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b) = (args.tensor(0)?, args.tensor(1)?);
    let (n, m) = (a.rank(), b.rank());
    if n == 0 || m == 0 {
        return Err(format!("both arguments to matmul need to be at least 1D, but they are {n}D and {m}D"));
    }
    let flat = |sizes: &[Size]| {
        let product = sizes.iter().try_fold(Size::ONE, |p, s| p.checked_mul(*s));
        product.unwrap_or(Size::UNKNOWN)
    };
    let shape = match (n, m) {
        (1, 1) => {
            inner_product(&a, &b)?;
            vec![]
        }
        (_, 1) => {
            let rows = flat(&a.shape[..n - 1]);
            by_vector(&a.with_shape(&[rows, a.shape[n - 1]]), &b)?;
            a.shape[..n - 1].to_vec()
        }
        (_, 2) => {
            let rows = flat(&a.shape[..n - 1]);
            multiply("mm", &[rows, a.shape[n - 1]], &b.shape)?;
            same_dtype(&a, &b)?;
            [&a.shape[..n - 1], &b.shape[1..]].concat()
        }
        _ => batches(&a, &b)?,
    };
    one(&a.with_shape(&shape))
}

/// The shape of a product in which the second factor has batches.
fn batches(a: &TensorType, b: &TensorType) -> Result<Vec<Size>, String> {
    let (n, m) = (a.rank(), b.rank());
    let lead = &b.shape[..m - 2];
    let (inner, columns) = (b.shape[m - 2], b.shape[m - 1]);
    let batch = broadcast(if n > 2 { &a.shape[..n - 2] } else { &[] }, lead)?;
    let own = a.shape[n - 1];
    if !may_equal(own, inner) {
        let count = batch.iter().product::<Size>();
        return Err(format!(
            "Expected size for first two dimensions of batch2 tensor to be: [{count}, {}] but got: [{count}, {}].",
            own, inner
        ));
    }
    no_bool("bmm", a)?;
    if a.dtype != b.dtype {
        return Err(format!(
            "expected scalar type {} but found {}",
            a.dtype.aten_name(),
            b.dtype.aten_name()
        ));
    }
    let rows = if n > 1 { &a.shape[n - 2..n - 1] } else { &[] };
    Ok([&batch[..], rows, &[columns]].concat())
}

/// What the kernel and the numbers of a sum with products have to be: where no product is summed self alone
/// is scaled, and where there are no elements nothing is.
pub(super) fn scaled(
    args: &Args,
    result: &TensorType,
    kernel: &str,
    sums_nothing: bool,
) -> Result<(), String> {
    if result.shape.iter().any(|size| size.assume_eq(0)) {
        return Ok(());
    }
    let (beta, dtype) = (args.optional(3)?, result.dtype);
    if !sums_nothing {
        no_bool(kernel, result)?;
        let mut factors = [beta, args.optional(4)?].into_iter().flatten();
        return factors.try_for_each(|factor| representable(factor, dtype.opmath()));
    }
    let zero =
        beta.and_then(crate::ir::operations::constant).is_some_and(|beta| creation::float(beta) == 0.0);
    if zero || beta.and_then(creation::complex_constant) == Some([0.0, 0.0]) {
        return Ok(());
    }
    let factor = beta.and_then(|beta| Dtype::of(beta.r#type())).map_or(Category::Integer, Dtype::category);
    let scaled = promote(&[Operand::Dimensioned(dtype), Operand::Number(factor)]);
    if scaled.casts_to(dtype) {
        return Ok(());
    }
    Err(format!(
        "result type {} can't be cast to the desired output type {}",
        scaled.aten_name(),
        dtype.aten_name()
    ))
}

/// What is written has the shape and the dtype of the result.
fn into<'c>(args: &Args<'c, '_>, result: Types<'c>) -> Types<'c> {
    let (own, types) = (args.tensor(0)?, result?);
    let Some(Inferred::Tensor(made)) = types.first() else { return Err("the result is no tensor".into()) };
    if !may_equal_shapes(&own.shape, &made.shape) {
        return Err(format!(
            "Bad in-place call: input tensor size {} and output tensor size {} should match",
            Shape(&own.shape),
            Shape(&made.shape)
        ));
    }
    if own.dtype != made.dtype {
        return Err(format!(
            "Bad in-place call: input tensor dtype {} and output tensor dtype {} should match",
            own.dtype.c_name(),
            made.dtype.c_name()
        ));
    }
    one(&own)
}

/// `addmm` into `self`.
pub fn addmm_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, a, b) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    if let Ok(shape) = multiply("addmm", &a.shape, &b.shape)
        && own.dtype == a.dtype
        && own.dtype == b.dtype
    {
        into(args, one(&a.with_shape(&shape)))?;
    }
    into(args, super::products::addmm(args))
}

/// `[n, k]` by `[k]`, and `self` that expands to `[n]`.
pub fn addmv<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, mat, vec) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    if mat.rank() != 2 || vec.rank() != 1 || own.rank() > 1 {
        let ranks = [own.rank(), mat.rank(), vec.rank()].map(|n| n.to_string());
        return Err(format!("vector + matrix @ vector expected, got {}", ranks.join(", ")));
    }
    let length = own.elements().unwrap_or(Size::UNKNOWN);
    if !may_equal(mat.shape[1], vec.shape[0]) || !may_equal(length, mat.shape[0]) && length.assume_ne(1) {
        if own.rank() == 0 {
            return Err("Dimension specified as 0 but tensor has no dimensions".into());
        }
        let [own, rows, columns, vec] = [length, mat.shape[0], mat.shape[1], vec.shape[0]];
        return Err(format!("size mismatch, got input ({own}), mat ({rows}x{columns}), vec ({vec})"));
    }
    if own.dtype != mat.dtype || vec.dtype != mat.dtype {
        let [own, mat, vec] = [&own, &mat, &vec].map(|t| t.dtype.aten_name());
        return Err(format!("addmv input tensors must have the same dtype, but got {own}, {mat}, and {vec}"));
    }
    if !mat.shape.iter().any(|size| size.assume_eq(0)) {
        no_bool("addmv_impl_cpu", &mat)?;
    }
    for factor in [args.optional(3)?, args.optional(4)?].into_iter().flatten() {
        representable(factor, mat.dtype.opmath())?;
    }
    one(&mat.with_shape(&mat.shape[..1]))
}

/// [`addmv`] into `self`.
pub fn addmv_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    into(args, addmv(args))
}

/// A size that eager asks for before it looks at the rank.
fn size_at(t: &TensorType, dim: usize) -> Result<Size, String> {
    match (t.shape.get(dim), t.rank() as i64) {
        (Some(size), _) => Ok(*size),
        (None, 0) => Err(format!("Dimension specified as {dim} but tensor has no dimensions")),
        (None, n) => Err(format!(
            "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
            -n,
            n - 1
        )),
    }
}

/// [b, n, k] by [b, k, m], and `self` that expands to [b, n, m].
pub fn baddbmm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, a, b) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let (batch, rows, columns) = (size_at(&a, 0)?, size_at(&a, 1)?, size_at(&b, 2)?);
    expands_to(&own, &[batch, rows, columns])?;
    if a.rank() != 3 || b.rank() != 3 {
        return Err(format!("batch{} must be a 3D tensor", if a.rank() != 3 { 1 } else { 2 }));
    }
    if own.dtype != a.dtype {
        let [own, a, b] = [&own, &a, &b].map(|t| t.dtype.c_name());
        return Err(format!("Input dtypes must be the same, got: input {own}, batch1: {a}, batch2: {b}"));
    }
    if !may_equal(batch, b.shape[0]) || !may_equal(a.shape[2], b.shape[1]) {
        return Err(format!(
            "Expected size for first two dimensions of batch2 tensor to be: {} but got: {}.",
            Shape(&[batch, a.shape[2]]),
            Shape(&b.shape[..2])
        ));
    }
    scaled(args, &a.with_shape(&[batch, rows, columns]), "baddbmm", a.shape[2].assume_eq(0))?;
    if a.dtype != b.dtype {
        return Err(format!(
            "expected scalar type {} but found {}",
            a.dtype.aten_name(),
            b.dtype.aten_name()
        ));
    }
    one(&a.with_shape(&[batch, rows, columns]))
}

/// [`baddbmm`] into `self`.
pub fn baddbmm_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    into(args, baddbmm(args))
}

/// The sum over b of [b, n, k] by [b, k, m], and `self` that expands to [n, m].
pub fn addbmm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, a, b) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let (rows, columns) = (size_at(&a, 1)?, size_at(&b, 2)?);
    expands_to(&own, &[rows, columns])?;
    if a.rank() != 3 || b.rank() != 3 {
        return Err(format!("batch{} must be a 3D tensor", if a.rank() != 3 { 1 } else { 2 }));
    }
    if !may_equal(a.shape[0], b.shape[0]) {
        let [n, m] = [a.shape[0], b.shape[0]];
        return Err(format!("batch1 and batch2 must have same number of batches, got {n} and {m}"));
    }
    if !may_equal(a.shape[2], b.shape[1]) {
        let [rows, inner, outer, columns] = [rows, a.shape[2], b.shape[1], columns];
        return Err(format!("Incompatible matrix sizes for bmm ({rows}x{inner} and {outer}x{columns})"));
    }
    same_dtypes(&own, &a, &b)?;
    let result = a.with_shape(&[rows, columns]);
    scaled(args, &result, PRODUCT, a.shape[0].assume_eq(0) || a.shape[2].assume_eq(0))?;
    one(&result)
}

/// [`addbmm`] into `self`, which may not grow.
pub fn addbmm_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    into(args, addbmm(args))
}

/// The sum over i and j of `input1[.., i] * weight[o, i, j] * input2[.., j]`, and a bias per o.
pub fn bilinear<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b, weight) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let bias = args.optional_tensor(3)?;
    if [Some(&b), Some(&weight), bias.as_ref()].into_iter().flatten().any(|t| t.dtype != a.dtype) {
        let [a, b, weight] = [&a, &b, &weight].map(|t| t.dtype.c_name());
        let bias = bias.map_or(String::new(), |bias| format!(", bias: {}", bias.dtype.c_name()));
        return Err(format!(
            "All tensors must have the same dtype, got input1: {a}, input2: {b}, weight: {weight}{bias}"
        ));
    }
    if a.rank() != b.rank() {
        return Err(format!("bilinear(): input dimensions do not match: got {} and {}", a.rank(), b.rank()));
    }
    if a.rank() == 0 {
        return Err("expects inputs of one dimension or more, got none".into());
    }
    let (features, lead) = (a.rank() - 1, &a.shape[..a.rank() - 1]);
    if let Some(d) = (0..features).find(|d| !may_equal(a.shape[*d], b.shape[*d])) {
        return Err(format!(
            "bilinear(): input batch dimensions do not match at dim {d}: got {} and {}",
            a.shape[d], b.shape[d]
        ));
    }
    for (place, t) in [(1, &a), (2, &b)] {
        let expected = size_at(&weight, place)?;
        if !may_equal(t.shape[features], expected) {
            return Err(format!(
                "bilinear(): input{place} size does not match weight size: got {} but expected {expected}",
                t.shape[features]
            ));
        }
    }
    if let Some(bias) = &bias {
        let own = size_at(bias, 0)?;
        if !may_equal(own, weight.shape[0]) {
            return Err(format!(
                "bilinear(): bias size does not match weight size: got {own} but expected {}",
                weight.shape[0]
            ));
        }
    }
    if weight.rank() != 3 {
        return Err("number of dimensions must match".into());
    }
    let mut shape = [lead, &weight.shape[..1]].concat();
    if a.dtype == Dtype::Bool {
        return Err(not_implemented("bmm", a.dtype));
    }
    if let Some(bias) = bias {
        shape = broadcast(&shape, &bias.shape)?;
    }
    one(&a.with_shape(&shape))
}
