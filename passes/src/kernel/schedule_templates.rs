//! The pass `kernel-schedule-templates`: how templates are computed, where nobody has said it.
//!
//! Of a matrix product: the rows and columns of the sum that are held in registers, and which factors are
//! packed. A factor is packed where it is computed and not only loaded, if that takes about as much memory as
//! what it is computed from; where tiles can't be loaded from it as it lies (rows and columns exchanged, the
//! right factor's columns apart); and where its rows would push each other out of the cache.

use crate::{
    kernel::tile_programs::{matmul::Matmul, products::choices},
    options::KernelScheduleTemplates as Options,
};
use melior::ir::{Attribute, OperationRef, attribute::DenseI64ArrayAttribute};
use terrace_dialects::{
    internal,
    ir::{OperationLike, context, operations::collect, pass::Failure, rewrite::set_attribute},
    ops::kernel,
};

/// Schedules every template below an operation.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    let most = choices::most(options.dot_m, options.dot_n)?;
    for op in collect(op, |op| kernel::MatmulOp::try_from(op).is_ok()) {
        let view = kernel::MatmulOp::try_from(op).map_err(|_| "is no product any more")?;
        let product = Matmul::read(view)?;
        let context = context::of(op.context());
        let set = |name: &str, value: Attribute| {
            // SAFETY: nobody holds on to the attributes that are replaced.
            set_attribute(op, name, value);
        };
        if view.tile().is_none() {
            set("tile", DenseI64ArrayAttribute::new(context, &choices::tile(&product, most)).into());
        }
        if view.pack().is_none() {
            let pairs = choices::pairs(&product).filter(|_| options.packing && options.pairs);
            let [left, right] = match pairs {
                Some(left) => [left, true],
                None => [choices::packs_left(&product), choices::packs_right(&product)]
                    .map(|packs| packs && options.packing),
            };
            if pairs.is_some() {
                set("pairs", Attribute::unit(context));
            }
            let text = format!("array<i1: {left}, {right}>");
            set(
                "pack",
                Attribute::parse(context, &text).ok_or(internal!("has factors that can't be packed"))?,
            );
        }
    }
    Ok(())
}
