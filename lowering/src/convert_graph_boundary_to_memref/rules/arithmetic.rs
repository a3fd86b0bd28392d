//! Arithmetic on sizes and strides that are known now or when the program runs, and what is asked of them: whether a tensor is
//! empty, has the sizes of another one, or lies densely.

use super::{Operand, Result};
use melior::ir::{Type, r#type::IntegerType};
use terrace_dialects::{
    cursor::{Cursor, Predicate, V},
    extent::Extent,
};

/// An answer that is known now, or when the program runs.
#[derive(Clone, Copy)]
pub(super) enum Answer<'c, 'a> {
    Known(bool),
    Value(V<'c, 'a>),
}

/// Arithmetic on indices.
pub(super) struct Arithmetic<'k, 'c, 'a>(pub(super) &'k Cursor<'c, 'a>);

impl<'c, 'a> Arithmetic<'_, 'c, 'a> {
    pub(super) fn bool(&self) -> Type<'c> {
        IntegerType::new(self.0.context, 1).into()
    }

    pub(super) fn truth(&self, value: bool) -> Result<V<'c, 'a>> {
        self.0.integer(self.bool(), value.into())
    }

    pub(super) fn number(&self, value: i64) -> Result<V<'c, 'a>> {
        self.0.index(value)
    }

    pub(super) fn op(&self, name: &str, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.0.op(name, &[a, b], melior::ir::ValueLike::r#type(&a))
    }

    pub(super) fn compare(&self, predicate: Predicate, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.0.compare(predicate, a, b)
    }

    pub(super) fn and(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.op("arith.andi", a, b)
    }

    pub(super) fn or(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.op("arith.ori", a, b)
    }

    pub(super) fn not(&self, a: V<'c, 'a>) -> Result<V<'c, 'a>> {
        self.op("arith.xori", a, self.truth(true)?)
    }

    pub(super) fn select(
        &self,
        condition: V<'c, 'a>,
        then: V<'c, 'a>,
        other: V<'c, 'a>,
    ) -> Result<V<'c, 'a>> {
        self.0.op("arith.select", &[condition, then, other], melior::ir::ValueLike::r#type(&then))
    }

    pub(super) fn all(&self, conditions: impl IntoIterator<Item = Result<V<'c, 'a>>>) -> Result<V<'c, 'a>> {
        conditions.into_iter().try_fold(self.truth(true)?, |all, one| self.and(all, one?))
    }

    /// An answer as a value.
    pub(super) fn answered(&self, answer: Answer<'c, 'a>) -> Result<V<'c, 'a>> {
        match answer {
            Answer::Known(value) => self.truth(value),
            Answer::Value(value) => Ok(value),
        }
    }

    /// Whether a size is this number.
    pub(super) fn is(&self, size: Extent<'c, 'a>, number: i64) -> Result<Answer<'c, 'a>> {
        Ok(match size {
            Extent::Number(size) => Answer::Known(size == number),
            Extent::Value(size) => {
                Answer::Value(self.compare(Predicate::Equal, size, self.number(number)?)?)
            }
        })
    }

    /// Whether some size is 0.
    pub(super) fn is_empty(&self, sizes: &[Extent<'c, 'a>]) -> Result<Answer<'c, 'a>> {
        sizes.iter().try_fold(Answer::Known(false), |any, size| {
            Ok(match (any, self.is(*size, 0)?) {
                (Answer::Known(true), _) | (_, Answer::Known(true)) => Answer::Known(true),
                (Answer::Known(false), one) => one,
                (any, Answer::Known(false)) => any,
                (Answer::Value(any), Answer::Value(one)) => Answer::Value(self.or(any, one)?),
            })
        })
    }

    /// Whether two tensors have the same sizes.
    pub(super) fn are_same(&self, a: &[Extent<'c, 'a>], b: &[Extent<'c, 'a>]) -> Result<Answer<'c, 'a>> {
        if a.len() != b.len() {
            return Ok(Answer::Known(false));
        }
        a.iter().zip(b).try_fold(Answer::Known(true), |all, (a, b)| {
            let one = match (a, b) {
                _ if a == b => return Ok(all),
                (Extent::Number(_), Extent::Number(_)) => return Ok(Answer::Known(false)),
                (Extent::Value(value), other) | (other, Extent::Value(value)) => {
                    self.compare(Predicate::Equal, *value, self.0.extent(*other)?)?
                }
            };
            Ok(match all {
                Answer::Known(false) => all,
                Answer::Known(true) => Answer::Value(one),
                Answer::Value(all) => Answer::Value(self.and(all, one)?),
            })
        })
    }

    /// What is asked of a dimension that more than one index moves along: of others it holds.
    pub(super) fn if_moving(&self, size: Extent<'c, 'a>, holds: V<'c, 'a>) -> Result<V<'c, 'a>> {
        match size {
            Extent::Number(_) => Ok(holds),
            Extent::Value(size) => {
                self.or(self.compare(Predicate::LessOrEqual, size, self.number(1)?)?, holds)
            }
        }
    }

    /// The dimensions that may have more than one index.
    pub(super) fn moving(&self, sizes: &[Extent<'c, 'a>]) -> Vec<usize> {
        (0..sizes.len()).filter(|d| !sizes[*d].is(1)).collect()
    }

    /// A size, that of an empty dimension as one index.
    pub(super) fn counted(&self, size: Extent<'c, 'a>) -> Result<Extent<'c, 'a>> {
        Ok(match size {
            Extent::Number(size) => Extent::Number(size.max(1)),
            Extent::Value(size) => Extent::Value(self.op("arith.maxsi", size, self.number(1)?)?),
        })
    }

    /// The strides of tensors that are packed in an order of their dimensions, innermost first.
    pub(super) fn packed_in(
        &self,
        sizes: &[Extent<'c, 'a>],
        order: impl Iterator<Item = usize>,
        counted: bool,
    ) -> Result<Vec<V<'c, 'a>>> {
        let (mut strides, mut next) = (vec![Extent::Number(1); sizes.len()], Extent::Number(1));
        for d in order {
            strides[d] = next;
            next = self.0.product(next, if counted { self.counted(sizes[d])? } else { sizes[d] })?;
        }
        strides.into_iter().map(|stride| self.0.extent(stride)).collect()
    }

    pub(super) fn row_major(&self, sizes: &[Extent<'c, 'a>]) -> Result<Vec<V<'c, 'a>>> {
        self.packed_in(sizes, (0..sizes.len()).rev(), true)
    }

    /// Whether strides are these, where dimensions have more than one index.
    pub(super) fn are(&self, own: &Operand<'c, 'a>, strides: &[V<'c, 'a>]) -> Result<V<'c, 'a>> {
        let moving = self.moving(&own.sizes).into_iter();
        self.all(moving.map(|d| {
            self.if_moving(own.sizes[d], self.compare(Predicate::Equal, own.strides[d], strides[d])?)
        }))
    }

    /// Whether some permutation of the dimensions is row-major: each stride is the product of the sizes of the dimensions
    /// inside.
    pub(super) fn is_dense(&self, own: &Operand<'c, 'a>) -> Result<V<'c, 'a>> {
        let empty = self.is_empty(&own.sizes)?;
        if let Answer::Known(true) = empty {
            return self.truth(true);
        }
        let moving = self.moving(&own.sizes);
        let dense = self.all(moving.iter().map(|d| {
            let mut product = self.number(1)?;
            for inner in moving.iter().filter(|i| *i != d) {
                // Of two equal strides one is outside: it is not the product then.
                let before = if inner < d { Predicate::LessOrEqual } else { Predicate::Less };
                let inside = self.compare(before, own.strides[*inner], own.strides[*d])?;
                let factor = self.select(inside, self.0.extent(own.sizes[*inner])?, self.number(1)?)?;
                product = self.op("arith.muli", product, factor)?;
            }
            self.if_moving(own.sizes[*d], self.compare(Predicate::Equal, own.strides[*d], product)?)
        }))?;
        match empty {
            Answer::Known(_) => Ok(dense),
            Answer::Value(empty) => self.or(empty, dense),
        }
    }
}
