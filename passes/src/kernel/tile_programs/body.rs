//! The body of a loop at many points at once.
//!
//! What does not depend on the vector dimension stays scalar and is written first, outside the loop over
//! tiles; the rest becomes the same operations on tiles; what complex numbers are made of, their parts, are
//! tiles of their own. The lanes beyond the end of a dimension (those of a *strip* with a valid count) touch
//! no memory; what they compute is thrown away, and their divisors are 1, so that nothing traps.

mod accesses;
mod indices;
mod rounds;

use super::{
    cursor::{Cursor, Env, Lane, Parts, lanes_of, part_key, parts_of, tile_type, type_of},
    nest::{Element, Nest},
    strips::Strip,
};
use melior::ir::{Identifier, OperationRef, Type, ValueLike, attribute::IntegerAttribute};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike, attributes,
        cursor::V,
        operations::{key, name_of, refuse},
        pass::Failure,
        shaped::Shaped,
    },
    ops::{Combiner, loop_},
};

/// A nest and what varies in it.
pub(crate) struct Body<'c, 'a, 'n> {
    pub nest: &'n Nest<'c, 'a>,
    index: Option<V<'c, 'a>>,
    varying: HashSet<usize>,
}

/// A place where a body is written, for one point or for the points of a strip.
pub(crate) struct Scope<'c, 'a, 'k, 'n> {
    body: &'n Body<'c, 'a, 'n>,
    pub at: Cursor<'c, 'a, 'k>,
    env: Env<'c, 'a>,
    strip: Option<Strip<'c, 'a>>,
    splats: HashMap<usize, V<'c, 'a>>,
    active: Option<V<'c, 'a>>,
}

/// The operand that decides whether an operation traps, and the value that keeps it from doing so.
fn guarded(name: &str) -> Option<(usize, i64)> {
    match name {
        "arith.divsi" | "arith.divui" | "arith.remsi" | "arith.remui" | "arith.ceildivsi"
        | "arith.ceildivui" | "arith.floordivsi" => Some((1, 1)),
        "math.ipowi" => Some((0, 1)),
        _ => None,
    }
}

impl<'c: 'a, 'a, 'n> Body<'c, 'a, 'n> {
    /// A body with the lanes along a dimension.
    pub fn new(nest: &'n Nest<'c, 'a>, vector: Option<usize>) -> Self {
        Self { nest, index: vector.map(|d| nest.indices[d]), varying: nest.varying(vector) }
    }

    /// Writes what is the same for all lanes.
    pub fn uniform(&'n self, at: Cursor<'c, 'a, '_>, env: Env<'c, 'a>) -> Result<Env<'c, 'a>, Failure> {
        self.uniform_but(at, env, &HashSet::new())
    }

    /// The same, but for these values.
    pub fn uniform_but(
        &'n self,
        at: Cursor<'c, 'a, '_>,
        env: Env<'c, 'a>,
        others: &HashSet<usize>,
    ) -> Result<Env<'c, 'a>, Failure> {
        let mut scope = Scope::new(self, at, env, None);
        let is_other = |op: &OperationRef| op.results().any(|r| others.contains(&key(r)));
        for op in self.nest.body.iter().filter(|op| !self.varies(**op) && !is_other(op)) {
            scope.write(*op)?;
        }
        Ok(scope.env)
    }

    fn varies(&self, op: OperationRef) -> bool {
        op.results().any(|r| self.varying.contains(&key(r)))
    }
}

impl<'c: 'a, 'a, 'k, 'n> Scope<'c, 'a, 'k, 'n> {
    /// A place for one point, or for those of a strip; `env` has what does not vary.
    pub fn new(
        body: &'n Body<'c, 'a, 'n>,
        at: Cursor<'c, 'a, 'k>,
        env: Env<'c, 'a>,
        strip: Option<Strip<'c, 'a>>,
    ) -> Self {
        Self { body, at, env, strip, splats: HashMap::new(), active: None }
    }

    /// Writes what varies between the lanes.
    pub fn varying(&mut self) -> Result<(), Failure> {
        self.varying_but(|_| false)
    }

    /// The same, but for operations whose values are there.
    pub fn varying_but(&mut self, is_there: impl Fn(OperationRef<'c, 'a>) -> bool) -> Result<(), Failure> {
        let body = self.body;
        let mut ops = body.nest.body.iter().filter(|op| body.varies(**op) && !is_there(**op));
        ops.try_for_each(|op| self.write(*op))
    }

    /// The element that is yielded.
    pub fn element(&mut self) -> Result<Parts<'c, 'a>, Failure> {
        match self.body.nest.element {
            Element::Value(value) => self.parts(value),
            Element::Identity(combiner, element) => {
                Ok(self.at.identity(combiner, element, None)?.into_iter().map(Lane::One).collect())
            }
        }
    }

    /// The lanes that are there, as a tile of i1; None: all.
    pub fn active(&mut self) -> Result<Option<V<'c, 'a>>, Failure> {
        let Some(Strip { lanes, valid: Some(valid), .. }) = self.strip else { return Ok(None) };
        if self.active.is_none() {
            const SLT: i64 = 2;
            let iota = Lane::Tile(self.at.iota(lanes)?);
            self.active = match self.at.compare(SLT, iota, Lane::One(valid))? {
                Lane::Tile(mask) | Lane::One(mask) => Some(mask),
            };
        }
        Ok(self.active)
    }

    fn lane(&mut self, value: V<'c, 'a>) -> Result<Lane<'c, 'a>, Failure> {
        if let Some(lane) = self.env.get(&key(value)) {
            return Ok(*lane);
        }
        let strip = self.strip.filter(|_| self.body.index == Some(value));
        let strip =
            strip.ok_or_else(|| Failure::Message(format!("uses a value before it is there: {value}")))?;
        // The index itself, as a tile: only where something but a range needs it.
        let iota = Lane::Tile(self.at.iota(strip.lanes)?);
        let lane = self.at.binary("arith.addi", iota, Lane::One(strip.base))?;
        self.env.insert(key(value), lane);
        Ok(lane)
    }

    /// A value by its parts.
    fn parts(&mut self, value: V<'c, 'a>) -> Result<Parts<'c, 'a>, Failure> {
        if parts_of(value.r#type()) == 1 {
            return Ok(vec![self.lane(value)?]);
        }
        let part = |part| self.env.get(&part_key(value, part)).copied();
        let parts: Option<Parts> = [0, 1].into_iter().map(part).collect();
        parts.ok_or_else(|| Failure::Message(format!("uses a value before it is there: {value}")))
    }

    fn set(&mut self, value: V<'c, 'a>, parts: &[Lane<'c, 'a>]) {
        for (i, part) in parts.iter().enumerate() {
            self.env.insert(part_key(value, i), *part);
        }
    }

    fn one(&mut self, value: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        match self.lane(value)? {
            Lane::One(v) | Lane::Tile(v) => Ok(v),
        }
    }

    fn tile(&mut self, value: V<'c, 'a>, lanes: i64) -> Result<V<'c, 'a>, Failure> {
        match self.lane(value)? {
            Lane::Tile(tile) => Ok(tile),
            one => {
                if let Some(tile) = self.splats.get(&key(value)) {
                    return Ok(*tile);
                }
                let tile = self.at.splat(one, lanes)?;
                self.splats.insert(key(value), tile);
                Ok(tile)
            }
        }
    }

    fn write(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        self.at = self.at.of(op.location());
        if let Ok(load) = loop_::LoadOp::try_from(op) {
            let parts = self.load(&self.body.nest.load(load))?;
            self.set(op.result_at(0)?.into(), &parts);
            return Ok(());
        }
        if op.operands().chain(op.results().map(V::from)).any(|value| parts_of(value.r#type()) > 1) {
            let parts = self.by_parts(op)?;
            self.set(op.result_at(0)?.into(), &parts);
            return Ok(());
        }
        let name = name_of(op);
        if name == "scf.for" {
            return self.rounds(op);
        }
        let attributes: Vec<(Identifier, _)> = op.attributes().collect();
        let strip = self.strip.filter(|_| self.body.varies(op));
        if name == "arith.constant" {
            let constant = self.at.constant(op.result_at(0)?.r#type(), op.attribute("value")?)?;
            self.env.insert(key(op.result_at(0)?), Lane::One(constant));
            return Ok(());
        }
        let mut operands = vec![];
        for value in op.operands() {
            operands.push(match strip {
                Some(strip) => self.tile(value, strip.lanes)?,
                None => self.one(value)?,
            });
        }
        if let Some((i, value)) = guarded(name)
            && let Some(active) = self.active()?
        {
            let operand = operands[i];
            let element = Shaped::of(operand.r#type()).ok_or(internal!("divides what is no tile"))?.element;
            let safe =
                self.at.constant_tile(&[lanes_of(operand)], IntegerAttribute::new(element, value).into())?;
            operands[i] = self.at.op("arith.select", &[active, operand, safe], operand.r#type())?;
        }
        let types: Vec<Type> = op
            .results()
            .map(|r| strip.map_or(r.r#type(), |strip| tile_type(&[strip.lanes], r.r#type())))
            .collect();
        let written = self.at.build(name, &operands, &types, &attributes, vec![])?;
        for (old, new) in op.results().zip(written.results()) {
            let lane = if strip.is_some() { Lane::Tile(new.into()) } else { Lane::One(new.into()) };
            self.env.insert(key(old), lane);
        }
        Ok(())
    }

    /// An operation that makes complex numbers or takes them.
    fn by_parts(&mut self, op: OperationRef<'c, 'a>) -> Result<Parts<'c, 'a>, Failure> {
        let name = name_of(op);
        let mut operands = vec![];
        for value in op.operands() {
            operands.push(self.parts(value)?);
        }
        match (name, &operands[..]) {
            ("complex.create", [re, im]) => Ok(vec![re[0], im[0]]),
            ("complex.re", [z]) => Ok(vec![z[0]]),
            ("complex.im", [z]) => Ok(vec![z[1]]),
            ("complex.constant", []) => {
                // The parts as they stand in the attribute.
                let constant = |part| Ok(Lane::One(self.at.constant(type_of(part), part)?));
                attributes::array(op.attribute("value")?).into_iter().map(constant).collect()
            }
            (_, all) => {
                let strip = self.strip.filter(|_| all.iter().flatten().any(|l| matches!(l, Lane::Tile(_))));
                let mut values = vec![];
                for parts in all {
                    let of = |lane: &Lane<'c, 'a>| match (*lane, strip) {
                        (lane, Some(strip)) => self.at.splat(lane, strip.lanes),
                        (Lane::One(one) | Lane::Tile(one), None) => Ok(one),
                    };
                    values.push(parts.iter().map(of).collect::<Result<Vec<_>, Failure>>()?);
                }
                let result = match (name, &values[..]) {
                    ("complex.add", [a, b]) => self.at.combine_parts(Combiner::Add, a, b)?,
                    ("complex.mul", [a, b]) => self.at.combine_parts(Combiner::Mul, a, b)?,
                    ("arith.select", [mask, yes, no]) => {
                        let select = |(yes, no): (&V<'c, 'a>, &V<'c, 'a>)| {
                            self.at.op("arith.select", &[mask[0], *yes, *no], yes.r#type())
                        };
                        yes.iter().zip(no).map(select).collect::<Result<Vec<_>, Failure>>()?
                    }
                    _ => return Err(refuse(op, "has no form on the parts of complex numbers")),
                };
                let lane = |value| if strip.is_some() { Lane::Tile(value) } else { Lane::One(value) };
                Ok(result.into_iter().map(lane).collect())
            }
        }
    }
}
