//! A slice as a function of its own.
//!
//! Kept operations are copied in their order; those with regions get the values that are needed alone, in and out. Draws that are
//! left out are skipped: before the next operation that draws, and at the end of each body that runs more or less than once.

use super::{
    flow::{Form, successors},
    program::{Program, key, numbers},
    sizes::Writer,
    slice::{END, Keep, Slice, fake_layout},
};
use melior::ir::{
    Attribute, AttributeLike, Block, BlockLike, BlockRef, Identifier, Location, Operation, OperationRef,
    Region, RegionLike, Type, TypeLike, Value, ValueLike,
    attribute::{DenseI32ArrayAttribute, StringAttribute, TypeAttribute},
    operation::{OperationBuilder, OperationLike},
    r#type::{FunctionType, IntegerType},
};
use mlir_sys::{MlirBlock, MlirValue, mlirOperationClone, mlirOperationSetOperand};
use rustc_hash::FxHashMap;
use terrace_dialects::{
    attributes as convert, context,
    cursor::V,
    operations::{name_of, refuse},
    ops::graph,
    pass::Failure,
    size::{
        Size,
        symbols::{Relation, current},
    },
    strided::{Layout, row_major},
    types::{DYNAMIC, TensorType},
};

/// What a function gives.
pub struct Outline<'n> {
    pub name: &'n str,
    /// The results that it has of all.
    pub results: &'n [usize],
    /// Whether it says how the generator was before, rather than starts from a state that it is given.
    pub gives_state: bool,
    /// The materialize function of each result.
    pub materialized: &'n [Option<String>],
}

/// Writes the function of a slice.
pub fn function<'c, 'a>(slice: &Slice<'_, 'c, 'a>, outline: &Outline) -> Result<Operation<'c>, Failure> {
    Emitter::new(slice).function(outline)
}

struct Emitter<'s, 'p, 'c, 'a> {
    slice: &'s Slice<'p, 'c, 'a>,
    program: &'p Program<'c, 'a>,
    map: FxHashMap<usize, MlirValue>,
    blocks: FxHashMap<usize, MlirBlock>,
    /// The kept operations of each block, in order.
    kept: FxHashMap<usize, Vec<usize>>,
    /// The state of the generator when the function was called.
    before: Option<[MlirValue; 2]>,
}

fn block_ref<'c, 'r>(raw: MlirBlock) -> BlockRef<'c, 'r> {
    // SAFETY: blocks are in regions that become part of the function that is being made.
    unsafe { BlockRef::from_raw(raw) }
}

impl<'s, 'p, 'c, 'a> Emitter<'s, 'p, 'c, 'a> {
    fn new(slice: &'s Slice<'p, 'c, 'a>) -> Self {
        let program = slice.program;
        let mut numbers: Vec<usize> = slice.ops.keys().copied().collect();
        numbers.sort_unstable();
        let mut kept: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for op in numbers {
            kept.entry(program.ops[op].block).or_default().push(op);
        }
        Self { slice, program, map: FxHashMap::default(), blocks: FxHashMap::default(), kept, before: None }
    }

    fn function(&mut self, outline: &Outline) -> Result<Operation<'c>, Failure> {
        let (program, function) = (self.program, self.program.function);
        let (context, location) = (context::of(function.context()), function.location());
        let word: Type = IntegerType::new(context, 64).into();
        let (draws, arguments) = (program.draws(), program.arguments());
        let state = if draws { vec![word; 2] } else { vec![] };
        let mut inputs: Vec<Type> = arguments.iter().map(|value| value.r#type()).collect();
        let types = results_of(function);
        let mut outputs: Vec<Type> = outline.results.iter().map(|result| types[*result]).collect();
        if outline.gives_state { &mut outputs } else { &mut inputs }.extend(&state);
        let region = Region::new();
        let entry =
            region.append_block(Block::new(&inputs.iter().map(|ty| (*ty, location)).collect::<Vec<_>>()));
        for (number, argument) in arguments.iter().enumerate() {
            self.map.insert(key(*argument), entry.argument(number)?.to_raw());
        }
        self.blocks.insert(program.own[0], entry.to_raw());
        for block in self.order().into_iter().skip(1) {
            let made = self.new_block(block, 0, location)?;
            let made = region.append_block(made);
            self.taken(block, made.to_raw(), 0)?;
        }
        if draws {
            let state = entry.append_operation(graph::generator_state(location, &[word; 2])?);
            let before = [0, 1].map(|number| state.result(number).map(|value| value.to_raw()));
            let [seed, drawn] = before;
            self.before = Some([seed?, drawn?]);
            if !outline.gives_state {
                let own = |number: usize| entry.argument(arguments.len() + number);
                let set = graph::set_generator_state(location, &[], own(0)?.into(), own(1)?.into())?;
                entry.append_operation(set);
            }
        }
        if outline.gives_state {
            self.guards(entry)?;
        }
        for block in self.order() {
            self.block(block, block_ref(self.blocks[&block]), &mut |emitter, end, target| {
                emitter.leave(end, target, outline)
            })?;
        }
        let mut attributes = vec![];
        let named = |name: &str, value: Attribute<'c>| (Identifier::new(context, name), value);
        if let Ok(declared) = function.attribute("arg_attrs") {
            let more = if outline.gives_state { 0 } else { state.len() };
            attributes.push(named("arg_attrs", with_empty(context, declared, more)));
        }
        if outline.gives_state {
            attributes.push(named("res_attrs", of_results(context, outline.materialized, outputs.len())));
        }
        let ty = TypeAttribute::new(FunctionType::new(context, &inputs, &outputs).into());
        let name = StringAttribute::new(context, outline.name);
        Ok(melior::dialect::func::func(context, name, ty, region, &attributes, location))
    }

    fn entry(&self) -> BlockRef<'c, '_> {
        block_ref(self.blocks[&self.program.own[0]])
    }

    /// Tests what was taken for granted of sizes.
    fn guards(&self, entry: BlockRef<'c, '_>) -> Result<(), Failure> {
        let get = |value| self.get(value);
        for guard in current(|symbols| symbols.guards().to_vec()) {
            // SAFETY: guards name operations of the function and of those that it calls.
            let op: OperationRef<'c, '_> =
                unsafe { OperationRef::from_raw(mlir_sys::MlirOperation { ptr: guard.by as *mut _ }) };
            let text = current(|symbols| symbols.guard_text(&guard));
            let sides = [guard.left, guard.right];
            let known = |size: &Size| {
                let sources = self.program.sources_of_size(*size);
                sources.is_some_and(|sources| sources.iter().all(|source| self.program.is_given(*source)))
            };
            if !sides.iter().all(known) {
                let message =
                    format!("is as it is where {text}, which is not known when the function is called");
                return Err(refuse(op, &message));
            }
            let (program, location) = (self.program, op.location());
            let block = block_ref(entry.to_raw());
            let mut writer = Writer { program, block, entry: self.entry(), location, get: &get };
            writer.guard(guard.relation, sides, guard.holds, &text)?;
        }
        Ok(())
    }

    /// The function's blocks, each after those that dominate it.
    fn order(&self) -> Vec<usize> {
        let program = self.program;
        let (mut order, mut stack) = (vec![], vec![program.own[0]]);
        let mut seen: rustc_hash::FxHashSet<usize> = stack.iter().copied().collect();
        while let Some(block) = stack.pop() {
            order.push(block);
            let end = program.blocks[block].end.map(|end| program.ops[end].op);
            let mut next: Vec<usize> = end.into_iter().flat_map(successors).collect();
            next.reverse();
            for next in next.iter().filter_map(|next| program.addresses.get(next)) {
                if seen.insert(*next) {
                    stack.push(*next);
                }
            }
        }
        order
    }

    /// The arguments of a block that are needed, from the first one on that may be left out.
    fn needed_arguments(&self, block: usize, from: usize) -> Vec<V<'c, 'a>> {
        let all = terrace_dialects::operations::arguments(self.program.blocks[block].block);
        all.enumerate()
            .filter(|(n, value)| *n < from || self.slice.needs(*value))
            .map(|(_, value)| value)
            .collect()
    }

    fn new_block(&self, block: usize, from: usize, location: Location<'c>) -> Result<Block<'c>, Failure> {
        let arguments: Vec<_> =
            self.needed_arguments(block, from).into_iter().map(|value| (value.r#type(), location)).collect();
        Ok(Block::new(&arguments))
    }

    fn taken(&mut self, block: usize, made: MlirBlock, from: usize) -> Result<(), Failure> {
        for (number, argument) in self.needed_arguments(block, from).into_iter().enumerate() {
            self.map.insert(key(argument), block_ref(made).argument(number)?.to_raw());
        }
        self.blocks.insert(block, made);
        Ok(())
    }

    /// What a value is in the new function.
    fn get(&self, mut value: V<'c, 'a>) -> Result<Value<'c, 'c>, Failure> {
        loop {
            if let Some(found) = self.map.get(&key(value)) {
                // SAFETY: a value of the function that is being made.
                return Ok(unsafe { Value::from_raw(*found) });
            }
            let Some(operand) = self.program.forwarded(value) else {
                return Err(format!("a value was not kept: {value}").into());
            };
            value = operand;
        }
    }

    fn all(&self, values: &[V<'c, 'a>]) -> Result<Vec<Value<'c, 'c>>, Failure> {
        values.iter().map(|value| self.get(*value)).collect()
    }

    fn block(
        &mut self,
        block: usize,
        target: BlockRef<'c, '_>,
        leave: &mut dyn FnMut(&mut Self, usize, BlockRef<'c, '_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (program, mut at) = (self.program, 0);
        for number in self.kept.remove(&block).unwrap_or_default() {
            let (op, keep) = (&program.ops[number], self.slice.ops[&number]);
            if op.draws != Some(0) && keep != Keep::Fake && self.slice.is_drawn(op.top) {
                skip(target, op.drawn_before - at, op.op.location())?;
                at = op.drawn_before + op.draws.unwrap_or(0);
            }
            match keep {
                Keep::Fake => self.fake(number, target)?,
                Keep::Whole => self.copy(number, target)?,
                Keep::Around => self.around(number, target)?,
            }
        }
        let own = &program.blocks[block];
        let Some(end) = own.end else { return Ok(()) };
        let is_drawn = match own.parent {
            Some(parent) => self.slice.is_drawn(program.ops[parent].top),
            None if program.has_blocks() => self.slice.is_drawn(0),
            None => self.slice.is_drawn(END),
        };
        if is_drawn {
            skip(target, own.drawn - at, program.ops[end].op.location())?;
        }
        leave(self, end, target)
    }

    /// An operation as it is.
    fn copy(&mut self, number: usize, target: BlockRef<'c, '_>) -> Result<(), Failure> {
        let op = self.program.ops[number].op;
        let operands = self.all(&op.operands().collect::<Vec<_>>())?;
        // SAFETY: the copy is put into the block at once; its operands are replaced by the new function's.
        let copy = unsafe {
            let raw = mlirOperationClone(op.to_raw());
            for (place, operand) in operands.into_iter().enumerate() {
                mlirOperationSetOperand(raw, place as isize, operand.to_raw());
            }
            target.append_operation(Operation::from_raw(raw))
        };
        for (old, new) in op.results().zip(copy.results()) {
            self.map.insert(key(old), new.to_raw());
        }
        Ok(())
    }

    /// The new tensors of an operation that are needed, without memory.
    fn fake(&mut self, number: usize, target: BlockRef<'c, '_>) -> Result<(), Failure> {
        let op = &self.program.ops[number];
        for (place, result) in op.op.results().enumerate() {
            if op.makes[place] && self.slice.needs(result.into()) {
                let layout =
                    fake_layout(self.program, number, place).ok_or("has a layout that is not known")?;
                let made = self.fake_of(result.into(), &layout, target, op.op.location())?;
                self.map.insert(key(result), made.result(0)?.to_raw());
            }
        }
        Ok(())
    }

    /// A tensor of a layout at offset 0 and of a value's type, without memory.
    fn fake_of<'t>(
        &self,
        value: V<'c, 'a>,
        layout: &Layout<Size>,
        target: BlockRef<'c, 't>,
        location: Location<'c>,
    ) -> Result<OperationRef<'c, 't>, Failure> {
        let ty = TensorType::of(value.r#type()).ok_or("makes no tensor")?;
        // SAFETY: a graph tensor is a shaped type.
        let dtype =
            unsafe { Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(value.r#type().to_raw())) };
        let get = |value| self.get(value);
        let block = block_ref(target.to_raw());
        let mut writer = Writer { program: self.program, block, entry: self.entry(), location, get: &get };
        // What the type leaves open stays open.
        let (mut sizes, mut given) = (vec![], vec![]);
        for (size, typed) in layout.sizes.iter().zip(&ty.shape) {
            match (typed, size.known()) {
                (typed, Some(size)) if *typed != DYNAMIC => given.push(size),
                _ => {
                    given.push(DYNAMIC);
                    sizes.push(writer.size(*size)?);
                }
            }
        }
        let row_major = row_major(&layout.sizes);
        let equal =
            |(a, b): (&Size, &Size)| current(|symbols| symbols.known(Relation::Equal, *a, *b)) == Some(true);
        if row_major.iter().zip(&layout.strides).all(equal) {
            return Ok(target.append_operation(graph::fake(location, &sizes, &given, dtype, ty.device)?));
        }
        let end = match numbers(layout) {
            Some(layout) => layout.end().into(),
            None => layout
                .sizes
                .iter()
                .zip(&layout.strides)
                .fold(Size::ONE, |end, (size, stride)| end + (size.or_one() - 1) * *stride),
        };
        let (end, known) = match end.known() {
            Some(end) => (vec![], end),
            None => (vec![writer.size(end)?], DYNAMIC),
        };
        let (mut strides, mut given_strides) = (vec![], vec![]);
        for stride in &layout.strides {
            given_strides.push(stride.known().unwrap_or(DYNAMIC));
            if stride.known().is_none() {
                strides.push(writer.size(*stride)?);
            }
        }
        let storage = target.append_operation(graph::fake(location, &end, &[known], dtype, ty.device)?);
        let storage = storage.result(0)?.into();
        let view = graph::as_strided(location, storage, &sizes, &given, &strides, &given_strides, &[], &[0])?;
        Ok(target.append_operation(view))
    }

    /// An operation with regions: what is kept inside, and the values that are needed.
    fn around(&mut self, number: usize, target: BlockRef<'c, '_>) -> Result<(), Failure> {
        let program = self.program;
        let op = &program.ops[number];
        let location = op.op.location();
        let operands: Vec<V> = op.op.operands().collect();
        // The operands that stay, and how many arguments come before those that may be left out.
        let (fixed, from) = match op.form {
            Form::If => (1, [0, 0]),
            Form::For => (3, [1, 0]),
            _ => (0, [0, 0]),
        };
        let mut given = operands[..fixed].to_vec();
        if matches!(op.form, Form::For | Form::While) {
            let arguments: Vec<V> =
                terrace_dialects::operations::arguments(program.blocks[op.regions[0][0]].block).collect();
            let slots = operands[fixed..].iter().zip(&arguments[from[0]..]);
            given.extend(
                slots.filter(|(_, argument)| self.slice.needs(**argument)).map(|(operand, _)| *operand),
            );
        }
        let results: Vec<V> =
            op.op.results().map(Value::from).filter(|value| self.slice.needs(*value)).collect();
        let types: Vec<Type> = results.iter().map(|value| value.r#type()).collect();
        let mut regions = vec![];
        for (place, blocks) in op.regions.iter().enumerate() {
            let region = Region::new();
            let from = from.get(place).copied().unwrap_or(0);
            for block in blocks {
                let made = region.append_block(self.new_block(*block, from, location)?).to_raw();
                self.taken(*block, made, from)?;
            }
            for block in blocks {
                self.block(*block, block_ref(self.blocks[block]), &mut |emitter, end, target| {
                    emitter.leave_region(number, end, target)
                })?;
            }
            regions.push(region);
        }
        let attributes: Vec<_> = op.op.attributes().collect();
        let built = OperationBuilder::new(name_of(op.op), location)
            .add_operands(&self.all(&given)?)
            .add_results(&types)
            .add_attributes(&attributes)
            .add_regions_vec(regions)
            .build()?;
        let built = target.append_operation(built);
        for (old, new) in results.into_iter().zip(built.results()) {
            self.map.insert(key(old), new.to_raw());
        }
        Ok(())
    }

    /// The end of a block inside of an operation.
    fn leave_region(&mut self, around: usize, end: usize, target: BlockRef<'c, '_>) -> Result<(), Failure> {
        let program = self.program;
        let (own, op) = (&program.ops[around], program.ops[end].op);
        if name_of(op).starts_with("cf.") {
            return self.branch(end, target);
        }
        let operands: Vec<V> = op.operands().collect();
        let argument =
            |block: usize, number: usize| program.blocks[block].block.argument(number).map(V::from);
        let (fixed, slots): (usize, Vec<V>) = match own.form {
            // What goes round a loop.
            Form::For => {
                (0, (1..=operands.len()).map(|n| argument(own.regions[0][0], n)).collect::<Result<_, _>>()?)
            }
            Form::While if name_of(op) == "scf.condition" => (1, own.op.results().map(Value::from).collect()),
            Form::While => {
                (0, (0..operands.len()).map(|n| argument(own.regions[0][0], n)).collect::<Result<_, _>>()?)
            }
            _ => (0, own.op.results().map(Value::from).collect()),
        };
        let mut given = operands[..fixed].to_vec();
        let passed = operands[fixed..].iter().zip(&slots);
        given.extend(passed.filter(|(_, slot)| self.slice.needs(**slot)).map(|(operand, _)| *operand));
        let built =
            OperationBuilder::new(name_of(op), op.location()).add_operands(&self.all(&given)?).build()?;
        target.append_operation(built);
        Ok(())
    }

    /// The end of a block of the function.
    fn leave(&mut self, end: usize, target: BlockRef<'c, '_>, outline: &Outline) -> Result<(), Failure> {
        let op = self.program.ops[end].op;
        if name_of(op) != "func.return" {
            return self.branch(end, target);
        }
        let returned =
            outline.results.iter().map(|number| op.operand(*number)).collect::<Result<Vec<_>, _>>()?;
        let mut values = self.all(&returned)?;
        if let Some(before) = self.before {
            // SAFETY: values of the function that is being made.
            let [seed, drawn] = before.map(|value| unsafe { Value::<'c, 'c>::from_raw(value) });
            if outline.gives_state {
                values.extend([seed, drawn]);
            } else {
                target.append_operation(graph::set_generator_state(op.location(), &[], seed, drawn)?);
            }
        }
        target.append_operation(melior::dialect::func::r#return(&values, op.location()));
        Ok(())
    }

    fn branch(&mut self, end: usize, target: BlockRef<'c, '_>) -> Result<(), Failure> {
        let op = self.program.ops[end].op;
        let conditional = name_of(op) == "cf.cond_br";
        if !conditional && name_of(op) != "cf.br" {
            return Err(refuse(op, "is not followed by deferred initialization: cf.br and cf.cond_br are"));
        }
        let mut operands = if conditional { vec![self.get(op.operand(0)?)?] } else { vec![] };
        let (mut blocks, mut sizes) = (vec![], vec![1]);
        for (place, successor) in successors(op).into_iter().enumerate() {
            let block = self.program.addresses.get(&successor).copied().ok_or("goes on in no block")?;
            let arguments = terrace_dialects::operations::arguments(self.program.blocks[block].block);
            let passed = self.program.passed(end, place).into_iter().zip(arguments);
            let passed: Vec<V> =
                passed.filter(|(_, argument)| self.slice.needs(*argument)).map(|(v, _)| v).collect();
            sizes.push(passed.len() as i32);
            operands.extend(self.all(&passed)?);
            blocks.push(block_ref(self.blocks[&block]));
        }
        let context = context::of(op.context());
        let blocks: Vec<&Block> = blocks.iter().map(|block| &**block).collect();
        let mut built =
            OperationBuilder::new(name_of(op), op.location()).add_operands(&operands).add_successors(&blocks);
        if conditional {
            let name = Identifier::new(context, "operandSegmentSizes");
            built = built.add_attributes(&[(name, DenseI32ArrayAttribute::new(context, &sizes).into())]);
        }
        target.append_operation(built.build()?);
        Ok(())
    }
}

fn skip<'c>(target: BlockRef<'c, '_>, count: u64, location: Location<'c>) -> Result<(), Failure> {
    let count = i64::try_from(count).map_err(|_| "draws too often")?;
    if count > 0 {
        target.append_operation(graph::skip_draws(location, &[], count)?);
    }
    Ok(())
}

/// The types of a function's results.
pub fn results_of<'c>(function: OperationRef<'c, '_>) -> Vec<Type<'c>> {
    let Ok(signature) = function.attribute("function_type") else { return vec![] };
    let signature = convert::ty(signature).to_raw();
    // SAFETY: the type of a function is a function type.
    unsafe {
        (0..mlir_sys::mlirFunctionTypeGetNumResults(signature))
            .map(|number| Type::from_raw(mlir_sys::mlirFunctionTypeGetResult(signature, number)))
            .collect()
    }
}

/// A list of dictionaries with some empty ones at its end.
fn with_empty<'c>(context: &'c melior::Context, list: Attribute<'c>, more: usize) -> Attribute<'c> {
    // SAFETY: attributes of arguments are a list of dictionaries, all of the context.
    unsafe {
        let count = mlir_sys::mlirArrayAttrGetNumElements(list.to_raw());
        let mut all: Vec<Attribute> = (0..count)
            .map(|n| Attribute::from_raw(mlir_sys::mlirArrayAttrGetElement(list.to_raw(), n)))
            .collect();
        all.extend((0..more).map(|_| dictionary(context, &[])));
        melior::ir::attribute::ArrayAttribute::new(context, &all).into()
    }
}

fn dictionary<'c>(context: &'c melior::Context, entries: &[(&str, Attribute<'c>)]) -> Attribute<'c> {
    // SAFETY: names and values are of the context.
    unsafe {
        let named: Vec<_> = entries
            .iter()
            .map(|(name, value)| {
                mlir_sys::mlirNamedAttributeGet(Identifier::new(context, name).to_raw(), value.to_raw())
            })
            .collect();
        let raw = mlir_sys::mlirDictionaryAttrGet(context.to_raw(), named.len() as isize, named.as_ptr());
        Attribute::from_raw(raw)
    }
}

/// The attributes of results: which function materializes each, and which are the state of the generator.
fn of_results<'c>(context: &'c melior::Context, names: &[Option<String>], count: usize) -> Attribute<'c> {
    let attribute = |number: usize| match names.get(number) {
        Some(Some(name)) => {
            let symbol = melior::ir::attribute::FlatSymbolRefAttribute::new(context, name).into();
            dictionary(context, &[("graph.materialize", symbol)])
        }
        Some(None) => dictionary(context, &[]),
        None => dictionary(context, &[("graph.generator_state", Attribute::unit(context))]),
    };
    let all: Vec<Attribute> = (0..count).map(attribute).collect();
    melior::ir::attribute::ArrayAttribute::new(context, &all).into()
}
