//! What a call says of its arguments: the key of a variant, and the facts that are written into the function.
//!
//! Of a tensor alone on its storage the offset is no part of it: slices `data[32 * i:32 * (i + 1)]` of one
//! tensor have one signature. The code is given its buffer from its elements on, at offset 0. Only programs
//! that ask where tensors lie in their storages have to know ([`Details::of`]).

use melior::ir::{Module, OperationRef};
use std::fmt;
use terrace_dialects::ir::operations::{collect, name_of};
use terrace_tensor::{Dtype, Flags, Scalar, Tensor, Value};

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A tensor.
    Tensor {
        /// The type of its elements.
        dtype: Dtype,
        /// Elements per dimension.
        sizes: Vec<i64>,
        /// Elements of memory between neighbours.
        strides: Vec<i64>,
        /// Elements of memory before the first one, where another argument has the same storage.
        offset: Option<i64>,
        /// The first argument that has the same storage.
        storage: usize,
        /// The first argument that is the very same tensor.
        object: usize,
        /// How elements are seen.
        flags: Flags,
    },
    /// A number; which one only where the function can be compiled for no others.
    Number(Option<i64>),
}

impl Argument {
    /// Whether an argument of a call is so, but for what it shares with others; some of its sizes may be
    /// open.
    fn takes(&self, open: &[bool], given: &Value) -> bool {
        match (self, given) {
            (Argument::Number(None), Value::Scalar(_)) => true,
            (Argument::Number(Some(own)), Value::Scalar(Scalar::Int(given))) => own == given,
            (Argument::Number(Some(own)), Value::Scalar(Scalar::Bool(given))) => *own == i64::from(*given),
            (Argument::Tensor { dtype, sizes, strides, offset, flags, .. }, Value::Tensor(given)) => {
                let lies = match open {
                    [] => sizes == given.sizes() && strides == given.strides(),
                    open => {
                        let fits = |(d, own): (usize, &i64)| open[d] || *own == given.sizes()[d];
                        sizes.len() == given.sizes().len()
                            && sizes.iter().enumerate().all(fits)
                            && is_row_major(given.sizes(), given.strides())
                    }
                };
                lies && *dtype == given.dtype()
                    && *flags == given.flags()
                    && offset.is_none_or(|offset| offset == given.offset())
            }
            _ => false,
        }
    }
}

/// What of a call a signature has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Integers, by their values.
    pub numbers: bool,
    /// The offsets of all tensors.
    pub offsets: bool,
    /// The offsets at which [`ALIGNMENT`] does not divide the address.
    pub misaligned: bool,
}

impl Details {
    /// What programs take that are compiled for a processor, or for a GPU: where one asks for offsets, they
    /// are part of it.
    pub fn of(module: &Module, gpu: bool) -> Self {
        Self { numbers: false, offsets: reads_offsets(module), misaligned: gpu }
    }
}

/// Bytes that divide where a buffer begins that a kernel for a GPU accesses: a thread accesses as many at
/// once, and faults where they do not divide the address.
const ALIGNMENT: i64 = 16;

/// Operators that ask where a tensor lies in its storage, or may, by how their names begin.
const OFFSETS: [&str; 10] = [
    "as_strided",
    "copy",
    "custom",
    "resize",
    "set_",
    "storage",
    "sym_storage_offset",
    "view.dtype",
    "view_as_complex",
    "view_copy.dtype",
];

/// Whether a program asks where tensors lie in their storages.
fn reads_offsets(module: &Module) -> bool {
    let asks = |op: OperationRef| {
        let name = name_of(op).strip_prefix("graph.").unwrap_or_default();
        // What puts a part into a copy of a tensor gives the copy its offset.
        name.contains("_scatter") || OFFSETS.iter().any(|asks| name.starts_with(asks))
    };
    !collect(module.as_operation(), asks).is_empty()
}

/// What a call says of its arguments, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature(pub Vec<Argument>);

impl Signature {
    /// That of a call; integers may be part of it, and all offsets.
    pub fn of(arguments: &[Value], Details { numbers, offsets, misaligned }: Details) -> Signature {
        let tensors: Vec<Option<&Tensor>> = arguments.iter().map(Value::as_tensor).collect();
        let shares = |a: &Tensor, b: &Option<&Tensor>| b.is_some_and(|b| b.storage().is_same(a.storage()));
        let argument = |(i, value): (usize, &Value)| match value {
            Value::Scalar(Scalar::Int(number)) if numbers => Argument::Number(Some(*number)),
            Value::Scalar(Scalar::Bool(truth)) if numbers => Argument::Number(Some(i64::from(*truth))),
            Value::Scalar(_) => Argument::Number(None),
            Value::Tensor(tensor) => {
                let storage = tensors.iter().position(|other| shares(tensor, other)).unwrap_or(i);
                let is_object = |other: &Option<&Tensor>| other.is_some_and(|other| other.is_same(tensor));
                let is_aligned = tensor.offset() * tensor.dtype().bytes() as i64 % ALIGNMENT == 0;
                let alone = tensors.iter().filter(|other| shares(tensor, other)).count() == 1;
                Argument::Tensor {
                    dtype: tensor.dtype(),
                    sizes: tensor.sizes().to_vec(),
                    strides: tensor.strides().to_vec(),
                    offset: (offsets || !alone || misaligned && !is_aligned).then(|| tensor.offset()),
                    storage,
                    object: tensors.iter().position(is_object).unwrap_or(i),
                    flags: tensor.flags(),
                }
            }
        };
        Signature(arguments.iter().enumerate().map(argument).collect())
    }

    /// The first difference from another call, in words.
    pub fn difference(&self, other: &Signature) -> String {
        let pairs = self.0.iter().zip(&other.0).enumerate();
        let differs = pairs.map(|(i, (own, other))| match (own, other) {
            (
                Argument::Tensor { dtype, sizes, strides, offset, storage, flags, .. },
                Argument::Tensor { dtype: d, sizes: n, strides: s, offset: o, storage: t, flags: f, .. },
            ) => {
                let why = if dtype != d {
                    format!("is of {dtype}, and was of {d}")
                } else if sizes != n {
                    format!("has sizes {sizes:?}, and had {n:?}")
                } else if strides != s {
                    format!("has strides {strides:?}, and had {s:?}")
                } else if storage != t || offset.is_some() != o.is_some() {
                    "shares its storage with other arguments than before, or is aligned otherwise".into()
                } else if offset != o {
                    format!("begins at {}, and began at {}", offset.unwrap_or(0), o.unwrap_or(0))
                } else if flags != f {
                    "is a conjugate or a negative, or was one".into()
                } else {
                    return None;
                };
                Some(format!("argument {i} {why}"))
            }
            (own, other) => (own != other).then(|| format!("argument {i} is another number, or was none")),
        });
        let same = || "its guards, or what it is compiled for, are others".to_owned();
        differs.flatten().next().unwrap_or_else(same)
    }

    /// Whether a number is among the arguments that decides nothing so far.
    pub fn has_numbers(&self) -> bool {
        self.0.contains(&Argument::Number(None))
    }
}

/// The calls that a variant is for: those of a signature, and others whose sizes are others where they are
/// open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The call that it was made for.
    pub signature_of: Signature,
    /// Of each argument whether its sizes are open, a dimension each; none of what has no open one.
    pub open: Vec<Vec<bool>>,
}

/// Whether elements lie row-major, and strides say it along sizes of 0 and 1 too: code for open sizes has no
/// others.
fn is_row_major(sizes: &[i64], strides: &[i64]) -> bool {
    // As `layout::contiguous_strides` has them: an empty dimension counts as one of size 1.
    let mut next = 1i64;
    sizes.iter().zip(strides).rev().all(|(size, stride)| {
        let fits = *stride == next;
        next = next.wrapping_mul((*size).max(1));
        fits
    })
}

/// Whether two arguments differ in nothing but sizes and strides.
fn is_alike(a: &Argument, b: &Argument) -> bool {
    match (a, b) {
        (
            Argument::Tensor { dtype, sizes, offset, storage, object, flags, .. },
            Argument::Tensor { dtype: d, sizes: n, offset: o, storage: s, object: t, flags: f, .. },
        ) => (dtype, offset, storage, object, flags) == (d, o, s, t, f) && sizes.len() == n.len(),
        (Argument::Number(a), Argument::Number(b)) => a == b,
        _ => false,
    }
}

impl fmt::Display for Pattern {
    /// `f32[?x8], f32[4x8], number`: `?` is an open size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (argument, open)) in self.signature_of.0.iter().zip(&self.open).enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            match argument {
                Argument::Tensor { dtype, sizes, .. } => {
                    let size = |(d, size): (usize, &i64)| match open.get(d) {
                        Some(true) => "?".to_owned(),
                        _ => size.to_string(),
                    };
                    let sizes: Vec<String> = sizes.iter().enumerate().map(size).collect();
                    write!(f, "{comma}{dtype}[{}]", sizes.join("x"))?;
                }
                Argument::Number(None) => write!(f, "{comma}number")?,
                Argument::Number(Some(number)) => write!(f, "{comma}{number}")?,
            }
        }
        Ok(())
    }
}

impl Pattern {
    /// The calls of a signature.
    pub fn exactly(signature_of: Signature) -> Pattern {
        let open = signature_of.0.iter().map(|_| vec![]).collect();
        Pattern { signature_of, open }
    }

    /// The calls like one, of which the sizes are open that differ from those of calls before, or were open
    /// there; none where something else differs, or nothing.
    ///
    /// Open are sizes of what is row-major, and alone on its storage.
    pub fn opened(signature_of: &Signature, before: &[&Pattern]) -> Option<Pattern> {
        let mut open: Vec<Vec<bool>> = signature_of.0.iter().map(|_| vec![]).collect();
        for pattern in before {
            let others = pattern.signature_of.0.iter().zip(&pattern.open);
            if pattern.signature_of.0.len() != open.len()
                || !signature_of.0.iter().zip(others.clone()).all(|(a, (b, _))| is_alike(a, b))
            {
                continue;
            }
            for ((own, open), (other, known)) in signature_of.0.iter().zip(&mut open).zip(others) {
                let (
                    Argument::Tensor { sizes, strides, offset, .. },
                    Argument::Tensor { sizes: n, strides: s, .. },
                ) = (own, other)
                else {
                    continue;
                };
                let differs = |d: usize| sizes[d] != n[d] || known.get(d) == Some(&true);
                if !(0..sizes.len()).any(differs) {
                    if strides != s && !is_row_major(sizes, strides) {
                        return None;
                    }
                    continue;
                }
                if offset.is_some() || !is_row_major(sizes, strides) || !is_row_major(n, s) {
                    return None;
                }
                open.resize(sizes.len(), false);
                (0..sizes.len()).filter(|d| differs(*d)).for_each(|d| open[d] = true);
            }
        }
        open.iter().any(|open| !open.is_empty()).then(|| Pattern { signature_of: signature_of.clone(), open })
    }

    /// The calls like one, with the sizes open that are wanted, by argument, dimension and size, and may be;
    /// none where there is none.
    pub fn opened_by(
        signature_of: &Signature,
        wanted: impl Fn(usize, usize, i64) -> bool,
    ) -> Option<Pattern> {
        let open = |(i, argument): (usize, &Argument)| match argument {
            Argument::Tensor { sizes, strides, offset: None, .. } if is_row_major(sizes, strides) => {
                let open: Vec<bool> = sizes.iter().enumerate().map(|(d, size)| wanted(i, d, *size)).collect();
                if open.contains(&true) { open } else { vec![] }
            }
            _ => vec![],
        };
        let open: Vec<Vec<bool>> = signature_of.0.iter().enumerate().map(open).collect();
        open.iter().any(|open| !open.is_empty()).then(|| Pattern { signature_of: signature_of.clone(), open })
    }

    /// Whether all calls of it have one signature.
    pub fn is_exact(&self) -> bool {
        self.open.iter().all(Vec::is_empty)
    }

    /// Whether it is for a call: as [`Pattern::accepts`] of its signature, and of its integers as this
    /// pattern has them, without making one.
    pub fn takes(&self, arguments: &[Value]) -> bool {
        let own = self.signature_of.0.iter().zip(&self.open);
        arguments.len() == self.open.len()
            && own.clone().zip(arguments).all(|((own, open), given)| own.takes(open, given))
            && self.shares_as(arguments)
    }

    /// Whether arguments share storages, and are the same tensors, as in the call that it was made for.
    fn shares_as(&self, arguments: &[Value]) -> bool {
        let mut alone: Vec<u64> = Vec::with_capacity(arguments.len());
        let tensor = |i: usize| arguments.get(i).and_then(Value::as_tensor);
        for (i, own) in self.signature_of.0.iter().enumerate() {
            let (Argument::Tensor { storage, object, .. }, Some(given)) = (own, tensor(i)) else { continue };
            let (storage, object) = (*storage, *object);
            if storage == i {
                alone.push(given.storage().id());
                continue;
            }
            let same = tensor(storage).is_some_and(|first| first.storage().is_same(given.storage()));
            let is = |other: usize| tensor(other).is_some_and(|other| other.is_same(given));
            if !same || !is(object) || (0..object.min(i)).any(is) {
                return false;
            }
        }
        match alone.len() {
            0..=8 => (1..alone.len()).all(|i| !alone[..i].contains(&alone[i])),
            _ => {
                alone.sort_unstable();
                alone.windows(2).all(|pair| pair[0] != pair[1])
            }
        }
    }

    /// Whether it is for a call of a signature.
    pub fn accepts(&self, signature: &Signature) -> bool {
        if self.is_exact() {
            return self.signature_of == *signature;
        }
        let fits = |((own, open), given): ((&Argument, &Vec<bool>), &Argument)| match (own, given) {
            _ if open.is_empty() => own == given,
            (Argument::Tensor { sizes, .. }, Argument::Tensor { sizes: n, strides, .. }) => {
                let sizes = || (0..sizes.len()).all(|d| open[d] || sizes[d] == n[d]);
                is_alike(own, given) && sizes() && is_row_major(n, strides)
            }
            _ => false,
        };
        signature.0.len() == self.open.len()
            && self.signature_of.0.iter().zip(&self.open).zip(&signature.0).all(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tensors: &[&[i64]]) -> Signature {
        let tensors = tensors.iter().map(|sizes| Value::from(Tensor::zeros(Dtype::F32, sizes).unwrap()));
        Signature::of(&tensors.collect::<Vec<_>>(), Details::default())
    }

    #[test]
    fn what_differs_becomes_open() {
        let first = Pattern::exactly(call(&[&[2, 8], &[8]]));
        assert!(Pattern::opened(&call(&[&[2, 8], &[8]]), &[&first]).is_none());
        let second = Pattern::opened(&call(&[&[3, 8], &[8]]), &[&first]).unwrap();
        assert_eq!(second.open, [vec![true, false], vec![]]);
        assert!(second.accepts(&call(&[&[7, 8], &[8]])));
        assert!(!second.accepts(&call(&[&[7, 9], &[8]])) && !second.accepts(&call(&[&[7, 8], &[9]])));
        // What was open stays so.
        let third = Pattern::opened(&call(&[&[3, 9], &[9]]), &[&second]).unwrap();
        assert_eq!(third.open, [vec![true, true], vec![true]]);
    }

    #[test]
    fn not_what_lies_otherwise() {
        let row_major = Tensor::zeros(Dtype::F32, &[2, 8]).unwrap();
        let columns = row_major.view(vec![3, 2], vec![1, 3], 0).unwrap();
        let of = |tensor: &Tensor| Signature::of(&[Value::from(tensor.clone())], Details::default());
        assert!(Pattern::opened(&of(&columns), &[&Pattern::exactly(of(&row_major))]).is_none());
        let open = Pattern::opened(&call(&[&[3, 2]]), &[&Pattern::exactly(of(&row_major))]).unwrap();
        assert!(open.accepts(&call(&[&[5, 5]])) && !open.accepts(&of(&columns)));
    }

    #[test]
    fn not_sizes_of_what_shares_a_storage() {
        let shared = |size: i64| {
            let one = Tensor::zeros(Dtype::F32, &[8]).unwrap();
            let other = one.view(vec![size], vec![1], 0).unwrap();
            Signature::of(&[Value::from(one), Value::from(other)], Details::default())
        };
        assert!(Pattern::opened(&shared(3), &[&Pattern::exactly(shared(2))]).is_none());
    }
}
