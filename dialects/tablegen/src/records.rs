//! Questions about the records that `llvm-tblgen --dump-json` gives.

use serde_json::Value;

/// Whether a record derives from a class.
pub fn is_a(records: &Value, def: &str, class: &str) -> bool {
    let classes = records[def]["!superclasses"].as_array();
    classes.into_iter().flatten().filter_map(Value::as_str).any(|c| c == class)
}

/// Whether a record's C++ class is one of Terrace, and not one that upstream's files bring along.
pub fn ours(records: &Value, def: &str) -> bool {
    let text = |value: &Value| value.as_str().is_some_and(|n| n.starts_with("::terrace"));
    text(&records[def]["cppNamespace"]) || text(&records[def]["cppType"])
}

/// The name of the dialect that a record's field `key` refers to.
pub fn dialect<'a>(records: &'a Value, def: &str, key: &str) -> &'a str {
    records[records[def][key]["def"].as_str().unwrap()]["name"].as_str().expect("dialects have names")
}
