//! A scatter into a subview of its destination is pointwise in the subview.
//!
//! ```text
//! loop.scatter (%i = 64, %j = 512) into %x { ... loop.yield %a at [%i, %j + 256] }
//! loop.pointwise (%i = 64, %j = 512) into %w { ... loop.yield %a }      // %w: columns 256 to 767 of %x
//! ```
//!
//! So the parts of a concatenation are apart by their types, their dimensions can be joined, and what reads
//! across the lanes comes in blocks. The places are the indices in their order, each times a number and plus
//! one; all sizes are known.

use crate::{
    emit::Emitter,
    loops::operation::read::{Kind, Loop},
};
use melior::ir::{
    OperationRef, Region, RegionLike, ValueLike,
    attribute::{DenseI32ArrayAttribute, StridedLayoutAttribute},
    r#type::MemRefType,
};
use terrace_dialects::{
    analysis::memory::Memory,
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        pass::Failure,
        rewrite::set_attribute,
        rewrite::{erase, take_body},
        shaped::{Shaped, strides_and_offset},
    },
    loops::affine,
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Writes a scatter as what it is, where it fills a subview.
pub(super) fn open<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let Some((nest, subview)) = Loop::of(op).and_then(|nest| Subview::of(&nest).map(|own| (nest, own)))
    else {
        return Ok(());
    };
    let at = Emitter::before(op)?;
    let init = subview.write(&at)?;
    // The scatter's body becomes that of the new operation, without the places.
    let region = Region::new();
    take_body(&region, &op.region(0)?);
    let block = region.first_block().ok_or(internal!("has an empty body"))?;
    block.append_operation(loop_::yield_(at.location, &[], nest.end.value(), &[], None)?);
    erase(nest.end.operation());
    let new = loop_::pointwise(at.location, &[], &[], &nest.sizes, Some(init), None, None, vec![region])?;
    let new = at.insert(new);
    for name in ["order", "tile"] {
        op.attribute(name).into_iter().for_each(|decided| set_attribute(new, name, decided));
    }
    erase(op);
    Ok(())
}

/// A part of a buffer: for each of its dimensions where it begins, how many elements of it there are, and how
/// far apart.
struct Subview<'c, 'a> {
    buffer: V<'c, 'a>,
    offsets: Vec<i64>,
    sizes: Vec<i64>,
    strides: Vec<i64>,
    /// The dimensions that an index runs through.
    kept: Vec<usize>,
}

impl<'c: 'a, 'a> Subview<'c, 'a> {
    /// The subview that a scatter fills.
    fn of(nest: &Loop<'c, 'a>) -> Option<Self> {
        let combined = loop_::ScatterOp::try_from(nest.op).ok()?.combiner().is_some();
        if nest.kind != Kind::Scatter || combined || nest.op.result_count() > 0 {
            return None;
        }
        let buffer = nest.init?;
        let shape = Shaped::of(buffer.r#type())?.shape;
        let own = Memory::of(buffer);
        if nest.loads().any(|load| Memory::of(load.source()).is(&own)) {
            return None;
        }
        let [mut offsets, mut sizes, mut strides] = [const { vec![] }; 3];
        let mut kept = vec![];
        let operands = nest.end.indices();
        for (d, expr) in affine::exprs(nest.end.map()?).iter().enumerate() {
            let linear = expr.linear()?;
            let mut moved = (0..operands.len()).filter(|i| linear.factor(*i) != 0);
            let (size, stride) = match (moved.next(), moved.next()) {
                (None, _) => (1, 1),
                (Some(i), None) if operands[i] == *nest.indices.get(kept.len())? => {
                    kept.push(d);
                    (nest.sizes[kept.len() - 1], linear.factor(i))
                }
                _ => return None,
            };
            let last = size.checked_sub(1)?.checked_mul(stride)?.checked_add(linear.constant)?;
            if size < 1 || stride < 1 || linear.constant < 0 || last >= shape[d] {
                return None;
            }
            offsets.push(linear.constant);
            sizes.push(size);
            // A single element has no neighbours.
            strides.push(if size == 1 { 1 } else { stride });
        }
        let whole = kept.len() == nest.indices.len();
        // Upstream tells by their strides which dimensions of one element a view has left out, and these are
        // no steps.
        let told = kept.len() == shape.len()
            || kept.iter().all(|d| sizes[*d] > 1)
            || strides.iter().all(|stride| *stride == 1);
        (whole && told).then_some(Self { buffer, offsets, sizes, strides, kept })
    }

    /// The view.
    fn write(self, at: &Emitter<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let Self { buffer, offsets, sizes, strides, kept } = self;
        let element = Shaped::expect(buffer.r#type())?.element;
        let (own, start) =
            strides_and_offset(buffer.r#type()).ok_or(internal!("a subview of what has no strides"))?;
        let times = |a: i64, b: i64| if a == DYNAMIC { DYNAMIC } else { a * b };
        let plus = |sum: i64, more: i64| if sum == DYNAMIC || more == DYNAMIC { DYNAMIC } else { sum + more };
        let start = own.iter().zip(&offsets).fold(start, |sum, (stride, n)| plus(sum, times(*stride, *n)));
        let apart: Vec<i64> = kept.iter().map(|d| times(own[*d], strides[*d])).collect();
        let shape: Vec<i64> = kept.iter().map(|d| sizes[*d]).collect();
        let layout = StridedLayoutAttribute::new(at.context, start, &apart).into();
        let attributes = [
            ("static_offsets", at.numbers(&offsets)),
            ("static_sizes", at.numbers(&sizes)),
            ("static_strides", at.numbers(&strides)),
            ("operandSegmentSizes", DenseI32ArrayAttribute::new(at.context, &[1, 0, 0, 0]).into()),
        ];
        let ty = MemRefType::new(element, &shape, Some(layout), None).into();
        Ok(at.op("memref.subview", &[buffer], ty, &attributes))
    }
}
