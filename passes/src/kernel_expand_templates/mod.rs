//! The pass `kernel-expand-templates`: templates become tile programs, by their schedules.
//!
//! A matrix product becomes copies of the factors that are [packed](pack), and a kernel of register tiles around
//! `kernel.dot` ([`product`]).

mod pack;
mod product;

use crate::{
    emit::Emitter,
    options::KernelExpandTemplates as Options,
    tile_programs::{
        kernels::Kernels,
        launch,
        matmul::Matmul,
        nest::Nest,
        schedule::{self, Limits},
    },
};
use melior::ir::OperationRef;
use mlir_sys::mlirOperationDestroy;
use pack::Packing;
use product::{Factor, Product};
use terrace_dialects::{
    cursor::Cursor,
    operations::{collect, refuse},
    ops::kernel,
    pass::Failure,
};

/// Expands every template below a module; stops at the first that can't be.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    let limits = Limits::new(options.tile, options.grain)?;
    let mut kernels = Kernels::new(op);
    for template in collect(op, |op| kernel::MatmulOp::try_from(op).is_ok()) {
        expand(&mut kernels, template, limits)?;
    }
    Ok(())
}

/// Puts the kernels and launches of a matrix product in its place.
fn expand<'c: 'a, 'a>(
    kernels: &mut Kernels<'c>,
    op: OperationRef<'c, 'a>,
    limits: Limits,
) -> Result<(), Failure> {
    let view = kernel::MatmulOp::try_from(op).map_err(|_| "is no product")?;
    let (Some(tile), Some(pack)) = (view.tile(), view.pack()) else {
        return Err(refuse(op, "has no 'tile' or no 'pack': run kernel-schedule-templates first"));
    };
    let matmul = Matmul::read(view)?;
    if !matmul.sizes[..matmul.k()].contains(&0) {
        let mut packing = Packing::default();
        let tile = (tile[0], tile[1]);
        let lhs = if pack[0] { packing.left(&matmul)? } else { Factor::new(&matmul.lhs, matmul.left()) };
        let rhs =
            if pack[1] { packing.right(&matmul, tile.1)? } else { Factor::new(&matmul.rhs, matmul.right()) };
        for copy in packing.copies {
            launch(kernels, &Nest::read(copy)?, "pack", limits)?;
            // SAFETY: it has no results, and nobody else knows of it.
            unsafe { mlirOperationDestroy(copy.to_raw()) };
        }
        let product = Product::new(&matmul, lhs, rhs, tile);
        let (captured, levels, sizes) = (product.captured(), product.levels(), product.extents());
        let grid = schedule::grid(&Cursor::before(op)?, &levels, &sizes)?;
        kernels.launch(op, "matmul", &captured, &grid, |at, env, grid| product.write(at, env, grid))?;
        let at = Emitter::before(op)?;
        for buffer in packing.buffers {
            at.build("memref.dealloc", &[buffer], &[], &[]);
        }
    }
    // SAFETY: it has no results, and only this pass knows of it.
    unsafe { mlirOperationDestroy(op.to_raw()) };
    Ok(())
}
