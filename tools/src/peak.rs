//! The FMA peak of this machine: independent chains of vector multiply-adds in registers, on each of
//! `threads` threads.
//!
//! In assembly, so that a build without optimization measures the same.

use std::{thread, time::Instant};

const ROUNDS: u64 = 4_000_000;
const CHAINS: u64 = 12;

/// Floating-point operations (f32) per second, the best of five runs; None where the processor has no AVX2
/// FMA.
pub fn fma_f32(threads: usize) -> Option<f64> {
    let (kernel, lanes) = kernel()?;
    let runs = (0..5).map(|_| {
        let started = Instant::now();
        thread::scope(|scope| {
            for _ in 0..threads {
                // SAFETY: `kernel` checked that the processor has the instructions.
                scope.spawn(|| unsafe { kernel(ROUNDS) });
            }
        });
        2.0 * (ROUNDS * CHAINS * lanes * threads as u64) as f64 / started.elapsed().as_secs_f64()
    });
    runs.reduce(f64::max)
}

type Kernel = unsafe fn(u64);

#[cfg(target_arch = "x86_64")]
fn kernel() -> Option<(Kernel, u64)> {
    if is_x86_feature_detected!("avx512f") {
        return Some((x86::avx512, 16));
    }
    (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some((x86::avx2 as Kernel, 8))
}

#[cfg(not(target_arch = "x86_64"))]
fn kernel() -> Option<(Kernel, u64)> {
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::asm;

    #[target_feature(enable = "avx512f")]
    pub fn avx512(rounds: u64) {
        // SAFETY: registers only.
        unsafe {
            asm!(
                "vpxorq zmm14, zmm14, zmm14",
                "vpxorq zmm15, zmm15, zmm15",
                "2:",
                "vfmadd231ps zmm0, zmm14, zmm15",
                "vfmadd231ps zmm1, zmm14, zmm15",
                "vfmadd231ps zmm2, zmm14, zmm15",
                "vfmadd231ps zmm3, zmm14, zmm15",
                "vfmadd231ps zmm4, zmm14, zmm15",
                "vfmadd231ps zmm5, zmm14, zmm15",
                "vfmadd231ps zmm6, zmm14, zmm15",
                "vfmadd231ps zmm7, zmm14, zmm15",
                "vfmadd231ps zmm8, zmm14, zmm15",
                "vfmadd231ps zmm9, zmm14, zmm15",
                "vfmadd231ps zmm10, zmm14, zmm15",
                "vfmadd231ps zmm11, zmm14, zmm15",
                "dec {n}",
                "jnz 2b",
                n = inout(reg) rounds => _,
                out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _, out("zmm4") _, out("zmm5") _, out("zmm6") _, out("zmm7") _, out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _, out("zmm14") _, out("zmm15") _,
            );
        }
    }

    #[target_feature(enable = "avx2,fma")]
    pub fn avx2(rounds: u64) {
        // SAFETY: registers only.
        unsafe {
            asm!(
                "vpxor ymm14, ymm14, ymm14",
                "vpxor ymm15, ymm15, ymm15",
                "2:",
                "vfmadd231ps ymm0, ymm14, ymm15",
                "vfmadd231ps ymm1, ymm14, ymm15",
                "vfmadd231ps ymm2, ymm14, ymm15",
                "vfmadd231ps ymm3, ymm14, ymm15",
                "vfmadd231ps ymm4, ymm14, ymm15",
                "vfmadd231ps ymm5, ymm14, ymm15",
                "vfmadd231ps ymm6, ymm14, ymm15",
                "vfmadd231ps ymm7, ymm14, ymm15",
                "vfmadd231ps ymm8, ymm14, ymm15",
                "vfmadd231ps ymm9, ymm14, ymm15",
                "vfmadd231ps ymm10, ymm14, ymm15",
                "vfmadd231ps ymm11, ymm14, ymm15",
                "dec {n}",
                "jnz 2b",
                n = inout(reg) rounds => _,
                out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _, out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _, out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _, out("ymm14") _, out("ymm15") _,
            );
        }
    }
}
