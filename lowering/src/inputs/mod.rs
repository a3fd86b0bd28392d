//! The ways in: affine, linalg and copies become loop; what has no way in is refused first.

pub mod convert_affine_to_loop;
pub mod convert_copy_to_loop;
pub mod convert_linalg_to_loop;
pub(crate) mod not_converted;
pub mod verify_inputs;
