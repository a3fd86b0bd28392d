//! Windows along one dimension of an image: where an element of the image and a position in a window meet.
//!
//! Window p and its position k meet at place `p * stride - padding + k * dilation`. Looked at from the other
//! side, transposed, a place and k meet at the window that solves this, where one does. Where there is
//! nothing to meet, loads are masked.

use crate::emit::{Compare, Emitter};
use melior::ir::AffineExpr;
use terrace_dialects::ir::{cursor::V, extent::Extent, pass::Failure};

/// A place that is found, as an expression of the domain, and whether it is one; None where it always is.
pub type Meet<'c, 'a> = (AffineExpr<'c>, Option<V<'c, 'a>>);

/// One dimension.
#[derive(Clone, Copy)]
pub struct Axis<'c, 'a> {
    /// The size of what is read.
    pub input: Extent<'c, 'a>,
    /// The size of what is made.
    pub output: Extent<'c, 'a>,
    /// Positions in a window.
    pub kernel: Extent<'c, 'a>,
    /// The distance of neighbouring windows.
    pub stride: i64,
    /// What stands before the image.
    pub padding: i64,
    /// The distance of neighbouring positions.
    pub dilation: i64,
    /// Whether windows are read and places made, not the other way round.
    pub transposed: bool,
}

impl<'c, 'a> Axis<'c, 'a> {
    /// What is read where an index of what is made and a position in a window (dimensions `p` and `k` of the
    /// domain `i`) meet.
    pub fn meet(
        &self,
        e: &Emitter<'c, 'a>,
        (p, k): (usize, usize),
        i: &[V<'c, 'a>],
    ) -> Result<Meet<'c, 'a>, Failure> {
        let scaled = |d: usize, by: i64| e.dim(d) * e.number(by);
        let times = |d: usize, by: i64| if by == 1 { i[d] } else { e.mul(i[d], e.index(by)) };
        let plus = |x, by: i64| if by == 0 { x } else { e.add(x, e.index(by)) };
        if !self.transposed {
            let place = scaled(p, self.stride) + scaled(k, self.dilation) + e.number(-self.padding);
            if self.padding == 0 && self.is_inside() {
                return Ok((place, None));
            }
            let x = plus(e.add(times(p, self.stride), times(k, self.dilation)), -self.padding);
            return Ok((place, Some(e.inside(x, e.size(self.input)))));
        }
        let ahead = e.dim(p) + scaled(k, -self.dilation) + e.number(self.padding);
        let x = plus(e.sub(i[p], times(k, self.dilation)), self.padding);
        let inside = e.inside(x, e.size(e.times(self.input, self.stride)?));
        if self.stride == 1 {
            return Ok((ahead, Some(inside)));
        }
        let rest = e.same("arith.remsi", &[x, e.index(self.stride)]);
        let whole = e.compare(Compare::Eq, rest, e.index(0));
        Ok((AffineExpr::floor_div(ahead, e.number(self.stride)), Some(e.and(inside, whole))))
    }

    /// What an index of what is made, dimension `p` of the domain, meets of a window of one element.
    pub fn alone(&self, e: &Emitter<'c, 'a>, p: usize, i: &[V<'c, 'a>]) -> Meet<'c, 'a> {
        let place = e.dim(p) + e.number(-self.padding);
        let x = if self.padding == 0 { i[p] } else { e.add(i[p], e.index(-self.padding)) };
        (place, (!(self.padding == 0 && self.is_inside())).then(|| e.inside(x, e.size(self.input))))
    }

    /// Whether the last position of the last window is in the image for sure.
    pub fn is_inside(&self) -> bool {
        let (Some(input), Some(output), Some(kernel)) =
            (self.input.number(), self.output.number(), self.kernel.number())
        else {
            return false;
        };
        (output - 1) * self.stride + (kernel - 1) * self.dilation < input
    }
}

/// Both conditions, where there are any.
pub fn both<'c, 'a>(e: &Emitter<'c, 'a>, a: Option<V<'c, 'a>>, b: Option<V<'c, 'a>>) -> Option<V<'c, 'a>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(e.and(a, b)),
        (a, b) => a.or(b),
    }
}
