//! How tensors lie to each other when a program runs: `graph.check_disjoint` and its kin, and what `graph.assert_writable` refuses.
//!
//! A tensor is given as a word for its dtype, the bytes of an element, its rank, the address of its storage, the offset of its
//! first element, sizes and strides, which count elements. Two are of one storage where the storages' addresses are one.
//! The rules are those of eager, `at::has_internal_overlap` and `at::get_overlap_status`, which look at dense tensors
//! and strides of 0 only; what they let pass and what depends on the order of evaluation is refused too.

use crate::buffer::Words;
use std::collections::BTreeSet;
use terrace_overlap::{Places, view_strides};

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

/// Why a write is refused. See `graph.assert_writable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refused {
    /// More than one index of the written tensor names one element, as eager sees it.
    Repeated = 1,
    /// An operand is partly the written tensor, as eager sees it.
    Partly = 2,
    /// Elements of the written tensor overlap.
    Itself = 3,
    /// An operand overlaps the written tensor: its number is added.
    Operand = 4,
}

/// How operands may lie to the tensor that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Each element is read where it is written, or elsewhere.
    Each,
    /// They share no element with it, nor are they the same.
    Apart,
    /// They share no element with it, which eager does not look at.
    Alone,
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
        self.has_the_places_of(other) && self.strides == other.strides
    }

    /// The same, where strides of single elements say nothing.
    fn has_the_places_of(&self, other: &Self) -> bool {
        let alike = |d: usize| self.sizes[d] == 1 || self.strides[d] == other.strides[d];
        (self.storage, self.dtype, self.offset) == (other.storage, other.dtype, other.offset)
            && self.sizes == other.sizes
            && (0..self.sizes.len()).all(alike)
    }

    /// Whether eager takes it for a part of another one, or another view of it.
    fn is_partly(&self, other: &Self) -> bool {
        !self.is(other)
            && self.is_dense()
            && other.is_dense()
            && self.ranges_meet(other)
            && (self.range() != other.range() || self.strides != other.strides)
    }

    /// The same elements, broadcast to other sizes; itself where that can't be.
    fn broadcast(&self, sizes: &[i64]) -> Self {
        let Some(lead) = sizes.len().checked_sub(self.sizes.len()) else {
            return Self { sizes: self.sizes.clone(), strides: self.strides.clone(), ..*self };
        };
        let stride = |d: usize| match d.checked_sub(lead) {
            Some(d) if self.sizes[d] == sizes[d + lead] => self.strides[d],
            _ => 0,
        };
        Self { sizes: sizes.to_vec(), strides: (0..sizes.len()).map(stride).collect(), ..*self }
    }
}

/// How an operand is compared with what is written.
struct Compared {
    by_eager: bool,
    /// Whether it is what is written, the tensor itself.
    is_itself: bool,
}

impl Compared {
    fn read(word: i64) -> Self {
        Self { by_eager: word & 1 != 0, is_itself: word & 2 != 0 }
    }
}

/// Why a write is refused: one of [`Refused`], in the order in which eager and we look; 0 where it is not.
fn check(
    written: &Tensor,
    operands: &[(Compared, Tensor)],
    how: How,
    (looked_for, onto_itself): (bool, bool),
) -> i64 {
    if onto_itself && operands.iter().all(|(_, operand)| operand.is(written)) {
        return 0;
    }
    if looked_for && written.is_expanded() {
        return Refused::Repeated as i64;
    }
    let partly = |(compared, operand): &(Compared, Tensor)| match how {
        How::Each => compared.by_eager && operand.is_partly(written),
        // Without elements it overlaps itself alone.
        How::Apart => {
            written.is(operand) && (compared.is_itself || !written.sizes.contains(&0))
                || written.is_dense() && operand.is_dense() && written.ranges_meet(operand)
        }
        How::Alone => false,
    };
    if operands.iter().any(partly) {
        return Refused::Partly as i64;
    }
    if written.repeats() {
        return Refused::Itself as i64;
    }
    let overlaps = |operand: &Tensor| match how {
        How::Each => {
            let operand = operand.broadcast(&written.sizes);
            !written.has_the_places_of(&operand) && written.shares(&operand)
        }
        _ => written.shares(operand),
    };
    let place = operands.iter().position(|(_, operand)| overlaps(operand));
    place.map_or(0, |place| Refused::Operand as i64 + place as i64)
}

/// Whether no written tensor shares memory with one of another set; with `storages`, not even a storage. By their first
/// byte; only those whose ranges meet are compared by their strides.
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

/// `graph.check_disjoint`. The words: whether storages are compared, how many tensors there are; of each its set, whether it is
/// written, and the tensor. Gives 1 or 0.
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

/// `graph.check_distinct` and `graph.assert_distinct`. The words are a tensor. Gives 0 where each element lies in a place of its own, else why a
/// write is refused: 1 repeated elements, as eager sees it, 3 elements that overlap.
///
/// # Safety
/// They are as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_check_distinct(words: *const i64) -> i64 {
    // SAFETY: the caller's.
    let tensor = Tensor::read(&mut unsafe { Words::new(words) });
    check(&tensor, &[], How::Each, (true, false))
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

/// `graph.check_view` and `graph.view`. The words: a tensor, how many dimensions it is to be seen with, their sizes, and place for their
/// strides, which are written; they are 0 where there are none. A size of -1 is worked out. Gives 1 or 0, and 2 for sizes of more or fewer
/// elements.
///
/// # Safety
/// They are as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_view(words: *mut i64) -> i64 {
    // SAFETY: the caller's.
    let mut read = unsafe { Words::new(words) };
    let tensor = Tensor::read(&mut read);
    let rank = read.word() as usize;
    let given = read.list(rank);
    let (sizes, strides, said) = match of_as_many(&tensor, given.clone()) {
        Some(sizes) => {
            let strides = view_strides(&tensor.sizes, &tensor.strides, &sizes);
            let said = strides.is_some().into();
            (sizes, strides, said)
        }
        // The call goes on, with sizes that memory can have.
        None => (given.into_iter().map(|size| size.max(0)).collect(), None, 2),
    };
    let at = 6 + 2 * tensor.sizes.len();
    for d in 0..rank {
        // SAFETY: the place for strides is behind the sizes.
        unsafe {
            words.add(at + d).write(sizes[d]);
            words.add(at + rank + d).write(strides.as_ref().map_or(0, |strides| strides[d]));
        }
    }
    said
}

/// Sizes of as many elements as a tensor has, a -1 among them worked out; None where there are none.
fn of_as_many(tensor: &Tensor, mut sizes: Vec<i64>) -> Option<Vec<i64>> {
    let elements: i64 = tensor.sizes.iter().product();
    let missing = sizes.iter().position(|size| *size == -1);
    let mut given = sizes.iter().enumerate().filter(|(d, _)| Some(*d) != missing);
    let given =
        given.try_fold(1i64, |product, (_, size)| product.checked_mul(*size).filter(|_| *size >= 0))?;
    if let Some(missing) = missing {
        sizes[missing] = elements.checked_div(given)?;
        return (sizes[missing] * given == elements).then_some(sizes);
    }
    (given == elements).then_some(sizes)
}

/// `graph.assert_writable`. The words: how operands may lie (0 each, 1 apart, 2 alone), whether eager looks for repeated elements, whether it
/// leaves alone what is copied onto itself, how many operands there are, the written tensor; of each operand whether eager compares it, plus 2 where it is
/// the written one itself, and the tensor. Gives 0, or why
/// the write is refused: 1 repeated elements, 2 an operand that is partly the tensor, 3 elements that overlap, 4 and the number
/// of an operand that does.
///
/// # Safety
/// They are as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_assert_writable(words: *const i64) -> i64 {
    // SAFETY: the caller's.
    let mut words = unsafe { Words::new(words) };
    let how = match words.word() {
        0 => How::Each,
        1 => How::Apart,
        _ => How::Alone,
    };
    let (looked_for, onto_itself, count) = (words.word() != 0, words.word() != 0, words.word());
    let written = Tensor::read(&mut words);
    let operand = |_| (Compared::read(words.word()), Tensor::read(&mut words));
    let operands: Vec<_> = (0..count).map(operand).collect();
    check(&written, &operands, how, (looked_for, onto_itself))
}
