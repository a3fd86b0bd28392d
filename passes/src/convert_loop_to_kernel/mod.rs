//! Loop operations become kernels: what each element is becomes a tile program and where it runs.
//!
//! Every loop operation on memrefs becomes a `kernel.func` beside its function and a `kernel.launch` in its place. The
//! [`schedule`] picks the dimension whose indices are the lanes of tiles and splits the others between the grid and
//! loops inside the kernel; [`tiles`] writes these loops; [`body`] writes the body, scalar where it is the same for all
//! lanes and on tiles where it is not; [`access`] tells loads of ranges from gathers. A matrix product has a way of its
//! own: [`product`]. [`kernels`] puts kernels and launches in their places.

mod access;
mod body;
mod cursor;
mod kernels;
mod nest;
mod pack;
mod product;
mod schedule;
mod strips;
mod tiles;

use crate::{emit::Emitter, options::ConvertLoopToKernel as Options};
use kernels::Kernels;
use melior::ir::{
    OperationRef,
    operation::{OperationLike, WalkOrder, WalkResult},
};
use mlir_sys::mlirOperationDestroy;
use nest::Nest;
use product::Product;
use schedule::Schedule;
use terrace_dialects::pass::Failure;
use tiles::Program;

/// Converts every loop operation below a module; stops at the first that can't be.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    if options.tile < 1 || options.tile & (options.tile - 1) != 0 {
        return Err(format!("expects a tile of a power of two elements, got {}", options.tile).into());
    }
    let counts = [("grain", options.grain), ("dot-m", options.dot_m), ("dot-n", options.dot_n)];
    if let Some((name, value)) = counts.iter().find(|(_, value)| *value < 1) {
        return Err(format!("expects a {name} of 1 or more, got {value}").into());
    }
    let mut found = vec![];
    op.walk(WalkOrder::PreOrder, |op| {
        if nest::is_loop(op) {
            found.push(op.to_raw());
        }
        WalkResult::Advance
    });
    let mut kernels = Kernels::new(op);
    for raw in found {
        // SAFETY: the walk found it, and nothing has destroyed it yet.
        convert(&mut kernels, unsafe { OperationRef::from_raw(raw) }, None, options)?;
    }
    Ok(())
}

/// Puts the kernels and launches of a loop operation in its place; `name` is what it does, else its own.
fn convert<'c: 'a, 'a>(
    kernels: &mut Kernels<'c>,
    op: OperationRef<'c, 'a>,
    name: Option<&str>,
    options: &Options,
) -> Result<(), Failure> {
    let nest = Nest::read(op)?;
    if nest.sizes[..nest.outer].contains(&0) {
        // No point: nothing happens.
    } else if let Some(product) = Product::of(&nest, options).filter(|_| !nest.is_scheduled()) {
        multiply(kernels, &nest, product, options)?;
    } else {
        let schedule = Schedule::of(&nest, options);
        let grid = schedule.grid(&nest.sizes);
        let program = Program::new(&nest, &schedule);
        let name = name.unwrap_or(nest.kind.name());
        kernels.launch(op, name, &nest.captured(), &grid, |at, env, grid| program.write(at, env, grid))?;
    }
    // SAFETY: it has no results, and only the caller knows of it.
    unsafe { mlirOperationDestroy(op.to_raw()) };
    Ok(())
}

/// A matrix product, its factors packed where that is needed.
fn multiply<'c: 'a, 'a>(
    kernels: &mut Kernels<'c>,
    nest: &Nest<'c, 'a>,
    mut product: Product<'c, 'a>,
    options: &Options,
) -> Result<(), Failure> {
    let packing = product.pack(nest)?;
    for copy in packing.copies {
        convert(kernels, copy, Some("pack"), options)?;
    }
    let (dims, levels): (Vec<usize>, Vec<_>) = product.levels(nest).into_iter().unzip();
    let sizes: Vec<i64> = dims.iter().map(|d| nest.sizes[*d]).collect();
    let grid = schedule::grid(&levels, &sizes);
    let captured = product.captured(nest);
    kernels
        .launch(nest.op, "product", &captured, &grid, |at, env, grid| product.write(nest, at, env, grid))?;
    let at = Emitter::before(nest.op)?;
    for buffer in packing.buffers {
        at.build("memref.dealloc", &[buffer], &[], &[]);
    }
    Ok(())
}
