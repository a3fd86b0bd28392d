//! Control flow: what a tensor is where ways meet, in loops and behind calls.
//!
//! A tensor that comes one of several ways is in one of their storages; sizes, strides or an offset that are
//! not proven equal are symbols. A loop is followed until what goes round stays the same: sizes change once,
//! into symbols, and storages only become more, of which there are as many as places that make them. A loop
//! inside of another one is followed again in each of its rounds; it begins with what came to go round
//! before, which only becomes more, so that one round mostly does. What a loop asks of its elements in one
//! iteration is not what it asked in another. A call is followed into the function; recursion is refused.

use super::{
    Uses,
    join::{Followed, wrong},
    numbers,
    state::{Entry, State},
    tensor::Thing,
};
use crate::ir::{
    BlockLike, OperationLike,
    args::KnownValues,
    operations::key,
    types::{self, is_graph_tensor},
};
use melior::ir::{BlockRef, OperationRef, RegionLike, Value, ValueLike};

/// Rounds after which a loop that still changes is a mistake of ours.
pub(super) const ROUNDS: usize = 1000;

/// The block of a region that has one.
pub(super) fn single<'c, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Followed<'c, 'a, BlockRef<'c, 'a>> {
    let block = op.region(region).ok().and_then(|region| region.first_block());
    block.ok_or_else(|| wrong(op, "has a region without a block"))
}

/// The arguments of a block.
pub(super) fn arguments<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    (0..block.argument_count()).filter_map(|i| block.argument(i).ok().map(Value::from)).collect()
}

/// Whether operations inside of one have to do with graph tensors.
fn has_tensors(op: OperationRef) -> bool {
    op.regions().any(|region| {
        std::iter::successors(region.first_block(), |block| block.next_in_region()).any(|block| {
            std::iter::successors(block.first_operation(), |op| op.next_in_block()).any(|op| {
                let results = op.results().any(|result| is_graph_tensor(result.r#type()));
                results || op.operands().any(|value| is_graph_tensor(value.r#type())) || has_tensors(op)
            })
        })
    })
}

impl<'c> State<'c> {
    /// Follows a block to its end; the end.
    pub(super) fn block<'a>(
        &mut self,
        block: BlockRef<'c, 'a>,
    ) -> Followed<'c, 'a, Option<OperationRef<'c, 'a>>> {
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
            "scf.if" => self.branch(op, &results),
            "scf.for" => self.counted_loop(op, &operands, &results),
            "scf.while" => self.open_loop(op, &operands, &results),
            "scf.index_switch" => self.switch(op, &results),
            "ub.poison" => {
                let tensors = results.iter().filter(|result| is_graph_tensor(result.r#type()));
                self.anything.extend(tensors.map(|result| key(*result)));
                Ok(())
            }
            "scf.execute_region" => {
                let given = self.blocks(op, single(op, 0)?)?;
                self.are(&results, given);
                Ok(())
            }
            "arith.select" => {
                let (first, second) = (self.thing(operands[1]), self.thing(operands[2]));
                self.join_into(op, &results, vec![first], vec![second])
            }
            "func.call" => {
                let tensors = operands.iter().chain(&results).any(|value| is_graph_tensor(value.r#type()));
                if tensors {
                    return self.call(op, &operands, &results);
                }
                self.counts(op, &results);
                Ok(())
            }
            _ => self.unknown(op, &operands, &results),
        }
    }

    /// `scf.if`: the results are what either branch gives.
    fn branch<'a>(&mut self, op: OperationRef<'c, 'a>, results: &[Value<'c, 'a>]) -> Followed<'c, 'a, ()> {
        let before = self.values.snapshot();
        let first = self.with(single(op, 0)?, vec![], 0)?;
        let after = self.values.snapshot();
        self.values.back_to(before);
        let second = match op.region(1).ok().and_then(|region| region.first_block()) {
            Some(block) => self.with(block, vec![], 0)?,
            None => first.clone(),
        };
        self.values.meet(&after);
        self.join_into(op, results, first, second)
    }

    /// `scf.for`: the counter goes round beside what is carried.
    fn counted_loop<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
        results: &[Value<'c, 'a>],
    ) -> Followed<'c, 'a, ()> {
        let body = single(op, 0)?;
        let mut carried = self.things(&operands[3..]);
        self.counts(op, &arguments(body)[..1]);
        let count = self.thing(arguments(body)[0]);
        carried.insert(0, count.clone());
        let around = self.round(op, body, carried, |state, given| {
            let mut yielded = state.with(body, given, 0)?;
            yielded.insert(0, count.clone());
            Ok(yielded)
        })?;
        self.are(results, around[1..].to_vec());
        Ok(())
    }

    /// `scf.while`: the results are what the condition's block passes on.
    fn open_loop<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
        results: &[Value<'c, 'a>],
    ) -> Followed<'c, 'a, ()> {
        let (before, after) = (single(op, 0)?, single(op, 1)?);
        let carried = self.things(operands);
        self.round(op, before, carried, |state, given| {
            let passed = state.with(before, given, 1)?;
            state.are(results, passed.clone());
            state.with(after, passed, 0)
        })?;
        Ok(())
    }

    /// `scf.index_switch`: the results are what any of the cases gives.
    fn switch<'a>(&mut self, op: OperationRef<'c, 'a>, results: &[Value<'c, 'a>]) -> Followed<'c, 'a, ()> {
        let before = self.values.snapshot();
        let mut joined: Option<Vec<Thing<'c>>> = None;
        for region in 0..op.region_count() {
            let after = self.values.snapshot();
            self.values.back_to(before.clone());
            let given = self.with(single(op, region)?, vec![], 0)?;
            joined = Some(match joined {
                None => given,
                Some(known) => {
                    self.values.meet(&after);
                    self.all_joined(op, results, known, given)?
                }
            });
        }
        self.are(results, joined.unwrap_or_default());
        Ok(())
    }

    /// An operation that is not known by its name: it computes a number, or may write the tensors that it
    /// takes.
    ///
    /// # Errors
    /// It makes a graph tensor, or has something to do with one inside.
    fn unknown<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
        results: &[Value<'c, 'a>],
    ) -> Followed<'c, 'a, ()> {
        if let Some(number) = numbers::computed(op, &|value| self.number(value), &|value| {
            self.fake(value).map(|fake| fake.known.layout.sizes.clone())
        }) {
            self.numbers.insert(key(results[0]), number);
            return Ok(());
        }
        if results.iter().any(|result| is_graph_tensor(result.r#type())) || has_tensors(op) {
            return Err(wrong(
                op,
                "makes a graph tensor of which nothing is known: fake tensors pass through graph, scf, cf and calls",
            ));
        }
        // It may write what it takes.
        for operand in operands.iter().filter(|operand| is_graph_tensor(operand.r#type())) {
            self.asked.clear();
            self.uses(*operand, Uses::ANY);
            if let Some(fake) = self.fakes.get(&key(*operand)) {
                self.values.forget(&fake.storages);
            }
        }
        self.counts(op, results);
        Ok(())
    }

    /// Numbers that are known when the program runs: symbols.
    pub(super) fn counts(&mut self, op: OperationRef<'c, '_>, values: &[Value<'c, '_>]) {
        let by = self.asks(op);
        for value in values.iter().filter(|value| types::is_count(value.r#type())) {
            let number = self.once((*value, 0), i64::MIN, Entry::Computed { by });
            self.numbers.insert(key(*value), number);
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
        let site = (self.path, op.to_raw().ptr as usize);
        if let Some(known) = self.rounds.get(&site).cloned() {
            carried = self.all_joined(op, &values, carried, known)?;
        }
        self.loops += 1;
        for _ in 0..ROUNDS {
            self.asked.clear();
            let lost = self.values.lost;
            let back = follow(self, carried.clone())?;
            self.asked.clear();
            let next = self.all_joined(op, &values, carried.clone(), back)?;
            let same = carried.iter().zip(&next).all(|(a, b)| Self::is_same(a, b));
            if same && self.values.lost == lost {
                self.loops -= 1;
                if self.loops > 0 {
                    self.rounds.insert(site, next.clone());
                } else {
                    self.rounds.clear();
                }
                return Ok(next);
            }
            carried = next;
        }
        Err(wrong(op, "goes round with tensors that never stay the same"))
    }
}
