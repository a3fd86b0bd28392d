//! Rules by example; then random expressions, which keep their values at every point that is tried.

use super::{Expr, Range};

fn d(i: usize) -> Expr {
    Expr::Dim(i)
}

fn n(i: i64) -> Box<Expr> {
    Box::new(Expr::Constant(i))
}

fn add(l: Expr, r: Expr) -> Expr {
    Expr::Add(Box::new(l), Box::new(r))
}

fn mul(l: Expr, by: i64) -> Expr {
    Expr::Mul(Box::new(l), n(by))
}

fn div(l: Expr, by: i64) -> Expr {
    Expr::FloorDiv(Box::new(l), n(by))
}

fn rem(l: Expr, by: i64) -> Expr {
    Expr::Mod(Box::new(l), n(by))
}

fn sizes(sizes: &[i64]) -> Vec<Range> {
    sizes.iter().map(|size| Range::of_size(*size)).collect()
}

#[test]
fn a_quotient_of_what_it_is_made_of() {
    let flat = add(mul(d(0), 8), d(1));
    assert_eq!(div(flat.clone(), 8).simplify(&sizes(&[5, 8])), d(0));
    assert_eq!(rem(flat.clone(), 8).simplify(&sizes(&[5, 8])), d(1));
    assert_eq!(div(flat.clone(), 16).simplify(&sizes(&[5, 8])), div(d(0), 2));
    assert_eq!(rem(flat.clone(), 16).simplify(&sizes(&[5, 8])), add(d(1), mul(rem(d(0), 2), 8)));
    // One more, and it is not that any more.
    assert_ne!(div(flat, 8).simplify(&sizes(&[5, 9])), d(0));
}

#[test]
fn quotients_and_remainders_join() {
    let whole = add(mul(div(d(0), 6), 6), rem(d(0), 6));
    assert_eq!(whole.simplify(&[]), d(0));
    let digits = add(add(mul(div(d(0), 6), 6), mul(rem(div(d(0), 2), 3), 2)), rem(d(0), 2));
    assert_eq!(digits.simplify(&[]), d(0));
    assert_eq!(div(div(d(0), 3), 4).simplify(&[]), div(d(0), 12));
    assert_eq!(div(rem(d(0), 12), 4).simplify(&[]), rem(div(d(0), 4), 3));
    assert_eq!(rem(rem(d(0), 12), 4).simplify(&[]), rem(d(0), 4));
}

#[test]
fn negative_indices_round_down() {
    let ranges = [Range { low: -4, high: -1 }];
    assert_eq!(div(d(0), 4).simplify(&ranges), Expr::Constant(-1));
    assert_eq!(rem(d(0), 4).simplify(&ranges), add(d(0), Expr::Constant(4)));
    assert_eq!(div(d(0), 4).simplify(&[Range::ALL]), div(d(0), 4));
}

#[test]
fn what_overflows_stays() {
    let large = mul(mul(d(0), i64::MAX), i64::MAX);
    assert_eq!(large.simplify(&[]), large);
    assert_eq!(large.range(&[]), Range::ALL);
}

/// Numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn expr(&mut self, depth: usize) -> Expr {
        let kind = if depth == 0 { self.below(2) } else { self.below(8) };
        let number = [1, 2, 3, 4, 6, 8, 12, 16][self.below(8) as usize];
        match kind {
            0 => Expr::Constant(self.below(9) as i64 - 4),
            1 | 2 => d(self.below(3) as usize),
            3 | 4 => add(self.expr(depth - 1), self.expr(depth - 1)),
            5 => mul(self.expr(depth - 1), number - 4),
            6 => div(self.expr(depth - 1), number),
            _ => match self.below(3) {
                0 => Expr::CeilDiv(Box::new(self.expr(depth - 1)), n(number)),
                _ => rem(self.expr(depth - 1), number),
            },
        }
    }
}

#[test]
fn random_expressions_keep_their_values() {
    let mut numbers = Numbers(7);
    for _ in 0..20_000 {
        let expr = numbers.expr(5);
        let ranges: Vec<Range> = (0..3)
            .map(|_| {
                let low = numbers.below(8) as i64 - 4;
                Range { low, high: low + numbers.below(20) as i64 }
            })
            .collect();
        let (simple, range) = (expr.simplify(&ranges), expr.range(&ranges));
        assert_eq!(simple.simplify(&ranges).range(&ranges), simple.range(&ranges), "{expr:?}");
        for _ in 0..8 {
            let point: Vec<i64> =
                ranges.iter().map(|r| r.low + numbers.below((r.high - r.low + 1) as u64) as i64).collect();
            let value = expr.eval(&point);
            assert_eq!(simple.eval(&point), value, "{expr:?} as {simple:?} at {point:?}");
            let value = value.expect("small numbers");
            assert!(range.low <= value && value <= range.high, "{expr:?}: {value} in {range:?}");
        }
    }
}

#[test]
fn reshapes_there_and_back_vanish() {
    let mut numbers = Numbers(3);
    for _ in 0..500 {
        let shape: Vec<i64> = (0..3).map(|_| numbers.below(7) as i64 + 1).collect();
        // The row-major number of a point, and its digits again.
        let flat = add(mul(d(0), shape[1] * shape[2]), add(mul(d(1), shape[2]), d(2)));
        let back = [
            div(flat.clone(), shape[1] * shape[2]),
            rem(div(flat.clone(), shape[2]), shape[1]),
            rem(flat, shape[2]),
        ];
        for (i, expr) in back.iter().enumerate() {
            let known = if shape[i] == 1 { Expr::Constant(0) } else { d(i) };
            assert_eq!(expr.simplify(&sizes(&shape)), known, "{shape:?}");
        }
    }
}
