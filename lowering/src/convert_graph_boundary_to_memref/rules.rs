//! What eager decides by strides, as arithmetic on them: the strides of a new tensor, and whether elements are distinct.
//!
//! The rules are those of [`creation`](terrace_dialects::strided::creation), which has them for strides that are known. An
//! insertion sort over a handful of dimensions is written out, each of its decisions a select.

use melior::ir::{Type, r#type::IntegerType};
use terrace_dialects::{
    cursor::{Cursor, Predicate, V},
    extent::Extent,
    pass::Failure,
    strided::row_major,
};

type Result<T> = std::result::Result<T, Failure>;

/// A tensor that a new one is like: static sizes, strides as values.
pub struct Operand<'c, 'a> {
    /// One size per dimension.
    pub sizes: Vec<i64>,
    /// One stride per dimension.
    pub strides: Vec<V<'c, 'a>>,
}

/// Arithmetic on indices.
struct Arithmetic<'k, 'c, 'a>(&'k Cursor<'c, 'a>);

impl<'c, 'a> Arithmetic<'_, 'c, 'a> {
    fn bool(&self) -> Type<'c> {
        IntegerType::new(self.0.context, 1).into()
    }

    fn truth(&self, value: bool) -> Result<V<'c, 'a>> {
        self.0.integer(self.bool(), value.into())
    }

    fn number(&self, value: i64) -> Result<V<'c, 'a>> {
        self.0.index(value)
    }

    fn op(&self, name: &str, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.0.op(name, &[a, b], melior::ir::ValueLike::r#type(&a))
    }

    fn compare(&self, predicate: Predicate, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.0.compare(predicate, a, b)
    }

    fn and(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.op("arith.andi", a, b)
    }

    fn or(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.op("arith.ori", a, b)
    }

    fn not(&self, a: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.op("arith.xori", a, self.truth(true)?)
    }

    fn select(&self, condition: V<'c, 'a>, then: V<'c, 'a>, other: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.0.op("arith.select", &[condition, then, other], melior::ir::ValueLike::r#type(&then))
    }

    fn all(&self, conditions: impl IntoIterator<Item = Result<V<'c, 'a>>>) -> Result<V<'c, 'a>> {
        conditions.into_iter().try_fold(self.truth(true)?, |all, one| self.and(all, one?))
    }

    /// Whether strides are these, where dimensions have more than one index.
    fn are(&self, own: &Operand<'c, 'a>, strides: &[i64]) -> Result<V<'c, 'a>> {
        let moving = (0..strides.len()).filter(|d| own.sizes[*d] != 1);
        self.all(moving.map(|d| self.compare(Predicate::Equal, own.strides[d], self.number(strides[d])?)))
    }

    /// Whether some permutation of the dimensions is row-major: each stride is the product of the sizes of the dimensions
    /// inside.
    fn is_dense(&self, own: &Operand<'c, 'a>) -> Result<V<'c, 'a>> {
        if own.sizes.contains(&0) {
            return self.truth(true);
        }
        let moving: Vec<usize> = (0..own.sizes.len()).filter(|d| own.sizes[*d] != 1).collect();
        self.all(moving.iter().map(|d| {
            let mut product = self.number(1)?;
            for inner in moving.iter().filter(|i| *i != d) {
                // Of two equal strides one is outside: it is not the product then.
                let before = if inner < d { Predicate::LessOrEqual } else { Predicate::Less };
                let inside = self.compare(before, own.strides[*inner], own.strides[*d])?;
                let factor = self.select(inside, self.number(own.sizes[*inner])?, self.number(1)?)?;
                product = self.op("arith.muli", product, factor)?;
            }
            self.compare(Predicate::Equal, own.strides[*d], product)
        }))
    }
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

    /// Dense strides in the order in which operands, broadcast to `sizes`, have the dimensions in memory. `counted` is what
    /// a size counts.
    fn packed(
        &self,
        sizes: &[i64],
        operands: &[Vec<V<'c, 'a>>],
        counted: impl Fn(i64) -> i64,
    ) -> Result<Vec<V<'c, 'a>>> {
        let rank = sizes.len();
        let dims = (0..rank).rev().map(|d| {
            Ok(Dim {
                number: self.number(d as i64)?,
                size: self.number(sizes[d])?,
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
            // An empty dimension may count as one index: of all sizes it is the only one that counts another number.
            let count = if sizes.contains(&0) && counted(0) != 0 {
                self.op("arith.maxsi", dim.size, self.number(1)?)?
            } else {
                dim.size
            };
            next = self.op("arith.muli", next, count)?;
        }
        if !sizes.contains(&0) || counted(0) != 0 {
            return Ok(strides);
        }
        let known = row_major(sizes);
        strides
            .into_iter()
            .zip(known)
            .map(|(s, k)| self.select(row_major_order, self.number(k)?, s))
            .collect()
    }
}

/// The strides of channels innermost.
fn channels_last(sizes: &[i64]) -> Vec<i64> {
    let [_, c, h, w] = sizes[..] else { return vec![] };
    vec![h * w * c, 1, w * c, c]
}

/// The strides of a pointwise result on these operands, broadcast to `sizes`; one without dimensions is a number.
pub fn pointwise<'c, 'a>(
    at: &Cursor<'c, 'a>,
    sizes: &[i64],
    operands: &[Operand<'c, 'a>],
) -> Result<Vec<V<'c, 'a>>> {
    let a = Arithmetic(at);
    let contiguous = row_major(sizes);
    let numbers = |list: &[i64]| list.iter().map(|n| a.number(*n)).collect::<Result<Vec<_>>>();
    let same_sizes = operands.iter().all(|o| o.sizes == sizes);
    if sizes.is_empty() || same_sizes && sizes.contains(&0) {
        return numbers(&contiguous);
    }
    let mut broadcast = vec![];
    for o in operands {
        let lead = sizes.len() - o.sizes.len();
        let mut strides = vec![a.number(0)?; lead];
        for (d, stride) in o.strides.iter().enumerate() {
            let repeated = o.sizes[d] == 1 && sizes[lead + d] != 1;
            strides.push(if repeated { a.number(0)? } else { *stride });
        }
        broadcast.push(strides);
    }
    let mut strides = a.packed(sizes, &broadcast, |n| n)?;
    if !same_sizes {
        return Ok(strides);
    }
    let first = &operands[0];
    let agree = |o: &Operand<'c, 'a>| {
        a.all(o.strides.iter().zip(&first.strides).map(|(x, y)| a.compare(Predicate::Equal, *x, *y)))
    };
    let alike = a.all(operands.iter().map(|o| a.and(a.is_dense(o)?, agree(o)?)))?;
    let mut choices = vec![(alike, first.strides.clone())];
    if sizes.len() == 4 {
        let order = channels_last(sizes);
        choices.push((a.all(operands.iter().map(|o| a.are(o, &order)))?, numbers(&order)?));
    }
    choices.push((a.all(operands.iter().map(|o| a.are(o, &contiguous)))?, numbers(&contiguous)?));
    // The last choice goes first.
    for (holds, chosen) in choices {
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
    sizes: &[i64],
    operands: &[Operand<'c, 'a>],
    all: bool,
) -> Result<Vec<V<'c, 'a>>> {
    let a = Arithmetic(at);
    let rank = sizes.len();
    let suggests = |own: &Operand<'c, 'a>| {
        if !(4..=5).contains(&rank) || own.sizes.len() != rank || own.sizes.contains(&0) {
            return a.truth(false);
        }
        let mut holds = a.compare(Predicate::NotEqual, own.strides[1], a.number(0)?)?;
        let mut least = a.number(0)?;
        for d in channels_first(rank) {
            holds = a.and(holds, a.compare(Predicate::LessOrEqual, least, own.strides[d])?)?;
            if d == 0 {
                holds = a.and(holds, a.compare(Predicate::NotEqual, least, own.strides[1])?)?;
            }
            least = a.op("arith.muli", own.strides[d], a.number(own.sizes[d])?)?;
        }
        Ok(holds)
    };
    let each = operands.iter().map(suggests).collect::<Result<Vec<_>>>()?;
    let last = match all {
        true => a.all(each.into_iter().map(Ok))?,
        false => each.into_iter().try_fold(a.truth(false)?, |any, one| a.or(any, one))?,
    };
    let (mut innermost, mut next) = (vec![0; rank], 1);
    for d in channels_first(rank).filter(|d| *d < rank) {
        innermost[d] = next;
        next *= sizes[d].max(1);
    }
    let rows = row_major(sizes);
    innermost.into_iter().zip(rows).map(|(own, row)| a.select(last, a.number(own)?, a.number(row)?)).collect()
}

/// The strides of a copy that preserves the format: a tensor's own where they are dense.
pub fn preserved<'c, 'a>(at: &Cursor<'c, 'a>, own: &Operand<'c, 'a>) -> Result<Vec<V<'c, 'a>>> {
    let a = Arithmetic(at);
    let packed = a.packed(&own.sizes, std::slice::from_ref(&own.strides), |n| n.max(1))?;
    let dense = a.is_dense(own)?;
    own.strides.iter().zip(packed).map(|(own, packed)| a.select(dense, *own, packed)).collect()
}

/// Whether no stride is 0 along a dimension of more than one index, and whether each stride steps over all that lesser
/// ones reach, so that no two elements lie in one place. Sizes may be those of the run.
pub fn distinct<'c, 'a>(
    at: &Cursor<'c, 'a>,
    sizes: &[Extent<'c, 'a>],
    strides: &[V<'c, 'a>],
) -> Result<[V<'c, 'a>; 2]> {
    let a = Arithmetic(at);
    let empty = sizes.iter().any(|size| size.is(0));
    let moving: Vec<usize> = (0..sizes.len()).filter(|d| !sizes[*d].is(1) && !empty).collect();
    // A dimension of the run may have one index, or none.
    let still = |d: usize| match sizes[d] {
        Extent::Value(size) => Ok(Some(a.compare(Predicate::LessOrEqual, size, a.number(1)?)?)),
        Extent::Number(_) => Ok::<_, Failure>(None),
    };
    let or_still = |d: usize, holds: V<'c, 'a>| match still(d)? {
        Some(still) => a.or(still, holds),
        None => Ok(holds),
    };
    let single = a.all(moving.iter().map(|d| {
        let holds = a.compare(Predicate::NotEqual, strides[*d], a.number(0)?)?;
        or_still(*d, holds)
    }))?;
    let nested = a.all(moving.iter().map(|d| {
        let mut reach = a.number(0)?;
        for inner in moving.iter().filter(|i| *i != d) {
            let inside = a.compare(Predicate::LessOrEqual, strides[*inner], strides[*d])?;
            let last = match sizes[*inner] {
                Extent::Number(size) => a.number(size - 1)?,
                Extent::Value(size) => a.op("arith.subi", size, a.number(1)?)?,
            };
            let mut span = a.op("arith.muli", strides[*inner], last)?;
            if let Some(still) = still(*inner)? {
                span = a.select(still, a.number(0)?, span)?;
            }
            reach = a.op("arith.addi", reach, a.select(inside, span, a.number(0)?)?)?;
        }
        let holds = a.compare(Predicate::Greater, strides[*d], reach)?;
        or_still(*d, holds)
    }))?;
    let mut nested = a.or(nested, a.not(single)?)?;
    // What has no elements has none that lie in one place.
    for size in sizes.iter().filter_map(|size| size.value()) {
        nested = a.or(nested, a.compare(Predicate::Equal, size, a.number(0)?)?)?;
    }
    Ok([single, nested])
}
