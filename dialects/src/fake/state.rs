//! What is known at a point of a program, and what an operation does to it.

use super::{Fake, Origin, Storage, Writes, paths::Found};
use crate::{
    args::{Args, Facts},
    arguments::{self, Declared},
    placement::{
        self,
        place::{Known, Placed, Question},
    },
    registry::{self, OpImpl},
    rules::{Made, TensorType},
    size::{
        Size,
        symbols::{Symbol, current},
    },
    strided::Layout,
    types::{self, DYNAMIC, is_graph_tensor},
};
use melior::ir::{AttributeLike, OperationRef, Value, ValueLike, operation::OperationLike};
use std::collections::HashMap;

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

/// What is asked again: an operator, its attributes, and its operands as they are, so that sizes that depend on elements are the same.
type Asked = (&'static str, Vec<usize>, Vec<[usize; 3]>);

/// What is known. Its sizes belong to the symbols that are in force.
#[derive(Clone, Debug, Default)]
pub struct State<'c> {
    pub(super) fakes: HashMap<usize, Fake<'c>>,
    pub(super) numbers: HashMap<usize, Size>,
    /// All storages.
    pub storages: Vec<Storage>,
    writes: Writes,
    /// Symbols, each with where it comes from.
    pub entries: Vec<(Symbol, Entry)>,
    /// The path and the value, by its address, that each of them was made with.
    pub homes: Vec<(usize, usize)>,
    named: HashMap<String, usize>,
    pub(super) asked: HashMap<Asked, Vec<Vec<Size>>>,
    identities: usize,
    /// The storage and the object that a value is new with, on a path of calls: the same ones however often it is visited.
    pub(super) made: HashMap<(usize, usize), usize>,
    pub(super) objects: HashMap<(usize, usize), usize>,
    /// The path of calls that is followed, and all there are, each by what it goes on from and the call.
    pub(super) path: usize,
    pub(super) paths: HashMap<(usize, usize), usize>,
    /// What was found on the paths that were followed.
    pub(super) found: HashMap<usize, Found<'c>>,
    /// Symbols that depend on elements, on the way that was taken, or on what is computed, each by its value and its place in the
    /// layout.
    pub(super) sites: HashMap<(usize, usize, usize), Size>,
    /// The functions of modules, by name.
    pub(super) functions: HashMap<usize, HashMap<String, usize>>,
    /// The first of the calls that are being followed.
    pub(super) called_by: Option<usize>,
    /// The functions that are being visited.
    pub(super) calls: Vec<usize>,
}

pub(super) fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

impl<'c> Facts<'c> for State<'c> {
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

    fn identity(&mut self) -> usize {
        self.identities += 1;
        self.identities - 1
    }

    /// The storage that a value is new with.
    fn made(&mut self, value: Value, by: usize) -> usize {
        let site = (self.path, key(value));
        if let Some(storage) = self.made.get(&site) {
            return *storage;
        }
        let storage = self.storage(Origin::Made(by));
        self.made.insert(site, storage);
        storage
    }

    /// The object that a value is new with.
    pub(super) fn object(&mut self, value: Value) -> usize {
        let site = (self.path, key(value));
        if let Some(identity) = self.objects.get(&site) {
            return *identity;
        }
        let identity = self.identity();
        self.objects.insert(site, identity);
        identity
    }

    fn storage(&mut self, origin: Origin) -> usize {
        self.storages.push(Storage { origin, version: 0 });
        self.storages.len() - 1
    }

    /// Takes in an argument of a function, as it is declared. Of sizes, strides and an offset that are not known there are
    /// `hints`, in this order, where the caller has them.
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
                        let storage = self.storage(Origin::Argument(Some(name.clone())));
                        self.named.insert(name.clone(), storage);
                        storage
                    }
                },
                None => self.storage(Origin::Argument(None)),
            };
            let known = Known { layout, dtype: ty.dtype, conj: false, neg: false };
            let identity = self.identity();
            self.fakes
                .insert(key(value), Fake { known, device: ty.device, storages: vec![storage], identity });
        } else if types::is_count(value.r#type()) {
            let size = self.at_least(i64::MIN, value, Entry::Number { argument: number }, None);
            self.numbers.insert(key(value), size);
        }
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

    fn operator<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        class: &'static OpImpl,
        number: usize,
    ) -> Result<(), String> {
        let mut values = op.operands().chain(op.results().map(Value::from));
        if class.name == "graph.custom" && values.any(|value| is_graph_tensor(value.r#type())) {
            return Err(
                "is a custom operator: what it makes of its operands is not known to fake tensors".into()
            );
        }
        let results = self.results(op, class, number)?;
        let tensors: Vec<TensorType> = results
            .iter()
            .filter_map(|made| match made {
                Made::Tensor(tensor) if tensor.graph => Some(tensor.clone()),
                _ => None,
            })
            .collect();
        let places = if tensors.is_empty() {
            vec![]
        } else {
            Question {
                op,
                class,
                results: &tensors,
                tensor: &|value| {
                    let fake = self.fakes.get(&key(value));
                    fake.map(|fake| fake.known.clone())
                        .ok_or_else(|| "uses a tensor of which nothing is known".into())
                },
                number: &|value| self.number(value),
                facts: Some(self),
            }
            .placed()?
        };
        let values = op.results().map(Value::from).filter(|value| is_graph_tensor(value.r#type()));
        for ((value, place), ty) in values.zip(places).zip(tensors) {
            let fake = self.place(op, value, place, ty.device, number)?;
            self.fakes.insert(key(value), fake);
        }
        for value in placement::written(op, class) {
            let storages = self.fakes.get(&key(value)).map(|fake| fake.storages.clone());
            self.changes(&storages.unwrap_or_default());
        }
        Ok(())
    }

    /// What storages hold is another thing from now on, and what those hold that may be one of them.
    fn changes(&mut self, storages: &[usize]) {
        for storage in storages {
            self.writes.written(&mut self.storages[*storage]);
        }
    }

    fn place<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        result: Value<'c, 'a>,
        place: Placed<'c, 'a, Size>,
        device: Option<&'c str>,
        by: usize,
    ) -> Result<Fake<'c>, String> {
        let of = |state: &Self, value: Value| {
            state.fakes.get(&key(value)).cloned().ok_or("uses a tensor of which nothing is known")
        };
        Ok(match place {
            Placed::Operand(value) => of(self, value)?,
            Placed::View(value, known) => {
                let storages = of(self, value)?.storages;
                Fake { known, device, storages, identity: self.object(result) }
            }
            Placed::Object(value, known) => {
                let own = of(self, op.operand(0).map_err(|e| e.to_string())?)?;
                let storages = match value {
                    Some(value) => of(self, value)?.storages,
                    None => vec![self.made(result, by)],
                };
                // It has other elements, though none was written.
                self.changes(&storages);
                Fake { known, device, storages, identity: own.identity }
            }
            Placed::New(known) => {
                let storages = vec![self.made(result, by)];
                Fake { known, device, storages, identity: self.object(result) }
            }
        })
    }

    /// What an operation's results are, by its rule; a size that it does not know depends on elements.
    fn results<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        class: &'static OpImpl,
        number: usize,
    ) -> Result<Vec<Made<'c>>, String> {
        let operands: Vec<Value> = op.operands().collect();
        let mut results = match class.infer {
            Some(_) => {
                let attribute = |name: &str| op.attribute(name).ok();
                class.results(&Args::new(class, op.context(), &operands, &attribute).with(self))?
            }
            None => op
                .results()
                .map(|value| match TensorType::of_type(value.r#type()) {
                    Some(ty) => Made::Tensor(ty),
                    None => Made::Other(value.r#type()),
                })
                .collect(),
        };
        let unknown = |made: &Made| matches!(made, Made::Tensor(ty) if !ty.is_static());
        if !results.iter().any(unknown) {
            return Ok(results);
        }
        let operand = |value: &Value| match self.fakes.get(&key(*value)) {
            Some(fake) => {
                let versions =
                    fake.storages.iter().map(|storage| self.writes.version(&self.storages[*storage]));
                [fake.identity, fake.storages[0], versions.sum()]
            }
            None => [key(*value), 0, 0],
        };
        // Attributes are unique in a context.
        let attributes = op.attributes().map(|(_, value)| value.to_raw().ptr as usize).collect();
        let asked = (class.name, attributes, operands.iter().map(operand).collect::<Vec<_>>());
        let known = self.asked.get(&asked).cloned();
        let mut made = vec![];
        for (result, ty) in results.iter_mut().enumerate() {
            let Made::Tensor(ty) = ty else { continue };
            let value: Value = op.result(result).map_err(|e| e.to_string())?.into();
            let mut own =
                known.as_ref().and_then(|all| all.get(result)).cloned().unwrap_or_default().into_iter();
            let mut of_result = vec![];
            for (dim, size) in ty.shape.iter_mut().enumerate().filter(|(_, size)| size.is_unknown()) {
                *size = match own.next() {
                    Some(size) => size,
                    None => self.once((value, dim), 0, Entry::Elements { by: number, result, dim }),
                };
                of_result.push(*size);
            }
            made.resize(result, vec![]);
            made.push(of_result);
        }
        if known.is_none() {
            self.asked.insert(asked, made);
        }
        Ok(results)
    }
}
