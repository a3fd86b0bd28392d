//! The reference interpreter: what a program means.
//!
//! A [`Interpreter`] runs the functions of a module, at any level: `graph` by eager PyTorch's semantics on
//! strided storages, `functional` by values, `loop` and `kernel` element by element, and upstream's linalg,
//! affine, arith, math, index, scf, cf, func, tensor and memref by what MLIR says of them. It is the oracle
//! that compiled code is compared with, and shares nothing with the lowering. What an operator means stands
//! in [`semantics`], without IR; here it meets operations.
//!
//! ```
//! use melior::ir::Module;
//! use terrace_interpreter::Interpreter;
//! use terrace_tensor::{Dtype, Scalar, Tensor};
//!
//! let context = terrace_dialects::new_context();
//! let text = "
//!   func.func @f(%x: !graph.tensor<2x2xf32>) -> !graph.tensor<2xf32> {
//!     %c = graph.select %x index [1] {dim = 1 : i64} : !graph.tensor<2x2xf32>
//!     %w = graph.neg_ %c : !graph.tensor<2xf32>
//!     return %w : !graph.tensor<2xf32>
//!   }";
//! let module = Module::parse(&context, text).unwrap();
//! let x = Tensor::from_elements(Dtype::F32, &[2, 2], &[1.0, 2.0, 3.0, 4.0])?;
//! let results = Interpreter::new(&module).call("f", vec![x.clone().into()])?;
//! assert!(results[0].as_tensor().unwrap().storage().is_same(x.storage()));
//! assert_eq!(x.to_vec(), [1.0, -2.0, 3.0, -4.0].map(Scalar::Float));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dialects;
mod error;
mod evaluate;
mod machine;
pub mod semantics;
mod types;

pub use error::Error;
pub use evaluate::EVALUATOR;
pub use machine::{Interpreter, Observer};
pub use types::dtype_of;
