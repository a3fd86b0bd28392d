//! How the operations of each dialect are decoded.

mod affine;
mod arith;
mod arranging;
mod backward;
mod boundary;
mod channel_norms;
mod checks;
mod clamping;
mod combine;
mod complex;
mod complex_numbers;
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
mod library;
mod linalg;
mod loops;
mod losses;
mod maps;
mod math;
mod memref;
mod metadata;
mod neural;
mod numbers;
mod operators;
mod ordering;
mod parallel;
mod parameters;
mod places;
mod pointwise;
mod pooling;
mod random;
mod reshaping;
mod templates;
mod tensor;
mod views;

use crate::machine::{Interpreter, Table};
use melior::ir::Module;
use std::rc::Rc;

/// The operations of all dialects, made once for each thread.
pub(crate) fn table() -> Rc<Table> {
    thread_local! {
        static TABLE: Rc<Table> = {
            terrace_dialects::init();
            let mut table = Table::default();
            register(&mut table);
            Rc::new(table)
        };
    }
    TABLE.with(Rc::clone)
}

impl<'m> Interpreter<'m> {
    /// An interpreter of the functions of a module. The module must have been verified, as parsing does.
    pub fn new(module: &'m Module) -> Interpreter<'m> {
        Interpreter::over(table(), module)
    }
}

/// Adds the operations of all dialects to a table.
fn register(table: &mut Table) {
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
    complex_numbers::register(table);
    reshaping::register(table);
    metadata::register(table);
    creation::register(table);
    numbers::register(table);
    arranging::register(table);
    random::register(table);
    backward::register(table);
    boundary::register(table);
    checks::register(table);
    control::register(table);
    parallel::register(table);
    custom::register(table);
    arith::register(table);
    math::register(table);
    tensor::register(table);
    memref::register(table);
    library::register(table);
    linalg::register(table);
    affine::register(table);
    loops::register(table);
    groups::register(table);
    kernel::register(table);
    templates::register(table);
}
