//! Loops, and copies of bodies at a point.

use crate::loops::write::{Size, apply};
use melior::ir::{
    Attribute, Block, BlockRef, OperationRef, Region, RegionLike, Type, ValueLike,
    attribute::DenseI32ArrayAttribute,
    operation::{WalkOrder, WalkResult},
};
use rustc_hash::FxHashMap;
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        operations::{arguments, key},
        pass::Failure,
        rewrite::set_operand,
    },
    loops::affine,
    ops::loop_,
};

/// Writes what is done at a point, of these indices.
pub type Body<'b, 'c, 'a> = &'b mut dyn FnMut(Cursor<'c, 'a>, &[V<'c, 'a>]) -> Result<(), Failure>;

/// The same with what is carried, which it gives on.
type Round<'b, 'c, 'a> =
    &'b mut dyn FnMut(Cursor<'c, 'a>, &[V<'c, 'a>], V<'c, 'a>) -> Result<V<'c, 'a>, Failure>;

/// What values of a loop operation are at a point.
#[derive(Clone, Default)]
pub struct Env<'c, 'a>(FxHashMap<usize, V<'c, 'a>>);

impl<'c, 'a> Env<'c, 'a> {
    /// What a value is: itself, where it is of outside.
    pub fn get(&self, value: V<'c, 'a>) -> V<'c, 'a> {
        self.0.get(&key(value)).copied().unwrap_or(value)
    }

    /// Whether all values are themselves.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Says what a value is.
    pub fn set(&mut self, value: V<'c, 'a>, is: V<'c, 'a>) {
        self.0.insert(key(value), is);
    }

    /// The same with values for more.
    pub fn with(&self, values: &[V<'c, 'a>], are: &[V<'c, 'a>]) -> Self {
        let mut env = self.clone();
        values.iter().zip(are).for_each(|(value, is)| env.set(*value, *is));
        env
    }

    /// Copies an operation.
    fn copy(&mut self, at: Cursor<'c, 'a>, op: OperationRef<'c, 'a>) {
        let copy = at.insert((*op).clone());
        copy.walk(WalkOrder::PreOrder, |inner| {
            for (i, operand) in inner.operands().enumerate() {
                if let Some(is) = self.0.get(&key(operand)) {
                    set_operand(inner, i, *is);
                }
            }
            WalkResult::Advance
        });
        for (old, new) in op.results().zip(copy.results()) {
            self.set(old.into(), new.into());
        }
    }
}

/// The value of a size.
pub fn bound<'c, 'a>(at: Cursor<'c, 'a>, size: Size<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    match size {
        Size::Known(size) => at.index(size),
        Size::Value(value) => Ok(value),
    }
}

/// Runs over a domain by these steps, in any order.
pub fn parallel<'c, 'a>(
    at: Cursor<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    steps: &[i64],
    body: impl FnOnce(Cursor<'c, 'a>, &[V<'c, 'a>]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if sizes.is_empty() {
        return body(at, &[]);
    }
    let rank = sizes.len();
    let zero = at.index(0)?;
    let ends = sizes.iter().map(|size| bound(at, *size)).collect::<Result<Vec<_>, _>>()?;
    let steps = steps.iter().map(|step| at.index(*step)).collect::<Result<Vec<_>, _>>()?;
    let operands = [vec![zero; rank], ends, steps].concat();
    let region = Region::new();
    region.append_block(Block::new(&vec![(at.index_type(), at.location); rank]));
    let segments = DenseI32ArrayAttribute::new(at.context, &[rank as i32, rank as i32, rank as i32, 0]);
    let op =
        at.build("scf.parallel", &operands, &[], &[at.named("operandSegmentSizes", segments)], vec![region])?;
    let block = op.region(0)?.first_block().ok_or("a loop has no body")?;
    let indices: Vec<V> = arguments(block).collect();
    let inner = Cursor::end(block, at.location);
    body(inner, &indices)?;
    inner.build("scf.reduce", &[], &[], &[], vec![])?;
    Ok(())
}

/// Runs over a domain in order, the last dimension fastest.
pub fn ordered<'c, 'a>(
    at: Cursor<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    body: Body<'_, 'c, 'a>,
) -> Result<(), Failure> {
    fn dimension<'c, 'a>(
        at: Cursor<'c, 'a>,
        sizes: &[Size<'c, 'a>],
        outer: &[V<'c, 'a>],
        body: Body<'_, 'c, 'a>,
    ) -> Result<(), Failure> {
        let Some((first, rest)) = sizes.split_first() else { return body(at, outer) };
        at.repeat(at.index(0)?, bound(at, *first)?, |at, i| {
            dimension(at, rest, &[outer, &[i]].concat(), body)
        })
    }
    dimension(at, sizes, &[], body)
}

/// Runs over a domain in order with a value that each point replaces; gives the last one.
pub fn fold<'c, 'a>(
    at: Cursor<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    indices: &[V<'c, 'a>],
    start: V<'c, 'a>,
    body: Round<'_, 'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    let Some((first, rest)) = sizes.split_first() else { return body(at, indices, start) };
    let region = Region::new();
    let ty = start.r#type();
    region.append_block(Block::new(&[(at.index_type(), at.location), (ty, at.location)]));
    let operands = [at.index(0)?, bound(at, *first)?, at.index(1)?, start];
    let op = at.build("scf.for", &operands, &[ty], &[], vec![region])?;
    let block = op.region(0)?.first_block().ok_or("a loop has no body")?;
    let inner = Cursor::end(block, at.location);
    let indices = [indices, &[block.argument(0)?.into()]].concat();
    let value = fold(inner, rest, &indices, block.argument(1)?.into(), body)?;
    inner.build("scf.yield", &[value], &[], &[], vec![])?;
    Ok(op.result_at(0)?.into())
}

/// One value or another, computed where it is wanted.
fn either<'c, 'a>(
    at: Cursor<'c, 'a>,
    condition: V<'c, 'a>,
    ty: Type<'c>,
    yes: impl FnOnce(Cursor<'c, 'a>) -> Result<V<'c, 'a>, Failure>,
    no: V<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    let branch = |_| {
        let region = Region::new();
        region.append_block(Block::new(&[]));
        region
    };
    let regions = (0..2).map(branch).collect();
    let op = at.build("scf.if", &[condition], &[ty], &[], regions)?;
    let block = |i: usize| -> Result<BlockRef<'c, 'a>, Failure> {
        Ok(op.region(i)?.first_block().ok_or("a branch has no body")?)
    };
    let then = Cursor::end(block(0)?, at.location);
    let value = yes(then)?;
    then.build("scf.yield", &[value], &[], &[], vec![])?;
    Cursor::end(block(1)?, at.location).build("scf.yield", &[no], &[], &[], vec![])?;
    Ok(op.result_at(0)?.into())
}

/// The indices that an access has at a point.
pub fn place<'c, 'a>(
    at: Cursor<'c, 'a>,
    env: &Env<'c, 'a>,
    map: Attribute<'c>,
    operands: &[V<'c, 'a>],
) -> Result<Vec<V<'c, 'a>>, Failure> {
    let operands: Vec<V> = operands.iter().map(|v| env.get(*v)).collect();
    affine::exprs(map).iter().map(|expr| apply(at, expr, &operands)).collect()
}

/// Reads an element.
pub fn read<'c, 'a>(
    at: Cursor<'c, 'a>,
    buffer: V<'c, 'a>,
    place: &[V<'c, 'a>],
    ty: Type<'c>,
) -> Result<V<'c, 'a>, Failure> {
    at.op("memref.load", &[&[buffer], place].concat(), ty)
}

/// Writes an element.
pub fn store<'c, 'a>(
    at: Cursor<'c, 'a>,
    value: V<'c, 'a>,
    buffer: V<'c, 'a>,
    place: &[V<'c, 'a>],
) -> Result<(), Failure> {
    at.build("memref.store", &[&[value, buffer], place].concat(), &[], &[], vec![])?;
    Ok(())
}

/// Copies one operation of a body to a point.
pub fn step<'c: 'a, 'a>(
    at: Cursor<'c, 'a>,
    env: &mut Env<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Failure> {
    let at = at.of(op.location());
    let Ok(load) = loop_::LoadOp::try_from(op) else {
        env.copy(at, op);
        return Ok(());
    };
    let result: V = op.result_at(0)?.into();
    let (buffer, ty) = (env.get(load.source()), result.r#type());
    let element = |at: Cursor<'c, 'a>, env: &Env<'c, 'a>| {
        read(at, buffer, &place(at, env, load.map(), &load.indices())?, ty)
    };
    let value = match (load.mask(), load.other()) {
        (Some(mask), Some(other)) => either(at, env.get(mask), ty, |at| element(at, env), env.get(other))?,
        _ => element(at, env)?,
    };
    env.set(result, value);
    Ok(())
}

/// Copies a body to a point; gives its yield.
pub fn body<'c: 'a, 'a>(
    at: Cursor<'c, 'a>,
    env: &mut Env<'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Result<loop_::YieldOp<'c, 'a>, Failure> {
    let mut next = block.first_operation();
    while let Some(op) = next {
        if let Ok(end) = loop_::YieldOp::try_from(op) {
            return Ok(end);
        }
        step(at, env, op)?;
        next = op.next_in_block();
    }
    Err("has no yield".into())
}
