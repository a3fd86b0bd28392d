//! Which operations run together: sets of them with a shared domain, grown along what they read from each
//! other.
//!
//! Every operation starts alone. Two sets become one where every link between them allows at least one pair
//! of dimensions, or where there is so little to do that one point may do everything; where no operation
//! outside has to come between them; and where it pays. What pays is said in [`Limits`].

use super::{
    dependence::links,
    graph::Graph,
    set::{Candidate, Cluster, points_of, together},
};
use crate::{
    loops::operation::{place, read::Loop},
    options::LoopFuse as Options,
};
use melior::ir::ValueLike;
use petgraph::graph::NodeIndex;
use std::collections::HashSet;
use terrace_dialects::ir::{operations::users, pass::Failure, shaped::Shaped, stress::Stress};

/// Operations that are looked at for one that has to come between two sets.
const LOOKED_AT: usize = 512;

/// Dimensions of two sets that are one.
type Pairs = Vec<(usize, usize)>;

/// What a set may be.
pub(super) struct Limits {
    pub scratch: i64,
    pub small: i64,
    pub members: usize,
    /// Points of a shared domain below which a machine is not kept busy, where one of them has more to do
    /// than `work` elements.
    pub points: i64,
    pub work: i64,
    /// Whether two products may run together.
    pub chains: bool,
}

impl Limits {
    /// Checks the options that say so.
    pub fn new(options: &Options) -> Result<Self, Failure> {
        let Options { scratch, small, members, points, work, chains, .. } = *options;
        if [scratch, small, points, work].iter().any(|limit| *limit < 0) || members < 1 {
            let why = format!(
                "expects limits that are not negative and a member or more, got scratch {scratch}, small {small}, members {members}, points {points}, work {work}"
            );
            return Err(why.into());
        }
        Ok(Self { scratch, small, members: members as usize, points, work, chains })
    }
}

/// The sets of a block.
pub(super) struct Clusters<'c, 'a, 'g> {
    graph: &'g Graph<'c, 'a>,
    pub candidates: Vec<Option<Candidate<'c, 'a>>>,
    limits: &'g Limits,
    /// The set of each operation, by its number.
    of: Vec<usize>,
    sets: Vec<Cluster<'c, 'a>>,
    /// Operations that are taken.
    taken: HashSet<usize>,
    /// For each place, the last one of a taken set that begins there or before.
    reach: Vec<usize>,
}

impl<'c: 'a, 'a, 'g> Clusters<'c, 'a, 'g> {
    /// Every operation alone.
    pub fn new(
        graph: &'g Graph<'c, 'a>,
        candidates: Vec<Option<Candidate<'c, 'a>>>,
        limits: &'g Limits,
    ) -> Self {
        let mut sets = vec![];
        for (place, candidate) in candidates.iter().enumerate() {
            sets.push(match candidate {
                Some(candidate) => Cluster::alone(place, candidate),
                None => Cluster { members: vec![place], sizes: vec![], dims: vec![vec![]] },
            });
        }
        let places: Vec<usize> = (0..sets.len()).collect();
        Self { graph, of: places.clone(), candidates, limits, sets, taken: HashSet::new(), reach: places }
    }

    /// Makes sets of these operations, which nothing else joins.
    pub fn take(&mut self, taken: Vec<Vec<usize>>) {
        for members in &taken {
            self.reach[members[0]] = members[members.len() - 1];
        }
        for place in 1..self.reach.len() {
            self.reach[place] = self.reach[place].max(self.reach[place - 1]);
        }
        for members in taken {
            let set = members[0];
            self.taken.extend(&members);
            for member in &members {
                self.of[*member] = set;
                self.sets[*member].members.clear();
            }
            self.sets[set] = Cluster { sizes: vec![], dims: vec![vec![]; members.len()], members };
        }
    }

    /// Operations as one set, with all dimensions that they can share, whatever that is good for; each was
    /// alone.
    pub fn together(&self, members: &[usize]) -> Result<Cluster<'c, 'a>, &'static str> {
        let (first, others) = members.split_first().ok_or("there is none")?;
        let mut cluster = self.sets[*first].clone();
        for place in others {
            let (pairs, _) = self.pairs(&cluster, &self.sets[*place])?;
            cluster = together(&cluster, &self.sets[*place], &pairs);
        }
        if self.leads_back(members) {
            return Err("another operation has to come between them");
        }
        Ok(cluster)
    }

    fn candidate(&self, place: usize) -> Option<&Candidate<'c, 'a>> {
        self.candidates[place].as_ref().filter(|_| !self.taken.contains(&place))
    }

    fn nest(&self, place: usize) -> &Loop<'c, 'a> {
        &self.candidates[place].as_ref().expect("members are candidates").nest
    }

    /// Joins the sets of two operations where that is legal and pays. The second is the last one so far: no
    /// set has a later member.
    pub fn join(
        &mut self,
        first: usize,
        second: usize,
        stress: &mut Option<Stress>,
    ) -> Option<Result<(), &'static str>> {
        self.candidate(first)?;
        self.candidate(second)?;
        let (a, b) = (self.of[first], self.of[second]);
        if a == b {
            return None;
        }
        let joined = match self.joined(a, b, stress) {
            Ok(joined) => joined,
            Err(why) => return Some(Err(why)),
        };
        for member in &joined.members {
            self.of[*member] = a;
        }
        self.sets[a] = joined;
        self.sets[b].members.clear();
        Some(Ok(()))
    }

    fn joined(
        &self,
        a: usize,
        b: usize,
        stress: &mut Option<Stress>,
    ) -> Result<Cluster<'c, 'a>, &'static str> {
        let (one, other) = (&self.sets[a], &self.sets[b]);
        if one.members.len() + other.members.len() > self.limits.members {
            return Err("the group would have too many members");
        }
        let (pairs, linked) = self.pairs(one, other)?;
        if self.comes_between(a, b) {
            return Err("another operation has to come between them");
        }
        let cluster = together(one, other, &pairs);
        match stress {
            None => {
                if !linked {
                    self.gains(one, other)?;
                }
                self.worth(&cluster)
            }
            Some(stress) => {
                let kept: Vec<usize> = (0..cluster.sizes.len()).filter(|_| stress.coin()).collect();
                let cluster = cluster.keeping(&kept);
                let fits = self.scratch(&cluster) <= self.limits.scratch;
                if fits && stress.coin() { Ok(cluster) } else { Err("the coin says so") }
            }
        }
    }

    /// The pairs of shared dimensions, one of each set, that all links between the sets allow, and whether
    /// there are any links.
    fn pairs(&self, one: &Cluster<'c, 'a>, other: &Cluster<'c, 'a>) -> Result<(Pairs, bool), &'static str> {
        let mut all = vec![];
        let mut siblings = vec![];
        for (m, first) in one.members.iter().enumerate() {
            for (n, second) in other.members.iter().enumerate() {
                let forward = first < second;
                let (early, late) = if forward { (first, second) } else { (second, first) };
                for link in links(self.nest(*early), self.nest(*late))? {
                    all.push((m, n, forward, link));
                }
                if all.is_empty() {
                    siblings.extend(self.siblings((one, m), (other, n)));
                }
            }
        }
        let allowed =
            |(k, l): (usize, usize),
             (m, n, forward, link): &(usize, usize, bool, super::dependence::Link)| {
                let first = (self.nest(one.members[*m]), one.dims[*m][k]);
                let second = (self.nest(other.members[*n]), other.dims[*n][l]);
                if *forward { link.allows(first, second) } else { link.allows(second, first) }
            };
        let mut pairs: Vec<(usize, usize)> = match all.first() {
            None => siblings,
            Some(first) => {
                let every = (0..one.sizes.len()).flat_map(|k| (0..other.sizes.len()).map(move |l| (k, l)));
                every.filter(|pair| allowed(*pair, first)).collect()
            }
        };
        let mut used = (HashSet::new(), HashSet::new());
        pairs.retain(|(k, l)| {
            let fits = one.sizes[*k] == other.sizes[*l] && all.iter().all(|link| allowed((*k, *l), link));
            let free = !used.0.contains(k) && !used.1.contains(l);
            if fits && free {
                used.0.insert(*k);
                used.1.insert(*l);
            }
            fits && free
        });
        Ok((pairs, !all.is_empty()))
    }

    /// The pairs of shared dimensions whose indices are the same dimension of a tensor that two operations
    /// read.
    fn siblings(
        &self,
        one: (&Cluster<'c, 'a>, usize),
        other: (&Cluster<'c, 'a>, usize),
    ) -> Vec<(usize, usize)> {
        let (first, second) = (self.nest(one.0.members[one.1]), self.nest(other.0.members[other.1]));
        for a in first.loads() {
            if let Some(b) = second.loads().find(|b| b.source() == a.source()) {
                let rank = terrace_dialects::loops::affine::results(a.map());
                let same = |k: usize, l: usize| {
                    let (own, its) = (one.0.dims[one.1][k], other.0.dims[other.1][l]);
                    (0..rank).any(|d| place::is_index(a, d, first, own) && place::is_index(b, d, second, its))
                };
                let every =
                    (0..one.0.sizes.len()).flat_map(|k| (0..other.0.sizes.len()).map(move |l| (k, l)));
                return every.filter(|(k, l)| same(*k, *l)).collect();
            }
        }
        vec![]
    }

    /// Whether sets of which none depends on the other gain anything: they read elements in common.
    fn gains(&self, one: &Cluster<'c, 'a>, other: &Cluster<'c, 'a>) -> Result<(), &'static str> {
        let members = || one.members.iter().flat_map(|m| other.members.iter().map(move |n| (*m, *n)));
        let meet = |(m, n): (usize, usize)| {
            let pairs = self.nest(m).loads().flat_map(|a| self.nest(n).loads().map(move |b| (a, b)));
            pairs.into_iter().any(|(a, b)| place::reads_may_meet(a, b))
        };
        if !members().any(meet) {
            return Err("they read different parts of it");
        }
        Ok(())
    }

    /// Whether an operation outside depends on one of these, and another one of these on it; or whether that
    /// takes too long to find out.
    fn leads_back(&self, members: &[usize]) -> bool {
        let last = members.last().copied().unwrap_or(0);
        let mut seen = HashSet::new();
        let mut next = members.to_vec();
        while let Some(place) = next.pop() {
            for after in self.graph.edges.neighbors(NodeIndex::new(place)).map(NodeIndex::index) {
                if members.contains(&after) {
                    if !members.contains(&place) {
                        return true;
                    }
                } else if after < last && seen.insert(after) {
                    next.push(after);
                }
            }
            if seen.len() > LOOKED_AT {
                return true;
            }
        }
        false
    }

    /// Whether an operation of neither set depends on one of them, and the other one on it; or whether that
    /// takes too long to find out.
    fn comes_between(&self, a: usize, b: usize) -> bool {
        let inside = |set: usize| set == a || set == b;
        let end = |set: usize| self.sets[set].members.last().copied().unwrap_or(0);
        // Sets end at the latest where the later of the two does, but for those that are taken: what begins
        // after all of these leads to none of the two.
        let mut last = end(a).max(end(b));
        while self.reach[last] > last {
            last = self.reach[last];
        }
        let mut seen: HashSet<usize> = HashSet::new();
        let mut next: Vec<usize> =
            [a, b].iter().flat_map(|set| self.sets[*set].members.iter().copied()).collect();
        let mut outside = false;
        while let Some(place) = next.pop() {
            for after in self.graph.edges.neighbors(NodeIndex::new(place)) {
                let set = self.of[after.index()];
                if inside(set) {
                    if outside && !inside(self.of[place]) {
                        return true;
                    }
                    continue;
                }
                if self.sets[set].members[0] < last && seen.insert(set) {
                    outside = true;
                    next.extend(&self.sets[set].members);
                }
            }
            if seen.len() > LOOKED_AT {
                return true;
            }
        }
        false
    }

    /// A set with the dimensions that it is good to share; an error says why it does not pay.
    fn worth(&self, cluster: &Cluster<'c, 'a>) -> Result<Cluster<'c, 'a>, &'static str> {
        let total: i64 = self.points(cluster);
        let lanes = |k: usize| -> i64 {
            let members = cluster.members.iter().zip(&cluster.dims);
            let candidate = |place: &usize| self.candidates[*place].as_ref();
            let own =
                members.filter_map(|(place, dims)| candidate(place).filter(|c| c.lanes.contains(&dims[k])));
            own.map(|c| c.points).fold(0, i64::saturating_add)
        };
        // A dimension that most of the work has in the lanes of tiles is not shared.
        let kept: Vec<usize> = (0..cluster.sizes.len()).filter(|k| lanes(*k) <= total / 4).collect();
        let cluster = cluster.keeping(&kept);
        let points = points_of(&cluster.sizes);
        if total > self.limits.small || self.is_open(&cluster) {
            if cluster.sizes.is_empty() {
                return Err("they have no dimension in common but that of the lanes");
            }
            if points < self.limits.points && total / points.max(1) > self.limits.work {
                return Err("they have too few points in common to keep the machine busy");
            }
        }
        if self.scratch(&cluster) > self.limits.scratch {
            return Err("what a point keeps is too large");
        }
        Ok(cluster)
    }

    /// Whether a size of it is one of the run: there is no bound for what is to do.
    fn is_open(&self, cluster: &Cluster<'c, 'a>) -> bool {
        cluster.members.iter().any(|place| !self.nest(*place).is_static())
    }

    fn points(&self, cluster: &Cluster<'c, 'a>) -> i64 {
        let own = cluster.members.iter().filter_map(|place| self.candidates[*place].as_ref());
        own.map(|candidate| candidate.points).fold(0, i64::saturating_add)
    }

    /// The bytes of the tensors that a point has for itself: those that go into a destination are there
    /// already. Of a size of the run there may be any number.
    fn scratch(&self, cluster: &Cluster<'c, 'a>) -> i64 {
        let members = cluster.members.iter().zip(&cluster.dims);
        let inside =
            |op| self.graph.place(op).is_some_and(|place| cluster.members.binary_search(&place).is_ok());
        let local = |nest: &Loop<'c, 'a>| nest.result().is_some_and(|result| users(result).all(inside));
        let own = members.filter_map(|(place, dims)| Some((self.candidates[*place].as_ref()?, dims)));
        let own = own.filter(|(candidate, _)| local(&candidate.nest));
        let one = |(candidate, dims): (&Candidate, &Vec<usize>)| {
            let outer = (0..candidate.nest.outer).filter(|d| !dims.contains(d));
            let known = |d: usize| candidate.nest.extents[d].number().unwrap_or(i64::MAX);
            let size = outer.fold(1i64, |n, d| n.saturating_mul(known(d)));
            if size == 1 { 0 } else { size.saturating_mul(candidate.bytes()) }
        };
        own.map(one).fold(0, i64::saturating_add)
    }

    /// The sets of several operations, the others alone, in an order that every dependence is kept by.
    pub fn ordered(self) -> Vec<Cluster<'c, 'a>> {
        let count = self.sets.len();
        let last = |set: usize| self.sets[set].members.last().copied().unwrap_or(0);
        let mut waiting = vec![0usize; count];
        let mut edges: Vec<Vec<usize>> = vec![vec![]; count];
        for edge in self.graph.edges.raw_edges() {
            let (from, to) = (self.of[edge.source().index()], self.of[edge.target().index()]);
            if from != to {
                edges[from].push(to);
                waiting[to] += 1;
            }
        }
        let ready = (0..count).filter(|set| waiting[*set] == 0 && !self.sets[*set].members.is_empty());
        let mut heap: std::collections::BinaryHeap<_> =
            ready.map(|set| std::cmp::Reverse((last(set), set))).collect();
        let mut ordered = vec![];
        while let Some(std::cmp::Reverse((_, set))) = heap.pop() {
            ordered.push(self.sets[set].clone());
            for next in &edges[set] {
                waiting[*next] -= 1;
                if waiting[*next] == 0 {
                    heap.push(std::cmp::Reverse((last(*next), *next)));
                }
            }
        }
        ordered
    }
}

/// Whether a value is a tensor.
pub(super) fn is_tensor(value: terrace_dialects::ir::cursor::V) -> bool {
    Shaped::of(value.r#type()).is_some_and(|shaped| !shaped.buffer)
}
