//! Tiles that are combined: reductions of every kind, and products.

use super::numbers;
use crate::common::{buffer, compile, isas};

/// A kernel that combines a tile of 37, and one of 3 by 5 along each dimension.
fn reductions(element: &str, combiner: &str) -> String {
    format!(
        "kernel.func @k(%x: memref<37x{element}>, %u: memref<3x5x{element}>, %y: memref<10x{element}>) grid() {{
           %c0 = arith.constant 0 : index
           %t = kernel.load %x[%c0 : 37] : memref<37x{element}>
           %r = kernel.reduce {combiner} %t : tensor<37x{element}>
           memref.store %r, %y[%c0] : memref<10x{element}>
           %v = kernel.load %u[%c0 : 3, %c0 : 5] : memref<3x5x{element}>
           %a = kernel.reduce {combiner} %v along 0 : tensor<3x5x{element}>
           kernel.store %a, %y[%c0 + 1 : 5] : tensor<5x{element}>, memref<10x{element}>
           %b = kernel.reduce {combiner} %v along 1 : tensor<3x5x{element}>
           kernel.store %b, %y[%c0 + 6 : 3] : tensor<3x{element}>, memref<10x{element}>
           %c9 = arith.constant 9 : index
           %c = kernel.reduce {combiner} %v : tensor<3x5x{element}>
           memref.store %c, %y[%c9] : memref<10x{element}>
           kernel.return
         }}
         func.func @f(%x: memref<37x{element}>, %u: memref<3x5x{element}>, %y: memref<10x{element}>) {{
           kernel.launch @k grid [] (%x, %u, %y) : memref<37x{element}>, memref<3x5x{element}>, memref<10x{element}>
           return
         }}"
    )
}

fn reduced<T: terrace_native::Element + PartialEq + std::fmt::Debug>(
    element: &str,
    combiner: &str,
    values: &[T],
    same: fn(T, T) -> bool,
    combine: fn(T, T) -> T,
) {
    let all = |values: &[T]| values.iter().copied().reduce(combine).unwrap();
    for (isa, cpu) in isas() {
        let session = compile(&reductions(element, combiner), isa, &cpu);
        let (mut x, mut u, mut y) = (values[..37].to_vec(), values[..15].to_vec(), vec![values[0]; 10]);
        let args = [buffer(&mut x, &[37]), buffer(&mut u, &[3, 5]), buffer(&mut y, &[10])];
        session.call(&terrace_native::Context::new(), "f", &args).unwrap();
        let columns = (0..5).map(|j| all(&[values[j], values[5 + j], values[10 + j]]));
        let rows = values[..15].chunks(5).map(all);
        let expected: Vec<T> =
            [all(&values[..37])].into_iter().chain(columns).chain(rows).chain([all(&values[..15])]).collect();
        let equal = y.iter().zip(&expected).all(|(a, b)| same(*a, *b));
        assert!(equal, "{combiner} of {element}, {isa}: {y:?}, not {expected:?}");
    }
}

#[test]
fn scans_go_on_from_vector_to_vector() {
    for (isa, cpu) in isas() {
        for (element, carry) in [("f32", "f32"), ("f32", "f64")] {
            let text = format!(
                "kernel.func @k(%x: memref<37x{element}>, %y: memref<38x{element}>) grid() {{
                   %c0 = arith.constant 0 : index
                   %c37 = arith.constant 37 : index
                   %ten = arith.constant 10.0 : {carry}
                   %t = kernel.load %x[%c0 : 37] : memref<37x{element}>
                   %r, %n = kernel.scan add %t from %ten : tensor<37x{element}>, {carry}
                   kernel.store %r, %y[%c0 : 37] : tensor<37x{element}>, memref<38x{element}>
                   %w = arith.constant 1.0 : {element}
                   memref.store %w, %y[%c37] : memref<38x{element}>
                   kernel.return
                 }}
                 func.func @f(%x: memref<37x{element}>, %y: memref<38x{element}>) {{
                   kernel.launch @k grid [] (%x, %y) : memref<37x{element}>, memref<38x{element}>
                   return
                 }}"
            );
            let session = compile(&text, isa, &cpu);
            let (mut x, mut y) = ((0..37).map(|i| i as f32).collect::<Vec<_>>(), vec![0f32; 38]);
            let args = [buffer(&mut x, &[37]), buffer(&mut y, &[38])];
            session.call(&terrace_native::Context::new(), "f", &args).unwrap();
            let expected: Vec<f32> = (0..37).map(|i| 10.0 + (i * (i + 1) / 2) as f32).chain([1.0]).collect();
            assert_eq!(y, expected, "{isa}, from {carry}");
        }
    }
}

#[test]
fn reductions_of_every_kind() {
    let floats = numbers(37);
    let small: Vec<f32> = floats.iter().map(|x| if x % 7.0 == 0.0 { 2.0 } else { -1.0 }).collect();
    let mut nan = floats.clone();
    nan[9] = f32::NAN;
    let same = |a: f32, b: f32| a == b || a.is_nan() && b.is_nan();
    let nan_max = |a: f32, b: f32| if a.is_nan() || b.is_nan() { f32::NAN } else { a.max(b) };
    let nan_min = |a: f32, b: f32| if a.is_nan() || b.is_nan() { f32::NAN } else { a.min(b) };
    reduced("f32", "add", &floats, same, |a, b| a + b);
    reduced("f32", "mul", &small, same, |a, b| a * b);
    for values in [&floats, &nan] {
        reduced("f32", "max", values, same, nan_max);
        reduced("f32", "min", values, same, nan_min);
    }
    let doubles: Vec<f64> = floats.iter().map(|x| f64::from(*x) * 1e100).collect();
    reduced("f64", "max", &doubles, |a, b| a == b, f64::max);
    let longs: Vec<i64> = floats.iter().map(|x| *x as i64 * 3_000_000_019).collect();
    let equal = |a: i64, b: i64| a == b;
    reduced("i64", "add", &longs, equal, i64::wrapping_add);
    reduced("i64", "mul", &longs, equal, i64::wrapping_mul);
    reduced("i64", "max", &longs, equal, i64::max);
    reduced("i64", "min", &longs, equal, i64::min);
    reduced("i64", "and", &longs, equal, |a, b| a & b);
    reduced("i64", "or", &longs, equal, |a, b| a | b);
    let ints: Vec<i32> = longs.iter().map(|x| *x as i32).collect();
    reduced("i32", "add", &ints, |a, b| a == b, i32::wrapping_add);
    reduced("i32", "min", &ints, |a, b| a == b, i32::min);
    let bytes: Vec<i8> = longs.iter().map(|x| *x as i8).collect();
    reduced("i8", "max", &bytes, |a, b| a == b, i8::max);
}

const TRUTHS: &str = r#"
kernel.func @k(%x: memref<20xi8>, %y: memref<4xi8>) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0> : tensor<20xi8>
  %b = kernel.load %x[%c0 : 20] : memref<20xi8>
  %m = arith.cmpi ne, %b, %zero : tensor<20xi8>
  %max = kernel.reduce max %m : tensor<20xi1>
  %min = kernel.reduce min %m : tensor<20xi1>
  %any = kernel.reduce or %m : tensor<20xi1>
  %all = kernel.reduce and %m : tensor<20xi1>
  %0 = arith.extui %max : i1 to i8
  %1 = arith.extui %min : i1 to i8
  %2 = arith.extui %any : i1 to i8
  %3 = arith.extui %all : i1 to i8
  memref.store %0, %y[%c0] : memref<4xi8>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  memref.store %1, %y[%c1] : memref<4xi8>
  memref.store %2, %y[%c2] : memref<4xi8>
  memref.store %3, %y[%c3] : memref<4xi8>
  kernel.return
}
func.func @f(%x: memref<20xi8>, %y: memref<4xi8>) {
  kernel.launch @k grid [] (%x, %y) : memref<20xi8>, memref<4xi8>
  return
}
"#;

#[test]
fn true_is_more_than_false() {
    for (isa, cpu) in isas() {
        let session = compile(TRUTHS, isa, &cpu);
        for (values, expected) in [
            (vec![0i8; 20], [0, 0, 0, 0]),
            (vec![1; 20], [1, 1, 1, 1]),
            ((0..20).map(|i| i8::from(i == 17)).collect(), [1, 0, 1, 0]),
        ] {
            let (mut x, mut y) = (values, vec![9i8; 4]);
            session
                .call(&terrace_native::Context::new(), "f", &[buffer(&mut x, &[20]), buffer(&mut y, &[4])])
                .unwrap();
            assert_eq!(y, expected, "{isa}");
        }
    }
}

/// A product on tiles of `m` by `k` by `n`; `valid` says how much of each is there, `used` whether the left
/// side is used for something else too.
fn product(element: &str, to: &str, [m, k, n]: [usize; 3], [vm, vk, vn]: [usize; 3], used: bool) -> String {
    let masked = [vm, vk, vn] != [m, k, n];
    let load = |name: &str, rows: &str, columns: &str, [r, c]: [usize; 2], [vr, vc]: [usize; 2]| {
        let valid = if masked { format!("valid({rows}, {columns}) else %zero") } else { String::new() };
        let ty = if masked {
            format!("memref<{vr}x{vc}x{element}>, {element}")
        } else {
            format!("memref<{vr}x{vc}x{element}>")
        };
        format!("%{name}t = kernel.load %{name}[%c0 : {r}, %c0 : {c}] {valid} : {ty}\n")
    };
    let zero = |ty: &str| if ty.starts_with('i') { "0" } else { "0.0" };
    let store = if masked { "valid(%vm, %vn)" } else { "" };
    let extra = if used {
        format!(
            "%o = kernel.reduce add %at : tensor<{m}x{k}x{element}>\n memref.store %o, %a[%c0, %c0] : memref<{vm}x{vk}x{element}>\n"
        )
    } else {
        String::new()
    };
    format!(
        "kernel.func @k(%a: memref<{vm}x{vk}x{element}>, %b: memref<{vk}x{vn}x{element}>, %y: memref<{vm}x{vn}x{to}>) grid() {{
           %c0 = arith.constant 0 : index
           %vm = arith.constant {vm} : index
           %vk = arith.constant {vk} : index
           %vn = arith.constant {vn} : index
           %zero = arith.constant {} : {element}
           %init = arith.constant dense<{}> : tensor<{m}x{n}x{to}>
           {} {}
           %d = kernel.dot %at, %bt, %init : tensor<{m}x{k}x{element}>, tensor<{k}x{n}x{element}>, tensor<{m}x{n}x{to}>
           {extra}
           kernel.store %d, %y[%c0 : {m}, %c0 : {n}] {store} : tensor<{m}x{n}x{to}>, memref<{vm}x{vn}x{to}>
           kernel.return
         }}
         func.func @f(%a: memref<{vm}x{vk}x{element}>, %b: memref<{vk}x{vn}x{element}>, %y: memref<{vm}x{vn}x{to}>) {{
           kernel.launch @k grid [] (%a, %b, %y) : memref<{vm}x{vk}x{element}>, memref<{vk}x{vn}x{element}>, memref<{vm}x{vn}x{to}>
           return
         }}",
        zero(element),
        zero(to),
        load("a", "%vm", "%vk", [m, k], [vm, vk]),
        load("b", "%vk", "%vn", [k, n], [vk, vn]),
    )
}

#[test]
fn products_of_tiles() {
    for (isa, cpu) in isas() {
        let shapes = [
            ([1, 1, 1], [1, 1, 1]),
            ([4, 3, 40], [4, 3, 40]),
            ([8, 4, 32], [5, 4, 19]),
            ([6, 8, 16], [6, 3, 16]),
        ];
        for (tile, [m, k, n]) in shapes {
            for used in [false, true] {
                let session = compile(&product("f32", "f32", tile, [m, k, n], used), isa, &cpu);
                let (mut a, mut b, mut y) = (numbers(m * k), numbers(k * n), vec![0f32; m * n]);
                let (a0, b0) = (a.clone(), b.clone());
                let sizes = |r: usize, c: usize| [r as i64, c as i64];
                let args = [
                    buffer(&mut a, &sizes(m, k)),
                    buffer(&mut b, &sizes(k, n)),
                    buffer(&mut y, &sizes(m, n)),
                ];
                session.call(&terrace_native::Context::new(), "f", &args).unwrap();
                for i in 0..m * n {
                    let expected: f32 = (0..k).map(|p| a0[i / n * k + p] * b0[p * n + i % n]).sum();
                    assert_eq!(y[i], expected, "{m}x{k}x{n} in {tile:?}, {isa}");
                }
            }
        }
        let session = compile(&product("i8", "i64", [3, 4, 10], [3, 4, 10], false), isa, &cpu);
        let (mut a, mut b): (Vec<i8>, Vec<i8>) =
            ((0..12).map(|i: i8| i * 9 - 50).collect(), (0..40).map(|i| 100 - i * 3).collect());
        let (a0, b0, mut y) = (a.clone(), b.clone(), vec![0i64; 30]);
        session
            .call(
                &terrace_native::Context::new(),
                "f",
                &[buffer(&mut a, &[3, 4]), buffer(&mut b, &[4, 10]), buffer(&mut y, &[3, 10])],
            )
            .unwrap();
        for i in 0..30 {
            let expected: i64 =
                (0..4).map(|p| i64::from(a0[i / 10 * 4 + p]) * i64::from(b0[p * 10 + i % 10])).sum();
            assert_eq!(y[i], expected, "{isa}");
        }
    }
}

/// Pairs are multiplied and added, with and without an instruction for it; numbers are such that all sums are
/// exact.
#[test]
fn products_of_pairs() {
    let bits = |x: f32| x.to_bits() >> 16;
    for (isa, cpu) in isas() {
        for (tile, [m, k, n]) in [([2, 3, 40], [2, 3, 40]), ([3, 4, 16], [3, 3, 11]), ([1, 1, 4], [1, 1, 3])]
        {
            let source =
                product("i32", "f32", tile, [m, k, n], false).replace("kernel.dot", "kernel.dot pairs");
            let session = compile(&source, isa, &cpu);
            let number = |i: usize| (i * 7 % 23) as f32 - 11.5;
            let word = |at: usize| (bits(number(2 * at)) | bits(number(2 * at + 1)) << 16) as i32;
            let words = |count: usize, from: usize| (from..from + count).map(word).collect::<Vec<i32>>();
            let (mut a, mut b, mut y) = (words(m * k, 0), words(k * n, 5), vec![0f32; m * n]);
            let sizes = |r: usize, c: usize| [r as i64, c as i64];
            let args =
                [buffer(&mut a, &sizes(m, k)), buffer(&mut b, &sizes(k, n)), buffer(&mut y, &sizes(m, n))];
            session.call(&terrace_native::Context::new(), "f", &args).unwrap();
            for (i, sum) in y.iter().enumerate() {
                let pair = |p: usize, half: usize| {
                    number(2 * (i / n * k + p) + half) * number(2 * (5 + p * n + i % n) + half)
                };
                let expected: f32 = (0..k).map(|p| pair(p, 0) + pair(p, 1)).sum();
                assert_eq!(*sum, expected, "{m}x{k}x{n} in {tile:?}, {isa}");
            }
        }
    }
}
