//! The threads of a GPU as fibers of a process, for tests: whether kernels compute what they should, where
//! there is no GPU.
//!
//! A [`Gpu`] is a [`Device`](terrace_call::Device) as a real one is, so that all but the driver is what runs
//! there: it has the kernels' machine code for this machine ([`Code`]), each thread of a block a fiber.
//! Threads get their turns in one [`Order`] or the other, each until it waits for others. Each access to
//! memory is watched: where two threads touch a byte and no barrier says in which order, or two blocks do,
//! that is an error, whatever came of it. Time means nothing. [`Gpu::counting`] counts accesses in place of
//! that: what a kernel asks of memory is known without a GPU.

mod block;
mod code;
mod gpu;
mod memory;
mod shadow;
mod traffic;

pub use block::Order;
pub use code::{CALL, Code, FUNCTIONS, LINK, SPOIL, link};
pub use gpu::{Gpu, Launch, Machine};
pub use memory::Memory;
pub use traffic::{Requests, Traffic};
