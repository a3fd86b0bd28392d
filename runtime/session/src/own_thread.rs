//! What one thread has made and no other one may touch, in a value that goes between threads.

use std::{
    mem::ManuallyDrop,
    thread::{self, ThreadId},
};

/// A value for the thread that made it.
pub(crate) struct OwnThread<T> {
    thread: ThreadId,
    value: ManuallyDrop<T>,
}

// SAFETY: only the thread that made it sees the value, or drops it.
unsafe impl<T> Send for OwnThread<T> {}
// SAFETY: `get` gives the value to the thread that made it alone.
unsafe impl<T> Sync for OwnThread<T> {}

impl<T> OwnThread<T> {
    pub fn new(value: T) -> Self {
        Self { thread: thread::current().id(), value: ManuallyDrop::new(value) }
    }

    /// The value; none on another thread.
    pub fn get(&self) -> Option<&T> {
        (thread::current().id() == self.thread).then_some(&*self.value)
    }
}

impl<T> Drop for OwnThread<T> {
    /// On another thread it stays for as long as the process.
    fn drop(&mut self) {
        if thread::current().id() == self.thread {
            // SAFETY: it is dropped once.
            unsafe { ManuallyDrop::drop(&mut self.value) }
        }
    }
}
