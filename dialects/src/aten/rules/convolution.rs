//! Convolution, and its spellings per number of dimensions.

use super::{Size, TensorType, Types, may_equal, not_implemented, one, products::no_bool};
use crate::ir::{
    args::Args,
    dtype::{Category, Dtype},
    types::Shape,
};
use terrace_size::Number;

/// What a convolution has beside its tensors; a list of one number stands for every dimension.
struct Parameters {
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    output_padding: Vec<i64>,
    transposed: bool,
    groups: i64,
}

/// A list per dimension.
fn per_dimension(name: &str, list: &[i64], spatial: usize) -> Result<Vec<i64>, String> {
    match list.len() {
        1 => Ok(vec![list[0]; spatial]),
        n if n == spatial => Ok(list.to_vec()),
        _ => Err(format!(
            "expected {name} to be a single integer value or a list of {spatial} values to match the convolution \
             dimensions, but got {name}={}",
            Shape(list)
        )),
    }
}

/// [n, in, spatial...] by [out, in / groups, kernel...] (transposed: [in, out / groups, kernel...]); one to
/// three spatial dimensions.
pub fn convolution<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (input, weight) = (args.tensor(0)?, args.tensor(1)?);
    one(&convolve(&input, &weight, args.optional_tensor(2)?, &parameters(args)?)?)
}

fn parameters(args: &Args) -> Result<Parameters, String> {
    Ok(Parameters {
        stride: args.ints("stride")?,
        padding: args.ints("padding")?,
        dilation: args.ints("dilation")?,
        output_padding: args.ints("output_padding")?,
        transposed: args.flag("transposed"),
        groups: args.int_or("groups", 1),
    })
}

/// The shape of the convolution of an input and a weight that are not the first operands.
pub(super) fn convolved(args: &Args, input: &TensorType, weight: &TensorType) -> Result<Vec<Size>, String> {
    Ok(convolve(input, weight, None, &parameters(args)?)?.shape)
}

fn spatial_of(weight: &TensorType) -> Result<usize, String> {
    match weight.rank() {
        0..=2 => Err("weight should have at least three dimensions".into()),
        rank => Ok(rank - 2),
    }
}

fn convolve<'c>(
    input: &TensorType<'c>,
    weight: &TensorType<'c>,
    bias: Option<TensorType<'c>>,
    parameters: &Parameters,
) -> Result<TensorType<'c>, String> {
    let spatial = spatial_of(weight)?;
    if parameters.groups <= 0 {
        return Err("non-positive groups is not supported".into());
    }
    let steps = Steps::of(parameters, weight)?;
    if input.rank() != weight.rank() {
        return Err(format!(
            "Expected {0}-dimensional input for {0}-dimensional weight {1}, but got {2}-dimensional input of size {3} instead",
            weight.rank(),
            Shape(&weight.shape),
            input.rank(),
            Shape(&input.shape)
        ));
    }
    let transposed = parameters.transposed;
    let out_channels = channels(input, weight, bias.as_ref(), parameters)?;
    let mut shape = vec![input.shape[0], out_channels];
    for d in 0..spatial {
        shape.push(steps.size(input, weight, transposed, d)?);
    }
    if transposed {
        let parts = [
            ("output_padding", &steps.output_padding),
            ("stride", &steps.stride),
            ("dilation", &steps.dilation),
        ];
        transposed_fits(&input.shape[2..], &shape[2..], parts)?;
    }
    // Which dtypes there are is the kernel's to say, last.
    let others = [Some(weight), bias.as_ref()];
    if let Some(tensor) = others.into_iter().flatten().find(|t| t.dtype != input.dtype) {
        return Err(format!(
            "expected scalar type {} but found {}",
            input.dtype.aten_name(),
            tensor.dtype.aten_name()
        ));
    }
    has_kernel(input, spatial, transposed, steps.dilation.iter().any(|d| *d > 1))?;
    Ok(input.with_shape(&shape))
}

/// How a kernel goes over its input, per spatial dimension.
struct Steps {
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    output_padding: Vec<i64>,
}

impl Steps {
    /// The lists of a convolution with a weight, none of them too small.
    fn of(parameters: &Parameters, weight: &TensorType) -> Result<Self, String> {
        let spatial = spatial_of(weight)?;
        let list = |name: &str, list: &[i64]| per_dimension(name, list, spatial);
        let stride = list("stride", &parameters.stride)?;
        let padding = list("padding", &parameters.padding)?;
        let dilation = list("dilation", &parameters.dilation)?;
        let output_padding = list("output_padding", &parameters.output_padding)?;
        if spatial > 3 {
            return Err(format!("expects a weight of a rank from 3 to 5, got {}", Shape(&weight.shape)));
        }
        for (list, least, message) in [
            (&padding, 0, "negative padding is not supported"),
            (&output_padding, 0, "negative output_padding is not supported"),
            (&stride, 1, "non-positive stride is not supported"),
            (&dilation, 1, "dilation should be greater than zero"),
        ] {
            if list.iter().any(|i| *i < least) {
                return Err(message.into());
            }
        }
        Ok(Self { stride, padding, dilation, output_padding })
    }

    /// The size of the result in spatial dimension `d`.
    fn size(
        &self,
        input: &TensorType,
        weight: &TensorType,
        transposed: bool,
        d: usize,
    ) -> Result<Size, String> {
        let Self { stride, padding, dilation, output_padding } = self;
        let (size, kernel) = (input.shape[d + 2], weight.shape[d + 2]);
        if size.is_unknown() || kernel.is_unknown() {
            return Ok(Size::UNKNOWN);
        }
        let reach = (kernel - 1) * dilation[d];
        let out = if transposed {
            (size - 1) * stride[d] - padding[d] * 2 + reach + output_padding[d] + 1
        } else {
            size + padding[d] * 2 - reach - 1
        };
        if !transposed && out.assume_lt(0) {
            let per_dimension = |of: &dyn Fn(usize) -> Size| {
                (0..stride.len()).map(|d| of(d).to_string()).collect::<Vec<_>>().join(" x ")
            };
            return Err(format!(
                "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
                per_dimension(&|d| input.shape[d + 2] + padding[d] * 2),
                per_dimension(&|d| (weight.shape[d + 2] - 1) * dilation[d] + 1)
            ));
        }
        Ok(if transposed { out } else { out / stride[d] + 1 })
    }
}

/// The channels of the result; those of input, weight and bias fit each other and the groups.
fn channels(
    input: &TensorType,
    weight: &TensorType,
    bias: Option<&TensorType>,
    parameters: &Parameters,
) -> Result<Size, String> {
    let (rows, groups, transposed) = (weight.shape[0], parameters.groups, parameters.transposed);
    if !rows.is_unknown() && (rows.assume_lt(groups) || (rows % groups).assume_ne(0)) {
        let size = Shape(&weight.shape);
        let (how, size) = match rows.assume_lt(groups) {
            true => ("at least", size.to_string()),
            false => ("divisible by", format!("[{size}]")),
        };
        return Err(format!(
            "Given groups={groups}, expected weight to be {how} {groups} at dimension 0, but got weight of size {size} instead"
        ));
    }
    let (in_channels, out_channels) =
        if transposed { (rows, weight.shape[1] * groups) } else { (weight.shape[1] * groups, rows) };
    let given = if transposed { "transposed=1".into() } else { format!("groups={groups}") };
    if !may_equal(input.shape[1], in_channels) {
        return Err(format!(
            "Given {given}, weight of size {}, expected input{} to have {in_channels} channels, but got {} channels instead",
            Shape(&weight.shape),
            Shape(&input.shape),
            input.shape[1]
        ));
    }
    if let Some(bias) = bias
        && (bias.rank() != 1 || !may_equal(bias.shape[0], out_channels))
    {
        return Err(format!(
            "Given {}weight of size {}, expected bias to be 1-dimensional with {out_channels} elements, but got bias of size {} instead",
            if transposed { "transposed=1, " } else { "" },
            Shape(&weight.shape),
            Shape(&bias.shape)
        ));
    }
    Ok(out_channels)
}

/// Whether eager has a kernel for the input's dtype, which is the other tensors' too.
fn has_kernel(input: &TensorType, spatial: usize, transposed: bool, dilated: bool) -> Result<(), String> {
    let dims = spatial.max(2);
    let (kernel, integers) = match (transposed, dilated) {
        (true, _) => (format!("slow_conv_transpose{dims}d_out_cpu"), false),
        (_, true) => ("slow_conv_dilated<>".into(), false),
        (_, _) if dims == 3 => ("compute_columns3d".into(), true),
        _ => (format!("slow_conv{dims}d_cpu"), true),
    };
    no_bool(&kernel, input)?;
    // Of integers these kernels have i64 alone.
    if !integers && input.dtype.category() == Category::Integer && input.dtype != Dtype::I64 {
        return Err(not_implemented(&kernel, input.dtype));
    }
    Ok(())
}

/// The output of a transpose has elements, and is padded by less than a step.
fn transposed_fits(input: &[Size], output: &[Size], parts: [(&str, &Vec<i64>); 3]) -> Result<(), String> {
    // One spatial dimension is a second one of size 1 to eager.
    let image = if input.len() == 1 { "1 x " } else { "" };
    let sides = ["depth", "height", "width"];
    let [padding, stride, dilation] = parts.map(|(_, list)| list);
    if (0..input.len()).any(|d| padding[d] >= stride[d] && padding[d] >= dilation[d]) {
        let named = |(name, list): (&str, &Vec<i64>)| {
            let first = (input.len() == 1).then_some(i64::from(name != "output_padding"));
            let values: Vec<i64> = first.into_iter().chain(list.iter().copied()).collect();
            let sides = &sides[sides.len() - values.len()..];
            sides
                .iter()
                .zip(&values)
                .map(|(side, n)| format!("{name}_{side}: {n}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        return Err(format!(
            "output padding must be smaller than either stride or dilation, but got {}",
            parts.map(named).join(" ")
        ));
    }
    if output.iter().any(|n| !n.is_unknown() && n.assume_lt(1)) {
        let by_x = |list: &[Size]| list.iter().map(Size::to_string).collect::<Vec<_>>().join(" x ");
        return Err(format!(
            "Given input size per channel: ({image}{}). Calculated output size per channel: ({image}{}). Output size is too small",
            by_x(input),
            by_x(output)
        ));
    }
    Ok(())
}

/// The input as a batch, and whether it was one image.
fn batched<'c>(args: &Args<'c, '_>, spatial: usize) -> Result<(TensorType<'c>, bool), String> {
    let input = args.tensor(0)?;
    let rank = input.rank();
    if rank != spatial + 1 && rank != spatial + 2 {
        return Err(format!(
            "Expected {}D (unbatched) or {}D (batched) input to {}, but got input of size: {}",
            spatial + 1,
            spatial + 2,
            args.operator().trim_end_matches(".padding"),
            Shape(&input.shape)
        ));
    }
    let single = rank == spatial + 1;
    Ok((if single { input.with_shape(&[&[Size::ONE], &input.shape[..]].concat()) } else { input }, single))
}

/// The number in the operator's name.
fn dimensions(args: &Args) -> usize {
    args.operator()
        .bytes()
        .find(u8::is_ascii_digit)
        .map(|digit| usize::from(digit - b'0'))
        .unwrap_or_default()
}

fn with_parameters<'c>(
    args: &Args<'c, '_>,
    parameters: impl FnOnce() -> Result<Parameters, String>,
) -> Types<'c> {
    let (input, single) = batched(args, dimensions(args))?;
    let parameters = parameters()?;
    let result = convolve(&input, &args.tensor(1)?, args.optional_tensor(2)?, &parameters)?;
    one(&if single { result.with_shape(&result.shape[1..]) } else { result })
}

fn list(args: &Args, name: &str, default: i64) -> Vec<i64> {
    args.optional_ints(name).unwrap_or_else(|| vec![default; dimensions(args)])
}

/// `conv1d` to `conv3d`: of a batch of images or of one.
pub fn conv<'c>(args: &Args<'c, '_>) -> Types<'c> {
    with_parameters(args, || {
        Ok(Parameters {
            stride: list(args, "stride", 1),
            padding: list(args, "padding", 0),
            dilation: list(args, "dilation", 1),
            output_padding: vec![0],
            transposed: false,
            groups: args.int_or("groups", 1),
        })
    })
}

/// `conv_transpose1d` to `conv_transpose3d`.
pub fn conv_transpose<'c>(args: &Args<'c, '_>) -> Types<'c> {
    with_parameters(args, || {
        Ok(Parameters {
            stride: list(args, "stride", 1),
            padding: list(args, "padding", 0),
            dilation: list(args, "dilation", 1),
            output_padding: list(args, "output_padding", 0),
            transposed: true,
            groups: args.int_or("groups", 1),
        })
    })
}

/// [`conv`] whose padding keeps the sizes (`same`) or is none (`valid`).
pub fn conv_padding<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let how = args.attribute("padding").map_or("valid".into(), crate::ir::attributes::string);
    let groups = args.int_or("groups", 1);
    let parameters = |stride, padding, dilation| Parameters {
        stride,
        padding,
        dilation,
        output_padding: vec![0],
        transposed: false,
        groups,
    };
    let (stride, dilation) = (list(args, "stride", 1), list(args, "dilation", 1));
    match how.as_str() {
        "valid" => with_parameters(args, || Ok(parameters(stride, vec![0], dilation))),
        "same" => {
            let (input, single) = batched(args, dimensions(args))?;
            let weight = args.tensor(1)?;
            let spatial = spatial_of(&weight)?;
            if groups <= 0 {
                return Err("non-positive groups is not supported".into());
            }
            if input.rank() != weight.rank() {
                return Err(format!(
                    "Expected {0}-dimensional input for {0}-dimensional weight{1}, but got {2}-dimensional input of size {3} instead",
                    weight.rank(),
                    Shape(&weight.shape),
                    input.rank(),
                    Shape(&input.shape)
                ));
            }
            for (name, list) in [("stride", &stride), ("dilation", &dilation)] {
                if list.len() != 1 && list.len() != spatial {
                    return Err(format!("{name} cannot broadcast to {spatial} dimensions"));
                }
            }
            if stride.iter().any(|n| *n != 1) {
                return Err("padding='same' is not supported for strided convolutions".into());
            }
            // A convolution pads both sides alike; what an odd reach needs more on one side is added before.
            let (mut padded, mut padding) = (input.clone(), vec![0; spatial]);
            for (d, (size, pad)) in padded.shape[2..].iter_mut().zip(&mut padding).enumerate() {
                let reach = (weight.shape[d + 2] - 1) * dilation[d.min(dilation.len() - 1)];
                match reach.known() {
                    Some(reach) => {
                        *pad = reach / 2;
                        *size += Size::from(reach % 2);
                    }
                    None if reach.is_unknown() => *size = Size::UNKNOWN,
                    None => *size += reach.assume_max(0),
                }
            }
            let made =
                convolve(&padded, &weight, args.optional_tensor(2)?, &parameters(stride, padding, dilation))?;
            one(&if single { made.with_shape(&made.shape[1..]) } else { made })
        }
        _ => {
            batched(args, dimensions(args))?;
            Err(format!("Invalid padding string: '{how}'"))
        }
    }
}
