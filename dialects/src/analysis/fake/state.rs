//! What is known at a point of a program.

use super::{
    Fake, Origin, Storage, Storages, Thing, Uses, Writes, answer::Answers, constants::Values, path::Found,
};
use crate::{
    aten::{placement::place::Known, rules::TensorType},
    ir::{
        OperationLike,
        args::KnownValues,
        arguments::{self, Declared},
        operations::{self, key},
        registry, types,
    },
};
use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::{WalkOrder, WalkResult},
};
use rustc_hash::FxHashMap;
use std::collections::{HashMap, HashSet};
use terrace_layout::Layout;
use terrace_size::{
    DYNAMIC, Size,
    symbols::{Symbol, current},
};

/// A symbol, and what it is when the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The size of an argument.
    Size {
        /// The number of the argument.
        argument: usize,
        /// The dimension.
        dim: usize,
    },
    /// The stride of an argument.
    Stride {
        /// The number of the argument.
        argument: usize,
        /// The dimension.
        dim: usize,
    },
    /// The offset of an argument.
    Offset {
        /// The number of the argument.
        argument: usize,
    },
    /// An argument that is a number.
    Number {
        /// The number of the argument.
        argument: usize,
    },
    /// A size that depends on elements.
    Elements {
        /// The operation that makes it, by its address.
        by: usize,
        /// The number of the result.
        result: usize,
        /// The dimension.
        dim: usize,
    },
    /// A size, a stride or an offset that depends on the way that was taken.
    Joined {
        /// The operation that joins the ways, by its address.
        by: usize,
    },
    /// A number that is computed when the program runs: an element, the number of an iteration.
    Computed {
        /// The operation that gives it, by its address.
        by: usize,
    },
}

/// What is wrong, and where.
pub struct Wrong<'c, 'a> {
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// What is wrong with it.
    pub message: String,
}

/// What is asked again: an operator, its attributes, and its operands as they are, so that sizes that depend
/// on elements are the same. Last the number of the result and of the dimension.
type Asked = (&'static str, Vec<usize>, Vec<[usize; 3]>, [usize; 2]);

/// What is known. Its sizes belong to the symbols that are in force.
#[derive(Clone, Debug, Default)]
pub struct State<'c> {
    pub(super) fakes: FxHashMap<usize, Fake<'c>>,
    pub(super) numbers: FxHashMap<usize, Size>,
    /// Values that are poison.
    pub(super) anything: HashSet<usize>,
    /// All storages.
    pub storages: Vec<Storage>,
    pub(super) writes: Writes,
    /// Whether it is noted what operations do to elements.
    pub(super) notes_uses: bool,
    /// An operation may have done anything to any storage.
    anything_done: bool,
    /// Symbols, each with where it comes from.
    pub entries: Vec<(Symbol, Entry)>,
    /// The path and the value, by its address, that each of them was made with.
    pub homes: Vec<(usize, usize)>,
    named: HashMap<String, usize>,
    pub(super) asked: HashMap<Asked, Size>,
    /// The objects; those that are new with a value with its path.
    pub(super) objects_new_with: Vec<Option<(usize, usize)>>,
    /// The storage and the object that a value is new with, on a path of calls: the same ones however often
    /// it is visited.
    new_storages: FxHashMap<(usize, usize), usize>,
    objects: FxHashMap<(usize, usize), usize>,
    /// What objects are whose sizes, strides or storage an operation changed, by their numbers.
    pub changed: FxHashMap<usize, Fake<'c>>,
    /// How many loops there are around, in which a value is visited more than once.
    pub(super) loops: usize,
    /// What came to go round in the loops inside of the one that is followed, by path and address: where it
    /// is followed again, they begin with it.
    pub(super) rounds: FxHashMap<(usize, usize), Vec<Thing<'c>>>,
    pub(super) answers: Answers<'c>,
    pub(super) values: Values,
    /// The path of calls that is followed, and all there are, each by what it goes on from and the call.
    pub(super) path: usize,
    pub(super) paths: HashMap<(usize, usize), usize>,
    /// What was found on the paths that were followed.
    pub(super) found: HashMap<usize, Found<'c>>,
    /// Symbols that depend on elements, on the way that was taken, or on what is computed, each by its value
    /// and its place in the layout.
    pub(super) sites: HashMap<(usize, usize, usize), Size>,
    /// The functions of modules, by name.
    pub(super) functions: HashMap<usize, HashMap<String, OperationRef<'c, 'c>>>,
    /// The first of the calls that are being followed.
    pub(super) called_by: Option<usize>,
    /// The functions that are being visited.
    pub(super) calls: Vec<usize>,
}

impl<'c> KnownValues<'c> for State<'c> {
    fn tensor(&self, value: Value<'c, '_>) -> Option<TensorType<'c>> {
        self.fakes.get(&key(value)).map(Fake::ty)
    }

    fn number(&self, value: Value<'c, '_>) -> Option<Size> {
        self.numbers.get(&key(value)).copied()
    }
}

impl<'c> State<'c> {
    /// The tensor that a value is.
    pub fn fake(&self, value: Value) -> Option<&Fake<'c>> {
        self.fakes.get(&key(value))
    }

    /// Forgets the tensors inside of an operation, and those that it gives.
    pub fn forget_within(&mut self, op: OperationRef) {
        op.walk(WalkOrder::PreOrder, |op| {
            let arguments = operations::blocks(op).into_iter().flat_map(operations::arguments);
            for value in op.results().map(Value::from).chain(arguments) {
                self.fakes.remove(&key(value));
            }
            WalkResult::Advance
        });
    }

    /// A size, a stride or an offset; they are not negative.
    fn symbol(&mut self, value: Value, entry: Entry, hint: Option<i64>) -> Size {
        self.at_least(0, value, entry, hint)
    }

    /// A number of a value that is not below another one.
    pub(super) fn at_least(&mut self, low: i64, value: Value, entry: Entry, hint: Option<i64>) -> Size {
        let (symbol, size) = current(|symbols| symbols.symbol(hint, low));
        self.entries.push((symbol, entry));
        self.homes.push((self.path, key(value)));
        size
    }

    fn identity(&mut self, new_with: Option<(usize, usize)>) -> usize {
        self.objects_new_with.push(new_with);
        self.objects_new_with.len() - 1
    }

    /// The storage that a value is new with.
    pub(super) fn new_storage(&mut self, value: Value, by: usize) -> Storages {
        let site = (self.path, key(value));
        let known = if self.loops > 0 { self.new_storages.get(&site).copied() } else { None };
        let storage = known.unwrap_or_else(|| self.storage(Some(site), Origin::New(by)));
        if self.loops > 0 {
            self.new_storages.insert(site, storage);
        }
        Storages::One(storage)
    }

    /// The object that a value is new with.
    pub(super) fn object(&mut self, value: Value) -> usize {
        let site = (self.path, key(value));
        let known = if self.loops > 0 { self.objects.get(&site).copied() } else { None };
        let identity = known.unwrap_or_else(|| self.identity(Some(site)));
        if self.loops > 0 {
            self.objects.insert(site, identity);
        }
        identity
    }

    fn storage(&mut self, new_with: Option<(usize, usize)>, origin: Origin) -> usize {
        self.storages.push(Storage { origin, version: 0, uses: Uses::default(), new_with });
        self.storages.len() - 1
    }

    /// Takes in an argument of a function, as it is declared. Of sizes, strides and an offset that are not
    /// known there are `hints`, in this order, where the caller has them.
    pub fn argument(
        &mut self,
        number: usize,
        value: Value<'c, '_>,
        declared: &Declared,
        hints: Option<&Layout>,
    ) {
        if let Some(ty) = types::TensorType::of(value.r#type()).filter(|ty| ty.graph) {
            let sizes: Vec<Size> = (0..ty.rank())
                .map(|dim| match ty.shape[dim] {
                    DYNAMIC => {
                        let hint = hints.map(|layout| layout.sizes[dim]);
                        self.symbol(value, Entry::Size { argument: number, dim }, hint)
                    }
                    size => size.into(),
                })
                .collect();
            let layout = self.layout((number, value), sizes, &declared.layout, hints);
            let storage = match &declared.storage {
                Some(name) => match self.named.get(name) {
                    Some(storage) => *storage,
                    None => {
                        let storage = self.storage(None, Origin::Argument(Some(name.clone())));
                        self.named.insert(name.clone(), storage);
                        storage
                    }
                },
                None => self.storage(None, Origin::Argument(None)),
            };
            let known = self.kind(Known { layout, dtype: ty.dtype, conj: false, neg: false });
            let (identity, storages) = (self.identity(None), Storages::One(storage));
            self.fakes.insert(key(value), Fake { known, device: ty.device, storages, identity });
        } else if types::is_count(value.r#type()) {
            let size = self.at_least(i64::MIN, value, Entry::Number { argument: number }, None);
            self.numbers.insert(key(value), size);
        }
    }

    /// The same tensor with other flags.
    pub fn flagged(&mut self, value: Value, conj: bool, neg: bool) -> Option<Fake<'c>> {
        let fake = self.fake(value)?.clone();
        let known = self.kind(Known { conj, neg, ..Known::clone(&fake.known) });
        let fake = Fake { known, ..fake };
        self.fakes.insert(key(value), fake.clone());
        Some(fake)
    }

    fn layout(
        &mut self,
        (argument, value): (usize, Value),
        sizes: Vec<Size>,
        declared: &arguments::Layout,
        hints: Option<&Layout>,
    ) -> Layout<Size> {
        let (strides, offset) = match declared {
            arguments::Layout::Contiguous => return Layout::contiguous(&sizes),
            arguments::Layout::Strided { strides, offset } => (strides.clone(), *offset),
            arguments::Layout::Any => (vec![DYNAMIC; sizes.len()], DYNAMIC),
        };
        let strides = strides.iter().enumerate().map(|(dim, stride)| match *stride {
            DYNAMIC => {
                let hint = hints.map(|layout| layout.strides[dim]);
                self.symbol(value, Entry::Stride { argument, dim }, hint)
            }
            stride => stride.into(),
        });
        let strides = strides.collect();
        let offset = match offset {
            DYNAMIC => self.symbol(value, Entry::Offset { argument }, hints.map(|layout| layout.offset)),
            offset => offset.into(),
        };
        Layout { sizes, strides, offset }
    }

    /// Takes in an operation, with what is inside of it.
    ///
    /// # Errors
    /// What its rule refuses, in eager's words; and what is not known of graph tensors here.
    pub fn visit<'a>(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Wrong<'c, 'a>> {
        let by = self.asks(op);
        current(|symbols| symbols.asks(by));
        match registry::of(op) {
            Some(class) if class.name == "graph.custom" => self.custom(op),
            Some(class) if class.dialect == "graph" => {
                self.operator(op, class, by).map_err(|message| Wrong { op, message })
            }
            _ => self.other(op),
        }
    }

    /// The address of an operation; of one in a function that is called that of the call.
    pub(super) fn asks(&self, op: OperationRef) -> usize {
        self.called_by.unwrap_or(op.to_raw().ptr as usize)
    }

    /// What storages hold is not known any more.
    pub(super) fn rewritten(&mut self, storages: &[usize]) {
        self.changes(storages);
        self.values.forget(storages);
    }

    /// Nothing is known any more of what any storage holds.
    pub(super) fn anything_written(&mut self) {
        self.anything_done = true;
        self.asked.clear();
        self.values.forget_all();
    }

    /// Notes what operations do to the elements of storages, from here on.
    pub fn note_uses(&mut self) {
        self.notes_uses = true;
    }

    /// Whether an operation writes, to whatever storage. Known where [`State::note_uses`] was asked for.
    pub fn writes_anything(&self) -> bool {
        self.anything_done || self.storages.iter().any(|storage| storage.uses.written)
    }

    /// What operations do to the elements of a storage. Known where [`State::note_uses`] was asked for.
    pub fn uses_of(&self, storage: usize) -> Uses {
        if self.anything_done { Uses::ANY } else { self.storages[storage].uses }
    }

    /// An operation does something to the elements of a tensor.
    pub(super) fn uses(&mut self, value: Value, uses: Uses) {
        if !self.notes_uses {
            return;
        }
        if let Some(fake) = self.fakes.get(&key(value)) {
            for storage in fake.storages.iter() {
                let known = &mut self.storages[*storage].uses;
                *known = known.with(uses);
            }
        }
    }

    /// What storages hold is another thing from now on, and what those hold that may be one of them.
    pub(super) fn changes(&mut self, storages: &[usize]) {
        for storage in storages {
            self.writes.written(&mut self.storages[*storage]);
        }
    }
}
