// RUN: terrace-opt %s --split-input-file --verify-diagnostics

// Promotion and broadcasting are explicit here.
func.func @shapes(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{'functional.add' op expects operands of one type, got tensor<2x3xf32> and tensor<3xf32>}}
  %0 = functional.add %x, %y : tensor<2x3xf32>, tensor<3xf32>
  return
}

// -----

func.func @dtypes(%x: tensor<3xi64>) {
  // expected-error @+1 {{'functional.exp' op expects floating-point operands, got Long}}
  %0 = functional.exp %x : tensor<3xi64>
  return
}

// -----

func.func @region(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{'functional.select_scatter' op expected src to have a size equal to the slice of self. src size = [2], slice size = [3]}}
  %0 = functional.select_scatter %x, %y index [0] : tensor<2x3xf32>, tensor<2xf32>
  return
}

// -----

func.func @beyond(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'functional.as_strided' op sizes [4], strides [2] and offset 0 reach beyond the 6 elements of the operand}}
  %0 = functional.as_strided %x size [4] stride [2] storage_offset [0] : tensor<2x3xf32>
  return
}

// -----

func.func @sizes(%k: f64) {
  // expected-error @+1 {{'functional.full' op has 1 dynamic sizes in [?] but 0 operands for them}}
  %0 = functional.full %k : f64 to tensor<?xf32>
  return
}

// -----

func.func @a_range_of_nothing(%x: tensor<3xf32>) {
  // expected-error @+1 {{'functional.within' op expects 'low' not above 'high', got 1 and 0}}
  %0 = functional.within %x {low = 1.0 : f64, high = 0.0 : f64, message = ""} : tensor<3xf32>
  return
}

// -----

func.func @complex_numbers_in_a_range(%x: tensor<3xcomplex<f32>>) {
  // expected-error @+1 {{'functional.within' op expects a tensor of real numbers, got tensor<3xcomplex<f32>>}}
  %0 = functional.within %x {low = 0.0 : f64, high = 1.0 : f64, message = ""} : tensor<3xcomplex<f32>>
  return
}
