//! Windows over images of one row, and images whose channels become elements: views around functional's
//! operators of images.

use super::lowering::{Lowered, Lowering};
use melior::ir::Value;
use terrace_dialects::{
    ir::{OperationLike, attributes as convert, dtype::ElementType, pass::Failure},
    ops::functional,
};
use terrace_size::{Number, Size};

/// The sizes of a value with a row inserted before the last dimension.
fn row<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let own = l.read(l.operand(0))?;
    let mut sizes = l.values.sizes(own)?;
    sizes.insert(sizes.len() - 1, Size::ONE);
    l.values.view(own, &sizes)
}

fn list(l: &Lowering, name: &str) -> Option<Vec<i64>> {
    l.op.attribute(name).ok().map(convert::i64s)
}

/// A list of one number for images of one row.
fn row_list(l: &Lowering, name: &str, default: &[i64], other: i64) -> Vec<i64> {
    let list = list(l, name).unwrap_or_else(|| default.to_vec());
    list.iter().flat_map(|n| [other, *n]).collect()
}

/// `max_pool2d`: the first result of the one with indices.
pub fn max_pool2d<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let own = l.read(l.operand(0))?;
    Ok(l.build("max_pool2d_with_indices", &[vec![own]], &[])?[..1].to_vec())
}

/// `max_pool3d`, of which the indices may be asked for.
pub fn max_pool3d<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let own = l.read(l.operand(0))?;
    let mut made = l.build("max_pool3d_with_indices", &[vec![own]], &[])?;
    made.truncate(l.op.result_count());
    Ok(made)
}

/// `max_pool1d`.
pub fn max_pool1d<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, _) = l.result()?;
    let own = row(l)?;
    let kernel = row_list(l, "kernel_size", &[], 1);
    let (stride, padding) = (row_list(l, "stride", &[], 1), row_list(l, "padding", &[0], 0));
    let dilation = row_list(l, "dilation", &[1], 1);
    let ceil = l.op.attribute("ceil_mode").is_ok_and(convert::bool);
    let location = l.values.location();
    let made = l.values.values(functional::max_pool2d_with_indices(
        location,
        own,
        &kernel,
        Some(&stride),
        Some(&padding),
        Some(&dilation),
        Some(ceil),
    ))?;
    Ok(vec![l.values.view(made[0], &sizes)?])
}

/// `avg_pool1d`.
pub fn avg_pool1d<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, _) = l.result()?;
    let own = row(l)?;
    let kernel = row_list(l, "kernel_size", &[], 1);
    let (stride, padding) = (row_list(l, "stride", &[], 1), row_list(l, "padding", &[0], 0));
    let ceil = l.op.attribute("ceil_mode").is_ok_and(convert::bool);
    let counts = l.op.attribute("count_include_pad").map_or(true, convert::bool);
    let location = l.values.location();
    let made = l.values.value(functional::avg_pool2d(
        location,
        own,
        &kernel,
        Some(&stride),
        Some(&padding),
        Some(ceil),
        Some(counts),
        None,
    ))?;
    Ok(vec![l.values.view(made, &sizes)?])
}

/// `_adaptive_avg_pool2d` and its spellings; one window is the mean of all.
pub fn adaptive_avg_pool<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let rows = l.op_impl.rule == "adaptive_avg_pool1d";
    let own = if rows { row(l)? } else { l.read(l.operand(0))? };
    let given = list(l, "output_size").unwrap_or_default();
    let output = if rows { vec![1, given[0]] } else { given };
    let w = **l.values;
    let made = if output == [1, 1] {
        let ty = dtype.to_type(w.context);
        w.value(functional::mean(w.location(), own, Some(&[-1, -2]), Some(true), Some(ty)))?
    } else {
        w.value(functional::_adaptive_avg_pool2d(w.location(), own, &output))?
    };
    Ok(vec![w.view(made, &sizes)?])
}

/// `adaptive_avg_pool3d` and the internal one; one window is the mean of all.
pub fn adaptive_avg_pool3d<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (_, dtype) = l.result()?;
    let (own, output) = (l.read(l.operand(0))?, list(l, "output_size").unwrap_or_default());
    let w = **l.values;
    let ty = dtype.to_type(w.context);
    Ok(vec![w.value(match l.base_name() {
        "adaptive_avg_pool3d" if output == [1, 1, 1] => {
            functional::mean(w.location(), own, Some(&[-1, -2, -3]), Some(true), Some(ty))
        }
        _ => functional::_adaptive_avg_pool3d(w.location(), own, &output),
    })?])
}

/// `adaptive_max_pool1d`.
pub fn adaptive_max_pool1d<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, _) = l.result()?;
    let (own, output) = (row(l)?, row_list(l, "output_size", &[], 1));
    let made = l.values.values(functional::adaptive_max_pool2d(l.values.location(), own, &output))?;
    made.into_iter().map(|made| l.values.view(made, &sizes)).collect()
}

/// How images of other sizes are made, by the attributes of an operation.
struct Resizing {
    corners: bool,
    factors: [Option<f64>; 2],
}

impl Resizing {
    fn of(l: &Lowering) -> Self {
        let factor = |name: &str| l.op.attribute(name).ok().map(convert::f64);
        let factors = match l.op.attribute("scale_factors").map(convert::f64s) {
            Ok(factors) => [0, 1].map(|d| factors.get(d).copied()),
            Err(_) => ["scales_h", "scales_w"].map(factor),
        };
        Self { corners: l.op.attribute("align_corners").is_ok_and(convert::bool), factors }
    }
}

/// `upsample_nearest2d` and its kin, by sizes or by factors: the sizes that they come to, and the factors.
pub fn upsample<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, _) = l.result()?;
    let (own, location) = (l.read(l.operand(0))?, l.values.location());
    let Resizing { corners, factors: [h, w] } = Resizing::of(l);
    let (open, all) = l.values.listed(&sizes[2..])?;
    let made = match l.base_name().trim_end_matches(".vec") {
        "upsample_nearest2d" => functional::upsample_nearest2d(location, own, &open, &all, h, w),
        "upsample_bilinear2d" => functional::upsample_bilinear2d(location, own, &open, &all, corners, h, w),
        _ => functional::upsample_bicubic2d(location, own, &open, &all, corners, h, w),
    };
    Ok(vec![l.values.value(made)?])
}

/// `upsample_nearest2d_backward` and its kin.
pub fn upsample_backward<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, _) = l.result()?;
    let (grad, at) = (l.read(l.operand(0))?, l.values.location());
    let Resizing { corners, factors: [h, w] } = Resizing::of(l);
    let made = l.values.sizes(grad)?;
    let ((a, output), (b, input)) = (l.values.listed(&made[2..])?, l.values.listed(&sizes)?);
    let made = match l.base_name() {
        "upsample_nearest2d_backward" => {
            functional::upsample_nearest2d_backward(at, grad, &a, &output, &b, &input, h, w)
        }
        "upsample_bilinear2d_backward" => {
            functional::upsample_bilinear2d_backward(at, grad, &a, &output, &b, &input, corners, h, w)
        }
        _ => functional::upsample_bicubic2d_backward(at, grad, &a, &output, &b, &input, corners, h, w),
    };
    Ok(vec![l.values.value(made)?])
}

/// `pixel_shuffle` and `pixel_unshuffle`: a square of channels is a square of elements.
pub fn pixel_shuffle<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, _) = l.result()?;
    let own = l.read(l.operand(0))?;
    let shape = l.values.sizes(own)?;
    let lead = shape.len() - 3;
    let (c, h, w) = (shape[lead], shape[lead + 1], shape[lead + 2]);
    let back = l.op_impl.rule == "pixel_unshuffle";
    if back && shape.iter().any(|size| size.assume_eq(0)) {
        return Ok(vec![own]);
    }
    let (factor, parts, order) = if back {
        let f = convert::i64(l.op.attribute("downscale_factor")?);
        (f, vec![c, h / f, f.into(), w / f, f.into()], [0, 2, 4, 1, 3])
    } else {
        let f = convert::i64(l.op.attribute("upscale_factor")?);
        (f, vec![c / (f * f), f.into(), f.into(), h, w], [0, 3, 1, 4, 2])
    };
    assert!(factor > 0);
    let order: Vec<usize> = (0..lead).chain(order.map(|d| lead + d)).collect();
    let spread = l.values.view(own, &[&shape[..lead], &parts].concat())?;
    let turned = l.values.permute(spread, &order)?;
    Ok(vec![l.values.view(turned, &sizes)?])
}
