//! Writes loop operations with their bodies; sizes may be values of the run.
//!
//! An operation is inserted with an empty body first, then a cursor that stands in the body is handed to the
//! function that fills it, with the indices of the point.

use melior::ir::{
    AffineExpr, Attribute, Block, Operation, OperationRef, Region, RegionLike, Type, ValueLike,
};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        operations::arguments,
        pass::Failure,
        shaped::Shaped,
    },
    loops::{
        affine::{self, Expr},
        combiners,
    },
    ops::{Combiner, loop_},
};
use terrace_size::DYNAMIC;

/// How many indices a dimension has.
#[derive(Clone, Copy)]
pub enum Size<'c, 'a> {
    /// That many.
    Known(i64),
    /// As many as an index says.
    Value(V<'c, 'a>),
}

impl Size<'_, '_> {
    /// The number, where it is known.
    pub fn known(self) -> Option<i64> {
        match self {
            Size::Known(size) => Some(size),
            Size::Value(_) => None,
        }
    }
}

/// Where a value of a group's point goes.
pub struct Insert<'c, 'a> {
    /// The value.
    pub value: V<'c, 'a>,
    /// The number of the destination.
    pub into: usize,
    /// The element, by expressions over `values`.
    pub place: Vec<Expr>,
    /// The dimensions of the expressions.
    pub values: Vec<V<'c, 'a>>,
}

/// Static sizes, and values for the others.
fn split<'c, 'a>(sizes: &[Size<'c, 'a>]) -> (Vec<i64>, Vec<V<'c, 'a>>) {
    let fixed = sizes.iter().map(|s| s.known().unwrap_or(DYNAMIC)).collect();
    let values = sizes.iter().filter_map(|s| if let Size::Value(v) = s { Some(*v) } else { None });
    (fixed, values.collect())
}

fn region<'c>(at: Cursor<'c, '_>, arguments: &[Type<'c>]) -> Region<'c> {
    let region = Region::new();
    let arguments: Vec<_> = arguments.iter().map(|ty| (*ty, at.location)).collect();
    region.append_block(Block::new(&arguments));
    region
}

/// Inserts an operation and fills its body.
fn fill<'c, 'a>(
    at: Cursor<'c, 'a>,
    op: Operation<'c>,
    body: impl FnOnce(Cursor<'c, 'a>, &[V<'c, 'a>]) -> Result<(), Failure>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let op = at.insert(op);
    let block = op.region(0)?.first_block().ok_or(internal!("has no body"))?;
    let indices: Vec<V> = arguments(block).collect();
    body(Cursor::end(block, at.location), &indices)?;
    Ok(op)
}

fn results<'c>(init: V<'c, '_>) -> Result<Vec<Type<'c>>, Failure> {
    Ok(if Shaped::expect(init.r#type())?.buffer { vec![] } else { vec![init.r#type()] })
}

fn end<'c, 'a>(at: Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<(), Failure> {
    at.insert(loop_::yield_(at.location, &[], value, &[], None)?);
    Ok(())
}

/// `loop.pointwise`.
pub fn pointwise<'c, 'a>(
    at: Cursor<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    init: V<'c, 'a>,
    body: impl FnOnce(Cursor<'c, 'a>, &[V<'c, 'a>]) -> Result<V<'c, 'a>, Failure>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let (fixed, dynamic) = split(sizes);
    let region = region(at, &vec![at.index_type(); sizes.len()]);
    let op = loop_::pointwise(
        at.location,
        &results(init)?,
        &dynamic,
        &fixed,
        Some(init),
        None,
        None,
        vec![region],
    )?;
    fill(at, op, |at, i| end(at, body(at, i)?))
}

/// `loop.reduction` over the last `reduced` sizes, into a destination, or as a member that gives a number.
pub fn reduction<'c, 'a>(
    at: Cursor<'c, 'a>,
    combiner: Combiner,
    sizes: &[Size<'c, 'a>],
    reduced: usize,
    result: Result<V<'c, 'a>, Type<'c>>,
    body: impl FnOnce(Cursor<'c, 'a>, &[V<'c, 'a>]) -> Result<V<'c, 'a>, Failure>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let (fixed, dynamic) = split(sizes);
    let region = region(at, &vec![at.index_type(); sizes.len()]);
    let (types, init) = match result {
        Ok(init) => (results(init)?, Some(init)),
        Err(number) => (vec![number], None),
    };
    let op = loop_::reduction(
        at.location,
        &types,
        combiner,
        &dynamic,
        &fixed,
        reduced as i64,
        init,
        None,
        None,
        vec![region],
    )?;
    fill(at, op, |at, i| end(at, body(at, i)?))
}

/// `loop.scatter`: the body gives an element and its place.
pub fn scatter<'c, 'a>(
    at: Cursor<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    init: V<'c, 'a>,
    body: impl FnOnce(Cursor<'c, 'a>, &[V<'c, 'a>]) -> Result<(V<'c, 'a>, Vec<Expr>, Vec<V<'c, 'a>>), Failure>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let (fixed, dynamic) = split(sizes);
    let region = region(at, &vec![at.index_type(); sizes.len()]);
    let op = loop_::scatter(
        at.location,
        &results(init)?,
        None,
        None,
        &dynamic,
        &fixed,
        init,
        None,
        None,
        vec![region],
    )?;
    fill(at, op, |at, i| {
        let (value, place, values) = body(at, i)?;
        let place: Vec<AffineExpr> = place.iter().map(|e| e.write(at.context)).collect();
        let (operands, map) = affine::access(at.context, &place, &values);
        at.insert(loop_::yield_(at.location, &[], value, &operands, Some(map))?);
        Ok(())
    })
}

/// `loop.group`: the body gives what goes where.
pub fn group<'c, 'a>(
    at: Cursor<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    inits: &[V<'c, 'a>],
    body: impl FnOnce(Cursor<'c, 'a>, &[V<'c, 'a>]) -> Result<Vec<Insert<'c, 'a>>, Failure>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let (fixed, dynamic) = split(sizes);
    let inside: Vec<Type> = inits.iter().map(|init| init.r#type()).collect();
    let region = region(at, &[vec![at.index_type(); sizes.len()], inside].concat());
    let types = inits.iter().map(|init| results(*init)).collect::<Result<Vec<_>, _>>()?.concat();
    let op = loop_::group(at.location, &types, None, &dynamic, &fixed, inits, None, vec![region])?;
    fill(at, op, |at, i| {
        let inserts = body(at, &i[..sizes.len()])?;
        let region = Region::new();
        let block = region.append_block(Block::new(&[]));
        let inner = Cursor::end(block, at.location);
        for insert in inserts {
            let exprs: Vec<AffineExpr> = insert.place.iter().map(|e| e.write(at.context)).collect();
            let (operands, map) = affine::access(at.context, &exprs, &insert.values);
            let whole = vec![false; exprs.len()];
            let into = i[sizes.len() + insert.into];
            inner.insert(loop_::insert(at.location, &[], None, insert.value, into, &operands, map, &whole)?);
        }
        at.insert(loop_::in_parallel(at.location, &[], vec![region])?);
        Ok(())
    })
}

/// `loop.load` at expressions over `values`; where `mask` is off the second value.
pub fn load<'c, 'a>(
    at: Cursor<'c, 'a>,
    source: V<'c, 'a>,
    exprs: &[Expr],
    values: &[V<'c, 'a>],
    mask: Option<(V<'c, 'a>, V<'c, 'a>)>,
) -> Result<V<'c, 'a>, Failure> {
    let exprs: Vec<AffineExpr> = exprs.iter().map(|e| e.write(at.context)).collect();
    let (operands, map) = affine::access(at.context, &exprs, values);
    let (mask, other) = mask.unzip();
    Ok(at.insert(loop_::load(at.location, source, &operands, map, mask, other)?).result_at(0)?.into())
}

/// Two elements combined.
pub fn combine<'c, 'a>(
    at: Cursor<'c, 'a>,
    combiner: Combiner,
    a: V<'c, 'a>,
    b: V<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    combiners::combine(&at, combiner, a.r#type(), (a, b))
}

/// Combines numbers of which others may be combined first: floats say `fastmath<reassoc>`.
pub fn combine_in_any_order<'c, 'a>(
    at: Cursor<'c, 'a>,
    combiner: Combiner,
    a: V<'c, 'a>,
    b: V<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    let Some(name) = combiners::operation(combiner, a.r#type()) else { return combine(at, combiner, a, b) };
    let flags = Attribute::parse(at.context, "#arith.fastmath<reassoc>").ok_or(internal!("no flags"))?;
    let flags = matches!(name, "arith.addf" | "arith.mulf").then(|| at.named("fastmath", flags));
    at.with(name, &[a, b], a.r#type(), flags.as_slice())
}

/// The value of an expression over `values`, by `affine.apply` where it is not a value or a number already.
pub fn apply<'c, 'a>(at: Cursor<'c, 'a>, expr: &Expr, values: &[V<'c, 'a>]) -> Result<V<'c, 'a>, Failure> {
    match expr {
        Expr::Dim(d) => Ok(values[*d]),
        Expr::Constant(c) => at.index(*c),
        _ => {
            let (operands, map) = affine::access(at.context, &[expr.write(at.context)], values);
            at.with("affine.apply", &operands, at.index_type(), &[at.named("map", map)])
        }
    }
}

/// The identity in that many dimensions.
pub fn point(rank: usize) -> Vec<Expr> {
    (0..rank).map(Expr::Dim).collect()
}

/// The sizes of a tensor or memref; those that its type does not say are read in front of the cursor.
pub fn sizes_of<'c, 'a>(at: Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<Vec<Size<'c, 'a>>, Failure> {
    let shaped = Shaped::expect(value.r#type())?;
    (0..shaped.rank()).map(|d| size_of(at, value, &shaped, d)).collect()
}

/// One of [`sizes_of`].
pub fn size_of<'c, 'a>(
    at: Cursor<'c, 'a>,
    value: V<'c, 'a>,
    shaped: &Shaped<'c>,
    d: usize,
) -> Result<Size<'c, 'a>, Failure> {
    if shaped.shape[d] != DYNAMIC {
        return Ok(Size::Known(shaped.shape[d]));
    }
    let name = if shaped.buffer { "memref.dim" } else { "tensor.dim" };
    Ok(Size::Value(at.op(name, &[value, at.index(d as i64)?], at.index_type())?))
}
