//! The programs of the cases are programs: each parses, and what its operators say of sizes and dtypes holds.

use std::path::Path;
use terrace_dialects::ir::OperationLike;

#[test]
fn every_case_is_a_program() {
    let context = terrace_tools::module::context();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 88, "{} cases", files.len());
    for file in files {
        let module = terrace_tools::module::read(&context, &file)
            .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        assert!(module.as_operation().verify(), "{}", file.display());
    }
}
