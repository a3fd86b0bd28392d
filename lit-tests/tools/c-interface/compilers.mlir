// Compilers of their own, in C++, Rust and Python, of which Terrace is one stage: built outside of the tree by what
// `./x install --prefix` puts there.

// RUN: rm -rf %t && xtask install --prefix %t/prefix --no-build
// RUN: cmake -S %root/examples/compilers/cpp -B %t/build "-DCMAKE_PREFIX_PATH=%t/prefix;%llvm" \
// RUN:   -DCMAKE_C_COMPILER=%llvm/bin/clang -DCMAKE_CXX_COMPILER=%llvm/bin/clang++ -DCMAKE_BUILD_TYPE=Debug > %t/log
// RUN: cmake --build %t/build > %t/log

// The compilers' own pipelines, down to LLVM; and run.
// RUN: %t/build/compiler %s > %t/cpp.mlir
// RUN: mlir-runner %t/cpp.mlir -e main --entry-point-result=i32 --shared-libs=%llvm/lib/libmlir_runner_utils.so | FileCheck %s --check-prefix=VALUES
// RUN: example-compiler %s > %t/rust.mlir
// RUN: mlir-runner %t/rust.mlir -e main --entry-point-result=i32 --shared-libs=%llvm/lib/libmlir_runner_utils.so | FileCheck %s --check-prefix=VALUES
// RUN: env TERRACE_PREFIX=%t/prefix %python %root/examples/compilers/python/compiler.py %s -o %t/python.o
// RUN: %llvm/bin/clang %t/python.o -o %t/python -L%llvm/lib -lmlir_runner_utils -Wl,-rpath,%llvm/lib
// RUN: %t/python | FileCheck %s --check-prefix=VALUES

// A pipeline as text: others may take our fusion alone.
// RUN: %t/build/compiler %s 'func.func(convert-linalg-to-loop),loop-fuse,func.func(convert-loop-to-scf)' | FileCheck %s

// Terrace's diagnostics are the compiler's.
// RUN: not %t/build/compiler %s 'func.func(convert-linalg-to-loop),convert-loop-to-kernel{tile=3}' 2>&1 | FileCheck %s --check-prefix=ERROR

// A program in C that calls what it compiles, by CMake and by pkg-config.
// RUN: %t/build/call | FileCheck %s --check-prefix=CALL
// RUN: sh -c "cc %root/examples/compilers/cpp/call.c -o %t/call $(env PKG_CONFIG_PATH=%t/prefix/lib/pkgconfig pkg-config --cflags --libs terrace)"
// RUN: %t/call | FileCheck %s --check-prefix=CALL

// The prefix may be moved.
// RUN: mv %t/prefix %t/moved && %t/moved/bin/terrace-opt --version | FileCheck %s --check-prefix=VERSION

// CALL: x = 11 22 33 14 25 36
// CALL: sums = 66 75
// VERSION: LLVM version 22

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

func.func @main() -> i32 {
  %x = memref.get_global @numbers : memref<2x3xf32>
  %y = memref.alloc() : memref<2xf32>
  %k = arith.constant 10.0 : f32
  linalg.fill ins(%k : f32) outs(%y : memref<2xf32>)
  call @row_sums(%x, %y) : (memref<2x3xf32>, memref<2xf32>) -> ()
  %u = memref.cast %y : memref<2xf32> to memref<*xf32>
  // VALUES: [16, 25]
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  memref.dealloc %y : memref<2xf32>
  %0 = arith.constant 0 : i32
  return %0 : i32
}
