//! Sizes as values: what is known of a size when it is written ([`terrace_dialects::analysis::known`]),
//! computed where operations go.

use super::{Writer, Written};
use melior::ir::{Type, Value, ValueLike, attribute::IntegerAttribute};
use terrace_dialects::{
    analysis::known::Source,
    ir::{
        cursor::Cursor,
        dtype::{Dtype, ElementType},
        kept::Kept,
        pass::Failure,
        refusal::Reason,
        types::is_graph_tensor,
    },
    ops::graph,
};
use terrace_size::{
    DYNAMIC, Size,
    arithmetic::{Arithmetic, Operator},
    symbols::current,
};

impl<'c, 'a> Writer<'c, 'a> {
    /// A size as a number, i64, where operations go.
    ///
    /// # Errors
    /// It depends on what is known elsewhere only.
    pub fn size(&self, size: Size) -> Written<'c, 'a> {
        let size = size.simplified();
        match size.known() {
            Some(number) => self.number(Dtype::I64, number),
            None if size.is_unknown() => Err("has a size of which nothing is known".into()),
            None => {
                if let Some(value) = self.known.written(size) {
                    return Ok(value);
                }
                let value = current(|symbols| symbols.computed(size, &mut Sizes(*self)))?;
                self.known.set_written(size, value);
                Ok(value)
            }
        }
    }

    /// A size as it was first said, whatever was learned of its symbols since: what a guard asks.
    pub fn first_size(&self, size: Size) -> Written<'c, 'a> {
        match size.known() {
            Some(number) => self.number(Dtype::I64, number),
            None => current(|symbols| symbols.computed(size, &mut Sizes(*self))),
        }
    }

    /// A number of 64 bits as an i64.
    pub fn word_of(&self, value: Value<'c, 'a>) -> Written<'c, 'a> {
        if value.r#type() == self.word() {
            return Ok(value);
        }
        self.plain("arith.index_cast", &[value], self.word())
    }

    /// Sizes as operators take them: the values of those that are no numbers, and all, with [`DYNAMIC`] in
    /// their places.
    pub fn listed(&self, sizes: &[Size]) -> Result<(Vec<Value<'c, 'a>>, Vec<i64>), Failure> {
        let (mut values, mut numbers) = (vec![], vec![]);
        for size in sizes {
            let number = size.simplified().in_type();
            numbers.push(number);
            if number == DYNAMIC {
                values.push(self.size(*size)?);
            }
        }
        Ok((values, numbers))
    }

    pub fn word(&self) -> Type<'c> {
        Dtype::I64.to_type(self.context)
    }

    /// A number over a size, f64.
    pub(super) fn share(&self, number: f64, size: Size) -> Written<'c, 'a> {
        let ty = Dtype::F64.to_type(self.context);
        let size = self.plain("arith.sitofp", &[self.size(size)?], ty)?;
        self.plain("arith.divf", &[self.float(number)?, size], ty)
    }

    /// An operation of another dialect on numbers, of one result.
    pub fn plain(&self, name: &str, operands: &[Value<'c, 'a>], ty: Type<'c>) -> Written<'c, 'a> {
        Cursor::before(self.before)?.op(name, operands, ty)
    }

    /// A size of a tensor as a number.
    fn dim(&self, tensor: Value<'c, 'a>, dim: usize) -> Written<'c, 'a> {
        if is_graph_tensor(tensor.r#type()) {
            return self.value(graph::sym_size(self.location(), tensor, dim as i64));
        }
        let index = Type::index(self.context);
        let at = self.constant(IntegerAttribute::new(index, dim as i64).into(), index)?;
        let size = self.plain("tensor.dim", &[tensor, at], index)?;
        self.plain("arith.index_cast", &[size], self.word())
    }
}

/// Writes the value of a size.
pub(super) struct Sizes<'c, 'a>(pub Writer<'c, 'a>);

impl<'c, 'a> Arithmetic for Sizes<'c, 'a> {
    type Value = Value<'c, 'a>;
    type Error = Failure;

    fn constant(&mut self, number: i64) -> Written<'c, 'a> {
        self.0.number(Dtype::I64, number)
    }

    fn symbol(&mut self, place: usize) -> Written<'c, 'a> {
        match self.0.known.source(place) {
            // Both are values of the function that is written, in a region around.
            Some(Source::Number(value)) => Ok(value.value()),
            Some(Source::Dim(tensor, dim)) => {
                let value = self.0.dim(tensor.value(), dim)?;
                self.0.known.set_source(place, Source::Number(Kept::of(value)));
                Ok(value)
            }
            None => Err(Reason::RunTime
                .says("depends on a size that is known only inside of control flow, or after it")
                .into()),
        }
    }

    fn apply(&mut self, operator: Operator, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        // What is computed where it does not matter may divide by nothing.
        let b = match operator {
            Operator::Divide => {
                let one = self.constant(1)?;
                self.0.plain("arith.maxsi", &[b, one], self.0.word())?
            }
            _ => b,
        };
        let name = match operator {
            Operator::Add => "arith.addi",
            Operator::Multiply => "arith.muli",
            Operator::Divide => "arith.floordivsi",
            Operator::Max => "arith.maxsi",
        };
        self.0.plain(name, &[a, b], self.0.word())
    }

    fn scaled(&mut self, number: Value<'c, 'a>, factor: f64) -> Written<'c, 'a> {
        let w = self.0;
        let ty = Dtype::F64.to_type(w.context);
        let float = w.plain("arith.sitofp", &[number], ty)?;
        w.plain("arith.fptosi", &[w.plain("arith.mulf", &[float, w.float(factor)?], ty)?], w.word())
    }
}
