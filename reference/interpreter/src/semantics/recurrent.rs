//! Recurrent networks over whole sequences: `lstm`, `gru`, `rnn_tanh` and `rnn_relu`, step by step.
//!
//! With the gates of the input `x` and of the state `h`, each a product with its weights and a bias:
//!
//! * lstm: input, forget, cell and output gates `i f g o`; `c = sigmoid(f) * c + sigmoid(i) * tanh(g)`, `h =
//!   sigmoid(o) * tanh(c)`;
//! * gru: `r z n`; `r = sigmoid(rx + rh)`, `z = sigmoid(zx + zh)`, `n = tanh(nx + r * nh)`, `h = n + z * (h -
//!   n)`;
//! * rnn: `h = tanh(x + h)`, or the part of it above 0.

use super::{
    elements::{ints, reals, store_reals},
    error::{Result, ensure},
    real::Real,
    term::Term,
    views,
};
use terrace_tensor::{Dtype, Tensor};

/// What a step does.
#[derive(Clone, Copy, PartialEq)]
pub enum Cell {
    /// Four gates, two states.
    Lstm,
    /// Three gates.
    Gru,
    /// The hyperbolic tangent.
    Tanh,
    /// What is above 0.
    Relu,
}

/// A network.
#[derive(Clone, Copy)]
pub struct Network {
    /// What a step does.
    pub cell: Cell,
    /// Whether gates have biases.
    pub biases: bool,
    /// Whether each layer walks in both directions.
    pub bidirectional: bool,
    /// Whether the batch stands before the steps.
    pub batch_first: bool,
}

impl Network {
    fn directions(self) -> usize {
        if self.bidirectional { 2 } else { 1 }
    }
}

/// Rows of a matrix.
type Rows = Vec<Vec<Term>>;

/// Weights and bias of gates.
struct Linear {
    weight: Rows,
    bias: Option<Vec<Term>>,
}

impl Linear {
    fn of(weight: &Tensor, bias: Option<&Tensor>, dtype: Dtype) -> Linear {
        let width = weight.sizes()[1] as usize;
        let all = terms(weight, dtype);
        let weight =
            (0..weight.sizes()[0] as usize).map(|row| all[row * width..][..width].to_vec()).collect();
        Linear { weight, bias: bias.map(|bias| terms(bias, dtype)) }
    }

    fn apply(&self, x: &[Term], dtype: Dtype) -> Vec<Term> {
        let gate = |(number, row): (usize, &Vec<Term>)| {
            let products: Vec<Term> = row.iter().zip(x).map(|(&w, &x)| w * x).collect();
            let sum = Term::sum(&products, dtype);
            self.bias.as_ref().map_or(sum, |bias| sum + bias[number])
        };
        self.weight.iter().enumerate().map(gate).collect()
    }
}

fn terms(tensor: &Tensor, dtype: Dtype) -> Vec<Term> {
    reals(tensor, dtype).into_iter().map(|real| Term::of(real, dtype)).collect()
}

/// The states after a step of one sample.
fn step(cell: Cell, x: &[Term], h: &[Term], states: &[Vec<Term>], dtype: Dtype) -> Vec<Vec<Term>> {
    let size = states[0].len();
    let gate = |number: usize, at: usize| x[number * size + at] + h[number * size + at];
    let zero = Term::number(0.0, dtype);
    match cell {
        Cell::Lstm => {
            let cells: Vec<Term> = (0..size)
                .map(|at| {
                    let kept = gate(1, at).sigmoid() * states[1][at];
                    kept + gate(0, at).sigmoid() * gate(2, at).tanh()
                })
                .collect();
            vec![(0..size).map(|at| gate(3, at).sigmoid() * cells[at].tanh()).collect(), cells]
        }
        Cell::Gru => {
            let one = |at: usize| {
                let (reset, update) = (gate(0, at).sigmoid(), gate(1, at).sigmoid());
                let new = (x[2 * size + at] + reset * h[2 * size + at]).tanh();
                new + update * (states[0][at] - new)
            };
            vec![(0..size).map(one).collect()]
        }
        Cell::Tanh => vec![(0..size).map(|at| gate(0, at).tanh()).collect()],
        Cell::Relu => vec![(0..size).map(|at| Term::max(gate(0, at), zero)).collect()],
    }
}

/// The output, and the last states: [T, B, D * H] or batch first, and one or two of [L * D, B, H].
///
/// # Errors
/// When there is no memory for the results.
pub fn recurrent(
    input: &Tensor,
    states: &[&Tensor],
    params: &[&Tensor],
    how: Network,
) -> Result<Vec<Tensor>> {
    let input = if how.batch_first { views::transpose(input, 0, 1)? } else { input.clone() };
    let (length, batch) = (input.sizes()[0], input.sizes()[1]);
    let (sequence, last) = unrolled(&input, &vec![batch; length as usize], states, params, how)?;
    let width = states[0].sizes()[2] * how.directions() as i64;
    let output = stored(input.dtype(), &[length, batch, width], sequence)?;
    let output = if how.batch_first { views::transpose(&output, 0, 1)? } else { output };
    Ok([vec![output], last].concat())
}

/// The same of packed sequences [N, features], of which `counts`, a vector, says how many have each step: the
/// output is [N, D * H].
///
/// # Errors
/// When the counts grow or do not add up to the number of rows, and as [`recurrent`].
pub fn recurrent_packed(
    data: &Tensor,
    counts: &Tensor,
    states: &[&Tensor],
    params: &[&Tensor],
    how: Network,
) -> Result<Vec<Tensor>> {
    let (rows, batch) = (data.sizes()[0], states[0].sizes()[1]);
    let counts = ints(counts, Dtype::I64);
    let descends = counts.windows(2).all(|pair| pair[0] >= pair[1]) && counts.iter().all(|n| *n > 0);
    ensure!(
        descends && counts.first() == Some(&batch) && counts.iter().sum::<i64>() == rows,
        "expects batch sizes that do not grow from {batch} on and add up to {rows}, got {counts:?}"
    );
    let (sequence, last) = unrolled(data, &counts, states, params, how)?;
    let output = stored(data.dtype(), &[rows, states[0].sizes()[2] * how.directions() as i64], sequence)?;
    Ok([vec![output], last].concat())
}

/// The output of all steps, one after another, and the last states; `counts` says how many samples have each
/// step.
fn unrolled(
    input: &Tensor,
    counts: &[i64],
    states: &[&Tensor],
    params: &[&Tensor],
    how: Network,
) -> Result<(Vec<Term>, Vec<Tensor>)> {
    let dtype = input.dtype();
    let features = input.sizes()[input.rank() - 1] as usize;
    let [batch, hidden] = [1, 2].map(|d| states[0].sizes()[d] as usize);
    let all = terms(input, dtype);
    // By step, then by sample.
    let mut rows = (0..).map(|row| all[row * features..][..features].to_vec());
    let mut sequence: Vec<Rows> =
        counts.iter().map(|&count| rows.by_ref().take(count as usize).collect()).collect();
    let initial: Vec<Vec<Term>> = states.iter().map(|state| terms(state, dtype)).collect();
    let mut last: Vec<Vec<Term>> = vec![Vec::new(); states.len()];
    let groups: Vec<&[&Tensor]> = params.chunks(if how.biases { 4 } else { 2 }).collect();
    for (layer, group) in groups.chunks(how.directions()).enumerate() {
        let mut next: Vec<Rows> = sequence.iter().map(|rows| vec![Vec::new(); rows.len()]).collect();
        for (direction, params) in group.iter().enumerate() {
            let bias = |at: usize| params.get(at).copied();
            let of_input = Linear::of(params[0], bias(2), dtype);
            let of_state = Linear::of(params[1], bias(3), dtype);
            let number = layer * how.directions() + direction;
            let mut finals = vec![vec![Vec::new(); batch]; states.len()];
            for sample in 0..batch {
                let of = |state: &Vec<Term>| state[(number * batch + sample) * hidden..][..hidden].to_vec();
                let mut own: Vec<Vec<Term>> = initial.iter().map(of).collect();
                let length = sequence.iter().filter(|rows| rows.len() > sample).count();
                for at in 0..length {
                    let at = if direction == 0 { at } else { length - 1 - at };
                    let x = of_input.apply(&sequence[at][sample], dtype);
                    let h = of_state.apply(&own[0], dtype);
                    own = step(how.cell, &x, &h, &own, dtype);
                    next[at][sample].extend(&own[0]);
                }
                for (kept, own) in finals.iter_mut().zip(own) {
                    kept[sample] = own;
                }
            }
            for (all, kept) in last.iter_mut().zip(finals) {
                all.extend(kept.concat());
            }
        }
        sequence = next;
    }
    let last = states.iter().zip(last).map(|(state, last)| stored(dtype, state.sizes(), last));
    Ok((sequence.concat().concat(), last.collect::<Result<_>>()?))
}

fn stored(dtype: Dtype, sizes: &[i64], terms: Vec<Term>) -> Result<Tensor> {
    let out = Tensor::zeros(dtype, sizes)?;
    let all: Vec<Real> = terms.into_iter().map(Term::finish).collect();
    store_reals(&out, &all, dtype);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_tensor::Scalar;

    #[test]
    fn batch_sizes_descend_from_the_batch_and_add_up_to_the_rows() {
        let zeros = |sizes: &[i64]| Tensor::zeros(Dtype::F32, sizes).unwrap();
        let (data, state) = (zeros(&[4, 3]), zeros(&[1, 2, 2]));
        let params = [zeros(&[2, 3]), zeros(&[2, 2])];
        let how = Network { cell: Cell::Tanh, biases: false, bidirectional: false, batch_first: false };
        let run = |sizes: &[i64]| {
            let counts = Tensor::zeros(Dtype::I64, &[sizes.len() as i64]).unwrap();
            sizes.iter().enumerate().for_each(|(at, &size)| counts.write(at as i64, Scalar::Int(size)));
            recurrent_packed(&data, &counts, &[&state], &[&params[0], &params[1]], how)
        };
        assert_eq!(run(&[2, 1, 1]).unwrap()[0].sizes(), [4, 2]);
        for wrong in [&[1, 2, 1][..], &[2, 1], &[2, 2, 0], &[1, 1, 1, 1], &[3, 1]] {
            let error = run(wrong).unwrap_err().to_string();
            assert!(
                error.contains("expects batch sizes that do not grow from 2 on and add up to 4"),
                "{error}"
            );
        }
    }
}
