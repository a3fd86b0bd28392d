//! Lowered to loops, an operator gives the values that it gave before: the interpreter runs both.

use melior::{
    Context,
    ir::{Module, OperationRef, RegionLike, Type, ValueLike},
    pass::PassManager,
    utility::parse_pass_pipeline,
};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike, attributes,
        dtype::{Dtype, ElementType},
        types::TensorType,
    },
    table,
};
use terrace_interpreter::Interpreter;
use terrace_tensor::{
    Scalar, Tensor, Value,
    compare::{Tolerance, compare},
};

const PROGRAMS: &str = include_str!("functional_to_loop.mlir");

fn context() -> Context {
    terrace_passes::register_passes();
    terrace_dialects::new_context()
}

fn lower(context: &Context, module: &mut Module) {
    let manager = PassManager::new(context);
    let pipeline =
        "builtin.module(functional-widen,functional-decompose,func.func(convert-functional-to-loop))";
    parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).unwrap();
    manager.run(module).unwrap();
}

/// The functions of a module: name and operation.
fn functions<'c, 'a>(module: &'a Module<'c>) -> Vec<(String, OperationRef<'c, 'a>)> {
    let mut functions = vec![];
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        functions.push((attributes::string(op.attribute("sym_name").unwrap()), op));
        next = op.next_in_block();
    }
    functions
}

/// An argument of a type; the elements differ from argument to argument.
fn argument(ty: Type, number: usize) -> Value {
    let element = |dtype: Dtype, i: usize| {
        let n = (i * 7 + number * 5) as i64;
        match dtype {
            Dtype::Bool => Scalar::Bool(n % 3 == 0),
            dtype if dtype.is_float() => Scalar::Float((n % 25 - 12) as f64 / 4.0),
            Dtype::U8 => Scalar::Int(n * 37 % 256),
            _ => Scalar::Int(n % 5 - 2),
        }
    };
    let Some(tensor) = TensorType::of(ty) else { return element(Dtype::of(ty).unwrap(), 1).into() };
    let dtype = tensor.dtype;
    let elements: Vec<Scalar> =
        (0..tensor.elements().unwrap() as usize).map(|i| element(tensor.dtype, i)).collect();
    Tensor::from_elements(dtype, &tensor.shape, &elements).unwrap().into()
}

fn arguments(function: OperationRef) -> Vec<Value> {
    let block = function.region(0).unwrap().first_block().unwrap();
    (0..block.argument_count()).map(|i| argument(block.argument(i).unwrap().r#type(), i)).collect()
}

#[test]
fn values_stay() {
    let context = context();
    let before = Module::parse(&context, PROGRAMS).unwrap();
    let mut after = Module::parse(&context, PROGRAMS).unwrap();
    lower(&context, &mut after);
    for (name, function) in functions(&before) {
        let [expected, actual] = [&before, &after].map(|module| {
            Interpreter::new(module)
                .call(&name, arguments(function))
                .unwrap_or_else(|e| panic!("@{name}: {e}"))
        });
        assert_eq!(expected.len(), actual.len());
        for (i, (expected, actual)) in expected.iter().zip(&actual).enumerate() {
            if let Err(e) = compare(expected, actual, Tolerance::default()) {
                panic!("@{name}, result {i}: {e}");
            }
        }
    }
}

#[test]
fn every_operator_is_among_the_programs() {
    let lowered = |name: &str| name.starts_with("functional.");
    let named = |name: &str| PROGRAMS.contains(&format!("= {name} "));
    let missing: Vec<_> =
        table::ALL.iter().map(|op| op.name).filter(|name| lowered(name) && !named(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn nothing_functional_is_left() {
    let context = context();
    let mut module = Module::parse(&context, PROGRAMS).unwrap();
    lower(&context, &mut module);
    assert!(!module.as_operation().to_string().contains("functional."));
}

#[test]
fn an_index_out_of_range_is_an_error() {
    let context = context();
    let cases = [
        ("%0 = functional.embedding %w, %i : tensor<2x4xf32>, tensor<4xi64>", "index out of range in self"),
        (
            "%0 = functional.index %w[%i] {present = array<i1: true>} : tensor<2x4xf32>[tensor<4xi64>]",
            "index is out of bounds for dimension 0 with size 2",
        ),
    ];
    for (operation, message) in cases {
        let text = format!(
            "func.func @f(%w: tensor<2x4xf32>, %i: tensor<4xi64>) -> tensor<4x4xf32> {{
               {operation}
               return %0 : tensor<4x4xf32>
             }}"
        );
        let mut module = Module::parse(&context, &text).unwrap();
        lower(&context, &mut module);
        let (name, function) = functions(&module).remove(0);
        let mut arguments = arguments(function);
        arguments[1] = Tensor::from_elements(Dtype::I64, &[4], &[0i64, 1, 2, 0]).unwrap().into();
        let error = Interpreter::new(&module).call(&name, arguments).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}
