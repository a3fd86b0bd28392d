//! The generator that draws come from: a seed, and how many operations have drawn since. It is of the call's
//! context; calls without one share one.
//!
//! Compiled code reads the state when it starts, computes each draw from it, and sets the state that it
//! leaves behind.

use crate::context::Context;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

static SHARED: [AtomicI64; 2] = [AtomicI64::new(0), AtomicI64::new(0)];

fn state(context: Option<&Context>) -> &[AtomicI64; 2] {
    context.map_or(&SHARED, |context| &context.generator)
}

/// The seed; 0 until one is set.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_generator_seed(context: Option<&Context>) -> i64 {
    state(context)[0].load(Relaxed)
}

/// How many operations have drawn since the generator was seeded.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_generator_drawn(context: Option<&Context>) -> i64 {
    state(context)[1].load(Relaxed)
}

/// Makes the generator go on from a state; `drawn` is 0 for a new seed.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_set_generator(context: Option<&Context>, seed: i64, drawn: i64) {
    let [own_seed, own_drawn] = state(context);
    own_seed.store(seed, Relaxed);
    own_drawn.store(drawn, Relaxed);
}
