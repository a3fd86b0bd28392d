//! A transposed convolution as plain ones, one for each phase of its stride.
//!
//! Element o of the result adds up `input[i] * weight[t]` where `i * stride + t * dilation = o + padding`. Of
//! elements whose distance is a multiple of the stride the same positions t of the window meet an element of
//! the input, and these lie in arithmetic progression:
//!
//! ```text
//! stride 2, padding 1, a window of 4:   o = 2q:      x[q] w[1] + x[q - 1] w[3]
//!                                       o = 2q + 1:  x[q + 1] w[0] + x[q] w[2]
//! ```
//!
//! So each phase is a convolution of stride 1 with a part of the window, without products by zeros. The
//! window is turned round, so that the input is read forwards. (Dumoulin and Visin, "A guide to convolution
//! arithmetic for deep learning", describe the transposed convolution that this takes apart.)

use super::axes::{Axis, Meet};
use crate::emit::Emitter;
use terrace_dialects::ir::{cursor::V, extent::Extent, pass::Failure};

/// One phase along one dimension.
#[derive(Clone, Copy)]
pub struct Phase<'c, 'a> {
    /// Its first element of the result; others follow in steps of the stride.
    pub first: i64,
    /// How many elements it has.
    pub count: Extent<'c, 'a>,
    /// Its positions of the window: the first one, the distance of neighbours, negative where they go
    /// backwards, and how many there are.
    pub tap: (i64, i64, Extent<'c, 'a>),
    /// Element q and position number j meet at `q + shift - j * back` of the input.
    shift: i64,
    back: i64,
    input: Extent<'c, 'a>,
}

/// The phases of a transposed axis.
pub fn phases<'c, 'a>(e: &Emitter<'c, 'a>, axis: &Axis<'c, 'a>) -> Result<Vec<Phase<'c, 'a>>, Failure> {
    let Axis { stride, dilation, padding, .. } = *axis;
    // So many positions further the same phase is met again.
    let rest = dilation % stride;
    let step = (1..=stride).find(|n| rest * n % stride == 0).unwrap_or(stride);
    let meets = |at: i64, tap: i64| (at.rem_euclid(stride) - rest * tap).rem_euclid(stride) == 0;
    let number = |n: i128| i64::try_from(n).map_err(|_| "has a window that is too wide for 64 bits");
    let one = |first: i64| {
        let at = first.saturating_add(padding);
        // None of the window: an empty sum.
        let (tap, taps) = match (0..step).find(|tap| meets(at, *tap)) {
            Some(tap) => (tap, e.floor_div(e.plus(axis.kernel, step - 1 - tap)?, step)?),
            None => (0, Extent::Number(0)),
        };
        let [wide, of] = [dilation, stride].map(i128::from);
        let own = Phase {
            first,
            count: e.floor_div(e.plus(axis.output, stride - 1 - first)?, stride)?,
            tap: (tap, step, taps),
            shift: number((i128::from(at) - i128::from(tap) * wide).div_euclid(of))?,
            back: number(wide * i128::from(step) / of)?,
            input: axis.input,
        };
        Ok(own.forward())
    };
    (0..stride).map(one).collect()
}

/// The windows of one element over all that phases read of an axis; None where sizes are not known, or none
/// reads anything.
pub fn around<'c, 'a>(axis: &Axis<'c, 'a>, phases: &[Phase<'c, 'a>]) -> Option<Axis<'c, 'a>> {
    axis.input.number()?;
    let mut reach: Option<(i64, i64)> = None;
    for phase in phases {
        let (low, high) = phase.reach()?;
        if !phase.count.is(0) && !phase.tap.2.is(0) {
            reach = Some(reach.map_or((low, high), |(least, most)| (least.min(low), most.max(high))));
        }
    }
    let (low, high) = reach?;
    let before = low.checked_neg()?.max(0);
    let (one, output) = (Extent::Number(1), Extent::Number(before.checked_add(high)?.checked_add(1)?.max(0)));
    Some(Axis { output, kernel: one, stride: 1, padding: before, dilation: 1, transposed: false, ..*axis })
}

impl<'c, 'a> Phase<'c, 'a> {
    /// The same with the last position of the window first, so that the input is read forwards, where it is
    /// known how many there are.
    fn forward(self) -> Self {
        let (tap, step, taps) = self.tap;
        let turned = || {
            let last = taps.number().filter(|taps| *taps > 0)? - 1;
            let tap = (tap.checked_add(step.checked_mul(last)?)?, -step, taps);
            let shift = self.shift.checked_sub(self.back.checked_mul(last)?)?;
            Some(Self { tap, shift, back: -self.back, ..self })
        };
        turned().unwrap_or(self)
    }

    /// The first and the last place that it reads, where it is known how many there are.
    fn reach(&self) -> Option<(i64, i64)> {
        let (count, taps) = (self.count.number()?, self.tap.2.number()?);
        let other = self.shift.checked_sub(self.back.checked_mul((taps - 1).max(0))?)?;
        Some((self.shift.min(other), self.shift.max(other).checked_add(count - 1)?))
    }

    /// The same over an input that begins so many elements before.
    pub fn over(self, before: i64, input: Extent<'c, 'a>) -> Self {
        Self { shift: self.shift + before, input, ..self }
    }

    /// What is read where element `p` of the phase and its position number `k`, dimensions of the domain `i`,
    /// meet.
    pub fn meet(&self, e: &Emitter<'c, 'a>, (p, k): (usize, usize), i: &[V<'c, 'a>]) -> Meet<'c, 'a> {
        let place = e.dim(p) + e.number(self.shift) + e.dim(k) * e.number(-self.back);
        if self.is_inside() {
            return (place, None);
        }
        let at = e.sub(e.add(i[p], e.index(self.shift)), e.mul(i[k], e.index(self.back)));
        (place, Some(e.inside(at, e.size(self.input))))
    }

    fn is_inside(&self) -> bool {
        let reach = self.reach().zip(self.input.number());
        reach.is_some_and(|((low, high), input)| low >= 0 && high < input)
    }
}
