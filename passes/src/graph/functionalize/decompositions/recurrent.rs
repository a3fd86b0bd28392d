//! Recurrent networks, as a loop over the sequence that carries the states: the gates of all inputs are one
//! product in front of it, those of the state a product a step. So the code does not grow with the sequence.

use super::lowering::{Lowered, Lowering};
use crate::functional::writer::{Writer, Written};
use melior::ir::Value;
use terrace_dialects::{
    ir::{attributes as convert, dtype::Dtype, extent::Extent, pass::Failure, view},
    ops::functional as f,
};
use terrace_size::Size;

/// The `number`-th of `count` equal parts of the last dimension.
fn part<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>, number: i64, count: i64) -> Written<'c, 'a> {
    let mut sizes = w.sizes(x)?;
    let dim = sizes.len() - 1;
    let size = (sizes[dim] / count).simplified();
    if size.known().is_some() {
        return w.part_of(x, dim, size * number, size * (number + 1));
    }
    // All parts are of one size: of slices who does not know how the dimension is made up would have to ask
    // whether they end in it.
    sizes.splice(dim.., [count.into(), size]);
    let parts = w.view(x, &sizes)?;
    w.value(f::select(w.location(), parts, Some(dim as i64), &[], &[number]))
}

/// One index of the first dimension.
fn at<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>, index: Extent<'c, 'a>) -> Written<'c, 'a> {
    let (values, numbers) = Extent::split(&[index]);
    w.value(f::select(w.location(), x, Some(0), &values, &numbers))
}

/// Tensors stacked along a new first dimension.
fn stacked<'c, 'a>(w: Writer<'c, 'a>, all: &[Value<'c, 'a>]) -> Written<'c, 'a> {
    let mut raised = vec![];
    for x in all {
        raised.push(w.view(*x, &[&[Size::ONE], &w.sizes(*x)?[..]].concat())?);
    }
    w.value(f::cat(w.location(), &raised, Some(0)))
}

/// The states after a step, from the gates of input and state.
fn step<'c, 'a>(
    w: Writer<'c, 'a>,
    granule: &str,
    x: Value<'c, 'a>,
    h: Value<'c, 'a>,
    states: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let (sigmoid, tanh) = (|x| w.unary(f::sigmoid, x), |x| w.unary(f::tanh, x));
    let mul = |a, b| w.binary(f::mul, a, b);
    let add = |a, b| w.binary(f::add, a, b);
    Ok(match granule {
        "lstm" => {
            let gates = add(x, h)?;
            let gate = |number| part(w, gates, number, 4);
            let kept = mul(sigmoid(gate(1)?)?, states[1])?;
            let granule = add(kept, mul(sigmoid(gate(0)?)?, tanh(gate(2)?)?)?)?;
            vec![mul(sigmoid(gate(3)?)?, tanh(granule)?)?, granule]
        }
        "gru" => {
            let gate = |number| add(part(w, x, number, 3)?, part(w, h, number, 3)?);
            let (reset, update) = (sigmoid(gate(0)?)?, sigmoid(gate(1)?)?);
            let new = tanh(add(part(w, x, 2, 3)?, mul(reset, part(w, h, 2, 3)?)?)?)?;
            vec![add(new, mul(update, w.binary(f::sub, states[0], new)?)?)?]
        }
        "rnn_tanh" => vec![tanh(add(x, h)?)?],
        _ => vec![w.unary(f::relu, add(x, h)?)?],
    })
}

/// How the rows of packed sequences lie in a table of steps and samples, of which the later samples have
/// fewer steps.
struct Packed<'c, 'a> {
    /// The row of each place of the table; of a place beyond a sample's steps the first.
    rows: Value<'c, 'a>,
    /// Whether a sample has a step, for steps and samples.
    there: Value<'c, 'a>,
    /// The place in the table of each row.
    places: Value<'c, 'a>,
    /// Samples.
    batch: Size,
}

/// What an index names along the first dimension.
fn picked<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>, index: Value<'c, 'a>) -> Written<'c, 'a> {
    let sizes = [&w.sizes(index)?[..], &w.sizes(x)?[1..]].concat();
    w.value(f::gather(w.location(), x, 0, w.along(index, 0, &sizes)?, None))
}

impl<'c, 'a> Packed<'c, 'a> {
    fn of(w: Writer<'c, 'a>, counts: Value<'c, 'a>, batch: Size, rows: Size) -> Result<Self, Failure> {
        let table = [w.sizes(counts)?[0], batch];
        let counted = |size: Size| w.counted(size, 0, 1);
        let ends = w.value(f::cumsum(w.location(), counts, 0, None))?;
        let starts = w.binary(f::sub, ends, counts)?;
        let sample = w.along(counted(batch)?, 1, &table)?;
        let there = w.binary(f::lt, sample, w.along(counts, 0, &table)?)?;
        let row = w.binary(f::add, w.along(starts, 0, &table)?, sample)?;
        let row = w.choose(there, row, w.like(row, 0.0)?)?;
        // The step of a row is the number of those that end before it.
        let all = [table[0], rows];
        let row_number = counted(rows)?;
        let ended = w.binary(f::ge, w.along(row_number, 1, &all)?, w.along(ends, 0, &all)?)?;
        let step = w.sum(w.cast(ended, Dtype::I64)?, &[0], false)?;
        let inside = w.binary(f::sub, row_number, picked(w, starts, step)?)?;
        let places = w.binary(f::mul, step, w.like_size(step, batch)?)?;
        let places = w.binary(f::add, places, inside)?;
        Ok(Packed { rows: w.view(row, &[table[0] * batch])?, there, places, batch })
    }

    /// Rows as a table.
    fn spread(&self, w: Writer<'c, 'a>, rows: Value<'c, 'a>) -> Written<'c, 'a> {
        let (steps, width) = (w.sizes(self.there)?[0], w.sizes(rows)?[1]);
        w.view(picked(w, rows, self.rows)?, &[steps, self.batch, width])
    }

    /// The rows of a table.
    fn gathered(&self, w: Writer<'c, 'a>, table: Value<'c, 'a>) -> Written<'c, 'a> {
        let sizes = w.sizes(table)?;
        picked(w, w.view(table, &[sizes[0] * sizes[1], sizes[2]])?, self.places)
    }

    /// The new states of the samples that have a step, the old ones of others.
    fn kept(
        &self,
        w: Writer<'c, 'a>,
        step: Extent<'c, 'a>,
        new: Vec<Value<'c, 'a>>,
        old: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let there = at(w, self.there, step)?;
        let one = |(new, old): (Value<'c, 'a>, &Value<'c, 'a>)| {
            w.choose(w.along(there, 0, &w.sizes(new)?)?, new, *old)
        };
        new.into_iter().zip(old).map(one).collect()
    }
}

fn flag(l: &Lowering, name: &str) -> bool {
    view::attribute(l.op, name).is_some_and(convert::bool)
}

/// `lstm`, `gru`, `rnn_tanh` and `rnn_relu`: the output, and the last states.
pub fn recurrent<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (mut input, states, params) = (l.read(l.operand(0))?, l.list(1)?, l.list(2)?);
    let (w, batch_first): (Writer, bool) = (**l.values, flag(l, "batch_first"));
    if batch_first {
        input = w.permute(input, &[1, 0, 2])?;
    }
    let mut results = results(l, input, None, &states, &params)?;
    if batch_first {
        results[0] = w.permute(results[0], &[1, 0, 2])?;
    }
    Ok(results)
}

/// The same of packed sequences.
pub fn recurrent_packed<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (data, counts) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let (states, params) = (l.list(2)?, l.list(3)?);
    let w: Writer = **l.values;
    let packed = Packed::of(w, counts, w.sizes(states[0])?[1], w.sizes(data)?[0])?;
    results(l, data, Some(&packed), &states, &params)
}

/// All outputs, and the last states.
type Run<'c, 'a> = Result<(Value<'c, 'a>, Vec<Value<'c, 'a>>), Failure>;

/// One direction of one layer.
struct Direction<'n, 'c, 'a> {
    granule: &'n str,
    /// What inputs add to gates, by steps.
    gates: Value<'c, 'a>,
    params: &'n [Value<'c, 'a>],
    packed: Option<&'n Packed<'c, 'a>>,
    /// Whether the last step comes first.
    backward: bool,
}

impl<'c, 'a> Direction<'_, 'c, 'a> {
    /// The states after a step.
    fn step(
        &self,
        w: Writer<'c, 'a>,
        t: Extent<'c, 'a>,
        states: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let bias = self.params.get(3).copied();
        let h = w.value(f::linear(w.location(), states[0], self.params[1], bias))?;
        let new = step(w, self.granule, at(w, self.gates, t)?, h, states)?;
        match self.packed {
            Some(packed) => packed.kept(w, t, new, states),
            None => Ok(new),
        }
    }

    /// All outputs, and the last states, of a sequence of this length.
    fn run(&self, w: Writer<'c, 'a>, length: Size, states: Vec<Value<'c, 'a>>) -> Run<'c, 'a> {
        let sizes = [&[length], &w.sizes(states[0])?[..]].concat();
        let begin = [vec![w.filled(0.0, w.ty(states[0])?.dtype, &sizes)?], states].concat();
        let mut after = w.repeated(w.size(length)?, &begin, |w, t, before| {
            let last = w.size(length - 1)?;
            let t = if self.backward { w.plain("arith.subi", &[last, t], w.word())? } else { t };
            let states = self.step(w, Extent::Value(t), &before[1..])?;
            let (value, number) = Extent::split(&[Extent::Value(t)]);
            let all = f::select_scatter(w.location(), before[0], states[0], Some(0), &value, &number);
            Ok([vec![w.value(all)?], states].concat())
        })?;
        let states = after.split_off(1);
        Ok((after[0], states))
    }
}

fn results<'c, 'a>(
    l: &Lowering<'_, 'c, 'a>,
    mut input: Value<'c, 'a>,
    packed: Option<&Packed<'c, 'a>>,
    states: &[Value<'c, 'a>],
    params: &[Value<'c, 'a>],
) -> Lowered<'c, 'a> {
    let granule = l.base_name().split('.').next().unwrap_or_default();
    let (biases, both) = (flag(l, "has_biases"), flag(l, "bidirectional"));
    let w: Writer = **l.values;
    let length = w.sizes(packed.map_or(input, |packed| packed.there))?[0].simplified();
    let directions = if both { 2 } else { 1 };
    let groups: Vec<&[Value]> = params.chunks(if biases { 4 } else { 2 }).collect();
    let mut last: Vec<Vec<Value>> = vec![vec![]; states.len()];
    for (layer, group) in groups.chunks(directions).enumerate() {
        let mut outputs = vec![];
        for (direction, params) in group.iter().enumerate() {
            let mut gates = w.value(f::linear(w.location(), input, params[0], params.get(2).copied()))?;
            if let Some(packed) = packed {
                gates = packed.spread(w, gates)?;
            }
            let number = Extent::Number((layer * directions + direction) as i64);
            let own = states.iter().map(|state| at(w, *state, number)).collect::<Result<_, _>>()?;
            let one = Direction { granule, gates, params, packed, backward: direction == 1 };
            let (output, own) = one.run(w, length, own)?;
            outputs.push(match packed {
                Some(packed) => packed.gathered(w, output)?,
                None => output,
            });
            last.iter_mut().zip(own).for_each(|(all, state)| all.push(state));
        }
        input = match outputs.as_slice() {
            [one] => *one,
            several => w.value(f::cat(w.location(), several, Some(-1)))?,
        };
    }
    let mut results = vec![input];
    for states in last {
        results.push(stacked(w, &states)?);
    }
    Ok(results)
}
