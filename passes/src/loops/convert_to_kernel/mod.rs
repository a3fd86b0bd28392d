//! Loop operations become kernels: what each element is becomes a tile program and where it runs.
//!
//! Every loop operation on memrefs becomes a `kernel.func` beside its function and a `kernel.launch` in its
//! place; a sum of products becomes the template of a matrix [`product`], written by [`template`]. What
//! writes tile programs is in [`crate::kernel::tile_programs`].
//!
//! A group becomes one kernel: [`group`] reads it and decides where what its members give stands; [`points`]
//! writes the members one after the other, inside loops over what a grid point has of the shared domain;
//! [`blocks`] those of a group that has products among them, [`sum`] one that is a sum a point.

mod blocks;
mod finished;
mod group;
mod hidden;
mod points;
pub(crate) mod product;
mod runs;
mod sum;
mod template;

use crate::{
    kernel::tile_programs::{
        kernels::Kernels,
        launch,
        nest::{Nest, is_loop},
        products::choices,
        schedule::Limits,
    },
    options::ConvertLoopToKernel as Options,
};
use blocks::Blocks;
use group::Group;
use melior::ir::OperationRef;
use points::Points;
use product::Product;
use terrace_dialects::{
    ir::{operations::collect_within, pass::Failure, rewrite::erase},
    ops::loop_,
};

/// Converts every loop operation below a module; stops at the first that can't be.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    let limits = Limits::new(options.tile, options.grain, options.cross)?.scanning(options.scan);
    let limits = limits
        .blocks(options.blocks)?
        .unordered(&options.unordered)?
        .streaming(options.stream)
        .pairing(options.pairs);
    let dot = choices::most(options.dot_m, options.dot_n)?;
    let is_group = |op| loop_::GroupOp::try_from(op).is_ok();
    let mut kernels = Kernels::new(op);
    // The members of a group are parts of its kernel.
    for op in collect_within(op, |op| !is_group(op), |op| is_group(op) || is_loop(op)) {
        match loop_::GroupOp::try_from(op) {
            Ok(group) => fuse(&mut kernels, group, limits, dot)?,
            Err(op) => convert(&mut kernels, op, limits)?,
        }
    }
    Ok(())
}

/// Puts the kernel and launch of a loop operation in its place, or a template.
fn convert<'c: 'a, 'a>(
    kernels: &mut Kernels<'c>,
    op: OperationRef<'c, 'a>,
    limits: Limits,
) -> Result<(), Failure> {
    let nest = Nest::read(op)?;
    let limits = limits.for_loop(&nest.sizes, 1);
    match Product::of(&nest).filter(|own| !nest.is_scheduled() && own.pays(limits)) {
        Some(product) => product.write(kernels, limits)?,
        None => launch(kernels, &nest, nest.kind.name(), limits)?,
    }
    erase(op);
    Ok(())
}

/// Puts the kernel and launch of a group in its place.
fn fuse<'c: 'a, 'a>(
    kernels: &mut Kernels<'c>,
    view: loop_::GroupOp<'c, 'a>,
    limits: Limits,
    dot: (i64, i64),
) -> Result<(), Failure> {
    let group = Group::read(view)?;
    let parts = product::of_group(&group);
    let product = parts.as_ref().and_then(|(nest, epilogue)| {
        Product::of(nest).filter(|own| own.pays(limits)).map(|own| own.then(epilogue))
    });
    if let Some(product) = product {
        product.write(kernels, limits)?;
    } else if group.sizes.contains(&0) {
        // No point: nothing happens.
    } else if let Some(parts) = &parts
        && sum::launch(kernels, &group, parts, limits)?
    {
        // It is done.
    } else if let Some(blocks) = Blocks::of(&group, dot)? {
        blocks.launch(kernels, limits)?;
    } else {
        let points = Points::new(&group, limits);
        let name = group.name.as_deref().unwrap_or("group");
        let grid = points.grid()?;
        kernels
            .launch(group.op, name, &group.captured(), &grid, |at, env, grid| points.write(at, env, grid))?;
    }
    erase(group.op);
    Ok(())
}
