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
    pub left: &'b HashSet<usize>,
    /// What calls have given, by the values that have eager's strides for it.
    pub same: HashMap<usize, V<'c, 'a>>,
}

/// The tensors that a value may be, each once: arguments, and what operations have made. None where it may be any.
type Candidates<'c, 'a> = Option<Vec<V<'c, 'a>>>;

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
        let candidates: Vec<Candidates> = match returned {
            Some(values) => values.into_iter().map(|value| self.candidates(value)).collect(),
            None => vec![None; function.results.len()],
        };
        let mut facts = vec![];
        for (i, ty) in function.results.iter().enumerate() {
            let mut fact: Vec<(Identifier, Attribute)> = vec![];
            if let Some(tensor) = TensorType::<i64>::of(*ty).filter(|tensor| tensor.graph) {
                fact.push((
                    named("graph.dtype"),
                    TypeAttribute::new(tensor.dtype.to_type(self.context)).into(),
                ));
                match &self.names(i, &candidates)[..] {
                    [] => {}
                    [(same, true)] => fact.push((named("graph.same_as"), text(same))),
                    all => {
                        let all: Vec<Attribute> = all.iter().map(|(name, _)| text(name)).collect();
                        let all = ArrayAttribute::new(self.context, &all);
                        fact.push((named("graph.same_as_one_of"), all.into()));
                    }
                }
            }
            for flag in ["graph.conj", "graph.neg"] {
                fact.extend(result_attribute(function.op, i, flag).map(|set| (named(flag), set)));
            }
            facts.push(fact);
        }
        // SAFETY: nobody holds on to the attributes that are replaced.
        let mut mutable = unsafe { OperationRefMut::from_raw(function.op.to_raw()) };
        if facts.iter().any(|fact| !fact.is_empty()) {
            mutable.set_attribute("res_attrs", dictionaries(self.context, &facts));
        }
        drop_graph_attributes(mutable, self.context);
        Ok(())
    }

    /// The names of the tensors that a result may be, and whether it is that one for sure.
    fn names(&self, i: usize, candidates: &[Candidates<'c, 'a>]) -> Vec<(String, bool)> {
        let (function, own) = (self.function, &candidates[i]);
        let alone = own.as_ref().is_some_and(|own| own.len() == 1);
        let ty = function.results[i];
        let mut names = vec![];
        for (k, input) in function.inputs.iter().enumerate() {
            let is = |value: &V<'c, 'a>| self.argument(*value) == Some(k);
            if own.as_ref().map_or(*input == ty, |own| own.iter().any(is)) {
                names.push((format!("arg{k}"), alone));
            }
        }
        for k in (0..i).filter(|k| function.results[*k] == ty) {
            let Some((one, other)) = own.as_ref().zip(candidates[k].as_ref()) else {
                names.push((format!("result{k}"), false));
                continue;
            };
            if one.iter().any(|value| other.contains(value) && self.argument(*value).is_none()) {
                names.push((format!("result{k}"), alone && other.len() == 1));
            }
        }
        // For sure is the first of several names of one tensor, too.
        match names.iter().position(|(_, sure)| *sure) {
            Some(sure) => vec![names.swap_remove(sure)],
            None => names,
        }
    }

    /// What a value is, by whatever strides and type it goes.
    fn origin(&self, value: V<'c, 'a>) -> V<'c, 'a> {
        let mut value = uncast(value);
        while let Some(given) = self.same.get(&(value.to_raw().ptr as usize)) {
            value = uncast(*given);
        }
        value
    }

    /// The argument that a value is.
    fn argument(&self, value: V<'c, 'a>) -> Option<usize> {
        let block = self.function.op.region(0).ok()?.first_block()?;
        arguments(block).position(|argument| argument == self.origin(value))
    }

    fn candidates(&self, value: V<'c, 'a>) -> Candidates<'c, 'a> {
        let (mut found, mut seen) = (vec![], HashSet::new());
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let value = self.origin(value);
            if !seen.insert(value.to_raw().ptr as usize) {
                continue;
            }
            match self.argument(value) {
                Some(_) => found.push(value),
                None => match &self.sources(value)?[..] {
                    [] => found.push(value),
                    sources => {
                        // Itself is what is new.
                        found.extend(sources.contains(&value).then_some(value));
                        open.extend(sources);
                    }
                },
            }
        }
        Some(found)
    }

    /// The values that one is, by ways of control flow; none where an operation has made it, None where that is not known.
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
            "scf.execute_region" => return None,
            _ => vec![],
        })
    }

    /// The operands of a call that a result of it may be, and that result where it may be none of them.
    fn of_call(&self, op: OperationRef<'c, 'a>, number: usize) -> Option<Vec<V<'c, 'a>>> {
        let callee = *self.named.get(&convert::symbol(op.attribute("callee").ok()?))?;
        if self.left.contains(&super::address(callee)) {
            return None;
        }
        let one = result_attribute(callee, number, "graph.same_as");
        let some = result_attribute(callee, number, "graph.same_as_one_of");
        let names = some.map(convert::array).unwrap_or_default();
        let named = |name: Attribute<'c>| {
            let name = convert::string(name);
            match name.strip_prefix("arg").and_then(|number| number.parse().ok()) {
                Some(number) => op.operand(number).ok(),
                None => Some(op.result(name.strip_prefix("result")?.parse().ok()?).ok()?.into()),
            }
        };
        let new = (!names.is_empty()).then(|| op.result(number).ok().map(V::from));
        one.into_iter().chain(names).map(named).chain(new).collect()
    }
}
