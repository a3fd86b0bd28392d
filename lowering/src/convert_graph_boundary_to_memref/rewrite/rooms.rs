//! Storages of arguments that change their size: the caller is asked for memory, `terrace_rt_resize_storage`.
//!
//! Memory that holds more comes before anything is read, and may lie elsewhere: all arguments of the storage are seen there from then
//! on. What is less in the end the caller hears at last, and memory stays where it is. Who calls from compiled code has
//! descriptors of its own, which do not hear of it: only functions that are called from outside do so, and those after which their
//! callers, as functions that choose a variant, have nothing to do with their arguments.

use super::{Boundary, Root, View};
use crate::convert_graph_boundary_to_memref::types::identity;
use melior::ir::{
    Attribute, BlockLike, OperationRef, Type, Value, attribute::FlatSymbolRefAttribute, block::BlockArgument,
    operation::OperationLike, r#type::IntegerType,
};
use terrace_dialects::{
    arguments::is_private,
    attributes as convert,
    cursor::Cursor,
    descriptor::{self, Descriptor},
    dtype::Dtype,
    operations::{collect, name_of},
    ops::graph,
    pass::Failure,
    types::DYNAMIC,
};

/// What makes the storage of an argument another size.
pub(crate) const RESIZE_STORAGE: &str = "terrace_rt_resize_storage";

impl<'c, 'a> Boundary<'c, 'a> {
    /// Refuses a storage that is no argument's, or whose other tensors nobody knows.
    pub(super) fn check_room(&self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let view =
            op.operand(0).ok().and_then(|own| self.view(own)).ok_or("is of no tensor that is known")?;
        if !matches!(view.root, Root::Argument(_)) {
            return Err("makes a storage another size that is no argument's: a boundary holds new ones of fixed sizes".into());
        }
        if !is_called_last(self.function) {
            return Err("makes the storage of an argument another size in a function after whose call compiled code goes on with \
                        arguments: that is interpreted only"
                .into());
        }
        let same =
            |other: &View| other.root == view.root || view.storage.is_some() && view.storage == other.storage;
        if self.tensors().any(|(_, other)| Self::share(view, other) && !same(other)) {
            return Err(
                "makes a storage another size that other arguments may have, too: declare graph.storage"
                    .into(),
            );
        }
        Ok(())
    }

    /// The arguments that are tensors.
    fn tensors(&self) -> impl Iterator<Item = (Value<'c, 'a>, &View<'c, 'a>)> {
        let arguments = (0..self.block.argument_count()).map(|i| self.argument(i));
        arguments.filter_map(|argument| Some((argument, self.view(argument)?)))
    }

    /// Asks for the memory of a storage, and sees its arguments there where that may be elsewhere.
    pub(super) fn room(
        &mut self,
        at: OperationRef<'c, 'a>,
        resize: graph::ResizeStorageOp<'c, 'a>,
    ) -> Result<(), Failure> {
        let own = self.view(resize.self_()).ok_or("is of no tensor that is known")?.clone();
        let Root::Argument(number) = own.root else { return Err("is of no argument".into()) };
        let place = Cursor::before(at)?;
        let (word, row): (Type, Type) =
            (IntegerType::new(place.context, 64).into(), identity(place.context, &[DYNAMIC], Dtype::U8));
        let base = "memref.extract_aligned_pointer_as_index";
        let base = place.op(base, &[self.argument(number)], place.index_type())?;
        let operands = [
            place.op("arith.index_cast", &[base], word)?,
            place.integer(word, resize.bytes()[0])?,
            place.integer(word, resize.at_least().is_some().into())?,
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
            Self::share(&own, other).then(|| (argument, other.clone()))
        };
        for (argument, view) in self.tensors().filter_map(shares).collect::<Vec<_>>() {
            let elements = identity(self.context, &[DYNAMIC], view.dtype);
            let row = place.op("kernel.reinterpret", &[bytes], elements)?;
            let before = view.buffer.ok_or("has no buffer")?;
            let Descriptor { offset, sizes, strides, .. } = Descriptor::of(&place, before)?;
            let ty = view.memref(self.context);
            let buffer =
                descriptor::seen(&place, row, ty, || Ok(offset), |d| Ok(sizes[d]), |d| Ok(strides[d]))?;
            self.set_buffer(argument, buffer);
        }
        Ok(())
    }
}

/// How deep functions are that call one another for a caller outside.
const DEPTH: usize = 64;

/// Whether a function is called from outside, or where its callers have nothing to do with their arguments afterwards and are called so themselves.
pub(in super::super) fn is_called_last(function: OperationRef) -> bool {
    is_called_within(function, DEPTH)
}

fn is_called_within(function: OperationRef, depth: usize) -> bool {
    if !is_private(function) {
        return true;
    }
    let Some(module) = function.block().filter(|_| depth > 0) else { return false };
    let own = function.attribute("sym_name").map(convert::string).unwrap_or_default();
    let is_own = |op: OperationRef| {
        name_of(op) == "func.call"
            && op.attribute("callee").is_ok_and(|callee| convert::symbol(callee) == own)
    };
    let all = std::iter::successors(module.first_operation(), |op| op.next_in_block());
    all.filter(|op| name_of(*op) == "func.func").all(|caller| {
        let calls = collect(caller, is_own);
        calls.is_empty() || calls.into_iter().all(is_last) && is_called_within(caller, depth - 1)
    })
}

/// Whether nothing that comes after an operation in its function has to do with arguments of that.
fn is_last(op: OperationRef) -> bool {
    let on_arguments = |op: OperationRef| op.operands().any(|value| BlockArgument::try_from(value).is_ok());
    let mut after = std::iter::successors(op.next_in_block(), |op| op.next_in_block());
    after.all(|op| collect(op, on_arguments).is_empty())
        && op.parent_operation().is_some_and(|around| match name_of(around) {
            "scf.if" => is_last(around),
            name => name == "func.func",
        })
}
