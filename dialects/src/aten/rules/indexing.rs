//! Elements chosen by tensors of indices; joining.

use super::{Size, TensorType, Types, broadcast, may_equal_shapes, one, wrap_dim};
use crate::ir::{
    args::Args,
    attributes as convert,
    dtype::{Dtype, Operand, promote},
    types::Shape,
};
use terrace_size::Number;

/// The shape of the indices, then a row of the weight.
pub fn embedding<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (weight, indices) = (args.tensor(0)?, args.tensor(1)?);
    if weight.rank() != 2 {
        return Err("'weight' must be 2-D".into());
    }
    if !matches!(indices.dtype, Dtype::I64 | Dtype::I32) {
        return Err(format!(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {} instead \
             (while checking arguments for embedding)",
            indices.dtype.tensor_name()
        ));
    }
    let mut shape = indices.shape;
    shape.push(weight.shape[1]);
    one(&weight.with_shape(&shape))
}

/// Whether there is an index for each dimension that 'present' marks, and no more of them than dimensions.
pub(super) fn check_indices(args: &Args, own: &TensorType, indices: &[TensorType]) -> Result<(), String> {
    let present = convert::bools(args.attribute("present").ok_or("misses attribute 'present'")?);
    let marked = present.iter().filter(|p| **p).count();
    if marked != indices.len() {
        return Err(format!("'present' marks {marked} dimensions but there are {} indices", indices.len()));
    }
    if present.len() > own.rank() {
        return Err(format!(
            "too many indices for tensor of dimension {} (got {})",
            own.rank(),
            present.len()
        ));
    }
    Ok(())
}

/// Indexed dimensions give way to the broadcast shape of their indices: in place where they are adjacent,
/// else in front. A mask of bools stands for as many dimensions as it has, of which one truth value has none,
/// and for the indices of its true elements.
pub fn index<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let indices = args.tensors(1)?;
    let shape = indexed(args, &own, &indices)?;
    names_elements(&indices)?;
    one(&own.with_shape(&shape))
}

/// A truth value without dimensions is no index of any, so others have to be there.
pub(super) fn names_elements(indices: &[TensorType]) -> Result<(), String> {
    let is_truth = |t: &TensorType| t.rank() == 0 && matches!(t.dtype, Dtype::Bool | Dtype::U8);
    match !indices.is_empty() && indices.iter().all(is_truth) {
        true => Err("expects an index besides truth values without dimensions".into()),
        false => Ok(()),
    }
}

/// The shape of what indices choose.
pub(super) fn indexed(args: &Args, own: &TensorType, indices: &[TensorType]) -> Result<Vec<Size>, String> {
    check_indices(args, own, indices)?;
    let present = convert::bools(args.attribute("present").ok_or("misses attribute 'present'")?);
    let mut given = indices.iter();
    let mut dim = 0;
    let mut joined: Option<Vec<Size>> = None;
    let mut indexed = vec![];
    for p in &present {
        if !p {
            dim += 1;
            continue;
        }
        let index = given.next().ok_or("misses an index")?;
        let (shape, dims) = match index.dtype {
            Dtype::I64 | Dtype::I32 => (index.shape.clone(), 1),
            Dtype::Bool | Dtype::U8 if index.rank() == 0 => continue,
            Dtype::Bool | Dtype::U8 => {
                for (d, size) in index.shape.iter().enumerate() {
                    let against = own.shape[wrap_dim((dim + d) as i64, own.rank())?];
                    if !super::may_equal(against, *size) {
                        return Err(format!(
                            "The shape of the mask {} at index {d} does not match the shape of the indexed tensor {} at index {}",
                            Shape(&index.shape),
                            Shape(&own.shape),
                            dim + d
                        ));
                    }
                }
                (vec![Size::UNKNOWN], index.rank())
            }
            _ => return Err("tensors used as indices must be long, int, byte or bool tensors".into()),
        };
        indexed.extend(dim..dim + dims);
        dim += dims;
        joined = Some(match joined {
            None => shape,
            Some(j) => broadcast(&j, &shape).map_err(|_| {
                format!(
                    "shape mismatch: indexing tensors could not be broadcast together with shapes {}",
                    indices.iter().map(|i| Shape(&i.shape).to_string()).collect::<Vec<_>>().join(", ")
                )
            })?,
        });
    }
    // Masks stand for more dimensions than there are.
    if dim > own.rank() {
        wrap_dim(own.rank() as i64, own.rank())?;
    }
    let joined = joined.unwrap_or_default();
    let mut shape: Vec<Size> =
        own.shape.iter().enumerate().filter(|(d, _)| !indexed.contains(d)).map(|(_, s)| *s).collect();
    let adjacent = indexed.windows(2).all(|w| w[1] == w[0] + 1);
    let at = if adjacent { indexed.first().copied().unwrap_or_default() } else { 0 };
    shape.splice(at..at, joined);
    Ok(shape)
}

/// The dtype of tensors that are joined.
pub(super) fn joined_dtype(tensors: &[TensorType]) -> Dtype {
    promote(&tensors.iter().map(|t| Operand::Dimensioned(t.dtype)).collect::<Vec<_>>())
}

/// The shape of tensors joined along a dimension; the other sizes agree. Tensors that `skips` holds for do
/// not count.
pub(super) fn joined_shape(
    tensors: &[TensorType],
    dim: i64,
    skips: impl Fn(&[Size]) -> bool,
) -> Result<Vec<Size>, String> {
    let first = tensors
        .iter()
        .find(|t| !skips(&t.shape))
        .or(tensors.first())
        .ok_or("torch.cat(): expected a non-empty list of Tensors")?;
    if let Some(position) = tensors.iter().position(|t| t.rank() == 0) {
        return Err(format!("zero-dimensional tensor (at position {position}) cannot be concatenated"));
    }
    if skips(&first.shape) {
        // Nothing is joined, along whatever dimension.
        return Ok(first.shape.clone());
    }
    let dim = wrap_dim(dim, first.rank())?;
    let mut shape = first.shape.clone();
    shape[dim] = Size::ZERO;
    for (i, t) in tensors.iter().enumerate().filter(|(_, t)| !skips(&t.shape)) {
        if t.rank() != first.rank() {
            return Err(format!(
                "Tensors must have same number of dimensions: got {} and {}",
                first.rank(),
                t.rank()
            ));
        }
        let mut expected = first.shape.clone();
        expected[dim] = t.shape[dim];
        if !may_equal_shapes(&t.shape, &expected) {
            let d = (0..t.rank()).find(|d| !super::may_equal(t.shape[*d], expected[*d])).unwrap_or_default();
            return Err(format!(
                "Sizes of tensors must match except in dimension {dim}. Expected size {} but got size {} for tensor number {i} in the list.",
                expected[d], t.shape[d]
            ));
        }
        shape[dim] = if shape[dim].is_unknown() || t.shape[dim].is_unknown() {
            Size::UNKNOWN
        } else {
            shape[dim] + t.shape[dim]
        };
    }
    Ok(shape)
}

/// Joins along a dimension. Graph promotes dtypes and skips empty tensors of one dimension.
pub fn cat<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let tensors = args.tensors(0)?;
    let shape = joined_shape(&tensors, args.int_or("dim", 0), |shape| {
        Size::assume_same(shape, &[Size::ZERO]) && args.is_graph()
    })?;
    if !args.is_graph() && tensors.iter().any(|t| t.dtype != tensors[0].dtype) {
        return Err("expects tensors of one dtype".into());
    }
    one(&tensors[0].with_shape(&shape).with_dtype(joined_dtype(&tensors)))
}
