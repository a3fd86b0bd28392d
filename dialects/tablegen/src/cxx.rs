//! C++, of which only what changed is compiled again: cargo runs a build script anew for any change under
//! `td/`, and a plain `cc` build would then compile every unit.
//!
//! A unit is up to date if its object is newer than every file that the compiler read for it (`-MD`). Objects
//! lie in a folder named by the compiler's arguments, so that other flags make other objects.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    time::SystemTime,
};

/// Further flags, as `./x sanitize` gives them.
const FLAGS: &str = "TERRACE_CXXFLAGS";

/// A build with the flags that libMLIR.so was built with, by clang++-22: g++ would give traits other ids than
/// it has.
pub struct Cxx {
    build: cc::Build,
    sources: Vec<PathBuf>,
    header: Option<PathBuf>,
}

impl Cxx {
    /// A build of nothing yet.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let compiler = crate::prefix().join("bin/clang++");
        assert!(compiler.exists(), "no {}: install clang-22, or run `./x setup`", compiler.display());
        let mut build = cc::Build::new();
        build
            .compiler(compiler)
            .cpp(true)
            .std("c++17")
            .warnings(false)
            .flag("-isystem")
            .flag(crate::prefix().join("include").to_str().unwrap())
            .include(crate::out_dir())
            .include(crate::cpp_dir())
            .flag("-fno-exceptions")
            .flag("-fno-rtti")
            .flag("-fvisibility=hidden")
            .flag("-fvisibility-inlines-hidden")
            .debug(false)
            .opt_level(1)
            .define("NDEBUG", None);
        println!("cargo:rerun-if-env-changed={FLAGS}");
        for flag in std::env::var(FLAGS).unwrap_or_default().split_whitespace() {
            build.flag(flag);
        }
        Self { build, sources: Vec::new(), header: None }
    }

    /// Looks for headers in `folder`, too.
    pub fn include(&mut self, folder: impl AsRef<Path>) {
        self.build.include(folder);
    }

    /// Adds a unit; names of files are unique in a build.
    pub fn file(&mut self, source: PathBuf) {
        self.sources.push(source);
    }

    /// Parses a header once, which all units begin with: those of MLIR take clang seconds.
    pub fn prefix_header(&mut self, header: PathBuf) {
        self.header = Some(header);
    }

    /// Compiles what is not up to date, and has cargo link everything as the archive `library`.
    pub fn compile(mut self, library: &str) {
        let compiler = self.build.get_compiler();
        let mut hasher = DefaultHasher::new();
        (compiler.path(), compiler.args()).hash(&mut hasher);
        let folder = crate::out_dir().join(format!("objects-{:016x}", hasher.finish()));
        fs::create_dir_all(&folder).unwrap();
        let units: Vec<(PathBuf, PathBuf)> = self
            .sources
            .iter()
            .map(|s| (s.clone(), folder.join(s.with_extension("o").file_name().unwrap())))
            .collect();
        let header = self.header.as_ref().map(|header| {
            let parsed = folder.join(header.with_extension("h.pch").file_name().unwrap());
            if !up_to_date(header, &parsed) {
                let mut command = compiler.to_command();
                compile(command.args(["-x", "c++-header"]), header, &parsed);
            }
            parsed
        });
        let parsed = header.as_deref().and_then(modified);
        let stale =
            units.iter().filter(|(source, object)| !up_to_date(source, object) || modified(object) < parsed);
        let queue = Mutex::new(stale);
        let jobs = std::env::var("NUM_JOBS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while let Some((source, object)) = { queue.lock().unwrap().next() } {
                        let mut command = compiler.to_command();
                        if let Some(header) = &header {
                            command.arg("-include-pch").arg(header);
                        }
                        compile(&mut command, source, object);
                    }
                });
            }
        });
        self.build.objects(units.iter().map(|(_, object)| object)).compile(library);
    }
}

fn compile(command: &mut Command, source: &Path, object: &Path) {
    // A compiler that is stopped half-way leaves no object that looks up to date.
    let unfinished = object.with_extension("unfinished");
    let dependencies = object.with_extension("d");
    command.arg("-c").arg(source).arg("-o").arg(&unfinished).arg("-MD").arg("-MF").arg(dependencies);
    let status = command.status().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(status.success(), "{} does not compile", source.display());
    fs::rename(&unfinished, object).unwrap();
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|m| m.modified()).ok()
}

fn up_to_date(source: &Path, object: &Path) -> bool {
    let (Some(made), Ok(rule)) = (modified(object), fs::read_to_string(object.with_extension("d"))) else {
        return false;
    };
    let files = read_files(&rule);
    !files.is_empty()
        && modified(source).is_some()
        && files.iter().all(|f| modified(f).is_some_and(|m| m <= made))
}

/// The prerequisites of the rule that the compiler writes: `x.o: a.cpp b\ c.h \` and further lines.
fn read_files(rule: &str) -> Vec<PathBuf> {
    let Some((_, files)) = rule.split_once(": ") else {
        return Vec::new();
    };
    let joined = files.replace("\\\n", " ").replace("\\ ", "\0");
    joined.split_whitespace().map(|f| PathBuf::from(f.replace('\0', " "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_compilers_rule() {
        let files = read_files("out/a.o: src/a.cpp out/B.h.inc \\\n  /usr/a\\ b/c.h\n");
        assert_eq!(files, ["src/a.cpp", "out/B.h.inc", "/usr/a b/c.h"].map(PathBuf::from));
        assert!(read_files("").is_empty());
    }
}
