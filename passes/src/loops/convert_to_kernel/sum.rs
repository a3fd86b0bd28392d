//! The program of a group that is one sum a point, and numbers made of it: as a reduction over the domain of
//! both, whose lanes may be along the group's.
//!
//! ```text
//! loop.group (%j = 480) into (%y as %p) {          for each strip of %j:
//!   %s = loop.reduction add over (%i) %x[%i, %j]      %sums = the sums of %x[%i, %j : 64] over %i
//!   %t = math.exp %s                                  %y[%j : 64] = exp %sums
//!   insert %t into %p at [%j]
//! }
//! ```
//!
//! With lanes inside of each sum the loads would be of columns, an element from each row.

use super::{group::Group, product::Epilogue};
use crate::kernel::tile_programs::{
    kernels::Kernels,
    nest::{Element, Kind, Nest},
    schedule::{Limits, Schedule},
    tiles::Program,
};
use terrace_dialects::ir::{cursor::Cursor, pass::Failure};

/// Puts the kernel and its launch in front of the group, where it is one whose lanes are better along its own
/// domain; says whether.
pub(super) fn launch<'c: 'a, 'a>(
    kernels: &mut Kernels<'c>,
    group: &Group<'c, 'a>,
    (nest, epilogue): &(Nest<'c, 'a>, Epilogue<'c, 'a>),
    limits: Limits,
) -> Result<bool, Failure> {
    let nest = Nest { store: epilogue.store.clone(), ..nest.clone() };
    let schedule = Schedule::of(&nest, limits);
    if !matches!(nest.kind, Kind::Reduction(_)) || schedule.outer_vector().is_none() {
        return Ok(false);
    }
    let finish = Nest {
        kind: Kind::Pointwise,
        sizes: group.sizes.clone(),
        extents: group.extents.clone(),
        indices: group.indices.clone(),
        given: vec![epilogue.sum],
        body: epilogue.body.clone(),
        element: Element::Value(epilogue.value),
        ..nest.clone()
    };
    let name = group.name.as_deref().unwrap_or("group");
    let grid = schedule.grid(&Cursor::before(group.op)?, &nest.extents)?;
    let program = Program::new(&nest, &schedule).then(&finish);
    kernels.launch(group.op, name, &group.captured(), &grid, |at, env, grid| program.write(at, env, grid))?;
    Ok(true)
}
