//! The pass `kernel-schedule-templates`: how templates are computed, where nobody has said it.
//!
//! Of a matrix product: the rows and columns of the sum that are held in registers, and which factors are
//! packed. A factor is packed where it is computed and not only loaded, if that takes about as much memory as
//! what it is computed from; where tiles can't be loaded from it as it lies (rows and columns exchanged, the
//! right factor's columns apart); and where its rows would push each other out of the cache.
//!
//! Of few rows nothing is packed, and lanes are along what is summed over. Where the number of rows is known
//! only when the program runs, it chooses between both.

use crate::{
    emit::{Compare, Emitter},
    kernel::tile_programs::{
        matmul::Matmul,
        products::choices::{self, Choice},
    },
    options::KernelScheduleTemplates as Options,
};
use melior::ir::{
    Attribute, OperationRef,
    attribute::{DenseI64ArrayAttribute, IntegerAttribute},
    r#type::IntegerType,
};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, context,
        operations::collect,
        pass::Failure,
        rewrite::{self, erase, set_attribute},
    },
    ops::kernel,
};

/// Schedules every template below an operation.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    let most = choices::most(options.dot_m, options.dot_n)?;
    for op in collect(op, |op| kernel::MatmulOp::try_from(op).is_ok()) {
        let view = kernel::MatmulOp::try_from(op).map_err(|_| "is no product any more")?;
        let product = Matmul::read(view)?;
        let (by_hand, dots) = (is_by_hand(view), view.dots().is_some());
        let columns = || Choice::columns(&product, most, options.pairs);
        match options.packing {
            false => decide(op, &Choice::columns(&product, most, false).unpacked())?,
            true if dots => decide(op, &Choice::dots(&product, most, options.pairs))?,
            true if by_hand => decide(op, &columns())?,
            true => match choices::few_rows(&product) {
                Some(few) => {
                    let dots = Choice::dots(&product, most, options.pairs);
                    version(op, &product, few, [&dots, &columns()])?;
                }
                None => decide(op, &Choice::of(&product, most, options.pairs))?,
            },
        }
    }
    Ok(())
}

fn is_by_hand(view: kernel::MatmulOp) -> bool {
    view.tile().is_some() || view.pack().is_some() || view.pairs().is_some()
}

/// The first choice up to so many rows, the other one for more.
fn version<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    product: &Matmul<'c, 'a>,
    few: i64,
    choices: [&Choice; 2],
) -> Result<(), Failure> {
    let at = Emitter::before(op)?;
    let is_few = at.compare(Compare::Le, at.size(product.extents[product.m()]), at.index(few));
    at.either(is_few, &[], |at, way| {
        decide(at.insert(rewrite::copy(op)), choices[way])?;
        Ok(vec![])
    })?;
    erase(op);
    Ok(())
}

/// Writes a choice down, where nothing is decided yet.
fn decide(op: OperationRef, choice: &Choice) -> Result<(), Failure> {
    let view = kernel::MatmulOp::try_from(op).map_err(|_| "is no product any more")?;
    let context = context::of(op.context());
    let set = |name: &str, value: Attribute| {
        // SAFETY: nobody holds on to the attributes that are replaced.
        set_attribute(op, name, value);
    };
    let (tile, pack) = (view.tile(), view.pack());
    if tile.is_none() {
        set("tile", DenseI64ArrayAttribute::new(context, &choice.tile).into());
        if let Some(span) = choice.span.filter(|_| view.span().is_none()) {
            set("span", IntegerAttribute::new(IntegerType::new(context, 64).into(), span).into());
        }
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
    Ok(())
}
