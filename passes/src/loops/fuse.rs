//! The pass `loop-fuse`: loop operations that can run together become groups, one kernel each.
//!
//! Block by block: a [`graph`] of what depends on what; two products with what is between them ([`chain`]),
//! products with the operations on their elements ([`epilogue`]); then [`cluster`]s, [`set`]s grown from each
//! operation to those that it reads from and those that read the same as it. What allows two operations to
//! share dimensions is in [`dependence`], what a group looks like in [`write`]. At the end the block is put
//! in an order that keeps every dependence, each group where its last member was.
//!
//! Sets are bounded, and so is what is looked at to join two of them: the work is linear in the block.

mod chain;
mod cluster;
mod dependence;
mod epilogue;
mod graph;
mod set;
mod write;

use super::operation::read::Loop;
use crate::options::LoopFuse as Options;
use cluster::{Clusters, Limits};
use graph::Graph;
use melior::ir::{BlockRef, OperationRef, RegionLike, ValueLike};
use set::{Candidate, Cluster};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        diagnostics::optimization_remark,
        extent::Extent,
        kept,
        operations::{collect_within, key, users},
        pass::Failure,
        rewrite::{erase, move_before},
        shaped::Shaped,
        stress::Stress,
        types::bytes,
    },
    loops::affine::Expr,
};
use write::{Dim, Part};

/// Fuses in every block below an operation.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    let limits = Limits::new(options)?;
    let mut stress = Stress::new(options.stress_seed);
    let holds_code = |op: OperationRef| !terrace_dialects::ir::operations::name_of(op).starts_with("loop.");
    let holders = collect_within(op, holds_code, |op| holds_code(op) && op.region_count() > 0);
    // What is inside first: it is not looked at again.
    for holder in holders.into_iter().rev() {
        for region in holder.regions() {
            let mut next = region.first_block();
            while let Some(block) = next {
                next = block.next_in_region();
                fuse(kept::block(block), &limits, &mut stress)?;
            }
        }
    }
    Ok(())
}

/// Reports a decision about an operation.
fn remark<'c: 'a, 'a>(op: OperationRef<'c, 'a>, done: bool, message: impl FnOnce() -> String) {
    optimization_remark(&op, "loop-fuse", "fuse", done, message);
}

fn fuse<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    limits: &Limits,
    stress: &mut Option<Stress>,
) -> Result<(), Failure> {
    drop_unused(block);
    let graph = Graph::of(block);
    let mut candidates = vec![];
    for op in &graph.ops {
        candidates.push(Candidate::of(*op).and_then(|candidate| {
            candidate.map_err(|why| remark(*op, false, || format!("runs alone: {why}"))).ok()
        }));
    }
    if candidates.iter().flatten().count() < 2 {
        return Ok(());
    }
    let mut clusters = Clusters::new(&graph, candidates, limits);
    let mut groups = if limits.chains { chains(&graph, &clusters, stress) } else { HashMap::new() };
    products(&graph, &clusters.candidates, &mut groups, stress);
    let taken: Vec<Vec<usize>> =
        groups.values().map(|group| group.parts.iter().map(|part| part.place).collect()).collect();
    for (place, candidate) in clusters.candidates.iter_mut().enumerate() {
        if let Some(product) = candidate.take_if(|candidate| candidate.nest.is_contraction())
            && !taken.iter().flatten().any(|taken| *taken == place)
        {
            remark(product.nest.op, false, || "runs alone: products have a template of their own".into());
        }
    }
    clusters.take(taken);
    grow(&graph, &mut clusters, stress);
    for set in clusters.ordered() {
        let group = match groups.remove(&set.members[0]) {
            Some(group) => group,
            None if set.members.len() > 1 => Group::of(&set, &graph),
            None => {
                settle(&graph, &set, block);
                continue;
            }
        };
        let last = graph.ops[*set.members.last().unwrap_or(&0)];
        let nests: Vec<_> = set.members.iter().filter_map(|m| Loop::of(graph.ops[*m])).collect();
        let Group { parts, sizes, what } = group;
        let count = parts.len();
        let parts: Vec<_> = parts.into_iter().zip(&nests).collect();
        let group = write::write(&parts, &sizes, block.terminator().unwrap_or(last))?;
        remark(group, true, || match what {
            Some(what) => what.into(),
            None => format!("{count} operations run together over [{}]", listed(&sizes)),
        });
    }
    Ok(())
}

/// Sizes as types have them.
fn listed(sizes: &[Extent]) -> String {
    let size = |extent: &Extent| extent.number().map_or("?".into(), |number| number.to_string());
    sizes.iter().map(size).collect::<Vec<_>>().join(", ")
}

/// What is to become a group.
struct Group<'c, 'a> {
    parts: Vec<Part>,
    /// The shared domain.
    sizes: Vec<Extent<'c, 'a>>,
    /// What it is, if not any operations that run together.
    what: Option<&'static str>,
}

/// Removes loop operations whose results nobody uses: upstream's common subexpression elimination leaves what
/// only they used.
fn drop_unused<'c: 'a, 'a>(block: BlockRef<'c, 'a>) {
    let ops: Vec<_> = std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect();
    for op in ops.into_iter().rev() {
        let unused =
            |nest: &Loop| nest.is_plain() && nest.result().is_some_and(|r| users(r).next().is_none());
        if Loop::of(op).is_some_and(|nest| unused(&nest)) {
            erase(op);
        }
    }
}

/// Moves an operation that runs alone to its place in the new order: the end, in front of what ends the
/// block.
fn settle<'c: 'a, 'a>(graph: &Graph<'c, 'a>, set: &Cluster<'c, 'a>, block: BlockRef<'c, 'a>) {
    let op = graph.ops[set.members[0]];
    if let Some(end) = block.terminator().filter(|end| *end != op) {
        move_before(op, end);
    }
}

/// Two products each with what is between them, by their first operations.
fn chains<'c: 'a, 'a>(
    graph: &Graph<'c, 'a>,
    clusters: &Clusters<'c, 'a, '_>,
    stress: &mut Option<Stress>,
) -> HashMap<usize, Group<'c, 'a>> {
    let mut groups: HashMap<usize, Group<'c, 'a>> = HashMap::new();
    let mut taken: HashSet<usize> = HashSet::new();
    for (place, op) in graph.ops.iter().enumerate() {
        match chain::ending(place, graph, clusters) {
            None => {}
            Some(Ok(set)) if set.members.iter().any(|member| taken.contains(member)) => {}
            Some(Ok(_)) if stress.as_mut().is_some_and(|stress| !stress.coin()) => {}
            Some(Ok(set)) => {
                taken.extend(&set.members);
                let what = Some("two products run together with what is between them");
                groups.insert(set.members[0], Group { what, ..Group::of(&set, graph) });
            }
            Some(Err(why)) => remark(*op, false, || {
                format!("does not join the product that its left factor is made of: {why}")
            }),
        }
    }
    groups
}

/// Adds the groups of products and the operations on their elements, by their products.
fn products<'c: 'a, 'a>(
    graph: &Graph<'c, 'a>,
    candidates: &[Option<Candidate<'c, 'a>>],
    groups: &mut HashMap<usize, Group<'c, 'a>>,
    stress: &mut Option<Stress>,
) {
    let mut taken: HashSet<usize> =
        groups.values().flat_map(|group| group.parts.iter().map(|part| part.place)).collect();
    for (place, candidate) in candidates.iter().enumerate() {
        let Some(product) = candidate.as_ref().filter(|_| !taken.contains(&place)) else { continue };
        let Some(reader) = epilogue::reader(product) else { continue };
        let parts = reader.and_then(|op| {
            let number = graph.place(op).filter(|number| graph.ops[*number] == op);
            let reader = number.and_then(|number| candidates[number].as_ref().map(|c| (number, c)));
            let (number, reader) = reader.ok_or("what reads its product stays alone")?;
            if taken.contains(&number) {
                return Err("what reads its product runs together with another one");
            }
            epilogue::parts((place, &product.nest), (number, &reader.nest))
        });
        match parts {
            Ok(_) if stress.as_mut().is_some_and(|stress| !stress.coin()) => {}
            Ok(parts) => {
                taken.extend(parts.iter().map(|part| part.place));
                let sizes = product.nest.extents[..product.nest.outer].to_vec();
                let what = Some("a product takes the operation on its elements along as its epilogue");
                groups.insert(place, Group { parts, sizes, what });
            }
            Err(why) => remark(product.nest.op, false, || format!("has no epilogue: {why}")),
        }
    }
}

/// Joins each operation, in order, with those that it depends on, the last first, and with the last one that
/// reads what it reads.
fn grow<'c: 'a, 'a>(graph: &Graph<'c, 'a>, clusters: &mut Clusters<'c, 'a, '_>, stress: &mut Option<Stress>) {
    let mut readers: HashMap<usize, usize> = HashMap::new();
    let mut join =
        |clusters: &mut Clusters<'c, 'a, '_>, first: usize, second: usize, how: &str, over: &[V]| {
            let score = || size_of(over).map_or(String::new(), |bytes| format!(" ({bytes} bytes)"));
            match clusters.join(first, second, stress) {
                Some(Ok(())) => {
                    remark(graph.ops[second], true, || format!("joins an operation {how}{}", score()));
                }
                Some(Err(why)) => remark(graph.ops[second], false, || {
                    format!("does not join an operation {how}: {why}{}", score())
                }),
                None => {}
            }
        };
    for place in 0..graph.ops.len() {
        let Some(candidate) = &clusters.candidates[place] else { continue };
        let sources: Vec<V> = candidate.nest.loads().map(|load| load.source()).collect();
        let mut before: Vec<usize> = graph.before(place).collect();
        before.sort_unstable_by(|a, b| b.cmp(a));
        before.dedup();
        for first in before {
            let made =
                clusters.candidates[first].as_ref().and_then(|own| own.nest.init.or(own.nest.result()));
            join(clusters, first, place, "that it depends on", made.as_slice());
        }
        for source in sources {
            if let Some(first) = readers.insert(key(source), place).filter(|first| *first != place) {
                join(clusters, first, place, "that reads what it reads", &[source]);
            }
        }
    }
}

/// The bytes of tensors or buffers that are read where they were written, or once in the place of twice; None
/// where a size is known when it runs.
fn size_of(values: &[V]) -> Option<i64> {
    let one = |value: &V| {
        let shaped = Shaped::of(value.r#type())?;
        Some(shaped.elements()?.saturating_mul(bytes(shaped.element)?))
    };
    values.iter().map(one).sum::<Option<i64>>().filter(|bytes| *bytes > 0)
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// The members of a set: what is shared is at the group's index, a size of 1 at 0, the rest is the
    /// member's own.
    fn of(set: &Cluster<'c, 'a>, graph: &Graph<'c, 'a>) -> Self {
        let part = |(place, shared): (&usize, &Vec<usize>)| {
            let nest = crate::loops::operation::read::Loop::of(graph.ops[*place])?;
            let dim = |d: usize| match shared.iter().position(|own| *own == d) {
                Some(k) => Dim::At(Expr::Dim(k)),
                None if d < nest.outer
                    && nest.sizes[d] == 1
                    && nest.kind != crate::loops::operation::read::Kind::Scan(d) =>
                {
                    Dim::At(Expr::Constant(0))
                }
                None => Dim::Own,
            };
            Some(Part { place: *place, dims: (0..nest.sizes.len()).map(dim).collect() })
        };
        let parts = set.members.iter().zip(&set.dims).filter_map(part).collect();
        Self { parts, sizes: set.sizes.clone(), what: None }
    }
}
