//! The elements of small tensors, where they are known.
//!
//! A storage that an operation makes of known numbers has contents, and so views of it have elements; an
//! operator on elements that are all known is computed, by whoever can compute ([`Evaluate`]: the
//! interpreter), or, where elements are expressions, here ([`super::symbolic`]). What is written with
//! elements that are not known has none any more. Thus `item()`, sizes that were put into a tensor,
//! comparisons and masks are known.
//!
//! In a loop nothing gets contents, and what it writes loses them; where ways meet, contents stay that are
//! the same on all.
//!
//! Source: the constants of PyTorch's `FakeTensor`.

use super::{
    Fake,
    answer::{Answer, Place},
    constants::{Constant, Contents, Element, Evaluate, LARGEST},
    state::{Entry, State},
    symbolic,
};
use crate::{
    aten::rules,
    ir::{
        OperationLike,
        args::KnownValues,
        dtype::{Dtype, ElementType},
        operations::key,
        registry::OpImpl,
        types::is_graph_tensor,
    },
};
use melior::ir::{OperationRef, Value, ValueLike};
use std::rc::Rc;
use terrace_size::Size;

/// Whether an operation makes no more elements than a few for each that it gets.
fn makes_few(op: OperationRef, class: &OpImpl, given: &[Option<Constant>]) -> bool {
    let low = |name: &str| op.attribute(name).map_or(0, crate::ir::attributes::i64) <= LARGEST as i64;
    match class.operator() {
        "bincount" | "repeat_interleave" => {
            low("minlength") && low("output_size") && given.iter().flatten().all(Constant::is_low)
        }
        "one_hot" => false,
        _ => true,
    }
}

/// The places of a layout's elements in its storage, in row-major order; None where it is not known or there
/// are many.
fn places(fake: &Fake) -> Option<Vec<usize>> {
    let layout = &fake.known.layout;
    let numbers = |sizes: &[Size]| sizes.iter().map(|size| size.known()).collect::<Option<Vec<i64>>>();
    let (sizes, strides, offset) =
        (numbers(&layout.sizes)?, numbers(&layout.strides)?, layout.offset.known()?);
    let count = sizes.iter().try_fold(1, |product: i64, size| product.checked_mul(*size))?;
    if fake.known.conj || fake.known.neg || count > LARGEST as i64 {
        return None;
    }
    if count == 0 {
        return Some(vec![]);
    }
    let mut all = vec![offset];
    for (size, stride) in sizes.iter().zip(&strides) {
        all = all.iter().flat_map(|place| (0..*size).map(move |i| place + i * stride)).collect();
    }
    all.into_iter().map(|place| usize::try_from(place).ok()).collect()
}

impl<'c> State<'c> {
    /// Gives the state someone who computes operators on small constants.
    pub fn evaluate_with(&mut self, evaluator: &'static dyn Evaluate) {
        self.values.evaluator = Some(evaluator);
    }

    /// The elements of a tensor, in row-major order, where all are known.
    pub fn elements(&self, value: Value) -> Option<Vec<Element>> {
        let fake = self.fake(value)?;
        let contents = self.values.of.get(&fake.storages[0]).filter(|_| fake.storages.len() == 1)?;
        if contents.dtype != fake.known.dtype {
            return None;
        }
        places(fake)?.into_iter().map(|place| contents.elements.get(place).copied().flatten()).collect()
    }

    fn constant(&self, value: Value<'c, '_>) -> Option<Constant> {
        if let Some(fake) = self.fake(value) {
            let (dtype, sizes) = (fake.known.dtype, fake.known.layout.sizes.iter().map(|size| size.known()));
            let (sizes, elements) = (sizes.collect::<Option<_>>()?, self.elements(value)?);
            return Some(Constant::Tensor { dtype, sizes, elements });
        }
        self.number(value).map(|number| Constant::Number(Element::Int(number)))
    }

    /// What an operation computes, where all that it computes with is known.
    pub(super) fn evaluated(
        &self,
        op: OperationRef<'c, '_>,
        class: &'static OpImpl,
    ) -> Option<Vec<Constant>> {
        let operator = class.operator();
        let undefined = ["empty", "new_empty", "fake"].iter().any(|start| operator.starts_with(start));
        if undefined || self.loops > 0 {
            return None;
        }
        let mut given = vec![];
        for operand in op.operands() {
            let constant = self.constant(operand);
            if constant.is_none() && !rules::is_constant(operand) {
                return None;
            }
            given.push(constant);
        }
        if !makes_few(op, class, &given) {
            return None;
        }
        let all_numbers = given.iter().flatten().all(|constant| match constant {
            Constant::Tensor { elements, .. } => elements.iter().all(|element| element.is_number()),
            Constant::Number(number) => number.is_number(),
        });
        if all_numbers {
            self.values.evaluator?.evaluate(op, &given)
        } else {
            symbolic::evaluate(op, class, &given)
        }
    }

    /// Takes in what an operation makes of elements: the contents of new storages, what is written, numbers.
    pub(super) fn computed(
        &mut self,
        op: OperationRef<'c, '_>,
        class: &'static OpImpl,
        answer: &Answer<'c>,
        known: Option<Vec<Constant>>,
    ) {
        let results: Vec<Value> = op.results().map(Value::from).collect();
        if class.rule == "item" {
            return self.item(op, class, results[0]);
        }
        if let Some(number) = self.of_layout(op, class) {
            self.numbers.insert(key(results[0]), number);
            return;
        }
        let small = |state: &Self| {
            answer.places.iter().all(|(place, _)| match place {
                Place::New(kind) => {
                    let count = kind
                        .layout
                        .sizes
                        .iter()
                        .try_fold(1, |product: i64, size| product.checked_mul(size.known()?));
                    count.is_some_and(|count| count <= LARGEST as i64)
                }
                Place::Operand(_) => !state.values.of.is_empty(),
                _ => false,
            })
        };
        if answer.places.is_empty() || !small(self) {
            return self.written(op, answer, None);
        }
        let known = known.or_else(|| self.evaluated(op, class));
        self.written(op, answer, known.as_deref());
        let Some(known) = known else { return };
        let tensors = results.into_iter().filter(|value| is_graph_tensor(value.r#type()));
        for ((value, (place, _)), constant) in tensors.zip(&answer.places).zip(known) {
            let (Place::New(_), Constant::Tensor { dtype, elements, .. }) = (place, constant) else {
                continue;
            };
            let Some(fake) = self.fake(value) else { continue };
            let (Some(places), storage) = (places(fake), fake.storages[0]) else { continue };
            let mut all = vec![None; places.iter().max().map_or(0, |last| last + 1)];
            for (place, element) in places.into_iter().zip(elements) {
                all[place] = Some(element);
            }
            Rc::make_mut(&mut self.values.of).insert(storage, Contents { dtype, elements: Rc::new(all) });
        }
    }

    /// What is written has other elements: those that are known, or none.
    fn written(&mut self, op: OperationRef<'c, '_>, answer: &Answer<'c>, known: Option<&[Constant]>) {
        if self.values.of.is_empty() {
            return;
        }
        for operand in &answer.written {
            let Some(fake) = op.operand(*operand).ok().and_then(|value| self.fake(value)).cloned() else {
                continue;
            };
            // An in-place operation of one tensor gives it as its result.
            let new = match (known, &answer.places[..]) {
                (Some([constant]), [(Place::Operand(own), _)]) if own == operand => Some(constant),
                _ => None,
            };
            let apart = self.is_disjoint(op, *operand, &fake);
            let written = new.filter(|_| apart).and_then(|constant| self.overwritten(&fake, constant));
            self.values.forget(&fake.storages);
            if let Some(contents) = written {
                Rc::make_mut(&mut self.values.of).insert(fake.storages[0], contents);
            }
        }
        for (place, _) in &answer.places {
            if let Place::Object(Some(operand), _) = place
                && let Some(fake) = op.operand(*operand).ok().and_then(|value| self.fake(value)).cloned()
                && matches!(op.name().as_string_ref().as_str(), Ok("graph.resize_" | "graph.resize_as_"))
            {
                self.values.forget(&fake.storages);
            }
        }
    }

    /// Whether no other operand sees what is written in another way: eager refuses that, or leaves the order
    /// open.
    fn is_disjoint(&self, op: OperationRef<'c, '_>, written: usize, fake: &Fake<'c>) -> bool {
        op.operands().enumerate().filter(|(number, _)| *number != written).all(|(_, value)| {
            self.fake(value).is_none_or(|other| {
                let shares = other.storages.iter().any(|storage| fake.storages.contains(storage));
                !shares || Rc::ptr_eq(&other.known, &fake.known)
            })
        })
    }

    /// A storage after a tensor in it got other elements.
    fn overwritten(&self, fake: &Fake, constant: &Constant) -> Option<Contents> {
        let Constant::Tensor { dtype, elements, .. } = constant else { return None };
        let own = self.values.of.get(&fake.storages[0]).filter(|_| fake.storages.len() == 1)?;
        if own.dtype != *dtype {
            return None;
        }
        let mut all = Vec::clone(&own.elements);
        let places = places(fake)?;
        let mut distinct = places.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() != places.len() {
            return None;
        }
        for (place, element) in places.into_iter().zip(elements) {
            *all.get_mut(place)? = Some(*element);
        }
        Some(Contents { dtype: *dtype, elements: Rc::new(all) })
    }

    /// The only element as a number: the same one until the tensor's storage is written.
    fn item(&mut self, op: OperationRef<'c, '_>, class: &'static OpImpl, result: Value<'c, '_>) {
        let known = op.operand(0).ok().and_then(|own| self.elements(own));
        let number = match known.as_deref() {
            Some([Element::Int(number), ..]) => Some(*number),
            Some(_) => None,
            None if crate::ir::types::is_float(result.r#type())
                || Dtype::of(result.r#type()).is_some_and(Dtype::is_complex) =>
            {
                None
            }
            None => {
                let by = self.asks(op);
                let low = if crate::ir::types::is_truth(result.r#type()) { 0 } else { i64::MIN };
                let entry = Entry::Computed { by };
                Some(self.same_as_before(op, class, [0, 0], |state| state.once((result, 0), low, entry)))
            }
        };
        match number {
            Some(number) => drop(self.numbers.insert(key(result), number)),
            None => drop(self.numbers.remove(&key(result))),
        }
    }

    /// A size, a stride, the number of elements or the offset.
    fn of_layout(&self, op: OperationRef<'c, '_>, class: &'static OpImpl) -> Option<Size> {
        let dim = |rank: usize| {
            let dim = op.attribute("dim").map_or(0, crate::ir::attributes::i64);
            (if dim < 0 { dim + rank as i64 } else { dim }) as usize
        };
        let known = || op.operand(0).ok().and_then(|own| self.fake(own)).map(|fake| &fake.known.layout);
        match class.name {
            "graph.sym_size" => known().map(|layout| layout.sizes[dim(layout.sizes.len())]),
            "graph.sym_stride" => known().map(|layout| layout.strides[dim(layout.sizes.len())]),
            "graph.sym_numel" => {
                known().map(|layout| match layout.sizes.iter().any(|size| size.known() == Some(0)) {
                    true => Size::ZERO,
                    false => layout.sizes.iter().product(),
                })
            }
            "graph.sym_storage_offset" => known().map(|layout| layout.offset),
            _ => None,
        }
    }
}
