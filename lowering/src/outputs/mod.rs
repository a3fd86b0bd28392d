//! The way out: loop becomes scf; nothing of a level above is left.

pub mod convert_loop_to_scf;
pub mod verify_level;
