//! How the operations of each dialect are decoded.

mod affine;
mod arith;
mod arranging;
mod backward;
mod boundary;
mod channel_norms;
mod clamping;
mod combine;
mod complex;
mod contractions;
mod control;
mod creation;
mod custom;
mod elementary;
mod elementwise;
mod foreach;
mod groups;
mod image_gradients;
mod kernel;
mod loops;
mod losses;
mod math;
mod memref;
mod metadata;
mod neural;
mod numbers;
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
    elementary::register(table);
    foreach::register(table);
    operators::register(table);
    channel_norms::register(table);
    contractions::register(table);
    pooling::register(table);
    image_gradients::register(table);
    losses::register(table);
    neural::register(table);
    places::register(table);
    ordering::register(table);
    views::register(table);
    complex::register(table);
    reshaping::register(table);
    metadata::register(table);
    creation::register(table);
    numbers::register(table);
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
