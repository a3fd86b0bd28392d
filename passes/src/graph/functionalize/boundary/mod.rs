//! What stands around the core: guards, what goes in, what comes out, what is written back.

pub mod core_layouts;
pub mod guards;
pub mod new_layouts;
pub mod outline;
pub mod plan;
pub mod recognized;
pub mod regions;
pub mod results;
pub mod updates;
