//! The program of a group that has products of matrices among its members, as attention has two with a
//! softmax between them: a grid point has a block of rows, and each step is done for all of these before the
//! next one.
//!
//! ```text
//! loop.group (%b, %i) {                          kernel, for each %b and each block of rows:
//!   %s = loop.reduction add (%j) over (%k) ..      %rows[r, :] of all r: register tiles of the first product
//!   %m = loop.reduction max over (%j) ..           for each r: the softmax of %rows[r, :], where it is
//!   %p = loop.pointwise (%j) ..
//!   %y = loop.reduction add (%d) over (%j) ..      %y0[r, :] of all r: register tiles of the second one
//!   insert %y into %y0 at [%b, %i, :]
//! }
//! ```
//!
//! A member is a product for the rows if with the index of the group's last dimension it is one, of that
//! dimension's rows and its own columns. What members give each other has a row in scratch memory for each of
//! the block: it stays in the cache, where all rows together may be larger than that. A member that reads and
//! writes the same places has no memory of its own.
//!
//! Where a causal mask hides the columns behind the last row of a block, no step runs through them
//! ([`hidden`]).
//!
//! Source: the tiling of FlashAttention (Dao et al. 2022), with whole rows, so that the sums are what they
//! are without it.

use super::{
    group::{Group, Step},
    hidden,
    points::point,
    product::Product as Found,
};
use crate::{
    emit::Emitter,
    kernel::tile_programs::{
        access::Access,
        cursor::{Bound, Cursor, Env, Lane, parts_of},
        kernels::Kernels,
        launch,
        matmul::Matmul,
        nest::{Element, Kind, Nest, bound, is_local},
        places::{Place, Places},
        products::{Factor, Product, choices::Choice, pack::Packing},
        schedule::{Level, Limits, grid},
        strips::parts,
    },
};
use melior::ir::{ValueLike, r#type::MemRefType};
use std::{collections::HashMap, rc::Rc};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Cursor as Host, V},
        extent::Extent,
        operations::{definition, key},
        pass::Failure,
        rewrite::erase,
        shaped::Shaped,
        types::bytes,
    },
    ops::{Combiner, loop_},
};
use terrace_size::DYNAMIC;

/// Bytes of a block's scratch memory, where a few rows do not take more.
const BLOCK: i64 = 256 << 10;
/// Register tiles that a block has one above the other, at most.
const TILES: i64 = 4;
/// Elements between the rows of scratch memory: they begin in different places of the cache.
const PAD: i64 = 16;

/// A product for the rows of a block.
struct Rows<'c, 'a> {
    matmul: Matmul<'c, 'a>,
    /// The same with the columns that a block sees.
    visible: Matmul<'c, 'a>,
    tile: (i64, i64),
    /// Whether the left and the right factor are packed.
    pack: [bool; 2],
}

/// What is done for a block before the next thing is.
enum Stage<'c, 'a> {
    Product(Box<Rows<'c, 'a>>),
    /// For each row.
    Each(Vec<Step<'c, 'a>>),
}

/// A stage whose factors are where they are read from.
enum Program<'c, 'a, 'n> {
    Product(Box<Product<'c, 'a, 'n>>),
    Each(&'n [Step<'c, 'a>]),
}

/// A kernel for a group with products.
pub(super) struct Blocks<'c, 'a, 'n> {
    group: &'n Group<'c, 'a>,
    stages: Vec<Stage<'c, 'a>>,
    /// Rows of a block.
    block: i64,
    /// The columns that there are, where a block sees those up to its last row alone.
    columns: Option<i64>,
    scratch: Scratch<'c, 'a>,
}

/// The memory of a block. Until the kernel is written operations in front of the group stand for what only
/// the kernel has.
struct Scratch<'c, 'a> {
    at: Emitter<'c, 'a>,
    /// The first row of the block, and how many columns it sees.
    first: V<'c, 'a>,
    visible: V<'c, 'a>,
    /// One row of each.
    memory: Vec<V<'c, 'a>>,
    places: Places<'c, 'a>,
    /// Bytes of a row.
    row: i64,
}

impl<'c: 'a, 'a, 'n> Blocks<'c, 'a, 'n> {
    /// Reads a group; None where no member is a product for the rows, or where blocks of rows are not
    /// possible: its points meet, a row has sizes of the run, or a number is used behind a product that was
    /// made in front of it.
    pub fn of(group: &'n Group<'c, 'a>, most: (i64, i64)) -> Result<Option<Self>, Failure> {
        let nests = || group.steps.iter().map(Step::nest);
        let known = |nest: &Nest| !nest.sizes.contains(&DYNAMIC);
        let Some(rows) = group.sizes.last().filter(|_| nests().any(is_candidate)) else { return Ok(None) };
        if group.combines || group.tile.is_some() || !nests().all(known) {
            return Ok(None);
        }
        let Some(scratch) = Scratch::of(group)? else { return Ok(None) };
        let places = Rc::new(scratch.places.clone());
        let hidden = hidden::of(group).unwrap_or_default();
        let mut columns = group.steps.iter().enumerate();
        let columns = columns.find_map(|(i, step)| hidden.get(&i).map(|d| step.nest().sizes[*d]));
        let visible = Extent::Value(scratch.visible);
        let mut stages: Vec<Stage> = vec![];
        for (number, step) in group.steps.iter().enumerate() {
            let mut step = step.placed(&places);
            let mut rows = if let Step::Member(nest) = &step { Rows::of(group, nest, most) } else { None };
            if let Some(dim) = hidden.get(&number) {
                step.nest_mut().extents[*dim] = visible;
                rows.iter_mut().for_each(|rows| rows.visible.extents[group.sizes.len() + dim] = visible);
            }
            match (rows, stages.last_mut()) {
                (Some(rows), _) => stages.push(Stage::Product(Box::new(rows))),
                (None, Some(Stage::Each(steps))) => steps.push(step),
                (None, _) => stages.push(Stage::Each(vec![step])),
            }
        }
        let tile = stages.iter().find_map(|stage| match stage {
            Stage::Product(rows) => Some(rows.tile.0),
            Stage::Each(_) => None,
        });
        let Some(tile) = tile.filter(|_| keeps_numbers(&stages)) else { return Ok(None) };
        let block = tile * (BLOCK / scratch.row.max(1) / tile).clamp(1, TILES);
        let block = if *rows == DYNAMIC { block } else { block.min(*rows) };
        Ok(Some(Self { group, stages, block, columns, scratch }))
    }

    /// Puts the kernel and its launch in front of the group, behind what packs factors.
    pub fn launch(&self, kernels: &mut Kernels<'c>, limits: Limits) -> Result<(), Failure> {
        let mut packing = Packing::default();
        let mut programs = vec![];
        for stage in &self.stages {
            programs.push(match stage {
                Stage::Each(steps) => Program::Each(steps),
                Stage::Product(rows) => Program::Product(Box::new(rows.product(&mut packing)?)),
            });
        }
        for copy in packing.copies {
            launch(kernels, &Nest::read(copy)?, "pack", limits)?;
            erase(copy);
        }
        let group = self.group;
        let (name, captured) = (group.name.as_deref().unwrap_or("blocks"), group.captured());
        let grid = grid(&Host::before(group.op)?, &self.levels(), &group.extents)?;
        kernels.launch(
            group.op,
            name,
            &[&captured[..], &packing.buffers].concat(),
            &grid,
            |at, env, grid| self.write(&programs, limits, at, env, grid),
        )?;
        for buffer in packing.buffers {
            self.scratch.at.build("memref.dealloc", &[buffer], &[], &[]);
        }
        Ok(())
    }

    /// A grid point for each batch and each block of rows.
    fn levels(&self) -> Vec<Level> {
        let group = self.group;
        let tiles = std::iter::repeat_n(1, group.sizes.len() - 1).chain([self.block]);
        tiles.zip(&group.sizes).map(|(tile, size)| Level::of((&tile, size))).collect()
    }

    /// The columns up to the last row of a block, in whole tiles where there are as many.
    fn visible(
        &self,
        at: Cursor<'c, 'a, '_>,
        first: Bound<'c, 'a>,
        columns: i64,
        tile: i64,
    ) -> Result<V<'c, 'a>, Failure> {
        let end = at.index_op("arith.addi", at.bound(first)?, at.index(self.block + tile - 1)?)?;
        let tiles = at.index_op("arith.divui", end, at.index(tile)?)?;
        let end = at.index_op("arith.muli", tiles, at.index(tile)?)?;
        at.index_op("arith.minsi", end, at.index(columns)?)
    }

    fn write(
        &self,
        programs: &[Program<'c, 'a, '_>],
        limits: Limits,
        at: Cursor<'c, 'a, '_>,
        mut env: Env<'c, 'a>,
        grid: &[V<'c, 'a>],
    ) -> Result<(), Failure> {
        for row in &self.scratch.memory {
            let Shaped { mut shape, element, .. } = Shaped::expect(row.r#type())?;
            shape[0] = self.block;
            let ty = MemRefType::contiguous(element, &shape, None).into();
            env.insert(key(*row), Lane::One(at.allocate("memref.alloca", ty, &[])?));
        }
        let sizes = self.group.extents.iter().map(|extent| bound(*extent, &env));
        let parts = parts(at, &self.levels(), &sizes.collect::<Result<Vec<_>, _>>()?, grid)?;
        let (rows, batches) = parts.split_last().ok_or("has no rows")?;
        let (row, indices) = self.group.indices.split_last().ok_or("has no rows")?;
        for (index, part) in indices.iter().zip(batches) {
            env.insert(key(*index), Lane::One(at.bound(part.from)?));
        }
        env.insert(key(self.scratch.first), Lane::One(at.bound(rows.from)?));
        if let Some(columns) = self.columns {
            env.insert(
                key(self.scratch.visible),
                Lane::One(self.visible(at, rows.from, columns, limits.tile)?),
            );
        }
        for program in programs {
            match program {
                Program::Product(product) => product.rows(at, &env, *rows)?,
                Program::Each(steps) => rows.each(at, |at, i| {
                    let mut env = env.clone();
                    env.insert(key(*row), Lane::One(i));
                    point(steps, &[], limits, at, env)
                })?,
            }
        }
        Ok(())
    }
}

impl<'c: 'a, 'a> Rows<'c, 'a> {
    /// Reads a member with the indices of its group; None where it is no product of the rows with columns of
    /// its own.
    fn of(group: &Group<'c, 'a>, member: &Nest<'c, 'a>, most: (i64, i64)) -> Option<Self> {
        let shared = group.sizes.len();
        let nest = Nest {
            op: group.op,
            sizes: [&group.sizes[..], &member.sizes].concat(),
            extents: [&group.extents[..], &member.extents].concat(),
            indices: [&group.indices[..], &member.indices].concat(),
            outer: shared + member.outer,
            around: vec![],
            tile: None,
            ..member.clone()
        };
        let found = Found::of(&nest).filter(|_| member.order.is_none())?;
        let sides = [&found.lhs, &found.rhs];
        let own = |v: V<'c, 'a>| is_local(v);
        let numbers = |v: V<'c, 'a>| own(v) && Shaped::of(v.r#type()).is_none();
        let uses = |d: usize, test: &dyn Fn(V<'c, 'a>) -> bool| {
            sides[d].body.iter().any(|op| op.operands().any(test))
        };
        if (found.rows, &found.columns[..], &found.inner[..]) != (shared - 1, &[shared], &[shared + 1])
            || member.outer != 1
            || [0, 1].into_iter().any(|d| uses(d, &numbers))
        {
            return None;
        }
        let [lhs, rhs] = sides.map(|side| Nest {
            kind: Kind::Pointwise,
            body: side.body.clone(),
            element: Element::Value(side.value),
            ..nest.clone()
        });
        let outer = nest.indices[..nest.outer].to_vec();
        let element = nest.element_type();
        let Nest { sizes, extents, store, .. } = nest.clone();
        let matmul = Matmul {
            reduced: sizes.len() - nest.outer,
            sizes,
            extents,
            lhs,
            rhs,
            epilogue: None,
            store,
            outer,
            element,
            pairs: false,
            words: false,
            dots: false,
            span: 0,
        };
        let Choice { tile: [rows, columns], pack, .. } = Choice::columns(&matmul, most, false);
        // What only the kernel has can't be packed in front of it.
        let packs_own = (0..2).any(|d| pack[d] && uses(d, &own));
        let visible = matmul.clone();
        (!packs_own).then_some(Self { matmul, visible, tile: (rows, columns), pack })
    }

    /// The product on what its factors are packed into.
    fn product<'n>(&'n self, packing: &mut Packing<'c, 'a>) -> Result<Product<'c, 'a, 'n>, Failure> {
        let Self { matmul, visible, tile, pack: [left, right] } = self;
        let lhs = if *left { packing.left(matmul)? } else { Factor::new(&matmul.lhs, matmul.left()) };
        let rhs =
            if *right { packing.right(matmul, tile.1)? } else { Factor::new(&matmul.rhs, matmul.right()) };
        Ok(Product::new(visible, lhs, rhs, *tile, 0))
    }
}

/// Whether a member may be a product: it adds up.
fn is_candidate(nest: &Nest) -> bool {
    nest.kind == Kind::Reduction(Combiner::Add) && nest.outer == 1
}

/// Whether every number is used in the stage that makes it alone.
fn keeps_numbers(stages: &[Stage]) -> bool {
    let steps = |stage| match stage {
        &Stage::Product(_) => &[][..],
        Stage::Each(steps) => steps,
    };
    let all =
        || stages.iter().enumerate().flat_map(|(i, stage)| steps(stage).iter().map(move |step| (i, step)));
    let mut made: HashMap<usize, usize> = HashMap::new();
    for (stage, step) in all() {
        let nest = step.nest();
        let numbers = nest.body.iter().filter(|_| matches!(step, Step::Numbers(_)));
        made.extend(numbers.flat_map(|op| op.results()).map(|result| (key(result), stage)));
        made.insert(key(nest.store.buffer), stage);
    }
    all().all(|(stage, step)| {
        let is_number = |v: &V| Shaped::of(v.r#type()).is_none();
        step.nest()
            .captured()
            .iter()
            .filter(|v| is_number(v))
            .all(|v| made.get(&key(*v)).is_none_or(|own| *own == stage))
    })
}

impl<'c: 'a, 'a> Scratch<'c, 'a> {
    /// The memory of a group's tensors that have no place in a destination; None where one is of complex
    /// numbers.
    fn of(group: &Group<'c, 'a>) -> Result<Option<Self>, Failure> {
        let at = Emitter::before(group.op)?;
        let row = *group.indices.last().ok_or("has no rows")?;
        let (first, visible) = (at.index(0), at.index(0));
        let mut scratch =
            Self { at, first, visible, memory: vec![], places: (*group.places).clone(), row: 0 };
        let mut homes: HashMap<usize, V> = HashMap::new();
        for (number, nest) in group.steps.iter().map(Step::nest).enumerate() {
            let value = nest.store.buffer;
            let Some(shaped) = Shaped::of(value.r#type()).filter(|s| is_local(value) && !s.buffer) else {
                continue;
            };
            let Some(bytes) = bytes(shaped.element).filter(|_| parts_of(shaped.element) == 1) else {
                return Ok(None);
            };
            let home = match over(group, number).and_then(|over| homes.get(&key(over)).copied()) {
                Some(home) => home,
                None => {
                    let mut sizes = [&[1], &shaped.shape[..]].concat();
                    sizes.last_mut().into_iter().for_each(|last| *last += PAD);
                    scratch.row += sizes.iter().product::<i64>() * bytes;
                    let ty = MemRefType::contiguous(shaped.element, &sizes, None).into();
                    let memory = at.allocate("memref.alloc", ty, &[])?;
                    scratch.memory.push(memory);
                    memory
                }
            };
            homes.insert(key(value), home);
            let place = Place::row(at.context, home, shaped.shape.len(), [row, first]);
            scratch.places.insert(key(value), place);
        }
        Ok(Some(scratch))
    }
}

impl Drop for Scratch<'_, '_> {
    fn drop(&mut self) {
        for op in
            self.memory.iter().chain([&self.first, &self.visible]).filter_map(|value| definition(*value))
        {
            erase(op);
        }
    }
}

/// The tensor that a member can be written over: its points read there what is at their own place, and nobody
/// reads it later.
fn over<'c: 'a, 'a>(group: &Group<'c, 'a>, number: usize) -> Option<V<'c, 'a>> {
    let nest = group.steps[number].nest();
    let loads = |nest: &Nest<'c, 'a>| -> Vec<loop_::LoadOp<'c, 'a>> {
        nest.body.iter().filter_map(|op| loop_::LoadOp::try_from(*op).ok()).collect()
    };
    let own = loads(nest);
    let later: Vec<_> = group.steps[number + 1..].iter().flat_map(|step| loads(step.nest())).collect();
    let fits = |source: &V<'c, 'a>| {
        let identity = Access::identity(*source, &nest.indices);
        let there =
            |load: &loop_::LoadOp<'c, 'a>| load.map() == identity.map && load.indices() == identity.operands;
        source.r#type() == nest.store.buffer.r#type()
            && own.iter().filter(|load| load.source() == *source).all(there)
            && later.iter().all(|load| load.source() != *source)
    };
    own.iter().map(|load| load.source()).find(fits).filter(|_| nest.is_pointwise())
}
