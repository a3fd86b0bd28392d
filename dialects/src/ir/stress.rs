//! Random decisions from a seed, for stress tests: what is legal is tried, whether it pays or not.

/// A row of random numbers (PCG's generator of 64 bits, the upper half of its state).
#[derive(Clone, Debug)]
pub struct Stress(u64);

impl Stress {
    /// Numbers of a seed; None for 0, by which options say that nothing is random.
    pub fn new(seed: i64) -> Option<Self> {
        (seed != 0).then(|| {
            let mut stress = Self(seed as u64 ^ 0x9e37_79b9_7f4a_7c15);
            stress.below(2);
            stress
        })
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// A coin.
    pub fn coin(&mut self) -> bool {
        self.below(2) == 1
    }

    /// The numbers below `n` in any order.
    pub fn permutation(&mut self, n: usize) -> Vec<i64> {
        let mut all: Vec<i64> = (0..n as i64).collect();
        for i in (1..n).rev() {
            all.swap(i, self.below(i as u64 + 1) as usize);
        }
        all
    }
}
