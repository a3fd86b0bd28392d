//! What reads and writes of a boundary have to do with each other, looked up by storage.
//!
//! Two arguments may lie in one storage unless both name theirs, and differently; other tensors only share
//! what they are views of. So what may share a storage with a view is found under its name and under none:
//! for `"a"` below the accesses of 0, 1 and 2, and of 3 all of them.
//!
//! ```text
//! 0: graph.storage = "a"   1: graph.storage = "a"   2: none   3: none   4: graph.storage = "b"
//! ```

use super::state::{Boundary, Root, View};
use melior::ir::{Attribute, Value, ValueLike, r#type::MemRefType};
use std::collections::HashMap;
use terrace_dialects::{
    ir::{
        OperationLike, arguments as declarations,
        operations::{arguments, key},
    },
    ops::graph,
};

/// Whether two views may lie in one storage.
pub(super) fn share(a: &View, b: &View) -> bool {
    match (a.root, b.root) {
        (Root::Argument(i), Root::Argument(j)) => {
            i == j || a.storage.is_none() || b.storage.is_none() || a.storage == b.storage
        }
        (a, b) => a == b,
    }
}

impl Boundary<'_, '_> {
    /// Says of arguments that are alone in their storage that no other pointer leads to it.
    pub(super) fn declare_disjoint(&self) {
        let views: Vec<_> = arguments(self.block).map(|argument| self.view(argument)).collect();
        // Of a buffer it is not known whose it is.
        let is_buffer = |value: Value| MemRefType::try_from(value.r#type()).is_ok();
        if arguments(self.block).zip(&views).any(|(argument, view)| view.is_none() && is_buffer(argument)) {
            return;
        }
        let mut named: HashMap<&str, usize> = HashMap::new();
        for view in views.iter().flatten() {
            match &view.storage {
                Some(name) => *named.entry(name).or_default() += 1,
                None => return,
            }
        }
        let is_alone = |view: &View| view.storage.as_deref().is_some_and(|name| named[name] == 1);
        let alone = views.iter().enumerate().filter(|(_, view)| view.is_some_and(is_alone));
        let unit = Attribute::unit(self.context);
        let alone: Vec<_> = alone.map(|(i, _)| (i, "llvm.noalias", unit)).collect();
        declarations::set_attributes(self.function, &alone);
    }
}

/// Whose a storage is.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Owner {
    /// That of all arguments which name it so.
    Named(String),
    /// An argument's that does not name it.
    Nameless,
    /// A new storage, or one of several.
    Own(Root),
}

/// Things by the storages that they belong to.
pub(super) struct Sharing<T> {
    by_owner: HashMap<Owner, Vec<T>>,
    of_arguments: Vec<T>,
}

impl<T: Copy> Sharing<T> {
    pub fn new() -> Self {
        Self { by_owner: HashMap::new(), of_arguments: vec![] }
    }

    /// Adds what belongs to the storage of a view.
    pub fn add(&mut self, view: &View, item: T) {
        let owner = match (&view.root, &view.storage) {
            (Root::Argument(_), Some(name)) => Owner::Named(name.clone()),
            (Root::Argument(_), None) => Owner::Nameless,
            (root, _) => Owner::Own(*root),
        };
        if owner == Owner::Nameless || matches!(owner, Owner::Named(_)) {
            self.of_arguments.push(item);
        }
        self.by_owner.entry(owner).or_default().push(item);
    }

    /// What may belong to the storage of a view.
    pub fn with(&self, view: &View) -> impl Iterator<Item = T> {
        let by = |owner: Owner| self.by_owner.get(&owner).map_or(&[][..], Vec::as_slice);
        let (own, others) = match (&view.root, &view.storage) {
            (Root::Argument(_), Some(name)) => (by(Owner::Named(name.clone())), by(Owner::Nameless)),
            (Root::Argument(_), None) => (&self.of_arguments[..], &[][..]),
            (root, _) => (by(Owner::Own(*root)), &[][..]),
        };
        own.iter().chain(others).copied()
    }
}

/// The reads and writes of a boundary.
pub(super) struct Accesses<'c, 'a> {
    pub reads: Sharing<graph::ValueOp<'c, 'a>>,
    pub writes: Sharing<graph::WriteBackOp<'c, 'a>>,
    /// The values that go elsewhere and that the core computes in the memory of what is read, by that.
    takes: HashMap<usize, Vec<Value<'c, 'a>>>,
}

impl<'c, 'a> Accesses<'c, 'a> {
    pub fn of(boundary: &Boundary<'c, 'a>) -> Self {
        let (mut reads, mut writes) = (Sharing::new(), Sharing::new());
        boundary.reads().for_each(|(read, view)| reads.add(view, read));
        boundary.writes().for_each(|(write, view)| writes.add(view, write));
        let fresh = boundary.ops.iter().filter_map(|op| graph::FreshOp::try_from(*op).ok());
        let values = fresh.map(|op| op.value()).chain(boundary.writes().map(|(write, _)| write.value()));
        let mut takes: HashMap<usize, Vec<Value>> = HashMap::new();
        for value in values {
            if let Some(memory) = boundary.destination(value) {
                takes.entry(key(memory)).or_default().push(value);
            }
        }
        Self { reads, writes, takes }
    }

    /// Whether the core computes another value, which goes elsewhere, in the memory of what is read: it has
    /// to leave before that is written, and what is written may be computed before.
    pub fn takes_memory(&self, read: graph::ValueOp<'c, 'a>, write: graph::WriteBackOp<'c, 'a>) -> bool {
        let result = read.operation().result_at(0).map(key).ok();
        let takes = result.and_then(|result| self.takes.get(&result));
        takes.is_some_and(|values| values.iter().any(|value| *value != write.value()))
    }
}
