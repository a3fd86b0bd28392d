//! What has no form on the threads of a block.

use crate::kernel::tiles::{
    scratch::Scratch,
    threads::{exchanged, scanning},
    tile::{Cut, is_tile},
};
use melior::ir::{OperationRef, RegionLike, Type, TypeLike, ValueLike};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        operations::{arguments, name_of},
        shaped::{Shaped, strides_and_offset},
        types::bytes,
    },
    loops::layout::Layout,
    ops::kernel,
};
use terrace_size::DYNAMIC;

/// The operation that is wrong, and why.
type Wrong<'c, 'a> = (OperationRef<'c, 'a>, String);

/// What may stand inside a kernel; each thread does the same, on its share or on the same numbers.
const OPERATIONS: [&str; 26] = [
    "kernel.load",
    "kernel.store",
    "kernel.gather",
    "kernel.scatter",
    "kernel.atomic",
    "kernel.iota",
    "kernel.reduce",
    "kernel.scan",
    "kernel.broadcast",
    "kernel.convert_layout",
    "kernel.dot",
    "kernel.return",
    "tensor.splat",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
    "scf.condition",
    "memref.alloca",
    "memref.load",
    "memref.store",
    "memref.dim",
    "memref.cast",
    "memref.subview",
    "memref.reinterpret_cast",
    "cf.assert",
];

/// The bytes of static memory that the threads of a block share.
pub(super) const SHARED: i64 = 48 << 10;

/// Whether a kernel can be spread over threads: the bytes that these share.
pub(super) fn check<'c: 'a, 'a>(op: kernel::FuncOp<'c, 'a>) -> Result<i64, Wrong<'c, 'a>> {
    let operation = op.operation();
    let Some(body) = op.body().first_block() else { return Ok(0) };
    for argument in arguments(body) {
        let ty = argument.r#type();
        let is_memref = ty.is_mem_ref();
        if !is_memref && bytes(ty).is_none() {
            return Err((operation, format!("takes {ty}: a kernel on a GPU takes memrefs and numbers")));
        }
        if is_memref && strides_and_offset(ty).is_none() {
            return Err((operation, format!("takes {ty}: on a GPU a buffer has strides and an offset")));
        }
    }
    let known = op.grid().into_iter().filter(|size| *size != DYNAMIC);
    let points = known.fold(1i64, i64::saturating_mul);
    if points >= 1 << 31 {
        return Err((
            operation,
            format!("has {points} grid points: a GPU runs fewer than 2147483648 blocks"),
        ));
    }
    let scratch = Scratch::all(body).map_err(|(op, why)| (op, why.to_owned()))?;
    if let Some(first) = scratch.iter().find(|scratch| scratch.bytes.is_none()) {
        return Err((
            first.op,
            "is scratch memory of a size of the run: on a GPU it has to be static".into(),
        ));
    }
    let total = Scratch::total(&scratch);
    if let Some(first) = scratch.first().filter(|_| total > SHARED) {
        let why = format!(
            "is scratch memory, {total} bytes with what else the kernel has: a block shares {SHARED}"
        );
        return Err((first.op, why));
    }
    let mut exchanged = vec![];
    block(body, total, &mut exchanged)?;
    Ok(with_exchanged(total, &exchanged))
}

/// The bytes of scratch memory with buffers of an element type and a number of elements each.
fn with_exchanged(scratch: i64, buffers: &[(Type, i64)]) -> i64 {
    buffers.iter().fold(scratch, |sum, (element, size)| {
        sum.saturating_add(bytes(*element).unwrap_or(8).saturating_mul(*size))
    })
}

fn block<'c: 'a, 'a>(
    body: melior::ir::BlockRef<'c, 'a>,
    scratch: i64,
    shared: &mut Vec<(Type<'c>, i64)>,
) -> Result<(), Wrong<'c, 'a>> {
    let mut next = body.first_operation();
    while let Some(op) = next {
        let name = name_of(op);
        let simple = ["arith.", "math.", "affine.", "index."].iter().any(|dialect| name.starts_with(dialect));
        for ty in op.operands().map(|v| v.r#type()).chain(op.results().map(|r| r.r#type())) {
            let Some(shaped) = Shaped::of(ty).filter(|_| is_tile(ty)) else { continue };
            if Layout::of(ty).is_none() {
                return Err((
                    op,
                    format!("has the tile {ty} without a layout: run 'kernel-assign-layouts' first"),
                ));
            }
            if bytes(shaped.element).is_none() {
                return Err((op, format!("has a tile of {}: on a GPU a tile is of numbers", shaped.element)));
            }
        }
        if let Some(buffer) = exchanged(op).filter(|buffer| !shared.contains(buffer)) {
            shared.push(buffer);
            let bytes = with_exchanged(scratch, shared);
            if bytes > SHARED {
                let why = format!("makes the threads exchange {bytes} bytes in all: a block shares {SHARED}");
                return Err((op, why));
            }
        }
        if let Ok(scan) = kernel::ScanOp::try_from(op)
            && Cut::spread(scan.tile().r#type()).is_none_or(|cut| scanning(&cut).is_none())
        {
            let why = "scans a tile that is no row of vectors in a power of two: on a GPU threads exchange in pairs";
            return Err((op, why.into()));
        }
        if !simple && !OPERATIONS.contains(&name) {
            return Err((op, "has no form on the threads of a GPU".into()));
        }
        for inner in op.regions().filter_map(|region| region.first_block()) {
            block(inner, scratch, shared)?;
        }
        next = op.next_in_block();
    }
    Ok(())
}
