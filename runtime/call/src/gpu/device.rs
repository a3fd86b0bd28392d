//! What runs kernels: memory of its own, and kernels by name.

use std::time::Duration;

/// What went wrong on a device; its text is for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DeviceError(pub String);

/// A kernel as who launches it knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kernel {
    /// Its name among those of a device.
    pub name: String,
    /// For each parameter whether it is a buffer that the kernel may write.
    pub writes: Vec<bool>,
}

/// A GPU with the kernels of a program, or what stands in for one. What is asked of it is done in order.
pub trait Device {
    /// Memory of so many bytes, one at least, from an address on that 256 divides.
    ///
    /// # Errors
    /// There is no more.
    fn allocate(&self, bytes: usize) -> Result<u64, DeviceError>;

    /// Takes memory back, whole.
    ///
    /// # Errors
    /// An earlier kernel failed.
    fn free(&self, address: u64) -> Result<(), DeviceError>;

    /// Copies bytes to the device.
    ///
    /// # Errors
    /// There is no such memory, or an earlier kernel failed.
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Sets so many bytes to a value.
    ///
    /// # Errors
    /// As [`Device::write`].
    fn fill(&self, address: u64, value: u8, bytes: usize) -> Result<(), DeviceError>;

    /// Copies bytes from the device, once all kernels before are done.
    ///
    /// # Errors
    /// As [`Device::write`].
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError>;

    /// Runs a kernel on so many blocks, one at least, of so many threads. Each argument is in the first bytes
    /// of a word.
    ///
    /// # Safety
    /// The arguments are those that the kernel takes, buffers as large as it takes them for.
    ///
    /// # Errors
    /// There is no such kernel, or it can't be run so.
    unsafe fn launch(
        &self,
        kernel: &str,
        blocks: u64,
        threads: u64,
        arguments: &[u64],
    ) -> Result<(), DeviceError>;

    /// Waits for all that was asked for.
    ///
    /// # Errors
    /// A kernel failed.
    fn synchronize(&self) -> Result<(), DeviceError>;

    /// How long the device takes for what is asked of it meanwhile.
    ///
    /// # Errors
    /// What the work comes to, or the clock.
    fn time(&self, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<Duration, DeviceError>;
}
