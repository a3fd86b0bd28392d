//! What is found out about a program: what each tensor is ([`fake`]), which values arrive where, which memories are apart.

pub mod actual;
pub mod fake;
pub mod flow;
pub mod infer;
pub mod memory;
pub mod touches;
