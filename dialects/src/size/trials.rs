//! Rules that are asked with operands that are what they take, whatever their sizes turn out to be.
//!
//! What is taken for granted of sizes may be what a rule refuses, where somebody has tested before that it does not: the sizes that are
//! left say less than those that were tested. Such a rule is asked again, with the last answer that it got turned around, as long
//! as it refuses.

use super::symbols::current;

/// The answers that a rule gets, in the order of its questions.
#[derive(Default)]
pub(super) struct Trial {
    /// Those that it got the last time, and whether it got the other one before.
    given: Vec<(bool, bool)>,
    /// How many of them it has been given again.
    next: usize,
}

impl Trial {
    /// What is answered where nothing is known.
    pub(super) fn answer(&mut self, usual: bool) -> bool {
        if self.next == self.given.len() {
            self.given.push((usual, false));
        }
        self.next += 1;
        self.given[self.next - 1].0
    }

    /// The answers to begin with the next time; None where all were tried.
    fn turned(mut self) -> Option<Self> {
        self.given.truncate(self.next);
        while let Some((answer, turned)) = self.given.pop() {
            if !turned {
                self.given.push((!answer, true));
                return Some(Self { given: self.given, next: 0 });
            }
        }
        None
    }
}

/// What a rule gives that is asked about sizes; where the symbols in force promise that it does not refuse, with answers for which it
/// does not.
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
