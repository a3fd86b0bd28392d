//! How a product is computed, where nobody has said it: the rows and columns of the sum that are held in
//! registers, and which factors are packed.

use super::{Factor, words::Words};
use crate::kernel::tile_programs::{
    matmul::Matmul,
    nest::{Nest, usual},
    schedule::{ceil_div, power_of_two},
};
use melior::ir::{TypeLike, ValueLike};
use terrace_dialects::{
    ir::{pass::Failure, shaped::Shaped},
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// How many times as much memory a packed factor may take as what it is computed from.
const MORE: i64 = 4;

/// Elements of a run of lines at most, for the sums of a few rows stay in the first cache; and of what it
/// reads of the right factor, which stays in the second one from one tile of rows to the next.
const RUN: i64 = 2048;
const PANEL: i64 = 128 << 10;

/// The least lanes that a last tile is counted with: half a register takes less time than a whole one.
const PART: i64 = 8;

/// Lanes of a register.
pub(crate) const REGISTER: i64 = 16;

/// Rows at most for which lanes are along what is summed over, and words of that at least for each row: lanes
/// are summed in the end.
const DOT_ROWS: i64 = 64;
const DOT_WORDS: i64 = 10;

/// Checks the options that say what a register tile has at most.
pub(crate) fn most(rows: i64, columns: i64) -> Result<(i64, i64), Failure> {
    let counts = [("dot-m", rows), ("dot-n", columns)];
    match counts.iter().find(|(_, value)| *value < 1) {
        Some((name, value)) => Err(format!("expects a {name} of 1 or more, got {value}").into()),
        None => Ok((rows, columns)),
    }
}

/// Rows and columns of a register tile: at most so many, of columns of 32 bits.
fn tile(product: &Matmul, most: (i64, i64)) -> [i64; 2] {
    let columns = tile_columns(product, most).min(power_of_two(usual(product.sizes[product.n()])));
    [rows(product.sizes[product.m()], most.0), columns]
}

/// The columns of a register tile, where there are as many.
fn tile_columns(product: &Matmul, most: (i64, i64)) -> i64 {
    let words = if product.element.is_f64() { 2 } else { 1 };
    (most.1 / words).max(1)
}

/// A tile of fewer rows and half as many columns more, where that leaves fewer lanes of the last tile unused:
/// of the 49 places of an image, say, one and not 17.
fn wider(product: &Matmul, most: (i64, i64)) -> Option<[i64; 2]> {
    let (columns, n) = (tile_columns(product, most), product.sizes[product.n()]);
    let [now, wider] = [lanes(n, columns, PART), wider_lanes(n, columns)];
    let saves = n != DYNAMIC && n > columns && wider.saturating_mul(20) < now.saturating_mul(19);
    (saves && product.reduced == 1)
        .then(|| [rows(product.sizes[product.m()], most.0 * 2 / 3), columns / 2 * 3])
}

/// The lanes of so many columns in tiles of half as many more than a tile has.
fn wider_lanes(n: i64, tile: i64) -> i64 {
    lanes(n, tile / 2 * 3, PART)
}

/// The lanes that so many columns, copied to be side by side, are multiplied in.
pub(crate) fn copied_lanes(n: i64, tile: i64) -> i64 {
    lanes(n, tile, PART).min(wider_lanes(n, tile))
}

/// The lanes of tiles of so many columns that so many are multiplied in, the last tile in so many at least.
fn lanes(n: i64, tile: i64, least: i64) -> i64 {
    let rest = if n % tile == 0 { 0 } else { power_of_two(n % tile).max(least) };
    (n / tile * tile).saturating_add(rest)
}

/// How the lines of an image are covered by tiles.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    /// How many are one run; None: each its own.
    pub span: Option<i64>,
    /// Lanes that are multiplied for all of them.
    pub lanes: i64,
}

impl Lines {
    /// So many lines, of so many columns, so many elements apart, in tiles of so many columns; a run reads
    /// `depth` times its length.
    pub fn of([lines, width, pitch]: [i64; 3], depth: i64, tile: i64) -> Self {
        let alone =
            Self { span: None, lanes: lanes(usual(width), tile, REGISTER).saturating_mul(usual(lines)) };
        if [lines, width, pitch].contains(&DYNAMIC) || pitch <= 0 {
            return alone;
        }
        let fits = |span: &i64| {
            let run = span.saturating_mul(pitch);
            run <= RUN && run.saturating_mul(usual(depth)) <= PANEL
        };
        let of = |span: i64| {
            let of = |lines: i64| match lines {
                0 => 0,
                lines => lanes((lines - 1) * pitch + width, tile, REGISTER),
            };
            let whole = of(span).saturating_mul(lines / span);
            Self { span: Some(span), lanes: whole.saturating_add(of(lines % span)) }
        };
        // Lines that are left over take code of their own.
        let spans = (2..=lines).take_while(fits).filter(|span| lines % span == 0 || lines > 4 * span).map(of);
        // Equal, lines that are whole tiles need no masks alone, others together.
        let best = spans.chain([alone]).min_by_key(|lines| lines.lanes);
        best.filter(|best| best.lanes < alone.lanes || width % tile != 0).unwrap_or(alone)
    }
}

/// The rows of a register tile: at most `most`, such that tiles come out even, if that does not make them too
/// small.
fn rows(size: i64, most: i64) -> i64 {
    if size == DYNAMIC {
        return most;
    }
    if size <= most {
        return size.max(1);
    }
    let least = ceil_div(most * 4, 7);
    let even = (least..=most).rev().find(|rows| size % rows == 0);
    even.unwrap_or_else(|| ceil_div(size, ceil_div(size, most)))
}

/// Whether a computed factor is packed. Where much fewer elements are read than there are in it (an outer
/// product, the windows of a convolution) it would only take up memory.
fn is_worth_packing(nest: &Nest, own: [usize; 2]) -> bool {
    let used = (0..nest.sizes.len()).filter(|d| own.contains(d) || nest.uses(*d));
    let packed = used.fold(1i64, |n, d| n.saturating_mul(usual(nest.sizes[d])));
    let loads = nest.body.iter().filter_map(|op| loop_::LoadOp::try_from(*op).ok());
    let mut sources = loads.filter_map(|load| Shaped::of(load.source().r#type()));
    sources.any(|source| source.elements().is_none_or(|n| packed / MORE <= n))
}

/// How a product is computed.
pub(crate) struct Choice {
    /// Rows and columns of a register tile.
    pub tile: [i64; 2],
    /// Which factors are packed.
    pub pack: [bool; 2],
    /// Whether factors are words of two bf16.
    pub pairs: bool,
    /// Whether lanes are along what is summed over.
    pub dots: bool,
    /// Indices of the last batch dimension whose columns are one run.
    pub span: Option<i64>,
}

impl Choice {
    /// Decides; `most` has the rows and columns of a register tile at most, `can_pair` whether there are
    /// instructions for pairs.
    pub fn of(product: &Matmul, most: (i64, i64), can_pair: bool) -> Self {
        if product.reduced == 1 && pays_dots(product) {
            Self::dots(product, most, can_pair)
        } else {
            let own = Self::columns(product, most, can_pair);
            Self { tile: wider(product, most).unwrap_or(own.tile), ..own }
        }
    }

    /// Lanes along what is summed over.
    pub fn dots(product: &Matmul, most: (i64, i64), can_pair: bool) -> Self {
        let pairs = can_pair && are_widened(product);
        // Sums, and what is multiplied, are in registers.
        let rows = rows(product.sizes[product.m()], (most.0 / 3).clamp(2, 4));
        Self { tile: [rows, 4], pack: [false; 2], pairs, dots: true, span: None }
    }

    /// Lanes along the columns.
    pub fn columns(product: &Matmul, most: (i64, i64), can_pair: bool) -> Self {
        if product.reduced > 1 {
            return Self::lines(product, most);
        }
        let (tile, pack) = (tile(product, most), [packs_left(product), packs_right(product)]);
        let pairs = can_pair && pack == [true; 2] && are_pairs(product);
        let along = [product.lhs.indices[product.m()], product.lhs.indices[product.k()]];
        let lies = || Words::of(&product.lhs).is_some_and(|words| !words.collides(along));
        Self { tile, pack: [pack[0] && !(pairs && lies()), pack[1]], pairs, dots: false, span: None }
    }

    /// Lanes along the columns, of a sum over several indices whose factors are read as they lie.
    fn lines(product: &Matmul, most: (i64, i64)) -> Self {
        let [rows, columns] = tile(product, most);
        let widest = tile_columns(product, most);
        let own = Self { tile: [rows, columns], pack: [false; 2], pairs: false, dots: false, span: None };
        let Some(pitch) = product.pitch() else { return own };
        let (lines, width) = (product.sizes[product.m() - 1], product.sizes[product.n()]);
        match Lines::of([lines, width, pitch], product.sizes[product.n() + 1], widest).span {
            Some(span) => {
                let run = (span - 1) * pitch + width;
                Self { tile: [rows, widest.min(power_of_two(run))], span: Some(span), ..own }
            }
            None => own,
        }
    }

    /// The same with no factor packed.
    pub fn unpacked(self) -> Self {
        Self { pack: [false; 2], pairs: false, ..self }
    }
}

/// Whether factors can be words of two bf16 along the inner dimension.
fn are_pairs(product: &Matmul) -> bool {
    let inner = product.sizes[product.k()];
    inner != DYNAMIC && inner % 2 == 0 && are_widened(product)
}

/// Whether both factors are bf16 that become f32.
fn are_widened(product: &Matmul) -> bool {
    [&product.lhs, &product.rhs].into_iter().all(Nest::is_widened)
}

/// Whether lanes are along what is summed over: for few rows, for which it takes longer to pack the right
/// factor than to multiply by it.
fn pays_dots(product: &Matmul) -> bool {
    are_few(product.sizes[product.m()], words(product)) && can_dot(product)
}

/// The rows up to which lanes along what is summed over pay, where it is known only when the program runs
/// how many there are.
pub(crate) fn few_rows(product: &Matmul) -> Option<i64> {
    let rows = (words(product) / DOT_WORDS).min(DOT_ROWS);
    let is_open = product.sizes[product.m()] == DYNAMIC && product.reduced == 1;
    (is_open && rows >= 2 && can_dot(product)).then_some(rows)
}

/// The words of 32 bits of what is summed over.
fn words(product: &Matmul) -> i64 {
    let inner = product.sizes[product.k()];
    if are_widened(product) { inner / 2 } else { inner }
}

/// Whether both factors are rows of f32 along what is summed over, or become such.
fn can_dot(product: &Matmul) -> bool {
    let lies = |nest, own| Factor::rows(nest, own).is_some();
    let are_numbers = product.element.is_f32() && !product.words;
    are_numbers && lies(&product.lhs, product.m()) && lies(&product.rhs, product.n())
}

/// Whether there are few rows for so many words of 32 bits that are summed.
pub(crate) fn are_few(rows: i64, words: i64) -> bool {
    (2..=DOT_ROWS).contains(&rows) && words >= DOT_WORDS * rows
}

/// Whether the left factor is packed; if its rows collide, where there are enough columns to pay for it.
fn packs_left(product: &Matmul) -> bool {
    let size = |d: usize| usual(product.sizes[d]);
    product.left().map_or(is_worth_packing(&product.lhs, [product.m(), product.k()]), |a| {
        !a.in_order() || a.collides() && size(product.k()) > 64 && size(product.n()) >= 128
    })
}

/// Whether the right factor is packed; if its rows collide, where a panel would not stay in the cache from
/// one tile of rows to the next.
fn packs_right(product: &Matmul) -> bool {
    let size = |d: usize| usual(product.sizes[d]);
    product.right().map_or(is_worth_packing(&product.rhs, [product.k(), product.n()]), |b| {
        let as_it_lies = b.in_order() && b.has_contiguous_rows();
        !as_it_lies || b.collides() && size(product.k()) > 256 && size(product.m()) >= 64
    })
}
