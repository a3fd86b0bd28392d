// REQUIRES: x86
// RUN: terrace-compile %s --target=x86 --cpu=x86-64 --emit=obj -o %t.o

// Code in which one round of LLVM's instruction combining leaves something to combine: it is compiled all the same.
func.func @f(%x: memref<2x7xi32>, %m: memref<i32>, %y: memref<33x17xi32>) {
  loop.pointwise (%i = 33, %j = 17) into %y {
    %a = loop.load %x[1, %j ceildiv 3] : memref<2x7xi32>
    %c8 = arith.constant 8 : index
    %on = arith.cmpi slt, %j, %c8 : index
    %b = loop.load %m[] if %on else %a : memref<i32>, i32
    %n = arith.index_cast %j : index to i32
    %c = arith.addi %n, %b : i32
    loop.yield %c : i32
  } : memref<33x17xi32>
  return
}
