//! What each view operation does to a layout, and where a scatter writes.

use crate::{
    aten::rules::movedim_order,
    ir::{OperationLike, attributes as convert, refusal::Reason, registry::OpImpl, types::TensorType, view},
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_layout::Layout;
use terrace_size::{DYNAMIC, Number};

/// Eager's words where a view would take a copy.
pub const NOT_VIEWABLE: &str = "view size is not compatible with input tensor's size and stride (at least one dimension \
    spans across two contiguous subspaces). Use .reshape(...) instead.";

/// A question for the layouts of a view operation's results.
pub struct Viewed<'l, 'c, 'a, N = i64> {
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// Its class.
    pub op_impl: &'static OpImpl,
    /// The layout of what is viewed.
    pub own: &'l Layout<N>,
    /// The sizes of the results.
    pub results: &'l [Vec<N>],
    /// The number that an operand is, where it is known.
    pub number: &'l dyn Fn(Value<'c, 'a>) -> Option<N>,
}

/// The layouts of a view operation's results, by that of its operand, where all sizes and numbers are known;
/// None where the operation is no view.
///
/// # Errors
/// In eager's words, where the operand's strides or a constant do not allow the view.
pub fn layouts(
    op: OperationRef,
    op_impl: &'static OpImpl,
    own: &Layout,
) -> Result<Option<Vec<Layout>>, String> {
    let results: Vec<Vec<i64>> =
        op.results().filter_map(|v| TensorType::of(v.r#type())).map(|t| t.shape).collect();
    let number = &|value| crate::ir::operations::constant(value).map(convert::i64);
    Viewed { op, op_impl, own, results: &results, number }.layouts()
}

fn select_index<N: Number>(index: N, size: N, sizes: &[N], dim: usize) -> Result<N, String> {
    if index.assume_lt(-size) || index.assume_ge(size) {
        return Err(format!(
            "select(): index {index} out of range for tensor of size {sizes:?} at dimension {dim}"
        ));
    }
    Ok(if index.assume_lt(N::ZERO) { index + size } else { index })
}

impl<N: Number> Viewed<'_, '_, '_, N> {
    fn int(&self, name: &str, default: i64) -> i64 {
        view::attribute(self.op, name).map_or(default, convert::i64)
    }

    /// A dimension; the rules have checked its range.
    fn dim(&self, name: &str, default: i64) -> usize {
        wrap(self.int(name, default), self.own.rank())
    }

    fn dims(&self, name: &str) -> Option<Vec<usize>> {
        let dims = view::attribute(self.op, name).map(convert::i64s)?;
        Some(dims.into_iter().map(|d| wrap(d, self.own.rank())).collect())
    }

    /// A list of integers, its dynamic entries taken from the operands at `place`; a scatter has one operand
    /// more before them.
    fn list(&self, name: &str, place: usize) -> Result<Vec<N>, String> {
        let place = place + usize::from(self.scattered().is_some());
        let mut given = view::variadic(self.op, self.op_impl, place).into_iter();
        let entry = |n: i64| match n {
            DYNAMIC => given.next().and_then(self.number).ok_or_else(|| {
                Reason::RunTime.says(format!(
                    "'{name}' must be static here: offsets that are known at run time only are not supported"
                ))
            }),
            n => Ok(N::from(n)),
        };
        convert::i64s(view::required(self.op, name)).into_iter().map(entry).collect()
    }

    fn one(&self, name: &str, place: usize) -> Result<N, String> {
        self.list(name, place)?.first().copied().ok_or_else(|| format!("'{name}' is one number"))
    }

    /// The layout with `dim0` and `dim1` exchanged.
    fn swap(&self, dim0: usize, dim1: usize) -> Layout<N> {
        let mut order: Vec<usize> = (0..self.own.rank()).collect();
        if !order.is_empty() {
            order.swap(dim0, dim1);
        }
        self.own.permute(&order)
    }

    /// The name of the view that the operation is the scatter of, without the dialect's.
    fn scattered(&self) -> Option<&'static str> {
        self.op_impl.name.split_once('.').and_then(|(_, name)| name.strip_suffix("_scatter"))
    }

    /// The layout of the region that a scatter writes, where `results` are the sizes of what it writes there;
    /// None where the operation is no scatter of a view.
    ///
    /// # Errors
    /// As for the view.
    pub fn region(&self) -> Result<Option<Layout<N>>, String> {
        match self.scattered() {
            Some(view) => Ok(self.named(view)?.and_then(|mut layouts| layouts.pop())),
            None => Ok(None),
        }
    }

    /// The layouts of the results; None where the operation is no view.
    ///
    /// # Errors
    /// In eager's words, where the operand's strides or a number do not allow the view.
    pub fn layouts(&self) -> Result<Option<Vec<Layout<N>>>, String> {
        self.named(self.op_impl.name.split_once('.').map_or("", |(_, name)| name))
    }

    /// The layouts of a view of this name.
    fn named(&self, name: &str) -> Result<Option<Vec<Layout<N>>>, String> {
        let (op, own, rank) = (self.op, self.own, self.own.rank());
        let first = self.results.first().map(Vec::as_slice).unwrap_or_default();
        let view_as = |sizes: &[N]| own.view(sizes).ok_or_else(|| NOT_VIEWABLE.to_string());
        let layout = match name {
            "alias" | "detach" | "_conj" | "_neg_view" => own.clone(),
            "view_as_real" => own.view_as_real(),
            "view_as_complex" => own.view_as_complex()?,
            "view.dtype" => {
                let [old, new] = [op.operand(0).ok(), op.result_at(0).ok().map(Value::from)]
                    .map(|value| value.and_then(|value| TensorType::of(value.r#type())).map(|t| t.dtype));
                own.view_dtype(old.ok_or("views no tensor")?, new.ok_or("is no tensor")?)?
            }
            "t" => self.swap(0, rank.saturating_sub(1)),
            "mT" => self.swap(rank - 2, rank - 1),
            "transpose" => self.swap(self.dim("dim0", 0), self.dim("dim1", 0)),
            "swapaxes" => self.swap(self.dim("axis0", 0), self.dim("axis1", 0)),
            "movedim" => {
                let ints = |name| view::attribute(op, name).map(convert::i64s).unwrap_or_default();
                own.permute(&movedim_order(&ints("source"), &ints("destination"), rank)?)
            }
            "permute" => own.permute(&self.dims("dims").unwrap_or_default()),
            "unsqueeze" => own.unsqueeze(wrap(self.int("dim", 0), rank + 1)),
            "squeeze" => own.squeeze(&self.dims("dim").unwrap_or_else(|| (0..rank).collect())),
            "view" | "view_as" | "unflatten" => view_as(first)?,
            "expand" | "expand_as" => own.expand(first),
            "select" => {
                let dim = self.dim("dim", 0);
                own.select(dim, select_index(self.one("index", 1)?, own.sizes[dim], &own.sizes, dim)?)
            }
            "slice" => self.slice(first)?,
            "narrow" => self.narrow(first)?,
            "diagonal" => own.diagonal(self.int("offset", 0), self.dim("dim1", 0), self.dim("dim2", 1)),
            "unfold" => own.unfold(self.dim("dimension", 0), self.int("size", 0), self.int("step", 1)),
            "as_strided" => self.as_strided(first)?,
            "split" | "split_with_sizes" | "chunk" => {
                let dim = self.dim("dim", 0);
                let mut start = N::ZERO;
                let pieces = self.results.iter().map(|sizes| {
                    let piece = own.slice(dim, start, sizes[dim], N::ONE);
                    start = start + sizes[dim];
                    piece
                });
                return Ok(Some(pieces.collect()));
            }
            "unbind" => {
                let dim = self.dim("dim", 0);
                return Ok(Some(
                    (0..self.results.len()).map(|i| own.select(dim, N::from(i as i64))).collect(),
                ));
            }
            _ => return Ok(None),
        };
        Ok(Some(vec![layout.check()?]))
    }

    /// The layout of a `slice` of these sizes: a start out of range is moved to the end that it is beyond.
    fn slice(&self, sizes: &[N]) -> Result<Layout<N>, String> {
        let (dim, start) = (self.dim("dim", 0), self.one("start", 1)?);
        let size = self.own.sizes[dim];
        let start = if start.assume_lt(N::ZERO) { start.saturating_add(size) } else { start };
        let start = if start.assume_lt(N::ZERO) {
            N::ZERO
        } else if start.assume_gt(size) {
            size
        } else {
            start
        };
        Ok(self.own.slice(dim, start, sizes[dim], self.one("step", 3)?))
    }

    /// The layout of a `narrow` of these sizes, whose start and end are in range.
    fn narrow(&self, sizes: &[N]) -> Result<Layout<N>, String> {
        let (dim, start) = (self.dim("dim", 0), self.one("start", 1)?);
        let (size, length) = (self.own.sizes[dim], sizes[dim]);
        if start.assume_lt(-size) || start.assume_gt(size) {
            return Err(format!(
                "Dimension out of range (expected to be in range of [{}, {size}], but got {start})",
                -size
            ));
        }
        let start = if start.assume_lt(N::ZERO) { start + size } else { start };
        if (start + length).assume_gt(size) {
            return Err(format!("start ({start}) + length ({length}) exceeds dimension size ({size})."));
        }
        Ok(self.own.slice(dim, start, length, N::ONE))
    }

    /// The layout of an `as_strided` of these sizes, which is wherever its attributes say.
    fn as_strided(&self, sizes: &[N]) -> Result<Layout<N>, String> {
        let (strides, offset) = (self.list("stride", 2)?, self.one("storage_offset", 3)?);
        if strides.iter().chain([&offset]).any(|n| n.assume_lt(N::ZERO)) {
            return Err(format!(
                "as_strided: strides and offset are not negative, got strides {strides:?} and offset {offset}"
            ));
        }
        Ok(Layout { sizes: sizes.to_vec(), strides, offset })
    }
}

fn wrap(dim: i64, rank: usize) -> usize {
    let dim = if dim < 0 { dim + rank.max(1) as i64 } else { dim };
    dim as usize
}
