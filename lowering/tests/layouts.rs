//! Arguments of any layout: strides and offsets that are known when the program runs, in machine code. Values
//! are exact.

mod common;
use common::*;
use terrace_layout::Layout;
use terrace_native::{Arg, Element, Loaded, Output, Owner};

fn layout(sizes: &[i64], strides: &[i64], offset: i64) -> Layout {
    Layout { sizes: sizes.to_vec(), strides: strides.to_vec(), offset }
}

/// Memory as an argument of a layout.
fn argument<'a, T: Element>(layout: &Layout, data: &'a mut [T]) -> Arg<'a> {
    view(data, &layout.sizes, &layout.strides, layout.offset)
}

/// The elements in row-major order.
fn read(layout: &Layout, data: &[f32]) -> Vec<f32> {
    layout.places().into_iter().map(|place| data[place as usize]).collect()
}

fn numbers(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 37 + seed * 11) % 23) as f32 - 11.0).collect()
}

fn elements(output: &Output) -> Vec<f32> {
    output.memref().and_then(|m| m.to_vec()).expect("a buffer of f32")
}

fn layout_of(output: &Output) -> Layout {
    let memref = output.memref().expect("a buffer");
    Layout { sizes: memref.sizes.clone(), strides: memref.strides.clone(), offset: memref.offset }
}

fn on_all(source: &str, check: impl Fn(&Loaded, &str)) {
    for (isa, cpu) in isas() {
        check(&compile_graph(source, isa, &cpu), &isa.to_string());
    }
}

/// Ways for a 6x20 tensor to lie in 400 elements; the last repeats its rows, as `expand` does.
fn layouts() -> Vec<Layout> {
    [([20, 1], 0), ([1, 6], 0), ([1, 9], 4), ([40, 2], 3), ([3, 19], 1), ([0, 1], 7)]
        .map(|(strides, offset)| layout(&[6, 20], &strides, offset))
        .to_vec()
}

#[test]
fn elements_are_those_of_any_layout() {
    let x = "!graph.tensor<6x20xf32>";
    let source = format!(
        "func.func @sum(%x: {x} {{graph.layout = \"any\"}}, %y: {x} {{graph.layout = \"any\"}}) -> {x} {{
           %0 = graph.add %x, %y : {x}, {x}
           %1 = graph.clone %0 {{memory_format = \"contiguous_format\"}} : {x}
           return %1 : {x}
         }}
         func.func @rows(%x: {x} {{graph.layout = strided<[?, 1], offset: ?>}}) -> !graph.tensor<6xf32> {{
           %0 = graph.sum %x {{dim = array<i64: 1>}} : {x}
           return %0 : !graph.tensor<6xf32>
         }}
         func.func @columns(%x: {x} {{graph.layout = \"any\"}}) -> !graph.tensor<20xf32> {{
           %0 = graph.sum %x {{dim = array<i64: 0>}} : {x}
           return %0 : !graph.tensor<20xf32>
         }}
         func.func @product(%x: {x} {{graph.layout = \"any\"}}, %y: {x} {{graph.layout = \"any\"}})
             -> !graph.tensor<6x6xf32> {{
           %t = graph.t %y : {x}
           %0 = graph.mm %x, %t : {x}, !graph.tensor<20x6xf32>
           return %0 : !graph.tensor<6x6xf32>
         }}"
    );
    on_all(&source, |session, isa| {
        for a in layouts() {
            let (mut data, mut other) = (numbers(400, 1), numbers(400, 2));
            let x = read(&a, &data);
            let sum = |list: &mut dyn Iterator<Item = f32>| list.sum::<f32>();
            let columns: Vec<f32> = (0..20).map(|j| sum(&mut (0..6).map(|i| x[i * 20 + j]))).collect();
            let out =
                session.call(&terrace_native::Context::new(), "columns", &[argument(&a, &mut data)]).unwrap();
            assert_eq!(elements(&out[0]), columns, "columns, {a:?}, {isa}");
            if a.strides[1] == 1 {
                let rows: Vec<f32> = (0..6).map(|i| sum(&mut (0..20).map(|j| x[i * 20 + j]))).collect();
                let out = session
                    .call(&terrace_native::Context::new(), "rows", &[argument(&a, &mut data)])
                    .unwrap();
                assert_eq!(elements(&out[0]), rows, "rows, {a:?}, {isa}");
            }
            for b in layouts() {
                let y = read(&b, &other);
                let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
                let out = session
                    .call(
                        &terrace_native::Context::new(),
                        "sum",
                        &[argument(&a, &mut data), argument(&b, &mut other)],
                    )
                    .unwrap();
                assert_eq!(elements(&out[0]), expected, "sum, {a:?}, {b:?}, {isa}");
                let dot = |i: usize| sum(&mut (0..20).map(|k| x[i / 6 * 20 + k] * y[i % 6 * 20 + k]));
                let expected: Vec<f32> = (0..36).map(dot).collect();
                let out = session
                    .call(
                        &terrace_native::Context::new(),
                        "product",
                        &[argument(&a, &mut data), argument(&b, &mut other)],
                    )
                    .unwrap();
                assert_eq!(elements(&out[0]), expected, "product, {a:?}, {b:?}, {isa}");
            }
        }
    });
}

#[test]
fn views_and_writes_of_any_layout() {
    let x = "!graph.tensor<6x20xf32>";
    let source = format!(
        "func.func @f(%x: {x} {{graph.layout = \"any\"}})
             -> (!graph.tensor<3x20xf32>, !graph.tensor<20x6xf32>, !graph.tensor<6x4x5xf32>, !graph.tensor<6xf32>) {{
           %k = arith.constant 2.0 : f64
           %s = graph.slice %x start [1] end [6] step [2] : {x}
           %w = graph.mul_ %s, %k : !graph.tensor<3x20xf32>, f64
           %t = graph.t %x : {x}
           %v = graph.view %x size [6, 4, 5] : {x}
           %c = graph.select %t index [7] : !graph.tensor<20x6xf32>
           %p = graph.add_ %c, %k : !graph.tensor<6xf32>, f64
           return %w, %t, %v, %p : !graph.tensor<3x20xf32>, !graph.tensor<20x6xf32>, !graph.tensor<6x4x5xf32>, !graph.tensor<6xf32>
         }}"
    );
    on_all(&source, |session, isa| {
        for own in layouts().into_iter().filter(|l| l.strides[0] != 0) {
            let (mut data, before) = (numbers(400, 1), numbers(400, 1));
            let mut expected = before.clone();
            for (i, place) in own.places().into_iter().enumerate() {
                let (place, row, column) = (place as usize, i / 20, i % 20);
                let scaled = if row % 2 == 1 { before[place] * 2.0 } else { before[place] };
                expected[place] = if column == 7 { scaled + 2.0 } else { scaled };
            }
            let out =
                session.call(&terrace_native::Context::new(), "f", &[argument(&own, &mut data)]).unwrap();
            let [s, t] = own.strides[..] else { unreachable!() };
            let views = [
                layout(&[3, 20], &[2 * s, t], own.offset + s),
                layout(&[20, 6], &[t, s], own.offset),
                layout(&[6, 4, 5], &[s, 5 * t, t], own.offset),
                layout(&[6], &[s], own.offset + 7 * t),
            ];
            for (out, view) in out.iter().zip(views) {
                assert_eq!(layout_of(out), view, "{own:?}, {isa}");
                assert!(matches!(out.memref().unwrap().owner, Owner::Argument(0)), "{own:?}, {isa}");
            }
            assert_eq!(data, expected, "{own:?}, {isa}");
        }
    });
}

#[test]
fn not_written_where_elements_repeat() {
    let source = "func.func @f(%x: !graph.tensor<4x4xf32> {graph.layout = \"any\"}) {
          %0 = graph.relu_ %x : !graph.tensor<4x4xf32>
          return
        }";
    on_all(source, |session, isa| {
        let call = |strides: [i64; 2]| {
            let mut data = numbers(40, 1);
            session
                .call(
                    &terrace_native::Context::new(),
                    "f",
                    &[argument(&layout(&[4, 4], &strides, 0), &mut data)],
                )
                .map(drop)
        };
        let refused = |strides, message: &str| {
            let error = call(strides).expect_err(isa).to_string();
            assert!(error.contains(message), "{strides:?}: {error}, {isa}");
        };
        refused([0, 1], "more than one element of the written-to tensor refers to a single memory location");
        refused([4, 0], "more than one element of the written-to tensor refers to a single memory location");
        refused([1, 1], "elements of the written-to tensor overlap");
        refused([3, 1], "elements of the written-to tensor overlap");
        for strides in [[4, 1], [1, 4], [5, 1], [1, 9]] {
            call(strides).unwrap();
        }
    });
}
