//! Calls of the runtime that ask how tensors lie: what they are given is a list of words, as `runtime/rt/src/aliasing.rs` says.

use melior::ir::{ValueLike, attribute::FlatSymbolRefAttribute, r#type::MemRefType};
use std::collections::BTreeSet;
use terrace_dialects::{
    cursor::{Cursor, V},
    descriptor::Descriptor,
    dtype::Dtype,
    extent::Extent,
    pass::Failure,
    shaped::Shaped,
    types::bytes,
};

/// The functions of the runtime that are called.
#[derive(Default)]
pub(super) struct Services(BTreeSet<&'static str>);

impl Services {
    /// Declares what is called and not declared.
    pub fn declare(&self, module: &Cursor, declared: impl Fn(&str) -> bool) -> Result<(), Failure> {
        let index = module.index_type();
        for name in self.0.iter().filter(|name| !declared(name)) {
            module.declare(name, &[index], &[index], &[])?;
        }
        Ok(())
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

    /// Adds a tensor: a number for its dtype, the bytes of an element, rank, address, offset, sizes, strides.
    pub fn tensor(&mut self, buffer: V<'c, 'a>, dtype: Option<Dtype>) -> Result<(), Failure> {
        let (at, shaped) = (self.at, Shaped::expect(buffer.r#type())?);
        let rank = shaped.rank();
        let dtype = dtype.ok_or("asks how a tensor lies that is not known")?;
        self.number(dtype as i64)?;
        self.number(bytes(shaped.element).ok_or("has elements that are no numbers")?)?;
        self.number(rank as i64)?;
        self.all.push(at.op("memref.extract_aligned_pointer_as_index", &[buffer], at.index_type())?);
        let parts = Descriptor::of(&at, buffer)?;
        self.all.extend([vec![parts.offset], parts.sizes, parts.strides].concat());
        Ok(())
    }

    /// Leaves room for words that the function writes; where it begins.
    pub fn room(&mut self, count: usize) -> Result<usize, Failure> {
        let first = self.all.len();
        (0..count).try_for_each(|_| self.number(0))?;
        Ok(first)
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
        services.0.insert(name);
        let callee = at.named("callee", FlatSymbolRefAttribute::new(at.context, name));
        at.with("func.call", &[address], at.index_type(), &[callee])
    }

    /// A word.
    pub fn read(&self, at: &Cursor<'c, 'a>, place: usize) -> Result<V<'c, 'a>, Failure> {
        at.op("memref.load", &[self.0, at.index(place as i64)?], at.index_type())
    }
}
