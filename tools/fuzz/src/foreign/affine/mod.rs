//! Random functions of affine: nests of loops, one after the other, over memrefs that came in, were
//! allocated, or are views of others.
//!
//! Nothing is left to chance that would have no meaning: subscripts stay inside of their memrefs, and what
//! was allocated is filled before it is read. Memrefs of the call may be the same memory; where they are not,
//! the function may say so (`memref.distinct_objects`), or the passes are told (`distinct-arguments`).

mod loops;
mod memrefs;
mod places;
mod values;

use super::source::Source;
use terrace_tensor::Dtype;
use terrace_tools::random::Random;

/// A memref that a function touches.
#[derive(Debug, Clone)]
struct View {
    name: String,
    ty: String,
    dtype: Dtype,
    sizes: Vec<i64>,
    strides: Vec<i64>,
    offset: i64,
    /// Whether its type says all of this.
    fixed: bool,
    /// Views of one number are of one memory.
    base: usize,
}

/// The index of a loop, and between what it is.
#[derive(Debug, Clone)]
struct Index {
    name: String,
    low: i64,
    high: i64,
}

/// A function that is being written.
struct Maker {
    random: Random,
    source: Source,
    views: Vec<View>,
    /// Arguments that are indices, and what they are.
    numbers: Vec<(String, i64)>,
    /// The loops around.
    around: Vec<Index>,
    /// Numbers that have been computed here.
    scope: Vec<(String, Dtype)>,
    /// How many loops and conditions are around that nothing comes through.
    dead: usize,
    /// How many stores there may still be.
    left: i64,
    /// What sums and products say of their order.
    flags: &'static str,
    names: usize,
    depth: usize,
}

/// The function of a seed.
pub(super) fn source(seed: u64) -> Source {
    let mut maker = Maker {
        random: Random::new(seed),
        source: Source { exact: true, ..Source::default() },
        views: vec![],
        numbers: vec![],
        around: vec![],
        scope: vec![],
        dead: 0,
        left: 10,
        flags: "",
        names: 0,
        depth: 0,
    };
    if maker.random.percent(35) {
        (maker.flags, maker.source.exact) = (" fastmath<reassoc>", false);
    }
    maker.arguments();
    for _ in 0..maker.random.between(1, 4) {
        if maker.random.percent(35) {
            maker.allocated();
        }
        if maker.random.percent(30) {
            maker.view();
        }
        if maker.random.percent(8) {
            maker.copied();
        }
        maker.nest();
        maker.scope.clear();
    }
    maker.results();
    maker.source
}

impl Maker {
    /// A line of the body.
    fn line(&mut self, text: impl AsRef<str>) {
        self.source.lines.push(format!("{}{}", "  ".repeat(self.depth), text.as_ref()));
    }

    /// A name that is not taken.
    fn name(&mut self) -> String {
        self.names += 1;
        format!("%{}", self.names - 1)
    }

    /// A line that computes a value; gives its name.
    fn computed(&mut self, text: impl AsRef<str>) -> String {
        let name = self.name();
        self.line(format!("{name} = {}", text.as_ref()));
        name
    }

    /// A memref with elements of a type that can be touched here.
    fn chosen(&mut self, dtype: Option<Dtype>) -> Option<View> {
        let dead = self.dead > 0;
        let usable =
            |view: &&View| dtype.is_none_or(|own| own == view.dtype) && (dead || !view.sizes.contains(&0));
        let usable: Vec<&View> = self.views.iter().filter(usable).collect();
        if usable.is_empty() {
            return None;
        }
        // Those that were made last are the most interesting.
        let last = self.random.percent(30);
        let at = if last { usable.len() as i64 - 1 } else { self.random.between(0, usable.len() as i64 - 1) };
        Some(usable[at as usize].clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_again() {
        assert_eq!(source(7).to_string(), source(7).to_string());
        assert_ne!(source(7).to_string(), source(8).to_string());
    }
}
