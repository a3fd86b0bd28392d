//! How the operations of each dialect are decoded.

mod affine;
mod arith;
mod boundary;
mod combine;
mod control;
mod custom;
mod elementwise;
mod groups;
mod kernel;
mod loops;
mod math;
mod memref;
mod operators;
mod parameters;
mod pointwise;
mod reshaping;
mod templates;
mod tensor;
mod views;

use crate::machine::Table;

/// Adds the operations of all dialects to a table.
pub(crate) fn register(table: &mut Table) {
    pointwise::register(table);
    parameters::register(table);
    operators::register(table);
    views::register(table);
    reshaping::register(table);
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
