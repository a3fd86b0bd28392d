//! What the command-line tools share: reading a module, finding its entry point, checking inputs, running.

pub mod check;
pub mod compile;
pub mod example;
pub mod module;
pub mod outcome;
pub mod peak;
pub mod random;
pub mod run;

use std::process::ExitCode;

/// The main function of a tool: reads its options, does its work, and says what went wrong on standard error. An empty
/// message has been said already, as a diagnostic at its place.
pub fn main<Cli: clap::Parser>(tool: &str, work: impl FnOnce(&Cli) -> Result<(), String>) -> ExitCode {
    let done = match Cli::try_parse() {
        Ok(cli) => work(&cli),
        Err(error) => {
            let _ = error.print();
            // Asked for help is no failure; anything else is status 1, as for every bad input.
            return if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    let Err(message) = done else { return ExitCode::SUCCESS };
    if !message.is_empty() {
        eprintln!("{tool}: {message}");
    }
    ExitCode::FAILURE
}
