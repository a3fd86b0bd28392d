//! Operators of graph that draw from the generator, and dropout.

use super::reshaping::format;
use crate::{
    machine::{Flow, Integers, Op, Table},
    semantics::{
        Result,
        random::{self, Draws},
        reshaping::Format,
    },
};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Dtype, Scalar, Tensor};

pub(super) fn register(table: &mut Table) {
    sized(table);
    like(table);
    in_place(table);
    dropouts(table);
    state(table);
    functional(table);
    table.graph("randperm", |op| {
        let (n, dtype) = (op.int("n")?, op.result_kind(0)?.dtype);
        op.value(move |_| random::randperm(Draws::next(), n, dtype))
    });
    table.graph("bernoulli", |op| {
        let x = op.tensor(0);
        op.value(move |f| random::bernoulli(Draws::next, f.tensor(x)))
    });
    table.graph("bernoulli.p", |op| {
        let (x, p) = (op.tensor(0), float(op, "p", 0.5));
        op.value(move |f| {
            random::bernoulli_(Draws::next(), &Tensor::zeros(f.tensor(x).dtype(), f.tensor(x).sizes())?, p)
        })
    });
    table.graph("multinomial", |op| {
        let (x, count, replacement) = (op.tensor(0), op.int("num_samples")?, op.flag("replacement"));
        op.value(move |f| random::multinomial(Draws::next(), f.tensor(x), count, replacement))
    });
}

/// The state of the generator: its numbers are i64 of the same bits.
fn state(table: &mut Table) {
    table.graph("generator_state", |op| {
        let results = op.results();
        Ok(Box::new(move |_, frame| {
            let (seed, drawn) = random::state();
            frame.set_all(&results, &[seed, drawn].map(|word| Scalar::Int(word as i64).into()));
            Ok(Flow::Next)
        }))
    });
    table.graph("set_generator_state", |op| {
        let (seed, drawn) = (op.operand(0), op.operand(1));
        Ok(Box::new(move |_, frame| {
            random::set_state((frame.scalar(seed).to_i64() as u64, frame.scalar(drawn).to_i64() as u64));
            Ok(Flow::Next)
        }))
    });
    table.graph("skip_draws", |op| {
        let count = op.int("count")? as u64;
        Ok(Box::new(move |_, _| {
            random::skip(count);
            Ok(Flow::Next)
        }))
    });
}

fn float(op: &Op, name: &str, default: f64) -> f64 {
    op.attribute(name).map_or(default, attributes::f64)
}

/// What is drawn into a new tensor.
#[derive(Clone, Copy)]
enum Draw {
    Uniform(f64, f64),
    Normal(f64, f64),
    Integers(i64, i64),
}

impl Draw {
    fn of(op: &Op, name: &str) -> std::result::Result<Draw, String> {
        Ok(match name.trim_end_matches("_like") {
            "rand" => Draw::Uniform(0.0, 1.0),
            "randn" => Draw::Normal(0.0, 1.0),
            _ => Draw::Integers(op.int_or("low", 0), op.int("high")?),
        })
    }

    fn fill(self, draws: Draws, tensor: &Tensor) -> Result<Tensor> {
        match self {
            Draw::Uniform(from, to) => random::uniform_(draws, tensor, from, to),
            Draw::Normal(mean, std) => random::normal_(draws, tensor, mean, std),
            Draw::Integers(low, high) => random::integers_(draws, tensor, low, high),
        }
    }
}

fn sized(table: &mut Table) {
    for name in ["rand", "randn", "randint", "randint.low"] {
        table.graph(name, move |op| {
            let (draw, kind): (Draw, _) = (Draw::of(op, name)?, op.result_kind(0)?);
            let sizes: Integers = op.dynamic_ints("size", 0)?;
            op.value(move |f| draw.fill(Draws::next(), &Tensor::zeros(kind.dtype, &sizes.get(f))?))
        });
    }
}

fn like(table: &mut Table) {
    for name in ["rand_like", "randn_like", "randint_like", "randint_like.low_dtype"] {
        table.graph(name, move |op| {
            let (draw, dtype): (Draw, Dtype) = (Draw::of(op, name)?, op.result_kind(0)?.dtype);
            let (x, format) = (op.tensor(0), format(op, Format::Preserve)?);
            op.value(move |f| {
                let strides = format.of_copy(f.tensor(x));
                draw.fill(Draws::next(), &Tensor::zeros_strided(dtype, f.tensor(x).sizes(), &strides)?)
            })
        });
    }
}

fn in_place(table: &mut Table) {
    table.graph("uniform_", |op| {
        let (x, from, to) = (op.tensor(0), float(op, "from", 0.0), float(op, "to", 1.0));
        op.value(move |f| random::uniform_(Draws::next(), f.tensor(x), from, to))
    });
    table.graph("normal_", |op| {
        let (x, mean, std) = (op.tensor(0), float(op, "mean", 0.0), float(op, "std", 1.0));
        op.value(move |f| random::normal_(Draws::next(), f.tensor(x), mean, std))
    });
    table.graph("bernoulli_", |op| {
        let (x, p) = (op.tensor(0), float(op, "p", 0.5));
        op.value(move |f| random::bernoulli_(Draws::next(), f.tensor(x), p))
    });
}

fn dropouts(table: &mut Table) {
    table.graph("dropout", |op| {
        let (x, p, train) = (op.tensor(0), float(op, "p", 0.5), op.flag("train"));
        op.value(move |f| random::dropout(f.tensor(x), p, train))
    });
    table.graph("dropout_", |op| {
        let (x, p, train) = (op.tensor(0), float(op, "p", 0.5), op.flag("train"));
        op.value(move |f| random::dropout_(f.tensor(x), p, train))
    });
    table.graph("native_dropout", |op| {
        let (x, p) = (op.tensor(0), float(op, "p", 0.5));
        let train = op.attribute("train").is_none_or(attributes::bool);
        op.values(move |f| random::native_dropout(f.tensor(x), p, train))
    });
}

/// The draws of a state that is a value.
fn of(state: &Tensor) -> Draws {
    let [seed, drawn] = [0, 1].map(|at| state.read(state.offset() + at * state.strides()[0]).to_i64() as u64);
    Draws::of((seed, drawn))
}

/// The functional forms, of a state that is a value. Those of sizes have them in the type of the result.
fn functional(table: &mut Table) {
    for name in ["random_uniform", "random_normal", "random_integers", "randperm"] {
        table.functional(name, move |op| {
            let draw = match name {
                "random_uniform" => Some(Draw::Uniform(float(op, "from", 0.0), float(op, "to", 1.0))),
                "random_normal" => Some(Draw::Normal(float(op, "mean", 0.0), float(op, "std", 1.0))),
                "random_integers" => Some(Draw::Integers(op.int("low")?, op.int("high")?)),
                _ => None,
            };
            let (state, kind) = (op.tensor(0), op.result_kind(0)?);
            let sizes = Integers::new(&kind.sizes, &op.list(1))?;
            op.value(move |f| {
                let (draws, sizes) = (of(f.tensor(state)), sizes.get(f));
                match draw {
                    Some(draw) => draw.fill(draws, &Tensor::zeros(kind.dtype, &sizes)?),
                    None => random::randperm(draws, sizes[0], kind.dtype),
                }
            })
        });
    }
    table.functional("bernoulli", |op| {
        let (x, state) = (op.tensor(0), op.tensor(1));
        op.value(move |f| random::bernoulli(|| of(f.tensor(state)), f.tensor(x)))
    });
    table.functional("multinomial", |op| {
        let (x, state, count, replacement) =
            (op.tensor(0), op.tensor(1), op.int("num_samples")?, op.flag("replacement"));
        op.value(move |f| random::multinomial(of(f.tensor(state)), f.tensor(x), count, replacement))
    });
    table.functional("skip_draws", |op| {
        let (state, count) = (op.tensor(0), op.int("count")?);
        op.value(move |f| {
            let state = f.tensor(state);
            let word = |at: i64| state.read(state.offset() + at * state.strides()[0]).to_i64();
            Ok(Tensor::from_elements(Dtype::I64, &[2], &[word(0), word(1).wrapping_add(count)])?)
        })
    });
}
