//! What is a view or a copy by strides, where these are not known: both, and what decides between them.

use super::outliner::{Argument, Outliner};
use crate::functions;
use melior::ir::{
    Type, ValueLike,
    attribute::{IntegerAttribute, StringAttribute},
    operation::OperationLike,
    r#type::IntegerType,
};
use mlir_sys::mlirValueReplaceAllUsesOfWith;
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, Predicate, V},
    operations::refuse,
    pass::Failure,
    strided::Layout,
    types::TensorType,
    view,
};

/// When an operation is a view of its operand, or it, and not a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reshape {
    /// Where its strides allow.
    View,
    /// Where it is row-major.
    Contiguous,
}

/// What is a view or a copy by strides, where these are not known.
pub(super) const RESHAPES: &[(&str, Reshape)] = &[
    ("graph.contiguous", Reshape::Contiguous),
    ("graph.flatten.using_ints", Reshape::View),
    ("graph.ravel", Reshape::Contiguous),
    ("graph.reshape", Reshape::View),
    ("graph.reshape_as", Reshape::View),
];

impl<'c, 'a> Outliner<'_, 'c, 'a> {
    /// Writes a view and a copy in front of the operation, and what decides between them.
    pub fn reshape(&mut self, when: Reshape) -> Result<(), Failure> {
        let at = Cursor::before(self.op)?;
        let (own, result): (V, V) = (self.op.operand(0)?, self.op.result(0)?.into());
        let format = view::attribute(self.op, "memory_format").map(convert::string);
        if format.is_some_and(|format| format != "contiguous_format") {
            return Err(refuse(
                self.op,
                "is the operand or a copy by strides that are not known here: that is interpreted only, for another memory format \
                 than contiguous_format",
            ));
        }
        let ty = TensorType::<i64>::of(result.r#type()).ok_or("gives no tensor")?;
        let sizes = ty.shape;
        let truth: Type = IntegerType::new(at.context, 1).into();
        let is_view = match when {
            Reshape::View => {
                at.with("graph.check_view", &[own], truth, &[at.named("size", at.numbers(&sizes))])?
            }
            Reshape::Contiguous => row_major(&at, own)?,
        };
        let name = self.private(
            "copy",
            &[Argument { value: own, passed: own, layout: None, written: false }],
            &[result.r#type()],
            |at, values| {
                let format = at.named("memory_format", StringAttribute::new(at.context, "contiguous_format"));
                let copy = at.with("graph.clone", values, values[0].r#type(), &[format])?;
                Ok(vec![seen(at, copy, &sizes, result.r#type())?])
            },
        )?;
        let types = [result.r#type()];
        let chosen = functions::either(at, is_view, &types, |at, way| match way {
            0 if when == Reshape::Contiguous && own.r#type() == result.r#type() => Ok(vec![own]),
            0 => Ok(vec![seen(&at, own, &sizes, result.r#type())?]),
            _ => Ok(vec![at.insert(functions::call(at.location, &name, &[own], &types)?).result(0)?.into()]),
        })?;
        // SAFETY: both are of one type.
        unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), chosen[0].to_raw()) };
        Ok(())
    }
}

/// `graph.view`.
fn seen<'c, 'a>(
    at: &Cursor<'c, 'a>,
    tensor: V<'c, 'a>,
    sizes: &[i64],
    ty: Type<'c>,
) -> Result<V<'c, 'a>, Failure> {
    at.with("graph.view", &[tensor], ty, &[at.named("size", at.numbers(sizes))])
}

/// Whether a tensor is row-major: strides of sizes of 1 say nothing, and nothing does of one without elements.
fn row_major<'c, 'a>(at: &Cursor<'c, 'a>, tensor: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    let (truth, word): (Type, Type) =
        (IntegerType::new(at.context, 1).into(), IntegerType::new(at.context, 64).into());
    let ty = TensorType::<i64>::of(tensor.r#type()).ok_or("is no tensor")?;
    let expected = Layout::contiguous(&ty.shape);
    let mut holds = at.integer(truth, 1)?;
    let empty = ty.shape.contains(&0);
    for d in (0..ty.shape.len()).filter(|d| !empty && ty.shape[*d] != 1) {
        let dim = at.named("dim", IntegerAttribute::new(word, d as i64));
        let stride = at.with("graph.sym_stride", &[tensor], word, &[dim])?;
        let one = at.compare(Predicate::Equal, stride, at.integer(word, expected.strides[d])?)?;
        holds = at.op("arith.andi", &[holds, one], truth)?;
    }
    Ok(holds)
}
