//! What can be wrong with a tensor.

/// Why a tensor cannot be made. Wording is eager PyTorch's where eager has one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TensorError {
    /// Sizes and strides differ in number.
    #[error("{} sizes but {} strides", .sizes.len(), .strides.len())]
    RankMismatch {
        /// Elements per dimension.
        sizes: Vec<i64>,
        /// Elements between neighbours, per dimension.
        strides: Vec<i64>,
    },
    /// A size below 0.
    #[error("Trying to create tensor with negative dimension {size}: {sizes:?}")]
    NegativeSize {
        /// The first size that is negative.
        size: i64,
        /// All of them.
        sizes: Vec<i64>,
    },
    /// More elements or bytes than can be counted.
    #[error("a {dtype} tensor of sizes {sizes:?} is larger than any memory")]
    TooLarge {
        /// The element type.
        dtype: crate::Dtype,
        /// Elements per dimension.
        sizes: Vec<i64>,
    },
    /// An element would lie beyond the end of the storage.
    #[error(
        "setStorage: sizes {sizes:?}, strides {strides:?}, storage offset {offset}, and itemsize {itemsize} requiring a storage size of {required} are out of bounds for storage of size {available}"
    )]
    OutOfBounds {
        /// Elements per dimension.
        sizes: Vec<i64>,
        /// Elements between neighbours, per dimension.
        strides: Vec<i64>,
        /// Elements before the first.
        offset: i64,
        /// Bytes of an element.
        itemsize: usize,
        /// Bytes that would be needed.
        required: i128,
        /// Bytes that there are.
        available: usize,
    },
    /// An element would lie before the start of the storage.
    #[error(
        "sizes {sizes:?}, strides {strides:?} and storage offset {offset} reach before the start of the storage"
    )]
    BeforeStorage {
        /// Elements per dimension.
        sizes: Vec<i64>,
        /// Elements between neighbours, per dimension.
        strides: Vec<i64>,
        /// Elements before the first.
        offset: i64,
    },
    /// An index that is no element's.
    #[error("index {index:?} is out of range for a tensor of sizes {sizes:?}")]
    IndexOutOfRange {
        /// The index.
        index: Vec<i64>,
        /// Elements per dimension.
        sizes: Vec<i64>,
    },
    /// The system has no memory left.
    #[error("no memory for a storage of {bytes} bytes")]
    OutOfMemory {
        /// Bytes that were asked for.
        bytes: usize,
    },
    /// The memory is not of this process; what is wrong with it.
    #[error("{0}")]
    Elsewhere(String),
}
