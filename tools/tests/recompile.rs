//! What types say too little of: an error where nobody compiles it while the program runs, else the interpreter's values.

use terrace_interpreter::Interpreter;
use terrace_session::{Cpu, OptLevel, Session};
use terrace_tensor::{DType, Tensor, Value};
use terrace_tools::{compile, module, run};

/// Whether the storage grows is asked of sizes that are known when it runs.
const PROGRAM: &str = "func.func @f(%x: !graph.tensor<?x?xf32>) -> !graph.tensor<2x3xf32> {
  %0 = graph.resize_ %x size [2, 3] : !graph.tensor<?x?xf32>
  %1 = graph.add_ %0, %0 : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return %1 : !graph.tensor<2x3xf32>
}";

fn argument(sizes: &[i64]) -> Vec<Value> {
    let elements: Vec<f64> = (0..sizes.iter().product()).map(|i| i as f64).collect();
    vec![Tensor::from_elements(DType::F32, sizes, &elements).unwrap().into()]
}

#[test]
fn who_calls_compiles_for_the_sizes_that_there_are() {
    let (context, said) = module::listening();
    let parse =
        || melior::ir::Module::parse(&context, PROGRAM).unwrap_or_else(|| panic!("{:?}", said.borrow()));
    let code = compile::x86(&context, parse(), &Cpu::host(), OptLevel::Fast).unwrap();
    let alone = Session::load(&code).unwrap();
    let (compiled, ..) = run::compile(&context, parse(), "f", &Cpu::host(), |_, _| {}).unwrap();
    let module = parse();
    // For one more than once.
    for sizes in [[2, 4], [3, 2], [2, 4], [1, 7]] {
        let expected = Interpreter::new(&module).call("f", argument(&sizes)).unwrap();
        let found = compiled.call(&argument(&sizes)).unwrap();
        let tensors = [&expected, &found].map(|values| values[0].as_tensor().unwrap().to_vec());
        assert_eq!(tensors[0], tensors[1], "{sizes:?}");
        let error = alone.run("f", &argument(&sizes)).unwrap_err().to_string();
        assert!(error.contains("graph.resize_ is compiled for the usual sizes"), "{error}");
    }
}
