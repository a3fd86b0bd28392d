//! Einsum: two operands at a time, as sums, products and one batch of matrix products, so that results have
//! eager's strides.
//!
//! Operands are seen with all letters of the equation as dimensions, those of the result first; a letter that
//! an operand has not is a dimension of size 1. A letter is summed as soon as no other operand has it.
//!
//! Source of the order of steps: the behaviour of `torch.einsum` without a path, PyTorch 2.15.

use super::{
    copy::packed,
    error::{Error, Result},
    matmul::bmm,
    pointwise,
    promotion::Operand,
    reduction::sum,
    scalar_table, views,
};
use terrace_dialects::aten::rules::{Equation, Label};
use terrace_tensor::Tensor;

/// `einsum`; a path only says in which order, so it is not asked for.
///
/// # Errors
/// When the equation is none, or does not fit the operands.
pub fn einsum(equation: &str, tensors: &[&Tensor]) -> Result<Tensor> {
    let ranks: Vec<usize> = tensors.iter().map(|t| t.rank()).collect();
    let equation = Equation::parse(equation, &ranks).map_err(Error::new)?;
    let shapes: Vec<Vec<i64>> = tensors.iter().map(|t| t.sizes().to_vec()).collect();
    let sizes = equation.sizes(&shapes).map_err(Error::new)?;
    let kept = equation.result.len();
    let mut labels = equation.result.clone();
    labels.extend(sizes.keys().filter(|label| !equation.result.contains(label)));
    let pairs = tensors.iter().zip(&equation.operands);
    let mut operands = pairs.map(|(t, own)| spread(t, own, &labels)).collect::<Result<Vec<_>>>()?.into_iter();
    let mut counts: Vec<usize> = vec![0; labels.len()];
    for operand in operands.clone() {
        for (count, size) in counts.iter_mut().zip(operand.sizes()) {
            *count += usize::from(*size != 1);
        }
    }
    let first = operands.next().ok_or_else(|| Error::new("einsum(): must provide at least one operand"))?;
    if tensors.len() == 1 {
        let dims: Vec<i64> = (kept as i64..labels.len() as i64).collect();
        // Where nothing is summed it is a view.
        return if dims.is_empty() { Ok(first) } else { sum(&first, Some(&dims), false, None) };
    }
    let product = operands.try_fold(first, |a, b| contract(a, b, kept, &mut counts))?;
    let strides = product.strides()[..kept].to_vec();
    Ok(product.view(product.sizes()[..kept].to_vec(), strides, product.offset())?)
}

/// An operand with a dimension for each label; of a label that it has twice the diagonal.
fn spread(tensor: &Tensor, own: &[Label], labels: &[Label]) -> Result<Tensor> {
    let (mut sizes, mut strides) = (Vec::new(), Vec::new());
    for label in labels {
        let dims: Vec<usize> = (0..own.len()).filter(|d| own[*d] == *label).collect();
        sizes.push(dims.first().map_or(1, |d| tensor.sizes()[*d]));
        strides.push(dims.iter().map(|d| tensor.strides()[*d]).sum());
    }
    // What eager inserts has the stride of a dimension in front of the next.
    for at in (0..labels.len()).rev() {
        if !own.contains(&labels[at]) {
            strides[at] = match at + 1 < labels.len() {
                true => sizes[at + 1] * strides[at + 1],
                false => 1,
            };
        }
    }
    Ok(tensor.view(sizes, strides, tensor.offset())?)
}

/// The product of two, summed over what no other operand has; summed dimensions stay with size 1.
fn contract(a: Tensor, b: Tensor, kept: usize, counts: &mut [usize]) -> Result<Tensor> {
    let size = |t: &Tensor, d: usize| t.sizes()[d];
    let (mut both, mut of_a, mut of_b) = (Vec::new(), Vec::new(), Vec::new());
    for (dim, count) in counts.iter_mut().enumerate().skip(kept) {
        if size(&a, dim) != 1 && size(&b, dim) != 1 {
            *count -= 1;
            if *count == 1 {
                both.push(dim);
                *count = 0;
            }
        } else if *count == 1 && size(&a, dim) != size(&b, dim) {
            if size(&a, dim) != 1 {
                of_a.push(dim as i64)
            } else {
                of_b.push(dim as i64)
            }
            *count = 0;
        }
    }
    let summed = |t: Tensor, dims: &[i64]| match dims.is_empty() {
        true => Ok(t),
        false => sum(&t, Some(dims), true, None),
    };
    let (a, b) = (summed(a, &of_a)?, summed(b, &of_b)?);
    if both.is_empty() {
        return pointwise::apply(&scalar_table::MUL, &[Operand::Tensor(&a), Operand::Tensor(&b)], &[]);
    }
    let turned = kept > 0 && size(&a, kept - 1) != 1 && size(&b, kept - 1) == 1;
    let (a, b) = if turned { (b, a) } else { (a, b) };
    let dims = |wanted: fn(bool, bool) -> bool| -> Vec<usize> {
        (0..counts.len())
            .filter(|d| !both.contains(d) && wanted(size(&a, *d) != 1, size(&b, *d) != 1))
            .collect()
    };
    let (batch, rows, columns) = (dims(|a, b| a && b), dims(|a, b| a && !b), dims(|a, _| !a));
    let count = |t: &Tensor, dims: &[usize]| dims.iter().map(|d| size(t, *d)).product::<i64>();
    let matrix = |t: &Tensor, order: [&[usize]; 4], sizes: [i64; 3]| {
        let order: Vec<i64> = order.concat().into_iter().map(|d| d as i64).collect();
        views::view(&packed(&views::permute(t, &order)?)?, &sizes)
    };
    let left = matrix(
        &a,
        [&batch, &rows, &both, &columns],
        [count(&a, &batch), count(&a, &rows), count(&a, &both)],
    )?;
    let right = matrix(
        &b,
        [&batch, &both, &columns, &rows],
        [count(&b, &batch), count(&b, &both), count(&b, &columns)],
    )?;
    let product = bmm(&left, &right)?;
    let order = [&batch[..], &rows, &both, &columns].concat();
    let sizes: Vec<i64> = order
        .iter()
        .map(|d| match both.contains(d) {
            true => 1,
            false => size(&a, *d).max(size(&b, *d)).min(if size(&a, *d) == 0 || size(&b, *d) == 0 {
                0
            } else {
                i64::MAX
            }),
        })
        .collect();
    let mut back = vec![0; order.len()];
    for (place, dim) in order.iter().enumerate() {
        back[*dim] = place as i64;
    }
    views::permute(&views::view(&product, &sizes)?, &back)
}
