//! What becomes of elements that several points write.

use terrace_dialects::{ir::dtype::Dtype, loops::scatters::Meeting, ops::Combiner};

/// A combiner of elements of a dtype: of truth values a sum is whether any holds, a product whether all do.
pub fn combined(combiner: Combiner, dtype: Dtype) -> Meeting {
    Meeting::Combined(match combiner {
        Combiner::Add if dtype == Dtype::Bool => Combiner::Or,
        Combiner::Mul if dtype == Dtype::Bool => Combiner::And,
        combiner => combiner,
    })
}
