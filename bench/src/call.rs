//! `call`: what a call costs beside the work, on tensors of 64 elements.
//!
//! The program adds its arguments up. It is called through the session, as a user calls it, and directly: the
//! packed form of the entry point, with descriptors that are written before the clock starts, and the result
//! freed. What the session adds to that is the third column. The peers add the same tensors one by one.

use melior::ir::Module;
use std::{ffi::c_void, fmt::Write, path::Path, process::Command, ptr, time::Instant};
use terrace_native::{Context, Cpu, Loaded, OptLevel};
use terrace_session::{Fallback, Options, Session, context};
use terrace_tensor::{Dtype, Tensor, Value};

/// The numbers of arguments, and what the session may add to a direct call of each, in microseconds.
const COUNTS: [(usize, f64); 3] = [(2, 0.5), (10, 1.0), (100, 10.0)];
/// Elements of a tensor.
const SIZE: usize = 64;
/// Calls of a round.
const CALLS: usize = 2000;

/// Prints a line per number of arguments.
///
/// # Errors
/// A program that is refused; a Python that fails.
pub fn run(runs: usize, peer: Option<&Path>) -> Result<(), String> {
    println!(
        "{:>9} {:>12} {:>12} {:>12} {:>12}",
        "arguments", "session, us", "direct, us", "added, us", "at most, us"
    );
    for (count, most) in COUNTS {
        let (session, direct) = (through_the_session(count, runs)?, directly(count, runs)?);
        println!("{count:>9} {session:>12.2} {direct:>12.2} {:>12.2} {most:>12.2}", session - direct);
    }
    peer.map_or(Ok(()), |python| measure_peers(python, runs))
}

/// The sum of so many tensors.
fn program(count: usize) -> String {
    let ty = format!("!graph.tensor<{SIZE}xf32>");
    let arguments: Vec<String> = (0..count).map(|i| format!("%a{i}: {ty}")).collect();
    let mut text = format!(
        "func.func @main({}) -> {ty} {{\n  %s0 = graph.add %a0, %a1 : {ty}, {ty}\n",
        arguments.join(", ")
    );
    for i in 2..count {
        _ = writeln!(text, "  %s{} = graph.add %s{}, %a{i} : {ty}, {ty}", i - 1, i - 2);
    }
    text + &format!("  return %s{} : {ty}\n}}\n", count - 2)
}

/// The microseconds of a call: the least of the rounds.
fn least(runs: usize, mut call: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let mut least = f64::MAX;
    for _ in 0..runs {
        let start = Instant::now();
        for _ in 0..CALLS {
            call()?;
        }
        least = least.min(start.elapsed().as_secs_f64() * 1e6 / CALLS as f64);
    }
    Ok(least)
}

fn through_the_session(count: usize, runs: usize) -> Result<f64, String> {
    let context = context();
    let module = Module::parse(&context, &program(count)).ok_or("a program of the benchmark is refused")?;
    let session = Session::new(&context, Options { fallback: Fallback::Never, ..Options::default() });
    let program = session.program(module);
    let tensor = |_| Tensor::from_elements(Dtype::F32, &[SIZE as i64], &[1.0; SIZE]).map(Value::from);
    let arguments: Vec<Value> =
        (0..count).map(tensor).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    let results = program.call("main", &arguments).map_err(|e| e.to_string())?;
    let sum = results[0].as_tensor().map(|sum| sum.to_vec()[0].to_f64());
    if sum != Some(count as f64) {
        return Err(format!("the sum of {count} is {sum:?}"));
    }
    least(runs, || program.call("main", &arguments).map(drop).map_err(|e| e.to_string()))
}

fn directly(count: usize, runs: usize) -> Result<f64, String> {
    let context = context();
    let module = Module::parse(&context, &program(count)).ok_or("a program of the benchmark is refused")?;
    let code = terrace_tools::compile::x86(&context, module, &Cpu::host(), OptLevel::Fast, false)?;
    let loaded = Loaded::load(&code).map_err(|e| e.to_string())?;
    let packed = loaded.packed("main").ok_or("there is no entry point")?;
    let mut data = vec![[1f32; SIZE]; count];
    // A descriptor: two addresses, offset, size, stride.
    let descriptor =
        |data: &mut [f32; SIZE]| [data.as_mut_ptr() as u64, data.as_mut_ptr() as u64, 0, SIZE as u64, 1];
    let mut descriptors: Vec<[u64; 5]> = data.iter_mut().map(descriptor).collect();
    let mut result = [0u64; 5];
    let mut addresses: Vec<*mut c_void> = vec![ptr::from_mut(&mut result).cast()];
    addresses.extend(descriptors.iter_mut().map(|own| ptr::from_mut(own).cast::<c_void>()));
    let own = Context::new();
    least(runs, || {
        // SAFETY: the addresses are those of this entry point, and nobody else has the result.
        let status = unsafe {
            let status = packed(&own, addresses.as_mut_ptr());
            terrace_rt::memory::terrace_rt_free(None, (*addresses[0].cast::<[u64; 5]>())[0] as *mut u8);
            status
        };
        if status == 0 { Ok(()) } else { Err(format!("status {status}")) }
    })
}

fn measure_peers(python: &Path, runs: usize) -> Result<(), String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/call.py");
    let counts = COUNTS.iter().map(|(count, _)| count.to_string());
    let output = Command::new(python).arg(script).arg(runs.to_string()).args(counts).output();
    let output = output.map_err(|error| format!("{}: {error}", python.display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    println!("{:>9} {:>12} {:>12}", "arguments", "eager, us", "NumPy, us");
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let [count, eager, numpy] = line.split('\t').collect::<Vec<_>>()[..] {
            println!("{count:>9} {eager:>12} {numpy:>12}");
        }
    }
    Ok(())
}
