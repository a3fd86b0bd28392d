//! How tensors lie, asked when the function runs: tests, and views that strides decide.
//!
//! Each is a call of the runtime, with tensors as lists of words ([`words`](super::super::words)).

use super::{super::words::Words, Body};
use melior::ir::{OperationRef, RegionLike, ValueLike, attribute::StringAttribute, operation::OperationLike};
use std::collections::HashMap;
use terrace_dialects::{
    cursor::{Cursor, Predicate, V},
    descriptor::{self, Descriptor},
    dtype::Dtype,
    operations::{erase, name_of, refuse},
    ops::graph,
    pass::Failure,
    placement::views::NOT_VIEWABLE,
    shaped::Shaped,
    strided::overlap::{BESIDE, ITSELF, PARTLY, REPEATED, by_operand},
    types::DYNAMIC,
};

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
            let (can, _) = self.seen_with(&at, check.tensor(), &check.size(), dtypes)?;
            return self.becomes(op, can);
        }
        if let Ok(assert) = graph::AssertWritableOp::try_from(op) {
            return self.writable(op, assert, words, &head, dtype);
        }
        Err(refuse(
            op,
            "runs as it is written, operation by operation (graph.eager): run graph-outline-eager first; with sizes that types do \
             not say that is interpreted only",
        ))
    }

    /// A view that is another one by other strides.
    pub(super) fn view(
        &mut self,
        op: OperationRef<'c, 'a>,
        dtypes: &mut HashMap<usize, Dtype>,
    ) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        let (source, ty) = (op.operand(0)?, op.result(0)?.r#type());
        let shaped = Shaped::expect(ty)?;
        let (offset, strides) = if let Ok(view) = graph::AsStridedOp::try_from(op) {
            let values = |numbers: &[i64], given: Vec<V<'c, 'a>>| {
                let mut given = given.into_iter();
                let value = |number: &i64| match *number {
                    DYNAMIC => {
                        at.op("arith.index_cast", &[given.next().ok_or("has no number")?], at.index_type())
                    }
                    number => at.index(number),
                };
                numbers.iter().map(value).collect::<Result<Vec<V>, Failure>>()
            };
            let offset = match &view.storage_offset()[..] {
                [] => Descriptor::of(&at, source)?.offset,
                own => values(own, view.dynamic_storage_offset())?[0],
            };
            (offset, values(&view.stride(), view.dynamic_stride())?)
        } else {
            let (can, strides) = self.seen_with(&at, source, &shaped.shape, dtypes)?;
            let message = at.named("msg", StringAttribute::new(self.context, NOT_VIEWABLE));
            at.build("cf.assert", &[can], &[], &[message], vec![])?;
            (Descriptor::of(&at, source)?.offset, strides)
        };
        let seen = descriptor::reinterpret(&at, source, ty, [vec![offset], vec![], strides])?;
        if let Some(dtype) = dtypes.get(&(op.result(0)?.to_raw().ptr as usize)).copied() {
            dtypes.insert(seen.to_raw().ptr as usize, dtype);
        }
        self.becomes(op, seen)
    }

    /// Whether a tensor can be seen with other sizes, and its strides then.
    fn seen_with(
        &mut self,
        at: &Cursor<'c, 'a>,
        tensor: V<'c, 'a>,
        sizes: &[i64],
        dtypes: &HashMap<usize, Dtype>,
    ) -> Result<(V<'c, 'a>, Vec<V<'c, 'a>>), Failure> {
        let head = self.function.op.region(0)?.first_block().ok_or("has no body")?;
        let mut words = Words::new(*at);
        words.tensor(tensor, dtypes.get(&(tensor.to_raw().ptr as usize)).copied())?;
        words.number(sizes.len() as i64)?;
        for size in sizes {
            words.number(*size)?;
        }
        let first = words.room(sizes.len())?;
        let list = words.list(&Cursor::start(head, at.location))?;
        let can = truth(at, list.call(at, "terrace_rt_view", self.services)?)?;
        let strides =
            (first..first + sizes.len()).map(|place| list.read(at, place)).collect::<Result<_, _>>()?;
        Ok((can, strides))
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
            words.number(compared.into())?;
            words.tensor(other, dtype(other))?;
        }
        let found = words.list(head)?.call(&at, "terrace_rt_assert_writable", self.services)?;
        let overlaps = places.iter().map(|place| match how.as_str() {
            "alone" => BESIDE.to_owned(),
            _ => by_operand(place),
        });
        // In the order of the runtime's numbers.
        let refused = [REPEATED, PARTLY, ITSELF].map(str::to_owned).into_iter().chain(overlaps);
        for (number, message) in refused.enumerate() {
            let holds = at.compare(Predicate::NotEqual, found, at.index(number as i64 + 1)?)?;
            let message = at.named("msg", StringAttribute::new(self.context, &message));
            at.build("cf.assert", &[holds], &[], &[message], vec![])?;
        }
        // SAFETY: it has no results, and nobody looks at it any more.
        unsafe { erase(op) };
        Ok(())
    }
}

/// Whether an operation is a view that strides decide.
pub(super) fn is_view(op: OperationRef) -> bool {
    matches!(name_of(op), "graph.as_strided" | "graph.view" | "graph.view_as")
}

fn truth<'c, 'a>(at: &Cursor<'c, 'a>, word: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    at.compare(Predicate::NotEqual, word, at.index(0)?)
}
