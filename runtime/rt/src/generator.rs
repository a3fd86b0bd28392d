//! The generator that draws come from: a seed, and how many operations have drawn since, of each thread its own.
//!
//! Compiled code reads the state when it starts, computes each draw from it, and sets the state that it leaves behind.

use std::cell::Cell;

thread_local! {
    static STATE: Cell<[i64; 2]> = const { Cell::new([0, 0]) };
}

/// The seed of this thread's generator; 0 until one is set.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_generator_seed() -> i64 {
    STATE.get()[0]
}

/// How many operations have drawn from this thread's generator since it was seeded.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_generator_drawn() -> i64 {
    STATE.get()[1]
}

/// Makes this thread's generator go on from a state; `drawn` is 0 for a new seed.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_set_generator(seed: i64, drawn: i64) {
    STATE.set([seed, drawn]);
}
