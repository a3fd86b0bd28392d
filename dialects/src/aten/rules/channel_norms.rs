//! Norms with a statistic per channel (batch norm), per image and channel (instance norm), per group of
//! channels (group norm).

use super::{
    Inferred, Size, TensorType, Types, devices::on_cuda, may_equal, normalization::parameter_dtype,
    not_implemented, one,
};
use crate::ir::{args::Args, types::Shape};
use terrace_size::Number;

/// The channels of a tensor whose images may be counted too.
fn channels(own: &TensorType) -> Result<Size, String> {
    match own.rank() {
        0 => Err("Dimension specified as 0 but tensor has no dimensions".into()),
        1 => Err("Dimension out of range (expected to be in range of [-1, 0], but got 1)".into()),
        _ => Ok(own.shape[1]),
    }
}

const STATISTICS: [&str; 4] = ["running_mean", "running_var", "weight", "bias"];

/// The parameters in the order in which eager looks at them: running mean and variance, weight, bias.
fn parameters<'c>(args: &Args<'c, '_>) -> Result<[Option<TensorType<'c>>; 4], String> {
    Ok([
        args.optional_tensor(3)?,
        args.optional_tensor(4)?,
        args.optional_tensor(1)?,
        args.optional_tensor(2)?,
    ])
}

/// Each parameter has an element per channel; without training both running statistics are there.
fn check(
    own: &TensorType,
    channels: Size,
    repeats: Size,
    parameters: &[Option<TensorType>; 4],
    training: bool,
) -> Result<(), String> {
    let unequal = "running_mean and running_var must either both be None or neither be None";
    for (place, (name, parameter)) in STATISTICS.iter().zip(parameters).enumerate() {
        let Some(t) = parameter else {
            match place {
                0 | 1 if !training => return Err(format!("{name} must be defined in evaluation mode")),
                _ => continue,
            }
        };
        let count = t.elements().map_or(Size::UNKNOWN, |n| n * repeats);
        if !may_equal(count, channels) {
            return Err(format!("{name} should contain {channels} elements not {count}"));
        }
    }
    if parameters[0].is_some() != parameters[1].is_some() {
        return Err(unequal.into());
    }
    if !own.dtype.is_float() {
        return Err(not_implemented("batch_norm", own.dtype));
    }
    let [mean, variance, weight, bias] = parameters.clone();
    let in_order = [weight, bias, mean, variance];
    parameter_dtype(own, &in_order)?;
    match in_order.iter().flatten().find(|t| t.rank() != 1) {
        Some(t) => Err(format!("TensorAccessor expected 1 dims but tensor has {}", t.rank())),
        None => Ok(()),
    }
}

/// Batch norm of all kinds: the input's type; where the operation has them, the statistics that were used (of
/// training, else empty); in functional, the running statistics after it.
pub fn batch_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let parameters = parameters(args)?;
    let training = args.flag("training");
    let result = Inferred::from(own.clone());
    let plain = args.operator() == "batch_norm";
    let checked = channels(&own).and_then(|channels| {
        check(&own, channels, Size::ONE, &parameters, training)?;
        Ok(channels)
    });
    if plain {
        // Of nothing eager checks nothing; which is asked only where it makes a difference.
        let is_nothing = || args.is_graph() && own.rank() > 1 && own.is_empty();
        return checked
            .map(|_| vec![result.clone()])
            .or_else(|why| if is_nothing() { Ok(vec![result]) } else { Err(why) });
    }
    let channels = checked?;
    if training && own.is_empty() {
        return Err(format!(
            "input tensor must have at least one element, but got input_sizes = {}",
            Shape(&own.shape)
        ));
    }
    let [mean, variance, weight, bias] = &parameters;
    let in_order = [weight, bias, mean, variance].map(Option::clone);
    let dtype = parameter_dtype(&own, &in_order)?;
    // The kernels for CUDA make them always, in the precision in which they compute.
    let (dtype, made) = if on_cuda(args) { (own.dtype.opmath(), true) } else { (dtype, training) };
    let shape = [if made { channels } else { Size::ZERO }];
    let statistics = Inferred::from(own.with_shape(&shape).with_dtype(dtype));
    let mut types = vec![result, statistics.clone(), statistics];
    if !args.is_graph() && training {
        types.extend(parameters[..2].iter().flatten().map(|t| t.clone().into()));
    }
    Ok(types)
}

/// The input's type.
pub fn instance_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let parameters = parameters(args)?;
    let training = args.flag("use_input_stats");
    if !training && parameters[..2].iter().any(Option::is_none) {
        return Err(
            "Expected running_mean and running_var to be defined when use_input_stats is false".into()
        );
    }
    let channels = channels(&own)?;
    let images = own.shape[0];
    if images.is_unknown() || channels.is_unknown() {
        return one(&own);
    }
    if parameters.iter().flatten().any(|t| t.rank() > 1) {
        return Err(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
                .into(),
        );
    }
    if own.is_empty() && (images * channels).assume_eq(0) && parameters[2..].iter().any(Option::is_some) {
        return Err("select(): index 0 out of range for tensor of size [0] at dimension 0".into());
    }
    if !own.is_empty() {
        check(&own, images * channels, images, &parameters, training)?;
    }
    one(&own)
}

/// The groups of the input's channels are whole; each parameter has an element per channel.
fn grouped(
    own: &TensorType,
    channels: Size,
    groups: i64,
    parameters: &[Option<TensorType>],
) -> Result<(), String> {
    if groups <= 0 {
        return Err(format!("Expected num groups to be greater than 0, got {groups}"));
    }
    if !channels.is_unknown() && (channels % groups).assume_ne(0) {
        return Err(format!(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and num_groups={groups}",
            Shape(&own.shape)
        ));
    }
    for (name, parameter) in ["weight", "bias"].iter().zip(parameters) {
        if let Some(t) = parameter
            && (t.rank() != 1 || !may_equal(t.shape[0], channels))
        {
            return Err(format!(
                "Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape {} and input of shape {}",
                Shape(&t.shape),
                Shape(&own.shape)
            ));
        }
    }
    Ok(())
}

/// Something in each image.
fn group_norm_kernel(
    own: &TensorType,
    channels: Size,
    inner: Size,
    parameters: &[Option<TensorType>],
) -> Result<(), String> {
    parameter_dtype(own, parameters)?;
    for (what, size) in [("number of channels", channels), ("HxW", inner)] {
        if size.assume_eq(0) {
            return Err(format!("Expected {what} to be greater than 0, got 0"));
        }
    }
    Ok(())
}

fn floats_of_groups(own: &TensorType) -> Result<(), String> {
    if own.dtype.is_float() { Ok(()) } else { Err(not_implemented("GroupNormKernelImpl", own.dtype)) }
}

/// The input's type.
pub fn group_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let parameters = [args.optional_tensor(1)?, args.optional_tensor(2)?];
    grouped(&own, channels(&own)?, args.int("num_groups")?, &parameters)?;
    let inner: Size = own.shape[2..].iter().filter(|n| !n.is_unknown()).product();
    group_norm_kernel(&own, own.shape[1], inner, &parameters)?;
    floats_of_groups(&own)?;
    one(&own)
}

/// The input's type, and twice images by groups.
pub fn native_group_norm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    let parameters = [args.optional_tensor(1)?, args.optional_tensor(2)?];
    let (images, count, inner) = (args.int("N")?, args.int("C")?, args.int("HxW")?);
    let groups = args.int("group")?;
    grouped(&own, count.into(), groups, &parameters)?;
    group_norm_kernel(&own, count.into(), inner.into(), &parameters)?;
    if images < 0 {
        return Err(format!(
            "Trying to create tensor with negative dimension {images}: [{images}, {groups}]"
        ));
    }
    floats_of_groups(&own)?;
    let product = images.checked_mul(count).and_then(|n| n.checked_mul(inner));
    if own.elements().is_some_and(|n| product.is_none_or(|product| n.assume_ne(product))) {
        return Err("Expected X.numel() == N * C * HxW to be true, but got false.".into());
    }
    let dtype = parameter_dtype(&own, &parameters)?;
    let statistics = Inferred::from(own.with_shape(&[images.into(), groups.into()]).with_dtype(dtype));
    Ok(vec![own.into(), statistics.clone(), statistics])
}
