//! Norms over channels, those that write running statistics among them.

use super::operators::optional;
use crate::{
    machine::{Action, Frame, Op, Slot, Table},
    semantics::{
        Error, Result,
        channel_norms::{self as norms, Parameters, Running},
    },
};
use terrace_dialects::ir::attributes;
use terrace_tensor::Tensor;

pub(super) fn register(table: &mut Table) {
    for name in ["native_batch_norm", "_native_batch_norm_legit", "_native_batch_norm_legit_no_training"] {
        table.graph(name, |op| batch_norm(op, Results::Statistics));
    }
    table.graph("batch_norm", |op| batch_norm(op, Results::Output));
    table.functional("native_batch_norm", |op| batch_norm(op, Results::Running));
    table.graph("instance_norm", instance_norm);
    table.both("native_group_norm", |op| {
        let (call, groups, eps) = (Call::of(op), op.int("group")?, float(op, "eps")?);
        let sizes = [op.int("N")?, op.int("C")?, op.int("HxW")?];
        op.values(move |f| {
            let all = norms::native_group_norm(f.tensor(call.input), call.parameters(f), sizes, groups, eps)?;
            Ok(all.into())
        })
    });
    table.graph("group_norm", |op| {
        let (call, groups) = (Call::of(op), op.int("num_groups")?);
        let eps = op.attribute("eps").map_or(1e-5, attributes::f64);
        op.value(move |f| {
            let input = f.tensor(call.input);
            let sizes = [input.sizes()[0], input.sizes()[1], input.sizes()[2..].iter().product()];
            let [output, ..] = norms::native_group_norm(input, call.parameters(f), sizes, groups, eps)?;
            Ok(output)
        })
    });
    table.both("rms_norm", |op| {
        let (input, weight, shape) = (op.tensor(0), op.optional(1), op.ints("normalized_shape")?);
        let eps = op.attribute("eps").map(attributes::f64);
        op.value(move |f| norms::rms_norm(f.tensor(input), &shape, optional(f, weight), eps))
    });
}

/// The operands that all have.
#[derive(Clone, Copy)]
struct Call {
    input: Slot,
    weight: Option<Slot>,
    bias: Option<Slot>,
}

impl Call {
    fn of(op: &Op) -> Call {
        Call { input: op.tensor(0), weight: op.optional(1), bias: op.optional(2) }
    }

    fn parameters<'f>(&self, f: &'f Frame) -> Parameters<'f> {
        Parameters { weight: optional(f, self.weight), bias: optional(f, self.bias) }
    }
}

/// The running statistics, where both are there.
fn running(f: &Frame, mean: Option<Slot>, variance: Option<Slot>) -> Option<Running<'_>> {
    Some(Running { mean: optional(f, mean)?, variance: optional(f, variance)? })
}

/// What an operation of batch norm gives.
#[derive(Clone, Copy, PartialEq)]
enum Results {
    /// The output; running statistics are written.
    Output,
    /// And the statistics that were used; running ones are written.
    Statistics,
    /// And the running statistics after it, which are written nowhere.
    Running,
}

fn batch_norm(op: &mut Op, results: Results) -> std::result::Result<Action, String> {
    let (call, mean, variance) = (Call::of(op), op.optional(3), op.optional(4));
    let (training, momentum, eps) = (op.flag("training"), float(op, "momentum")?, float(op, "eps")?);
    op.values(move |f| {
        let (input, running) = (f.tensor(call.input), running(f, mean, variance));
        // Of nothing eager's batch_norm makes a copy.
        if results == Results::Output && input.is_empty() && input.rank() > 1 {
            return Ok(vec![crate::semantics::copy::clone(input)?]);
        }
        let norm = norms::batch_norm(input, call.parameters(f), running, training, momentum, eps)?;
        if results != Results::Running {
            write(f, call, running, &norm.running)?;
        }
        Ok(match results {
            Results::Output => vec![norm.output],
            Results::Statistics => vec![norm.output, norm.mean, norm.rstd],
            Results::Running => [norm.output, norm.mean, norm.rstd]
                .into_iter()
                .chain(norm.running.into_iter().flatten())
                .collect(),
        })
    })
}

fn instance_norm(op: &mut Op) -> std::result::Result<Action, String> {
    let (call, mean, variance) = (Call::of(op), op.optional(3), op.optional(4));
    let (training, momentum, eps) = (op.flag("use_input_stats"), float(op, "momentum")?, float(op, "eps")?);
    op.value(move |f| {
        let running = running(f, mean, variance);
        let (output, updated) =
            norms::instance_norm(f.tensor(call.input), call.parameters(f), running, training, momentum, eps)?;
        write(f, call, running, &updated)?;
        Ok(output)
    })
}

fn float(op: &Op, name: &str) -> std::result::Result<f64, String> {
    op.required(name).map(attributes::f64)
}

/// Moves the running statistics, where there are any.
fn write(f: &Frame, call: Call, running: Option<Running>, updated: &Option<[Tensor; 2]>) -> Result<()> {
    let (Some(running), Some(updated)) = (running, updated) else { return Ok(()) };
    let operands = [Some(f.tensor(call.input)), optional(f, call.weight), optional(f, call.bias)];
    let operands: Vec<&Tensor> = operands.into_iter().flatten().collect();
    norms::update(running, updated, &operands).map_err(|error: Error| error)
}
