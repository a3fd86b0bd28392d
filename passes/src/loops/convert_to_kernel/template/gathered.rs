//! Products of several images at once, whose columns are copied side by side: the sums stand in memory of
//! their own, and a loop behind the product brings them to where they belong.
//!
//! ```text
//! loop.pointwise (%c, %h, %w, %b, %i, %j) into %windows { %x[%b, %c, %i + %h, %j + %w] }
//! kernel.matmul (%o, %n) over (%k) into %sums' lhs { %w'[%o, %k] } rhs { %windows'[%k, %n] }
//! loop.scatter (%o, %b, %i, %j) into %y { yield %sums[%o, %b, %i, %j] at [%b, %o, %i, %j] }
//! ```
//!
//! Of an image of 4 by 4 half a register would be empty otherwise, and the left factor read for each image.

use super::Template;
use crate::{
    emit::Emitter,
    kernel::tile_programs::{access::Access, kernels::Kernels, launch, nest::Nest, schedule::Limits},
    loops::{
        convert_to_kernel::runs::{Joined, place},
        operation::merged::collapsed,
    },
};
use melior::ir::ValueLike;
use terrace_dialects::{
    ir::{BlockLike, OperationLike, cursor::V, kept, operations::key, pass::Failure, rewrite::erase},
    ops::loop_,
};

impl<'c: 'a, 'a> Template<'c, 'a, '_, '_> {
    /// Memory for the sums of several images: batches, rows, then the columns, each with its own dimension.
    pub(super) fn gather(
        &self,
        at: &Emitter<'c, 'a>,
        buffers: &mut Vec<V<'c, 'a>>,
    ) -> Result<V<'c, 'a>, Failure> {
        self.buffer(at, &self.each_alone(), self.product.sum()?.r#type(), buffers)
    }

    /// The same with the columns as one dimension, as the product has them.
    pub(super) fn gathered(&self, at: &Emitter<'c, 'a>, sums: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        collapsed(at, sums, &[(self.outer() - 1, self.columns.len())])
    }

    /// Does with the sums of several images what is done with them, and puts them where they belong.
    pub(super) fn spread(
        &self,
        at: Emitter<'c, 'a>,
        kernels: &mut Kernels<'c>,
        limits: Limits,
    ) -> Result<(), Failure> {
        let Some(sums) = self.sums else { return Ok(()) };
        let dims = self.each_alone();
        let (dynamic, sizes) = self.sizes(&dims);
        let each: Vec<Vec<usize>> = dims.iter().map(|d| vec![*d]).collect();
        let (region, mut inside) = self.region(&at, &each, None, self.slab)?;
        let point: Vec<V> =
            (0..dims.len()).map(|i| Ok(inside.block.argument(i)?.into())).collect::<Result<_, Failure>>()?;
        let map = Access::identity(sums, &point).map;
        let load = inside.block.append_operation(loop_::load(at.location, sums, &point, map, None, None)?);
        let sum = kept::value(load.result_at(0)?);
        inside.values.insert(key(self.product.sum()?), sum);
        let (value, store) = match self.product.epilogue {
            Some(epilogue) => {
                (inside.append(&at, &epilogue.body, epilogue.value, &self.zero)?, &epilogue.store)
            }
            None => (sum, &self.product.nest.store),
        };
        let Joined { buffer, exprs, values } = Joined::of(&at, store, &[], &self.zero, &inside.values)?;
        let (operands, map) = place(&at, &exprs, &values);
        inside.block.append_operation(loop_::yield_(at.location, &[], value, &operands, Some(map))?);
        let op =
            loop_::scatter(at.location, &[], None, None, &dynamic, &sizes, buffer, None, None, vec![region])?;
        let op = at.insert(op);
        launch(kernels, &Nest::read(op)?, "spread", limits)?;
        erase(op);
        Ok(())
    }

    /// The dimensions of the sums, of which the product has some as one.
    fn each_alone(&self) -> Vec<usize> {
        self.dims[..self.outer()].iter().flatten().copied().collect()
    }
}
