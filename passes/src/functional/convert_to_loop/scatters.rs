//! The inverses of views: a `loop.scatter` that writes where the view reads.

use super::{
    places::{Computed, Strided, is_computed, start as start_of},
    reshape,
    sizes::{self, ty},
    source::{Source, number, substitute},
    views::{View, is_view},
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed};
use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::{
    ir::{
        OperationLike, attributes,
        cursor::{Results, V},
        dtype::{Dtype, ElementType},
        extent::Extent,
        operations::{definition, name_of, users},
        pass::Failure,
        refusal::Reason,
        rewrite::set_operand,
        types::{Shape, TensorType},
    },
    loops::scatters::Meeting,
    ops::{Combiner, functional},
};

/// Writes the elements of the second operand into `base`, the first operand or a reshape of it.
fn write<'c: 'a, 'a>(op: OperationRef<'c, 'a>, base: V<'c, 'a>, e: &Emitter<'c, 'a>) -> Emitted<'c, 'a> {
    let src = op.operand(1)?;
    if is_computed(op) {
        let (source, sizes) = (Source::of(src, e)?, sizes::extents(src, e)?);
        let computed = Computed::of(op, base, src, e)?;
        return e
            .scatter_at(Meeting::Alike, base, &sizes, |e, i| Ok((source.load(e, i)?, computed.place(e, i))));
    }
    let region = |op: OperationRef<'c, 'a>, base, src| -> Result<View<'c, 'a>, Failure> {
        Ok(View::of_region(op, base, src, e)?.ok_or_else(|| Reason::Form.says("has no lowering to loops"))?)
    };
    let mut view = region(op, base, src)?;
    let (mut outer, mut src) = (op, src);
    while let Some(inner) = definition(src).filter(|inner| writes_through(*inner) == Some(outer)) {
        (outer, src) = (inner, inner.operand(1)?);
        let part = region(inner, inner.operand(0)?, src)?;
        view.exprs = substitute(e, &view.exprs, &part.exprs);
    }
    let (source, sizes) = (Source::of(src, e)?, sizes::extents(src, e)?);
    e.scatter(base, &sizes, &view.exprs, &view.operands, |e, i| source.load(e, i))
}

/// The operation that puts what this one makes of a part of a tensor back where the part was: `x[2:4, ::2] =
/// y` is two of them, one in the other. Then `y` is written into `x` at once, and this one is not lowered.
///
/// ```text
/// %s = functional.slice %x start [2] end [4] step [1] {dim = 0}
/// %t = functional.slice_scatter %s, %y ... step [2] {dim = 1}       this one
/// %z = functional.slice_scatter %x, %t start [2] end [4] step [1] {dim = 0}
/// ```
///
/// So are two frames of one number, as padding has them, where the part is not computed at once
/// ([`in_a_number`]).
pub fn writes_through<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    const PARTS: [(&str, &str); 2] = [
        ("functional.slice_scatter", "functional.slice"),
        ("functional.select_scatter", "functional.select"),
    ];
    let view_of =
        |op: OperationRef| PARTS.iter().find(|(scatter, _)| *scatter == name_of(op)).map(|(_, view)| *view);
    let is_static = |op: OperationRef| {
        op.operand_count() == 2 && !op.operands().any(|operand| sizes::is_open(operand.r#type()))
    };
    view_of(op).filter(|_| is_static(op))?;
    let result: V = op.result_at(0).ok()?.into();
    let mut all = users(result);
    let (outer, None) = (all.next()?, all.next()) else { return None };
    let view = definition(op.operand(0).ok()?)?;
    let same = |name: &str| view.attribute(name).ok() == outer.attribute(name).ok();
    let puts_back = || {
        view_of(outer).is_some_and(|own| own == name_of(view))
            && view.operand_count() == 1
            && view.operand(0) == outer.operand(0)
            && ["dim", "start", "end", "step", "index"].into_iter().all(same)
    };
    let number = |frame: OperationRef<'c, 'a>| {
        let value = definition(frame.operand(0).ok()?)?.attribute("value").ok()?;
        attributes::splat(value)
            .filter(|_| TensorType::of(result.r#type()).is_some_and(|t| is_narrow(t.dtype)))
    };
    let frames = || number(op).is_some_and(|own| number(outer) == Some(own));
    let goes_on = view_of(outer).is_some() && is_static(outer) && outer.operand(1) == Ok(result);
    (goes_on && (puts_back() || frames())).then_some(outer)
}

/// Whether few processors load elements of a dtype by a mask.
fn is_narrow(dtype: Dtype) -> bool {
    dtype.bytes() < 4
}

/// `select_scatter`, `slice_scatter` and `diagonal_scatter`.
pub fn scatter<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    if let Ok(view) = functional::SelectScatterOp::try_from(op)
        && let [index] = view.dynamic_index()[..]
    {
        let shape = sizes::extents(view.self_(), e)?;
        let index = super::bounds::select_in_range(index, &shape, view.dim().unwrap_or(0), e);
        set_operand(op, 2, index);
    }
    if let Some(framed) = in_a_number(op, e)? {
        return Ok(vec![framed]);
    }
    Ok(vec![write(op, op.operand(0)?, e)?])
}

/// A part in the middle of a number, as padding has it, computed at once: the part's element where it is,
/// else the number. What is made by a reduction, a product or a scatter goes to its place itself: the number
/// is written first, then the part. So are elements of less than 32 bits, which few processors load by a
/// mask.
fn in_a_number<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    e: &Emitter<'c, 'a>,
) -> Result<Option<V<'c, 'a>>, Failure> {
    let Ok(slice) = functional::SliceScatterOp::try_from(op) else { return Ok(None) };
    let (base, src) = (op.operand(0)?, op.operand(1)?);
    let (shape, part) = (sizes::extents(base, e)?, sizes::extents(src, e)?);
    let dim = sizes::wrap(slice.dim().unwrap_or(0), shape.len());
    let sizes = shape[dim].number().zip(part[dim].number());
    let start = sizes::entry(&slice.start(), &slice.dynamic_start(), e);
    let is_better = is_elementwise(src) && !is_narrow(sizes::tensor(src)?.dtype);
    let (Some((_, size)), Some(start @ Extent::Number(_)), [1], true) =
        (sizes, start, &slice.step()[..], is_better)
    else {
        return Ok(None);
    };
    let (Some(number), Extent::Number(start)) =
        (number(base, e)?, start_of(e, Some(start), Extent::Number(1), [shape[dim], part[dim]])?)
    else {
        return Ok(None);
    };
    let source = Source::of(src, e)?;
    let result = sizes::typed(op.result_at(0)?.into(), e)?;
    let place = |d: usize| if d == dim { e.dim(d) + e.number(-start) } else { e.dim(d) };
    let place: Vec<_> = (0..shape.len()).map(place).collect();
    let framed = e.pointwise(result, |e, i| {
        let inside = e.inside(e.sub(i[dim], e.index(start)), e.index(size));
        source.load_at(e, &place, i, Some((inside, number)))
    })?;
    Ok(Some(framed))
}

/// Whether a tensor, through views, is given or made element by element.
fn is_elementwise<'c: 'a, 'a>(mut value: V<'c, 'a>) -> bool {
    while let Some(op) = definition(value) {
        match op.operand(0) {
            Ok(viewed) if is_view(op) => value = viewed,
            _ => return name_of(op) == "loop.pointwise",
        }
    }
    true
}

/// `as_strided_scatter`: the row-major elements of `self` stand for the storage.
pub fn as_strided_scatter<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::AsStridedScatterOp::try_from(op).map_err(|_| "is no as_strided_scatter")?;
    let shape = sizes::extents(view.self_(), e)?;
    let flat = reshape::flat(e, view.self_(), &shape)?;
    let mut part = sizes::extents(view.src(), e)?;
    let strided =
        Strided::of(op, e).ok_or_else(|| Reason::RunTime.says("has a storage offset that is no number"))?;
    let known = |all: &[Extent]| all.iter().all(|extent| extent.number().is_some());
    let known = known(&part) && known(&shape) && known(&strided.strides) && known(&[strided.offset]);
    let rank = part.len();
    if !known {
        // Where it does not fit nothing is written.
        let fits = assert_reaches(e, &part, &strided, &shape)?;
        let rows = part.first().copied().unwrap_or(Extent::Number(1));
        part.splice(..rank.min(1), [Extent::Value(e.select(fits, e.size(rows), e.index(0)))]);
    }
    if rank > 0 && !is_uniform(view.src()) {
        let number = |all: &[Extent]| all.iter().map(|extent| extent.number()).collect::<Option<Vec<_>>>();
        match (number(&part), number(&strided.strides)) {
            (Some(size), Some(stride)) => check_distinct(&size, &stride)?,
            _ => assert_distinct(e, &part, &strided, &shape)?,
        }
    }
    let written = match known {
        true => write(op, flat, e)?,
        false => {
            let source = Source::of(view.src(), e)?;
            e.scatter_at(Meeting::Alike, flat, &part, |e, i| {
                Ok((source.load(e, &i[..rank])?, vec![strided.place(e, &i[..rank])]))
            })?
        }
    };
    Ok(vec![reshape::reshape(e, written, &shape)?])
}

/// Whether the places of a part are among the elements of a tensor of sizes `own`, which is asserted. By
/// floats: numbers of the run may be so large that products of them go round.
fn assert_reaches<'c, 'a>(
    e: &Emitter<'c, 'a>,
    part: &[Extent<'c, 'a>],
    strided: &Strided<'c, 'a>,
    own: &[Extent<'c, 'a>],
) -> Emitted<'c, 'a> {
    let float = |extent: Extent<'c, 'a>| e.cast(e.as_i64(e.size(extent)), Dtype::F64);
    let mut last = float(strided.offset);
    let mut nothing = e.constant(e.bool_type(), Number::Int(0));
    let mut fits = e.compare(Compare::Ge, last, e.like(last, 0.0));
    for (size, stride) in part.iter().zip(&strided.strides) {
        let (size, stride) = (float(*size), float(*stride));
        last = e.add(last, e.mul(e.sub(size, e.like(size, 1.0)), stride));
        fits = e.and(fits, e.compare(Compare::Ge, stride, e.like(stride, 0.0)));
        nothing = e.same("arith.ori", &[nothing, e.compare(Compare::Le, size, e.like(size, 0.0))]);
    }
    let room =
        own.iter().map(|size| float(*size)).reduce(|a, b| e.mul(a, b)).unwrap_or_else(|| e.like(last, 1.0));
    fits = e.and(fits, e.compare(Compare::Lt, last, room));
    let fits = e.same("arith.ori", &[fits, nothing]);
    super::bounds::assert(e, fits, "sizes, strides and offset reach beyond the elements of the operand");
    Ok(fits)
}

/// Whether all elements of a tensor are one value, as a fill has them: then it does not matter how often an
/// element is written.
fn is_uniform(value: V) -> bool {
    let Some(op) = definition(value) else { return false };
    match op.name().as_string_ref().as_str() {
        Ok("functional.full") => true,
        Ok("arith.constant") => op.attribute("value").is_ok_and(|a| attributes::splat(a).is_some()),
        Ok(name) if is_view(op) || name == "functional._to_copy" => op.operand(0).is_ok_and(is_uniform),
        _ => false,
    }
}

/// Whether the places of a small region are all different, by looking at each; a large one counts as not.
fn all_distinct(size: &[i64], stride: &[i64]) -> bool {
    const LARGEST: i64 = 1 << 16;
    if size.iter().try_fold(1i64, |n, s| n.checked_mul(*s)).is_none_or(|n| n > LARGEST) {
        return false;
    }
    let mut places = vec![0i64];
    for (n, s) in size.iter().zip(stride) {
        places = places.iter().flat_map(|p| (0..*n).map(move |i| p + i * s)).collect();
    }
    let mut seen = std::collections::HashSet::new();
    places.into_iter().all(|p| seen.insert(p))
}

/// No two indices may name one element: which of two writes stays is not defined. In the order of their
/// strides, each must reach beyond all that the smaller ones span.
fn check_distinct(size: &[i64], stride: &[i64]) -> Result<(), Failure> {
    if size.contains(&0) {
        return Ok(());
    }
    let mut dims: Vec<_> = size.iter().zip(stride).filter(|(n, _)| **n > 1).collect();
    dims.sort_by_key(|(_, stride)| **stride);
    let mut span = 0i128;
    for (n, s) in dims {
        if i128::from(*s) <= span && !all_distinct(size, stride) {
            return Err(Reason::RunTime
                .says(format!(
                    "may write an element more than once: sizes {} and strides {} overlap",
                    Shape(size),
                    Shape(stride)
                ))
                .into());
        }
        span += i128::from(*s) * i128::from(n - 1);
    }
    Ok(())
}

/// The same when the program runs; where strides do not say it, by counting how often each element of a
/// tensor of sizes `own` is named.
fn assert_distinct<'c, 'a>(
    e: &Emitter<'c, 'a>,
    part: &[Extent<'c, 'a>],
    strided: &Strided<'c, 'a>,
    own: &[Extent<'c, 'a>],
) -> Result<(), Failure> {
    let sizes: Vec<_> = part.iter().map(|size| e.size(*size)).collect();
    let strides: Vec<_> = strided.strides.iter().map(|stride| e.size(*stride)).collect();
    let (zero, one) = (e.index(0), e.index(1));
    let spans: Vec<_> = sizes.iter().zip(&strides).map(|(n, s)| e.mul(e.sub(*n, one), *s)).collect();
    let or = |a: V<'c, 'a>, b: V<'c, 'a>| e.same("arith.ori", &[a, b]);
    let nothing = sizes.iter().map(|size| e.compare(Compare::Eq, *size, zero)).reduce(or);
    let reaches = |d: usize| {
        let mut smaller = zero;
        for other in (0..sizes.len()).filter(|other| *other != d) {
            // Of equal strides one goes first.
            let how = if other < d { Compare::Le } else { Compare::Lt };
            let before = e.compare(how, strides[other], strides[d]);
            smaller = e.add(smaller, e.select(before, spans[other], zero));
        }
        or(e.compare(Compare::Le, sizes[d], one), e.compare(Compare::Gt, strides[d], smaller))
    };
    let all = (0..sizes.len()).map(reaches).reduce(|a, b| e.and(a, b));
    let (Some(all), Some(nothing)) = (all, nothing) else { return Ok(()) };
    let plain = or(all, nothing);
    let unless_plain = |size: V<'c, 'a>| Extent::Value(e.select(plain, zero, size));
    let room = own.iter().try_fold(Extent::Number(1), |room, size| e.product(room, *size))?;
    let room = [unless_plain(e.size(room))];
    let counts =
        Typed { ty: ty(&Extent::in_types(&room), Dtype::I64).to_type(e.context), extents: room.to_vec() };
    let domain = [&[unless_plain(sizes[0])], &part[1..]].concat();
    let counts = e.filled(counts, Number::Int(0))?;
    let counts = e.scatter_at(Meeting::Combined(Combiner::Add), counts, &domain, |e, i| {
        Ok((e.constant(Dtype::I64.to_type(e.context), Number::Int(1)), vec![strided.place(e, i)]))
    })?;
    let counts = Source::of_tensor(counts, 1, e);
    super::bounds::assert_all(
        e,
        &room,
        "writes an element more than once: its sizes and strides overlap",
        |e, i| {
            let count = counts.load(e, i)?;
            Ok(e.compare(Compare::Le, count, e.like(count, 1.0)))
        },
    )
}
