//! How tensors lie, as compiled programs ask the runtime, and as the interpreter finds out by looking at
//! every byte.

use terrace_interpreter::semantics::{
    aliasing::{Member, are_disjoint, are_same},
    overlap::check_distinct,
};
use terrace_overlap::view_strides;
use terrace_rt::aliasing::{terrace_rt_check_disjoint, terrace_rt_check_distinct, terrace_rt_check_same};
use terrace_tensor::{Dtype, Storage, Tensor, layout::Offsets};

/// Numbers that depend on nothing but where they begin: the multiplier of Knuth's MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as i64 % bound
    }

    /// A tensor in one of some storages; often like the one before.
    fn tensor(&mut self, storages: &[Storage], before: Option<&Tensor>) -> Tensor {
        if let Some(before) = before.filter(|_| self.below(3) == 0) {
            return before.view(before.sizes().to_vec(), before.strides().to_vec(), before.offset()).unwrap();
        }
        let dtype = [Dtype::I8, Dtype::F32, Dtype::F64, Dtype::F32][self.below(4) as usize];
        let rank = self.below(4) as usize;
        let sizes: Vec<i64> = (0..rank).map(|_| self.below(4)).collect();
        let mut strides: Vec<i64> = (0..rank).map(|_| self.below(7)).collect();
        if self.below(2) == 0 {
            strides = terrace_tensor::layout::contiguous_strides(&sizes);
        }
        let storage = storages[self.below(4).min(1) as usize].clone();
        Tensor::new(storage, dtype, sizes, strides, self.below(12)).unwrap()
    }
}

fn words(tensor: &Tensor) -> Vec<i64> {
    let head = [
        tensor.dtype() as i64,
        tensor.dtype().bytes() as i64,
        tensor.rank() as i64,
        tensor.storage().as_ptr() as i64,
        tensor.offset(),
    ];
    [&head[..], tensor.sizes(), tensor.strides()].concat()
}

#[test]
fn the_runtime_says_what_the_interpreter_says() {
    let mut random = Random(1);
    let storages: Vec<Storage> = (0..2).map(|_| Storage::zeroed(2000).unwrap()).collect();
    let mut said = [0; 4];
    for _ in 0..20_000 {
        let written = random.tensor(&storages, None);
        let others: Vec<Tensor> =
            (0..random.below(3)).map(|_| random.tensor(&storages, Some(&written))).collect();
        let distinct = match check_distinct(&written).map_err(|e| e.to_string()) {
            Ok(()) => 0,
            Err(words) if words.contains("more than one element") => 1,
            Err(_) => 3,
        };
        // SAFETY: the words are those of one tensor, as the function reads them.
        assert_eq!(unsafe { terrace_rt_check_distinct(words(&written).as_ptr()) }, distinct, "{written:?}");
        said[distinct as usize] += 1;
        if let [other, ..] = &others[..] {
            assert_eq!(
                // SAFETY: the words are those of two tensors, as the function reads them.
                unsafe { terrace_rt_check_same([words(&written), words(other)].concat().as_ptr()) } == 1,
                are_same(&written, other)
            );
            for storages in [false, true] {
                let member = |tensor, set, written| Member { tensor, set, written };
                let members: Vec<Member> = others
                    .iter()
                    .map(|other| member(other, 1, false))
                    .chain([member(&written, 0, true)])
                    .collect();
                let mut call = vec![storages.into(), members.len() as i64];
                for member in &members {
                    call.extend([member.set as i64, member.written.into()]);
                    call.extend(words(member.tensor));
                }
                // SAFETY: the words are a count and so many members, as the function reads them.
                let found = unsafe { terrace_rt_check_disjoint(call.as_ptr()) };
                assert_eq!(found == 1, are_disjoint(&members, storages), "{storages} {written:?} {others:?}");
            }
        }
    }
    assert!([0, 1, 3].iter().all(|why| said[*why] > 100), "{said:?}");
}

/// The strides with which other sizes walk through the places of a tensor's elements in their order, if any
/// do: a step along a dimension leads from the first element to another, and all the others have to follow.
fn elements_of(tensor: &Tensor, sizes: &[i64]) -> Option<Vec<i64>> {
    let places: Vec<_> = Offsets::new(tensor.sizes(), tensor.strides(), 0).collect();
    let mut strides = vec![0; sizes.len()];
    let mut step = 1;
    for d in (0..sizes.len()).rev() {
        if let (2.., Some(place)) = (sizes[d], places.get(step)) {
            strides[d] = *place - places[0];
        }
        step *= sizes[d] as usize;
    }
    Offsets::new(sizes, &strides, 0).eq(places).then_some(strides)
}

#[test]
fn tensors_are_seen_with_other_sizes() {
    let mut random = Random(2);
    let storages = [Storage::zeroed(2000).unwrap(), Storage::zeroed(2000).unwrap()];
    let mut counts = [0, 0];
    for _ in 0..20_000 {
        let tensor = random.tensor(&storages, None);
        let (mut left, mut sizes) = (tensor.len() as i64, vec![]);
        // A few factors of the number of elements, and sizes of 1.
        for _ in 0..random.below(4) {
            let factor = 1 + random.below(4);
            if left != 0 && left % factor == 0 {
                sizes.push(factor);
                left /= factor;
            }
        }
        sizes.insert(random.below(sizes.len() as i64 + 1) as usize, left);
        let found = view_strides(tensor.sizes(), tensor.strides(), &sizes);
        let expected = elements_of(&tensor, &sizes);
        assert_eq!(found.is_some(), expected.is_some(), "{tensor:?} as {sizes:?}");
        counts[usize::from(found.is_some())] += 1;
        // The stride of a size of 1 leads nowhere, nor does any without elements.
        for (d, (found, expected)) in
            found.into_iter().flatten().zip(expected.into_iter().flatten()).enumerate()
        {
            assert!(sizes[d] == 1 || tensor.is_empty() || found == expected, "{tensor:?} as {sizes:?}");
        }
    }
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
}
