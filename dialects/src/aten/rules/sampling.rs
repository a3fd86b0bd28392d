//! Elements of images and volumes at places that a grid names.

use super::{Size, TensorType, Types, may_equal, not_implemented, one};
use crate::ir::{args::Args, types::Shape};
use terrace_size::Number;

fn sizes(t: &TensorType) -> String {
    Shape(&t.shape).to_string()
}

/// Images [N, C, H, W] and a grid [N, h, w, 2], or volumes [N, C, D, H, W] and a grid [N, d, h, w, 3].
fn sampled<'c>(
    input: TensorType<'c>,
    grid: TensorType<'c>,
    args: &Args<'c, '_>,
) -> Result<TensorType<'c>, String> {
    if input.rank() == 0 || grid.rank() == 0 || !may_equal(input.shape[0], grid.shape[0]) {
        return Err(format!(
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes {} and grid with sizes {}",
            sizes(&input),
            sizes(&grid)
        ));
    }
    if input.rank() >= 2 && !may_equal(grid.shape[grid.rank() - 1], Size::from(input.rank()) - 2) {
        return Err(format!(
            "grid_sampler(): expected grid to have size {} in last dimension, but got grid with sizes {}",
            input.rank() as i64 - 2,
            sizes(&grid)
        ));
    }
    if let Some(d) = (2..input.rank()).find(|d| input.shape[*d].assume_eq(0)) {
        return Err(format!(
            "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {} with dimension {d} being empty",
            sizes(&input)
        ));
    }
    // Which of the two it is, the operator for both finds by the input.
    let rank = match args.operator() {
        "grid_sampler_2d" | "grid_sampler_2d_backward" => 4,
        "grid_sampler" if input.rank() != 5 => 4,
        _ => 5,
    };
    if input.rank() != rank || grid.rank() != rank {
        return Err(format!(
            "grid_sampler(): expected {rank}D input and grid with same number of dimensions, but got input with sizes {} and grid with sizes {}",
            sizes(&input),
            sizes(&grid)
        ));
    }
    if input.dtype != grid.dtype {
        return Err(format!(
            "expected scalar type {} but found {}",
            input.dtype.aten_name(),
            grid.dtype.aten_name()
        ));
    }
    let (mode, padding) = (args.int("interpolation_mode")?, args.int("padding_mode")?);
    if !(0..3).contains(&mode) || !(0..3).contains(&padding) {
        return Err(format!(
            "expects an interpolation_mode and a padding_mode from 0 to 2, got {mode} and {padding}"
        ));
    }
    Ok(input.with_shape(&[&input.shape[..2], &grid.shape[1..rank - 1]].concat()))
}

/// [N, C, h, w] or [N, C, d, h, w].
pub fn grid_sampler<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let made = sampled(args.tensor(0)?, args.tensor(1)?, args)?;
    // Eager looks for no kernel where there is nothing to compute.
    if !made.dtype.is_float() && !made.is_empty() {
        let kernel = if made.rank() == 5 { "grid_sampler3d_cpu" } else { "grid_sampler_2d_cpu_kernel_impl" };
        return Err(not_implemented(kernel, made.dtype));
    }
    one(&made)
}

/// The types of images, where `output_mask` asks for them, and grid, whose gradient eager always gives.
pub fn grid_sampler_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (grad, input, grid) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let made = sampled(input.clone(), grid.clone(), args)?;
    if !super::may_equal_shapes(&grad.shape, &made.shape) || grad.dtype != made.dtype {
        return Err(format!("expects a gradient of the result's type, got {}", grad.to_type(args.context())));
    }
    if !made.dtype.is_float() {
        let of_volumes = made.rank() == 5;
        let kernel = if of_volumes {
            "grid_sampler_3d_backward_cpu"
        } else {
            "grid_sampler_2d_backward_cpu_kernel_impl"
        };
        return Err(not_implemented(kernel, made.dtype));
    }
    let mut types = vec![grid.into()];
    if args
        .attribute("output_mask")
        .map(crate::ir::attributes::bools)
        .is_none_or(|mask| mask.first() != Some(&false))
    {
        types.insert(0, input.into());
    }
    Ok(types)
}
