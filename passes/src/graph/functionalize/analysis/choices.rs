//! A tensor that is one of several, where ways meet: which one, a number says when the program runs.
//!
//! A *selector* is such a number; its states are counted from 0. All tensors that come along with each other,
//! the results of one `scf.if` or what goes round in one loop, have one selector, so that a state says of all
//! of them what they are: of two buffers that a loop swaps, no state has one buffer twice. An operation on
//! tensors of several selectors has a state for each combination.

use super::{
    state::{Analysis, At},
    tensors::{Choice, MOST, Selector},
};
use melior::ir::{OperationRef, Value};
use smallvec::{SmallVec, smallvec};
use terrace_dialects::ir::{OperationLike, operations::key, refusal::Reason};
use terrace_size::{Number, Size};

/// All combinations of as many states each; the last one changes fastest.
pub fn combinations(counts: &[usize]) -> Vec<Vec<usize>> {
    counts.iter().fold(vec![vec![]], |all, count| {
        all.iter().flat_map(|prefix| (0..*count).map(|n| [&prefix[..], &[n]].concat())).collect()
    })
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// The tensor that a value names, where that is one, or one in the states that are looked at.
    pub(crate) fn identity(&self, value: Value) -> Option<usize> {
        let choice = self.tensors.get(&key(value))?;
        let mut at = 0;
        for selector in &choice.by {
            let (_, state) = self.looked_at.iter().find(|(own, _)| own == selector)?;
            at = at * self.selectors[*selector].states + state;
        }
        choice.states.get(at).copied()
    }

    /// Which tensors a value may name.
    pub fn choice(&self, value: Value) -> Option<&Choice> {
        self.tensors.get(&key(value))
    }

    /// The number of states of each selector.
    pub fn counts(&self, by: &[usize]) -> Vec<usize> {
        by.iter().map(|selector| self.selectors[*selector].states).collect()
    }

    /// A new selector.
    pub(crate) fn selector(&mut self, states: usize) -> usize {
        self.selectors.push(Selector { states, condition: None });
        self.selectors.len() - 1
    }

    /// The selector that a truth value is.
    pub(crate) fn condition(&mut self, value: Value<'c, 'a>) -> usize {
        if let Some(known) = self.conditions.get(&key(value)) {
            return *known;
        }
        self.selectors.push(Selector { states: 2, condition: Some(value) });
        self.conditions.insert(key(value), self.selectors.len() - 1);
        self.selectors.len() - 1
    }

    /// The selectors that say which tensors some values are, each once, and how many combinations of states
    /// they have.
    pub(crate) fn selectors_of(&self, values: &[Value]) -> Result<(Vec<usize>, usize), String> {
        let mut by: Vec<usize> = vec![];
        for choice in values.iter().filter_map(|value| self.choice(*value)) {
            for selector in &choice.by {
                if !by.contains(selector) {
                    by.push(*selector);
                }
            }
        }
        let count = self.counts(&by).into_iter().try_fold(1usize, usize::checked_mul);
        match count.filter(|count| *count <= MOST) {
            Some(count) => Ok((by, count)),
            None => Err(Reason::Branches.says(format!(
                "is on tensors that may be more than {MOST} different ones, as control flow goes: copy them by graph.clone \
                 where ways meet"
            ))),
        }
    }

    /// Looks at each combination of the states of some selectors.
    pub(crate) fn in_each<E>(
        &mut self,
        by: &[usize],
        mut look: impl FnMut(&mut Self, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let outer = std::mem::take(&mut self.looked_at);
        for (number, states) in combinations(&self.counts(by)).into_iter().enumerate() {
            self.looked_at = by.iter().copied().zip(states).collect();
            let looked = look(self, number);
            if looked.is_err() {
                self.looked_at = outer;
                return looked;
            }
        }
        self.looked_at = outer;
        Ok(())
    }

    /// Takes in an operation in each combination of the states of its operands.
    pub(crate) fn visit_in_each(&mut self, op: OperationRef<'c, 'a>, by: &[usize]) -> Result<(), At<'c, 'a>> {
        let results: Vec<Value> = op.results().map(Value::from).collect();
        let mut states: Vec<SmallVec<[usize; 1]>> = vec![smallvec![]; results.len()];
        self.in_each(by, |analysis, number| {
            analysis.combination = number;
            let visited = analysis.visit_one(op);
            analysis.combination = 0;
            visited.map_err(|message| (op, message))?;
            for (result, states) in results.iter().zip(&mut states) {
                if let Some(new) =
                    analysis.tensors.get(&key(*result)).and_then(|choice| choice.states.first())
                {
                    states.push(analysis.alike(op, states, *new));
                }
            }
            Ok(())
        })?;
        for (result, states) in results.iter().zip(states) {
            if states.is_empty() {
                continue;
            }
            let one = states.iter().all(|state| *state == states[0]);
            let choice = match one {
                true => Choice { by: vec![], states: smallvec![states[0]] },
                false => Choice { by: by.to_vec(), states },
            };
            self.tensors.insert(key(*result), choice);
        }
        self.operands.insert(op.to_raw().ptr as usize, by.to_vec());
        self.same_shapes(op).map_err(|message| (op, message))
    }

    /// Of what an operation makes, the new storage among those of other states that has the same layout; the
    /// tensor itself where there is none, and where it was there before.
    fn alike(&self, op: OperationRef, before: &[usize], new: usize) -> usize {
        use super::tensors::Fresh;
        use crate::graph::functionalize::analysis::tensors::Origin;
        let whole = |identity: usize| match self.identities[identity].0.origin {
            Origin::Fresh(n) if self.fresh[n].identity == identity => Some(&self.fresh[n]),
            _ => None,
        };
        let is_made = |own: &&Fresh| own.op == op && !own.logical;
        let Some(own) = whole(new).filter(is_made) else { return new };
        let is_alike = |other: &&usize| {
            whole(**other).is_some_and(|other| is_made(&other) && other.layout.is_same(&own.layout))
        };
        before.iter().find(is_alike).copied().unwrap_or(new)
    }

    /// Refuses a write that has as many elements as repeat, where that differs from state to state.
    fn same_shapes(&self, op: OperationRef) -> Result<(), String> {
        let mut sizes: Vec<&Vec<Size>> = vec![];
        for all in self.writes_of(op) {
            for (number, access) in all.iter().enumerate() {
                let own = &self.accesses[*access].view.sizes;
                match sizes.get(number) {
                    Some(known) if !Size::assume_same(known, own) => {
                        return Err(Reason::Branches.says(
                            "writes one of several tensors of which different elements repeat: copy them by \
                                    graph.clone where ways meet",
                        ));
                    }
                    Some(_) => {}
                    None => sizes.push(own),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::combinations;

    #[test]
    fn the_last_selector_changes_fastest() {
        assert_eq!(combinations(&[]), [Vec::<usize>::new()]);
        assert_eq!(combinations(&[2, 2]), [[0, 0], [0, 1], [1, 0], [1, 1]]);
    }
}
