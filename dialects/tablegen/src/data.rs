//! Types and attributes: a Rust view of each, and the C functions that it stands on.
//!
//! For `!graph.tensor` in ODS the module `graph` gets `TensorType`: `TryFrom<Type>`, `isa`, a method per
//! parameter, and `new(location, ...)`, which returns an error where the verifier refuses. An `AttrDef` gets
//! the same over `Attribute`. `genVerifyDecl = 1` asks the Rust function `verifiers::graph_tensor_type` with
//! the parameters.
//!
//! A parameter crosses by its C++ type: `Parameter<T>` in cpp/Parameters.h, the trait `Parameter` in
//! src/parameters.rs.

use crate::{
    enums,
    records::{dialect, is_a, ours},
    text::{camel, ident, snake},
};
use serde_json::Value;
use std::{collections::BTreeMap, fmt::Write};

struct Parameter {
    name: String,
    cxx: String,
    rust: String,
}

struct Data {
    dialect: String,
    /// The C++ class, with its namespace; the last part is the Rust name.
    cxx: String,
    class: String,
    /// `Type` or `Attribute`.
    kind: &'static str,
    /// As assembly writes it: `!graph.tensor`.
    spelling: String,
    summary: String,
    parameters: Vec<Parameter>,
    verified: bool,
}

impl Data {
    /// The prefix of its C functions, and the name of its verifier: `graph_tensor_type`.
    fn function(&self) -> String {
        format!("{}_{}", self.dialect, snake(&self.class))
    }

    fn list(&self, f: impl Fn(&Parameter) -> String) -> String {
        self.parameters.iter().map(f).collect()
    }
}

/// The Rust type of a type, an attribute or an enumeration of our own, by its C++ type.
fn own_type(records: &Value, cxx: &str) -> Option<String> {
    let enumeration = |def: &&str| {
        let namespace = records[*def]["cppNamespace"].as_str().unwrap_or("");
        format!("{namespace}::{}", enums::class(records, def)) == cxx
    };
    if let Some(def) = enums::collect(records).find(enumeration) {
        return Some(format!("crate::ops::{}", enums::class(records, def)));
    }
    let def = defs(records).find(|(def, _)| records[*def]["cppType"] == cxx)?.0;
    Some(rust_path(records, def))
}

/// The path of the view of a type or attribute of our own.
pub fn rust_path(records: &Value, def: &str) -> String {
    let class = records[def]["cppClassName"].as_str().unwrap();
    format!("crate::ops::{}::{class}<'c>", ident(dialect(records, def, "dialect")))
}

fn rust_type(records: &Value, cxx: &str) -> Option<String> {
    Some(match cxx {
        "bool" => "bool".into(),
        "int32_t" | "int" => "i32".into(),
        "uint32_t" | "unsigned" => "u32".into(),
        "int64_t" => "i64".into(),
        "uint64_t" => "u64".into(),
        "double" => "f64".into(),
        "::llvm::ArrayRef<bool>" => "&'c [bool]".into(),
        "::llvm::ArrayRef<int32_t>" => "&'c [i32]".into(),
        "::llvm::ArrayRef<int64_t>" => "&'c [i64]".into(),
        "::llvm::StringRef" | "::mlir::StringAttr" => "&'c str".into(),
        "::mlir::Type" => "Type<'c>".into(),
        "::mlir::Attribute" => "Attribute<'c>".into(),
        "::mlir::AffineMap" => "AffineMap<'c>".into(),
        _ => return own_type(records, cxx),
    })
}

fn parameter(records: &Value, def: &str, arg: &Value) -> Parameter {
    let name = arg[1].as_str().expect("parameters have names").to_string();
    let (cxx, optional) = match arg[0]["def"].as_str() {
        Some(kind) => (
            records[kind]["cppType"].as_str().expect("parameters have C++ types"),
            is_a(records, kind, "OptionalParameter"),
        ),
        None => (arg[0].as_str().expect("a parameter is a record or a C++ type"), false),
    };
    let rust = rust_type(records, cxx)
        .unwrap_or_else(|| panic!("parameter '{name}' of {def}: no Rust type is known for {cxx}; add it to rust_type in dialects/tablegen/src/data.rs, and to Parameter in cpp/Parameters.h and src/parameters.rs"));
    let rust = if optional { format!("Option<{rust}>") } else { rust };
    Parameter { name, cxx: cxx.into(), rust }
}

/// Types and attributes of our own: the record, and `Type` or `Attribute`.
fn defs(records: &Value) -> impl Iterator<Item = (&str, &'static str)> {
    [("TypeDef", "Type"), ("AttrDef", "Attribute")].into_iter().flat_map(move |(class, kind)| {
        let all = records["!instanceof"][class].as_array().into_iter().flatten().filter_map(Value::as_str);
        all.filter(|def| ours(records, def)).map(move |def| (def, kind))
    })
}

fn collect(records: &Value) -> Vec<Data> {
    let data = |(def, kind): (&str, &'static str)| {
        let r = &records[def];
        let text = |key: &str| r[key].as_str().unwrap_or("").to_string();
        let dialect = dialect(records, def, "dialect").to_string();
        Data {
            cxx: text("cppType"),
            class: text("cppClassName"),
            kind,
            spelling: format!("{}{dialect}.{}", if kind == "Type" { '!' } else { '#' }, text("mnemonic")),
            summary: text("summary"),
            parameters: r["parameters"]["args"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|arg| parameter(records, def, arg))
                .collect(),
            verified: r["genVerifyDecl"].as_i64() == Some(1),
            dialect,
        }
    };
    let mut all: Vec<Data> = defs(records).map(data).collect();
    all.sort_by_key(Data::function);
    all
}

/// The C functions, and the C++ verifiers that ask Rust.
fn write_cxx(out: &mut String, data: &Data, verifier: Option<usize>) {
    let (raw, prefix, cxx, kind) = (format!("Mlir{}", data.kind), data.function(), &data.cxx, data.kind);
    let _ = writeln!(
        out,
        "extern \"C\" {{\nbool terrace_{prefix}_isa({raw} raw) {{ return ::llvm::isa<{cxx}>(unwrap(raw)); }}\n\
         {raw} terrace_{prefix}_get(MlirLocation location{wires}) {{\n\
         ::mlir::Location at = unwrap(location);\n::mlir::MLIRContext *context = at.getContext();\n\
         return wrap(::mlir::{kind}({cxx}::getChecked([at] {{ return ::mlir::emitError(at); }}, context{taken})));\n}}",
        wires = data.list(|p| format!(", ::terrace::Parameter<{}>::Wire {}", p.cxx, p.name)),
        taken = data.list(|p| format!(", ::terrace::Parameter<{}>::take(context, {})", p.cxx, p.name)),
    );
    for p in &data.parameters {
        let _ = writeln!(
            out,
            "::terrace::Parameter<{ty}>::Wire terrace_{prefix}_{snake}({raw} raw) {{ return ::terrace::Parameter<{ty}>::give(::llvm::cast<{cxx}>(unwrap(raw)).get{camel}()); }}",
            ty = p.cxx,
            snake = snake(&p.name),
            camel = camel(&p.name),
        );
    }
    out.push_str("}\n");
    if let Some(index) = verifier {
        let _ = writeln!(
            out,
            "::llvm::LogicalResult {class}::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError{all}) {{\n\
             return ::terrace::verifyData({index}, emitError{wires});\n}}",
            class = cxx.trim_start_matches("::"),
            all = data.list(|p| format!(", {} {}", p.cxx, p.name)),
            wires = data.list(|p| format!(", ::terrace::Parameter<{}>::give({})", p.cxx, p.name)),
        );
    }
}

fn write_rust(out: &mut String, data: &Data) {
    let Data { class, kind, spelling, .. } = data;
    let prefix = data.function();
    let summary = if data.summary.is_empty() { String::new() } else { format!(": {}", data.summary) };
    let wire = |p: &Parameter| format!("<{} as Parameter>::Wire", p.rust.replace("'c", "'static"));
    let _ = writeln!(
        out,
        "unsafe extern \"C\" {{\nfn terrace_{prefix}_isa(raw: Mlir{kind}) -> bool;\n\
         fn terrace_{prefix}_get(location: MlirLocation{wires}) -> Mlir{kind};\n{getters}}}",
        wires = data.list(|p| format!(", {}: {}", ident(&snake(&p.name)), wire(p))),
        getters = data.list(|p| {
            format!("fn terrace_{prefix}_{}(raw: Mlir{kind}) -> {};\n", snake(&p.name), wire(p))
        }),
    );
    let _ = writeln!(
        out,
        "/// A view of `{spelling}`{summary}.\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub struct {class}<'c>({kind}<'c>);\n\
         impl<'c> {class}<'c> {{\n/// Whether it is one.\npub fn isa(it: {kind}) -> bool {{\n\
         // SAFETY: it is live as long as its context; it may be of any class.\n\
         unsafe {{ terrace_{prefix}_isa(it.to_raw()) }} }}\n\
         /// The one of these parameters; where they are refused, the diagnostic that says why is at the
         /// location.\n\
         pub fn new(location: Location<'c>{inputs}) -> Result<Self, BuildError> {{\n\
         // SAFETY: the parameters are of the location's context, or read during the call alone.\n\
         let raw = unsafe {{ terrace_{prefix}_get(location.to_raw(){given}) }};\n\
         // SAFETY: what is not null is the context's, for 'c.\n\
         if raw.ptr.is_null() {{ Err(BuildError {{ name: \"{spelling}\" }}) }} else {{ Ok(Self(unsafe {{ {kind}::from_raw(raw) }})) }}\n}}",
        inputs = data.list(|p| format!(", {}: {}", ident(&snake(&p.name)), p.rust.replace("&'c ", "&"))),
        given = data.list(|p| format!(", {}.give()", ident(&snake(&p.name)))),
    );
    for p in &data.parameters {
        let _ = writeln!(
            out,
            "/// Parameter `{name}`.\npub fn {method}(self) -> {ty} {{\n\
             // SAFETY: `self` is of the class that has it; the context owns it for 'c.\n\
             unsafe {{ Parameter::take(terrace_{prefix}_{name}(self.0.to_raw())) }} }}",
            name = snake(&p.name),
            method = ident(&snake(&p.name)),
            ty = p.rust,
        );
    }
    let _ = writeln!(
        out,
        "}}\nimpl<'c> TryFrom<{kind}<'c>> for {class}<'c> {{\ntype Error = {kind}<'c>;\n\
         fn try_from(it: {kind}<'c>) -> Result<Self, Self::Error> {{ if Self::isa(it) {{ Ok(Self(it)) }} else {{ Err(it) }} }}\n}}\n\
         impl<'c> From<{class}<'c>> for {kind}<'c> {{ fn from(it: {class}<'c>) -> Self {{ it.0 }} }}\n\
         impl<'c> {kind}Like<'c> for {class}<'c> {{ fn to_raw(&self) -> Mlir{kind} {{ self.0.to_raw() }} }}\n\
         impl std::fmt::Display for {class}<'_> {{ fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {{ self.0.fmt(f) }} }}\n\
         impl Parameter for {class}<'_> {{\ntype Wire = Mlir{kind};\n\
         unsafe fn take(wire: Mlir{kind}) -> Self {{\n\
         // SAFETY: the caller promises that its context lives.\n\
         Self(unsafe {{ {kind}::from_raw(wire) }}) }}\n\
         fn give(self) -> Mlir{kind} {{ self.0.to_raw() }}\n}}"
    );
    if *kind == "Attribute" {
        let _ = writeln!(
            out,
            "impl<'c> IntoAttribute<'c> for {class}<'c> {{ fn attribute(self, _: &'c Context) -> Attribute<'c> {{ self.0 }} }}"
        );
    }
}

/// Writes `TerraceData.cpp.inc`, the C++ half of the types and attributes among `records`. Returns the Rust
/// half, by dialect, and the table of verifiers.
pub fn write(records: &Value) -> (BTreeMap<String, String>, String) {
    let mut cxx = String::new();
    let mut rust: BTreeMap<String, String> = BTreeMap::new();
    let mut table = String::from(
        "/// The verifiers of types and attributes, by the number that the C++ half asks with.\n\
         pub static DATA: &[VerifyDataFn] = &[\n",
    );
    let mut verifiers = 0;
    for data in collect(records) {
        write_cxx(&mut cxx, &data, data.verified.then_some(verifiers));
        write_rust(rust.entry(data.dialect.clone()).or_default(), &data);
        if data.verified {
            let taken: Vec<String> = (0..data.parameters.len()).map(|i| format!("wires.take({i})")).collect();
            let _ = writeln!(
                table,
                "\
                 // SAFETY: C++ asks with these parameters, in their order, which live during the call.\n\
                 |wires| unsafe {{ verifiers::{}({}) }},",
                data.function(),
                taken.join(", ")
            );
            verifiers += 1;
        }
    }
    table.push_str("];\n");
    crate::write("TerraceData.cpp.inc", &cxx);
    (rust, table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn records(cxx: &str) -> Value {
        let def = |name: &str| json!({ "def": name });
        json!({
            "!instanceof": { "AttrDef": ["Swizzle"], "TypeDef": ["Upstream"], "EnumInfo": ["Order"] },
            "Dialect": { "name": "kernel" },
            "Order": { "cppNamespace": "::terrace", "className": "Order" },
            "Upstream": { "cppType": "::mlir::VectorType" },
            "Array": { "cppType": "::llvm::ArrayRef<int64_t>", "!superclasses": ["ArrayRefParameter"] },
            "Maybe": { "cppType": "::mlir::StringAttr", "!superclasses": ["OptionalParameter"] },
            "Swizzle": {
                "cppType": "::terrace::kernel::SwizzleAttr", "cppClassName": "SwizzleAttr",
                "dialect": def("Dialect"), "mnemonic": "swizzle", "summary": "", "genVerifyDecl": 1,
                "parameters": { "args": [
                    [def("Array"), "bankSizes"], [cxx, "order"], [def("Maybe"), "owner"],
                ] },
            },
        })
    }

    #[test]
    fn an_attribute_gets_an_accessor_per_parameter_and_a_verifier() {
        let [data] = collect(&records("::terrace::Order")).try_into().ok().expect("one is our own");
        let (mut rust, mut cxx) = (String::new(), String::new());
        write_rust(&mut rust, &data);
        write_cxx(&mut cxx, &data, Some(0));
        for line in [
            "pub struct SwizzleAttr<'c>(Attribute<'c>)",
            "new(location: Location<'c>, bank_sizes: &[i64], order: crate::ops::Order, owner: Option<&str>)",
            "pub fn bank_sizes(self) -> &'c [i64]",
            "pub fn order(self) -> crate::ops::Order",
            "pub fn owner(self) -> Option<&'c str>",
        ] {
            assert!(rust.contains(line), "{line} in {rust}");
        }
        assert!(cxx.contains("terrace_kernel_swizzle_attr_bank_sizes(MlirAttribute raw)"), "{cxx}");
        assert!(cxx.contains("LogicalResult terrace::kernel::SwizzleAttr::verify("), "{cxx}");
    }

    #[test]
    #[should_panic(expected = "parameter 'order' of Swizzle: no Rust type is known for ::llvm::APInt")]
    fn an_unknown_parameter_is_named() {
        collect(&records("::llvm::APInt"));
    }
}
