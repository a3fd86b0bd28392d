//! The pass `kernel-expand-templates`: templates become tile programs, by their schedules.
//!
//! A matrix product becomes copies of the factors that are
//! [packed](crate::kernel::tile_programs::products::pack), and a kernel of register tiles around `kernel.dot`
//! ([`products`](crate::kernel::tile_programs::products)), which has parts of its factors in memory of its
//! own where that is asked for.

use crate::{
    emit::Emitter,
    kernel::tile_programs::{
        kernels::Kernels,
        launch,
        matmul::Matmul,
        nest::Nest,
        products::{Factor, Product, pack::Packing},
        schedule::{self, Limits},
    },
    options::KernelExpandTemplates as Options,
};
use melior::ir::OperationRef;
use terrace_dialects::{
    ir::{
        cursor::Cursor,
        operations::{collect, refuse},
        pass::Failure,
        rewrite::erase,
    },
    ops::kernel,
};

const WORDS: &str = "has 'pairs', and a factor whose pairs are no words of a matrix as they lie: pack it";
const ROWS: &str =
    "has 'dots', and a factor whose elements do not lie side by side along the inner dimension";

const LINES: &str = "has a 'span', and a right factor whose columns, of neighbours along the last batch dimension, are not \
                     one run of a dimension of its buffer";

/// Elements of a span at most, whose sums the stack holds for each row of a tile.
const MOST: i64 = 1 << 14;

/// Expands every template below a module; stops at the first that can't be.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    let limits = Limits::new(options.tile, options.grain, options.cross)?;
    if options.stage < 0 {
        return Err(format!("expects a stage of 0 or more, got {}", options.stage).into());
    }
    let mut kernels = Kernels::new(op);
    for template in collect(op, |op| kernel::MatmulOp::try_from(op).is_ok()) {
        expand(&mut kernels, template, limits, options.stage)?;
    }
    Ok(())
}

/// Puts the kernels and launches of a matrix product in its place.
fn expand<'c: 'a, 'a>(
    kernels: &mut Kernels<'c>,
    op: OperationRef<'c, 'a>,
    limits: Limits,
    stage: i64,
) -> Result<(), Failure> {
    let view = kernel::MatmulOp::try_from(op).map_err(|_| "is no product")?;
    let (Some(tile), Some(pack)) = (view.tile(), view.pack()) else {
        return Err(refuse(op, "has no 'tile' or no 'pack': run kernel-schedule-templates first"));
    };
    let matmul = Matmul::read(view)?;
    let stage = if matmul.dots || matmul.reduced > 1 || matmul.span > 0 { 0 } else { stage };
    let pitch = match matmul.span {
        0 => 0,
        span => {
            let pitch = matmul.pitch().ok_or_else(|| refuse(op, LINES))?;
            if span.saturating_mul(pitch) > MOST {
                return Err(refuse(op, &format!("has a 'span' of more than {MOST} elements")));
            }
            pitch
        }
    };
    if !matmul.sizes[..=matmul.n()].contains(&0) {
        let mut packing = Packing::default();
        let tile = (tile[0], tile[1]);
        let [left, right] = matmul.extended();
        let words = |nest, own| Factor::words(nest, own).ok_or_else(|| refuse(op, WORDS))?;
        let rows = |nest, own| Factor::rows(nest, own).ok_or_else(|| refuse(op, ROWS));
        let (m, n) = (matmul.m(), matmul.n());
        let lhs = match pack[0] {
            true => packing.left(&matmul)?,
            false if matmul.dots => rows(&matmul.lhs, m)?,
            false if matmul.pairs => words(&matmul.lhs, m)?,
            false if stage > 0 => Factor::staged(&matmul.lhs, left),
            false => Factor::new(&matmul.lhs, matmul.left()),
        };
        let rhs = match pack[1] {
            true => packing.right(&matmul, tile.1)?,
            false if matmul.dots => rows(&matmul.rhs, n)?,
            false if stage > 0 => Factor::staged(&matmul.rhs, right),
            false => Factor::new(&matmul.rhs, matmul.right()),
        };
        let lanes = if matmul.dots { (limits.tile / 4).max(1) } else { 0 };
        for copy in packing.copies {
            launch(kernels, &Nest::read(copy)?, "pack", limits)?;
            erase(copy);
        }
        let product = Product::new(&matmul, lhs, rhs, tile, stage).with_lanes(lanes).with_pitch(pitch);
        let (captured, levels, sizes) = (product.captured(), product.levels(), product.extents());
        let grid = schedule::grid(&Cursor::before(op)?, &levels, &sizes)?;
        kernels.launch(op, "matmul", &captured, &grid, |at, env, grid| product.write(at, env, grid))?;
        let at = Emitter::before(op)?;
        for buffer in packing.buffers {
            at.build("memref.dealloc", &[buffer], &[], &[]);
        }
    }
    erase(op);
    Ok(())
}
