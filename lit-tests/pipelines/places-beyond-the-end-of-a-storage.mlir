// Views by strides that leave the storage of an argument are refused, when they are made and where they are.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [4]}, false]}' > %t.short.json
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6, 7]}}, "args": [{"storage": "x", "sizes": [4]}, true]}' > %t.long.json
// RUN: not terrace-run %s --entry=always --inputs %t.short.json 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: terrace-run %s --entry=always --inputs %t.long.json > %t.compiled
// RUN: terrace-run %s --entry=always --inputs %t.long.json --target=interpret | diff - %t.compiled
// RUN: not terrace-run %s --entry=eager --inputs %t.short.json 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: terrace-run %s --entry=eager --inputs %t.long.json > %t.compiled
// RUN: terrace-run %s --entry=eager --inputs %t.long.json --target=interpret | diff - %t.compiled
// RUN: terrace-run %s --entry=sometimes --inputs %t.short.json > %t.compiled
// RUN: terrace-run %s --entry=sometimes --inputs %t.short.json --target=interpret | diff - %t.compiled
// RUN: terrace-run %s --entry=sometimes --inputs %t.long.json > %t.compiled
// RUN: terrace-run %s --entry=sometimes --inputs %t.long.json --target=interpret | diff - %t.compiled
// RUN: not terrace-run %s --entry=twice --inputs %t.short.json 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not terrace-run %s --entry=far --inputs %t.short.json 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: setStorage: {{.*}}requiring a storage size of 4000000000004 {{is|are}} out of bounds for storage of size 16
// RUN: not terrace-run %s --entry=new --inputs %t.short.json 2>&1 | FileCheck %s --check-prefix=NEW
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6, 7, 8]}}, "args": [{"storage": "x", "sizes": [3]}, 2]}' > %t.two.json
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6, 7, 8]}}, "args": [{"storage": "x", "sizes": [3]}, 3]}' > %t.three.json
// RUN: terrace-run %s --entry=open --inputs %t.two.json > %t.compiled 2> %t.said
// RUN: terrace-run %s --entry=open --inputs %t.two.json --target=interpret | diff - %t.compiled
// RUN: not grep warning %t.said
// RUN: not terrace-run %s --entry=open --inputs %t.three.json 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: setStorage: {{.*}}requiring a storage size of 40 {{is|are}} out of bounds for storage of size 32
// NEW: setStorage: {{.*}}requiring a storage size of 2008 {{is|are}} out of bounds for storage of size
// REFUSED: setStorage: {{.*}}requiring a storage size of 28 {{is|are}} out of bounds for storage of size 16

func.func @always(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<2xf32> {
  %0 = graph.as_strided %x size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
  %1 = graph.neg_ %0 : !graph.tensor<2xf32>
  return %1 : !graph.tensor<2xf32>
}

func.func @eager(%x: !graph.tensor<4xf32> {graph.layout = "any"}, %c: i1) -> !graph.tensor<2xf32> {
  %0 = graph.as_strided %x size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
  %1 = graph.neg_ %0 : !graph.tensor<2xf32>
  return %1 : !graph.tensor<2xf32>
}

// On a way that is not taken there is none.
func.func @sometimes(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> {
  scf.if %c {
    %0 = graph.as_strided %x size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
    %1 = graph.neg_ %0 : !graph.tensor<2xf32>
  }
  return %x : !graph.tensor<4xf32>
}

// What is refused is viewed further.
func.func @twice(%x: !graph.tensor<4xf32> {graph.layout = "any"}, %c: i1) -> (!graph.tensor<2xf32>, !graph.tensor<3xf32>) {
  %0 = graph.as_strided %x size [2] stride [1] storage_offset [5] : !graph.tensor<4xf32>
  %1 = graph.as_strided %0 size [3] stride [10] storage_offset [5] : !graph.tensor<2xf32>
  %2 = graph.neg_ %1 : !graph.tensor<3xf32>
  return %0, %2 : !graph.tensor<2xf32>, !graph.tensor<3xf32>
}

// A new tensor's storage.
func.func @new(%x: !graph.tensor<4xf32> {graph.layout = "any"}, %c: i1) -> (!graph.tensor<2xf32>, !graph.tensor<4xf32>) {
  %0 = graph.mul %x, %x : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %1 = graph.as_strided %0 size [2] stride [1] storage_offset [500] : !graph.tensor<4xf32>
  %2 = graph.neg_ %1 : !graph.tensor<2xf32>
  return %2, %0 : !graph.tensor<2xf32>, !graph.tensor<4xf32>
}

func.func @open(%x: !graph.tensor<?xf32>, %n: i64) -> !graph.tensor<?xf32> {
  %0 = graph.as_strided %x size [%n] stride [2] storage_offset [5] : !graph.tensor<?xf32>
  %1 = graph.neg_ %0 : !graph.tensor<?xf32>
  return %1 : !graph.tensor<?xf32>
}

func.func @far(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<1xf32> {
  %0 = graph.as_strided %x size [1] stride [1] storage_offset [1000000000000] : !graph.tensor<4xf32>
  %1 = graph.neg_ %0 : !graph.tensor<1xf32>
  return %1 : !graph.tensor<1xf32>
}
