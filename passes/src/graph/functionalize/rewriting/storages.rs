//! Which storages there are and what stands for each: the base that its value has the shape of.
//!
//! A new storage has the layout of the tensor that made it. The arguments of one declared storage that
//! overlap are one storage; its base is the layout of one of them, where that reaches all that is read and
//! written, else all places between the first and the last that are: a tensor of one dimension.

use crate::graph::functionalize::analysis::{
    state::Analysis,
    tensors::{Access, Argument, Layout, Origin},
};
use melior::ir::OperationRef;
use std::collections::{HashMap, HashSet};
use terrace_dialects::ir::{dtype::Dtype, refusal::Reason};
use terrace_layout::{
    overlap::may_overlap as overlap,
    recognize::{known_steps, recognize},
};
use terrace_size::{Number, Size, sort_where};

/// Arguments whose layout is tried as a base: a storage of very many arguments falls back on its places.
const CANDIDATES: usize = 8;

/// What the boundary reads the first value of a storage from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nothing: the storage is new.
    Fresh,
    /// The state of the generator.
    Generator,
    /// An argument as it is.
    Whole(usize),
    /// The places that the base spans, in the storage of an argument.
    Places(usize),
}

/// A storage.
pub struct Storage {
    /// The layout of the tensor that stands for it.
    pub base: Layout,
    /// The element type.
    pub dtype: Dtype,
    /// Where its first value comes from.
    pub source: Source,
}

/// All storages of a function.
pub struct Storages {
    /// Storages by number.
    pub list: Vec<Storage>,
    arguments: Vec<usize>,
    fresh: Vec<usize>,
}

impl Storages {
    /// The number of a tensor's storage.
    pub fn of(&self, origin: Origin) -> usize {
        match origin {
            Origin::Argument(i) => self.arguments[i],
            Origin::Fresh(i) => self.fresh[i],
            Origin::DynamicView(_) => unreachable!("a window is of a storage and none itself"),
        }
    }

    /// Chooses the bases. An error is an operation, or None for the function, and what is wrong.
    pub fn choose<'c, 'a>(
        analysis: &Analysis<'c, 'a>,
    ) -> Result<Self, (Option<OperationRef<'c, 'a>>, String)> {
        undeclared(analysis).map_err(|(op, m)| (Some(op), m))?;
        let mut out =
            Self { list: vec![], arguments: vec![usize::MAX; analysis.arguments.len()], fresh: vec![] };
        let parts = parts(analysis);
        for group in groups(analysis, &parts).map_err(|m| (None, m))? {
            for i in &group {
                out.arguments[*i] = out.list.len();
            }
            out.list.push(base(analysis, &parts, &group));
        }
        for (number, new) in analysis.fresh.iter().enumerate() {
            let source = if analysis.generator == Some(number) { Source::Generator } else { Source::Fresh };
            out.fresh.push(out.list.len());
            let origin = Origin::Fresh(number);
            let whole = || analysis.identities[new.identity].0.span.clone();
            let (base, dtype) = (analysis.row(origin).unwrap_or_else(whole), analysis.dtype(origin));
            out.list.push(Storage { base, dtype: dtype.unwrap_or(new.dtype), source });
        }
        Ok(out)
    }
}

/// What is read and written of each argument.
fn parts(analysis: &Analysis) -> Vec<Vec<Layout>> {
    let mut parts = vec![vec![]; analysis.arguments.len()];
    for access in &analysis.accesses {
        if let Origin::Argument(i) = access.origin {
            parts[i].push(access.layout.clone());
        }
    }
    parts
}

/// Refuses a write to an argument that may share its storage with another one that is used.
fn undeclared<'c, 'a>(analysis: &Analysis<'c, 'a>) -> Result<(), (OperationRef<'c, 'a>, String)> {
    let name = |i: usize| analysis.arguments[i].as_ref().and_then(|a| a.declared.storage.as_deref());
    let (mut used, mut nameless) = (vec![], vec![]);
    let mut written: Vec<(usize, OperationRef)> = vec![];
    let (mut is_used, mut is_written) = (HashSet::new(), HashSet::new());
    for access in &analysis.accesses {
        let Origin::Argument(i) = access.origin else { continue };
        if is_used.insert(i) {
            used.push(i);
            nameless.extend(name(i).is_none().then_some(i));
        }
        if access.writes && is_written.insert(i) {
            written.push((i, access.op));
        }
    }
    for (i, op) in written {
        let others = if name(i).is_none() { &used } else { &nameless };
        if let Some(other) = others.iter().find(|other| **other != i) {
            return Err((
                op,
                Reason::Storage.says(format!(
                    "writes argument {i}, which may share its storage with argument {other}: declare graph.storage on \
                     both (one name: one storage; two names: disjoint), or test it by graph-specialize-aliases"
                )),
            ));
        }
    }
    Ok(())
}

/// Arguments that are one storage: declared so, and with parts that overlap.
fn groups(analysis: &Analysis, parts: &[Vec<Layout>]) -> Result<Vec<Vec<usize>>, String> {
    let mut alone: Vec<Vec<usize>> = vec![];
    let mut named: HashMap<&str, Vec<Vec<usize>>> = HashMap::new();
    for (i, argument) in analysis.arguments.iter().enumerate() {
        let Some(argument) = argument else { continue };
        let Some(name) = &argument.declared.storage else {
            alone.push(vec![i]);
            continue;
        };
        let mut own = vec![i];
        let groups = named.entry(name).or_default();
        for group in std::mem::take(groups) {
            let mut joins = false;
            for j in &group {
                joins |= meet(analysis, parts, i, *j)?;
            }
            if joins { own.extend(group) } else { groups.push(group) }
        }
        own.sort_unstable();
        groups.push(own);
    }
    let mut groups: Vec<Vec<usize>> = alone.into_iter().chain(named.into_values().flatten()).collect();
    groups.sort();
    Ok(groups)
}

/// Whether two arguments of one storage have parts in common.
fn meet(analysis: &Analysis, parts: &[Vec<Layout>], i: usize, j: usize) -> Result<bool, String> {
    let (Some(a), Some(b)) = (&analysis.arguments[i], &analysis.arguments[j]) else { return Ok(false) };
    if parts[i].is_empty() || parts[j].is_empty() {
        return Ok(false);
    }
    let shared =
        format!("arguments {j} and {i} share the storage '{}'", a.declared.storage.as_deref().unwrap_or(""));
    if a.logical || b.logical {
        // Where neither is written each may be read by itself.
        let written = |access: &Access| {
            access.writes && [Origin::Argument(i), Origin::Argument(j)].contains(&access.origin)
        };
        if !analysis.accesses.iter().any(written) {
            return Ok(false);
        }
        return Err(Reason::Layout.says(format!(
            "{shared}, one of them is written: declare graph.layout = strided<[...], offset: ...> with static numbers on \
             both"
        )));
    }
    let own = |i: usize, layout: &Layout| -> Vec<Layout> {
        let outside = parts[i].iter().filter(|p| !reaches(layout, p)).cloned();
        std::iter::once(layout.clone()).chain(outside).collect()
    };
    let whole = |argument: &Argument| &analysis.identities[argument.identity].0.span;
    let (x, y) = (own(i, whole(a)), own(j, whole(b)));
    Ok(x.iter().any(|x| y.iter().any(|y| overlap(x, y))))
}

/// Whether the part can be read out of a tensor with the elements of `base`.
fn reaches(base: &Layout, part: &Layout) -> bool {
    let without_a_guard = part.is_same(base) || known_steps(base, part).is_some();
    without_a_guard || part.is_empty() || recognize(base, part).is_some()
}

fn base(analysis: &Analysis, parts: &[Vec<Layout>], group: &[usize]) -> Storage {
    let argument = |i: usize| analysis.arguments[i].as_ref().expect("groups are of graph tensors");
    let whole = |i: usize| &analysis.identities[argument(i).identity].0.span;
    let dtype = analysis.dtype(Origin::Argument(group[0])).unwrap_or(argument(group[0]).dtype);
    let all = || group.iter().flat_map(|i| parts[*i].iter());
    // A write through an argument that repeats elements is of each of them: its layout has them once only
    // where it is read alone.
    let once = |i: &usize| {
        let own = whole(*i);
        own.sizes.iter().zip(&own.strides).all(|(n, s)| s.known() != Some(0) || n.known() == Some(1))
    };
    let is_own = |origin: Origin| matches!(origin, Origin::Argument(i) if group.contains(&i));
    let written = analysis.accesses.iter().any(|access| access.writes && is_own(access.origin));
    let mut candidates: Vec<usize> = group.iter().copied().filter(|i| !written || once(i)).collect();
    sort_where(&mut candidates, |a, b| whole(*b).numel().assume_lt(whole(*a).numel()));
    candidates.truncate(CANDIDATES);
    if let Some(i) = candidates.into_iter().find(|i| all().all(|p| reaches(whole(*i), p))) {
        return Storage { base: whole(i).clone(), dtype, source: Source::Whole(i) };
    }
    let used = || all().filter(|p| !p.is_known_empty());
    let start = used().map(|p| p.offset).reduce(|a, b| a.assume_min(b)).unwrap_or(Size::ZERO);
    let end = used().map(Layout::end).reduce(|a, b| a.assume_max(b)).unwrap_or(start);
    let base = Layout { sizes: vec![end - start], strides: vec![Size::ONE], offset: start };
    // As few bytes as possible beyond the end.
    let smallest = group.iter().min_by_key(|i| argument(**i).dtype.bytes()).unwrap_or(&group[0]);
    Storage { base, dtype, source: Source::Places(*smallest) }
}
