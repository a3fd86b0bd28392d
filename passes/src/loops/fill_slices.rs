//! The pass `loop-fill-slices`: a scatter into a slice of its destination is pointwise in the slice.
//!
//! ```text
//! %y = loop.scatter (%i = 64, %j = 512) into %x { ... loop.yield %a at [%i, %j + 256] }
//!
//! %w = tensor.extract_slice %x[0, 256] [64, 512] [1, 1]
//! %p = loop.pointwise (%i = 64, %j = 512) into %w { ... loop.yield %a }
//! %y = tensor.insert_slice %p into %x[0, 256] [64, 512] [1, 1]
//! ```
//!
//! Of tensors it is done where the body reads a sum at its own point, and nobody else reads that: a product
//! that becomes a part of a concatenation is then computed in its place, with what is made of it. Of a buffer
//! the slice is a `memref.subview`: parts are apart by their types, their dimensions can be joined, and what
//! reads across the lanes comes in blocks. The places are the indices in their order, each times a number and
//! plus one, or plus a value from outside; that they are in the destination is the program's promise where it
//! is not known. Linear in the operations.

use super::operation::{
    place,
    read::{Kind, Loop},
};
use crate::{emit::Emitter, options::LoopFillSlices as Options};
use melior::ir::{
    Attribute, OperationRef, Region, RegionLike, Type, ValueLike,
    attribute::{DenseI32ArrayAttribute, StridedLayoutAttribute},
    r#type::{MemRefType, RankedTensorType},
};
use terrace_dialects::{
    analysis::memory::Memory,
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        extent::Extent,
        operations::{collect, definition, users},
        pass::Failure,
        rewrite::set_attribute,
        rewrite::{erase, replace, take_body},
        shaped::{Shaped, strides_and_offset},
    },
    loops::affine,
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Runs the pass below an operation.
pub fn run(op: OperationRef, _: &Options) -> Result<(), Failure> {
    collect(op, |op| loop_::ScatterOp::try_from(op).is_ok()).into_iter().try_for_each(open)
}

/// Writes a scatter as what it is, where it fills a slice.
fn open<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let Some((nest, slice)) = Loop::of(op).and_then(|nest| Slice::of(&nest).map(|own| (nest, own))) else {
        return Ok(());
    };
    let at = Emitter::before(op)?;
    let init = slice.write(&at)?;
    // The scatter's body becomes that of the new operation, without the places.
    let region = Region::new();
    take_body(&region, &op.region(0)?);
    let block = region.first_block().ok_or(internal!("has an empty body"))?;
    block.append_operation(loop_::yield_(at.location, &[], nest.end.value(), &[], None)?);
    erase(nest.end.operation());
    let results: &[Type] = if nest.result().is_some() { &[init.r#type()] } else { &[] };
    let (dynamic, sizes) = Extent::split(&nest.extents);
    let new = loop_::pointwise(at.location, results, &dynamic, &sizes, Some(init), None, None, vec![region])?;
    let new = at.insert(new);
    for name in ["order", "tile"] {
        op.attribute(name).into_iter().for_each(|decided| set_attribute(new, name, decided));
    }
    if nest.result().is_none() {
        erase(op);
        return Ok(());
    }
    let whole = slice.put(&at, new.result_at(0)?.into());
    replace(op, &[whole]);
    Ok(())
}

/// Whether a load takes the element at its own point of a sum that nobody else reads.
fn takes_a_sum<'c: 'a, 'a>(nest: &Loop<'c, 'a>, load: loop_::LoadOp<'c, 'a>) -> bool {
    let sum = definition(load.source()).filter(|op| loop_::ReductionOp::try_from(*op).is_ok());
    let alone = || users(load.source()).all(|user| user.parent_operation() == Some(nest.op));
    sum.is_some() && place::is_own(load, nest) && alone()
}

/// A part of a tensor or a buffer: for each of its dimensions where it begins, how many elements of it there
/// are, and how far apart.
struct Slice<'c, 'a> {
    whole: V<'c, 'a>,
    offsets: Vec<Extent<'c, 'a>>,
    sizes: Vec<Extent<'c, 'a>>,
    strides: Vec<i64>,
    /// The dimensions that an index runs through.
    kept: Vec<usize>,
}

impl<'c: 'a, 'a> Slice<'c, 'a> {
    /// The slice that a scatter fills.
    fn of(nest: &Loop<'c, 'a>) -> Option<Self> {
        let combined = loop_::ScatterOp::try_from(nest.op).ok()?.combiner().is_some();
        if nest.kind != Kind::Scatter || combined {
            return None;
        }
        let whole = nest.init?;
        let shape = Shaped::of(whole.r#type())?.shape;
        let own = Memory::of(whole);
        let reads = |load: loop_::LoadOp<'c, 'a>| Memory::of(load.source()).is(&own);
        let takes = nest.result().is_none() || nest.loads().any(|load| takes_a_sum(nest, load));
        if !takes || nest.loads().any(reads) {
            return None;
        }
        let [mut offsets, mut sizes] = [const { vec![] }; 2];
        let (mut strides, mut kept) = (vec![], vec![]);
        let operands = nest.end.indices();
        let computed = nest.body.iter().flat_map(|op| op.results()).map(V::from).collect::<Vec<_>>();
        if operands.iter().any(|operand| computed.contains(operand)) {
            return None;
        }
        for (d, expr) in affine::exprs(nest.end.map()?).iter().enumerate() {
            let linear = expr.linear()?;
            let moved = |i: &usize| linear.factor(*i) != 0;
            let (own, outside): (Vec<usize>, Vec<usize>) =
                (0..operands.len()).filter(moved).partition(|i| nest.indices.contains(&operands[*i]));
            let (size, stride) = match own[..] {
                [] => (Extent::Number(1), 1),
                [i] if operands[i] == *nest.indices.get(kept.len())? => {
                    kept.push(d);
                    (nest.extents[kept.len() - 1], linear.factor(i))
                }
                _ => return None,
            };
            let offset = match outside[..] {
                [] => Extent::Number(linear.constant),
                [i] if linear.factor(i) == 1 && linear.constant == 0 => Extent::Value(operands[i]),
                _ => return None,
            };
            if let (Some(size), Some(first)) = (size.number(), offset.number()) {
                let last = (size - 1).checked_mul(stride)?.checked_add(first)?;
                if size < 1 || first < 0 || shape[d] != DYNAMIC && last >= shape[d] {
                    return None;
                }
            }
            if stride < 1 {
                return None;
            }
            offsets.push(offset);
            sizes.push(size);
            // A single element has no neighbours.
            strides.push(if size.is(1) { 1 } else { stride });
        }
        let all = kept.len() == nest.indices.len();
        // Upstream tells by their strides which dimensions of one element a view has left out, and these are
        // no steps.
        let told = kept.len() == shape.len()
            || kept.iter().all(|d| sizes[*d].number().is_some_and(|size| size > 1))
            || strides.iter().all(|stride| *stride == 1);
        (all && told).then_some(Self { whole, offsets, sizes, strides, kept })
    }

    /// The slice itself.
    fn write(&self, at: &Emitter<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let Shaped { element, buffer, .. } = Shaped::expect(self.whole.r#type())?;
        let shape: Vec<i64> = self.kept.iter().map(|d| self.sizes[*d].in_type()).collect();
        let (name, ty) = if buffer {
            let layout = Some(self.layout(at)?);
            ("memref.subview", MemRefType::new(element, &shape, layout, None).into())
        } else {
            let shape: Vec<u64> = shape.iter().map(|size| *size as u64).collect();
            ("tensor.extract_slice", RankedTensorType::new(&shape, element, None).into())
        };
        let (operands, attributes) = self.place(at, &[self.whole]);
        Ok(at.op(name, &operands, ty, &attributes))
    }

    /// Where its elements lie in the buffer.
    fn layout(&self, at: &Emitter<'c, 'a>) -> Result<Attribute<'c>, Failure> {
        let lies = strides_and_offset(self.whole.r#type());
        let (own, start) = lies.ok_or(internal!("a slice of what has no strides"))?;
        let times = |a: i64, b: i64| match (a, b) {
            (0, _) | (_, 0) => 0,
            (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
            (a, b) => a * b,
        };
        let plus = |sum: i64, more: i64| if sum == DYNAMIC || more == DYNAMIC { DYNAMIC } else { sum + more };
        let offsets = own.iter().zip(&self.offsets);
        let start = offsets.fold(start, |sum, (stride, n)| plus(sum, times(*stride, n.in_type())));
        let apart: Vec<i64> = self.kept.iter().map(|d| times(own[*d], self.strides[*d])).collect();
        Ok(StridedLayoutAttribute::new(at.context, start, &apart).into())
    }

    /// The whole with this in the place of the slice.
    fn put(&self, at: &Emitter<'c, 'a>, part: V<'c, 'a>) -> V<'c, 'a> {
        let (operands, attributes) = self.place(at, &[part, self.whole]);
        at.op("tensor.insert_slice", &operands, self.whole.r#type(), &attributes)
    }

    /// Operands and attributes of an operation of these tensors or buffers that has the slice's place.
    fn place(
        &self,
        at: &Emitter<'c, 'a>,
        of: &[V<'c, 'a>],
    ) -> (Vec<V<'c, 'a>>, Vec<(&'static str, Attribute<'c>)>) {
        let [(starts, offsets), (counts, sizes)] = [&self.offsets, &self.sizes].map(|own| Extent::split(own));
        let mut segments = vec![1; of.len()];
        segments.extend([starts.len() as i32, counts.len() as i32, 0]);
        let attributes = vec![
            ("static_offsets", at.numbers(&offsets)),
            ("static_sizes", at.numbers(&sizes)),
            ("static_strides", at.numbers(&self.strides)),
            ("operandSegmentSizes", DenseI32ArrayAttribute::new(at.context, &segments).into()),
        ];
        ([of, &starts, &counts].concat(), attributes)
    }
}
