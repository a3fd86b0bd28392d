//! `terrace-gpu-table`: what bench/gpu/run.sh measured, as one table.

use clap::Parser;
use serde_json::Value as Json;
use std::{collections::HashMap, fs, path::PathBuf, process::ExitCode};

/// Prints a table in Markdown: what was right, and of each case time, share of the limit, the share that was
/// predicted, and what peers take. The status is 1 where something was wrong, or nothing was run.
#[derive(Parser)]
#[command(name = "terrace-gpu-table", version)]
struct Cli {
    /// The cases with their predictions: bench/gpu/cases.txt.
    cases: PathBuf,
    /// The folder with goldens.jsonl, models.jsonl, cases.jsonl and peers.jsonl.
    results: PathBuf,
}

/// The lines of a file of JSON lines; none where it is not there, or was cut off.
fn lines(cli: &Cli, file: &str) -> Vec<Json> {
    let text = fs::read_to_string(cli.results.join(file)).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// How many bundles are right, and a line for each that is not.
fn rights(lines: &[Json]) -> (usize, usize, Vec<String>) {
    let bundles: Vec<&Json> = lines.iter().filter(|line| line["bundle"].is_string()).collect();
    let wrong = bundles.iter().filter(|line| line["right"] != true);
    let texts: Vec<_> =
        wrong.map(|line| format!("* {}: {}", text(&line["bundle"]), text(&line["why"]))).collect();
    (bundles.len() - texts.len(), bundles.len(), texts)
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_default()
}

/// A number with so many digits behind the point, or nothing.
fn figure(json: &Json, digits: usize) -> String {
    json.as_f64().map_or(String::new(), |number| format!("{number:.digits$}"))
}

/// The table, and whether all is right.
fn table(cli: &Cli) -> Result<(String, bool), String> {
    let known = fs::read_to_string(&cli.cases).map_err(|e| format!("{}: {e}", cli.cases.display()))?;
    let cases = lines(cli, "cases.jsonl");
    let (mut out, mut is_right) = (String::from("# On a card\n\n"), true);
    if let Some(card) = cases.iter().find(|line| line["card"].is_string()) {
        out += text(&card["card"]);
        if card["copy_gb_per_s"].is_number() {
            out += &format!(
                ": a copy within it moves {} GB/s, multiply-adds of f32 are {} TFLOP/s",
                figure(&card["copy_gb_per_s"], 0),
                figure(&card["f32_tflop_per_s"], 1)
            );
        }
        out += ".\n\n";
    }
    for (name, file) in
        [("golden cases", "goldens.jsonl"), ("models", "models.jsonl"), ("cases", "cases.jsonl")]
    {
        let (right, all, wrong) = rights(&lines(cli, file));
        is_right &= right == all && all > 0;
        out += &format!("{right} of {all} {name} are right.\n");
        out += &wrong.iter().map(|line| format!("{line}\n")).collect::<String>();
    }
    let measured: HashMap<&str, &Json> = cases.iter().map(|line| (text(&line["bundle"]), line)).collect();
    let peers = lines(cli, "peers.jsonl");
    let of_peer = |name: &str, peer: &str| {
        let own = peers.iter().find(|line| text(&line["bundle"]) == name && text(&line["peer"]) == peer);
        own.map_or(String::new(), |line| figure(&line["us"], 2))
    };
    out +=
        "\n| case | us | of limit | predicted | expected to keep it from there | eager us | Inductor us |\n";
    out += "|---|--:|--:|--:|---|--:|--:|\n";
    for line in known.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, _, _, share, _, why] = fields[..] else {
            return Err(format!("{line}: expected six fields"));
        };
        let Some(own) = measured.get(name) else { continue };
        let (eager, inductor) = (of_peer(name, "eager"), of_peer(name, "inductor"));
        let (us, of_limit) = (figure(&own["us"], 2), figure(&own["share_of_limit"], 3));
        out += &format!("| {name} | {us} | {of_limit} | {share} | {why} | {eager} | {inductor} |\n");
    }
    Ok((out, is_right))
}

fn main() -> ExitCode {
    match table(&Cli::parse()) {
        Ok((text, is_right)) => {
            print!("{text}");
            if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            eprintln!("terrace-gpu-table: {why}");
            ExitCode::FAILURE
        }
    }
}
