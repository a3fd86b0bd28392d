//! Steps are tried on real tensors, and taken where they can be.

use super::{BY_ELEMENTS, CHANGES, MOST};
use crate::{
    decisions::{self, Floats},
    flow::alias,
    program::Step,
    rich::state::Number,
    workbench::{Candidate, Entry, Workbench, is_comparable},
};
use melior::ir::Module;
use terrace_interpreter::Interpreter;
use terrace_tensor::{Tensor, Value};

impl Workbench<'_> {
    /// Takes an operation; some of its constants become numbers.
    pub fn take_rich(&mut self, candidate: Candidate) -> bool {
        let name = self.name("%v");
        let results = match candidate.results {
            None => vec![name.clone()],
            Some(count) => (0..count).map(|k| format!("{name}#{k}")).collect(),
        };
        let defined = match candidate.results {
            None => format!("{name} = "),
            Some(0) => String::new(),
            Some(count) => format!("{name}:{count} = "),
        };
        let mut operands: Vec<String> =
            candidate.operands.iter().map(|&number| self.pool[number].name.clone()).collect();
        let mut lines = candidate.constants.clone();
        let text = self.with_numbers(&candidate.text, &mut lines, &mut operands);
        lines.push(format!("{defined}{text}"));
        let own = candidate.operands.first().map(|&number| self.pool[number].tensor.clone());
        let operator = candidate.text.split(' ').next().unwrap_or_default();
        if !self.attempt(Step { text: lines.join("\n"), operands, results, flow: None }) {
            return false;
        }
        if BY_ELEMENTS.contains(&operator) {
            let names = candidate.operands.iter().map(|&number| self.pool[number].name.clone()).collect();
            self.rich().by_elements.push((candidate.text.clone(), names));
        }
        if let Some(own) = own.filter(|_| CHANGES.contains(&operator)) {
            self.pool.retain(|entry| !entry.tensor.is_same(&own));
        }
        true
    }

    /// Asks again for what depends on elements, perhaps after these were written.
    pub(super) fn again(&mut self) -> Option<()> {
        let last = self.rich().by_elements.len().checked_sub(1)? as i64;
        let at = self.random.between(0, last) as usize;
        let (text, operands) = self.rich().by_elements[at].clone();
        let own = self.pool.iter().find(|entry| entry.name == operands[0])?.tensor.clone();
        if !operands.iter().all(|name| self.pool.iter().any(|entry| entry.name == *name)) {
            return None;
        }
        let names: Vec<&str> = operands.iter().map(String::as_str).collect();
        if self.random.percent(40) {
            self.written(&own);
        }
        self.line(&text, &names)?;
        if self.random.percent(40) {
            self.written(&own);
        }
        Some(())
    }

    /// Takes a write of a storage through one of its views.
    pub(super) fn written(&mut self, own: &Tensor) {
        let shares = |entry: &&Entry| entry.tensor.storage().is_same(own.storage());
        let views: Vec<Entry> = self.pool.iter().filter(shares).cloned().collect();
        let Entry { name, ty, .. } = &views[self.random.between(0, views.len() as i64 - 1) as usize];
        self.line(&format!("graph.logical_not_ {name} : {ty}"), &[name]);
    }

    /// Text with numbers in place of some of the integers of its lists.
    fn with_numbers(&mut self, text: &str, lines: &mut Vec<String>, operands: &mut Vec<String>) -> String {
        if self.rich().fixed && !text.starts_with("graph.select ") {
            return text.to_owned();
        }
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once(" [") {
            let (list, more) = after.split_once(']').unwrap_or((after, ""));
            let entry = |entry: &str| match entry.trim().parse::<i64>() {
                Ok(number) if self.random.percent(25) => self.known(number, lines, operands),
                _ => entry.trim().to_owned(),
            };
            let entries: Vec<String> = list.split(", ").map(entry).collect();
            out += &format!("{before} [{}]", entries.join(", "));
            rest = more;
        }
        out + rest
    }

    /// The name of a number: one that is there, or a constant.
    fn known(&mut self, number: i64, lines: &mut Vec<String>, operands: &mut Vec<String>) -> String {
        let there: Vec<String> = self
            .rich()
            .numbers
            .iter()
            .filter(|own| own.ty == "i64" && own.value.to_i64() == number)
            .map(|own| own.name.clone())
            .collect();
        if !there.is_empty() && self.random.percent(70) {
            let name = there[self.random.between(0, there.len() as i64 - 1) as usize].clone();
            operands.push(name.clone());
            return name;
        }
        let name = self.constant_name();
        lines.push(format!("{name} = arith.constant {number} : i64"));
        name
    }

    /// Takes a step if it can be; says whether it did.
    pub(super) fn attempt(&mut self, step: Step) -> bool {
        let before = self.snapshot();
        let Some(values) = self.outcome(&step) else {
            before.restore();
            return false;
        };
        for (name, value) in step.results.iter().zip(values) {
            let ty = self.rich().typing.types[name].clone();
            match value {
                Value::Scalar(value) => self.rich().numbers.push(Number { name: name.clone(), ty, value }),
                Value::Tensor(tensor) if ty.starts_with('!') => {
                    self.pool.push(Entry { name: name.clone(), tensor, ty: alias(name) });
                }
                Value::Tensor(tensor) => self.rich().values.push((name.clone(), tensor)),
            }
        }
        self.program.steps.push(step);
        true
    }

    /// What comes of a step; None where it is refused or grows too large.
    pub(super) fn outcome(&mut self, step: &Step) -> Option<Vec<Value>> {
        let functions = std::mem::take(&mut self.program.functions);
        let text = self.rich().typing.step(&functions, step);
        self.program.functions = functions;
        let (text, names) = text?;
        let module = Module::parse(self.context, &text)?;
        let args = names.iter().map(|name| self.value(name)).collect::<Option<Vec<_>>>()?;
        let operands: Vec<Tensor> = args.iter().filter_map(Value::as_tensor).cloned().collect();
        let floats = Floats::of(operands.iter());
        let results = Interpreter::new(&module).call("step", args).ok()?;
        let tensors: Vec<&Tensor> = results.iter().filter_map(Value::as_tensor).collect();
        let small = |tensor: &&Tensor| tensor.len() <= MOST && tensor.rank() <= 5;
        // Compiled code may come to zero where a float that is not exact nearly does.
        let compiled = self.rich.as_ref().is_some_and(|rich| rich.base.is_none());
        let vanishes = |own: &Tensor| compiled && decisions::vanishes(own);
        let sound = || {
            let by_bits =
                |own: &Tensor| decisions::is_read_by_bits(own, self.pool.iter().map(|own| &own.tensor));
            let mut touched = tensors.iter().copied().chain(&operands);
            !decisions::of_text(&step.text, &floats, &tensors)
                && touched.all(|own| is_comparable(own) && !by_bits(own) && !vanishes(own))
        };
        let fixed = self.rich.as_ref().is_some_and(|rich| rich.fixed);
        let taken = tensors.iter().all(small) && (!fixed || sound());
        taken.then_some(results)
    }

    pub(super) fn value(&self, name: &str) -> Option<Value> {
        let rich = self.rich.as_ref()?;
        let tensor = self.pool.iter().find(|entry| entry.name == name).map(|entry| entry.tensor.clone());
        let value = || rich.values.iter().find(|(own, _)| own == name).map(|(_, tensor)| tensor.clone());
        let number = || rich.numbers.iter().find(|own| own.name == name).map(|own| own.value.into());
        tensor.or_else(value).map(Value::from).or_else(number)
    }

    /// Takes a step without operands among the tensors; the name of its result.
    pub(super) fn line(&mut self, text: &str, operands: &[&str]) -> Option<String> {
        let name = self.name("%v");
        let operands = operands.iter().map(|name| name.to_string()).collect();
        let step =
            Step { text: format!("{name} = {text}"), operands, results: vec![name.clone()], flow: None };
        self.attempt(step).then_some(name)
    }

    pub(super) fn constant(&mut self, value: i64, ty: &str) -> Option<String> {
        self.line(&format!("arith.constant {value} : {ty}"), &[])
    }
}
