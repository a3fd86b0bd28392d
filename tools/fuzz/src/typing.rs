//! The text of a program with control flow: operations infer their types; where ways meet, sizes that differ are `?`.
//!
//! A tensor that comes to a place of a wider type is expanded to its own sizes, given as numbers that no type knows. A
//! loop is typed until what goes round fits, a function for all its calls.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use melior::Context;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{BlockLike, Module, RegionLike, ValueLike};
use terrace_tensor::Scalar;

use crate::flow::{Body, Flow, Kind, alias, renamed};
use crate::program::{Argument, Declared, Program, Step};

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

    /// The text of a step on values whose types are known, as `@step` that returns its results; and the names of the values
    /// that it takes.
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
        let ((from, _), (to, _)) = (shape(&own)?, shape(ty)?);
        self.names += 1;
        let (hidden, fitted) = (format!("%h{}", self.names), format!("%c{}", self.names));
        let sizes = from.iter().zip(&to).map(|(from, to)| if from == to { "-1" } else { hidden.as_str() });
        let sizes: Vec<&str> = sizes.collect();
        out.line(&format!("{hidden} = arith.constant -1 : i64"));
        out.line(&format!("{fitted} = graph.expand {name} size [{}] : {}", sizes.join(", "), alias(name)));
        self.types.insert(fitted.clone(), ty.to_owned());
        Some(fitted)
    }

    fn flow(&mut self, step: &Step, flow: &Flow, functions: &[Body], out: &mut Writer) -> Option<()> {
        match (&flow.kind, flow.bodies.as_slice()) {
            (Kind::If(condition), [first, second]) => self.placed(step, flow, out, |typing, step, out| {
                typing.choice(step, condition, [first, second], flow.blocks, functions, out)
            }),
            (Kind::For(bounds), [body]) => self.counted(step, flow, bounds, body, functions, out),
            (Kind::While, [before, after]) => self.placed(step, flow, out, |typing, step, out| {
                typing.repeated(step, flow, [before, after], flow.blocks, functions, out)
            }),
            (Kind::Call(number), _) => self.call(step, flow, *number, functions, out),
            _ => None,
        }
    }

    /// Blocks may stand in a function; in a region they stand in one of their own.
    fn placed(
        &mut self,
        step: &Step,
        flow: &Flow,
        out: &mut Writer,
        write: impl FnOnce(&mut Self, &Step, &mut Writer) -> Option<()>,
    ) -> Option<()> {
        if !flow.blocks || out.top {
            return write(self, step, out);
        }
        let inner = |name: &String| name.replace('%', "%e");
        let given = Step { results: step.results.iter().map(inner).collect(), ..step.clone() };
        let mut text = Writer { top: true, ..out.inner(false) };
        write(self, &given, &mut text)?;
        out.labels = text.labels;
        let types = self.of(&given.results)?;
        let results = step.results.join(", ");
        match types.as_slice() {
            [] => out.line("scf.execute_region {"),
            _ => out.line(&format!("{results} = scf.execute_region -> ({}) {{", types.join(", "))),
        }
        out.text += &text.text;
        out.deeper(&with_types("scf.yield", &given.results, &types));
        out.line("}");
        self.are(&step.results, &types);
        Some(())
    }

    fn choice(
        &mut self,
        step: &Step,
        condition: &str,
        bodies: [&Body; 2],
        blocks: bool,
        functions: &[Body],
        out: &mut Writer,
    ) -> Option<()> {
        let select = bodies.iter().all(|body| body.steps.is_empty()) && step.results.len() == 1;
        let mut texts = vec![];
        for body in bodies {
            let mut text = out.inner(blocks);
            self.steps(&body.steps, functions, &mut text)?;
            texts.push(text);
        }
        let (first, second) = (self.of(&bodies[0].yields)?, self.of(&bodies[1].yields)?);
        let types: Vec<String> =
            first.iter().zip(&second).map(|(a, b)| joined(a, b)).collect::<Option<_>>()?;
        if select {
            let first = self.fitted(&bodies[0].yields, &types, out)?;
            let second = self.fitted(&bodies[1].yields, &types, out)?;
            out.line(&format!(
                "{} = arith.select {condition}, {}, {} : {}",
                step.results[0], first[0], second[0], types[0]
            ));
            self.are(&step.results, &types);
            return Some(());
        }
        let mut yields = vec![];
        for (body, text) in bodies.iter().zip(&mut texts) {
            yields.push(self.fitted(&body.yields, &types, text)?);
        }
        self.are(&step.results, &types);
        out.labels = texts.iter().map(|text| text.labels).max()?.max(out.labels);
        if blocks {
            let [then, other, end] = [0, 1, 2].map(|_| out.label());
            out.line(&format!("cf.cond_br {condition}, {then}, {other}"));
            for (label, (text, yields)) in [then, other].iter().zip(texts.iter().zip(&yields)) {
                out.text += &format!("{label}:\n{}", text.text);
                out.line(&format!("cf.br {end}{}", passed(yields, &types)));
            }
            out.text += &format!("{end}{}:\n", parameters(&step.results, &types));
            return Some(());
        }
        let head = match types.as_slice() {
            [] => format!("scf.if {condition} {{"),
            _ => format!("{} = scf.if {condition} -> ({}) {{", step.results.join(", "), types.join(", ")),
        };
        out.line(&head);
        for (number, (text, yields)) in texts.iter().zip(&yields).enumerate() {
            if number == 1 {
                out.line("} else {");
            }
            out.text += &text.text;
            if !types.is_empty() {
                out.deeper(&with_types("scf.yield", yields, &types));
            }
        }
        out.line("}");
        Some(())
    }

    /// Types what goes round until it fits: the text of the bodies, and the types.
    fn round(
        &mut self,
        types: Vec<String>,
        mut bodies: impl FnMut(&mut Self, &[String]) -> Option<(Vec<Writer>, Vec<String>)>,
    ) -> Option<(Vec<Writer>, Vec<String>)> {
        let mut types = types;
        loop {
            let (texts, yielded) = bodies(self, &types)?;
            let wider: Vec<String> =
                types.iter().zip(&yielded).map(|(a, b)| joined(a, b)).collect::<Option<_>>()?;
            if wider == types {
                return Some((texts, types));
            }
            types = wider;
        }
    }

    fn counted(
        &mut self,
        step: &Step,
        flow: &Flow,
        bounds: &[String; 3],
        body: &Body,
        functions: &[Body],
        out: &mut Writer,
    ) -> Option<()> {
        let start = self.of(&flow.inits)?;
        let inner = out.inner(false);
        let (texts, types) = self.round(start, |typing, types| {
            typing.types.insert(body.arguments[0].clone(), "index".into());
            typing.are(&body.arguments[1..], types);
            let mut text = inner.clone();
            typing.steps(&body.steps, functions, &mut text)?;
            let yielded = typing.of(&body.yields)?;
            Some((vec![text], yielded))
        })?;
        let mut text = texts.into_iter().next()?;
        let yields = self.fitted(&body.yields, &types, &mut text)?;
        let inits = self.fitted(&flow.inits, &types, out)?;
        self.are(&step.results, &types);
        let [low, high, by] = bounds;
        let range = format!("scf.for {} = {low} to {high} step {by}", body.arguments[0]);
        if types.is_empty() {
            out.line(&format!("{range} {{"));
            out.text += &text.text;
        } else {
            let round: Vec<String> = body.arguments[1..]
                .iter()
                .zip(&inits)
                .map(|(name, init)| format!("{name} = {init}"))
                .collect();
            out.line(&format!(
                "{} = {range} iter_args({}) -> ({}) {{",
                step.results.join(", "),
                round.join(", "),
                types.join(", ")
            ));
            out.text += &text.text;
            out.deeper(&with_types("scf.yield", &yields, &types));
        }
        out.line("}");
        Some(())
    }

    fn repeated(
        &mut self,
        step: &Step,
        flow: &Flow,
        [before, after]: [&Body; 2],
        blocks: bool,
        functions: &[Body],
        out: &mut Writer,
    ) -> Option<()> {
        let start = self.of(&flow.inits)?;
        let inner = out.inner(blocks);
        let (texts, types) = self.round(start, |typing, types| {
            typing.are(&before.arguments, types);
            let mut first = inner.clone();
            typing.steps(&before.steps, functions, &mut first)?;
            let passed = typing.of(&before.yields[1..])?;
            typing.are(&after.arguments, &passed);
            let mut second = Writer { labels: first.labels, ..inner.clone() };
            typing.steps(&after.steps, functions, &mut second)?;
            let yielded = typing.of(&after.yields)?;
            Some((vec![first, second], yielded))
        })?;
        let passes = self.of(&before.yields[1..])?;
        let [first, mut second]: [Writer; 2] = texts.try_into().ok()?;
        let back = self.fitted(&after.yields, &types, &mut second)?;
        let inits = self.fitted(&flow.inits, &types, out)?;
        self.are(&step.results, &passes);
        out.labels = out.labels.max(second.labels);
        let condition = &before.yields[0];
        if blocks {
            let [head, body, end] = [0, 1, 2].map(|_| out.label());
            out.line(&format!("cf.br {head}{}", passed(&inits, &types)));
            out.text += &format!("{head}{}:\n{}", parameters(&before.arguments, &types), first.text);
            let given = passed(&before.yields[1..], &passes);
            out.line(&format!("cf.cond_br {condition}, {body}{given}, {end}{given}"));
            out.text += &format!("{body}{}:\n{}", parameters(&after.arguments, &passes), second.text);
            out.line(&format!("cf.br {head}{}", passed(&back, &types)));
            out.text += &format!("{end}{}:\n", parameters(&step.results, &passes));
            return Some(());
        }
        let round: Vec<String> =
            before.arguments.iter().zip(&inits).map(|(name, init)| format!("{name} = {init}")).collect();
        let results = match step.results.as_slice() {
            [] => String::new(),
            names => format!("{} = ", names.join(", ")),
        };
        let round = if round.is_empty() { String::new() } else { format!("({}) ", round.join(", ")) };
        let (types, passes) = (types, passes);
        out.line(&format!(
            "{results}scf.while {round}: ({}) -> ({}) {{",
            types.join(", "),
            passes.join(", ")
        ));
        out.text += &first.text;
        out.deeper(&with_types(&format!("scf.condition({condition})"), &before.yields[1..], &passes));
        out.line("} do {");
        if !after.arguments.is_empty() {
            out.text += &format!("^bb0{}:\n", parameters(&after.arguments, &passes));
        }
        out.text += &second.text;
        out.deeper(&with_types("scf.yield", &back, &types));
        out.line("}");
        Some(())
    }

    fn call(
        &mut self,
        step: &Step,
        flow: &Flow,
        number: usize,
        functions: &[Body],
        out: &mut Writer,
    ) -> Option<()> {
        let function = functions.get(number)?;
        let given = self.of(&flow.inits)?;
        // Wide enough for all calls.
        let known = function.arguments.iter().zip(&given).map(|(name, ty)| match self.types.get(name) {
            Some(known) => joined(known, ty),
            None => Some(ty.clone()),
        });
        let types: Vec<String> = known.collect::<Option<_>>()?;
        let written = !self.functions[number].is_empty();
        self.again |= written && self.of(&function.arguments)? != types;
        self.are(&function.arguments, &types);
        if !written || self.again {
            let mut text = Writer { top: true, depth: 1, ..Writer::default() };
            self.steps(&function.steps, functions, &mut text)?;
            let results = self.of(&function.yields)?;
            self.functions[number] = format!(
                "func.func private @f{number}{} -> ({}) {{\n{}  {}\n}}\n",
                if types.is_empty() { "()".into() } else { parameters(&function.arguments, &types) },
                results.join(", "),
                text.text,
                with_types("return", &function.yields, &results)
            );
        }
        let results = self.of(&function.yields)?;
        let given = self.fitted(&flow.inits, &types, out)?;
        let head = if step.results.is_empty() { String::new() } else { step.results.join(", ") + " = " };
        out.line(&format!(
            "{head}func.call @f{number}({}) : ({}) -> ({})",
            given.join(", "),
            types.join(", "),
            results.join(", ")
        ));
        self.are(&step.results, &results);
        Some(())
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
    let element = crate::operators::element_type(argument.dtype);
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

/// The types that the last operation before the return of a function infers; `None` where the text is refused.
pub fn result_types(context: &Context, text: &str) -> Option<Vec<String>> {
    let module = Module::parse(context, text)?;
    let function = module.body().first_operation()?;
    let body = function.region(0).ok()?.first_block()?;
    let operations: Vec<OperationRef> =
        std::iter::successors(body.first_operation(), |operation| operation.next_in_block()).collect();
    let operation = operations.get(operations.len().checked_sub(2)?)?;
    Some(operation.results().map(|result| result.r#type().to_string()).collect())
}
