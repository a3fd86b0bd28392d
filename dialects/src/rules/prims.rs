//! Operators of other namespaces than ATen's.

use super::{
    Types, broadcast, max_pool2d_with_indices, may_equal, not_implemented, one, pointwise::join,
    volumes::max_pool3d,
};
use crate::{
    args::Args,
    dtype::{Category, Dtype, Operand, promote},
    types::{Shape, TensorType},
};

/// `length` integers.
pub fn iota<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (length, step) = (args.int("length")?, args.int("step")?);
    let dtype = args.dtype("dtype")?.ok_or("misses attribute 'dtype'")?;
    if dtype.category() != Category::Integer {
        return Err("prims.iota only supports integer dtypes".into());
    }
    if step == 0 {
        return Err("step must be nonzero".into());
    }
    if length < 0 {
        return Err(format!("expects a length that is not negative, got {length}"));
    }
    Ok(vec![args.result(&[length], dtype, None)])
}

/// The promoted dtype of a product and what is added to it.
pub fn fma<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (product, c) = (join(args, &[0, 1])?, args.tensor(2)?);
    if !args.is_graph() {
        join(args, &[0, 2])?;
        return one(args.context(), &c);
    }
    let shape = broadcast(&product.shape, &c.shape)?;
    let operand =
        |rank: usize, dtype| if rank == 0 { Operand::ZeroDim(dtype) } else { Operand::Dimensioned(dtype) };
    let dtype = promote(&[operand(product.shape.len(), product.dtype), operand(c.rank(), c.dtype)]);
    Ok(vec![args.result(&shape, dtype, product.device)])
}

/// `max_pool2d` or `max_pool3d`, and places within windows, i8.
pub fn max_pool_with_offsets<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut types = match dimensions(args)? {
        3 => max_pool3d(args)?,
        _ => max_pool2d_with_indices(args)?,
    };
    let made = TensorType::of(types[1]).ok_or("expects tensors")?;
    types[1] = made.with_dtype(Dtype::I8).to_type(args.context());
    Ok(types)
}

/// How many dimensions the windows are over.
fn dimensions(args: &Args) -> Result<usize, String> {
    let dims = args.ints("kernel_size")?.len();
    for name in ["kernel_size", "stride", "padding", "dilation"] {
        let list = args.ints(name)?;
        if !(2..=3).contains(&dims) || list.len() != dims {
            return Err(format!(
                "expects windows over two or three dimensions, got {name} of {}",
                list.len()
            ));
        }
    }
    Ok(dims)
}

/// i64 of the same shape.
pub fn max_pool_offsets_to_indices<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let dims = dimensions(args)?;
    let own = args.tensor(0)?;
    let sizes = args.ints("input_size")?;
    if sizes.len() != dims {
        return Err(format!("expects a size for each dimension of the windows, got {}", Shape(&sizes)));
    }
    if own.rank() < dims || own.dtype.is_inexact() || own.dtype == Dtype::Bool {
        return Err(format!("expects integers within images, got {}", own.to_type(args.context())));
    }
    if args.ints("kernel_size")?.contains(&0) {
        return Err("expects a kernel_size that is not zero".into());
    }
    one(args.context(), &own.with_dtype(Dtype::I64))
}

/// Rows [S, K], matrices [E, K, N], ends of groups [E].
fn groups<'c>(args: &Args<'c, '_>) -> Result<[TensorType<'c>; 2], String> {
    let (input, weight, offs) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let sizes = |t: &TensorType| Shape(&t.shape).to_string().replace('[', "(").replace(']', ")");
    for (t, rank, words) in [
        (&input, 2, "input must be 2D (S, input_dim)"),
        (&weight, 3, "weight must be 3D (num_experts, input_dim, output_dim)"),
        (&offs, 1, "offs must be 1D (num_experts,)"),
    ] {
        if t.rank() != rank {
            return Err(format!("{words}, got shape {}", sizes(t)));
        }
    }
    if !may_equal(offs.shape[0], weight.shape[0]) {
        return Err(format!(
            "offs length {} must match number of experts {}",
            offs.shape[0], weight.shape[0]
        ));
    }
    if !may_equal(input.shape[1], weight.shape[1]) {
        return Err(format!(
            "input_dim mismatch: input has {}, weight has {}",
            input.shape[1], weight.shape[1]
        ));
    }
    if !matches!(offs.dtype, Dtype::I32 | Dtype::I64) {
        return Err(format!("offs must be an integer tensor, got {}", offs.dtype.aten_name()));
    }
    if input.dtype != weight.dtype {
        return Err(format!(
            "expected m1 and m2 to have the same dtype, but got: {} != {}",
            input.dtype.c_name(),
            weight.dtype.c_name()
        ));
    }
    if input.dtype == Dtype::Bool {
        return Err(not_implemented("addmm_impl_cpu_", input.dtype));
    }
    Ok([input, weight])
}

/// [S, N].
pub fn grouped_mm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let [input, weight] = groups(args)?;
    one(args.context(), &input.with_shape(&[input.shape[0], weight.shape[2]]))
}

/// The types of rows and matrices.
pub fn grouped_mm_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let [input, weight] = groups(args)?;
    let grad = args.tensor(3)?;
    let fits = grad.rank() == 2
        && grad.dtype == input.dtype
        && may_equal(grad.shape[0], input.shape[0])
        && may_equal(grad.shape[1], weight.shape[2]);
    if !fits {
        return Err(format!(
            "expects a gradient of the type of the result, got {}",
            grad.to_type(args.context())
        ));
    }
    Ok(vec![input.to_type(args.context()), weight.to_type(args.context())])
}
