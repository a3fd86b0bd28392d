//! Pointwise operators of graph with numbers for parameters, and of three tensors.

use crate::{
    machine::{Action, Op, Slot, Table},
    semantics::{
        Operand,
        pointwise::call,
        scalar_table::{self as rows, Pointwise},
    },
};
use terrace_tensor::Scalar;

/// A parameter: an operand of ODS, or a default where it is absent.
#[derive(Clone, Copy)]
struct Parameter(usize, f64);

/// An operator: its row, how many operands it iterates over, its parameters.
struct Operator(&'static str, &'static Pointwise, usize, &'static [Parameter]);

const OPERATORS: &[Operator] = &[
    Operator("leaky_relu", &rows::LEAKY_RELU, 1, &[Parameter(1, 0.01)]),
    Operator("elu", &rows::ELU, 1, &[Parameter(1, 1.0), Parameter(2, 1.0), Parameter(3, 1.0)]),
    Operator("threshold", &rows::THRESHOLD, 1, &[Parameter(1, 0.0), Parameter(2, 0.0)]),
    Operator("tanh_backward", &rows::TANH_BACKWARD, 2, &[]),
    Operator("sigmoid_backward", &rows::SIGMOID_BACKWARD, 2, &[]),
    Operator("addcmul", &rows::ADDCMUL, 3, &[Parameter(3, 1.0)]),
    Operator("addcdiv", &rows::ADDCDIV, 3, &[Parameter(3, 1.0)]),
];
/// Gradients, and the order in which eager iterates over their operands.
const GRADIENTS: &[(Operator, &[usize])] = &[
    (Operator("silu_backward", &rows::SILU_BACKWARD, 0, &[]), &[0, 1]),
    (Operator("hardswish_backward", &rows::HARDSWISH_BACKWARD, 0, &[]), &[0, 1]),
    (Operator("hardsigmoid_backward", &rows::HARDSIGMOID_BACKWARD, 0, &[]), &[0, 1]),
    (
        Operator("hardtanh_backward", &rows::HARDTANH_BACKWARD, 0, &[Parameter(2, 0.0), Parameter(3, 0.0)]),
        &[0, 1],
    ),
    (Operator("leaky_relu_backward", &rows::LEAKY_RELU_BACKWARD, 0, &[Parameter(2, 0.0)]), &[1, 0]),
    (
        Operator("softplus_backward", &rows::SOFTPLUS_BACKWARD, 0, &[Parameter(2, 0.0), Parameter(3, 0.0)]),
        &[0, 1],
    ),
    (
        Operator(
            "elu_backward",
            &rows::ELU_BACKWARD,
            0,
            &[Parameter(1, 0.0), Parameter(2, 0.0), Parameter(3, 0.0)],
        ),
        &[0, 4],
    ),
];
const THRESHOLD_BACKWARD: Operator =
    Operator("threshold_backward", &rows::THRESHOLD_BACKWARD, 2, &[Parameter(2, 0.0)]);
const SOFTPLUS: Operator = Operator("softplus", &rows::SOFTPLUS, 1, &[Parameter(1, 1.0), Parameter(2, 20.0)]);

pub(super) fn register(table: &mut Table) {
    for operator in OPERATORS {
        let decode = |in_place| move |op: &mut Op| Call::of(op, operator).action(op, in_place);
        table.graph(operator.0, decode(false));
        table.graph(&format!("{}_", operator.0), decode(true));
    }
    table.graph("threshold_backward", |op| {
        let mut call = Call::of(op, &THRESHOLD_BACKWARD);
        // Eager iterates over the operand first.
        call.operands.reverse();
        call.action(op, false)
    });
    for (operator, order) in GRADIENTS {
        table.graph(operator.0, move |op: &mut Op| {
            let mut call = Call::of(op, operator);
            call.operands = order.iter().map(|&place| op.tensor(place)).collect();
            if op.flag("is_result") {
                call.row = &rows::ELU_BACKWARD_OF_RESULT;
            }
            call.action(op, false)
        });
    }
    table.graph("gelu_backward", |op| {
        let (grad, x) = (op.tensor(0), op.tensor(1));
        let tanh = op.attribute("approximate").map(terrace_dialects::ir::attributes::string).as_deref()
            == Some("tanh");
        let row = if tanh { &rows::GELU_TANH_BACKWARD } else { &rows::GELU_BACKWARD };
        op.value(move |f| call(row, &[f.operand(grad), f.operand(x)], &[], false))
    });
    table.graph("softplus", |op| Call::of(op, &SOFTPLUS).action(op, false));
}

/// A row on its operands and parameters.
struct Call {
    row: &'static Pointwise,
    operands: Vec<Slot>,
    parameters: Vec<std::result::Result<Slot, Scalar>>,
}

impl Call {
    fn of(op: &Op, operator: &Operator) -> Call {
        let parameter =
            |&Parameter(place, default): &Parameter| op.optional(place).ok_or(Scalar::Float(default));
        Call {
            row: operator.1,
            operands: (0..operator.2).map(|place| op.tensor(place)).collect(),
            parameters: operator.3.iter().map(parameter).collect(),
        }
    }

    fn action(self, op: &mut Op, in_place: bool) -> std::result::Result<Action, String> {
        op.value(move |f| {
            let parameter =
                |slot: &std::result::Result<Slot, Scalar>| slot.map_or_else(|n| n, |slot| f.scalar(slot));
            let parameters: Vec<Scalar> = self.parameters.iter().map(parameter).collect();
            let operands: Vec<Operand> = self.operands.iter().map(|&slot| f.operand(slot)).collect();
            call(self.row, &operands, &parameters, in_place)
        })
    }
}
