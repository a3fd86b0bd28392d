//! Operators that write or change a tensor, each by its name: of a tensor, with other operands and attributes
//! by chance.

use super::{described, indexing::indices, *};
use std::sync::OnceLock;

/// Operators in place that are counted as one.
pub struct Mutation {
    /// The name: of the operator, or of all those on lists with the same kind of other operands.
    pub name: &'static str,
    operators: Vec<&'static str>,
}

/// The operators in place of docs/operators.json.
pub fn kinds() -> &'static [Mutation] {
    static KINDS: OnceLock<Vec<Mutation>> = OnceLock::new();
    KINDS.get_or_init(|| {
        let mut kinds: Vec<Mutation> = vec![];
        let names = described::names().filter_map(|name| name.strip_prefix("graph."));
        for operator in names.filter(|name| is_in_place(name)) {
            let name = match operator.strip_prefix("_foreach_") {
                Some(rest) => match rest.split_once('.') {
                    Some((_, "List")) => "_foreach_*_.List",
                    Some((_, "Scalar")) => "_foreach_*_.Scalar",
                    Some((_, "ScalarList")) => "_foreach_*_.ScalarList",
                    Some(_) => "_foreach_*_.Tensor",
                    None => "_foreach_*_",
                },
                None => operator,
            };
            match kinds.iter_mut().find(|kind| kind.name == name) {
                Some(kind) => kind.operators.push(operator),
                None => kinds.push(Mutation { name, operators: vec![operator] }),
            }
        }
        kinds
    })
}

/// The place of what an operator is counted as.
pub fn kind_of(operator: &str) -> Option<usize> {
    kinds().iter().position(|kind| kind.operators.contains(&operator))
}

/// Whether an operator, without its dialect, is one in place.
pub fn is_in_place(name: &str) -> bool {
    name.split('.').next().is_some_and(|base| base.ends_with('_'))
}

/// An operator in place, one of a kind.
pub fn mutation(bench: &mut Workbench, kind: &Mutation, x: usize) -> Option<Candidate> {
    let operator = bench.random.choose(&kind.operators);
    let (x_name, x_type, own, own_dtype) = (name(bench, x), ty(bench, x), sizes(bench, x), dtype(bench, x));
    let of_x = |parameters: String| op(format!("graph.{operator} {x_name}{parameters} : {x_type}"), &[x]);
    match operator {
        "addmm_" | "addmv_" | "addbmm_" | "baddbmm_" => product(bench, operator, x),
        "clamp_" => {
            let (number, number_type, line) = number(bench, own_dtype.is_float());
            let bound = bench.random.choose(&["min", "max"]);
            let candidate = of_x(format!(" {bound} {number} : {number_type}"))?;
            Some(Candidate { constants: vec![line], ..candidate })
        }
        "as_strided_" => of_x(views::strided(bench, x)),
        // As many elements or fewer: more need a storage of their own, which live aliases forbid.
        "resize_" => {
            let mut target = own;
            if let Some(first) = target.first_mut() {
                *first = bench.random.between(0, *first);
            }
            of_x(format!(" size {target:?}"))
        }
        "set_" => {
            let y = pick(bench, |tensor| tensor.dtype() == own_dtype)?;
            op(
                format!("graph.set_ {x_name} source {} : {} : {x_type}", name(bench, y), ty(bench, y)),
                &[x, y],
            )
        }
        "masked_fill_" | "masked_scatter_" => {
            let mask = need(bench, Dtype::Bool, &own);
            if operator == "masked_fill_" {
                let (number, number_type, line) = number(bench, own_dtype.is_float());
                let types = format!("{x_type}, {}, {number_type}", ty(bench, mask));
                let text = format!("graph.{operator} {x_name}, {}, {number} : {types}", name(bench, mask));
                return Some(Candidate { constants: vec![line], ..op(text, &[x, mask])? });
            }
            let source = need(bench, own_dtype, &own);
            given(bench, operator, &[x, mask, source], "")
        }
        "index_put_" => index_put(bench, x),
        "put_" => {
            let count = own.iter().product::<i64>();
            let shape = [bench.random.between(0, 3)];
            let index = fresh_indices(bench, &shape, count)?;
            let source = need(bench, own_dtype, &shape);
            // Where two indices are one, which value stays is open.
            let accumulate = shape[0] > 1 || bench.random.percent(50);
            given(bench, operator, &[x, index, source], &format!(" {{accumulate = {accumulate}}}"))
        }
        _ if operator.starts_with("index_") || operator.starts_with("scatter_") => along(bench, operator, x),
        _ => described::of(bench, &format!("graph.{operator}"), x),
    }
}

/// An operator of tensors alone.
fn given(bench: &Workbench, operator: &str, operands: &[usize], attributes: &str) -> Option<Candidate> {
    let names: Vec<_> = operands.iter().map(|&n| name(bench, n)).collect();
    let types: Vec<_> = operands.iter().map(|&n| ty(bench, n)).collect();
    op(format!("graph.{operator} {}{attributes} : {}", names.join(", "), types.join(", ")), operands)
}

/// An argument of indices, of i64, into so many elements.
fn fresh_indices(bench: &mut Workbench, shape: &[i64], count: i64) -> Option<usize> {
    (count > 0 || shape.contains(&0)).then(|| indices(bench, Dtype::I64, shape, 0, count - 1))
}

/// What adds a product to a tensor.
fn product(bench: &mut Workbench, operator: &str, x: usize) -> Option<Candidate> {
    let (own, dtype) = (sizes(bench, x), dtype(bench, x));
    let inner = bench.random.between(1, 3);
    let batches = bench.random.between(1, 2);
    let (a, b) = match (operator, own.as_slice()) {
        ("addmm_", [n, m]) => (vec![*n, inner], vec![inner, *m]),
        ("addmv_", [n]) => (vec![*n, inner], vec![inner]),
        ("addbmm_", [n, m]) => (vec![batches, *n, inner], vec![batches, inner, *m]),
        ("baddbmm_", [k, n, m]) => (vec![*k, *n, inner], vec![*k, inner, *m]),
        _ => return None,
    };
    let (a, b) = (need(bench, dtype, &a), need(bench, dtype, &b));
    given(bench, operator, &[x, a, b], "")
}

fn index_put(bench: &mut Workbench, x: usize) -> Option<Candidate> {
    let (own, own_dtype) = (sizes(bench, x), dtype(bench, x));
    let along = bench.random.between(0, own.len() as i64 - 1) as usize;
    let shape = [bench.random.between(1, 3)];
    let index = fresh_indices(bench, &shape, own[along])?;
    let values = need(bench, own_dtype, &[]);
    let present: Vec<_> = (0..=along).map(|dim| (dim == along).to_string()).collect();
    let accumulate = bench.random.percent(40);
    let attributes = format!("{{present = array<i1: {}>, accumulate = {accumulate}}}", present.join(", "));
    let [x_name, i_name, v_name] = [x, index, values].map(|n| name(bench, n));
    let [x_type, i_type, v_type] = [x, index, values].map(|n| ty(bench, n));
    op(
        format!("graph.index_put_ {x_name}[{i_name}], {v_name} {attributes} : {x_type}[{i_type}], {v_type}"),
        &[x, index, values],
    )
}

/// What writes where indices along a dimension say.
fn along(bench: &mut Workbench, operator: &str, x: usize) -> Option<Candidate> {
    let (own, own_dtype, dim) = (sizes(bench, x), dtype(bench, x), dim(bench, x));
    let length = size(bench, x, dim);
    let place = if dim < 0 { dim + own.len() as i64 } else { dim } as usize;
    // A tensor without dimensions is as one of a single element.
    let mut source = own.clone();
    if let Some(size) = source.get_mut(place) {
        *size = bench.random.between(1, *size.max(&mut 1));
    }
    let of_dim = format!("dim = {dim} : i64");
    let shape = match operator.starts_with("index_") {
        true if own.is_empty() => vec![],
        true => vec![source[place]],
        false => source.clone(),
    };
    // Where two indices are one, which value stays is open.
    let distinct = operator == "index_copy_" || operator == "scatter_.src";
    let index = match distinct {
        true => distinct_indices(bench, &shape, place, length)?,
        false => fresh_indices(bench, &shape, length)?,
    };
    if matches!(operator, "index_fill_" | "scatter_.value" | "scatter_.value_reduce") {
        let (number, number_type, line) = number(bench, own_dtype.is_float());
        let reduce = bench.random.choose(&["add", "multiply"]);
        let reduce =
            if operator.ends_with("reduce") { format!(", reduce = \"{reduce}\"") } else { String::new() };
        let [x_name, i_name] = [x, index].map(|n| name(bench, n));
        let types = format!("{}, {}, {number_type}", ty(bench, x), ty(bench, index));
        let text = format!("graph.{operator} {x_name}, {i_name}, {number} {{{of_dim}{reduce}}} : {types}");
        return Some(Candidate { constants: vec![line], ..op(text, &[x, index])? });
    }
    let reduce = match operator {
        "scatter_.reduce" => bench.random.choose(&[", reduce = \"add\"", ", reduce = \"multiply\""]),
        "scatter_reduce_.two" => bench.random.choose(&[
            ", reduce = \"sum\"",
            ", reduce = \"prod\"",
            ", reduce = \"mean\"",
            ", reduce = \"amax\", include_self = false",
            ", reduce = \"amin\"",
        ]),
        _ => "",
    };
    let source = need(bench, own_dtype, &source);
    given(bench, operator, &[x, index, source], &format!(" {{{of_dim}{reduce}}}"))
}

/// Indices that are the same in all but one dimension, along which no two are equal.
fn distinct_indices(bench: &mut Workbench, shape: &[i64], place: usize, length: i64) -> Option<usize> {
    let mut order: Vec<i64> = (0..length).collect();
    bench.random.shuffle(&mut order);
    let place = place.min(shape.len().saturating_sub(1));
    let (along, behind) = match shape.get(place) {
        Some(along) => (*along, shape[place + 1..].iter().product::<i64>()),
        None => (1, 1),
    };
    let count = shape.iter().product::<i64>();
    let element =
        |at: i64| order.get((at / behind.max(1) % along.max(1)) as usize).map(|&at| Scalar::Int(at));
    let elements = (0..count).map(element).collect::<Option<Vec<_>>>()?;
    Some(bench.fresh(Dtype::I64, shape, elements))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_in_place_can_be_spelled() {
        let special = [
            "addbmm_",
            "addmm_",
            "addmv_",
            "as_strided_",
            "baddbmm_",
            "clamp_",
            "index_add_",
            "index_copy_",
            "index_fill_",
            "index_put_",
            "masked_fill_",
            "masked_scatter_",
            "put_",
            "resize_",
            "scatter_.reduce",
            "scatter_.src",
            "scatter_.value",
            "scatter_.value_reduce",
            "scatter_add_",
            "scatter_reduce_.two",
            "set_",
        ];
        let all = kinds().iter().flat_map(|kind| &kind.operators);
        let spelled =
            |name: &str| special.contains(&name) || described::is_described(&format!("graph.{name}"));
        let unknown: Vec<_> = all.filter(|name| !spelled(name)).collect();
        assert_eq!(unknown, Vec::<&&str>::new());
    }
}
