//! `convert-functional-to-loop`: every operator becomes loop operations on tensors.
//!
//! Operators are lowered in program order, each by the function of its family. A view is no operation
//! afterwards: loads look through it ([`source`]), so it stays in place until all that reads it has been
//! lowered. What still uses a view then (a return, a call, an operation of another dialect) gets a copy.
//!
//! Sizes may be known at run time only: [`sizes`] says what they are where loops need them.
//!
//! Contract: elements of f32, f64, i64, i32, i16, i8, i1 and complex numbers, and of f16, bf16 and ui8 where
//! they are only moved or cast. Types do not change. Semantics: ATen's, as eager PyTorch has them.

mod axes;
mod bags;
mod bits;
mod bounds;
mod combining;
mod complex;
mod convolution;
mod counted;
mod division;
mod even;
mod groups;
mod indexing;
mod late;
mod library;
mod losses;
mod meeting;
mod normalization;
mod padded;
mod phases;
mod places;
mod pointwise;
mod pooling;
mod products;
mod random;
mod reductions;
mod reinterpret;
mod reshape;
mod resizing;
mod sampling;
mod scalar;
mod scatters;
mod sizes;
mod source;
mod special;
mod tables;
mod views;

use crate::{emit::Emitter, options};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    analysis::known::Known,
    ir::{
        OperationLike, annotations, attributes,
        cursor::{Results, V},
        diagnostics::emit_op_error,
        dtype::{Category, Dtype, ElementType},
        operations::{collect, name_of, users},
        operator::Elements,
        pass::Failure,
        refusal::Reason,
        registry::elements,
        rewrite::{self, set_operand},
        types::TensorType,
    },
};

/// Writes what an operator becomes.
type Lower = for<'c, 'a> fn(OperationRef<'c, 'a>, &Emitter<'c, 'a>) -> Results<'c, 'a>;

/// The operators that are neither pointwise nor views.
const OPERATORS: &[(&str, Lower)] = &[
    ("_adaptive_avg_pool2d", even::adaptive_avg_pool),
    ("_adaptive_avg_pool2d_backward", even::adaptive_avg_pool_backward),
    ("_adaptive_avg_pool3d", even::adaptive_avg_pool),
    ("_embedding_bag", bags::embedding_bag),
    ("_embedding_bag_backward", bags::embedding_bag_backward),
    ("_embedding_bag_dense_backward", bags::embedding_bag_dense_backward),
    ("_fft_c2c", library::fft_c2c),
    ("_fft_c2r", library::fft_c2r),
    ("_fft_r2c", library::fft_r2c),
    ("_grouped_mm", groups::grouped_product),
    ("adaptive_max_pool2d", even::adaptive_max_pool),
    ("adaptive_max_pool2d_backward", pooling::max_pool_backward),
    ("adaptive_max_pool3d", even::adaptive_max_pool),
    ("adaptive_max_pool3d_backward", pooling::max_pool_backward),
    ("all", reductions::all),
    ("amax", reductions::amax),
    ("amin", reductions::amin),
    ("any", reductions::any),
    ("arange", pointwise::arange),
    ("as_strided_scatter", scatters::as_strided_scatter),
    ("avg_pool2d", pooling::avg_pool),
    ("avg_pool2d_backward", pooling::avg_pool_backward),
    ("avg_pool3d", pooling::avg_pool),
    ("avg_pool3d_backward", pooling::avg_pool_backward),
    ("bernoulli", random::bernoulli),
    ("bincount", counted::bincount),
    ("bmm", products::bmm),
    ("cat", indexing::cat),
    ("convolution", convolution::convolution),
    ("convolution_backward", convolution::convolution_backward),
    ("cummax", reductions::cummax),
    ("cummin", reductions::cummin),
    ("cumprod", reductions::cumprod),
    ("cumsum", reductions::cumsum),
    ("diagonal_scatter", scatters::scatter),
    ("embedding", indexing::embedding),
    ("embedding_dense_backward", tables::embedding_dense_backward),
    ("gather", indexing::gather),
    ("grid_sampler_2d", sampling::grid_sampler),
    ("grid_sampler_2d_backward", sampling::grid_sampler_backward),
    ("grid_sampler_3d", sampling::grid_sampler),
    ("grid_sampler_3d_backward", sampling::grid_sampler_backward),
    ("histc", library::histc),
    ("index", indexing::index),
    ("index_put", combining::index_put),
    ("layer_norm", normalization::layer_norm),
    ("linear", products::linear),
    ("log_softmax", normalization::log_softmax),
    ("logcumsumexp", reductions::logcumsumexp),
    ("masked_select", counted::masked_select),
    ("max_pool2d_with_indices", pooling::max_pool),
    ("max_pool2d_with_indices_backward", pooling::max_pool_backward),
    ("max_pool3d_with_indices", pooling::max_pool),
    ("max_pool3d_with_indices_backward", pooling::max_pool_backward),
    ("mean", reductions::mean),
    ("mm", products::mm),
    ("multinomial", random::multinomial),
    ("native_layer_norm", normalization::native_layer_norm),
    ("nll_loss_backward", losses::nll_loss_backward),
    ("nll_loss_forward", losses::nll_loss),
    ("nonzero", counted::nonzero),
    ("prod", reductions::prod),
    ("random_integers", random::random_integers),
    ("random_normal", random::random_normal),
    ("random_uniform", random::random_uniform),
    ("randperm", random::randperm),
    ("scatter.src", combining::scatter),
    ("scatter_add", combining::scatter_add),
    ("scatter_reduce.two", combining::scatter_reduce),
    ("select_scatter", scatters::scatter),
    ("skip_draws", random::skip_draws),
    ("slice_scatter", scatters::scatter),
    ("softmax", normalization::softmax),
    ("sort", library::sort),
    ("sum", reductions::sum),
    ("topk", library::topk),
    ("transformers.grouped_mm_fallback", groups::grouped_mm),
    ("transformers.grouped_mm_fallback_backward", groups::grouped_mm_backward),
    ("upsample_bicubic2d", resizing::upsample),
    ("upsample_bicubic2d_backward", resizing::upsample_backward),
    ("upsample_bilinear2d", resizing::upsample),
    ("upsample_bilinear2d_backward", resizing::upsample_backward),
    ("upsample_nearest2d", resizing::upsample),
    ("upsample_nearest2d_backward", resizing::upsample_backward),
    ("view.dtype", reinterpret::view_dtype),
    ("view_copy.dtype", reinterpret::view_dtype),
    ("within", losses::within),
];

/// Whether an operator moves or casts elements and does nothing else with them.
pub fn moves(op: OperationRef) -> bool {
    matches!(elements(op), Some(Elements::Moved | Elements::Viewed))
        || views::copied(op).is_some()
        || combining::is_replacing(op)
        || resizing::is_of_bytes(op)
}

/// Whether the loops of an operator take elements that nothing is computed in: it moves them, or casts them
/// itself.
pub fn takes_any_dtype(op: OperationRef) -> bool {
    moves(op) || elements(op) == Some(Elements::ByDtype)
}

/// Runs the pass on a function.
pub fn run(function: OperationRef, _: &options::ConvertFunctionalToLoop) -> Result<(), Failure> {
    sizes::enter(!collect(function, sizes::has_open).is_empty(), |known| lower_all(function, known))
}

fn lower_all<'c, 'a>(function: OperationRef<'c, 'a>, known: Known<'a>) -> Result<(), Failure> {
    let mut views = vec![];
    for op in collect(function, |op| name_of(op).starts_with("functional.") || chooses(op)) {
        at(op, known, |e| {
            if chooses(op) {
                let value = pointwise::choice(op, e)?;
                replace(op, &[value], known);
                return Ok(());
            }
            check(op)?;
            sizes::learn(op, known)?;
            if scatters::writes_through(op).is_some() {
                views.push(op);
                return Ok(());
            }
            if is_read_through(op) {
                views::prepare(op, e)?;
                if !places::is_computed(op) {
                    views.push(op);
                    return Ok(());
                }
                let made = views::materialize(op, e)?;
                replace(op, &[made], known);
                return Ok(());
            }
            let mut values = match views::copied(op) {
                Some(view) => views::copy(op, view, e, &mut views)?,
                None => lower(op, e)?,
            };
            if let Some(number) = annotations::in_place(op) {
                pointwise::write_over(&mut values, op.operand(number)?);
            }
            replace(op, &values, known);
            Ok(())
        })?;
    }
    // The last first: a copy may be a use of an earlier view.
    for op in views.into_iter().rev() {
        at(op, known, |e| {
            let value = op.result_at(0)?.into();
            let new =
                if users(value).next().is_some() { vec![views::materialize(op, e)?] } else { vec![value] };
            replace(op, &new, known);
            Ok(())
        })?;
    }
    collect(function, is_splat).into_iter().try_for_each(|op| fill(op, known))
}

/// Whether an operation is a constant tensor of one number.
fn is_splat(op: OperationRef) -> bool {
    let splat = || attributes::splat(op.attribute("value").ok()?);
    name_of(op) == "arith.constant" && splat().is_some()
}

/// Gives each use of a constant tensor a tensor of its own, which a loop fills: as memory it would be part of
/// the code, and be copied. In a loop nest it stays.
fn fill<'c, 'a>(op: OperationRef<'c, 'a>, known: Known<'a>) -> Result<(), Failure> {
    let value = Value::from(op.result_at(0)?);
    let in_loops = |user: &OperationRef| {
        user.parent_operation().is_some_and(|around| name_of(around).starts_with("loop."))
    };
    for user in users(value).filter(|user| !in_loops(user)).collect::<Vec<_>>() {
        for place in (0..user.operand_count()).filter(|place| user.operand(*place) == Ok(value)) {
            at(user, known, |e| {
                let Some(number) = source::number(value, e)? else { return Ok(()) };
                let new = e.pointwise(sizes::typed(value, e)?, |_, _| Ok(number))?;
                set_operand(user, place, new);
                Ok(())
            })?;
        }
    }
    Ok(())
}

/// Whether an operation is one of two tensors, by one number. Bufferization takes both for one memory then,
/// and would refuse a loop that writes the one and reads the other.
fn chooses(op: OperationRef) -> bool {
    let is_tensor = |value: Value| TensorType::of(value.r#type()).is_some_and(|ty| !ty.graph);
    name_of(op) == "arith.select"
        && op.operand(0).is_ok_and(|condition| !is_tensor(condition))
        && op.operand(1).is_ok_and(is_tensor)
}

/// Runs a step in front of an operation; its error is one at the operation.
fn at<'c, 'a>(
    op: OperationRef<'c, 'a>,
    known: Known<'a>,
    step: impl FnOnce(&Emitter<'c, 'a>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match Emitter::before(op).and_then(|e| step(&e.knowing(known))) {
        Err(Failure::Message(message)) => {
            emit_op_error(&op, &message);
            Err(Failure::Reported)
        }
        other => other,
    }
}

/// Whether an operator makes each element of the elements at its place.
pub fn is_pointwise(op: OperationRef) -> bool {
    let name = name_of(op).trim_start_matches("functional.");
    OPERATORS.binary_search_by_key(&name, |row| row.0).is_err() && has_form(name)
}

/// Whether there is something that becomes of one element, of real or of complex numbers.
fn has_form(name: &str) -> bool {
    [Category::Float, Category::Complex].into_iter().any(|class| scalar::form(name, class).is_some())
}

/// Whether loads look through an operation: at what it views, at the number that it fills with.
pub fn is_read_through(op: OperationRef) -> bool {
    views::is_view(op) || name_of(op) == "functional.full"
}

fn lower<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let name = name_of(op).trim_start_matches("functional.");
    if let Ok(i) = OPERATORS.binary_search_by_key(&name, |row| row.0) {
        return OPERATORS[i].1(op, e);
    }
    let class = match op.operands().last() {
        Some(last) => sizes::tensor(last)?.dtype.category(),
        None => return Err(Reason::Form.says("has no lowering to loops").into()),
    };
    let form = scalar::form(name, class).ok_or_else(|| Reason::Form.says("has no lowering to loops"))?;
    pointwise::pointwise(op, form, e)
}

/// Elements must be ones that loops are made for.
fn check(op: OperationRef) -> Result<(), Failure> {
    for value in op.operands().chain(op.results().map(Value::from)) {
        let ty = value.r#type();
        if Dtype::of(ty).is_some() {
            continue;
        }
        let tensor = TensorType::of(ty).ok_or_else(|| format!("expects ranked tensors, got {ty}"))?;
        if tensor.dtype.computed() != tensor.dtype && !takes_any_dtype(op) {
            return Err(Reason::Form.says(format!(
                "has elements in {ty}, which loops move and cast but do not compute with; functional-widen casts them first"
            )).into());
        }
    }
    Ok(())
}

/// Replaces an operation's results, and erases it.
fn replace<'c, 'a>(op: OperationRef<'c, 'a>, values: &[V<'c, 'a>], known: Known) {
    for (result, value) in op.results().zip(values) {
        sizes::replaced(result.into(), *value, known);
    }
    sizes::forget(op, known);
    rewrite::replace(op, values);
}

#[cfg(test)]
mod tests {
    use super::{OPERATORS, has_form};
    use crate::functional::decompose::decomposed;
    use terrace_dialects::{
        ir::{operator::Elements, registry},
        table,
    };

    #[test]
    fn every_operator_of_the_dialect_is_lowered() {
        terrace_dialects::init();
        assert!(OPERATORS.is_sorted_by_key(|row| row.0));
        for op in table::ALL.iter().filter(|op| op.dialect == "functional") {
            let name = op.name.trim_start_matches("functional.");
            let view = op.name.strip_suffix("_copy").and_then(registry::by_name).unwrap_or(op);
            let known = view.elements == Elements::Viewed
                || name == "full"
                || OPERATORS.iter().any(|row| row.0 == name)
                || decomposed().any(|row| row == name)
                || has_form(name);
            assert!(known, "{}", op.name);
        }
    }
}
