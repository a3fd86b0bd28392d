//! The entry points of code that somebody has loaded.

use crate::{
    Arg, Error, Output, Signature,
    call::{self, Packed},
    memref::Free,
};
use terrace_rt::context::Context;

/// What stands in front of the name of a function's packed form.
pub const PACKED: &str = "_terrace_packed_";

/// The function of code in a shared library that is told where those are that it calls: it takes a pointer to
/// their addresses.
pub const LINK: &str = "_terrace_link";

/// Entry points; they are there as long as the code is.
pub struct Entries {
    entries: Vec<(Signature, Packed)>,
    /// What frees the buffers that results own.
    free: Free,
}

impl Entries {
    /// Entry points by their packed forms, which [`PACKED`] and their names are the symbols of.
    ///
    /// # Safety
    /// Each is the packed form of a function of its signature, and is there as long as this; `free` frees
    /// what they allocate.
    pub unsafe fn new(entries: Vec<(Signature, Packed)>, free: Free) -> Self {
        Self { entries, free }
    }

    /// What they take and return.
    pub fn signatures(&self) -> impl Iterator<Item = &Signature> {
        self.entries.iter().map(|(signature, _)| signature)
    }

    /// The packed form of an entry point: who calls it writes descriptors himself.
    pub fn packed(&self, name: &str) -> Option<Packed> {
        self.entries.iter().find(|(signature, _)| signature.name == name).map(|(_, packed)| *packed)
    }

    /// Calls an entry point.
    ///
    /// Arguments are checked against its signature: number, kind, element type, and every size, stride and
    /// offset that the type fixes. An error of the code itself comes back as [`Error::Runtime`]. The context
    /// is this call's alone until it comes back; many threads may call at once, each with its own.
    ///
    /// # Errors
    /// There is no such entry point, the arguments do not fit, or the code says so.
    pub fn call(&self, context: &Context, name: &str, arguments: &[Arg]) -> Result<Vec<Output>, Error> {
        let Some((signature, packed)) = self.entries.iter().find(|(signature, _)| signature.name == name)
        else {
            let names: Vec<_> = self.signatures().map(|s| format!("@{}", s.name)).collect();
            let known = if names.is_empty() {
                "there are none".into()
            } else {
                format!("there is {}", names.join(", "))
            };
            return Err(Error::NoEntry { name: name.into(), known });
        };
        // SAFETY: the packed form of this signature, as `new` was told.
        unsafe { call::call(*packed, signature, context, arguments, self.free) }
    }
}
