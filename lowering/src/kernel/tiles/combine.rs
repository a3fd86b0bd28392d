//! Reductions, broadcasts and products of tiles.

use super::{
    body::{Body, Lowered},
    combiner::{combine, kind},
    pairs,
    tile::{Cut, Tile, broadcast, extract, slice},
};
use melior::ir::{Attribute, Type, ValueLike, r#type::IntegerType};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        pass::Failure,
        types::is_float,
    },
    ops::{Combiner, kernel},
};

/// Combines all lanes of the vectors of a row.
fn across<'c, 'a>(
    at: &Cursor<'c, 'a>,
    combiner: Combiner,
    cut: &Cut<'c>,
    row: &[V<'c, 'a>],
) -> Result<V<'c, 'a>, Failure> {
    let element = cut.element;
    let Some(kind) = kind(combiner, element) else {
        let lanes = row.iter().zip(cut.spans());
        let lanes =
            lanes.flat_map(|(vector, (_, lanes))| (0..lanes).map(|lane| extract(at, *vector, lane, element)));
        return combine(at, combiner, element, lanes.collect::<Result<Vec<_>, _>>()?);
    };
    let parse = |text: &str| {
        Attribute::parse(at.context, text).ok_or(internal!("is built without the vector dialect"))
    };
    let mut attributes = vec![at.named("kind", parse(&format!("#vector.kind<{kind}>"))?)];
    if is_float(element) && matches!(combiner, Combiner::Add | Combiner::Mul) {
        // The order of combination is free; without this it would be from the first lane to the last.
        attributes.push(at.named("fastmath", parse("#arith.fastmath<reassoc>")?));
    }
    // The last vector of a row may be shorter than the others.
    let whole = row.iter().take_while(|v| v.r#type() == row[0].r#type()).count();
    let mut totals = vec![];
    let mut spans = cut.spans();
    for vectors in [&row[..whole], &row[whole..]] {
        if let Some((_, lanes)) = spans.by_ref().take(vectors.len()).last() {
            let one = combine(at, combiner, element, vectors.to_vec())?;
            totals.push(match is_float(element) && matches!(combiner, Combiner::Max | Combiner::Min) {
                true => by_halves(at, combiner, cut, (one, lanes))?,
                false => at.with("vector.reduction", &[one], element, &attributes)?,
            });
        }
    }
    combine(at, combiner, element, totals)
}

/// Combines the lanes of a vector: its halves, and theirs. LLVM's own for extremes of floats tells the zeros
/// apart, and takes twice as many instructions.
fn by_halves<'c, 'a>(
    at: &Cursor<'c, 'a>,
    combiner: Combiner,
    cut: &Cut<'c>,
    (mut vector, mut lanes): (V<'c, 'a>, i64),
) -> Result<V<'c, 'a>, Failure> {
    while lanes > 1 {
        let half = lanes / 2;
        let part = |from: i64, lanes: i64| slice(at, vector, from, lanes, cut.vector(lanes));
        let mut parts = vec![part(0, half)?, part(half, half)?];
        if lanes % 2 == 1 {
            let last = extract(at, vector, lanes - 1, cut.element)?;
            parts.push(broadcast(at, last, cut.vector(half))?);
        }
        vector = combine(at, combiner, cut.element, parts)?;
        lanes = half;
    }
    extract(at, vector, 0, cut.element)
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// What a `kernel.reduce` gives.
    pub(crate) fn reduce(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: kernel::ReduceOp<'c, 'a>,
    ) -> Result<Lowered<'c, 'a>, Failure> {
        let mut tile = self.tile(op.tile())?;
        let combiner = op.combiner();
        let element = tile.cut.element;
        if let Some(threads) = &self.threads {
            tile = threads.counted(at, combiner, op.dim(), tile)?;
        }
        let Some(dim) = op.dim() else {
            // Rows first, lane by lane.
            let columns = tile.cut.spans().enumerate().map(|(i, _)| {
                let column = tile.cut.rows().iter().map(|row| tile.row(row)[i]).collect();
                combine(at, combiner, element, column)
            });
            let columns = columns.collect::<Result<Vec<_>, _>>()?;
            let total = across(at, combiner, &tile.cut, &columns)?;
            return Ok(Lowered::One(match &mut self.threads {
                Some(threads) => threads.reduce(at, combiner, (&tile.cut, None), vec![total])?[0],
                None => total,
            }));
        };
        let dim = dim as usize;
        let size = tile.cut.shape[dim];
        let cut = self.cut(op.operation().result_at(0)?.r#type()).ok_or(internal!("makes no tile"))?;
        let own = if dim + 1 == tile.cut.shape.len() {
            let rows = tile.cut.rows();
            let totals = rows.iter().map(|row| across(at, combiner, &tile.cut, tile.row(row)));
            Tile::of_elements(at, cut, &totals.collect::<Result<Vec<_>, _>>()?)?
        } else {
            let mut parts = vec![];
            for row in cut.rows() {
                for (i, _) in cut.spans().enumerate() {
                    let along =
                        (0..size).map(|k| tile.row(&[&row[..dim], &[k], &row[dim..]].concat())[i]).collect();
                    parts.push(combine(at, combiner, element, along)?);
                }
            }
            Tile { cut, parts }
        };
        Ok(Lowered::Tile(match &mut self.threads {
            Some(threads) => {
                let totals = own.elements(at)?;
                let totals = threads.reduce(at, combiner, (&tile.cut, Some(dim as i64)), totals)?;
                Tile::of_elements(at, own.cut, &totals)?
            }
            None => own,
        }))
    }

    /// What a `kernel.broadcast` gives.
    pub(crate) fn broadcast(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: kernel::BroadcastOp<'c, 'a>,
    ) -> Result<Tile<'c, 'a>, Failure> {
        let tile = self.tile(op.tile())?;
        let cut = self.cut(op.operation().result_at(0)?.r#type()).ok_or(internal!("makes no tile"))?;
        let dims = op.dims();
        let keeps_rows = dims.last().is_some_and(|d| *d as usize + 1 == cut.shape.len());
        let mut parts = vec![];
        for row in cut.rows() {
            let of = |dims: &[i64]| -> Vec<i64> { dims.iter().map(|d| row[*d as usize]).collect() };
            if keeps_rows {
                parts.extend(tile.row(&of(&dims[..dims.len() - 1])));
            } else {
                let element = tile.element(at, &of(&dims))?;
                for (_, lanes) in cut.spans() {
                    parts.push(broadcast(at, element, cut.vector(lanes))?);
                }
            }
        }
        Ok(Tile { cut, parts })
    }

    /// What a `kernel.dot` gives: each element of the left side, in all lanes, times a row of the right side.
    pub(crate) fn dot(
        &mut self,
        at: &Cursor<'c, 'a>,
        op: kernel::DotOp<'c, 'a>,
    ) -> Result<Tile<'c, 'a>, Failure> {
        let rhs = self.tile(op.rhs())?;
        let mut acc = self.tile(op.acc())?;
        let later = match self.get(op.lhs())? {
            Lowered::Later(load) => Some(*load),
            _ => None,
        };
        let access = later.map(|load| self.source(at, load)).transpose()?;
        let lhs = if later.is_none() { Some(self.tile(op.lhs())?) } else { None };
        let [m, n] = acc.cut.shape[..] else { return Err("multiplies tiles that are no matrices".into()) };
        let (element, to) = (rhs.cut.element, acc.cut.element);
        let per_row = acc.cut.spans().count();
        let pairs = op.pairs().is_some();
        // Words of pairs stay words.
        let wide = if pairs { element } else { to };
        for k in 0..rhs.cut.shape[0] {
            let row = rhs.row(&[k]).iter().zip(acc.cut.spans());
            let row = row.map(|(v, (_, lanes))| {
                widen(at, *v, element, (wide, acc.cut.with_element(wide).vector(lanes)))
            });
            let row = row.collect::<Result<Vec<_>, _>>()?;
            for i in 0..m {
                let scalar = match (&access, &lhs) {
                    (Some(access), _) => access.element(at, &[i], k)?,
                    (None, Some(lhs)) => lhs.element(at, &[i, k])?,
                    (None, None) => return Err("multiplies nothing".into()),
                };
                let scalar = widen(at, scalar, element, (wide, wide))?;
                for (j, (_, lanes)) in acc.cut.spans().enumerate() {
                    let sum = &mut acc.parts[i as usize * per_row + j];
                    let ty = acc.cut.vector(lanes);
                    let left = broadcast(at, scalar, acc.cut.with_element(wide).vector(lanes))?;
                    *sum = if pairs {
                        pairs::multiply_add(at, [left, row[j], *sum], (lanes, self.fuses_pairs))?
                    } else if is_float(to) {
                        at.op("vector.fma", &[left, row[j], *sum], ty)?
                    } else {
                        let product = at.op("arith.muli", &[left, row[j]], ty)?;
                        at.op("arith.addi", &[*sum, product], ty)?
                    };
                }
            }
        }
        assert_eq!(acc.parts.len(), m as usize * per_row, "{n} columns");
        Ok(acc)
    }
}

/// A value of the accumulator's element type.
fn widen<'c, 'a>(
    at: &Cursor<'c, 'a>,
    value: V<'c, 'a>,
    from: Type<'c>,
    (to, result): (Type<'c>, Type<'c>),
) -> Result<V<'c, 'a>, Failure> {
    if from == to {
        return Ok(value);
    }
    match (is_float(from), is_float(to)) {
        (true, true) => at.op("arith.extf", &[value], result),
        (false, false) if from == IntegerType::new(at.context, 1).into() => {
            at.op("arith.extui", &[value], result)
        }
        (false, false) => at.op("arith.extsi", &[value], result),
        _ => Err(Failure::Message(format!("multiplies {from} onto {to}"))),
    }
}
