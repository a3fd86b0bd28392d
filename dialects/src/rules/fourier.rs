//! Fourier transforms: along some dimensions, whose sizes may be cut or padded first.

use super::{Size, TensorType, Types, one, wrap_dim, wrap_dims};
use crate::{args::Args, attributes as convert, dtype::Dtype};

/// Whether there is a transform of a dtype; one more direct than eager's own words.
fn transformable(own: &TensorType, complex: bool) -> Result<(), String> {
    let dtype = own.dtype;
    if complex && !dtype.is_complex() {
        return Err(format!("Only supports complex dtypes, but found: {}", dtype.aten_name()));
    }
    if !complex && !dtype.is_float() {
        return Err(format!("Only supports floating-point dtypes, but found: {}", dtype.aten_name()));
    }
    Ok(())
}

/// Refuses half precision, which has no transforms.
fn wide_enough(own: &TensorType) -> Result<(), String> {
    if matches!(own.dtype, Dtype::F16 | Dtype::BF16) {
        return Err(format!("MKL FFT doesn't support tensors of type: {}", own.dtype.aten_name()));
    }
    Ok(())
}

/// The dimensions of a transform; at least one, except where complex numbers stay complex.
fn dims(args: &Args, own: &TensorType) -> Result<Vec<usize>, String> {
    let dims = args.ints("dim")?;
    if let Some(dim) = dims.iter().find(|dim| **dim < 0) {
        return Err(format!("expects dimensions counted from the front, got {dim}"));
    }
    if !(0..=2).contains(&args.int("normalization")?) {
        return Err("normalization is 0, 1 or 2".into());
    }
    wrap_dims(&dims, own.rank())
}

/// Complex numbers to as many.
pub fn fft_c2c<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    transformable(&own, true)?;
    dims(args, &own)?;
    one(&own)
}

fn last(dims: &[usize], own: &TensorType) -> Result<usize, String> {
    let last = *dims.last().ok_or("ArrayRef: attempted to access back() of empty list")?;
    let size = *own.shape.get(last).ok_or("expects a tensor with dimensions")?;
    if size == 0 {
        return Err("expects elements along the last dimension that is transformed".into());
    }
    Ok(last)
}

/// Real numbers to complex ones, half of the last dimension where `onesided`.
pub fn fft_r2c<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    transformable(&own, false)?;
    let last = last(&dims(args, &own)?, &own)?;
    wide_enough(&own)?;
    let mut shape = own.shape.clone();
    if args.flag("onesided") && !shape[last].is_unknown() {
        shape[last] = shape[last] / 2 + 1;
    }
    one(&own.with_shape(&shape).with_dtype(own.dtype.complex().unwrap_or(own.dtype)))
}

/// Half of complex numbers that mirror each other to real ones, `last_dim_size` along the last dimension.
pub fn fft_c2r<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let own = args.tensor(0)?;
    transformable(&own, true)?;
    let last = last(&dims(args, &own)?, &own)?;
    let (mut shape, size) = (own.shape.clone(), args.int("last_dim_size")?);
    let (given, half) = (shape[last], size / 2 + 1);
    if size < 1 || !given.is_unknown() && given != half && given != size {
        return Err(format!(
            "expects {half} numbers along dimension {last} for {size} of a transform, got {given}"
        ));
    }
    shape[last] = size.into();
    one(&own.with_shape(&shape).with_dtype(own.dtype.part()))
}

/// What a Fourier transform of graph comes down to.
#[derive(Clone, Debug, PartialEq)]
pub struct Transform {
    /// Between what numbers.
    pub kind: Kind,
    /// Whether it is the forward one.
    pub forward: bool,
    /// The dimensions, and the size that each is cut or padded to first.
    pub dims: Vec<(usize, i64)>,
    /// As in `_fft_c2c`.
    pub normalization: i64,
    /// The size of the last dimension of a result of real numbers.
    pub last: i64,
    /// The dtype of what is transformed.
    pub dtype: Dtype,
}

/// Between what numbers a transform is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Complex ones.
    Complex,
    /// Real ones to half of the complex ones.
    FromReal,
    /// Real ones to all of the complex ones.
    FromRealToAll,
    /// Half of the complex ones to real ones.
    ToReal,
}

/// The transform that an operator of graph is.
///
/// # Errors
/// In eager's words.
pub fn transform(args: &Args) -> Result<Transform, String> {
    let own = args.tensor(0)?;
    let name = args.operator().trim_start_matches("fft_");
    let inverse = matches!(name, "ifft" | "irfft" | "hfft" | "ifft2" | "irfft2" | "ifftn" | "irfftn");
    // Of hermitian numbers: the transform of the other direction.
    let forward = match name {
        "hfft" => true,
        "ihfft" => false,
        _ => !inverse,
    };
    let kind = match name.trim_end_matches(['2', 'n']) {
        // Of one dimension real numbers are not made complex first.
        "fft" | "ifft" if matches!(name, "fft" | "ifft") && !own.dtype.is_complex() => Kind::FromRealToAll,
        "fft" | "ifft" => Kind::Complex,
        "rfft" | "ihfft" => Kind::FromReal,
        _ => Kind::ToReal,
    };
    let dtype = promoted(&own, name, kind)?;
    if !is_box(name) {
        transforms(&own)?;
    }
    let (dims, given) = sizes(args, &own, name, kind)?;
    let last = dims.last().map(|(_, size)| *size).unwrap_or_default();
    let mut dims = dims;
    if kind == Kind::ToReal
        && let Some((dim, size)) = dims.last_mut()
    {
        let whole = if given { *size } else { 2 * (fixed(own.shape[*dim]) - 1) };
        if whole < 1 {
            // Of several dimensions what is worked out is half of it first.
            let said = if given || !is_box(name) { whole } else { 0 };
            return Err(format!("Invalid number of data points ({said}) specified"));
        }
        *size = whole / 2 + 1;
        let count = dims[..dims.len() - 1].iter().map(|d| d.1);
        positive(count)?;
        transforms(&own)?;
        return Ok(Transform {
            kind,
            forward,
            normalization: norm(args, forward)?,
            last: whole,
            dtype,
            dims,
        });
    }
    positive(dims.iter().map(|d| d.1))?;
    transforms(&own)?;
    Ok(Transform { kind, forward, normalization: norm(args, forward)?, last, dtype, dims })
}

fn transforms(own: &TensorType) -> Result<(), String> {
    if matches!(own.dtype, Dtype::F16 | Dtype::BF16) {
        return Err(format!("Unsupported dtype {}", own.dtype.aten_name()));
    }
    Ok(())
}

/// Whether a transform is one of several dimensions.
fn is_box(name: &str) -> bool {
    name.ends_with('2') || name.ends_with('n')
}

fn positive(mut sizes: impl Iterator<Item = i64>) -> Result<(), String> {
    match sizes.find(|size| *size < 1) {
        Some(size) => Err(format!("Invalid number of data points ({size}) specified")),
        None => Ok(()),
    }
}

/// The dtype of what is transformed: integers become floats, real numbers complex ones where there are none else.
fn promoted(own: &TensorType, name: &str, kind: Kind) -> Result<Dtype, String> {
    let dtype = own.dtype;
    if kind == Kind::FromReal && dtype.is_complex() {
        let real = if is_box(name) { "real-valued" } else { "real" };
        let name = name.replace('2', "n");
        return Err(format!("{name} expects a {real} input tensor, but got {}", dtype.aten_name()));
    }
    let float = if dtype.is_inexact() { dtype } else { Dtype::F32 };
    // Half precision is refused when all else is right.
    let stays = matches!(kind, Kind::FromReal | Kind::FromRealToAll);
    Ok(if stays { float } else { float.complex().unwrap_or(float) })
}

fn norm(args: &Args, forward: bool) -> Result<i64, String> {
    let name = args.attribute("norm").map_or("backward".into(), convert::string);
    match (name.as_str(), forward) {
        ("ortho", _) => Ok(1),
        ("backward", true) | ("forward", false) => Ok(0),
        ("backward", false) | ("forward", true) => Ok(2),
        _ => Err(format!("Invalid normalization mode: \"{name}\"")),
    }
}

fn no_dimensions(dim: i64) -> String {
    format!("Dimension specified as {dim} but tensor has no dimensions")
}

/// A size that the numbers of a transform depend on.
fn fixed(size: Size) -> i64 {
    size.fixed().unwrap_or_default()
}

/// The dimensions with the sizes that they come to, and whether the last one's was given.
fn sizes(args: &Args, own: &TensorType, name: &str, kind: Kind) -> Result<(Vec<(usize, i64)>, bool), String> {
    let rank = own.rank();
    if !own.is_static() {
        return Err("transforms dimensions whose sizes must be known statically".into());
    }
    if !is_box(name) {
        if rank == 0 {
            return Err(no_dimensions(args.int_or("dim", -1)));
        }
        let dim = wrap_dim(args.int_or("dim", -1), rank)?;
        let given = args.attribute("n").map(convert::i64);
        if let Some(n) = given.filter(|n| *n < 1) {
            return Err(format!("Invalid number of data points ({n}) specified"));
        }
        return Ok((vec![(dim, given.unwrap_or_else(|| fixed(own.shape[dim])))], given.is_some()));
    }
    let s = args.optional_ints("s");
    let dim = args.optional_ints("dim").or_else(|| name.ends_with('2').then(|| vec![-2, -1]));
    let dims = match (&dim, &s) {
        (Some(dim), _) => {
            if let Some(first) = dim.first().filter(|_| rank == 0) {
                return Err(no_dimensions(*first));
            }
            let dims = dim.iter().map(|d| wrap_dim(*d, rank)).collect::<Result<Vec<_>, _>>()?;
            if (1..dims.len()).any(|i| dims[..i].contains(&dims[i])) {
                return Err("FFT dims must be unique".into());
            }
            if s.as_ref().is_some_and(|s| s.len() != dims.len()) {
                return Err("When given, dim and shape arguments must have the same length".into());
            }
            dims
        }
        (None, Some(s)) if s.len() > rank => {
            return Err(format!(
                "Got shape with {} values but input tensor only has {rank} dimensions.",
                s.len()
            ));
        }
        (None, s) => (rank - s.as_ref().map_or(rank, Vec::len)..rank).collect(),
    };
    if dims.is_empty() && kind != Kind::Complex {
        return Err(format!("{} must transform at least one axis", name.replace('2', "n")));
    }
    let size = |(i, d): (usize, &usize)| match s.as_ref().map(|s| s[i]) {
        None | Some(-1) => (*d, fixed(own.shape[*d])),
        Some(size) => (*d, size),
    };
    let given = s.as_ref().and_then(|s| s.last()).is_some_and(|size| *size != -1);
    Ok((dims.iter().enumerate().map(size).collect(), given))
}

fn transformed<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, transform) = (args.tensor(0)?, transform(args)?);
    let mut shape = own.shape.clone();
    for (dim, size) in &transform.dims {
        shape[*dim] = (*size).into();
    }
    if let Some((dim, _)) = transform.dims.last() {
        match transform.kind {
            Kind::FromReal => shape[*dim] = shape[*dim] / 2 + 1,
            Kind::ToReal => shape[*dim] = transform.last.into(),
            Kind::Complex | Kind::FromRealToAll => {}
        }
    }
    let dtype = match transform.kind {
        Kind::ToReal => transform.dtype.part(),
        _ => transform.dtype.complex().unwrap_or(transform.dtype),
    };
    one(&own.with_shape(&shape).with_dtype(dtype))
}

/// Along one dimension.
pub fn fft_line<'c>(args: &Args<'c, '_>) -> Types<'c> {
    transformed(args)
}

/// Along several dimensions.
pub fn fft_box<'c>(args: &Args<'c, '_>) -> Types<'c> {
    transformed(args)
}
