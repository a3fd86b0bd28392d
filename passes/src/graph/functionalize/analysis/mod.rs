//! What each tensor of a function is, what is read and written, and what has to hold of arguments.

pub mod cells;
pub mod checks;
pub mod choices;
pub mod custom;
pub mod demands;
pub mod distinct;
pub mod flow;
pub mod frames;
pub mod generator;
pub mod merges;
pub mod reaches;
pub mod rooms;
pub mod seen;
pub mod sizes;
pub mod state;
pub mod tensors;
pub mod visits;
pub mod ways;
pub mod windows;
pub mod writes;
