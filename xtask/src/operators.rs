//! docs/operators.json: what an importer needs to know of the operators of graph, out of the records of their
//! .td files.
//!
//! * `schemas` gives for each of ATen's schemas, and for a few of other namespaces, the operation that takes
//!   its arguments, in their order; a list of one stands for an integer. ATen has several names for some
//!   operators: all of them are there.
//! * `operations` describes each of these, and their in-place forms: the `rule` in dialects/src/aten/rules
//!   that gives the result types; the order of `arguments`; `operands` and `results` with their effects on
//!   storages (`reads`, `writes`, `allocates`; `aliases` names the operand that a result is a view of);
//!   `attributes` with their defaults; `segments`, whether the attribute `operandSegmentSizes` tells the
//!   operands apart; `metadata`, whether it writes no element but the sizes, strides or storage of the
//!   tensor, which is its result afterwards; the operator's other forms.
//!
//! Operands `dynamic_NAME` stand for the dynamic entries of the list of integers `NAME`.

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The namespace of the schemas of all but a few operators.
const ATEN: &str = "aten";

/// What the constraints of operands, results and attributes are called.
const KINDS: &[(&str, &str)] = &[
    ("Graph_Tensor", "tensor"),
    ("Graph_Scalar", "number"),
    ("Graph_TensorOrScalar", "tensor or number"),
    ("I64", "integer"),
    ("I64Attr", "integer"),
    ("F64Attr", "float"),
    ("BoolAttr", "bool"),
    ("StrAttr", "string"),
    ("TypeAttr", "dtype"),
    ("DenseI64ArrayAttr", "list of integers"),
    ("DenseF64ArrayAttr", "list of floats"),
    ("DenseBoolArrayAttr", "list of bools"),
];

/// The class of the operations that change a tensor object.
const METADATA: &str = "Graph_MetadataOp";

/// What the effects are called.
const EFFECTS: &[(&str, &str)] = &[("MemRead", "reads"), ("MemWrite", "writes"), ("MemAlloc", "allocates")];

/// The file's text, from the records as `llvm-tblgen --dump-json` gives them.
///
/// # Errors
/// A definition that there is no word for.
pub fn text(records: &Value) -> Result<String, String> {
    let records = Records(records);
    let forms = Forms {
        graph: records.operations("Graph_Dialect"),
        functional: records.operations("Functional_Dialect"),
    };
    let mut schemas: BTreeMap<String, &str> = BTreeMap::new();
    let mut operations = Map::new();
    for (&name, &def) in &forms.graph {
        let own = records.schemas(name, def);
        let plain = forms.out_of_place(name).map(|plain| records.schemas(plain, forms.graph[plain]));
        if own.is_empty() && plain.is_none_or(|schemas| schemas.is_empty()) {
            continue;
        }
        schemas.extend(own.iter().map(|schema| (schema.clone(), name)));
        let operation = records.operation(name, def, &forms).map_err(|e| format!("graph.{name}: {e}"))?;
        operations.insert(format!("graph.{name}"), operation);
    }
    for (operation, schema) in records.synonyms(&forms)? {
        schemas.insert(schema, operation);
    }
    let schemas: Map<_, _> =
        schemas.into_iter().map(|(schema, name)| (schema, json!(format!("graph.{name}")))).collect();
    let mut out = String::new();
    write(&mut out, &json!({ "schemas": schemas, "operations": operations }), 0, 0);
    out.push('\n');
    Ok(out)
}

/// The operations of both dialects: name and record.
struct Forms<'a> {
    graph: BTreeMap<&'a str, &'a str>,
    functional: BTreeMap<&'a str, &'a str>,
}

impl<'a> Forms<'a> {
    /// The operator that `name` is the in-place form of.
    fn out_of_place(&self, name: &'a str) -> Option<&'a str> {
        self.graph.keys().find(|plain| in_place(plain) == name).copied()
    }
}

/// What the in-place form of an operator is called: an overload's name comes last.
fn in_place(plain: &str) -> String {
    match plain.split_once('.') {
        Some((base, overload)) => format!("{base}_.{overload}"),
        None => format!("{plain}_"),
    }
}

#[derive(Clone, Copy)]
struct Records<'a>(&'a Value);

impl<'a> Records<'a> {
    fn operations(self, dialect: &str) -> BTreeMap<&'a str, &'a str> {
        let names = strings(&self.0["!instanceof"]["TerraceOp"]);
        let ours = names.filter(|def| self.0[*def]["opDialect"]["def"] == dialect);
        ours.filter_map(|def| Some((self.0[def]["opName"].as_str()?, def))).collect()
    }

    fn is_a(self, def: &str, class: &str) -> bool {
        strings(&self.0[def]["!superclasses"]).any(|c| c == class)
    }

    fn has(self, def: &str, name: &str) -> bool {
        definitions(&self.0[def]["traits"]).any(|t| t == name)
    }

    fn schemas(self, name: &str, def: &str) -> BTreeSet<String> {
        let space = self.0[def]["schemaNamespace"].as_str().unwrap_or(ATEN);
        // A namespace that is not ATen's is the first part of the operation's name.
        let name = name.strip_prefix(space).and_then(|name| name.strip_prefix('.')).unwrap_or(name);
        strings(&self.0[def]["overloads"]).map(|overload| schema(space, name, overload)).collect()
    }

    /// Schemas under other names of an operation, with the operation.
    fn synonyms(self, forms: &Forms<'a>) -> Result<Vec<(&'a str, String)>, String> {
        let mut all = Vec::new();
        for record in strings(&self.0["!instanceof"]["Synonym"]).map(|def| &self.0[def]) {
            let text = |field: &str| record[field].as_str().unwrap_or_default();
            let (operator, synonym) = (text("operator"), text("synonym"));
            let (&name, &def) = forms
                .graph
                .get_key_value(operator)
                .ok_or_else(|| format!("{synonym}: there is no operation graph.{operator}"))?;
            let overloads: Vec<&str> = match strings(&record["overloads"]).collect::<Vec<_>>() {
                all if all.is_empty() => strings(&self.0[def]["overloads"]).collect(),
                some => some,
            };
            let space = record["schemaNamespace"].as_str().unwrap_or(ATEN);
            all.extend(overloads.iter().map(|overload| (name, schema(space, synonym, overload))));
        }
        Ok(all)
    }

    fn operation(self, name: &'a str, def: &'a str, forms: &Forms<'a>) -> Result<Value, String> {
        let (mut names, mut operands, mut attributes) = (Vec::new(), Vec::new(), Vec::new());
        for (name, def) in arguments(&self.0[def]["arguments"])? {
            if !name.starts_with("dynamic_") {
                names.push(name);
            }
            let list = if self.is_a(def, "AttrConstraint") { &mut attributes } else { &mut operands };
            list.push(self.argument(name, def)?);
        }
        let views =
            self.has(def, "ViewOfFirst") || self.is_a(def, "Graph_InPlaceOp") || self.0[def]["aliases"] == 1;
        let mut results = Vec::new();
        for (name, def) in arguments(&self.0[def]["results"])? {
            let mut described = self.argument(name, def)?;
            if views {
                described["aliases"] = operands.first().ok_or("a view of nothing")?["name"].clone();
            }
            results.push(described);
        }
        let mut operation = json!({
            "schemas": self.schemas(name, def),
            "rule": self.0[def]["rule"],
            "arguments": names,
            "operands": operands,
            "segments": self.has(def, "AttrSizedOperandSegments"),
            "attributes": attributes,
            "results": results,
        });
        if self.is_a(def, METADATA) {
            operation["metadata"] = json!(true);
        }
        let plain = forms.out_of_place(name).filter(|_| !self.is_a(def, METADATA));
        if let Some(plain) = plain {
            operation["out_of_place"] = json!(format!("graph.{plain}"));
        }
        let in_place = in_place(name);
        if forms.graph.get(in_place.as_str()).is_some_and(|def| !self.is_a(def, METADATA)) {
            operation["in_place"] = json!(format!("graph.{in_place}"));
        }
        let plain = plain.unwrap_or(name);
        if forms.functional.contains_key(plain) {
            operation["functional"] = json!(format!("functional.{plain}"));
        }
        Ok(operation)
    }

    /// An operand, a result or an attribute.
    fn argument(self, name: &str, mut def: &'a str) -> Result<Value, String> {
        let mut effects = Vec::new();
        if self.is_a(def, "OpVariable") {
            for effect in definitions(&self.0[def]["decorators"]) {
                effects
                    .push(word(EFFECTS, effect).ok_or(format!("{name}: no word for the effect {effect}"))?);
            }
            def = definition(&self.0[def]["constraint"]).ok_or("a variable without a constraint")?;
        }
        let outer = def;
        while let Some(inner) = definition(&self.0[def]["baseAttr"]).or(definition(&self.0[def]["baseType"]))
        {
            def = inner;
        }
        let kind = word(KINDS, def).ok_or(format!("{name}: no word for the kind {def}"))?;
        let mut described = json!({ "name": name, "kind": kind });
        if self.is_a(outer, "Optional") || self.0[outer]["isOptional"] == 1 {
            described["optional"] = json!(true);
        }
        if self.is_a(outer, "Variadic") {
            described["list"] = json!(true);
        }
        if let Some(default) = self.0[outer]["defaultValue"].as_str() {
            // C++ and JSON write the numbers, booleans and strings that occur alike, and nothing but the
            // empty list.
            let value = serde_json::from_str(if default == "{}" { "[]" } else { default });
            described["default"] = value.map_err(|e| format!("{name}: the default {default}: {e}"))?;
        }
        if !effects.is_empty() {
            described["effects"] = json!(effects);
        }
        Ok(described)
    }
}

/// The name of a schema.
fn schema(space: &str, name: &str, overload: &str) -> String {
    match overload {
        "" => format!("{space}::{name}"),
        _ => format!("{space}::{name}.{overload}"),
    }
}

/// Names and records of a dag of arguments.
fn arguments(dag: &Value) -> Result<Vec<(&str, &str)>, String> {
    let list = dag["args"].as_array().into_iter().flatten();
    list.map(|a| Some((a[1].as_str()?, definition(&a[0])?)))
        .collect::<Option<_>>()
        .ok_or("an argument without a name".into())
}

fn definition(reference: &Value) -> Option<&str> {
    reference["def"].as_str()
}

fn definitions(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(definition)
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn word<'w>(words: &[(&str, &'w str)], name: &str) -> Option<&'w str> {
    words.iter().find(|(key, _)| *key == name).map(|(_, word)| *word)
}

/// What stands between brackets: `"key": ` or nothing, and a value.
type Entries<'a> = Vec<(String, &'a Value)>;

/// The brackets of an object or a list with anything in it, and its entries.
fn entries(value: &Value) -> Option<(char, char, Entries<'_>)> {
    match value {
        Value::Object(map) if !map.is_empty() => {
            Some(('{', '}', map.iter().map(|(k, v)| (format!("{}: ", json!(k)), v)).collect()))
        }
        Value::Array(list) if !list.is_empty() => {
            Some(('[', ']', list.iter().map(|v| (String::new(), v)).collect()))
        }
        _ => None,
    }
}

/// JSON on one line.
fn line(value: &Value) -> String {
    let Some((open, close, entries)) = entries(value) else { return value.to_string() };
    let entries: Vec<_> = entries.iter().map(|(key, entry)| format!("{key}{}", line(entry))).collect();
    format!("{open}{}{close}", entries.join(", "))
}

/// JSON after `used` columns of a line: on this line where it ends within 120 columns, else an entry a line.
fn write(out: &mut String, value: &Value, indent: usize, used: usize) {
    let line = line(value);
    let entries = entries(value).filter(|_| used + line.len() >= 120);
    let Some((open, close, entries)) = entries else { return out.push_str(&line) };
    out.push(open);
    for (i, (key, entry)) in entries.iter().enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        let start = format!("{:1$}{key}", "", indent + 2);
        out.push_str(&start);
        write(out, entry, indent + 2, start.len());
    }
    out.push_str(&format!("\n{:1$}{close}", "", indent));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two operations of graph, each with one tensor and one result, and the overloads given.
    fn records(overloads: [&[&str]; 2]) -> Value {
        let operation = |name: &str, overloads: &[&str], variable: &str| {
            json!({
                "opName": name, "opDialect": { "def": "Graph_Dialect" }, "rule": "same", "overloads": overloads,
                "arguments": { "args": [[{ "def": variable }, "self"]] },
                "results": { "args": [[{ "def": "Graph_Tensor" }, "result"]] },
            })
        };
        json!({
            "!instanceof": { "TerraceOp": ["One", "Two"] },
            "One": operation("exp", overloads[0], "Read"),
            "Two": operation("exp_", overloads[1], "Unknown"),
            "Read": { "!superclasses": ["OpVariable"], "constraint": { "def": "Graph_Tensor" },
                      "decorators": [{ "def": "MemRead" }] },
        })
    }

    #[test]
    fn what_there_is_no_word_for_is_an_error() {
        assert_eq!(
            text(&records([&[""], &[""]])).unwrap_err(),
            "graph.exp_: self: no word for the kind Unknown"
        );
    }

    #[test]
    fn an_operation_without_schemas_is_no_operator() {
        assert_eq!(text(&records([&[], &[]])).unwrap(), "{\"schemas\": {}, \"operations\": {}}\n");
    }

    #[test]
    fn a_long_list_has_an_entry_a_line() {
        let word = "x".repeat(50);
        let mut out = String::new();
        write(&mut out, &json!({ "a": [word, word, word], "b": [word] }), 0, 0);
        let lines = format!(
            "{{\n  \"a\": [\n    \"{word}\",\n    \"{word}\",\n    \"{word}\"\n  ],\n  \"b\": [\"{word}\"]\n}}"
        );
        assert_eq!(out, lines);
    }
}
