//! Functions that passes make: names that nothing in a module has, private functions, and calls.

use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, BlockRef, Identifier, Location, Operation, OperationRef, Region,
        RegionLike, Type, Value,
        attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
        operation::{OperationBuilder, OperationMutLike, OperationRefMut},
        r#type::FunctionType,
    },
};
use mlir_sys::{
    mlirOperationClone, mlirOperationDestroy, mlirOperationRemoveAttributeByName,
    mlirOperationRemoveFromParent, mlirOperationSetAttributeByName, mlirRegionTakeBody,
};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};
pub use terrace_dialects::arguments::is_private;
use terrace_dialects::{
    arguments::{EAGER, FALLBACK, PARTIAL, falls_back, is_eager, is_partial},
    attributes as convert, bridge, context,
    ir::{BlockLike, OperationLike},
    pass::Failure,
};

/// Changes a function. Where that fails and the function is `graph.partial` it stays as it was, nothing is said, and the answer is false. So
/// it is where the function is `graph.fallback`: it runs as it is written from then on, or, where it did that already, is compiled when it is called, and a warning says why.
///
/// # Errors
/// It failed, and the function is neither.
pub fn attempt(
    function: OperationRef,
    change: impl FnOnce() -> Result<(), Failure>,
) -> Result<bool, Failure> {
    if !is_partial(function) && !falls_back(function) {
        return change().map(|()| true);
    }
    // SAFETY: the copy is owned here.
    let before = unsafe { Operation::from_raw(mlirOperationClone(function.to_raw())) };
    let context = context::of(function.context());
    let own = std::thread::current().id();
    let said = Arc::new(Mutex::new(None));
    let first = said.clone();
    let listener = context.attach_diagnostic_handler(move |diagnostic| {
        let is_own = std::thread::current().id() == own;
        if is_own {
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert_with(|| diagnostic.to_string());
        }
        is_own
    });
    let changed = change();
    context.detach_diagnostic_handler(listener);
    let Err(failure) = changed else { return Ok(true) };
    // SAFETY: nobody holds on to what the function held, nor to its attributes.
    unsafe {
        mlirRegionTakeBody(function.region(0)?.to_raw(), before.region(0)?.to_raw());
        for (name, _) in function.attributes().collect::<Vec<_>>() {
            mlirOperationRemoveAttributeByName(function.to_raw(), name.as_string_ref().to_raw());
        }
        for (name, value) in before.attributes() {
            let name = name.as_string_ref().to_raw();
            mlirOperationSetAttributeByName(function.to_raw(), name, value.to_raw());
        }
    }
    if falls_back(function) {
        let said = said.lock().unwrap_or_else(PoisonError::into_inner).take();
        let why = match failure {
            Failure::Message(message) => message,
            Failure::Reported => said.unwrap_or_default(),
        };
        let how = match is_eager(function) {
            true => "is compiled when it is called, for the tensors that there are",
            false => "runs as it is written, operation by operation",
        };
        bridge::emit_op_warning(&function, &format!("{how}: {why}"));
        // SAFETY: nobody holds on to its attributes.
        let mut mutable = unsafe { OperationRefMut::from_raw(function.to_raw()) };
        mutable.remove_attribute(FALLBACK)?;
        for name in [EAGER, PARTIAL] {
            mutable.set_attribute(name, Attribute::unit(context));
        }
    }
    Ok(false)
}

/// Erases what stands behind one operation of a block, or in front of all, up to another one or to the end: functions that were made in vain.
pub fn erase_between(first: Option<OperationRef>, end: Option<OperationRef>) {
    let mut next = match first {
        Some(first) => first.next_in_block(),
        None => end.and_then(|end| end.block()).and_then(|block| block.first_operation()),
    };
    while let Some(op) = next.filter(|op| Some(*op) != end) {
        next = op.next_in_block();
        // SAFETY: nothing refers to a function but by its name.
        unsafe {
            mlirOperationRemoveFromParent(op.to_raw());
            mlirOperationDestroy(op.to_raw());
        }
    }
}

/// The names that modules have. Each module is looked at once.
#[derive(Default)]
pub struct Names(HashMap<usize, Taken>);

/// The names of one module, and for those that are made by numbers the next number.
struct Taken {
    names: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Names {
    /// A name that nothing in the block of a module has: `NAME`, or `NAME_0` and so on.
    pub fn fresh(&mut self, module: BlockRef, name: String) -> String {
        let taken = self.0.entry(module.to_raw().ptr as usize).or_insert_with(|| {
            let all = std::iter::successors(module.first_operation(), |op| op.next_in_block());
            let names = all.filter_map(|op| op.attribute("sym_name").ok()).map(convert::string).collect();
            Taken { names, next: HashMap::new() }
        });
        if taken.names.insert(name.clone()) {
            return name;
        }
        let next = taken.next.entry(name.clone()).or_insert(0);
        loop {
            let numbered = format!("{name}_{next}");
            *next += 1;
            if taken.names.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

fn context<'c>(location: Location<'c>) -> &'c Context {
    context::of(location.context())
}

/// A private function of a body, or of none yet.
pub fn private<'c>(
    location: Location<'c>,
    name: &str,
    inputs: &[Type<'c>],
    results: &[Type<'c>],
    body: Region<'c>,
) -> Result<Operation<'c>, Failure> {
    let context = context(location);
    let signature = FunctionType::new(context, inputs, results);
    let attributes: [(&str, Attribute); 3] = [
        ("sym_name", StringAttribute::new(context, name).into()),
        ("function_type", TypeAttribute::new(signature.into()).into()),
        ("sym_visibility", StringAttribute::new(context, "private").into()),
    ];
    Ok(OperationBuilder::new("func.func", location)
        .add_attributes(&attributes.map(|(key, value)| (Identifier::new(context, key), value)))
        .add_regions([body])
        .build()?)
}

/// A call of a function by its name.
pub fn call<'c>(
    location: Location<'c>,
    name: &str,
    operands: &[Value<'c, '_>],
    results: &[Type<'c>],
) -> Result<Operation<'c>, Failure> {
    let context = context(location);
    let callee: Attribute = FlatSymbolRefAttribute::new(context, name).into();
    Ok(OperationBuilder::new("func.call", location)
        .add_operands(operands)
        .add_attributes(&[(Identifier::new(context, "callee"), callee)])
        .add_results(results)
        .build()?)
}
