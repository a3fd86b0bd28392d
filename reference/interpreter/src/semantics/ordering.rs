//! What compares elements: extremes with their places, sorting, choosing and counting.
//!
//! A nan is larger than any number. Of equal elements the first comes first.

use super::{
    elements,
    error::{Error, Result, ensure},
    real::Real,
    reduction::{Groups, all_if_empty, reduce},
    shape::{broadcast, broadcast_view, wrap_dim},
    strides,
};
use std::cmp::Ordering;
use terrace_dialects::aten::rules::brief;
use terrace_tensor::{
    Dtype, Scalar, Tensor,
    layout::{contiguous_strides, positions},
};

/// An element, to be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Key {
    Int(i64),
    Real(f64),
}

impl Key {
    fn of(scalar: Scalar) -> Key {
        match scalar {
            Scalar::Bool(_) | Scalar::Int(_) => Key::Int(scalar.to_i64()),
            Scalar::Float(value) | Scalar::Complex(value, _) => Key::Real(value),
        }
    }

    fn is_nan(self) -> bool {
        matches!(self, Key::Real(value) if value.is_nan())
    }

    fn compare(self, other: Key) -> Ordering {
        match (self, other) {
            (Key::Int(a), Key::Int(b)) => a.cmp(&b),
            (Key::Real(a), Key::Real(b)) => a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())),
            _ => unreachable!("elements of one tensor are of one kind"),
        }
    }

    /// Whether it comes before another as an extreme: the largest or the smallest, of nan the first.
    fn beats(self, other: Key, largest: bool) -> bool {
        if self.is_nan() || other.is_nan() {
            return !other.is_nan();
        }
        self.compare(other) == if largest { Ordering::Greater } else { Ordering::Less }
    }
}

/// The place of the extreme of some elements.
fn extreme(keys: &[Key], largest: bool) -> usize {
    let better = |best: usize, at: usize| if keys[at].beats(keys[best], largest) { at } else { best };
    (0..keys.len()).reduce(better).unwrap_or_default()
}

fn only(dim: usize, rank: usize) -> Vec<bool> {
    (0..rank).map(|other| other == dim).collect()
}

/// For each row along a dimension, the elements that `choose` names by their places in the row, and these
/// places: tensors whose size along the dimension is their number. `strides` are those of the results.
fn along(
    tensor: &Tensor,
    dim: usize,
    sizes: &[i64],
    strides: &[i64],
    choose: impl Fn(&[Key]) -> Vec<usize>,
) -> Result<[Tensor; 2]> {
    let reduced = only(dim, tensor.rank());
    let groups = Groups::new(tensor, &reduced)?;
    let from: Vec<i64> = groups.ordered.offsets().collect();
    let values = Tensor::zeros_strided(tensor.dtype(), sizes, strides)?;
    let places = Tensor::zeros_strided(Dtype::I64, sizes, strides)?;
    let (to, to_places) = (Groups::new(&values, &reduced)?, Groups::new(&places, &reduced)?);
    let mut to = to.ordered.offsets().zip(to_places.ordered.offsets());
    for number in 0..groups.count() {
        let row = &from[number * groups.size..][..groups.size];
        let keys: Vec<Key> = row.iter().map(|&at| Key::of(tensor.read(at))).collect();
        // As many as there is room for: an empty result has none.
        for (chosen, (value, place)) in choose(&keys).into_iter().zip(&mut to) {
            elements::write(
                &values,
                value,
                tensor.read(row[chosen]),
                tensor.bound(row[chosen]),
                tensor.dtype(),
            );
            places.write(place, Scalar::Int(chosen as i64));
        }
    }
    Ok([values, places])
}

/// `max` and `min` along a dimension: the extremes and their places.
///
/// # Errors
/// When the memory cannot be had.
pub fn extreme_dim(tensor: &Tensor, dim: i64, keepdim: bool, largest: bool) -> Result<[Tensor; 2]> {
    let dim = wrap_dim(dim, tensor.rank())?;
    let mut sizes = tensor.sizes().to_vec();
    if let Some(size) = sizes.get_mut(dim) {
        *size = 1;
    }
    let results =
        along(tensor, dim, &sizes, &contiguous_strides(&sizes), |keys| vec![extreme(keys, largest)])?;
    if keepdim || sizes.is_empty() {
        return Ok(results);
    }
    sizes.remove(dim);
    let [values, places] = results.map(|result| result.view(sizes.clone(), contiguous_strides(&sizes), 0));
    Ok([values?, places?])
}

/// `argmax` and `argmin`: the places of extremes along a dimension, or of the extreme of all elements in
/// row-major order.
///
/// # Errors
/// When there is nothing to compare.
pub fn arg_extreme(tensor: &Tensor, dim: Option<i64>, keepdim: bool, largest: bool) -> Result<Tensor> {
    if let Some(dim) = dim {
        let [_, places] = extreme_dim(tensor, dim, keepdim, largest)?;
        return Ok(places);
    }
    let keys: Vec<Key> = tensor.offsets().map(|at| Key::of(tensor.read(at))).collect();
    let sizes = if keepdim { vec![1; tensor.rank()] } else { Vec::new() };
    Ok(Tensor::from_elements(Dtype::I64, &sizes, &[extreme(&keys, largest) as i64])?)
}

/// `cummax` and `cummin`: the extremes of the elements up to each place along a dimension, and their places,
/// of equal ones the last.
///
/// # Errors
/// When the memory cannot be had.
pub fn cumulative_extreme(tensor: &Tensor, dim: i64, largest: bool) -> Result<[Tensor; 2]> {
    let dim = wrap_dim(dim, tensor.rank())?;
    let (sizes, strides) = (tensor.sizes(), contiguous_strides(tensor.sizes()));
    along(tensor, dim, sizes, &strides, |keys| {
        let mut best = 0;
        let step = |at: usize| {
            let stays = keys[best].beats(keys[at], largest) && !keys[at].is_nan();
            if !stays {
                best = at;
            }
            best
        };
        (0..keys.len()).map(step).collect()
    })
}

/// `sort`: elements in order along a dimension, and where they were.
///
/// # Errors
/// When the memory cannot be had.
pub fn sort(tensor: &Tensor, dim: i64, descending: bool) -> Result<[Tensor; 2]> {
    let dim = wrap_dim(dim, tensor.rank())?;
    along(tensor, dim, tensor.sizes(), &strides::preserved(tensor), |keys| sorted(keys, descending))
}

fn sorted(keys: &[Key], descending: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&a, &b| {
        let compared = keys[a].compare(keys[b]);
        if descending { compared.reverse() } else { compared }
    });
    order
}

/// `topk`: the `k` largest or smallest elements along a dimension in order, and where they were.
///
/// # Errors
/// When the memory cannot be had.
pub fn topk(tensor: &Tensor, k: i64, dim: i64, largest: bool) -> Result<[Tensor; 2]> {
    let dim = wrap_dim(dim, tensor.rank())?;
    let mut sizes = tensor.sizes().to_vec();
    if let Some(size) = sizes.get_mut(dim) {
        *size = k;
    }
    let first = |keys: &[Key]| {
        let mut order = sorted(keys, largest);
        // A tensor without dimensions is its own result.
        order.truncate(if tensor.rank() == 0 { 1 } else { k as usize });
        order
    };
    along(tensor, dim, &sizes, &contiguous_strides(&sizes), first)
}

/// `nonzero`: the indices of the elements that are not zero, a row each. Columns lie one after the other in
/// memory.
///
/// # Errors
/// When the memory cannot be had.
pub fn nonzero(tensor: &Tensor) -> Result<Tensor> {
    let all = positions(tensor.sizes()).zip(tensor.offsets());
    let rows: Vec<Vec<i64>> =
        all.filter(|(_, at)| tensor.read(*at).to_bool()).map(|(position, _)| position).collect();
    let (count, rank) = (rows.len() as i64, tensor.rank() as i64);
    let out = Tensor::zeros_strided(Dtype::I64, &[count, rank], &[1, count])?;
    for (at, index) in out.offsets().zip(rows.into_iter().flatten()) {
        out.write(at, Scalar::Int(index));
    }
    Ok(out)
}

/// `masked_select`: the elements at which a mask holds.
///
/// # Errors
/// When the two do not broadcast.
pub fn masked_select(tensor: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let sizes = broadcast([mask.sizes(), tensor.sizes()])?;
    let (from, mask) = (broadcast_view(tensor, &sizes)?, broadcast_view(mask, &sizes)?);
    let all = from.offsets().zip(mask.offsets());
    let chosen: Vec<i64> = all.filter(|(_, at)| mask.read(*at).to_bool()).map(|(from, _)| from).collect();
    let out = Tensor::zeros(tensor.dtype(), &[chosen.len() as i64])?;
    for (to, from) in out.offsets().zip(chosen) {
        elements::write(&out, to, tensor.read(from), tensor.bound(from), tensor.dtype());
    }
    Ok(out)
}

/// `count_nonzero`: over `dims`, over all where there is none.
///
/// # Errors
/// When the memory cannot be had.
pub fn count_nonzero(tensor: &Tensor, dims: Option<&[i64]>) -> Result<Tensor> {
    let real = |_: &[Real]| unreachable!("truth values are no floats");
    let count = |group: &[i64]| group.iter().sum();
    reduce(tensor, &all_if_empty(dims, tensor)?, false, Dtype::Bool, Dtype::I64, "", real, count)
}

/// `histc`: how many elements lie in each of `bins` parts of a range, by default that of the elements.
///
/// # Errors
/// When the range is none.
pub fn histc(tensor: &Tensor, bins: i64, min: Scalar, max: Scalar) -> Result<Tensor> {
    let (mut low, mut high) = (min.to_f64(), max.to_f64());
    let values: Vec<f64> = tensor.offsets().map(|at| tensor.read(at).to_f64()).collect();
    if low == high && !values.is_empty() {
        let nan = values.iter().any(|value| value.is_nan());
        low = if nan { f64::NAN } else { values.iter().copied().fold(f64::INFINITY, f64::min) };
        high = if nan { f64::NAN } else { values.iter().copied().fold(f64::NEG_INFINITY, f64::max) };
    }
    if low == high {
        (low, high) = (low - 1.0, high + 1.0);
    }
    let (finite, ordered) = (low.is_finite() && high.is_finite(), low < high);
    let word = |edge: f64| if edge.is_nan() { "-nan".to_owned() } else { brief(edge) };
    ensure!(finite, "torch.histc: range of [{}, {}] is not finite", word(low), word(high));
    ensure!(ordered, "torch.histc: max must be larger than min");
    let mut counts = vec![0i64; bins as usize];
    // In the dtype of the elements, as eager does.
    let round = |value: f64| tensor.dtype().round(value);
    let (low, high) = (round(low), round(high));
    for value in values.into_iter().filter(|value| *value >= low && *value <= high) {
        let part = round(round(round(value - low) * bins as f64) / round(high - low)) as usize;
        counts[part.min(bins as usize - 1)] += 1;
    }
    let counts: Vec<f64> = counts.into_iter().map(|count| count as f64).collect();
    Ok(Tensor::from_elements(tensor.dtype(), &[bins], &counts)?)
}

/// `bincount`: how often each number from 0 on occurs, up to the largest, or to `minlength` where that is
/// more; with weights, the sums of these.
///
/// # Errors
/// When a number is negative.
pub fn bincount(tensor: &Tensor, weights: Option<&Tensor>, minlength: i64) -> Result<Tensor> {
    let numbers = elements::ints(tensor, Dtype::I64);
    if numbers.iter().any(|number| *number < 0) {
        return Err(Error::new("bincount only supports 1-d non-negative integral inputs."));
    }
    let count = numbers.iter().map(|number| number.saturating_add(1)).max().unwrap_or(0).max(minlength);
    let dtype = match weights {
        Some(_) if numbers.is_empty() => Dtype::I64,
        Some(weights) if weights.dtype() == Dtype::F32 => Dtype::F32,
        Some(_) => Dtype::F64,
        None => Dtype::I64,
    };
    let out = Tensor::zeros(dtype, &[count])?;
    let Some(weights) = weights.filter(|_| dtype.is_float()) else {
        for number in numbers {
            out.write(number, Scalar::Int(out.read(number).to_i64() + 1));
        }
        return Ok(out);
    };
    for (number, at) in numbers.into_iter().zip(weights.offsets()) {
        let sum = out.read(number).to_f64() + weights.read(at).to_f64();
        let bound = out.bound(number) + weights.bound(at) + dtype.epsilon() * sum.abs();
        let exact = out.bound(number) == 0.0 && weights.bound(at) == 0.0 && dtype.round(sum) == sum;
        elements::write(
            &out,
            number,
            Scalar::Float(dtype.round(sum)),
            if exact { 0.0 } else { bound },
            dtype,
        );
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(sizes: &[i64], elements: &[f64]) -> Tensor {
        Tensor::from_elements(Dtype::F32, sizes, elements).unwrap()
    }

    #[track_caller]
    fn are(results: Result<[Tensor; 2]>, elements: &[f64], places: &[i64]) {
        let [values, at] = results.unwrap();
        let text = |values: &[f64]| format!("{values:?}");
        assert_eq!(text(&values.to_vec().iter().map(|s| s.to_f64()).collect::<Vec<_>>()), text(elements));
        assert_eq!(at.to_vec(), places.iter().map(|&p| Scalar::Int(p)).collect::<Vec<_>>());
    }

    #[test]
    fn nan_is_the_largest_and_the_first_extreme() {
        let x = floats(&[2, 3], &[1.0, 3.0, 3.0, 5.0, f64::NAN, f64::NAN]);
        are(extreme_dim(&x, 1, false, true), &[3.0, f64::NAN], &[1, 1]);
        are(extreme_dim(&x, 0, true, false), &[1.0, f64::NAN, f64::NAN], &[0, 1, 1]);
        are(
            sort(&floats(&[4], &[2.0, f64::NAN, 1.0, 2.0]), 0, false),
            &[1.0, 2.0, 2.0, f64::NAN],
            &[2, 0, 3, 1],
        );
        are(
            sort(&floats(&[4], &[2.0, f64::NAN, 1.0, 2.0]), 0, true),
            &[f64::NAN, 2.0, 2.0, 1.0],
            &[1, 0, 3, 2],
        );
        are(topk(&floats(&[3], &[2.0, f64::NAN, 1.0]), 2, 0, false), &[1.0, 2.0], &[2, 0]);
        are(
            cumulative_extreme(&floats(&[4], &[1.0, 1.0, 0.0, 2.0]), 0, true),
            &[1.0, 1.0, 1.0, 2.0],
            &[0, 1, 1, 3],
        );
    }

    #[test]
    fn places_and_counts() {
        let x = floats(&[2, 2], &[0.0, 2.0, 0.0, -1.0]);
        assert_eq!(arg_extreme(&x, None, false, true).unwrap().to_vec(), [Scalar::Int(1)]);
        assert_eq!(nonzero(&x).unwrap().to_vec(), [0, 1, 1, 1].map(Scalar::Int));
        assert_eq!(count_nonzero(&x, Some(&[0])).unwrap().to_vec(), [0, 2].map(Scalar::Int));
        let counts = histc(&x, 3, Scalar::Int(0), Scalar::Int(0)).unwrap();
        assert_eq!(counts.to_vec(), [1.0, 2.0, 1.0].map(Scalar::Float));
    }
}
