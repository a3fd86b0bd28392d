//! Tensors on a device.

use super::{Device, DeviceError};
use crate::Error;
use std::rc::Rc;
use terrace_tensor::{Elsewhere, Storage, TensorError, Value};

/// Memory of a device, which is freed with this.
pub(super) struct Block {
    device: Rc<dyn Device>,
    address: u64,
}

impl Block {
    /// What was allocated there, and nobody else frees.
    pub fn new(device: &Rc<dyn Device>, address: u64) -> Self {
        Self { device: device.clone(), address }
    }

    /// New memory with a copy of a storage of this process.
    pub fn of(device: &Rc<dyn Device>, storage: &Storage) -> Result<Self, DeviceError> {
        let block = Self::new(device, device.allocate(storage.len().max(1))?);
        device.write(block.address, &storage.to_bytes())?;
        Ok(block)
    }
}

impl Elsewhere for Block {
    fn address(&self) -> u64 {
        self.address
    }

    fn read(&self, bytes: &mut [u8]) -> Result<(), TensorError> {
        self.device.read(self.address, bytes).map_err(|e| TensorError::Elsewhere(e.to_string()))
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // What could go wrong has been said by what failed before.
        _ = self.device.free(self.address);
    }
}

/// The same values on a device: what lies there stays, what lies in this process is copied, each storage
/// once. [`Value::here`] is the way back.
///
/// # Errors
/// A tensor has no elements; what the device says.
pub fn to_device(device: &Rc<dyn Device>, values: &[Value]) -> Result<Vec<Value>, Error> {
    Value::on_others(values, |storage| {
        if storage.is_fake() {
            return Err(Error::Shape("a fake tensor has no elements to copy to a device".into()));
        }
        Ok(match storage.address_elsewhere() {
            Some(_) => storage.clone(),
            None => Storage::elsewhere(Rc::new(Block::of(device, storage)?), storage.len()),
        })
    })
}
