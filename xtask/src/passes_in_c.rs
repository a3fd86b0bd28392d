//! `include/terrace-c/Passes.h`: a function for each pass, from the .td files that declare them.

use serde_json::Value;
use std::fmt::Write;

const HEAD: &str = "\
//===- terrace-c/Passes.h - A function for each pass --------------------------------------------------------------===//
//
// Made from passes/td and lowering/td by `./x docs`.
//
// Each function makes a pass with its options as they are where nobody gives them; the pass manager that it
// is added to owns it. With options a pass is written as text, `loop-split-reduction{pieces=8}`, which
// mlirOpPassManagerAddPipeline takes once terraceRegisterPasses has made the passes known. docs/passes says
// of each what it does, and which options it has.
//
//   MlirPassManager manager = mlirPassManagerCreate(context);
//   MlirOpPassManager functions = mlirPassManagerGetNestedUnder(manager, mlirStringRefCreateFromCString(\"func.func\"));
//   mlirOpPassManagerAddOwnedPass(functions, terraceCreateConvertLinalgToLoop());
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_C_PASSES_H
#define TERRACE_C_PASSES_H

#include \"mlir-c/Pass.h\"

#ifdef __cplusplus
extern \"C\" {
#endif
";

const FOOT: &str = "
#ifdef __cplusplus
}
#endif

#endif // TERRACE_C_PASSES_H
";

/// The header, of the records of each file, in the order of the passes' names.
pub fn text(files: &[Value]) -> String {
    let mut out = HEAD.to_string();
    for records in files {
        let names =
            records["!instanceof"]["PassBase"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut passes: Vec<&Value> = names.map(|name| &records[name]).collect();
        passes.sort_by_key(|pass| pass["argument"].as_str());
        for pass in passes {
            let word = |key: &str| pass[key].as_str().unwrap_or_default();
            let on = match word("baseClass") {
                class if class.contains("ModuleOp") => "module",
                class if class.contains("FuncOp") => "func.func",
                _ => "any operation",
            };
            let camel: String = word("argument").split('-').map(capital).collect();
            let (argument, summary) = (word("argument"), word("summary"));
            let _ = write!(
                out,
                "\n// {argument}, on {on}.\n// {summary}\nMlirPass terraceCreate{camel}(void);\n"
            );
        }
    }
    out + FOOT
}

/// A word with a capital.
fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
