//! Fake tensors: what every tensor of a program is, without computing it.
//!
//! Of a graph tensor are known sizes, strides and offset, dtype, device, the conjugate and negative flags,
//! the storage that it is a view of and the object that it is. Sizes that are not known are symbols; an
//! operator's rule computes with them as with numbers, and what it takes for granted is a guard
//! ([`terrace_size::symbols`]). Rules of types and of placement are those that verification and
//! graph-functionalize ask ([`crate::aten::rules`], [`crate::aten::placement`]).
//!
//! Where ways meet a tensor may be one of several ([`flow`](self)): its storages are those of all, and sizes
//! on which they differ are symbols.
//!
//! Source: PyTorch's `FakeTensor`, and the fake tensors of torchdistx.

mod answer;
mod answers;
mod calls;
mod chosen;
mod constants;
mod custom;
mod flow;
mod join;
pub mod numbers;
mod operator;
mod path;
mod paths;
mod state;
mod storage;
mod symbolic;
mod tensor;
mod values;

pub use constants::{Constant, Element, Evaluate};
pub use join::Followed;
pub use state::{Entry, State, Wrong};
pub use storage::{Origin, Storage, Storages, Uses, Writes};
pub use tensor::{Fake, Thing};
