//! What is a conjugate or a negative on some ways of control flow only: truth values beside it, and an operation for each way.
//!
//! Contract: a flag that ways decide ([`Seen`]) has a truth value wherever its tensor is: control flow hands that on beside the tensor, and a view has it of
//! its operand. What reads or writes elements stands in branches on it, once for each way, so that of each it is known how its operands see elements.
//! What a function gives is told by `graph.tell_flags`, and what a call gave is asked by `graph.told_flags`.
//!
//! Before:
//!
//! ```mlir
//! %0 = graph._neg_view %x : !graph.tensor<4xf32>
//! %1 = scf.if %c -> !graph.tensor<4xf32> { scf.yield %0 : !graph.tensor<4xf32> } else { scf.yield %x : !graph.tensor<4xf32> }
//! graph.add_ %y, %1 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
//! ```
//!
//! After:
//!
//! ```mlir
//! %1:2 = scf.if %c -> (!graph.tensor<4xf32>, i1) { scf.yield %0, %true } else { scf.yield %x, %false }
//! scf.if %1#1 { graph.add_ %y, %1#0 } else { graph.add_ %y, %1#0 }
//! ```

use super::{
    SEEN, SIZED_VIEWS, VIEWS,
    calls::Calls,
    flags::Flagged,
    is_fake_use, is_of_flags, is_test,
    reshapes::{self, ByStrides},
    seen::{All, Seen},
    sizes::{i64, truth},
};
use melior::ir::{
    Attribute, BlockRef, Identifier, Operation, OperationRef, Type, Value, ValueLike,
    attribute::{IntegerAttribute, StringAttribute},
};
use mlir_sys::*;
use std::collections::HashMap;
use terrace_dialects::{
    cursor::{Cursor, V},
    flow::{is_poison, is_select},
    ir::{BlockLike, OperationLike},
    operations::{arguments, blocks, definition, name_of, users},
    pass::Failure,
    placement,
    registry::{self, OpImpl},
    types::is_graph_tensor,
};

/// Beyond so many flags, 16 ways, what is only read is taken without them first.
const FLAGS: usize = 4;

/// A flag of a value that ways decide: which of its flags it is.
pub(super) type Open<'c, 'a> = (V<'c, 'a>, usize);

/// A function on its way.
pub(super) struct ByWay<'d, 'g, 'c, 'a> {
    pub(super) all: All<'d>,
    calls: &'g Calls<'c, 'a>,
    /// Hears of copies, and of what they are copies of.
    copied: &'g mut dyn FnMut(OperationRef<'c, 'a>, OperationRef<'c, 'a>),
    pub(super) truths: HashMap<(usize, usize), V<'c, 'a>>,
    /// How operations see their operands.
    flags: HashMap<usize, Vec<Flagged>>,
    /// What was replaced; not destroyed before, for what is known of an operation is found by its address.
    dead: Vec<OperationRef<'c, 'a>>,
}

impl<'d, 'g, 'c: 'a, 'a> ByWay<'d, 'g, 'c, 'a> {
    /// Of a function of which this is known.
    pub fn of(
        all: All<'d>,
        calls: &'g Calls<'c, 'a>,
        copied: &'g mut dyn FnMut(OperationRef<'c, 'a>, OperationRef<'c, 'a>),
    ) -> Self {
        Self { all, calls, copied, truths: HashMap::new(), flags: HashMap::new(), dead: vec![] }
    }

    /// How the operations see their operands.
    pub fn done(self) -> HashMap<usize, Vec<Flagged>> {
        for op in self.dead.into_iter().rev() {
            // SAFETY: it stands nowhere, and its results were replaced.
            unsafe { mlirOperationDestroy(op.to_raw()) };
        }
        self.flags
    }

    /// Asks how arguments are seen of which calls say it.
    pub fn arguments(
        &mut self,
        function: OperationRef<'c, 'a>,
        block: BlockRef<'c, 'a>,
    ) -> Result<(), Failure> {
        for (number, value) in arguments(block).enumerate() {
            if self.open([value]).is_empty() {
                continue;
            }
            self.ask(
                &Cursor::start(block, function.location()),
                "graph.passed_flags",
                "argument",
                (number, value),
            )?;
        }
        Ok(())
    }

    /// Goes over a block in the order of its text.
    pub fn block(&mut self, block: BlockRef<'c, 'a>) -> Result<(), Failure> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            self.operation(op)?;
        }
        Ok(())
    }

    /// Says how the results of the function are seen; those that ways decide, and those of which that is `said` to callers, by operations. Each of them,
    /// and whether it is told.
    pub fn tell(&mut self, block: BlockRef<'c, 'a>, said: &[Seen]) -> Result<Vec<(Flagged, bool)>, Failure> {
        let Some(end) = block.terminator().filter(|end| name_of(*end) == "func.return") else {
            return Ok(vec![]);
        };
        let at = Cursor::before(end)?;
        let mut returned = vec![];
        for (number, value) in end.operands().enumerate() {
            let seen = self.all.get(value);
            let tells = seen.is_by_way() || said.get(number).is_some_and(|said| said.is_by_way());
            let told = tells && is_graph_tensor(value.r#type());
            if told {
                self.say(&at, "graph.tell_flags", "result", (number, value))?;
            }
            returned.push((seen.at_most(), told));
        }
        Ok(returned)
    }

    fn operation(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let seen: Vec<Flagged> = op.operands().map(|value| self.all.get(value).at_most()).collect();
        if seen.iter().any(|flags| *flags != Flagged::default()) {
            self.flags.insert(key(op), seen);
        }
        let class = registry::of(op).filter(|class| class.dialect == "graph");
        let is_open = |value: Value| self.all.get(value).is_by_way();
        match class {
            Some(_) if op.operand(0).is_ok_and(|own| is_resolved(op, self.all.get(own))) => {
                self.replace(op, &[op.result_at(0)?.into()], &[op.operand(0)?])
            }
            Some(_) if self.all.is_decided(op) && self.is_flagged(op.operand(0)?) => self.reshape(op),
            Some(class) if op.operands().any(is_open) => {
                if !stays(op, class) {
                    // What is written in place is the operand, and nobody uses the result.
                    let used = op.results().map(Value::from);
                    let used: Vec<V> = used.filter(|result| users(*result).next().is_some()).collect();
                    return self.split(op, class, &used).map(drop);
                }
                if placement::changes_object(class) {
                    self.flags.remove(&key(op));
                }
                self.view(op)
            }
            Some(_) => Ok(()),
            None if is_select(op) && is_open(op.result_at(0)?.into()) => self.select(op),
            None if name_of(op) == "func.call" => self.call(op),
            None if name_of(op).starts_with("scf.") && op.region_count() > 0 => self.flow(op),
            None => blocks(op).into_iter().try_for_each(|block| self.block(block)),
        }
    }

    /// Whether a flag is set.
    pub(super) fn truth(
        &self,
        at: &Cursor<'c, 'a>,
        (value, flag): Open<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        match (self.all.get(value).flags()[flag], self.truths.get(&(address(value), flag))) {
            (None, Some(truth)) => Ok(*truth),
            (Some(set), _) => at.integer(truth(at), set.into()),
            // What has no value on a way may be any.
            (None, None) if is_poison(value) => at.integer(truth(at), 0),
            (None, None) => Err("has a tensor of which it is not known how it is seen".into()),
        }
    }

    /// The flags of values that ways decide, each once.
    pub(super) fn open(&self, values: impl IntoIterator<Item = V<'c, 'a>>) -> Vec<Open<'c, 'a>> {
        let mut open = vec![];
        for value in values {
            for (flag, set) in self.all.get(value).flags().into_iter().enumerate() {
                if set.is_none() && !open.contains(&(value, flag)) {
                    open.push((value, flag));
                }
            }
        }
        open
    }

    /// A view is seen as its operand is, but for what it turns.
    fn view(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let turned = match name_of(op) {
            "graph._conj" => Some(0),
            "graph._neg_view" => Some(1),
            _ => None,
        };
        for (value, flag) in self.open(op.results().map(Value::from)) {
            let at = Cursor::before(op)?;
            let mut set = self.truth(&at, (op.operand(0)?, flag))?;
            if turned == Some(flag) {
                set = at.op("arith.xori", &[set, at.integer(truth(&at), 1)?], truth(&at))?;
            }
            self.truths.insert((address(value), flag), set);
        }
        Ok(())
    }

    fn select(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        for (value, flag) in self.open([op.result_at(0)?.into()]) {
            let at = Cursor::before(op)?;
            let ways = [self.truth(&at, (op.operand(1)?, flag))?, self.truth(&at, (op.operand(2)?, flag))?];
            let set = at.op("arith.select", &[op.operand(0)?, ways[0], ways[1]], truth(&at))?;
            self.truths.insert((address(value), flag), set);
        }
        Ok(())
    }

    /// Passes on how operands are seen, and asks what the callee tells.
    fn call(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        for (number, value) in op.operands().enumerate() {
            if self.calls.is_asked(op, number) && self.is_flagged(value) {
                self.say(&Cursor::before(op)?, "graph.pass_flags", "argument", (number, value))?;
            }
        }
        for (number, value) in op.results().map(Value::from).enumerate().collect::<Vec<_>>() {
            if self.open([value]).is_empty() {
                continue;
            }
            let next = op.next_in_block().ok_or("stands at the end of a block")?;
            self.ask(
                &Cursor::before(next)?.of(op.location()),
                "graph.told_flags",
                "result",
                (number, value),
            )?;
        }
        Ok(())
    }

    /// Writes the operation that says how a tensor of this number is seen.
    fn say(
        &self,
        at: &Cursor<'c, 'a>,
        name: &str,
        of: &str,
        (number, value): (usize, V<'c, 'a>),
    ) -> Result<(), Failure> {
        let truths = [self.truth(at, (value, 0))?, self.truth(at, (value, 1))?];
        at.build(name, &truths, &[], &[numbered(at, of, number)], vec![]).map(drop)
    }

    /// Writes the operation that asks how a tensor of this number is seen.
    fn ask(
        &mut self,
        at: &Cursor<'c, 'a>,
        name: &str,
        of: &str,
        (number, value): (usize, V<'c, 'a>),
    ) -> Result<(), Failure> {
        let asked = at.build(name, &[value], &[truth(at); 2], &[numbered(at, of, number)], vec![])?;
        for flag in 0..2 {
            self.truths.insert((address(value), flag), asked.result_at(flag)?.into());
        }
        Ok(())
    }

    /// Uses values in the place of results of an operation, and takes it out.
    pub(super) fn replace(
        &mut self,
        op: OperationRef<'c, 'a>,
        results: &[V<'c, 'a>],
        values: &[V<'c, 'a>],
    ) -> Result<(), Failure> {
        for (old, new) in results.iter().zip(values) {
            self.all.set(*new, self.all.get(*old));
            // SAFETY: both are of one type.
            unsafe { mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) };
        }
        // SAFETY: it is destroyed in the end.
        unsafe { mlirOperationRemoveFromParent(op.to_raw()) };
        self.dead.push(op);
        Ok(())
    }

    /// Puts a copy of an operation for each way in its place; what it gives of the results that are used.
    fn split(
        &mut self,
        op: OperationRef<'c, 'a>,
        class: &'static OpImpl,
        used: &[V<'c, 'a>],
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let mut open = self.open(op.operands());
        if open.len() > FLAGS {
            self.take_without(op, class)?;
            open = self.open(op.operands());
        }
        let results = self.open(used.iter().copied());
        let at = Cursor::before(op)?;
        let types: Vec<Type> =
            used.iter().map(|result| result.r#type()).chain(results.iter().map(|_| truth(&at))).collect();
        let mut values = self.ways(&at, (op, &open, used, &results), &types, &mut vec![])?;
        for ((old, flag), truth) in results.iter().zip(&values[used.len()..]) {
            let place = used.iter().position(|own| own == old).ok_or("is no result")?;
            self.truths.insert((address(values[place]), *flag), *truth);
        }
        self.replace(op, used, &values)?;
        values.truncate(used.len());
        Ok(values)
    }

    /// A view of what is seen otherwise than it is stored, or a copy that is as it is stored: strides decide, as ways of control flow do.
    fn reshape(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let (at, own, result): (_, V, V) = (Cursor::before(op)?, op.operand(0)?, op.result_at(0)?.into());
        let when = reshapes::reshape(op).ok_or("is no view or copy")?;
        let parts = ByStrides::of(&at, op, when, own)?;
        let open = self.open([result]);
        let types: Vec<Type> =
            std::iter::once(result.r#type()).chain(open.iter().map(|_| truth(&at))).collect();
        let mut write = |at: Cursor<'c, 'a>, way: usize| {
            let tensor = if way == 0 { own } else { self.cloned(&at, op, own, parts.format)? };
            let mut values = vec![parts.seen(&at, tensor)?];
            for (_, flag) in &open {
                values.push(if way == 0 {
                    self.truth(&at, (own, *flag))?
                } else {
                    at.integer(truth(&at), 0)?
                });
            }
            Ok(values)
        };
        let values = match parts.is_view {
            Some(is_view) => at.either(is_view, &types, write)?,
            None => write(at, 0)?,
        };
        for ((_, flag), truth) in open.iter().zip(&values[1..]) {
            self.truths.insert((address(values[0]), *flag), *truth);
        }
        reshapes::keep_unused(&at, result, values[0])?;
        self.replace(op, &[result], &values[..1])
    }

    /// A copy of the operand of an operation, of its elements as they are seen.
    fn cloned(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: OperationRef<'c, 'a>,
        own: V<'c, 'a>,
        format: &str,
    ) -> Result<V<'c, 'a>, Failure> {
        let format = at.named("memory_format", StringAttribute::new(at.context, format));
        let clone = at.with("graph.clone", &[own], own.r#type(), &[format])?;
        let copy = definition(clone).ok_or("is not there")?;
        (self.copied)(copy, op);
        if self.open([own]).is_empty() {
            self.flags.insert(key(copy), vec![self.all.get(own).at_most()]);
            return Ok(clone);
        }
        let class = registry::of(copy).ok_or("is not known")?;
        Ok(self.split(copy, class, &[clone])?[0])
    }

    fn is_flagged(&self, value: V<'c, 'a>) -> bool {
        self.all.get(value).at_most() != Flagged::default()
    }

    /// Branches on the flags that are open, and in each a copy of the operation; what it gives, and how that is seen where ways decide it.
    fn ways(
        &mut self,
        at: &Cursor<'c, 'a>,
        (op, open, used, results): (OperationRef<'c, 'a>, &[Open<'c, 'a>], &[V<'c, 'a>], &[Open<'c, 'a>]),
        types: &[Type<'c>],
        chosen: &mut Vec<bool>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        if let Some(next) = open.get(chosen.len()) {
            let condition = self.truth(at, *next)?;
            return at.either(condition, types, |at, way| {
                chosen.push(way == 0);
                let values = self.ways(&at, (op, open, used, results), types, chosen);
                chosen.pop();
                values
            });
        }
        let seen = |value: V<'c, 'a>| {
            let mut seen = self.all.get(value);
            for ((_, flag), set) in open.iter().zip(&*chosen).filter(|((own, _), _)| *own == value) {
                *[&mut seen.conj, &mut seen.neg][*flag] = Some(*set);
            }
            seen
        };
        let operands: Vec<Seen> = op.operands().map(seen).collect();
        let made = self.all.made(op, &operands);
        let place = |value: &V<'c, 'a>| {
            op.results().position(|result| Value::from(result) == *value).ok_or("is no result")
        };
        let mut values: Vec<V> = vec![];
        for (value, flag) in results {
            let set = made[place(value)?].flags()[*flag].ok_or("is not known to be seen in one way")?;
            values.push(at.integer(truth(at), set.into())?);
        }
        if is_resolved(op, operands[0]) {
            return Ok([vec![op.operand(0)?; used.len()], values].concat());
        }
        // SAFETY: the copy belongs to the block from here on.
        let copy = at.insert(unsafe { Operation::from_raw(mlirOperationClone(op.to_raw())) });
        self.flags.insert(key(copy), operands.iter().map(|seen| seen.at_most()).collect());
        (self.copied)(copy, op);
        let own = used.iter().map(|value| Ok(copy.result_at(place(value)?)?.into()));
        Ok([own.collect::<Result<Vec<V>, Failure>>()?, values].concat())
    }

    /// Takes what an operation only reads without flags that ways decide.
    fn take_without(&mut self, op: OperationRef<'c, 'a>, class: &OpImpl) -> Result<(), Failure> {
        let written = placement::written(op, class);
        for place in 0..op.operand_count() {
            for (flag, name) in ["graph.resolve_conj", "graph.resolve_neg"].into_iter().enumerate() {
                let value = op.operand(place)?;
                if written.contains(&value) || self.all.get(value).flags()[flag].is_some() {
                    continue;
                }
                let resolved = Cursor::before(op)?.op(name, &[value], value.r#type())?;
                let resolve = definition(resolved).ok_or("is not there")?;
                self.all.set(resolved, self.all.made(resolve, &[self.all.get(value)])[0]);
                for (place, _) in op.operands().enumerate().filter(|(_, operand)| *operand == value) {
                    // SAFETY: the operation has this operand.
                    unsafe { mlirOperationSetOperand(op.to_raw(), place as isize, resolved.to_raw()) };
                }
                self.operation(resolve)?;
            }
        }
        Ok(())
    }
}

/// Whether an operation gives its operand, which is seen so, as the very same tensor: there is nothing to resolve.
fn is_resolved(op: OperationRef, own: Seen) -> bool {
    match name_of(op) {
        "graph.resolve_conj" => own.conj == Some(false),
        "graph.resolve_neg" => own.neg == Some(false),
        _ => false,
    }
}

/// Whether an operation on what ways decide stays one: it looks at no elements.
fn stays(op: OperationRef, class: &OpImpl) -> bool {
    let name = class.name;
    let is_view = VIEWS.contains(&name) && !PARTS.contains(&name);
    let is_kept = SIZED_VIEWS.contains(&name) || SEEN.contains(&name) || is_view;
    is_kept || is_test(op) || is_fake_use(op) || is_of_flags(op) || placement::changes_object(class)
}

/// Views that a conjugate or a negative does not have, or has in another way.
const PARTS: [&str; 2] = ["graph.view_as_complex", "graph.view_as_real"];

fn numbered<'c>(at: &Cursor<'c, '_>, name: &str, number: usize) -> (Identifier<'c>, Attribute<'c>) {
    at.named(name, IntegerAttribute::new(i64(at), number as i64))
}

pub(super) fn address(value: Value) -> usize {
    value.to_raw().ptr as usize
}

fn key(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}
