//! Windows over images [C, H, W], or batches of them.

use super::{Size, TensorType, Types, may_equal, not_implemented, one};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};
use terrace_size::Number;

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
    /// The number of windows over a dimension of `size`; with `ceil` also one that begins inside and ends
    /// outside.
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
        if ceil && ((count - one) * stride).assume_ge(size + padding) { count - one } else { count }
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

/// The windows along each dimension, by lists of one number or one for each; an empty stride is the kernel's
/// size.
pub fn windows<const N: usize>(name: &str, lists: [&[i64]; 4]) -> Result<[Window; N], String> {
    let [kernel, stride, padding, dilation] = lists;
    let each = |list: &[i64], words: String| match list {
        [one] => Ok([*one; N]),
        _ => list.try_into().map_err(|_| words),
    };
    let ints = if N == 2 { "two ints" } else { "three ints" };
    let either = if name == "avg_pool3d" { "" } else { "either " };
    let must = |what: &str| format!("{name}: {what} must {either}be a single int, or a tuple of {ints}");
    let kernel = each(kernel, must("kernel_size"))?;
    let omitted = format!("{name}: stride must {either}be omitted, a single int, or a tuple of {ints}");
    let stride = if stride.is_empty() { kernel } else { each(stride, omitted)? };
    let padding = each(padding, must("padding"))?;
    let dilation =
        each(dilation, format!("{name}: dilation must be either a single int, or a tuple of {ints}"))?;
    Ok(std::array::from_fn(|d| Window {
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
pub(super) fn given<const N: usize>(args: &Args, name: &str) -> Result<[Window; N], String> {
    let [kernel, stride] = ["kernel_size", "stride"].map(|name| list(args, name, &[]));
    let (padding, dilation) = (list(args, "padding", &[0]), list(args, "dilation", &[1]));
    windows(name, [&kernel, &stride, &padding, &dilation])
}

/// The shape of what windows over images or volumes give; `asks` looks at their sizes before those of the
/// result.
pub(super) fn pooled<const N: usize>(
    own: &TensorType,
    windows: [Window; N],
    ceil: bool,
    asks: impl Fn(&TensorType) -> Result<(), String>,
) -> Result<Vec<Size>, String> {
    let lead = own.rank().saturating_sub(N);
    let mut counts = [Size::ZERO; N];
    for (d, window) in windows.into_iter().enumerate() {
        window.check()?;
        counts[d] = window.count(own.shape.get(lead + d).copied().unwrap_or(Size::ONE), ceil);
    }
    let dims = &["T", "H", "W"][3 - N..];
    for (what, name, number) in [
        ("kernel size", "k", (|w| w.kernel) as fn(&Window) -> i64),
        ("stride", "d", |w| w.stride),
        ("dilation", "dilation", |w| w.dilation),
    ] {
        if windows.iter().any(|w| number(w) <= 0) {
            let all = windows.iter().zip(dims).map(|(w, dim)| format!("{name}{dim}: {}", number(w)));
            return Err(format!(
                "{what} should be greater than zero, but got {}",
                all.collect::<Vec<_>>().join(" ")
            ));
        }
    }
    asks(own)?;
    let image = own.shape.get(lead.saturating_sub(1)..).unwrap_or_default();
    if counts.iter().any(|n| !n.is_unknown() && n.assume_lt(1)) {
        let by_x = |sizes: &[Size]| sizes.iter().map(Size::to_string).collect::<Vec<_>>().join("x");
        return Err(format!(
            "Given input size: ({}). Calculated output size: ({}). Output size is too small",
            by_x(image),
            by_x(&[&image[..1], &counts].concat())
        ));
    }
    Ok([&own.shape[..lead], &counts].concat())
}

/// Images of channels, with something in them, or batches of them.
fn images(own: &TensorType) -> Result<(), String> {
    let image = own.shape.get(own.rank().saturating_sub(3)..).unwrap_or_default();
    if (3..=4).contains(&own.rank()) && !image.iter().any(|size| size.assume_eq(0)) {
        return Ok(());
    }
    Err(format!(
        "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
        Shape(&own.shape)
    ))
}

fn max_pooled<'c>(args: &Args<'c, '_>) -> Result<TensorType<'c>, String> {
    let own = args.tensor(0)?;
    let windows = given::<2>(args, "max_pool2d")?;
    if !(3..=4).contains(&own.rank()) {
        return Err("non-empty 3D or 4D (batch mode) tensor expected for input".into());
    }
    let shape = pooled(&own, windows, args.flag("ceil_mode"), images)?;
    if own.dtype == Dtype::Bool || own.dtype.is_complex() {
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
    gradient_dtype(&gradient, &own)?;
    let shape = pooled(&own, given::<2>(args, "max_pool2d")?, args.flag("ceil_mode"), images)?;
    for given in [&gradient, &indices] {
        pooled_shape(given, &shape, 2)?;
    }
    gradient_of_places(&own, &indices, "max_pool2d_backward")?;
    one(&own)
}

/// The gradient has the dtype of what it is of.
pub(super) fn gradient_dtype(gradient: &TensorType, own: &TensorType) -> Result<(), String> {
    if gradient.dtype == own.dtype {
        return Ok(());
    }
    Err(format!(
        "expected dtype {} for `gradOutput` but got dtype {}",
        own.dtype.c_name(),
        gradient.dtype.c_name()
    ))
}

/// A tensor has the shape of what windows over `dims` dimensions give.
pub(super) fn pooled_shape(given: &TensorType, shape: &[Size], dims: usize) -> Result<(), String> {
    let (rank, first) = (shape.len(), shape.len() - dims - 1);
    if given.rank() != rank {
        return Err(format!(
            "Expected a tensor of dimension {rank} and tensor.size[{first}] == {} but got: dimension {} and tensor.size[{first}] = {}",
            shape[first],
            given.rank(),
            given.shape.get(first).copied().unwrap_or(Size::ONE)
        ));
    }
    let differs = |d: &usize| !may_equal(given.shape[*d], shape[*d]);
    match (first..rank).chain(0..first).find(differs) {
        Some(d) => Err(format!(
            "Expected a tensor of dimension {rank} and tensor.size[{d}] == {} but got: dimension {rank} and tensor.size[{d}] = {}",
            shape[d], given.shape[d]
        )),
        None => Ok(()),
    }
}

/// Floats, and places as i64.
pub(super) fn gradient_of_places(own: &TensorType, indices: &TensorType, kernel: &str) -> Result<(), String> {
    if !own.dtype.is_float() {
        return Err(not_implemented(kernel, own.dtype));
    }
    if indices.dtype != Dtype::I64 {
        return Err(format!("expected scalar type Long but found {}", indices.dtype.aten_name()));
    }
    Ok(())
}

/// The largest elements along the last dimension.
pub fn max_pool1d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let image = own.shape.get(own.rank().saturating_sub(2)..).unwrap_or_default();
    if !(2..=3).contains(&own.rank()) || image.iter().any(|size| size.assume_eq(0)) {
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
    if !count.is_unknown() && count.assume_le(0) {
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
    let shape = pooled(own, windows, args.flag("ceil_mode"), images)?;
    if !own.dtype.is_float() && own.dtype != Dtype::I64 {
        return Err(not_implemented("avg_pool2d", own.dtype));
    }
    Ok(own.with_shape(&shape))
}

/// The means.
pub fn avg_pool2d<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let windows = given(args, "avg_pool2d")?;
    if args.attribute("divisor_override").is_some_and(|a| crate::ir::attributes::i64(a) == 0) {
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
pub(super) fn row_images<'c>(args: &Args<'c, '_>, name: &str) -> Result<TensorType<'c>, String> {
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
