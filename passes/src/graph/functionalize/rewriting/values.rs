//! The values of storages: one SSA value per version, views read out of it, mutations scattered into it.
//!
//! The value of a storage is a builtin tensor with the shape of its *base* layout. A read takes the
//! recognized steps from the base to the view; a write takes them back, by one scatter for each step that
//! leaves elements out. Views of the current version are kept, so that a view that was read or written is
//! there for the next read. What is known inside of a region is forgotten at its end.

use super::steps;
use crate::{
    functional::writer::{Writer, Written, same},
    graph::functionalize::analysis::tensors::Layout,
};
use melior::ir::{Type, Value};
use rustc_hash::FxHashMap;
use std::ops::{Deref, DerefMut};
use terrace_dialects::ir::{
    dtype::Dtype,
    operations::key,
    pass::Failure,
    refusal::{INTERNAL, Reason},
    rewrite::replace_uses,
};
use terrace_layout::{
    Key,
    recognize::{Step, recognize},
};
use terrace_size::Size;

/// What is known of a storage since a region was entered.
struct Known<'c, 'a> {
    /// How many regions there are around.
    depth: usize,
    /// The value of the current version.
    value: Option<Value<'c, 'a>>,
    /// Whether that is the one of the region around, whose views are views of it too.
    as_outside: bool,
    /// By their keys.
    views: FxHashMap<Key, Value<'c, 'a>>,
}

/// A storage: its base, and what is known of the current version, in the innermost region last.
struct State<'c, 'a> {
    base: Layout,
    dtype: Dtype,
    /// The type of its values.
    ty: Type<'c>,
    known: Vec<Known<'c, 'a>>,
}

impl<'c, 'a> State<'c, 'a> {
    fn value(&self) -> Option<Value<'c, 'a>> {
        self.known.last().and_then(|known| known.value)
    }

    fn view(&self, layout: &Key) -> Option<Value<'c, 'a>> {
        for known in self.known.iter().rev() {
            if let Some(value) = known.views.get(layout) {
                return Some(*value);
            }
            if !known.as_outside {
                return None;
            }
        }
        None
    }
}

/// The storages of a function under construction, and the place where operations go.
pub struct Values<'c, 'a> {
    writer: Writer<'c, 'a>,
    storages: Vec<State<'c, 'a>>,
    /// For each region around, the storages of which something is known since it was entered.
    entered: Vec<Vec<usize>>,
    /// What stands for values that were replaced.
    replaced: FxHashMap<usize, Value<'c, 'a>>,
    /// What selectors are, by their numbers.
    pub(crate) selectors: FxHashMap<usize, Value<'c, 'a>>,
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
    pub fn new(writer: Writer<'c, 'a>) -> Self {
        Self {
            writer,
            storages: vec![],
            entered: vec![],
            replaced: FxHashMap::default(),
            selectors: FxHashMap::default(),
        }
    }

    /// Adds a storage by its base; returns its number. Its value comes with [`Self::set`].
    pub fn add(&mut self, base: Layout, dtype: Dtype) -> usize {
        let ty = self.tensor_type(dtype, &base.sizes);
        self.storages.push(State { base, dtype, ty, known: vec![] });
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

    /// The layout that a storage's value has.
    pub(crate) fn base(&self, storage: usize) -> &Layout {
        &self.storages[storage].base
    }

    /// Puts a value in the place of another one, which goes.
    pub fn replace(&mut self, old: Value<'c, 'a>, new: Value<'c, 'a>) {
        replace_uses(old, new);
        self.replaced.insert(key(old), new);
    }

    /// What stands for a value of the function as it was.
    pub fn current(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.replaced.get(&key(value)).copied().unwrap_or(value)
    }

    /// Enters a region: what is known of storages from now on is forgotten at the end of it.
    pub fn enter(&mut self) {
        self.writer.known.enter();
        self.entered.push(vec![]);
    }

    /// Leaves the region that was entered last.
    pub fn leave(&mut self) {
        self.writer.known.leave();
        for storage in self.entered.pop().unwrap_or_default() {
            self.storages[storage].known.pop();
        }
    }

    /// What is known of a storage in the innermost region.
    fn known(&mut self, storage: usize) -> &mut Known<'c, 'a> {
        let depth = self.entered.len();
        let state = &mut self.storages[storage];
        if state.known.last().is_none_or(|known| known.depth < depth) {
            let value = state.value();
            let as_outside = !state.known.is_empty();
            state.known.push(Known { depth, value, as_outside, views: FxHashMap::default() });
            if let Some(storages) = self.entered.last_mut() {
                storages.push(storage);
            }
        }
        state.known.last_mut().expect("it was pushed where it was not there")
    }

    /// Gives a storage a new version.
    ///
    /// # Errors
    /// It has sizes that are not known here.
    pub fn set(&mut self, storage: usize, value: Value<'c, 'a>) -> Result<(), Failure> {
        let State { base, ty, .. } = &self.storages[storage];
        let value = self.cast_to(value, *ty)?;
        self.writer.known.set_sizes(value, &base.sizes);
        let known = self.known(storage);
        known.value = Some(value);
        known.as_outside = false;
        known.views.clear();
        Ok(())
    }

    /// The value of a storage's current version.
    pub fn whole(&self, storage: usize) -> Result<Value<'c, 'a>, Failure> {
        self.storages[storage].value().ok_or_else(|| "a storage is used before it has a value".into())
    }

    /// The type of a storage's value.
    pub fn type_of(&self, storage: usize) -> Type<'c> {
        self.storages[storage].ty
    }

    /// A value that a storage may have where nobody looks at it.
    pub fn unseen(&self, storage: usize) -> Written<'c, 'a> {
        let State { base, dtype, .. } = &self.storages[storage];
        self.full(self.number(*dtype, 0)?, *dtype, &base.sizes)
    }

    /// The elements of a view of a storage, as the current version has them.
    pub fn read(&mut self, storage: usize, view: &Layout) -> Result<Value<'c, 'a>, Failure> {
        let (state, key) = (&self.storages[storage], view.key());
        if let Some(value) = state.view(&key) {
            return Ok(value);
        }
        let value = if view.is_known_empty() && !same(&view.sizes, &state.base.sizes) {
            let zero = self.number(state.dtype, 0)?;
            self.full(zero, state.dtype, &view.sizes)?
        } else {
            self.viewed(self.whole(storage)?, &state.base, view)?
        };
        self.known(storage).views.insert(key, value);
        Ok(value)
    }

    /// A new version of a storage, with `src` as the elements of a view; nothing repeats in the view.
    pub fn write(&mut self, storage: usize, view: &Layout, src: Value<'c, 'a>) -> Result<(), Failure> {
        if view.is_known_empty() {
            return Ok(());
        }
        let base = &self.storages[storage].base;
        let value = match steps(base, view)?.iter().any(steps::is_scatter) {
            true => self.scattered(self.whole(storage)?, base, view, src)?,
            false => self.scattered(src, base, view, src)?,
        };
        self.set(storage, value)?;
        self.known(storage).views.insert(view.key(), src);
        Ok(())
    }

    /// A view of a tensor that has the elements of a base.
    pub(crate) fn viewed(&self, mut value: Value<'c, 'a>, base: &Layout, view: &Layout) -> Written<'c, 'a> {
        for step in steps(base, view)? {
            value = steps::forward(self, &step, value)?;
        }
        self.writer.known.set_sizes(value, &view.sizes);
        self.typed(value)
    }

    /// A tensor that has the elements of a base, with `src` as those of a view. Where the view has them all,
    /// `whole` is not looked at.
    pub(crate) fn scattered(
        &self,
        whole: Value<'c, 'a>,
        base: &Layout,
        view: &Layout,
        src: Value<'c, 'a>,
    ) -> Written<'c, 'a> {
        let steps = steps(base, view)?;
        // The tensors that the steps start from, as far as the last one that leaves elements out.
        let scatters = steps.iter().rposition(steps::is_scatter).map_or(0, |last| last + 1);
        let mut sizes = vec![base.sizes.clone()];
        let mut into = if scatters > 0 { vec![whole] } else { vec![] };
        for (i, step) in steps.iter().enumerate() {
            sizes.push(step.shape(&sizes[i]));
            if i + 1 < scatters {
                into.push(steps::forward(self, step, into[i])?);
            }
        }
        let mut value = src;
        for (i, step) in steps.iter().enumerate().rev() {
            let into = into.get(i).copied();
            value = steps::inverse(self, step, into, &sizes[i], value)?;
        }
        Ok(value)
    }
}

/// The steps from a base to a view.
fn steps(base: &Layout, view: &Layout) -> Result<Vec<Step<Size>>, Failure> {
    if view.is_known_empty() || view.is_same(base) {
        return Ok(vec![]);
    }
    let none = || {
        let what = format!("no views lead from a base {base:?} to {view:?}");
        let all = [base, view].iter().all(|layout| layout.numbers().is_some());
        if all { format!("{INTERNAL}: {what}; please report it") } else { Reason::Size.says(what) }
    };
    recognize(base, view).ok_or_else(|| none().into())
}
