//! Factors of bf16 as words of two elements that follow each other along a dimension that is summed over, for
//! instructions that multiply and add two at once.
//!
//! ```text
//! // The channels of this weight are the last in memory.
//! %t = memref.transpose %w (o, c, h, v) -> (o, h, v, c)
//! %words = kernel.reinterpret %t : memref<128x3x3x64xbf16, ..> to memref<128x3x3x32xi32, ..>
//! loop.pointwise (%o, %c, %hv) into %copy { %words[%o, %h, %v, %c] }
//!
//! // Those of the image are not.
//! loop.scatter (%b, %c, %i, %j) into %copy { %x[%b, 2 * %c, %i, %j] | %x[%b, 2 * %c + 1, %i, %j] << 16 }
//! ```

use super::Template;
use crate::{
    emit::Emitter,
    kernel::tile_programs::{
        access::{Access, uses},
        kernels::Kernels,
        launch,
        nest::Nest,
        schedule::Limits,
    },
    loops::convert_to_kernel::product::Factor,
};
use melior::ir::{
    AffineExpr, AffineMap, Type, ValueLike, attribute::StridedLayoutAttribute, r#type::MemRefType,
};
use terrace_dialects::{
    ir::{
        OperationLike, attributes,
        cursor::V,
        extent::Extent,
        pass::Failure,
        rewrite::erase,
        shaped::{Shaped, strides_and_offset},
    },
    loops::{affine::Expr, reinterpret::reinterpreted},
    ops::kernel,
};
use terrace_size::DYNAMIC;

impl<'c: 'a, 'a> Template<'c, 'a, '_, '_> {
    /// The buffer of an access as words of two neighbours along an index, and the access to them.
    pub(super) fn words_of(
        &self,
        at: Emitter<'c, 'a>,
        kernels: &mut Kernels<'c>,
        limits: Limits,
        (access, d): (&Access<'c, 'a>, usize),
        buffers: &mut Vec<V<'c, 'a>>,
    ) -> Result<Access<'c, 'a>, Failure> {
        let (dim, exprs) = paired(access, self.product.nest.indices[d]).ok_or("has no pairs")?;
        let mut shape = Shaped::expect(access.buffer.r#type())?.shape;
        shape[dim] /= 2;
        let words = MemRefType::contiguous(at.word_type(), &shape, None).into();
        let words = at.allocate("memref.alloc", words, &[])?;
        buffers.push(words);
        let sizes: Vec<Extent> = shape.iter().map(|size| Extent::Number(*size)).collect();
        let place: Vec<AffineExpr> = (0..shape.len()).map(|d| at.dim(d)).collect();
        let copy = at.scatter_op(words, &sizes, &place, &[], |at, point| {
            let half = |number: i64| {
                let mut place = place.clone();
                place[dim] = at.dim(dim) * at.number(2) + at.number(number);
                let half = at.load(access.buffer, &place, point, None)?;
                Ok::<_, Failure>(at.op("arith.extf", &[half], Type::float32(at.context), &[]))
            };
            Ok(at.word([half(0)?, half(1)?]))
        })?;
        launch(kernels, &Nest::read(copy)?, "words", limits)?;
        erase(copy);
        Ok(through(&at, words, &exprs, access))
    }

    /// The words that a factor is as it lies, where neighbours along the dimension do; None where they do
    /// not.
    pub(super) fn words_beside(
        &self,
        at: &Emitter<'c, 'a>,
        factor: &Factor<'c, 'a>,
        d: usize,
    ) -> Result<Option<Access<'c, 'a>>, Failure> {
        let Some(access) = factor.load().map(Access::load) else { return Ok(None) };
        let Some((dim, mut exprs)) = paired(&access, self.product.nest.indices[d]) else { return Ok(None) };
        let ty = access.buffer.r#type();
        let Some((mut strides, offset)) = strides_and_offset(ty) else { return Ok(None) };
        if strides.contains(&DYNAMIC) || offset == DYNAMIC {
            return Ok(None);
        }
        let Shaped { mut shape, element, .. } = Shaped::expect(ty)?;
        let mut order: Vec<usize> = (0..shape.len()).collect();
        order[dim..].rotate_left(1);
        shape[dim..].rotate_left(1);
        strides[dim..].rotate_left(1);
        exprs[dim..].rotate_left(1);
        let strided = |element: Type<'c>, shape: &[i64], strides: &[i64], offset: i64| -> Type<'c> {
            let layout = StridedLayoutAttribute::new(at.context, offset, strides);
            MemRefType::new(element, shape, Some(layout.into()), None).into()
        };
        let turned = strided(element, &shape, &strides, offset);
        let count = shape.len() - 1;
        shape[count] /= 2;
        strides[..count].iter_mut().for_each(|stride| *stride /= 2);
        let words = strided(at.word_type(), &shape, &strides, offset / 2);
        // Odd strides are refused here, and neighbours that lie apart.
        if reinterpreted(turned, words).is_err() {
            return Ok(None);
        }
        let order: Vec<_> = order.into_iter().map(|d| at.dim(d)).collect();
        let order = attributes::of_map(AffineMap::new(at.context, order.len(), 0, &order));
        let turned = at.op("memref.transpose", &[access.buffer], turned, &[("permutation", order)]);
        let words = at.insert(kernel::reinterpret(at.location, &[words], turned)?);
        Ok(Some(through(at, words.result_at(0)?.into(), &exprs, &access)))
    }
}

/// An access to another buffer, at other expressions of the same operands.
fn through<'c: 'a, 'a>(
    at: &Emitter<'c, 'a>,
    buffer: V<'c, 'a>,
    exprs: &[Expr],
    access: &Access<'c, 'a>,
) -> Access<'c, 'a> {
    let exprs: Vec<AffineExpr> = exprs.iter().map(|expr| expr.write(at.context)).collect();
    let map = AffineMap::new(at.context, access.operands.len(), 0, &exprs);
    Access::new(buffer, attributes::of_map(map), access.operands.clone())
}

/// The dimension of a buffer that an index is along, so that two neighbours can be a word, and the access in
/// terms of words; None where they can't.
pub(super) fn paired<'c: 'a, 'a>(access: &Access<'c, 'a>, index: V<'c, 'a>) -> Option<(usize, Vec<Expr>)> {
    let own = access.operands.iter().position(|operand| *operand == index)?;
    let mut used = (0..access.exprs.len()).filter(|dim| uses(&access.exprs[*dim], own));
    let (dim, None) = (used.next()?, used.next()) else { return None };
    let Shaped { shape, .. } = Shaped::of(access.buffer.r#type())?;
    let fits = access.mask.is_none() && !shape.contains(&DYNAMIC);
    let mut exprs = access.exprs.clone();
    exprs[dim] = halved(&exprs[dim], own)?;
    (fits && shape[dim] % 2 == 0).then_some((dim, exprs))
}

/// Half of an expression, where a dimension of it stands for twice as much.
fn halved(expr: &Expr, own: usize) -> Option<Expr> {
    match expr {
        Expr::Dim(d) if *d == own => Some(Expr::Dim(own)),
        Expr::Constant(number) if number % 2 == 0 => Some(Expr::Constant(number / 2)),
        Expr::Add(a, b) => Some(Expr::Add(Box::new(halved(a, own)?), Box::new(halved(b, own)?))),
        Expr::Mul(a, b) if !uses(a, own) => Some(Expr::Mul(a.clone(), Box::new(halved(b, own)?))),
        _ => None,
    }
}
