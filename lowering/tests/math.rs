//! Every expansion against f64 references, over inputs of all exponents, on each kind of target.

use melior::{
    Context,
    dialect::DialectRegistry,
    ir::Module,
    pass::PassManager,
    utility::{parse_pass_pipeline, register_all_dialects, register_all_passes},
};
use terrace_lowering::llvm::math::{Target, expand_all};
use terrace_native::{Arg, Code, Cpu, Loaded, MemRef, OptLevel, export};

const LOWER: &str = "builtin.module(convert-vector-to-scf,convert-scf-to-cf,expand-strided-metadata,\
    convert-vector-to-llvm,finalize-memref-to-llvm,convert-math-to-llvm,convert-ub-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,\
    convert-func-to-llvm,reconcile-unrealized-casts)";

/// A function on blocks of a shape; everything else about the shapes is in its text.
fn program(op: &str, operands: usize, shape: &str) -> String {
    let (element, block) = if shape.is_empty() { ("f32", 1) } else { (shape, lanes(shape)) };
    let load = |name: &str| match shape {
        "" => format!("%{name} = memref.load %in_{name}[%i] : memref<?xf32>\n"),
        _ => format!(
            "%{name}_flat = vector.load %in_{name}[%i] : memref<?xf32>, vector<{block}xf32>
             %{name} = vector.shape_cast %{name}_flat : vector<{block}xf32> to {element}\n"
        ),
    };
    let store = match shape {
        "" => "memref.store %r, %out[%i] : memref<?xf32>".to_owned(),
        _ => format!(
            "%r_flat = vector.shape_cast %r : {element} to vector<{block}xf32>
             vector.store %r_flat, %out[%i] : memref<?xf32>, vector<{block}xf32>"
        ),
    };
    let loads = if operands == 2 { load("x") + &load("y") } else { load("x") };
    let arguments = if operands == 2 { "%x, %y" } else { "%x" };
    format!(
        "func.func @f(%in_x: memref<?xf32>, %in_y: memref<?xf32>, %out: memref<?xf32>, %n: index) {{
           %c0 = arith.constant 0 : index
           %step = arith.constant {block} : index
           scf.for %i = %c0 to %n step %step {{
             {loads}
             %r = {op} {arguments} : {element}
             {store}
           }}
           return
         }}"
    )
}

fn lanes(shape: &str) -> usize {
    let inner = shape.trim_start_matches("vector<").trim_end_matches("xf32>");
    inner.split('x').map(|d| d.parse::<usize>().unwrap()).product()
}

fn compile(op: &str, operands: usize, shape: &str, target: Target, cpu: &Cpu) -> Loaded {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    register_all_passes();
    let mut module = Module::parse(&context, &program(op, operands, shape)).unwrap();
    let signatures = export(&module).unwrap();
    assert_eq!(expand_all(module.as_operation(), target), 1, "{op} on {shape}");
    if target.nvptx {
        module = Module::parse(&context, &on_a_processor(&module.as_operation().to_string())).unwrap();
    }
    let manager = PassManager::new(&context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), LOWER).unwrap();
    manager.run(&mut module).unwrap();
    Loaded::load(&Code::x86(&module, signatures, cpu, OptLevel::Fast).unwrap()).unwrap()
}

/// Intrinsics of a GPU as operations that compute the same on a processor.
fn on_a_processor(text: &str) -> String {
    const QUOTIENT: &str = "llvm.call_intrinsic \"llvm.nvvm.div.approx.ftz.f\"(";
    let line = |line: &str| match line.split_once(QUOTIENT) {
        Some((result, rest)) => format!("{result}arith.divf {} : f32\n", rest.split(')').next().unwrap()),
        None => line.replace("llvm.nvvm.ex2.approx.ftz", "llvm.exp2") + "\n",
    };
    text.lines().map(line).collect()
}

fn apply(session: &Loaded, x: &[f32], y: &[f32]) -> Vec<f32> {
    let (mut x, mut y, mut out) = (x.to_vec(), y.to_vec(), vec![0f32; x.len()]);
    let n = [x.len() as i64];
    let buffers = [&mut x, &mut y, &mut out].map(|data| Arg::MemRef(MemRef::from_slice(data, &n).unwrap()));
    let [x, y, result] = buffers;
    let count = Arg::Scalar(terrace_tensor::Scalar::Int(n[0]));
    session.call(&terrace_native::Context::new(), "f", &[x, y, result, count]).unwrap();
    out
}

/// The distance of `got` from `exact` in units of the last place of an f32 next to `exact`.
fn ulps(got: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if got.is_nan() || exact.is_nan() {
        return if got.is_nan() && exact.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == rounded {
        // Also the sign of a zero.
        return if got.is_sign_negative() == rounded.is_sign_negative() { 0.0 } else { f64::INFINITY };
    }
    // Beyond the largest float the next one would be 2^128.
    let number = |v: f32| if v.is_infinite() { 2f64.powi(128).copysign(v.into()) } else { v.into() };
    let exact = exact.clamp(-(2f64.powi(128)), 2f64.powi(128));
    let exponent = (exact.abs().max(f64::from(f32::MIN_POSITIVE))).log2().floor() as i32;
    (number(got) - exact).abs() / 2f64.powi(exponent.clamp(-126, 127) - 23)
}

/// Floats of every sign and exponent: one in `stride`, in steps that meet all patterns of bits; and the
/// edges.
fn inputs(stride: usize) -> Vec<f32> {
    let mut x: Vec<f32> = (0..=u32::MAX).step_by(stride).map(f32::from_bits).collect();
    let edges =
        [0.0, f32::MIN_POSITIVE, 1.0, f32::MAX, f32::INFINITY, f32::NAN, 0.5, 2.0, 1e-40, 88.72284, 87.33655];
    let more = [103.97208, 9.01, 0.6, 0.875, 3.92, 65536.0, 1.5, 3.0, 16777216.0, 16777215.0, 8388607.5];
    for edge in edges.into_iter().chain(more) {
        for step in -2i32..=2 {
            let near = f32::from_bits(edge.to_bits().wrapping_add_signed(step));
            x.extend([near, -near]);
        }
    }
    for i in 1..2000 {
        // The multiples of pi/2 and the integers are where signs and branches change.
        x.extend([(f64::from(i) * std::f64::consts::FRAC_PI_2) as f32, i as f32, -(i as f32)]);
    }
    x.resize(x.len().next_multiple_of(64), 1.0);
    x
}

struct Function {
    op: &'static str,
    reference: fn(f64) -> f64,
    bound: f64,
}

const FUNCTIONS: [Function; 12] = [
    Function { op: "math.exp", reference: f64::exp, bound: 1.3 },
    Function { op: "math.exp2", reference: f64::exp2, bound: 1.3 },
    Function { op: "math.expm1", reference: f64::exp_m1, bound: 1.5 },
    Function { op: "math.log", reference: f64::ln, bound: 1.0 },
    Function { op: "math.log2", reference: f64::log2, bound: 1.5 },
    Function { op: "math.log10", reference: f64::log10, bound: 1.5 },
    Function { op: "math.log1p", reference: f64::ln_1p, bound: 1.7 },
    Function { op: "math.tanh", reference: f64::tanh, bound: 1.5 },
    Function { op: "math.erf", reference: libm::erf, bound: 1.3 },
    Function { op: "math.sin", reference: f64::sin, bound: 1.7 },
    Function { op: "math.cos", reference: f64::cos, bound: 1.7 },
    Function { op: "math.rsqrt", reference: |x| 1.0 / x.sqrt(), bound: 1.7 },
];

/// Shapes and targets: AVX-512 with its own instructions, AVX2, a CPU without fused multiply-add, scalars,
/// two dimensions.
fn variants() -> Vec<(&'static str, Target, Cpu)> {
    let fused = Target { fma: true, avx512: false, nvptx: false };
    let all = [
        ("vector<16xf32>", Target { fma: true, avx512: true, nvptx: false }, "x86-64-v4"),
        ("vector<8xf32>", fused, "x86-64-v3"),
        ("vector<2x4xf32>", fused, "x86-64-v3"),
        ("", fused, "x86-64-v3"),
        ("vector<4xf32>", Target { fma: false, avx512: false, nvptx: false }, "x86-64"),
    ];
    all.into_iter()
        .map(|(shape, target, cpu)| (shape, target, cpu.parse::<Cpu>().unwrap()))
        .filter(|(_, _, cpu)| cpu.runs_here().is_ok())
        .collect()
}

/// The largest error of each session's function, with the input and the output.
fn worst(sessions: &[Loaded], x: &[f32], reference: fn(f64) -> f64) -> Vec<(f64, f32, f32)> {
    let exact: Vec<f64> = x.iter().map(|&x| reference(x.into())).collect();
    let worst = |session| {
        let got = apply(session, x, x);
        let errors = (0..x.len()).map(|i| (ulps(got[i], exact[i]), x[i], got[i]));
        errors.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
    };
    sessions.iter().map(worst).collect()
}

fn check(f: &Function, blocks: impl Iterator<Item = Vec<f32>>) {
    let variants = variants();
    let compile = |(shape, target, cpu): &(&str, Target, Cpu)| compile(f.op, 1, shape, *target, cpu);
    let sessions: Vec<_> = variants.iter().map(compile).collect();
    let mut all = vec![(0.0, 0.0, 0.0); sessions.len()];
    for x in blocks {
        for (worst, new) in all.iter_mut().zip(worst(&sessions, &x, f.reference)) {
            *worst = if new.0 > worst.0 { new } else { *worst };
        }
    }
    for ((shape, _, cpu), (error, at, got)) in variants.iter().zip(all) {
        println!("{:11} {shape:15} {cpu:9} {error:.3} ULP at {at:e}", f.op);
        let exact = (f.reference)(at.into());
        assert!(
            error <= f.bound,
            "{} on '{shape}' for {cpu}: {error:.2} ULP at {at:e} ({:#x}): {got:e}, not {exact:e}",
            f.op,
            at.to_bits()
        );
    }
}

/// What a GPU computes by powers of 2, with the library's for its instruction: what is left of the bound is
/// for the instruction.
#[test]
fn functions_by_powers_of_2_keep_their_bounds() {
    let x = inputs(16411);
    let cpu = "x86-64-v3".parse::<Cpu>().unwrap();
    if cpu.runs_here().is_err() {
        return;
    }
    for (op, bound) in [("math.exp", 1.8), ("math.exp2", 0.6), ("math.tanh", 1.5)] {
        let f = FUNCTIONS.iter().find(|f| f.op == op).unwrap();
        let target = Target { fma: true, avx512: false, nvptx: true };
        for shape in ["", "vector<4xf32>"] {
            let (error, at, got) = worst(&[compile(f.op, 1, shape, target, &cpu)], &x, f.reference)[0];
            println!("{op:11} {shape:15} {error:.3} ULP at {at:e}");
            assert!(error <= bound, "{op} on '{shape}': {error:.2} ULP at {at:e}: {got:e}");
        }
    }
}

#[test]
fn functions_of_one_argument_keep_their_bounds() {
    let x = inputs(16411);
    FUNCTIONS.iter().for_each(|f| check(f, [x.clone()].into_iter()));
}

/// Takes most of an hour: `cargo test --release -p terrace-lowering --test math
/// all_floats -- --ignored --nocapture`.
#[test]
#[ignore = "takes most of an hour"]
fn all_floats() {
    let block = |high: u32| (0..1 << 20).map(|low| f32::from_bits(high << 20 | low)).collect();
    FUNCTIONS.iter().for_each(|f| check(f, (0..1 << 12).map(block)));
}

#[test]
fn pow_is_ieees() {
    let special = [
        0.0,
        1.0,
        0.5,
        2.0,
        3.0,
        1.5,
        2.5,
        1e-40,
        1e-30,
        1e30,
        16777215.0,
        16777216.0,
        8388607.5,
        33554433.0,
        f32::MAX,
        f32::MIN_POSITIVE,
        f32::INFINITY,
        f32::NAN,
        0.33333334,
        10.0,
        100.0,
        126.0,
        127.0,
        128.0,
        149.0,
        150.0,
        151.0,
    ];
    let signed: Vec<f32> = special.iter().flat_map(|&v| [v, -v]).collect();
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for &a in &signed {
        for &b in &signed {
            x.push(a);
            y.push(b);
        }
    }
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / 2f64.powi(31)
    };
    for _ in 0..200_000 {
        // Bases of all exponents; the power keeps the result in and around the range of f32.
        let base = 2f64.powf(random() * 270.0 - 140.0) * (1.0 + random());
        let target = random() * 290.0 - 155.0;
        let power = match random() {
            r if r < 0.3 => (random() * 20.0).round() - 10.0,
            _ => target / base.log2(),
        };
        x.push(if random() < 0.3 { -base as f32 } else { base as f32 });
        y.push(power as f32);
        // Next to 1, where the power is large.
        x.push(1.0 + (random() as f32 - 0.5) / 64.0);
        y.push((random() * 20000.0 - 10000.0) as f32);
    }
    x.resize(x.len().next_multiple_of(64), 1.0);
    y.resize(x.len(), 1.0);
    for (shape, target, cpu) in variants() {
        let session = compile("math.powf", 2, shape, target, &cpu);
        let got = apply(&session, &x, &y);
        let mut worst = 0f64;
        for i in 0..x.len() {
            let exact = f64::from(x[i]).powf(y[i].into());
            let error = ulps(got[i], exact);
            assert!(
                error <= 0.6,
                "{cpu}: pow({:e}, {:e}) = {:e}, not {exact:e}: {error:.2} ULP",
                x[i],
                y[i],
                got[i]
            );
            worst = worst.max(error);
        }
        println!("math.powf   {shape:15} {cpu:10} {worst:.3} ULP");
    }
}
