//! A sum over several indices whose right factor is read as it lies: a convolution without copied windows.
//!
//! ```text
//! loop.reduction add (%b, %o, %i, %j) over (%c, %h, %w) into %y
//!     { %w[%o, %c, %h, %w] * %x[%b, %c, %i + %h, %j + %w] }
//!
//! kernel.matmul (%b, %i, %o, %j) over (%c, %h, %w) into %y
//!     lhs { %w[%o, %c, %h, %w] } rhs { %x'[%b, %c, (%i + %h) * 58 + %j + %w] }
//! ```
//!
//! That pays where columns are neighbours in memory, and where the lanes beyond a line's end that are
//! multiplied for nothing take less time than a copy of all windows.

use super::{Source, Template, copied::TILE};
use crate::{
    emit::Emitter,
    kernel::tile_programs::{
        access::{Access, Pattern, uses},
        kernels::Kernels,
        launch,
        nest::{Nest, usual},
        products::choices::{Lines, copied_lanes},
        schedule::Limits,
    },
    loops::{convert_to_kernel::product::Product, operation::merged::mergeable},
};
use melior::ir::{AffineExpr, AffineMap, Type, ValueLike, r#type::MemRefType};
use terrace_dialects::{
    ir::{
        attributes, cursor::V, extent::Extent, operations::key, pass::Failure, rewrite::erase,
        shaped::Shaped, types::has_identity_layout,
    },
    loops::affine::Expr,
};
use terrace_size::DYNAMIC;

/// The time that an element of a copy takes, in that of as many products of a row.
const COPY: i64 = 8;

impl<'c: 'a, 'a> Product<'c, 'a, '_> {
    /// The right factor of a sum over several indices as it lies, its lines in one dimension, where that
    /// takes less time than to copy it. Of many blocks each would read the same lines anew.
    pub(super) fn lines(&self, limits: Limits) -> Option<Source<'c, 'a, '_>> {
        let Product { nest, rhs, rows, columns, inner, .. } = self;
        let column = columns.last()?;
        if inner.len() == 1 || limits.blocks > 1 || !self.has_enough(columns, limits) {
            return None;
        }
        let access = Access::load(rhs.load()?);
        let along = |d: usize| access.pattern(nest.indices[d], &[key(nest.indices[d])].into());
        let Pattern::Range { dim, step: 1 } = along(*column) else { return None };
        if access.strides()[dim] != 1 {
            return None;
        }
        let size = |d: usize| nest.sizes[d];
        let (mut merged, mut lines) = ((dim, 1), [1, size(*column), size(*column)]);
        if let [.., line, _] = columns[..]
            && let Pattern::Range { dim: first, step } = along(line)
            && let Some(stride) = access.strides()[first].checked_mul(step)
        {
            let merges = mergeable(access.buffer)?;
            lines = [size(line), size(*column), stride];
            if first < dim && step > 0 && merges[first + 1..=dim].iter().all(|size| *size != DYNAMIC) {
                merged = (first, dim - first + 1);
            }
        }
        let count = columns.iter().fold(1, |n, d| usual(size(*d)).saturating_mul(n));
        let others = columns.iter().rev().skip(2).fold(1, |n, d| usual(size(*d)).saturating_mul(n));
        let lanes = Lines::of(lines, size(inner[0]), TILE).lanes.saturating_mul(others);
        let copied = copied_lanes(count, TILE).saturating_mul(usual(size(*rows)));
        let pays =
            lanes.saturating_mul(usual(size(*rows))) <= count.saturating_mul(COPY).saturating_add(copied);
        let of_words = || self.words(limits).is_none_or(|d| paired(&access, nest.indices[d]).is_some());
        (pays && of_words()).then_some(Source::Lines(access, merged))
    }
}

impl<'c: 'a, 'a, 'n, 'p> Template<'c, 'a, 'n, 'p> {
    /// Writes a product whose right factor is read as it lies.
    pub(super) fn write_lines(
        mut self,
        at: Emitter<'c, 'a>,
        kernels: &mut Kernels<'c>,
        limits: Limits,
        (mut batches, right): (Vec<usize>, Source<'c, 'a, 'p>),
    ) -> Result<(), Failure> {
        let Product { rows, columns, inner, .. } = self.product;
        let (column, lines) = columns.split_last().ok_or("has no columns")?;
        batches.extend(lines);
        batches.extend([rows, column].into_iter().chain(inner));
        self.dims = batches.into_iter().map(|d| vec![d]).collect();
        self.columns = vec![*column];
        let mut buffers = vec![];
        let left = self.left(&at, &mut buffers)?;
        if let Source::Copy(..) = left {
            self.copy(at, kernels, limits, (&self.product.lhs, &left))?;
        }
        let right = match (right, self.words) {
            (Source::Lines(access, merged), Some(d)) => {
                let access = self.words_of(at, kernels, limits, (&access, d), &mut buffers)?;
                Source::Lines(access, merged)
            }
            (right, _) => right,
        };
        self.write(at, [&left, &right])?;
        for buffer in buffers {
            at.build("memref.dealloc", &[buffer], &[], &[]);
        }
        Ok(())
    }

    /// The buffer of an access as words of two neighbours along an index, and the access to them.
    fn words_of(
        &self,
        at: Emitter<'c, 'a>,
        kernels: &mut Kernels<'c>,
        limits: Limits,
        (access, d): (&Access<'c, 'a>, usize),
        buffers: &mut Vec<V<'c, 'a>>,
    ) -> Result<Access<'c, 'a>, Failure> {
        let (dim, exprs) = paired(access, self.product.nest.indices[d]).ok_or("has no pairs")?;
        let mut shape = Shaped::expect(access.buffer.r#type())?.shape;
        shape[dim] /= 2;
        let words = MemRefType::contiguous(at.word_type(), &shape, None).into();
        let words = at.allocate("memref.alloc", words, &[])?;
        buffers.push(words);
        let sizes: Vec<Extent> = shape.iter().map(|size| Extent::Number(*size)).collect();
        let place: Vec<AffineExpr> = (0..shape.len()).map(|d| at.dim(d)).collect();
        let copy = at.scatter_op(words, &sizes, &place, &[], |at, point| {
            let half = |number: i64| {
                let mut place = place.clone();
                place[dim] = at.dim(dim) * at.number(2) + at.number(number);
                let half = at.load(access.buffer, &place, point, None)?;
                Ok::<_, Failure>(at.op("arith.extf", &[half], Type::float32(at.context), &[]))
            };
            Ok(at.word([half(0)?, half(1)?]))
        })?;
        launch(kernels, &Nest::read(copy)?, "words", limits)?;
        erase(copy);
        let exprs: Vec<AffineExpr> = exprs.iter().map(|expr| expr.write(at.context)).collect();
        let map = AffineMap::new(at.context, access.operands.len(), 0, &exprs);
        Ok(Access::new(words, attributes::of_map(map), access.operands.clone()))
    }
}

/// The dimension of a buffer that an index is along, so that two neighbours are a word, and the access in
/// terms of words; None where they are none.
fn paired<'c: 'a, 'a>(access: &Access<'c, 'a>, index: V<'c, 'a>) -> Option<(usize, Vec<Expr>)> {
    let own = access.operands.iter().position(|operand| *operand == index)?;
    let mut used = (0..access.exprs.len()).filter(|dim| uses(&access.exprs[*dim], own));
    let (dim, None) = (used.next()?, used.next()) else { return None };
    let Shaped { shape, .. } = Shaped::of(access.buffer.r#type())?;
    let ty = access.buffer.r#type();
    let fits = access.mask.is_none() && has_identity_layout(ty) && !shape.contains(&DYNAMIC);
    let mut exprs = access.exprs.clone();
    exprs[dim] = halved(&exprs[dim], own)?;
    (fits && shape[dim] % 2 == 0).then_some((dim, exprs))
}

/// Half of an expression, where a dimension of it stands for twice as much.
fn halved(expr: &Expr, own: usize) -> Option<Expr> {
    match expr {
        Expr::Dim(d) if *d == own => Some(Expr::Dim(own)),
        Expr::Constant(number) if number % 2 == 0 => Some(Expr::Constant(number / 2)),
        Expr::Add(a, b) => Some(Expr::Add(Box::new(halved(a, own)?), Box::new(halved(b, own)?))),
        Expr::Mul(a, b) if !uses(a, own) => Some(Expr::Mul(a.clone(), Box::new(halved(b, own)?))),
        _ => None,
    }
}
