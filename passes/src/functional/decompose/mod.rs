//! `functional-decompose`: compound operators are spelled by the core of the functional dialect.
//!
//! A row of [`DECOMPOSITIONS`] names an operator and the function that writes what its results are. What it
//! writes may be compound in turn, and is taken apart next. Sizes of the run are expressions over those of
//! the operator's operands ([`Known`]). Contract: the values are the operator's, up to the rounding of the
//! steps. Source of the formulas: ATen's kernels and documentation.

mod attention;
mod norms;
mod ordering;
mod pointwise;

use crate::{functional::writer::Writer, options};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    analysis::known::{Known, Table},
    ir::{
        OperationLike,
        cursor::Results,
        diagnostics::emit_op_error,
        operations::{collect, name_of},
        pass::Failure,
        rewrite,
        types::TensorType,
    },
};
use terrace_size::{
    DYNAMIC,
    symbols::{Symbols, current},
};

/// The values of an operator's results.
/// Writes what an operator is made of.
type Decompose = for<'c, 'a> fn(OperationRef<'c, 'a>, Writer<'c, 'a>) -> Results<'c, 'a>;

/// The operators that are taken apart, by name.
const DECOMPOSITIONS: &[(&str, Decompose)] = &[
    ("_scaled_dot_product_flash_attention_for_cpu", attention::flash_attention),
    ("_scaled_dot_product_flash_attention_for_cpu_backward", attention::flash_attention_backward),
    ("angle", pointwise::angle),
    ("argmax", ordering::arg_extreme),
    ("argmin", ordering::arg_extreme),
    ("logaddexp", pointwise::logaddexp),
    ("logaddexp2", pointwise::logaddexp),
    ("max.dim", ordering::extreme_dim),
    ("min.dim", ordering::extreme_dim),
    ("native_batch_norm", norms::native_batch_norm),
    ("native_group_norm", norms::native_group_norm),
    ("rms_norm", norms::rms_norm),
    ("scaled_dot_product_attention", attention::scaled_dot_product_attention),
    ("sgn", pointwise::sgn),
];

/// The names of the operators that are taken apart, without dialect.
pub fn decomposed() -> impl Iterator<Item = &'static str> {
    DECOMPOSITIONS.iter().map(|row| row.0)
}

/// Runs the pass on all operators in an operation.
pub fn run(root: OperationRef, options: &options::FunctionalDecompose) -> Result<(), Failure> {
    let keep: Vec<&str> = options.keep.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if let Some(unknown) = keep.iter().find(|name| row(name).is_none()) {
        let known: Vec<_> = decomposed().collect();
        return Err(format!(
            "keep names '{unknown}', which is not taken apart; these operators are: {}",
            known.join(", ")
        )
        .into());
    }
    let find = |op: OperationRef| {
        let name = name_of(op).strip_prefix("functional.")?;
        row(name).filter(|_| !keep.contains(&name) && (name == "rms_norm" || is_real(op)))
    };
    // As many rounds as compound operators are nested in the spelling of one.
    loop {
        let found = collect(root, |op| find(op).is_some());
        if found.is_empty() {
            return Ok(());
        }
        for op in found {
            if let Some(decompose) = find(op) {
                replace(op, decompose)?;
            }
        }
    }
}

/// Puts what an operator is made of in its place.
fn replace(op: OperationRef, decompose: Decompose) -> Result<(), Failure> {
    let table = Table::default();
    let values = values_of(op, decompose, table.known()).map_err(|failure| {
        if let Failure::Message(message) = failure {
            emit_op_error(&op, &message);
        }
        Failure::Reported
    })?;
    rewrite::replace(op, &values);
    Ok(())
}

/// What an operator is made of, in the types of its results.
fn values_of<'c, 'a>(op: OperationRef<'c, 'a>, decompose: Decompose, known: Known<'a>) -> Results<'c, 'a> {
    let w = Writer::before(op);
    let open =
        |value: Value| TensorType::<i64>::of(value.r#type()).is_some_and(|ty| ty.shape.contains(&DYNAMIC));
    if !op.operands().any(open) {
        return decompose(op, w);
    }
    let w = w.knowing(known);
    Symbols::promised().enter(|| {
        for tensor in op.operands().filter(|value| open(*value)) {
            name_sizes(tensor, w.known);
        }
        let values = decompose(op, w)?;
        values.iter().zip(op.results()).map(|(value, result)| w.cast_to(*value, result.r#type())).collect()
    })
}

/// Gives each size of a tensor that its type leaves open a symbol.
fn name_sizes(tensor: Value, known: Known) {
    let Some(mut sizes) = known.sizes(tensor) else { return };
    for (dim, size) in sizes.iter_mut().enumerate().filter(|(_, size)| size.is_unknown()) {
        let (symbol, own) = current(|symbols| symbols.symbol(None, 0));
        known.set_dim(symbol, tensor, dim);
        *size = own;
    }
    known.set_sizes(tensor, &sizes);
}

fn row(name: &str) -> Option<Decompose> {
    DECOMPOSITIONS.binary_search_by_key(&name, |row| row.0).ok().map(|i| DECOMPOSITIONS[i].1)
}

/// Most spellings are of real numbers alone.
fn is_real(op: OperationRef) -> bool {
    let is_real =
        |value: Value| TensorType::<i64>::of(value.r#type()).is_none_or(|tensor| !tensor.dtype.is_complex());
    op.operands().all(is_real) && op.results().all(|result| is_real(result.into()))
}

#[cfg(test)]
mod tests {
    use super::DECOMPOSITIONS;
    use terrace_dialects::ir::registry;

    #[test]
    fn the_table_is_sorted_and_names_operators() {
        terrace_dialects::init();
        assert!(DECOMPOSITIONS.is_sorted_by_key(|row| row.0));
        for (name, _) in DECOMPOSITIONS {
            assert!(registry::by_name(&format!("functional.{name}")).is_some(), "{name}");
        }
    }
}
