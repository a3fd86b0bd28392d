//! Products of groups, one after the other: where a group ends is a number of a tensor.
//!
//! ```text
//! scf.for %g, (%out, %start) {
//!   %end = %offs[%g] within %start .. %total
//!   %part = loop.reduction add (%i, %j) over (%k) { %a[%start + %i, %k] * %b[%g, %k, %j] }
//!   %out, %end = %out with %part from row %start on
//! }
//! ```
//!
//! Groups are of rows of the left factor, of columns of the right one, or of what is summed over; rows and
//! columns behind the last group are 0. An element is computed once, whatever the number of groups. Contract:
//! ends that descend are those before them.

use super::{
    sizes::{self, tensor},
    source::Source,
};
use crate::emit::{Emitter, Number, Typed};
use melior::ir::{AffineExpr, OperationRef, Type, ValueLike};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::ElementType,
        extent::Extent,
        pass::Failure,
    },
    ops::{Combiner, functional},
};

/// The dimensions of a product that may be in groups.
const ROW: usize = 0;
const COLUMN: usize = 1;
const INNER: usize = 2;

/// The group, as an index of a factor or of the result.
const GROUP: usize = 3;

/// A product that is one of groups.
struct Grouped<'c, 'a, 'p> {
    /// The factors, and what each of their indices is.
    factors: [(V<'c, 'a>, &'p [usize]); 2],
    /// What each of the result's indices is.
    result: (Type<'c>, &'p [usize]),
    /// Rows, columns, and what is summed over, of all groups.
    extents: [Extent<'c, 'a>; 3],
    /// Which of these is in groups.
    along: usize,
    offs: V<'c, 'a>,
}

impl<'c: 'a, 'a> Grouped<'c, 'a, '_> {
    fn write(&self, e: &Emitter<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let (ty, along) = (self.result.0, self.along);
        let own =
            |d: &usize| if *d == GROUP { Ok(sizes::extents(self.offs, e)?[0]) } else { Ok(self.extents[*d]) };
        let extents = self.result.1.iter().map(own).collect::<Result<Vec<_>, Failure>>()?;
        let begin = [e.empty(Typed { ty, extents: extents.clone() }), e.index(0)];
        let (count, total) = (sizes::extents(self.offs, e)?[0], e.size(self.extents[along]));
        let after = e.repeat(count, &begin, |e, group, before| {
            let end =
                e.op("tensor.extract", &[self.offs, group], tensor(self.offs)?.dtype.to_type(e.context), &[]);
            let end = e.same("arith.maxsi", &[e.as_index(end), before[1]]);
            let end = e.same("arith.minsi", &[end, total]);
            Ok(vec![self.group(e, before[0], [group, before[1], end])?, end])
        })?;
        if along == INNER {
            return Ok(after[0]);
        }
        let rest = Extent::Value(e.sub(total, after[1]));
        self.fill(e, after[0], rest, after[1])
    }

    /// What a dimension of the product is in the domain of a nest, beyond whose `dims` dimensions the start
    /// of the group stands, and the group.
    fn place(&self, e: &Emitter<'c, 'a>, of: &[usize], dims: usize) -> Vec<AffineExpr<'c>> {
        let index = |d: &usize| match *d {
            GROUP => e.dim(dims + 1),
            d if d == self.along => e.dim(d) + e.dim(dims),
            d => e.dim(d),
        };
        of.iter().map(index).collect()
    }

    /// The result with a group's part of it.
    fn group(
        &self,
        e: &Emitter<'c, 'a>,
        into: V<'c, 'a>,
        [group, start, end]: [V<'c, 'a>; 3],
    ) -> Result<V<'c, 'a>, Failure> {
        let mut extents = self.extents;
        extents[self.along] = Extent::Value(e.sub(end, start));
        let dtype = tensor(into)?.dtype;
        let part = tensor(into)?.with_shape(&Extent::in_types(&extents[..2])).with_dtype(dtype.computed());
        let part = Typed { ty: part.to_type(e.context), extents: extents[..2].to_vec() };
        let [a, b] = self.factors;
        let [a, b] = [(Source::of(a.0, e)?, a.1), (Source::of(b.0, e)?, b.1)];
        let part = e.reduction(part, Combiner::Add, &extents[2..], |e, i| {
            let values = [i, &[start, group]].concat();
            let load = |(source, of): &(Source<'c, 'a>, &[usize])| -> Result<V<'c, 'a>, Failure> {
                let element = source.load_at(e, &self.place(e, of, 3), &values, None)?;
                Ok(e.cast_from(element, dtype, dtype.computed()))
            };
            Ok(e.mul(load(&a)?, load(&b)?))
        })?;
        let part = Source::of_tensor(part, 2, e);
        e.scatter(into, &extents[..2], &self.place(e, self.result.1, 2), &[start, group], |e, i| {
            Ok(e.cast_from(part.load(e, i)?, dtype.computed(), dtype))
        })
    }

    /// The result with zeros behind the last group.
    fn fill(
        &self,
        e: &Emitter<'c, 'a>,
        into: V<'c, 'a>,
        count: Extent<'c, 'a>,
        start: V<'c, 'a>,
    ) -> Result<V<'c, 'a>, Failure> {
        let mut extents = self.extents;
        extents[self.along] = count;
        let number = e.number_type(tensor(into)?.dtype);
        e.scatter(into, &extents[..2], &self.place(e, self.result.1, 2), &[start], |e, _| {
            Ok(e.constant(number, Number::Int(0)))
        })
    }
}

/// `_grouped_mm`.
pub fn grouped_product<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::InternalGroupedMmOp::try_from(op).map_err(|_| "is no grouped product")?;
    let (a, b) = (view.self_(), view.mat2());
    let Some(offs) = view.offs() else { return Ok(vec![batches(op, [a, b], e)?]) };
    let (of_a, of_b) = (sizes::extents(a, e)?, sizes::extents(b, e)?);
    let (lead_a, lead_b) = (of_a.len() - 2, of_b.len() - 2);
    let extents = [of_a[lead_a], of_b[lead_b + 1], of_a[lead_a + 1]];
    let along = match (lead_a, lead_b) {
        (0, 0) => INNER,
        (0, _) => ROW,
        (_, 0) => COLUMN,
        _ => return Err("has batches and groups".into()),
    };
    let [of_a, of_b, own] = [[GROUP, ROW, INNER], [GROUP, INNER, COLUMN], [GROUP, ROW, COLUMN]];
    let result = (op.result_at(0)?.r#type(), &own[usize::from(along != INNER)..]);
    let factors = [(a, &of_a[1 - lead_a..]), (b, &of_b[1 - lead_b..])];
    Ok(vec![Grouped { factors, result, extents, along, offs }.write(e)?])
}

/// Of two batches each matrix is one.
fn batches<'c, 'a>(
    op: OperationRef<'c, 'a>,
    factors: [V<'c, 'a>; 2],
    e: &Emitter<'c, 'a>,
) -> Result<V<'c, 'a>, Failure> {
    let result = sizes::typed(op.result_at(0)?.into(), e)?;
    let own = tensor(op.result_at(0)?.into())?;
    let dtype = own.dtype;
    let wide = Typed { ty: own.with_dtype(dtype.computed()).to_type(e.context), ..result.clone() };
    let [a, b] = [Source::of(factors[0], e)?, Source::of(factors[1], e)?];
    let product = e.reduction(wide, Combiner::Add, &[sizes::extents(factors[0], e)?[2]], |e, i| {
        let wide = |element: V<'c, 'a>| e.cast_from(element, dtype, dtype.computed());
        Ok(e.mul(wide(a.load(e, &[i[0], i[1], i[3]])?), wide(b.load(e, &[i[0], i[3], i[2]])?)))
    })?;
    let product = Source::of_tensor(product, 3, e);
    e.pointwise(result, |e, i| Ok(e.cast_from(product.load(e, i)?, dtype.computed(), dtype)))
}

/// `transformers.grouped_mm_fallback`.
pub fn grouped_mm<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view =
        functional::TransformersGroupedMmFallbackOp::try_from(op).map_err(|_| "is no grouped product")?;
    let (input, weight) = (sizes::extents(view.input(), e)?, sizes::extents(view.weight(), e)?);
    let grouped = Grouped {
        factors: [(view.input(), &[ROW, INNER]), (view.weight(), &[GROUP, INNER, COLUMN])],
        result: (op.result_at(0)?.r#type(), &[ROW, COLUMN]),
        extents: [input[0], weight[2], input[1]],
        along: ROW,
        offs: view.offs(),
    };
    Ok(vec![grouped.write(e)?])
}

/// `transformers.grouped_mm_fallback_backward`: by rows `grad @ weight^T`, by matrices `input^T @ grad`.
pub fn grouped_mm_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::TransformersGroupedMmFallbackBackwardOp::try_from(op)
        .map_err(|_| "is no grouped product")?;
    let (input, weight, grad) = (view.input(), view.weight(), view.grad_output());
    let ([rows, inner], columns) = match sizes::extents(input, e)?[..] {
        [rows, inner] => ([rows, inner], sizes::extents(weight, e)?[2]),
        _ => return Err("expects rows [S, K]".into()),
    };
    let by_rows = Grouped {
        factors: [(grad, &[ROW, INNER]), (weight, &[GROUP, COLUMN, INNER])],
        result: (op.result_at(0)?.r#type(), &[ROW, COLUMN]),
        extents: [rows, inner, columns],
        along: ROW,
        offs: view.offs(),
    };
    let by_matrices = Grouped {
        factors: [(input, &[INNER, ROW]), (grad, &[INNER, COLUMN])],
        result: (op.result_at(1)?.r#type(), &[GROUP, ROW, COLUMN]),
        extents: [inner, columns, rows],
        along: INNER,
        offs: view.offs(),
    };
    Ok(vec![by_rows.write(e)?, by_matrices.write(e)?])
}
