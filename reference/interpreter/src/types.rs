//! MLIR types and constants as tensors and numbers.

use melior::ir::{Attribute, AttributeLike, Type, TypeLike};
use mlir_sys::*;
use terrace_dialects::ir::{
    attributes,
    dtype::{Dtype, ElementType},
    types::is_graph_tensor,
};
use terrace_size::DYNAMIC;
use terrace_tensor::{Scalar, Storage, Tensor, Value};

/// The dtype of an element, or of a number; `None` for a type that the interpreter has no numbers for. An
/// index is an i64.
pub fn dtype_of(ty: Type) -> Option<Dtype> {
    let raw = ty.to_raw();
    // SAFETY: the type is live, and asked only what its kind answers.
    unsafe {
        if mlirTypeIsAIndex(raw) {
            return Some(Dtype::I64);
        }
    }
    Dtype::of(ty)
}

/// What the interpreter expects of a value of a type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kind {
    /// The type, as MLIR prints it.
    text: String,
    /// What sort of value it is.
    pub sort: Sort,
    /// The dtype of the elements, or of the number.
    pub dtype: Dtype,
    /// Elements per dimension, [`DYNAMIC`] where not known.
    pub sizes: Vec<i64>,
    /// Strides and offset that the type of a memref gives, [`DYNAMIC`] where not known.
    layout: Option<(Vec<i64>, i64)>,
}

/// The sorts of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A number.
    Number,
    /// A view of a storage.
    View,
    /// A builtin tensor or vector: elements without a place.
    Value,
    /// A memref.
    Buffer,
}

impl Kind {
    /// The kind of a type.
    pub fn of(ty: Type) -> Result<Kind, String> {
        let raw = ty.to_raw();
        let unknown = || format!("has a value of type {ty}, which the interpreter does not know");
        let graph = is_graph_tensor(ty);
        // SAFETY: the type is live, and asked only what its kind answers.
        unsafe {
            let memref = mlirTypeIsAMemRef(raw);
            if !(graph || memref || mlirTypeIsARankedTensor(raw) || mlirTypeIsAVector(raw)) {
                let dtype = dtype_of(ty).ok_or_else(unknown)?;
                return Ok(Kind {
                    text: ty.to_string(),
                    sort: Sort::Number,
                    dtype,
                    sizes: Vec::new(),
                    layout: None,
                });
            }
            let dtype = dtype_of(Type::from_raw(mlirShapedTypeGetElementType(raw))).ok_or_else(unknown)?;
            let rank = mlirShapedTypeGetRank(raw) as usize;
            let sizes: Vec<i64> = (0..rank).map(|dim| mlirShapedTypeGetDimSize(raw, dim as isize)).collect();
            let sort = match (graph, memref) {
                (true, _) => Sort::View,
                (_, true) => Sort::Buffer,
                _ => Sort::Value,
            };
            let mut layout = None;
            if memref {
                let (mut strides, mut offset) = (vec![0; rank], 0);
                let known = mlirMemRefTypeGetStridesAndOffset(raw, strides.as_mut_ptr(), &mut offset);
                if known.value == 0 {
                    return Err(unknown());
                }
                layout = Some((strides, offset));
            }
            Ok(Kind { text: ty.to_string(), sort, dtype, sizes, layout })
        }
    }

    /// The same elements without a place.
    pub fn as_value(&self) -> Kind {
        Kind { sort: Sort::Value, layout: None, ..self.clone() }
    }

    /// Says what is wrong with a value for this kind, if anything.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        let fits = |static_sizes: &[i64], sizes: &[i64]| {
            static_sizes.len() == sizes.len()
                && static_sizes.iter().zip(sizes).all(|(&known, &size)| known == DYNAMIC || known == size)
        };
        match (value, self.sort) {
            (Value::Scalar(scalar), Sort::Number)
                if scalar.cast(self.dtype) == *scalar || is_nan(*scalar) =>
            {
                Ok(())
            }
            (Value::Scalar(scalar), _) => Err(format!("the number {scalar} is no {}", self.text)),
            (Value::Tensor(tensor), Sort::Number) => {
                Err(format!("a {} tensor of sizes {:?} is no {}", tensor.dtype(), tensor.sizes(), self.text))
            }
            (Value::Tensor(tensor), _)
                if tensor.dtype() != self.dtype || !fits(&self.sizes, tensor.sizes()) =>
            {
                Err(format!("a {} tensor of sizes {:?} is no {}", tensor.dtype(), tensor.sizes(), self.text))
            }
            (Value::Tensor(tensor), _) => match &self.layout {
                Some((strides, offset))
                    if !fits(&[*offset], &[tensor.offset()]) || !fits(strides, tensor.strides()) =>
                {
                    Err(format!(
                        "a tensor with strides {:?} at offset {} is no {}",
                        tensor.strides(),
                        tensor.offset(),
                        self.text
                    ))
                }
                _ => Ok(()),
            },
        }
    }
}

fn is_nan(scalar: Scalar) -> bool {
    let (re, im) = scalar.to_complex();
    re.is_nan() || im.is_nan()
}

/// The number or tensor that a constant attribute stands for.
pub(crate) fn constant(attribute: Attribute, kind: &Kind) -> Result<Value, String> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is live, and asked only what its kind answers.
    unsafe {
        if kind.sort == Sort::Number {
            if let Some([re, im]) = attributes::complex(attribute) {
                return Ok(Scalar::Complex(re, im).into());
            }
            let scalar = match kind.dtype {
                Dtype::Bool => Scalar::Bool(mlirIntegerAttrGetValueInt(raw) != 0),
                dtype if dtype.is_integer() => Scalar::Int(mlirIntegerAttrGetValueInt(raw)),
                dtype if dtype.is_float() => Scalar::Float(mlirFloatAttrGetValueDouble(raw)),
                _ => return Err(format!("has a constant {attribute}, which the interpreter does not know")),
            };
            return Ok(scalar.into());
        }
        let numbers = mlirAttributeIsADenseIntElements(raw) || mlirAttributeIsADenseFPElements(raw);
        if !mlirAttributeIsADenseElements(raw) || !(numbers || kind.dtype.is_complex()) {
            return Err(format!("has a constant {attribute}, which the interpreter does not know"));
        }
        let count: i64 = kind.sizes.iter().product();
        let splat = mlirDenseElementsAttrIsSplat(raw);
        let (stored, repeat) = if splat { (1, count) } else { (count, 1) };
        let bytes = if stored == 0 {
            // There is no address of nothing.
            Vec::new()
        } else if kind.dtype == Dtype::Bool {
            (0..stored).map(|at| u8::from(mlirDenseElementsAttrGetBoolValue(raw, at as isize))).collect()
        } else {
            let size = stored as usize * kind.dtype.bytes();
            std::slice::from_raw_parts(mlirDenseElementsAttrGetRawData(raw).cast::<u8>(), size).to_vec()
        };
        let strides = if splat {
            vec![0; kind.sizes.len()]
        } else {
            terrace_tensor::layout::contiguous_strides(&kind.sizes)
        };
        assert_eq!(stored * repeat, count);
        let storage = Storage::from_bytes(&bytes).map_err(|error| error.to_string())?;
        let tensor = Tensor::new(storage, kind.dtype, kind.sizes.clone(), strides, 0);
        Ok(tensor.map_err(|error| error.to_string())?.into())
    }
}
