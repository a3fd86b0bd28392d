//! Recurrent networks over whole sequences.

use super::{Size, TensorType, Types, may_equal, may_equal_shapes};
use crate::{args::Args, types::Shape};

/// The output [T, B, D * H], or [B, T, D * H], and the last states [L * D, B, H] of L layers in D directions.
pub fn recurrent<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (input, states, params) = (args.tensor(0)?, args.tensors(1)?, args.tensors(2)?);
    let (kind, gates) = match args.operator() {
        "lstm.input" => (2, 4),
        "gru.input" => (1, 3),
        _ => (1, 1),
    };
    if states.len() != kind {
        return Err(format!(
            "{} expects {}, got {}",
            args.operator().trim_end_matches(".input"),
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
    if args.attribute("dropout").map_or(0.0, crate::attributes::f64) != 0.0
        && args.flag("train")
        && layers > 1
    {
        return Err("expects no dropout between layers: it has no random form here".into());
    }
    let state = &states[0];
    if input.rank() != 3 || state.rank() != 3 {
        return Err(format!(
            "expects an input and states of 3 dimensions, got {} and {}",
            Shape(&input.shape),
            Shape(&state.shape)
        ));
    }
    let batch_first = args.flag("batch_first");
    let (length, batch) =
        if batch_first { (input.shape[1], input.shape[0]) } else { (input.shape[0], input.shape[1]) };
    let hidden = state.shape[2];
    let expected = [(layers * directions).into(), batch, hidden];
    if let Some(wrong) = states.iter().find(|s| !may_equal_shapes(&s.shape, &expected)) {
        return Err(format!("Expected hidden size {}, got {}", Shape(&expected), Shape(&wrong.shape)));
    }
    if length == 0 {
        return Err("Expected sequence length to be larger than 0 in RNN".into());
    }
    check_params(&params, &input, hidden, gates, directions, each)?;
    if !input.dtype.is_float() {
        return Err(format!("expects floats, got {}", input.dtype.aten_name()));
    }
    if let Some(other) = states.iter().chain(&params).find(|t| t.dtype != input.dtype) {
        return Err(format!(
            "Input and parameter tensors are not the same dtype, found input tensor with {} and parameter tensor with {}",
            input.dtype.aten_name(),
            other.dtype.aten_name()
        ));
    }
    let width = hidden * directions;
    let output = if batch_first { [batch, length, width] } else { [length, batch, width] };
    let mut types = vec![input.with_shape(&output).into()];
    types.extend(states.iter().map(|s| s.with_shape(&expected).into()));
    Ok(types)
}

/// Weights [G * H, features], [G * H, H] and biases [G * H], of G gates.
fn check_params(
    params: &[TensorType],
    input: &TensorType,
    hidden: Size,
    gates: i64,
    directions: i64,
    each: i64,
) -> Result<(), String> {
    for (number, group) in params.chunks(each as usize).enumerate() {
        let features = if (number as i64) < directions { input.shape[2] } else { hidden * directions };
        let rows = hidden * gates;
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
