//! Products that are views and sums of matrix products: of vectors, of broadcast batches, added to a tensor.

use super::{
    copy::packed,
    error::Result,
    matmul::{addmm, bmm, mm},
    pointwise,
    promotion::Operand,
    scalar_table,
    shape::{broadcast, broadcast_view},
    views::{select, squeeze, unsqueeze},
};
use terrace_tensor::{Scalar, Tensor};

/// A row-major tensor seen with other sizes.
fn shaped(tensor: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    super::views::view(&packed(tensor)?, sizes)
}

/// `matmul`: vectors become matrices and lose the dimension again; the other dimensions broadcast.
///
/// # Errors
/// When the memory cannot be had.
pub fn matmul(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let left = if a.rank() == 1 { unsqueeze(a, 0)? } else { a.clone() };
    let right = if b.rank() == 1 { unsqueeze(b, 1)? } else { b.clone() };
    let (n, m) = (left.rank(), right.rank());
    let batch = broadcast([&left.sizes()[..n - 2], &right.sizes()[..m - 2]])?;
    let count: i64 = batch.iter().product();
    let flat = |t: &Tensor| {
        let matrix = &t.sizes()[t.rank() - 2..];
        let wide = broadcast_view(t, &[&batch[..], matrix].concat())?;
        shaped(&wide, &[&[count], matrix].concat())
    };
    let product = bmm(&flat(&left)?, &flat(&right)?)?;
    let mut sizes = batch;
    sizes.extend((a.rank() > 1).then(|| product.sizes()[1]));
    sizes.extend((b.rank() > 1).then(|| product.sizes()[2]));
    shaped(&product, &sizes)
}

/// `outer`: the products of all pairs, of the promoted dtype.
///
/// # Errors
/// When the operands are no vectors.
pub fn outer(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (column, row) = (unsqueeze(a, 1)?, unsqueeze(b, 0)?);
    let product =
        pointwise::apply(&scalar_table::MUL, &[Operand::Tensor(&column), Operand::Tensor(&row)], &[])?;
    packed(&product)
}

/// `addmv`: `beta * self + alpha * (mat x vec)`.
///
/// # Errors
/// When the memory cannot be had.
pub fn addmv(addend: &Tensor, mat: &Tensor, vec: &Tensor, beta: Scalar, alpha: Scalar) -> Result<Tensor> {
    let wide = broadcast_view(addend, &mat.sizes()[..1])?;
    let result = addmm(&unsqueeze(&wide, 1)?, mat, &unsqueeze(vec, 1)?, beta, alpha)?;
    shaped(&result, &mat.sizes()[..1])
}

/// `baddbmm`: `beta * self + alpha * (batch1 x batch2)`, a product per batch.
///
/// # Errors
/// When the memory cannot be had.
pub fn baddbmm(addend: &Tensor, a: &Tensor, b: &Tensor, beta: Scalar, alpha: Scalar) -> Result<Tensor> {
    let sizes = [a.sizes()[0], a.sizes()[1], b.sizes()[2]];
    let wide = broadcast_view(addend, &sizes)?;
    let out = Tensor::zeros(a.dtype(), &sizes)?;
    for batch in 0..sizes[0] {
        let part = |t: &Tensor| select(t, 0, batch);
        let result = addmm(&part(&wide)?, &part(a)?, &part(b)?, beta, alpha)?;
        super::elements::copy(&part(&out)?, &result);
    }
    Ok(out)
}

/// `addbmm`: `beta * self + alpha * sum(batch1 x batch2)`: the batches are one long inner dimension.
///
/// # Errors
/// When the memory cannot be had.
pub fn addbmm(addend: &Tensor, a: &Tensor, b: &Tensor, beta: Scalar, alpha: Scalar) -> Result<Tensor> {
    let ([count, rows, inner], columns) = ([a.sizes()[0], a.sizes()[1], a.sizes()[2]], b.sizes()[2]);
    let long = shaped(&super::views::permute(a, &[1, 0, 2])?, &[rows, count * inner])?;
    addmm(addend, &long, &shaped(b, &[count * inner, columns])?, beta, alpha)
}

/// `bilinear`: the sum over i and j of `input1[.., i] * weight[o, i, j] * input2[.., j]`, and a bias per o.
///
/// # Errors
/// When the memory cannot be had.
pub fn bilinear(a: &Tensor, b: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    let [outputs, left, right] = [0, 1, 2].map(|d| weight.sizes()[d]);
    let lead = &a.sizes()[..a.rank() - 1];
    let rows: i64 = lead.iter().product();
    let a = shaped(a, &[rows, left])?;
    let b = unsqueeze(&shaped(b, &[rows, right])?, 2)?;
    // [rows, left] x [left, outputs * right], then a product with the second input per row.
    let spread = shaped(&super::views::permute(weight, &[1, 0, 2])?, &[left, outputs * right])?;
    let inner = shaped(&mm(&a, &spread)?, &[rows, outputs, right])?;
    let product = shaped(&squeeze(&bmm(&inner, &b)?, Some(&[2]))?, &[lead, &[outputs]].concat())?;
    match bias {
        None => Ok(product),
        Some(bias) => {
            let operands = [Operand::Tensor(&product), Operand::Tensor(bias)];
            pointwise::apply(&scalar_table::ADD, &operands, &[Scalar::Int(1)])
        }
    }
}
