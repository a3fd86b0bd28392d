//! Convolutions per number of dimensions: `functional.convolution` of a batch.

use super::lowering::{Lowered, Lowering};
use crate::functional::writer::number;
use terrace_dialects::{
    ir::{OperationLike, attributes as convert, view},
    ops::functional,
};
use terrace_size::Size;

/// `conv1d` to `conv3d`, also with a word for the padding, and their transposes. One image is a batch of it.
pub fn convolution<'c, 'a>(l: &mut Lowering<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let (sizes, _) = l.result()?;
    let (mut input, weight) = (l.read(l.operand(0))?, l.read(l.operand(1))?);
    let bias = view::optional(l.op, l.op_impl, 2).map(|bias| l.read(bias)).transpose()?;
    let w = **l.values;
    let kernel = w.sizes(weight)?;
    let spatial = kernel.len() - 2;
    let own = w.sizes(input)?;
    if own.len() < kernel.len() {
        input = w.view(input, &[&[Size::ONE], &own[..]].concat())?;
    }
    let list = |name: &str, default: i64| match l.op.attribute(name) {
        Ok(list) => {
            let list = convert::i64s(list);
            if list.len() == 1 { vec![list[0]; spatial] } else { list }
        }
        Err(_) => vec![default; spatial],
    };
    let (stride, dilation, output_padding) =
        (list("stride", 1), list("dilation", 1), list("output_padding", 0));
    let groups = l.op.attribute("groups").map_or(1, convert::i64);
    let transposed = l.op_impl.rule == "conv_transpose";
    let padding = match l.op_impl.rule {
        "conv_padding" if l.op.attribute("padding").is_ok_and(|p| convert::string(p) == "same") => {
            let total = |d: usize| dilation[d] * (number(kernel[d + 2]).unwrap_or(1) - 1);
            // What is odd is padded at the end, beside the rest that the convolution pads.
            for d in 0..spatial {
                input = w.padded(input, d + 2, 0, total(d) % 2)?;
            }
            (0..spatial).map(|d| total(d) / 2).collect()
        }
        "conv_padding" => vec![0; spatial],
        _ => list("padding", 0),
    };
    let made = w.value(functional::convolution(
        w.location(),
        input,
        weight,
        bias,
        &stride,
        &padding,
        &dilation,
        Some(transposed),
        &output_padding,
        Some(groups),
    ))?;
    Ok(vec![w.view(made, &sizes)?])
}
