//! Tensors stacked, repeated, turned and cut to triangles.

use super::{
    copy, elements,
    error::{Result, ensure},
    indexing::cat,
    pointwise,
    reshaping::{self, packed_copy, reshape},
    scalar_table as rows,
    shape::{wrap_dim, wrap_dims},
    strides, views,
};
use terrace_tensor::{Dtype, Scalar, Tensor, layout::positions};

/// `stack`: tensors of one shape along a new dimension.
///
/// # Errors
/// When the memory cannot be had.
pub fn stack(tensors: &[&Tensor], dim: i64) -> Result<Tensor> {
    let rank = tensors[0].rank();
    let dim = wrap_dim(dim, rank + 1)? as i64;
    if dim as usize == rank {
        let raised = tensors.iter().map(|t| views::unsqueeze(t, dim)).collect::<Result<Vec<_>>>()?;
        return cat(&raised.iter().collect::<Vec<_>>(), dim);
    }
    // Eager splits the dimension along which it has joined them.
    let mut sizes = tensors[0].sizes().to_vec();
    sizes.insert(dim as usize, tensors.len() as i64);
    views::view(&cat(tensors, dim)?, &sizes)
}

/// `hstack`, `vstack`, `dstack`: along a dimension that all tensors have when `least` of them are there.
///
/// # Errors
/// When the memory cannot be had.
pub fn nstack(tensors: &[&Tensor], name: &str) -> Result<Tensor> {
    let raise = |t: &&Tensor| match (name, t.sizes()) {
        ("hstack", []) => views::view(t, &[1]),
        ("vstack", []) => views::view(t, &[1, 1]),
        ("vstack", [n]) => views::view(t, &[1, *n]),
        ("dstack", []) => views::view(t, &[1, 1, 1]),
        ("dstack", [n]) => views::view(t, &[1, *n, 1]),
        ("dstack", [m, n]) => views::view(t, &[*m, *n, 1]),
        _ => Ok((*t).clone()),
    };
    let raised = tensors.iter().map(raise).collect::<Result<Vec<_>>>()?;
    let dim = match name {
        "hstack" => i64::from(raised[0].rank() > 1),
        "vstack" => 0,
        _ => 2,
    };
    cat(&raised.iter().collect::<Vec<_>>(), dim)
}

/// `flip`: dimensions counted from their ends.
///
/// # Errors
/// When the memory cannot be had.
pub fn flip(tensor: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let turned = wrap_dims(dims, tensor.rank())?;
    let out = Tensor::zeros_strided(tensor.dtype(), tensor.sizes(), &strides::preserved(tensor))?;
    for (index, to) in positions(tensor.sizes()).zip(out.offsets()) {
        let turn = |(dim, &at): (usize, &i64)| if turned[dim] { tensor.sizes()[dim] - 1 - at } else { at };
        let from: Vec<i64> = index.iter().enumerate().map(turn).collect();
        let at = tensor.offset_of(&from)?;
        elements::write(&out, to, tensor.read(at), tensor.bound(at), tensor.dtype());
    }
    Ok(out)
}

/// `roll`: elements shifted along dimensions, those that leave come in at the other end.
///
/// # Errors
/// When the memory cannot be had.
pub fn roll(tensor: &Tensor, shifts: &[i64], dims: &[i64]) -> Result<Tensor> {
    let ([shift, rest @ ..], [dim, other @ ..]) = (shifts, dims) else {
        let [shift] = shifts else { return Ok(tensor.clone()) };
        return views::view(&roll(&reshaping::ravel(tensor)?, &[*shift], &[0])?, tensor.sizes());
    };
    let mut rolled = if tensor.is_empty() {
        copy::clone(tensor)?
    } else {
        let size = tensor.sizes()[wrap_dim(*dim, tensor.rank())?];
        let start = (size - shift.rem_euclid(size)) % size;
        let tail = views::slice(tensor, *dim, Some(start), None, 1)?;
        let head = views::slice(tensor, *dim, Some(0), Some(start), 1)?;
        cat(&[&tail, &head], *dim)?
    };
    if !rest.is_empty() {
        rolled = roll(&rolled, rest, other)?;
    }
    Ok(rolled)
}

/// `repeat`: each dimension so many times, new ones in front.
///
/// # Errors
/// When the result would be too large.
pub fn repeat(tensor: &Tensor, repeats: &[i64]) -> Result<Tensor> {
    let lead = repeats.len() - tensor.rank();
    let (mut single, mut spread, mut sizes) = (vec![], vec![], vec![]);
    for (dim, &count) in repeats.iter().enumerate() {
        let size = if dim < lead { 1 } else { tensor.sizes()[dim - lead] };
        single.extend([1, size]);
        spread.extend([count, size]);
        sizes.push(count * size);
    }
    views::view(&packed_copy(&views::expand(&views::view(tensor, &single)?, &spread)?)?, &sizes)
}

/// `tile`: the last dimensions so many times.
///
/// # Errors
/// As [`repeat`].
pub fn tile(tensor: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let mut repeats = vec![1; tensor.rank().saturating_sub(dims.len())];
    repeats.extend(dims);
    repeat(tensor, &repeats)
}

/// `repeat_interleave`: each index of a dimension, or each element, so many times.
///
/// # Errors
/// When the memory cannot be had.
pub fn repeat_interleave(tensor: &Tensor, count: i64, dim: Option<i64>) -> Result<Tensor> {
    let flat = if dim.is_none() || tensor.rank() == 0 { reshape(tensor, &[-1])? } else { tensor.clone() };
    let dim = wrap_dim(dim.unwrap_or(0), flat.rank())?;
    let raised = views::unsqueeze(&flat, dim as i64 + 1)?;
    let (mut spread, mut sizes) = (raised.sizes().to_vec(), flat.sizes().to_vec());
    spread[dim + 1] = count;
    sizes[dim] *= count;
    views::view(&packed_copy(&views::expand(&raised, &spread)?)?, &sizes)
}

fn keeps(name: &str, diagonal: i64, index: &[i64]) -> bool {
    let right = index[index.len() - 1] - index[index.len() - 2];
    if name == "tril" { right <= diagonal } else { right >= diagonal }
}

/// `tril_`, `triu_`: zeros outside of a triangle of each matrix.
///
/// # Errors
/// When elements lie in one place.
pub fn triangle_(name: &str, tensor: &Tensor, diagonal: i64) -> Result<Tensor> {
    ensure!(
        super::overlap::check_distinct(tensor).is_ok(),
        "result depends on the order of evaluation: elements of the written-to tensor overlap"
    );
    for (index, at) in positions(tensor.sizes()).zip(tensor.offsets()) {
        if !keeps(name, diagonal, &index) {
            tensor.write(at, Scalar::Int(0));
        }
    }
    Ok(tensor.clone())
}

/// `tril`, `triu`: a triangle of each matrix, and zeros.
///
/// # Errors
/// When the memory cannot be had.
pub fn triangle(name: &str, tensor: &Tensor, diagonal: i64) -> Result<Tensor> {
    triangle_(name, &packed_copy(tensor)?, diagonal)
}

/// `diff`: differences of neighbours along a dimension, `n` times; of truth values whether they differ.
///
/// # Errors
/// When the memory cannot be had.
pub fn diff(
    tensor: &Tensor,
    n: i64,
    dim: i64,
    prepend: Option<&Tensor>,
    append: Option<&Tensor>,
) -> Result<Tensor> {
    if n == 0 {
        return copy::clone(tensor);
    }
    let wrapped = wrap_dim(dim, tensor.rank())?;
    let mut own = match (prepend, append) {
        (None, None) => tensor.clone(),
        _ => cat(&prepend.into_iter().chain([tensor]).chain(append).collect::<Vec<_>>(), dim)?,
    };
    for _ in 0..n.min(own.sizes()[wrapped]) {
        let above = views::slice(&own, dim, Some(1), None, 1)?;
        let below = views::slice(&own, dim, Some(0), Some(own.sizes()[wrapped] - 1), 1)?;
        own = if own.dtype() == Dtype::Bool {
            pointwise::apply(&rows::LOGICAL_XOR, &[(&above).into(), (&below).into()], &[])?
        } else {
            pointwise::apply(&rows::SUB, &[(&above).into(), (&below).into()], &[Scalar::Int(1)])?
        };
    }
    Ok(own)
}
