//! Which tensors are seen as conjugates or negatives of what is stored: it is the same on all ways, and known of each value.
//!
//! What is passed on is what is stored; a function sees it as its caller does. So memory alone goes from one to the next, and results
//! say of themselves what they are.

use crate::graph_resolve_views::{self, Facts};
use melior::ir::{
    Attribute, AttributeLike, BlockLike, Identifier, OperationRef, RegionLike, Value, ValueLike,
    attribute::ArrayAttribute,
    operation::{OperationLike, OperationMutLike, OperationRefMut},
};
use mlir_sys::{mlirDictionaryAttrGet, mlirNamedAttributeGet};
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    rc::Rc,
};
use terrace_dialects::{
    args::Args,
    context,
    cursor::{Cursor, V},
    dtype::Dtype,
    flow::{chosen_of, is_poison},
    operations::{arguments, blocks, collect, name_of, refuse},
    pass::Failure,
    registry,
    rules::{self, Kind},
    types::{TensorType, is_graph_tensor},
};

/// How a tensor sees elements of its storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flagged {
    conj: bool,
    neg: bool,
}

impl Flagged {
    /// Whether it is a conjugate.
    pub fn is_conj(self) -> bool {
        self.conj
    }

    /// How a part is seen, 0 the real one and 1 the imaginary one.
    pub fn of_part(self, which: i64) -> Self {
        Self { conj: false, neg: self.neg != (self.conj && which == 1) }
    }

    /// A tensor seen so: what is stored as it is seen, and the other way round.
    pub fn seen<'c, 'a>(self, at: &Cursor<'c, 'a>, mut tensor: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        for (name, set) in [("graph._conj", self.conj), ("graph._neg_view", self.neg)] {
            if set {
                tensor = at.op(name, &[tensor], tensor.r#type())?;
            }
        }
        Ok(tensor)
    }
}

/// How the operands of operations see elements, by these.
pub(super) struct Flags(HashMap<usize, Vec<Flagged>>);

impl Flags {
    /// Those of a function, which says it of its results. What the `decided` operations give is seen as their operand is, view or copy.
    ///
    /// # Errors
    /// A function is called with conjugates or negatives: it takes what is stored, and only one that was outlined sees it as its caller does. Or control
    /// flow brings along a tensor that is one, and another that is none.
    pub fn of(function: OperationRef, decided: &HashSet<usize>) -> Result<Self, Failure> {
        let flagging = |op: OperationRef| {
            matches!(name_of(op), "graph._conj" | "graph._neg_view" | "graph.custom" | "func.call")
                || is_conjugate_transform(op)
        };
        let mut found = HashMap::new();
        if collect(function, flagging).is_empty() {
            return Ok(Self(found));
        }
        let mut known = Known::new(function, decided);
        for op in collect(function, |op| op != function) {
            known.follow(op).map_err(|why| refuse(op, why))?;
            let flags: Vec<Flagged> = op.operands().map(|value| known.of(value)).collect();
            if flags.iter().any(|flags| *flags != Flagged::default()) {
                if name_of(op) == "func.call" && !super::callee(op).is_some_and(super::is_outlined) {
                    let why = "passes on a view of conjugates or negatives, in a function that runs as it is written: \
                               take resolve_conj or resolve_neg of it";
                    return Err(refuse(op, why));
                }
                found.insert(op.to_raw().ptr as usize, flags);
            }
        }
        collect(function, |op| op != function).into_iter().try_for_each(|op| known.meet(op))?;
        let end = function.region(0)?.first_block().and_then(|block| block.terminator());
        if let Some(flags) = end.and_then(|end| found.get(&(end.to_raw().ptr as usize))) {
            declare(function, flags);
        }
        Ok(Self(found))
    }

    /// How the operands of an operation see elements.
    pub fn remove(&mut self, op: OperationRef) -> Vec<Flagged> {
        let flags = self.0.remove(&(op.to_raw().ptr as usize));
        flags.unwrap_or_else(|| vec![Flagged::default(); op.operand_count()])
    }
}

/// How values see elements: as fake tensors have it, and beyond the first operation of which these know too little, as each view has it of its operand.
struct Known<'c, 'd> {
    facts: Facts<'c>,
    beyond: HashMap<usize, Flagged>,
    decided: &'d HashSet<usize>,
    /// The functions that are looked into.
    within: Vec<usize>,
    /// How functions see what they give.
    given: Rc<RefCell<HashMap<usize, Vec<Flagged>>>>,
}

impl<'c, 'd> Known<'c, 'd> {
    fn new(function: OperationRef<'c, '_>, decided: &'d HashSet<usize>) -> Self {
        let within = vec![function.to_raw().ptr as usize];
        Self { facts: Facts::of(function), beyond: HashMap::new(), decided, within, given: Rc::default() }
    }

    /// How a function that is called sees what it gives, of arguments that are what is stored; nothing is known of one that calls itself.
    fn given_by(&self, callee: OperationRef<'c, '_>) -> Vec<Flagged> {
        let key = callee.to_raw().ptr as usize;
        if let Some(known) = self.given.borrow().get(&key) {
            return known.clone();
        }
        let end = callee.region(0).ok().and_then(|region| region.first_block()?.terminator());
        let Some(end) = end.filter(|_| !self.within.contains(&key)) else { return vec![] };
        let none = HashSet::new();
        let mut own = Known { given: self.given.clone(), ..Known::new(callee, &none) };
        own.within.extend(&self.within);
        // What is wrong with it is said where its own operations are outlined.
        _ = collect(callee, |op| op != callee).into_iter().try_for_each(|op| own.follow(op));
        let given: Vec<Flagged> = end.operands().map(|value| own.of(value)).collect();
        self.given.borrow_mut().insert(key, given.clone());
        given
    }

    fn of(&self, value: Value) -> Flagged {
        if let Some(flags) = self.beyond.get(&(value.to_raw().ptr as usize)) {
            return *flags;
        }
        match self.facts.get(value) {
            Some((_, seen)) => Flagged { conj: seen.conj, neg: seen.neg },
            // It is seen in the same way on all ways.
            None => {
                let first = chosen_of(value).into_iter().next();
                let first = first.and_then(|(op, number)| op.operand(number).ok());
                first.map_or(Flagged::default(), |first| self.of(first))
            }
        }
    }

    /// Refuses an operation that gives, or takes into its regions, one of several tensors which are not seen in the same way.
    fn meet(&self, op: OperationRef) -> Result<(), Failure> {
        let taken_in = blocks(op).into_iter().flat_map(arguments);
        let differs = |value: Value| {
            let ways = chosen_of(value).into_iter().filter_map(|(op, number)| op.operand(number).ok());
            let mut ways = ways.filter(|way| !is_poison(*way)).map(|way| self.of(way));
            let first = ways.next();
            ways.any(|own| Some(own) != first)
        };
        match op.results().map(Value::from).chain(taken_in).any(differs) {
            false => Ok(()),
            true => Err(refuse(
                op,
                "gives a tensor that is a conjugate or a negative on some ways and none on others, in a function that runs as it is written: \
                 take resolve_conj or resolve_neg of it",
            )),
        }
    }

    /// Takes in what an operation gives, of whose operands it is known.
    ///
    /// # Errors
    /// It gives a view or a copy of conjugates or negatives, by strides.
    fn follow(&mut self, op: OperationRef<'c, '_>) -> Result<(), &'static str> {
        let is_left = |result: &Value| is_graph_tensor(result.r#type()) && self.facts.get(*result).is_none();
        if let Some(callee) =
            super::callee(op).filter(|_| op.results().map(Value::from).any(|own| is_left(&own)))
        {
            let given: Vec<_> = op.results().map(Value::from).zip(self.given_by(callee)).collect();
            self.beyond
                .extend(given.into_iter().map(|(result, flags)| (result.to_raw().ptr as usize, flags)));
        }
        let Some(class) = registry::of(op).filter(|class| class.dialect == "graph") else { return Ok(()) };
        let own = op.operand(0).map_or(Flagged::default(), |own| self.of(own));
        let is_complex = op.operand(0).is_ok_and(|own| {
            TensorType::<i64>::of(own.r#type()).is_some_and(|own| Dtype::is_complex(own.dtype))
        });
        let is_decided = self.decided.contains(&(op.to_raw().ptr as usize));
        let flags = match class.name {
            "graph._conj" | "graph.conj" | "graph.adjoint" | "graph.mH" | "graph.matrix_H" => {
                Flagged { conj: own.conj != is_complex, ..own }
            }
            "graph._neg_view" => Flagged { neg: !own.neg, ..own },
            "graph.real" | "graph.imag" => own.of_part((class.name == "graph.imag").into()),
            "graph.resolve_conj" if own.conj => Flagged::default(),
            "graph.resolve_neg" if own.neg => Flagged::default(),
            "graph.resolve_conj" | "graph.resolve_neg" => own,
            _ if is_conjugate_transform(op) => Flagged { conj: true, neg: false },
            _ if class.view || class.is_in_place() || is_decided => own,
            _ => Flagged::default(),
        };
        for result in op.results().map(Value::from).filter(|result| is_graph_tensor(result.r#type())) {
            if self.facts.get(result).is_some() && !is_decided {
                continue;
            }
            let by_strides = !class.view && !is_decided;
            if own != Flagged::default() && by_strides && graph_resolve_views::of_class(class).is_some() {
                let why = "is a view or a copy of conjugates or negatives, by strides that are not known: take resolve_conj or resolve_neg of it";
                return Err(why);
            }
            self.beyond.insert(result.to_raw().ptr as usize, flags);
        }
        Ok(())
    }
}

/// Whether an operation is the inverse transform of real numbers: the conjugate of their transform, a view.
pub fn is_conjugate_transform(op: OperationRef) -> bool {
    let Some(class) = registry::of(op).filter(|class| class.name.starts_with("graph.fft_")) else {
        return false;
    };
    let (attribute, operands) = (|name: &str| op.attribute(name).ok(), op.operands().collect::<Vec<_>>());
    let args = Args::new(class, op.context(), &operands, &attribute);
    let from_real = |kind| matches!(kind, Kind::FromReal | Kind::FromRealToAll);
    rules::transform(&args).is_ok_and(|transform| !transform.forward && from_real(transform.kind))
}

/// Says of the results of a function how they see elements.
fn declare(function: OperationRef, flags: &[Flagged]) {
    let context = context::of(function.context());
    let of = |flags: &Flagged| {
        let named = [("graph.conj", flags.conj), ("graph.neg", flags.neg)];
        let named = named.into_iter().filter(|(_, set)| *set).map(|(name, _)| {
            let name = Identifier::new(context, name);
            // SAFETY: both are of this context.
            unsafe { mlirNamedAttributeGet(name.to_raw(), Attribute::unit(context).to_raw()) }
        });
        let named: Vec<_> = named.collect();
        // SAFETY: there are as many as it says.
        unsafe {
            Attribute::from_raw(mlirDictionaryAttrGet(context.to_raw(), named.len() as isize, named.as_ptr()))
        }
    };
    let all: Vec<Attribute> = flags.iter().map(of).collect();
    // SAFETY: nobody holds on to the attribute that is replaced.
    let mut function = unsafe { OperationRefMut::from_raw(function.to_raw()) };
    function.set_attribute("res_attrs", ArrayAttribute::new(context, &all).into());
}
