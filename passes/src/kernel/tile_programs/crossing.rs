//! Loads that cross the lanes: neighbours along the lanes lie far apart, and along another dimension of the
//! domain side by side.
//!
//! ```text
//! loop.pointwise (%i = 4096, %j = 4096) into %y { load %a[%i, %j] + load %b[%j, %i] }
//! ```
//!
//! Lanes are along `%j`. A strip of lanes at so many consecutive `%i`, a block, is brought into memory of the
//! kernel first, rows of lanes: a tile is loaded as it lies and stored with its rows side by side, which the
//! target does in registers. Then the body runs for each `%i` of the block, and reads its row there.
//!
//! A member of a group does the same at a point of the group, with memory at the head of the kernel.
//!
//! Legal, for the elements are read before the point's own store and nothing else writes them: a load of the
//! buffer that is stored to is left as it is, and one under a mask, which may not be read.

use super::{
    access::{Access, Pattern},
    cursor::{Bound, Cursor, Env, Lane, parts_of},
    nest::{Kind, Nest, usual},
    schedule::{Level, round_up},
    strips::Strip,
};
use melior::ir::{OperationRef, ValueLike, r#type::MemRefType};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::V,
        descriptor::{self, strided},
        operations::key,
        pass::Failure,
        shaped::Shaped,
    },
    loops::scatters::Meeting,
    ops::{kernel, loop_},
};

/// Indices of the crossing dimension below which lanes are gathered.
const LEAST: i64 = 8;

/// Loads that are brought into memory together at most.
const MOST: usize = 4;

/// The distance of lanes up to which whole vectors are loaded anyway.
const NEAR: i64 = 4;

/// One load, and where it lies along the lanes and across them.
#[derive(Clone)]
struct Crossed<'c, 'a> {
    load: OperationRef<'c, 'a>,
    access: Access<'c, 'a>,
    /// The dimension of the buffer along the lanes, and the one of the other.
    along: usize,
    across: usize,
}

/// The loads of a nest that cross its lanes.
pub(crate) struct Crossing<'c, 'a> {
    /// The dimension of the domain along which they lie side by side.
    pub dim: usize,
    /// Its indices in a block.
    pub rows: i64,
    /// Lanes of a strip: whole blocks.
    pub lanes: i64,
    loads: Vec<Crossed<'c, 'a>>,
}

/// The dimension of the domain along which a load with lanes along `vector` lies side by side, where its
/// lanes lie far apart; with the dimensions of the buffer along both.
pub(crate) fn crossed(nest: &Nest, access: &Access, vector: usize) -> Option<(usize, usize, usize)> {
    let plain = matches!(nest.kind, Kind::Pointwise | Kind::Scatter(Meeting::Alike));
    if !plain
        || access.mask.is_some()
        || access.buffer == nest.store.buffer
        || parts_of(access.buffer.r#type()) > 1
    {
        return None;
    }
    let along = |d: usize| access.pattern(nest.indices[d], &nest.varying(Some(d)));
    let Pattern::Range { dim, step: 1 } = along(vector) else { return None };
    if (1..=NEAR).contains(&access.strides()[dim]) {
        return None;
    }
    (0..nest.outer).filter(|d| *d != vector && usual(nest.sizes[*d]) >= LEAST).find_map(|d| match along(d) {
        Pattern::Range { dim: across, step: 1 } if across != dim && access.strides()[across] == 1 => {
            Some((d, dim, across))
        }
        _ => None,
    })
}

impl<'c: 'a, 'a> Crossing<'c, 'a> {
    /// The crossing loads of a nest with so many lanes along a dimension, or a few more, in blocks of so many
    /// rows; None where there is none.
    pub fn of(nest: &Nest<'c, 'a>, vector: usize, (lanes, rows): (i64, i64)) -> Option<Self> {
        if rows == 0 || vector >= nest.outer || lanes < rows {
            return None;
        }
        let lanes = round_up(lanes, rows);
        let mut found: Option<Self> = None;
        for load in nest.body.iter().filter_map(|op| loop_::LoadOp::try_from(*op).ok()) {
            let access = nest.load(load);
            let Some((dim, along, across)) = crossed(nest, &access, vector) else { continue };
            let own = found.get_or_insert(Self { dim, rows, lanes, loads: vec![] });
            if own.dim == dim && own.loads.len() < MOST {
                own.loads.push(Crossed { load: load.operation(), access, along, across });
            }
        }
        found
    }

    /// What a grid point has of both dimensions, the lanes' and the crossing one: about as many of each, so
    /// that lines of what is read and what is written are used up.
    pub fn levels(&self, nest: &Nest, vector: usize, grain: i64) -> [Level; 2] {
        let level = |block: i64, size: i64| {
            if size != terrace_size::DYNAMIC && block >= size { Level::Inside } else { Level::Block(block) }
        };
        let rows = (grain / self.lanes / self.rows).max(1) * self.rows;
        [level(self.lanes, nest.sizes[vector]), level(rows, nest.sizes[self.dim])]
    }

    /// Whether whole blocks fit what a grid point has of the crossing dimension.
    pub fn fits(&self, level: Level) -> bool {
        match level {
            Level::Inside => true,
            Level::Grid => false,
            Level::Block(block) => block % self.rows == 0,
        }
    }

    /// Whether a load is brought into memory.
    pub fn has(&self, op: OperationRef<'c, 'a>) -> bool {
        self.loads.iter().any(|own| own.load == op)
    }

    /// Memory for a block of each load, at the head of a kernel: rows of lanes.
    pub fn memory(&self, at: Cursor<'c, 'a, '_>) -> Result<Vec<V<'c, 'a>>, Failure> {
        let one = |own: &Crossed<'c, 'a>| {
            let element = Shaped::expect(own.access.buffer.r#type())?.element;
            let ty = MemRefType::contiguous(element, &[self.rows, self.lanes], None).into();
            at.allocate("memref.alloca", ty, &[])
        };
        self.loads.iter().map(one).collect()
    }

    /// Brings a block of each load into memory.
    pub fn fill(
        &self,
        nest: &Nest<'c, 'a>,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        (vector, lanes): (usize, Strip<'c, 'a>),
        (rows, memory): (Strip<'c, 'a>, &[V<'c, 'a>]),
    ) -> Result<(), Failure> {
        for (own, memory) in self.loads.iter().zip(memory) {
            let at = at.of(own.load.location());
            let Crossed { access, along, across, .. } = own;
            let one = |value: V<'c, 'a>| {
                let here = match value {
                    _ if value == nest.indices[vector] => Some(lanes.base),
                    _ if value == nest.indices[self.dim] => Some(rows.base),
                    _ => env.get(&key(value)).map(|lane| match lane {
                        Lane::One(v) | Lane::Tile(v) => *v,
                    }),
                };
                here.ok_or(internal!("a load that crosses the lanes is at what is not known"))
            };
            let indices = access.operands.iter().map(|v| one(*v)).collect::<Result<Vec<_>, _>>()?;
            let (mut ranges, steps) = (vec![0; access.exprs.len()], vec![1; access.exprs.len()]);
            (ranges[*along], ranges[*across]) = (lanes.lanes, rows.lanes);
            let in_order = |first: V<'c, 'a>, second: V<'c, 'a>| {
                if along < across { vec![first, second] } else { vec![second, first] }
            };
            let valid = match (lanes.valid, rows.valid) {
                (None, None) => vec![],
                (first, second) => {
                    let count = |valid: Option<V<'c, 'a>>, all: i64| valid.map_or_else(|| at.index(all), Ok);
                    in_order(count(first, lanes.lanes)?, count(second, rows.lanes)?)
                }
            };
            let element = Shaped::expect(memory.r#type())?.element;
            let pad = (!valid.is_empty()).then(|| at.zero(element)).transpose()?;
            let (buffer, map) = (one(access.buffer)?, access.map);
            let load = kernel::load(at.location, buffer, &indices, map, &ranges, &steps, &valid, pad, None);
            let tile = at.append(load)?.result_at(0)?.into();
            // The block as the tile lies: its lanes are rows where the buffer has them first.
            let (shape, strides) = ([lanes.lanes, rows.lanes], [1, self.lanes]);
            let turned = if along < across {
                (shape, strides)
            } else {
                ([shape[1], shape[0]], [strides[1], strides[0]])
            };
            let view = strided(memory.r#type(), element, &turned.0, &turned.1);
            let view = descriptor::reinterpret(&at, *memory, view, [vec![], vec![], vec![]])?;
            let zero = at.index(0)?;
            let map = Access::identity(view, &[zero, zero]).map;
            let store =
                kernel::store(at.location, &[], tile, view, &[zero, zero], map, &turned.0, &[1, 1], &[]);
            at.append(store)?;
        }
        Ok(())
    }

    /// The body's values of the loads at a row of a block.
    pub fn row(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &mut Env<'c, 'a>,
        (row, lanes): (V<'c, 'a>, i64),
        memory: &[V<'c, 'a>],
    ) -> Result<(), Failure> {
        for (own, memory) in self.loads.iter().zip(memory) {
            let at = at.of(own.load.location());
            let indices = [row, at.index(0)?];
            let map = Access::identity(*memory, &indices).map;
            let load =
                kernel::load(at.location, *memory, &indices, map, &[0, lanes], &[1, 1], &[], None, None);
            let tile = at.append(load)?.result_at(0)?.into();
            env.insert(key(own.load.result_at(0)?), Lane::Tile(tile));
        }
        Ok(())
    }
}

/// The rows of a block that are there.
pub(crate) fn count<'c, 'a>(rows: &Strip<'c, 'a>) -> Bound<'c, 'a> {
    rows.valid.map_or(Bound::Number(rows.lanes), Bound::Value)
}
