//! From td/Passes.td to C++ pass classes, typed options and the table of passes.

fn main() {
    let td = std::path::Path::new("td");
    terrace_tablegen::watch(td);
    terrace_tablegen::watch(&terrace_tablegen::cpp_dir());
    terrace_tablegen::passes::build(&td.join("Passes.td"), "TerraceTransform");
}
