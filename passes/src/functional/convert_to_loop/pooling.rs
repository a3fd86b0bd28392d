//! Pooling: a `loop.reduction` over a window with masked loads, and what follows from the window's place.

use super::{
    axes::{Axis, both},
    bounds::{assert_all, clamped},
    padded::{LANES, padded},
    reductions::number,
    sizes::{self, tensor, text, ty},
    source::Source,
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed};
use melior::ir::{AffineExpr, OperationRef, Type, Value, ValueLike};
use terrace_dialects::{
    aten::rules::Window,
    internal,
    ir::{
        OperationLike, attributes,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
        extent::Extent,
        operations::name_of,
        pass::Failure,
        types::is_float,
    },
    loops::{combiners, scatters::Meeting},
    ops::Combiner,
};

/// The windows of an operator over the last `dims` dimensions.
fn windows(op: OperationRef, dims: usize) -> Vec<Window> {
    let list = |name: &str| op.attribute(name).ok().map(attributes::i64s).filter(|list| !list.is_empty());
    let kernel = list("kernel_size").unwrap_or_else(|| vec![1]);
    let stride = list("stride").unwrap_or_else(|| kernel.clone());
    let padding = list("padding").unwrap_or_else(|| vec![0]);
    let dilation = list("dilation").unwrap_or_else(|| vec![1]);
    // One number stands for every dimension.
    let of = |list: &[i64], d: usize| if list.len() == 1 { list[0] } else { list[d] };
    (0..dims)
        .map(|d| Window {
            kernel: of(&kernel, d),
            stride: of(&stride, d),
            padding: of(&padding, d),
            dilation: of(&dilation, d),
        })
        .collect()
}

/// How many dimensions windows are over, by the operator's name.
pub(super) fn dims(op: OperationRef) -> usize {
    if name_of(op).contains("3d") { 3 } else { 2 }
}

/// Images and windows over them.
struct Pool<'c, 'a> {
    lead: usize,
    /// The sizes of an image, and how many windows there are along each dimension.
    own: Vec<Extent<'c, 'a>>,
    counts: Vec<Extent<'c, 'a>>,
    windows: Vec<Window>,
}

impl<'c, 'a> Pool<'c, 'a> {
    fn new(op: OperationRef, image: &[Extent<'c, 'a>], made: &[Extent<'c, 'a>]) -> Self {
        let dims = dims(op);
        let lead = image.len() - dims;
        let [own, counts] = [image, made].map(|sizes| sizes[lead..].to_vec());
        Self { lead, own, counts, windows: windows(op, dims) }
    }

    fn dims(&self) -> usize {
        self.own.len()
    }

    fn kernel(&self) -> Vec<i64> {
        self.windows.iter().map(|window| window.kernel).collect()
    }

    fn axis(&self, d: usize, transposed: bool) -> Axis<'c, 'a> {
        let Window { kernel, stride, padding, dilation } = self.windows[d];
        let kernel = Extent::Number(kernel);
        let (input, output) = (self.own[d], self.counts[d]);
        let (input, output) = if transposed { (output, input) } else { (input, output) };
        Axis { input, output, kernel, stride, padding, dilation, transposed }
    }

    /// What a point and a position of the window, the last indices of a domain, meet, and whether there is
    /// something.
    fn meet(
        &self,
        e: &Emitter<'c, 'a>,
        i: &[V<'c, 'a>],
        transposed: bool,
    ) -> Result<(Vec<AffineExpr<'c>>, Option<V<'c, 'a>>), Failure> {
        let mut place: Vec<_> = (0..self.lead).map(|d| e.dim(d)).collect();
        let mut mask = None;
        for d in 0..self.dims() {
            let (p, k) = (self.lead + d, self.lead + self.dims() + d);
            let (at, inside) = self.axis(d, transposed).meet(e, (p, k), i)?;
            place.push(at);
            mask = both(e, mask, inside);
        }
        Ok((place, mask))
    }

    /// The image with a number around it, and the windows over that, which see it without a mask: where they
    /// have elements in common and reach beyond the image, and lanes are along its rows, whose mask differs.
    fn padded(
        &self,
        e: &Emitter<'c, 'a>,
        image: V<'c, 'a>,
        number: Number,
    ) -> Result<Option<(Source<'c, 'a>, Self)>, Failure> {
        let dtype = tensor(image)?.dtype;
        let overlaps = self.windows.iter().any(|window| window.kernel > window.stride);
        let is_number = e.number_type(dtype) == dtype.to_type(e.context);
        if !overlaps || !is_number || !Source::of(image, e)?.has_rows() {
            return Ok(None);
        }
        let axes: Vec<Axis> = (0..self.dims()).map(|d| self.axis(d, false)).collect();
        let lead = &sizes::extents(image, e)?[..self.lead];
        let Some((copy, axes)) = padded(e, image, (lead, &axes), (number, LANES))? else { return Ok(None) };
        let own = axes.iter().map(|axis| axis.input).collect();
        let windows = self.windows.iter().map(|window| Window { padding: 0, ..*window }).collect();
        let pool = Self { lead: self.lead, own, counts: self.counts.clone(), windows };
        Ok(Some((Source::of(copy, e)?, pool)))
    }

    /// Where the element with this number, an i64, lies among those of an image in row-major order.
    fn unravel(&self, e: &Emitter<'c, 'a>, lead: &[V<'c, 'a>], number: V<'c, 'a>) -> Vec<V<'c, 'a>> {
        let (mut rest, mut place) = (e.as_index(number), vec![]);
        for size in self.own.iter().skip(1).rev() {
            place.push(e.same("arith.remui", &[rest, e.size(*size)]));
            rest = e.same("arith.divui", &[rest, e.size(*size)]);
        }
        place.push(rest);
        place.extend(lead.iter().rev());
        place.reverse();
        place
    }

    /// Whether a window may see nothing of the image.
    fn may_see_nothing(&self) -> bool {
        let nothing = |(d, window): (usize, &Window)| {
            let (Some(size), Some(count)) = (self.own[d].number(), self.counts[d].number()) else {
                return true;
            };
            let sees = |at: i64| {
                let start = at * window.stride - window.padding;
                (0..window.kernel).any(|k| (0..size).contains(&(start + k * window.dilation)))
            };
            (0..count).any(|at| !sees(at))
        };
        self.windows.iter().enumerate().any(nothing)
    }
}

/// What a point and a position of its window meet: an element, or a number where there is none, and whether
/// there is one.
pub(super) type Met<'c, 'a> = Result<(V<'c, 'a>, Option<V<'c, 'a>>), Failure>;

/// How an element of a window is read at a point.
pub(super) type Element<'w, 'c, 'a> = &'w dyn Fn(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> Emitted<'c, 'a>;

/// What is computed at a point.
pub(super) type AtPoint<'w, 'c, 'a> = &'w dyn Fn(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> V<'c, 'a>;

/// Windows of which the largest elements are taken.
pub(super) struct Largest<'c, 'a, 'w> {
    /// The size of a window along each dimension.
    pub kernel: Vec<Extent<'c, 'a>>,
    pub load: &'w dyn Fn(&Emitter<'c, 'a>, &[V<'c, 'a>], Number) -> Met<'c, 'a>,
    /// An element where it does not count whether there is one, if that is read in another way.
    pub values: Option<Element<'w, 'c, 'a>>,
    /// The place of the element in its image, counted along the rows.
    pub place: AtPoint<'w, 'c, 'a>,
    /// The place that a window names that sees nothing, where there may be one.
    pub outside: Option<AtPoint<'w, 'c, 'a>>,
}

/// What is no greater than any element of a type.
fn lowest<'c>(e: &Emitter<'c, '_>, element: Type<'c>) -> Result<Number, Failure> {
    let lowest = combiners::identity(e.context, Combiner::Max, element);
    Ok(crate::emit::number_of(lowest).ok_or(internal!("has no lowest value"))?)
}

impl<'c, 'a> Largest<'c, 'a, '_> {
    /// The largest elements, and their places: of several the first, of nans the last.
    pub(super) fn write(&self, op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
        let made = tensor(op.result_at(0)?.into())?;
        let result = sizes::typed(Value::from(op.result_at(0)?), e)?;
        let element = e.number_type(made.dtype);
        let lowest = lowest(e, element)?;
        let values = e.reduction(result.clone(), Combiner::Max, &self.kernel, |e, i| match self.values {
            Some(values) => values(e, i),
            None => Ok((self.load)(e, i, lowest)?.0),
        })?;
        let largest = Source::of_tensor(values, made.rank(), e);

        // The least place of a largest element; of nans the greatest, as a negative number.
        const NONE: i64 = i64::MAX;
        let ints = ty(&made.shape, Dtype::I64).to_type(e.context);
        let ints = Typed { ty: ints, extents: result.extents };
        let keys = e.reduction(ints.clone(), Combiner::Min, &self.kernel, |e, i| {
            let (own, mask) = (self.load)(e, i, lowest)?;
            let largest = largest.load(e, &i[..made.rank()])?;
            let place = e.as_i64((self.place)(e, i));
            let none = e.constant(place.r#type(), Number::Int(NONE));
            let mut key = e.select(e.compare(Compare::Eq, own, largest), place, none);
            if is_float(element) {
                let minus = e.sub(e.like(place, 0.0), place);
                key = e.select(e.compare(Compare::Ne, own, own), minus, key);
            }
            Ok(mask.map_or(key, |mask| e.select(mask, key, none)))
        })?;
        let keys = Source::of_tensor(keys, made.rank(), e);
        let places = e.pointwise(ints, |e, i| {
            let key = keys.load(e, i)?;
            let none = e.compare(Compare::Eq, key, e.constant(key.r#type(), Number::Int(NONE)));
            let place = if is_float(element) { e.same("math.absi", &[key]) } else { key };
            Ok(match self.outside {
                Some(outside) => e.select(none, e.as_i64(outside(e, i)), place),
                None => place,
            })
        })?;
        Ok(vec![values, places])
    }
}

/// `max_pool2d_with_indices` and its kin: the largest elements, and their places in the image. A window that
/// sees nothing has the lowest value, and names the first place after the padding before the image.
pub fn max_pool<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (image, result) = (op.operand(0)?, Value::from(op.result_at(0)?));
    let element = e.number_type(tensor(image)?.dtype);
    let made = sizes::typed(result, e)?.extents;
    let (pool, source) = (Pool::new(op, &sizes::extents(image, e)?, &made), Source::of(image, e)?);
    let load = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>], none: Number| {
        let (place, mask) = pool.meet(e, i, false)?;
        let masked = mask.map(|mask| (mask, e.constant(element, none)));
        Ok((source.load_at(e, &place, i, masked)?, mask))
    };
    let place = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| {
        let mut place = e.index(0);
        for (d, window) in pool.windows.iter().enumerate() {
            let (p, k) = (i[pool.lead + d], i[pool.lead + pool.dims() + d]);
            let start = e.mul(p, e.index(window.stride));
            let at = e.add(start, e.mul(k, e.index(window.dilation)));
            let at = e.sub(at, e.index(window.padding));
            place = e.add(e.mul(place, e.size(pool.own[d])), at);
        }
        place
    };
    let outside = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| {
        let mut outside = e.index(0);
        for (d, window) in pool.windows.iter().enumerate() {
            let start = e.mul(i[pool.lead + d], e.index(window.stride));
            let start = e.sub(start, e.index(window.padding));
            // The first that is not negative: a multiple of the dilation that is no less than the padding
            // goes first.
            let whole = (window.padding + window.dilation - 1) / window.dilation * window.dilation;
            let lifted = e.add(start, e.index(whole));
            let rest = e.same("arith.remui", &[lifted, e.index(window.dilation)]);
            let negative = e.compare(Compare::Lt, start, e.index(0));
            let at = e.select(negative, rest, start);
            outside = e.add(e.mul(outside, e.size(pool.own[d])), at);
        }
        outside
    };
    let kernel = pool.kernel().into_iter().map(Extent::Number).collect();
    let outside: AtPoint = &outside;
    let outside = pool.may_see_nothing().then_some(outside);
    let Some((copy, over)) = pool.padded(e, image, lowest(e, element)?)? else {
        return Largest { kernel, load: &load, values: None, place: &place, outside }.write(op, e);
    };
    let values = |e: &Emitter<'c, 'a>, i: &[V<'c, 'a>]| copy.load_at(e, &over.meet(e, i, false)?.0, i, None);
    Largest { kernel, load: &load, values: Some(&values), place: &place, outside }.write(op, e)
}

/// `max_pool2d_with_indices_backward` and its kin: to each place the sum of the gradients of what was taken
/// from it; -1 is no place.
pub fn max_pool_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (grad, indices, result) = (op.operand(0)?, op.operand(2)?, Value::from(op.result_at(0)?));
    let result = sizes::typed(result, e)?;
    let made = sizes::extents(grad, e)?;
    let pool = Pool::new(op, &result.extents, &made);
    let area = pool.own.iter().try_fold(Extent::Number(1), |area, size| e.product(area, *size))?;
    let (grads, places) = (Source::of(grad, e)?, Source::of(indices, e)?);
    let none = |e: &Emitter<'c, 'a>, place: V<'c, 'a>| e.compare(Compare::Eq, place, e.like(place, -1.0));
    let texts: Vec<_> = pool.own.iter().map(|size| text(*size)).collect();
    let message = format!("Found an invalid max index (input image has {} elements)", texts.join("x"));
    assert_all(e, &made, &message, |e, i| {
        let place = e.cast(places.load(e, i)?, Dtype::I64);
        let inside = e.inside(place, number(area, place.r#type(), e));
        Ok(e.same("arith.ori", &[inside, none(e, place)]))
    })?;
    let domain = sizes::unless_empty(&pool.own, &made, e);
    let zeros = e.filled(result, Number::Int(0))?;
    if area.is(0) {
        return Ok(vec![zeros]);
    }
    let sums = e.scatter_at(Meeting::Combined(Combiner::Add), zeros, &domain, |e, i| {
        let place = e.cast(places.load(e, i)?, Dtype::I64);
        let inside = clamped(e, place, area, false);
        let at = pool.unravel(e, &i[..pool.lead], inside);
        let grad = grads.load(e, i)?;
        Ok((e.select(none(e, place), e.like(grad, 0.0), grad), at))
    })?;
    Ok(vec![sums])
}

/// How a mean over windows of a kernel is taken.
struct Average<'c, 'a, 'p> {
    pool: &'p Pool<'c, 'a>,
    padding_counts: bool,
    divisor: Option<i64>,
}

impl<'c, 'a, 'p> Average<'c, 'a, 'p> {
    fn of(op: OperationRef, pool: &'p Pool<'c, 'a>) -> Self {
        let padding_counts = op.attribute("count_include_pad").ok().is_none_or(attributes::bool);
        Self { pool, padding_counts, divisor: op.attribute("divisor_override").ok().map(attributes::i64) }
    }

    /// What the sum over the window at an index along each dimension is divided by: the number that is given,
    /// or how much the window sees; 1 where it sees nothing.
    fn divisor(&self, e: &Emitter<'c, 'a>, at: &[V<'c, 'a>]) -> V<'c, 'a> {
        let (mut counted, mut sees) = (e.index(1), None);
        for (d, window) in self.pool.windows.iter().enumerate() {
            let size = self.pool.own[d];
            let stays = size.number().zip(self.pool.counts[d].number()).is_some_and(|(size, count)| {
                window.padding == 0 && (count - 1) * window.stride + window.kernel <= size
            });
            if stays {
                counted = e.mul(counted, e.index(window.kernel));
                continue;
            }
            let start = e.sub(e.mul(at[d], e.index(window.stride)), e.index(window.padding));
            let end = e.add(start, e.index(window.kernel));
            let padded = match size {
                Extent::Number(size) => e.index(size + window.padding),
                Extent::Value(size) => e.add(size, e.index(window.padding)),
            };
            let end = e.same("arith.minsi", &[end, padded]);
            let first = e.same("arith.maxsi", &[start, e.index(0)]);
            let inside = e.sub(e.same("arith.minsi", &[end, e.size(size)]), first);
            let some = e.compare(Compare::Gt, inside, e.index(0));
            sees = both(e, sees, Some(some));
            counted = e.mul(counted, if self.padding_counts { e.sub(end, start) } else { inside });
        }
        let divisor = self.divisor.map_or(counted, |divisor| e.index(divisor));
        e.as_i64(sees.map_or(divisor, |sees| e.select(sees, divisor, e.index(1))))
    }
}

/// A number over a count.
pub(super) fn over<'c, 'a>(e: &Emitter<'c, 'a>, sum: V<'c, 'a>, count: V<'c, 'a>) -> V<'c, 'a> {
    match Dtype::of(sum.r#type()) {
        Some(dtype) if dtype.is_float() || dtype.is_complex() => e.div(sum, e.cast(count, dtype)),
        Some(dtype) => e.same("arith.divsi", &[sum, e.cast(count, dtype)]),
        None => sum,
    }
}

/// Sums over windows, each over a number.
pub(super) fn means<'c, 'a>(
    e: &Emitter<'c, 'a>,
    sums: V<'c, 'a>,
    extents: Vec<Extent<'c, 'a>>,
    lead: usize,
    how: &dyn Fn(&Emitter<'c, 'a>, &[V<'c, 'a>]) -> V<'c, 'a>,
) -> Emitted<'c, 'a> {
    let source = Source::of_tensor(sums, tensor(sums)?.rank(), e);
    e.pointwise(Typed { ty: sums.r#type(), extents }, |e, i| {
        Ok(over(e, source.load(e, i)?, how(e, &i[lead..])))
    })
}

pub(super) fn zero<'c, 'a>(e: &Emitter<'c, 'a>, element: Type<'c>) -> V<'c, 'a> {
    e.constant(element, Number::Int(0))
}

/// `avg_pool2d` and its kin.
pub fn avg_pool<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (image, result) = (op.operand(0)?, Value::from(op.result_at(0)?));
    let result = sizes::typed(result, e)?;
    let (pool, source) = (Pool::new(op, &sizes::extents(image, e)?, &result.extents), Source::of(image, e)?);
    let element = e.number_type(tensor(image)?.dtype);
    let copy = pool.padded(e, image, Number::Int(0))?;
    let (source, over) = copy.as_ref().map_or((&source, &pool), |(source, over)| (source, over));
    let sums = e.reduction(result.clone(), Combiner::Add, &pool.kernel(), |e, i| {
        let (place, mask) = over.meet(e, i, false)?;
        source.load_at(e, &place, i, mask.map(|mask| (mask, zero(e, element))))
    })?;
    let how = Average::of(op, &pool);
    Ok(vec![means(e, sums, result.extents, pool.lead, &|e, at| how.divisor(e, at))?])
}

/// `avg_pool2d_backward` and its kin: to each place its share of each window that sees it.
pub fn avg_pool_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let (grad, result) = (op.operand(0)?, Value::from(op.result_at(0)?));
    let result = sizes::typed(result, e)?;
    let (pool, source) = (Pool::new(op, &result.extents, &sizes::extents(grad, e)?), Source::of(grad, e)?);
    let element = e.number_type(tensor(grad)?.dtype);
    let how = Average::of(op, &pool);
    let shares = e.reduction(result, Combiner::Add, &pool.kernel(), |e, i| {
        let (place, mask) = pool.meet(e, i, true)?;
        let mask = mask.ok_or(internal!("meets a window everywhere"))?;
        // The windows themselves: those that are none divide by what does not matter.
        let mut at = vec![];
        for (d, window) in pool.windows.iter().enumerate() {
            let (p, k) = (i[pool.lead + d], i[pool.lead + pool.dims() + d]);
            let ahead = e.sub(e.add(p, e.index(window.padding)), k);
            at.push(e.same("arith.divsi", &[ahead, e.index(window.stride)]));
        }
        let grad = source.load_at(e, &place, i, Some((mask, zero(e, element))))?;
        let count = how.divisor(e, &at);
        Ok(over(e, grad, e.select(mask, count, e.like(count, 1.0))))
    })?;
    Ok(vec![shares])
}
