//! What surrounds bufferization: the boundary of the eager data model, arguments by value, memory of loops,
//! the context of a call.

pub mod add_call_context;
pub(crate) mod carry_in_place;
pub mod convert_graph_boundary_to_memref;
pub mod elide_copies;
pub mod pack_allocations;
pub mod place_deallocations;
pub mod protect_arguments;
pub mod reshape_destinations;
pub mod separate_destinations;
