//! Gradients of windows over images and of images of other sizes; means over volumes; images sampled at the places of a grid.

use terrace_dialects::attributes;

use super::pooling::{UPSAMPLINGS, average, scales, windows};
use crate::machine::{Action, Op, Table};
use crate::semantics::image_gradients as gradients;
use crate::semantics::sampling::{Sampling, grid_sampler, grid_sampler_backward};

pub(super) fn register(table: &mut Table) {
    table.both("avg_pool2d_backward", |op| {
        let (grad, x, windows, how) = (op.tensor(0), op.tensor(1), windows(op)?, average(op));
        op.value(move |f| gradients::avg_pool2d_backward(f.tensor(grad), f.tensor(x), windows, how))
    });
    table.both("_adaptive_avg_pool2d_backward", |op| {
        let (grad, x) = (op.tensor(0), op.tensor(1));
        op.value(move |f| gradients::adaptive_avg_pool2d_backward(f.tensor(grad), f.tensor(x)))
    });
    table.both("_adaptive_avg_pool3d", |op| {
        let (x, size) = (op.tensor(0), op.ints("output_size")?);
        op.value(move |f| gradients::adaptive_avg_pool3d(f.tensor(x), &size))
    });
    table.graph("adaptive_avg_pool3d", |op| {
        let (x, size) = (op.tensor(0), op.ints("output_size")?);
        op.value(move |f| gradients::adaptive_avg_pool3d_or_mean(f.tensor(x), &size))
    });
    for name in UPSAMPLINGS {
        table.both(&format!("{name}_backward"), move |op: &mut Op| -> Result<Action, String> {
            let (grad, size, scales) = (op.tensor(0), op.ints("input_size")?, scales(op, name));
            op.value(move |f| gradients::upsample_backward(f.tensor(grad), &size, scales))
        });
    }
    let sample = |op: &mut Op| {
        let (x, grid, how) = (op.tensor(0), op.tensor(1), sampling(op)?);
        op.value(move |f| grid_sampler(f.tensor(x), f.tensor(grid), how))
    };
    table.both("grid_sampler_2d", sample);
    table.graph("grid_sampler", sample);
    table.both("grid_sampler_2d_backward", |op| {
        let ([grad, x, grid], how) = ([0, 1, 2].map(|place| op.tensor(place)), sampling(op)?);
        // The gradient of the grid is always there.
        let images = attributes::bools(op.required("output_mask")?).first() != Some(&false);
        op.values(move |f| {
            let both = grid_sampler_backward(f.tensor(grad), f.tensor(x), f.tensor(grid), how)?;
            Ok(both.into_iter().skip(usize::from(!images)).collect())
        })
    });
}

fn sampling(op: &Op) -> Result<Sampling, String> {
    Ok(Sampling {
        mode: op.int("interpolation_mode")?,
        padding: op.int("padding_mode")?,
        align_corners: op.flag("align_corners"),
    })
}
