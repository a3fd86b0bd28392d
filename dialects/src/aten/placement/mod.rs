//! Where eager puts results: which strides it gives to a new tensor, and what views see of a storage.
//!
//! Stated once, over numbers and over expressions ([`terrace_size`]): graph-functionalize asks with the one,
//! the analysis of fake tensors with the other. [`place`] says whether a result is an operand, a view or a
//! new tensor: `views` has the views, `either` what is a view or a copy as layouts decide, `composed` what is
//! made of several, `objects` what changes a tensor object, `particular` strides that follow rules of their
//! own. Which strides an operator's results have is said in ODS ([`crate::ir::operator::Strides`]).

mod composed;
pub mod einsum;
mod either;
mod fourier;
pub mod iterated;
mod objects;
mod particular;
pub mod place;
pub mod views;

use crate::ir::{
    OperationLike, attributes as convert, device,
    dtype::Dtype,
    operator::Strides,
    registry::OpImpl,
    types::{TensorType, is_graph_tensor},
    view,
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_layout::{Layout, creation};
use terrace_size::Number;

/// Whether a tensor chooses elements as an index: by truth values, or by bytes, as eager still does.
pub fn is_mask(value: Value) -> bool {
    is_graph_tensor(value.r#type())
        && matches!(TensorType::of(value.r#type()).map(|t| t.dtype), Some(Dtype::Bool | Dtype::U8))
}

/// A question for the layout of a new tensor.
pub struct Asked<'l, 'c, 'a, N = i64> {
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// Its class.
    pub op_impl: &'static OpImpl,
    /// The number of the result.
    pub number: usize,
    /// Its sizes.
    pub sizes: &'l [N],
    /// Its device.
    pub device: Option<&'c str>,
    /// The layout of an operand.
    pub layout: &'l dyn Fn(Value<'c, 'a>) -> Result<Layout<N>, String>,
}

impl<'c, 'a, N: Number> Asked<'_, 'c, 'a, N> {
    /// Whether eager takes its kernels for CUDA.
    fn on_cuda(&self) -> bool {
        device::is_cuda(self.device)
    }

    /// The layout of an operand of ODS.
    fn operand(&self, place: usize) -> Result<Layout<N>, String> {
        (self.layout)(view::operand(self.op, self.op_impl, place))
    }

    fn all(&self, values: &[Value<'c, 'a>]) -> Result<Vec<Layout<N>>, String> {
        values.iter().map(|v| (self.layout)(*v)).collect()
    }

    /// Which dimensions have an index, and the indices; a mask stands for as many as it has dimensions.
    fn indices(&self, present: &[bool]) -> Result<(Vec<bool>, Vec<Layout<N>>), String> {
        let mut given = view::variadic(self.op, self.op_impl, 1).into_iter();
        let (mut dims, mut indices) = (vec![], vec![]);
        for is_there in present {
            let Some(value) = is_there.then(|| given.next()).flatten() else {
                dims.push(false);
                continue;
            };
            let own = (self.layout)(value)?;
            if !is_mask(value) {
                dims.push(true);
                indices.push(own);
                continue;
            }
            // As many as are true: the size that the result has of them.
            let first = dims.iter().position(|there| *there).unwrap_or(dims.len());
            let count = self.sizes.get(first).copied().unwrap_or(N::ONE);
            for _ in 0..own.rank() {
                dims.push(true);
                indices.push(Layout::contiguous(&[count]));
            }
        }
        Ok((dims, indices))
    }

    /// The layout that eager gives to the new tensor.
    ///
    /// # Errors
    /// Where eager's depends on what is not known here.
    pub fn new_layout(&self) -> Result<Layout<N>, String> {
        let (op, op_impl, sizes) = (self.op, self.op_impl, self.sizes);
        let plain = || Layout::contiguous(sizes);
        Ok(match op_impl.strides {
            Strides::Contiguous => plain(),
            Strides::Given => creation::in_format(sizes, iterated::format(op).as_deref().unwrap_or_default()),
            Strides::Like => match iterated::format(op).as_deref() {
                None => creation::like(&self.operand(0)?),
                Some(format) => creation::in_format(sizes, format),
            },
            Strides::Whole => {
                let own = self.operand(0)?;
                let whole = own.offset.assume_eq(0) && own.is_dense();
                if !whole && !own.repeats() || op_impl.rule == "as_strided_scatter" && !own.is_contiguous() {
                    return Err(
                        "copies the whole storage of a tensor that is a part of it: make it contiguous"
                            .into(),
                    );
                }
                creation::like(&own)
            }
            Strides::Cat => creation::cat(sizes, &self.all(&view::variadic(op, op_impl, 0))?),
            Strides::Pointwise if iterated::is_row_major(op, op_impl) => plain(),
            Strides::Pointwise if iterated::is_like(op_impl, view::operand(op, op_impl, 0)) => {
                creation::like(&self.operand(0)?)
            }
            Strides::Pointwise => {
                pointwise(sizes, &iterated::iterated(op, op_impl), self.layout, self.on_cuda())?
            }
            Strides::Convolution => particular::convolved(self, sizes, &self.operand(0)?, &self.operand(1)?)?,
            Strides::BatchNorm => particular::batch_norm(self)?,
            Strides::Suggested => creation::suggested_like(sizes, &self.operand(0)?),
            Strides::Unshuffled => match self.operand(0)? {
                own if own.is_empty() => creation::like(&own),
                own => creation::suggested_like(sizes, &own),
            },
            Strides::Scaled => particular::scaled(self)?,
            Strides::Index => {
                let present = convert::bools(view::required(op, "present"));
                let (present, indices) = self.indices(&present)?;
                creation::index(sizes, &self.operand(0)?, &present, &indices)
            }
            Strides::Outer => particular::outer(self)?,
            Strides::Bilinear => particular::bilinear(self)?,
            Strides::Einsum => particular::einsum(self)?,
            Strides::ConvolutionOfOne => particular::convolution(self)?,
            Strides::Attention => particular::attention(self)?,
            Strides::FlashAttention => particular::flash_attention(self)?,
            Strides::Rows => particular::of_rows(self)?,
            Strides::Fourier => fourier::layout(self)?,
            Strides::Fma => particular::fma(self)?,
            Strides::LikeEach => particular::like_each(self)?,
            Strides::LikeSecond => particular::like_second(self)?,
            Strides::HeadsInside => particular::heads_inside(self)?,
            Strides::SuggestedBySecond => particular::suggested_by_second(self)?,
            Strides::AdaptiveAvgPool3d => particular::adaptive_avg_pool3d(self)?,
            Strides::UpsampleBackward => particular::upsample_backward(self)?,
            Strides::Recurrent => particular::recurrent(self)?,
            Strides::Columns => Layout { strides: vec![N::ONE, sizes[0]], ..plain() },
            Strides::Volumes => particular::volumes(self)?,
            Strides::Pooling => particular::windows(self)?,
            Strides::GroupedProduct => particular::grouped_product(self)?,
            Strides::Loss => particular::loss(self)?,
            Strides::Glu => particular::glu(self)?,
            Strides::LogSigmoid if self.on_cuda() && self.number == 0 => creation::like(&self.operand(0)?),
            Strides::LogSigmoid => plain(),
        })
    }
}

/// The layout of a pointwise iteration over operands, each with the dtype that it is cast to: on the CPU
/// first, on CUDA on the way.
fn pointwise<'c, 'a, N: Number>(
    sizes: &[N],
    operands: &[(Value<'c, 'a>, Option<Dtype>)],
    layout: &dyn Fn(Value<'c, 'a>) -> Result<Layout<N>, String>,
    on_cuda: bool,
) -> Result<Layout<N>, String> {
    let operand = |(value, dtype): &(Value<'c, 'a>, Option<Dtype>)| {
        Ok(match TensorType::of(value.r#type()) {
            // What is cast is copied first.
            Some(t) if !on_cuda && dtype.is_some_and(|d| d != t.dtype) => creation::like(&layout(*value)?),
            Some(_) => layout(*value)?,
            None => Layout::contiguous(&[]),
        })
    };
    Ok(creation::pointwise(sizes, &operands.iter().map(operand).collect::<Result<Vec<_>, String>>()?))
}

/// The places of operands that an operation writes besides making its results: running statistics, in
/// training.
pub fn written_operands(op: OperationRef, op_impl: &OpImpl) -> Vec<usize> {
    let flag = match op_impl.rule {
        "batch_norm" => "training",
        "instance_norm" => "use_input_stats",
        _ => return vec![],
    };
    let places = [3, 4].into_iter().filter(|place| view::optional(op, op_impl, *place).is_some());
    if op.attribute(flag).is_ok_and(convert::bool) { places.collect() } else { vec![] }
}

/// Whether an operation changes sizes, strides or storage of a tensor object: the result is a new view, and
/// the operand is used no longer.
pub fn changes_object(op_impl: &OpImpl) -> bool {
    op_impl.dialect == "graph" && op_impl.verify.is_some() && op_impl.is_in_place()
}

/// The values that an operation writes.
pub fn written<'c, 'a>(op: OperationRef<'c, 'a>, op_impl: &OpImpl) -> Vec<Value<'c, 'a>> {
    let mut values = match op_impl.name {
        "graph.write_back" => vec![view::operand(op, op_impl, 1)],
        _ if op_impl.is_in_place() => view::variadic(op, op_impl, 0),
        _ => vec![],
    };
    values.extend(written_operands(op, op_impl).into_iter().map(|place| view::operand(op, op_impl, place)));
    values
}
