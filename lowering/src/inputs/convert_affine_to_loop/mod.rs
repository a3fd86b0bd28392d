//! The pass `convert-affine-to-loop`: from nests of affine loops to loop operations, where their order means
//! nothing.
//!
//! A nest is read ([`nest`], its loops by [`bounds`]) as its stores, each with the loops around it, the
//! conditions that it stands under and what computes its value; [`statement`] says what such a store is as a
//! loop operation: a body at each point, or a combination over the loops that do not move its element.
//! [`legal`] proves that points of one store have nothing to do with each other, and that all points of an
//! earlier store may run before the first of a later one. Then [`write`] writes the operations in front of
//! the nest; with `version-aliases` [`versions`] does so under a test of what the proof takes for granted.
//!
//! All or nothing: where something is not proven the nest stays, with a remark that says why, and the loops
//! inside are tried, their surroundings given.

mod bounds;
mod legal;
mod nest;
mod statement;
mod versions;
mod write;

use super::not_converted::NotConverted;
use crate::options::ConvertAffineToLoop as Options;
use legal::Arguments;
use melior::ir::OperationRef;
use nest::{Inside, Nest, is_loop};
use statement::Statement;
use terrace_dialects::analysis::dependence::Access;
use terrace_dialects::ir::{
    OperationLike, cursor::Cursor, diagnostics::emit_op_remark, operations::collect_within, pass::Failure,
    rewrite::erase,
};

/// A nest that becomes loop operations.
struct Plan<'c, 'a> {
    root: OperationRef<'c, 'a>,
    nest: Nest<'c, 'a>,
    statements: Vec<Statement<'c, 'a>>,
    /// What it touches, and whether that is written.
    accesses: Vec<(Access<'c, 'a>, bool)>,
    /// Whether it is taken for granted that arguments are apart which may be the same memory.
    assumes: bool,
}

/// Converts every nest below an operation that may be converted.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    convert(collect_within(op, |op| !is_loop(op), is_loop), false, options)
}

/// Points of a nest from which on it pays to test addresses in front of it in each round of a loop around.
const POINTS: i64 = 1024;

/// Converts nests of which none is inside of another one, or the nests in them; `repeated` where they stand
/// in loops that stay.
fn convert<'c: 'a, 'a>(
    roots: Vec<OperationRef<'c, 'a>>,
    repeated: bool,
    options: &Options,
) -> Result<(), Failure> {
    let mut plans = vec![];
    for root in roots.into_iter().filter(|root| !versions::is_last_resort(*root)) {
        let plan = Plan::of(root, options);
        match if repeated { plan.and_then(Plan::if_it_pays) } else { plan } {
            Ok(plan) => plans.push(plan),
            Err(NotConverted::Failed(failure)) => return Err(failure),
            Err(NotConverted::For(why)) => {
                emit_op_remark(&root, &format!("stays: {why}"));
                let inside =
                    collect_within(root, |op| op == root || !is_loop(op), |op| op != root && is_loop(op));
                convert(inside.into_iter().filter(|op| op.result_count() == 0).collect(), true, options)?;
            }
        }
    }
    for run in versions::runs(plans) {
        if run.iter().any(|plan| plan.assumes) {
            versions::write(&run)?;
            continue;
        }
        for plan in run {
            plan.write(Cursor::before(plan.root)?)?;
            erase(plan.root);
        }
    }
    Ok(())
}

impl<'c: 'a, 'a> Plan<'c, 'a> {
    /// Reads a nest, and proves that it may be converted.
    fn of(root: OperationRef<'c, 'a>, options: &Options) -> Result<Self, NotConverted> {
        if root.result_count() > 0 {
            return Err("its result is used outside of any store".into());
        }
        let nest = Nest::read(root)?;
        if nest.stores.is_empty() {
            return Err("stores nothing".into());
        }
        // What stands in a loop that never goes round stores nothing.
        let runs = |store: &&Inside| store.loops.iter().all(|l| nest.loops[*l].size != Some(0));
        let stores = nest.stores.iter().filter(runs);
        let statements = stores.map(|store| Statement::of(&nest, store)).collect::<Result<Vec<_>, _>>()?;
        if !options.reassociate_floats && !statements.iter().all(Statement::may_be_reordered) {
            return Err(
                "combines floats in an order: expects fastmath<reassoc>, or reassociate-floats".into()
            );
        }
        let arguments = Arguments::of(options);
        let mut accesses = vec![];
        for (i, statement) in statements.iter().enumerate() {
            legal::points(&nest, statement, &arguments)?;
            statements[i + 1..]
                .iter()
                .try_for_each(|later| legal::in_sequence(&nest, statement, later, &arguments))?;
            for (_, access, writes) in legal::accesses(&nest, statement)? {
                accesses.push((access, writes));
            }
        }
        let assumes = arguments.assumed();
        Ok(Self { root, nest, statements, accesses, assumes })
    }

    /// Itself, where it pays in each round of a loop that stays: its stores are not taken apart into loops of
    /// their own, which would read again what they share, and a test is worth its time.
    fn if_it_pays(self) -> Result<Self, NotConverted> {
        let loops = |statement: &Statement<'c, 'a>| statement.store.loops.clone();
        let shares = |(i, one): (usize, &Statement<'c, 'a>)| {
            self.statements[i + 1..].iter().any(|other| loops(other) == loops(one))
        };
        if self.statements.iter().enumerate().any(shares) {
            return Err("has several stores in one loop, inside of another loop that stays".into());
        }
        let points = |statement: &Statement<'c, 'a>| {
            let size = |number: usize| self.nest.loops[number].size.unwrap_or(POINTS);
            loops(statement).into_iter().map(size).fold(1, i64::saturating_mul)
        };
        if self.assumes && self.statements.iter().map(points).sum::<i64>() < POINTS {
            return Err("is too short for a test of addresses inside of another loop that stays".into());
        }
        Ok(self)
    }

    /// Writes what the nest becomes.
    fn write(&self, at: Cursor<'c, 'a>) -> Result<(), Failure> {
        let extents = self.nest.extents(at)?;
        let write = |statement| write::statement(at, &self.nest, &extents, statement);
        self.statements.iter().try_for_each(write).map_err(write::into_failure)
    }
}
