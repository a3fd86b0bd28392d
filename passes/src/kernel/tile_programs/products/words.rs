//! A factor of bf16 whose elements lie side by side along the inner dimension, as words of two.
//!
//! `kernel.reinterpret` sees the same memory as i32: nothing is copied. Of a row that begins in the middle of
//! a word, or that the inner dimension steps over, words have to be packed.

use crate::{
    emit::Emitter,
    kernel::tile_programs::{
        access::{Access, uses},
        matrix::Matrix,
        nest::Nest,
    },
};
use melior::ir::{
    TypeLike, ValueLike,
    attribute::StridedLayoutAttribute,
    r#type::{IntegerType, MemRefType},
};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::V,
        pass::Failure,
        shaped::{Shaped, strides_and_offset},
        types::has_identity_layout,
    },
    loops::{affine::Expr, reinterpret::reinterpreted},
    ops::kernel,
};
use terrace_size::DYNAMIC;

/// A factor whose pairs are words of a buffer.
pub(crate) struct Words<'c, 'a> {
    /// Where its elements are.
    access: Access<'c, 'a>,
    /// The buffer as words.
    ty: MemRefType<'c>,
}

impl<'c: 'a, 'a> Words<'c, 'a> {
    /// Those of a factor that is the `arith.extf` of a load; its inner index is the last of the domain.
    pub fn of(nest: &Nest<'c, 'a>) -> Option<Self> {
        let access = nest.extended().filter(|_| nest.is_widened())?;
        let inner = *nest.indices.last()?;
        let is_inner = |i: usize| access.operands[i] == inner;
        let (Expr::Dim(last), others) = access.exprs.split_last()? else { return None };
        let uses_inner = |expr: &Expr| (0..access.operands.len()).any(|i| is_inner(i) && uses(expr, i));
        if !is_inner(*last) || others.iter().any(uses_inner) {
            return None;
        }
        let source = access.buffer.r#type();
        let (mut strides, mut offset) = strides_and_offset(source)?;
        let mut shape = Shaped::of(source)?.shape;
        // An odd number is refused below.
        let halved = |n: &mut i64| (*n != DYNAMIC).then(|| *n /= 2);
        let (_, rows) = strides.split_last_mut()?;
        rows.iter_mut().chain([&mut offset]).chain(shape.last_mut()).try_for_each(halved)?;
        let context = terrace_dialects::ir::context::of(source.context());
        let layout = StridedLayoutAttribute::new(context, offset, &strides);
        let layout = (!has_identity_layout(source)).then(|| layout.into());
        let space = MemRefType::try_from(source).ok()?.memory_space();
        let ty = MemRefType::new(IntegerType::new(context, 32).into(), &shape, layout, space);
        reinterpreted(source, ty.into()).ok()?;
        Some(Self { access, ty })
    }

    /// The access to them, in front of the operation that the factor is of.
    pub fn access(self, nest: &Nest<'c, 'a>) -> Result<Access<'c, 'a>, Failure> {
        let at = Emitter::before(nest.op)?;
        let words = at.insert(kernel::reinterpret(at.location, &[self.ty.into()], self.access.buffer)?);
        let buffer: V = words.result_at(0)?.into();
        Ok(Access { buffer, ..self.access })
    }

    /// Whether its rows, of the left factor, collide.
    pub fn collides(&self, along: [V<'c, 'a>; 2]) -> bool {
        Matrix::of(self.access.clone(), along).is_none_or(|matrix| !matrix.in_order() || matrix.collides())
    }
}
