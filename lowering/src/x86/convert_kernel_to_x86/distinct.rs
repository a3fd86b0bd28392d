//! What a kernel may take for granted of its buffers: that one which it writes has nothing in common with
//! another one, where no launch gives it two of which that is not known. It is said by
//! `memref.distinct_objects`, which becomes `separate_storage` of LLVM: loads of the other buffer may then
//! leave loops that store to this one.

use crate::kernel::disjoint::Disjoint;
use melior::ir::{OperationRef, ValueLike};
use std::collections::HashSet;
use terrace_dialects::{
    analysis::{
        effects::{self, EffectKind, On},
        memory::Memory,
    },
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        operations::collect,
        pass::Failure,
        shaped::Shaped,
    },
    ops::kernel,
};

/// Buffers of a kernel beyond which nothing is said: it would be said of each pair.
const BUFFERS: usize = 16;

/// Says it at the head of a function: `arguments` are those of the kernel, `values` those of the function, of
/// which the ones that are apart come back under new names.
pub(super) fn say<'c: 'a, 'a>(
    disjoint: &Disjoint,
    at: &Cursor<'c, 'a>,
    kernel: kernel::FuncOp<'c, 'a>,
    arguments: &[V<'c, 'a>],
    mut values: Vec<V<'c, 'a>>,
) -> Result<Vec<V<'c, 'a>>, Failure> {
    let buffers = values.iter().filter(|v| Shaped::of(v.r#type()).is_some()).count();
    let pairs = disjoint.pairs(&kernel.sym_name());
    if pairs.is_empty() || buffers > BUFFERS {
        return Ok(values);
    }
    let written = written(kernel.operation());
    let is_written = |i: usize| written.contains(&(arguments[i].to_raw().ptr as usize));
    let mut pairs: Vec<_> = pairs.into_iter().filter(|(i, j)| is_written(*i) || is_written(*j)).collect();
    pairs.sort_unstable();
    for (i, j) in pairs {
        let both = [values[i], values[j]];
        let op = at.build("memref.distinct_objects", &both, &both.map(|v| v.r#type()), &[], vec![])?;
        (values[i], values[j]) = (op.result_at(0)?.into(), op.result_at(1)?.into());
    }
    Ok(values)
}

/// The values whose memory an operation writes inside.
fn written(op: OperationRef) -> HashSet<usize> {
    let mut written = HashSet::new();
    for inner in collect(op, |_| true) {
        for (effect, on) in effects::of(inner).unwrap_or_default() {
            if let (EffectKind::Write, On::Operand(i)) = (effect, on)
                && let Ok(operand) = inner.operand(i)
            {
                written.insert(Memory::of(operand).root.to_raw().ptr as usize);
            }
        }
    }
    written
}
