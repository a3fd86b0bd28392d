//! Programs in the graph dialect, all the way to machine code, against plain loops. Values are exact in their
//! dtype.

mod common;
use common::*;
use std::fmt::Debug;
use terrace_native::{Arg, Element, Loaded, Output, Owner};
use terrace_tensor::Scalar;

/// `count` small integers as floats.
fn numbers(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 37 + seed * 11) % 23) as f32 - 11.0).collect()
}

/// The elements of a result.
fn elements<T: Element>(output: &Output) -> Vec<T> {
    output.memref().and_then(|m| m.to_vec()).expect("a buffer of this type")
}

/// Calls @NAME on contiguous f32 tensors; the elements of its first result.
fn call(session: &Loaded, name: &str, args: &mut [(Vec<f32>, Vec<i64>)]) -> Vec<f32> {
    let args: Vec<Arg> = args.iter_mut().map(|(data, sizes)| buffer(data, sizes)).collect();
    elements(&session.call(&terrace_native::Context::new(), name, &args).unwrap()[0])
}

/// A program of one function for each level of vector instructions.
fn on_all(source: &str, check: impl Fn(&Loaded, &str)) {
    for (isa, cpu) in isas() {
        check(&compile_graph(source, isa, &cpu), &isa.to_string());
    }
}

#[test]
fn pointwise_of_many_sizes() {
    let sizes = || (1..=130usize).step_by(3);
    let source: String = sizes()
        .map(|n| {
            format!(
                "func.func @f{n}(%x: !graph.tensor<{n}xf32>, %y: !graph.tensor<{n}xf32>) -> !graph.tensor<{n}xf32> {{
                   %k = arith.constant 3.0 : f64
                   %0 = graph.mul %x, %y : !graph.tensor<{n}xf32>, !graph.tensor<{n}xf32>
                   %1 = graph.add %0, %k : !graph.tensor<{n}xf32>, f64
                   %2 = graph.relu %1 : !graph.tensor<{n}xf32>
                   return %2 : !graph.tensor<{n}xf32>
                 }}\n"
            )
        })
        .collect();
    on_all(&source, |session, isa| {
        for n in sizes() {
            let (x, y) = (numbers(n, 1), numbers(n, 2));
            let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| (x * y + 3.0).max(0.0)).collect();
            let sizes = vec![n as i64];
            let got = call(session, &format!("f{n}"), &mut [(x, sizes.clone()), (y, sizes)]);
            assert_eq!(got, expected, "{n} elements, {isa}");
        }
    });
}

/// Near 0 they do not cancel.
#[test]
fn doubles_next_to_one() {
    let source = "func.func @f(%x: !graph.tensor<22xf64>) -> (!graph.tensor<22xf64>, !graph.tensor<22xf64>) {
          %0 = graph.expm1 %x : !graph.tensor<22xf64>
          %1 = graph.log1p %x : !graph.tensor<22xf64>
          return %0, %1 : !graph.tensor<22xf64>, !graph.tensor<22xf64>
        }";
    let positive = [0.0, 1e-300, 1e-17, 1e-8, 3e-4, 0.3, 1.0, 2.5, 40.0, 800.0, f64::INFINITY];
    let x: Vec<f64> = positive.iter().flat_map(|&x| [x, -x]).collect();
    let near = |a: f64, b: f64| (a.is_nan() && b.is_nan()) || a == b || (a / b - 1.0).abs() < 1e-15;
    on_all(source, |session, isa| {
        let mut argument = x.clone();
        let outputs =
            session.call(&terrace_native::Context::new(), "f", &[buffer(&mut argument, &[22])]).unwrap();
        for (i, &x) in x.iter().enumerate() {
            let (expm1, log1p) = (elements::<f64>(&outputs[0])[i], elements::<f64>(&outputs[1])[i]);
            assert!(near(expm1, x.exp_m1()), "expm1({x:e}) = {expm1:e}, {isa}");
            assert!(near(log1p, x.ln_1p()), "log1p({x:e}) = {log1p:e}, {isa}");
        }
    });
}

#[test]
fn broadcasting() {
    let source =
        "func.func @f(%x: !graph.tensor<5x1x19xf32>, %y: !graph.tensor<3x1xf32>, %z: !graph.tensor<f32>)
                      -> !graph.tensor<5x3x19xf32> {
          %0 = graph.mul %x, %y : !graph.tensor<5x1x19xf32>, !graph.tensor<3x1xf32>
          %1 = graph.sub %0, %z : !graph.tensor<5x3x19xf32>, !graph.tensor<f32>
          return %1 : !graph.tensor<5x3x19xf32>
        }";
    on_all(source, |session, isa| {
        let (x, y) = (numbers(95, 1), numbers(3, 2));
        let at = |i: usize, j: usize, k: usize| x[i * 19 + k] * y[j] - 4.0;
        let expected: Vec<f32> = (0..285).map(|i| at(i / 57, i / 19 % 3, i % 19)).collect();
        let args = &mut [(x.clone(), vec![5, 1, 19]), (y.clone(), vec![3, 1]), (vec![4.0], vec![])];
        assert_eq!(call(session, "f", args), expected, "{isa}");
    });
}

#[test]
fn reductions_along_each_dimension() {
    let sizes = [(1, 1), (1, 40), (40, 1), (3, 17), (17, 3), (33, 65), (100, 7), (2, 1000)];
    let source: String = sizes
        .iter()
        .map(|(m, n)| {
            format!(
                "func.func @f{m}x{n}(%x: !graph.tensor<{m}x{n}xf32>)
                     -> (!graph.tensor<{m}xf32>, !graph.tensor<{n}xf32>, !graph.tensor<f32>, !graph.tensor<1x{n}xf32>) {{
                   %0 = graph.sum %x {{dim = array<i64: 1>}} : !graph.tensor<{m}x{n}xf32>
                   %1 = graph.sum %x {{dim = array<i64: 0>}} : !graph.tensor<{m}x{n}xf32>
                   %2 = graph.sum %x : !graph.tensor<{m}x{n}xf32>
                   %3 = graph.amax %x {{dim = array<i64: 0>, keepdim = true}} : !graph.tensor<{m}x{n}xf32>
                   return %0, %1, %2, %3
                     : !graph.tensor<{m}xf32>, !graph.tensor<{n}xf32>, !graph.tensor<f32>, !graph.tensor<1x{n}xf32>
                 }}\n"
            )
        })
        .collect();
    on_all(&source, |session, isa| {
        for (m, n) in sizes {
            let mut x = numbers(m * n, m);
            let row = |i: usize| x[i * n..(i + 1) * n].iter().sum::<f32>();
            let column = |j: usize| (0..m).map(|i| x[i * n + j]).sum::<f32>();
            let most = |j: usize| (0..m).map(|i| x[i * n + j]).fold(f32::MIN, f32::max);
            let expected: [Vec<f32>; 4] = [
                (0..m).map(row).collect(),
                (0..n).map(column).collect(),
                vec![x.iter().sum()],
                (0..n).map(most).collect(),
            ];
            let out = session
                .call(
                    &terrace_native::Context::new(),
                    &format!("f{m}x{n}"),
                    &[buffer(&mut x, &[m as i64, n as i64])],
                )
                .unwrap();
            for (i, expected) in expected.iter().enumerate() {
                assert_eq!(&elements::<f32>(&out[i]), expected, "result {i} of {m}x{n}, {isa}");
            }
        }
    });
}

#[test]
fn products_of_many_sizes() {
    // Each size up to 40 is one of the three in some product.
    let sizes = || (1..=40usize).step_by(2);
    let shape = |s: usize| [s, s * 7 % 40 + 1, s * 11 % 40 + 1];
    let source: String = sizes()
        .map(|s| {
            let [m, k, n] = shape(s);
            format!(
                "func.func @f{s}(%a: !graph.tensor<{m}x{k}xf32>, %b: !graph.tensor<{k}x{n}xf32>, %c: !graph.tensor<{n}x{k}xf32>)
                     -> (!graph.tensor<{m}x{n}xf32>, !graph.tensor<{m}x{n}xf32>) {{
                   %0 = graph.mm %a, %b : !graph.tensor<{m}x{k}xf32>, !graph.tensor<{k}x{n}xf32>
                   %1 = graph.linear %a, %c : !graph.tensor<{m}x{k}xf32>, !graph.tensor<{n}x{k}xf32>
                   return %0, %1 : !graph.tensor<{m}x{n}xf32>, !graph.tensor<{m}x{n}xf32>
                 }}\n"
            )
        })
        .collect();
    on_all(&source, |session, isa| {
        for s in sizes() {
            let [m, k, n] = shape(s);
            let (mut a, mut b, mut c) = (numbers(m * k, 1), numbers(k * n, 2), numbers(n * k, 3));
            let product = |i: usize| (0..k).map(|p| a[i / n * k + p] * b[p * n + i % n]).sum();
            let transposed = |i: usize| (0..k).map(|p| a[i / n * k + p] * c[i % n * k + p]).sum();
            let expected: [Vec<f32>; 2] =
                [(0..m * n).map(product).collect(), (0..m * n).map(transposed).collect()];
            let [m, k, n] = [m as i64, k as i64, n as i64];
            let args = [buffer(&mut a, &[m, k]), buffer(&mut b, &[k, n]), buffer(&mut c, &[n, k])];
            let out = session.call(&terrace_native::Context::new(), &format!("f{s}"), &args).unwrap();
            for (i, expected) in expected.iter().enumerate() {
                assert_eq!(&elements::<f32>(&out[i]), expected, "result {i} of {m}x{k}x{n}, {isa}");
            }
        }
    });
}

#[test]
fn truth_values_are_bytes() {
    let source = "func.func @f(%x: !graph.tensor<21xf32> {graph.storage = \"x\"}, %b: !graph.tensor<21xi1> {graph.storage = \"b\"})
                      -> (!graph.tensor<21xi1>, !graph.tensor<21xf32>, !graph.tensor<i1>) {
          %k = arith.constant 0.0 : f64
          %0 = graph.lt %x, %k : !graph.tensor<21xf32>, f64
          %1 = graph.logical_not %b : !graph.tensor<21xi1>
          %2 = graph.bitwise_and %0, %1 : !graph.tensor<21xi1>, !graph.tensor<21xi1>
          %z = graph.full [], %k {dtype = f32} : f64
          %3 = graph.where %b, %x, %z : !graph.tensor<21xi1>, !graph.tensor<21xf32>, !graph.tensor<f32>
          %4 = graph.any %2 : !graph.tensor<21xi1>
          %5 = graph.logical_not_ %b : !graph.tensor<21xi1>
          return %2, %3, %4 : !graph.tensor<21xi1>, !graph.tensor<21xf32>, !graph.tensor<i1>
        }";
    on_all(source, |session, isa| {
        for none in [false, true] {
            let mut x = if none { vec![1.0; 21] } else { numbers(21, 5) };
            let mut b: Vec<i8> = (0..21).map(|i| i8::from(i % 3 == 0)).collect();
            let (x0, b0) = (x.clone(), b.clone());
            let out = session
                .call(&terrace_native::Context::new(), "f", &[buffer(&mut x, &[21]), buffer(&mut b, &[21])])
                .unwrap();
            let both: Vec<i8> = (0..21).map(|i| i8::from(x0[i] < 0.0 && b0[i] == 0)).collect();
            let chosen: Vec<f32> = (0..21).map(|i| if b0[i] == 1 { x0[i] } else { 0.0 }).collect();
            assert_eq!(elements::<i8>(&out[0]), both, "{isa}");
            assert_eq!(elements::<f32>(&out[1]), chosen, "{isa}");
            assert_eq!(elements::<i8>(&out[2]), [both.iter().copied().max().unwrap()], "{isa}");
            assert_eq!(b, b0.iter().map(|b| 1 - b).collect::<Vec<_>>(), "{isa}");
        }
    });
}

#[test]
fn other_dtypes() {
    let source = "func.func @f(%i: !graph.tensor<37xi64>, %j: !graph.tensor<37xi32>, %d: !graph.tensor<37xf64>)
                      -> (!graph.tensor<37xi64>, !graph.tensor<37xf64>, !graph.tensor<i64>, !graph.tensor<37xf32>, !graph.tensor<f64>) {
          %n = arith.constant 3 : i64
          %k = arith.constant 0.5 : f64
          %0 = graph.mul %i, %j : !graph.tensor<37xi64>, !graph.tensor<37xi32>
          %1 = graph.sub %0, %n : !graph.tensor<37xi64>, i64
          %2 = graph.mul %d, %k : !graph.tensor<37xf64>, f64
          %3 = graph.add %2, %j : !graph.tensor<37xf64>, !graph.tensor<37xi32>
          %4 = graph.sum %1 : !graph.tensor<37xi64>
          %5 = graph.mul %j, %k : !graph.tensor<37xi32>, f64
          %6 = graph.amax %3 : !graph.tensor<37xf64>
          return %1, %3, %4, %5, %6
            : !graph.tensor<37xi64>, !graph.tensor<37xf64>, !graph.tensor<i64>, !graph.tensor<37xf32>, !graph.tensor<f64>
        }";
    on_all(source, |session, isa| {
        let mut i: Vec<i64> = (0..37).map(|n| (n - 18) * 1_000_000_007_000).collect();
        let mut j: Vec<i32> = (0..37).map(|n| n * 5 - 90).collect();
        let mut d: Vec<f64> = (0..37).map(|n| f64::from(n) * 1e3 - 7.0).collect();
        let product: Vec<i64> = i.iter().zip(&j).map(|(i, j)| i.wrapping_mul((*j).into()) - 3).collect();
        let sum: Vec<f64> = d.iter().zip(&j).map(|(d, j)| d * 0.5 + f64::from(*j)).collect();
        let half: Vec<f32> = j.iter().map(|j| *j as f32 * 0.5).collect();
        let args = [buffer(&mut i, &[37]), buffer(&mut j, &[37]), buffer(&mut d, &[37])];
        let out = session.call(&terrace_native::Context::new(), "f", &args).unwrap();
        assert_eq!(elements::<i64>(&out[0]), product, "{isa}");
        assert_eq!(elements::<f64>(&out[1]), sum, "{isa}");
        assert_eq!(
            elements::<i64>(&out[2]),
            [product.iter().fold(0, |a: i64, b| a.wrapping_add(*b))],
            "{isa}"
        );
        assert_eq!(elements::<f32>(&out[3]), half, "{isa}");
        assert_eq!(elements::<f64>(&out[4]), [sum.iter().copied().fold(f64::MIN, f64::max)], "{isa}");
    });
}

/// Sizes, strides, offset.
type Layout = ([i64; 2], [i64; 2], i64);

fn place((_, strides, offset): Layout, i: usize, j: usize) -> usize {
    offset as usize + i * strides[0] as usize + j * strides[1] as usize
}

#[test]
fn strided_inputs() {
    const LAYOUTS: [Layout; 4] =
        [([9, 21], [21, 1], 0), ([9, 21], [1, 9], 0), ([9, 21], [50, 2], 3), ([9, 21], [0, 1], 5)];
    let source: String = LAYOUTS
        .iter()
        .enumerate()
        .map(|(n, ([h, w], [s, t], o))| {
            let x = format!("!graph.tensor<{h}x{w}xf32>");
            format!(
                "func.func @f{n}(%x: {x} {{graph.layout = strided<[{s}, {t}], offset: {o}>}}, %y: {x})
                     -> ({x}, !graph.tensor<{w}xf32>) {{
                   %0 = graph.add %x, %y : {x}, {x}
                   %1 = graph.sum %x {{dim = array<i64: 0>}} : {x}
                   return %0, %1 : {x}, !graph.tensor<{w}xf32>
                 }}\n"
            )
        })
        .collect();
    on_all(&source, |session, isa| {
        for (n, layout) in LAYOUTS.into_iter().enumerate() {
            let (mut x, mut y) = (numbers(500, 1), numbers(189, 2));
            let at = |i: usize, j: usize| numbers(500, 1)[place(layout, i, j)];
            let expected: Vec<f32> = (0..189).map(|i| at(i / 21, i % 21) + y[i]).collect();
            let sums: Vec<f32> = (0..21).map(|j| (0..9).map(|i| at(i, j)).sum()).collect();
            let args = [view(&mut x, &layout.0, &layout.1, layout.2), buffer(&mut y, &[9, 21])];
            let out = session.call(&terrace_native::Context::new(), &format!("f{n}"), &args).unwrap();
            // A result may have other strides than its elements in row-major order: they are compared as a
            // tensor's.
            assert_eq!(elements::<f32>(&out[0]), expected, "{layout:?}, {isa}");
            assert_eq!(elements::<f32>(&out[1]), sums, "{layout:?}, {isa}");
        }
    });
}

#[test]
fn writes_through_views_touch_nothing_else() {
    let source = "
        func.func @column(%x: !graph.tensor<7x20xf32> {graph.storage = \"x\"}, %y: !graph.tensor<7xf32> {graph.storage = \"y\"})
            -> !graph.tensor<7xf32> {
          %k = arith.constant 2.0 : f64
          %c = graph.select %x index [3] {dim = 1} : !graph.tensor<7x20xf32>
          %0 = graph.mul_ %c, %k : !graph.tensor<7xf32>, f64
          %1 = graph.add_ %0, %y : !graph.tensor<7xf32>, !graph.tensor<7xf32>
          return %1 : !graph.tensor<7xf32>
        }
        func.func @transposed(%x: !graph.tensor<7x20xf32> {graph.storage = \"x\"}, %y: !graph.tensor<4x3xf32> {graph.storage = \"y\"})
            -> !graph.tensor<7x20xf32> {
          %t = graph.t %x : !graph.tensor<7x20xf32>
          %s = graph.slice %t start [1] end [20] step [5] : !graph.tensor<20x7xf32>
          %r = graph.slice %s start [2] end [7] step [2] {dim = 1} : !graph.tensor<4x7xf32>
          %0 = graph.add_ %r, %y : !graph.tensor<4x3xf32>, !graph.tensor<4x3xf32>
          return %x : !graph.tensor<7x20xf32>
        }
        func.func @shifted(%x: !graph.tensor<40xf32>) -> !graph.tensor<f32> {
          %a = graph.slice %x start [1] end [40] step [1] : !graph.tensor<40xf32>
          %b = graph.slice %x start [0] end [39] step [1] : !graph.tensor<40xf32>
          %c = graph.clone %b : !graph.tensor<39xf32>
          %0 = graph.copy_ %a, %c : !graph.tensor<39xf32>, !graph.tensor<39xf32>
          %s = graph.sum %x : !graph.tensor<40xf32>
          return %s : !graph.tensor<f32>
        }
        func.func @swapped(%x: !graph.tensor<2x33xf32>) {
          %a = graph.select %x index [0] : !graph.tensor<2x33xf32>
          %b = graph.select %x index [1] : !graph.tensor<2x33xf32>
          %c = graph.clone %a : !graph.tensor<33xf32>
          %0 = graph.copy_ %a, %b : !graph.tensor<33xf32>, !graph.tensor<33xf32>
          %1 = graph.copy_ %b, %c : !graph.tensor<33xf32>, !graph.tensor<33xf32>
          return
        }";
    on_all(source, |session, isa| {
        let x = numbers(140, 1);
        let (mut to, mut y) = (x.clone(), numbers(7, 2));
        let mut expected = x.clone();
        (0..7).for_each(|i| expected[i * 20 + 3] = x[i * 20 + 3] * 2.0 + y[i]);
        let out = session
            .call(
                &terrace_native::Context::new(),
                "column",
                &[buffer(&mut to, &[7, 20]), buffer(&mut y, &[7])],
            )
            .unwrap();
        let column: Vec<f32> = (0..7).map(|i| expected[i * 20 + 3]).collect();
        let result = out[0].memref().unwrap();
        assert!(matches!(result.owner, Owner::Argument(0)), "a view of the argument, {isa}");
        assert_eq!((result.offset, &result.strides[..]), (3, &[20][..]), "{isa}");
        assert_eq!(elements::<f32>(&out[0]), column, "{isa}");
        assert_eq!(to, expected, "column, {isa}");

        let (mut to, mut y) = (x.clone(), numbers(12, 2));
        let mut expected = x.clone();
        (0..12).for_each(|i| expected[(2 + i % 3 * 2) * 20 + 1 + i / 3 * 5] += y[i]);
        let out = session
            .call(
                &terrace_native::Context::new(),
                "transposed",
                &[buffer(&mut to, &[7, 20]), buffer(&mut y, &[4, 3])],
            )
            .unwrap();
        assert!(matches!(out[0].memref().unwrap().owner, Owner::Argument(0)), "{isa}");
        assert_eq!(to, expected, "transposed, {isa}");

        let mut to = x[..40].to_vec();
        let expected: Vec<f32> = (0..40usize).map(|i| x[i.saturating_sub(1)]).collect();
        let out =
            session.call(&terrace_native::Context::new(), "shifted", &[buffer(&mut to, &[40])]).unwrap();
        assert_eq!(elements::<f32>(&out[0]), [expected.iter().sum::<f32>()], "{isa}");
        assert_eq!(to, expected, "shifted, {isa}");

        let mut to = x[..66].to_vec();
        session.call(&terrace_native::Context::new(), "swapped", &[buffer(&mut to, &[2, 33])]).unwrap();
        assert_eq!(to, [&x[33..66], &x[..33]].concat(), "swapped, {isa}");
    });
}

#[test]
fn what_is_read_is_what_stood_there() {
    let source = "
        func.func @swap(%x: !graph.tensor<33xf32> {graph.storage = \"x\"}, %y: !graph.tensor<33xf32> {graph.storage = \"y\"}) {
          %c = graph.clone %x : !graph.tensor<33xf32>
          %0 = graph.copy_ %x, %y : !graph.tensor<33xf32>, !graph.tensor<33xf32>
          %1 = graph.copy_ %y, %c : !graph.tensor<33xf32>, !graph.tensor<33xf32>
          return
        }
        func.func @old(%x: !graph.tensor<33xf32> {graph.storage = \"x\"}, %y: !graph.tensor<33xf32> {graph.storage = \"y\"})
            -> (!graph.tensor<33xf32>, !graph.tensor<33xf32>) {
          %k = arith.constant 2.0 : f64
          %c = graph.clone %x : !graph.tensor<33xf32>
          %d = graph.add %x, %y : !graph.tensor<33xf32>, !graph.tensor<33xf32>
          %0 = graph.mul_ %x, %k : !graph.tensor<33xf32>, f64
          %1 = graph.copy_ %y, %c : !graph.tensor<33xf32>, !graph.tensor<33xf32>
          %2 = graph.add_ %x, %y : !graph.tensor<33xf32>, !graph.tensor<33xf32>
          return %c, %d : !graph.tensor<33xf32>, !graph.tensor<33xf32>
        }";
    on_all(source, |session, isa| {
        let (x, y) = (numbers(33, 1), numbers(33, 2));
        let map = |f: fn(f32, f32) -> f32| x.iter().zip(&y).map(|(x, y)| f(*x, *y)).collect::<Vec<f32>>();
        let (mut a, mut b) = (x.clone(), y.clone());
        session
            .call(&terrace_native::Context::new(), "swap", &[buffer(&mut a, &[33]), buffer(&mut b, &[33])])
            .unwrap();
        assert_eq!((&a, &b), (&y, &x), "{isa}");
        let (mut a, mut b) = (x.clone(), y.clone());
        let out = session
            .call(&terrace_native::Context::new(), "old", &[buffer(&mut a, &[33]), buffer(&mut b, &[33])])
            .unwrap();
        assert_eq!((elements::<f32>(&out[0]), elements(&out[1])), (x.clone(), map(|x, y| x + y)), "{isa}");
        assert_eq!((a, b), (map(|x, _| x * 2.0 + x), x.clone()), "{isa}");
    });
}

#[test]
fn numbers_come_in_as_arguments() {
    let source = "func.func @f(%x: !graph.tensor<33xf32>, %k: f64, %n: i64) -> !graph.tensor<33xf32> {
          %0 = graph.mul %x, %k : !graph.tensor<33xf32>, f64
          %1 = graph.sub %0, %n : !graph.tensor<33xf32>, i64
          return %1 : !graph.tensor<33xf32>
        }";
    on_all(source, |session, isa| {
        let mut x = numbers(33, 1);
        let expected: Vec<f32> = x.iter().map(|x| x * 2.5 - 7.0).collect();
        let numbers = [Arg::Scalar(Scalar::Float(2.5)), Arg::Scalar(Scalar::Int(7))];
        let args = [vec![buffer(&mut x, &[33])], numbers.to_vec()].concat();
        assert_eq!(
            elements::<f32>(&session.call(&terrace_native::Context::new(), "f", &args).unwrap()[0]),
            expected,
            "{isa}"
        );
    });
}

/// Values that are near: within `bound` of the larger, or both nan.
fn near<T: Copy + Into<f64> + Debug>(got: &[T], expected: &[f64], bound: f64, what: &str) {
    assert_eq!(got.len(), expected.len());
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        let (g, e): (f64, f64) = ((*g).into(), *e);
        let same = g == e || g.is_nan() && e.is_nan() || (g - e).abs() <= bound * e.abs().max(1e-30);
        assert!(same, "{what}: element {i} is {g}, not {e}");
    }
}

#[test]
fn functions_of_every_dtype() {
    let source = "func.func @f(%x: !graph.tensor<45xf32>, %d: !graph.tensor<45xf64>)
                      -> (!graph.tensor<45xf32>, !graph.tensor<45xf64>, !graph.tensor<45xf32>, !graph.tensor<45xf64>) {
          %0 = graph.exp %x : !graph.tensor<45xf32>
          %1 = graph.exp %d : !graph.tensor<45xf64>
          %2 = graph.gelu %x : !graph.tensor<45xf32>
          %3 = graph.tanh %d : !graph.tensor<45xf64>
          return %0, %1, %2, %3 : !graph.tensor<45xf32>, !graph.tensor<45xf64>, !graph.tensor<45xf32>, !graph.tensor<45xf64>
        }";
    on_all(source, |session, isa| {
        let d: Vec<f64> = (0..45).map(|i| f64::from(i) / 4.0 - 5.0).collect();
        let mut x: Vec<f32> = d.iter().map(|d| *d as f32).collect();
        x[7] = f32::NAN;
        x[8] = f32::INFINITY;
        let wide: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        let gelu = |x: &f64| x * 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
        let out = session
            .call(
                &terrace_native::Context::new(),
                "f",
                &[buffer(&mut x, &[45]), buffer(&mut d.clone(), &[45])],
            )
            .unwrap();
        let all = |f: &dyn Fn(&f64) -> f64, x: &[f64]| x.iter().map(f).collect::<Vec<_>>();
        near(&elements::<f32>(&out[0]), &all(&|x| x.exp(), &wide), 2e-7, &format!("exp, {isa}"));
        near(&elements::<f64>(&out[1]), &all(&|x| x.exp(), &d), 4e-16, &format!("exp of f64, {isa}"));
        // Near -5 gelu is the small difference of large numbers.
        near(&elements::<f32>(&out[2]), &all(&gelu, &wide), 1e-1, &format!("gelu, {isa}"));
        near(&elements::<f64>(&out[3]), &all(&|x| x.tanh(), &d), 4e-16, &format!("tanh of f64, {isa}"));
    });
}
