//! A slice as a function of its own.
//!
//! Kept operations are copied in their order; those with regions get the values that are needed alone, in and
//! out. Draws that are left out are skipped: before the next operation that draws, and at the end of each
//! body that runs more or less than once.

use super::{
    flow::successors,
    outline::{Outline, of_results, results_of, with_empty},
    program::Program,
    slice::{END, Keep, Slice},
};
use melior::ir::{
    Attribute, Block, BlockRef, Identifier, Location, Operation, Region, RegionLike, Type, Value, ValueLike,
    attribute::{StringAttribute, TypeAttribute},
    r#type::{FunctionType, IntegerType},
};
use rustc_hash::FxHashMap;
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike, context,
        cursor::V,
        kept::{self, Kept},
        operations::{key, name_of},
        pass::Failure,
        rewrite::{self, set_operand},
    },
    ops::graph,
};

/// Writes the function of a slice.
pub fn function<'c, 'a>(slice: &Slice<'_, 'c, 'a>, outline: &Outline) -> Result<Operation<'c>, Failure> {
    Emitter::new(slice).function(outline)
}

/// A function that is being written.
pub(super) struct Emitter<'s, 'p, 'c, 'a> {
    pub slice: &'s Slice<'p, 'c, 'a>,
    pub program: &'p Program<'c, 'a>,
    /// Values of the new function, by those of the old one.
    pub map: FxHashMap<usize, Kept>,
    /// Its blocks, by the numbers of the old ones.
    pub blocks: FxHashMap<usize, BlockRef<'c, 'c>>,
    /// The kept operations of each block, in order.
    kept: FxHashMap<usize, Vec<usize>>,
    /// The state of the generator when the function was called.
    before: Option<[Kept; 2]>,
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
            self.map.insert(key(*argument), Kept::of(entry.argument(number)?));
        }
        self.blocks.insert(program.own[0], kept::block(entry));
        for block in self.order().into_iter().skip(1) {
            let made = self.new_block(block, 0, location)?;
            let made = region.append_block(made);
            self.taken(block, kept::block(made), 0)?;
        }
        if draws {
            let state = entry.append_operation(graph::generator_state(location, &[word; 2])?);
            let before = [0, 1].map(|number| state.result_at(number).map(Kept::of));
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
            self.block(block, self.blocks[&block], &mut |emitter, end, target| {
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

    pub(super) fn entry(&self) -> BlockRef<'c, '_> {
        self.blocks[&self.program.own[0]]
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

    /// What a value is in the new function.
    pub(super) fn get(&self, mut value: V<'c, 'a>) -> Result<Value<'c, 'c>, Failure> {
        loop {
            if let Some(found) = self.map.get(&key(value)) {
                return Ok(found.value());
            }
            let Some(operand) = self.program.forwarded(value) else {
                return Err(format!("a value was not kept: {value}").into());
            };
            value = operand;
        }
    }

    pub(super) fn all(&self, values: &[V<'c, 'a>]) -> Result<Vec<Value<'c, 'c>>, Failure> {
        values.iter().map(|value| self.get(*value)).collect()
    }

    pub(super) fn block(
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
        let copy = target.append_operation(rewrite::copy(op));
        for (place, operand) in operands.into_iter().enumerate() {
            set_operand(copy, place, operand);
        }
        for (old, new) in op.results().zip(copy.results()) {
            self.map.insert(key(old), Kept::of(new));
        }
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
            let [seed, drawn] = before.map(|value| value.value());
            if outline.gives_state {
                values.extend([seed, drawn]);
            } else {
                target.append_operation(graph::set_generator_state(op.location(), &[], seed, drawn)?);
            }
        }
        target.append_operation(melior::dialect::func::r#return(&values, op.location()));
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
