//! Control flow of `scf`, followed before anything is changed: which tensors may come out of it, what is
//! written inside.
//!
//! A branch is followed once, a loop until no new tensor goes round. A loop inside of another one begins with
//! what came round before, so that all of a nest is followed about as often as it is deep.
//! [`merges`](super::merges) says what tensors are where ways meet.

use super::{
    joins::{Branch, Flow, Merge, Since},
    state::{Analysis, At},
    tensors::{Choice, Layout},
};
use melior::ir::{BlockRef, OperationRef, RegionLike, Value, ValueLike};
use smallvec::{SmallVec, smallvec};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        operations::key,
        registry,
        types::{TensorType, is_graph_tensor},
    },
};
use terrace_size::Size;

/// Rounds of a loop, after which it is given up: each but the last adds a state, or says what a tensor is
/// that could be any.
const ROUNDS: usize = 2 * crate::graph::functionalize::analysis::tensors::MOST;

fn name(op: OperationRef) -> String {
    op.name().as_string_ref().as_str().unwrap_or_default().to_string()
}

/// The block of a region; None where it has none.
pub(crate) fn single<'c, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Option<BlockRef<'c, 'a>> {
    op.region(region).ok().and_then(|region| region.first_block())
}

/// The graph tensors among values.
pub(crate) fn tensors<'c, 'a>(values: impl IntoIterator<Item = Value<'c, 'a>>) -> Vec<Value<'c, 'a>> {
    values.into_iter().filter(|value| is_graph_tensor(value.r#type())).collect()
}

fn results<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    tensors(op.results().map(Value::from))
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Takes in the operations of a block but for the last, which it returns.
    pub(crate) fn block(
        &mut self,
        block: BlockRef<'c, 'a>,
    ) -> Result<Option<OperationRef<'c, 'a>>, At<'c, 'a>> {
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

    /// Follows what is control flow on graph tensors; says whether it was.
    pub(crate) fn follow(&mut self, op: OperationRef<'c, 'a>) -> Result<bool, At<'c, 'a>> {
        // Most operations are of graph.
        if registry::of(op).is_some() {
            return Ok(false);
        }
        let name = name(op);
        match name.as_str() {
            "arith.select" | "ub.poison" if results(op).is_empty() => return Ok(false),
            "arith.select" => self.selected(op).map_err(|message| (op, message))?,
            "ub.poison" => self.any(op).map_err(|message| (op, message))?,
            "scf.if" | "scf.index_switch" | "scf.execute_region" | "scf.for" | "scf.while" => {
                if !crate::graph::functionalize::analysis::state::accesses_tensors(op) {
                    return Ok(false);
                }
                let blocks = op
                    .regions()
                    .all(|region| region.first_block().is_none_or(|block| block.next_in_region().is_none()));
                if !blocks {
                    return Err((
                        op,
                        "has several blocks in a region: make them operations of scf by graph-structure"
                            .into(),
                    ));
                }
                let outside = self.outside.replace(self.fresh.len());
                let followed = match name.as_str() {
                    "scf.for" => self.counted(op),
                    "scf.while" => self.repeated(op),
                    _ => self.branches(op),
                };
                if outside.is_none() {
                    self.came_round.clear();
                }
                self.outside = outside;
                followed?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// One of two tensors.
    fn selected(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let operand = |at| op.operand(at).map_err(|e| e.to_string());
        // Of what is no shaped type one truth value selects.
        let (condition, sides) = (operand(0)?, [operand(1)?, operand(2)?]);
        let own = self.condition(condition);
        let (mut by, _) = self.selectors_of(&sides)?;
        if !by.contains(&own) {
            by.insert(0, own);
        }
        let mut states: SmallVec<[usize; 1]> = smallvec![];
        self.in_each(&by, |analysis, _| {
            let (_, state) = analysis
                .looked_at
                .iter()
                .find(|(selector, _)| *selector == own)
                .ok_or(internal!("has no state"))?;
            let identity = analysis
                .identity(sides[*state])
                .ok_or(internal!("uses a tensor that comes from elsewhere"))?;
            states.push(identity);
            Ok::<(), String>(())
        })?;
        for state in &states[1..] {
            let sizes = |identity: usize| &self.identities[identity].0.layout.sizes;
            self.one_size(sizes(states[0]), sizes(*state))?;
        }
        let choice = match states.iter().all(|state| *state == states[0]) {
            true => Choice { by: vec![], states: smallvec![states[0]] },
            false => Choice { by, states },
        };
        let result: Value = op.result_at(0).map_err(|e| e.to_string())?.into();
        self.tensors.insert(key(result), choice);
        Ok(())
    }

    /// Any tensor at all: nobody looks at it.
    fn any(&mut self, op: OperationRef<'c, 'a>) -> Result<(), String> {
        let result: Value = op.result_at(0).map_err(|e| e.to_string())?.into();
        let ty = TensorType::of(result.r#type()).ok_or(internal!("is no tensor of numbers"))?;
        let key = (ty.shape.clone(), ty.dtype);
        // Of a size that is not said none is as good as any.
        let sizes: Vec<Size> = ty.shape.iter().map(|size| (*size).max(0).into()).collect();
        let number = match self.anything.get(&key) {
            Some(known) => *known,
            None => self.new_storage(op, None, Layout::contiguous(&sizes), ty.dtype),
        };
        self.anything.insert(key, number);
        self.is(result, self.fresh[number].identity);
        Ok(())
    }

    /// Makes values one of what comes where ways meet.
    fn enter(&mut self, merge: &Merge, values: &[Value<'c, 'a>]) {
        for (place, value) in values.iter().enumerate() {
            let choice = merge.choice(place);
            self.tensors.insert(key(*value), choice);
        }
    }

    /// A condition that each branch has a state of its own for is the selector.
    fn branches(&mut self, op: OperationRef<'c, 'a>) -> Result<(), At<'c, 'a>> {
        let (since, start) = (self.since(), self.accesses.len());
        let (mut merge, mut branches) = (Merge::default(), vec![]);
        for region in 0..op.region_count() {
            let mut brought = vec![];
            if let Some(block) = single(op, region)
                && let Some(end) = self.block(block)?
            {
                brought = tensors(end.operands());
            }
            let branch =
                self.arrive(&mut merge, op, &brought, since, true).map_err(|message| (op, message))?;
            branches.push(branch);
        }
        let by_condition = name(op) == "scf.if" && branches.len() == 2 && merge.count() == 2;
        if by_condition
            && branches.iter().enumerate().all(|(number, branch)| branch.states.iter().all(|s| *s == number))
        {
            let condition = op.operand(0).map_err(|e| (op, e.to_string()))?;
            merge.selector = Some(self.condition(condition));
        } else {
            self.select_by(&mut merge);
        }
        self.enter(&merge, &results(op));
        let flow = Flow { merges: vec![merge], branches, accesses: start..self.accesses.len(), since };
        self.flows.insert(op.to_raw().ptr as usize, flow);
        Ok(())
    }

    /// Gives a place where ways meet a selector of its own, where there is something to select.
    fn select_by(&mut self, merge: &mut Merge) {
        merge.selector = if merge.count() > 1 { Some(self.selector(merge.count())) } else { None };
    }

    /// Begins with what came round when the loop was followed before.
    fn begin_with(&mut self, head: &mut Merge, op: OperationRef<'c, 'a>) -> Result<(), String> {
        match self.came_round.remove(&(op.to_raw().ptr as usize)) {
            Some(rounds) => self.come_round(head, op, &rounds),
            None => Ok(()),
        }
    }

    /// Keeps what a loop came to.
    fn leave(
        &mut self,
        op: OperationRef<'c, 'a>,
        merges: Vec<Merge>,
        branches: Vec<Branch>,
        start: usize,
        since: Since,
    ) {
        // What comes first in a round comes after what came last in the one before.
        self.opaque = self.opaque.map(|first| if first >= start { start } else { first });
        let rounds = self.rounds(&merges[0]);
        self.came_round.insert(op.to_raw().ptr as usize, rounds);
        let flow = Flow { merges, branches, accesses: start..self.accesses.len(), since };
        self.flows.insert(op.to_raw().ptr as usize, flow);
    }

    fn counted(&mut self, op: OperationRef<'c, 'a>) -> Result<(), At<'c, 'a>> {
        let body = single(op, 0).ok_or((op, "has no body".to_string()))?;
        let since = self.since();
        let round = tensors(terrace_dialects::ir::operations::arguments(body));
        let mut head = Merge::default();
        let brought = tensors(op.operands().skip(3));
        let into = self.arrive(&mut head, op, &brought, since, true).map_err(|message| (op, message))?;
        self.begin_with(&mut head, op).map_err(|message| (op, message))?;
        for _ in 0..ROUNDS {
            let (known, start) = (head.news, self.accesses.len());
            self.select_by(&mut head);
            self.enter(&head, &round);
            let end = self.block(body)?;
            let brought = tensors(end.iter().flat_map(|end| end.operands()));
            let back = self.arrive(&mut head, op, &brought, since, false).map_err(|message| (op, message))?;
            if head.news == known {
                self.enter(&head, &results(op));
                self.leave(op, vec![head], vec![into, back], start, since);
                return Ok(());
            }
        }
        Err((op, "goes round with tensors that are others each time".into()))
    }

    fn repeated(&mut self, op: OperationRef<'c, 'a>) -> Result<(), At<'c, 'a>> {
        let blocks = single(op, 0).zip(single(op, 1));
        let (before, after) = blocks.ok_or((op, "has no body".to_string()))?;
        let since = self.since();
        let [at_start, on] =
            [before, after].map(|block| tensors(terrace_dialects::ir::operations::arguments(block)));
        let mut head = Merge::default();
        let brought = tensors(op.operands());
        let into = self.arrive(&mut head, op, &brought, since, true).map_err(|message| (op, message))?;
        self.begin_with(&mut head, op).map_err(|message| (op, message))?;
        for _ in 0..ROUNDS {
            let (known, start) = (head.news, self.accesses.len());
            self.select_by(&mut head);
            self.enter(&head, &at_start);
            let decides = self.block(before)?;
            let brought = tensors(decides.iter().flat_map(|end| end.operands()));
            let mut exit = Merge::default();
            let out = self.arrive(&mut exit, op, &brought, since, false).map_err(|message| (op, message))?;
            self.select_by(&mut exit);
            self.enter(&exit, &on);
            let end = self.block(after)?;
            let brought = tensors(end.iter().flat_map(|end| end.operands()));
            let back = self.arrive(&mut head, op, &brought, since, false).map_err(|message| (op, message))?;
            if head.news == known {
                self.enter(&exit, &results(op));
                self.leave(op, vec![head, exit], vec![into, back, out], start, since);
                return Ok(());
            }
        }
        Err((op, "goes round with tensors that are others each time".into()))
    }
}
