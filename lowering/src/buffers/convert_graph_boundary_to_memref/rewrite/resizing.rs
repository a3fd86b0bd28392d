//! Storages of arguments that change their size: the caller is asked for memory, `terrace_rt_resize_storage`.
//!
//! Memory that holds more comes before anything is read, and may lie elsewhere: all arguments of the storage
//! are seen there from then on. What is less in the end the caller hears at last, and memory stays where it
//! is.

use super::{
    build::replace,
    sharing::share,
    state::{Boundary, Root, View},
};
use crate::buffers::convert_graph_boundary_to_memref::{types::identity, words::Services};
use melior::ir::{
    Attribute, OperationRef, Type, Value, attribute::FlatSymbolRefAttribute, r#type::IntegerType,
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::Cursor,
        descriptor::{self, Descriptor},
        dtype::Dtype,
        pass::Failure,
        refusal::Reason,
    },
    ops::graph,
};
use terrace_size::DYNAMIC;

/// What makes the storage of an argument another size.
pub(crate) const RESIZE_STORAGE: &str = "terrace_rt_resize_storage";

impl<'c, 'a> Boundary<'c, 'a> {
    /// Refuses a storage that is no argument's, or whose other tensors nobody knows.
    pub(super) fn check_resizable(&self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let view = op
            .operand(0)
            .ok()
            .and_then(|own| self.view(own))
            .ok_or(internal!("is of no tensor that is known"))?;
        if !matches!(view.root, Root::Argument(_)) {
            return Err(Reason::Resize.says("makes a storage another size that is no argument's: a boundary holds new ones of fixed sizes"));
        }
        let same =
            |other: &View| other.root == view.root || view.storage.is_some() && view.storage == other.storage;
        if self.tensors().any(|(_, other)| share(view, other) && !same(other)) {
            return Err(Reason::Resize.says(
                "makes a storage another size that other arguments may have, too: declare graph.storage",
            ));
        }
        Ok(())
    }

    /// The arguments that are tensors.
    fn tensors(&self) -> impl Iterator<Item = (Value<'c, 'a>, &View<'c, 'a>)> {
        let arguments = (0..self.block.argument_count()).map(|i| self.argument(i));
        arguments.filter_map(|argument| Some((argument, self.view(argument)?)))
    }

    /// Asks whether a storage has so many bytes.
    pub(super) fn check_storage(
        &self,
        check: graph::CheckStorageOp<'c, 'a>,
        services: &mut Services,
    ) -> Result<(), Failure> {
        let at = Cursor::before(check.operation())?;
        let own = self.view(check.tensor()).ok_or(internal!("is of no tensor that is known"))?;
        let Root::Argument(number) = own.root else { return Err(internal!("is of no argument").into()) };
        // As it came in: an assertion behind the guards may see it elsewhere.
        let buffer = self.argument(number);
        let bytes = super::guards::one_of(&at, &check.bytes(), check.dynamic_bytes())?;
        let holds = services.has_bytes(&at, buffer, bytes)?;
        replace(check.operation(), holds);
        Ok(())
    }

    /// Sees an argument in other memory where its storage has not so many bytes.
    pub(super) fn assert_storage(
        &mut self,
        start: OperationRef<'c, 'a>,
        assert: graph::AssertStorageOp<'c, 'a>,
        services: &mut Services,
    ) -> Result<(), Failure> {
        // A number of the run is there only where it is computed.
        let not_converted = !assert.dynamic_bytes().is_empty();
        let at = Cursor::before(if not_converted { assert.operation() } else { start })?
            .of(assert.operation().location());
        let own = self.view(assert.tensor()).ok_or(internal!("is of no tensor that is known"))?.clone();
        let bytes = super::guards::one_of(&at, &assert.bytes(), assert.dynamic_bytes())?;
        let buffer = own.buffer.ok_or(internal!("has no buffer"))?;
        let there = services.with_bytes(&at, (buffer, own.dtype), bytes)?;
        self.set_buffer(assert.tensor(), there);
        Ok(())
    }

    /// Asks for the memory of a storage, and sees its arguments there where that may be elsewhere.
    pub(super) fn resize(
        &mut self,
        at: OperationRef<'c, 'a>,
        resize: graph::ResizeStorageOp<'c, 'a>,
    ) -> Result<(), Failure> {
        let own = self.view(resize.self_()).ok_or(internal!("is of no tensor that is known"))?.clone();
        let Root::Argument(number) = own.root else { return Err("is of no argument".into()) };
        let place = Cursor::before(at)?;
        let (word, row): (Type, Type) =
            (IntegerType::new(place.context, 64).into(), identity(place.context, &[DYNAMIC], Dtype::U8));
        let base = "memref.extract_aligned_pointer_as_index";
        let base = place.op(base, &[self.argument(number)], place.index_type())?;
        let operands = [
            place.op("arith.index_cast", &[base], word)?,
            place.integer(word, resize.bytes()[0])?,
            place.integer(word, i64::from(resize.at_least().is_some()))?,
        ];
        if self.sibling(RESIZE_STORAGE).is_none() {
            let interface = place.named("llvm.emit_c_interface", Attribute::unit(place.context));
            Cursor::before(self.function)?.declare(RESIZE_STORAGE, &[word; 3], &[row], &[interface])?;
        }
        let callee = place.named("callee", FlatSymbolRefAttribute::new(place.context, RESIZE_STORAGE));
        let bytes = place.with("func.call", &operands, row, &[callee])?;
        if resize.at_least().is_none() {
            return Ok(());
        }
        let shares = |(argument, other): (Value<'c, 'a>, &View<'c, 'a>)| {
            share(&own, other).then(|| (argument, other.clone()))
        };
        for (argument, view) in self.tensors().filter_map(shares).collect::<Vec<_>>() {
            let elements = identity(self.context, &[DYNAMIC], view.dtype);
            let row = place.op("kernel.reinterpret", &[bytes], elements)?;
            let before = view.buffer.ok_or(internal!("has no buffer"))?;
            let Descriptor { offset, sizes, strides, .. } = Descriptor::of(&place, before)?;
            let ty = view.memref(self.context);
            let buffer = descriptor::reinterpreted(
                &place,
                row,
                ty,
                || Ok(offset),
                |d| Ok(sizes[d]),
                |d| Ok(strides[d]),
            )?;
            self.set_buffer(argument, buffer);
        }
        Ok(())
    }
}
