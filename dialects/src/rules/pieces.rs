//! Views that cut a tensor into several.

use super::{Types, wrap_dim};
use crate::{
    args::Args,
    types::{DYNAMIC, Shape},
};

fn pieces<'c>(args: &Args<'c, '_>, dim: usize, sizes: &[i64]) -> Types<'c> {
    let own = args.tensor(0)?;
    Ok(sizes
        .iter()
        .map(|s| {
            let mut shape = own.shape.clone();
            shape[dim] = *s;
            own.with_shape(&shape).to_type(args.context())
        })
        .collect())
}

fn split_dim(args: &Args, name: &str) -> Result<(usize, i64), String> {
    let shape = args.tensor(0)?.shape;
    if shape.is_empty() {
        return Err(format!("{name} expects at least a 1-dimensional tensor"));
    }
    let dim = wrap_dim(args.int_or("dim", 0), shape.len())?;
    if shape[dim] == DYNAMIC {
        return Err(format!(
            "{name} along a dimension whose size is not known: it decides the number of results"
        ));
    }
    Ok((dim, shape[dim]))
}

/// Sizes of pieces of `piece` that make up `size`; one empty piece for an empty dimension.
fn even_pieces(size: i64, piece: i64) -> Vec<i64> {
    if size == 0 {
        return vec![0];
    }
    (0..(size + piece - 1) / piece).map(|i| piece.min(size - i * piece)).collect()
}

/// Pieces of `split_size`, the last one shorter.
pub fn split<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (dim, size) = split_dim(args, "split")?;
    let piece = args.int("split_size")?;
    if piece < 0 {
        return Err(format!("split expects split_size be non-negative, but got split_size={piece}"));
    }
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
    let sizes = args.ints("split_sizes")?;
    if sizes.iter().any(|s| *s < 0) {
        return Err(format!(
            "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={}",
            Shape(&sizes)
        ));
    }
    if sizes.iter().sum::<i64>() != size {
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
    let (dim, size) = split_dim(args, "chunk")?;
    let chunks = args.int("chunks")?;
    if chunks <= 0 {
        return Err(format!("chunk expects `chunks` to be greater than 0, got: {chunks}"));
    }
    if size == 0 {
        return pieces(args, dim, &vec![0; chunks as usize]);
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
    Ok(vec![own.with_shape(&shape).to_type(args.context()); size as usize])
}
