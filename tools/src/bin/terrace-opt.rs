//! `terrace-opt`: MLIR's opt driver with all of upstream's dialects and passes, and Terrace's.

fn main() {
    terrace_passes::register_passes();
    terrace_lowering::register_passes();
    terrace_lowering::pipeline::register_pipelines();
    std::process::exit(terrace_dialects::drivers::opt_main("Terrace optimizer driver\n"));
}
