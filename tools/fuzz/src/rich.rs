//! Programs with control flow, calls, numbers and tensors that change their sizes: what fake tensors are asked about.
//!
//! A body grows like a program, on what its arguments are when it is entered first, and is then tried as a whole with the
//! control flow around it. A function is a body whose free names have become arguments.

use std::collections::HashMap;

use melior::Context;
use melior::ir::Module;
use terrace_interpreter::Interpreter;
use terrace_tensor::{Scalar, Tensor, Value};

use crate::flow::{Body, Flow, Kind, alias};
use crate::generate::{self, propose};
use crate::operators::rich::OPERATIONS as MORE;
use crate::operators::{OPERATIONS, element_type};
use crate::program::{Argument, Declared, Program, Step};
use crate::random::Random;
use crate::typing::{Sizes, Typing, number_type};
use crate::workbench::{Candidate, Entry, Workbench};

/// Tensors may have this many elements.
const MOST: usize = 1024;

/// Loops may go round this often.
const ROUNDS: i64 = 3;

/// Control flow may stand in control flow this deep.
const DEPTH: usize = 2;

/// A number that operations may use.
#[derive(Debug, Clone)]
pub struct Number {
    /// Its name, with the percent sign.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// The number as it is now.
    pub value: Scalar,
}

/// What a workbench has for such programs.
pub struct Rich<'c> {
    typing: Typing<'c>,
    numbers: Vec<Number>,
    /// Builtin tensors: elements of graph tensors at some time.
    values: Vec<(String, Tensor)>,
    /// Operators whose results have sizes by elements, with their operands.
    by_elements: Vec<(String, Vec<String>)>,
    depth: usize,
}

impl Rich<'_> {
    /// Takes in a value of a type; what stands for the type in text.
    pub fn typed(&mut self, name: &str, ty: String) -> String {
        self.typing.types.insert(name.to_owned(), ty);
        alias(name)
    }
}

/// The program of a seed.
pub fn program(context: &Context, seed: u64) -> Program {
    let mut bench = Workbench::new(context, Random::new(seed));
    bench.rich = Some(Rich {
        typing: Typing::new(context),
        numbers: vec![],
        values: vec![],
        by_elements: vec![],
        depth: 0,
    });
    for _ in 0..bench.random.between(1, 3) {
        generate::argument(&mut bench);
    }
    if bench.random.percent(25) {
        same_argument(&mut bench);
    }
    for number in 0..bench.random.between(0, 3) as usize {
        let value = match bench.random.between(0, 2) {
            0 => Scalar::Bool(bench.random.percent(50)),
            _ => Scalar::Int(bench.random.between(0, 4)),
        };
        bench.program.numbers.push(value);
        let ty = number_type(value, number).to_owned();
        bench.add_number(format!("%n{number}"), ty, value);
    }
    let count = bench.random.between(4, 14);
    bench.steps(count);
    bench.declare();
    let mut program = bench.program;
    let (pool, mut random) = (bench.pool, bench.random);
    for _ in 0..random.between(1, 4) {
        let last = pool.len() as i64 - 1;
        let extra = random.between(0, last).max(random.between(0, last)) as usize;
        program.returned.push((pool[extra].name.clone(), String::new()));
    }
    let mut typing = Typing::new(context);
    // A later call may have made the results of an earlier one wider than what used them allows.
    while typing.program(&program, Sizes::Numbers).is_none() && program.count() > 0 {
        program = program.without_step(program.count() - 1);
    }
    close(&mut program, &mut typing);
    program
}

/// Closes the sizes of arguments that an operation has to know: how many results it has, or how many dimensions.
fn close(program: &mut Program, typing: &mut Typing) {
    let open = |program: &mut Program, number: usize, open: &[bool]| {
        for (other, argument) in program.arguments.iter_mut().enumerate() {
            if other == number || argument.same == Some(number) {
                argument.open = open.to_vec();
            }
        }
    };
    let before: Vec<Vec<bool>> = program.arguments.iter().map(|argument| argument.open.clone()).collect();
    let mut closed = 0;
    while closed < before.len() && typing.program(program, Sizes::Open).is_none() {
        open(program, closed, &vec![false; before[closed].len()]);
        closed += 1;
    }
    for number in (0..closed).filter(|&number| program.arguments[number].same.is_none()).collect::<Vec<_>>() {
        open(program, number, &before[number]);
        if typing.program(program, Sizes::Open).is_none() {
            open(program, number, &vec![false; before[number].len()]);
        }
    }
}

/// An argument that is the same tensor as another one.
fn same_argument(bench: &mut Workbench) {
    let same = bench.random.between(0, bench.program.arguments.len() as i64 - 1) as usize;
    let name = format!("%a{}", bench.program.arguments.len());
    let mut argument = bench.program.arguments[same].clone();
    argument.same = Some(same);
    bench.program.arguments.push(argument);
    let tensor = bench.pool[same].tensor.clone();
    bench.enter(name, tensor);
}

/// A body that grew, and what it could yield.
struct Grown {
    body: Body,
    pool: Vec<Entry>,
    numbers: Vec<Number>,
}

impl<'c> Workbench<'c> {
    fn rich(&mut self) -> &mut Rich<'c> {
        self.rich.as_mut().expect("programs with control flow are made on such a workbench")
    }

    fn add_number(&mut self, name: String, ty: String, value: Scalar) {
        let rich = self.rich();
        rich.typing.types.insert(name.clone(), ty.clone());
        rich.numbers.push(Number { name, ty, value });
    }

    /// What arguments name and declare where sizes are symbols.
    fn declare(&mut self) {
        for number in 0..self.program.arguments.len() {
            let argument = &self.program.arguments[number];
            let packed = argument.offset == 0
                && argument.strides == terrace_tensor::layout::contiguous_strides(&argument.sizes);
            let (sizes, numbers) = (argument.sizes.len(), argument.strides.len() + 1);
            let random = &mut self.random;
            let named = random.percent(65);
            let open = (0..sizes).map(|_| random.percent(85)).collect();
            let declared = match random.between(0, 9) {
                0..=3 if packed => Declared::Nothing,
                0..=6 => Declared::Any,
                7..=8 => Declared::Some((0..numbers).map(|_| random.percent(60)).collect()),
                _ => Declared::Numbers,
            };
            // The same tensor is declared in the same way.
            let argument = match self.program.arguments[number].same {
                Some(same) => {
                    let Argument { named, open, declared, .. } = self.program.arguments[same].clone();
                    (named, open, declared)
                }
                None => (named, open, declared),
            };
            let own = &mut self.program.arguments[number];
            (own.named, own.open, own.declared) = argument;
        }
    }

    /// Takes up to so many steps.
    fn steps(&mut self, count: i64) {
        for _ in 0..4 * count {
            if self.program.steps.len() as i64 >= count {
                break;
            }
            let deep = self.rich().depth >= DEPTH;
            match self.random.between(0, 99) {
                0..=17 if !deep => drop(self.control()),
                0..=29 => drop(self.number()),
                30..=35 => drop(self.again()),
                36..=64 => propose(self, MORE),
                _ => propose(self, OPERATIONS),
            }
        }
    }

    /// Takes an operation; some of its constants become numbers.
    pub fn take_rich(&mut self, candidate: Candidate) -> bool {
        let name = self.name("%v");
        let results = match candidate.results {
            None => vec![name.clone()],
            Some(count) => (0..count).map(|k| format!("{name}#{k}")).collect(),
        };
        let defined = candidate.results.map_or(name.clone(), |count| format!("{name}:{count}"));
        let mut operands: Vec<String> =
            candidate.operands.iter().map(|&number| self.pool[number].name.clone()).collect();
        let mut lines = candidate.constants.clone();
        let text = self.with_numbers(&candidate.text, &mut lines, &mut operands);
        lines.push(format!("{defined} = {text}"));
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
    fn again(&mut self) -> Option<()> {
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
    fn written(&mut self, own: &Tensor) {
        let shares = |entry: &&Entry| entry.tensor.storage().is_same(own.storage());
        let views: Vec<Entry> = self.pool.iter().filter(shares).cloned().collect();
        let Entry { name, ty, .. } = &views[self.random.between(0, views.len() as i64 - 1) as usize];
        self.line(&format!("graph.logical_not_ {name} : {ty}"), &[name]);
    }

    /// Text with numbers in place of some of the integers of its lists.
    fn with_numbers(&mut self, text: &str, lines: &mut Vec<String>, operands: &mut Vec<String>) -> String {
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
    fn attempt(&mut self, step: Step) -> bool {
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
    fn outcome(&mut self, step: &Step) -> Option<Vec<Value>> {
        let functions = std::mem::take(&mut self.program.functions);
        let text = self.rich().typing.step(&functions, step);
        self.program.functions = functions;
        let (text, names) = text?;
        let module = Module::parse(self.context, &text)?;
        let args = names.iter().map(|name| self.value(name)).collect::<Option<Vec<_>>>()?;
        let results = Interpreter::new(&module).call("step", args).ok()?;
        let fits =
            |value: &Value| value.as_tensor().is_none_or(|tensor| tensor.len() <= MOST && tensor.rank() <= 5);
        results.iter().all(fits).then_some(results)
    }

    fn value(&self, name: &str) -> Option<Value> {
        let rich = self.rich.as_ref()?;
        let tensor = self.pool.iter().find(|entry| entry.name == name).map(|entry| entry.tensor.clone());
        let value = || rich.values.iter().find(|(own, _)| own == name).map(|(_, tensor)| tensor.clone());
        let number = || rich.numbers.iter().find(|own| own.name == name).map(|own| own.value.into());
        tensor.or_else(value).map(Value::from).or_else(number)
    }

    /// Takes a step without operands among the tensors; the name of its result.
    fn line(&mut self, text: &str, operands: &[&str]) -> Option<String> {
        let name = self.name("%v");
        let operands = operands.iter().map(|name| name.to_string()).collect();
        let step =
            Step { text: format!("{name} = {text}"), operands, results: vec![name.clone()], flow: None };
        self.attempt(step).then_some(name)
    }

    fn constant(&mut self, value: i64, ty: &str) -> Option<String> {
        self.line(&format!("arith.constant {value} : {ty}"), &[])
    }

    /// A number of a type that is there; later ones are likelier.
    fn some_number(&mut self, ty: &str) -> Option<String> {
        let small = |own: &&Number| own.ty == ty && own.value.to_i64().abs() <= 64;
        let names: Vec<String> =
            self.rich().numbers.iter().filter(small).map(|own| own.name.clone()).collect();
        let last = names.len().checked_sub(1)? as i64;
        let at = self.random.between(0, last).max(self.random.between(0, last));
        Some(names[at as usize].clone())
    }

    /// A number of a type: one that is there, or a constant.
    fn any_number(&mut self, ty: &str) -> Option<String> {
        if let Some(name) = self.some_number(ty).filter(|_| self.random.percent(75)) {
            return Some(name);
        }
        let value = self.random.between(0, 4);
        self.constant(value, ty)
    }

    /// Takes a number: a size, an element, or what others come to.
    fn number(&mut self) -> Option<String> {
        match self.random.between(0, 13) {
            10..=12 => self.out_of_a_tensor(),
            13 => {
                let number = self.any_number("i64")?;
                self.line(&format!("graph.scalar_tensor {number} {{dtype = i64}} : i64"), &[&number])
            }
            0..=2 => {
                let value = self.elements(|tensor| tensor.rank() > 0)?;
                let dim = self.random.between(0, value.1.rank() as i64 - 1);
                let dim = self.constant(dim, "index")?;
                let text = format!("tensor.dim {}, {dim} : {}", value.0, alias(&value.0));
                let size = self.line(&text, &[&value.0, &dim])?;
                self.line(&format!("arith.index_cast {size} : index to i64"), &[&size])
            }
            3 | 4 => self.element(),
            5 | 6 => {
                let operator = self.random.choose(&["addi", "subi", "muli", "minsi", "maxsi"]);
                let ty = self.random.choose(&["i64", "i64", "i8", "index"]);
                let (a, b) = (self.any_number(ty)?, self.any_number(ty)?);
                self.line(&format!("arith.{operator} {a}, {b} : {ty}"), &[&a, &b])
            }
            7 => {
                let (operator, from, to) = self.random.choose(&[
                    ("index_cast", "i64", "index"),
                    ("index_cast", "index", "i64"),
                    ("trunci", "i64", "i8"),
                    ("extsi", "i8", "i64"),
                ]);
                let number = self.some_number(from)?;
                self.line(&format!("arith.{operator} {number} : {from} to {to}"), &[&number])
            }
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Option<String> {
        let predicate = self.random.choose(&["eq", "ne", "slt", "sle", "sgt", "sge"]);
        let (a, b) = (self.any_number("i64")?, self.any_number("i64")?);
        self.line(&format!("arith.cmpi {predicate}, {a}, {b} : i64"), &[&a, &b])
    }

    /// The elements of a graph tensor, as a builtin tensor.
    fn elements(&mut self, wanted: impl Fn(&Tensor) -> bool) -> Option<(String, Tensor)> {
        let fitting: Vec<usize> = (0..self.pool.len()).filter(|&at| wanted(&self.pool[at].tensor)).collect();
        let last = fitting.len().checked_sub(1)? as i64;
        let at = fitting[self.random.between(0, last) as usize];
        let Entry { name, ty, .. } = self.pool[at].clone();
        let value = self.line(&format!("graph.value {name} : {ty}"), &[&name])?;
        self.rich().values.iter().find(|(own, _)| *own == value).cloned()
    }

    /// A size, a stride, the offset or the only element of a tensor.
    fn out_of_a_tensor(&mut self) -> Option<String> {
        use terrace_tensor::DType::{Bool, I64};
        let of = self.random.between(0, 5);
        let fits = |tensor: &Tensor| match of {
            0..=2 => tensor.len() == 1 && matches!(tensor.dtype(), Bool | I64),
            3 => tensor.rank() > 0,
            _ => true,
        };
        let fitting: Vec<usize> = (0..self.pool.len()).filter(|&at| fits(&self.pool[at].tensor)).collect();
        let last = fitting.len().checked_sub(1)? as i64;
        let at = fitting[self.random.between(0, last) as usize];
        let Entry { name, ty, tensor } = self.pool[at].clone();
        let text = match of {
            0..=2 => format!("graph.item {name} : {ty}"),
            3 => {
                let dim = self.random.between(0, tensor.rank() as i64 - 1);
                let what = self.random.choose(&["sym_size", "sym_stride"]);
                format!("graph.{what} {name} {{dim = {dim} : i64}} : {ty}")
            }
            4 => format!("graph.sym_numel {name} : {ty}"),
            _ => format!("graph.sym_storage_offset {name} : {ty}"),
        };
        self.line(&text, &[&name])
    }

    /// An element as a number: `item()`.
    fn element(&mut self) -> Option<String> {
        use terrace_tensor::DType::{Bool, I64};
        let (name, tensor) =
            self.elements(|tensor| matches!(tensor.dtype(), Bool | I64) && !tensor.is_empty())?;
        let sizes = tensor.sizes().to_vec();
        let mut operands = vec![name.clone()];
        for size in sizes {
            let at = self.random.between(0, size - 1);
            operands.push(self.constant(at, "index")?);
        }
        let used: Vec<&str> = operands.iter().map(String::as_str).collect();
        self.line(&format!("tensor.extract {name}[{}] : {}", operands[1..].join(", "), alias(&name)), &used)
    }

    fn truth(&mut self) -> Option<String> {
        match self.some_number("i1").filter(|_| self.random.percent(70)) {
            Some(name) => Some(name),
            None => self.comparison(),
        }
    }

    /// Takes control flow.
    fn control(&mut self) -> Option<()> {
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
        let names: Vec<&String> = match value {
            Value::Tensor(tensor) => {
                let alike = |entry: &&Entry| {
                    let own = &entry.tensor;
                    (own.dtype(), own.rank(), own.flags()) == (tensor.dtype(), tensor.rank(), tensor.flags())
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

/// Operators whose results may have sizes by elements.
const BY_ELEMENTS: [&str; 3] = ["graph.index", "graph.masked_select", "graph.nonzero"];

/// Operators that change a tensor object.
pub const CHANGES: [&str; 10] = [
    "graph.as_strided_",
    "graph.detach_",
    "graph.resize_",
    "graph.resize_as_",
    "graph.set_",
    "graph.squeeze_",
    "graph.swapaxes_",
    "graph.t_",
    "graph.transpose_",
    "graph.unsqueeze_",
];
