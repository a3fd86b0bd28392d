//! Passes: the C++ classes that MLIR's pass manager sees, and the Rust options and table behind them.
//!
//! A pass `graph-functionalize` of Passes.td runs `crate::graph::functionalize::run(op, &Options)`, where
//! `Options` is generated as `options::GraphFunctionalize` with one typed field per option; the module is
//! what the build script says.

use crate::text::{camel, ident, snake};
use serde_json::Value;
use std::{fmt::Write, path::Path};

/// Compiles the passes of `file` (tablegen's group name: `group`) and writes `passes.rs`. `module` is the
/// path of a pass's module by its argument, in snake case: `graph::functionalize` for `graph_functionalize`.
pub fn build(file: &Path, group: &str, module: impl Fn(&str) -> String) {
    let records = crate::records(file);
    crate::tblgen(&["-gen-pass-decls", &format!("-name={group}")], file, "Passes.h.inc");
    let mut names: Vec<&str> = records["!instanceof"]["PassBase"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    names.sort();
    // In a namespace of its own: the generated `impl` would meet `mlir::impl`.
    let space = format!("terrace_{}_passes", snake(group));
    let mut cpp = format!(
        "#include \"Bridge.h\"\n#include \"PassIncludes.h\"\n#include \"mlir/CAPI/Pass.h\"\nusing namespace mlir;\nnamespace {space} {{\n\
         #define GEN_PASS_DECL\n#include \"Passes.h.inc\"\n",
    );
    for n in &names {
        let _ = writeln!(cpp, "#define GEN_PASS_DEF_{}", n.to_uppercase());
    }
    cpp.push_str("#include \"Passes.h.inc\"\n");
    for n in &names {
        let _ = writeln!(cpp, "TERRACE_PASS({n})");
    }
    let _ = writeln!(
        cpp,
        "#define GEN_PASS_REGISTRATION\n#include \"Passes.h.inc\"\n}}\n\
         extern \"C\" void terrace_register_{}_passes() {{ {space}::register{group}Passes(); }}",
        snake(group)
    );
    for n in &names {
        let create = create(&records, n);
        let _ = writeln!(
            cpp,
            "extern \"C\" MlirPass {create}() {{ return wrap({space}::create{n}().release()); }}"
        );
    }
    crate::write("Passes.cpp", &cpp);
    let mut cxx = crate::cxx::Cxx::new();
    // The generated headers of the dialects, as their build script announces them.
    if let Some(include) = std::env::var_os("DEP_TERRACE_DIALECTS_CPP_INCLUDE") {
        cxx.include(include);
    }
    cxx.file(crate::out_dir().join("Passes.cpp"));
    cxx.compile(&format!("terrace_{}_passes", snake(group)));

    let mut rust = String::from(
        "/// The options of each pass.\npub mod options {\n#[allow(unused_imports)]\nuse terrace_dialects::ir::pass::Options;\n",
    );
    for n in &names {
        write_options(&mut rust, &records, n);
    }
    rust.push_str("}\n/// The passes of this crate, by argument.\npub static PASSES: &[(&str, terrace_dialects::ir::pass::PassFn)] = &[\n");
    for n in &names {
        let argument = records[n]["argument"].as_str().unwrap();
        let _ = writeln!(
            rust,
            "(\"{argument}\", |op, text| crate::{}::run(op, &options::{}::parse(text)?)),",
            module(&snake(argument)),
            camel(argument)
        );
    }
    rust.push_str("];\n");
    write_creates(&mut rust, &records, &names);
    let _ = writeln!(
        rust,
        "unsafe extern \"C\" {{ fn terrace_register_{g}_passes(); }}\n\
         /// Registers the passes of this crate with MLIR; once is enough.\npub fn register_passes() {{\n\
         static ONCE: std::sync::Once = std::sync::Once::new();\n\
         ONCE.call_once(|| {{ terrace_dialects::init(); terrace_dialects::ir::pass::register(PASSES);\n\
         // SAFETY: it is called once in a process, and takes nothing.\n\
         unsafe {{ terrace_register_{g}_passes() }} }});\n}}",
        g = snake(group)
    );
    crate::write("passes.rs", &rust);
}

/// How each pass is made, and what gives a library of C a function for each.
fn write_creates(out: &mut String, records: &Value, names: &[&str]) {
    let argument = |n: &&str| records[*n]["argument"].as_str().unwrap();
    out.push_str(
        "/// How each pass is made, with its options as they are where nobody gives them.\npub mod create {\n\
         use melior::pass::Pass;\nuse terrace_dialects::ir::pass::MlirPass;\n",
    );
    for n in names {
        let (name, create, argument) = (snake(argument(n)), create(records, n), argument(n));
        let _ = writeln!(
            out,
            "/// Makes `{argument}`.\npub fn {name}() -> Pass {{\n\
             unsafe extern \"C\" {{ safe fn {create}() -> MlirPass; }}\n\
             crate::register_passes();\n\
             // SAFETY: it is new, and nobody else's.\nunsafe {{ Pass::from_raw({create}()) }}\n}}",
        );
    }
    out.push_str("}\n/// Functions of C that make these passes.\n#[macro_export]\nmacro_rules! export_passes { () => {\n");
    for n in names {
        let (name, camel, argument) = (snake(argument(n)), camel(argument(n)), argument(n));
        let _ = writeln!(
            out,
            "/// Makes `{argument}`.\n#[unsafe(no_mangle)]\npub extern \"C\" fn terraceCreate{camel}() -> terrace_dialects::ir::pass::MlirPass \
             {{ $crate::create::{name}().to_raw() }}",
        );
    }
    out.push_str("} }\n");
}

/// The C function that makes a pass.
fn create(records: &Value, pass: &str) -> String {
    format!("terrace_create_{}", snake(records[pass]["argument"].as_str().unwrap()))
}

fn write_options(out: &mut String, records: &Value, pass: &str) {
    let r = &records[pass];
    let argument = r["argument"].as_str().unwrap();
    let options: Vec<&Value> =
        r["options"].as_array().into_iter().flatten().map(|o| &records[o["def"].as_str().unwrap()]).collect();
    let class = camel(argument);
    let _ = writeln!(out, "/// Options of `{argument}`.\n#[derive(Clone, Debug)]\npub struct {class} {{");
    let mut parse = String::new();
    for o in options {
        let name = o["argument"].as_str().unwrap();
        let is_list = o["!superclasses"].as_array().unwrap().iter().any(|c| c == "ListOption");
        let (ty, get) = match (o["type"].as_str().unwrap(), is_list) {
            ("bool", false) => ("bool", "bool"),
            ("int64_t" | "int" | "unsigned", false) => ("i64", "int"),
            ("double" | "float", false) => ("f64", "float"),
            ("int64_t" | "int" | "unsigned", true) => ("Vec<i64>", "ints"),
            (_, true) => ("Vec<String>", "strings"),
            (_, false) => ("String", "string"),
        };
        let field = ident(&snake(name));
        let _ = writeln!(out, "/// {}.\npub {field}: {ty},", o["description"].as_str().unwrap_or(name));
        let _ = write!(parse, "{field}: options.{get}(\"{name}\")?, ");
    }
    let _ = writeln!(
        out,
        "}}\nimpl {class} {{\n/// Reads the options out of the textual form of the pass.\n\
         pub fn parse(text: &str) -> Result<Self, terrace_dialects::ir::pass::Failure> {{\n\
         let options = Options::new(text)?; let _ = &options; Ok(Self {{ {parse} }}) }}\n}}"
    );
}
