//===- Clamping.td - elements kept between bounds, and mixed: functional spells them with others ------------------===//

let devices = ["There"] in {
// Both bounds are tensors or both numbers.
defm Clamp : GraphPointwise<"clamp", "clamp",
    (ins ReadsOptional<Graph_TensorOrScalar>:$min, ReadsOptional<Graph_TensorOrScalar>:$max), ["", "Tensor"], ["", "Tensor"],
    Parameters<["min", "max"]>.format, [AttrSizedOperandSegments]>;
defm ClampMin : GraphPointwise<"clamp_min", "clamp", (ins Reads<Graph_TensorOrScalar>:$min), ["", "Tensor"], ["", "Tensor"]>;
defm ClampMax : GraphPointwise<"clamp_max", "clamp", (ins Reads<Graph_TensorOrScalar>:$max), ["", "Tensor"], ["", "Tensor"]>;
}
let strides = "Like", complexRefusal = "clamp is not supported for complex types" in
defm Hardtanh : GraphPointwise<"hardtanh", "hardtanh",
    (ins Optional<Graph_Scalar>:$min_val, Optional<Graph_Scalar>:$max_val), [""], [""],
    Parameters<["min_val", "max_val"]>.format, [AttrSizedOperandSegments]>;
let strides = "Like", complexRefusal = "clamp is not supported for complex types" in
defm Relu6 : GraphUnary<"relu6", "hardtanh">;
// self + weight * (end - self)
defm Lerp : GraphPointwise<"lerp", "lerp", (ins Reads<Graph_Tensor>:$end, Reads<Graph_TensorOrScalar>:$weight),
                           ["Scalar", "Tensor"], ["Scalar", "Tensor"]>;
