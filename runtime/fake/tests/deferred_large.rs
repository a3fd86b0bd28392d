//! A model that no memory holds: what it is made of is known, and a small part of it made, in little memory.
//!
//! In a process of its own, whose peak is that of this alone.

use melior::{ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use std::fmt::Write;
use terrace_fake::DeferredInit;
use terrace_interpreter::{Interpreter, semantics::random};
use terrace_tensor::{Dtype, Tensor, Value};

const LAYERS: usize = 64;
const WIDTH: usize = 5120;
/// The most memory that the process may ever have had, in bytes.
const MOST: usize = 1 << 30;

/// The initialization of a decoder: a weight and a bias per linear layer, scales of norms, an embedding whose
/// last row is zero, tied to the head.
fn decoder() -> String {
    let ty = |sizes: &[usize]| {
        let sizes: String = sizes.iter().map(|size| format!("{size}x")).collect();
        format!("!graph.tensor<{sizes}f32>")
    };
    let linears = [
        ("q", WIDTH, WIDTH),
        ("k", WIDTH, WIDTH),
        ("v", WIDTH, WIDTH),
        ("o", WIDTH, WIDTH),
        ("up", 4 * WIDTH, WIDTH),
        ("gate", 4 * WIDTH, WIDTH),
        ("down", WIDTH, 4 * WIDTH),
    ];
    let (mut layer, mut names, mut types) = (String::new(), vec![], vec![]);
    for (name, out, own) in linears {
        let (weight, bias) = (ty(&[out, own]), ty(&[out]));
        let bound = 1.0 / (own as f64).sqrt();
        let fill = format!("{{from = -{bound:e} : f64, to = {bound:e} : f64}}");
        writeln!(layer, "  %{name}0 = graph.empty [{out}, {own}] {{dtype = f32}}").unwrap();
        writeln!(layer, "  %{name} = graph.uniform_ %{name}0 {fill} : {weight}").unwrap();
        writeln!(layer, "  %{name}b0 = graph.empty [{out}] {{dtype = f32}}").unwrap();
        writeln!(layer, "  %{name}b = graph.uniform_ %{name}b0 {fill} : {bias}").unwrap();
        // The residual branches are scaled.
        if ["o", "down"].contains(&name) {
            writeln!(layer, "  %{name}s = graph.mul_ %{name}, %scale : {weight}, f64").unwrap();
        }
        names.extend([format!("%{name}"), format!("%{name}b")]);
        types.extend([weight, bias]);
    }
    let norm = ty(&[WIDTH]);
    for name in ["first", "second"] {
        writeln!(layer, "  %{name}0 = graph.ones [{WIDTH}] {{dtype = f32}}").unwrap();
        writeln!(layer, "  %{name}n = graph.randn [{WIDTH}] {{dtype = f32}}").unwrap();
        writeln!(layer, "  %{name} = graph.add_ %{name}0, %{name}n alpha %small : {norm}, {norm}, f64")
            .unwrap();
        names.push(format!("%{name}"));
        types.push(norm.clone());
    }
    let (results, kinds) = (names.join(", "), types.join(", "));
    let count = names.len();
    let table = ty(&[131_072, WIDTH]);
    let row = ty(&[WIDTH]);
    let mut text = format!(
        "func.func private @layer(%scale: f64, %small: f64) -> ({kinds}) {{\n{layer}  return {results} : {kinds}\n}}\n"
    );
    let all: Vec<String> = (0..LAYERS).flat_map(|_| types.clone()).collect();
    let all = format!("{table}, {table}, {}", all.join(", "));
    writeln!(text, "func.func @init() -> ({all}) {{").unwrap();
    writeln!(text, "  %scale = arith.constant 0.125 : f64\n  %small = arith.constant 0.01 : f64").unwrap();
    writeln!(text, "  %e0 = graph.empty [131072, {WIDTH}] {{dtype = f32}}").unwrap();
    writeln!(text, "  %e = graph.normal_ %e0 : {table}").unwrap();
    writeln!(text, "  %pad = graph.select %e index [131071] {{dim = 0 : i64}} : {table}").unwrap();
    writeln!(text, "  %padded = graph.zero_ %pad : {row}").unwrap();
    let mut returned = vec!["%e".to_owned(), "%e".to_owned()];
    for n in 0..LAYERS {
        writeln!(text, "  %l{n}:{count} = func.call @layer(%scale, %small) : (f64, f64) -> ({kinds})")
            .unwrap();
        returned.extend((0..count).map(|k| format!("%l{n}#{k}")));
    }
    writeln!(text, "  return {} : {all}\n}}", returned.join(", ")).unwrap();
    text
}

/// The most memory that this process has had, in bytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[test]
fn a_hundred_gigabytes_are_initialized_under_one() {
    let context = terrace_dialects::new_context();
    terrace_passes::register_passes();
    let mut module = Module::parse(&context, &decoder()).unwrap();
    let manager = PassManager::new(&context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), "builtin.module(graph-deferred-init)").unwrap();
    manager.run(&mut module).unwrap();

    random::manual_seed(3);
    let mut init = DeferredInit::new(&module, Interpreter::new(&module), "init", vec![]).unwrap();
    let tensors: Vec<Tensor> = init.results().iter().filter_map(|value| value.as_tensor().cloned()).collect();
    let bytes: usize = tensors[1..].iter().map(|tensor| tensor.storage().len()).sum();
    assert!(bytes > 100_000_000_000, "{bytes}");
    assert_eq!(tensors.len(), 2 + 16 * LAYERS);
    assert!(tensors.iter().all(|tensor| tensor.storage().is_fake()));
    assert!(tensors[0].storage().is_same(tensors[1].storage()));

    // The scale of a norm of layer 40: what eager would have drawn for it, though 70 GB are left out before.
    let draws = 1 + 40 * 16 + 14;
    let scale = init.materialize(2 + 40 * 16 + 14).unwrap();
    let draws = random::Draws::of((3, draws));
    let noise =
        random::normal_(draws, &Tensor::zeros(Dtype::F32, &[WIDTH as i64]).unwrap(), 0.0, 1.0).unwrap();
    for (own, noise) in scale.to_vec().iter().zip(noise.to_vec()).take(100) {
        assert!((own.to_f64() - 1.0 - 0.01 * noise.to_f64()).abs() < 1e-6);
    }
    let bias: Value = init.materialize(2 + 63 * 16 + 1).unwrap().into();
    assert!(bias.as_tensor().unwrap().to_vec().iter().all(|own| own.to_f64().abs() < 1.0 / 71.0));
    let peak = peak();
    assert!(peak < MOST, "{peak} bytes");
    println!("{bytes} bytes of parameters, {peak} bytes of memory at most");
}
