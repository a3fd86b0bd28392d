//! Hand-written kernels, compiled for each level of vector instructions, against plain loops.

mod common;

/// The tests are in the folder of this name.
mod kernels {
    mod accesses;
    mod combinations;
    mod launches;

    /// `count` numbers that are exact in f32 and differ from their neighbours.
    fn numbers(count: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 37 + 11) % 101) as f32 - 50.0).collect()
    }
}
