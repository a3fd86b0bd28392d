//! The layouts of results that follow rules of their own.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use terrace_dialects::{
    attributes as convert,
    registry::OpImpl,
    strided::{Layout, creation},
    view,
};

/// A question for a layout.
pub struct Asked<'l, 'c, 'a> {
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// Its class.
    pub op_impl: &'static OpImpl,
    /// The number of the result.
    pub number: usize,
    /// Its sizes.
    pub sizes: &'l [i64],
    /// The layout of an operand.
    pub layout: &'l dyn Fn(Value<'c, 'a>) -> Result<Layout, String>,
}

impl Asked<'_, '_, '_> {
    /// The layout of an operand of ODS.
    fn operand(&self, place: usize) -> Result<Layout, String> {
        (self.layout)(view::operand(self.op, self.op_impl, place))
    }
}

/// The product of a column and a row; what is cast is copied, which says nothing of a vector.
pub fn outer(asked: &Asked) -> Result<Layout, String> {
    let column = asked.operand(0)?.unsqueeze(1);
    Ok(creation::pointwise(asked.sizes, &[column, asked.operand(1)?]))
}

/// The product as it is made, with a bias added.
pub fn bilinear(asked: &Asked) -> Result<Layout, String> {
    let product = Layout::contiguous(asked.sizes);
    Ok(match view::optional(asked.op, asked.op_impl, 3) {
        Some(bias) => creation::pointwise(asked.sizes, &[product, (asked.layout)(bias)?]),
        None => product,
    })
}

/// Those of images of one row.
pub fn of_rows(asked: &Asked) -> Result<Layout, String> {
    let own = asked.operand(0)?;
    let at = own.rank() - 1;
    let mut sizes = asked.sizes.to_vec();
    sizes.insert(at, 1);
    Ok(creation::suggested_like(&sizes, &own.unsqueeze(at)).squeeze(&[at]))
}

/// Convolutions per number of dimensions: those of `convolution` of a batch.
pub fn convolution(asked: &Asked) -> Result<Layout, String> {
    let (input, weight) = (asked.operand(0)?, asked.operand(1)?);
    let unknown = "has strides in eager that depend on a library: make its operands contiguous";
    if input.rank() == weight.rank() {
        return Ok(creation::convolution(asked.sizes, &input, &weight).ok_or(unknown)?);
    }
    let sizes = [&[1], asked.sizes].concat();
    let batch = creation::convolution(&sizes, &input.unsqueeze(0), &weight).ok_or(unknown)?;
    Ok(batch.squeeze(&[0]))
}

/// Attention: like the query where eager takes its flash kernel, else row-major.
pub fn attention(asked: &Asked) -> Result<Layout, String> {
    let all = [asked.operand(0)?, asked.operand(1)?, asked.operand(2)?];
    let [query, key, value] = &all;
    let mask = view::optional(asked.op, asked.op_impl, 3).map(|mask| (asked.layout)(mask)).transpose()?;
    let grouped = asked.op.attribute("enable_gqa").is_ok_and(convert::bool);
    let rank = query.rank();
    let flash = (3..=4).contains(&rank) && all.iter().all(|t| t.rank() == rank) && {
        let heads = |t: &Layout| t.sizes[rank - 3];
        let batches = [key, value].iter().all(|t| t.sizes[..rank - 3] == query.sizes[..rank - 3]);
        let fits = |mask: &Layout| {
            let lead = mask.rank().checked_sub(2).unwrap_or(1);
            let one = |d: usize| mask.sizes[d] == 1 || mask.sizes[d] == query.sizes[d];
            lead == 0 || lead == rank - 2 && (0..lead).all(one)
        };
        batches
            && heads(key) == heads(value)
            && (grouped || heads(key) == heads(query))
            && all.iter().all(|t| t.sizes[rank - 1] == query.sizes[rank - 1])
            && all.iter().all(|t| t.sizes[rank - 2] != 0 && t.strides[rank - 1] == 1)
            && mask.as_ref().is_none_or(fits)
    };
    Ok(if flash { creation::like(query) } else { Layout::contiguous(asked.sizes) })
}

/// Like the query; logarithms have their heads innermost.
pub fn flash_attention(asked: &Asked) -> Result<Layout, String> {
    if asked.number == 0 {
        return Ok(creation::like(&asked.operand(0)?));
    }
    let (heads, length) = (asked.sizes[1], asked.sizes[2]);
    Ok(Layout { sizes: asked.sizes.to_vec(), strides: vec![heads * length, 1, heads], offset: 0 })
}

/// Einsum: what its steps come to.
pub fn einsum(asked: &Asked) -> Result<Layout, String> {
    let equation = convert::string(view::required(asked.op, "equation"));
    let operands = view::variadic(asked.op, asked.op_impl, 0).into_iter().map(|v| (asked.layout)(v));
    let operands = operands.collect::<Result<Vec<_>, _>>()?;
    let made = super::einsum::steps(&super::einsum::OfLayouts, &equation, operands)?;
    Ok(creation::like(&made))
}
