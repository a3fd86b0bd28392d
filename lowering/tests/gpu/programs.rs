//! Programs of graph tensors and of loops, brought down from the top.

use super::emulated::{check_graph, floats};
use terrace_tensor::{Dtype, Tensor};

#[test]
fn programs_of_graph_tensors() {
    check_graph(
        "func.func @main(%s: !graph.tensor<6x1500xf32>, %mask: !graph.tensor<1x1500xf32>)
             -> (!graph.tensor<6x1500xf32>, !graph.tensor<6xf32>, !graph.tensor<1500xf32>) {
           %k = arith.constant 1.250000e-01 : f64
           %0 = graph.mul %s, %k : !graph.tensor<6x1500xf32>, f64
           %1 = graph.add %0, %mask : !graph.tensor<6x1500xf32>, !graph.tensor<1x1500xf32>
           %2 = graph.softmax %1 {dim = -1 : i64} : !graph.tensor<6x1500xf32>
           %3 = graph.sum %s {dim = array<i64: 1>} : !graph.tensor<6x1500xf32>
           %4 = graph.amax %s {dim = array<i64: 0>} : !graph.tensor<6x1500xf32>
           return %2, %3, %4 : !graph.tensor<6x1500xf32>, !graph.tensor<6xf32>, !graph.tensor<1500xf32>
         }",
        &[floats(&[6, 1500]), floats(&[1, 1500])],
    );
    check_graph(
        "func.func @main(%x: !graph.tensor<5x40x33xf32> {graph.storage = \"x\"},
                         %w: !graph.tensor<33xf32> {graph.storage = \"w\"}, %i: !graph.tensor<7xi64> {graph.storage = \"i\"})
             -> (!graph.tensor<33x40xf32>, !graph.tensor<7x33xf32>, !graph.tensor<5x40x33xf32>) {
           %0 = graph.select %x index [2] {dim = 0 : i64} : !graph.tensor<5x40x33xf32>
           %1 = graph.transpose %0 {dim0 = 0 : i64, dim1 = 1 : i64} : !graph.tensor<40x33xf32>
           %2 = graph.relu %1 : !graph.tensor<33x40xf32>
           %3 = graph.embedding %0, %i : !graph.tensor<40x33xf32>, !graph.tensor<7xi64>
           %4 = graph.mul_ %x, %w : !graph.tensor<5x40x33xf32>, !graph.tensor<33xf32>
           %5 = graph.layer_norm %4 weight %w : !graph.tensor<33xf32> bias %w : !graph.tensor<33xf32>
             {normalized_shape = array<i64: 33>} : !graph.tensor<5x40x33xf32>
           return %2, %3, %5 : !graph.tensor<33x40xf32>, !graph.tensor<7x33xf32>, !graph.tensor<5x40x33xf32>
         }",
        &[
            floats(&[5, 40, 33]),
            floats(&[33]),
            Tensor::from_elements(Dtype::I64, &[7], &[3i64, 0, 39, 3, 17, 20, 1]).unwrap().into(),
        ],
    );
}

/// What is long and narrow: blocks of sums, of columns side by side, of scans.
#[test]
fn blocks_of_long_rows() {
    check_graph(
        "func.func @main(%x: !graph.tensor<65536x3xf32> {graph.storage = \"x\"}) -> (!graph.tensor<3xf32>, !graph.tensor<65536x3xf32>) {
           %0 = graph.sum %x {dim = array<i64: 0>} : !graph.tensor<65536x3xf32>
           %1 = graph.cumsum %x {dim = 0 : i64} : !graph.tensor<65536x3xf32>
           return %0, %1 : !graph.tensor<3xf32>, !graph.tensor<65536x3xf32>
         }",
        &[floats(&[65536, 3])],
    );
    check_graph(
        "func.func @main(%x: !graph.tensor<135000xf32> {graph.storage = \"x\"}) -> (!graph.tensor<135000xf32>, !graph.tensor<f32>) {
           %0 = graph.cumsum %x {dim = 0 : i64} : !graph.tensor<135000xf32>
           %1 = graph.sum %x : !graph.tensor<135000xf32>
           return %0, %1 : !graph.tensor<135000xf32>, !graph.tensor<f32>
         }",
        &[floats(&[135_000])],
    );
}

/// Members that read what other threads have written in scratch memory, and points one after the other that
/// combine.
#[test]
fn groups() {
    for n in [33, 1000, 2100] {
        let last = n - 1;
        check_graph(
            &format!(
                "func.func @main(%x: memref<9x{n}xf32>, %p0: memref<9x{n}xf32>, %t: memref<{n}xf32>, %m: memref<1xf32>) {{
                   %cold = arith.constant 0.03125 : f32
                   %size = arith.constant {n}.0 : f32
                   loop.group @softmax (%i = 9) into (%p0 as %p : memref<9x{n}xf32>) {{
                     %max = loop.reduction max over (%j = {n}) {{
                       %a = loop.load %x[%i, %j] : memref<9x{n}xf32>
                       loop.yield %a : f32
                     }} : f32
                     %exp = loop.pointwise (%j = {n}) {{
                       %a = loop.load %x[%i, %j] : memref<9x{n}xf32>
                       %d = arith.subf %a, %max : f32
                       %k = arith.mulf %d, %cold : f32
                       %e = math.exp %k : f32
                       loop.yield %e : f32
                     }} : tensor<{n}xf32>
                     %sum = loop.reduction add over (%j = {n}) {{
                       %e = loop.load %exp[{last} - %j] : tensor<{n}xf32>
                       loop.yield %e : f32
                     }} : f32
                     %out = loop.pointwise (%j = {n}) {{
                       %e = loop.load %exp[{last} - %j] : tensor<{n}xf32>
                       %f = arith.mulf %e, %size : f32
                       %q = arith.divf %f, %sum : f32
                       loop.yield %q : f32
                     }} : tensor<{n}xf32>
                     loop.in_parallel {{
                       loop.insert %out into %p at [%i, :] : tensor<{n}xf32> into memref<9x{n}xf32>
                     }}
                   }}
                   loop.group (%i = 9) into (%t as %d : memref<{n}xf32>, %m as %e : memref<1xf32>) {{
                     %row = loop.pointwise (%j = {n}) {{
                       %a = loop.load %x[%i, {last} - %j] : memref<9x{n}xf32>
                       %b = arith.mulf %a, %a : f32
                       loop.yield %b : f32
                     }} : tensor<{n}xf32>
                     %back = loop.pointwise (%j = {n}) {{
                       %a = loop.load %row[{last} - %j] : tensor<{n}xf32>
                       loop.yield %a : f32
                     }} : tensor<{n}xf32>
                     %first = loop.load %x[%i, 0] : memref<9x{n}xf32>
                     loop.in_parallel {{
                       loop.insert add %back into %d at [:] : tensor<{n}xf32> into memref<{n}xf32>
                       loop.insert max %first into %e at [0] : f32 into memref<1xf32>
                     }}
                   }}
                   return
                 }}"
            ),
            &[floats(&[9, n]), floats(&[9, n]), floats(&[n]), floats(&[1])],
        );
    }
}

/// A product of matrices, staged in shared memory, with an epilogue; rows, columns and inner indices are left
/// over.
#[test]
fn products() {
    for (m, n, k) in [(1, 1, 1), (3, 5, 2), (64, 64, 16), (70, 130, 37), (1, 100, 64), (65, 1, 300)] {
        for b in ["!graph.tensor<KxNxf32>", "!graph.tensor<NxKxf32>"] {
            let turned = b.starts_with("!graph.tensor<N");
            let source = "func.func @main(%a: !graph.tensor<MxKxf32>, %b: TYPE, %c: !graph.tensor<Nxf32>) -> !graph.tensor<MxNxf32> {
                TURN
                %0 = graph.mm %a, %t : !graph.tensor<MxKxf32>, !graph.tensor<KxNxf32>
                %1 = graph.add %0, %c : !graph.tensor<MxNxf32>, !graph.tensor<Nxf32>
                %2 = graph.relu %1 : !graph.tensor<MxNxf32>
                return %2 : !graph.tensor<MxNxf32>
              }";
            let turn = match turned {
                true => "%t = graph.transpose %b {dim0 = 0 : i64, dim1 = 1 : i64} : TYPE",
                false => "%t = graph.clone %b : TYPE",
            };
            let source = source.replace("TURN", turn).replace("TYPE", b);
            let source = [("M", m), ("N", n), ("K", k)].iter().fold(source, |text, (name, size)| {
                text.replace(&format!("<{name}x"), &format!("<{size}x"))
                    .replace(&format!("x{name}x"), &format!("x{size}x"))
            });
            let sizes = if turned { [n, k] } else { [k, n] };
            check_graph(&source, &[floats(&[m, k]), floats(&sizes), floats(&[n])]);
        }
    }
}

/// Points that write the same elements: summed, the last one kept, with and without a dimension that tells
/// them apart.
#[test]
fn points_that_meet() {
    for (n, width) in [(5, 40), (70, 130), (33, 1)] {
        check_graph(
            &format!(
                "func.func @main(%x: memref<{n}x{width}xf32>, %rows: memref<7x{width}xf32>, %sums: memref<7xf32>,
                                 %last: memref<5xf32>) {{
                   %seven = arith.constant 7 : index
                   loop.scatter add (%i = {n}, %j = {width}) into %rows {{
                     %row = arith.remui %i, %seven : index
                     %a = loop.load %x[%i, %j] : memref<{n}x{width}xf32>
                     loop.yield %a at [%row, %j] : f32
                   }} : memref<7x{width}xf32>
                   loop.scatter max (%i = {n}, %j = {width}) into %sums {{
                     %a = loop.load %x[%i, %j] : memref<{n}x{width}xf32>
                     loop.yield %a at [(%i + %j) mod 7] : f32
                   }} : memref<7xf32>
                   loop.scatter ordered (%i = {n}, %j = {width}) into %last {{
                     %a = loop.load %x[%i, %j] : memref<{n}x{width}xf32>
                     loop.yield %a at [(%i + %j) mod 5] : f32
                   }} : memref<5xf32>
                   return
                 }}"
            ),
            &[floats(&[n, width]), floats(&[7, width]), floats(&[7]), floats(&[5])],
        );
    }
}
