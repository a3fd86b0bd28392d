//! Neighbouring dimensions of a domain that every access runs through together become one.
//!
//! ```text
//! loop.pointwise (%n = 8, %c = 64, %h = 7, %w = 7) ... %x[%n, %c, %h, %w], %bias[%c]
//! loop.pointwise (%n = 8, %c = 64, %k = 49) ...        %y[%n, %c, %k],     %bias[%c]
//! ```
//!
//! Lanes then run over 49 neighbours and not over 7. Two indices are the quotient and the remainder of the
//! one that stands in their place; where that leaves a division in a place, even with the buffer's own
//! dimensions collapsed, the dimensions stay as they are. But a reduction to few neighbours reads what none
//! of its terms moves once: there a division costs less than the lanes that it brings. What [`members`] of a
//! group give each other is decided there.

use super::{groups, is_inside, is_written_around, outermost, replace};
use crate::{
    emit::Emitter,
    loops::operation::{
        copy::load_at,
        merged::{collapsed, mergeable},
        place, range_of,
        read::{Kind, Loop},
        runs::short_run,
    },
};
use melior::ir::{
    OperationRef, ValueLike,
    attribute::{DenseI64ArrayAttribute, IntegerAttribute},
    r#type::IntegerType,
};
use std::collections::HashMap;
use terrace_dialects::{
    analysis::memory::Memory,
    internal,
    ir::{
        OperationLike,
        cursor::V,
        operations::{home, key, users},
        pass::Failure,
        rewrite::{erase_argument, replace_uses, set_attribute, set_operand},
        shaped::Shaped,
    },
    loops::affine::{Expr, Range},
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Joins what can be joined in the domain of an operation, from the innermost dimension outwards.
pub(super) fn join<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), Failure> {
    for d in (1..Loop::of(op).map_or(0, |nest| nest.sizes.len())).rev() {
        if let Some(joined) = Loop::of(op).and_then(|nest| Joined::of(nest, d - 1, &Together::default())) {
            joined.write(&mut Collapsed::default())?;
        }
    }
    Ok(())
}

/// What else is joined at the same time, by the value, and the first of its two dimensions.
#[derive(Default)]
pub(super) struct Together {
    /// What members of a group give each other.
    pub locals: HashMap<usize, usize>,
    /// What the group writes.
    pub inits: HashMap<usize, usize>,
}

/// Buffers whose dimensions are collapsed: one that is read and written stays one value.
#[derive(Default)]
pub(super) struct Collapsed<'c, 'a>(HashMap<(usize, Vec<(usize, usize)>), V<'c, 'a>>);

impl<'c: 'a, 'a> Collapsed<'c, 'a> {
    /// A buffer with groups of dimensions, each from the first on, as one. What a member gives has changed
    /// its type.
    pub fn of(
        &mut self,
        e: &Emitter<'c, 'a>,
        buffer: V<'c, 'a>,
        groups: &[(usize, usize)],
    ) -> Result<V<'c, 'a>, Failure> {
        if is_inside(buffer) {
            return Ok(buffer);
        }
        let groups: Vec<_> = groups.iter().copied().filter(|(_, count)| *count > 1).collect();
        let known = (key(buffer), groups);
        if let Some(value) = self.0.get(&known) {
            return Ok(*value);
        }
        let value = collapsed(e, buffer, &known.1)?;
        self.0.insert(known, value);
        Ok(value)
    }
}

/// A dimension that is joined with the one behind it.
pub(super) struct Joined<'c, 'a> {
    nest: Loop<'c, 'a>,
    dim: usize,
    /// The loads that the two indices move.
    places: Vec<(loop_::LoadOp<'c, 'a>, Place<'c, 'a>)>,
}

/// Where a load is with the two dimensions as one.
struct Place<'c, 'a> {
    /// The dimensions of its source that are collapsed, each group from the first on.
    groups: Vec<(usize, usize)>,
    exprs: Vec<Expr>,
    operands: Vec<V<'c, 'a>>,
}

impl<'c: 'a, 'a> Place<'c, 'a> {
    /// The place of a load where the first of two indices stands for both; None where it takes a division
    /// and that is not `cheap`.
    fn of(
        load: loop_::LoadOp<'c, 'a>,
        pair: [V<'c, 'a>; 2],
        sizes: (i64, i64),
        (cheap, together): (bool, &Together),
    ) -> Option<Self> {
        let (exprs, mut operands) = place::of(load);
        let both = Range::of_size(sizes.0 * sizes.1);
        let of = |value: &V<'c, 'a>| if pair.contains(value) { both } else { range_of(*value) };
        let ranges: Vec<Range> = operands.iter().map(of).collect();
        let first = |value: &V<'c, 'a>| operands.iter().position(|other| other == value);
        let index = operands.iter().position(|value| pair.contains(value)).unwrap_or_default();
        let by = || Box::new(Expr::Constant(sizes.1));
        let digit = |value: &V<'c, 'a>| match value {
            value if *value == pair[0] => Expr::FloorDiv(Box::new(Expr::Dim(index)), by()),
            value if *value == pair[1] => Expr::Mod(Box::new(Expr::Dim(index)), by()),
            value => Expr::Dim(first(value).unwrap_or_default()),
        };
        let dims: Vec<Expr> = operands.iter().map(digit).collect();
        let exprs: Vec<Expr> = exprs.iter().map(|expr| expr.substitute(&dims).simplify(&ranges)).collect();
        let source = load.source();
        let local = together.locals.get(&key(source));
        let shape = match local {
            Some(_) => Shaped::of(source.r#type()).map(|shaped| shaped.shape),
            None => mergeable(source).filter(|_| !is_inside(source)),
        };
        let parts = groups(&shape.unwrap_or(vec![DYNAMIC; exprs.len()]), &exprs, &ranges);
        operands.iter_mut().filter(|value| **value == pair[1]).for_each(|value| *value = pair[0]);
        let groups = parts.iter().map(|group| (group.first, group.count)).collect();
        let exprs: Vec<Expr> = parts.into_iter().map(|group| group.place).collect();
        let divides = exprs.iter().any(|expr| expr.linear().is_none());
        let own = Self { groups, exprs, operands };
        let fits = local.is_none_or(|dim| own.joins(*dim));
        ((!divides || cheap) && fits).then_some(own)
    }

    /// Whether a dimension and the one behind it are collapsed, and no others.
    fn joins(&self, dim: usize) -> bool {
        let mut groups = self.groups.iter().filter(|(_, count)| *count > 1);
        groups.next() == Some(&(dim, 2)) && groups.next().is_none()
    }
}

impl<'c: 'a, 'a> Joined<'c, 'a> {
    /// Decides.
    pub fn of(nest: Loop<'c, 'a>, dim: usize, together: &Together) -> Option<Self> {
        let decided = ["order", "tile"].iter().any(|name| nest.op.has_attribute(name));
        if decided || !nest.is_plain() || nest.kind == Kind::Scatter || nest.is_contraction() {
            return None;
        }
        let (first, second) = (nest.sizes[dim], *nest.sizes.get(dim + 1)?);
        let scanned = matches!(nest.kind, Kind::Scan(d) if d == dim || d == dim + 1);
        if first == DYNAMIC || second == DYNAMIC || dim + 1 == nest.outer || scanned {
            return None;
        }
        let writes = || match (nest.init, nest.result()) {
            (Some(init), _) => mergeable(init).is_some_and(|sizes| sizes[dim + 1] != DYNAMIC),
            (None, result) => result.is_some_and(|own| together.locals.get(&key(own)) == Some(&dim)),
        };
        if dim < nest.outer && !writes() || first.checked_mul(second)? == 0 {
            return None;
        }
        let pair = [nest.indices[dim], nest.indices[dim + 1]];
        let loads: Vec<_> = nest.loads().collect();
        let is_place = |op: OperationRef<'c, 'a>| loads.iter().any(|load| load.operation() == op);
        if pair.iter().any(|index| !users(*index).all(is_place)) {
            return None;
        }
        let moved = loads.iter().filter(|load| load.indices().iter().any(|index| pair.contains(index)));
        let inner = &nest.indices[nest.outer..];
        let is_once =
            |load: &loop_::LoadOp<'c, 'a>| !load.indices().iter().any(|index| inner.contains(index));
        let is_short = short_run(&nest) == Some((dim + 1, dim));
        let place = |load| Place::of(load, pair, (first, second), (is_short && is_once(&load), together));
        let places = moved.map(|load| Some((*load, place(*load)?)));
        let places = places.collect::<Option<Vec<_>>>()?;
        // What is read and written has to stay one buffer.
        let own = |place: &Place| place.groups.iter().all(|group| group.1 == 1 || *group == (dim, 2));
        let with = |(load, place): (loop_::LoadOp<'c, 'a>, &Place)| {
            together.inits.get(&key(load.source())).is_some_and(|dim| place.joins(*dim))
        };
        let written = |load: loop_::LoadOp<'c, 'a>| {
            let memory = |init: V<'c, 'a>| Memory::of(init).is(&Memory::of(load.source()));
            nest.init.is_some_and(memory)
        };
        let apart = |(load, place): &(loop_::LoadOp<'c, 'a>, Place)| {
            (!is_written_around(*load) || with((*load, place)))
                && (!written(*load) || nest.init == Some(load.source()) && own(place))
        };
        if !places.iter().all(apart) {
            return None;
        }
        Some(Self { nest, dim, places })
    }

    /// Puts one dimension in the place of two.
    pub fn write(self, made: &mut Collapsed<'c, 'a>) -> Result<(), Failure> {
        let Self { nest, dim, places } = self;
        let (e, op) = (Emitter::before(outermost(nest.op))?, nest.op);
        let number = |n: i64| IntegerAttribute::new(IntegerType::new(e.context, 64).into(), n).into();
        let mut sizes = nest.sizes.clone();
        sizes[dim] *= sizes.remove(dim + 1);
        let buffers = places.iter().map(|(load, place)| made.of(&e, load.source(), &place.groups));
        let buffers = buffers.collect::<Result<Vec<_>, _>>()?;
        let init = nest.init.filter(|_| dim < nest.outer).map(|init| made.of(&e, init, &[(dim, 2)]));
        set_attribute(op, "sizes", DenseI64ArrayAttribute::new(e.context, &sizes).into());
        if dim >= nest.outer {
            set_attribute(op, "reduced", number((sizes.len() - nest.outer) as i64));
        }
        if let Kind::Scan(along) = nest.kind
            && along > dim
        {
            set_attribute(op, "dim", number(along as i64 - 1));
        }
        if let (Some(init), Some(old)) = (init, nest.init) {
            let at = op.operands().position(|own| own == old);
            set_operand(op, at.unwrap_or_default(), init?);
        }
        // What is known of an index is the size of its number.
        let [first, second] = [nest.indices[dim], nest.indices[dim + 1]];
        let block = home(first).ok_or(internal!("an index of no body"))?;
        replace_uses(second, first);
        erase_argument(block, dim + 1);
        for ((load, place), buffer) in places.into_iter().zip(buffers) {
            let at = Emitter::before(load.operation())?;
            let Place { exprs, operands, .. } = place;
            let value = load_at(&at, buffer, &exprs, &operands, load.mask(), load.other())?;
            replace(load, value);
        }
        Ok(())
    }
}
