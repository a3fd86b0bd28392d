//! A `linalg.generic`, read.

use super::{NotConverted, dimension};
use crate::loops::write::{Size, size_of};
use melior::ir::{Attribute, BlockRef, OperationRef, RegionLike, TypeLike, ValueLike};
use terrace_dialects::{
    analysis::{
        dependence::{Access, Form, Relation, Term},
        memory::Memory,
    },
    ir::{
        BlockLike, OperationLike,
        attributes::{array, i32s},
        context,
        cursor::{Cursor, V},
        operations::arguments,
        shaped::Shaped,
        types::is_float,
    },
    loops::affine::{self, Expr},
};
use terrace_size::DYNAMIC;

/// A `linalg.generic`.
pub(crate) struct Structured<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    /// Tensors, memrefs, or numbers, which are the same at all points.
    pub inputs: Vec<V<'c, 'a>>,
    pub outputs: Vec<V<'c, 'a>>,
    /// Expressions over the domain, of inputs and then outputs.
    maps: Vec<Vec<Expr>>,
    /// By dimension of the domain, whether it is one of reduction.
    pub reduced: Vec<bool>,
    pub block: BlockRef<'c, 'a>,
    /// What the block calls elements of inputs and then outputs.
    pub elements: Vec<V<'c, 'a>>,
}

impl<'c: 'a, 'a> Structured<'c, 'a> {
    /// Reads an operation.
    pub fn read(op: OperationRef<'c, 'a>) -> Result<Self, NotConverted> {
        let segments = op.attribute("operandSegmentSizes")?;
        let inputs = i32s(segments)[0] as usize;
        let mut operands: Vec<V> = op.operands().collect();
        let outputs = operands.split_off(inputs);
        let maps = array(op.attribute("indexing_maps")?).into_iter().map(affine::exprs).collect();
        let iterators = array(op.attribute("iterator_types")?);
        let parallel = Attribute::parse(context::of(op.context()), "#linalg.iterator_type<parallel>");
        let reduced = iterators.iter().map(|iterator| Some(*iterator) != parallel).collect();
        let block = op.region(0)?.first_block().ok_or("has no body")?;
        Ok(Self { op, inputs: operands, outputs, maps, reduced, block, elements: arguments(block).collect() })
    }

    pub fn is_reduction(&self) -> bool {
        self.reduced.contains(&true)
    }

    pub fn is_on_memrefs(&self) -> bool {
        self.op.result_count() == 0
    }

    pub fn operands(&self) -> impl Iterator<Item = V<'c, 'a>> + '_ {
        self.inputs.iter().chain(&self.outputs).copied()
    }

    /// The expressions of an operand, by its number among inputs and then outputs.
    pub fn map(&self, operand: usize) -> &[Expr] {
        &self.maps[operand]
    }

    /// The expressions of an output.
    pub fn output_map(&self, k: usize) -> &[Expr] {
        &self.maps[self.inputs.len() + k]
    }

    /// The element that the body gives for an output.
    pub fn yielded(&self, k: usize) -> Result<V<'c, 'a>, NotConverted> {
        Ok(self.block.terminator().ok_or("has a body without a yield")?.operand(k)?)
    }

    /// The name that the body has for the old element of an output.
    pub fn old(&self, k: usize) -> V<'c, 'a> {
        self.elements[self.inputs.len() + k]
    }

    /// Where a dimension of the domain is a dimension of an operand; one of static size before others.
    fn source(&self, d: usize) -> Option<(V<'c, 'a>, Shaped<'c>, usize)> {
        let mut found = None;
        for (operand, map) in self.operands().zip(&self.maps) {
            let Some(shaped) = Shaped::of(operand.r#type()) else { continue };
            let Some(at) = map.iter().position(|expr| dimension(expr) == Some(d)) else { continue };
            let known = shaped.shape[at] != DYNAMIC;
            if known || found.is_none() {
                found = Some((operand, shaped, at));
            }
            if known {
                break;
            }
        }
        found
    }

    /// The sizes of the domain; those that are not static are read in front of the cursor.
    pub fn sizes(&self, at: Cursor<'c, 'a>) -> Result<Vec<Size<'c, 'a>>, NotConverted> {
        let size = |d: usize| {
            let (operand, shaped, dim) =
                self.source(d).ok_or("no operand has the size of one of its dimensions")?;
            Ok(size_of(at, operand, &shaped, dim)?)
        };
        (0..self.reduced.len()).map(size).collect()
    }

    fn known(&self, d: usize) -> Option<i64> {
        self.source(d).map(|(_, shaped, dim)| shaped.shape[dim]).filter(|size| *size != DYNAMIC)
    }

    /// The dimensions of the domain in the order of an output's, where they are the same.
    pub fn destination_order(&self, k: usize) -> Option<Vec<usize>> {
        let order: Vec<usize> = self.output_map(k).iter().map(dimension).collect::<Option<_>>()?;
        let parallel = self.reduced.iter().filter(|reduced| !**reduced).count();
        let once = (0..order.len()).all(|i| !self.reduced[order[i]] && !order[..i].contains(&order[i]));
        (once && order.len() == parallel).then_some(order)
    }

    /// Different points write different elements of an output.
    pub fn check_distinct(&self, k: usize) -> Result<(), NotConverted> {
        let map = self.output_map(k);
        let moves =
            |d: &usize| self.known(*d) == Some(1) || map.iter().any(|expr| dimension(expr) == Some(*d));
        match (0..self.reduced.len()).find(|d| !moves(d)) {
            Some(d) => Err(format!("points that differ in dimension {d} may write the same element").into()),
            None => Ok(()),
        }
    }

    /// Elements that the body can compute with; memrefs that do not overlap in a way that makes the order of
    /// points matter.
    pub fn check(&self) -> Result<(), NotConverted> {
        for operand in self.operands() {
            let ty = operand.r#type();
            let element = Shaped::of(ty).map_or(ty, |shaped| shaped.element);
            if !is_float(element) && !element.is_integer() && !element.is_index() {
                return Err(format!("has elements of {element}: expects floats, integers or indices").into());
            }
        }
        for d in 0..self.reduced.len() {
            self.source(d).ok_or("no operand has the size of one of its dimensions")?;
        }
        if self.is_on_memrefs() { self.check_overlap() } else { Ok(()) }
    }

    fn check_overlap(&self) -> Result<(), NotConverted> {
        let first = self.inputs.len();
        for k in 0..self.outputs.len() {
            let written = self.access(first + k);
            for other in (0..first + self.outputs.len()).filter(|other| *other != first + k) {
                let read = self.access(other);
                if Shaped::of(read.buffer.r#type()).is_none() {
                    continue;
                }
                // An element that is combined changes while other points of the reduction run.
                let anywhere = other >= first || self.is_reduction();
                let meets = match anywhere {
                    true => read.may_meet(&written, Relation::Together(0), true),
                    false => read.may_meet_elsewhere(&written, true),
                };
                if meets && Memory::of(read.buffer).is(&Memory::of(written.buffer)) {
                    return Err(format!("operand {other} overlaps what operand {} writes", first + k).into());
                }
            }
        }
        Ok(())
    }

    fn access(&self, operand: usize) -> Access<'c, 'a> {
        let terms: Vec<Term> = (0..self.reduced.len()).map(Term::Index).collect();
        Access {
            buffer: self.operands().nth(operand).expect("counted"),
            subscripts: self.maps[operand].iter().map(|expr| Form::of(expr, &terms)).collect(),
            sizes: (0..self.reduced.len()).map(|d| self.known(d)).collect(),
        }
    }
}
