//! Losses: of elements and their targets, of probabilities, of classes.

use super::{
    Size, TensorType, Types, may_equal, may_equal_shapes, nll_loss_forward, not_implemented, one,
    pointwise::{Joined, join, result, subtractable, takes_shape},
    wrap_dim,
};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};
use terrace_size::Number;

/// 0 for none, 1 for the mean, 2 for the sum.
fn reduction(args: &Args) -> Result<i64, String> {
    match args.int_or("reduction", 1) {
        reduction @ 0..=2 => Ok(reduction),
        other => Err(format!("{other} is not a valid value for reduction")),
    }
}

/// What a reduction leaves of joined elements.
fn reduced<'c>(args: &Args<'c, '_>, mut joined: Joined) -> Types<'c> {
    if reduction(args)? != 0 {
        joined.shape.clear();
    }
    let dtype = joined.dtype;
    result(args, &joined, dtype)
}

/// Losses of single elements, which broadcast.
pub fn loss<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, target) = (args.tensor(0)?, args.tensor(1)?);
    let float = |name: &str| args.attribute(name).map(crate::ir::attributes::f64);
    match args.operator() {
        "smooth_l1_loss" if float("beta").is_some_and(|beta| beta < 0.0) => {
            return Err("smooth_l1_loss does not support negative values for beta.".into());
        }
        "huber_loss" if float("delta").is_some_and(|delta| delta <= 0.0) => {
            return Err("huber_loss does not support non-positive values for delta.".into());
        }
        "l1_loss" => subtractable(args)?,
        "kl_div" if own.dtype.is_complex() || target.dtype.is_complex() => {
            return Err("kl_div: Complex inputs not supported.".into());
        }
        "kl_div" if !own.dtype.is_float() || !target.dtype.is_float() => {
            return Err("kl_div: Integral inputs not supported.".into());
        }
        _ => {}
    }
    // Eager iterates over the target of kl_div first.
    let joined = join(args, if args.operator() == "kl_div" { &[1, 0] } else { &[0, 1] })?;
    let way = reduction(args)?;
    if args.operator() == "l1_loss" && joined.dtype.is_complex() {
        // Magnitudes.
        return reduced(args, Joined { dtype: joined.dtype.part(), ..joined });
    }
    if !joined.dtype.is_float() {
        return match args.operator() {
            "l1_loss" if way == 1 => Err(format!(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
                joined.dtype.aten_name()
            )),
            "l1_loss" if way == 2 => reduced(args, Joined { dtype: Dtype::I64, ..joined }),
            "l1_loss" => reduced(args, joined),
            "mse_loss" => Err(not_implemented("mse_cpu", joined.dtype)),
            "smooth_l1_loss" => Err(not_implemented("smooth_l1_cpu", joined.dtype)),
            _ => Err(not_implemented("huber_cpu", joined.dtype)),
        };
    }
    if args.operator() == "huber_loss"
        && (own.dtype != target.dtype || !may_equal_shapes(&joined.shape, &own.shape))
    {
        return Err(format!(
            "expects a target of dtype {} that broadcasts to {}, got {}",
            own.dtype.aten_name(),
            Shape(&own.shape),
            target.to_type(args.context())
        ));
    }
    reduced(args, joined)
}

/// A weight broadcasts to the losses.
fn weighted(args: &Args, place: usize, losses: &TensorType) -> Result<(), String> {
    let Some(weight) = args.optional_tensor(place)? else { return Ok(()) };
    if weight.dtype != losses.dtype {
        return Err(format!(
            "expects a weight of dtype {}, got {}",
            losses.dtype.aten_name(),
            weight.dtype.aten_name()
        ));
    }
    let both = super::broadcast(&losses.shape, &weight.shape)?;
    takes_shape(&losses.shape, &both)
}

fn of_dtype(own: &TensorType, other: &TensorType) -> Result<(), String> {
    if own.dtype == other.dtype {
        return Ok(());
    }
    Err(format!("Found dtype {} but expected {}", other.dtype.aten_name(), own.dtype.aten_name()))
}

/// Of probabilities: floats of one dtype.
pub fn binary_cross_entropy<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, target) = (args.tensor(0)?, args.tensor(1)?);
    if !may_equal_shapes(&target.shape, &own.shape) {
        return Err(format!("expects a target of shape {}, got {}", Shape(&own.shape), Shape(&target.shape)));
    }
    let joined = join(args, &[0, 1]);
    of_dtype(&own, &target)?;
    if !own.dtype.is_float() {
        return Err(not_implemented("binary_cross_entropy", own.dtype));
    }
    let joined = joined?;
    weighted(args, 2, &own)?;
    reduced(args, joined)
}

/// Of logits: the target has their shape; weights broadcast.
pub fn binary_cross_entropy_with_logits<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, target) = (args.tensor(0)?, args.tensor(1)?);
    if !own.dtype.is_float() {
        return Err(not_implemented("log_sigmoid_cpu", own.dtype));
    }
    let joined = join(args, &[1, 0])?;
    for (place, name) in [(1, "target"), (2, "weight"), (3, "pos_weight")] {
        if let Some(t) = args.optional_tensor(place)?
            && t.dtype != own.dtype
        {
            return Err(format!(
                "expects a {name} of dtype {}, got {}",
                own.dtype.aten_name(),
                t.dtype.aten_name()
            ));
        }
    }
    if !may_equal_shapes(&joined.shape, &target.shape) {
        return Err(format!(
            "output with shape {} doesn't match the broadcast shape {}",
            Shape(&target.shape),
            Shape(&joined.shape)
        ));
    }
    if let Some(positive) = args.optional_tensor(3)? {
        // What the target makes of it scales the logarithms of the input.
        let scale = super::broadcast(&positive.shape, &target.shape)?;
        takes_shape(&own.shape, &super::broadcast(&own.shape, &scale)?)?;
    }
    weighted(args, 2, &target)?;
    reduced(args, joined)
}

/// The gradient of losses of single elements: pointwise in all three.
pub fn loss_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    reduction(args)?;
    let (grad, own, target) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    if args.operator() == "huber_loss_backward" && !own.dtype.is_float() {
        return Err(not_implemented("huber_backward_cpu_out", own.dtype));
    }
    let joined = join(args, &[0, 1, 2])?;
    if [&own, &target].iter().any(|t| t.dtype != grad.dtype) || !joined.dtype.is_float() {
        return Err(format!(
            "expects a gradient, input and target of one dtype of floats, got {}, {} and {}",
            grad.dtype.aten_name(),
            own.dtype.aten_name(),
            target.dtype.aten_name()
        ));
    }
    result(args, &joined, joined.dtype)
}

/// The gradient of `binary_cross_entropy`, of the input's type.
pub fn binary_cross_entropy_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    reduction(args)?;
    let (grad, own, target) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    for other in [&grad, &target].into_iter().chain(&args.optional_tensor(3)?) {
        of_dtype(&own, other)?;
    }
    if !own.dtype.is_float() {
        return Err(not_implemented("binary_cross_entropy_backward", own.dtype));
    }
    let joined = join(args, &[0, 1])?;
    if !may_equal_shapes(&joined.shape, &own.shape) || !may_equal_shapes(&target.shape, &own.shape) {
        return Err(format!(
            "expects a target of the input's shape {} and a gradient that broadcasts to it",
            Shape(&own.shape)
        ));
    }
    weighted(args, 3, &own)?;
    one(&own)
}

/// `nll_loss_forward` without the weight of the samples.
pub fn nll_loss<'c>(args: &Args<'c, '_>) -> Types<'c> {
    reduction(args)?;
    nll_loss_forward(args).map(|types| types[..1].to_vec())
}

/// Classes in dimension 1; a target for each of the others.
pub fn nll_loss_nd<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, target) = (args.tensor(0)?, args.tensor(1)?);
    if own.rank() < 1 {
        return Err(format!("Expected 1 or more dimensions (got {})", own.rank()));
    }
    // A target without dimensions counts as one of no batches.
    let batches = target.shape.first().copied().unwrap_or(Size::ZERO);
    if own.rank() != 1 && !may_equal(batches, own.shape[0]) {
        return Err(format!(
            "Expected input batch_size ({}) to match target batch_size ({batches}).",
            own.shape[0]
        ));
    }
    match own.rank() {
        1 | 2 => nll_loss(args),
        4 => nll_loss2d_forward(args).map(|types| types[..1].to_vec()),
        _ => {
            let wanted = [&own.shape[..1], &own.shape[2..]].concat();
            let rest = target.shape.get(1..).ok_or("ArrayRef: invalid slice, N = 1; size = 0")?;
            if !may_equal_shapes(rest, &wanted[1..]) {
                return Err(format!("Expected target size {}, got {}", Shape(&wanted), Shape(&target.shape)));
            }
            class_dtype(&target)?;
            class_count(args, &own, 2)?;
            class_dtypes(args, &own, 2, "nll_loss2d_forward_out_frame")?;
            let shape = if reduction(args)? == 0 { wanted } else { vec![] };
            one(&own.with_shape(&shape))
        }
    }
}

fn class_dtype(target: &TensorType) -> Result<(), String> {
    if matches!(target.dtype, Dtype::I64 | Dtype::U8) {
        return Ok(());
    }
    Err(format!("expected target dtype to be Long or Byte, but got {}", target.dtype.aten_name()))
}

/// A weight has an element for each class.
fn class_count(args: &Args, own: &TensorType, place: usize) -> Result<(), String> {
    let Some(weight) = args.optional_tensor(place)? else { return Ok(()) };
    if weight.elements().is_none_or(|n| may_equal(n, own.shape[1])) {
        return Ok(());
    }
    Err("weight tensor should be defined either for all or no classes".into())
}

/// The input is of floats, a weight of the same ones.
fn class_dtypes(args: &Args, own: &TensorType, weight: usize, kernel: &str) -> Result<(), String> {
    if !own.dtype.is_float() {
        return Err(not_implemented(kernel, own.dtype));
    }
    match args.optional_tensor(weight)?.filter(|weight| weight.dtype != own.dtype) {
        Some(weight) => Err(format!(
            "expected scalar type {} but found {}",
            own.dtype.aten_name(),
            weight.dtype.aten_name()
        )),
        None => Ok(()),
    }
}

/// Images of classes [N, C, H, W] and of targets [N, H, W].
fn classified<'c>(args: &Args<'c, '_>, first: usize) -> Result<TensorType<'c>, String> {
    let (own, target) = (args.tensor(first)?, args.tensor(first + 1)?);
    if target.rank() != 3 {
        return Err(format!(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: {}",
            target.rank()
        ));
    }
    if own.rank() != 4 {
        return Err(format!(
            "only batches of spatial inputs supported (4D tensors), but got input of dimension: {}",
            own.rank()
        ));
    }
    class_dtype(&target)?;
    class_count(args, &own, first + 2)?;
    if !may_equal_shapes(&target.shape, &[own.shape[0], own.shape[2], own.shape[3]]) {
        return Err(format!(
            "size mismatch (got input: {} , target: {}",
            Shape(&own.shape),
            Shape(&target.shape)
        ));
    }
    let direction = if first == 0 { "forward" } else { "backward" };
    class_dtypes(args, &own, first + 2, &format!("nll_loss2d_{direction}_out_frame"))?;
    Ok(own)
}

/// [N, H, W] without a reduction, else one; and the weight of all elements.
pub fn nll_loss2d_forward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, way) = (classified(args, 0)?, reduction(args)?);
    let all = [own.shape[0], own.shape[2], own.shape[3]];
    let total = own.with_shape(&[]).into();
    Ok(vec![own.with_shape(if way == 0 { &all } else { &[] }).into(), total])
}

/// The type of `self`.
pub fn nll_loss2d_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, grad, total) = (classified(args, 1)?, args.tensor(0)?, args.tensor(4)?);
    if total.elements().is_some_and(|n| n.assume_ne(1)) {
        return Err(format!(
            "expected total_weight to be a single element tensor, got: {} ({} elements)",
            Shape(&total.shape),
            total.elements().unwrap_or_default()
        ));
    }
    let wanted: Vec<Size> =
        if reduction(args)? == 0 { vec![own.shape[0], own.shape[2], own.shape[3]] } else { vec![] };
    let single = wanted.is_empty() && grad.rank() <= 1 && grad.elements().is_none_or(|n| n.assume_eq(1));
    if grad.dtype != own.dtype
        || total.dtype != own.dtype
        || !(single || may_equal_shapes(&grad.shape, &wanted))
    {
        return Err(format!("expects a gradient of the loss's type, got {}", grad.to_type(args.context())));
    }
    one(&own)
}

/// What the logarithms of a softmax are of.
fn floats(own: &TensorType) -> Result<(), String> {
    let last = own.rank() < 3;
    let kernel = if last { "log_softmax_lastdim_kernel_impl" } else { "log_softmax_kernel_impl" };
    if own.dtype.is_float() { Ok(()) } else { Err(not_implemented(kernel, own.dtype)) }
}

/// Targets that are classes, or of the input's shape that are probabilities.
pub fn cross_entropy_loss<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, target) = (args.tensor(0)?, args.tensor(1)?);
    let smoothing = args.attribute("label_smoothing").map_or(0.0, crate::ir::attributes::f64);
    let smooths = match smoothing > 1.0 {
        true => Err(format!("label_smoothing must be between 0.0 and 1.0. Got: {smoothing}")),
        false => Ok(smoothing > 0.0),
    };
    let same = own.rank() == target.rank() && may_equal_shapes(&own.shape, &target.shape);
    let of_classes = usize::from(own.rank() != 1);
    let probabilities = same && !(own.rank() == 1 && own.shape[0].assume_eq(1) && !target.dtype.is_float());
    if !probabilities {
        let smooths = smooths?;
        wrap_dim(of_classes as i64, own.rank())?;
        floats(&own)?;
        let types = nll_loss_nd(args)?;
        if smooths && args.int_or("ignore_index", -100) >= 0 {
            // What is ignored is taken out of the losses, which a target for one sample alone has a dimension
            // more than.
            let losses = if own.rank() == 1 { &[][..] } else { &target.shape };
            takes_shape(losses, &super::broadcast(losses, &target.shape)?)?;
        }
        return Ok(types);
    }
    if !target.dtype.is_float() {
        return Err(format!(
            "Expected floating point type for target with class probabilities, got {}",
            target.dtype.aten_name()
        ));
    }
    if args.int_or("ignore_index", -100) >= 0 {
        return Err("ignore_index is not supported for floating point target".into());
    }
    let classes = own.shape[wrap_dim(of_classes as i64, own.rank())?];
    let weight = args.optional_tensor(2)?;
    if let Some(weight) = &weight
        && !(weight.rank() == 1 && may_equal(weight.shape[0], classes))
    {
        return Err(format!(
            "cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of shape: {}",
            Shape(&weight.shape)
        ));
    }
    floats(&own)?;
    smooths?;
    if target.dtype != own.dtype || weight.is_some_and(|weight| weight.dtype != own.dtype) {
        return Err(format!("expects probabilities and weights of dtype {}", own.dtype.aten_name()));
    }
    let rest = if own.rank() == 1 { vec![] } else { [&own.shape[..1], &own.shape[2..]].concat() };
    let shape = if reduction(args)? == 0 { rest } else { vec![] };
    one(&own.with_shape(&shape))
}
