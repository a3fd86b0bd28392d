//! The functions of a module: what each calls, which call it, and which of them threads run.

use super::services::{Kind, RUNS, SERVICES};
use melior::ir::{OperationRef, RegionLike};
use std::collections::{BTreeSet, HashMap};
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    attributes::{string, symbol},
    operations::{collect, definition, name_of, users},
    pass::Failure,
};

/// A call.
#[derive(Clone, Copy)]
pub(super) struct Call<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub to: Callee,
}

/// What is called.
#[derive(Clone, Copy)]
pub(super) enum Callee {
    /// A function of the module, by its number.
    Own(usize),
    /// A service; what it runs, if that is known.
    Service(&'static str, Kind, Option<usize>),
}

impl Callee {
    /// A function of the module that runs in the call.
    fn runs(self) -> Option<usize> {
        match self {
            Callee::Own(number) => Some(number),
            Callee::Service(.., runs) => runs,
        }
    }
}

/// A function with a body.
pub(super) struct Function<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub name: String,
    pub calls: Vec<Call<'c, 'a>>,
}

/// The functions of a module, and which of them have a property.
pub(super) struct Functions<'c, 'a> {
    pub all: Vec<Function<'c, 'a>>,
    /// By the number of a function those that call it, or hand it to what runs it.
    callers: Vec<Vec<usize>>,
    /// Those that threads run, by their numbers.
    pub bodies: BTreeSet<usize>,
}

impl<'c: 'a, 'a> Functions<'c, 'a> {
    pub(super) fn of(module: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let mut all = vec![];
        let mut numbers = HashMap::new();
        let mut next = module.region(0)?.first_block().and_then(|block| block.first_operation());
        while let Some(op) = next {
            next = op.next_in_block();
            if name_of(op) == "llvm.func" && op.region(0)?.first_block().is_some() {
                let name = string(op.attribute("sym_name")?);
                numbers.insert(name.clone(), all.len());
                all.push(Function { op, name, calls: vec![] });
            }
        }
        let (mut callers, mut bodies) = (vec![vec![]; all.len()], BTreeSet::new());
        for (number, function) in all.iter_mut().enumerate() {
            for op in collect(function.op, |op| name_of(op) == "llvm.call") {
                // A call by address has no callee.
                let Ok(callee) = op.attribute("callee") else { continue };
                let callee = symbol(callee);
                let to = match numbers.get(&callee) {
                    Some(own) => Callee::Own(*own),
                    None => match SERVICES.iter().find(|(name, _)| *name == callee) {
                        Some((name, kind)) => {
                            let body =
                                (*kind == Kind::Runs).then(|| definition(op.operand(0).ok()?)).flatten();
                            let body = body.and_then(|op| op.attribute("global_name").ok()).map(symbol);
                            Callee::Service(name, *kind, body.and_then(|name| numbers.get(&name).copied()))
                        }
                        None => continue,
                    },
                };
                if let Some(runs) = to.runs() {
                    callers[runs].push(number);
                }
                function.calls.push(Call { op, to });
            }
            // Blocks that are alike but for what they run are one, which is given the address.
            let hands_on = |user: OperationRef| {
                let service = user.attribute("callee").map(symbol).unwrap_or_default();
                service == RUNS
                    || matches!(name_of(user), "llvm.br" | "llvm.cond_br" | "llvm.switch" | "llvm.select")
            };
            for op in collect(function.op, |op| name_of(op) == "llvm.mlir.addressof") {
                let name = op.attribute("global_name").map(symbol).unwrap_or_default();
                let is_run = users(op.result_at(0)?.into()).any(hands_on);
                if let Some(body) = numbers.get(&name).filter(|_| is_run) {
                    bodies.insert(*body);
                    callers[*body].push(number);
                }
            }
        }
        Ok(Self { all, callers, bodies })
    }

    /// The functions of these numbers, and all that run them.
    pub(super) fn and_callers(&self, seeds: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut have = vec![false; self.all.len()];
        let mut work: Vec<usize> = seeds.collect();
        while let Some(number) = work.pop() {
            if !std::mem::replace(&mut have[number], true) {
                work.extend(&self.callers[number]);
            }
        }
        have
    }

    pub(super) fn having(&self, has: impl Fn(&Function) -> bool) -> impl Iterator<Item = usize> {
        (0..self.all.len()).filter(move |number| has(&self.all[*number]))
    }
}
