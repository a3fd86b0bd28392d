//! Windows over images and volumes, and images of other sizes.

use crate::{
    machine::{Action, Op, Table},
    semantics::{
        Error, Result,
        elementary::row_major,
        pooling::{self, Scale},
        views,
        windows::{
            Average, adaptive_avg_pool, adaptive_avg_pool2d_backward, adaptive_avg_pool3d_or_mean,
            adaptive_max_pool, adaptive_max_pool_backward, avg_pool, avg_pool_backward, max_pool,
            max_pool_backward,
        },
    },
};
use terrace_dialects::{aten::rules, ir::attributes};
use terrace_tensor::Tensor;

/// The operators that make images of other sizes.
pub(super) const UPSAMPLINGS: [&str; 3] = ["upsample_nearest2d", "upsample_bilinear2d", "upsample_bicubic2d"];

/// How such an operator finds places along height and width.
pub(super) fn scales(op: &Op, name: &str) -> [Scale; 2] {
    let cubic = name == "upsample_bicubic2d";
    let align_corners = corners(op, name);
    let factor = |name| op.attribute(name).map(attributes::f64);
    ["scales_h", "scales_w"].map(|name| Scale { factor: factor(name), align_corners, cubic })
}

pub(super) fn register(table: &mut Table) {
    over::<2>(table);
    over::<3>(table);
    table.graph("max_pool1d", |op| {
        let (x, windows, ceil) = (op.tensor(0), row_windows(op)?, op.flag("ceil_mode"));
        op.value(move |f| {
            let [largest, _] = max_pool(&views::unsqueeze(f.tensor(x), -2)?, &windows, ceil)?;
            row_major(views::squeeze(&largest, Some(&[-2]))?)
        })
    });
    table.graph("avg_pool1d", |op| {
        let (x, windows, how) = (op.tensor(0), row_windows(op)?, average(op));
        op.value(move |f| of_rows(f.tensor(x), |x| avg_pool(x, &windows, how)))
    });
    table.graph("adaptive_avg_pool2d", adaptive);
    table.both("_adaptive_avg_pool2d", adaptive);
    table.both("_adaptive_avg_pool3d", adaptive);
    table.graph("adaptive_avg_pool3d", |op| {
        let (x, size) = (op.tensor(0), op.ints("output_size")?);
        op.value(move |f| adaptive_avg_pool3d_or_mean(f.tensor(x), &size))
    });
    table.both("_adaptive_avg_pool2d_backward", |op| {
        let (grad, x) = (op.tensor(0), op.tensor(1));
        op.value(move |f| adaptive_avg_pool2d_backward(f.tensor(grad), f.tensor(x)))
    });
    table.graph("adaptive_avg_pool1d", |op| {
        let (x, size) = (op.tensor(0), op.ints("output_size")?);
        op.value(move |f| of_rows(f.tensor(x), |x| adaptive_avg_pool(x, &[1, size[0]])))
    });
    table.graph("adaptive_max_pool1d", |op| {
        let (x, size) = (op.tensor(0), op.ints("output_size")?);
        op.values(move |f| {
            let made = adaptive_max_pool(&views::unsqueeze(f.tensor(x), -2)?, &[1, size[0]])?;
            made.iter().map(|made| views::squeeze(made, Some(&[-2]))).collect()
        })
    });
    for name in UPSAMPLINGS {
        table.both(name, move |op: &mut Op| -> std::result::Result<Action, String> {
            let (x, size, scales) = (op.tensor(0), op.dynamic_ints("output_size", 1)?, scales(op, name));
            op.value(move |f| pooling::upsample(f.tensor(x), &size.get(f), scales))
        });
        table.graph(&format!("{name}.vec"), move |op: &mut Op| -> std::result::Result<Action, String> {
            let size = op.attribute("output_size").map(|_| op.dynamic_ints("output_size", 1)).transpose()?;
            let x = op.tensor(0);
            let [plain, _] = scales(op, name);
            let factors = op.attribute("scale_factors").map(attributes::f64s);
            op.value(move |f| {
                let x = f.tensor(x);
                let size = size.as_ref().map(|size| size.get(f));
                let size = rules::upsampled_sizes(x.sizes(), size, factors.as_deref()).map_err(Error::new)?;
                let factor = |d: usize| factors.as_ref().map(|factors| factors[d]);
                pooling::upsample(x, &size, [0, 1].map(|d| Scale { factor: factor(d), ..plain }))
            })
        });
    }
    for (name, attribute, back) in
        [("pixel_shuffle", "upscale_factor", false), ("pixel_unshuffle", "downscale_factor", true)]
    {
        table.graph(name, move |op| {
            let (x, factor) = (op.tensor(0), op.int(attribute)?);
            op.value(move |f| pooling::pixel_shuffle(f.tensor(x), factor, back))
        });
    }
}

/// Windows over images or volumes: the operators whose names end in the number of dimensions.
fn over<const N: usize>(table: &mut Table) {
    table.both(&format!("max_pool{N}d_with_indices"), |op| {
        let (x, windows, ceil) = (op.tensor(0), windows::<N>(op)?, op.flag("ceil_mode"));
        op.values(move |f| Ok(max_pool(f.tensor(x), &windows, ceil)?.into()))
    });
    table.both(&format!("max_pool{N}d_with_indices_backward"), |op| {
        let [gradient, x, indices] = [0, 1, 2].map(|place| op.tensor(place));
        op.value(move |f| max_pool_backward(f.tensor(gradient), f.tensor(x), f.tensor(indices), N))
    });
    table.graph(&format!("max_pool{N}d"), |op| {
        let (x, windows, ceil) = (op.tensor(0), windows::<N>(op)?, op.flag("ceil_mode"));
        op.value(move |f| {
            let [largest, _] = max_pool(f.tensor(x), &windows, ceil)?;
            Ok(largest)
        })
    });
    table.both(&format!("adaptive_max_pool{N}d"), |op| {
        let (x, size) = (op.tensor(0), op.ints("output_size")?);
        op.values(move |f| Ok(adaptive_max_pool(f.tensor(x), &size)?.into()))
    });
    table.both(&format!("adaptive_max_pool{N}d_backward"), |op| {
        let [gradient, x, indices] = [0, 1, 2].map(|place| op.tensor(place));
        op.value(move |f| adaptive_max_pool_backward(f.tensor(gradient), f.tensor(x), f.tensor(indices), N))
    });
    table.both(&format!("avg_pool{N}d"), |op| {
        let (x, windows, how) = (op.tensor(0), windows::<N>(op)?, average(op));
        op.value(move |f| avg_pool(f.tensor(x), &windows, how))
    });
    table.both(&format!("avg_pool{N}d_backward"), |op| {
        let (grad, x, windows, how) = (op.tensor(0), op.tensor(1), windows::<N>(op)?, average(op));
        op.value(move |f| avg_pool_backward(f.tensor(grad), f.tensor(x), &windows, how))
    });
}

fn adaptive(op: &mut Op) -> std::result::Result<Action, String> {
    let (x, size) = (op.tensor(0), op.ints("output_size")?);
    op.value(move |f| {
        let x = f.tensor(x);
        if x.rank() < size.len() {
            Err(Error::new("an image has two dimensions, a volume three"))
        } else {
            adaptive_avg_pool(x, &size)
        }
    })
}

/// The windows that the attributes name, over a number of dimensions.
pub(super) fn windows<const N: usize>(op: &Op) -> std::result::Result<[rules::Window; N], String> {
    let list = |name: &str, default: &[i64]| op.optional_ints(name).unwrap_or_else(|| default.to_vec());
    let (kernel, stride) = (list("kernel_size", &[]), list("stride", &[]));
    rules::windows("pooling", [&kernel, &stride, &list("padding", &[0]), &list("dilation", &[1])])
}

/// The same of one number each, for images of one row.
fn row_windows(op: &Op) -> std::result::Result<[rules::Window; 2], String> {
    let row = |name: &str, default: &[i64], other: i64| -> Vec<i64> {
        let list = op.optional_ints(name).unwrap_or_else(|| default.to_vec());
        list.iter().flat_map(|n| [other, *n]).collect()
    };
    let (kernel, stride) = (row("kernel_size", &[], 1), row("stride", &[], 1));
    rules::windows("pooling", [&kernel, &stride, &row("padding", &[0], 0), &row("dilation", &[1], 1)])
}

fn average(op: &Op) -> Average {
    Average {
        ceil: op.flag("ceil_mode"),
        padding_counts: op.attribute("count_include_pad").is_none_or(attributes::bool),
        divisor: op.attribute("divisor_override").map(attributes::i64),
    }
}

/// Whether corners are aligned, of an operator that asks.
fn corners(op: &Op, name: &str) -> Option<bool> {
    (name != "upsample_nearest2d").then(|| op.flag("align_corners"))
}

/// A tensor as images of one row, there and back.
fn of_rows(x: &Tensor, function: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    views::squeeze(&function(&views::unsqueeze(x, -2)?)?, Some(&[-2]))
}
