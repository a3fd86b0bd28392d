//! Elements picked by tensors of indices, and tensors joined.

use super::{
    copy::copy_,
    elements::{self, ints},
    error::{Error, Result, ensure},
    promotion::{Operand, result_dtype},
    shape::{broadcast, broadcast_view, wrap_dim},
    strides::{self, Layout, channels_last_strides, suggests_channels_last},
    views,
};
use terrace_overlap::view_strides;
use terrace_tensor::{
    Dtype, Tensor,
    layout::{contiguous_strides, positions},
};

/// `embedding`: rows of a matrix, by number.
///
/// # Errors
/// When a number is no row's.
pub fn embedding(weight: &Tensor, indices: &Tensor) -> Result<Tensor> {
    let mut sizes = indices.sizes().to_vec();
    sizes.push(weight.sizes()[1]);
    let out = Tensor::zeros(weight.dtype(), &sizes)?;
    let width = weight.sizes()[1];
    for (number, row) in ints(indices, Dtype::I64).into_iter().enumerate() {
        ensure!((0..weight.sizes()[0]).contains(&row), "index out of range in self");
        let place = out.view(vec![width], vec![1], number as i64 * width)?;
        elements::copy(&place, &views::select(weight, 0, row)?);
    }
    Ok(out)
}

/// `index`: `self[i0, i1, ..]` with tensors of integers or truth values; `None` keeps a dimension whole. The
/// tensors broadcast; their dimensions take the place of those they index, or come first where those are not
/// neighbours.
///
/// # Errors
/// When an index is out of range, or the tensors do not fit.
pub fn index(tensor: &Tensor, indices: &[Option<&Tensor>]) -> Result<Tensor> {
    let chosen = chosen(tensor, indices)?;
    let sizes = &chosen.sizes;
    let layouts = chosen.layouts(tensor);
    let out = Tensor::zeros_strided(tensor.dtype(), sizes, &strides::pointwise(sizes, &layouts))?;
    for (to, from) in out.offsets().zip(chosen.offsets(tensor)?) {
        elements::write(&out, to, tensor.read(from), tensor.bound(from), tensor.dtype());
    }
    Ok(out)
}

/// What indices choose of a tensor.
pub(super) struct Chosen {
    /// The sizes of what is chosen: of dimensions that are kept, in whose midst are those of the indices.
    pub sizes: Vec<i64>,
    /// Which dimensions of `sizes` are those of the indices.
    joined: std::ops::Range<usize>,
    /// The dimensions of the tensor that are kept.
    kept: Vec<usize>,
    /// The dimensions that are indexed, each with its indices, all of the same sizes.
    picked: Vec<(usize, Tensor)>,
}

/// Brings indices together.
///
/// # Errors
/// When they do not fit the tensor or one another.
pub(super) fn chosen(tensor: &Tensor, indices: &[Option<&Tensor>]) -> Result<Chosen> {
    let picks = expand_masks(indices)?;
    let shape = broadcast_picks(&picks)?;
    let places: Vec<usize> = (0..picks.len()).filter(|&dim| picks[dim].is_some()).collect();
    let neighbours = places.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let front = places.first().filter(|_| neighbours).copied().unwrap_or_default();
    let kept: Vec<usize> = (0..tensor.rank()).filter(|dim| !places.contains(dim)).collect();
    let mut sizes: Vec<i64> = kept.iter().map(|&dim| tensor.sizes()[dim]).collect();
    sizes.splice(front..front, shape.iter().copied());
    let empty_dimension = places.iter().any(|&dim| tensor.sizes()[dim] == 0);
    ensure!(!empty_dimension || shape.contains(&0), "index is out of bounds for dimension with size 0");
    let pick =
        |&dim: &usize| Ok((dim, broadcast_view(picks[dim].as_ref().expect("a place has a pick"), &shape)?));
    let picked = places.iter().map(pick).collect::<Result<_>>()?;
    Ok(Chosen { sizes, joined: front..front + shape.len(), kept, picked })
}

impl Chosen {
    /// The layouts over which eager iterates: the tensor, which repeats over the indices, and the indices,
    /// which repeat over what is kept.
    fn layouts(&self, tensor: &Tensor) -> Vec<Layout> {
        let mut strides: Vec<i64> = self.kept.iter().map(|&dim| tensor.strides()[dim]).collect();
        strides.splice(self.joined.start..self.joined.start, vec![0; self.joined.len()]);
        let source = Layout { sizes: self.sizes.clone(), strides };
        let layout = |(_, pick): &(usize, Tensor)| {
            let mut sizes = vec![1; self.sizes.len()];
            sizes[self.joined.clone()].copy_from_slice(pick.sizes());
            let strides =
                view_strides(pick.sizes(), pick.strides(), &sizes).expect("only sizes of 1 are new");
            Layout { sizes, strides }
        };
        std::iter::once(source).chain(self.picked.iter().map(layout)).collect()
    }

    /// The offsets of what is chosen, in row-major order.
    ///
    /// # Errors
    /// When an index is out of range.
    pub fn offsets(&self, tensor: &Tensor) -> Result<Vec<i64>> {
        let picks: Vec<(usize, Vec<i64>)> =
            self.picked.iter().map(|(dim, pick)| (*dim, ints(pick, Dtype::I64))).collect();
        let shape = &self.sizes[self.joined.clone()];
        let strides = contiguous_strides(shape);
        let offset = |position: Vec<i64>| {
            let joined = position[self.joined.clone()].iter().zip(&strides);
            let number: i64 = joined.map(|(at, stride)| at * stride).sum();
            let mut offset = tensor.offset();
            for (dim, indices) in &picks {
                let (index, size) = (indices[number as usize], tensor.sizes()[*dim]);
                ensure!(
                    (-size..size).contains(&index),
                    "index {index} is out of bounds for dimension {dim} with size {size}"
                );
                offset += (if index < 0 { index + size } else { index }) * tensor.strides()[*dim];
            }
            let rest = (0..position.len()).filter(|place| !self.joined.contains(place));
            let kept = rest.zip(&self.kept).map(|(place, &dim)| position[place] * tensor.strides()[dim]);
            Ok(offset + kept.sum::<i64>())
        };
        positions(&self.sizes).map(offset).collect()
    }
}

/// One tensor of integers per dimension, or `None`: a mask becomes the indices of its true elements, one
/// tensor for each of its dimensions.
fn expand_masks(indices: &[Option<&Tensor>]) -> Result<Vec<Option<Tensor>>> {
    let mut picks: Vec<Option<Tensor>> = Vec::new();
    for index in indices {
        let Some(index) = index else {
            picks.push(None);
            continue;
        };
        match index.dtype() {
            Dtype::I64 | Dtype::I32 => picks.push(Some((*index).clone())),
            _ => picks.extend(true_indices(index)?.into_iter().map(Some)),
        }
    }
    Ok(picks)
}

fn true_indices(mask: &Tensor) -> Result<Vec<Tensor>> {
    let truths = ints(mask, Dtype::Bool);
    let numbers: Vec<i64> =
        (0..truths.len()).filter(|&number| truths[number] != 0).map(|n| n as i64).collect();
    let mut inner = 1;
    let mut picks = Vec::new();
    for &size in mask.sizes().iter().rev() {
        let indices: Vec<i64> = numbers.iter().map(|number| number / inner % size).collect();
        picks.insert(0, Tensor::from_elements(Dtype::I64, &[indices.len() as i64], &indices)?);
        inner *= size;
    }
    Ok(picks)
}

fn broadcast_picks(picks: &[Option<Tensor>]) -> Result<Vec<i64>> {
    let shapes: Vec<&[i64]> = picks.iter().flatten().map(Tensor::sizes).collect();
    broadcast(shapes.iter().copied()).map_err(|_| {
        let texts: Vec<_> = shapes.iter().map(|shape| format!("{shape:?}")).collect();
        let texts = texts.join(", ");
        Error::new(format!(
            "shape mismatch: indexing tensors could not be broadcast together with shapes {texts}"
        ))
    })
}

/// `cat`: tensors joined along a dimension. Tensors of sizes `[0]` are skipped.
///
/// # Errors
/// When the memory cannot be had.
pub fn cat(tensors: &[&Tensor], dim: i64) -> Result<Tensor> {
    let operands: Vec<Operand> = tensors.iter().map(|&tensor| tensor.into()).collect();
    let dtype = result_dtype(&operands);
    let mut parts = tensors.iter().filter(|tensor| tensor.sizes() != [0]);
    let Some(first) = parts.next() else {
        return Ok(Tensor::zeros(dtype, &[0])?);
    };
    let dim = wrap_dim(dim, first.rank())?;
    let mut sizes = first.sizes().to_vec();
    for tensor in parts.clone() {
        sizes[dim] += tensor.sizes()[dim];
    }
    let strides =
        channels_last_strides(&sizes).filter(|_| tensors.iter().all(|tensor| suggests_channels_last(tensor)));
    let out = match strides {
        Some(strides) => Tensor::zeros_strided(dtype, &sizes, &strides)?,
        None => Tensor::zeros(dtype, &sizes)?,
    };
    let mut start = 0;
    for tensor in std::iter::once(first).chain(parts) {
        let length = tensor.sizes()[dim];
        copy_(&views::narrow(&out, dim as i64, start, length)?, tensor)?;
        start += length;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_tensor::Scalar;

    fn ints_of(sizes: &[i64], elements: &[i64]) -> Tensor {
        Tensor::from_elements(Dtype::I64, sizes, elements).unwrap()
    }

    fn iota(sizes: &[i64]) -> Tensor {
        let count: i64 = sizes.iter().product();
        ints_of(sizes, &(0..count).collect::<Vec<_>>())
    }

    #[track_caller]
    fn is(result: Result<Tensor>, sizes: &[i64], elements: &[i64]) {
        let result = result.unwrap();
        assert_eq!(result.sizes(), sizes);
        assert_eq!(result.to_vec(), elements.iter().map(|&element| Scalar::Int(element)).collect::<Vec<_>>());
    }

    /// Expected values are eager's.
    #[test]
    fn picks() {
        let x = iota(&[2, 3]);
        let (zero_one, two_zero) = (ints_of(&[2], &[0, 1]), ints_of(&[2], &[2, 0]));
        is(index(&x, &[Some(&zero_one), Some(&two_zero)]), &[2], &[2, 3]);
        is(index(&x, &[None, Some(&two_zero)]), &[2, 2], &[2, 0, 5, 3]);
        is(index(&x, &[Some(&ints_of(&[1], &[-1]))]), &[1, 3], &[3, 4, 5]);
        let cube = iota(&[2, 3, 4]);
        is(index(&cube, &[Some(&zero_one), None, Some(&zero_one)]), &[2, 3], &[0, 4, 8, 13, 17, 21]);
        let column = ints_of(&[2, 1], &[0, 1]);
        is(index(&cube, &[None, Some(&zero_one), Some(&column)]), &[2, 2, 2], &[0, 4, 1, 5, 12, 16, 13, 17]);
        let mask =
            Tensor::from_elements(Dtype::Bool, &[2, 3], &[false, true, false, false, false, true]).unwrap();
        is(index(&x, &[Some(&mask)]), &[2], &[1, 5]);
    }

    #[test]
    fn refusals_are_eagers() {
        let x = iota(&[2, 3]);
        let (two, pair) = (ints_of(&[1], &[2]), ints_of(&[3], &[0, 0, 0]));
        for (result, message) in [
            (index(&x, &[Some(&two)]), "index 2 is out of bounds for dimension 0 with size 2"),
            (
                index(&x, &[Some(&pair), Some(&ints_of(&[2], &[0, 0]))]),
                "shape mismatch: indexing tensors could not be broadcast together with shapes [3], [2]",
            ),
            (embedding(&x, &two), "index out of range in self"),
        ] {
            assert_eq!(result.unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn rows_and_joins() {
        let x = iota(&[2, 3]);
        is(embedding(&x, &ints_of(&[2, 1], &[1, 0])), &[2, 1, 3], &[3, 4, 5, 0, 1, 2]);
        is(cat(&[&x, &ints_of(&[0], &[]), &iota(&[2, 1])], -1), &[2, 4], &[0, 1, 2, 0, 3, 4, 5, 1]);
    }
}
