//! Operations that a program may go on with.
//!
//! Each function proposes one with operands from the pool, or new arguments where the pool has none that would fit.
//! Proposals need not be legal: the workbench tries them.

use terrace_tensor::{DType, Scalar, Tensor};

use crate::generate::{elements, extent};
use crate::workbench::{Candidate, Workbench};

/// Proposes an operation; `None` where the pool has nothing for it.
pub type Propose = fn(&mut Workbench) -> Option<Candidate>;

/// What there is, and how often it is tried.
pub const OPERATIONS: [(Propose, i64); 30] = [
    (unary, 8),
    (binary, 12),
    (with_number, 8),
    (comparison, 5),
    (where_, 3),
    (conversion, 4),
    (copy_in_place, 8),
    (fill_in_place, 5),
    (reorder, 8),
    (part, 14),
    (parts, 5),
    (reshape, 6),
    (expand, 4),
    (diagonal, 4),
    (unfold, 3),
    (as_strided, 4),
    (squeeze, 4),
    (alias, 2),
    (factory, 3),
    (arange, 1),
    (like, 2),
    (matrix_product, 3),
    (batch_product, 2),
    (linear, 3),
    (convolution, 3),
    (cat, 3),
    (embedding, 2),
    (index, 3),
    (reduction, 6),
    (normalization, 4),
];

const END: i64 = i64::MAX;

fn op(text: String, operands: &[usize]) -> Option<Candidate> {
    Some(Candidate { text, operands: operands.to_vec(), ..Candidate::default() })
}

/// A tensor of the pool; later ones are likelier, so that chains grow.
fn pick(bench: &mut Workbench, wanted: impl Fn(&Tensor) -> bool) -> Option<usize> {
    let fitting: Vec<usize> = (0..bench.pool.len()).filter(|&n| wanted(&bench.pool[n].tensor)).collect();
    let last = fitting.len().checked_sub(1)? as i64;
    let (a, b) = (bench.random.between(0, last), bench.random.between(0, last));
    Some(fitting[a.max(b) as usize])
}

fn any(bench: &mut Workbench) -> Option<usize> {
    pick(bench, |_| true)
}

fn float(bench: &mut Workbench) -> Option<usize> {
    pick(bench, |tensor| tensor.dtype().is_float())
}

/// A tensor of some dtype and sizes: one that is there, or a new argument.
fn need(bench: &mut Workbench, dtype: DType, sizes: &[i64]) -> usize {
    let there = pick(bench, |tensor| tensor.dtype() == dtype && tensor.sizes() == sizes);
    match there.filter(|_| bench.random.percent(60)) {
        Some(number) => number,
        None => {
            let count = sizes.iter().product();
            let elements = elements(&mut bench.random, dtype, count);
            bench.fresh(dtype, sizes, elements)
        }
    }
}

fn name(bench: &Workbench, number: usize) -> String {
    bench.pool[number].name.clone()
}

fn ty(bench: &Workbench, number: usize) -> String {
    bench.pool[number].ty()
}

fn sizes(bench: &Workbench, number: usize) -> Vec<i64> {
    bench.pool[number].tensor.sizes().to_vec()
}

fn dtype(bench: &Workbench, number: usize) -> DType {
    bench.pool[number].tensor.dtype()
}

/// A dimension of a tensor, counted from either end.
fn dim(bench: &mut Workbench, number: usize) -> i64 {
    let rank = bench.pool[number].tensor.rank().max(1) as i64;
    bench.random.between(-rank, rank - 1)
}

/// The size of a dimension.
fn size(bench: &Workbench, number: usize, dim: i64) -> i64 {
    let sizes = bench.pool[number].tensor.sizes();
    let wrapped = if dim < 0 { dim + sizes.len() as i64 } else { dim };
    sizes.get(wrapped as usize).copied().unwrap_or(1)
}

/// `array<i64: 1, 2>`.
fn array(values: &[i64]) -> String {
    let values: Vec<_> = values.iter().map(i64::to_string).collect();
    if values.is_empty() { "array<i64>".to_owned() } else { format!("array<i64: {}>", values.join(", ")) }
}

fn element_type(dtype: DType) -> &'static str {
    if dtype == DType::Bool { "i1" } else { dtype.name() }
}

/// The dtypes of a program.
pub const DTYPES: [DType; 5] = [DType::F32, DType::F64, DType::I64, DType::I32, DType::Bool];

/// A number as a constant: its name, type and line.
fn number(bench: &mut Workbench, floats: bool) -> (String, &'static str, String) {
    let name = bench.constant_name();
    if floats {
        let value = bench.random.choose(&[0.5, -0.5, 2.0, -1.0, 1.5, 0.0, 3.0, 0.1, -0.7]);
        let line = format!("{name} = arith.constant {value:?} : f64");
        (name, "f64", line)
    } else {
        let line = format!("{name} = arith.constant {} : i64", bench.random.between(-2, 4));
        (name, "i64", line)
    }
}

/// A trailing underscore, for the form in place, in one case of three.
fn form(bench: &mut Workbench) -> &'static str {
    if bench.random.percent(35) { "_" } else { "" }
}

fn unary(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let names = [
        "neg",
        "abs",
        "relu",
        "exp",
        "sqrt",
        "rsqrt",
        "sigmoid",
        "tanh",
        "cos",
        "sin",
        "bitwise_not",
        "gelu",
        "log1p",
        "expm1",
        "erf",
        "atan",
        "reciprocal",
        "square",
        "silu",
        "mish",
        "hardsigmoid",
        "hardswish",
    ];
    let (operator, form) = (bench.random.choose(&names), form(bench));
    let attributes = match (operator, bench.random.percent(50)) {
        ("gelu", true) => " {approximate = \"tanh\"}",
        _ => "",
    };
    op(format!("graph.{operator}{form} {}{attributes} : {}", name(bench, x), ty(bench, x)), &[x])
}

fn binary(bench: &mut Workbench) -> Option<Candidate> {
    let (x, operator) = (
        any(bench)?,
        bench.random.choose(&[
            "add",
            "sub",
            "mul",
            "div",
            "maximum",
            "minimum",
            "bitwise_and",
            "bitwise_or",
            "bitwise_xor",
            "rsub",
            "atan2",
        ]),
    );
    // Mostly something that broadcasts with it.
    let own = sizes(bench, x);
    let y = pick(bench, |tensor| {
        own.iter().rev().zip(tensor.sizes().iter().rev()).all(|(a, b)| a == b || *a == 1 || *b == 1)
    })?;
    let form = if matches!(operator, "rsub" | "maximum" | "minimum") { "" } else { form(bench) };
    let mut candidate = Candidate { operands: vec![x, y], ..Candidate::default() };
    let (mut alpha, mut alpha_type) = (String::new(), String::new());
    if matches!(operator, "add" | "sub" | "rsub") && bench.random.percent(30) {
        let floats = dtype(bench, x).is_float() && bench.random.percent(50);
        let (name, ty, line) = number(bench, floats);
        candidate.constants.push(line);
        (alpha, alpha_type) = (format!(" alpha {name}"), format!(", {ty}"));
    }
    candidate.text = format!(
        "graph.{operator}{form} {}, {}{alpha} : {}, {}{alpha_type}",
        name(bench, x),
        name(bench, y),
        ty(bench, x),
        ty(bench, y)
    );
    Some(candidate)
}

fn with_number(bench: &mut Workbench) -> Option<Candidate> {
    let (x, operator) = (any(bench)?, bench.random.choose(&["add", "sub", "mul", "div", "pow"]));
    let form = form(bench);
    let floats = bench.random.percent(50);
    let (number, number_type, line) = number(bench, floats);
    let text =
        format!("graph.{operator}{form} {}, {number} : {}, {number_type}", name(bench, x), ty(bench, x));
    Some(Candidate { constants: vec![line], text, operands: vec![x], ..Candidate::default() })
}

fn comparison(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let form = form(bench);
    if bench.random.percent(30) {
        return decision(bench);
    }
    let operator = bench.random.choose(&["eq", "ne", "lt", "le", "gt", "ge", "logical_not"]);
    let mut candidate = Candidate { operands: vec![x], decides: true, ..Candidate::default() };
    let (mut other, mut other_type) = (String::new(), String::new());
    if operator != "logical_not" && bench.random.percent(50) {
        let own = sizes(bench, x);
        let y = pick(bench, |tensor| tensor.sizes() == own)?;
        candidate.operands.push(y);
        (other, other_type) = (format!(", {}", name(bench, y)), format!(", {}", ty(bench, y)));
    } else if operator != "logical_not" {
        let floats = bench.random.percent(50);
        let (number, ty, line) = number(bench, floats);
        candidate.constants.push(line);
        (other, other_type) = (format!(", {number}"), format!(", {ty}"));
    }
    candidate.text =
        format!("graph.{operator}{form} {}{other} : {}{other_type}", name(bench, x), ty(bench, x));
    Some(candidate)
}

/// What jumps: rounding, and what looks at the kind of a number.
fn decision(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    if bench.random.percent(40) {
        let own = sizes(bench, x);
        let y = pick(bench, |tensor| tensor.sizes() == own)?;
        let form = form(bench);
        let (operator, attributes) = bench.random.choose(&[
            ("div", " {rounding_mode = \"floor\"}"),
            ("div", " {rounding_mode = \"trunc\"}"),
            ("floor_divide", ""),
            ("remainder", ""),
            ("fmod", ""),
            ("logical_and", ""),
            ("logical_or", ""),
            ("logical_xor", ""),
        ]);
        let text = format!(
            "graph.{operator}{form} {}, {}{attributes} : {}, {}",
            name(bench, x),
            name(bench, y),
            ty(bench, x),
            ty(bench, y)
        );
        return Some(Candidate { decides: true, ..op(text, &[x, y])? });
    }
    let operator = bench
        .random
        .choose(&["floor", "ceil", "round", "trunc", "frac", "sign", "isnan", "isinf", "isfinite"]);
    let form = if operator.starts_with("is") { "" } else { form(bench) };
    let text = format!("graph.{operator}{form} {} : {}", name(bench, x), ty(bench, x));
    Some(Candidate { decides: true, ..op(text, &[x])? })
}

fn where_(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let own = sizes(bench, x);
    let (condition, y) = (need(bench, DType::Bool, &own), pick(bench, |tensor| tensor.sizes() == own)?);
    let operands = [condition, x, y];
    let names: Vec<_> = operands.iter().map(|&n| name(bench, n)).collect();
    let types: Vec<_> = operands.iter().map(|&n| ty(bench, n)).collect();
    op(format!("graph.where {} : {}", names.join(", "), types.join(", ")), &operands)
}

fn conversion(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let to = bench.random.choose(&DTYPES);
    let text =
        format!("graph._to_copy {} {{dtype = {}}} : {}", name(bench, x), element_type(to), ty(bench, x));
    Some(Candidate { decides: !to.is_float(), ..op(text, &[x])? })
}

fn copy_in_place(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let own = sizes(bench, x);
    let y = pick(bench, |tensor| {
        tensor.rank() <= own.len()
            && own.iter().rev().zip(tensor.sizes().iter().rev()).all(|(a, b)| a == b || *b == 1)
    })?;
    let decides = !dtype(bench, x).is_float() && dtype(bench, y).is_float();
    let text =
        format!("graph.copy_ {}, {} : {}, {}", name(bench, x), name(bench, y), ty(bench, x), ty(bench, y));
    Some(Candidate { decides, ..op(text, &[x, y])? })
}

fn fill_in_place(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    if bench.random.percent(30) {
        return op(format!("graph.zero_ {} : {}", name(bench, x), ty(bench, x)), &[x]);
    }
    if let Some(y) = pick(bench, |tensor| tensor.rank() == 0).filter(|_| bench.random.percent(40)) {
        let decides = !dtype(bench, x).is_float() && dtype(bench, y).is_float();
        let text = format!(
            "graph.fill_ {}, {} : {}, {}",
            name(bench, x),
            name(bench, y),
            ty(bench, x),
            ty(bench, y)
        );
        return Some(Candidate { decides, ..op(text, &[x, y])? });
    }
    let floats = bench.random.percent(50);
    let (number, number_type, line) = number(bench, floats);
    let text = format!("graph.fill_ {}, {number} : {}, {number_type}", name(bench, x), ty(bench, x));
    Some(Candidate { constants: vec![line], ..op(text, &[x])? })
}

fn reorder(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0)?;
    let (x_name, x_type, rank) = (name(bench, x), ty(bench, x), sizes(bench, x).len() as i64);
    let (a, b) = (dim(bench, x), dim(bench, x));
    let mut dims: Vec<i64> = (0..rank).collect();
    bench.random.shuffle(&mut dims);
    op(
        match bench.random.between(0, 5) {
            0 if rank <= 2 => format!("graph.t {x_name} : {x_type}"),
            1 if rank >= 2 => format!("graph.mT {x_name} : {x_type}"),
            2 => format!("graph.swapaxes {x_name} {{axis0 = {a} : i64, axis1 = {b} : i64}} : {x_type}"),
            3 => {
                let source = array(&[a]);
                let destination = array(&[b]);
                format!(
                    "graph.movedim {x_name} {{source = {source}, destination = {destination}}} : {x_type}"
                )
            }
            4 => format!("graph.transpose {x_name} {{dim0 = {a} : i64, dim1 = {b} : i64}} : {x_type}"),
            _ => format!("graph.permute {x_name} {{dims = {}}} : {x_type}", array(&dims)),
        },
        &[x],
    )
}

fn part(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0)?;
    let dim = dim(bench, x);
    let size = size(bench, x, dim);
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    let random = &mut bench.random;
    op(
        match random.between(0, 4) {
            0 | 1 if size > 0 => {
                let index = random.between(-size, size - 1);
                format!("graph.select {x_name} index [{index}] {{dim = {dim} : i64}} : {x_type}")
            }
            2 => {
                let start = random.between(0, size);
                let length = random.between(0, size - start);
                format!(
                    "graph.narrow {x_name} start [{start}] length [{length}] {{dim = {dim} : i64}} : {x_type}"
                )
            }
            _ => {
                let start = random.between(-size - 1, size);
                let end = if random.percent(40) { END } else { random.between(-size, size + 1) };
                let step = random.choose(&[1, 1, 2, 3]);
                format!(
                    "graph.slice {x_name} start [{start}] end [{end}] step [{step}] {{dim = {dim} : i64}} : {x_type}"
                )
            }
        },
        &[x],
    )
}

fn parts(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0)?;
    let dim = dim(bench, x);
    let size = size(bench, x, dim);
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    let random = &mut bench.random;
    let pieces = random.between(1, 3);
    let (text, results) = match random.between(0, 3) {
        0 => {
            let count = (size.max(1) + pieces - 1) / pieces;
            (
                format!("graph.split {x_name} {{split_size = {pieces} : i64, dim = {dim} : i64}} : {x_type}"),
                count,
            )
        }
        1 => {
            let first = random.between(0, size);
            let sizes = array(&[first, size - first]);
            (
                format!(
                    "graph.split_with_sizes {x_name} {{split_sizes = {sizes}, dim = {dim} : i64}} : {x_type}"
                ),
                2,
            )
        }
        2 if size > 0 => {
            let each = (size + pieces - 1) / pieces;
            let count = (size + each - 1) / each;
            (format!("graph.chunk {x_name} {{chunks = {pieces} : i64, dim = {dim} : i64}} : {x_type}"), count)
        }
        _ if size > 0 => (format!("graph.unbind {x_name} {{dim = {dim} : i64}} : {x_type}"), size),
        _ => return None,
    };
    Some(Candidate { results: Some(results as usize), ..op(text, &[x])? })
}

fn reshape(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let count: i64 = sizes(bench, x).iter().product();
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    if bench.random.percent(20) {
        let y = pick(bench, |tensor| tensor.len() as i64 == count)?;
        return op(
            format!("graph.view_as {x_name}, {} : {x_type}, {}", name(bench, y), ty(bench, y)),
            &[x, y],
        );
    }
    let factors: Vec<i64> = (1..=count.max(1)).filter(|factor| count % factor == 0).collect();
    let factor = bench.random.choose(&factors);
    if bench.random.percent(25) && !sizes(bench, x).is_empty() {
        let dim = dim(bench, x);
        return op(
            format!("graph.unflatten {x_name} sizes [{factor}, -1] {{dim = {dim} : i64}} : {x_type}"),
            &[x],
        );
    }
    let target = match bench.random.between(0, 3) {
        0 => vec![count],
        1 => vec![-1, factor],
        2 => vec![factor, 1, -1],
        _ => vec![factor, count / factor],
    };
    op(format!("graph.view {x_name} size {target:?} : {x_type}"), &[x])
}

fn expand(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    if bench.random.percent(25) {
        let y = any(bench)?;
        return op(
            format!("graph.expand_as {x_name}, {} : {x_type}, {}", name(bench, y), ty(bench, y)),
            &[x, y],
        );
    }
    let mut target = sizes(bench, x);
    for size in &mut target {
        *size = match *size {
            1 => bench.random.between(1, 3),
            _ if bench.random.percent(30) => -1,
            other => other,
        };
    }
    if bench.random.percent(30) {
        target.insert(0, bench.random.between(1, 2));
    }
    op(format!("graph.expand {x_name} size {target:?} : {x_type}"), &[x])
}

fn diagonal(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() >= 2)?;
    let (a, b, offset) = (dim(bench, x), dim(bench, x), bench.random.between(-2, 2));
    let attributes = format!("{{offset = {offset} : i64, dim1 = {a} : i64, dim2 = {b} : i64}}");
    op(format!("graph.diagonal {} {attributes} : {}", name(bench, x), ty(bench, x)), &[x])
}

fn unfold(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0)?;
    let dim = dim(bench, x);
    let window = bench.random.between(1, size(bench, x, dim).clamp(1, 3));
    let step = bench.random.between(1, 3);
    let attributes = format!("{{dimension = {dim} : i64, size = {window} : i64, step = {step} : i64}}");
    op(format!("graph.unfold {} {attributes} : {}", name(bench, x), ty(bench, x)), &[x])
}

fn as_strided(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let tensor = &bench.pool[x].tensor;
    let capacity = (tensor.storage().len() / tensor.dtype().size()) as i64;
    let rank = bench.random.between(0, 2) as usize;
    let target: Vec<i64> = (0..rank).map(|_| bench.random.between(1, 3)).collect();
    let strides: Vec<i64> = (0..rank).map(|_| bench.random.choose(&[1, 2, 3, 4, 1, 2])).collect();
    let offset = bench.random.between(0, (capacity - extent(&target, &strides)).max(0));
    op(
        format!(
            "graph.as_strided {} size {target:?} stride {strides:?} storage_offset [{offset}] : {}",
            name(bench, x),
            ty(bench, x)
        ),
        &[x],
    )
}

fn squeeze(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    let dim = dim(bench, x);
    op(
        match bench.random.between(0, 2) {
            0 => format!("graph.squeeze {x_name} : {x_type}"),
            1 => format!("graph.squeeze {x_name} {{dim = {}}} : {x_type}", array(&[dim])),
            _ => format!("graph.unsqueeze {x_name} {{dim = {dim} : i64}} : {x_type}"),
        },
        &[x],
    )
}

fn alias(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let operator = bench.random.choose(&["alias", "detach", "clone"]);
    op(format!("graph.{operator} {} : {}", name(bench, x), ty(bench, x)), &[x])
}

fn factory(bench: &mut Workbench) -> Option<Candidate> {
    let dtype = element_type(bench.random.choose(&DTYPES));
    let target: Vec<i64> = (0..bench.random.between(0, 3)).map(|_| bench.random.between(1, 4)).collect();
    let kind = bench.random.between(0, 3);
    if kind < 2 {
        let operator = ["zeros", "ones"][kind as usize];
        return op(format!("graph.{operator} {target:?} {{dtype = {dtype}}}"), &[]);
    }
    let floats = dtype.starts_with('f');
    let (number, number_type, line) = number(bench, floats);
    let text = match kind {
        2 => format!("graph.full {target:?}, {number} {{dtype = {dtype}}} : {number_type}"),
        _ => format!("graph.scalar_tensor {number} {{dtype = {dtype}}} : {number_type}"),
    };
    Some(Candidate { constants: vec![line], ..op(text, &[])? })
}

fn arange(bench: &mut Workbench) -> Option<Candidate> {
    let start = bench.random.between(-3, 3);
    let step = bench.random.choose(&[1, 2, -1]);
    let end = start + step * bench.random.between(0, 5);
    let (mut constants, mut text) = (vec![], String::from("graph.arange"));
    for (word, value, given) in [("start", start, start != 0), ("end", end, true), ("step", step, step != 1)]
    {
        if given || bench.random.between(0, 1) == 0 {
            let name = bench.constant_name();
            text += &format!(" {word} {name} : i64");
            constants.push(format!("{name} = arith.constant {value} : i64"));
        }
    }
    let dtype = element_type(bench.random.choose(&DTYPES[..4]));
    Some(Candidate { constants, ..op(format!("{text} {{dtype = {dtype}}}"), &[])? })
}

fn like(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let floats = dtype(bench, x).is_float();
    let (number, number_type, line) = number(bench, floats);
    let text = format!("graph.full_like {}, {number} : {}, {number_type}", name(bench, x), ty(bench, x));
    Some(Candidate { constants: vec![line], ..op(text, &[x])? })
}

/// A tensor of a rank in a dtype that products have.
fn matrix(bench: &mut Workbench, rank: usize) -> Option<usize> {
    pick(bench, |tensor| tensor.rank() == rank && tensor.dtype() != DType::Bool)
}

fn matrix_product(bench: &mut Workbench) -> Option<Candidate> {
    let a = matrix(bench, 2)?;
    let (dtype, own) = (dtype(bench, a), sizes(bench, a));
    let columns = bench.random.between(1, 4);
    let b = need(bench, dtype, &[own[1], columns]);
    if bench.random.percent(50) {
        return op(
            format!("graph.mm {}, {} : {}, {}", name(bench, a), name(bench, b), ty(bench, a), ty(bench, b)),
            &[a, b],
        );
    }
    let c = need(bench, dtype, &[columns]);
    let floats = dtype.is_float();
    let ((beta, beta_type, first), (alpha, alpha_type, second)) =
        (number(bench, floats), number(bench, floats));
    let [c_name, a_name, b_name] = [c, a, b].map(|n| name(bench, n));
    let [c_type, a_type, b_type] = [c, a, b].map(|n| ty(bench, n));
    let text = format!(
        "graph.addmm {c_name}, {a_name}, {b_name} beta {beta} : {beta_type} alpha {alpha} : {alpha_type} : {c_type}, {a_type}, {b_type}"
    );
    Some(Candidate { constants: vec![first, second], ..op(text, &[c, a, b])? })
}

fn batch_product(bench: &mut Workbench) -> Option<Candidate> {
    let a = matrix(bench, 3)?;
    let (dtype, own) = (dtype(bench, a), sizes(bench, a));
    let columns = bench.random.between(1, 3);
    let b = need(bench, dtype, &[own[0], own[2], columns]);
    op(
        format!("graph.bmm {}, {} : {}, {}", name(bench, a), name(bench, b), ty(bench, a), ty(bench, b)),
        &[a, b],
    )
}

fn linear(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0 && tensor.dtype() != DType::Bool)?;
    let (dtype, own) = (dtype(bench, x), sizes(bench, x));
    let outputs = bench.random.between(1, 4);
    let weight = need(bench, dtype, &[outputs, own[own.len() - 1]]);
    let mut operands = vec![x, weight];
    let (mut bias, mut bias_type) = (String::new(), String::new());
    if bench.random.percent(60) {
        let number = need(bench, dtype, &[outputs]);
        operands.push(number);
        (bias, bias_type) = (format!(" bias {}", name(bench, number)), format!(", {}", ty(bench, number)));
    }
    let (x_name, w_name, x_type, w_type) =
        (name(bench, x), name(bench, weight), ty(bench, x), ty(bench, weight));
    op(format!("graph.linear {x_name}, {w_name}{bias} : {x_type}, {w_type}{bias_type}"), &operands)
}

fn convolution(bench: &mut Workbench) -> Option<Candidate> {
    let dtype = bench.random.choose(&[DType::F32, DType::F32, DType::F64, DType::I64]);
    let dims = bench.random.between(1, 2) as usize;
    let random = &mut bench.random;
    let (groups, transposed) = (random.choose(&[1, 1, 2]), random.percent(25));
    let (inputs, outputs) = (groups * random.between(1, 2), groups * random.between(1, 2));
    let mut input = vec![random.between(1, 2), inputs];
    let mut weight = if transposed { vec![inputs, outputs / groups] } else { vec![outputs, inputs / groups] };
    input.extend((0..dims).map(|_| random.between(3, 5)));
    weight.extend((0..dims).map(|_| random.between(1, 3)));
    let mut list =
        |low: i64, high: i64| array(&(0..dims).map(|_| random.between(low, high)).collect::<Vec<_>>());
    let (stride, padding, dilation) = (list(1, 2), list(0, 1), list(1, 2));
    let (x, w, b) = (need(bench, dtype, &input), need(bench, dtype, &weight), need(bench, dtype, &[outputs]));
    let [x_name, w_name, b_name] = [x, w, b].map(|n| name(bench, n));
    let [x_type, w_type, b_type] = [x, w, b].map(|n| ty(bench, n));
    op(
        format!(
            "graph.convolution {x_name}, {w_name} bias {b_name} {{stride = {stride}, padding = {padding}, dilation = {dilation}, transposed = {transposed}, output_padding = {}, groups = {groups} : i64}} : {x_type}, {w_type}, {b_type}",
            array(&vec![0; dims])
        ),
        &[x, w, b],
    )
}

fn cat(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0)?;
    let dim = dim(bench, x);
    let own = sizes(bench, x);
    let along = if dim < 0 { dim + own.len() as i64 } else { dim } as usize;
    let y = pick(bench, |tensor| {
        tensor.rank() == own.len() && (0..own.len()).all(|d| d == along || tensor.sizes()[d] == own[d])
    })?;
    let mut operands = vec![x, y];
    if bench.random.percent(30) {
        operands.push(x);
    }
    let names: Vec<_> = operands.iter().map(|&n| name(bench, n)).collect();
    let types: Vec<_> = operands.iter().map(|&n| ty(bench, n)).collect();
    op(format!("graph.cat {} {{dim = {dim} : i64}} : {}", names.join(", "), types.join(", ")), &operands)
}

/// An argument of indices into a dimension of some size.
fn indices(bench: &mut Workbench, sizes: &[i64], low: i64, high: i64) -> usize {
    let dtype = bench.random.choose(&[DType::I64, DType::I32]);
    let count: i64 = sizes.iter().product();
    let elements = (0..count).map(|_| Scalar::Int(bench.random.between(low, high))).collect();
    bench.fresh(dtype, sizes, elements)
}

fn embedding(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() == 2 && tensor.sizes()[0] > 0)?;
    let rows = sizes(bench, x)[0];
    let shape: Vec<i64> = (0..bench.random.between(0, 2)).map(|_| bench.random.between(1, 3)).collect();
    let i = indices(bench, &shape, 0, rows - 1);
    op(
        format!(
            "graph.embedding {}, {} : {}, {}",
            name(bench, x),
            name(bench, i),
            ty(bench, x),
            ty(bench, i)
        ),
        &[x, i],
    )
}

fn index(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0 && !tensor.is_empty())?;
    let own = sizes(bench, x);
    let shape: Vec<i64> = (0..bench.random.between(1, 2)).map(|_| bench.random.between(1, 3)).collect();
    let mut present: Vec<bool> = own.iter().map(|_| bench.random.percent(50)).collect();
    present[0] |= !present.contains(&true);
    let mut operands = vec![x];
    for (dim, _) in present.iter().enumerate().filter(|(_, present)| **present) {
        let number = indices(bench, &shape, -own[dim], own[dim] - 1);
        operands.push(number);
    }
    let names: Vec<_> = operands[1..].iter().map(|&n| name(bench, n)).collect();
    let types: Vec<_> = operands[1..].iter().map(|&n| ty(bench, n)).collect();
    let present: Vec<_> = present.iter().map(bool::to_string).collect();
    op(
        format!(
            "graph.index {}[{}] {{present = array<i1: {}>}} : {}[{}]",
            name(bench, x),
            names.join(", "),
            present.join(", "),
            ty(bench, x),
            types.join(", ")
        ),
        &operands,
    )
}

fn reduction(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let rank = sizes(bench, x).len() as i64;
    let mut dims: Vec<i64> = (0..rank).filter(|_| bench.random.percent(50)).collect();
    dims.iter_mut().for_each(|dim| *dim -= if bench.random.percent(30) { rank } else { 0 });
    let operator = bench.random.choose(&["sum", "mean", "amax", "any"]);
    let keepdim = bench.random.percent(50);
    let dim = if dims.is_empty() { String::new() } else { format!("dim = {}, ", array(&dims)) };
    let mut candidate = op(
        format!("graph.{operator} {} {{{dim}keepdim = {keepdim}}} : {}", name(bench, x), ty(bench, x)),
        &[x],
    )?;
    candidate.decides = operator == "any";
    Some(candidate)
}

fn normalization(bench: &mut Workbench) -> Option<Candidate> {
    let x = float(bench)?;
    let (x_name, x_type) = (name(bench, x), ty(bench, x));
    let operator = bench.random.choose(&["softmax", "_softmax", "layer_norm", "native_layer_norm"]);
    if operator.ends_with("softmax") {
        let dim = dim(bench, x);
        return op(format!("graph.{operator} {x_name} {{dim = {dim} : i64}} : {x_type}"), &[x]);
    }
    let own = sizes(bench, x);
    let last = bench.random.between(1, own.len().checked_sub(1)?.max(1) as i64) as usize;
    let shape = own[own.len() - last..].to_vec();
    let (dtype, mut operands, mut parameters) = (dtype(bench, x), vec![x], String::new());
    for parameter in ["weight", "bias"] {
        if bench.random.percent(50) {
            let number = need(bench, dtype, &shape);
            operands.push(number);
            parameters.push_str(&format!(" {parameter} {} : {}", name(bench, number), ty(bench, number)));
        }
    }
    let attributes = format!("{{normalized_shape = {}, eps = 1.0e-3 : f64}}", array(&shape));
    let results = (operator == "native_layer_norm").then_some(3);
    let text = format!("graph.{operator} {x_name}{parameters} {attributes} : {x_type}");
    Some(Candidate { results, ..op(text, &operands)? })
}
