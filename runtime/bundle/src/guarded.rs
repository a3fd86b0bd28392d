//! A device whose memory is poisoned and guarded: what a kernel does not write shows, and so does what it
//! writes outside.
//!
//! In front of each allocation and behind it lies a zone of a pattern that nobody may write; the allocation
//! itself is filled with a byte that is a NaN in every float type.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, time::Duration};
use terrace_call::{Device, DeviceError};

/// Bytes of a zone; 256 divides addresses.
const ZONE: usize = 256;
const PATTERN: u8 = 0xa5;
/// What is in memory that nobody has written.
const POISON: u8 = 0xff;

/// The allocations of a device, by their addresses, with the bytes of each.
#[derive(Debug, Default)]
pub struct Guards(RefCell<BTreeMap<u64, usize>>);

/// A device whose memory is guarded.
pub struct Guarded<D> {
    device: D,
    guards: Rc<Guards>,
}

impl Guards {
    /// That both zones of an allocation are as they were.
    fn check(device: &dyn Device, address: u64, bytes: usize) -> Result<(), DeviceError> {
        for (zone, place) in [(address - ZONE as u64, "in front of"), (address + bytes as u64, "behind")] {
            let mut found = [0; ZONE];
            device.read(zone, &mut found)?;
            let written = found.iter().filter(|byte| **byte != PATTERN).count();
            if written > 0 {
                return Err(DeviceError(format!("{written} bytes {place} a buffer of {bytes} were written")));
            }
        }
        Ok(())
    }
}

impl<D: Device> Guarded<D> {
    /// A device that has allocated nothing yet.
    pub fn new(device: D) -> Self {
        Self { device, guards: Rc::default() }
    }

    /// What looks after the zones of what is allocated.
    pub fn guards(&self) -> Rc<Guards> {
        self.guards.clone()
    }
}

impl Guards {
    /// Checks the zones of all that is allocated; `device` is the guarded one.
    ///
    /// # Errors
    /// Somebody wrote there.
    pub fn check_all(&self, device: &dyn Device) -> Result<(), DeviceError> {
        self.0.borrow().iter().try_for_each(|(address, bytes)| Guards::check(device, *address, *bytes))
    }
}

impl<D: Device> Device for Guarded<D> {
    fn allocate(&self, bytes: usize) -> Result<u64, DeviceError> {
        let start = self.device.allocate(bytes + 2 * ZONE)?;
        self.device.fill(start, PATTERN, bytes + 2 * ZONE)?;
        let address = start + ZONE as u64;
        self.device.fill(address, POISON, bytes)?;
        self.guards.0.borrow_mut().insert(address, bytes);
        Ok(address)
    }

    fn free(&self, address: u64) -> Result<(), DeviceError> {
        let known = self.guards.0.borrow_mut().remove(&address);
        let bytes =
            known.ok_or_else(|| DeviceError(format!("frees {address:#x}, which is not allocated")))?;
        Guards::check(&self.device, address, bytes)?;
        self.device.free(address - ZONE as u64)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.device.write(address, bytes)
    }

    fn fill(&self, address: u64, value: u8, bytes: usize) -> Result<(), DeviceError> {
        self.device.fill(address, value, bytes)
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.device.read(address, bytes)
    }

    unsafe fn launch(
        &self,
        kernel: &str,
        blocks: u64,
        threads: u64,
        arguments: &[u64],
    ) -> Result<(), DeviceError> {
        // SAFETY: the caller's.
        unsafe { self.device.launch(kernel, blocks, threads, arguments) }
    }

    fn synchronize(&self) -> Result<(), DeviceError> {
        self.device.synchronize()
    }

    fn time(&self, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<Duration, DeviceError> {
        self.device.time(work)
    }
}
