//! Tensors that change round by round: a loop that carries them along.

use super::Writer;
use melior::ir::{
    Block, Region, RegionLike, Type, Value, ValueLike, attribute::IntegerAttribute,
    operation::OperationBuilder,
};
use terrace_dialects::{
    internal,
    ir::{BlockLike, OperationLike, operations, pass::Failure, rewrite::erase},
};

impl<'c, 'a> Writer<'c, 'a> {
    /// What tensors are after a number of rounds, i64, each of which `write` writes: with the number of the
    /// round, i64, and what they were before. Types and sizes are the same in all rounds.
    pub fn repeated(
        &self,
        rounds: Value<'c, 'a>,
        begin: &[Value<'c, 'a>],
        write: impl FnOnce(Writer<'c, 'a>, Value<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Failure>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let begin: Vec<Value> = begin.iter().map(|value| self.typed(*value)).collect::<Result<_, _>>()?;
        let (location, index) = (self.location(), Type::index(self.context));
        let number = |number: i64| self.constant(IntegerAttribute::new(index, number).into(), index);
        let (zero, one) = (number(0)?, number(1)?);
        let rounds = self.plain("arith.index_cast", &[rounds], index)?;
        let types: Vec<Type> = begin.iter().map(|value| value.r#type()).collect();
        let arguments: Vec<_> = [index].iter().chain(&types).map(|ty| (*ty, location)).collect();
        let region = Region::new();
        region.append_block(Block::new(&arguments));
        let op = OperationBuilder::new("scf.for", location)
            .add_operands(&[&[zero, rounds, one], &begin[..]].concat())
            .add_results(&types)
            .add_regions([region])
            .build()?;
        let op = self.insert(Ok(op))?;
        let block = op.region(0)?.first_block().ok_or(internal!("a loop has no body"))?;
        // What all else goes before.
        let end = block.append_operation(OperationBuilder::new("scf.yield", location).build()?);
        let arguments: Vec<Value> = operations::arguments(block).collect();
        let sizes = begin.iter().map(|value| self.sizes(*value)).collect::<Result<Vec<_>, _>>()?;
        for (value, sizes) in arguments[1..].iter().zip(&sizes) {
            self.known.set_sizes(*value, sizes);
        }
        self.known.enter();
        let inside = Writer::before(end).knowing(self.known);
        let round = inside.plain("arith.index_cast", &[arguments[0]], self.word())?;
        let carried =
            arguments[1..].iter().map(|value| inside.typed(*value)).collect::<Result<Vec<_>, _>>()?;
        let after = write(inside, round, &carried)?;
        let after: Vec<Value> = after
            .iter()
            .zip(&types)
            .map(|(value, ty)| inside.cast_to(*value, *ty))
            .collect::<Result<_, _>>()?;
        self.known.leave();
        block.append_operation(OperationBuilder::new("scf.yield", location).add_operands(&after).build()?);
        erase(end);
        let results: Vec<Value> = op.results().map(Value::from).collect();
        for (value, sizes) in results.iter().zip(&sizes) {
            self.known.set_sizes(*value, sizes);
        }
        Ok(results)
    }
}
