//! Complex numbers in the bodies of loops: arithmetic on their parts.
//!
//! A body takes a complex number apart by `complex.re` and `complex.im` and puts one together by
//! `complex.create`; between them stand `arith` and `math` on parts. Quotients are scaled, so that squares of
//! large parts do not overflow.

use super::{Compare, Emitter};
use melior::ir::ValueLike;
use terrace_dialects::ir::{
    OperationLike,
    cursor::V,
    dtype::Dtype,
    operations::{definition, name_of},
    types,
    types::part,
};

/// A complex number as its parts.
#[derive(Clone, Copy)]
pub struct Complex<'c, 'a> {
    /// The real part.
    pub re: V<'c, 'a>,
    /// The imaginary part.
    pub im: V<'c, 'a>,
}

/// Whether a value is a complex number.
pub fn is_complex(value: V) -> bool {
    part(value.r#type()).is_some()
}

impl<'c, 'a> Emitter<'c, 'a> {
    /// The parts of a complex number.
    pub fn parts(&self, value: V<'c, 'a>) -> Complex<'c, 'a> {
        if let Some(op) = definition(value).filter(|op| name_of(*op) == "complex.create")
            && let (Ok(re), Ok(im)) = (op.operand(0), op.operand(1))
        {
            return Complex { re, im };
        }
        let ty = part(value.r#type()).expect("it is a complex number");
        let of = |name: &str| self.op(name, &[value], ty, &[]);
        Complex { re: of("complex.re"), im: of("complex.im") }
    }

    /// The complex number of two parts.
    pub fn join(&self, z: Complex<'c, 'a>) -> V<'c, 'a> {
        let ty = types::complex(z.re.r#type());
        self.op("complex.create", &[z.re, z.im], ty, &[])
    }

    /// A number as the real part of a complex one.
    pub fn real(&self, re: V<'c, 'a>) -> Complex<'c, 'a> {
        Complex { re, im: self.like(re, 0.0) }
    }

    /// What a function makes of the parts.
    pub fn on_parts(&self, z: Complex<'c, 'a>, f: impl Fn(V<'c, 'a>) -> V<'c, 'a>) -> Complex<'c, 'a> {
        Complex { re: f(z.re), im: f(z.im) }
    }

    /// The parts as ones of another dtype.
    pub fn cast_parts(&self, z: Complex<'c, 'a>, to: Dtype) -> Complex<'c, 'a> {
        self.on_parts(z, |part| self.cast(part, to))
    }

    /// The sum of complex numbers.
    pub fn sum(&self, a: Complex<'c, 'a>, b: Complex<'c, 'a>) -> Complex<'c, 'a> {
        Complex { re: self.add(a.re, b.re), im: self.add(a.im, b.im) }
    }

    /// The difference of complex numbers.
    pub fn difference(&self, a: Complex<'c, 'a>, b: Complex<'c, 'a>) -> Complex<'c, 'a> {
        Complex { re: self.sub(a.re, b.re), im: self.sub(a.im, b.im) }
    }

    /// The product of complex numbers.
    pub fn complex_product(&self, a: Complex<'c, 'a>, b: Complex<'c, 'a>) -> Complex<'c, 'a> {
        Complex {
            re: self.sub(self.mul(a.re, b.re), self.mul(a.im, b.im)),
            im: self.add(self.mul(a.re, b.im), self.mul(a.im, b.re)),
        }
    }

    /// The quotient of complex numbers: both are divided by the divisor's larger part first. By zero it is
    /// infinite, in the direction that the sign of the zero says.
    pub fn quotient(&self, a: Complex<'c, 'a>, b: Complex<'c, 'a>) -> Complex<'c, 'a> {
        let scale = self.same("arith.maxnumf", &[self.magnitude(b.re), self.magnitude(b.im)]);
        let scaled = |z| self.on_parts(z, |part| self.div(part, scale));
        let (above, turned) = (scaled(a), self.conjugate(scaled(b)));
        let below = self.add(self.mul(turned.re, turned.re), self.mul(turned.im, turned.im));
        let quotient = self.on_parts(self.complex_product(above, turned), |part| self.div(part, below));
        let infinity = self.same("math.copysign", &[self.like(b.re, f64::INFINITY), b.re]);
        let infinite = self.on_parts(a, |part| self.mul(infinity, part));
        let by_zero = self.compare(Compare::Eq, scale, self.like(scale, 0.0));
        let numbers = self.and(self.is_number(a.re), self.is_number(a.im));
        self.choose(self.and(by_zero, numbers), infinite, quotient)
    }

    /// One number or another.
    pub fn choose(&self, condition: V<'c, 'a>, yes: Complex<'c, 'a>, no: Complex<'c, 'a>) -> Complex<'c, 'a> {
        Complex { re: self.select(condition, yes.re, no.re), im: self.select(condition, yes.im, no.im) }
    }

    /// The conjugate.
    pub fn conjugate(&self, z: Complex<'c, 'a>) -> Complex<'c, 'a> {
        Complex { im: self.same("arith.negf", &[z.im]), ..z }
    }

    /// The magnitude of a float.
    pub fn magnitude(&self, x: V<'c, 'a>) -> V<'c, 'a> {
        self.same("math.absf", &[x])
    }

    fn is_number(&self, x: V<'c, 'a>) -> V<'c, 'a> {
        self.compare(Compare::Eq, x, x)
    }
}
