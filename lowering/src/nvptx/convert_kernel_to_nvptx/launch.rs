//! Launches.

use super::{Kernel, open};
use melior::ir::{Attribute, Block, OperationRef, Region, RegionLike, attribute::DenseI32ArrayAttribute};
use terrace_dialects::{
    internal,
    ir::{
        cursor::{Cursor, V},
        extent::Extent,
        operations::{collect_within, name_of},
        pass::Failure,
        rewrite::erase,
    },
    ops::kernel,
};
use terrace_size::{DYNAMIC, symbols::Predicate};

/// The operations of a name that may launch a module's own kernels.
pub(super) fn find<'c: 'a, 'a>(module: OperationRef<'c, 'a>, name: &str) -> Vec<OperationRef<'c, 'a>> {
    let enters = |op| match name_of(op) {
        // Another table of symbols: not this module's.
        "builtin.module" | "gpu.module" => op == module,
        name => name != "kernel.func",
    };
    collect_within(module, enters, |op| name_of(op) == name)
}

/// Writes a launch of a function of the GPU module `module`, of so many blocks and threads.
pub(super) fn launch_function<'c: 'a, 'a>(
    at: &Cursor<'c, 'a>,
    (module, symbol): (&str, &str),
    (blocks, threads): (Extent<'c, 'a>, i64),
    arguments: &[V<'c, 'a>],
) -> Result<(), Failure> {
    let one = at.index(1)?;
    let mut operands = vec![at.extent(blocks)?, one, one, at.index(threads)?, one, one];
    let segments = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, arguments.len() as i32, 0];
    operands.extend(arguments);
    let callee = Attribute::parse(at.context, &format!("@{module}::@{symbol}"));
    let attributes = [
        at.named("kernel", callee.ok_or(internal!("has a name that is no symbol"))?),
        at.named("operandSegmentSizes", DenseI32ArrayAttribute::new(at.context, &segments)),
    ];
    at.build("gpu.launch_func", &operands, &[], &attributes, vec![])?;
    Ok(())
}

/// Turns a launch into one of a function of the GPU module `module`.
pub(super) fn launch<'c: 'a, 'a>(
    op: kernel::LaunchOp<'c, 'a>,
    kernel: &Kernel,
    module: &str,
) -> Result<(), Failure> {
    let operation = op.operation();
    let at = Cursor::before(operation)?;
    let grid = Extent::listed(&op.grid(), &op.dynamic_grid());
    let points = grid.iter().try_fold(Extent::Number(1), |n, size| at.product(n, *size))?;
    let write = |at: &Cursor<'c, 'a>| -> Result<(), Failure> {
        let mut arguments = vec![];
        for argument in op.arguments() {
            arguments.extend(open::given(at, argument)?);
        }
        for (_, size) in kernel.grid.iter().zip(&grid).filter(|(own, _)| **own == DYNAMIC) {
            arguments.push(at.extent(*size)?);
        }
        launch_function(at, (module, &kernel.symbol), (points, kernel.threads), &arguments)
    };
    // Without a point there is nothing to do; and a GPU refuses a grid of no blocks.
    match points {
        Extent::Number(0) => {}
        Extent::Number(_) => write(&at)?,
        Extent::Value(points) => {
            let some = at.compare(Predicate::NotEqual, points, at.index(0)?)?;
            let region = Region::new();
            let block = region.append_block(Block::new(&[]));
            at.build("scf.if", &[some], &[], &[], vec![region, Region::new()])?;
            let inside = Cursor::end(block, at.location);
            write(&inside)?;
            inside.build("scf.yield", &[], &[], &[], vec![])?;
        }
    }
    erase(operation);
    Ok(())
}
