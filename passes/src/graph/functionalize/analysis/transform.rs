//! The element transform of a view: its elements are those of the storage as ones of another dtype, as
//! conjugates, as negatives.
//!
//! A layout counts in elements of the view. What it covers of a storage with elements of another size is
//! its *span*, a layout in those: where the view's are larger, each is several side by side; where they are
//! smaller, several are in each, and the view has all of them or one. Values have neither flags nor
//! storages: a read reinterprets the elements of the span and then conjugates and negates; a write does the
//! inverse. Where a view has parts of elements in another way, the storage counts in smaller
//! [`granules`](super::granules).

use super::tensors::Layout;
use crate::{functional::writer::Written, graph::functionalize::rewriting::values::Values};
use melior::ir::Value;
use terrace_dialects::{
    ir::{dtype::Dtype, pass::Failure, registry::OpImpl},
    ops::functional as f,
};
use terrace_size::{Number, Size};

/// What is said of a conjugate that is to be viewed as pairs of numbers.
pub(crate) const UNRESOLVED: &str = "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you \
                                     can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT \
                                     alias the original.";

/// The analysis gives a storage the elements that it is asked for.
const PARTS: &str = "sees parts of elements of a storage that are not known";

/// How a view reads the elements of its storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ElementTransform {
    /// As ones of this dtype.
    pub dtype: Dtype,
    /// As the conjugates of what is stored.
    pub conj: bool,
    /// As the negatives of what is stored.
    pub neg: bool,
}

impl ElementTransform {
    /// As they are stored.
    pub fn stored(dtype: Dtype) -> Self {
        Self { dtype, conj: false, neg: false }
    }

    /// How a view of what is seen so sees it, by its dtype.
    ///
    /// # Errors
    /// In eager's words where the view is one of elements as they are stored.
    pub fn through(self, view: &OpImpl, dtype: Dtype) -> Result<Self, String> {
        match view.name {
            "graph._conj" => return Ok(Self { conj: !self.conj, ..self }),
            "graph._neg_view" if dtype == Dtype::Bool => {
                return Err("\"neg_cpu\" not implemented for 'Bool'".into());
            }
            "graph._neg_view" => return Ok(Self { neg: !self.neg, ..self }),
            "graph.view_as_real" if self.conj => {
                return Err(UNRESOLVED.into());
            }
            "graph.view.dtype" if self.conj || self.neg => {
                let of = if self.conj { "conjugate view tensors" } else { "tensors with negative bit set" };
                return Err(format!(
                    "torch.Tensor.view is not supported for {of} when converting to a different dtype."
                ));
            }
            _ => {}
        }
        Ok(Self { dtype, ..self })
    }

    /// What a layout covers of a storage of a dtype, and how its elements lie there.
    ///
    /// None where the view has some parts of elements, and neither all nor one of each.
    pub fn span(self, layout: &Layout, storage: Dtype) -> Option<(Layout, Grouping)> {
        let (own, granule) = (self.dtype.bytes() as i64, storage.bytes() as i64);
        if own == granule {
            return Some((layout.clone(), Grouping::Same));
        }
        if own > granule {
            let times = own / granule;
            let scaled = |stride: &Size| *stride * times;
            return Some((
                Layout {
                    sizes: layout.sizes.iter().copied().chain([times.into()]).collect(),
                    strides: layout.strides.iter().map(scaled).chain([Size::ONE]).collect(),
                    offset: layout.offset * times,
                },
                Grouping::Joined,
            ));
        }
        let times = granule / own;
        let whole = |d: &usize| layout.sizes[*d].assume_eq(1) || (layout.strides[*d] % times).assume_eq(0);
        let mut span = Layout {
            sizes: layout.sizes.clone(),
            strides: layout.strides.iter().map(|stride| *stride / times).collect(),
            offset: layout.offset / times,
        };
        let broken: Vec<usize> = (0..layout.rank()).filter(|d| !whole(d)).collect();
        match broken[..] {
            _ if layout.is_known_empty() => Some((span, Grouping::One { times, at: 0 })),
            [] => Some((span, Grouping::One { times, at: (layout.offset % times).assume_number()? })),
            [dim]
                if layout.strides[dim].assume_eq(1)
                    && (layout.sizes[dim] % times).assume_eq(0)
                    && (layout.offset % times).assume_eq(0) =>
            {
                span.sizes[dim] = span.sizes[dim] / times;
                span.strides[dim] = Size::ONE;
                Some((span, Grouping::All { times, dim }))
            }
            _ => None,
        }
    }
}

/// How elements of a view lie in those of the storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// One in one.
    Same,
    /// Each is the last dimension of the span.
    Joined,
    /// So many are in each, side by side along a dimension of the view.
    All {
        /// How many.
        times: i64,
        /// The dimension.
        dim: usize,
    },
    /// So many are in each, of which the view has the one at a place.
    One {
        /// How many.
        times: i64,
        /// The place.
        at: i64,
    },
}

/// The order of dimensions that brings the last one behind another.
fn behind(rank: usize, dim: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rank - 1).collect();
    order.insert(dim + 1, rank - 1);
    order
}

fn inverse(order: &[usize]) -> Vec<usize> {
    let mut back = vec![0; order.len()];
    for (place, dim) in order.iter().enumerate() {
        back[*dim] = place;
    }
    back
}

impl<'c, 'a> Values<'c, 'a> {
    /// Conjugates and negates as a view does; it is its own inverse.
    pub(crate) fn flagged(&self, mut value: Value<'c, 'a>, transform: ElementTransform) -> Written<'c, 'a> {
        if transform.conj {
            value = self.unary(f::conj_physical, value)?;
        }
        if transform.neg {
            value = self.unary(f::neg, value)?;
        }
        Ok(value)
    }

    /// The elements of a view of a storage, as it sees those of the current version.
    pub fn read_transformed(
        &mut self,
        storage: usize,
        view: &Layout,
        transform: ElementTransform,
    ) -> Written<'c, 'a> {
        let stored = self.dtype(storage);
        let value = if stored == transform.dtype {
            self.read(storage, view)?
        } else if view.is_known_empty() {
            let zero = self.number(transform.dtype, 0)?;
            return self.full(zero, transform.dtype, &view.sizes);
        } else {
            let (span, granules) = transform.span(view, stored).ok_or(PARTS)?;
            let value = self.read(storage, &span)?;
            match granules {
                Grouping::Same => self.retyped(value, transform.dtype)?,
                Grouping::Joined => self.closed(value, transform.dtype)?,
                Grouping::All { dim, .. } => {
                    let parts = self.opened(value, transform.dtype)?;
                    let rank = view.rank() + 1;
                    let parts = self.permute(parts, &behind(rank, dim))?;
                    self.writer().view(parts, &view.sizes)?
                }
                Grouping::One { at, .. } => {
                    let parts = self.opened(value, transform.dtype)?;
                    self.value(f::select(self.location(), parts, Some(-1), &[], &[at]))?
                }
            }
        };
        self.flagged(value, transform)
    }

    /// The value of a storage that has a tensor of a layout and a dtype as its elements, in a storage of its
    /// own.
    pub(crate) fn filled(
        &self,
        storage: usize,
        layout: &Layout,
        dtype: Dtype,
        value: Value<'c, 'a>,
    ) -> Written<'c, 'a> {
        let (stored, base) = (self.dtype(storage), self.base(storage));
        if layout.is_known_empty() && !layout.assume_same(base) {
            return self.unseen(storage);
        }
        let (span, granules) = ElementTransform::stored(dtype).span(layout, stored).ok_or(PARTS)?;
        let value = match granules {
            Grouping::Joined => self.opened(value, stored)?,
            _ => value,
        };
        if span.is_same(base) { Ok(value) } else { self.scattered(self.unseen(storage)?, base, &span, value) }
    }

    /// A new version of a storage, with `src` as the elements that a view sees; nothing repeats in the view.
    pub fn write_transformed(
        &mut self,
        storage: usize,
        view: &Layout,
        transform: ElementTransform,
        src: Value<'c, 'a>,
    ) -> Result<(), Failure> {
        if view.is_known_empty() {
            return Ok(());
        }
        let (stored, src) = (self.dtype(storage), self.flagged(src, transform)?);
        if stored == transform.dtype {
            return self.write(storage, view, src);
        }
        let (span, granules) = transform.span(view, stored).ok_or(PARTS)?;
        let value = match granules {
            Grouping::Same => self.retyped(src, stored)?,
            Grouping::Joined => self.opened(src, stored)?,
            Grouping::All { times, dim } => {
                let mut sizes = view.sizes.clone();
                sizes[dim] = sizes[dim] / times;
                sizes.insert(dim + 1, times.into());
                let parts = self.writer().view(src, &sizes)?;
                let parts = self.permute(parts, &inverse(&behind(sizes.len(), dim)))?;
                self.closed(parts, stored)?
            }
            Grouping::One { at, .. } => {
                let whole = self.read(storage, &span)?;
                let parts = self.opened(whole, transform.dtype)?;
                let l = self.location();
                let parts = self.value(f::select_scatter(l, parts, src, Some(-1), &[], &[at]))?;
                self.closed(parts, stored)?
            }
        };
        self.write(storage, &span, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_layout;

    fn layout(sizes: &[i64], strides: &[i64], offset: i64) -> Layout {
        terrace_layout::Layout { sizes: sizes.to_vec(), strides: strides.to_vec(), offset }.into()
    }

    #[test]
    fn spans_count_in_elements_of_the_storage() {
        let (real, complex) = (ElementTransform::stored(Dtype::F32), ElementTransform::stored(Dtype::C64));
        let is = |transform: ElementTransform, view: Layout, storage, expected: (Layout, Grouping)| {
            let (span, grouping) = transform.span(&view, storage).unwrap();
            assert!(span.assume_same(&expected.0), "{span:?}");
            assert_eq!(grouping, expected.1);
        };
        // Complex numbers over pairs of floats.
        let joined = (layout(&[3, 2], &[4, 1], 2), Grouping::Joined);
        is(complex, layout(&[3], &[2], 1), Dtype::F32, joined);
        // Both parts of complex numbers, then their imaginary parts.
        let all = (layout(&[3, 1], &[2, 1], 1), Grouping::All { times: 2, dim: 1 });
        is(real, layout(&[3, 2], &[4, 1], 2), Dtype::C64, all);
        let one = (layout(&[3], &[2], 1), Grouping::One { times: 2, at: 1 });
        is(real, layout(&[3], &[4], 3), Dtype::C64, one);
        // The last part of one and the first part of the next.
        assert!(real.span(&layout(&[2], &[1], 1), Dtype::C64).is_none());
    }
}
