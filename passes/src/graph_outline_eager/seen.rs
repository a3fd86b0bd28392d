//! How tensors see elements: whether each is a conjugate or a negative of what is stored, on all ways of control flow, on none, or on some.
//!
//! Contract: nothing is changed. Fake tensors say it as far as they get; beyond that each view has it of its operand, a call of what the callee
//! gives ([`calls`](super::calls)), and what ways or rounds hand on is joined until nothing changes.

use super::{
    calls::Calls,
    flags::{Flagged, is_conjugate_transform},
};
use crate::graph_resolve_views::Facts;
use melior::ir::{BlockRef, OperationRef, RegionLike, Type, Value, ValueLike};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    attributes as convert,
    cursor::V,
    custom,
    dtype::Dtype,
    flow::{chosen_of, is_poison},
    ir::{BlockLike, OperationLike},
    operations::{arguments, blocks, collect, name_of},
    registry::{self, OpImpl},
    types::{TensorType, is_graph_tensor},
    view,
};

/// How a tensor sees elements of its storage; a flag is None where ways of control flow decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub conj: Option<bool>,
    pub neg: Option<bool>,
}

impl From<Flagged> for Seen {
    fn from(flags: Flagged) -> Self {
        Self { conj: Some(flags.conj), neg: Some(flags.neg) }
    }
}

impl Seen {
    /// As it is stored.
    pub const STORED: Self = Self { conj: Some(false), neg: Some(false) };
    /// As ways decide, of a tensor of such a type: only complex numbers have conjugates, and truth values no negatives.
    pub fn by_way(ty: Type) -> Self {
        let Some(dtype) = TensorType::<i64>::of(ty).map(|ty| ty.dtype) else { return Self::STORED };
        let of = |may: bool| if may { None } else { Some(false) };
        Self { conj: of(dtype.is_complex()), neg: of(dtype != Dtype::Bool) }
    }

    /// The flags, the conjugate's first.
    pub fn flags(self) -> [Option<bool>; 2] {
        [self.conj, self.neg]
    }

    /// Whether ways decide.
    pub fn is_by_way(self) -> bool {
        self.flags().contains(&None)
    }

    /// Both flags, where ways that decide are taken to set them.
    pub fn at_most(self) -> Flagged {
        Flagged { conj: self.conj != Some(false), neg: self.neg != Some(false) }
    }

    /// As it is where it is one or the other.
    pub fn join(self, other: Self) -> Self {
        let of = |own: Option<bool>, other| if own == other { own } else { None };
        Self { conj: of(self.conj, other.conj), neg: of(self.neg, other.neg) }
    }
}

/// What may be its operand, or a view of it, by strides.
const BY_STRIDES: &[&str] =
    &["graph.contiguous", "graph.flatten.using_ints", "graph.ravel", "graph.reshape", "graph.reshape_as"];

/// What gives a copy that may lie in another memory format, or its operand.
const COPIES: &[&str] = &["graph.to", "graph.to.device", "graph.to.other", "graph.type_as"];

/// What gives its operand or views of it, and is no view by its class.
const VIEWED: &[&str] = &[
    "graph.dsplit.array",
    "graph.dsplit.int",
    "graph.hsplit.array",
    "graph.hsplit.int",
    "graph.lift_fresh",
    "graph.numpy_T",
    "graph.positive",
    "graph.tensor_split.indices",
    "graph.tensor_split.sections",
    "graph.unsafe_split",
    "graph.unsafe_split_with_sizes",
    "graph.vsplit.array",
    "graph.vsplit.int",
];

/// How the values of a function see elements.
pub(super) struct All<'d> {
    seen: HashMap<usize, Seen>,
    decided: &'d HashSet<usize>,
}

/// What is not worked out yet of a function.
pub(super) struct Draft<'d, 'c, 'a> {
    function: OperationRef<'c, 'a>,
    all: All<'d>,
    /// What ways or rounds hand on, by what it becomes.
    met: HashMap<usize, Vec<V<'c, 'a>>>,
    /// The operations that give, or take into their regions, what is not known by itself.
    left: Vec<(OperationRef<'c, 'a>, Vec<V<'c, 'a>>)>,
}

impl<'d, 'c, 'a> Draft<'d, 'c, 'a> {
    /// Of a function, in which strides decide what these operations give when it runs.
    pub fn of(function: OperationRef<'c, 'a>, decided: &'d HashSet<usize>, calls: &Calls) -> Self {
        let all = All { seen: HashMap::new(), decided };
        let mut own = Self { function, all, met: HashMap::new(), left: vec![] };
        let name = function.attribute("sym_name").map(convert::string).unwrap_or_default();
        for (block, entry) in
            blocks(function).into_iter().zip(std::iter::once(true).chain(std::iter::repeat(false)))
        {
            for (number, argument) in arguments(block).enumerate() {
                own.all.set(argument, if entry { calls.taken(&name, number) } else { Seen::STORED });
            }
        }
        let flagging = |op: OperationRef| {
            matches!(name_of(op), "graph._conj" | "graph._neg_view" | "graph.custom" | "func.call")
                || is_conjugate_transform(op)
        };
        let is_passed = own.all.seen.values().any(|seen| seen.is_by_way());
        if !is_passed && collect(function, flagging).is_empty() {
            return own;
        }
        let facts = Facts::of_eager(function);
        blocks(function).into_iter().for_each(|block| own.gather(block, &facts));
        own
    }

    /// Takes in the operations of a block: what comes into regions in front of these, and results behind them.
    fn gather(&mut self, block: BlockRef<'c, 'a>, facts: &Facts) {
        for op in std::iter::successors(block.first_operation(), |op| op.next_in_block()) {
            let inner = blocks(op);
            self.open(op, inner.iter().flat_map(|block| arguments(*block)), facts);
            inner.into_iter().for_each(|block| self.gather(block, facts));
            self.open(op, op.results().map(Value::from), facts);
        }
    }

    /// Takes in what fake tensors say of values, and what there is to work out of others.
    fn open(&mut self, op: OperationRef<'c, 'a>, values: impl Iterator<Item = V<'c, 'a>>, facts: &Facts) {
        let mut open = vec![];
        for value in values.filter(|value| is_graph_tensor(value.r#type())) {
            let ways = chosen_of(value).into_iter().filter_map(|(op, number)| op.operand(number).ok());
            let ways: Vec<V> = ways.filter(|way| !is_poison(*way)).collect();
            if !ways.is_empty() {
                self.met.insert(key(value), ways);
            } else if let Some((_, seen)) = facts.get(value) {
                self.all.set(value, Flagged { conj: seen.conj, neg: seen.neg }.into());
                continue;
            }
            open.push(value);
        }
        if !open.is_empty() {
            self.left.push((op, open));
        }
    }

    /// Works out what can be of what is known so far, of functions by their names too; whether that was something new.
    pub fn round(&mut self, given: &dyn Fn(&str) -> Option<Vec<Seen>>) -> bool {
        let mut changed = false;
        for (op, values) in &self.left {
            let all = &mut self.all;
            let known = |value: V| match is_graph_tensor(value.r#type()) {
                true => all.seen.get(&key(value)).copied(),
                false => Some(Seen::STORED),
            };
            let operands: Option<Vec<Seen>> = op.operands().map(known).collect();
            let made = match name_of(*op) {
                "func.call" => given(&op.attribute("callee").map(convert::symbol).unwrap_or_default()),
                _ => operands.map(|operands| all.made(*op, &operands)),
            };
            for value in values {
                let new = match self.met.get(&key(*value)) {
                    Some(ways) => ways.iter().filter_map(|way| known_of(all, *way)).reduce(Seen::join),
                    None => made.as_ref().map(|made| {
                        let number = op.results().position(|result| Value::from(result) == *value);
                        number.and_then(|number| made.get(number).copied()).unwrap_or(Seen::STORED)
                    }),
                };
                if let Some(new) = new {
                    changed |= all.seen.insert(key(*value), new) != Some(new);
                }
            }
        }
        changed
    }

    /// How it sees what it gives, as far as that is worked out.
    pub fn given(&self) -> Option<Vec<Seen>> {
        let end = self.function.region(0).ok()?.first_block()?.terminator()?;
        let given = end.operands().map(|value| match is_graph_tensor(value.r#type()) {
            true => self.all.seen.get(&key(value)).copied().or(self.left.is_empty().then_some(Seen::STORED)),
            false => Some(Seen::STORED),
        });
        given.collect()
    }

    /// What is known in the end.
    pub fn done(self) -> All<'d> {
        self.all
    }
}

fn known_of(all: &All, value: V) -> Option<Seen> {
    all.seen.get(&key(value)).copied()
}

impl All<'_> {
    /// How a value sees elements.
    pub fn get(&self, value: Value) -> Seen {
        self.seen.get(&key(value)).copied().unwrap_or(Seen::STORED)
    }

    /// Says it of a value.
    pub fn set(&mut self, value: Value, seen: Seen) {
        self.seen.insert(key(value), seen);
    }

    /// Whether strides decide what an operation gives.
    pub fn is_decided(&self, op: OperationRef) -> bool {
        self.decided.contains(&(op.to_raw().ptr as usize))
    }

    /// How an operation that is no call sees what it gives, of operands that are seen so.
    pub fn made(&self, op: OperationRef, operands: &[Seen]) -> Vec<Seen> {
        let stored = vec![Seen::STORED; op.result_count()];
        let Some(class) = registry::of(op).filter(|class| class.dialect == "graph") else { return stored };
        if class.name == "graph.meshgrid" {
            return operands.to_vec();
        }
        if class.name == "graph.custom" {
            let seen = |operand: &Option<usize>| operand.and_then(|operand| operands.get(operand)).copied();
            let viewed = custom::viewed(op);
            return (0..op.result_count())
                .map(|number| viewed.get(number).and_then(seen).unwrap_or(Seen::STORED))
                .collect();
        }
        let Some(own) = operands.first().copied() else { return stored };
        let ty = op.operand(0).ok().and_then(|own| TensorType::<i64>::of(own.r#type()));
        let is_complex = ty.is_some_and(|ty| ty.dtype.is_complex());
        let xor = |a: Option<bool>, b: Option<bool>| Some(a? != b?);
        // Of a copy where one flag is set the other is not set either.
        let unless = |set: Option<bool>, flag: Option<bool>| match set {
            Some(true) => Some(false),
            Some(false) => flag,
            None => flag.filter(|flag| !flag),
        };
        let made = match class.name {
            "graph._conj" | "graph.conj" | "graph.adjoint" | "graph.mH" | "graph.matrix_H" => {
                Seen { conj: xor(own.conj, Some(is_complex)), ..own }
            }
            "graph._neg_view" => Seen { neg: xor(own.neg, Some(true)), ..own },
            "graph.real" => Seen { conj: Some(false), ..own },
            "graph.imag" => Seen { conj: Some(false), neg: xor(own.neg, own.conj) },
            "graph.resolve_conj" => Seen { conj: Some(false), neg: unless(own.conj, own.neg) },
            "graph.resolve_neg" => Seen { conj: unless(own.neg, own.conj), neg: Some(false) },
            "graph.conj_physical" if !is_complex => own,
            _ if is_conjugate_transform(op) => Seen { conj: Some(true), neg: Some(false) },
            name if class.view
                || class.is_in_place()
                || VIEWED.contains(&name)
                || gives_itself(op, class) =>
            {
                own
            }
            // A copy is neither.
            _ if is_by_strides(op, class) => {
                let of = |flag: Option<bool>| flag.filter(|flag| !flag);
                Seen { conj: of(own.conj), neg: of(own.neg) }
            }
            _ if self.is_decided(op) => own,
            _ => Seen::STORED,
        };
        vec![made; op.result_count()]
    }
}

fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

/// Whether an operation copies nothing but to change the type: the type of its operand is the one that is asked for.
fn is_of_type(op: OperationRef, class: &OpImpl) -> bool {
    let copies = view::attribute(op, "copy").is_some_and(convert::bool);
    let own = op.operand(0).map(|own| own.r#type());
    COPIES.contains(&class.name)
        && !copies
        && own.is_ok_and(|own| op.result_at(0).is_ok_and(|new| new.r#type() == own))
}

/// Whether an operation asks for a memory format.
fn has_format(op: OperationRef) -> bool {
    view::attribute(op, "memory_format").is_some_and(|format| convert::string(format) != "preserve_format")
}

fn gives_itself(op: OperationRef, class: &OpImpl) -> bool {
    let drops = || {
        let p = view::attribute(op, "p").map_or(0.5, convert::f64);
        view::attribute(op, "train").is_none_or(convert::bool) && p > 0.0
    };
    is_of_type(op, class) && !has_format(op) || class.name == "graph.dropout" && !drops()
}

fn is_by_strides(op: OperationRef, class: &OpImpl) -> bool {
    BY_STRIDES.contains(&class.name) || is_of_type(op, class) && has_format(op)
}

/// Whether an operation changes nothing but, it may be, the memory format.
pub(super) fn asks_for_format(op: OperationRef) -> bool {
    registry::of(op).is_some_and(|class| is_of_type(op, class)) && has_format(op)
}
