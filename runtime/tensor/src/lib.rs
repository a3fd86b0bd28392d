//! Tensors as the runtime sees them: storages, strided views, JSON and npy.
//!
//! A [`Storage`] is memory, a [`Tensor`] a strided view of it with a [`Dtype`], a [`Scalar`] one number, a
//! [`Value`] what functions take and return. [`layout`] is the arithmetic of strides without memory. [`io`]
//! reads the inputs of a program from files and writes what came of it; [`mod@compare`] says whether two
//! results agree.
//!
//! ```
//! use terrace_tensor::{Dtype, Scalar, Tensor};
//!
//! let base = Tensor::from_elements(Dtype::I64, &[2, 2], &[1, 2, 3, 4])?;
//! let diagonal = base.view(vec![2], vec![3], 0)?;
//! diagonal.set(&[1], Scalar::Int(40))?;
//! assert_eq!(base.to_vec(), [1, 2, 3, 40].map(Scalar::Int));
//! # Ok::<(), terrace_tensor::TensorError>(())
//! ```

pub mod compare;
mod error;
pub mod io;
pub mod layout;
mod scalar;
mod storage;
mod tensor;
mod value;

pub use error::TensorError;
pub use scalar::Scalar;
pub use storage::{ALIGNMENT, Elsewhere, Kept, NoElements, Storage};
pub use tensor::{Flags, Tensor};
pub use terrace_layout::dtype::{Category, Dtype, UnknownDtype};
pub use value::Value;
