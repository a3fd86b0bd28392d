//! What a card can do: bytes a second of a copy, and float operations a second of multiply-adds in registers.

use crate::BundleError;
use terrace_call::{Device, Gpu};

/// What a card can do.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes that a copy within the card reads and writes, a second.
    pub bytes: f64,
    /// f32 operations a second, of multiply-adds that count as two.
    pub flops: f64,
}

/// Each thread does eight chains of multiply-adds, so many times.
const ROUNDS: u64 = 4096;
const CHAINS: u64 = 8;

/// A kernel of multiply-adds in registers; what it stores is never read, and keeps them. It is told how many
/// rounds: known, they would be unrolled beyond the cache of instructions.
fn multiply_adds() -> String {
    let each = |line: &dyn Fn(u64) -> String| (0..CHAINS).map(line).collect::<String>();
    let start = each(&|i| format!("  mov.f32 %f{i}, 0f3F80000{i};\n"));
    let step = each(&|i| format!("  fma.rn.f32 %f{i}, %f{i}, %f8, %f9;\n"));
    let sum = each(&|i| format!("  add.f32 %f9, %f9, %f{i};\n"));
    format!(
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry multiply_adds(.param .u64 to, .param .u32 rounds) {{\n  \
         .reg .pred %p;\n  .reg .f32 %f<10>;\n  .reg .b32 %r<3>;\n  .reg .b64 %rd<2>;\n{start}  mov.f32 %f8, 0f3F7FFFFF;\n  \
         mov.f32 %f9, 0f33800000;\n  mov.u32 %r0, 0;\n  ld.param.u32 %r2, [rounds];\nround:\n{step}  add.u32 %r0, %r0, 1;\n  setp.lt.u32 %p, %r0, %r2;\n  \
         @%p bra round;\n{sum}  ld.param.u64 %rd0, [to];\n  cvta.to.global.u64 %rd1, %rd0;\n  st.global.f32 [%rd1], %f9;\n  \
         ret;\n}}\n"
    )
}

impl Limits {
    /// Measures a card, the best of several tries.
    ///
    /// # Errors
    /// What the driver says.
    pub fn of(gpu: &Gpu) -> Result<Self, BundleError> {
        let card = gpu.load(multiply_adds().as_bytes())?;
        let bytes = 1usize << 28;
        let (from, to) = (card.allocate(bytes)?, card.allocate(bytes)?);
        card.fill(from, 0, bytes)?;
        let (mut copy, mut work) = (f64::INFINITY, f64::INFINITY);
        let (blocks, threads) = (8 * gpu.multiprocessors()?, 256);
        for _ in 0..10 {
            copy = copy.min(card.time(&mut || card.copy(to, from, bytes))?.as_secs_f64());
            // SAFETY: the kernel takes an address, where it writes four bytes, and a number.
            let run = || unsafe { card.launch("multiply_adds", blocks, threads, &[to, ROUNDS]) };
            work = work.min(card.time(&mut { run })?.as_secs_f64());
        }
        card.free(from)?;
        card.free(to)?;
        let operations = (2 * ROUNDS * CHAINS * blocks * threads) as f64;
        Ok(Self { bytes: 2.0 * bytes as f64 / copy, flops: operations / work })
    }
}
