//! Whole programs: graph, functional, and what upstream has around them.

use melior::ir::Module;
use std::{cell::RefCell, rc::Rc};
use terrace_interpreter::{Error, Interpreter};
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

/// Runs @f of a text.
fn run(text: &str, args: Vec<Value>) -> Result<Vec<Value>, Error> {
    let context = terrace_dialects::new_context();
    let module = Module::parse(&context, text).expect("the text is a module");
    Interpreter::new(&module).call("f", args)
}

/// The one number that @f of a text returns.
fn number(text: &str, args: &[Scalar]) -> Scalar {
    let results = run(text, args.iter().map(|&arg| arg.into()).collect()).unwrap();
    results[0].as_scalar().unwrap()
}

fn floats(sizes: &[i64], elements: &[f64]) -> Tensor {
    Tensor::from_elements(Dtype::F32, sizes, elements).unwrap()
}

fn elements(value: &Value) -> Vec<f64> {
    value.as_tensor().unwrap().to_vec().into_iter().map(Scalar::to_f64).collect()
}

#[test]
fn a_write_through_a_view_is_seen_by_another() {
    let results = run(
        "func.func @f() -> (!graph.tensor<3x3xf32>, !graph.tensor<3xf32>) {
           %x = graph.zeros [3, 3] {dtype = f32}
           %column = graph.select %x index [1] {dim = 1 : i64} : !graph.tensor<3x3xf32>
           %row = graph.select %x index [2] : !graph.tensor<3x3xf32>
           %k = arith.constant 5.0 : f64
           %w = graph.fill_ %column, %k : !graph.tensor<3xf32>, f64
           return %x, %row : !graph.tensor<3x3xf32>, !graph.tensor<3xf32>
         }",
        vec![],
    )
    .unwrap();
    assert_eq!(elements(&results[0]), [0.0, 5.0, 0.0, 0.0, 5.0, 0.0, 0.0, 5.0, 0.0]);
    assert_eq!(elements(&results[1]), [0.0, 5.0, 0.0]);
    let [x, row] = [0, 1].map(|i| results[i].as_tensor().unwrap());
    assert!(x.storage().is_same(row.storage()));
}

#[test]
fn an_in_place_operation_returns_its_operand() {
    let x = floats(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let results = run(
        "func.func @f(%x: !graph.tensor<2x2xf32>) -> !graph.tensor<2x2xf32> {
           %s = graph.slice %x start [1] end [2] step [1] : !graph.tensor<2x2xf32>
           %t = graph.t %s : !graph.tensor<1x2xf32>
           %c = graph.select %t index [0] : !graph.tensor<2x1xf32>
           %k = arith.constant 2 : i64
           %w = graph.mul_ %c, %k : !graph.tensor<1xf32>, i64
           %y = graph.neg_ %x : !graph.tensor<2x2xf32>
           return %y : !graph.tensor<2x2xf32>
         }",
        vec![x.clone().into()],
    )
    .unwrap();
    assert!(results[0].as_tensor().unwrap().is_same(&x));
    assert_eq!(elements(&results[0]), [-1.0, -2.0, -6.0, -4.0]);
}

#[test]
fn the_two_forms_of_a_program_agree() {
    let graph =
        "func.func @f(%s: !graph.tensor<2x3xf32>, %m: !graph.tensor<1x3xf32>) -> !graph.tensor<2x3xf32> {
        %k = arith.constant 0.5 : f64
        %0 = graph.mul_ %s, %k : !graph.tensor<2x3xf32>, f64
        %1 = graph.add %0, %m : !graph.tensor<2x3xf32>, !graph.tensor<1x3xf32>
        %2 = graph.softmax %1 {dim = -1 : i64} : !graph.tensor<2x3xf32>
        return %2 : !graph.tensor<2x3xf32>
      }";
    let functional = "func.func private @core(%s: tensor<2x3xf32>, %m: tensor<1x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
        %h = arith.constant 0.5 : f64
        %k = functional.full %h : f64 to tensor<2x3xf32>
        %0 = functional.mul %s, %k : tensor<2x3xf32>, tensor<2x3xf32>
        %e = functional.expand %m size [2, 3] : tensor<1x3xf32>
        %1 = functional.add %0, %e : tensor<2x3xf32>, tensor<2x3xf32>
        %2 = functional.softmax %1 {dim = -1 : i64} : tensor<2x3xf32>
        return %2, %0 : tensor<2x3xf32>, tensor<2x3xf32>
      }
      func.func @f(%s: !graph.tensor<2x3xf32>, %m: !graph.tensor<1x3xf32>) -> !graph.tensor<2x3xf32> {
        %s0 = graph.value %s : !graph.tensor<2x3xf32>
        %m0 = graph.value %m : !graph.tensor<1x3xf32>
        %r, %s1 = call @core(%s0, %m0) : (tensor<2x3xf32>, tensor<1x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
        graph.write_back %s1 into %s : tensor<2x3xf32>, !graph.tensor<2x3xf32>
        %o = graph.fresh %r : tensor<2x3xf32>
        return %o : !graph.tensor<2x3xf32>
      }";
    let outcome = |text| {
        let s = floats(&[2, 3], &[1.0, 2.0, 3.0, -4.0, 5.0, -6.0]);
        let results = run(text, vec![s.clone().into(), floats(&[1, 3], &[0.0, 0.5, 1.0]).into()]).unwrap();
        (elements(&results[0]), s.to_vec())
    };
    assert_eq!(outcome(graph), outcome(functional));
}

#[test]
fn values_do_not_alias() {
    let x = floats(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let results = run(
        "func.func @f(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
           %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<2x2xf32>
           return %t, %x : tensor<2x2xf32>, tensor<2x2xf32>
         }",
        vec![x.clone().into()],
    )
    .unwrap();
    assert_eq!(elements(&results[0]), [1.0, 3.0, 2.0, 4.0]);
    let [t, y] = [0, 1].map(|i| results[i].as_tensor().unwrap());
    assert!(!t.storage().is_same(x.storage()) && !y.storage().is_same(x.storage()));
}

#[test]
fn numbers_and_control_flow() {
    let collatz = "func.func @f(%n: i64) -> i64 {
        %zero = arith.constant 0 : i64
        %one = arith.constant 1 : i64
        %two = arith.constant 2 : i64
        %three = arith.constant 3 : i64
        %last, %steps = scf.while (%x = %n, %k = %zero) : (i64, i64) -> (i64, i64) {
          %go = arith.cmpi ugt, %x, %one : i64
          scf.condition(%go) %x, %k : i64, i64
        } do {
        ^bb0(%x: i64, %k: i64):
          %rest = arith.remui %x, %two : i64
          %odd = arith.cmpi eq, %rest, %one : i64
          %next = scf.if %odd -> i64 {
            %a = arith.muli %x, %three : i64
            %b = arith.addi %a, %one : i64
            scf.yield %b : i64
          } else {
            %a = arith.divui %x, %two : i64
            scf.yield %a : i64
          }
          %k1 = arith.addi %k, %one : i64
          scf.yield %next, %k1 : i64, i64
        }
        return %steps : i64
      }";
    assert_eq!(number(collatz, &[27.into()]), Scalar::Int(111));
    let fibonacci = "func.func @f(%n: i64) -> i64 {
        %one = arith.constant 1 : i64
        %two = arith.constant 2 : i64
        %small = arith.cmpi slt, %n, %two : i64
        cf.cond_br %small, ^end(%n : i64), ^more
      ^more:
        %a = arith.subi %n, %one : i64
        %b = arith.subi %n, %two : i64
        %x = call @f(%a) : (i64) -> i64
        %y = call @f(%b) : (i64) -> i64
        %sum = arith.addi %x, %y : i64
        cf.br ^end(%sum : i64)
      ^end(%r: i64):
        return %r : i64
      }";
    assert_eq!(number(fibonacci, &[15.into()]), Scalar::Int(610));
    let sum = "func.func @f(%n: index) -> f32 {
        %c0 = arith.constant 0 : index
        %c2 = arith.constant 2 : index
        %init = arith.constant 0.5 : f32
        %r = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %init) -> f32 {
          %j = arith.index_cast %i : index to i32
          %x = arith.sitofp %j : i32 to f32
          %next = arith.addf %acc, %x : f32
          scf.yield %next : f32
        }
        return %r : f32
      }";
    assert_eq!(number(sum, &[7.into()]), Scalar::Float(12.5));
}

#[test]
fn integers_of_all_widths() {
    let of = |body: &str, ty: &str| {
        let text = format!(
            "func.func @f(%a: {ty}, %b: {ty}) -> {ty} {{ %r = {body} %a, %b : {ty} return %r : {ty} }}"
        );
        move |a: i64, b: i64| number(&text, &[a.into(), b.into()])
    };
    assert_eq!(of("arith.addi", "i8")(127, 1), Scalar::Int(-128));
    assert_eq!(of("arith.divui", "i8")(-1, 2), Scalar::Int(127));
    assert_eq!(of("arith.floordivsi", "i32")(-7, 2), Scalar::Int(-4));
    assert_eq!(of("arith.ceildivsi", "i32")(-7, 2), Scalar::Int(-3));
    assert_eq!(of("arith.shrsi", "i16")(-256, 4), Scalar::Int(-16));
    assert_eq!(of("arith.shrui", "i16")(-256, 4), Scalar::Int(4080));
    assert_eq!(of("arith.maxui", "i64")(-1, 1), Scalar::Int(-1));
    let widen = "func.func @f(%a: i1) -> i32 { %r = arith.extsi %a : i1 to i32 return %r : i32 }";
    assert_eq!(number(widen, &[true.into()]), Scalar::Int(-1));
    let bits = "func.func @f(%a: f32) -> i32 { %r = arith.bitcast %a : f32 to i32 return %r : i32 }";
    assert_eq!(number(bits, &[1.0.into()]), Scalar::Int(0x3f80_0000));
}

#[test]
fn tensors_of_upstream() {
    let results = run(
        "func.func @f(%x: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<2xf32>, tensor<6xf32>) {
           %c0 = arith.constant 0 : index
           %n = tensor.dim %x, %c0 : tensor<?x3xf32>
           %y = tensor.generate %n {
           ^bb0(%i: index, %j: index):
             %a = tensor.extract %x[%i, %j] : tensor<?x3xf32>
             %b = math.absf %a : f32
             tensor.yield %b : f32
           } : tensor<?x3xf32>
           %k = arith.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
           %w = tensor.insert_slice %k into %y[0, 1] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<?x3xf32>
           %s = tensor.extract_slice %w[0, 2] [2, 1] [1, 1] : tensor<?x3xf32> to tensor<2xf32>
           %two = arith.constant dense<2.0> : tensor<2xf32>
           %p = arith.mulf %s, %two : tensor<2xf32>
           %z = tensor.cast %w : tensor<?x3xf32> to tensor<2x3xf32>
           %q = tensor.collapse_shape %z [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
           return %w, %p, %q : tensor<?x3xf32>, tensor<2xf32>, tensor<6xf32>
         }",
        vec![floats(&[2, 3], &[-1.0, 2.0, -3.0, 4.0, -5.0, 6.0]).into()],
    )
    .unwrap();
    assert_eq!(elements(&results[0]), [1.0, 10.0, 3.0, 4.0, 20.0, 6.0]);
    assert_eq!(elements(&results[1]), [6.0, 12.0]);
    assert_eq!(results[2].as_tensor().unwrap().sizes(), [6]);
}

#[test]
fn buffers_are_written() {
    let x = floats(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    run(
        "func.func @f(%x: memref<2x2xf32>) {
           %c1 = arith.constant 1 : index
           %row = memref.subview %x[1, 0] [1, 2] [1, 1] : memref<2x2xf32> to memref<2xf32, strided<[1], offset: 2>>
           %v = memref.load %x[%c1, %c1] : memref<2x2xf32>
           %w = arith.negf %v : f32
           %c0 = arith.constant 0 : index
           memref.store %w, %row[%c0] : memref<2xf32, strided<[1], offset: 2>>
           return
         }",
        vec![x.clone().into()],
    )
    .unwrap();
    assert_eq!(x.to_vec(), [1.0, 2.0, -4.0, 4.0].map(Scalar::Float));
}

/// Diagnostics that reach the context, one line each.
fn diagnostics(text: &str, args: Vec<Value>) -> (Error, Vec<String>) {
    let context = terrace_dialects::new_context();
    let seen = Rc::new(RefCell::new(Vec::new()));
    let sink = seen.clone();
    // The handler must be Sync in name only: nothing here runs on another thread.
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        sink.borrow_mut().push(format!("{}: {diagnostic}", diagnostic.location()));
        true
    });
    let module = Module::parse(&context, text).expect("the text is a module");
    let error = Interpreter::new(&module).call("f", args).expect_err("the program refuses");
    context.detach_diagnostic_handler(handler);
    let seen = seen.borrow().clone();
    (error, seen)
}

#[test]
fn refusals_stand_at_their_operation() {
    let text = "func.func @f(%x: !graph.tensor<?xf32>, %i: i64) -> !graph.tensor<f32> {
  %y = graph.select %x index [%i] : !graph.tensor<?xf32>
  return %y : !graph.tensor<f32>
}";
    let (error, seen) = diagnostics(text, vec![floats(&[2], &[0.0, 0.0]).into(), Scalar::Int(5).into()]);
    let message = "'graph.select' op select(): index 5 out of range for tensor of size [2] at dimension 0";
    assert_eq!(error.message, message);
    assert_eq!(seen.len(), 1);
    assert!(seen[0].contains(":2:8") && seen[0].ends_with(message), "{}", seen[0]);
    assert_eq!(error.to_string(), format!("-:2:8: {message}"));
}

/// Verification could not see the size; the operator's rule is asked again, with the words that it always
/// has.
#[test]
fn a_rule_refuses_sizes_when_they_are_known() {
    let program = |size: &str| {
        format!(
            "func.func @f(%x: !graph.tensor<{size}xf32>) -> !graph.tensor<{size}xf32> {{
               %y = graph.layer_norm %x {{normalized_shape = array<i64: 3>}} : !graph.tensor<{size}xf32>
               return %y : !graph.tensor<{size}xf32>
             }}"
        )
    };
    let argument = || vec![floats(&[2, 4], &[0.0; 8]).into()];
    let (late, _) = diagnostics(&program("2x?"), argument());
    assert!(late.message.contains("Given normalized_shape=[3], expected input with shape [*, 3]"), "{late}");
}

#[test]
fn what_cannot_be_called_is_said() {
    let identity =
        "func.func @f(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> { return %x : !graph.tensor<2xf32> }";
    let message = |text: &str, args: Vec<Value>| diagnostics(text, args).0.message;
    assert_eq!(message("func.func @g() { return }", vec![]), "no function is named @f, there is @g");
    assert_eq!(message(identity, vec![]), "'func.func' op takes 1 arguments, got 0");
    assert_eq!(
        message(identity, vec![floats(&[3], &[0.0; 3]).into()]),
        "'func.func' op argument 0: a f32 tensor of sizes [3] is no !graph.tensor<2xf32>"
    );
    assert_eq!(
        message(identity, vec![Scalar::Int(3).into()]),
        "'func.func' op argument 0: the number 3 is no !graph.tensor<2xf32>"
    );
    assert_eq!(
        message("func.func private @f()", vec![]),
        "'func.func' op is declared but not defined, so it cannot be called"
    );
    let unknown = "func.func @f() { %0 = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1> return }";
    assert_eq!(message(unknown, vec![]), "'tosa.const_shape' op is not known to the interpreter");
    let nested = "func.func @f(%c: i1) { scf.if %c { %x = vector.step : vector<4xindex> } return }";
    assert_eq!(message(nested, vec![true.into_value()]), "'vector.step' op is not known to the interpreter");
}

trait IntoValue {
    fn into_value(self) -> Value;
}

impl IntoValue for bool {
    fn into_value(self) -> Value {
        Scalar::Bool(self).into()
    }
}

#[test]
fn what_has_no_end_or_no_meaning_is_refused() {
    let message = |text: &str, args: Vec<Value>| diagnostics(text, args).0.message;
    let endless = "func.func @f(%n: i64) -> i64 { %r = call @f(%n) : (i64) -> i64 return %r : i64 }";
    assert_eq!(message(endless, vec![Scalar::Int(0).into()]), "'func.call' op calls nest more than 200 deep");
    let step =
        "func.func @f(%s: index) { %c = arith.constant 0 : index scf.for %i = %c to %c step %s { } return }";
    assert_eq!(
        message(step, vec![Scalar::Int(0).into()]),
        "'scf.for' op has a step of 0, which must be positive"
    );
    let zero = "func.func @f(%a: i32) -> i32 { %r = arith.divsi %a, %a : i32 return %r : i32 }";
    assert_eq!(message(zero, vec![Scalar::Int(0).into()]), "'arith.divsi' op divides by zero");
}
