//! Versions of a function, for sizes that are not the usual ones.
//!
//! A function that is `graph.partial` is called where what was taken for granted of sizes did not hold: tensors have one element, or
//! none, fewer than something asks for, or different ones where they were taken for equal. It is made as any other, for the usual sizes, and then
//! for those that its guards leave out: one size is another, two are, and so on. Each version calls the next one where its guards do not hold.
//! What is refused for some sizes has no version for them: there the function is as it is written, `graph.eager`.
//!
//! Source: our own; a tracing compiler's side exits that are compiled in turn (Gal et al., "Trace-based just-in-time type specialization", 2009) are its
//! nearest relative.

use super::{guards, previous, sizes::places, split};
use crate::functions::{Names, attempt, erase_between};
use melior::ir::{
    Attribute, OperationRef,
    operation::{OperationMutLike, OperationRefMut},
};
use std::collections::{BTreeMap, HashSet, VecDeque};
use terrace_dialects::{
    arguments::EAGER,
    context,
    ir::{BlockLike, OperationLike},
    operations::collect,
    pass::Failure,
    size::{
        answers::Answers,
        symbols::{Relation, Symbols},
    },
};

/// How often a function of few operations is tried, and how many versions it has, at most.
const OF_FEW: [usize; 2] = [16, 6];

/// The same of any other function.
const OF_MANY: [usize; 2] = [12, 4];

/// How many operations are few.
const FEW: usize = 16;

/// Up to where sizes are looked at one by one.
const SMALL: i64 = 64;

/// For what a version is.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Version {
    /// Between which numbers symbols are, by their places.
    within: BTreeMap<usize, [i64; 2]>,
    /// What is answered first where nothing decides.
    answers: Vec<bool>,
}

/// Writes the versions of a function, in front of it and behind another operation.
pub fn write<'c, 'a>(
    mut function: OperationRef<'c, 'a>,
    mut before: Option<OperationRef<'c, 'a>>,
    names: &mut Names,
) -> Result<(), Failure> {
    let mut open = VecDeque::from([Version::default()]);
    let (mut known, mut versions) = (HashSet::new(), 0);
    let [tries, most] = if collect(function, |_| true).len() <= FEW { OF_FEW } else { OF_MANY };
    for _ in 0..tries {
        let Some(version) = open.pop_front().filter(|_| versions < most) else { break };
        let mut symbols = Symbols::within(version.within.clone());
        symbols.answers = Answers::beginning(version.answers.clone());
        let mut general = None;
        let made = attempt(function, || {
            general = split(function, false, names, &mut symbols)?;
            verified(before, function)
        })?;
        open.extend(left_out(&mut symbols, &version).into_iter().filter(|other| known.insert(other.clone())));
        match general {
            // What was made in vain stands in front of it.
            _ if !made => erase_between(before, Some(function)),
            None => return Ok(()),
            Some(general) => {
                // SAFETY: nobody holds on to its attributes.
                unsafe { OperationRefMut::from_raw(general.to_raw()) }.remove_attribute(EAGER)?;
                (function, versions) = (general, versions + 1);
                before = previous(before, general);
            }
        }
    }
    guards::set(function, EAGER, Attribute::unit(context::of(function.context())));
    Ok(())
}

/// Refuses functions that are not valid, from behind one to another one: for sizes that there are not a version may be any.
fn verified(before: Option<OperationRef>, function: OperationRef) -> Result<(), Failure> {
    let first = before.map_or_else(|| function.block()?.first_operation(), |before| before.next_in_block());
    let mut new = std::iter::successors(first.filter(|first| *first != function), |op| {
        op.next_in_block().filter(|next| *next != function)
    });
    if new.all(|op| op.verify()) && function.verify() { Ok(()) } else { Err(Failure::Reported) }
}

/// Versions for which one of the guards does not hold.
fn left_out(symbols: &mut Symbols, own: &Version) -> Vec<Version> {
    let (mut all, mut last) = (vec![], vec![]);
    for guard in symbols.guards().to_vec() {
        let places: Vec<usize> = symbols.enter(|| places([guard.left, guard.right])).into_iter().collect();
        let &[place] = &places[..] else {
            // Which of two sizes is larger, or whether they are equal.
            if let Some(answers) = guard.question.and_then(|question| symbols.answers.turned(question)) {
                last.push(Version { answers, ..own.clone() });
            }
            continue;
        };
        if own.within.contains_key(&place) {
            continue;
        }
        let breaks = |number: i64| {
            let mut numbers = vec![None; place + 1];
            numbers[place] = Some(number);
            symbols.guard_holds(&guard, &numbers) == Some(false)
        };
        all.extend(broken(guard.relation, breaks).into_iter().map(|numbers| {
            let mut within = own.within.clone();
            within.insert(place, numbers);
            Version { within, answers: vec![] }
        }));
    }
    all.extend(last);
    all
}

/// The small sizes for which a guard does not hold: 0 and 1 alone, and of others those that are below something together.
fn broken(relation: Relation, breaks: impl Fn(i64) -> bool) -> Vec<[i64; 2]> {
    let mut all: Vec<[i64; 2]> = (0..2).filter(|number| breaks(*number)).map(|number| [number; 2]).collect();
    let more = 2..SMALL;
    match relation {
        Relation::AtMost => {
            let end = more.take_while(|number| breaks(*number)).last();
            // One that all of them break is about large sizes.
            all.extend(end.filter(|end| *end < SMALL - 1).map(|end| [2, end]));
        }
        Relation::Equal if more.clone().filter(|number| breaks(*number)).count() == 1 => {
            all.extend(more.filter(|number| breaks(*number)).map(|number| [number; 2]));
        }
        Relation::Equal => {}
    }
    all
}

/// The name of which those of versions are made: what is left of that of the function that other sizes have.
pub fn base(name: &str) -> &str {
    match name.rsplit_once(".general") {
        Some((base, number)) if number.trim_start_matches('_').bytes().all(|byte| byte.is_ascii_digit()) => {
            base
        }
        _ => name,
    }
}
