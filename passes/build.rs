//! From td/Passes.td to C++ pass classes, typed options and the table of passes.

/// The folder of each dialect that passes start from.
const FOLDERS: &[(&str, &str)] =
    &[("graph", "graph"), ("functional", "functional"), ("loop", "loops"), ("kernel", "kernel")];

/// `graph::functionalize` of `graph_functionalize`, `loops::convert_to_kernel` of `convert_loop_to_kernel`.
fn module(pass: &str) -> String {
    let (convert, rest) = pass.strip_prefix("convert_").map_or(("", pass), |rest| ("convert_", rest));
    let found = FOLDERS.iter().find_map(|(dialect, folder)| {
        let name = rest.strip_prefix(dialect)?.strip_prefix('_')?;
        Some(format!("{folder}::{convert}{name}"))
    });
    found.unwrap_or_else(|| panic!("{pass} starts from no dialect of ours"))
}

fn main() {
    let td = std::path::Path::new("td");
    terrace_tablegen::watch(td);
    terrace_tablegen::watch(&terrace_tablegen::cpp_dir());
    terrace_tablegen::passes::build(&td.join("Passes.td"), "TerraceTransform", module);
}
