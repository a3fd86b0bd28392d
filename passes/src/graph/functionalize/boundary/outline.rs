//! The end of a rewritten body: its results, and a function of its own.

use super::{
    super::program::erase,
    core_layouts,
    plan::{self, Input, Output, Plan},
    regions, updates,
};
use crate::{
    functional::writer::Writer,
    functions::{self, Names},
    graph::functionalize::{
        analysis::{
            seen::Seen,
            tensors::{Layout, Origin},
        },
        program::{operations, refuse},
        rewriting::{
            rewriter::{First, Rewriter},
            storages::{Source, Storages},
        },
    },
};
use melior::ir::{
    BlockRef, OperationRef, Region, RegionLike, Type, Value, ValueLike, operation::OperationBuilder,
};
use mlir_sys::*;
use std::collections::HashMap;
use terrace_dialects::{
    aten::placement,
    internal,
    ir::{
        BlockLike, OperationLike, attributes as convert, operations::arguments, pass::Failure,
        refusal::Reason, registry, upstream,
    },
    ops::functional,
};
use terrace_size::symbols::current;

/// Whether the rows of what an operation makes begin at multiples of some bytes.
fn is_padded(op: OperationRef) -> bool {
    registry::of(op).is_some_and(|class| placement::strides(class) == placement::Strides::GroupedProduct)
}

/// Ends the core with its results, takes out what it no longer needs, and moves it into a function of its own.
pub fn finish<'c, 'a>(
    function: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    end: OperationRef<'c, 'a>,
    first: First<'c, 'a>,
    mut core: Rewriter<'_, 'c, 'a>,
    as_results: bool,
) -> Result<Plan<'c>, Failure> {
    let (analysis, storages) = (core.analysis, core.storages);
    core.values.before = end;
    let mut results: Vec<Value> = vec![];
    let mut outputs = vec![];
    let mut fresh: Vec<(usize, usize, Layout)> = vec![];
    let mut selectors: Vec<(usize, usize)> = vec![];
    let mut windows: Vec<(usize, usize)> = vec![];
    for value in end.operands() {
        let Some(choice) = analysis.choice(value) else {
            outputs.push(Output::Value(results.len()));
            results.push(value);
            continue;
        };
        outputs.push(Output::Tensor(choice.clone()));
        for identity in &choice.states {
            let tensor = &analysis.identities[*identity].0;
            for (window, _) in analysis.windows_around(tensor.origin) {
                if windows.iter().all(|(known, _)| *known != window) {
                    windows.push((window, results.len()));
                    results.push(core.values.current(analysis.windows[window].index));
                }
            }
            let origin = analysis.root(tensor.origin);
            if let Origin::Fresh(number) = origin
                && fresh.iter().all(|(known, ..)| *known != number)
            {
                let storage = storages.of(origin);
                let base = &storages.list[storage].base;
                fresh.push((number, results.len(), base.clone()));
                let order = plan::memory_order(base);
                if base.numbers().is_none() && is_padded(analysis.fresh[number].op) {
                    let why =
                        "has a result of rows that begin at multiples of 16 bytes: sizes must be static here";
                    return Err(refuse(analysis.fresh[number].op, why));
                }
                results.push(match base.numbers() {
                    Some(own) if plan::has_gaps(base) => {
                        let (whole, dtype) = (core.values.whole(storage)?, analysis.fresh[number].dtype);
                        let writer: &Writer = &core.values;
                        let row = writer.filled(0.0, dtype, &[own.end()])?;
                        let location = core.values.location();
                        core.values.value(functional::as_strided_scatter(
                            location,
                            row,
                            whole,
                            &[],
                            &own.sizes,
                            &[],
                            &own.strides,
                            &[],
                            &[own.offset],
                        ))?
                    }
                    Some(_) => core.values.read(storage, &base.permute(&order))?,
                    // What is asked for a view may depend on sizes.
                    None => core.values.permute(core.values.whole(storage)?, &order)?,
                });
            }
        }
        for selector in &choice.by {
            if selectors.iter().all(|(known, _)| known != selector) {
                selectors.push((*selector, results.len()));
                results.push(core.values.selector(analysis, *selector)?);
            }
        }
    }
    let resizes = analysis.resizes();
    if let Some(resized) = resizes.first().filter(|_| as_results) {
        let message = Reason::Mutation.says(format!(
            "makes the storage of argument {} another size: use input-mutations=write-back",
            resized.argument
        ));
        return Err(refuse(function, &message));
    }
    let (mut regions, mut updated) = (vec![], vec![]);
    if as_results {
        for argument in updates::written(analysis, storages).map_err(|message| refuse(function, &message))? {
            let own =
                analysis.arguments[argument].as_ref().ok_or(internal!("an argument is no graph tensor"))?;
            updated.push((argument, results.len()));
            let packed = own.layout.permute(&plan::memory_order(&own.layout));
            let (storage, seen) = (storages.of(Origin::Argument(argument)), Seen::stored(own.dtype));
            results.push(core.values.read_seen(storage, &packed, seen)?);
        }
    }
    for (storage, region) in regions::written(analysis, storages).into_iter().filter(|_| !as_results) {
        regions.push((region, results.len()));
        let (region, _) = &regions[regions.len() - 1];
        results.push(core.values.read(storage, &region.layout)?);
    }
    let generator = analysis.generator.filter(|_| analysis.generator_moves());
    let generator = generator.map(|number| (storages.of(Origin::Fresh(number)), results.len()));
    if let Some((storage, _)) = generator {
        results.push(core.values.whole(storage)?);
    }
    let mut symbols = vec![];
    let outside = outputs.iter().flat_map(|output| match output {
        Output::Tensor(choice) => choice.states.to_vec(),
        Output::Value(_) => vec![],
    });
    // What is all of a new storage has the sizes of its value.
    let outside = outside.filter_map(|identity| {
        let tensor = &analysis.identities[identity].0;
        let Origin::Fresh(number) = tensor.origin else { return Some(&tensor.layout) };
        let base = &storages.list[storages.of(tensor.origin)].base;
        let whole = analysis.fresh[number].identity == identity
            && !analysis.is_framed(tensor.origin)
            && base.is_same(&Layout::contiguous(&tensor.layout.sizes));
        (!whole).then_some(&tensor.layout)
    });
    for symbol in analysis.made_symbols(outside.chain(regions.iter().map(|(region, _)| &region.layout))) {
        symbols.push((symbol, results.len()));
        results.push(core.values.size(current(|symbols| symbols.size(symbol)))?);
    }
    let location = end.location();
    let new_end = OperationBuilder::new("func.return", location).add_operands(&results).build()?;
    block.append_operation(new_end);
    let types = results.iter().map(|v| v.r#type()).collect();
    let returned = end.operands().map(|value| value.r#type()).collect();
    erase(end);
    let names = core.clear();
    sweep(block);
    let inputs = inputs(block, storages, &first);
    let given = arguments(block).map(|value| value.r#type()).collect();
    let core = outline(function, block, names)?;
    core_layouts::declare(core, &inputs, analysis, storages);
    let core = convert::string(core.attribute("sym_name")?);
    Ok(Plan {
        core,
        types,
        inputs,
        arguments: given,
        outputs,
        returned,
        fresh,
        selectors,
        windows,
        resizes,
        regions,
        updated,
        symbols,
        generator: generator.map(|(_, result)| result),
    })
}

fn is_used(value: Value) -> bool {
    !unsafe { mlirOpOperandIsNull(mlirValueGetFirstUse(value.to_raw())) }
}

/// Takes out operations whose results nobody uses, inside of others too.
fn sweep(block: BlockRef) {
    for op in operations(block).into_iter().rev().skip(1) {
        op.regions().filter_map(|region| region.first_block()).for_each(sweep);
        let dead = op.results().all(|v| !is_used(v.into())) && upstream::is_memory_effect_free(op);
        if dead {
            erase(op);
        }
    }
}

/// Brings the core's arguments into the order of the function's, without those that nobody uses; says what each is.
fn inputs<'c, 'a>(
    block: BlockRef<'c, 'a>,
    storages: &Storages,
    First { storages: first, sizes }: &First<'c, 'a>,
) -> Vec<Input> {
    let old: Vec<Value> = arguments(block).collect();
    let count = old.len() - first.len() - sizes.len();
    let sources = storages.list.iter().enumerate().filter_map(|(storage, s)| match s.source {
        Source::Whole(i) | Source::Places(i) => Some((i, storage)),
        Source::Fresh | Source::Generator => None,
    });
    let sources: HashMap<usize, usize> = sources.collect();
    let mut inputs = vec![];
    let mut take = |input: Input, value: Value<'c, 'a>| {
        if is_used(value) {
            let new = block.add_argument(value.r#type(), value.location());
            unsafe { mlirValueReplaceAllUsesOfWith(value.to_raw(), new.to_raw()) };
            inputs.push(input);
        }
    };
    for (i, own) in old[..count].iter().enumerate() {
        match sources.get(&i).and_then(|s| Some((*s, *first.get(s)?))) {
            Some((storage, value)) => take(Input::Storage(storage), value),
            None => take(Input::Argument(i), *own),
        }
    }
    for (size, value) in sizes {
        take(Input::Size(*size), *value);
    }
    let generator = storages.list.iter().position(|storage| storage.source == Source::Generator);
    if let Some(value) = generator.and_then(|storage| first.get(&storage)) {
        take(Input::Generator, *value);
    }
    // SAFETY: what used them uses the new ones.
    unsafe { upstream::erase_arguments(block, old.len()) };
    inputs
}

/// Moves a function's body into a private function before it; returns the new function.
fn outline<'c, 'a>(
    function: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    names: &mut Names,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let parent = function.block().ok_or(internal!("stands in no module"))?;
    let own = convert::string(function.attribute("sym_name")?);
    let name = names.fresh(parent, format!("{own}.core"));
    let end = block.terminator().ok_or(internal!("has a body without end"))?;
    let inputs: Vec<Type> = arguments(block).map(|v| v.r#type()).collect();
    let results: Vec<Type> = end.operands().map(|v| v.r#type()).collect();
    let core = functions::private(function.location(), &name, &inputs, &results, Region::new())?;
    let core = parent.insert_operation_before(function, core);
    unsafe { mlirRegionTakeBody(core.region(0)?.to_raw(), function.region(0)?.to_raw()) };
    Ok(core)
}
