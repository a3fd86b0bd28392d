//! The CPUs that code is generated for: the host, the four levels of the x86-64 psABI and the last one with
//! AVX512_BF16, and models by LLVM's names.
//!
//! A CPU's level says which vector code suits it, and whether code for it runs on this machine.

use crate::Error;
use inkwell::{
    OptimizationLevel,
    targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple},
};
use std::{fmt, str::FromStr};

/// The levels of the x86-64 psABI, and one beyond: each has the instructions of those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// SSE2: what every x86-64 processor has.
    V1,
    /// SSE4.2.
    V2,
    /// AVX2 and FMA.
    V3,
    /// AVX-512 with its F, BW, CD, DQ and VL parts.
    V4,
    /// AVX-512 with AVX512_BF16, too.
    V4Bf16,
}

const LEVELS: [Level; 5] = [Level::V1, Level::V2, Level::V3, Level::V4, Level::V4Bf16];

impl Level {
    /// The CPU's name that stands for the level.
    pub fn name(self) -> &'static str {
        match self {
            Level::V1 => "x86-64",
            Level::V2 => "x86-64-v2",
            Level::V3 => "x86-64-v3",
            Level::V4 => "x86-64-v4",
            Level::V4Bf16 => "x86-64-v4-bf16",
        }
    }

    /// What the level adds to the one before it, by LLVM's names.
    fn features(self) -> &'static [&'static str] {
        match self {
            Level::V1 => &[],
            Level::V2 => &["cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2"],
            Level::V3 => &["avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"],
            Level::V4 => &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"],
            Level::V4Bf16 => &["avx512bf16"],
        }
    }
}

/// Models by LLVM's names.
const MODELS: [(&str, Level); 24] = [
    ("nehalem", Level::V2),
    ("westmere", Level::V2),
    ("sandybridge", Level::V2),
    ("ivybridge", Level::V2),
    ("haswell", Level::V3),
    ("broadwell", Level::V3),
    ("skylake", Level::V3),
    ("alderlake", Level::V3),
    ("arrowlake", Level::V3),
    ("znver1", Level::V3),
    ("znver2", Level::V3),
    ("znver3", Level::V3),
    ("skylake-avx512", Level::V4),
    ("cascadelake", Level::V4),
    ("cooperlake", Level::V4Bf16),
    ("icelake-client", Level::V4),
    ("icelake-server", Level::V4),
    ("tigerlake", Level::V4),
    ("rocketlake", Level::V4),
    ("sapphirerapids", Level::V4Bf16),
    ("emeraldrapids", Level::V4Bf16),
    ("graniterapids", Level::V4Bf16),
    ("znver4", Level::V4Bf16),
    ("znver5", Level::V4Bf16),
];

/// A CPU to generate code for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cpu {
    name: String,
    features: String,
    level: Level,
    host: bool,
}

impl Cpu {
    /// The processor of this machine, with the features that it reports.
    pub fn host() -> Cpu {
        let features = TargetMachine::get_host_cpu_features().to_string();
        let level = LEVELS.into_iter().rfind(|&level| missing(level, &features).is_empty());
        Cpu {
            name: TargetMachine::get_host_cpu_name().to_string(),
            level: level.unwrap_or(Level::V1),
            features,
            host: true,
        }
    }

    /// The highest level that the CPU has.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The width of its vector registers in bits.
    pub fn vector_bits(&self) -> u32 {
        match self.level {
            Level::V1 | Level::V2 => 128,
            Level::V3 => 256,
            Level::V4 | Level::V4Bf16 => 512,
        }
    }

    /// Whether it multiplies and adds with one rounding.
    pub fn has_fma(&self) -> bool {
        self.level >= Level::V3
    }

    /// The names that [`FromStr`] takes, for a message that says what would have been right.
    pub fn names() -> String {
        let levels = LEVELS.map(Level::name);
        let names: Vec<_> = ["host"].into_iter().chain(levels).chain(MODELS.map(|(name, _)| name)).collect();
        names.join(", ")
    }

    /// Whether code for this CPU runs on this machine; the error names what is missing.
    ///
    /// Of models only the host's own is known to run; a level runs where its features are.
    pub fn runs_here(&self) -> Result<(), Error> {
        let refuse = |why| Err(Error::CpuNotHere { cpu: self.name.clone(), why });
        if !cfg!(target_arch = "x86_64") {
            return refuse("this machine is not an x86-64".into());
        }
        let host = Cpu::host();
        if self.host || self.name == host.name {
            return Ok(());
        }
        if self.level.name() != self.name {
            return refuse(format!("this machine is a {}; use host or a level such as x86-64-v3", host.name));
        }
        match missing(self.level, &host.features) {
            m if m.is_empty() => Ok(()),
            m => refuse(format!("this machine lacks {}", m.join(", "))),
        }
    }

    /// LLVM's code generator for it.
    ///
    /// # Errors
    /// LLVM has none.
    pub fn target_machine(&self) -> Result<TargetMachine, Error> {
        self.machine(OptimizationLevel::Default)
    }

    pub(crate) fn machine(&self, level: OptimizationLevel) -> Result<TargetMachine, Error> {
        Target::initialize_x86(&InitializationConfig::default());
        // The level beyond is one of the psABI with a feature more.
        let name = if self.name == Level::V4Bf16.name() { Level::V4.name() } else { &self.name };
        machine("x86_64-unknown-linux-gnu", name, &self.features, level)
    }
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl FromStr for Cpu {
    type Err = Error;

    fn from_str(name: &str) -> Result<Cpu, Error> {
        if name == "host" {
            return Ok(Cpu::host());
        }
        let mut known = LEVELS.into_iter().map(|level| (level.name(), level)).chain(MODELS);
        let (_, level) =
            known.find(|&(known, _)| known == name).ok_or_else(|| Error::UnknownCpu(name.into()))?;
        // LLVM holds some of these back to 256 bits; the vectors of the lowering have the width that was
        // chosen.
        let features = match level {
            Level::V1 | Level::V2 | Level::V3 => "",
            Level::V4 => "-prefer-256-bit",
            Level::V4Bf16 => "-prefer-256-bit,+avx512bf16",
        };
        Ok(Cpu { name: name.into(), features: features.into(), level, host: false })
    }
}

/// The features of `level` and those below it that are not switched on in `features`, LLVM's `+this,-that`.
fn missing(level: Level, features: &str) -> Vec<&'static str> {
    let has = |wanted: &str| features.split(',').any(|f| f.strip_prefix('+') == Some(wanted));
    let below = LEVELS.into_iter().filter(|&l| l <= level);
    below.flat_map(Level::features).copied().filter(|&f| !has(f)).collect()
}

/// LLVM's code generator for a target.
pub(crate) fn machine(
    triple: &str,
    cpu: &str,
    features: &str,
    level: OptimizationLevel,
) -> Result<TargetMachine, Error> {
    let triple = TargetTriple::create(triple);
    let target = Target::from_triple(&triple).map_err(|e| Error::CodeGeneration(e.to_string()))?;
    target
        .create_target_machine(&triple, cpu, features, level, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| Error::CodeGeneration(format!("LLVM has no code generator for {cpu}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        let error = "x86-64-v5".parse::<Cpu>().unwrap_err().to_string();
        assert!(
            error.starts_with("unknown cpu \"x86-64-v5\", expected one of host, x86-64, x86-64-v2, "),
            "{error}"
        );
    }

    #[test]
    fn levels_choose_the_vector_width() {
        let bits = |name: &str| name.parse::<Cpu>().unwrap().vector_bits();
        assert_eq!(
            [bits("x86-64"), bits("x86-64-v3"), bits("x86-64-v4"), bits("znver4")],
            [128, 256, 512, 512]
        );
    }

    #[test]
    fn the_host_runs_its_own_code() {
        let host: Cpu = "host".parse().unwrap();
        host.runs_here().unwrap();
        "x86-64".parse::<Cpu>().unwrap().runs_here().unwrap();
        let other = if host.name == "nehalem" { "znver1" } else { "nehalem" };
        let error = other.parse::<Cpu>().unwrap().runs_here().unwrap_err().to_string();
        assert!(error.contains("use host or a level"), "{error}");
    }

    #[test]
    fn missing_features_are_named() {
        assert_eq!(missing(Level::V2, "+cx16,+popcnt,-sahf,+sse3,+ssse3,+sse4.1,+sse4.2"), ["sahf"]);
        assert!(missing(Level::V1, "").is_empty());
    }
}
