//! How functions see what they take and give: between those that call each other it is one question.
//!
//! Contract: a function that runs as it is written, and is called with conjugates or negatives, says so of its arguments (`graph.passed_flags`): each call
//! passes on how its own are seen, and nothing is known of them before. What functions give is worked out together, so that also those that call themselves say
//! what they give on all ways.

use super::{
    flags::Flagged,
    is_fake_use, is_of_flags, is_outlined, is_test, is_view,
    seen::{All, Draft, Seen},
};
use melior::ir::{Attribute, OperationRef, RegionLike, r#type::FunctionType};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
};
use terrace_dialects::{
    arguments::{PASSED_FLAGS, declared, is_eager, list_attribute},
    attributes as convert, context,
    ir::{OperationLike, cast},
    operations::{collect, name_of},
    pass::Failure,
};

/// The functions of a module, and how they see what they take and give.
pub(super) struct Calls<'c, 'a> {
    functions: HashMap<String, OperationRef<'c, 'a>>,
    /// Those that are what was outlined, and whether the operations of others were outlined before, once that was asked.
    outlined: HashSet<String>,
    done: RefCell<HashMap<String, bool>>,
    /// How arguments are seen that are not always as they are stored, by their numbers.
    taken: HashMap<String, BTreeMap<usize, Seen>>,
    given: HashMap<String, Vec<Seen>>,
}

impl<'c, 'a> Calls<'c, 'a> {
    /// Of a module with these functions, some of which are asked about. With `takes` those that run as they are written take what they are called with from
    /// here on, and say so.
    pub fn of(
        functions: impl IntoIterator<Item = OperationRef<'c, 'a>>,
        asked: impl IntoIterator<Item = OperationRef<'c, 'a>>,
        takes: bool,
    ) -> Result<Self, Failure> {
        let named = functions.into_iter().map(|function| Ok((name(function)?, function)));
        let functions: HashMap<String, OperationRef> = named.collect::<Result<_, Failure>>()?;
        let outlined =
            functions.iter().filter(|(_, op)| is_outlined(**op)).map(|(name, _)| name.clone()).collect();
        let (done, taken, given) = (RefCell::default(), HashMap::new(), HashMap::new());
        let mut own = Self { functions, outlined, done, taken, given };
        let order = own.reached(asked.into_iter().collect())?;
        loop {
            let met = own.follow(&order)?;
            if met.is_empty() || !takes {
                return Ok(own);
            }
            for (callee, number, seen) in met {
                let (context, function) = (context::of(callee.context()), name(callee)?);
                super::declare(callee, number, PASSED_FLAGS, Attribute::unit(context));
                own.taken.entry(function).or_default().insert(number, seen);
            }
        }
    }

    /// The functions that are to be followed: these, and what they call, unless that says already what it gives.
    fn reached(&self, mut open: Vec<OperationRef<'c, 'a>>) -> Result<Vec<String>, Failure> {
        let (mut met, mut order) = (HashSet::new(), vec![]);
        while let Some(function) = open.pop() {
            let name = name(function)?;
            let has_body = function.region(0).is_ok_and(|region| region.first_block().is_some());
            if !has_body || self.is_done(function) || !met.insert(name.clone()) {
                continue;
            }
            let calls = collect(function, |op| name_of(op) == "func.call");
            open.extend(calls.into_iter().filter_map(|call| self.callee(call)));
            order.push(name);
        }
        Ok(order)
    }

    /// Works out what functions give, of what they are known to take; the arguments that take more than that, and how they are seen.
    #[allow(clippy::type_complexity)]
    fn follow(&mut self, order: &[String]) -> Result<Vec<(OperationRef<'c, 'a>, usize, Seen)>, Failure> {
        let none = HashSet::new();
        let mut drafts: Vec<Draft> =
            order.iter().map(|name| Draft::of(self.functions[name], &none, self)).collect();
        let mut given: HashMap<&str, Option<Vec<Seen>>> =
            order.iter().map(|name| (name.as_str(), None)).collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (name, draft) in order.iter().zip(&mut drafts) {
                let by = |name: &str| match given.get(name) {
                    Some(given) => given.clone(),
                    None => Some(self.said(name)),
                };
                while draft.round(&by) {
                    changed = true;
                }
                let new = draft.given();
                if given.get(name.as_str()) != Some(&new) {
                    given.insert(name, new);
                    changed = true;
                }
            }
        }
        // What never comes back gives nothing.
        let given =
            given.into_iter().map(|(name, given)| (name.to_string(), given.unwrap_or_default())).collect();
        let mut met = vec![];
        for (name, draft) in order.iter().zip(drafts) {
            self.met(self.functions[name], &draft.done(), &mut met)?;
        }
        self.given = given;
        Ok(met)
    }

    /// The arguments of functions that run as they are written which a function calls with more than it is known that they take.
    fn met(
        &self,
        function: OperationRef<'c, 'a>,
        all: &All,
        met: &mut Vec<(OperationRef<'c, 'a>, usize, Seen)>,
    ) -> Result<(), Failure> {
        for call in collect(function, |op| name_of(op) == "func.call") {
            let takes = |callee: &OperationRef| is_eager(*callee) && !is_outlined(*callee);
            let Some(callee) = self.callee(call).filter(takes) else { continue };
            if self.is_done(callee) {
                continue;
            }
            for (number, value) in call.operands().enumerate() {
                let known = met.iter().find(|(own, place, _)| *own == callee && *place == number);
                let known = known.map_or(self.taken(&name(callee)?, number), |(.., seen)| *seen);
                let joined = known.join(all.get(value));
                if joined != known {
                    met.retain(|(own, place, _)| *own != callee || *place != number);
                    met.push((callee, number, joined));
                }
            }
        }
        Ok(())
    }

    /// What a function that is not followed says that it gives: by its attributes.
    fn said(&self, name: &str) -> Vec<Seen> {
        let Some(function) = self.functions.get(name).copied() else { return vec![] };
        let Ok(ty) = function.attribute("function_type").map(convert::ty) else { return vec![] };
        let count = cast::<FunctionType>(ty).map_or(0, |ty| ty.result_count());
        let has = |number: usize, name: &str| list_attribute(function, "res_attrs", number, name).is_some();
        let said = |number: usize| match has(number, TOLD_FLAGS) {
            true => cast::<FunctionType>(ty)?.result(number).ok().map(Seen::by_way),
            false => Some(Flagged { conj: has(number, "graph.conj"), neg: has(number, "graph.neg") }.into()),
        };
        (0..count).map(|number| said(number).unwrap_or(Seen::STORED)).collect()
    }

    /// Whether the operations of a function were outlined before.
    pub fn is_done(&self, function: OperationRef) -> bool {
        let Ok(name) = name(function) else { return false };
        if !is_eager(function) || self.outlined.contains(&name) {
            return false;
        }
        let known = self.done.borrow().get(&name).copied();
        known.unwrap_or_else(|| {
            let done = is_done(function, &self.outlined);
            self.done.borrow_mut().insert(name, done);
            done
        })
    }

    /// The function that an operation calls.
    pub fn callee(&self, op: OperationRef) -> Option<OperationRef<'c, 'a>> {
        let name = op.attribute("callee").map(convert::symbol).ok().filter(|_| name_of(op) == "func.call")?;
        self.functions.get(&name).copied()
    }

    /// How an argument of a function is seen.
    pub fn taken(&self, name: &str, number: usize) -> Seen {
        self.taken.get(name).and_then(|taken| taken.get(&number)).copied().unwrap_or(Seen::STORED)
    }

    /// Whether what an operation calls asks how an argument is seen.
    pub fn is_asked(&self, call: OperationRef, number: usize) -> bool {
        let Some(callee) = self.callee(call) else { return false };
        let is_done =
            self.is_done(callee) && declared(callee, number).is_ok_and(|declared| declared.passed_flags);
        is_done || name(callee).is_ok_and(|name| self.taken(&name, number) != Seen::STORED)
    }

    /// What a function gives, of what it is called with in this module.
    pub fn given(&self, name: &str) -> Vec<Seen> {
        self.given.get(name).cloned().unwrap_or_else(|| self.said(name))
    }
}

/// Whether the operations of a function were outlined: it tells, or asks, how tensors are seen, or has nothing but calls of what was outlined, views and tests.
fn is_done(function: OperationRef, outlined: &HashSet<String>) -> bool {
    let is_left = |op: OperationRef| {
        name_of(op).starts_with("graph.")
            && !is_view(op)
            && !is_test(op)
            && !is_fake_use(op)
            && !is_of_flags(op)
    };
    let callee = |op: OperationRef| op.attribute("callee").map(convert::symbol).unwrap_or_default();
    let calls = |op: OperationRef| name_of(op) == "func.call" && outlined.contains(&callee(op));
    !collect(function, is_of_flags).is_empty()
        || collect(function, is_left).is_empty() && !collect(function, calls).is_empty()
}

/// What says of a result that it is told how it is seen.
pub(super) const TOLD_FLAGS: &str = "graph.told_flags";

fn name(function: OperationRef) -> Result<String, Failure> {
    Ok(convert::string(function.attribute("sym_name")?))
}
