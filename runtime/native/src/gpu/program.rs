//! A program with its kernels on a device: arguments there, results back.
//!
//! Each storage among the arguments is copied to the device whole, once, so that arguments that share one share it there
//! too, and back after the call. What a result owns is copied into a storage of its own.

use super::{Device, DeviceError, host};
use crate::{
    Code, Error, Loaded, MemRefOutput, Offset,
    values::{self, Memory},
};
use std::{cell::RefCell, collections::HashMap, time::Duration};
use terrace_rt::context::Context;
use terrace_tensor::{Storage, Value};

/// A program with its kernels on a device.
pub struct GpuProgram {
    loaded: Loaded,
    device: Box<dyn Device>,
    kernels: Vec<String>,
    constants: RefCell<HashMap<u64, u64>>,
}

/// The storages of a call's arguments on the device.
struct There<'a> {
    device: &'a dyn Device,
    storages: RefCell<Vec<(Storage, u64)>>,
}

impl Memory for There<'_> {
    fn address(&self, storage: &Storage) -> Result<*mut u8, Error> {
        let known = |(other, _): &&(Storage, u64)| other.is_same(storage);
        if let Some((_, address)) = self.storages.borrow().iter().find(known) {
            return Ok(*address as *mut u8);
        }
        let address = self.device.allocate(storage.len().max(1)).map_err(Error::Device)?;
        self.storages.borrow_mut().push((storage.clone(), address));
        self.device.write(address, &storage.to_bytes()).map_err(Error::Device)?;
        Ok(address as *mut u8)
    }

    unsafe fn storage(&self, own: &MemRefOutput, bytes: usize) -> Result<Storage, Error> {
        let storage = Storage::zeroed(bytes).map_err(|e| Error::Shape(e.to_string()))?;
        self.copy(own.aligned as u64, &storage)?;
        Ok(storage)
    }
}

impl There<'_> {
    /// Copies memory of the device into a storage, as much as that has.
    fn copy(&self, from: u64, to: &Storage) -> Result<(), Error> {
        let mut bytes = vec![0; to.len()];
        self.device.read(from, &mut bytes).map_err(Error::Device)?;
        to.write_bytes(0, &bytes);
        Ok(())
    }

    /// Brings back what the call may have written.
    fn fetch(&self) -> Result<(), Error> {
        self.storages.borrow().iter().try_for_each(|(storage, address)| self.copy(*address, storage))
    }
}

impl Drop for There<'_> {
    fn drop(&mut self) {
        for (_, address) in self.storages.borrow().iter() {
            // What could go wrong has been said by what failed before.
            _ = self.device.free(*address);
        }
    }
}

impl GpuProgram {
    /// Loads the host's code of a program into the process; `device` has its kernels, `kernels` names them by their
    /// numbers.
    ///
    /// # Errors
    /// What the linker says.
    pub fn load(code: &Code, kernels: Vec<String>, device: Box<dyn Device>) -> Result<Self, Error> {
        let loaded = Loaded::link(code, &host::symbols(), host::keep)?;
        Ok(Self { loaded, device, kernels, constants: RefCell::default() })
    }

    /// Does something with the session whose code asks the device.
    fn during<R>(
        &self,
        context: &mut Context,
        work: impl FnOnce(&Context, &There) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let there = There { device: &*self.device, storages: RefCell::default() };
        let call = host::Call {
            device: &*self.device,
            kernels: &self.kernels,
            constants: &self.constants,
            allocated: RefCell::default(),
            error: RefCell::default(),
        };
        call.lend(context);
        let done = work(context, &there);
        context.device = None;
        let done = match call.error.take() {
            Some(error) => Err(Error::Device(error)),
            None => done.and_then(|done| there.fetch().map(|()| done)),
        };
        for address in call.allocated.take() {
            _ = self.device.free(address);
        }
        done
    }

    /// Calls an entry point with tensors and numbers, as [`Loaded::run`].
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
        self.during(context, |context, there| {
            values::run((&self.loaded, context), there, name, arguments, offsets)
        })
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
        self.during(context, |context, there| {
            let arguments = values::arguments(there, name, arguments, offsets)?;
            let mut times = vec![];
            for _ in 0..count {
                let mut outcome = Ok(());
                let time = self.device.time(&mut || {
                    outcome = self.loaded.call(context, name, &arguments).map(drop);
                    Ok::<(), DeviceError>(())
                });
                outcome?;
                times.push(time.map_err(Error::Device)?);
            }
            Ok(times)
        })
    }
}

impl Drop for GpuProgram {
    fn drop(&mut self) {
        for address in self.constants.borrow().values() {
            _ = self.device.free(*address);
        }
    }
}
