//! Recurrent networks over whole sequences.

use super::{Inferred, Size, TensorType, Types, may_equal, may_equal_shapes};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};
use terrace_size::Number;

/// What an operation's name and attributes say of a network.
struct Network {
    gates: i64,
    layers: i64,
    directions: i64,
    /// Parameters of a layer in one direction.
    each: i64,
}

impl Network {
    fn of(args: &Args, states: &[TensorType], params: &[TensorType]) -> Result<Network, String> {
        let name = args.operator().split('.').next().unwrap_or_default();
        let (kind, gates) = match name {
            "lstm" => (2, 4),
            "gru" => (1, 3),
            _ => (1, 1),
        };
        if states.len() != kind {
            return Err(format!(
                "{name} expects {}, got {}",
                if kind == 2 { "two hidden states" } else { "one hidden state" },
                states.len()
            ));
        }
        let (layers, directions) = (args.int("num_layers")?, if args.flag("bidirectional") { 2 } else { 1 });
        let each = if args.flag("has_biases") { 4 } else { 2 };
        let wanted = layers.checked_mul(directions * each).filter(|n| *n > 0);
        if wanted != i64::try_from(params.len()).ok() {
            return Err(format!(
                "expects {each} parameters for each of {layers} layers in {directions} directions, got {}",
                params.len()
            ));
        }
        if args.attribute("dropout").map_or(0.0, crate::ir::attributes::f64) != 0.0
            && args.flag("train")
            && layers > 1
        {
            return Err("expects no dropout between layers: it has no random form here".into());
        }
        Ok(Network { gates, layers, directions, each })
    }

    /// The states of a batch after all steps, [L * D, B, H], and the width D * H of the output.
    fn states<'c>(
        &self,
        states: &[TensorType<'c>],
        batch: Size,
    ) -> Result<(Vec<Inferred<'c>>, Size), String> {
        let hidden = states[0].shape[2];
        let expected = [(self.layers * self.directions).into(), batch, hidden];
        if let Some(wrong) = states.iter().find(|s| !may_equal_shapes(&s.shape, &expected)) {
            return Err(format!("Expected hidden size {}, got {}", Shape(&expected), Shape(&wrong.shape)));
        }
        let types = states.iter().map(|s| s.with_shape(&expected).into()).collect();
        Ok((types, hidden * self.directions))
    }

    /// Weights [G * H, features], [G * H, H] and biases [G * H], of G gates.
    fn check_params(&self, params: &[TensorType], features: Size, hidden: Size) -> Result<(), String> {
        for (number, group) in params.chunks(self.each as usize).enumerate() {
            let first = (number as i64) < self.directions;
            let features = if first { features } else { hidden * self.directions };
            let rows = hidden * self.gates;
            let expected = [vec![rows, features], vec![rows, hidden], vec![rows], vec![rows]];
            for (t, wanted) in group.iter().zip(&expected) {
                if t.rank() != wanted.len() || !t.shape.iter().zip(wanted).all(|(a, b)| may_equal(*a, *b)) {
                    return Err(format!(
                        "expects a parameter of shape {}, got {}",
                        Shape(wanted),
                        Shape(&t.shape)
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Floats of one dtype.
fn check_dtypes(input: &TensorType, others: &[&[TensorType]]) -> Result<(), String> {
    if !input.dtype.is_float() {
        return Err(format!("expects floats, got {}", input.dtype.aten_name()));
    }
    match others.concat().iter().find(|t| t.dtype != input.dtype) {
        Some(other) => Err(format!(
            "Input and parameter tensors are not the same dtype, found input tensor with {} and parameter tensor with {}",
            input.dtype.aten_name(),
            other.dtype.aten_name()
        )),
        None => Ok(()),
    }
}

/// The output [T, B, D * H], or [B, T, D * H], and the last states [L * D, B, H] of L layers in D directions.
pub fn recurrent<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (input, states, params) = (args.tensor(0)?, args.tensors(1)?, args.tensors(2)?);
    let network = Network::of(args, &states, &params)?;
    if input.rank() != 3 || states[0].rank() != 3 {
        return Err(format!(
            "expects an input and states of 3 dimensions, got {} and {}",
            Shape(&input.shape),
            Shape(&states[0].shape)
        ));
    }
    let batch_first = args.flag("batch_first");
    let (length, batch) =
        if batch_first { (input.shape[1], input.shape[0]) } else { (input.shape[0], input.shape[1]) };
    let (last, width) = network.states(&states, batch)?;
    if length.assume_eq(0) {
        return Err("Expected sequence length to be larger than 0 in RNN".into());
    }
    network.check_params(&params, input.shape[2], states[0].shape[2])?;
    check_dtypes(&input, &[&states, &params])?;
    let output = if batch_first { [batch, length, width] } else { [length, batch, width] };
    Ok([vec![input.with_shape(&output).into()], last].concat())
}

/// Of packed sequences [N, features], of which `batch_sizes`, a vector, says how many have each step: the
/// output [N, D * H] and the last states [L * D, B, H].
pub fn recurrent_packed<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (data, counts) = (args.tensor(0)?, args.tensor(1)?);
    let (states, params) = (args.tensors(2)?, args.tensors(3)?);
    let network = Network::of(args, &states, &params)?;
    if counts.rank() != 1 {
        return Err("batch_sizes tensor should be 1D".into());
    }
    if counts.dtype != Dtype::I64 {
        return Err(format!("expected scalar type Long but found {}", counts.dtype.aten_name()));
    }
    if data.rank() != 2 || states[0].rank() != 3 {
        return Err(format!(
            "expects packed sequences of 2 dimensions and states of 3, got {} and {}",
            Shape(&data.shape),
            Shape(&states[0].shape)
        ));
    }
    let (last, width) = network.states(&states, states[0].shape[1])?;
    if counts.shape[0].assume_eq(0) {
        return Err("Expected sequence length to be larger than 0 in RNN".into());
    }
    network.check_params(&params, data.shape[1], states[0].shape[2])?;
    check_dtypes(&data, &[&states, &params])?;
    let output = data.with_shape(&[data.shape[0], width]);
    Ok([vec![output.into()], last].concat())
}
