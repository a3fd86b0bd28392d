//! A nest of affine loops, read: its loops, and each operation with the loops and conditions around it.

use crate::{
    inputs::stays::Stays,
    loops::{
        dependence::{Form, Term, Touch},
        write::{Size, apply},
    },
};
use melior::ir::{AttributeLike, BlockRef, OperationRef, RegionLike, ValueLike};
use mlir_sys::*;
use rustc_hash::FxHashMap;
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike, attributes,
        cursor::{Cursor, V},
        operations::{definition, home, key, name_of},
        shaped::Shaped,
    },
    loops::affine::{self, Expr},
};

/// Whether an operation is a loop of affine.
pub(super) fn is_loop(op: OperationRef) -> bool {
    name_of(op) == "affine.for"
}

/// An `affine.for`: its index is `lower + i * step` for each `i` below its size.
pub(crate) struct Loop<'c, 'a> {
    pub index: V<'c, 'a>,
    lower: Vec<Expr>,
    upper: Vec<Expr>,
    lower_operands: Vec<V<'c, 'a>>,
    upper_operands: Vec<V<'c, 'a>>,
    step: i64,
    /// The size, where it is known.
    pub size: Option<i64>,
}

/// An operation of a nest.
#[derive(Clone)]
pub(crate) struct Inside<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    /// Its number among all, in the order of the text.
    pub position: usize,
    /// The loops around it, from the outermost, by their numbers.
    pub loops: Vec<usize>,
    /// The `affine.if` and `scf.if` that it stands in, and whether in the branch that is taken where the condition holds.
    pub conditions: Vec<(OperationRef<'c, 'a>, bool)>,
}

/// What a dimension of a place is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Atom<'c, 'a> {
    /// The number of times that a loop has gone round.
    Loop(usize),
    /// A value of outside of the nest.
    Outside(V<'c, 'a>),
    /// A value that is computed inside.
    Inside(V<'c, 'a>),
}

/// Expressions over atoms.
pub(crate) struct Place<'c, 'a> {
    pub exprs: Vec<Expr>,
    pub atoms: Vec<Atom<'c, 'a>>,
}

/// A nest.
pub(crate) struct Nest<'c, 'a> {
    root: OperationRef<'c, 'a>,
    pub loops: Vec<Loop<'c, 'a>>,
    /// By the address of the operation.
    inside: FxHashMap<usize, Inside<'c, 'a>>,
    pub stores: Vec<Inside<'c, 'a>>,
}

fn address(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}

/// The loops that two operations have in common, counted.
pub(crate) fn common(a: &[usize], b: &[usize]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Whether an operation reads an element of a memref.
pub(crate) fn is_load(op: OperationRef) -> bool {
    matches!(name_of(op), "affine.load" | "memref.load")
}

fn is_store(op: OperationRef) -> bool {
    matches!(name_of(op), "affine.store" | "memref.store")
}

/// An expression as a sum of multiples, where it is one.
fn simple(expr: Expr) -> Expr {
    expr.linear().map_or(expr, |sum| sum.expr())
}

/// Whether an operation computes a number of numbers, as bodies of loop operations do.
fn is_scalar(op: OperationRef) -> bool {
    let name = name_of(op);
    let number = |v: V| Shaped::of(v.r#type()).is_none();
    (name.starts_with("arith.") || name.starts_with("math.") || name == "affine.apply")
        && op.region_count() == 0
        && op.operands().all(number)
        && op.results().all(|r| number(r.into()))
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// Reads a nest.
    pub fn read(root: OperationRef<'c, 'a>) -> Result<Self, Stays> {
        let mut nest = Self { root, loops: vec![], inside: FxHashMap::default(), stores: vec![] };
        nest.add_loop(root, &[], &[])?;
        Ok(nest)
    }

    fn add_loop(
        &mut self,
        op: OperationRef<'c, 'a>,
        around: &[usize],
        conditions: &[(OperationRef<'c, 'a>, bool)],
    ) -> Result<(), Stays> {
        let block = op.region(0)?.first_block().ok_or("has no body")?;
        let segments = attributes::i32s(op.attribute("operandSegmentSizes")?);
        let mut lower_operands: Vec<V> = op.operands().collect();
        let mut upper_operands = lower_operands.split_off(segments[0] as usize);
        upper_operands.truncate(segments[1] as usize);
        let (lower, upper) =
            (affine::exprs(op.attribute("lowerBoundMap")?), affine::exprs(op.attribute("upperBoundMap")?));
        if lower.len() != 1 || upper.len() != 1 {
            return Err("has a loop with several bounds".into());
        }
        if lower_operands.iter().chain(&upper_operands).any(|v| self.is_inside(*v)) {
            return Err("has a loop whose bounds depend on another one".into());
        }
        let step = attributes::i64(op.attribute("step")?);
        let size = match (&lower[0], &upper[0]) {
            (Expr::Constant(lower), Expr::Constant(upper)) => {
                let distance = upper.checked_sub(*lower).ok_or("has a loop that is too long")?.max(0);
                Some(distance / step + i64::from(distance % step != 0))
            }
            _ => None,
        };
        let number = self.loops.len();
        let index = block.argument(0)?.into();
        self.loops.push(Loop { index, lower, upper, lower_operands, upper_operands, step, size });
        self.add_block(block, &[around, &[number]].concat(), conditions)
    }

    fn add_block(
        &mut self,
        block: BlockRef<'c, 'a>,
        loops: &[usize],
        conditions: &[(OperationRef<'c, 'a>, bool)],
    ) -> Result<(), Stays> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            let position = self.inside.len();
            let own = Inside { op, position, loops: loops.to_vec(), conditions: conditions.to_vec() };
            self.inside.insert(address(op), own.clone());
            match name_of(op) {
                "affine.yield" | "scf.yield" => {}
                "affine.for" => {
                    let stores = self.stores.len();
                    self.add_loop(op, loops, conditions)?;
                    if op.result_count() > 0 && self.stores.len() > stores {
                        return Err("has a loop that both stores and gives a value".into());
                    }
                }
                "affine.if" | "scf.if" if op.result_count() == 0 => {
                    for (i, holds) in [(0, true), (1, false)] {
                        if let Some(block) = op.region(i)?.first_block() {
                            self.add_block(block, loops, &[conditions, &[(op, holds)]].concat())?;
                        }
                    }
                }
                _ if is_store(op) || is_load(op) => {
                    let buffer = self.buffer(op)?;
                    if self.is_inside(buffer) {
                        return Err("touches a memref that it makes".into());
                    }
                    if is_store(op) {
                        self.stores.push(own);
                    }
                }
                _ if is_scalar(op) => {}
                name => {
                    return Err(format!("has '{name}' in it: expects loads, stores and arithmetic").into());
                }
            }
        }
        Ok(())
    }

    /// Whether a value is of inside of the nest.
    pub fn is_inside(&self, value: V<'c, 'a>) -> bool {
        let mut holder = home(value).and_then(|block| block.parent_operation());
        while let Some(op) = holder {
            if op == self.root {
                return true;
            }
            holder = op.parent_operation();
        }
        false
    }

    /// What is known of an operation inside; None of one outside.
    pub fn inside(&self, op: OperationRef<'c, 'a>) -> Option<&Inside<'c, 'a>> {
        self.inside.get(&address(op))
    }

    /// The values of inside that an operation takes, beside what a store stores; of indices only what is no affine expression.
    pub fn needs(&self, op: OperationRef<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Stays> {
        let place = match name_of(op) {
            _ if is_store(op) || is_load(op) => self.place(op)?,
            "affine.apply" => self.index(op.result_at(0)?.into()),
            "affine.if" => self.condition(op)?.0,
            _ if is_fold(op) => return Ok(vec![op.operand(op.operand_count() - 1)?]),
            _ => return Ok(op.operands().collect()),
        };
        Ok(place
            .atoms
            .into_iter()
            .filter_map(|atom| if let Atom::Inside(value) = atom { Some(value) } else { None })
            .collect())
    }

    /// The expressions of an `affine.if`, and whether each has to be zero, else not negative.
    pub fn condition(&self, op: OperationRef<'c, 'a>) -> Result<(Place<'c, 'a>, Vec<bool>), Stays> {
        let operands: Vec<V> = op.operands().collect();
        let mut atoms = vec![];
        let (mut exprs, mut zero) = (vec![], vec![]);
        unsafe {
            let set = mlirIntegerSetAttrGetValue(op.attribute("condition")?.to_raw());
            for i in 0..mlirIntegerSetGetNumConstraints(set) {
                let dims = mlirIntegerSetGetNumDims(set) as usize;
                let expr = Expr::read(mlirIntegerSetGetConstraint(set, i), dims);
                exprs.push(self.over_atoms(&expr, &operands, &mut atoms));
                zero.push(mlirIntegerSetIsConstraintEq(set, i));
            }
        }
        Ok((Place { exprs, atoms }, zero))
    }

    /// The loop that a value is the index of.
    pub fn loop_of(&self, value: V<'c, 'a>) -> Option<usize> {
        self.loops.iter().position(|l| l.index == value)
    }

    /// The loop that an `affine.for` is.
    pub fn number(&self, op: OperationRef<'c, 'a>) -> Result<usize, Stays> {
        let block = op.region(0)?.first_block().ok_or("has no body")?;
        Ok(self.loop_of(block.argument(0)?.into()).ok_or("has a loop that is unknown")?)
    }

    /// The memref that a load or a store touches.
    pub fn buffer(&self, op: OperationRef<'c, 'a>) -> Result<V<'c, 'a>, Stays> {
        Ok(op.operand(usize::from(is_store(op)))?)
    }

    /// Where a load or a store touches its memref.
    pub fn place(&self, op: OperationRef<'c, 'a>) -> Result<Place<'c, 'a>, Stays> {
        let operands: Vec<V> = op.operands().skip(1 + usize::from(is_store(op))).collect();
        let exprs = match op.attribute("map") {
            Ok(map) => affine::exprs(map),
            Err(_) => crate::loops::write::point(operands.len()),
        };
        let mut atoms = vec![];
        let exprs =
            exprs.iter().map(|expr| self.over_atoms(expr, &operands, &mut atoms)).map(simple).collect();
        Ok(Place { exprs, atoms })
    }

    /// What an index is, over atoms.
    pub fn index(&self, value: V<'c, 'a>) -> Place<'c, 'a> {
        let mut atoms = vec![];
        let exprs = vec![simple(self.over_atoms(&Expr::Dim(0), &[value], &mut atoms))];
        Place { exprs, atoms }
    }

    /// An expression over values, as one over atoms.
    pub fn over_atoms(&self, expr: &Expr, operands: &[V<'c, 'a>], atoms: &mut Vec<Atom<'c, 'a>>) -> Expr {
        let atoms = std::cell::RefCell::new(atoms);
        let atom = |atom: Atom<'c, 'a>| {
            let mut atoms = atoms.borrow_mut();
            let found = atoms.iter().position(|a| *a == atom);
            Expr::Dim(found.unwrap_or_else(|| {
                atoms.push(atom);
                atoms.len() - 1
            }))
        };
        let inner = |expr: &Expr, operands: &[V<'c, 'a>]| {
            let mut own = std::mem::take(&mut **atoms.borrow_mut());
            let expr = self.over_atoms(expr, operands, &mut own);
            **atoms.borrow_mut() = own;
            expr
        };
        expr.over(&|d| {
            let value = operands[d];
            if let Some(number) = self.loop_of(value) {
                let it = &self.loops[number];
                let (round, lower) = (atom(Atom::Loop(number)), inner(&it.lower[0], &it.lower_operands));
                let scaled = Expr::Mul(Box::new(round), Box::new(Expr::Constant(it.step)));
                return Expr::Add(Box::new(scaled), Box::new(lower));
            }
            match definition(value) {
                Some(op) if name_of(op) == "affine.apply" && self.inside(op).is_some() => {
                    let operands: Vec<V> = op.operands().collect();
                    match op.attribute("map") {
                        Ok(map) => inner(&affine::exprs(map)[0], &operands),
                        Err(_) => atom(Atom::Inside(value)),
                    }
                }
                Some(op) if name_of(op) == "arith.constant" => match op.attribute("value") {
                    Ok(number) => Expr::Constant(attributes::i64(number)),
                    Err(_) => atom(Atom::Outside(value)),
                },
                _ if self.is_inside(value) => atom(Atom::Inside(value)),
                _ => atom(Atom::Outside(value)),
            }
        })
    }

    /// What an operation touches at each point of the loops around it.
    pub fn touch(&self, at: &Inside<'c, 'a>) -> Result<Touch<'c, 'a>, Stays> {
        let place = self.place(at.op)?;
        let term = |atom: &Atom<'c, 'a>| match atom {
            Atom::Loop(number) => {
                at.loops.iter().position(|l| l == number).map_or(Term::Unknown, Term::Index)
            }
            Atom::Outside(value) => Term::Symbol(key(*value)),
            Atom::Inside(_) => Term::Unknown,
        };
        let terms: Vec<Term> = place.atoms.iter().map(term).collect();
        Ok(Touch {
            buffer: self.buffer(at.op)?,
            subscripts: place.exprs.iter().map(|expr| Form::of(expr, &terms)).collect(),
            sizes: at.loops.iter().map(|l| self.loops[*l].size).collect(),
        })
    }

    /// The sizes of the loops; those that are not known are computed in front of the cursor.
    pub fn sizes(&self, at: Cursor<'c, 'a>) -> Result<Vec<Size<'c, 'a>>, Stays> {
        let size = |it: &Loop<'c, 'a>| -> Result<Size<'c, 'a>, Stays> {
            if let Some(size) = it.size {
                return Ok(Size::Known(size));
            }
            let values = [&it.lower_operands[..], &it.upper_operands].concat();
            let upper = it.upper[0].over(&|d| Expr::Dim(d + it.lower_operands.len()));
            let minus = Expr::Mul(Box::new(it.lower[0].clone()), Box::new(Expr::Constant(-1)));
            let distance = Expr::Add(Box::new(upper), Box::new(minus));
            let rounds = Expr::CeilDiv(Box::new(distance), Box::new(Expr::Constant(it.step)));
            let rounds = match it.is_whole() {
                Some(value) => value,
                None => apply(at, &rounds, &values)?,
            };
            Ok(Size::Value(at.op("arith.maxsi", &[rounds, at.index(0)?], at.index_type())?))
        };
        self.loops.iter().map(size).collect()
    }

    /// Whether a loop goes once round for each index of a dimension of a memref.
    pub fn covers(&self, number: usize, buffer: V<'c, 'a>, dim: usize) -> bool {
        let Some(shaped) = Shaped::of(buffer.r#type()) else { return false };
        let it = &self.loops[number];
        let own = |value: V<'c, 'a>| {
            let Some(op) = definition(value).filter(|op| name_of(*op) == "memref.dim") else { return false };
            let number = op.operand(1).ok().and_then(definition).and_then(|op| op.attribute("value").ok());
            op.operand(0) == Ok(buffer) && number.is_some_and(|n| attributes::i64(n) == dim as i64)
        };
        it.size == Some(shaped.shape[dim]) || it.is_whole().is_some_and(own)
    }
}

impl<'c, 'a> Loop<'c, 'a> {
    /// The value that it counts to, from 0 by 1.
    fn is_whole(&self) -> Option<V<'c, 'a>> {
        let from_zero = self.lower[0] == Expr::Constant(0) && self.step == 1;
        match self.upper[0] {
            Expr::Dim(d) if from_zero => self.upper_operands.get(d).copied(),
            _ => None,
        }
    }
}

/// Whether a loop around an operation gives a value of what is inside.
pub(crate) fn is_fold(op: OperationRef) -> bool {
    is_loop(op) && op.result_count() > 0
}
