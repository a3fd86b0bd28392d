//! Calls of the runtime that ask how tensors lie: what they are given is a list of words, as
//! `runtime/rt/src/aliasing.rs` says.

use super::types::identity;
use melior::{
    Context,
    ir::{Attribute, OperationRef, Type, ValueLike, attribute::FlatSymbolRefAttribute, r#type::MemRefType},
};
use std::collections::BTreeMap;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        descriptor::{self, Descriptor},
        dtype::Dtype,
        extent::Extent,
        pass::Failure,
        shaped::Shaped,
        types::bytes,
    },
};
use terrace_size::{DYNAMIC, symbols::Predicate};

/// Why a tensor may not be written.
pub(super) const CHECK_DISTINCT: &str = "terrace_rt_check_distinct";

/// How many bytes a storage has.
const STORAGE_BYTES: &str = "terrace_rt_storage_bytes";

/// What says that a storage has fewer, in the place of memory.
pub(crate) const OUT_OF_BOUNDS: &str = "terrace_rt_out_of_bounds";

/// Bytes.
fn row(context: &Context) -> Type<'_> {
    identity(context, &[DYNAMIC], Dtype::U8)
}

/// Whether a function of the runtime gives memory: whose that is nobody knows before.
pub(super) fn gives_memory(name: &str) -> bool {
    name == OUT_OF_BOUNDS
}

/// A tensor as it lies, in another row of bytes.
pub(super) fn again<'c: 'a, 'a>(
    at: &Cursor<'c, 'a>,
    row: V<'c, 'a>,
    (tensor, dtype): (V<'c, 'a>, Dtype),
) -> Result<V<'c, 'a>, Failure> {
    let elements = identity(at.context, &[DYNAMIC], dtype);
    let row = at.op("kernel.reinterpret", &[row], elements)?;
    let Descriptor { offset, sizes, strides, .. } = Descriptor::of(at, tensor)?;
    descriptor::reinterpreted(at, row, tensor.r#type(), || Ok(offset), |d| Ok(sizes[d]), |d| Ok(strides[d]))
}

/// The functions of the runtime that are called, each with how many indices it takes and gives;
/// [`OUT_OF_BOUNDS`] gives memory.
#[derive(Default)]
pub(super) struct Services(BTreeMap<&'static str, [usize; 2]>);

impl Services {
    /// Declares what is called and not declared.
    pub fn declare(&self, module: &Cursor, declared: impl Fn(&str) -> bool) -> Result<(), Failure> {
        let index = module.index_type();
        for (name, [takes, gives]) in self.0.iter().filter(|(name, _)| !declared(name)) {
            if gives_memory(name) {
                let interface = module.named("llvm.emit_c_interface", Attribute::unit(module.context));
                module.declare(name, &vec![index; *takes], &[row(module.context)], &[interface])?;
            } else {
                module.declare(name, &vec![index; *takes], &vec![index; *gives], &[])?;
            }
        }
        Ok(())
    }

    /// Calls a function of indices that gives so many.
    pub fn call<'c, 'a>(
        &mut self,
        at: &Cursor<'c, 'a>,
        name: &'static str,
        operands: &[V<'c, 'a>],
        gives: usize,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        self.0.insert(name, [operands.len(), gives]);
        let callee = at.named("callee", FlatSymbolRefAttribute::new(at.context, name));
        at.build("func.call", operands, &vec![at.index_type(); gives], &[callee], vec![])
    }

    /// Whether the storage of a tensor has at least so many bytes.
    pub fn has_bytes<'c, 'a>(
        &mut self,
        at: &Cursor<'c, 'a>,
        buffer: V<'c, 'a>,
        bytes: V<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let address = at.op("memref.extract_aligned_pointer_as_index", &[buffer], at.index_type())?;
        let there = self.call(at, STORAGE_BYTES, &[address], 1)?.result_at(0)?.into();
        at.compare(Predicate::LessOrEqual, bytes, there)
    }

    /// A tensor where its storage has at least so many bytes, else an error.
    pub fn with_bytes<'c: 'a, 'a>(
        &mut self,
        at: &Cursor<'c, 'a>,
        (buffer, dtype): (V<'c, 'a>, Dtype),
        bytes: V<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let holds = self.has_bytes(at, buffer, bytes)?;
        self.elsewhere(at, (buffer, dtype), holds, [bytes, bytes])
    }

    /// A tensor where something holds, else an error that says how many bytes its storage was to have. What
    /// reads it waits for that, as it depends on it.
    pub fn elsewhere<'c: 'a, 'a>(
        &mut self,
        at: &Cursor<'c, 'a>,
        (buffer, dtype): (V<'c, 'a>, Dtype),
        holds: V<'c, 'a>,
        [bytes, resize]: [V<'c, 'a>; 2],
    ) -> Result<V<'c, 'a>, Failure> {
        let chosen = at.either(holds, &[buffer.r#type()], |at, way| {
            if way == 0 {
                return Ok(vec![buffer]);
            }
            let address = at.op("memref.extract_aligned_pointer_as_index", &[buffer], at.index_type())?;
            let row = self.memory(&at, OUT_OF_BOUNDS, &[address, bytes, resize])?;
            Ok(vec![again(&at, row, (buffer, dtype))?])
        })?;
        Ok(chosen[0])
    }

    /// Calls a function of indices that gives memory, as a row of bytes.
    pub fn memory<'c, 'a>(
        &mut self,
        at: &Cursor<'c, 'a>,
        name: &'static str,
        operands: &[V<'c, 'a>],
    ) -> Result<V<'c, 'a>, Failure> {
        self.0.insert(name, [operands.len(), 1]);
        let callee = at.named("callee", FlatSymbolRefAttribute::new(at.context, name));
        at.with("func.call", operands, row(at.context), &[callee])
    }
}

/// The words of a call, on their way.
pub(super) struct Words<'c, 'a> {
    at: Cursor<'c, 'a>,
    all: Vec<V<'c, 'a>>,
}

impl<'c, 'a> Words<'c, 'a> {
    /// None yet, for a call at this place.
    pub fn new(at: Cursor<'c, 'a>) -> Self {
        Self { at, all: vec![] }
    }

    /// Adds a number.
    pub fn number(&mut self, number: i64) -> Result<(), Failure> {
        self.all.push(self.at.index(number)?);
        Ok(())
    }

    /// Adds a size.
    pub fn extent(&mut self, size: Extent<'c, 'a>) -> Result<(), Failure> {
        self.all.push(self.at.extent(size)?);
        Ok(())
    }

    /// Adds a tensor: a number for its dtype, the bytes of an element, rank, and where it lies.
    pub fn tensor(&mut self, buffer: V<'c, 'a>, dtype: Option<Dtype>) -> Result<(), Failure> {
        let shaped = Shaped::expect(buffer.r#type())?;
        let rank = shaped.rank();
        let dtype = dtype.ok_or(internal!("asks how a tensor lies that is not known"))?;
        self.number(dtype as i64)?;
        self.number(bytes(shaped.element).ok_or(internal!("has elements that are no numbers"))?)?;
        self.number(rank as i64)?;
        self.place(buffer)
    }

    /// Adds a tensor of which only sizes and strides matter.
    pub fn shape(&mut self, sizes: &[Extent<'c, 'a>], strides: &[V<'c, 'a>]) -> Result<(), Failure> {
        // Of no dtype, elements of a byte, from the start of no storage on.
        [0, 1, sizes.len() as i64, 0, 0].into_iter().try_for_each(|word| self.number(word))?;
        sizes.iter().try_for_each(|size| self.extent(*size))?;
        self.all.extend(strides);
        Ok(())
    }

    /// Adds where a tensor lies: address, offset, sizes, strides.
    pub fn place(&mut self, buffer: V<'c, 'a>) -> Result<(), Failure> {
        let at = self.at;
        self.all.push(at.op("memref.extract_aligned_pointer_as_index", &[buffer], at.index_type())?);
        let parts = Descriptor::of(&at, buffer)?;
        self.all.extend([vec![parts.offset], parts.sizes, parts.strides].concat());
        Ok(())
    }

    /// Puts the words into a list, which lies on the stack from the head of the function on.
    pub fn list(self, head: &Cursor<'c, 'a>) -> Result<List<'c, 'a>, Failure> {
        let at = self.at;
        let ty = MemRefType::new(at.index_type(), &[self.all.len() as i64], None, None).into();
        let list = head.allocate("memref.alloca", ty, &[])?;
        for (i, word) in self.all.iter().enumerate() {
            at.build("memref.store", &[*word, list, at.index(i as i64)?], &[], &[], vec![])?;
        }
        Ok(List(list))
    }
}

/// Words in memory.
pub(super) struct List<'c, 'a>(V<'c, 'a>);

impl<'c, 'a> List<'c, 'a> {
    /// Calls a function with the list; what it gives.
    pub fn call(
        &self,
        at: &Cursor<'c, 'a>,
        name: &'static str,
        services: &mut Services,
    ) -> Result<V<'c, 'a>, Failure> {
        let address = at.op("memref.extract_aligned_pointer_as_index", &[self.0], at.index_type())?;
        Ok(services.call(at, name, &[address], 1)?.result_at(0)?.into())
    }
}

/// Stops the program where the runtime has found one of these reasons why a tensor may not be written, each
/// with its number.
pub(super) fn refused<'c, 'a>(
    at: &Cursor<'c, 'a>,
    found: V<'c, 'a>,
    reasons: impl IntoIterator<Item = (usize, String)>,
) -> Result<(), Failure> {
    for (number, message) in reasons {
        at.assert(at.compare(Predicate::NotEqual, found, at.index(number as i64)?)?, &message)?;
    }
    Ok(())
}
