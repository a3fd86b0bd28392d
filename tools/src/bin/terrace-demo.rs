//! `terrace-demo`: a program on its way down the four levels, its result beside a reference, and its time.
//!
//! Shows `examples/views.mlir` at every level, for it is short, then compiles and runs `examples/mlp.mlir`
//! and its two matrix products beside the machine's FMA peak.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};
use terrace_lowering::pipeline::Level;
use terrace_session::{Options, Session, Variant, entry::Entry};
use terrace_tensor::{
    Dtype, Scalar, Tensor, Value,
    compare::{Tolerance, compare_tensors},
    io::read_npy,
};
use terrace_tools::{example, module, peak, run, say};

/// Lines of a level that are shown.
const LINES: usize = 48;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

fn main() -> ExitCode {
    match views().and_then(|()| block()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("terrace-demo: {message}");
            ExitCode::FAILURE
        }
    }
}

fn title(text: &str) {
    say!("\n== {text}\n");
}

fn show(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().take(LINES).for_each(|l| say!("{l}"));
    if lines.len() > LINES {
        say!("... {} more lines", lines.len() - LINES);
    }
}

/// A write through two views, level by level, and what the caller sees.
fn views() -> Result<(), String> {
    let file = examples().join("views.mlir");
    let context = module::context();
    let module = module::read(&context, &file)?;
    title("graph: what was written (examples/views.mlir)");
    show(&module.as_operation().to_string());
    let elements: Vec<f64> = (1..=12).map(f64::from).collect();
    let x = || Tensor::from_elements(Dtype::F32, &[3, 4], &elements).map_err(|e| e.to_string());

    let interpreted = Value::Tensor(x()?);
    let entry = Entry::find(&module, Some("transposed"))?;
    run::interpret(&module, entry, std::slice::from_ref(&interpreted))?;

    let compiled = Value::Tensor(x()?);
    let look = |level: Level, module: &melior::ir::Module| {
        title(match level {
            Level::Functional => "functional: what it means; the boundary reads, calls, writes back",
            Level::Loop => "loop: how each element is computed, on buffers",
            Level::Kernel => "kernel: where it runs, as programs on tiles",
            Level::Llvm => "llvm: what the code generator gets",
        });
        show(&module.as_operation().to_string());
    };
    let options = Options { look: Some(Box::new(look)), ..Options::default() };
    run::compiled(&context, module, "transposed", std::slice::from_ref(&compiled), options)
        .map_err(run::message)?;

    title("result of @transposed: the argument after the call");
    let (interpreted, compiled) = (floats(&interpreted), floats(&compiled));
    say!("reference semantics: {interpreted:?}\ncompiled:            {compiled:?}");
    if interpreted == compiled {
        Ok(())
    } else {
        Err("the compiled program differs from the reference".into())
    }
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_tensor().map(|t| t.to_vec().into_iter().map(Scalar::to_f64).collect()).unwrap_or_default()
}

/// The median time of calls over about half a second.
fn median(program: &Variant, args: &[Value]) -> Result<Duration, String> {
    let mut times = vec![];
    let started = Instant::now();
    while times.len() < 9 || (started.elapsed() < Duration::from_millis(500) && times.len() < 2000) {
        times.extend(program.time(args, 1).map_err(run::message)?);
    }
    times.sort();
    Ok(times[times.len() / 2])
}

/// A feed-forward block: checked against numpy, timed beside the machine's peak.
fn block() -> Result<(), String> {
    title(
        "examples/mlp.mlir: linear, gelu, residual in place, layer norm, linear, softmax; 128x256x1024, f32",
    );
    let inputs = example::mlp_inputs().map_err(|e| e.to_string())?;
    let args: Vec<Value> = inputs.iter().cloned().map(Value::Tensor).collect();
    let context = module::context();
    let module = module::read(&context, &examples().join("mlp.mlir"))?;
    let session = Session::new(&context, Options::default());
    let program = session.program(module);
    let results = program.call("mlp", &args).map_err(run::message)?;
    let program = program.variant("mlp", &args).map_err(run::message)?;
    let result = results[0].as_tensor().ok_or("the result is no tensor")?;
    let expected = read_npy(&examples().join("mlp.expected.npy")).map_err(|e| e.to_string())?;
    let tolerance = Tolerance { relative: 1e-3, absolute: 1e-6 };
    compare_tensors(&expected, result, tolerance).map_err(|e| e.to_string())?;
    let largest = floats(&Value::Tensor(expected))
        .iter()
        .zip(floats(&results[0]))
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    say!("agrees with numpy's f64 result: largest difference {largest:.1e}");
    say!("compiled in {:.1} ms, runs in {:.3} ms", ms(program.compile_time()), ms(median(&program, &args)?));

    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let peak = peak::fma_f32(threads);
    if let Some(peak) = peak {
        say!("FMA peak of this machine, {threads} threads: {:.0} GFLOP/s", peak / 1e9);
    }
    for (rows, inner, columns, x, w) in [(128, 256, 1024, 0, 1), (128, 1024, 256, 3, 6)] {
        let text = format!(
            "func.func @linear(%x: !graph.tensor<{rows}x{inner}xf32>, %w: !graph.tensor<{columns}x{inner}xf32>) -> \
             !graph.tensor<{rows}x{columns}xf32> {{\n  %r = graph.linear %x, %w : !graph.tensor<{rows}x{inner}xf32>, \
             !graph.tensor<{columns}x{inner}xf32>\n  return %r : !graph.tensor<{rows}x{columns}xf32>\n}}"
        );
        let module = melior::ir::Module::parse(&context, &text).ok_or("the product does not parse")?;
        let args = [args[x].clone(), args[w].clone()];
        let program = session.program(module).variant("linear", &args).map_err(run::message)?;
        let time = median(&program, &args)?;
        let rate = 2.0 * (rows * inner * columns) as f64 / time.as_secs_f64();
        let share = peak.map_or(String::new(), |p| format!(", {:.0}% of the peak", 100.0 * rate / p));
        say!("linear {rows}x{inner}x{columns}: {:.3} ms, {:.0} GFLOP/s{share}", ms(time), rate / 1e9);
    }
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
