//! Recurrent networks, unrolled over the sequence: the gates of all inputs are one product, those of the state a product a step.

use super::operators::{Lowered, Lowering};
use crate::functional::{Writer, Written};
use melior::ir::Value;
use terrace_dialects::{attributes as convert, ops::functional as f, pass::Failure, view};

/// The `number`-th of `count` equal parts of the last dimension.
fn part<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>, number: i64, count: i64) -> Written<'c, 'a> {
    let sizes = w.sizes(x)?;
    let size = sizes[sizes.len() - 1] / count;
    let (dim, l) = (Some(sizes.len() as i64 - 1), w.location());
    let (start, end) = (number * size, (number + 1) * size);
    w.value(f::slice(l, x, dim, &[], &[start], &[], &[end], &[], &[1]))
}

/// One index of the first dimension.
fn at<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>, index: i64) -> Written<'c, 'a> {
    w.value(f::select(w.location(), x, Some(0), &[], &[index]))
}

/// Tensors stacked along a new first dimension.
fn stacked<'c, 'a>(w: Writer<'c, 'a>, all: &[Value<'c, 'a>]) -> Written<'c, 'a> {
    let mut raised = vec![];
    for x in all {
        raised.push(w.view(*x, &[&[1], &w.sizes(*x)?[..]].concat())?);
    }
    w.value(f::cat(w.location(), &raised, Some(0)))
}

/// The states after a step, from the gates of input and state.
fn step<'c, 'a>(
    w: Writer<'c, 'a>,
    cell: &str,
    x: Value<'c, 'a>,
    h: Value<'c, 'a>,
    states: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let (sigmoid, tanh) = (|x| w.unary(f::sigmoid, x), |x| w.unary(f::tanh, x));
    let mul = |a, b| w.binary(f::mul, a, b);
    let add = |a, b| w.binary(f::add, a, b);
    Ok(match cell {
        "lstm.input" => {
            let gates = add(x, h)?;
            let gate = |number| part(w, gates, number, 4);
            let kept = mul(sigmoid(gate(1)?)?, states[1])?;
            let cell = add(kept, mul(sigmoid(gate(0)?)?, tanh(gate(2)?)?)?)?;
            vec![mul(sigmoid(gate(3)?)?, tanh(cell)?)?, cell]
        }
        "gru.input" => {
            let gate = |number| add(part(w, x, number, 3)?, part(w, h, number, 3)?);
            let (reset, update) = (sigmoid(gate(0)?)?, sigmoid(gate(1)?)?);
            let new = tanh(add(part(w, x, 2, 3)?, mul(reset, part(w, h, 2, 3)?)?)?)?;
            vec![add(new, mul(update, w.binary(f::sub, states[0], new)?)?)?]
        }
        "rnn_tanh.input" => vec![tanh(add(x, h)?)?],
        _ => vec![w.unary(f::relu, add(x, h)?)?],
    })
}

/// `lstm`, `gru`, `rnn_tanh` and `rnn_relu`: the output, and the last states.
pub fn recurrent<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let cell = l.base_name();
    let flag = |name: &str| view::attribute(l.op, name).is_some_and(convert::bool);
    let (biases, both, batch_first) = (flag("has_biases"), flag("bidirectional"), flag("batch_first"));
    let all = |l: &mut Lowering<'_, 'c, 'a>, place| -> Result<Vec<Value<'c, 'a>>, Failure> {
        view::variadic(l.op, l.op_impl, place).into_iter().map(|value| l.read(value)).collect()
    };
    let (mut input, states, params) = (l.read(l.operand(0))?, all(l, 1)?, all(l, 2)?);
    let w: Writer = **l.values;
    if batch_first {
        input = w.permute(input, &[1, 0, 2])?;
    }
    let length = w.sizes(input)?[0];
    let directions = if both { 2 } else { 1 };
    let groups: Vec<&[Value]> = params.chunks(if biases { 4 } else { 2 }).collect();
    let mut last: Vec<Vec<Value>> = vec![vec![]; states.len()];
    for (layer, group) in groups.chunks(directions).enumerate() {
        let mut outputs = vec![];
        for (direction, params) in group.iter().enumerate() {
            let bias = |place: usize| params.get(place).copied();
            let gates = w.value(f::linear(w.location(), input, params[0], bias(2)))?;
            let number = (layer * directions + direction) as i64;
            let mut own = vec![];
            for state in &states {
                own.push(at(w, *state, number)?);
            }
            let mut steps = vec![None; length as usize];
            for t in 0..length {
                let t = if direction == 0 { t } else { length - 1 - t };
                let h = w.value(f::linear(w.location(), own[0], params[1], bias(3)))?;
                own = step(w, cell, at(w, gates, t)?, h, &own)?;
                steps[t as usize] = Some(own[0]);
            }
            outputs.push(stacked(w, &steps.into_iter().flatten().collect::<Vec<_>>())?);
            last.iter_mut().zip(own).for_each(|(all, state)| all.push(state));
        }
        input = match outputs.as_slice() {
            [one] => *one,
            several => w.value(f::cat(w.location(), several, Some(-1)))?,
        };
    }
    let mut results = vec![if batch_first { w.permute(input, &[1, 0, 2])? } else { input }];
    for states in last {
        results.push(stacked(w, &states)?);
    }
    Ok(results)
}
