//! Operations with regions, and blocks, with the values that are needed alone.

use super::{
    emit::Emitter,
    flow::{Form, successors},
};
use melior::ir::{
    Block, BlockRef, Identifier, Location, Region, RegionLike, Type, Value, ValueLike,
    attribute::DenseI32ArrayAttribute, operation::OperationBuilder,
};
use terrace_dialects::ir::{
    BlockLike, OperationLike, context,
    cursor::V,
    kept::{self, Kept},
    operations::{key, name_of, refuse},
    pass::Failure,
};

impl<'c, 'a> Emitter<'_, '_, 'c, 'a> {
    /// The arguments of a block that are needed, from the first one on that may be left out.
    pub(super) fn needed_arguments(&self, block: usize, from: usize) -> Vec<V<'c, 'a>> {
        let all = terrace_dialects::ir::operations::arguments(self.program.blocks[block].block);
        all.enumerate()
            .filter(|(n, value)| *n < from || self.slice.needs(*value))
            .map(|(_, value)| value)
            .collect()
    }

    pub(super) fn new_block(
        &self,
        block: usize,
        from: usize,
        location: Location<'c>,
    ) -> Result<Block<'c>, Failure> {
        let arguments: Vec<_> =
            self.needed_arguments(block, from).into_iter().map(|value| (value.r#type(), location)).collect();
        Ok(Block::new(&arguments))
    }

    pub(super) fn taken(&mut self, block: usize, made: BlockRef<'c, 'c>, from: usize) -> Result<(), Failure> {
        for (number, argument) in self.needed_arguments(block, from).into_iter().enumerate() {
            self.map.insert(key(argument), Kept::of(made.argument(number)?));
        }
        self.blocks.insert(block, made);
        Ok(())
    }

    /// An operation with regions: what is kept inside, and the values that are needed.
    pub(super) fn around(&mut self, number: usize, target: BlockRef<'c, '_>) -> Result<(), Failure> {
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
                terrace_dialects::ir::operations::arguments(program.blocks[op.regions[0][0]].block).collect();
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
                let made = kept::block(region.append_block(self.new_block(*block, from, location)?));
                self.taken(*block, made, from)?;
            }
            for block in blocks {
                self.block(*block, self.blocks[block], &mut |emitter, end, target| {
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
            self.map.insert(key(old), Kept::of(new));
        }
        Ok(())
    }

    /// The end of a block inside of an operation.
    pub(super) fn leave_region(
        &mut self,
        around: usize,
        end: usize,
        target: BlockRef<'c, '_>,
    ) -> Result<(), Failure> {
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

    pub(super) fn branch(&mut self, end: usize, target: BlockRef<'c, '_>) -> Result<(), Failure> {
        let op = self.program.ops[end].op;
        let conditional = name_of(op) == "cf.cond_br";
        if !conditional && name_of(op) != "cf.br" {
            return Err(refuse(op, "is not followed by deferred initialization: cf.br and cf.cond_br are"));
        }
        let mut operands = if conditional { vec![self.get(op.operand(0)?)?] } else { vec![] };
        let (mut blocks, mut sizes) = (vec![], vec![1]);
        for (place, successor) in successors(op).into_iter().enumerate() {
            let block = self.program.addresses.get(&successor).copied().ok_or("goes on in no block")?;
            let arguments = terrace_dialects::ir::operations::arguments(self.program.blocks[block].block);
            let passed = self.program.passed(end, place).into_iter().zip(arguments);
            let passed: Vec<V> =
                passed.filter(|(_, argument)| self.slice.needs(*argument)).map(|(v, _)| v).collect();
            sizes.push(passed.len() as i32);
            operands.extend(self.all(&passed)?);
            blocks.push(self.blocks[&block]);
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
