//! Tensors without memory in place of new ones, and tests of what was taken for granted of their sizes.

use super::{emit::Emitter, program::numbers, sizes::Writer, slice::fake_layout};
use melior::ir::{BlockRef, Location, OperationRef, ValueLike};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        kept,
        operations::{key, refuse},
        pass::Failure,
        types::TensorType,
        types::element,
    },
    ops::graph,
};
use terrace_layout::{Layout, row_major};
use terrace_size::{
    DYNAMIC, Size,
    symbols::{Relation, current},
};

impl<'c, 'a> Emitter<'_, '_, 'c, 'a> {
    /// Tests what was taken for granted of sizes.
    pub(super) fn guards(&self, entry: BlockRef<'c, '_>) -> Result<(), Failure> {
        let get = |value| self.get(value);
        for guard in current(|symbols| symbols.guards().to_vec()) {
            let Some(op) = kept::operation_at(guard.by) else { continue };
            let op: OperationRef<'c, '_> = op;
            let text = current(|symbols| symbols.guard_text(&guard));
            let sides = [guard.left, guard.right];
            let known = |size: &Size| {
                let sources = self.program.sources_of_size(*size);
                sources.is_some_and(|sources| sources.iter().all(|source| self.program.is_given(*source)))
            };
            if !sides.iter().all(known) {
                let message =
                    format!("is as it is where {text}, which is not known when the function is called");
                return Err(refuse(op, &message));
            }
            let (program, location) = (self.program, op.location());
            let block = kept::block(entry);
            let mut writer = Writer { program, block, entry: self.entry(), location, get: &get };
            writer.guard(&guard, &text)?;
        }
        Ok(())
    }

    /// The new tensors of an operation that are needed, without memory.
    pub(super) fn fake(&mut self, number: usize, target: BlockRef<'c, '_>) -> Result<(), Failure> {
        let op = &self.program.ops[number];
        for (place, result) in op.op.results().enumerate() {
            if op.makes[place] && self.slice.needs(result.into()) {
                let layout =
                    fake_layout(self.program, number, place).ok_or("has a layout that is not known")?;
                let made = self.fake_of(result.into(), &layout, target, op.op.location())?;
                self.map.insert(key(result), kept::Kept::of(made.result_at(0)?));
            }
        }
        Ok(())
    }

    /// A tensor of a layout at offset 0 and of a value's type, without memory.
    pub(super) fn fake_of<'t>(
        &self,
        value: V<'c, 'a>,
        layout: &Layout<Size>,
        target: BlockRef<'c, 't>,
        location: Location<'c>,
    ) -> Result<OperationRef<'c, 't>, Failure> {
        let ty = TensorType::of(value.r#type()).ok_or("makes no tensor")?;
        let dtype = element(value.r#type()).ok_or("makes no tensor")?;
        let get = |value| self.get(value);
        let block = kept::block(target);
        let mut writer = Writer { program: self.program, block, entry: self.entry(), location, get: &get };
        // What the type leaves open stays open.
        let (mut sizes, mut given) = (vec![], vec![]);
        for (size, typed) in layout.sizes.iter().zip(&ty.shape) {
            match (typed, size.known()) {
                (typed, Some(size)) if *typed != DYNAMIC => given.push(size),
                _ => {
                    given.push(DYNAMIC);
                    sizes.push(writer.size(*size)?);
                }
            }
        }
        let row_major = row_major(&layout.sizes);
        let equal =
            |(a, b): (&Size, &Size)| current(|symbols| symbols.known(Relation::Equal, *a, *b)) == Some(true);
        if row_major.iter().zip(&layout.strides).all(equal) {
            return Ok(target.append_operation(graph::fake(location, &sizes, &given, dtype, ty.device)?));
        }
        let end = match numbers(layout) {
            Some(layout) => layout.end().into(),
            None => end(layout),
        };
        let (end, known) = match end.known() {
            Some(end) => (vec![], end),
            None => (vec![writer.size(end)?], DYNAMIC),
        };
        let (mut strides, mut given_strides) = (vec![], vec![]);
        for stride in &layout.strides {
            given_strides.push(stride.known().unwrap_or(DYNAMIC));
            if stride.known().is_none() {
                strides.push(writer.size(*stride)?);
            }
        }
        let storage = target.append_operation(graph::fake(location, &end, &[known], dtype, ty.device)?);
        let storage = storage.result_at(0)?.into();
        let view = graph::as_strided(location, storage, &sizes, &given, &strides, &given_strides, &[], &[0])?;
        Ok(target.append_operation(view))
    }
}

/// One past the last element of a tensor at offset 0, and 0 where it has none.
fn end(layout: &Layout<Size>) -> Size {
    let dims = layout.sizes.iter().zip(&layout.strides);
    let last = dims.fold(Size::ZERO, |last, (size, stride)| last + (size.or_one() - 1) * *stride);
    let count: Size = layout.sizes.iter().copied().product();
    // One where there are elements: no comparison, which would have to be known.
    let any = Size::from(2) - (Size::from(2) - count).or_one();
    (last + 1) * any
}
