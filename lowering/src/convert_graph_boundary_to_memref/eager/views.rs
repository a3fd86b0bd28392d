//! Views of sizes that are known when the function runs: where each lies, by where that lies which it is a view of.
//!
//! The rules are those of [`placement::views`](terrace_dialects::placement::views), which has them for numbers. What eager refuses is a
//! run-time error, also that an index is out of range. An operation that strides decide on is [`lie`](super::lie)'s.

use super::{super::types::strided, Body, lie::given, place::Place};
use melior::ir::{OperationRef, ValueLike};
use std::{cell::RefCell, collections::HashMap};
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, Predicate, V},
    dtype::Dtype,
    extent::Extent,
    ir::OperationLike,
    operations::name_of,
    ops::graph,
    pass::Failure,
    placement::views::layouts,
    registry,
    shaped::Shaped,
    strided::Layout,
    types::DYNAMIC,
    view,
};

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    /// A view that its sizes and numbers decide.
    pub(super) fn sized_view(
        &mut self,
        op: OperationRef<'c, 'a>,
        dtypes: &mut HashMap<usize, Dtype>,
    ) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        let own = Place::of(&at, op.operand(0)?)?;
        let viewing = Viewing { at, op, own, asked: RefCell::default() };
        let mut places = viewing.places()?;
        let asked = viewing.asked.into_inner().into_iter().map(Ok);
        let all =
            asked.reduce(|all, next| at.op("arith.andi", &[all?, next?], Dtype::Bool.to_type(at.context)));
        if let Some(holds) = all.transpose()? {
            places = self.unless_refused(op, (holds, at.index(0)?), places, dtypes)?;
        }
        for (number, place) in places.into_iter().enumerate() {
            self.lies_at(op, number, place, dtypes)?;
        }
        // SAFETY: its results are not used any more.
        unsafe { terrace_dialects::operations::erase(op) };
        Ok(())
    }

    /// Complex numbers as pairs of numbers, or the other way round.
    pub(super) fn parts(
        &mut self,
        op: OperationRef<'c, 'a>,
        dtypes: &mut HashMap<usize, Dtype>,
    ) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        let (own, result): (V, V) = (op.operand(0)?, op.result_at(0)?.into());
        let dtype = |value: V<'c, 'a>| dtypes.get(&(value.to_raw().ptr as usize)).copied();
        let (from, to) = dtype(own).zip(dtype(result)).ok_or("is of a tensor that is not known")?;
        let shape = |value: V<'c, 'a>| Ok::<_, Failure>(Shaped::expect(value.r#type())?.shape);
        let shape_of_result = shape(result)?;
        // The parts of a number lie side by side.
        let side_by_side = |sizes: Vec<i64>, dtype: Dtype| {
            let strides =
                sizes.iter().enumerate().map(|(d, _)| if d + 1 == sizes.len() { 1 } else { DYNAMIC });
            let layout = Layout { strides: strides.collect(), sizes, offset: DYNAMIC };
            strided(self.context, &layout, dtype)
        };
        let source = if from.is_complex() {
            let pairs = at.op("kernel.reinterpret", &[own], side_by_side(shape_of_result, to))?;
            at.op("memref.cast", &[pairs], result.r#type())?
        } else {
            let place = Place::of(&at, own)?;
            let is = |number: V<'c, 'a>, wanted: i64| at.compare(Predicate::Equal, number, at.index(wanted)?);
            let truth = Dtype::Bool.to_type(at.context);
            let mut all = at.integer(truth, 1)?;
            let mut asserted = |holds: V<'c, 'a>, message: &str| {
                all = at.op("arith.andi", &[all, holds], truth)?;
                at.assert(holds, message).map(drop)
            };
            let (last, outer) = place.strides.split_last().ok_or("has no dimension of parts")?;
            let mut pairs = shape(own)?;
            let size = pairs.last_mut().ok_or("has no dimension of parts")?;
            if std::mem::replace(size, 2) == DYNAMIC {
                let open = at.extent(place.sizes[outer.len()])?;
                asserted(is(open, 2)?, "Tensor must have a last dimension of size 2")?;
            }
            asserted(is(*last, 1)?, "Tensor must have a last dimension with stride 1")?;
            let outer = outer.iter().zip(place.sizes.iter().copied().map(Some));
            for (number, size) in outer.chain([(&place.offset, None)]) {
                let rest = at.op("arith.remui", &[*number, at.index(2)?], at.index_type())?;
                let mut holds = is(rest, 0)?;
                // The stride of a single element says nothing.
                if let Some(size) = size {
                    holds = at.op("arith.ori", &[holds, is(at.extent(size)?, 1)?], holds.r#type())?;
                }
                asserted(holds, "Tensor must have strides and a storage_offset divisible by 2")?;
            }
            let place = self.unless_refused(op, (all, at.index(0)?), vec![place], dtypes)?.remove(0);
            let seen = place.of_memory(&at, op.operand(0)?, own.r#type())?;
            let seen = at.op("memref.cast", &[seen], side_by_side(pairs, from))?;
            at.op("kernel.reinterpret", &[seen], result.r#type())?
        };
        dtypes.insert(source.to_raw().ptr as usize, to);
        self.becomes(op, source)
    }

    /// A result of a view operation is the memory of its operand, seen so.
    pub(super) fn lies_at(
        &self,
        op: OperationRef<'c, 'a>,
        number: usize,
        place: Place<'c, 'a>,
        dtypes: &mut HashMap<usize, Dtype>,
    ) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        let result: V = op.result_at(number)?.into();
        let seen = place.of_memory(&at, op.operand(0)?, result.r#type())?;
        if let Some(dtype) = dtypes.get(&(result.to_raw().ptr as usize)).copied() {
            dtypes.insert(seen.to_raw().ptr as usize, dtype);
        }
        // SAFETY: both are of one type.
        unsafe { mlir_sys::mlirValueReplaceAllUsesOfWith(result.to_raw(), seen.to_raw()) };
        Ok(())
    }
}

/// A view operation on its way.
struct Viewing<'c, 'a> {
    at: Cursor<'c, 'a>,
    op: OperationRef<'c, 'a>,
    /// Where that lies which is viewed.
    own: Place<'c, 'a>,
    /// What has to hold.
    asked: RefCell<Vec<V<'c, 'a>>>,
}

type Number<'c, 'a> = Result<V<'c, 'a>, Failure>;

impl<'c: 'a, 'a> Viewing<'c, 'a> {
    fn number(&self, number: i64) -> Number<'c, 'a> {
        self.at.index(number)
    }

    fn op(&self, name: &str, a: V<'c, 'a>, b: V<'c, 'a>) -> Number<'c, 'a> {
        self.at.op(name, &[a, b], self.at.index_type())
    }

    fn plus(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> Number<'c, 'a> {
        self.op("arith.addi", a, b)
    }

    fn times(&self, a: V<'c, 'a>, b: V<'c, 'a>) -> Number<'c, 'a> {
        self.op("arith.muli", a, b)
    }

    fn choose(&self, condition: V<'c, 'a>, then: V<'c, 'a>, other: V<'c, 'a>) -> Number<'c, 'a> {
        self.at.op("arith.select", &[condition, then, other], self.at.index_type())
    }

    fn holds(&self, a: V<'c, 'a>, how: Predicate, b: V<'c, 'a>, message: &str) -> Result<(), Failure> {
        self.all_hold(self.at.compare(how, a, b)?, message)
    }

    fn all_hold(&self, condition: V<'c, 'a>, message: &str) -> Result<(), Failure> {
        self.asked.borrow_mut().push(condition);
        self.at.assert(condition, message).map(drop)
    }

    /// A size of what is viewed.
    fn size(&self, dim: usize) -> Number<'c, 'a> {
        self.at.extent(self.own.sizes[dim])
    }

    fn int(&self, name: &str, default: i64) -> i64 {
        view::attribute(self.op, name).map_or(default, convert::i64)
    }

    /// A dimension of `rank`.
    fn dim(&self, name: &str, default: i64, rank: usize) -> usize {
        self.int(name, default).rem_euclid(rank.max(1) as i64) as usize
    }

    /// The only number of a list.
    fn one(&self, numbers: &[i64], dynamic: Vec<V<'c, 'a>>) -> Number<'c, 'a> {
        let all = given(&self.at, numbers, dynamic)?;
        self.at.extent(*all.first().ok_or("has no number")?)
    }

    /// An index that may count from the end.
    fn counted(&self, index: V<'c, 'a>, size: V<'c, 'a>) -> Number<'c, 'a> {
        let below = self.at.compare(Predicate::Less, index, self.number(0)?)?;
        self.choose(below, self.plus(index, size)?, index)
    }

    /// Where `start` indices of a dimension are left out, `length` are left, and it goes by steps.
    fn sliced(
        &self,
        dim: usize,
        start: V<'c, 'a>,
        length: Extent<'c, 'a>,
        step: V<'c, 'a>,
    ) -> Result<Place<'c, 'a>, Failure> {
        let mut place = self.own.clone();
        place.offset = self.plus(place.offset, self.times(start, place.strides[dim])?)?;
        place.sizes[dim] = length;
        place.strides[dim] = self.times(place.strides[dim], step)?;
        Ok(place)
    }

    /// What is viewed without a dimension, at an index of it.
    fn selected(&self, dim: usize, index: V<'c, 'a>) -> Result<Place<'c, 'a>, Failure> {
        let mut place = self.sliced(dim, index, Extent::Number(1), self.number(1)?)?;
        place.sizes.remove(dim);
        place.strides.remove(dim);
        Ok(place)
    }

    /// Where the results lie.
    fn places(&self) -> Result<Vec<Place<'c, 'a>>, Failure> {
        let (op, own, rank) = (self.op, &self.own, self.own.sizes.len());
        Ok(vec![match name_of(op) {
            "graph.unsqueeze" => {
                let dim = self.dim("dim", 0, rank + 1);
                let stride = match dim < rank {
                    true => self.times(self.size(dim)?, own.strides[dim])?,
                    false => self.number(1)?,
                };
                let mut place = own.clone();
                place.sizes.insert(dim, Extent::Number(1));
                place.strides.insert(dim, stride);
                place
            }
            "graph.expand" | "graph.expand_as" => self.expanded()?,
            "graph.select" => {
                let select = graph::SelectOp::try_from(op).map_err(|_| "is no view")?;
                let dim = self.dim("dim", 0, rank);
                let index = self.one(&select.index(), select.dynamic_index())?;
                let (index, size) = (self.counted(index, self.size(dim)?)?, self.size(dim)?);
                self.holds(
                    index,
                    Predicate::GreaterOrEqual,
                    self.number(0)?,
                    "select(): index out of range",
                )?;
                self.holds(index, Predicate::Less, size, "select(): index out of range")?;
                self.selected(dim, index)?
            }
            "graph.slice" => {
                let slice = graph::SliceOp::try_from(op).map_err(|_| "is no view")?;
                let dim = self.dim("dim", 0, rank);
                let size = self.size(dim)?;
                let clamped = |number: V<'c, 'a>, low: V<'c, 'a>| {
                    let number = self.counted(number, size)?;
                    self.op("arith.maxsi", self.op("arith.minsi", number, size)?, low)
                };
                let start = clamped(self.one(&slice.start(), slice.dynamic_start())?, self.number(0)?)?;
                let end = clamped(self.one(&slice.end(), slice.dynamic_end())?, start)?;
                let step = self.one(&slice.step(), slice.dynamic_step())?;
                self.holds(step, Predicate::Greater, self.number(0)?, "slice step must be positive")?;
                let length = self.op("arith.subi", end, start)?;
                let before = self.op("arith.subi", length, self.number(1)?)?;
                let some = self.op("arith.maxsi", step, self.number(1)?)?;
                let steps = self.plus(self.op("arith.divsi", before, some)?, self.number(1)?)?;
                let none = self.at.compare(Predicate::Equal, length, self.number(0)?)?;
                let length = self.choose(none, self.number(0)?, steps)?;
                self.sliced(dim, start, Extent::Value(length), step)?
            }
            "graph.narrow" => {
                let narrow = graph::NarrowOp::try_from(op).map_err(|_| "is no view")?;
                let dim = self.dim("dim", 0, rank);
                let size = self.size(dim)?;
                let start = self.counted(self.one(&narrow.start(), narrow.dynamic_start())?, size)?;
                let length = self.one(&narrow.length(), narrow.dynamic_length())?;
                self.holds(start, Predicate::GreaterOrEqual, self.number(0)?, "Dimension out of range")?;
                self.holds(
                    length,
                    Predicate::GreaterOrEqual,
                    self.number(0)?,
                    "narrow(): length must be non-negative.",
                )?;
                let left = self.op("arith.subi", size, start)?;
                self.holds(length, Predicate::LessOrEqual, left, "start + length exceeds dimension size.")?;
                self.sliced(dim, start, Extent::Value(length), self.number(1)?)?
            }
            "graph.diagonal" => self.diagonal()?,
            "graph.unfold" if rank > 0 => {
                let (dim, size, step) =
                    (self.dim("dimension", 0, rank), self.int("size", 0), self.int("step", 1));
                let whole = self.size(dim)?;
                self.holds(
                    whole,
                    Predicate::GreaterOrEqual,
                    self.number(size)?,
                    "maximum size for tensor exceeded",
                )?;
                let windows = self.op("arith.subi", whole, self.number(size)?)?;
                let windows =
                    self.plus(self.op("arith.divsi", windows, self.number(step)?)?, self.number(1)?)?;
                let mut place = own.clone();
                place.sizes[dim] = Extent::Value(windows);
                place.strides[dim] = self.times(own.strides[dim], self.number(step)?)?;
                place.sizes.push(Extent::Number(size));
                place.strides.push(own.strides[dim]);
                place
            }
            // A number counts as a dimension of one.
            "graph.unfold" => {
                let mut place = own.clone();
                place.sizes.push(Extent::Number(self.int("size", 0)));
                place.strides.push(self.number(1)?);
                place
            }
            // The dimension has a size that types say.
            "graph.split" | "graph.split_with_sizes" | "graph.chunk" => {
                let (dim, mut start) = (self.dim("dim", 0, rank), 0);
                let mut pieces = vec![];
                for result in op.results() {
                    let size = Shaped::expect(result.r#type())?.shape[dim];
                    pieces.push(self.sliced(
                        dim,
                        self.number(start)?,
                        Extent::Number(size),
                        self.number(1)?,
                    )?);
                    start += size;
                }
                return Ok(pieces);
            }
            "graph.unbind" => {
                let dim = self.dim("dim", 0, rank);
                let pieces =
                    (0..op.result_count()).map(|index| self.selected(dim, self.number(index as i64)?));
                return pieces.collect();
            }
            _ => self.permuted()?,
        }])
    }

    /// What exchanges dimensions, or leaves out those of size 1: which ones a tensor tells whose strides are their numbers.
    fn permuted(&self) -> Result<Place<'c, 'a>, Failure> {
        let class = registry::of(self.op).ok_or("is not known")?;
        // Sizes of the run are not 1 to it.
        let sizes = self.own.sizes.iter().map(|size| size.number().unwrap_or(2)).collect::<Vec<_>>();
        let strides = (0..sizes.len() as i64).collect();
        let layouts = layouts(self.op, class, &Layout { sizes, strides, offset: 0 })?;
        let order = layouts.and_then(|mut all| all.pop()).ok_or("is no view")?.strides;
        let order = || order.iter().map(|dim| *dim as usize);
        Ok(Place {
            sizes: order().map(|dim| self.own.sizes[dim]).collect(),
            strides: order().map(|dim| self.own.strides[dim]).collect(),
            offset: self.own.offset,
        })
    }

    fn expanded(&self) -> Result<Place<'c, 'a>, Failure> {
        const SIZE: &str =
            "The expanded size of the tensor must match the existing size at non-singleton dimension";
        let (op, own) = (self.op, &self.own);
        let to = match graph::ExpandOp::try_from(op) {
            Ok(expand) => given(&self.at, &expand.size(), expand.dynamic_size())?,
            Err(_) => Place::of(&self.at, op.operand(1)?)?.sizes,
        };
        let lead = to.len().checked_sub(own.sizes.len()).ok_or("expands to fewer dimensions")?;
        let (zero, one) = (self.number(0)?, self.number(1)?);
        let mut place = Place { sizes: to.clone(), strides: vec![zero; to.len()], offset: own.offset };
        for d in (0..to.len()).rev() {
            let wanted = self.at.extent(to[d])?;
            let (size, stride) = if d >= lead {
                (self.size(d - lead)?, own.strides[d - lead])
            } else if own.sizes.is_empty() {
                (one, zero)
            } else {
                (one, self.times(self.at.extent(place.sizes[d + 1])?, place.strides[d + 1])?)
            };
            // -1 is the size that is there.
            let stays = self.at.compare(Predicate::Equal, wanted, self.number(-1)?)?;
            let wanted = if d >= lead { self.choose(stays, size, wanted)? } else { wanted };
            self.holds(wanted, Predicate::GreaterOrEqual, zero, "invalid shape dimension")?;
            let same = self.at.compare(Predicate::Equal, size, wanted)?;
            let single = self.at.compare(Predicate::Equal, size, one)?;
            let fits = self.at.op("arith.ori", &[same, single], single.r#type())?;
            self.all_hold(fits, SIZE)?;
            place.sizes[d] = match to[d] {
                Extent::Number(number) if number >= 0 => to[d],
                _ => Extent::Value(wanted),
            };
            place.strides[d] = self.choose(same, stride, zero)?;
        }
        Ok(place)
    }

    fn diagonal(&self) -> Result<Place<'c, 'a>, Failure> {
        let (own, rank) = (&self.own, self.own.sizes.len());
        let (rows, columns) = (self.dim("dim1", 0, rank), self.dim("dim2", 1, rank));
        let offset = self.int("offset", 0);
        let zero = self.number(0)?;
        let left = |dim: usize, gone: i64| self.op("arith.subi", self.size(dim)?, self.number(gone)?);
        let (down, across) = (left(rows, (-offset).max(0))?, left(columns, offset.max(0))?);
        let length = self.op("arith.maxsi", self.op("arith.minsi", down, across)?, zero)?;
        let skipped = own.strides[if offset >= 0 { columns } else { rows }];
        let skipped = self.times(skipped, self.number(offset.abs())?)?;
        let any = self.at.compare(Predicate::Greater, length, zero)?;
        let mut place = own.clone();
        for dim in [rows.max(columns), rows.min(columns)] {
            place.sizes.remove(dim);
            place.strides.remove(dim);
        }
        place.sizes.push(Extent::Value(length));
        place.strides.push(self.plus(own.strides[rows], own.strides[columns])?);
        place.offset = self.plus(own.offset, self.choose(any, skipped, zero)?)?;
        Ok(place)
    }
}
