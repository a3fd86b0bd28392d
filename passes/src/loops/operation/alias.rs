//! Which buffers may share elements: those of memories that may be one
//! ([`terrace_dialects::analysis::memory`]), but for two subviews of one buffer of which one ends in some
//! dimension before the other begins.

use terrace_dialects::{
    analysis::memory::Memory,
    ir::{
        OperationLike, attributes,
        cursor::V,
        operations::{definition, key, name_of},
    },
};
use terrace_size::DYNAMIC;

/// How two buffers lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alias {
    /// They are one.
    Same,
    /// They have no element in common.
    Disjoint,
    /// Nothing is known.
    May,
}

/// How two buffers lie to each other.
pub(crate) fn alias<'c: 'a, 'a>(a: V<'c, 'a>, b: V<'c, 'a>) -> Alias {
    if a == b {
        return Alias::Same;
    }
    if Memory::of(a).is_disjoint(&Memory::of(b), false) { Alias::Disjoint } else { within(a, b) }
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
        Alias::Disjoint
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
