//! Kernels for a GPU, run on an emulator of one, against the interpreter.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod common;

/// The tests, and what they share, are in the folder of this name.
mod gpu {
    mod emulated;
    mod faults;
    mod kernels;
    mod programs;
}
