//! Loads, stores, gathers and scatters of tiles.
//!
//! Where the lanes of a tile lie side by side, its vectors are loaded and stored as they are, with a mask where some lanes
//! are not there. Anything else gathers and scatters on the linearized buffer: one dimension that has all the memory
//! behind the memref, of which each element has a place, `offset + Σ index · stride`.

use super::{
    alignment::{divisor, gcd},
    body::Body,
    known,
    share::{Held, Position},
    threads::compare,
    tile::{Cut, Tile, broadcast},
};
use crate::cursor::{Cursor, V, refuse};
use melior::ir::{
    Attribute, AttributeLike, Identifier, OperationRef, Type, TypeLike, ValueLike,
    attribute::{DenseElementsAttribute, DenseI32ArrayAttribute, FloatAttribute, IntegerAttribute},
    r#type::{IntegerType, MemRefType},
};
use mlir_sys::*;
use terrace_dialects::{affine, ops::kernel, pass::Failure, shaped::Shaped, types::DYNAMIC};

/// A number that is known, or a value.
#[derive(Clone, Copy)]
enum Number<'c, 'a> {
    Known(i64),
    Value(V<'c, 'a>),
}

/// A memref, and where its elements are.
struct Buffer<'c, 'a> {
    memref: V<'c, 'a>,
    shaped: Shaped<'c>,
    strides: Vec<Number<'c, 'a>>,
    offset: Number<'c, 'a>,
}

/// Which lanes of a vector are there.
#[derive(Clone, Copy)]
enum Lanes<'c, 'a> {
    All,
    None,
    /// Those from the first on, known how many.
    First(i64),
    /// Those from the first on.
    Count(V<'c, 'a>),
}

/// What a `kernel.load` or `kernel.store` names.
pub(crate) struct Access<'c, 'a> {
    buffer: Buffer<'c, 'a>,
    cut: Cut<'c>,
    /// The index of each dimension of the buffer, where its range starts.
    indices: Vec<V<'c, 'a>>,
    /// The dimension of the buffer that each dimension of the tile is along, with its step.
    along: Vec<(usize, i64)>,
    valid: Vec<V<'c, 'a>>,
    /// Where the tile is spread over threads: what one holds. Buffers then start where 16 divides the address.
    held: Option<Held<'c, 'a>>,
}

impl<'c, 'a> Number<'c, 'a> {
    fn value(self, at: &Cursor<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        match self {
            Self::Known(n) => at.index(n),
            Self::Value(v) => Ok(v),
        }
    }
}

fn add<'c, 'a>(at: &Cursor<'c, 'a>, a: V<'c, 'a>, b: i64) -> Result<V<'c, 'a>, Failure> {
    if b == 0 { Ok(a) } else { at.op("arith.addi", &[a, at.index(b)?], a.r#type()) }
}

/// A value, or a vector of values, times a number.
fn scale<'c, 'a>(at: &Cursor<'c, 'a>, value: V<'c, 'a>, by: Number<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
    if let Number::Known(1) = by {
        return Ok(value);
    }
    let mut by = by.value(at)?;
    if value.r#type().is_vector() {
        by = broadcast(at, by, value.r#type())?;
    }
    at.op("arith.muli", &[value, by], value.r#type())
}

impl<'c, 'a> Buffer<'c, 'a> {
    /// Looks at a memref; `op` is what accesses it.
    fn of(at: &Cursor<'c, 'a>, op: OperationRef<'c, 'a>, memref: V<'c, 'a>) -> Result<Self, Failure> {
        let ty = memref.r#type();
        let shaped = Shaped::expect(ty)?;
        if shaped.element == IntegerType::new(at.context, 1).into() {
            let why = "has a buffer of i1: bool is a byte in memory, run 'convert-bool-buffers' first";
            return Err(refuse(op, why));
        }
        let (mut strides, mut offset) = (vec![0; shaped.rank()], 0);
        let strided =
            unsafe { mlirMemRefTypeGetStridesAndOffset(ty.to_raw(), strides.as_mut_ptr(), &mut offset) };
        if strided.value == 0 {
            return Err(refuse(op, &format!("expects a buffer with strides, got {ty}")));
        }
        let dynamic = unsafe { mlirShapedTypeGetDynamicStrideOrOffset() };
        if !strides.contains(&dynamic) && offset != dynamic {
            let strides = strides.into_iter().map(Number::Known).collect();
            return Ok(Self { memref, shaped, strides, offset: Number::Known(offset) });
        }
        let rank = shaped.rank();
        let base = MemRefType::new(shaped.element, &[], None, None).into();
        let results = [vec![base], vec![at.index_type(); 1 + 2 * rank]].concat();
        let metadata = at.build("memref.extract_strided_metadata", &[memref], &results, &[], vec![])?;
        let number = |known: i64, i: usize| -> Result<_, Failure> {
            Ok(if known == dynamic {
                Number::Value(metadata.result(i)?.into())
            } else {
                Number::Known(known)
            })
        };
        let strides =
            strides.iter().enumerate().map(|(d, s)| number(*s, 2 + rank + d)).collect::<Result<_, _>>()?;
        Ok(Self { memref, shaped, strides, offset: number(offset, 1)? })
    }

    /// The place of an element.
    fn place(&self, at: &Cursor<'c, 'a>, indices: &[V<'c, 'a>]) -> Result<V<'c, 'a>, Failure> {
        let mut place: Option<V> = match self.offset {
            Number::Known(0) => None,
            offset => Some(offset.value(at)?),
        };
        for (index, stride) in indices.iter().zip(&self.strides) {
            if known(*index) == Some(0) {
                continue;
            }
            let term = scale(at, *index, *stride)?;
            place = Some(match place {
                Some(sum) => at.op("arith.addi", &[sum, term], at.index_type())?,
                None => term,
            });
        }
        place.map_or_else(|| at.index(0), Ok)
    }

    /// All memory behind the memref in one dimension.
    fn linear(&self, at: &Cursor<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let extent = self.strides.iter().zip(&self.shaped.shape).try_fold(1, |sum, (stride, size)| {
            let Number::Known(stride) = stride else { return None };
            (*size != DYNAMIC).then(|| sum + (size - 1).max(0) * stride)
        });
        let size = match (extent, self.offset) {
            (Some(extent), Number::Known(offset)) => Some(extent + offset),
            _ => None,
        };
        let ty = MemRefType::new(self.shaped.element, &[size.unwrap_or(DYNAMIC)], None, None);
        let mut operands = vec![self.memref];
        if size.is_none() {
            // At most so many; no access depends on it.
            let mut sum = self.offset.value(at)?;
            for (d, stride) in self.strides.iter().enumerate() {
                let size = match self.shaped.shape[d] {
                    DYNAMIC => at.op("memref.dim", &[self.memref, at.index(d as i64)?], at.index_type())?,
                    size => at.index(size)?,
                };
                sum = at.op("arith.addi", &[sum, scale(at, size, *stride)?], at.index_type())?;
            }
            operands.push(sum);
        }
        let segments = DenseI32ArrayAttribute::new(at.context, &[1, 0, operands.len() as i32 - 1, 0]);
        let attributes = [
            at.named("operandSegmentSizes", segments),
            at.named("static_offsets", at.numbers(&[0])),
            at.named("static_sizes", at.numbers(&[size.unwrap_or(DYNAMIC)])),
            at.named("static_strides", at.numbers(&[1])),
        ];
        at.with("memref.reinterpret_cast", &operands, ty.into(), &attributes)
    }
}

/// Zero of an element type.
fn zero<'c>(at: &Cursor<'c, '_>, element: Type<'c>) -> Attribute<'c> {
    if unsafe { mlirTypeIsAFloat(element.to_raw()) } {
        FloatAttribute::new(at.context, element, 0.0).into()
    } else {
        IntegerAttribute::new(element, 0).into()
    }
}

fn vector_of<'c>(element: Type<'c>, lanes: i64) -> Type<'c> {
    Type::vector(&[lanes as u64], element)
}

/// A mask with all lanes.
fn all<'c, 'a>(at: &Cursor<'c, 'a>, lanes: i64) -> Result<V<'c, 'a>, Failure> {
    let ty = vector_of(IntegerType::new(at.context, 1).into(), lanes);
    at.constant(ty, DenseElementsAttribute::bool_splat(ty, true).into())
}

/// Indices that are known, as a vector.
fn indices<'c, 'a>(at: &Cursor<'c, 'a>, values: &[i64]) -> Result<V<'c, 'a>, Failure> {
    let ty = vector_of(at.index_type(), values.len() as i64);
    at.constant(ty, DenseElementsAttribute::i64_values(ty, values).into())
}

impl<'c, 'a> Lanes<'c, 'a> {
    /// Which of `lanes` from `from` on are there, of the first `count` of a row.
    fn of(
        at: &Cursor<'c, 'a>,
        count: Option<V<'c, 'a>>,
        from: Position<'c, 'a>,
        lanes: i64,
    ) -> Result<Self, Failure> {
        let Some(count) = count else { return Ok(Self::All) };
        let (Some(count), None) = (known(count), from.base) else {
            // Within the vector: a mask is made of 32 bits a lane.
            let mut rest = add(at, count, -from.plus)?;
            if let Some(base) = from.base {
                rest = at.op("arith.subi", &[rest, base], at.index_type())?;
            }
            let rest = at.op("arith.maxsi", &[rest, at.index(0)?], at.index_type())?;
            let rest = at.op("arith.minsi", &[rest, at.index(lanes)?], at.index_type())?;
            return Ok(Self::Count(rest));
        };
        Ok(match count.saturating_sub(from.plus) {
            ..=0 => Self::None,
            rest if rest >= lanes => Self::All,
            rest => Self::First(rest),
        })
    }

    /// The mask of the lanes that are there.
    fn mask(self, at: &Cursor<'c, 'a>, lanes: i64) -> Result<V<'c, 'a>, Failure> {
        let ty = vector_of(IntegerType::new(at.context, 1).into(), lanes);
        match self {
            Self::All => all(at, lanes),
            Self::None => at.constant(ty, DenseElementsAttribute::bool_splat(ty, false).into()),
            Self::First(n) => {
                let sizes = at.named("mask_dim_sizes", at.numbers(&[n]));
                at.with("vector.constant_mask", &[], ty, &[sizes])
            }
            Self::Count(n) => at.op("vector.create_mask", &[n], ty),
        }
    }
}

impl<'c, 'a> Access<'c, 'a> {
    /// The index into the tile of what is at an index along a dimension of the cut.
    fn position(&self, dim: usize, index: i64) -> Position<'c, 'a> {
        let here = Position { base: None, plus: index };
        self.held.as_ref().map_or(here, |held| held.position(dim, index))
    }

    /// Which lanes of a part of a row are there.
    fn lanes(
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
                    let there = compare(at, "slt", position.value(at)?, *valid)?;
                    at.op("arith.select", &[there, count, at.index(0)?], count.r#type())?
                }
            };
        }
        Lanes::of(at, Some(count), self.position(row.len(), from), lanes)
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
        let width = unsafe {
            let element = self.cut.element.to_raw();
            match () {
                _ if mlirTypeIsAFloat(element) => mlirFloatTypeGetWidth(element),
                _ if mlirTypeIsAInteger(element) => mlirIntegerTypeGetWidth(element),
                _ => 64,
            }
        };
        let bytes = i64::from(width.div_ceil(8));
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

    /// The operands of a gather or scatter: the linear buffer, the place of the first lane, where the lanes are from it.
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
fn own<'c, 'a>(
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
                    let mut position = i as isize;
                    let one = unsafe {
                        let map = mlirAffineMapAttrGetValue(map.to_raw());
                        let one = mlirAffineMapGetSubMap(map, 1, &mut position);
                        Attribute::from_raw(mlirAffineMapAttrGet(one))
                    };
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
        let cut = self.cut(operation.result(0)?.r#type()).ok_or("loads no tile")?;
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
                        } else {
                            operands.extend([there.mask(at, lanes)?, pad()?]);
                            at.with("vector.maskedload", &operands, ty, &alignment)?
                        }
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
                            if let Lanes::All = there {
                                let operands = [vec![*part, memref], indices].concat();
                                at.build("vector.store", &operands, &[], &alignment, vec![])?;
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

    /// The place that all lanes share and those of each vector of a tile, for indices that are tiles or one for all.
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
        let cut = self.cut(operation.result(0)?.r#type()).ok_or("gathers no tile")?;
        let buffer = Buffer::of(at, operation, self.one(op.source())?)?;
        let (shared, places) = self.places(at, &buffer, &cut, &op.indices())?;
        let masks = self.mask(at, &cut, op.mask())?;
        let linear = buffer.linear(at)?;
        let pad = match op.other() {
            Some(other) => Tile::splat(at, cut.clone(), self.one(other)?)?,
            None => Tile::splat(at, cut.clone(), at.constant(cut.element, zero(at, cut.element))?)?,
        };
        let mut parts = vec![];
        for (i, ty) in cut.types().into_iter().enumerate() {
            parts.push(at.op("vector.gather", &[linear, shared, places[i], masks[i], pad.parts[i]], ty)?);
        }
        Ok(Tile { cut, parts })
    }

    /// Writes a `kernel.scatter`.
    pub(crate) fn scatter(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: kernel::ScatterOp<'c, 'a>,
    ) -> Result<(), Failure> {
        let tile = self.tile(op.tile())?;
        let buffer = Buffer::of(at, op.operation(), self.one(op.destination())?)?;
        let (shared, places) = self.places(at, &buffer, &tile.cut, &op.indices())?;
        let masks = self.mask(at, &tile.cut, op.mask())?;
        let held = self.threads.as_ref().map(|threads| threads.held(at, &tile.cut)).transpose()?;
        let linear = buffer.linear(at)?;
        let cut = &tile.cut;
        let places_of =
            cut.rows().into_iter().flat_map(|row| cut.spans().map(move |(from, _)| (row.clone(), from)));
        for (i, (row, from)) in places_of.enumerate() {
            let write = |at: Cursor<'c, 'a>| {
                let operands = [linear, shared, places[i], masks[i], tile.parts[i]];
                at.build("vector.scatter", &operands, &[], &[], vec![]).map(drop)
            };
            match &held {
                Some(held) => own(at, held, &row, (from, cut.shape.len()), write)?,
                None => write(*at)?,
            }
        }
        Ok(())
    }
}
