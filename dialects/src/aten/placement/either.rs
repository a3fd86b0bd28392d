//! What is the operand, a view of it, or a new tensor, as layouts and flags decide.

use super::{
    composed, creation,
    einsum::Arrangement,
    iterated,
    place::{Known, Placed, Places, Question},
};
use crate::ir::{attributes as convert, operator::Strides, registry, types::TensorType, view};
use melior::ir::ValueLike;
use terrace_layout::{
    Layout,
    creation::{has_format, in_format, suggested_format},
};
use terrace_size::Number;

/// What the results are; None where the operation is none of these.
pub(super) fn placed<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Option<Places<'c, 'a, N>> {
    Some(match q.class.name.trim_start_matches("graph.") {
        "_unsafe_view" => as_view(q, "graph.view"),
        "unsafe_split" => as_view(q, "graph.split"),
        "unsafe_split_with_sizes" => as_view(q, "graph.split_with_sizes"),
        "adjoint" | "mH" => conjugate_of(q, "graph.mT"),
        "matrix_H" => conjugate_of(q, "graph.t"),
        "conj" => conjugate_of(q, "graph.alias"),
        "conj_physical" => conj_physical(q),
        "constant_pad_nd" | "pad" => composed::padded(q, "pad"),
        "reflection_pad1d" | "reflection_pad2d" | "reflection_pad3d" | "replication_pad1d"
        | "replication_pad2d" | "replication_pad3d" => composed::padded(q, "padding"),
        "contiguous" => contiguous(q),
        "copy" => whole(q),
        "diff" => composed::differences(q),
        "dropout" => dropout(q),
        "dsplit.array"
        | "dsplit.int"
        | "hsplit.array"
        | "hsplit.int"
        | "vsplit.array"
        | "vsplit.int"
        | "tensor_split.indices"
        | "tensor_split.sections" => parts(q),
        "einsum" => return arranged(q),
        "empty_strided" | "new_empty_strided" => strided(q),
        "empty_permuted" => permuted(q),
        "flatten.using_ints" => flatten(q),
        "hstack" | "vstack" | "dstack" => composed::joined(q),
        "imag" => part(q, 1),
        "real" => part(q, 0),
        "ravel" => raveled(q),
        "cast" | "lift_fresh" | "positive" => Ok(vec![Placed::Operand(q.operand(0))]),
        "meshgrid" => meshgrid(q),
        "numpy_T" => reversed(q),
        "reshape" | "reshape_as" => reshape(q),
        "resolve_conj" | "resolve_neg" => resolved(q),
        "roll" => composed::rolled(q),
        "stack" => composed::stacked(q),
        "to" | "to.device" | "to.other" | "type_as" => to(q),
        "native_dropout" => native_dropout(q),
        "lift_fresh_copy" => copies(q),
        name if name.starts_with("fft_") => composed::transformed(q),
        // These views are refused by strides, and so are their copies.
        "view_copy.dtype" => q.views("graph.view.dtype").and_then(|_| copies(q)),
        "view_as_complex_copy" => q.views("graph.view_as_complex").and_then(|_| copies(q)),
        // The copy of a view.
        name if name
            .strip_suffix("_copy")
            .and_then(|base| registry::by_name(&format!("graph.{base}")))
            .is_some_and(|view| view.view) =>
        {
            copies(q)
        }
        _ if q.class.strides == Strides::Whole => whole(q),
        _ => return None,
    })
}

/// An equation that is a view; any other has a result of its own.
fn arranged<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Option<Places<'c, 'a, N>> {
    let Arrangement { diagonals, order } = Arrangement::of(q.op, q.class)?;
    let own = view::variadic(q.op, q.class, 0)[0];
    let known = match (q.tensor)(own) {
        Ok(known) => known,
        Err(message) => return Some(Err(message)),
    };
    let one = |layout: Layout<N>, [first, second]: [usize; 2]| layout.diagonal(0, first, second);
    let layout = diagonals.into_iter().fold(known.layout.clone(), one).permute(&order);
    Some(Ok(vec![Placed::View(own, Known { layout, ..known })]))
}

/// A copy of the whole storage, seen as the operand sees it; of repeated elements a copy of these.
fn whole<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?.layout;
    q.new_tensor(0, if own.repeats() { creation::like(&own) } else { own })
}

fn as_view<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>, name: &str) -> Places<'c, 'a, N> {
    let own = q.operand(0);
    Ok(q.views(name)?.into_iter().map(|known| Placed::View(own, known)).collect())
}

/// The conjugate of a view; of real numbers the view. Of an alias of these the operand itself.
fn conjugate_of<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>, name: &str) -> Places<'c, 'a, N> {
    let own = q.own(0)?;
    if !own.dtype.is_complex() {
        return if name == "graph.alias" {
            Ok(vec![Placed::Operand(q.operand(0))])
        } else {
            as_view(q, name)
        };
    }
    let conjugate = |known: Known<N>| Placed::View(q.operand(0), Known { conj: !known.conj, ..known });
    Ok(q.views(name)?.into_iter().map(conjugate).collect())
}

/// New row-major tensors.
fn copies<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let copy = |ty: &TensorType<N>| {
        let layout = Layout::contiguous(&ty.shape);
        Placed::New(Known { layout, dtype: ty.dtype, conj: false, neg: false })
    };
    Ok(q.results.iter().map(copy).collect())
}

/// The operand itself and a mask where there is nothing to drop, else copies.
fn native_dropout<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?.layout;
    let new = |layout, dtype| Placed::New(Known { layout, dtype, conj: false, neg: false });
    let [dtype, mask] = [q.result(0)?.dtype, q.result(1)?.dtype];
    if own.is_empty() {
        return Ok(vec![Placed::Operand(q.operand(0)), new(Layout { offset: N::ZERO, ..own }, mask)]);
    }
    let copy = creation::like(&own);
    let kept = match view::attribute(q.op, "train").is_none_or(convert::bool) {
        true => creation::pointwise(&own.sizes, &[own.clone(), copy.clone()]),
        false => copy.clone(),
    };
    Ok(vec![new(kept, dtype), new(copy, mask)])
}

fn conj_physical<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?;
    match own.dtype.is_complex() {
        true => q.new_tensor(0, creation::like(&own.layout)),
        false => Ok(vec![Placed::Operand(q.operand(0))]),
    }
}

/// A copy where the flag is set.
fn resolved<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?;
    let is_set = if q.class.name == "graph.resolve_conj" { own.conj } else { own.neg };
    if is_set {
        q.new_tensor(0, creation::like(&own.layout))
    } else {
        Ok(vec![Placed::Operand(q.operand(0))])
    }
}

/// A part of complex numbers, 0 the real one: of a conjugate the imaginary one is a negative. Real numbers
/// are their own.
fn part<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>, which: i64) -> Places<'c, 'a, N> {
    let own = q.own(0)?;
    if !own.dtype.is_complex() {
        return Ok(vec![Placed::Operand(q.operand(0))]);
    }
    let parts = own.layout.view_as_real();
    let layout = parts.select(parts.rank() - 1, N::from(which));
    let neg = own.neg != (own.conj && which == 1);
    Ok(vec![Placed::View(q.operand(0), Known { layout, dtype: q.result(0)?.dtype, conj: false, neg })])
}

fn reshaped<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>, own: Known<N>) -> Places<'c, 'a, N> {
    let sizes = &q.result(0)?.shape;
    match own.layout.view(sizes) {
        Some(layout) => Ok(vec![Placed::View(q.operand(0), Known { layout, ..own })]),
        None => q.new_tensor(0, Layout::contiguous(sizes)),
    }
}

fn reshape<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    reshaped(q, q.own(0)?)
}

/// Of one dimension the operand itself.
fn flatten<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?;
    let rank = own.layout.rank() as i64;
    let dim = |name: &str, default| {
        let dim = view::attribute(q.op, name).map_or(default, convert::i64);
        if dim < 0 { dim + rank } else { dim }
    };
    if rank > 0 && dim("start_dim", 0) == dim("end_dim", -1) {
        return Ok(vec![Placed::Operand(q.operand(0))]);
    }
    reshaped(q, own)
}

/// The operand where it has the memory format.
fn contiguous<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?;
    let format = view::attribute(q.op, "memory_format").map(convert::string);
    let format = format.as_deref().unwrap_or("contiguous_format");
    if has_format(&own.layout, format) {
        return Ok(vec![Placed::Operand(q.operand(0))]);
    }
    if format == "preserve_format" {
        return Err("preserve memory format is unsupported by the contiguous operator".into());
    }
    q.new_tensor(0, in_format(&own.layout.sizes, format))
}

/// A view where the operand is row-major.
fn raveled<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?;
    if own.layout.is_contiguous() {
        reshaped(q, own)
    } else {
        q.new_tensor(0, Layout::contiguous(&q.result(0)?.shape))
    }
}

/// The operand where nothing is to change.
fn to<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?;
    let format = view::attribute(q.op, "memory_format").map(convert::string);
    let copies = view::attribute(q.op, "copy").is_some_and(convert::bool);
    let device = TensorType::<i64>::of(q.operand(0).r#type()).and_then(|ty| ty.device);
    let same = own.dtype == q.result(0)?.dtype && device == q.result(0)?.device;
    let suits = || match format.as_deref() {
        None | Some("preserve_format") => true,
        Some(format) => suggested_format(&own.layout) == format,
    };
    if same && !copies && suits() {
        return Ok(vec![Placed::Operand(q.operand(0))]);
    }
    let layout = match iterated::format(q.op) {
        Some(format) => in_format(&own.layout.sizes, &format),
        None => creation::like(&own.layout),
    };
    q.new_tensor(0, layout)
}

/// The operand where nothing is dropped.
fn dropout<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?.layout;
    let p = view::attribute(q.op, "p").map_or(0.5, convert::f64);
    let train = view::attribute(q.op, "train").is_some_and(convert::bool);
    if !train || p == 0.0 || own.is_empty() {
        return Ok(vec![Placed::Operand(q.operand(0))]);
    }
    // All is dropped by a zero of no dimensions, else elements by noise that is laid out like a copy.
    let factor = if p == 1.0 { Layout::contiguous(&[]) } else { creation::like(&own) };
    q.new_tensor(0, creation::pointwise(&own.sizes, &[own.clone(), factor]))
}

pub(super) fn ints(q: &Question<'_, '_, '_, impl Number>, name: &str) -> Vec<i64> {
    view::attribute(q.op, name).map(convert::i64s).unwrap_or_default()
}

fn parts<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?;
    let rank = own.layout.rank();
    let dim = match q.class.name.trim_start_matches("graph.").split('.').next() {
        Some("hsplit") => usize::from(rank > 1),
        Some("vsplit") => 0,
        Some("dsplit") => 2,
        _ => view::attribute(q.op, "dim").map_or(0, convert::i64).rem_euclid(rank.max(1) as i64) as usize,
    };
    let size = own.layout.sizes[dim];
    let sections = q.results.len() as i64;
    let given = view::attribute(q.op, "indices").map(convert::i64s);
    let start = |number: usize| match (&given, number) {
        (_, 0) => N::ZERO,
        (Some(indices), number) => {
            let at = N::from(indices[number - 1]);
            let at = if at.assume_lt(N::ZERO) { at + size } else { at };
            if at.assume_lt(N::ZERO) {
                N::ZERO
            } else if at.assume_gt(size) {
                size
            } else {
                at
            }
        }
        (None, number) => {
            let (number, rest) = (N::from(number as i64), size % N::from(sections));
            number * (size / N::from(sections)) + if number.assume_lt(rest) { number } else { rest }
        }
    };
    let part = |(number, ty): (usize, &TensorType<N>)| {
        let layout = own.layout.slice(dim, start(number), ty.shape[dim], N::ONE);
        Placed::View(q.operand(0), Known { layout, ..own.clone() })
    };
    Ok(q.results.iter().enumerate().map(part).collect())
}

fn strided<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let place = if q.class.name == "graph.empty_strided" { 1 } else { 2 };
    let mut given = view::variadic(q.op, q.class, place).into_iter();
    let stride = |n: i64| match n {
        terrace_size::DYNAMIC => given.next().and_then(q.number).ok_or("has a stride that is not known"),
        n => Ok(N::from(n)),
    };
    let strides = ints(q, "stride").into_iter().map(stride).collect::<Result<_, _>>()?;
    q.new_tensor(0, Layout { sizes: q.result(0)?.shape.clone(), strides, offset: N::ZERO })
}

fn permuted<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let sizes = q.result(0)?.shape.clone();
    let (mut strides, mut next) = (vec![N::ZERO; sizes.len()], N::ONE);
    for dim in ints(q, "physical_layout").iter().rev() {
        strides[*dim as usize] = next;
        next = next * sizes[*dim as usize].or_one();
    }
    q.new_tensor(0, Layout { sizes, strides, offset: N::ZERO })
}

/// Each tensor along its own dimension.
fn meshgrid<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let shape = &q.result(0)?.shape;
    let mut dims: Vec<usize> = (0..shape.len()).collect();
    if shape.len() > 1 && view::attribute(q.op, "indexing").map(convert::string).as_deref() == Some("xy") {
        dims.swap(0, 1);
    }
    let mut grids = vec![];
    for (value, dim) in view::variadic(q.op, q.class, 0).into_iter().zip(dims) {
        let own = (q.tensor)(value)?;
        let mut line = vec![N::ONE; shape.len()];
        line[dim] = shape[dim];
        let layout = own.layout.view(&line).ok_or("is no view of a vector")?.expand(shape);
        grids.push(Placed::View(value, Known { layout, ..own }));
    }
    Ok(grids)
}

fn reversed<'c, 'a, N: Number>(q: &Question<'_, 'c, 'a, N>) -> Places<'c, 'a, N> {
    let own = q.own(0)?;
    let order: Vec<usize> = (0..own.layout.rank()).rev().collect();
    Ok(vec![Placed::View(q.operand(0), Known { layout: own.layout.permute(&order), ..own })])
}
