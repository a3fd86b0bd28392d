//! The page on the architecture shows a program after each level: what it shows is what the passes write.

use melior::ir::Module;
use std::{fmt::Write, fs, path::Path};
use terrace_lowering::pipeline::{Level, Target, lower};
use terrace_tools::module;

const START: &str = "<!-- levels: written by `./x docs` -->\n";
const END: &str = "<!-- end -->";

const PROGRAM: &str = r#"func.func @main(%x: !graph.tensor<4x8xf32> {graph.storage = "x"}, %bias: !graph.tensor<8xf32> {graph.storage = "bias"}) {
  %rows = graph.slice %x start [1] end [3] step [1] {dim = 0 : i64} : !graph.tensor<4x8xf32>
  %sum = graph.add_ %rows, %bias : !graph.tensor<2x8xf32>, !graph.tensor<8xf32>
  return
}
"#;

/// The program after each level but the last, which is long.
fn levels() -> String {
    let context = module::context();
    let mut program = Module::parse(&context, PROGRAM).expect("the program is right");
    let mut text = format!("\n`graph`, as it is written:\n\n```mlir\n{PROGRAM}```\n");
    let target = Target::new("x86-64-v3", false);
    for level in [Level::Functional, Level::Loop, Level::Kernel] {
        lower(&context, &mut program, &target, level).expect("the program comes down");
        let what = match level {
            Level::Functional => "the core is pure; the boundary reads storages, calls it and writes back",
            Level::Loop => "tensors have become buffers",
            Level::Kernel | Level::Llvm => {
                "a row is a tile; the loops around it are the grid, or stand in the kernel"
            }
        };
        let _ = write!(text, "\n`{level}`: {what}.\n\n```mlir\n{}```\n", program.as_operation());
    }
    text + "\n"
}

#[test]
fn the_page_shows_what_the_passes_write() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/architecture.md");
    let text = fs::read_to_string(&page).expect("the page is there");
    let (before, rest) = text.split_once(START).expect("the page has a place for the levels");
    let (shown, after) = rest.split_once(END).expect("the place has an end");
    let levels = levels();
    if std::env::var_os("TERRACE_WRITE_DOCS").is_some() {
        fs::write(&page, format!("{before}{START}{levels}{END}{after}")).expect("the page can be written");
    } else {
        assert!(shown == levels, "docs/architecture.md is not up to date: run ./x docs");
    }
}
