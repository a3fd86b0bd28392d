//! What is a view or a copy by strides, where these are not known: both, and what decides between them.
//!
//! Sizes may be known at run time only: they are numbers then, and `graph.view` is a view of whatever has strides for them.

use super::{
    flags::Flagged,
    outliner::Outliner,
    sizes::{asked, equal, i64, or, size, times, truth, word},
};
use crate::graph_functionalize::constant_int;
use melior::ir::{OperationRef, ValueLike, operation::OperationLike};
use mlir_sys::mlirValueReplaceAllUsesOfWith;
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, V},
    extent::Extent,
    operations::refuse,
    pass::Failure,
    types::{DYNAMIC, TensorType},
    view,
};

/// When an operation is a view of its operand, or it, and not a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reshape {
    /// Where its strides allow.
    View,
    /// Where it is row-major.
    Contiguous,
    /// Always: it is refused where they do not allow it.
    Only,
}

/// What is a view or a copy by strides, where these are not known.
pub(super) const RESHAPES: &[(&str, Reshape)] = &[
    ("graph.contiguous", Reshape::Contiguous),
    ("graph.flatten.using_ints", Reshape::View),
    ("graph.ravel", Reshape::Contiguous),
    ("graph.reshape", Reshape::View),
    ("graph.reshape_as", Reshape::View),
    ("graph.unflatten", Reshape::Only),
];

/// What eager says, where it names the sizes.
const NOT_UNFLATTENED: &str =
    "unflatten: Provided sizes don't multiply up to the size of the dim in the input tensor";

/// The format that copies are in.
const ROW_MAJOR: &str = "contiguous_format";

/// The formats that a tensor may be asked for.
const FORMATS: &[&str] = &[ROW_MAJOR, "channels_last", "channels_last_3d"];

impl<'c, 'a> Outliner<'_, 'c, 'a> {
    /// Writes a view and a copy in front of the operation, and what decides between them: both of what is stored, and seen as the operand
    /// is, also where eager's copy is of what is seen.
    pub fn reshape(&mut self, when: Reshape, flags: Flagged) -> Result<(), Failure> {
        let at = Cursor::before(self.op)?;
        let (own, result): (V, V) = (flags.seen(&at, self.op.operand(0)?)?, self.op.result(0)?.into());
        let format = view::attribute(self.op, "memory_format").map(convert::string);
        let format = format.map_or(Ok(ROW_MAJOR), |format| {
            let known = FORMATS.iter().find(|known| **known == format).copied();
            known.ok_or_else(|| {
                refuse(self.op, "preserve memory format is unsupported by the contiguous operator")
            })
        })?;
        let ty = result.r#type();
        let sizes = sizes(&at, self.op, self.class.name)?;
        let seen = |at: &Cursor<'c, 'a>, tensor: V<'c, 'a>| {
            let (operands, size) = listed(at, tensor, &sizes)?;
            at.with("graph.view", &operands, ty, &[size])
        };
        let is_view = match when {
            Reshape::View => {
                let (operands, size) = listed(&at, own, &sizes)?;
                at.with("graph.check_view", &operands, truth(&at), &[size])?
            }
            Reshape::Contiguous => lies_in(&at, own, format)?,
            Reshape::Only => {
                let seen = flags.seen(&at, seen(&at, own)?)?;
                // SAFETY: both are of one type.
                unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), seen.to_raw()) };
                return Ok(());
            }
        };
        let is_same = self.class.name == "graph.contiguous";
        let chosen = at.either(is_view, &[ty], |at, way| {
            let tensor = match way {
                0 => own,
                _ => self.copied(&at, own, Some(format), None)?,
            };
            Ok(vec![if is_same { tensor } else { seen(&at, tensor)? }])
        })?;
        let chosen = flags.seen(&at, chosen[0])?;
        // SAFETY: both are of one type.
        unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), chosen.to_raw()) };
        Ok(())
    }
}

/// The operands and the attribute that give a tensor sizes.
#[allow(clippy::type_complexity)]
fn listed<'c, 'a>(
    at: &Cursor<'c, 'a>,
    tensor: V<'c, 'a>,
    sizes: &[Extent<'c, 'a>],
) -> Result<(Vec<V<'c, 'a>>, (melior::ir::Identifier<'c>, melior::ir::Attribute<'c>)), Failure> {
    let (values, numbers) = Extent::split(sizes);
    Ok(([vec![tensor], values].concat(), at.named("size", at.numbers(&numbers))))
}

/// The sizes of the result, i64 where they are known when the program runs; one may be -1.
fn sizes<'c, 'a>(
    at: &Cursor<'c, 'a>,
    op: OperationRef<'c, 'a>,
    name: &str,
) -> Result<Vec<Extent<'c, 'a>>, Failure> {
    let ty = |value: V<'c, 'a>| TensorType::<i64>::of(value.r#type()).ok_or("is no tensor");
    let own = op.operand(0)?;
    let (rank, result) = (ty(own)?.rank(), ty(op.result(0)?.into())?.shape);
    let given = |name: &str| -> Result<Vec<Extent<'c, 'a>>, Failure> {
        let numbers = convert::i64s(op.attribute(name)?);
        Ok(Extent::listed(&numbers, &op.operands().skip(1).collect::<Vec<V>>()))
    };
    let all = |tensor: V<'c, 'a>| -> Result<Vec<Extent<'c, 'a>>, Failure> {
        (0..ty(tensor)?.rank()).map(|d| size(at, tensor, d)).collect()
    };
    let dim = |name: &str, default: i64| {
        let dim = view::attribute(op, name).map_or(default, convert::i64);
        dim.rem_euclid(rank.max(1) as i64) as usize
    };
    let mut sizes = match name {
        "graph.reshape" => given("shape")?,
        "graph.reshape_as" => all(op.operand(1)?)?,
        "graph.contiguous" => all(own)?,
        "graph.unflatten" => {
            let mut sizes = all(own)?;
            let dim = dim("dim", 0);
            let parts = unflattened(at, sizes[dim], given("sizes")?)?;
            sizes.splice(dim..=dim, parts);
            sizes
        }
        // Some dimensions are one, or all are.
        _ => {
            let (first, last) = match name {
                "graph.ravel" => (0, rank.saturating_sub(1)),
                _ => (dim("start_dim", 0), dim("end_dim", -1)),
            };
            let mut sizes = all(own)?;
            let joined = sizes
                .drain(first..(last + 1).min(rank))
                .try_fold(Extent::Number(1), |product, size| times(at, product, size))?;
            sizes.insert(first, joined);
            sizes
        }
    };
    for (size, known) in sizes.iter_mut().zip(result).filter(|(_, known)| *known != DYNAMIC) {
        *size = Extent::Number(known);
    }
    Ok(sizes)
}

/// The sizes that one dimension becomes: a -1 among them is what is left of its size, also where another dimension is empty.
fn unflattened<'c, 'a>(
    at: &Cursor<'c, 'a>,
    whole: Extent<'c, 'a>,
    mut parts: Vec<Extent<'c, 'a>>,
) -> Result<Vec<Extent<'c, 'a>>, Failure> {
    let is_rest = |part: &Extent<'c, 'a>| part.is(-1) || part.value().and_then(constant_int) == Some(-1);
    let Some(place) = parts.iter().position(is_rest) else { return Ok(parts) };
    let others = parts.iter().filter(|part| !is_rest(part));
    let others = others.copied().try_fold(Extent::Number(1), |product, part| times(at, product, part))?;
    let others = at.op("arith.maxsi", &[word(at, others)?, at.integer(i64(at), 1)?], i64(at))?;
    let (whole, whole_rest) = (word(at, whole)?, at.op("arith.remsi", &[word(at, whole)?, others], i64(at))?);
    at.assert(equal(at, whole_rest, at.integer(i64(at), 0)?)?, NOT_UNFLATTENED)?;
    parts[place] = Extent::Value(at.op("arith.divsi", &[whole, others], i64(at))?);
    Ok(parts)
}

/// Whether a tensor lies in a format: strides of sizes of 1 say nothing, and nothing does of a row-major one without elements.
fn lies_in<'c, 'a>(at: &Cursor<'c, 'a>, own: V<'c, 'a>, format: &str) -> Result<V<'c, 'a>, Failure> {
    let rank = TensorType::<i64>::of(own.r#type()).ok_or("is no tensor")?.rank();
    let sizes = (0..rank).map(|d| size(at, own, d)).collect::<Result<Vec<_>, _>>()?;
    let order: Vec<usize> = match format {
        ROW_MAJOR if sizes.iter().any(|size| size.is(0)) => return at.integer(truth(at), 1),
        ROW_MAJOR => (0..rank).rev().collect(),
        _ => std::iter::once(1).chain((2..rank).rev()).chain([0]).collect(),
    };
    let is = |size: V<'c, 'a>, number: i64| equal(at, size, word(at, Extent::Number(number))?);
    let (mut holds, mut inside) = (at.integer(truth(at), 1)?, Extent::Number(1));
    for d in order.into_iter().filter(|d| !sizes[*d].is(1)) {
        let stride = asked(at, "graph.sym_stride", own, d)?;
        let mut one = equal(at, stride, word(at, inside)?)?;
        if let Extent::Value(size) = sizes[d] {
            one = or(at, one, is(size, 1)?)?;
        }
        holds = at.op("arith.andi", &[holds, one], truth(at))?;
        inside = times(at, inside, sizes[d])?;
    }
    for size in sizes.iter().filter_map(|size| size.value()).filter(|_| format == ROW_MAJOR) {
        holds = or(at, holds, is(size, 0)?)?;
    }
    Ok(holds)
}
