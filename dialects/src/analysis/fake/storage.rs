//! Storages, and what may have been written of them.

use std::{ops::Deref, rc::Rc};

/// Where a storage comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An argument's; its name, where the function declares one.
    Argument(Option<String>),
    /// Made by the operation of this number.
    New(usize),
}

/// The storages that a tensor may be a view of: mostly there is one. In order, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storages {
    /// It is this one.
    One(usize),
    /// It depends on the way that was taken.
    Several(Rc<[usize]>),
}

impl Storages {
    /// Those of both.
    pub fn with(&self, other: &Storages) -> Storages {
        if self == other {
            return self.clone();
        }
        let mut all = [&self[..], other].concat();
        all.sort_unstable();
        all.dedup();
        Storages::Several(all.into())
    }
}

impl Deref for Storages {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        match self {
            Storages::One(storage) => std::slice::from_ref(storage),
            Storages::Several(storages) => storages,
        }
    }
}

/// A storage.
#[derive(Clone, Debug)]
pub struct Storage {
    /// Where it comes from.
    pub origin: Origin,
    /// How often it was written.
    pub version: usize,
    /// What operations do to its elements.
    pub(super) uses: Uses,
    /// The path of calls and the value, by its address, that it is new with; None of an argument's.
    pub(super) new_with: Option<(usize, usize)>,
}

/// What operations do to the elements of a storage, on any way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Some are read or written.
    pub touched: bool,
    /// Some are written.
    pub written: bool,
    /// Some may be reached that are none of the tensor that an operation was given: by other sizes and
    /// strides over its storage.
    pub beyond: bool,
}

impl Uses {
    /// Anything may be done.
    pub const ANY: Uses = Uses { touched: true, written: true, beyond: true };

    /// What either does.
    pub fn with(self, other: Uses) -> Uses {
        Uses {
            touched: self.touched || other.touched,
            written: self.written || other.written,
            beyond: self.beyond || other.beyond,
        }
    }
}

/// How often arguments' storages were written. Two of them may be one, unless both are named.
#[derive(Clone, Debug, Default)]
pub struct Writes {
    named: usize,
    unnamed: usize,
}

impl Writes {
    /// Takes in a write.
    pub fn written(&mut self, storage: &mut Storage) {
        storage.version += 1;
        match &storage.origin {
            Origin::Argument(Some(_)) => self.named += 1,
            Origin::Argument(None) => self.unnamed += 1,
            Origin::New(_) => {}
        }
    }

    /// A number that is another one after each write that may have reached a storage.
    pub fn version(&self, storage: &Storage) -> usize {
        storage.version
            + match &storage.origin {
                Origin::Argument(Some(_)) => self.unnamed,
                Origin::Argument(None) => self.unnamed + self.named,
                Origin::New(_) => 0,
            }
    }
}
