//! The table of costs, as JSON lines and as Markdown.

use super::{cases::Case, cost::Cost};
use serde_json::{Value as Json, json};
use std::{collections::HashMap, fs, path::Path};

/// Threads that an H100 has at work.
const THREADS: u64 = 67_584;

/// What keeps a program from its limit, and what would change that.
const REASONS: [(&str, &str); 8] = [
    (
        "launches",
        "one launch in the place of several: the last block combines; concatenations, and lists of tensors, by a table",
    ),
    (
        "threads",
        "more blocks: a product's inner dimension split over blocks, scatters of floats by sort and segments",
    ),
    ("copies", "what is moved between kernels stays in a block"),
    ("accesses", "2-D tiles through shared memory, so that both sides are read in rows"),
    ("banks", "layouts of shared memory that are swizzled"),
    ("instructions", "cheaper functions; several elements by one instruction (HFMA2)"),
    ("multiply-adds", "tensor cores, copies that run beside the products"),
    ("memory", "nothing: it moves little more than it has to, in whole sectors"),
];

fn row(cost: &Cost) -> Json {
    let figure = |number: f64| (number * 1000.0).round() / 1000.0;
    json!({
        "case": cost.case, "launches": cost.launches, "blocks": cost.blocks, "threads": cost.threads,
        "registers": cost.registers, "spills": cost.spills, "shared": cost.shared, "width": figure(cost.width),
        "instructions": figure(cost.instructions), "loop": cost.is_loop, "moved": figure(cost.moved),
        "sectors": figure(cost.sectors), "turns": figure(cost.turns),
    })
}

fn json_lines(path: &Path) -> Result<Vec<Json>, String> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(format!("{}: {e}", path.display())),
    };
    let one = |line| serde_json::from_str(line).map_err(|e| format!("{}: {e}", path.display()));
    text.lines().map(one).collect()
}

/// Rows as JSON lines.
pub fn lines(rows: &[Cost]) -> String {
    rows.iter().map(|cost| format!("{}\n", row(cost))).collect()
}

/// Rows of a file of JSON lines; none where it is not there.
///
/// # Errors
/// It is another file.
pub fn read(path: &Path) -> Result<Vec<Cost>, String> {
    let one = |line: Json| {
        let count = |name: &str| line[name].as_u64().unwrap_or(0);
        let figure = |name: &str| line[name].as_f64().unwrap_or(0.0);
        Cost {
            case: line["case"].as_str().unwrap_or_default().to_owned(),
            launches: count("launches"),
            blocks: count("blocks"),
            threads: count("threads"),
            registers: count("registers"),
            spills: count("spills"),
            shared: count("shared"),
            width: figure("width"),
            instructions: figure("instructions"),
            is_loop: line["loop"] == true,
            moved: figure("moved"),
            sectors: figure("sectors"),
            turns: figure("turns"),
        }
    };
    Ok(json_lines(path)?.into_iter().map(one).collect())
}

/// Triton's instructions, by case.
///
/// # Errors
/// As [`read`].
pub fn peers(path: &Path) -> Result<HashMap<String, f64>, String> {
    let one = |line: Json| Some((line["case"].as_str()?.to_owned(), line["instructions"].as_f64()?));
    Ok(json_lines(path)?.into_iter().filter_map(one).collect())
}

/// What keeps a program from its limit: names of [`REASONS`], with figures.
fn why(cost: &Cost, case: &Case) -> Vec<String> {
    let threads = cost.blocks * cost.threads;
    let is_product = case.flops > 0.0;
    let reasons = [
        (cost.launches > 1, format!("{} launches", cost.launches)),
        (threads < THREADS, format!("{threads} threads of {THREADS}")),
        (cost.moved > 1.1, format!("copies: {:.1} times the least", cost.moved)),
        (cost.sectors > 1.3, "accesses".into()),
        (cost.turns > 1.3, "banks".into()),
        (!is_product && cost.instructions > 20.0, "instructions".into()),
        (is_product, "multiply-adds".into()),
    ];
    let own: Vec<String> = reasons.into_iter().filter_map(|(holds, text)| holds.then_some(text)).collect();
    if own.is_empty() { vec!["memory".into()] } else { own }
}

/// The table.
pub fn text(rows: &[Cost], cases: &[Case], peers: &HashMap<String, f64>) -> String {
    let mut out = String::from(
        "# What the cases cost on a GPU\n\n\
         Known without a card: `./x gpu-table --record` compiles the programs of [cases.txt](cases.txt) and the models of the\n\
         golden data for sm_90, assembles and disassembles them by the versions of xtask/requirements.txt, and runs at most 32\n\
         blocks of each launch, from all over it, on the emulator, which counts what they access. Times are not here: `run.sh`\n\
         measures them on a card.\n\n\
         The grid, instructions, widths, sectors and turns are those of the kernel that most instructions are spent in;\n\
         registers, spills and shared memory are the most of all kernels.\n\n\
         * **SASS**: machine instructions of a thread for each element along the longest way, of products for each\n  \
         multiply-add. Of a kernel with loops they are those of the longest innermost one, and say so. Triton's are of its\n  \
         kernel for the same operation, counted alike; it has no loop, and a figure of a loop leaves out what stands around it.\n\
         * **bytes an access**: that a thread moves at once, 16 at most.\n\
         * **moved**: bytes of sectors that all launches read and write, over the least that a call has to move. What blocks\n  \
         share counts once for those that ran, so it is too high where many blocks share much (products).\n\
         * **sectors**: those that requests to global memory touch, over the least for as many bytes.\n\
         * **turns**: those that requests to shared memory take, over the least: more are conflicts of banks.\n\n\
         | case | launches | blocks x threads | registers | spills | shared | SASS | Triton | bytes an access | moved | sectors | turns | what keeps it from its limit |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for cost in rows {
        let Some(case) = cases.iter().find(|case| case.name == cost.case) else { continue };
        let peer = peers.get(&cost.case).map_or(String::new(), |own| format!("{own:.2}"));
        let of = if cost.is_loop { " (loop)" } else { "" };
        let moved = if cost.moved == 0.0 { String::new() } else { format!("{:.2}", cost.moved) };
        out += &format!(
            "| {} | {} | {}x{} | {} | {} | {} | {:.2}{of} | {peer} | {:.1} | {moved} | {:.2} | {:.2} | {} |\n",
            cost.case,
            cost.launches,
            cost.blocks,
            cost.threads,
            cost.registers,
            cost.spills,
            cost.shared,
            cost.instructions,
            cost.width,
            cost.sectors,
            cost.turns,
            why(cost, case).join("; ")
        );
    }
    out += "\n## What would change that\n\n";
    out += &REASONS.iter().map(|(name, work)| format!("* **{name}**: {work}.\n")).collect::<String>();
    out
}
