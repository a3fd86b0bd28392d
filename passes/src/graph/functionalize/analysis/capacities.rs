//! The capacity of storages that change their size: `graph.resize_storage`.
//!
//! The value of a storage has as many elements as the storage ever has. What it loses becomes zero, which is
//! as good as any other elements where it grows again. Nothing beyond its current end is read, written or
//! viewed. An argument's storage gets the capacity on the boundary before it is read, and the size that it
//! has in the end is written back.

use super::{
    state::Analysis,
    tensors::{Capacity, Layout, Origin, Tensor},
};
use crate::graph::functionalize::rewriting::rewriter::Rewriter;
use melior::ir::OperationRef;
use rustc_hash::FxHashMap;
use terrace_dialects::{
    internal,
    ir::{dtype::Dtype, pass::Failure, refusal::Reason},
    ops::graph,
};
use terrace_size::{DYNAMIC, Number, Size};

/// What the boundary does to the storage of an argument.
#[derive(Clone, Copy, Debug)]
pub struct Resized {
    /// The argument.
    pub argument: usize,
    /// How many bytes it has at least before it is read, where it may have fewer.
    pub before: Option<Size>,
    /// How many it has in the end, where that is said.
    pub after: Option<Size>,
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// The bytes that a storage is known to have at first.
    fn first(&self, origin: Origin) -> Size {
        match origin {
            // A logical tensor is no memory, and what has no elements may lie anywhere.
            Origin::Argument(i) => {
                let own =
                    self.arguments[i].as_ref().filter(|own| !own.logical && !own.layout.is_known_empty());
                own.map_or(Size::ZERO, |own| own.layout.end().saturating_mul(own.dtype.bytes() as i64))
            }
            Origin::Fresh(i) => {
                self.fresh[i].layout.numel().saturating_mul(self.fresh[i].dtype.bytes() as i64)
            }
            Origin::DynamicView(_) => Size::ZERO,
        }
    }

    /// The bytes that a storage is known to have now.
    pub fn available(&self, origin: Origin) -> Size {
        let origin = self.root(origin);
        self.capacities.get(&origin).map_or_else(|| self.first(origin), |capacity| capacity.now)
    }

    /// The bytes that a view must not leave, where it is known how many there are.
    pub(crate) fn bound(&self, origin: Origin) -> Option<Size> {
        let origin = self.root(origin);
        let exact = self
            .capacities
            .get(&origin)
            .map_or(matches!(origin, Origin::Fresh(_)), |capacity| capacity.exact);
        exact.then(|| self.available(origin))
    }

    /// What is known behind a region that may not run, with what was known in front of it: a storage has the
    /// fewer bytes of both.
    pub(crate) fn may_not_run(&mut self, before: &FxHashMap<Origin, Capacity>) {
        let mut capacities = std::mem::take(&mut self.capacities);
        for (origin, capacity) in &mut capacities {
            let then = before.get(origin).map_or_else(|| self.first(*origin), |before| before.now);
            capacity.now = capacity.now.assume_min(then);
        }
        self.capacities = capacities;
    }

    /// Whether the size of a storage changes.
    pub fn is_resized(&self, origin: Origin) -> bool {
        self.capacities.contains_key(&self.root(origin))
    }

    /// The places that a storage has at most, where these are more than at first.
    pub(crate) fn row(&self, origin: Origin) -> Option<Layout> {
        let capacity =
            self.capacities.get(&origin).filter(|capacity| capacity.most.assume_gt(self.first(origin)))?;
        let places = capacity.most / self.dtype(origin)?.bytes() as i64;
        Some(Layout::contiguous(&[places]))
    }

    /// Takes in an operation that makes a storage another size.
    pub(crate) fn resized(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let resize = graph::ResizeStorageOp::try_from(op).map_err(|_| "is no resize_storage")?;
        let at_least = resize.at_least().is_some();
        let origin = self.root(self.known(resize.self_())?.origin);
        if self.is_logical(origin) {
            return Err(Reason::Resize.says(format!(
                "makes a storage another size by strides, {}",
                crate::graph::functionalize::UNKNOWN
            )));
        }
        if !self.looked_at.is_empty() {
            return Err(Reason::Resize
                .says("makes the storage of one of several tensors another size: do so before ways part"));
        }
        if self.outside.is_some_and(|outside| !matches!(origin, Origin::Fresh(n) if n >= outside)) {
            return Err(Reason::Resize.says("makes a storage another size that comes from outside of the control flow around it: do so outside"));
        }
        let storage = |i: usize| self.arguments.get(i)?.as_ref()?.declared.storage.as_ref();
        if let Origin::Argument(i) = origin
            && !at_least
            && (0..self.arguments.len()).any(|j| j != i && storage(j).is_some() && storage(j) == storage(i))
        {
            return Err(Reason::Resize.says("makes a storage another size that is that of several arguments"));
        }
        let capacity = self.capacities.get(&origin).copied();
        let first = self.first(origin);
        let exact = matches!(origin, Origin::Fresh(_));
        let Capacity { now, most, exact } = capacity.unwrap_or(Capacity { now: first, most: first, exact });
        let [bytes] = resize.bytes()[..] else { return Err("has a size that is one number".into()) };
        if bytes == DYNAMIC {
            return Err(Reason::RunTime.says(
                "makes a storage another size that is known at run time only: it must be static here",
            ));
        }
        let bytes = Size::from(bytes);
        let new = if at_least { now.assume_max(bytes) } else { bytes };
        if new.assume_gt(i64::MAX / 16) {
            return Err(Reason::Resize.says(format!("a storage of {new} bytes is too large to be addressed")));
        }
        let capacity = Capacity { now: new, most: most.assume_max(new), exact: exact || !at_least };
        self.capacities.insert(origin, capacity);
        let counted =
            self.dtype(origin).ok_or(internal!("is in a storage that is not known"))?.bytes() as i64;
        if (new % counted).assume_ne(0) {
            self.finer.insert(origin, Dtype::U8);
        }
        if new.assume_lt(now) {
            let whole = match origin {
                Origin::Fresh(i) => self.fresh[i].identity,
                Origin::Argument(i) => {
                    self.arguments[i].as_ref().ok_or(internal!("is no graph tensor"))?.identity
                }
                Origin::DynamicView(_) => return Err("is a window".into()),
            };
            let (start, end) = (new / counted, now / counted);
            let lost = Layout { sizes: vec![end - start], strides: vec![Size::ONE], offset: start };
            let tensor = self.identities[whole].0.clone();
            self.access(op, &tensor, (lost.clone(), lost.clone()), true);
            self.lost.insert(op.to_raw().ptr as usize, (origin, lost));
        }
        Ok(())
    }

    /// Refuses an access beyond the end of a storage.
    pub(crate) fn within_capacity(&self, tensor: &Tensor, span: &Layout) -> Result<(), String> {
        let origin = self.root(tensor.origin);
        let known = self.bound(origin).filter(|_| self.is_resized(origin)).zip(self.dtype(origin));
        let Some((bytes, counted)) = known else { return Ok(()) };
        if span.is_empty() || (span.end() * counted.bytes() as i64).assume_le(bytes) {
            return Ok(());
        }
        Err(Reason::Resize
            .says("asks for elements beyond the end of a storage: make it larger by graph.resize_storage"))
    }

    /// Refuses a tensor to be returned whose new storage has had more elements.
    pub(crate) fn has_all(&self, origin: Origin) -> Result<(), String> {
        let origin = self.root(origin);
        match (origin, self.capacities.get(&origin)) {
            (Origin::Fresh(_), Some(capacity)) if capacity.now.assume_lt(capacity.most) => {
                Err(Reason::Resize.says("returns a tensor whose storage was made smaller: return a clone"))
            }
            _ => Ok(()),
        }
    }

    /// What the boundary does to the storages of arguments, in their order.
    pub fn resizes(&self) -> Vec<Resized> {
        let mut all: Vec<Resized> = vec![];
        for (origin, capacity) in &self.capacities {
            let Origin::Argument(argument) = *origin else { continue };
            let before = (capacity.most.assume_gt(self.first(*origin))).then_some(capacity.most);
            let after = capacity.exact.then_some(capacity.now);
            all.push(Resized { argument, before, after });
        }
        all.sort_by_key(|resized| resized.argument);
        all
    }
}

impl<'c, 'a> Rewriter<'_, 'c, 'a> {
    /// What a storage loses becomes zero.
    pub(crate) fn lose(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let Some((origin, lost)) = self.analysis.lost.get(&(op.to_raw().ptr as usize)) else { return Ok(()) };
        let storage = self.storages.of(*origin);
        let dtype = self.values.dtype(storage);
        let zeros = self.values.full(self.values.number(dtype, 0)?, dtype, &lost.sizes)?;
        self.values.write(storage, lost, zeros)
    }
}
