//! Decoding: operations taken apart once, before they run.

use super::{
    frame::{Frame, Slot},
    integers::Integers,
    interpreter::Interpreter,
    program::{Action, Block, Flow, Region, Step, checked, entered, in_place, observed, unchanged},
};
use crate::{
    error::Error,
    semantics,
    types::{Kind, dtype_of},
};
use melior::ir::{Attribute, BlockRef, RegionLike, RegionRef, Value, ValueLike, operation::OperationRef};
use std::collections::HashMap;
use terrace_dialects::{
    analysis::actual,
    aten::placement,
    ir::{
        BlockLike, OperationLike, annotations, attributes,
        operations::{self, definition, key},
        registry,
        types::TensorType,
        view,
    },
};
use terrace_tensor::{Dtype, Tensor};

/// A function on its way into slots.
pub(crate) struct Decoder<'m> {
    pub machine: &'m Interpreter<'m>,
    slots: HashMap<usize, Slot>,
    count: usize,
    /// Where the counters of the domains are that the operation stands in, the innermost last.
    domains: Vec<Vec<Slot>>,
}

impl<'m> Decoder<'m> {
    pub fn new(machine: &'m Interpreter<'m>) -> Decoder<'m> {
        Decoder { machine, slots: HashMap::new(), count: 0, domains: Vec::new() }
    }

    /// How many slots a frame needs.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Decodes an operation on its own: its action, and where its operands and its results are.
    pub fn alone(&mut self, operation: OperationRef) -> Result<(Action, Vec<Slot>, Vec<Slot>), String> {
        let known = |decoder: &mut Self, operand: Value| match decoder.slots.get(&key(operand)) {
            Some(slot) => *slot,
            None => decoder.define(operand),
        };
        let operands = operation.operands().map(|operand| known(self, operand)).collect();
        let name = operation.name();
        let name = name.as_string_ref();
        let decode = self.machine.table.get(name.as_str().unwrap_or_default());
        let decode = decode.ok_or("is not known to the interpreter")?;
        let mut op = Op { decoder: self, operation, blocks: &HashMap::new(), inner: None };
        let action = decode(&mut op)?;
        let results = operation.results().map(|result| self.slots[&key(result)]).collect();
        Ok((action, operands, results))
    }

    /// Decodes a region with all that is in it.
    pub fn region(&mut self, region: RegionRef) -> Result<Region, Error> {
        let blocks: Vec<BlockRef> =
            std::iter::successors(region.first_block(), |block| block.next_in_region()).collect();
        let numbers: HashMap<usize, usize> =
            blocks.iter().enumerate().map(|(number, block)| (block.to_raw().ptr as usize, number)).collect();
        // Arguments first: a jump may go to a later block.
        let mut decoded = Vec::new();
        for block in &blocks {
            let arguments = (0..block.argument_count()).filter_map(|i| block.argument(i).ok());
            let arguments = arguments.map(|argument| self.define(argument)).collect();
            decoded.push(Block { arguments, steps: Vec::new() });
        }
        for (block, place) in blocks.iter().zip(&mut decoded) {
            if let (Some(observer), Some(first)) = (&self.machine.observer, block.first_operation()) {
                let action = entered(observer.clone(), *block, place.arguments.clone());
                place.steps.push(Step { operation: first.to_raw(), action });
            }
            let operations =
                std::iter::successors(block.first_operation(), |operation| operation.next_in_block());
            for operation in operations {
                let action = self.operation(operation, &numbers)?;
                place.steps.push(Step { operation: operation.to_raw(), action });
            }
        }
        Ok(Region { blocks: decoded })
    }

    fn operation(
        &mut self,
        operation: OperationRef,
        blocks: &HashMap<usize, usize>,
    ) -> Result<Action, Error> {
        let name = operation.name();
        let name = name.as_string_ref();
        let Some(decode) = self.machine.table.get(name.as_str().unwrap_or_default()) else {
            return Err(Error::at(operation, "is not known to the interpreter"));
        };
        on_the_cpu(operation)?;
        let mut op = Op { decoder: self, operation, blocks, inner: None };
        let operands = op.operands();
        let action = decode(&mut op);
        let inner = op.inner.take();
        let action = action.map_err(|message| inner.unwrap_or_else(|| Error::at(operation, &message)))?;
        let action = match (annotations::in_place(operation), operation.results().next()) {
            (Some(number), Some(result)) => {
                in_place(number, operands.clone(), self.slots[&key(result)], action)
            }
            _ => action,
        };
        let action =
            if actual::is_open(operation) { checked(operation, operands.clone(), action) } else { action };
        let action = if self.machine.changes_objects() {
            let changes = registry::of(operation).is_some_and(placement::changes_object);
            let name = changes.then(|| operations::name_of(operation).to_owned());
            unchanged(name, operands, action)
        } else {
            action
        };
        Ok(match &self.machine.observer {
            Some(observer) => {
                let results = operation.results().filter_map(|result| self.slots.get(&key(result)).copied());
                let results = results.collect();
                observed(observer.clone(), operation, results, action)
            }
            None => action,
        })
    }

    fn define<'c>(&mut self, value: impl ValueLike<'c>) -> Slot {
        let slot = self.nameless();
        self.slots.insert(key(value), slot);
        slot
    }

    /// A slot that no value of the program has.
    fn nameless(&mut self) -> Slot {
        self.count += 1;
        Slot(self.count - 1)
    }
}

/// Whether a value is a fake tensor, by the chain of views that it is.
fn is_fake<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> bool {
    while let Some(operation) = definition(value) {
        match registry::of(operation) {
            Some(class) if class.name == "graph.fake" => return true,
            Some(class) if class.view || class.is_in_place() && class.verify.is_some() => {
                match operation.operand(0) {
                    Ok(operand) => value = operand,
                    Err(_) => return false,
                }
            }
            _ => return false,
        }
    }
    false
}

/// Whether what an operation uses and makes is here; fake tensors are nowhere.
fn on_the_cpu(operation: OperationRef) -> Result<(), Error> {
    let mut values = operation.operands().chain(operation.results().map(Value::from));
    let device = |value| TensorType::of(value).and_then(|tensor| tensor.device);
    match values.find_map(|value| device(value.r#type()).filter(|_| !is_fake(value))) {
        Some(device) => {
            Err(Error::at(operation, &format!("has a tensor on {device}: the interpreter has the CPU alone")))
        }
        None => Ok(()),
    }
}

/// An operation that is being decoded.
pub(crate) struct Op<'d, 'm, 'c, 'a> {
    decoder: &'d mut Decoder<'m>,
    operation: OperationRef<'c, 'a>,
    blocks: &'d HashMap<usize, usize>,
    /// The error of an operation inside, which has been reported.
    inner: Option<Error>,
}

impl<'c, 'a> Op<'_, '_, 'c, 'a> {
    /// The operation itself.
    pub fn operation(&self) -> OperationRef<'c, 'a> {
        self.operation
    }

    /// The slot of a value that is defined.
    pub fn slot(&self, value: Value<'c, 'a>) -> Slot {
        self.decoder.slots[&key(value)]
    }

    /// Decodes an operation that stands nowhere, on values that are defined: its action and where its results
    /// go.
    pub fn other(&mut self, operation: OperationRef<'c, 'a>) -> Result<(Action, Vec<Slot>), String> {
        let name = operation.name();
        let name = name.as_string_ref();
        let decode = self.decoder.machine.table.get(name.as_str().unwrap_or_default());
        let decode = decode.ok_or("is not known to the interpreter")?;
        let mut op = Op { decoder: self.decoder, operation, blocks: self.blocks, inner: None };
        let action = decode(&mut op)?;
        let slots = operation.results().map(|result| self.slot(result.into())).collect();
        Ok((action, slots))
    }

    /// The slots of all operands.
    pub fn operands(&self) -> Vec<Slot> {
        self.operation.operands().map(|operand| self.slot(operand)).collect()
    }

    /// The slot of an operand by its number among all operands.
    pub fn operand(&self, number: usize) -> Slot {
        self.operands()[number]
    }

    /// The slots of an operand of ODS: none or one for an optional one, any number for a variadic one.
    pub fn list(&self, index: usize) -> Vec<Slot> {
        let class = registry::of(self.operation).expect("the operation is one of Terrace's");
        view::variadic(self.operation, class, index).into_iter().map(|value| self.slot(value)).collect()
    }

    /// The slot of a single operand of ODS.
    pub fn tensor(&self, index: usize) -> Slot {
        self.list(index)[0]
    }

    /// The slot of an optional operand of ODS.
    pub fn optional(&self, index: usize) -> Option<Slot> {
        self.list(index).first().copied()
    }

    /// The slots of each operand segment of an operation of upstream.
    pub fn segments(&self) -> Result<Vec<Vec<Slot>>, String> {
        let sizes = self.attribute("operandSegmentSizes").ok_or("has no operand segment sizes")?;
        let mut operands = self.operands().into_iter();
        Ok(attributes::i32s(sizes)
            .into_iter()
            .map(|size| operands.by_ref().take(size as usize).collect())
            .collect())
    }

    /// Makes a slot for a value that stands in an operation which is decoded by [`Op::other`].
    pub fn stand_in(&mut self, value: Value<'c, '_>) -> Slot {
        self.decoder.define(value)
    }

    /// Makes slots for the results.
    pub fn results(&mut self) -> Vec<Slot> {
        let results: Vec<_> = self.operation.results().collect();
        results.iter().map(|result| self.decoder.define(*result)).collect()
    }

    /// What the type of an operand says.
    pub fn operand_kind(&self, number: usize) -> Result<Kind, String> {
        Kind::of(self.operation.operand(number).map_err(|error| error.to_string())?.r#type())
    }

    /// What the type of a result says.
    pub fn result_kind(&self, number: usize) -> Result<Kind, String> {
        Kind::of(self.operation.result_at(number).map_err(|error| error.to_string())?.r#type())
    }

    /// What the types of the results say.
    pub fn result_kinds(&self) -> Result<Vec<Kind>, String> {
        (0..self.operation.result_count()).map(|number| self.result_kind(number)).collect()
    }

    /// Decodes a region of the operation.
    pub fn region(&mut self, index: usize) -> Result<Region, String> {
        let region = self.operation.region(index).map_err(|error| error.to_string())?;
        self.decoder.region(region).map_err(|error| {
            self.inner = Some(error);
            String::new()
        })
    }

    /// Decodes the regions of the terminator of a region that has been decoded.
    pub fn regions_of_terminator(&mut self, index: usize) -> Result<Vec<Region>, String> {
        let region = self.operation.region(index).map_err(|error| error.to_string())?;
        let terminator =
            region.first_block().and_then(|block| block.terminator()).ok_or("has no terminator")?;
        let regions: Vec<_> = terminator.regions().collect();
        let decoded = regions.into_iter().map(|region| self.decoder.region(region));
        decoded.collect::<Result<_, _>>().map_err(|error| {
            self.inner = Some(error);
            String::new()
        })
    }

    /// Decodes a region that runs at each point of a domain; gives the slots for the counters of its
    /// dimensions.
    pub fn region_over(&mut self, index: usize, rank: usize) -> Result<(Region, Vec<Slot>), String> {
        let counters: Vec<Slot> = (0..rank).map(|_| self.decoder.nameless()).collect();
        self.decoder.domains.push(counters.clone());
        let region = self.region(index);
        self.decoder.domains.pop();
        Ok((region?, counters))
    }

    /// Where the counters are of the innermost domain that the operation stands in.
    pub fn counters(&self) -> &[Slot] {
        self.decoder.domains.last().map_or(&[], Vec::as_slice)
    }

    /// Whether a region has a block.
    pub fn has_block(&self, index: usize) -> bool {
        self.operation.region(index).is_ok_and(|region| region.first_block().is_some())
    }

    /// The number of the block that is successor `index`.
    pub fn successor(&self, index: usize) -> Result<usize, String> {
        let block =
            self.operation.successors().nth(index).ok_or_else(|| format!("there is no successor {index}"))?;
        Ok(self.blocks[&(block.to_raw().ptr as usize)])
    }

    /// The number of a function, by its name.
    pub fn function(&self, name: &str) -> Option<usize> {
        self.decoder.machine.number(name)
    }

    /// The memory of a `memref.global`: the same for all that ask as long as the interpreter lives.
    pub fn global(&self, name: &str, kind: &Kind) -> Result<Tensor, String> {
        self.decoder.machine.global(name, kind)
    }

    /// An attribute.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'c>> {
        self.operation.attribute(name).ok()
    }

    /// An attribute that must be there.
    pub fn required(&self, name: &str) -> Result<Attribute<'c>, String> {
        self.attribute(name).ok_or_else(|| format!("misses attribute '{name}'"))
    }

    /// An integer attribute.
    pub fn int(&self, name: &str) -> Result<i64, String> {
        self.required(name).map(attributes::i64)
    }

    /// An integer attribute that has a default.
    pub fn int_or(&self, name: &str, default: i64) -> i64 {
        self.attribute(name).map_or(default, attributes::i64)
    }

    /// A flag; false where absent.
    pub fn flag(&self, name: &str) -> bool {
        self.attribute(name).is_some_and(attributes::bool)
    }

    /// A list of integers without dynamic entries.
    pub fn ints(&self, name: &str) -> Result<Vec<i64>, String> {
        self.required(name).map(attributes::i64s)
    }

    /// A list of integers without dynamic entries, if it is there.
    pub fn optional_ints(&self, name: &str) -> Option<Vec<i64>> {
        self.attribute(name).map(attributes::i64s)
    }

    /// A list of integers whose dynamic entries are operand `index` of ODS.
    pub fn dynamic_ints(&self, name: &str, index: usize) -> Result<Integers, String> {
        Integers::new(&self.ints(name)?, &self.list(index))
    }

    /// The dtype that a type attribute names.
    pub fn dtype(&self, name: &str) -> Result<Dtype, String> {
        let ty = attributes::ty(self.required(name)?);
        dtype_of(ty).ok_or_else(|| format!("'{name}' is no dtype: {ty}"))
    }

    /// The dtype that a type attribute names, if it is there.
    pub fn optional_dtype(&self, name: &str) -> Result<Option<Dtype>, String> {
        self.attribute(name).map(|_| self.dtype(name)).transpose()
    }

    /// An action that computes one tensor, which must have the type of the result.
    pub fn value(
        &mut self,
        compute: impl Fn(&Frame) -> semantics::Result<Tensor> + 'static,
    ) -> Result<Action, String> {
        self.values(move |frame| Ok(vec![compute(frame)?]))
    }

    /// An action that computes the results, which must have their types.
    pub fn values(
        &mut self,
        compute: impl Fn(&Frame) -> semantics::Result<Vec<Tensor>> + 'static,
    ) -> Result<Action, String> {
        let (kinds, results) = (self.result_kinds()?, self.results());
        Ok(Box::new(move |_, frame| {
            let tensors = compute(frame)?;
            if tensors.len() != results.len() {
                return Err(
                    format!("computes {} tensors but has {} results", tensors.len(), results.len()).into()
                );
            }
            for ((tensor, kind), &slot) in tensors.into_iter().zip(&kinds).zip(&results) {
                let value = tensor.into();
                kind.check(&value)
                    .map_err(|difference| format!("computes what its type does not say: {difference}"))?;
                frame.set(slot, value);
            }
            Ok(Flow::Next)
        }))
    }

    /// An action that leaves the region with the operands.
    pub fn leave(&self) -> Action {
        let operands = self.operands();
        Box::new(move |_, frame| Ok(Flow::Leave(frame.get_all(&operands))))
    }
}
