//! The boundary between storages and values: the same shape and dtype on both sides.

use super::{TensorType, Types};
use crate::{args::Args, size::Size, types::Shape};

/// `graph.value`: a view's elements as a builtin tensor.
pub fn graph_value<'c>(args: &Args<'c, '_>) -> Types<'c> {
    super::one(&args.tensor(0)?.builtin())
}

/// `graph.fresh`: a builtin tensor in a new storage.
pub fn graph_fresh<'c>(args: &Args<'c, '_>) -> Types<'c> {
    super::one(&TensorType { graph: true, ..args.tensor(0)? })
}

/// `graph.new_storage`: the size and dtype that the attributes name, which the tensors to be like broadcast to.
pub fn graph_new_storage<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let size = args.dynamic_ints("size", 0)?;
    if let Some(s) = size.iter().find(|s| s.known().is_some_and(|s| s < 0)) {
        return Err(format!("has the negative size {s}"));
    }
    let (like, preserve) = (args.variadic(1)?, args.attribute("preserve").is_some());
    if preserve && like.len() != 1 {
        return Err(format!("preserves the format of one tensor, got {}", like.len()));
    }
    let suggested = args.attribute("suggested").map(crate::attributes::string);
    match suggested.as_deref() {
        Some("any" | "all") if preserve => return Err("is 'suggested' and preserves a format".into()),
        None | Some("any" | "all") => {}
        Some(other) => return Err(format!("'suggested' is 'any' or 'all', got '{other}'")),
    }
    for (i, value) in like.iter().enumerate().filter(|_| suggested.is_none()) {
        let tensor = args.tensor_of(*value).ok_or("is like tensors of a dtype")?;
        let open = |sizes: &[Size]| sizes.iter().any(|size| size.is_unknown());
        let fits = if open(&size) || open(&tensor.shape) {
            // Seen when it runs.
            tensor.rank() <= size.len() && (!preserve || tensor.rank() == size.len())
        } else if preserve {
            tensor.shape == size
        } else {
            super::broadcast(&tensor.shape, &size).is_ok_and(|both| both == size)
        };
        if !fits {
            let (own, size) = (Shape(&tensor.shape), Shape(&size));
            return Err(format!("operand {i} of sizes {own} does not broadcast to {size}"));
        }
    }
    let dtype = args.dtype("dtype")?.ok_or("misses attribute 'dtype'")?;
    Ok(vec![args.result(&size, dtype)])
}
