//! docs/operators.md: every operator of graph, its forms, how it comes down, and what of it is tested.
//!
//! Dtypes are those of the golden calls that eager accepts: what is listed is what is compared, not what is
//! hoped for.

use crate::{
    case::{Case, Expected, Outcome},
    operators::qualified,
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    path::PathBuf,
};
use terrace_passes::decomposed;
use terrace_tensor::Dtype;

/// The page, relative to the repository.
pub fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/operators.md")
}

const INTRODUCTION: &str = "\
# Operators

Every operator of the `graph` dialect. Its schemas are ATen's (PyTorch 2.15), or of the namespace that stands before `::`: a name that ends in `_` is the in-place form, what follows a
point is an overload. *Comes down* says what becomes of it:

* *loops*: its `functional` form belongs to the core that `convert-functional-to-loop` has loops for;
* *decomposed*: `functional-decompose` spells its `functional` form by the core;
* *spelled*: only `graph` has it; `graph-functionalize` or `graph-resolve-views` spells it by others;
* *view*: an operation on sizes, strides and offset, which is gone when values are pure;

*Dtypes* are those that it is compared with eager in, *calls* how many golden calls do so, and how many of these eager refuses.
Written by `terrace-goldens --table`, which `./x table` runs.

";

/// What is known of an operator.
#[derive(Default)]
struct Row {
    schemas: BTreeSet<String>,
    dtypes: BTreeSet<Dtype>,
    calls: usize,
    refused: usize,
}

/// The text of the page.
///
/// # Errors
/// The golden data cannot be read.
pub fn text() -> Result<String, String> {
    let described: Value =
        serde_json::from_str(include_str!("../../docs/operators.json")).map_err(|e| e.to_string())?;
    let (schemas, operations) = (&described["schemas"], &described["operations"]);
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let base = |operation: &str| operation.trim_start_matches("graph.").trim_end_matches('_').to_owned();
    for (schema, operation) in schemas.as_object().into_iter().flatten() {
        let row = rows.entry(base(operation.as_str().unwrap_or_default())).or_default();
        row.schemas.insert(schema.trim_start_matches("aten::").to_owned());
    }
    for case in crate::case::read("")? {
        for call in &case.calls {
            let operation = schemas[qualified(&call.schema)].as_str().unwrap_or_default();
            if let Some(row) = rows.get_mut(&base(operation)) {
                row.count(&case);
            }
        }
    }
    let mut text = INTRODUCTION.to_owned();
    text += "| operator | schemas | comes down | dtypes | calls (refused) |\n|---|---|---|---|---|\n";
    for (name, row) in &rows {
        let list = |items: Vec<String>| items.join(", ");
        let dtypes = list(row.dtypes.iter().map(Dtype::to_string).collect());
        let schemas = list(row.schemas.iter().map(|schema| format!("`{schema}`")).collect());
        let down = comes_down(name, operations);
        let _ =
            writeln!(text, "| `{name}` | {schemas} | {down} | {dtypes} | {} ({}) |", row.calls, row.refused);
    }
    let _ = writeln!(
        text,
        "\n{} operators of {} schemas.",
        rows.len(),
        rows.values().map(|r| r.schemas.len()).sum::<usize>()
    );
    Ok(text)
}

impl Row {
    fn count(&mut self, case: &Case) {
        self.calls += 1;
        match &case.outcome {
            Outcome::Error(_) => self.refused += 1,
            Outcome::Results(results, _) if case.tensors.is_empty() => {
                self.dtypes.extend(results.iter().filter_map(|result| match result {
                    Expected::View(view, _) => Some(view.dtype),
                    Expected::Same(_) => None,
                }));
            }
            Outcome::Results(..) => self.dtypes.extend(case.tensors.iter().map(|view| view.dtype)),
        }
    }
}

fn comes_down(name: &str, operations: &Value) -> &'static str {
    let own = [format!("graph.{name}"), format!("graph.{name}_")];
    let Some(entry) = own.iter().map(|name| &operations[name.as_str()]).find(|entry| entry.is_object())
    else {
        return "";
    };
    let aliases =
        entry["results"].as_array().into_iter().flatten().any(|result| result.get("aliases").is_some());
    let functional = entry["functional"].as_str().map(|name| name.trim_start_matches("functional."));
    match functional {
        Some(name) if decomposed().any(|row| row == name) => "decomposed",
        _ if aliases && !operations[&own[0]].is_null() => "view",
        Some(_) => "loops",
        None => "spelled",
    }
}
