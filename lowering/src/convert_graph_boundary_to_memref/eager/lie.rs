//! How tensors lie, asked when the function runs: tests, and views that strides decide.
//!
//! Each is a call of the runtime, with tensors as lists of words ([`words`](super::super::words)).

use super::{
    super::words::{CHECK_DISTINCT, Words, refused},
    Body,
    place::Place,
};
use melior::ir::{OperationRef, RegionLike, ValueLike};
use std::collections::HashMap;
use terrace_dialects::{
    cursor::{Cursor, Predicate, V},
    descriptor::Descriptor,
    dtype::Dtype,
    extent::Extent,
    ir::OperationLike,
    operations::erase,
    ops::graph,
    pass::Failure,
    placement::views::NOT_VIEWABLE,
    strided::overlap::{BESIDE, ITSELF, PARTLY, REPEATED, by_operand},
    types::DYNAMIC,
};

/// What is said of sizes that are of more or fewer elements: they are known when the program runs.
const INVALID: &str = "shape is invalid for input of this size";

/// What is said of strides and offsets that are negative, and of sizes.
const NEGATIVE: &str = "as_strided: strides and offset are not negative";
const NEGATIVE_SIZE: &str = "Trying to create tensor with negative dimension";

/// A tensor seen with other sizes.
struct SeenWith<'c, 'a> {
    /// Whether it can be, without a copy.
    can: V<'c, 'a>,
    sizes: Vec<Extent<'c, 'a>>,
    strides: Vec<V<'c, 'a>>,
}

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    /// A test of how tensors lie.
    pub(super) fn test(
        &mut self,
        op: OperationRef<'c, 'a>,
        dtypes: &HashMap<usize, Dtype>,
    ) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        let head = self.function.op.region(0)?.first_block().ok_or("has no body")?;
        let head = Cursor::start(head, op.location());
        let mut words = Words::new(at);
        let dtype = |value: V<'c, 'a>| dtypes.get(&(value.to_raw().ptr as usize)).copied();
        if let Ok(check) = graph::CheckDisjointOp::try_from(op) {
            let tensors = check.tensors();
            let sets = check.sets().unwrap_or_else(|| vec![1; tensors.len()]);
            let of = sets.iter().enumerate().flat_map(|(set, size)| vec![set as i64; *size as usize]);
            let written = check.written().unwrap_or_else(|| vec![true; tensors.len()]);
            words.number(check.storages().is_some().into())?;
            words.number(tensors.len() as i64)?;
            for ((tensor, set), written) in tensors.into_iter().zip(of).zip(written) {
                words.number(set)?;
                words.number(written.into())?;
                words.tensor(tensor, dtype(tensor))?;
            }
            let holds = words.list(&head)?.call(&at, "terrace_rt_check_disjoint", self.services)?;
            let holds = truth(&at, holds)?;
            return self.becomes(op, holds);
        }
        if let Ok(check) = graph::CheckDistinctOp::try_from(op) {
            words.tensor(check.tensor(), dtype(check.tensor()))?;
            let found = words.list(&head)?.call(&at, CHECK_DISTINCT, self.services)?;
            let distinct = at.compare(Predicate::Equal, found, at.index(0)?)?;
            return self.becomes(op, distinct);
        }
        if let Ok(check) = graph::CheckStorageOp::try_from(op) {
            let bytes = one_of(&at, &check.bytes(), check.dynamic_bytes())?;
            let holds = self.services.has_bytes(&at, check.tensor(), bytes)?;
            return self.becomes(op, holds);
        }
        if let Ok(assert) = graph::AssertStorageOp::try_from(op) {
            let bytes = one_of(&at, &assert.bytes(), assert.dynamic_bytes())?;
            let dtype = dtype(assert.tensor()).ok_or("is of a tensor that is not known")?;
            self.services.with_bytes(&at, (assert.tensor(), dtype), bytes)?;
            // SAFETY: it has no results, and nobody looks at it any more.
            unsafe { erase(op) };
            return Ok(());
        }
        if let Ok(check) = graph::CheckSameStorageOp::try_from(op) {
            let address = |value| at.op("memref.extract_aligned_pointer_as_index", &[value], at.index_type());
            let equal = at.compare(Predicate::Equal, address(check.a())?, address(check.b())?)?;
            return self.becomes(op, equal);
        }
        if let Ok(check) = graph::CheckSameOp::try_from(op) {
            for tensor in [check.a(), check.b()] {
                words.tensor(tensor, dtype(tensor))?;
            }
            let same = words.list(&head)?.call(&at, "terrace_rt_check_same", self.services)?;
            let same = truth(&at, same)?;
            return self.becomes(op, same);
        }
        if let Ok(check) = graph::CheckViewOp::try_from(op) {
            let sizes = given(&at, &check.size(), check.dynamic_size())?;
            let seen = self.seen_with(&at, check.tensor(), &sizes, dtypes)?;
            return self.becomes(op, seen.can);
        }
        if let Ok(assert) = graph::AssertWritableOp::try_from(op) {
            return self.writable(op, assert, words, &head, dtype);
        }
        Err("is no test of how tensors lie".into())
    }

    /// A view that is another one by other strides.
    pub(super) fn view(
        &mut self,
        op: OperationRef<'c, 'a>,
        dtypes: &mut HashMap<usize, Dtype>,
    ) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        let source = op.operand(0)?;
        let place = if let Ok(view) = graph::AsStridedOp::try_from(op) {
            let values = |numbers: &[i64], values: Vec<V<'c, 'a>>| {
                let all = given(&at, numbers, values)?.into_iter();
                all.map(|number| at.extent(number)).collect::<Result<Vec<V>, Failure>>()
            };
            let offset = match &view.storage_offset()[..] {
                [] => Descriptor::of(&at, source)?.offset,
                own => values(own, view.dynamic_storage_offset())?[0],
            };
            let strides = values(&view.stride(), view.dynamic_stride())?;
            let sizes = given(&at, &view.size(), view.dynamic_size())?;
            let open = [view.dynamic_storage_offset(), view.dynamic_stride()].concat();
            let open = given(&at, &vec![DYNAMIC; open.len()], open)?.into_iter().map(|open| (open, NEGATIVE));
            let mut holds = at.integer(Dtype::Bool.to_type(at.context), 1)?;
            for (number, message) in open.chain(sizes.iter().map(|size| (*size, NEGATIVE_SIZE))) {
                let Some(number) = number.value() else { continue };
                let fits = at.compare(Predicate::GreaterOrEqual, number, at.index(0)?)?;
                at.assert(fits, message)?;
                holds = at.op("arith.andi", &[holds, fits], fits.r#type())?;
            }
            self.in_storage(&at, op, holds, Place { sizes, strides, offset }, dtypes)?
        } else {
            let sizes = if let Ok(view) = graph::ViewOp::try_from(op) {
                given(&at, &view.size(), view.dynamic_size())?
            } else {
                Place::of(&at, op.operand(1)?)?.sizes
            };
            let seen = self.seen_with(&at, source, &sizes, dtypes)?;
            at.assert(seen.can, NOT_VIEWABLE)?;
            let offset = Descriptor::of(&at, source)?.offset;
            let place = Place { sizes: seen.sizes, strides: seen.strides, offset };
            self.unless_refused(op, (seen.can, at.index(0)?), vec![place], dtypes)?.remove(0)
        };
        self.lies_at(op, 0, place, dtypes)?;
        // SAFETY: its result is not used any more.
        unsafe { erase(op) };
        Ok(())
    }

    /// A view by strides, which is refused where it leaves its storage, if it has any elements.
    fn in_storage(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: OperationRef<'c, 'a>,
        holds: V<'c, 'a>,
        view: Place<'c, 'a>,
        dtypes: &mut HashMap<usize, Dtype>,
    ) -> Result<Place<'c, 'a>, Failure> {
        let head = self.function.op.region(0)?.first_block().ok_or("has no body")?;
        let source: V = op.operand(0)?;
        let dtype = dtypes.get(&(source.to_raw().ptr as usize)).ok_or("is of a tensor that is not known")?;
        let mut words = Words::new(*at);
        words.number(dtype.bytes() as i64)?;
        words.number(view.sizes.len() as i64)?;
        view.sizes.iter().try_for_each(|size| words.extent(*size))?;
        view.strides.iter().chain([&view.offset]).for_each(|number| words.word(*number));
        let list = words.list(&Cursor::start(head, at.location))?;
        let needed = list.call(at, "terrace_rt_reach", self.services)?;
        let fits = self.services.has_bytes(at, source, needed)?;
        let holds = at.op("arith.andi", &[holds, fits], fits.r#type())?;
        Ok(self.unless_refused(op, (holds, needed), vec![view], dtypes)?.remove(0))
    }

    /// A tensor with other sizes, of as many elements: one may be -1.
    fn seen_with(
        &mut self,
        at: &Cursor<'c, 'a>,
        tensor: V<'c, 'a>,
        sizes: &[Extent<'c, 'a>],
        dtypes: &HashMap<usize, Dtype>,
    ) -> Result<SeenWith<'c, 'a>, Failure> {
        let head = self.function.op.region(0)?.first_block().ok_or("has no body")?;
        let mut words = Words::new(*at);
        words.tensor(tensor, dtypes.get(&(tensor.to_raw().ptr as usize)).copied())?;
        words.number(sizes.len() as i64)?;
        for size in sizes {
            words.extent(*size)?;
        }
        let rank = sizes.len();
        let first = words.room(rank)?;
        let list = words.list(&Cursor::start(head, at.location))?;
        let found = list.call(at, "terrace_rt_view", self.services)?;
        let read = |first: usize| {
            let words = (first..first + rank).map(|place| list.read(at, place));
            words.collect::<Result<Vec<V<'c, 'a>>, Failure>>()
        };
        let known = sizes.iter().all(|size| size.number().is_some_and(|size| size >= 0));
        if !known {
            at.assert(at.compare(Predicate::NotEqual, found, at.index(2)?)?, INVALID)?;
        }
        Ok(SeenWith {
            can: at.compare(Predicate::Equal, found, at.index(1)?)?,
            sizes: match known {
                true => sizes.to_vec(),
                false => read(first - rank)?.into_iter().map(Extent::Value).collect(),
            },
            strides: read(first)?,
        })
    }

    /// Eager's test of a write.
    fn writable(
        &mut self,
        op: OperationRef<'c, 'a>,
        assert: graph::AssertWritableOp<'c, 'a>,
        mut words: Words<'c, 'a>,
        head: &Cursor<'c, 'a>,
        dtype: impl Fn(V<'c, 'a>) -> Option<Dtype>,
    ) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        let how = assert.how();
        let code = ["each", "apart"].iter().position(|word| *word == how).unwrap_or(2);
        let (others, places) = (assert.others(), assert.places());
        words.number(code as i64)?;
        words.number(assert.looked_for().is_some().into())?;
        words.number(assert.onto_itself().is_some().into())?;
        words.number(others.len() as i64)?;
        words.tensor(assert.written(), dtype(assert.written()))?;
        for (other, compared) in others.into_iter().zip(assert.compared()) {
            words.number(i64::from(compared) + 2 * i64::from(other == assert.written()))?;
            words.tensor(other, dtype(other))?;
        }
        let found = words.list(head)?.call(&at, "terrace_rt_assert_writable", self.services)?;
        let overlaps = places.iter().map(|place| match how.as_str() {
            "alone" => BESIDE.to_owned(),
            _ => by_operand(place),
        });
        // In the order of the runtime's numbers, of which 0 is none.
        let reasons = [REPEATED, PARTLY, ITSELF].map(str::to_owned).into_iter().chain(overlaps);
        refused(&at, found, (1..).zip(reasons))?;
        // SAFETY: it has no results, and nobody looks at it any more.
        unsafe { erase(op) };
        Ok(())
    }
}

/// Numbers of an operation: those of the list, and operands for its dynamic entries.
pub(super) fn given<'c, 'a>(
    at: &Cursor<'c, 'a>,
    numbers: &[i64],
    values: Vec<V<'c, 'a>>,
) -> Result<Vec<Extent<'c, 'a>>, Failure> {
    let values = values.iter().map(|value| at.op("arith.index_cast", &[*value], at.index_type()));
    Ok(Extent::listed(numbers, &values.collect::<Result<Vec<_>, _>>()?))
}

/// The number of an operation that has a list of one.
pub(in super::super) fn one_of<'c, 'a>(
    at: &Cursor<'c, 'a>,
    numbers: &[i64],
    values: Vec<V<'c, 'a>>,
) -> Result<V<'c, 'a>, Failure> {
    at.extent(*given(at, numbers, values)?.first().ok_or("has no number")?)
}

fn truth<'c, 'a>(at: &Cursor<'c, 'a>, word: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    at.compare(Predicate::NotEqual, word, at.index(0)?)
}
