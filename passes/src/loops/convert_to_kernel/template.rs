//! A product as the template `kernel.matmul`.
//!
//! What a factor is computed by becomes its body; most often that is one load. Columns that lie side by side
//! with dimensions in front of them are one dimension with these ([`runs`](super::runs)), and so are rows: of
//! an image whose channels are last they are all of its places.
//!
//! The right factor of a sum over several indices, as a convolution is one over channels and places in a
//! window, is read as it lies where that pays ([`lines`]). Else it is copied: what belongs to one column
//! stands in a column of memory (im2col). The left factor has these indices side by side, or is copied as
//! well. Where that takes much memory it is done for one batch after the other, and of many columns for one
//! plane after the other:
//!
//! ```text
//! scf.for %b {
//!   loop.pointwise (%c, %h, %w, %i, %j) into %windows { %x[%b, %c, %i + %h, %j + %w] }
//!   kernel.matmul (%o, %n) over (%k) into %y[%b] lhs { %w'[%o, %k] } rhs { %windows'[%k, %n] }
//! }
//! ```

mod copied;
mod gathered;
mod inside;
mod lines;
mod words;

use self::{copied::Slab, inside::Inside};
use super::{
    product::{Factor, Product},
    runs::{Joined, Run, place},
};
use crate::{
    emit::Emitter,
    kernel::tile_programs::{access::Access, kernels::Kernels, launch, nest::Nest, schedule::Limits},
    loops::operation::merged::collapsed,
};
use melior::ir::{
    Attribute, Block, BlockRef, OperationRef, Region, RegionLike, Type, ValueLike, r#type::MemRefType,
};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        extent::Extent,
        kept,
        operations::key,
        pass::Failure,
        rewrite::erase,
    },
    loops::affine::Expr,
    ops::{kernel, loop_},
};
use terrace_size::DYNAMIC;

/// Where the elements of a factor come from.
pub(super) enum Source<'c, 'a, 'p> {
    /// What computes them.
    Body(&'p Factor<'c, 'a>),
    /// A load, and the dimensions of its buffer that are one there: the first, and how many.
    Lines(Access<'c, 'a>, (usize, usize)),
    /// A buffer with these dimensions of the nest; those of the columns or what is summed over may be one.
    Copy(V<'c, 'a>, Vec<usize>),
}

/// A product on its way into a template.
struct Template<'c, 'a, 'n, 'p> {
    product: &'p Product<'c, 'a, 'n>,
    /// The dimensions of the nest that each of the template's is, the one of what is summed over the last.
    dims: Vec<Vec<usize>>,
    /// What indices are that the template does not have.
    known: HashMap<usize, V<'c, 'a>>,
    /// The indices that are 0.
    zero: HashSet<usize>,
    /// The columns, but for those of which one is copied after the other.
    columns: Vec<usize>,
    /// The first of these columns where only some of its indices are copied at a time.
    slab: Option<Slab<'c, 'a>>,
    /// Where the sums of several images go first.
    sums: Option<V<'c, 'a>>,
    /// The dimension of which two indices are one of the template's: copies are words of two bf16.
    words: Option<usize>,
}

impl<'c: 'a, 'a> Product<'c, 'a, '_> {
    /// Writes the template in front of the nest, behind what copies its factors.
    pub fn write(&self, kernels: &mut Kernels<'c>, limits: Limits) -> Result<(), Failure> {
        let at = Emitter::before(self.nest.op)?;
        let ones = self.ones();
        let zero = if ones.is_empty() { None } else { Some(at.index(0)) };
        let mut template = Template {
            product: self,
            dims: vec![],
            known: ones.iter().filter_map(|index| Some((*index, zero?))).collect(),
            zero: ones,
            columns: self.columns.clone(),
            slab: None,
            sums: None,
            words: self.words(limits),
        };
        let mut batches: Vec<usize> = self.batches().collect();
        if let Some(right) = self.lines(limits) {
            return template.write_lines(at, kernels, limits, (batches, right));
        }
        let copied = self.copied(limits);
        let (looped, gathers) = (copied.looped, copied.columns.iter().any(|d| batches.contains(d)));
        (template.slab, template.columns) = (copied.slab, copied.columns);
        batches.retain(|d| !looped.contains(d) && !template.columns.contains(d));
        let beside = gathers || template.has_columns_beside();
        let joined = beside && template.columns.len() > 1;
        // Columns that lie apart are batches, which are whole.
        template.slab = template.slab.filter(|_| beside);
        let mut columns = template.columns.clone();
        let rows = template.rows();
        batches.retain(|d| !rows.contains(d));
        if !joined {
            batches.extend(columns.drain(..columns.len() - 1));
            batches.sort_unstable();
        }
        template.dims = batches.into_iter().map(|d| vec![d]).collect();
        template.dims.extend([rows, columns, self.inner.clone()]);
        if self.inner.len() == 1 {
            return template.write(at, [&Source::Body(&self.lhs), &Source::Body(&self.rhs)]);
        }
        let mut buffers = vec![];
        let left = template.left(&at, &mut buffers)?;
        let own = template.columns.clone();
        let right = template.allocate(&at, &self.rhs, &own, &looped, &mut buffers)?;
        if gathers {
            template.sums = Some(template.gather(&at, &mut buffers)?);
        }
        if let Source::Copy(..) = left {
            template.copy(at, kernels, limits, (&self.lhs, &left))?;
        }
        template.each(at, &looped, &mut |template, at| {
            template.copy(at, kernels, limits, (&self.rhs, &right))?;
            template.write(at, [&left, &right])?;
            template.spread(at, kernels, limits)
        })?;
        for buffer in buffers {
            at.build("memref.dealloc", &[buffer], &[], &[]);
        }
        Ok(())
    }
}

impl<'c: 'a, 'a> Product<'c, 'a, '_> {
    /// The indices that are summed over and are always 0.
    fn ones(&self) -> HashSet<usize> {
        let ones = (self.nest.outer..self.nest.sizes.len()).filter(|d| !self.inner.contains(d));
        ones.map(|d| key(self.nest.indices[d])).collect()
    }

    /// Whether what is summed over lies side by side in the left factor.
    pub(super) fn has_left_beside(&self) -> bool {
        let Product { nest, lhs, inner, .. } = self;
        let [op] = lhs.body[..] else { return false };
        let Ok(load) = loop_::LoadOp::try_from(op) else { return false };
        let access = Access::load(load);
        access.mask.is_none() && matches!(Run::of(nest, inner).place(&access, &self.ones()), Ok(Some(_)))
    }
}

impl<'c: 'a, 'a, 'n, 'p> Template<'c, 'a, 'n, 'p> {
    fn nest(&self) -> &'n Nest<'c, 'a> {
        self.product.nest
    }

    fn run(&self, dims: &[usize]) -> Run<'c, 'a> {
        let mut run = Run::of(self.nest(), dims);
        for (size, d) in run.sizes.iter_mut().zip(dims) {
            *size /= if self.words == Some(*d) { 2 } else { 1 };
        }
        run
    }

    /// How much there is of a dimension at a time.
    fn extent(&self, d: usize) -> Extent<'c, 'a> {
        match self.slab {
            Some(slab) if slab.dim == d => Extent::Number(slab.size),
            _ if self.words == Some(d) => Extent::Number(self.nest().sizes[d] / 2),
            _ => self.nest().extents[d],
        }
    }

    /// The same of dimensions that are one.
    fn extent_of(&self, dims: &[usize]) -> Extent<'c, 'a> {
        match dims {
            [one] => self.extent(*one),
            _ => Extent::Number(dims.iter().map(|d| self.extent(*d).in_type()).product()),
        }
    }

    /// Whether all columns are side by side wherever they are used, but for what is copied.
    fn has_columns_beside(&self) -> bool {
        let copies = self.product.inner.len() > 1;
        self.are_beside(&self.columns, if copies { None } else { Some(&self.product.rhs) })
    }

    /// The rows, with the dimensions in front of them that lie side by side with them, as many as do, where
    /// the left factor is not copied.
    fn rows(&self) -> Vec<usize> {
        let Product { nest, lhs, rhs, rows, inner, .. } = self.product;
        let index = |d: usize| nest.indices[d];
        let joins = |d: &usize| {
            nest.sizes[*d] != DYNAMIC && lhs.uses(index(*d)) && !rhs.uses(index(*d)) && inner.len() == 1
        };
        let first = (0..=*rows).rev().take_while(joins).last().unwrap_or(*rows);
        let runs = (first..*rows).map(|first| (first..=*rows).collect::<Vec<_>>());
        runs.into_iter().find(|run| self.are_beside(run, Some(lhs))).unwrap_or_else(|| vec![*rows])
    }

    /// Whether dimensions are side by side wherever they are used: in the store, the epilogue, and a factor.
    fn are_beside(&self, dims: &[usize], factor: Option<&Factor<'c, 'a>>) -> bool {
        let Product { epilogue, nest, .. } = self.product;
        let run = self.run(dims);
        let beside = |op: &OperationRef<'c, 'a>| self.has_beside(*op, &run);
        let store = epilogue.map_or(&nest.store, |epilogue| &epilogue.store);
        let ends = epilogue.map_or(&[][..], |epilogue| &epilogue.body);
        matches!(run.place(store, &self.zero), Ok(Some(_)))
            && ends.iter().all(beside)
            && factor.is_none_or(|factor| factor.body.iter().all(beside))
    }

    /// Whether an operation of a body uses dimensions only where they are side by side.
    fn has_beside(&self, op: OperationRef<'c, 'a>, run: &Run<'c, 'a>) -> bool {
        match loop_::LoadOp::try_from(op) {
            Ok(load) => run.place(&Access::load(load), &self.zero).is_ok(),
            Err(_) => !op.operands().any(|v| run.indices.contains(&v)),
        }
    }

    /// Dimensions of a copy, those together that lie side by side wherever it uses them.
    fn sides(&self, dims: &[usize], are_beside: &dyn Fn(&Run<'c, 'a>) -> bool) -> Vec<Vec<usize>> {
        let mut sides: Vec<Vec<usize>> = vec![];
        let is_alone = |d: usize| {
            let is_part = self.words == Some(d) || self.slab.is_some_and(|slab| slab.dim == d);
            is_part || self.nest().sizes[d] == DYNAMIC
        };
        for d in dims {
            if let Some(last) = sides.last_mut()
                && ![last[0], *d].into_iter().any(is_alone)
            {
                let run = self.run(&[&last[..], &[*d]].concat());
                if are_beside(&run) {
                    last.push(*d);
                    continue;
                }
            }
            sides.push(vec![*d]);
        }
        sides
    }

    /// Does something for each index of these dimensions, one after the other.
    fn each(
        &mut self,
        at: Emitter<'c, 'a>,
        dims: &[usize],
        one: &mut dyn FnMut(&mut Self, Emitter<'c, 'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some((d, rest)) = dims.split_first() else {
            let Some(slab) = self.slab else { return one(self, at) };
            let count = self.nest().sizes[slab.dim] / slab.size;
            return at.each(at.index(count), |at, index| {
                let from = at.mul(index, at.index(slab.size));
                self.slab = Some(Slab { from: Some(from), ..slab });
                one(self, at)
            });
        };
        at.each(at.size(self.nest().extents[*d]), |at, index| {
            self.known.insert(key(self.nest().indices[*d]), index);
            self.each(at, rest, one)
        })
    }

    /// The left factor: as it is where its inner indices lie side by side, else a copy that is to be made.
    fn left(
        &self,
        at: &Emitter<'c, 'a>,
        buffers: &mut Vec<V<'c, 'a>>,
    ) -> Result<Source<'c, 'a, 'p>, Failure> {
        let Product { lhs, rows, .. } = self.product;
        if self.product.has_left_beside() {
            return Ok(Source::Body(lhs));
        }
        self.allocate(at, lhs, &[*rows], &[], buffers)
    }

    /// A buffer for a factor: its batches, what is summed over, and `own`, in the order that the template
    /// reads them.
    fn allocate(
        &self,
        at: &Emitter<'c, 'a>,
        factor: &Factor<'c, 'a>,
        own: &[usize],
        looped: &[usize],
        buffers: &mut Vec<V<'c, 'a>>,
    ) -> Result<Source<'c, 'a, 'p>, Failure> {
        let Product { nest, inner, rows, .. } = self.product;
        let moving = |d: &usize| factor.uses(nest.indices[*d]) && !own.contains(d) && !looped.contains(d);
        let mut dims: Vec<usize> = (0..nest.outer).filter(moving).collect();
        if own == [*rows] {
            dims.extend(own.iter().chain(inner));
        } else {
            dims.extend(inner.iter().chain(own));
        }
        let element = if self.words.is_some() { at.word_type() } else { factor.value.r#type() };
        Ok(Source::Copy(self.buffer(at, &dims, element, buffers)?, dims))
    }

    /// A buffer of these dimensions, or of how much there is of them at a time.
    fn buffer(
        &self,
        at: &Emitter<'c, 'a>,
        dims: &[usize],
        element: Type<'c>,
        buffers: &mut Vec<V<'c, 'a>>,
    ) -> Result<V<'c, 'a>, Failure> {
        let (dynamic, sizes) = self.sizes(dims);
        let ty = MemRefType::contiguous(element, &sizes, None).into();
        let buffer = at.allocate("memref.alloc", ty, &dynamic)?;
        buffers.push(buffer);
        Ok(buffer)
    }

    /// How much there is of dimensions at a time: what is not known, and all.
    fn sizes(&self, dims: &[usize]) -> (Vec<V<'c, 'a>>, Vec<i64>) {
        Extent::split(&dims.iter().map(|d| self.extent(*d)).collect::<Vec<_>>())
    }

    /// Fills the buffer of a factor.
    fn copy(
        &self,
        at: Emitter<'c, 'a>,
        kernels: &mut Kernels<'c>,
        limits: Limits,
        (factor, source): (&Factor<'c, 'a>, &Source<'c, 'a, 'p>),
    ) -> Result<(), Failure> {
        let Source::Copy(buffer, dims) = source else { return Err("copies what is not copied".into()) };
        let words = self.words.map(|d| self.words_beside(&at, factor, d)).transpose()?.flatten();
        let sides = self.sides(dims, &|run| match &words {
            Some(access) => run.place(access, &self.zero).is_ok(),
            None => factor.body.iter().all(|op| self.has_beside(*op, run)),
        });
        let extents: Vec<Extent> = sides.iter().map(|dims| self.extent_of(dims)).collect();
        let (dynamic, sizes) = Extent::split(&extents);
        let mut groups: Vec<(usize, usize)> = vec![];
        let mut first = 0;
        for dims in &sides {
            groups.extend((dims.len() > 1).then_some((first, dims.len())));
            first += dims.len();
        }
        let buffer = collapsed(&at, *buffer, &groups)?;
        let (region, mut inside) = self.region(&at, &sides, None, self.slab)?;
        let value = match (&words, self.words) {
            (Some(access), _) => inside.load(&at, access, &self.zero)?,
            (None, Some(d)) => inside.word(&at, factor, self.nest().indices[d], &self.zero)?,
            (None, None) => inside.append(&at, &factor.body, factor.value, &self.zero)?,
        };
        inside.block.append_operation(loop_::yield_(at.location, &[], value, &[], None)?);
        let op =
            loop_::pointwise(at.location, &[], &dynamic, &sizes, Some(buffer), None, None, vec![region])?;
        let op = at.insert(op);
        launch(kernels, &Nest::read(op)?, "windows", limits)?;
        erase(op);
        Ok(())
    }

    fn write(&self, at: Emitter<'c, 'a>, [left, right]: [&Source<'c, 'a, 'p>; 2]) -> Result<(), Failure> {
        let extents: Vec<Extent> = self.dims.iter().map(|dims| self.extent_of(dims)).collect();
        let (dynamic, sizes) = Extent::split(&extents);
        let (init, end) = self.end(&at)?;
        let regions = vec![self.factor(&at, left)?, self.factor(&at, right)?, end];
        let reduced = (self.dims.len() - self.outer()) as i64;
        let op = kernel::matmul(
            at.location,
            &[],
            &dynamic,
            &sizes,
            reduced,
            init,
            None,
            None,
            None,
            None,
            None,
            regions,
        )?;
        at.insert(op);
        Ok(())
    }

    /// The dimensions of the template that are not summed over.
    fn outer(&self) -> usize {
        let inner = |dims: &&Vec<usize>| dims.iter().all(|d| *d >= self.nest().outer);
        self.dims.len() - self.dims.iter().rev().take_while(inner).count()
    }

    /// A region with an index for each of these, and the sum behind them; those of a slab begin where it
    /// does.
    fn region(
        &self,
        at: &Emitter<'c, 'a>,
        dims: &[Vec<usize>],
        sum: Option<V<'c, 'a>>,
        slab: Option<Slab<'c, 'a>>,
    ) -> Result<(Region<'c>, Inside<'c, 'a>), Failure> {
        let nest = self.nest();
        let region = Region::new();
        let mut arguments = vec![(at.index_type(), at.location); dims.len()];
        arguments.extend(sum.map(|sum| (sum.r#type(), at.location)));
        // It lives as long as the region, which the template gets.
        let block: BlockRef<'c, 'a> = kept::block(region.append_block(Block::new(&arguments)));
        let (mut values, mut runs) = (self.known.clone(), vec![]);
        for (i, dims) in dims.iter().enumerate() {
            let index = V::from(block.argument(i)?);
            let from = slab.filter(|slab| slab.dim == dims[0]).and_then(|slab| slab.from);
            match dims[..] {
                [one] if from.is_none() || sum.is_none() => {
                    let sum = from.map(|from| {
                        Cursor::end(block, at.location).op("arith.addi", &[index, from], at.index_type())
                    });
                    values.insert(key(nest.indices[one]), sum.unwrap_or(Ok(index))?);
                }
                _ => {
                    let beside = dims[1..].iter().map(|d| nest.sizes[*d]).product();
                    runs.push((self.run(dims), index, from.map(|from| at.mul(from, at.index(beside)))));
                }
            }
        }
        if let Some(sum) = sum {
            values.insert(key(sum), block.argument(dims.len())?.into());
        }
        Ok((region, Inside { block, values, runs }))
    }

    /// The body of a factor.
    fn factor(&self, at: &Emitter<'c, 'a>, source: &Source<'c, 'a, 'p>) -> Result<Region<'c>, Failure> {
        // A copy has the slab alone, and a left factor no columns.
        let (region, mut inside) = self.region(at, &self.dims, None, None)?;
        let value = match source {
            Source::Body(factor) => inside.append(at, &factor.body, factor.value, &self.zero)?,
            Source::Lines(access, merged) => {
                let value = inside.load_merged(at, access, *merged, &self.zero)?;
                let wide: Type = self.product.rhs.value.r#type();
                if value.r#type() == wide || self.words.is_some() {
                    value
                } else {
                    Emitter::at_end(inside.block, at.location).op("arith.extf", &[value], wide, &[])
                }
            }
            Source::Copy(buffer, dims) => {
                let indices: Vec<V> = dims.iter().map(|d| self.nest().indices[*d]).collect();
                inside.load(at, &Access::identity(*buffer, &indices), &self.zero)?
            }
        };
        inside.block.append_operation(loop_::yield_(at.location, &[], value, &[], None)?);
        Ok(region)
    }

    /// The destination and the epilogue: none where the sum of a point goes to the point, else what is done
    /// with it and where it goes.
    fn end(&self, at: &Emitter<'c, 'a>) -> Result<(V<'c, 'a>, Region<'c>), Failure> {
        if let Some(sums) = self.sums {
            return Ok((self.gathered(at, sums)?, Region::new()));
        }
        let Product { nest, epilogue, .. } = self.product;
        let outer = &self.dims[..self.outer()];
        let sum = self.product.sum()?;
        let (region, mut inside) = self.region(at, outer, Some(sum), self.slab)?;
        let (value, store) = match epilogue {
            Some(epilogue) => {
                (inside.append(at, &epilogue.body, epilogue.value, &self.zero)?, &epilogue.store)
            }
            None => (inside.block.argument(outer.len())?.into(), &nest.store),
        };
        let Joined { buffer, exprs, values } =
            Joined::of(at, store, &inside.runs, &self.zero, &inside.values)?;
        let at_point = |(i, expr): (usize, &Expr)| {
            let Expr::Dim(d) = expr else { return false };
            inside.block.argument(i).is_ok_and(|point| values[*d] == V::from(point))
        };
        let to_the_point = exprs.len() == outer.len() && exprs.iter().enumerate().all(at_point);
        if to_the_point && epilogue.is_none() {
            return Ok((buffer, Region::new()));
        }
        let (operands, map): (Vec<V>, Option<Attribute>) = if to_the_point {
            (vec![], None)
        } else {
            let (operands, map) = place(at, &exprs, &values);
            (operands, Some(map))
        };
        inside.block.append_operation(loop_::yield_(at.location, &[], value, &operands, map)?);
        Ok((buffer, region))
    }
}
