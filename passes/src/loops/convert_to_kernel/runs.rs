//! Dimensions of a nest that lie side by side wherever they are used, as one.
//!
//! An access to `%x[%b, %i, %j]` of a row-major buffer whose last size is that of `%j` is one to `%y[%b, %n]`
//! of the buffer with its last two dimensions collapsed. That is so for whole nests whose accesses all have
//! the indices next to each other.

use crate::{
    emit::Emitter,
    kernel::tile_programs::{access::Access, nest::Nest},
    loops::operation::merged::{collapsed, mergeable},
};
use melior::ir::{Attribute, ValueLike};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    ir::{cursor::V, operations::key, pass::Failure, shaped::Shaped},
    loops::affine::{self, Expr},
};
use terrace_size::DYNAMIC;

/// Two indices of a nest or more, next to each other, with their sizes.
pub(super) struct Run<'c, 'a> {
    pub indices: Vec<V<'c, 'a>>,
    pub sizes: Vec<i64>,
}

impl<'c, 'a> Run<'c, 'a> {
    /// These dimensions of a nest.
    pub fn of(nest: &Nest<'c, 'a>, dims: &[usize]) -> Self {
        let indices = dims.iter().map(|d| nest.indices[*d]).collect();
        Self { indices, sizes: dims.iter().map(|d| nest.sizes[*d]).collect() }
    }

    /// The dimension of the buffer where an access has the run, if it uses it; an error where it has it
    /// otherwise. Indices in `zero` are 0.
    pub fn place(&self, access: &Access<'c, 'a>, zero: &HashSet<usize>) -> Result<Option<usize>, ()> {
        let exprs = simplified(access, zero);
        let position = |index: &V<'c, 'a>| access.operands.iter().position(|v| v == index);
        let is_own = |d: usize| self.indices.contains(&access.operands[d]);
        let mut users = exprs.iter().enumerate().filter(|(_, e)| names(e, &is_own)).map(|(i, _)| i);
        let Some(first) = users.next() else { return Ok(None) };
        let others = users.count() + 1;
        let there = |(i, index): (usize, &V<'c, 'a>)| match (exprs.get(first + i), position(index)) {
            (Some(Expr::Dim(d)), Some(_)) => access.operands[*d] == *index,
            _ => false,
        };
        let shape = mergeable(access.buffer).unwrap_or_default();
        let whole = |(i, size): (usize, &i64)| i == 0 || shape.get(first + i) == Some(size);
        let beside = others == self.indices.len()
            && self.indices.iter().enumerate().all(there)
            && self.sizes.iter().enumerate().all(whole)
            && Shaped::of(access.buffer.r#type()).is_some_and(|own| own.shape[first] != DYNAMIC);
        if beside { Ok(Some(first)) } else { Err(()) }
    }
}

/// An access with each run that it has as one index: the buffer, and an expression per dimension, over these
/// values.
pub(super) struct Joined<'c, 'a> {
    pub buffer: V<'c, 'a>,
    pub exprs: Vec<Expr>,
    pub values: Vec<V<'c, 'a>>,
}

impl<'c, 'a> Joined<'c, 'a> {
    /// Joins; the collapsed buffer is made at `host`. The runs have a place in the access, or are not in it.
    /// `inside` is what the access's operands are where it goes, and what stands behind a run's index is
    /// added to it.
    pub fn of(
        host: &Emitter<'c, 'a>,
        access: &Access<'c, 'a>,
        runs: &[(Run<'c, 'a>, V<'c, 'a>, Option<V<'c, 'a>>)],
        zero: &HashSet<usize>,
        inside: &HashMap<usize, V<'c, 'a>>,
    ) -> Result<Self, Failure> {
        let within = |v: &V<'c, 'a>| inside.get(&key(*v)).copied().unwrap_or(*v);
        let mut exprs = simplified(access, zero);
        let mut values: Vec<V> = access.operands.iter().map(within).collect();
        let mut groups = vec![];
        for (run, one, from) in runs {
            let place = run.place(access, zero).map_err(|()| "has a run that lies apart")?;
            if let Some(place) = place {
                exprs[place] = Expr::Dim(values.len());
                values.push(*one);
                if let Some(from) = from {
                    let own = std::mem::replace(&mut exprs[place], Expr::Constant(0));
                    exprs[place] = Expr::Add(Box::new(own), Box::new(Expr::Dim(values.len())));
                    values.push(*from);
                }
                groups.push((place, run.indices.len()));
            }
        }
        groups.sort_unstable();
        for (place, count) in groups.iter().rev() {
            exprs.drain(place + 1..place + count);
        }
        Ok(Self { buffer: collapsed(host, access.buffer, &groups)?, exprs, values })
    }
}

fn simplified(access: &Access, zero: &HashSet<usize>) -> Vec<Expr> {
    let dim = |(d, v): (usize, &V)| if zero.contains(&key(*v)) { Expr::Constant(0) } else { Expr::Dim(d) };
    let dims: Vec<Expr> = access.operands.iter().enumerate().map(dim).collect();
    access.exprs.iter().map(|e| e.substitute(&dims).simplify(&[])).collect()
}

fn names(expr: &Expr, own: &dyn Fn(usize) -> bool) -> bool {
    match expr {
        Expr::Dim(d) => own(*d),
        Expr::Constant(_) => false,
        Expr::Add(l, r) | Expr::Mul(l, r) | Expr::Mod(l, r) | Expr::FloorDiv(l, r) | Expr::CeilDiv(l, r) => {
            names(l, own) || names(r, own)
        }
    }
}

/// The operands and the map of an access to [`Joined`] expressions.
pub(super) fn place<'c, 'a>(
    at: &Emitter<'c, 'a>,
    exprs: &[Expr],
    values: &[V<'c, 'a>],
) -> (Vec<V<'c, 'a>>, Attribute<'c>) {
    let exprs: Vec<_> = exprs.iter().map(|e| e.write(at.context)).collect();
    affine::access(at.context, &exprs, values)
}
