//! A program with its kernels on a device.

use super::{
    Device, Kernel, host,
    resident::{Resident, Storages},
};
use crate::{Entries, Error, Offset};
use std::{any::Any, cell::RefCell, collections::HashMap, time::Duration};
use terrace_rt::context::Context;
use terrace_tensor::Value;

/// A program with its kernels on a device.
pub struct GpuProgram {
    entries: Entries,
    device: Box<dyn Device>,
    kernels: Vec<Kernel>,
    constants: RefCell<HashMap<u64, u64>>,
    /// What keeps the code of the entries.
    _code: Box<dyn Any>,
}

impl GpuProgram {
    /// The entry points of the host's code, which asks [`symbols`](super::symbols), and frees by
    /// [`free_with_call`](super::free_with_call). `code` keeps it; `device` has its kernels, which `kernels`
    /// lists by their numbers.
    pub fn new(entries: Entries, code: Box<dyn Any>, kernels: Vec<Kernel>, device: Box<dyn Device>) -> Self {
        Self { entries, device, kernels, constants: RefCell::default(), _code: code }
    }

    /// The entry points.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// What runs the kernels.
    pub fn device(&self) -> &dyn Device {
        &*self.device
    }

    /// Makes calls whose arguments stay on the device in between.
    pub fn resident(&self) -> Resident<'_> {
        Resident::new(self)
    }

    /// Does something with the entries while their code asks the device.
    pub(super) fn during<R>(
        &self,
        context: &mut Context,
        storages: &RefCell<Storages>,
        work: impl FnOnce(&Context, &Entries) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let call = host::Call {
            device: &*self.device,
            kernels: &self.kernels,
            storages,
            constants: &self.constants,
            allocated: RefCell::default(),
            error: RefCell::default(),
        };
        call.lend(context);
        let done = work(context, &self.entries);
        context.device = None;
        let done = match call.error.take() {
            Some(error) => Err(Error::Device(error)),
            None => done,
        };
        // What the device says of that counts where all else went well.
        let free = |done: Result<R, Error>, address| match (self.device.free(address), done) {
            (Err(error), Ok(_)) => Err(Error::Device(error)),
            (_, done) => done,
        };
        call.allocated.take().into_iter().fold(done, free)
    }

    /// Calls an entry point with tensors and numbers of this process, as [`Entries::run`].
    ///
    /// # Errors
    /// As there; what the device says.
    pub fn run(
        &self,
        context: &mut Context,
        name: &str,
        arguments: &[Value],
        offsets: &[Offset],
    ) -> Result<Vec<Value>, Error> {
        let there = self.resident();
        let results = there.run(context, name, arguments, offsets)?;
        there.fetch().map(|()| results)
    }

    /// Calls an entry point so many times, and says how long the device took for each; results are dropped.
    ///
    /// # Errors
    /// As [`GpuProgram::run`].
    pub fn time(
        &self,
        context: &mut Context,
        name: &str,
        arguments: &[Value],
        offsets: &[Offset],
        count: usize,
    ) -> Result<Vec<Duration>, Error> {
        let there = self.resident();
        (0..count).map(|_| there.time(context, name, arguments, offsets)).collect()
    }
}

impl Drop for GpuProgram {
    fn drop(&mut self) {
        for address in self.constants.borrow().values() {
            _ = self.device.free(*address);
        }
    }
}
