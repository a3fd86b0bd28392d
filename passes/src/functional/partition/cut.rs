//! What is saved: a minimum cut, and less of it where a budget asks for that.
//!
//! Each value that may be saved is two vertices, with an edge of its bytes between; an operation leads from
//! what it reads to what it makes, without end of capacity. Arguments, and what may not be computed again,
//! hang on the source; what the backward part reads hangs on the sink. The cut nearest to the sink computes
//! least again.
//!
//! Under a budget some operations that are not computed again by themselves are. For each saved value there
//! are those that keep it from being computed again; a knapsack chooses the values of least work that are
//! enough bytes together; then the cut is made again, since what these operations read may have to be saved
//! instead, until it fits.

use super::{
    flow::Network,
    joint::{Joint, Work},
};
use crate::options;
use melior::ir::ValueLike;
use std::collections::HashSet;
use terrace_dialects::ir::{operations::refuse, pass::Failure};

/// Parts in which a knapsack counts bytes, where no number divides all of them that gives fewer.
const PARTS: u64 = 4096;

/// Values that are looked at behind one that is saved.
const WALKED: usize = 256;

/// Times that a knapsack is filled before everything is computed again that may be.
const ROUNDS: usize = 16;

/// The values to save, in order.
///
/// # Errors
/// A budget of bytes that is too small.
pub fn choose(joint: &Joint, options: &options::FunctionalPartition) -> Result<Vec<usize>, Failure> {
    let again = |work: Work| match work {
        Work::Cheap => true,
        Work::Product => options.recompute_products,
        Work::Reduction => options.recompute_reductions,
        Work::Never => false,
    };
    let mut allowed: Vec<bool> = joint.nodes.iter().map(|node| again(node.work)).collect();
    let all: Vec<bool> = joint.nodes.iter().map(|node| node.work != Work::Never).collect();
    let bytes = |saved: &[usize]| saved.iter().filter_map(|value| joint.values[*value].bytes).sum::<u64>();
    let mut saved = cut(joint, &allowed)?;
    let most = bytes(&saved);
    if options.memory_budget >= 1.0 && options.memory_budget_bytes < 0 {
        return Ok(saved);
    }
    let fewest = cut(joint, &all)?;
    let least = bytes(&fewest);
    let mut limit = least + ((most - least) as f64 * options.memory_budget) as u64;
    if let Ok(given) = u64::try_from(options.memory_budget_bytes) {
        limit = limit.min(given);
    }
    if limit < least {
        return Err(
            format!("saves {least} bytes at least, more than the {limit} of memory-budget-bytes").into()
        );
    }
    for _ in 0..ROUNDS {
        let own = bytes(&saved);
        if own <= limit {
            return Ok(saved);
        }
        let groups: Vec<(Vec<usize>, u64)> = saved
            .iter()
            .map(|value| (behind(joint, *value, &saved, &allowed), joint.values[*value].bytes.unwrap_or(0)))
            .filter(|(nodes, bytes)| *bytes > 0 && !nodes.is_empty() && nodes.iter().all(|node| all[*node]))
            .collect();
        let work = |nodes: &[usize]| nodes.iter().map(|node| joint.cost(&joint.nodes[*node])).sum::<u64>();
        let items: Vec<(usize, u64, u64)> =
            groups.iter().enumerate().map(|(i, (nodes, bytes))| (i, *bytes, work(nodes))).collect();
        if items.is_empty() {
            break;
        }
        for group in fill(&items, own - limit) {
            groups[group].0.iter().for_each(|node| allowed[*node] = true);
        }
        saved = cut(joint, &allowed)?;
    }
    Ok(if bytes(&saved) <= limit { saved } else { fewest })
}

/// The greatest number that divides both.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// The operations that are not computed again, and would have to be, for a value not to be saved: those that
/// are reached from it against the flow, past what may be computed again, up to what is saved.
fn behind(joint: &Joint, value: usize, saved: &[usize], allowed: &[bool]) -> Vec<usize> {
    let mut found = vec![];
    let mut seen = HashSet::from([value]);
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let Some(node) = joint.values[value].by else { continue };
        if !allowed[node] {
            found.push(node);
        } else if seen.len() < WALKED {
            let reads = joint.nodes[node].reads.iter().copied();
            open.extend(reads.filter(|read| saved.binary_search(read).is_err() && seen.insert(*read)));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Of items (what, bytes, work) those of least work that have so many bytes together; all of them where they
/// have not.
fn fill(items: &[(usize, u64, u64)], wanted: u64) -> Vec<usize> {
    // Bytes in parts, rounded down, so that what is chosen is never too little.
    let common = items.iter().fold(0, |common, item| divisor(common, item.1)).max(1);
    let part = wanted.div_ceil(PARTS).max(common);
    let goal = wanted.div_ceil(part) as usize;
    // The least work for each number of parts, and the items that it is made of.
    let mut least = vec![u64::MAX; goal + 1];
    least[0] = 0;
    let mut taken: Vec<Vec<bool>> = vec![];
    for (_, bytes, work) in items {
        let size = ((bytes / part) as usize).min(goal);
        let mut takes = vec![false; goal + 1];
        for at in (1..=goal).rev() {
            let before = least[at.saturating_sub(size)];
            if size > 0 && before != u64::MAX && before.saturating_add(*work) < least[at] {
                least[at] = before.saturating_add(*work);
                takes[at] = true;
            }
        }
        taken.push(takes);
    }
    if least[goal] == u64::MAX {
        return items.iter().map(|item| item.0).collect();
    }
    let mut at = goal;
    let mut chosen = vec![];
    for ((node, bytes, _), takes) in items.iter().zip(&taken).rev() {
        if takes[at] {
            chosen.push(*node);
            at = at.saturating_sub((bytes / part) as usize);
        }
    }
    chosen
}

/// The minimum cut where some operations may be computed again.
fn cut(joint: &Joint, again: &[bool]) -> Result<Vec<usize>, Failure> {
    let (source, sink) = (2 * joint.values.len(), 2 * joint.values.len() + 1);
    let (into, out) = (|value: usize| 2 * value, |value: usize| 2 * value + 1);
    // What can't be saved costs more than all that can, and what is no value more than all values.
    let unknown = joint.values.iter().filter_map(|entry| entry.bytes).fold(1u64, u64::saturating_add);
    let count = joint.values.iter().filter(|entry| entry.bytes.is_none()).count() as u64;
    let endless = unknown.saturating_mul(count + 1);
    let mut network = Network::new(sink + 1);
    for (value, entry) in joint.values.iter().enumerate().filter(|(_, entry)| !entry.tangent) {
        network.add(into(value), out(value), entry.bytes.unwrap_or(unknown));
        match entry.by {
            Some(node) if again[node] => {
                for read in &joint.nodes[node].reads {
                    network.add(out(*read), into(value), endless);
                }
            }
            _ => network.add(source, into(value), endless),
        }
    }
    for value in joint.needed() {
        network.add(out(value), sink, endless);
    }
    network.flow(source, sink);
    let side = network.sink_side(sink);
    let is_cut = |value: &usize| !joint.values[*value].tangent && !side[into(*value)] && side[out(*value)];
    let saved: Vec<usize> = (0..joint.values.len()).filter(is_cut).collect();
    match saved.iter().find(|value| joint.values[**value].bytes.is_none()) {
        None => Ok(saved),
        Some(value) => Err(cannot_be_saved(joint, *value)),
    }
}

/// The error for a value that the backward part needs and that has no bytes to count.
fn cannot_be_saved(joint: &Joint, value: usize) -> Failure {
    let entry = &joint.values[value];
    let why = format!(
        "{} is saved for the backward part: a builtin tensor of static sizes or a number can be",
        entry.value.r#type()
    );
    match entry.by {
        Some(node) => refuse(joint.nodes[node].op, &format!("makes what can't be saved: {why}")),
        None => Failure::Message(format!("argument {value} can't be saved: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn a_knapsack_takes_the_least_work() {
        assert_eq!(fill(&[(0, 100, 5), (1, 60, 1), (2, 50, 1)], 100), [2, 1]);
        assert_eq!(fill(&[(0, 100, 1), (1, 60, 1), (2, 50, 1)], 100), [0]);
        assert_eq!(fill(&[(0, 10, 1), (1, 20, 1)], 100), [0, 1]);
    }

    #[test]
    fn what_is_taken_is_enough() {
        let mut state = 7u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        for _ in 0..200 {
            let items: Vec<_> =
                (0..1 + below(8) as usize).map(|i| (i, 1 + below(50), 1 + below(20))).collect();
            let wanted = 1 + below(120);
            let sum = |set: &[usize], by: fn(&(usize, u64, u64)) -> u64| {
                set.iter().map(|i| by(&items[*i])).sum::<u64>()
            };
            let chosen = fill(&items, wanted);
            let all: u64 = items.iter().map(|item| item.1).sum();
            assert!(sum(&chosen, |i| i.1) >= wanted.min(all));
            let subsets = (0..1u32 << items.len())
                .map(|set| (0..items.len()).filter(|i| set >> i & 1 == 1).collect::<Vec<_>>());
            let best = subsets.filter(|set| sum(set, |i| i.1) >= wanted).map(|set| sum(&set, |i| i.2)).min();
            if let Some(best) = best {
                assert_eq!(sum(&chosen, |i| i.2), best, "{items:?} {wanted}");
            }
        }
    }
}
