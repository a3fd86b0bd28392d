//! How tensors lie to each other when a program runs: `graph.check_disjoint` and its kin, and what
//! `graph.assert_writable` refuses.
//!
//! A tensor is given as a word for its dtype, the bytes of an element, its rank, the address of its storage,
//! the offset of its first element, sizes and strides, which count elements. Two are of one storage where the
//! storages' addresses are one. The rules are those of eager, `at::has_internal_overlap` and
//! `at::get_overlap_status`, which look at dense tensors and strides of 0 only; what they let pass and what
//! depends on the order of evaluation is refused too.

use crate::buffer::Words;
use std::collections::BTreeSet;
use terrace_overlap::Places;

/// A tensor, as far as memory goes.
struct Tensor {
    dtype: i64,
    /// The bytes of an element.
    width: i64,
    storage: i64,
    offset: i64,
    sizes: Vec<i64>,
    strides: Vec<i64>,
}

impl Tensor {
    fn read(words: &mut Words) -> Self {
        let (dtype, width, rank) = (words.word(), words.word(), words.word() as usize);
        let (storage, offset) = (words.word(), words.word());
        Self { dtype, width, storage, offset, sizes: words.list(rank), strides: words.list(rank) }
    }

    fn dims(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.sizes.iter().copied().zip(self.strides.iter().copied())
    }

    /// The bytes of the storage that elements have; None where there are no elements.
    fn bytes(&self) -> Option<Places> {
        let dims = self.dims().map(|(size, stride)| (size, stride * self.width));
        Places::of(self.offset * self.width, dims).map(|places| places.wide(self.width))
    }

    /// The first byte, and the one after the last.
    fn range(&self) -> Option<(i64, i64)> {
        self.bytes().map(|bytes| (bytes.first(), bytes.last() + 1))
    }

    fn ranges_meet(&self, other: &Self) -> bool {
        let meet = |(a, b): ((i64, i64), (i64, i64))| a.0 < b.1 && b.0 < a.1;
        self.storage == other.storage && self.range().zip(other.range()).is_some_and(meet)
    }

    fn shares(&self, other: &Self) -> bool {
        self.ranges_meet(other) && self.bytes().zip(other.bytes()).is_some_and(|(a, b)| a.meet(&b))
    }

    /// Whether two indices name one element.
    fn repeats(&self) -> bool {
        Places::of(self.offset, self.dims()).is_some_and(|places| places.repeat())
    }

    /// Whether the elements fill a range, each once, in some order of the dimensions.
    fn is_dense(&self) -> bool {
        if self.sizes.contains(&0) {
            return true;
        }
        let mut dims: Vec<(i64, i64)> =
            self.dims().filter(|(size, _)| *size > 1).map(|(size, stride)| (stride, size)).collect();
        dims.sort_unstable();
        let mut next = 1;
        dims.into_iter().all(|(stride, size)| {
            let fits = stride == next;
            next *= size;
            fits
        })
    }

    /// Whether eager sees that elements are repeated.
    fn is_expanded(&self) -> bool {
        !self.is_dense() && self.dims().any(|(size, stride)| size > 1 && stride == 0)
    }

    /// Whether both are one view of one storage.
    fn is(&self, other: &Self) -> bool {
        (self.storage, self.dtype, self.offset) == (other.storage, other.dtype, other.offset)
            && (&self.sizes, &self.strides) == (&other.sizes, &other.strides)
    }
}

/// Whether no written tensor shares memory with one of another set; with `storages`, not even a storage. By
/// their first byte; only those whose ranges meet are compared by their strides.
fn disjoint(members: &[(i64, bool, Tensor)], storages: bool) -> bool {
    let mut ranges: Vec<(i64, i64, i64, usize)> = vec![];
    for (number, (.., tensor)) in members.iter().enumerate() {
        match tensor.range() {
            _ if storages => ranges.push((tensor.storage, 0, 1, number)),
            Some((low, high)) => ranges.push((tensor.storage, low, high, number)),
            None => {}
        }
    }
    ranges.sort_unstable();
    // Those that reach beyond where the current one begins.
    let mut open: BTreeSet<(i64, usize)> = BTreeSet::new();
    let mut of = None;
    for (storage, low, high, number) in ranges {
        if of.replace(storage) != Some(storage) {
            open.clear();
        }
        open = open.split_off(&(low + 1, 0));
        let (set, written, tensor) = &members[number];
        let collides = |(_, other): &(i64, usize)| {
            let (their_set, theirs, other) = &members[*other];
            set != their_set && (*written || *theirs) && (storages || tensor.shares(other))
        };
        if open.iter().any(collides) {
            return false;
        }
        open.insert((high, number));
    }
    true
}

/// `graph.check_disjoint`. The words: whether storages are compared, how many tensors there are; of each its
/// set, whether it is written, and the tensor. Gives 1 or 0.
///
/// # Safety
/// They are as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_check_disjoint(words: *const i64) -> i64 {
    // SAFETY: the caller's.
    let mut words = unsafe { Words::new(words) };
    let (storages, count) = (words.word() != 0, words.word());
    let member = |_| (words.word(), words.word() != 0, Tensor::read(&mut words));
    let members: Vec<_> = (0..count).map(member).collect();
    disjoint(&members, storages).into()
}

/// `graph.check_distinct` and `graph.assert_distinct`. The words are a tensor. Gives 0 where each element
/// lies in a place of its own, else why a write is refused: 1 repeated elements, as eager sees it, 3 elements
/// that overlap.
///
/// # Safety
/// They are as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_check_distinct(words: *const i64) -> i64 {
    // SAFETY: the caller's.
    let tensor = Tensor::read(&mut unsafe { Words::new(words) });
    match (tensor.is_expanded(), tensor.repeats()) {
        (true, _) => 1,
        (_, true) => 3,
        _ => 0,
    }
}

/// `graph.check_same`. The words are two tensors. Gives 1 or 0.
///
/// # Safety
/// They are as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_check_same(words: *const i64) -> i64 {
    // SAFETY: the caller's.
    let mut words = unsafe { Words::new(words) };
    Tensor::read(&mut words).is(&Tensor::read(&mut words)).into()
}
