//! Programs of upstream's dialects: structured operations, affine loops, iterations that may run at once,
//! global memory.

use melior::ir::Module;
use terrace_interpreter::Interpreter;
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

fn run(text: &str, args: Vec<Value>) -> Vec<Value> {
    let context = terrace_dialects::new_context();
    let module = Module::parse(&context, text).expect("the text is a module");
    Interpreter::new(&module).call("f", args).expect("it runs")
}

fn floats(sizes: &[i64], elements: &[f64]) -> Tensor {
    Tensor::from_elements(Dtype::F32, sizes, elements).unwrap()
}

fn elements(value: &Value) -> Vec<f64> {
    value.as_tensor().unwrap().to_vec().into_iter().map(Scalar::to_f64).collect()
}

#[test]
fn an_index_is_that_of_the_innermost_structured_operation() {
    let results = run(
        "func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
           %e = tensor.empty() : tensor<3x2xf32>
           %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
             iterator_types = [\"parallel\", \"parallel\"]} ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) {
           ^bb0(%a: f32, %o: f32):
             %i = linalg.index 0 : index
             %c1 = arith.constant 1 : index
             %is = arith.cmpi eq, %i, %c1 : index
             %j = linalg.index 1 : index
             %r = scf.if %is -> f32 {
               %w = arith.index_cast %j : index to i32
               %v = arith.sitofp %w : i32 to f32
               scf.yield %v : f32
             } else {
               scf.yield %a : f32
             }
             linalg.yield %r : f32
           } -> tensor<3x2xf32>
           return %0 : tensor<3x2xf32>
         }",
        vec![floats(&[2, 3], &[10.0, 11.0, 12.0, 20.0, 21.0, 22.0]).into()],
    );
    assert_eq!(elements(&results[0]), [10.0, 20.0, 0.0, 1.0, 12.0, 22.0]);
}

#[test]
fn a_named_convolution_is_what_its_region_says() {
    let results = run(
        "func.func @f(%x: tensor<1x1x6xf32>, %w: tensor<1x1x2xf32>, %o: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
           %0 = linalg.conv_1d_ncw_fcw {strides = dense<3> : tensor<1xi64>, dilations = dense<2> : tensor<1xi64>}
             ins(%x, %w : tensor<1x1x6xf32>, tensor<1x1x2xf32>) outs(%o : tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
           return %0 : tensor<1x1x2xf32>
         }",
        vec![
            floats(&[1, 1, 6], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).into(),
            floats(&[1, 1, 2], &[1.0, 10.0]).into(),
            floats(&[1, 1, 2], &[100.0, 200.0]).into(),
        ],
    );
    assert_eq!(elements(&results[0]), [131.0, 264.0]);
}

#[test]
fn affine_bounds_are_the_largest_below_and_the_smallest_above() {
    let results = run(
        "func.func @f(%x: memref<8xf32>, %n: index) -> (f32, index) {
           %zero = arith.constant 0.0 : f32
           %s = affine.for %i = max affine_map<(n) -> (n - 4, 1)>(%n) to min affine_map<(n) -> (n, 7)>(%n) step 2
               iter_args(%a = %zero) -> f32 {
             affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {
               %five = arith.constant 5.0 : f32
               affine.store %five, %x[%i + 1] : memref<8xf32>
             }
             %v = affine.load %x[%i] : memref<8xf32>
             %b = arith.addf %a, %v : f32
             affine.yield %b : f32
           }
           %m = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 4 + s0 mod 3)>(%n)[%n]
           return %s, %m : f32, index
         }",
        vec![floats(&[8], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]).into(), Scalar::Int(8).into()],
    );
    // 4 and 6, and stores at 5 and 7.
    assert_eq!(results[0].as_scalar(), Some(Scalar::Float(10.0)));
    assert_eq!(results[1].as_scalar(), Some(Scalar::Int(4)));
}

#[test]
fn parallel_loops_combine_what_their_points_yield() {
    let results = run(
        "memref.global \"private\" constant @c : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>
         func.func @f() -> (f32, f32) {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c6 = arith.constant 6 : index
           %k = arith.constant 100.0 : f32
           %g = memref.get_global @c : memref<2x3xf32>
           %x = memref.collapse_shape %g [[0, 1]] : memref<2x3xf32> into memref<6xf32>
           %m = affine.parallel (%i, %j) = (0, 0) to (2, 3) step (1, 2) reduce (\"maximumf\") -> f32 {
             %v = affine.load %g[%i, %j] : memref<2x3xf32>
             affine.yield %v : f32
           }
           %s = scf.parallel (%i) = (%c0) to (%c6) step (%c1) init (%k) -> f32 {
             %v = memref.load %x[%i] : memref<6xf32>
             scf.reduce(%v : f32) {
             ^bb0(%a: f32, %b: f32):
               %t = arith.addf %a, %b : f32
               scf.reduce.return %t : f32
             }
           }
           return %m, %s : f32, f32
         }",
        vec![],
    );
    assert_eq!(
        results.iter().map(Value::as_scalar).collect::<Vec<_>>(),
        [6.0, 121.0].map(|x| Some(Scalar::Float(x)))
    );
}

#[test]
fn iterations_write_their_slices_of_a_result() {
    let results = run(
        "func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
           %0 = scf.forall (%i) = (0) to (4) step (2) shared_outs(%out = %o) -> tensor<4xf32> {
             %s = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
             scf.forall.in_parallel {
               tensor.parallel_insert_slice %s into %out[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
             }
           }
           return %0 : tensor<4xf32>
         }",
        vec![floats(&[4], &[1.0, 2.0, 3.0, 4.0]).into(), floats(&[4], &[9.0, 9.0, 9.0, 9.0]).into()],
    );
    assert_eq!(elements(&results[0]), [1.0, 9.0, 3.0, 9.0]);
}

#[test]
fn a_region_pads_with_numbers_of_its_own() {
    let results = run(
        "func.func @f(%x: tensor<2xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
           %p = tensor.pad %x low[1] high[1] {
           ^bb0(%i: index):
             %w = arith.index_cast %i : index to i32
             %v = arith.sitofp %w : i32 to f32
             tensor.yield %v : f32
           } : tensor<2xf32> to tensor<4xf32>
           %c = tensor.concat dim(0) %x, %p : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
           return %p, %c : tensor<4xf32>, tensor<6xf32>
         }",
        vec![floats(&[2], &[7.0, 8.0]).into()],
    );
    assert_eq!(elements(&results[0]), [0.0, 7.0, 8.0, 3.0]);
    assert_eq!(elements(&results[1]), [7.0, 8.0, 0.0, 7.0, 8.0, 3.0]);
}
