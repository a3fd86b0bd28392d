//! The layouts of results that follow rules of their own.

use super::{Asked, iterated::promoted_as};
use crate::ir::{
    OperationLike, attributes as convert,
    dtype::{Dtype, promote},
    refusal::Reason,
    types::TensorType,
    view,
};
use melior::ir::{Value, ValueLike};
use terrace_layout::{Layout, creation};
use terrace_size::Number;

/// `glu`: that of an iteration over the halves.
pub fn glu<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let own = asked.operand(0)?;
    let dim = view::attribute(asked.op, "dim").map_or(-1, convert::i64);
    let at = if dim < 0 { dim + asked.sizes.len() as i64 } else { dim } as usize;
    let half = asked.sizes[at];
    let halves = [own.slice(at, N::ZERO, half, N::ONE), own.slice(at, half, half, N::ONE)];
    Ok(creation::pointwise(asked.sizes, &halves))
}

/// The product of a column and a row; what is cast is copied, which says nothing of a vector.
pub fn outer<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let column = asked.operand(0)?.unsqueeze(1);
    Ok(creation::pointwise(asked.sizes, &[column, asked.operand(1)?]))
}

/// The product as it is made, with a bias added.
pub fn bilinear<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let [lead, weight] = [asked.operand(0)?.sizes, asked.operand(2)?.sizes];
    let product = Layout::contiguous(&[&lead[..lead.len() - 1], &weight[..1]].concat());
    Ok(match view::optional(asked.op, asked.op_impl, 3) {
        Some(bias) => creation::pointwise(asked.sizes, &[product, (asked.layout)(bias)?]),
        None => product,
    })
}

/// Rows times their scales, then times the weight; what is not contiguous is copied first. One kernel for
/// CUDA.
pub fn scaled<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let own = asked.operand(0)?;
    if asked.on_cuda() {
        return Ok(creation::suggested_like(asked.sizes, &own));
    }
    let rows = if own.is_contiguous() { own } else { creation::suggested_like(asked.sizes, &own) };
    let lead = asked.sizes.len() - convert::i64s(view::required(asked.op, "normalized_shape")).len();
    let mut scales = asked.sizes.to_vec();
    scales[lead..].fill(N::ONE);
    let product = creation::pointwise(asked.sizes, &[rows, Layout::contiguous(&scales)]);
    Ok(match view::optional(asked.op, asked.op_impl, 1) {
        Some(weight) => creation::pointwise(asked.sizes, &[product, (asked.layout)(weight)?]),
        None => product,
    })
}

/// Those of images of one row.
pub fn of_rows<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let own = asked.operand(0)?;
    let at = own.rank() - 1;
    let mut sizes = asked.sizes.to_vec();
    sizes.insert(at, N::ONE);
    Ok(creation::suggested_like(&sizes, &own.unsqueeze(at)).squeeze(&[at]))
}

/// A convolution of a batch: as the library does it that eager calls for the device.
pub fn convolved<N: Number>(
    asked: &Asked<N>,
    sizes: &[N],
    input: &Layout<N>,
    weight: &Layout<N>,
) -> Result<Layout<N>, String> {
    if asked.on_cuda() {
        let wide = dtype(view::operand(asked.op, asked.op_impl, 0)) == Some(Dtype::F64);
        return Ok(creation::convolution_on_cuda(sizes, input, weight, wide));
    }
    let made = creation::convolution(sizes, input, weight).ok_or_else(|| {
        Reason::Layout.says("has strides in eager that depend on a library: make its operands contiguous")
    })?;
    // A complex one is the sums and differences of three of its parts.
    let complex = dtype(view::operand(asked.op, asked.op_impl, 0)).is_some_and(Dtype::is_complex);
    Ok(if complex { creation::pointwise(sizes, &[made]) } else { made })
}

/// Convolutions per number of dimensions: those of `convolution` of a batch.
pub fn convolution<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let (input, weight) = (asked.operand(0)?, asked.operand(1)?);
    if input.rank() == weight.rank() {
        return convolved(asked, asked.sizes, &input, &weight);
    }
    let sizes = [&[N::ONE], asked.sizes].concat();
    Ok(convolved(asked, &sizes, &input.unsqueeze(0), &weight)?.squeeze(&[0]))
}

/// Attention: like the query where eager takes its flash kernel, else row-major. On CUDA too: which kernels
/// it has depends on the machine, and the one that needs none makes rows.
pub fn attention<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let all = [asked.operand(0)?, asked.operand(1)?, asked.operand(2)?];
    let [query, key, value] = &all;
    let mask = view::optional(asked.op, asked.op_impl, 3).map(|mask| (asked.layout)(mask)).transpose()?;
    let grouped = asked.op.attribute("enable_gqa").is_ok_and(convert::bool);
    let rank = query.rank();
    let flash = !asked.on_cuda()
        && (3..=4).contains(&rank)
        && all.iter().all(|t| t.rank() == rank)
        && {
            let heads = |t: &Layout<N>| t.sizes[rank - 3];
            let batches =
                [key, value].iter().all(|t| N::assume_same(&t.sizes[..rank - 3], &query.sizes[..rank - 3]));
            let fits = |mask: &Layout<N>| {
                let lead = mask.rank().checked_sub(2).unwrap_or(1);
                let one = |d: usize| {
                    let (own, wanted) = (mask.sizes[d], query.sizes[d]);
                    own.is_same(wanted) || own.assume_eq(1) || own.assume_eq(wanted)
                };
                lead == 0 || lead == rank - 2 && (0..lead).all(one)
            };
            batches
            && heads(key).assume_eq(heads(value))
            && (grouped || heads(key).assume_eq(heads(query)))
            && all.iter().all(|t| (t.sizes[rank - 1]).assume_eq(query.sizes[rank - 1]))
            && all.iter().all(|t| t.strides[rank - 1].assume_eq(1))
            // Without queries there are no elements whose place it would tell.
            && [key, value].iter().all(|t| t.sizes[rank - 2].is_same(query.sizes[rank - 2]) || !t.sizes[rank - 2].assume_eq(0))
            && query.sizes[rank - 2].known() != Some(0)
            && mask.as_ref().is_none_or(fits)
        };
    Ok(if flash { creation::like(query) } else { Layout::contiguous(asked.sizes) })
}

/// Like the query; logarithms have their heads innermost.
pub fn flash_attention<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    if asked.number == 0 {
        return Ok(creation::like(&asked.operand(0)?));
    }
    let (heads, length) = (asked.sizes[1], asked.sizes[2]);
    Ok(Layout { sizes: asked.sizes.to_vec(), strides: vec![heads * length, N::ONE, heads], offset: N::ZERO })
}

/// Einsum: what its steps come to.
pub fn einsum<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let equation = convert::string(view::required(asked.op, "equation"));
    let operands = view::variadic(asked.op, asked.op_impl, 0).into_iter().map(|v| (asked.layout)(v));
    let operands = operands.collect::<Result<Vec<_>, _>>()?;
    let made =
        super::einsum::steps(&super::einsum::OfLayouts(std::marker::PhantomData), &equation, operands)?;
    Ok(creation::like(&made))
}

/// Heads inside of rows: what attention's gradients have.
pub fn heads_inside<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let (heads, rows, width) = (asked.sizes[1], asked.sizes[2], asked.sizes[3]);
    let strides = vec![heads * rows * width, width, heads * width, N::ONE];
    Ok(Layout { sizes: asked.sizes.to_vec(), strides, offset: N::ZERO })
}

/// Channels innermost where the second operand suggests it; row-major where the rank is another.
pub fn suggested_by_second<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let own = asked.operand(1)?;
    let same = own.rank() == asked.sizes.len();
    Ok(if same { creation::suggested_like(asked.sizes, &own) } else { Layout::contiguous(asked.sizes) })
}

/// A volume alone, of a batch of one like the first operand.
fn volume<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let sizes = [&[N::ONE], asked.sizes].concat();
    Ok(creation::suggested_like(&sizes, &asked.operand(0)?.unsqueeze(0)).squeeze(&[0]))
}

/// Volumes with channels innermost where those that came in suggest it; one alone counts as a batch of one,
/// and follows the gradient where there is one.
pub fn volumes<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    if asked.sizes.len() == 4 {
        return volume(asked);
    }
    let own = if asked.op_impl.rule == "max_pool3d" { 0 } else { 1 };
    Ok(creation::suggested_like(asked.sizes, &asked.operand(own)?))
}

/// Those of the windows of images or volumes; places are laid out like the largest elements.
pub fn windows<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let kernel = convert::i64s(view::required(asked.op, "kernel_size"));
    if kernel.len() == 3 && asked.sizes.len() == 4 {
        return volume(asked);
    }
    Ok(match asked.sizes.len() - kernel.len() {
        2 => creation::suggested_like(asked.sizes, &asked.operand(0)?),
        _ => Layout::contiguous(asked.sizes),
    })
}

/// Batch norm: channels last where the operand suggests it, else row-major. The kernel for CUDA keeps the
/// operand's strides; cuDNN, which `batch_norm` takes where it can, does not. Of no elements `batch_norm`
/// makes a copy.
pub fn batch_norm<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let own = asked.operand(0)?;
    // Where there are no elements strides lead to nothing, so that this is not asked of sizes of the run.
    if asked.op_impl.operator() == "batch_norm" && own.sizes.iter().any(|size| size.known() == Some(0)) {
        return Ok(creation::like(&own));
    }
    if asked.number > 0 || !asked.on_cuda() {
        return Ok(creation::suggested_like(asked.sizes, &own));
    }
    let given = |place| view::optional(asked.op, asked.op_impl, place);
    let cudnn = asked.op_impl.operator() == "batch_norm"
        && own.rank() > 2
        && given(2).is_some()
        && given(1).is_some_and(|weight| {
            let (own, weight) = (dtype(view::operand(asked.op, asked.op_impl, 0)), dtype(weight));
            let half = own == Some(Dtype::F16) && weight != Some(Dtype::F32);
            !half && own != Some(Dtype::BF16) && weight != Some(Dtype::BF16)
        });
    Ok(if cudnn { creation::suggested_like(asked.sizes, &own) } else { creation::like(&own) })
}

/// Row-major, with rows that begin at multiples of 16 bytes.
pub fn grouped_product<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let own = dtype(view::operand(asked.op, asked.op_impl, 0)).ok_or("expects a tensor")?;
    let (sizes, unit) = (asked.sizes, N::from(16 / own.bytes() as i64));
    let (rows, columns) = (sizes[sizes.len() - 2], sizes[sizes.len() - 1]);
    let padded = (columns + unit - N::ONE) / unit * unit;
    let strides = [rows * padded, padded, N::ONE][3 - sizes.len()..].to_vec();
    Ok(Layout { sizes: sizes.to_vec(), strides, offset: N::ZERO })
}

/// Row-major; the mean of all has channels innermost where the operand suggests it.
pub fn adaptive_avg_pool3d<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let own = asked.operand(0)?;
    let of_mean = asked.op_impl.operator() == "adaptive_avg_pool3d"
        && asked.sizes.len() >= 3
        && N::assume_same(&asked.sizes[asked.sizes.len() - 3..], &[N::ONE; 3]);
    Ok(match of_mean && own.rank() == 5 {
        true => creation::suggested_like(asked.sizes, &own),
        false => Layout::contiguous(asked.sizes),
    })
}

/// Channels innermost where the gradient suggests it, but for cubic ones.
pub fn upsample_backward<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    Ok(match asked.op_impl.operator() {
        "upsample_bicubic2d_backward" => Layout::contiguous(asked.sizes),
        _ => creation::suggested_like(asked.sizes, &asked.operand(0)?),
    })
}

/// The dtype of a tensor.
fn dtype(value: Value) -> Option<Dtype> {
    TensorType::of(value.r#type()).map(|ty| ty.dtype)
}

/// Pointwise over operands at some places, which are copied where they are cast to a dtype on the CPU.
fn pointwise<N: Number>(asked: &Asked<N>, places: &[usize], to: Option<Dtype>) -> Result<Layout<N>, String> {
    let mut operands = vec![];
    for place in places {
        let value = view::operand(asked.op, asked.op_impl, *place);
        let own = (asked.layout)(value)?;
        let as_it_is = dtype(value) == to || asked.on_cuda();
        operands.push(if as_it_is { own } else { creation::like(&own) });
    }
    Ok(creation::pointwise(asked.sizes, &operands))
}

/// Losses: pointwise, where nothing is reduced.
pub fn loss<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    if view::attribute(asked.op, "reduction").map_or(1, convert::i64) != 0 {
        return Ok(Layout::contiguous(asked.sizes));
    }
    match asked.op_impl.operator() {
        // The target is what eager computes in.
        "binary_cross_entropy_with_logits" => Ok(creation::like(&asked.operand(1)?)),
        "binary_cross_entropy" | "huber_loss" => Ok(creation::like(&asked.operand(0)?)),
        // What is computed of the target alone comes first.
        "kl_div" => {
            Ok(creation::pointwise(asked.sizes, &[creation::like(&asked.operand(1)?), asked.operand(0)?]))
        }
        name => {
            let dtype = dtype(asked.op.result_at(0).map_err(|e| e.to_string())?.into());
            let distance = pointwise(asked, &[0, 1], dtype)?;
            // The absolute value of the difference, one after the other.
            Ok(if name == "l1_loss" { creation::pointwise(asked.sizes, &[distance]) } else { distance })
        }
    }
}

/// Like the second operand.
pub fn like_second<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    Ok(creation::like(&asked.operand(1)?))
}

/// Each result like the operand of its number.
pub fn like_each<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    Ok(creation::like(&asked.operand(asked.number)?))
}

/// A product, and what is added to it.
pub fn fma<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let all = [0, 1, 2].map(|place| view::operand(asked.op, asked.op_impl, place));
    let operand = |value: &Value| promoted_as(value);
    let product = promote(&[operand(&all[0]), operand(&all[1])]);
    let shapes = [0, 1].map(|place| asked.operand(place));
    let [a, b] = shapes;
    let sizes = creation::broadcast(&[a?, b?]);
    let inner = Asked { sizes: &sizes, ..*asked };
    let made = pointwise(&inner, &[0, 1], Some(product))?;
    let result = dtype(asked.op.result_at(0).map_err(|e| e.to_string())?.into());
    let own = asked.operand(2)?;
    let made = if Some(product) == result { made } else { creation::like(&made) };
    let own = if dtype(all[2]) == result { own } else { creation::like(&own) };
    Ok(creation::pointwise(asked.sizes, &[made, own]))
}

/// The output with the steps outermost; states row-major.
pub fn recurrent<N: Number>(asked: &Asked<N>) -> Result<Layout<N>, String> {
    let plain = Layout::contiguous(asked.sizes);
    if asked.number > 0 || !view::attribute(asked.op, "batch_first").is_some_and(convert::bool) {
        return Ok(plain);
    }
    let (batch, width) = (asked.sizes[0], asked.sizes[2]);
    Ok(Layout { sizes: asked.sizes.to_vec(), strides: vec![width, batch * width, N::ONE], offset: N::ZERO })
}
