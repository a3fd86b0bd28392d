//! Passes on kernel, and the tile programs that they and [`crate::loops::convert_to_kernel`] write.

pub(crate) mod collect_launches;
pub(crate) mod defer_assertions;
pub(crate) mod expand_templates;
pub(crate) mod hoist_launches;
pub(crate) mod pair_products;
pub(crate) mod schedule_templates;
pub(crate) mod tile_programs;
mod uses;
