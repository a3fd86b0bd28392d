//! Diagnostics as values: what passes say while a function is compiled belongs to the error of the call.

use melior::{
    Context,
    diagnostic::{Diagnostic as Emitted, DiagnosticSeverity},
};
use std::{
    fmt::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};
use terrace_dialects::ir::{location, refusal::INTERNAL};

/// An error that a pass, the verifier or the reference has emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where, as `file:line:column`.
    pub location: String,
    /// `error`, `note`, ...
    pub severity: &'static str,
    /// What is wrong.
    pub message: String,
    /// Its notes.
    pub notes: Vec<Diagnostic>,
}

impl Diagnostic {
    /// Whether it tells of a mistake of ours.
    pub fn is_internal(&self) -> bool {
        self.message.contains(INTERNAL)
    }
}

impl From<&Emitted<'_>> for Diagnostic {
    fn from(emitted: &Emitted) -> Self {
        let severity = match emitted.severity() {
            DiagnosticSeverity::Error => "error",
            DiagnosticSeverity::Warning => "warning",
            DiagnosticSeverity::Note => "note",
            DiagnosticSeverity::Remark => "remark",
        };
        let notes = (0..emitted.note_count()).filter_map(|i| emitted.note(i).ok());
        Self {
            location: location::text(emitted.location()),
            severity,
            message: words(emitted),
            notes: notes.map(|note| Self::from(&note)).collect(),
        }
    }
}

impl fmt::Display for Diagnostic {
    /// As MLIR's tools print it: `file:line:column: error: message`, then its notes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.location, self.severity, self.message)?;
        self.notes.iter().try_for_each(|note| write!(f, "\n  {note}"))
    }
}

/// What a diagnostic says, up to what is no text in it.
pub fn words(emitted: &Emitted) -> String {
    let mut words = String::new();
    if write!(words, "{emitted}").is_err() {
        words.push_str("... (what follows is not UTF-8)");
    }
    words
}

/// Prints a diagnostic to standard error.
pub fn report(emitted: &Emitted) {
    eprintln!("{}", Diagnostic::from(emitted));
}

/// Does something, and keeps the errors that it emits; all else that is said goes to who listens already.
pub fn listening<T>(context: &Context, work: impl FnOnce() -> T) -> (T, Vec<Diagnostic>) {
    // Passes on functions may run on other threads.
    let said = Arc::new(Mutex::new(vec![]));
    let sink = said.clone();
    let listener = context.attach_diagnostic_handler(move |emitted| {
        let is_error = matches!(emitted.severity(), DiagnosticSeverity::Error);
        if is_error {
            sink.lock().unwrap_or_else(PoisonError::into_inner).push(Diagnostic::from(&emitted));
        }
        is_error
    });
    let done = work();
    context.detach_diagnostic_handler(listener);
    let said = std::mem::take(&mut *said.lock().unwrap_or_else(PoisonError::into_inner));
    (done, said)
}
