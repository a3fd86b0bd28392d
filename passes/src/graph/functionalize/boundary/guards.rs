//! What was taken for granted about sizes and strides, tested where the function is called.
//!
//! Rules and layouts ask questions about sizes that are not static, and go on with the usual answer: sizes
//! that are compared are equal, none is 0 or 1. Each answer becomes a `graph.guard` at the head of the
//! boundary, behind those that were there. A question about what is known only when the function has run as
//! far is an assertion where it was asked, if anything else would be wrong: two masks that have to pick as
//! many elements. Any other one is refused: nobody could test it before. So is one in a branch or a loop: the
//! answer goes for all of the function, and it would be tested in some calls only.

use crate::{
    functional::writer::Writer,
    graph::functionalize::{
        analysis::{
            demands::Demands,
            distinct::WrittenLogical,
            reaches::Reach,
            state::{Analysis, At},
            tensors::Source,
        },
        rewriting::rewriter::Rewriter,
    },
};
use melior::ir::{
    Block, BlockRef, Location, OperationRef, Type, Value, ValueLike, attribute::StringAttribute,
};
use std::collections::{BTreeSet, HashSet};
use terrace_dialects::{
    analysis::known::Known,
    aten::rules::TensorType,
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::Cursor,
        dtype::{Dtype, ElementType},
        kept::operation_at,
        operations::{definition, name_of, users},
        pass::Failure,
        refusal::Reason,
        rewrite::{self, move_before, replace_uses, set_operand},
    },
    ops::graph,
};
use terrace_size::{
    Size,
    arithmetic::places,
    symbols::{Guard, Predicate, current},
};

/// The guards, which the caller can test, beside those that are `asserted`, by their numbers.
///
/// # Errors
/// One that depends on what is known later, at the operation that asked.
pub fn all<'c, 'a>(
    analysis: &Analysis<'c, 'a>,
    function: OperationRef<'c, 'a>,
    asserted: &BTreeSet<usize>,
) -> Result<Vec<Guard>, At<'c, 'a>> {
    let all = current(|symbols| symbols.guards().to_vec());
    let left = all.into_iter().enumerate().filter(|(number, _)| !asserted.contains(number));
    let guards: Vec<Guard> = left.map(|(_, guard)| guard).collect();
    for guard in &guards {
        if let Some(place) = analysis.late([guard.left, guard.right]) {
            let text = current(|symbols| symbols.guard_text(guard));
            let at = asker(guard).unwrap_or(function);
            let message = Reason::RunTime.says(format!(
                "is another one for other sizes: here {text}, where s{place} is known only when the program has run as far"
            ));
            return Err((at, message));
        }
    }
    Ok(guards)
}

/// The operation that asked, which is still there.
fn asker<'c, 'a>(guard: &Guard) -> Option<OperationRef<'c, 'a>> {
    operation_at(guard.by)
}

/// Whether an operation stands in no branch and in no loop.
fn is_of_every_call(op: OperationRef) -> bool {
    op.parent_operation().is_some_and(|around| name_of(around) == "func.func")
}

/// The numbers of those that may be asserted where they were asked.
pub fn late(analysis: &Analysis) -> BTreeSet<usize> {
    let all = current(|symbols| symbols.guards().to_vec());
    let late = |guard: &Guard| analysis.may_assert(guard) && asker(guard).is_some_and(is_of_every_call);
    all.iter().enumerate().filter(|(_, guard)| late(guard)).map(|(number, _)| number).collect()
}

impl Analysis<'_, '_> {
    /// Whether a guard is that two sizes are equal, of which one is known late: eager would refuse most
    /// others.
    fn may_assert(&self, guard: &Guard) -> bool {
        let [left, right] = [guard.left, guard.right];
        let is_size = |size: Size| match size.known() {
            Some(number) => number > 1,
            None => current(|symbols| symbols.symbol_of(size)).is_some(),
        };
        guard.predicate() == Predicate::Equal
            && is_size(left)
            && is_size(right)
            && self.is_late([left, right])
    }
}

impl<'c, 'a> Rewriter<'_, 'c, 'a> {
    /// Asserts, in front of `at`, what an operation asked of sizes that are known there, and not when the
    /// function is called; in front of the operation itself, also what later ones ask.
    pub(crate) fn assert_late(
        &mut self,
        op: OperationRef<'c, 'a>,
        at: OperationRef<'c, 'a>,
    ) -> Result<(), Failure> {
        let all = current(|symbols| symbols.guards()[self.looked_at..].to_vec());
        let mut own: Vec<(usize, Guard)> = std::mem::take(&mut self.waiting);
        own.extend(all.into_iter().enumerate().map(|(number, guard)| (self.looked_at + number, guard)));
        self.looked_at = current(|symbols| symbols.guards().len());
        for (number, guard) in own {
            if !self.analysis.may_assert(&guard) {
                continue;
            }
            // What is asked later is taken for granted from where the sizes are known on: it is asserted as
            // soon as they are.
            let is_own = guard.by == op.to_raw().ptr as usize;
            let early = at == op
                && places([guard.left, guard.right])
                    .into_iter()
                    .all(|place| self.values.known.source(place).is_some());
            if !is_own && !early {
                self.waiting.push((number, guard));
                continue;
            }
            if !asker(&guard).is_some_and(is_of_every_call) {
                continue;
            }
            let w = Writer::before(at).knowing(self.values.known);
            let [Ok(left), Ok(right)] = [guard.left, guard.right].map(|size| w.first_size(size)) else {
                continue;
            };
            let location = asker(&guard).map_or(op.location(), |asker| asker.location());
            let at = Cursor::before(at)?.of(location);
            let holds = at.compare(guard.predicate(), left, right)?;
            let message = Reason::RunTime.says("sizes that elements decide have to be equal, and are not");
            let message = at.named("msg", StringAttribute::new(at.context, &message));
            at.build("cf.assert", &[holds], &[], &[message], vec![])?;
            self.asserted.insert(number);
        }
        Ok(())
    }
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// The place of a symbol in sizes that is not known when the function is called.
    fn late(&self, sizes: impl IntoIterator<Item = Size>) -> Option<usize> {
        places(sizes).into_iter().find(|place| !self.given_places.contains(place))
    }

    /// Whether sizes are known late.
    pub(crate) fn is_late(&self, sizes: impl IntoIterator<Item = Size>) -> bool {
        self.late(sizes).is_some()
    }

    /// Whether an operation has to do with sizes that are known late.
    pub(crate) fn has_late_sizes(&self, op: OperationRef<'c, 'a>, ty: &TensorType<'c>) -> bool {
        let own = |value: Value<'c, 'a>| {
            let layout = self.tensor(value).map(|tensor| &tensor.layout);
            layout.is_some_and(|own| {
                self.is_late(own.sizes.iter().chain(&own.strides).copied().chain([own.offset]))
            })
        };
        self.is_late(ty.shape.iter().copied()) || !self.symbols.is_empty() && op.operands().any(own)
    }
}

/// What the symbols are that a caller knows, by the arguments.
pub fn given<'c, 'a>(
    analysis: &Analysis<'c, 'a>,
    w: Writer<'c, 'a>,
    arguments: &[Value<'c, 'a>],
) -> Result<(), Failure> {
    for (symbol, source) in &analysis.symbols {
        match *source {
            Source::Size { argument, dim } => w.known.set_dim(*symbol, arguments[argument], dim),
            Source::Argument(argument) => w.known.set_symbol(*symbol, w.word_of(arguments[argument])?),
            Source::Number(_) | Source::Counted(..) => {}
        }
    }
    Ok(())
}

/// Guards that a function has, taken out of its block, with all that they are computed of.
pub struct Parked<'c> {
    /// What they stand in, with the arguments of the function's block.
    block: Block<'c>,
}

/// Takes the guards out of a function that is to be split.
///
/// # Errors
/// One that stands behind something else than what it is computed of, or is computed of more than arguments.
pub fn park<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Result<Parked<'c>, Failure> {
    let signature: Vec<(Type, Location)> = terrace_dialects::ir::operations::arguments(block)
        .map(|value| (value.r#type(), value.location()))
        .collect();
    let parked = Block::new(&signature);
    let all = crate::graph::functionalize::program::operations(block);
    let Some(last) = all.iter().rposition(|op| name_of(*op) == "graph.guard") else {
        return Ok(Parked { block: parked });
    };
    let mut needed: HashSet<usize> = HashSet::new();
    for op in all[..=last].iter().rev() {
        let is_needed = name_of(*op) == "graph.guard" || needed.contains(&(op.to_raw().ptr as usize));
        if !is_needed {
            continue;
        }
        needed.insert(op.to_raw().ptr as usize);
        needed.extend(op.operands().filter_map(definition).map(|own| own.to_raw().ptr as usize));
    }
    let is_needed = |op: OperationRef| needed.contains(&(op.to_raw().ptr as usize));
    let tests = |op: &OperationRef| {
        let name = name_of(*op);
        name.starts_with("arith.")
            || name.starts_with("ub.")
            || name.starts_with("graph.check_")
            || name.starts_with("graph.sym_")
    };
    for op in &all[..=last] {
        let stands = tests(op) || name_of(*op) == "graph.guard";
        if !stands {
            let guard = all[..=last].iter().rev().find(|op| name_of(**op) == "graph.guard");
            let why = "stands behind what may write: guards come first, and are computed of arguments alone";
            return Err(crate::graph::functionalize::program::refuse(*guard.unwrap_or(&function), why));
        }
    }
    for op in all[..=last].iter().copied().filter(|op| is_needed(*op)) {
        let outside: Vec<OperationRef> =
            op.results().flat_map(|result| users(result.into())).filter(|user| !is_needed(*user)).collect();
        if !outside.is_empty() {
            // SAFETY: the copy belongs to the block, in front of what it is a copy of.
            let copy = block.insert_operation_before(op, rewrite::copy(op));
            for user in outside {
                replace(user, |value| {
                    let own = op.results().position(|result| Value::from(result) == value)?;
                    copy.result_at(own).ok().map(Value::from)
                });
            }
        }
        // SAFETY: it stands in the other block from here on, whose arguments it has.
        let moved = parked.append_operation(rewrite::detach(op));
        replace(moved, |value| {
            let number =
                terrace_dialects::ir::operations::arguments(block).position(|argument| argument == value)?;
            parked.argument(number).ok().map(Value::from)
        });
    }
    Ok(Parked { block: parked })
}

/// Gives an operation other operands.
fn replace<'c, 'a, 'b>(op: OperationRef<'c, 'a>, other: impl Fn(Value<'c, 'a>) -> Option<Value<'c, 'b>>) {
    for place in 0..op.operand_count() {
        if let Some(other) = op.operand(place).ok().and_then(&other) {
            set_operand(op, place, other);
        }
    }
}

/// Puts guards in front of a boundary: those that were there, then what was taken for granted.
pub fn write<'c: 'a, 'a>(
    boundary: BlockRef<'c, 'a>,
    parked: Parked<'c>,
    analysis: &Analysis<'c, 'a>,
    (guards, asked): (&[Guard], &Demands<'c>),
    known: Known<'a>,
) -> Result<(), Failure> {
    let first = boundary.first_operation().ok_or(internal!("has an empty boundary"))?;
    let arguments: Vec<Value> = terrace_dialects::ir::operations::arguments(boundary).collect();
    for (number, argument) in arguments.iter().enumerate() {
        replace_uses(parked.block.argument(number)?, *argument);
    }
    while let Some(op) = parked.block.first_operation() {
        move_before(op, first);
    }
    let w = Writer::before(first).knowing(known);
    let at = Cursor::before(first)?;
    let truth = Dtype::Bool.to_type(w.context);
    given(analysis, w, &arguments)?;
    for guard in guards {
        let (left, right) = (w.first_size(guard.left)?, w.first_size(guard.right)?);
        let holds = at.compare(guard.predicate(), left, right)?;
        at.insert(graph::guard(at.location, &[], holds, &text(analysis, guard))?);
    }
    for WrittenLogical { argument, location, .. } in &asked.distinct {
        let holds = at.of(*location).op("graph.check_distinct", &[arguments[*argument]], truth)?;
        let text = format!("argument {argument}, which is written, repeats no element");
        at.insert(graph::guard(*location, &[], holds, &text)?);
    }
    for reach in &asked.reached {
        let Reach { argument, location, .. } = reach;
        let holds = reach.test(&w, arguments[*argument])?;
        let text = format!("the storage of argument {argument} has what views by strides name of it");
        at.insert(graph::guard(*location, &[], holds, &text)?);
    }
    Ok(())
}

/// What a guard on sizes says, and what its symbols are.
fn text(analysis: &Analysis, guard: &Guard) -> String {
    let mut text = current(|symbols| symbols.guard_text(guard));
    let mut word = "where";
    for (symbol, source) in &analysis.symbols {
        let place = symbol.place();
        if !places([guard.left, guard.right]).contains(&place) {
            continue;
        }
        let what = match *source {
            Source::Size { argument, dim } => format!("size {dim} of argument {argument}"),
            Source::Argument(argument) => format!("argument {argument}"),
            Source::Number(_) | Source::Counted(..) => continue,
        };
        text.push_str(&format!(", {word} s{place} is {what}"));
        word = "and";
    }
    text
}
