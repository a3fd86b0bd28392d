//! Facts about builtin tensors that their types do not carry: the attributes of the functional dialect at
//! operations, arguments and results.
//!
//! * `functional.in_place = N` at an operation: its result takes the memory of operand N.
//! * `functional.donated = N` at an argument: the caller does not read its memory again, and result N takes
//!   it.
//! * `functional.layout = strided<[1, 4], offset: 2>` at an argument or result: strides and offset; without
//!   it the tensor is contiguous at offset 0.
//! * `functional.tangent` at an argument, `functional.gradient` at a result: they belong to the backward part
//!   of a joint graph.

use super::{
    OperationLike,
    arguments::input,
    attributes as convert, cast, registry,
    strings::{string_ref, text},
    types::TensorType,
};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, OperationRef, Type, TypeLike, ValueLike,
        attribute::{IntegerAttribute, StridedLayoutAttribute},
        r#type::IntegerType,
    },
};
use mlir_sys::*;
use std::collections::HashMap;
use terrace_size::DYNAMIC;

/// The attribute of an operation whose result takes the memory of an operand.
pub const IN_PLACE: &str = "functional.in_place";
/// The attribute of an argument whose memory a result takes.
pub const DONATED: &str = "functional.donated";
/// The attribute of an argument or result that says its strides and offset.
pub const LAYOUT: &str = "functional.layout";
/// The attribute of an argument that the backward part of a joint graph gets.
pub const TANGENT: &str = "functional.tangent";
/// The attribute of a result that the backward part of a joint graph computes.
pub const GRADIENT: &str = "functional.gradient";

/// What an attribute stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// An operation.
    Operation,
    /// An argument of a function.
    Argument(usize),
    /// A result of a function.
    Result(usize),
}

impl Place {
    fn dictionaries(self) -> (&'static str, usize) {
        match self {
            Self::Result(number) => ("res_attrs", number),
            Self::Argument(number) => ("arg_attrs", number),
            Self::Operation => ("", 0),
        }
    }
}

/// A number as an attribute: of an operand or a result.
pub fn number(context: &Context, number: usize) -> Attribute<'_> {
    IntegerAttribute::new(IntegerType::new(context, 64).into(), number as i64).into()
}

/// The number of the operand whose memory an operation's result takes.
pub fn in_place(op: OperationRef) -> Option<usize> {
    op.attribute(IN_PLACE).ok().map(|number| convert::i64(number) as usize)
}

/// The attribute of an argument or result of a function.
pub fn of<'c>(function: OperationRef<'c, '_>, place: Place, name: &str) -> Option<Attribute<'c>> {
    let (all, number) = place.dictionaries();
    let all = function.attribute(all).ok()?.to_raw();
    // SAFETY: a list of arguments' or results' attributes holds dictionaries, and the number is in range.
    unsafe {
        if !mlirAttributeIsAArray(all) || number as isize >= mlirArrayAttrGetNumElements(all) {
            return None;
        }
        let found = mlirDictionaryAttrGetElementByName(
            mlirArrayAttrGetElement(all, number as isize),
            string_ref(name),
        );
        (!found.ptr.is_null()).then(|| Attribute::from_raw(found))
    }
}

/// The result that takes the memory of an argument.
pub fn donated(function: OperationRef, argument: usize) -> Option<usize> {
    of(function, Place::Argument(argument), DONATED).map(|number| convert::i64(number) as usize)
}

/// Takes the facts about arguments and results off a function.
pub fn forget(function: OperationRef) {
    for place in ["arg_attrs", "res_attrs"] {
        let Ok(all) = function.attribute(place) else { continue };
        // SAFETY: the attributes are arrays of dictionaries, which a function's verifier has checked.
        unsafe {
            let context = mlirOperationGetContext(function.to_raw());
            let kept: Vec<MlirAttribute> = (0..mlirArrayAttrGetNumElements(all.to_raw()))
                .map(|i| {
                    let own = mlirArrayAttrGetElement(all.to_raw(), i);
                    let named: Vec<MlirNamedAttribute> = (0..mlirDictionaryAttrGetNumElements(own))
                        .map(|k| mlirDictionaryAttrGetElement(own, k))
                        .filter(|named| !text(mlirIdentifierStr(named.name)).starts_with("functional."))
                        .collect();
                    mlirDictionaryAttrGet(context, named.len() as isize, named.as_ptr())
                })
                .collect();
            let kept = mlirArrayAttrGet(context, kept.len() as isize, kept.as_ptr());
            mlirOperationSetAttributeByName(function.to_raw(), string_ref(place), kept);
        }
    }
}

fn index(name: &str, value: Attribute) -> Result<usize, String> {
    let number = cast::<IntegerAttribute>(value).map(|i| i.value());
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| format!("{name} is a number from 0 on, as in 0 : i64, got {value}"))
}

fn result<'c>(function: OperationRef<'c, '_>, number: usize) -> Option<Type<'c>> {
    let signature = function.attribute("function_type").ok()?;
    // SAFETY: each class is tested before it is asked for its parts, and the number is in range.
    unsafe {
        if !mlirAttributeIsAType(signature.to_raw()) {
            return None;
        }
        let ty = mlirTypeAttrGetValue(signature.to_raw());
        let known = mlirTypeIsAFunction(ty) && (number as isize) < mlirFunctionTypeGetNumResults(ty);
        known.then(|| Type::from_raw(mlirFunctionTypeGetResult(ty, number as isize)))
    }
}

/// Checks one attribute of the functional dialect.
pub(crate) fn verify(op: OperationRef, place: Place, name: &str, value: Attribute) -> Result<(), String> {
    let ty = match place {
        Place::Operation => None,
        Place::Argument(number) => input(op, number),
        Place::Result(number) => result(op, number),
    };
    match (name, place) {
        (IN_PLACE, Place::Operation) => verify_in_place(op, index(name, value)?),
        (DONATED, Place::Argument(argument)) => {
            verify_donated(op, argument, ty.ok_or("is no argument of a function")?, index(name, value)?)
        }
        (LAYOUT, Place::Argument(_) | Place::Result(_)) => verify_layout(ty, value),
        (TANGENT, Place::Argument(_)) | (GRADIENT, Place::Result(_)) => unit(name, value),
        _ => Err(format!(
            "'{name}' does not stand here: {IN_PLACE} stands at an operation, {DONATED}, {LAYOUT} and {TANGENT} at an \
             argument, {LAYOUT} and {GRADIENT} at a result"
        )),
    }
}

fn unit(name: &str, value: Attribute) -> Result<(), String> {
    // SAFETY: an attribute is live as long as its context; it may be of any class.
    let is_unit = unsafe { mlirAttributeIsAUnit(value.to_raw()) };
    if is_unit { Ok(()) } else { Err(format!("{name} says nothing more, got {value}")) }
}

fn verify_in_place(op: OperationRef, number: usize) -> Result<(), String> {
    if registry::of(op).is_none_or(|class| class.dialect != "functional") || op.result_count() != 1 {
        return Err(format!("{IN_PLACE} stands at an operation of the functional dialect with one result"));
    }
    let own = op.result_at(0).map_err(|e| e.to_string())?.r#type();
    match op.operands().nth(number).map(|operand| operand.r#type()) {
        Some(ty) if ty == own => Ok(()),
        Some(ty) => Err(format!(
            "{IN_PLACE} = {number} names an operand of type {ty}, in whose memory a result of type {own} does not fit"
        )),
        None => Err(format!("{IN_PLACE} = {number} names none of its {} operands", op.operand_count())),
    }
}

fn verify_donated(function: OperationRef, argument: usize, ty: Type, number: usize) -> Result<(), String> {
    let taken = result(function, number)
        .ok_or_else(|| format!("{DONATED} = {number} names no result of the function"))?;
    // SAFETY: a type is live as long as its context; it may be of any class.
    if taken != ty || !unsafe { mlirTypeIsAShaped(ty.to_raw()) } {
        return Err(format!(
            "{DONATED} = {number} gives memory of type {ty} to a result of type {taken}: both are one tensor type"
        ));
    }
    // All at once, with the first of them.
    let number = |argument| of(function, Place::Argument(argument), DONATED);
    if (0..argument).rev().any(|other| number(other).is_some()) {
        return Ok(());
    }
    // SAFETY: the list of attributes that stands there is an array.
    let count = unsafe {
        mlirArrayAttrGetNumElements(function.attribute("arg_attrs").map_err(|e| e.to_string())?.to_raw())
    };
    let mut givers = HashMap::new();
    for (giver, number) in (argument..count as usize).filter_map(|giver| Some((giver, number(giver)?))) {
        if let Some(other) = givers.insert(number.to_raw().ptr as usize, giver) {
            return Err(format!(
                "{DONATED} = {number} stands at arguments {other} and {giver}: a result has one memory"
            ));
        }
    }
    Ok(())
}

fn verify_layout(ty: Option<Type>, value: Attribute) -> Result<(), String> {
    let tensor = ty.and_then(TensorType::of).filter(|tensor| !tensor.graph);
    let tensor = tensor.ok_or_else(|| format!("{LAYOUT} stands at builtin tensors"))?;
    let strided = StridedLayoutAttribute::try_from(value).map_err(|_| {
        format!("{LAYOUT} is strides and an offset, as in strided<[3, 1], offset: 2>, got {value}")
    })?;
    let strides: Vec<i64> = (0..strided.stride_count()).filter_map(|i| strided.stride(i).ok()).collect();
    if let Some(n) = strides.iter().chain([&strided.offset()]).find(|n| **n < 0 && **n != DYNAMIC) {
        return Err(format!("{LAYOUT} has {n}, but strides and offsets are not negative"));
    }
    if strides.len() != tensor.rank() {
        return Err(format!(
            "{LAYOUT} has {} strides for a tensor of {} dimensions",
            strides.len(),
            tensor.rank()
        ));
    }
    Ok(())
}
