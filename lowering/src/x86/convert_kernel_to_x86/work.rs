//! How much a grid point of a kernel has to do, in element operations: an addition on a tile of 64 elements
//! is 64.
//!
//! Where a loop runs up to an argument of the kernel the launch knows it: [`Work`] is a sum over such
//! arguments.

use crate::kernel::tiles::known;
use melior::ir::{BlockRef, Location, OperationRef, RegionLike, Type, ValueLike};
use terrace_dialects::{
    ir::{
        BlockLike, OperationLike,
        cursor::{Cursor, V},
        extent::Extent,
        operations::{self, name_of},
        pass::Failure,
        shaped::Shaped,
    },
    ops::kernel,
};

/// What an element costs, by the name of the operation.
fn weight(name: &str) -> i64 {
    match name {
        "arith.constant" | "kernel.return" | "scf.yield" => 0,
        "arith.divf" | "arith.divsi" | "arith.remsi" | "math.sqrt" | "kernel.gather" | "kernel.scatter"
        | "kernel.atomic" => 4,
        "math.absf" | "math.copysign" | "math.fma" | "math.floor" | "math.ceil" | "math.roundeven" => 1,
        _ if name.starts_with("math.") => 16,
        // Each element is added to some before it, several times over.
        "kernel.scan" => 16,
        _ => 1,
    }
}

/// A number of element operations, and more of them for each unit of an argument of the kernel.
#[derive(Default)]
pub(super) struct Work {
    /// What is done in any case.
    pub number: i64,
    /// Arguments by their numbers, what a loop over them does that often, and how many of them a trip has.
    per: Vec<(usize, i64, Work)>,
}

/// How often a loop runs.
enum Trips {
    /// As far as it can be seen.
    Number(i64),
    /// Up to an argument, in steps.
    Argument(usize, i64),
}

impl Work {
    /// The element operations of a block; an argument of a kernel is one of `kernel`.
    pub fn of(block: BlockRef, kernel: BlockRef) -> Self {
        let mut total = Self::default();
        let mut next = block.first_operation();
        while let Some(op) = next {
            let mut inside = Self::default();
            for block in op.regions().filter_map(|r| r.first_block()) {
                inside.add(Self::of(block, kernel));
            }
            total.number = total.number.saturating_add(elements(op).saturating_mul(weight(name_of(op))));
            match trips(op, kernel) {
                Trips::Number(trips) => total.add(inside.times(trips)),
                Trips::Argument(argument, step) => total.per.push((argument, step, inside)),
            }
            next = op.next_in_block();
        }
        total
    }

    fn add(&mut self, other: Self) {
        self.number = self.number.saturating_add(other.number);
        self.per.extend(other.per);
    }

    fn times(mut self, trips: i64) -> Self {
        self.number = self.number.saturating_mul(trips);
        self.per = self.per.into_iter().map(|(i, step, inside)| (i, step, inside.times(trips))).collect();
        self
    }

    /// The number, of a launch with these arguments.
    pub fn value<'c, 'a>(
        &self,
        at: &Cursor<'c, 'a>,
        arguments: &[V<'c, 'a>],
    ) -> Result<Extent<'c, 'a>, Failure> {
        let mut total = Extent::Number(self.number);
        for (argument, step, inside) in &self.per {
            let trips = at.ceil_div(Extent::Value(arguments[*argument]), *step)?;
            let more = at.product(inside.value(at, arguments)?, trips)?;
            total = match (total, more) {
                (total, Extent::Number(more)) => at.plus(total, more)?,
                (Extent::Number(total), more) => at.plus(more, total)?,
                (Extent::Value(total), Extent::Value(more)) => {
                    Extent::Value(at.op("arith.addi", &[total, more], at.index_type())?)
                }
            };
        }
        Ok(total)
    }
}

/// The elements that an operation works on.
fn elements(op: OperationRef) -> i64 {
    if let Ok(dot) = kernel::DotOp::try_from(op) {
        let inner = Shaped::of(dot.rhs().r#type()).map_or(1, |s| s.shape[0]);
        return size(dot.acc()).saturating_mul(inner);
    }
    op.operands().chain(op.results().map(Into::into)).map(size).max().unwrap_or(1)
}

fn size(value: V) -> i64 {
    Shaped::of(value.r#type()).filter(|s| !s.buffer).and_then(|s| s.elements()).unwrap_or(1)
}

/// How often a loop runs its body; once where that is not to be seen.
fn trips(op: OperationRef, kernel: BlockRef) -> Trips {
    const ONCE: Trips = Trips::Number(1);
    if name_of(op) != "scf.for" {
        return ONCE;
    }
    let (Ok(from), Ok(to), Ok(step)) = (op.operand(0), op.operand(1), op.operand(2)) else { return ONCE };
    let step = known(step).unwrap_or(1).max(1);
    let in_steps = |n: i64| Trips::Number((n.max(0) as u64).div_ceil(step as u64) as i64);
    match (known(from), known(to)) {
        (Some(from), Some(to)) => in_steps(to.saturating_sub(from)),
        (Some(0), None) => argument(to, kernel).map_or(ONCE, |argument| Trips::Argument(argument, step)),
        _ => distance(from, to).map_or(ONCE, in_steps),
    }
}

/// The argument of a kernel that a value is, or the whole strips of.
fn argument(value: V, kernel: BlockRef) -> Option<usize> {
    if value.is_block_argument() {
        return (0..kernel.argument_count())
            .find(|i| kernel.argument(*i).is_ok_and(|argument| V::from(argument) == value));
    }
    let op = operations::definition(value)?;
    let whole = op.operand(0).ok().filter(|_| name_of(op) == "arith.subi")?;
    let rest = operations::definition(op.operand(1).ok()?)?;
    if name_of(rest) != "arith.remui" { None } else { argument(whole, kernel) }
}

/// `n` where `to` is `from + n`, or that within a limit.
fn distance(from: V, to: V) -> Option<i64> {
    if to.is_block_argument() {
        return None;
    }
    let op = operations::definition(to)?;
    match name_of(op) {
        "arith.minsi" => (0..2).find_map(|i| distance(from, op.operand(i).ok()?)),
        "arith.addi" => {
            let (a, b) = (op.operand(0).ok()?, op.operand(1).ok()?);
            if a == from { known(b) } else { known(a).filter(|_| b == from) }
        }
        _ => None,
    }
}

/// A kernel that has become a function.
pub(super) struct Kernel<'c, 'a> {
    pub(super) operation: OperationRef<'c, 'a>,
    pub(super) name: String,
    pub(super) location: Location<'c>,
    pub(super) arguments: Vec<Type<'c>>,
    pub(super) grid: Vec<i64>,
    /// What a grid point has to do.
    pub(super) work: Work,
    /// The function that threads run, once there is one.
    pub(super) task: Option<String>,
}
