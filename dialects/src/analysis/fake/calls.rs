//! Calls, and the blocks of functions.

use super::{
    flow::{ROUNDS, arguments, single},
    join::{Followed, wrong},
    path::Found,
    state::State,
    tensor::Thing,
};
use crate::ir::{BlockLike, OperationLike, attributes as convert, kept, types::is_graph_tensor};
use melior::ir::{BlockRef, OperationRef, RegionLike, Value, ValueLike};
use std::collections::{HashMap, HashSet};

impl<'c> State<'c> {
    /// The function of a name, beside the one that an operation is in.
    pub(super) fn callee<'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        name: &str,
    ) -> Option<OperationRef<'c, 'a>> {
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
                    functions.insert(convert::string(name), kept::operation(op));
                }
            }
            functions
        });
        of_module.get(name).copied()
    }

    /// Follows a call into the function.
    pub(super) fn call<'a>(
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
        if self.calls.contains(&(callee.to_raw().ptr as usize)) {
            return Err(wrong(
                op,
                format!("calls @{name}, which is being called: fake tensors pass through no recursion"),
            ));
        }
        let given = self.things(operands);
        let outer = self.called_by.replace(self.asks(op));
        let returned = self.entered(callee, op.to_raw().ptr as usize, given);
        self.called_by = outer;
        self.are(results, returned?);
        Ok(())
    }

    /// Follows a function with arguments that are given; what it returns.
    ///
    /// # Errors
    /// As [`State::visit`].
    pub fn run<'a>(
        &mut self,
        function: OperationRef<'c, 'a>,
        given: Vec<Thing<'c>>,
    ) -> Followed<'c, 'a, Vec<Thing<'c>>> {
        // Each run is a call of its own.
        let site = usize::MAX - self.paths.len();
        let loops = self.loops;
        let followed = self.entered(function, site, given);
        if followed.is_err() {
            // What it came to before it was refused says nothing.
            self.loops = loops;
            self.anything_written();
        }
        followed
    }

    /// Follows a function that is called at a site.
    pub(super) fn entered<'a>(
        &mut self,
        function: OperationRef<'c, 'a>,
        site: usize,
        given: Vec<Thing<'c>>,
    ) -> Followed<'c, 'a, Vec<Thing<'c>>> {
        let count = self.paths.len() + 1;
        let path = *self.paths.entry((self.path, site)).or_insert(count);
        let outer = (std::mem::take(&mut self.fakes), std::mem::take(&mut self.numbers), self.path);
        self.path = path;
        self.calls.push(function.to_raw().ptr as usize);
        let followed = self.function(function, given);
        self.calls.pop();
        let (fakes, numbers) =
            (std::mem::replace(&mut self.fakes, outer.0), std::mem::replace(&mut self.numbers, outer.1));
        self.path = outer.2;
        self.found.insert(path, Found { fakes, numbers });
        followed
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
    pub(super) fn blocks<'a>(
        &mut self,
        function: OperationRef<'c, 'a>,
        entry: BlockRef<'c, 'a>,
    ) -> Followed<'c, 'a, Vec<Thing<'c>>> {
        let order = in_order(entry);
        let around = usize::from(order.len() > 1);
        self.loops += around;
        // What comes to each block but the first.
        let mut known: HashMap<usize, Vec<Thing<'c>>> = HashMap::new();
        for _ in 0..ROUNDS {
            let (mut changed, mut returned) = (false, None::<Vec<Thing<'c>>>);
            let lost = self.values.lost;
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
                    let values = arguments(successor);
                    let given = match passed(end, number, values.len()) {
                        Some(passed) => self.things(&passed),
                        None if values.iter().any(|value| is_graph_tensor(value.r#type())) => {
                            return Err(wrong(
                                end,
                                "is not supported on graph tensors: cf.br and cf.cond_br are",
                            ));
                        }
                        None => vec![Thing::Unknown; values.len()],
                    };
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
            if !changed && self.values.lost == lost || order.len() == 1 {
                self.loops -= around;
                return Ok(returned.unwrap_or_default());
            }
        }
        Err(wrong(function, "goes round with tensors that never stay the same"))
    }
}

/// The blocks that a block's end may go on with.
fn successors<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    block.terminator().map_or(vec![], |end| end.successors().collect())
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
