//! Gradients that are no pointwise operators.

use super::operators::{Walk, optional};
use crate::{
    machine::{Action, Frame, Op, Table},
    semantics::backward,
};
use terrace_dialects::ir::attributes;
use terrace_tensor::Tensor;

pub(super) fn register(table: &mut Table) {
    for (name, log) in [("_softmax_backward_data", false), ("_log_softmax_backward_data", true)] {
        table.graph(name, move |op| {
            let (grad, output, dim) = (op.tensor(0), op.tensor(1), op.int("dim")?);
            op.value(move |f| backward::softmax_backward(f.tensor(grad), f.tensor(output), dim, log))
        });
    }
    table.graph("native_layer_norm_backward", |op| {
        let [grad, input, mean, rstd] = [0, 1, 2, 3].map(|place| op.tensor(place));
        let (parameters, normalized) = ([4, 5].map(|place| op.optional(place)), op.ints("normalized_shape")?);
        masked(op, move |f| {
            let (mean, rstd) = (f.tensor(mean), f.tensor(rstd));
            let parameters = parameters.map(|place| optional(f, place));
            backward::native_layer_norm_backward(
                f.tensor(grad),
                f.tensor(input),
                &normalized,
                mean,
                rstd,
                parameters,
            )
        })
    });
    table.both("convolution_backward", |op| {
        let [grad, input, weight] = [0, 1, 2].map(|place| op.tensor(place));
        let (walk, transposed) = (Walk::of(op), op.flag("transposed"));
        masked(op, move |f| {
            backward::convolution_backward(
                f.tensor(grad),
                f.tensor(input),
                f.tensor(weight),
                walk.how(transposed),
            )
        })
    });
    table.both("nll_loss_forward", |op| {
        let (x, target, weight) = (op.tensor(0), op.tensor(1), op.optional(2));
        let (reduction, ignore) = (op.int("reduction")?, op.int("ignore_index")?);
        op.values(move |f| {
            let weight = optional(f, weight);
            Ok(backward::nll_loss_forward(f.tensor(x), f.tensor(target), weight, reduction, ignore)?.into())
        })
    });
    table.both("nll_loss_backward", |op| {
        let [grad, x, target, total] = [0, 1, 2, 4].map(|place| op.tensor(place));
        let (weight, reduction, ignore) = (op.optional(3), op.int("reduction")?, op.int("ignore_index")?);
        op.value(move |f| {
            let (x, target, weight, total) =
                (f.tensor(x), f.tensor(target), optional(f, weight), f.tensor(total));
            backward::nll_loss_backward(f.tensor(grad), x, target, weight, reduction, ignore, total)
        })
    });
    let embedding = |op: &mut Op| {
        let (grad, indices) = (op.tensor(0), op.tensor(1));
        let (rows, padding) = (op.int("num_weights")?, op.int("padding_idx")?);
        let by_frequency = op.flag("scale_grad_by_freq");
        op.value(move |f| {
            backward::embedding_dense_backward(f.tensor(grad), f.tensor(indices), rows, padding, by_frequency)
        })
    };
    table.both("embedding_dense_backward", embedding);
    table.graph("embedding_backward", embedding);
}

/// The gradients that `output_mask` asks for.
pub(super) fn masked<const N: usize>(
    op: &mut Op,
    all: impl Fn(&Frame) -> crate::semantics::Result<[Tensor; N]> + 'static,
) -> Result<Action, String> {
    let mask = attributes::bools(op.required("output_mask")?);
    op.values(move |f| {
        let gradients = all(f)?.into_iter().zip(&mask);
        Ok(gradients.filter(|(_, wanted)| **wanted).map(|(gradient, _)| gradient).collect())
    })
}
