//! The functions of a plan: dispatcher, variants, and the function as it was written.

use super::{
    guards::{Guard, Plan, Variant},
    set,
};
use crate::functions::Names;
use melior::ir::{
    Attribute, Block, Identifier, Location, Operation, OperationRef, Region, RegionLike, Type, Value,
    ValueLike,
    attribute::{FlatSymbolRefAttribute, StridedLayoutAttribute, StringAttribute},
    operation::OperationBuilder,
    r#type::{FunctionType, IntegerType},
};
use mlir_sys::*;
use terrace_dialects::{
    arguments::{EAGER, LAYOUT, STORAGE, set_attributes},
    attributes as convert, context,
    cursor::Cursor,
    ir::{BlockLike, OperationLike},
    operations::arguments,
    ops::graph,
    pass::Failure,
    strided::Layout,
};

/// Writes the functions; the name of the one that is as it was written. `names` are those of modules.
pub fn write(function: OperationRef, plan: &Plan, names: &mut Names) -> Result<String, Failure> {
    let own = convert::string(function.attribute("sym_name")?);
    let unit = Attribute::unit(context::of(function.context()));
    if plan.variants.is_empty() {
        set(function, EAGER, unit);
        return Ok(own);
    }
    let parent = function.block().ok_or("stands in no module")?;
    let mut name = |suffix: &str| names.fresh(parent, format!("{own}.{suffix}"));
    let callees: Vec<String> = plan.variants.iter().map(|variant| name(&variant.suffix)).collect();
    let general = name("general");
    parent.insert_operation_before(function, dispatcher(function, plan, &callees, &general)?);
    for (variant, name) in plan.variants.iter().zip(&callees) {
        // SAFETY: the copy belongs to the block from here on.
        let copy = unsafe { Operation::from_raw(mlirOperationClone(function.to_raw())) };
        specialize(parent.insert_operation_before(function, copy), variant, name)?;
    }
    private(function, &general);
    set(function, EAGER, unit);
    Ok(general)
}

/// Gives a function a name that only the module knows.
fn private(function: OperationRef, name: &str) {
    let context = context::of(function.context());
    set(function, "sym_name", StringAttribute::new(context, name).into());
    set(function, "sym_visibility", StringAttribute::new(context, "private").into());
}

/// Makes a variant of a copy of the function.
fn specialize(function: OperationRef, variant: &Variant, name: &str) -> Result<(), Failure> {
    private(function, name);
    let context = context::of(function.context());
    let names = variant.names.iter();
    let mut declared: Vec<(usize, &str, Attribute)> = names
        .map(|(argument, storage)| (*argument, STORAGE, StringAttribute::new(context, storage).into()))
        .collect();
    if let Some(merged) = &variant.merged {
        if let Some(Layout { strides, offset, .. }) = &merged.layout {
            let layout = StridedLayoutAttribute::new(context, *offset, strides);
            declared.push((merged.kept, LAYOUT, layout.into()));
        }
        let values = values(function)?;
        // SAFETY: both are arguments of one type of the same block.
        unsafe { mlirValueReplaceAllUsesOfWith(values[merged.gone].to_raw(), values[merged.kept].to_raw()) }
    }
    set_attributes(function, &declared);
    Ok(())
}

/// The arguments of a function.
fn values<'c, 'a>(function: OperationRef<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    Ok(arguments(function.region(0)?.first_block().ok_or("has no body")?).collect())
}

/// The function that makes the tests.
fn dispatcher<'c>(
    function: OperationRef<'c, '_>,
    plan: &Plan,
    callees: &[String],
    general: &str,
) -> Result<Operation<'c>, Failure> {
    let context = context::of(function.context());
    let location = function.location();
    let signature: Vec<(Type, Location)> =
        values(function)?.iter().map(|value| (value.r#type(), value.location())).collect();
    let region = Region::new();
    let block = region.append_block(Block::new(&signature));
    let ty = FunctionType::try_from(convert::ty(function.attribute("function_type")?))?;
    let results = (0..ty.result_count()).map(|i| ty.result(i)).collect::<Result<_, _>>()?;
    let mut writer = Writer { arguments: arguments(block).collect(), results, general, known: vec![] };
    let variants: Vec<(&Variant, &str)> =
        plan.variants.iter().zip(callees.iter().map(String::as_str)).collect();
    let at = Cursor::end(block, location);
    let values = writer.choose(at, &variants)?;
    at.build("func.return", &values, &[], &[], vec![])?;
    let attributes: Vec<(Identifier, Attribute)> = function.attributes().collect();
    let eager = (Identifier::new(context, EAGER), Attribute::unit(context));
    Ok(OperationBuilder::new("func.func", location)
        .add_attributes(&attributes)
        .add_attributes(&[eager])
        .add_regions([region])
        .build()?)
}

/// Writes the body of a dispatcher.
struct Writer<'p, 'c, 'a> {
    arguments: Vec<Value<'c, 'a>>,
    results: Vec<Type<'c>>,
    general: &'p str,
    /// Answers of the tests that were made before.
    known: Vec<(&'p Guard, Value<'c, 'a>)>,
}

impl<'p, 'c, 'a> Writer<'p, 'c, 'a> {
    /// The results of the first variant whose guards hold.
    fn choose(
        &mut self,
        at: Cursor<'c, 'a>,
        variants: &[(&'p Variant, &str)],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let Some(((variant, callee), others)) = variants.split_first() else {
            return self.call(at, self.general);
        };
        let mut condition = None;
        for guard in &variant.guards {
            let answer = self.test(at, guard)?;
            condition = Some(match condition {
                None => answer,
                Some(before) => at.op("arith.andi", &[before, answer], answer.r#type())?,
            });
        }
        let condition = condition.ok_or("has a variant without a guard")?;
        let results = self.results.clone();
        at.either(condition, &results, |at, way| match way {
            0 => self.call(at, callee),
            _ => self.choose(at, others),
        })
    }

    fn call(&self, at: Cursor<'c, 'a>, callee: &str) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let callee = at.named("callee", FlatSymbolRefAttribute::new(at.context, callee));
        let call = at.build("func.call", &self.arguments, &self.results, &[callee], vec![])?;
        Ok(call.results().map(Value::from).collect())
    }

    /// The answer of a test; one that was made before stands around this place.
    fn test(&mut self, at: Cursor<'c, 'a>, guard: &'p Guard) -> Result<Value<'c, 'a>, Failure> {
        if let Some((_, answer)) = self.known.iter().find(|(known, _)| *known == guard) {
            return Ok(*answer);
        }
        let truth = [IntegerType::new(at.context, 1).into()];
        let argument = |number: &usize| self.arguments[*number];
        let test = match guard {
            Guard::Same(a, b) => graph::check_same(at.location, &truth, argument(a), argument(b)),
            Guard::SameStorage(a, b) => {
                graph::check_same_storage(at.location, &truth, argument(a), argument(b))
            }
            Guard::Disjoint { sets, written, storages } => {
                let tensors: Vec<Value> = sets.iter().flatten().map(argument).collect();
                let sizes: Vec<i64> = sets.iter().map(|set| set.len() as i64).collect();
                let writes = |set: &[usize]| set.iter().map(|number| written.contains(number)).collect();
                let flags: Vec<Vec<bool>> = sets.iter().map(|set| writes(set)).collect();
                // Left out where they say what holds without them.
                let sizes = sizes.iter().any(|size| *size > 1).then_some(&sizes[..]);
                let reads = flags.iter().filter(|set| set.contains(&false)).count();
                let flags = (reads > 1).then(|| flags.concat());
                let storages = storages.then(|| Attribute::unit(at.context));
                graph::check_disjoint(at.location, &truth, &tensors, sizes, flags.as_deref(), storages)
            }
        };
        let answer = at.insert(test?).result_at(0)?.into();
        self.known.push((guard, answer));
        Ok(answer)
    }
}
