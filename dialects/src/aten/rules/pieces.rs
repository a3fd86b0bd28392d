//! Views that cut a tensor into several.

use super::{Inferred, Size, Types, wrap_dim};
use crate::ir::{args::Args, refusal::Reason, types::Shape};
use terrace_size::Number;

fn pieces<'c>(args: &Args<'c, '_>, dim: usize, sizes: &[Size]) -> Types<'c> {
    let own = args.tensor(0)?;
    Ok(sizes
        .iter()
        .map(|s| {
            let mut shape = own.shape.clone();
            shape[dim] = *s;
            own.with_shape(&shape).into()
        })
        .collect())
}

fn split_dim(args: &Args, name: &str) -> Result<(usize, i64), String> {
    let shape = args.tensor(0)?.shape;
    if shape.is_empty() {
        return Err(format!("{name} expects at least a 1-dimensional tensor"));
    }
    let dim = wrap_dim(args.int_or("dim", 0), shape.len())?;
    let size = shape[dim].assume_number().ok_or_else(|| {
        let why =
            format!("{name} along a dimension whose size is not known: it decides the number of results");
        Reason::Size.says(why)
    })?;
    Ok((dim, size))
}

/// Sizes of pieces of `piece` that make up `size`; one empty piece for an empty dimension.
fn even_pieces(size: i64, piece: i64) -> Vec<Size> {
    if size == 0 {
        return vec![Size::ZERO];
    }
    (0..(size + piece - 1) / piece).map(|i| piece.min(size - i * piece).into()).collect()
}

/// Pieces of `split_size`, the last one shorter.
pub fn split<'c>(args: &Args<'c, '_>) -> Types<'c> {
    // Before the dimension, though not before whether there is one.
    let piece = args.int("split_size")?;
    if piece < 0 && args.tensor(0)?.rank() > 0 {
        return Err(format!("split expects split_size be non-negative, but got split_size={piece}"));
    }
    let (dim, size) = split_dim(args, "split")?;
    if piece == 0 && size != 0 {
        return Err(format!(
            "split_size can only be 0 if dimension size is 0, but got dimension size of {size}"
        ));
    }
    pieces(args, dim, &even_pieces(size, piece.min(size).max(1)))
}

/// Pieces of the given sizes, which add up to the dimension.
pub fn split_with_sizes<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (dim, size) = split_dim(args, "split")?;
    let sizes = args.sizes("split_sizes")?;
    if sizes.iter().any(|s| s.assume_lt(0)) {
        return Err(format!(
            "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={}",
            Shape(&sizes)
        ));
    }
    if sizes.iter().sum::<Size>().assume_ne(size) {
        return Err(format!(
            "split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size at dimension {}), but got split_sizes={}",
            args.int_or("dim", 0),
            Shape(&sizes)
        ));
    }
    pieces(args, dim, &sizes)
}

/// At most `chunks` pieces of one size, the last one shorter.
pub fn chunk<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let chunks = args.int("chunks")?;
    if chunks <= 0 && args.tensor(0)?.rank() > 0 {
        return Err(format!("chunk expects `chunks` to be greater than 0, got: {chunks}"));
    }
    let (dim, size) = split_dim(args, "chunk")?;
    if size == 0 {
        return pieces(args, dim, &vec![Size::ZERO; chunks as usize]);
    }
    pieces(args, dim, &even_pieces(size, (size - 1) / chunks + 1))
}

/// One result per index of a dimension.
pub fn unbind<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    wrap_dim(args.int_or("dim", 0), own.rank())?;
    if own.rank() == 0 {
        return Err("Dimension specified as 0 but tensor has no dimensions".into());
    }
    let (dim, size) = split_dim(args, "unbind")?;
    let mut shape = own.shape.clone();
    shape.remove(dim);
    Ok(vec![Inferred::from(own.with_shape(&shape)); size as usize])
}

/// Where the cuts of a dimension of `size` are: `hsplit`, `vsplit` and `dsplit` know their dimension and want
/// it to divide.
///
/// # Errors
/// In eager's words.
pub fn cuts(args: &Args) -> Result<(usize, Vec<[i64; 2]>), String> {
    let shape = args.tensor(0)?.shape;
    let (name, _) = args.operator().split_once('.').unwrap_or((args.operator(), ""));
    let sections = args.attribute("sections").map(crate::ir::attributes::i64);
    let (least, dim) = match name {
        "hsplit" => (1, i64::from(shape.len() > 1)),
        "vsplit" => (2, 0),
        "dsplit" => (3, 2),
        _ => (0, args.int_or("dim", 0)),
    };
    if shape.len() < least {
        return Err(format!(
            "torch.{name} requires a tensor with at least {least} dimension, but got a tensor with {} dimensions!",
            shape.len()
        ));
    }
    if shape.is_empty() {
        return Err(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims".into()
        );
    }
    let dim = wrap_dim(dim, shape.len())?;
    let size = shape[dim].assume_number().ok_or_else(|| {
        Reason::Size.says("cuts a dimension whose size is not known: it decides the sizes of the parts")
    })?;
    let ends: Vec<[i64; 2]> = match sections {
        Some(n) if least > 0 && (n == 0 || size % n != 0) => {
            return Err(format!(
                "torch.{name} attempted to split along dimension {dim}, but the size of the dimension {size} is not \
                 divisible by the split_size {n}!"
            ));
        }
        Some(n) if n <= 0 => return Err(format!("number of sections must be larger than 0, got {n}")),
        Some(n) => {
            let start = |i: i64| i * (size / n) + i.min(size % n);
            (0..n).map(|i| [start(i), start(i + 1)]).collect()
        }
        None => {
            let at = |i: i64| (if i < 0 { i.saturating_add(size) } else { i }).clamp(0, size);
            let inner: Vec<i64> = args.ints("indices")?.into_iter().map(at).collect();
            let starts = std::iter::once(0).chain(inner.iter().copied());
            let ends = inner.iter().copied().chain([size]);
            starts.zip(ends).map(|(start, end)| [start, end.max(start)]).collect()
        }
    };
    Ok((dim, ends))
}

/// Parts between cuts.
pub fn tensor_split<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (dim, cuts) = cuts(args)?;
    pieces(args, dim, &cuts.iter().map(|[start, end]| Size::from(end - start)).collect::<Vec<_>>())
}
