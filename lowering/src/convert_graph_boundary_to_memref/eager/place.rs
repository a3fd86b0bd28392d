//! Where tensors lie, by values of the run.

use melior::ir::{Type, ValueLike};
use terrace_dialects::{
    cursor::{Cursor, V},
    descriptor::{self, Descriptor},
    extent::Extent,
    pass::Failure,
    shaped::Shaped,
    types::DYNAMIC,
};

/// Where a tensor lies.
#[derive(Clone)]
pub(super) struct Place<'c, 'a> {
    pub sizes: Vec<Extent<'c, 'a>>,
    pub strides: Vec<V<'c, 'a>>,
    pub offset: V<'c, 'a>,
}

impl<'c, 'a> Place<'c, 'a> {
    /// Where a memref lies.
    pub fn of(at: &Cursor<'c, 'a>, memref: V<'c, 'a>) -> Result<Self, Failure> {
        let shape = Shaped::expect(memref.r#type())?.shape;
        let Descriptor { sizes, strides, offset, .. } = Descriptor::of(at, memref)?;
        let sizes = shape.iter().zip(sizes).map(|(size, value)| match *size {
            DYNAMIC => Extent::Value(value),
            size => Extent::Number(size),
        });
        Ok(Self { sizes: sizes.collect(), strides, offset })
    }

    /// The memory of a memref, seen so by a type that leaves strides and offset open.
    pub fn of_memory(
        &self,
        at: &Cursor<'c, 'a>,
        memref: V<'c, 'a>,
        to: Type<'c>,
    ) -> Result<V<'c, 'a>, Failure> {
        let shape = Shaped::expect(to)?.shape;
        let open = self.sizes.iter().zip(shape).filter(|(_, said)| *said == DYNAMIC);
        let open = open.map(|(size, _)| at.extent(*size)).collect::<Result<_, _>>()?;
        descriptor::reinterpret(at, memref, to, [vec![self.offset], open, self.strides.clone()])
    }
}
