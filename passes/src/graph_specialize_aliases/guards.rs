//! Which variants a function has, and what guards each of them.
//!
//! Two arguments are a pair to be tested where one of them is written, the other one is read or written, and nothing says
//! whether they share memory. What says it are declarations, and in a variant that is for arguments which share a storage the
//! test that they do. A variant is entered only where all pairs that are left are disjoint.

use super::usage::Argument;
use std::collections::HashSet;
use terrace_dialects::{
    fake::Uses,
    pass::Failure,
    strided::{Layout, overlap::overlap},
};

/// What the options ask for.
#[derive(Clone, Copy)]
pub struct Wanted {
    disjoint: bool,
    same: bool,
    same_storage: bool,
    pairs: usize,
    /// No function has a variant, and each runs as it is written.
    pub only_general: bool,
}

impl Wanted {
    /// Reads options; without variants, `disjoint`.
    pub fn new(variants: &[String], most: i64) -> Result<Self, Failure> {
        let pairs = usize::try_from(most).map_err(|_| format!("max-variants is not negative, got {most}"))?;
        let mut wanted = Wanted {
            disjoint: variants.is_empty(),
            same: false,
            same_storage: false,
            pairs,
            only_general: false,
        };
        for variant in variants {
            match variant.trim() {
                "disjoint" => wanted.disjoint = true,
                "same" => wanted.same = true,
                "same-storage" => wanted.same_storage = true,
                "general" => wanted.only_general = variants.len() == 1,
                other => {
                    return Err(format!(
                        "there is no variant '{other}': there are disjoint, same, same-storage, general"
                    )
                    .into());
                }
            }
        }
        Ok(wanted)
    }
}

/// A question about arguments, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// What is written shares nothing with arguments of another set.
    Disjoint {
        /// Arguments, in sets of which the members may share memory.
        sets: Vec<Vec<usize>>,
        /// Those that are written.
        written: Vec<usize>,
        /// Whether storages are compared, in place of elements.
        storages: bool,
    },
    /// Two are one view of one storage.
    Same(usize, usize),
    /// Two are views of one storage.
    SameStorage(usize, usize),
}

/// A function for one way in which arguments lie.
pub struct Variant {
    /// What is added to the function's name.
    pub suffix: String,
    /// What has to hold.
    pub guards: Vec<Guard>,
    /// The names of the storages of arguments that are used.
    pub names: Vec<(usize, String)>,
    /// An argument that stands for another one.
    pub merged: Option<Merged>,
}

/// Two arguments that are one view.
pub struct Merged {
    /// The one that stands for both.
    pub kept: usize,
    /// The one that is used no longer.
    pub gone: usize,
    /// The layout that only the other one declares.
    pub layout: Option<Layout>,
}

/// The variants, in the order in which they are tried. The general one comes after them.
pub struct Plan {
    /// The variants.
    pub variants: Vec<Variant>,
    /// The names that arguments declare.
    taken: HashSet<String>,
}

/// What is known of an argument's storage.
#[derive(Clone, PartialEq, Eq)]
enum Known {
    /// It has a name: others with a name share it, or do not.
    Declared,
    /// The variant is for arguments that share it.
    Shared,
    /// Nothing.
    Nothing,
}

/// An argument as a variant sees it.
#[derive(Clone)]
struct Member {
    number: usize,
    name: Option<String>,
    known: Known,
    uses: Uses,
}

impl Plan {
    /// That of a function that runs as it is written.
    pub fn general() -> Plan {
        Plan { variants: vec![], taken: HashSet::new() }
    }

    /// What becomes of a function with these arguments; None where there is nothing to test.
    pub fn of(arguments: &[Argument], wanted: Wanted) -> Option<Plan> {
        let used: Vec<&Argument> = arguments.iter().filter(|argument| argument.uses.touched).collect();
        let members: Vec<Member> = used.iter().map(|argument| Member::of(argument)).collect();
        let disjoint = disjoint(&members)?;
        let taken = arguments.iter().filter_map(|argument| argument.storage.clone()).collect();
        let mut plan = Plan { variants: vec![], taken };
        if wanted.disjoint {
            plan.add("disjoint".into(), vec![disjoint], &members, None);
        }
        if !wanted.same && !wanted.same_storage {
            return Some(plan);
        }
        let count = used.len();
        let pairs = || {
            let all = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
            all.filter(|(i, j)| is_open(&members[*i], &members[*j]))
        };
        let same = |(i, j): &(usize, usize)| wanted.same && may_be_same(used[*i], used[*j]);
        let mut left = wanted.pairs;
        for (i, j) in pairs().filter(same).take(left) {
            left -= 1;
            // One that is returned stays, and one that declares more.
            let weight = |k: usize| (used[k].returned, used[k].storage.is_some(), used[k].layout.is_some());
            let (kept, gone) = if weight(j) > weight(i) { (j, i) } else { (i, j) };
            let mut others = members.clone();
            others[kept].uses = members[kept].uses.with(members[gone].uses);
            if let Some(name) = &members[gone].name {
                others[kept].take(name.clone(), Known::Declared);
            }
            others.remove(gone);
            let guards = [Guard::Same(members[i].number, members[j].number)];
            let guards = guards.into_iter().chain(self::disjoint(&others)).collect();
            let layout = used[gone].layout.clone().filter(|_| used[kept].layout.is_none());
            let merged = Some(Merged { kept: members[kept].number, gone: members[gone].number, layout });
            plan.add(format!("same_{}_{}", members[i].number, members[j].number), guards, &others, merged);
        }
        let share = |(i, j): &(usize, usize)| wanted.same_storage && overlap_as_declared(used[*i], used[*j]);
        for (i, j) in pairs().filter(|pair| share(pair) && !same(pair)).take(left) {
            let mut others = members.clone();
            match (&members[i].name, &members[j].name) {
                (Some(name), _) => others[j].take(name.clone(), Known::Declared),
                (_, Some(name)) => others[i].take(name.clone(), Known::Declared),
                (None, None) => {
                    let name = plan.fresh(members[i].number);
                    others[i].take(name.clone(), Known::Shared);
                    others[j].take(name, Known::Shared);
                }
            }
            let guards = [Guard::SameStorage(members[i].number, members[j].number)];
            let guards = guards.into_iter().chain(self::disjoint(&others)).collect();
            let suffix = format!("same_storage_{}_{}", members[i].number, members[j].number);
            plan.add(suffix, guards, &others, None);
        }
        Some(plan)
    }

    /// Adds a variant in which the storage of each argument has a name.
    fn add(&mut self, suffix: String, guards: Vec<Guard>, members: &[Member], merged: Option<Merged>) {
        let name = |member: &Member| {
            let name = member.name.clone().unwrap_or_else(|| self.fresh(member.number));
            (member.number, name)
        };
        let names = members.iter().map(name).collect();
        self.variants.push(Variant { suffix, guards, names, merged });
    }

    /// A name for the storage of an argument that no argument declares.
    fn fresh(&self, number: usize) -> String {
        let names = std::iter::once(format!("arg{number}")).chain((0..).map(|i| format!("arg{number}_{i}")));
        names.into_iter().find(|name| !self.taken.contains(name)).unwrap_or_default()
    }
}

impl Member {
    fn of(argument: &Argument) -> Member {
        let known = if argument.storage.is_some() { Known::Declared } else { Known::Nothing };
        Member { number: argument.number, name: argument.storage.clone(), known, uses: argument.uses }
    }

    fn take(&mut self, name: String, known: Known) {
        self.name = Some(name);
        self.known = known;
    }
}

/// Whether two arguments are a pair to be tested.
fn is_open(a: &Member, b: &Member) -> bool {
    let known = a.known == b.known && a.known != Known::Nothing;
    !known && (a.uses.written || b.uses.written)
}

/// The test that all pairs are disjoint; None where there is none.
fn disjoint(members: &[Member]) -> Option<Guard> {
    let tested = |member: &&Member| {
        members.iter().any(|other| other.number != member.number && is_open(member, other))
    };
    let tested: Vec<&Member> = members.iter().filter(tested).collect();
    if tested.is_empty() {
        return None;
    }
    let mut sets: Vec<(Known, Vec<usize>)> = vec![];
    for member in &tested {
        match sets.iter_mut().find(|(known, _)| *known == member.known && *known != Known::Nothing) {
            Some((_, set)) => set.push(member.number),
            None => sets.push((member.known.clone(), vec![member.number])),
        }
    }
    let numbers = |wanted: fn(&Uses) -> bool| -> Vec<usize> {
        tested.iter().filter(|member| wanted(&member.uses)).map(|member| member.number).collect()
    };
    Some(Guard::Disjoint {
        sets: sets.into_iter().map(|(_, set)| set).collect(),
        written: numbers(|uses| uses.written),
        storages: !numbers(|uses| uses.beyond).is_empty(),
    })
}

/// Whether two arguments can be one tensor, of which either name will do. Two tensor objects that are one view are not one
/// object: only one of them may be a result.
fn may_be_same(a: &Argument, b: &Argument) -> bool {
    let layouts = match (&a.layout, &b.layout) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    // A tensor whose sizes change is not to be named any more, as the other one may be.
    a.ty == b.ty && layouts && !a.changes && !b.changes && !(a.returned && b.returned)
}

/// Whether two arguments overlap where they are in one storage, by their declarations.
fn overlap_as_declared(a: &Argument, b: &Argument) -> bool {
    match (&a.layout, &b.layout) {
        (Some(x), Some(y)) => a.dtype == b.dtype && overlap(x, y),
        _ => false,
    }
}
