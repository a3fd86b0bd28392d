//! Types of the boundary: graph tensors, the memrefs that they become, and declared layouts.

use melior::{
    Context,
    ir::{
        Attribute, OperationRef, Type,
        attribute::{StridedLayoutAttribute, TypeAttribute},
        r#type::{FunctionType, MemRefType},
    },
};
use terrace_dialects::ir::{
    OperationLike, arguments,
    dtype::{Dtype, ElementType},
    pass::Failure,
    types::TensorType,
};
use terrace_layout::Layout;
use terrace_size::DYNAMIC;

/// The type of a function.
pub fn signature<'c>(function: OperationRef<'c, '_>) -> Result<FunctionType<'c>, Failure> {
    Ok(FunctionType::try_from(TypeAttribute::try_from(function.attribute("function_type")?)?.value())?)
}

/// The row-major layout of some sizes; strides that sizes of the run have a part in are [`DYNAMIC`].
pub fn contiguous(sizes: &[i64]) -> Layout {
    if !sizes.contains(&DYNAMIC) {
        return Layout::contiguous(sizes);
    }
    let mut strides = vec![1; sizes.len()];
    for d in (1..sizes.len()).rev() {
        strides[d - 1] = match (strides[d], sizes[d]) {
            (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
            (stride, size) => stride.saturating_mul(size.max(1)),
        };
    }
    Layout { sizes: sizes.to_vec(), strides, offset: 0 }
}

/// Whether an argument declares no layout of its own.
pub fn is_contiguous(function: OperationRef, index: usize) -> bool {
    arguments::declared(function, index)
        .is_ok_and(|declared| matches!(declared.layout, arguments::Layout::Contiguous))
}

/// The layout that argument `index` declares, contiguous where it declares none; [`DYNAMIC`] for what is not
/// known.
pub fn declared(function: OperationRef, index: usize, tensor: &TensorType) -> Result<Layout, String> {
    let contiguous = contiguous(&tensor.shape);
    Ok(match arguments::declared(function, index)?.layout {
        arguments::Layout::Contiguous => contiguous,
        arguments::Layout::Strided { strides, offset } => Layout { strides, offset, ..contiguous },
        arguments::Layout::Any => {
            Layout { strides: vec![DYNAMIC; tensor.rank()], offset: DYNAMIC, ..contiguous }
        }
    })
}

/// An attribute of an argument of a function.
pub fn argument_attribute<'c>(
    function: OperationRef<'c, '_>,
    index: usize,
    name: &str,
) -> Option<Attribute<'c>> {
    terrace_dialects::ir::arguments::list_attribute(function, "arg_attrs", index, name)
}

/// The memref of a layout; it carries none where it is what MLIR gives to these sizes. To eager an empty
/// dimension counts as one of size 1, to MLIR it makes the strides before it 0: such tensors spell theirs.
pub fn memref<'c>(context: &'c Context, layout: &Layout, dtype: Dtype) -> Type<'c> {
    let inner = layout.sizes.get(1..).unwrap_or_default();
    if *layout == Layout::contiguous(&layout.sizes) && !inner.contains(&0) {
        identity(context, &layout.sizes, dtype)
    } else {
        strided(context, layout, dtype)
    }
}

/// The memref of a new buffer.
pub fn identity<'c>(context: &'c Context, sizes: &[i64], dtype: Dtype) -> Type<'c> {
    MemRefType::new(dtype.to_type(context), sizes, None, None).into()
}

/// The memref that spells its strides and offset.
pub fn strided<'c>(context: &'c Context, layout: &Layout, dtype: Dtype) -> Type<'c> {
    let strides = StridedLayoutAttribute::new(context, layout.offset, &layout.strides).into();
    MemRefType::new(dtype.to_type(context), &layout.sizes, Some(strides), None).into()
}

/// The builtin tensor of a shape.
pub fn tensor<'c>(context: &'c Context, sizes: &[i64], dtype: Dtype) -> Type<'c> {
    TensorType { shape: sizes.to_vec(), dtype, device: None, graph: false }.to_type(context)
}
