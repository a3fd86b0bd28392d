//! Writes the forward and the backward part, and the function that calls both.

use super::joint::{Joint, Work};
use crate::functions::{self, Names};
use melior::ir::{
    Block, BlockRef, Location, Operation, OperationRef, Region, RegionLike, Type, Value, ValueLike,
    operation::OperationBuilder,
};
use std::collections::{HashMap, HashSet};
use terrace_dialects::ir::{
    BlockLike, OperationLike, annotations, attributes as convert,
    operations::{collect, key},
    pass::Failure,
    rewrite::{self, erase, remove_discardable, set_operand},
};

/// A part in the making: which value of the joint graph is which of its own.
struct Part<'j, 'c, 'a> {
    joint: &'j Joint<'c, 'a>,
    block: BlockRef<'c, 'a>,
    values: HashMap<usize, Value<'c, 'a>>,
}

/// Puts the two parts in front of the function, and calls of them into it.
pub fn write<'c, 'a>(joint: &Joint<'c, 'a>, saved: &[usize], names: &mut Names) -> Result<(), Failure> {
    let parent = joint.function.block().ok_or("stands in no module")?;
    let given = |tangent: bool| {
        (0..joint.arguments).filter(move |value| joint.values[*value].tangent == tangent).collect::<Vec<_>>()
    };
    let returned = |gradient: bool| -> Vec<usize> {
        joint.returned.iter().filter(|(_, own)| *own == gradient).map(|(value, _)| *value).collect()
    };
    let forward_results = [returned(false), saved.to_vec()].concat();
    let backward_arguments = [saved.to_vec(), given(true)].concat();
    let once = |node: usize| joint.nodes[node].work == Work::Never && !is_pure(joint, node);
    let forward = Outlined::of(joint, (names, "forward"), &given(false), &forward_results, |node| {
        once(node) && !joint.nodes[node].tangent
    })?;
    let backward = Outlined::of(joint, (names, "backward"), &backward_arguments, &returned(true), |node| {
        once(node) && joint.nodes[node].tangent
    })?;
    let [forward, backward] =
        [forward, backward].map(|made| (parent.insert_operation_before(joint.function, made.op), made.name));

    let block = joint.function.region(0)?.first_block().ok_or("has no body")?;
    let end = block.terminator().ok_or("has a body without end")?;
    let location = joint.function.location();
    let value = |number: &usize| joint.values[*number].value;
    let call = |name: &str,
                operands: &[Value<'c, 'a>],
                results: &[usize]|
     -> Result<OperationRef<'c, 'a>, Failure> {
        let types: Vec<Type> = results.iter().map(|number| value(number).r#type()).collect();
        Ok(block.insert_operation_before(end, functions::call(location, name, operands, &types)?))
    };
    let operands: Vec<Value> = given(false).iter().map(value).collect();
    let first = call(&forward.1, &operands, &forward_results)?;
    let kept = returned(false).len();
    let operands: Vec<Value> = (kept..forward_results.len())
        .map(|i| Ok(first.result_at(i)?.into()))
        .chain(given(true).iter().map(|number| Ok(value(number))))
        .collect::<Result<_, Failure>>()?;
    let second = call(&backward.1, &operands, &returned(true))?;
    let (mut forward_next, mut backward_next) = (0, 0);
    for (i, (_, gradient)) in joint.returned.iter().enumerate() {
        let (from, next) = if *gradient { (second, &mut backward_next) } else { (first, &mut forward_next) };
        let result: Value = from.result_at(*next)?.into();
        *next += 1;
        set_operand(end, i, result);
    }
    for node in joint.nodes.iter().rev() {
        erase(node.op);
    }
    Ok(())
}

/// Whether an operation may be left out where nobody needs it.
fn is_pure(joint: &Joint, node: usize) -> bool {
    terrace_dialects::ir::upstream::is_memory_effect_free(joint.nodes[node].op)
}

/// A function that was made, not yet in the module.
struct Outlined<'c> {
    op: Operation<'c>,
    name: String,
}

impl<'c> Outlined<'c> {
    /// A private function of some values that gives others, and runs some operations that nobody reads.
    fn of(
        joint: &Joint<'c, '_>,
        (names, suffix): (&mut Names, &str),
        arguments: &[usize],
        results: &[usize],
        runs: impl Fn(usize) -> bool,
    ) -> Result<Self, Failure> {
        let function = joint.function;
        let types =
            |values: &[usize]| values.iter().map(|v| joint.values[*v].value.r#type()).collect::<Vec<Type>>();
        let (inputs, outputs) = (types(arguments), types(results));
        let located: Vec<(Type, Location)> = inputs.iter().map(|ty| (*ty, function.location())).collect();
        let region = Region::new();
        let block = region.append_block(Block::new(&located));
        let mut part = Part { joint, block, values: HashMap::new() };
        for (i, value) in arguments.iter().enumerate() {
            part.values.insert(*value, block.argument(i)?.into());
        }
        for node in part.needed(results, runs) {
            part.copy(node)?;
        }
        let returned: Vec<Value> = results.iter().map(|value| part.values[value]).collect();
        block.append_operation(
            OperationBuilder::new("func.return", function.location()).add_operands(&returned).build()?,
        );
        let module = function.block().ok_or("stands in no module")?;
        let own = convert::string(function.attribute("sym_name")?);
        let name = names.fresh(module, format!("{own}.{suffix}"));
        let op = functions::private(function.location(), &name, &inputs, &outputs, region)?;
        Ok(Self { op, name })
    }
}

impl<'c, 'a> Part<'_, 'c, 'a> {
    /// The operations that make some values out of those that are there, and those that run anyway, in order.
    fn needed(&self, results: &[usize], runs: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut wanted: HashSet<usize> = results.iter().copied().collect();
        let mut found = vec![];
        for (number, node) in self.joint.nodes.iter().enumerate().rev() {
            let makes =
                node.makes.iter().any(|value| wanted.contains(value) && !self.values.contains_key(value));
            if makes || runs(number) {
                wanted.extend(&node.reads);
                found.push(number);
            }
        }
        found.reverse();
        found
    }

    /// Writes an operation once more, on the values of this part.
    fn copy(&mut self, number: usize) -> Result<(), Failure> {
        let node = &self.joint.nodes[number];
        let clone = rewrite::copy(node.op);
        let clone = self.block.append_operation(clone);
        let own: HashMap<usize, Value> =
            node.reads.iter().map(|read| (key(self.joint.values[*read].value), self.values[read])).collect();
        for op in collect(clone, |_| true) {
            for (i, operand) in op.operands().enumerate() {
                if let Some(value) = own.get(&key(operand)) {
                    set_operand(op, i, *value);
                }
            }
            remove_discardable(op, annotations::IN_PLACE);
        }
        for (made, result) in node.makes.iter().zip(clone.results()) {
            // What was saved is not made again, also where another result of the operation is.
            self.values.entry(*made).or_insert(result.into());
        }
        Ok(())
    }
}
