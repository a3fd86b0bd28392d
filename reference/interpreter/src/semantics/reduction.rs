//! Reductions over dimensions. Results are row-major.

use super::{
    complex::{Complex, complex},
    elements::{Elements, any_elements, complexes, elements, store},
    error::{Error, Result},
    parts,
    real::{Accumulator, Real},
    scalar_table::log_add_exp,
    shape::wrap_dims,
};
use terrace_tensor::{Dtype, Tensor, layout::Offsets};

/// `sum`: over `dims`, over all of them where none is given or the list is empty. Elements are converted to
/// `dtype` first, by default i64 for integers.
///
/// # Errors
/// When the memory cannot be had.
pub fn sum(tensor: &Tensor, dims: Option<&[i64]>, keepdim: bool, dtype: Option<Dtype>) -> Result<Tensor> {
    let dtype = dtype.unwrap_or_else(|| accumulated(tensor));
    if dtype.is_complex() {
        return parts::linear(tensor, dtype, |part| sum(part, dims, keepdim, None));
    }
    let real = |group: &[Real]| total(group).finish(dtype);
    let int = |group: &[i64]| group.iter().fold(0i64, |sum, &element| sum.wrapping_add(element));
    reduce(tensor, &all_if_empty(dims, tensor)?, keepdim, dtype, dtype, "sum_cpu", real, int)
}

/// `mean`: the sum over the number of elements; dimensions as for [`sum`].
///
/// # Errors
/// As [`sum`], and when neither the tensor nor `dtype` is a float.
pub fn mean(tensor: &Tensor, dims: Option<&[i64]>, keepdim: bool, dtype: Option<Dtype>) -> Result<Tensor> {
    let result = dtype.unwrap_or(tensor.dtype());
    if result.is_complex() {
        return parts::linear(tensor, result, |part| mean(part, dims, keepdim, None));
    }
    let real = |group: &[Real]| {
        let (sum, count) = (total(group), group.len() as f64);
        let value = sum.value() / count;
        let exact = sum.own(result) == 0.0 && result.round(value) == value && (value * count) == sum.value();
        let own = if exact { 0.0 } else { sum.own(result) / count + value.abs() };
        Real::rounded(value, sum.spread() / count, own, result)
    };
    let int = |_: &[i64]| unreachable!("a mean is a float");
    reduce(tensor, &all_if_empty(dims, tensor)?, keepdim, result, result, "mean_cpu", real, int)
}

/// `prod`: dimensions and dtypes as for [`sum`].
///
/// # Errors
/// As [`sum`].
pub fn prod(tensor: &Tensor, dims: Option<&[i64]>, keepdim: bool, dtype: Option<Dtype>) -> Result<Tensor> {
    let dtype = dtype.unwrap_or_else(|| accumulated(tensor));
    if dtype.is_complex() {
        let groups = Groups::new(tensor, &all_if_empty(dims, tensor)?)?;
        let pairs = groups
            .map(&complexes(&groups.ordered, dtype), |group| complex_products(group, dtype).last().copied());
        let one = [Real::exact(1.0), Real::default()];
        let products = pairs.into_iter().map(|product| product.unwrap_or(one)).collect();
        let out = Tensor::zeros(dtype, &groups.sizes(tensor, keepdim))?;
        store(&out, &Elements::Complex(products), dtype);
        return Ok(out);
    }
    let real = |group: &[Real]| Product::of(group).finish(dtype);
    let int = |group: &[i64]| group.iter().fold(1i64, |product, &element| product.wrapping_mul(element));
    reduce(tensor, &all_if_empty(dims, tensor)?, keepdim, dtype, dtype, "prod_cpu", real, int)
}

/// The products of the first complex numbers, one, two and so on.
pub(super) fn complex_products(group: &[[Real; 2]], dtype: Dtype) -> Vec<[Real; 2]> {
    let (mut product, mut size, mut spread, mut factors) = (Complex::ONE, 1.0, 0.0, 0.0);
    let step = |[re, im]: &[Real; 2]| {
        let factor = complex(re.value, im.value);
        product = if factors == 0.0 { factor } else { product * factor };
        let bound = re.bound.hypot(im.bound);
        if bound != 0.0 || spread != 0.0 {
            spread = spread * (factor.abs() + bound) + size * bound;
        }
        size *= factor.abs();
        factors += 1.0;
        let own = if factors == 1.0 { 0.0 } else { 2.0 * factors * (size + spread) };
        [product.re, product.im].map(|part| Real::rounded(part, spread, own, dtype.part()))
    };
    group.iter().map(step).collect()
}

/// `amax`: the largest element; nan if there is one. Over all dimensions where the list is empty.
///
/// # Errors
/// When the memory cannot be had.
pub fn amax(tensor: &Tensor, dims: &[i64], keepdim: bool) -> Result<Tensor> {
    extreme("amax", tensor, dims, keepdim, |a, b| a > b, |a, b| a.max(b))
}

/// `amin`: the smallest element; nan if there is one. Over all dimensions where the list is empty.
///
/// # Errors
/// As [`amax`].
pub fn amin(tensor: &Tensor, dims: &[i64], keepdim: bool) -> Result<Tensor> {
    extreme("amin", tensor, dims, keepdim, |a, b| a < b, |a, b| a.min(b))
}

fn extreme(
    name: &str,
    tensor: &Tensor,
    dims: &[i64],
    keepdim: bool,
    before: fn(f64, f64) -> bool,
    int: fn(i64, i64) -> i64,
) -> Result<Tensor> {
    let reduced = all_if_empty(Some(dims), tensor)?;
    let real = |group: &[Real]| {
        let values = group.iter().map(|real| real.value);
        let found = values.reduce(|a, b| if a.is_nan() || before(a, b) { a } else { b });
        let bound = group.iter().map(|real| real.bound).fold(0.0, f64::max);
        Real { value: found.unwrap_or(f64::NAN), bound }
    };
    let int = |group: &[i64]| group.iter().copied().reduce(int).unwrap_or_default();
    let kernel = format!("{name}_cpu");
    reduce(tensor, &reduced, keepdim, tensor.dtype(), tensor.dtype(), &kernel, real, int)
}

/// `cumsum` and `cumprod`: each element combines those up to its place along a dimension, in `dtype`, by
/// default i64 for integers. The result is row-major.
///
/// # Errors
/// When the memory cannot be had.
pub fn cumulative(name: &str, tensor: &Tensor, dim: i64, dtype: Option<Dtype>) -> Result<Tensor> {
    let dtype = dtype.unwrap_or_else(|| accumulated(tensor));
    let out = Tensor::zeros(dtype, tensor.sizes())?;
    cumulate(name, tensor, dim, &out)?;
    Ok(out)
}

/// `cumsum_` and `cumprod_`.
///
/// # Errors
/// As [`cumulative`], and when elements of the tensor share memory.
pub fn cumulative_in_place(name: &str, tensor: &Tensor, dim: i64) -> Result<Tensor> {
    let written = [super::promotion::Operand::Tensor(tensor)];
    super::overlap::check_memory(tensor, &written)?;
    super::overlap::check_order(tensor, &written)?;
    cumulate(name, tensor, dim, tensor)?;
    Ok(tensor.clone())
}

fn cumulate(name: &str, tensor: &Tensor, dim: i64, out: &Tensor) -> Result<()> {
    let dim = super::shape::wrap_dim(dim, tensor.rank())?;
    // One element is itself: a zero keeps its sign, which a sum from zero on would lose.
    if tensor.rank() == 0 {
        super::elements::copy(out, tensor);
        return Ok(());
    }
    let (sums, dtype) = (name == "cumsum", out.dtype());
    if dtype.is_complex() && sums {
        let own = parts::linear(tensor, dtype, |part| cumulative(name, part, dim as i64, None))?;
        super::elements::copy(out, &own);
        return Ok(());
    }
    let reduced: Vec<bool> = (0..tensor.rank()).map(|other| other == dim).collect();
    let (groups, places) = (Groups::new(tensor, &reduced)?, Groups::new(out, &reduced)?);
    let results = match any_elements(&groups.ordered, dtype)? {
        Elements::Complex(elements) => {
            Elements::Complex(groups.map(&elements, |row| complex_products(row, dtype)).concat())
        }
        Elements::Real(elements) => {
            let sums_of = |row: &[Real]| -> Vec<Real> {
                let mut sum = Accumulator::default();
                let step = |&term: &Real| {
                    sum.add(term);
                    sum.finish(dtype)
                };
                row.iter().map(step).collect()
            };
            let products_of = |row: &[Real]| -> Vec<Real> {
                let mut product = Product::default();
                let step = |&factor: &Real| {
                    product.add(factor);
                    product.finish(dtype)
                };
                row.iter().map(step).collect()
            };
            let row = |row: &[Real]| if sums { sums_of(row) } else { products_of(row) };
            Elements::Real(groups.map(&elements, row).concat())
        }
        Elements::Int(elements) => {
            let row = |row: &[i64]| -> Vec<i64> {
                let combine = if sums { i64::wrapping_add } else { i64::wrapping_mul };
                let mut total = i64::from(!sums);
                let step = |&term: &i64| {
                    total = combine(total, term);
                    total
                };
                row.iter().map(step).collect()
            };
            Elements::Int(groups.map(&elements, row).concat())
        }
    };
    store(&places.ordered, &results, dtype);
    Ok(())
}

/// `logcumsumexp`: the logarithm of the sum of the exponentials of the elements up to each place along a
/// dimension. The result is row-major.
///
/// # Errors
/// When the memory cannot be had.
pub fn logcumsumexp(tensor: &Tensor, dim: i64) -> Result<Tensor> {
    let (dtype, out) = (tensor.dtype(), Tensor::zeros(tensor.dtype(), tensor.sizes())?);
    let dim = super::shape::wrap_dim(dim, tensor.rank())?;
    let reduced: Vec<bool> = (0..tensor.rank()).map(|other| other == dim).collect();
    let (groups, places) = (Groups::new(tensor, &reduced)?, Groups::new(&out, &reduced)?);
    let row = |row: &[Real]| -> Vec<Real> {
        let (mut sum, mut spread) = (f64::NEG_INFINITY, 0.0f64);
        let step = |(place, term): (usize, &Real)| {
            // It moves by no more than the term that moves most.
            (sum, spread) = (log_add_exp(sum, term.value), spread.max(term.bound));
            let own = if place == 0 { 0.0 } else { 16.0 * (sum.abs() + 1.0) };
            Real::rounded(sum, spread, own, dtype)
        };
        row.iter().enumerate().map(step).collect()
    };
    let elements = any_elements(&groups.ordered, dtype)?;
    let Elements::Real(elements) = elements else { unreachable!("verified to be of floats") };
    store(&places.ordered, &Elements::Real(groups.map(&elements, row).concat()), dtype);
    Ok(out)
}

/// The dtype that sums and products have by default.
fn accumulated(tensor: &Tensor) -> Dtype {
    let integral = tensor.dtype().is_integer() || tensor.dtype() == Dtype::Bool;
    if integral { Dtype::I64 } else { tensor.dtype() }
}

/// A product on its way, and how large it may be where its factors are off.
pub(super) struct Product {
    value: f64,
    most: f64,
    factors: f64,
    integral: bool,
}

impl Default for Product {
    fn default() -> Product {
        Product { value: 1.0, most: 1.0, factors: 0.0, integral: true }
    }
}

impl Product {
    pub fn of(group: &[Real]) -> Product {
        let mut product = Product::default();
        group.iter().for_each(|&factor| product.add(factor));
        product
    }

    fn add(&mut self, factor: Real) {
        self.value *= factor.value;
        self.most *= factor.value.abs() + factor.bound;
        self.factors += 1.0;
        self.integral &= factor.value.fract() == 0.0;
    }

    /// Integers that fit multiply without an error, else each factor may bring one.
    pub fn finish(&self, dtype: Dtype) -> Real {
        let exact = self.factors <= 1.0 || (self.integral && self.value.abs() <= 2.0 / dtype.epsilon());
        let own = if exact { 0.0 } else { self.factors * self.value.abs() };
        Real::rounded(self.value, self.most - self.value.abs(), own, dtype)
    }
}

/// `any`: whether an element is not zero; over all dimensions where none is given, over none where the list
/// is empty.
///
/// # Errors
/// When the memory cannot be had.
pub fn any(tensor: &Tensor, dims: Option<&[i64]>, keepdim: bool) -> Result<Tensor> {
    truth(tensor, dims, keepdim, |group| group.iter().any(|&element| element != 0))
}

/// `all`: whether no element is zero; dimensions as for [`any`].
///
/// # Errors
/// As [`any`].
pub fn all(tensor: &Tensor, dims: Option<&[i64]>, keepdim: bool) -> Result<Tensor> {
    truth(tensor, dims, keepdim, |group| group.iter().all(|&element| element != 0))
}

fn truth(
    tensor: &Tensor,
    dims: Option<&[i64]>,
    keepdim: bool,
    holds: impl Fn(&[i64]) -> bool,
) -> Result<Tensor> {
    let reduced = match dims {
        Some(dims) => wrap_dims(dims, tensor.rank())?,
        None => vec![true; tensor.rank()],
    };
    let result = if tensor.dtype() == Dtype::U8 { Dtype::U8 } else { Dtype::Bool };
    let real = |_: &[Real]| unreachable!("truth values are no floats");
    let int = |group: &[i64]| i64::from(holds(group));
    reduce(tensor, &reduced, keepdim, Dtype::Bool, result, "any_cpu", real, int)
}

pub(super) fn total(group: &[Real]) -> Accumulator {
    let mut sum = Accumulator::default();
    group.iter().for_each(|&term| sum.add(term));
    sum
}

pub(super) fn all_if_empty(dims: Option<&[i64]>, tensor: &Tensor) -> Result<Vec<bool>> {
    match dims {
        Some(dims) if !dims.is_empty() => wrap_dims(dims, tensor.rank()),
        _ => Ok(vec![true; tensor.rank()]),
    }
}

/// One result for each group of elements that differ in reduced dimensions only; elements are converted to
/// `compute`.
#[expect(
    clippy::too_many_arguments,
    reason = "what a reduction is: source, dimensions, dtypes, two functions"
)]
pub(super) fn reduce(
    tensor: &Tensor,
    reduced: &[bool],
    keepdim: bool,
    compute: Dtype,
    result: Dtype,
    kernel: &str,
    real: impl Fn(&[Real]) -> Real,
    int: impl Fn(&[i64]) -> i64,
) -> Result<Tensor> {
    let groups = Groups::new(tensor, reduced)?;
    let out = Tensor::zeros(result, &groups.sizes(tensor, keepdim))?;
    let results = match elements(&groups.ordered, compute, kernel)? {
        Elements::Real(elements) => Elements::Real(groups.map(&elements, real)),
        Elements::Int(elements) => Elements::Int(groups.map(&elements, int)),
        Elements::Complex(_) => return Err(Error::not_implemented(kernel, compute)),
    };
    store(&out, &results, compute);
    Ok(out)
}

/// A tensor seen with its reduced dimensions innermost.
pub(super) struct Groups {
    /// The sizes that stay.
    pub kept: Vec<i64>,
    /// The tensor, kept dimensions first.
    pub ordered: Tensor,
    /// The number of elements of a group.
    pub size: usize,
    /// Which dimensions go.
    reduced: Vec<bool>,
}

impl Groups {
    pub fn new(tensor: &Tensor, reduced: &[bool]) -> Result<Groups> {
        let dims = |gone: bool| (0..tensor.rank()).filter(move |&dim| reduced[dim] == gone);
        let order: Vec<i64> = dims(false).chain(dims(true)).map(|dim| dim as i64).collect();
        let ordered = super::views::permute(tensor, &order)?;
        let kept: Vec<i64> = dims(false).map(|dim| tensor.sizes()[dim]).collect();
        let inner = &ordered.sizes()[kept.len()..];
        let size = Offsets::new(inner, &vec![0; inner.len()], 0).len();
        Ok(Groups { kept, ordered, size, reduced: reduced.to_vec() })
    }

    /// The sizes of what has a result for each group.
    pub fn sizes(&self, tensor: &Tensor, keepdim: bool) -> Vec<i64> {
        if !keepdim {
            return self.kept.clone();
        }
        tensor.sizes().iter().zip(&self.reduced).map(|(&size, &gone)| if gone { 1 } else { size }).collect()
    }

    /// The number of groups.
    pub fn count(&self) -> usize {
        Offsets::new(&self.kept, &vec![0; self.kept.len()], 0).len()
    }

    /// A result for each group.
    pub fn map<T, R>(&self, elements: &[T], function: impl Fn(&[T]) -> R) -> Vec<R> {
        (0..self.count()).map(|group| function(&elements[group * self.size..][..self.size])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_tensor::Scalar;

    fn floats(sizes: &[i64], elements: &[f64]) -> Tensor {
        Tensor::from_elements(Dtype::F32, sizes, elements).unwrap()
    }

    #[track_caller]
    fn is(result: Result<Tensor>, dtype: Dtype, sizes: &[i64], elements: &[f64]) {
        let result = result.unwrap();
        assert_eq!((result.dtype(), result.sizes()), (dtype, sizes));
        assert_eq!(
            result.to_vec(),
            elements.iter().map(|&e| Scalar::Float(e).cast(dtype)).collect::<Vec<_>>()
        );
    }

    #[test]
    fn groups_are_those_of_the_kept_dimensions() {
        let x = floats(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.5, 5.0]);
        is(sum(&x, Some(&[0]), false, None), Dtype::F32, &[3], &[3.0, 5.5, 7.0]);
        is(sum(&x, Some(&[-1]), true, None), Dtype::F32, &[2, 1], &[3.0, 12.5]);
        is(sum(&x, Some(&[]), true, None), Dtype::F32, &[1, 1], &[15.5]);
        is(sum(&x, None, false, Some(Dtype::I32)), Dtype::I32, &[], &[15.0]);
        is(mean(&x, Some(&[0, 1]), false, Some(Dtype::F64)), Dtype::F64, &[], &[15.5 / 6.0]);
        is(amax(&x, &[], false), Dtype::F32, &[], &[5.0]);
        is(any(&x, Some(&[1]), false), Dtype::Bool, &[2], &[1.0, 1.0]);
        is(any(&x, Some(&[]), false), Dtype::Bool, &[2, 3], &[0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn empty_groups() {
        let x = floats(&[0, 3], &[]);
        is(sum(&x, Some(&[0]), false, None), Dtype::F32, &[3], &[0.0; 3]);
        assert!(mean(&x, None, false, None).unwrap().get(&[]).unwrap().to_f64().is_nan());
        is(any(&x, None, false), Dtype::Bool, &[], &[0.0]);
        is(amax(&x, &[1], false), Dtype::F32, &[0], &[]);
    }
}
