//! From bodies over domains to tile programs: what the passes that write kernels share.
//!
//! A loop operation is a [`nest::Nest`]: a domain, a body, an [`access`] where it stores. The [`schedule`]
//! picks the dimension whose indices are the lanes of tiles and splits the others between the grid and loops
//! inside the kernel; [`tiles`] writes these loops, long sums as a [`cascade`], those of columns as a
//! [`stream`] of rows, in [`strips`], blocks of loads that are [`crossing`] the lanes first; [`body`] writes
//! the body, scalar where it is the same for all lanes and on tiles where it is not. [`cursor`] is the place
//! where all that is written, [`kernels`] puts kernels and launches in theirs, [`places`] is where values of
//! a group stand in memory, [`rounds`] are loops in bodies. A [`matmul`] reads the template of that name, a
//! [`matrix`] is what a factor of one is in memory, [`products`] are its register tiles.

pub(crate) mod access;
pub(crate) mod body;
pub(crate) mod cascade;
pub(crate) mod crossing;
pub(crate) mod cursor;
pub(crate) mod elementwise;
pub(crate) mod kernels;
pub(crate) mod matmul;
pub(crate) mod matrix;
pub(crate) mod nest;
pub(crate) mod places;
pub(crate) mod products;
pub(crate) mod rounds;
pub(crate) mod schedule;
pub(crate) mod stream;
pub(crate) mod strips;
pub(crate) mod tiles;

use kernels::Kernels;
use nest::Nest;
use schedule::{Limits, Schedule};
use terrace_dialects::ir::{cursor::Cursor, pass::Failure};
use tiles::Program;

/// Puts a kernel for a nest, and its launch, in front of the nest's operation; `name` is what the kernel
/// does.
pub(crate) fn launch<'c: 'a, 'a>(
    kernels: &mut Kernels<'c>,
    nest: &Nest<'c, 'a>,
    name: &str,
    limits: Limits,
) -> Result<(), Failure> {
    if nest.sizes[..nest.outer].contains(&0) {
        // No point: nothing happens.
        return Ok(());
    }
    let schedule = Schedule::of(nest, limits);
    let grid = schedule.grid(&Cursor::before(nest.op)?, &nest.extents)?;
    let program = Program::new(nest, &schedule);
    kernels.launch(nest.op, name, &nest.captured(), &grid, |at, env, grid| program.write(at, env, grid))
}
