//! Which tensors the results of a function are that runs as it is written.
//!
//! A result is an argument where it is that value, or an earlier result. Where a way of control flow decides, it is the first
//! of those that lie where it does: nothing else could tell tensors apart that lie alike.

use super::{Function, result_attribute, uncast};
use crate::convert_graph_boundary_to_memref::rewrite::{dictionaries, drop_graph_attributes};
use melior::{
    Context,
    ir::{
        Attribute, BlockLike, Identifier, OperationRef, RegionLike, Value, ValueLike,
        attribute::{ArrayAttribute, StringAttribute, TypeAttribute},
        block::BlockArgument,
        operation::{OperationLike, OperationMutLike, OperationRefMut},
    },
};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    arguments::EAGER,
    attributes as convert,
    cursor::V,
    operations::{arguments, definition, home, name_of},
    pass::Failure,
    types::TensorType,
};

/// Which tensors the results of a function are.
pub(super) struct Objects<'b, 'c, 'a> {
    pub context: &'c Context,
    pub function: &'b Function<'c, 'a>,
    pub named: &'b HashMap<String, OperationRef<'c, 'a>>,
    /// Functions of which nothing is known yet.
    pub left: &'b [OperationRef<'c, 'a>],
}

/// The arguments that a tensor may be, each once; None where it may be any.
type Candidates = Option<Vec<usize>>;

impl<'c: 'a, 'a> Objects<'_, 'c, 'a> {
    /// Says it, and that the function is lowered.
    pub fn say(&self) -> Result<(), Failure> {
        let function = self.function;
        let block = function.op.region(0)?.first_block().ok_or("has no body")?;
        let text = |name: &String| Attribute::from(StringAttribute::new(self.context, name));
        let named = |name: &str| Identifier::new(self.context, name);
        let returned: Option<Vec<V>> = match block.next_in_region() {
            None => block.terminator().map(|end| end.operands().collect()),
            Some(_) => None,
        };
        let mut facts = vec![];
        for (i, ty) in function.results.iter().enumerate() {
            let mut fact: Vec<(Identifier, Attribute)> = vec![];
            if let Some(tensor) = TensorType::<i64>::of(*ty).filter(|tensor| tensor.graph) {
                fact.push((
                    named("graph.dtype"),
                    TypeAttribute::new(tensor.dtype.to_type(self.context)).into(),
                ));
                let before =
                    returned.as_ref().and_then(|all| all[..i].iter().position(|other| *other == all[i]));
                let argument = returned.as_ref().and_then(|all| self.argument(all[i]));
                let candidates = returned.as_ref().and_then(|all| self.candidates(all[i]));
                let alike = |k: &usize| function.inputs[*k] == *ty;
                let candidates =
                    candidates.unwrap_or_else(|| (0..function.inputs.len()).filter(alike).collect());
                let earlier = (0..i).filter(|k| function.results[*k] == *ty && self.may_be(&returned, *k, i));
                let all: Vec<String> = candidates
                    .iter()
                    .map(|k| format!("arg{k}"))
                    .chain(earlier.map(|k| format!("result{k}")))
                    .collect();
                match argument.map(|k| format!("arg{k}")).or(before.map(|j| format!("result{j}"))) {
                    Some(same) => fact.push((named("graph.same_as"), text(&same))),
                    None if !all.is_empty() => {
                        let all: Vec<Attribute> = all.iter().map(text).collect();
                        fact.push((
                            named("graph.same_as_one_of"),
                            ArrayAttribute::new(self.context, &all).into(),
                        ));
                    }
                    None => {}
                }
            }
            facts.push(fact);
        }
        // SAFETY: nobody holds on to the attributes that are replaced.
        let mut mutable = unsafe { OperationRefMut::from_raw(function.op.to_raw()) };
        if facts.iter().any(|fact| !fact.is_empty()) {
            mutable.set_attribute("res_attrs", dictionaries(self.context, &facts));
        }
        let _ = mutable.remove_attribute(EAGER);
        drop_graph_attributes(mutable, self.context);
        Ok(())
    }

    /// Whether two results may be one tensor that is no argument: of both a way of control flow decides.
    fn may_be(&self, returned: &Option<Vec<V<'c, 'a>>>, a: usize, b: usize) -> bool {
        let decided = |value: V<'c, 'a>| {
            definition(uncast(value)).is_none_or(|op| op.region_count() > 0 || name_of(op) == "func.call")
        };
        returned.as_ref().is_none_or(|all| decided(all[a]) && decided(all[b]))
    }

    /// The argument that a value is.
    fn argument(&self, value: V<'c, 'a>) -> Option<usize> {
        let block = self.function.op.region(0).ok()?.first_block()?;
        arguments(block).position(|argument| argument == uncast(value))
    }

    /// The arguments that a value may be.
    fn candidates(&self, value: V<'c, 'a>) -> Candidates {
        let (mut found, mut seen) = (vec![], HashSet::new());
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let value = uncast(value);
            if !seen.insert(value.to_raw().ptr as usize) {
                continue;
            }
            match self.argument(value) {
                Some(argument) => found.push(argument),
                None => open.extend(self.sources(value)?),
            }
        }
        found.sort_unstable();
        Some(found)
    }

    /// The values that one is, by ways of control flow; None where that is not known.
    fn sources(&self, value: V<'c, 'a>) -> Option<Vec<V<'c, 'a>>> {
        let end =
            |op: OperationRef<'c, 'a>, region: usize| op.region(region).ok()?.first_block()?.terminator();
        let of = |op: OperationRef<'c, 'a>, number: usize| op.operand(number).ok();
        if let Ok(argument) = BlockArgument::try_from(value) {
            let (block, number) = (home(value)?, argument.argument_number());
            let op = block.parent_operation()?;
            let first = op.region(0).ok()?.first_block()? == block;
            return Some(match name_of(op) {
                "scf.for" => vec![of(op, number + 2)?, of(end(op, 0)?, number - 1)?],
                "scf.while" if first => vec![of(op, number)?, of(end(op, 1)?, number)?],
                "scf.while" => vec![of(end(op, 0)?, number + 1)?],
                _ => return None,
            });
        }
        let op = definition(value)?;
        let number = op.results().position(|result| Value::from(result) == value)?;
        Some(match name_of(op) {
            "scf.if" | "scf.index_switch" => {
                (0..op.region_count()).map(|region| of(end(op, region)?, number)).collect::<Option<_>>()?
            }
            "scf.for" => vec![of(op, number + 3)?, of(end(op, 0)?, number)?],
            "scf.while" => vec![of(end(op, 0)?, number + 1)?],
            "arith.select" => vec![of(op, 1)?, of(op, 2)?],
            "func.call" => self.of_call(op, number)?,
            _ => return None,
        })
    }

    /// The operands of a call that a result of it may be.
    fn of_call(&self, op: OperationRef<'c, 'a>, number: usize) -> Option<Vec<V<'c, 'a>>> {
        let callee = *self.named.get(&convert::symbol(op.attribute("callee").ok()?))?;
        if self.left.contains(&callee) {
            return None;
        }
        let one = result_attribute(callee, number, "graph.same_as");
        let some = result_attribute(callee, number, "graph.same_as_one_of");
        let some = some.and_then(|all| ArrayAttribute::try_from(all).ok());
        let names = some.into_iter().flat_map(|all| (0..all.len()).filter_map(move |i| all.element(i).ok()));
        let named = |name: Attribute<'c>| {
            let name = convert::string(name);
            match name.strip_prefix("arg").and_then(|number| number.parse().ok()) {
                Some(number) => op.operand(number).ok(),
                None => Some(op.result(name.strip_prefix("result")?.parse().ok()?).ok()?.into()),
            }
        };
        one.into_iter().chain(names).map(named).collect()
    }
}
