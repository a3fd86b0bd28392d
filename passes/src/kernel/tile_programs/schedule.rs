//! Which dimension of a domain becomes the lanes of tiles, and which become the grid.
//!
//! The vector dimension is the one along which accesses are cheapest: neighbours in memory best, one element
//! for all lanes nearly free, anything else an access per lane. Of the other dimensions the innermost are
//! loops inside the kernel until a grid point has `grain` elements to work on; what is left is the grid. The
//! dimension of a scan is the innermost loop. Where the nest itself says its order or tile, that is what is
//! done, but for dimensions that run in order: these are loops inside the kernel, without lanes. What
//! [crosses](super::crossing) the lanes is loaded in blocks.
//!
//! A size that is known when the program runs counts as a [usual](USUAL) one; however large it is, no grid
//! point has more of it than it has of a large one that is known, but of a dimension that runs in order.

use super::{
    access::{Access, Pattern},
    crossing::{Crossing, crossed},
    nest::{Kind, Nest, USUAL, usual},
    stream::Stream,
};
use std::{cmp::Reverse, collections::HashSet};
use terrace_dialects::{
    ir::{
        cursor::{Cursor, V},
        extent::Extent,
        operations::key,
        pass::Failure,
        types::is_float,
    },
    loops::{combiners, scatters::Meeting},
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// The elements of a vector register that costs are counted for.
const REGISTER: i64 = 16;

/// Points beside the lanes that a grid point is taken to have, where there are as many.
const ROWS: i64 = 16;

/// How a dimension of the outer domain is run through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// A grid point for each index.
    Grid,
    /// A grid point for this many.
    Block(i64),
    /// A loop inside the kernel.
    Inside,
}

impl Level {
    /// The level of a dimension of which a grid point has `tile` indices.
    pub fn of((tile, size): (&i64, &i64)) -> Self {
        match *tile {
            tile if tile == *size || *size != DYNAMIC && tile > *size => Level::Inside,
            1 => Level::Grid,
            tile => Level::Block(tile),
        }
    }
}

/// How much is done at once.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Elements of a tile at most: a power of two.
    pub tile: i64,
    /// Elements that a grid point works on at least, where there are as many.
    pub grain: i64,
    /// Grid points that there are to be at least, before one works on more.
    pub blocks: i64,
    /// Rows of a block of a load that crosses the lanes; 0: such lanes are gathered.
    pub cross: i64,
    /// Whether the lanes may be along a scan.
    pub scan: bool,
    /// What points of a scatter are combined in any order.
    pub unordered: Unordered,
    /// Bytes of a sum of columns from which on it goes a few rows at a time.
    pub stream: i64,
    /// Whether there are instructions for pairs of bf16.
    pub pairs: bool,
}

/// What may be combined in any order, by atomic operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Unordered {
    /// Nothing: points that may meet follow each other, in one grid point.
    #[default]
    Nothing,
    /// Integers, which come to the same in any order.
    Integers,
    /// Floats, too: their sums differ in the last digits from run to run.
    All,
}

impl Limits {
    /// Checks the options that say so.
    pub fn new(tile: i64, grain: i64, cross: i64) -> Result<Self, Failure> {
        if tile < 1 || tile & (tile - 1) != 0 {
            return Err(format!("expects a tile of a power of two elements, got {tile}").into());
        }
        if grain < 1 {
            return Err(format!("expects a grain of 1 or more, got {grain}").into());
        }
        if cross != 0 && (cross < 1 || cross & (cross - 1) != 0) {
            return Err(format!("expects blocks of a power of two rows, or of 0, got {cross}").into());
        }
        Ok(Self {
            tile,
            grain,
            blocks: 1,
            cross,
            scan: false,
            unordered: Unordered::Nothing,
            stream: i64::MAX,
            pairs: false,
        })
    }
}

impl Limits {
    /// The same, with the lanes along scans or not.
    pub fn scanning(self, scan: bool) -> Self {
        Self { scan, ..self }
    }

    /// The same, with instructions for pairs of bf16 or without.
    pub fn pairing(self, pairs: bool) -> Self {
        Self { pairs, ..self }
    }

    /// The same, with sums of columns a few rows at a time from so many bytes on.
    pub fn streaming(self, stream: i64) -> Self {
        Self { stream, ..self }
    }

    /// The same, with what is combined in any order.
    pub fn unordered(self, unordered: &str) -> Result<Self, Failure> {
        let unordered = match unordered {
            "nothing" => Unordered::Nothing,
            "integers" => Unordered::Integers,
            "all" => Unordered::All,
            other => return Err(format!("expects nothing, integers or all, got {other}").into()),
        };
        Ok(Self { unordered, ..self })
    }

    /// Whether the points of a nest may be combined in any order.
    fn atomic(self, nest: &Nest) -> bool {
        let Kind::Scatter(Meeting::Combined(combiner)) = nest.kind else { return false };
        let element = nest.element_type();
        combiners::is_atomic(combiner, element)
            && match self.unordered {
                Unordered::Nothing => false,
                Unordered::Integers => !is_float(element),
                Unordered::All => true,
            }
    }

    /// The same, with so many grid points at least.
    pub fn blocks(self, blocks: i64) -> Result<Self, Failure> {
        if blocks < 1 {
            return Err(format!("expects one block or more, got {blocks}").into());
        }
        Ok(Self { blocks, ..self })
    }

    /// The same for a loop of dimensions of these sizes, at each point of which `work` elements are worked
    /// on: a grid point works on fewer where there would not be enough of them.
    pub fn for_loop(self, sizes: &[i64], work: i64) -> Self {
        if self.blocks == 1 {
            return self;
        }
        let all = sizes.iter().fold(work, |n, size| n.saturating_mul(usual(*size)));
        Self { grain: (all / self.blocks).clamp(1, self.grain), ..self }
    }
}

/// The decisions for a nest.
pub(crate) struct Schedule<'c, 'a> {
    /// The dimension whose indices are the lanes of a tile; None where there is one point, or a handful of
    /// scalars.
    pub vector: Option<usize>,
    /// Elements of a tile: a power of two.
    pub lanes: i64,
    /// One entry for each dimension of the outer domain.
    pub levels: Vec<Level>,
    /// The dimensions of the outer domain, from the outermost loop inwards.
    pub outer: Vec<usize>,
    /// Those of the inner domain.
    pub inner: Vec<usize>,
    /// Loads that are brought into memory before they are read.
    pub crossing: Option<Crossing<'c, 'a>>,
    /// Whether points of a scatter are combined with what is there in one step, in any order.
    pub atomic: bool,
    /// Whether sums of columns go a few rows at a time.
    pub stream: Option<Stream>,
}

/// `n` divided by `d`, rounded up.
pub(crate) fn ceil_div(n: i64, d: i64) -> i64 {
    n / d + i64::from(n % d != 0)
}

/// The next multiple of `d`.
pub(crate) fn round_up(n: i64, d: i64) -> i64 {
    ceil_div(n, d) * d
}

/// The lanes of a tile for `n` indices: whole registers, halves of one for the last; a power of two up to a
/// register, and where there are more than four registers hold.
pub(crate) fn lanes_for(n: i64) -> i64 {
    match n {
        n if n <= REGISTER || n > 4 * REGISTER => power_of_two(n),
        n => round_up(n, REGISTER / 2),
    }
}

/// The least power of two that is not below `n`.
pub(crate) fn power_of_two(n: i64) -> i64 {
    (n.max(1) as u64).next_power_of_two() as i64
}

impl<'c: 'a, 'a> Schedule<'c, 'a> {
    /// Decides; `nest` has no empty outer dimension.
    pub fn of(nest: &Nest<'c, 'a>, limits: Limits) -> Self {
        let at_once = limits.atomic(nest).then(|| vec![false; nest.outer]);
        let lanes = |in_order: &[bool]| {
            lanes_of(nest, in_order, (limits.cross != 0, limits.scan)).map(|d| spread(nest, d, limits))
        };
        let apart = at_once.filter(|at_once| lanes(at_once).is_some_and(|d| nest.stores_along(d)));
        let atomic = apart.is_some();
        let in_order = apart.unwrap_or_else(|| nest.in_order());
        let vector = lanes(&in_order);
        let in_order = |d: usize| in_order.get(d) == Some(&true);
        let order = nest.order.clone().unwrap_or_else(|| (0..nest.sizes.len()).collect());
        let (mut outer, inner): (Vec<usize>, _) = order.into_iter().partition(|d| *d < nest.outer);
        // The last of several points is one of row-major order.
        let mut ascending = (0..nest.outer).filter(|d| in_order(*d));
        outer.iter_mut().filter(|d| in_order(**d)).zip(&mut ascending).for_each(|(d, next)| *d = next);
        // Threads scan a row in pairs, and pairs of pairs.
        let lanes_along = |d: usize| match usual(nest.sizes[d]) {
            n if nest.scanned() == Some(d) => limits.tile.min(power_of_two(n)),
            n => limits.tile.min(lanes_for(n)),
        };
        let mut lanes = vector.map_or(1, lanes_along);
        let crossing = vector.and_then(|d| Crossing::of(nest, d, (lanes, limits.cross)));
        lanes = crossing.as_ref().map_or(lanes, |crossing| crossing.lanes);
        let mut levels = match &nest.tile {
            None => levels(nest, (vector, lanes), in_order, limits.grain),
            Some(tile) => {
                let level = |d: usize| {
                    if in_order(d) { Level::Inside } else { Level::of((&tile[d], &nest.sizes[d])) }
                };
                (0..nest.outer).map(level).collect()
            }
        };
        if let (Some(crossing), Some(vector), None) = (&crossing, vector, &nest.tile) {
            [levels[vector], levels[crossing.dim]] = crossing.levels(nest, vector, limits.grain);
        }
        let stream = Stream::of(nest, vector, lanes, limits);
        if let (Some(stream), Some(d)) = (&stream, vector) {
            levels[d] = Level::of((&stream.columns.min(nest.sizes[d]), &nest.sizes[d]));
        }
        // Whole strips: the next block begins where the last strip ends.
        match vector.and_then(|d| levels.get(d)) {
            Some(Level::Block(block)) => lanes = lanes.min(1 << block.trailing_zeros()),
            Some(Level::Grid) => lanes = 1,
            Some(Level::Inside) | None => {}
        }
        let crossing = crossing.filter(|own| own.lanes == lanes && own.fits(levels[own.dim]));
        Self { vector, lanes, levels, outer, inner, crossing, atomic, stream }
    }

    /// The vector dimension where it is one of the outer domain.
    pub fn outer_vector(&self) -> Option<usize> {
        self.vector.filter(|d| *d < self.levels.len())
    }

    /// The sizes of the grid, from the outermost dimension inwards; what is computed for them is written at
    /// `host`.
    pub fn grid(
        &self,
        host: &Cursor<'c, 'a>,
        sizes: &[Extent<'c, 'a>],
    ) -> Result<Vec<Extent<'c, 'a>>, Failure> {
        let (levels, sizes) = self.ordered(sizes);
        grid(host, &levels, &sizes)
    }

    /// The levels and sizes of the outer dimensions, from the outermost inwards.
    pub fn ordered<T: Copy>(&self, sizes: &[T]) -> (Vec<Level>, Vec<T>) {
        self.outer.iter().map(|d| (self.levels[*d], sizes[*d])).unzip()
    }
}

/// The sizes of the grid, in the order of the levels; what is computed for them is written at `host`.
pub(crate) fn grid<'c, 'a>(
    host: &Cursor<'c, 'a>,
    levels: &[Level],
    sizes: &[Extent<'c, 'a>],
) -> Result<Vec<Extent<'c, 'a>>, Failure> {
    let mut grid = vec![];
    for (level, size) in levels.iter().zip(sizes) {
        match level {
            Level::Grid => grid.push(*size),
            Level::Block(block) => grid.push(host.ceil_div(*size, *block)?),
            Level::Inside => {}
        }
    }
    Ok(grid)
}

/// The dimension whose indices are the lanes of a tile, of those that do not run in order; where loads that
/// cross the lanes come in blocks or do not, and lanes may be along a scan or not.
pub(crate) fn lanes_of<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    in_order: &[bool],
    (crosses, scan): (bool, bool),
) -> Option<usize> {
    let scanned = nest.scanned().filter(|_| scan && nest.scans_lanes());
    let has_lanes = |d: &usize| {
        let combines = *d < nest.outer || nest.combines_lanes();
        usual(nest.sizes[*d]) > 1 && (in_order.get(*d) != Some(&true) || scanned == Some(*d)) && combines
    };
    match &nest.order {
        Some(order) => order.last().copied().filter(has_lanes),
        None => {
            let varying: Vec<_> = (0..nest.sizes.len()).map(|d| nest.varying(Some(d))).collect();
            let cost = |d: usize| cost(nest, d, &varying, crosses);
            (0..nest.sizes.len()).filter(has_lanes).min_by_key(|d| (cost(*d), Reverse(*d)))
        }
    }
}

/// The dimension of the lanes, `vector` but for a reduction to few elements, or a scan of few rows, where
/// many grid points are wanted: lanes along what is combined leave a grid point for each element or row,
/// though what they read lies apart.
fn spread(nest: &Nest, vector: usize, limits: Limits) -> usize {
    if vector >= nest.outer || limits.blocks == 1 || nest.order.is_some() {
        return vector;
    }
    let along = match nest.kind {
        Kind::Reduction(_) if nest.combines_lanes() => {
            (nest.outer..nest.sizes.len()).max_by_key(|d| usual(nest.sizes[*d]))
        }
        Kind::Scan(scan) if limits.scan && nest.scans_lanes() => Some(scan.dim),
        _ => None,
    };
    let outer = (0..nest.outer).filter(|d| along != Some(*d));
    let points = outer.fold(1i64, |n, d| n.saturating_mul(usual(nest.sizes[d])));
    let lanes = limits.tile.min(lanes_for(usual(nest.sizes[vector])));
    let is_worth = |d: &usize| usual(nest.sizes[*d]) >= 2 * REGISTER && points / lanes < limits.blocks / 4;
    along.filter(is_worth).unwrap_or(vector)
}

/// What the accesses of a nest cost with the lanes along a dimension, in hundredths of a vector access a
/// point; `all` has what varies along each dimension.
fn cost<'c: 'a, 'a>(nest: &Nest<'c, 'a>, vector: usize, all: &[HashSet<usize>], crosses: bool) -> i64 {
    let varying = &all[vector];
    let index = nest.indices[vector];
    let crosses = crosses && vector < nest.outer;
    let one = |access: &Access| {
        let pattern = access.pattern(index, varying);
        match (pattern, access.stride(pattern)) {
            (Pattern::Uniform, _) => 30,
            (Pattern::Range { .. }, Some(0 | 1)) => 100,
            (Pattern::Range { .. }, Some(-1)) => 150,
            // All elements between them are loaded, and the lanes picked out of these.
            (Pattern::Range { .. }, Some(apart @ 2..=4)) => 130 * apart,
            (Pattern::Range { .. }, _) if crosses && crossed(nest, access, vector).is_some() => 250,
            (Pattern::Range { .. }, _) => 1000,
            (Pattern::Any, _) if access.side_by_side(index, varying).is_some() => 200,
            (Pattern::Any, _) if access.has_steps(index, varying, REGISTER) => 200,
            (Pattern::Any, _) => 1200,
        }
    };
    // What no other dimension moves is loaded once for all that a grid point has of them.
    let rows = (0..nest.outer).filter(|d| *d != vector).map(|d| usual(nest.sizes[d]));
    let rows = rows.fold(1i64, i64::saturating_mul).min(ROWS);
    let is_moved = |value: V<'c, 'a>| {
        let mut others = all.iter().enumerate().filter(|(d, _)| *d != vector);
        others.any(|(_, varying)| varying.contains(&key(value)))
    };
    let loads = nest.body.iter().filter_map(|op| loop_::LoadOp::try_from(*op).ok()).map(|load| {
        let access = nest.load(load);
        let is_once = !access.used().chain(access.mask).any(is_moved);
        one(&access) / if is_once { rows } else { 1 }
    });
    let loads: i64 = loads.sum();
    let inner = nest.reduced_points();
    // Shuffles.
    let own = if nest.scanned() == Some(vector) { 410 } else { 10 };
    let ends = if vector < nest.outer {
        // A scattered store costs more than a gathered load.
        one(&nest.store) * 3 / 2 / inner.max(1)
    } else {
        // The lanes of an accumulator are combined once for all points of the inner domain.
        1000 / (inner / REGISTER).max(1)
    };
    let size = usual(nest.sizes[vector]);
    (loads + ends + own) * round_up(size, REGISTER) / size
}

fn levels(
    nest: &Nest,
    (vector, lanes): (Option<usize>, i64),
    in_order: impl Fn(usize) -> bool,
    grain: i64,
) -> Vec<Level> {
    let mut levels = vec![Level::Grid; nest.outer];
    let mut work = match nest.kind {
        Kind::Reduction(_) => nest.reduced_points().max(1),
        Kind::Pointwise | Kind::Scatter(_) | Kind::Scan(_) => 1,
    };
    for d in (0..nest.outer).filter(|d| in_order(*d)) {
        levels[d] = Level::Inside;
        work = usual(nest.sizes[d]).saturating_mul(work);
    }
    if let Some(d) = vector.filter(|d| *d < nest.outer && !in_order(*d)) {
        let size = nest.sizes[d];
        if size == DYNAMIC {
            let block = round_up((grain / work).max(1), lanes);
            levels[d] = Level::Block(block);
            work = work.saturating_mul(block.min(USUAL));
        } else if size.saturating_mul(work) <= grain.saturating_mul(2) {
            levels[d] = Level::Inside;
            work *= size;
        } else {
            // Blocks of equal size, in whole tiles.
            let most = round_up((grain / work).max(1), lanes);
            let block = round_up(ceil_div(size, ceil_div(size, most)), lanes);
            levels[d] = if block >= size { Level::Inside } else { Level::Block(block) };
            work = work.saturating_mul(block);
        }
    }
    let rest = (0..nest.outer).rev().filter(|d| Some(*d) != vector && !in_order(*d));
    fill(&mut levels, &nest.sizes, rest, work, grain);
    levels
}

/// The levels of dimensions without lanes, where each point is `work` elements.
pub(crate) fn levels_of(sizes: &[i64], work: i64, grain: i64) -> Vec<Level> {
    let mut levels = vec![Level::Grid; sizes.len()];
    fill(&mut levels, sizes, (0..sizes.len()).rev(), work, grain);
    levels
}

/// Decides for dimensions, from the innermost outwards, until a grid point has enough to do.
fn fill(
    levels: &mut [Level],
    sizes: &[i64],
    dimensions: impl Iterator<Item = usize>,
    mut work: i64,
    grain: i64,
) {
    for d in dimensions {
        let (size, most) = (sizes[d], grain / work);
        if size == DYNAMIC {
            if most >= 2 {
                levels[d] = Level::Block(most);
            }
            work = grain.max(work).saturating_add(1);
        } else if size == 1 {
            levels[d] = Level::Inside;
        } else if most >= size {
            levels[d] = Level::Inside;
            work *= size;
        } else {
            if most >= 2 {
                levels[d] = Level::Block(ceil_div(size, ceil_div(size, most)));
            }
            work = grain.max(work).saturating_add(1);
        }
    }
}
