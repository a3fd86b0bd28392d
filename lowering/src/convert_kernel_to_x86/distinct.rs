//! What a kernel may take for granted of its buffers: that one which it writes has nothing in common with another one, where no
//! launch gives it two of which that is not known. It is said by `memref.distinct_objects`, which becomes `separate_storage` of
//! LLVM: loads of the other buffer may then leave loops that store to this one.

use melior::ir::{OperationRef, ValueLike, operation::OperationLike};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    cursor::{Cursor, V},
    memory::Memory,
    operations::collect,
    ops::kernel,
    pass::Failure,
    shaped::Shaped,
    touches::{self, On, Touch},
};

/// Buffers beyond which nothing is looked for: pairs are as many as their square.
const BUFFERS: usize = 16;

/// For each kernel the pairs of its arguments that are apart in every launch, by their numbers, the first less than the second.
pub(super) struct Distinct(HashMap<String, HashSet<(usize, usize)>>);

impl Distinct {
    /// Looks at the launches of a module.
    pub fn of(module: OperationRef) -> Self {
        let mut known: HashMap<String, HashSet<(usize, usize)>> = HashMap::new();
        for op in collect(module, |op| kernel::LaunchOp::try_from(op).is_ok()) {
            let Ok(launch) = kernel::LaunchOp::try_from(op) else { continue };
            let buffers: Vec<_> = buffers(&launch.arguments()).map(|(i, v)| (i, Memory::of(v))).collect();
            let mut pairs = HashSet::new();
            for (n, (i, first)) in buffers.iter().enumerate().filter(|_| buffers.len() <= BUFFERS) {
                let apart = buffers[n + 1..].iter().filter(|(_, second)| first.is_apart(second, false));
                pairs.extend(apart.map(|(j, _)| (*i, *j)));
            }
            let kernel = launch.callee();
            match known.get_mut(&kernel) {
                Some(all) => all.retain(|pair| pairs.contains(pair)),
                None => drop(known.insert(kernel, pairs)),
            }
        }
        Self(known)
    }

    /// Says it at the head of a function: `arguments` are those of the kernel, `values` those of the function, of which the
    /// ones that are apart come back under new names.
    pub fn say<'c: 'a, 'a>(
        &self,
        at: &Cursor<'c, 'a>,
        kernel: kernel::FuncOp<'c, 'a>,
        arguments: &[V<'c, 'a>],
        mut values: Vec<V<'c, 'a>>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let Some(pairs) = self.0.get(&kernel.sym_name()).filter(|pairs| !pairs.is_empty()) else {
            return Ok(values);
        };
        let written = written(kernel.operation());
        let is_written = |i: usize| written.contains(&(arguments[i].to_raw().ptr as usize));
        let mut pairs: Vec<_> = pairs.iter().filter(|(i, j)| is_written(*i) || is_written(*j)).collect();
        pairs.sort_unstable();
        for (i, j) in pairs {
            let both = [values[*i], values[*j]];
            let op = at.build("memref.distinct_objects", &both, &both.map(|v| v.r#type()), &[], vec![])?;
            (values[*i], values[*j]) = (op.result(0)?.into(), op.result(1)?.into());
        }
        Ok(values)
    }
}

fn buffers<'c, 'a>(values: &[V<'c, 'a>]) -> impl Iterator<Item = (usize, V<'c, 'a>)> {
    let is_buffer = |(_, v): &(usize, V)| Shaped::of(v.r#type()).is_some_and(|shaped| shaped.buffer);
    values.iter().copied().enumerate().filter(is_buffer)
}

/// The values whose memory an operation writes inside.
fn written(op: OperationRef) -> HashSet<usize> {
    let mut written = HashSet::new();
    for inner in collect(op, |_| true) {
        for (touch, on) in touches::of(inner).unwrap_or_default() {
            if let (Touch::Write, On::Operand(i)) = (touch, on)
                && let Ok(operand) = inner.operand(i)
            {
                written.insert(Memory::of(operand).root.to_raw().ptr as usize);
            }
        }
    }
    written
}
