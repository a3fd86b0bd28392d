//! Matrix products and convolution.

use super::{Types, creation::representable, may_equal, not_implemented, one, pointwise::expands_to};
use crate::{
    args::Args,
    dtype::{Category, Dtype},
    types::{DYNAMIC, Shape, TensorType},
};

/// What the kernel of matrix products is called.
const PRODUCT: &str = "addmm_impl_cpu_";

fn no_bool(kernel: &str, t: &TensorType) -> Result<(), String> {
    if t.dtype == Dtype::Bool { Err(not_implemented(kernel, t.dtype)) } else { Ok(()) }
}

/// The shape of the product of two matrices, for the operator of a name.
fn multiply(name: &str, a: &[i64], b: &[i64]) -> Result<Vec<i64>, String> {
    for (which, shape) in [("self", a), ("mat2", b)] {
        if shape.len() != 2 {
            return Err(format!("{name}: {which} must be a matrix, got {}-D tensor", shape.len()));
        }
    }
    if !may_equal(a[1], b[0]) {
        let sizes = [a[0], a[1], b[0], b[1]].map(|s| if s == DYNAMIC { "?".into() } else { s.to_string() });
        let [rows, inner, outer, columns] = sizes;
        return Err(format!(
            "{name}: mat1 and mat2 shapes cannot be multiplied ({rows}x{inner} and {outer}x{columns})"
        ));
    }
    Ok(vec![a[0], b[1]])
}

/// The dtypes of a product without an addend.
fn same_dtype(a: &TensorType, b: &TensorType) -> Result<(), String> {
    if a.dtype == b.dtype {
        return no_bool(PRODUCT, a);
    }
    Err(format!(
        "expected m1 and m2 to have the same dtype, but got: {} != {}",
        a.dtype.c_name(),
        b.dtype.c_name()
    ))
}

/// The dtypes of a product with an addend.
fn same_dtypes(addend: &TensorType, a: &TensorType, b: &TensorType) -> Result<(), String> {
    for (name, tensor) in [("self", addend), ("mat1", a)] {
        if tensor.dtype != b.dtype {
            return Err(format!(
                "{name} and mat2 must have the same dtype, but got {} and {}",
                tensor.dtype.aten_name(),
                b.dtype.aten_name()
            ));
        }
    }
    Ok(())
}

/// [n, k] by [k, m].
pub fn mm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b) = (args.tensor(0)?, args.tensor(1)?);
    let shape = multiply("mm", &a.shape, &b.shape)?;
    same_dtype(&a, &b)?;
    one(args.context(), &a.with_shape(&shape))
}

/// [b, n, k] by [b, k, m].
pub fn bmm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b) = (args.tensor(0)?, args.tensor(1)?);
    if a.rank() != 3 || b.rank() != 3 {
        return Err(format!("batch{} must be a 3D tensor", if a.rank() != 3 { 1 } else { 2 }));
    }
    if !may_equal(a.shape[0], b.shape[0]) || !may_equal(a.shape[2], b.shape[1]) {
        return Err(format!(
            "Expected size for first two dimensions of batch2 tensor to be: {} but got: {}.",
            Shape(&[a.shape[0], a.shape[2]]),
            Shape(&b.shape[..2])
        ));
    }
    no_bool("bmm", &a)?;
    if a.dtype != b.dtype {
        return Err(format!(
            "expected scalar type {} but found {}",
            a.dtype.aten_name(),
            b.dtype.aten_name()
        ));
    }
    one(args.context(), &a.with_shape(&[a.shape[0], a.shape[1], b.shape[2]]))
}

/// [n, k] by [k, m], and `self` that expands to [n, m].
pub fn addmm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, a, b) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    same_dtypes(&own, &a, &b)?;
    let shape = multiply("addmm", &a.shape, &b.shape)?;
    expands_to(&own, &shape)?;
    no_bool(PRODUCT, &a)?;
    for factor in [args.optional(3)?, args.optional(4)?].into_iter().flatten() {
        representable(factor, a.dtype.opmath())?;
    }
    one(args.context(), &a.with_shape(&shape))
}

/// [..., in] by a weight [out, in] (or `[in]`), and a bias that expands to the result.
pub fn linear<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (input, weight) = (args.tensor(0)?, args.tensor(1)?);
    let (Some((last, lead)), Some((features, out))) = (input.shape.split_last(), weight.shape.split_last())
    else {
        return Err(format!(
            "both arguments to linear need to be at least 1D, but they are {}D and {}D",
            input.rank(),
            weight.rank()
        ));
    };
    if weight.rank() > 2 {
        return Err(format!("t() expects a tensor with <= 2 dimensions, but self is {}D", weight.rank()));
    }
    // A product of matrices: the rows of the input by the weight, transposed.
    let bias = args.optional_tensor(2)?;
    if let Some(bias) = &bias {
        same_dtypes(bias, &input, &weight)?;
    }
    let rows = lead.iter().try_fold(1i64, |p, s| if *s == DYNAMIC { None } else { p.checked_mul(*s) });
    let columns = out.first().copied().unwrap_or(1);
    let name = if bias.is_some() { "addmm" } else { "mm" };
    let matrix = multiply(name, &[rows.unwrap_or(DYNAMIC), *last], &[*features, columns])?;
    let mut shape = lead.to_vec();
    shape.extend(out);
    match bias {
        // Two dimensions and a bias are one addmm in eager, which takes no vector.
        Some(_) if weight.rank() == 1 && input.rank() == 2 => {
            return Err("addmm: mat2 must be a matrix, got 1-D tensor".into());
        }
        Some(bias) => {
            expands_to(&bias, if weight.rank() == 2 { &matrix } else { &shape })?;
            no_bool(PRODUCT, &input)?;
        }
        None => same_dtype(&input, &weight)?,
    }
    one(args.context(), &input.with_shape(&shape))
}

/// [n, in, spatial...] by [out, in / groups, kernel...] (transposed: [in, out / groups, kernel...]); one to three
/// spatial dimensions.
pub fn convolution<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (input, weight) = (args.tensor(0)?, args.tensor(1)?);
    let spatial = weight.rank().saturating_sub(2);
    if !(1..=3).contains(&spatial) {
        return Err(format!("expects a weight of a rank from 3 to 5, got {}", Shape(&weight.shape)));
    }
    let groups = args.int_or("groups", 1);
    if groups <= 0 {
        return Err("non-positive groups is not supported".into());
    }
    let list = |name: &str| -> Result<Vec<i64>, String> {
        let list = args.ints(name)?;
        match list.len() {
            // One number stands for every dimension.
            1 => Ok(vec![list[0]; spatial]),
            n if n == spatial => Ok(list),
            _ => Err(format!(
                "expected {name} to be a single integer value or a list of {spatial} values to match the convolution \
                 dimensions, but got {name}={}",
                Shape(&list)
            )),
        }
    };
    let (stride, padding, dilation, output_padding) =
        (list("stride")?, list("padding")?, list("dilation")?, list("output_padding")?);
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
    if input.rank() != weight.rank() {
        return Err(format!(
            "Expected {0}-dimensional input for {0}-dimensional weight {1}, but got {2}-dimensional input of size {3} instead",
            weight.rank(),
            Shape(&weight.shape),
            input.rank(),
            Shape(&input.shape)
        ));
    }
    let rows = weight.shape[0];
    let transposed = args.flag("transposed");
    if rows != DYNAMIC && (rows < groups || rows % groups != 0) {
        let how = if rows < groups { "at least" } else { "divisible by" };
        return Err(format!(
            "Given groups={groups}, expected weight to be {how} {groups} at dimension 0, but got weight of size {} instead",
            Shape(&weight.shape)
        ));
    }
    let times_groups = |n: i64| if n == DYNAMIC { DYNAMIC } else { n * groups };
    let (in_channels, out_channels) = if transposed {
        (rows, times_groups(weight.shape[1]))
    } else {
        (times_groups(weight.shape[1]), rows)
    };
    let given = if transposed { "transposed=1".into() } else { format!("groups={groups}") };
    if !may_equal(input.shape[1], in_channels) {
        return Err(format!(
            "Given {given}, weight of size {}, expected input{} to have {in_channels} channels, but got {} channels instead",
            Shape(&weight.shape),
            Shape(&input.shape),
            input.shape[1]
        ));
    }
    let bias = args.optional_tensor(2)?;
    if let Some(bias) = &bias
        && (bias.rank() != 1 || !may_equal(bias.shape[0], out_channels))
    {
        return Err(format!(
            "Given {}weight of size {}, expected bias to be 1-dimensional with {out_channels} elements, but got bias of size {} instead",
            if transposed { "transposed=1, " } else { "" },
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
            size + 2 * padding[d] - reach - 1
        };
        if !transposed && out < 0 {
            let per_dimension = |of: &dyn Fn(usize) -> i64| {
                (0..spatial).map(|d| of(d).to_string()).collect::<Vec<_>>().join(" x ")
            };
            return Err(format!(
                "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
                per_dimension(&|d| input.shape[d + 2] + 2 * padding[d]),
                per_dimension(&|d| dilation[d] * (weight.shape[d + 2] - 1) + 1)
            ));
        }
        let out = if transposed { out } else { out / stride[d] + 1 };
        if out < 0 {
            return Err(format!(
                "Given input size per channel: ({size}). Calculated output size per channel: ({out}). Output size is too small"
            ));
        }
        shape.push(out);
    }
    // Which dtypes there are is the kernel's to say, last.
    let others = [Some(&weight), bias.as_ref()];
    if let Some(tensor) = others.into_iter().flatten().find(|t| t.dtype != input.dtype) {
        return Err(format!(
            "expected scalar type {} but found {}",
            input.dtype.aten_name(),
            tensor.dtype.aten_name()
        ));
    }
    let dims = spatial.max(2);
    let (kernel, integers) = match (transposed, dilation.iter().any(|d| *d > 1)) {
        (true, _) => (format!("slow_conv_transpose{dims}d_out_cpu"), false),
        (_, true) => ("slow_conv_dilated<>".into(), false),
        (_, _) if dims == 3 => ("compute_columns3d".into(), true),
        _ => (format!("slow_conv{dims}d_cpu"), true),
    };
    no_bool(&kernel, &input)?;
    // Of integers these kernels have i64 alone.
    if !integers && input.dtype.category() == Category::Integer && input.dtype != Dtype::I64 {
        return Err(not_implemented(&kernel, input.dtype));
    }
    one(args.context(), &input.with_shape(&shape))
}
