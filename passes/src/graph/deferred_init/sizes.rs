//! Sizes that are known when the program runs, as numbers of it.
//!
//! A symbol that is a number, a size, a stride or the offset of an argument is there from the start, and one
//! that an operation computes is there where its layouts are asked for. What depends on elements otherwise,
//! or on the way that was taken, is not.

use super::program::{Definition, Program};
use melior::ir::{
    BlockRef, Location, Type, Value, ValueLike, attribute::FloatAttribute, r#type::IntegerType,
};
use terrace_dialects::{
    analysis::fake::Entry,
    ir::{
        OperationLike, context,
        cursor::{Cursor, V},
        kept,
        operations::key,
        pass::Failure,
    },
    ops::graph,
};
use terrace_size::{
    Size,
    arithmetic::{Arithmetic, Operator},
    symbols::{Guard, current},
};

/// Where a symbol's number comes from.
#[derive(Clone, Copy)]
pub enum Source<'c, 'a> {
    /// A value of the function.
    Number(V<'c, 'a>),
    Size(V<'c, 'a>, usize),
    Stride(V<'c, 'a>, usize),
    Offset(V<'c, 'a>),
}

impl<'c, 'a> Program<'c, 'a> {
    fn source(&self, symbol: usize) -> Option<Source<'c, 'a>> {
        let (_, entry) = self.state.entries.get(symbol).filter(|(own, _)| own.place() == symbol)?;
        let argument = |number: usize| self.arguments().get(number).copied();
        Some(match *entry {
            Entry::Number { argument: number } => Source::Number(argument(number)?),
            Entry::Size { argument: number, dim } => Source::Size(argument(number)?, dim),
            Entry::Stride { argument: number, dim } => Source::Stride(argument(number)?, dim),
            Entry::Offset { argument: number } => Source::Offset(argument(number)?),
            Entry::Computed { .. } => {
                let (path, home) = self.state.homes[symbol];
                let value = self.values.get(&home).filter(|_| path == 0)?;
                Source::Number(*value)
            }
            _ => return None,
        })
    }

    /// Whether a source is there when the function is called.
    pub fn is_given(&self, source: Source<'c, 'a>) -> bool {
        let Source::Number(value) = source else { return true };
        matches!(self.definitions.get(&key(value)), Some(Definition::Argument { .. }))
    }

    /// The sources of the symbols in a size; None where one is not there.
    pub fn sources_of_size(&self, size: Size) -> Option<Vec<Source<'c, 'a>>> {
        if size.known().is_some() {
            return Some(vec![]);
        }
        let mut found = Found(self, vec![]);
        let all = !size.is_unknown() && current(|symbols| symbols.computed(size, &mut found)).is_ok();
        all.then_some(found.1)
    }
}

struct Found<'p, 'c, 'a>(&'p Program<'c, 'a>, Vec<Source<'c, 'a>>);

impl Arithmetic for Found<'_, '_, '_> {
    type Value = ();
    type Error = ();

    fn constant(&mut self, _: i64) -> Result<(), ()> {
        Ok(())
    }

    fn symbol(&mut self, place: usize) -> Result<(), ()> {
        self.0.source(place).map(|source| self.1.push(source)).ok_or(())
    }

    fn apply(&mut self, _: Operator, (): (), (): ()) -> Result<(), ()> {
        Ok(())
    }

    fn scaled(&mut self, (): (), _: f64) -> Result<(), ()> {
        Ok(())
    }
}

/// Writes sizes at the end of a block.
pub struct Writer<'w, 'c, 'a> {
    pub program: &'w Program<'c, 'a>,
    pub block: BlockRef<'c, 'w>,
    /// The first block: arguments are asked there, before anything changes them.
    pub entry: BlockRef<'c, 'w>,
    pub location: Location<'c>,
    /// What a value of the function is where it is written.
    pub get: &'w dyn Fn(V<'c, 'a>) -> Result<Value<'c, 'c>, Failure>,
}

impl<'c> Writer<'_, 'c, '_> {
    fn word(&self) -> Type<'c> {
        IntegerType::new(context::of(self.location.context()), 64).into()
    }

    fn cursor(&self) -> Cursor<'c, '_> {
        Cursor::end(self.block, self.location)
    }

    /// A size as an i64.
    pub fn size(&mut self, size: Size) -> Result<Value<'c, 'c>, Failure> {
        match size.known() {
            Some(number) => self.constant(number),
            None => current(|symbols| symbols.computed(size, self)),
        }
    }

    /// Refuses calls for which a relation that was taken for granted does not hold.
    pub fn guard(&mut self, guard: &Guard, text: &str) -> Result<(), Failure> {
        let (left, right) = (self.size(guard.left)?, self.size(guard.right)?);
        let at = self.cursor().of(self.location);
        let holds = at.compare(guard.predicate(), left, right)?;
        at.assert(holds, &format!("was deferred for calls where {text}"))?;
        Ok(())
    }
}

impl<'c> Arithmetic for Writer<'_, 'c, '_> {
    type Value = Value<'c, 'c>;
    type Error = Failure;

    fn constant(&mut self, number: i64) -> Result<Self::Value, Failure> {
        Ok(kept::value(self.cursor().integer(self.word(), number)?))
    }

    fn symbol(&mut self, place: usize) -> Result<Self::Value, Failure> {
        let source = self.program.source(place).ok_or("has a size that is not known")?;
        let number = |value: usize| value as i64;
        let made = match source {
            Source::Number(value) => {
                let value = (self.get)(value)?;
                if value.r#type() == self.word() {
                    return Ok(value);
                }
                return Ok(kept::value(self.cursor().op("arith.index_cast", &[value], self.word())?));
            }
            Source::Size(value, dim) => graph::sym_size(self.location, (self.get)(value)?, number(dim))?,
            Source::Stride(value, dim) => graph::sym_stride(self.location, (self.get)(value)?, number(dim))?,
            Source::Offset(value) => graph::sym_storage_offset(self.location, (self.get)(value)?)?,
        };
        Ok(kept::value(Cursor::start(self.entry, self.location).insert(made).result_at(0)?))
    }

    fn apply(&mut self, operator: Operator, a: Self::Value, b: Self::Value) -> Result<Self::Value, Failure> {
        let name = match operator {
            Operator::Add => "arith.addi",
            Operator::Multiply => "arith.muli",
            Operator::Divide => "arith.floordivsi",
            Operator::Max => "arith.maxsi",
        };
        Ok(kept::value(self.cursor().op(name, &[a, b], self.word())?))
    }

    fn scaled(&mut self, number: Self::Value, factor: f64) -> Result<Self::Value, Failure> {
        let at = self.cursor();
        let float = Type::float64(context::of(self.location.context()));
        let factor = at.constant(float, FloatAttribute::new(at.context, float, factor).into())?;
        let product = at.op("arith.mulf", &[at.op("arith.sitofp", &[number], float)?, factor], float)?;
        Ok(kept::value(at.op("arith.fptosi", &[product], self.word())?))
    }
}
