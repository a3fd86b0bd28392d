//! Sizes that 64 bits may not hold, for programs that ask for places which no memory has.

use super::{Writer, Written, sizes::Sizes};
use melior::ir::{Type, Value};
use terrace_dialects::ir::{
    dtype::{Dtype, ElementType},
    pass::Failure,
};
use terrace_size::{
    Size,
    arithmetic::{Arithmetic, Operator},
    symbols::current,
};

impl<'c, 'a> Writer<'c, 'a> {
    /// A size as a number, i64; the largest one where the size is 2^62 or more.
    ///
    /// # Errors
    /// It depends on what is known elsewhere only.
    pub fn size_or_most(&self, size: Size) -> Written<'c, 'a> {
        let own = self.size(size)?;
        if size.simplified().known().is_some() {
            return Ok(own);
        }
        // One where it is as much, and none.
        let mut by = Estimates(*self);
        let estimate = current(|symbols| symbols.computed(size, &mut by))?;
        let part = by.plain("arith.mulf", &[estimate, self.float((-62f64).exp2())?])?;
        let part = by.plain("arith.minimumf", &[part, self.float(1.0)?])?;
        let part = by.plain("arith.maximumf", &[part, self.float(0.0)?])?;
        let over = self.plain("arith.fptosi", &[part], self.word())?;
        let most = self.number(Dtype::I64, i64::MAX)?;
        let least = self.plain("arith.muli", &[over, most], self.word())?;
        self.plain("arith.maxsi", &[own, least], self.word())
    }
}

/// Writes about what a size is, as an f64.
struct Estimates<'c, 'a>(Writer<'c, 'a>);

impl<'c, 'a> Estimates<'c, 'a> {
    fn plain(&self, name: &str, operands: &[Value<'c, 'a>]) -> Written<'c, 'a> {
        let ty: Type = Dtype::F64.to_type(self.0.context);
        self.0.plain(name, operands, ty)
    }
}

impl<'c, 'a> Arithmetic for Estimates<'c, 'a> {
    type Value = Value<'c, 'a>;
    type Error = Failure;

    fn constant(&mut self, number: i64) -> Written<'c, 'a> {
        self.0.float(number as f64)
    }

    fn symbol(&mut self, place: usize) -> Written<'c, 'a> {
        let number = Sizes(self.0).symbol(place)?;
        self.plain("arith.sitofp", &[number])
    }

    fn apply(&mut self, operator: Operator, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Written<'c, 'a> {
        let name = match operator {
            Operator::Add => "arith.addf",
            Operator::Multiply => "arith.mulf",
            Operator::Divide => "arith.divf",
            Operator::Max => "arith.maximumf",
        };
        self.plain(name, &[a, b])
    }

    fn scaled(&mut self, number: Value<'c, 'a>, factor: f64) -> Written<'c, 'a> {
        self.plain("arith.mulf", &[number, self.0.float(factor)?])
    }
}
