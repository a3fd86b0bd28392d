//! Gathers, scatters and atomic operations of tiles: each lane has indices of its own. A gather of lanes that
//! lie side by side is a masked load, one of [steps](super::steps) a load and a shuffle.

use super::{
    access::{own, zero},
    body::Body,
    buffer::{Buffer, Number, add, scale},
    lanes::all,
    tile::{Cut, Tile, broadcast, extract},
};
use melior::ir::{
    Attribute, OperationRef, Type, ValueLike,
    attribute::{DenseElementsAttribute, IntegerAttribute},
    r#type::IntegerType,
};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, attributes,
        cursor::{Cursor, V},
        dtype::{Dtype, ElementType},
        operations::{definition, name_of},
        pass::Failure,
        shaped::Shaped,
        types::is_float,
    },
    ops::{Combiner, kernel},
};
use terrace_size::symbols::Predicate;

/// The number that a tile of indices counts up from.
fn first_of<'c: 'a, 'a>(index: V<'c, 'a>) -> Option<Number<'c, 'a>> {
    let op = definition(index)?;
    if name_of(op) == "kernel.iota" {
        return Some(Number::Known(0));
    }
    let operands = [op.operand(0).ok(), op.operand(1).ok()].map(|v| v.and_then(definition));
    let ([Some(a), Some(b)], "arith.addi") = (operands, name_of(op)) else { return None };
    let from = match [name_of(a), name_of(b)] {
        ["kernel.iota", _] => b,
        [_, "kernel.iota"] => a,
        _ => return None,
    };
    match name_of(from) {
        "tensor.splat" => from.operand(0).ok().map(Number::Value),
        "arith.constant" => {
            Some(Number::Known(attributes::i64(attributes::splat(from.attribute("value").ok()?)?)))
        }
        _ => None,
    }
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// The place that all lanes share and those of each vector of a tile, for indices that are tiles or one
    /// for all.
    #[allow(clippy::type_complexity)]
    fn places(
        &self,
        at: &Cursor<'c, 'a>,
        buffer: &Buffer<'c, 'a>,
        cut: &Cut<'c>,
        indices: &[V<'c, 'a>],
    ) -> Result<(V<'c, 'a>, Vec<V<'c, 'a>>), Failure> {
        let mut shared = vec![];
        let mut tiles = vec![];
        for (index, stride) in indices.iter().zip(&buffer.strides) {
            if self.cut(index.r#type()).is_some() {
                tiles.push((self.tile(*index)?, *stride));
                shared.push(at.index(0)?);
            } else {
                shared.push(self.one(*index)?);
            }
        }
        let mut places = vec![];
        for (i, ty) in cut.with_element(at.index_type()).types().into_iter().enumerate() {
            let mut sum: Option<V> = None;
            for (tile, stride) in &tiles {
                let term = scale(at, tile.parts[i], *stride)?;
                sum = Some(match sum {
                    Some(sum) => at.op("arith.addi", &[sum, term], ty)?,
                    None => term,
                });
            }
            let none =
                || at.constant(ty, DenseElementsAttribute::splat(ty, zero(at, at.index_type())).into());
            places.push(sum.map_or_else(none, Ok)?);
        }
        Ok((buffer.place(at, &shared)?, places))
    }

    fn mask(
        &self,
        at: &Cursor<'c, 'a>,
        cut: &Cut<'c>,
        mask: Option<V<'c, 'a>>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        match mask {
            Some(mask) => Ok(self.tile(mask)?.parts),
            None => cut.rows().iter().flat_map(|_| cut.spans()).map(|(_, lanes)| all(at, lanes)).collect(),
        }
    }

    /// The tile that a `kernel.gather` reads.
    pub(crate) fn gather(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: kernel::GatherOp<'c, 'a>,
    ) -> Result<Tile<'c, 'a>, Failure> {
        let operation = op.operation();
        let cut = self.cut(operation.result_at(0)?.r#type()).ok_or(internal!("gathers no tile"))?;
        let buffer = Buffer::of(at, operation, self.one(op.source())?)?;
        if let Some(first) = self.run(at, &buffer, &cut, &op.indices())? {
            return self.masked(at, op, cut, &buffer, first);
        }
        if let Some(tile) = self.picked(at, op, &cut, &buffer)? {
            return Ok(tile);
        }
        let (shared, places) = self.places(at, &buffer, &cut, &op.indices())?;
        let masks = self.mask(at, &cut, op.mask())?;
        let linear = buffer.linear(at)?;
        let pad = Tile::splat(at, cut.clone(), self.other(at, op, &cut)?)?;
        let mut parts = vec![];
        for (i, ty) in cut.types().into_iter().enumerate() {
            parts.push(at.op("vector.gather", &[linear, shared, places[i], masks[i], pad.parts[i]], ty)?);
        }
        Ok(Tile { cut, parts })
    }

    /// What stands where nothing is read.
    fn other(
        &self,
        at: &Cursor<'c, 'a>,
        op: kernel::GatherOp<'c, 'a>,
        cut: &Cut<'c>,
    ) -> Result<V<'c, 'a>, Failure> {
        match op.other() {
            Some(other) => self.one(other),
            None => at.constant(cut.element, zero(at, cut.element)),
        }
    }

    /// The place of the first lane where lanes lie side by side: their only index that is a tile is 0, 1, 2,
    /// ... and a number.
    fn run(
        &self,
        at: &Cursor<'c, 'a>,
        buffer: &Buffer<'c, 'a>,
        cut: &Cut<'c>,
        indices: &[V<'c, 'a>],
    ) -> Result<Option<V<'c, 'a>>, Failure> {
        if self.threads.is_some() || cut.shape.len() != 1 {
            return Ok(None);
        }
        let mut places = vec![];
        for (index, stride) in indices.iter().zip(&buffer.strides) {
            places.push(match self.cut(index.r#type()) {
                None => self.one(*index)?,
                Some(_) => match (first_of(*index), stride) {
                    (Some(Number::Known(first)), Number::Known(1)) => at.index(first)?,
                    (Some(Number::Value(first)), Number::Known(1)) => self.one(first)?,
                    _ => return Ok(None),
                },
            });
        }
        let tiles = indices.iter().filter(|index| self.cut(index.r#type()).is_some()).count();
        if tiles == 1 { buffer.place(at, &places).map(Some) } else { Ok(None) }
    }

    /// Lanes side by side: vectors are read as they are, where the mask lets them.
    fn masked(
        &self,
        at: &Cursor<'c, 'a>,
        op: kernel::GatherOp<'c, 'a>,
        cut: Cut<'c>,
        buffer: &Buffer<'c, 'a>,
        first: V<'c, 'a>,
    ) -> Result<Tile<'c, 'a>, Failure> {
        let masks = self.mask(at, &cut, op.mask())?;
        let other = self.other(at, op, &cut)?;
        let linear = buffer.linear(at)?;
        let load = |at: Cursor<'c, 'a>, by_mask: bool| -> Result<Vec<V<'c, 'a>>, Failure> {
            let part = |((from, lanes), mask): ((i64, i64), &V<'c, 'a>)| {
                let ty = cut.vector(lanes);
                let (place, pad) = (add(&at, first, from)?, broadcast(&at, other, ty)?);
                if by_mask {
                    return at.op("vector.maskedload", &[linear, place, *mask, pad], ty);
                }
                let all = at.op("vector.load", &[linear, place], ty)?;
                at.op("arith.select", &[*mask, all, pad], ty)
            };
            cut.spans().zip(&masks).map(part).collect()
        };
        let lanes: i64 = cut.shape.iter().product();
        let reach = buffer.reach().filter(|[from, end]| end - from >= lanes && !self.has_masks(cut.element));
        let parts = match reach {
            None => load(*at, true)?,
            // Lane by lane only where some of them lie beyond the buffer.
            Some([from, end]) => {
                let room = at.index(end - from - lanes + 1)?;
                let fits = at.compare(Predicate::Below, add(at, first, -from)?, room)?;
                at.either(fits, &cut.types(), |at, way| load(at, way == 1))?
            }
        };
        Ok(Tile { cut, parts })
    }

    /// Whether the processor loads lanes of this element by a mask, else they are loaded one after the other:
    /// with 16 lanes of 32 bits (AVX-512) any, with 8 (AVX2) those of 32 bits and more.
    fn has_masks(&self, element: Type<'c>) -> bool {
        let bytes = Dtype::of(element).map_or(8, Dtype::bytes);
        self.lanes >= 16 || self.lanes >= 8 && bytes >= 4
    }

    /// Writes a `kernel.scatter`.
    pub(crate) fn scatter(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: kernel::ScatterOp<'c, 'a>,
    ) -> Result<(), Failure> {
        let places = (op.indices(), op.mask());
        self.scattered(at, op.operation(), (op.tile(), op.destination()), places, |at, to| {
            let operands = [to.linear, to.shared, to.places, to.mask, to.part];
            at.build("vector.scatter", &operands, &[], &[], vec![]).map(drop)
        })
    }

    /// Writes a `kernel.atomic`, lane by lane.
    pub(crate) fn atomic(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: kernel::AtomicOp<'c, 'a>,
    ) -> Result<(), Failure> {
        let places = (op.indices(), op.mask());
        let element = Shaped::expect(op.tile().r#type())?.element;
        let [index, truth] = [at.index_type(), IntegerType::new(at.context, 1).into()];
        let kind = kind(op.combiner(), element)?;
        let wide: Type = IntegerType::new(at.context, 64).into();
        let kind = at.named("kind", Attribute::from(IntegerAttribute::new(wide, kind)));
        self.scattered(at, op.operation(), (op.tile(), op.destination()), places, |at, to| {
            for lane in 0..to.lanes {
                at.when(extract(&at, to.mask, lane, truth)?, |at| {
                    let place = extract(&at, to.places, lane, index)?;
                    let place = at.op("arith.addi", &[to.shared, place], index)?;
                    let part = extract(&at, to.part, lane, element)?;
                    at.with("memref.atomic_rmw", &[part, to.linear, place], element, &[kind]).map(drop)
                })?;
            }
            Ok(())
        })
    }

    /// Writes what each vector of a tile does where its lanes go.
    fn scattered(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: OperationRef<'c, 'a>,
        (tile, destination): (V<'c, 'a>, V<'c, 'a>),
        (indices, mask): (Vec<V<'c, 'a>>, Option<V<'c, 'a>>),
        write: impl Fn(Cursor<'c, 'a>, To<'c, 'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let tile = self.tile(tile)?;
        let buffer = Buffer::of(at, op, self.one(destination)?)?;
        let (shared, places) = self.places(at, &buffer, &tile.cut, &indices)?;
        let masks = self.mask(at, &tile.cut, mask)?;
        let held = self.threads.as_ref().map(|threads| threads.held(at, &tile.cut)).transpose()?;
        let linear = buffer.linear(at)?;
        let cut = &tile.cut;
        let spans = cut.rows().into_iter().flat_map(|row| cut.spans().map(move |span| (row.clone(), span)));
        for (i, (row, (from, lanes))) in spans.enumerate() {
            let to = To { linear, shared, places: places[i], mask: masks[i], part: tile.parts[i], lanes };
            match &held {
                Some(held) => own(at, held, &row, (from, cut.shape.len()), |at| write(at, to))?,
                None => write(*at, to)?,
            }
        }
        Ok(())
    }
}

/// A vector, and where its lanes go.
#[derive(Clone, Copy)]
struct To<'c, 'a> {
    /// The buffer, of one dimension.
    linear: V<'c, 'a>,
    /// The place that all lanes share, and how far each is from it.
    shared: V<'c, 'a>,
    places: V<'c, 'a>,
    mask: V<'c, 'a>,
    part: V<'c, 'a>,
    lanes: i64,
}

/// The number of upstream's kind of an atomic combination.
fn kind(combiner: Combiner, element: Type) -> Result<i64, Failure> {
    Ok(match (combiner, is_float(element)) {
        (Combiner::Add, true) => 0,
        (Combiner::Add, false) => 1,
        (Combiner::And, false) => 2,
        (Combiner::Max, false) => 6,
        (Combiner::Min, false) => 10,
        (Combiner::Or, false) => 14,
        _ => return Err(internal!("combines what is not combined in one step").into()),
    })
}
