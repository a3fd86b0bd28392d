// Layouts stand in the types of tiles, and in a load, whose type is not written.
// RUN: terrace-opt %s | terrace-opt | FileCheck %s
// RUN: terrace-opt %s --mlir-print-local-scope | FileCheck %s --check-prefix=LOCAL
// RUN: terrace-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-DAG: #[[$ROW:.*]] = #kernel.layout<threads = [64], vector = [4]>
// CHECK-DAG: #[[$ONE:.*]] = #kernel.layout<threads = [64], vector = [1]>
// CHECK-DAG: #[[$TILE:.*]] = #kernel.layout<threads = [2, 32], vector = [1, 4]>
// CHECK-DAG: #[[$COLUMN:.*]] = #kernel.layout<threads = [32, 2], vector = [4, 1], order = [0, 1]>
// CHECK-DAG: #[[$SUMS:.*]] = #kernel.layout<threads = [2, 32], vector = [1, 4], without = [1]>
#row = #kernel.layout<threads = [64], vector = [4]>
#tile = #kernel.layout<threads = [2, 32], vector = [1, 4], order = [1, 0]>
#sums = #kernel.layout<threads = [2, 32], vector = [1, 4], without = [1]>
#column = #kernel.layout<threads = [32, 2], order = [0, 1], vector = [4, 1]>

// CHECK-LABEL: kernel.func @every_operation
// LOCAL-LABEL: kernel.func @every_operation
kernel.func @every_operation(%x: memref<8x1000xf32>, %k: f32, %on: i1) grid(%i in 8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rest = arith.constant 200 : index
  // CHECK: kernel.load %{{.*}}[%{{.*}}, %{{.*}} : 256] layout #[[$ROW]] : memref<8x1000xf32>
  // LOCAL: kernel.load %{{.*}}[%{{.*}}, %{{.*}} : 256] layout <threads = [64], vector = [4]> : memref<8x1000xf32>
  %a = kernel.load %x[%i, %c0 : 256] layout #row : memref<8x1000xf32>
  // CHECK: valid(%{{.*}}) else %{{.*}} layout #[[$ROW]] : memref<8x1000xf32>, f32
  %b = kernel.load %x[%i, %c0 : 256] valid(%rest) else %k layout <threads = [64], vector = [4]> : memref<8x1000xf32>, f32
  // CHECK: tensor.splat %{{.*}} : tensor<256xf32, #[[$ROW]]>
  %kt = tensor.splat %k : tensor<256xf32, #row>
  // CHECK: arith.constant dense<2.0{{.*}}> : tensor<256xf32, #[[$ROW]]>
  %two = arith.constant dense<2.0> : tensor<256xf32, #row>
  // CHECK: scf.for {{.*}} -> (tensor<256xf32, #[[$ROW]]>)
  %sum = scf.for %j = %c0 to %rest step %c1 iter_args(%s = %kt) -> (tensor<256xf32, #row>) {
    %t = arith.addf %s, %two : tensor<256xf32, #row>
    scf.yield %t : tensor<256xf32, #row>
  }
  // CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : tensor<256xf32, #[[$ROW]]>
  %less = arith.cmpf olt, %a, %b : tensor<256xf32, #row>
  // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<256xi1, #[[$ROW]]>, tensor<256xf32, #[[$ROW]]>
  %either = arith.select %less, %a, %sum : tensor<256xi1, #row>, tensor<256xf32, #row>
  // CHECK: math.exp %{{.*}} : tensor<256xf32, #[[$ROW]]>
  %exp = math.exp %either : tensor<256xf32, #row>
  // CHECK: kernel.iota : tensor<256xindex, #[[$ROW]]>
  %iota = kernel.iota : tensor<256xindex, #row>
  // CHECK: kernel.gather {{.*}} -> tensor<256xf32, #[[$ROW]]>
  %g = kernel.gather %x[%i, %iota] mask %less else %k
    : memref<8x1000xf32>, index, tensor<256xindex, #row> mask tensor<256xi1, #row>, f32 -> tensor<256xf32, #row>
  // CHECK: kernel.scatter {{.*}} : tensor<256xf32, #[[$ROW]]>, memref<8x1000xf32>, index, tensor<256xindex, #[[$ROW]]>
  kernel.scatter %g, %x[%i, %iota] : tensor<256xf32, #row>, memref<8x1000xf32>, index, tensor<256xindex, #row>
  // CHECK: kernel.convert_layout %{{.*}} : tensor<256xf32, #[[$ROW]]> -> tensor<256xf32, #[[$ONE]]>
  %c = kernel.convert_layout %exp : tensor<256xf32, #row> -> tensor<256xf32, #kernel.layout<threads = [64], vector = [1]>>
  // CHECK: kernel.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}} : 256] : tensor<256xf32, #[[$ONE]]>, memref<8x1000xf32>
  kernel.store %c, %x[%i, %c0 : 256] : tensor<256xf32, #kernel.layout<threads = [64], vector = [1]>>, memref<8x1000xf32>
  // CHECK: %[[T:.*]] = kernel.load %{{.*}} layout #[[$TILE]]
  %t = kernel.load %x[%c0 : 8, %c0 : 128] layout #tile : memref<8x1000xf32>
  // CHECK: %[[S:.*]] = kernel.reduce add %[[T]] along 1 : tensor<8x128xf32, #[[$TILE]]>
  %s = kernel.reduce add %t along 1 : tensor<8x128xf32, #tile>
  // CHECK: kernel.broadcast %[[S]] to [0] : tensor<8xf32, #[[$SUMS]]> -> tensor<8x128xf32, #[[$TILE]]>
  %sb = kernel.broadcast %s to [0] : tensor<8xf32, #sums> -> tensor<8x128xf32, #tile>
  // CHECK: kernel.convert_layout %{{.*}} : tensor<8x128xf32, #[[$TILE]]> -> tensor<8x128xf32, #[[$COLUMN]]>
  %d = kernel.convert_layout %sb : tensor<8x128xf32, #tile> -> tensor<8x128xf32, #column>
  kernel.store %d, %x[%c0 : 8, %c0 : 128] : tensor<8x128xf32, #column>, memref<8x1000xf32>
  kernel.return
}

// FOLD-LABEL: kernel.func @the_layout_that_it_has
// FOLD-NOT: kernel.convert_layout
kernel.func @the_layout_that_it_has(%x: memref<256xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 256] layout #row : memref<256xf32>
  %b = kernel.convert_layout %a : tensor<256xf32, #row> -> tensor<256xf32, #row>
  kernel.store %b, %x[%c0 : 256] : tensor<256xf32, #row>, memref<256xf32>
  kernel.return
}
