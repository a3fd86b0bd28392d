//! Elements read, written and summed at indices that are tensors.
//!
//! The order of the questions is eager's: of two mistakes it names one.

use super::{
    Size, TensorType, Types, broadcast,
    creation::representable,
    indexing::{check_indices, indexed, names_elements},
    may_equal, may_equal_shapes, not_implemented, one, same, unless_empty, wrap_dim,
};
use crate::ir::{
    args::Args,
    attributes as convert,
    dtype::{Dtype, ElementType},
    types::Shape,
};
use terrace_size::Number;

fn is_index(dtype: Dtype) -> bool {
    matches!(dtype, Dtype::I64 | Dtype::I32)
}

/// A tensor's sizes; one without dimensions counts as a vector of one.
fn as_vector(shape: &[Size]) -> &[Size] {
    if shape.is_empty() { &[Size::ONE] } else { shape }
}

/// Whether indices may exceed a tensor in a dimension other than `dim`; where, if so.
fn exceeds(index: &[Size], own: &[Size], dim: Option<usize>) -> Option<usize> {
    (0..index.len())
        .filter(|d| Some(*d) != dim)
        .find(|d| !index[*d].is_unknown() && !own[*d].is_unknown() && index[*d].assume_gt(own[*d]))
}

/// The shape of the indices.
pub fn gather<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, index) = (args.tensor(0)?, args.tensor(1)?);
    let dim = wrap_dim(args.int("dim")?, own.rank())?;
    unless_empty(&index, gathers(&own, &index, dim))?;
    one(&own.with_shape(&index.shape))
}

fn gathers(own: &TensorType, index: &TensorType, dim: usize) -> Result<(), String> {
    if !is_index(index.dtype) {
        return Err("gather(): Expected dtype int32/int64 for index".into());
    }
    let (from, at) = (as_vector(&own.shape), as_vector(&index.shape));
    if from.len() != at.len() {
        return Err("Index tensor must have the same number of dimensions as input tensor".into());
    }
    match exceeds(at, from, Some(dim)) {
        Some(d) => Err(format!(
            "Size does not match at dimension {d} expected index {} to be no larger than self {} apart from dimension {dim}",
            Shape(&index.shape),
            Shape(&own.shape)
        )),
        None => Ok(()),
    }
}

/// The type of `self`: of a scatter of a tensor of its dtype, or of a number that its dtype holds.
pub fn scatter<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, index) = (args.tensor(0)?, args.tensor(1)?);
    let dim = wrap_dim(args.int("dim")?, own.rank())?;
    let value = args.operand(2)?;
    let src =
        TensorType::of_type(melior::ir::ValueLike::r#type(&value)).map(|_| args.tensor(2)).transpose()?;
    if !is_index(index.dtype) {
        unless_empty(&index, Err("scatter(): Expected dtype int32/int64 for index".into()))?;
    }
    if src.as_ref().is_some_and(|src| src.dtype != own.dtype) {
        return Err("scatter(): Expected self.dtype to be equal to src.dtype".into());
    }
    unless_empty(&index, scatters(&own, &index, src.as_ref(), value, dim))?;
    one(&own)
}

fn scatters(
    own: &TensorType,
    index: &TensorType,
    src: Option<&TensorType>,
    value: melior::ir::Value,
    dim: usize,
) -> Result<(), String> {
    let (into, at) = (as_vector(&own.shape), as_vector(&index.shape));
    if into.len() != at.len() {
        return Err("Index tensor must have the same number of dimensions as self tensor".into());
    }
    let beyond_self = exceeds(at, into, Some(dim)).is_some();
    let Some(src) = src else {
        if beyond_self {
            return Err(format!(
                "Expected index {} to be no larger than self {} apart from dimension {dim}",
                Shape(&index.shape),
                Shape(&own.shape)
            ));
        }
        return representable(value, own.dtype);
    };
    let from = as_vector(&src.shape);
    if !beyond_self && from.len() < at.len() && src.rank() > 0 {
        wrap_dim(from.len() as i64, src.rank())?;
    }
    if from.len() != at.len() {
        return Err("Index tensor must have the same number of dimensions as src tensor".into());
    }
    if beyond_self || exceeds(at, from, None).is_some() {
        return Err(format!(
            "Expected index {} to be no larger than self {} apart from dimension {dim} and to be no larger size than src {}",
            Shape(&index.shape),
            Shape(&own.shape),
            Shape(&src.shape)
        ));
    }
    Ok(())
}

/// [`scatter`] into `self`.
pub fn scatter_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter(args)
}

/// [`scatter`] that combines by a known function.
pub fn scatter_reduce<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let types = scatter(args)?;
    let own = args.tensor(0)?;
    let reduce = args.attribute("reduce").map(convert::string).unwrap_or_default();
    match reduce.as_str() {
        "mean" if own.dtype == Dtype::Bool => {
            let empty = args.tensor(1)?.is_empty();
            let kernel = if empty { "div_floor_cpu" } else { "scatter_gather_tensor_cpu_reduce_mean" };
            Err(not_implemented(kernel, own.dtype))
        }
        "sum" | "prod" | "mean" | "amax" | "amin" | "max" | "min" => Ok(types),
        other => Err(format!("reduce argument must be either sum, prod, mean, amax or amin, got {other}")),
    }
}

/// [`scatter_reduce`] into `self`.
pub fn scatter_reduce_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    scatter_reduce(args)
}

/// The entries of a vector of indices, or the one number.
fn count(index: &TensorType) -> Size {
    index.shape.first().copied().unwrap_or(Size::ONE)
}

/// `dim` has as many entries as there are indices.
pub fn index_select<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, index) = (args.tensor(0)?, args.tensor(1)?);
    let dim = wrap_dim(args.int("dim")?, own.rank())?;
    if index.rank() > 1 {
        return Err("index_select(): Index is supposed to be a vector".into());
    }
    let count = count(&index);
    if own.rank() == 0 && !may_equal(count, Size::ONE) {
        return Err(format!("index_select(): Index to scalar can have only 1 value, got {count} value(s)"));
    }
    if !is_index(index.dtype) {
        return Err("index_select(): Expected dtype int32 or int64 for index".into());
    }
    if own.rank() > 1 && own.shape[dim].assume_eq(0) && count.assume_gt(0) {
        return Err("index_select(): self indexing axis dim should be positive".into());
    }
    let mut shape = own.shape.clone();
    if let Some(size) = shape.get_mut(dim) {
        *size = count;
    }
    one(&own.with_shape(&shape))
}

/// The sizes apart from `dim`.
fn slice(shape: &[Size], dim: usize) -> Vec<Size> {
    shape.iter().enumerate().filter(|(d, _)| *d != dim).map(|(_, s)| *s).collect()
}

/// The type of `self`, of which `source` replaces slices.
pub fn index_copy<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, index, source) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let dim = wrap_dim(args.int("dim")?, own.rank())?;
    if index.rank() > 1 {
        return Err(format!("index_copy_(): Index should have dimension 1 or 0 (got {})", index.rank()));
    }
    let count = count(&index);
    if source.rank() == 0 && !may_equal(count, Size::ONE) {
        return Err(format!(
            "index_copy_(): When source is scalar, index should have one element (got {count})"
        ));
    }
    if source.rank() != own.rank() && source.rank() != 0 && own.rank() != 0 {
        return Err(format!(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. \
             Source dimensionality ({}), destination dimensionality ({})",
            source.rank(),
            own.rank()
        ));
    }
    if index.dtype != Dtype::I64 {
        return Err(format!(
            "index_copy_(): Expected a long tensor for index, but got {}",
            index.dtype.aten_name()
        ));
    }
    if own.dtype != source.dtype {
        return Err(format!(
            "index_copy_(): self and source expected to have the same dtype, but got (self) {} and (source) {}",
            own.dtype.aten_name(),
            source.dtype.aten_name()
        ));
    }
    let (to, from) = (slice(&own.shape, dim), slice(&source.shape, dim));
    if !may_equal_shapes(&to, &from) {
        let plain = |sizes: &[Size]| sizes.iter().map(Size::to_string).collect::<Vec<_>>().join(" ");
        return Err(format!(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: {} at \
             dimension {dim} and source slice shape: {} at dimension 0.",
            plain(&to),
            plain(&from)
        ));
    }
    if let Some(size) = source.shape.get(dim)
        && !may_equal(*size, count)
    {
        return Err(format!(
            "index_copy_(): Number of indices ({count}) should be equal to source.size(dim) ({size})"
        ));
    }
    one(&own)
}

/// [`index_copy`] into `self`.
pub fn index_copy_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    index_copy(args)
}

/// The type of `self`, to which `source` is added.
pub fn index_add<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, index, source) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let dim = wrap_dim(args.int("dim")?, own.rank())?;
    if index.rank() > 1 {
        return Err(format!(
            "index_add_(): Index is supposed to be a vector, but got dim: {} with type: {} and size: {}",
            index.rank(),
            index.dtype.aten_name(),
            Shape(&index.shape)
        ));
    }
    if !is_index(index.dtype) {
        return Err(format!(
            "index_add_(): Expected dtype int32/int64 for index but got: {}",
            index.dtype.aten_name()
        ));
    }
    if own.dtype != source.dtype {
        return Err(format!(
            "index_add_(): self ({}) and source ({}) must have the same scalar type",
            own.dtype.aten_name(),
            source.dtype.aten_name()
        ));
    }
    if dim != 0 && dim >= source.rank() {
        return Err(format!(
            "index_add_(): Indexing dim {dim} is out of bounds of the source tensor with dim {}",
            source.rank()
        ));
    }
    let count = count(&index);
    let size = source.shape.get(dim).copied();
    if !may_equal(count, size.unwrap_or(Size::ONE)) {
        let size = size.ok_or("Dimension specified as 0 but tensor has no dimensions")?;
        return Err(format!(
            "index_add_(): Number of indices ({count}) should be equal to source.size(dim): ({size}), for dim: {dim}"
        ));
    }
    let both = own.rank() != 0 && source.rank() != 0;
    let part = |shape: &[Size]| if both { slice(shape, dim) } else { shape.to_vec() };
    if !may_equal_shapes(&part(&own.shape), &part(&source.shape)) {
        return Err(format!(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {} \
             source.shape = {}",
            Shape(&own.shape),
            Shape(&source.shape)
        ));
    }
    // Of slices each is scaled on its own, and none where there is none.
    if let Some(alpha) = args.optional(3)?
        && let Err(wrong) = representable(alpha, own.dtype)
        && (own.rank() <= 1 || count.assume_ne(0) && !own.is_empty())
    {
        return Err(wrong);
    }
    one(&own)
}

/// [`index_add`] into `self`.
pub fn index_add_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    index_add(args)
}

/// The type of `self`, of which slices are filled with a number.
pub fn index_fill<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, index, value) = (args.tensor(0)?, args.tensor(1)?, args.operand(2)?);
    let tensor = TensorType::of_type(melior::ir::ValueLike::r#type(&value));
    if let Some(value) = tensor.as_ref().filter(|value| value.rank() > 0) {
        return Err(format!(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
            value.rank()
        ));
    }
    if index.dtype != Dtype::I64 {
        return Err("index_fill_(): Expected dtype int64 for index.".into());
    }
    wrap_dim(args.int("dim")?, own.rank())?;
    let number = Dtype::of(melior::ir::ValueLike::r#type(&value));
    if tensor.map(|t| t.dtype).or(number).is_some_and(Dtype::is_complex) && !own.dtype.is_complex() {
        return Err("index_fill_(): Converting complex Scalar to non-complex type is not supported".into());
    }
    if index.rank() > 1 {
        return Err("Index has to be a vector/scalar".into());
    }
    if number.is_some() {
        representable(value, own.dtype)?;
    }
    one(&own)
}

/// [`index_fill`] into `self`.
pub fn index_fill_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    index_fill(args)
}

fn is_mask(tensor: &TensorType) -> bool {
    matches!(tensor.dtype, Dtype::Bool | Dtype::U8)
}

/// Whether one value goes where one mask holds: eager fills then, and casts the value.
fn fills_by_mask(indices: &[TensorType], values: &TensorType, accumulates: bool) -> bool {
    matches!(indices, [mask] if is_mask(mask))
        && values.elements().is_some_and(|n| n.assume_eq(1))
        && !accumulates
}

/// The type of `self`, of which the indices choose elements that `values` replaces.
pub fn index_put<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, indices, values) = (args.tensor(0)?, args.tensors(1)?, args.tensor(2)?);
    put(args, &own, &indices, &values, args.flag("accumulate"))
}

fn put<'c>(
    args: &Args<'c, '_>,
    own: &TensorType<'c>,
    indices: &[TensorType],
    values: &TensorType,
    accumulates: bool,
) -> Types<'c> {
    let chosen = indexed(args, own, indices)?;
    if args.is_graph() && fills_by_mask(indices, values, accumulates) {
        return one(own);
    }
    // How many elements a mask chooses, and with it what is wrong there, is known when the program runs: in
    // that dimension all fits.
    let (mut known, mut given) = (chosen.clone(), values.shape.clone());
    for d in (0..known.len()).filter(|d| chosen[*d].is_unknown()) {
        known[d] = Size::ONE;
        if let Some(own) = (d + given.len()).checked_sub(known.len()) {
            given[own] = Size::ONE;
        }
    }
    let fits = given.len() <= known.len()
        && broadcast(&known, &given).is_ok_and(|shape| may_equal_shapes(&shape, &known));
    if !fits {
        return Err(format!(
            "shape mismatch: value tensor of shape {} cannot be broadcast to indexing result of shape {}",
            Shape(&values.shape),
            Shape(&chosen)
        ));
    }
    if own.dtype != values.dtype {
        return Err(format!(
            "Index put requires the source and destination dtypes match, got {} for the destination and {} for the source.",
            own.dtype.aten_name(),
            values.dtype.aten_name()
        ));
    }
    names_elements(indices)?;
    one(own)
}

/// [`index_put`] into `self`.
pub fn index_put_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    index_put(args)
}

/// `index` by integers alone.
pub fn unsafe_index<'c>(args: &Args<'c, '_>) -> Types<'c> {
    integers_alone("_unsafe_index", &args.tensors(1)?)?;
    super::index(args)
}

fn integers_alone(name: &str, indices: &[TensorType]) -> Result<(), String> {
    match indices.iter().find(|index| !is_index(index.dtype)) {
        Some(other) => Err(format!("{name} found unexpected index type {}", other.dtype.aten_name())),
        None => Ok(()),
    }
}

/// The type of `self`, to which values are added where the mask holds.
pub fn masked_index_put_accumulate<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, mask, indices, values) = (args.tensor(0)?, args.tensor(1)?, args.tensors(2)?, args.tensor(3)?);
    check_indices(args, &own, &indices)?;
    if own.is_empty() {
        return same(args);
    }
    integers_alone("_unsafe_masked_index", &indices)?;
    let masked = values.with_shape(&broadcast(&mask.shape, &values.shape)?);
    put(args, &own, &indices, &masked, true)
}
