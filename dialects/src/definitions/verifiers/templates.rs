//! Templates: their bodies fit their domains, and use of them what they may.

use super::loops::{check_access, check_domain};
use crate::{
    ir::{
        BlockLike, OperationLike, context, rewrite,
        shaped::{Shaped, check_sizes},
    },
    loops::{affine, widened},
    ops::{kernel, loop_},
};
use melior::ir::{
    BlockRef, OperationRef, RegionLike, RegionRef, Type, TypeLike, Value, ValueLike, r#type::IntegerType,
};
use terrace_size::DYNAMIC;

/// A body, its arguments, and what it yields.
struct Body<'c, 'a> {
    what: &'static str,
    block: BlockRef<'c, 'a>,
    arguments: Vec<Value<'c, 'a>>,
    end: loop_::YieldOp<'c, 'a>,
}

impl<'c, 'a> Body<'c, 'a> {
    /// A body of so many indices, and after them one of each of `more`.
    fn read(
        what: &'static str,
        region: RegionRef<'c, 'a>,
        indices: usize,
        more: &[Type<'c>],
    ) -> Result<Self, String> {
        let block = region.first_block().ok_or_else(|| format!("has an empty {what}"))?;
        let arguments: Vec<Value> =
            (0..block.argument_count()).filter_map(|i| block.argument(i).ok().map(Into::into)).collect();
        let fits = arguments.len() == indices + more.len()
            && arguments[..indices].iter().all(|a| a.r#type().is_index())
            && arguments[indices..].iter().zip(more).all(|(a, ty)| a.r#type() == *ty);
        if !fits {
            let more: String = more.iter().map(|ty| format!(" and the sum, {ty}")).collect();
            return Err(format!("expects {indices} indices{more} as arguments of its {what}"));
        }
        let end = block.terminator().and_then(|end| loop_::YieldOp::try_from(end).ok());
        let end = end.ok_or_else(|| format!("expects its {what} to end with 'loop.yield'"))?;
        Ok(Self { what, block, arguments, end })
    }

    /// The element type of a factor, which does not use argument `other`.
    fn check_factor(&self, init: Value<'c, 'a>, other: usize, name: &str) -> Result<Type<'c>, String> {
        if rewrite::has_uses(self.arguments[other]) {
            return Err(format!("uses the {name} in its {}", self.what));
        }
        if self.end.map().is_some() {
            return Err(format!("yields 'at' a place in its {}: only the epilogue chooses one", self.what));
        }
        if !loads_of(self.block, init).is_empty() {
            return Err(format!("loads from its destination in its {}", self.what));
        }
        let ty = self.end.value().r#type();
        if ty.is_f32() || ty.is_f64() || is_word(ty) {
            Ok(ty)
        } else {
            let expected = "expects f32, f64, or i32, which is two of bf16";
            Err(format!("multiplies elements of {ty}, {expected}: convert them in its {}", self.what))
        }
    }
}

/// Whether an element is two of bf16.
fn is_word(ty: Type) -> bool {
    IntegerType::try_from(ty).is_ok_and(|ty| ty.width() == 32)
}

/// The type of a sum of products of such elements.
fn sum_of(element: Type) -> Type {
    if is_word(element) { Type::float32(context::of(element.context())) } else { element }
}

/// Whether factors can be multiplied in pairs; where these are words, whether the right one is packed.
fn check_pairs(inner: i64, words: Option<bool>, factors: [&Body; 2]) -> Result<(), String> {
    if words.is_some() && (inner == DYNAMIC || inner % 2 != 0) {
        return Err("expects an inner size that is a number and even, for 'pairs'".into());
    }
    if words == Some(false) {
        return Err("expects its right factor to be packed, for 'pairs'".into());
    }
    match factors.iter().find(|body| widened(body.end.value()).is_none()) {
        Some(body) => {
            Err(format!("expects its {} to yield the 'arith.extf' of a bf16, for 'pairs'", body.what))
        }
        None => Ok(()),
    }
}

/// Whether a sum over several indices, or of columns as one run, is read as it lies.
fn check_order(view: kernel::MatmulOp, reduced: usize) -> Result<(), String> {
    let packs = view.pack().is_some_and(|pack| pack.contains(&true));
    let is_other = packs || view.pairs().is_some() || view.dots().is_some();
    if reduced > 1 && is_other {
        return Err(
            "sums over several dimensions: expects neither 'pairs' nor 'dots', nor a packed factor".into()
        );
    }
    match view.span() {
        Some(_) if is_other => {
            Err("has a 'span': expects neither 'pairs' nor 'dots', nor a packed factor".into())
        }
        Some(span) if span < 1 => Err(format!("expects a 'span' of 1 or more, got {span}")),
        Some(_) if view.sizes().len() == reduced + 2 => {
            Err("has a 'span' and no batches: expects a dimension in front of its rows".into())
        }
        _ => Ok(()),
    }
}

/// The loads of a buffer in a block.
fn loads_of<'c, 'a>(block: BlockRef<'c, 'a>, buffer: Value<'c, 'a>) -> Vec<loop_::LoadOp<'c, 'a>> {
    std::iter::successors(block.first_operation(), |op| op.next_in_block())
        .filter_map(|op| loop_::LoadOp::try_from(op).ok())
        .filter(|load| load.source() == buffer)
        .collect()
}

/// Whether two accesses name the same element.
fn same_place(a: (&[affine::Expr], &[Value]), b: (&[affine::Expr], &[Value])) -> bool {
    let same = |i: usize, j: usize| a.1.get(i).zip(b.1.get(j)).is_some_and(|(x, y)| x == y);
    a.0.len() == b.0.len() && a.0.iter().zip(b.0).all(|(x, y)| x.same(y, &same))
}

/// The factors and the sum fit each other, the place fits the destination, and nothing else of the
/// destination is used.
pub fn kernel_matmul(op: OperationRef) -> Result<(), String> {
    let view = kernel::MatmulOp::try_from(op).map_err(|_| "is no product")?;
    let sizes = view.sizes();
    check_domain(&sizes, view.dynamic_sizes().len())?;
    let reduced = usize::try_from(view.reduced()).unwrap_or(0);
    if reduced == 0 || sizes.len() < reduced.saturating_add(2) {
        return Err(format!("expects sizes of rows, columns and {reduced} inner dimensions, got {sizes:?}"));
    }
    if let Some(tile) = view.tile() {
        check_tile(&tile)?;
    }
    if view.pack().is_some_and(|pack| pack.len() != 2) {
        return Err("expects 'pack' to say it of the left factor and of the right one".into());
    }
    let (outer, init) = (sizes.len() - reduced, view.init());
    let destination = Shaped::expect(init.r#type())?;
    let lhs = Body::read("left factor", view.lhs(), sizes.len(), &[])?;
    let rhs = Body::read("right factor", view.rhs(), sizes.len(), &[])?;
    let factor = lhs.check_factor(init, outer - 1, "column")?;
    let other = rhs.check_factor(init, outer - 2, "row")?;
    if factor != other {
        return Err(format!("multiplies {factor} by {other}"));
    }
    let sum = sum_of(factor);
    if view.pairs().is_some() {
        let words = view.dots().is_none().then(|| view.pack().is_none_or(|pack| pack[1]));
        check_pairs(sizes[outer], words, [&lhs, &rhs])?;
    }
    check_order(view, reduced)?;
    if view.dots().is_some() && !factor.is_f32() {
        return Err(format!("multiplies {factor}, expects f32 for 'dots'"));
    }
    if view.dots().is_some() && view.pack().is_some_and(|pack| pack.contains(&true)) {
        return Err("packs a factor, whose rows are read as they lie for 'dots'".into());
    }
    if view.epilogue().first_block().is_none() {
        check_sizes("a destination of the outer domain's sizes", &sizes[..outer], &destination.shape)?;
        return check_stored(sum, destination.element);
    }
    let epilogue = Body::read("epilogue", view.epilogue(), outer, &[sum])?;
    check_stored(epilogue.end.value().r#type(), destination.element)?;
    let (exprs, indices) = match epilogue.end.map() {
        Some(map) => {
            let indices = epilogue.end.indices();
            check_access(affine::results(map), affine::dims(map), indices.len(), destination.rank())?;
            (affine::exprs(map), indices)
        }
        None => {
            check_sizes("a destination of the outer domain's sizes", &sizes[..outer], &destination.shape)?;
            ((0..outer).map(affine::Expr::Dim).collect(), epilogue.arguments[..outer].to_vec())
        }
    };
    for load in loads_of(epilogue.block, init) {
        if !same_place((&exprs, &indices), (&affine::exprs(load.map()), &load.indices())) {
            return Err(
                "loads from its destination elsewhere than it stores, which may be written before".into()
            );
        }
    }
    Ok(())
}

/// The elements of a register tile at most.
const MAX_TILE: i64 = 1 << 16;

fn check_tile(tile: &[i64]) -> Result<(), String> {
    if tile.len() != 2 || tile.iter().any(|t| *t < 1) {
        return Err(format!("expects a tile of rows and columns, 1 or more of each, got {tile:?}"));
    }
    match tile[0].checked_mul(tile[1]) {
        Some(elements) if elements <= MAX_TILE => Ok(()),
        _ => Err(format!("expects a tile of {MAX_TILE} elements at most, got {tile:?}")),
    }
}

fn check_stored(yielded: Type, element: Type) -> Result<(), String> {
    if yielded == element { Ok(()) } else { Err(format!("stores {yielded} into a destination of {element}")) }
}
