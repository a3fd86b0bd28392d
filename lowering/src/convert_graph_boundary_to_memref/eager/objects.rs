//! Which tensors the results of a function are that runs as it is written.
//!
//! A result is an argument where it is that value, or an earlier result: the function says so. Where control flow, or a callee, decides, it
//! is told when the function runs ([`super::which`]).

use super::{Function, address, result_attribute, uncast};
use crate::convert_graph_boundary_to_memref::{
    rewrite::{dictionaries, drop_graph_attributes},
    told::{self, TOLD},
    words::Services,
};
use melior::{
    Context,
    ir::{
        Attribute, BlockRef, Identifier, OperationRef, RegionLike, Value, ValueLike,
        attribute::{StringAttribute, TypeAttribute},
        operation::{OperationMutLike, OperationRefMut},
    },
};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, V},
    flow,
    ir::{BlockLike, OperationLike},
    operations::{arguments, definition, name_of},
    pass::Failure,
    types::TensorType,
};

/// What is known of other functions, and of calls.
pub(super) struct Known<'b, 'c, 'a> {
    pub named: &'b HashMap<String, OperationRef<'c, 'a>>,
    /// Functions of which nothing is known yet, and those among them whose callers ask already.
    pub left: &'b HashSet<usize>,
    pub asked: &'b mut HashSet<usize>,
    /// What calls have given, by the values that have eager's strides for it.
    pub same: HashMap<usize, V<'c, 'a>>,
}

/// Which tensors the results of a function are.
pub(super) struct Objects<'b, 'c, 'a> {
    context: &'c Context,
    pub(super) function: &'b Function<'c, 'a>,
    pub(super) block: BlockRef<'c, 'a>,
    pub(super) known: Known<'b, 'c, 'a>,
    pub(super) services: &'b mut Services,
    /// The numbers of tensors, by their values.
    pub(super) numbers: HashMap<usize, V<'c, 'a>>,
}

/// The tensors that a value may be, each once: arguments, and what operations have made. None where it may be any.
type Candidates<'c, 'a> = Option<Vec<V<'c, 'a>>>;

/// What a call gives.
pub(super) enum Given<'c, 'a> {
    /// What no operand is, and no other result.
    New,
    Same(V<'c, 'a>),
    /// What the callee tells.
    Told,
}

impl<'b, 'c: 'a, 'a> Objects<'b, 'c, 'a> {
    /// Of a function whose body is lowered.
    pub fn new(
        function: &'b Function<'c, 'a>,
        known: Known<'b, 'c, 'a>,
        services: &'b mut Services,
    ) -> Result<Self, Failure> {
        let context = terrace_dialects::context::of(function.op.context());
        let block = function.op.region(0)?.first_block().ok_or("has no body")?;
        Ok(Self { context, function, block, known, services, numbers: HashMap::new() })
    }

    /// Says it, and that the function is lowered.
    pub fn say(mut self) -> Result<(), Failure> {
        let function = self.function;
        let end = self.block.terminator().ok_or("has no end")?;
        let returned: Vec<V> = match self.block.next_in_region() {
            None => end.operands().collect(),
            Some(_) => vec![],
        };
        let mut candidates = vec![None; function.results.len()];
        // What is compiled when it is called says itself which of its tensors it gives.
        if function.source.is_none() {
            for (own, value) in candidates.iter_mut().zip(&returned) {
                *own = self.candidates(*value);
            }
        }
        let tells = self.known.asked.contains(&address(function.op))
            || (0..candidates.len()).any(|i| self.is_open(i, &candidates));
        if tells && function.source.is_none() {
            if self.block.next_in_region().is_some() {
                return Err("has control flow that is no structure of scf: run graph-structure first".into());
            }
            self.tell(end, &returned)?;
        }
        let mut facts = vec![];
        for (i, ty) in function.results.iter().enumerate() {
            let mut fact: Vec<(Identifier, Attribute)> = vec![];
            let named = |name: &str| Identifier::new(self.context, name);
            if let Some(tensor) = tensor(*ty) {
                let dtype = TypeAttribute::new(tensor.dtype.to_type(self.context)).into();
                fact.push((named("graph.dtype"), dtype));
                if let Some(same) = self.same(i, &candidates) {
                    fact.push((named("graph.same_as"), StringAttribute::new(self.context, &same).into()));
                }
                fact.extend(tells.then(|| told::fact(self.context)));
            }
            for flag in ["graph.conj", "graph.neg", "graph.told_flags"] {
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

    /// Tells which tensors are returned, behind everything else.
    fn tell(&mut self, end: OperationRef<'c, 'a>, returned: &[V<'c, 'a>]) -> Result<(), Failure> {
        let mut numbers = vec![];
        for (i, value) in returned.iter().enumerate() {
            if tensor(self.function.results[i]).is_some() {
                numbers.push((i, self.number(*value)?));
            }
        }
        let at = Cursor::before(end)?;
        numbers.into_iter().try_for_each(|(i, number)| told::tell(&at, self.services, i, number))
    }

    /// The one tensor that a result is, by its name.
    fn same(&self, i: usize, candidates: &[Candidates<'c, 'a>]) -> Option<String> {
        let [own] = candidates[i].as_deref()? else { return None };
        if let Some(argument) = self.argument(*own) {
            return Some(format!("arg{argument}"));
        }
        let same = |other: &Candidates<'c, 'a>| other.as_deref() == Some(&[*own]);
        candidates[..i].iter().position(same).map(|k| format!("result{k}"))
    }

    /// Whether a result may be one of several tensors, of which others know one too.
    fn is_open(&self, i: usize, candidates: &[Candidates<'c, 'a>]) -> bool {
        let results = &self.function.results;
        let Some(ty) = tensor(results[i]) else { return false };
        let fits = |other| tensor(other).is_some_and(|o| o.dtype == ty.dtype && o.rank() == ty.rank());
        let others = (0..candidates.len()).filter(|k| *k != i && fits(results[*k]));
        match &candidates[i] {
            None => self.function.inputs.iter().any(|input| fits(*input)) || others.count() > 0,
            Some(own) if own.len() == 1 => false,
            Some(own) => {
                let meets = |other: &Candidates<'c, 'a>| {
                    other.as_ref().is_none_or(|other| own.iter().any(|value| other.contains(value)))
                };
                own.iter().any(|value| self.argument(*value).is_some())
                    || others.into_iter().any(|k| meets(&candidates[k]))
            }
        }
    }

    /// What a value is, by whatever strides and type it goes.
    pub(super) fn origin(&self, value: V<'c, 'a>) -> V<'c, 'a> {
        let mut value = uncast(value);
        while let Some(given) = self.known.same.get(&(value.to_raw().ptr as usize)) {
            value = uncast(*given);
        }
        value
    }

    /// The argument that a value is.
    pub(super) fn argument(&self, value: V<'c, 'a>) -> Option<usize> {
        let origin = self.origin(value);
        arguments(self.block).position(|argument| argument == origin)
    }

    fn candidates(&mut self, value: V<'c, 'a>) -> Candidates<'c, 'a> {
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
                    sources => open.extend(sources),
                },
            }
        }
        Some(found)
    }

    /// The values that one is, by ways of control flow; none where an operation has made it, None where that is not known.
    fn sources(&mut self, value: V<'c, 'a>) -> Candidates<'c, 'a> {
        let handed = flow::chosen_of(value);
        if !handed.is_empty() {
            return handed.into_iter().map(|(op, operand)| op.operand(operand).ok()).collect();
        }
        let op = definition(value)?;
        Some(match name_of(op) {
            "func.call" => {
                let number = op.results().position(|result| Value::from(result) == value)?;
                match self.given(op, number)? {
                    Given::New => vec![],
                    Given::Same(value) => vec![value],
                    Given::Told => return None,
                }
            }
            "scf.execute_region" => return None,
            _ => vec![],
        })
    }

    /// What a result of a call is; None where the callee is not known.
    pub(super) fn given(&mut self, op: OperationRef<'c, 'a>, number: usize) -> Option<Given<'c, 'a>> {
        let callee = *self.known.named.get(&convert::symbol(op.attribute("callee").ok()?))?;
        if self.known.left.contains(&address(callee)) {
            self.known.asked.insert(address(callee));
            return Some(Given::Told);
        }
        if let Some(same) = result_attribute(callee, number, "graph.same_as") {
            let name = convert::string(same);
            return Some(Given::Same(match name.strip_prefix("arg") {
                Some(number) => op.operand(number.parse().ok()?).ok()?,
                None => op.result_at(name.strip_prefix("result")?.parse().ok()?).ok()?.into(),
            }));
        }
        Some(if result_attribute(callee, number, TOLD).is_some() { Given::Told } else { Given::New })
    }
}

fn tensor(ty: melior::ir::Type) -> Option<TensorType> {
    TensorType::<i64>::of(ty).filter(|tensor| tensor.graph)
}
