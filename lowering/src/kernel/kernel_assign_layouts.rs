//! The pass `kernel-assign-layouts`: how the tiles of a kernel lie in the threads of a block.
//!
//! Tiles that have to be laid out alike are one group: what is computed element by element, what a loop
//! carries. The verifier sees to it that a group has a layout as a whole or not at all. A group without one
//! gets what a reduction, a broadcast or a product at its edge makes of the layout at the other side, else
//! the default for its shape; an edge where the two sides then differ becomes a conversion.

use crate::{kernel::tiles::tile::is_tile, options::KernelAssignLayouts as Options};
use melior::ir::{Attribute, OperationRef, RegionLike, Type, ValueLike, attribute::DenseElementsAttribute};
use std::collections::HashMap;
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        operations::{self, arguments, collect, name_of, refuse},
        pass::Failure,
        rewrite::{replace_uses_except, set_attribute, set_operand},
        shaped::Shaped,
        types::bytes,
    },
    loops::layout::{Layout, MAX_THREADS, WARP, with_layout},
    ops::kernel,
};

/// Threads of a block where nobody says how many.
const DEFAULT_THREADS: std::ops::RangeInclusive<i64> = WARP..=256;

/// Tiles that are laid out alike.
struct Group<'c> {
    /// The layout, once it is there.
    layout: Option<Layout>,
    /// Whether it was written already.
    written: bool,
    /// Whether its layout is being chosen.
    choosing: bool,
    shape: Vec<i64>,
    /// Bytes of the widest element that is moved from or to memory.
    width: i64,
    /// What it may get its layout from: a group, and what becomes of that one's layout.
    sources: Vec<(usize, Follow)>,
    tiles: Vec<V<'c, 'c>>,
}

/// The tiles of a kernel.
struct Tiles<'c> {
    numbers: HashMap<usize, usize>,
    values: Vec<V<'c, 'c>>,
    /// A tile of the same group with a smaller number, or itself.
    leaders: Vec<usize>,
    operations: Vec<OperationRef<'c, 'c>>,
}

fn shape(ty: Type) -> Vec<i64> {
    Shaped::of(ty).map(|shaped| shaped.shape).unwrap_or_default()
}

/// The bytes of an element in memory.
fn width(ty: Type) -> i64 {
    Shaped::of(ty).and_then(|shaped| bytes(shaped.element)).unwrap_or(1)
}

impl<'c> Tiles<'c> {
    fn of(kernel: OperationRef<'c, 'c>) -> Self {
        let operations = collect(kernel, |_| true);
        let mut tiles = Self { numbers: HashMap::new(), values: vec![], leaders: vec![], operations };
        for op in tiles.operations.clone() {
            for region in op.regions() {
                region.first_block().into_iter().flat_map(arguments).for_each(|value| tiles.add(value));
            }
            op.results().for_each(|result| tiles.add(result.into()));
        }
        for op in tiles.operations.clone() {
            tiles.join_around(op);
        }
        tiles
    }

    fn add(&mut self, value: V<'c, 'c>) {
        if is_tile(value.r#type()) {
            self.numbers.insert(value.to_raw().ptr as usize, self.values.len());
            self.leaders.push(self.values.len());
            self.values.push(value);
        }
    }

    /// The group of a tile, by the number of its first one.
    fn leader(&self, value: V) -> Option<usize> {
        let mut number = *self.numbers.get(&(value.to_raw().ptr as usize))?;
        while self.leaders[number] != number {
            number = self.leaders[number];
        }
        Some(number)
    }

    fn join(&mut self, a: V, b: V) {
        if let (Some(a), Some(b)) = (self.leader(a), self.leader(b)) {
            self.leaders[a.max(b)] = a.min(b);
        }
    }

    fn join_all(&mut self, values: Vec<V<'c, 'c>>) {
        let tiles: Vec<_> = values.into_iter().filter(|value| is_tile(value.r#type())).collect();
        tiles.windows(2).for_each(|pair| self.join(pair[0], pair[1]));
    }

    /// What an operation carries on: the values at the same place are one.
    fn carry(&mut self, from: Vec<V<'c, 'c>>, to: Vec<V<'c, 'c>>) {
        from.into_iter().zip(to).for_each(|(from, to)| self.join(from, to));
    }

    fn join_around(&mut self, op: OperationRef<'c, 'c>) {
        let operands: Vec<V> = op.operands().collect();
        let results: Vec<V> = op.results().map(Into::into).collect();
        let blocks: Vec<_> = op.regions().filter_map(|region| region.first_block()).collect();
        let ends = |i: usize| -> Vec<V> {
            blocks.get(i).and_then(|b| b.terminator()).map_or(vec![], |end| end.operands().collect())
        };
        let inside =
            |i: usize| -> Vec<V> { blocks.get(i).copied().map_or(vec![], |b| arguments(b).collect()) };
        match name_of(op) {
            "scf.for" => {
                let carried: Vec<V> = inside(0).into_iter().skip(1).collect();
                self.carry(operands.into_iter().skip(3).collect(), carried.clone());
                self.carry(ends(0), carried.clone());
                self.carry(results, carried);
            }
            "scf.while" => {
                let passed: Vec<V> = ends(0).into_iter().skip(1).collect();
                self.carry(operands, inside(0));
                self.carry(ends(1), inside(0));
                self.carry(passed.clone(), inside(1));
                self.carry(passed, results);
            }
            "scf.if" => (0..blocks.len()).for_each(|i| self.carry(ends(i), results.clone())),
            "kernel.dot" => self.carry(operands.into_iter().skip(2).collect(), results),
            "kernel.gather" | "kernel.scatter" | "kernel.atomic" => {
                self.join_all([operands, results].concat())
            }
            name if name.starts_with("arith.") || name.starts_with("math.") => {
                self.join_all([operands, results].concat());
            }
            _ => {}
        }
    }

    /// The groups, by the number of their first tile.
    fn groups(&self) -> HashMap<usize, Group<'c>> {
        let mut groups: HashMap<usize, Group> = HashMap::new();
        for value in &self.values {
            let Some(leader) = self.leader(*value) else { continue };
            let layout = Layout::of(value.r#type());
            let group = groups.entry(leader).or_insert_with(|| Group {
                written: layout.is_some(),
                layout,
                choosing: false,
                shape: shape(value.r#type()),
                width: 0,
                sources: vec![],
                tiles: vec![],
            });
            group.tiles.push(*value);
        }
        for op in &self.operations {
            let moved = match name_of(*op) {
                "kernel.load" | "kernel.gather" => op.result_at(0).ok().map(Into::into),
                "kernel.store" | "kernel.scatter" | "kernel.atomic" => op.operand(0).ok(),
                _ => None,
            };
            if let Some(group) = moved.and_then(|tile: V| groups.get_mut(&self.leader(tile)?)) {
                group.width = moved.map_or(0, |tile| width(tile.r#type())).max(group.width);
            }
            for edge in edges(*op) {
                if let (Some(large), Some(small)) = (self.leader(edge.large), self.leader(edge.small))
                    && let Some(group) = groups.get_mut(&small)
                {
                    group.sources.push((large, edge.follow));
                }
            }
        }
        groups
    }
}

/// Where one layout follows from another: that of `small` from that of `large`.
struct Edge<'c> {
    large: V<'c, 'c>,
    small: V<'c, 'c>,
    follow: Follow,
    /// The operand that `small` is; None: it is the result.
    operand: Option<usize>,
}

/// How a layout follows from another.
#[derive(Clone)]
enum Follow {
    /// These dimensions are gone.
    Without(Vec<usize>),
    /// Of an accumulator, for a factor: along this dimension each thread holds all, so many elements.
    Factor(usize, i64),
}

impl Follow {
    fn of(&self, layout: &Layout) -> Layout {
        match self {
            Follow::Without(gone) => layout.sliced(gone),
            Follow::Factor(dim, size) => layout.factor(*dim, *size),
        }
    }
}

fn edges<'c>(op: OperationRef<'c, 'c>) -> Vec<Edge<'c>> {
    let Some(result) = op.result_at(0).ok().map(V::from) else { return vec![] };
    if let Ok(reduce) = kernel::ReduceOp::try_from(op) {
        let without = |dim| Follow::Without(vec![dim as usize]);
        let edge = |follow| Edge { large: reduce.tile(), small: result, follow, operand: None };
        return reduce.dim().map(without).map(edge).into_iter().collect();
    }
    if let Ok(broadcast) = kernel::BroadcastOp::try_from(op) {
        let dims = broadcast.dims();
        let gone = (0..shape(result.r#type()).len()).filter(|d| !dims.contains(&(*d as i64))).collect();
        let follow = Follow::Without(gone);
        return vec![Edge { large: result, small: broadcast.tile(), follow, operand: Some(0) }];
    }
    let Ok(dot) = kernel::DotOp::try_from(op) else { return vec![] };
    let inner = shape(dot.lhs().r#type()).get(1).copied().unwrap_or(1);
    let factor = |operand: usize, small, dim| Edge {
        large: result,
        small,
        follow: Follow::Factor(dim, inner),
        operand: Some(operand),
    };
    vec![factor(0, dot.lhs(), 1), factor(1, dot.rhs(), 0)]
}

/// The layout that suits a shape: vectors of so many elements at most, threads along the last dimension
/// first.
fn default_layout(shape: &[i64], threads: i64, most: i64) -> Layout {
    let Some(last) = shape.last() else {
        return Layout { without: vec![0], ..Layout::new(vec![threads], vec![1]) };
    };
    let elements = shape.iter().fold(1i64, |n, size| n.saturating_mul(*size));
    let most = most.min(elements / threads).max(1);
    let mut vector = vec![1; shape.len()];
    vector[shape.len() - 1] =
        (0..).map(|i| 1 << i).take_while(|v| *v <= most && last % v == 0).last().unwrap_or(1);
    let (mut counts, mut rest) = (vec![1; shape.len()], threads);
    for d in (0..shape.len()).rev() {
        let vectors = (shape[d] / vector[d]).max(1) as u64;
        counts[d] = (vectors.next_power_of_two() as i64).min(rest);
        rest /= counts[d];
    }
    counts[0] *= rest;
    Layout::new(counts, vector)
}

/// Chooses the layout of a group, and first that of those it follows from.
fn choose(groups: &mut HashMap<usize, Group>, number: usize, threads: i64, bytes: i64) -> Option<Layout> {
    let group = groups.get_mut(&number)?;
    if group.layout.is_some() || group.choosing {
        return group.layout.clone();
    }
    group.choosing = true;
    let sources = group.sources.clone();
    let from = sources
        .into_iter()
        .find_map(|(large, follow)| Some(follow.of(&choose(groups, large, threads, bytes)?)));
    let group = groups.get_mut(&number)?;
    let width = if group.width == 0 { 4 } else { group.width };
    let layout = from.unwrap_or_else(|| default_layout(&group.shape, threads, bytes / width));
    group.layout = Some(layout.clone());
    Some(layout)
}

/// The threads that suit the largest tile of a kernel, within limits: each has so many bytes of what is
/// loaded or stored of it, where its elements have four bytes or fewer.
fn suitable(tiles: &Tiles, groups: &HashMap<usize, Group>, bytes: i64) -> i64 {
    let elements = |shape: &[i64]| shape.iter().fold(1i64, |n, size| n.saturating_mul(*size));
    let largest = tiles.values.iter().map(|value| elements(&shape(value.r#type()))).max().unwrap_or(1);
    let widths = groups.values().filter(|group| elements(&group.shape) == largest).map(|group| group.width);
    let width = widths.max().filter(|width| *width > 0).unwrap_or(4).min(4);
    let threads = (largest / (bytes / width).max(1)).clamp(*DEFAULT_THREADS.start(), *DEFAULT_THREADS.end());
    (threads as u64).next_power_of_two() as i64
}

/// Blocks from which on there are enough of them for twice the work of a thread: eight for each of 132
/// multiprocessors. What threads of a block tell each other is then for twice as many elements.
const MANY_BLOCKS: i64 = 1056;

/// Whether a kernel has many blocks, as far as its type says.
fn is_large(kernel: OperationRef) -> bool {
    let grid = kernel::FuncOp::try_from(kernel).map(|own| own.grid()).unwrap_or_default();
    grid.iter().all(|size| *size >= 0)
        && grid.iter().fold(1i64, |n, size| n.saturating_mul(*size)) >= MANY_BLOCKS
}

/// Changes the type of a tile, and what its operation says of it.
fn assign<'c>(value: V<'c, 'c>, layout: Attribute<'c>) {
    let ty = with_layout(value.r#type(), Some(layout));
    value.set_type(ty);
    let Some(result) = operations::result(value) else { return };
    let op = result.owner();
    if kernel::LoadOp::try_from(op).is_ok() {
        set_attribute(op, "layout", layout);
    }
    if name_of(op) == "arith.constant"
        && let Ok(value) = op.attribute("value")
        && let Ok(value) = DenseElementsAttribute::try_from(value)
    {
        set_attribute(op, "value", value.reshape(ty).into());
    }
}

/// Puts a conversion where the small side of an edge is not laid out as the large one says.
fn convert<'c>(op: OperationRef<'c, 'c>, edge: Edge<'c>) -> Result<(), Failure> {
    let (Some(large), Some(own)) = (Layout::of(edge.large.r#type()), Layout::of(edge.small.r#type())) else {
        return Ok(());
    };
    let wanted = edge.follow.of(&large);
    if wanted == own {
        return Ok(());
    }
    let at = Cursor::before(op)?;
    let (ty, wanted) = (edge.small.r#type(), wanted.attribute(at.context)?);
    let wanted = with_layout(ty, Some(wanted));
    if let Some(operand) = edge.operand {
        let converted = at.op("kernel.convert_layout", &[edge.small], wanted)?;
        set_operand(op, operand, converted);
        return Ok(());
    }
    edge.small.set_type(wanted);
    let at = match op.next_in_block() {
        Some(next) => Cursor::before(next)?.of(op.location()),
        None => return Err("has a reduction at the end of a block".into()),
    };
    let converted = at.build("kernel.convert_layout", &[edge.small], &[ty], &[], vec![])?;
    replace_uses_except(edge.small, converted.result_at(0)?, converted);
    Ok(())
}

/// Gives every tile of a kernel a layout.
fn lay_out<'c>(kernel: OperationRef<'c, 'c>, options: &Options) -> Result<(), Failure> {
    let tiles = Tiles::of(kernel);
    for op in &tiles.operations {
        for result in op.results().filter(|result| is_tile(result.r#type())) {
            let ty = result.r#type();
            if shape(ty).iter().any(|size| *size < 1) {
                return Err(refuse(*op, &format!("makes {ty}: a tile has one element at least")));
            }
        }
    }
    let written =
        tiles.values.iter().find_map(|value| Layout::of(value.r#type())).map(|layout| layout.count());
    let mut groups = tiles.groups();
    let threads = match options.threads {
        0 => written.unwrap_or_else(|| {
            let threads = suitable(&tiles, &groups, options.vector);
            if is_large(kernel) { (threads / 2).max(4 * WARP).min(threads) } else { threads }
        }),
        threads => written.unwrap_or(threads),
    };
    let mut numbers: Vec<usize> = groups.keys().copied().collect();
    numbers.sort();
    for number in numbers {
        let layout = choose(&mut groups, number, threads, options.vector)
            .ok_or(internal!("has a tile of no group"))?;
        let group = &groups[&number];
        if !group.written {
            let layout = layout.attribute(Cursor::before(kernel)?.context)?;
            group.tiles.iter().for_each(|value| assign(*value, layout));
        }
    }
    for op in &tiles.operations {
        edges(*op).into_iter().try_for_each(|edge| convert(*op, edge))?;
    }
    Ok(())
}

/// Gives every tile of every kernel a layout.
pub fn run(module: OperationRef, options: &Options) -> Result<(), Failure> {
    let power = |n: i64| n > 0 && n & (n - 1) == 0;
    if options.threads != 0 && !(power(options.threads) && (WARP..=MAX_THREADS).contains(&options.threads)) {
        return Err(format!(
            "expects threads of a power of two from {WARP} to {MAX_THREADS}, or 0, got {}",
            options.threads
        )
        .into());
    }
    if !power(options.vector) {
        return Err(format!("expects a vector of a power of two bytes, got {}", options.vector).into());
    }
    let kernels = collect(module, |op| name_of(op) == "kernel.func");
    kernels.into_iter().try_for_each(|kernel| lay_out(kernel, options))
}
