//! Tensor types of both worlds: `!graph.tensor` and builtin `tensor`.

use super::{
    cast,
    dtype::{Dtype, ElementType},
};
use crate::ops::graph;
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Location, Type, TypeLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use mlir_sys::*;
use std::fmt;
use terrace_size::{DYNAMIC, Number, Size};

/// A ranked tensor type, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorType<'c, N = i64> {
    /// Sizes; [`DYNAMIC`] where unknown.
    pub shape: Vec<N>,
    /// Element type.
    pub dtype: Dtype,
    /// Device of a graph tensor, None for the CPU.
    pub device: Option<&'c str>,
    /// Whether it is `!graph.tensor`.
    pub graph: bool,
}

/// A tensor type whose sizes may be expressions.
pub type SizedType<'c> = TensorType<'c, Size>;

/// Whether a type is one of floats.
pub fn is_float(ty: Type) -> bool {
    // SAFETY: a type is live as long as its context; it may be of any class.
    unsafe { mlirTypeIsAFloat(ty.to_raw()) }
}

/// The bits of a float or an integer; None of any other type, an index too.
pub fn bits(ty: Type) -> Option<u32> {
    // SAFETY: the width is asked only of a float or an integer.
    unsafe {
        match ty.to_raw() {
            raw if mlirTypeIsAFloat(raw) => Some(mlirFloatTypeGetWidth(raw)),
            raw if mlirTypeIsAInteger(raw) => Some(mlirIntegerTypeGetWidth(raw)),
            _ => None,
        }
    }
}

/// The type of the parts of complex numbers; None of any other type.
pub fn part(ty: Type) -> Option<Type> {
    let raw = ty.to_raw();
    // SAFETY: the type of the parts is asked only of a complex type.
    unsafe { mlirTypeIsAComplex(raw).then(|| Type::from_raw(mlirComplexTypeGetElementType(raw))) }
}

/// The bytes of a number in memory, 8 of an index; None of any other type.
pub fn bytes(ty: Type) -> Option<i64> {
    if let Some(part) = part(ty) {
        return bytes(part).map(|bytes| 2 * bytes);
    }
    // SAFETY: a type is live as long as its context; it may be of any class.
    let is_index = unsafe { mlirTypeIsAIndex(ty.to_raw()) };
    let bits = if is_index { 64 } else { bits(ty)? };
    Some(i64::from(bits.div_ceil(8)))
}

/// Whether a type is one of truth values: of one bit.
pub fn is_truth(ty: Type) -> bool {
    !is_float(ty) && bits(ty) == Some(1)
}

/// Whether a type is one of numbers that count: an index, or an integer that is no truth value.
pub fn is_count(ty: Type) -> bool {
    // SAFETY: a type is live as long as its context; it may be of any class.
    let is_index = unsafe { mlirTypeIsAIndex(ty.to_raw()) };
    is_index || !is_float(ty) && bits(ty).is_some_and(|bits| bits > 1)
}

/// The type of complex numbers of parts.
pub fn complex(part: Type) -> Type {
    // SAFETY: both are of one context.
    unsafe { Type::from_raw(mlirComplexTypeGet(part.to_raw())) }
}

/// The inputs and the results of a function type; none of any other type.
pub fn signature<'c>(ty: Type<'c>) -> (Vec<Type<'c>>, Vec<Type<'c>>) {
    let raw = ty.to_raw();
    // SAFETY: a function type has as many as it says.
    unsafe {
        if !mlirTypeIsAFunction(raw) {
            return Default::default();
        }
        let input = |i| Type::from_raw(mlirFunctionTypeGetInput(raw, i));
        let result = |i| Type::from_raw(mlirFunctionTypeGetResult(raw, i));
        let inputs = (0..mlirFunctionTypeGetNumInputs(raw)).map(input).collect();
        (inputs, (0..mlirFunctionTypeGetNumResults(raw)).map(result).collect())
    }
}

/// The element type of a tensor, a memref or a vector; None of any other type.
pub fn element(ty: Type) -> Option<Type> {
    let raw = ty.to_raw();
    // SAFETY: a shaped type has an element type.
    unsafe { mlirTypeIsAShaped(raw).then(|| Type::from_raw(mlirShapedTypeGetElementType(raw))) }
}

/// The sizes of a ranked tensor, a memref or a vector, [`DYNAMIC`] where unknown; none of any other type.
pub fn sizes(ty: Type) -> Vec<i64> {
    let raw = ty.to_raw();
    // SAFETY: a ranked type has as many sizes as its rank.
    unsafe {
        if !mlirTypeIsAShaped(raw) || !mlirShapedTypeHasRank(raw) {
            return vec![];
        }
        (0..mlirShapedTypeGetRank(raw)).map(|d| mlirShapedTypeGetDimSize(raw, d as isize)).collect()
    }
}

/// A ranked tensor, a vector or a memref with another element type; None of any other type.
pub fn with_element<'c>(ty: Type<'c>, element: Type<'c>) -> Option<Type<'c>> {
    let (raw, sizes, element) = (ty.to_raw(), sizes(ty), element.to_raw());
    let rank = sizes.len() as isize;
    // SAFETY: all parts are of one context, and the list has as many sizes as the rank says.
    unsafe {
        Some(Type::from_raw(if mlirTypeIsARankedTensor(raw) {
            mlirRankedTensorTypeGet(rank, sizes.as_ptr(), element, mlirRankedTensorTypeGetEncoding(raw))
        } else if mlirTypeIsAVector(raw) {
            mlirVectorTypeGet(rank, sizes.as_ptr(), element)
        } else if mlirTypeIsAMemRef(raw) {
            let (layout, space) = (mlirMemRefTypeGetLayout(raw), mlirMemRefTypeGetMemorySpace(raw));
            mlirMemRefTypeGet(element, rank, sizes.as_ptr(), layout, space)
        } else {
            return None;
        }))
    }
}

/// A ranked tensor type.
pub fn tensor<'c>(shape: &[i64], element: Type<'c>, encoding: Option<Attribute<'c>>) -> Type<'c> {
    let encoding = encoding.map_or(MlirAttribute { ptr: std::ptr::null() }, |encoding| encoding.to_raw());
    // SAFETY: all parts are of one context, and the list has as many sizes as the rank says.
    unsafe {
        let rank = shape.len() as isize;
        Type::from_raw(mlirRankedTensorTypeGet(rank, shape.as_ptr(), element.to_raw(), encoding))
    }
}

/// Whether the elements of a memref lie in row-major order without gaps, by its type alone.
pub fn has_identity_layout(memref: Type) -> bool {
    let raw = memref.to_raw();
    // SAFETY: a memref has a layout map.
    unsafe { mlirTypeIsAMemRef(raw) && mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(raw)) }
}

/// Whether a type is `!graph.tensor`.
pub fn is_graph_tensor(ty: Type) -> bool {
    graph::TensorType::isa(ty)
}

impl<'c> TensorType<'c> {
    /// Takes a type apart; None where it is no ranked tensor of a dtype.
    pub fn of(ty: Type<'c>) -> Option<Self> {
        if let Ok(graph) = graph::TensorType::try_from(ty) {
            let dtype = Dtype::of(graph.element_type())?;
            return Some(Self { shape: graph.shape().to_vec(), dtype, device: graph.device(), graph: true });
        }
        let tensor = cast::<RankedTensorType>(ty)?;
        // SAFETY: a ranked tensor has as many sizes as its rank.
        let shape = unsafe {
            let size = |i| mlirShapedTypeGetDimSize(ty.to_raw(), i);
            (0..mlirShapedTypeGetRank(ty.to_raw()) as isize).map(size).collect()
        };
        Some(Self { shape, dtype: Dtype::of(tensor.element())?, device: None, graph: false })
    }

    /// Whether two types are one, but for sizes that one of them leaves open.
    pub fn may_be_one(a: Type<'c>, b: Type<'c>) -> bool {
        let (Some(mut a), Some(b)) = (Self::of(a), Self::of(b)) else { return false };
        if a.rank() != b.rank() {
            return false;
        }
        for (own, other) in a.shape.iter_mut().zip(&b.shape) {
            if [*own, *other].contains(&DYNAMIC) {
                *own = *other;
            }
        }
        a == b
    }
}

impl<'c, N: Number> TensorType<'c, N> {
    /// The type itself.
    pub fn to_type(&self, context: &'c Context) -> Type<'c> {
        let element = self.dtype.to_type(context);
        let shape: Vec<i64> = self.shape.iter().map(|size| size.in_type()).collect();
        if self.graph {
            graph::TensorType::new(Location::unknown(context), &shape, element, self.device)
                .expect("sizes are not negative")
                .into()
        } else {
            let null = MlirAttribute { ptr: std::ptr::null() };
            let rank = shape.len() as isize;
            // SAFETY: there are `rank` sizes, read during the call; the element type is of the context.
            unsafe { Type::from_raw(mlirRankedTensorTypeGet(rank, shape.as_ptr(), element.to_raw(), null)) }
        }
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether every size is known.
    pub fn is_static(&self) -> bool {
        !self.shape.iter().any(|size| size.is_unknown())
    }

    /// The number of elements, where known.
    pub fn elements(&self) -> Option<N> {
        self.is_static().then(|| self.shape.iter().copied().product())
    }

    /// Whether it has no elements, as far as is assumed of its sizes ([`Number::assume_eq`]).
    pub fn is_empty(&self) -> bool {
        self.elements().is_some_and(|elements| elements.assume_eq(0))
    }

    /// The builtin tensor of the same shape and dtype.
    pub fn builtin(&self) -> Self {
        Self { device: None, graph: false, ..self.clone() }
    }

    /// The same with another shape.
    pub fn with_shape(&self, shape: &[N]) -> Self {
        Self { shape: shape.to_vec(), ..self.clone() }
    }

    /// The same with another dtype.
    pub fn with_dtype(&self, dtype: Dtype) -> Self {
        Self { dtype, ..self.clone() }
    }
}

impl<'c> TensorType<'c, Size> {
    /// Takes a type apart; None where it is no ranked tensor of a dtype.
    pub fn of_type(ty: Type<'c>) -> Option<Self> {
        TensorType::<i64>::of(ty).map(Self::from)
    }
}

impl<'c> From<TensorType<'c>> for TensorType<'c, Size> {
    fn from(ty: TensorType<'c>) -> Self {
        let TensorType { shape, dtype, device, graph } = ty;
        Self { shape: shape.into_iter().map(Size::from).collect(), dtype, device, graph }
    }
}

/// Sizes as ATen prints them: `[2, 3]`, with `?` where unknown.
pub struct Shape<'a, N = i64>(pub &'a [N]);

impl<N: Number> fmt::Display for Shape<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("[")?;
        for (i, size) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            if size.is_unknown() { f.write_str("?")? } else { write!(f, "{size}")? }
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::ir::r#type::IntegerType;

    #[test]
    fn the_view_of_a_graph_tensor_gives_its_parameters() {
        let context = crate::new_context();
        let text = "!graph.tensor<4x?xf32, \"cuda:0\">";
        let ty = Type::parse(&context, text).unwrap();
        let view = graph::TensorType::try_from(ty).unwrap();
        assert_eq!(view.shape(), [4, DYNAMIC]);
        assert_eq!(view.element_type(), Type::float32(&context));
        assert_eq!(view.device(), Some("cuda:0"));
        assert_eq!((view.to_string(), Type::from(view)), (text.to_string(), ty));
        let scalar = Type::parse(&context, "!graph.tensor<i1>").unwrap();
        let scalar = graph::TensorType::try_from(scalar).unwrap();
        assert_eq!((scalar.shape(), scalar.device()), (&[][..], None));
        let meta = Type::parse(&context, "!graph.tensor<i1, \"meta\">").unwrap();
        assert_eq!(graph::TensorType::try_from(meta).unwrap().device(), Some("meta"));
        let builtin = Type::parse(&context, "tensor<4xf32>").unwrap();
        assert_eq!(graph::TensorType::try_from(builtin), Err(builtin));
    }

    #[test]
    fn a_graph_tensor_is_built_or_refused_with_a_diagnostic() {
        let context = crate::new_context();
        let location = Location::new(&context, "here", 1, 1);
        let f32 = Type::float32(&context);
        let built = graph::TensorType::new(location, &[2, DYNAMIC], f32, None).unwrap();
        assert_eq!(built.to_string(), "!graph.tensor<2x?xf32>");
        let of = |ty| TensorType::of(ty).unwrap();
        assert_eq!(of(built.into()).to_type(&context), Type::from(built));
        let said = std::sync::Mutex::new(String::new());
        let handler = context.attach_diagnostic_handler(|diagnostic| {
            said.lock().unwrap().push_str(&format!("{}: {diagnostic}", diagnostic.location()));
            true
        });
        let error = graph::TensorType::new(location, &[2, -3], f32, None).unwrap_err();
        assert_eq!(error.to_string(), "'!graph.tensor' could not be built");
        assert!(graph::TensorType::new(location, &[], IntegerType::new(&context, 7).into(), None).is_err());
        context.detach_diagnostic_handler(handler);
        assert_eq!(
            *said.lock().unwrap(),
            "loc(\"here\":1:1): sizes are not negative, got -3loc(\"here\":1:1): \
             element type is one of f16, bf16, f32, f64, complex<f32>, complex<f64>, i64, i32, i16, i8, ui8 and i1, got 'i7'"
        );
    }
}

/// What a rule says of a result.
#[derive(Clone, Debug)]
pub enum Inferred<'c> {
    /// A tensor.
    Tensor(TensorType<'c, Size>),
    /// A value of another type.
    Other(Type<'c>),
}

impl<'c> Inferred<'c> {
    /// Its type, with `?` for what is no number.
    pub fn to_type(&self, context: &'c Context) -> Type<'c> {
        match self {
            Inferred::Tensor(tensor) => tensor.to_type(context),
            Inferred::Other(ty) => *ty,
        }
    }
}

impl<'c> From<TensorType<'c, Size>> for Inferred<'c> {
    fn from(tensor: TensorType<'c, Size>) -> Self {
        Inferred::Tensor(tensor)
    }
}

impl<'c> From<Type<'c>> for Inferred<'c> {
    fn from(ty: Type<'c>) -> Self {
        Inferred::Other(ty)
    }
}
