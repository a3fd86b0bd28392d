//! What vector code for x86 may count on.

use std::{fmt, str::FromStr};

/// A level of vector instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// SSE2, which every x86-64 processor has.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 with its F, BW, CD, DQ and VL parts.
    Avx512,
    /// AVX-512 with AVX512_BF16, too.
    Avx512Bf16,
}

/// The levels of the x86-64 psABI, with the vector code that suits them, and one beyond.
const LEVELS: [(&str, Isa); 5] = [
    ("x86-64", Isa::Portable),
    ("x86-64-v2", Isa::Portable),
    ("x86-64-v3", Isa::Avx2),
    ("x86-64-v4", Isa::Avx512),
    ("x86-64-v4-bf16", Isa::Avx512Bf16),
];

impl Isa {
    /// What this machine has.
    pub fn host() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx2 = has!("avx2") && has!("fma");
            let avx512 = has!("avx512bw") && has!("avx512cd") && has!("avx512dq") && has!("avx512vl");
            match (avx2, avx512, has!("avx512bf16")) {
                (true, true, true) => Self::Avx512Bf16,
                (true, true, false) => Self::Avx512,
                (true, false, _) => Self::Avx2,
                _ => Self::Portable,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Self::Portable
    }

    /// The elements of a vector: those of 32 bits that a register holds.
    pub fn lanes(self) -> i64 {
        match self {
            Self::Portable => 4,
            Self::Avx2 => 8,
            Self::Avx512 | Self::Avx512Bf16 => 16,
        }
    }

    /// Whether it multiplies and adds with one rounding.
    pub fn has_fma(self) -> bool {
        self >= Self::Avx2
    }

    /// Whether an instruction multiplies and adds pairs of bf16.
    pub fn has_bf16(self) -> bool {
        self >= Self::Avx512Bf16
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = LEVELS.iter().find(|(_, isa)| isa == self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

impl FromStr for Isa {
    type Err = String;

    /// `host`, `x86-64`, `x86-64-v2`, `x86-64-v3`, `x86-64-v4`, `x86-64-v4-bf16`.
    fn from_str(name: &str) -> Result<Self, String> {
        if name == "host" {
            return Ok(Self::host());
        }
        let found = LEVELS.iter().find(|(level, _)| *level == name).map(|(_, isa)| *isa);
        found.ok_or_else(|| {
            let names = LEVELS.map(|(level, _)| level).join(", ");
            format!("unknown cpu '{name}', expected one of host, {names}")
        })
    }
}
