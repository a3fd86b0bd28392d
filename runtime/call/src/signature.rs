//! What an entry point takes and returns.
//!
//! In machine code a memref is a bare pointer: its rank, element type and layout are gone. They are kept
//! here, for checking calls and for writing C headers.

use std::fmt;
use terrace_tensor::Dtype;

/// The type of an entry point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The function's name, without `@`.
    pub name: String,
    /// What it takes, in order.
    pub arguments: Vec<ValueType>,
    /// What it returns, in order.
    pub results: Vec<ValueType>,
}

/// The type of an argument or a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// A number passed by value; `index` is an [`Dtype::I64`].
    Scalar(Dtype),
    /// A strided buffer.
    MemRef(MemRefType),
}

/// A strided buffer; `None` stands for what is only known at run time. Strides and offset are in elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemRefType {
    /// The type of its elements.
    pub dtype: Dtype,
    /// One size a dimension.
    pub sizes: Vec<Option<i64>>,
    /// One stride a dimension.
    pub strides: Vec<Option<i64>>,
    /// Where the first element lies.
    pub offset: Option<i64>,
    /// Whether the type has no layout of its own.
    pub plain: bool,
}

impl Signature {
    /// The symbol of its entry point.
    pub fn symbol(&self) -> String {
        format!("{ENTRY}{}", self.name)
    }
}

/// What stands in front of the name of an entry point.
pub(crate) const ENTRY: &str = "_terrace_entry_";

impl ValueType {
    /// Whether sizes, strides or offset are known at run time only.
    pub fn has_unknown(&self) -> bool {
        match self {
            ValueType::Scalar(_) => false,
            ValueType::MemRef(m) => m.sizes.iter().chain(&m.strides).chain([&m.offset]).any(Option::is_none),
        }
    }
}

impl MemRefType {
    /// Whether the strides are those of a contiguous buffer at offset 0, as far as sizes are known.
    fn is_identity(&self) -> bool {
        let mut expected = Some(1);
        let strides = self.sizes.iter().zip(&self.strides).rev().all(|(&size, &stride)| {
            let same = stride == expected;
            expected = expected.zip(size).map(|(e, s)| e * s);
            same
        });
        strides && self.offset == Some(0)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |types: &[ValueType]| types.iter().map(ValueType::to_string).collect::<Vec<_>>().join(", ");
        write!(f, "{}({})", self.name, list(&self.arguments))?;
        match &self.results[..] {
            [] => Ok(()),
            [one] => write!(f, " -> {one}"),
            many => write!(f, " -> ({})", list(many)),
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Scalar(dtype) => dtype.fmt(f),
            ValueType::MemRef(memref) => memref.fmt(f),
        }
    }
}

impl fmt::Display for MemRefType {
    /// In MLIR's notation, with the names of dtypes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<i64>| value.map_or("?".into(), |v| v.to_string());
        write!(f, "memref<")?;
        self.sizes.iter().try_for_each(|size| write!(f, "{}x", text(size)))?;
        write!(f, "{}", self.dtype)?;
        if !self.is_identity() {
            let strides: Vec<_> = self.strides.iter().map(text).collect();
            write!(f, ", strided<[{}], offset: {}>", strides.join(", "), text(&self.offset))?;
        }
        write!(f, ">")
    }
}
