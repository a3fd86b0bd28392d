//! Programs in a process of their own, which says what it is about to do; a new one takes over behind the
//! program that ends it.
//!
//! The process is this program again (`--worker`). Its lines are `at SEED ...` for what it is about to do,
//! `wrong ...`, `named ...` for what is printed once, and `count ...` for what is counted. What is about to
//! run lies in `LEVEL-current.EXTENSION`.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::Duration,
};
use terrace_tools::say;

/// Which programs run, and how.
#[derive(Debug, Clone)]
pub struct Watched {
    /// The level.
    pub level: &'static str,
    /// How long one thing that it says it is about to do may take.
    pub time: Duration,
    /// How many programs a process runs.
    pub at_once: u64,
    /// The first seed.
    pub seed: u64,
    /// How many programs.
    pub programs: u64,
    /// Which of them.
    pub filter: String,
    /// Where what is wrong is kept.
    pub folder: PathBuf,
}

impl Watched {
    /// Runs the programs in processes of their own, and prints what came of them.
    ///
    /// # Errors
    /// How many are wrong.
    pub fn run(&self) -> Result<(), String> {
        let (mut counts, mut named) = (BTreeMap::<String, u64>::new(), BTreeSet::new());
        let (mut seed, mut wrong) = (self.seed, 0u64);
        let end = self.seed + self.programs;
        while seed < end {
            let mut child = self.start(seed, self.at_once.min(end - seed))?;
            let lines = lines_of(&mut child);
            let mut at = format!("at {seed} the start");
            let ended = loop {
                match lines.recv_timeout(self.time) {
                    Ok(line) => match line.split_once(' ') {
                        Some(("at", _)) => at = line,
                        Some(("count", what)) => *counts.entry(what.to_owned()).or_default() += 1,
                        Some(("wrong", what)) => {
                            wrong += 1;
                            say!("{what}");
                        }
                        Some(("named", what)) if named.insert(what.to_owned()) => say!("{what}"),
                        _ => {}
                    },
                    Err(RecvTimeoutError::Timeout) => break Some(format!("takes more than {:?}", self.time)),
                    Err(RecvTimeoutError::Disconnected) => {
                        let status = child.wait().map_err(|e| e.to_string())?;
                        break (!status.success()).then(|| format!("ends the process: {status}"));
                    }
                }
            };
            _ = (child.kill(), child.wait());
            let last: u64 = at.split(' ').nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(seed);
            if let Some(how) = ended {
                wrong += 1;
                say!("seed {at} {how}", at = at.trim_start_matches("at "));
                self.keep(last);
            }
            seed = last + 1;
        }
        say!("{}: {} programs, {wrong} wrong", self.level, self.programs);
        counts.iter().for_each(|(what, count)| say!("  {count}: {what}"));
        if wrong == 0 { Ok(()) } else { Err(format!("{wrong} programs are wrong")) }
    }

    fn start(&self, seed: u64, programs: u64) -> Result<Child, String> {
        let own = std::env::current_exe().map_err(|e| e.to_string())?;
        let [seed, programs] = [seed, programs].map(|number| number.to_string());
        Command::new(own)
            .args(["--level", self.level, "--worker", "--seed", &seed, "--programs", &programs])
            .args(["--filter", &self.filter, "--save"])
            .arg(&self.folder)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())
    }

    /// Writes what is about to run.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn about(&self, extension: &str, contents: impl AsRef<[u8]>) -> Result<PathBuf, String> {
        let file = self.current(extension);
        std::fs::write(&file, contents).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(file)
    }

    /// Keeps what the last process was about to do.
    pub fn keep(&self, seed: u64) {
        for extension in ["mlir", "json", "npy"] {
            let to = self.folder.join(format!("{}-{seed}.{extension}", self.level));
            if std::fs::rename(self.current(extension), &to).is_ok() {
                say!("  kept as {}", to.display());
            }
        }
    }

    fn current(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}-current.{extension}", self.level))
    }

    /// The folder, made.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn prepare(&self) -> Result<&Path, String> {
        std::fs::create_dir_all(&self.folder).map_err(|e| e.to_string())?;
        Ok(&self.folder)
    }
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let (send, lines) = channel();
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.take_while(|line| send.send(line.clone()).is_ok()).for_each(drop);
        });
    }
    lines
}

/// Leaves the process so many bytes more than it has now; under a sanitizer, which takes all addresses, as
/// many as there are.
pub fn limit_memory(bytes: u64) {
    if std::env::var_os("ASAN_OPTIONS").is_some() {
        return;
    }
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    let limit = pages.map_or(libc::RLIM_INFINITY, |pages| pages * 4096 + bytes);
    let limit = libc::rlimit { rlim_cur: limit, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the limit is the caller's.
    unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) };
}
