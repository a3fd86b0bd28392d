//! Views: shapes out of shapes. Strides decide at run time whether a `view` is legal; here sizes do.

use super::{Size, Types, copies::expands_to, one, wrap_dim, wrap_dims};
use crate::ir::{args::Args, refusal::Reason, types::Shape};
use terrace_size::Number;

/// `self` with another shape.
pub(super) fn shaped<'c>(args: &Args<'c, '_>, shape: &[Size]) -> Types<'c> {
    one(&args.tensor(0)?.with_shape(shape))
}

/// Two dimensions change places; at most two dimensions.
pub fn t<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    if shape.len() > 2 {
        let name = if args.class().is_in_place() { "t_" } else { "t" };
        return Err(format!("{name}() expects a tensor with <= 2 dimensions, but self is {}D", shape.len()));
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
        let name = if args.operator() == "adjoint" { "adjoint()" } else { args.operator() };
        return Err(format!(
            "tensor.{name} is only supported on matrices or batches of matrices. Got {n}-D tensor."
        ));
    }
    shape.swap(n - 1, n - 2);
    shaped(args, &shape)
}

/// The transpose of a matrix.
#[allow(non_snake_case)]
pub fn matrix_H<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    if shape.len() != 2 {
        let batches = if shape.len() > 2 { " For batches of matrices, consider using tensor.mH" } else { "" };
        return Err(format!(
            "tensor.H is only supported on matrices (2-D tensors). Got {}-D tensor.{batches}",
            shape.len()
        ));
    }
    shape.reverse();
    shaped(args, &shape)
}

/// All dimensions in the opposite order.
#[allow(non_snake_case)]
pub fn numpy_T<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut shape = args.tensor(0)?.shape;
    shape.reverse();
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
    shape.insert(dim, Size::ONE);
    shaped(args, &shape)
}

/// Without the dimensions of size 1, all or those of `dim`; which they are must be known.
pub fn squeeze<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let shape = args.tensor(0)?.shape;
    let dims = match args.optional_ints("dim") {
        Some(dims) => wrap_dims(&dims, shape.len())?,
        None => (0..shape.len()).collect(),
    };
    if dims.iter().any(|d| shape.get(*d).is_some_and(|size| size.is_unknown())) {
        return Err(Reason::Size
            .says("squeezes a dimension whose size is not known: whether it is 1 decides the rank"));
    }
    let kept: Vec<Size> = shape
        .iter()
        .enumerate()
        .filter(|(d, s)| !(dims.contains(d) && s.assume_eq(1)))
        .map(|(_, s)| *s)
        .collect();
    shaped(args, &kept)
}

/// `size` with its -1 worked out from `elements` (None where unknown).
pub(super) fn infer_size(size: &[Size], elements: Option<Size>) -> Result<Vec<Size>, String> {
    let mut inferred = None;
    for (i, s) in size.iter().enumerate() {
        if s.assume_eq(-1) {
            if inferred.replace(i).is_some() {
                return Err("only one dimension can be inferred".into());
            }
        } else if s.assume_lt(0) && !s.is_unknown() {
            return Err(format!("invalid shape dimension {s}"));
        }
    }
    let known = size.iter().filter(|s| s.assume_ne(-1)).try_fold(Size::ONE, |p, s| p.checked_mul(*s));
    let mut out = size.to_vec();
    let invalid = |n: Size| format!("shape '{}' is invalid for input of size {n}", Shape(size));
    match (inferred, known, elements) {
        (Some(i), Some(p), Some(n)) => {
            if p.assume_eq(0) {
                if n.assume_eq(0) {
                    return Err(format!(
                        "cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 can be any value and is ambiguous",
                        Shape(size)
                    ));
                }
                return Err(invalid(n));
            }
            if (n % p).assume_ne(0) {
                return Err(invalid(n));
            }
            out[i] = n / p;
        }
        (Some(i), _, _) => out[i] = Size::UNKNOWN,
        (None, Some(p), Some(n)) if !super::may_equal(p, n) => return Err(invalid(n)),
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
    let sizes = infer_size(&sizes, (!own.is_unknown()).then_some(own)).map_err(|_| {
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
    for (s, own) in size[lead..].iter_mut().zip(&tensor.shape).filter(|(s, _)| s.assume_eq(-1)) {
        *s = *own;
    }
    if let Some(s) = size.iter().find(|s| s.assume_lt(0) && !s.is_unknown()) {
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
