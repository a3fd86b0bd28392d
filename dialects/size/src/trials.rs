//! Rules that are asked with operands that are what they take, whatever their sizes turn out to be.
//!
//! What is taken for granted of sizes may be what a rule refuses, where somebody has tested before that it
//! does not: the sizes that are left say less than those that were tested. Such a rule is asked again, with
//! the last answer that it got turned around, as long as it refuses. That a size is one number comes last: a
//! gather whose indices may be larger than what they are of has indices that are not, rather than none.

use super::symbols::current;

/// An answer of a trial.
struct Answer {
    holds: bool,
    /// Whether the rule got the other one before.
    turned: bool,
    /// Whether the other one says that a size is one number.
    pins: bool,
}

/// The answers that a rule gets, in the order of its questions.
#[derive(Default)]
pub(super) struct Trial {
    /// Those that it got the last time.
    given: Vec<Answer>,
    /// How many of them it has been given again.
    next: usize,
    /// Whether those are turned around, too, that then say that a size is one number.
    pinned: bool,
}

impl Trial {
    /// What is answered where nothing is known; `pins` where the other answer says that a size is one number.
    pub(super) fn answer(&mut self, usual: bool, pins: bool) -> bool {
        if self.next == self.given.len() {
            self.given.push(Answer { holds: usual, turned: false, pins });
        }
        self.next += 1;
        self.given[self.next - 1].holds
    }

    /// The answers to begin with the next time; None where all were tried.
    fn turned(mut self) -> Option<Self> {
        self.given.truncate(self.next);
        let pins = self.given.iter().any(|answer| answer.pins);
        while let Some(Answer { holds, turned, pins }) = self.given.pop() {
            if !turned && (self.pinned || !pins) {
                self.given.push(Answer { holds: !holds, turned: true, pins });
                return Some(Self { next: 0, ..self });
            }
        }
        (pins && !self.pinned).then(|| Self { pinned: true, ..Self::default() })
    }
}

/// What a rule gives that is asked about sizes; where the symbols in force promise that it does not refuse,
/// with answers for which it does not.
///
/// # Errors
/// What it refuses with the usual answers, where it refuses with others too.
pub fn asked<T, E>(ask: impl Fn() -> Result<T, E>) -> Result<T, E> {
    if !current(|symbols| symbols.promises) {
        return ask();
    }
    /// How often it is asked.
    const TRIES: usize = 64;
    let before = current(|symbols| symbols.checkpoint());
    let (mut trial, mut refused) = (Trial::default(), None);
    for _ in 0..TRIES {
        current(|symbols| symbols.trial = Some(trial));
        let given = ask();
        let tried = current(|symbols| symbols.trial.take()).unwrap_or_default();
        let reason = match given {
            Ok(given) => return Ok(given),
            Err(reason) => reason,
        };
        current(|symbols| symbols.back_to(before.clone()));
        refused.get_or_insert(reason);
        match tried.turned() {
            Some(next) => trial = next,
            None => break,
        }
    }
    Err(refused.expect("it was asked"))
}
