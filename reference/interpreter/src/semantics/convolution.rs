//! Convolution over any number of spatial dimensions, and its transpose, as loops over outputs.
//!
//! Input `[N, C, spatial..]`; weight `[O, C / groups, kernel..]`, transposed `[C, O / groups, kernel..]`.
//! Output position `p` and kernel position `k` meet at input position `p * stride - padding + k * dilation`;
//! transposed, input position `i` and kernel position `k` meet at output position `i * stride - padding + k *
//! dilation`.

use super::{
    elements::{Elements, elements, store},
    error::Result,
    parts,
    promotion::Operand,
    real::{Accumulator, Real},
    strides::{channels_last_strides, suggests_channels_last},
};
use terrace_tensor::{Dtype, Scalar, Tensor, layout::positions};

/// How a convolution walks; lists have one entry per spatial dimension, or one for all.
#[derive(Debug, Clone, Copy)]
pub struct Convolution<'a> {
    /// The distance of neighbouring outputs.
    pub stride: &'a [i64],
    /// Zeros on both sides of the input.
    pub padding: &'a [i64],
    /// The distance of neighbouring kernel elements.
    pub dilation: &'a [i64],
    /// Whether it is the transpose.
    pub transposed: bool,
    /// How much larger the output of a transpose is, at the end.
    pub output_padding: &'a [i64],
    /// Into how many independent groups the channels fall.
    pub groups: i64,
}

/// `convolution`.
///
/// # Errors
/// When sizes, dtypes or parameters do not fit together.
pub fn convolution(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    how: Convolution,
) -> Result<Tensor> {
    let plan = Plan::new(input, weight, how);
    let dtype = input.dtype();
    if dtype.is_complex() {
        let product = parts::bilinear(input, weight, |input, weight| convolution(input, weight, None, how))?;
        let Some(bias) = bias else { return Ok(product) };
        let spatial = product.rank() - usize::from(input.rank() == weight.rank()) - 1;
        let sizes: Vec<i64> = bias.sizes().iter().copied().chain(vec![1; spatial]).collect();
        let bias = super::views::view(&super::copy::packed(bias)?, &sizes)?;
        let operands = [Operand::Tensor(&product), Operand::Tensor(&bias)];
        return super::pointwise::apply(&super::scalar_table::ADD, &operands, &[Scalar::Int(1)]);
    }
    let strides = strides(&plan.output, input, weight)?;
    let out = match strides {
        Some(strides) => Tensor::zeros_strided(dtype, &plan.output, &strides)?,
        None => Tensor::zeros(dtype, &plan.output)?,
    };
    let kernel = "slow_conv2d_cpu";
    let bias = bias.map(|bias| elements(bias, dtype, kernel)).transpose()?;
    let result = match (elements(input, dtype, kernel)?, elements(weight, dtype, kernel)?) {
        (Elements::Real(input), Elements::Real(weight)) => {
            let bias = bias.as_ref().map(Elements::as_reals);
            let finish = |sum: Accumulator| sum.finish(dtype);
            Elements::Real(plan.run(
                &input,
                &weight,
                bias,
                Accumulator::add_product,
                [0.0, 1.0].map(Real::exact),
                finish,
            ))
        }
        (Elements::Int(input), Elements::Int(weight)) => {
            let bias = bias.as_ref().map(Elements::as_ints);
            let add = |sum: &mut i64, a: i64, b: i64| *sum = sum.wrapping_add(a.wrapping_mul(b));
            Elements::Int(plan.run(&input, &weight, bias, add, [0, 1], |sum| sum))
        }
        _ => unreachable!("all operands have one dtype"),
    };
    store(&out, &result, dtype);
    Ok(out)
}

/// Channels last where the input or the weight suggests it; of volumes eager's f32 kernel alone keeps it, and
/// one dimension is a second one of size 1 for the weight.
fn strides(output: &[i64], input: &Tensor, weight: &Tensor) -> Result<Option<Vec<i64>>> {
    Ok(match output.len() {
        3 => {
            let row = |t: &Tensor| super::views::unsqueeze(t, 2).map(|image| suggests_channels_last(&image));
            // The input is made contiguous first, which leaves alone what is already.
            let suggests = row(weight)? || input.is_contiguous() && row(input)?;
            let flat = channels_last_strides(&[output[0], output[1], 1, output[2]]).filter(|_| suggests);
            flat.map(|flat| vec![flat[0], flat[1], flat[3]])
        }
        5 if input.dtype() != Dtype::F32 => None,
        _ => {
            let suggests = suggests_channels_last(input) || suggests_channels_last(weight);
            channels_last_strides(output).filter(|_| suggests)
        }
    })
}

/// A convolution whose parameters fit together.
pub(super) struct Plan {
    input: Vec<i64>,
    weight: Vec<i64>,
    output: Vec<i64>,
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    transposed: bool,
    groups: i64,
}

impl Plan {
    pub(super) fn new(input: &Tensor, weight: &Tensor, how: Convolution) -> Plan {
        let (sizes, kernel, groups) = (input.sizes(), weight.sizes(), how.groups);
        let per_dimension = |values: &[i64]| match values {
            [one] => vec![*one; weight.rank() - 2],
            each => each.to_vec(),
        };
        let mut plan = Plan {
            input: sizes.to_vec(),
            weight: kernel.to_vec(),
            output: vec![sizes[0], if how.transposed { kernel[1] * groups } else { kernel[0] }],
            stride: per_dimension(how.stride),
            padding: per_dimension(how.padding),
            dilation: per_dimension(how.dilation),
            transposed: how.transposed,
            groups,
        };
        let spatial = plan.spatial(&per_dimension(how.output_padding));
        plan.output.extend(spatial);
        plan
    }

    /// The spatial sizes of the output.
    fn spatial(&self, output_padding: &[i64]) -> Vec<i64> {
        let size = |dim: usize| {
            let (own, pad) = (self.input[dim + 2], 2 * self.padding[dim]);
            let reach = self.dilation[dim] * (self.weight[dim + 2] - 1);
            if self.transposed {
                (own - 1) * self.stride[dim] - pad + reach + output_padding[dim] + 1
            } else {
                (own + pad - reach - 1) / self.stride[dim] + 1
            }
        };
        (0..self.stride.len()).map(size).collect()
    }

    /// All outputs in row-major order.
    fn run<T: Copy, S: Default + Clone, R>(
        &self,
        input: &[T],
        weight: &[T],
        bias: Option<&[T]>,
        add_product: impl Fn(&mut S, T, T),
        [zero, one]: [T; 2],
        finish: impl Fn(S) -> R,
    ) -> Vec<R> {
        let count: i64 = self.output.iter().product();
        let mut sums = vec![S::default(); count as usize];
        self.meetings(|out, own, tap| {
            add_product(&mut sums[out], own.map_or(zero, |own| input[own]), weight[tap]);
        });
        let inner: usize = self.output[2..].iter().product::<i64>() as usize;
        let with_bias = |(place, mut sum): (usize, S)| {
            if let Some(bias) = bias {
                add_product(&mut sum, bias[place / inner % self.channels()], one);
            }
            finish(sum)
        };
        sums.into_iter().enumerate().map(with_bias).collect()
    }

    /// The channels of the output.
    pub(super) fn channels(&self) -> usize {
        self.output[1] as usize
    }

    /// Every product of an element of the input and one of the weight: the row-major places of the output
    /// that it is a term of, of the input, and of the weight. Padding and the gaps of a transposed one are
    /// zeros, which are multiplied too: nothing makes of a weight that is not finite a number.
    pub(super) fn meetings(&self, mut product: impl FnMut(usize, Option<usize>, usize)) {
        let outputs_per_group = self.output[1] / self.groups;
        let inputs_per_group = self.input[1] / self.groups;
        for (out, position) in positions(&self.output).enumerate() {
            let (image, channel) = (position[0], position[1]);
            let group = channel / outputs_per_group;
            for tap in positions(&self.weight[2..]) {
                let source = self.source(&position[2..], &tap);
                for within in 0..inputs_per_group {
                    let from = group * inputs_per_group + within;
                    let (major, minor) = match self.transposed {
                        true => (from, channel % outputs_per_group),
                        false => (channel, within),
                    };
                    let own = source.as_ref().map(|source| flat(&self.input, image, from, source));
                    product(out, own, flat(&self.weight, major, minor, &tap));
                }
            }
        }
    }

    /// The input position that meets an output position at a kernel position; `None` for padding and for
    /// gaps.
    fn source(&self, output: &[i64], tap: &[i64]) -> Option<Vec<i64>> {
        let along = |dim: usize| {
            let (stride, shift) = (self.stride[dim], tap[dim] * self.dilation[dim] - self.padding[dim]);
            let at = match self.transposed {
                false => output[dim] * stride + shift,
                true if (output[dim] - shift) % stride == 0 => (output[dim] - shift) / stride,
                true => return None,
            };
            (0..self.input[dim + 2]).contains(&at).then_some(at)
        };
        (0..output.len()).map(along).collect()
    }
}

/// The row-major place of an index.
fn flat(sizes: &[i64], first: i64, second: i64, rest: &[i64]) -> usize {
    let start = first * sizes[1] + second;
    rest.iter().zip(&sizes[2..]).fold(start, |at, (&index, &size)| at * size + index) as usize
}
