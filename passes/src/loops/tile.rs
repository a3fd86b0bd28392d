//! The pass `loop-tile`: writes down how many points of a domain are one grid point's.
//!
//! Grid points run at the same time. So a dimension is divided only where no point waits for another: not
//! along a scan, not where points of a scatter meet that are combined or ordered, not in a group whose points
//! combine into the same elements, not where a point reads what another one writes.

use crate::{
    loops::{
        operation::{
            read::{Kind, Loop},
            targets::{depends_on_order, targets},
        },
        reorder::set,
    },
    options::LoopTile as Options,
};
use melior::ir::OperationRef;
use terrace_dialects::{
    ir::{operations::refuse, pass::Failure, stress::Stress},
    loops::groups::Insert,
    ops::loop_,
};
use terrace_size::DYNAMIC;

/// What can be divided: an operation, or a group with its shared domain.
enum Target<'c, 'a> {
    Loop(Loop<'c, 'a>),
    Group(loop_::GroupOp<'c, 'a>),
}

impl<'c: 'a, 'a> Target<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        match loop_::GroupOp::try_from(op) {
            Ok(group) => Some(Self::Group(group)),
            Err(op) => Loop::of(op).map(Self::Loop),
        }
    }

    /// The sizes that a tile is of.
    fn sizes(&self) -> Vec<i64> {
        match self {
            Self::Loop(nest) => nest.sizes[..nest.outer].to_vec(),
            Self::Group(group) => group.sizes(),
        }
    }

    /// Whether the points along a dimension wait for each other, so that it can't be divided, and why.
    fn waits(&self) -> impl Fn(usize) -> Option<&'static str> {
        let (why, waits) = match self {
            Self::Loop(nest) if nest.kind == Kind::Scatter => {
                ("writes the same elements from several points of", nest.waits())
            }
            Self::Loop(nest) => ("scans along", nest.waits()),
            Self::Group(_) => ("", vec![]),
        };
        move |d| (waits.get(d) == Some(&true)).then_some(why)
    }
}

/// Runs the pass below an operation.
pub fn run(op: OperationRef, options: &Options) -> Result<(), Failure> {
    let mut stress = Stress::new(options.stress_seed);
    for op in targets(op, &options.function, options.number, |op| Target::of(op).is_some())? {
        let Some(target) = Target::of(op) else { continue };
        let (sizes, waits) = (target.sizes(), target.waits());
        let why_not = refused(&target);
        if let Some(stress) = &mut stress {
            if why_not.is_some() || sizes.is_empty() || sizes.contains(&DYNAMIC) {
                continue;
            }
            let one = |(d, size): (usize, &i64)| match *size {
                size if size <= 1 || waits(d).is_some() => size.max(1),
                size => stress.below(size as u64) as i64 + 1,
            };
            let tile: Vec<i64> = sizes.iter().enumerate().map(one).collect();
            set(op, "tile", &tile);
            continue;
        }
        if options.sizes.len() != sizes.len() {
            let why = format!("can't have a tile of {} sizes: expects {}", options.sizes.len(), sizes.len());
            return Err(refuse(op, &why));
        }
        if let Some((at, why)) = why_not {
            return Err(refuse(at, why));
        }
        let mut tile = vec![];
        for (d, (wanted, size)) in options.sizes.iter().zip(&sizes).enumerate() {
            let all = if *size == DYNAMIC { i64::MAX } else { (*size).max(1) };
            let own = match *wanted {
                0 if *size == DYNAMIC => {
                    return Err(refuse(
                        op,
                        &format!("has a dimension {d} of a size of the run: expects a number of indices"),
                    ));
                }
                0 => all,
                n if n > 0 => n.min(all),
                n => {
                    return Err(refuse(
                        op,
                        &format!("can't have a tile of {n}: expects 1 or more, or 0 for all"),
                    ));
                }
            };
            if let Some(why) = waits(d).filter(|_| own < all) {
                let why = format!(
                    "{why} dimension {d}, where each point waits for those before it: expects 0 there"
                );
                return Err(refuse(op, &why));
            }
            tile.push(own);
        }
        set(op, "tile", &tile);
    }
    Ok(())
}

/// Why no two points of an operation may run at the same time, and where.
fn refused<'c: 'a, 'a>(target: &Target<'c, 'a>) -> Option<(OperationRef<'c, 'a>, &'static str)> {
    match target {
        Target::Loop(nest) => depends_on_order(nest).map(|load| {
            let why = "reads at another point what its operation writes, so points can't run at the same time: expects it \
                       to read its own element, or a copy";
            (load.operation(), why)
        }),
        Target::Group(group) => Insert::all(*group).into_iter().find(|insert| insert.combiner.is_some()).map(|insert| {
            let why = "combines what several points insert, so these run one after the other: expects no tile";
            (insert.op.operation(), why)
        }),
    }
}
