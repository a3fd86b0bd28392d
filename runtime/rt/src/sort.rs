//! `loop.sort`: the elements of each row in order, and where they were.
//!
//! Rows are sorted on the threads of the pool, each by one. Where only a small part of the order is wanted,
//! those elements are kept that come before the last of the best ones so far: linear in the row. A row is
//! read before any of its results is written.

use crate::{
    buffer::{Bf16, Buffer, Dtype, F16, Ordered, Words, parallel},
    context::Context,
};
use std::cmp::Ordering;

/// The least number of elements that a thread takes at once.
const GRAIN: i64 = 1 << 12;

/// The words: the input, the elements in order, their places, the dimension, whether it is `descending`.
///
/// # Safety
/// They are as [`crate::buffer`] says, and the buffers of the sizes that `loop.sort` has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terrace_rt_sort(context: Option<&Context>, words: *const i64) {
    // SAFETY: the caller's.
    let mut words = unsafe { Words::new(words) };
    let sort = Sort {
        input: words.buffer(),
        values: words.buffer(),
        places: words.buffer(),
        dim: words.word() as usize,
        descending: words.word() != 0,
    };
    match sort.input.dtype {
        Dtype::I8 => sort.run::<i8>(context),
        Dtype::I16 => sort.run::<i16>(context),
        Dtype::I32 => sort.run::<i32>(context),
        Dtype::I64 => sort.run::<i64>(context),
        Dtype::F16 => sort.run::<F16>(context),
        Dtype::Bf16 => sort.run::<Bf16>(context),
        Dtype::F32 => sort.run::<f32>(context),
        Dtype::F64 => sort.run::<f64>(context),
        Dtype::C64 | Dtype::C128 => unreachable!("complex numbers have no order"),
    }
}

/// Elements that are kept at least before the best of them are selected.
const ROOM: usize = 64;

struct Sort {
    input: Buffer,
    values: Buffer,
    places: Buffer,
    dim: usize,
    descending: bool,
}

impl Sort {
    fn run<T: Ordered>(&self, context: Option<&Context>) {
        if self.values.is_empty() {
            return;
        }
        let [from, values, places] =
            [&self.input, &self.values, &self.places].map(|buffer| buffer.rows(self.dim));
        let (size, wanted) = (self.input.sizes[self.dim], self.values.sizes[self.dim]);
        parallel(context, from.count(), GRAIN / size.max(1), |rows| {
            let mut row: Vec<(T, i64)> = Vec::with_capacity(size as usize);
            for number in rows {
                let start = from.start(number);
                row.clear();
                // SAFETY: the element type is the input's, and the offsets are those of its elements.
                let elements = (0..size).map(|at| unsafe { (self.input.read(start + at * from.stride), at) });
                self.order(elements, &mut row, [size as usize, wanted as usize]);
                let (value, place) = (values.start(number), places.start(number));
                for (at, (element, index)) in (0..wanted).zip(&row) {
                    // SAFETY: as above; rows of the destinations are apart.
                    unsafe {
                        self.values.write(value + at * values.stride, *element);
                        self.places.write(place + at * places.stride, *index);
                    }
                }
            }
        });
    }

    /// Puts the first elements that are wanted in order into a row. No two compare equal, as places differ:
    /// stable.
    fn order<T: Ordered>(
        &self,
        elements: impl Iterator<Item = (T, i64)>,
        row: &mut Vec<(T, i64)>,
        [size, wanted]: [usize; 2],
    ) {
        let before = |a: T, b: T| if self.descending { b.order(a) } else { a.order(b) };
        let compare = |a: &(T, i64), b: &(T, i64)| before(a.0, b.0).then(a.1.cmp(&b.1));
        if wanted >= size / 2 {
            row.extend(elements);
            return row.sort_by(compare);
        }
        // The best ones so far, and more until there is no room; of equal elements later ones come after.
        let room = (2 * wanted).max(ROOM);
        let mut last: Option<T> = None;
        for (element, at) in elements {
            if last.is_some_and(|last| before(element, last) != Ordering::Less) {
                continue;
            }
            row.push((element, at));
            if row.len() == room {
                last = Some(row.select_nth_unstable_by(wanted - 1, compare).1.0);
                row.truncate(wanted);
            }
        }
        if row.len() > wanted {
            row.select_nth_unstable_by(wanted - 1, compare);
            row.truncate(wanted);
        }
        row.sort_unstable_by(compare);
    }
}
