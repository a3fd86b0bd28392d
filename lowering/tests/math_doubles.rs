//! The functions on f64 that a GPU has, run on this processor, against libm's; and those on f32 that come by
//! way of them.
#![cfg(target_arch = "x86_64")]

use melior::{
    Context,
    dialect::DialectRegistry,
    ir::Module,
    pass::PassManager,
    utility::{parse_pass_pipeline, register_all_dialects, register_all_passes},
};
use terrace_lowering::llvm::math::{Target, expand_all};
use terrace_native::{Arg, Code, Cpu, Element, Loaded, MemRef, OptLevel, export};

const LOWER: &str = "builtin.module(convert-scf-to-cf,expand-strided-metadata,convert-vector-to-llvm,\
    finalize-memref-to-llvm,convert-ub-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,convert-math-to-llvm,\
    convert-func-to-llvm,reconcile-unrealized-casts)";

/// A function of two arrays on vectors of four; None: this processor has no fused multiply-add.
fn compile(op: &str, arguments: &str, element: &str) -> Option<Loaded> {
    let cpu = "x86-64-v3".parse::<Cpu>().unwrap();
    cpu.runs_here().ok()?;
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    register_all_passes();
    let source = format!(
        "func.func @f(%xs: memref<?x{element}>, %ys: memref<?x{element}>, %out: memref<?x{element}>, %n: index) {{
           %c0 = arith.constant 0 : index
           %c4 = arith.constant 4 : index
           scf.for %i = %c0 to %n step %c4 {{
             %x = vector.load %xs[%i] : memref<?x{element}>, vector<4x{element}>
             %y = vector.load %ys[%i] : memref<?x{element}>, vector<4x{element}>
             %r = {op} {arguments} : vector<4x{element}>
             vector.store %r, %out[%i] : memref<?x{element}>, vector<4x{element}>
           }}
           return
         }}",
    );
    let mut module = Module::parse(&context, &source).unwrap();
    let signatures = export(&module).unwrap();
    let target = Target { fma: true, avx512: false, nvptx: true };
    assert_eq!(expand_all(module.as_operation(), target), 1, "{op} on {element}");
    let manager = PassManager::new(&context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), LOWER).unwrap();
    manager.run(&mut module).unwrap();
    Some(Loaded::load(&Code::x86(&module, signatures, &cpu, OptLevel::Fast).unwrap()).unwrap())
}

fn apply<T: Element + Default>(session: &Loaded, x: &[T], y: &[T]) -> Vec<T> {
    let (mut x, mut y, mut out) = (x.to_vec(), y.to_vec(), vec![T::default(); x.len()]);
    let n = [x.len() as i64];
    let [x, y, result] = [&mut x, &mut y, &mut out].map(|d| Arg::MemRef(MemRef::from_slice(d, &n).unwrap()));
    session
        .call(
            &terrace_native::Context::new(),
            "f",
            &[x, y, result, Arg::Scalar(terrace_tensor::Scalar::Int(n[0]))],
        )
        .unwrap();
    out
}

/// The distance in units of the last place.
fn ulps(got: f64, exact: f64) -> f64 {
    if got.is_nan() || exact.is_nan() {
        return if got.is_nan() && exact.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == exact {
        return if got.is_sign_negative() == exact.is_sign_negative() { 0.0 } else { f64::INFINITY };
    }
    let order = |v: f64| if v < 0.0 { i64::MIN.wrapping_sub(v.to_bits() as i64) } else { v.to_bits() as i64 };
    i128::from(order(got)).abs_diff(i128::from(order(exact))) as f64
}

/// Numbers of every sign and exponent, those of common use more often, and the edges.
fn inputs() -> Vec<f64> {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ (state >> 29)
    };
    let mut x: Vec<f64> = (0..40_000).map(|_| f64::from_bits(random())).collect();
    for range in [0.7, 1.5, 10.0, 100.0, 800.0, 1e6, 1e12] {
        x.extend((0..10_000).map(|_| (random() as f64 / 2f64.powi(63) - 1.0) * range));
    }
    let edges = [0.0, 1.0, 0.5, 2.0, 3.0, 1e-310, 5e-324, 709.78, 745.1, 1e300, f64::MAX, f64::MIN_POSITIVE];
    let more =
        [f64::INFINITY, f64::NAN, 1_647_000.0, 22.0, 28.0, 27.2, 0.41421356237309503, 1e-20, 268435456.0];
    x.extend(
        edges
            .into_iter()
            .chain(more)
            .flat_map(|v| [v, -v, v * (1.0 + f64::EPSILON), v * (1.0 - f64::EPSILON)]),
    );
    for i in 1..2000 {
        x.extend([f64::from(i) * std::f64::consts::FRAC_PI_2, f64::from(i), -f64::from(i)]);
    }
    x.resize(x.len().next_multiple_of(4), 1.0);
    x
}

/// A function of one number.
type One = fn(f64) -> f64;
/// A function of two.
type Two = fn(f64, f64) -> f64;

/// What holds a function to: libm's is itself wrong by up to one.
const FUNCTIONS: [(&str, One, f64); 22] = [
    ("exp", libm::exp, 2.0),
    ("exp2", libm::exp2, 3.0),
    ("expm1", libm::expm1, 5.0),
    ("log", libm::log, 2.0),
    ("log2", libm::log2, 3.0),
    ("log10", libm::log10, 3.0),
    ("log1p", libm::log1p, 5.0),
    ("sin", libm::sin, 2.0),
    ("cos", libm::cos, 2.0),
    ("tan", libm::tan, 4.0),
    ("asin", libm::asin, 4.0),
    ("acos", libm::acos, 4.0),
    ("atan", libm::atan, 2.0),
    ("sinh", libm::sinh, 6.0),
    ("cosh", libm::cosh, 6.0),
    ("tanh", libm::tanh, 6.0),
    ("asinh", libm::asinh, 7.0),
    ("acosh", |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) }, 7.0),
    ("atanh", libm::atanh, 7.0),
    ("erf", libm::erf, 3.0),
    ("erfc", libm::erfc, 7.0),
    ("rsqrt", |x| 1.0 / x.sqrt(), 2.0),
];

#[test]
fn functions_of_one_argument() {
    let x = inputs();
    for (name, reference, bound) in FUNCTIONS {
        let Some(session) = compile(&format!("math.{name}"), "%x", "f64") else { return };
        let got = apply(&session, &x, &x);
        let errors = x.iter().zip(&got).map(|(x, got)| (ulps(*got, reference(*x)), *x, *got));
        let (error, at, got) = errors.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        println!("{name:8} {error} ULP at {at:e}");
        assert!(error <= bound, "{name}: {error} ULP at {at:e}: {got:e}, not {:e}", reference(at));
    }
}

#[test]
fn functions_of_two_arguments() {
    let x = inputs();
    let mut y = x.clone();
    y.rotate_left(x.len() / 3);
    // The same of powers that are in range, of quotients that are small, and of the edges with each other.
    let (mut near_x, mut near_y) = (x.clone(), vec![]);
    for (i, x) in near_x.iter_mut().enumerate() {
        *x = x.abs().clamp(1e-300, 1e300) * if i % 3 == 0 { -1.0 } else { 1.0 };
        let power = ((i % 1400) as f64 - 700.0) / x.abs().ln();
        near_y.push(if i % 3 == 0 { power.round() } else { power });
    }
    let edges =
        [0.0, 1.0, -1.0, 0.5, 2.0, 3.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -0.0, -2.5, 5e-324];
    for a in edges {
        near_x.extend([a; 12]);
        near_y.extend(edges);
    }
    let two: [(&str, Two, f64); 3] =
        [("math.powf", libm::pow, 2.0), ("math.atan2", libm::atan2, 4.0), ("arith.remf", |x, y| x % y, 0.0)];
    for (name, reference, bound) in two {
        let Some(session) = compile(name, "%x, %y", "f64") else { return };
        for (x, y) in [(&x, &y), (&near_x, &near_y)] {
            let got = apply(&session, x, y);
            let errors = (0..x.len()).map(|i| (ulps(got[i], reference(x[i], y[i])), i));
            let (error, i) = errors.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            println!("{name:10} {error} ULP at {:e}, {:e}", x[i], y[i]);
            let exact = reference(x[i], y[i]);
            assert!(
                error <= bound,
                "{name}: {error} ULP at {:e}, {:e}: {:e}, not {exact:e}",
                x[i],
                y[i],
                got[i]
            );
        }
    }
}

#[test]
fn powers_of_integers() {
    let Some(session) = compile("math.ipowi", "%x, %y", "i64") else { return };
    let (mut x, mut y) = (vec![], vec![]);
    for base in [0i64, 1, -1, 2, -2, 3, -7, 10, i64::MAX, i64::MIN] {
        for power in [0i64, 1, 2, 3, 5, 31, 62, 63, 64, 1000] {
            x.push(base);
            y.push(power);
        }
    }
    let got = apply(&session, &x, &y);
    for (i, got) in got.into_iter().enumerate() {
        assert_eq!(got, x[i].wrapping_pow(y[i] as u32), "{}^{}", x[i], y[i]);
    }
    let got = apply(&session, &[1i64, -1, -1, 2], &[-3i64, -3, -4, -1]);
    assert_eq!(got, [1, -1, 1, 0]);
}

/// In f64 and rounded: right but for what rounding twice does.
#[test]
fn floats_by_way_of_doubles() {
    let x: Vec<f32> = (0..=u32::MAX).step_by(65_537).map(f32::from_bits).chain([0.0, -0.0, 1.0]).collect();
    let x = &x[..x.len() / 4 * 4];
    for (name, reference, _) in FUNCTIONS.iter().filter(|(name, ..)| FLOATS.contains(name)) {
        let Some(session) = compile(&format!("math.{name}"), "%x", "f32") else { return };
        for (x, got) in x.iter().zip(apply(&session, x, x)) {
            let exact = reference(f64::from(*x)) as f32;
            let near = got.to_bits().abs_diff(exact.to_bits()) <= 1 || got.is_nan() && exact.is_nan();
            assert!(near, "{name} of {x:e}: {got:e}, not {exact:e}");
        }
    }
}

/// The same of two arguments: all patterns of bits with others, and the edges with each other.
#[test]
fn floats_of_two_arguments() {
    let mut x: Vec<f32> = (0..=u32::MAX).step_by(65_537).map(f32::from_bits).collect();
    let mut y = x.clone();
    y.rotate_left(x.len() / 3);
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        3.0,
        1e-45,
        f32::MAX,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        16_777_217.0,
    ];
    for a in edges {
        x.extend([a; 12]);
        y.extend(edges);
    }
    x.truncate(x.len() / 4 * 4);
    y.truncate(x.len());
    let two: [(&str, Two, u32); 2] = [("math.atan2", libm::atan2, 1), ("arith.remf", |x, y| x % y, 0)];
    for (name, reference, bound) in two {
        let Some(session) = compile(name, "%x, %y", "f32") else { return };
        for ((x, y), got) in x.iter().zip(&y).zip(apply(&session, &x, &y)) {
            let exact = reference(f64::from(*x), f64::from(*y)) as f32;
            let near = got.to_bits().abs_diff(exact.to_bits()) <= bound || got.is_nan() && exact.is_nan();
            assert!(near, "{name} of {x:e}, {y:e}: {got:e}, not {exact:e}");
        }
    }
}

const FLOATS: [&str; 10] = ["tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "erfc"];
