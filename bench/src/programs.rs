//! Programs of as many operations as asked for, in chains of views or with many live aliases.

/// What a program is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Views in chains of a depth from one storage, then a mutation through the last.
    Chains(usize),
    /// So many live aliases of a storage that is written, ten times a mutation and a read of one of them.
    Aliases(usize),
}

/// Where its storages come from, and how its operations stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Storages of its own.
    Own,
    /// Storages that are arguments, of which it is not known whether they are one.
    Arguments,
    /// Each round is the call of a function.
    Called,
}

/// The shapes that are measured.
pub const SHAPES: [(Shape, &str); 4] = [
    (Shape::Chains(2), "chains of 2 views"),
    (Shape::Chains(40), "chains of 40 views"),
    (Shape::Aliases(1), "1 live alias"),
    (Shape::Aliases(50), "50 live aliases"),
];

const TYPE: &str = "!graph.tensor<8x8xf32>";

/// The operations of a round: forty views and a mutation, or fifty views, ten mutations and ten reads.
fn round_of(shape: Shape) -> usize {
    match shape {
        Shape::Chains(_) => 41,
        Shape::Aliases(_) => 70,
    }
}

/// A round on `%s0` and, where each view has a storage of its own, the fifty from there on; `view` is how a view is spelled, from
/// `graph.` up to its operand, and from there on.
fn round(shape: Shape, first: usize, view: (&str, &str)) -> String {
    let mut text = String::new();
    let (operator, parameters) = view;
    match shape {
        Shape::Chains(depth) => {
            for at in 0..40 {
                let from = if at % depth == 0 { "%s0".to_owned() } else { format!("%v{}", first + at - 1) };
                text += &format!("%v{} = {operator} {from}{parameters} : {TYPE}\n", first + at);
            }
            text += &format!("%v{} = graph.neg_ %v{} : {TYPE}\n", first + 40, first + 39);
        }
        Shape::Aliases(aliases) => {
            for at in 0..50 {
                let storage = if aliases == 1 { at } else { 0 };
                text += &format!("%v{} = {operator} %s{storage}{parameters} : {TYPE}\n", first + at);
            }
            for step in 0..10 {
                let read = if aliases == 1 { 0 } else { step * 5 };
                text += &format!("%v{} = graph.neg_ %s0 : {TYPE}\n", first + 50 + 2 * step);
                text += &format!("%v{} = graph.sin %v{} : {TYPE}\n", first + 51 + 2 * step, first + read);
            }
        }
    }
    text
}

/// A program of the graph dialect, of rounds.
pub fn graph(shape: Shape, form: Form, view: (&str, &str), count: usize) -> String {
    let storages = if shape == Shape::Aliases(1) { 50 } else { 1 };
    let names = |count: usize| (0..count).map(|at| format!("%s{at}")).collect::<Vec<_>>();
    let typed =
        |names: &[String]| names.iter().map(|name| format!("{name}: {TYPE}")).collect::<Vec<_>>().join(", ");
    let rounds = count / round_of(shape);
    let own: String =
        names(storages).iter().map(|name| format!("{name} = graph.exp %x : {TYPE}\n")).collect();
    let all: String = (0..rounds).map(|at| round(shape, at * round_of(shape), view)).collect();
    match form {
        Form::Own => format!("func.func @main(%x: {TYPE}) -> {TYPE} {{\n{own}{all}return %s0 : {TYPE}\n}}\n"),
        // The others are made of the last one.
        Form::Arguments => {
            let own = own.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>();
            format!(
                "func.func @main(%x: {TYPE}, %s0: {TYPE}) -> {TYPE} {{\n{own}{all}return %x : {TYPE}\n}}\n"
            )
        }
        Form::Called => {
            let names = names(storages);
            let types = vec![TYPE; storages].join(", ");
            let callee = format!(
                "func.func private @round({}) {{\n{}return\n}}\n",
                typed(&names),
                round(shape, 0, view)
            );
            let call = format!("func.call @round({}) : ({types}) -> ()\n", names.join(", "));
            format!(
                "{callee}func.func @main(%x: {TYPE}) -> {TYPE} {{\n{own}{}return %s0 : {TYPE}\n}}\n",
                call.repeat(rounds)
            )
        }
    }
}

/// A program of the functional dialect: views in chains or side by side, then scatters into what they are of.
pub fn functional(shape: Shape, count: usize) -> String {
    let mut text = format!("func.func @main(%x: {VALUE}, %s: {VALUE}) -> {VALUE} {{\n");
    let mut number = 0;
    let mut step = |operation: String| {
        number += 1;
        text.push_str(&format!("%v{number} = {operation}\n"));
        format!("%v{number}")
    };
    let (views, writes, depth) = match shape {
        Shape::Chains(depth) => (40, 1, depth),
        Shape::Aliases(_) => (50, 10, 1),
    };
    let mut base = "%s".to_owned();
    for _ in 0..count / (views + 4 * writes) {
        let of = if shape == Shape::Aliases(1) { "%x" } else { &base };
        let mut made: Vec<String> = vec![];
        for view in 0..views {
            let from = if view % depth == 0 { of } else { &made[view - 1] };
            made.push(step(permute(from)));
        }
        for write in 0..writes {
            let row = step(format!("functional.select {} index [0] : {VALUE}", made[views - 1 - 5 * write]));
            let negative = step(format!("functional.neg {row} : tensor<8xf32>"));
            base = step(format!(
                "functional.select_scatter {base}, {negative} index [{}] : {VALUE}, tensor<8xf32>",
                write % 8
            ));
            step(format!("functional.sin {} : {VALUE}", made[5 * write]));
        }
    }
    text + &format!("return {base} : {VALUE}\n}}\n")
}

const VALUE: &str = "tensor<8x8xf32>";

fn permute(from: &str) -> String {
    format!("functional.permute {from} {{dims = array<i64: 1, 0>}} : {VALUE}")
}

/// A forward and a backward part in one: forty steps, or as many views in chains, then what all of them are read by.
pub fn joint(shape: Shape, count: usize) -> String {
    let mut forward = String::new();
    let (mut last, mut kept, mut number) = ("%x".to_owned(), vec![], 0);
    let mut step = |text: String| {
        number += 1;
        forward.push_str(&format!("%v{number} = {text}\n"));
        format!("%v{number}")
    };
    let (views, depth) = match shape {
        Shape::Chains(depth) => (40, depth),
        Shape::Aliases(_) => (50, 1),
    };
    for _ in 0..count / (2 * views + 20) {
        let start = step(format!("functional.tanh {last} : {VALUE}"));
        let mut from = start.clone();
        for view in 0..views {
            let base = if view % depth == 0 { &start } else { &from };
            let base = if shape == Shape::Aliases(1) { &from } else { base };
            from = step(permute(base));
            kept.push(from.clone());
        }
        for _ in 0..10 {
            from = step(format!("functional.mul {from}, {from} : {VALUE}, {VALUE}"));
        }
        last = from;
    }
    let mut backward = String::new();
    let mut gradient = "%g".to_owned();
    for (at, kept) in kept.iter().rev().enumerate() {
        backward.push_str(&format!("%d{at} = functional.mul {gradient}, {kept} : {VALUE}, {VALUE}\n"));
        gradient = format!("%d{at}");
    }
    format!(
        "func.func @main(%x: {VALUE}, %g: {VALUE} {{functional.tangent}}) -> ({VALUE}, {VALUE} {{functional.gradient}}) {{\n\
         {forward}{backward}return {last}, {gradient} : {VALUE}, {VALUE}\n}}\n"
    )
}

/// What the layers of a model-like program are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layers {
    /// Chains of pointwise operators.
    Pointwise,
    /// Products, norms, a softmax, views, writes in place, reductions.
    Mixed,
}

impl std::fmt::Display for Layers {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Layers::Pointwise => "pointwise",
            Layers::Mixed => "mixed",
        })
    }
}

/// Operators of a layer: `{x}` is what the one before gave, `{y}` is new, `{t}` is the type of both.
const POINTWISE: &[&str] = &[
    "{y} = graph.mul {x}, %scale : {t}, {v}",
    "{y} = graph.sigmoid {x} : {t}",
    "{y} = graph.add {x}, %x : {t}, {t}",
    "{y} = graph.relu {x} : {t}",
];

const MIXED: &[&str] = &[
    "{y} = graph.linear {x}, %weight bias %scale : {t}, {t}, {v}",
    "{y} = graph.gelu {x} : {t}",
    "{y} = graph.add_ {x}, %x : {t}, {t}",
    "{y} = graph.layer_norm {x} weight %scale : {v} {normalized_shape = array<i64: 16>} : {t}",
    "{y} = graph.t {x} : {t}",
    "{y} = graph.mul {x}, %weight : {t}, {t}",
    "{y} = graph.softmax {x} {dim = -1} : {t}",
    "{y} = graph.cumsum {x} {dim = 1} : {t}",
];

/// A program of the graph dialect that compiles, of as many operations.
pub fn layers(kind: Layers, count: usize) -> String {
    let lines = match kind {
        Layers::Pointwise => POINTWISE,
        Layers::Mixed => MIXED,
    };
    let (matrix, vector) = ("!graph.tensor<16x16xf32>", "!graph.tensor<16xf32>");
    let mut text =
        format!("func.func @main(%x: {matrix}, %weight: {matrix}, %scale: {vector}) -> {matrix} {{\n");
    text += &format!("%v0 = graph.neg %x : {matrix}\n");
    for number in 1..count {
        let line = lines[(number - 1) % lines.len()];
        let line = line.replace("{x}", &format!("%v{}", number - 1)).replace("{y}", &format!("%v{number}"));
        text += &line.replace("{t}", matrix).replace("{v}", vector);
        text.push('\n');
    }
    text + &format!("return %v{} : {matrix}\n}}\n", count - 1)
}
