//! Control flow: steps that are made of steps, and what can be taken away of them.

use std::collections::{HashMap, HashSet};

use crate::program::{Program, Step};

/// Steps of their own, with what comes in and what goes out: a region, or a function.
#[derive(Debug, Clone, Default)]
pub struct Body {
    /// The names of its arguments.
    pub arguments: Vec<String>,
    /// Its operations.
    pub steps: Vec<Step>,
    /// What it yields.
    pub yields: Vec<String>,
}

/// How control goes.
#[derive(Debug, Clone)]
pub enum Kind {
    /// One of two bodies, by a truth value.
    If(String),
    /// A body for each number of a range of three; its first argument is that number, the others go round.
    For([String; 3]),
    /// Two bodies: what the first yields after its truth value goes to the second, what the second yields
    /// back to the first.
    While,
    /// A function of the program, by its number.
    Call(usize),
}

/// A step of control flow.
#[derive(Debug, Clone)]
pub struct Flow {
    /// How control goes.
    pub kind: Kind,
    /// Whether it is spelled with blocks and branches, where it stands in a function and not in a region.
    pub blocks: bool,
    /// What goes round first, or the operands of the call.
    pub inits: Vec<String>,
    /// Its bodies.
    pub bodies: Vec<Body>,
}

impl Flow {
    /// The names that it uses itself, but for what its bodies yield.
    fn own(&self) -> impl Iterator<Item = &String> {
        let of_kind = match &self.kind {
            Kind::If(condition) => std::slice::from_ref(condition),
            Kind::For(bounds) => bounds,
            Kind::While | Kind::Call(_) => &[],
        };
        of_kind.iter().chain(&self.inits)
    }
}

impl Step {
    /// Adds the names that are used here and inside, and those that are defined.
    fn names(&self, used: &mut Vec<String>, defined: &mut HashSet<String>) {
        used.extend(self.operands.iter().cloned());
        defined.extend(self.results.iter().cloned());
        let Some(flow) = &self.flow else { return };
        used.extend(flow.own().cloned());
        for body in &flow.bodies {
            body.names(used, defined);
        }
    }

    /// The names that it uses and does not define, each once.
    pub fn free(&self) -> Vec<String> {
        let (mut used, mut defined) = (vec![], HashSet::new());
        self.names(&mut used, &mut defined);
        only_free(used, defined)
    }

    /// How many steps it is, those inside too.
    pub fn count(&self) -> usize {
        let inside = self.flow.iter().flat_map(|flow| &flow.bodies).flat_map(|body| &body.steps);
        1 + inside.map(Step::count).sum::<usize>()
    }

    /// With other names.
    pub fn rename(&mut self, names: &HashMap<String, String>) {
        let rename = |name: &mut String| {
            if let Some(new) = names.get(name) {
                name.clone_from(new);
            }
        };
        self.text = renamed(&self.text, names);
        self.operands.iter_mut().chain(&mut self.results).for_each(rename);
        let Some(flow) = &mut self.flow else { return };
        match &mut flow.kind {
            Kind::If(condition) => rename(condition),
            Kind::For(bounds) => bounds.iter_mut().for_each(rename),
            Kind::While | Kind::Call(_) => {}
        }
        flow.inits.iter_mut().for_each(rename);
        flow.bodies.iter_mut().for_each(|body| body.rename(names));
    }
}

impl Body {
    fn names(&self, used: &mut Vec<String>, defined: &mut HashSet<String>) {
        defined.extend(self.arguments.iter().cloned());
        self.steps.iter().for_each(|step| step.names(used, defined));
        used.extend(self.yields.iter().cloned());
    }

    /// The names that it uses and does not define, each once.
    pub fn free(&self) -> Vec<String> {
        let (mut used, mut defined) = (vec![], HashSet::new());
        self.names(&mut used, &mut defined);
        only_free(used, defined)
    }

    /// With other names.
    pub fn rename(&mut self, names: &HashMap<String, String>) {
        for name in self.arguments.iter_mut().chain(&mut self.yields) {
            if let Some(new) = names.get(name) {
                name.clone_from(new);
            }
        }
        self.steps.iter_mut().for_each(|step| step.rename(names));
    }
}

fn only_free(used: Vec<String>, defined: HashSet<String>) -> Vec<String> {
    let mut seen = defined;
    used.into_iter().filter(|name| seen.insert(name.clone())).collect()
}

/// The name of the type of a value: `!v1_0` of `%v1#0`.
pub fn alias(name: &str) -> String {
    format!("!{}", name.trim_start_matches('%').replace('#', "_"))
}

/// Text with other names, of types too.
pub fn renamed(text: &str, names: &HashMap<String, String>) -> String {
    let aliases: HashMap<String, String> = names.iter().map(|(old, new)| (alias(old), alias(new))).collect();
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['%', '!']) {
        out.push_str(&rest[..at]);
        let own = &rest[at..];
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '#';
        let end = own[1..].find(|c| !part(c)).map_or(own.len(), |end| end + 1);
        let token = &own[..end];
        let new = if token.starts_with('%') { names.get(token) } else { aliases.get(token) };
        out.push_str(new.map_or(token, String::as_str));
        rest = &own[end..];
    }
    out + rest
}

/// Takes away what can't be had any more.
struct Cleaner {
    gone: HashSet<String>,
    changed: bool,
}

impl Cleaner {
    fn lose(&mut self, name: &str) {
        self.changed |= self.gone.insert(name.to_owned());
    }

    fn has(&self, name: &String) -> bool {
        !self.gone.contains(name)
    }

    /// Takes away the places of lists at which a name of one of them is gone; every name there is gone then.
    fn places(&mut self, lists: &mut [&mut Vec<String>]) {
        let Some(count) = lists.iter().map(|list| list.len()).min() else { return };
        for place in (0..count).rev() {
            if lists.iter().all(|list| self.has(&list[place])) {
                continue;
            }
            self.changed = true;
            for list in lists.iter_mut() {
                list.remove(place);
            }
        }
    }

    fn steps(&mut self, steps: &mut Vec<Step>, functions: &[Body]) {
        for mut step in std::mem::take(steps) {
            let needed = step.operands.iter().all(|name| self.has(name));
            if needed && self.flow(&mut step, functions) {
                steps.push(step);
            } else {
                step.results.iter().for_each(|name| self.lose(name));
                self.changed = true;
            }
        }
    }

    /// Cleans control flow; whether it can stay.
    fn flow(&mut self, step: &mut Step, functions: &[Body]) -> bool {
        let Some(flow) = &mut step.flow else { return true };
        let before = step.results.clone();
        let stays = match (&mut flow.kind, flow.bodies.as_mut_slice()) {
            (Kind::If(condition), [first, second]) => {
                self.steps(&mut first.steps, functions);
                self.steps(&mut second.steps, functions);
                self.places(&mut [&mut step.results, &mut first.yields, &mut second.yields]);
                self.has(condition)
            }
            (Kind::For(bounds), [body]) => {
                self.steps(&mut body.steps, functions);
                let number = body.arguments.remove(0);
                let arguments = body.arguments.clone();
                self.places(&mut [&mut step.results, &mut flow.inits, &mut body.arguments, &mut body.yields]);
                self.lost(&arguments, &body.arguments);
                body.arguments.insert(0, number);
                bounds.iter().all(|name| self.has(name))
            }
            (Kind::While, [first, second]) => {
                self.steps(&mut first.steps, functions);
                self.steps(&mut second.steps, functions);
                let condition = first.yields.remove(0);
                let arguments = [first.arguments.clone(), second.arguments.clone()];
                self.places(&mut [&mut flow.inits, &mut first.arguments, &mut second.yields]);
                self.places(&mut [&mut step.results, &mut first.yields, &mut second.arguments]);
                self.lost(&arguments[0], &first.arguments);
                self.lost(&arguments[1], &second.arguments);
                first.yields.insert(0, condition.clone());
                self.has(&condition)
            }
            (Kind::Call(number), _) => {
                let mut yields = functions[*number].yields.clone();
                self.places(&mut [&mut step.results, &mut yields]);
                flow.inits.iter().all(|name| self.has(name))
            }
            _ => false,
        };
        self.lost(&before, &step.results);
        stays
    }

    /// Names that were there and are not.
    fn lost(&mut self, before: &[String], now: &[String]) {
        before.iter().filter(|name| !now.contains(name)).for_each(|name| self.lose(name));
    }
}

impl Program {
    /// How many steps there are, of functions and those inside of others too.
    pub fn count(&self) -> usize {
        self.bodies().flat_map(|steps| steps.iter().map(Step::count)).sum()
    }

    fn bodies(&self) -> impl Iterator<Item = &Vec<Step>> {
        self.functions.iter().map(|function| &function.steps).chain([&self.steps])
    }

    fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Vec<Step>> {
        self.functions.iter_mut().map(|function| &mut function.steps).chain([&mut self.steps])
    }

    /// Without a step, and without what needs its results.
    pub fn without_step(&self, number: usize) -> Program {
        let mut program = self.clone();
        let mut number = number;
        let mut gone = HashSet::new();
        for steps in program.bodies_mut() {
            if let Some(step) = taken(steps, &mut number, &mut |steps, place| steps.remove(place)) {
                gone.extend(step.results);
                break;
            }
        }
        program.clean(gone);
        program
    }

    /// With the steps of a body in place of the control flow around it; None where there is no such body.
    pub fn unfolded(&self, number: usize, body: usize) -> Option<Program> {
        let mut program = self.clone();
        let mut number = number;
        let functions = program.functions.clone();
        let mut names = None;
        for steps in program.bodies_mut() {
            let found = taken(steps, &mut number, &mut |steps, place| {
                let unfolded = unfold(&steps[place], body, &functions);
                if let Some((inside, renamed)) = unfolded {
                    steps.splice(place..=place, inside);
                    names = Some(renamed);
                }
            });
            if found.is_some() {
                break;
            }
        }
        let names = names?;
        for steps in program.bodies_mut() {
            steps.iter_mut().for_each(|step| step.rename(&names));
        }
        for name in program.functions.iter_mut().flat_map(|function| &mut function.yields) {
            if let Some(new) = names.get(name) {
                name.clone_from(new);
            }
        }
        for (name, _) in &mut program.returned {
            if let Some(new) = names.get(name) {
                name.clone_from(new);
            }
        }
        Some(program)
    }

    /// Without what needs names that are gone.
    fn clean(&mut self, gone: HashSet<String>) {
        let mut cleaner = Cleaner { gone, changed: true };
        while std::mem::take(&mut cleaner.changed) {
            let functions = self.functions.clone();
            for function in &mut self.functions {
                cleaner.steps(&mut function.steps, &functions);
            }
            cleaner.steps(&mut self.steps, &functions);
            // Calls have looked at what is gone of the results; now it goes.
            for function in &mut self.functions {
                let had = function.yields.len();
                function.yields.retain(|name| !cleaner.gone.contains(name));
                cleaner.changed |= had != function.yields.len();
            }
        }
        self.returned.retain(|(name, _)| !cleaner.gone.contains(name));
    }
}

/// Does something at the step of a number, in order, a step before those inside.
fn taken<T>(
    steps: &mut Vec<Step>,
    number: &mut usize,
    act: &mut impl FnMut(&mut Vec<Step>, usize) -> T,
) -> Option<T> {
    for place in 0..steps.len() {
        if *number == 0 {
            return Some(act(steps, place));
        }
        *number -= 1;
        for body in steps[place].flow.iter_mut().flat_map(|flow| &mut flow.bodies) {
            if let Some(done) = taken(&mut body.steps, number, act) {
                return Some(done);
            }
        }
    }
    None
}

/// The steps of a body, and what names become where they stand in place of the whole.
fn unfold(step: &Step, body: usize, functions: &[Body]) -> Option<(Vec<Step>, HashMap<String, String>)> {
    let flow = step.flow.as_ref()?;
    let own = match flow.kind {
        Kind::Call(function) => functions.get(function).filter(|_| body == 0),
        Kind::While if body > 0 => None,
        _ => flow.bodies.get(body),
    }?;
    let (arguments, yields) = match &flow.kind {
        Kind::If(_) | Kind::Call(_) => (&own.arguments[..], &own.yields[..]),
        Kind::For(_) => (&own.arguments[1..], &own.yields[..]),
        Kind::While => (&own.arguments[..], &own.yields[1..]),
    };
    let mut names: HashMap<String, String> = arguments.iter().cloned().zip(flow.inits.clone()).collect();
    if let Kind::For(bounds) = &flow.kind {
        names.insert(own.arguments[0].clone(), bounds[0].clone());
    }
    let given = |name: &String| names.get(name).unwrap_or(name).clone();
    let results: Vec<String> = yields.iter().map(given).collect();
    names.extend(step.results.iter().cloned().zip(results));
    Some((own.steps.clone(), names))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str, operands: &[&str], results: &[&str]) -> Step {
        let owned = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        Step { text: text.into(), operands: owned(operands), results: owned(results), flow: None }
    }

    fn body(steps: Vec<Step>, yields: &[&str]) -> Body {
        Body { steps, yields: yields.iter().map(|name| name.to_string()).collect(), ..Body::default() }
    }

    /// An if that yields two values, the second of which is used.
    fn program() -> Program {
        let first = body(vec![step("%x = one", &[], &["%x"]), step("%y = two", &[], &["%y"])], &["%x", "%y"]);
        let second = body(vec![], &["%a", "%b"]);
        let flow =
            Flow { kind: Kind::If("%c".into()), blocks: false, inits: vec![], bodies: vec![first, second] };
        let choice = Step { flow: Some(Box::new(flow)), ..step("", &[], &["%r", "%s"]) };
        let steps = vec![choice, step("%z = three %s : !s", &["%s"], &["%z"])];
        Program { steps, returned: vec![("%z".into(), String::new())], ..Program::default() }
    }

    #[test]
    fn what_a_body_yields_goes_with_its_step() {
        let program = program();
        assert_eq!(program.count(), 4);
        let smaller = program.without_step(1);
        assert_eq!(smaller.count(), 3);
        assert_eq!(smaller.steps[0].results, ["%s"]);
        let smaller = program.without_step(2);
        assert_eq!((smaller.count(), smaller.returned.len()), (2, 0));
    }

    #[test]
    fn a_body_stands_in_place_of_the_whole() {
        let smaller = program().unfolded(0, 0).unwrap();
        let texts: Vec<_> = smaller.steps.iter().map(|step| step.text.as_str()).collect();
        assert_eq!(texts, ["%x = one", "%y = two", "%z = three %y : !y"]);
        assert_eq!(program().unfolded(0, 1).unwrap().steps[0].text, "%z = three %b : !b");
    }
}
