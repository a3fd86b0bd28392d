//! Elements by their places among all of a tensor's, and those where a mask holds: by tensors of one
//! dimension.

use super::lowering::{Lowered, Lowering};
use melior::ir::Value;
use terrace_dialects::{
    ir::{attributes as convert, dtype::Dtype, pass::Failure, view},
    ops::functional as f,
};
use terrace_size::{Number, Size};

impl<'c, 'a> Lowering<'_, 'c, 'a> {
    /// An operand as a vector, row-major.
    fn vector(&mut self, place: usize) -> Result<Value<'c, 'a>, Failure> {
        let value = self.operand(place);
        let value = self.read(value)?;
        let count: Size = self.values.sizes(value)?.iter().product();
        self.values.view(value, &[count])
    }
}

/// `take`: `index` of a vector.
pub fn take<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, index) = (l.vector(0)?, l.read(l.operand(1))?);
    Ok(vec![l.values.value(f::index(l.values.location(), own, &[index], &[true]))?])
}

/// `put`: `index_put` into a vector.
pub fn put<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, _) = l.result()?;
    let (own, index, source) = (l.vector(0)?, l.vector(1)?, l.vector(2)?);
    let accumulate = view::attribute(l.op, "accumulate").map(convert::bool);
    let location = l.values.location();
    let all = l.values.value(f::index_put(location, own, &[index], &[true], source, accumulate))?;
    Ok(vec![l.values.view(all, &sizes)?])
}

/// `masked_scatter`: where the mask holds, the element of the source whose number is how often it held
/// before.
pub fn masked_scatter<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, dtype) = l.result()?;
    let own = l.tensor(l.operand(0), dtype, &sizes)?;
    let mask = l.tensor(l.operand(1), Dtype::Bool, &sizes)?;
    let source = l.vector(2)?;
    let count: Size = sizes.iter().product();
    let w = **l.values;
    if count.assume_eq(0) {
        return Ok(vec![own]);
    }
    if Size::assume_same(&w.sizes(source)?, &[Size::ZERO]) {
        return Err(
            "takes elements of a source that has none: it could only be for a mask that never holds".into()
        );
    }
    let held = w.cast(w.view(mask, &[count])?, Dtype::I64)?;
    let number = w.value(f::cumsum(w.location(), held, 0, None))?;
    let before = w.binary(f::sub, number, w.like(number, 1.0)?)?;
    // Where it does not hold nothing is taken.
    let at = w.binary(f::mul, before, held)?;
    let taken = w.value(f::index(w.location(), source, &[at], &[true]))?;
    Ok(vec![w.choose(mask, w.view(taken, &sizes)?, own)?])
}

/// `scatter` that adds or multiplies: `scatter_reduce`.
pub fn scatter_by<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (own, index) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let (ty, at) = (l.values.ty(own)?, l.values.sizes(index)?);
    let dim = convert::i64(view::required(l.op, "dim"));
    super::places::reaches_of(&ty, dim, at.iter().product::<Size>())?;
    let source = if l.base_name() == "scatter.reduce" {
        l.read(l.operand(2))?
    } else {
        l.values.full(l.operand(2), ty.dtype, &at)?
    };
    let adds = convert::string(view::required(l.op, "reduce")) == "add";
    let reduce = if adds { "sum" } else { "prod" };
    let location = l.values.location();
    Ok(vec![l.values.value(f::scatter_reduce_two(location, own, dim, index, source, reduce, Some(true)))?])
}
