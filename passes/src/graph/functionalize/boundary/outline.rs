//! The end of a rewritten body: its results, and a function of its own.

use super::{
    core_layouts,
    plan::{self, Input, Output, Plan},
    regions, updates,
};
use crate::{
    functional::writer::Writer,
    functions::{self, Names},
    graph::functionalize::{
        analysis::{
            tensors::{Layout, Origin},
            transform::ElementTransform,
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
use std::collections::HashMap;
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike, attributes as convert,
        operations::arguments,
        operator::Strides,
        pass::Failure,
        refusal::Reason,
        registry,
        rewrite::{erase, erase_arguments, has_uses, replace_uses, take_body},
        upstream,
    },
    ops::functional,
};
use terrace_size::symbols::{Symbol, current};

/// Whether the rows of what an operation makes begin at multiples of some bytes.
fn is_padded(op: OperationRef) -> bool {
    registry::of(op).is_some_and(|class| class.strides == Strides::GroupedProduct)
}

/// What a core gives: its results, and what they are by number, as the [`Plan`] has it.
#[derive(Default)]
struct Given<'c, 'a> {
    results: Vec<Value<'c, 'a>>,
    outputs: Vec<Output>,
    fresh: Vec<(usize, usize, Layout)>,
    selectors: Vec<(usize, usize)>,
    dynamic_views: Vec<(usize, usize)>,
    regions: Vec<(plan::Region<'c>, usize)>,
    generator: Option<usize>,
    symbols: Vec<(Symbol, usize)>,
    updated: Vec<(usize, usize)>,
}

impl<'c, 'a> Given<'c, 'a> {
    /// Adds a result; its number.
    fn add(&mut self, value: Value<'c, 'a>) -> usize {
        self.results.push(value);
        self.results.len() - 1
    }

    /// Adds what a result of the function is made of: storages, indices of windows and selectors, each once.
    fn output(&mut self, core: &mut Rewriter<'_, 'c, 'a>, value: Value<'c, 'a>) -> Result<(), Failure> {
        let analysis = core.analysis;
        let Some(choice) = analysis.choice(value) else {
            let number = self.add(value);
            self.outputs.push(Output::Value(number));
            return Ok(());
        };
        self.outputs.push(Output::Tensor(choice.clone()));
        for identity in &choice.states {
            let tensor = &analysis.identities[*identity].0;
            for (dynamic_view, _) in analysis.dynamic_views_around(tensor.origin) {
                if self.dynamic_views.iter().all(|(known, _)| *known != dynamic_view) {
                    let index = self.add(core.values.current(analysis.dynamic_views[dynamic_view].index));
                    self.dynamic_views.push((dynamic_view, index));
                }
            }
            if let Origin::Fresh(number) = analysis.root(tensor.origin)
                && self.fresh.iter().all(|(known, ..)| *known != number)
            {
                self.new_storage(core, number)?;
            }
        }
        for selector in &choice.by {
            if self.selectors.iter().all(|(known, _)| known != selector) {
                let state = self.add(core.values.selector(analysis, *selector)?);
                self.selectors.push((*selector, state));
            }
        }
        Ok(())
    }

    /// Adds the elements of a new storage in the order of memory.
    fn new_storage(&mut self, core: &mut Rewriter<'_, 'c, 'a>, number: usize) -> Result<(), Failure> {
        let (analysis, storages) = (core.analysis, core.storages);
        let storage = storages.of(Origin::Fresh(number));
        let base = &storages.list[storage].base;
        let order = plan::memory_order(base);
        if base.numbers().is_none() && is_padded(analysis.fresh[number].op) {
            let why = "has a result of rows that begin at multiples of 16 bytes: sizes must be static here";
            return Err(refuse(analysis.fresh[number].op, why));
        }
        let elements = match base.numbers() {
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
        };
        let result = self.add(elements);
        self.fresh.push((number, result, base.clone()));
        Ok(())
    }

    /// Adds the arguments of a function that are written, as they are in the end.
    fn updated(
        &mut self,
        core: &mut Rewriter<'_, 'c, 'a>,
        function: OperationRef<'c, 'a>,
    ) -> Result<(), Failure> {
        let (analysis, storages) = (core.analysis, core.storages);
        for argument in updates::written(analysis, storages).map_err(|message| refuse(function, &message))? {
            let own =
                analysis.arguments[argument].as_ref().ok_or(internal!("an argument is no graph tensor"))?;
            let packed = own.layout.permute(&plan::memory_order(&own.layout));
            let (storage, transform) =
                (storages.of(Origin::Argument(argument)), ElementTransform::stored(own.dtype));
            let result = self.add(core.values.read_transformed(storage, &packed, transform)?);
            self.updated.push((argument, result));
        }
        Ok(())
    }

    /// Adds sizes that are known when the core has run, and that what is made of its results outside needs.
    fn symbols(&mut self, core: &Rewriter<'_, 'c, 'a>) -> Result<(), Failure> {
        let (analysis, storages) = (core.analysis, core.storages);
        let outside = self.outputs.iter().flat_map(|output| match output {
            Output::Tensor(choice) => choice.states.to_vec(),
            Output::Value(_) => vec![],
        });
        // What is all of a new storage has the sizes of its value.
        let outside = outside.filter_map(|identity| {
            let tensor = &analysis.identities[identity].0;
            let Origin::Fresh(number) = tensor.origin else { return Some(&tensor.layout) };
            let base = &storages.list[storages.of(tensor.origin)].base;
            let whole = analysis.fresh[number].identity == identity
                && !analysis.is_logical(tensor.origin)
                && base.is_same(&Layout::contiguous(&tensor.layout.sizes));
            (!whole).then_some(&tensor.layout)
        });
        let layouts = outside.chain(self.regions.iter().map(|(region, _)| &region.layout));
        for symbol in analysis.dynamic_symbols(layouts) {
            let size = self.add(core.values.size(current(|symbols| symbols.size(symbol)))?);
            self.symbols.push((symbol, size));
        }
        Ok(())
    }
}

/// Ends the core with its results, takes out what it no longer needs, and moves it into a function of its
/// own.
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
    let mut given = Given::default();
    for value in end.operands() {
        given.output(&mut core, value)?;
    }
    let resizes = analysis.resizes();
    if let Some(resized) = resizes.first().filter(|_| as_results) {
        let message = Reason::Mutation.says(format!(
            "makes the storage of argument {} another size: use input-mutations=write-back",
            resized.argument
        ));
        return Err(refuse(function, &message));
    }
    if as_results {
        given.updated(&mut core, function)?;
    }
    for (storage, region) in regions::written(analysis, storages).into_iter().filter(|_| !as_results) {
        let result = given.add(core.values.read(storage, &region.layout)?);
        given.regions.push((region, result));
    }
    if let Some(number) = analysis.generator.filter(|_| analysis.generator_moves()) {
        let state = core.values.whole(storages.of(Origin::Fresh(number)))?;
        given.generator = Some(given.add(state));
    }
    given.symbols(&core)?;
    let location = end.location();
    let new_end = OperationBuilder::new("func.return", location).add_operands(&given.results).build()?;
    block.append_operation(new_end);
    let types = given.results.iter().map(|v| v.r#type()).collect();
    let returned = end.operands().map(|value| value.r#type()).collect();
    erase(end);
    let names = core.clear();
    sweep(block);
    let inputs = inputs(block, storages, &first);
    let arguments = arguments(block).map(|value| value.r#type()).collect();
    let core = outline(function, block, names)?;
    core_layouts::declare(core, &inputs, analysis, storages);
    let core = convert::string(core.attribute("sym_name")?);
    Ok(Plan {
        core,
        types,
        inputs,
        arguments,
        outputs: given.outputs,
        returned,
        fresh: given.fresh,
        selectors: given.selectors,
        dynamic_views: given.dynamic_views,
        resizes,
        regions: given.regions,
        updated: given.updated,
        symbols: given.symbols,
        generator: given.generator,
    })
}

/// Takes out operations whose results nobody uses, inside of others too.
fn sweep(block: BlockRef) {
    for op in operations(block).into_iter().rev().skip(1) {
        op.regions().filter_map(|region| region.first_block()).for_each(sweep);
        let dead = op.results().all(|v| !has_uses(v)) && upstream::is_memory_effect_free(op);
        if dead {
            erase(op);
        }
    }
}

/// Brings the core's arguments into the order of the function's, without those that nobody uses; says what
/// each is.
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
        if has_uses(value) {
            let new = block.add_argument(value.r#type(), value.location());
            replace_uses(value, new);
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
    erase_arguments(block, old.len());
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
    take_body(&core.region(0)?, &function.region(0)?);
    Ok(core)
}
