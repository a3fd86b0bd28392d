//! `terrace-gpu-run`: checks and times bundles on a GPU, by its driver alone.

use clap::Parser;
use serde_json::{Map, Value as Json, json};
use std::{
    env,
    io::{self, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};
use terrace_bundle::{Bundle, BundleError, Limits, check, counts, time};
use terrace_call::{Cuda, Gpu};

/// Runs bundles on the first GPU, and prints a line of JSON for the card and for each of them. A call is
/// checked on poisoned memory between guard zones, then timed on tensors that are on the card, in turn with
/// copies of them beyond its cache. TERRACE_CUDA_DRIVER names another driver's library than libcuda.so.1.
#[derive(Parser)]
#[command(name = "terrace-gpu-run", version)]
struct Cli {
    /// Folders that terrace-compile --emit=bundle wrote.
    #[arg(required = true)]
    bundles: Vec<PathBuf>,
    /// Does not time what is right.
    #[arg(long)]
    check_only: bool,
    /// Something was wrong before.
    #[arg(long, hide = true)]
    failed: bool,
}

/// Goes on with other bundles in the place of this process: a card that a kernel has crashed on does nothing
/// more for who launched it. Comes back where the system cannot do it.
fn start_again(cli: &Cli, rest: &[PathBuf]) -> BundleError {
    let own = env::current_exe().unwrap_or_else(|_| "terrace-gpu-run".into());
    let mut command = Command::new(own);
    if cli.check_only {
        command.arg("--check-only");
    }
    BundleError(command.arg("--failed").args(rest).exec().to_string())
}

fn print(line: &Json) {
    // Who closed the pipe does not want more.
    _ = writeln!(io::stdout(), "{line}");
}

/// What is said of a card: its name and its limits.
fn card(gpu: &Gpu, limits: Option<Limits>) -> Json {
    let mut line = json!({ "card": gpu.name() });
    if let Some(limits) = limits {
        line["copy_gb_per_s"] = json!(limits.bytes / 1e9);
        line["f32_tflop_per_s"] = json!(limits.flops / 1e12);
    }
    line
}

/// What is said of a bundle.
fn run(
    (bundle, folder): (&Bundle, &Path),
    gpu: &Gpu,
    limits: Option<Limits>,
    is_timed: bool,
) -> Result<Map<String, Json>, BundleError> {
    let mut line = Map::new();
    line.insert("error".into(), json!(check(bundle, folder, gpu)?));
    if !is_timed {
        return Ok(line);
    }
    let timing = time(bundle, folder, gpu)?;
    if let Some([launches, copies_in, copies_out, _, _, synchronizations]) = timing.counts {
        let asked = json!({
            "launches": launches, "copies_in": copies_in, "copies_out": copies_out, "synchronizations": synchronizations,
        });
        line.insert("call".into(), asked);
    }
    if let Some(limits) = limits {
        let (seconds, work) = (timing.call.as_secs_f64(), bundle.work);
        let limit = (work.bytes / limits.bytes).max(work.flops / limits.flops);
        line.insert("us".into(), json!(seconds * 1e6));
        line.insert("gb_per_s".into(), json!(work.bytes / seconds / 1e9));
        if work.flops > 0.0 {
            line.insert("gflop_per_s".into(), json!(work.flops / seconds / 1e9));
        }
        line.insert("share_of_limit".into(), json!(limit / seconds));
    }
    Ok(line)
}

fn work(cli: &Cli) -> Result<bool, BundleError> {
    let gpu = Cuda::open()?;
    let emulated = counts(&gpu).is_some();
    let limits = if emulated || cli.check_only { None } else { Some(Limits::of(&gpu)?) };
    if !cli.failed {
        print(&card(&gpu, limits));
    }
    let mut all = !cli.failed;
    for (number, folder) in cli.bundles.iter().enumerate() {
        let mut line = json!({ "bundle": folder.display().to_string() });
        let done = Bundle::read(folder).and_then(|bundle| {
            line["bundle"] = json!(bundle.name);
            run((&bundle, folder), &gpu, limits, !cli.check_only)
        });
        match done {
            Ok(more) => {
                line["right"] = json!(true);
                more.into_iter().for_each(|(key, value)| line[key] = value);
            }
            Err(error) => {
                all = false;
                line["right"] = json!(false);
                line["why"] = json!(error.to_string());
            }
        }
        print(&line);
        let rest = &cli.bundles[number + 1..];
        if line["right"] == json!(false) && !emulated && !rest.is_empty() {
            return Err(start_again(cli, rest));
        }
    }
    Ok(all)
}

fn main() -> ExitCode {
    match work(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("terrace-gpu-run: {error}");
            ExitCode::from(2)
        }
    }
}
