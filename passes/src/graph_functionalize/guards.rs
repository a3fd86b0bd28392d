//! What was taken for granted about sizes and strides, tested where the function is called.
//!
//! Rules and layouts ask questions about sizes that are not static, and go on with the usual answer: sizes that are compared are
//! equal, none is 0 or 1. Each answer is a guard. A function with guards becomes three: `@f` tests them and calls `@f.sized`, which is
//! the boundary, or `@f.general`, which is the function as it was written, for eager execution. A guard on what is known only when the
//! function has run as far is refused: nobody could test it before.

use super::{
    analysis::{Analysis, At},
    cases::{Cases, LATE},
    demands::Demands,
    distinct::Framed,
    frames::Tensors,
    reaches::Reach,
    sizes::Source,
    versions,
};
use crate::{
    functional::{Writer, Written, known},
    functions::{self, Names},
};
use melior::ir::{
    Attribute, Block, Identifier, Location, Operation, OperationRef, Region, RegionLike, Type, Value,
    ValueLike, attribute::StringAttribute, operation::OperationBuilder, r#type::FunctionType,
};
use mlir_sys::{MlirOperation, mlirOperationClone, mlirOperationSetAttributeByName};
use terrace_dialects::{
    arguments::{EAGER, PARTIAL, is_partial},
    attributes as convert,
    bridge::string_ref,
    context,
    cursor::Cursor,
    dtype::Dtype,
    ir::{BlockLike, OperationLike},
    pass::Failure,
    rules::TensorType,
    size::{
        Size,
        symbols::{Guard, current},
    },
};

/// The guards, which the caller can test.
///
/// # Errors
/// One that depends on what is known later, at the operation that asked.
pub fn all<'c, 'a>(
    analysis: &Analysis<'c, 'a>,
    function: OperationRef<'c, 'a>,
) -> Result<Vec<Guard>, At<'c, 'a>> {
    let guards = current(|symbols| symbols.guards().to_vec());
    for guard in &guards {
        if let Some(place) = analysis.late([guard.left, guard.right]) {
            let text = current(|symbols| symbols.guard_text(guard));
            let ptr = guard.by as *mut std::ffi::c_void;
            let at = if ptr.is_null() {
                function
            } else {
                // SAFETY: the operation that asked is still there.
                unsafe { OperationRef::from_raw(MlirOperation { ptr }) }
            };
            let message = format!(
                "is another one for other sizes: here {text}, where s{place} is known only when the program has run as far"
            );
            return Err((at, message));
        }
    }
    Ok(guards)
}

/// What is refused, with what was taken for granted of sizes until then.
pub fn with_guards(message: String) -> String {
    /// Guards that are named.
    const NAMED: usize = 4;
    let guards = current(|symbols| {
        let texts = symbols.guards().iter().map(|guard| symbols.guard_text(guard));
        texts.take(NAMED).collect::<Vec<_>>()
    });
    if guards.is_empty() { message } else { format!("{message} (where {})", guards.join(", ")) }
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// The place of a symbol in sizes that is not known when the function is called.
    fn late(&self, sizes: impl IntoIterator<Item = Size>) -> Option<usize> {
        super::sizes::places(sizes).into_iter().find(|place| !self.given_places.contains(place))
    }

    /// Whether sizes are known late.
    pub(super) fn is_late(&self, sizes: impl IntoIterator<Item = Size>) -> bool {
        self.late(sizes).is_some()
    }

    /// Whether an operation has to do with sizes that are known late.
    pub(super) fn has_late_sizes(&self, op: OperationRef<'c, 'a>, ty: &TensorType<'c>) -> bool {
        let own = |value: Value<'c, 'a>| {
            let layout = self.tensor(value).map(|tensor| &tensor.layout);
            layout.is_some_and(|own| {
                self.is_late(own.sizes.iter().chain(&own.strides).copied().chain([own.offset]))
            })
        };
        self.is_late(ty.shape.iter().copied()) || !self.symbols.is_empty() && op.operands().any(own)
    }
}

/// A copy of a function as it is written, which belongs to nobody yet.
pub fn copy<'c>(function: OperationRef<'c, '_>) -> Operation<'c> {
    // SAFETY: the copy is owned by what is returned.
    unsafe { Operation::from_raw(mlirOperationClone(function.to_raw())) }
}

pub(super) fn set(op: OperationRef, name: &str, value: Attribute) {
    use melior::ir::AttributeLike;
    // SAFETY: the attribute is of the operation's context.
    unsafe { mlirOperationSetAttributeByName(op.to_raw(), string_ref(name), value.to_raw()) }
}

/// Gives a function a name that only the module knows.
fn private(function: OperationRef, name: &str) {
    let context = context::of(function.context());
    set(function, "sym_name", StringAttribute::new(context, name).into());
    set(function, "sym_visibility", StringAttribute::new(context, "private").into());
}

/// Puts the function that tests the guards in front of a boundary, and the function as it was written beside it, which is what it gives.
pub fn dispatch<'c, 'a>(
    function: OperationRef<'c, 'a>,
    general: Operation<'c>,
    analysis: &Analysis<'c, 'a>,
    (guards, asked): (&[Guard], &Demands<'c>),
    names: &mut Names,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let (context, location) = (context::of(function.context()), function.location());
    let parent = function.block().ok_or("stands in no module")?;
    let own = convert::string(function.attribute("sym_name")?);
    let own = if is_partial(function) { versions::base(&own) } else { &own };
    let callees = ["sized", "general"].map(|suffix| names.fresh(parent, format!("{own}.{suffix}")));
    let block = function.region(0)?.first_block().ok_or("has no body")?;
    let signature: Vec<(Type, Location)> =
        super::arguments(block).map(|value| (value.r#type(), value.location())).collect();
    let region = Region::new();
    let body = region.append_block(Block::new(&signature));
    let attributes: Vec<(Identifier, Attribute)> = function.attributes().collect();
    let eager = (Identifier::new(context, EAGER), Attribute::unit(context));
    let dispatcher = OperationBuilder::new("func.func", location)
        .add_attributes(&attributes)
        .add_attributes(&[eager])
        .add_regions([region])
        .build()?;
    let dispatcher = parent.insert_operation_before(function, dispatcher);
    let general = parent.insert_operation_before(function, general);
    private(function, &callees[0]);
    private(general, &callees[1]);
    for name in [EAGER, PARTIAL] {
        set(general, name, Attribute::unit(context));
    }
    let ty = FunctionType::try_from(convert::ty(dispatcher.attribute("function_type")?))?;
    let results: Vec<Type> = (0..ty.result_count()).map(|i| ty.result(i)).collect::<Result<_, _>>()?;
    let arguments: Vec<Value> = super::arguments(body).collect();
    // What all else goes before.
    let end = body.append_operation(OperationBuilder::new("func.return", location).build()?);
    let at = Cursor::before(end)?;
    let condition = tests(analysis, function, (end, &arguments), (guards, asked), |suffix| {
        names.fresh(parent, format!("{own}.{suffix}"))
    })?;
    let values = at.either(condition, &results, |at, way| {
        let call = functions::call(location, &callees[way], &arguments, &results)?;
        Ok(at.insert(call).results().map(Value::from).collect())
    })?;
    at.build("func.return", &values, &[], &[], vec![])?;
    super::outline::erase(end);
    Ok(general)
}

/// What the symbols are that a caller knows, by the arguments.
pub fn given<'c, 'a>(
    analysis: &Analysis<'c, 'a>,
    w: Writer<'c, 'a>,
    arguments: &[Value<'c, 'a>],
) -> Result<(), Failure> {
    for (symbol, source) in &analysis.symbols {
        match *source {
            Source::Size { argument, dim } => known::is_size(*symbol, arguments[argument], dim),
            Source::Argument(argument) => known::is_symbol(*symbol, w.word_of(arguments[argument])?),
            Source::Number(_) | Source::Counted(..) => {}
        }
    }
    Ok(())
}

/// Whether all guards hold, arguments are as is demanded, and tensors lie as one of the cases has it that new ones are laid out by: what the
/// function that tests it says of its arguments, in front of its end.
fn tests<'c, 'a>(
    analysis: &Analysis<'c, 'a>,
    function: OperationRef<'c, 'a>,
    (end, arguments): (OperationRef<'c, 'a>, &[Value<'c, 'a>]),
    (guards, asked): (&[Guard], &Demands<'c>),
    name: impl FnOnce(&str) -> String,
) -> Written<'c, 'a> {
    let truth = Dtype::Bool.to_type(context::of(function.context()));
    let taken = || analysis.cases_of_results().filter(|cases| cases.is_taken());
    let shown = |cases: &&Cases| cases.identities().all(|identity| analysis.is_argument(identity));
    let (at_once, on_the_way): (Vec<_>, Vec<_>) = taken().partition(shown);
    let all: Vec<Value> = known::remember(true, || {
        let w = Writer::before(end);
        given(analysis, w, arguments)?;
        let at = Cursor::before(end)?;
        let hold = |guard: &Guard| {
            let (left, right) = (w.size_as_said(guard.left)?, w.size_as_said(guard.right)?);
            at.compare(guard.predicate(), left, right)
        };
        let mut tensors = Tensors::of_arguments(analysis, arguments);
        let distinct = |framed: &Framed<'c>| {
            Cursor::of(at, framed.location).op("graph.check_distinct", &[arguments[framed.argument]], truth)
        };
        let lie = |cases: &&Cases| cases.test(analysis, &w, &mut tensors).map_err(|_| LATE.into());
        guards
            .iter()
            .map(hold)
            .chain(asked.distinct.iter().map(distinct))
            .chain(asked.reached.iter().map(|reach: &Reach| reach.test(&w, arguments[reach.argument])))
            .chain(at_once.iter().map(lie))
            .collect::<Result<Vec<_>, Failure>>()
    })?;
    if !on_the_way.is_empty() {
        let name = name("foreseen");
        foreseen(analysis, function, &name, &on_the_way).map_err(|_| LATE)?;
        let at = Cursor::before(end)?;
        let call = |at: &Cursor<'c, 'a>| -> Written<'c, 'a> {
            Ok(at
                .insert(functions::call(function.location(), &name, arguments, &[truth])?)
                .result_at(0)?
                .into())
        };
        if all.is_empty() {
            return call(&at);
        }
        // What it views may not be there for other sizes.
        let holds = conjunction(&at, all)?;
        let foreseen = at.either(holds, &[truth], |at, way| {
            Ok(vec![if way == 0 { call(&at)? } else { at.integer(truth, 0)? }])
        })?;
        return Ok(foreseen[0]);
    }
    conjunction(&Cursor::before(end)?, all)
}

/// Writes the function that says whether tensors, which another one makes on the way, lie as one of the cases has it. Of what it makes it looks at
/// strides alone.
fn foreseen<'c, 'a>(
    analysis: &Analysis<'c, 'a>,
    function: OperationRef<'c, 'a>,
    name: &str,
    all: &[&Cases],
) -> Result<(), Failure> {
    let (context, location) = (context::of(function.context()), function.location());
    let truth = Dtype::Bool.to_type(context);
    let block = super::blocks(function).next().ok_or("has no body")?;
    let (types, places): (Vec<Type>, Vec<Location>) =
        super::arguments(block).map(|value| (value.r#type(), value.location())).unzip();
    let region = Region::new();
    let body = region.append_block(Block::new(&std::iter::zip(types.clone(), places).collect::<Vec<_>>()));
    let new = functions::private(location, name, &types, &[truth], region)?;
    let new = function.block().ok_or("stands in no module")?.insert_operation_before(function, new);
    if let Ok(declared) = function.attribute("arg_attrs") {
        set(new, "arg_attrs", declared);
    }
    let end = body.append_operation(OperationBuilder::new("func.return", location).build()?);
    let arguments: Vec<Value> = super::arguments(body).collect();
    let holds = known::remember(true, || {
        let w = Writer::before(end);
        given(analysis, w, &arguments)?;
        let mut tensors = Tensors::of_arguments(analysis, &arguments);
        let all = all.iter().map(|cases| cases.test(analysis, &w, &mut tensors)).collect::<Result<_, _>>()?;
        conjunction(&Cursor::before(end)?, all)
    })?;
    Cursor::before(end)?.build("func.return", &[holds], &[], &[], vec![])?;
    super::outline::erase(end);
    Ok(())
}

/// Whether all of them hold.
fn conjunction<'c, 'a>(at: &Cursor<'c, 'a>, all: Vec<Value<'c, 'a>>) -> Written<'c, 'a> {
    let truth = Dtype::Bool.to_type(at.context);
    let mut all = all.into_iter();
    let first = all.next().ok_or("has no guards")?;
    all.try_fold(first, |before, holds| at.op("arith.andi", &[before, holds], truth))
}
