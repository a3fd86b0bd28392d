//! What guards ask about arguments: calls of the runtime, with tensors as lists of words
//! ([`words`](super::super::words)).

use super::state::Boundary;
use crate::buffers::convert_graph_boundary_to_memref::words::{CHECK_DISTINCT, Services, Words};
use melior::ir::OperationRef;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        extent::Extent,
        pass::Failure,
    },
    ops::graph,
};
use terrace_size::symbols::Predicate;

/// Whether an operation asks how tensors lie.
pub(super) fn is_test(op: OperationRef) -> bool {
    graph::CheckDisjointOp::try_from(op).is_ok()
        || graph::CheckDistinctOp::try_from(op).is_ok()
        || graph::CheckSameOp::try_from(op).is_ok()
        || graph::CheckSameStorageOp::try_from(op).is_ok()
}

impl<'c, 'a> Boundary<'c, 'a> {
    /// Asks the runtime.
    pub(super) fn test(&self, op: OperationRef<'c, 'a>, services: &mut Services) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        let mut words = Words::new(at);
        let buffer = |tensor| {
            Ok::<_, Failure>(self.view(tensor).and_then(|own| own.buffer).ok_or(internal!("has no buffer"))?)
        };
        let add = |words: &mut Words<'c, 'a>, tensor: V<'c, 'a>| {
            words.tensor(buffer(tensor)?, self.view(tensor).map(|own| own.dtype))
        };
        let head = Cursor::start(self.block, op.location());
        let holds = if let Ok(check) = graph::CheckDisjointOp::try_from(op) {
            let tensors = check.tensors();
            let sets = check.sets().unwrap_or_else(|| vec![1; tensors.len()]);
            let of = sets.iter().enumerate().flat_map(|(set, size)| vec![set as i64; *size as usize]);
            let written = check.written().unwrap_or_else(|| vec![true; tensors.len()]);
            words.number(check.storages().is_some().into())?;
            words.number(tensors.len() as i64)?;
            for ((tensor, set), written) in tensors.into_iter().zip(of).zip(written) {
                words.number(set)?;
                words.number(written.into())?;
                add(&mut words, tensor)?;
            }
            let holds = words.list(&head)?.call(&at, "terrace_rt_check_disjoint", services)?;
            at.compare(Predicate::NotEqual, holds, at.index(0)?)?
        } else if let Ok(check) = graph::CheckDistinctOp::try_from(op) {
            add(&mut words, check.tensor())?;
            let found = words.list(&head)?.call(&at, CHECK_DISTINCT, services)?;
            at.compare(Predicate::Equal, found, at.index(0)?)?
        } else if let Ok(check) = graph::CheckSameOp::try_from(op) {
            add(&mut words, check.a())?;
            add(&mut words, check.b())?;
            let same = words.list(&head)?.call(&at, "terrace_rt_check_same", services)?;
            at.compare(Predicate::NotEqual, same, at.index(0)?)?
        } else {
            let address = |tensor| {
                at.op("memref.extract_aligned_pointer_as_index", &[buffer(tensor)?], at.index_type())
            };
            at.compare(Predicate::Equal, address(op.operand(0)?)?, address(op.operand(1)?)?)?
        };
        super::build::replace(op, holds);
        Ok(())
    }
}

/// The number of an operation that has a list of one.
pub(super) fn one_of<'c, 'a>(
    at: &Cursor<'c, 'a>,
    numbers: &[i64],
    values: Vec<V<'c, 'a>>,
) -> Result<V<'c, 'a>, Failure> {
    let values = values.iter().map(|value| at.op("arith.index_cast", &[*value], at.index_type()));
    let all = Extent::listed(numbers, &values.collect::<Result<Vec<_>, _>>()?);
    at.extent(*all.first().ok_or(internal!("has no number"))?)
}
