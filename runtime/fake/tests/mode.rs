//! Fake tensors at run time: memo and aliases, calls, real tensors among fake ones, functions, and the way
//! out.

use melior::{
    Context,
    ir::{
        Module,
        attribute::{DenseI64ArrayAttribute, IntegerAttribute},
        r#type::IntegerType,
    },
};
use terrace_fake::{FakeMode, OnReal, Operand, Options, Sizes};
use terrace_tensor::{Dtype, Flags, Scalar, Tensor};

fn tensor(sizes: &[i64]) -> Tensor {
    let elements: Vec<f64> = (0..sizes.iter().product::<i64>()).map(|k| k as f64).collect();
    Tensor::from_elements(Dtype::F32, sizes, &elements).unwrap()
}

fn quiet() -> Context {
    let context = terrace_dialects::new_context();
    context.attach_diagnostic_handler(|_| true);
    context
}

fn integer(context: &Context, value: i64) -> melior::ir::Attribute<'_> {
    IntegerAttribute::new(IntegerType::new(context, 64).into(), value).into()
}

#[test]
fn a_tensor_is_one_fake_tensor_and_views_alias() {
    let context = terrace_dialects::new_context();
    let mut mode = FakeMode::new(&context, Options::default());
    let base = tensor(&[4, 6]);
    let row = base.view(vec![6], vec![1], 6).unwrap();
    let (a, b) = (mode.fake(&base), mode.fake(&row));
    assert_eq!(a, mode.fake(&base.clone()));
    assert!(a != b && mode.is_alias(a, b));
    assert_eq!(mode.describe(b), "f32[6] strides [1] offset 6");
    let other = mode.fake(&tensor(&[4, 6]));
    assert!(!mode.is_alias(a, other));
}

#[test]
fn flags_of_real_tensors_are_kept() {
    let context = terrace_dialects::new_context();
    let mut mode = FakeMode::new(&context, Options::default());
    let real = Tensor::zeros(Dtype::C64, &[2]).unwrap().with_flags(Flags { conj: true, neg: false });
    let x = mode.fake(&real);
    assert_eq!(mode.describe(x), "c64[2] strides [1] conj");
}

#[test]
fn an_object_that_changes_stays_the_same() {
    let context = terrace_dialects::new_context();
    let mut mode = FakeMode::new(&context, Options::default());
    let x = mode.fake(&tensor(&[2, 3]));
    let t = mode.call("graph.t_", &[x.into()], &[]).unwrap().tensor(0).unwrap();
    assert!(x == t);
    assert_eq!(mode.describe(x), "f32[3, 2] strides [1, 3]");
    // The next operator sees what it is now.
    let y = mode.call("graph.neg", &[x.into()], &[]).unwrap().tensor(0).unwrap();
    assert_eq!(mode.compute(&[y]).unwrap()[0].sizes(), [3, 2]);
}

#[test]
fn what_an_operator_refuses_stands_at_the_line_of_the_call() {
    let context = quiet();
    let mut mode = FakeMode::new(&context, Options::default());
    let (x, y) = (mode.fake(&tensor(&[2, 3])), mode.fake(&tensor(&[4])));
    let line = line!() + 1;
    let error = mode.call("graph.add", &[x.into(), y.into(), Operand::None], &[]).unwrap_err();
    assert!(error.location.contains(&format!("mode.rs:{line}:")), "{error}");
    assert!(
        error.message.contains("The size of tensor a (3) must match the size of tensor b (4)"),
        "{error}"
    );
    // The record is as it was.
    assert_eq!(mode.compute(&[x]).unwrap()[0].sizes(), [2, 3]);
    let error = mode.call("graph.nonsense", &[x.into()], &[]).unwrap_err();
    assert!(error.message.contains("there is no operator graph.nonsense"), "{error}");
    let error = mode.call("graph.neg", &[], &[]).unwrap_err();
    assert!(error.message.contains("has 1 operands in its definition, got 0"), "{error}");
    let error = mode.call("graph.neg", &[Operand::None], &[]).unwrap_err();
    assert!(error.message.contains("operand 0 is one value, got 0"), "{error}");
}

#[test]
fn real_tensors_are_refused_or_converted_as_the_mode_says() {
    let context = quiet();
    let real = tensor(&[3]);
    let mut mode = FakeMode::new(&context, Options::default());
    let x = mode.fake(&tensor(&[3]));
    let error = mode.call("graph.add", &[x.into(), (&real).into(), Operand::None], &[]).unwrap_err();
    assert!(error.message.contains("operand 1 is a real tensor among fake ones"), "{error}");
    assert!(error.location.contains("mode.rs"), "{error}");
    let options = Options { on_real: OnReal::Convert, ..Options::default() };
    let mut mode = FakeMode::new(&context, options);
    let y = mode.call("graph.add", &[(&real).into(), (&real).into(), Operand::None], &[]).unwrap();
    assert_eq!(
        mode.compute(&[y.tensor(0).unwrap()]).unwrap()[0].to_vec(),
        [0.0, 2.0, 4.0].map(Scalar::Float)
    );
}

#[test]
fn sizes_are_symbols_with_guards() {
    let context = terrace_dialects::new_context();
    let options = Options { sizes: Sizes::Symbols, ..Options::default() };
    let mut mode = FakeMode::new(&context, options);
    let (x, y) = (mode.fake(&tensor(&[4, 1])), mode.fake(&tensor(&[4, 6])));
    let z = mode.call("graph.add", &[x.into(), y.into(), Operand::None], &[]).unwrap().tensor(0).unwrap();
    assert_eq!(mode.describe(z), "f32[s0, s2] strides [max(s2, 1), 1]");
    let known = mode.get(z).known.clone();
    assert_eq!(mode.hint(known.layout.sizes[1]), Some(6));
    let guards = mode.guards();
    assert!(guards.iter().any(|guard| guard.text == "s0 == s1"), "{guards:?}");
    assert!(guards.iter().all(|guard| guard.location.contains("mode.rs")), "{guards:?}");
}

#[test]
fn lists_and_attributes() {
    let context = quiet();
    let mut mode = FakeMode::new(&context, Options::default());
    let x = mode.fake(&tensor(&[2, 3]));
    let list = Operand::List(vec![x.into(), x.into()]);
    let cat = mode.call("graph.cat", &[list], &[("dim", integer(&context, 1))]).unwrap().tensor(0).unwrap();
    assert_eq!(mode.describe(cat), "f32[2, 6] strides [6, 1]");
    let dims = DenseI64ArrayAttribute::new(&context, &[1, 0]).into();
    let p = mode.call("graph.permute", &[cat.into()], &[("dims", dims)]).unwrap().tensor(0).unwrap();
    assert_eq!(mode.describe(p), "f32[6, 2] strides [1, 6]");
    let dim = ("dim", integer(&context, 1));
    let pieces =
        mode.call("graph.split", &[cat.into()], &[("split_size", integer(&context, 2)), dim]).unwrap();
    assert!(pieces.count() == 3 && pieces.tensor(3).is_err());
    let list = DenseI64ArrayAttribute::new(&context, &[2]).into();
    let error = mode.call("graph.split", &[cat.into()], &[("split_size", list), dim]).unwrap_err();
    assert!(error.message.contains("has no attribute 'split_size' of the kind of array<i64: 2>"), "{error}");
}

#[test]
fn computing_writes_no_real_tensor() {
    let context = terrace_dialects::new_context();
    let mut mode = FakeMode::new(&context, Options::default());
    let real = tensor(&[2, 2]);
    let x = mode.fake(&real);
    let row = mode.fake(&real.view(vec![2], vec![1], 2).unwrap());
    mode.call("graph.neg_", &[row.into()], &[]).unwrap();
    let computed = mode.compute(&[x, row]).unwrap();
    assert_eq!(computed[0].to_vec(), [0.0, 1.0, -2.0, -3.0].map(Scalar::Float));
    assert!(computed[0].storage().is_same(computed[1].storage()));
    assert_eq!(real.to_vec(), [0.0, 1.0, 2.0, 3.0].map(Scalar::Float));
    // And again.
    assert_eq!(mode.compute(&[x]).unwrap()[0].to_vec(), computed[0].to_vec());
}

#[test]
fn guards_of_a_refused_call_have_its_place() {
    let context = quiet();
    let options = Options { sizes: Sizes::Symbols, ..Options::default() };
    let mut mode = FakeMode::new(&context, options);
    let (x, y) = (mode.fake(&tensor(&[2, 3])), mode.fake(&tensor(&[2, 4])));
    mode.call("graph.add", &[x.into(), y.into(), Operand::None], &[]).unwrap_err();
    assert!(mode.guards().iter().all(|guard| guard.location.contains("mode.rs")));
    assert_eq!(mode.compute(&[x]).unwrap()[0].sizes(), [2, 3]);
}

/// What a function that was followed does to its arguments is known, and not computed.
#[test]
fn arguments_that_a_function_changes_are_what_they_are_then() {
    let context = quiet();
    let text = "
      func.func @turn(%x: !graph.tensor<2x3xf32>) {
        %0 = graph.t_ %x : !graph.tensor<2x3xf32>
        return
      }
      func.func @negate(%x: !graph.tensor<2x3xf32>) {
        %0 = graph.neg_ %x : !graph.tensor<2x3xf32>
        return
      }
      func.func @half(%k: f64) -> f64 {
        return %k : f64
      }";
    let module = Module::parse(&context, text).unwrap();
    let mut mode = FakeMode::new(&context, Options::default());
    let (x, y) = (mode.fake(&tensor(&[2, 3])), mode.fake(&tensor(&[2, 3])));
    mode.propagate(&module, "turn", &[x.into()]).unwrap();
    assert_eq!(mode.describe(x), "f32[3, 2] strides [1, 3]");
    let z = mode.call("graph.neg", &[x.into()], &[]).unwrap().tensor(0).unwrap();
    assert_eq!(mode.describe(z), "f32[3, 2] strides [1, 3]");
    mode.propagate(&module, "negate", &[y.into()]).unwrap();
    assert!(mode.compute(&[y]).unwrap_err().message.contains("was not recorded"));
    // Numbers keep their types, and arguments theirs.
    let half = mode.propagate(&module, "half", &[0.5.into()]).unwrap().number(0).unwrap();
    let i = mode.fake(&Tensor::from_elements(Dtype::I64, &[2], &[1, 2]).unwrap());
    let sum =
        mode.call("graph.add", &[i.into(), half.into(), Operand::None], &[]).unwrap().tensor(0).unwrap();
    assert_eq!(mode.describe(sum), "f32[2] strides [1]");
    let error = mode.propagate(&module, "half", &[3.into()]).unwrap_err();
    assert!(error.message.contains("argument 0 of @half is f64, got Int(3)"), "{error}");
    let error = mode.propagate(&module, "turn", &[3.into()]).unwrap_err();
    assert!(error.message.contains("argument 0 of @turn is !graph.tensor<2x3xf32>, got Int(3)"), "{error}");
}

/// Each of these changes the object that the caller has: eager's sizes, strides and offsets.
#[test]
fn callers_see_what_became_of_their_tensors() {
    let context = quiet();
    for (operation, expected) in [
        ("graph.transpose_ %x {dim0 = 0 : i64, dim1 = 2 : i64} : ", "f32[3, 1, 2] strides [1, 3, 3]"),
        ("graph.squeeze_ %x : ", "f32[2, 3] strides [3, 1]"),
        ("graph.unsqueeze_ %x {dim = -1 : i64} : ", "f32[2, 1, 3, 1] strides [3, 3, 1, 1]"),
        ("graph.swapaxes_ %x {axis0 = 0 : i64, axis1 = 1 : i64} : ", "f32[1, 2, 3] strides [3, 3, 1]"),
        ("graph.as_strided_ %x size [2] stride [2] storage_offset [1] : ", "f32[2] strides [2] offset 1"),
        ("graph.resize_ %x size [2, 2] : ", "f32[2, 2] strides [2, 1]"),
        ("graph.set_ %x source %y : !graph.tensor<4xf32> : ", "f32[4] strides [1]"),
    ] {
        let text = format!(
            "func.func @f(%x: !graph.tensor<2x1x3xf32>, %y: !graph.tensor<4xf32>) {{
               %0 = {operation}!graph.tensor<2x1x3xf32>
               return
             }}"
        );
        let module = Module::parse(&context, &text).unwrap();
        let mut mode = FakeMode::new(&context, Options::default());
        let base = tensor(&[2, 1, 3]);
        let (x, y) = (mode.fake(&base), mode.fake(&tensor(&[4])));
        let view = mode.fake(&base.view(vec![6], vec![1], 0).unwrap());
        mode.propagate(&module, "f", &[x.into(), y.into()]).unwrap();
        assert_eq!(mode.describe(x), expected, "{operation}");
        assert_eq!(mode.describe(view), "f32[6] strides [1]", "{operation}");
        let moved = operation.starts_with("graph.set_");
        assert!(mode.is_alias(x, view) != moved && mode.is_alias(x, y) == moved, "{operation}");
    }
}

const FUNCTION: &str = "
  func.func @rows(%x: !graph.tensor<?x8xf32>, %n: i64) -> (!graph.tensor<?x16xf32>, !graph.tensor<?x8xf32>, i64) {
    %0 = graph.view %x size [-1, 16] : !graph.tensor<?x8xf32>
    %c = arith.constant 2 : i64
    %m = arith.muli %n, %c : i64
    return %0, %x, %m : !graph.tensor<?x16xf32>, !graph.tensor<?x8xf32>, i64
  }";

#[test]
fn functions_are_followed_from_example_inputs() {
    let context = quiet();
    let module = Module::parse(&context, FUNCTION).unwrap();
    let options = Options { sizes: Sizes::Symbols, ..Options::default() };
    let mut mode = FakeMode::new(&context, options);
    let real = tensor(&[6, 8]);
    let x = mode.fake(&real);
    let made = mode.propagate(&module, "rows", &[(&real).into(), 5.into()]).unwrap();
    let view = made.tensor(0).unwrap();
    assert_eq!(mode.describe(view), "f32[(s0 floordiv 2), 16] strides [16, 1]");
    assert!(mode.is_alias(x, view) && x == made.tensor(1).unwrap());
    assert_eq!(mode.number(made.number(2).unwrap()).and_then(|number| number.known()), Some(10));
    // What comes of it can be gone on with, but has no elements.
    let more = mode.call("graph.neg", &[view.into()], &[]).unwrap().tensor(0).unwrap();
    assert_eq!(mode.describe(more), "f32[(s0 floordiv 2), 16] strides [16, 1]");
    let error = mode.compute(&[more]).unwrap_err();
    assert!(error.message.contains("was not recorded"), "{error}");
}

#[test]
fn arguments_that_a_function_does_not_take_are_refused() {
    let context = quiet();
    let module = Module::parse(&context, FUNCTION).unwrap();
    let mut mode = FakeMode::new(&context, Options::default());
    let mut refused = |name: &str, operands: &[Operand], message: &str| {
        let error = mode.propagate(&module, name, operands).unwrap_err();
        assert!(error.message.contains(message), "{error}");
    };
    refused("cols", &[], "no function is named @cols");
    refused("rows", &[], "@rows takes 2 arguments, got 0");
    refused(
        "rows",
        &[(&tensor(&[6, 7])).into(), 5.into()],
        "argument 0 of @rows is !graph.tensor<?x8xf32>, got F32[6, 7]",
    );
    let turned = tensor(&[8, 6]).view(vec![6, 8], vec![1, 6], 0).unwrap();
    refused("rows", &[(&turned).into(), 5.into()], "argument 0 of @rows is contiguous, got strides [1, 6]");
    refused(
        "rows",
        &[(&tensor(&[3, 8])).into(), 5.into()],
        "shape '[-1, 16]' is invalid for input of size 24",
    );
}
