//! The text of control flow: regions or blocks, and values that fit the types of the places where ways meet.

use super::{Typing, Writer, joined, parameters, passed, with_types};
use crate::{
    flow::{Body, Flow, Kind},
    program::Step,
};

impl Typing<'_> {
    pub(super) fn flow(
        &mut self,
        step: &Step,
        flow: &Flow,
        functions: &[Body],
        out: &mut Writer,
    ) -> Option<()> {
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
