//! Circles in the graph of imports: files each of which reaches all others.

use std::collections::{BTreeMap, BTreeSet};

struct Search<'a> {
    edges: &'a BTreeMap<&'a str, Vec<&'a str>>,
    /// The number of each file that was met, and the lowest number that it reaches.
    met: BTreeMap<&'a str, (usize, usize)>,
    open: Vec<&'a str>,
    found: Vec<Vec<String>>,
}

impl<'a> Search<'a> {
    fn visit(&mut self, file: &'a str) -> usize {
        let number = self.met.len();
        self.met.insert(file, (number, number));
        self.open.push(file);
        let mut lowest = number;
        for next in self.edges.get(file).into_iter().flatten() {
            match self.met.get(next) {
                None => lowest = lowest.min(self.visit(next)),
                Some((other, _)) if self.open.contains(next) => lowest = lowest.min(*other),
                Some(_) => {}
            }
        }
        if let Some(met) = self.met.get_mut(file) {
            met.1 = lowest;
        }
        if lowest == number {
            let start = self.open.iter().position(|open| *open == file).unwrap_or_default();
            let mut circle: Vec<String> = self.open.drain(start..).map(String::from).collect();
            circle.sort();
            self.found.push(circle);
        }
        lowest
    }
}

/// All circles of two files or more, the largest first.
pub fn circles(edges: &BTreeSet<(String, String)>) -> Vec<Vec<String>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let mut search = Search { edges: &next, met: BTreeMap::new(), open: vec![], found: vec![] };
    for file in next.keys() {
        if !search.met.contains_key(file) {
            search.visit(file);
        }
    }
    let mut found: Vec<_> = search.found.into_iter().filter(|circle| circle.len() > 1).collect();
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

#[cfg(test)]
mod tests {
    use super::circles;

    #[test]
    fn files_that_reach_each_other_are_one_circle() {
        let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "a"), ("d", "f"), ("f", "d")];
        let edges = edges.map(|(from, to)| (from.to_string(), to.to_string())).into();
        assert_eq!(circles(&edges), [vec!["a", "b", "c"], vec!["d", "f"]]);
    }
}
