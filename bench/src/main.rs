//! `terrace-bench`: benchmarks. Nothing here decides whether a test passes.

mod fake;
mod memory;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures what things cost.
#[derive(Parser)]
#[command(name = "terrace-bench", version)]
struct Cli {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Fake tensors, per operation.
    Fake {
        /// Runs of which the fastest counts.
        #[arg(long, default_value_t = 5)]
        runs: usize,
    },
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    let context = terrace_tools::module::context();
    let done = match cli.what {
        What::Fake { runs } => fake::run(&context, runs),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
