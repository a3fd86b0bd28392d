//! A body in values: storages become values, control flow carries them.

pub mod control;
pub mod generator;
pub mod on_values;
pub mod place;
pub mod rewriter;
pub mod selecting;
pub mod steps;
pub mod storages;
pub mod values;
