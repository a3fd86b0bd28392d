//! `terrace-reduce`: MLIR's reducer of failing programs, with all of upstream's dialects and passes, and
//! Terrace's.

fn main() {
    terrace_passes::register_passes();
    terrace_lowering::register_passes();
    terrace_lowering::pipeline::register_pipelines();
    std::process::exit(terrace_dialects::drivers::reduce_main());
}
