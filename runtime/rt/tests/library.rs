//! Library functions, called as compiled code calls them.

use std::cmp::Ordering;
use terrace_rt::{buffer::Dtype, context::Context, fft::*, histogram::*, sort::*};

/// Words of a strided buffer.
fn words<T>(dtype: Dtype, data: &mut [T], offset: i64, sizes: &[i64], strides: &[i64]) -> Vec<i64> {
    let base = data.as_mut_ptr() as i64;
    [&[dtype.code(), sizes.len() as i64, base, base, offset], sizes, strides].concat()
}

/// Calls a function of the library.
fn run(f: unsafe extern "C" fn(Option<&Context>, *const i64), context: Option<&Context>, call: &[i64]) {
    // SAFETY: each test puts together the words that the function reads, of buffers that are still there.
    unsafe { f(context, call.as_ptr()) }
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| if i % 17 == 5 { f32::NAN } else { (i * 7919 % 61) as f32 - 30.0 }).collect()
}

fn order(a: f32, b: f32) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

#[test]
fn rows_are_sorted_and_the_first_selected() {
    for (rows, size, wanted) in [(1, 1, 1), (3, 50, 50), (3, 50, 7), (3, 50, 0), (0, 4, 4), (40, 1000, 30)] {
        for descending in [false, true] {
            // Rows are columns of the memory.
            let mut data = numbers(rows * size);
            let (mut values, mut places) = (vec![0f32; rows * wanted], vec![0i64; rows * wanted]);
            let [r, n, k] = [rows, size, wanted].map(|n| n as i64);
            let call = [
                words(Dtype::F32, &mut data, 0, &[r, n], &[1, r]),
                words(Dtype::F32, &mut values, 0, &[r, k], &[k, 1]),
                words(Dtype::I64, &mut places, 0, &[r, k], &[k, 1]),
                vec![1, descending.into()],
            ]
            .concat();
            run(terrace_rt_sort, None, &call);
            for row in 0..rows {
                let own: Vec<f32> = (0..size).map(|i| data[i * rows + row]).collect();
                let mut expected: Vec<usize> = (0..size).collect();
                expected
                    .sort_by(|&a, &b| if descending { order(own[b], own[a]) } else { order(own[a], own[b]) });
                for at in 0..wanted {
                    assert_eq!(places[row * wanted + at], expected[at] as i64);
                    let (found, wanted) = (values[row * wanted + at], own[expected[at]]);
                    assert!(found == wanted || found.is_nan() && wanted.is_nan());
                }
            }
        }
    }
}

#[test]
fn halves_and_integers_are_sorted_by_value() {
    let mut halves: Vec<u16> = vec![0x3c00, 0xbc00, 0x7e00, 0x0001, 0xfc00, 0x7c00];
    let (mut values, mut places) = (vec![0u16; 6], vec![0i64; 6]);
    let call = [
        words(Dtype::F16, &mut halves, 0, &[6], &[1]),
        words(Dtype::F16, &mut values, 0, &[6], &[1]),
        words(Dtype::I64, &mut places, 0, &[6], &[1]),
        vec![0, 0],
    ]
    .concat();
    run(terrace_rt_sort, None, &call);
    assert_eq!(places, [4, 1, 3, 0, 5, 2]);
    assert_eq!(values, [0xfc00, 0xbc00, 0x0001, 0x3c00, 0x7c00, 0x7e00]);
    let (mut data, mut values, mut places) = (vec![3i8, -128, 127, 3], vec![0i8; 4], vec![0i64; 4]);
    let call = [
        words(Dtype::I8, &mut data, 0, &[4], &[1]),
        words(Dtype::I8, &mut values, 3, &[4], &[-1]),
        words(Dtype::I64, &mut places, 0, &[4], &[1]),
        vec![0, 1],
    ]
    .concat();
    run(terrace_rt_sort, None, &call);
    assert_eq!((values, places), (vec![-128, 3, 3, 127], vec![2, 0, 3, 1]));
}

fn histogram(data: &mut [f32], bins: usize, low: f64, high: f64) -> Vec<f32> {
    histogram_of(None, data, bins, low, high)
}

fn histogram_of(context: Option<&Context>, data: &mut [f32], bins: usize, low: f64, high: f64) -> Vec<f32> {
    let mut counts = vec![-1f32; bins];
    let size = data.len() as i64;
    let call = [
        words(Dtype::F32, data, 0, &[size], &[1]),
        words(Dtype::F32, &mut counts, 0, &[bins as i64], &[1]),
        vec![low.to_bits() as i64, high.to_bits() as i64],
    ]
    .concat();
    run(terrace_rt_histogram, context, &call);
    counts
}

#[test]
fn histograms_count_what_lies_in_the_range() {
    assert_eq!(histogram(&mut [0.0, 2.0, 0.0, -1.0], 3, 0.0, 0.0), [1.0, 2.0, 1.0]);
    assert_eq!(histogram(&mut [0.0, 2.0, f32::NAN, -1.0, 5.0], 2, 0.0, 2.0), [1.0, 1.0]);
    assert_eq!(histogram(&mut [3.0], 2, 0.0, 0.0), [0.0, 1.0]);
    assert_eq!(histogram(&mut [], 2, 0.0, 0.0), [0.0, 0.0]);
    let error = |data: &mut [f32], low, high| {
        let context = Context::new();
        assert_eq!(histogram_of(Some(&context), data, 2, low, high), [0.0, 0.0]);
        context.error().unwrap().to_str().unwrap().to_owned()
    };
    assert_eq!(error(&mut [f32::INFINITY, 1.5], 0.0, 0.0), "torch.histc: range of [1.5, inf] is not finite");
    assert_eq!(error(&mut [f32::NAN], 0.0, 0.0), "torch.histc: range of [-nan, -nan] is not finite");
    assert_eq!(error(&mut [1.0], 2.0, 1.0), "torch.histc: max must be larger than min");
}

/// From real numbers to half of the transform and back, over two dimensions.
#[test]
fn transforms_go_there_and_back() {
    for (a, b) in [(1, 1), (3, 2), (4, 7), (5, 8), (6, 74)] {
        let mut data: Vec<f64> = (0..a * b).map(|i| (i * 7919 % 61) as f64 - 30.0).collect();
        let half = b / 2 + 1;
        let mut turned = vec![0f64; 2 * a * half];
        let mut back = vec![0f64; a * b];
        let [m, n, h] = [a, b, half].map(|n| n as i64);
        let forward = [
            words(Dtype::F64, &mut data, 0, &[m, n], &[n, 1]),
            words(Dtype::C128, &mut turned, 0, &[m, h], &[h, 1]),
            vec![2, 0, 1, 0, 0],
        ]
        .concat();
        run(terrace_rt_fft, None, &forward);
        // The same numbers taken apart.
        let inverse = [
            words(Dtype::F64, &mut turned, 0, &[m, h, 2], &[2 * h, 2, 1]),
            words(Dtype::F64, &mut back, 0, &[m, n], &[n, 1]),
            vec![2, 0, 1, 1, 2],
        ]
        .concat();
        run(terrace_rt_fft, None, &inverse);
        assert!((turned[0] - data.iter().sum::<f64>()).abs() < 1e-10);
        for (x, y) in data.iter().zip(&back) {
            assert!((x - y).abs() < 1e-12, "{a}x{b}: {x} {y}");
        }
    }
}
