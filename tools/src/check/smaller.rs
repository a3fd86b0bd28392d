//! A smaller program with the same fault: operations go one at a time, last ones first, where nothing uses
//! what they give.

use melior::{
    Context,
    ir::{Module, OperationRef},
};
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    operations::{collect, users},
    rewrite::erase,
};

/// The text of a program without the operations that can go while `wrong` still holds of it.
pub fn smaller(context: &Context, mut text: String, wrong: impl Fn(&str) -> bool) -> String {
    let count = Module::parse(context, &text).map_or(0, |module| all(&module).len());
    // What stands behind an operation has gone, or stays: its number stays the same.
    for number in (1..count).rev() {
        let Some(module) = Module::parse(context, &text) else { return text };
        let op = all(&module).get(number).copied().filter(|op| can_go(*op));
        let Some(op) = op else { continue };
        erase(op);
        let without = module.as_operation().to_string();
        if wrong(&without) {
            text = without;
        }
    }
    text
}

/// The operations in the order of the text, the module first.
fn all<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    collect(module.as_operation(), |_| true)
}

fn can_go(op: OperationRef) -> bool {
    let end = op.block().and_then(|block| block.terminator());
    end != Some(op) && op.results().all(|result| users(result.into()).next().is_none())
}

#[cfg(test)]
mod tests {
    use super::smaller;

    #[test]
    fn what_the_fault_does_not_need_goes() {
        let text = "func.func @other() { return }
            func.func @f(%c: i1, %n: i64) -> i64 {
              %a = arith.addi %n, %n : i64
              scf.if %c { %b = arith.muli %a, %a : i64 }
              %k = arith.constant 2 : i64
              %m = arith.muli %n, %k : i64
              return %n : i64
            }";
        let (context, _) = crate::module::listening();
        let found = smaller(&context, text.into(), |text| text.contains("arith.muli %arg1"));
        let lines: Vec<&str> = found.lines().map(str::trim).collect();
        let wanted = [
            "module {",
            "func.func @f(%arg0: i1, %arg1: i64) -> i64 {",
            "%c2_i64 = arith.constant 2 : i64",
            "%0 = arith.muli %arg1, %c2_i64 : i64",
            "return %arg1 : i64",
            "}",
            "}",
        ];
        assert_eq!(lines, wanted);
    }
}
