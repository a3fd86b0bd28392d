//! Any operator of docs/operators.json that is spelled by operands and attributes alone: most proposals are refused, but
//! none of these operators had to be written down here.

use std::sync::OnceLock;

use serde_json::Value as Json;

use super::*;

/// An operator whose operands are tensors and numbers.
struct Described {
    name: &'static str,
    /// The kind of each operand, and whether it is a list.
    operands: Vec<(&'static str, bool)>,
    /// The name and the kind of each attribute, and whether it may be left out.
    attributes: Vec<(&'static str, &'static str, bool)>,
    results: usize,
}

fn table() -> &'static [Described] {
    static FILE: OnceLock<Json> = OnceLock::new();
    static TABLE: OnceLock<Vec<Described>> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        serde_json::from_str(include_str!("../../../../docs/operators.json"))
            .expect("docs/operators.json is JSON")
    });
    TABLE.get_or_init(|| {
        let all = file["operations"].as_object().expect("it has operations");
        all.iter().filter_map(|(name, entry)| described(name, entry)).collect()
    })
}

fn described(name: &'static str, entry: &'static Json) -> Option<Described> {
    let list = |key: &str| entry[key].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |json: &'static Json, key: &str| json[key].as_str().unwrap_or_default();
    let kept = |json: &Json| json.get("optional").is_some() || json.get("default").is_some();
    let plain = entry["segments"] != true && list("results").iter().all(|result| result["list"] != true);
    let operands: Vec<_> =
        list("operands").iter().map(|operand| (text(operand, "kind"), operand["list"] == true)).collect();
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
    let results = list("results").len();
    (plain && takes && results > 0 && attributes.iter().all(known)).then_some(Described {
        name,
        operands,
        attributes,
        results,
    })
}

pub fn any_described(bench: &mut Workbench) -> Option<Candidate> {
    let all = table();
    let operator = &all[bench.random.between(0, all.len() as i64 - 1) as usize];
    let (mut operands, mut names, mut types, mut constants) = (vec![], vec![], vec![], vec![]);
    for (kind, list) in &operator.operands {
        let count = if *list { bench.random.between(1, 3) } else { 1 };
        for _ in 0..count {
            if *kind == "tensor" || *kind == "tensor or number" && bench.random.percent(50) {
                let x = alike(bench, operands.first().copied())?;
                operands.push(x);
                names.push(name(bench, x));
                types.push(ty(bench, x));
            } else {
                let floats = bench.random.percent(50);
                let (number, number_type, line) = number(bench, floats);
                names.push(number);
                types.push(number_type.to_owned());
                constants.push(line);
            }
        }
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
    let results = (operator.results > 1).then_some(operator.results);
    Some(Candidate { constants, text, operands, results, ..Candidate::default() })
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
