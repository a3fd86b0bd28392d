//! What operators were asked before: the same operator with the same attributes on tensors of the same kind
//! gives the same.
//!
//! A kind is all that a rule can see of a tensor: [`Known`] and its device. Equal kinds are one allocation,
//! so that a question is a list of addresses, and an operator that was asked it before costs a look into a
//! table. Guards that the first answer needed hold for the others too. What depends on elements is asked each
//! time.
//!
//! Source: the dispatch cache of PyTorch's `FakeTensorMode`.

use super::{
    answer::{Answer, Place},
    state::State,
};
use crate::{
    aten::{
        placement::place::{Known, Placed},
        rules,
    },
    ir::{OperationLike, kept, operations::key, registry::OpImpl, upstream},
};
use melior::ir::{AttributeLike, OperationRef, TypeLike, Value, ValueLike};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use terrace_size::Size;

impl<'c> State<'c> {
    /// The answer that an operation got before; else it is the question that is being put.
    pub(super) fn answered(
        &mut self,
        op: OperationRef<'c, '_>,
        class: &'static OpImpl,
    ) -> Option<Rc<Answer<'c>>> {
        let mut question = std::mem::take(&mut self.answers.question);
        question.clear();
        question.extend([class as *const OpImpl as usize, upstream::properties_hash(op)]);
        for value in op.operands() {
            question.extend(self.visible(value));
        }
        let all = self.answers.given.get(&question[..]);
        let answer = all
            .and_then(|all| all.iter().find(|(asked, _)| upstream::properties_equal(op, *asked)))
            .map(|(_, answer)| answer.clone());
        self.answers.question = question;
        answer
    }

    /// What a rule can see of an operand.
    fn visible(&self, value: Value<'c, '_>) -> [usize; 3] {
        if let Some(fake) = self.fakes.get(&key(value)) {
            let device = fake.device.map_or(0, |device| device.as_ptr() as usize);
            return [0, Rc::as_ptr(&fake.known) as usize, device];
        }
        if let Some(number) = self.numbers.get(&key(value)) {
            return [1, number.id() as usize, value.r#type().to_raw().ptr as usize];
        }
        match crate::ir::operations::constant(value) {
            // Its value is seen too, and is no attribute of its own.
            None if rules::is_constant(value) => [4, key(value), 0],
            Some(constant) => [2, constant.to_raw().ptr as usize, 0],
            None => [3, value.r#type().to_raw().ptr as usize, 0],
        }
    }

    /// Takes in the answer to the question that was put last. Of an operation with an operand twice it can't
    /// be told by the answer which of both is meant.
    pub(super) fn answer(&mut self, op: OperationRef<'c, '_>, answer: &Rc<Answer<'c>>) {
        let mut operands = FxHashSet::default();
        if !op.operands().all(|operand| operands.insert(key(operand))) {
            return;
        }
        let question = self.answers.question.clone().into_boxed_slice();
        self.answers.given.entry(question).or_default().push((kept::operation(op), answer.clone()));
    }

    /// The allocation of a kind.
    pub(super) fn kind(&mut self, known: Known<Size>) -> Rc<Known<Size>> {
        let Known { layout, dtype, conj, neg } = &known;
        let numbers =
            layout.sizes.iter().chain(&layout.strides).chain([&layout.offset]).map(|size| size.id());
        let flags = i64::from(*conj) + 2 * i64::from(*neg);
        let words: Box<[i64]> = numbers.chain([*dtype as i64, flags]).collect();
        self.answers.kinds.entry(words).or_insert_with(|| Rc::new(known)).clone()
    }

    /// A place, with operands by their numbers.
    pub(super) fn numbered(
        &mut self,
        op: OperationRef<'c, '_>,
        place: Placed<'c, '_, Size>,
    ) -> Option<Place> {
        let number = |value: Value| op.operands().position(|operand| key(operand) == key(value));
        Some(match place {
            Placed::Operand(value) => Place::Operand(number(value)?),
            Placed::View(value, known) => Place::View(number(value)?, self.kind(known)),
            Placed::Object(None, known) => Place::Object(None, self.kind(known)),
            Placed::Object(Some(value), known) => Place::Object(Some(number(value)?), self.kind(known)),
            Placed::New(known) => Place::New(self.kind(known)),
        })
    }
}
