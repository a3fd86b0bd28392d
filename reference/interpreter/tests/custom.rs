//! Custom operators: functions that are registered, or of the module, held to what their schemas say.

use melior::ir::Module;
use terrace_interpreter::Interpreter;
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

type Function = fn(&[Value]) -> Result<Vec<Value>, String>;

/// Calls @f of a text with a vector of 1, 2, 3, with a function under the name `mine::op`.
fn run(text: &str, function: Option<Function>) -> Result<(Tensor, Vec<Value>), String> {
    let context = terrace_dialects::new_context();
    let module = Module::parse(&context, text).expect("the text is a module");
    let mut interpreter = Interpreter::new(&module);
    if let Some(function) = function {
        interpreter.register("mine::op", function);
    }
    let x = Tensor::from_elements(Dtype::F32, &[3], &[1.0, 2.0, 3.0]).unwrap();
    let results = interpreter.call("f", vec![x.clone().into()]).map_err(|error| error.message)?;
    Ok((x, results))
}

fn program(schema: &str, results: &str) -> String {
    let (bind, values) = if results.is_empty() { ("", "") } else { ("%y = ", "%y : ") };
    format!(
        "func.func @f(%x: !graph.tensor<3xf32>) -> ({results}) {{
           {bind}graph.custom @mine::@op(%x) {{schema = \"{schema}\"}} : (!graph.tensor<3xf32>) -> ({results})
           return {values}{results}
         }}"
    )
}

/// Doubles its operand in place.
fn double(args: &[Value]) -> Result<Vec<Value>, String> {
    let x = args[0].as_tensor().ok_or("no tensor")?;
    for offset in x.offsets().collect::<Vec<_>>() {
        x.write(offset, Scalar::Float(2.0 * x.read(offset).to_f64()));
    }
    Ok(vec![args[0].clone()])
}

/// A new tensor of two zeros.
fn zeros(_: &[Value]) -> Result<Vec<Value>, String> {
    Ok(vec![Tensor::zeros(Dtype::F32, &[2]).map_err(|e| e.to_string())?.into()])
}

fn refusal(schema: &str, results: &str, function: Option<Function>) -> String {
    run(&program(schema, results), function).unwrap_err()
}

const VECTOR: &str = "!graph.tensor<3xf32>";

#[test]
fn a_registered_function_writes_what_its_schema_marks() {
    let (x, results) = run(&program("(Tensor(a!) x) -> Tensor(a!)", VECTOR), Some(double)).unwrap();
    assert_eq!(x.to_vec(), [2.0, 4.0, 6.0].map(Scalar::Float));
    assert!(results[0].as_tensor().unwrap().is_same(&x));
}

#[test]
fn a_function_of_the_module_is_a_body() {
    let text = "
      func.func private @body(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
        %y = graph.neg %x : !graph.tensor<3xf32>
        return %y : !graph.tensor<3xf32>
      }
      func.func private @rule(%n: index) -> index { return %n : index }
      func.func @f(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
        %y = graph.custom @body(%x) {schema = \"(Tensor x) -> Tensor\", shape = @rule}
          : (!graph.tensor<3xf32>) -> !graph.tensor<3xf32>
        return %y : !graph.tensor<3xf32>
      }";
    let (_, results) = run(text, None).unwrap();
    assert_eq!(results[0].as_tensor().unwrap().to_vec(), [-1.0, -2.0, -3.0].map(Scalar::Float));
}

#[test]
fn what_a_function_does_beyond_its_schema_is_refused() {
    let message = refusal("(Tensor x) -> Tensor", VECTOR, Some(double));
    assert!(message.contains("writes 'x', which its schema does not mark with !"), "{message}");
    let message = refusal("(Tensor x) -> Tensor", VECTOR, Some(|args| Ok(args.to_vec())));
    assert!(message.contains("result 0 shares the storage of 'x', but not in its schema"), "{message}");
    let message = refusal(
        "(Tensor(a!) x) -> Tensor(a!)",
        VECTOR,
        Some(|args| {
            let x = args[0].as_tensor().ok_or("no tensor")?;
            Ok(vec![x.view(vec![3], vec![1], 0).map_err(|e| e.to_string())?.into()])
        }),
    );
    assert!(message.contains("result 0 is not 'x' itself"), "{message}");
    let message = refusal("(Tensor(a) x) -> Tensor(a)", "!graph.tensor<2xf32>", Some(zeros));
    assert!(message.contains("result 0 does not share the storage 'a'"), "{message}");
    let message = refusal("(Tensor x) -> Tensor", VECTOR, Some(zeros));
    assert!(message.contains("result 0: a f32 tensor of sizes [2] is no !graph.tensor<3xf32>"), "{message}");
}

#[test]
fn results_are_held_to_the_shape_rule() {
    let text = "
      func.func private @rule(%n: index) -> index { return %n : index }
      func.func @f(%x: !graph.tensor<3xf32>) -> !graph.tensor<?xf32> {
        %y = graph.custom @mine::@op(%x) {schema = \"(Tensor x) -> Tensor\", shape = @rule}
          : (!graph.tensor<3xf32>) -> !graph.tensor<?xf32>
        return %y : !graph.tensor<?xf32>
      }";
    let message = run(text, Some(zeros)).unwrap_err();
    assert!(message.contains("computes tensors of sizes [2], its shape rule gives [3]"), "{message}");
}

#[test]
fn a_name_without_a_body_is_said() {
    let message = refusal("(Tensor x) -> ()", "", None);
    assert!(
        message.contains("calls @mine::op, which is neither registered nor a function of the module"),
        "{message}"
    );
}
