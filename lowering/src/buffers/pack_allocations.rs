//! The pass `pack-allocations`: buffers of known sizes that a block allocates and frees become parts of one.
//!
//! A step of training allocates thousands of buffers: as many calls that can fail, and as many addresses that
//! are alive until they are freed. Where sizes are numbers, so are places in one buffer. A place is free
//! again from the `memref.dealloc` of what was there. A buffer goes into the smallest gap that holds it, and
//! to the end where none does (best fit; O(n log n) in the allocations).
//!
//! That two parts are disjoint only their offsets say: what takes distinct allocations for granted stands in
//! front of this pass.

use melior::ir::{
    BlockRef, OperationRef, Value, ValueLike,
    r#type::{IntegerType, MemRefType},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use terrace_dialects::ir::{
    BlockLike, OperationLike, attributes,
    cursor::Cursor,
    operations::{blocks, collect_within, key, name_of, users},
    pass::Failure,
    rewrite::{erase, replace},
    shaped::Shaped,
    types::{bytes, has_identity_layout},
};

/// Where parts begin: a cache line, as buffers of the runtime do.
const ALIGNMENT: i64 = 64;

/// Packs the buffers of each block below an operation.
pub fn run(op: OperationRef, _: &crate::options::PackAllocations) -> Result<(), Failure> {
    let is_host = |op| name_of(op) != "kernel.func";
    let with_blocks = collect_within(op, is_host, |op| is_host(op) && op.region_count() > 0);
    with_blocks.into_iter().flat_map(blocks).try_for_each(pack)
}

/// An allocation, and the bytes of its place.
struct Part<'c, 'a> {
    allocation: OperationRef<'c, 'a>,
    offset: i64,
    bytes: i64,
}

fn pack(block: BlockRef) -> Result<(), Failure> {
    let mut places = Places::default();
    let (mut parts, mut frees, mut owners) = (vec![], vec![], HashMap::new());
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        if let Some(bytes) = size(op) {
            let Some(offset) = places.take(bytes) else { return Ok(()) };
            owners.insert(key(Value::from(op.result_at(0)?)), parts.len());
            parts.push(Part { allocation: op, offset, bytes });
        } else if name_of(op) == "memref.dealloc"
            && let Some(part) = owners.remove(&key(op.operand(0)?))
        {
            places.give(parts[part].offset, parts[part].bytes);
            frees.push(op);
        }
    }
    let ([first, _, ..], Some(last)) = (&parts[..], frees.last()) else { return Ok(()) };
    let at = Cursor::before(first.allocation)?;
    let whole = MemRefType::contiguous(IntegerType::new(at.context, 8).into(), &[places.end], None);
    let pool = at.allocate("memref.alloc", whole.into(), &[])?;
    Cursor::before(*last)?.build("memref.dealloc", &[pool], &[], &[], vec![])?;
    for Part { allocation, offset, .. } in parts {
        let at = Cursor::before(allocation)?;
        let part = at.op("memref.view", &[pool, at.index(offset)?], allocation.result_at(0)?.r#type())?;
        replace(allocation, &[part]);
    }
    frees.into_iter().for_each(erase);
    Ok(())
}

/// The bytes of the place of an allocation that is freed in its own block, where they are known.
fn size(op: OperationRef) -> Option<i64> {
    if name_of(op) != "memref.alloc" {
        return None;
    }
    let buffer = Value::from(op.result_at(0).ok()?);
    let ty = Shaped::of(buffer.r#type())?;
    let is_simple = has_identity_layout(buffer.r#type())
        && MemRefType::try_from(buffer.r#type()).ok()?.memory_space().is_none()
        && op.attribute("alignment").map_or(true, |alignment| attributes::i64(alignment) <= ALIGNMENT);
    let is_freed = |user: OperationRef| name_of(user) == "memref.dealloc" && user.block() == op.block();
    if !is_simple || !users(buffer).any(is_freed) {
        return None;
    }
    let elements = ty.shape.iter().try_fold(1_i64, |all, size| all.checked_mul(*size).filter(|_| *size >= 0));
    let bytes = elements?.checked_mul(bytes(ty.element)?)?.max(1);
    Some(bytes.checked_add(ALIGNMENT - 1)? / ALIGNMENT * ALIGNMENT)
}

/// Gaps in a buffer that grows.
#[derive(Default)]
struct Places {
    /// Where each gap ends, by its offset.
    ends: BTreeMap<i64, i64>,
    /// The same gaps: bytes and offset.
    by_size: BTreeSet<(i64, i64)>,
    /// The bytes of the whole.
    end: i64,
}

impl Places {
    /// The offset of a new place; None where offsets are no numbers any more.
    fn take(&mut self, bytes: i64) -> Option<i64> {
        if let Some((size, offset)) = self.by_size.range((bytes, 0)..).next().copied() {
            self.remove(offset, offset + size);
            self.add(offset + bytes, offset + size);
            return Some(offset);
        }
        // What is free at the end is part of it.
        let free = self.ends.last_key_value().filter(|(_, end)| **end == self.end).map(|(offset, _)| *offset);
        let offset = free.unwrap_or(self.end);
        let end = offset.checked_add(bytes)?;
        if free.is_some() {
            self.remove(offset, self.end);
        }
        self.end = end;
        Some(offset)
    }

    /// Makes a place free, and one gap of it and those beside it.
    fn give(&mut self, offset: i64, bytes: i64) {
        let (mut start, mut end) = (offset, offset + bytes);
        let before = self.ends.range(..offset).next_back().map(|(start, end)| (*start, *end));
        if let Some((first, _)) = before.filter(|(_, end)| *end == offset) {
            self.remove(first, offset);
            start = first;
        }
        if let Some(last) = self.ends.get(&end).copied() {
            self.remove(end, last);
            end = last;
        }
        self.add(start, end);
    }

    fn add(&mut self, start: i64, end: i64) {
        if start < end {
            self.ends.insert(start, end);
            self.by_size.insert((end - start, start));
        }
    }

    fn remove(&mut self, start: i64, end: i64) {
        self.ends.remove(&start);
        self.by_size.remove(&(end - start, start));
    }
}
