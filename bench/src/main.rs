//! `terrace-bench`: benchmarks. Nothing here decides whether a test passes.

mod fake;
mod functionalize;
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
        /// A Python with PyTorch 2.15, whose FakeTensorMode is measured in the same run.
        #[arg(long)]
        peer: Option<std::path::PathBuf>,
    },
    /// graph-functionalize, per operation.
    Functionalize {
        /// Runs of which the fastest counts.
        #[arg(long, default_value_t = 5)]
        runs: usize,
    },
}

fn main() -> ExitCode {
    terrace_tools::main("terrace-bench", |cli: &Cli| match &cli.what {
        What::Fake { runs, peer } => fake::run(&terrace_tools::module::context(), *runs, peer.as_deref()),
        What::Functionalize { runs } => functionalize::run(&terrace_tools::module::context(), *runs),
    })
}
