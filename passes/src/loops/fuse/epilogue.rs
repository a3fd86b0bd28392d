//! A sum of products and the operation on its elements: a group over the product's domain, which becomes one
//! template.
//!
//! Nobody but one pointwise operation reads the product, and each of its points reads one element, each
//! element once. So the operation can be done where the product's element is: at the point whose element it
//! reads. Where that is, by the product's indices, is the inverse of the load's place. It is found for
//! permutations and for reshapes, and tested: the place at the inverse is the point itself.

use super::{
    set::Candidate,
    write::{Dim, Part},
};
use crate::{
    kernel::tile_programs::nest::Nest,
    loops::{
        convert_to_kernel::product,
        operation::{
            place, range_of,
            read::{Kind, Loop},
        },
    },
};
use melior::ir::OperationRef;
use terrace_dialects::{
    ir::{OperationLike, extent::Extent, operations::users},
    loops::affine::{Expr, Range},
    ops::loop_,
};

/// The operation that a product is the only one to be read by; None where it is none, an error where there is
/// none.
pub(super) fn reader<'c: 'a, 'a>(
    product: &Candidate<'c, 'a>,
) -> Option<Result<OperationRef<'c, 'a>, &'static str>> {
    let nest = &product.nest;
    if !nest.is_contraction() {
        return None;
    }
    let own = Nest::of(nest.op).ok()?;
    if !product::is_product(&own) {
        return Some(Err("it has no template to take an epilogue"));
    }
    let result = nest.result()?;
    let load = |op| loop_::LoadOp::try_from(op).ok().filter(|load| load.source() == result);
    let (loads, others): (Vec<_>, Vec<_>) = users(result).partition(|op| load(*op).is_some());
    let reader = match loads[..] {
        [only] if load(only).is_some_and(|load| load.mask().is_none()) => only.parent_operation(),
        _ => None,
    };
    let Some(reader) = reader.filter(|reader| reader.block() == nest.op.block()) else {
        return Some(Err("its product is not read by one load"));
    };
    // It may write over what it reads.
    let over =
        |op: &OperationRef<'c, 'a>| *op == reader && Loop::of(reader).is_some_and(|r| r.init == Some(result));
    Some(if others.iter().all(over) { Ok(reader) } else { Err("its product is needed in memory") })
}

/// The parts of the group of a product and the operation on its elements, by their places in the block.
pub(super) fn parts<'c: 'a, 'a>(
    product: (usize, &Loop<'c, 'a>),
    reader: (usize, &Loop<'c, 'a>),
) -> Result<Vec<Part>, &'static str> {
    let (nest, own) = (reader.1, product.1);
    if nest.kind != Kind::Pointwise {
        return Err("what reads its product is not pointwise");
    }
    let result = own.result().ok_or("it is on memrefs")?;
    let load = nest.loads().find(|load| Some(load.source()) == Some(result)).ok_or("it is read otherwise")?;
    let inverse = inverse(load, nest, &own.extents[..own.outer])
        .ok_or("its product is not read at each element once")?;
    let at = |d: usize| if d < own.outer { Dim::At(Expr::Dim(d)) } else { Dim::Own };
    Ok(vec![
        Part { place: product.0, dims: (0..own.sizes.len()).map(at).collect() },
        Part { place: reader.0, dims: inverse.into_iter().map(Dim::At).collect() },
    ])
}

/// The indices of the operation's point that reads an element, by the indices of the element. Where a size is
/// one of the run, each dimension has to be one of the other.
fn inverse<'c: 'a, 'a>(
    load: loop_::LoadOp<'c, 'a>,
    of: &Loop<'c, 'a>,
    extents: &[Extent<'c, 'a>],
) -> Option<Vec<Expr>> {
    let sizes: Option<Vec<i64>> = extents.iter().map(|extent| extent.number()).collect();
    let points: Option<i64> = sizes.as_ref().map(|sizes| sizes.iter().product());
    if of.points() != points {
        return None;
    }
    let (exprs, operands) = place::of(load);
    // The place by the operation's indices alone.
    let position = |value| of.indices.iter().position(|index| *index == value);
    let dims: Vec<Expr> = operands.iter().map(|v| position(*v).map(Expr::Dim)).collect::<Option<_>>()?;
    let own: Vec<Range> = of.indices.iter().map(|v| range_of(*v)).collect();
    let forward: Vec<Expr> = exprs.iter().map(|e| e.substitute(&dims).simplify(&own)).collect();
    let element: Vec<Range> = extents.iter().map(|extent| Range::of_size(extent.in_type())).collect();
    let is_inverse = |back: &Vec<Expr>| {
        let there = |(d, expr): (usize, &Expr)| {
            let known = if extents[d].is(1) { Expr::Constant(0) } else { Expr::Dim(d) };
            expr.substitute(back).simplify(&element) == known
        };
        forward.iter().enumerate().all(there)
    };
    let permuted = || {
        let at = |d: usize| {
            let own = forward.iter().position(|expr| *expr == Expr::Dim(d))?;
            (extents[own] == of.extents[d]).then_some(Expr::Dim(own))
        };
        (0..of.sizes.len()).map(|d| if of.sizes[d] == 1 { Some(Expr::Constant(0)) } else { at(d) }).collect()
    };
    let reshaped = |sizes: &Vec<i64>| {
        let product = |l: Expr, by: i64| Expr::Mul(Box::new(l), Box::new(Expr::Constant(by)));
        let mut flat = Expr::Constant(0);
        for (d, size) in sizes.iter().enumerate() {
            flat = Expr::Add(Box::new(product(flat, *size)), Box::new(Expr::Dim(d)));
        }
        let mut back = vec![];
        let mut stride = 1i64;
        for size in of.sizes.iter().rev() {
            let digit = Expr::FloorDiv(Box::new(flat.clone()), Box::new(Expr::Constant(stride)));
            back.push(
                Expr::Mod(Box::new(digit), Box::new(Expr::Constant((*size).max(1)))).simplify(&element),
            );
            stride *= (*size).max(1);
        }
        back.reverse();
        back
    };
    let permuted: Option<Vec<Expr>> = permuted();
    permuted.filter(is_inverse).or_else(|| sizes.as_ref().map(reshaped).filter(is_inverse))
}
