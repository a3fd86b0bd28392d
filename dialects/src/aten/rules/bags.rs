//! Rows of a table reduced by bags, and gradients of tables.

use super::{
    Inferred, Size, TensorType, Types, backward::embedding_dense_backward, devices::on_cuda, may_equal,
    may_equal_shapes, one,
};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};
use terrace_size::Number;

fn among(name: &str, place: usize, t: &TensorType, dtypes: &[Dtype]) -> Result<(), String> {
    if dtypes.contains(&t.dtype) {
        return Ok(());
    }
    let names: Vec<_> = dtypes.iter().map(|dtype| dtype.aten_name()).collect();
    Err(format!(
        "Expected tensor for argument #{place} '{name}' to have one of the following scalar types: {}; but got {} instead \
         (while checking arguments for embedding_bag)",
        names.join(", "),
        t.dtype.tensor_name()
    ))
}

const FLOATS: [Dtype; 4] = [Dtype::F16, Dtype::BF16, Dtype::F32, Dtype::F64];
const INDICES: [Dtype; 2] = [Dtype::I64, Dtype::I32];

/// The bags [B, W]; which bag each index is of, how large each is, and where its largest elements came from.
/// Of sums without padding and weights that eager makes in one go, the first is empty: a table of f32 or half
/// precision, whose rows have no gaps. On CUDA all but the largest elements' places are always there.
pub fn embedding_bag<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (weight, indices, offsets) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let samples = args.optional_tensor(3)?;
    if !matches!(indices.rank(), 1 | 2) {
        return Err(format!(
            "input has to be a 1D or 2D Tensor, but got Tensor of dimension {}",
            indices.rank()
        ));
    }
    if indices.rank() == 1 && offsets.rank() != 1 {
        return Err(format!("offsets has to be a 1D Tensor, but got Tensor of dimension {}", offsets.rank()));
    }
    if weight.rank() != 2 {
        return Err(format!("weight has to be a 2D Tensor, but got Tensor of dimension {}", weight.rank()));
    }
    let last = args.flag("include_last_offset");
    if last && offsets.shape.first().is_some_and(|size| size.assume_eq(0)) {
        return Err("include_last_offset: number of offsets should be at least 1".into());
    }
    let mode = args.int_or("mode", 0);
    if !(0..3).contains(&mode) {
        return Err(format!("expects a mode from 0 to 2, got {mode}"));
    }
    let padding = args.int_or("padding_idx", -1);
    // Of the internal one a negative number is no row; else it counts from the end.
    let wraps = args.operator() == "embedding_bag" && args.attribute("padding_idx").is_some();
    let rows = weight.shape[0];
    if wraps && !rows.is_unknown() && (rows.assume_le(padding) || (-rows).assume_gt(padding)) {
        return Err(format!(
            "padding_idx must be within the number of embeddings, -{rows} through {}, but got {padding}",
            rows - 1
        ));
    }
    among("weight", 1, &weight, &FLOATS)?;
    among("indices", 1, &indices, &INDICES)?;
    among("offsets", 1, &offsets, &INDICES)?;
    if let Some(samples) = &samples {
        if mode != 0 {
            return Err("embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum'".into());
        }
        if samples.dtype != weight.dtype {
            return Err(format!(
                "expects weights of samples of the table's dtype, got {}",
                samples.dtype.aten_name()
            ));
        }
        if samples.rank() != 1 || !may_equal(samples.shape[0], indices.elements().unwrap_or(Size::UNKNOWN)) {
            return Err(format!(
                "embedding_bag: expected per_sample_weights to be 1D and of the same size as indices, got {} and {}",
                Shape(&samples.shape),
                Shape(&indices.shape)
            ));
        }
    }
    let count = offsets.shape[0];
    let bags = if last { count - 1 } else { count };
    let fast = mode == 0 && weight.dtype != Dtype::F64 && padding < 0 && !wraps;
    let wide = if offsets.dtype == indices.dtype { indices.dtype } else { Dtype::I64 };
    let index = |shape: &[Size]| Inferred::from(indices.with_shape(shape).with_dtype(wide));
    if on_cuda(args) {
        let all = indices.elements().unwrap_or(Size::UNKNOWN);
        let largest = if mode == 2 { index(&[bags, weight.shape[1]]) } else { index(&[Size::ZERO]) };
        let bagged = weight.with_shape(&[bags, weight.shape[1]]);
        return Ok(vec![bagged.into(), index(&[all]), index(&[count]), largest]);
    }
    // Without gradients eager counts nothing for sums, once for each offset.
    let counts = index(&[if mode == 0 && args.operator() == "embedding_bag" { count } else { bags }]);
    Ok(vec![
        weight.with_shape(&[bags, weight.shape[1]]).into(),
        index(&[if fast { Size::ZERO } else { indices.elements().unwrap_or(Size::UNKNOWN) }]),
        counts.clone(),
        if mode == 2 { index(&[bags, weight.shape[1]]) } else { counts },
    ])
}

/// A row per weight, from the bag of each index, an operand by its number; how large bags are, where their
/// largest elements came from, and weights of indices follow it.
fn table<'c>(args: &Args<'c, '_>, of: usize) -> Types<'c> {
    let (grad, indices) = (args.tensor(0)?, args.tensor(1)?);
    if grad.rank() != 2 || indices.rank() != 1 {
        return Err(format!(
            "expects a gradient of bags and a vector of indices, got {} and {}",
            Shape(&grad.shape),
            Shape(&indices.shape)
        ));
    }
    if !INDICES.contains(&indices.dtype) || !grad.dtype.is_float() {
        return Err(format!(
            "expects a gradient of floats and indices that are integers, got {} and {}",
            grad.dtype.aten_name(),
            indices.dtype.aten_name()
        ));
    }
    let (mode, samples) = (args.int("mode")?, args.optional_tensor(of + 3)?);
    if !(0..3).contains(&mode) {
        return Err(format!("expects a mode from 0 to 2, got {mode}"));
    }
    // A sum does not tell which bag an index is of.
    let untold = args.operator() == "_embedding_bag_backward"
        && Size::assume_same(&args.tensor(of)?.shape[..], &[Size::ZERO]);
    let [of, sizes, largest] = [args.tensor(of)?, args.tensor(of + 1)?, args.tensor(of + 2)?];
    let is =
        |own: &TensorType, shape: &[Size]| own.rank() == shape.len() && may_equal_shapes(&own.shape, shape);
    if mode == 2 && !is(&largest, &grad.shape) {
        return Err(format!(
            "expects where each of the elements {} came from, got {}",
            Shape(&grad.shape),
            Shape(&largest.shape)
        ));
    }
    if mode != 2 && !untold && !is(&of, &indices.shape) {
        return Err(format!(
            "expects the bag of each index, {}, got {}",
            Shape(&indices.shape),
            Shape(&of.shape)
        ));
    }
    if mode != 0 && !is(&sizes, &grad.shape[..1]) {
        return Err(format!("expects the sizes of {} bags, got {}", grad.shape[0], Shape(&sizes.shape)));
    }
    if samples
        .is_some_and(|s| s.rank() != 1 || !may_equal(s.shape[0], indices.shape[0]) || s.dtype != grad.dtype)
    {
        return Err("expects a weight of the gradient's dtype for each index".into());
    }
    one(&grad.with_shape(&[args.int("num_weights")?.into(), grad.shape[1]]))
}

/// A row per weight, from the bag of each index.
pub fn embedding_bag_dense_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    table(args, 2)
}

/// [`embedding_bag_dense_backward`]: gradients are not sparse.
pub fn embedding_bag_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    dense(args)?;
    table(args, 3)
}

fn dense(args: &Args) -> Result<(), String> {
    if args.flag("sparse") {
        Err("expects sparse = false: there are no sparse tensors here".into())
    } else {
        Ok(())
    }
}

/// A row per weight: gradients are not sparse.
pub fn embedding_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    dense(args)?;
    embedding_dense_backward(args)
}
