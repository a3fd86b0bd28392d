//! Buffers of which the run knows sizes, strides or the offset. A function of a GPU takes such a one as its
//! base, which is a pointer, and as what its type does not say, each an index; inside they are put together
//! again.

use melior::ir::{Type, TypeLike, ValueLike};
use terrace_dialects::{
    internal,
    ir::{
        cursor::{Cursor, V},
        descriptor::{self, Descriptor},
        pass::Failure,
        shaped::{Shaped, strides_and_offset},
    },
};
use terrace_size::DYNAMIC;

/// What a type of memrefs leaves open.
struct Open {
    offset: bool,
    /// The dimensions of these sizes and strides.
    sizes: Vec<usize>,
    strides: Vec<usize>,
}

impl Open {
    /// None where a type is none of memrefs, or says all of them.
    fn of(ty: Type) -> Option<Self> {
        let memref = ty.is_mem_ref();
        let shaped = Shaped::of(ty).filter(|_| memref)?;
        let (strides, offset) = strides_and_offset(ty)?;
        let dims =
            |all: &[i64]| all.iter().enumerate().filter(|(_, n)| **n == DYNAMIC).map(|(d, _)| d).collect();
        let own = Self { offset: offset == DYNAMIC, sizes: dims(&shaped.shape), strides: dims(&strides) };
        (own.count() > 0).then_some(own)
    }

    fn count(&self) -> usize {
        usize::from(self.offset) + self.sizes.len() + self.strides.len()
    }
}

/// What a function takes for an argument of a kernel.
pub(super) fn types<'c>(at: &Cursor<'c, '_>, ty: Type<'c>) -> Vec<Type<'c>> {
    match (Open::of(ty), Shaped::of(ty)) {
        (Some(open), Some(shaped)) => {
            let base = descriptor::base(ty, shaped.element);
            std::iter::once(base).chain(vec![at.index_type(); open.count()]).collect()
        }
        _ => vec![ty],
    }
}

/// What a launch hands over for an argument.
pub(super) fn given<'c: 'a, 'a>(at: &Cursor<'c, 'a>, argument: V<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
    let Some(open) = Open::of(argument.r#type()) else { return Ok(vec![argument]) };
    let Descriptor { base, offset, sizes, strides } = Descriptor::of(at, argument)?;
    let mut given = vec![base];
    given.extend(open.offset.then_some(offset));
    given.extend(open.sizes.iter().map(|d| sizes[*d]));
    given.extend(open.strides.iter().map(|d| strides[*d]));
    Ok(given)
}

/// The argument of a kernel that a function was handed as these values.
pub(super) fn joined<'c: 'a, 'a>(
    at: &Cursor<'c, 'a>,
    ty: Type<'c>,
    values: &[V<'c, 'a>],
) -> Result<V<'c, 'a>, Failure> {
    let (base, rest) = values.split_first().ok_or(internal!("takes nothing for an argument"))?;
    let Some(open) = Open::of(ty) else { return Ok(*base) };
    let (offset, rest) = rest.split_at(usize::from(open.offset));
    let (sizes, strides) = rest.split_at(open.sizes.len());
    descriptor::reinterpret(at, *base, ty, [offset.to_vec(), sizes.to_vec(), strides.to_vec()])
}
