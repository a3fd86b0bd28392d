//! Rows of a table reduced by bags: `_embedding_bag` and the gradient of the table.

use super::{
    elements::{ints, reals, store_ints, store_reals},
    error::{Error, Result, ensure},
    real::{Accumulator, Real},
    term::Term,
};
use terrace_tensor::{Dtype, Tensor};

/// How rows of a bag come together.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The largest of their elements.
    Max,
}

impl Mode {
    /// By its number in ATen, which the rule has checked.
    pub fn of(number: i64) -> Mode {
        [Mode::Sum, Mode::Mean, Mode::Max][number.clamp(0, 2) as usize]
    }
}

/// What bags are made of.
pub struct Bags<'t> {
    /// The rows, one after another.
    pub indices: &'t Tensor,
    /// Where each bag begins.
    pub offsets: &'t Tensor,
    /// Whether the last offset is where the last bag ends.
    pub last: bool,
    /// The row that counts for nothing.
    pub padding: Option<i64>,
}

impl Bags<'_> {
    /// The bag of each index, and the bags' number.
    fn of_indices(&self) -> Result<(Vec<i64>, Vec<i64>, usize)> {
        let (indices, offsets) = (ints(self.indices, Dtype::I64), ints(self.offsets, Dtype::I64));
        if let Some(&first) = offsets.first() {
            ensure!(
                first == 0,
                "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got {first}"
            );
        }
        let count = indices.len() as i64;
        if let Some(&end) = offsets.last() {
            ensure!(
                end <= count,
                "offsets[-1] can not be greater than input's length({count}) but got offsets[-1] of {end}"
            );
        }
        ensure!(
            offsets.windows(2).all(|pair| pair[0] <= pair[1]),
            "expects offsets that do not descend, got {offsets:?}"
        );
        let bags = offsets.len() - usize::from(self.last);
        let of = |at: i64| offsets[..bags].partition_point(|&start| start <= at) as i64 - 1;
        let of = (0..count).map(of).collect();
        Ok((indices, of, bags))
    }
}

/// The elements of a list of integers.
pub fn ints_of(tensor: &Tensor) -> Vec<i64> {
    ints(tensor, Dtype::I64)
}

/// `_embedding_bag`: the bags; which bag each index is of, but for sums that eager makes in one go; how many
/// indices each bag has but for sums, which do not count them, and without gradients have a zero for each
/// offset; where its largest elements came from.
///
/// # Errors
/// When an index is no row, or offsets are out of order.
pub fn embedding_bag(
    weight: &Tensor,
    bags: &Bags,
    mode: Mode,
    samples: Option<&Tensor>,
    for_gradients: bool,
) -> Result<[Tensor; 4]> {
    let dtype = weight.dtype();
    let known = mode != Mode::Sum || dtype == Dtype::F64 || bags.padding.is_some();
    let (rows, width) = (weight.sizes()[0], weight.sizes()[1] as usize);
    let (indices, of, count) = bags.of_indices()?;
    if let Some(wrong) = indices.iter().find(|index| !(0..rows).contains(*index)) {
        return Err(Error::new(format!(
            "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {wrong}"
        )));
    }
    let table = reals(weight, dtype);
    let samples = samples.map(|samples| reals(samples, dtype));
    let counts = |index: i64| bags.padding != Some(index);
    let (mut results, mut largest) = (Vec::new(), Vec::new());
    let mut sizes = vec![0; count];
    for (bag, size) in sizes.iter_mut().enumerate() {
        let own: Vec<usize> =
            (0..indices.len()).filter(|&at| of[at] == bag as i64 && counts(indices[at])).collect();
        if mode != Mode::Sum {
            *size = own.len() as i64;
        }
        for column in 0..width {
            let element = |at: usize| table[indices[at] as usize * width + column];
            if mode == Mode::Max {
                let best = own
                    .iter()
                    .copied()
                    .reduce(|best, at| if element(at).value > element(best).value { at } else { best });
                results.push(best.map_or(Real::exact(0.0), element));
                largest.push(best.map_or(0, |at| indices[at]));
                continue;
            }
            let mut sum = Accumulator::default();
            for &at in &own {
                match &samples {
                    Some(samples) => sum.add_product(element(at), samples[at]),
                    None => sum.add(element(at)),
                }
            }
            let sum = sum.finish(dtype);
            let size = Term::number(own.len() as f64, dtype);
            results.push(if mode == Mode::Mean && !own.is_empty() {
                (Term::of(sum, dtype) / size).finish()
            } else {
                sum
            });
        }
    }
    let both = (bags.indices.dtype(), bags.offsets.dtype());
    let index = if both.0 == both.1 { both.0 } else { Dtype::I64 };
    let list = |values: &[i64], sizes: &[i64]| -> Result<Tensor> {
        let out = Tensor::zeros(index, sizes)?;
        store_ints(&out, values);
        Ok(out)
    };
    let output = Tensor::zeros(dtype, &[count as i64, width as i64])?;
    store_reals(&output, &results, dtype);
    let of = if known { list(&of, &[of.len() as i64])? } else { list(&[], &[0])? };
    if mode == Mode::Sum && !for_gradients {
        sizes = vec![0; bags.offsets.len()];
    }
    let counted = list(&sizes, &[sizes.len() as i64])?;
    let largest = match mode {
        Mode::Max => list(&largest, &[count as i64, width as i64])?,
        _ => list(&sizes, &[sizes.len() as i64])?,
    };
    Ok([output, of, counted, largest])
}

/// What the gradient of a table is made of.
pub struct Gradient<'t> {
    /// The gradient of the bags.
    pub grad: &'t Tensor,
    /// The rows.
    pub indices: &'t Tensor,
    /// The bag of each index.
    pub of: Vec<i64>,
    /// How large the bags are.
    pub sizes: &'t Tensor,
    /// Where their largest elements came from.
    pub largest: &'t Tensor,
    /// Whether a row that is named often counts less.
    pub by_frequency: bool,
    /// The row that gets nothing.
    pub padding: Option<i64>,
}

/// `_embedding_bag_dense_backward`: a row per weight.
///
/// # Errors
/// When an index is no row, or names no bag.
pub fn embedding_bag_backward(
    rows: i64,
    g: &Gradient,
    mode: Mode,
    samples: Option<&Tensor>,
) -> Result<Tensor> {
    let dtype = g.grad.dtype();
    let (bags, width) = (g.grad.sizes()[0], g.grad.sizes()[1] as usize);
    let all = reals(g.grad, dtype);
    let (indices, sizes) = (ints(g.indices, Dtype::I64), ints(g.sizes, Dtype::I64));
    let inside = |index: i64, count: i64, what: &str| -> Result<usize> {
        ensure!((0..count).contains(&index), "expects {what} from 0 to {}, got {index}", count - 1);
        Ok(index as usize)
    };
    let mut sums = vec![Accumulator::default(); rows as usize * width];
    if mode == Mode::Max {
        let largest = ints(g.largest, Dtype::I64);
        ensure!(
            largest.len() == all.len(),
            "expects where each of {} elements came from, got {}",
            all.len(),
            largest.len()
        );
        for (at, &row) in largest.iter().enumerate() {
            if sizes.get(at / width).is_some_and(|&size| size > 0) {
                sums[inside(row, rows, "rows")? * width + at % width].add(all[at]);
            }
        }
    } else {
        let samples = samples.map(|samples| reals(samples, dtype));
        for (at, (&row, &bag)) in indices.iter().zip(&g.of).enumerate() {
            if g.padding == Some(row) {
                continue;
            }
            let (row, bag) = (inside(row, rows, "rows")?, inside(bag, bags, "bags")?);
            let mut scale =
                samples.as_ref().map_or(Term::number(1.0, dtype), |samples| Term::of(samples[at], dtype));
            if g.by_frequency {
                let often = indices.iter().filter(|&&other| other == row as i64).count();
                scale = scale / Term::number(often as f64, dtype);
            }
            if mode == Mode::Mean {
                let size = sizes.get(bag).copied().unwrap_or_default();
                scale = scale / Term::number(size as f64, dtype);
            }
            for column in 0..width {
                let own = Term::of(all[bag * width + column], dtype) * scale;
                sums[row * width + column].add(own.finish());
            }
        }
    }
    let out = Tensor::zeros(dtype, &[rows, width as i64])?;
    store_reals(&out, &sums.iter().map(|sum| sum.finish(dtype)).collect::<Vec<_>>(), dtype);
    Ok(out)
}

/// The bag of each of `count` indices, by where bags begin.
pub fn bags_by_offsets(offsets: &Tensor, count: i64) -> Vec<i64> {
    let offsets = ints(offsets, Dtype::I64);
    (0..count).map(|at| offsets.partition_point(|&start| start <= at) as i64 - 1).collect()
}
