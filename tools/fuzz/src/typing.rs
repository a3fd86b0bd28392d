//! The text of a program with control flow: operations infer their types; where ways meet, sizes that differ
//! are `?`.
//!
//! A tensor that comes to a place of a wider type is cast. A
//! loop is typed until what goes round fits, a function for all its calls.

mod flow;

use crate::{
    flow::{Body, alias, renamed},
    program::{Argument, Declared, Program, Step},
};
use melior::{
    Context,
    ir::{Module, RegionLike, ValueLike, operation::OperationRef},
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt::Write,
};
use terrace_dialects::ir::{BlockLike, OperationLike};
use terrace_tensor::Scalar;

/// What the types and declarations of arguments say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// All.
    Numbers,
    /// As little as the program wants.
    Open,
}

/// Types of values.
pub struct Typing<'c> {
    context: &'c Context,
    /// The type of each value that was met, by its name.
    pub types: BTreeMap<String, String>,
    /// The step that was refused last.
    pub refused: String,
    inferred: HashMap<String, Option<Vec<String>>>,
    functions: Vec<String>,
    again: bool,
    names: usize,
}

impl<'c> Typing<'c> {
    /// No types.
    pub fn new(context: &'c Context) -> Typing<'c> {
        Typing {
            context,
            types: BTreeMap::new(),
            refused: String::new(),
            inferred: HashMap::new(),
            functions: vec![],
            again: false,
            names: 0,
        }
    }

    /// The text of a program, as `@main` and what it calls; None where an operation is refused.
    pub fn program(&mut self, program: &Program, sizes: Sizes) -> Option<String> {
        self.types.clear();
        let mut signature = vec![];
        for (number, argument) in program.arguments.iter().enumerate() {
            let (ty, declared) = declared(argument, sizes);
            self.types.insert(format!("%a{number}"), ty.clone());
            signature.push(format!("%a{number}: {ty}{declared}"));
        }
        for (number, value) in program.numbers.iter().enumerate() {
            let ty = number_type(*value, number);
            self.types.insert(format!("%n{number}"), ty.into());
            signature.push(format!("%n{number}: {ty}"));
        }
        let returned: Vec<String> = program.returned.iter().map(|(name, _)| name.clone()).collect();
        self.module("main", &signature.join(", "), &program.functions, &program.steps, &returned)
    }

    /// The text of a step on values whose types are known, as `@step` that returns its results; and the names
    /// of the values that it takes.
    pub fn step(&mut self, functions: &[Body], step: &Step) -> Option<(String, Vec<String>)> {
        let free = step.free();
        let names: HashMap<String, String> = free.iter().map(|name| (name.clone(), plain(name))).collect();
        let mut step = step.clone();
        step.rename(&names);
        let mut signature = vec![];
        for name in &free {
            let (ty, plain) = (self.types.get(name)?.clone(), plain(name));
            signature.push(format!("{plain}: {ty}"));
            self.types.insert(plain, ty);
        }
        let returned = step.results.clone();
        Some((self.module("step", &signature.join(", "), functions, &[step], &returned)?, free))
    }

    fn module(
        &mut self,
        name: &str,
        signature: &str,
        functions: &[Body],
        steps: &[Step],
        returned: &[String],
    ) -> Option<String> {
        let body = loop {
            self.again = false;
            self.functions = vec![String::new(); functions.len()];
            let mut out = Writer { top: true, depth: 1, ..Writer::default() };
            self.steps(steps, functions, &mut out)?;
            if !self.again {
                break out.text;
            }
        };
        let types: Vec<&str> =
            returned.iter().map(|name| self.types.get(name).map(String::as_str)).collect::<Option<_>>()?;
        let mut text = self.functions.concat();
        writeln!(text, "func.func @{name}({signature}) -> ({}) {{", types.join(", ")).ok()?;
        text += &body;
        writeln!(text, "  {}\n}}", with_types("return", returned, &types)).ok()?;
        let used = tokens(&text);
        let aliases: BTreeMap<String, &String> = self
            .types
            .iter()
            .map(|(name, ty)| (alias(name), ty))
            .filter(|(name, _)| used.contains(name.as_str()))
            .collect();
        let mut head = String::new();
        for (name, ty) in aliases {
            writeln!(head, "{name} = {ty}").ok()?;
        }
        Some(head + &text)
    }

    fn steps(&mut self, steps: &[Step], functions: &[Body], out: &mut Writer) -> Option<()> {
        for step in steps {
            match &step.flow {
                None => {
                    let types = self.infer(step);
                    if types.is_none() {
                        self.refused.clone_from(&step.text);
                    }
                    let types = types?;
                    self.types.extend(step.results.iter().cloned().zip(types));
                    step.text.lines().for_each(|line| out.line(line));
                }
                Some(flow) => self.flow(step, flow, functions, out)?,
            }
        }
        Some(())
    }

    /// The types of the results of a step; None where it is refused.
    fn infer(&mut self, step: &Step) -> Option<Vec<String>> {
        let names: HashMap<String, String> =
            step.operands.iter().map(|name| (name.clone(), plain(name))).collect();
        let (mut head, mut signature) = (String::new(), vec![]);
        for (name, plain) in &names {
            let ty = self.types.get(name)?;
            if ty.contains("tensor<") {
                writeln!(head, "{} = {ty}", alias(name)).ok()?;
            }
            signature.push(format!("{plain}: {ty}"));
        }
        let body = renamed(&step.text, &names);
        let text = format!("{head}func.func @f({}) {{\n{body}\nreturn\n}}", signature.join(", "));
        if let Some(known) = self.inferred.get(&text) {
            return known.clone();
        }
        let types = result_types(self.context, &text).filter(|types| types.len() == step.results.len());
        self.inferred.insert(text, types.clone());
        types
    }

    fn of(&self, names: &[String]) -> Option<Vec<String>> {
        names.iter().map(|name| self.types.get(name).cloned()).collect()
    }

    fn are(&mut self, names: &[String], types: &[String]) {
        self.types.extend(names.iter().cloned().zip(types.iter().cloned()));
    }

    /// Names of values of these types, made of those of others.
    fn fitted(&mut self, names: &[String], types: &[String], out: &mut Writer) -> Option<Vec<String>> {
        names.iter().zip(types).map(|(name, ty)| self.fit(name, ty, out)).collect()
    }

    fn fit(&mut self, name: &str, ty: &str, out: &mut Writer) -> Option<String> {
        let own = self.types.get(name)?.clone();
        if own == ty {
            return Some(name.to_owned());
        }
        self.names += 1;
        let fitted = format!("%c{}", self.names);
        out.line(&format!("{fitted} = graph.cast {name} : {own} to {ty}"));
        self.types.insert(fitted.clone(), ty.to_owned());
        Some(fitted)
    }
}

/// Lines of a body.
#[derive(Debug, Clone, Default)]
struct Writer {
    text: String,
    depth: usize,
    /// Whether it is of a function, so that blocks may stand in it.
    top: bool,
    labels: usize,
}

impl Writer {
    fn line(&mut self, line: &str) {
        self.text += &format!("{}{line}\n", "  ".repeat(self.depth));
    }

    fn deeper(&mut self, line: &str) {
        self.text += &format!("{}{line}\n", "  ".repeat(self.depth + 1));
    }

    /// For what is inside: blocks of the same function, or a region.
    fn inner(&self, blocks: bool) -> Writer {
        let depth = if blocks { self.depth } else { self.depth + 1 };
        Writer { text: String::new(), depth, top: blocks, labels: self.labels }
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("^b{}", self.labels)
    }
}

/// `name %x, %y : t, u`, without what is not there.
fn with_types(name: &str, values: &[String], types: &[impl AsRef<str>]) -> String {
    if values.is_empty() {
        return name.to_owned();
    }
    let types: Vec<&str> = types.iter().map(AsRef::as_ref).collect();
    format!("{name} {} : {}", values.join(", "), types.join(", "))
}

fn passed(values: &[String], types: &[String]) -> String {
    if values.is_empty() {
        String::new()
    } else {
        format!("({})", with_types("", values, types).trim_start())
    }
}

fn parameters(names: &[String], types: &[String]) -> String {
    let all: Vec<String> = names.iter().zip(types).map(|(name, ty)| format!("{name}: {ty}")).collect();
    if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
}

/// The names of types in a text.
fn tokens(text: &str) -> HashSet<&str> {
    let end = |rest: &str| rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    text.match_indices('!').map(|(at, _)| &text[at..at + 1 + end(&text[at + 1..])]).collect()
}

/// A name that an argument may have.
fn plain(name: &str) -> String {
    name.replace('#', "_")
}

/// The sizes and the element type of a graph tensor.
pub fn shape(ty: &str) -> Option<(Vec<&str>, &str)> {
    let mut rest = ty.strip_prefix("!graph.tensor<")?.strip_suffix('>')?;
    let mut sizes = vec![];
    while let Some((size, after)) = rest.split_once('x')
        && (size == "?" || size.parse::<u64>().is_ok())
    {
        sizes.push(size);
        rest = after;
    }
    Some((sizes, rest))
}

/// The type of what has one type or the other; None where there is none.
fn joined(a: &str, b: &str) -> Option<String> {
    if a == b {
        return Some(a.to_owned());
    }
    let ((sizes, element), (others, other)) = (shape(a)?, shape(b)?);
    if element != other || sizes.len() != others.len() {
        return None;
    }
    let sizes: String =
        sizes.iter().zip(&others).map(|(a, b)| format!("{}x", if a == b { a } else { "?" })).collect();
    Some(format!("!graph.tensor<{sizes}{element}>"))
}

/// The type of an argument, and what it declares.
fn declared(argument: &Argument, sizes: Sizes) -> (String, String) {
    let numbers = Argument { declared: Declared::Numbers, ..argument.clone() };
    let argument = if sizes == Sizes::Open { argument } else { &numbers };
    let size = |(size, open): (&i64, &bool)| {
        if *open && sizes == Sizes::Open { "?x".to_owned() } else { format!("{size}x") }
    };
    let shape: String = argument.sizes.iter().zip(&argument.open).map(size).collect();
    let element = crate::dtypes::element_type(argument.dtype);
    (format!("!graph.tensor<{shape}{element}>"), argument.declaration())
}

/// The type of a number that is an argument: integers are indices in turn.
pub fn number_type(value: Scalar, number: usize) -> &'static str {
    match value {
        Scalar::Bool(_) => "i1",
        _ if number % 2 == 1 => "index",
        _ => "i64",
    }
}

/// The types that the last operation before the return of a function infers; `None` where the text is
/// refused.
pub fn result_types(context: &Context, text: &str) -> Option<Vec<String>> {
    let module = Module::parse(context, text)?;
    let function = module.body().first_operation()?;
    let body = function.region(0).ok()?.first_block()?;
    let operations: Vec<OperationRef> =
        std::iter::successors(body.first_operation(), |operation| operation.next_in_block()).collect();
    let operation = operations.get(operations.len().checked_sub(2)?)?;
    Some(operation.results().map(|result| result.r#type().to_string()).collect())
}
