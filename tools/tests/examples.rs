//! The examples, interpreted and compiled, against values from independent references.

use std::path::{Path, PathBuf};
use terrace_native::Cpu;
use terrace_session::{Fallback, Options, entry::Entry};
use terrace_tensor::{
    Dtype, Scalar, Tensor, Value,
    compare::{Tolerance, compare_tensors},
    io::read_npy,
};
use terrace_tools::{example, module, run};

fn example_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name)
}

/// The results of a function for each CPU that runs here, and interpreted; inputs are made anew for each.
fn results(
    file: &str,
    entry: &str,
    inputs: impl Fn() -> Vec<Value>,
) -> Vec<(String, Vec<Value>, Vec<Value>)> {
    let mut found = vec![];
    for how in ["interpret", "x86-64", "x86-64-v3", "x86-64-v4"] {
        let context = module::context();
        let module = module::read(&context, &example_file(file)).expect("the example is well-formed");
        let args = inputs();
        let results = if how == "interpret" {
            let entry = Entry::find(&module, Some(entry)).unwrap();
            run::interpret(&module, entry, &args).expect("the example runs")
        } else {
            let cpu: Cpu = how.parse().unwrap();
            if cpu.runs_here().is_err() {
                continue;
            }
            let options = Options { cpu, fallback: Fallback::Never, ..Options::default() };
            run::compiled(&context, module, entry, &args, options).expect("the example runs")
        };
        found.push((how.to_string(), args, results));
    }
    found
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_tensor().unwrap().to_vec().into_iter().map(Scalar::to_f64).collect()
}

#[test]
fn a_write_through_a_view_is_seen_by_another() {
    for (how, _, results) in results("views.mlir", "column", || vec![Value::Scalar(Scalar::Float(2.5))]) {
        assert_eq!(floats(&results[0]), [0.0, 2.5, 0.0, 0.0, 2.5, 0.0, 0.0, 2.5, 0.0], "{how}");
        assert_eq!(floats(&results[1]), [0.0, 25.0, 0.0, 0.0, 25.0, 0.0], "{how}");
    }
}

#[test]
fn a_write_through_a_transposed_slice_reaches_the_argument() {
    let x = || {
        let elements: Vec<f64> = (1..=12).map(f64::from).collect();
        vec![Value::Tensor(Tensor::from_elements(Dtype::F32, &[3, 4], &elements).unwrap())]
    };
    for (how, args, results) in results("views.mlir", "transposed", x) {
        assert_eq!(
            floats(&args[0]),
            [1.0, 2.0, 3.0, 4.0, 10.0, 6.0, 7.0, 8.0, 18.0, 10.0, 11.0, 12.0],
            "{how}"
        );
        assert_eq!(floats(&results[0]), [10.0, 18.0, 6.0, 10.0, 7.0, 11.0, 8.0, 12.0], "{how}");
        let (result, argument) = (results[0].as_tensor().unwrap(), args[0].as_tensor().unwrap());
        assert!(result.storage().is_same(argument.storage()), "{how}");
        assert_eq!((result.strides(), result.offset()), (&[1, 4][..], 4), "{how}");
    }
}

#[test]
fn the_block_agrees_with_numpy() {
    let expected = read_npy(&example_file("mlp.expected.npy")).unwrap();
    let inputs = || example::mlp_inputs().unwrap().into_iter().map(Value::Tensor).collect();
    for (how, _, results) in results("mlp.mlir", "mlp", inputs) {
        let tolerance = Tolerance { relative: 1e-3, absolute: 1e-6 };
        compare_tensors(&expected, results[0].as_tensor().unwrap(), tolerance)
            .unwrap_or_else(|e| panic!("{how}: {e}"));
    }
}
