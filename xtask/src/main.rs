//! What a developer does, as commands of `./x`: set up, build, test, check, document.
//!
//! Uses no LLVM, so that it builds before LLVM is there. Each command is a list of stages (`stages.rs`); a
//! stage prints one line with its counts and its time, and its whole output when it fails.

mod bench;
mod commands;
mod goldens;
mod install;
mod operators;
mod passes_in_c;
mod questions;
mod reference;
mod sanitize;
mod schemas;
mod stages;
mod unused;
mod venv;
mod workspace;

use std::process::ExitCode;

const HELP: &str = "\
usage: ./x COMMAND

  setup [--apt-llvm-org]      install what is missing; --apt-llvm-org adds the LLVM project's repository to apt first
  build                       the tools and the mlir-opt plugin; says where they are
  install --prefix DIR [--no-build]
                              the tools, the C interface with its headers, the plugin, and what CMake and pkg-config read, into DIR
  test [--full]               unit tests, lit, doc tests, random programs; --full adds the lit suite through --verify-roundtrip
                              and twice the random programs, and compiles every golden case
  test PATH...                the tests that are named: files and folders of the lit suite, packages, files of tests
  lit [--verify-roundtrip] [PATH...]
                              the lit suite, or the parts of it that are named
  demo [ARGUMENT...]          a program on its way down, stage by stage
  fuzz [ARGUMENT...]          random programs, interpreter against compiled code: --programs N --seed S, or --minutes N;
                              --level pure after each pass that makes them pure, fake against fake tensors,
                              specialize on inputs that alias, hostile with what does not fit, damaged on files that are no
                              good, linalg and affine beside what upstream's passes make of them; see fuzz --help
  bench [REGEX] [OPTION...]   the cases of bench/cases whose names match, and whole models, beside PyTorch, JAX, IREE, NumPy and
                              ONNX Runtime, which are installed for this; --list names them, --record writes bench/results;
                              --random N --seed S draws N other cases; the same as bench peers; see bench --help
  bench passes|fake|functionalize|call [OPTION...]
                              what compiling costs per operation: the passes down to x86, fake tensors, the passes around
                              graph-functionalize
  gpu-bundles DIR [--emulate] [--small] [--run]
                              packs what bench/gpu/run.sh checks and times on a machine with a GPU, without LLVM
  gpu-table [CASE...] [--record] [--check] [--triton]
                              launches, registers, machine instructions, bytes and sectors of the cases on a GPU, known without
                              one; --record writes bench/gpu/costs.md, --check fails where a figure is worse, --triton counts
                              what Triton makes of them, which is installed for this
  sanitize                    damaged files under AddressSanitizer, what threads share under ThreadSanitizer; half an hour the first time
  collections DIR             programs of other MLIR compilers with their inputs, three ways through Terrace and by upstream's passes
  mutants [--sample N]        which small mistakes in rules and interpreter the golden data does not notice
  mutants rules               which rules of legality no test notices where they are taken out
  goldens                     make goldens/data anew: what eager PyTorch, installed for this, computes
  table                       write docs/operators.md and docs/loops.md, the tables of the operators, which a test compares
  models                      test the importer, import the models of the tests anew, and what PyTorch computes with them
  docs [--check]              write what docs/ has from the .td files (dialects, passes, operators.json) and from passes (the
                              program in architecture.md); --check compares what is from .td files
  schemas FILE VERSION        write docs/aten-schemas.txt from native_functions.yaml of that version of PyTorch
  fmt [--check]               cargo fmt
  clippy                      cargo clippy, warnings denied
  lint                        fmt --check, clippy, rustdoc, imports between folders, unused dependencies, questions that
                              print
  ci                          test --full, lint, docs --check";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        [] | ["help" | "-h" | "--help"] => {
            println!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        ["setup"] => commands::setup(),
        ["build"] => commands::build(),
        ["install", "--prefix", prefix] => install::run(prefix, true),
        ["install", "--prefix", prefix, "--no-build"] => install::run(prefix, false),
        ["test"] => commands::test(false),
        ["test", "--full"] => commands::test(true),
        ["test", ref paths @ ..] => commands::test_named(paths),
        ["lit", ref rest @ ..] => commands::lit(rest),
        ["goldens"] => commands::goldens(),
        ["models"] => commands::models(),
        ["table"] => commands::hand_over("terrace-goldens", &["--table"]),
        ["docs"] => commands::docs(false),
        ["docs", "--check"] => commands::docs(true),
        ["schemas", file, version] => commands::schemas(file, version),
        ["fmt"] => commands::cargo_command(&["fmt"]),
        ["fmt", "--check"] => commands::cargo_command(&["fmt", "--check"]),
        ["clippy"] => commands::cargo_command(&commands::CLIPPY),
        ["lint"] => commands::lint(),
        ["sanitize"] => sanitize::run(),
        ["collections", folder, ref rest @ ..] => commands::collections(folder, rest),
        ["gpu-bundles", ref rest @ ..] => commands::gpu_bundles(rest),
        ["gpu-table", ref rest @ ..] => bench::gpu_table(rest),
        ["ci"] => commands::ci(),
        ["bench", what, ref rest @ ..] if bench::COSTS.contains(&what) => bench::costs(what, rest),
        ["bench", "peers", ref rest @ ..] | ["bench", ref rest @ ..] => bench::peers(rest),
        [name @ ("demo" | "fuzz" | "mutants"), ref rest @ ..] => commands::hand_over(name, rest),
        _ => Err(format!("no command `{}`; ./x help lists them", arguments.join(" "))),
    };
    done.unwrap_or_else(|message| {
        eprintln!("x: {message}");
        ExitCode::FAILURE
    })
}
