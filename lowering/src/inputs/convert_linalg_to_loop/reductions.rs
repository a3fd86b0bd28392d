//! Dimensions of reduction: what the body combines into the old element of an output is a `loop.reduction`.
//!
//! `out = out + f(...)` over `k` is `out + sum of f(...)`: the sum is one operation, and adding it to the old
//! element another one; the second is left out where the old elements are known to be the combiner's
//! identity. On memrefs both are one group, whose points read the element that they write. What `maxnumf` and
//! `minnumf` leave out is [`numbers`](super::numbers)'.

use super::{NotConverted, body::Body, numbers::Numbers, replace, scattered, structured::Structured};
use crate::loops::write::{self, Insert, Size};
use melior::ir::{OperationRef, RegionLike, Type, ValueLike};
use terrace_dialects::{
    analysis::effects,
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        operations::{definition, name_of, users},
        pass::Failure,
        rewrite::erase,
        shaped::Shaped,
    },
    loops::combiners,
    ops::{Combiner, loop_},
};
use terrace_size::DYNAMIC;

/// One output: what is combined into it, and how.
struct Reduction<'c, 'a> {
    combiner: Combiner,
    /// Where it leaves out what is no number.
    numbers: Option<Numbers<'c>>,
    term: Body<'c, 'a>,
    /// Dimensions of the domain: those of the output in its order, then those of reduction.
    order: Vec<usize>,
}

/// The combiner that an operation of arith is; on truth values addition, products and orders are something
/// else.
pub(crate) fn combiner_of(op: OperationRef) -> Option<Combiner> {
    let truth = op.result_at(0).is_ok_and(|r| terrace_dialects::ir::types::is_truth(r.r#type()));
    let found = match name_of(op) {
        "arith.andi" => return Some(Combiner::And),
        "arith.ori" => return Some(Combiner::Or),
        "arith.addf" | "arith.addi" => Combiner::Add,
        "arith.mulf" | "arith.muli" => Combiner::Mul,
        "arith.maximumf" | "arith.maxsi" => Combiner::Max,
        "arith.minimumf" | "arith.minsi" => Combiner::Min,
        _ => return None,
    };
    (!truth).then_some(found)
}

impl<'c: 'a, 'a> Reduction<'c, 'a> {
    fn of(it: &Structured<'c, 'a>, k: usize) -> Result<Self, NotConverted> {
        let (old, yielded) = (it.old(k), it.yielded(k)?);
        let op = definition(yielded).filter(|op| op.operand_count() == 2);
        let op =
            op.ok_or_else(|| format!("what it gives for output {k} combines nothing with the old element"))?;
        let numbers = Numbers::of(op);
        let combiner =
            numbers.map(|numbers| numbers.combiner).or_else(|| combiner_of(op)).ok_or_else(|| {
                format!(
                    "combines by '{}': expects a sum, product, maximum, minimum, 'and' or 'or'",
                    name_of(op)
                )
            })?;
        let (left, right) = (op.operand(0)?, op.operand(1)?);
        let term = match (left == old, right == old) {
            (true, false) => right,
            (false, true) => left,
            _ => {
                return Err(
                    format!("what it gives for output {k} combines nothing with the old element").into()
                );
            }
        };
        if users(old).count() != 1 {
            return Err(format!("uses the old element of output {k} for more than combining").into());
        }
        let term = Body::of(it, term)?;
        if (0..it.outputs.len()).any(|other| term.uses(it.old(other))) {
            return Err(format!("what it combines into output {k} depends on old elements").into());
        }
        let mut order = it.destination_order(k).ok_or_else(|| {
            format!("the map of output {k} is no permutation of the dimensions that are not reduced")
        })?;
        order.extend((0..it.reduced.len()).filter(|d| it.reduced[*d]));
        Ok(Self { combiner, numbers, term, order })
    }

    /// The old element, and what was combined at its point.
    fn combine(&self, at: Cursor<'c, 'a>, old: V<'c, 'a>, own: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        match &self.numbers {
            Some(numbers) => numbers.combine(at, old, numbers.decode(at, own)?),
            None => write::combine(at, self.combiner, old, own),
        }
    }
}

/// Writes what an operation with dimensions of reduction becomes.
pub(super) fn convert<'c: 'a, 'a>(at: Cursor<'c, 'a>, it: &Structured<'c, 'a>) -> Result<(), NotConverted> {
    let all = (0..it.outputs.len()).map(|k| Reduction::of(it, k)).collect::<Result<Vec<_>, _>>()?;
    let sizes = it.sizes(at)?;
    for (k, reduction) in all.iter().enumerate() {
        let (init, order) = (it.outputs[k], &reduction.order);
        let (combiner, reduced) = (reduction.combiner, it.reduced.iter().filter(|reduced| **reduced).count());
        let own: Vec<Size> = order.iter().map(|d| sizes[*d]).collect();
        let outer = own.len() - reduced;
        let term = |at: Cursor<'c, 'a>, i: &[V<'c, 'a>]| {
            let value = reduction.term.write(at, it, &scattered(order, i))?;
            reduction.numbers.map_or(Ok(value), |numbers| numbers.encode(at, value))
        };
        if it.is_on_memrefs() {
            if let Some(fill) = filled(it, init, combiner).filter(|_| reduction.numbers.is_none()) {
                write::reduction(at, combiner, &own, reduced, Ok(init), term)?;
                erase(fill);
                continue;
            }
            let element = Shaped::expect(init.r#type())?.element;
            let element = reduction.numbers.map_or(element, |numbers| numbers.integer);
            write::group(at, &own[..outer], &[init], |at, i| {
                let inner = |at: Cursor<'c, 'a>, j: &[V<'c, 'a>]| term(at, &[i, j].concat());
                let sum = write::reduction(at, combiner, &own[outer..], reduced, Err(element), inner)?;
                let old = write::load(at, init, &write::point(outer), i, None)?;
                let value = reduction.combine(at, old, sum.result_at(0)?.into())?;
                Ok(vec![Insert { value, into: 0, place: write::point(outer), values: i.to_vec() }])
            })?;
            continue;
        }
        if let Some(destination) = identity_of(init, combiner).filter(|_| reduction.numbers.is_none()) {
            let written = write::reduction(at, combiner, &own, reduced, Ok(destination), term)?;
            replace(it, k, written)?;
            continue;
        }
        let ty = reduction.numbers.map_or(Ok(init.r#type()), |numbers| numbers.tensor(init.r#type()))?;
        let empty = empty(at, ty, &own)?;
        let sum: V = write::reduction(at, combiner, &own, reduced, Ok(empty), term)?.result_at(0)?.into();
        let point = write::point(outer);
        let written = write::pointwise(at, &own[..outer], init, |at, i| {
            let old = write::load(at, init, &point, i, None)?;
            reduction.combine(at, old, write::load(at, sum, &point, i, None)?)
        })?;
        replace(it, k, written)?;
    }
    Ok(())
}

/// A new tensor.
fn empty<'c, 'a>(
    at: Cursor<'c, 'a>,
    ty: Type<'c>,
    sizes: &[Size<'c, 'a>],
) -> Result<V<'c, 'a>, NotConverted> {
    let shape = Shaped::expect(ty)?.shape;
    let mut dynamic = vec![];
    for (_, own) in shape.iter().zip(sizes).filter(|(size, _)| **size == DYNAMIC) {
        dynamic.push(match own {
            Size::Known(n) => at.index(*n)?,
            Size::Value(value) => *value,
        });
    }
    Ok(at.op("tensor.empty", &dynamic, ty)?)
}

/// The destination of an operation that fills it with a combiner's identity.
fn identity_fill<'c: 'a, 'a>(op: OperationRef<'c, 'a>, combiner: Combiner) -> Option<V<'c, 'a>> {
    let nest = loop_::PointwiseOp::try_from(op).ok()?;
    let end = loop_::YieldOp::try_from(nest.body().first_block()?.terminator()?).ok()?;
    let constant = definition(end.value()).filter(|op| name_of(*op) == "arith.constant")?;
    let value = constant.attribute("value").ok()?;
    let context = terrace_dialects::ir::context::of(op.context());
    let identity = combiners::identity(context, combiner, end.value().r#type());
    if value == identity { nest.init() } else { None }
}

/// For a tensor that is filled with the combiner's identity, the tensor that was filled.
fn identity_of<'c: 'a, 'a>(init: V<'c, 'a>, combiner: Combiner) -> Option<V<'c, 'a>> {
    identity_fill(definition(init)?, combiner)
}

/// The operation that fills a memref with the combiner's identity and in front of which nothing touches
/// memory.
fn filled<'c: 'a, 'a>(
    it: &Structured<'c, 'a>,
    init: V<'c, 'a>,
    combiner: Combiner,
) -> Option<OperationRef<'c, 'a>> {
    let mut fill = None;
    let mut next = it.op.block()?.first_operation();
    while let Some(op) = next.filter(|op| *op != it.op) {
        next = op.next_in_block();
        if identity_fill(op, combiner) == Some(init) {
            // What is combined does not read what was filled: nothing else of the operation is of this
            // memory.
            fill = Some(op);
        } else if op.region_count() > 0 || !effects::of(op).is_some_and(|all| all.is_empty()) {
            fill = None;
        }
    }
    fill
}
