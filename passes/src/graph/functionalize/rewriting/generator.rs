//! The generator's state as a value: read where a function starts and where somebody asks, put back at its
//! end.

use super::{super::analysis::generator::is_state, place::Place, rewriter::Rewriter};
use crate::{functional::writer::Written, graph::functionalize::analysis::tensors::*};
use melior::ir::{OperationRef, Type, Value};
use terrace_dialects::{
    internal,
    ir::{OperationLike, context, dtype::Dtype, pass::Failure, registry::OpImpl, types::TensorType},
    ops::{functional as f, graph},
};

/// The state of the generator as a value.
pub(crate) fn read<'c, 'a>(at: Place<'_, 'c, 'a>) -> Written<'c, 'a> {
    let word = at.scalar(Dtype::I64);
    let read = (at.put)(graph::generator_state(at.location, &[word, word])?)?;
    state(at, &[read.result_at(0)?.into(), read.result_at(1)?.into()])
}

/// Makes the generator go on from a state.
pub(crate) fn write<'c, 'a>(at: Place<'_, 'c, 'a>, state: Value<'c, 'a>) -> Result<(), Failure> {
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
    pub(crate) fn synced(
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
    pub(crate) fn is_of_generator(
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
