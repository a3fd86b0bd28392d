//! `graph.custom`: a function that was registered, or one of the module, held to the schema.

use crate::{
    error::Fault,
    machine::{Action, Flow, Frame, Interpreter, Op, Slot, Table},
    types::Kind,
};
use terrace_dialects::{
    aten::{
        custom,
        schema::{Kind as Sort, Schema},
    },
    ir::attributes,
    ops::graph,
};
use terrace_tensor::{Scalar, Tensor, Value};

pub(super) fn register(table: &mut Table) {
    table.add("graph.custom", decode);
}

/// What a schema promises.
struct Promise {
    schema: Schema,
    /// The operands of each argument.
    operands: Vec<Vec<usize>>,
}

fn decode(op: &mut Op) -> Result<Action, String> {
    let custom = graph::CustomOp::try_from(op.operation()).map_err(|_| "is no custom operator")?;
    let promise = match custom::schema(&custom)? {
        Some(schema) => Some(Promise { operands: custom::operands(&custom, &schema)?, schema }),
        None => None,
    };
    let callee = custom::path(op.required("callee")?);
    let shape = match op.attribute("shape").map(attributes::symbol) {
        Some(name) => {
            Some(op.function(&name).ok_or(format!("names @{name}, which is no function, as its shape"))?)
        }
        None => None,
    };
    let body = op.function(&callee);
    let (operands, kinds, results) = (op.operands(), op.result_kinds()?, op.results());
    Ok(Box::new(move |machine, frame| {
        let args = frame.get_all(&operands);
        let before = promise.as_ref().map(|promise| promise.unwritten(&args));
        let values = match (machine.registered(&callee), body) {
            (Some(function), _) => function(&args)?,
            (None, Some(body)) => machine.invoke(body, &args, frame.depth)?,
            (None, None) => {
                return Err(format!(
                    "calls @{callee}, which is neither registered nor a function of the module"
                )
                .into());
            }
        };
        check_results(&values, &kinds)?;
        if let Some(promise) = &promise {
            promise.check(&args, &values, &before.unwrap_or_default())?;
        }
        if let Some(shape) = shape {
            check_shape(machine, frame, shape, &args, &values)?;
        }
        set(frame, &results, values);
        Ok(Flow::Next)
    }))
}

fn set(frame: &mut Frame, results: &[Slot], values: Vec<Value>) {
    frame.set_all(results, &values);
}

fn check_results(values: &[Value], kinds: &[Kind]) -> Result<(), Fault> {
    if values.len() != kinds.len() {
        return Err(format!("has {} results, but {} were computed", kinds.len(), values.len()).into());
    }
    for (number, (value, kind)) in values.iter().zip(kinds).enumerate() {
        kind.check(value).map_err(|difference| format!("result {number}: {difference}"))?;
    }
    Ok(())
}

impl Promise {
    /// The tensors that the schema lets nobody write, with what their storages hold.
    fn unwritten(&self, args: &[Value]) -> Vec<(String, Tensor, Vec<u8>)> {
        let all = || self.schema.arguments.iter().zip(&self.operands);
        let tensor = |place: &usize| args[*place].as_tensor().cloned();
        let written: Vec<Tensor> = all()
            .filter(|(a, _)| a.written)
            .flat_map(|(_, places)| places.iter().filter_map(tensor))
            .collect();
        let is_written = |t: &Tensor| written.iter().any(|w| w.storage().is_same(t.storage()));
        let read = all().filter(|(argument, _)| !argument.written);
        read.flat_map(|(argument, places)| {
            places.iter().filter_map(tensor).map(|t| (argument.name.clone(), t))
        })
        .filter(|(_, tensor)| !is_written(tensor))
        .map(|(name, tensor)| (name, tensor.clone(), tensor.storage().to_bytes()))
        .collect()
    }

    /// Whether results are the arguments, views and new tensors that they should be, and nothing else was
    /// written.
    fn check(
        &self,
        args: &[Value],
        values: &[Value],
        before: &[(String, Tensor, Vec<u8>)],
    ) -> Result<(), Fault> {
        for (name, tensor, bytes) in before {
            if tensor.storage().to_bytes() != *bytes {
                return Err(format!("writes '{name}', which its schema does not mark with !").into());
            }
        }
        let shares = |result: &Tensor, places: &[usize]| {
            let tensors = places.iter().filter_map(|place| args[*place].as_tensor());
            tensors.into_iter().any(|tensor| tensor.storage().is_same(result.storage()))
        };
        for (number, (result, value)) in self.schema.results.iter().zip(values).enumerate() {
            let Some(tensor) = value.as_tensor().filter(|_| result.kind == Sort::Tensor) else { continue };
            let Some(set) = &result.set else {
                if let Some(at) = self.operands.iter().position(|places| shares(tensor, places)) {
                    let name = &self.schema.arguments[at].name;
                    return Err(format!(
                        "result {number} shares the storage of '{name}', but not in its schema"
                    )
                    .into());
                }
                continue;
            };
            if let Some(argument) = custom::written_as(&self.schema, result) {
                let own = self.operands[argument].first().and_then(|place| args[*place].as_tensor());
                if !own.is_some_and(|own| own.is_same(tensor)) {
                    let name = &self.schema.arguments[argument].name;
                    return Err(format!("result {number} is not '{name}' itself, as its schema says").into());
                }
            } else {
                let in_set = |at: &usize| self.schema.arguments[*at].set.as_ref() == Some(set);
                let sources = (0..self.operands.len()).filter(in_set);
                if !sources.into_iter().any(|at| shares(tensor, &self.operands[at])) {
                    return Err(
                        format!("result {number} does not share the storage '{set}' of its schema").into()
                    );
                }
            }
        }
        Ok(())
    }
}

/// Whether the tensors among the results have the sizes that the shape rule gives for those among the
/// arguments.
fn check_shape(
    machine: &Interpreter,
    frame: &Frame,
    shape: usize,
    args: &[Value],
    values: &[Value],
) -> Result<(), Fault> {
    let sizes = |values: &[Value]| -> Vec<i64> {
        values.iter().filter_map(Value::as_tensor).flat_map(|tensor| tensor.sizes().to_vec()).collect()
    };
    let given: Vec<Value> = sizes(args).into_iter().map(|size| Scalar::Int(size).into()).collect();
    let expected = machine.invoke(shape, &given, frame.depth)?;
    let expected: Vec<i64> = expected.iter().filter_map(Value::as_scalar).map(|size| size.to_i64()).collect();
    let actual = sizes(values);
    if actual == expected {
        return Ok(());
    }
    Err(format!("computes tensors of sizes {actual:?}, its shape rule gives {expected:?}").into())
}
