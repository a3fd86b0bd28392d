//! The layouts of what eager makes of views and copies, one after another.

use super::{
    creation,
    either::ints,
    fourier,
    place::{Known, Placed, Places, Question},
};
use crate::{
    aten::rules::{self, Kind},
    ir::{OperationLike, args::Args, attributes as convert, device, registry, view},
};
use terrace_layout::{
    Layout,
    creation::{in_format, suggested_format},
};
use terrace_size::Number;

fn tensors<N: Number>(q: &Question<'_, '_, '_, N>) -> Result<Vec<Layout<N>>, String> {
    view::variadic(q.op, q.class, 0).into_iter().map(|value| Ok((q.tensor)(value)?.layout)).collect()
}

/// Joined along the dimension before which the new one stands, which is then split.
pub(super) fn stacked<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let (tensors, shape) = (tensors(q)?, &q.result(0)?.shape);
    let dim = view::attribute(q.op, "dim").map_or(0, convert::i64).rem_euclid(shape.len() as i64) as usize;
    if dim + 1 == shape.len() {
        let raised: Vec<Layout<N>> = tensors.iter().map(|own| own.unsqueeze(dim)).collect();
        return q.new_tensor(0, creation::cat(shape, &raised));
    }
    let mut sizes = shape.clone();
    let count = sizes.remove(dim);
    sizes[dim] = sizes[dim] * count;
    let whole = creation::cat(&sizes, &tensors);
    q.new_tensor(0, whole.view(shape).unwrap_or_else(|| Layout::contiguous(shape)))
}

/// Joined when they have the dimension.
pub(super) fn joined<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let name = q.class.name.trim_start_matches("graph.");
    let raise = |own: Layout<N>| {
        let to = rules::at_least(name, &own.sizes);
        if to.len() == own.rank() { own } else { own.view(&to).unwrap_or_else(|| Layout::contiguous(&to)) }
    };
    let raised: Vec<Layout<N>> = tensors(q)?.into_iter().map(raise).collect();
    q.new_tensor(0, creation::cat(&q.result(0)?.shape, &raised))
}

/// What leaves at one end is joined to the other.
pub(super) fn rolled<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let mut own = q.own(0)?.layout;
    let dims = ints(q, "dims");
    if dims.is_empty() {
        // A tensor of one dimension and no elements is a copy as it is.
        let as_it_is = own.rank() == 1 && own.is_empty();
        return q.new_tensor(0, if as_it_is { creation::like(&own) } else { Layout::contiguous(&own.sizes) });
    }
    for (shift, dim) in ints(q, "shifts").iter().zip(&dims) {
        if own.is_empty() {
            own = creation::like(&own);
            continue;
        }
        let dim = dim.rem_euclid(own.rank().max(1) as i64) as usize;
        let size = own.sizes[dim];
        let shift = N::from(*shift);
        let start = (size - (shift - size * (shift / size))) % size;
        let tail = own.slice(dim, start, size - start, N::ONE);
        let head = own.slice(dim, N::ZERO, start, N::ONE);
        own = creation::cat(&own.sizes, &[tail, head]);
    }
    q.new_tensor(0, own)
}

/// Neighbours subtracted, again and again.
pub(super) fn differences<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let mut own = q.own(0)?.layout;
    let n = view::attribute(q.op, "n").map_or(1, convert::i64);
    let dim =
        view::attribute(q.op, "dim").map_or(-1, convert::i64).rem_euclid(own.rank().max(1) as i64) as usize;
    if n == 0 {
        return q.new_tensor(0, creation::like(&own));
    }
    let more: Vec<_> = [1, 2].iter().map(|place| view::optional(q.op, q.class, *place)).collect();
    let mut is_new = false;
    if more.iter().any(Option::is_some) {
        let others = [more[0], Some(q.operand(0)), more[1]];
        let all: Vec<Layout<N>> =
            others.into_iter().flatten().map(|v| Ok((q.tensor)(v)?.layout)).collect::<Result<_, String>>()?;
        let mut sizes = own.sizes.clone();
        sizes[dim] = all.iter().map(|own| own.sizes[dim]).sum();
        (own, is_new) = (creation::cat(&sizes, &all), true);
    }
    for _ in 0..n {
        let size = own.sizes[dim];
        if size.assume_eq(0) {
            break;
        }
        let less = size - N::ONE;
        let both = [own.slice(dim, N::ONE, less, N::ONE), own.slice(dim, N::ZERO, less, N::ONE)];
        (own, is_new) = (creation::pointwise(&both[0].sizes, &both), true);
    }
    if is_new { q.new_tensor(0, own) } else { Ok(vec![Placed::Operand(q.operand(0))]) }
}

/// A part of the operand where nothing is added, else a new tensor in the format that the operand suggests.
pub(super) fn padded<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>, name: &str) -> Places<'c, 'a, N> {
    let own = q.own(0)?.layout;
    let sizes = &q.result(0)?.shape;
    let mode = view::attribute(q.op, "mode").map(convert::string);
    let by_number = name == "pad" && matches!(mode.as_deref(), None | Some("constant"));
    let pads = rules::pads_by_dim(own.rank(), &ints(q, name));
    if mode.as_deref() == Some("circular") {
        return q.new_tensor(0, Layout::contiguous(sizes));
    }
    if by_number && pads.iter().flatten().all(|pad| *pad <= 0) {
        let mut cut = own.clone();
        for (dim, [before, _]) in pads.iter().enumerate() {
            cut = cut.slice(dim, N::from(-before), sizes[dim], N::ONE);
        }
        return q.new_tensor(0, creation::like(&cut));
    }
    let images = matches!(own.rank(), 4 | 5);
    let format = if images { suggested_format(&own) } else { "contiguous_format" };
    q.new_tensor(0, in_format(sizes, format))
}

/// Cast, cut and padded, then the transform; the inverse of real numbers is a conjugate.
pub(super) fn transformed<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let attribute = |name: &str| q.op.attribute(name).ok();
    let operands = [q.operand(0)];
    let args = Args::new(q.class, q.op.context(), &operands, &attribute);
    let transform = rules::transform(&match q.known {
        Some(known) => args.with(known),
        None => args,
    })?;
    let known = q.own(0)?;
    let mut own = known.layout;
    if known.dtype != transform.dtype {
        own = creation::like(&own);
    }
    let mut sizes = own.sizes.clone();
    let mut grows = false;
    for &(dim, size) in &transform.sizes(&sizes)?.0 {
        grows |= size.assume_gt(sizes[dim]);
        if size.assume_lt(sizes[dim]) {
            own = own.slice(dim, N::ZERO, size, N::ONE);
        }
        sizes[dim] = size;
    }
    if grows {
        let images = matches!(own.rank(), 4 | 5);
        own = in_format(&sizes, if images { suggested_format(&own) } else { "contiguous_format" });
    }
    if transform.kind == Kind::ToReal && transform.forward {
        own = creation::like(&own);
    }
    let (name, conj) = match transform.kind {
        Kind::Complex => ("graph._fft_c2c", false),
        Kind::FromReal | Kind::FromRealToAll => ("graph._fft_r2c", !transform.forward),
        Kind::ToReal => ("graph._fft_c2r", false),
    };
    let class = registry::by_name(name).ok_or("there is no such transform")?;
    let dims: Vec<usize> = transform.dims.iter().map(|(dim, _)| *dim).collect();
    let result = q.result(0)?;
    let layout = fourier::transformed(class, &result.shape, own, &dims, device::is_cuda(result.device))?;
    Ok(vec![Placed::New(Known { layout, dtype: result.dtype, conj, neg: false })])
}
