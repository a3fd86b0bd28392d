//! What computes a value of the body of a `linalg.generic`, copied to a point of a loop operation.

use super::{NotConverted, structured::Structured};
use crate::loops::write;
use melior::ir::{OperationRef, ValueLike};
use rustc_hash::{FxHashMap, FxHashSet};
use terrace_dialects::{
    analysis::memory::Memory,
    ir::{
        BlockLike, OperationLike, attributes,
        cursor::{Cursor, V},
        operations::{key, name_of},
        pass::Failure,
        rewrite::set_operand,
        shaped::Shaped,
    },
};

/// A value, and the operations of a body that compute it, in order.
pub(crate) struct Body<'c, 'a> {
    value: V<'c, 'a>,
    ops: Vec<OperationRef<'c, 'a>>,
    used: FxHashSet<usize>,
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// What computes a value; an operation of it may have no form in a loop operation.
    pub fn of(it: &Structured<'c, 'a>, value: V<'c, 'a>) -> Result<Self, NotConverted> {
        let mut all = vec![];
        let mut next = it.block.first_operation();
        while let Some(op) = next {
            all.push(op);
            next = op.next_in_block();
        }
        let mut used = FxHashSet::from_iter([key(value)]);
        let mut ops = vec![];
        for op in all.into_iter().rev().skip(1) {
            if op.results().any(|r| used.contains(&key(r))) {
                used.extend(op.operands().map(key));
                supported(it, op)?;
                ops.push(op);
            }
        }
        ops.reverse();
        Ok(Self { value, ops, used })
    }

    /// Whether a value takes part.
    pub fn uses(&self, value: V<'c, 'a>) -> bool {
        self.used.contains(&key(value))
    }

    /// Writes the operations at a cursor; `indices` are those of the domain. Gives the value.
    pub fn write(
        &self,
        at: Cursor<'c, 'a>,
        it: &Structured<'c, 'a>,
        indices: &[V<'c, 'a>],
    ) -> Result<V<'c, 'a>, Failure> {
        let mut env: FxHashMap<usize, V<'c, 'a>> = FxHashMap::default();
        for (i, (operand, element)) in it.operands().zip(&it.elements).enumerate() {
            if self.uses(*element) {
                let value = match Shaped::of(operand.r#type()) {
                    Some(_) => write::load(at, operand, it.map(i), indices, None)?,
                    None => operand,
                };
                env.insert(key(*element), value);
            }
        }
        let get = |env: &FxHashMap<usize, V<'c, 'a>>, value: V<'c, 'a>| {
            env.get(&key(value)).copied().unwrap_or(value)
        };
        for op in &self.ops {
            let here = at.of(op.location());
            let result: V = op.result_at(0)?.into();
            match name_of(*op) {
                "linalg.index" => {
                    let dim = op.attribute("dim").map(attributes::i64)?;
                    env.insert(key(result), indices[dim as usize]);
                }
                "tensor.extract" | "memref.load" => {
                    let operands: Vec<V> = op.operands().map(|v| get(&env, v)).collect();
                    let (source, place) = operands.split_first().ok_or("has no operands")?;
                    let value = write::load(here, *source, &write::point(place.len()), place, None)?;
                    env.insert(key(result), value);
                }
                _ => {
                    let copy = here.insert((**op).clone());
                    for (i, operand) in op.operands().enumerate() {
                        set_operand(copy, i, get(&env, operand));
                    }
                    for (old, new) in op.results().zip(copy.results()) {
                        env.insert(key(old), new.into());
                    }
                }
            }
        }
        Ok(get(&env, self.value))
    }
}

/// Refuses what has no form in the body of a loop operation.
fn supported<'c: 'a, 'a>(it: &Structured<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<(), NotConverted> {
    let name = name_of(op);
    let scalars = op
        .operands()
        .map(|v| v.r#type())
        .chain(op.results().map(|r| r.r#type()))
        .all(|ty| Shaped::of(ty).is_none());
    match name {
        "linalg.index" | "tensor.extract" => Ok(()),
        "memref.load" => {
            let source = Memory::of(op.operand(0)?);
            match it.outputs.iter().any(|output| Memory::of(*output).is(&source)) {
                true => Err("its body reads a destination by 'memref.load'".into()),
                false => Ok(()),
            }
        }
        _ if (name.starts_with("arith.") || name.starts_with("math."))
            && op.region_count() == 0
            && scalars =>
        {
            Ok(())
        }
        _ => {
            Err(format!("has '{name}' in its body: expects arith, math, linalg.index and reads of elements")
                .into())
        }
    }
}
