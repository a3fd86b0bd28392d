//! Loads, stores, gathers and scatters of tiles, whole and in part.

use super::numbers;
use crate::common::{buffer, compile, isas, view};
use terrace_native::Arg;
use terrace_tensor::Scalar;

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
