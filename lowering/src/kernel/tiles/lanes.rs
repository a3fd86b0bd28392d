//! Which lanes of a vector are there, and the mask that says so.

use super::{buffer::add, known, share::Position};
use melior::ir::{Type, attribute::DenseElementsAttribute, r#type::IntegerType};
use terrace_dialects::ir::{
    cursor::{Cursor, V},
    pass::Failure,
};

/// Which lanes of a vector are there.
#[derive(Clone, Copy)]
pub(super) enum Lanes<'c, 'a> {
    All,
    None,
    /// Those from the first on, known how many.
    First(i64),
    /// Those from the first on.
    Count(V<'c, 'a>),
}

pub(crate) fn vector_of<'c>(element: Type<'c>, lanes: i64) -> Type<'c> {
    Type::vector(&[lanes as u64], element)
}

/// A mask with all lanes.
pub(crate) fn all<'c, 'a>(at: &Cursor<'c, 'a>, lanes: i64) -> Result<V<'c, 'a>, Failure> {
    let ty = vector_of(IntegerType::new(at.context, 1).into(), lanes);
    at.constant(ty, DenseElementsAttribute::bool_splat(ty, true).into())
}

impl<'c, 'a> Lanes<'c, 'a> {
    /// Which of `lanes` from `from` on are there, of the first `count` of a row.
    pub(super) fn of(
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
    pub(super) fn mask(self, at: &Cursor<'c, 'a>, lanes: i64) -> Result<V<'c, 'a>, Failure> {
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
