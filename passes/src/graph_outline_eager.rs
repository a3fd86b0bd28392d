//! `graph-outline-eager`: each operation of a function that runs as it is written becomes a function of its own.
//!
//! Contract: a module; functions that are `graph.eager` and what they call change, and so does no other. What such a function does to storages depends on how its arguments lie, which is known when it runs. So nothing is made of it as a
//! whole, and everything of each operation: one alone, on tensors of which the function says that they lie apart, is a
//! function like any other, which graph-functionalize and the passes behind it know. That they lie apart is made true:
//! [`writes`] puts eager's own test in front of what writes, and a copy in the place of what shares elements all the same. Where types do
//! not say sizes, [`broadcasts`] makes those equal that meet, views stay as they are, and what is left to be taken for granted is a test
//! in front of each function.
//!
//! What is left is control flow of `scf`, calls, tests and numbers, for convert-graph-boundary-to-memref.
//!
//! Source: the idea of one kernel per operation is eager's own dispatcher.

mod broadcasts;
mod by_way;
mod calls;
mod flags;
mod formats;
mod handed_on;
mod outliner;
mod parts;
mod reshapes;
mod seen;
mod sizes;
mod unused;
mod writes;

use crate::{
    functions::{Names, attempt, erase_between},
    graph_functionalize::{has_tensors, is_boundary, seen::UNRESOLVED},
    graph_resolve_views,
};
use calls::Calls;
use flags::{Flagged, Flags};
pub use flags::{is_conjugate_transform, passes_no_flags};
use melior::ir::{
    Attribute, AttributeLike, BlockRef, OperationRef, RegionLike, Value, ValueLike,
    attribute::StringAttribute,
    operation::{OperationMutLike, OperationRefMut},
};
use mlir_sys::*;
use outliner::Outliner;
use reshapes::reshape;
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    arguments::{EAGER, FALLBACK, LAYOUT, Layout as Declared, declared, falls_back, is_eager, is_partial},
    attributes as convert,
    bridge::{self, string_ref},
    context,
    cursor::Cursor,
    dtype::Dtype,
    ir::{BlockLike, OperationLike},
    operations::{collect, definition, name_of, refuse, users},
    pass::Failure,
    placement::{self, Strides},
    registry::{self, OpImpl},
    strided::Layout,
    types::{TensorType, is_graph_tensor},
};

/// What says how tensors lie, and what asks for a number of one: they stay.
const STAYS: &[&str] = &[
    "graph.assert_storage",
    "graph.assert_writable",
    "graph.check_disjoint",
    "graph.check_distinct",
    "graph.check_same",
    "graph.check_same_storage",
    "graph.check_storage",
    "graph.check_view",
    "graph.sym_numel",
    "graph.sym_size",
    "graph.sym_storage_offset",
    "graph.sym_stride",
];

/// Views that are others by other strides: where these are not known they stay, too.
const VIEWS: &[&str] =
    &["graph.as_strided", "graph.view", "graph.view_as", "graph.view_as_complex", "graph.view_as_real"];

/// Other ways to see what is stored: they stay.
const SEEN: &[&str] = &["graph._conj", "graph._neg_view"];

/// Views that stay where sizes or numbers are not known.
const SIZED_VIEWS: &[&str] = &[
    "graph.alias",
    "graph.cast",
    "graph.chunk",
    "graph.detach",
    "graph.diagonal",
    "graph.expand",
    "graph.expand_as",
    "graph.mT",
    "graph.movedim",
    "graph.narrow",
    "graph.permute",
    "graph.select",
    "graph.slice",
    "graph.split",
    "graph.split_with_sizes",
    "graph.squeeze",
    "graph.swapaxes",
    "graph.t",
    "graph.transpose",
    "graph.unbind",
    "graph.unfold",
    "graph.unsqueeze",
];

/// What keeps operations of which nobody uses the results.
const FAKE_USE: &str = "graph.fake_use";

/// Whether an operation does nothing but to use values.
pub fn is_fake_use(op: OperationRef) -> bool {
    name_of(op) == FAKE_USE
}

/// Whether an operation tells, or asks, how what a function takes or gives is seen.
pub fn is_of_flags(op: OperationRef) -> bool {
    matches!(name_of(op), "graph.pass_flags" | "graph.passed_flags" | "graph.tell_flags" | "graph.told_flags")
}

/// Whether an operation asks how tensors lie.
pub fn is_test(op: OperationRef) -> bool {
    STAYS.contains(&name_of(op))
}

/// Whether an operation is a view that may stay in a function: where it lies is worked out when that runs.
pub fn is_view(op: OperationRef) -> bool {
    [VIEWS, SIZED_VIEWS, SEEN].iter().any(|names| names.contains(&name_of(op)))
}

/// Runs the pass on a module.
pub fn run(module: OperationRef, _: &crate::options::GraphOutlineEager) -> Result<(), Failure> {
    let block = module.region(0)?.first_block().ok_or("has no body")?;
    let all: Vec<OperationRef> =
        std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect();
    spread(&all)?;
    let (mut failed, mut names) = (false, Names::default());
    let is_written = |op: OperationRef| name_of(op) == "func.func" && is_eager(op) && !is_outlined(op);
    let mut lifted = vec![];
    for op in &all {
        lifted.push(if is_written(*op) { crate::graph_structure::lift(*op) } else { Ok(()) });
    }
    // Before any is changed.
    let functions = || all.iter().copied().filter(|op| name_of(*op) == "func.func");
    let calls = Calls::of(functions(), functions().filter(|op| is_written(*op)), true)?;
    let is_written = |op: OperationRef| is_written(op) && !calls.is_done(op);
    for (op, lifted) in all.into_iter().zip(lifted) {
        let done = match name_of(op) {
            "builtin.module" => run(op, &crate::options::GraphOutlineEager {}),
            // What was outlined before stays.
            "func.func" if is_written(op) => {
                let last = std::iter::successors(Some(op), |op| op.next_in_block()).last();
                // What is refused of an operation alone is compiled when it is called.
                let partial = is_partial(op) || falls_back(op);
                let mut outlined = || {
                    attempt(op, || {
                        if falls_back(op) {
                            // SAFETY: nobody holds on to its attributes.
                            unsafe { OperationRefMut::from_raw(op.to_raw()) }.remove_attribute(FALLBACK)?;
                        }
                        outline(op, block, &mut names, partial, &calls)
                    })
                };
                let done = lifted.and_then(|()| outlined());
                if let Ok(false) = done {
                    erase_between(last, None);
                    // What writes stays, and a value refuses nothing.
                    let goes = |class: &OpImpl| {
                        class.dialect == "graph" && class.name != "graph.value" && !class.is_in_place()
                    };
                    let mut own = unused::of(op)?;
                    own.retain(|op| registry::of(*op).is_some_and(goes));
                    own.into_iter().try_for_each(keep)?;
                }
                done.map(drop)
            }
            _ => Ok(()),
        };
        if let Err(failure) = done {
            if let Failure::Message(message) = failure {
                bridge::emit_op_error(&op, &message);
            }
            failed = true;
        }
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

/// What graph-functionalize leaves of a function: one at least.
const MADE: &[&str] =
    &["func.call", "graph.as_strided", "graph.fresh", "graph.new_storage", "graph.write_back"];

/// What a function calls that runs as it is written runs so too; one that tests how its arguments lie calls what was made for that.
fn spread(all: &[OperationRef]) -> Result<(), Failure> {
    let functions = all.iter().filter(|op| name_of(**op) == "func.func");
    let named: HashMap<String, OperationRef> = functions
        .map(|op| Ok((convert::string(op.attribute("sym_name")?), *op)))
        .collect::<Result<_, Failure>>()?;
    let mut open: Vec<OperationRef> = named.values().copied().filter(|op| is_eager(*op)).collect();
    while let Some(function) = open.pop() {
        if !collect(function, |op| name_of(op).starts_with("graph.check_")).is_empty() {
            continue;
        }
        let own: Vec<Value> = match function.region(0)?.first_block() {
            Some(block) => terrace_dialects::operations::arguments(block).collect(),
            None => vec![],
        };
        for call in collect(function, |op| name_of(op) == "func.call") {
            let Some(callee) = named.get(&convert::symbol(call.attribute("callee")?)).copied() else {
                continue;
            };
            // A function that does nothing but read values of views is one as it was written.
            let is_made =
                is_boundary(callee) && !collect(callee, |op| MADE.contains(&name_of(op))).is_empty();
            let stays = is_outlined(callee) || is_made || !has_tensors(callee);
            let Some(body) = callee.region(0)?.first_block().filter(|_| !stays) else { continue };
            // Its arguments are what is passed, whatever it declares.
            for (number, argument) in terrace_dialects::operations::arguments(body).enumerate() {
                // One that tests sizes hands on its own.
                let is_said = is_partial(callee)
                    && call.operand(number).is_ok_and(|operand| own.get(number) == Some(&operand));
                if is_graph_tensor(argument.r#type()) && !is_said {
                    declare(
                        callee,
                        number,
                        LAYOUT,
                        StringAttribute::new(context::of(callee.context()), "any").into(),
                    );
                }
            }
            if !is_eager(callee) {
                // SAFETY: nobody holds on to its attributes.
                let mut mutable = unsafe { OperationRefMut::from_raw(callee.to_raw()) };
                mutable.set_attribute(EAGER, Attribute::unit(context::of(callee.context())));
                open.push(callee);
            }
        }
    }
    Ok(())
}

/// Whether a function was outlined before: it is not inlined.
fn is_outlined(function: OperationRef) -> bool {
    function.attribute("no_inline").is_ok()
}

/// What is known of an operand.
#[derive(Clone)]
struct Known {
    /// Where it lies in its storage.
    layout: Declared,
    /// Whether that is known in numbers.
    in_numbers: bool,
}

/// Outlines the operations of a function; `module` is where functions go, which are `graph.partial` where that is wanted.
fn outline<'c, 'a>(
    function: OperationRef<'c, 'a>,
    module: BlockRef<'c, 'a>,
    names: &mut Names,
    partial: bool,
    calls: &Calls<'c, 'a>,
) -> Result<(), Failure> {
    let Some(body) = function.region(0)?.first_block() else { return Ok(()) };
    let (declared, is_rest) = (declarations(function, body)?, is_partial(function));
    in_place_results(function);
    let mut known: HashMap<usize, Vec<Known>> = HashMap::new();
    graph_resolve_views::of_eager(function, |analysis| {
        for op in collect(function, |_| true) {
            let compares = is_rest
                && registry::of(op).is_some_and(|class| placement::strides(class) == Strides::Pointwise);
            let of = |value: Value<'c, 'a>| {
                let numbers = analysis.placed(value).and_then(Layout::numbers);
                let said = || declared.iter().find(|(argument, _)| *argument == value);
                Known {
                    in_numbers: numbers.is_some(),
                    layout: match numbers {
                        Some(own) if own == Layout::contiguous(&own.sizes) => Declared::Contiguous,
                        Some(Layout { strides, offset, .. }) => Declared::Strided { strides, offset },
                        // Such strides are compared with sizes, and these are not the usual ones.
                        None => match said() {
                            Some((_, Declared::Strided { .. })) if is_rest => Declared::Any,
                            Some((_, layout)) if !compares => layout.clone(),
                            _ => Declared::Any,
                        },
                    },
                }
            };
            known.insert(op.to_raw().ptr as usize, op.operands().map(of).collect());
        }
    })?;
    in_place_results(function);
    let without_layout = |op: OperationRef, known: &[Known]| {
        is_open(op) || known.first().is_none_or(|operand| !operand.in_numbers)
    };
    // Strides decide when it runs.
    let is_decided = |op: OperationRef| {
        let known = known.get(&(op.to_raw().ptr as usize)).map_or(&[][..], |known| known);
        reshape(op).is_some() && without_layout(op, known)
    };
    let decided: HashSet<usize> =
        collect(function, is_decided).into_iter().map(|op| op.to_raw().ptr as usize).collect();
    let mut copied = vec![];
    let mut flags = Flags::of(function, &decided, calls, &mut |copy, op| copied.push((copy, op)))?;
    for (copy, op) in copied {
        let of_op = known.get(&(op.to_raw().ptr as usize)).cloned();
        let nothing = || vec![Known { layout: Declared::Any, in_numbers: false }; copy.operand_count()];
        known.insert(copy.to_raw().ptr as usize, of_op.unwrap_or_else(nothing));
    }
    let name = convert::string(function.attribute("sym_name")?);
    let (mut dead, mut functions, mut copies) = (vec![], HashMap::new(), HashMap::new());
    for op in collect(function, |op| registry::of(op).is_some_and(|class| class.dialect == "graph")) {
        let class = registry::of(op).ok_or("is not known")?;
        let known = known.remove(&(op.to_raw().ptr as usize)).unwrap_or_default();
        let without_layout = without_layout(op, &known);
        let flags = flags.remove(op);
        let is_flagged = flags.iter().any(|operand| *operand != Flagged::default());
        // By numbers of the run it may leave what it is a view of.
        let numbered = op.operands().any(|operand| !is_graph_tensor(operand.r#type()));
        let sized = SIZED_VIEWS.contains(&class.name) && (is_flagged || is_open(op) || numbered);
        let parts = matches!(class.name, "graph.view_as_complex" | "graph.view_as_real");
        let decided = VIEWS.contains(&class.name)
            && (is_flagged || without_layout || numbered)
            && !(parts && is_flagged);
        if STAYS.contains(&class.name) || is_fake_use(op) || is_of_flags(op) || class.name == "graph.cast" {
            continue;
        }
        let is_refused = class.name == "graph.view_as_real" && flags.first().is_some_and(|own| own.is_conj());
        if is_refused {
            // Of memory alone nobody would see it.
            let at = Cursor::before(op)?;
            at.assert(at.integer(Dtype::Bool.to_type(at.context), 0)?, UNRESOLVED)?;
        }
        if SEEN.contains(&class.name) || sized || decided || is_refused || is_checked(op) {
            use_results(op)?;
            continue;
        }
        if parts::part(op, &flags)? {
            dead.push(op);
            continue;
        }
        if terrace_dialects::foreach::is_foreach(class) && class.is_in_place() {
            let why = "is several operations, and of a tensor that it is on too little is known, in a function that runs as it is written";
            return Err(refuse(op, why));
        }
        // What no types say is known when it is called.
        let partial = partial || is_moved(class);
        let (functions, copies) = (&mut functions, &mut copies);
        let mut outliner = Outliner { op, class, own: &name, partial, module, names, functions, copies };
        if class.name == "graph.value" && is_flagged {
            outliner.value_of_copy(known, flags)?;
            dead.push(op);
            continue;
        }
        match reshape(op).filter(|_| without_layout) {
            Some(reshape) => outliner.reshape(reshape)?,
            None => outliner.outline(known, flags)?,
        }
        dead.push(op);
    }
    // Not before: what is known of an operation is found by its address.
    for op in dead.into_iter().rev() {
        // SAFETY: its results are not used any more.
        unsafe {
            mlirOperationRemoveFromParent(op.to_raw());
            mlirOperationDestroy(op.to_raw());
        }
    }
    Ok(())
}

/// Whether an operation is a view on a way that is taken only where it is one: it stays as it is.
fn is_checked(op: OperationRef) -> bool {
    // Strides are asked together.
    let asks = |op| matches!(name_of(op), "graph.check_view" | "arith.andi" | "arith.ori");
    let condition = || definition(op.parent_operation()?.operand(0).ok()?);
    name_of(op) == "graph.view" && condition().is_some_and(asks)
}

/// Uses what an operation gives where nobody does: it would go, and with it what refuses it.
fn use_results(op: OperationRef) -> Result<(), Failure> {
    match op.results().any(|result| users(Value::from(result)).next().is_some()) {
        true => Ok(()),
        false => keep(op),
    }
}

/// Uses what an operation gives.
fn keep(op: OperationRef) -> Result<(), Failure> {
    let results: Vec<Value> = op.results().map(Value::from).collect();
    if results.is_empty() {
        return Ok(());
    }
    let next = op.next_in_block().ok_or("stands at the end of a block")?;
    Cursor::before(next)?.of(op.location()).build(FAKE_USE, &results, &[], &[], vec![]).map(drop)
}

/// Whether an operation has to do with sizes that types do not say.
fn is_open(op: OperationRef) -> bool {
    let open = |value: Value| TensorType::<i64>::of(value.r#type()).is_some_and(|ty| !ty.is_static());
    op.operands().chain(op.results().map(Value::from)).any(open)
}

/// How arguments declare that they lie, where that does not change on the way.
fn declarations<'c, 'a>(
    function: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
) -> Result<Vec<(Value<'c, 'a>, Declared)>, Failure> {
    if !collect(function, |op| registry::of(op).is_some_and(is_moved)).is_empty() {
        return Ok(vec![]);
    }
    let of = |(number, value): (usize, Value<'c, 'a>)| Ok((value, declared(function, number)?.layout));
    terrace_dialects::operations::arguments(body).enumerate().map(of).collect()
}

/// Whether a tensor lies elsewhere behind an operation of a class, unless that was resolved.
fn is_moved(class: &OpImpl) -> bool {
    class.dialect == "graph" && class.is_in_place() && graph_resolve_views::of_class(class).is_some()
}

/// What is written in place is the tensor that was written.
fn in_place_results(function: OperationRef) {
    let in_place = |op: OperationRef| {
        registry::of(op).is_some_and(|class| {
            class.dialect == "graph" && class.is_in_place() && !placement::changes_object(class)
        })
    };
    for op in collect(function, in_place) {
        if let (Ok(own), Ok(result)) = (op.operand(0), op.result_at(0))
            && own.r#type() == result.r#type()
        {
            // SAFETY: both are of one type.
            unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), own.to_raw()) };
        }
    }
}

/// Says something of an argument of a function.
fn declare(function: OperationRef, argument: usize, name: &str, value: Attribute) {
    // SAFETY: the function has this argument.
    unsafe { mlirFuncSetArgAttr(function.to_raw(), argument as isize, string_ref(name), value.to_raw()) }
}
