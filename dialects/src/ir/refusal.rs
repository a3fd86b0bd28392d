//! Why a program is refused that eager takes.
//!
//! A pass that can't go on says so at the operation, in words, and why in one of a few reasons, as in
//!
//! ```text
//! a.mlir:4:8: error: 'graph.view' op joins dimensions, which depends on strides, which are not known here: declare graph.layout ... [unknown-layout]
//! ```
//!
//! so that a caller can tell reasons apart without reading words. An error without one is about the program
//! itself: MLIR's, or eager's in eager's words. A mistake of ours is neither: it begins with "internal
//! error", and is never a reason to go another way (see [`internal!`](crate::internal)).

use std::fmt;

/// What a pass would need to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Strides or an offset decide what is computed, and neither types nor declarations say them: declare
    /// `graph.layout`.
    Layout,
    /// A size decides what is computed, and types don't say it: give it in the type of the argument.
    Size,
    /// Whether arguments share a storage decides what is computed: declare `graph.storage`.
    Storage,
    /// A number, an index or a size comes from elements, and would have to be known before: make it a
    /// constant, or an argument.
    RunTime,
    /// Ways of control flow bring along tensors that are no one tensor: of different sizes, or too many of
    /// them. Copy them where ways meet.
    Branches,
    /// A storage changes its size in a way that has no form: do so outside of control flow, to a size that is
    /// known.
    Resize,
    /// `input-mutations=results` has no form for this argument: use `write-back`.
    Mutation,
    /// What a call does is not known: a function without a body, a recursion, a custom operator without a
    /// schema.
    Call,
    /// An operation that the reference alone knows, or a dtype that it is not compiled for.
    Form,
    /// A kernel that the device can't run.
    Device,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 10] = [
        Reason::Layout,
        Reason::Size,
        Reason::Storage,
        Reason::RunTime,
        Reason::Branches,
        Reason::Resize,
        Reason::Mutation,
        Reason::Call,
        Reason::Form,
        Reason::Device,
    ];

    /// The word that stands in brackets at the end of a message.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Layout => "unknown-layout",
            Reason::Size => "unknown-size",
            Reason::Storage => "unknown-storage",
            Reason::RunTime => "run-time-value",
            Reason::Branches => "control-flow",
            Reason::Resize => "storage-resize",
            Reason::Mutation => "input-mutation",
            Reason::Call => "unknown-call",
            Reason::Form => "not-compiled",
            Reason::Device => "device",
        }
    }

    /// A message with this reason.
    ///
    /// ```
    /// use terrace_dialects::ir::refusal::Reason;
    /// let message = Reason::Size.says("sizes must be static here");
    /// assert_eq!(message, "sizes must be static here [unknown-size]");
    /// assert_eq!(Reason::of(&message), Some(Reason::Size));
    /// ```
    pub fn says(self, message: impl fmt::Display) -> String {
        format!("{message} [{}]", self.name())
    }

    /// The reason that a message gives, if it gives one.
    pub fn of(message: &str) -> Option<Reason> {
        let is_given = |reason: &&Reason| {
            let mut ends = message.match_indices(reason.name()).map(|(at, name)| (at, at + name.len()));
            ends.any(|(at, end)| message[..at].ends_with('[') && message[end..].starts_with(']'))
        };
        Reason::ALL.iter().find(is_given).copied()
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a message begins, behind the place, that tells of a mistake of ours.
pub const INTERNAL: &str = "internal error";

/// The message of something that can't be: a mistake of ours, whatever the program.
#[macro_export]
macro_rules! internal {
    ($message:literal) => {
        concat!("internal error: ", $message, "; please report it")
    };
}

#[cfg(test)]
mod tests {
    use super::Reason;

    #[test]
    fn each_reason_stands_in_the_documentation() {
        let page = include_str!("../../../docs/refusals.md");
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        let names: Vec<_> = rows.filter_map(|row| row.split('`').nth(1)).collect();
        assert_eq!(names, Reason::ALL.map(Reason::name));
    }

    #[test]
    fn each_reason_is_read_back() {
        for reason in Reason::ALL {
            assert_eq!(Reason::of(&format!("{} (where s0 is 1)", reason.says("no"))), Some(reason));
        }
        assert_eq!(Reason::of("a tensor of sizes [2, 3], unknown-size"), None);
    }
}
