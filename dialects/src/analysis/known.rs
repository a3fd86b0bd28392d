//! What is known of values that are being written, beyond their types: the sizes of tensors, and numbers.
//!
//! A type says `?` of a size that is an expression over symbols ([`terrace_size`]). A pass that writes
//! functions of such tensors owns a [`Table`], which says what each size is: what an operation makes is asked
//! of its type rule, with what is known of its operands. The other way round, the table says where the
//! program that is written has each symbol. Writers carry a [`Known`], a reference to the table or to none.

use crate::{
    aten::rules::{Inferred, TensorType},
    ir::{
        OperationLike,
        args::{Args, KnownValues},
        kept::Kept,
        operations::key,
        pass::Failure,
        refusal::Reason,
        registry,
    },
};
use melior::ir::{OperationRef, Value, ValueLike};
use rustc_hash::FxHashMap;
use std::cell::{RefCell, RefMut};
use terrace_size::{Size, symbols::Symbol, trials::asked};

/// Where the program that is written has a symbol.
#[derive(Clone, Copy)]
pub enum Source {
    /// It is a number: an index or an i64.
    Number(Kept),
    /// It is a size of a tensor.
    Dim(Kept, usize),
}

impl Source {
    /// The number, or the tensor.
    pub fn value<'c, 'v>(self) -> Value<'c, 'v> {
        let (Source::Number(value) | Source::Dim(value, _)) = self;
        value.value()
    }
}

/// What was learned since a region was entered.
#[derive(Default)]
struct Scope {
    symbols: FxHashMap<usize, Source>,
    /// The values of sizes, by their keys.
    values: FxHashMap<i64, Kept>,
}

#[derive(Default)]
struct Entries {
    tensors: FxHashMap<usize, Vec<Size>>,
    numbers: FxHashMap<usize, Size>,
    /// One for each region around.
    scopes: Vec<Scope>,
}

/// What is known of the values of a function that is written. The pass that writes it owns the table.
pub struct Table(RefCell<Entries>);

impl Default for Table {
    fn default() -> Self {
        Self(RefCell::new(Entries { scopes: vec![Scope::default()], ..Entries::default() }))
    }
}

impl Table {
    /// The table, for writers.
    pub fn known(&self) -> Known<'_> {
        Known(Some(self))
    }
}

/// A [`Table`], or none: then nothing is known of values but their types.
#[derive(Clone, Copy)]
pub struct Known<'a>(Option<&'a Table>);

impl<'a> Known<'a> {
    /// No table.
    pub const NOTHING: Self = Self(None);

    fn table(&self) -> Option<RefMut<'a, Entries>> {
        self.0.map(|table| table.0.borrow_mut())
    }

    /// Whether there is a table.
    pub fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// The sizes of a tensor are these.
    pub fn set_sizes(&self, value: Value, sizes: &[Size]) {
        self.table().map(|mut table| table.tensors.insert(key(value), sizes.to_vec()));
    }

    /// A number is this size.
    pub fn set_number(&self, value: Value, size: Size) {
        self.table().map(|mut table| table.numbers.insert(key(value), size));
    }

    /// A value is there no more: what has its place in memory next is another one.
    pub fn forget(&self, value: Value) {
        if let Some(mut table) = self.table() {
            table.tensors.remove(&key(value));
            table.numbers.remove(&key(value));
        }
    }

    /// A symbol is a number inside of the region that is written. Rules know it only where it is written as
    /// a size: an index they would ask for its range.
    pub fn set_symbol(&self, symbol: Symbol, value: Value) {
        self.set_source(symbol.place(), Source::Number(Kept::of(value)));
    }

    /// A symbol is a size of a tensor inside of the region that is written.
    pub fn set_dim(&self, symbol: Symbol, tensor: Value, dim: usize) {
        self.set_source(symbol.place(), Source::Dim(Kept::of(tensor), dim));
    }

    /// What the symbol of a place is inside of the region that is written.
    pub fn set_source(&self, place: usize, source: Source) {
        self.table().and_then(|mut table| table.scopes.last_mut()?.symbols.insert(place, source));
    }

    /// What the symbol of a place is, where something is written now.
    pub fn source(&self, place: usize) -> Option<Source> {
        self.table()?.scopes.iter().rev().find_map(|scope| scope.symbols.get(&place).copied())
    }

    /// All symbols of the region that is written, by their places.
    pub fn sources(&self) -> Vec<(usize, Source)> {
        let table = self.table();
        let own = table.as_ref().and_then(|table| table.scopes.last());
        own.map_or(vec![], |scope| scope.symbols.iter().map(|(place, source)| (*place, *source)).collect())
    }

    /// A region is written from here on: what is made in it is not there behind it.
    pub fn enter(&self) {
        if let Some(mut table) = self.table() {
            table.scopes.push(Scope::default());
        }
    }

    /// The region that was entered last is written.
    pub fn leave(&self) {
        self.table().and_then(|mut table| table.scopes.pop());
    }

    /// The value that a size has where something is written now, if it was written before.
    pub fn written<'c, 'v>(&self, size: Size) -> Option<Value<'c, 'v>> {
        let table = self.table()?;
        let kept = table.scopes.iter().rev().find_map(|scope| scope.values.get(&size.key()).copied());
        kept.map(Kept::value)
    }

    /// A size was written as this value.
    pub fn set_written(&self, size: Size, value: Value) {
        if let Some(mut table) = self.table() {
            table.scopes.last_mut().map(|scope| scope.values.insert(size.key(), Kept::of(value)));
            table.numbers.insert(key(value), size);
        }
    }

    /// The size that a number is, where it is known.
    pub fn number(&self, value: Value) -> Option<Size> {
        self.table()?.numbers.get(&key(value)).copied()
    }

    /// The sizes of a tensor as they were first said, whatever was learned of their symbols since.
    pub fn first_sizes(&self, value: Value) -> Option<Vec<Size>> {
        let ty = TensorType::of_type(value.r#type())?;
        let known = self.table().and_then(|table| table.tensors.get(&key(value)).cloned());
        Some(known.filter(|_| !ty.is_static()).unwrap_or(ty.shape))
    }

    /// The sizes of a tensor, as far as they are known.
    pub fn sizes(&self, value: Value) -> Option<Vec<Size>> {
        let ty = TensorType::of_type(value.r#type())?;
        if ty.is_static() {
            return Some(ty.shape);
        }
        let known = self.table().and_then(|table| table.tensors.get(&key(value)).cloned());
        Some(match known {
            Some(sizes) => sizes.into_iter().map(Size::simplified).collect(),
            None => ty.shape,
        })
    }

    /// The type of a tensor, its sizes as far as they are known.
    pub fn ty<'c>(&self, value: Value<'c, '_>) -> Option<TensorType<'c>> {
        let ty = TensorType::of_type(value.r#type())?;
        Some(if ty.is_static() { ty } else { ty.with_shape(&self.sizes(value)?) })
    }

    /// Takes in what a new operation makes.
    ///
    /// # Errors
    /// What its rule refuses.
    pub fn infer(&self, op: OperationRef) -> Result<(), Failure> {
        let unknown = |value: Value| TensorType::of_type(value.r#type()).is_some_and(|ty| !ty.is_static());
        if !self.is_there() || !op.results().any(|result| unknown(result.into())) {
            return Ok(());
        }
        let class = registry::of(op).filter(|class| class.infer.is_some() && class.dialect == "functional");
        let Some(class) = class else { return Ok(()) };
        let operands: Vec<Value> = op.operands().collect();
        let attribute = |name: &str| op.attribute(name).ok();
        let made = asked(|| {
            let made = class.results(&Args::new(class, op.context(), &operands, &attribute).with(self))?;
            let mut sizes = made.iter().flat_map(|made| match made {
                Inferred::Tensor(ty) => &ty.shape[..],
                Inferred::Other(_) => &[],
            });
            match sizes.find(|size| size.simplified().known().is_some_and(|number| number < 0)) {
                Some(size) => Err(Reason::RunTime.says(format!("has a result with a negative size, {size}"))),
                None => Ok(made),
            }
        })?;
        for (result, made) in op.results().zip(made) {
            if let Inferred::Tensor(ty) = made {
                self.set_sizes(result.into(), &ty.shape);
            }
        }
        Ok(())
    }
}

impl<'c> KnownValues<'c> for Known<'_> {
    fn tensor(&self, value: Value<'c, '_>) -> Option<TensorType<'c>> {
        self.ty(value)
    }

    fn number(&self, value: Value<'c, '_>) -> Option<Size> {
        Known::number(self, value)
    }
}
