//! What a [`DeferredInit`] keeps, shares and refuses.

use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use terrace_fake::DeferredInit;
use terrace_interpreter::{Interpreter, semantics::random};
use terrace_tensor::{Dtype, Scalar, Tensor};

fn deferred<'c>(context: &'c Context, text: &str) -> Module<'c> {
    terrace_passes::register_passes();
    let mut module = Module::parse(context, text).unwrap();
    let manager = PassManager::new(context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), "builtin.module(graph-deferred-init)").unwrap();
    manager.run(&mut module).unwrap();
    module
}

fn numbers(tensor: &Tensor) -> Vec<f64> {
    tensor.to_vec().iter().map(|number| number.to_f64()).collect()
}

#[test]
fn arguments_are_what_they_were() {
    let context = terrace_dialects::new_context();
    let module = deferred(
        &context,
        "func.func @init(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
           %0 = graph.neg_ %x : !graph.tensor<2xf32>
           %1 = graph.add %x, %x : !graph.tensor<2xf32>, !graph.tensor<2xf32>
           return %1, %y : !graph.tensor<2xf32>, !graph.tensor<2xf32>
         }",
    );
    let x = Tensor::from_elements(Dtype::F32, &[2], &[1.0, 2.0]).unwrap();
    let y = Tensor::from_elements(Dtype::F32, &[2], &[5.0, 5.0]).unwrap();
    let given = vec![x.clone().into(), y.clone().into()];
    let mut init = DeferredInit::new(&module, Interpreter::new(&module), "init", given).unwrap();
    // The caller sees the write at once, and an argument that is returned is that argument.
    assert_eq!(numbers(&x), [-1.0, -2.0]);
    assert!(init.is_deferred(0) && !init.is_deferred(1));
    assert!(init.materialize(1).unwrap().is_same(&y));
    x.write(0, Scalar::Float(100.0));
    let made = init.materialize(0).unwrap();
    assert_eq!(numbers(&made), [-2.0, -4.0]);
    assert!(made.is_same(&init.materialize(0).unwrap()));
    assert_eq!(numbers(&x), [100.0, -2.0]);
}

#[test]
fn storages_are_shared_and_draws_are_those_of_the_whole() {
    let context = terrace_dialects::new_context();
    let module = deferred(
        &context,
        "func.func @init() -> (!graph.tensor<3xf32>, !graph.tensor<2x2xf32>, !graph.tensor<4xf32>) {
           %0 = graph.rand [3] {dtype = f32}
           %1 = graph.empty [2, 2]
           %2 = graph.normal_ %1 : !graph.tensor<2x2xf32>
           %3 = graph.view %2 size [4] : !graph.tensor<2x2xf32>
           return %0, %2, %3 : !graph.tensor<3xf32>, !graph.tensor<2x2xf32>, !graph.tensor<4xf32>
         }",
    );
    random::manual_seed(11);
    let whole = Interpreter::new(&module).call("init", vec![]).unwrap();
    let after = random::state();
    random::manual_seed(11);
    let mut init = DeferredInit::new(&module, Interpreter::new(&module), "init", vec![]).unwrap();
    assert_eq!(random::state(), after);
    random::manual_seed(5);
    let flat = init.materialize(2).unwrap();
    let square = init.materialize(1).unwrap();
    assert!(flat.storage().is_same(square.storage()));
    assert_eq!(flat.to_vec(), whole[2].as_tensor().unwrap().to_vec());
    assert_eq!(init.materialize(0).unwrap().to_vec(), whole[0].as_tensor().unwrap().to_vec());
    assert_eq!(random::state(), (5, 0));
}

#[test]
fn refusals_name_the_operation_and_leave_the_generator() {
    let context = terrace_dialects::new_context();
    let module = deferred(
        &context,
        "func.func @init() -> !graph.tensor<2xf32> {
           %0 = graph.rand [2] {dtype = f32}
           %1 = graph.custom @mine::@scale_(%0) {schema = \"(Tensor(a!) x) -> Tensor(a!)\"} : (!graph.tensor<2xf32>) -> !graph.tensor<2xf32>
           return %1 : !graph.tensor<2xf32>
         }
         func.func @reads(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
           %0 = graph.neg %x : !graph.tensor<2xf32>
           return %0 : !graph.tensor<2xf32>
         }",
    );
    let mut init = DeferredInit::new(&module, Interpreter::new(&module), "init", vec![]).unwrap();
    let before = random::state();
    assert!(init.materialize(0).unwrap_err().message.contains("graph.custom"));
    assert_eq!(random::state(), before);
    // Elements of a fake tensor.
    let fake = init.results()[0].clone();
    let error = Interpreter::new(&module).call("reads", vec![fake]).unwrap_err();
    assert!(error.message.contains("'graph.neg' op asks for elements of a fake tensor"), "{error}");

    let mut interpreter = Interpreter::new(&module);
    interpreter.register("mine::scale_", |given| {
        let own = given[0].as_tensor().unwrap();
        own.offsets().for_each(|at| own.write(at, Scalar::Float(2.0)));
        Ok(vec![own.clone().into()])
    });
    let mut init = DeferredInit::new(&module, interpreter, "init", vec![]).unwrap();
    assert_eq!(numbers(&init.materialize(0).unwrap()), [2.0, 2.0]);
    assert!(init.materialize(7).unwrap_err().message.contains("there is no tensor as result 7"));
    assert!(DeferredInit::new(&module, Interpreter::new(&module), "other", vec![]).is_err());
}
