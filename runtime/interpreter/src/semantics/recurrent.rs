//! Recurrent networks over whole sequences: `lstm`, `gru`, `rnn_tanh` and `rnn_relu`, step by step.
//!
//! With the gates of the input `x` and of the state `h`, each a product with its weights and a bias:
//!
//! * lstm: input, forget, cell and output gates `i f g o`; `c = sigmoid(f) * c + sigmoid(i) * tanh(g)`, `h = sigmoid(o) * tanh(c)`;
//! * gru: `r z n`; `r = sigmoid(rx + rh)`, `z = sigmoid(zx + zh)`, `n = tanh(nx + r * nh)`, `h = n + z * (h - n)`;
//! * rnn: `h = tanh(x + h)`, or the part of it above 0.

use terrace_tensor::{DType, Tensor};

use super::elements::{reals, store_reals};
use super::error::Result;
use super::real::Real;
use super::term::Term;
use super::views;

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

/// Rows of a matrix.
type Rows = Vec<Vec<Term>>;

/// Weights and bias of gates.
struct Linear {
    weight: Rows,
    bias: Option<Vec<Term>>,
}

impl Linear {
    fn of(weight: &Tensor, bias: Option<&Tensor>, dtype: DType) -> Linear {
        let width = weight.sizes()[1] as usize;
        let all = terms(weight, dtype);
        let weight =
            (0..weight.sizes()[0] as usize).map(|row| all[row * width..][..width].to_vec()).collect();
        Linear { weight, bias: bias.map(|bias| terms(bias, dtype)) }
    }

    fn apply(&self, x: &[Term], dtype: DType) -> Vec<Term> {
        let gate = |(number, row): (usize, &Vec<Term>)| {
            let products: Vec<Term> = row.iter().zip(x).map(|(&w, &x)| w * x).collect();
            let sum = Term::sum(&products, dtype);
            self.bias.as_ref().map_or(sum, |bias| sum + bias[number])
        };
        self.weight.iter().enumerate().map(gate).collect()
    }
}

fn terms(tensor: &Tensor, dtype: DType) -> Vec<Term> {
    reals(tensor, dtype).into_iter().map(|real| Term::of(real, dtype)).collect()
}

/// The states after a step of one sample.
fn step(cell: Cell, x: &[Term], h: &[Term], states: &[Vec<Term>], dtype: DType) -> Vec<Vec<Term>> {
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
    let dtype = input.dtype();
    let input = if how.batch_first { views::transpose(input, 0, 1)? } else { input.clone() };
    let [length, batch, features] = [0, 1, 2].map(|d| input.sizes()[d] as usize);
    let hidden = states[0].sizes()[2] as usize;
    let all = terms(&input, dtype);
    // By step, then by sample.
    let mut sequence: Vec<Rows> = (0..length)
        .map(|t| (0..batch).map(|b| all[(t * batch + b) * features..][..features].to_vec()).collect())
        .collect();
    let initial: Vec<Vec<Term>> = states.iter().map(|state| terms(state, dtype)).collect();
    let mut last: Vec<Vec<Term>> = vec![Vec::new(); states.len()];
    let directions = if how.bidirectional { 2 } else { 1 };
    let groups: Vec<&[&Tensor]> = params.chunks(if how.biases { 4 } else { 2 }).collect();
    for (layer, group) in groups.chunks(directions).enumerate() {
        let mut next: Vec<Rows> = vec![vec![Vec::new(); batch]; length];
        for (direction, params) in group.iter().enumerate() {
            let bias = |at: usize| params.get(at).copied();
            let of_input = Linear::of(params[0], bias(2), dtype);
            let of_state = Linear::of(params[1], bias(3), dtype);
            let number = layer * directions + direction;
            let mut finals = vec![vec![Vec::new(); batch]; states.len()];
            for sample in 0..batch {
                let of = |state: &Vec<Term>| state[(number * batch + sample) * hidden..][..hidden].to_vec();
                let mut own: Vec<Vec<Term>> = initial.iter().map(of).collect();
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
    let sizes = [length as i64, batch as i64, (hidden * directions) as i64];
    let output = stored(dtype, &sizes, sequence.concat().concat())?;
    let mut results = vec![if how.batch_first { views::transpose(&output, 0, 1)? } else { output }];
    for (state, last) in states.iter().zip(last) {
        results.push(stored(dtype, state.sizes(), last)?);
    }
    Ok(results)
}

fn stored(dtype: DType, sizes: &[i64], terms: Vec<Term>) -> Result<Tensor> {
    let out = Tensor::zeros(dtype, sizes)?;
    let all: Vec<Real> = terms.into_iter().map(Term::finish).collect();
    store_reals(&out, &all, dtype);
    Ok(out)
}
