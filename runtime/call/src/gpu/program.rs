//! A program with its kernels on a device.

use super::{Device, DeviceError, Kernel, host, to_device};
use crate::{Entries, Error, Offset, values};
use std::{any::Any, cell::RefCell, collections::HashMap, rc::Rc, time::Duration};
use terrace_rt::context::Context;
use terrace_tensor::Value;

/// A program with its kernels on a device.
pub struct GpuProgram {
    entries: Entries,
    device: Rc<dyn Device>,
    kernels: Vec<Kernel>,
    constants: RefCell<HashMap<u64, u64>>,
    /// What keeps the code of the entries.
    _code: Box<dyn Any>,
}

impl GpuProgram {
    /// The entry points of the host's code, which asks [`symbols`](super::symbols), and frees by
    /// [`free_with_call`](super::free_with_call). `code` keeps it; `device` has its kernels, which `kernels`
    /// lists by their numbers.
    pub fn new(entries: Entries, code: Box<dyn Any>, kernels: Vec<Kernel>, device: Rc<dyn Device>) -> Self {
        Self { entries, device, kernels, constants: RefCell::default(), _code: code }
    }

    /// The entry points.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// What runs the kernels.
    pub fn device(&self) -> &Rc<dyn Device> {
        &self.device
    }

    /// Calls an entry point with tensors and numbers, as [`Entries::run`]. Tensors of this process are copied
    /// to the device, and back where they may have been written. Where a tensor among the arguments lies on
    /// the device ([`to_device`](super::to_device)), so do the results: a call of such tensors alone is its
    /// launches.
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
        let is_there = |value: &Value| {
            value.as_tensor().is_some_and(|tensor| tensor.storage().address_elsewhere().is_some())
        };
        let call = host::Call {
            device: &self.device,
            kernels: &self.kernels,
            constants: &self.constants,
            stay: arguments.iter().any(is_there),
            copies: RefCell::default(),
            allocated: RefCell::default(),
            error: RefCell::default(),
        };
        call.lend(context);
        let done = values::run((&self.entries, context), &call, name, arguments, offsets);
        context.device = None;
        let done = match call.error.take() {
            Some(error) => Err(Error::Device(error)),
            None => done,
        };
        let done = done.and_then(|results| call.fetch().map(|()| results));
        // What the device says of that counts where all else went well.
        let free = |done: Result<Vec<Value>, Error>, address| match (self.device.free(address), done) {
            (Err(error), Ok(_)) => Err(Error::Device(error)),
            (_, done) => done,
        };
        call.allocated.take().into_iter().fold(done, free)
    }

    /// Calls an entry point so many times with copies of the arguments on the device, and says how long the
    /// device took for each; results are dropped.
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
        let arguments = to_device(&self.device, arguments)?;
        let one = |_| {
            let mut outcome = Ok(());
            let time = self.device.time(&mut || {
                outcome = self.run(context, name, &arguments, offsets).map(drop);
                Ok::<(), DeviceError>(())
            });
            outcome?;
            Ok(time?)
        };
        (0..count).map(one).collect()
    }
}

impl Drop for GpuProgram {
    fn drop(&mut self) {
        for address in self.constants.borrow().values() {
            _ = self.device.free(*address);
        }
    }
}
