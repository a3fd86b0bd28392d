//! Custom operators: what their schema says of storages and objects, and their shape function of sizes.
//!
//! A result with the alias set of an argument that is written is that argument; with that of another one a
//! view of its storage; any other is a new tensor. Strides and the offset of views and of new tensors are the
//! operator's to choose: they are symbols, and so are numbers. Without a schema an operator may write
//! anything, and its tensors may be any.

use super::{
    Fake, Uses,
    join::{Followed, wrong},
    state::{Entry, State},
    tensor::Thing,
};
use crate::{
    aten::{
        custom,
        placement::place::Known,
        rules::TensorType,
        schema::{Kind, Schema},
    },
    ir::{OperationLike, attributes as convert, operations::key, refusal::Reason, types::is_graph_tensor},
    ops::graph,
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_layout::Layout;
use terrace_size::{Number, Size};

impl<'c> State<'c> {
    /// Takes in a custom operator.
    pub(super) fn custom<'a>(&mut self, op: OperationRef<'c, 'a>) -> Followed<'c, 'a, ()> {
        let own = graph::CustomOp::try_from(op).map_err(|_| wrong(op, "is no custom operator"))?;
        let results: Vec<Value> = op.results().map(Value::from).collect();
        let schema = custom::schema(&own).map_err(|message| wrong(op, message))?;
        let Some(schema) = schema else {
            if results.iter().any(|result| is_graph_tensor(result.r#type())) {
                return Err(wrong(op, "makes a graph tensor of which nothing is known without a schema"));
            }
            self.anything_written();
            self.counts(op, &results);
            return Ok(());
        };
        let places = custom::operands(&own, &schema).map_err(|message| wrong(op, message))?;
        let mut sizes = self.shape(op, &results)?;
        for (number, (result, described)) in results.iter().zip(&schema.results).enumerate() {
            if described.kind != Kind::Tensor {
                self.counts(op, std::slice::from_ref(result));
                continue;
            }
            let alias = custom::alias(&schema, described)
                .and_then(|argument| Some((argument, places[argument].first().copied()?)));
            let unknown = || wrong(op, "uses a tensor of which nothing is known");
            let given = sizes.get_mut(number).map(std::mem::take);
            let fake = match alias {
                Some((argument, place)) => {
                    let value = op.operand(place).map_err(|error| wrong(op, error.to_string()))?;
                    let of = self.fake(value).cloned().ok_or_else(unknown)?;
                    match schema.arguments[argument].written {
                        true => of,
                        false => self.chosen_by(op, *result, given, Some(&of)),
                    }
                }
                None => self.chosen_by(op, *result, given, None),
            };
            self.give(*result, Thing::Tensor(fake));
        }
        self.writes_of(op, &schema, &places);
        Ok(())
    }

    /// The sizes of the tensors among the results, by the shape function; none without one.
    fn shape<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        results: &[Value<'c, 'a>],
    ) -> Followed<'c, 'a, Vec<Vec<Size>>> {
        let Ok(name) = op.attribute("shape").map(convert::symbol) else { return Ok(vec![]) };
        let function = self
            .callee(op, &name)
            .ok_or_else(|| wrong(op, format!("names @{name}, which is no function, as its shape")))?;
        let mut given = vec![];
        for operand in op.operands().filter(|operand| is_graph_tensor(operand.r#type())) {
            let fake =
                self.fake(operand).ok_or_else(|| wrong(op, "uses a tensor of which nothing is known"))?;
            given.extend(fake.known.layout.sizes.iter().map(|size| Thing::Number(*size)));
        }
        let outer = self.called_by.replace(self.asks(op));
        let made = self.entered(function, op.to_raw().ptr as usize, given);
        self.called_by = outer;
        let mut made = made?.into_iter();
        let mut all = vec![];
        for result in results {
            let rank = TensorType::of_type(result.r#type()).filter(|ty| ty.graph).map_or(0, |ty| ty.rank());
            let mut sizes = vec![];
            for _ in 0..rank {
                match made.next() {
                    Some(Thing::Number(size)) => sizes.push(size),
                    _ => {
                        return Err(wrong(
                            op,
                            Reason::Size
                                .says(format!("has a shape function @{name} of which a size is not known")),
                        ));
                    }
                }
            }
            all.push(sizes);
        }
        Ok(all)
    }

    /// A tensor whose strides and offset the operator chooses: a view of another one's storage, or a new one.
    fn chosen_by(
        &mut self,
        op: OperationRef<'c, '_>,
        result: Value<'c, '_>,
        sizes: Option<Vec<Size>>,
        view_of: Option<&Fake<'c>>,
    ) -> Fake<'c> {
        let ty = TensorType::of_type(result.r#type()).expect("the operation was verified");
        let by = self.asks(op);
        let mut slots = 0..;
        let mut symbol = |state: &mut Self| {
            let slot = slots.next().unwrap_or_default();
            state.once((result, slot), 0, Entry::Computed { by })
        };
        let typed = ty.shape.iter().enumerate().map(|(dim, size)| {
            match sizes.as_ref().and_then(|sizes| sizes.get(dim)) {
                // Both are right, so they are equal.
                Some(given) if size.is_unknown() || given.assume_eq(*size) => *given,
                Some(_) => *size,
                None if size.is_unknown() => symbol(self),
                None => *size,
            }
        });
        let sizes: Vec<Size> = typed.collect();
        let strides = (0..sizes.len()).map(|_| symbol(self)).collect();
        let layout = Layout { sizes, strides, offset: symbol(self) };
        let flags = view_of.map_or((false, false), |fake| (fake.known.conj, fake.known.neg));
        let known = self.kind(Known { layout, dtype: ty.dtype, conj: flags.0, neg: flags.1 });
        let storages = match view_of {
            Some(fake) => fake.storages.clone(),
            None => self.new_storage(result, by),
        };
        Fake { known, device: ty.device, storages, identity: self.object(result) }
    }

    /// What the schema says that is written.
    fn writes_of(&mut self, op: OperationRef<'c, '_>, schema: &Schema, places: &[Vec<usize>]) {
        for (argument, places) in schema.arguments.iter().zip(places) {
            for place in places {
                if let Ok(value) = op.operand(*place) {
                    // It is given the storage with the tensor.
                    self.uses(value, Uses { touched: true, written: argument.written, beyond: true });
                }
            }
            for place in places.iter().filter(|_| argument.written) {
                let fake = op.operand(*place).ok().and_then(|value| self.fakes.get(&key(value)));
                let storages = fake.map(|fake| fake.storages.clone());
                self.rewritten(storages.as_deref().unwrap_or_default());
            }
        }
    }
}
