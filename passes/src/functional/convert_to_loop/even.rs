//! Pooling over parts of dimensions that are as even as they come: part p of n is from `p * size / n` rounded
//! down to `(p + 1) * size / n` rounded up. A place is in just those parts that are the place's own when the
//! roles of both sizes are changed. Where the number of parts divides the size, all are alike.

use super::{
    axes::both,
    pooling::{Largest, dims, means, over, zero},
    sizes::{self, tensor},
    source::Source,
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed};
use melior::ir::{AffineExpr, OperationRef, Value};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Results, V},
        extent::Extent,
    },
    ops::Combiner,
};

/// A place in a part.
struct Meeting<'c, 'a> {
    /// The place, by what it is made of.
    place: Vec<AffineExpr<'c>>,
    of: Vec<V<'c, 'a>>,
    /// The same along the dimensions that have parts, as values.
    along: Vec<V<'c, 'a>>,
    /// Whether the part has it; None: it does.
    mask: Option<V<'c, 'a>>,
}

impl<'c, 'a> Meeting<'c, 'a> {
    /// The element there, or another one where the part does not have it.
    fn load(&self, e: &Emitter<'c, 'a>, source: &Source<'c, 'a>, other: V<'c, 'a>) -> Emitted<'c, 'a> {
        source.load_at(e, &self.place, &self.of, self.mask.map(|mask| (mask, other)))
    }
}

/// The parts of dimensions, as even as they come.
struct Even<'c, 'a> {
    lead: usize,
    sizes: Vec<Extent<'c, 'a>>,
    counts: Vec<Extent<'c, 'a>>,
}

impl<'c, 'a> Even<'c, 'a> {
    fn new(dims: usize, sizes: &[Extent<'c, 'a>], counts: &[Extent<'c, 'a>]) -> Self {
        let lead = sizes.len() - dims;
        let [sizes, counts] = [sizes, counts].map(|all| all[lead..].to_vec());
        Self { lead, sizes, counts }
    }

    /// The places of each part, where all have as many.
    fn alike(&self, d: usize) -> Option<i64> {
        let (size, count) = (self.sizes[d].number()?, self.counts[d].number()?);
        (count > 0 && size % count == 0).then(|| size / count)
    }

    /// The first place of part `at` of a dimension, and the one after its last.
    fn ends(&self, e: &Emitter<'c, 'a>, d: usize, at: V<'c, 'a>) -> [V<'c, 'a>; 2] {
        if let Some(places) = self.alike(d) {
            let first = e.mul(at, e.index(places));
            return [first, e.add(first, e.index(places))];
        }
        let (size, count) = (e.size(self.sizes[d]), e.size(self.counts[d]));
        let before = e.mul(at, size);
        let whole = match (self.sizes[d], self.counts[d]) {
            (Extent::Number(size), Extent::Number(count)) => e.index(size + count - 1),
            _ => e.sub(e.add(size, count), e.index(1)),
        };
        [before, e.add(before, whole)].map(|place| e.same("arith.divui", &[place, count]))
    }

    /// The most places that a part of a dimension has, or one more.
    fn most(&self, e: &Emitter<'c, 'a>) -> Vec<Extent<'c, 'a>> {
        let most = |d: usize| match (self.sizes[d], self.counts[d]) {
            (Extent::Number(size), Extent::Number(count)) => {
                let places = |at| ((at + 1) * size + count - 1) / count - at * size / count;
                Extent::Number((0..count).map(places).max().unwrap_or(0))
            }
            (size, count) => {
                // Of none there is no part.
                let count = e.same("arith.maxui", &[e.size(count), e.index(1)]);
                let least = e.same("arith.divui", &[e.size(size), count]);
                Extent::Value(e.add(least, e.index(2)))
            }
        };
        (0..self.sizes.len()).map(most).collect()
    }

    /// How many places the part at an index along each dimension has.
    fn count(&self, e: &Emitter<'c, 'a>, at: &[V<'c, 'a>]) -> V<'c, 'a> {
        let mut count = e.index(1);
        for (d, at) in at.iter().enumerate() {
            let places = self.alike(d).map(|places| e.index(places)).unwrap_or_else(|| {
                let [first, end] = self.ends(e, d, *at);
                e.sub(end, first)
            });
            count = e.mul(count, places);
        }
        e.as_i64(count)
    }

    /// The place that a point and a position of its part, the indices of a domain, meet.
    fn meet(&self, e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]) -> Meeting<'c, 'a> {
        let dims = self.sizes.len();
        let mut meeting = Meeting {
            place: (0..self.lead).map(|d| e.dim(d)).collect(),
            of: i[..self.lead].to_vec(),
            along: vec![],
            mask: None,
        };
        for d in 0..dims {
            let (part, own, next) = (i[self.lead + d], i[self.lead + dims + d], meeting.of.len());
            let [first, end] = self.ends(e, d, part);
            let at = e.add(first, own);
            meeting.along.push(at);
            if let Some(places) = self.alike(d) {
                meeting.place.push(e.dim(next) * e.number(places) + e.dim(next + 1));
                meeting.of.extend([part, own]);
                continue;
            }
            meeting.mask = both(e, meeting.mask, Some(e.compare(Compare::Lt, at, end)));
            meeting.place.push(e.dim(next));
            meeting.of.push(at);
        }
        meeting
    }

    /// Sums over the parts what `element` makes at a place, which is read only where a condition holds.
    fn sum(
        &self,
        e: &Emitter<'c, 'a>,
        result: Typed<'c, 'a>,
        element: impl FnOnce(&Emitter<'c, 'a>, Meeting<'c, 'a>) -> Emitted<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        e.reduction(result, Combiner::Add, &self.most(e), |e, i| element(e, self.meet(e, i)))
    }
}

/// `_adaptive_avg_pool2d` and its kin.
pub fn adaptive_avg_pool<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (image, result) = (op.operand(0)?, Value::from(op.result_at(0)?));
    let result = sizes::typed(result, e)?;
    let even = Even::new(dims(op), &sizes::extents(image, e)?, &result.extents);
    let (source, element) = (Source::of(image, e)?, e.number_type(tensor(image)?.dtype));
    let sums = even.sum(e, result.clone(), |e, meeting| meeting.load(e, &source, zero(e, element)))?;
    Ok(vec![means(e, sums, result.extents, even.lead, &|e, at| even.count(e, at))?])
}

/// `_adaptive_avg_pool2d_backward`: to each place its share of each part that has it.
pub fn adaptive_avg_pool_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (grad, result) = (op.operand(0)?, Value::from(op.result_at(0)?));
    let (result, made) = (sizes::typed(result, e)?, sizes::extents(grad, e)?);
    let (parts, of_places) = (Even::new(2, &result.extents, &made), Even::new(2, &made, &result.extents));
    let (source, element) = (Source::of(grad, e)?, e.number_type(tensor(grad)?.dtype));
    let shares = of_places.sum(e, result, |e, meeting| {
        let grad = meeting.load(e, &source, zero(e, element))?;
        let count = parts.count(e, &meeting.along);
        Ok(over(e, grad, meeting.mask.map_or(count, |mask| e.select(mask, count, e.like(count, 1.0)))))
    })?;
    Ok(vec![shares])
}

/// `adaptive_max_pool2d` and its kin: the largest elements of the parts, and their places in the image.
pub fn adaptive_max_pool<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let image = op.operand(0)?;
    let made = sizes::typed(Value::from(op.result_at(0)?), e)?.extents;
    let even = Even::new(dims(op), &sizes::extents(image, e)?, &made);
    let (source, element) = (Source::of(image, e)?, e.number_type(tensor(image)?.dtype));
    let load = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>], none: Number| {
        let meeting = even.meet(e, i);
        Ok((meeting.load(e, &source, e.constant(element, none))?, meeting.mask))
    };
    let place = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| {
        let count = even.sizes.len();
        let at = |d: usize| e.add(even.ends(e, d, i[even.lead + d])[0], i[even.lead + count + d]);
        (0..count).fold(e.index(0), |place, d| e.add(e.mul(place, e.size(even.sizes[d])), at(d)))
    };
    Largest { kernel: even.most(e), load: &load, values: None, place: &place, outside: None }.write(op, e)
}
