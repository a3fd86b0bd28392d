//! What an operator of graph does to what is known: its rules are asked, and its results are operands, views
//! or new tensors.

use super::{
    Fake, Uses,
    answer::{Answer, Place},
    chosen,
    constants::Constant,
    state::{Entry, State},
};
use crate::{
    aten::{
        placement::{
            self,
            place::{Known, Question},
        },
        rules::{Inferred, TensorType},
    },
    ir::{
        OperationLike,
        args::{Args, KnownValues},
        operations::key,
        registry::OpImpl,
        types::is_graph_tensor,
        upstream,
    },
};
use melior::ir::{AttributeLike, OperationRef, Value, ValueLike};
use std::rc::Rc;
use terrace_size::Size;

/// What a rule says.
struct Ruled<'c> {
    results: Vec<Inferred<'c>>,
    /// Whether there is a size that depends on elements.
    by_elements: bool,
    /// What the operation computes, where that had to be known.
    known: Option<Vec<Constant>>,
}

/// What an operator does to the elements of its operands, by their numbers.
fn used(op: OperationRef, class: &OpImpl, written: &[usize]) -> Vec<(usize, Uses)> {
    let name = class.name;
    // Sizes and strides over the whole storage.
    let beyond =
        ["graph.as_strided", "graph.resize_", "graph.set_"].iter().any(|other| name.starts_with(other));
    // A view, or a tensor object with other sizes, strides or storage.
    let metadata = class.view || class.verify.is_some() && class.is_in_place();
    let touched = !metadata && !upstream::is_memory_effect_free(op);
    if !touched && !beyond {
        return vec![];
    }
    let tensors = op.operands().enumerate().filter(|(_, value)| is_graph_tensor(value.r#type()));
    let uses = |number| Uses { touched, written: touched && written.contains(&number), beyond };
    tensors.map(|(number, _)| (number, uses(number))).collect()
}

impl<'c> State<'c> {
    /// Takes in an operator of graph.
    pub(super) fn operator<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        class: &'static OpImpl,
        number: usize,
    ) -> Result<(), String> {
        let (answer, known) = match self.answered(op, class) {
            Some(answer) => (answer, None),
            None => self.ask(op, class, number)?,
        };
        let values = op.results().map(Value::from).filter(|value| is_graph_tensor(value.r#type()));
        for (value, (place, device)) in values.zip(&answer.places) {
            let fake = self.place(op, value, place, *device, number)?;
            self.fakes.insert(key(value), fake);
        }
        if self.notes_uses {
            for (operand, uses) in &answer.uses {
                if let Ok(value) = op.operand(*operand) {
                    self.uses(value, *uses);
                }
            }
        }
        for operand in &answer.written {
            let storages =
                op.operand(*operand).ok().and_then(|value| Some(self.fake(value)?.storages.clone()));
            self.changes(storages.as_deref().unwrap_or_default());
        }
        self.computed(op, class, &answer, known);
        Ok(())
    }

    /// Asks the rules.
    fn ask(
        &mut self,
        op: OperationRef<'c, '_>,
        class: &'static OpImpl,
        number: usize,
    ) -> Result<(Rc<Answer<'c>>, Option<Vec<Constant>>), String> {
        let Ruled { results, by_elements, known } = self.results(op, class, number)?;
        let tensors: Vec<TensorType> = results
            .iter()
            .filter_map(|made| match made {
                Inferred::Tensor(tensor) if tensor.graph => Some(tensor.clone()),
                _ => None,
            })
            .collect();
        let placed = if tensors.is_empty() {
            vec![]
        } else {
            Question {
                op,
                class,
                results: &tensors,
                tensor: &|value| {
                    let fake = self.fakes.get(&key(value));
                    fake.map(|fake| Known::clone(&fake.known))
                        .ok_or_else(|| "uses a tensor of which nothing is known".into())
                },
                number: &|value| self.number(value),
                known: Some(self),
            }
            .placed()?
        };
        let mut places = vec![];
        for (place, ty) in placed.into_iter().zip(tensors) {
            places
                .push((self.numbered(op, place).ok_or("has a result on no operand of its own")?, ty.device));
        }
        let written = placement::written(op, class);
        let written = |value: &Value| written.iter().any(|other| key(*other) == key(*value));
        let written = op.operands().enumerate().filter(|(_, value)| written(value)).map(|(number, _)| number);
        let written: Vec<usize> = written.collect();
        let answer = Rc::new(Answer { places, uses: used(op, class, &written), written });
        if class.infer.is_some() && !by_elements {
            self.answer(op, &answer);
        }
        Ok((answer, known))
    }

    fn place<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        result: Value<'c, 'a>,
        place: &Place,
        device: Option<&'c str>,
        by: usize,
    ) -> Result<Fake<'c>, String> {
        let of = |state: &Self, operand: usize| {
            let value = op.operand(operand).map_err(|e| e.to_string())?;
            state.fake(value).cloned().ok_or("uses a tensor of which nothing is known".to_string())
        };
        Ok(match place {
            Place::Operand(operand) => of(self, *operand)?,
            Place::View(operand, known) => {
                let storages = of(self, *operand)?.storages;
                Fake { known: known.clone(), device, storages, identity: self.object(result) }
            }
            Place::Object(operand, known) => {
                let own = of(self, 0)?;
                let storages = match operand {
                    Some(operand) => of(self, *operand)?.storages,
                    None => self.new_storage(result, by),
                };
                // It has other elements, though none was written.
                self.changes(&storages);
                let fake = Fake { known: known.clone(), device, storages, identity: own.identity };
                self.changed.insert(own.identity, fake.clone());
                fake
            }
            Place::New(known) => {
                let storages = self.new_storage(result, by);
                Fake { known: known.clone(), device, storages, identity: self.object(result) }
            }
        })
    }

    /// What an operation's results are, by its rule.
    fn results<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        class: &'static OpImpl,
        number: usize,
    ) -> Result<Ruled<'c>, String> {
        let operands: Vec<Value> = op.operands().collect();
        let mut results = match class.infer {
            Some(_) => {
                let attribute = |name: &str| op.attribute(name).ok();
                class.results(&Args::new(class, op.context(), &operands, &attribute).with(self))?
            }
            None => op
                .results()
                .map(|value| match TensorType::of_type(value.r#type()) {
                    Some(ty) => Inferred::Tensor(ty),
                    None => Inferred::Other(value.r#type()),
                })
                .collect(),
        };
        let unknown = |made: &Inferred| matches!(made, Inferred::Tensor(ty) if !ty.is_static());
        if !results.iter().any(unknown) {
            return Ok(Ruled { results, by_elements: false, known: None });
        }
        let known = self.evaluated(op, class);
        let constants = known.iter().flatten();
        for (made, constant) in results.iter_mut().zip(constants) {
            if let (Inferred::Tensor(ty), Constant::Tensor { sizes, .. }) = (made, constant) {
                ty.shape = sizes.iter().map(|size| Size::from(*size)).collect();
            }
        }
        let chosen = self.chosen(op, class);
        for (result, ty) in results.iter_mut().enumerate() {
            let Inferred::Tensor(ty) = ty else { continue };
            let value: Value = op.result_at(result).map_err(|e| e.to_string())?.into();
            for (dim, size) in ty.shape.iter_mut().enumerate().filter(|(_, size)| size.is_unknown()) {
                let entry = Entry::Elements { by: number, result, dim };
                *size = match chosen {
                    Some(count) => count.into(),
                    None => self
                        .same_as_before(op, class, [result, dim], |state| state.once((value, dim), 0, entry)),
                };
            }
        }
        Ok(Ruled { results, by_elements: true, known })
    }

    /// A number that depends on elements: another one only after they may have changed.
    pub(super) fn same_as_before(
        &mut self,
        op: OperationRef<'c, '_>,
        class: &'static OpImpl,
        which: [usize; 2],
        new: impl FnOnce(&mut Self) -> Size,
    ) -> Size {
        let operand = |value: Value| match self.fakes.get(&key(value)) {
            Some(fake) => {
                let versions =
                    fake.storages.iter().map(|storage| self.writes.version(&self.storages[*storage]));
                [fake.identity, fake.storages[0], versions.sum()]
            }
            None => [key(value), 0, 0],
        };
        let asked = match chosen::counted(op, class) {
            Some(mask) => ("graph.nonzero", vec![], vec![operand(mask)], [0, 0]),
            None => {
                // Attributes are unique in a context.
                let attributes = op.attributes().map(|(_, value)| value.to_raw().ptr as usize).collect();
                (class.name, attributes, op.operands().map(operand).collect::<Vec<_>>(), which)
            }
        };
        if let Some(known) = self.asked.get(&asked) {
            return *known;
        }
        let size = new(self);
        self.asked.insert(asked, size);
        size
    }
}
