//! Custom operators: functions of a C library in compiled code beside the same functions in the interpreter,
//! on arguments that share storages.

use std::{env, path::PathBuf, process::Command, sync::Once};

use melior::ir::Module;
use terrace_interpreter::Interpreter;
use terrace_native::Cpu;
use terrace_session::{Fallback, Options};
use terrace_tensor::{Dtype, Scalar, Storage, Tensor, Value};
use terrace_tools::{module, run};

/// Loads the library that the tests of terrace-run use, too.
fn library() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
        let file = env::temp_dir().join(format!("terrace-custom-{}.so", std::process::id()));
        let source = root.join("lit-tests/tools/terrace-run/Inputs/custom.c");
        let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&file).arg(source).status();
        assert!(made.expect("there is a C compiler").success());
        terrace_native::load_library(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
    });
}

fn scale(args: &[Value]) -> Result<Vec<Value>, String> {
    let [Value::Tensor(x), Value::Scalar(k), Value::Scalar(on)] = args else {
        return Err("other arguments".into());
    };
    for offset in x.offsets().collect::<Vec<_>>() {
        if on.to_f64() != 0.0 {
            x.write(offset, Scalar::Float(x.read(offset).to_f64() * k.to_f64()));
        }
    }
    Ok(vec![args[0].clone()])
}

fn doubled(args: &[Value]) -> Result<Vec<Value>, String> {
    let x = args[0].as_tensor().ok_or("no tensor")?;
    let elements: Vec<f64> = x.to_vec().into_iter().map(|element| 2.0 * element.to_f64()).collect();
    let new = Tensor::from_elements(Dtype::F32, x.sizes(), &elements).map_err(|e| e.to_string())?;
    Ok(vec![new.into(), Value::Scalar(Scalar::Int(elements.len() as i64))])
}

const SCALE: &str = "graph.custom @mine::@scale_";
const SCHEMA: &str = "{schema = \"(Tensor(a!) x, float k, bool on) -> Tensor(a!)\"}";

/// Runs a program compiled and interpreted, on arguments over one storage of 0 to 11, and compares results
/// and that storage.
fn agree(body: &str, signature: &str, views: &[(&[i64], &[i64], i64)], numbers: &[Scalar]) {
    library();
    let text =
        format!("func.func @f({signature} {{\n{body}\n}}").replace("SCALE", SCALE).replace("SCHEMA", SCHEMA);
    let arguments = || -> (Storage, Vec<Value>) {
        let elements: Vec<f64> = (0..12).map(f64::from).collect();
        let base = Tensor::from_elements(Dtype::F32, &[12], &elements).unwrap();
        let view = |(sizes, strides, offset): &(&[i64], &[i64], i64)| {
            base.view(sizes.to_vec(), strides.to_vec(), *offset).unwrap().into()
        };
        let mut all: Vec<Value> = views.iter().map(view).collect();
        all.extend(numbers.iter().map(|number| Value::Scalar(*number)));
        (base.storage().clone(), all)
    };
    let texts = |values: &[Value]| {
        let text = |value: &Value| match value {
            Value::Tensor(t) => format!("{:?} {:?}", t.sizes(), t.to_vec()),
            Value::Scalar(s) => format!("{s}"),
        };
        values.iter().map(text).collect::<Vec<_>>()
    };
    let context = module::context();
    let program = Module::parse(&context, &text).unwrap_or_else(|| panic!("no program:\n{text}"));
    let (expected_storage, args) = arguments();
    let mut interpreter = Interpreter::new(&program);
    interpreter.register("mine::scale_", scale);
    interpreter.register("mine::doubled", doubled);
    let expected = interpreter.call("f", args).unwrap_or_else(|e| panic!("{}\n{text}", e.message));
    drop(interpreter);
    let (storage, args) = arguments();
    let cpu: Cpu = "x86-64".parse().unwrap();
    let options = Options { cpu, fallback: Fallback::Never, ..Options::default() };
    let results =
        run::compiled(&context, program, "f", &args, options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(texts(&results), texts(&expected), "{text}");
    assert_eq!(storage.to_bytes(), expected_storage.to_bytes(), "{text}");
}

const ONE: &str = "{graph.storage = \"s\", graph.layout = strided<[3, 1], offset: 0>}";
const TWO: &str = "{graph.storage = \"s\", graph.layout = strided<[2], offset: 3>}";

#[test]
fn a_view_is_written_that_another_argument_sees() {
    let signature = format!(
        "%x: !graph.tensor<4x3xf32> {ONE}, %y: !graph.tensor<3xf32> {TWO}, %k: f64, %on: i1) -> !graph.tensor<3xf32>"
    );
    let body = "%row = graph.select %x index [1] : !graph.tensor<4x3xf32>
        %0 = SCALE(%row, %k, %on) SCHEMA : (!graph.tensor<3xf32>, f64, i1) -> !graph.tensor<3xf32>
        %1 = graph.mul_ %y, %k : !graph.tensor<3xf32>, f64
        %2 = graph.neg %0 : !graph.tensor<3xf32>
        return %2 : !graph.tensor<3xf32>";
    let views: [(&[i64], &[i64], i64); 2] = [(&[4, 3], &[3, 1], 0), (&[3], &[2], 3)];
    for on in [true, false] {
        agree(body, &signature, &views, &[Scalar::Float(3.0), Scalar::Bool(on)]);
    }
}

#[test]
fn new_tensors_and_numbers_come_back() {
    let signature = format!("%x: !graph.tensor<4x3xf32> {ONE}) -> (!graph.tensor<f32>, i64)");
    let body = "%t = graph.t %x : !graph.tensor<4x3xf32>
        %0, %n = graph.custom @mine::@doubled(%t) {schema = \"(Tensor x) -> (Tensor, int)\"} : (!graph.tensor<3x4xf32>) -> (!graph.tensor<3x4xf32>, i64)
        %1 = graph.select %0 index [2] : !graph.tensor<3x4xf32>
        %2 = graph.sum %1 : !graph.tensor<4xf32>
        %3 = graph.mul %2, %n : !graph.tensor<f32>, i64
        return %3, %n : !graph.tensor<f32>, i64";
    agree(body, &signature, &[(&[4, 3], &[3, 1], 0)], &[]);
}

#[test]
fn in_a_loop_each_round_sees_what_the_last_one_wrote() {
    let signature = format!("%x: !graph.tensor<4x3xf32> {ONE}, %k: f64, %on: i1)");
    let body = "%c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        scf.for %i = %c0 to %c4 step %c1 {
          %at = arith.index_cast %i : index to i64
          %row = graph.select %x index [%at] : !graph.tensor<4x3xf32>
          %0 = SCALE(%row, %k, %on) SCHEMA : (!graph.tensor<3xf32>, f64, i1) -> !graph.tensor<3xf32>
          %column = graph.select %x index [0] {dim = 1 : i64} : !graph.tensor<4x3xf32>
          %1 = SCALE(%column, %k, %on) SCHEMA : (!graph.tensor<4xf32>, f64, i1) -> !graph.tensor<4xf32>
        }
        return";
    agree(body, &signature, &[(&[4, 3], &[3, 1], 0)], &[Scalar::Float(2.0), Scalar::Bool(true)]);
}
