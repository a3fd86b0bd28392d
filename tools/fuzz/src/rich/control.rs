//! Control flow of a program: bodies that grow, and what goes in and out.

use super::ROUNDS;
use crate::{
    dtypes::element_type,
    flow::{Body, Flow, Kind, alias},
    program::Step,
    rich::state::Number,
    workbench::{Entry, Workbench},
};
use std::collections::HashMap;
use terrace_tensor::{Scalar, Value};

/// A body that grew, and what it could yield.
struct Grown {
    body: Body,
    pool: Vec<Entry>,
    numbers: Vec<Number>,
}

impl Workbench<'_> {
    /// Takes control flow.
    pub(super) fn control(&mut self) -> Option<()> {
        match self.random.between(0, 11) {
            0..=3 => self.choice(),
            4..=5 => self.counted(),
            6..=7 => self.repeated(),
            8..=9 => self.call(),
            _ => self.called_again(),
        }
    }

    /// Grows a body on arguments that stand for values, then makes everything as it was.
    fn body(&mut self, arguments: Vec<String>, given: &[Value], count: i64) -> Grown {
        let saved = (self.pool.clone(), self.rich().numbers.clone(), self.rich().values.clone());
        let outer = std::mem::take(&mut self.program.steps);
        let before = self.snapshot();
        for (name, value) in arguments.iter().zip(given) {
            let ty = self.rich().typing.types[name].clone();
            match value {
                Value::Scalar(value) => {
                    self.rich().numbers.push(Number { name: name.clone(), ty, value: *value });
                }
                Value::Tensor(tensor) => {
                    self.pool.push(Entry { name: name.clone(), tensor: tensor.clone(), ty: alias(name) });
                }
            }
        }
        self.rich().depth += 1;
        if self.random.percent(25) {
            self.again();
        }
        self.steps(count);
        self.rich().depth -= 1;
        let steps = std::mem::replace(&mut self.program.steps, outer);
        let pool = std::mem::replace(&mut self.pool, saved.0);
        let numbers = std::mem::replace(&mut self.rich().numbers, saved.1);
        self.rich().values = saved.2;
        before.restore();
        Grown { body: Body { arguments, steps, yields: vec![] }, pool, numbers }
    }

    /// New names for values, of their types.
    fn parameters(&mut self, names: &[String]) -> Vec<String> {
        let fresh = |name: &String| {
            let new = self.name("%p");
            let ty = self.rich().typing.types[name].clone();
            self.rich().typing.types.insert(new.clone(), ty);
            new
        };
        names.iter().map(fresh).collect()
    }

    fn size_of_body(&mut self) -> i64 {
        self.random.choose(&[0, 1, 2, 2, 3, 4])
    }

    /// Some tensors of the pool.
    fn some_tensors(&mut self, most: i64) -> Vec<String> {
        let count = self.random.between(0, most);
        let last = self.pool.len() as i64 - 1;
        let one = |_| {
            let at = self.random.between(0, last).max(self.random.between(0, last));
            self.pool[at as usize].name.clone()
        };
        if last < 0 { vec![] } else { (0..count).map(one).collect() }
    }

    /// What a body could yield in the place of a value; later ones are likelier.
    fn like(&mut self, value: &Value, grown: &Grown, ty: &str) -> Option<String> {
        let fixed = self.rich().fixed;
        let names: Vec<&String> = match value {
            Value::Tensor(tensor) => {
                let alike = |entry: &&Entry| {
                    let own = &entry.tensor;
                    (!fixed || own.sizes() == tensor.sizes())
                        && (own.dtype(), own.rank()) == (tensor.dtype(), tensor.rank())
                };
                grown.pool.iter().filter(alike).map(|entry| &entry.name).collect()
            }
            Value::Scalar(_) => {
                grown.numbers.iter().filter(|own| own.ty == ty).map(|own| &own.name).collect()
            }
        };
        let last = names.len().checked_sub(1)? as i64;
        let at = (0..3).map(|_| self.random.between(0, last)).max()?;
        Some(names[at as usize].clone())
    }

    fn flow(&mut self, flow: Flow, results: usize) -> bool {
        let results = (0..results).map(|_| self.name("%v")).collect();
        self.attempt(Step { text: String::new(), operands: vec![], results, flow: Some(Box::new(flow)) })
    }

    fn choice(&mut self) -> Option<()> {
        let condition = self.truth()?;
        let (first, second) = (self.size_of_body(), self.size_of_body());
        let (mut first, mut second) = (self.body(vec![], &[], first), self.body(vec![], &[], second));
        for _ in 0..self.random.between(0, 2) {
            let last = first.pool.len() as i64 - 1;
            let at = self.random.between(0, last).max(self.random.between(0, last)) as usize;
            let value = Value::from(first.pool[at].tensor.clone());
            if let Some(other) = self.like(&value, &second, "") {
                first.body.yields.push(first.pool[at].name.clone());
                second.body.yields.push(other);
            }
        }
        if self.random.percent(30) {
            let value = Value::from(Scalar::Int(0));
            let (a, b) = (self.like(&value, &first, "i64"), self.like(&value, &second, "i64"));
            if let (Some(a), Some(b)) = (a, b) {
                first.body.yields.push(a);
                second.body.yields.push(b);
            }
        }
        let results = first.body.yields.len();
        let bodies = vec![first.body, second.body];
        let blocks = self.random.percent(40);
        self.flow(Flow { kind: Kind::If(condition), blocks, inits: vec![], bodies }, results).then_some(())
    }

    /// What goes round a loop: tensors, and perhaps a number.
    fn carried(&mut self) -> Vec<String> {
        let mut carried = self.some_tensors(2);
        if let Some(number) = self.some_number("i64").filter(|_| self.random.percent(30)) {
            carried.push(number);
        }
        carried
    }

    fn values(&self, names: &[String]) -> Option<Vec<Value>> {
        names.iter().map(|name| self.value(name)).collect()
    }

    /// What a body gives back for values that go round.
    fn back(&mut self, given: &[Value], types: &[String], grown: &Grown) -> Option<Vec<String>> {
        given.iter().zip(types).map(|(value, ty)| self.like(value, grown, ty)).collect()
    }

    fn types(&mut self, names: &[String]) -> Vec<String> {
        names.iter().map(|name| self.rich().typing.types[name].clone()).collect()
    }

    fn counted(&mut self) -> Option<()> {
        let (low, most) = (self.constant(0, "index")?, self.constant(ROUNDS, "index")?);
        let step = self.random.choose(&[1, 1, 2]);
        let step = self.constant(step, "index")?;
        let high = self.any_number("index")?;
        let high = self.line(&format!("arith.minsi {high}, {most} : index"), &[&high, &most])?;
        let inits = self.carried();
        let (given, types) = (self.values(&inits)?, self.types(&inits));
        let mut arguments = vec![self.name("%p")];
        self.rich().typing.types.insert(arguments[0].clone(), "index".into());
        arguments.extend(self.parameters(&inits));
        let all: Vec<Value> = std::iter::once(Scalar::Int(0).into()).chain(given.iter().cloned()).collect();
        let size = self.size_of_body().max(1);
        let mut grown = self.body(arguments, &all, size);
        grown.body.yields = self.back(&given, &types, &grown)?;
        let (results, bodies) = (inits.len(), vec![grown.body]);
        let kind = Kind::For([low, high, step]);
        self.flow(Flow { kind, blocks: false, inits, bodies }, results).then_some(())
    }

    /// A loop that counts itself, so that it ends.
    fn repeated(&mut self) -> Option<()> {
        let (zero, one, most) =
            (self.constant(0, "i64")?, self.constant(1, "i64")?, self.constant(ROUNDS, "i64")?);
        let limit = self.any_number("i64")?;
        let limit = self.line(&format!("arith.minsi {limit}, {most} : i64"), &[&limit, &most])?;
        let inits: Vec<String> = std::iter::once(zero).chain(self.carried()).collect();
        let (given, types) = (self.values(&inits)?, self.types(&inits));
        let arguments = self.parameters(&inits);
        let size = self.random.between(0, 2);
        let mut before = self.body(arguments, &given, size);
        let counter = before.body.arguments[0].clone();
        let condition = self.name("%v");
        before.body.steps.push(Step {
            text: format!("{condition} = arith.cmpi slt, {counter}, {limit} : i64"),
            operands: vec![counter.clone(), limit],
            results: vec![condition.clone()],
            flow: None,
        });
        let mut passed = vec![counter];
        for (value, ty) in given.iter().zip(&types).skip(1) {
            passed.push(self.like(value, &before, ty)?);
        }
        let of_before = |name: &String| {
            let entry = before.pool.iter().find(|entry| entry.name == *name);
            let number = || before.numbers.iter().find(|own| own.name == *name).map(|own| own.value.into());
            entry.map(|entry| Value::from(entry.tensor.clone())).or_else(number)
        };
        let values = passed.iter().map(of_before).collect::<Option<Vec<_>>>()?;
        let arguments = self.parameters(&passed);
        let counter = arguments[0].clone();
        let size = self.size_of_body();
        let mut after = self.body(arguments, &values, size);
        let next = self.name("%v");
        after.body.steps.push(Step {
            text: format!("{next} = arith.addi {counter}, {one} : i64"),
            operands: vec![counter, one],
            results: vec![next.clone()],
            flow: None,
        });
        let back = self.back(&given[1..], &types[1..], &after)?;
        after.body.yields = std::iter::once(next).chain(back).collect();
        before.body.yields = std::iter::once(condition).chain(passed).collect();
        let results = before.body.yields.len() - 1;
        let (blocks, bodies) = (self.random.percent(40), vec![before.body, after.body]);
        self.flow(Flow { kind: Kind::While, blocks, inits, bodies }, results).then_some(())
    }

    /// A new function, and a call of it: the same tensor may be passed twice.
    fn call(&mut self) -> Option<()> {
        let mut inits = self.some_tensors(3);
        inits.extend(self.some_number("i64").filter(|_| self.random.percent(40)));
        let given = self.values(&inits)?;
        let parameters = self.parameters(&inits);
        let size = self.size_of_body().max(1);
        let mut grown = self.body(parameters, &given, size);
        for _ in 0..self.random.between(0, 2) {
            let last = grown.pool.len() as i64 - 1;
            let at = self.random.between(0, last).max(self.random.between(0, last)) as usize;
            grown.body.yields.push(grown.pool[at].name.clone());
        }
        if let Some(number) = grown.numbers.last().filter(|_| self.random.percent(30)) {
            grown.body.yields.push(number.name.clone());
        }
        let mut body = grown.body;
        let free = body.free();
        let new = self.parameters(&free);
        let names: HashMap<String, String> = free.iter().cloned().zip(new.iter().cloned()).collect();
        body.rename(&names);
        body.arguments.extend(new);
        inits.extend(free);
        let results = body.yields.len();
        self.program.functions.push(body);
        let kind = Kind::Call(self.program.functions.len() - 1);
        let taken = self.flow(Flow { kind, blocks: false, inits, bodies: vec![] }, results);
        if !taken {
            self.program.functions.pop();
        }
        taken.then_some(())
    }

    /// A call of a function that is there, with other tensors.
    fn called_again(&mut self) -> Option<()> {
        let last = self.program.functions.len().checked_sub(1)? as i64;
        let number = self.random.between(0, last) as usize;
        let function = self.program.functions[number].clone();
        let mut inits = vec![];
        for name in &function.arguments {
            let ty = self.rich().typing.types.get(name)?.clone();
            let fitting: Vec<String> = match crate::typing::shape(&ty) {
                Some((sizes, element)) => {
                    let alike = |entry: &&Entry| {
                        let own = &entry.tensor;
                        own.rank() == sizes.len() && element_type(own.dtype()) == element
                    };
                    self.pool.iter().filter(alike).map(|entry| entry.name.clone()).collect()
                }
                None => {
                    let numbers = self.rich().numbers.iter().filter(|own| own.ty == ty);
                    numbers.map(|own| own.name.clone()).collect()
                }
            };
            let last = fitting.len().checked_sub(1)? as i64;
            inits.push(fitting[self.random.between(0, last) as usize].clone());
        }
        let results = function.yields.len();
        let kind = Kind::Call(number);
        self.flow(Flow { kind, blocks: false, inits, bodies: vec![] }, results).then_some(())
    }
}
