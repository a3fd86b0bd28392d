//! The geometry of `kernel.reinterpret`: sizes, strides and offset of a memref whose elements become ones of
//! another type.
//!
//! Elements of the same width keep theirs. Where `n` shorter ones are one longer one, strides and offset are
//! counted in them: `n` times as many of the shorter. They are a last dimension of stride 1, one of its own
//! or a part of the one there is.

use crate::ir::{
    context,
    shaped::{Shaped, strides_and_offset},
    types::{bytes, has_identity_layout, part},
};
use melior::ir::{Type, TypeLike, attribute::StridedLayoutAttribute, r#type::MemRefType};
use terrace_size::DYNAMIC;

/// A number of elements counted in others: of each `from`, `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Elements of the source.
    pub from: i64,
    /// Elements of the result that these are.
    pub to: i64,
}

impl Ratio {
    /// Of elements of so many bytes each; None where neither are parts of the other.
    pub fn of_widths(a: i64, b: i64) -> Option<Self> {
        let ratio = Self { from: (b / a).max(1), to: (a / b).max(1) };
        (ratio.from * a == ratio.to * b).then_some(ratio)
    }

    /// The number counted in the result's elements; None where these do not come out even.
    pub fn of(self, number: i64) -> Option<i64> {
        if number == DYNAMIC {
            return Some(DYNAMIC);
        }
        let scaled = number.checked_mul(self.to)?;
        (scaled % self.from == 0).then_some(scaled / self.from)
    }
}

/// Checks that the memory of `source` may be seen as `result`; how elements are counted then.
pub fn reinterpreted(source: Type, result: Type) -> Result<Ratio, String> {
    let (old, new) = (Shaped::expect(source)?, Shaped::expect(result)?);
    let width = |element: Type| {
        bytes(element).ok_or_else(|| format!("expects elements that are numbers, got {element}"))
    };
    let (a, b) = (width(old.element)?, width(new.element)?);
    let ratio = Ratio::of_widths(a, b)
        .ok_or_else(|| format!("can't count elements of {a} bytes in elements of {b}"))?;
    let lies = |ty| strides_and_offset(ty).ok_or_else(|| format!("expects a strided memref, got {ty}"));
    let ((mut strides, offset), (got, got_offset)) = (lies(source)?, lies(result)?);
    let mut sizes = old.shape.clone();
    let n = ratio.from * ratio.to;
    // The last dimension of the shorter elements stands apart while strides are counted.
    let last = match (ratio.from, new.rank() as isize - old.rank() as isize) {
        (1, 0) if ratio.to == 1 => None,
        (1, 1) => Some((n, 1)),
        (1, 0) if strides.last() == Some(&1) => {
            let size = sizes.pop().unwrap_or_default();
            strides.pop();
            Some((if size == DYNAMIC { size } else { size * n }, 1))
        }
        (_, -1) if sizes.last() == Some(&n) && strides.last() == Some(&1) => {
            sizes.pop();
            strides.pop();
            None
        }
        (_, 0)
            if strides.last() == Some(&1)
                && sizes.last().is_some_and(|size| *size == DYNAMIC || size % n == 0) =>
        {
            let size = sizes.pop().unwrap_or_default();
            strides.pop();
            Some((if size == DYNAMIC { size } else { size / n }, 1))
        }
        _ => {
            return Err(format!(
                "can't see {source} as {result}: expects a last dimension without gaps of {n} elements, or of as many times as many"
            ));
        }
    };
    let counted = |number: i64| {
        ratio.of(number).ok_or_else(|| format!("has strides in {source} that are no multiples of {n}"))
    };
    let mut strides = strides.into_iter().map(counted).collect::<Result<Vec<_>, _>>()?;
    if let Some((size, stride)) = last {
        sizes.push(size);
        strides.push(stride);
    }
    // The stride of a dimension that has no second element says nothing.
    let moves = |d: usize| sizes[d] != 1 && !sizes.contains(&0);
    let same = |a: i64, b: i64| a == b || a == DYNAMIC || b == DYNAMIC;
    if sizes != new.shape
        || !(0..strides.len()).all(|d| same(strides[d], got[d]) || !moves(d))
        || !same(counted(offset)?, got_offset)
    {
        return Err(format!("expects sizes {sizes:?} and strides {strides:?} of the result, got {result}"));
    }
    Ok(ratio)
}

/// The memref of the parts of complex numbers, in a last dimension of size 2; None of any other type.
pub fn parts(source: Type) -> Option<Type> {
    let shaped = Shaped::of(source).filter(|shaped| shaped.buffer)?;
    let element = part(shaped.element)?;
    let (strides, offset) = strides_and_offset(source)?;
    let twice = |n: &i64| if *n == DYNAMIC { *n } else { 2 * n };
    let sizes: Vec<i64> = shaped.shape.iter().copied().chain([2]).collect();
    let strides: Vec<i64> = strides.iter().map(twice).chain([1]).collect();
    let layout = (!has_identity_layout(source))
        .then(|| StridedLayoutAttribute::new(context::of(source.context()), twice(&offset), &strides).into());
    let space = MemRefType::try_from(source).ok()?.memory_space();
    Some(MemRefType::new(element, &sizes, layout, space).into())
}

#[cfg(test)]
mod tests {
    use super::{parts, reinterpreted};
    use melior::{Context, ir::Type};

    fn check(source: &str, result: &str) -> Result<(), String> {
        let context = Context::new();
        let ty = |text: &str| Type::parse(&context, text).unwrap();
        reinterpreted(ty(source), ty(result)).map(drop)
    }

    #[test]
    fn elements_become_shorter_and_longer() {
        for (a, b) in [
            ("memref<4x3xcomplex<f32>>", "memref<4x3x2xf32>"),
            ("memref<complex<f64>>", "memref<2xf64>"),
            ("memref<4x3xf32>", "memref<4x12xi8>"),
            ("memref<4xf32, strided<[3], offset: 5>>", "memref<4xi32, strided<[3], offset: 5>>"),
            (
                "memref<4xcomplex<f32>, strided<[3], offset: 5>>",
                "memref<4x2xf32, strided<[6, 1], offset: 10>>",
            ),
            (
                "memref<4xcomplex<f32>, strided<[?], offset: ?>>",
                "memref<4x2xf32, strided<[?, 1], offset: ?>>",
            ),
        ] {
            assert_eq!(check(a, b), Ok(()), "{a} {b}");
            assert_eq!(check(b, a), Ok(()), "{b} {a}");
        }
        assert!(check("memref<4x3xf32>", "memref<4x6xf64>").is_err());
        assert!(check("memref<4x3xf32>", "memref<2x3xf64>").is_err());
        assert!(check("memref<4x2xf32, strided<[3, 1]>>", "memref<4x1xf64>").is_err());
    }

    #[test]
    fn parts_lie_side_by_side() {
        let context = Context::new();
        let ty = |text: &str| Type::parse(&context, text).unwrap();
        let strided = "memref<4xcomplex<f32>, strided<[3], offset: 5>>";
        assert_eq!(parts(ty(strided)), Some(ty("memref<4x2xf32, strided<[6, 1], offset: 10>>")));
        assert_eq!(parts(ty("memref<4xcomplex<f64>>")), Some(ty("memref<4x2xf64>")));
        assert_eq!(parts(ty("memref<4xf64>")), None);
    }
}
