//! The functional form of every operator of the graph dialect: one row per type rule.
//!
//! A row says how the values are computed; [`terrace_dialects::aten::placement`] says which strides they have
//! in eager. The in-place form of an operator is computed by the same row and then cast to the tensor's
//! dtype. Here promotion, broadcasting and numbers become explicit: casts, expansions, tensors filled with a
//! number.

use super::{lowering::Lowering, table::Operator};
use melior::ir::Value;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use terrace_dialects::{
    internal,
    ir::{pass::Failure, registry::OpImpl},
};

/// The row of an operation.
pub fn find(op_impl: &OpImpl) -> Option<&'static Operator> {
    let rule = op_impl.rule.strip_suffix("_in_place").unwrap_or(op_impl.rule);
    static BY_RULE: LazyLock<FxHashMap<&str, &Operator>> =
        LazyLock::new(|| super::table::OPERATORS.iter().map(|row| (row.rule, row)).collect());
    BY_RULE.get(rule).copied()
}

/// The elements of the first operand of an in-place operation, after it: cast to the operand's dtype.
pub fn updated<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>, operator: &Operator) -> Result<Value<'c, 'a>, Failure> {
    let (_, dtype) = l.result()?;
    let value = (operator.lower)(l)?.pop().ok_or(internal!("an operator has no result"))?;
    l.values.cast(value, dtype)
}

#[cfg(test)]
mod tests {
    use super::find;
    use terrace_dialects::ir::{
        operator::Role,
        registry::{self, OpImpl},
    };

    /// What has no row beside boundaries: the generator and custom operators.
    const OTHERS: &[&str] = &["graph.custom", "graph.skip_draws"];

    #[test]
    fn every_operator_has_a_form() {
        terrace_dialects::init();
        let inside = |class: &&OpImpl| !class.view && class.role != Role::Boundary;
        let without = registry::all().filter(|class| class.dialect == "graph").filter(inside);
        let without = without
            .filter(|class| find(class).is_none() && crate::graph::resolve_views::of_class(class).is_none());
        let names: Vec<&str> = without.map(|class| class.name).collect();
        assert_eq!(names, OTHERS);
    }
}
