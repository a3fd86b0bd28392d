//! What stands in a region of a template: the nest's operations, on what the nest's values are there.

use crate::{
    emit::Emitter,
    kernel::tile_programs::access::{Access, strides},
    loops::{
        convert_to_kernel::{
            product::Factor,
            runs::{Joined, Run, place},
        },
        operation::merged::collapsed,
    },
};
use melior::ir::{BlockRef, OperationRef};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        kept,
        operations::key,
        pass::Failure,
        rewrite::{self, set_operand},
    },
    loops::affine::Expr,
    ops::loop_,
};

/// Operations in a region of the template, and what values of the nest are there.
pub(super) struct Inside<'c, 'a> {
    pub block: BlockRef<'c, 'a>,
    pub values: HashMap<usize, V<'c, 'a>>,
    /// Runs, the index of each, and what is to be added to it.
    pub runs: Vec<(Run<'c, 'a>, V<'c, 'a>, Option<V<'c, 'a>>)>,
}

impl<'c: 'a, 'a> Inside<'c, 'a> {
    /// Writes operations once more, on what their operands became; what `value` became. Collapsed buffers are
    /// made at `host`.
    pub fn append(
        &mut self,
        host: &Emitter<'c, 'a>,
        body: &[OperationRef<'c, 'a>],
        value: V<'c, 'a>,
        zero: &HashSet<usize>,
    ) -> Result<V<'c, 'a>, Failure> {
        for op in body {
            if let Ok(load) = loop_::LoadOp::try_from(*op) {
                let new = self.load(host, &Access::load(load), zero)?;
                self.values.insert(key(op.result_at(0)?), new);
                continue;
            }
            let copy: OperationRef<'c, 'a> = kept::operation(self.block.append_operation(rewrite::copy(*op)));
            for (i, operand) in op.operands().enumerate() {
                if let Some(value) = self.values.get(&key(operand)) {
                    set_operand(copy, i, *value);
                }
            }
            for (old, new) in op.results().zip(copy.results()) {
                self.values.insert(key(old), new.into());
            }
        }
        Ok(self.within(value))
    }

    /// The numbers of a factor at two neighbours along an index as a word; `index` became that of the pair.
    pub fn word(
        &mut self,
        host: &Emitter<'c, 'a>,
        factor: &Factor<'c, 'a>,
        index: V<'c, 'a>,
        zero: &HashSet<usize>,
    ) -> Result<V<'c, 'a>, Failure> {
        let at = Emitter::at_end(self.block, host.location);
        let first = at.mul(self.within(index), at.index(2));
        let mut half = |own: V<'c, 'a>| {
            self.values.insert(key(index), own);
            self.append(host, &factor.body, factor.value, zero)
        };
        let halves = [half(first)?, half(at.add(first, at.index(1)))?];
        Ok(at.word(halves))
    }

    fn within(&self, value: V<'c, 'a>) -> V<'c, 'a> {
        self.values.get(&key(value)).copied().unwrap_or(value)
    }

    pub fn load(
        &self,
        host: &Emitter<'c, 'a>,
        access: &Access<'c, 'a>,
        zero: &HashSet<usize>,
    ) -> Result<V<'c, 'a>, Failure> {
        self.load_merged(host, access, (0, 0), zero)
    }

    /// The same from a buffer of which so many dimensions, from one on, are one.
    pub fn load_merged(
        &self,
        host: &Emitter<'c, 'a>,
        access: &Access<'c, 'a>,
        (first, count): (usize, usize),
        zero: &HashSet<usize>,
    ) -> Result<V<'c, 'a>, Failure> {
        let Joined { mut buffer, mut exprs, values } =
            Joined::of(host, access, &self.runs, zero, &self.values)?;
        if count > 1 {
            let strides = strides(buffer);
            let terms = exprs.drain(first..first + count).zip(&strides[first..]);
            let terms =
                terms.map(|(expr, stride)| Expr::Mul(Box::new(expr), Box::new(Expr::Constant(*stride))));
            let sum = terms.reduce(|sum, term| Expr::Add(Box::new(sum), Box::new(term)));
            exprs.insert(first, sum.ok_or("merges no dimension")?);
            buffer = collapsed(host, buffer, &[(first, count)])?;
        }
        let (indices, map) = place(host, &exprs, &values);
        let [mask, other] = [access.mask, access.other].map(|v| v.map(|v| self.within(v)));
        let load = loop_::load(host.location, buffer, &indices, map, mask, other)?;
        let load = self.block.append_operation(load);
        Ok(kept::value(load.result_at(0)?))
    }
}
