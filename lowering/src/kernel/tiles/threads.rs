//! The threads of a block: what they exchange, and where they meet.
//!
//! Scalars are the same in all threads. What several threads have is combined among those of a warp by
//! shuffles in a butterfly (commutative operations: every lane gets the same bits), then among warps through
//! the memory that the block shares, which every thread reads in the same order. Where a tile changes its
//! layout it goes through that memory whole.

use super::{
    combiner::combine,
    order::Order,
    share::{Held, Share},
    tile::{Cut, Tile},
};
use melior::ir::{
    Attribute, BlockRef, OperationRef, Type, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    r#type::{IntegerType, MemRefType},
};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        pass::Failure,
        shaped::Shaped,
        types::{self, is_float},
    },
    loops::{
        combiners,
        layout::{Layout, WARP},
    },
    ops::{Combiner, kernel},
};
use terrace_size::symbols::Predicate;

/// The threads of a block.
pub(crate) struct Threads<'c, 'a> {
    /// How many: a power of two, whole warps.
    pub count: i64,
    /// The number of a thread.
    pub id: V<'c, 'a>,
    /// The first block of the function, whose last arguments are buffers that the threads of a block share.
    pub entry: BlockRef<'c, 'a>,
    /// These buffers.
    pub shared: Vec<V<'c, 'a>>,
    /// Where they meet.
    pub order: Order,
}

/// The buffer that an operation needs for what threads exchange: type and number of its elements.
pub(crate) fn exchanged<'c>(op: OperationRef<'c, '_>) -> Option<(Type<'c>, i64)> {
    if let Ok(op) = kernel::ConvertLayoutOp::try_from(op) {
        let tile = Shaped::of(op.tile().r#type())?;
        return Some((tile.element, tile.elements()?));
    }
    if let Ok(scan) = kernel::ScanOp::try_from(op) {
        let (cut, layout) = (Cut::spread(scan.tile().r#type())?, Layout::of(scan.tile().r#type())?);
        return (scanning(&cut)?.1 > WARP).then_some((cut.element, layout.count()));
    }
    let reduce = kernel::ReduceOp::try_from(op).ok()?;
    let ty = reduce.tile().r#type();
    let (cut, layout) = (Cut::spread(ty)?, Layout::of(ty)?);
    let values = match reduce.dim() {
        None => 1,
        Some(dim) => {
            let mut shape = cut.shape.clone();
            shape.remove(dim as usize);
            shape.iter().product()
        }
    };
    let (low, high) = along(&cut, reduce.dim(), layout.count());
    (high > low.max(WARP)).then_some((cut.element, layout.count() * values))
}

/// The bits by which the numbers of threads differ that hold what is combined: from one power of two up to
/// another.
fn along(cut: &Cut, dim: Option<i64>, all: i64) -> (i64, i64) {
    match (dim, &cut.share) {
        (Some(dim), Some(share)) => {
            let dim = &share.dims[dim as usize];
            (dim.distance, dim.distance * dim.threads)
        }
        _ => (1, all),
    }
}

/// The bits by which the numbers of threads differ that hold other elements of a row: from one power of two
/// up to another. None where there is no such power, or more than one dimension.
pub(crate) fn scanning(cut: &Cut) -> Option<(i64, i64)> {
    let [dim] = &cut.share.as_ref()?.dims[..] else { return None };
    let threads = dim.threads.min(dim.vectors);
    (threads & (threads - 1) == 0).then_some((dim.distance, dim.distance * threads))
}

fn word<'c>(at: &Cursor<'c, '_>) -> Type<'c> {
    IntegerType::new(at.context, 32).into()
}

/// The bits of a number, in words.
fn words<'c, 'a>(at: &Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
    let ty = value.r#type();
    let Some(width) = types::bits(ty) else {
        let long = IntegerType::new(at.context, 64).into();
        return words(at, at.op("arith.index_cast", &[value], long)?);
    };
    let integer = IntegerType::new(at.context, width).into();
    let bits = if is_float(ty) { at.op("arith.bitcast", &[value], integer)? } else { value };
    Ok(match width {
        32 => vec![bits],
        ..32 => vec![at.op("arith.extui", &[bits], word(at))?],
        _ => {
            let high = at.op("arith.shrui", &[bits, at.integer(integer, 32)?], integer)?;
            vec![at.op("arith.trunci", &[bits], word(at))?, at.op("arith.trunci", &[high], word(at))?]
        }
    })
}

/// The number of a type that has these words.
fn number<'c, 'a>(at: &Cursor<'c, 'a>, words: &[V<'c, 'a>], ty: Type<'c>) -> Result<V<'c, 'a>, Failure> {
    let Some(width) = types::bits(ty) else {
        let long = number(at, words, IntegerType::new(at.context, 64).into())?;
        return at.op("arith.index_cast", &[long], ty);
    };
    let integer: Type = IntegerType::new(at.context, width).into();
    let bits = match words {
        [one] if width == 32 => *one,
        [one] => at.op("arith.trunci", &[*one], integer)?,
        [low, high] => {
            let low = at.op("arith.extui", &[*low], integer)?;
            let high = at.op("arith.extui", &[*high], integer)?;
            let high = at.op("arith.shli", &[high, at.integer(integer, 32)?], integer)?;
            at.op("arith.ori", &[low, high], integer)?
        }
        _ => return Err("has a number of no words".into()),
    };
    if is_float(ty) { at.op("arith.bitcast", &[bits], ty) } else { Ok(bits) }
}

/// What changes nothing that it is combined with; None where a copy of an element changes nothing either.
fn neutral<'c>(at: &Cursor<'c, '_>, combiner: Combiner, element: Type<'c>) -> Option<Attribute<'c>> {
    let (float, int) = match combiner {
        Combiner::Add => (-0.0, 0),
        Combiner::Mul => (1.0, 1),
        Combiner::LogAddExp => (f64::NEG_INFINITY, 0),
        _ => return None,
    };
    Some(if is_float(element) {
        FloatAttribute::new(at.context, element, float).into()
    } else {
        IntegerAttribute::new(element, int).into()
    })
}

impl<'c: 'a, 'a> Threads<'c, 'a> {
    /// What a thread holds of a tile.
    pub fn held(&self, at: &Cursor<'c, 'a>, cut: &Cut<'c>) -> Result<Held<'c, 'a>, Failure> {
        cut.share.as_ref().ok_or(internal!("has a tile without a layout"))?.held(at, self.id)
    }

    /// The number in row-major order of each element that a thread holds of a tile.
    fn numbers(&self, at: &Cursor<'c, 'a>, cut: &Cut<'c>) -> Result<Vec<V<'c, 'a>>, Failure> {
        let (held, sizes) = (self.held(at, cut)?, cut.share.as_ref().map(Share::whole).unwrap_or_default());
        let mut numbers = vec![];
        for row in cut.rows() {
            for lane in 0..cut.row() {
                let mut number = at.index(0)?;
                for (d, i) in row.iter().chain([&lane]).enumerate().take(sizes.len()) {
                    let inner = at.index(sizes[d + 1..].iter().product())?;
                    let term =
                        at.op("arith.muli", &[held.position(d, *i).value(at)?, inner], at.index_type())?;
                    number = at.op("arith.addi", &[number, term], at.index_type())?;
                }
                numbers.push(number);
            }
        }
        Ok(numbers)
    }

    /// A constant tile; each thread picks its elements.
    pub fn constant(
        &self,
        at: &Cursor<'c, 'a>,
        cut: Cut<'c>,
        value: Attribute<'c>,
    ) -> Result<Tile<'c, 'a>, Failure> {
        let dense = melior::ir::attribute::DenseElementsAttribute::try_from(value)?;
        if dense.is_splat() {
            return Tile::constant(at, cut, value);
        }
        let ty = cut.vector(cut.share.as_ref().map_or(1, |share| share.whole().iter().product()));
        let all = at.constant(ty, dense.reshape(ty).into())?;
        let position = at.named("static_position", at.numbers(&[i64::MIN]));
        let pick = |place| at.with("vector.extract", &[all, place], cut.element, &[position]);
        let elements = self.numbers(at, &cut)?.into_iter().map(pick).collect::<Result<Vec<_>, _>>()?;
        Tile::of_elements(at, cut, &elements)
    }

    /// A tile of which copies don't count where it is combined, all or along a dimension.
    pub fn counted(
        &self,
        at: &Cursor<'c, 'a>,
        combiner: Combiner,
        dim: Option<i64>,
        mut tile: Tile<'c, 'a>,
    ) -> Result<Tile<'c, 'a>, Failure> {
        let Some(neutral) = neutral(at, combiner, tile.cut.element) else { return Ok(tile) };
        let (held, cut) = (self.held(at, &tile.cut)?, tile.cut.clone());
        let spans = cut.rows().into_iter().flat_map(|row| cut.spans().map(move |span| (row.clone(), span)));
        for (part, (row, (from, lanes))) in tile.parts.iter_mut().zip(spans) {
            let indices: Vec<i64> = row.into_iter().chain([from]).take(cut.shape.len()).collect();
            let own = match dim {
                Some(dim) => held.is_own_along(dim as usize, indices[dim as usize]),
                None => held.is_own(at, &indices)?,
            };
            let Some(own) = own else { continue };
            let ty = cut.vector(lanes);
            let none = melior::ir::attribute::DenseElementsAttribute::splat(ty, neutral);
            *part = at.op("arith.select", &[own, *part, at.constant(ty, none.into())?], ty)?;
        }
        Ok(tile)
    }

    /// Combines what threads have of each of some values; all of them get the result.
    pub fn reduce(
        &mut self,
        at: &Cursor<'c, 'a>,
        combiner: Combiner,
        (cut, dim): (&Cut<'c>, Option<i64>),
        mut values: Vec<V<'c, 'a>>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let element = cut.element;
        let (low, high) = along(cut, dim, self.count);
        let mut distance = high.min(WARP) / 2;
        while distance >= low {
            for value in &mut values {
                let other = shuffle(at, *value, distance)?;
                *value = combine(at, combiner, element, vec![*value, other])?;
            }
            distance /= 2;
        }
        if high <= low.max(WARP) {
            return Ok(values);
        }
        let buffer = self.buffer(at, element, self.count * values.len() as i64)?;
        let place = |at: &Cursor<'c, 'a>, thread, value: usize, plus| {
            let offset = value as i64 * self.count + plus;
            at.op("arith.addi", &[thread, at.index(offset)?], at.index_type())
        };
        for (i, value) in values.iter().enumerate() {
            at.build("memref.store", &[*value, buffer, place(at, self.id, i, 0)?], &[], &[], vec![])?;
        }
        barrier(at)?;
        let step = low.max(WARP);
        let mask = at.index((self.count - 1) & !(high - step))?;
        let first = at.op("arith.andi", &[self.id, mask], at.index_type())?;
        for (i, value) in values.iter_mut().enumerate() {
            let read = |other| at.op("memref.load", &[buffer, place(at, first, i, other * step)?], element);
            let totals = (0..high / step).map(read).collect::<Result<_, _>>()?;
            *value = combine(at, combiner, element, totals)?;
        }
        Ok(values)
    }

    /// Combines what threads have of a row: what those below a thread have, and what all have.
    ///
    /// By a butterfly in a warp: of two threads whose numbers differ in a bit, the upper one has what the
    /// lower one has before it.
    pub fn scan(
        &mut self,
        at: &Cursor<'c, 'a>,
        combiner: Combiner,
        cut: &Cut<'c>,
        value: V<'c, 'a>,
    ) -> Result<(V<'c, 'a>, V<'c, 'a>), Failure> {
        let element = cut.element;
        let (low, high) = scanning(cut).ok_or(internal!("scans what the threads do not hold in a row"))?;
        let none = at.constant(element, combiners::identity(at.context, combiner, element))?;
        let (mut before, mut all, mut bit) = (none, value, low);
        while bit < high.min(WARP) {
            let other = shuffle(at, all, bit)?;
            let own = at.op("arith.andi", &[self.id, at.index(bit)?], at.index_type())?;
            let is_upper = at.compare(Predicate::NotEqual, own, at.index(0)?)?;
            let more = combine(at, combiner, element, vec![other, before])?;
            before = at.op("arith.select", &[is_upper, more, before], element)?;
            all = combine(at, combiner, element, vec![all, other])?;
            bit *= 2;
        }
        if high <= low.max(WARP) {
            return Ok((before, all));
        }
        let (buffer, step) = (self.buffer(at, element, self.count)?, low.max(WARP));
        at.build("memref.store", &[all, buffer, self.id], &[], &[], vec![])?;
        barrier(at)?;
        let warp = at.op("arith.andi", &[self.id, at.index(high - step)?], at.index_type())?;
        let first = at.op("arith.subi", &[self.id, warp], at.index_type())?;
        let first = at.op("arith.andi", &[first, at.index(!(step - 1))?], at.index_type())?;
        let (mut below, mut whole) = (none, none);
        for other in 0..high / step {
            let offset = at.index(other * step)?;
            let place = at.op("arith.addi", &[first, offset], at.index_type())?;
            let its = at.op("memref.load", &[buffer, place], element)?;
            whole = combine(at, combiner, element, vec![whole, its])?;
            let is_below = at.compare(Predicate::Below, offset, warp)?;
            let more = combine(at, combiner, element, vec![below, its])?;
            below = at.op("arith.select", &[is_below, more, below], element)?;
        }
        Ok((combine(at, combiner, element, vec![below, before])?, whole))
    }

    /// The same tile in another layout.
    pub fn convert(
        &mut self,
        at: &Cursor<'c, 'a>,
        tile: &Tile<'c, 'a>,
        cut: Cut<'c>,
    ) -> Result<Tile<'c, 'a>, Failure> {
        let elements = cut.share.as_ref().map_or(1, |share| share.whole().iter().product());
        let buffer = self.buffer(at, cut.element, elements)?;
        for (element, place) in tile.elements(at)?.into_iter().zip(self.numbers(at, &tile.cut)?) {
            at.build("memref.store", &[element, buffer, place], &[], &[], vec![])?;
        }
        barrier(at)?;
        let read = |place| at.op("memref.load", &[buffer, place], cut.element);
        let elements = self.numbers(at, &cut)?.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Tile::of_elements(at, cut, &elements)
    }

    /// A buffer that the threads share; the same for all that need one of the type.
    fn buffer(&mut self, at: &Cursor<'c, 'a>, element: Type<'c>, size: i64) -> Result<V<'c, 'a>, Failure> {
        let space = Attribute::parse(at.context, "#gpu.address_space<workgroup>");
        let space = space.ok_or(internal!("is built without the gpu dialect"))?;
        let ty = MemRefType::new(element, &[size], None, Some(space)).into();
        if let Some(buffer) = self.shared.iter().find(|buffer| buffer.r#type() == ty) {
            return Ok(*buffer);
        }
        let buffer = self.entry.add_argument(ty, at.location);
        self.shared.push(buffer);
        Ok(buffer)
    }
}

/// All threads wait for each other, and see what each has written.
pub(super) fn barrier(at: &Cursor) -> Result<(), Failure> {
    at.build("gpu.barrier", &[], &[], &[], vec![]).map(drop)
}

/// What the thread of a warp has whose number differs in one bit.
fn shuffle<'c, 'a>(at: &Cursor<'c, 'a>, value: V<'c, 'a>, bit: i64) -> Result<V<'c, 'a>, Failure> {
    let mode = Attribute::parse(at.context, "#gpu<shuffle_mode xor>");
    let mode = at.named("mode", mode.ok_or(internal!("is built without the gpu dialect"))?);
    let (from, all) = (at.integer(word(at), bit)?, at.integer(word(at), WARP)?);
    let mut others = vec![];
    for own in words(at, value)? {
        let types = [word(at), IntegerType::new(at.context, 1).into()];
        let op = at.build("gpu.shuffle", &[own, from, all], &types, &[mode], vec![])?;
        others.push(op.result_at(0)?.into());
    }
    number(at, &others, value.r#type())
}
