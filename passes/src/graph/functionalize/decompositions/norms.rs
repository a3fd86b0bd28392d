//! Norms over channels: functional has one batch norm, whose running statistics are results.

use super::lowering::{Lowered, Lowering};
use crate::functional::writer::{Binary, number};
use melior::ir::Value;
use terrace_dialects::{
    ir::{OperationLike, attributes as convert, pass::Failure, view},
    ops::functional,
};
use terrace_size::{Number, Size};

/// The parameters and running statistics, and the numbers, of a norm.
struct Call<'c, 'a> {
    input: Value<'c, 'a>,
    /// Weight, bias, running mean and variance.
    parameters: [Option<Value<'c, 'a>>; 4],
    training: bool,
    momentum: f64,
    eps: f64,
}

impl<'c, 'a> Call<'c, 'a> {
    fn of(l: &mut Lowering<'_, 'c, 'a>, training: &str) -> Result<Self, Failure> {
        let mut parameters = [None; 4];
        for (place, parameter) in parameters.iter_mut().enumerate() {
            if let Some(value) = view::optional(l.op, l.op_impl, place + 1) {
                *parameter = Some(l.read(value)?);
            }
        }
        let float = |name: &str| l.op.attribute(name).map(convert::f64);
        let (momentum, eps) = (float("momentum")?, float("eps")?);
        let training = l.op.attribute(training).is_ok_and(convert::bool);
        Ok(Self { input: l.read(l.operand(0))?, parameters, training, momentum, eps })
    }

    /// The results of `functional.native_batch_norm`.
    fn write(&self, l: &Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
        let [weight, bias, mean, variance] = self.parameters;
        let location = l.values.location();
        let (training, momentum, eps) = (self.training, self.momentum, self.eps);
        l.values.values(functional::native_batch_norm(
            location, self.input, weight, bias, mean, variance, training, momentum, eps,
        ))
    }
}

/// Batch norm of all kinds: its results, then the running statistics that it writes.
pub fn batch_norm<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let call = Call::of(l, "training")?;
    if l.op.result_count() > 1 {
        return call.write(l);
    }
    let (sizes, _) = l.result()?;
    if sizes.iter().any(|size| if call.training { size.assume_eq(0) } else { size.known() == Some(0) }) {
        // Eager makes a copy, and leaves the running statistics as they are; where none are written that
        // makes no difference.
        return Ok(vec![call.input].into_iter().chain(running(&call)).collect());
    }
    let mut results = call.write(l)?;
    results.drain(1..3);
    Ok(results)
}

/// The running statistics that are written, as they are.
fn running<'c, 'a>(call: &Call<'c, 'a>) -> Vec<Value<'c, 'a>> {
    if call.training { call.parameters[2..].iter().flatten().copied().collect() } else { vec![] }
}

/// Instance norm is batch norm of one image that has the channels of all; the running statistics move to the
/// mean over the images.
pub fn instance_norm<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let mut call = Call::of(l, "use_input_stats")?;
    let (sizes, _) = l.result()?;
    if sizes.iter().any(|size| size.assume_eq(0)) {
        return Ok(vec![call.input].into_iter().chain(running(&call)).collect());
    }
    let w = **l.values;
    let (images, channels) = (sizes[0], sizes[1]);
    let all = images * channels;
    call.input = w.view(call.input, &[&[Size::ONE, all], &sizes[2..]].concat())?;
    for parameter in call.parameters.iter_mut().flatten() {
        *parameter = w.view(w.along(*parameter, 1, &[images, channels])?, &[all])?;
    }
    let results = call.write(l)?;
    let mut out = vec![w.view(results[0], &sizes)?];
    for moved in &results[3..] {
        let sum = w.sum(w.view(*moved, &[images, channels])?, &[0], false)?;
        out.push(w.over_size(sum, images)?);
    }
    Ok(out)
}

/// `group_norm`: the first result of the native one. That asks for its sizes in numbers; where they are none
/// it is written with the moments of each group, in the wider dtype.
pub fn group_norm<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let input = l.read(l.operand(0))?;
    let [weight, bias] = [1, 2].map(|place| view::optional(l.op, l.op_impl, place));
    let weight = weight.map(|v| l.read(v)).transpose()?;
    let bias = bias.map(|v| l.read(v)).transpose()?;
    let groups = convert::i64(l.op.attribute("num_groups")?);
    let eps = l.op.attribute("eps").map_or(1e-5, convert::f64);
    let (images, channels, inner) = (sizes[0], sizes[1], sizes[2..].iter().product::<Size>());
    let w = **l.values;
    if let [Ok(images), Ok(channels), Ok(inner)] = [images, channels, inner].map(number) {
        let at = w.location();
        let op = functional::native_group_norm(at, input, weight, bias, images, channels, inner, groups, eps);
        return Ok(w.values(op)?[..1].to_vec());
    }
    if sizes.iter().any(|size| size.assume_eq(0)) {
        return Ok(vec![input]);
    }
    let rows = [images * groups, channels / groups * inner];
    let wide = dtype.opmath();
    let input = w.view(w.cast(input, wide)?, &rows)?;
    let mean = |rows_of| w.expand(w.over_size(w.sum(rows_of, &[1], true)?, rows[1])?, &rows);
    let centered = w.binary(functional::sub, input, mean(input)?)?;
    let variance = mean(w.binary(functional::mul, centered, centered)?)?;
    let scale = w.unary(functional::rsqrt, w.shifted(variance, eps)?)?;
    let mut made = w.view(w.binary(functional::mul, centered, scale)?, &sizes)?;
    for (parameter, op) in [(weight, functional::mul as Binary), (bias, functional::add)] {
        if let Some(parameter) = parameter {
            made = w.binary(op, made, w.along(w.cast(parameter, wide)?, 1, &sizes)?)?;
        }
    }
    Ok(vec![w.cast(made, dtype)?])
}
