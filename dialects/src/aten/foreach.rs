//! `graph._foreach_*`: what it does to each tensor of its lists, as operations on one tensor.
//!
//! Rules, the passes and the interpreter ask here, so that an operator on lists means nothing of its own. Of
//! the operands, a list gives each operation its own entry, and anything else goes to all. Attributes are the
//! operation's.

use crate::ir::{
    OperationLike,
    args::Args,
    registry::{self, Arity, OpImpl},
    types::TensorType,
    view,
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_size::DYNAMIC;

/// An operation on one tensor.
pub struct Single<'c, 'a> {
    /// Its class.
    pub class: &'static OpImpl,
    /// Its operands, one or none for each operand of ODS.
    pub operands: Vec<Vec<Value<'c, 'a>>>,
}

impl<'c, 'a> Single<'c, 'a> {
    /// All operands, one after another.
    pub fn flat(&self) -> Vec<Value<'c, 'a>> {
        self.operands.concat()
    }
}

/// Whether an operation works on each tensor of its lists.
pub fn is_foreach(class: &OpImpl) -> bool {
    class.rule == "foreach"
}

/// The place of the vector whose elements are the numbers, one for each operation, where there is one.
pub fn numbers(class: &OpImpl) -> Option<usize> {
    let lists = class.operands.iter().filter(|arity| **arity == Arity::Variadic).count();
    (class.name.ends_with(".Tensor") && lists > 1).then(|| class.operands.len() - 1)
}

/// The operations that an operation on lists stands for, in order; numbers that are elements of a vector are
/// left out of them.
///
/// # Errors
/// Lists that do not go together, in eager's words.
pub fn singles<'c, 'a>(
    op: OperationRef<'c, 'a>,
    class: &'static OpImpl,
) -> Result<Vec<Single<'c, 'a>>, String> {
    let places = (0..class.operands.len()).map(|place| view::variadic(op, class, place)).collect();
    split(class, places)
}

/// [`singles`] of what a rule is asked with.
///
/// # Errors
/// As there.
pub fn of_args<'c, 'a>(args: &Args<'c, 'a>) -> Result<Vec<Single<'c, 'a>>, String> {
    let places = (0..args.operand_count()).map(|place| args.variadic(place).map(<[_]>::to_vec));
    split(args.class(), places.collect::<Result<_, _>>()?)
}

fn split<'c, 'a>(
    class: &'static OpImpl,
    places: Vec<Vec<Value<'c, 'a>>>,
) -> Result<Vec<Single<'c, 'a>>, String> {
    let is_list = |place: usize| class.operands[place] == Arity::Variadic;
    let first = (0..places.len()).find(|place| is_list(*place)).ok_or("takes no list")?;
    let count = places[first].len();
    let overload = class.name.rsplit_once('.').map_or("", |(_, overload)| overload);
    let vector = numbers(class);
    if let Some(vector) = vector.and_then(|place| TensorType::of(places[place].first()?.r#type())) {
        one_each(&vector, count)?;
    } else if overload == "Tensor"
        && let Some(shared) = places.get(1).and_then(|values| TensorType::of(values.first()?.r#type()))
        && shared.rank() > 0
    {
        let elements = shared.elements().map_or("?".into(), |n| n.to_string());
        return Err(format!(
            "scalar tensor expected to be 0 dim but it has {} dimensions and {elements} elements.",
            shared.rank()
        ));
    }
    let lists = || places.iter().enumerate().filter(|(place, _)| is_list(*place));
    let is_number = |place: usize| overload == "ScalarList" && place + 1 == places.len();
    let none = "Tensor list must have at least one tensor.";
    // Copies and numbers of a vector want lists that are not empty; elsewhere lengths are compared first.
    if (class.name == "graph._foreach_copy_" || vector.is_some())
        && lists().any(|(_, values)| values.is_empty())
    {
        return Err(none.into());
    }
    if let Some((_, other)) = lists().find(|(place, values)| !is_number(*place) && values.len() != count) {
        return Err(format!(
            "Tensor lists must have the same number of tensors, got {count} and {}",
            other.len()
        ));
    }
    if count == 0 {
        return Err(none.into());
    }
    if lists().any(|(_, values)| values.len() != count) {
        return Err("Tensor list must have same number of elements as scalar list.".into());
    }
    let single = single(class)?;
    let operands = |entry: usize| {
        let of = |(place, values): (usize, &Vec<Value<'c, 'a>>)| match is_list(place) {
            true => vec![values[entry]],
            false if vector == Some(place) => vec![],
            false => values.clone(),
        };
        let mut operands: Vec<_> = places.iter().enumerate().map(of).collect();
        // What the operator on one tensor may have besides.
        operands.resize(single.operands.len(), vec![]);
        operands
    };
    Ok((0..count).map(|entry| Single { class: single, operands: operands(entry) }).collect())
}

/// A vector has a number for each of so many operations, where they are read.
fn one_each(vector: &TensorType, count: usize) -> Result<(), String> {
    if let Some(device) = vector.device {
        return Err(format!("Expected scalars to be on CPU, got {device} instead."));
    }
    let [length] = vector.shape[..] else {
        return Err(format!(
            "Expected packed scalar Tensor to be of dimension 1. Got {} instead.",
            vector.rank()
        ));
    };
    if length == DYNAMIC || length == count as i64 {
        return Ok(());
    }
    Err(format!("Expected length of scalars to match input of length {count} but got {length} instead."))
}

/// The class of the operation on one tensor.
fn single(class: &OpImpl) -> Result<&'static OpImpl, String> {
    let name = class.name.trim_start_matches("graph._foreach_").split('.').next().unwrap_or_default();
    let (base, mark) = name.strip_suffix('_').map_or((name, ""), |base| (base, "_"));
    let base = match base {
        "maximum" => "clamp_min",
        "minimum" => "clamp_max",
        "norm" => "linalg_vector_norm",
        base => base,
    };
    let name = format!("graph.{base}{mark}");
    registry::by_name(&name).ok_or_else(|| format!("there is no operation {name}"))
}

/// The attributes of an operation on lists, which each operation on one tensor has.
pub fn attributes<'c>(op: OperationRef<'c, '_>) -> Vec<(String, melior::ir::Attribute<'c>)> {
    op.attributes()
        .map(|(key, value)| (key.as_string_ref().as_str().unwrap_or_default().to_string(), value))
        .filter(|(key, _)| !matches!(key.as_str(), "operandSegmentSizes" | "non_blocking"))
        .collect()
}
