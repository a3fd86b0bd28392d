//! docs/operators.json: which operation stands for a schema, and where its arguments go.

use serde_json::Value;

/// The file.
pub struct Operators(Value);

/// What the file says of an operation.
#[derive(Clone, Copy)]
pub struct Operation<'a> {
    /// Its name, such as `graph.add`.
    pub name: &'a str,
    entry: &'a Value,
}

/// An operand or an attribute.
#[derive(Clone, Copy)]
pub struct Described<'a>(&'a Value);

impl Default for Operators {
    fn default() -> Operators {
        Operators::new()
    }
}

impl Operators {
    /// The file as it was when this was built.
    pub fn new() -> Operators {
        let text = include_str!("../../docs/operators.json");
        Operators(serde_json::from_str(text).expect("docs/operators.json is JSON"))
    }

    /// The operation of a schema, whose namespace is ATen's where it has none.
    pub fn operation(&self, schema: &str) -> Option<Operation<'_>> {
        let name = self.0["schemas"][qualified(schema)].as_str()?;
        Some(Operation { name, entry: &self.0["operations"][name] })
    }
}

/// A schema with its namespace.
pub fn qualified(schema: &str) -> String {
    if schema.contains("::") { schema.to_owned() } else { format!("aten::{schema}") }
}

impl<'a> Operation<'a> {
    /// The operator, without dialect, namespace, overload and the underscore of its in-place form.
    pub fn operator(self) -> &'a str {
        let name = self.name.trim_start_matches("graph.");
        let space = self.entry["schemas"][0].as_str().and_then(|schema| schema.split_once("::"));
        let prefix = space.map_or(String::new(), |(space, _)| format!("{space}."));
        let name = name.strip_prefix(&prefix).unwrap_or(name).split('.').next().unwrap_or_default();
        name.strip_suffix('_').unwrap_or(name)
    }

    /// The operation's name for an argument of a schema that is the `position`-th: the same, or the one at
    /// its position.
    pub fn argument(self, name: &str, position: usize) -> Option<&'a str> {
        let names: Vec<&str> = self.entry["arguments"].as_array()?.iter().filter_map(Value::as_str).collect();
        names.iter().find(|known| **known == name).or(names.get(position)).copied()
    }

    /// Its operands, in order.
    pub fn operands(self) -> impl Iterator<Item = Described<'a>> {
        self.entry["operands"].as_array().into_iter().flatten().map(Described)
    }

    /// Its attributes.
    pub fn attributes(self) -> impl Iterator<Item = Described<'a>> {
        self.entry["attributes"].as_array().into_iter().flatten().map(Described)
    }

    /// Whether an attribute is a list whose entries operands may give.
    pub fn has_dynamic(self, attribute: &str) -> bool {
        self.operands().any(|operand| operand.name().strip_prefix("dynamic_") == Some(attribute))
    }

    /// Whether its result is the tensor of its first operand.
    pub fn writes(self) -> bool {
        self.name.split('.').nth(1).is_some_and(|base| base.ends_with('_'))
    }

    /// Whether it changes a tensor object, so that later uses are of its result.
    pub fn metadata(self) -> bool {
        self.entry["metadata"] == true
    }

    /// Whether `operandSegmentSizes` tells its operands apart.
    pub fn segments(self) -> bool {
        self.entry["segments"] == true
    }
}

impl<'a> Described<'a> {
    /// Its name.
    pub fn name(self) -> &'a str {
        self.0["name"].as_str().unwrap_or_default()
    }

    /// Its kind, in the words of the file.
    pub fn kind(self) -> &'a str {
        self.0["kind"].as_str().unwrap_or_default()
    }
}
