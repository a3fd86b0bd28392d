//! What is found out about a program: what each tensor is ([`fake`]), which values arrive where, what
//! operations read and write ([`effects`]), which memories are disjoint ([`memory`]), which points touch one
//! element ([`dependence`]).

pub mod actual;
pub mod dependence;
pub mod effects;
pub mod fake;
pub mod flow;
pub mod infer;
pub mod known;
pub mod memory;
