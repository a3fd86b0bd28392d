//! What calls have made, and who frees it: the block that the call stands in, at its end, unless the block hands it on.

use super::{super::words::gives_memory, Body};
use melior::ir::{OperationRef, RegionLike, ValueLike};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, Predicate, V},
    ir::{BlockLike, OperationLike},
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

/// A result of a function, by that and by its number.
type Number = (usize, usize);

/// What a result of a function is a view of, where that is memory that the function has allocated, for sure.
pub(super) fn new_storage<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    number: usize,
    named: &HashMap<String, OperationRef<'c, 'a>>,
) -> Option<V<'c, 'a>> {
    new_result(function, number, named, &mut vec![])
}

/// The same; `open` are the results that are asked about. One that is what a call of its own function gives is what the other ways give.
fn new_result<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    number: usize,
    named: &HashMap<String, OperationRef<'c, 'a>>,
    open: &mut Vec<Number>,
) -> Option<V<'c, 'a>> {
    let end = function.region(0).ok()?.first_block()?.terminator()?;
    let value = end.operand(number).ok()?;
    let own = (function.to_raw().ptr as usize, number);
    if open.contains(&own) {
        return Some(value);
    }
    open.push(own);
    let root = new_root(value, named, open);
    open.pop();
    root
}

/// Whether a memref is what something gives that is compiled when it is called, or what may have moved: nobody knows whose memory that is before.
fn is_given<'c: 'a, 'a>(memref: V<'c, 'a>, named: &HashMap<String, OperationRef<'c, 'a>>) -> bool {
    let (mut met, mut left) = (HashSet::new(), vec![memref]);
    while let Some(memref) = left.pop() {
        let root = Memory::of(memref).root;
        let Some(op) = definition(root).filter(|_| met.insert(root.to_raw().ptr as usize)) else { continue };
        let Some(number) = op.results().position(|result| V::from(result) == root) else { continue };
        let end = |op: OperationRef<'c, 'a>, region: usize| {
            let end = op.region(region).ok()?.first_block()?.terminator()?;
            end.operand(number).ok()
        };
        match name_of(op) {
            "func.call" => {
                let Ok(name) = op.attribute("callee").map(convert::symbol) else { continue };
                if gives_memory(&name) {
                    return true;
                }
                left.extend(named.get(&name).and_then(|callee| end(*callee, 0)));
            }
            "scf.if" => left.extend((0..2).filter_map(|region| end(op, region))),
            _ => {}
        }
    }
    false
}

/// What a memref is a view of, where that is memory that the function around it has allocated, for sure.
fn new_root<'c: 'a, 'a>(
    memref: V<'c, 'a>,
    named: &HashMap<String, OperationRef<'c, 'a>>,
    open: &mut Vec<Number>,
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
            let own = new_result(callee, number, named, open)?;
            let first = (0..number).find(|earlier| new_result(callee, *earlier, named, open) == Some(own));
            Some(op.result_at(first.unwrap_or(number)).ok()?.into())
        }
        // One on each way.
        "scf.if" => {
            let number = op.results().position(|result| V::from(result) == root)?;
            let mut way = |region: usize| {
                let end = op.region(region).ok()?.first_block()?.terminator()?;
                new_root(end.operand(number).ok()?, named, open)
            };
            let other = way(1);
            other.and(way(0))
        }
        _ => None,
    }
}
