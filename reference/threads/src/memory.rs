//! The memory of the emulated GPU: each allocation apart, with guards around it that nobody may write.
//!
//! What is allocated is filled with a pattern, so that what nobody writes shows.

use std::{cell::RefCell, collections::BTreeMap};
use terrace_call::DeviceError;

/// Bytes of a guard, in front of an allocation and behind it; 256 divides addresses.
const GUARD: usize = 256;
const UNTOUCHED: u8 = 0xa5;
/// What is in memory that nobody has written.
pub(crate) const FRESH: u8 = 0x7f;

/// Allocations by their addresses.
#[derive(Default)]
pub struct Memory(RefCell<BTreeMap<u64, Block>>);

/// One allocation.
struct Block {
    /// More than the allocation and its guards: it starts somewhere within.
    bytes: Vec<u8>,
    start: usize,
    size: usize,
}

impl Block {
    fn new(size: usize) -> Self {
        let mut bytes = vec![UNTOUCHED; size + 3 * GUARD];
        let start = bytes.as_ptr().align_offset(GUARD) + GUARD;
        bytes[start..start + size].fill(FRESH);
        Self { bytes, start, size }
    }

    fn address(&self) -> u64 {
        // The first byte is there, also of an allocation of none.
        &raw const self.bytes[self.start] as u64
    }

    /// Whether the guards are as they were.
    fn is_sound(&self) -> bool {
        let end = self.start + self.size;
        let guards = [&self.bytes[self.start - GUARD..self.start], &self.bytes[end..end + GUARD]];
        guards.iter().all(|guard| guard.iter().all(|byte| *byte == UNTOUCHED))
    }
}

impl Memory {
    /// So many bytes, from an address on that 256 divides.
    pub fn allocate(&self, size: usize) -> u64 {
        let block = Block::new(size);
        let address = block.address();
        self.0.borrow_mut().insert(address, block);
        address
    }

    /// Takes an allocation back.
    ///
    /// # Errors
    /// There is none at this address.
    pub fn free(&self, address: u64) -> Result<(), DeviceError> {
        match self.0.borrow_mut().remove(&address) {
            Some(_) => Ok(()),
            None => Err(DeviceError(format!("frees {address:#x}, which is not allocated"))),
        }
    }

    /// Does something with bytes within one allocation.
    ///
    /// # Errors
    /// They are in none.
    pub fn with<R>(
        &self,
        address: u64,
        size: usize,
        work: impl FnOnce(&mut [u8]) -> R,
    ) -> Result<R, DeviceError> {
        let mut blocks = self.0.borrow_mut();
        let found = blocks.range_mut(..=address).next_back().and_then(|(from, block)| {
            let offset = (address - from) as usize;
            let within = offset.checked_add(size)? <= block.size;
            let from = block.start + offset;
            within.then(|| &mut block.bytes[from..from + size])
        });
        found.map(work).ok_or_else(|| DeviceError(format!("{size} bytes at {address:#x} are not allocated")))
    }

    /// Where allocations are, in order.
    pub(crate) fn addresses(&self) -> Vec<u64> {
        self.0.borrow().keys().copied().collect()
    }

    /// All allocations, with what is in them.
    pub fn contents(&self) -> Vec<(u64, Vec<u8>)> {
        let bytes = |block: &Block| block.bytes[block.start..block.start + block.size].to_vec();
        self.0.borrow().iter().map(|(address, block)| (*address, bytes(block))).collect()
    }

    /// Whether nothing was written outside of allocations, next to them.
    pub(crate) fn check(&self, kernel: &str) -> Result<(), DeviceError> {
        if self.0.borrow().values().all(Block::is_sound) {
            return Ok(());
        }
        Err(DeviceError(format!("kernel {kernel} writes outside of its buffers")))
    }
}
