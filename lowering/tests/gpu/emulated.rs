//! Programs on an emulator of a GPU, compared with the interpreter.

use crate::common::context;
use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use terrace_dialects::ir::OperationLike;
use terrace_emulator::Order;
use terrace_interpreter::Interpreter;
use terrace_lowering::pipeline::{Target, gpu};
use terrace_native::{Code, Cpu, GpuCode, OptLevel, Ptxas, export, gpu_program, kernels};
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

/// A tensor of numbers that are exact in f32 and differ from their neighbours.
pub fn tensor(dtype: Dtype, sizes: &[i64]) -> Value {
    let count: i64 = sizes.iter().product();
    let numbers: Vec<f64> = (0..count).map(|i| ((i * 37 + 11) % 101) as f64 - 50.0).collect();
    Tensor::from_elements(dtype, sizes, &numbers).unwrap().into()
}

pub fn floats(sizes: &[i64]) -> Value {
    tensor(Dtype::F32, sizes)
}

/// The same values in memory of their own.
pub fn copies(values: &[Value]) -> Vec<Value> {
    let copy = |value: &Value| match value {
        Value::Tensor(t) => {
            let elements = t.to_vec();
            Value::from(Tensor::from_elements(t.dtype(), t.sizes(), &elements).unwrap())
        }
        other => other.clone(),
    };
    values.iter().map(copy).collect()
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_tensor().map_or(vec![], |tensor| tensor.to_vec().into_iter().map(Scalar::to_f64).collect())
}

fn compare(what: &str, expected: &[Value], actual: &[Value]) {
    assert_eq!(expected.len(), actual.len(), "{what}");
    for (n, (expected, actual)) in expected.iter().zip(actual).enumerate() {
        let (expected, actual) = (numbers(expected), numbers(actual));
        assert_eq!(expected.len(), actual.len(), "value {n} of {what}");
        for (i, (e, a)) in expected.iter().zip(&actual).enumerate() {
            let near = (e - a).abs() <= 1e-5 + 2e-5 * e.abs() || e == a || (e.is_nan() && a.is_nan());
            assert!(near, "element {i} of value {n} of {what}: expected {e}, got {a}");
        }
    }
}

pub fn run<'c>(context: &'c Context, module: &mut Module<'c>, passes: &str) {
    let manager = PassManager::new(context);
    let text = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text).unwrap_or_else(|e| panic!("{text}: {e}"));
    manager.run(module).unwrap_or_else(|_| panic!("{passes} refuses {}", module.as_operation()));
}

/// Runs `@main` by the interpreter and, brought down by `passes`, on the emulator, in both orders of threads.
pub fn check(source: &str, passes: &str, arguments: &[Value]) {
    let context = context();
    let mut module = Module::parse(&context, source).unwrap_or_else(|| panic!("no program:\n{source}"));
    assert!(module.as_operation().verify());
    let mut expected = copies(arguments);
    let results = Interpreter::new(&module).call("main", expected.clone()).unwrap();
    expected.extend(results);
    run(&context, &mut module, &format!("{passes},{}", gpu::to_nvvm(true)));
    let program = Program::new(&context, &mut module);
    if let Ok(ptxas) = Ptxas::find() {
        ptxas.assemble(&program.code.ptx().unwrap(), "sm_90").unwrap_or_else(|e| panic!("{e}:\n{source}"));
    }
    for order in [Order::Forward, Order::Backward] {
        let actual = program.run(arguments, order).unwrap_or_else(|e| panic!("{e}:\n{source}"));
        compare(&format!("{passes}, {order:?}, of\n{source}"), &expected, &actual);
    }
}

/// A program whose kernels are in a `gpu.module` in the NVVM dialect.
pub struct Program {
    code: GpuCode,
    host: Code,
}

impl Program {
    pub fn new<'c>(context: &'c Context, module: &mut Module<'c>) -> Self {
        let own = kernels(module).pop().unwrap().1;
        let code = GpuCode::nvptx(&own, "sm_90", OptLevel::Fast).unwrap();
        let signatures = export(module).unwrap();
        run(context, module, &gpu::host(&Target::new("x86-64", true)).to_string());
        let cpu = "x86-64".parse::<Cpu>().unwrap();
        Self { code, host: Code::x86(module, signatures, &cpu, OptLevel::None).unwrap() }
    }

    /// What becomes of the arguments of `@main`, and its results.
    pub fn run(&self, arguments: &[Value], order: Order) -> Result<Vec<Value>, String> {
        let device = terrace_emulator::gpu(&self.code.llvm_ir(), order).map_err(|e| e.to_string())?;
        let program = gpu_program(&self.host, self.code.kernels().to_vec(), std::rc::Rc::new(device));
        let mut values = copies(arguments);
        let results = program
            .unwrap()
            .run(&mut terrace_native::Context::new(), "main", &values, &[])
            .map_err(|e| e.to_string())?;
        values.extend(results);
        Ok(values)
    }
}

/// Checks a program of kernels, laid out over several numbers of threads.
pub fn check_kernel(source: &str, arguments: &[Value]) {
    for options in ["", "{threads=32}", "{threads=64 vector=8}", "{threads=128 vector=4}", "{threads=512}"] {
        let passes = format!(
            "kernel-assign-layouts{options},canonicalize,cse,convert-kernel-to-nvptx,canonicalize,cse"
        );
        check(source, &passes, arguments);
    }
}

/// Checks a program from the top, of any level above kernels.
pub fn check_graph(source: &str, arguments: &[Value]) {
    check(source, &gpu::from_graph("sm_90", false).to_string(), arguments);
}
