//! The pass `kernel-defer-assertions`: the host reads what kernels have checked once, at the end of a
//! function.
//!
//! Whether indices are in range is a flag that a kernel writes, and where kernels run on a device, to read it
//! is to wait for all that was launched before. What follows a `cf.assert` that says `loop.any_time` is safe
//! without it. Those of a function's own block move to its end, and their flags become parts of one buffer,
//! which is copied to the stack at once.

use super::uses::Kernels;
use melior::ir::{
    BlockRef, OperationRef, RegionLike, ValueLike,
    r#type::{IntegerType, MemRefType},
};
use std::collections::HashMap;
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        operations::{collect_within, definition, key, name_of, users},
        pass::Failure,
        rewrite::{erase, has_uses, move_before, set_operand},
        shaped::Shaped,
        types::bits,
    },
    loops::ANY_TIME,
    ops::kernel,
};

/// Bytes from one flag to the next: on a device a buffer begins where 16 divides its address.
const APART: i64 = 16;

/// Moves the assertions of all functions of a module.
pub fn run(module: OperationRef, _: &crate::options::KernelDeferAssertions) -> Result<(), Failure> {
    let kernels = Kernels::of(module);
    for function in collect_within(module, |op| op == module, |op| name_of(op) == "func.func") {
        if let Some(block) = function.region(0).ok().and_then(|region| region.first_block()) {
            defer(block, &flags(block, &kernels)?)?;
        }
    }
    Ok(())
}

/// A flag that a launch writes for an assertion.
struct Flag<'c, 'a> {
    allocation: OperationRef<'c, 'a>,
    /// What writes it, and as which operand.
    launch: (OperationRef<'c, 'a>, usize),
    load: OperationRef<'c, 'a>,
    /// The assertion, and what makes its condition of what is loaded.
    tests: Vec<OperationRef<'c, 'a>>,
}

/// The flags of a block, in order.
fn flags<'c: 'a, 'a>(block: BlockRef<'c, 'a>, kernels: &Kernels) -> Result<Vec<Flag<'c, 'a>>, Failure> {
    let mut flags = vec![];
    // The launches that have written buffers last: one may have several flags, one after the other.
    let mut written: HashMap<usize, (OperationRef, usize)> = HashMap::new();
    let mut plain: HashMap<usize, bool> = HashMap::new();
    let all = std::iter::successors(block.first_operation(), |op| op.next_in_block());
    for op in all {
        if let Ok(launch) = kernel::LaunchOp::try_from(op) {
            let first = op.operand_count() - launch.arguments().len();
            let uses = kernels.of_launch(launch);
            for (number, buffer) in launch.arguments().into_iter().enumerate() {
                let own = uses.and_then(|uses| uses.arguments.get(number));
                match own.is_some_and(|own| own.writes && !own.reads) {
                    true => written.insert(key(buffer), (op, first + number)),
                    false => written.remove(&key(buffer)),
                };
            }
        } else if let Some((allocation, load, tests)) = read(op, block, &mut plain) {
            let launch = written.remove(&key(load.operand(0)?));
            flags.extend(launch.map(|launch| Flag { allocation, launch, load, tests }));
        }
    }
    Ok(flags)
}

/// The allocation that an assertion reads by a load of its own, that, and what it makes of the element; None
/// where the memory is used otherwise: `plain` says of which that is known not to be so.
fn read<'c: 'a, 'a>(
    assertion: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    plain: &mut HashMap<usize, bool>,
) -> Option<(OperationRef<'c, 'a>, OperationRef<'c, 'a>, Vec<OperationRef<'c, 'a>>)> {
    if name_of(assertion) != "cf.assert" || assertion.attribute(ANY_TIME).is_err() {
        return None;
    }
    let here = |op: &OperationRef<'c, 'a>| op.block() == Some(block);
    let own = |value: V<'c, 'a>| definition(value).filter(here).filter(|_| users(value).count() == 1);
    let (mut tests, mut load) = (vec![assertion], own(assertion.operand(0).ok()?)?);
    if name_of(load) == "arith.cmpi" {
        tests.push(load);
        load = own(load.operand(0).ok()?)?;
    }
    let buffer = load.operand(0).ok().filter(|_| name_of(load) == "memref.load")?;
    Shaped::of(buffer.r#type()).filter(|own| own.rank() == 0 && bits(own.element) == Some(8))?;
    let allocation = definition(buffer).filter(here).filter(|op| name_of(*op) == "memref.alloc")?;
    let is_seen = |op: OperationRef| matches!(name_of(op), "kernel.launch" | "memref.load");
    let is_plain = || users(buffer).all(|user| is_seen(user) && here(&user));
    plain.entry(key(buffer)).or_insert_with(is_plain).then_some((allocation, load, tests))
}

/// Moves the assertions of a block to its end.
fn defer<'c: 'a, 'a>(block: BlockRef<'c, 'a>, flags: &[Flag<'c, 'a>]) -> Result<(), Failure> {
    let (Some(first), Some(last)) = (flags.first(), block.terminator()) else { return Ok(()) };
    let location = first.allocation.location();
    let (head, end) = (Cursor::start(block, location), Cursor::before(last)?.of(location));
    let byte = IntegerType::new(head.context, 8).into();
    let all = MemRefType::new(byte, &[APART * flags.len() as i64], None, None).into();
    let (there, here) = (head.allocate("memref.alloc", all, &[])?, head.allocate("memref.alloca", all, &[])?);
    end.build("memref.copy", &[there, here], &[], &[], vec![])?;
    for (number, flag) in flags.iter().enumerate() {
        let (place, buffer) = (APART * number as i64, flag.load.operand(0)?);
        let part = |at: &Cursor<'c, 'a>, whole: V<'c, 'a>| {
            at.op("memref.view", &[whole, at.index(place)?], buffer.r#type())
        };
        let (launch, operand) = flag.launch;
        set_operand(launch, operand, part(&Cursor::before(launch)?, there)?);
        set_operand(flag.load, 0, part(&end, here)?);
        move_before(flag.load, last);
        flag.tests.iter().rev().for_each(|op| move_before(*op, last));
        if !has_uses(buffer) {
            erase(flag.allocation);
        }
    }
    Ok(())
}
