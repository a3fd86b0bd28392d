//! What each view operation of the graph dialect does to a layout.

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use terrace_dialects::{
    attributes as convert,
    registry::OpImpl,
    rules::movedim_order,
    strided::Layout,
    types::{DYNAMIC, TensorType},
    view,
};

const NOT_VIEWABLE: &str = "view size is not compatible with input tensor's size and stride (at least one dimension \
    spans across two contiguous subspaces). Use .reshape(...) instead.";

/// A view operation's attributes, read with the rank of its operand.
struct Reader<'c, 'a> {
    op: OperationRef<'c, 'a>,
    op_impl: &'static OpImpl,
    rank: usize,
}

impl Reader<'_, '_> {
    fn int(&self, name: &str, default: i64) -> i64 {
        view::attribute(self.op, name).map_or(default, convert::i64)
    }

    /// A dimension; the rules have checked its range.
    fn dim(&self, name: &str, default: i64) -> usize {
        self.wrap(self.int(name, default), self.rank)
    }

    fn wrap(&self, dim: i64, rank: usize) -> usize {
        let dim = if dim < 0 { dim + rank.max(1) as i64 } else { dim };
        dim as usize
    }

    fn dims(&self, name: &str) -> Option<Vec<usize>> {
        let dims = view::attribute(self.op, name).map(convert::i64s)?;
        Some(dims.into_iter().map(|d| self.wrap(d, self.rank)).collect())
    }

    /// A list of integers, its dynamic entries taken from constants: the operands at `place`.
    fn list(&self, name: &str, place: usize) -> Result<Vec<i64>, String> {
        let mut given = view::variadic(self.op, self.op_impl, place).into_iter();
        let entry = |n: i64| match n {
            DYNAMIC => given.next().and_then(super::constant_int).ok_or_else(|| {
                format!(
                    "'{name}' must be static here: offsets that are known at run time only are not supported"
                )
            }),
            n => Ok(n),
        };
        convert::i64s(view::required(self.op, name)).into_iter().map(entry).collect()
    }

    fn one(&self, name: &str, place: usize) -> Result<i64, String> {
        self.list(name, place)?.first().copied().ok_or_else(|| format!("'{name}' is one number"))
    }

    /// The layout with `dim0` and `dim1` exchanged.
    fn swap(&self, own: &Layout, dim0: usize, dim1: usize) -> Layout {
        let mut order: Vec<usize> = (0..self.rank).collect();
        if self.rank > 0 {
            order.swap(dim0, dim1);
        }
        own.permute(&order)
    }
}

fn select_index(index: i64, size: i64, sizes: &[i64], dim: usize) -> Result<i64, String> {
    if index < -size || index >= size {
        return Err(format!(
            "select(): index {index} out of range for tensor of size {sizes:?} at dimension {dim}"
        ));
    }
    Ok(if index < 0 { index + size } else { index })
}

/// The layouts of a view operation's results, by that of its operand; None where the operation is no view. An error, in
/// eager's words, where the operand's strides or a constant do not allow the view.
pub fn layouts(
    op: OperationRef,
    op_impl: &'static OpImpl,
    own: &Layout,
) -> Result<Option<Vec<Layout>>, String> {
    let r = Reader { op, op_impl, rank: own.rank() };
    let results: Vec<Vec<i64>> =
        op.results().filter_map(|v| TensorType::of(v.r#type())).map(|t| t.shape).collect();
    let first = results.first().map(Vec::as_slice).unwrap_or_default();
    let view_as = |sizes: &[i64]| own.view(sizes).ok_or_else(|| NOT_VIEWABLE.to_string());
    let layout = match op_impl.name {
        "graph.alias" | "graph.detach" | "graph._conj" | "graph._neg_view" => own.clone(),
        "graph.view_as_real" => own.view_as_real(),
        "graph.view_as_complex" => own.view_as_complex()?,
        "graph.view.dtype" => {
            let [old, new] = [op.operand(0).ok(), op.result(0).ok().map(Value::from)]
                .map(|value| value.and_then(|value| TensorType::of(value.r#type())).map(|t| t.dtype));
            own.view_dtype(old.ok_or("views no tensor")?, new.ok_or("is no tensor")?)?
        }
        "graph.t" => r.swap(own, 0, r.rank.saturating_sub(1)),
        "graph.mT" => r.swap(own, r.rank - 2, r.rank - 1),
        "graph.transpose" => r.swap(own, r.dim("dim0", 0), r.dim("dim1", 0)),
        "graph.swapaxes" => r.swap(own, r.dim("axis0", 0), r.dim("axis1", 0)),
        "graph.movedim" => {
            let ints = |name| view::attribute(op, name).map(convert::i64s).unwrap_or_default();
            own.permute(&movedim_order(&ints("source"), &ints("destination"), r.rank)?)
        }
        "graph.permute" => own.permute(&r.dims("dims").unwrap_or_default()),
        "graph.unsqueeze" => own.unsqueeze(r.wrap(r.int("dim", 0), r.rank + 1)),
        "graph.squeeze" => own.squeeze(&r.dims("dim").unwrap_or_else(|| (0..r.rank).collect())),
        "graph.view" | "graph.view_as" | "graph.unflatten" => view_as(first)?,
        "graph.expand" | "graph.expand_as" => own.expand(first),
        "graph.select" => {
            let dim = r.dim("dim", 0);
            own.select(dim, select_index(r.one("index", 1)?, own.sizes[dim], &own.sizes, dim)?)
        }
        "graph.slice" => {
            let (dim, start) = (r.dim("dim", 0), r.one("start", 1)?);
            let size = own.sizes[dim];
            let start = if start < 0 { start.saturating_add(size) } else { start }.clamp(0, size);
            own.slice(dim, start, first[dim], r.one("step", 3)?)
        }
        "graph.narrow" => {
            let (dim, start) = (r.dim("dim", 0), r.one("start", 1)?);
            let (size, length) = (own.sizes[dim], first[dim]);
            if start < -size || start > size {
                return Err(format!(
                    "Dimension out of range (expected to be in range of [{}, {size}], but got {start})",
                    -size
                ));
            }
            let start = if start < 0 { start + size } else { start };
            if start + length > size {
                return Err(format!("start ({start}) + length ({length}) exceeds dimension size ({size})."));
            }
            own.slice(dim, start, length, 1)
        }
        "graph.diagonal" => own.diagonal(r.int("offset", 0), r.dim("dim1", 0), r.dim("dim2", 1)),
        "graph.unfold" => own.unfold(r.dim("dimension", 0), r.int("size", 0), r.int("step", 1)),
        "graph.as_strided" => {
            let (strides, offset) = (r.list("stride", 2)?, r.one("storage_offset", 3)?);
            if strides.iter().chain([&offset]).any(|n| *n < 0) {
                return Err(format!(
                    "as_strided: strides and offset are not negative, got strides {strides:?} and offset {offset}"
                ));
            }
            Layout { sizes: first.to_vec(), strides, offset }
        }
        "graph.split" | "graph.split_with_sizes" | "graph.chunk" => {
            let dim = r.dim("dim", 0);
            let mut start = 0;
            let pieces = results.iter().map(|sizes| {
                let piece = own.slice(dim, start, sizes[dim], 1);
                start += sizes[dim];
                piece
            });
            return Ok(Some(pieces.collect()));
        }
        "graph.unbind" => {
            let dim = r.dim("dim", 0);
            return Ok(Some((0..own.sizes[dim]).map(|i| own.select(dim, i)).collect()));
        }
        _ => return Ok(None),
    };
    Ok(Some(vec![layout.check()?]))
}
