//! Numbers that look random, from a seed.

use terrace_bundle::{STEP, hash};

/// A generator.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        let next = hash(self.0);
        self.0 = self.0.wrapping_add(STEP);
        next
    }

    /// A number from `low` up to and with `high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = (high - low) as u64 + 1;
        low + (self.next() % span) as i64
    }

    /// Whether something that happens so many times out of a hundred does.
    pub fn percent(&mut self, chance: i64) -> bool {
        self.between(1, 100) <= chance
    }

    /// One of some things.
    pub fn choose<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.between(0, things.len() as i64 - 1) as usize]
    }

    /// A float of at most `magnitude`.
    pub fn float(&mut self, magnitude: f64) -> f64 {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (2.0 * unit - 1.0) * magnitude
    }

    /// Puts things into another order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.between(0, last as i64) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_again() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..8).map(|_| random.between(-3, 3)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert!(draw(9).iter().all(|n| (-3..=3).contains(n)));
    }
}
