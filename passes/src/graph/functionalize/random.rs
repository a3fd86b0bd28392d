//! Draws: functional in the state of the generator.
//!
//! The state is a storage of two numbers, the seed and how many operations have drawn ([`Source::Generator`](super::storages::Source)).
//! An operator that draws takes the current version and makes the next, which goes through control flow as any storage does. The boundary gives the
//! core the generator's state and makes the generator go on from the one that comes back. An operation that may draw by itself, as it has
//! unknown effects, finds the generator up to date, and is asked afterwards.

use super::{
    analysis::{Analysis, Origin},
    operators::{Lowered, Lowering},
    place::Place,
    rewriter::Rewriter,
    tensors::Layout,
};
use crate::functional::writer::{Writer, Written};
use melior::ir::{
    Location, Operation, OperationRef, Type, Value,
    operation::{WalkOrder, WalkResult},
};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, attributes as convert,
        builder::BuildError,
        context,
        dtype::Dtype,
        pass::Failure,
        registry::{self, OpImpl},
        types::TensorType,
        view,
    },
    ops::{functional as f, graph},
};

/// The names of operations that know the generator, those without a row of their own in the table of operators.
const STATE: [&str; 3] = ["graph.generator_state", "graph.set_generator_state", "graph.skip_draws"];

/// The rules of operators that draw.
const DRAWS: [&str; 10] = [
    "bernoulli",
    "bernoulli_in_place",
    "multinomial",
    "normal_in_place",
    "random",
    "random_integers",
    "random_integers_like",
    "random_like",
    "randperm",
    "uniform_in_place",
];

/// Whether an operation reads the state of the generator, or makes another one of it.
pub fn knows_generator(op: OperationRef) -> bool {
    let class = registry::of(op).filter(|class| class.dialect == "graph");
    class.is_some_and(|class| is_state(class) || DRAWS.binary_search(&class.rule).is_ok())
}

fn is_state(class: &OpImpl) -> bool {
    STATE.contains(&class.name)
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Gives a function that knows the generator a storage for its state.
    pub(super) fn generator_of(&mut self, function: OperationRef<'c, 'a>) {
        let mut found = false;
        function.walk(WalkOrder::PreOrder, |op| {
            found |= knows_generator(op);
            if found { WalkResult::Interrupt } else { WalkResult::Advance }
        });
        if found {
            self.generator =
                Some(self.new_storage(function, None, Layout::contiguous(&[2.into()]), Dtype::I64));
        }
    }

    /// An operation reads the generator's state and, but for one that only asks for it, makes the next one.
    pub(super) fn draws(&mut self, op: OperationRef<'c, 'a>) {
        let Some(number) = self.generator else { return };
        let state = self.identities[self.fresh[number].identity].0.clone();
        let whole = (state.layout.clone(), state.span.clone());
        self.access(op, &state, whole, graph::GeneratorStateOp::try_from(op).is_err());
    }

    /// An operation of unknown effects may draw: it finds the generator up to date.
    pub(super) fn may_draw(&mut self, op: OperationRef<'c, 'a>) {
        if self.generator.is_some() {
            self.draws(op);
            self.synced.insert(op.to_raw().ptr as usize);
        }
    }

    /// Whether the state of the generator is another one afterwards.
    pub(super) fn generator_moves(&self) -> bool {
        let origin = self.generator.map(Origin::Fresh);
        self.accesses.iter().any(|access| access.writes && Some(access.origin) == origin)
    }
}

/// The state of the generator as a value.
pub(super) fn read<'c, 'a>(at: Place<'_, 'c, 'a>) -> Written<'c, 'a> {
    let word = at.scalar(Dtype::I64);
    let read = (at.put)(graph::generator_state(at.location, &[word, word])?)?;
    state(at, &[read.result_at(0)?.into(), read.result_at(1)?.into()])
}

/// Makes the generator go on from a state.
pub(super) fn write<'c, 'a>(at: Place<'_, 'c, 'a>, state: Value<'c, 'a>) -> Result<(), Failure> {
    let [seed, drawn] = numbers(at, state)?;
    (at.put)(graph::set_generator_state(at.location, &[], seed, drawn)?)?;
    Ok(())
}

/// The two numbers of a state.
fn numbers<'c, 'a>(at: Place<'_, 'c, 'a>, state: Value<'c, 'a>) -> Result<[Value<'c, 'a>; 2], Failure> {
    let index = Type::index(context::of(at.location.context()));
    let number =
        |place| at.value("tensor.extract", &[state, at.constant(index, place)?], &[], at.scalar(Dtype::I64));
    Ok([number(0)?, number(1)?])
}

/// Two numbers as a state.
fn state<'c, 'a>(at: Place<'_, 'c, 'a>, numbers: &[Value<'c, 'a>]) -> Written<'c, 'a> {
    let ty = TensorType { shape: vec![2], dtype: Dtype::I64, device: None, graph: false };
    at.value("tensor.from_elements", numbers, &[], ty.to_type(context::of(at.location.context())))
}

impl<'c, 'a> Rewriter<'_, 'c, 'a> {
    /// The storage of the generator's state.
    fn generator(&self) -> Result<usize, Failure> {
        let number = self.analysis.generator.ok_or(internal!("knows a generator that is not there"))?;
        Ok(self.storages.of(Origin::Fresh(number)))
    }

    /// Rewrites an operation; one that may draw by itself finds the generator up to date.
    pub(super) fn synced(
        &mut self,
        op: OperationRef<'c, 'a>,
        rewrite: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if !self.analysis.synced.contains(&(op.to_raw().ptr as usize)) {
            return rewrite(self);
        }
        self.sync(op)?;
        rewrite(self)?;
        self.resync(op)
    }

    /// Before an operation that may draw by itself: the generator has the current state.
    fn sync(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let storage = self.generator()?;
        self.values.before = op;
        let (w, state) = (*self.values.writer(), self.values.whole(storage)?);
        write(Place { put: &|op| w.insert(Ok(op)), location: w.location() }, state)
    }

    /// After it: the current state is the generator's.
    fn resync(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let storage = self.generator()?;
        self.values.before = op.next_in_block().ok_or(internal!("is the last of its block"))?;
        let w = *self.values.writer();
        let state = read(Place { put: &|op| w.insert(Ok(op)), location: op.location() })?;
        self.values.set(storage, state)?;
        Ok(())
    }

    /// Rewrites what reads or sets the state itself; says whether it was that.
    pub(super) fn is_of_generator(
        &mut self,
        op: OperationRef<'c, 'a>,
        class: &OpImpl,
    ) -> Result<bool, Failure> {
        if !is_state(class) {
            return Ok(false);
        }
        let storage = self.generator()?;
        let (w, own) = (*self.values.writer(), self.values.whole(storage)?);
        let at = Place { put: &|op| w.insert(Ok(op)), location: w.location() };
        if let Ok(skip) = graph::SkipDrawsOp::try_from(op) {
            let next = w.value(f::skip_draws(w.location(), own, skip.count()))?;
            self.values.set(storage, next)?;
        } else if let Ok(set) = graph::SetGeneratorStateOp::try_from(op) {
            let both = [set.seed(), set.drawn()].map(|number| self.values.current(number));
            let next = state(at, &both)?;
            self.values.set(storage, next)?;
        } else {
            for (place, number) in numbers(at, own)?.into_iter().enumerate() {
                self.values.replace(op.result_at(place)?.into(), number);
            }
        }
        Ok(true)
    }
}

impl<'c, 'a> Lowering<'_, 'c, 'a> {
    /// The state that this operation draws by; those after it have the next one.
    fn draw(&mut self) -> Written<'c, 'a> {
        let number = self.analysis.generator.ok_or(internal!("draws from a generator that is not there"))?;
        let storage = self.storages.of(Origin::Fresh(number));
        let state = self.values.whole(storage)?;
        let next = self.values.value(f::skip_draws(self.values.location(), state, 1))?;
        self.values.set(storage, next)?;
        Ok(state)
    }

    fn number(&self, name: &str, default: f64) -> f64 {
        view::attribute(self.op, name).map_or(default, convert::f64)
    }

    /// Numbers of a dtype; of a complex one both parts.
    fn parts(
        &mut self,
        draw: impl FnOnce(
            Location<'c>,
            &[Type<'c>],
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Operation<'c>, BuildError>,
    ) -> Lowered<'c, 'a> {
        let ((mut sizes, dtype), state) = (self.result()?, self.draw()?);
        let w: Writer = **self.values;
        if sizes.iter().any(|size| size.known() == Some(0)) {
            // Of any dtype.
            return Ok(vec![w.full(w.number(dtype, 0)?, dtype, &sizes)?]);
        }
        if dtype.is_complex() {
            sizes.push(2.into());
        }
        let drawn = w.of_sizes(dtype.part(), &sizes, |at, ty, dynamic| draw(at, ty, state, dynamic))?;
        Ok(vec![if dtype.is_complex() { w.closed(drawn, dtype)? } else { drawn }])
    }
}

/// `uniform_`, and `rand` by the bounds that are its default.
fn uniform<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>, from: f64, to: f64) -> Lowered<'c, 'a> {
    l.parts(|at, ty, state, sizes| f::random_uniform(at, ty, state, from, to, sizes))
}

fn normal<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>, mean: f64, std: f64) -> Lowered<'c, 'a> {
    // Either part of a complex number has the mean, and half of the variance.
    let std = if l.result()?.1.is_complex() { std / 2f64.sqrt() } else { std };
    l.parts(|at, ty, state, sizes| f::random_normal(at, ty, state, mean, std, sizes))
}

/// `uniform_`.
pub fn uniform_in_place<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (from, to) = (l.number("from", 0.0), l.number("to", 1.0));
    uniform(l, from, to)
}

/// `normal_`.
pub fn normal_in_place<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (mean, std) = (l.number("mean", 0.0), l.number("std", 1.0));
    normal(l, mean, std)
}

/// `rand`, `randn`, and like another tensor.
pub fn sized<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    if l.base_name().starts_with("randn") { normal(l, 0.0, 1.0) } else { uniform(l, 0.0, 1.0) }
}

/// `randint`, and like another tensor.
pub fn integers<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let low = view::attribute(l.op, "low").map_or(0, convert::i64);
    let high = view::attribute(l.op, "high").map(convert::i64).ok_or(internal!("misses attribute 'high'"))?;
    l.parts(|at, ty, state, sizes| f::random_integers(at, ty, state, low, high, sizes))
}

/// `randperm`.
pub fn permutation<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    l.parts(f::randperm)
}

/// `bernoulli`: of the tensor's elements, or of one probability.
pub fn trials<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    if !l.op_impl.is_in_place() && view::attribute(l.op, "p").is_none() {
        let (own, state) = (l.read(l.operand(0))?, l.draw()?);
        return Ok(vec![l.values.value(f::bernoulli(l.values.location(), own, state))?]);
    }
    let ((sizes, dtype), p, state) = (l.result()?, l.number("p", 0.5), l.draw()?);
    let w: Writer = **l.values;
    let uniform = |at, ty: &[_], dynamic: &[_]| f::random_uniform(at, ty, state, 0.0, 1.0, dynamic);
    let drawn = w.of_sizes(Dtype::F64, &sizes, uniform)?;
    Ok(vec![w.cast(w.binary(f::lt, drawn, w.like(drawn, p)?)?, dtype)?])
}

/// `multinomial`.
pub fn samples<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, state) = (l.read(l.operand(0))?, l.draw()?);
    l.build("multinomial", &[vec![own], vec![state]], &[])
}
