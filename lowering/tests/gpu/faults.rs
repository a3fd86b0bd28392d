//! Mistakes in kernels that the emulator has to notice: a barrier that is missing, a mask that is wrong.

use super::emulated::{Program, copies, floats, numbers, run};
use crate::common::context;
use melior::{Context, ir::Module};
use terrace_emulator::Order;
use terrace_interpreter::Interpreter;
use terrace_lowering::pipeline::gpu;
use terrace_tensor::Value;

/// What a program comes to on the emulator in either order, or what it says.
fn outcomes(context: &Context, text: &str, arguments: &[Value]) -> Vec<Result<Vec<Value>, String>> {
    let mut module = Module::parse(context, text).unwrap();
    run(context, &mut module, &gpu::to_nvvm(true).to_string());
    let program = Program::new(context, &mut module);
    [Order::Forward, Order::Backward].map(|order| program.run(arguments, order)).into()
}

fn differ(expected: &[Value], outcome: &Result<Vec<Value>, String>) -> bool {
    let Ok(actual) = outcome else { return true };
    let near = |(e, a): (f64, f64)| (e - a).abs() <= 1e-3 + 1e-3 * e.abs();
    expected.iter().zip(actual).any(|(e, a)| !numbers(e).into_iter().zip(numbers(a)).all(near))
}

/// Each barrier is needed, and missed where it is taken out, in whichever order threads run.
#[test]
fn a_dropped_barrier_is_caught() {
    let source = "func.func @main(%a: !graph.tensor<70x40xf32>, %b: !graph.tensor<40x66xf32>, %x: !graph.tensor<3x3000xf32>)
        -> (!graph.tensor<70x66xf32>, !graph.tensor<3x3000xf32>) {
      %0 = graph.mm %a, %b : !graph.tensor<70x40xf32>, !graph.tensor<40x66xf32>
      %1 = graph.softmax %x {dim = -1 : i64} : !graph.tensor<3x3000xf32>
      return %0, %1 : !graph.tensor<70x66xf32>, !graph.tensor<3x3000xf32>
    }";
    let context = context();
    let arguments = [floats(&[70, 40]), floats(&[40, 66]), floats(&[3, 3000])];
    let mut module = Module::parse(&context, source).unwrap();
    let mut expected = copies(&arguments);
    expected.extend(Interpreter::new(&module).call("main", expected.clone()).unwrap());
    run(&context, &mut module, &gpu::from_graph("sm_90", false).to_string());
    let text = module.as_operation().to_string();
    for outcome in outcomes(&context, &text, &arguments) {
        assert!(!differ(&expected, &outcome), "{outcome:?}");
    }
    let lines: Vec<&str> = text.lines().collect();
    let barriers: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].contains("gpu.barrier")).collect();
    assert!(barriers.len() >= 10);
    for barrier in barriers {
        let without: Vec<&str> = (0..lines.len()).filter(|i| *i != barrier).map(|i| lines[i]).collect();
        for outcome in outcomes(&context, &without.join("\n"), &arguments) {
            let error =
                outcome.expect_err(&format!("nobody misses the barrier after {}", lines[barrier - 1]));
            assert!(error.contains("a barrier is missing"), "{error}");
        }
    }
}

/// A mask with an element too many writes outside of a buffer, or what it should not; one with too few leaves
/// something out.
#[test]
fn a_wrong_mask_is_caught() {
    let program = |rest: i64| {
        format!(
            "kernel.func @k(%x: memref<100xf32>, %y: memref<100xf32>) grid() {{
               %c0 = arith.constant 0 : index
               %zero = arith.constant 0.0 : f32
               %all = arith.constant 100 : index
               %rest = arith.constant {rest} : index
               %a = kernel.load %x[%c0 : 128] valid(%all) else %zero : memref<100xf32>, f32
               %one = arith.constant dense<1.0> : tensor<128xf32>
               %b = arith.addf %a, %one : tensor<128xf32>
               kernel.store %b, %y[%c0 : 128] valid(%rest) : tensor<128xf32>, memref<100xf32>
               kernel.return
             }}
             func.func @main(%x: memref<100xf32>, %y: memref<100xf32>) {{
               kernel.launch @k grid [] (%x, %y) : memref<100xf32>, memref<100xf32>
               return
             }}"
        )
    };
    let context = context();
    let arguments = [floats(&[100]), floats(&[100])];
    let expected = copies(&arguments);
    let right = Module::parse(&context, &program(100)).unwrap();
    Interpreter::new(&right).call("main", expected.clone()).unwrap();
    let emulate = |rest: i64| {
        let mut module = Module::parse(&context, &program(rest)).unwrap();
        run(&context, &mut module, "kernel-assign-layouts,canonicalize,cse,convert-kernel-to-nvptx");
        outcomes(&context, &module.as_operation().to_string(), &arguments)
    };
    assert!(emulate(100).iter().all(|outcome| !differ(&expected, outcome)));
    assert!(emulate(99).iter().all(|outcome| differ(&expected, outcome)));
    for outcome in emulate(101) {
        let error = outcome.unwrap_err();
        assert!(error.contains("kernel k writes outside of its buffers"), "{error}");
    }
}

/// A thread that accesses 16 bytes where 8 divide the address faults on a GPU, whatever a CPU makes of it.
#[test]
fn an_access_that_is_not_aligned_is_caught() {
    let source = "func.func @main(%x: !graph.tensor<514xf32>) -> !graph.tensor<512xf32> {
        %0 = graph.slice %x start [2] end [514] step [1] {dim = 0 : i64} : !graph.tensor<514xf32>
        %1 = graph.relu %0 : !graph.tensor<512xf32>
        return %1 : !graph.tensor<512xf32>
      }";
    let context = context();
    let arguments = [floats(&[514])];
    let mut module = Module::parse(&context, source).unwrap();
    run(&context, &mut module, &gpu::from_graph("sm_90", false).to_string());
    let text = module.as_operation().to_string();
    for outcome in outcomes(&context, &text, &arguments) {
        assert!(outcome.is_ok(), "{outcome:?}");
    }
    let bolder = text.replace("alignment = 8", "alignment = 16");
    assert_ne!(text, bolder);
    for outcome in outcomes(&context, &bolder, &arguments) {
        let error = outcome.expect_err("nobody minds the alignment");
        assert!(error.contains("reads 16 bytes at") && error.contains("which 16 does not divide"), "{error}");
    }
}
