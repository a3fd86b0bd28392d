//! Writes a group for operations that run together, in front of one of them, and lets it stand for them.
//!
//! Each dimension of a member is at an expression of the group's indices, or the member's own. A member whose
//! result has no dimension of its own is computed where the group's point is; what others load of it is its
//! value. What is needed outside of the group is inserted; memory is written whoever needs it.

use super::cluster::is_tensor;
use crate::{
    emit::{Emitter, Typed},
    loops::operation::{
        copy::{Copy, Local},
        read::{Kind, Loop},
    },
};
use melior::ir::{
    Attribute, Block, Identifier, OperationRef, Region, RegionLike, RegionRef, Type, ValueLike,
    attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute},
    operation::OperationBuilder,
    r#type::{IntegerType, RankedTensorType},
};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        extent::Extent,
        operations::{arguments, definition, key, name_of, users},
        pass::Failure,
        rewrite::{erase, replace_uses},
    },
    loops::affine::{self, Expr},
    ops::loop_,
};

/// What a dimension of a member is in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dim {
    /// The index is an expression of the group's.
    At(Expr),
    /// The member runs through it.
    Own,
}

/// A member.
pub(super) struct Part {
    /// The operation, by its place in the block.
    pub place: usize,
    pub dims: Vec<Dim>,
}

/// A member on its way into a group.
struct Member<'n, 'c, 'a> {
    nest: &'n Loop<'c, 'a>,
    dims: &'n [Dim],
    /// The destination that it is inserted into, by its number.
    destination: Option<usize>,
}

impl<'c: 'a, 'a> Member<'_, 'c, 'a> {
    /// The dimensions of its own, the first those of its result.
    fn own(&self) -> Vec<usize> {
        (0..self.nest.sizes.len()).filter(|d| self.dims[*d] == Dim::Own).collect()
    }

    /// Those of the result.
    fn outer(&self) -> Vec<usize> {
        self.own().into_iter().filter(|d| *d < self.nest.outer).collect()
    }
}

/// Puts a group with this shared domain in front of `before`, and removes the operations; the parts are in
/// their order.
pub(super) fn write<'c: 'a, 'a>(
    parts: &[(Part, &Loop<'c, 'a>)],
    extents: &[Extent<'c, 'a>],
    before: OperationRef<'c, 'a>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let last = parts.last().ok_or("has no members")?.1;
    let at = Emitter::before(before)?.of(last.op.location());
    let (open, sizes) = Extent::split(extents);
    let inside: HashSet<usize> = parts.iter().map(|part| part.1.op.to_raw().ptr as usize).collect();
    let is_inside = |op: OperationRef<'c, 'a>| inside.contains(&(op.to_raw().ptr as usize));
    let mut inits: Vec<V> = vec![];
    let mut members = vec![];
    for (part, nest) in parts {
        let needed = nest.result().is_none_or(|result| is_needed(result, &is_inside));
        let destination = needed.then_some(inits.len());
        if needed {
            let own = nest.init.ok_or("has no destination")?;
            let init = outside(own, &is_inside);
            let fresh = is_tensor(init) && (init.r#type() != own.r#type() || inits.contains(&init));
            let typed = || Typed { ty: own.r#type(), extents: nest.extents[..nest.outer].to_vec() };
            inits.push(if fresh { at.empty(typed()) } else { init });
        }
        members.push(Member { nest, dims: &part.dims, destination });
    }
    let results: Vec<Type> =
        inits.iter().filter(|init| is_tensor(**init)).map(|init| init.r#type()).collect();
    let region = Region::new();
    let types: Vec<_> = std::iter::repeat_n(at.index_type(), sizes.len())
        .chain(inits.iter().map(|init| init.r#type()))
        .map(|ty| (ty, at.location))
        .collect();
    region.append_block(Block::new(&types));
    let group = loop_::group(at.location, &results, None, &open, &sizes, &inits, None, vec![region])?;
    let group = at.insert(group);
    let block = group.region(0)?.first_block().ok_or("has no body")?;
    let own: Vec<V> = arguments(block).collect();
    let (indices, destinations) = own.split_at(sizes.len());
    let mut locals: HashMap<usize, Local> = HashMap::new();
    let mut values = vec![];
    for member in &members {
        let value = compute(member, block, indices, &locals)?;
        let local = Local { value, dims: member.outer() };
        let written = member.nest.result().or(member.nest.init).ok_or("writes nothing")?;
        locals.insert(key(written), local);
        values.push(value);
    }
    let end = at_end(block, at.location);
    let inserts = Region::new();
    inserts.append_block(Block::new(&[]));
    let end = end.insert(loop_::in_parallel(at.location, &[], vec![inserts])?);
    let inserts = end.region(0)?.first_block().ok_or("has no end")?;
    for (member, value) in members.iter().zip(&values) {
        if let Some(destination) = member.destination {
            insert(member, *value, destinations[destination], indices, inserts)?;
        }
    }
    let tensors = (0..inits.len()).filter(|destination| is_tensor(inits[*destination]));
    for (number, destination) in tensors.enumerate() {
        let member = members.iter().find(|member| member.destination == Some(destination));
        if let Some(result) = member.and_then(|member| member.nest.result()) {
            replace_uses(result, group.result_at(number)?);
        }
    }
    for member in members.iter().rev() {
        erase(member.nest.op);
    }
    Ok(group)
}

fn at_end<'c: 'a, 'a>(
    block: melior::ir::BlockRef<'c, 'a>,
    location: melior::ir::Location<'c>,
) -> Emitter<'c, 'a> {
    Emitter::at_end(block, location)
}

/// Whether something else than members uses a result.
fn is_needed<'c: 'a, 'a>(result: V<'c, 'a>, is_inside: &impl Fn(OperationRef<'c, 'a>) -> bool) -> bool {
    users(result).any(|user| {
        let load = loop_::LoadOp::try_from(user).is_ok_and(|load| load.source() == result);
        let reader = if load { user.parent_operation() } else { Some(user) };
        !reader.is_some_and(is_inside)
    })
}

/// The destination behind those that are members' results.
fn outside<'c: 'a, 'a>(mut init: V<'c, 'a>, is_inside: &impl Fn(OperationRef<'c, 'a>) -> bool) -> V<'c, 'a> {
    while let Some(op) = definition(init).filter(|op| is_inside(*op)) {
        match Loop::of(op).and_then(|nest| nest.init) {
            Some(behind) => init = behind,
            None => break,
        }
    }
    init
}

/// Writes a member; its value is a number where it has no dimensions of its own.
fn compute<'c: 'a, 'a>(
    member: &Member<'_, 'c, 'a>,
    block: melior::ir::BlockRef<'c, 'a>,
    shared: &[V<'c, 'a>],
    locals: &HashMap<usize, Local<'c, 'a>>,
) -> Result<V<'c, 'a>, Failure> {
    let nest = member.nest;
    let at = at_end(block, nest.op.location());
    let own = member.own();
    let fill = |at: Emitter<'c, 'a>, indices: &[V<'c, 'a>]| -> Result<V<'c, 'a>, Failure> {
        let values = [shared, indices].concat();
        let mut copy = Copy::new(at, &values).with_locals(locals.clone());
        let mut next = shared.len();
        for (index, dim) in nest.indices.iter().zip(member.dims) {
            copy.index(
                *index,
                match dim {
                    Dim::At(expr) => expr.clone(),
                    Dim::Own => {
                        next += 1;
                        Expr::Dim(next - 1)
                    }
                },
            );
        }
        copy.write(&nest.body)?;
        copy.value(nest.end.value())
    };
    if own.is_empty() && nest.kind == Kind::Pointwise {
        return fill(at, &[]);
    }
    let element = nest.end.value().r#type();
    let extents: Vec<Extent> = own.iter().map(|d| nest.extents[*d]).collect();
    let outer: Vec<u64> = member.outer().iter().map(|d| nest.sizes[*d] as u64).collect();
    let ty = if outer.is_empty() { element } else { RankedTensorType::new(&outer, element, None).into() };
    let region = Region::new();
    region.append_block(Block::new(&vec![(at.index_type(), at.location); own.len()]));
    let op = at.insert(like(nest, &extents, &own, ty, region)?);
    let inner: RegionRef = op.region(0)?;
    let body = inner.first_block().ok_or("has no body")?;
    let indices: Vec<V> = arguments(body).collect();
    let inner = at_end(body, nest.op.location());
    let value = fill(inner, &indices)?;
    let inner = inner.of(nest.end.operation().location());
    inner.insert(loop_::yield_(inner.location, &[], value, &[], None)?);
    Ok(op.result_at(0)?.into())
}

/// An operation like another one as a member: without a destination, over some of its dimensions.
fn like<'c: 'a, 'a>(
    nest: &Loop<'c, 'a>,
    extents: &[Extent<'c, 'a>],
    own: &[usize],
    ty: Type<'c>,
    region: Region<'c>,
) -> Result<melior::ir::Operation<'c>, Failure> {
    let op = nest.op;
    let context = terrace_dialects::ir::context::of(op.context());
    let (open, sizes) = Extent::split(extents);
    let mut attributes: Vec<(Identifier, Attribute)> = vec![];
    for (name, value) in op.attributes() {
        let value = match name.as_string_ref().as_str() {
            Ok("sizes") => DenseI64ArrayAttribute::new(context, &sizes).into(),
            Ok("operandSegmentSizes") => DenseI32ArrayAttribute::new(context, &[open.len() as i32, 0]).into(),
            Ok("dim") if matches!(nest.kind, Kind::Scan(_)) => {
                let Kind::Scan(dim) = nest.kind else { continue };
                let dim = own.iter().position(|d| *d == dim).ok_or("scans along a shared dimension")?;
                IntegerAttribute::new(IntegerType::new(context, 64).into(), dim as i64).into()
            }
            _ => value,
        };
        attributes.push((name, value));
    }
    Ok(OperationBuilder::new(name_of(op), op.location())
        .add_operands(&open)
        .add_results(&[ty])
        .add_attributes(&attributes)
        .add_regions_vec(vec![region])
        .build()?)
}

/// Says where a member's value goes.
fn insert<'c: 'a, 'a>(
    member: &Member<'_, 'c, 'a>,
    value: V<'c, 'a>,
    destination: V<'c, 'a>,
    shared: &[V<'c, 'a>],
    block: melior::ir::BlockRef<'c, 'a>,
) -> Result<(), Failure> {
    let at = at_end(block, member.nest.op.location());
    let outer = &member.dims[..member.nest.outer];
    let whole: Vec<bool> = outer.iter().map(|dim| *dim == Dim::Own).collect();
    let exprs: Vec<_> = outer
        .iter()
        .filter_map(|dim| match dim {
            Dim::At(expr) => Some(expr.write(at.context)),
            Dim::Own => None,
        })
        .collect();
    let (indices, map) = affine::access(at.context, &exprs, shared);
    at.insert(loop_::insert(at.location, &[], None, value, destination, &indices, map, &whole)?);
    Ok(())
}
