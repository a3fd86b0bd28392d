//! `gpu`: what programs cost on a GPU, as far as that is known without one, in one table.
//!
//! The rows are bench/gpu/costs.jsonl, of which bench/gpu/costs.md is made; `--check` computes them again and
//! fails where one is worse. Figures come from pinned versions of ptxas and nvdisasm, and from counts of the
//! emulator: two runs give the same.

mod cases;
mod cost;
mod sass;
mod table;

use cases::Case;
use cost::Cost;
use std::{
    fs,
    path::Path,
    sync::Mutex,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// By how much a figure may be above the one that was recorded.
const SLACK: f64 = 1.03;

/// A figure of a row, by its name.
type Figure = (&'static str, fn(&Cost) -> f64);

/// What is asked for.
pub struct Asked<'a> {
    /// The only cases; none: all.
    pub only: &'a [String],
    /// Every so many cases.
    pub every: usize,
    /// Compares with what was recorded.
    pub check: bool,
    /// Writes what is recorded.
    pub record: bool,
}

/// Prints the instructions of the only kernel in the disassembly that comes in.
///
/// # Errors
/// There is none, or it has a loop.
pub fn count_sass() -> Result<(), String> {
    let text = std::io::read_to_string(std::io::stdin()).map_err(|e| e.to_string())?;
    match &sass::kernels(&text)[..] {
        [kernel] if kernel.innermost.is_empty() => println!("{}", kernel.outside.instructions),
        kernels => return Err(format!("expected a kernel without loops, got {kernels:?}")),
    }
    Ok(())
}

/// The costs of cases, in their order, or why there are none.
fn costs(cases: &[Case], folder: &Path) -> Vec<Result<Cost, String>> {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(vec![]));
    let work = || {
        while let Some((number, case)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            cases.get(number).map(|case| (number, case))
        } {
            let own = cost::of(case, folder).map_err(|why| format!("{}: {why}", case.name));
            all.lock().unwrap_or_else(|e| e.into_inner()).push((number, own));
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, |n| n.get()).min(cases.len().max(1));
        (0..threads).for_each(|_| _ = scope.spawn(work));
    });
    let mut all = all.into_inner().unwrap_or_else(|e| e.into_inner());
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, own)| own).collect()
}

/// Prints the table, compares it, or writes it.
///
/// # Errors
/// A case is refused that was not, a figure is worse than the one that was recorded, or files are not there.
pub fn run(asked: &Asked) -> Result<(), String> {
    if asked.record && (!asked.only.is_empty() || asked.every > 1) {
        return Err("records all cases together: leave out their names, and every".into());
    }
    let folder = Path::new("bench/gpu");
    let recorded = table::read(&folder.join("costs.jsonl"))?;
    let is_asked = |case: &Case| asked.only.is_empty() || asked.only.contains(&case.name);
    let all = cases::read(&folder.join("cases.txt"))?.into_iter().chain(cases::models()?);
    let cases: Vec<Case> = all.filter(is_asked).collect();
    let cases: Vec<Case> = cases.into_iter().step_by(asked.every.max(1)).collect();
    let (mut rows, mut wrong) = (vec![], vec![]);
    for cost in costs(&cases, Path::new("bench/cases")) {
        match cost {
            Ok(cost) => rows.push(cost),
            Err(why) => wrong.push(why),
        }
    }
    if asked.check {
        let find = |row: &Cost| recorded.iter().find(|own| own.case == row.case);
        let worse = |row: &Cost| {
            find(row).map_or(vec![format!("{}: was not recorded", row.case)], |own| row.worse(own))
        };
        wrong.extend(rows.iter().flat_map(worse));
        println!("{} cases, {} figures are worse", rows.len(), wrong.len());
    } else {
        let peers = table::peers(&folder.join("triton.jsonl"))?;
        let text = table::text(&rows, &cases, &peers);
        if asked.record {
            let write = |name: &str, text: &str| {
                fs::write(folder.join(name), text).map_err(|e| format!("{name}: {e}"))
            };
            write("costs.jsonl", &table::lines(&rows))?;
            write("costs.md", &text)?;
        } else {
            print!("{text}");
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

impl Cost {
    /// What is worse than it was: a line each.
    fn worse(&self, was: &Cost) -> Vec<String> {
        let figures: [Figure; 7] = [
            ("launches", |cost| cost.launches as f64),
            ("registers", |cost| cost.registers as f64),
            ("bytes of spills", |cost| cost.spills as f64),
            ("instructions an element", |cost| cost.instructions),
            ("bytes moved over the least", |cost| cost.moved),
            ("sectors over the least", |cost| cost.sectors),
            ("turns over the least", |cost| cost.turns),
        ];
        let line = |(name, figure): Figure| {
            let (now, was) = (figure(self), figure(was));
            (now > was * SLACK).then(|| format!("{}: {name} {now:.2}, was {was:.2}", self.case))
        };
        figures.into_iter().filter_map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Cost;

    #[test]
    fn a_figure_that_is_three_percent_worse_is_said() {
        let was = Cost { case: "add".into(), launches: 1, instructions: 3.0, ..Cost::default() };
        assert!(Cost { instructions: 3.09, ..was.clone() }.worse(&was).is_empty());
        let worse = Cost { instructions: 3.2, spills: 4, ..was.clone() };
        let expected = ["add: bytes of spills 4.00, was 0.00", "add: instructions an element 3.20, was 3.00"];
        assert_eq!(worse.worse(&was), expected);
    }
}
