//! Templates as machine code, against plain loops. Values are exact in their dtype.

mod common;
use common::*;
use terrace_native::{Arg, MemRef};
use terrace_tensor::Dtype;

/// Batches, rows, columns, and what is summed over.
const SIZES: [[usize; 4]; 8] = [
    [1, 7, 5, 13],
    [1, 1, 1, 1],
    [3, 17, 37, 7],
    [2, 14, 32, 16],
    [1, 33, 70, 3],
    [2, 5, 9, 0],
    // Few rows, and much to sum.
    [1, 5, 11, 203],
    [2, 3, 16, 128],
];

/// Where the left factor's element at batch b, row m and inner index k is, what is done with it, and the same
/// in Rust.
type Body = (&'static str, &'static str, fn(&Point) -> f64);

/// A point of the domain, with the numbers that bodies read there.
struct Point {
    m: usize,
    n: usize,
    k: usize,
    /// The buffer's element.
    element: f64,
    /// The destination's element as it was.
    old: f64,
    sum: f64,
    bias: f64,
}

const LEFT: [Body; 4] = [
    ("%m, %k", "loop.yield %a : f32", |p| p.element),
    ("%k, %m", "loop.yield %a : f32", |p| p.element),
    ("%m, %k", "%c = arith.addf %a, %a : f32  loop.yield %c : f32", |p| p.element * 2.0),
    // Depends on the indices themselves, and reads nothing where k is odd.
    (
        "%m, %k",
        "%two = arith.constant 2 : index  %r = arith.remui %k, %two : index  %zero = arith.constant 0 : index
         %even = arith.cmpi eq, %r, %zero : index  %five = arith.constant 5.0 : f32
         %c = loop.load %x[%b, %m, %k] if %even else %five : memref<XTYPE>, f32
         %i = arith.index_cast %m : index to i32  %f = arith.sitofp %i : i32 to f32
         %d = arith.addf %c, %f : f32  loop.yield %d : f32",
        |p| (if p.k % 2 == 0 { p.element } else { 5.0 }) + p.m as f64,
    ),
];

const RIGHT: [Body; 3] = [
    ("%k, %n", "loop.yield %a : f32", |p| p.element),
    ("%n, %k", "loop.yield %a : f32", |p| p.element),
    (
        "%k, %n",
        "%i = arith.index_cast %n : index to i32  %f = arith.sitofp %i : i32 to f32
         %c = arith.subf %a, %f : f32  loop.yield %c : f32",
        |p| p.element - p.n as f64,
    ),
];

const EPILOGUE: [Body; 5] = [
    ("", "", |p| p.sum),
    (
        "",
        "epilogue(%s: f32) { %b1 = loop.load %bias[%n] : memref<NxTYPE> %c = arith.addf %s, %b1 : f32
         %z = arith.constant 0.0 : f32 %d = arith.maximumf %c, %z : f32 loop.yield %d : f32 }",
        |p| (p.sum + p.bias).max(0.0),
    ),
    (
        "",
        "epilogue(%s: f32) { %o = loop.load %y[%b, %m, %n] : memref<YTYPE> %c = arith.addf %s, %o : f32
         loop.yield %c : f32 }",
        |p| p.sum + p.old,
    ),
    // The same of all rows, of a scalar, and an index.
    (
        "",
        "epilogue(%s: f32) { %two = arith.constant 2.0 : f32 %c = arith.mulf %s, %two : f32
         %i = arith.index_cast %m : index to i32 %f = arith.sitofp %i : i32 to f32 %d = arith.addf %c, %f : f32
         loop.yield %d : f32 }",
        |p| p.sum * 2.0 + p.m as f64,
    ),
    ("at", "epilogue(%s: f32) { loop.yield %s at [%b, %n, %m] : f32 }", |p| p.sum),
];

const SCHEDULES: [&str; 4] =
    ["", "tile [5, 24] pack [false, false]", "tile [3, 8] pack [true, true]", "pack [false, true]"];

/// The parts of a program, by their places in the lists.
#[derive(Clone, Copy, Debug)]
struct Program {
    sizes: usize,
    left: usize,
    right: usize,
    epilogue: usize,
    schedule: usize,
}

/// Every part beside some of the others.
fn programs() -> Vec<Program> {
    let mut all = vec![];
    for sizes in 0..SIZES.len() {
        for left in 0..LEFT.len() {
            for right in 0..RIGHT.len() {
                let i = all.len();
                let (epilogue, schedule) = (i % EPILOGUE.len(), (i / 2 + sizes) % SCHEDULES.len());
                all.push(Program { sizes, left, right, epilogue, schedule });
            }
        }
    }
    all
}

impl Program {
    /// The sizes of x, w, y.
    fn shapes(&self) -> [[usize; 3]; 3] {
        let [b, m, n, k] = SIZES[self.sizes];
        let exchanged = |yes: bool, [b, x, y]: [usize; 3]| if yes { [b, y, x] } else { [b, x, y] };
        [
            exchanged(LEFT[self.left].0 == "%k, %m", [b, m, k]),
            exchanged(RIGHT[self.right].0 == "%n, %k", [b, k, n]),
            exchanged(EPILOGUE[self.epilogue].0 == "at", [b, m, n]),
        ]
    }

    fn source(&self, name: &str, element: &str) -> String {
        let [b, m, n, k] = SIZES[self.sizes];
        let [x, w, y] = self.shapes().map(|[a, b, c]| format!("{a}x{b}x{c}xf32"));
        let ((left, lhs, _), (right, rhs, _)) = (LEFT[self.left], RIGHT[self.right]);
        let (epilogue, schedule) = (EPILOGUE[self.epilogue].1, SCHEDULES[self.schedule]);
        let text = format!(
            "func.func @{name}(%x: memref<{x}>, %w: memref<{w}>, %bias: memref<{n}xf32>, %y: memref<{y}>) {{
               kernel.matmul (%b = {b}, %m = {m}, %n = {n}) over (%k = {k}) into %y lhs {{
                 %a = loop.load %x[%b, {left}] : memref<{x}>
                 {lhs}
               }} rhs {{
                 %a = loop.load %w[%b, {right}] : memref<{w}>
                 {rhs}
               }} {epilogue} {schedule} : memref<{y}>
               return
             }}\n"
        );
        let text = text.replace("XTYPE", &x).replace("YTYPE", &y).replace("NxTYPE", &format!("{n}xf32"));
        text.replace("f32", element)
    }

    /// What y becomes.
    fn expected(&self, x: &[f64], w: &[f64], bias: &[f64], y: &[f64]) -> Vec<f64> {
        let [b, m, n, k] = SIZES[self.sizes];
        let [xs, ws, ys] = self.shapes();
        let at = |shape: [usize; 3], [b, i, j]: [usize; 3], exchanged: bool| {
            let (i, j) = if exchanged { (j, i) } else { (i, j) };
            (b * shape[1] + i) * shape[2] + j
        };
        let (left, right) = (LEFT[self.left], RIGHT[self.right]);
        let epilogue = EPILOGUE[self.epilogue];
        let mut out = y.to_vec();
        for b in 0..b {
            for m in 0..m {
                for n in 0..n {
                    let place = at(ys, [b, m, n], epilogue.0 == "at");
                    let mut point =
                        Point { m, n, k: 0, element: 0.0, old: y[place], sum: 0.0, bias: bias[n] };
                    for k in 0..k {
                        point.k = k;
                        point.element = x[at(xs, [b, m, k], left.0 == "%k, %m")];
                        let a = left.2(&point);
                        point.element = w[at(ws, [b, k, n], right.0 == "%n, %k")];
                        point.sum += a * right.2(&point);
                    }
                    out[place] = epilogue.2(&point);
                }
            }
        }
        out
    }
}

/// Small integers.
fn numbers(count: usize, step: usize) -> Vec<f64> {
    (0..count).map(|i| ((i * step) % 15) as f64 - 7.0).collect()
}

fn matches<T: terrace_native::Element + Copy>(element: &str, from: fn(f64) -> T, to: fn(T) -> f64) {
    let programs = programs();
    let source: String =
        programs.iter().enumerate().map(|(i, p)| p.source(&format!("product_{i}"), element)).collect();
    for (isa, cpu) in isas() {
        let session = compile_loops(&source, isa, &cpu);
        for (i, program) in programs.iter().enumerate() {
            let [x, w, y] = program.shapes();
            let count = |shape: [usize; 3]| shape.iter().product();
            let columns = SIZES[program.sizes][2];
            let inputs =
                [numbers(count(x), 37), numbers(count(w), 11), numbers(columns, 7), numbers(count(y), 5)];
            let expected = program.expected(&inputs[0], &inputs[1], &inputs[2], &inputs[3]);
            let mut data = inputs.map(|values| values.into_iter().map(from).collect::<Vec<T>>());
            let sizes = [x.to_vec(), w.to_vec(), vec![columns], y.to_vec()];
            let sizes = sizes.map(|sizes| sizes.into_iter().map(|n| n as i64).collect::<Vec<_>>());
            let args: Vec<_> = data.iter_mut().zip(&sizes).map(|(data, sizes)| buffer(data, sizes)).collect();
            session.call(&terrace_native::Context::new(), &format!("product_{i}"), &args).unwrap();
            drop(args);
            let got: Vec<f64> = data[3].iter().map(|v| to(*v)).collect();
            assert_eq!(got, expected, "{program:?}, {element}, {isa}");
        }
    }
}

#[test]
fn products_of_f32() {
    matches::<f32>("f32", |v| v as f32, f64::from);
}

#[test]
fn products_of_f64() {
    matches::<f64>("f64", |v| v, |v| v);
}

/// A matrix of bf16, given as bits, of rows that begin so many elements apart.
fn bf16(bits: &mut [u16], sizes: [i64; 2], width: usize) -> Arg<'_> {
    let strides = vec![width as i64, 1];
    assert!(sizes[0] * width as i64 <= bits.len() as i64 && sizes[1] <= width as i64);
    // SAFETY: the last element is in the slice, which is borrowed for as long as the argument lives.
    Arg::MemRef(unsafe {
        MemRef::from_raw(Dtype::BF16, bits.as_mut_ptr().cast(), 0, sizes.to_vec(), strides)
    })
}

/// Factors of bf16: of even and odd numbers along the inner dimension, of few rows and of more, rows side by
/// side, apart, and columns.
#[test]
fn products_of_bf16() {
    let shapes = [[3, 10, 100], [8, 33, 250], [20, 50, 63], [17, 96, 130]];
    for [m, n, k] in shapes {
        for (right, gap) in [("%j, %k", 0), ("%k, %j", 0), ("%j, %k", 1), ("%j, %k", 2)] {
            let (rows, width) = (m, k + gap);
            let w = if right == "%j, %k" { [n, k] } else { [k, n] };
            let x = format!("memref<{rows}x{k}xbf16, strided<[{width}, 1]>>");
            let [w0, w1] = w;
            let source = format!(
                "func.func @f(%x: {x}, %w: memref<{w0}x{w1}xbf16>, %y: memref<{m}x{n}xf32>) {{
                   loop.reduction add (%i = {m}, %j = {n}) over (%k = {k}) into %y {{
                     %a = loop.load %x[%i, %k] : {x}
                     %b = loop.load %w[{right}] : memref<{w0}x{w1}xbf16>
                     %c = arith.extf %a : bf16 to f32
                     %d = arith.extf %b : bf16 to f32
                     %e = arith.mulf %c, %d : f32
                     loop.yield %e : f32
                   }} : memref<{m}x{n}xf32>
                   return
                 }}"
            );
            let narrow = |count, step| -> Vec<u16> {
                numbers(count, step).into_iter().map(|v| ((v as f32).to_bits() >> 16) as u16).collect()
            };
            let wide = |bits: u16| f32::from_bits(u32::from(bits) << 16);
            for (isa, cpu) in isas() {
                let session = compile_loops(&source, isa, &cpu);
                let (mut a, mut b, mut y) = (narrow(m * width, 37), narrow(n * k, 11), vec![0f32; m * n]);
                let sizes = |sizes: [usize; 2]| sizes.map(|n| n as i64);
                let args = [
                    bf16(&mut a, sizes([m, k]), width),
                    bf16(&mut b, sizes(w), w1),
                    buffer(&mut y, &sizes([m, n])),
                ];
                session.call(&terrace_native::Context::new(), "f", &args).unwrap();
                drop(args);
                let right = |p: usize, j: usize| if w == [n, k] { j * k + p } else { p * n + j };
                let term = |i: usize, j: usize, p: usize| wide(a[i * width + p]) * wide(b[right(p, j)]);
                let sum = |at: usize| (0..k).map(|p| term(at / n, at % n, p)).sum::<f32>();
                let expected: Vec<f32> = (0..m * n).map(sum).collect();
                assert_eq!(y, expected, "{m}x{k}x{n}, {right:?} {gap}, {isa}", right = w == [n, k]);
            }
        }
    }
}

/// A sum of products of loops, one factor computed, is the same as a template written by hand.
#[test]
fn a_recognized_product() {
    let source = "func.func @f(%x: memref<20x64xi32>, %w: memref<64x50xf32>, %y: memref<20x50xf32>) {
        loop.reduction add (%i = 20, %j = 50) over (%k = 64) into %y {
          %a = loop.load %x[%i, %k] : memref<20x64xi32>
          %b = loop.load %w[%k, %j] : memref<64x50xf32>
          %f = arith.sitofp %a : i32 to f32
          %c = arith.mulf %b, %f : f32
          loop.yield %c : f32
        } : memref<20x50xf32>
        return
      }";
    for (isa, cpu) in isas() {
        let session = compile_loops(source, isa, &cpu);
        let mut x: Vec<i32> = numbers(20 * 64, 37).into_iter().map(|v| v as i32).collect();
        let mut w: Vec<f32> = numbers(64 * 50, 11).into_iter().map(|v| v as f32).collect();
        let mut y = vec![0f32; 20 * 50];
        let args = [buffer(&mut x, &[20, 64]), buffer(&mut w, &[64, 50]), buffer(&mut y, &[20, 50])];
        session.call(&terrace_native::Context::new(), "f", &args).unwrap();
        drop(args);
        let sum = |i: usize, j: usize| (0..64).map(|k| x[i * 64 + k] as f32 * w[k * 50 + j]).sum();
        let expected: Vec<f32> = (0..20 * 50).map(|p| sum(p / 50, p % 50)).collect();
        assert_eq!(y, expected, "{isa}");
    }
}

/// Two products with what is between them, in a group: blocks of rows, whatever is left over of them and of
/// columns.
fn blocks_of_rows<T: terrace_native::Element + Copy>(element: &str, from: fn(f64) -> T, to: fn(T) -> f64) {
    for [b, m, n, k, d] in [[2, 67, 45, 5, 19], [1, 6, 33, 2, 8], [3, 14, 32, 16, 16], [1, 130, 70, 7, 40]] {
        let source = format!(
            "func.func @f(%q: memref<{b}x{m}x{k}xf32>, %k: memref<{b}x{n}x{k}xf32>, %v: memref<{b}x{n}x{d}xf32>,
                          %y0: memref<{b}x{m}x{d}xf32>) {{
               loop.group (%h = {b}, %i = {m}) into (%y0 as %y : memref<{b}x{m}x{d}xf32>) {{
                 %s = loop.reduction add (%j = {n}) over (%l = {k}) {{
                   %a = loop.load %q[%h, %i, %l] : memref<{b}x{m}x{k}xf32>
                   %c = loop.load %k[%h, %j, %l] : memref<{b}x{n}x{k}xf32>
                   %p = arith.mulf %a, %c : f32
                   loop.yield %p : f32
                 }} : tensor<{n}xf32>
                 %m = loop.reduction max over (%j = {n}) {{
                   %a = loop.load %s[%j] : tensor<{n}xf32>
                   loop.yield %a : f32
                 }} : f32
                 %p = loop.pointwise (%j = {n}) {{
                   %a = loop.load %s[%j] : tensor<{n}xf32>
                   %c = arith.subf %a, %m : f32
                   loop.yield %c : f32
                 }} : tensor<{n}xf32>
                 %o = loop.reduction add (%e = {d}) over (%j = {n}) {{
                   %a = loop.load %p[%j] : tensor<{n}xf32>
                   %c = loop.load %v[%h, %j, %e] : memref<{b}x{n}x{d}xf32>
                   %p0 = arith.mulf %a, %c : f32
                   loop.yield %p0 : f32
                 }} : tensor<{d}xf32>
                 loop.in_parallel {{
                   loop.insert %o into %y at [%h, %i, :] : tensor<{d}xf32> into memref<{b}x{m}x{d}xf32>
                 }}
               }}
               return
             }}"
        );
        let source = source.replace("f32", element);
        let [q, keys, v] = [numbers(b * m * k, 37), numbers(b * n * k, 11), numbers(b * n * d, 7)];
        let mut expected = vec![];
        for (h, i) in (0..b).flat_map(|h| (0..m).map(move |i| (h, i))) {
            let sum = |j| (0..k).map(|l| q[(h * m + i) * k + l] * keys[(h * n + j) * k + l]).sum();
            let scores: Vec<f64> = (0..n).map(sum).collect();
            let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let one = |e| (0..n).map(|j| (scores[j] - most) * v[(h * n + j) * d + e]).sum::<f64>();
            expected.extend((0..d).map(one));
        }
        for (isa, cpu) in isas() {
            let session = compile_loops(&source, isa, &cpu);
            let mut data = [q.clone(), keys.clone(), v.clone(), vec![0.0; b * m * d]]
                .map(|values| values.into_iter().map(from).collect::<Vec<T>>());
            let sizes = [[b, m, k], [b, n, k], [b, n, d], [b, m, d]].map(|sizes| sizes.map(|n| n as i64));
            let args: Vec<_> = data.iter_mut().zip(&sizes).map(|(data, sizes)| buffer(data, sizes)).collect();
            session.call(&terrace_native::Context::new(), "f", &args).unwrap();
            drop(args);
            let got: Vec<f64> = data[3].iter().map(|v| to(*v)).collect();
            assert_eq!(got, expected, "{b} {m} {n} {k} {d}, {element}, {isa}");
        }
    }
}

#[test]
fn blocks_of_rows_of_f32() {
    blocks_of_rows::<f32>("f32", |v| v as f32, f64::from);
}

#[test]
fn blocks_of_rows_of_f64() {
    blocks_of_rows::<f64>("f64", |v| v, |v| v);
}
