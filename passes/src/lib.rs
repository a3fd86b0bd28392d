//! Passes within and between the four dialects

mod convert_functional_to_loop;
mod convert_loop_to_kernel;
mod emit;
mod functional;
mod functional_decompose;
mod functional_partition;
mod functional_reinplace;
mod functional_verify_contiguous;
mod functional_view_to_copy;
mod functional_widen;
mod functions;
mod graph_deferred_init;
pub mod graph_functionalize;
mod graph_propagate_fake;
mod graph_resolve_views;
mod graph_specialize_aliases;
mod graph_structure;
mod kernel_expand_templates;
mod kernel_schedule_templates;
mod loop_fuse;
mod loop_inline_producers;
mod loop_reorder;
mod loop_reuse_destinations;
mod loop_tile;
mod loops;
mod tile_programs;

pub use convert_functional_to_loop::{is_pointwise, is_read_through};
pub use functional_decompose::decomposed;

include!(concat!(env!("OUT_DIR"), "/passes.rs"));
