//! Minimum cuts: Dinic's algorithm, by paths and not by recursion, for graphs are as deep as programs are
//! long.
//!
//! E. A. Dinic, "Algorithm for solution of a problem of maximum flow in networks with power estimation"
//! (1970): breadth first the distances from the source, then flow along edges that lead away from it until
//! none is left, and again.

/// No edge.
const NONE: usize = usize::MAX;

/// A network of edges with capacities.
pub struct Network {
    /// The first edge of each vertex.
    first: Vec<usize>,
    /// The next edge of the same vertex.
    next: Vec<usize>,
    /// Where an edge leads; edge `e ^ 1` leads back.
    to: Vec<usize>,
    /// What may still flow.
    rest: Vec<u64>,
}

impl Network {
    /// A network of vertices without edges.
    pub fn new(vertices: usize) -> Self {
        Self { first: vec![NONE; vertices], next: vec![], to: vec![], rest: vec![] }
    }

    /// Adds an edge.
    pub fn add(&mut self, from: usize, to: usize, capacity: u64) {
        for (from, to, rest) in [(from, to, capacity), (to, from, 0)] {
            self.to.push(to);
            self.rest.push(rest);
            self.next.push(std::mem::replace(&mut self.first[from], self.next.len()));
        }
    }

    fn edges(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let some = |edge: usize| (edge != NONE).then_some(edge);
        std::iter::successors(some(self.first[vertex]), move |edge| some(self.next[*edge]))
    }

    /// Distances from a vertex along edges by which something may still flow; against them where `back`.
    fn distances(&self, from: usize, back: bool) -> Vec<usize> {
        let mut found = vec![NONE; self.first.len()];
        found[from] = 0;
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(vertex) = queue.pop_front() {
            for edge in self.edges(vertex) {
                let open = self.rest[edge ^ usize::from(back)] > 0;
                if open && found[self.to[edge]] == NONE {
                    found[self.to[edge]] = found[vertex] + 1;
                    queue.push_back(self.to[edge]);
                }
            }
        }
        found
    }

    /// Lets flow what can; gives how much.
    pub fn flow(&mut self, source: usize, sink: usize) -> u64 {
        let mut total = 0u64;
        loop {
            let distances = self.distances(source, false);
            if distances[sink] == NONE {
                return total;
            }
            total = total.saturating_add(self.block(source, sink, distances));
        }
    }

    /// Lets flow along shortest paths until none is left.
    fn block(&mut self, source: usize, sink: usize, mut distances: Vec<usize>) -> u64 {
        let mut at = self.first.clone();
        let mut path: Vec<usize> = vec![];
        let (mut vertex, mut total) = (source, 0u64);
        loop {
            if vertex == sink {
                let flow = path.iter().map(|edge| self.rest[*edge]).min().unwrap_or(0);
                total = total.saturating_add(flow);
                for edge in &path {
                    self.rest[*edge] -= flow;
                    self.rest[*edge ^ 1] += flow;
                }
                let full = path.iter().position(|edge| self.rest[*edge] == 0).unwrap_or(0);
                vertex = self.to[path[full] ^ 1];
                path.truncate(full);
            }
            let leads = |edge: usize| {
                self.rest[edge] > 0
                    && distances[self.to[edge]] != NONE
                    && distances[self.to[edge]] == distances[vertex] + 1
            };
            while at[vertex] != NONE && !leads(at[vertex]) {
                at[vertex] = self.next[at[vertex]];
            }
            if at[vertex] != NONE {
                path.push(at[vertex]);
                vertex = self.to[at[vertex]];
                continue;
            }
            let Some(edge) = path.pop() else { return total };
            // Nothing reaches the sink from here.
            distances[vertex] = NONE;
            vertex = self.to[edge ^ 1];
            at[vertex] = self.next[at[vertex]];
        }
    }

    /// After [`flow`](Self::flow): whether each vertex is on the sink's side of the minimum cut that lies
    /// nearest to the sink.
    pub fn sink_side(&self, sink: usize) -> Vec<bool> {
        self.distances(sink, true).into_iter().map(|distance| distance != NONE).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Network;

    /// The capacity of the cheapest cut, by trying all of them.
    fn cheapest(vertices: usize, edges: &[(usize, usize, u64)]) -> u64 {
        let cut = |set: u32| {
            let crossing = |(a, b, _): &&(usize, usize, u64)| set >> a & 1 == 1 && set >> b & 1 == 0;
            edges.iter().filter(crossing).map(|(_, _, c)| c).sum::<u64>()
        };
        (0..1u32 << vertices)
            .filter(|set| set & 1 == 1 && set >> (vertices - 1) & 1 == 0)
            .map(cut)
            .min()
            .unwrap()
    }

    #[test]
    fn flow_is_the_cheapest_cut() {
        let mut state = 1u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        for _ in 0..300 {
            let vertices = 2 + below(7) as usize;
            let count = below(20);
            let edges: Vec<_> = (0..count)
                .map(|_| (below(vertices as u64) as usize, below(vertices as u64) as usize, below(9)))
                .filter(|(a, b, _)| a != b)
                .collect();
            let mut network = Network::new(vertices);
            edges.iter().for_each(|(a, b, c)| network.add(*a, *b, *c));
            let flow = network.flow(0, vertices - 1);
            assert_eq!(flow, cheapest(vertices, &edges), "{edges:?}");
            let side = network.sink_side(vertices - 1);
            assert!(!side[0] && side[vertices - 1]);
            let cut: u64 = edges.iter().filter(|(a, b, _)| !side[*a] && side[*b]).map(|(_, _, c)| c).sum();
            assert_eq!(flow, cut);
        }
    }
}
