//! Fake tensors at run time: what operators make of tensors, without computing an element.
//!
//! A [`FakeMode`] takes real tensors for fake ones, each once: the same tensor is the same fake tensor, and
//! views of one storage are views of one. Operators of the graph dialect are applied to fake tensors
//! ([`FakeMode::call`]) by the rules that verify programs, with guards where sizes are symbols; whole
//! functions are followed from example inputs ([`FakeMode::propagate`]). What was called is recorded, so that
//! real elements can be had afterwards ([`FakeMode::compute`]). A [`DeferredInit`] has the results of a
//! function that builds parameters, and makes each when it is asked for.
//!
//! ```
//! use terrace_dialects::ir::context;
//! use terrace_fake::{FakeMode, Options};
//! use terrace_tensor::{Dtype, Tensor};
//!
//! let context = terrace_dialects::new_context();
//! let mut mode = FakeMode::new(&context, Options::default());
//! let x = mode.fake(&Tensor::from_elements(Dtype::F32, &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?);
//! let t = mode.call("graph.t", &[x.into()], &[])?.tensor(0)?;
//! let y = mode.call("graph.add", &[t.into(), 1.0.into(), None.into()], &[])?.tensor(0)?;
//! assert_eq!(mode.describe(y), "f32[3, 2] strides [1, 3]");
//! assert!(mode.is_alias(x, t) && !mode.is_alias(x, y));
//! // Nothing was computed until here.
//! assert_eq!(mode.compute(&[y])?[0].get(&[2, 1])?, terrace_tensor::Scalar::Float(7.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: PyTorch's `FakeTensorMode` and `FakeTensorConverter`; torchdistx's fake tensors and deferred
//! initialization.

mod call;
mod compute;
mod convert;
mod deferred;
mod mode;
mod propagate;

pub use call::{Operand, Outputs};
pub use deferred::DeferredInit;
pub use mode::{Error, FakeMode, FakeNumber, FakeTensor, Guard, OnReal, Options, Sizes};
