//! The pass `kernel-pair-products`: sums of products of bf16 take two products at once.
//!
//! A sum of a row has a tile of lanes that is added up in the end, by `kernel.reduce`. Which of them a
//! product is added to makes no difference, so neighbours may go to one: half as many lanes, and
//! `kernel.add_pairs`. The tile is followed from its end to its start: through loops that carry it, and sums
//! that may be contracted with a product of what was bf16. A long sum is one in f64 of such tiles.

use super::tile_programs::cursor::tile_type;
use melior::ir::{
    OperationRef, RegionLike, Type, ValueLike,
    attribute::{DenseElementsAttribute, FloatAttribute},
};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike, attributes,
        cursor::{Cursor, V},
        operations::{collect, definition, name_of, result, uses},
        pass::Failure,
        rewrite::{erase, replace_uses, set_operand},
        shaped::Shaped,
    },
    loops::widened,
    ops::{Combiner, kernel},
};

/// What a tile of sums comes through.
enum Link<'c, 'a> {
    /// Zeros, and what they are an operand of.
    Start(OperationRef<'c, 'a>, usize),
    /// A loop that carries it, and its number there.
    Loop(OperationRef<'c, 'a>, usize),
    /// A sum with the products of two tiles of bf16.
    Sum(OperationRef<'c, 'a>, [V<'c, 'a>; 2]),
    /// A sum with a tile that is extended, and what extends it.
    Extended(OperationRef<'c, 'a>, OperationRef<'c, 'a>),
}

/// Pairs products in every kernel of a module.
pub fn run(module: OperationRef, _: &crate::options::KernelPairProducts) -> Result<(), Failure> {
    for op in collect(module, |op| kernel::ReduceOp::try_from(op).is_ok()) {
        let Ok(reduce) = kernel::ReduceOp::try_from(op) else { continue };
        let is_sum = reduce.combiner() == Combiner::Add && reduce.dim().is_none();
        let lanes = Some(reduce.tile().r#type()).filter(|_| is_sum).and_then(pairs_of);
        let Some(lanes) = lanes else { continue };
        if let Some(links) = links(reduce.tile(), (op, 0), None) {
            pair(links, lanes)?;
        }
    }
    Ok(())
}

/// How many pairs a row has; None where it is no row of an even number of lanes.
fn pairs_of(ty: Type) -> Option<i64> {
    match Shaped::of(ty)?.shape[..] {
        [lanes] if lanes % 2 == 0 => Some(lanes / 2),
        _ => None,
    }
}

/// The type of a row of so many lanes in the place of others.
fn with_lanes<'c>(ty: Type<'c>, lanes: i64) -> Result<Type<'c>, Failure> {
    Ok(tile_type(&[lanes], Shaped::expect(ty)?.element))
}

/// What a tile comes through, from its end to its start, which is `argument` or zeros; `user` uses it alone.
fn links<'c: 'a, 'a>(
    mut value: V<'c, 'a>,
    mut user: (OperationRef<'c, 'a>, usize),
    argument: Option<V<'c, 'a>>,
) -> Option<Vec<Link<'c, 'a>>> {
    let mut links = vec![];
    while Some(value) != argument {
        let op = definition(value)?;
        if name_of(op) == "arith.constant" {
            links.push(Link::Start(user.0, user.1));
            return (argument.is_none() && is_zero(op)).then_some(links);
        }
        if uses(value).count() != 1 {
            return None;
        }
        match name_of(op) {
            "scf.for" => {
                let number = result(value)?.result_number();
                let block = op.region(0).ok()?.first_block()?;
                let end = block.terminator()?;
                let carried: V = block.argument(1 + number).ok()?.into();
                if uses(carried).count() != 1 {
                    return None;
                }
                links.extend(self::links(end.operand(number).ok()?, (end, number), Some(carried))?);
                links.push(Link::Loop(op, number));
                user = (op, 3 + number);
            }
            "arith.addf" if may_contract(op) => {
                links.push(Link::Sum(op, products(op.operand(1).ok()?)?));
                user = (op, 0);
            }
            "arith.addf" => {
                let more = op.operand(1).ok().filter(|more| uses(*more).count() == 1)?;
                let extension = definition(more).filter(|op| name_of(*op) == "arith.extf")?;
                links.push(Link::Extended(op, extension));
                links.extend(self::links(extension.operand(0).ok()?, (extension, 0), None)?);
                user = (op, 0);
            }
            _ => return None,
        }
        value = user.0.operand(user.1).ok()?;
    }
    Some(links)
}

fn is_zero(op: OperationRef) -> bool {
    let splat = op.attribute("value").ok().and_then(attributes::splat);
    splat.is_some_and(|element| attributes::f64(element) == 0.0)
}

fn may_contract(op: OperationRef) -> bool {
    op.attribute("fastmath").is_ok_and(|flags| flags.to_string() == "#arith.fastmath<contract>")
}

/// The tiles of bf16 whose product a tile of f32 is.
fn products<'c: 'a, 'a>(product: V<'c, 'a>) -> Option<[V<'c, 'a>; 2]> {
    let op = definition(product).filter(|op| name_of(*op) == "arith.mulf" && may_contract(*op))?;
    Some([widened(op.operand(0).ok()?)?, widened(op.operand(1).ok()?)?])
}

/// Rewrites a tile from its start to its end, which is to have so many lanes.
fn pair<'c: 'a, 'a>(links: Vec<Link<'c, 'a>>, lanes: i64) -> Result<(), Failure> {
    for link in links.into_iter().rev() {
        match link {
            Link::Start(user, number) => {
                let at = Cursor::before(user)?;
                let half = with_lanes(user.operand(number)?.r#type(), lanes)?;
                let zero = FloatAttribute::new(at.context, Shaped::expect(half)?.element, 0.0);
                let zeros = DenseElementsAttribute::splat(half, zero.into());
                set_operand(user, number, at.constant(half, zeros.into())?);
            }
            Link::Loop(op, number) => {
                let block = op.region(0)?.first_block().ok_or("has a loop without a body")?;
                let result = V::from(op.result_at(number)?);
                let half = with_lanes(result.r#type(), lanes)?;
                V::from(block.argument(1 + number)?).set_type(half);
                result.set_type(half);
            }
            Link::Sum(op, [left, right]) => {
                let at = Cursor::before(op)?;
                let sums = at.insert(kernel::add_pairs(at.location, left, right, op.operand(0)?)?);
                replace_uses(op.result_at(0)?, sums.result_at(0)?);
                erase(op);
            }
            Link::Extended(op, extension) => {
                for result in [extension.result_at(0)?, op.result_at(0)?].map(V::from) {
                    result.set_type(with_lanes(result.r#type(), lanes)?);
                }
            }
        }
    }
    Ok(())
}
