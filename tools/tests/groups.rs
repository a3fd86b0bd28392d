//! Groups of loop operations, fused by hand: interpreted, and compiled for each CPU that runs here, from
//! tensors and on buffers, against plain loops in f64.

use melior::ir::Module;
use terrace_native::Cpu;
use terrace_session::{Fallback, Options, entry::Entry};
use terrace_tensor::{Dtype, Scalar, Tensor, Value};
use terrace_tools::{module, run};

/// Runs function `f` every way there is and hands arguments and results to a check; inputs are made anew for
/// each.
fn each(source: &str, inputs: impl Fn() -> Vec<Value>, check: impl Fn(&str, &[Value], &[Value])) {
    for how in ["interpret", "x86-64", "x86-64-v3", "x86-64-v4"] {
        let context = module::context();
        let module = Module::parse(&context, source).unwrap_or_else(|| panic!("no program:\n{source}"));
        let args = inputs();
        let results = if how == "interpret" {
            run::interpret(&module, Entry::find(&module, Some("f")).unwrap(), &args).expect("it runs")
        } else {
            let cpu: Cpu = how.parse().unwrap();
            if cpu.runs_here().is_err() {
                continue;
            }
            let options = Options { cpu, fallback: Fallback::Never, ..Options::default() };
            run::compiled(&context, module, "f", &args, options)
                .unwrap_or_else(|e| panic!("for {how}: {e}\n{source}"))
        };
        check(how, &args, &results);
    }
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_tensor().unwrap().to_vec().into_iter().map(Scalar::to_f64).collect()
}

/// Numbers between -2 and 2, exact in every dtype of floats.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|i| ((i * 7919 + 13) % 1021) as f64 / 256.0 - 2.0).collect()
}

fn tensor(dtype: Dtype, sizes: &[i64], elements: &[f64]) -> Value {
    Tensor::from_elements(dtype, sizes, elements).unwrap().into()
}

fn bools(sizes: &[i64], elements: &[bool]) -> Value {
    let elements: Vec<f64> = elements.iter().map(|b| f64::from(u8::from(*b))).collect();
    tensor(Dtype::Bool, sizes, &elements)
}

fn close(how: &str, dtype: Dtype, expected: &[f64], got: &[f64]) {
    let bound = if dtype == Dtype::F64 { 1e-12 } else { 2e-6 };
    assert_eq!(expected.len(), got.len(), "{how}");
    for (i, (e, g)) in expected.iter().zip(got).enumerate() {
        assert!((e - g).abs() <= bound * e.abs().max(1.0), "{how}: element {i} is {g}, expected {e}");
    }
}

/// The text of a program on tensors, and of the same one on buffers that are arguments.
fn both(inputs: &str, output: &str, group: impl Fn(&str) -> String) -> [String; 2] {
    let on_tensors = format!(
        "func.func @f({}) -> tensor<{output}> {{
           %e = tensor.empty() : tensor<{output}>
           %r = {}
           return %r : tensor<{output}>
         }}",
        inputs.replace("SHAPED", "tensor"),
        group("tensor")
    );
    let on_buffers = format!(
        "func.func @f({}, %e: memref<{output}>) {{
           {}
           return
         }}",
        inputs.replace("SHAPED", "memref"),
        group("memref")
    );
    [on_tensors, on_buffers]
}

/// Compares the result, or the last argument.
fn output(args: &[Value], results: &[Value]) -> Vec<f64> {
    floats(results.first().unwrap_or_else(|| args.last().unwrap()))
}

const SIZES: [(usize, usize); 6] = [(7, 1000), (3, 64), (5, 1), (1, 17), (64, 130), (2, 70000)];

fn types() -> [(Dtype, &'static str); 2] {
    [(Dtype::F32, "f32"), (Dtype::F64, "f64")]
}

#[test]
fn a_softmax_of_rows() {
    for ((n, m), (dtype, ty)) in SIZES.into_iter().flat_map(|s| types().map(|t| (s, t))) {
        if n * m > 100_000 && dtype == Dtype::F32 {
            continue;
        }
        let shape = format!("{n}x{m}x{ty}");
        let group = |sort: &str| {
            format!(
                "loop.group @softmax (%i = {n}) into (%e as %p : {sort}<{shape}>) {{
                   %max = loop.reduction max over (%j = {m}) {{
                     %a = loop.load %x[%i, %j] : {sort}<{shape}>
                     loop.yield %a : {ty}
                   }} : {ty}
                   %exp = loop.pointwise (%j = {m}) {{
                     %a = loop.load %x[%i, %j] : {sort}<{shape}>
                     %d = arith.subf %a, %max : {ty}
                     %v = math.exp %d : {ty}
                     loop.yield %v : {ty}
                   }} : tensor<{m}x{ty}>
                   %sum = loop.reduction add over (%j = {m}) {{
                     %v = loop.load %exp[%j] : tensor<{m}x{ty}>
                     loop.yield %v : {ty}
                   }} : {ty}
                   %out = loop.pointwise (%j = {m}) {{
                     %v = loop.load %exp[%j] : tensor<{m}x{ty}>
                     %q = arith.divf %v, %sum : {ty}
                     loop.yield %q : {ty}
                   }} : tensor<{m}x{ty}>
                   loop.in_parallel {{
                     loop.insert %out into %p at [%i, :] : tensor<{m}x{ty}> into {sort}<{shape}>
                   }}
                 }}"
            )
        };
        let x = numbers(n * m);
        let softmax = |row: &[f64]| -> Vec<f64> {
            let exp: Vec<f64> = row.iter().map(|v| v.exp()).collect();
            let sum: f64 = exp.iter().sum();
            exp.iter().map(|v| v / sum).collect()
        };
        let expected: Vec<f64> = x.chunks(m).flat_map(softmax).collect();
        let sizes = [n as i64, m as i64];
        for (i, source) in both(&format!("%x: SHAPED<{shape}>"), &shape, group).into_iter().enumerate() {
            let inputs = || {
                let mut all = vec![tensor(dtype, &sizes, &x)];
                all.extend((i == 1).then(|| tensor(dtype, &sizes, &vec![9.0; n * m])));
                all
            };
            each(&source, inputs, |how, args, results| {
                close(&format!("{shape} {how}"), dtype, &expected, &output(args, results));
            });
        }
    }
}

/// A group of `n` rows of `m` elements that are normed under a mask, on tensors or on buffers.
fn layer_norm_under_a_mask(n: usize, m: usize, ty: &str, sort: &str) -> String {
    let shape = format!("{n}x{m}x{ty}");
    format!(
        "loop.group @norm (%i = {n}) into (%e as %p : {sort}<{shape}>) {{
           %zero = arith.constant 0.0 : {ty}
           %one = arith.constant 1.0 : {ty}
           %least = arith.constant -1.5 : {ty}
           %keep = loop.pointwise (%j = {m}) {{
             %on = loop.load %m[%i, %j] : {sort}<{n}x{m}xi1>
             %a = loop.load %x[%i, %j] : {sort}<{shape}>
             %large = arith.cmpf ogt, %a, %least : {ty}
             %both = arith.andi %on, %large : i1
             loop.yield %both : i1
           }} : tensor<{m}xi1>
           %any = loop.reduction max over (%j = {m}) {{
             %k = loop.load %keep[%j] : tensor<{m}xi1>
             loop.yield %k : i1
           }} : i1
           %found = loop.reduction add over (%j = {m}) {{
             %k = loop.load %keep[%j] : tensor<{m}xi1>
             %c = arith.select %k, %one, %zero : {ty}
             loop.yield %c : {ty}
           }} : {ty}
           %count = arith.select %any, %found, %one : {ty}
           %sum = loop.reduction add over (%j = {m}) {{
             %k = loop.load %keep[%j] : tensor<{m}xi1>
             %a = loop.load %x[%i, %j] if %k else %zero : {sort}<{shape}>, {ty}
             loop.yield %a : {ty}
           }} : {ty}
           %mean = arith.divf %sum, %count : {ty}
           %centered = loop.pointwise (%j = {m}) {{
             %k = loop.load %keep[%j] : tensor<{m}xi1>
             %a = loop.load %x[%i, %j] : {sort}<{shape}>
             %d = arith.subf %a, %mean : {ty}
             %c = arith.select %k, %d, %zero : {ty}
             loop.yield %c : {ty}
           }} : tensor<{m}x{ty}>
           %squares = loop.reduction add over (%j = {m}) {{
             %c = loop.load %centered[%j] : tensor<{m}x{ty}>
             %s = arith.mulf %c, %c : {ty}
             loop.yield %s : {ty}
           }} : {ty}
           %variance = arith.divf %squares, %count : {ty}
           %eps = arith.constant 1.0e-5 : {ty}
           %v = arith.addf %variance, %eps : {ty}
           %scale = math.rsqrt %v : {ty}
           %out = loop.pointwise (%j = {m}) {{
             %c = loop.load %centered[%j] : tensor<{m}x{ty}>
             %weight = loop.load %w[%j] : {sort}<{m}x{ty}>
             %s = arith.mulf %c, %scale : {ty}
             %q = arith.mulf %s, %weight : {ty}
             loop.yield %q : {ty}
           }} : tensor<{m}x{ty}>
           loop.in_parallel {{
             loop.insert %out into %p at [%i, :] : tensor<{m}x{ty}> into {sort}<{shape}>
           }}
         }}"
    )
}

/// Layer norm of the elements that a mask has, where they are not too small: bools that are values of the
/// point, numbers between members, a weight for all rows. The others are 0.
#[test]
fn a_layer_norm_under_a_mask() {
    for ((n, m), (dtype, ty)) in [(7, 1000), (4, 33)].into_iter().flat_map(|s| types().map(|t| (s, t))) {
        let shape = format!("{n}x{m}x{ty}");
        let group = |sort: &str| layer_norm_under_a_mask(n, m, ty, sort);
        let (x, w) = (numbers(n * m), numbers(m));
        // The last row has nothing.
        let mask: Vec<bool> = (0..n * m).map(|i| i % 3 != 1 && i / m != n - 1).collect();
        let mut expected = vec![];
        for i in 0..n {
            let kept = |j: &usize| mask[i * m + j] && x[i * m + j] > -1.5;
            let values: Vec<f64> = (0..m).filter(kept).map(|j| x[i * m + j]).collect();
            let count = values.len().max(1) as f64;
            let mean = values.iter().sum::<f64>() / count;
            let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / count;
            let scale = 1.0 / (variance + 1e-5).sqrt();
            expected
                .extend((0..m).map(|j| if kept(&j) { (x[i * m + j] - mean) * scale * w[j] } else { 0.0 }));
        }
        let sizes = [n as i64, m as i64];
        let inputs = format!("%x: SHAPED<{shape}>, %m: SHAPED<{n}x{m}xi1>, %w: SHAPED<{m}x{ty}>");
        for (i, source) in both(&inputs, &shape, group).into_iter().enumerate() {
            let inputs = || {
                let mut all =
                    vec![tensor(dtype, &sizes, &x), bools(&sizes, &mask), tensor(dtype, &[m as i64], &w)];
                all.extend((i == 1).then(|| tensor(dtype, &sizes, &vec![9.0; n * m])));
                all
            };
            each(&source, inputs, |how, args, results| {
                close(&format!("{shape} {how}"), dtype, &expected, &output(args, results));
            });
        }
    }
}

/// Domains side by side in one group, one destination each; a scan and a reduction of columns among them.
#[test]
fn several_domains_in_one_group() {
    let source = "func.func @f(%x: tensor<5x77xf32>) -> (tensor<77xf32>, tensor<5x77xf32>, tensor<300xi32>) {
        %a = tensor.empty() : tensor<77xf32>
        %b = tensor.empty() : tensor<5x77xf32>
        %c = tensor.empty() : tensor<300xi32>
        %r:3 = loop.group () into (%a as %p : tensor<77xf32>, %b as %q : tensor<5x77xf32>, %c as %s : tensor<300xi32>) {
          %columns = loop.reduction add (%j = 77) over (%i = 5) {
            %v = loop.load %x[%i, %j] : tensor<5x77xf32>
            loop.yield %v : f32
          } : tensor<77xf32>
          %sums = loop.scan add (%i = 5, %j = 77) along %j {
            %v = loop.load %x[%i, %j] : tensor<5x77xf32>
            loop.yield %v : f32
          } : tensor<5x77xf32>
          %count = loop.pointwise (%k = 300) {
            %i = arith.index_cast %k : index to i32
            loop.yield %i : i32
          } : tensor<300xi32>
          loop.in_parallel {
            loop.insert %columns into %p at [:] : tensor<77xf32> into tensor<77xf32>
            loop.insert %sums into %q at [:, :] : tensor<5x77xf32> into tensor<5x77xf32>
            loop.insert %count into %s at [:] : tensor<300xi32> into tensor<300xi32>
          }
        }
        return %r#0, %r#1, %r#2 : tensor<77xf32>, tensor<5x77xf32>, tensor<300xi32>
      }";
    let x = numbers(5 * 77);
    each(
        source,
        || vec![tensor(Dtype::F32, &[5, 77], &x)],
        |how, _, results| {
            let columns: Vec<f64> = (0..77).map(|j| (0..5).map(|i| x[i * 77 + j]).sum()).collect();
            close(how, Dtype::F32, &columns, &floats(&results[0]));
            let sums = |row: &[f64]| -> Vec<f64> {
                row.iter().scan(0.0, |s, v| Some(std::mem::replace(s, *s + v) + v)).collect()
            };
            let sums: Vec<f64> = x.chunks(77).flat_map(sums).collect();
            close(how, Dtype::F32, &sums, &floats(&results[1]));
            let count: Vec<f64> = (0..300).map(f64::from).collect();
            assert_eq!(floats(&results[2]), count, "{how}");
        },
    );
}

/// Parts of a sum that points combine, from the destination's old value on; a number beside a tensor.
#[test]
fn points_combine_what_they_insert() {
    let source = "func.func @f(%x: tensor<9x40xf64>, %t: tensor<40xf64>, %m: tensor<3xf64>) -> (tensor<40xf64>, tensor<3xf64>) {
        %r:2 = loop.group (%i = 9) into (%t as %p : tensor<40xf64>, %m as %q : tensor<3xf64>) {
          %row = loop.pointwise (%j = 40) {
            %v = loop.load %x[%i, %j] : tensor<9x40xf64>
            loop.yield %v : f64
          } : tensor<40xf64>
          %least = loop.reduction min over (%j = 40) {
            %v = loop.load %row[%j] : tensor<40xf64>
            loop.yield %v : f64
          } : f64
          loop.in_parallel {
            loop.insert add %row into %p at [:] : tensor<40xf64> into tensor<40xf64>
            loop.insert min %least into %q at [%i mod 2] : f64 into tensor<3xf64>
          }
        }
        return %r#0, %r#1 : tensor<40xf64>, tensor<3xf64>
      }";
    let x = numbers(9 * 40);
    each(
        source,
        || {
            vec![
                tensor(Dtype::F64, &[9, 40], &x),
                tensor(Dtype::F64, &[40], &[0.5; 40]),
                tensor(Dtype::F64, &[3], &[7.0, -3.0, 5.0]),
            ]
        },
        |how, args, results| {
            let sums: Vec<f64> = (0..40).map(|j| 0.5 + (0..9).map(|i| x[i * 40 + j]).sum::<f64>()).collect();
            close(how, Dtype::F64, &sums, &floats(&results[0]));
            let least = x.chunks(40).step_by(2).flatten().fold(7.0f64, |a, b| a.min(*b));
            assert_eq!(floats(&results[1]), [least, -3.0, 5.0], "{how}");
            // The arguments are values.
            assert_eq!(floats(&args[1]), [0.5; 40], "{how}");
        },
    );
}

/// Rows turned around and exchanged: what a point reads is its own row or another's; every form of the
/// destination.
#[test]
fn old_values_are_read() {
    let row = |place: &str| {
        format!(
            "%row = loop.pointwise (%j = 70) {{
               %v = loop.load %x[{place}] : SHAPED<6x70xf32>
               loop.yield %v : f32
             }} : tensor<70xf32>"
        )
    };
    let group = |place: &str, insert: &str| {
        format!(
            "loop.group (%i = 6) into (%x as %p : SHAPED<6x70xf32>) {{
               {}
               %first = loop.load %x[%i, 0] : SHAPED<6x70xf32>
               loop.in_parallel {{ {insert} }}
             }}",
            row(place)
        )
    };
    let whole = "loop.insert %row into %p at [%i, :] : tensor<70xf32> into SHAPED<6x70xf32>";
    let number = "loop.insert %first into %p at [%i, 69] : f32 into SHAPED<6x70xf32>";
    let x = numbers(6 * 70);
    let at = |i: usize, j: usize| x[i * 70 + j];
    type Expected<'e> = &'e dyn Fn(usize, usize) -> f64;
    let last = |i: usize, j: usize| if j == 69 { at(i, 0) } else { at(i, j) };
    let cases: [(&str, &str, bool, Expected); 4] = [
        ("%i, 69 - %j", whole, true, &|i, j| at(i, 69 - j)),
        ("%i, %j", number, true, &last),
        ("5 - %i, %j", whole, false, &|i, j| at(5 - i, j)),
        ("%i, (%j + 1) mod 70", whole, true, &|i, j| at(i, (j + 1) % 70)),
    ];
    for (place, insert, buffers, expected) in cases {
        let expected: Vec<f64> = (0..6 * 70).map(|k| expected(k / 70, k % 70)).collect();
        let group = group(place, insert);
        let on_tensors = format!(
            "func.func @f(%x: tensor<6x70xf32>) -> tensor<6x70xf32> {{
               %r = {}
               return %r : tensor<6x70xf32>
             }}",
            group.replace("SHAPED", "tensor")
        );
        each(
            &on_tensors,
            || vec![tensor(Dtype::F32, &[6, 70], &x)],
            |how, args, results| {
                assert_eq!(floats(&results[0]), expected, "{place} {how}");
                assert_eq!(floats(&args[0]), x, "{place} {how}");
            },
        );
        if buffers {
            let on_buffers = format!(
                "func.func @f(%x: memref<6x70xf32>) {{ {} return }}",
                group.replace("SHAPED", "memref")
            );
            each(
                &on_buffers,
                || vec![tensor(Dtype::F32, &[6, 70], &x)],
                |how, args, _| assert_eq!(floats(&args[0]), expected, "{place} {how}"),
            );
        }
    }
}
