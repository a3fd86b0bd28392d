//! Accessors of operations and blocks that cost nothing where there is no answer.
//!
//! melior's accessors print the whole operation, with all that is nested in it, into the error that says that
//! there is no such operand. So a question such as `op.operand(2).ok()` is linear in the module. Those here
//! have the same names and answer [`Missing`], two words. They take the place of melior's traits: code
//! imports `OperationLike` and `BlockLike` from here; `clippy.toml` lists what of melior is not called.
//!
//! ```
//! use melior::ir::Module;
//! use terrace_dialects::ir::OperationLike;
//!
//! let context = terrace_dialects::new_context();
//! let module = Module::parse(&context, "").unwrap();
//! assert_eq!(module.as_operation().operand(2).unwrap_err().to_string(), "there is no operand 2");
//! ```
//!
//! Source: `mlir-c/IR.h`.

use super::{strings::string_ref, upstream};
use melior::{
    ContextRef,
    ir::{
        Attribute, AttributeLike, Block, BlockRef, Identifier, Location, Operation, OperationRef, RegionRef,
        Type, TypeLike, Value,
        attribute::{FlatSymbolRefAttribute, IntegerAttribute, StringAttribute, TypeAttribute},
        block::BlockArgument,
        operation::{OperationRefMut, OperationResult, WalkOrder, WalkResult},
        r#type::{FunctionType, RankedTensorType},
    },
};
use mlir_sys::*;
use std::fmt::Display;

/// Nothing stands at a position, or under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// There are not so many.
    #[error("there is no {0} {1}")]
    Position(&'static str, usize),
    /// An attribute that an operation does not have.
    #[error("there is no such attribute")]
    Attribute,
}

/// What stands at a position, one of `count`.
fn at<T>(what: &'static str, index: usize, count: usize, get: impl FnOnce(isize) -> T) -> Result<T, Missing> {
    if index < count { Ok(get(index as isize)) } else { Err(Missing::Position(what, index)) }
}

/// What is asked of an operation. All but [`to_raw`](Self::to_raw) is provided.
pub trait OperationLike<'c: 'a, 'a>: Display + 'a {
    /// The operation of the C API.
    fn to_raw(&self) -> MlirOperation;

    /// Its context.
    fn context(&self) -> ContextRef<'c> {
        // SAFETY: an operation's context outlives it.
        unsafe { ContextRef::from_raw(mlirOperationGetContext(self.to_raw())) }
    }

    /// Its name, as `graph.add`.
    fn name(&self) -> Identifier<'c> {
        // SAFETY: the name is the context's.
        unsafe { Identifier::from_raw(mlirOperationGetName(self.to_raw())) }
    }

    /// Its location.
    fn location(&self) -> Location<'c> {
        // SAFETY: the location is the context's.
        unsafe { Location::from_raw(mlirOperationGetLocation(self.to_raw())) }
    }

    /// The block that it is in.
    fn block(&self) -> Option<BlockRef<'c, 'a>> {
        // SAFETY: null where there is none; a block lives as long as the operation stands in it.
        unsafe { BlockRef::from_option_raw(mlirOperationGetBlock(self.to_raw())) }
    }

    /// The operation that it is nested in.
    fn parent_operation(&self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: null where there is none; it lives as long as what is nested in it.
        unsafe { OperationRef::from_option_raw(mlirOperationGetParentOperation(self.to_raw())) }
    }

    /// The operation after it in its block.
    fn next_in_block(&self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: null where there is none; the next one is in the same block.
        unsafe { OperationRef::from_option_raw(mlirOperationGetNextInBlock(self.to_raw())) }
    }

    /// Whether it stands before another of its block; numbers of a block are made anew where they are out of
    /// date.
    fn is_before_in_block(&self, other: OperationRef<'c, 'a>) -> bool {
        // SAFETY: both are live and stand in one block, as whoever asks has seen to.
        unsafe { mlirOperationIsBeforeInBlock(self.to_raw(), other.to_raw()) }
    }

    /// How many operands it has.
    fn operand_count(&self) -> usize {
        // SAFETY: `to_raw` gives a live operation.
        unsafe { mlirOperationGetNumOperands(self.to_raw()) as usize }
    }

    /// One operand.
    ///
    /// # Errors
    /// There are not so many.
    fn operand(&self, index: usize) -> Result<Value<'c, 'a>, Missing> {
        // SAFETY: `at` has compared the index with the number of operands.
        at("operand", index, self.operand_count(), |index| unsafe {
            Value::from_raw(mlirOperationGetOperand(self.to_raw(), index))
        })
    }

    /// All operands.
    fn operands(&self) -> impl ExactSizeIterator<Item = Value<'c, 'a>> {
        let raw = self.to_raw();
        (0..self.operand_count())
            // SAFETY: the index is below the number of operands; the iterator borrows the operation.
            .map(move |index| unsafe { Value::from_raw(mlirOperationGetOperand(raw, index as isize)) })
    }

    /// How many results it has.
    fn result_count(&self) -> usize {
        // SAFETY: `to_raw` gives a live operation.
        unsafe { mlirOperationGetNumResults(self.to_raw()) as usize }
    }

    /// One result. It is not called `result`: that is a method of `OperationRef` itself, which prints.
    ///
    /// # Errors
    /// There are not so many.
    fn result_at(&self, index: usize) -> Result<OperationResult<'c, 'a>, Missing> {
        // SAFETY: `at` has compared the index with the number of results.
        at("result", index, self.result_count(), |index| unsafe {
            OperationResult::from_raw(mlirOperationGetResult(self.to_raw(), index))
        })
    }

    /// All results.
    fn results(&self) -> impl ExactSizeIterator<Item = OperationResult<'c, 'a>> {
        let raw = self.to_raw();
        // SAFETY: the index is below the number of results; the iterator borrows the operation.
        (0..self.result_count()).map(move |index| unsafe {
            OperationResult::from_raw(mlirOperationGetResult(raw, index as isize))
        })
    }

    /// How many regions it has.
    fn region_count(&self) -> usize {
        // SAFETY: `to_raw` gives a live operation.
        unsafe { mlirOperationGetNumRegions(self.to_raw()) as usize }
    }

    /// One region.
    ///
    /// # Errors
    /// There are not so many.
    fn region(&self, index: usize) -> Result<RegionRef<'c, 'a>, Missing> {
        // SAFETY: `at` has compared the index with the number of regions.
        at("region", index, self.region_count(), |index| unsafe {
            RegionRef::from_raw(mlirOperationGetRegion(self.to_raw(), index))
        })
    }

    /// All regions.
    fn regions(&self) -> impl ExactSizeIterator<Item = RegionRef<'c, 'a>> {
        let raw = self.to_raw();
        (0..self.region_count())
            // SAFETY: the index is below the number of regions; the iterator borrows the operation.
            .map(move |index| unsafe { RegionRef::from_raw(mlirOperationGetRegion(raw, index as isize)) })
    }

    /// The blocks that control goes to from here.
    fn successors(&self) -> impl ExactSizeIterator<Item = BlockRef<'c, 'a>> {
        let raw = self.to_raw();
        // SAFETY: `to_raw` gives a live operation.
        let count = unsafe { mlirOperationGetNumSuccessors(raw) as usize };
        (0..count)
            // SAFETY: the index is below the number of successors; the iterator borrows the operation.
            .map(move |index| unsafe { BlockRef::from_raw(mlirOperationGetSuccessor(raw, index as isize)) })
    }

    /// All attributes, by their names.
    fn attributes(&self) -> impl ExactSizeIterator<Item = (Identifier<'c>, Attribute<'c>)> {
        let all = upstream::attributes(self.to_raw());
        // SAFETY: `upstream::attributes` gives a dictionary.
        let count = unsafe { mlirDictionaryAttrGetNumElements(all) as usize };
        // SAFETY: the index is below the number of entries; name and value are the context's.
        (0..count).map(move |index| unsafe {
            let named = mlirDictionaryAttrGetElement(all, index as isize);
            (Identifier::from_raw(named.name), Attribute::from_raw(named.attribute))
        })
    }

    /// The attribute of a name.
    ///
    /// # Errors
    /// It has none of that name.
    fn attribute(&self, name: &str) -> Result<Attribute<'c>, Missing> {
        // SAFETY: the name is read during the call; the attribute is the context's, null where there is none.
        let found = unsafe {
            Attribute::from_option_raw(mlirOperationGetAttributeByName(self.to_raw(), string_ref(name)))
        };
        found.ok_or(Missing::Attribute)
    }

    /// Whether it has an attribute of a name.
    fn has_attribute(&self, name: &str) -> bool {
        self.attribute(name).is_ok()
    }

    /// Whether it keeps to the rules; what is wrong is said by a diagnostic.
    fn verify(&self) -> bool {
        // SAFETY: `to_raw` gives a live operation.
        unsafe { mlirOperationVerify(self.to_raw()) }
    }

    /// Visits it and all that is nested in it.
    fn walk<F>(&self, order: WalkOrder, visit: F)
    where
        F: for<'x, 'y> FnMut(OperationRef<'x, 'y>) -> WalkResult,
    {
        // SAFETY: the operation lives as long as `self` is borrowed.
        let op = unsafe { OperationRef::from_raw(self.to_raw()) };
        melior::ir::operation::OperationLike::walk(&op, order, visit);
    }
}

macro_rules! operation_like {
    ($($ty:ty),*) => { $(
        impl<'c: 'a, 'a> OperationLike<'c, 'a> for $ty {
            fn to_raw(&self) -> MlirOperation {
                melior::ir::operation::OperationLike::to_raw(self)
            }
        }
    )* };
}

operation_like!(OperationRef<'c, 'a>, OperationRefMut<'c, 'a>);

impl<'c: 'a, 'a> OperationLike<'c, 'a> for Operation<'c>
where
    Operation<'c>: 'a,
{
    fn to_raw(&self) -> MlirOperation {
        melior::ir::operation::OperationLike::to_raw(self)
    }
}

/// What is asked of a block, and done to it. All but [`to_raw`](Self::to_raw) is provided.
pub trait BlockLike<'c: 'a, 'a>: Display + 'a {
    /// The block of the C API.
    fn to_raw(&self) -> MlirBlock;

    /// How many arguments it has.
    fn argument_count(&self) -> usize {
        // SAFETY: `to_raw` gives a live block.
        unsafe { mlirBlockGetNumArguments(self.to_raw()) as usize }
    }

    /// One argument.
    ///
    /// # Errors
    /// There are not so many.
    fn argument(&self, index: usize) -> Result<BlockArgument<'c, 'a>, Missing> {
        // SAFETY: `at` has compared the index with the number of arguments.
        at("argument", index, self.argument_count(), |index| unsafe {
            BlockArgument::from_raw(mlirBlockGetArgument(self.to_raw(), index))
        })
    }

    /// Its first operation.
    fn first_operation(&self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: null where there is none; it lives as long as it stands in the block.
        unsafe { OperationRef::from_option_raw(mlirBlockGetFirstOperation(self.to_raw())) }
    }

    /// Its terminator.
    fn terminator(&self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: null where there is none; it lives as long as it stands in the block.
        unsafe { OperationRef::from_option_raw(mlirBlockGetTerminator(self.to_raw())) }
    }

    /// The region that it is in.
    fn parent_region(&self) -> Option<RegionRef<'c, 'a>> {
        // SAFETY: null where there is none; a region outlives the blocks in it.
        unsafe { RegionRef::from_option_raw(mlirBlockGetParentRegion(self.to_raw())) }
    }

    /// The operation whose region it is in.
    fn parent_operation(&self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: null where there is none; an operation outlives the blocks in its regions.
        unsafe { OperationRef::from_option_raw(mlirBlockGetParentOperation(self.to_raw())) }
    }

    /// The block after it in its region.
    fn next_in_region(&self) -> Option<BlockRef<'c, 'a>> {
        // SAFETY: null where there is none; the next one is in the same region.
        unsafe { BlockRef::from_option_raw(mlirBlockGetNextInRegion(self.to_raw())) }
    }

    /// Adds an argument behind the others.
    fn add_argument(&self, ty: Type<'c>, location: Location<'c>) -> Value<'c, 'a> {
        // SAFETY: block, type and location are live and of one context; the block owns the argument.
        unsafe { Value::from_raw(mlirBlockAddArgument(self.to_raw(), ty.to_raw(), location.to_raw())) }
    }

    /// Adds an operation behind the others.
    fn append_operation(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        let raw = operation.into_raw();
        // SAFETY: `into_raw` has given the operation away; the block owns it now.
        unsafe {
            mlirBlockAppendOwnedOperation(self.to_raw(), raw);
            OperationRef::from_raw(raw)
        }
    }

    /// Adds an operation in front of another of this block.
    fn insert_operation_before(
        &self,
        place: OperationRef<'c, 'a>,
        operation: Operation<'c>,
    ) -> OperationRef<'c, 'a> {
        let raw = operation.into_raw();
        // SAFETY: as in `append_operation`; the place is one of this block's, as whoever asks has seen to.
        unsafe {
            mlirBlockInsertOwnedOperationBefore(
                self.to_raw(),
                melior::ir::operation::OperationLike::to_raw(&place),
                raw,
            );
            OperationRef::from_raw(raw)
        }
    }

    /// Adds an operation behind another of this block.
    fn insert_operation_after(
        &self,
        place: OperationRef<'c, 'a>,
        operation: Operation<'c>,
    ) -> OperationRef<'c, 'a> {
        let raw = operation.into_raw();
        // SAFETY: as in `append_operation`; the place is one of this block's, as whoever asks has seen to.
        unsafe {
            mlirBlockInsertOwnedOperationAfter(
                self.to_raw(),
                melior::ir::operation::OperationLike::to_raw(&place),
                raw,
            );
            OperationRef::from_raw(raw)
        }
    }
}

impl<'c: 'a, 'a> BlockLike<'c, 'a> for BlockRef<'c, 'a> {
    fn to_raw(&self) -> MlirBlock {
        melior::ir::BlockLike::to_raw(self)
    }
}

impl<'c: 'a, 'a> BlockLike<'c, 'a> for Block<'c>
where
    Block<'c>: 'a,
{
    fn to_raw(&self) -> MlirBlock {
        melior::ir::BlockLike::to_raw(self)
    }
}

/// A type or an attribute as one of melior's classes; None where it is of another, which is not printed to
/// say so.
pub fn cast<'c, T: Class<'c>>(it: T::Of) -> Option<T> {
    if T::is(it) { T::try_from(it).ok() } else { None }
}

/// What [`cast`] makes.
pub trait Class<'c>: TryFrom<Self::Of> {
    /// [`Type`] or [`Attribute`].
    type Of: Copy;

    /// Whether it is of this class.
    fn is(it: Self::Of) -> bool;
}

macro_rules! classes {
    ($of:ident: $($class:ident $is:path),*) => { $(
        impl<'c> Class<'c> for $class<'c> {
            type Of = $of<'c>;

            fn is(it: $of<'c>) -> bool {
                // SAFETY: it is live as long as its context; it may be of any class.
                unsafe { $is(it.to_raw()) }
            }
        }
    )* };
}

classes!(Type: FunctionType mlirTypeIsAFunction, RankedTensorType mlirTypeIsARankedTensor);
classes!(Attribute: TypeAttribute mlirAttributeIsAType, StringAttribute mlirAttributeIsAString,
    IntegerAttribute mlirAttributeIsAInteger, FlatSymbolRefAttribute mlirAttributeIsAFlatSymbolRef);
