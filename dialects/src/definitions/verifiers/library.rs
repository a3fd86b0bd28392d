//! Operations of loop that are calls of the runtime: their destinations are what they write.

use crate::{
    ir::{
        OperationLike,
        dtype::{Dtype, ElementType},
        shaped::{Shaped, check_sizes},
    },
    ops::loop_,
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_size::DYNAMIC;

/// What is read and what is written, all tensors or all memrefs; a result for each tensor that is written.
fn parts<'c>(
    op: OperationRef<'c, '_>,
    input: Value<'c, '_>,
    inits: &[Value<'c, '_>],
    count: usize,
) -> Result<(Shaped<'c>, Vec<Shaped<'c>>), String> {
    if inits.len() != count {
        return Err(format!("writes {count} destinations, got {}", inits.len()));
    }
    let read = Shaped::expect(input.r#type())?;
    let written = inits.iter().map(|init| Shaped::expect(init.r#type())).collect::<Result<Vec<_>, _>>()?;
    if written.iter().any(|written| written.buffer != read.buffer) {
        return Err("expects tensors or memrefs alone, not both".into());
    }
    if read.buffer && inits.contains(&input) {
        return Err("writes the memref that it reads: expects another destination".into());
    }
    let results = op.result_count();
    if results != if read.buffer { 0 } else { count } {
        return Err(format!(
            "expects a result for each tensor that it writes and none for a memref, got {results}"
        ));
    }
    for (result, init) in op.results().zip(inits) {
        if result.r#type() != init.r#type() {
            return Err("has a result of another type than its destination".into());
        }
    }
    Ok((read, written))
}

/// The dtype of elements; a complex number that is a dimension of 2 is not told from two others here.
fn dtype(shaped: &Shaped) -> Result<Dtype, String> {
    Dtype::of(shaped.element).ok_or_else(|| format!("has elements of {}: expects numbers", shaped.element))
}

/// The sizes are the same but along a dimension, where the destinations may have fewer.
pub fn loop_sort(op: OperationRef) -> Result<(), String> {
    let view = loop_::SortOp::try_from(op).map_err(|_| "is no sort")?;
    let (read, written) = parts(op, view.input(), &view.inits(), 2)?;
    let dim = usize::try_from(view.dim()).ok().filter(|dim| *dim < read.rank());
    let dim = dim.ok_or_else(|| format!("sorts along dimension {} of {}", view.dim(), read.rank()))?;
    let mut shape = read.shape.clone();
    let most = shape[dim];
    shape[dim] = written[0].shape.get(dim).copied().unwrap_or(most);
    if most != DYNAMIC && shape[dim] > most {
        return Err(format!("has {} elements along dimension {dim} for {most} that there are", shape[dim]));
    }
    for written in &written {
        check_sizes("a destination of the input's other sizes", &shape, &written.shape)?;
    }
    if written[0].element != read.element {
        return Err(format!("puts elements of {} into {}", read.element, written[0].element));
    }
    if dtype(&read)?.is_complex() {
        return Err("sorts complex numbers, which have no order".into());
    }
    match Dtype::of(written[1].element) {
        Some(Dtype::I64) => Ok(()),
        _ => Err(format!("puts places into {}: expects i64", written[1].element)),
    }
}

/// Floats, counted in a vector of them.
pub fn loop_histogram(op: OperationRef) -> Result<(), String> {
    let view = loop_::HistogramOp::try_from(op).map_err(|_| "is no histogram")?;
    let (read, written) = parts(op, view.input(), &view.inits(), 1)?;
    if !dtype(&read)?.is_float() || written[0].element != read.element {
        return Err(format!("counts {} in {}: expects floats of one type", read.element, written[0].element));
    }
    match written[0].shape[..] {
        [bins] if bins == DYNAMIC || bins > 0 => Ok(()),
        _ => Err("expects a vector of at least one element for the counts".into()),
    }
}

/// Complex numbers, or real ones on one side.
pub fn loop_fft(op: OperationRef) -> Result<(), String> {
    let view = loop_::FftOp::try_from(op).map_err(|_| "is no fft")?;
    let (read, written) = parts(op, view.input(), &view.inits(), 1)?;
    let (mut read, mut written) =
        (Side::of(read)?, Side::of(written.into_iter().next().ok_or("writes nothing")?)?);
    if read.part != written.part {
        return Err(format!("transforms numbers of {:?} into numbers of {:?}", read.part, written.part));
    }
    // In a memref a complex number may have been taken apart: both sides are then told by their ranks alone.
    if !read.complex && !written.complex && read.buffer {
        let (longer, shorter) = (read.shape.len(), written.shape.len());
        let has_parts = |shape: &[i64]| shape.last().is_some_and(|size| *size == 2);
        for (side, apart) in [(&mut read, longer >= shorter), (&mut written, shorter >= longer)] {
            if apart && has_parts(&side.shape) {
                side.shape.pop();
                side.complex = true;
            }
        }
    }
    if !read.complex && !written.complex {
        return Err(
            "transforms real numbers into real ones: expects complex numbers on one side at least".into()
        );
    }
    let (dims, rank) = (view.dims(), read.shape.len());
    let mut seen = vec![false; rank];
    for dim in &dims {
        match usize::try_from(*dim).ok().and_then(|dim| seen.get_mut(dim)) {
            Some(seen) if !*seen => *seen = true,
            _ => {
                return Err(format!(
                    "transforms along {dims:?}: expects some of the {rank} dimensions, each once"
                ));
            }
        }
    }
    let Some(last) = dims.last().map(|dim| *dim as usize) else {
        return Err("transforms along no dimension".into());
    };
    if view.inverse().is_some() == written.complex && (!read.complex || !written.complex) {
        return Err("goes from real numbers forward, and back to them 'inverse'".into());
    }
    if !(0..=2).contains(&view.normalization()) {
        return Err(format!("has the normalization {}: expects 0, 1 or 2", view.normalization()));
    }
    let mut shape = read.shape.clone();
    let (whole, half) = match (read.complex, written.complex) {
        (true, true) => (shape[last], shape[last]),
        (false, _) => (shape[last], if shape[last] == DYNAMIC { DYNAMIC } else { shape[last] / 2 + 1 }),
        (true, false) => {
            // As many as the result needs, or more.
            let size = written.shape.get(last).copied().unwrap_or(DYNAMIC);
            if size != DYNAMIC && shape[last] != DYNAMIC && shape[last] < size / 2 + 1 {
                return Err(format!("makes {size} real numbers of {} complex ones", shape[last]));
            }
            (size, size)
        }
    };
    shape[last] = if written.shape.get(last) == Some(&half) { half } else { whole };
    check_sizes("a destination of sizes", &shape, &written.shape)
}

/// One side of a transform.
struct Side {
    shape: Vec<i64>,
    part: Dtype,
    complex: bool,
    buffer: bool,
}

impl Side {
    fn of(shaped: Shaped) -> Result<Self, String> {
        let own = dtype(&shaped)?;
        let part = own.part();
        if !matches!(part, Dtype::F32 | Dtype::F64) {
            return Err(format!(
                "transforms numbers of {}: expects f32, f64 or complex numbers of these",
                shaped.element
            ));
        }
        Ok(Self { shape: shaped.shape, part, complex: own.is_complex(), buffer: shaped.buffer })
    }
}
