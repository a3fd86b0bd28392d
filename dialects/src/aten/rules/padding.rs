//! Sizes of padded tensors.

use super::{Size, Types, not_implemented, views::shaped};
use crate::ir::{args::Args, attributes as convert, dtype::Dtype, types::Shape};
use terrace_size::Number;

/// Of each dimension how much is added before and after it, from a list that starts with the last dimension.
pub fn pads_by_dim(rank: usize, list: &[i64]) -> Vec<[i64; 2]> {
    let mut pads = vec![[0, 0]; rank];
    for (pad, pair) in pads.iter_mut().rev().zip(list.chunks_exact(2)) {
        *pad = [pair[0], pair[1]];
    }
    pads
}

fn added(size: Size, pad: [i64; 2]) -> Size {
    size.saturating_add(pad[0]).saturating_add(pad[1])
}

/// A number around, cut where a pad is negative.
fn by_number<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, list) = (args.tensor(0)?, args.ints("pad")?);
    let rank = own.rank();
    if list.len() % 2 != 0 {
        return Err(format!("Length of pad must be even but instead it equals {}", list.len()));
    }
    if list.len() > 2 * rank {
        return Err(format!(
            "Length of pad should be no more than twice the number of dimensions of the input. Pad length is {}while the \
             input has {rank}dimensions.",
            list.len()
        ));
    }
    let pads = pads_by_dim(rank, &list);
    let mut cut = own.shape.clone();
    for (size, pad) in cut.iter_mut().zip(&pads).filter(|(size, _)| !size.is_unknown()) {
        for less in pad.iter().filter(|p| **p < 0) {
            *size += Size::from(*less);
            if size.assume_lt(0) {
                return Err("narrow(): length must be non-negative.".into());
            }
        }
    }
    shaped(args, &own.shape.iter().zip(&pads).map(|(size, pad)| added(*size, *pad)).collect::<Vec<_>>())
}

/// Padded by a number.
pub fn constant_pad_nd<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let types = by_number(args)?;
    if args.ints("pad")?.iter().any(|p| *p > 0)
        && let Some(value) = args.optional(1)?
    {
        super::creation::representable(value, args.tensor(0)?.dtype)?;
    }
    Ok(types)
}

/// Padded by a number, or by what lies inside the borders.
pub fn pad<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, list) = (args.tensor(0)?, args.ints("pad")?);
    let mode = args.attribute("mode").map_or("constant".into(), convert::string);
    if !matches!(mode.as_str(), "constant" | "reflect" | "replicate" | "circular") {
        return Err(format!("Unrecognised padding mode {mode}"));
    }
    if list.len() % 2 != 0 {
        return Err("Padding length must be divisible by 2".into());
    }
    if list.len() > 2 * own.rank() {
        return Err(format!(
            "Padding length should be less than or equal to two times the input dimension but got padding length {} and input \
             of dimension {}",
            list.len(),
            own.rank()
        ));
    }
    if mode == "constant" {
        return by_number(args);
    }
    if args.attribute("value").is_some_and(|value| convert::f64(value) != 0.0) {
        return Err(format!("Padding mode \"{mode}\" doesn't take in value argument"));
    }
    let dims = list.len() / 2;
    if !(1..=3).contains(&dims) || !(dims + 1..=dims + 2).contains(&own.rank()) {
        return Err(format!(
            "Padding size {} is not supported for {}D input tensor.",
            list.len(),
            own.rank()
        ));
    }
    if mode == "circular" { around(args, &list) } else { by_border(args, &list, &mode) }
}

/// `reflection_pad` and `replication_pad` of one, two or three dimensions.
pub fn border_pad<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let list = args.ints("padding")?;
    let (mode, dims) = if let Some(dims) = args.operator().strip_prefix("reflection_pad") {
        ("reflect", dims)
    } else {
        ("replicate", args.operator().trim_start_matches("replication_pad"))
    };
    let expected = match dims {
        "1d" => 2,
        "2d" => 4,
        _ => 6,
    };
    if list.len() != expected {
        return Err(format!("padding size is expected to be {expected}, but got: {}", list.len()));
    }
    by_border(args, &list, mode)
}

fn by_border<'c>(args: &Args<'c, '_>, list: &[i64], mode: &str) -> Types<'c> {
    let own = args.tensor(0)?;
    let (rank, dims) = (own.rank(), list.len() / 2);
    let batched = rank == dims + 2;
    // The batch alone may be empty.
    let whole = if batched { &own.shape[1..] } else { &own.shape[..] };
    if !(batched || rank == dims + 1) || whole.iter().any(|size| size.assume_eq(0)) {
        return Err(format!(
            "Expected {}D or {}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but \
             got: {}",
            dims + 1,
            dims + 2,
            Shape(&own.shape)
        ));
    }
    let pads = pads_by_dim(rank, list);
    if mode == "reflect" {
        for (i, dim) in (rank - dims..rank).rev().enumerate() {
            if !own.shape[dim].is_unknown() && pads[dim].iter().any(|p| own.shape[dim].assume_le(*p)) {
                return Err(format!(
                    "Argument #{}: Padding size should be less than the corresponding input dimension, but got: padding \
                     ({}, {}) at dimension {dim} of input {}",
                    2 * i + 4,
                    pads[dim][0],
                    pads[dim][1],
                    Shape(&own.shape)
                ));
            }
        }
    }
    let shape: Vec<Size> = own.shape.iter().zip(&pads).map(|(size, pad)| added(*size, *pad)).collect();
    let spatial = |shape: &[Size]| -> Vec<Size> { shape[rank - dims..].to_vec() };
    let (before, after) = (spatial(&own.shape), spatial(&shape));
    if after.iter().any(|size| size.assume_lt(1) && !size.is_unknown()) {
        return Err(match (&before[..], &after[..]) {
            ([w], [to_w]) => format!("input (W: {w}) is too small. Calculated output W: {to_w}"),
            ([h, w], [to_h, to_w]) => format!(
                "Calculated output H: {to_h} W: {to_w} must be >= 1 in every dimension (input H: {h}, W: {w})"
            ),
            _ => format!(
                "Calculated output D: {} H: {} W: {} must be >= 1 in every dimension (input D: {}, H: {}, W: {})",
                after[0], after[1], after[2], before[0], before[1], before[2]
            ),
        });
    }
    if own.dtype == Dtype::Bool {
        let name = if mode == "reflect" { "reflection" } else { "replication" };
        return Err(not_implemented(&format!("{name}_pad{dims}d"), own.dtype));
    }
    shaped(args, &shape)
}

fn around<'c>(args: &Args<'c, '_>, list: &[i64]) -> Types<'c> {
    let own = args.tensor(0)?;
    let pads = pads_by_dim(own.rank(), list);
    for (size, pad) in own.shape.iter().zip(&pads).filter(|(size, _)| !size.is_unknown()) {
        if pad.iter().any(|p| size.assume_lt(*p)) {
            return Err("Padding value causes wrapping around more than once.".into());
        }
        if added(*size, *pad).assume_lt(0) {
            return Err("Negative padding value is resulting in an empty dimension".into());
        }
    }
    shaped(args, &own.shape.iter().zip(&pads).map(|(size, pad)| added(*size, *pad)).collect::<Vec<_>>())
}
