//! Operators that give the operand itself, a view of it or a copy, as strides and dtype decide; memory
//! formats.

use super::{
    elements,
    error::{Result, ensure},
    shape::{infer_size, wrap_dim},
    strides,
    views::view,
};
use terrace_overlap::view_strides;
use terrace_tensor::{Dtype, Tensor, layout::contiguous_strides};

/// How the dimensions of a tensor are ordered in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Row-major.
    Contiguous,
    /// Images, with channels innermost.
    ChannelsLast,
    /// Volumes, with channels innermost.
    ChannelsLast3d,
    /// As in another tensor.
    Preserve,
}

impl Format {
    /// The format of a name of torch.
    pub fn named(name: &str) -> Option<Format> {
        Some(match name {
            "contiguous_format" => Format::Contiguous,
            "channels_last" => Format::ChannelsLast,
            "channels_last_3d" => Format::ChannelsLast3d,
            "preserve_format" => Format::Preserve,
            _ => return None,
        })
    }

    /// The format that a tensor's strides suggest.
    pub fn suggested(tensor: &Tensor) -> Format {
        match tensor.rank() {
            4 if strides::suggests_channels_last(tensor) => Format::ChannelsLast,
            5 if strides::suggests_channels_last(tensor) => Format::ChannelsLast3d,
            _ => Format::Contiguous,
        }
    }

    /// The strides of a new tensor in this format.
    pub fn strides(self, sizes: &[i64]) -> Vec<i64> {
        if matches!(self, Format::Contiguous | Format::Preserve) {
            return contiguous_strides(sizes);
        }
        let (mut strides, mut next) = (vec![0; sizes.len()], 1);
        for dim in channels_innermost(sizes.len()) {
            strides[dim] = next;
            next *= sizes[dim];
        }
        strides
    }

    /// The strides of a copy of a tensor in this format.
    pub fn of_copy(self, tensor: &Tensor) -> Vec<i64> {
        match self {
            Format::Preserve => strides::preserved(tensor),
            format => format.strides(tensor.sizes()),
        }
    }

    /// Whether a tensor has this format; a dimension of one index may have any stride.
    fn is_of(self, tensor: &Tensor) -> bool {
        match self {
            Format::Contiguous | Format::Preserve => tensor.is_contiguous(),
            format => {
                let wanted = format.strides(tensor.sizes());
                let mut dims = tensor.sizes().iter().zip(tensor.strides()).zip(&wanted);
                dims.all(|((&size, own), wanted)| size == 1 || own == wanted)
            }
        }
    }
}

/// Dimensions from the innermost: channels, then the others from the last, then the batch.
fn channels_innermost(rank: usize) -> impl Iterator<Item = usize> {
    std::iter::once(1).chain((2..rank).rev()).chain([0])
}

/// `clone`, `_to_copy`: a copy on new memory, converted to a dtype, in a memory format.
///
/// # Errors
/// When tensors of this rank do not have the format.
pub fn to_copy(tensor: &Tensor, dtype: Dtype, format: Format) -> Result<Tensor> {
    let copy = Tensor::zeros_strided(dtype, tensor.sizes(), &format.of_copy(tensor))?;
    elements::copy(&copy, tensor);
    Ok(copy)
}

/// A row-major copy.
///
/// # Errors
/// When the memory cannot be had.
pub fn packed_copy(tensor: &Tensor) -> Result<Tensor> {
    to_copy(tensor, tensor.dtype(), Format::Contiguous)
}

/// `to`: the tensor itself where it has the dtype and, if one is asked for, its strides suggest the format;
/// else a copy.
///
/// # Errors
/// As [`to_copy`].
pub fn to(tensor: &Tensor, dtype: Dtype, copy: bool, format: Format) -> Result<Tensor> {
    let suits = format == Format::Preserve || format == Format::suggested(tensor);
    if dtype == tensor.dtype() && suits && !copy {
        return Ok(tensor.clone());
    }
    to_copy(tensor, dtype, format)
}

/// `contiguous`: the tensor itself where it has the format, else a copy that has it.
///
/// # Errors
/// When tensors of this rank do not have the format, or there is nothing to preserve.
pub fn contiguous(tensor: &Tensor, format: Format) -> Result<Tensor> {
    if format.is_of(tensor) {
        return Ok(tensor.clone());
    }
    ensure!(format != Format::Preserve, "preserve memory format is unsupported by the contiguous operator");
    to_copy(tensor, tensor.dtype(), format)
}

/// `reshape`: a view where strides allow, else of a row-major copy; one size may be -1.
///
/// # Errors
/// When the memory cannot be had.
pub fn reshape(tensor: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    let sizes = infer_size(sizes, tensor.len() as i64);
    match view_strides(tensor.sizes(), tensor.strides(), &sizes) {
        Some(_) => view(tensor, &sizes),
        None => view(&packed_copy(tensor)?, &sizes),
    }
}

/// `flatten`: the dimensions from `start` to `end` as one; the tensor itself where that is one already.
///
/// # Errors
/// When the memory cannot be had.
pub fn flatten(tensor: &Tensor, start: i64, end: i64) -> Result<Tensor> {
    let (start, end) = (wrap_dim(start, tensor.rank())?, wrap_dim(end, tensor.rank())?);
    if tensor.rank() == 0 {
        return reshape(tensor, &[1]);
    }
    if start == end {
        return Ok(tensor.clone());
    }
    let mut sizes = tensor.sizes().to_vec();
    let joined = sizes[start..=end].iter().product();
    sizes.splice(start..=end, [joined]);
    reshape(tensor, &sizes)
}

/// `ravel`: all elements in one dimension.
///
/// # Errors
/// When the memory cannot be had.
pub fn ravel(tensor: &Tensor) -> Result<Tensor> {
    view(&contiguous(tensor, Format::Contiguous)?, &[tensor.len() as i64])
}

/// `meshgrid`: each tensor along its own dimension of a grid, repeated along the others; with `xy` the first
/// two dimensions change places.
///
/// # Errors
/// When the memory cannot be had.
pub fn meshgrid(tensors: &[&Tensor], xy: bool) -> Result<Vec<Tensor>> {
    let mut order: Vec<usize> = (0..tensors.len()).collect();
    if xy && order.len() > 1 {
        order.swap(0, 1);
    }
    let mut sizes = vec![0; tensors.len()];
    for (tensor, &dim) in tensors.iter().zip(&order) {
        sizes[dim] = tensor.len() as i64;
    }
    let grid = |(tensor, &dim): (&&Tensor, &usize)| {
        let mut line = vec![1; sizes.len()];
        line[dim] = sizes[dim];
        super::views::expand(&view(tensor, &line)?, &sizes)
    };
    tensors.iter().zip(&order).map(grid).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(strides: &[i64]) -> Tensor {
        Tensor::zeros_strided(Dtype::F32, &[2, 3, 4, 5], strides).unwrap()
    }

    #[test]
    fn what_has_the_format_is_itself() {
        let last = image(&[60, 1, 15, 3]);
        assert!(contiguous(&last, Format::ChannelsLast).unwrap().is_same(&last));
        assert_eq!(contiguous(&last, Format::Contiguous).unwrap().strides(), [60, 20, 5, 1]);
        assert!(to(&last, Dtype::F32, false, Format::ChannelsLast).unwrap().is_same(&last));
        assert!(!to(&last, Dtype::F32, true, Format::Preserve).unwrap().is_same(&last));
        assert_eq!(to(&last, Dtype::F64, false, Format::Preserve).unwrap().strides(), [60, 1, 15, 3]);
        assert!(flatten(&last, 1, 1).unwrap().is_same(&last));
    }

    #[test]
    fn reshape_copies_where_strides_do_not_allow_a_view() {
        let last = image(&[60, 1, 15, 3]);
        assert!(!reshape(&last, &[120]).unwrap().storage().is_same(last.storage()));
        assert!(reshape(&last, &[2, 3, 20]).unwrap().storage().is_same(last.storage()));
    }
}
