//! Strides of a new tensor that eager finds by comparing those of operands, where these are not known.
//!
//! A rule that has no form as arithmetic is asked about examples: tensors that lie row-major, with channels innermost, transposed, with
//! gaps. What it compared on the way to its answer are the guards of a case, under which the answer, an expression over strides, holds for
//! all tensors. The boundary takes the first case whose guards hold. Where none does the function is another one, as for sizes that are not the
//! usual ones. That is tested before it is called, for tensors that it makes on the way by their strides alone; what lies by sizes that are known
//! later is refused.

use super::{
    analysis::Analysis,
    boundary::as_strided,
    frames::{Rule, Tensors, new_storage},
    tensors::Layout,
};
use crate::functional::{Writer, Written, known};
use melior::ir::{Location, OperationRef, Value};
use std::{cell::Cell, collections::HashMap};
use terrace_dialects::{
    cursor::Cursor,
    dtype::Dtype,
    ir::OperationLike,
    ops::graph,
    pass::Failure,
    placement::Asked,
    registry::OpImpl,
    rules::TensorType,
    size::{
        Size,
        symbols::{Guard, Relation, Symbol, current},
    },
    types::is_graph_tensor,
};

/// What is said where it can't be tested in front of a call which case holds.
pub const LATE: &str = "lies as tensors do of which too little is known when the function is called: take contiguous tensors, \
                        or declare graph.layout = strided<[...], offset: ...> on the arguments that they come from";

/// An operand whose strides are not known.
#[derive(Clone, Debug)]
struct Operand {
    identity: usize,
    /// Its strides.
    strides: Vec<Symbol>,
}

/// The strides of a new tensor, by cases.
#[derive(Clone, Debug)]
pub struct Cases {
    operands: Vec<Operand>,
    cases: Vec<(Vec<Guard>, Layout)>,
    /// Whether the boundary makes a tensor by one of them.
    taken: Cell<bool>,
}

/// How dimensions lie inside each other, from the innermost, and how many places each element takes.
fn examples(rank: usize) -> Vec<(Vec<usize>, i64)> {
    let rows: Vec<usize> = (0..rank).rev().collect();
    let mut all = vec![(rows.clone(), 1), (rows.clone(), 2)];
    if rank >= 2 {
        all.push(((0..rank).collect(), 1));
    }
    if rank >= 3 {
        all.push((std::iter::once(1).chain((2..rank).rev()).chain([0]).collect(), 1));
        let mut swapped = rows;
        swapped.swap(0, 1);
        all.push((swapped, 1));
    }
    all
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// The cases for a result of an operation; None where no example has an answer.
    pub(super) fn cases(
        &self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        number: usize,
        ty: &TensorType<'c>,
    ) -> Option<Cases> {
        if !self.knows_symbols() {
            return None;
        }
        let before = current(|symbols| symbols.checkpoint());
        let asked = current(|symbols| symbols.guards().len());
        let mut found = Cases { operands: vec![], cases: vec![], taken: Cell::new(false) };
        let mut layouts: HashMap<usize, Layout> = HashMap::new();
        for value in op.operands().filter(|value| is_graph_tensor(melior::ir::ValueLike::r#type(value))) {
            let tensor = self.tensor(value)?;
            if !self.is_framed(tensor.origin) || layouts.contains_key(&tensor.identity) {
                continue;
            }
            let sizes = tensor.layout.sizes.clone();
            let numbers = sizes.iter().map(|_| current(|symbols| symbols.symbol(None, 0)));
            let (symbols, strides) = numbers.unzip();
            found.operands.push(Operand { identity: tensor.identity, strides: symbols });
            layouts.insert(tensor.identity, Layout { sizes, strides, offset: Size::ZERO });
        }
        let layout = |value: Value<'c, 'a>| {
            let tensor = self.tensor(value).ok_or("uses a tensor that comes from elsewhere")?;
            match layouts.get(&tensor.identity) {
                Some(own) => Ok(own.clone()),
                None => self.layout(value).cloned(),
            }
        };
        let most = found.operands.iter().map(|own| examples(own.strides.len()).len()).max()?;
        // All alike, and each in another way than the others.
        let alone = (0..found.operands.len()).flat_map(|k| (1..most).map(move |way| (Some(k), way)));
        for (place, way) in (0..most).map(|way| (None, way)).chain(alone) {
            current(|symbols| symbols.guess_all());
            for (k, own) in found.operands.iter().enumerate() {
                let all = examples(own.strides.len());
                let way = if place.is_none_or(|place| place == k) { way.min(all.len() - 1) } else { 0 };
                let (order, mut next) = all[way].clone();
                for dim in order {
                    let size = layouts[&own.identity].sizes[dim];
                    current(|symbols| {
                        symbols.guess(own.strides[dim], next);
                        next = next.saturating_mul(symbols.hint(size).unwrap_or(1).max(1));
                    });
                }
            }
            let layout = &layout;
            let made =
                Asked { op, op_impl, number, sizes: &ty.shape, device: ty.device, layout }.new_layout();
            // Without gaps: its memory is what its elements take.
            let made = made.ok().filter(|made| made.is_dense());
            let mut guards = current(|symbols| symbols.guards()[asked..].to_vec());
            if self.partial {
                guards.retain(|guard| !is_of_elements(guard, &found.operands));
            }
            current(|symbols| symbols.back_to(before.clone()));
            if let Some(made) = made.and_then(|made| made.check().ok())
                && found.cases.iter().all(|(other, _)| !same(other, &guards))
            {
                found.cases.push((guards, made));
            }
        }
        Some(found).filter(|found| !found.cases.is_empty())
    }
}

/// Whether all that a guard says is that a size, which is no stride, is not 0: strides lead nowhere else.
fn is_of_elements(guard: &Guard, operands: &[Operand]) -> bool {
    let sides = [guard.left, guard.right];
    let strides = operands.iter().flat_map(|own| &own.strides).map(|symbol| symbol.place());
    let places = super::sizes::places(sides);
    guard.relation == Relation::Equal
        && !guard.holds
        && sides.iter().any(|side| side.known() == Some(0))
        && strides.into_iter().all(|place| !places.contains(&place))
}

/// Whether two ways lead through the same answers.
fn same(a: &[Guard], b: &[Guard]) -> bool {
    let parts = |guard: &Guard| (guard.relation, guard.holds, guard.left.key(), guard.right.key());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| parts(a) == parts(b))
}

impl Cases {
    /// The tensors whose strides decide.
    pub fn identities(&self) -> impl Iterator<Item = usize> {
        self.operands.iter().map(|own| own.identity)
    }

    /// Whether the boundary makes a tensor by one of them.
    pub fn is_taken(&self) -> bool {
        self.taken.get()
    }

    /// Whether one of them holds, for tensors that are there or can be made.
    pub fn test<'c, 'a>(
        &self,
        analysis: &Analysis<'c, 'a>,
        w: &Writer<'c, 'a>,
        tensors: &mut Tensors<'c, 'a>,
    ) -> Written<'c, 'a> {
        let location = w.before.location();
        for identity in self.identities() {
            tensors.get(analysis, w, location, identity)?;
        }
        Ok(self.choose(w, location, &tensors.named)?.0)
    }

    /// The new tensor, of sizes and a dtype.
    pub fn write<'c, 'a>(
        &self,
        w: &Writer<'c, 'a>,
        location: Location<'c>,
        (sizes, dtype): (&[Size], Dtype),
        named: &HashMap<usize, Value<'c, 'a>>,
    ) -> Written<'c, 'a> {
        self.taken.set(true);
        let (_, strides) = self.choose(w, location, named)?;
        let elements = sizes.iter().copied().product::<Size>();
        let flat = new_storage(w, location, &[elements], &[], dtype, Rule::Pointwise)?;
        let strides = strides.into_iter().map(|stride| {
            let (symbol, size) = current(|symbols| symbols.symbol(None, 0));
            known::is_symbol(symbol, stride);
            size
        });
        let layout = Layout { sizes: sizes.to_vec(), strides: strides.collect(), offset: Size::ZERO };
        as_strided(w, location, flat, &layout)
    }

    /// Whether one of the cases holds, and the strides that it says.
    fn choose<'c, 'a>(
        &self,
        w: &Writer<'c, 'a>,
        location: Location<'c>,
        named: &HashMap<usize, Value<'c, 'a>>,
    ) -> Result<(Value<'c, 'a>, Vec<Value<'c, 'a>>), Failure> {
        let truth = Dtype::Bool.to_type(w.context);
        let at = Cursor::before(w.before)?.of(location);
        for own in &self.operands {
            for (dim, symbol) in own.strides.iter().enumerate() {
                let stride = w.insert(graph::sym_stride(location, named[&own.identity], dim as i64))?;
                known::is_symbol(*symbol, stride.result_at(0)?.into());
            }
        }
        let mut chosen: Option<(Value, Vec<Value>)> = None;
        for (guards, layout) in self.cases.iter().rev() {
            let mut holds = at.integer(truth, 1)?;
            for guard in guards {
                let (left, right) = (w.size_as_said(guard.left)?, w.size_as_said(guard.right)?);
                holds = at.op("arith.andi", &[holds, at.compare(guard.predicate(), left, right)?], truth)?;
            }
            let strides = layout.strides.iter().map(|stride| w.size_as_said(*stride));
            let strides = strides.collect::<Result<Vec<_>, _>>()?;
            chosen = Some(match chosen {
                None => (holds, strides),
                Some((any, others)) => {
                    let select = |(own, other)| at.op("arith.select", &[holds, own, other], w.word());
                    let strides = strides.into_iter().zip(others).map(select);
                    (at.op("arith.ori", &[holds, any], truth)?, strides.collect::<Result<_, _>>()?)
                }
            });
        }
        Ok(chosen.ok_or("has no strides")?)
    }
}
