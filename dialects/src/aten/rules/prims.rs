//! Operators of other namespaces than ATen's.

use super::{Inferred, Types, broadcast, max_pool2d_with_indices, one, pointwise::join, volumes::max_pool3d};
use crate::ir::{
    args::Args,
    dtype::{Category, Dtype, Operand, promote},
    types::Shape,
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
    Ok(vec![args.result(&[length.into()], dtype)])
}

/// The promoted dtype of a product and what is added to it.
pub fn fma<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (product, c) = (join(args, &[0, 1])?, args.tensor(2)?);
    if !args.is_graph() {
        join(args, &[0, 2])?;
        return one(&c);
    }
    let shape = broadcast(&product.shape, &c.shape)?;
    let operand =
        |rank: usize, dtype| if rank == 0 { Operand::ZeroDim(dtype) } else { Operand::Dimensioned(dtype) };
    let dtype = promote(&[operand(product.shape.len(), product.dtype), operand(c.rank(), c.dtype)]);
    Ok(vec![args.result(&shape, dtype)])
}

/// `max_pool2d` or `max_pool3d`, and places within windows, i8.
pub fn max_pool_with_offsets<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut types = match dimensions(args)? {
        3 => max_pool3d(args)?,
        _ => max_pool2d_with_indices(args)?,
    };
    let Inferred::Tensor(places) = &mut types[1] else { return Err("expects tensors".into()) };
    places.dtype = Dtype::I8;
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
    one(&own.with_dtype(Dtype::I64))
}
