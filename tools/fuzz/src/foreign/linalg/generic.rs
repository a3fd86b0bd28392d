//! `linalg.generic`: a domain, maps, and a body.

use super::{
    Held, Maker,
    body::{Body, Number},
    joined, listed, memrefs,
};
use crate::dtypes::element_type;

/// A map of an operand: expressions of the dimensions of the domain, and the sizes that the operand has for
/// them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Map {
    exprs: Vec<String>,
    pub sizes: Vec<i64>,
    /// The dimensions that are an expression of their own.
    alone: Vec<usize>,
}

impl Map {
    fn push(&mut self, expr: String, size: i64) {
        self.exprs.push(expr);
        self.sizes.push(size);
    }

    fn dimension(&mut self, d: usize, domain: &[i64]) {
        self.push(format!("d{d}"), domain[d]);
        self.alone.push(d);
    }

    fn text(&self, rank: usize) -> String {
        let dims = joined((0..rank).map(|d| format!("d{d}")));
        format!("affine_map<({dims}) -> ({})>", joined(&self.exprs))
    }
}

impl Maker {
    /// A map that reads: dimensions in some order, some of them not, and now and then expressions of several.
    fn reading(&mut self, domain: &[i64]) -> Map {
        let mut order: Vec<usize> = (0..domain.len()).collect();
        if self.random.percent(50) {
            self.random.shuffle(&mut order);
        }
        let keep = self.random.choose(&[100, 100, 70, 50]);
        let strange = !domain.contains(&0) && self.random.percent(25);
        let mut map = Map::default();
        for d in order {
            if !self.random.percent(keep) || map.exprs.len() > 3 {
                continue;
            }
            if strange && self.random.percent(50) {
                let other = self.random.between(0, domain.len() as i64 - 1) as usize;
                let [last, more] = [domain[d] - 1, domain[other] - 1];
                let slack = self.random.choose(&[0, 0, 1]);
                match self.random.between(0, 5) {
                    0 | 1 if d != other => map.push(format!("d{d} + d{other}"), last + more + 1 + slack),
                    2 if d != other => map.push(format!("d{d} * 2 + d{other}"), 2 * last + more + 1 + slack),
                    3 => map.push(format!("d{d} * 2 + 1"), 2 * last + 2 + slack),
                    4 => map.push(format!("d{d} + 1"), last + 2 + slack),
                    _ => map.push("0".into(), 1 + slack),
                }
                continue;
            }
            map.dimension(d, domain);
        }
        map
    }

    /// A map that writes: the parallel dimensions, once each.
    fn writing(&mut self, domain: &[i64], reduced: &[bool]) -> Map {
        let mut order: Vec<usize> = (0..domain.len()).filter(|d| !reduced[*d]).collect();
        if self.random.percent(40) {
            self.random.shuffle(&mut order);
        }
        let strange = !domain.contains(&0) && self.random.percent(12);
        let mut map = Map::default();
        for d in order {
            match self.random.between(0, 5) {
                0 if strange => map.push(format!("d{d} * 2"), 2 * domain[d]),
                1 if strange => map.push(format!("d{d} + 1"), domain[d] + 1),
                _ => map.dimension(d, domain),
            }
        }
        if strange && self.random.percent(40) {
            map.push("0".into(), self.random.between(1, 2));
        }
        map
    }

    pub(super) fn generic(&mut self) {
        let domain = self.sizes(1, 4);
        let chance = self.random.choose(&[0, 0, 35, 60]);
        let reduced: Vec<bool> = domain.iter().map(|_| self.random.percent(chance)).collect();
        let count = self.random.choose(&[1, 1, 1, 1, 1, 2, 2, 3]);
        let writes: Vec<Map> = (0..count).map(|_| self.writing(&domain, &reduced)).collect();
        let least = if reduced.contains(&true) { 1 } else { 0 };
        let mut reads_by: Vec<Map> =
            (0..self.random.between(least, 3)).map(|_| self.reading(&domain)).collect();
        let has = |d: &usize| reads_by.iter().chain(&writes).any(|map| map.alone.contains(d));
        let missing: Vec<usize> = (0..domain.len()).filter(|d| !has(d)).collect();
        if !missing.is_empty() {
            let mut map = Map::default();
            missing.into_iter().for_each(|d| map.dimension(d, &domain));
            reads_by.push(map);
        }
        let mut ins: Vec<Held> = vec![];
        for map in &reads_by {
            let dtype = self.some_dtype();
            ins.push(self.operand(dtype, &map.sizes, f64::INFINITY));
        }
        // Whether the body reads what destinations had; what is not written keeps it in any case.
        let partly = writes.iter().any(|map| map.alone.len() != map.exprs.len());
        let old = reduced.contains(&true) || partly || self.random.percent(25);
        let mut outs: Vec<Held> = vec![];
        for map in &writes {
            let dtype = self.some_dtype();
            let reads: Vec<Held> = ins.iter().chain(&outs).cloned().collect();
            // What a point alone reads and writes may be one memory.
            let is_own = |at: &usize| {
                let others = ins.iter().enumerate().filter(|(i, _)| i != at).map(|(_, other)| other);
                let (own, at) = (&ins[*at], &reads_by[*at]);
                let disjoint = others.chain(&outs).all(|other| memrefs::disjoint(own, other));
                at == map && own.dtype == dtype && own.bound < 1e3 && disjoint
            };
            let in_place = (0..ins.len()).find(is_own).filter(|_| !reduced.contains(&true));
            let in_place = in_place.filter(|_| self.memrefs && self.random.percent(50));
            let out = match in_place {
                Some(at) => ins[at].clone(),
                None => self.destination(dtype, &map.sizes, &reads, old),
            };
            outs.push(out);
        }
        let maps: Vec<String> = reads_by.iter().chain(&writes).map(|map| map.text(domain.len())).collect();
        let kinds = reduced.iter().map(|reduced| if *reduced { "\"reduction\"" } else { "\"parallel\"" });
        let head = format!("{{indexing_maps = [{}], iterator_types = [{}]}}", joined(maps), joined(kinds));
        self.written(&head, (&domain, &reduced), &ins, &outs, (old, partly && !self.memrefs));
    }

    /// The operation with its body.
    fn written(
        &mut self,
        head: &str,
        (domain, reduced): (&[i64], &[bool]),
        ins: &[Held],
        outs: &[Held],
        (old, kept): (bool, bool),
    ) {
        let name = self.name();
        let made = match outs.len() {
            _ if self.memrefs => String::new(),
            1 => format!("{name} = "),
            count => format!("{name}:{count} = "),
        };
        let read = if ins.is_empty() { String::new() } else { format!(" ins{}", listed(ins.iter())) };
        self.line(format!("{made}linalg.generic {head}{read} outs{} {{", listed(outs.iter())));
        let elements: Vec<Number> = ins.iter().chain(outs).map(|value| value.element(self.name())).collect();
        let arguments = elements.iter().map(|own| format!("{}: {}", own.name, element_type(own.dtype)));
        self.line(format!("^bb0({}):", joined(arguments)));
        let (read, olds) = elements.split_at(ins.len());
        let points: i64 = (0..domain.len()).filter(|d| reduced[*d]).map(|d| domain[d]).product();
        let own = if old && !reduced.contains(&true) { &elements[..] } else { read };
        let body = Body { elements: own.to_vec(), sizes: domain.to_vec() };
        let mut given = vec![];
        for old in olds {
            given.push(match reduced.contains(&true) {
                true => self.combined(&body, old, points as f64),
                false => {
                    let own = self.number(&body, old.dtype, 3);
                    // What is not written is kept where what was there is read, and only there.
                    let by = if old.dtype.is_float() { "addf" } else { "ori" };
                    if kept { self.by(by, &own, old) } else { own }
                }
            });
        }
        let types = joined(given.iter().map(|own| element_type(own.dtype)));
        self.line(format!("  linalg.yield {} : {types}", joined(given.iter().map(|own| &own.name))));
        let results = joined(outs.iter().map(|out| &out.ty));
        self.line(if self.memrefs { "}".to_owned() } else { format!("}} -> ({results})") });
        for (k, (out, given)) in outs.iter().zip(&given).enumerate() {
            let bound = given.bound.max(out.bound);
            if self.memrefs {
                self.bounded(out, bound);
            } else {
                let name = if outs.len() == 1 { name.clone() } else { format!("{name}#{k}") };
                self.took(Held { name, bound, ..out.clone() });
            }
        }
    }
}
