//! What the command-line tools share: reading a module, finding its entry point, checking inputs, running.

pub mod bundle;
pub mod check;
pub mod compile;
pub mod example;
pub mod module;
pub mod outcome;
pub mod peak;
pub mod random;
pub mod run;

use std::{fmt, io::Write, process::ExitCode};

/// Prints a line on standard output, as `println!` does. Where that is full or gone the tool says so and ends
/// with status 1.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::print(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints on standard output: see [`say!`].
pub fn print(text: fmt::Arguments) {
    let mut output = std::io::stdout().lock();
    if let Err(error) = output.write_fmt(text).and_then(|()| output.flush()) {
        eprintln!("cannot write on standard output: {error}");
        std::process::exit(1);
    }
}

/// The main function of a tool: reads its options, does its work, and says what went wrong on standard error.
/// An empty message has been said already, as a diagnostic at its place.
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
