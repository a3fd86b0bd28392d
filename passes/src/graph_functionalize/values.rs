//! The values of storages: one SSA value per version, views read out of it, mutations scattered into it.
//!
//! The value of a storage is a builtin tensor with the shape of its *base* layout. A read takes the recognized steps from
//! the base to the view; a write takes them back, by one scatter for each step that leaves elements out. Views of the
//! current version are kept, so that a view that was read or written is there for the next read.

use super::steps;
use crate::functional::Writer;
use melior::ir::{OperationRef, Value};
use std::{
    collections::HashMap,
    ops::{Deref, DerefMut},
};
use terrace_dialects::{
    dtype::Dtype,
    pass::Failure,
    strided::{
        Layout,
        recognize::{Step, recognize},
    },
};

/// A storage: the current version's value, and views of it.
struct State<'c, 'a> {
    base: Layout,
    dtype: Dtype,
    value: Option<Value<'c, 'a>>,
    views: HashMap<Layout, Value<'c, 'a>>,
}

/// The storages of a function under construction, and the place where operations go.
pub struct Values<'c, 'a> {
    writer: Writer<'c, 'a>,
    storages: Vec<State<'c, 'a>>,
}

impl<'c, 'a> Deref for Values<'c, 'a> {
    type Target = Writer<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        &self.writer
    }
}

impl DerefMut for Values<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.writer
    }
}

impl<'c, 'a> Values<'c, 'a> {
    /// No storages yet.
    pub fn new(before: OperationRef<'c, 'a>) -> Self {
        Self { writer: Writer::before(before), storages: vec![] }
    }

    /// Adds a storage by its base; returns its number. Its value comes with [`Self::set`].
    pub fn add(&mut self, base: Layout, dtype: Dtype) -> usize {
        self.storages.push(State { base, dtype, value: None, views: HashMap::new() });
        self.storages.len() - 1
    }

    /// The place where operations go.
    pub fn writer(&self) -> &Writer<'c, 'a> {
        &self.writer
    }

    /// The element type of a storage.
    pub fn dtype(&self, storage: usize) -> Dtype {
        self.storages[storage].dtype
    }

    /// Gives a storage a new version.
    pub fn set(&mut self, storage: usize, value: Value<'c, 'a>) {
        let state = &mut self.storages[storage];
        state.value = Some(value);
        state.views.clear();
    }

    /// The value of a storage's current version.
    fn whole(&self, storage: usize) -> Result<Value<'c, 'a>, Failure> {
        self.storages[storage].value.ok_or_else(|| "a storage is used before it has a value".into())
    }

    /// The elements of a view of a storage, as the current version has them.
    pub fn read(&mut self, storage: usize, view: &Layout) -> Result<Value<'c, 'a>, Failure> {
        let state = &self.storages[storage];
        if let Some(value) = state.views.get(view) {
            return Ok(*value);
        }
        let value = if view.is_empty() && view.sizes != state.base.sizes {
            let zero = self.number(state.dtype, 0)?;
            self.full(zero, state.dtype, &view.sizes)?
        } else {
            let mut value = self.whole(storage)?;
            for step in self.steps(storage, view)? {
                value = self.value(steps::forward(self.location(), &step, value))?;
            }
            value
        };
        self.storages[storage].views.insert(view.clone(), value);
        Ok(value)
    }

    /// A new version of a storage, with `src` as the elements of a view; nothing repeats in the view.
    pub fn write(&mut self, storage: usize, view: &Layout, src: Value<'c, 'a>) -> Result<(), Failure> {
        if view.is_empty() {
            return Ok(());
        }
        let steps = self.steps(storage, view)?;
        // The tensors that the steps start from, as far as the last one that leaves elements out.
        let scatters = steps.iter().rposition(steps::is_scatter).map_or(0, |last| last + 1);
        let mut sizes = vec![self.storages[storage].base.sizes.clone()];
        let mut into = if scatters > 0 { vec![self.whole(storage)?] } else { vec![] };
        for (i, step) in steps.iter().enumerate() {
            sizes.push(step.shape(&sizes[i]));
            if i + 1 < scatters {
                into.push(self.value(steps::forward(self.location(), step, into[i]))?);
            }
        }
        let mut value = src;
        for (i, step) in steps.iter().enumerate().rev() {
            let into = into.get(i).copied();
            value = self.value(steps::inverse(self.location(), step, into, &sizes[i], value))?;
        }
        self.set(storage, value);
        self.storages[storage].views.insert(view.clone(), src);
        Ok(())
    }

    fn steps(&self, storage: usize, view: &Layout) -> Result<Vec<Step>, Failure> {
        let base = &self.storages[storage].base;
        if view.is_empty() {
            return Ok(vec![]);
        }
        recognize(base, view).ok_or_else(|| format!("no views lead from a base {base:?} to {view:?}").into())
    }
}
