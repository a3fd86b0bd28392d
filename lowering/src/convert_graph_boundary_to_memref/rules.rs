//! What eager decides by strides, as arithmetic on them: the strides of a new tensor.
//!
//! The rules are those of [`creation`](terrace_dialects::strided::creation), which has them for strides that are known. An
//! insertion sort over a handful of dimensions is written out, each of its decisions a select.

mod arithmetic;

use arithmetic::{Answer, Arithmetic};
use terrace_dialects::{
    cursor::{Cursor, Predicate, V},
    extent::Extent,
    pass::Failure,
};

type Result<T> = std::result::Result<T, Failure>;

/// A tensor that a new one is like: sizes, strides as values.
pub struct Operand<'c, 'a> {
    /// One size per dimension.
    pub sizes: Vec<Extent<'c, 'a>>,
    /// One stride per dimension.
    pub strides: Vec<V<'c, 'a>>,
}

/// A dimension on its way through the sort.
#[derive(Clone)]
struct Dim<'c, 'a> {
    number: V<'c, 'a>,
    size: V<'c, 'a>,
    /// Its stride in each operand.
    strides: Vec<V<'c, 'a>>,
}

impl<'c, 'a> Arithmetic<'_, 'c, 'a> {
    fn choose(&self, condition: V<'c, 'a>, then: &Dim<'c, 'a>, other: &Dim<'c, 'a>) -> Result<Dim<'c, 'a>> {
        let strides = then.strides.iter().zip(&other.strides).map(|(a, b)| self.select(condition, *a, *b));
        Ok(Dim {
            number: self.select(condition, then.number, other.number)?,
            size: self.select(condition, then.size, other.size)?,
            strides: strides.collect::<Result<_>>()?,
        })
    }

    /// Whether `a` belongs outside of `b`, and whether it belongs inside. The first operand that tells decides; a stride
    /// of 0 has no say, and equal strides leave it to the sizes.
    fn order(&self, a: &Dim<'c, 'a>, b: &Dim<'c, 'a>) -> Result<(V<'c, 'a>, V<'c, 'a>)> {
        let (zero, mut outside, mut inside) = (self.number(0)?, self.truth(false)?, self.truth(false)?);
        for (x, y) in a.strides.iter().zip(&b.strides).rev() {
            let says = self.and(
                self.compare(Predicate::NotEqual, *x, zero)?,
                self.compare(Predicate::NotEqual, *y, zero)?,
            )?;
            let tie = self.and(
                self.compare(Predicate::Equal, *x, *y)?,
                self.compare(Predicate::Greater, a.size, b.size)?,
            )?;
            let above = self.and(says, self.or(self.compare(Predicate::Greater, *x, *y)?, tie)?)?;
            let below = self.and(says, self.compare(Predicate::Less, *x, *y)?)?;
            let decided = self.or(above, below)?;
            outside = self.select(decided, above, outside)?;
            inside = self.select(decided, below, inside)?;
        }
        Ok((outside, inside))
    }

    /// The dimensions from the innermost. Walking past undecided neighbours, so that a dimension changes places with one
    /// further on: the places between keep theirs.
    fn sorted(&self, mut dims: Vec<Dim<'c, 'a>>) -> Result<Vec<Dim<'c, 'a>>> {
        for i in 1..dims.len() {
            let moving = dims[i].clone();
            let (mut place, mut active) = (self.number(i as i64)?, self.truth(true)?);
            for before in (0..i).rev() {
                let (outside, inside) = self.order(&dims[before], &moving)?;
                let exchange = self.and(active, outside)?;
                for k in before + 1..=i {
                    let here = self.compare(Predicate::Equal, place, self.number(k as i64)?)?;
                    dims[k] = self.choose(self.and(exchange, here)?, &dims[before], &dims[k])?;
                }
                place = self.select(exchange, self.number(before as i64)?, place)?;
                active = self.and(active, self.not(inside)?)?;
            }
            for (k, dim) in dims.iter_mut().enumerate().take(i + 1) {
                let here = self.compare(Predicate::Equal, place, self.number(k as i64)?)?;
                *dim = self.choose(here, &moving, dim)?;
            }
        }
        Ok(dims)
    }

    /// Dense strides in the order in which operands, broadcast to `sizes`, have the dimensions in memory; `counted`: an empty
    /// dimension counts as one index.
    fn packed(
        &self,
        sizes: &[Extent<'c, 'a>],
        operands: &[Vec<V<'c, 'a>>],
        counted: bool,
    ) -> Result<Vec<V<'c, 'a>>> {
        let rank = sizes.len();
        let may_be_empty = sizes.iter().any(|size| size.is(0) || size.value().is_some());
        let dims = (0..rank).rev().map(|d| {
            Ok(Dim {
                number: self.number(d as i64)?,
                size: self.0.extent(sizes[d])?,
                strides: operands.iter().map(|o| o[d]).collect(),
            })
        });
        let dims = self.sorted(dims.collect::<Result<_>>()?)?;
        let (mut strides, mut next) = (vec![self.number(0)?; rank], self.number(1)?);
        let mut row_major_order = self.truth(true)?;
        for (place, dim) in dims.iter().enumerate() {
            for (d, stride) in strides.iter_mut().enumerate() {
                let here = self.compare(Predicate::Equal, dim.number, self.number(d as i64)?)?;
                *stride = self.select(here, next, *stride)?;
            }
            let expected = self.number((rank - 1 - place) as i64)?;
            row_major_order =
                self.and(row_major_order, self.compare(Predicate::Equal, dim.number, expected)?)?;
            // Of all sizes an empty one is the only one that counts another number.
            let count = if may_be_empty && counted {
                self.op("arith.maxsi", dim.size, self.number(1)?)?
            } else {
                dim.size
            };
            next = self.op("arith.muli", next, count)?;
        }
        if !may_be_empty || counted {
            return Ok(strides);
        }
        let known = self.row_major(sizes)?;
        strides.into_iter().zip(known).map(|(s, k)| self.select(row_major_order, k, s)).collect()
    }
}

/// The strides of a pointwise result on these operands, broadcast to `sizes`; one without dimensions is a number.
pub fn pointwise<'c, 'a>(
    at: &Cursor<'c, 'a>,
    sizes: &[Extent<'c, 'a>],
    operands: &[Operand<'c, 'a>],
) -> Result<Vec<V<'c, 'a>>> {
    let a = Arithmetic(at);
    let contiguous = a.row_major(sizes)?;
    let same = operands.iter().try_fold(Answer::Known(true), |all, o| {
        Ok::<_, Failure>(match (all, a.are_same(&o.sizes, sizes)?) {
            (Answer::Known(false), _) | (_, Answer::Known(false)) => Answer::Known(false),
            (Answer::Known(true), one) => one,
            (all, Answer::Known(true)) => all,
            (Answer::Value(all), Answer::Value(one)) => Answer::Value(a.and(all, one)?),
        })
    })?;
    let empty = a.is_empty(sizes)?;
    if sizes.is_empty() || matches!((same, empty), (Answer::Known(true), Answer::Known(true))) {
        return Ok(contiguous);
    }
    let mut broadcast = vec![];
    for o in operands {
        let lead = sizes.len() - o.sizes.len();
        let mut strides = vec![a.number(0)?; lead];
        for (d, stride) in o.strides.iter().enumerate() {
            strides.push(match (a.is(o.sizes[d], 1)?, a.is(sizes[lead + d], 1)?) {
                (Answer::Known(false), _) | (_, Answer::Known(true)) => *stride,
                (Answer::Known(true), Answer::Known(false)) => a.number(0)?,
                (own, whole) => {
                    let repeated = a.and(a.answered(own)?, a.not(a.answered(whole)?)?)?;
                    a.select(repeated, a.number(0)?, *stride)?
                }
            });
        }
        broadcast.push(strides);
    }
    let mut strides = a.packed(sizes, &broadcast, false)?;
    if let Answer::Known(false) = same {
        return Ok(strides);
    }
    let first = &operands[0];
    let agree = |o: &Operand<'c, 'a>| {
        a.all(o.strides.iter().zip(&first.strides).map(|(x, y)| a.compare(Predicate::Equal, *x, *y)))
    };
    let alike = a.all(operands.iter().map(|o| a.and(a.is_dense(o)?, agree(o)?)))?;
    let mut choices = vec![(alike, first.strides.clone())];
    if sizes.len() == 4 {
        let order = a.packed_in(sizes, channels_first(4), false)?;
        choices.push((a.all(operands.iter().map(|o| a.are(o, &order)))?, order));
    }
    let mut packed = a.all(operands.iter().map(|o| a.are(o, &contiguous)))?;
    packed = match empty {
        Answer::Known(false) => packed,
        empty => a.or(packed, a.answered(empty)?)?,
    };
    choices.push((packed, contiguous));
    // The last choice goes first.
    for (mut holds, chosen) in choices {
        if let Answer::Value(same) = same {
            holds = a.and(holds, same)?;
        }
        for (stride, chosen) in strides.iter_mut().zip(chosen) {
            *stride = a.select(holds, chosen, *stride)?;
        }
    }
    Ok(strides)
}

/// Dimensions from the innermost where channels are.
fn channels_first(rank: usize) -> impl Iterator<Item = usize> {
    std::iter::once(1).chain((2..rank).rev()).chain([0])
}

/// The strides of channels innermost where any, or all, of the operands suggest it by theirs, else row-major.
pub fn suggested<'c, 'a>(
    at: &Cursor<'c, 'a>,
    sizes: &[Extent<'c, 'a>],
    operands: &[Operand<'c, 'a>],
    all: bool,
) -> Result<Vec<V<'c, 'a>>> {
    let a = Arithmetic(at);
    let rank = sizes.len();
    let suggests = |own: &Operand<'c, 'a>| {
        let empty = a.is_empty(&own.sizes)?;
        if !(4..=5).contains(&rank) || own.sizes.len() != rank || matches!(empty, Answer::Known(true)) {
            return a.truth(false);
        }
        let mut holds = a.compare(Predicate::NotEqual, own.strides[1], a.number(0)?)?;
        if let Answer::Value(empty) = empty {
            holds = a.and(holds, a.not(empty)?)?;
        }
        let mut least = a.number(0)?;
        for d in channels_first(rank) {
            holds = a.and(holds, a.compare(Predicate::LessOrEqual, least, own.strides[d])?)?;
            if d == 0 {
                holds = a.and(holds, a.compare(Predicate::NotEqual, least, own.strides[1])?)?;
            }
            least = a.op("arith.muli", own.strides[d], a.0.extent(own.sizes[d])?)?;
        }
        Ok(holds)
    };
    let each = operands.iter().map(suggests).collect::<Result<Vec<_>>>()?;
    let last = match all {
        true => a.all(each.into_iter().map(Ok))?,
        false => each.into_iter().try_fold(a.truth(false)?, |any, one| a.or(any, one))?,
    };
    let innermost = a.packed_in(sizes, channels_first(rank).filter(|d| *d < rank), true)?;
    let rows = a.row_major(sizes)?;
    innermost.into_iter().zip(rows).map(|(own, row)| a.select(last, own, row)).collect()
}

/// The strides of a copy that preserves the format: a tensor's own where they are dense.
pub fn preserved<'c, 'a>(at: &Cursor<'c, 'a>, own: &Operand<'c, 'a>) -> Result<Vec<V<'c, 'a>>> {
    let a = Arithmetic(at);
    let packed = a.packed(&own.sizes, std::slice::from_ref(&own.strides), true)?;
    let dense = a.is_dense(own)?;
    own.strides.iter().zip(packed).map(|(own, packed)| a.select(dense, *own, packed)).collect()
}
