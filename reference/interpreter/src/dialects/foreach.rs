//! Operators on each tensor of a list, by the operators on one tensor.

use crate::machine::{Action, Flow, Op, Slot, Table};
use melior::ir::{
    Value, ValueLike,
    operation::{Operation, OperationBuilder, OperationRef},
};
use terrace_dialects::{
    aten::foreach,
    ir::{
        OperationLike,
        builder::Builder,
        context,
        dtype::{Category, Dtype, ElementType},
        registry::OpImpl,
        types::TensorType,
        view,
    },
    table,
};

pub(super) fn register(table: &mut Table) {
    for class in table::ALL.iter().filter(|class| foreach::is_foreach(class)) {
        table.add(class.name, decode);
    }
}

/// What stands for an element of a vector, a number of its kind, while the operation on it is decoded.
fn number<'c>(
    operation: OperationRef<'c, '_>,
    class: &OpImpl,
    place: usize,
) -> Result<Operation<'c>, String> {
    let vector = TensorType::<i64>::of(view::operand(operation, class, place).r#type());
    let dtype = match vector.ok_or("expects a tensor of numbers")?.dtype.category() {
        Category::Bool => Dtype::Bool,
        Category::Integer => Dtype::I64,
        Category::Float => Dtype::F64,
        Category::Complex => Dtype::C128,
    };
    let context = context::of(operation.context());
    OperationBuilder::new("builtin.unrealized_conversion_cast", operation.location())
        .add_results(&[dtype.to_type(context)])
        .build()
        .map_err(|error| error.to_string())
}

/// Reads an element of a vector.
fn element(vector: Slot, entry: i64, to: Slot) -> Action {
    Box::new(move |_, frame| {
        let vector = frame.tensor(vector);
        if vector.sizes()[0] > 1 && vector.strides()[0] != 1 {
            return Err("Expected scalars to be contiguous.".to_owned().into());
        }
        let number = vector.read(vector.offset() + entry);
        frame.set(to, number);
        Ok(Flow::Next)
    })
}

/// The actions of the single operations, one after another; their results are the results.
fn decode(op: &mut Op) -> Result<Action, String> {
    let operation = op.operation();
    let class = terrace_dialects::ir::registry::of(operation).ok_or("is not known")?;
    let results = op.results();
    let (mut actions, mut made) = (vec![], vec![]);
    let vector = foreach::numbers(class);
    for (entry, single) in foreach::singles(operation, class)?.into_iter().enumerate() {
        let mut builder = Builder::new(single.class, operation.location());
        let number = vector.map(|place| number(operation, class, place)).transpose()?;
        for (place, values) in single.operands.iter().enumerate() {
            match &number {
                Some(number) if vector == Some(place) => {
                    let value: Value = number.result_at(0).map_err(|error| error.to_string())?.into();
                    actions.push(element(op.tensor(place), entry as i64, op.stand_in(value)));
                    builder.operand(value);
                }
                _ => builder.operands(values),
            };
        }
        for (name, value) in foreach::attributes(operation) {
            builder.any(&name, value);
        }
        let built = builder.infer().map_err(|error| error.to_string())?;
        // SAFETY: `built` lives as long as it takes to decode it.
        let (action, slots) = op.other(unsafe { OperationRef::from_raw(built.to_raw()) })?;
        actions.push(action);
        made.extend(slots);
    }
    Ok(Box::new(move |machine, frame| {
        for action in &actions {
            action(machine, frame)?;
        }
        for (&result, &slot) in results.iter().zip(&made) {
            let value = frame.get(slot).clone();
            frame.set(result, value);
        }
        Ok(Flow::Next)
    }))
}
