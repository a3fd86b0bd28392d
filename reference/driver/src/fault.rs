//! Faults that are made on purpose, so that whoever checks results can be checked.
//!
//! `TERRACE_FAKE_CUDA_FAULT=KIND:N` makes one at the N-th launch of the process, the first of which is 1.

use std::env;
use terrace_call::DeviceError;
use terrace_threads::Memory;

/// How many bytes behind are written: allocations are rounded up by less.
const BEHIND: usize = 128;

/// What is made wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The last byte that the kernel writes has another value.
    Value,
    /// Bytes behind the last one that it writes are written.
    Outside,
    /// The kernel does not run.
    Missing,
}

/// A fault, and the launch that it happens to.
pub struct Fault {
    kind: Kind,
    pub launch: u64,
}

impl Fault {
    /// That of the environment; None: there is none.
    pub fn of_environment() -> Option<Self> {
        let text = env::var("TERRACE_FAKE_CUDA_FAULT").ok()?;
        let (kind, launch) = text.split_once(':')?;
        let kind = match kind {
            "value" => Kind::Value,
            "outside" => Kind::Outside,
            "missing" => Kind::Missing,
            _ => return None,
        };
        Some(Self { kind, launch: launch.parse().ok()? })
    }

    /// Launches a kernel with the fault.
    pub fn make(
        &self,
        memory: &Memory,
        launch: impl FnOnce() -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        if self.kind == Kind::Missing {
            return Ok(());
        }
        let before = memory.contents();
        launch()?;
        let last = memory.contents().into_iter().zip(before).find_map(|((address, now), (_, then))| {
            let last = now.iter().zip(&then).rposition(|(now, then)| now != then)?;
            Some(address + last as u64)
        });
        let Some(last) = last else { return Ok(()) };
        let (place, bytes) = if self.kind == Kind::Value { (last, 1) } else { (last + 1, BEHIND) };
        memory.with(place, bytes, |there| there.iter_mut().for_each(|byte| *byte ^= 0x41))
    }
}
