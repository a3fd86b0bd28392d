//! docs/aten-schemas.txt: the schemas of ATen that docs/operators.json names, as PyTorch writes them, a line
//! each; and the check that the operations agree with them.
//!
//! An importer hands a schema's arguments to the operation by their names. So
//!
//! * the operation takes each argument, in the schema's order, or the argument has a default, which is then
//!   meant;
//! * what else the operation takes is optional;
//! * kinds, defaults, and what is written and aliased are the schema's. A list stands for one number, too.
//!
//! Schemas of other namespaces are registered by Python code and stand in no file: they are left out here,
//! and held by the golden data, which calls them by what torch itself says of them.

use crate::{reference::OPERATORS, workspace};
use serde_json::Value;
use std::{collections::BTreeMap, fs};

/// The schemas that they name.
const SCHEMAS: &str = "docs/aten-schemas.txt";

/// Schemas that write arguments and do not say so: running statistics, in training.
const SILENT: &[&str] = &["aten::batch_norm", "aten::instance_norm", "aten::native_batch_norm"];

/// One schema: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.
struct Schema<'a> {
    arguments: Vec<Argument<'a>>,
    results: Vec<&'a str>,
}

struct Argument<'a> {
    /// `Tensor(a!)`, `int[]?`.
    ty: &'a str,
    name: &'a str,
    default: Option<&'a str>,
}

impl<'a> Schema<'a> {
    /// Takes `(ARGUMENTS) -> RESULTS` apart.
    fn parse(text: &'a str) -> Option<Self> {
        // Several results stand between brackets.
        let (arguments, results) = match text.split_once(") -> (") {
            Some((arguments, results)) => (arguments, results.strip_suffix(')')?),
            None => text.rsplit_once(") -> ")?,
        };
        let arguments = list(arguments.strip_prefix('(')?).into_iter().filter(|a| *a != "*");
        let argument = |text: &'a str| {
            let (text, default) = text.split_once('=').map_or((text, None), |(t, d)| (t, Some(d)));
            let (ty, name) = text.rsplit_once(' ')?;
            Some(Argument { ty, name, default })
        };
        Some(Self { arguments: arguments.map(argument).collect::<Option<_>>()?, results: list(results) })
    }
}

/// The parts between commas that stand in no brackets.
fn list(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = move |c: char| {
        depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        c == ',' && depth == 0
    };
    text.split(outside).map(str::trim).filter(|part| !part.is_empty()).collect()
}

impl Argument<'_> {
    /// The type without what it aliases: `Tensor(a!)?` as `Tensor?`.
    fn plain(&self) -> String {
        match self.ty.split_once('(') {
            Some((before, rest)) => before.to_string() + rest.split_once(')').map_or("", |(_, after)| after),
            None => self.ty.to_string(),
        }
    }

    /// What the operation may call it.
    fn kinds(&self) -> &'static [&'static str] {
        let plain = self.plain();
        match plain.split(['?', '[']).next().unwrap_or("") {
            "Tensor" => &["tensor", "tensor or number"],
            "Scalar" => &["number", "tensor or number"],
            "int" | "SymInt" if plain.contains('[') => &["list of integers"],
            "int" | "SymInt" => &["integer", "list of integers"],
            "float" if plain.contains('[') => &["list of floats"],
            "float" => &["float"],
            "bool" if plain.contains('[') => &["list of bools"],
            "bool" => &["bool"],
            "str" | "MemoryFormat" | "Device" => &["string"],
            "ScalarType" => &["dtype"],
            _ => &[],
        }
    }

    /// The default as JSON, where it is no word of Python's for nothing.
    fn value(&self) -> Option<Value> {
        let default = self.default?;
        let text = default.replace('\'', "\"").replace("True", "true").replace("False", "false");
        serde_json::from_str(&text).ok()
    }
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn equal(a: &Value, b: &Value) -> bool {
    a == b || a.as_f64().is_some() && a.as_f64() == b.as_f64()
}

/// What an operation of operators.json has that its schema has not, or the other way round.
fn differences(schema: &Schema, operation: &Value) -> Vec<String> {
    let mut wrong = vec![];
    let both = ["operands", "attributes"].map(|key| operation[key].as_array().into_iter().flatten());
    let own: Vec<&Value> = both.into_iter().flatten().collect();
    let find = |name: &str| own.iter().find(|a| a["name"] == name);
    let names: Vec<&str> = strings(&operation["arguments"]).collect();
    let place = |name: &str| names.iter().position(|n| *n == name);
    let mut last = 0;
    for argument in &schema.arguments {
        let (name, Some(at)) = (argument.name, place(argument.name)) else {
            if argument.default.is_none() {
                wrong.push(format!("does not take '{}', which has no default", argument.name));
            }
            continue;
        };
        if at < last {
            wrong.push(format!("takes '{name}' in another place"));
        }
        last = at;
        let Some(described) = find(name) else {
            wrong.push(format!("does not describe '{name}'"));
            continue;
        };
        let kind = described["kind"].as_str().unwrap_or("");
        if !argument.kinds().contains(&kind) {
            wrong.push(format!("takes '{name}' as {kind}, not {}", argument.plain()));
        }
        if let (Some(ours), Some(theirs)) = (described.get("default"), argument.value())
            && !equal(ours, &theirs)
        {
            wrong.push(format!("has the default {ours} for '{name}', but it is {theirs}"));
        }
        let writes = strings(&described["effects"]).any(|e| e == "writes");
        let written = argument.ty.contains('!');
        if writes != written {
            let not = if written { "does not write" } else { "writes" };
            wrong.push(format!("{not} '{name}', but it is a {}", argument.ty));
        }
    }
    for name in &names {
        let known = schema.arguments.iter().any(|a| a.name == *name);
        let Some(described) = find(name).filter(|_| !known) else { continue };
        // A list of bools says which tensors of an optional list are there.
        let free = described["optional"] == true
            || described.get("default").is_some()
            || described["kind"] == "list of bools";
        if !free {
            wrong.push(format!("wants '{name}', which the schema does not have"));
        }
    }
    // A list of results is one; so are gradients of which a mask says which are asked for.
    let results = operation["results"].as_array().map_or(&[][..], Vec::as_slice);
    let masked = names.contains(&"output_mask") && results.len() == 1;
    if results.len() != schema.results.len() && !masked {
        wrong.push(format!("has {} results, not {}", results.len(), schema.results.len()));
    }
    for (ours, theirs) in results.iter().zip(&schema.results) {
        let set = theirs.split_once('(').and_then(|(_, rest)| rest.split(['!', ')']).next());
        let source = set.and_then(|set| {
            let sets = |a: &&Argument| a.ty.split_once('(').is_some_and(|(_, rest)| rest.starts_with(set));
            schema.arguments.iter().find(sets).map(|a| a.name)
        });
        if ours["aliases"].as_str() != source {
            wrong.push(format!("has a result that aliases {}, but it is a {theirs}", ours["aliases"]));
        }
    }
    wrong
}

/// The schemas of a text with one a line, `NAME(...) -> ...` behind a prefix, by their names.
fn by_name<'a>(text: &'a str, prefix: &str) -> BTreeMap<&'a str, &'a str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(prefix));
    lines.filter_map(|line| line.find('(').map(|at| (&line[..at], line[at..].trim_end()))).collect()
}

/// What is wrong with operators.json by the schemas, a line each.
fn check(operators: &Value, schemas: &str) -> Vec<String> {
    let known = by_name(schemas, "aten::");
    claims(operators)
        .flat_map(|(claim, operation)| {
            let name = operation.as_str().unwrap_or("");
            let Some(text) = known.get(claim.trim_start_matches("aten::")) else {
                return vec![format!("{claim}: not in {SCHEMAS}, which `./x schemas` writes")];
            };
            let Some(schema) = Schema::parse(text) else {
                return vec![format!("{claim}: no schema: {text}")];
            };
            let mut wrong = differences(&schema, &operators["operations"][name]);
            if SILENT.contains(&claim.as_str()) {
                wrong.retain(|w| !w.starts_with("writes 'running_"));
            }
            wrong.into_iter().map(|w| format!("{claim}: {name} {w}")).collect()
        })
        .collect()
}

/// The schemas of ATen that operators.json names, with their operations.
fn claims(operators: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let all = operators["schemas"].as_object().into_iter().flatten();
    all.filter(|(claim, _)| claim.starts_with("aten::"))
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(workspace::root().join(path)).map_err(|e| format!("{path}: {e}"))
}

fn operators() -> Result<Value, String> {
    serde_json::from_str(&read(OPERATORS)?).map_err(|e| format!("{OPERATORS}: {e}"))
}

/// Writes the schemas that operators.json names, out of `native_functions.yaml` of a version of PyTorch; then
/// checks them.
pub fn write(file: &str, version: &str) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
    let (all, operators) = (by_name(&text, "- func: "), operators()?);
    let mut out = format!(
        "# The schemas of ATen that operators.json names, from native_functions.yaml of PyTorch {version}.\n\
         # Written by `./x schemas`, and compared with operators.json by the tests of xtask.\n"
    );
    for (claim, _) in claims(&operators) {
        let name = claim.trim_start_matches("aten::");
        let schema = all.get(name).ok_or_else(|| format!("{claim}: {file} has no such schema"))?;
        out += &format!("{claim}{schema}\n");
    }
    fs::write(workspace::root().join(SCHEMAS), &out).map_err(|e| format!("{SCHEMAS}: {e}"))?;
    let wrong = check(&operators, &out);
    if wrong.is_empty() { Ok(String::new()) } else { Err(wrong.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_operators_agree_with_the_schemas() {
        let wrong = check(&operators().unwrap(), &read(SCHEMAS).unwrap());
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }

    #[test]
    fn no_schema_is_there_that_no_operator_names() {
        let (schemas, operators) = (read(SCHEMAS).unwrap(), operators().unwrap());
        for name in by_name(&schemas, "aten::").keys() {
            assert!(operators["schemas"].get(format!("aten::{name}")).is_some(), "{name}");
        }
    }

    /// `graph.f` with an operand, an attribute and a result.
    fn operators_of(change: impl Fn(&mut Value)) -> Value {
        let mut operation = json!({
            "arguments": ["self", "dim"],
            "operands": [{ "name": "self", "kind": "tensor", "effects": ["reads"] }],
            "attributes": [{ "name": "dim", "kind": "integer", "default": 0 }],
            "results": [{ "name": "result", "kind": "tensor" }],
        });
        change(&mut operation);
        json!({ "schemas": { "aten::f": "graph.f" }, "operations": { "graph.f": operation } })
    }

    fn wrong(schema: &str, change: impl Fn(&mut Value)) -> String {
        check(&operators_of(change), schema).join("\n")
    }

    #[test]
    fn what_differs_is_named() {
        let same = |_: &mut Value| {};
        assert_eq!(wrong("aten::f(Tensor self, int dim=0, bool sparse=False) -> Tensor", same), "");
        assert_eq!(wrong("aten::f(Tensor self, SymInt? dim=None) -> Tensor", same), "");
        let refused = [
            ("f(Tensor self, int dim, bool x) -> Tensor", "does not take 'x', which has no default"),
            ("f(int dim, Tensor self) -> Tensor", "takes 'self' in another place"),
            ("f(Tensor self, int[2] dim=0) -> Tensor", "takes 'dim' as integer, not int[2]"),
            ("f(Tensor self, int dim=-1) -> Tensor", "has the default 0 for 'dim', but it is -1"),
            ("f(Tensor(a!) self, int dim) -> Tensor", "does not write 'self', but it is a Tensor(a!)"),
            ("f(int dim) -> Tensor", "wants 'self', which the schema does not have"),
            ("f(Tensor self, int dim) -> (Tensor, Tensor)", "has 1 results, not 2"),
            (
                "f(Tensor(a) self, int dim) -> Tensor(a)",
                "has a result that aliases null, but it is a Tensor(a)",
            ),
        ];
        for (schema, message) in refused {
            assert_eq!(wrong(&format!("aten::{schema}"), same), format!("aten::f: graph.f {message}"));
        }
        assert_eq!(
            wrong("aten::f(Tensor(a -> *) self, int dim) -> Tensor(a)[]", |o| {
                o["results"][0]["aliases"] = "self".into()
            }),
            ""
        );
        assert!(wrong("aten::g() -> Tensor", same).starts_with("aten::f: not in"));
    }
}
