// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @a_value_outside_of_a_group(%x: memref<4xf32>) {
  // expected-error @+1 {{'loop.pointwise' op expects a destination, 'into': only a member of a group is a value}}
  %0 = loop.pointwise (%i = 4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.yield %a : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @a_member_that_writes(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.group () into (%y as %d : memref<4xf32>) {
    // expected-error @+1 {{'loop.pointwise' op writes a destination: a member of a group is a value, and a 'loop.insert' at the group's end says where it goes}}
    loop.pointwise (%i = 4) into %x {
      %a = loop.load %x[%i] : memref<4xf32>
      loop.yield %a : f32
    } : memref<4xf32>
    loop.in_parallel {}
  }
  return
}

// -----

func.func @a_scatter_inside(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.group () into (%y as %d : memref<4xf32>) {
    // expected-error @+1 {{'loop.scatter' op writes a destination: a member of a group is a value}}
    loop.scatter (%i = 4) into %x {
      %a = loop.load %x[%i] : memref<4xf32>
      loop.yield %a at [%i] : f32
    } : memref<4xf32>
    loop.in_parallel {}
  }
  return
}

// -----

func.func @a_tensor_from_elsewhere(%y: memref<4xf32>) {
  // expected-error @+1 {{'loop.group' op has a tensor or memref of 'tensor.empty' in it: only members, as 'loop.pointwise', make tensors there}}
  loop.group () into (%y as %d : memref<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    loop.in_parallel {}
  }
  return
}

// -----

func.func @a_group_inside(%y: memref<4xf32>) {
  loop.group () into (%y as %d : memref<4xf32>) {
    // expected-error @+1 {{'loop.group' op stands in a group: a group is one kernel, and has no others inside}}
    loop.group () into (%y as %e : memref<4xf32>) {
      loop.in_parallel {}
    }
    loop.in_parallel {}
  }
  return
}

// -----

func.func @a_tile_of_a_member(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.group () into (%y as %d : memref<4xf32>) {
    // expected-error @+1 {{'loop.pointwise' op has a tile: a member of a group runs whole at each point, the group has a tile}}
    %0 = loop.pointwise (%i = 4) {
      %a = loop.load %x[%i] : memref<4xf32>
      loop.yield %a : f32
    } tile [2] : tensor<4xf32>
    loop.in_parallel {}
  }
  return
}

// -----

func.func @a_tile_that_is_too_large(%y: memref<4xf32>) {
  // expected-error @+1 {{'loop.group' op has the tile [8]: expects sizes of 1 up to those of the domain, [4]}}
  loop.group (%i = 4) into (%y as %d : memref<4xf32>) {
    loop.in_parallel {}
  } tile [8]
  return
}

// -----

func.func @a_tensor_where_a_number_is(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.group () into (%y as %d : memref<4xf32>) {
    // expected-error @+1 {{'loop.reduction' op expects a number, for there is no outer domain, got tensor<f32>}}
    %0 = loop.reduction add over (%i = 4) {
      %a = loop.load %x[%i] : memref<4xf32>
      loop.yield %a : f32
    } : tensor<f32>
    loop.in_parallel {}
  }
  return
}

// -----

func.func @sizes_of_a_value(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.group () into (%y as %d : memref<4xf32>) {
    // expected-error @+1 {{'loop.pointwise' op expects a result of the domain's sizes [4], got [5]}}
    %0 = loop.pointwise (%i = 4) {
      %a = loop.load %x[%i] : memref<4xf32>
      loop.yield %a : f32
    } : tensor<5xf32>
    loop.in_parallel {}
  }
  return
}

// -----

func.func @no_destination() {
  // expected-error @+1 {{'loop.group' op has no destination, so it does nothing}}
  loop.group () into () {
    loop.in_parallel {}
  }
  return
}

// -----

func.func @tensors_and_memrefs(%x: memref<4xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'loop.group' op expects destinations that are all tensors or all memrefs}}
  %0 = loop.group () into (%x as %d : memref<4xf32>, %y as %e : tensor<4xf32>) {
    loop.in_parallel {}
  }
  return
}

// -----

func.func @a_load_by_the_name_inside(%y: memref<4xf32>) {
  // expected-error @+1 {{'loop.group' op reads its name for destination 0, which is for 'loop.insert': load the old value by the name outside}}
  loop.group (%i = 4) into (%y as %d : memref<4xf32>) {
    %a = loop.load %d[%i] : memref<4xf32>
    loop.in_parallel {
      loop.insert %a into %d at [%i] : f32 into memref<4xf32>
    }
  }
  return
}

// -----

func.func @an_insert_by_the_name_outside(%y: memref<4xf32>, %k: f32) {
  loop.group (%i = 4) into (%y as %d : memref<4xf32>) {
    loop.in_parallel {
      // expected-error @+1 {{'loop.insert' op expects a destination of its group by the name that it has inside}}
      loop.insert %k into %y at [%i] : f32 into memref<4xf32>
    }
  }
  return
}

// -----

func.func @an_insert_into_something_else(%k: f32) {
  %y = memref.alloc() : memref<4xf32>
  loop.group (%i = 4) into (%y as %d : memref<4xf32>) {
    loop.in_parallel {
      // expected-error @+1 {{'loop.insert' op expects a destination of its group by the name that it has inside}}
      loop.insert %k into %y at [%i] : f32 into memref<4xf32>
    }
  }
  return
}

// -----

func.func @something_else_at_the_end(%y: memref<4xf32>) {
  loop.group (%i = 4) into (%y as %d : memref<4xf32>) {
    // expected-error @+1 {{'loop.in_parallel' op expects 'loop.insert' and nothing else inside}}
    loop.in_parallel {
      %c = arith.constant 1.0 : f32
    }
  }
  return
}

// -----

func.func @two_combiners(%y: memref<4xf32>, %k: f32) {
  // expected-error @+1 {{'loop.group' op combines destination 0 in several ways: expects one}}
  loop.group (%i = 4) into (%y as %d : memref<4xf32>) {
    loop.in_parallel {
      loop.insert add %k into %d at [0] : f32 into memref<4xf32>
      loop.insert max %k into %d at [0] : f32 into memref<4xf32>
    }
  }
  return
}

// -----

func.func @a_combiner_of_bits(%y: memref<4xf32>, %k: f32) {
  loop.group (%i = 4) into (%y as %d : memref<4xf32>) {
    loop.in_parallel {
      // expected-error @+1 {{'loop.insert' op combines f32 by 'or'}}
      loop.insert or %k into %d at [0] : f32 into memref<4xf32>
    }
  }
  return
}

// -----

func.func @points_that_write_the_same_place(%y: memref<4x8xf32>, %k: f32) {
  loop.group (%i = 4, %j = 8) into (%y as %d : memref<4x8xf32>) {
    loop.in_parallel {
      // expected-error @+1 {{'loop.insert' op inserts at a place that does not depend on index 1 of the group: points that differ in it write the same elements, expects a combiner}}
      loop.insert %k into %d at [%i, 0] : f32 into memref<4x8xf32>
    }
  }
  return
}

// -----

func.func @the_rank_of_a_place(%y: memref<4x8xf32>, %k: f32) {
  loop.group (%i = 4) into (%y as %d : memref<4x8xf32>) {
    loop.in_parallel {
      // expected-error @+1 {{'loop.insert' op expects 2 indices or ':', one per dimension, got 1}}
      loop.insert %k into %d at [%i] : f32 into memref<4x8xf32>
    }
  }
  return
}

// -----

func.func @a_number_for_a_row(%y: memref<4x8xf32>, %k: f32) {
  loop.group (%i = 4) into (%y as %d : memref<4x8xf32>) {
    loop.in_parallel {
      // expected-error @+1 {{'loop.insert' op inserts the number f32 where [8] elements are}}
      loop.insert %k into %d at [%i, :] : f32 into memref<4x8xf32>
    }
  }
  return
}

// -----

func.func @sizes_of_a_row(%x: memref<4xf32>, %y: memref<4x8xf32>) {
  loop.group (%i = 4) into (%y as %d : memref<4x8xf32>) {
    %0 = loop.pointwise (%j = 4) {
      %a = loop.load %x[%j] : memref<4xf32>
      loop.yield %a : f32
    } : tensor<4xf32>
    loop.in_parallel {
      // expected-error @+1 {{'loop.insert' op expects a value of the sizes at ':', [8], got [4]}}
      loop.insert %0 into %d at [%i, :] : tensor<4xf32> into memref<4x8xf32>
    }
  }
  return
}

// -----

func.func @elements(%y: memref<4xf32>, %k: i32) {
  loop.group (%i = 4) into (%y as %d : memref<4xf32>) {
    loop.in_parallel {
      // expected-error @+1 {{'loop.insert' op inserts i32 into a destination of f32}}
      loop.insert %k into %d at [%i] : i32 into memref<4xf32>
    }
  }
  return
}

// -----

func.func @a_tensor_from_outside(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = loop.group (%i = 4) into (%y as %d : tensor<4x8xf32>) {
    loop.in_parallel {
      // expected-error @+1 {{'loop.insert' op inserts a tensor that no member of its group gives: load its elements in one}}
      loop.insert %x into %d at [%i, :] : tensor<8xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}
