//! What calls have made, and who frees it: the block that the call stands in, at its end, unless the block hands it on.

use super::{super::words::gives_memory, Body};
use melior::ir::{BlockLike, OperationRef, RegionLike, ValueLike, operation::OperationLike};
use std::collections::HashMap;
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, Predicate, V},
    memory::Memory,
    operations::{definition, name_of},
    pass::Failure,
    shaped::Shaped,
};

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    /// Frees what calls have made at the end of its block, unless the block hands it on.
    pub(super) fn free(&self) -> Result<(), Failure> {
        for made in &self.made {
            let call = definition(*made).ok_or("is not there")?;
            let end = call.block().and_then(|block| block.terminator()).ok_or("a block has no end")?;
            let at = Cursor::before(end)?;
            let address = |value| at.op("memref.extract_aligned_pointer_as_index", &[value], at.index_type());
            let own = address(*made)?;
            let is_buffer = |value: &V<'c, 'a>| Shaped::of(value.r#type()).is_some_and(|s| s.buffer);
            let mut handed: Vec<V> = end.operands().filter(is_buffer).collect();
            if is_given(*made, self.named) {
                // It may be an argument's memory, or that of another result.
                let number = call.results().position(|result| V::from(result) == *made);
                handed.extend(call.operands().filter(is_buffer));
                handed.extend(call.results().map(V::from).take(number.unwrap_or(0)).filter(is_buffer));
            }
            let mut stays: Option<V> = None;
            for value in handed {
                let other = at.compare(Predicate::NotEqual, own, address(value)?)?;
                stays = Some(match stays {
                    None => other,
                    Some(before) => at.op("arith.andi", &[before, other], other.r#type())?,
                });
            }
            let free = |at: &Cursor<'c, 'a>| at.build("memref.dealloc", &[*made], &[], &[], vec![]).map(drop);
            match stays {
                None => free(&at)?,
                Some(goes) => at.when(goes, |at| free(&at))?,
            }
        }
        Ok(())
    }
}

/// What a result of a function is a view of, where that is memory that the function has allocated, for sure.
pub(super) fn new_storage<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    number: usize,
    named: &HashMap<String, OperationRef<'c, 'a>>,
) -> Option<V<'c, 'a>> {
    let end = function.region(0).ok()?.first_block()?.terminator()?;
    new_root(end.operand(number).ok()?, named)
}

/// Whether a memref is what something gives that is compiled when it is called, or what may have moved: nobody knows whose memory that is before.
fn is_given<'c: 'a, 'a>(memref: V<'c, 'a>, named: &HashMap<String, OperationRef<'c, 'a>>) -> bool {
    let root = Memory::of(memref).root;
    let Some(op) = definition(root) else { return false };
    let Some(number) = op.results().position(|result| V::from(result) == root) else { return false };
    let end = |op: OperationRef<'c, 'a>, region: usize| {
        let end = op.region(region).ok()?.first_block()?.terminator()?;
        end.operand(number).ok()
    };
    match name_of(op) {
        "func.call" => {
            let Ok(name) = op.attribute("callee").map(convert::symbol) else { return false };
            let callee = || end(named.get(&name).copied()?, 0);
            gives_memory(&name) || callee().is_some_and(|value| is_given(value, named))
        }
        "scf.if" => (0..2).filter_map(|region| end(op, region)).any(|value| is_given(value, named)),
        _ => false,
    }
}

/// What a memref is a view of, where that is memory that the function around it has allocated, for sure.
fn new_root<'c: 'a, 'a>(
    memref: V<'c, 'a>,
    named: &HashMap<String, OperationRef<'c, 'a>>,
) -> Option<V<'c, 'a>> {
    let root = Memory::of(memref).root;
    let op = definition(root)?;
    match name_of(op) {
        "memref.alloc" | "bufferization.to_buffer" => Some(root),
        "func.call" => {
            let number = op.results().position(|result| V::from(result) == root)?;
            let name = convert::symbol(op.attribute("callee").ok()?);
            if gives_memory(&name) {
                return Some(root);
            }
            let callee = *named.get(&name)?;
            let own = new_storage(callee, number, named)?;
            let first = (0..number).find(|earlier| new_storage(callee, *earlier, named) == Some(own));
            Some(op.result(first.unwrap_or(number)).ok()?.into())
        }
        // One on each way.
        "scf.if" => {
            let number = op.results().position(|result| V::from(result) == root)?;
            let way = |region: usize| {
                let end = op.region(region).ok()?.first_block()?.terminator()?;
                new_root(end.operand(number).ok()?, named)
            };
            way(1).and(way(0))
        }
        _ => None,
    }
}
