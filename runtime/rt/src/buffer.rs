//! What a library function is given: one list of words, and strided buffers among them.
//!
//! A number is a word, f64 by its bits. A buffer is a word for its dtype and one for its rank, then MLIR's
//! descriptor: the address that was allocated, that of the first element but for the offset, the offset,
//! sizes, strides. A dtype is its kind times 256, and its bytes: kind 0 is an integer with a sign, 1 a float,
//! 2 a bfloat, 3 a complex number.
//!
//! A complex number may be taken apart: then it is a last dimension of 2 real numbers.

use crate::{context::Context, pool::terrace_rt_parallel_for};
use std::{cmp::Ordering, ffi::c_void};

/// The type of an element in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Dtype {
    I8,
    I16,
    I32,
    I64,
    F16,
    Bf16,
    F32,
    F64,
    C64,
    C128,
}

impl Dtype {
    const ALL: [(i64, Dtype); 10] = [
        (0x001, Dtype::I8),
        (0x002, Dtype::I16),
        (0x004, Dtype::I32),
        (0x008, Dtype::I64),
        (0x102, Dtype::F16),
        (0x104, Dtype::F32),
        (0x108, Dtype::F64),
        (0x202, Dtype::Bf16),
        (0x308, Dtype::C64),
        (0x310, Dtype::C128),
    ];

    /// The word that stands for it.
    pub fn code(self) -> i64 {
        Self::ALL.iter().find(|row| row.1 == self).map_or(0, |row| row.0)
    }

    fn of(code: i64) -> Dtype {
        let row = Self::ALL.iter().find(|row| row.0 == code);
        row.unwrap_or_else(|| panic!("compiled code names a dtype {code:#x} that there is not")).1
    }

    fn bytes(self) -> usize {
        (self.code() & 0xff) as usize
    }
}

/// The words of a call, from the next one on.
pub struct Words(*const i64);

impl Words {
    /// Starts at the first word.
    ///
    /// # Safety
    /// Words follow it as they are asked for, and buffers are live.
    pub unsafe fn new(first: *const i64) -> Self {
        Self(first)
    }

    /// The next word.
    pub fn word(&mut self) -> i64 {
        // SAFETY: the words are there, by the contract of `new`.
        unsafe {
            let word = self.0.read();
            self.0 = self.0.add(1);
            word
        }
    }

    /// So many words.
    pub fn list(&mut self, count: usize) -> Vec<i64> {
        (0..count).map(|_| self.word()).collect()
    }

    /// The next word as the f64 that it is.
    pub fn float(&mut self) -> f64 {
        f64::from_bits(self.word() as u64)
    }

    /// The next buffer.
    pub fn buffer(&mut self) -> Buffer {
        let (dtype, rank) = (Dtype::of(self.word()), self.word() as usize);
        let (_, aligned, offset) = (self.word(), self.word(), self.word());
        let (sizes, strides) = (self.list(rank), self.list(rank));
        let base = (aligned as *mut u8).wrapping_offset(offset as isize * dtype.bytes() as isize);
        Buffer { dtype, base, sizes, strides }
    }
}

/// A strided buffer.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The type of its elements.
    pub dtype: Dtype,
    base: *mut u8,
    /// One size per dimension.
    pub sizes: Vec<i64>,
    strides: Vec<i64>,
}
// SAFETY: threads that share one write different elements.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// The number of elements.
    pub fn len(&self) -> i64 {
        self.sizes.iter().product()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sizes.contains(&0)
    }

    /// Complex numbers as a last dimension of 2 real ones.
    pub fn as_real(mut self) -> Buffer {
        let part = match self.dtype {
            Dtype::C64 => Dtype::F32,
            Dtype::C128 => Dtype::F64,
            _ => return self,
        };
        self.strides.iter_mut().for_each(|stride| *stride *= 2);
        self.sizes.push(2);
        self.strides.push(1);
        Buffer { dtype: part, ..self }
    }

    /// The rows along a dimension: its stride, and where each of the others' elements begins, in row-major
    /// order.
    pub fn rows(&self, dim: usize) -> Rows {
        let others = (0..self.sizes.len()).filter(|d| *d != dim).map(|d| (self.sizes[d], self.strides[d]));
        Rows { others: others.collect(), stride: self.strides[dim] }
    }

    /// Where the elements lie, in row-major order.
    pub fn offsets(&self) -> impl Iterator<Item = i64> + '_ {
        let all = Rows {
            others: self.sizes.iter().copied().zip(self.strides.iter().copied()).collect(),
            stride: 0,
        };
        (0..self.len()).map(move |number| all.start(number))
    }

    /// Reads an element.
    ///
    /// # Safety
    /// `T` is the type of the elements, and there is one at the offset.
    pub unsafe fn read<T: Copy>(&self, offset: i64) -> T {
        // SAFETY: the caller's.
        unsafe { self.base.cast::<T>().offset(offset as isize).read() }
    }

    /// Writes an element.
    ///
    /// # Safety
    /// As [`Buffer::read`]; nobody else reads or writes it meanwhile.
    pub unsafe fn write<T: Copy>(&self, offset: i64, value: T) {
        // SAFETY: the caller's.
        unsafe { self.base.cast::<T>().offset(offset as isize).write(value) }
    }

    /// Reads a real number as an f64.
    pub fn real(&self, offset: i64) -> f64 {
        // SAFETY: the type is the buffer's own; offsets come from its sizes.
        unsafe {
            match self.dtype {
                Dtype::I8 => self.read::<i8>(offset).into(),
                Dtype::I16 => self.read::<i16>(offset).into(),
                Dtype::I32 => self.read::<i32>(offset).into(),
                Dtype::I64 => self.read::<i64>(offset) as f64,
                Dtype::F16 => self.read::<F16>(offset).value().into(),
                Dtype::Bf16 => self.read::<Bf16>(offset).value().into(),
                Dtype::F32 => self.read::<f32>(offset).into(),
                Dtype::F64 => self.read(offset),
                Dtype::C64 | Dtype::C128 => unreachable!("complex numbers are taken apart first"),
            }
        }
    }

    /// Writes a float, rounded to the type of the elements.
    pub fn set_float(&self, offset: i64, value: f64) {
        // SAFETY: the type is the buffer's own; offsets come from its sizes.
        unsafe {
            match self.dtype {
                Dtype::F16 => self.write(offset, F16::of(value)),
                Dtype::Bf16 => self.write(offset, Bf16::of(value)),
                Dtype::F32 => self.write(offset, value as f32),
                Dtype::F64 => self.write(offset, value),
                _ => unreachable!("holds floats"),
            }
        }
    }
}

/// Where rows begin.
pub struct Rows {
    others: Vec<(i64, i64)>,
    /// The stride along a row.
    pub stride: i64,
}

impl Rows {
    /// How many there are.
    pub fn count(&self) -> i64 {
        self.others.iter().map(|(size, _)| size).product()
    }

    /// The offset of the first element of a row.
    pub fn start(&self, mut number: i64) -> i64 {
        let mut offset = 0;
        for (size, stride) in self.others.iter().rev() {
            offset += number % size * stride;
            number /= size;
        }
        offset
    }
}

/// Runs `body` on pieces of `0..count`, on the threads of the pool where there are more than `grain`.
pub fn parallel<F: Fn(std::ops::Range<i64>) + Sync>(
    context: Option<&Context>,
    count: i64,
    grain: i64,
    body: F,
) {
    extern "C" fn piece<F: Fn(std::ops::Range<i64>) + Sync>(
        _: Option<&Context>,
        body: *mut c_void,
        from: i64,
        to: i64,
    ) {
        // SAFETY: it is the body below, which outlives the loop.
        let body = unsafe { &*body.cast::<F>() };
        body(from..to);
    }
    terrace_rt_parallel_for(context, piece::<F>, (&raw const body).cast_mut().cast(), count, grain);
}

/// Bits of an IEEE half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct F16(pub u16);

/// Bits of the upper half of an f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bf16(pub u16);

impl F16 {
    /// The number.
    pub fn value(self) -> f32 {
        let (sign, exponent, mantissa) = (self.0 >> 15, self.0 >> 10 & 31, self.0 & 1023);
        let size = match exponent {
            31 if mantissa == 0 => f32::INFINITY,
            31 => f32::NAN,
            // Denormals are multiples of 2^-24.
            0 => f32::from(mantissa) * 2f32.powi(-24),
            _ => f32::from(1024 + mantissa) * 2f32.powi(i32::from(exponent) - 25),
        };
        if sign == 1 { -size } else { size }
    }

    /// The nearest one, of two the even.
    pub fn of(value: f64) -> F16 {
        let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
        let size = value.abs();
        F16(sign
            | if size.is_nan() {
                0x7e00
            } else if size >= 65520.0 {
                0x7c00
            } else {
                // In units of the last place; a carry goes into the exponent.
                let exponent = if size < 2f64.powi(-14) { -14 } else { (size.to_bits() >> 52) as i32 - 1023 };
                let units = (size * 2f64.powi(10 - exponent)).round_ties_even() as u16;
                if size < 2f64.powi(-14) { units } else { ((exponent + 14) as u16) * 1024 + units }
            })
    }
}

impl Bf16 {
    /// The number.
    pub fn value(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }

    /// The nearest one, of two the even.
    pub fn of(value: f64) -> Bf16 {
        if value.is_nan() {
            return Bf16(0x7fc0);
        }
        let (size, sign) = (value.abs(), if value.is_sign_negative() { 0x8000 } else { 0 });
        let exponent = ((size.to_bits() >> 52) as i32 - 1023).clamp(-126, 127);
        // In units of the last place, at most 256 of them: a carry goes into the exponent.
        let units = (size * 2f64.powi(7 - exponent)).round_ties_even().min(1e6) as u32;
        let bits = if units < 128 { units } else { ((exponent + 126) as u32) * 128 + units };
        Bf16(sign | bits.min(0x7f80) as u16)
    }
}

/// What has an order in which a nan is the largest.
pub trait Ordered: Copy + Send {
    /// Compares two.
    fn order(self, other: Self) -> Ordering;
}

macro_rules! ordered {
    ($($ty:ty),*; $float:expr) => {$(
        impl Ordered for $ty {
            fn order(self, other: Self) -> Ordering {
                #[allow(clippy::redundant_closure_call)]
                $float(self, other)
            }
        }
    )*};
}

ordered!(i8, i16, i32, i64; |a, b| Ord::cmp(&a, &b));
ordered!(f32, f64; |a: Self, b: Self| a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())));
ordered!(F16, Bf16; |a: Self, b: Self| a.value().order(b.value()));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_to_nearest() {
        for bits in 0..=u16::MAX {
            for (value, back) in [(F16(bits).value(), F16::of(F16(bits).value().into()).0), {
                (Bf16(bits).value(), Bf16::of(Bf16(bits).value().into()).0)
            }] {
                assert!(value.is_nan() || back == bits, "{bits:#x} {value} {back:#x}");
            }
        }
        let cases = [(1.0 + 2f64.powi(-11), 0x3c00), (1.0 + 3.0 * 2f64.powi(-11), 0x3c02), (65519.0, 0x7bff)];
        for (value, bits) in
            cases.into_iter().chain([(65520.0, 0x7c00), (2f64.powi(-25), 0), (1e300, 0x7c00)])
        {
            assert_eq!(F16::of(value).0, bits, "{value}");
        }
        let cases = [(1.0 + 2f64.powi(-8), 0x3f80), (1.0 + 3.0 * 2f64.powi(-8), 0x3f82), (3.4e38, 0x7f80)];
        for (value, bits) in cases.into_iter().chain([(-1e300, 0xff80), (1e-300, 0), (3.38e38, 0x7f7e)]) {
            assert_eq!(Bf16::of(value).0, bits, "{value}");
        }
    }
}
