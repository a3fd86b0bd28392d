//! Operators on small constants, for the analysis of fake tensors.

use crate::{dialects::table, machine::Interpreter, semantics::random};
use melior::ir::operation::OperationRef;
use terrace_dialects::{
    analysis::fake::{Constant, Element, Evaluate},
    ir::dtype::Dtype,
};
use terrace_size::Size;
use terrace_tensor::{Scalar, Tensor, Value};

/// Computes operators of the graph dialect whose operands are known.
pub static EVALUATOR: &dyn Evaluate = &Evaluator;

struct Evaluator;

thread_local! {
    static INTERPRETER: Interpreter<'static> = Interpreter::of_nothing(table());
}

impl Evaluate for Evaluator {
    fn evaluate(&self, op: OperationRef, operands: &[Option<Constant>]) -> Option<Vec<Constant>> {
        let values = operands.iter().map(|operand| match operand {
            Some(constant) => value(constant).map(Some),
            None => Some(None),
        });
        let values = values.collect::<Option<Vec<_>>>()?;
        let state = random::state();
        let results = INTERPRETER.with(|interpreter| interpreter.operation_on(op, &values));
        if random::state() != state {
            // What is drawn is not known before the program runs, and draws nothing then.
            random::set_state(state);
            return None;
        }
        results?.iter().map(constant).collect()
    }
}

fn value(constant: &Constant) -> Option<Value> {
    let scalar = |element: &Element, dtype: Option<Dtype>| match element {
        Element::Int(number) if dtype == Some(Dtype::Bool) => number.known().map(|n| Scalar::Bool(n != 0)),
        Element::Int(number) => number.known().map(Scalar::Int),
        Element::Float(number) => Some(Scalar::Float(*number)),
    };
    Some(match constant {
        Constant::Number(number) => scalar(number, None)?.into(),
        Constant::Tensor { dtype, sizes, elements } => {
            let elements: Vec<Scalar> =
                elements.iter().map(|element| scalar(element, Some(*dtype))).collect::<Option<_>>()?;
            Tensor::from_elements(*dtype, sizes, &elements).ok()?.into()
        }
    })
}

fn constant(value: &Value) -> Option<Constant> {
    let element = |scalar: Scalar| match scalar {
        Scalar::Bool(truth) => Some(Element::Int(i64::from(truth).into())),
        Scalar::Int(number) => Size::exactly(number).map(Element::Int),
        Scalar::Float(number) => Some(Element::Float(number)),
        Scalar::Complex(..) => None,
    };
    Some(match value {
        Value::Scalar(scalar) => Constant::Number(element(*scalar)?),
        Value::Tensor(tensor) => Constant::Tensor {
            dtype: tensor.dtype(),
            sizes: tensor.sizes().to_vec(),
            elements: tensor.to_vec().into_iter().map(element).collect::<Option<_>>()?,
        },
    })
}
