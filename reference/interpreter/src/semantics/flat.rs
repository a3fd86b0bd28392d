//! Elements by their places among all of a tensor's, in row-major order.

use super::{
    combine::{Combine, combine},
    copy::{clone, packed},
    elements::{self, any_elements, ints},
    error::{Result, ensure},
    overlap::{check_beside, check_disjoint, check_distinct},
    shape::{broadcast, broadcast_view},
};
use terrace_tensor::{Dtype, Tensor};

/// The offsets of the elements that indices name, counted from either end.
fn named(tensor: &Tensor, index: &Tensor) -> Result<Vec<i64>> {
    let all: Vec<i64> = tensor.offsets().collect();
    let count = all.len() as i64;
    let offset = |at: i64| {
        ensure!(
            (-count..count).contains(&at),
            "out of range: tried to access index {at} on a tensor of {count} elements."
        );
        Ok(all[(if at < 0 { at + count } else { at }) as usize])
    };
    ints(index, Dtype::I64).into_iter().map(offset).collect()
}

/// `take`: the elements that indices name.
///
/// # Errors
/// When an index is out of range.
pub fn take(tensor: &Tensor, index: &Tensor) -> Result<Tensor> {
    let out = Tensor::zeros(tensor.dtype(), index.sizes())?;
    for (to, from) in out.offsets().zip(named(tensor, index)?) {
        elements::write(&out, to, tensor.read(from), tensor.bound(from), tensor.dtype());
    }
    Ok(out)
}

/// `put_`: the elements that indices name, replaced by those of the source, in order, or increased by them.
///
/// # Errors
/// When an index is out of range, or the tensor shares memory with itself, the indices or the source.
pub fn put_(written: &Tensor, index: &Tensor, source: &Tensor, accumulate: bool) -> Result<Tensor> {
    check_disjoint(written, &[index, source], true)?;
    let how = if accumulate { Combine::Sum } else { Combine::Replace };
    let places = named(written, index)?;
    combine(written, &places, &any_elements(source, written.dtype())?, how, accumulate);
    Ok(written.clone())
}

/// `masked_scatter`, on a row-major copy in the sizes of both.
///
/// # Errors
/// As [`masked_scatter_`].
pub fn masked_scatter(tensor: &Tensor, mask: &Tensor, source: &Tensor) -> Result<Tensor> {
    let sizes = broadcast([mask.sizes(), tensor.sizes()])?;
    let out = Tensor::zeros(tensor.dtype(), &sizes)?;
    elements::copy(&out, &broadcast_view(tensor, &sizes)?);
    masked_scatter_(&out, mask, source)
}

/// `masked_scatter_`: where the mask holds, the elements of the source, one after another.
///
/// # Errors
/// When the source has too few, or the tensor shares memory with itself, the mask or the source.
pub fn masked_scatter_(written: &Tensor, mask: &Tensor, source: &Tensor) -> Result<Tensor> {
    check_distinct(written)?;
    check_beside(written, mask)?;
    // What is not contiguous is copied before anything is written.
    if source.is_contiguous() {
        check_beside(written, source)?;
    }
    let source = if source.is_contiguous() { packed(source)? } else { clone(source)? };
    let mask = broadcast_view(mask, written.sizes())?;
    let taken: Vec<i64> = written
        .offsets()
        .zip(mask.offsets())
        .filter(|(_, at)| mask.read(*at).to_bool())
        .map(|(to, _)| to)
        .collect();
    ensure!(taken.len() <= source.len(), "Number of elements of source < number of ones in mask");
    for (to, from) in taken.into_iter().zip(source.offsets()) {
        elements::write(written, to, source.read(from), source.bound(from), source.dtype());
    }
    Ok(written.clone())
}
