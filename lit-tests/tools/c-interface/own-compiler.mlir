// A compiler in C++ that links libterrace_c.so: Terrace is one stage between its own, of which upstream's lowering is the last.

// RUN: %llvm/bin/clang++ -std=c++17 -fno-rtti -fno-exceptions -O0 -DNDEBUG -I%root/include -isystem %llvm/include \
// RUN:   %S/Inputs/compiler.cpp -o %t.compiler -L%tools -lterrace_c -L%llvm/lib -lMLIR -lLLVM-22 -Wl,-rpath,%tools:%llvm/lib

// From linalg by way of loop operations back to scf: others may take our fusion alone.
// RUN: %t.compiler %s 'func.func(convert-linalg-to-loop,convert-loop-to-scf)' | FileCheck %s

// Down to LLVM by upstream's passes, and run.
// RUN: %t.compiler %s 'func.func(convert-linalg-to-loop,convert-loop-to-scf),expand-strided-metadata,lower-affine,convert-scf-to-cf,finalize-memref-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts' \
// RUN:   > %t.mlir
// RUN: mlir-runner %t.mlir -e main --entry-point-result=void --shared-libs=%llvm/lib/libmlir_runner_utils.so \
// RUN:   | FileCheck %s --check-prefix=VALUES

// A pipeline by its name, on the graph dialect; Terrace's diagnostics are the compiler's.
// RUN: not %t.compiler %s 'func.func(convert-linalg-to-loop),convert-loop-to-kernel{tile=3}' 2>&1 | FileCheck %s --check-prefix=ERROR

func.func private @printMemrefF32(memref<*xf32>)

// CHECK-LABEL: func.func @row_sums
//       CHECK:   scf.parallel
//       CHECK:     scf.for
//       CHECK:     memref.store
// ERROR: error: {{.*}}tile
func.func @row_sums(%x: memref<2x3xf32>, %y: memref<2xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<2x3xf32>) outs(%y : memref<2xf32>) dimensions = [1]
  return
}

memref.global "private" constant @numbers : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>

func.func @main() {
  %x = memref.get_global @numbers : memref<2x3xf32>
  %y = memref.alloc() : memref<2xf32>
  %k = arith.constant 10.0 : f32
  linalg.fill ins(%k : f32) outs(%y : memref<2xf32>)
  call @row_sums(%x, %y) : (memref<2x3xf32>, memref<2xf32>) -> ()
  %u = memref.cast %y : memref<2xf32> to memref<*xf32>
  // VALUES: [16, 25]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
