//! Convolution over any number of spatial dimensions, and its transpose, as loops over outputs.
//!
//! Input `[N, C, spatial..]`; weight `[O, C / groups, kernel..]`, transposed `[C, O / groups, kernel..]`. Output position
//! `p` and kernel position `k` meet at input position `p * stride - padding + k * dilation`; transposed, input position
//! `i` and kernel position `k` meet at output position `i * stride - padding + k * dilation`.

use terrace_tensor::layout::positions;
use terrace_tensor::{DType, Tensor};

use super::elements::{Elements, elements, store};
use super::error::{Error, Result, ensure};
use super::real::{Accumulator, Real};
use super::strides::{channels_last_strides, suggests_channels_last};

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
    let plan = Plan::new(input, weight, bias, how)?;
    let dtype = input.dtype();
    let strides = strides(&plan.output, input, weight)?;
    let out = match strides {
        Some(strides) => Tensor::zeros_strided(dtype, &plan.output, &strides)?,
        None => Tensor::zeros(dtype, &plan.output)?,
    };
    let kernel = "slow_conv2d_cpu";
    if dtype == DType::Bool {
        return Err(Error::not_implemented(kernel, dtype));
    }
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
                Real::exact(1.0),
                finish,
            ))
        }
        (Elements::Int(input), Elements::Int(weight)) => {
            let bias = bias.as_ref().map(Elements::as_ints);
            let add = |sum: &mut i64, a: i64, b: i64| *sum = sum.wrapping_add(a.wrapping_mul(b));
            Elements::Int(plan.run(&input, &weight, bias, add, 1, |sum| sum))
        }
        _ => unreachable!("all operands have one dtype"),
    };
    store(&out, &result, dtype);
    Ok(out)
}

/// Channels last where the input or the weight suggests it; of volumes eager's f32 kernel alone keeps it, and one dimension is a second one
/// of size 1 for the weight.
fn strides(output: &[i64], input: &Tensor, weight: &Tensor) -> Result<Option<Vec<i64>>> {
    Ok(match output.len() {
        3 => {
            let row = |t: &Tensor| Ok::<_, Error>(suggests_channels_last(&super::views::unsqueeze(t, 2)?));
            // The input is made contiguous first, which leaves alone what is already.
            let suggests = row(weight)? || input.is_contiguous() && row(input)?;
            let flat = channels_last_strides(&[output[0], output[1], 1, output[2]]).filter(|_| suggests);
            flat.map(|flat| vec![flat[0], flat[1], flat[3]])
        }
        5 if input.dtype() != DType::F32 => None,
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
    pub(super) fn new(
        input: &Tensor,
        weight: &Tensor,
        bias: Option<&Tensor>,
        how: Convolution,
    ) -> Result<Plan> {
        let (sizes, kernel, groups) = (input.sizes(), weight.sizes(), how.groups);
        ensure!(weight.rank() > 2, "weight should have at least three dimensions");
        let dims = weight.rank() - 2;
        let stride = per_dimension(how.stride, dims, "stride")?;
        let padding = per_dimension(how.padding, dims, "padding")?;
        let dilation = per_dimension(how.dilation, dims, "dilation")?;
        let output_padding = per_dimension(how.output_padding, dims, "output_padding")?;
        ensure!(padding.iter().all(|&p| p >= 0), "negative padding is not supported");
        ensure!(output_padding.iter().all(|&p| p >= 0), "negative output_padding is not supported");
        ensure!(stride.iter().all(|&s| s > 0), "non-positive stride is not supported");
        ensure!(groups > 0, "non-positive groups is not supported");
        ensure!(
            dilation.iter().all(|&d| d > 0),
            "dilation should be greater than zero, but got {dilation:?}"
        );
        ensure!(
            input.rank() == weight.rank(),
            "Expected {}-dimensional input for {}-dimensional weight {kernel:?}, but got {}-dimensional input of size {sizes:?} instead",
            weight.rank(),
            weight.rank(),
            input.rank()
        );
        check_channels(sizes, kernel, bias, how)?;
        for other in std::iter::once(weight).chain(bias) {
            ensure!(
                other.dtype() == input.dtype(),
                "expected scalar type {} but found {}",
                input.dtype().eager_name(),
                other.dtype().eager_name()
            );
        }
        let channels = if how.transposed { kernel[1].saturating_mul(groups) } else { kernel[0] };
        let mut output = vec![sizes[0], channels];
        let mut plan = Plan {
            input: sizes.to_vec(),
            weight: kernel.to_vec(),
            output: Vec::new(),
            stride,
            padding,
            dilation,
            transposed: how.transposed,
            groups,
        };
        output.extend(plan.spatial(&output_padding)?);
        plan.output = output;
        Ok(plan)
    }

    /// The spatial sizes of the output.
    fn spatial(&self, output_padding: &[i64]) -> Result<Vec<i64>> {
        let dims = 0..self.stride.len();
        let overflow = || Error::new("the sizes of a convolution overflow");
        let wide = |value: i64| i128::from(value);
        let reach = |dim: usize| wide(self.dilation[dim]) * (wide(self.weight[dim + 2]) - 1);
        let mut sizes = Vec::new();
        for dim in dims.clone() {
            let (own, pad) = (wide(self.input[dim + 2]), 2 * wide(self.padding[dim]));
            let size = if self.transposed {
                (own - 1) * wide(self.stride[dim]) - pad + reach(dim) + wide(output_padding[dim]) + 1
            } else {
                let room = own + pad - reach(dim) - 1;
                ensure!(
                    room >= 0,
                    "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
                    by_x(dims.clone().map(|d| wide(self.input[d + 2]) + 2 * wide(self.padding[d]))),
                    by_x(dims.clone().map(|d| reach(d) + 1))
                );
                room / wide(self.stride[dim]) + 1
            };
            sizes.push(size);
        }
        if self.transposed {
            for dim in dims.clone() {
                let padding = output_padding[dim];
                ensure!(
                    padding < self.stride[dim] || padding < self.dilation[dim],
                    "output padding must be smaller than either stride or dilation, but got {}",
                    [
                        ("output_padding", output_padding),
                        ("stride", &self.stride),
                        ("dilation", &self.dilation)
                    ]
                    .map(|(name, values)| named(name, values))
                    .join(" ")
                );
            }
            // One spatial dimension is a second one of size 1 to eager.
            let image = if dims.len() == 1 { "1 x " } else { "" };
            ensure!(
                sizes.iter().all(|&size| size > 0),
                "Given input size per channel: ({image}{}). Calculated output size per channel: ({image}{}). Output size is too small",
                by_x(dims.map(|d| wide(self.input[d + 2]))),
                by_x(sizes.iter().copied())
            );
        }
        sizes.into_iter().map(|size| i64::try_from(size).map_err(|_| overflow())).collect()
    }

    /// All outputs in row-major order.
    fn run<T: Copy, S: Default + Clone, R>(
        &self,
        input: &[T],
        weight: &[T],
        bias: Option<&[T]>,
        add_product: impl Fn(&mut S, T, T),
        one: T,
        finish: impl Fn(S) -> R,
    ) -> Vec<R> {
        let count: i64 = self.output.iter().product();
        let mut sums = vec![S::default(); count as usize];
        self.meetings(|out, own, tap| add_product(&mut sums[out], input[own], weight[tap]));
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

    /// Every product of an element of the input and one of the weight: the row-major places of the output that it is a term
    /// of, of the input, and of the weight.
    pub(super) fn meetings(&self, mut product: impl FnMut(usize, usize, usize)) {
        let outputs_per_group = self.output[1] / self.groups;
        let inputs_per_group = self.input[1] / self.groups;
        for (out, position) in positions(&self.output).enumerate() {
            let (image, channel) = (position[0], position[1]);
            let group = channel / outputs_per_group;
            for tap in positions(&self.weight[2..]) {
                let Some(source) = self.source(&position[2..], &tap) else { continue };
                for within in 0..inputs_per_group {
                    let from = group * inputs_per_group + within;
                    let (major, minor) = match self.transposed {
                        true => (from, channel % outputs_per_group),
                        false => (channel, within),
                    };
                    let own = flat(&self.input, image, from, &source);
                    product(out, own, flat(&self.weight, major, minor, &tap));
                }
            }
        }
    }

    /// The input position that meets an output position at a kernel position; `None` for padding and for gaps.
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

fn per_dimension(values: &[i64], dims: usize, name: &str) -> Result<Vec<i64>> {
    ensure!(
        values.len() == dims || values.len() == 1,
        "expected {name} to be a single integer value or a list of {dims} values to match the convolution dimensions, but got {name}={values:?}"
    );
    Ok(if values.len() == 1 { vec![values[0]; dims] } else { values.to_vec() })
}

fn check_channels(sizes: &[i64], kernel: &[i64], bias: Option<&Tensor>, how: Convolution) -> Result<()> {
    let groups = how.groups;
    ensure!(
        kernel[0] >= groups,
        "Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {kernel:?} instead"
    );
    ensure!(
        kernel[0] % groups == 0,
        "Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size [{kernel:?}] instead"
    );
    let (expected, outputs, which) = if how.transposed {
        (kernel[0], kernel[1].saturating_mul(groups), format!("transposed={}", i64::from(how.transposed)))
    } else {
        (kernel[1].saturating_mul(groups), kernel[0], format!("groups={groups}"))
    };
    ensure!(
        sizes[1] == expected,
        "Given {which}, weight of size {kernel:?}, expected input{sizes:?} to have {expected} channels, but got {} channels instead",
        sizes[1]
    );
    if let Some(bias) = bias {
        let which = if how.transposed { format!("{which}, ") } else { String::new() };
        ensure!(
            bias.sizes() == [outputs],
            "Given {which}weight of size {kernel:?}, expected bias to be 1-dimensional with {outputs} elements, but got bias of size {:?} instead",
            bias.sizes()
        );
    }
    Ok(())
}

fn by_x(sizes: impl Iterator<Item = i128>) -> String {
    sizes.map(|size| size.to_string()).collect::<Vec<_>>().join(" x ")
}

/// `stride_height: 1 stride_width: 2`; eager sees one spatial dimension as the width of an image.
fn named(name: &str, values: &[i64]) -> String {
    let neutral = i64::from(name != "output_padding");
    let values = if values.len() == 1 { vec![neutral, values[0]] } else { values.to_vec() };
    let sides = ["depth", "height", "width"];
    let sides = &sides[sides.len().saturating_sub(values.len())..];
    let texts: Vec<_> =
        sides.iter().zip(&values).map(|(side, value)| format!("{name}_{side}: {value}")).collect();
    texts.join(" ")
}
