//! `kernel.matmul`, read and checked: its factors and its epilogue as nests over one domain.

use super::{
    access::{Access, Pattern},
    matrix::Matrix,
    nest::Nest,
};
use melior::ir::{RegionLike, Type, TypeLike};
use terrace_dialects::{
    ir::{OperationLike, context, cursor::V, extent::Extent, operations::key, pass::Failure},
    ops::kernel,
};
use terrace_size::DYNAMIC;

/// A matrix product.
#[derive(Clone)]
pub(crate) struct Matmul<'c, 'a> {
    /// Batches, rows, columns, and what is summed over; see [`Nest::sizes`].
    pub sizes: Vec<i64>,
    /// How many dimensions are summed over.
    pub reduced: usize,
    /// The same sizes, with the values outside of the kernel.
    pub extents: Vec<Extent<'c, 'a>>,
    pub lhs: Nest<'c, 'a>,
    pub rhs: Nest<'c, 'a>,
    /// What is stored, where it is not the sum itself; the sum is the one value given.
    pub epilogue: Option<Nest<'c, 'a>>,
    /// Where it is stored.
    pub store: Access<'c, 'a>,
    /// The indices of batches, rows and columns that the store and the epilogue use.
    pub outer: Vec<V<'c, 'a>>,
    /// The type of the sum.
    pub element: Type<'c>,
    /// Whether factors are packed, or read, as words of two bf16.
    pub pairs: bool,
    /// Whether their elements are such words as they are.
    pub words: bool,
    /// Whether lanes are along what is summed over.
    pub dots: bool,
    /// Indices of the last batch dimension whose columns are computed as one run; 0: each alone.
    pub span: i64,
}

impl<'c: 'a, 'a> Matmul<'c, 'a> {
    /// Reads the operation; a body that can't become part of a kernel is a located error.
    pub fn read(view: kernel::MatmulOp<'c, 'a>) -> Result<Self, Failure> {
        let (op, sizes, init) = (view.operation(), view.sizes(), view.init());
        let reduced = view.reduced() as usize;
        let (outer, extents) = (sizes.len() - reduced, Extent::listed(&sizes, &view.dynamic_sizes()));
        let lhs = Nest::of_region(op, view.lhs(), extents.clone(), outer, init)?;
        let rhs = Nest::of_region(op, view.rhs(), extents.clone(), outer, init)?;
        let epilogue = match view.epilogue().first_block() {
            Some(_) => Some(Nest::of_region(op, view.epilogue(), extents[..outer].to_vec(), outer, init)?),
            None => None,
        };
        let last = epilogue.as_ref().unwrap_or(&lhs);
        let (store, indices) = (last.store.clone(), last.indices[..outer].to_vec());
        let element = lhs.element_type();
        let words = element.is_integer();
        let element = if words { Type::float32(context::of(op.context())) } else { element };
        Ok(Self {
            sizes,
            reduced,
            extents,
            lhs,
            rhs,
            epilogue,
            store,
            outer: indices,
            element,
            pairs: view.pairs().is_some(),
            words,
            dots: view.dots().is_some(),
            span: view.span().unwrap_or(0),
        })
    }

    /// What is summed over, where it is one dimension: elements, or pairs.
    pub fn inner(&self) -> Extent<'c, 'a> {
        match self.extents[self.k()] {
            Extent::Number(elements) if self.pairs => Extent::Number(elements / 2),
            elements => elements,
        }
    }

    /// The dimension of rows.
    pub fn m(&self) -> usize {
        self.n() - 1
    }

    /// The dimension of columns.
    pub fn n(&self) -> usize {
        self.sizes.len() - self.reduced - 1
    }

    /// The dimension that is summed over, the last of several.
    pub fn k(&self) -> usize {
        self.sizes.len() - 1
    }

    /// How many elements of the right factor's buffer the columns of neighbours along the last batch
    /// dimension are apart, where all are in one dimension of it, and the left factor is the same for all.
    pub fn pitch(&self) -> Option<i64> {
        let batch = self.m().checked_sub(1)?;
        let access = self.rhs.plain().or_else(|| self.rhs.extended())?;
        let along = |d: usize| access.pattern(self.rhs.indices[d], &[key(self.rhs.indices[d])].into());
        let (Pattern::Range { dim, step }, Pattern::Range { dim: other, step: pitch }) =
            (along(self.n()), along(batch))
        else {
            return None;
        };
        let beside = step == 1 && access.strides()[dim] == 1;
        let is_run = dim == other && beside && self.sizes[self.n()] != DYNAMIC;
        (is_run && pitch > 0 && !self.lhs.uses(batch)).then_some(pitch)
    }

    /// The left factor, where it is a matrix in memory.
    pub fn left(&self) -> Option<Matrix<'c, 'a>> {
        self.lhs.plain().and_then(|access| self.left_of(access))
    }

    /// The right factor, where it is a matrix in memory.
    pub fn right(&self) -> Option<Matrix<'c, 'a>> {
        self.rhs.plain().and_then(|access| self.right_of(access))
    }

    /// Both, also where what is in memory becomes elements of more bits.
    pub fn extended(&self) -> [Option<Matrix<'c, 'a>>; 2] {
        let all = |nest: &Nest<'c, 'a>| nest.plain().or_else(|| nest.extended());
        let left = all(&self.lhs).and_then(|access| self.left_of(access));
        [left, all(&self.rhs).and_then(|access| self.right_of(access))]
    }

    fn left_of(&self, access: Access<'c, 'a>) -> Option<Matrix<'c, 'a>> {
        let indices = &self.lhs.indices;
        Matrix::of(access, [indices[self.m()], indices[self.k()]])
    }

    fn right_of(&self, access: Access<'c, 'a>) -> Option<Matrix<'c, 'a>> {
        let indices = &self.rhs.indices;
        Matrix::of(access, [indices[self.k()], indices[self.n()]])
    }

    /// The result as a matrix, where it is one, rows before columns.
    pub fn result(&self) -> Option<Matrix<'c, 'a>> {
        let along = [self.outer[self.m()], self.outer[self.n()]];
        Matrix::of(self.store.clone(), along).filter(Matrix::in_order)
    }
}
