//! What is a view or a copy by strides, where these are not known: both, and what decides between them.
//!
//! Sizes may be known at run time only: they are numbers then, and `graph.view` is a view of whatever has strides for them.

use super::{
    FAKE_USE,
    formats::{ROW_MAJOR, lies_in, suggests},
    outliner::Outliner,
    seen::asks_for_format,
    sizes::{equal, i64, size, times, truth, word},
};
use crate::graph_functionalize::constant_int;
use melior::ir::{OperationRef, Type, ValueLike};
use mlir_sys::mlirValueReplaceAllUsesOfWith;
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, V},
    extent::Extent,
    ir::OperationLike,
    operations::{name_of, refuse, users},
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
    /// Where its strides suggest the memory format that is asked for.
    Suggested,
    /// Always: it is refused where they do not allow it.
    Only,
}

/// What is a view or a copy by strides, where these are not known.
const RESHAPES: &[(&str, Reshape)] = &[
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

/// The formats that a tensor may be asked for.
const FORMATS: &[&str] = &[ROW_MAJOR, "channels_last", "channels_last_3d"];

/// When an operation is a view of its operand, by its name.
pub(super) fn reshape(op: OperationRef) -> Option<Reshape> {
    let listed = RESHAPES.iter().find(|(name, _)| *name == name_of(op)).map(|row| row.1);
    listed.or_else(|| asks_for_format(op).then_some(Reshape::Suggested))
}

/// An operation that is a view or a copy by strides.
pub(super) struct ByStrides<'c, 'a> {
    /// Whether it is a view; None of what always is one.
    pub is_view: Option<V<'c, 'a>>,
    /// The memory format that a copy is in.
    pub format: &'static str,
    sizes: Vec<Extent<'c, 'a>>,
    ty: Type<'c>,
    /// Whether it is its operand where it is a view.
    is_same: bool,
}

impl<'c: 'a, 'a> ByStrides<'c, 'a> {
    /// Asks it, of an operation on a tensor that lies as its operand does.
    pub fn of(
        at: &Cursor<'c, 'a>,
        op: OperationRef<'c, 'a>,
        when: Reshape,
        own: V<'c, 'a>,
    ) -> Result<Self, Failure> {
        let format = view::attribute(op, "memory_format").map(convert::string);
        let format = format.map_or(Ok(ROW_MAJOR), |format| {
            let known = FORMATS.iter().find(|known| **known == format).copied();
            known
                .ok_or_else(|| refuse(op, "preserve memory format is unsupported by the contiguous operator"))
        })?;
        let is_same = name_of(op) == "graph.contiguous" || when == Reshape::Suggested;
        let (ty, sizes) =
            (op.result_at(0)?.r#type(), if is_same { vec![] } else { sizes(at, op, name_of(op))? });
        let is_view = match when {
            Reshape::View => {
                let (operands, size) = listed(at, own, &sizes)?;
                Some(at.with("graph.check_view", &operands, truth(at), &[size])?)
            }
            Reshape::Contiguous => Some(lies_in(at, own, format)?),
            Reshape::Suggested => Some(suggests(at, own, format)?),
            Reshape::Only => None,
        };
        Ok(Self { is_view, format, sizes, ty, is_same })
    }

    /// The operand, or the copy of it, with the sizes of the result.
    pub fn seen(&self, at: &Cursor<'c, 'a>, tensor: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        if self.is_same {
            return Ok(tensor);
        }
        let (operands, size) = listed(at, tensor, &self.sizes)?;
        at.with("graph.view", &operands, self.ty, &[size])
    }
}

/// Uses what replaces a result that nobody uses: it may be refused.
pub(super) fn keep_unused<'c, 'a>(
    at: &Cursor<'c, 'a>,
    result: V<'c, 'a>,
    chosen: V<'c, 'a>,
) -> Result<(), Failure> {
    match users(result).next() {
        Some(_) => Ok(()),
        None => at.build(FAKE_USE, &[chosen], &[], &[], vec![]).map(drop),
    }
}

impl<'c: 'a, 'a> Outliner<'_, 'c, 'a> {
    /// Writes a view and a copy in front of the operation, and what decides between them.
    pub fn reshape(&mut self, when: Reshape) -> Result<(), Failure> {
        let at = Cursor::before(self.op)?;
        let (own, result): (V, V) = (self.op.operand(0)?, self.op.result_at(0)?.into());
        let parts = ByStrides::of(&at, self.op, when, own)?;
        let chosen = match parts.is_view {
            Some(is_view) => at.either(is_view, &[result.r#type()], |at, way| {
                let tensor = if way == 0 { own } else { self.copied(&at, own, Some(parts.format), None)? };
                Ok(vec![parts.seen(&at, tensor)?])
            })?[0],
            None => parts.seen(&at, own)?,
        };
        keep_unused(&at, result, chosen)?;
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
    let (rank, result) = (ty(own)?.rank(), ty(op.result_at(0)?.into())?.shape);
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
