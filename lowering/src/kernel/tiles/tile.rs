//! A tile in vector registers.
//!
//! A tile is cut along its last dimension into vectors of as many lanes as a register has elements of 32
//! bits, whatever its element type: so a mask, an index and a value of the same lanes are in vectors of the
//! same length. The other dimensions are unrolled: `tensor<2x40xf32>` on AVX-512 is 2 times vectors of 16, 16
//! and 8 lanes. On a GPU the same holds of the [`Share`] of a thread, whose vectors are the layout's.

use super::share::Share;
use melior::ir::{Attribute, Type, TypeLike, ValueLike, attribute::DenseElementsAttribute};
use terrace_dialects::{
    ir::{
        cursor::{Cursor, V},
        pass::Failure,
        shaped::Shaped,
    },
    loops::layout::Layout,
};

/// Whether a type is that of a tile.
pub(crate) fn is_tile(ty: Type) -> bool {
    ty.is_ranked_tensor()
}

/// How a tile is cut.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cut<'c> {
    /// Sizes of the tile, or of a thread's share of it.
    pub shape: Vec<i64>,
    /// Type of an element.
    pub element: Type<'c>,
    /// The lanes of a whole vector.
    lanes: i64,
    /// Where it is spread over threads: the share of one.
    pub share: Option<Share>,
}

/// A tile as vectors, row by row.
#[derive(Clone)]
pub(crate) struct Tile<'c, 'a> {
    pub cut: Cut<'c>,
    pub parts: Vec<V<'c, 'a>>,
}

impl<'c> Cut<'c> {
    /// How a tile type is cut; None where the type is none.
    pub fn of(ty: Type<'c>, lanes: i64) -> Option<Self> {
        if !is_tile(ty) {
            return None;
        }
        let Shaped { shape, element, .. } = Shaped::of(ty)?;
        Some(Self { shape, element, lanes, share: None })
    }

    /// How the share of one thread is cut.
    pub fn spread(ty: Type<'c>) -> Option<Self> {
        let Shaped { shape, element, .. } = Shaped::of(ty)?;
        let share = Share::new(&Layout::of(ty)?, &shape);
        Some(Self { shape: share.shape(), element, lanes: share.lanes(), share: Some(share) })
    }

    /// The same with another element type.
    pub fn with_element(&self, element: Type<'c>) -> Self {
        Self { element, ..self.clone() }
    }

    /// The lanes of a whole vector.
    pub fn lanes(&self) -> i64 {
        self.lanes
    }

    /// The size of the last dimension; a tile without dimensions is a row of one.
    pub fn row(&self) -> i64 {
        self.shape.last().copied().unwrap_or(1)
    }

    /// The sizes of the dimensions before the last.
    pub fn leading(&self) -> &[i64] {
        &self.shape[..self.shape.len().saturating_sub(1)]
    }

    /// The indices of the dimensions before the last, in order.
    pub fn rows(&self) -> Vec<Vec<i64>> {
        let mut rows = vec![vec![]];
        for size in self.leading() {
            rows = rows.iter().flat_map(|row| (0..*size).map(move |i| [&row[..], &[i]].concat())).collect();
        }
        rows
    }

    /// The first lane and the number of lanes of each vector of a row.
    pub fn spans(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let (row, lanes) = (self.row(), self.lanes);
        (0..row).step_by(lanes as usize).map(move |at| (at, lanes.min(row - at)))
    }

    /// The vector type of so many lanes.
    pub fn vector(&self, lanes: i64) -> Type<'c> {
        Type::vector(&[lanes as u64], self.element)
    }

    /// The types of all vectors, row by row.
    pub fn types(&self) -> Vec<Type<'c>> {
        self.rows().iter().flat_map(|_| self.spans().map(|(_, lanes)| self.vector(lanes))).collect()
    }

    /// The number of the row with these indices.
    fn row_number(&self, indices: &[i64]) -> usize {
        self.leading().iter().zip(indices).fold(0, |at, (size, i)| at * size + i) as usize
    }

    fn per_row(&self) -> usize {
        self.spans().count()
    }
}

impl<'c, 'a> Tile<'c, 'a> {
    /// The vectors of the row with these indices.
    pub fn row(&self, indices: &[i64]) -> &[V<'c, 'a>] {
        let n = self.cut.per_row();
        &self.parts[self.cut.row_number(indices) * n..][..n]
    }

    /// One element, as a scalar.
    pub fn element(&self, at: &Cursor<'c, 'a>, indices: &[i64]) -> Result<V<'c, 'a>, Failure> {
        let (lane, leading) = indices.split_last().unwrap_or((&0, &[]));
        let part = self.row(leading)[(lane / self.cut.lanes) as usize];
        extract(at, part, lane % self.cut.lanes, self.cut.element)
    }

    /// All elements as scalars, in row-major order.
    pub fn elements(&self, at: &Cursor<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
        let mut elements = vec![];
        let lanes = self.cut.rows().into_iter().flat_map(|_| self.cut.spans()).map(|(_, lanes)| lanes);
        for (part, lanes) in self.parts.iter().zip(lanes) {
            for lane in 0..lanes {
                elements.push(extract(at, *part, lane, self.cut.element)?);
            }
        }
        Ok(elements)
    }

    /// A tile with the same scalar everywhere.
    pub fn splat(at: &Cursor<'c, 'a>, cut: Cut<'c>, scalar: V<'c, 'a>) -> Result<Self, Failure> {
        let parts = cut.types().into_iter().map(|ty| broadcast(at, scalar, ty)).collect::<Result<_, _>>()?;
        Ok(Self { cut, parts })
    }

    /// A tile of scalars, in row-major order.
    pub fn of_elements(at: &Cursor<'c, 'a>, cut: Cut<'c>, elements: &[V<'c, 'a>]) -> Result<Self, Failure> {
        let mut parts = vec![];
        for row in elements.chunks(cut.row().max(1) as usize) {
            for (from, lanes) in cut.spans() {
                let lanes_of_part = &row[from as usize..(from + lanes) as usize];
                parts.push(at.op("vector.from_elements", lanes_of_part, cut.vector(lanes))?);
            }
        }
        Ok(Self { cut, parts })
    }

    /// A constant tile.
    pub fn constant(at: &Cursor<'c, 'a>, cut: Cut<'c>, value: Attribute<'c>) -> Result<Self, Failure> {
        let dense = DenseElementsAttribute::try_from(value)?;
        if dense.is_splat() {
            let element = dense.splat_value();
            let parts = cut
                .types()
                .into_iter()
                .map(|ty| at.constant(ty, DenseElementsAttribute::splat(ty, element).into()))
                .collect::<Result<_, _>>()?;
            return Ok(Self { cut, parts });
        }
        // One vector of all elements, of which the parts are slices; folding makes constants of them.
        let count: i64 = cut.shape.iter().product();
        let ty = cut.vector(count);
        let all = at.constant(ty, dense.reshape(ty).into())?;
        let mut parts = vec![];
        for (number, _) in cut.rows().iter().enumerate() {
            for (from, lanes) in cut.spans() {
                parts.push(slice(at, all, number as i64 * cut.row() + from, lanes, cut.vector(lanes))?);
            }
        }
        Ok(Self { cut, parts })
    }
}

/// A vector with the same scalar in all lanes.
pub(crate) fn broadcast<'c, 'a>(
    at: &Cursor<'c, 'a>,
    scalar: V<'c, 'a>,
    vector: Type<'c>,
) -> Result<V<'c, 'a>, Failure> {
    at.op("vector.broadcast", &[scalar], vector)
}

/// One lane of a vector.
pub(crate) fn extract<'c, 'a>(
    at: &Cursor<'c, 'a>,
    vector: V<'c, 'a>,
    lane: i64,
    element: Type<'c>,
) -> Result<V<'c, 'a>, Failure> {
    let position = at.named("static_position", at.numbers(&[lane]));
    at.with("vector.extract", &[vector], element, &[position])
}

/// Lanes of a vector, from `from` on.
pub(crate) fn slice<'c, 'a>(
    at: &Cursor<'c, 'a>,
    vector: V<'c, 'a>,
    from: i64,
    lanes: i64,
    ty: Type<'c>,
) -> Result<V<'c, 'a>, Failure> {
    if vector.r#type() == ty {
        return Ok(vector);
    }
    let list = |name: &str, value: i64| at.named(name, at.number_list(&[value]));
    let attributes = [list("offsets", from), list("sizes", lanes), list("strides", 1)];
    at.with("vector.extract_strided_slice", &[vector], ty, &attributes)
}
