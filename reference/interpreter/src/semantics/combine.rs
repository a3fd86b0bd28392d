//! Elements that come to one place, combined.

use super::{
    elements::{self, Elements},
    error::{Error, Result},
    real::{Accumulator, Real},
    reduction::{Product, complex_products},
};
use std::collections::BTreeMap;
use terrace_tensor::{Dtype, Scalar, Tensor};

/// What becomes of an element that others come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The last of them.
    Replace,
    /// The sum.
    Sum,
    /// The product.
    Product,
    /// The sum over their number, rounded down where they are integers.
    Mean,
    /// The largest; nan if there is one.
    Max,
    /// The smallest; nan if there is one.
    Min,
}

impl Combine {
    /// By the name that `scatter_reduce` has for it.
    ///
    /// # Errors
    /// When it has none.
    pub fn of_name(name: &str) -> Result<Combine> {
        Ok(match name {
            "sum" => Combine::Sum,
            "prod" => Combine::Product,
            "mean" => Combine::Mean,
            "amax" | "max" => Combine::Max,
            "amin" | "min" => Combine::Min,
            _ => {
                return Err(Error::new(format!(
                    "reduce argument must be either sum, prod, mean, amax or amin, got {name}"
                )));
            }
        })
    }

    fn of_reals(self, group: &[Real], dtype: Dtype) -> Real {
        let sum = || {
            let mut sum = Accumulator::default();
            group.iter().for_each(|&term| sum.add(term));
            sum.finish(dtype)
        };
        let extreme = |before: fn(f64, f64) -> bool| {
            let of_two = |a: Real, b: Real| if a.value.is_nan() || before(a.value, b.value) { a } else { b };
            group.iter().copied().reduce(of_two).unwrap_or_default()
        };
        match self {
            Combine::Replace => group.last().copied().unwrap_or_default(),
            Combine::Sum => sum(),
            Combine::Product => Product::of(group).finish(dtype),
            Combine::Mean => {
                let (sum, count) = (sum(), group.len() as f64);
                let value = sum.value / count;
                let exact = dtype.round(value) == value;
                Real::rounded(value, sum.bound / count, if exact { 0.0 } else { value.abs() }, dtype)
            }
            Combine::Max => extreme(|a, b| a > b),
            Combine::Min => extreme(|a, b| a < b),
        }
    }

    fn of_complex(self, group: &[[Real; 2]], dtype: Dtype) -> [Real; 2] {
        if self == Combine::Product {
            return complex_products(group, dtype).last().copied().unwrap_or_default();
        }
        [0, 1].map(|part| {
            let group: Vec<Real> = group.iter().map(|pair| pair[part]).collect();
            self.of_reals(&group, dtype.part())
        })
    }

    fn of_ints(self, group: &[i64], dtype: Dtype) -> i64 {
        let all = group.iter().copied();
        let is_bool = dtype == Dtype::Bool;
        let sum = || Scalar::Int(all.clone().fold(0, i64::wrapping_add)).cast(dtype).to_i64();
        match self {
            Combine::Replace => all.last(),
            Combine::Sum if is_bool => all.max(),
            Combine::Product if is_bool => all.min(),
            Combine::Sum => Some(sum()),
            Combine::Product => Some(all.fold(1, i64::wrapping_mul)),
            Combine::Mean => Some(sum().div_euclid(group.len() as i64)),
            Combine::Max => all.max(),
            Combine::Min => all.min(),
        }
        .unwrap_or_default()
    }
}

/// Combines elements of the dtype of `into` with those at their places; `own` says whether what is there
/// counts.
pub(super) fn combine(into: &Tensor, places: &[i64], values: &Elements, how: Combine, own: bool) {
    let mut groups: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (number, place) in places.iter().enumerate() {
        groups.entry(*place).or_default().push(number);
    }
    let dtype = into.dtype();
    for (place, members) in groups {
        match values {
            Elements::Real(values) => {
                let there = Real { value: into.read(place).to_f64(), bound: into.bound(place) };
                let group: Vec<Real> =
                    own.then_some(there).into_iter().chain(members.iter().map(|&n| values[n])).collect();
                let real = how.of_reals(&group, dtype);
                elements::write(into, place, Scalar::Float(real.value), real.bound, dtype);
            }
            Elements::Complex(values) => {
                let (re, im) = into.read(place).to_complex();
                let there = [re, im].map(|value| Real { value, bound: into.bound(place) });
                let group: Vec<[Real; 2]> =
                    own.then_some(there).into_iter().chain(members.iter().map(|&n| values[n])).collect();
                let [re, im] = how.of_complex(&group, dtype);
                let bound = re.bound.max(im.bound);
                elements::write(into, place, Scalar::Complex(re.value, im.value), bound, dtype);
            }
            Elements::Int(values) => {
                let there = into.read(place).to_i64();
                let group: Vec<i64> =
                    own.then_some(there).into_iter().chain(members.iter().map(|&n| values[n])).collect();
                into.write(place, Scalar::Int(how.of_ints(&group, dtype)));
            }
        }
    }
}
