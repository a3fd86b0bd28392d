//! The layouts of results that follow rules of their own.

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use terrace_dialects::{
    attributes as convert,
    dtype::{Dtype, promote},
    registry::OpImpl,
    strided::{Layout, creation},
    types::TensorType,
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
    pub(super) fn operand(&self, place: usize) -> Result<Layout, String> {
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
    let [lead, weight] = [asked.operand(0)?.sizes, asked.operand(2)?.sizes];
    let product = Layout::contiguous(&[&lead[..lead.len() - 1], &weight[..1]].concat());
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

/// Heads inside of rows: what attention's gradients have.
pub fn heads_inside(asked: &Asked) -> Result<Layout, String> {
    let (heads, rows, width) = (asked.sizes[1], asked.sizes[2], asked.sizes[3]);
    let strides = vec![heads * rows * width, width, heads * width, 1];
    Ok(Layout { sizes: asked.sizes.to_vec(), strides, offset: 0 })
}

/// Channels innermost where the second operand suggests it; row-major where the rank is another.
pub fn suggested_by_second(asked: &Asked) -> Result<Layout, String> {
    let own = asked.operand(1)?;
    let same = own.rank() == asked.sizes.len();
    Ok(if same { creation::suggested_like(asked.sizes, &own) } else { Layout::contiguous(asked.sizes) })
}

/// A volume alone, of a batch of one like the first operand.
fn volume(asked: &Asked) -> Result<Layout, String> {
    let sizes = [&[1], asked.sizes].concat();
    Ok(creation::suggested_like(&sizes, &asked.operand(0)?.unsqueeze(0)).squeeze(&[0]))
}

/// Volumes with channels innermost where those that came in suggest it; one alone counts as a batch of one, and follows the gradient
/// where there is one.
pub fn volumes(asked: &Asked) -> Result<Layout, String> {
    if asked.sizes.len() == 4 {
        return volume(asked);
    }
    let own = if asked.op_impl.rule == "max_pool3d" { 0 } else { 1 };
    Ok(creation::suggested_like(asked.sizes, &asked.operand(own)?))
}

/// Those of the windows of images or volumes; places are laid out like the largest elements.
pub fn windows(asked: &Asked) -> Result<Layout, String> {
    let kernel = convert::i64s(view::required(asked.op, "kernel_size"));
    if kernel.len() == 3 && asked.sizes.len() == 4 {
        return volume(asked);
    }
    Ok(match asked.sizes.len() - kernel.len() {
        2 => creation::suggested_like(asked.sizes, &asked.operand(0)?),
        _ => Layout::contiguous(asked.sizes),
    })
}

/// Row-major, with rows that begin at multiples of 16 bytes.
pub fn grouped_product(asked: &Asked) -> Result<Layout, String> {
    let own = dtype(view::operand(asked.op, asked.op_impl, 0)).ok_or("expects a tensor")?;
    let (sizes, unit) = (asked.sizes, 16 / own.bytes() as i64);
    let (rows, columns) = (sizes[sizes.len() - 2], sizes[sizes.len() - 1]);
    let padded = (columns + unit - 1) / unit * unit;
    let strides = [rows * padded, padded, 1][3 - sizes.len()..].to_vec();
    Ok(Layout { sizes: sizes.to_vec(), strides, offset: 0 })
}

/// Row-major; the mean of all has channels innermost where the operand suggests it.
pub fn adaptive_avg_pool3d(asked: &Asked) -> Result<Layout, String> {
    let own = asked.operand(0)?;
    let of_mean = asked.op_impl.operator() == "adaptive_avg_pool3d" && asked.sizes.ends_with(&[1, 1, 1]);
    Ok(match of_mean && own.rank() == 5 {
        true => creation::suggested_like(asked.sizes, &own),
        false => Layout::contiguous(asked.sizes),
    })
}

/// Channels innermost where the gradient suggests it, but for cubic ones.
pub fn upsample_backward(asked: &Asked) -> Result<Layout, String> {
    Ok(match asked.op_impl.operator() {
        "upsample_bicubic2d_backward" => Layout::contiguous(asked.sizes),
        _ => creation::suggested_like(asked.sizes, &asked.operand(0)?),
    })
}

/// The dtype of a tensor.
fn dtype(value: Value) -> Option<Dtype> {
    TensorType::of(value.r#type()).map(|ty| ty.dtype)
}

/// Pointwise over operands at some places, which are copied where they are cast to a dtype.
fn pointwise(asked: &Asked, places: &[usize], to: Option<Dtype>) -> Result<Layout, String> {
    let mut operands = vec![];
    for place in places {
        let value = view::operand(asked.op, asked.op_impl, *place);
        let own = (asked.layout)(value)?;
        operands.push(if dtype(value) == to { own } else { creation::like(&own) });
    }
    Ok(creation::pointwise(asked.sizes, &operands))
}

/// Losses: pointwise, where nothing is reduced.
pub fn loss(asked: &Asked) -> Result<Layout, String> {
    if view::attribute(asked.op, "reduction").map_or(1, convert::i64) != 0 {
        return Ok(Layout::contiguous(asked.sizes));
    }
    match asked.op_impl.operator() {
        // The target is what eager computes in.
        "binary_cross_entropy_with_logits" => Ok(creation::like(&asked.operand(1)?)),
        "binary_cross_entropy" | "huber_loss" => Ok(creation::like(&asked.operand(0)?)),
        "kl_div" => pointwise(asked, &[1, 0], dtype(asked.op.result(0).map_err(|e| e.to_string())?.into())),
        _ => pointwise(asked, &[0, 1], dtype(asked.op.result(0).map_err(|e| e.to_string())?.into())),
    }
}

/// Like the second operand.
pub fn like_second(asked: &Asked) -> Result<Layout, String> {
    Ok(creation::like(&asked.operand(1)?))
}

/// Each result like the operand of its number.
pub fn like_each(asked: &Asked) -> Result<Layout, String> {
    Ok(creation::like(&asked.operand(asked.number)?))
}

/// A product, and what is added to it.
pub fn fma(asked: &Asked) -> Result<Layout, String> {
    let all = [0, 1, 2].map(|place| view::operand(asked.op, asked.op_impl, place));
    let operand = |value: &Value| super::operators::promoted_as(value);
    let product = promote(&[operand(&all[0]), operand(&all[1])]);
    let shapes = [0, 1].map(|place| asked.operand(place));
    let [a, b] = shapes;
    let sizes = crate::functional::broadcast(&a?.sizes, &b?.sizes);
    let inner = Asked { sizes: &sizes, ..*asked };
    let made = pointwise(&inner, &[0, 1], Some(product))?;
    let result = dtype(asked.op.result(0).map_err(|e| e.to_string())?.into());
    let own = asked.operand(2)?;
    let made = if Some(product) == result { made } else { creation::like(&made) };
    let own = if dtype(all[2]) == result { own } else { creation::like(&own) };
    Ok(creation::pointwise(asked.sizes, &[made, own]))
}

/// The output with the steps outermost; states row-major.
pub fn recurrent(asked: &Asked) -> Result<Layout, String> {
    let plain = Layout::contiguous(asked.sizes);
    if asked.number > 0 || !view::attribute(asked.op, "batch_first").is_some_and(convert::bool) {
        return Ok(plain);
    }
    let (batch, width) = (asked.sizes[0], asked.sizes[2]);
    Ok(Layout { sizes: asked.sizes.to_vec(), strides: vec![width, batch * width, 1], offset: 0 })
}
