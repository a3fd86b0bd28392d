//! Complex numbers: their parts, views by flags and by element type, and Fourier transforms.

use crate::{
    machine::{Op, Table},
    semantics::{
        Error, Result, copy, fourier,
        padding::{Border, pad},
        parts,
        reshaping::packed_copy,
        views,
    },
};
use melior::ir::Value;
use terrace_dialects::{
    aten::rules::{self, Kind, Transform},
    ir::{OperationLike, args::Args, registry},
};
use terrace_tensor::{Dtype, Flags, Scalar, Tensor};

pub(super) fn register(table: &mut Table) {
    flags(table);
    dtypes(table);
    numbers(table);
    transforms(table);
}

fn plain(table: &mut Table, name: &str, of: fn(&Tensor) -> Result<Tensor>) {
    table.graph(name, move |op| {
        let x = op.tensor(0);
        op.value(move |f| of(f.tensor(x)))
    });
}

/// A new tensor of the same elements without flags.
fn resolved(tensor: &Tensor, is_set: fn(Flags) -> bool) -> Result<Tensor> {
    if is_set(tensor.flags()) { copy::clone(tensor) } else { Ok(tensor.clone()) }
}

fn conj_physical(tensor: &Tensor) -> Result<Tensor> {
    if tensor.dtype().is_complex() { copy::clone(&parts::conj(tensor)?) } else { Ok(tensor.clone()) }
}

fn flags(table: &mut Table) {
    plain(table, "_conj", parts::conj);
    plain(table, "_neg_view", |x| {
        // Bools have no negatives.
        if x.dtype() == Dtype::Bool {
            Err(Error::not_implemented("neg_cpu", x.dtype()))
        } else {
            parts::neg_view(x)
        }
    });
    plain(table, "view_as_real", parts::view_as_real);
    plain(table, "view_as_complex", parts::view_as_complex);
    plain(table, "real", parts::real);
    plain(table, "imag", parts::imag);
    plain(table, "conj", parts::adjoint);
    plain(table, "resolve_conj", |x| resolved(x, |flags| flags.conj));
    plain(table, "resolve_neg", |x| resolved(x, |flags| flags.neg));
    plain(table, "conj_physical", conj_physical);
    table.functional("conj_physical", |op| {
        let x = op.tensor(0);
        op.value(move |f| conj_physical(f.tensor(x)))
    });
    table.graph("conj_physical_", |op| {
        let x = op.tensor(0);
        op.value(move |f| {
            let x = f.tensor(x);
            copy::copy_(x, &conj_physical(x)?)
        })
    });
}

fn dtypes(table: &mut Table) {
    table.graph("view.dtype", |op| {
        let (x, dtype) = (op.tensor(0), op.dtype("dtype")?);
        op.value(move |f| views::view_dtype(f.tensor(x), dtype))
    });
    table.functional("view.dtype", |op| {
        let (x, dtype) = (op.tensor(0), op.dtype("dtype")?);
        op.value(move |f| parts::value_as(f.tensor(x), dtype))
    });
    table.graph("view_copy.dtype", |op| {
        let (x, dtype) = (op.tensor(0), op.dtype("dtype")?);
        op.value(move |f| packed_copy(&views::view_dtype(f.tensor(x), dtype)?))
    });
}

fn numbers(table: &mut Table) {
    table.both("complex", |op| {
        let (re, im) = (op.tensor(0), op.tensor(1));
        op.value(move |f| parts::complex(f.tensor(re), f.tensor(im)))
    });
    table.both("polar", |op| {
        let (abs, angle) = (op.tensor(0), op.tensor(1));
        op.value(move |f| parts::polar(f.tensor(abs), f.tensor(angle)))
    });
}

fn dims(op: &Op) -> std::result::Result<Vec<usize>, String> {
    Ok(op.ints("dim")?.into_iter().map(|dim| dim as usize).collect())
}

fn transforms(table: &mut Table) {
    table.both("_fft_c2c", |op| {
        let (x, dims, norm, forward) =
            (op.tensor(0), dims(op)?, op.int("normalization")?, op.flag("forward"));
        op.value(move |f| fourier::c2c(f.tensor(x), &dims, norm, forward))
    });
    table.both("_fft_r2c", |op| {
        let (x, dims, norm, half) = (op.tensor(0), dims(op)?, op.int("normalization")?, op.flag("onesided"));
        op.value(move |f| fourier::r2c(f.tensor(x), &dims, norm, half))
    });
    table.both("_fft_c2r", |op| {
        let (x, dims, norm, size) =
            (op.tensor(0), dims(op)?, op.int("normalization")?, op.dynamic_ints("last_dim_size", 1)?);
        op.value(move |f| fourier::c2r(f.tensor(x), &dims, norm, size.one(f)?))
    });
    let lines = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"];
    let boxes = ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"];
    for name in lines.into_iter().chain(boxes) {
        table.graph(&format!("fft_{name}"), |op| {
            let (x, transform) = (op.tensor(0), transform(op)?);
            op.value(move |f| transformed(f.tensor(x), &transform))
        });
    }
}

fn transform(op: &Op) -> std::result::Result<Transform, String> {
    let operation = op.operation();
    let class = registry::of(operation).ok_or("is not known")?;
    let operands: Vec<Value> = operation.operands().collect();
    let attribute = |name: &str| operation.attribute(name).ok();
    rules::transform(&Args::new(class, operation.context(), &operands, &attribute))
}

/// The operand in the transform's dtype and sizes, transformed.
fn transformed(tensor: &Tensor, transform: &Transform) -> Result<Tensor> {
    let dtype = transform.dtype;
    let mut own = if tensor.dtype() == dtype { tensor.clone() } else { copy::to_copy(tensor, dtype)? };
    let mut pads = vec![0; 2 * own.rank()];
    let (dims, last) = transform.sizes(own.sizes()).map_err(Error::new)?;
    for &(dim, size) in &dims {
        let missing = size - own.sizes()[dim];
        if missing < 0 {
            own = views::slice(&own, dim as i64, Some(0), Some(size), 1)?;
        }
        pads[2 * (own.rank() - 1 - dim) + 1] = missing.max(0);
    }
    if pads.iter().any(|&pad| pad > 0) {
        own = pad(&own, &pads, Border::Number(Scalar::Int(0)))?;
    }
    let dims: Vec<usize> = dims.iter().map(|dim| dim.0).collect();
    let norm = transform.normalization;
    match (transform.kind, transform.forward) {
        (Kind::Complex, forward) => fourier::c2c(&own, &dims, norm, forward),
        (kind @ (Kind::FromReal | Kind::FromRealToAll), forward) => {
            let result = fourier::r2c(&own, &dims, norm, kind == Kind::FromReal)?;
            // The inverse of real numbers is the conjugate of their transform.
            if forward { Ok(result) } else { parts::conj(&result) }
        }
        (Kind::ToReal, false) => fourier::c2r(&own, &dims, norm, last),
        (Kind::ToReal, true) => fourier::c2r(&parts::conj(&own)?, &dims, norm, last),
    }
}
