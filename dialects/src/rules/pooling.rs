//! Windows over images [C, H, W], or batches of them.

use super::{Size, TensorType, Types, may_equal, not_implemented, one};
use crate::{args::Args, dtype::Dtype, size::Number, types::Shape};

/// A window along one dimension, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Elements that it sees.
    pub kernel: i64,
    /// The distance of neighbouring windows.
    pub stride: i64,
    /// What stands around the image, on either side.
    pub padding: i64,
    /// The distance of neighbouring elements that it sees.
    pub dilation: i64,
}

impl Window {
    /// The number of windows over a dimension of `size`; with `ceil` also one that begins inside and ends outside.
    pub fn count<N: Number>(self, size: N, ceil: bool) -> N {
        let Some(size) = size.known() else { return self.count_of(size, ceil) };
        let [size, padding, kernel, stride, dilation] =
            [size, self.padding, self.kernel, self.stride, self.dilation].map(i128::from);
        let room = size + 2 * padding - dilation * (kernel - 1) - 1;
        let count = (room + if ceil { stride - 1 } else { 0 }).div_euclid(stride) + 1;
        // The last one begins inside the image or the padding before it.
        let outside = ceil && (count - 1) * stride >= size + padding;
        N::from(i64::try_from(count - i128::from(outside)).unwrap_or(i64::MAX))
    }

    /// The same of a size that is no number.
    fn count_of<N: Number>(self, size: N, ceil: bool) -> N {
        if size.is_unknown() {
            return size;
        }
        let [padding, kernel, stride, dilation] =
            [self.padding, self.kernel, self.stride, self.dilation].map(N::from);
        let one = N::from(1);
        let room = size + padding + padding - dilation * (kernel - one) - one;
        let count = (room + if ceil { stride - one } else { N::from(0) }) / stride + one;
        if ceil && (count - one) * stride >= size + padding { count - one } else { count }
    }

    fn check(self) -> Result<(), String> {
        if self.stride == 0 {
            return Err("stride should not be zero".into());
        }
        if self.padding < 0 {
            return Err(format!("pad must be non-negative, but got pad: {}", self.padding));
        }
        if i128::from(self.padding) > ((i128::from(self.kernel) - 1) * i128::from(self.dilation) + 1) / 2 {
            return Err(format!(
                "pad should be at most half of effective kernel size, but got pad={}, kernel_size={} and dilation={}",
                self.padding, self.kernel, self.dilation
            ));
        }
        Ok(())
    }
}

/// The windows along height and width, by lists of one or two numbers; an empty stride is the kernel's size.
pub fn windows(name: &str, lists: [&[i64]; 4]) -> Result<[Window; 2], String> {
    let [kernel, stride, padding, dilation] = lists;
    let pair = |list: &[i64], words: String| match list {
        [one] => Ok([*one, *one]),
        [height, width] => Ok([*height, *width]),
        _ => Err(words),
    };
    let either = |what: &str| format!("{name}: {what} must either be a single int, or a tuple of two ints");
    let kernel = pair(kernel, either("kernel_size"))?;
    let omitted = format!("{name}: stride must either be omitted, a single int, or a tuple of two ints");
    let stride = if stride.is_empty() { kernel } else { pair(stride, omitted)? };
    let padding = pair(padding, either("padding"))?;
    let dilation =
        pair(dilation, format!("{name}: dilation must be either a single int, or a tuple of two ints"))?;
    Ok([0, 1].map(|d| Window {
        kernel: kernel[d],
        stride: stride[d],
        padding: padding[d],
        dilation: dilation[d],
    }))
}

fn list(args: &Args, name: &str, default: &[i64]) -> Vec<i64> {
    args.optional_ints(name).unwrap_or_else(|| default.to_vec())
}

/// The windows that an operation's attributes name.
pub(super) fn given(args: &Args, name: &str) -> Result<[Window; 2], String> {
    let [kernel, stride] = ["kernel_size", "stride"].map(|name| list(args, name, &[]));
    let (padding, dilation) = (list(args, "padding", &[0]), list(args, "dilation", &[1]));
    windows(name, [&kernel, &stride, &padding, &dilation])
}

/// The shape of what windows over images give.
fn pooled(own: &TensorType, windows: [Window; 2], ceil: bool) -> Result<Vec<Size>, String> {
    let lead = own.rank().saturating_sub(2);
    let mut counts = [Size::ZERO; 2];
    for (d, window) in windows.into_iter().enumerate() {
        window.check()?;
        counts[d] = window.count(own.shape.get(lead + d).copied().unwrap_or(Size::ONE), ceil);
    }
    let [h, w] = windows;
    for (what, pair, names) in [
        ("kernel size", [h.kernel, w.kernel], ["kH", "kW"]),
        ("stride", [h.stride, w.stride], ["dH", "dW"]),
        ("dilation", [h.dilation, w.dilation], ["dilationH", "dilationW"]),
    ] {
        if pair.iter().any(|n| *n <= 0) {
            let [first, second] = names;
            return Err(format!(
                "{what} should be greater than zero, but got {first}: {} {second}: {}",
                pair[0], pair[1]
            ));
        }
    }
    let image = own.shape.get(own.rank().saturating_sub(3)..).unwrap_or_default();
    if !(3..=4).contains(&own.rank()) || image.contains(&Size::ZERO) {
        return Err(format!(
            "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
            Shape(&own.shape)
        ));
    }
    if counts.iter().any(|n| !n.is_unknown() && *n < 1) {
        let by_x = |sizes: &[Size]| sizes.iter().map(Size::to_string).collect::<Vec<_>>().join("x");
        return Err(format!(
            "Given input size: ({}). Calculated output size: ({}). Output size is too small",
            by_x(image),
            by_x(&[image[0], counts[0], counts[1]])
        ));
    }
    Ok([&own.shape[..lead], &counts].concat())
}

fn max_pooled<'c>(args: &Args<'c, '_>) -> Result<TensorType<'c>, String> {
    let own = args.tensor(0)?;
    let windows = given(args, "max_pool2d")?;
    if !(3..=4).contains(&own.rank()) {
        return Err("non-empty 3D or 4D (batch mode) tensor expected for input".into());
    }
    let shape = pooled(&own, windows, args.flag("ceil_mode"))?;
    if own.dtype == Dtype::Bool {
        return Err(not_implemented("max_pool2d", own.dtype));
    }
    Ok(own.with_shape(&shape))
}

/// The largest elements.
pub fn max_pool2d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    one(&max_pooled(args)?)
}

/// The largest elements, and their places in their images.
pub fn max_pool2d_with_indices<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let made = max_pooled(args)?;
    let places = made.with_dtype(Dtype::I64);
    Ok(vec![made.into(), places.into()])
}

/// The type of `self`; gradients and places have the shape of what the windows give.
pub fn max_pool2d_with_indices_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (gradient, own, indices) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    if gradient.dtype != own.dtype {
        return Err(format!(
            "expected dtype {} for `gradOutput` but got dtype {}",
            own.dtype.c_name(),
            gradient.dtype.c_name()
        ));
    }
    let shape = pooled(&own, given(args, "max_pool2d")?, args.flag("ceil_mode"))?;
    let rank = own.rank();
    for given in [&gradient, &indices] {
        let first = rank - 3;
        if given.rank() != rank {
            return Err(format!(
                "Expected a tensor of dimension {rank} and tensor.size[{first}] == {} but got: dimension {} and tensor.size[{first}] = {}",
                shape[first],
                given.rank(),
                given.shape.get(first).copied().unwrap_or(Size::ONE)
            ));
        }
        if let Some(d) = (first..rank).chain(0..first).find(|d| !may_equal(given.shape[*d], shape[*d])) {
            return Err(format!(
                "Expected a tensor of dimension {rank} and tensor.size[{d}] == {} but got: dimension {rank} and tensor.size[{d}] = {}",
                shape[d], given.shape[d]
            ));
        }
    }
    if !own.dtype.is_float() {
        return Err(not_implemented("max_pool2d_backward", own.dtype));
    }
    if indices.dtype != Dtype::I64 {
        return Err(format!("expected scalar type Long but found {}", indices.dtype.aten_name()));
    }
    one(&own)
}

/// The largest elements along the last dimension.
pub fn max_pool1d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let image = own.shape.get(own.rank().saturating_sub(2)..).unwrap_or_default();
    if !(2..=3).contains(&own.rank()) || image.contains(&Size::ZERO) {
        return Err(format!(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
            Shape(&own.shape)
        ));
    }
    let single = |name: &str, default: &[i64], kinds: &str| match list(args, name, default).as_slice() {
        [one] => Ok(*one),
        other => Err(format!("max_pool1d() {name} must be {kinds} of size 1 but got size {}", other.len())),
    };
    let some = "an int, list of ints, or tuple of ints";
    let kernel = single("kernel_size", &[], "an int, list of ints or tuple of ints")?;
    let stride = match list(args, "stride", &[]).as_slice() {
        [] => kernel,
        _ => single("stride", &[], &format!("None, {some}"))?,
    };
    let (padding, dilation) = (single("padding", &[0], some)?, single("dilation", &[1], some)?);
    for (name, value, least, words) in [
        ("kernel_size", kernel, 1, "must be greater than zero"),
        ("stride", stride, 1, "must be greater than zero"),
        ("padding", padding, 0, "must be non-negative"),
    ] {
        if value < least {
            return Err(format!("max_pool1d() {name} {words}, but got {value}"));
        }
    }
    if padding > kernel / 2 {
        return Err(format!(
            "max_pool1d() padding should be at most half of kernel size, but got padding={padding} and kernel_size={kernel}"
        ));
    }
    if dilation <= 0 {
        return Err(format!("max_pool1d() dilation must be greater than zero, but got {dilation}"));
    }
    let window = Window { kernel, stride, padding, dilation };
    let count = window.count(image[1], args.flag("ceil_mode"));
    if !count.is_unknown() && count <= 0 {
        return Err(format!("max_pool1d() Invalid computed output size: {count}"));
    }
    if !own.dtype.is_float() {
        return Err(not_implemented("max_pool1d_impl", own.dtype));
    }
    one(&own.with_shape(&[&own.shape[..own.rank() - 1], &[count]].concat()))
}

pub(super) fn averaged<'c>(
    args: &Args<'c, '_>,
    own: &TensorType<'c>,
    windows: [Window; 2],
) -> Result<TensorType<'c>, String> {
    let shape = pooled(own, windows, args.flag("ceil_mode"))?;
    if !own.dtype.is_float() && own.dtype != Dtype::I64 {
        return Err(not_implemented("avg_pool2d", own.dtype));
    }
    Ok(own.with_shape(&shape))
}

/// The means.
pub fn avg_pool2d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let windows = given(args, "avg_pool2d")?;
    if args.attribute("divisor_override").is_some_and(|a| crate::attributes::i64(a) == 0) {
        return Err("divisor must be not zero".into());
    }
    if own.rank() < 3 {
        let n = own.rank().max(1) as i64;
        return Err(format!(
            "Dimension out of range (expected to be in range of [{}, {}], but got -3)",
            -n,
            n - 1
        ));
    }
    one(&averaged(args, &own, windows)?)
}

/// The means along the last dimension: those of images of one row.
pub fn avg_pool1d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = row_images(args, "avg_pool1d")?;
    let mut lists = vec![];
    for (name, default) in [("kernel_size", &[][..]), ("stride", &[]), ("padding", &[0])] {
        let list = list(args, name, default);
        if list.len() != 1 && !(name == "stride" && list.is_empty()) {
            return Err(format!(
                "avg_pool1d() argument '{name}' should contain one int (got {})",
                list.len()
            ));
        }
        lists.push(list);
    }
    let row = |list: &[i64], other: i64| list.iter().flat_map(|n| [other, *n]).collect::<Vec<_>>();
    let (kernel, stride, padding) = (row(&lists[0], 1), row(&lists[1], 1), row(&lists[2], 0));
    let made = averaged(args, &own, windows("avg_pool2d", [&kernel, &stride, &padding, &[1]])?)?;
    let mut shape = made.shape.clone();
    shape.remove(shape.len() - 2);
    one(&made.with_shape(&shape))
}

/// The operand as images of one row.
fn row_images<'c>(args: &Args<'c, '_>, name: &str) -> Result<TensorType<'c>, String> {
    let own = args.tensor(0)?;
    if !(2..=3).contains(&own.rank()) {
        return Err(format!(
            "Expected 2 to 3 dimensions, but got {}-dimensional tensor for argument #1 'self' (while checking arguments for {name})",
            own.rank()
        ));
    }
    let mut shape = own.shape.clone();
    shape.insert(shape.len() - 1, Size::ONE);
    Ok(own.with_shape(&shape))
}

const ADAPTIVE: &str = "adaptive_avg_pool2d";

fn adapted<'c>(own: &TensorType<'c>, output: &[Size]) -> Result<TensorType<'c>, String> {
    if output.len() != 2 {
        return Err(format!("{ADAPTIVE}: output_size must be 2"));
    }
    if !(3..=4).contains(&own.rank()) {
        return Err(format!("{ADAPTIVE}(): Expected 3D or 4D tensor, but got {}", Shape(&own.shape)));
    }
    let lead = own.rank() - 2;
    if let Some(d) = (lead..own.rank()).find(|d| own.shape[*d] == 0) {
        return Err(format!(
            "{ADAPTIVE}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {d} being empty",
            Shape(&own.shape)
        ));
    }
    if output.iter().any(|n| *n < 0) {
        return Err("numel: integer multiplication overflow".into());
    }
    let made = own.with_shape(&[&own.shape[..lead], output].concat());
    // Eager looks for no kernel where there is nothing to compute.
    if !own.dtype.is_float() && !made.shape.contains(&Size::ZERO) {
        return Err(not_implemented(ADAPTIVE, own.dtype));
    }
    Ok(made)
}

fn not_negative(output: &[Size]) -> Result<(), String> {
    if output.len() == 2 && output.iter().any(|n| *n < 0) {
        return Err(format!(
            "{ADAPTIVE}: elements of output_size must be greater than or equal to 0 but received {{{}, {}}}",
            output[0], output[1]
        ));
    }
    Ok(())
}

/// Means of as many windows as the output has elements. One of them is a mean of all, of which eager asks less.
pub fn adaptive_avg_pool2d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, output) = (args.tensor(0)?, args.sizes("output_size")?);
    if args.operator() == "_adaptive_avg_pool2d" {
        return one(&adapted(&own, &output)?);
    }
    if output.len() != 2 {
        return Err(format!("{ADAPTIVE}: output_size must be 2"));
    }
    not_negative(&output)?;
    if output == [Size::ONE; 2] && own.rank() >= 2 {
        if !own.dtype.is_inexact() {
            return Err(format!(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
                own.dtype.aten_name()
            ));
        }
        return one(&own.with_shape(&[&own.shape[..own.rank() - 2], &[Size::ONE; 2]].concat()));
    }
    one(&adapted(&own, &output)?)
}

/// [`adaptive_avg_pool2d`] of images of one row.
pub fn adaptive_avg_pool1d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = row_images(args, "adaptive_avg_pool1d")?;
    let output = args.sizes("output_size")?;
    let [length] = output.as_slice() else {
        return Err(format!(
            "adaptive_avg_pool1d() argument 'output_size' should contain one int (got {})",
            output.len()
        ));
    };
    not_negative(&[Size::ONE, *length])?;
    let mut shape = own.shape.clone();
    let rank = shape.len();
    if *length == 1 && own.dtype.is_inexact() {
        shape[rank - 1] = Size::ONE;
    } else if *length == 1 {
        return Err(format!(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
            own.dtype.aten_name()
        ));
    } else {
        shape = adapted(&own, &[Size::ONE, *length])?.shape;
    }
    shape.remove(rank - 2);
    one(&own.with_shape(&shape))
}
