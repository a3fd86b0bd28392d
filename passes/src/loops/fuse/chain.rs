//! Two products with what is between them: attention, in which a softmax of the first one's rows is the left
//! factor of the second.
//!
//! ```text
//! %s = loop.reduction add (%b, %i, %j) over (%k) { %q[%b, %i, %k] * %k[%b, %j, %k] }
//! ..                                               operations on rows of %s, that nobody else needs
//! %y = loop.reduction add (%b, %i, %d) over (%j) { %p[%b, %i, %j] * %v[%b, %j, %d] }
//! ```
//!
//! They are one group over `(%b, %i)` where every dependence allows these dimensions, nothing outside has to
//! come between, and the elements between the products, of which there may be many times more than in the
//! factors, are needed nowhere else. It pays where the products have little to sum over: otherwise what it
//! saves is a small part of their work.

use super::{
    cluster::Clusters,
    graph::Graph,
    set::{Candidate, Cluster, points_of},
};
use crate::{
    kernel::tile_programs::nest::Nest,
    loops::{convert_to_kernel::product, operation::read::Loop},
};
use std::collections::BTreeSet;
use terrace_dialects::{
    ir::{
        cursor::V,
        operations::{definition, users},
    },
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// Operations between two products, at most.
const BETWEEN: usize = 16;
/// What the first product sums over and columns of the second one, at most.
const INNER: i64 = 256;

/// Two products and what is between them, by their places in the block, with the dimensions that they share:
/// the rows of both products come last. None where what ends here is no product of anything that a product
/// made; an error says why they are no group.
pub(super) fn ending<'c: 'a, 'a>(
    last: usize,
    graph: &Graph<'c, 'a>,
    clusters: &Clusters<'c, 'a, '_>,
) -> Option<Result<Cluster<'c, 'a>, &'static str>> {
    let second = Product::of(clusters.candidates[last].as_ref()?)?;
    let members = between(&second, last, graph, &clusters.candidates)?;
    Some(members.and_then(|members| group(&second, &members, graph, clusters)))
}

/// A product of a block.
struct Product<'c, 'a, 'n> {
    nest: &'n Loop<'c, 'a>,
    /// Its dimensions of rows, of columns and the one that it sums over.
    rows: usize,
    columns: usize,
    inner: usize,
    /// What it reads its left factor from, where it reads it as it is.
    left: Option<V<'c, 'a>>,
}

impl<'c: 'a, 'a, 'n> Product<'c, 'a, 'n> {
    fn of(candidate: &'n Candidate<'c, 'a>) -> Option<Self> {
        let nest = &candidate.nest;
        let own = Nest::of(nest.op).ok().filter(|_| nest.is_contraction())?;
        let found = product::Product::of(&own)?;
        let ([columns], [inner]) = (&found.columns[..], &found.inner[..]) else { return None };
        let load = match found.lhs.body[..] {
            [load] => loop_::LoadOp::try_from(load).ok().filter(|load| load.mask().is_none()),
            _ => None,
        };
        Some(Self {
            nest,
            rows: found.rows,
            columns: *columns,
            inner: *inner,
            left: load.map(|load| load.source()),
        })
    }

    /// The dimensions that it can share: its batches, in their order, and its rows.
    fn shared(&self) -> Vec<usize> {
        let batch = |d: &usize| ![self.rows, self.columns].contains(d) && self.nest.sizes[*d] != 1;
        (0..self.nest.outer).filter(batch).chain([self.rows]).collect()
    }
}

/// The places of the product that the left factor is made of, of what makes it of that, and of the second
/// product.
fn between<'c: 'a, 'a>(
    second: &Product<'c, 'a, '_>,
    last: usize,
    graph: &Graph<'c, 'a>,
    candidates: &[Option<Candidate<'c, 'a>>],
) -> Option<Result<Vec<usize>, &'static str>> {
    let start = definition(second.left?).and_then(|op| graph.place(op))?;
    let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
    let mut first = None;
    while let Some(place) = next.pop() {
        let Some(candidate) = candidates[place].as_ref().filter(|_| seen.insert(place)) else { continue };
        if candidate.nest.is_contraction() {
            first = first.max(Some(place));
        } else if seen.len() > BETWEEN {
            return first.map(|_| Err("there are too many operations between its products"));
        } else {
            next.extend(graph.before(place));
        }
    }
    // Of what was seen, that which is made of the product.
    let mut made = BTreeSet::from([first?]);
    for place in seen {
        if graph.before(place).any(|before| made.contains(&before)) {
            made.insert(place);
        }
    }
    made.insert(last);
    Some(Ok(made.into_iter().collect()))
}

fn group<'c: 'a, 'a>(
    second: &Product<'c, 'a, '_>,
    members: &[usize],
    graph: &Graph<'c, 'a>,
    clusters: &Clusters<'c, 'a, '_>,
) -> Result<Cluster<'c, 'a>, &'static str> {
    let candidate = clusters.candidates[members[0]].as_ref();
    let first =
        candidate.and_then(Product::of).ok_or("its left factor is made of a product without a template")?;
    if first.nest.sizes[first.inner] > INNER || second.nest.sizes[second.columns] > INNER {
        return Err("its products have much more to do than what is between them");
    }
    let cluster = clusters.together(members)?;
    let nests = members.iter().filter_map(|place| clusters.candidates[*place].as_ref()).map(|own| &own.nest);
    let row = |(nest, shared): (&Loop, &Vec<usize>)| {
        (0..nest.sizes.len()).all(|d| shared.contains(&d) || nest.sizes[d] != DYNAMIC)
    };
    if !nests.zip(&cluster.dims).all(row) {
        return Err("what is in a row of it has a size of the run");
    }
    let inside = |op| graph.place(op).is_some_and(|place| members.contains(&place));
    // A number for each row may be needed elsewhere.
    let rows = points_of(&cluster.sizes);
    let large = |nest: &&Loop| points_of(&nest.extents[..nest.outer]) > rows;
    let between =
        members[..members.len() - 1].iter().filter_map(|place| clusters.candidates[*place].as_ref());
    let results = between.map(|candidate| &candidate.nest).filter(large).filter_map(Loop::result);
    if results.flat_map(users).any(|user| !inside(user)) {
        return Err("what is between its products is needed elsewhere");
    }
    // In the order of the first product's, rows last.
    let own = &cluster.dims[0];
    let place = |d: &usize| own.iter().position(|own| own == d);
    let order: Option<Vec<usize>> = first.shared().iter().map(place).collect();
    let cluster = cluster.keeping(&order.ok_or("its products do not have their rows and batches in common")?);
    if cluster.dims.last() != Some(&second.shared()) {
        return Err("its products do not have their rows and batches in common");
    }
    Ok(cluster)
}
