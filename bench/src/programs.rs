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

/// A round on `%s0` and, where each view has a storage of its own, the fifty from there on; `view` is how a
/// view is spelled, from `graph.` up to its operand, and from there on.
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

/// A forward and a backward part in one: forty steps, or as many views in chains, then what all of them are
/// read by.
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

/// Programs of a kind, of about as many operations as asked for, by its name.
type Family = (&'static str, fn(usize) -> String);

/// Programs of the graph dialect that compile.
pub const FAMILIES: [Family; 7] = [
    ("pointwise", |count| layers(POINTWISE, count)),
    ("layers", |count| layers(LAYERS, count)),
    ("slices in place", slices_in_place),
    ("concatenation", concatenation),
    ("lstm", lstm),
    ("adam", adam),
    ("resnet", resnet),
];

/// Operators of a layer: `{x}` is what the one before gave, `{y}` is new, `{t}` is the type of both.
const POINTWISE: &[&str] = &[
    "{y} = graph.mul {x}, %scale : {t}, {v}",
    "{y} = graph.sigmoid {x} : {t}",
    "{y} = graph.add {x}, %x : {t}, {t}",
    "{y} = graph.relu {x} : {t}",
];

const LAYERS: &[&str] = &[
    "{y} = graph.linear {x}, %weight bias %scale : {t}, {t}, {v}",
    "{y} = graph.gelu {x} : {t}",
    "{y} = graph.add_ {x}, %x : {t}, {t}",
    "{y} = graph.layer_norm {x} weight %scale : {v} {normalized_shape = array<i64: 16>} : {t}",
    "{y} = graph.t {x} : {t}",
    "{y} = graph.mul {x}, %weight : {t}, {t}",
    "{y} = graph.softmax {x} {dim = -1} : {t}",
    "{y} = graph.cumsum {x} {dim = 1} : {t}",
];

/// A chain of operators, each on what the one before gave.
fn layers(lines: &[&str], count: usize) -> String {
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

/// A tensor of which slices are written in place, one after the other.
fn slices_in_place(count: usize) -> String {
    let (whole, part) = ("!graph.tensor<64xf32>", "!graph.tensor<16xf32>");
    let mut text = format!("func.func @main(%x: {whole}) -> {whole} {{\n%a = graph.exp %x : {whole}\n");
    for number in 0..count / 2 {
        let (start, write) = (number % 48, ["neg_", "relu_", "sin_"][number % 3]);
        text += &format!(
            "%s{number} = graph.slice %a start [{start}] end [{}] step [1] : {whole}\n\
             %w{number} = graph.{write} %s{number} : {part}\n",
            start + 16
        );
    }
    text + &format!("return %a : {whole}\n}}\n")
}

/// One tensor of many, each computed.
fn concatenation(count: usize) -> String {
    let part = "!graph.tensor<16xf32>";
    let (mut text, parts) = (String::new(), count - 1);
    for number in 0..parts {
        let computes = ["neg", "exp", "relu"][number % 3];
        text += &format!("%v{number} = graph.{computes} %x : {part}\n");
    }
    let names: Vec<String> = (0..parts).map(|number| format!("%v{number}")).collect();
    let whole = format!("!graph.tensor<{}xf32>", 16 * parts);
    format!(
        "func.func @main(%x: {part}) -> {whole} {{\n{text}%r = graph.cat {} : {}\nreturn %r : {whole}\n}}\n",
        names.join(", "),
        vec![part; parts].join(", ")
    )
}

/// The cells of an LSTM, one for each step of a sequence.
fn lstm(count: usize) -> String {
    const CELL: &str = "
        %x{n} = graph.select %x index [{n}] : {sequence}
        %i{n} = graph.linear %x{n}, %w bias %b : {row}, {weight}, {bias}
        %g{n} = graph.linear %h{p}, %u : {row}, {weight}
        %a{n} = graph.add %i{n}, %g{n} : {gates}, {gates}
        %q{n}:4 = graph.split_with_sizes %a{n} {split_sizes = array<i64: 16, 16, 16, 16>, dim = 1} : {gates}
        %j{n} = graph.sigmoid %q{n}#0 : {row}
        %f{n} = graph.sigmoid %q{n}#1 : {row}
        %t{n} = graph.tanh %q{n}#2 : {row}
        %o{n} = graph.sigmoid %q{n}#3 : {row}
        %k{n} = graph.mul %f{n}, %c{p} : {row}, {row}
        %m{n} = graph.mul %j{n}, %t{n} : {row}, {row}
        %c{n} = graph.add %k{n}, %m{n} : {row}, {row}
        %d{n} = graph.tanh %c{n} : {row}
        %h{n} = graph.mul %o{n}, %d{n} : {row}, {row}";
    let steps = count / 14;
    let mut text = "func.func @main(%x: {sequence}, %hs: {row}, %cs: {row}, %w: {weight}, %u: {weight}, %b: {bias}) -> {row} {"
        .to_owned();
    for step in 0..steps {
        let before = step.checked_sub(1).map_or("s".into(), |before| before.to_string());
        text += &CELL.replace("{n}", &step.to_string()).replace("{p}", &before);
    }
    text += &format!("\nreturn %h{} : {{row}}\n}}\n", steps - 1);
    text.replace("{sequence}", &format!("!graph.tensor<{steps}x2x16xf32>"))
        .replace("{row}", "!graph.tensor<2x16xf32>")
        .replace("{gates}", "!graph.tensor<2x64xf32>")
        .replace("{weight}", "!graph.tensor<64x16xf32>")
        .replace("{bias}", "!graph.tensor<64xf32>")
}

/// A step of Adam, parameter by parameter.
fn adam(count: usize) -> String {
    const STEP: &str = "
        %a{n} = graph.mul_ %m{n}, %beta1 : {t}, f64
        %b{n} = graph.add_ %m{n}, %g{n} alpha %rest1 : {t}, {t}, f64
        %c{n} = graph.mul_ %v{n}, %beta2 : {t}, f64
        %d{n} = graph.addcmul_ %v{n}, %g{n}, %g{n} value %rest2 : f64 : {t}, {t}, {t}
        %e{n} = graph.sqrt %v{n} : {t}
        %f{n} = graph.add_ %e{n}, %eps : {t}, f64
        %h{n} = graph.addcdiv_ %p{n}, %m{n}, %e{n} value %rate : f64 : {t}, {t}, {t}";
    let parameters = count / 7;
    let (mut arguments, mut text) = (vec![], String::new());
    for number in 0..parameters {
        let t =
            ["!graph.tensor<64xf32>", "!graph.tensor<16x32xf32>", "!graph.tensor<8x3x3x3xf32>"][number % 3];
        arguments.extend(
            ["p", "g", "m", "v"]
                .map(|what| format!("%{what}{number}: {t} {{graph.storage = \"{what}{number}\"}}")),
        );
        text += &STEP.replace("{n}", &number.to_string()).replace("{t}", t);
    }
    let numbers = [
        ("beta1", "0.9"),
        ("rest1", "0.1"),
        ("beta2", "0.999"),
        ("rest2", "0.001"),
        ("eps", "1.0e-8"),
        ("rate", "-0.001"),
    ]
    .map(|(name, number)| format!("%{name} = arith.constant {number} : f64\n"));
    format!("func.func @main({}) {{\n{}{text}\nreturn\n}}\n", arguments.join(", "), numbers.concat())
}

/// Blocks of two convolutions with normalization, each added to what it was given.
fn resnet(count: usize) -> String {
    const BLOCK: &str = "
        %a{n} = graph.conv2d %x{p}, %k{n} {padding = array<i64: 1, 1>} : {t}, {k}
        %b{n} = {norm} %a{n} {given}
        %c{n} = graph.relu_ %b{n} : {t}
        %d{n} = graph.conv2d %c{n}, %l{n} {padding = array<i64: 1, 1>} : {t}, {k}
        %e{n} = {norm} %d{n} {given}
        %f{n} = graph.add_ %e{n}, %x{p} : {t}, {t}
        %x{n} = graph.relu_ %f{n} : {t}";
    let blocks = count / 7;
    let mut arguments = vec!["%xs: {t}".to_owned()];
    arguments.extend(["mean", "variance", "weight", "bias"].map(|name| format!("%{name}: {{v}}")));
    let mut text = String::new();
    for block in 0..blocks {
        let before = block.checked_sub(1).map_or("s".into(), |before| before.to_string());
        arguments.extend([format!("%k{block}: {{k}}"), format!("%l{block}: {{k}}")]);
        text += &BLOCK.replace("{n}", &block.to_string()).replace("{p}", &before);
    }
    let program = format!(
        "func.func @main({}) -> {{t}} {{{text}\nreturn %x{} : {{t}}\n}}\n",
        arguments.join(", "),
        blocks - 1
    );
    program
        .replace("{norm}", "graph.batch_norm")
        .replace(
            "{given}",
            "weight %weight : {v} bias %bias : {v} running_mean %mean : {v} running_var %variance : {v} \
             {training = false, momentum = 0.1, eps = 1.0e-05, cudnn_enabled = false} : {t}",
        )
        .replace("{t}", "!graph.tensor<1x8x8x8xf32>")
        .replace("{k}", "!graph.tensor<8x8x3x3xf32>")
        .replace("{v}", "!graph.tensor<8xf32>")
}

/// Loops in loops, of one round each, that carry a tensor.
pub fn nest(depth: usize) -> String {
    let t = "!graph.tensor<16xf32>";
    let mut text = format!(
        "func.func @main(%x: {t}) -> {t} {{\n%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
    );
    let mut carried = "%x".to_owned();
    for level in 0..depth {
        text += &format!(
            "%r{level} = scf.for %i{level} = %zero to %one step %one iter_args(%a{level} = {carried}) -> ({t}) {{\n"
        );
        carried = format!("%a{level}");
    }
    text += &format!("%z = graph.exp {carried} : {t}\nscf.yield %z : {t}\n}}\n");
    for level in (1..depth).rev() {
        text += &format!("scf.yield %r{level} : {t}\n}}\n");
    }
    text + &format!("return %r0 : {t}\n}}\n")
}
