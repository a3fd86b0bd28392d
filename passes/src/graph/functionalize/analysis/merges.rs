//! What tensors are where ways meet.
//!
//! Each way brings along a tensor for each place. One whose storage was there before is that one, whatever
//! way it came. A storage that is new on the way is known behind it only by what it brings along: it becomes
//! a *slot*, the storage of the first place that has it, and all ways that bring such a storage there fill
//! the same slot. What the tensors of all places are together is a state; which one it is, the way says by a
//! selector. A tensor that is poison on one way is what it is on another.

use super::{
    joins::{Branch, Merge, Object, Part, Passed, Round, Since},
    state::Analysis,
    tensors::{Choice, Origin, Tensor},
};
use melior::ir::{OperationRef, Value};
use smallvec::{SmallVec, smallvec};
use terrace_dialects::ir::{OperationLike, operations, operations::users, refusal::Reason};

impl Merge {
    /// How many states there are.
    pub fn count(&self) -> usize {
        self.identities.len()
    }

    /// What the tensor of a place is: where nobody looks at it, what it is in another state.
    pub fn choice(&self, place: usize) -> Choice {
        let is_seen = |parts: &Vec<Part>| !matches!(parts[place].object, Object::Any(_));
        let transform = self.states.iter().position(is_seen).unwrap_or(0);
        let own = |(parts, all): (&Vec<Part>, &Vec<usize>)| match is_seen(parts) {
            true => all[place],
            false => self.identities[transform][place],
        };
        let states: SmallVec<[usize; 1]> = self.states.iter().zip(&self.identities).map(own).collect();
        match self.selector {
            Some(selector) if states.iter().any(|state| *state != states[0]) => {
                Choice { by: vec![selector], states }
            }
            _ => Choice { by: vec![], states: smallvec![states[0]] },
        }
    }
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// The states of a loop behind the first, those that are made of what came in and of the loop's own
    /// tensors.
    pub(crate) fn rounds(&self, merge: &Merge) -> Vec<Round> {
        let slot_of = |storage: usize| {
            merge.keys.iter().find(|(_, slot)| **slot == storage).map(|((place, ..), _)| *place)
        };
        let passed = |place: usize, part: &Part, identity: usize| match part.object {
            Object::Known(known) if known == merge.identities[0][place] => Some(Passed::AsItCame),
            Object::At(first) => match part.origin {
                Origin::Fresh(storage) => {
                    Some(Passed::Own { identity, place: first, slot: slot_of(storage)? })
                }
                _ => None,
            },
            _ => None,
        };
        let all = merge.states.iter().zip(&merge.identities).skip(1);
        all.filter_map(|(parts, identities)| {
            let places = parts.iter().zip(identities).enumerate();
            places.map(|(place, (part, identity))| passed(place, part, *identity)).collect()
        })
        .collect()
    }

    /// Takes in the states in which a loop came round when it was followed before: a loop inside of another
    /// one is followed in each of its rounds. A state that it does not come round in any more says too much,
    /// which is no mistake.
    pub(crate) fn come_round(
        &mut self,
        merge: &mut Merge,
        op: OperationRef<'c, 'a>,
        rounds: &[Round],
    ) -> Result<(), String> {
        for round in rounds {
            let (mut parts, mut tensors): (Vec<Part>, Vec<Tensor>) = (vec![], vec![]);
            for (place, passed) in round.iter().enumerate() {
                let (part, tensor) = match *passed {
                    Passed::AsItCame => (
                        merge.states[0][place].clone(),
                        self.identities[merge.identities[0][place]].0.clone(),
                    ),
                    Passed::Own { identity, place, slot } => {
                        let old = self.identities[identity].0.clone();
                        let Origin::Fresh(number) = old.origin else { return Ok(()) };
                        let origin = Origin::Fresh(self.slot(merge, op, slot, number)?);
                        let (layout, transform) = (old.layout.key(), old.transform);
                        let part = Part { origin, layout, transform, object: Object::At(place) };
                        (part, old)
                    }
                };
                parts.push(part);
                tensors.push(tensor);
            }
            self.state(merge, parts, tensors)?;
        }
        Ok(())
    }

    /// What there is now.
    pub(crate) fn since(&self) -> Since {
        Since {
            fresh: self.fresh.len(),
            dynamic_views: self.dynamic_views.len(),
            identities: self.identities.len(),
            symbols: self.symbols.len(),
        }
    }

    /// A way comes to a merge of an operation, with tensors in its places. Where it `takes` new tensors that
    /// were there before and that nobody else has, these become what is new on the way.
    ///
    /// # Errors
    /// What can't go along it.
    pub(crate) fn arrive(
        &mut self,
        merge: &mut Merge,
        op: OperationRef<'c, 'a>,
        brought: &[Value<'c, 'a>],
        since: Since,
        takes: bool,
    ) -> Result<Branch, String> {
        let (by, count) = self.selectors_of(brought)?;
        let (mut states, mut fills) = (Vec::with_capacity(count), Vec::with_capacity(count));
        self.in_each(&by, |analysis, _| {
            let mut filled: Vec<(usize, usize)> = vec![];
            let (mut parts, mut tensors): (Vec<Part>, Vec<Tensor>) = (vec![], vec![]);
            for (place, value) in brought.iter().enumerate() {
                let tensor = analysis.known(*value)?.clone();
                let mut origin = tensor.origin;
                if matches!(origin, Origin::DynamicView(number) if number >= since.dynamic_views) {
                    return Err(Reason::Branches.says("brings along a view at an index that is known at run time only: copy it by graph.clone"));
                }
                if analysis.is_new_since(since.symbols, &tensor.layout) {
                    return Err(Reason::Branches.says("brings along a tensor of a size that is known only inside: what comes out has the same size on all ways"));
                }
                let mut object = match tensor.identity {
                    new if new >= since.identities => Object::At(place),
                    known => Object::Known(known),
                };
                if let Origin::Fresh(number) = tensor.origin
                    && analysis.anything.values().any(|any| *any == number)
                {
                    object = Object::Any(tensor.identity);
                } else if let Origin::Fresh(number) = tensor.origin {
                    let whole = analysis.fresh[number].identity == tensor.identity;
                    let taken = takes && whole && analysis.is_taken_over(op, *value, number);
                    if number >= since.fresh || taken {
                        let slot = match filled.iter().find(|(_, storage)| *storage == number) {
                            Some((slot, _)) => *slot,
                            None => analysis.slot(merge, op, place, number)?,
                        };
                        if !filled.contains(&(slot, number)) {
                            filled.push((slot, number));
                        }
                        origin = Origin::Fresh(slot);
                        object = Object::At(place);
                    }
                }
                // The same tensor in two places.
                if let Some(first) = tensors.iter().position(|other| other.identity == tensor.identity) {
                    object = parts[first].object;
                }
                parts.push(Part { origin, layout: tensor.layout.key(), transform: tensor.transform, object });
                tensors.push(tensor);
            }
            states.push(analysis.state(merge, parts, tensors)?);
            fills.push(filled);
            Ok::<(), String>(())
        })?;
        Ok(Branch { by, states, fills })
    }

    /// Whether an operation takes a new storage over, which a value is all of: it was made for this value
    /// alone, nobody else uses the value, and it is made as often as it is taken.
    fn is_taken_over(&self, op: OperationRef<'c, 'a>, value: Value<'c, 'a>, number: usize) -> bool {
        let Some(made) = operations::result(value) else { return false };
        let owner = made.owner();
        if owner != self.fresh[number].op || owner.block() != op.block() {
            return false;
        }
        let has_it = |result: &Value| {
            self.choice(*result).is_some_and(|choice| {
                choice.states.iter().any(|state| self.identities[*state].0.origin == Origin::Fresh(number))
            })
        };
        if owner.results().map(Value::from).filter(has_it).count() != 1 {
            return false;
        }
        users(value).take(2).count() == 1
    }

    /// The slot that a new storage fills which comes first in a place.
    fn slot(
        &mut self,
        merge: &mut Merge,
        op: OperationRef<'c, 'a>,
        place: usize,
        number: usize,
    ) -> Result<usize, String> {
        let own = &self.fresh[number];
        if own.logical {
            let why = Reason::Layout.says(format!(
                "brings along a tensor with strides that eager derives from those of an argument, {}",
                crate::graph::functionalize::UNKNOWN
            ));
            return Err(why);
        }
        if self.is_resized(Origin::Fresh(number)) {
            return Err(Reason::Branches
                .says("brings along a tensor whose storage was made another size: bring a clone"));
        }
        let (key, layout) = ((place, own.layout.key(), own.dtype), own.layout.clone());
        if let Some(slot) = merge.keys.get(&key) {
            return Ok(*slot);
        }
        let slot = self.new_storage(op, None, layout, key.2);
        merge.keys.insert(key, slot);
        merge.slots.push(slot);
        Ok(slot)
    }

    /// The state in which tensors are so, or that in which they could be where nobody looks at some of them.
    fn state(&mut self, merge: &mut Merge, parts: Vec<Part>, tensors: Vec<Tensor>) -> Result<usize, String> {
        let is_any = |part: &Part| matches!(part.object, Object::Any(_));
        let fits =
            |known: &Vec<Part>| known.iter().zip(&parts).all(|(a, b)| a == b || is_any(a) || is_any(b));
        let exact = merge.states.iter().position(|known| *known == parts);
        let state = exact.or_else(|| merge.states.iter().position(fits));
        let number = state.unwrap_or(merge.states.len());
        for (place, tensor) in tensors.iter().enumerate().filter(|(place, _)| !is_any(&parts[*place])) {
            let mut others =
                merge.identities.iter().zip(&merge.states).filter(|(_, known)| !is_any(&known[place]));
            if let Some((all, _)) = others.next()
                && all[place] != usize::MAX
            {
                self.one_size(&self.identities[all[place]].0.layout.sizes, &tensor.layout.sizes)?;
            }
        }
        if number == crate::graph::functionalize::analysis::tensors::MOST {
            return Err(Reason::Branches.says(format!(
                "brings along tensors that may be more than {} different ones: copy them by graph.clone where ways meet",
                crate::graph::functionalize::analysis::tensors::MOST
            )));
        }
        if state.is_none() {
            merge.states.push(parts.clone());
            merge.identities.push(vec![usize::MAX; parts.len()]);
        }
        for (place, (part, tensor)) in parts.into_iter().zip(tensors).enumerate() {
            let known = &mut merge.states[number][place];
            let named = merge.identities[number][place] != usize::MAX;
            if named && (is_any(&part) || !is_any(known)) {
                continue;
            }
            *known = part.clone();
            merge.news += 1;
            merge.identities[number][place] = match part.object {
                Object::Known(identity) | Object::Any(identity) => identity,
                Object::At(first) if first < place => merge.identities[number][first],
                Object::At(_) => {
                    let made =
                        self.identities[tensor.identity].1.clone().filter(|_| part.origin == tensor.origin);
                    self.object(Tensor { origin: part.origin, ..tensor }, made)
                }
            };
        }
        Ok(number)
    }
}
