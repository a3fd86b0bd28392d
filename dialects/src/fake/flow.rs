//! Control flow: what a tensor is where ways meet, in loops and behind calls.
//!
//! A tensor that comes one of several ways is in one of their storages; sizes, strides or an offset that are not proven equal
//! are symbols. A loop is followed until what goes round stays the same: sizes change once, into symbols, and storages
//! only become more, of which there are as many as places that make them. What a loop asks of its elements in
//! one iteration is not what it asked in another. A call is followed into the function; recursion is refused.

use super::{
    Fake,
    state::{Entry, State, Wrong, key},
};
use crate::{
    attributes as convert,
    placement::place::Known,
    rules,
    size::{
        Size,
        symbols::{Relation, with_current},
    },
    strided::Layout,
    types::{self, is_graph_tensor},
};
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike, Value, ValueLike, operation::OperationLike};
use mlir_sys::{
    MlirOperation, mlirBlockGetTerminator, mlirOperationGetNumSuccessors, mlirOperationGetSuccessor,
};
use std::collections::{HashMap, HashSet};

/// Rounds after which a loop that still changes is a mistake of ours.
const ROUNDS: usize = 1000;

type Followed<'c, 'a, T> = Result<T, Wrong<'c, 'a>>;

fn wrong<'c, 'a>(op: OperationRef<'c, 'a>, message: impl Into<String>) -> Wrong<'c, 'a> {
    Wrong { op, message: message.into() }
}

/// The block of a region that has one.
fn single<'c, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Followed<'c, 'a, BlockRef<'c, 'a>> {
    let block = op.region(region).ok().and_then(|region| region.first_block());
    block.ok_or_else(|| wrong(op, "has a region without a block"))
}

fn arguments<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    (0..block.argument_count()).filter_map(|i| block.argument(i).ok().map(Value::from)).collect()
}

/// What is known of a value.
#[derive(Clone, Debug)]
enum Thing<'c> {
    Tensor(Fake<'c>),
    Number(Size),
    Unknown,
}

impl<'c> State<'c> {
    fn thing(&self, value: Value<'c, '_>) -> Thing<'c> {
        if let Some(fake) = self.fakes.get(&key(value)) {
            return Thing::Tensor(fake.clone());
        }
        self.numbers.get(&key(value)).map_or(Thing::Unknown, |number| Thing::Number(*number))
    }

    fn things(&self, values: &[Value<'c, '_>]) -> Vec<Thing<'c>> {
        values.iter().map(|value| self.thing(*value)).collect()
    }

    fn is(&mut self, value: Value<'c, '_>, thing: Thing<'c>) {
        match thing {
            Thing::Tensor(fake) => drop(self.fakes.insert(key(value), fake)),
            Thing::Number(number) => drop(self.numbers.insert(key(value), number)),
            Thing::Unknown => drop(self.numbers.remove(&key(value))),
        }
    }

    fn are(&mut self, values: &[Value<'c, '_>], things: Vec<Thing<'c>>) {
        for (value, thing) in values.iter().zip(things) {
            self.is(*value, thing);
        }
    }

    /// What holds of a value that is one or the other.
    fn joined(
        &mut self,
        value: Value<'c, '_>,
        by: usize,
        a: Thing<'c>,
        b: Thing<'c>,
    ) -> Result<Thing<'c>, String> {
        match (a, b) {
            (Thing::Tensor(a), Thing::Tensor(b)) => self.either(value, by, a, b).map(Thing::Tensor),
            (Thing::Number(a), Thing::Number(b)) => Ok(Thing::Number(self.one_of(value, by, 0, a, b))),
            _ if is_graph_tensor(value.r#type()) => {
                Err("joins a tensor with one of which nothing is known".into())
            }
            _ => Ok(Thing::Unknown),
        }
    }

    fn one_of(&mut self, value: Value<'c, '_>, by: usize, slot: usize, a: Size, b: Size) -> Size {
        if with_current(|symbols| symbols.known(Relation::Equal, a, b)) == Some(true) {
            return a;
        }
        let site = (self.path, key(value), slot);
        if let Some(size) = self.joined.get(&site) {
            return *size;
        }
        let size = self.symbol(Entry::Joined { by }, None);
        self.joined.insert(site, size);
        size
    }

    fn either(
        &mut self,
        value: Value<'c, '_>,
        by: usize,
        a: Fake<'c>,
        b: Fake<'c>,
    ) -> Result<Fake<'c>, String> {
        let (own, other) = (&a.known, &b.known);
        let (rank, rank_of_other) = (own.layout.rank(), other.layout.rank());
        if own.dtype != other.dtype || rank != rank_of_other || a.device != b.device {
            return Err("joins tensors of different dtype, rank or device".into());
        }
        if (own.conj, own.neg) != (other.conj, other.neg) {
            return Err("joins a tensor with one that is a conjugate or a negative".into());
        }
        let mut slots = 0..;
        let mut list = |state: &mut Self, a: &[Size], b: &[Size]| -> Vec<Size> {
            let pairs = a.iter().zip(b).zip(slots.by_ref());
            pairs.map(|((a, b), slot)| state.one_of(value, by, slot, *a, *b)).collect()
        };
        let sizes = list(self, &own.layout.sizes, &other.layout.sizes);
        let strides = list(self, &own.layout.strides, &other.layout.strides);
        let offset = list(self, &[own.layout.offset], &[other.layout.offset])[0];
        let mut storages = [&a.storages[..], &b.storages].concat();
        storages.sort_unstable();
        storages.dedup();
        let identity = if a.identity == b.identity { a.identity } else { self.object(value) };
        let known = Known { layout: Layout { sizes, strides, offset }, ..own.clone() };
        Ok(Fake { known, device: a.device, storages, identity })
    }

    /// Whether nothing is new of what is known.
    fn is_same(a: &Thing, b: &Thing) -> bool {
        let equal =
            |a: Size, b: Size| with_current(|symbols| symbols.known(Relation::Equal, a, b)) == Some(true);
        match (a, b) {
            (Thing::Tensor(a), Thing::Tensor(b)) => {
                let all = |a: &[Size], b: &[Size]| a.iter().zip(b).all(|(a, b)| equal(*a, *b));
                let (x, y) = (&a.known.layout, &b.known.layout);
                (&a.storages, a.identity) == (&b.storages, b.identity)
                    && all(&x.sizes, &y.sizes)
                    && all(&x.strides, &y.strides)
                    && equal(x.offset, y.offset)
            }
            (Thing::Number(a), Thing::Number(b)) => equal(*a, *b),
            (Thing::Unknown, Thing::Unknown) => true,
            _ => false,
        }
    }

    /// Follows a block to its end; the end.
    fn block<'a>(&mut self, block: BlockRef<'c, 'a>) -> Followed<'c, 'a, Option<OperationRef<'c, 'a>>> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            if next.is_none() {
                return Ok(Some(op));
            }
            self.visit(op)?;
        }
        Ok(None)
    }

    /// Follows a block with arguments; what its end gives, but for the first `skipped`.
    fn with<'a>(
        &mut self,
        block: BlockRef<'c, 'a>,
        given: Vec<Thing<'c>>,
        skipped: usize,
    ) -> Followed<'c, 'a, Vec<Thing<'c>>> {
        self.are(&arguments(block), given);
        let end = self.block(block)?;
        let operands: Vec<Value> = end.iter().flat_map(|end| end.operands()).skip(skipped).collect();
        Ok(self.things(&operands))
    }

    /// Takes in an operation of another dialect than graph.
    pub(super) fn other<'a>(&mut self, op: OperationRef<'c, 'a>) -> Followed<'c, 'a, ()> {
        let name = op.name();
        let results: Vec<Value> = op.results().map(Value::from).collect();
        let operands: Vec<Value> = op.operands().collect();
        match name.as_string_ref().as_str().unwrap_or_default() {
            "scf.if" => {
                let first = self.with(single(op, 0)?, vec![], 0)?;
                let second = match op.region(1).ok().and_then(|region| region.first_block()) {
                    Some(block) => self.with(block, vec![], 0)?,
                    None => first.clone(),
                };
                self.join_into(op, &results, first, second)
            }
            "scf.for" => {
                let body = single(op, 0)?;
                let mut carried = self.things(&operands[3..]);
                carried.insert(0, Thing::Unknown);
                let around = self.round(op, body, carried, |state, given| {
                    let mut yielded = state.with(body, given, 0)?;
                    yielded.insert(0, Thing::Unknown);
                    Ok(yielded)
                })?;
                self.are(&results, around[1..].to_vec());
                Ok(())
            }
            "scf.while" => {
                let (before, after) = (single(op, 0)?, single(op, 1)?);
                let carried = self.things(&operands);
                self.round(op, before, carried, |state, given| {
                    let passed = state.with(before, given, 1)?;
                    state.are(&results, passed.clone());
                    state.with(after, passed, 0)
                })?;
                Ok(())
            }
            "scf.execute_region" => {
                let given = self.with(single(op, 0)?, vec![], 0)?;
                self.are(&results, given);
                Ok(())
            }
            "arith.select" => {
                let (first, second) = (self.thing(operands[1]), self.thing(operands[2]));
                self.join_into(op, &results, vec![first], vec![second])
            }
            "func.call" => {
                let tensors = operands.iter().chain(&results).any(|value| is_graph_tensor(value.r#type()));
                if tensors { self.call(op, &operands, &results) } else { Ok(()) }
            }
            name => {
                if let Some(number) = self.number_of(op, name, &operands) {
                    self.numbers.insert(key(results[0]), number);
                    return Ok(());
                }
                match results.iter().find(|result| is_graph_tensor(result.r#type())) {
                    Some(_) => Err(wrong(
                        op,
                        "makes a graph tensor of which nothing is known: fake tensors pass through graph, scf, cf and calls",
                    )),
                    None => Ok(()),
                }
            }
        }
    }

    fn join_into<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        results: &[Value<'c, 'a>],
        first: Vec<Thing<'c>>,
        second: Vec<Thing<'c>>,
    ) -> Followed<'c, 'a, ()> {
        let joined = self.all_joined(op, results, first, second)?;
        self.are(results, joined);
        Ok(())
    }

    /// Follows a loop whose `body` has the arguments that go round, until they stay what they are.
    fn round<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        body: BlockRef<'c, 'a>,
        mut carried: Vec<Thing<'c>>,
        mut follow: impl FnMut(&mut Self, Vec<Thing<'c>>) -> Followed<'c, 'a, Vec<Thing<'c>>>,
    ) -> Followed<'c, 'a, Vec<Thing<'c>>> {
        let values = arguments(body);
        for _ in 0..ROUNDS {
            self.asked.clear();
            let back = follow(self, carried.clone())?;
            self.asked.clear();
            let next = self.all_joined(op, &values, carried.clone(), back)?;
            if carried.iter().zip(&next).all(|(a, b)| Self::is_same(a, b)) {
                return Ok(next);
            }
            carried = next;
        }
        Err(wrong(op, "goes round with tensors that never stay the same"))
    }

    /// A number that others come to.
    fn number_of(&self, op: OperationRef<'c, '_>, name: &str, operands: &[Value<'c, '_>]) -> Option<Size> {
        let result = op.result(0).ok()?;
        if !types::is_count(result.r#type()) {
            return None;
        }
        if let Some(constant) = rules::constant_of(op) {
            return Some(convert::i64(constant).into());
        }
        let number = |place: usize| self.numbers.get(&key(*operands.get(place)?)).copied();
        match name {
            "arith.index_cast" | "arith.extsi" => number(0),
            "arith.addi" => Some(number(0)? + number(1)?),
            "arith.subi" => Some(number(0)? - number(1)?),
            "arith.muli" => Some(number(0)? * number(1)?),
            _ => None,
        }
    }

    /// The function of a name, beside the one that an operation is in.
    fn callee<'a>(&mut self, op: OperationRef<'c, 'a>, name: &str) -> Option<OperationRef<'c, 'a>> {
        let mut outer = op;
        while let Some(parent) = outer.parent_operation() {
            if parent.name().as_string_ref().as_str() == Ok("builtin.module") {
                break;
            }
            outer = parent;
        }
        let module = outer.parent_operation()?;
        let of_module = self.functions.entry(module.to_raw().ptr as usize).or_insert_with(|| {
            let mut functions = HashMap::new();
            let mut next =
                module.region(0).ok().and_then(|r| r.first_block()).and_then(|b| b.first_operation());
            while let Some(op) = next {
                next = op.next_in_block();
                if let Ok(name) = op.attribute("sym_name") {
                    functions.insert(convert::string(name), op.to_raw().ptr as usize);
                }
            }
            functions
        });
        let raw = *of_module.get(name)?;
        // SAFETY: an operation of the module, which lives as long as the one in it.
        Some(unsafe { OperationRef::from_raw(MlirOperation { ptr: raw as *mut _ }) })
    }

    /// Follows a call into the function.
    fn call<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
        results: &[Value<'c, 'a>],
    ) -> Followed<'c, 'a, ()> {
        let name = op.attribute("callee").map(convert::symbol).unwrap_or_default();
        let callee = self.callee(op, &name);
        let Some(callee) =
            callee.filter(|callee| callee.region(0).is_ok_and(|region| region.first_block().is_some()))
        else {
            return Err(wrong(op, format!("calls @{name}, of which nothing is known: it has no body here")));
        };
        let function = callee.to_raw().ptr as usize;
        if self.calls.contains(&function) {
            return Err(wrong(
                op,
                format!("calls @{name}, which is being called: fake tensors pass through no recursion"),
            ));
        }
        let given = self.things(operands);
        let count = self.paths.len() + 1;
        let path = *self.paths.entry((self.path, op.to_raw().ptr as usize)).or_insert(count);
        let outer = (std::mem::take(&mut self.fakes), std::mem::take(&mut self.numbers), self.path);
        self.path = path;
        self.calls.push(function);
        let followed = self.function(callee, given);
        self.calls.pop();
        (self.fakes, self.numbers, self.path) = outer;
        self.are(results, followed?);
        Ok(())
    }

    /// Follows the blocks of a function, whose arguments are given; what it returns.
    ///
    /// # Errors
    /// As [`State::visit`].
    fn function<'a>(
        &mut self,
        function: OperationRef<'c, 'a>,
        given: Vec<Thing<'c>>,
    ) -> Followed<'c, 'a, Vec<Thing<'c>>> {
        let entry = single(function, 0)?;
        self.are(&arguments(entry), given);
        self.blocks(function, entry)
    }

    /// Takes in the body of a function whose arguments were taken in.
    ///
    /// # Errors
    /// As [`State::visit`].
    pub fn body<'a>(&mut self, function: OperationRef<'c, 'a>) -> Followed<'c, 'a, ()> {
        let Some(entry) = function.region(0).ok().and_then(|region| region.first_block()) else {
            return Ok(());
        };
        self.calls.push(function.to_raw().ptr as usize);
        let followed = self.blocks(function, entry);
        self.calls.pop();
        followed.map(drop)
    }

    /// Follows the blocks from one on, all of them again until what comes to each stays the same.
    fn blocks<'a>(
        &mut self,
        function: OperationRef<'c, 'a>,
        entry: BlockRef<'c, 'a>,
    ) -> Followed<'c, 'a, Vec<Thing<'c>>> {
        let order = in_order(entry);
        // What comes to each block but the first.
        let mut known: HashMap<usize, Vec<Thing<'c>>> = HashMap::new();
        for _ in 0..ROUNDS {
            let (mut changed, mut returned) = (false, None::<Vec<Thing<'c>>>);
            for block in &order {
                if order.len() > 1 {
                    self.asked.clear();
                }
                let Some(end) = self.block(*block)? else { continue };
                let ways = successors(*block);
                if ways.is_empty() {
                    let values: Vec<Value> = end.operands().collect();
                    let things = self.things(&values);
                    returned = Some(match returned {
                        None => things,
                        Some(before) => self.all_joined(end, &values, before, things)?,
                    });
                }
                for (number, successor) in ways.into_iter().enumerate() {
                    let Some(passed) = passed(end, number, successor.argument_count()) else {
                        return Err(wrong(
                            end,
                            "is not supported on graph tensors: cf.br and cf.cond_br are",
                        ));
                    };
                    let (values, given) = (arguments(successor), self.things(&passed));
                    let joined = match known.get(&(successor.to_raw().ptr as usize)).cloned() {
                        None => {
                            changed = true;
                            given
                        }
                        Some(before) => {
                            let joined = self.all_joined(end, &values, before.clone(), given)?;
                            changed |= !before.iter().zip(&joined).all(|(a, b)| Self::is_same(a, b));
                            joined
                        }
                    };
                    known.insert(successor.to_raw().ptr as usize, joined.clone());
                    self.are(&values, joined);
                }
            }
            if !changed || order.len() == 1 {
                return Ok(returned.unwrap_or_default());
            }
        }
        Err(wrong(function, "goes round with tensors that never stay the same"))
    }

    fn all_joined<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        values: &[Value<'c, 'a>],
        first: Vec<Thing<'c>>,
        second: Vec<Thing<'c>>,
    ) -> Followed<'c, 'a, Vec<Thing<'c>>> {
        let by = op.to_raw().ptr as usize;
        let all = values.iter().zip(first).zip(second);
        let joined = all.map(|((value, a), b)| self.joined(*value, by, a, b));
        joined.collect::<Result<_, _>>().map_err(|message| wrong(op, message))
    }
}

/// The blocks that a block's end may go on with.
fn successors<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    unsafe {
        let end = mlirBlockGetTerminator(block.to_raw());
        if end.ptr.is_null() {
            return vec![];
        }
        (0..mlirOperationGetNumSuccessors(end))
            .map(|number| BlockRef::from_raw(mlirOperationGetSuccessor(end, number)))
            .collect()
    }
}

/// Blocks from an entry on, each after those that come to it but for loops.
fn in_order<'c, 'a>(entry: BlockRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let (mut seen, mut order) = (HashSet::from([entry.to_raw().ptr as usize]), vec![]);
    let mut stack = vec![(entry, successors(entry))];
    while let Some((block, left)) = stack.last_mut() {
        match left.pop() {
            Some(next) if seen.insert(next.to_raw().ptr as usize) => stack.push((next, successors(next))),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The operands that a branch passes to one of its successors.
fn passed<'c, 'a>(end: OperationRef<'c, 'a>, successor: usize, count: usize) -> Option<Vec<Value<'c, 'a>>> {
    let operands: Vec<Value> = end.operands().collect();
    match end.name().as_string_ref().as_str() {
        Ok("cf.br") => Some(operands),
        Ok("cf.cond_br") if successor == 0 => Some(operands[1..1 + count].to_vec()),
        Ok("cf.cond_br") => Some(operands[operands.len() - count..].to_vec()),
        _ => None,
    }
}
