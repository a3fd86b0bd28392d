//! What is written back: the regions of arguments that were written, and nothing else.

use crate::graph::functionalize::{
    analysis::{
        state::Analysis,
        tensors::{Argument, Layout, Origin},
        transform::ElementTransform,
    },
    boundary::plan::Region,
    rewriting::storages::Storages,
};
use std::collections::{BTreeMap, HashSet};
use terrace_dialects::ir::OperationLike;
use terrace_layout::recognize::recognize;
use terrace_size::{Number, sort_where};

/// Regions that one region is compared with, to see whether it is a part of them.
const COMPARED: usize = 16;

/// Elements up to which regions are counted together, to see whether they make up an argument.
const COUNTED: i64 = 1 << 22;

/// A written region, its storage, and the place of its last write among all accesses.
struct Written<'c> {
    storage: usize,
    order: usize,
    region: Region<'c>,
}

/// The regions to write back, each with its storage, by argument and order of their last writes. No region
/// twice, none that is part of another, and the argument itself where regions make it up.
pub fn written<'c>(analysis: &Analysis<'c, '_>, storages: &Storages) -> Vec<(usize, Region<'c>)> {
    let mut transform = HashSet::new();
    let mut by_argument: BTreeMap<usize, Vec<Written>> = BTreeMap::new();
    for (order, access) in analysis.accesses.iter().enumerate().rev().filter(|(_, a)| a.writes) {
        let (Origin::Argument(argument), layout) = (access.origin, &access.layout) else { continue };
        let Some(own) = analysis.arguments[argument].as_ref().filter(|_| !layout.is_known_empty()) else {
            continue;
        };
        let (layout, tensor) = match &analysis.identities[access.identity].0 {
            _ if !own.logical => (plain(layout), None),
            // The boundary has no numbers for it, but it has this tensor, which sees elements as they are
            // stored.
            tensor
                if tensor.layout.is_same(layout)
                    && tensor.transform == ElementTransform::stored(own.dtype) =>
            {
                (layout.clone(), Some(tensor.identity))
            }
            _ => (whole(analysis, own).clone(), Some(own.identity)),
        };
        let storage = storages.of(access.origin);
        if transform.insert((storage, layout.key())) {
            let region = Region { argument, layout, tensor, location: access.op.location() };
            by_argument.entry(argument).or_default().push(Written { storage, order, region });
        }
    }
    for (argument, regions) in &mut by_argument {
        let Some(own) = analysis.arguments[*argument].as_ref() else { continue };
        let all = whole(analysis, own);
        let made_up = regions.len() > 1 && make_up(regions, all);
        if made_up {
            regions.truncate(1);
        }
        for Written { region, .. } in regions {
            if made_up || plain(&region.layout).is_same(&plain(all)) {
                region.layout = all.clone();
                region.tensor = own.logical.then_some(own.identity);
            }
        }
    }
    let mut all: Vec<Written> = by_argument.into_values().flatten().collect();
    all.sort_by_key(|w| (w.storage, std::cmp::Reverse(large(&w.region.layout)), w.order));
    let mut kept: Vec<Written> = vec![];
    for written in all {
        let inside = |other: &Written| contains(&other.region.layout, &written.region.layout);
        if !kept.iter().filter(|w| w.storage == written.storage).take(COMPARED).any(inside) {
            kept.push(written);
        }
    }
    kept.sort_by_key(|w| (w.region.argument, w.order));
    kept.into_iter().map(|w| (w.storage, w.region)).collect()
}

/// How large a region is, those of sizes that are not known first.
fn large(layout: &Layout) -> i64 {
    layout
        .sizes
        .iter()
        .try_fold(1, |product: i64, size| product.checked_mul(size.known()?))
        .unwrap_or(i64::MAX)
}

/// Whether a region is known to be part of another one.
fn contains(other: &Layout, own: &Layout) -> bool {
    other.is_same(own)
        || other.numbers().zip(own.numbers()).is_some_and(|(other, own)| recognize(&other, &own).is_some())
}

/// What an argument covers of its storage.
fn whole<'l>(analysis: &'l Analysis, argument: &Argument) -> &'l Layout {
    &analysis.identities[argument.identity].0.span
}

/// Whether the regions are all elements of a layout, and none beside it.
fn make_up(regions: &[Written], own: &Layout) -> bool {
    let Some(own) = own.numbers() else { return false };
    let Some(regions) = regions.iter().map(|w| w.region.layout.numbers()).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let count: i64 = regions.iter().map(|region| region.numel()).sum();
    if count < own.numel() || count > COUNTED || own.repeats() {
        return false;
    }
    let places: HashSet<i64> = regions.iter().flat_map(|region| region.places()).collect();
    let all = own.places();
    all.len() == places.len() && all.iter().all(|p| places.contains(p))
}

/// The same places in the order of memory: dimensions by descending strides, none of size 1.
fn plain(layout: &Layout) -> Layout {
    let mut order: Vec<usize> = (0..layout.rank()).filter(|d| layout.sizes[*d].known() != Some(1)).collect();
    sort_where(&mut order, |a, b| layout.strides[*b].assume_lt(layout.strides[*a]));
    layout.permute(&order)
}
