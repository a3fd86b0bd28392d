//! Rust for enumerations: `Combiner` of ODS is a Rust enum, which an attribute converts to and which makes
//! one.

use crate::{
    records::{is_a, ours},
    text::camel,
};
use serde_json::Value;
use std::fmt::Write;

struct Case<'a> {
    variant: String,
    name: &'a str,
    number: i64,
}

/// The enumerations of our own among the records.
pub fn collect(records: &Value) -> impl Iterator<Item = &str> {
    let all = records["!instanceof"]["EnumInfo"].as_array().into_iter().flatten().filter_map(Value::as_str);
    all.filter(|def| ours(records, def))
}

/// The enumeration's name, in C++ and in Rust.
pub fn class<'a>(records: &'a Value, def: &str) -> &'a str {
    records[def]["className"].as_str().expect("enumerations have names")
}

/// An enumeration of ODS.
pub fn write(out: &mut String, records: &Value, def: &str) {
    let r = &records[def];
    let class = class(records, def);
    let cases: Vec<Case> = r["enumerants"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|c| {
            let c = &records[c["def"].as_str().unwrap()];
            let text = |key: &str| c[key].as_str().unwrap();
            Case {
                variant: camel(text("symbol")),
                name: text("str"),
                number: c["value"].as_i64().expect("cases have numbers"),
            }
        })
        .collect();
    let list = |f: &dyn Fn(&Case) -> String| cases.iter().map(f).collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        out,
        "/// {summary}.\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n#[allow(missing_docs)]\n#[repr(u32)]\n\
         pub enum {class} {{ {variants} }}\n\
         impl {class} {{\n/// Every case.\npub const ALL: &[Self] = &[{all}];\n\
         /// The name in assembly.\npub fn name(self) -> &'static str {{ match self {{ {names} }} }}\n\
         fn numbered(number: i64) -> Option<Self> {{ Some(match number {{ {values}, _ => return None }}) }}\n}}\n\
         impl Parameter for {class} {{\ntype Wire = u32;\n\
         unsafe fn take(wire: u32) -> Self {{ Self::numbered(wire.into()).expect(\"ODS has no other cases\") }}\n\
         fn give(self) -> u32 {{ self as u32 }}\n}}",
        summary = r["summary"].as_str().unwrap_or(class),
        variants = list(&|c| format!("{} = {}", c.variant, c.number)),
        all = list(&|c| format!("Self::{}", c.variant)),
        names = list(&|c| format!("Self::{} => \"{}\"", c.variant, c.name)),
        values = list(&|c| format!("{} => Self::{}", c.number, c.variant)),
    );
    // The others stand inside an attribute of their dialect.
    if is_a(records, def, "IntEnumAttr") {
        let _ = writeln!(
            out,
            "impl<'c> TryFrom<Attribute<'c>> for {class} {{\ntype Error = Attribute<'c>;\n\
             fn try_from(a: Attribute<'c>) -> Result<Self, Self::Error> {{\n\
             crate::ir::cast::<IntegerAttribute>(a).and_then(|i| Self::numbered(i.value())).ok_or(a)\n}}\n}}\n\
             impl<'c> IntoAttribute<'c> for {class} {{\n\
             fn attribute(self, context: &'c Context) -> Attribute<'c> {{\n\
             IntegerAttribute::new(IntegerType::new(context, {bits}).into(), self as i64).into()\n}}\n}}",
            bits = r["bitwidth"],
        );
    }
}
