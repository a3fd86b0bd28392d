//! Carries the linker search path of the MLIR C interface
