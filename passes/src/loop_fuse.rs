//! The pass `loop-fuse`: loop operations that can run together become groups, one kernel each.
//!
//! Block by block: a [`graph`] of what depends on what; products with the operations on their elements ([`epilogue`]);
//! then [`cluster`]s, grown from each operation to those that it reads from and those that read the same as it. What
//! allows two operations to share dimensions is in [`dependence`], what a group looks like in [`write`]. At the end the
//! block is put in an order that keeps every dependence, each group where its last member was.
//!
//! Sets are bounded, and so is what is looked at to join two of them: the work is linear in the block.

mod cluster;
mod dependence;
mod epilogue;
mod graph;
mod write;

use crate::{
    loops::{copy::key, read::Loop},
    options::LoopFuse as Options,
};
use cluster::{Candidate, Cluster, Clusters, Limits};
use graph::Graph;
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike, operation::OperationLike};
use mlir_sys::mlirOperationMoveBefore;
use std::collections::HashMap;
use terrace_dialects::{
    affine::Expr,
    bridge::optimization_remark,
    cursor::V,
    operations::{collect_within, erase, users},
    pass::Failure,
    toss::Toss,
};
use write::{Dim, Part};

/// Fuses in every block below an operation.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    let limits = Limits::new(options)?;
    let mut toss = Toss::new(options.toss);
    let holds_code = |op: OperationRef| !terrace_dialects::operations::name_of(op).starts_with("loop.");
    let holders = collect_within(op, holds_code, |op| holds_code(op) && op.region_count() > 0);
    // What is inside first: it is not looked at again.
    for holder in holders.into_iter().rev() {
        for region in holder.regions() {
            let mut next = region.first_block();
            while let Some(block) = next {
                next = block.next_in_region();
                // SAFETY: blocks stay, and live as long as their operation.
                fuse(unsafe { BlockRef::from_raw(block.to_raw()) }, &limits, &mut toss)?;
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
    toss: &mut Option<Toss>,
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
    let mut groups = products(&graph, &candidates, toss);
    for candidate in &mut candidates {
        if let Some(product) = candidate.take_if(|candidate| candidate.nest.is_contraction())
            && !groups.iter().flatten().any(|part| graph.ops[part.place] == product.nest.op)
        {
            remark(product.nest.op, false, || "runs alone: products have a template of their own".into());
        }
    }
    let taken = groups.iter().map(|parts| parts.iter().map(|part| part.place).collect()).collect();
    let mut clusters = Clusters::new(&graph, candidates, taken, limits);
    grow(&graph, &mut clusters, toss);
    for set in clusters.ordered() {
        let found = groups.iter().position(|parts| parts[0].place == set.members[0]);
        let parts = match found {
            Some(product) => groups.swap_remove(product),
            None if set.members.len() > 1 => parts(&set, &graph),
            None => {
                settle(&graph, &set, block);
                continue;
            }
        };
        let last = graph.ops[*set.members.last().unwrap_or(&0)];
        let nests: Vec<_> = set.members.iter().filter_map(|m| Loop::of(graph.ops[*m])).collect();
        let sizes = match found {
            Some(_) => nests[0].sizes[..nests[0].outer].to_vec(),
            None => set.sizes.clone(),
        };
        let end = block.terminator();
        let before = end.unwrap_or(last);
        let parts: Vec<_> = parts.into_iter().zip(&nests).collect();
        let count = parts.len();
        let group = write::write(&parts, &sizes, before)?;
        remark(group, true, || match found {
            Some(_) => "a product takes the operation on its elements along as its epilogue".into(),
            None => format!("{count} operations run together over {sizes:?}"),
        });
    }
    Ok(())
}

/// Removes loop operations whose results nobody uses: upstream's common subexpression elimination leaves what only they used.
fn drop_unused<'c: 'a, 'a>(block: BlockRef<'c, 'a>) {
    let ops: Vec<_> = std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect();
    for op in ops.into_iter().rev() {
        let unused =
            |nest: &Loop| nest.is_plain() && nest.result().is_some_and(|r| users(r).next().is_none());
        if Loop::of(op).is_some_and(|nest| unused(&nest)) {
            // SAFETY: nobody uses its result.
            unsafe { erase(op) };
        }
    }
}

/// Moves an operation that runs alone to its place in the new order: the end, in front of what ends the block.
fn settle<'c: 'a, 'a>(graph: &Graph<'c, 'a>, set: &Cluster, block: BlockRef<'c, 'a>) {
    let op = graph.ops[set.members[0]];
    if let Some(end) = block.terminator().filter(|end| *end != op) {
        // SAFETY: both are in the block.
        unsafe { mlirOperationMoveBefore(op.to_raw(), end.to_raw()) };
    }
}

/// The groups of products and the operations on their elements.
fn products<'c: 'a, 'a>(
    graph: &Graph<'c, 'a>,
    candidates: &[Option<Candidate<'c, 'a>>],
    toss: &mut Option<Toss>,
) -> Vec<Vec<Part>> {
    let mut groups = vec![];
    let mut taken = std::collections::HashSet::new();
    for (place, candidate) in candidates.iter().enumerate() {
        let Some(product) = candidate else { continue };
        let Some(reader) = epilogue::reader(product) else { continue };
        let parts = reader.and_then(|op| {
            let number = graph.place(op).filter(|number| graph.ops[*number] == op);
            let reader = number.and_then(|number| candidates[number].as_ref().map(|c| (number, c)));
            let (number, reader) = reader.ok_or("what reads its product stays alone")?;
            if taken.contains(&number) {
                return Err("what reads its product is another one's epilogue");
            }
            epilogue::parts((place, &product.nest), (number, &reader.nest))
        });
        match parts {
            Ok(_) if toss.as_mut().is_some_and(|toss| !toss.coin()) => {}
            Ok(parts) => {
                taken.extend(parts.iter().map(|part| part.place));
                groups.push(parts);
            }
            Err(why) => remark(product.nest.op, false, || format!("has no epilogue: {why}")),
        }
    }
    groups
}

/// Joins each operation, in order, with those that it depends on, the last first, and with the last one that reads what it
/// reads.
fn grow<'c: 'a, 'a>(graph: &Graph<'c, 'a>, clusters: &mut Clusters<'c, 'a, '_>, toss: &mut Option<Toss>) {
    let mut readers: HashMap<usize, usize> = HashMap::new();
    let mut join =
        |clusters: &mut Clusters<'c, 'a, '_>, first: usize, second: usize, how: &str| match clusters
            .join(first, second, toss)
        {
            Some(Ok(())) => remark(graph.ops[second], true, || format!("joins an operation {how}")),
            Some(Err(why)) => {
                remark(graph.ops[second], false, || format!("does not join an operation {how}: {why}"));
            }
            None => {}
        };
    for place in 0..graph.ops.len() {
        let Some(candidate) = &clusters.candidates[place] else { continue };
        let sources: Vec<V> = candidate.nest.loads().map(|load| load.source()).collect();
        let before =
            graph.edges.neighbors_directed(petgraph::graph::NodeIndex::new(place), petgraph::Incoming);
        let mut before: Vec<usize> = before.map(|node| node.index()).collect();
        before.sort_unstable_by(|a, b| b.cmp(a));
        before.dedup();
        for first in before {
            join(clusters, first, place, "that it depends on");
        }
        for source in sources {
            if let Some(first) = readers.insert(key(source), place).filter(|first| *first != place) {
                join(clusters, first, place, "that reads what it reads");
            }
        }
    }
}

/// The members of a set: what is shared is at the group's index, a size of 1 at 0, the rest is the member's own.
fn parts(set: &Cluster, graph: &Graph) -> Vec<Part> {
    let part = |(place, shared): (&usize, &Vec<usize>)| {
        let nest = crate::loops::read::Loop::of(graph.ops[*place])?;
        let dim = |d: usize| match shared.iter().position(|own| *own == d) {
            Some(k) => Dim::At(Expr::Dim(k)),
            None if d < nest.outer
                && nest.sizes[d] == 1
                && nest.kind != crate::loops::read::Kind::Scan(d) =>
            {
                Dim::At(Expr::Constant(0))
            }
            None => Dim::Own,
        };
        Some(Part { place: *place, dims: (0..nest.sizes.len()).map(dim).collect() })
    };
    set.members.iter().zip(&set.dims).filter_map(part).collect()
}
