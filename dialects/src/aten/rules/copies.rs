//! What chooses, copies, casts and fills elements.

use super::{
    Size, TensorType, Types, broadcast,
    creation::{filled, number_of_one},
    may_equal, one,
    pointwise::{Joined, category_of, join, result, takes_shape},
};
use crate::ir::{
    args::Args,
    dtype::{Dtype, Operand, promote},
    types::Shape,
};
use melior::ir::ValueLike;
use terrace_size::Number;

/// The condition chooses between two tensors of a promoted dtype.
pub fn where_<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let condition = args.tensor(0)?;
    let numbers: Vec<_> = [1, 2]
        .into_iter()
        .filter_map(|i| args.operand(i).ok())
        .filter(|v| category_of(v.r#type()).is_some())
        .collect();
    // Eager still takes bytes, and warns that it is deprecated.
    let bytes = args.is_graph() && condition.dtype == Dtype::U8;
    let chooses = match condition.dtype == Dtype::Bool || bytes {
        true => Ok(()),
        false => Err(format!(
            "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
            condition.dtype.aten_name()
        )),
    };
    if numbers.is_empty() {
        chooses.clone()?;
    }
    let mut shape = condition.shape.clone();
    for tensor in [1, 2]
        .into_iter()
        .filter_map(|place| args.tensor(place).ok())
        .filter(|_| args.is_graph() && numbers.is_empty())
    {
        shape = broadcast(&shape, &tensor.shape)?;
    }
    let values = if numbers.len() == 2 {
        // Of numbers alone, which promote like tensors without dimensions.
        let operands: Vec<_> =
            numbers.iter().filter_map(|v| category_of(v.r#type())).map(Operand::Number).collect();
        Joined { shape: condition.shape.clone(), dtype: promote(&operands) }
    } else {
        join(args, &[1, 2])?
    };
    let number = |number| number_of_one(number, values.dtype);
    numbers.into_iter().try_for_each(number)?;
    chooses?;
    if args.is_graph() {
        shape = broadcast(&condition.shape, &values.shape)?;
    } else if !Size::assume_same(&condition.shape, &values.shape) {
        return Err(format!(
            "expects operands of one shape, got {} and {}",
            Shape(&condition.shape),
            Shape(&values.shape)
        ));
    }
    let dtype = values.dtype;
    result(args, &Joined { shape, ..values }, dtype)
}

/// The same shape in another dtype.
pub fn to_copy<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let dtype = args.dtype("dtype")?.ok_or("misses attribute 'dtype'")?;
    one(&args.tensor(0)?.with_dtype(dtype))
}

/// The type of the first operand.
pub fn same<'c>(args: &Args<'c, '_>) -> Types<'c> {
    one(&args.tensor(0)?)
}

/// `src` must broadcast to `self`; its dtype is cast.
pub fn copy_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, src) = (args.tensor(0)?, args.tensor(1)?);
    takes_shape(&own.shape, &broadcast(&own.shape, &src.shape)?)?;
    one(&own)
}

/// The value is a number or a 0-dim tensor.
pub fn fill_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    if args.operand_count() > 1
        && let Some(value) = TensorType::of_type(args.operand(1)?.r#type())
        && value.rank() != 0
    {
        return Err(format!(
            "fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.",
            value.rank()
        ));
    }
    if args.operand_count() > 1 && TensorType::of_type(args.operand(1)?.r#type()).is_none() {
        let own = args.tensor(0)?;
        filled(args.operand(1)?, own.dtype, &own.shape)?;
    }
    same(args)
}

/// Whether a tensor expands to a shape, in which -1 keeps a size: eager's error where it does not.
pub(super) fn expands_to(tensor: &TensorType, to: &[Size]) -> Result<(), String> {
    let from = &tensor.shape;
    if from.len() > to.len() {
        return Err(format!(
            "expand({}{{{}}}, size={}): the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
            tensor.dtype.tensor_name(),
            Shape(from),
            Shape(to),
            to.len(),
            from.len()
        ));
    }
    let lead = to.len() - from.len();
    // Of several dimensions that do not match, the last is named.
    for (i, (f, t)) in from.iter().zip(&to[lead..]).enumerate().rev() {
        // Of what stays as it is there is nothing to ask.
        if !f.is_same(*t) && t.assume_ne(-1) && (t.known() == Some(1) || f.assume_ne(1)) && !may_equal(*f, *t)
        {
            return Err(format!(
                "The expanded size of the tensor ({t}) must match the existing size ({f}) at non-singleton dimension {}.  \
                 Target sizes: {}.  Tensor sizes: {}",
                i + lead,
                Shape(to),
                Shape(from)
            ));
        }
    }
    match to[..lead].iter().rposition(|t| t.assume_eq(-1)) {
        Some(i) => Err(format!(
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {i}"
        )),
        None => Ok(()),
    }
}
