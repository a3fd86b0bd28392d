//! The pipelines by their names: `--terrace-to-loop`, `--terrace-x86`, `--terrace-nvptx`.

use super::{Level, Target, gpu, host, levels::verified, pass::Pipeline};
use terrace_dialects::ir::pass::register_pipeline;

/// Names the way down for `terrace-opt` and the plugin; once is enough.
///
/// `terrace-to-functional`, `terrace-to-loop` and `terrace-to-kernel` stop at a level; `terrace-x86` goes on
/// to the LLVM dialect for this machine, `terrace-x86-64`, `terrace-x86-64-v3`, `terrace-x86-64-v4` and
/// `terrace-x86-64-v4-bf16` for a named CPU; `terrace-nvptx` goes on to kernels for a GPU in the LLVM and
/// NVVM dialects.
pub fn register_pipelines() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let text = |last: Level, cpu: &str| {
            let target = Target::new(cpu, false);
            let levels = Level::ALL.iter().take_while(|l| **l != last).chain([&last]);
            levels.map(|l| l.passes(&target)).chain([verified(last)]).collect::<Pipeline>().to_string()
        };
        for level in [Level::Functional, Level::Loop, Level::Kernel] {
            let description = format!("The way down from graph to {level}");
            register_pipeline(&format!("terrace-to-{level}"), &description, &text(level, host()));
        }
        let llvm = "The way down from graph to the LLVM dialect";
        register_pipeline("terrace-x86", &format!("{llvm}, for this machine"), &text(Level::Llvm, host()));
        let nvptx = gpu::from_graph("sm_90", true).then(gpu::to_nvvm(true)).to_string();
        register_pipeline("terrace-nvptx", "The way down from graph to NVVM, for sm_90", &nvptx);
        for cpu in ["x86-64", "x86-64-v3", "x86-64-v4", "x86-64-v4-bf16"] {
            let text = text(Level::Llvm, cpu);
            register_pipeline(&format!("terrace-{cpu}"), &format!("{llvm}, for {cpu}"), &text);
        }
    });
}
