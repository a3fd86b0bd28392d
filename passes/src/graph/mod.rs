//! Passes on graph, down to functional.

pub mod deferred_init;
pub mod functionalize;
pub mod propagate_fake;
pub mod resolve_views;
pub mod specialize_aliases;
pub mod structure;
