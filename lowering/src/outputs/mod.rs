//! The way out: loop becomes scf.

pub mod convert_loop_to_scf;
