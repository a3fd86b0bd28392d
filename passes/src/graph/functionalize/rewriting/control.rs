//! Control flow of `scf` on storages becomes control flow on their values.
//!
//! A storage that is written inside is one more result, and goes round a loop. So does what stands for a new
//! storage that a tensor comes out with, and the selector that says which of several tensors come out. Graph
//! tensors themselves are gone: what they name is known, but for the selector.

use super::{
    place::Place,
    rewriter::Rewriter,
    selecting::{self, selected, selector_type},
    values::Values,
};
use crate::{
    functional::writer::Written,
    graph::functionalize::analysis::{
        flow::single,
        joins::{Branch, Flow, Merge},
        state::Analysis,
        tensors::Origin,
        transform::ElementTransform,
    },
};
use melior::ir::{
    Attribute, BlockRef, Identifier, OperationRef, Region, RegionLike, Type, Value, ValueLike,
    operation::OperationBuilder,
};
use std::collections::BTreeSet;
use terrace_dialects::{
    internal,
    ir::{BlockLike, OperationLike, pass::Failure, rewrite::take_body, types::is_graph_tensor},
};

/// What comes along with the values of an operation of control flow in place of its tensors.
struct Along<'m> {
    merge: &'m Merge,
    /// Storages from outside that are written inside.
    written: Vec<usize>,
    /// The storages of the slots.
    slots: Vec<usize>,
}

fn others<'c, 'a>(values: impl IntoIterator<Item = Value<'c, 'a>>) -> Vec<Value<'c, 'a>> {
    values.into_iter().filter(|value| !is_graph_tensor(value.r#type())).collect()
}

impl<'c, 'a> Values<'c, 'a> {
    /// The value of a selector where operations go.
    pub(crate) fn selector(&self, analysis: &Analysis<'c, 'a>, selector: usize) -> Written<'c, 'a> {
        if let Some(condition) = analysis.selectors[selector].condition {
            return Ok(self.current(condition));
        }
        Ok(*self.selectors.get(&selector).ok_or(internal!("what selects a tensor has no value"))?)
    }

    /// Of the values for each combination of the states of some selectors the one that holds.
    pub(crate) fn choose_by(
        &self,
        analysis: &Analysis<'c, 'a>,
        by: &[usize],
        values: &[Value<'c, 'a>],
    ) -> Written<'c, 'a> {
        if by.is_empty() || values.iter().all(|value| *value == values[0]) {
            return Ok(*values.first().ok_or(internal!("there is nothing to choose from"))?);
        }
        let mut selectors = vec![];
        for selector in by {
            selectors.push((self.selector(analysis, *selector)?, analysis.selectors[*selector].states));
        }
        let at = Place { put: &|op| self.insert(Ok(op)), location: self.location() };
        selected(at, &selectors, values)
    }
}

impl<'m> Along<'m> {
    fn types<'c>(&self, values: &Values<'c, '_>, analysis: &Analysis<'c, '_>) -> Vec<Type<'c>> {
        let selector = self.selector(analysis).map(|_| selector_type(values.location(), self.merge.count()));
        selector.into_iter().chain(self.storages().map(|storage| values.type_of(storage))).collect()
    }

    fn storages(&self) -> impl Iterator<Item = usize> {
        self.written.iter().chain(&self.slots).copied()
    }

    /// The selector, where that is not a truth value that there is anyway.
    fn selector(&self, analysis: &Analysis) -> Option<usize> {
        self.merge.selector.filter(|selector| analysis.selectors[*selector].condition.is_none())
    }
}

impl<'c, 'a> Rewriter<'_, 'c, 'a> {
    /// Rewrites an operation of control flow with all that is inside.
    pub(crate) fn flow(&mut self, op: OperationRef<'c, 'a>, flow: &Flow) -> Result<(), Failure> {
        self.values.before = op;
        let name = op.name();
        match name.as_string_ref().as_str().unwrap_or_default() {
            "scf.for" => self.counted(op, flow),
            "scf.while" => self.repeated(op, flow),
            _ => self.branches(op, flow),
        }
    }

    fn along<'m>(&self, flow: &Flow, merge: &'m Merge) -> Along<'m> {
        let mut written = BTreeSet::new();
        for access in self.analysis.accesses[flow.accesses.clone()].iter().filter(|access| access.writes) {
            let outside = match access.origin {
                Origin::Argument(_) => true,
                Origin::Fresh(number) => number < flow.since.fresh,
                Origin::DynamicView(_) => false,
            };
            if outside {
                written.insert(self.storages.of(access.origin));
            }
        }
        let slots = merge.slots.iter().map(|slot| self.storages.of(Origin::Fresh(*slot))).collect();
        Along { merge, written: written.into_iter().collect(), slots }
    }

    /// What a way brings along, where operations go: the selector, what was written, what fills slots.
    fn brought(&mut self, along: &Along, branch: &Branch) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let mut filled = vec![];
        for (slot, storage) in along.merge.slots.iter().zip(&along.slots) {
            let mut by_combination = vec![];
            for fills in &branch.fills {
                let fill = fills.iter().find(|(own, _)| own == slot);
                by_combination.push(fill.map(|(_, number)| self.filling(*storage, *number)).transpose()?);
            }
            let some = by_combination.iter().flatten().next().copied();
            let other = match some {
                Some(value) => value,
                None => self.values.unseen(*storage)?,
            };
            let ty = self.values.type_of(*storage);
            let by_combination = by_combination.into_iter().map(|value| value.unwrap_or(other));
            let by_combination =
                by_combination.map(|value| self.values.cast_to(value, ty)).collect::<Result<Vec<_>, _>>()?;
            filled.push(self.values.choose_by(self.analysis, &branch.by, &by_combination)?);
        }
        let (values, mut out) = (&self.values, vec![]);
        if along.selector(self.analysis).is_some() {
            let count = along.merge.count();
            let states: Vec<_> = (0..count).collect();
            out.push(match branch.by[..] {
                [own] if branch.states == states && self.analysis.selectors[own].states == count => {
                    values.selector(self.analysis, own)?
                }
                _ => {
                    let mut all: Vec<Option<Value>> = vec![None; count];
                    let mut by_combination = vec![];
                    for state in &branch.states {
                        if all[*state].is_none() {
                            let at = Place { put: &|op| values.insert(Ok(op)), location: values.location() };
                            all[*state] = Some(selecting::state(at, count, *state)?);
                        }
                        by_combination.extend(all[*state]);
                    }
                    values.choose_by(self.analysis, &branch.by, &by_combination)?
                }
            });
        }
        for storage in &along.written {
            out.push(values.whole(*storage)?);
        }
        out.extend(filled);
        Ok(out)
    }

    /// What a new storage has as the value of a slot that it fills.
    fn filling(&mut self, slot: usize, number: usize) -> Written<'c, 'a> {
        let (storage, own) = (self.storages.of(Origin::Fresh(number)), &self.analysis.fresh[number]);
        let alike = self.values.dtype(storage) == self.values.dtype(slot)
            && self.values.base(storage).assume_same(self.values.base(slot));
        if alike {
            return self.values.whole(storage);
        }
        let value =
            self.values.read_transformed(storage, &own.layout, ElementTransform::stored(own.dtype))?;
        self.values.filled(slot, &own.layout, own.dtype, value)
    }

    /// Takes in what came along.
    fn take(&mut self, along: &Along, came: &[Value<'c, 'a>]) -> Result<(), Failure> {
        let mut came = came.iter();
        if let (Some(selector), true) = (along.merge.selector, along.selector(self.analysis).is_some())
            && let Some(value) = came.next()
        {
            self.values.selectors.insert(selector, *value);
        }
        for (storage, value) in along.storages().zip(came) {
            self.values.set(storage, *value)?;
        }
        Ok(())
    }

    /// Adds arguments for what comes along to a block, whose tensors go; the new ones.
    fn arguments(&mut self, block: BlockRef<'c, 'a>, along: &Along) -> Vec<Value<'c, 'a>> {
        let tensors = terrace_dialects::ir::operations::arguments(block)
            .enumerate()
            .filter(|(_, value)| is_graph_tensor(value.r#type()));
        self.gone.push((block, tensors.map(|(at, _)| at).collect()));
        let types = along.types(&self.values, self.analysis);
        let location = self.values.location();
        types.into_iter().map(|ty| block.add_argument(ty, location)).collect()
    }

    /// Ends a block with the values that are no tensors and what comes along.
    fn end(&mut self, end: OperationRef<'c, 'a>, along: &Along, branch: &Branch) -> Result<(), Failure> {
        self.values.before = end;
        let mut operands = others(end.operands());
        operands.extend(self.brought(along, branch)?);
        let name = end.name();
        let name = name.as_string_ref().as_str().unwrap_or_default();
        self.values
            .insert(Ok(OperationBuilder::new(name, end.location()).add_operands(&operands).build()?))?;
        self.lowered.push(end);
        Ok(())
    }

    /// Puts an operation of other operands and results in the place of one, whose regions it takes.
    fn replace(
        &mut self,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
        along: &Along,
    ) -> Result<(), Failure> {
        self.values.before = op;
        let old = others(op.results().map(Value::from));
        let types: Vec<Type> =
            old.iter().map(|v| v.r#type()).chain(along.types(&self.values, self.analysis)).collect();
        let attributes: Vec<(Identifier, Attribute)> = op.attributes().collect();
        let name = op.name();
        let new = OperationBuilder::new(name.as_string_ref().as_str().unwrap_or_default(), op.location())
            .add_operands(operands)
            .add_attributes(&attributes)
            .add_regions_vec((0..op.region_count()).map(|_| Region::new()).collect())
            .add_results(&types)
            .build()?;
        let new = self.values.insert(Ok(new))?;
        for region in 0..op.region_count() {
            take_body(&new.region(region)?, &op.region(region)?);
        }
        let results: Vec<Value> = new.results().map(Value::from).collect();
        for (old, new) in old.iter().zip(&results) {
            self.values.replace(*old, *new);
        }
        self.take(along, &results[old.len()..])?;
        self.lowered.push(op);
        Ok(())
    }

    fn branches(&mut self, op: OperationRef<'c, 'a>, flow: &Flow) -> Result<(), Failure> {
        let along = self.along(flow, &flow.merges[0]);
        for (region, branch) in flow.branches.iter().enumerate() {
            let Some(block) = single(op, region) else {
                // Nothing was written on this way.
                let block = op.region(region)?.append_block(melior::ir::Block::new(&[]));
                let end = block.append_operation(OperationBuilder::new("scf.yield", op.location()).build()?);
                self.end(end, &along, branch)?;
                continue;
            };
            self.values.enter();
            let end = self.block(block)?.ok_or(internal!("has a body without end"))?;
            self.end(end, &along, branch)?;
            self.values.leave();
        }
        self.replace(op, &op.operands().collect::<Vec<_>>(), &along)
    }

    /// Rewrites the block of a loop: what comes along with its arguments, and what its end brings along.
    fn round(
        &mut self,
        block: BlockRef<'c, 'a>,
        comes: &Along,
        brings: &Along,
        branch: &Branch,
    ) -> Result<(), Failure> {
        self.values.enter();
        let arguments = self.arguments(block, comes);
        self.take(comes, &arguments)?;
        let end = self.block(block)?.ok_or(internal!("has a body without end"))?;
        self.end(end, brings, branch)?;
        self.values.leave();
        Ok(())
    }

    fn counted(&mut self, op: OperationRef<'c, 'a>, flow: &Flow) -> Result<(), Failure> {
        let along = self.along(flow, &flow.merges[0]);
        let [into, back] = &flow.branches[..] else { return Err("a loop has two ways".into()) };
        let mut operands = others(op.operands());
        operands.extend(self.brought(&along, into)?);
        self.round(single(op, 0).ok_or(internal!("has no body"))?, &along, &along, back)?;
        self.replace(op, &operands, &along)
    }

    fn repeated(&mut self, op: OperationRef<'c, 'a>, flow: &Flow) -> Result<(), Failure> {
        let (at_start, on) = (self.along(flow, &flow.merges[0]), self.along(flow, &flow.merges[1]));
        let [into, back, out] = &flow.branches[..] else { return Err("scf.while has three ways".into()) };
        let mut operands = others(op.operands());
        operands.extend(self.brought(&at_start, into)?);
        let (before, after) = single(op, 0).zip(single(op, 1)).ok_or(internal!("has no body"))?;
        self.round(before, &at_start, &on, out)?;
        self.round(after, &on, &at_start, back)?;
        self.replace(op, &operands, &on)
    }
}
