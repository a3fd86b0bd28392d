//! What was found on each path of calls: a function that is called twice is followed twice, and its values
//! are other tensors each time.
//!
//! Paths have numbers; 0 is that of no call.

use super::{Fake, state::State};
use crate::ir::operations::key;
use melior::ir::{OperationRef, Value};
use terrace_size::Size;

impl<'c> State<'c> {
    /// The path that a call goes on with from another one.
    pub fn path(&self, from: usize, call: OperationRef) -> Option<usize> {
        self.paths.get(&(from, call.to_raw().ptr as usize)).copied()
    }

    /// The tensor that a value is on a path.
    pub fn fake_on(&self, path: usize, value: Value) -> Option<&Fake<'c>> {
        let fakes = if path == self.path { &self.fakes } else { &self.found.get(&path)?.fakes };
        fakes.get(&key(value))
    }

    /// The number that a value is on a path.
    pub fn number_on(&self, path: usize, value: Value) -> Option<Size> {
        let numbers = if path == self.path { &self.numbers } else { &self.found.get(&path)?.numbers };
        numbers.get(&key(value)).copied()
    }

    /// The storage that was new with a value, on a path.
    pub fn storage_of(&self, path: usize, value: Value) -> Option<usize> {
        let storages = &self.fake_on(path, value)?.storages;
        let is_new = |storage: &&usize| self.storages[**storage].new_with == Some((path, key(value)));
        storages.iter().find(is_new).copied()
    }

    /// The object that was new with a value, on a path: a new tensor, or whichever one came the way that was
    /// taken.
    pub fn object_of(&self, path: usize, value: Value) -> Option<usize> {
        let object = self.fake_on(path, value)?.identity;
        (self.objects_new_with[object] == Some((path, key(value)))).then_some(object)
    }
}
