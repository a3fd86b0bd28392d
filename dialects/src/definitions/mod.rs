//! What ODS leaves to Rust, operation by operation: checks, effects, folds, canonicalization.

pub(crate) mod effects;
pub(crate) mod folds;
pub(crate) mod patterns;
pub(crate) mod symbol_verifiers;
pub mod verifiers;
