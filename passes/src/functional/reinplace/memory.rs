//! Whose memory a value lies in, and whether an operation may take it.
//!
//! A tensor that an operation makes has memory of its own; a view has its source's. What control flow
//! forwards to (results, and arguments of bodies) has memory of its own if all that may come in there has,
//! and gives it away: a greatest fixpoint over the edges from what is forwarded to where it arrives, so that
//! a buffer that goes round in a loop, or is exchanged with another one, is found.

use super::regions;
use crate::functional::{convert_to_loop::is_read_through, view_to_copy::copy_of};
use melior::ir::{OperationRef, RegionLike, Value};
use std::collections::HashMap;
use terrace_dialects::{
    analysis::flow::forwarded,
    ir::{
        BlockLike, OperationLike, annotations,
        operations::{arguments, blocks, collect, definition, home, key, name_of, users},
        registry,
    },
};
use terrace_layout::{Layout, overlap::overlap};

/// Uses of one value and its views that are looked at before they count as a conflict.
pub const LOOKED_AT: usize = 256;

/// What an operation does with the memory that it takes.
pub enum Access {
    /// It writes this part of it, and reads none of it.
    Part(Option<Layout>),
    /// It writes each element, and may read that element before.
    EachElement,
    /// It hands it on.
    Whole,
}

/// When an operation runs.
#[derive(PartialEq)]
enum When {
    Before,
    After,
    /// Where it runs another branch is taken.
    Never,
}

/// Something that takes over memory, and one way by which it comes: what is handed on, and the operation that
/// does.
type Edge<'c, 'a> = (Value<'c, 'a>, OperationRef<'c, 'a>);

/// What is known of the memory of a function.
pub struct Memory {
    /// Operations in the order of the text.
    order: HashMap<usize, usize>,
    /// Whether what scf operations hand on has memory of its own.
    handed: HashMap<usize, bool>,
    /// Arguments of the function that are donated.
    donated: HashMap<usize, bool>,
}

fn at(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}

/// Whether a value is read where its source lies.
fn is_view(op: OperationRef) -> bool {
    copy_of(op).is_some() || (is_read_through(op) && name_of(op) != "functional.full")
}

impl Memory {
    /// Looks at a function of one block.
    pub fn of(function: OperationRef) -> Self {
        let all = collect(function, |_| true);
        let order = all.iter().enumerate().map(|(number, op)| (at(*op), number)).collect();
        let block = function.region(0).ok().and_then(|region| region.first_block());
        let own = block.into_iter().flat_map(arguments).enumerate();
        let donated =
            own.map(|(i, value)| (key(value), annotations::donated(function, i).is_some())).collect();
        let mut memory = Self { order, handed: HashMap::new(), donated };
        let mut edges: Vec<(usize, Vec<Edge>)> = all.iter().flat_map(|op| arrivals(*op)).collect();
        // What is not given away, or by one operation twice, is nobody's alone.
        for (target, ways) in &mut edges {
            let given = |(value, by): &Edge| memory.is_free(*value, *by, &Access::Whole).is_some();
            let all = !ways.is_empty() && ways.iter().all(given);
            memory.handed.insert(*target, all);
        }
        loop {
            let mut changed = false;
            for (target, ways) in &edges {
                if memory.handed[target] && !ways.iter().all(|(value, _)| memory.is_own(*value)) {
                    memory.handed.insert(*target, false);
                    changed = true;
                }
            }
            if !changed {
                return memory;
            }
        }
    }

    /// Rule 1: whether a value has memory of its own, which the function may write.
    fn is_own(&self, value: Value) -> bool {
        if let Some(known) = self.handed.get(&key(value)) {
            return *known;
        }
        match definition(value) {
            Some(op) => registry::of(op).is_some_and(|class| class.dialect == "functional") && !is_view(op),
            None => self.donated.get(&key(value)).copied().unwrap_or(false),
        }
    }

    /// Whether an operation may take the memory of a value: the views that are read afterwards, but where it
    /// writes nothing, which have to be views of its result. None where it may not.
    pub fn take<'c, 'a>(
        &self,
        value: Value<'c, 'a>,
        op: OperationRef<'c, 'a>,
        access: &Access,
    ) -> Option<Vec<OperationRef<'c, 'a>>> {
        if self.is_own(value) { self.is_free(value, op, access) } else { None }
    }

    /// Rules 2 to 4.
    fn is_free<'c, 'a>(
        &self,
        value: Value<'c, 'a>,
        op: OperationRef<'c, 'a>,
        access: &Access,
    ) -> Option<Vec<OperationRef<'c, 'a>>> {
        let branches = branches(value, op)?;
        let mut search =
            Search { memory: self, op, access, branches, readers: vec![], looked_at: 0, taken: 0 };
        search.reads(value, regions::whole(value), true)?;
        Some(search.readers)
    }

    fn order(&self, op: OperationRef) -> usize {
        self.order[&at(op)]
    }
}

/// The branches of scf.if that an operation stands in, below the block of a value; None where it stands in
/// anything else there: in a loop the value would be read again.
fn branches<'c, 'a>(value: Value<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<Vec<(usize, usize)>> {
    let home = home(value)?;
    let mut found = vec![];
    let mut inner = op;
    while inner.block()? != home {
        let outer = inner.parent_operation()?;
        if name_of(outer) != "scf.if" {
            return None;
        }
        found.push((at(outer), region_of(inner, outer)));
        inner = outer;
    }
    Some(found)
}

/// The number of the region of `outer` that `inner` stands in.
fn region_of(inner: OperationRef, outer: OperationRef) -> usize {
    let own = inner.block().and_then(|block| block.parent_region()).map(|region| region.to_raw().ptr);
    let is_own = |number: &usize| outer.region(*number).ok().map(|region| region.to_raw().ptr) == own;
    (0..outer.region_count()).find(is_own).unwrap_or(0)
}

/// A look at everything that reads a memory.
struct Search<'s, 'c, 'a> {
    memory: &'s Memory,
    op: OperationRef<'c, 'a>,
    access: &'s Access,
    branches: Vec<(usize, usize)>,
    readers: Vec<OperationRef<'c, 'a>>,
    looked_at: usize,
    taken: usize,
}

impl<'c, 'a> Search<'_, 'c, 'a> {
    /// Looks at what uses a value, the one that is taken or a view of it; None is a conflict.
    fn reads(&mut self, value: Value<'c, 'a>, layout: Option<Layout>, is_taken: bool) -> Option<()> {
        for user in users(value) {
            self.looked_at += 1;
            if self.looked_at > LOOKED_AT {
                return None;
            }
            if user == self.op {
                self.operand(is_taken)?;
                continue;
            }
            let when = self.when(user);
            let later = when == When::After;
            if when == When::Never {
                continue;
            }
            if is_view(user) {
                let viewed = layout.as_ref().and_then(|own| regions::viewed(user, own));
                if !later {
                    self.reads(user.result_at(0).ok()?.into(), viewed, false)?;
                } else if is_taken && self.leaves_alone(viewed.as_ref()) && self.may_move(user) {
                    self.readers.push(user);
                } else {
                    return None;
                }
            } else if later || !is_reader(user) {
                return None;
            }
        }
        Some(())
    }

    /// Rule 3: the operation takes the memory by one operand, and reads it by no other; each element alone
    /// may be read.
    fn operand(&mut self, is_taken: bool) -> Option<()> {
        self.taken += 1;
        (is_taken && (self.taken == 1 || matches!(self.access, Access::EachElement))).then_some(())
    }

    /// Rule 2: when an operation runs, seen from the one that takes the memory.
    fn when(&self, user: OperationRef<'c, 'a>) -> When {
        let mut inner = user;
        while let Some(outer) = inner.parent_operation() {
            if let Some((_, branch)) = self.branches.iter().find(|(known, _)| *known == at(outer)) {
                if *branch != region_of(inner, outer) {
                    return When::Never;
                }
                break;
            }
            inner = outer;
        }
        if self.memory.order(user) < self.memory.order(self.op) { When::Before } else { When::After }
    }

    fn leaves_alone(&self, viewed: Option<&Layout>) -> bool {
        match (self.access, viewed) {
            (Access::Part(Some(written)), Some(viewed)) => !overlap(written, viewed),
            _ => false,
        }
    }

    /// Whether a view may become one of the result: where that is known, and before anybody takes it over as
    /// a whole.
    fn may_move(&self, view: OperationRef<'c, 'a>) -> bool {
        let ways = std::iter::successors(Some(view), |op| op.parent_operation());
        let known = ways.map(|op| op.block()).any(|block| block.is_some() && block == self.op.block());
        let Ok(result) = self.op.result_at(0) else { return false };
        let handed = |user: OperationRef| !is_view(user) && !is_reader(user);
        let before = |user: &OperationRef| self.memory.order(*user) < self.memory.order(view);
        known && !users(result.into()).take(LOOKED_AT).filter(before).any(handed)
    }
}

/// Whether an operation only reads its tensors: what it makes does not lie in their memory.
fn is_reader(op: OperationRef) -> bool {
    match registry::of(op).map(|class| class.dialect) {
        Some("functional") => !is_view(op),
        _ => name_of(op) == "tensor.extract" || name_of(op) == "tensor.dim",
    }
}

/// The values that structured control flow makes of others, and what each is made of.
fn arrivals<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<(usize, Vec<Edge<'c, 'a>>)> {
    let inner = blocks(op).into_iter().flat_map(arguments);
    let values = op.results().map(Value::from).chain(inner).filter(|_| op.region_count() > 0);
    let edges = |value| {
        let edge = |(by, number): (OperationRef<'c, 'a>, usize)| Some((by.operand(number).ok()?, by));
        forwarded(value).into_iter().filter_map(edge).collect::<Vec<_>>()
    };
    values.map(|value| (key(value), edges(value))).filter(|(_, edges)| !edges.is_empty()).collect()
}
