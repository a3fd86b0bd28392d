//! How tensors lie: whether they share memory, are one view, are views of one storage.
//!
//! Memory is compared byte by byte, since views of one storage may differ in dtype. What is shared is decided
//! by the layouts: exactly wherever a bounded search can, and what it can't decide is shared.

use super::overlap::is_same_view;
use terrace_layout::{Layout, overlap::overlap};
use terrace_tensor::{Tensor, layout::extent};

/// A tensor among others that are compared.
pub struct Member<'t> {
    /// The tensor.
    pub tensor: &'t Tensor,
    /// The number of its set: tensors of one set may share memory.
    pub set: usize,
    /// Whether it is written: two tensors that are not may share memory.
    pub written: bool,
}

/// Whether no written tensor shares memory with a tensor of another set; with `storages`, not even a storage.
///
/// Sorted by their first byte; only tensors whose ranges meet are compared by their strides.
pub fn are_disjoint(members: &[Member], storages: bool) -> bool {
    let mut ranges: Vec<(u64, i128, i128, &Member)> = vec![];
    for member in members {
        let storage = member.tensor.storage().id();
        if storages {
            ranges.push((storage, 0, 1, member));
        } else if let Some((low, high)) = extent(member.tensor.sizes(), member.tensor.strides()) {
            let (offset, size) = (i128::from(member.tensor.offset()), member.tensor.dtype().bytes() as i128);
            ranges.push((storage, (offset + low) * size, (offset + high + 1) * size, member));
        }
    }
    ranges.sort_by_key(|(storage, low, ..)| (*storage, *low));
    // Those that reach beyond where the current one begins.
    let mut open: Vec<(u64, i128, &Member)> = vec![];
    for (storage, low, high, member) in ranges {
        open.retain(|(other, end, _)| *other == storage && *end > low);
        let collides = |other: &Member| {
            other.set != member.set
                && (other.written || member.written)
                && (storages || share_memory(other.tensor, member.tensor))
        };
        if open.iter().any(|(_, _, other)| collides(other)) {
            return false;
        }
        open.push((storage, high, member));
    }
    true
}

/// Whether two tensors are one view of one storage.
pub fn are_same(a: &Tensor, b: &Tensor) -> bool {
    is_same_view(a, b)
}

/// Whether two tensors are views of one storage.
pub fn have_one_storage(a: &Tensor, b: &Tensor) -> bool {
    a.storage().is_same(b.storage())
}

/// Whether a byte of one storage belongs to both tensors.
fn share_memory(a: &Tensor, b: &Tensor) -> bool {
    if a.strides().iter().chain(b.strides()).any(|stride| *stride < 0) {
        return true;
    }
    let unit = a.dtype().bytes().min(b.dtype().bytes());
    overlap(&in_units(a, unit), &in_units(b, unit))
}

/// The layout of a tensor without dimensions of one index, in units of memory of which an element has one or
/// more.
fn in_units(tensor: &Tensor, unit: usize) -> Layout {
    let each = (tensor.dtype().bytes() / unit) as i64;
    let dims = tensor.sizes().iter().zip(tensor.strides()).filter(|(size, _)| **size != 1);
    let (mut sizes, mut strides): (Vec<i64>, Vec<i64>) =
        dims.map(|(size, stride)| (*size, stride.saturating_mul(each))).unzip();
    sizes.push(each);
    strides.push(1);
    Layout { sizes, strides, offset: tensor.offset() * each }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use terrace_tensor::{Dtype, Storage};

    /// Numbers that depend on nothing but where they begin.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: i64) -> i64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as i64 % bound
        }
    }

    fn bytes(tensor: &Tensor) -> HashSet<(u64, i64)> {
        let size = tensor.dtype().bytes() as i64;
        let of = |offset: i64| (offset * size..(offset + 1) * size).map(|at| (tensor.storage().id(), at));
        tensor.offsets().flat_map(of).collect()
    }

    #[test]
    fn it_agrees_with_sets_of_bytes() {
        let mut random = Random(1);
        let storages: Vec<Storage> = (0..2).map(|_| Storage::zeroed(2000).unwrap()).collect();
        let mut counts = [0, 0];
        for _ in 0..20_000 {
            let mut tensor = || {
                let dtype = [Dtype::U8, Dtype::F32, Dtype::F64, Dtype::F16][random.below(4) as usize];
                let rank = random.below(3) as usize;
                let sizes = (0..rank).map(|_| random.below(4)).collect();
                let strides = (0..rank).map(|_| random.below(9)).collect();
                let storage = storages[random.below(4).min(1) as usize].clone();
                let tensor = Tensor::new(storage, dtype, sizes, strides, random.below(30)).unwrap();
                (tensor, random.below(3) as usize, random.below(2) == 0)
            };
            let all = [tensor(), tensor(), tensor()];
            let members: Vec<Member> = all
                .iter()
                .map(|(tensor, set, written)| Member { tensor, set: *set, written: *written })
                .collect();
            for whole in [false, true] {
                let apart = |a: &Member, b: &Member| match whole {
                    true => !have_one_storage(a.tensor, b.tensor),
                    false => bytes(a.tensor).is_disjoint(&bytes(b.tensor)),
                };
                let expected = [(0, 1), (0, 2), (1, 2)].into_iter().all(|(i, j)| {
                    let (a, b) = (&members[i], &members[j]);
                    a.set == b.set || !(a.written || b.written) || apart(a, b)
                });
                assert_eq!(are_disjoint(&members, whole), expected, "{all:?}");
                counts[usize::from(expected)] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count > 5_000), "{counts:?}");
    }
}
