//! Loop operations on buffers as machine code, against plain loops. Values are exact in their dtype.

mod common;
use common::*;

const SIZES: [[usize; 2]; 8] = [[1, 1], [1, 70], [70, 1], [3, 17], [17, 3], [33, 65], [100, 7], [2, 1000]];

/// Small integers.
fn numbers(count: usize) -> Vec<i64> {
    (0..count as i64).map(|i| (i * 37) % 23 - 11).collect()
}

/// The sums along a dimension of an `n` by `m` matrix.
fn scanned(x: &[i64], [n, m]: [usize; 2], dim: usize, exclusive: bool, reverse: bool) -> Vec<i64> {
    let at = |i: usize, j: usize| x[i * m + j];
    let one = |i: usize, j: usize| -> i64 {
        let (own, size) = if dim == 0 { (i, n) } else { (j, m) };
        let counts = |k: &usize| (if reverse { *k >= own } else { *k <= own }) && !(exclusive && *k == own);
        (0..size).filter(counts).map(|k| if dim == 0 { at(k, j) } else { at(i, k) }).sum()
    };
    (0..n * m).map(|p| one(p / m, p % m)).collect()
}

#[test]
fn scans_along_each_dimension() {
    let modes = ["", "exclusive", "reverse", "exclusive reverse"];
    let mut source = String::new();
    for [n, m] in SIZES {
        for (mode, words) in modes.iter().enumerate() {
            for (dim, along) in ["%i", "%j"].iter().enumerate() {
                source += &format!(
                    "func.func @f{n}_{m}_{mode}_{dim}(%x: memref<{n}x{m}xi64>, %y: memref<{n}x{m}xi64>) {{
                       loop.scan add {words} (%i = {n}, %j = {m}) along {along} into %y {{
                         %a = loop.load %x[%i, %j] : memref<{n}x{m}xi64>
                         loop.yield %a : i64
                       }} : memref<{n}x{m}xi64>
                       return
                     }}\n"
                );
            }
        }
    }
    for (isa, cpu) in isas() {
        let session = compile_loops(&source, isa, &cpu);
        for [n, m] in SIZES {
            for (mode, words) in modes.iter().enumerate() {
                for dim in 0..2 {
                    let (mut x, mut y) = (numbers(n * m), vec![0; n * m]);
                    let sizes = [n as i64, m as i64];
                    let name = format!("f{n}_{m}_{mode}_{dim}");
                    session
                        .call(
                            &terrace_native::Context::new(),
                            &name,
                            &[buffer(&mut x, &sizes), buffer(&mut y, &sizes)],
                        )
                        .unwrap();
                    let expected =
                        scanned(&x, [n, m], dim, words.contains("exclusive"), words.contains("reverse"));
                    assert_eq!(y, expected, "{n}x{m}, '{words}' along {dim}, {isa}");
                }
            }
        }
    }
}

#[test]
fn a_scan_runs_in_place() {
    let source = "func.func @f(%x: memref<5x40xf32>) {
        loop.scan max (%i = 5, %j = 40) along %j into %x {
          %a = loop.load %x[%i, %j] : memref<5x40xf32>
          loop.yield %a : f32
        } : memref<5x40xf32>
        return
      }";
    for (isa, cpu) in isas() {
        let session = compile_loops(source, isa, &cpu);
        let mut x: Vec<f32> = numbers(200).into_iter().map(|v| v as f32).collect();
        let greatest = |row: &[f32]| -> Vec<f32> {
            row.iter().scan(f32::NEG_INFINITY, |m, v| Some(std::mem::replace(m, m.max(*v)).max(*v))).collect()
        };
        let expected: Vec<f32> = x.chunks(40).flat_map(greatest).collect();
        session.call(&terrace_native::Context::new(), "f", &[buffer(&mut x, &[5, 40])]).unwrap();
        assert_eq!(x, expected, "{isa}");
    }
}

/// Orders and tiles change how a domain is run through, and nothing else.
#[test]
fn schedules_keep_the_meaning() {
    let orders = ["", "order [0, 1]", "order [1, 0]"];
    let mut programs = vec![];
    for [n, m] in SIZES {
        for order in orders {
            for tile in [[1, 1], [n, m], [2, 3], [7, 24], [1, 64], [16, 1]] {
                let (a, b) = (tile[0].min(n), tile[1].min(m));
                programs.push(([n, m], format!("{order} tile [{a}, {b}]"), format!("{order} tile [{a}]")));
            }
        }
    }
    let source: String = programs
        .iter()
        .enumerate()
        .map(|(p, ([n, m], pointwise, reduction))| {
            format!(
                "func.func @f{p}(%x: memref<{n}x{m}xi64>, %y: memref<{n}x{m}xi64>, %z: memref<{n}xi64>) {{
                   loop.pointwise (%i = {n}, %j = {m}) into %y {{
                     %a = loop.load %x[%i, %j] : memref<{n}x{m}xi64>
                     %b = arith.addi %a, %a : i64
                     loop.yield %b : i64
                   }} {pointwise} : memref<{n}x{m}xi64>
                   loop.reduction add (%i = {n}) over (%j = {m}) into %z {{
                     %a = loop.load %y[%i, %j] : memref<{n}x{m}xi64>
                     loop.yield %a : i64
                   }} {reduction} : memref<{n}xi64>
                   return
                 }}\n"
            )
        })
        .collect();
    for (isa, cpu) in isas() {
        let session = compile_loops(&source, isa, &cpu);
        for (p, ([n, m], pointwise, _)) in programs.iter().enumerate() {
            let (mut x, mut y, mut z) = (numbers(n * m), vec![0; n * m], vec![0; *n]);
            let sizes = [*n as i64, *m as i64];
            let args = [buffer(&mut x, &sizes), buffer(&mut y, &sizes), buffer(&mut z, &sizes[..1])];
            session.call(&terrace_native::Context::new(), &format!("f{p}"), &args).unwrap();
            let doubled: Vec<i64> = x.iter().map(|v| v * 2).collect();
            assert_eq!(y, doubled, "{n}x{m} {pointwise}, {isa}");
            let sums: Vec<i64> = doubled.chunks(*m).map(|row| row.iter().sum()).collect();
            assert_eq!(z, sums, "{n}x{m} {pointwise}, {isa}");
        }
    }
}

/// Sums by row and by diagonal, and the last element of each diagonal.
#[test]
fn points_that_meet() {
    let mut source = String::new();
    for [n, m] in SIZES {
        let diagonals = n + m - 1;
        source += &format!(
            "func.func @f{n}_{m}(%x: memref<{n}x{m}xi64>, %r: memref<3x{m}xi64>, %d: memref<{diagonals}xi64>,
                                 %l: memref<{diagonals}xi64>) {{
               loop.scatter add (%i = {n}, %j = {m}) into %r {{
                 %a = loop.load %x[%i, %j] : memref<{n}x{m}xi64>
                 loop.yield %a at [%i mod 3, %j] : i64
               }} : memref<3x{m}xi64>
               loop.scatter add (%i = {n}, %j = {m}) into %d {{
                 %a = loop.load %x[%i, %j] : memref<{n}x{m}xi64>
                 loop.yield %a at [%i + %j] : i64
               }} : memref<{diagonals}xi64>
               loop.scatter ordered (%i = {n}, %j = {m}) into %l {{
                 %a = loop.load %x[%i, %j] : memref<{n}x{m}xi64>
                 loop.yield %a at [%i + %j] : i64
               }} order [1, 0] : memref<{diagonals}xi64>
               return
             }}\n"
        );
    }
    for (isa, cpu) in isas() {
        let session = compile_loops(&source, isa, &cpu);
        for [n, m] in SIZES {
            let diagonals = n + m - 1;
            let (mut x, mut rows) = (numbers(n * m), numbers(3 * m));
            let (mut sums, mut last) = (numbers(diagonals), vec![0; diagonals]);
            let mut expected = (rows.clone(), sums.clone(), last.clone());
            for (p, a) in x.iter().enumerate() {
                let (i, j) = (p / m, p % m);
                expected.0[i % 3 * m + j] += a;
                expected.1[i + j] += a;
                expected.2[i + j] = *a;
            }
            let (size, width) = (diagonals as i64, m as i64);
            let arguments = [
                buffer(&mut x, &[n as i64, width]),
                buffer(&mut rows, &[3, width]),
                buffer(&mut sums, &[size]),
                buffer(&mut last, &[size]),
            ];
            session.call(&terrace_native::Context::new(), &format!("f{n}_{m}"), &arguments).unwrap();
            assert_eq!((rows, sums, last), expected, "{n}x{m}, {isa}");
        }
    }
}
