//! Tensor types of both worlds: `!graph.tensor` and builtin `tensor`.

use crate::dtype::Dtype;
use melior::{
    Context,
    ir::{Attribute, AttributeLike, Type, TypeLike},
};
use mlir_sys::*;
use std::fmt;

/// A size that is not known statically, as MLIR marks it.
pub const DYNAMIC: i64 = i64::MIN;

unsafe extern "C" {
    fn terrace_is_graph_tensor(ty: MlirType) -> bool;
    fn terrace_graph_tensor_get(
        context: MlirContext,
        rank: isize,
        shape: *const i64,
        element: MlirType,
        device: MlirAttribute,
    ) -> MlirType;
    fn terrace_graph_tensor_device(ty: MlirType) -> MlirAttribute;
}

/// A ranked tensor type, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorType<'c> {
    /// Sizes; [`DYNAMIC`] where unknown.
    pub shape: Vec<i64>,
    /// Element type.
    pub dtype: Dtype,
    /// Device of a graph tensor, None for the CPU.
    pub device: Option<Attribute<'c>>,
    /// Whether it is `!graph.tensor`.
    pub graph: bool,
}

/// Whether a type is `!graph.tensor`.
pub fn is_graph_tensor(ty: Type) -> bool {
    unsafe { terrace_is_graph_tensor(ty.to_raw()) }
}

impl<'c> TensorType<'c> {
    /// Takes a type apart; None where it is no ranked tensor of a dtype.
    pub fn of(ty: Type<'c>) -> Option<Self> {
        unsafe {
            let raw = ty.to_raw();
            let graph = terrace_is_graph_tensor(raw);
            if !graph && !mlirTypeIsARankedTensor(raw) {
                return None;
            }
            let shape =
                (0..mlirShapedTypeGetRank(raw)).map(|i| mlirShapedTypeGetDimSize(raw, i as isize)).collect();
            let dtype = Dtype::of(Type::from_raw(mlirShapedTypeGetElementType(raw)))?;
            let device =
                if graph { Attribute::from_option_raw(terrace_graph_tensor_device(raw)) } else { None };
            Some(Self { shape, dtype, device, graph })
        }
    }

    /// The type itself.
    pub fn to_type(&self, context: &'c Context) -> Type<'c> {
        let element = self.dtype.to_type(context).to_raw();
        let null = MlirAttribute { ptr: std::ptr::null() };
        unsafe {
            Type::from_raw(if self.graph {
                let device = self.device.map_or(null, |d| d.to_raw());
                let rank = self.shape.len() as isize;
                terrace_graph_tensor_get(context.to_raw(), rank, self.shape.as_ptr(), element, device)
            } else {
                mlirRankedTensorTypeGet(self.shape.len() as isize, self.shape.as_ptr(), element, null)
            })
        }
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether every size is known.
    pub fn is_static(&self) -> bool {
        !self.shape.contains(&DYNAMIC)
    }

    /// The number of elements, where known.
    pub fn elements(&self) -> Option<i64> {
        self.is_static().then(|| self.shape.iter().product())
    }

    /// The builtin tensor of the same shape and dtype.
    pub fn builtin(&self) -> Self {
        Self { device: None, graph: false, ..self.clone() }
    }

    /// The same with another shape.
    pub fn with_shape(&self, shape: &[i64]) -> Self {
        Self { shape: shape.to_vec(), ..self.clone() }
    }

    /// The same with another dtype.
    pub fn with_dtype(&self, dtype: Dtype) -> Self {
        Self { dtype, ..self.clone() }
    }
}

/// Sizes as ATen prints them: `[2, 3]`, with `?` where unknown.
pub struct Shape<'a>(pub &'a [i64]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("[")?;
        for (i, size) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            if *size == DYNAMIC { f.write_str("?")? } else { write!(f, "{size}")? }
        }
        f.write_str("]")
    }
}
