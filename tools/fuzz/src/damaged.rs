//! Damaged input: files as people write them, with bytes changed, taken away, doubled, and put elsewhere.
//!
//! A seed takes a .mlir file of the lit suite, one of its .json files, or a .npy file that it makes, and
//! damages it in one to four places. The file is read: a module is parsed and verified, and, where it is one
//! all the same, printed, read again, and taken down to the functional dialect, every eighth to machine code.
//!
//! Contract: what is no good is an error with words. What ends the process, does not end, or is an internal
//! error is wrong. `./x sanitize` runs it in a build that watches each access to memory.

use crate::{
    check::{Runner, cpu},
    watched::{Watched, limit_memory},
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use terrace_dialects::ir::refusal::INTERNAL;
use terrace_lowering::pipeline::{Level, lower};
use terrace_session::lower::target;
use terrace_tensor::{
    Dtype, Storage, Tensor,
    io::{parse_inputs, read_npy, write_npy},
    layout,
};
use terrace_tools::{module, random::Random, say};

/// What reading a file gets beside what the process has: memory, and time.
const MEMORY: u64 = 2 << 30;
const TIME: Duration = Duration::from_secs(60);

/// How many files a process reads.
const PROGRAMS: u64 = 1000;

/// What is put between bytes.
const TOKENS: [&str; 24] = [
    "<",
    ">",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "%",
    "\"",
    "!graph.tensor<",
    "tensor<?x",
    "array<i64: ",
    "-1",
    "?",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "1e999",
    "\\",
    "\0",
    "ä",
];

/// What MLIR 22 itself ends the process for, where it is damaged: `dimensions` of no list behind
/// `linalg.reduce`.
const CRASHES: [&str; 1] = ["linalg.reduce"];

/// What pipelines from the graph dialect on do not take: kernels of one's own, and what is converted before.
const NOT_TAKEN: [&str; 3] = ["kernel.func", "linalg.", "tosa."];

/// The level: of the kinds `mlir`, `json` and `npy` those that its filter names, or all by turns.
pub struct Damaged(Watched);

impl Damaged {
    /// So many files from a seed on.
    pub fn new(seed: u64, programs: u64, filter: &str, folder: &Path) -> Damaged {
        let (filter, folder) = (filter.to_owned(), folder.to_owned());
        Damaged(Watched { level: "damaged", time: TIME, at_once: PROGRAMS, seed, programs, filter, folder })
    }

    /// Reads the files in processes of their own, and prints what came of them.
    ///
    /// # Errors
    /// How many are wrong.
    pub fn run(&self) -> Result<(), String> {
        self.0.run()
    }

    /// Reads the files in this process, and says what it does and what came of it.
    ///
    /// # Errors
    /// The lit suite cannot be read, or no kind has this name.
    pub fn work(&self) -> Result<(), String> {
        let kinds = match &self.0.filter[..] {
            "" => vec!["mlir", "json", "npy"],
            kind @ ("mlir" | "json" | "npy") => vec![kind],
            other => return Err(format!("damaged files are of the kinds mlir, json and npy, not {other:?}")),
        };
        self.0.prepare()?;
        let runner = Runner::default();
        runner.context.load_all_available_dialects();
        let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lit-tests");
        let (modules, inputs) = (pieces(&suite)?, files(&suite, "json")?);
        limit_memory(MEMORY);
        for seed in self.0.seed..self.0.seed + self.0.programs {
            let kind = kinds[(seed % kinds.len() as u64) as usize];
            let mut random = Random::new(seed);
            say!("at {seed} {kind}");
            let read = match kind {
                "mlir" => self.module(&runner, &modules, &mut random, seed),
                "json" => self.inputs(&inputs, &mut random),
                _ => self.array(&mut random),
            };
            match read {
                Ok(what) => say!("count {kind}: {what}"),
                Err(why) => {
                    say!("wrong seed {seed} {kind}: {}", why.replace('\n', "; "));
                    self.0.keep(seed);
                }
            }
        }
        Ok(())
    }

    fn module(
        &self,
        runner: &Runner,
        all: &[Vec<u8>],
        random: &mut Random,
        seed: u64,
    ) -> Result<&'static str, String> {
        let text = damaged(all, random);
        if let Some(which) = CRASHES.iter().find(|own| String::from_utf8_lossy(&text).contains(**own)) {
            return Ok(which);
        }
        let file = self.0.about("mlir", text)?;
        let said = |what: &str| {
            let words = runner.words();
            if words.contains(INTERNAL) { Err(format!("{what}: {words}")) } else { Ok(()) }
        };
        let Ok(mut module) = module::read(&runner.context, &file) else {
            said("parsed")?;
            return Ok("is refused");
        };
        let printed = module.as_operation().to_string();
        // A symbol without a name is read, but not printed, by MLIR itself.
        if !printed.contains("<<INVALID EMPTY SYMBOL>>") {
            runner.parse(&printed).map_err(|wrong| format!("what is printed is not read: {}", wrong.what))?;
        }
        if NOT_TAKEN.iter().any(|own| printed.contains(own)) {
            return Ok("is of what pipelines do not take");
        }
        let target = target(&cpu(None, seed));
        let levels = if seed.is_multiple_of(8) { Level::ALL.len() } else { 1 };
        let refused = Level::ALL[..levels]
            .iter()
            .find(|level| lower(&runner.context, &mut module, &target, **level).is_err());
        said("lowered")?;
        Ok(if refused.is_none() { "is lowered" } else { "is refused by a pass" })
    }

    fn inputs(&self, all: &[Vec<u8>], random: &mut Random) -> Result<&'static str, String> {
        let text = damaged(all, random);
        let text = String::from_utf8_lossy(&text);
        let file = self.0.about("json", text.as_bytes())?;
        Ok(if parse_inputs(&file, &text).is_ok() { "is read" } else { "is refused" })
    }

    fn array(&self, random: &mut Random) -> Result<&'static str, String> {
        let dtype = random.choose(&[Dtype::F32, Dtype::F64, Dtype::I64, Dtype::U8, Dtype::Bool, Dtype::BF16]);
        let sizes: Vec<i64> = (0..random.between(0, 3)).map(|_| random.between(0, 4)).collect();
        let count = sizes.iter().product::<i64>() as usize;
        let storage = Storage::zeroed(count * dtype.bytes()).map_err(|e| e.to_string())?;
        let strides = layout::contiguous_strides(&sizes);
        let tensor = Tensor::new(storage, dtype, sizes, strides, 0).map_err(|e| e.to_string())?;
        let file = self.0.about("npy", "")?;
        write_npy(&file, &tensor).map_err(|e| e.to_string())?;
        let own = std::fs::read(&file).map_err(|e| e.to_string())?;
        let file = self.0.about("npy", damaged(&[own], random))?;
        match read_npy(&file) {
            Ok(tensor) => {
                _ = tensor.to_vec();
                Ok("is read")
            }
            Err(_) => Ok("is refused"),
        }
    }
}

/// The contents of the files below a folder whose names end so, in the order of their names.
fn files(folder: &Path, extension: &str) -> Result<Vec<Vec<u8>>, String> {
    let said = |path: &Path, why: std::io::Error| format!("{}: {why}", path.display());
    let mut found: Vec<PathBuf> = vec![];
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|why| said(&folder, why))? {
            let path = entry.map_err(|why| said(&folder, why))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.iter().map(|path| std::fs::read(path).map_err(|why| said(path, why))).collect()
}

/// The .mlir files below a folder, each part of a split one by itself.
fn pieces(folder: &Path) -> Result<Vec<Vec<u8>>, String> {
    let files = files(folder, "mlir")?;
    let texts = files.iter().map(|bytes| String::from_utf8_lossy(bytes));
    Ok(texts
        .flat_map(|text| text.split("// -----").map(|part| part.as_bytes().to_vec()).collect::<Vec<_>>())
        .collect())
}

/// One of some files, damaged in one to four places.
fn damaged(all: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let any = |random: &mut Random, count: usize| random.between(0, count.max(1) as i64 - 1) as usize;
    let range = |random: &mut Random, bytes: &[u8]| {
        let start = any(random, bytes.len() + 1);
        let most = random.choose(&[1, 2, 8, 80]);
        start..(start + any(random, most + 1)).min(bytes.len())
    };
    let mut own = all[any(random, all.len())].clone();
    for _ in 0..random.between(1, 4) {
        let at = range(random, &own);
        match random.between(0, 7) {
            0 if at.start < own.len() => own[at.start] ^= 1 << random.between(0, 7),
            1 if at.start < own.len() => own[at.start] = random.between(0, 255) as u8,
            2 => own = [&own[..at.start], &own[at.end..]].concat(),
            3 => own = [&own[..at.end], &own[at.start..]].concat(),
            4 => {
                let part = own[at].to_vec();
                let to = any(random, own.len() + 1);
                own.splice(to..to, part);
            }
            5 => {
                let other = &all[any(random, all.len())];
                let part = other[range(random, other)].to_vec();
                own.splice(at, part);
            }
            6 if random.percent(20) => own.truncate(at.start),
            // A number in the place of another, else between two bytes.
            _ => {
                let digit = |place: &usize| own[*place].is_ascii_digit();
                let first = (at.start..own.len()).find(digit);
                let token = random.choose(&TOKENS).bytes();
                match first.filter(|_| random.percent(50)) {
                    Some(first) => {
                        let end = (first..own.len()).find(|place| !digit(place)).unwrap_or(own.len());
                        own.splice(first..end, token);
                    }
                    None => {
                        own.splice(at.start..at.start, token);
                    }
                }
            }
        }
    }
    own
}
