//! How the operations of each dialect are decoded.

mod affine;
mod arith;
mod arranging;
mod backward;
mod boundary;
mod channel_norms;
mod clamping;
mod combine;
mod contractions;
mod control;
mod creation;
mod custom;
mod elementwise;
mod groups;
mod kernel;
mod loops;
mod math;
mod memref;
mod operators;
mod ordering;
mod parameters;
mod places;
mod pointwise;
mod pooling;
mod random;
mod reshaping;
mod templates;
mod tensor;
mod views;

use crate::machine::Table;

/// Adds the operations of all dialects to a table.
pub(crate) fn register(table: &mut Table) {
    pointwise::register(table);
    parameters::register(table);
    clamping::register(table);
    operators::register(table);
    channel_norms::register(table);
    contractions::register(table);
    pooling::register(table);
    places::register(table);
    ordering::register(table);
    views::register(table);
    reshaping::register(table);
    creation::register(table);
    arranging::register(table);
    random::register(table);
    backward::register(table);
    boundary::register(table);
    control::register(table);
    custom::register(table);
    arith::register(table);
    math::register(table);
    tensor::register(table);
    memref::register(table);
    loops::register(table);
    groups::register(table);
    kernel::register(table);
    templates::register(table);
}
