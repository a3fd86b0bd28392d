//! What a launch asks of memory: the requests of its warps, the sectors that they touch, and the turns that
//! banks of shared memory take.
//!
//! A warp's threads run one after the other here. What they access by one instruction of a kernel, each for
//! the n-th time, is one request:
//!
//! ```text
//! 32 threads load 4 bytes each, in a row        1 request,  4 sectors, 4 at least
//! 32 threads load 4 bytes each, 4 KiB apart     1 request, 32 sectors, 4 at least
//! 32 threads read words of one bank             1 request, 32 turns,   1 at least
//! ```
//!
//! A thread accesses at most 16 bytes at once, and no more than its alignment. Memory has sectors of 32
//! bytes; shared memory has 32 banks of 4 bytes, and serves 128 bytes in a turn. Source: NVIDIA, CUDA C++
//! Programming Guide, "Compute Capability 5.x" and later, global and shared memory.

use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeMap, ops::Range};

const WARP: usize = 32;
const SECTOR: u64 = 32;
const BANKS: u64 = 32;
const WORD: u64 = 4;
/// Bytes that a thread accesses at once.
const WIDEST: u64 = 16;
/// Accesses of threads after which nothing more of a launch runs.
const MOST: u64 = 1 << 20;

/// Where an access stands, and what it is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The instruction.
    pub number: u32,
    /// What divides its address.
    pub alignment: u64,
    /// Bytes of an element of what is accessed.
    pub element: u64,
    pub writes: bool,
}

/// What was asked of one kind of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// Requests of warps.
    pub count: u64,
    /// Bytes that threads asked for.
    pub bytes: u64,
    /// Sectors that the requests touch one by one, or turns that they take.
    pub parts: u64,
    /// The least that there could be for so many bytes.
    pub least: u64,
}

/// What a launch asked of memory, as far as it ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Blocks that ran.
    pub blocks: u64,
    /// Whether the last of them did not come to its end.
    pub is_cut: bool,
    /// Global memory, in sectors.
    pub global: Requests,
    /// Memory of a block, in turns.
    pub shared: Requests,
    /// Bytes of sectors that the launch read, each once.
    pub read: u64,
    /// The same of those that it wrote.
    pub written: u64,
    /// Of the bytes that threads asked for in global memory, those that they write.
    pub stored: u64,
    /// Elements of the buffer of which it accessed most.
    pub elements: u64,
}

/// One request, as far as threads have come to it.
struct Pending {
    site: Site,
    bytes: u64,
    addresses: Vec<u64>,
}

/// What was accessed of a buffer.
#[derive(Default)]
struct Buffer {
    sectors: FxHashSet<u64>,
    bytes: u64,
    element: u64,
}

impl Buffer {
    fn elements(&self) -> u64 {
        (self.sectors.len() as u64 * SECTOR).min(self.bytes) / self.element.max(1)
    }
}

/// Counts what the blocks of a launch do.
#[derive(Default)]
pub(crate) struct Counter {
    traffic: Traffic,
    /// Where buffers begin, in order, and what was accessed of each.
    buffers: BTreeMap<u64, Buffer>,
    accesses: u64,
    /// How often a thread of the block came to an instruction.
    times: FxHashMap<(u32, u32), u32>,
    /// By instruction and piece, warp, and time.
    pending: FxHashMap<(u32, u32, u32), Pending>,
    /// What the threads of a block share.
    own: Vec<Range<u64>>,
    touched: [FxHashSet<u64>; 2],
}

impl Counter {
    /// For a launch that has buffers at these addresses.
    pub fn new(buffers: impl Iterator<Item = u64>) -> Self {
        Self { buffers: buffers.map(|at| (at, Buffer::default())).collect(), ..Self::default() }
    }

    /// Whether so much was counted that more of it says nothing new.
    pub fn is_enough(&self) -> bool {
        self.accesses >= MOST
    }

    /// That the threads of a block share so many bytes.
    pub fn shares(&mut self, address: u64, size: u64) {
        let range = address..address + size;
        if !self.own.contains(&range) {
            self.own.push(range);
        }
    }

    /// A thread accesses so many bytes.
    pub fn access(&mut self, thread: usize, address: u64, bytes: u64, site: Site) {
        self.accesses += 1;
        let piece = WIDEST.min(site.alignment.max(1)).min(bytes.next_power_of_two());
        let time = self.times.entry((thread as u32, site.number)).or_default();
        let own = *time;
        *time += 1;
        for (number, at) in (address..address + bytes).step_by(piece as usize).enumerate() {
            let key = (site.number << 8 | number as u32, (thread / WARP) as u32, own);
            let pending = self.pending.entry(key).or_insert_with(|| Pending {
                site,
                bytes: piece,
                addresses: Vec::with_capacity(WARP),
            });
            pending.addresses.push(at);
            if pending.addresses.len() == WARP
                && let Some(whole) = self.pending.remove(&key)
            {
                self.count(&whole);
            }
        }
    }

    fn count(&mut self, request: &Pending) {
        let Pending { site, bytes, addresses } = request;
        let asked = bytes * addresses.len() as u64;
        let is_shared = self.own.iter().any(|range| range.contains(&addresses[0]));
        let (to, parts, least) = if is_shared {
            let turns = turns(addresses, *bytes);
            (&mut self.traffic.shared, turns, asked.div_ceil(BANKS * WORD))
        } else {
            let all = addresses.iter().flat_map(|at| at / SECTOR..=(at + bytes - 1) / SECTOR);
            let sectors: FxHashSet<u64> = all.collect();
            let words: FxHashSet<u64> = addresses.iter().copied().collect();
            self.touched[usize::from(site.writes)].extend(&sectors);
            if let Some((_, buffer)) = self.buffers.range_mut(..=addresses[0]).next_back() {
                buffer.sectors.extend(&sectors);
                buffer.bytes += asked;
                buffer.element = site.element;
            }
            self.traffic.stored += if site.writes { asked } else { 0 };
            let least = (words.len() as u64 * bytes).div_ceil(SECTOR);
            (&mut self.traffic.global, sectors.len() as u64, least)
        };
        to.count += 1;
        to.bytes += asked;
        to.parts += parts;
        to.least += least.min(parts);
    }

    /// The block has ended, or is cut: what not all threads of a warp came to is a request as well.
    pub fn end_block(&mut self) {
        self.traffic.is_cut = self.is_enough();
        for (_, request) in std::mem::take(&mut self.pending) {
            self.count(&request);
        }
        self.times.clear();
        self.traffic.blocks += 1;
    }

    /// What the launch came to.
    pub fn end(self) -> Traffic {
        let [read, written] = self.touched.map(|sectors| sectors.len() as u64 * SECTOR);
        let elements = self.buffers.values().map(Buffer::elements).max().unwrap_or(0);
        Traffic { read, written, elements, ..self.traffic }
    }
}

/// The turns of a request to shared memory: as many threads at a time as 128 bytes take, and of these one
/// word of a bank in each.
fn turns(addresses: &[u64], bytes: u64) -> u64 {
    let together = (BANKS * WORD / bytes.max(WORD)) as usize;
    let of = |group: &[u64]| {
        let words = group.iter().flat_map(|at| at / WORD..=(at + bytes - 1) / WORD);
        let words: FxHashSet<u64> = words.collect();
        let mut banks = [0; BANKS as usize];
        words.iter().for_each(|word| banks[(word % BANKS) as usize] += 1);
        banks.into_iter().max().unwrap_or(0)
    };
    addresses.chunks(together).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::{Counter, Requests, Site, Traffic};

    fn counted(bytes: u64, place: impl Fn(u64) -> u64, alignment: u64) -> Traffic {
        let mut counter = Counter::new([0].into_iter());
        counter.shares(1 << 20, 1 << 16);
        let site = Site { number: 1, alignment, element: 4, writes: false };
        (0..32).for_each(|thread| counter.access(thread, place(thread as u64), bytes, site));
        counter.end_block();
        counter.end()
    }

    #[test]
    fn neighbours_share_sectors() {
        let row = counted(4, |thread| 4 * thread, 4);
        assert_eq!(row.global, Requests { count: 1, bytes: 128, parts: 4, least: 4 });
        assert_eq!((row.read, row.written, row.elements), (128, 0, 32));
        let apart = counted(4, |thread| 4096 * thread, 4);
        assert_eq!(apart.global, Requests { count: 1, bytes: 128, parts: 32, least: 4 });
        assert_eq!(apart.read, 1024);
    }

    #[test]
    fn an_alignment_parts_an_access() {
        let whole = counted(16, |thread| 16 * thread, 16);
        assert_eq!(whole.global, Requests { count: 1, bytes: 512, parts: 16, least: 16 });
        let words = counted(16, |thread| 16 * thread, 4);
        assert_eq!(words.global, Requests { count: 4, bytes: 512, parts: 64, least: 16 });
    }

    #[test]
    fn words_of_one_bank_take_turns() {
        let base = 1 << 20;
        let turns = |bytes, place: fn(u64) -> u64| counted(bytes, |t| base + place(t), bytes).shared.parts;
        assert_eq!(turns(4, |thread| 4 * thread), 1);
        assert_eq!(turns(4, |thread| 128 * thread), 32);
        assert_eq!(turns(4, |_| 0), 1);
        assert_eq!(turns(16, |thread| 16 * thread), 4);
    }
}
