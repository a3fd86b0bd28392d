//! One call: arguments checked and laid out as the packed form wants them, results read back.

use crate::{Error, MemRef, MemRefOutput, Signature, ValueType, memref::Free};
use half::{bf16, f16};
use std::{
    ffi::{CStr, c_void},
    ptr,
};
use terrace_rt::context::{Context, Status};
use terrace_tensor::{Dtype, Scalar};

/// An argument of a call.
#[derive(Debug, Clone)]
pub enum Arg<'a> {
    /// A number; it is converted to the declared type where no value is lost.
    Scalar(Scalar),
    /// A buffer.
    MemRef(MemRef<'a>),
}

impl Arg<'_> {
    /// Whether it is a buffer of this allocation.
    pub(crate) fn is_at(&self, allocated: *mut u8) -> bool {
        matches!(self, Arg::MemRef(memref) if memref.allocated == allocated)
    }
}

/// A result of a call.
#[derive(Debug, Clone)]
pub enum Output {
    /// A number.
    Scalar(Scalar),
    /// A buffer.
    MemRef(MemRefOutput),
}

impl Output {
    /// The number; `None` for a buffer.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Output::Scalar(scalar) => Some(*scalar),
            Output::MemRef(_) => None,
        }
    }

    /// The buffer; `None` for a number.
    pub fn memref(&self) -> Option<&MemRefOutput> {
        match self {
            Output::Scalar(_) => None,
            Output::MemRef(memref) => Some(memref),
        }
    }
}

/// The packed form of an entry point: it takes the addresses of what is returned, if something is, and of
/// each argument, and gives a status.
pub type Packed = unsafe extern "C" fn(&Context, *mut *mut c_void) -> i32;

/// Calls `packed`, whose type is `signature`.
///
/// # Safety
/// `packed` is the packed form of a function of this signature; `free` frees what it allocates.
pub(crate) unsafe fn call(
    packed: Packed,
    signature: &Signature,
    context: &Context,
    arguments: &[Arg],
    free: Free,
) -> Result<Vec<Output>, Error> {
    let refuse = |why| Error::Argument { entry: signature.name.clone(), why };
    if arguments.len() != signature.arguments.len() {
        return Err(refuse(format!(
            "expected {} arguments, got {}",
            signature.arguments.len(),
            arguments.len()
        )));
    }
    // What is returned and what is given, one behind the other, and where each begins: as numbers of words,
    // then as addresses.
    let bytes = result_bytes(&signature.results);
    let mut words = Vec::with_capacity(bytes.div_ceil(8) + 8 * arguments.len());
    let mut addresses: Vec<*mut c_void> = Vec::with_capacity(1 + arguments.len());
    if bytes > 0 {
        addresses.push(ptr::null_mut());
        words.resize(bytes.div_ceil(8), 0);
    }
    for (i, (argument, ty)) in arguments.iter().zip(&signature.arguments).enumerate() {
        addresses.push(ptr::without_provenance_mut(words.len()));
        encode(argument, ty, &mut words).map_err(|why| refuse(format!("argument {i}: {why}")))?;
    }
    let base: *mut u64 = words.as_mut_ptr();
    addresses.iter_mut().for_each(|start| *start = base.wrapping_add(start.addr()).cast());
    // SAFETY: one address a parameter, each to a value or descriptor of its type; see also the caller's.
    if unsafe { packed(context, addresses.as_mut_ptr()) } != 0 {
        let text = |text: Option<&CStr>| text.map(|text| text.to_string_lossy().into_owned());
        let (entry, message) = (signature.name.clone(), text(context.error()).unwrap_or_default());
        return Err(match context.status() {
            Status::Refused => Error::Guard { entry, message },
            _ => Error::Runtime { entry, message, place: text(context.place()) },
        });
    }
    let mut outputs = Vec::with_capacity(signature.results.len());
    for (ty, (offset, _)) in signature.results.iter().zip(layout(&signature.results)) {
        outputs.push(match ty {
            ValueType::Scalar(dtype) => Output::Scalar(read_scalar(*dtype, &words, offset)),
            // SAFETY: the code wrote a descriptor of this type here; memrefs are aligned to words.
            ValueType::MemRef(ty) => Output::MemRef(unsafe {
                MemRefOutput::read(ty, &words[offset / 8..], arguments, (&outputs, free))
            }),
        });
    }
    Ok(outputs)
}

/// The bytes behind one address: a descriptor, or a scalar in the low bytes of words.
fn encode(argument: &Arg, ty: &ValueType, words: &mut Vec<u64>) -> Result<(), String> {
    match (argument, ty) {
        (Arg::MemRef(memref), ValueType::MemRef(ty)) => match memref.mismatch(ty) {
            None => {
                memref.descriptor(ty, words);
                Ok(())
            }
            Some(why) => Err(why),
        },
        (Arg::Scalar(scalar), ValueType::Scalar(dtype)) => scalar_words(*scalar, *dtype, words),
        (Arg::MemRef(_), ValueType::Scalar(dtype)) => {
            Err(format!("expected a number of type {dtype}, got a buffer"))
        }
        (Arg::Scalar(_), ValueType::MemRef(ty)) => Err(format!("expected {ty}, got a number")),
    }
}

/// [`scalar_bits`]; of a complex number the parts, one behind the other.
fn scalar_words(scalar: Scalar, dtype: Dtype, words: &mut Vec<u64>) -> Result<(), String> {
    let part = |part: f64| scalar_bits(Scalar::Float(part), dtype.part());
    let (re, im) = scalar.to_complex();
    match dtype {
        Dtype::C64 => words.push(part(re)? | part(im)? << 32),
        Dtype::C128 => words.extend([part(re)?, part(im)?]),
        _ => words.push(scalar_bits(scalar, dtype)?),
    }
    Ok(())
}

/// The bits of a number as a `dtype`: of its own kind or a wider one, and in range.
fn scalar_bits(scalar: Scalar, dtype: Dtype) -> Result<u64, String> {
    let refuse = || format!("expected a number of type {dtype}, got {scalar}");
    if let Some((low, high)) = dtype.integer_range() {
        return match scalar {
            Scalar::Bool(b) => Ok(b.into()),
            Scalar::Int(i) if (low..=high).contains(&i) => Ok(i as u64),
            _ => Err(refuse()),
        };
    }
    let value = match scalar {
        Scalar::Float(x) => x,
        Scalar::Int(i) => i as f64,
        Scalar::Bool(_) | Scalar::Complex(..) => return Err(refuse()),
    };
    Ok(match dtype {
        Dtype::F64 => value.to_bits(),
        Dtype::F32 => (value as f32).to_bits().into(),
        Dtype::F16 => f16::from_f64(value).to_bits().into(),
        Dtype::BF16 => bf16::from_f64(value).to_bits().into(),
        _ => return Err(refuse()),
    })
}

fn read_scalar(dtype: Dtype, words: &[u64], offset: usize) -> Scalar {
    let bits = words[offset / 8] >> (8 * (offset % 8));
    match dtype {
        Dtype::Bool => Scalar::Bool(bits & 1 != 0),
        Dtype::U8 => Scalar::Int((bits as u8).into()),
        Dtype::I8 => Scalar::Int((bits as i8).into()),
        Dtype::I16 => Scalar::Int((bits as i16).into()),
        Dtype::I32 => Scalar::Int((bits as i32).into()),
        Dtype::F16 => Scalar::Float(f16::from_bits(bits as u16).into()),
        Dtype::BF16 => Scalar::Float(bf16::from_bits(bits as u16).into()),
        Dtype::F32 => Scalar::Float(f32::from_bits(bits as u32).into()),
        Dtype::F64 => Scalar::Float(f64::from_bits(bits)),
        Dtype::I64 => Scalar::Int(bits as i64),
        Dtype::C64 | Dtype::C128 => {
            let part = |at| read_scalar(dtype.part(), words, at).to_f64();
            Scalar::Complex(part(offset), part(offset + dtype.part().bytes()))
        }
    }
}

/// The bytes of the struct of all results, as an entry point returns it.
pub fn result_bytes(results: &[ValueType]) -> usize {
    layout(results).last().map_or(0, |(_, end)| end)
}

/// Where each result begins and ends in the struct of all, in bytes.
fn layout(results: &[ValueType]) -> impl Iterator<Item = (usize, usize)> + '_ {
    results.iter().scan(0usize, |end, ty| {
        let (size, align) = match ty {
            ValueType::Scalar(dtype) => (dtype.bytes(), dtype.part().bytes()),
            ValueType::MemRef(memref) => (8 * (3 + 2 * memref.sizes.len()), 8),
        };
        let begin = end.next_multiple_of(align);
        *end = begin + size;
        Some((begin, *end))
    })
}
