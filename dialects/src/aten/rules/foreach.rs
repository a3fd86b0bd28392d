//! Operators on each tensor of a list: the types are those of the operators on one tensor.

use super::{Types, creation};
use crate::{
    aten::foreach,
    ir::{
        args::Args,
        dtype::{Category, Dtype, ElementType},
    },
};
use melior::ir::ValueLike;

/// The order of a norm is a number that is no truth value; the largest of no elements is none.
fn order(norm: &Args) -> Result<(), String> {
    let Some(order) = norm.optional(1)? else { return Ok(()) };
    if !matches!(Dtype::of(order.r#type()).map(Dtype::category), Some(Category::Integer | Category::Float)) {
        return Err("foreach_tensor_norm_slow expects ord to be integer or float".into());
    }
    let largest =
        crate::ir::operations::constant(order).is_some_and(|order| creation::float(order) == f64::INFINITY);
    match largest && norm.tensor(0)?.is_empty() {
        true => Err("_foreach_norm cannot compute the infinity norm on an empty tensor because the operation does not have an identity".into()),
        false => Ok(()),
    }
}

/// The results of each, in order; in place none.
pub fn foreach<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut types = vec![];
    for single in foreach::of_args(args)? {
        let operands = single.flat();
        let attribute = |name: &str| args.attribute(name);
        let one = args.other(single.class, &operands, &attribute);
        if single.class.name == "graph.linalg_vector_norm" {
            order(&one)?;
        }
        if single.class.name == "graph.max" && one.tensor(0)?.is_empty() {
            return Err("_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is undefined.".into());
        }
        types.extend(single.class.results(&one)?);
    }
    Ok(if args.class().is_in_place() { vec![] } else { types })
}
