//! Loads and stores in a body: of a range, of any elements lane by lane, or of one element.

use super::Scope;
use crate::kernel::tile_programs::{
    access::{Access, Pattern},
    cursor::{Cursor, Lane, Parts, parts_of, tile_type},
    nest::is_local,
    strips::Strip,
};
use melior::ir::ValueLike;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::V,
        operations::{key, refuse},
        pass::Failure,
        shaped::Shaped,
    },
    ops::{Combiner, kernel},
};

/// Whether the memory of a member's row has room for whole tiles, behind what the tensor has.
fn is_longer(memory: V, access: &Access) -> bool {
    let row = |value: V| Shaped::of(value.r#type()).and_then(|shaped| shaped.shape.last().copied());
    is_local(access.buffer) && matches!((row(memory), row(access.buffer)), (Some(own), Some(n)) if own > n)
}

/// What a load or store of a range is made of.
struct Range<'c, 'a> {
    indices: Vec<V<'c, 'a>>,
    ranges: Vec<i64>,
    steps: Vec<i64>,
}

impl<'c: 'a, 'a, 'k> Scope<'c, 'a, 'k, '_> {
    fn pattern(&self, access: &Access<'c, 'a>) -> Pattern {
        match (self.body.index, self.strip) {
            (Some(index), Some(_)) => access.pattern(index, &self.body.varying),
            _ => Pattern::Uniform,
        }
    }

    /// Stores where the nest does.
    pub fn store(&mut self, parts: &[Lane<'c, 'a>]) -> Result<(), Failure> {
        let access = self.body.nest.store.clone();
        match parts {
            [lane] => self.store_at(&access, *lane),
            parts => parts.iter().enumerate().try_for_each(|(i, part)| self.store_at(&access.part(i), *part)),
        }
    }

    fn store_at(&mut self, access: &Access<'c, 'a>, lane: Lane<'c, 'a>) -> Result<(), Failure> {
        let buffer = self.one(access.buffer)?;
        let location = self.at.location;
        match (self.pattern(access), self.strip) {
            (Pattern::Range { dim, step }, Some(strip)) => {
                let tile = self.at.splat(lane, strip.lanes)?;
                let Range { indices, ranges, steps } = self.range(access, dim, step, strip)?;
                let valid = strip.valid.filter(|_| !is_longer(buffer, access));
                let valid = valid.as_slice();
                let store =
                    kernel::store(location, &[], tile, buffer, &indices, access.map, &ranges, &steps, valid);
                self.at.append(store)?;
            }
            (Pattern::Uniform, _) if let Lane::One(value) = lane => {
                let mut operands = vec![value, buffer];
                operands.extend(self.places(access)?);
                self.at.build("memref.store", &operands, &[], &[], vec![])?;
            }
            (_, Some(strip)) => {
                let tile = self.at.splat(lane, strip.lanes)?;
                let indices = self.places(access)?;
                let mask = self.active()?;
                self.at.append(kernel::scatter(location, &[], tile, buffer, &indices, mask))?;
            }
            (_, None) => return Err(refuse(self.body.nest.op, "has a store of a tile without lanes")),
        }
        Ok(())
    }

    /// Combines with what is there, where the nest stores, lane by lane.
    pub fn combine(&mut self, combiner: Combiner, lane: Lane<'c, 'a>) -> Result<(), Failure> {
        let access = self.body.nest.store.clone();
        let strip = self.strip.ok_or(internal!("combines without lanes"))?;
        let (buffer, tile) = (self.one(access.buffer)?, self.at.splat(lane, strip.lanes)?);
        let (indices, mask) = (self.places(&access)?, self.active()?);
        self.at.append(kernel::atomic(self.at.location, &[], combiner, tile, buffer, &indices, mask))?;
        Ok(())
    }

    /// Reads an element, or one for each lane.
    pub fn load(&mut self, access: &Access<'c, 'a>) -> Result<Parts<'c, 'a>, Failure> {
        let other = match access.other {
            Some(other) => self.parts(other)?.into_iter().map(Some).collect(),
            None => vec![None; parts_of(access.buffer.r#type())],
        };
        match other[..] {
            [other] => Ok(vec![self.load_at(access, other)?]),
            _ => {
                other.into_iter().enumerate().map(|(i, other)| self.load_at(&access.part(i), other)).collect()
            }
        }
    }

    fn load_at(
        &mut self,
        access: &Access<'c, 'a>,
        other: Option<Lane<'c, 'a>>,
    ) -> Result<Lane<'c, 'a>, Failure> {
        let buffer = self.one(access.buffer)?;
        let element = Shaped::expect(buffer.r#type())?.element;
        let mask = access.mask.map(|m| self.lane(m)).transpose()?;
        // What stands where nothing is read; a tile of such values is selected afterwards.
        let pad = |at: Cursor<'c, 'a, 'k>| match other {
            Some(Lane::One(other)) => Ok(other),
            _ => at.zero(element),
        };
        let location = self.at.location;
        let loaded = match (self.pattern(access), self.strip) {
            (Pattern::Range { dim, step }, Some(strip)) => {
                let Range { indices, ranges, steps } = self.range(access, dim, step, strip)?;
                let valid = match mask {
                    Some(Lane::One(mask)) => {
                        let all = strip.valid.map_or_else(|| self.at.index(strip.lanes), Ok)?;
                        let none = self.at.index(0)?;
                        Some(self.at.op("arith.select", &[mask, all, none], all.r#type())?)
                    }
                    _ => strip.valid,
                };
                let pad = valid.map(|_| pad(self.at)).transpose()?;
                let valid = valid.as_slice();
                let load =
                    kernel::load(location, buffer, &indices, access.map, &ranges, &steps, valid, pad, None);
                Lane::Tile(self.at.append(load)?.result_at(0)?.into())
            }
            (Pattern::Any, Some(strip)) => {
                let indices = match self.run(access, strip)? {
                    Some(indices) => indices,
                    None => self.places(access)?,
                };
                let mask = match (access.mask, self.active()?) {
                    (None, active) => active,
                    (Some(mask), None) => Some(self.tile(mask, strip.lanes)?),
                    (Some(mask), Some(active)) => {
                        let mask = self.tile(mask, strip.lanes)?;
                        Some(self.at.op("arith.andi", &[mask, active], mask.r#type())?)
                    }
                };
                let ty = tile_type(&[strip.lanes], element);
                let pad = mask.map(|_| pad(self.at)).transpose()?;
                let gather = kernel::gather(location, &[ty], buffer, &indices, mask, pad);
                Lane::Tile(self.at.append(gather)?.result_at(0)?.into())
            }
            _ => {
                let read = |scope: &mut Self| -> Result<V<'c, 'a>, Failure> {
                    let mut operands = vec![buffer];
                    operands.extend(scope.places(access)?);
                    scope.at.op("memref.load", &operands, element)
                };
                Lane::One(match mask {
                    Some(Lane::One(mask)) => {
                        let outside = self.at;
                        let pad = pad(outside)?;
                        let value = outside.choose(
                            mask,
                            element,
                            |at| {
                                self.at = at;
                                read(self)
                            },
                            pad,
                        );
                        self.at = outside;
                        value?
                    }
                    _ => read(self)?,
                })
            }
        };
        match (access.mask, other, self.strip) {
            (Some(mask), Some(Lane::Tile(other)), Some(strip)) => {
                let mask = self.tile(mask, strip.lanes)?;
                let loaded = self.at.splat(loaded, strip.lanes)?;
                Ok(Lane::Tile(self.at.op("arith.select", &[mask, loaded, other], other.r#type())?))
            }
            _ => Ok(loaded),
        }
    }

    /// The operands, ranges and steps of an access with a range of the strip's lanes.
    fn range(
        &mut self,
        access: &Access<'c, 'a>,
        dim: usize,
        step: i64,
        strip: Strip<'c, 'a>,
    ) -> Result<Range<'c, 'a>, Failure> {
        let mut indices = vec![];
        for (i, operand) in access.operands.iter().enumerate() {
            let moves = Some(*operand) == self.body.index || !access.uses(i);
            indices.push(if moves { strip.base } else { self.one(*operand)? });
        }
        let (mut ranges, mut steps) = (vec![0; access.exprs.len()], vec![1; access.exprs.len()]);
        ranges[dim] = strip.lanes;
        steps[dim] = step;
        Ok(Range { indices, ranges, steps })
    }

    /// The indices of lanes side by side that a mask keeps from being read: a tile of 0, 1, 2, ... and the
    /// place of the first lane, which may be outside of the buffer. None where they do not lie so.
    fn run(
        &mut self,
        access: &Access<'c, 'a>,
        strip: Strip<'c, 'a>,
    ) -> Result<Option<Vec<V<'c, 'a>>>, Failure> {
        let Some(index) = self.body.index else { return Ok(None) };
        let Some(dim) = access.side_by_side(index, &self.body.varying) else { return Ok(None) };
        let lanes = self.env.insert(key(index), Lane::One(strip.base));
        let first = self.places(access);
        match lanes {
            Some(lanes) => drop(self.env.insert(key(index), lanes)),
            None => drop(self.env.remove(&key(index))),
        }
        let mut indices = first?;
        let iota = Lane::Tile(self.at.iota(strip.lanes)?);
        let (Lane::Tile(run) | Lane::One(run)) =
            self.at.binary("arith.addi", iota, Lane::One(indices[dim]))?;
        indices[dim] = run;
        Ok(Some(indices))
    }

    fn places(&mut self, access: &Access<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
        let mut places = vec![];
        for expr in &access.exprs {
            places.push(match self.expr(expr, &access.operands)? {
                Lane::One(v) | Lane::Tile(v) => v,
            });
        }
        Ok(places)
    }
}
