//! `graph.custom`: what its schema says of its operands and results.

use crate::{
    aten::schema::{Kind, Parameter, Schema},
    ir::{
        OperationLike, attributes as convert,
        registry::Effect,
        types::{bits, is_float, is_graph_tensor},
    },
    ops::graph,
};
use melior::ir::{Attribute, OperationRef, Type, TypeLike, ValueLike};

/// The name of a custom operator, with its modules, such as `mine::scale_`: that of the function of a module
/// that computes it.
pub fn path(callee: Attribute) -> String {
    convert::path(callee).collect::<Vec<_>>().join("::")
}

/// The operands of each argument of a schema, by their numbers.
///
/// # Errors
/// There are more or fewer operands than arguments.
pub fn operands(op: &graph::CustomOp, schema: &Schema) -> Result<Vec<Vec<usize>>, String> {
    let segments = op.segments().unwrap_or_default();
    let mut segments = segments.iter();
    let mut next = 0;
    let mut all = Vec::new();
    for argument in &schema.arguments {
        let count = if argument.many {
            let missing = || format!("'segments' has no number for '{}', a list or optional", argument.name);
            usize::try_from(*segments.next().ok_or_else(missing)?)
                .map_err(|_| "'segments' has a negative number")?
        } else {
            1
        };
        all.push((next..next + count).collect());
        next += count;
    }
    let given = op.args().len();
    if segments.next().is_some() {
        return Err("'segments' has more numbers than the schema has lists and optional arguments".into());
    }
    if next != given {
        return Err(format!("has {given} operands, its schema wants {next}"));
    }
    Ok(all)
}

fn fits(ty: Type, kind: Kind) -> bool {
    let integer = |width| ty.is_integer() && bits(ty) == Some(width);
    let float = is_float(ty) && bits(ty) == Some(64);
    match kind {
        Kind::Tensor => is_graph_tensor(ty),
        Kind::Float => float,
        Kind::Int => integer(64),
        Kind::Bool => integer(1),
        Kind::Scalar => float || integer(64) || integer(1),
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Tensor => "a graph tensor",
        Kind::Float => "f64",
        Kind::Int => "i64",
        Kind::Bool => "i1",
        Kind::Scalar => "f64, i64 or i1",
    }
}

/// Operands and results are those of the schema.
pub fn verify(op: OperationRef) -> Result<(), String> {
    let custom = graph::CustomOp::try_from(op).map_err(|_| "is no custom operator")?;
    let Some(schema) = schema(&custom)? else {
        return if custom.segments().is_some() {
            Err("has 'segments' without a 'schema'".into())
        } else {
            Ok(())
        };
    };
    let args = custom.args();
    for (argument, places) in schema.arguments.iter().zip(operands(&custom, &schema)?) {
        for place in places {
            let ty = args[place].r#type();
            if !fits(ty, argument.kind) {
                return Err(format!(
                    "'{}' is {} by the schema, got {ty}",
                    argument.name,
                    word(argument.kind)
                ));
            }
        }
    }
    if op.result_count() != schema.results.len() {
        let (given, wanted) = (op.result_count(), schema.results.len());
        return Err(format!("has {given} results, its schema gives {wanted}"));
    }
    for (number, (result, described)) in op.results().zip(&schema.results).enumerate() {
        if described.many {
            return Err(format!("result {number} is a list by the schema; lists are results one by one"));
        }
        if !fits(result.r#type(), described.kind) {
            return Err(format!(
                "result {number} is {} by the schema, got {}",
                word(described.kind),
                result.r#type()
            ));
        }
        if let Some(argument) = written_as(&schema, described)
            && let Some(place) = operands(&custom, &schema)?[argument].first()
            && args[*place].r#type() != result.r#type()
        {
            return Err(format!(
                "result {number} is '{}', which is written, but has another type",
                schema.arguments[argument].name
            ));
        }
    }
    Ok(())
}

/// The argument that a result is, where it is written.
pub fn written_as(schema: &Schema, result: &Parameter) -> Option<usize> {
    let set = result.set.as_ref()?;
    schema.arguments.iter().position(|argument| argument.written && argument.set.as_ref() == Some(set))
}

/// The argument that a result is, or a view of.
pub fn alias(schema: &Schema, result: &Parameter) -> Option<usize> {
    let set = result.set.as_ref()?;
    schema.arguments.iter().position(|argument| argument.set.as_ref() == Some(set))
}

/// The operands that results are, or views of.
pub fn viewed(op: OperationRef) -> Vec<Option<usize>> {
    let of = || {
        let custom = graph::CustomOp::try_from(op).ok()?;
        let schema = schema(&custom).ok()??;
        let places = operands(&custom, &schema).ok()?;
        let operand = |result: &Parameter| places[alias(&schema, result)?].first().copied();
        Some(schema.results.iter().map(operand).collect())
    };
    of().unwrap_or_default()
}

/// The schema, where there is one.
///
/// # Errors
/// It is none.
pub fn schema(op: &graph::CustomOp) -> Result<Option<Schema>, String> {
    op.schema().map(|text| Schema::parse(&text)).transpose()
}

/// What the schema says; anything without one.
pub fn effects(op: OperationRef) -> Vec<Effect> {
    let unknown = vec![Effect::ReadAnything, Effect::WriteAnything];
    let Ok(custom) = graph::CustomOp::try_from(op) else { return unknown };
    let Ok(Some(schema)) = schema(&custom) else { return unknown };
    let Ok(operands) = operands(&custom, &schema) else { return unknown };
    let mut effects = Vec::new();
    for (argument, places) in schema.arguments.iter().zip(operands) {
        for place in places.into_iter().filter(|_| argument.kind == Kind::Tensor) {
            effects.push(Effect::Read(place));
            effects.extend(argument.written.then_some(Effect::Write(place)));
        }
    }
    let new = schema.results.iter().enumerate().filter(|(_, r)| r.kind == Kind::Tensor && r.set.is_none());
    effects.extend(new.map(|(number, _)| Effect::Allocate(number)));
    effects
}
