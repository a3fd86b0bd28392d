//! Loops and conditions, and what is in them.

use super::{Index, Maker, View};
use terrace_tensor::Dtype;

/// How deep loops lie in each other.
const DEEP: usize = 4;

/// What ends with a loop.
pub(super) struct End {
    dead: usize,
}

impl Maker {
    /// Loops in each other, with stores.
    pub(super) fn nest(&mut self) {
        match self.random.percent(15) {
            true => self.tiled(),
            false => self.looped(),
        }
    }

    /// Loops over tiles, and inside of them those over the points of a tile.
    fn tiled(&mut self) {
        let scope = self.scope.len();
        let count = self.random.choose(&[1, 2]);
        let tiles: Vec<(i64, i64)> =
            (0..count).map(|_| (self.random.between(1, 8), self.random.choose(&[2, 3, 4]))).collect();
        let between = match tiles[..] {
            [(rows, _), (columns, _)] if self.random.percent(70) => {
                Some((self.own(vec![rows + 2, 2 * columns]), self.own(vec![rows, columns])))
            }
            _ => None,
        };
        let mut names = vec![];
        for (size, tile) in &tiles {
            let name = self.name().replace('%', "%t");
            self.line(format!("affine.for {name} = 0 to {size} step {tile} {{"));
            names.push(name);
            self.depth += 1;
        }
        for ((size, tile), outer) in tiles.iter().zip(&names) {
            let name = self.name().replace('%', "%i");
            let end = match size % tile == 0 && self.random.percent(50) {
                true => format!("affine_map<(d0) -> (d0 + {tile})>({outer})"),
                false => format!("min affine_map<(d0) -> (d0 + {tile}, {size})>({outer})"),
            };
            self.line(format!("affine.for {name} = affine_map<(d0) -> (d0)>({outer}) to {end} {{"));
            self.around.push(Index { name, low: 0, high: size - 1 });
            self.depth += 1;
        }
        if let Some((between, to)) = &between {
            self.passed_on(between, to);
        }
        if between.is_none() || self.random.percent(50) {
            self.items();
        }
        for _ in 0..2 * count {
            self.depth -= 1;
            self.line("}");
        }
        self.around.truncate(self.around.len() - count);
        self.scope.truncate(scope);
    }

    /// A number stored, and one read that another tile stores, before or after, of one dimension or of both.
    fn passed_on(&mut self, between: &View, to: &View) {
        let [i, j] = [2, 1].map(|k| self.around[self.around.len() - k].name.clone());
        let value = self.value(between.dtype, 1);
        self.line(format!("affine.store {value}, {}[{i} + 1, {j}] : {}", between.name, between.ty));
        let (row, column) = (self.random.choose(&[0, 0, 1, 2]), self.random.between(0, to.sizes[1]));
        let load = format!("affine.load {}[{i} + {row}, {j} + {column}] : {}", between.name, between.ty);
        let read = self.computed(load);
        self.line(format!("affine.store {read}, {}[{i}, {j}] : {}", to.name, to.ty));
        self.left -= 2;
    }

    /// The head of a loop, which is around from here on.
    pub(super) fn head(&mut self) -> (String, End) {
        let (dead, name) = (self.dead, self.name().replace('%', "%i"));
        let low = if self.random.percent(75) { 0 } else { self.random.between(0, 2) };
        let step = self.random.choose(&[1, 1, 1, 1, 1, 1, 2, 3]);
        let like = self.chosen(None).filter(|view| !view.sizes.is_empty());
        let size = like.map(|view| view.sizes[self.random.between(0, view.sizes.len() as i64 - 1) as usize]);
        let size = size.filter(|_| self.random.percent(80)).unwrap_or_else(|| self.random.between(0, 6));
        let number = self.numbers.iter().find(|_| self.random.percent(25)).cloned();
        let outer = self.around.last().filter(|_| self.random.percent(5)).cloned();
        let shorter = if self.random.percent(15) { 1 } else { 0 };
        let (from, to, low, high) = match (number, outer) {
            (Some((number, value)), _) if self.random.percent(30) => {
                let (least, most) = (self.random.between(0, 2), self.random.between(0, 6));
                let from = format!("max affine_map<()[s0] -> (s0 - {most}, {least})>()[{number}]");
                let to = format!("min affine_map<()[s0] -> (s0, {size})>()[{number}]");
                (from, to, (value - most).max(least), value.min(size) - 1)
            }
            (Some((number, value)), _) => (low.to_string(), number, low, value - 1),
            (None, Some(outer)) => match self.random.between(0, 2) {
                0 => ("0".into(), format!("affine_map<(d0) -> (d0)>({})", outer.name), 0, outer.high - 1),
                1 => (
                    format!("affine_map<(d0) -> (d0)>({})", outer.name),
                    size.to_string(),
                    outer.low,
                    size - 1,
                ),
                _ => {
                    let map = format!("min affine_map<(d0) -> (d0 + 2, {size})>({})", outer.name);
                    ("0".into(), map, 0, (outer.high + 1).min(size - 1))
                }
            },
            _ => {
                let to = (size - shorter).max(0);
                (low.to_string(), to.to_string(), low, low + (to - 1 - low).max(-1).div_euclid(step) * step)
            }
        };
        // A loop of which nobody knows that it is empty touches nothing that is not there.
        let high = if to.parse::<i64>().is_ok() { high } else { high.max(low) };
        self.dead += usize::from(high < low);
        let by = if step == 1 { String::new() } else { format!(" step {step}") };
        self.around.push(Index { name: name.clone(), low, high });
        (format!("affine.for {name} = {from} to {to}{by}"), End { dead })
    }

    /// Behind a loop.
    pub(super) fn leave(&mut self, end: End, scope: usize) {
        self.depth -= 1;
        self.line("}");
        self.around.pop();
        self.dead = end.dead;
        self.scope.truncate(scope);
    }

    fn looped(&mut self) {
        let scope = self.scope.len();
        let (head, end) = self.head();
        self.line(format!("{head} {{"));
        self.depth += 1;
        self.items();
        self.leave(end, scope);
    }

    /// What stands in a loop or under a condition.
    fn items(&mut self) {
        let deep = self.around.len();
        if deep < DEEP && self.random.percent([100, 62, 35, 15][deep]) {
            if self.random.percent(30) {
                self.item();
            }
            self.looped();
            if self.random.percent(20) {
                self.item();
            }
            return;
        }
        for _ in 0..self.random.choose(&[1, 1, 2, 2, 3]) {
            self.item();
        }
    }

    fn item(&mut self) {
        if self.left <= 0 {
            return;
        }
        match self.random.between(0, 99) {
            0..55 => self.stored(),
            55..75 => self.accumulated(),
            75..85 if self.around.len() < DEEP => self.folded(),
            85..95 => self.conditional(),
            95..98 if self.around.len() < DEEP => self.looped(),
            _ => self.decided(),
        }
    }

    /// Stores under a condition on an index.
    fn conditional(&mut self) {
        let at = self.random.between(0, self.around.len() as i64 - 1) as usize;
        let own = self.around[at].clone();
        let c = self.random.between(own.low - 1, own.high.max(own.low) + 1);
        let name = &own.name;
        // The condition, and between what the index is where it holds and where it does not.
        let all = (own.low, own.high);
        let (set, held, not) = match self.random.between(0, 4) {
            0 => (
                format!("(d0) : (d0 - {c} >= 0)>({name})"),
                (c.max(own.low), own.high),
                (own.low, own.high.min(c - 1)),
            ),
            1 => (
                format!("(d0) : ({c} - d0 >= 0)>({name})"),
                (own.low, own.high.min(c)),
                (own.low.max(c + 1), own.high),
            ),
            2 => (format!("(d0) : (d0 - {c} == 0)>({name})"), (c.max(own.low), c.min(own.high)), all),
            3 => (format!("(d0) : (d0 mod 2 == 0)>({name})"), all, all),
            _ => {
                let other = self.around[0].name.clone();
                (format!("(d0, d1) : (d0 + d1 - {c} >= 0, 5 - d1 >= 0)>({name}, {other})"), all, all)
            }
        };
        let set = set.replace("- -", "+ ");
        self.line(format!("affine.if affine_set<{set} {{"));
        self.branch(at, held);
        if self.random.percent(35) {
            self.line("} else {");
            self.branch(at, not);
        }
        self.line("}");
    }

    fn branch(&mut self, at: usize, (low, high): (i64, i64)) {
        let (own, dead, scope) = (self.around[at].clone(), self.dead, self.scope.len());
        (self.around[at].low, self.around[at].high) = (low, high);
        self.dead += usize::from(high < low);
        self.depth += 1;
        match self.random.between(0, 3) {
            0 => self.accumulated(),
            1 if self.around.len() < DEEP => self.looped(),
            _ => self.stored(),
        }
        self.depth -= 1;
        self.around[at] = own;
        self.dead = dead;
        self.scope.truncate(scope);
    }

    /// A store that an element decides about.
    fn decided(&mut self) {
        let scope = self.scope.len();
        let [a, b] = [(), ()].map(|()| self.value(Dtype::I32, 0));
        let truth = self.computed(format!("arith.cmpi sle, {a}, {b} : i32"));
        self.line(format!("scf.if {truth} {{"));
        self.depth += 1;
        self.stored();
        self.depth -= 1;
        self.line("}");
        self.scope.truncate(scope);
    }

    /// All elements of a memref stored.
    pub(super) fn filled(&mut self, view: &View) {
        let scope = self.scope.len();
        let mut names = vec![];
        let dead = self.dead;
        for size in &view.sizes {
            let name = self.name().replace('%', "%i");
            self.line(format!("affine.for {name} = 0 to {size} {{"));
            self.depth += 1;
            self.dead += usize::from(*size == 0);
            self.around.push(Index { name: name.clone(), low: 0, high: size - 1 });
            names.push(name);
        }
        let value = self.value(view.dtype, 1);
        self.line(format!("affine.store {value}, {}[{}] : {}", view.name, names.join(", "), view.ty));
        for _ in &view.sizes {
            self.depth -= 1;
            self.line("}");
            self.around.pop();
        }
        self.dead = dead;
        self.scope.truncate(scope);
    }
}
