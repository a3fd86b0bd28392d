//! The body of a kernel, operation by operation.
//!
//! `arith` and `math` on tiles become the same operation on each vector; what carries tiles (loops, branches,
//! their yields) carries the vectors instead; what has nothing to do with tiles stays as it is.

use super::{
    later::is_read_later,
    share::Position,
    threads::{Threads, barrier},
    tile::{Cut, Tile, broadcast},
};
use melior::ir::{Attribute, Block, BlockRef, Identifier, OperationRef, Region, RegionLike, Type, ValueLike};
use std::collections::HashMap;
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        operations::{arguments, key, name_of, refuse},
        pass::Failure,
        shaped::Shaped,
    },
    ops::kernel,
};
use terrace_size::{DYNAMIC, symbols::Predicate};

/// What stands for a value of the kernel.
pub(crate) enum Lowered<'c, 'a> {
    /// A value that is no tile.
    One(V<'c, 'a>),
    /// A tile.
    Tile(Tile<'c, 'a>),
    /// A tile that is read where it is used, element by element.
    Later(kernel::LoadOp<'c, 'a>),
}

/// What the values of a kernel have become.
pub(crate) struct Body<'c, 'a> {
    /// The elements of a vector.
    pub(super) lanes: i64,
    /// Where a tile is spread over threads: them.
    pub(super) threads: Option<Threads<'c, 'a>>,
    /// Whether an instruction multiplies pairs of bf16.
    pub(super) fuses_pairs: bool,
    values: HashMap<usize, Lowered<'c, 'a>>,
}

/// The elements of a tile at most. A tile is unrolled: time and memory grow with its elements, and registers
/// have long run out.
const MAX_ELEMENTS: i64 = 1 << 16;

/// Refuses an operation that makes a tile of too many elements, or of nobody knows how many.
fn check_sizes(op: OperationRef) -> Result<(), Failure> {
    for result in op.results() {
        let ty = result.r#type();
        let Some(Shaped { shape, buffer: false, .. }) = Shaped::of(ty) else { continue };
        let elements = shape.iter().try_fold(1, |n: i64, size| n.checked_mul(*size));
        if elements.is_none_or(|n| n > MAX_ELEMENTS) || shape.contains(&DYNAMIC) {
            return Err(refuse(
                op,
                &format!("makes {ty}: a tile has at most {MAX_ELEMENTS} elements, their number known"),
            ));
        }
    }
    Ok(())
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// A `memref.alloca`: what stands at the head of the body is there already.
    fn scratch(&self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        if self.get(op.result_at(0)?.into()).is_ok() {
            return Ok(());
        }
        Err(refuse(
            op,
            "stands inside a loop or a branch: scratch memory of a kernel is at the head of its body",
        ))
    }

    /// A body of which nothing is there yet, on vectors of so many elements.
    pub fn new(lanes: i64) -> Self {
        Self { lanes, threads: None, fuses_pairs: false, values: HashMap::new() }
    }

    /// The same where an instruction multiplies pairs of bf16, or none does.
    pub fn fusing_pairs(self, fuses_pairs: bool) -> Self {
        Self { fuses_pairs, ..self }
    }

    /// The same on threads, each with its share of every tile.
    pub fn spread(self, threads: Threads<'c, 'a>) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// What stands for a value from now on.
    pub fn set(&mut self, old: V<'c, 'a>, new: Lowered<'c, 'a>) {
        self.values.insert(key(old), new);
    }

    /// How a tile type is cut; None where the type is none.
    pub fn cut(&self, ty: Type<'c>) -> Option<Cut<'c>> {
        if self.threads.is_some() { Cut::spread(ty) } else { Cut::of(ty, self.lanes) }
    }

    pub fn get(&self, value: V<'c, 'a>) -> Result<&Lowered<'c, 'a>, Failure> {
        self.values
            .get(&key(value))
            .ok_or_else(|| Failure::Message(format!("uses a value before it is there: {value}")))
    }

    /// What stands for a value that is no tile.
    pub fn one(&self, value: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        match self.get(value)? {
            Lowered::One(one) => Ok(*one),
            _ => Err(Failure::Message(format!("expects a scalar or a memref, got {}", value.r#type()))),
        }
    }

    pub fn ones(&self, values: &[V<'c, 'a>]) -> Result<Vec<V<'c, 'a>>, Failure> {
        values.iter().map(|v| self.one(*v)).collect()
    }

    /// What stands for a tile.
    pub fn tile(&self, value: V<'c, 'a>) -> Result<Tile<'c, 'a>, Failure> {
        match self.get(value)? {
            Lowered::Tile(tile) => Ok(tile.clone()),
            _ => Err(Failure::Message(format!("expects a tile, got {}", value.r#type()))),
        }
    }

    /// The types that stand for types: those of a tile's vectors.
    fn types(&self, types: impl Iterator<Item = Type<'c>>) -> Vec<Type<'c>> {
        types.flat_map(|ty| self.cut(ty).map_or_else(|| vec![ty], |cut| cut.types())).collect()
    }

    /// Takes what stands for `olds` off `news`, in order.
    fn bind(&mut self, olds: impl Iterator<Item = V<'c, 'a>>, mut news: impl Iterator<Item = V<'c, 'a>>) {
        for old in olds {
            let lowered = match self.cut(old.r#type()) {
                Some(cut) => {
                    let parts = news.by_ref().take(cut.types().len()).collect();
                    Some(Lowered::Tile(Tile { cut, parts }))
                }
                None => news.next().map(Lowered::One),
            };
            if let Some(lowered) = lowered {
                self.set(old, lowered);
            }
        }
    }

    /// Writes the operations of a block.
    pub fn block(&mut self, block: BlockRef<'c, 'a>, at: Cursor<'c, 'a>) -> Result<(), Failure> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            self.operation(op, at.of(op.location()))?;
            next = op.next_in_block();
        }
        Ok(())
    }

    fn operation(&mut self, op: OperationRef<'c, 'a>, at: Cursor<'c, 'a>) -> Result<(), Failure> {
        let later = kernel::LoadOp::try_from(op).is_ok_and(|load| is_read_later(load));
        if !later {
            check_sizes(op)?;
        }
        let name = name_of(op);
        if self.threads.as_ref().is_some_and(|threads| threads.order.meets(op)) {
            barrier(&at)?;
        }
        let tiles = op.operands().any(|v| self.cut(v.r#type()).is_some())
            || op.results().any(|r| self.cut(r.r#type()).is_some());
        let tile = match (name, name.split_once('.').map_or("", |(dialect, _)| dialect)) {
            (_, "kernel") => return self.kernel(op, &at),
            ("arith.constant", _) if tiles => {
                let cut = self.cut(op.result_at(0)?.r#type()).ok_or(internal!("makes no tile"))?;
                match &self.threads {
                    Some(threads) => threads.constant(&at, cut, op.attribute("value")?)?,
                    None => Tile::constant(&at, cut, op.attribute("value")?)?,
                }
            }
            ("tensor.splat", _) => {
                let cut = self.cut(op.result_at(0)?.r#type()).ok_or(internal!("makes no tile"))?;
                Tile::splat(&at, cut, self.one(op.operand(0)?)?)?
            }
            (_, "arith" | "math") if tiles => return self.elementwise(op, &at),
            (_, "scf") => return self.same(op, &at),
            ("memref.alloca", _) => return self.scratch(op),
            ("memref.store", _) if self.threads.is_some() => return self.store_scalar(op, &at),
            _ if tiles => {
                return Err(refuse(op, "has no form on vectors: tiles are for kernel, arith, math and scf"));
            }
            _ => return self.same(op, &at),
        };
        self.set(op.result_at(0)?.into(), Lowered::Tile(tile));
        Ok(())
    }

    fn kernel(&mut self, op: OperationRef<'c, 'a>, at: &Cursor<'c, 'a>) -> Result<(), Failure> {
        let lowered = if let Ok(load) = kernel::LoadOp::try_from(op) {
            match is_read_later(load) {
                true => Lowered::Later(load),
                false => Lowered::Tile(self.load(at, load)?),
            }
        } else if let Ok(store) = kernel::StoreOp::try_from(op) {
            return self.store(at, store);
        } else if let Ok(scatter) = kernel::ScatterOp::try_from(op) {
            return self.scatter(at, scatter);
        } else if let Ok(atomic) = kernel::AtomicOp::try_from(op) {
            return self.atomic(at, atomic);
        } else if let Ok(gather) = kernel::GatherOp::try_from(op) {
            Lowered::Tile(self.gather(at, gather)?)
        } else if kernel::IotaOp::try_from(op).is_ok() {
            let cut = self.cut(op.result_at(0)?.r#type()).ok_or(internal!("makes no tile"))?;
            Lowered::Tile(self.iota(at, cut)?)
        } else if let Ok(reduce) = kernel::ReduceOp::try_from(op) {
            self.reduce(at, reduce)?
        } else if let Ok(scan) = kernel::ScanOp::try_from(op) {
            let (tile, next) = self.scan(at, scan)?;
            self.set(op.result_at(1)?.into(), Lowered::One(next));
            Lowered::Tile(tile)
        } else if let Ok(spread) = kernel::BroadcastOp::try_from(op) {
            Lowered::Tile(self.broadcast(at, spread)?)
        } else if let Ok(convert) = kernel::ConvertLayoutOp::try_from(op) {
            let tile = self.tile(convert.tile())?;
            let cut = self.cut(op.result_at(0)?.r#type()).ok_or(internal!("makes no tile"))?;
            Lowered::Tile(match &mut self.threads {
                Some(threads) => threads.convert(at, &tile, cut)?,
                None => tile,
            })
        } else if let Ok(pairs) = kernel::AddPairsOp::try_from(op) {
            Lowered::Tile(self.add_pairs(at, pairs)?)
        } else if let Ok(dot) = kernel::DotOp::try_from(op) {
            Lowered::Tile(self.dot(at, dot)?)
        } else if kernel::ReturnOp::try_from(op).is_ok() {
            return Ok(());
        } else {
            return Err(refuse(op, "has no place inside a kernel"));
        };
        self.set(op.result_at(0)?.into(), lowered);
        Ok(())
    }

    /// The same operation on each vector; scalars are the same for all. On threads a product and the sum that
    /// it goes into may be rounded once, as compilers for GPUs do it.
    fn elementwise(&mut self, op: OperationRef<'c, 'a>, at: &Cursor<'c, 'a>) -> Result<(), Failure> {
        let mut attributes: Vec<_> = op.attributes().collect();
        if self.threads.is_some() && ["arith.addf", "arith.subf", "arith.mulf"].contains(&name_of(op)) {
            let flags = |text| Attribute::parse(at.context, text).ok_or(internal!("no flags"));
            let (none, contract) = (flags("#arith.fastmath<none>")?, flags("#arith.fastmath<contract>")?);
            attributes.iter_mut().filter(|own| own.1 == none).for_each(|own| own.1 = contract);
        }
        let cuts: Vec<Cut> = op.results().filter_map(|r| self.cut(r.r#type())).collect();
        let mut parts = vec![vec![]; op.result_count()];
        let count = cuts.first().map_or(0, |cut| cut.types().len());
        let types: Vec<Vec<Type>> = cuts.iter().map(|cut| cut.types()).collect();
        for i in 0..count {
            let mut operands = vec![];
            for value in op.operands() {
                operands.push(match self.get(value)? {
                    Lowered::One(one) => *one,
                    Lowered::Tile(tile) => tile.parts[i],
                    Lowered::Later(_) => return Err("uses a tile that is read element by element".into()),
                });
            }
            let results: Vec<Type> = types.iter().map(|types| types[i]).collect();
            let written = at.build(name_of(op), &operands, &results, &attributes, vec![])?;
            for (part, result) in parts.iter_mut().zip(written.results()) {
                part.push(result.into());
            }
        }
        for ((result, cut), parts) in op.results().zip(cuts).zip(parts) {
            self.set(result.into(), Lowered::Tile(Tile { cut, parts }));
        }
        Ok(())
    }

    /// The same operation, with vectors for tiles in its operands, results and regions.
    fn same(&mut self, op: OperationRef<'c, 'a>, at: &Cursor<'c, 'a>) -> Result<(), Failure> {
        if op.successors().len() != 0 {
            return Err(refuse(op, "branches: a kernel has structured control flow"));
        }
        let mut operands = vec![];
        for value in op.operands() {
            match self.get(value)? {
                Lowered::One(one) => operands.push(*one),
                Lowered::Tile(tile) => operands.extend(&tile.parts),
                Lowered::Later(_) => return Err("carries a tile that is read element by element".into()),
            }
        }
        let results = self.types(op.results().map(|r| r.r#type()));
        let attributes: Vec<(Identifier, _)> = op.attributes().collect();
        let mut regions = vec![];
        for old in op.regions() {
            let region = Region::new();
            if let Some(block) = old.first_block() {
                if block.next_in_region().is_some() {
                    return Err(refuse(
                        op,
                        "has a region of several blocks: a kernel has structured control flow",
                    ));
                }
                let arguments = self.types(arguments(block).map(|a| a.r#type()));
                let arguments: Vec<_> = arguments.into_iter().map(|ty| (ty, at.location)).collect();
                region.append_block(Block::new(&arguments));
            }
            regions.push(region);
        }
        let written = at.build(name_of(op), &operands, &results, &attributes, regions)?;
        for (old, new) in op.regions().zip(written.regions()) {
            if let (Some(old), Some(new)) = (old.first_block(), new.first_block()) {
                self.bind(arguments(old), arguments(new));
                self.block(old, Cursor::end(new, at.location))?;
            }
        }
        self.bind(op.results().map(Into::into), written.results().map(Into::into));
        Ok(())
    }

    /// A scalar is written by one thread.
    fn store_scalar(&mut self, op: OperationRef<'c, 'a>, at: &Cursor<'c, 'a>) -> Result<(), Failure> {
        let Some(threads) = &self.threads else { return Err("has no threads".into()) };
        let first = at.compare(Predicate::Equal, threads.id, at.index(0)?)?;
        let operands = self.ones(&op.operands().collect::<Vec<_>>())?;
        at.when(first, |at| {
            let attributes: Vec<_> = op.attributes().collect();
            at.build(name_of(op), &operands, &[], &attributes, vec![])?;
            Ok(())
        })
    }

    fn iota(&self, at: &Cursor<'c, 'a>, cut: Cut<'c>) -> Result<Tile<'c, 'a>, Failure> {
        let held = self.threads.as_ref().map(|threads| threads.held(at, &cut)).transpose()?;
        let mut parts = vec![];
        for (from, lanes) in cut.spans() {
            let ty = cut.vector(lanes);
            let position = held.as_ref().map_or(Position { base: None, plus: from }, |h| h.position(0, from));
            let mut step = at.op("vector.step", &[], ty)?;
            if position.base.is_some() || position.plus != 0 {
                step = at.op("arith.addi", &[step, broadcast(at, position.value(at)?, ty)?], ty)?;
            }
            parts.push(step);
        }
        Ok(Tile { cut, parts })
    }
}
