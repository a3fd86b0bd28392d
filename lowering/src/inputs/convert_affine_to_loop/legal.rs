//! That no value changes when a nest becomes one operation for each of its stores.
//!
//! Two conditions. The points of a store may run in any order, and all may read before any writes. And all
//! points of an earlier store, with what computes its values, may run before the first point of a later one.

use super::{
    NotConverted,
    nest::{Inside, Nest, common},
    statement::Statement,
};
use std::cell::Cell;
use terrace_dialects::{
    analysis::{
        dependence::{Access, Form, Relation},
        memory::Memory,
    },
    ir::{operations::name_of, shaped::Shaped},
};
use terrace_size::DYNAMIC;

/// What is taken for granted of arguments that may be the same memory.
pub(super) enum Arguments {
    /// Nothing.
    MayOverlap,
    /// They are apart.
    Distinct,
    /// They are apart, for a test will say so; whether anything is proven by it.
    Tested(Cell<bool>),
}

impl Arguments {
    /// As the pass is told.
    pub fn of(options: &crate::options::ConvertAffineToLoop) -> Self {
        match (options.distinct_arguments, options.version_aliases) {
            (true, _) => Self::Distinct,
            (false, true) => Self::Tested(Cell::new(false)),
            (false, false) => Self::MayOverlap,
        }
    }

    /// Whether a test has to say what has been taken for granted.
    pub fn assumed(&self) -> bool {
        matches!(self, Self::Tested(used) if used.get())
    }

    /// Whether two touches may be of one element.
    fn may_meet(&self, a: &Access, b: &Access, relation: Relation) -> bool {
        match self {
            Self::MayOverlap => a.may_meet(b, relation, false),
            Self::Distinct => a.may_meet(b, relation, true),
            Self::Tested(used) => {
                let meets = a.may_meet(b, relation, false);
                let anyway = meets && a.may_meet(b, relation, true);
                used.set(used.get() || meets != anyway);
                anyway
            }
        }
    }
}

/// Whether a place is inside of the memref at every point, conditions aside: of each subscript, where that is
/// known.
fn insides<'t>(access: &'t Access) -> impl Iterator<Item = Option<bool>> + 't {
    let shape =
        Shaped::of(melior::ir::ValueLike::r#type(&access.buffer)).map_or(vec![], |shaped| shaped.shape);
    access.subscripts.iter().enumerate().map(move |(dim, subscript)| {
        let size = shape.get(dim).copied().filter(|size| *size != DYNAMIC)?;
        let form = subscript.as_ref().filter(|form| form.symbols.values().all(|f| *f == 0))?;
        let (mut least, mut most) = (i128::from(form.constant), i128::from(form.constant));
        for (i, factor) in form.factors.iter().enumerate().filter(|(_, f)| **f != 0) {
            let reach = i128::from(*factor) * i128::from(access.sizes[i]? - 1).max(0);
            least += reach.min(0);
            most += reach.max(0);
        }
        Some(least >= 0 && most < i128::from(size))
    })
}

/// Whether a place is inside of the memref at every point, conditions aside.
fn in_bounds(access: &Access) -> bool {
    insides(access).all(|inside| inside == Some(true))
}

/// Whether two touches, each with the loops around it, have a loop of the first as the same subscript of one
/// memref.
fn shares_loop(i: usize, (a, around): (&Access, &[usize]), (b, others): (&Access, &[usize])) -> bool {
    let index = |form: &Option<Form>| form.as_ref().and_then(Form::index);
    let mut both = a.subscripts.iter().zip(&b.subscripts);
    let same = |(a, b): (&Option<Form>, &Option<Form>)| {
        index(a) == Some(i) && index(b).map(|k| others[k]) == Some(around[i])
    };
    a.buffer == b.buffer && both.any(same)
}

/// The points of a store may run in any order.
pub(super) fn points<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    statement: &Statement<'c, 'a>,
    arguments: &Arguments,
) -> Result<(), NotConverted> {
    let (written, store) = (&statement.access, &statement.store);
    if !store.conditions.is_empty() && !in_bounds(written) {
        return Err("has a store under a condition, at a place that may be out of bounds elsewhere".into());
    }
    // The rounds of a loop around it may be none. A loop operation reads what it combines with all the same.
    if written.sizes.contains(&None) && insides(written).any(|inside| inside == Some(false)) {
        return Err("has a store out of bounds, unless a loop around it has no rounds".into());
    }
    // The loops that move the element come first, then those that combine.
    let moving = statement.loops();
    let position = |number: &usize| store.loops.iter().position(|l| l == number).expect("it is one of them");
    let mut order: Vec<usize> = moving.iter().map(position).collect();
    order.extend((0..store.loops.len()).filter(|i| !moving.contains(&store.loops[*i])));
    let own = written.reordered(&order);
    // Rounds of a parallel loop touch no element that another one writes.
    let in_order = |number: usize| !nest.loops[number].parallel;
    if (0..moving.len()).any(|k| in_order(moving[k]) && arguments.may_meet(&own, &own, Relation::Before(k))) {
        return Err("has a store that may write one element several times".into());
    }
    let mut reads_own = statement.combined.is_some() || !store.conditions.is_empty();
    // Groups tell points apart by an index that is a subscript.
    let grouped = statement.combined.is_some() || !statement.slice.folds.is_empty();
    let told = |read: &Access, loops: &[usize]| {
        order[..moving.len()]
            .iter()
            .all(|i| written.sizes[*i] == Some(1) || shares_loop(*i, (written, &store.loops), (read, loops)))
    };
    for load in statement.slice.loads() {
        let read = nest.access(load)?;
        let meets = if statement.combined.is_some() || load.loops != store.loops {
            arguments.may_meet(&read, written, Relation::Together(0))
        } else {
            (0..store.loops.len()).filter(|k| in_order(store.loops[*k])).any(|k| {
                let before = Relation::Before(k);
                arguments.may_meet(&read, written, before) || arguments.may_meet(written, &read, before)
            })
        };
        if meets {
            let name = name_of(load.op);
            return Err(format!("has '{name}' of an element that another point may write").into());
        }
        let own = Memory::of(read.buffer).is(&Memory::of(written.buffer));
        if grouped && own && !told(&read, &load.loops) {
            let name = name_of(load.op);
            return Err(format!("combines what '{name}' reads elsewhere in what is written").into());
        }
        reads_own |= own;
    }
    if grouped && reads_own && !told(written, &store.loops) {
        return Err("combines into an element whose subscripts are no indices of loops".into());
    }
    Ok(())
}

/// What a store touches, and what computes its value: where, and whether it writes.
pub(super) fn accesses<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    statement: &Statement<'c, 'a>,
) -> Result<Vec<(Inside<'c, 'a>, Access<'c, 'a>, bool)>, NotConverted> {
    let mut all = vec![(statement.store.clone(), statement.access.clone(), true)];
    for load in statement.slice.loads() {
        all.push((load.clone(), nest.access(load)?, false));
    }
    Ok(all)
}

/// All points of a store may run before the first of a later one.
pub(super) fn in_sequence<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    first: &Statement<'c, 'a>,
    later: &Statement<'c, 'a>,
    arguments: &Arguments,
) -> Result<(), NotConverted> {
    for (before, x, x_writes) in &accesses(nest, first)? {
        for (after, y, y_writes) in &accesses(nest, later)? {
            if !x_writes && !y_writes {
                continue;
            }
            let shared = common(&before.loops, &after.loops);
            let own = |k: usize| &nest.loops[before.loops[k]];
            let meet = |relation| arguments.may_meet(y, x, relation);
            let turned = (0..shared).filter(|k| !own(*k).parallel).any(|k| {
                // From a loop that was tiled on, rounds come in another order than their indices.
                let tiled = (0..=k).any(|k| own(k).tiled);
                meet(Relation::Before(k)) || tiled && arguments.may_meet(x, y, Relation::Before(k))
            }) || (after.position < before.position && meet(Relation::Together(shared)));
            if turned {
                let (a, b) = (name_of(before.op), name_of(after.op));
                return Err(format!("has '{a}' and a later '{b}' that may touch one element in turns").into());
            }
        }
    }
    Ok(())
}
