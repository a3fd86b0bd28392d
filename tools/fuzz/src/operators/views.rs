//! Views.

use super::*;

pub fn reorder(bench: &mut Workbench) -> Option<Candidate> {
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

pub fn part(bench: &mut Workbench) -> Option<Candidate> {
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

pub fn parts(bench: &mut Workbench) -> Option<Candidate> {
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

pub fn reshape(bench: &mut Workbench) -> Option<Candidate> {
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

pub fn expand(bench: &mut Workbench) -> Option<Candidate> {
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

pub fn diagonal(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() >= 2)?;
    let (a, b, offset) = (dim(bench, x), dim(bench, x), bench.random.between(-2, 2));
    let attributes = format!("{{offset = {offset} : i64, dim1 = {a} : i64, dim2 = {b} : i64}}");
    op(format!("graph.diagonal {} {attributes} : {}", name(bench, x), ty(bench, x)), &[x])
}

pub fn unfold(bench: &mut Workbench) -> Option<Candidate> {
    let x = pick(bench, |tensor| tensor.rank() > 0)?;
    let dim = dim(bench, x);
    let window = bench.random.between(1, size(bench, x, dim).clamp(1, 3));
    let step = bench.random.between(1, 3);
    let attributes = format!("{{dimension = {dim} : i64, size = {window} : i64, step = {step} : i64}}");
    op(format!("graph.unfold {} {attributes} : {}", name(bench, x), ty(bench, x)), &[x])
}

pub fn as_strided(bench: &mut Workbench) -> Option<Candidate> {
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

pub fn squeeze(bench: &mut Workbench) -> Option<Candidate> {
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

pub fn alias(bench: &mut Workbench) -> Option<Candidate> {
    let x = any(bench)?;
    let operator = bench.random.choose(&["alias", "detach", "clone"]);
    op(format!("graph.{operator} {} : {}", name(bench, x), ty(bench, x)), &[x])
}
