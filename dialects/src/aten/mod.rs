//! What ATen says of its operators: result types ([`rules`]), where results stand ([`placement`]), lists,
//! custom operators.

pub mod custom;
pub mod foreach;
pub mod placement;
pub mod rules;
pub mod schema;
