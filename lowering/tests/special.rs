//! Functions of f64, and those that `math` does not have, compiled, against a reference of more digits, over
//! inputs of all sizes.
//!
//! `special/reference.txt` has inputs and values; `special/reference.py` says how they were computed.

mod common;

use common::{buffer, compile_graph, isas};

const REFERENCE: &str = include_str!("special/reference.txt");

/// The inputs and values of a function.
fn reference(function: &str) -> Vec<(f64, f64)> {
    let number = |text: &str| f64::from_bits(u64::from_str_radix(text, 16).unwrap());
    let rows = REFERENCE.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    rows.filter(|row| row[0] == function).map(|row| (number(row[1]), number(row[2]))).collect()
}

fn program(function: &str, dtype: &str, count: usize) -> String {
    let ty = format!("!graph.tensor<{count}x{dtype}>");
    format!(
        "func.func @main(%x: {ty} {{graph.storage = \"x\"}}, %y: {ty} {{graph.storage = \"y\"}}) {{
           %0 = graph.{function} %x : {ty}
           %1 = graph.copy_ %y, %0 : {ty}, {ty}
           return
         }}"
    )
}

/// How many units in the last place a number is from another, of those next to the larger of it and `least`.
fn ulps(got: f64, exact: f64, digits: i32, smallest: i32, least: f64) -> f64 {
    if got == exact || got.is_nan() && exact.is_nan() {
        return 0.0;
    }
    if !(got.is_finite() && exact.is_finite()) {
        return f64::INFINITY;
    }
    let exponent = exact.abs().max(least).max(2f64.powi(smallest)).log2().floor() as i32;
    (got - exact).abs() / f64::from((exponent - digits).max(-1074)).exp2()
}

/// A function, its bounds in ULP for f32 and f64, and the least result that they are of, by the input and the
/// result.
type Row = (&'static str, f64, f64, fn(f64, f64) -> f64);

const FUNCTIONS: [Row; 7] = [
    ("exp", 1.3, 1.0, |_, _| 0.0),
    ("log", 1.0, 1.0, |_, _| 0.0),
    ("digamma", 0.51, 8.0, |x, value| if x < 0.0 { (value * value).max(1.0) } else { 1.0 }),
    ("lgamma", 0.51, 8.0, |x, _| if x < 0.0 { 1.0 } else { 0.0 }),
    ("erfinv", 0.51, 8.0, |_, _| 0.0),
    ("i0", 0.51, 8.0, |_, _| 0.0),
    ("special_i0e", 0.51, 8.0, |_, _| 0.0),
];

#[test]
fn f64_keeps_its_bounds() {
    for (function, _, bound, least) in FUNCTIONS {
        let rows = reference(function);
        for (isa, cpu) in isas() {
            let session = compile_graph(&program(function, "f64", rows.len()), isa, &cpu);
            let mut x: Vec<f64> = rows.iter().map(|row| row.0).collect();
            let mut y = vec![0f64; x.len()];
            let sizes = [x.len() as i64];
            session
                .call(
                    &terrace_native::Context::new(),
                    "main",
                    &[buffer(&mut x, &sizes), buffer(&mut y, &sizes)],
                )
                .unwrap();
            let error = |i: usize| ulps(y[i], rows[i].1, 52, -1022, least(rows[i].0, rows[i].1));
            let worst = (0..rows.len()).max_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap();
            let (x, exact) = rows[worst];
            println!("{function:8} f64 {isa}: {:.2} ULP at {x:e}", error(worst));
            assert!(error(worst) <= bound, "{function}({x:e}) = {:e}, not {exact:e}", y[worst]);
        }
    }
}

/// What an f32 is rounded from is off by little: the bound is that of the rounding, but where the reference
/// is no f32.
#[test]
fn f32_is_rounded_once() {
    for (function, bound, _, least) in FUNCTIONS {
        let rows: Vec<_> =
            reference(function).into_iter().filter(|(x, _)| f64::from(*x as f32) == *x).collect();
        assert!(rows.len() > 200);
        for (isa, cpu) in isas() {
            let session = compile_graph(&program(function, "f32", rows.len()), isa, &cpu);
            let mut x: Vec<f32> = rows.iter().map(|row| row.0 as f32).collect();
            let mut y = vec![0f32; x.len()];
            let sizes = [x.len() as i64];
            session
                .call(
                    &terrace_native::Context::new(),
                    "main",
                    &[buffer(&mut x, &sizes), buffer(&mut y, &sizes)],
                )
                .unwrap();
            let error = |i: usize| match rows[i].1 as f32 {
                rounded if rounded.is_infinite() && rounded == y[i] => 0.0,
                _ => ulps(y[i].into(), rows[i].1, 23, -126, least(rows[i].0, rows[i].1)),
            };
            let worst = (0..rows.len()).max_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap();
            let (x, exact) = rows[worst];
            println!("{function:8} f32 {isa}: {:.3} ULP at {x:e}", error(worst));
            assert!(error(worst) <= bound, "{function}({x:e}) = {:e}, not {exact:e}", y[worst]);
        }
    }
}
