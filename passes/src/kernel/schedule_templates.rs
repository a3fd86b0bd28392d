//! The pass `kernel-schedule-templates`: how templates are computed, where nobody has said it.
//!
//! Of a matrix product: the rows and columns of the sum that are held in registers, and which factors are
//! packed. A factor is packed where it is computed and not only loaded, if that takes about as much memory as
//! what it is computed from; where tiles can't be loaded from it as it lies (rows and columns exchanged, the
//! right factor's columns apart); and where its rows would push each other out of the cache.

use crate::{
    kernel::tile_programs::{
        matmul::Matmul,
        products::choices::{self, Choice},
    },
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
        let (tile, pack, pairs) = (view.tile(), view.pack(), view.pairs().is_some());
        let by_hand = tile.is_some() || pack.is_some() || pairs;
        let choice = match options.packing {
            false => Choice::columns(&product, most, false).unpacked(),
            true if view.dots().is_some() => Choice::dots(&product, most, options.pairs),
            true if by_hand => Choice::columns(&product, most, options.pairs),
            true => Choice::of(&product, most, options.pairs),
        };
        if tile.is_none() {
            set("tile", DenseI64ArrayAttribute::new(context, &choice.tile).into());
        }
        if pack.is_none() {
            let text = format!("array<i1: {}, {}>", choice.pack[0], choice.pack[1]);
            let pack = Attribute::parse(context, &text);
            set("pack", pack.ok_or(internal!("has factors that can't be packed"))?);
        }
        for (name, is) in [("pairs", choice.pairs && pack.is_none()), ("dots", choice.dots)] {
            if is {
                set(name, Attribute::unit(context));
            }
        }
    }
    Ok(())
}
