//! Views, each by its name: of a tensor, with attributes by chance.

use super::*;
use crate::dtypes::{DTYPES, element_type};

/// Every operator whose result may be a view of its operand.
pub const VIEWS: [&str; 53] = [
    "view",
    "_unsafe_view",
    "reshape",
    "view_as",
    "reshape_as",
    "view.dtype",
    "t",
    "mT",
    "mH",
    "adjoint",
    "matrix_H",
    "numpy_T",
    "transpose",
    "swapaxes",
    "movedim",
    "permute",
    "unsqueeze",
    "squeeze",
    "select",
    "slice",
    "narrow",
    "unbind",
    "split",
    "split_with_sizes",
    "chunk",
    "tensor_split.sections",
    "tensor_split.indices",
    "hsplit.int",
    "hsplit.array",
    "vsplit.int",
    "vsplit.array",
    "dsplit.int",
    "dsplit.array",
    "diagonal",
    "as_strided",
    "expand",
    "expand_as",
    "unfold",
    "flatten.using_ints",
    "unflatten",
    "ravel",
    "contiguous",
    "to",
    "view_as_complex",
    "view_as_real",
    "real",
    "imag",
    "_conj",
    "conj",
    "_neg_view",
    "alias",
    "detach",
    "lift_fresh",
];

/// A view by its name.
pub fn view(bench: &mut Workbench, operator: &str, x: usize) -> Option<Candidate> {
    let (x_name, x_type, own) = (name(bench, x), ty(bench, x), sizes(bench, x));
    let of_x = |parameters: String| op(format!("graph.{operator} {x_name}{parameters} : {x_type}"), &[x]);
    let count: i64 = own.iter().product();
    let (a, b) = (dim(bench, x), dim(bench, x));
    let length = size(bench, x, a);
    let rank = own.len() as i64;
    match operator {
        "view" | "_unsafe_view" => of_x(format!(" size {:?}", target(bench, count))),
        "reshape" => of_x(format!(" shape {:?}", target(bench, count))),
        "view_as" | "reshape_as" | "expand_as" => {
            let y = match operator {
                "expand_as" => any(bench)?,
                _ => pick(bench, |tensor| tensor.len() as i64 == count)?,
            };
            op(format!("graph.{operator} {x_name}, {} : {x_type}, {}", name(bench, y), ty(bench, y)), &[x, y])
        }
        "view.dtype" => {
            let to = element_type(bench.random.choose(&DTYPES[..9]));
            of_x(format!(" {{dtype = {to}}}"))
        }
        "transpose" => of_x(format!(" {{dim0 = {a} : i64, dim1 = {b} : i64}}")),
        "swapaxes" => of_x(format!(" {{axis0 = {a} : i64, axis1 = {b} : i64}}")),
        "movedim" => of_x(format!(" {{source = {}, destination = {}}}", array(&[a]), array(&[b]))),
        "permute" => {
            let mut dims: Vec<i64> = (0..rank).collect();
            bench.random.shuffle(&mut dims);
            of_x(format!(" {{dims = {}}}", array(&dims)))
        }
        "unsqueeze" => of_x(format!(" {{dim = {a} : i64}}")),
        "squeeze" if bench.random.percent(50) => of_x(String::new()),
        "squeeze" => of_x(format!(" {{dim = {}}}", array(&[a]))),
        "select" if length > 0 => {
            let index = bench.random.between(-length, length - 1);
            of_x(format!(" index [{index}] {{dim = {a} : i64}}"))
        }
        "narrow" => {
            let start = bench.random.between(0, length);
            let taken = bench.random.between(0, length - start);
            of_x(format!(" start [{start}] length [{taken}] {{dim = {a} : i64}}"))
        }
        "slice" => {
            let random = &mut bench.random;
            let start = random.between(-length - 1, length);
            let end = if random.percent(40) { END } else { random.between(-length, length + 1) };
            let step = random.choose(&[1, 1, 2, 3]);
            of_x(format!(" start [{start}] end [{end}] step [{step}] {{dim = {a} : i64}}"))
        }
        "diagonal" => {
            let offset = bench.random.between(-2, 2);
            of_x(format!(" {{offset = {offset} : i64, dim1 = {a} : i64, dim2 = {b} : i64}}"))
        }
        "unfold" => {
            let window = bench.random.between(1, length.clamp(1, 3));
            let step = bench.random.between(1, 3);
            of_x(format!(" {{dimension = {a} : i64, size = {window} : i64, step = {step} : i64}}"))
        }
        "as_strided" => of_x(strided(bench, x)),
        "expand" => of_x(format!(" size {:?}", expanded(bench, &own))),
        "flatten.using_ints" => {
            let (start, end) = if bench.random.percent(50) { (0, -1) } else { (a, b) };
            of_x(format!(" {{start_dim = {start} : i64, end_dim = {end} : i64}}"))
        }
        "unflatten" if length > 0 => {
            let factor = factor(bench, length);
            of_x(format!(" sizes [{factor}, -1] {{dim = {a} : i64}}"))
        }
        "_neg_view" | "_conj" | "conj" | "adjoint" | "mH" | "matrix_H" | "mT" | "numpy_T" | "t" | "real"
        | "imag" | "ravel" | "contiguous" | "to" | "view_as_complex" | "view_as_real" | "alias"
        | "detach" | "lift_fresh" => of_x(String::new()),
        _ => parts(bench, operator, x, a),
    }
}

/// Views that are made together.
fn parts(bench: &mut Workbench, operator: &str, x: usize, dim: i64) -> Option<Candidate> {
    let own = sizes(bench, x);
    let (kind, of_dim) = operator.split_once('.').unwrap_or((operator, ""));
    let along = match kind {
        "hsplit" if own.len() > 1 => 1,
        "hsplit" | "vsplit" => 0,
        "dsplit" => 2,
        _ => dim,
    };
    let (length, pieces) = (size(bench, x, along), bench.random.between(1, 3));
    let dim = if kind.ends_with("split") && kind.len() == 6 {
        String::new()
    } else {
        format!(", dim = {dim} : i64")
    };
    let mut cut = || bench.random.between(0, length);
    let (parameters, results) = match (kind, of_dim) {
        ("unbind", _) if length > 0 => (dim[2..].to_owned(), length),
        ("split", _) => (format!("split_size = {pieces} : i64{dim}"), (length.max(1) + pieces - 1) / pieces),
        ("split_with_sizes", _) => {
            let first = cut();
            (format!("split_sizes = {}{dim}", array(&[first, length - first])), 2)
        }
        ("chunk", _) if length > 0 => {
            let each = (length + pieces - 1) / pieces;
            (format!("chunks = {pieces} : i64{dim}"), (length + each - 1) / each)
        }
        ("tensor_split", "sections") => (format!("sections = {pieces} : i64{dim}"), pieces),
        (_, "int") => {
            let factor = factor(bench, length.max(1));
            (format!("sections = {factor} : i64"), factor)
        }
        ("tensor_split", _) | (_, "array") => {
            let at = cut();
            (format!("indices = {}{dim}", array(&[at])), 2)
        }
        _ => return None,
    };
    let text = format!("graph.{operator} {} {{{parameters}}} : {}", name(bench, x), ty(bench, x));
    Some(Candidate { results: Some(results as usize), ..op(text, &[x])? })
}

/// A divisor of a number of elements.
fn factor(bench: &mut Workbench, count: i64) -> i64 {
    let factors: Vec<i64> = (1..=count.max(1)).filter(|factor| count % factor == 0).collect();
    bench.random.choose(&factors)
}

/// Sizes for so many elements.
fn target(bench: &mut Workbench, count: i64) -> Vec<i64> {
    let factor = factor(bench, count);
    match bench.random.between(0, 3) {
        0 => vec![count],
        1 => vec![-1, factor],
        2 => vec![factor, 1, -1],
        _ => vec![factor, count / factor],
    }
}

fn expanded(bench: &mut Workbench, own: &[i64]) -> Vec<i64> {
    let mut target = own.to_vec();
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
    target
}

/// Sizes, strides and an offset within the storage of a tensor.
pub fn strided(bench: &mut Workbench, x: usize) -> String {
    let tensor = &bench.pool[x].tensor;
    let capacity = (tensor.storage().len() / tensor.dtype().bytes()) as i64;
    let rank = bench.random.between(0, 2) as usize;
    let target: Vec<i64> = (0..rank).map(|_| bench.random.between(1, 3)).collect();
    let strides: Vec<i64> = (0..rank).map(|_| bench.random.choose(&[1, 2, 3, 4, 1, 2])).collect();
    let offset = bench.random.between(0, (capacity - extent(&target, &strides)).max(0));
    format!(" size {target:?} stride {strides:?} storage_offset [{offset}]")
}

/// One of some views, of any tensor.
pub fn one_of(bench: &mut Workbench, operators: &[&str]) -> Option<Candidate> {
    let x = any(bench)?;
    let operator = bench.random.choose(operators);
    view(bench, operator, x)
}

pub fn reorder(bench: &mut Workbench) -> Option<Candidate> {
    one_of(bench, &["t", "mT", "swapaxes", "movedim", "transpose", "permute"])
}

pub fn part(bench: &mut Workbench) -> Option<Candidate> {
    one_of(bench, &["select", "select", "narrow", "slice", "slice"])
}

pub fn pieces(bench: &mut Workbench) -> Option<Candidate> {
    one_of(bench, &["split", "split_with_sizes", "chunk", "unbind", "tensor_split.indices", "vsplit.array"])
}

pub fn reshape(bench: &mut Workbench) -> Option<Candidate> {
    one_of(bench, &["view", "view", "view", "view_as", "unflatten"])
}

pub fn expand(bench: &mut Workbench) -> Option<Candidate> {
    one_of(bench, &["expand", "expand", "expand", "expand_as"])
}

pub fn diagonal(bench: &mut Workbench) -> Option<Candidate> {
    one_of(bench, &["diagonal"])
}

pub fn unfold(bench: &mut Workbench) -> Option<Candidate> {
    one_of(bench, &["unfold"])
}

pub fn as_strided(bench: &mut Workbench) -> Option<Candidate> {
    one_of(bench, &["as_strided"])
}

pub fn squeeze(bench: &mut Workbench) -> Option<Candidate> {
    one_of(bench, &["squeeze", "squeeze", "unsqueeze"])
}

pub fn alias(bench: &mut Workbench) -> Option<Candidate> {
    one_of(bench, &["alias", "detach"])
}

pub fn clone(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    op(format!("graph.clone {} : {}", name(bench, x), ty(bench, x)), &[x])
}
