//! The body of a loop at many points at once.
//!
//! What does not depend on the vector dimension stays scalar and is written first, outside the loop over tiles; the rest
//! becomes the same operations on tiles; what complex numbers are made of, their parts, are tiles of their own. The lanes beyond the end of a dimension (those of a *strip* with a valid count)
//! touch no memory; what they compute is thrown away, and their divisors are 1, so that nothing traps.

mod rounds;

use super::{
    access::{Access, Pattern},
    cursor::{Cursor, Env, Lane, Parts, lanes_of, part_key, parts_of, tile_type, type_of},
    nest::{Element, Nest},
    strips::Strip,
};
use melior::ir::{
    Attribute, AttributeLike, Identifier, OperationRef, Type, ValueLike, attribute::IntegerAttribute,
};
use mlir_sys::mlirArrayAttrGetElement;
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::V,
        operations::{key, name_of, refuse},
        pass::Failure,
        shaped::Shaped,
    },
    loops::affine::Expr,
    ops::{Combiner, kernel, loop_},
};

/// What a load or store of a range is made of.
struct Range<'c, 'a> {
    indices: Vec<V<'c, 'a>>,
    ranges: Vec<i64>,
    steps: Vec<i64>,
}

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
        let mut scope = Scope::new(self, at, env, None);
        for op in self.nest.body.iter().filter(|op| !self.varies(**op)) {
            scope.write(*op)?;
        }
        Ok(scope.env)
    }

    fn varies(&self, op: OperationRef) -> bool {
        op.results().any(|r| self.varying.contains(&key(r.into())))
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
        let body = self.body;
        body.nest.body.iter().filter(|op| body.varies(**op)).try_for_each(|op| self.write(*op))
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
                let valid = strip.valid.as_slice();
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

    fn pattern(&self, access: &Access<'c, 'a>) -> Pattern {
        match (self.body.index, self.strip) {
            (Some(index), Some(_)) => access.pattern(index, &self.body.varying),
            _ => Pattern::Uniform,
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
            self.env.insert(key(op.result_at(0)?.into()), Lane::One(constant));
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
            self.env.insert(key(old.into()), lane);
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
                let value = op.attribute("value")?.to_raw();
                let part = |i| unsafe { Attribute::from_raw(mlirArrayAttrGetElement(value, i)) };
                let constant = |i| Ok(Lane::One(self.at.constant(type_of(part(i)), part(i))?));
                [0, 1].into_iter().map(constant).collect()
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

    /// The indices of lanes side by side that a mask keeps from being read: a tile of 0, 1, 2, ... and the place of the first
    /// lane, which may be outside of the buffer. None where they do not lie so.
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

    /// The value of an expression over these operands.
    fn expr(&mut self, expr: &Expr, operands: &[V<'c, 'a>]) -> Result<Lane<'c, 'a>, Failure> {
        let (left, right, name) = match expr {
            Expr::Dim(d) => return self.lane(operands[*d]),
            Expr::Constant(n) => return Ok(Lane::One(self.at.index(*n)?)),
            Expr::Add(l, r) => (l, r, "arith.addi"),
            Expr::Mul(l, r) => (l, r, "arith.muli"),
            Expr::Mod(l, r) => (l, r, "arith.remui"),
            Expr::FloorDiv(l, r) => (l, r, "arith.divui"),
            Expr::CeilDiv(l, r) => {
                // ceil(l / r) is floor((l + r - 1) / r).
                let up = Expr::Add(r.clone(), Box::new(Expr::Constant(-1)));
                let sum = Expr::Add(l.clone(), Box::new(up));
                return self.expr(&Expr::FloorDiv(Box::new(sum), r.clone()), operands);
            }
        };
        let (a, b) = (self.expr(left, operands)?, self.expr(right, operands)?);
        if matches!(expr, Expr::Add(..) | Expr::Mul(..)) || !self.may_be_negative(left, operands) {
            return self.at.binary(name, a, b);
        }
        // Rounded towards zero first; a negative remainder is one divisor short.
        let quotient = self.at.binary("arith.divsi", a, b)?;
        let product = self.at.binary("arith.muli", quotient, b)?;
        let rest = self.at.binary("arith.subi", a, product)?;
        const SLT: i64 = 2;
        let zero = Lane::One(self.at.index(0)?);
        let negative = self.at.compare(SLT, rest, zero)?;
        let (positive, corrected) = if matches!(expr, Expr::Mod(..)) {
            (rest, self.at.binary("arith.addi", rest, b)?)
        } else {
            let one = Lane::One(self.at.index(1)?);
            (quotient, self.at.binary("arith.subi", quotient, one)?)
        };
        Ok(match (negative, corrected, positive) {
            (Lane::Tile(n), Lane::Tile(c), Lane::Tile(p)) => {
                Lane::Tile(self.at.op("arith.select", &[n, c, p], p.r#type())?)
            }
            (Lane::One(n), Lane::One(c), Lane::One(p)) => {
                Lane::One(self.at.op("arith.select", &[n, c, p], p.r#type())?)
            }
            _ => return Err(refuse(self.body.nest.op, "divides by an index that varies")),
        })
    }

    /// Whether an expression may be negative: not where it is made of indices of the domain with factors and numbers
    /// that are not.
    fn may_be_negative(&self, expr: &Expr, operands: &[V<'c, 'a>]) -> bool {
        match expr {
            Expr::Dim(d) => {
                let nest = self.body.nest;
                !nest.indices.contains(&operands[*d]) && !nest.around.contains(&operands[*d])
            }
            Expr::Constant(n) => *n < 0,
            Expr::Mod(..) => false,
            Expr::Add(l, r) | Expr::Mul(l, r) | Expr::FloorDiv(l, r) | Expr::CeilDiv(l, r) => {
                self.may_be_negative(l, operands) || self.may_be_negative(r, operands)
            }
        }
    }
}
