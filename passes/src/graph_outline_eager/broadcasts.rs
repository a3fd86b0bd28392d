//! What broadcasts is broadcast before it is passed on: sizes that are known when the program runs may be 1.
//!
//! A function of operands that a pointwise operator combines takes them for tensors of one size. So each is seen with the sizes that all
//! of them have together, with a stride of 0 where it repeats, as eager's own iteration sees it; others are refused here. A tensor
//! without dimensions stays one: it counts as a number.

use super::sizes::{asked, equal, i64, or, select, size, word};
use crate::graph_functionalize::Writing;
use melior::ir::{Attribute, OperationRef, ValueLike, attribute::DenseI32ArrayAttribute};
use terrace_dialects::{
    cursor::{Cursor, V},
    dtype::Dtype,
    extent::Extent,
    ir::OperationLike,
    pass::Failure,
    placement::{self, Strides, iterated},
    registry::OpImpl,
    types::{DYNAMIC, TensorType, is_graph_tensor},
};

/// What eager says, where it names the sizes.
const MISMATCH: &str = "The size of tensor a must match the size of tensor b at non-singleton dimension";

/// The operands of an operation that are to be seen with other sizes, and the sizes.
pub(super) struct Broadcast<'c, 'a> {
    operands: Vec<V<'c, 'a>>,
    sizes: Vec<Extent<'c, 'a>>,
    /// Operands that are copied into another dtype first, as they are: a copy of one that repeats would lie otherwise.
    pub copied: Vec<(V<'c, 'a>, Dtype)>,
}

impl<'c, 'a> Broadcast<'c, 'a> {
    /// That of an operation; None where all is known, or nothing is broadcast.
    pub fn of(
        at: &Cursor<'c, 'a>,
        op: OperationRef<'c, 'a>,
        class: &OpImpl,
    ) -> Result<Option<Self>, Failure> {
        let operands: Vec<V> = op.operands().collect();
        let mut copied = vec![];
        let iterated: Vec<V> = match class.is_in_place() {
            true if Writing::of(class).is_each() && !Writing::of(class).fills => operands.clone(),
            false
                if placement::strides(class) == Strides::Pointwise
                    && !class.name.starts_with("graph.prims.") =>
            {
                let all = iterated::iterated(op, class);
                for (value, dtype) in &all {
                    let own =
                        TensorType::<i64>::of(value.r#type()).filter(|own| own.graph).map(|own| own.dtype);
                    // A condition that is chosen, too, is one argument: it stays as it is.
                    let everywhere = || all.iter().all(|(other, to)| other != value || to == dtype);
                    if let (Some(own), Some(dtype)) = (own, *dtype)
                        && own != dtype
                        && everywhere()
                    {
                        copied.push((*value, dtype));
                    }
                }
                all.into_iter().map(|(value, _)| value).collect()
            }
            _ => return Ok(None),
        };
        let is_tensor = |value: &&V<'c, 'a>| is_graph_tensor(value.r#type());
        if operands.iter().filter(is_tensor).any(|value| !iterated.contains(value)) || op.result_count() != 1
        {
            return Ok(None);
        }
        let mut tensors: Vec<(V, Vec<i64>)> = vec![];
        for value in iterated {
            if let Some(ty) = TensorType::<i64>::of(value.r#type()).filter(|ty| ty.graph && ty.rank() > 0)
                && tensors.iter().all(|(other, _)| *other != value)
            {
                tensors.push((value, ty.shape));
            }
        }
        let open = tensors.iter().any(|(_, shape)| shape.contains(&DYNAMIC));
        if tensors.len() < 2 || !open {
            return Ok(None);
        }
        if class.is_in_place() {
            let own = tensors.remove(0).0;
            return Ok(Some(Self { sizes: sizes(at, own)?, operands: values(tensors), copied }));
        }
        let result = TensorType::<i64>::of(op.result_at(0)?.r#type()).ok_or("gives no tensor")?.shape;
        let mut whole = vec![];
        for (d, size) in result.iter().enumerate() {
            whole.push(match *size {
                DYNAMIC => together(at, &tensors, result.len() - d)?,
                size => Extent::Number(size),
            });
        }
        Ok(Some(Self { sizes: whole, operands: values(tensors), copied }))
    }

    /// What is passed on for an operand.
    pub fn seen(
        &self,
        at: &Cursor<'c, 'a>,
        operand: V<'c, 'a>,
        passed: V<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        if !self.operands.contains(&operand) {
            return Ok(passed);
        }
        let own = TensorType::<i64>::of(passed.r#type()).ok_or("is no tensor")?;
        let Some(lead) = self.sizes.len().checked_sub(own.rank()) else { return Ok(passed) };
        let mut strides = vec![Extent::Number(0); lead];
        for (d, whole) in self.sizes[lead..].iter().enumerate() {
            let (size, stride) = (size(at, passed, d)?, asked(at, "graph.sym_stride", passed, d)?);
            strides.push(match (size, *whole) {
                (Extent::Number(a), Extent::Number(b)) if a == b => Extent::Value(stride),
                (Extent::Number(1), Extent::Number(_)) => Extent::Number(0),
                (size, whole) => {
                    let (size, whole) = (word(at, size)?, word(at, whole)?);
                    let same = equal(at, size, whole)?;
                    let fits = or(at, same, equal(at, size, word(at, Extent::Number(1))?)?)?;
                    at.assert(fits, MISMATCH)?;
                    Extent::Value(select(at, same, stride, word(at, Extent::Number(0))?)?)
                }
            });
        }
        let ((sizes, size), (strides, stride)) = (Extent::split(&self.sizes), Extent::split(&strides));
        let ty = TensorType { shape: size.clone(), ..own }.to_type(at.context);
        let offset = at.op("graph.sym_storage_offset", &[passed], i64(at))?;
        let segments = [1, sizes.len() as i32, strides.len() as i32, 1];
        let attributes: [(&str, Attribute); 4] = [
            ("size", at.numbers(&size)),
            ("stride", at.numbers(&stride)),
            ("storage_offset", at.numbers(&[DYNAMIC])),
            ("operandSegmentSizes", DenseI32ArrayAttribute::new(at.context, &segments).into()),
        ];
        let attributes = attributes.map(|(name, value)| at.named(name, value));
        at.with("graph.as_strided", &[vec![passed], sizes, strides, vec![offset]].concat(), ty, &attributes)
    }
}

fn values<'c, 'a>(tensors: Vec<(V<'c, 'a>, Vec<i64>)>) -> Vec<V<'c, 'a>> {
    tensors.into_iter().map(|(value, _)| value).collect()
}

/// The sizes of a tensor.
fn sizes<'c, 'a>(at: &Cursor<'c, 'a>, tensor: V<'c, 'a>) -> Result<Vec<Extent<'c, 'a>>, Failure> {
    let rank = TensorType::<i64>::of(tensor.r#type()).ok_or("is no tensor")?.rank();
    (0..rank).map(|d| size(at, tensor, d)).collect()
}

/// The size that tensors have together, in the dimension of this number from the last one on: the first one that is not 1.
fn together<'c, 'a>(
    at: &Cursor<'c, 'a>,
    tensors: &[(V<'c, 'a>, Vec<i64>)],
    from_end: usize,
) -> Result<Extent<'c, 'a>, Failure> {
    let mut whole = Extent::Number(1);
    for (tensor, shape) in tensors {
        let Some(d) = shape.len().checked_sub(from_end).filter(|d| shape[*d] != 1) else { continue };
        let own = size(at, *tensor, d)?;
        whole = match whole {
            Extent::Number(_) => own,
            Extent::Value(whole) => {
                let single = equal(at, whole, word(at, Extent::Number(1))?)?;
                Extent::Value(select(at, single, word(at, own)?, whole)?)
            }
        };
    }
    Ok(whole)
}
