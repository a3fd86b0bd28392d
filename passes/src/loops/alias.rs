//! Which buffers may share elements.
//!
//! A buffer is followed through views to its *root*. Two buffers are apart where their roots are: an allocation from any
//! other allocation and from any argument; an argument with `llvm.noalias` from all others; one global from another. Two
//! subviews of one buffer are apart where in some dimension one ends before the other begins. All else may overlap.

use melior::ir::{OperationRef, Value, block::BlockArgument, operation::OperationLike};
use mlir_sys::mlirBlockGetParentOperation;
use terrace_dialects::{
    attributes,
    cursor::V,
    facts::{self, Place},
    operations::{definition, name_of},
    types::DYNAMIC,
};

use super::copy::key;

/// How two buffers lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alias {
    /// They are one.
    Same,
    /// They have no element in common.
    Apart,
    /// Nothing is known.
    May,
}

/// What is known of the memory that a buffer is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Root {
    /// Memory of this value alone.
    Own(usize),
    /// An argument, which may overlap others.
    Argument(usize),
    /// Any memory.
    Unknown,
}

const VIEWS: [&str; 7] = [
    "memref.cast",
    "memref.subview",
    "memref.reinterpret_cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.transpose",
    "memref.view",
];

/// The buffer that a buffer is a view of, and the memory that it is in.
pub(crate) fn root<'c: 'a, 'a>(mut buffer: V<'c, 'a>) -> (V<'c, 'a>, Root) {
    while let Some(op) = definition(buffer) {
        match op.operand(0) {
            Ok(source) if VIEWS.contains(&name_of(op)) => buffer = source,
            _ => {
                let owns = matches!(name_of(op), "memref.alloc" | "memref.alloca" | "memref.get_global");
                let of = if name_of(op) == "memref.get_global" { global(op) } else { key(buffer) };
                return (buffer, if owns { Root::Own(of) } else { Root::Unknown });
            }
        }
    }
    (buffer, argument(buffer).unwrap_or(Root::Unknown))
}

/// A global by its name, which is one attribute of the context.
fn global(op: OperationRef) -> usize {
    use melior::ir::AttributeLike;
    op.attribute("name").map_or(0, |name| name.to_raw().ptr as usize)
}

fn argument(buffer: Value) -> Option<Root> {
    let argument = BlockArgument::try_from(buffer).ok()?;
    // SAFETY: the operation has the block.
    let function = unsafe {
        let parent = mlirBlockGetParentOperation(argument.owner().to_raw());
        (!parent.ptr.is_null()).then(|| OperationRef::from_raw(parent))?
    };
    if name_of(function) != "func.func" {
        return None;
    }
    let alone = facts::of(function, Place::Argument(argument.argument_number()), "llvm.noalias").is_some();
    Some(if alone { Root::Own(key(buffer)) } else { Root::Argument(key(buffer)) })
}

/// How two buffers lie to each other.
pub(crate) fn alias(a: V, b: V) -> Alias {
    if a == b {
        return Alias::Same;
    }
    let ((_, first), (_, second)) = (root(a), root(b));
    match (first, second) {
        (Root::Unknown, _) | (_, Root::Unknown) | (Root::Argument(_), Root::Argument(_)) => {
            if first == second && first != Root::Unknown { within(a, b) } else { Alias::May }
        }
        _ if first == second => within(a, b),
        _ => Alias::Apart,
    }
}

/// Two views of one buffer.
fn within(a: V, b: V) -> Alias {
    let Some((first, second)) = subview(a).zip(subview(b)) else { return Alias::May };
    let ends = |part: &Part, d: usize| {
        let [offset, size, stride] = [part.offsets[d], part.sizes[d], part.strides[d]];
        let known = ![offset, size, stride].contains(&DYNAMIC) && stride > 0;
        known.then(|| (offset, offset + (size - 1).max(0) * stride))
    };
    let apart = |d: usize| match (ends(&first, d), ends(&second, d)) {
        (Some(one), Some(other)) => one.1 < other.0 || other.1 < one.0,
        _ => false,
    };
    if first.source == second.source && (0..first.offsets.len()).any(apart) {
        Alias::Apart
    } else {
        Alias::May
    }
}

/// A subview, read.
struct Part {
    source: usize,
    offsets: Vec<i64>,
    sizes: Vec<i64>,
    strides: Vec<i64>,
}

fn subview(buffer: V) -> Option<Part> {
    let op = definition(buffer).filter(|op| name_of(*op) == "memref.subview")?;
    let numbers = |name: &str| op.attribute(name).ok().map(attributes::i64s);
    Some(Part {
        source: key(op.operand(0).ok()?),
        offsets: numbers("static_offsets")?,
        sizes: numbers("static_sizes")?,
        strides: numbers("static_strides")?,
    })
}
