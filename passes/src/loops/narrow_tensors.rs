//! The pass `loop-narrow-tensors`: what is one of a narrow float's numbers anyway is kept in that type.
//!
//! ```text
//! %x = loop.pointwise (%i = 66) into %wide {        %x = loop.pointwise (%i = 66) into %narrow {
//!   %n = loop.load %a[%i - 1] if %in else %zero       %n = loop.load %a[%i - 1] if %in else %zero
//!   %w = arith.extf %n : bf16 to f32
//!   loop.yield %w : f32                               loop.yield %n : bf16
//! } : tensor<66xf32>                                } : tensor<66xbf16>
//! ```
//!
//! Half precision is computed in f32, so what is padded for a convolution, say, has been extended before.
//! Kept as it was it takes half of the memory, and a product of it can be one of pairs. What is read is
//! extended again. The same is done where each reader rounds what it reads first of all: it is rounded once,
//! where it is written; of a reduction, whose sums are wide, in a loop behind it, that is fused with it. No
//! number changes. What is read by anything but `loop.load`, or returned, stays as it is.

use crate::{
    emit::{Emitter, Typed, known},
    loops::operation::{
        formats::Numbers,
        read::{Kind, Loop},
    },
    options::LoopNarrowTensors as Options,
};
use melior::ir::{OperationRef, Type, TypeLike, ValueLike};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, context,
        cursor::V,
        operations::{collect, definition, first_result, name_of, users, uses},
        pass::Failure,
        rewrite::{erase, replace_uses, replace_uses_except, set_operand, set_type},
        shaped::Shaped,
        types::with_element,
    },
    loops::affine::{self, Expr},
    ops::loop_,
};

/// A loop that makes a tensor in memory of its own, the scatters into it, one after the other, and the loads
/// of them all.
struct Chain<'c, 'a> {
    loops: Vec<Loop<'c, 'a>>,
    results: Vec<V<'c, 'a>>,
    loads: Vec<loop_::LoadOp<'c, 'a>>,
}

/// Runs the pass below an operation.
pub fn run<'c: 'a, 'a>(op: OperationRef<'c, 'a>, _: &Options) -> Result<(), Failure> {
    let mut numbers = Numbers::default();
    let all = collect(op, |_| true);
    all.iter().for_each(|op| numbers.learn(*op));
    let chains = all.into_iter().filter_map(Loop::of).filter_map(Chain::of);
    let narrow = |chain: Chain<'c, 'a>| chain.narrow(&numbers).map(|narrow| (chain, narrow));
    // What is decided is asked of the program as it was.
    let decided: Vec<_> = chains.filter_map(narrow).collect();
    decided.into_iter().try_for_each(|(chain, narrow)| chain.keep(narrow))
}

impl<'c: 'a, 'a> Chain<'c, 'a> {
    /// The chain that begins with a loop; None where it begins elsewhere, or something else uses a result.
    fn of(first: Loop<'c, 'a>) -> Option<Self> {
        let is_empty = |value: V<'c, 'a>| definition(value).is_some_and(|op| name_of(op) == "tensor.empty");
        let is_part = |own: &Loop<'c, 'a>| match own.kind {
            Kind::Scatter => loop_::ScatterOp::try_from(own.op).is_ok_and(|own| own.combiner().is_none()),
            Kind::Pointwise | Kind::Reduction(_) => true,
            Kind::Scan(_) => false,
        };
        let mut next = Some(first).filter(|own| own.init.is_some_and(is_empty) && is_part(own));
        let mut chain = Self { loops: vec![], results: vec![], loads: vec![] };
        while let Some(own) = next.take() {
            let result = own.result()?;
            for (user, number) in uses(result) {
                if let Ok(load) = loop_::LoadOp::try_from(user) {
                    chain.loads.push(load);
                    continue;
                }
                let more = Loop::of(user).filter(|more| more.kind == Kind::Scatter && is_part(more))?;
                if number + 1 != user.operand_count() || next.replace(more).is_some() {
                    return None;
                }
            }
            chain.loops.push(own);
            chain.results.push(result);
        }
        (!chain.loads.is_empty()).then_some(chain)
    }

    /// The type that all elements are numbers of, or that all readers round to. What two types have is for
    /// neither: there is no reason for one.
    fn narrow(&self, numbers: &Numbers) -> Option<Type<'c>> {
        let first = self.results.first()?;
        if !Shaped::of(first.r#type())?.element.is_f32() {
            return None;
        }
        let context = context::of(first.r#type().context());
        let others = || self.loads.iter().filter_map(|load| load.other());
        let all = self.results.iter().copied().chain(others());
        let held = [Type::bfloat16(context), Type::float16(context)]
            .map(|ty| (ty, all.clone().all(|value| numbers.are(value, ty))));
        match held {
            _ if self.is_reduction() && self.is_point() => None,
            [(ty, true), (_, false)] | [(_, false), (ty, true)] => Some(ty),
            _ => self.rounded(),
        }
    }

    /// Whether there is one reader, at its own point: it is fused with what it reads as it is.
    fn is_point(&self) -> bool {
        let [load] = self.loads[..] else { return false };
        let reader = load.operation().parent_operation().and_then(Loop::of);
        let Some(reader) = reader.filter(|reader| reader.kind == Kind::Pointwise) else { return false };
        let indices = load.indices();
        let is_own = |(d, expr): (usize, &Expr)| match expr {
            Expr::Dim(operand) => indices[*operand] == reader.indices[d],
            expr => *expr == Expr::Constant(0) && reader.sizes[d] == 1,
        };
        let exprs = affine::exprs(load.map());
        exprs.len() == reader.outer && exprs.iter().enumerate().all(is_own)
    }

    fn is_reduction(&self) -> bool {
        matches!(self.loops[0].kind, Kind::Reduction(_))
    }

    /// The type that all readers round to.
    fn rounded(&self) -> Option<Type<'c>> {
        let mut readers = self.loads.iter().filter_map(|load| first_result(load.operation())).flat_map(users);
        let to = |op: OperationRef<'c, 'a>| {
            let result = op.result_at(0).ok().filter(|_| name_of(op) == "arith.truncf");
            result.map(|result| result.r#type())
        };
        let ty = readers.next().and_then(to)?;
        readers.all(|op| to(op) == Some(ty)).then_some(ty)
    }

    /// Keeps the tensor in a narrow type.
    fn keep(&self, narrow: Type<'c>) -> Result<(), Failure> {
        let (first, result) = (&self.loops[0], self.results[0]);
        let ty = with_element(result.r#type(), narrow).ok_or(internal!("makes no tensor"))?;
        if self.is_reduction() {
            let next = first.op.next_in_block().ok_or(internal!("has a body without an end"))?;
            let typed = Typed { ty, extents: first.extents[..first.outer].to_vec() };
            let rounded = Emitter::before(next)?.pointwise(typed, |at, point| {
                let place: Vec<_> = (0..point.len()).map(|d| at.dim(d)).collect();
                Ok(at.op("arith.truncf", &[at.load(result, &place, point, None)?], narrow, &[]))
            })?;
            self.loads.iter().for_each(|load| set_operand(load.operation(), 0, rounded));
        } else {
            let empty = first.init.and_then(definition).ok_or(internal!("has no destination"))?;
            let open: Vec<V> = empty.operands().collect();
            let empty = Emitter::before(first.op)?.op("tensor.empty", &open, ty, &[]);
            set_operand(first.op, first.op.operand_count() - 1, empty);
            for (own, result) in self.loops.iter().zip(&self.results) {
                let (end, at) = (own.end.operation(), Emitter::before(own.end.operation())?);
                set_operand(end, 0, narrowed(&at, own.end.value(), narrow));
                set_type(*result, ty);
            }
        }
        self.loads.iter().try_for_each(|load| extend(*load, narrow))
    }
}

/// Makes a load one of a narrow type, whose number is extended where it is not rounded to that type.
fn extend<'c: 'a, 'a>(load: loop_::LoadOp<'c, 'a>, narrow: Type<'c>) -> Result<(), Failure> {
    let op = load.operation();
    if let Some(other) = load.other() {
        set_operand(op, op.operand_count() - 1, narrowed(&Emitter::before(op)?, other, narrow));
    }
    let read: V = op.result_at(0)?.into();
    let wide = read.r#type();
    set_type(read, narrow);
    let next = op.next_in_block().ok_or(internal!("has a body without an end"))?;
    let extended = Emitter::before(next)?.op("arith.extf", &[read], wide, &[]);
    replace_uses_except(read, extended, definition(extended).ok_or(internal!("is an argument"))?);
    for rounding in users(extended).filter(|op| name_of(*op) == "arith.truncf").collect::<Vec<_>>() {
        let rounded = rounding.result_at(0)?;
        if rounded.r#type() == narrow {
            replace_uses(rounded, read);
            erase(rounding);
        }
    }
    Ok(())
}

/// A number as one of a narrow type.
fn narrowed<'c: 'a, 'a>(at: &Emitter<'c, 'a>, value: V<'c, 'a>, narrow: Type<'c>) -> V<'c, 'a> {
    let Some(op) = definition(value) else { return at.op("arith.truncf", &[value], narrow, &[]) };
    let operands: Vec<V> = op.operands().collect();
    match (name_of(op), &operands[..]) {
        ("arith.extf", [own]) if own.r#type() == narrow => *own,
        ("arith.select", [condition, yes, no]) => {
            at.select(*condition, narrowed(at, *yes, narrow), narrowed(at, *no, narrow))
        }
        ("arith.constant", _) if let Some(number) = known(value) => at.constant(narrow, number),
        _ => at.op("arith.truncf", &[value], narrow, &[]),
    }
}
