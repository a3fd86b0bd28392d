//! Elements read, written and combined at places that tensors of indices name.
//!
//! A place is an offset into a tensor. What goes to one place goes there in row-major order of the source: of
//! elements that replace one another the last stays.

use super::{
    combine::{Combine, combine},
    copy::{check_representable, clone, to_copy},
    elements::{self, Elements, any_elements, ints},
    error::{Error, Result, ensure},
    indexing::chosen,
    overlap::check_disjoint,
    promotion::Operand,
    real::Real,
    shape::{broadcast, broadcast_view, wrap_dim},
};
use terrace_tensor::{Dtype, Scalar, Tensor, layout::positions};

/// A tensor without dimensions as a vector of one; others as they are.
fn as_vector(tensor: &Tensor) -> Result<Tensor> {
    if tensor.rank() > 0 {
        return Ok(tensor.clone());
    }
    Ok(tensor.view(vec![1], vec![1], tensor.offset())?)
}

/// The offset of an index into a tensor, whose entry along `dim` is another.
fn offset(tensor: &Tensor, position: &[i64], dim: usize, at: i64) -> i64 {
    let along = |d: usize| if d == dim { at } else { position[d] };
    tensor.offset() + (0..tensor.rank()).map(|d| along(d) * tensor.strides()[d]).sum::<i64>()
}

/// The places that `index` names along `dim`, at its own positions in the other dimensions.
fn named(tensor: &Tensor, dim: usize, index: &Tensor) -> Result<Vec<i64>> {
    let (tensor, index) = (as_vector(tensor)?, as_vector(index)?);
    let size = tensor.sizes()[dim];
    let place = |(position, at): (Vec<i64>, i64)| {
        ensure!((0..size).contains(&at), "index {at} is out of bounds for dimension {dim} with size {size}");
        Ok(offset(&tensor, &position, dim, at))
    };
    positions(index.sizes()).zip(ints(&index, Dtype::I64)).map(place).collect()
}

/// The elements at places, on new memory, row-major.
fn taken(tensor: &Tensor, sizes: &[i64], places: &[i64]) -> Result<Tensor> {
    let out = Tensor::zeros(tensor.dtype(), sizes)?;
    for (to, &from) in out.offsets().zip(places) {
        elements::write(&out, to, tensor.read(from), tensor.bound(from), tensor.dtype());
    }
    Ok(out)
}

/// A copy on new memory, row-major.
pub fn copied(tensor: &Tensor) -> Result<Tensor> {
    let out = Tensor::zeros(tensor.dtype(), tensor.sizes())?;
    elements::copy(&out, tensor);
    Ok(out)
}

/// `gather`: along `dim`, the elements that the indices name.
///
/// # Errors
/// When an index is out of range.
pub fn gather(tensor: &Tensor, dim: i64, index: &Tensor) -> Result<Tensor> {
    if index.is_empty() {
        return taken(tensor, index.sizes(), &[]);
    }
    taken(tensor, index.sizes(), &named(tensor, wrap_dim(dim, tensor.rank())?, index)?)
}

/// `scatter_` and its kin: elements of a source, or one number, combined with those that the indices name
/// along `dim`.
///
/// # Errors
/// When an index is out of range, or the tensor shares memory with itself, the indices or the source.
pub fn scatter_(
    written: &Tensor,
    dim: i64,
    index: &Tensor,
    source: Operand,
    how: Combine,
    own: bool,
) -> Result<Tensor> {
    let others: Vec<&Tensor> = std::iter::once(index).chain(source.tensor()).collect();
    check_disjoint(written, &others, true)?;
    if index.is_empty() {
        return Ok(written.clone());
    }
    let dim = wrap_dim(dim, written.rank())?;
    let values = match source {
        // Of the source as many elements count as there are indices.
        Operand::Tensor(source) => {
            let (source, index) = (as_vector(source)?, as_vector(index)?);
            let part = source.view(index.sizes().to_vec(), source.strides().to_vec(), source.offset())?;
            any_elements(&part, written.dtype())?
        }
        Operand::Scalar(number) => {
            check_representable(number, written.dtype())?;
            elements::operand(source, written.dtype(), as_vector(index)?.sizes())?
        }
    };
    combine(written, &named(written, dim, index)?, &values, how, own);
    Ok(written.clone())
}

/// The places of slices of `tensor` along `dim`, as many as there are indices, in row-major order of all of
/// them.
fn slices(
    tensor: &Tensor,
    dim: usize,
    index: &Tensor,
    outside: impl Fn(i64, i64) -> String,
) -> Result<Vec<i64>> {
    let (tensor, index) = (as_vector(tensor)?, ints(index, Dtype::I64));
    let size = tensor.sizes()[dim];
    if let Some(&at) = index.iter().find(|at| !(0..size).contains(*at)) {
        return Err(Error::new(outside(at, size)));
    }
    let mut sizes = tensor.sizes().to_vec();
    sizes[dim] = index.len() as i64;
    Ok(positions(&sizes)
        .map(|position| offset(&tensor, &position, dim, index[position[dim] as usize]))
        .collect())
}

fn beyond(_: i64, _: i64) -> String {
    "index out of range in self".to_owned()
}

/// `index_select`: slices along `dim`.
///
/// # Errors
/// When an index is out of range.
pub fn index_select(tensor: &Tensor, dim: i64, index: &Tensor) -> Result<Tensor> {
    let dim = wrap_dim(dim, tensor.rank())?;
    let mut sizes = tensor.sizes().to_vec();
    if let Some(size) = sizes.get_mut(dim) {
        *size = index.len() as i64;
    }
    taken(tensor, &sizes, &slices(tensor, dim, index, beyond)?)
}

/// `index_copy_`: slices along `dim` replaced by those of the source.
///
/// # Errors
/// When an index is out of range, or the tensor shares memory with itself, the indices or the source.
pub fn index_copy_(written: &Tensor, dim: i64, index: &Tensor, source: &Tensor) -> Result<Tensor> {
    check_disjoint(written, &[index, source], true)?;
    if source.is_empty() {
        return Ok(written.clone());
    }
    let dim = wrap_dim(dim, written.rank())?;
    let outside =
        |at, size| format!("index_copy_(): index {at} is out of bounds for dimension {dim} with size {size}");
    let places = slices(written, dim, index, outside)?;
    combine(written, &places, &any_elements(source, written.dtype())?, Combine::Replace, false);
    Ok(written.clone())
}

/// `index_add_`: slices of the source times a number, added to slices along `dim`.
///
/// # Errors
/// As [`index_copy_`].
pub fn index_add_(
    written: &Tensor,
    dim: i64,
    index: &Tensor,
    source: &Tensor,
    alpha: Scalar,
) -> Result<Tensor> {
    check_disjoint(written, &[index, source], true)?;
    let dtype = written.dtype();
    let (dim, rank) = (wrap_dim(dim, written.rank())?, written.rank());
    // Of slices each is scaled on its own, after its index was looked at.
    if rank <= 1 {
        check_representable(alpha, dtype)?;
    }
    if index.is_empty() || rank > 1 && written.is_empty() {
        return Ok(written.clone());
    }
    // What is not scaled is scattered, where that is as good.
    let scatters = rank > 1
        && (dim == 0 || dim + 1 == rank)
        && index.dtype() == Dtype::I64
        && !matches!(alpha, Scalar::Bool(_))
        && alpha.to_complex() == (1.0, 0.0);
    let outside = |at, size| match scatters {
        true => format!("index {at} is out of bounds for dimension {dim} with size {size}"),
        false => beyond(at, size),
    };
    let places = slices(written, dim, index, outside)?;
    check_representable(alpha, dtype)?;
    let factor = alpha.cast(dtype);
    let values = match any_elements(source, dtype)? {
        Elements::Complex(_) => {
            let operands = [Operand::Tensor(source), Operand::Scalar(factor)];
            let product = super::pointwise::apply(&super::scalar_table::MUL, &operands, &[])?;
            any_elements(&product, dtype)?
        }
        Elements::Real(values) => {
            let alpha = factor.to_f64();
            let scaled = |term: &Real| {
                let product = alpha * term.value;
                let own = if dtype.round(product) == product { 0.0 } else { product.abs() };
                Real::rounded(product, alpha.abs() * term.bound, own, dtype)
            };
            Elements::Real(values.iter().map(scaled).collect())
        }
        Elements::Int(values) => {
            let alpha = factor.to_i64();
            Elements::Int(values.iter().map(|value| value.wrapping_mul(alpha)).collect())
        }
    };
    combine(written, &places, &values, Combine::Sum, true);
    Ok(written.clone())
}

/// `index_fill_`: slices along `dim` filled with a number, or with the element of a tensor without
/// dimensions.
///
/// # Errors
/// As [`index_copy_`], and when the number is beyond the range of the dtype.
pub fn index_fill_(written: &Tensor, dim: i64, index: &Tensor, value: Operand) -> Result<Tensor> {
    check_disjoint(written, &[index], false)?;
    let value = match value {
        Operand::Tensor(value) => value.read(value.offset()),
        Operand::Scalar(number) => number,
    };
    check_representable(value, written.dtype())?;
    let dim = wrap_dim(dim, written.rank())?;
    let size = as_vector(written)?.sizes()[dim];
    let index: Vec<i64> = ints(index, Dtype::I64);
    // Slices without elements have no places.
    let sizes = written.sizes().iter().enumerate();
    if sizes.filter(|(other, _)| *other != dim).any(|(_, size)| *size == 0) {
        return Ok(written.clone());
    }
    if let Some(at) = index.iter().find(|at| !(-size..size).contains(*at)) {
        return Err(Error::new(format!("index {at} is out of bounds for dimension {dim} with size {size}")));
    }
    let wrapped: Vec<i64> = index.iter().map(|&at| if at < 0 { at + size } else { at }).collect();
    let index = Tensor::from_elements(Dtype::I64, &[wrapped.len() as i64], &wrapped)?;
    for place in slices(written, dim, &index, beyond)? {
        written.write(place, value);
    }
    Ok(written.clone())
}

/// `index_put_`: the elements that the indices choose, as `index` does, replaced by values or increased by
/// them.
///
/// # Errors
/// When an index is out of range, values do not fit, or the tensor shares memory with itself or an operand.
pub fn index_put_(
    written: &Tensor,
    indices: &[Option<&Tensor>],
    values: &Tensor,
    accumulate: bool,
) -> Result<Tensor> {
    let mut others: Vec<&Tensor> = vec![values];
    others.extend(indices.iter().flatten());
    let given: Vec<&&Tensor> = indices.iter().flatten().collect();
    let by_mask = matches!(given[..], [mask] if matches!(mask.dtype(), Dtype::Bool | Dtype::U8));
    let fills = by_mask && values.len() == 1 && !accumulate;
    // What fills is one number, read before anything is written.
    check_disjoint(written, if fills { &others[1..] } else { &others }, false)?;
    let chosen = chosen(written, indices)?;
    let places = chosen.offsets(written)?;
    if fills {
        let value = values.read(values.offset());
        check_representable(value, written.dtype())?;
        // One truth value chooses all or nothing.
        let truth = ints(given[0], Dtype::Bool);
        if given[0].rank() > 0 || truth != [0] {
            places.iter().for_each(|&place| written.write(place, value));
        }
        return Ok(written.clone());
    }
    let sizes = &chosen.sizes;
    let fits = broadcast([&sizes[..], values.sizes()]).is_ok_and(|both| both == *sizes);
    ensure!(
        fits,
        "shape mismatch: value tensor of shape {:?} cannot be broadcast to indexing result of shape {sizes:?}",
        values.sizes()
    );
    let values = any_elements(&broadcast_view(values, sizes)?, written.dtype())?;
    let how = if accumulate { Combine::Sum } else { Combine::Replace };
    combine(written, &places, &values, how, accumulate);
    Ok(written.clone())
}

/// `_unsafe_masked_index_put_accumulate`: a copy to which values are added where the mask holds. Indices
/// beyond a dimension count as its ends.
///
/// # Errors
/// When values do not fit.
pub fn masked_index_put_accumulate(
    tensor: &Tensor,
    mask: &Tensor,
    indices: &[Option<&Tensor>],
    values: &Tensor,
) -> Result<Tensor> {
    let out = clone(tensor)?;
    if out.is_empty() {
        return Ok(out);
    }
    let within = |(dim, index): (usize, &Option<&Tensor>)| -> Result<Option<Tensor>> {
        let Some(index) = index else { return Ok(None) };
        let size = tensor.sizes()[dim];
        let index = to_copy(index, Dtype::I64)?;
        for at in index.offsets() {
            index.write(at, Scalar::Int(index.read(at).to_i64().clamp(-size, size - 1)));
        }
        Ok(Some(index))
    };
    let indices = indices.iter().enumerate().map(within).collect::<Result<Vec<_>>>()?;
    let indices: Vec<Option<&Tensor>> = indices.iter().map(Option::as_ref).collect();
    let sizes = broadcast([mask.sizes(), values.sizes()])?;
    let masked = copied(&broadcast_view(values, &sizes)?)?;
    let mask = broadcast_view(mask, &sizes)?;
    for (at, mask_at) in masked.offsets().zip(mask.offsets()) {
        if !mask.read(mask_at).to_bool() {
            masked.write(at, Scalar::Int(0));
        }
    }
    index_put_(&out, &indices, &masked, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sizes: &[i64], elements: &[i64]) -> Tensor {
        Tensor::from_elements(Dtype::I64, sizes, elements).unwrap()
    }

    #[track_caller]
    fn is(result: Result<Tensor>, elements: &[i64]) {
        assert_eq!(result.unwrap().to_vec(), elements.iter().map(|&e| Scalar::Int(e)).collect::<Vec<_>>());
    }

    #[test]
    fn indices_name_places_along_a_dimension() {
        let x = of(&[2, 3], &[0, 1, 2, 3, 4, 5]);
        is(gather(&x, 1, &of(&[2, 2], &[2, 0, 1, 1])), &[2, 0, 4, 4]);
        is(index_select(&x, 0, &of(&[3], &[1, 0, 1])), &[3, 4, 5, 0, 1, 2, 3, 4, 5]);
        is(gather(&of(&[], &[7]), 0, &of(&[2], &[0, 0])), &[7, 7]);
    }

    #[test]
    fn what_comes_to_one_place_is_combined() {
        let scatter = |how, own| {
            let (index, source) = (of(&[3], &[1, 1, 0]), of(&[4], &[2, 5, 9, 0]));
            scatter_(&of(&[2], &[10, 20]), 0, &index, Operand::Tensor(&source), how, own)
        };
        is(scatter(Combine::Replace, false), &[9, 5]);
        is(scatter(Combine::Sum, true), &[19, 27]);
        is(scatter(Combine::Sum, false), &[9, 7]);
        is(scatter(Combine::Product, true), &[90, 200]);
        is(scatter(Combine::Mean, true), &[9, 9]);
        is(scatter(Combine::Max, false), &[9, 5]);
        is(scatter(Combine::Min, true), &[9, 2]);
    }

    #[test]
    fn slices_are_replaced_added_and_filled() {
        let new = || of(&[2, 2], &[0, 1, 2, 3]);
        let index = of(&[2], &[1, 1]);
        let source = of(&[2, 2], &[10, 20, 30, 40]);
        is(index_copy_(&new(), 0, &index, &source), &[0, 1, 30, 40]);
        is(index_add_(&new(), 1, &index, &source, Scalar::Int(2)), &[0, 61, 2, 143]);
        is(index_fill_(&new(), -1, &of(&[], &[-2]), Scalar::Int(9).into()), &[9, 1, 9, 3]);
        is(index_put_(&new(), &[None, Some(&index)], &of(&[2], &[5, 6]), true), &[0, 12, 2, 14]);
    }

    #[test]
    fn places_out_of_range_are_refused() {
        let x = of(&[2], &[0, 1]);
        let message = gather(&x, 0, &of(&[1], &[2])).unwrap_err().to_string();
        assert_eq!(message, "index 2 is out of bounds for dimension 0 with size 2");
        let message = index_select(&x, 0, &of(&[1], &[-1])).unwrap_err().to_string();
        assert_eq!(message, "index out of range in self");
    }
}
