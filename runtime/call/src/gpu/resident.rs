//! The storages of arguments on a device, over several calls.
//!
//! Each storage among the arguments is copied to the device whole, at the first call that has it, so that
//! arguments that share one share it there too. A call marks those that a kernel may have written: these
//! alone come back.

use super::{Device, DeviceError, GpuProgram};
use crate::{
    Error, MemRefOutput, Offset,
    values::{self, Memory},
};
use std::{cell::RefCell, collections::BTreeMap, time::Duration};
use terrace_rt::context::Context;
use terrace_tensor::{Storage, Value};

/// A storage that a device has a copy of.
struct Copied {
    storage: Storage,
    /// Whether the copy may differ.
    written: bool,
}

/// Storages by the addresses of their copies.
#[derive(Default)]
pub(super) struct Storages(BTreeMap<u64, Copied>);

impl Storages {
    /// What is at this address may be written.
    pub fn note_write(&mut self, address: u64) {
        if let Some((from, copied)) = self.0.range_mut(..=address).next_back() {
            copied.written |= address - from < copied.storage.len().max(1) as u64;
        }
    }
}

/// What the arguments of calls have on a device, until this is dropped.
pub struct Resident<'p> {
    program: &'p GpuProgram,
    storages: RefCell<Storages>,
}

impl Memory for Resident<'_> {
    fn address(&self, storage: &Storage) -> Result<*mut u8, Error> {
        let known = |(_, copied): &(&u64, &Copied)| copied.storage.is_same(storage);
        if let Some((address, _)) = self.storages.borrow().0.iter().find(known) {
            return Ok(*address as *mut u8);
        }
        let address = self.device().allocate(storage.len().max(1))?;
        let copied = Copied { storage: storage.clone(), written: false };
        self.storages.borrow_mut().0.insert(address, copied);
        self.device().write(address, &storage.to_bytes())?;
        Ok(address as *mut u8)
    }

    unsafe fn storage(&self, own: &MemRefOutput, bytes: usize) -> Result<Storage, Error> {
        let storage = Storage::zeroed(bytes).map_err(|e| Error::Shape(e.to_string()))?;
        self.copy(own.aligned as u64, &storage)?;
        Ok(storage)
    }
}

impl<'p> Resident<'p> {
    pub(super) fn new(program: &'p GpuProgram) -> Self {
        Self { program, storages: RefCell::default() }
    }

    fn device(&self) -> &dyn Device {
        self.program.device()
    }

    /// Copies memory of the device into a storage, as much as that has.
    fn copy(&self, from: u64, to: &Storage) -> Result<(), Error> {
        let mut bytes = vec![0; to.len()];
        self.device().read(from, &mut bytes)?;
        to.write_bytes(0, &bytes);
        Ok(())
    }

    /// Calls an entry point with tensors and numbers, as [`Entries::run`](crate::Entries::run). What it
    /// returns is copied into storages of its own; what it writes is on the device alone until
    /// [`Resident::fetch`].
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
        self.program.during(context, &self.storages, |context, entries| {
            values::run((entries, context), self, name, arguments, offsets)
        })
    }

    /// Copies back what calls may have written since the last time.
    ///
    /// # Errors
    /// What the device says.
    pub fn fetch(&self) -> Result<(), Error> {
        for (address, copied) in &mut self.storages.borrow_mut().0 {
            if std::mem::take(&mut copied.written) {
                self.copy(*address, &copied.storage)?;
            }
        }
        Ok(())
    }

    /// The same where nobody wants the results: they are dropped on the device.
    ///
    /// # Errors
    /// As [`Resident::run`].
    pub fn launch(
        &self,
        context: &mut Context,
        name: &str,
        arguments: &[Value],
        offsets: &[Offset],
    ) -> Result<(), Error> {
        let arguments = values::arguments(self, name, arguments, offsets)?;
        self.program.during(context, &self.storages, |context, entries| {
            entries.call(context, name, &arguments).map(drop)
        })
    }

    /// How long the device takes for a [`Resident::launch`].
    ///
    /// # Errors
    /// As there.
    pub fn time(
        &self,
        context: &mut Context,
        name: &str,
        arguments: &[Value],
        offsets: &[Offset],
    ) -> Result<Duration, Error> {
        // What is not there yet goes there before.
        values::arguments(self, name, arguments, offsets)?;
        let mut outcome = Ok(());
        let time = self.device().time(&mut || {
            outcome = self.launch(context, name, arguments, offsets);
            Ok::<(), DeviceError>(())
        });
        outcome?;
        Ok(time?)
    }
}

impl Drop for Resident<'_> {
    fn drop(&mut self) {
        for address in self.storages.borrow().0.keys() {
            // What could go wrong has been said by what failed before.
            _ = self.device().free(*address);
        }
    }
}
