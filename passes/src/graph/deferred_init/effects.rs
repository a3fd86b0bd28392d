//! What an operation reads and writes, and how often it draws.
//!
//! By the effects that its definition declares; by the analysis where an operator copies what could have been
//! a view. What declares nothing and is none of ours may touch anything, and so is what touches memory that
//! is no storage of a graph tensor.

use super::{
    flow::{Form, form},
    program::{Op, Program, changes_object},
};
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike};
use terrace_dialects::{
    analysis::effects::{self, EffectKind, On},
    ir::{
        OperationLike,
        args::KnownValues,
        attributes as convert,
        cursor::V,
        operations::key,
        registry::{self, OpImpl},
        types::is_graph_tensor,
    },
};

/// Whether there is no memory behind values of a type: they are numbers, or builtin tensors.
fn is_value(ty: Type) -> bool {
    ty.is_integer() || ty.is_float() || ty.is_index() || ty.is_complex() || ty.is_tensor()
}

/// What an operation by itself does.
pub(super) struct Accesses {
    pub form: Form,
    pub reads: Vec<usize>,
    pub writes: Vec<usize>,
    /// Whether it only writes the first that it writes.
    pub overwrites: bool,
    /// Whether storages that it writes may get another size.
    pub grows: bool,
}

/// What an operation declares beside reads and writes.
#[derive(Default)]
struct Declared {
    allocates: bool,
    draws: bool,
}

/// What there is in functions that are called.
#[derive(Default)]
struct Inside {
    barrier: bool,
    draws: bool,
    grows: bool,
}

/// Whether an operation may give a storage another size.
fn may_grow(op: OperationRef, class: &OpImpl) -> bool {
    ["graph.resize_", "graph.resize_as_", "graph.resize_storage"].contains(&class.name)
        || class.name == "graph.set_" && op.attribute("size").is_ok()
}

impl<'c, 'a> Program<'c, 'a> {
    /// What an operation by itself reads and writes, and how often it draws.
    pub(super) fn accesses(
        &self,
        op: OperationRef<'c, 'a>,
        class: Option<&'static OpImpl>,
        makes: &[bool],
    ) -> (Accesses, Option<u64>) {
        let mut accesses =
            Accesses { form: form(op), reads: vec![], writes: vec![], overwrites: false, grows: false };
        let tensors: Vec<V> = op.operands().filter(|value| is_graph_tensor(value.r#type())).collect();
        let all = |values: &[V<'c, 'a>]| values.iter().flat_map(|value| self.classes_of(*value)).collect();
        match accesses.form {
            Form::Call => {
                let inside = self.called(op, "callee");
                if inside.barrier {
                    accesses.form = Form::Barrier;
                    return (accesses, None);
                }
                (accesses.reads, accesses.writes) = (all(&tensors), all(&tensors));
                accesses.grows = inside.grows;
                return (accesses, if inside.draws { None } else { Some(0) });
            }
            Form::Plain => {}
            _ => return (accesses, Some(0)),
        }
        let own = class.filter(|class| class.dialect == "graph");
        // Operators that copy or not declare nothing.
        let Some(effects) = effects::of(op).or_else(|| own.map(|_| vec![])) else {
            accesses.form = Form::Barrier;
            return (accesses, None);
        };
        let Declared { allocates, draws: drawn } = self.take_in(&mut accesses, op, effects);
        if accesses.form == Form::Barrier {
            return (accesses, None);
        }
        let Some(class) = own else { return (accesses, Some(0)) };
        accesses.grows = may_grow(op, class);
        if changes_object(class) {
            // Elements stay; the storage may grow.
            accesses.reads.clear();
            accesses.writes.clear();
            if accesses.grows {
                accesses.writes =
                    op.result_at(0).map(|result| self.classes_of(result.into())).unwrap_or_default();
            }
            accesses.overwrites = false;
        } else if !allocates && makes.contains(&true) {
            // A copy where it could have been a view.
            accesses.reads = all(&tensors);
        }
        let draws = match class.name {
            "graph.custom" => {
                let inside = self.called(op, "callee");
                accesses.grows |= inside.grows;
                if inside.draws { None } else { Some(0) }
            }
            "graph.skip_draws" => {
                op.attribute("count").ok().and_then(|count| u64::try_from(convert::i64(count)).ok())
            }
            "graph.generator_state" | "graph.set_generator_state" => None,
            _ => self.draws_of(op, class, drawn),
        };
        (accesses, draws)
    }

    /// Adds the effects that an operation declares to what it reads and writes: one on what is not known
    /// makes it a barrier.
    fn take_in(
        &self,
        accesses: &mut Accesses,
        op: OperationRef<'c, 'a>,
        effects: Vec<(EffectKind, On)>,
    ) -> Declared {
        let (mut declared, mut both) = (Declared::default(), vec![]);
        for (touch, on) in effects {
            let operand = match on {
                On::Generator => {
                    declared.draws = true;
                    continue;
                }
                On::Operand(number) => op.operand(number).ok(),
                On::Result(number) => op.result_at(number).ok().map(Value::from),
                On::Anything => None,
            };
            if operand.is_some_and(|value| is_value(value.r#type())) {
                continue;
            }
            let Some(value) = operand.filter(|value| is_graph_tensor(value.r#type())) else {
                accesses.form = Form::Barrier;
                continue;
            };
            match touch {
                EffectKind::Read => {
                    both.push(key(value));
                    accesses.reads.extend(self.classes_of(value));
                }
                EffectKind::Write => {
                    accesses.overwrites = accesses.writes.is_empty() && !both.contains(&key(value));
                    accesses.writes.extend(self.classes_of(value));
                }
                EffectKind::Allocate => declared.allocates = true,
                EffectKind::Other => accesses.form = Form::Barrier,
            }
        }
        declared
    }

    /// How often an operator of graph draws: once, but for dropout that leaves its operand alone.
    fn draws_of(&self, op: OperationRef<'c, 'a>, class: &OpImpl, declared: bool) -> Option<u64> {
        let dropout = class.rule.ends_with("dropout");
        if !dropout {
            return Some(u64::from(declared));
        }
        let p = op.attribute("p").map_or(0.5, convert::f64);
        let trains = op.attribute("train").map_or(true, convert::bool);
        if !trains || class.rule == "dropout" && (p == 0.0 || p == 1.0) {
            return Some(0);
        }
        let sizes = &self.state.fake(op.operand(0).ok()?)?.known.layout.sizes;
        let known = sizes.iter().map(|size| size.known()).collect::<Vec<_>>();
        if known.contains(&Some(0)) {
            return Some(0);
        }
        if known.contains(&None) { None } else { Some(1) }
    }

    /// What there is in a function that is called.
    fn called(&self, op: OperationRef<'c, 'a>, attribute: &str) -> Inside {
        let name = op.attribute(attribute).map(convert::symbol).unwrap_or_default();
        let mut inside = Inside::default();
        let mut seen = vec![name];
        let mut next = 0;
        while let Some(name) = seen.get(next).cloned() {
            next += 1;
            let Some(function) = self.functions.get(&name) else { continue };
            for op in terrace_dialects::ir::operations::collect(*function, |_| true) {
                match form(op) {
                    Form::Call => {
                        let name = op.attribute("callee").map(convert::symbol).unwrap_or_default();
                        if !seen.contains(&name) {
                            seen.push(name);
                        }
                    }
                    Form::Plain if op.to_raw().ptr != function.to_raw().ptr => {
                        let effects = effects::of(op);
                        let graph = registry::of(op).filter(|class| class.dialect == "graph");
                        let drops = graph.is_some_and(|class| class.rule.ends_with("dropout"));
                        inside.grows |= graph.is_some_and(|class| may_grow(op, class));
                        inside.draws |= drops || effects.iter().flatten().any(|(_, on)| *on == On::Generator);
                        let is_known = |ty: Type| is_graph_tensor(ty) || is_value(ty);
                        let unknown = |(_, on): &(EffectKind, On)| match *on {
                            On::Operand(n) => op.operand(n).is_ok_and(|value| !is_known(value.r#type())),
                            On::Result(n) => op.result_at(n).is_ok_and(|value| !is_known(value.r#type())),
                            On::Generator => false,
                            On::Anything => true,
                        };
                        inside.barrier |= match effects {
                            Some(effects) => effects.iter().any(unknown),
                            None => graph.is_none(),
                        };
                    }
                    _ => {}
                }
            }
        }
        inside
    }

    /// How often what is inside of an operation draws.
    pub(super) fn drawn_in(&self, op: usize) -> Option<u64> {
        let Op { form, regions, op, .. } = &self.ops[op];
        // Those of which it is not known were added to `dynamic` last.
        let first = *regions.iter().flatten().min()?;
        if self.dynamic.iter().rev().take_while(|op| self.ops[**op].block >= first).count() > 0 {
            return None;
        }
        let drawn = |region: &Vec<usize>| {
            region.iter().map(|block| self.blocks[*block].drawn).fold(0, u64::saturating_add)
        };
        let all: Vec<u64> = regions.iter().map(drawn).collect();
        match form {
            _ if all.iter().all(|count| *count == 0) => Some(0),
            Form::If => (all[0] == all[1]).then_some(all[0]),
            Form::For if op.attribute("unsignedCmp").is_err() => {
                let bound = |place: usize| self.state.number(op.operand(place).ok()?)?.known();
                let (from, to, by) = (bound(0)?, bound(1)?, bound(2)?);
                let times =
                    if by > 0 && to > from { to.checked_sub(from)?.checked_add(by - 1)? / by } else { 0 };
                all[0].checked_mul(times as u64)
            }
            Form::Execute if regions[0].len() == 1 => Some(all[0]),
            _ => None,
        }
    }
}
