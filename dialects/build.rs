//! From td/ to C++ (parts of the generated definitions, the bridge) and Rust (views, builders, the table).

use std::fmt::Write;
use terrace_tablegen as td;

/// The dialects, and the first letters of the operations in each part that their definitions are compiled in.
/// A part declares its own operations alone, so that a change of one definition builds one part again.
const DIALECTS: &[(&str, &str, &[&str])] = &[
    (
        "graph",
        "Graph",
        &["_", "a", "b", "c", "d-e", "f-h", "i-k", "l", "m", "n-o", "p-q", "r", "s", "t", "u-z"],
    ),
    ("functional", "Functional", &["_a-b", "c-e", "f-k", "l", "m-o", "p-r", "s", "t-z"]),
    ("loop", "Loop", &["_a-z"]),
    ("kernel", "Kernel", &["_a-z"]),
];

fn main() {
    let dir = td::td_dir();
    td::watch(&dir);
    td::watch(&td::cpp_dir());
    let file = dir.join("Terrace.td");
    let mut cxx = td::cxx::Cxx::new();
    let mut registration = String::from("#pragma once\n");
    for (dialect, class, parts) in DIALECTS {
        let only = format!("--dialect={dialect}");
        td::tblgen(&["-gen-dialect-decls", &only], &file, &format!("{class}Dialect.h.inc"));
        td::tblgen(&["-gen-dialect-defs", &only], &file, &format!("{class}Dialect.cpp.inc"));
        for (kind, name) in [("typedef", "Types"), ("attrdef", "Attributes")] {
            let only = format!("-{kind}s-dialect={dialect}");
            let (declared, defined) = (format!("-gen-{kind}-decls"), format!("-gen-{kind}-defs"));
            td::tblgen(&[&declared, &only], &file, &format!("{class}{name}.h.inc"));
            td::tblgen(&[&defined, &only], &file, &format!("{class}{name}.cpp.inc"));
        }
        let mut calls = String::new();
        let _ = writeln!(registration, "namespace terrace::{dialect} {{ class {class}Dialect;");
        for (i, letters) in parts.iter().enumerate() {
            let filter = format!("--op-include-regex=^{dialect}\\.[{letters}]");
            let operations = format!("{class}Operations{i}");
            td::tblgen(&["-gen-op-decls", &filter], &file, &format!("{operations}.h.inc"));
            td::tblgen(&["-gen-op-defs", &filter], &file, &format!("{operations}.cpp.inc"));
            let unit = format!(
                "#define DIALECT {dialect}\n#define DIALECT_CLASS {class}Dialect\n#define REGISTER register{operations}\n\
                 #define DECLARATIONS \"{operations}.h.inc\"\n#define DEFINITIONS \"{operations}.cpp.inc\"\n\
                 #include \"Operations.cpp\"\n"
            );
            td::write(&format!("{operations}.cpp"), &unit);
            cxx.file(td::out_dir().join(format!("{operations}.cpp")));
            let _ = writeln!(registration, "void register{operations}({class}Dialect *);");
            let _ = write!(calls, "register{operations}(dialect); ");
        }
        let _ = writeln!(
            registration,
            "inline void registerOperations({class}Dialect *dialect) {{ {calls}}}\n}}"
        );
    }
    td::write("Registration.h", &registration);
    td::tblgen(&["-gen-enum-decls"], &file, "TerraceEnums.h.inc");
    td::tblgen(&["-gen-enum-defs"], &file, "TerraceEnums.cpp.inc");
    for name in ["Bridge.cpp", "Dialects.cpp", "Syntax.cpp", "Tiling.cpp", "Upstream.cpp"] {
        cxx.file(td::cpp_dir().join(name));
    }
    cxx.prefix_header(td::cpp_dir().join("Dialects.h"));
    td::ops::write(&td::records(&file));
    cxx.compile("terrace_dialects_cpp");
    // Passes include the generated headers: DEP_TERRACE_DIALECTS_CPP_INCLUDE in the build scripts of our
    // dependents.
    println!("cargo:include={}", td::out_dir().display());
}
