//! The operations that a pass with a given schedule is meant for, and what forbids to schedule them.

use super::{
    alias::{Alias, alias},
    place,
    read::{Kind, Loop},
};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::{
    analysis::memory::Memory,
    ir::{
        OperationLike,
        operations::{collect, collect_within, name_of},
        pass::Failure,
        shaped::Shaped,
    },
    ops::loop_,
};

/// The operation of this number in the function of this name; all of them for -1, and of all functions for no
/// name.
pub(crate) fn targets<'c, 'a>(
    root: OperationRef<'c, 'a>,
    function: &str,
    number: i64,
    wanted: impl Fn(OperationRef<'c, 'a>) -> bool,
) -> Result<Vec<OperationRef<'c, 'a>>, Failure> {
    let name = |op: OperationRef| op.attribute("sym_name").map(terrace_dialects::ir::attributes::string).ok();
    let functions = collect(root, |op| name_of(op) == "func.func");
    let functions: Vec<_> = functions
        .into_iter()
        .filter(|op| function.is_empty() || name(*op).as_deref() == Some(function))
        .collect();
    if functions.is_empty() && !function.is_empty() {
        return Err(format!("has no function '{function}'").into());
    }
    let mut found = vec![];
    for function in functions {
        let is_group = |op| loop_::GroupOp::try_from(op).is_ok();
        let all = collect_within(function, |op| !is_group(op), &wanted);
        match usize::try_from(number) {
            Err(_) => found.extend(all),
            Ok(number) => match all.get(number) {
                Some(op) => found.push(*op),
                None => {
                    let count = all.len();
                    let why = format!(
                        "has no loop operation of number {number}: expects 0 to {}, of {count}",
                        count as i64 - 1
                    );
                    return Err(terrace_dialects::ir::operations::refuse(function, &why));
                }
            },
        }
    }
    Ok(found)
}

/// Whether points depend on the order in which they run: an operation on memrefs that reads, at another
/// point, what it writes, or may.
pub(crate) fn depends_on_order<'c: 'a, 'a>(of: &Loop<'c, 'a>) -> Option<loop_::LoadOp<'c, 'a>> {
    let init = of.init.filter(|init| Shaped::of(init.r#type()).is_some_and(|s| s.buffer))?;
    of.loads().find(|load| {
        let buffer = Shaped::of(load.source().r#type()).is_some_and(|s| s.buffer);
        let own = || matches!(of.kind, Kind::Pointwise | Kind::Scan(_)) && place::is_own(*load, of);
        buffer
            && match alias(load.source(), init) {
                Alias::Disjoint => false,
                Alias::Same => !own(),
                Alias::May => {
                    // Arguments of different names are apart, as everywhere below: see
                    // convert-loop-to-kernel.
                    Memory::of(load.source()).is(&Memory::of(init))
                }
            }
    })
}
