//! Complex numbers: parts and conjugates as views, copies where a flag is set, Fourier transforms by their
//! core.

use super::resolver::{Resolved, ResolvedValue, Resolver, tensor};
use crate::graph::functionalize::analysis::transform::ElementTransform;
use melior::ir::{Value, ValueLike};
use terrace_dialects::{
    aten::rules::{self, Kind},
    ir::{OperationLike, args::Args, dtype::ElementType, pass::Failure, refusal::Reason},
    ops::graph,
};
use terrace_size::Number;

fn is_complex(value: Value) -> Result<bool, Failure> {
    Ok(tensor(value.r#type())?.dtype.is_complex())
}

fn flags(r: &Resolver, value: Value) -> Result<ElementTransform, Failure> {
    let transform = r.transform(value);
    Ok(transform.ok_or_else(|| {
        Reason::Branches
            .says("is a view or a copy by whether its operand is a conjugate, which is not known here")
    })?)
}

/// The conjugate, a view.
fn conjugate<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, value: Value<'c, 'a>) -> ResolvedValue<'c, 'a> {
    if is_complex(value)? { r.value(graph::_conj(r.location(), value)) } else { Ok(value) }
}

/// A part, 0 the real one and 1 the imaginary one: of a conjugate that is a negative.
fn part<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, value: Value<'c, 'a>, which: i64) -> ResolvedValue<'c, 'a> {
    let conj = flags(r, value)?.conj;
    let stored = if conj { conjugate(r, value)? } else { value };
    let parts = r.value(graph::view_as_real(r.location(), stored))?;
    let part = r.value(graph::select(r.location(), parts, Some(-1), &[], &[which]))?;
    if conj && which == 1 { r.value(graph::_neg_view(r.location(), part)) } else { Ok(part) }
}

/// A view of what is read as `from` that is read as `own`: a conjugate or a negative only where that is one.
pub fn read_as<'c, 'a>(
    r: &mut Resolver<'_, 'c, 'a>,
    view: Value<'c, 'a>,
    from: Value<'c, 'a>,
    own: Value<'c, 'a>,
) -> ResolvedValue<'c, 'a> {
    let (from, own) = (flags(r, from)?, flags(r, own)?);
    let view = if from.conj == own.conj { view } else { r.value(graph::_conj(r.location(), view))? };
    if from.neg == own.neg { Ok(view) } else { r.value(graph::_neg_view(r.location(), view)) }
}

/// `real`: a real tensor is its own.
pub fn real<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    Ok(vec![if is_complex(own)? { part(r, own, 0)? } else { own }])
}

/// `imag`.
pub fn imag<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    Ok(vec![part(r, own, 1)?])
}

/// `conj`.
pub fn conj<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    Ok(vec![conjugate(r, own)?])
}

/// `conj_physical`: a copy of the conjugate; a real tensor is its own.
pub fn conj_physical<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    if !is_complex(own)? {
        return Ok(vec![own]);
    }
    let conjugate = conjugate(r, own)?;
    Ok(vec![r.clone(conjugate, "preserve_format")?])
}

/// `conj_physical_`: the conjugate copied over what it is of.
pub fn conj_physical_<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    if !is_complex(own)? {
        return Ok(vec![own]);
    }
    let conjugate = conjugate(r, own)?;
    Ok(vec![r.value(graph::copy_in_place(r.location(), own, conjugate))?])
}

/// `resolve_conj`, `resolve_neg`: a copy where the flag is set.
pub fn resolved<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let own = r.operand(0);
    let transform = flags(r, own)?;
    let is_set = if r.class.name == "graph.resolve_conj" { transform.conj } else { transform.neg };
    Ok(vec![if is_set { r.clone(own, "preserve_format")? } else { own }])
}

/// `adjoint` and its kin: the conjugate of a transpose, which is the view `name`.
pub fn adjoint<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>, name: &str) -> Resolved<'c, 'a> {
    let transposed = r.renamed(name)?.result_at(0)?.into();
    Ok(vec![conjugate(r, transposed)?])
}

/// `view_copy.dtype`: a row-major copy of the view.
pub fn view_copy<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let view = r.renamed("view.dtype")?.result_at(0)?.into();
    Ok(vec![r.clone(view, "contiguous_format")?])
}

/// `fft_fft` and its kin: cast, cut and padded, then `_fft_c2c`, `_fft_r2c` or `_fft_c2r`.
pub fn transform<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let attribute = |name: &str| r.op.attribute(name).ok();
    let operands = [r.operand(0)];
    let transform = rules::transform(&Args::new(r.class, r.op.context(), &operands, &attribute))?;
    let (mut own, location) = (operands[0], r.location());
    let context = terrace_dialects::ir::context::of(r.op.context());
    if tensor(own.r#type())?.dtype != transform.dtype {
        let dtype = Some(transform.dtype.to_type(context));
        own = r.value(graph::to_copy(location, own, dtype, None, None))?;
    }
    let sizes = r.sizes(own)?;
    let (dims, last) = transform.sizes(&sizes)?;
    let (mut shape, mut grows) = (sizes.clone(), false);
    for &(dim, size) in &dims {
        r.check_any(size, "Invalid number of data points (0) specified")?;
        grows |= size.assume_gt(sizes[dim]);
        if size.assume_lt(sizes[dim]) {
            // Unlike a slice it says the size in its type.
            let (length, dim) = (r.listed(&[size])?, dim as i64);
            own = r.value(graph::narrow(location, own, dim, &[], &[0], &length.0, &length.1))?;
        }
        shape[dim] = size;
    }
    if grows {
        own = super::padding::up_to(r, own, &shape)?;
    }
    let dims: Vec<i64> = dims.iter().map(|(dim, _)| *dim as i64).collect();
    let (norm, forward) = (transform.normalization, transform.forward);
    let result = match transform.kind {
        Kind::Complex => r.value(graph::_fft_c2c(location, own, &dims, norm, forward))?,
        kind @ (Kind::FromReal | Kind::FromRealToAll) => {
            let half = kind == Kind::FromReal;
            let result = r.value(graph::_fft_r2c(location, own, &dims, norm, half))?;
            // The inverse of real numbers is the conjugate of their transform.
            if forward { result } else { conjugate(r, result)? }
        }
        Kind::ToReal => {
            if forward {
                let conjugate = conjugate(r, own)?;
                own = r.clone(conjugate, "preserve_format")?;
            }
            let last = r.listed(&[last])?;
            r.value(graph::_fft_c2r(location, own, &dims, norm, &last.0, &last.1))?
        }
    };
    Ok(vec![result])
}
