//! Passes on functional, down to loop.

pub(crate) mod convert_to_loop;
pub(crate) mod decompose;
pub(crate) mod grow_concatenations;
pub(crate) mod partition;
pub(crate) mod reinplace;
pub(crate) mod verify_contiguous;
pub(crate) mod view_to_copy;
pub(crate) mod widen;
pub(crate) mod writer;
