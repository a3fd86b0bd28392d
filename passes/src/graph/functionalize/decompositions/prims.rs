//! Operators of other namespaces than ATen's, and tables of rows.

use super::lowering::{Lowered, Lowering};
use crate::functional::writer::{Writer, Written, number};
use melior::ir::Value;
use terrace_dialects::{
    aten::placement::iterated::promoted_as,
    ir::{
        OperationLike, attributes as convert,
        dtype::{Dtype, promote},
        pass::Failure,
        view,
    },
    ops::functional as f,
};
use terrace_size::Size;

fn int(l: &Lowering, name: &str) -> Result<i64, Failure> {
    Ok(convert::i64(l.op.attribute(name)?))
}

/// `prims.iota`.
pub fn iota<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let w: Writer = **l.values;
    let (start, step) = (w.number(Dtype::I64, int(l, "start")?)?, w.number(Dtype::I64, int(l, "step")?)?);
    Ok(vec![w.of_sizes(dtype, &sizes, |at, ty, dynamic| f::arange(at, ty, start, step, dynamic))?])
}

/// `prims.fma`. A product that is not of reals is rounded, or wrapped, to its own dtype before the sum.
pub fn fma<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let product = promote(&[0, 1].map(|place| promoted_as(&l.operand(place))));
    if product != dtype && !product.is_float() {
        let a = l.tensor(l.operand(0), product, &sizes)?;
        let b = l.tensor(l.operand(1), product, &sizes)?;
        let c = l.tensor(l.operand(2), dtype, &sizes)?;
        let w: Writer = **l.values;
        return Ok(vec![w.binary(f::add, w.cast(w.binary(f::mul, a, b)?, dtype)?, c)?]);
    }
    let mut all = vec![];
    for place in 0..3 {
        all.push(l.tensor(l.operand(place), dtype, &sizes)?);
    }
    Ok(vec![l.values.value(f::prims_fma(l.values.location(), all[0], all[1], all[2]))?])
}

/// Which windows are counted along a dimension of an image, and how.
struct Windows {
    kernel: Vec<i64>,
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
}

impl Windows {
    fn of(l: &Lowering) -> Result<Self, Failure> {
        let list = |name: &str| Ok::<_, Failure>(convert::i64s(l.op.attribute(name)?));
        let (kernel, mut stride) = (list("kernel_size")?, list("stride")?);
        if stride.is_empty() {
            stride.clone_from(&kernel);
        }
        Ok(Self { kernel, stride, padding: list("padding")?, dilation: list("dilation")? })
    }

    fn kernel(&self) -> Vec<Size> {
        self.kernel.iter().map(|size| Size::from(*size)).collect()
    }

    /// Where each window begins along a dimension of the image, in the shape of the windows.
    fn starts<'c, 'a>(&self, w: Writer<'c, 'a>, dim: usize, sizes: &[Size]) -> Written<'c, 'a> {
        let at = sizes.len() - self.kernel.len() + dim;
        w.along(w.counted(sizes[at], -self.padding[dim], self.stride[dim])?, at, sizes)
    }
}

/// Integers over a number, rounded down, and what is left.
fn divided<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>, by: Size) -> Result<[Value<'c, 'a>; 2], Failure> {
    let by = w.like_size(x, by)?;
    let quotient = w.value(f::div(w.location(), x, by, Some("floor")))?;
    Ok([quotient, w.binary(f::remainder, x, by)?])
}

fn times<'c, 'a>(w: Writer<'c, 'a>, x: Value<'c, 'a>, by: Size) -> Written<'c, 'a> {
    if by.known() == Some(1) { Ok(x) } else { w.binary(f::mul, x, w.like_size(x, by)?) }
}

/// The coordinates of places that count in row-major order; the first takes what is beyond the sizes.
fn coordinates<'c, 'a>(
    w: Writer<'c, 'a>,
    mut place: Value<'c, 'a>,
    sizes: &[Size],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let mut along = vec![];
    for size in sizes[1..].iter().rev() {
        let [quotient, rest] = divided(w, place, *size)?;
        along.insert(0, rest);
        place = quotient;
    }
    along.insert(0, place);
    Ok(along)
}

/// The places of coordinates.
fn placed<'c, 'a>(w: Writer<'c, 'a>, along: &[Value<'c, 'a>], sizes: &[Size]) -> Written<'c, 'a> {
    let mut place = along[0];
    for (coordinate, size) in along.iter().zip(sizes).skip(1) {
        place = w.binary(f::add, times(w, place, *size)?, *coordinate)?;
    }
    Ok(place)
}

/// `prims._low_memory_max_pool_with_offsets`: the places of `max_pool2d_with_indices` or its like over
/// volumes, counted from where their windows begin.
pub fn max_pool_with_offsets<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, windows) = (l.read(l.operand(0))?, Windows::of(l)?);
    let dims = windows.kernel.len();
    let name = if dims == 3 { "max_pool3d_with_indices" } else { "max_pool2d_with_indices" };
    let made = l.build(name, &[vec![own]], &[])?;
    let (largest, places) = (made[0], made[1]);
    let w: Writer = **l.values;
    let (image, sizes) = (w.sizes(own)?, w.sizes(places)?);
    let mut parts = vec![];
    for (dim, place) in coordinates(w, places, &image[image.len() - dims..])?.into_iter().enumerate() {
        let from = w.binary(f::sub, place, windows.starts(w, dim, &sizes)?)?;
        parts.push(divided(w, from, windows.dilation[dim].into())?[0]);
    }
    Ok(vec![largest, w.cast(placed(w, &parts, &windows.kernel())?, Dtype::I8)?])
}

/// `prims._low_memory_max_pool_offsets_to_indices`.
pub fn max_pool_offsets_to_indices<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, windows) = (l.read(l.operand(0))?, Windows::of(l)?);
    let image: Vec<Size> = convert::i64s(l.op.attribute("input_size")?).into_iter().map(Size::from).collect();
    let w: Writer = **l.values;
    let offsets = w.cast(own, Dtype::I64)?;
    let sizes = w.sizes(offsets)?;
    let mut places = vec![];
    for (dim, part) in coordinates(w, offsets, &windows.kernel())?.into_iter().enumerate() {
        let from = times(w, part, windows.dilation[dim].into())?;
        places.push(w.binary(f::add, windows.starts(w, dim, &sizes)?, from)?);
    }
    Ok(vec![placed(w, &places, &image)?])
}

/// `embedding_bag`: the internal one, where a row that counts for nothing is not negative. Of a table of as
/// many rows as the run says such a row is counted from the end, as all are then.
pub fn embedding_bag<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (mut weight, mut indices) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let offsets = l.read(l.operand(2))?;
    let samples = view::optional(l.op, l.op_impl, 3).map(|value| l.read(value)).transpose()?;
    let wraps = l.base_name() == "embedding_bag";
    let (w, rows) = (**l.values, l.values.sizes(weight)?[0]);
    let mut padding = view::attribute(l.op, "padding_idx").map_or(-1, convert::i64);
    let negative = wraps && padding < 0 && view::attribute(l.op, "padding_idx").is_some();
    let turned = negative && rows.known().is_none();
    let from_the_end =
        |x: Value<'c, 'a>| -> Written<'c, 'a> { w.binary(f::sub, w.like_size(x, rows - 1)?, x) };
    if turned {
        weight = w.value(f::flip(w.location(), weight, &[0]))?;
        indices = from_the_end(indices)?;
        padding = -1 - padding;
    } else if negative {
        padding = number(rows + padding)?;
    }
    let flag = |name: &str| Some(view::attribute(l.op, name).is_some_and(convert::bool));
    let mode = view::attribute(l.op, "mode").map_or(0, convert::i64);
    let (by_frequency, sparse, last) =
        (flag("scale_grad_by_freq"), flag("sparse"), flag("include_last_offset"));
    let location = l.values.location();
    let op = f::_embedding_bag(
        location,
        weight,
        indices,
        offsets,
        by_frequency,
        Some(mode),
        sparse,
        samples,
        last,
        Some(padding),
    );
    let mut results = l.values.values(op)?;
    if turned && mode == 2 {
        // A bag of nothing names the first row.
        let own = w.ty(results[3])?;
        let some = w.binary(f::gt, results[2], w.like(results[2], 0.0)?)?;
        let some = w.along(some, 0, &own.shape)?;
        results[3] = w.choose(some, from_the_end(results[3])?, w.like(results[3], 0.0)?)?;
    }
    if wraps && mode == 0 {
        // Nothing is counted, once for each offset.
        let (w, count) = (**l.values, l.values.sizes(offsets)?);
        let dtype = w.ty(results[2])?.dtype;
        let zeros = w.full(w.number(dtype, 0)?, dtype, &count)?;
        results[2..].fill(zeros);
    }
    Ok(results)
}

/// `embedding_backward`: the dense one.
pub fn embedding_backward<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (grad, indices) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    l.build("embedding_dense_backward", &[vec![grad], vec![indices]], &["sparse"])
}

/// `grid_sampler`: of images or of volumes.
pub fn grid_sampler<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (x, grid) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let name = if l.values.sizes(x)?.len() == 5 { "grid_sampler_3d" } else { "grid_sampler_2d" };
    l.build(name, &[vec![x], vec![grid]], &[])
}
