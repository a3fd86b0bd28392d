//! Kernels that a human wrote: tiles of all sizes, dimensions and elements, and their layouts.

use super::emulated::{check, check_kernel, floats, tensor};
use terrace_tensor::{Dtype, Tensor};

#[test]
fn tiles_of_many_sizes() {
    for n in [1, 2, 20, 33, 48, 64, 100, 256, 1000, 1024, 1026, 2048, 4096] {
        let rest = n - n / 3;
        check_kernel(
            &format!(
                "kernel.func @k(%x: memref<2x{n}xf32>, %y: memref<2x{n}xf32>, %s: memref<2xf32>, %k: f32) grid(%i in 2) {{
                   %c0 = arith.constant 0 : index
                   %zero = arith.constant 7.0 : f32
                   %rest = arith.constant {rest} : index
                   %kt = tensor.splat %k : tensor<{n}xf32>
                   %a = kernel.load %x[%i, %c0 : {n}] valid(%rest) else %zero : memref<2x{n}xf32>, f32
                   %b = arith.mulf %a, %kt : tensor<{n}xf32>
                   %sum = kernel.reduce add %b : tensor<{n}xf32>
                   %max = kernel.reduce max %b : tensor<{n}xf32>
                   %both = arith.addf %sum, %max : f32
                   memref.store %both, %s[%i] : memref<2xf32>
                   %bt = tensor.splat %both : tensor<{n}xf32>
                   %c = arith.addf %b, %bt : tensor<{n}xf32>
                   kernel.store %c, %y[%i, %c0 : {n}] valid(%rest) : tensor<{n}xf32>, memref<2x{n}xf32>
                   kernel.return
                 }}
                 func.func @main(%x: memref<2x{n}xf32>, %y: memref<2x{n}xf32>, %s: memref<2xf32>) {{
                   %k = arith.constant 3.0 : f32
                   kernel.launch @k grid [2] (%x, %y, %s, %k)
                     : memref<2x{n}xf32>, memref<2x{n}xf32>, memref<2xf32>, f32
                   return
                 }}"
            ),
            &[floats(&[2, n]), floats(&[2, n]), floats(&[2])],
        );
    }
}

#[test]
fn in_place_and_in_loops() {
    check_kernel(
        "kernel.func @k(%x: memref<4160xf32>, %y: memref<4160xf32>) grid() {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c8 = arith.constant 8 : index
           %c256 = arith.constant 256 : index
           %c4096 = arith.constant 4096 : index
           scf.for %j = %c0 to %c4096 step %c256 {
             %a = kernel.load %x[%j : 256] : memref<4160xf32>
             %b = arith.addf %a, %a : tensor<256xf32>
             kernel.store %b, %x[%j : 256] : tensor<256xf32>, memref<4160xf32>
           }
           scf.for %j = %c0 to %c8 step %c1 {
             %next = arith.addi %j, %c1 : index
             %a = kernel.load %x[%j * 3 : 1024] : memref<4160xf32>
             %b = kernel.load %x[%j * 3 + 1024 : 1024 : 2] : memref<4160xf32>
             %c = arith.subf %a, %b : tensor<1024xf32>
             %k = memref.load %x[%j] : memref<4160xf32>
             memref.store %k, %x[%next] : memref<4160xf32>
             kernel.store %c, %x[%j * 2 + 1 : 1024] : tensor<1024xf32>, memref<4160xf32>
           }
           %d = kernel.load %x[%c0 : 2048] : memref<4160xf32>
           kernel.store %d, %y[%c0 + 5 : 2048 : 2] : tensor<2048xf32>, memref<4160xf32>
           kernel.return
         }
         func.func @main(%x: memref<4160xf32>, %y: memref<4160xf32>) {
           kernel.launch @k grid [] (%x, %y) : memref<4160xf32>, memref<4160xf32>
           return
         }",
        &[floats(&[4160]), floats(&[4160])],
    );
}

#[test]
fn two_dimensions() {
    for (m, n) in [(8, 128), (1, 64), (64, 32), (6, 20), (16, 1), (32, 256)] {
        check_kernel(
            &format!(
                "kernel.func @k(%x: memref<{m}x{n}xf32>, %row: memref<{n}xf32>, %col: memref<{m}xf32>, %y: memref<{n}x{m}xf32>) grid() {{
                   %c0 = arith.constant 0 : index
                   %m1 = arith.constant {} : index
                   %n1 = arith.constant {} : index
                   %zero = arith.constant 1.0 : f32
                   %a = kernel.load %x[%c0 : {m}, %c0 : {n}] valid(%m1, %n1) else %zero : memref<{m}x{n}xf32>, f32
                   %max = kernel.reduce max %a along 1 : tensor<{m}x{n}xf32>
                   %maxb = kernel.broadcast %max to [0] : tensor<{m}xf32> -> tensor<{m}x{n}xf32>
                   %b = arith.subf %a, %maxb : tensor<{m}x{n}xf32>
                   %sum = kernel.reduce add %b along 0 : tensor<{m}x{n}xf32>
                   %r = kernel.load %row[%c0 : {n}] : memref<{n}xf32>
                   %rs = arith.addf %r, %sum : tensor<{n}xf32>
                   kernel.store %rs, %row[%c0 : {n}] : tensor<{n}xf32>, memref<{n}xf32>
                   %rsb = kernel.broadcast %rs to [1] : tensor<{n}xf32> -> tensor<{m}x{n}xf32>
                   %c = arith.mulf %b, %rsb : tensor<{m}x{n}xf32>
                   %all = kernel.reduce add %c : tensor<{m}x{n}xf32>
                   %columns = kernel.reduce add %c along 1 : tensor<{m}x{n}xf32>
                   %allt = tensor.splat %all : tensor<{m}xf32>
                   %d = arith.addf %columns, %allt : tensor<{m}xf32>
                   kernel.store %d, %col[%c0 : {m}] : tensor<{m}xf32>, memref<{m}xf32>
                   %u = kernel.load %y[%c0 : {n}, %c0 : {m}] : memref<{n}x{m}xf32>
                   %us = kernel.reduce add %u along 0 : tensor<{n}x{m}xf32>
                   %usb = kernel.broadcast %us to [1] : tensor<{m}xf32> -> tensor<{n}x{m}xf32>
                   %v = arith.subf %u, %usb : tensor<{n}x{m}xf32>
                   kernel.store %v, %y[%c0 : {n}, %c0 : {m}] valid(%n1, %m1) : tensor<{n}x{m}xf32>, memref<{n}x{m}xf32>
                   kernel.return
                 }}
                 func.func @main(%x: memref<{m}x{n}xf32>, %row: memref<{n}xf32>, %col: memref<{m}xf32>, %y: memref<{n}x{m}xf32>) {{
                   kernel.launch @k grid [] (%x, %row, %col, %y)
                     : memref<{m}x{n}xf32>, memref<{n}xf32>, memref<{m}xf32>, memref<{n}x{m}xf32>
                   return
                 }}",
                m - m / 3,
                n - n / 4
            ),
            &[floats(&[m, n]), floats(&[n]), floats(&[m]), floats(&[n, m])],
        );
    }
}

/// Tiles of indices, masks and constants; elements of 1, 2 and 8 bytes.
#[test]
fn elements_of_every_kind() {
    check_kernel(
        "kernel.func @k(%x: memref<300xf64>, %h: memref<256xf16>, %i: memref<256xi64>, %b: memref<256xi8>, %y: memref<512xf64>) grid() {
           %c0 = arith.constant 0 : index
           %zero = arith.constant 0.5 : f64
           %at = kernel.load %i[%c0 : 256] : memref<256xi64>
           %iota = kernel.iota : tensor<256xindex>
           %wide = arith.index_cast %iota : tensor<256xindex> to tensor<256xi64>
           %sum = arith.addi %at, %wide : tensor<256xi64>
           %places = arith.index_cast %sum : tensor<256xi64> to tensor<256xindex>
           %byte = kernel.load %b[%c0 : 256] : memref<256xi8>
           %on = arith.trunci %byte : tensor<256xi8> to tensor<256xi1>
           %g = kernel.gather %x[%places] mask %on else %zero : memref<300xf64>, tensor<256xindex> mask tensor<256xi1>, f64 -> tensor<256xf64>
           %any = kernel.reduce max %on : tensor<256xi1>
           %all = kernel.reduce min %on : tensor<256xi1>
           %most = kernel.reduce max %sum : tensor<256xi64>
           %total = kernel.reduce add %g : tensor<256xf64>
           %numbers = arith.constant dense<[3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]> : tensor<8xf64>
           kernel.store %numbers, %y[%c0 + 300 : 8] : tensor<8xf64>, memref<512xf64>
           %product = kernel.reduce mul %numbers : tensor<8xf64>
           %half = kernel.load %h[%c0 : 256] : memref<256xf16>
           %least = kernel.reduce min %half : tensor<256xf16>
           %halves = arith.extf %half : tensor<256xf16> to tensor<256xf64>
           %out = arith.addf %g, %halves : tensor<256xf64>
           kernel.scatter %out, %y[%places] mask %on : tensor<256xf64>, memref<512xf64>, tensor<256xindex> mask tensor<256xi1>
           %mostf = arith.sitofp %most : i64 to f64
           %leastf = arith.extf %least : f16 to f64
           %anyf = arith.uitofp %any : i1 to f64
           %allf = arith.uitofp %all : i1 to f64
           memref.store %mostf, %y[%c0] : memref<512xf64>
           %c1 = arith.constant 400 : index
           memref.store %leastf, %y[%c1] : memref<512xf64>
           %c2 = arith.constant 401 : index
           memref.store %anyf, %y[%c2] : memref<512xf64>
           %c3 = arith.constant 402 : index
           memref.store %allf, %y[%c3] : memref<512xf64>
           %c4 = arith.constant 403 : index
           memref.store %total, %y[%c4] : memref<512xf64>
           %c5 = arith.constant 404 : index
           memref.store %product, %y[%c5] : memref<512xf64>
           kernel.return
         }
         func.func @main(%x: memref<300xf64>, %h: memref<256xf16>, %i: memref<256xi64>, %b: memref<256xi8>, %y: memref<512xf64>) {
           kernel.launch @k grid [] (%x, %h, %i, %b, %y)
             : memref<300xf64>, memref<256xf16>, memref<256xi64>, memref<256xi8>, memref<512xf64>
           return
         }",
        &[
            tensor(Dtype::F64, &[300]),
            tensor(Dtype::F16, &[256]),
            Tensor::from_elements(Dtype::I64, &[256], &(0..256).map(|i| i % 32).collect::<Vec<i64>>()).unwrap().into(),
            Tensor::from_elements(Dtype::I8, &[256], &(0..256).map(|i| i64::from(i % 32 == 0 || i == 5)).collect::<Vec<i64>>())
                .unwrap()
                .into(),
            tensor(Dtype::F64, &[512]),
        ],
    );
}

/// Layouts that a human wrote: several vectors a thread, vectors down a column, threads without a part of
/// their own, and conversions between them, on memory that both sides touch.
#[test]
fn layouts_by_hand() {
    let layouts = [
        "<threads = [64, 2], vector = [1, 4]>",
        "<threads = [2, 64], vector = [2, 1]>",
        "<threads = [16, 8], vector = [4, 1], order = [0, 1]>",
        "<threads = [1, 128], vector = [16, 4]>",
        "<threads = [128, 1], vector = [1, 32], order = [0, 1]>",
        "<threads = [2, 8, 8], vector = [1, 2, 2], order = [1, 0, 2], without = [1]>",
    ];
    for (a, b) in [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 2), (5, 3)] {
        let source = "#a = #kernel.layoutAAAA
             #b = #kernel.layoutBBBB
             kernel.func @k(%x: memref<64x32xf32>, %y: memref<64x32xf32>, %z: memref<32xf32>) grid() {
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %c3 = arith.constant 3 : index
               scf.for %j = %c0 to %c3 step %c1 {
                 %p = kernel.load %x[%c0 : 64, %c0 : 32] layout #a : memref<64x32xf32>
                 %q = arith.addf %p, %p : tensor<64x32xf32, #a>
                 %c = kernel.convert_layout %q : tensor<64x32xf32, #a> -> tensor<64x32xf32, #b>
                 %m = kernel.reduce max %c along 0 : tensor<64x32xf32, #b>
                 %mb = kernel.broadcast %m to [1] : TYPE -> tensor<64x32xf32, #b>
                 %d = arith.subf %c, %mb : tensor<64x32xf32, #b>
                 kernel.store %d, %x[%c0 : 64, %c0 : 32] : tensor<64x32xf32, #b>, memref<64x32xf32>
                 %e = kernel.load %x[%c0 : 64, %c0 : 32] layout #a : memref<64x32xf32>
                 kernel.store %e, %y[%c0 : 64, %c0 : 32] : tensor<64x32xf32, #a>, memref<64x32xf32>
                 kernel.store %m, %z[%c0 : 32] : TYPE, memref<32xf32>
               }
               kernel.return
             }
             func.func @main(%x: memref<64x32xf32>, %y: memref<64x32xf32>, %z: memref<32xf32>) {
               kernel.launch @k grid [] (%x, %y, %z) : memref<64x32xf32>, memref<64x32xf32>, memref<32xf32>
               return
             }";
        // The layout without its dimension 0.
        let of_result = match layouts[b].strip_suffix(", without = [1]>") {
            Some(rest) => format!("{rest}, without = [0, 1]>"),
            None => format!("{}, without = [0]>", layouts[b].trim_end_matches('>')),
        };
        let source = source
            .replace("TYPE", &format!("tensor<32xf32, #kernel.layout{of_result}>"))
            .replace("AAAA", layouts[a])
            .replace("BBBB", layouts[b]);
        check(&source, "convert-kernel-to-nvptx", &[floats(&[64, 32]), floats(&[64, 32]), floats(&[32])]);
    }
}

/// Scans by one warp, by several, in several rounds, from a number that is carried, twice.
#[test]
fn scans() {
    for (n, element, number, one) in [
        (1, "f32", "f32", "1.5"),
        (8, "f32", "f64", "1.5"),
        (64, "i64", "i64", "3"),
        (256, "f32", "f64", "1.5"),
        (1024, "i32", "i32", "3"),
        (2048, "f32", "f32", "1.5"),
        (4096, "f32", "f64", "1.5"),
    ] {
        let combiner = if n == 2048 { "max" } else { "add" };
        let dtype = match element {
            "i64" => Dtype::I64,
            "i32" => Dtype::I32,
            _ => Dtype::F32,
        };
        let numbers: Vec<i64> = (0..n).map(|i| i * 7 % 23 - 9).collect();
        let input = || Tensor::from_elements(dtype, &[n], &numbers).unwrap().into();
        check_kernel(
            &format!(
                "kernel.func @k(%x: memref<{n}x{element}>, %y: memref<{n}x{element}>) grid() {{
                   %c0 = arith.constant 0 : index
                   %one = arith.constant {one} : {number}
                   %a = kernel.load %x[%c0 : {n}] : memref<{n}x{element}>
                   %b, %next = kernel.scan {combiner} %a from %one : tensor<{n}x{element}>, {number}
                   %c, %last = kernel.scan {combiner} %b from %next : tensor<{n}x{element}>, {number}
                   kernel.store %c, %y[%c0 : {n}] : tensor<{n}x{element}>, memref<{n}x{element}>
                   kernel.return
                 }}
                 func.func @main(%x: memref<{n}x{element}>, %y: memref<{n}x{element}>) {{
                   kernel.launch @k grid [] (%x, %y) : memref<{n}x{element}>, memref<{n}x{element}>
                   return
                 }}"
            ),
            &[input(), input()],
        );
    }
}
