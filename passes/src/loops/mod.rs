//! Passes on loop, down to kernel.

pub(crate) mod collapse;
pub(crate) mod convert_to_kernel;
pub(crate) mod elide_roundings;
pub(crate) mod fill_slices;
pub(crate) mod fuse;
pub(crate) mod inline_producers;
pub(crate) mod narrow_tensors;
pub(crate) mod operation;
pub(crate) mod reorder;
pub(crate) mod reuse_destinations;
pub(crate) mod split_domain;
pub(crate) mod split_reduction;
pub(crate) mod split_scan;
pub(crate) mod tile;
