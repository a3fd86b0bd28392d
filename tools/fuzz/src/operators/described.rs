//! Any operator of docs/operators.json that is spelled by operands and attributes alone, lists in brackets:
//! many proposals are refused, but none of these operators had to be written down here. What is optional
//! among operands is left out.

use super::*;
use crate::dtypes::{DTYPES, element_type};
use serde_json::Value as Json;
use std::sync::OnceLock;

/// An operator whose operands are tensors and numbers.
struct Described {
    name: &'static str,
    /// The kind of each operand, and whether it is a list.
    operands: Vec<(&'static str, bool)>,
    /// The name and the kind of each attribute, and whether it may be left out.
    attributes: Vec<(&'static str, &'static str, bool)>,
    results: usize,
    /// Whether lists stand in brackets.
    bracketed: bool,
}

fn operations() -> &'static serde_json::Map<String, Json> {
    static FILE: OnceLock<Json> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        serde_json::from_str(include_str!("../../../../docs/operators.json"))
            .expect("docs/operators.json is JSON")
    });
    file["operations"].as_object().expect("it has operations")
}

/// The names of all operations.
pub fn names() -> impl Iterator<Item = &'static str> {
    operations().keys().map(String::as_str)
}

fn table() -> &'static [Described] {
    static TABLE: OnceLock<Vec<Described>> = OnceLock::new();
    TABLE.get_or_init(|| operations().iter().filter_map(|(name, entry)| described(name, entry)).collect())
}

fn described(name: &'static str, entry: &'static Json) -> Option<Described> {
    let list = |key: &str| entry[key].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |json: &'static Json, key: &str| json[key].as_str().unwrap_or_default();
    let kept = |json: &Json| json.get("optional").is_some() || json.get("default").is_some();
    let given = list("operands").iter().filter(|operand| operand["optional"] != true);
    let operands: Vec<_> = given.map(|operand| (text(operand, "kind"), operand["list"] == true)).collect();
    let lists =
        operands.iter().any(|(_, list)| *list) || list("results").iter().any(|own| own["list"] == true);
    let attributes: Vec<_> = list("attributes")
        .iter()
        .map(|attribute| (text(attribute, "name"), text(attribute, "kind"), kept(attribute)))
        .collect();
    let known = |(name, kind, kept): &(&str, &str, bool)| {
        *kept
            || matches!(*kind, "integer" | "bool" | "float" | "dtype" | "list of integers")
            || *name == "memory_format"
    };
    let takes = operands.first().is_some_and(|first| first.0.starts_with("tensor"));
    let (results, bracketed) = (list("results").len(), name.starts_with("graph._foreach_"));
    let plain =
        bracketed && results == 0 || !bracketed && results > 0 && !(lists && entry["segments"] == true);
    let plain = plain && list("results").iter().all(|result| result["list"] != true);
    (plain && takes && attributes.iter().all(known)).then_some(Described {
        name,
        operands,
        attributes,
        results,
        bracketed,
    })
}

pub fn any_described(bench: &mut Workbench) -> Option<Candidate> {
    let all = table();
    let operator = &all[bench.random.between(0, all.len() as i64 - 1) as usize];
    operands_for(bench, operator, None)
}

/// An operator by its name, of a tensor.
pub fn of(bench: &mut Workbench, name: &str, x: usize) -> Option<Candidate> {
    let operator = table().iter().find(|operator| operator.name == name)?;
    operands_for(bench, operator, Some(x))
}

/// Whether an operator is spelled by operands and attributes alone.
#[cfg(test)]
pub fn is_described(name: &str) -> bool {
    table().iter().any(|operator| operator.name == name)
}

fn operands_for(bench: &mut Workbench, operator: &Described, first: Option<usize>) -> Option<Candidate> {
    let (mut operands, mut names, mut types, mut constants) = (vec![], vec![], vec![], vec![]);
    let length = bench.random.choose(&[1, 1, 2, 3]);
    for (kind, list) in &operator.operands {
        let (mut own_names, mut own_types) = (vec![], vec![]);
        for _ in 0..if *list { length } else { 1 } {
            if *kind == "tensor" || *kind == "tensor or number" && bench.random.percent(50) {
                let x = match (first.filter(|_| operands.is_empty()), operands.first()) {
                    (Some(x), _) => x,
                    // One for all in the lists.
                    (None, Some(own)) if operator.bracketed && !*list => {
                        let dtype = dtype(bench, *own);
                        need(bench, dtype, &[])
                    }
                    (None, own) => alike(bench, own.copied())?,
                };
                operands.push(x);
                own_names.push(name(bench, x));
                own_types.push(ty(bench, x));
            } else {
                let floats = bench.random.percent(50);
                let (number, number_type, line) = number(bench, floats);
                own_names.push(number);
                own_types.push(number_type.to_owned());
                constants.push(line);
            }
        }
        let joined = |list_of: Vec<String>| match operator.bracketed && *list {
            true => format!("[{}]", list_of.join(", ")),
            false => list_of.join(", "),
        };
        names.push(joined(own_names));
        types.push(joined(own_types));
    }
    let x = *operands.first()?;
    let mut attributes = vec![];
    for (attribute, kind, kept) in &operator.attributes {
        if *kept && bench.random.percent(55) {
            continue;
        }
        if let Some(value) = attribute_value(bench, attribute, kind, x) {
            attributes.push(format!("{attribute} = {value}"));
        } else if !kept {
            return None;
        }
    }
    let attributes =
        if attributes.is_empty() { String::new() } else { format!(" {{{}}}", attributes.join(", ")) };
    let text = format!("{} {}{attributes} : {}", operator.name, names.join(", "), types.join(", "));
    let results = (operator.results != 1).then_some(operator.results);
    Some(Candidate { constants, text, operands, results })
}

/// A tensor, mostly of the sizes of another one, or of its dtype.
fn alike(bench: &mut Workbench, first: Option<usize>) -> Option<usize> {
    let Some(first) = first else { return any(bench) };
    let (own, own_dtype) = (sizes(bench, first), dtype(bench, first));
    match bench.random.between(0, 3) {
        0 => any(bench),
        1 => pick(bench, |tensor| tensor.dtype() == own_dtype && tensor.rank() == own.len()),
        2 => pick(bench, |tensor| tensor.sizes() == own),
        _ => pick(bench, |tensor| tensor.sizes() == own && tensor.dtype() == own_dtype),
    }
}

fn attribute_value(bench: &mut Workbench, name: &str, kind: &str, x: usize) -> Option<String> {
    let of_dim = name.contains("dim") && name != "keepdim" || name.contains("axis");
    let rank = sizes(bench, x).len() as i64;
    Some(match kind {
        "integer" if of_dim => format!("{} : i64", dim(bench, x)),
        "integer" => format!("{} : i64", bench.random.choose(&[0, 1, 1, 2, 2, 3, -1])),
        "bool" => bench.random.percent(50).to_string(),
        "float" => format!("{:?} : f64", bench.random.choose(&[0.0, 0.5, 1.0, 2.0])),
        "dtype" => element_type(bench.random.choose(&DTYPES)).to_owned(),
        "list of integers" if of_dim => {
            let count = bench.random.between(1, rank.max(1));
            let dims: Vec<i64> = (0..count).map(|_| dim(bench, x)).collect();
            array(&dims)
        }
        "list of integers" => {
            let count = bench.random.choose(&[1, 2, rank, rank, 2 * rank, rank + 1]).max(1);
            let low = bench.random.between(0, 1);
            let values: Vec<i64> = (0..count).map(|_| bench.random.between(low, 3)).collect();
            array(&values)
        }
        _ if name == "memory_format" => {
            let format = bench.random.choose(&["contiguous_format", "preserve_format", "channels_last"]);
            format!("\"{format}\"")
        }
        _ => return None,
    })
}
