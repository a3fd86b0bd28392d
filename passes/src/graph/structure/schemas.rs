//! Whether the body of a custom operator holds to its schema.
//!
//! Whoever calls a custom operator may rely on its schema: an argument that is not marked with `!` stays as
//! it is, and a result that is in no set of storages is a new tensor. A body in the module goes in the place
//! of the call, where nobody would look any more. So one that may write such an argument, or give it back, is
//! refused.
//!
//! ```mlir
//! func.func private @bump(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
//!   graph.add_ %x, %k ...                                                     // refused: the schema does not say so
//! }
//! graph.custom @bump(%x) {schema = "(Tensor x) -> Tensor"}
//! ```

use melior::ir::{BlockRef, OperationRef, ValueLike};
use std::collections::HashSet;
use terrace_dialects::{
    analysis::flow::chosen_of,
    aten::custom::{alias, operands, schema},
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{argument, collect, definition, home},
        pass::Failure,
        registry::{self, Effect},
    },
    ops::graph,
};

/// Looks whether a body holds to the schema of a custom operator, whose end returns what the operator gives.
pub fn held<'c: 'a, 'a>(
    custom: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
    end: OperationRef<'c, 'a>,
) -> Result<(), Failure> {
    let Ok(view) = graph::CustomOp::try_from(custom) else { return Ok(()) };
    let Some(schema) = schema(&view)? else { return Ok(()) };
    let places = operands(&view, &schema)?;
    let described = |number: usize| {
        let at = places.iter().position(|places| places.contains(&number))?;
        schema.arguments.get(at)
    };
    let function = body.parent_operation();
    let unmarked = |number: &usize| described(*number).filter(|argument| !argument.written);
    for op in function.into_iter().flat_map(|function| collect(function, |op| registry::of(op).is_some())) {
        let Some(class) = registry::of(op) else { continue };
        let effects = class.effects.map_or(vec![], |effects| effects(op)).into_iter();
        let written = effects.filter_map(|effect| match effect {
            Effect::Write(operand) => Some(operand),
            _ => None,
        });
        for written in written.chain(class.is_in_place().then_some(0)) {
            let Ok(written) = op.operand(written) else { continue };
            if let Some(argument) = roots(written, body).iter().find_map(unmarked) {
                let name = &argument.name;
                return Err(format!(
                    "has a body that may write '{name}', which its schema does not mark with !"
                )
                .into());
            }
        }
    }
    for (number, value) in end.operands().enumerate() {
        let said = schema.results.get(number).and_then(|result| alias(&schema, result));
        let may = |root: &usize| {
            described(*root).filter(|argument| said.is_none_or(|said| schema.arguments[said] != **argument))
        };
        if let Some(argument) = roots(value, body).iter().find_map(may) {
            return Err(format!(
                "has a body whose result {number} may share the storage of '{}', but not in its schema",
                argument.name
            )
            .into());
        }
    }
    Ok(())
}

/// The arguments of a body, by their numbers, that a tensor may be, or a view of.
fn roots<'c: 'a, 'a>(value: V<'c, 'a>, body: BlockRef<'c, 'a>) -> Vec<usize> {
    let (mut left, mut seen, mut found) = (vec![value], HashSet::new(), vec![]);
    while let Some(value) = left.pop() {
        if !seen.insert(value.to_raw().ptr as usize) {
            continue;
        }
        if let Some(own) = argument(value).filter(|_| home(value) == Some(body)) {
            found.push(own.argument_number());
        }
        left.extend(chosen_of(value).into_iter().filter_map(|(op, number)| op.operand(number).ok()));
        let Some(op) = definition(value) else { continue };
        if registry::of(op).is_some_and(|class| class.view || class.is_in_place()) {
            left.extend(op.operand(0).ok());
        }
    }
    found.sort_unstable();
    found
}
