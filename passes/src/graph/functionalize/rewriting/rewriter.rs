//! A body on its way to become the core: each operation of graph has its functional form put before it.

use super::{
    storages::{Source, Storages},
    values::Values,
};
use crate::{
    functional::writer::Writer,
    functions::Names,
    graph::functionalize::{
        analysis::{
            custom,
            state::Analysis,
            tensors::{Layout, Origin, Source as Known},
            transform::ElementTransform,
        },
        decompositions::{dispatch, lowering::Lowering},
        program::{at, operations},
    },
};
use melior::ir::{BlockRef, OperationRef, Value, ValueLike};
use std::collections::{BTreeSet, HashMap};
use terrace_dialects::{
    internal,
    ir::rewrite::{erase, erase_argument},
    ir::{
        BlockLike, OperationLike,
        dtype::{Dtype, ElementType},
        pass::Failure,
        refusal::Reason,
        registry::{self, OpImpl},
        types::is_graph_tensor,
    },
    ops::graph,
};
use terrace_size::{
    Size,
    symbols::{Guard, Symbol, current},
};

/// What a core gets first, as its arguments.
pub struct First<'c, 'a> {
    /// The values of storages, by their numbers.
    pub storages: HashMap<usize, Value<'c, 'a>>,
    /// Sizes that no value of a storage has.
    pub sizes: Vec<(Size, Value<'c, 'a>)>,
}

/// A body on its way to become the core.
pub struct Rewriter<'l, 'c, 'a> {
    pub(crate) analysis: &'l Analysis<'c, 'a>,
    pub(crate) storages: &'l Storages,
    pub(crate) values: Values<'c, 'a>,
    /// The operations that were rewritten, in order.
    pub(crate) lowered: Vec<OperationRef<'c, 'a>>,
    /// Arguments of blocks that are tensors, by their numbers.
    pub(crate) gone: Vec<(BlockRef<'c, 'a>, Vec<usize>)>,
    /// The names of the module.
    names: &'l mut Names,
    /// The guards that are asserted where they were asked, by their numbers.
    pub(crate) asserted: BTreeSet<usize>,
    /// Those that wait for what asked, and how many guards were looked at.
    pub(crate) waiting: Vec<(usize, Guard)>,
    pub(crate) looked_at: usize,
}

impl<'l, 'c, 'a> Rewriter<'l, 'c, 'a> {
    /// Nothing is rewritten yet.
    pub fn new(
        analysis: &'l Analysis<'c, 'a>,
        storages: &'l Storages,
        names: &'l mut Names,
        end: Writer<'c, 'a>,
    ) -> Self {
        Self {
            analysis,
            storages,
            values: Values::new(end),
            lowered: vec![],
            gone: vec![],
            names,
            asserted: BTreeSet::new(),
            waiting: vec![],
            looked_at: 0,
        }
    }

    /// The core's arguments for the first values of storages.
    pub(crate) fn begin(&mut self, block: BlockRef<'c, 'a>) -> Result<First<'c, 'a>, Failure> {
        let mut first = HashMap::new();
        for (number, storage) in self.storages.list.iter().enumerate() {
            self.values.add(storage.base.clone(), storage.dtype);
            let location = match storage.source {
                Source::Whole(argument) | Source::Places(argument) => block.argument(argument)?.location(),
                Source::Generator => self.values.location(),
                Source::Fresh => continue,
            };
            let value =
                block.add_argument(self.values.tensor_type(storage.dtype, &storage.base.sizes), location);
            self.values.known.set_sizes(value, &storage.base.sizes);
            self.values.set(number, value)?;
            first.insert(number, value);
        }
        let sizes = self.given_sizes(block, &first)?;
        if let Some(op) = block.first_operation() {
            self.values.before = op;
        }
        for number in self.analysis.anything.values() {
            let storage = self.storages.of(Origin::Fresh(*number));
            self.values.set(storage, self.values.unseen(storage)?)?;
        }
        Ok(First { storages: first, sizes })
    }

    /// What the symbols are that are known when the function begins: sizes of the core's arguments, where it
    /// has the tensors as they are, else arguments of their own.
    fn given_sizes(
        &self,
        block: BlockRef<'c, 'a>,
        first: &HashMap<usize, Value<'c, 'a>>,
    ) -> Result<Vec<(Size, Value<'c, 'a>)>, Failure> {
        let mut given = vec![];
        for (symbol, source) in &self.analysis.symbols {
            match *source {
                Known::Size { argument, dim } => {
                    let storage = self.storages.of(Origin::Argument(argument));
                    let whole = self.storages.list[storage].source == Source::Whole(argument);
                    let own =
                        self.analysis.arguments[argument].as_ref().ok_or(internal!("is no graph tensor"))?;
                    let same = self.storages.list[storage].base.is_same(&own.layout);
                    match first.get(&storage).filter(|_| whole && same) {
                        Some(value) => self.values.known.set_dim(*symbol, *value, dim),
                        None => {
                            let size = current(|symbols| symbols.size(*symbol));
                            let word = Dtype::I64.to_type(self.values.context);
                            let value = block.add_argument(word, self.values.location());
                            self.values.known.set_symbol(*symbol, value);
                            given.push((size, value));
                        }
                    }
                }
                Known::Argument(argument) => self.is_number(*symbol, block.argument(argument)?.into())?,
                _ => {}
            }
        }
        Ok(given)
    }

    /// A symbol is a number of the program.
    fn is_number(&self, symbol: Symbol, value: Value<'c, 'a>) -> Result<(), Failure> {
        self.values.known.set_symbol(symbol, self.values.word_of(self.values.current(value))?);
        Ok(())
    }

    /// Takes in the numbers that an operation makes, which symbols stand for.
    fn computes(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        for result in op.results() {
            if let Some(symbol) = self.analysis.number_symbol(result.into()) {
                self.values.before = op.next_in_block().unwrap_or(op);
                self.is_number(symbol, result.into())?;
            }
        }
        Ok(())
    }

    /// Puts the functional form of each operation before it, but for the last, which it returns.
    pub(crate) fn block(&mut self, block: BlockRef<'c, 'a>) -> Result<Option<OperationRef<'c, 'a>>, Failure> {
        let end = block.terminator();
        let mut before: Option<OperationRef> = None;
        for op in operations(block) {
            if end == Some(op) {
                break;
            }
            let dynamic = !self.analysis.symbols.is_empty();
            if dynamic {
                current(|symbols| symbols.asks(op.to_raw().ptr as usize));
                self.assert_late(op, op)?;
            }
            if let Some(class) = registry::of(op).filter(|class| class.dialect == "graph") {
                self.lowered.push(op);
                if !class.view {
                    self.values.before = op;
                    self.synced(op, |core| core.operation(op, class))?;
                }
            } else if let Some(flow) = self.analysis.flows.get(&(op.to_raw().ptr as usize)) {
                self.flow(op, flow)?;
            } else if op.results().any(|result| is_graph_tensor(result.r#type())) {
                // What selects among tensors, or is any tensor.
                self.lowered.push(op);
            } else {
                self.synced(op, |_| Ok(()))?;
            }
            if dynamic {
                // What is asked while it is written stands in front of what is written, too.
                let first = before.map_or_else(|| block.first_operation(), |op| op.next_in_block());
                self.assert_late(op, first.unwrap_or(op))?;
                self.computes(op)?;
            }
            before = Some(op);
        }
        Ok(end)
    }

    /// Puts the functional form of an operation of graph before it.
    fn operation(&mut self, op: OperationRef<'c, 'a>, op_impl: &'static OpImpl) -> Result<(), Failure> {
        if self.is_of_generator(op, op_impl)? {
            return Ok(());
        }
        if graph::ResizeStorageOp::try_from(op).is_ok() {
            return self.lose(op);
        }
        let (analysis, storages) = (self.analysis, self.storages);
        let mut l = Lowering { values: &mut self.values, analysis, storages, op, op_impl };
        if let Ok(read) = graph::ValueOp::try_from(op) {
            let value = l.read(read.view())?;
            l.values.replace(op.result_at(0)?.into(), value);
        } else if let Ok(fresh) = graph::FreshOp::try_from(op) {
            let value = fresh.value();
            l.set(0, value)?;
        } else if let Ok(write) = graph::WriteBackOp::try_from(op) {
            let value = write.value();
            l.update(0, value)?;
        } else if custom::is_called_on_values(op_impl) {
            l.on_values(self.names).map_err(|failure| at(op, failure))?;
        } else {
            let operator = dispatch::find(op_impl)
                .ok_or_else(|| Reason::Form.says("an operator has no functional form"))?;
            if op_impl.is_in_place() {
                if analysis.written(op).is_some() {
                    let value = dispatch::updated(&mut l, operator).map_err(|failure| at(op, failure))?;
                    l.update(0, value)?;
                }
            } else {
                let values = (operator.lower)(&mut l).map_err(|failure| at(op, failure))?;
                let (results, writes) = values.split_at(op.result_count());
                for (index, value) in results.iter().enumerate() {
                    let result = op.result_at(index)?;
                    if is_graph_tensor(result.r#type()) {
                        l.set(index, *value)?;
                    } else {
                        l.values.replace(result.into(), *value);
                    }
                }
                for (index, value) in writes.iter().enumerate() {
                    l.update(index, *value)?;
                }
            }
        }
        Ok(())
    }

    /// Takes out what was rewritten; gives back the names.
    pub(crate) fn clear(self) -> &'l mut Names {
        for op in self.lowered.into_iter().rev() {
            erase(op);
        }
        for (block, arguments) in self.gone {
            for argument in arguments.into_iter().rev() {
                erase_argument(block, argument);
            }
        }
        self.names
    }
}

impl<'c, 'a> Lowering<'_, 'c, 'a> {
    /// Gives a new storage, that of a result, its first value; where the result is one of several, all of
    /// these.
    pub(crate) fn set(&mut self, result: usize, value: Value<'c, 'a>) -> Result<(), Failure> {
        let choice = self
            .analysis
            .choice(self.op.result_at(result)?.into())
            .ok_or(internal!("a result has no storage"))?;
        self.analysis.has_sizes(self.op.result_at(result)?.into(), value, self.values.known);
        for identity in &choice.states {
            let Origin::Fresh(number) = self.analysis.identities[*identity].0.origin else { continue };
            let (storage, whole) = (self.storages.of(Origin::Fresh(number)), &self.analysis.fresh[number]);
            let value = self.values.filled(storage, &whole.layout, whole.dtype, value)?;
            self.values.set(storage, value)?;
        }
        Ok(())
    }

    /// Writes what the operation writes, of several parts the one of this number; where it writes one of
    /// several tensors, each of them as it is where it is not that one.
    pub(crate) fn update(&mut self, number: usize, value: Value<'c, 'a>) -> Result<(), Failure> {
        let analysis = self.analysis;
        let by = analysis.operands.get(&(self.op.to_raw().ptr as usize)).map_or(&[][..], Vec::as_slice);
        let mut targets: Vec<(Origin, &Layout, ElementTransform)> = vec![];
        let mut by_combination = vec![];
        for combination in 0..analysis.counts(by).iter().product() {
            let written = analysis.writes_of(self.op).get(combination).and_then(|all| all.get(number));
            let target = written.map(|access| {
                let access = &analysis.accesses[*access];
                let target = (access.at, &access.view, analysis.identities[access.identity].0.transform);
                let same = |known: &(Origin, &Layout, ElementTransform)| {
                    known.0 == target.0 && known.1.assume_same(target.1) && known.2 == target.2
                };
                targets.iter().position(same).unwrap_or_else(|| {
                    targets.push(target);
                    targets.len() - 1
                })
            });
            by_combination.push(target);
        }
        for (target, (origin, layout, transform)) in targets.iter().enumerate() {
            let mut new = value;
            if by_combination.iter().any(|own| *own != Some(target)) {
                let old = self.elements(*origin, layout, *transform)?;
                let either = by_combination.iter().map(|own| if *own == Some(target) { value } else { old });
                let either: Vec<Value> = either.collect();
                new = self.values.choose_by(analysis, by, &either)?;
            }
            self.overwrite(*origin, layout, *transform, new)?;
        }
        Ok(())
    }
}
