// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: kernel.func @scale
// CHECK-SAME: (%[[X:.*]]: memref<64x1000xf32>, %[[Y:.*]]: memref<64x1000xf32>, %[[K:.*]]: f32) grid(%[[I:.*]] in 64) {
kernel.func @scale(%x: memref<64x1000xf32>, %y: memref<64x1000xf32>, %k: f32) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c768 = arith.constant 768 : index
  %kt = tensor.splat %k : tensor<256xf32>
  scf.for %j = %c0 to %c768 step %c256 {
    // CHECK: %[[T:.*]] = kernel.load %[[X]][%[[I]], %{{.*}} : 256] : memref<64x1000xf32>
    %a = kernel.load %x[%i, %j : 256] : memref<64x1000xf32>
    %b = arith.mulf %a, %kt : tensor<256xf32>
    // CHECK: kernel.store %{{.*}}, %[[Y]][%[[I]], %{{.*}} : 256] : tensor<256xf32>, memref<64x1000xf32>
    kernel.store %b, %y[%i, %j : 256] : tensor<256xf32>, memref<64x1000xf32>
  }
  %rest = arith.constant 232 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: kernel.load %[[X]][%[[I]], %{{.*}} : 256] valid(%{{.*}}) else %{{.*}} : memref<64x1000xf32>, f32
  %a = kernel.load %x[%i, %c768 : 256] valid(%rest) else %zero : memref<64x1000xf32>, f32
  %b = arith.mulf %a, %kt : tensor<256xf32>
  // CHECK: kernel.store %{{.*}}, %[[Y]][%[[I]], %{{.*}} : 256] valid(%{{.*}}) : tensor<256xf32>, memref<64x1000xf32>
  kernel.store %b, %y[%i, %c768 : 256] valid(%rest) : tensor<256xf32>, memref<64x1000xf32>
  // CHECK: kernel.load %{{.*}}[%[[I]] + 1, %{{.*}} * 2 : 16 : 3] : memref<64x1000xf32>
  %s = kernel.load %x[%i + 1, %c0 * 2 : 16 : 3] : memref<64x1000xf32>
  // CHECK: kernel.reduce add %{{.*}} : tensor<16xf32>
  %r = kernel.reduce add %s : tensor<16xf32>
  %wide = arith.extf %r : f32 to f64
  // CHECK: %{{.*}}, %[[NEXT:.*]] = kernel.scan add %{{.*}} from %{{.*}} : tensor<16xf32>, f64
  %sums, %next = kernel.scan add %s from %wide : tensor<16xf32>, f64
  // CHECK: kernel.scan max %{{.*}} from %{{.*}} : tensor<16xf32>, f32
  %tops, %top = kernel.scan max %s from %r : tensor<16xf32>, f32
  kernel.return
}

// CHECK-LABEL: kernel.func @products
kernel.func @products(%x: memref<32x8xf32>, %y: memref<8x64xf32>, %at: memref<16xi64>) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = kernel.load %x[%c0 : 32, %c0 : 8] : memref<32x8xf32>
  %b = kernel.load %y[%c0 : 8, %c0 : 64] : memref<8x64xf32>
  %z = tensor.splat %zero : tensor<32x64xf32>
  // CHECK: kernel.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x8xf32>, tensor<8x64xf32>, tensor<32x64xf32>
  %d = kernel.dot %a, %b, %z : tensor<32x8xf32>, tensor<8x64xf32>, tensor<32x64xf32>
  %wa = arith.bitcast %a : tensor<32x8xf32> to tensor<32x8xi32>
  %wb = arith.bitcast %b : tensor<8x64xf32> to tensor<8x64xi32>
  // CHECK: kernel.dot pairs %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x8xi32>, tensor<8x64xi32>, tensor<32x64xf32>
  %dp = kernel.dot pairs %wa, %wb, %z : tensor<32x8xi32>, tensor<8x64xi32>, tensor<32x64xf32>
  %na = arith.truncf %b : tensor<8x64xf32> to tensor<8x64xbf16>
  %sa = arith.constant dense<0.0> : tensor<8x32xf32>
  // CHECK: kernel.add_pairs %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x64xbf16>, tensor<8x32xf32>
  %da = kernel.add_pairs %na, %na, %sa : tensor<8x64xbf16>, tensor<8x32xf32>
  // CHECK: kernel.reduce max %{{.*}} along 1 : tensor<32x64xf32>
  %m = kernel.reduce max %d along 1 : tensor<32x64xf32>
  // CHECK: kernel.broadcast %{{.*}} to [0] : tensor<32xf32> -> tensor<32x64xf32>
  %bc = kernel.broadcast %m to [0] : tensor<32xf32> -> tensor<32x64xf32>
  // CHECK: kernel.iota : tensor<16xindex>
  %i = kernel.iota : tensor<16xindex>
  // CHECK: kernel.gather %{{.*}}[%{{.*}}, %{{.*}}] : memref<32x8xf32>, tensor<16xindex>, index -> tensor<16xf32>
  %g = kernel.gather %x[%i, %c0] : memref<32x8xf32>, tensor<16xindex>, index -> tensor<16xf32>
  %on = arith.constant dense<true> : tensor<16xi1>
  // CHECK: kernel.gather %{{.*}}[%{{.*}}, %{{.*}}] mask %{{.*}} else %{{.*}} : memref<32x8xf32>, tensor<16xindex>, index mask tensor<16xi1>, f32 -> tensor<16xf32>
  %h = kernel.gather %x[%i, %c0] mask %on else %zero : memref<32x8xf32>, tensor<16xindex>, index mask tensor<16xi1>, f32 -> tensor<16xf32>
  // CHECK: kernel.scatter %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] mask %{{.*}} : tensor<16xf32>, memref<32x8xf32>, tensor<16xindex>, index mask tensor<16xi1>
  kernel.scatter %h, %x[%i, %c0] mask %on : tensor<16xf32>, memref<32x8xf32>, tensor<16xindex>, index mask tensor<16xi1>
  // CHECK: kernel.atomic add %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] mask %{{.*}} : tensor<16xf32>, memref<32x8xf32>, tensor<16xindex>, index mask tensor<16xi1>
  kernel.atomic add %h, %x[%i, %c0] mask %on : tensor<16xf32>, memref<32x8xf32>, tensor<16xindex>, index mask tensor<16xi1>
  kernel.return
}

// CHECK-LABEL: func.func @main
func.func @main(%x: memref<64x1000xf32>, %y: memref<64x1000xf32>, %k: f32) {
  // CHECK: kernel.launch @scale grid [64](%{{.*}}, %{{.*}}, %{{.*}}) : memref<64x1000xf32>, memref<64x1000xf32>, f32
  kernel.launch @scale grid [64] (%x, %y, %k) : memref<64x1000xf32>, memref<64x1000xf32>, f32
  return
}

// A grid of sizes that the launch says, numbers or values.
// CHECK-LABEL: kernel.func @open
// CHECK-SAME: grid(%{{.*}} in ?, %{{.*}} in 4)
kernel.func @open(%x: memref<?x4xf32>) grid(%i in ?, %j in 4) {
  kernel.return
}
// CHECK-LABEL: func.func @launches
// CHECK: kernel.launch @open grid [%{{.*}}, 4]
// CHECK: kernel.launch @open grid [3, 4]
func.func @launches(%x: memref<?x4xf32>, %n: index) {
  kernel.launch @open grid [%n, 4] (%x) : memref<?x4xf32>
  kernel.launch @open grid [3, 4] (%x) : memref<?x4xf32>
  return
}
