//! loop: what the runtime does for compiled code, here by the definitions of the operators.

use crate::{
    error::Fault,
    machine::{Action, Flow, Frame, Op, Slot, Table},
    semantics::{copy, fourier, ordering},
};
use terrace_dialects::ops::loop_::{FftOp, SortOp};
use terrace_tensor::{Scalar, Tensor};

pub(super) fn register(table: &mut Table) {
    table.add("loop.sort", sort);
    table.add("loop.histogram", histogram);
    table.add("loop.fft", fft);
}

/// Where values go: into memrefs, or, as tensors, into results.
struct Destinations {
    inits: Vec<Slot>,
    results: Vec<Slot>,
}

impl Destinations {
    /// The operands from the `first` on.
    fn of(op: &mut Op, first: usize) -> Destinations {
        Destinations { inits: op.operands()[first..].to_vec(), results: op.results() }
    }

    fn sizes<'f>(&self, frame: &'f Frame, number: usize) -> &'f [i64] {
        frame.tensor(self.inits[number]).sizes()
    }

    fn finish(&self, frame: &mut Frame, values: Vec<Tensor>) -> Result<Flow, Fault> {
        for (number, value) in values.into_iter().enumerate() {
            match self.results.get(number) {
                Some(result) => frame.set(*result, value),
                None => drop(copy::copy_(frame.tensor(self.inits[number]), &value)?),
            }
        }
        Ok(Flow::Next)
    }
}

fn sort(op: &mut Op) -> Result<Action, String> {
    let view = SortOp::try_from(op.operation()).map_err(|_| "is no sort")?;
    let (dim, descending) = (view.dim(), view.descending().is_some());
    let (input, out) = (op.operand(0), Destinations::of(op, 1));
    Ok(Box::new(move |_, frame| {
        let wanted = out.sizes(frame, 0)[dim as usize];
        let values = ordering::topk(frame.tensor(input), wanted, dim, descending)?;
        out.finish(frame, values.into())
    }))
}

fn histogram(op: &mut Op) -> Result<Action, String> {
    let (input, low, high) = (op.operand(0), op.operand(1), op.operand(2));
    let out = Destinations::of(op, 3);
    Ok(Box::new(move |_, frame| {
        let bins = out.sizes(frame, 0)[0];
        let edges: [Scalar; 2] = [frame.scalar(low), frame.scalar(high)];
        let counts = ordering::histc(frame.tensor(input), bins, edges[0], edges[1])?;
        out.finish(frame, vec![counts])
    }))
}

fn fft(op: &mut Op) -> Result<Action, String> {
    let view = FftOp::try_from(op.operation()).map_err(|_| "is no fft")?;
    let dims: Vec<usize> = view.dims().into_iter().map(|dim| dim as usize).collect();
    let (inverse, normalization) = (view.inverse().is_some(), view.normalization());
    let (input, out) = (op.operand(0), Destinations::of(op, 1));
    Ok(Box::new(move |_, frame| {
        let (own, last) = (frame.tensor(input), dims.last().copied().unwrap_or_default());
        let destination = frame.tensor(out.inits[0]);
        let size = destination.sizes()[last];
        let value = match (own.dtype().is_complex(), destination.dtype().is_complex()) {
            (true, true) => fourier::c2c(own, &dims, normalization, !inverse)?,
            (true, false) => fourier::c2r(own, &dims, normalization, size)?,
            (false, _) => fourier::r2c(own, &dims, normalization, size != own.sizes()[last])?,
        };
        out.finish(frame, vec![value])
    }))
}
