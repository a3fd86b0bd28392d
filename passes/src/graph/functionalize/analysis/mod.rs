//! What each tensor of a function is, what is read and written, and what has to hold of arguments.

pub mod capacities;
pub mod checks;
pub mod choices;
pub mod custom;
pub mod demands;
pub mod distinct;
pub mod dynamic_views;
pub mod flow;
pub mod generator;
pub mod granules;
pub mod joins;
pub mod logical_views;
pub mod merges;
pub mod reaches;
pub mod sizes;
pub mod state;
pub mod tensors;
pub mod transform;
pub mod visits;
pub mod writes;
