//! What is known where ways meet.

use super::{
    Fake,
    state::{Entry, State, Wrong},
    tensor::Thing,
};
use crate::{
    aten::placement::place::Known,
    ir::{operations::key, types::is_graph_tensor},
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_layout::Layout;
use terrace_size::{
    Size,
    symbols::{Relation, current},
};

/// What was followed, or what is wrong.
pub type Followed<'c, 'a, T> = Result<T, Wrong<'c, 'a>>;

pub(super) fn wrong<'c, 'a>(op: OperationRef<'c, 'a>, message: impl Into<String>) -> Wrong<'c, 'a> {
    Wrong { op, message: message.into() }
}

impl<'c> State<'c> {
    pub(super) fn thing(&self, value: Value<'c, '_>) -> Thing<'c> {
        if let Some(fake) = self.fakes.get(&key(value)) {
            return Thing::Tensor(fake.clone());
        }
        if self.anything.contains(&key(value)) {
            return Thing::Anything;
        }
        self.numbers.get(&key(value)).map_or(Thing::Unknown, |number| Thing::Number(*number))
    }

    pub(super) fn things(&self, values: &[Value<'c, '_>]) -> Vec<Thing<'c>> {
        values.iter().map(|value| self.thing(*value)).collect()
    }

    /// Takes in what a value is.
    pub fn give(&mut self, value: Value<'c, '_>, thing: Thing<'c>) {
        match thing {
            Thing::Tensor(fake) => {
                self.anything.remove(&key(value));
                self.fakes.insert(key(value), fake);
            }
            Thing::Anything => {
                self.fakes.remove(&key(value));
                self.anything.insert(key(value));
            }
            Thing::Number(number) => drop(self.numbers.insert(key(value), number)),
            Thing::Unknown => drop(self.numbers.remove(&key(value))),
        }
    }

    pub(super) fn are(&mut self, values: &[Value<'c, '_>], things: Vec<Thing<'c>>) {
        for (value, thing) in values.iter().zip(things) {
            self.give(*value, thing);
        }
    }

    /// What holds of a value that is one or the other.
    pub(super) fn joined(
        &mut self,
        value: Value<'c, '_>,
        by: usize,
        a: Thing<'c>,
        b: Thing<'c>,
    ) -> Result<Thing<'c>, String> {
        match (a, b) {
            (Thing::Tensor(a), Thing::Tensor(b)) => self.either(value, by, a, b).map(Thing::Tensor),
            (Thing::Anything, known) | (known, Thing::Anything) => Ok(known),
            (Thing::Number(a), Thing::Number(b)) => {
                self.one_of((value, 0, 0), i64::MIN, by, a, b).map(Thing::Number)
            }
            _ if is_graph_tensor(value.r#type()) => {
                Err("joins a tensor with one of which nothing is known".into())
            }
            _ => Ok(Thing::Unknown),
        }
    }

    /// A number not below `low` that is one or the other, in its place among those of a value, of which the
    /// first are its sizes.
    fn one_of(
        &mut self,
        (value, slot, sizes): (Value<'c, '_>, usize, usize),
        low: i64,
        by: usize,
        a: Size,
        b: Size,
    ) -> Result<Size, String> {
        let equal = |a, b| current(|symbols| symbols.known(Relation::Equal, a, b));
        if equal(a, b) == Some(true) {
            return Ok(a);
        }
        let size = self.once((value, slot), low, Entry::Joined { by });
        // What was assumed of it holds of both, or the assumption is wrong.
        let differs = |way: Size| way.known().is_some() && equal(size, way) == Some(false);
        if slot < sizes && (differs(a) || differs(b)) {
            return Err("joins a size of which something else was assumed in a round before".into());
        }
        Ok(size)
    }

    /// The symbol of a place of a value, the same one however often the value is visited.
    pub(super) fn once(&mut self, (value, slot): (Value<'c, '_>, usize), low: i64, entry: Entry) -> Size {
        let site = (self.path, key(value), slot);
        if let Some(size) = self.sites.get(&site) {
            return *size;
        }
        let size = self.at_least(low, value, entry, None);
        self.sites.insert(site, size);
        size
    }

    fn either(
        &mut self,
        value: Value<'c, '_>,
        by: usize,
        a: Fake<'c>,
        b: Fake<'c>,
    ) -> Result<Fake<'c>, String> {
        let (own, other) = (&*a.known, &*b.known);
        let (rank, rank_of_other) = (own.layout.rank(), other.layout.rank());
        if own.dtype != other.dtype || rank != rank_of_other || a.device != b.device {
            return Err("joins tensors of different dtype, rank or device".into());
        }
        if (own.conj, own.neg) != (other.conj, other.neg) {
            return Err("joins a tensor with one that is a conjugate or a negative".into());
        }
        let mut slots = 0..;
        let mut list = |state: &mut Self, a: &[Size], b: &[Size]| -> Result<Vec<Size>, String> {
            let pairs = a.iter().zip(b).zip(slots.by_ref());
            pairs.map(|((a, b), slot)| state.one_of((value, slot, rank), 0, by, *a, *b)).collect()
        };
        let sizes = list(self, &own.layout.sizes, &other.layout.sizes)?;
        let strides = list(self, &own.layout.strides, &other.layout.strides)?;
        let offset = list(self, &[own.layout.offset], &[other.layout.offset])?[0];
        let storages = a.storages.with(&b.storages);
        let identity = if a.identity == b.identity { a.identity } else { self.object(value) };
        let known = self.kind(Known { layout: Layout { sizes, strides, offset }, ..own.clone() });
        Ok(Fake { known, device: a.device, storages, identity })
    }

    /// Whether nothing is new of what is known.
    pub(super) fn is_same(a: &Thing, b: &Thing) -> bool {
        let equal = |a: Size, b: Size| current(|symbols| symbols.known(Relation::Equal, a, b)) == Some(true);
        match (a, b) {
            (Thing::Tensor(a), Thing::Tensor(b)) => {
                let all = |a: &[Size], b: &[Size]| a.iter().zip(b).all(|(a, b)| equal(*a, *b));
                let (x, y) = (&a.known.layout, &b.known.layout);
                (&a.storages, a.identity) == (&b.storages, b.identity)
                    && all(&x.sizes, &y.sizes)
                    && all(&x.strides, &y.strides)
                    && equal(x.offset, y.offset)
            }
            (Thing::Number(a), Thing::Number(b)) => equal(*a, *b),
            (Thing::Unknown, Thing::Unknown) | (Thing::Anything, Thing::Anything) => true,
            _ => false,
        }
    }

    pub(super) fn all_joined<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        values: &[Value<'c, 'a>],
        first: Vec<Thing<'c>>,
        second: Vec<Thing<'c>>,
    ) -> Followed<'c, 'a, Vec<Thing<'c>>> {
        let by = self.asks(op);
        let all = values.iter().zip(first).zip(second);
        let joined = all.map(|((value, a), b)| self.joined(*value, by, a, b));
        joined.collect::<Result<_, _>>().map_err(|message| wrong(op, message))
    }
}
