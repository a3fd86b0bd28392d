//! What a boundary writes back becomes a donation: the core returns an argument's new value in the argument's
//! memory.
//!
//! A boundary reads an argument as a value, calls the core, and writes parts of what it computes back. Where
//! the whole argument is written, nobody reads its old elements after the call: they are donated. Where parts
//! are written, and they are parts of the last value of a chain of scatters into the argument that wrote
//! nothing else, the boundary may as well write all of that value; then this is donated. Other arguments must
//! lie in other storages, and the value be read once and go to the core alone.

use super::{is_scatter, regions};
use crate::{functional::view_to_copy::copy_of, functions::is_private};
use melior::ir::{
    Attribute, BlockRef, Identifier, OperationRef, RegionLike, Type, Value, ValueLike,
    attribute::TypeAttribute, operation::OperationBuilder, r#type::FunctionType,
};
use std::collections::{BTreeMap, HashMap};
use terrace_dialects::{
    aten::placement::views::layouts,
    internal,
    ir::{
        BlockLike, OperationLike, annotations, arguments, attributes as convert, context,
        operations::{self, collect, definition, home, name_of, users},
        pass::Failure,
        registry,
        rewrite::{erase, replace_uses, set_attribute},
        types::{TensorType, is_graph_tensor},
    },
    ops::graph,
};
use terrace_layout::{Layout, overlap::overlap, recognize::recognize};
use terrace_size::DYNAMIC;

/// A view of an argument's storage.
struct Place {
    argument: usize,
    layout: Layout,
}

/// A call of a core by its boundary.
struct Boundary<'c, 'a> {
    function: OperationRef<'c, 'a>,
    core: OperationRef<'c, 'a>,
    call: OperationRef<'c, 'a>,
    /// How many values are read of an argument's storage.
    reads: HashMap<usize, usize>,
    /// What is written to an argument's storage.
    writes: HashMap<usize, Vec<graph::WriteBackOp<'c, 'a>>>,
    /// By argument, whether no other one may lie in its storage.
    alone: Vec<bool>,
    /// The results of the core that lie in the memory of its arguments.
    donated: BTreeMap<usize, usize>,
}

/// Goes through the boundaries of a module.
pub fn donate(module: OperationRef) -> Result<(), Failure> {
    let functions = collect(module, |op| name_of(op) == "func.func");
    let mut callers: HashMap<String, Vec<OperationRef>> = HashMap::new();
    for call in collect(module, |op| name_of(op) == "func.call") {
        callers.entry(convert::symbol(call.attribute("callee")?)).or_default().push(call);
    }
    for core in functions {
        let name = convert::string(core.attribute("sym_name")?);
        let Some([call]) = callers.get(&name).map(Vec::as_slice).filter(|_| is_private(core)) else {
            continue;
        };
        if let Some(mut boundary) = Boundary::of(core, *call) {
            for operand in 0..call.operand_count() {
                boundary.donate(operand)?;
            }
            boundary.mark();
            // Linear: once for each core.
            sweep(boundary.core);
            sweep(boundary.function);
        }
    }
    Ok(())
}

impl<'c, 'a> Boundary<'c, 'a> {
    /// The boundary that calls a core, where it is one: a function of one block, and a core of one.
    fn of(core: OperationRef<'c, 'a>, call: OperationRef<'c, 'a>) -> Option<Self> {
        let function = call.parent_operation().filter(|op| name_of(*op) == "func.func")?;
        let block = call.block()?;
        let alone = |region: OperationRef| {
            let block = region.region(0).ok().and_then(|r| r.first_block());
            block.is_some_and(|block| block.next_in_region().is_none())
        };
        if core.block() != function.block()
            || !alone(core)
            || !alone(function)
            || core.attribute("res_attrs").is_ok()
        {
            return None;
        }
        let (mut reads, mut writes) = (HashMap::new(), HashMap::<usize, Vec<_>>::new());
        for op in std::iter::successors(block.first_operation(), |op| op.next_in_block()) {
            if let Some(argument) = graph::ValueOp::try_from(op).ok().and_then(|read| root(read.view())) {
                *reads.entry(argument).or_default() += 1;
            } else if let Ok(write) = graph::WriteBackOp::try_from(op)
                && let Some(argument) = root(write.view())
            {
                writes.entry(argument).or_default().push(write);
            }
        }
        let alone = alone_in_storage(function, block);
        let declared = |argument| Some((argument, annotations::donated(core, argument)?));
        let donated = (0..call.operand_count()).filter_map(declared).collect();
        Some(Self { function, core, call, reads, writes, alone, donated })
    }

    /// Where a tensor of the boundary lies, if that is known.
    fn place(&self, value: Value<'c, 'a>) -> Option<Place> {
        let tensor = TensorType::of(value.r#type()).filter(TensorType::is_static)?;
        let Some(op) = definition(value) else {
            let argument = operations::argument(value)?.argument_number();
            let own = Layout::contiguous(&tensor.shape);
            let layout = match arguments::declared(self.function, argument).ok()?.layout {
                arguments::Layout::Contiguous => own,
                arguments::Layout::Strided { strides, offset } => Layout { strides, offset, ..own },
                arguments::Layout::Any => return None,
            };
            let known = layout.strides.iter().chain([&layout.offset]).all(|n| *n != DYNAMIC);
            return known.then_some(Place { argument, layout });
        };
        let class = registry::of(op).filter(|class| class.dialect == "graph" && class.view)?;
        if class.name == "graph.view.dtype" {
            return None;
        }
        let source = self.place(op.operand(0).ok()?)?;
        let layout = layouts(op, class, &source.layout).ok()??.pop()?;
        Some(Place { layout, ..source })
    }

    /// Donates an operand of the call, where it can be.
    fn donate(&mut self, operand: usize) -> Result<(), Failure> {
        let value = self.call.operand(operand)?;
        let Some(read) = definition(value).and_then(|op| graph::ValueOp::try_from(op).ok()) else {
            return Ok(());
        };
        let Some(own) = self.place(read.view()) else { return Ok(()) };
        let once = users(value).count() == 1;
        let reads = self.reads.get(&own.argument).copied();
        if !once || reads != Some(1) || !self.alone[own.argument] || own.layout.repeats() {
            return Ok(());
        }
        let Some(writes) = self.writes.get(&own.argument).cloned() else { return Ok(()) };
        let whole = |write: &graph::WriteBackOp<'c, 'a>| {
            self.place(write.view()).is_some_and(|to| to.layout.same_elements(&own.layout))
        };
        let result = match writes[..] {
            [write] if whole(&write) => self.result_of(write),
            _ => self.widen(operand, &own, read, &writes)?,
        };
        let Some(result) = result else { return Ok(()) };
        if self.call.result_at(result)?.r#type() == value.r#type() {
            self.donated.insert(operand, result);
        }
        Ok(())
    }

    /// Says at the core which results lie in the memory of which arguments.
    fn mark(&self) {
        let number = |result: usize| annotations::number(context::of(self.core.context()), result);
        let donated =
            self.donated.iter().map(|(argument, result)| (*argument, annotations::DONATED, number(*result)));
        arguments::set_attributes(self.core, &donated.collect::<Vec<_>>());
    }

    /// The number of the call's result that is written back, where it is one that goes nowhere else.
    fn result_of(&self, write: graph::WriteBackOp<'c, 'a>) -> Option<usize> {
        let result = operations::result(write.value())?;
        (result.owner() == self.call && users(write.value()).count() == 1).then(|| result.result_number())
    }

    /// Writes a whole value back where parts of it were written, if that is the same; gives the number of the
    /// result.
    fn widen(
        &mut self,
        operand: usize,
        own: &Place,
        read: graph::ValueOp<'c, 'a>,
        writes: &[graph::WriteBackOp<'c, 'a>],
    ) -> Result<Option<usize>, Failure> {
        let Some(block) = self.core.region(0)?.first_block() else { return Ok(None) };
        let Some(chain) = Chain::of(block.argument(operand)?.into(), own.layout.clone()) else {
            return Ok(None);
        };
        let Some(end) = block.terminator() else { return Ok(None) };
        let mut numbers = vec![];
        let mut parts = vec![];
        for write in writes {
            let (Some(number), Some(to)) = (self.result_of(*write), self.place(write.view())) else {
                return Ok(None);
            };
            let is_part =
                chain.place(end.operand(number)?).is_some_and(|from| from.same_elements(&to.layout));
            if !is_part {
                return Ok(None);
            }
            numbers.push(number);
            parts.push(to.layout);
        }
        let covered = |written: &Layout| parts.iter().any(|part| is_inside(written, part));
        if !chain.regions.iter().all(covered) {
            return Ok(None);
        }
        let last = chain.versions.last().copied().ok_or(internal!("a chain has no end"))?;
        Ok(Some(self.return_whole(block, read, writes, &numbers, last)?))
    }

    /// Makes the core return one value in place of some, and the boundary write it back in place of them.
    fn return_whole(
        &mut self,
        block: BlockRef<'c, 'a>,
        read: graph::ValueOp<'c, 'a>,
        writes: &[graph::WriteBackOp<'c, 'a>],
        dropped: &[usize],
        whole: Value<'c, 'a>,
    ) -> Result<usize, Failure> {
        let context = context::of(self.core.context());
        let end = block.terminator().ok_or(internal!("a core has no end"))?;
        let kept: Vec<usize> = (0..end.operand_count()).filter(|i| !dropped.contains(i)).collect();
        let mut returned = kept.iter().map(|i| end.operand(*i)).collect::<Result<Vec<Value>, _>>()?;
        returned.push(whole);
        let new_end = OperationBuilder::new("func.return", end.location()).add_operands(&returned).build()?;
        erase(end);
        block.append_operation(new_end);
        let inputs: Vec<Type> =
            terrace_dialects::ir::operations::arguments(block).map(|value| value.r#type()).collect();
        let results: Vec<Type> = returned.iter().map(|value| value.r#type()).collect();
        let signature = TypeAttribute::new(FunctionType::new(context, &inputs, &results).into());
        // SAFETY: the function lives, and is looked at nowhere else.
        set_attribute(self.core, "function_type", signature.into());
        // Results have new numbers, those that earlier arguments were given to as well.
        let mut donated = std::mem::take(&mut self.donated);
        for result in donated.values_mut() {
            let new = kept.iter().position(|number| number == result);
            *result = new.ok_or(internal!("what is written back to one argument lies in another"))?;
        }

        let boundary = self.call.block().ok_or(internal!("a call is in no block"))?;
        let operands: Vec<Value> = self.call.operands().collect();
        let callee: Attribute = self.call.attribute("callee")?;
        let call = OperationBuilder::new("func.call", self.call.location())
            .add_operands(&operands)
            .add_attributes(&[(Identifier::new(context, "callee"), callee)])
            .add_results(&results)
            .build()?;
        let call = boundary.insert_operation_before(self.call, call);
        for (new, old) in kept.iter().enumerate() {
            let (old, new): (Value, Value) = (self.call.result_at(*old)?.into(), call.result_at(new)?.into());
            replace_uses(old, new);
        }
        let number = results.len() - 1;
        let first = writes.first().ok_or(internal!("nothing is written back"))?.operation();
        let value = call.result_at(number)?.into();
        boundary
            .insert_operation_before(first, graph::write_back(first.location(), &[], value, read.view())?);
        for write in writes {
            erase(write.operation());
        }
        erase(self.call);
        *self = Self { donated, ..Self::of(self.core, call).ok_or(internal!("is no boundary any more"))? };
        Ok(number)
    }
}

/// The argument of a boundary whose storage a tensor lies in.
fn root(value: Value) -> Option<usize> {
    match definition(value) {
        Some(op) if registry::of(op).is_some_and(|class| class.view) => root(op.operand(0).ok()?),
        Some(_) => None,
        None => Some(operations::argument(value)?.argument_number()),
    }
}

/// By argument of a boundary, whether no other one may lie in its storage: it is the only tensor, or all
/// tensors have names of storages, and it alone has its.
fn alone_in_storage<'c, 'a>(function: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>) -> Vec<bool> {
    let storage = |number| arguments::declared(function, number).ok().and_then(|declared| declared.storage);
    let tensors = operations::arguments(block).map(|value| is_graph_tensor(value.r#type()));
    let storages: Vec<(bool, Option<String>)> =
        tensors.enumerate().map(|(number, is_tensor)| (is_tensor, storage(number))).collect();
    let mut counts: HashMap<Option<&str>, usize> = HashMap::new();
    for (_, name) in storages.iter().filter(|(is_tensor, _)| *is_tensor) {
        *counts.entry(name.as_deref()).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    let is_alone = |(is_tensor, name): &(bool, Option<String>)| {
        let name = name.as_deref();
        *is_tensor && (all == 1 || name.is_some() && counts[&name] == 1 && !counts.contains_key(&None))
    };
    storages.iter().map(is_alone).collect()
}

/// The values of an argument's memory: the argument, and what scatters made of it, each of the one before.
struct Chain<'c, 'a> {
    versions: Vec<Value<'c, 'a>>,
    /// What each scatter wrote.
    regions: Vec<Layout>,
    sources: Vec<Value<'c, 'a>>,
    own: Layout,
}

impl<'c: 'a, 'a> Chain<'c, 'a> {
    /// The chain from an argument whose elements lie at `own`; None where there is none, or one of more than
    /// one end.
    fn of(argument: Value<'c, 'a>, own: Layout) -> Option<Self> {
        let mut chain = Self { versions: vec![argument], regions: vec![], sources: vec![], own };
        loop {
            let last = *chain.versions.last()?;
            let mut scatters =
                users(last).filter(|op| is_scatter(*op) && op.operand(0).is_ok_and(|own| own == last));
            let Some(scatter) = scatters.next() else { break };
            if scatters.next().is_some() || scatter.block() != home(argument) {
                return None;
            }
            // Flat memory is written as it is; a reshape around a write hides it from the lowering.
            if name_of(scatter) == "functional.as_strided_scatter" && chain.own.rank() != 1 {
                return None;
            }
            chain.regions.push(regions::written_of(scatter, &chain.own)?);
            chain.sources.push(scatter.operand(1).ok()?);
            chain.versions.push(scatter.result_at(0).ok()?.into());
        }
        (chain.versions.len() > 1).then_some(chain)
    }

    /// Where the elements of a value lie in the last version.
    fn place(&self, value: Value<'c, 'a>) -> Option<Layout> {
        let kept =
            |layout: &Layout, from: usize| !self.regions[from..].iter().any(|later| overlap(later, layout));
        let source = self.sources.iter().rposition(|source| *source == value);
        if let Some(number) = source {
            return Some(self.regions[number].clone()).filter(|layout| kept(layout, number + 1));
        }
        self.placed(value).filter(|(layout, from)| kept(layout, *from)).map(|(layout, _)| layout)
    }

    /// Where a view of a version, or of what a scatter wrote, lies, and the scatters that come later.
    fn placed(&self, value: Value<'c, 'a>) -> Option<(Layout, usize)> {
        if let Some(number) = self.versions.iter().position(|version| *version == value) {
            return Some((self.own.clone(), number));
        }
        if let Some(number) = self.sources.iter().rposition(|source| *source == value) {
            return Some((self.regions[number].clone(), number + 1));
        }
        let view = definition(value).filter(|op| copy_of(*op).is_some())?;
        let (layout, from) = self.placed(view.operand(0).ok()?)?;
        Some((regions::viewed(view, &layout)?, from))
    }
}

/// Whether every element of a layout is one of another's.
fn is_inside(part: &Layout, whole: &Layout) -> bool {
    let (part, whole) = (plain(part), plain(whole));
    part == whole || recognize(&whole, &part).is_some()
}

/// The same places in the order of memory: dimensions by descending strides, none of size 1.
fn plain(layout: &Layout) -> Layout {
    let mut order: Vec<usize> = (0..layout.rank()).filter(|d| layout.sizes[*d] != 1).collect();
    order.sort_by_key(|d| std::cmp::Reverse(layout.strides[*d]));
    layout.permute(&order)
}

/// Removes views that nobody uses.
fn sweep(function: OperationRef) {
    let is_view = |op: OperationRef| {
        copy_of(op).is_some() || registry::of(op).is_some_and(|class| class.dialect == "graph" && class.view)
    };
    for op in collect(function, is_view).into_iter().rev() {
        if op.results().all(|result| users(result.into()).next().is_none()) {
            erase(op);
        }
    }
}
