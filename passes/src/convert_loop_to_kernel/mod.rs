//! Loop operations become kernels: what each element is becomes a tile program and where it runs.
//!
//! Every loop operation on memrefs becomes a `kernel.func` beside its function and a `kernel.launch` in its place; a sum of
//! products becomes the template of a matrix [`product`]. What writes tile programs is in [`crate::tile_programs`].

mod product;

use crate::{
    options::ConvertLoopToKernel as Options,
    tile_programs::{
        kernels::Kernels,
        launch,
        nest::{Nest, is_loop},
        schedule::Limits,
    },
};
use melior::ir::{
    OperationRef,
    operation::{OperationLike, WalkOrder, WalkResult},
};
use mlir_sys::mlirOperationDestroy;
use product::Product;
use terrace_dialects::pass::Failure;

/// Converts every loop operation below a module; stops at the first that can't be.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    let limits = Limits::new(options.tile, options.grain)?;
    let mut found = vec![];
    op.walk(WalkOrder::PreOrder, |op| {
        if is_loop(op) {
            found.push(op.to_raw());
        }
        WalkResult::Advance
    });
    let mut kernels = Kernels::new(op);
    for raw in found {
        // SAFETY: the walk found it, and nothing has destroyed it yet.
        convert(&mut kernels, unsafe { OperationRef::from_raw(raw) }, limits)?;
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
    match Product::of(&nest).filter(|_| !nest.is_scheduled()) {
        Some(product) => product.write()?,
        None => launch(kernels, &nest, nest.kind.name(), limits)?,
    }
    // SAFETY: it has no results, and only the caller knows of it.
    unsafe { mlirOperationDestroy(op.to_raw()) };
    Ok(())
}
