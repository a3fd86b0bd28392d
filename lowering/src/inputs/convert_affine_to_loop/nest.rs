//! A nest of affine loops, read: its loops, and each operation with the loops and conditions around it.

use super::bounds::{Extent, Loop};
use crate::inputs::not_converted::NotConverted;
use melior::ir::{BlockRef, OperationRef, RegionLike, ValueLike};
use rustc_hash::{FxHashMap, FxHashSet};
use terrace_dialects::{
    analysis::dependence::{Access, Form, Term},
    ir::{
        BlockLike, OperationLike, attributes,
        cursor::{Cursor, V},
        operations::{definition, home, key, name_of},
        pass::Failure,
        raw::constraints,
        shaped::Shaped,
    },
    loops::affine::{self, Expr},
};

/// Whether an operation is a loop of affine.
pub(super) fn is_loop(op: OperationRef) -> bool {
    matches!(name_of(op), "affine.for" | "affine.parallel")
}

/// An operation of a nest.
#[derive(Clone)]
pub(crate) struct Inside<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    /// Its number among all, in the order of the text.
    pub position: usize,
    /// The loops around it, from the outermost, by their numbers.
    pub loops: Vec<usize>,
    /// The `affine.if` and `scf.if` that it stands in, and whether in the branch that is taken where the
    /// condition holds.
    pub conditions: Vec<(OperationRef<'c, 'a>, bool)>,
}

/// What a dimension of a place is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Atom<'c, 'a> {
    /// The number of times that a loop has gone round.
    Loop(usize),
    /// What a loop counts from: the largest of several bounds.
    Start(usize),
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
    /// The indices of loops over tiles' points, each one with the loop over its tiles.
    joined: FxHashSet<usize>,
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
pub(super) fn is_scalar(op: OperationRef) -> bool {
    let name = name_of(op);
    let number = |v: V| Shaped::of(v.r#type()).is_none();
    (name.starts_with("arith.") || name.starts_with("math.") || name == "affine.apply")
        && op.region_count() == 0
        && op.operands().all(number)
        && op.results().all(|r| number(r.into()))
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// Reads a nest.
    pub fn read(root: OperationRef<'c, 'a>) -> Result<Self, NotConverted> {
        let mut nest = Self {
            root,
            loops: vec![],
            joined: FxHashSet::default(),
            inside: FxHashMap::default(),
            stores: vec![],
        };
        nest.add_loop(root, &[], &[])?;
        Ok(nest)
    }

    fn add_loop(
        &mut self,
        op: OperationRef<'c, 'a>,
        around: &[usize],
        conditions: &[(OperationRef<'c, 'a>, bool)],
    ) -> Result<(), NotConverted> {
        let block = op.region(0)?.first_block().ok_or("has no body")?;
        let mut loops = around.to_vec();
        for own in Loop::all(op)? {
            if self.joined.contains(&key(own.index)) {
                continue;
            }
            let untiled = own.untiled(op).inspect(|whole| {
                self.joined.insert(key(whole.index));
            });
            let own = untiled.unwrap_or(own);
            if own.values().any(|v| self.is_inside(v)) {
                return Err("has a loop whose bounds depend on another one".into());
            }
            loops.push(self.loops.len());
            self.loops.push(own);
        }
        self.add_block(block, &loops, conditions)
    }

    fn add_block(
        &mut self,
        block: BlockRef<'c, 'a>,
        loops: &[usize],
        conditions: &[(OperationRef<'c, 'a>, bool)],
    ) -> Result<(), NotConverted> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            let position = self.inside.len();
            let own = Inside { op, position, loops: loops.to_vec(), conditions: conditions.to_vec() };
            self.inside.insert(address(op), own.clone());
            match name_of(op) {
                "affine.yield" | "scf.yield" => {}
                "affine.for" | "affine.parallel" => {
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

    /// The values of inside that an operation takes, beside what a store stores; of indices only what is no
    /// affine expression.
    pub fn needs(&self, op: OperationRef<'c, 'a>) -> Result<Vec<V<'c, 'a>>, NotConverted> {
        let place = match name_of(op) {
            _ if is_store(op) || is_load(op) => self.place(op)?,
            "affine.apply" => self.index(op.result_at(0)?.into()),
            "affine.if" => self.condition(op)?.0,
            "affine.parallel" => return Ok(vec![]),
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
    pub fn condition(&self, op: OperationRef<'c, 'a>) -> Result<(Place<'c, 'a>, Vec<bool>), NotConverted> {
        let operands: Vec<V> = op.operands().collect();
        let (map, zero) = constraints(op.attribute("condition")?).ok_or("has no integer set")?;
        let mut atoms = vec![];
        let over = |expr: Expr| self.over_atoms(&expr, &operands, &mut atoms);
        let exprs = affine::exprs(map).into_iter().map(over).collect();
        Ok((Place { exprs, atoms }, zero))
    }

    /// The loop that a value is the index of.
    pub fn loop_of(&self, value: V<'c, 'a>) -> Option<usize> {
        self.loops.iter().position(|l| l.index == value)
    }

    /// The loops that an operation is.
    pub fn numbers(&self, op: OperationRef<'c, 'a>) -> Result<Vec<usize>, NotConverted> {
        let block = op.region(0)?.first_block().ok_or("has no body")?;
        let dims = if name_of(op) == "affine.parallel" { block.argument_count() } else { 1 };
        let number = |d: usize| -> Result<usize, NotConverted> {
            Ok(self.loop_of(block.argument(d)?.into()).ok_or("has a loop that is unknown")?)
        };
        (0..dims).map(number).collect()
    }

    /// The memref that a load or a store touches.
    pub fn buffer(&self, op: OperationRef<'c, 'a>) -> Result<V<'c, 'a>, NotConverted> {
        Ok(op.operand(usize::from(is_store(op)))?)
    }

    /// Where a load or a store touches its memref.
    pub fn place(&self, op: OperationRef<'c, 'a>) -> Result<Place<'c, 'a>, NotConverted> {
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
                let round = atom(Atom::Loop(number));
                let start = match it.start() {
                    Some((start, values)) => inner(start, values),
                    None => atom(Atom::Start(number)),
                };
                let scaled = Expr::Mul(Box::new(round), Box::new(Expr::Constant(it.step)));
                return Expr::Add(Box::new(scaled), Box::new(start));
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
    pub fn access(&self, at: &Inside<'c, 'a>) -> Result<Access<'c, 'a>, NotConverted> {
        let place = self.place(at.op)?;
        let term = |atom: &Atom<'c, 'a>| match atom {
            Atom::Loop(number) => {
                at.loops.iter().position(|l| l == number).map_or(Term::Unknown, Term::Index)
            }
            Atom::Start(number) => Term::Symbol(key(self.loops[*number].index)),
            Atom::Outside(value) => Term::Symbol(key(*value)),
            Atom::Inside(_) => Term::Unknown,
        };
        let terms: Vec<Term> = place.atoms.iter().map(term).collect();
        Ok(Access {
            buffer: self.buffer(at.op)?,
            subscripts: place.exprs.iter().map(|expr| Form::of(expr, &terms)).collect(),
            sizes: at.loops.iter().map(|l| self.loops[*l].size).collect(),
        })
    }

    /// How often the loops go round, computed in front of the cursor where that is not known.
    pub fn extents(&self, at: Cursor<'c, 'a>) -> Result<Vec<Extent<'c, 'a>>, Failure> {
        self.loops.iter().map(|own| own.extent(at)).collect()
    }
}

/// Whether a loop around an operation gives a value of what is inside.
pub(crate) fn is_fold(op: OperationRef) -> bool {
    is_loop(op) && op.result_count() > 0
}
