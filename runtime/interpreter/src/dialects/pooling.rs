//! Windows over images, and images of other sizes.

use terrace_dialects::{attributes, rules};
use terrace_tensor::Tensor;

use crate::machine::{Action, Op, Table};
use crate::semantics::pooling::{self, Average, Scale};
use crate::semantics::{Error, Result, views};

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
    table.both("max_pool2d_with_indices", |op| {
        let (x, windows, ceil) = (op.tensor(0), windows(op)?, op.flag("ceil_mode"));
        op.values(move |f| Ok(pooling::max_pool2d(f.tensor(x), windows, ceil)?.into()))
    });
    table.both("max_pool2d_with_indices_backward", |op| {
        let [gradient, x, indices] = [0, 1, 2].map(|place| op.tensor(place));
        op.value(move |f| pooling::max_pool2d_backward(f.tensor(gradient), f.tensor(x), f.tensor(indices)))
    });
    table.graph("max_pool2d", |op| {
        let (x, windows, ceil) = (op.tensor(0), windows(op)?, op.flag("ceil_mode"));
        op.value(move |f| {
            let [largest, _] = pooling::max_pool2d(f.tensor(x), windows, ceil)?;
            Ok(largest)
        })
    });
    table.graph("max_pool1d", |op| {
        let (x, windows, ceil) = (op.tensor(0), row_windows(op)?, op.flag("ceil_mode"));
        op.value(move |f| {
            let [largest, _] = pooling::max_pool2d(&views::unsqueeze(f.tensor(x), -2)?, windows, ceil)?;
            crate::semantics::copy::packed(&views::squeeze(&largest, Some(&[-2]))?)
        })
    });
    table.both("avg_pool2d", |op| {
        let (x, windows, how) = (op.tensor(0), windows(op)?, average(op));
        op.value(move |f| pooling::avg_pool2d(f.tensor(x), windows, how))
    });
    table.graph("avg_pool1d", |op| {
        let (x, windows, how) = (op.tensor(0), row_windows(op)?, average(op));
        op.value(move |f| of_rows(f.tensor(x), |x| pooling::avg_pool2d(x, windows, how)))
    });
    for name in ["_adaptive_avg_pool2d", "adaptive_avg_pool2d"] {
        table.graph(name, adaptive);
    }
    table.functional("_adaptive_avg_pool2d", adaptive);
    table.graph("adaptive_avg_pool1d", |op| {
        let (x, size) = (op.tensor(0), op.ints("output_size")?);
        op.value(move |f| of_rows(f.tensor(x), |x| pooling::adaptive_avg_pool2d(x, &[1, size[0]])))
    });
    for name in UPSAMPLINGS {
        table.both(name, move |op: &mut Op| -> std::result::Result<Action, String> {
            let (x, size, scales) = (op.tensor(0), op.ints("output_size")?, scales(op, name));
            op.value(move |f| pooling::upsample(f.tensor(x), &size, scales))
        });
        table.graph(&format!("{name}.vec"), move |op: &mut Op| -> std::result::Result<Action, String> {
            let (x, size) = (op.tensor(0), op.optional_ints("output_size"));
            let [plain, _] = scales(op, name);
            let factors = op.attribute("scale_factors").map(attributes::f64s);
            op.value(move |f| {
                let x = f.tensor(x);
                let size = rules::upsampled_sizes(x.sizes(), size.clone(), factors.as_deref())
                    .map_err(Error::new)?;
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

fn adaptive(op: &mut Op) -> std::result::Result<Action, String> {
    let (x, size) = (op.tensor(0), op.ints("output_size")?);
    op.value(move |f| {
        let x = f.tensor(x);
        if x.rank() < 2 {
            Err(Error::new("an image has two dimensions"))
        } else {
            pooling::adaptive_avg_pool2d(x, &size)
        }
    })
}

/// The windows that the attributes name.
pub(super) fn windows(op: &Op) -> std::result::Result<[rules::Window; 2], String> {
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

pub(super) fn average(op: &Op) -> Average {
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
