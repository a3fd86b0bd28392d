//! `terrace-bench`: benchmarks. Nothing here decides whether a test passes.

mod call;
mod down;
mod fake;
mod gpu;
mod memory;
mod passes;
mod programs;

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
    /// graph-functionalize and the passes around it, per operation.
    Functionalize {
        /// Runs of which the fastest counts.
        #[arg(long, default_value_t = 5)]
        runs: usize,
        /// The only pass to measure.
        #[arg(long)]
        pass: Option<String>,
    },
    /// Every pass on the way down to x86, and LLVM: how their time grows with the program.
    Passes {
        /// Programs that are measured whole, in the place of the models of the tests.
        files: Vec<std::path::PathBuf>,
        /// Operations of the programs.
        #[arg(long, value_delimiter = ',', default_values_t = [100, 1000, 10000])]
        counts: Vec<usize>,
        /// The only program to measure: a family, such as lstm, or nest.
        #[arg(long)]
        family: Option<String>,
        /// Runs of which the fastest counts.
        #[arg(long, default_value_t = 3)]
        runs: usize,
        /// The only passes to print: those whose names contain this.
        #[arg(long)]
        pass: Option<String>,
        /// Writes bench/results/passes.md.
        #[arg(long)]
        record: bool,
    },
    /// What a call costs beside the work: sums of 2, 10 and 100 tensors of 64 elements.
    Call {
        /// Rounds of which the fastest counts.
        #[arg(long, default_value_t = 30)]
        runs: usize,
        /// A Python with PyTorch and NumPy, which are measured in the same run.
        #[arg(long)]
        peer: Option<std::path::PathBuf>,
    },
    /// What programs cost on a GPU, as far as that is known without one.
    Gpu {
        /// The only cases of bench/gpu/cases.txt.
        cases: Vec<String>,
        /// Every so many cases.
        #[arg(long, default_value_t = 1)]
        every: usize,
        /// Fails where a figure is worse than in bench/gpu/costs.jsonl by 3%.
        #[arg(long)]
        check: bool,
        /// Writes bench/gpu/costs.jsonl and bench/gpu/costs.md.
        #[arg(long)]
        record: bool,
    },
    /// The instructions of the only kernel, which has no loop, in what nvdisasm prints.
    #[command(hide = true)]
    Sass,
    /// One program on its way down, in a process of its own.
    #[command(hide = true)]
    Down { family: String, what: String, most: usize },
    /// The memory of one pass on one program, in a process of its own.
    #[command(hide = true)]
    Peak { pass: String, shape: usize, count: usize },
}

fn main() -> ExitCode {
    terrace_tools::main("terrace-bench", |cli: &Cli| match &cli.what {
        What::Fake { runs, peer } => fake::run(&terrace_tools::module::context(), *runs, peer.as_deref()),
        What::Call { runs, peer } => call::run(*runs, peer.as_deref()),
        What::Functionalize { runs, pass } => {
            passes::run(&terrace_tools::module::context(), *runs, pass.as_deref())
        }
        What::Passes { files, counts, family, runs, pass, record } => down::run(&down::Asked {
            counts,
            runs: *runs,
            only: pass.as_deref(),
            family: family.as_deref(),
            files,
            record: *record,
        }),
        What::Gpu { cases, every, check, record } => {
            gpu::run(&gpu::Asked { only: cases, every: *every, check: *check, record: *record })
        }
        What::Sass => gpu::count_sass(),
        What::Down { family, what, most } => {
            down::down(&terrace_tools::module::context(), family, what, *most)
        }
        What::Peak { pass, shape, count } => {
            passes::peak(&terrace_tools::module::context(), pass, *shape, *count)
        }
    })
}
