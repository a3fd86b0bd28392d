//! Views: shapes out of shapes. Strides decide at run time whether a `view` is legal; here sizes do.

use super::{Types, may_equal, may_equal_shapes, one, pointwise::expands_to, wrap_dim, wrap_dims};
use crate::{
    args::Args,
    types::{DYNAMIC, Shape},
};

fn shaped<'c>(args: &Args<'c, '_>, shape: &[i64]) -> Types<'c> {
    one(args.context(), &args.tensor(0)?.with_shape(shape))
}

/// Two dimensions change places; at most two dimensions.
pub fn t<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    if shape.len() > 2 {
        return Err(format!("t() expects a tensor with <= 2 dimensions, but self is {}D", shape.len()));
    }
    shape.reverse();
    shaped(args, &shape)
}

/// The last two dimensions change places.
#[allow(non_snake_case)]
pub fn mT<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    let n = shape.len();
    if n < 2 {
        return Err(format!(
            "tensor.mT is only supported on matrices or batches of matrices. Got {n}-D tensor."
        ));
    }
    shape.swap(n - 1, n - 2);
    shaped(args, &shape)
}

fn swap<'c>(args: &Args<'c, '_>, names: [&str; 2]) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    let (a, b) = (wrap_dim(args.int(names[0])?, shape.len())?, wrap_dim(args.int(names[1])?, shape.len())?);
    if !shape.is_empty() {
        shape.swap(a, b);
    }
    shaped(args, &shape)
}

/// `dim0` and `dim1` change places.
pub fn transpose<'c>(args: &Args<'c, '_>) -> Types<'c> {
    swap(args, ["dim0", "dim1"])
}

/// `axis0` and `axis1` change places.
pub fn swapaxes<'c>(args: &Args<'c, '_>) -> Types<'c> {
    swap(args, ["axis0", "axis1"])
}

/// The permutation that `movedim` is: result dimension i is dimension `order[i]` of the operand.
pub fn movedim_order(source: &[i64], destination: &[i64], rank: usize) -> Result<Vec<usize>, String> {
    if source.len() != destination.len() {
        return Err(format!(
            "movedim: Invalid source or destination dims: source ({source:?} dims) should contain the same number of dims \
             as destination ({destination:?} dims)"
        ));
    }
    let wrapped = |name: &str, dims: &[i64]| -> Result<Vec<usize>, String> {
        let wrapped = dims.iter().map(|d| wrap_dim(*d, rank)).collect::<Result<Vec<_>, _>>()?;
        if (1..wrapped.len()).any(|i| wrapped[..i].contains(&wrapped[i])) {
            return Err(format!("movedim: repeated dim in `{name}` ({dims:?})"));
        }
        Ok(wrapped)
    };
    let (source, destination) = (wrapped("source", source)?, wrapped("destination", destination)?);
    let mut order = vec![usize::MAX; rank];
    for (s, d) in source.iter().zip(&destination).filter(|_| rank > 0) {
        order[*d] = *s;
    }
    let mut rest = (0..rank).filter(|d| !source.contains(d));
    for slot in order.iter_mut().filter(|o| **o == usize::MAX) {
        *slot = rest.next().ok_or("movedim: dims repeat")?;
    }
    Ok(order)
}

/// Dimensions move from `source` to `destination`; the others keep their order.
pub fn movedim<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let shape = args.tensor(0)?.shape;
    let order = movedim_order(&args.ints("source")?, &args.ints("destination")?, shape.len())?;
    shaped(args, &order.iter().map(|d| shape[*d]).collect::<Vec<_>>())
}

/// Result dimension i is dimension `dims[i]`.
pub fn permute<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let shape = args.tensor(0)?.shape;
    let dims = args.ints("dims")?;
    if dims.len() != shape.len() {
        return Err(format!(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired \
             ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}",
            shape.len(),
            dims.len()
        ));
    }
    let dims = wrap_dims(&dims, shape.len()).map_err(|e| {
        if e.starts_with("dim ") { "permute(): duplicate dims are not allowed.".to_string() } else { e }
    })?;
    shaped(args, &dims.iter().map(|d| shape[*d]).collect::<Vec<_>>())
}

/// A dimension of size 1 at `dim`.
pub fn unsqueeze<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    let dim = wrap_dim(args.int("dim")?, shape.len() + 1)?;
    shape.insert(dim, 1);
    shaped(args, &shape)
}

/// Without the dimensions of size 1, all or those of `dim`; which they are must be known.
pub fn squeeze<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let shape = args.tensor(0)?.shape;
    let dims = match args.optional_ints("dim") {
        Some(dims) => wrap_dims(&dims, shape.len())?,
        None => (0..shape.len()).collect(),
    };
    if dims.iter().any(|d| shape.get(*d) == Some(&DYNAMIC)) {
        return Err("squeezes a dimension whose size is not known: whether it is 1 decides the rank".into());
    }
    let kept: Vec<i64> =
        shape.iter().enumerate().filter(|(d, s)| !(dims.contains(d) && **s == 1)).map(|(_, s)| *s).collect();
    shaped(args, &kept)
}

/// `size` with its -1 worked out from `elements` (None where unknown).
fn infer_size(size: &[i64], elements: Option<i64>) -> Result<Vec<i64>, String> {
    let mut inferred = None;
    for (i, s) in size.iter().enumerate() {
        if *s == -1 {
            if inferred.replace(i).is_some() {
                return Err("only one dimension can be inferred".into());
            }
        } else if *s < 0 && *s != DYNAMIC {
            return Err(format!("invalid shape dimension {s}"));
        }
    }
    let known: Option<i64> = size
        .iter()
        .filter(|s| **s != -1)
        .try_fold(1i64, |p, s| if *s == DYNAMIC { None } else { p.checked_mul(*s) });
    let mut out = size.to_vec();
    let invalid = |n: i64| format!("shape '{}' is invalid for input of size {n}", Shape(size));
    match (inferred, known, elements) {
        (Some(i), Some(p), Some(n)) => {
            if p == 0 {
                if n == 0 {
                    return Err(format!(
                        "cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 can be any value and is ambiguous",
                        Shape(size)
                    ));
                }
                return Err(invalid(n));
            }
            if n % p != 0 {
                return Err(invalid(n));
            }
            out[i] = n / p;
        }
        (Some(i), _, _) => out[i] = DYNAMIC,
        (None, Some(p), Some(n)) if p != n => return Err(invalid(n)),
        _ => {}
    }
    Ok(out)
}

/// The same elements in another shape; one size may be -1.
pub fn view<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let size = args.dynamic_ints("size", 1)?;
    shaped(args, &infer_size(&size, args.tensor(0)?.elements())?)
}

/// The same elements in the shape of the second operand.
pub fn second_shape<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let shape = args.tensor(1)?.shape;
    shaped(args, &infer_size(&shape, args.tensor(0)?.elements())?)
}

/// One dimension becomes several.
pub fn unflatten<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    let given = args.int("dim")?;
    let dim = wrap_dim(given, shape.len())?;
    let sizes = args.dynamic_ints("sizes", 1)?;
    if sizes.is_empty() {
        return Err("unflatten: sizes must be non-empty".into());
    }
    let own = *shape.get(dim).ok_or("unflatten of a 0-dim tensor")?;
    let sizes = infer_size(&sizes, (own != DYNAMIC).then_some(own)).map_err(|_| {
        format!("unflatten: Provided sizes {} don't multiply up to the size of dim {dim} ({own}) in the input tensor", Shape(&sizes))
    })?;
    shape.splice(dim..=dim, sizes);
    shaped(args, &shape)
}

/// Dimensions of size 1 repeat; -1 keeps a size.
pub fn expand<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let tensor = args.tensor(0)?;
    let mut size = args.dynamic_ints("size", 1)?;
    expands_to(&tensor, &size)?;
    let lead = size.len() - tensor.rank();
    for (s, own) in size[lead..].iter_mut().zip(&tensor.shape).filter(|(s, _)| **s == -1) {
        *s = *own;
    }
    if let Some(s) = size.iter().find(|s| **s < 0 && **s != DYNAMIC) {
        return Err(format!("invalid shape dimension {s}"));
    }
    shaped(args, &size)
}

/// Expands to the shape of the second operand.
pub fn expand_as<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let to = args.tensor(1)?.shape;
    expands_to(&args.tensor(0)?, &to)?;
    shaped(args, &to)
}

fn select_shape(args: &Args) -> Result<Vec<i64>, String> {
    let mut shape = args.tensor(0)?.shape;
    if shape.is_empty() {
        return Err("select() cannot be applied to a 0-dim tensor.".into());
    }
    let dim = wrap_dim(args.int_or("dim", 0), shape.len())?;
    let place = if args.operand_is_src() { 2 } else { 1 };
    if let Some(index) = args.dynamic_int("index", place)? {
        let size = shape[dim];
        if size != DYNAMIC && (index < -size || index >= size) {
            return Err(format!(
                "select(): index {index} out of range for tensor of size {} at dimension {dim}",
                Shape(&shape)
            ));
        }
    }
    shape.remove(dim);
    Ok(shape)
}

/// One index of a dimension.
pub fn select<'c>(args: &Args<'c, '_>) -> Types<'c> {
    shaped(args, &select_shape(args)?)
}

/// The size of a slice: bounds wrap once and clamp to the dimension.
pub fn slice_size(size: i64, start: i64, end: i64, step: i64) -> i64 {
    let clamp = |x: i64, low: i64| (if x < 0 { x.saturating_add(size) } else { x }).clamp(low, size);
    let start = clamp(start, 0);
    let end = clamp(end, start);
    // Divides first: a step may be as large as an i64.
    let length = end - start;
    if length == 0 { 0 } else { (length - 1) / step + 1 }
}

fn slice_shape(args: &Args) -> Result<Vec<i64>, String> {
    let mut shape = args.tensor(0)?.shape;
    if shape.is_empty() {
        return Err("slice() cannot be applied to a 0-dim tensor.".into());
    }
    let dim = wrap_dim(args.int_or("dim", 0), shape.len())?;
    let first = if args.operand_is_src() { 2 } else { 1 };
    let bounds = ["start", "end", "step"];
    let mut known = vec![];
    for (i, name) in bounds.iter().enumerate() {
        known.push(args.dynamic_int(name, first + i)?);
    }
    if known[2].is_some_and(|s| s <= 0) {
        return Err("slice step must be positive".into());
    }
    shape[dim] = match known[..] {
        [Some(start), Some(end), Some(step)] if shape[dim] != DYNAMIC => {
            slice_size(shape[dim], start, end, step)
        }
        [Some(0), Some(i64::MAX), Some(1)] => shape[dim],
        _ => DYNAMIC,
    };
    Ok(shape)
}

/// From `start` to `end` by `step`.
pub fn slice<'c>(args: &Args<'c, '_>) -> Types<'c> {
    shaped(args, &slice_shape(args)?)
}

/// `length` indices of a dimension from `start` on.
pub fn narrow<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    if shape.is_empty() {
        return Err("narrow() cannot be applied to a 0-dim tensor.".into());
    }
    let dim = wrap_dim(args.int("dim")?, shape.len())?;
    let (start, length) = (args.dynamic_int("start", 1)?, args.dynamic_int("length", 2)?);
    if length.is_some_and(|l| l < 0) {
        return Err("narrow(): length must be non-negative.".into());
    }
    if let (Some(start), Some(length)) = (start, length)
        && shape[dim] != DYNAMIC
    {
        let size = shape[dim];
        if start < -size || start > size {
            return Err(format!(
                "start out of range (expected to be in range of [{}, {size}], but got {start})",
                -size
            ));
        }
        let start = if start < 0 { start + size } else { start };
        if start + length > size {
            return Err(format!("start ({start}) + length ({length}) exceeds dimension size ({size})."));
        }
    }
    shape[dim] = length.unwrap_or(DYNAMIC);
    shaped(args, &shape)
}

fn diagonal_shape(args: &Args) -> Result<Vec<i64>, String> {
    let mut shape = args.tensor(0)?.shape;
    let (d1, d2) =
        (wrap_dim(args.int_or("dim1", 0), shape.len())?, wrap_dim(args.int_or("dim2", 1), shape.len())?);
    if d1 == d2 {
        return Err(format!(
            "diagonal dimensions cannot be identical {}, {}",
            args.int_or("dim1", 0),
            args.int_or("dim2", 1)
        ));
    }
    let offset = args.int_or("offset", 0);
    let (rows, columns) = (shape[d1], shape[d2]);
    let length = if rows == DYNAMIC || columns == DYNAMIC {
        DYNAMIC
    } else if offset >= 0 {
        rows.min(columns.saturating_sub(offset)).max(0)
    } else {
        rows.saturating_add(offset).min(columns).max(0)
    };
    shape.remove(d1.max(d2));
    shape.remove(d1.min(d2));
    shape.push(length);
    Ok(shape)
}

/// The diagonal of two dimensions, as the last one.
pub fn diagonal<'c>(args: &Args<'c, '_>) -> Types<'c> {
    shaped(args, &diagonal_shape(args)?)
}

/// Windows of `size` every `step` along a dimension, as one more dimension at the end.
pub fn unfold<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    let dim = wrap_dim(args.int("dimension")?, shape.len())?;
    let (size, step) = (args.int("size")?, args.int("step")?);
    let own = shape.get(dim).copied().unwrap_or(1);
    if size < 0 {
        return Err(format!("size is {size} but must be >= 0"));
    }
    if own != DYNAMIC && size > own {
        return Err(format!("maximum size for tensor at dimension {dim} is {own} but size is {size}"));
    }
    if step <= 0 {
        return Err(format!("step is {step} but must be > 0"));
    }
    if let Some(s) = shape.get_mut(dim) {
        *s = if own == DYNAMIC { DYNAMIC } else { (own - size) / step + 1 };
    }
    shape.push(size);
    shaped(args, &shape)
}

fn as_strided_shape(args: &Args, first: usize) -> Result<Vec<i64>, String> {
    let size = args.dynamic_ints("size", first)?;
    let stride = args.dynamic_ints("stride", first + 1)?;
    let offset = args.dynamic_int("storage_offset", first + 2)?;
    if size.len() != stride.len() {
        return Err("mismatch in length of strides and shape".into());
    }
    if let Some(s) = size.iter().find(|s| **s < 0 && **s != DYNAMIC) {
        return Err(format!("Trying to create tensor with negative dimension {s}: {}", Shape(&size)));
    }
    if stride.iter().any(|s| *s < 0 && *s != DYNAMIC) {
        return Err(format!(
            "as_strided: Negative strides are not supported at the moment, got strides: {}",
            Shape(&stride)
        ));
    }
    if offset.is_some_and(|o| o < 0) {
        return Err(format!("Tensor: invalid storage offset {}", offset.unwrap_or(0)));
    }
    // The functional form names elements of its operand: they must be there.
    if !args.is_graph()
        && let (Some(n), Some(offset)) = (args.tensor(0)?.elements(), offset)
        && !size.contains(&DYNAMIC)
        && !stride.contains(&DYNAMIC)
        && !size.contains(&0)
    {
        let last =
            size.iter().zip(&stride).try_fold(offset, |at, (n, s)| at.checked_add((n - 1).checked_mul(*s)?));
        if last.is_none_or(|l| l >= n) {
            return Err(format!(
                "sizes {}, strides {} and offset {offset} reach beyond the {n} elements of the operand",
                Shape(&size),
                Shape(&stride)
            ));
        }
    }
    Ok(size)
}

/// Sizes, strides and offset as given.
pub fn as_strided<'c>(args: &Args<'c, '_>) -> Types<'c> {
    shaped(args, &as_strided_shape(args, 1)?)
}

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

/// `src` has the shape of the region that is replaced, and the dtype of `self`.
fn scatter<'c>(args: &Args<'c, '_>, region: &[i64]) -> Types<'c> {
    let (own, src) = (args.tensor(0)?, args.tensor(1)?);
    if !may_equal_shapes(&src.shape, region) || src.dtype != own.dtype {
        return Err(format!(
            "expects src to have shape {} and the dtype of self, got {}",
            Shape(region),
            src.to_type(args.context())
        ));
    }
    debug_assert!(src.shape.iter().zip(region).all(|(a, b)| may_equal(*a, *b)));
    one(args.context(), &own)
}

/// The inverse of [`select`].
pub fn select_scatter<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter(args, &select_shape(args)?)
}

/// The inverse of [`slice()`].
pub fn slice_scatter<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter(args, &slice_shape(args)?)
}

/// The inverse of [`diagonal`].
pub fn diagonal_scatter<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter(args, &diagonal_shape(args)?)
}

/// The inverse of [`as_strided`].
pub fn as_strided_scatter<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter(args, &as_strided_shape(args, 2)?)
}
