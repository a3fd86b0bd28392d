//! Who touched each byte last: two threads that touch one without a barrier between them, one of them to
//! write, race.
//!
//! Time goes in steps, one from a barrier to the next; blocks have steps of their own. In one step of a block
//! what one thread writes no other one may touch, and in one launch what one block writes no other one. What
//! writes the value that is already there is let be: points of a loop that meet may write the same. Atomic
//! operations are not watched. Source of the idea: Savage et al., "Eraser", 1997, with barriers in place of
//! locks.

use std::collections::HashMap;

/// Bytes of a page.
const PAGE: usize = 1 << 12;

/// Several threads.
const MANY: u32 = u32::MAX;

/// The last write and the last read of a byte: the step, and the thread.
#[derive(Clone, Copy, Default)]
struct Byte {
    written: (u32, u32),
    read: (u32, u32),
    value: u8,
}

/// When something happens, and who does it.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    /// The first step of the launch.
    pub launch: u32,
    /// The first step of the block.
    pub block: u32,
    pub step: u32,
    pub thread: u32,
}

/// A race: with whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Race {
    /// A thread of the same block; None: several.
    Thread(Option<u32>),
    /// A block before.
    Block,
}

impl Moment {
    /// Whether another thread did something in the meantime, for all that one can know.
    fn meets(self, (step, thread): (u32, u32)) -> Option<Race> {
        if step == self.step && thread != self.thread {
            return Some(Race::Thread((thread != MANY).then_some(thread)));
        }
        (self.launch..self.block).contains(&step).then_some(Race::Block)
    }
}

/// What is known of all bytes.
#[derive(Default)]
pub(crate) struct Shadow {
    pages: HashMap<usize, Box<[Byte; PAGE]>>,
}

impl Shadow {
    fn byte(&mut self, address: usize) -> &mut Byte {
        let page = self.pages.entry(address / PAGE).or_insert_with(|| Box::new([Byte::default(); PAGE]));
        &mut page[address % PAGE]
    }

    /// Somebody reads so many bytes.
    pub fn read(&mut self, address: usize, size: usize, now: Moment) -> Option<Race> {
        let mut race = None;
        for address in address..address + size {
            let byte = self.byte(address);
            race = race.or(now.meets(byte.written));
            let also = byte.read.0 == now.step && byte.read.1 != now.thread;
            byte.read = (now.step, if also { MANY } else { now.thread });
        }
        race
    }

    /// Somebody has written these bytes.
    pub fn written(&mut self, address: usize, values: &[u8], now: Moment) -> Option<Race> {
        let mut race = None;
        for (address, value) in (address..).zip(values) {
            let byte = self.byte(address);
            let same = byte.value == *value;
            let with = now.meets(byte.written).filter(|_| !same);
            race = race.or(with).or(now.meets(byte.read));
            let also = byte.written.0 == now.step && byte.written.1 != now.thread;
            *byte =
                Byte { written: (now.step, if also { MANY } else { now.thread }), value: *value, ..*byte };
        }
        race
    }

    /// Nobody knows these bytes any more.
    pub fn forget(&mut self, address: usize, size: usize) {
        for address in address..address + size {
            *self.byte(address) = Byte::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Moment, Race, Shadow};

    const FIRST: Moment = Moment { launch: 1, block: 1, step: 1, thread: 0 };
    const OTHER: Moment = Moment { thread: 1, ..FIRST };

    #[test]
    fn what_one_thread_writes_another_may_not_touch_before_they_met() {
        let mut shadow = Shadow::default();
        assert_eq!(shadow.written(100, &[1, 2, 3, 4], FIRST), None);
        assert_eq!(shadow.read(100, 4, FIRST), None);
        assert_eq!(shadow.read(103, 4, OTHER), Some(Race::Thread(Some(0))));
        assert_eq!(shadow.written(102, &[7], OTHER), Some(Race::Thread(Some(0))));
        assert_eq!(shadow.read(102, 1, Moment { step: 2, ..FIRST }), None);
    }

    #[test]
    fn what_several_read_one_of_them_may_not_write() {
        let mut shadow = Shadow::default();
        assert_eq!(shadow.read(8, 4, FIRST).or(shadow.read(8, 4, OTHER)), None);
        assert_eq!(shadow.written(8, &[5], OTHER), Some(Race::Thread(None)));
        assert_eq!(shadow.written(9, &[5], Moment { step: 2, ..OTHER }), None);
    }

    #[test]
    fn writes_of_one_value_do_not_race() {
        let mut shadow = Shadow::default();
        assert_eq!(shadow.written(8, &[5], FIRST).or(shadow.written(8, &[5], OTHER)), None);
        assert_eq!(shadow.written(8, &[6], OTHER), Some(Race::Thread(None)));
    }

    #[test]
    fn blocks_of_one_launch_do_not_meet() {
        let mut shadow = Shadow::default();
        let block = Moment { launch: 1, block: 3, step: 4, thread: 0 };
        assert_eq!(shadow.written(8, &[5], FIRST), None);
        assert_eq!(shadow.read(8, 1, block), Some(Race::Block));
        assert_eq!(shadow.written(8, &[6], Moment { launch: 3, ..block }), None);
        shadow.forget(8, 1);
        assert_eq!(shadow.read(8, 1, Moment { block: 5, step: 5, ..block }), None);
    }
}
