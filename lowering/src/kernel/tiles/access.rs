//! Loads and stores of tiles.
//!
//! Where the lanes of a tile lie side by side, its vectors are loaded and stored as they are, with a mask
//! where some lanes are not there. What lies [`strided`] is loaded whole, and lanes are picked; where rows
//! lie side by side blocks are [`transposed`]. Anything else gathers and scatters on the linearized buffer.

use super::{
    alignment::{divisor, gcd},
    body::Body,
    buffer::{Buffer, Number, add, scale},
    known,
    lanes::{Lanes, vector_of},
    share::{Held, Position},
    strided,
    tile::{Cut, Tile, broadcast},
    transpose::transposed,
};
use melior::ir::{
    Attribute, Identifier, OperationRef, Type, TypeLike, ValueLike,
    attribute::{DenseElementsAttribute, FloatAttribute, IntegerAttribute},
    r#type::IntegerType,
};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, attributes,
        cursor::{Cursor, V},
        pass::Failure,
        types::bytes,
    },
    loops::affine,
    ops::kernel,
};
use terrace_size::symbols::Predicate;

/// What a `kernel.load` or `kernel.store` names.
pub(crate) struct Access<'c, 'a> {
    buffer: Buffer<'c, 'a>,
    pub(super) cut: Cut<'c>,
    /// The index of each dimension of the buffer, where its range starts.
    indices: Vec<V<'c, 'a>>,
    /// The dimension of the buffer that each dimension of the tile is along, with its step.
    along: Vec<(usize, i64)>,
    valid: Vec<V<'c, 'a>>,
    /// Where the tile is spread over threads: what one holds. Buffers then start where 16 divides the
    /// address.
    pub(super) held: Option<Held<'c, 'a>>,
}

/// Zero of an element type.
pub(super) fn zero<'c>(at: &Cursor<'c, '_>, element: Type<'c>) -> Attribute<'c> {
    if element.is_float() {
        FloatAttribute::new(at.context, element, 0.0).into()
    } else {
        IntegerAttribute::new(element, 0).into()
    }
}

/// Indices that are known, as a vector.
fn indices<'c, 'a>(at: &Cursor<'c, 'a>, values: &[i64]) -> Result<V<'c, 'a>, Failure> {
    let ty = vector_of(at.index_type(), values.len() as i64);
    at.constant(ty, DenseElementsAttribute::i64_values(ty, values).into())
}

impl<'c, 'a> Access<'c, 'a> {
    /// The index into the tile of what is at an index along a dimension of the cut.
    fn position(&self, dim: usize, index: i64) -> Position<'c, 'a> {
        let here = Position { base: None, plus: index };
        self.held.as_ref().map_or(here, |held| held.position(dim, index))
    }

    /// Which lanes of a part of a row are there.
    pub(super) fn lanes(
        &self,
        at: &Cursor<'c, 'a>,
        row: &[i64],
        (from, lanes): (i64, i64),
    ) -> Result<Lanes<'c, 'a>, Failure> {
        let Some((count, leading)) = self.valid.split_last() else { return Ok(Lanes::All) };
        let mut count = *count;
        for (d, (i, valid)) in row.iter().zip(leading).enumerate() {
            let position = self.position(d, *i);
            count = match (known(*valid), position.base) {
                (Some(valid), None) if *i < valid => count,
                (Some(_), None) => at.index(0)?,
                _ => {
                    let there = at.compare(Predicate::Less, position.value(at)?, *valid)?;
                    at.op("arith.select", &[there, count, at.index(0)?], count.r#type())?
                }
            };
        }
        Lanes::of(at, Some(count), self.position(row.len(), from), lanes)
    }

    /// Whether all lanes of a part of a thread are there, where none are otherwise: it is one access under a
    /// condition then. On a processor masks cost nothing.
    fn all_or_none(
        &self,
        at: &Cursor<'c, 'a>,
        there: Lanes<'c, 'a>,
        lanes: i64,
    ) -> Result<Option<V<'c, 'a>>, Failure> {
        match there {
            Lanes::Count(count) if self.held.is_some() && divisor(count) % lanes == 0 => {
                at.compare(Predicate::Less, at.index(0)?, count).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The indices of lane `lane` of a row.
    fn lane(&self, at: &Cursor<'c, 'a>, row: &[i64], lane: i64) -> Result<Vec<V<'c, 'a>>, Failure> {
        let mut indices = self.indices.clone();
        for (k, ((d, step), i)) in self.along.iter().zip(row.iter().chain([&lane])).enumerate() {
            let Position { base, plus } = self.position(k, *i);
            if let Some(base) = base {
                let base = scale(at, base, Number::Known(*step))?;
                indices[*d] = at.op("arith.addi", &[indices[*d], base], at.index_type())?;
            }
            indices[*d] = add(at, indices[*d], plus * step)?;
        }
        Ok(indices)
    }

    /// Writes what only the thread does that has a part of a row as its own.
    fn own(
        &self,
        at: &Cursor<'c, 'a>,
        row: &[i64],
        from: i64,
        write: impl FnOnce(Cursor<'c, 'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(held) = &self.held else { return write(*at) };
        own(at, held, row, (from, self.cut.shape.len()), write)
    }

    /// The element of one lane of a row.
    pub fn element(&self, at: &Cursor<'c, 'a>, row: &[i64], lane: i64) -> Result<V<'c, 'a>, Failure> {
        let operands = [vec![self.buffer.memref], self.lane(at, row, lane)?].concat();
        at.op("memref.load", &operands, self.cut.element)
    }

    /// How far apart two lanes are.
    fn distance(&self, at: &Cursor<'c, 'a>) -> Result<Number<'c, 'a>, Failure> {
        let Some((d, step)) = self.along.last() else { return Ok(Number::Known(1)) };
        if self.held.is_some() && self.cut.lanes() == 1 {
            return Ok(Number::Known(1));
        }
        Ok(match self.buffer.strides[*d] {
            Number::Known(stride) => Number::Known(stride * step),
            Number::Value(stride) => Number::Value(scale(at, stride, Number::Known(*step))?),
        })
    }

    /// The alignment of the lanes from `lane` on, where more than that of an element is sure.
    fn alignment(
        &self,
        at: &Cursor<'c, 'a>,
        row: &[i64],
        lane: i64,
    ) -> Result<Vec<(Identifier<'c>, Attribute<'c>)>, Failure> {
        if self.held.is_none() {
            return Ok(vec![]);
        }
        let bytes = bytes(self.cut.element).ok_or(internal!("has a tile of no numbers"))?;
        let Number::Known(mut common) = self.buffer.offset else { return Ok(vec![]) };
        for (index, stride) in self.lane(at, row, lane)?.into_iter().zip(&self.buffer.strides) {
            let Number::Known(stride) = stride else { return Ok(vec![]) };
            common = gcd(common, divisor(index).saturating_mul(*stride));
        }
        // A saturated number is odd, and proves nothing.
        let alignment = gcd(gcd(common, 16) * bytes, 16);
        if alignment <= bytes {
            return Ok(vec![]);
        }
        let ty = IntegerType::new(at.context, 64).into();
        Ok(vec![at.named("alignment", IntegerAttribute::new(ty, alignment))])
    }

    /// Whether the rows of a tile lie side by side, and not its lanes, and it is whole blocks.
    fn is_transposed(&self) -> bool {
        let ([rows, lanes], [(row, step), _]) = (&self.cut.shape[..], &self.along[..]) else { return false };
        let width = self.cut.lanes();
        self.held.is_none()
            && width >= 4
            && rows % width == 0
            && lanes % width == 0
            && *step == 1
            && matches!(self.buffer.strides[*row], Number::Known(1))
    }

    /// The place in the linear buffer of what is at these indices of the tile.
    pub(super) fn place(&self, at: &Cursor<'c, 'a>, row: &[i64], lane: i64) -> Result<V<'c, 'a>, Failure> {
        self.buffer.place(at, &self.lane(at, row, lane)?)
    }

    /// All memory behind the buffer.
    pub(super) fn linear(&self, at: &Cursor<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        self.buffer.linear(at)
    }

    /// The first rows and lanes of the blocks of a transposed tile.
    fn blocks(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let (rows, lanes, width) = (self.cut.shape[0], self.cut.shape[1], self.cut.lanes() as usize);
        (0..rows).step_by(width).flat_map(move |row| (0..lanes).step_by(width).map(move |lane| (row, lane)))
    }

    /// The rows of a tile whose rows lie side by side.
    fn load_transposed(&self, at: &Cursor<'c, 'a>, pad: V<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
        let (linear, width) = (self.linear(at)?, self.cut.lanes());
        let per_row = (self.cut.shape[1] / width) as usize;
        let mut parts = vec![pad; self.cut.shape[0] as usize * per_row];
        let ty = self.cut.vector(width);
        for (row, lane) in self.blocks() {
            let column = |l: i64| {
                let operands = [linear, self.place(at, &[row], lane + l)?];
                let count = match self.valid[..] {
                    [rows, lanes] => {
                        let there = at.compare(Predicate::Less, at.index(lane + l)?, lanes)?;
                        Some(at.op("arith.select", &[there, rows, at.index(0)?], at.index_type())?)
                    }
                    _ => None,
                };
                match Lanes::of(at, count, Position { base: None, plus: row }, width)? {
                    Lanes::All => at.op("vector.load", &operands, ty),
                    Lanes::None => Ok(pad),
                    there => {
                        let operands = [&operands[..], &[there.mask(at, width)?, pad]].concat();
                        at.op("vector.maskedload", &operands, ty)
                    }
                }
            };
            let columns = (0..width).map(column).collect::<Result<Vec<_>, Failure>>()?;
            for (r, part) in transposed(at, &columns)?.into_iter().enumerate() {
                parts[(row as usize + r) * per_row + (lane / width) as usize] = part;
            }
        }
        Ok(parts)
    }

    /// Stores a tile, all of it, whose rows lie side by side.
    fn store_transposed(&self, at: &Cursor<'c, 'a>, tile: &Tile<'c, 'a>) -> Result<(), Failure> {
        let (linear, width) = (self.linear(at)?, self.cut.lanes());
        for (row, lane) in self.blocks() {
            let part = |r: i64| tile.row(&[row + r])[(lane / width) as usize];
            let rows: Vec<V> = (0..width).map(part).collect();
            for (l, column) in transposed(at, &rows)?.into_iter().enumerate() {
                let place = self.place(at, &[row], lane + l as i64)?;
                at.build("vector.store", &[column, linear, place], &[], &[], vec![])?;
            }
        }
        Ok(())
    }

    /// Where a vector operation on lanes that lie side by side starts: a memref and indices.
    fn start(
        &self,
        at: &Cursor<'c, 'a>,
        row: &[i64],
        lane: i64,
    ) -> Result<(V<'c, 'a>, Vec<V<'c, 'a>>), Failure> {
        let indices = self.lane(at, row, lane)?;
        let rank = self.indices.len();
        // A vector operation needs a last dimension along which elements lie side by side.
        let natural = match self.along.last() {
            Some((d, _)) => d + 1 == rank,
            None => matches!(self.buffer.strides.last(), None | Some(Number::Known(1))),
        };
        if natural && rank > 0 {
            return Ok((self.buffer.memref, indices));
        }
        let place = self.buffer.place(at, &indices)?;
        Ok((self.buffer.linear(at)?, vec![place]))
    }

    /// The operands of a gather or scatter: the linear buffer, the place of the first lane, where the lanes
    /// are from it.
    fn spread(
        &self,
        at: &Cursor<'c, 'a>,
        (row, from, lanes): (&[i64], i64, i64),
        distance: Number<'c, 'a>,
    ) -> Result<[V<'c, 'a>; 3], Failure> {
        let place = self.buffer.place(at, &self.lane(at, row, from)?)?;
        let lanes: Vec<i64> = (0..lanes).collect();
        let spread = match distance {
            Number::Known(d) => indices(at, &lanes.iter().map(|l| l * d).collect::<Vec<_>>())?,
            by => scale(at, indices(at, &lanes)?, by)?,
        };
        Ok([self.buffer.linear(at)?, place, spread])
    }
}

/// Writes what only the thread does that has a part of a row, of a tile of `rank` dimensions, as its own.
pub(super) fn own<'c, 'a>(
    at: &Cursor<'c, 'a>,
    held: &Held<'c, 'a>,
    row: &[i64],
    (from, rank): (i64, usize),
    write: impl FnOnce(Cursor<'c, 'a>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let indices: Vec<i64> = row.iter().copied().chain([from]).take(rank).collect();
    match held.is_own(at, &indices)? {
        Some(own) => at.when(own, write),
        None => write(*at),
    }
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    #[allow(clippy::too_many_arguments)]
    fn access(
        &self,
        at: &Cursor<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memref: V<'c, 'a>,
        cut: Cut<'c>,
        (map, operands): (Attribute<'c>, Vec<V<'c, 'a>>),
        (ranges, steps): (Vec<i64>, Vec<i64>),
        valid: Vec<V<'c, 'a>>,
    ) -> Result<Access<'c, 'a>, Failure> {
        let operands = self.ones(&operands)?;
        let mut indices = vec![];
        for (i, expr) in affine::exprs(map).iter().enumerate() {
            indices.push(match expr {
                affine::Expr::Dim(d) => operands[*d],
                affine::Expr::Constant(n) => at.index(*n)?,
                _ => {
                    let one = attributes::of_map(attributes::map(map).sub_map(&[i]));
                    at.with("affine.apply", &operands, at.index_type(), &[at.named("map", one)])?
                }
            });
        }
        let along = ranges
            .iter()
            .zip(steps)
            .enumerate()
            .filter(|(_, (n, _))| **n != 0)
            .map(|(d, (_, s))| (d, s))
            .collect();
        let along: Vec<(usize, i64)> = along;
        let buffer = Buffer::of(at, op, self.one(memref)?)?;
        let valid = self.ones(&valid)?;
        let held = self.threads.as_ref().map(|threads| threads.held(at, &cut)).transpose()?;
        Ok(Access { buffer, cut, indices, along, valid, held })
    }

    /// What a `kernel.load` names.
    pub(crate) fn source(
        &self,
        at: &Cursor<'c, 'a>,
        op: kernel::LoadOp<'c, 'a>,
    ) -> Result<Access<'c, 'a>, Failure> {
        let operation = op.operation();
        let cut = self.cut(operation.result_at(0)?.r#type()).ok_or(internal!("loads no tile"))?;
        let (places, ranges) = ((op.map(), op.indices()), (op.ranges(), op.steps()));
        self.access(at, operation, op.source(), cut, places, ranges, op.valid())
    }

    /// The tile that a `kernel.load` reads.
    pub(crate) fn load(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: kernel::LoadOp<'c, 'a>,
    ) -> Result<Tile<'c, 'a>, Failure> {
        let access = self.source(at, op)?;
        let cut = access.cut.clone();
        let other = op.other().map(|other| self.one(other)).transpose()?;
        let distance = access.distance(at)?;
        if access.is_transposed() && !matches!(distance, Number::Known(0 | 1)) {
            let ty = cut.vector(cut.lanes());
            let pad = match other {
                Some(other) => broadcast(at, other, ty)?,
                None => at.constant(ty, DenseElementsAttribute::splat(ty, zero(at, cut.element)).into())?,
            };
            let parts = access.load_transposed(at, pad)?;
            return Ok(Tile { cut, parts });
        }
        let mut parts = vec![];
        for row in cut.rows() {
            for (from, lanes) in cut.spans() {
                let ty = cut.vector(lanes);
                let there = access.lanes(at, &row, (from, lanes))?;
                let pad = || match other {
                    Some(other) => broadcast(at, other, ty),
                    None => at.constant(ty, DenseElementsAttribute::splat(ty, zero(at, cut.element)).into()),
                };
                parts.push(match (there, distance) {
                    (Lanes::None, _) => pad()?,
                    (Lanes::All, Number::Known(0)) => broadcast(at, access.element(at, &row, 0)?, ty)?,
                    (_, Number::Known(1)) => {
                        let (memref, indices) = access.start(at, &row, from)?;
                        let mut operands = [vec![memref], indices].concat();
                        let alignment = access.alignment(at, &row, from)?;
                        if let Lanes::All = there {
                            at.with("vector.load", &operands, ty, &alignment)?
                        } else if let Some(condition) = access.all_or_none(at, there, lanes)? {
                            let pad = pad()?;
                            let loaded = at.either(condition, &[ty], |at, way| match way {
                                0 => Ok(vec![at.with("vector.load", &operands, ty, &alignment)?]),
                                _ => Ok(vec![pad]),
                            })?;
                            loaded[0]
                        } else {
                            operands.extend([there.mask(at, lanes)?, pad()?]);
                            at.with("vector.maskedload", &operands, ty, &alignment)?
                        }
                    }
                    (Lanes::All, Number::Known(-1)) if access.held.is_none() => {
                        strided::load_backwards(at, &access, (&row, from, lanes))?
                    }
                    (_, Number::Known(distance)) if strided::is_picked(&access, distance, lanes) => {
                        strided::load(at, &access, (&row, from, lanes), (distance, there), pad)?
                    }
                    _ => {
                        let mut operands = access.spread(at, (&row, from, lanes), distance)?.to_vec();
                        operands.extend([there.mask(at, lanes)?, pad()?]);
                        at.op("vector.gather", &operands, ty)?
                    }
                });
            }
        }
        Ok(Tile { cut, parts })
    }

    /// Writes a `kernel.store`.
    pub(crate) fn store(&mut self, at: &Cursor<'c, 'a>, op: kernel::StoreOp<'c, 'a>) -> Result<(), Failure> {
        let operation = op.operation();
        let tile = self.tile(op.tile())?;
        let cut = tile.cut.clone();
        let places = (op.map(), op.indices());
        let ranges = (op.ranges(), op.steps());
        let access = self.access(at, operation, op.destination(), cut.clone(), places, ranges, op.valid())?;
        let distance = access.distance(at)?;
        if access.is_transposed() && access.valid.is_empty() && !matches!(distance, Number::Known(0 | 1)) {
            return access.store_transposed(at, &tile);
        }
        for row in access.cut.rows() {
            for ((from, lanes), part) in cut.spans().zip(tile.row(&row)) {
                access.own(at, &row, from, |at| {
                    let at = &at;
                    let there = access.lanes(at, &row, (from, lanes))?;
                    match (there, distance) {
                        (Lanes::None, _) => {}
                        (_, Number::Known(1)) => {
                            let (memref, indices) = access.start(at, &row, from)?;
                            let alignment = access.alignment(at, &row, from)?;
                            let operands = [vec![*part, memref], indices.clone()].concat();
                            let store = |at: Cursor<'c, 'a>| {
                                at.build("vector.store", &operands, &[], &alignment, vec![]).map(drop)
                            };
                            if let Lanes::All = there {
                                store(*at)?;
                            } else if let Some(condition) = access.all_or_none(at, there, lanes)? {
                                at.when(condition, store)?;
                            } else {
                                let mask = there.mask(at, lanes)?;
                                let operands = [vec![memref], indices, vec![mask, *part]].concat();
                                at.build("vector.maskedstore", &operands, &[], &alignment, vec![])?;
                            }
                        }
                        _ => {
                            let mut operands = access.spread(at, (&row, from, lanes), distance)?.to_vec();
                            operands.extend([there.mask(at, lanes)?, *part]);
                            at.build("vector.scatter", &operands, &[], &[], vec![])?;
                        }
                    }
                    Ok(())
                })?;
            }
        }
        Ok(())
    }
}
