//! Answers to the questions that nothing decides, some of them others than the usual ones.
//!
//! A function that was made with the usual answers holds where these are so. Made once more, with one of them
//! turned around, it holds elsewhere. [`Answers`] says what was answered, and what to begin with for that.

/// What is answered where nothing is known, question by question.
#[derive(Default)]
pub struct Answers {
    /// Those to begin with; after them come the usual ones.
    begin: Vec<bool>,
    /// All that were given.
    given: Vec<bool>,
}

impl Answers {
    /// These first.
    pub fn beginning(begin: Vec<bool>) -> Self {
        Self { begin, given: vec![] }
    }

    /// The number of the next question.
    pub(super) fn asked(&self) -> usize {
        self.given.len()
    }

    /// What is answered to it.
    pub(super) fn answer(&mut self, usual: bool) -> bool {
        let answer = self.begin.get(self.given.len()).copied().unwrap_or(usual);
        self.given.push(answer);
        answer
    }

    /// The answers up to that to a question, which is turned around; None where it is one to begin with.
    pub fn turned(&self, question: usize) -> Option<Vec<bool>> {
        if question < self.begin.len() {
            return None;
        }
        let mut turned = self.given[..=question].to_vec();
        turned[question] ^= true;
        Some(turned)
    }
}
