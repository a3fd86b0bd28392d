//! The strides that eager gives to new tensors.
//!
//! Source: the behaviour of ATen's TensorIterator and of `empty_like` with the format to preserve, PyTorch
//! 2.15 on the CPU. A pointwise operator keeps the order of its operands' dimensions in memory; the first
//! operand that can tell two dimensions apart decides.

use super::{Layout, row_major};
use terrace_size::Number;

/// The strides of tensors packed in the order of `dims`, innermost first.
fn packed<N: Number>(sizes: &[N], dims: &[usize], step: impl Fn(N) -> N) -> Vec<N> {
    let mut strides = vec![N::ZERO; sizes.len()];
    let mut next = N::ONE;
    for d in dims {
        strides[*d] = next;
        next = next.saturating_mul(step(sizes[*d]));
    }
    strides
}

/// Channels innermost.
fn channels_last<N: Number>(sizes: &[N]) -> Layout<N> {
    let order = super::channels_last_order(sizes.len());
    Layout { sizes: sizes.to_vec(), strides: packed(sizes, &order, |n| n), offset: N::ZERO }
}

/// A new tensor in a memory format: channels innermost, or row-major.
pub fn in_format<N: Number>(sizes: &[N], format: &str) -> Layout<N> {
    match format {
        "channels_last" | "channels_last_3d" => channels_last(sizes),
        _ => Layout::contiguous(sizes),
    }
}

/// Whether a tensor has a memory format; dimensions of size 1 may have any stride.
pub fn has_format<N: Number>(own: &Layout<N>, format: &str) -> bool {
    let rank = match format {
        "channels_last" => 4,
        "channels_last_3d" => 5,
        _ => return own.is_contiguous(),
    };
    let wanted = channels_last(&own.sizes);
    own.rank() == rank
        && (0..rank).all(|d| own.strides[d].assume_eq(wanted.strides[d]) || own.sizes[d].assume_eq(1))
}

/// The name of the memory format that a tensor's strides suggest.
pub fn suggested_format<N: Number>(own: &Layout<N>) -> &'static str {
    match suggested(own) {
        Some(4) => "channels_last",
        Some(_) => "channels_last_3d",
        None => "contiguous_format",
    }
}

/// Dimensions sorted from the innermost by an insertion sort that `order` (negative: the first comes before)
/// may leave undecided.
fn sorted(rank: usize, order: impl Fn(usize, usize) -> i32) -> Vec<usize> {
    let mut dims: Vec<usize> = (0..rank).rev().collect();
    for i in 1..rank {
        let mut at = i;
        for before in (0..i).rev() {
            match order(dims[before], dims[at]) {
                1.. => {
                    dims.swap(before, at);
                    at = before;
                }
                0 => {}
                _ => break,
            }
        }
    }
    dims
}

/// How one operand of the iteration orders two dimensions; a stride of 0 has no say.
fn compare<N: Number>(sizes: &[N], strides: &[N], a: usize, b: usize) -> i32 {
    let (x, y) = (strides[a], strides[b]);
    if x.assume_eq(0) || y.assume_eq(0) {
        0
    } else if x.assume_ne(y) {
        if x.assume_lt(y) { -1 } else { 1 }
    } else {
        // A tie goes to the sizes.
        i32::from(sizes[a].assume_gt(sizes[b]))
    }
}

/// The result of a pointwise operator on `operands`, broadcast to `sizes`. A number is an operand without
/// dimensions.
pub fn pointwise<N: Number>(sizes: &[N], operands: &[Layout<N>]) -> Layout<N> {
    let contiguous = Layout::contiguous(sizes);
    let same = |a: &Layout<N>, b: &Layout<N>, d: usize| {
        a.sizes[d].is_same(b.sizes[d]) && a.strides[d].is_same(b.strides[d])
    };
    if let Some(first) = operands.iter().find(|o| o.rank() > 0)
        && first.is_known_dense()
        && operands.iter().all(|o| {
            // A number has no say.
            o.rank() == 0 || o.rank() == first.rank() && (0..o.rank()).all(|d| same(o, first, d))
        })
        && first.rank() == sizes.len()
        && first.sizes.iter().zip(sizes).all(|(own, size)| own.is_same(*size))
    {
        // Strides along sizes of 0 and 1, which may be others then, lead to nothing.
        let moving = |d: &usize| sizes[*d].known() != Some(1);
        let order = first.packed_order().unwrap_or_default();
        return match order.into_iter().filter(moving).is_sorted() {
            true => contiguous,
            false => Layout { offset: N::ZERO, ..first.clone() },
        };
    }
    let open = |layout: &Layout<N>| layout.sizes.iter().any(|size| size.known().is_none());
    if operands.iter().any(open) && operands.iter().all(Layout::is_known_in_order) {
        return contiguous;
    }
    if operands.iter().all(|o| N::assume_same(&o.sizes, sizes)) {
        if operands.iter().all(Layout::is_contiguous) {
            return contiguous;
        }
        if operands.iter().all(|o| o.is_channels_last(4)) {
            return channels_last(sizes);
        }
        if operands.iter().all(|o| o.is_dense() && N::assume_same(&o.strides, &operands[0].strides)) {
            return Layout { offset: N::ZERO, ..operands[0].clone() };
        }
    }
    let rank = sizes.len();
    let strides: Vec<Vec<N>> = operands
        .iter()
        .map(|o| {
            let lead = rank - o.rank();
            let own = (0..o.rank()).map(|d| {
                if o.sizes[d].assume_ne(sizes[lead + d]) && o.sizes[d].assume_eq(1) {
                    N::ZERO
                } else {
                    o.strides[d]
                }
            });
            std::iter::repeat_n(N::ZERO, lead).chain(own).collect()
        })
        .collect();
    let dims =
        sorted(rank, |a, b| strides.iter().map(|s| compare(sizes, s, a, b)).find(|c| *c != 0).unwrap_or(0));
    if dims.iter().rev().copied().eq(0..rank) {
        return contiguous;
    }
    Layout { sizes: sizes.to_vec(), strides: packed(sizes, &dims, |n| n), offset: N::ZERO }
}

/// A copy that preserves the format: the same strides where they are dense, else packed in the same order.
pub fn like<N: Number>(own: &Layout<N>) -> Layout<N> {
    // Where only sizes of 1 could lie otherwise it is not asked whether there are such: their strides lead to
    // nothing.
    if let Some(dims) = own.known_order().filter(|_| !own.is_known_dense()) {
        return Layout {
            sizes: own.sizes.clone(),
            strides: packed(&own.sizes, &dims, |n| n.or_one()),
            offset: N::ZERO,
        };
    }
    if own.is_dense() {
        return Layout { offset: N::ZERO, ..own.clone() };
    }
    let dims = sorted(own.rank(), |a, b| compare(&own.sizes, &own.strides, a, b));
    Layout { sizes: own.sizes.clone(), strides: packed(&own.sizes, &dims, |n| n.or_one()), offset: N::ZERO }
}

/// The format that a tensor's strides suggest: Some(its rank) for channels last.
fn suggested<N: Number>(own: &Layout<N>) -> Option<usize> {
    let rank = own.rank();
    if !(4..=5).contains(&rank) || own.strides[1].assume_eq(0) {
        return None;
    }
    let mut least = N::ZERO;
    for d in super::channels_last_order(rank) {
        let (size, stride) = (own.sizes[d], own.strides[d]);
        if size.assume_eq(0) || stride.assume_lt(least) {
            return None;
        }
        // A batch of one row-major image looks like this too: it is not channels last.
        if d == 0 && least.assume_eq(own.strides[1]) {
            return None;
        }
        least = stride.saturating_mul(size.or_one());
    }
    Some(rank)
}

/// Channels last where the strides of a tensor of these sizes suggest it, else row-major.
pub fn suggested_like<N: Number>(sizes: &[N], own: &Layout<N>) -> Layout<N> {
    if own.rank() == sizes.len() && suggested(own).is_some() {
        channels_last(sizes)
    } else {
        Layout::contiguous(sizes)
    }
}

/// `cat`: channels last where every tensor's strides suggest it, else row-major.
pub fn cat<N: Number>(sizes: &[N], tensors: &[Layout<N>]) -> Layout<N> {
    if !tensors.is_empty() && tensors.iter().all(|t| suggested(t) == Some(sizes.len())) {
        channels_last(sizes)
    } else {
        Layout { sizes: sizes.to_vec(), strides: row_major(sizes), offset: N::ZERO }
    }
}

/// `convolution`: channels last where the strides of the input or the weight suggest it. A convolution over
/// one dimension is one over two, of an input made contiguous. None over three dimensions where channels last
/// is suggested: whether eager keeps it depends on the library that it calls.
pub fn convolution<N: Number>(sizes: &[N], input: &Layout<N>, weight: &Layout<N>) -> Option<Layout<N>> {
    match sizes.len() {
        3 => {
            let flat = [sizes[0], sizes[1], N::ONE, sizes[2]];
            let row = |t: &Layout<N>| suggested(&t.unsqueeze(2)).is_some();
            let out = if row(weight) || input.is_contiguous() && row(input) {
                channels_last(&flat)
            } else {
                Layout::contiguous(&flat)
            };
            Some(out.squeeze(&[2]))
        }
        rank => match (suggested(input).or(suggested(weight)), rank) {
            (Some(_), 4) => Some(channels_last(sizes)),
            (Some(_), _) => None,
            (None, _) => Some(Layout::contiguous(sizes)),
        },
    }
}

/// `convolution` by cuDNN: channels last where the strides of the input or the weight suggest it, but of f64.
pub fn convolution_on_cuda<N: Number>(
    sizes: &[N],
    input: &Layout<N>,
    weight: &Layout<N>,
    wide: bool,
) -> Layout<N> {
    let images = |sizes: &[N], input: &Layout<N>, weight: &Layout<N>| {
        let last = !wide && suggested(input).or(suggested(weight)).is_some();
        if last { channels_last(sizes) } else { Layout::contiguous(sizes) }
    };
    if sizes.len() == 3 {
        // One row, of an input made contiguous.
        let flat = [sizes[0], sizes[1], N::ONE, sizes[2]];
        let row = Layout::contiguous(&input.sizes).unsqueeze(2);
        return images(&flat, &row, &weight.unsqueeze(2)).squeeze(&[2]);
    }
    images(sizes, input, weight)
}

/// The shape of all, broadcast; they are known to agree.
pub fn broadcast<N: Number>(all: &[Layout<N>]) -> Vec<N> {
    let rank = all.iter().map(Layout::rank).max().unwrap_or(0);
    let size =
        |l: &Layout<N>, d: usize| if d + l.rank() < rank { N::ONE } else { l.sizes[d + l.rank() - rank] };
    let joined = |d: usize| {
        let mut sizes = all.iter().map(|l| size(l, d)).filter(|n| n.known() != Some(1));
        let first = sizes.next().unwrap_or(N::ONE);
        // Of equal sizes it is that one, whatever it is.
        if sizes.all(|n| n.is_same(first)) {
            return first;
        }
        all.iter().map(|l| size(l, d)).find(|n| n.assume_ne(1)).unwrap_or(N::ONE)
    };
    (0..rank).map(joined).collect()
}

/// `index`: a pointwise iteration over `own`, whose indexed dimensions give way to repetition over the
/// indices, and over the indices. `present[d]` says whether dimension `d` has an index.
pub fn index<N: Number>(sizes: &[N], own: &Layout<N>, present: &[bool], indices: &[Layout<N>]) -> Layout<N> {
    let joined = broadcast(indices);
    let indexed: Vec<usize> = (0..present.len()).filter(|d| present[*d]).collect();
    let rest: Vec<usize> = (0..own.rank()).filter(|d| !indexed.contains(d)).collect();
    let adjacent = indexed.windows(2).all(|w| w[1] == w[0] + 1);
    let before = if adjacent { indexed.first().copied().unwrap_or(0) } else { 0 };
    let mut source = own.permute(&rest);
    let ones = rest.len() - before;
    for (i, n) in joined.iter().enumerate() {
        source.sizes.insert(before + i, *n);
        source.strides.insert(before + i, N::ZERO);
    }
    let mut operands = vec![source];
    for index in indices {
        let shape: Vec<N> = std::iter::repeat_n(N::ONE, before)
            .chain(joined.iter().copied())
            .chain(std::iter::repeat_n(N::ONE, ones))
            .collect();
        // What is row-major stays so, which asks nothing of sizes.
        let plain = Layout::contiguous(&joined);
        let same = |a: &[N], b: &[N]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(*b));
        operands.push(if same(&index.sizes, &joined) && same(&index.strides, &plain.strides) {
            Layout::contiguous(&shape)
        } else {
            index.expand(&joined).view(&shape).unwrap_or_else(|| Layout::contiguous(&shape))
        });
    }
    pointwise(sizes, &operands)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Layout {
        let list = |t: &str| -> Vec<i64> {
            t.trim_matches(['[', ']'])
                .split(',')
                .filter(|n| !n.is_empty())
                .map(|n| n.parse().unwrap())
                .collect()
        };
        let (sizes, strides) = text.split_once('@').unwrap();
        Layout { sizes: list(sizes), strides: list(strides), offset: 0 }
    }

    /// Each line: the kind of operator, the result, the operands, as PyTorch 2.15 has them on the CPU.
    #[test]
    fn new_tensors_have_eager_strides() {
        for line in include_str!("creation.txt").lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let expected = layout(words[1]);
            let mut present = vec![];
            let mut operands: Vec<Layout> = vec![];
            for w in &words[2..] {
                if w.contains('@') {
                    operands.push(layout(w))
                } else {
                    present = w.chars().map(|c| c == '1').collect()
                }
            }
            let sizes = &expected.sizes;
            let result = match words[0] {
                "pointwise" => pointwise(sizes, &operands),
                "number" => pointwise(sizes, &[operands[0].clone(), Layout::contiguous(&[])]),
                "cast0" => {
                    operands[0] = like(&operands[0]);
                    pointwise(sizes, &operands)
                }
                "cast1" => {
                    operands[1] = like(&operands[1]);
                    pointwise(sizes, &operands)
                }
                "like" => like(&operands[0]),
                "contiguous" => Layout::contiguous(sizes),
                "cat" => cat(sizes, &operands),
                "convolution" => convolution(sizes, &operands[0], &operands[1]).unwrap(),
                "index" => index(sizes, &operands[0], &present, &operands[1..]),
                kind => panic!("{kind}"),
            };
            assert_eq!(result, expected, "{line}");
        }
    }
}
