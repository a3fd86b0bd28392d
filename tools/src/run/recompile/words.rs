//! Arguments and results of a text as words, in the order of `runtime/rt/src/recompile.rs`.

use super::Known;
use melior::ir::{Type, TypeLike};
use std::ptr;
use terrace_dialects::types::{self, TensorType};
use terrace_rt::{
    buffer::Words,
    memory::{ALIGNMENT, terrace_rt_alloc},
    moved::allocated,
};
use terrace_session::{Arg, MemRef, Output, Owner, ValueType};
use terrace_tensor::{DType, Scalar};

/// What an argument is in words.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Tensor { rank: usize },
    Number { parts: usize, is_integer: bool },
}

impl Kind {
    pub(super) fn of(ty: Type) -> Kind {
        match TensorType::<i64>::of(ty) {
            Some(tensor) => Kind::Tensor { rank: tensor.rank() },
            None => Kind::Number {
                parts: if types::part(ty).is_some() { 2 } else { 1 },
                is_integer: ty.is_index() || matches!(types::bits(ty), Some(1 | 64)) && !types::is_float(ty),
            },
        }
    }
}

/// An argument.
pub(super) enum Given {
    Tensor { address: *mut u8, sizes: Vec<i64>, strides: Vec<i64>, offset: i64 },
    Number { parts: Vec<i64>, is_integer: bool },
}

impl Given {
    pub(super) fn read(kind: Kind, words: &mut Words) -> Self {
        match kind {
            Kind::Tensor { rank } => {
                let (address, offset) = (words.word() as *mut u8, words.word());
                let (sizes, strides) = (words.list(rank), words.list(rank));
                Given::Tensor { address, sizes, strides, offset }
            }
            Kind::Number { parts, is_integer } => Given::Number { parts: words.list(parts), is_integer },
        }
    }

    /// How many words it takes.
    pub(super) fn words(&self) -> usize {
        match self {
            Given::Tensor { sizes, .. } => 2 + 2 * sizes.len(),
            Given::Number { parts, .. } => parts.len(),
        }
    }

    /// Whether it is of the storage that another one is of.
    pub(super) fn is_of(&self, other: &Given) -> bool {
        match (self, other) {
            (Given::Tensor { address, .. }, Given::Tensor { address: other, .. }) => address == other,
            _ => false,
        }
    }

    /// What is compiled for it, with or without the value of an integer or a truth value.
    pub(super) fn known(&self, storage: usize, numbers: bool) -> Known {
        match self {
            Given::Tensor { sizes, strides, offset, .. } => {
                Known::Tensor { sizes: sizes.clone(), strides: strides.clone(), offset: *offset, storage }
            }
            Given::Number { parts, is_integer } => Known::Number((numbers && *is_integer).then(|| parts[0])),
        }
    }

    pub(super) fn argument(&self, ty: &ValueType) -> Result<Arg<'_>, String> {
        Ok(match (self, ty) {
            (Given::Tensor { address, sizes, strides, offset }, ValueType::MemRef(own)) => {
                // SAFETY: who calls has a tensor there, which lives as long as the call.
                Arg::MemRef(unsafe {
                    MemRef::from_raw(own.dtype, *address, *offset, sizes.clone(), strides.clone())
                })
            }
            (Given::Number { parts, .. }, ValueType::Scalar(dtype)) => {
                let float = |part: usize| f64::from_bits(parts[part] as u64);
                Arg::Scalar(match dtype {
                    DType::Bool => Scalar::Bool(parts[0] != 0),
                    dtype if dtype.is_complex() => Scalar::Complex(float(0), float(1)),
                    dtype if dtype.integer_range().is_some() => Scalar::Int(parts[0]),
                    _ => Scalar::Float(float(0)),
                })
            }
            _ => return Err("takes other arguments than it was called with".into()),
        })
    }
}

/// A result as words: its memory may be an argument's, or that of another result.
pub(super) fn result(output: &Output, given: &[Given]) -> Vec<i64> {
    match output {
        Output::Scalar(Scalar::Bool(truth)) => vec![i64::from(*truth)],
        Output::Scalar(Scalar::Int(number)) => vec![*number],
        Output::Scalar(Scalar::Float(number)) => vec![number.to_bits() as i64],
        Output::Scalar(Scalar::Complex(re, im)) => vec![re.to_bits() as i64, im.to_bits() as i64],
        Output::MemRef(memref) => {
            let bytes = memref.reach();
            let (aligned, offset) = (memref.aligned, memref.offset);
            let layout = [memref.sizes.clone(), memref.strides.clone()].concat();
            let own = match (&memref.owner, memref.allocation()) {
                (Owner::Argument(number), _) => match &given[*number] {
                    Given::Tensor { address, .. } => Some(allocated(*address)),
                    Given::Number { .. } => None,
                },
                (Owner::Result(_), own) => own,
                (Owner::Code, _) => None,
            };
            let (allocated, aligned) = match own {
                Some(own) => (own, aligned),
                // SAFETY: the memory is alive here, and there is as much of it.
                None => unsafe {
                    let copy = terrace_rt_alloc(bytes as i64, ALIGNMENT as i64);
                    ptr::copy_nonoverlapping(aligned, copy, bytes);
                    (copy, copy)
                },
            };
            [vec![allocated as i64, aligned as i64, bytes as i64, offset], layout].concat()
        }
    }
}
