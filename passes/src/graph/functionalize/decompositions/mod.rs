//! The functional form of every operator of graph: a row of the [`table`], by what it is called with
//! ([`lowering`]).

pub mod activation_gradients;
pub mod clamping;
pub mod classes;
pub mod convolutions;
pub mod created;
pub mod decomposer;
pub mod dispatch;
pub mod einsum;
pub mod elementary;
pub mod flat;
pub mod forms;
pub mod gates;
pub mod gradients;
pub mod images;
pub mod losses;
pub mod lowering;
pub mod norm_gradients;
pub mod norms;
pub mod numbers;
pub mod places;
pub mod prims;
pub mod products;
pub mod random;
pub mod recurrent;
pub mod statistics;
pub mod table;
