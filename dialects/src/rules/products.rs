//! Matrix products and convolution.

use super::{Types, may_equal, one, pointwise::expands_to};
use crate::{
    args::Args,
    types::{DYNAMIC, Shape, TensorType},
};

fn same_dtype(a: &TensorType, b: &TensorType) -> Result<(), String> {
    if a.dtype == b.dtype {
        return Ok(());
    }
    Err(format!(
        "expected m1 and m2 to have the same dtype, but got: {} != {}",
        a.dtype.aten_name(),
        b.dtype.aten_name()
    ))
}

fn no_bool(t: &TensorType) -> Result<(), String> {
    if t.dtype == crate::dtype::Dtype::Bool { Err("not implemented for 'Bool'".into()) } else { Ok(()) }
}

fn multiply(a: &TensorType, b: &TensorType) -> Result<Vec<i64>, String> {
    if a.rank() != 2 || b.rank() != 2 {
        let which = if a.rank() != 2 { "self" } else { "mat2" };
        return Err(format!("{which} must be a matrix"));
    }
    same_dtype(a, b)?;
    no_bool(a)?;
    if !may_equal(a.shape[1], b.shape[0]) {
        return Err(format!(
            "mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})",
            a.shape[0], a.shape[1], b.shape[0], b.shape[1]
        ));
    }
    Ok(vec![a.shape[0], b.shape[1]])
}

/// [n, k] by [k, m].
pub fn mm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let a = args.tensor(0)?;
    let shape = multiply(&a, &args.tensor(1)?)?;
    one(args.context(), &a.with_shape(&shape))
}

/// [b, n, k] by [b, k, m].
pub fn bmm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b) = (args.tensor(0)?, args.tensor(1)?);
    if a.rank() != 3 || b.rank() != 3 {
        return Err(format!("batch{} must be a 3D tensor", if a.rank() != 3 { 1 } else { 2 }));
    }
    same_dtype(&a, &b)?;
    no_bool(&a)?;
    if !may_equal(a.shape[0], b.shape[0]) || !may_equal(a.shape[2], b.shape[1]) {
        return Err(format!(
            "Expected size for first two dimensions of batch2 tensor to be: {} but got: {}.",
            Shape(&[a.shape[0], a.shape[2]]),
            Shape(&b.shape[..2])
        ));
    }
    one(args.context(), &a.with_shape(&[a.shape[0], a.shape[1], b.shape[2]]))
}

/// [n, k] by [k, m], and `self` that expands to [n, m].
pub fn addmm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, a, b) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let shape = multiply(&a, &b)?;
    if own.dtype != a.dtype {
        return Err(format!(
            "self and mat2 must have the same dtype, but got {} and {}",
            own.dtype.aten_name(),
            a.dtype.aten_name()
        ));
    }
    expands_to(&own.shape, &shape)?;
    one(args.context(), &a.with_shape(&shape))
}

/// [..., in] by a weight [out, in] (or `[in]`), and a bias that expands to the result.
pub fn linear<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (input, weight) = (args.tensor(0)?, args.tensor(1)?);
    same_dtype(&input, &weight)?;
    no_bool(&input)?;
    let (Some((last, lead)), true) = (input.shape.split_last(), (1..=2).contains(&weight.rank())) else {
        return Err(format!(
            "linear(): expects an input of 1 dimension or more and a weight of 1 or 2, got {} and {}",
            Shape(&input.shape),
            Shape(&weight.shape)
        ));
    };
    let features = weight.shape[weight.rank() - 1];
    if !may_equal(*last, features) {
        let rows = lead.iter().try_fold(1i64, |p, s| if *s == DYNAMIC { None } else { Some(p * s) });
        return Err(format!(
            "mat1 and mat2 shapes cannot be multiplied ({}x{last} and {features}x{})",
            rows.map_or("?".into(), |r| r.to_string()),
            if weight.rank() == 2 { weight.shape[0] } else { 1 }
        ));
    }
    let mut shape = lead.to_vec();
    if weight.rank() == 2 {
        shape.push(weight.shape[0]);
    }
    if let Some(bias) = args.optional_tensor(2)? {
        same_dtype(&input, &bias)?;
        expands_to(&bias.shape, &shape)?;
    }
    one(args.context(), &input.with_shape(&shape))
}

/// [n, in, spatial...] by [out, in / groups, kernel...] (transposed: [in, out / groups, kernel...]); one to three
/// spatial dimensions.
pub fn convolution<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (input, weight) = (args.tensor(0)?, args.tensor(1)?);
    if input.dtype != weight.dtype {
        return Err(format!(
            "Input type ({}) and weight type ({}) should be the same",
            input.dtype.aten_name(),
            weight.dtype.aten_name()
        ));
    }
    no_bool(&input)?;
    let spatial = weight.rank().saturating_sub(2);
    if !(1..=3).contains(&spatial) || input.rank() != weight.rank() {
        return Err(format!(
            "expects input and weight of one rank from 3 to 5, got {} and {}",
            Shape(&input.shape),
            Shape(&weight.shape)
        ));
    }
    let list = |name: &str, least: i64| -> Result<Vec<i64>, String> {
        let list = args.ints(name)?;
        // One number stands for every dimension.
        let list = if list.len() == 1 { vec![list[0]; spatial] } else { list };
        if list.len() != spatial || list.iter().any(|i| *i < least) {
            return Err(format!(
                "expects '{name}' of {spatial} numbers of at least {least}, got {}",
                Shape(&list)
            ));
        }
        Ok(list)
    };
    let (stride, padding, dilation, output_padding) =
        (list("stride", 1)?, list("padding", 0)?, list("dilation", 1)?, list("output_padding", 0)?);
    let transposed = args.flag("transposed");
    let groups = args.int_or("groups", 1);
    if groups <= 0 {
        return Err("expected groups to be greater than 0".into());
    }
    let (channels, per_group) = (input.shape[1], if transposed { weight.shape[0] } else { weight.shape[1] });
    let expected = if transposed || per_group == DYNAMIC { per_group } else { per_group * groups };
    if !may_equal(channels, expected) {
        return Err(format!(
            "Given groups={groups}, weight of size {}, expected input{} to have {expected} channels, but got {channels} channels instead",
            Shape(&weight.shape),
            Shape(&input.shape)
        ));
    }
    let out_channels = match (transposed, weight.shape[1]) {
        (true, DYNAMIC) => DYNAMIC,
        (true, n) => n * groups,
        (false, _) => weight.shape[0],
    };
    if !transposed && out_channels != DYNAMIC && out_channels % groups != 0 {
        return Err(format!(
            "Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size {} instead",
            Shape(&weight.shape)
        ));
    }
    if transposed && channels != DYNAMIC && channels % groups != 0 {
        return Err(format!(
            "Given transposed=1, expected the {channels} input channels to be divisible by groups={groups}"
        ));
    }
    if let Some(bias) = args.optional_tensor(2)?
        && (bias.rank() != 1 || !may_equal(bias.shape[0], out_channels) || bias.dtype != input.dtype)
    {
        return Err(format!(
            "Given weight of size {}, expected bias to be 1-dimensional with {out_channels} elements, but got bias of size {} instead",
            Shape(&weight.shape),
            Shape(&bias.shape)
        ));
    }
    let mut shape = vec![input.shape[0], out_channels];
    for d in 0..spatial {
        let (size, kernel) = (input.shape[d + 2], weight.shape[d + 2]);
        if size == DYNAMIC || kernel == DYNAMIC {
            shape.push(DYNAMIC);
            continue;
        }
        let reach = dilation[d] * (kernel - 1);
        let out = if transposed {
            (size - 1) * stride[d] - 2 * padding[d] + reach + output_padding[d] + 1
        } else {
            let room = size + 2 * padding[d] - reach - 1;
            if room < 0 {
                return Err(format!(
                    "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
                    size + 2 * padding[d],
                    reach + 1
                ));
            }
            room / stride[d] + 1
        };
        if out < 0 {
            return Err(format!(
                "Given input size per channel: ({size}). Calculated output size per channel: ({out}). Output size is too small"
            ));
        }
        shape.push(out);
    }
    one(args.context(), &input.with_shape(&shape))
}
