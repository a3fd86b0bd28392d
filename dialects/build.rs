//! From td/ to C++ (shards of the generated definitions, the bridge) and Rust (views, builders, the table).

use std::fmt::Write;
use terrace_tablegen as td;

/// Dialects whose operators are many: the number of parts that their definitions are compiled in.
const SHARDED: &[(&str, &str, usize)] =
    &[("graph", "Graph", 3), ("functional", "Functional", 2), ("loop", "Loop", 2), ("kernel", "Kernel", 2)];

fn main() {
    let dir = td::td_dir();
    td::watch(&dir);
    td::watch(&td::cpp_dir());
    let file = dir.join("Terrace.td");
    let mut cxx = td::cxx();
    let mut declarations = String::from("#pragma once\n");
    for (dialect, class, shards) in SHARDED {
        let filter = format!("--op-include-regex=^{dialect}\\.");
        let only = format!("--dialect={dialect}");
        let count = format!("-op-shard-count={shards}");
        td::tblgen(&["-gen-op-decls", &filter, &count], &file, &format!("{class}Ops.h.inc"));
        td::tblgen(&["-gen-op-defs", &filter, &count], &file, &format!("{class}Ops.cpp.inc"));
        td::tblgen(&["-gen-dialect-decls", &only], &file, &format!("{class}Dialect.h.inc"));
        td::tblgen(&["-gen-dialect-defs", &only], &file, &format!("{class}Dialect.cpp.inc"));
        for (kind, name) in [("typedef", "Types"), ("attrdef", "Attributes")] {
            let only = format!("-{kind}s-dialect={dialect}");
            let (declared, defined) = (format!("-gen-{kind}-decls"), format!("-gen-{kind}-defs"));
            td::tblgen(&[&declared, &only], &file, &format!("{class}{name}.h.inc"));
            td::tblgen(&[&defined, &only], &file, &format!("{class}{name}.cpp.inc"));
        }
        let _ = writeln!(
            declarations,
            "namespace terrace::{dialect} {{ class {class}Dialect; void register{class}DialectOperations({class}Dialect *);"
        );
        for i in 0..*shards {
            let _ = writeln!(declarations, "void register{class}DialectOperations{i}({class}Dialect *);");
            let name = format!("{class}Shard{i}.cpp");
            td::write(
                &name,
                &format!(
                    "#define GET_OP_DEFS_{i}\n#define TERRACE_OPS \"{class}Ops.cpp.inc\"\n#include \"Shard.cpp\"\n"
                ),
            );
            cxx.file(td::out_dir().join(name));
        }
        declarations.push_str("}\n");
    }
    td::write("Registration.h", &declarations);
    td::tblgen(&["-gen-enum-decls"], &file, "TerraceEnums.h.inc");
    td::tblgen(&["-gen-enum-defs"], &file, "TerraceEnums.cpp.inc");
    for name in ["Bridge.cpp", "Dialects.cpp", "Syntax.cpp"] {
        cxx.file(td::cpp_dir().join(name));
    }
    td::ops::write(&td::records(&file));
    cxx.compile("terrace_dialects_cpp");
    // Passes include the generated headers: DEP_TERRACE_DIALECTS_CPP_INCLUDE in the build scripts of our dependents.
    println!("cargo:include={}", td::out_dir().display());
}
