//! The memory that a memref is of: what views of it have in common, and which memories are apart.
//!
//! A memref is followed through the operations that name a buffer anew to its *root*. Elements of memrefs of
//! one root are comparable by their addresses, which the type of each says where its layout is static: sizes,
//! strides and offset count from the start of the same buffer. Two roots are apart where that is a fact:
//! allocated apart, different globals, an argument that came before the allocation, results of one
//! `memref.distinct_objects`, arguments that say `llvm.noalias`. Anything else may be the same memory.

use crate::ir::{
    BlockLike, OperationLike, attributes,
    cursor::V,
    operations::{self, argument, definition, name_of},
    shaped::{Shaped, strides_and_offset},
    types::has_identity_layout,
};
use melior::ir::{AttributeLike, OperationRef, Value, ValueLike};
use terrace_size::DYNAMIC;

/// Operations whose first result has the elements of their first operand, from the same start.
const VIEWS: [&str; 10] = [
    "memref.cast",
    "memref.memory_space_cast",
    "memref.subview",
    "memref.reinterpret_cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.transpose",
    "memref.reshape",
    "memref.assume_alignment",
    "memref.extract_strided_metadata",
];

/// The same from another start, or in other elements.
const SHIFTED: [&str; 2] = ["kernel.reinterpret", "memref.view"];

/// Whether the first result of an operation has elements of its first operand.
pub fn is_view(op: OperationRef) -> bool {
    let name = name_of(op);
    VIEWS.contains(&name) || SHIFTED.contains(&name)
}

/// What is known of the place of a root.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    Allocated,
    Global(usize),
    /// Of a function; whether it says that it is apart from all else.
    Argument(bool),
    Unknown,
}

/// Whose memory one may be, as a key: memories of different keys have nothing in common, unless one is
/// anybody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// One value's alone.
    Value(usize),
    /// The caller's: of arguments and globals, which may be each other.
    Caller,
    /// Anybody's.
    Anybody,
}

/// The memory of a memref.
pub struct Memory<'c, 'a> {
    /// The value that names it first.
    pub root: V<'c, 'a>,
    place: Place,
    /// The operations that say that their results are apart, and the number of the result.
    distinct: Vec<(usize, usize)>,
    /// Whether the memref counts from another start than the root, or in other elements.
    shifted: bool,
}

impl<'c: 'a, 'a> Memory<'c, 'a> {
    /// The memory of a memref.
    pub fn of(memref: V<'c, 'a>) -> Self {
        let (mut root, mut distinct, mut shifted) = (memref, vec![], false);
        while let Some(result) = operations::result(root) {
            let (op, number) = (result.owner(), result.result_number());
            let name = name_of(op);
            let source = match name {
                "memref.distinct_objects" => {
                    distinct.push((op.to_raw().ptr as usize, number));
                    number
                }
                _ if number == 0 && is_view(op) => {
                    shifted |= SHIFTED.contains(&name);
                    0
                }
                _ => break,
            };
            let Ok(source) = op.operand(source) else { break };
            root = source;
        }
        Self { root, place: Place::of(root), distinct, shifted }
    }

    /// Whether two memrefs are of one memory for sure.
    pub fn is(&self, other: &Self) -> bool {
        self.root == other.root
            || matches!((&self.place, &other.place), (Place::Global(a), Place::Global(b)) if a == b)
    }

    /// Whether addresses in two memrefs count from the same start.
    pub fn is_comparable(&self, other: &Self) -> bool {
        self.is(other) && !self.shifted && !other.shifted
    }

    /// Whose memory it may be.
    pub fn owner(&self) -> Owner {
        match self.place {
            Place::Allocated | Place::Argument(true) => Owner::Value(self.root.to_raw().ptr as usize),
            Place::Argument(false) | Place::Global(_) => Owner::Caller,
            Place::Unknown => Owner::Anybody,
        }
    }

    /// Whether two memrefs have no memory in common for sure; `arguments` of a function are apart from each
    /// other where that is given.
    pub fn is_disjoint(&self, other: &Self, arguments: bool) -> bool {
        use Place::*;
        if self.is(other) {
            return false;
        }
        let told = |(op, number): &(usize, usize)| other.distinct.iter().any(|(o, n)| o == op && n != number);
        self.distinct.iter().any(told)
            || match (&self.place, &other.place) {
                (Allocated, Allocated | Global(_) | Argument(_)) | (Global(_) | Argument(_), Allocated) => {
                    true
                }
                (Global(_), Global(_)) => true,
                (Argument(a), Argument(b)) => *a || *b || arguments,
                (Argument(alone), Global(_)) | (Global(_), Argument(alone)) => *alone,
                _ => false,
            }
    }
}

impl Place {
    fn of(root: V) -> Self {
        if let Some(op) = definition(root) {
            return match name_of(op) {
                "memref.alloc" | "memref.alloca" => Self::Allocated,
                "memref.get_global" => op
                    .attribute("name")
                    .map_or(Self::Unknown, |name| Self::Global(name.to_raw().ptr as usize)),
                _ => Self::Unknown,
            };
        }
        let Some(argument) = argument(root) else { return Self::Unknown };
        let Some(function) = argument.owner().parent_operation() else { return Self::Unknown };
        let entry = function.region(0).ok().and_then(|r| melior::ir::RegionLike::first_block(&r));
        if name_of(function) != "func.func"
            || entry.map(|b| b.to_raw().ptr) != Some(argument.owner().to_raw().ptr)
        {
            return Self::Unknown;
        }
        Self::Argument(is_alone(function, argument.argument_number()))
    }
}

/// Whether an argument of a function says that no other pointer leads to its memory.
fn is_alone(function: OperationRef, argument: usize) -> bool {
    let Ok(all) = function.attribute("arg_attrs") else { return false };
    let own = attributes::array(all).into_iter().nth(argument).map_or(vec![], attributes::entries);
    own.iter().any(|(name, _)| name.as_string_ref().as_str() == Ok("llvm.noalias"))
}

/// Strides and offset of a memref in elements, where all of them are known: its own, or those of what it is a
/// `memref.cast` of.
pub fn static_layout(memref: Value) -> Option<(Vec<i64>, i64)> {
    let known = strides_and_offset(memref.r#type())
        .filter(|(strides, offset)| *offset != DYNAMIC && !strides.contains(&DYNAMIC));
    known.or_else(|| {
        let op = definition(memref).filter(|op| name_of(*op) == "memref.cast")?;
        static_layout(op.operand(0).ok()?)
    })
}

/// Whether the elements of two memrefs are of one type.
pub fn same_elements(a: Value, b: Value) -> bool {
    matches!((Shaped::of(a.r#type()), Shaped::of(b.r#type())), (Some(a), Some(b)) if a.element == b.element)
}

/// Whether different indices of a memref are different elements, for sure: its layout leaves no two the same
/// place, or it is a part of such a memref.
pub fn is_injective(memref: Value) -> bool {
    const PARTS: [&str; 5] =
        ["memref.cast", "memref.subview", "memref.transpose", "memref.expand_shape", "memref.collapse_shape"];
    if has_identity_layout(memref.r#type()) {
        return true;
    }
    if let (Some((strides, _)), Some(shaped)) = (static_layout(memref), Shaped::of(memref.r#type())) {
        let mut dims: Vec<(i64, i64)> =
            strides.into_iter().zip(shaped.shape).filter(|(_, size)| *size != 1).collect();
        dims.sort_unstable();
        // From the innermost on each stride is beyond all that those before it reach.
        let mut reach = 0i64;
        return dims.into_iter().all(|(stride, size)| {
            let beyond = stride > reach;
            let steps = if size == DYNAMIC { i64::MAX } else { size.saturating_sub(1) };
            reach = stride.saturating_mul(steps).saturating_add(reach);
            beyond
        });
    }
    let source =
        definition(memref).filter(|op| PARTS.contains(&name_of(*op))).and_then(|op| op.operand(0).ok());
    source.is_some_and(is_injective)
}
