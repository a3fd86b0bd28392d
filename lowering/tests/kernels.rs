//! Hand-written kernels, compiled for each level of vector instructions, against plain loops.

mod common;
use common::*;
use terrace_native::Arg;
use terrace_tensor::Scalar;

/// `count` numbers that are exact in f32 and differ from their neighbours.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 37 + 11) % 101) as f32 - 50.0).collect()
}

#[test]
fn tails_of_all_sizes() {
    for (isa, cpu) in isas() {
        let mut source = String::new();
        let sizes: Vec<usize> = (1..=130).collect();
        for n in &sizes {
            let (full, rest) = (n / 64 * 64, n % 64);
            source += &format!(
                "kernel.func @k{n}(%x: memref<{n}xf32>, %y: memref<{n}xf32>, %k: f32) grid() {{
                   %c0 = arith.constant 0 : index
                   %c64 = arith.constant 64 : index
                   %full = arith.constant {full} : index
                   %rest = arith.constant {rest} : index
                   %zero = arith.constant 0.0 : f32
                   %kt = tensor.splat %k : tensor<64xf32>
                   scf.for %i = %c0 to %full step %c64 {{
                     %a = kernel.load %x[%i : 64] : memref<{n}xf32>
                     %b = arith.mulf %a, %kt : tensor<64xf32>
                     kernel.store %b, %y[%i : 64] : tensor<64xf32>, memref<{n}xf32>
                   }}
                   %a = kernel.load %x[%full : 64] valid(%rest) else %zero : memref<{n}xf32>, f32
                   %b = arith.mulf %a, %kt : tensor<64xf32>
                   kernel.store %b, %y[%full : 64] valid(%rest) : tensor<64xf32>, memref<{n}xf32>
                   kernel.return
                 }}
                 func.func @f{n}(%x: memref<{n}xf32>, %y: memref<{n}xf32>, %k: f32) {{
                   kernel.launch @k{n} grid [] (%x, %y, %k) : memref<{n}xf32>, memref<{n}xf32>, f32
                   return
                 }}\n"
            );
        }
        let session = compile(&source, isa, &cpu);
        for n in sizes {
            let (mut x, mut y) = (numbers(n), vec![-1.0f32; n + 1]);
            let expected: Vec<f32> = x.iter().map(|x| x * 3.0).collect();
            let size = [n as i64];
            let args = [buffer(&mut x, &size), buffer(&mut y[..n], &size), Arg::Scalar(Scalar::Float(3.0))];
            session.call(&terrace_native::Context::new(), &format!("f{n}"), &args).unwrap();
            assert_eq!((&y[..n], y[n]), (&expected[..], -1.0), "{n} elements, {isa}");
        }
    }
}

/// Moves a tile of 20 by each kind of access; `valid` comes as an argument too.
const ACCESSES: &str = r#"
kernel.func @static(%x: memref<5x40xf32>, %y: memref<40xf32>, %n: index) grid() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c19 = arith.constant 19 : index
  %pad = arith.constant 7.0 : f32
  %a = kernel.load %x[%c2, %c0 + 1 : 20] valid(%c19) else %pad : memref<5x40xf32>, f32
  kernel.store %a, %y[%c0 : 20] : tensor<20xf32>, memref<40xf32>
  kernel.return
}
kernel.func @dynamic(%x: memref<5x40xf32>, %y: memref<40xf32>, %n: index) grid() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 7.0 : f32
  %a = kernel.load %x[%c2, %c0 + 1 : 20] valid(%n) else %pad : memref<5x40xf32>, f32
  kernel.store %a, %y[%c0 : 20] valid(%n) : tensor<20xf32>, memref<40xf32>
  kernel.return
}
kernel.func @stepped(%x: memref<5x40xf32>, %y: memref<40xf32>, %n: index) grid() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 7.0 : f32
  %a = kernel.load %x[%c2, %c0 : 20 : 2] : memref<5x40xf32>
  %b = kernel.load %x[%c2, %c0 + 1 : 20 : 2] valid(%n) else %pad : memref<5x40xf32>, f32
  %s = arith.addf %a, %b : tensor<20xf32>
  kernel.store %s, %y[%c0 : 20 : 2] valid(%n) : tensor<20xf32>, memref<40xf32>
  kernel.return
}
kernel.func @column(%x: memref<40x5xf32, strided<[7, 2], offset: 3>>, %y: memref<40x1xf32>, %n: index) grid() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 7.0 : f32
  %a = kernel.load %x[%c0 + 4 : 20, %c2] : memref<40x5xf32, strided<[7, 2], offset: 3>>
  %b = kernel.load %x[%c0 + 5 : 20, %c2] valid(%n) else %pad : memref<40x5xf32, strided<[7, 2], offset: 3>>, f32
  %s = arith.subf %a, %b : tensor<20xf32>
  kernel.store %s, %y[%c0 : 20, %c0] : tensor<20xf32>, memref<40x1xf32>
  kernel.return
}
kernel.func @any(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %y: memref<?xf32, strided<[?], offset: ?>>, %n: index) grid() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 7.0 : f32
  %a = kernel.load %x[%c0 + 4 : 20, %c2] : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %b = kernel.load %x[%c0 + 5 : 20, %c2] valid(%n) else %pad : memref<?x?xf32, strided<[?, ?], offset: ?>>, f32
  %s = arith.subf %a, %b : tensor<20xf32>
  kernel.store %s, %y[%c0 : 20] : tensor<20xf32>, memref<?xf32, strided<[?], offset: ?>>
  kernel.return
}
kernel.func @repeated(%x: memref<40xf32, strided<[0], offset: 3>>, %y: memref<40xf32>, %n: index) grid() {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 7.0 : f32
  %a = kernel.load %x[%c0 : 20] : memref<40xf32, strided<[0], offset: 3>>
  %b = kernel.load %x[%c0 : 20] valid(%n) else %pad : memref<40xf32, strided<[0], offset: 3>>, f32
  %s = arith.subf %a, %b : tensor<20xf32>
  kernel.store %s, %y[%c0 : 20] : tensor<20xf32>, memref<40xf32>
  kernel.return
}
func.func @call_static(%x: memref<5x40xf32>, %y: memref<40xf32>, %n: index) {
  kernel.launch @static grid [] (%x, %y, %n) : memref<5x40xf32>, memref<40xf32>, index
  return
}
func.func @call_dynamic(%x: memref<5x40xf32>, %y: memref<40xf32>, %n: index) {
  kernel.launch @dynamic grid [] (%x, %y, %n) : memref<5x40xf32>, memref<40xf32>, index
  return
}
func.func @call_stepped(%x: memref<5x40xf32>, %y: memref<40xf32>, %n: index) {
  kernel.launch @stepped grid [] (%x, %y, %n) : memref<5x40xf32>, memref<40xf32>, index
  return
}
func.func @call_column(%x: memref<40x5xf32, strided<[7, 2], offset: 3>>, %y: memref<40x1xf32>, %n: index) {
  kernel.launch @column grid [] (%x, %y, %n) : memref<40x5xf32, strided<[7, 2], offset: 3>>, memref<40x1xf32>, index
  return
}
func.func @call_any(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %y: memref<?xf32, strided<[?], offset: ?>>, %n: index) {
  kernel.launch @any grid [] (%x, %y, %n)
    : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>, index
  return
}
func.func @call_repeated(%x: memref<40xf32, strided<[0], offset: 3>>, %y: memref<40xf32>, %n: index) {
  kernel.launch @repeated grid [] (%x, %y, %n) : memref<40xf32, strided<[0], offset: 3>>, memref<40xf32>, index
  return
}
"#;

/// Sizes, strides, offset.
type Layout<'a> = (&'a [i64], &'a [i64], i64);

#[test]
fn accesses_of_every_kind() {
    const ROW: Layout = (&[40], &[1], 0);
    const MATRIX: Layout = (&[5, 40], &[40, 1], 0);
    const COLUMNS: Layout = (&[40, 5], &[7, 2], 3);
    let x = numbers(400);
    for (isa, cpu) in isas() {
        let session = compile(ACCESSES, isa, &cpu);
        for n in [0i64, 1, 3, 4, 7, 8, 15, 16, 17, 19, 20, 1 << 40, -1, -(1 << 40)] {
            let there = |l: usize| (l as i64) < n;
            let check = |name: &str, from: Layout, to: Layout, expected: &dyn Fn(usize) -> f32| {
                let (mut x, mut y) = (x.clone(), vec![-1.0f32; 80]);
                let x = view(&mut x, from.0, from.1, from.2);
                let args = [x, view(&mut y, to.0, to.1, to.2), Arg::Scalar(Scalar::Int(n))];
                session.call(&terrace_native::Context::new(), &format!("call_{name}"), &args).unwrap();
                let expected: Vec<f32> = (0..80).map(expected).collect();
                assert_eq!(y, expected, "{name} with {n} valid, {isa}");
            };
            let pad = |there: bool, value: f32| if there { value } else { 7.0 };
            check("static", MATRIX, ROW, &|l| match l {
                0..19 => x[81 + l],
                19 => 7.0,
                _ => -1.0,
            });
            check("dynamic", MATRIX, ROW, &|l| if l < 20 && there(l) { x[81 + l] } else { -1.0 });
            check("stepped", MATRIX, ROW, &|i| {
                if i % 2 == 1 || i >= 40 || !there(i / 2) { -1.0 } else { x[80 + i] + x[81 + i] }
            });
            let at = |r: usize| x[3 + r * 7 + 4];
            let column = |l: usize| if l < 20 { at(l + 4) - pad(there(l), at(l + 5)) } else { -1.0 };
            check("column", COLUMNS, (&[40, 1], &[1, 1], 0), &column);
            check("any", COLUMNS, (&[20], &[3], 5), &|i| {
                if i >= 5 && (i - 5) % 3 == 0 && i < 65 { column((i - 5) / 3) } else { -1.0 }
            });
            check("repeated", (&[40], &[0], 3), ROW, &|l| {
                if l < 20 { x[3] - pad(there(l), x[3]) } else { -1.0 }
            });
        }
    }
}

const INDIRECT: &str = r#"
!rows = memref<10x8xf32, strided<[9, 1], offset: 2>>
kernel.func @k(%x: !rows, %at: memref<20xi64>, %on: memref<20xi8>, %y: memref<10x8xf32>, %z: memref<20xf32>, %j: index) grid() {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 7.0 : f32
  %zero = arith.constant dense<0> : tensor<20xi8>
  %b = kernel.load %on[%c0 : 20] : memref<20xi8>
  %m = arith.cmpi ne, %b, %zero : tensor<20xi8>
  %i = kernel.load %at[%c0 : 20] : memref<20xi64>
  %r = arith.index_cast %i : tensor<20xi64> to tensor<20xindex>
  %g = kernel.gather %x[%r, %j] mask %m else %pad : !rows, tensor<20xindex>, index mask tensor<20xi1>, f32 -> tensor<20xf32>
  kernel.store %g, %z[%c0 : 20] : tensor<20xf32>, memref<20xf32>
  %l = kernel.iota : tensor<20xindex>
  %eight = arith.constant dense<8> : tensor<20xindex>
  %row = arith.divui %l, %eight : tensor<20xindex>
  %column = arith.remui %l, %eight : tensor<20xindex>
  %h = kernel.gather %x[%row, %column] : !rows, tensor<20xindex>, tensor<20xindex> -> tensor<20xf32>
  kernel.scatter %h, %y[%row, %column] mask %m : tensor<20xf32>, memref<10x8xf32>, tensor<20xindex>, tensor<20xindex> mask tensor<20xi1>
  %c5 = arith.constant 5 : index
  %lane = arith.constant dense<[3, 1, 0, 2]> : tensor<4xindex>
  %tile = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  kernel.scatter %tile, %y[%c5, %lane] : tensor<4xf32>, memref<10x8xf32>, index, tensor<4xindex>
  kernel.return
}
func.func @f(%x: !rows, %at: memref<20xi64>, %on: memref<20xi8>, %y: memref<10x8xf32>, %z: memref<20xf32>, %j: index) {
  kernel.launch @k grid [] (%x, %at, %on, %y, %z, %j) : !rows, memref<20xi64>, memref<20xi8>, memref<10x8xf32>, memref<20xf32>, index
  return
}
"#;

#[test]
fn gathers_and_scatters_through_masks() {
    for (isa, cpu) in isas() {
        let session = compile(INDIRECT, isa, &cpu);
        let mut x = numbers(92);
        let element = |r: usize, c: usize| numbers(92)[2 + 9 * r + c];
        // Where the mask is off an index may be anything.
        let mut on: Vec<i8> = (0..20).map(|l| i8::from(l % 3 != 1)).collect();
        let mut at: Vec<i64> =
            (0..20).map(|l| if l % 3 == 1 { i64::MIN + l } else { (l * 7) % 10 }).collect();
        let (mut y, mut z) = (vec![-1f32; 80], vec![-1f32; 20]);
        let args = [
            view(&mut x, &[10, 8], &[9, 1], 2),
            buffer(&mut at, &[20]),
            buffer(&mut on, &[20]),
            buffer(&mut y, &[10, 8]),
            buffer(&mut z, &[20]),
            Arg::Scalar(Scalar::Int(6)),
        ];
        session.call(&terrace_native::Context::new(), "f", &args).unwrap();
        let gathered = |l: usize| if l % 3 == 1 { 7.0 } else { element(l * 7 % 10, 6) };
        assert_eq!(z, (0..20).map(gathered).collect::<Vec<_>>(), "{isa}");
        let scattered = |i: usize| match i {
            0..20 if i % 3 != 1 => element(i / 8, i % 8),
            40..44 => [3.0, 2.0, 4.0, 1.0][i - 40],
            _ => -1.0,
        };
        assert_eq!(y, (0..80).map(scattered).collect::<Vec<_>>(), "{isa}");
    }
}

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

/// A product on tiles of `m` by `k` by `n`; `valid` says how much of each is there, `used` whether the left side is used
/// for something else too.
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

/// Rows of a matrix, summed in a loop that carries a tile, scaled by what a branch chooses; a grid that is worth the pool.
const ROWS: &str = r#"
kernel.func @k(%x: memref<700x640xf32>, %y: memref<700x2xf32>, %b: f32, %i: index, %t: i1) grid(%g in 350, %h in 2) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c640 = arith.constant 640 : index
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %first = arith.muli %g, %c2 : index
  %row = arith.addi %first, %h : index
  %sum = scf.for %j = %c0 to %c640 step %c32 iter_args(%acc = %zero) -> (tensor<32xf32>) {
    %a = kernel.load %x[%row, %j : 32] : memref<700x640xf32>
    %s = arith.addf %acc, %a : tensor<32xf32>
    scf.yield %s : tensor<32xf32>
  }
  %is = arith.cmpi ult, %row, %i : index
  %on = arith.andi %is, %t : i1
  %scaled = scf.if %on -> (tensor<32xf32>) {
    %bt = tensor.splat %b : tensor<32xf32>
    %m = arith.mulf %sum, %bt : tensor<32xf32>
    scf.yield %m : tensor<32xf32>
  } else {
    scf.yield %sum : tensor<32xf32>
  }
  %total = kernel.reduce add %scaled : tensor<32xf32>
  %tile = tensor.splat %total : tensor<2xf32>
  kernel.store %tile, %y[%row, %c0 : 2] : tensor<2xf32>, memref<700x2xf32>
  kernel.return
}
func.func @f(%x: memref<700x640xf32>, %y: memref<700x2xf32>, %b: f32, %i: index, %t: i1) {
  kernel.launch @k grid [350, 2] (%x, %y, %b, %i, %t) : memref<700x640xf32>, memref<700x2xf32>, f32, index, i1
  return
}
"#;

#[test]
fn grids_run_on_the_pool() {
    for (isa, cpu) in isas() {
        let session = compile(ROWS, isa, &cpu);
        for threads in [1, 2, 5] {
            terrace_rt::pool::set_threads(threads);
            let x = numbers(700 * 640);
            let (mut from, mut y) = (x.clone(), vec![0f32; 1400]);
            let args = [
                buffer(&mut from, &[700, 640]),
                buffer(&mut y, &[700, 2]),
                Arg::Scalar(Scalar::Float(2.0)),
                Arg::Scalar(Scalar::Int(123)),
                Arg::Scalar(Scalar::Bool(true)),
            ];
            session.call(&terrace_native::Context::new(), "f", &args).unwrap();
            for (row, data) in x.chunks(640).enumerate() {
                let expected = data.iter().sum::<f32>() * if row < 123 { 2.0 } else { 1.0 };
                assert_eq!(
                    y[2 * row..2 * row + 2],
                    [expected, expected],
                    "row {row}, {isa}, {threads} threads"
                );
            }
        }
        terrace_rt::pool::set_threads(0);
    }
}

const ASSERTIONS: &str = r#"
kernel.func @k(%x: memref<8xi64>, %n: i64) grid(%i in 8) {
  %v = memref.load %x[%i] : memref<8xi64>
  %in = arith.cmpi slt, %v, %n : i64
  cf.assert %in, "index out of range"
  memref.store %n, %x[%i] : memref<8xi64>
  kernel.return
}
func.func @f(%x: memref<8xi64>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %some = arith.cmpi sgt, %n, %c0 : i64
  cf.assert %some, "expected a bound above zero"
  kernel.launch @k grid [8] (%x, %n) : memref<8xi64>, i64
  return
}
"#;

#[test]
fn assertions_reach_the_caller() {
    let (isa, cpu) = isas().pop().unwrap();
    let session = compile(ASSERTIONS, isa, &cpu);
    let call = |n: i64| {
        let mut x: Vec<i64> = (0..8).collect();
        let result = session.call(
            &terrace_native::Context::new(),
            "f",
            &[buffer(&mut x, &[8]), Arg::Scalar(Scalar::Int(n))],
        );
        // What follows an assertion that does not hold is not done: of the grid, and of the function.
        let done = if n == 0 { 0 } else { n.min(8) as usize };
        assert!(x.iter().enumerate().all(|(i, x)| *x == if i < done { n } else { i as i64 }), "{x:?}");
        result.err().map(|e| e.to_string())
    };
    assert_eq!(call(8), None);
    assert_eq!(call(7).as_deref(), Some("-:5:3: @f: index out of range"));
    assert_eq!(call(0).as_deref(), Some("-:12:3: @f: expected a bound above zero"));
}
