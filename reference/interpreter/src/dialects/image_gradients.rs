//! Gradients of images of other sizes; images sampled at the places of a grid.

use super::pooling::{UPSAMPLINGS, scales};
use crate::{
    machine::{Action, Op, Table},
    semantics::{
        image_gradients as gradients,
        sampling::{Sampling, grid_sampler, grid_sampler_backward},
    },
};
use terrace_dialects::ir::attributes;

pub(super) fn register(table: &mut Table) {
    for name in UPSAMPLINGS {
        table.both(&format!("{name}_backward"), move |op: &mut Op| -> Result<Action, String> {
            let (grad, size, scales) = (op.tensor(0), op.dynamic_ints("input_size", 2)?, scales(op, name));
            op.value(move |f| gradients::upsample_backward(f.tensor(grad), &size.get(f), scales))
        });
    }
    let sample = |op: &mut Op| {
        let (x, grid, how) = (op.tensor(0), op.tensor(1), sampling(op)?);
        op.value(move |f| grid_sampler(f.tensor(x), f.tensor(grid), how))
    };
    table.graph("grid_sampler", sample);
    for dims in [2, 3] {
        table.both(&format!("grid_sampler_{dims}d"), sample);
        table.both(&format!("grid_sampler_{dims}d_backward"), sample_backward);
    }
}

fn sample_backward(op: &mut Op) -> Result<Action, String> {
    let ([grad, x, grid], how) = ([0, 1, 2].map(|place| op.tensor(place)), sampling(op)?);
    // The gradient of the grid is always there.
    let images = attributes::bools(op.required("output_mask")?).first() != Some(&false);
    op.values(move |f| {
        let both = grid_sampler_backward(f.tensor(grad), f.tensor(x), f.tensor(grid), how)?;
        Ok(both.into_iter().skip(usize::from(!images)).collect())
    })
}

fn sampling(op: &Op) -> Result<Sampling, String> {
    Ok(Sampling {
        mode: op.int("interpolation_mode")?,
        padding: op.int("padding_mode")?,
        align_corners: op.flag("align_corners"),
    })
}
