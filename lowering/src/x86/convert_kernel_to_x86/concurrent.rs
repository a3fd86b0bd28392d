//! Launches that do not depend on each other: one parallel loop over shares of all their grids.
//!
//! A share is as many points of one grid as are worth a thread, at least one. The task of the loop takes the
//! shares from a first to before a last, counted through all launches, and calls the kernel of each launch
//! that has some of them on its points.

use super::{
    launch::{CHUNK, PARALLEL_FROM, call, fields, head, run, unpack},
    work::Kernel,
};
use crate::kernel::concurrent::dissolve;
use melior::ir::{OperationRef, RegionLike, Type};
use std::collections::HashMap;
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        extent::Extent,
        pass::Failure,
        rewrite::erase,
    },
    ops::kernel,
};
use terrace_size::symbols::Predicate;

/// One of the launches.
struct Part<'c, 'a> {
    /// The number of its kernel.
    kernel: usize,
    given: Vec<V<'c, 'a>>,
    points: i64,
    /// Points of a share.
    grain: i64,
    /// Its first share, and how many there are.
    shares: (i64, i64),
}

/// Turns each set of launches into a call of the pool, or into the launches where that would not pay; whether
/// there is a call.
pub(super) fn all<'c: 'a, 'a>(
    module: &Cursor<'c, 'a>,
    sets: Vec<OperationRef<'c, 'a>>,
    kernels: &[Kernel<'c, 'a>],
    numbers: &HashMap<String, usize>,
    fresh: &mut dyn FnMut(&str) -> String,
) -> Result<bool, Failure> {
    let mut runs = false;
    for op in sets {
        match lower(module, op, kernels, numbers, fresh)? {
            true => runs = true,
            false => dissolve(op)?,
        }
        erase(op);
    }
    Ok(runs)
}

/// Writes a call of the pool in front of the operation; false where that would not pay.
fn lower<'c: 'a, 'a>(
    module: &Cursor<'c, 'a>,
    op: OperationRef<'c, 'a>,
    kernels: &[Kernel<'c, 'a>],
    numbers: &HashMap<String, usize>,
    fresh: &mut dyn FnMut(&str) -> String,
) -> Result<bool, Failure> {
    let at = Cursor::before(op)?;
    let Some(block) = op.region(0)?.first_block() else { return Ok(false) };
    let (mut parts, mut next, mut all, mut total) = (vec![], block.first_operation(), 0i64, 0i64);
    while let Some(inner) = next {
        next = inner.next_in_block();
        let launch = kernel::LaunchOp::try_from(inner).map_err(|_| "is no launch")?;
        let kernel = *numbers.get(&launch.callee()).ok_or(internal!("launches no kernel"))?;
        let given = launch.arguments();
        let points = launch.grid().iter().fold(1i64, |n, size| n.saturating_mul(*size));
        // What depends on an argument is a share by itself.
        let work = match kernels[kernel].work.value(&at, &given)? {
            Extent::Number(work) => work,
            Extent::Value(_) => CHUNK,
        };
        let grain = (CHUNK / work.max(1)).max(1);
        let shares = points / grain + i64::from(points % grain > 0);
        total = total.saturating_add(work.saturating_mul(points));
        parts.push(Part { kernel, given, points, grain, shares: (all, shares) });
        // So many nobody runs to the end.
        let Some(sum) = all.checked_add(shares) else { return Ok(false) };
        all = sum;
    }
    if total < PARALLEL_FROM || all < 2 {
        return Ok(false);
    }
    let name = fresh(&format!("{}.concurrent", kernels[parts[0].kernel].name));
    let all_fields = parts.iter().flat_map(|part| fields(&at, &kernels[part.kernel].arguments));
    let own: Vec<Type> = all_fields.collect();
    task(module, op, &name, &own, &parts, kernels)?;
    let given = parts.into_iter().flat_map(|part| part.given).collect();
    run(op, &name, (given, &own), [at.index(all)?, at.index(1)?])?;
    Ok(true)
}

/// The function that a thread runs.
fn task<'c: 'a, 'a>(
    module: &Cursor<'c, 'a>,
    op: OperationRef<'c, 'a>,
    name: &str,
    fields: &[Type<'c>],
    parts: &[Part<'c, 'a>],
    kernels: &[Kernel<'c, 'a>],
) -> Result<(), Failure> {
    let (at, slot, [from, to]) = head(module, op.location(), name)?;
    let mut place = 0;
    for part in parts {
        let kernel = &kernels[part.kernel];
        let (first, count) = part.shares;
        let within = |at: &Cursor<'c, 'a>, share| {
            let share = at.op("arith.subi", &[share, at.index(first)?], at.index_type())?;
            let share = at.op("arith.maxsi", &[share, at.index(0)?], at.index_type())?;
            at.op("arith.minsi", &[share, at.index(count)?], at.index_type())
        };
        let range = [within(&at, from)?, within(&at, to)?];
        let some = at.compare(Predicate::Less, range[0], range[1])?;
        at.when(some, |at| {
            let point = |share| {
                let point = at.op("arith.muli", &[share, at.index(part.grain)?], at.index_type())?;
                at.op("arith.minsi", &[point, at.index(part.points)?], at.index_type())
            };
            let points = vec![point(range[0])?, point(range[1])?];
            let arguments = unpack(&at, slot, fields, place, &kernel.arguments)?;
            call(&at, &kernel.name, &[arguments, points].concat())
        })?;
        place += kernel.arguments.len();
    }
    at.build("func.return", &[], &[], &[], vec![])?;
    Ok(())
}
