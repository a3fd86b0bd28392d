//! What expressions prove, and what they take for granted.

use super::{
    Number, Size,
    answers::Answers,
    arithmetic::{Arithmetic, Operator},
    symbols::Symbols,
    trials,
};

/// Symbols without hints, and the sizes that they are.
fn some<const N: usize>() -> (Symbols, [Size; N]) {
    let mut symbols = Symbols::new();
    let sizes = [(); N].map(|()| symbols.symbol(None, 0).1);
    (symbols, sizes)
}

fn guards(symbols: &Symbols) -> Vec<String> {
    symbols.guards().iter().map(|guard| symbols.guard_text(guard)).collect()
}

#[test]
fn expressions_that_are_equal_are_one() {
    let (mut symbols, [a, b]) = some();
    symbols.enter(|| {
        assert!(((a + b) * (a - b)).assume_eq(a * a - b * b));
        assert!(((a * b * 6) / (b * 2)).assume_eq(a * 3));
        assert!(((a * 6 + 7) / 3).assume_eq(a * 2 + 2));
        assert!(((a / 2) / 3).assume_eq(a / 6));
        assert!(((a * 4) % 2).assume_eq(0));
        assert_eq!((a * 2 - b + 1).to_string(), "2*s0 - s1 + 1");
        assert_eq!((a / b).to_string(), "(s0 floordiv s1)");
    });
    assert!(symbols.guards().is_empty());
}

#[test]
fn what_ranges_prove_needs_no_guard() {
    let (mut symbols, [a, b]) = some();
    symbols.enter(|| {
        assert!(
            a.assume_ge(0)
                && (a + 1).assume_ne(0)
                && (a + 1).assume_gt(0)
                && (a * b).assume_ge(0)
                && (a * b + a).assume_ge(a)
        );
        assert!((a % 4).assume_lt(4) && (a % 4).assume_ge(0) && (b / 2).assume_ge(0));
    });
    assert_eq!(guards(&symbols), [] as [&str; 0]);
}

#[test]
fn sizes_are_neither_0_nor_1_but_under_a_guard() {
    let (mut symbols, [a]) = some();
    symbols.enter(|| assert!(a.assume_ne(1) && a.assume_ne(0) && a.assume_ge(2)));
    assert_eq!(guards(&symbols), ["s0 != 1", "s0 != 0"]);
}

#[test]
fn what_has_to_be_equal_is() {
    let (mut symbols, [a, b, c]) = some();
    symbols.enter(|| {
        assert!(a.demand_eq(Size::ONE) && b.demand_eq(Size::ZERO) && a.assume_eq(1) && b.assume_eq(0));
        assert!(c.assume_ne(1) && !c.demand_eq(Size::ONE));
        assert!((c - 1).assume_ne(1) && (c - 2).assume_ne(-1));
    });
    assert_eq!(guards(&symbols), ["s0 == 1", "s1 == 0", "s2 != 1", "s2 != 2"]);
    let mut symbols = Symbols::new();
    let (_, hinted) = symbols.symbol(Some(3), 0);
    symbols.enter(|| assert!(!hinted.demand_eq(Size::ONE)));
}

#[test]
fn equal_sizes_replace_each_other() {
    let (mut symbols, [a, b, c]) = some();
    symbols.enter(|| {
        assert!(b.assume_ge(3));
        assert!(
            a.assume_eq(b) && b.assume_eq(c) && a.assume_eq(c) && (a * b).assume_eq(c * c) && c.assume_ge(3)
        );
    });
    assert_eq!(guards(&symbols), ["2 < s1", "s0 == s1", "s0 == s2"]);
    assert_eq!(symbols.broken(&[Some(4); 3]).map(|g| g.by), None);
    assert!(symbols.broken(&[Some(4), Some(4), Some(5)]).is_some());
    assert!(symbols.broken(&[Some(4), None, None]).is_none() && symbols.broken(&[None; 3]).is_some());
}

#[test]
fn divisors_are_known_once_guarded() {
    let (mut symbols, [a, b]) = some();
    symbols.enter(|| {
        assert!((a % 6).assume_eq(0));
        assert!(((a / 6) * 6).assume_eq(a) && (b * (a / 6) * 6).assume_eq(a * b));
    });
    assert_eq!(guards(&symbols).len(), 1);
    assert!(symbols.broken(&[Some(12), Some(5)]).is_none() && symbols.broken(&[Some(13), Some(5)]).is_some());
}

#[test]
fn hints_decide() {
    let mut symbols = Symbols::new();
    let [a, b] = [7, 1].map(|hint| symbols.symbol(Some(hint), 0).1);
    let three = symbols.enter(|| {
        assert!(b.assume_eq(1) && a.assume_ne(b) && a.assume_lt(10) && a.assume_gt(2) && a.assume_lt(20));
        let three = a * 3;
        assert_eq!(a.assume_number(), Some(7));
        three
    });
    assert_eq!(guards(&symbols), ["s1 == 1", "s0 != 1", "s0 <= 9", "2 < s0", "s0 == 7"]);
    assert_eq!(symbols.value(three, &[Some(5), Some(1)]), Some(15));
}

#[test]
fn numbers_that_are_too_low_are_no_expressions() {
    let low = Size::from(i64::MIN + 5);
    assert!(
        low.assume_lt(0)
            && (low - 3).assume_lt(0)
            && low.saturating_mul(2).assume_lt(0)
            && low.known().is_some()
    );
    assert!(Size::from(i64::MIN).is_unknown());
}

/// Computes with numbers for symbols.
struct Numbers(Vec<i64>);

impl Arithmetic for Numbers {
    type Value = i64;
    type Error = usize;

    fn constant(&mut self, number: i64) -> Result<i64, usize> {
        Ok(number)
    }

    fn symbol(&mut self, place: usize) -> Result<i64, usize> {
        self.0.get(place).copied().ok_or(place)
    }

    fn apply(&mut self, operator: Operator, a: i64, b: i64) -> Result<i64, usize> {
        Ok(match operator {
            Operator::Add => a + b,
            Operator::Multiply => a * b,
            Operator::Divide => a.div_euclid(b),
            Operator::Max => a.max(b),
        })
    }

    fn scaled(&mut self, number: i64, factor: f64) -> Result<i64, usize> {
        Ok((number as f64 * factor) as i64)
    }
}

#[test]
fn sizes_are_computed_by_others_as_here() {
    let (mut symbols, [a, b]) = some();
    let sizes = symbols.enter(|| {
        let part = (a + b).scaled(1.3) * 2;
        [a * b * 3 - a + 2, (a * 2 + 1) / 3 * b, (a - 4).or_one() * 2, Size::ZERO, b, part]
    });
    for (one, other) in [(0, 0), (5, 3), (1, 7), (12, 1)] {
        for size in sizes {
            let wanted = symbols.value(size, &[Some(one), Some(other)]);
            assert_eq!(symbols.computed(size, &mut Numbers(vec![one, other])).ok(), wanted);
        }
    }
    assert_eq!(symbols.computed(sizes[0], &mut Numbers(vec![1])), Err(1));
}

#[test]
fn what_is_scaled_by_a_float_is_known_by_what_it_was() {
    let (mut symbols, [a, b]) = some();
    symbols.enter(|| {
        let part = a.scaled(1.3);
        assert!(part.is_same(a.scaled(1.3)) && !part.is_same(a.scaled(1.5)) && part.assume_ge(0));
        assert_eq!(a.scaled(2.0).to_string(), "2*s0");
        assert_eq!((part + b).to_string(), "s1 + trunc(1.3*(s0))");
        assert!(a.assume_eq(7));
        assert_eq!(part.simplified().known(), Some(9));
    });
    assert_eq!(guards(&symbols), ["s0 == 7"]);
}

#[test]
fn what_is_less_than_a_divisor_has_no_quotient() {
    let (mut symbols, [a]) = some();
    symbols.enter(|| {
        assert!((Size::ONE / (a + 2)).is_same(Size::ZERO));
        // In general one divisor less than terms come to.
        assert!(((a * 2 + 1) / (a + 2)).assume_eq(1));
        // By factors that do not divide each other.
        assert!(((a * 14 + 29) / (a * 6 + 12)).is_same(Size::from(2)));
        assert!(((a * 20 + 41) / (a * 6 + 12)).is_same(Size::from(3)));
    });
    assert_eq!(guards(&symbols), ["0 < s0"]);
}

#[test]
fn an_expression_is_not_nothing_and_a_rest_is() {
    let (mut symbols, [a, b]) = some();
    symbols.enter(|| {
        assert!((a - b + 1).assume_ne(0));
        assert!((a % b).assume_eq(0));
    });
}

#[test]
fn a_rule_that_refuses_what_is_promised_is_asked_again() {
    let refuses = |a: Size, b: Size| match (a.assume_eq(0), b.assume_lt(a)) {
        (false, true) => Err("one is less"),
        (true, _) => Err("there is none"),
        (false, false) => Ok(a),
    };
    let asked = |mut symbols: Symbols| {
        let [a, b] = [0, 0].map(|_| symbols.symbol(None, 0).1);
        symbols.enter(|| trials::asked(|| refuses(a + b * 2, a)))
    };
    assert!(asked(Symbols::promised()).is_ok());
    assert_eq!(asked(Symbols::new()).err(), Some("one is less"));
    // What no answer helps.
    let mut symbols = Symbols::promised();
    let (_, a) = symbols.symbol(None, 0);
    let never = symbols
        .enter(|| trials::asked(|| if a.assume_eq(7) { Err("seven") } else { Err::<(), _>("others") }));
    assert_eq!(never, Err("seven"));
}

#[test]
fn a_size_is_one_number_where_nothing_else_helps() {
    let mut symbols = Symbols::promised();
    let [a, b] = [0, 0].map(|_| symbols.symbol(None, 0).1);
    symbols.enter(|| {
        // As `gather` asks.
        let gathers = || if b.assume_lt(a) && a.assume_ne(0) { Err("is larger") } else { Ok(()) };
        assert_eq!(trials::asked(gathers), Ok(()));
        assert_eq!(a.known(), None);
        assert_eq!(trials::asked(|| if a.assume_eq(0) { Ok(()) } else { Err("has elements") }), Ok(()));
        assert!(a.assume_eq(0));
    });
}

#[test]
fn what_is_left_of_a_row_is_less_than_it() {
    let (mut symbols, [a, b]) = some();
    symbols.enter(|| {
        assert!(((a * b + b + 1) / b).assume_eq(a + 1));
        assert!(((a * b + b) / b).assume_eq(a + 1));
        assert!(((a * b * 2 + b) / (a * b)).assume_eq(2));
    });
    assert_eq!(guards(&symbols), ["1 < s1", "s1 < s0*s1"]);
}

#[test]
fn symbols_are_within_what_they_are_taken_for() {
    let mut symbols = Symbols::within([(0, [1, 1]), (1, [2, 7])]);
    let [a, b] = [(); 2].map(|()| symbols.symbol(None, 0).1);
    symbols.enter(|| assert!(a.assume_eq(1) && b.assume_gt(1) && b.assume_lt(8)));
    assert_eq!(guards(&symbols), ["s0 == 1", "2 <= s1", "s1 <= 7"]);
}

#[test]
fn an_answer_is_turned_around_after_those_before_it() {
    let made = |answers: Answers| {
        let mut symbols = Symbols::new();
        symbols.answers = answers;
        let [a, b] = [(); 2].map(|()| symbols.symbol(None, 0).1);
        symbols.enter(|| {
            let _ = (a.assume_eq(b), a.assume_eq(7));
        });
        symbols
    };
    let usual = made(Answers::default());
    assert_eq!(guards(&usual), ["s0 == s1", "s0 == 7"]);
    let begin = usual.answers.turned(1).expect("it is none to begin with");
    let turned = made(Answers::beginning(begin));
    assert_eq!(guards(&turned), ["s0 == s1", "s0 != 7"]);
    assert_eq!(turned.answers.turned(0), None);
}

#[test]
fn nothing_is_known_of_symbols_that_are_newer_than_what_is_gone_back_to() {
    let mut symbols = Symbols::new();
    let before = symbols.checkpoint();
    let [a, b] = [(); 2].map(|()| symbols.symbol(None, 0).1);
    symbols.enter(|| assert!(a.assume_eq(b * 2)));
    assert_eq!(guards(&symbols), ["s0 == 2*s1"]);
    symbols.back_to(before);
    symbols.enter(|| assert_eq!((a * 3).to_string(), "3*s0"));
    assert_eq!(guards(&symbols), [] as [&str; 0]);
}
