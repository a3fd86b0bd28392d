//! The launches of a `kernel.concurrent` as few launches of functions that have several kernels.
//!
//! A step of an optimizer over a hundred parameters is a launch for each, and what a GPU takes for one is
//! more than most of them have to do. Launches whose blocks have as many threads become one, as long as a
//! function can take all that they hand over and its blocks share enough memory. Those of one kernel have
//! its body in common.

use super::{
    Kernel,
    check::SHARED,
    function::{self, Part},
    launch::launch_function,
    open,
};
use crate::kernel::disjoint::Disjoint;
use melior::ir::{OperationRef, RegionLike, ValueLike};
use std::collections::{BTreeMap, HashMap};
use terrace_dialects::{
    internal,
    ir::{BlockLike, OperationLike, cursor::Cursor, extent::Extent, kept, pass::Failure, rewrite::erase},
    ops::kernel,
};

/// Words of 8 bytes that a function takes at most: 4 KiB of parameters.
const WORDS: usize = 512;

/// Launches that become one: those of each kernel, in order.
#[derive(Default)]
pub(super) struct Merged<'c, 'a, 'k> {
    groups: Vec<(&'k Kernel<'c, 'a>, Vec<kernel::LaunchOp<'c, 'a>>)>,
    words: usize,
    blocks: i64,
    shared: i64,
}

impl<'c: 'a, 'a, 'k> Merged<'c, 'a, 'k> {
    /// Takes a launch, if it still can.
    fn takes(
        &mut self,
        kernel: &'k Kernel<'c, 'a>,
        launch: kernel::LaunchOp<'c, 'a>,
    ) -> Result<bool, Failure> {
        let at = Cursor::before(launch.operation())?;
        let arguments = launch.arguments();
        let words: usize = arguments.iter().map(|v| open::types(&at, v.r#type()).len()).sum();
        let points = kernel.grid.iter().fold(1i64, |n, size| n.saturating_mul(*size));
        let known = self.groups.iter_mut().find(|(own, _)| own.name == kernel.name);
        let shared = self.shared + if known.is_some() { 0 } else { kernel.shared };
        let (words, blocks) = (self.words + words, self.blocks.saturating_add(points));
        if words > WORDS || blocks >= 1 << 31 || shared > SHARED {
            return Ok(false);
        }
        (self.words, self.blocks, self.shared) = (words, blocks, shared);
        match known {
            Some((_, launches)) => launches.push(launch),
            None => self.groups.push((kernel, vec![launch])),
        }
        Ok(true)
    }

    /// The launches.
    pub fn launches(&self) -> impl Iterator<Item = &kernel::LaunchOp<'c, 'a>> {
        self.groups.iter().flat_map(|(_, launches)| launches)
    }

    /// Writes the function and its launch, which stands in front of `op`.
    pub fn write(
        self,
        op: OperationRef<'c, 'a>,
        (module, name): (&Cursor<'c, 'a>, &str),
        disjoint: &Disjoint,
        fresh: &mut dyn FnMut(&str) -> String,
    ) -> Result<(), Failure> {
        let (at, mut parts, mut given) = (Cursor::before(op)?, vec![], vec![]);
        let first = self.groups.first().ok_or(internal!("merges no launches"))?.0;
        for (kernel, launches) in &self.groups {
            let part = Part::new(&at, kernel, launches, disjoint.pairs(&kernel.name))?;
            given.extend(part.given(&at, launches)?);
            parts.push(part);
        }
        let symbol = fresh(&format!("{}_concurrent", first.symbol));
        function::write(module, &symbol, &parts)?;
        launch_function(&at, (name, &symbol), (Extent::Number(self.blocks), first.threads), &given)?;
        self.launches().for_each(|launch| erase(launch.operation()));
        Ok(())
    }
}

/// Which launches of an operation become one, where there are several.
pub(super) fn plan<'c: 'a, 'a, 'k>(
    op: OperationRef<'c, 'a>,
    kernels: &HashMap<&str, &'k Kernel<'c, 'a>>,
) -> Result<Vec<Merged<'c, 'a, 'k>>, Failure> {
    let (mut open, mut done): (BTreeMap<i64, Merged>, Vec<Merged>) = Default::default();
    let body = op.region(0)?.first_block();
    let all = std::iter::successors(body.and_then(|body| body.first_operation()), |op| op.next_in_block());
    for launch in all.filter_map(|op| kernel::LaunchOp::try_from(kept::operation(op)).ok()) {
        let Some(kernel) = kernels.get(&*launch.callee()).filter(|own| own.grid.iter().all(|n| *n > 0))
        else {
            continue;
        };
        let own = open.entry(kernel.threads).or_default();
        if !own.takes(kernel, launch)? {
            done.push(std::mem::take(own));
            own.takes(kernel, launch)?;
        }
    }
    done.extend(open.into_values());
    done.retain(|merged| merged.launches().count() > 1);
    Ok(done)
}
