//! Fourier transforms: along some dimensions, whose sizes may be cut or padded first.

use super::{TensorType, Types, one, wrap_dim, wrap_dims};
use crate::ir::{args::Args, attributes as convert, dtype::Dtype};
use terrace_size::Number;

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
    if size.assume_eq(0) {
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
    let (mut shape, size) = (own.shape.clone(), args.dynamic_int("last_dim_size", 1)?);
    let given = std::mem::replace(&mut shape[last], size);
    let half = if size.is_unknown() { size } else { size / 2 + 1 };
    let is_known = !size.is_unknown() && !given.is_unknown();
    if !size.is_unknown() && size.assume_lt(1) || is_known && given.assume_ne(half) && given.assume_ne(size) {
        return Err(format!(
            "expects {half} numbers along dimension {last} for {size} of a transform, got {given}"
        ));
    }
    one(&own.with_shape(&shape).with_dtype(own.dtype.part()))
}

/// What a Fourier transform of graph comes down to.
#[derive(Clone, Debug, PartialEq)]
pub struct Transform {
    /// Between what numbers.
    pub kind: Kind,
    /// Whether it is the forward one.
    pub forward: bool,
    /// The dimensions, and the size that is given for each; None where it is the tensor's own.
    pub dims: Vec<(usize, Option<i64>)>,
    /// As in `_fft_c2c`.
    pub normalization: i64,
    /// The dtype of what is transformed.
    pub dtype: Dtype,
    /// Whether it is one of several dimensions.
    pub is_box: bool,
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
    let dims = dims_and_sizes(args, &own, kind)?;
    let mut transform = Transform { kind, forward, dims, normalization: 0, dtype, is_box: is_box(name) };
    transform.sizes(&own.shape)?;
    transforms(&own)?;
    transform.normalization = norm(args, forward)?;
    Ok(transform)
}

impl Transform {
    /// The size that each dimension of a tensor is cut or padded to first, and that of the last dimension of
    /// real numbers that come out.
    ///
    /// # Errors
    /// In eager's words: there is nothing to transform.
    pub fn sizes<N: Number>(&self, own: &[N]) -> Result<(Vec<(usize, N)>, N), String> {
        let size = |(dim, given): &(usize, Option<i64>)| (*dim, given.map_or(own[*dim], N::from));
        let mut dims: Vec<_> = self.dims.iter().map(size).collect();
        let Some((dim, size)) = dims.last_mut() else { return Ok((dims, N::ZERO)) };
        let mut last = *size;
        if self.kind == Kind::ToReal {
            let given = self.dims.last().is_some_and(|(_, given)| given.is_some());
            let known = !own[*dim].is_unknown() || given;
            if known && !given {
                last = (own[*dim] - N::ONE) * N::from(2);
            }
            if known && last.assume_lt(N::ONE) {
                // Of several dimensions what is worked out is half of it first.
                let said = if given || !self.is_box { last } else { N::ZERO };
                return Err(format!("Invalid number of data points ({said}) specified"));
            }
            *size = if known { last / N::from(2) + N::ONE } else { last };
        }
        let checked = dims.len() - usize::from(self.kind == Kind::ToReal);
        match dims[..checked].iter().find(|(_, size)| !size.is_unknown() && size.assume_lt(N::ONE)) {
            Some((_, size)) => Err(format!("Invalid number of data points ({size}) specified")),
            None => Ok((dims, last)),
        }
    }
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

/// The dtype of what is transformed: integers become floats, real numbers complex ones where there are none
/// else.
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

/// The dimensions with the sizes that are given for them.
fn dims_and_sizes(args: &Args, own: &TensorType, kind: Kind) -> Result<Vec<(usize, Option<i64>)>, String> {
    let (rank, name) = (own.rank(), args.operator().trim_start_matches("fft_"));
    if !is_box(name) {
        if rank == 0 {
            return Err(no_dimensions(args.int_or("dim", -1)));
        }
        let dim = wrap_dim(args.int_or("dim", -1), rank)?;
        let given = args.attribute("n").map(convert::i64);
        if let Some(n) = given.filter(|n| *n < 1) {
            return Err(format!("Invalid number of data points ({n}) specified"));
        }
        return Ok(vec![(dim, given)]);
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
    let given = |i: usize| s.as_ref().map(|s| s[i]).filter(|size| *size != -1);
    Ok(dims.into_iter().enumerate().map(|(i, dim)| (dim, given(i))).collect())
}

fn transformed<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (own, transform) = (args.tensor(0)?, transform(args)?);
    let (dims, last) = transform.sizes(&own.shape)?;
    let mut shape = own.shape.clone();
    for (dim, size) in &dims {
        shape[*dim] = *size;
    }
    if let Some((dim, size)) = dims.last() {
        match transform.kind {
            Kind::FromReal if !size.is_unknown() => shape[*dim] = *size / 2 + 1,
            Kind::ToReal => shape[*dim] = last,
            _ => {}
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
